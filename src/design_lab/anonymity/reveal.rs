//! Turns a review's labels back into the designs that they stand for, once the review no longer has to be blind.

use crate::design_lab::ids::Label;

/// Returns the text with every label that is a word of its own replaced with its entry in `names`, usually its design's id.
/// Labels are found in any case, as models write them at the start of a sentence or in a heading.
pub fn reveal(text: &str, names: &[(&Label, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (between, tail) = rest.split_at(start);
        let (word, after) = tail.split_at(tail.find(|c| !is_word(c)).unwrap_or(tail.len()));
        let id = names.iter().find(|(label, _)| label.as_str().eq_ignore_ascii_case(word)).map(|(_, id)| *id);
        out.push_str(between);
        out.push_str(id.unwrap_or(word));
        rest = after;
    }
    out.push_str(rest);
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_ids_where_they_are_words() {
        let (fern, slate) = (Label::new("fern"), Label::new("slate"));
        let names = [(&fern, "glm-4-6"), (&slate, "opus")];
        assert_eq!(
            reveal("# Fern\n\n`fern` beats **slate**; fernery and slates stay.", &names),
            "# glm-4-6\n\n`glm-4-6` beats **opus**; fernery and slates stay."
        );
        assert_eq!(reveal("", &names), "");
    }
}
