//! Commands as people read them.

use kernel::visible;
use serde_json::Value;

/// A command in a line, so that it can't be mistaken for another: words with other than plain characters are quoted.
pub(crate) fn spelled(argv: &[String]) -> String {
    let json = |word: &String| visible::json(Value::from(word.as_str()).to_string());
    let words = argv.iter().map(|word| if is_plain(word) { word.clone() } else { json(word) });
    words.collect::<Vec<_>>().join(" ")
}

/// A word quoted for a shell, so that the shell reads it unchanged.
pub(crate) fn for_shell(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_makes_nothing_else_of_a_word() {
        for (word, spelled) in
            [("./a-b_1", "./a-b_1"), ("", "''"), ("a b", "'a b'"), ("$(x)", "'$(x)'"), ("it's", r"'it'\''s'")]
        {
            assert_eq!(for_shell(word), spelled);
        }
    }
}
