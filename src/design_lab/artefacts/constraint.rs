//! Whether a design keeps to each constraint of its task, according to a reviewer. It counts nowhere in the ranking, so a line that is
//! missing or can't be read is left out, and not asked for again.

use super::readable::bare;
use kernel::json::Deserialize;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The longest place that is kept, in characters.
const LONGEST: usize = 300;

/// Whether a design keeps to a constraint, the least favourable first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ConstraintState {
    /// It doesn't.
    Not,
    /// In part.
    Partly,
    /// The design doesn't say.
    Unsaid,
    /// It does.
    Met,
}

/// A reviewer's answer on one constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConstraintLine {
    /// The constraint's number in the task, from 1.
    pub constraint: usize,
    /// Whether the design keeps to it.
    pub state: ConstraintState,
    /// The part of the design that shows it.
    #[serde(rename = "where", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub place: Option<String>,
}

impl ConstraintState {
    /// All answers, the most favourable first.
    pub const ALL: [Self; 4] = [Self::Met, Self::Partly, Self::Not, Self::Unsaid];

    /// In words, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Not => "not met",
            Self::Partly => "partly met",
            Self::Unsaid => "not said",
            Self::Met => "met",
        }
    }

    fn of(said: &str) -> Option<&'static str> {
        match bare(said).to_lowercase().as_str() {
            "met" => Some("met"),
            "partly" | "partly met" | "partially" | "partially met" => Some("partly"),
            "not" | "not met" | "unmet" => Some("not"),
            "unsaid" | "not said" => Some("unsaid"),
            _ => None,
        }
    }
}

/// Keeps the lines of an evaluation that answer one of `count` constraints, in the order of the constraints, the first line for each.
pub(super) fn tidy(evaluation: &mut Map<String, Value>, count: usize) {
    let Some(given) = evaluation.shift_remove("constraints") else { return };
    let given = given.as_array().map_or(&[][..], Vec::as_slice);
    let lines = (1..=count).filter_map(|number| {
        given.iter().filter(|line| named(line) == Some(number)).find_map(|one| line(number, one))
    });
    let lines: Vec<Value> = lines.collect();
    if !lines.is_empty() {
        evaluation.insert("constraints".to_owned(), lines.into());
    }
}

/// The number of the constraint that a line answers: a number, also as text.
fn named(line: &Value) -> Option<usize> {
    let said = &line["constraint"];
    let number = said.as_u64().or_else(|| bare(said.as_str()?).parse().ok())?;
    usize::try_from(number).ok()
}

fn line(number: usize, given: &Value) -> Option<Value> {
    let mut line = json!({ "constraint": number, "state": ConstraintState::of(given["state"].as_str()?)? });
    let place = given["where"].as_str().map(str::trim).filter(|place| !place.is_empty());
    if let Some(place) = place {
        line["where"] = json!(place.chars().take(LONGEST).collect::<String>());
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_answers_no_constraint_is_left_out() {
        let read = |given: Value, count| {
            let mut evaluation = Map::from_iter([("constraints".to_owned(), given)]);
            tidy(&mut evaluation, count);
            evaluation.get("constraints").cloned()
        };
        let given = json!([
            {"constraint": "2", "state": "Not met", "where": " the data flow "},
            {"constraint": 1, "state": "perhaps"}, {"constraint": 1, "state": "**met**", "where": ""},
            {"constraint": 1, "state": "not"}, {"constraint": 3, "state": "met"}, {"constraint": -1, "state": "met"}, "met",
        ]);
        let expected = json!([
            {"constraint": 1, "state": "met"}, {"constraint": 2, "state": "not", "where": "the data flow"},
        ]);
        assert_eq!(read(given.clone(), 2), Some(expected));
        for (given, count) in [(given, 0), (json!("all met"), 2), (json!({"1": "met"}), 2), (Value::Null, 2)]
        {
            assert_eq!(read(given, count), None);
        }
    }
}
