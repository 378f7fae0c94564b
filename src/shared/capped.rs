//! Text cut to a length.

/// A text of at most `most` characters, which must be at least one; a longer text is cut and ends in an ellipsis.
pub(crate) fn capped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        text.chars().take(most - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_at_most_so_many_characters_the_ellipsis_included() {
        for (text, cut) in [("", ""), ("wörd", "wörd"), ("words", "wor…"), ("éèêëē", "éèê…")] {
            assert_eq!(capped(text, 4), cut);
        }
    }
}
