//! Commands as people read them.

use kernel::visible;
use serde_json::Value;

/// A command in a line, so that it can't be taken for another: words that hold more than plain characters are quoted.
pub(crate) fn spelled(argv: &[String]) -> String {
    let is_plain = |word: &String| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c))
    };
    let json = |word: &String| visible::json(Value::from(word.as_str()).to_string());
    let words = argv.iter().map(|word| if is_plain(word) { word.clone() } else { json(word) });
    words.collect::<Vec<_>>().join(" ")
}
