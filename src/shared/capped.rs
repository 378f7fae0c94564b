//! Text cut to a length.

use kernel::visible;

/// A text of at most `most` characters, which must be at least one; a longer text is cut and ends in an ellipsis.
pub(crate) fn capped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_owned()
    } else {
        text.chars().take(most - 1).chain(['…']).collect()
    }
}

/// The first line of a text that isn't empty, in at most `most` characters.
pub(crate) fn first_line(text: &str, most: usize) -> String {
    capped(&visible::line(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()), most)
}

/// The longest beginning of a task in a session's title, in characters.
const TASK: usize = 40;

/// The title of a model's session: what the session is for, and the beginning of the task, which tells runs apart.
pub(crate) fn session_title(what: &str, task: &str) -> String {
    format!("{what} ({})", first_line(task, TASK))
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
