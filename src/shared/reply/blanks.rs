//! List items without content.

use super::code::AnswerCode;
use super::rules::Rules;
use crate::shared::schema::{child, quote};
use kernel::problem::Problem;
use serde_json::Value;

/// The words of a command: an empty one may be intended.
const COMMAND: &str = "command";

/// A problem for each text in a list that contains only white space, if the rules require filled lists.
pub(crate) fn blanks(value: &Value, rules: Rules) -> Vec<Problem> {
    let mut found = Vec::new();
    if rules.want_filled_lists() {
        look(value, "", &mut found);
    }
    found
}

fn look(value: &Value, at: &str, found: &mut Vec<Problem>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let at = child(at, &index.to_string());
                match item.as_str() {
                    Some(text) if text.trim().is_empty() => found.push(blank(&at, text)),
                    _ => look(item, &at, found),
                }
            }
        }
        Value::Object(members) => {
            for (key, member) in members.iter().filter(|(key, _)| *key != COMMAND) {
                look(member, &child(at, key), found);
            }
        }
        _ => {}
    }
}

fn blank(at: &str, text: &str) -> Problem {
    Problem::new(AnswerCode::Blank, "An item of this list is empty.")
        .at(at)
        .found(quote(text))
        .allowed("text in every item; an empty list is []")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_item_of_white_space_is_a_fault_wherever_the_list_is() {
        let value = json!({
            "risks": ["", "late", " \n"],
            "components": [{"name": "", "responsibilities": ["\u{a0}"]}],
            "checks": [{"command": ["printf", ""]}],
            "none": [],
        });
        let at = |problem: &Problem| problem.pointer.clone().unwrap_or_default();
        let mut found: Vec<String> = blanks(&value, Rules::FilledLists).iter().map(at).collect();
        found.sort();
        assert_eq!(found, ["/components/0/responsibilities/0", "/risks/0", "/risks/2"]);
        assert!(blanks(&value, Rules::OwnWords).is_empty(), "a run keeps the rules that it was opened under");
    }
}
