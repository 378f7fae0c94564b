//! A comparison of two designs: what a reviewer replies in pairwise mode, and how it is stored.

use super::code::ArtefactCode;
use super::readable;
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::{DesignId, Label};
use crate::design_lab::schema::{quote, shorten};
use design_lab_numerics::sorting::map;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Which of two designs a reviewer prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Preferred {
    /// The one shown first.
    First,
    /// The one shown second.
    Second,
    /// Neither.
    Tie,
}

/// One reviewer's verdict on two designs in the order shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StoredComparison {
    /// The number of the repeat, from 1.
    pub repeat: u32,
    /// The id of the design shown first.
    pub first: DesignId,
    /// The id of the design shown second.
    pub second: DesignId,
    /// Which is better overall.
    #[serde(flatten)]
    pub verdict: ComparisonVerdict,
}

/// A reviewer's preference, and its reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ComparisonVerdict {
    /// Which is better overall.
    pub preferred: Preferred,
    /// The reasons for the verdict.
    pub justification: String,
    /// Which is better on each dimension that the reviewer compared; recorded, never used for the ranking.
    #[serde(default)]
    pub dimensions: BTreeMap<String, Preferred>,
}

/// The rules for a reply.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonRules<'a> {
    /// The labels of the two designs, in the order shown.
    pub labels: &'a [Label],
    /// The configured rubric.
    pub dimensions: &'a [Dimension],
    /// Whether the verdict needs a justification.
    pub require_justification: bool,
    /// Whether a label also counts in another case, and with marks around it.
    pub read_widely: bool,
}

const TIE: &str = "tie";

impl ComparisonVerdict {
    /// Parses a reviewer's reply. Unknown fields are dropped, and so are verdicts on a dimension that name neither a
    /// label nor "tie". The verdict itself is never guessed: anything but one of the two labels or "tie" is a problem.
    pub fn from_reply(value: &Value, rules: &ComparisonRules<'_>) -> Result<Self, Vec<Problem>> {
        let allowed = || {
            let labels: Vec<String> = rules.labels.iter().map(|label| quote(label.as_str())).collect();
            format!("{} or \"tie\"", labels.join(", "))
        };
        let mut problems = Vec::new();
        let preferred = value.get("preferred").and_then(|said| choice(said, rules));
        if preferred.is_none() {
            let (message, found) = match value.get("preferred") {
                None => ("The verdict is missing", format!("only {}", keys(value))),
                Some(other) => ("The verdict names neither of the two designs", shorten(other)),
            };
            let problem = Problem::new(ArtefactCode::ComparisonNoVerdict, message).at("/preferred");
            problems.push(problem.found(found).allowed(allowed()));
        }
        let justification = value["justification"].as_str().unwrap_or_default().trim().to_owned();
        if justification.is_empty() && rules.require_justification {
            problems.push(
                Problem::new(
                    ArtefactCode::ComparisonMissingJustification,
                    "The verdict has no justification",
                )
                .at("/justification")
                .found(shorten(&value["justification"]))
                .allowed("one or more sentences that explain the verdict"),
            );
        }
        let said = |dimension: &Dimension| {
            let said = value["dimensions"].get(&dimension.name)?;
            Some((dimension.name.clone(), choice(said, rules)?))
        };
        match preferred.filter(|_| problems.is_empty()) {
            Some(preferred) => Ok(Self {
                preferred,
                justification,
                dimensions: map(rules.dimensions.iter().filter_map(said)),
            }),
            None => Err(problems),
        }
    }
}

/// Returns how many problems a value has as a reply: of several candidates in an answer, the one with the fewest
/// counts.
pub fn comparison_fit(value: &Value, rules: &ComparisonRules<'_>) -> usize {
    ComparisonVerdict::from_reply(value, rules).err().map_or(0, |problems| problems.len())
}

fn choice(said: &Value, rules: &ComparisonRules<'_>) -> Option<Preferred> {
    let said = said.as_str()?.trim();
    let meant = if rules.read_widely {
        readable::label(said, rules.labels).map_or(said, Label::as_str)
    } else {
        said
    };
    match rules.labels.iter().position(|label| label.as_str() == meant) {
        Some(0) => Some(Preferred::First),
        Some(1) => Some(Preferred::Second),
        _ if rules.read_widely => readable::bare(said).eq_ignore_ascii_case(TIE).then_some(Preferred::Tie),
        _ => (said == TIE).then_some(Preferred::Tie),
    }
}

fn keys(value: &Value) -> String {
    let keys: Vec<&str> =
        value.as_object().map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default();
    if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: &Value, require_justification: bool) -> Result<ComparisonVerdict, Vec<Problem>> {
        let labels = ["heather", "pipit"].map(Label::new);
        let dimension = Dimension::new("clarity");
        let dimensions = &[dimension];
        let rules =
            ComparisonRules { labels: &labels, dimensions, require_justification, read_widely: false };
        let narrow = ComparisonVerdict::from_reply(value, &rules);
        let wide = ComparisonVerdict::from_reply(value, &ComparisonRules { read_widely: true, ..rules });
        assert!(narrow.is_err() || narrow == wide, "{value}: what was read before is read still");
        narrow
    }

    #[test]
    fn a_label_in_another_case_or_between_marks_is_read() {
        let labels = ["heather", "pipit"].map(Label::new);
        let rules = ComparisonRules {
            labels: &labels,
            dimensions: &[],
            require_justification: false,
            read_widely: true,
        };
        let preferred =
            |said: &str| ComparisonVerdict::from_reply(&json!({ "preferred": said }), &rules).ok();
        for said in ["Pipit", "`pipit`", "**PIPIT**", "\"pipit\""] {
            assert_eq!(preferred(said).map(|verdict| verdict.preferred), Some(Preferred::Second), "{said}");
        }
        assert_eq!(preferred("Tie").map(|verdict| verdict.preferred), Some(Preferred::Tie));
        for said in ["pipit or heather", "first", "the second", "no tie"] {
            assert!(preferred(said).is_none(), "{said}");
        }
    }

    #[test]
    fn labels_become_places_and_remarks_are_dropped() {
        let reply = json!({
            "justification": "clearer", "preferred": " pipit ", "confidence": 9,
            "dimensions": {"clarity": "heather", "beauty": "pipit"},
        });
        let verdict = read(&reply, true).unwrap();
        assert_eq!(verdict.preferred, Preferred::Second);
        assert_eq!(verdict.dimensions, [("clarity".to_owned(), Preferred::First)].into());
        assert_eq!(read(&json!({"preferred": "tie"}), false).unwrap().preferred, Preferred::Tie);
        let unclear = json!({"preferred": "tie", "dimensions": {"clarity": "both are fine"}});
        assert!(read(&unclear, false).unwrap().dimensions.is_empty());
    }

    #[test]
    fn a_verdict_is_never_guessed() {
        let codes = |value: &Value| -> Vec<String> {
            read(value, true).unwrap_err().into_iter().map(|problem| problem.code.to_string()).collect()
        };
        for preferred in [json!("Pipit"), json!("first"), json!(1), json!(null), json!("pipit or heather")] {
            let reply = json!({"preferred": preferred, "justification": "so"});
            assert_eq!(codes(&reply), ["comparison.no-verdict"], "{reply}");
        }
        assert_eq!(codes(&json!({})), ["comparison.no-verdict", "comparison.missing-justification"]);
        assert_eq!(
            codes(&json!({"preferred": "tie", "justification": " "})),
            ["comparison.missing-justification"]
        );
    }
}
