//! `docs/features/<id>.md`: a feature, for people.

use crate::flow::kept_behaviour;
use crate::flow::of_feature::{account_of_change, apart_of, evidence_of, model_of, reviews_of};
use crate::flow::plan::{Feature, Scope};
use crate::flow::session::Session;
use crate::flow::status;
use crate::shared::markdown::{code, inline};
use crate::shared::spelled::spelled;
use kernel::clock::span;
use std::fmt::Write as _;

pub(super) fn page(session: &Session, feature: &Feature) -> String {
    let progress = session.features.get(&feature.id).cloned().unwrap_or_default();
    let state = status::state_word(progress.state());
    let mut out = format!("# {}: {}\n\n", feature.id, inline(&feature.title));
    let _ = writeln!(out, "Status: {state}\n\n{}\n", inline(&feature.summary));
    if !feature.files.is_empty() {
        let _ = writeln!(out, "- Files: {}", inline(&feature.files.join(", ")));
    }
    if !feature.depends_on.is_empty() {
        let _ = writeln!(out, "- Needs: {}", inline(&feature.depends_on.join(", ")));
    }
    if !feature.implements.is_empty() {
        let _ = writeln!(out, "- Implements: {}", inline(&feature.implements.join(", ")));
    }
    if feature.keeps_behaviour {
        let _ = writeln!(out, "- The feature {}", kept_behaviour::PLANNED);
    }
    for check in &feature.verification {
        let scope = if check.scope == Scope::Broad { "broad" } else { "targeted" };
        let _ = writeln!(
            out,
            "- Check {} ({scope}, at most {}): {}",
            check.id,
            span(check.timeout_ms),
            code(&spelled(&check.command))
        );
    }
    for criterion in &feature.acceptance {
        let (text, by) = (inline(&criterion.text), inline(&criterion.judge()));
        let _ = writeln!(out, "- {}: {text} ({by})", criterion.id);
    }
    if let Some(blocked) = progress.blocked() {
        let _ = writeln!(out, "\nBlocked: {}", inline(&blocked.recovery.message));
        for (index, tried) in blocked.tried.iter().enumerate() {
            let _ = writeln!(out, "{}. {}", index + 1, inline(tried));
        }
    }
    let evidence: Vec<_> = evidence_of(session, &feature.id).collect();
    if !evidence.is_empty() {
        out.push_str("\nChecks that Flow ran (observed):\n\n");
        for (one, void) in evidence {
            let tree: String = one.tree.as_str().chars().take(12).collect();
            let _ = writeln!(
                out,
                "- {}round {}, {}: {} ({}, tree {}, [output](../../{}))",
                void_word(void),
                one.round,
                one.check,
                inline(&one.account()),
                span(one.seen.ran.duration_ms),
                inline(&tree),
                one.output
            );
        }
    }
    let copies: Vec<_> = apart_of(session, &feature.id).collect();
    if !copies.is_empty() {
        out.push_str("\nChecks that Flow ran in copies of the files (re-executed):\n\n");
        for (one, void) in copies {
            let (void, account) = (void_word(void), one.account());
            let account = inline(&account);
            let _ = writeln!(
                out,
                "- {void}round {}, {}: {account} ([output](../../{}))",
                one.round, one.check, one.output
            );
        }
    }
    tests(session, feature, &mut out);
    let reviews: Vec<_> = reviews_of(session, &feature.id).collect();
    if !reviews.is_empty() {
        out.push_str("\nReviews (a model's opinion):\n\n");
        for (one, void) in reviews {
            let verdict = status::verdict_word(one.verdict());
            let (void, model) = (void_word(void), model_of(session, &one.job));
            let of = if one.whole { ", complete change" } else { "" };
            let _ = writeln!(out, "- {void}round {}, {model}{of}: {verdict}", one.round);
            for (index, finding) in one.review.findings.iter().enumerate() {
                let tried = if one.unconfirmed.contains(&index) {
                    " (Flow ran its test: the problem doesn't occur)"
                } else {
                    ""
                };
                let _ = writeln!(out, "  - {}{tried}", inline(&finding.line()));
            }
        }
    }
    let reports: Vec<_> = session.reports.iter().filter(|one| one.feature == feature.id).collect();
    if !reports.is_empty() {
        out.push_str("\nThe worker's report (not checked):\n\n");
        for one in reports {
            let (model, summary) = (model_of(session, &one.job), inline(one.report.summary.trim()));
            let _ = writeln!(out, "- round {}, {model}: {summary}", one.round);
        }
    }
    out
}

/// What its checks showed of the tests before it and now, and the notes on its change.
fn tests(session: &Session, feature: &Feature, out: &mut String) {
    let ledger = session.ledger(&feature.id);
    if !ledger.is_empty() {
        out.push_str("\nTests before the feature and now, each in a clean copy (re-executed):\n\n");
        for row in ledger {
            let account = row.account();
            let _ = writeln!(out, "- {}: {account} ([output before](../../{}))", row.check, row.output);
        }
    }
    let mutation = session.mutation_of(&feature.id);
    if let Some((one, account)) = mutation.and_then(|one| Some((one, one.account()?))) {
        let (took, tier) = (span(one.duration_ms), one.tier().word());
        let _ = writeln!(out, "\nSmall faults ({tier}): {} ({took})", inline(&account));
        for (index, one) in one.unnoticed_lines().iter().enumerate() {
            let gap = if index == 0 { "\n" } else { "" };
            let _ = writeln!(out, "{gap}- unnoticed: {}", inline(one));
        }
    }
    if let Some(one) = session.sitting_of(&feature.id) {
        let _ = writeln!(out, "\nExam ({}): {}", one.tier().word(), inline(&one.account()));
        for (index, test) in one.tests.iter().enumerate() {
            let gap = if index == 0 { "\n" } else { "" };
            let line = inline(&test.wording());
            let _ = writeln!(out, "{gap}- {line} ([output](../../{}))", test.output);
        }
        if !one.left_out.is_empty() {
            let _ = writeln!(out, "\nNot examined: {}", inline(&one.left_out));
        }
    }
    for (what, line) in account_of_change(session, &feature.id) {
        let mut letters = what.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        let what: String = first.into_iter().chain(letters).collect();
        let _ = writeln!(out, "\n{what}: {}", inline(&line));
    }
}

fn void_word(void: bool) -> &'static str {
    if void { "no longer valid, " } else { "" }
}
