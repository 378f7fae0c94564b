//! What a run shows, for build servers: each criterion with what decided it, and each check.

use super::checks::CheckVerdict;
use super::report::sentence;
use super::session::Session;
use super::status;
use super::verdict::{Judged, JudgedTest, Verdict};
use crate::shared::ci::{Given, Kind, Outcome, Results, Row, Texts};
use crate::shared::figures::count;
use crate::shared::tier::Tier;
use kernel::journal::Chain;

/// The texts. They show what the journal records: verifying a validation runs nothing.
pub(super) fn texts(session: &Session, chain: &Chain, given: &Given) -> Texts {
    let judged = session.judged();
    let facts = vec![
        ("Status", status::status(session).words().to_owned()),
        ("Verdict", sentence(session, &judged)),
        ("Journal", count(chain.lines(), "line", "lines")),
        ("Journal head", chain.head()),
    ];
    let directory = status::place(session).unwrap_or_default();
    let title = &session.opening.subject.title;
    Results::new("Validation", &directory, given).with(title, facts, rows(session, &judged)).texts()
}

fn rows(session: &Session, judged: &[Judged]) -> Vec<Row> {
    let criteria = judged.iter().map(|one| {
        let outcome = match one.verdict {
            Verdict::Met => Outcome::Passed,
            Verdict::Untested => Outcome::Open,
            Verdict::NotMet | Verdict::Hollow | Verdict::Unproven | Verdict::Flaky => Outcome::Failed,
        };
        let by =
            one.tests.iter().map(JudgedTest::place).chain(one.checks.iter().map(|check| check.id.clone()));
        let mut names: Vec<String> = Vec::new();
        for name in by {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let result = format!("{}: {}", one.verdict.words(), one.reason);
        row(Kind::Criterion, &one.id, &one.text, names.join(", "), outcome, result)
    });
    let checks = session.judged_checks().into_iter().map(|one| {
        let outcome = match one.verdict {
            CheckVerdict::Passed => Outcome::Passed,
            CheckVerdict::NotRun => Outcome::Open,
            CheckVerdict::Failed | CheckVerdict::Flaky | CheckVerdict::Hollow => Outcome::Failed,
        };
        let result = format!("{}: {}", one.verdict.words(), one.reason);
        Row {
            output: one.findings.join("\n"),
            ..row(Kind::Check, &one.id, "", String::new(), outcome, result)
        }
    });
    let rows: Vec<Row> = criteria.chain(checks).collect();
    if session.is_reported() {
        return rows;
    }
    // The files of evidence are compared only once there is a report.
    let unfinished = |row: Row| Row {
        outcome: Outcome::Open,
        tier: Tier::NotChecked,
        result: format!("the run has no report yet; so far {}", row.result),
        ..row
    };
    rows.into_iter().map(unfinished).collect()
}

fn row(kind: Kind, id: &str, text: &str, by: String, outcome: Outcome, result: String) -> Row {
    let group = if kind == Kind::Check { "checks" } else { "criteria" };
    Row {
        kind,
        group: group.to_owned(),
        id: id.to_owned(),
        text: text.to_owned(),
        by,
        outcome,
        result,
        tier: if outcome == Outcome::Open { Tier::NotChecked } else { Tier::Observed },
        place: None,
        took_ms: 0,
        output: String::new(),
    }
}
