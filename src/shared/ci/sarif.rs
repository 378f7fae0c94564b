//! SARIF 2.1.0: a result for everything that failed or differs, and a note for each criterion that no check decides. What passed
//! has no result, because code scanning would show it as an alert.

use super::{Difference, Kind, Outcome, Place, Results, Row};
use kernel::visible;
use serde_json::{Value, json};
use std::fmt::Write as _;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The most places of one result: code scanning shows the first.
const PLACES: usize = 20;

/// What the rules of our own mean; each other rule is the code of a problem.
const RULES: [(&str, &str); 3] = [
    ("check.failed", "A check failed, or ended differently than before."),
    ("criterion.failed", "A criterion isn't met."),
    ("criterion.not-checked", "No check decides this criterion here."),
];

struct Found<'a> {
    rule: String,
    level: &'static str,
    text: String,
    places: Vec<&'a Place>,
    /// What stays the same when the result occurs again.
    fingerprint: String,
}

pub(super) fn text(results: &Results) -> String {
    let found: Vec<Found<'_>> = differences(results)
        .chain(results.rows.iter().filter_map(|row| of_row(row, results.journal.as_ref())))
        .collect();
    let mut rules: Vec<&str> = Vec::new();
    for one in &found {
        if !rules.contains(&one.rule.as_str()) {
            rules.push(&one.rule);
        }
    }
    let mut run = json!({
        "tool": {"driver": {
            "name": "Design Lab",
            "informationUri": "https://www.npmjs.com/package/opencode-design-lab",
            "semanticVersion": visible::line(&results.package),
            "rules": rules.iter().map(|id| rule(id)).collect::<Vec<_>>(),
        }},
        "invocations": [{"executionSuccessful": true}],
        "results": found.iter().map(|one| result(one, &rules)).collect::<Vec<_>>(),
    });
    // Code scanning compares a result with the earlier one of the same id.
    let workflow = results.workflow.to_lowercase();
    let id =
        if results.id.is_empty() { format!("{workflow}/") } else { format!("{workflow}/{}/", results.id) };
    run["automationDetails"] = json!({ "id": id });
    let log = json!({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]});
    visible::json(kernel::json::pretty(&log)) + "\n"
}

fn differences(results: &Results) -> impl Iterator<Item = Found<'_>> {
    results.differences.iter().map(|Difference { problem, places }| {
        let next = problem.next.as_deref().map(|next| format!(" {next}")).unwrap_or_default();
        let of_journal = results.journal.iter().filter(|_| places.is_empty());
        Found {
            rule: problem.code.to_string(),
            level: "error",
            text: format!("{}{next}", problem.message),
            places: places.iter().take(PLACES).chain(of_journal).collect(),
            fingerprint: format!("{}: {}", problem.code, problem.message),
        }
    })
}

fn of_row<'a>(row: &'a Row, journal: Option<&'a Place>) -> Option<Found<'a>> {
    let (rule, level) = match (row.outcome, row.kind) {
        (Outcome::Passed, _) | (Outcome::Open, Kind::Check) => return None,
        (Outcome::Failed, Kind::Check) => ("check.failed", "error"),
        (Outcome::Failed, Kind::Criterion) => ("criterion.failed", "error"),
        (Outcome::Open, Kind::Criterion) => ("criterion.not-checked", "note"),
    };
    let name = row.name();
    let about = if row.text.is_empty() { name.clone() } else { format!("{name}: {}", row.text) };
    Some(Found {
        rule: rule.to_owned(),
        level,
        text: format!("{about} ({}; {})", row.result, row.tier.word()),
        places: row.place.as_ref().or(journal).into_iter().collect(),
        fingerprint: name,
    })
}

fn rule(id: &str) -> Value {
    let known = RULES.iter().find(|(known, _)| *known == id);
    let text = known.map_or("The verification found a difference, or couldn't finish.", |(_, text)| text);
    json!({"id": id, "shortDescription": {"text": text}})
}

fn result(one: &Found<'_>, rules: &[&str]) -> Value {
    json!({
        "ruleId": one.rule,
        "ruleIndex": rules.iter().position(|rule| *rule == one.rule),
        "level": one.level,
        // A link in brackets would be one in the viewer, too.
        "message": {"text": visible::line(&one.text).replace("](", "] (")},
        "locations": one.places.iter().map(|place| location(place)).collect::<Vec<_>>(),
        "partialFingerprints": {"designLab/v1": kernel::digest::sha256(&one.fingerprint)},
    })
}

fn location(place: &Place) -> Value {
    let mut physical = json!({"artifactLocation": {"uri": encoded(&place.path), "uriBaseId": "%SRCROOT%"}});
    if let Some(line) = place.line {
        physical["region"] = json!({"startLine": line.max(1)});
    }
    json!({"physicalLocation": physical})
}

/// A path as a relative reference (RFC 3986).
fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Panics unless the published schema of SARIF 2.1.0 accepts it.
    pub(crate) fn assert_valid(text: &str) {
        let text_of_schema = include_str!("../../../tests/schemas/sarif-2.1.0.json");
        let mut schema: Value = serde_json::from_str(text_of_schema).unwrap();
        for place in ["run", "toolComponent"] {
            // Its pattern is one for JavaScript only.
            schema["definitions"][place]["properties"]["language"] = json!({"type": "string"});
        }
        let validator = jsonschema::validator_for(&schema).unwrap();
        let log: Value = serde_json::from_str(text).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }

    #[test]
    fn a_path_becomes_a_reference() {
        assert_eq!(encoded("src/a b:c#?%é.js"), "src/a%20b%3Ac%23%3F%25%C3%A9.js");
    }
}
