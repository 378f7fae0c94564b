//! `features/<id>.json`: all observations and claims about a feature, for programs.

use crate::flow::apart::{Apart, Purpose};
use crate::flow::evidence::{Evidence, Standing};
use crate::flow::examining::Sat;
use crate::flow::held::Ruled;
use crate::flow::ledger::Row;
use crate::flow::mutation::{Counts, Judged};
use crate::flow::of_feature::{Change, apart_of, evidence_of, model_of, reviews_of};
use crate::flow::plan::{Feature, Scope};
use crate::flow::protocol::TreeId;
use crate::flow::report::Report;
use crate::flow::review::{Review, Verdict};
use crate::flow::session::Session;
use crate::flow::test_settings;
use crate::shared::ran::CommandEnd;
use crate::shared::runners::Tests;
use crate::shared::tier::Tier;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    version: u32,
    id: &'a str,
    evidence: Vec<Seen<'a>>,
    copies: Vec<SeenApart<'a>>,
    weakened: &'a [String],
    /// What each check showed of the tests before the feature, and what it shows now.
    ledger: Vec<Row<'a>>,
    /// The results of small faults in the feature; `None` when none was tried.
    mutation: Option<Mutants<'a>>,
    exam: Option<Examined<'a>>,
    /// The parts of the change that affect how tests run, one line each.
    test_settings: Vec<String>,
    /// What the rules of the project showed of the change; empty when none was checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<Ruled<'a>>,
    decisions: Vec<Decided<'a>>,
    reports: Vec<Reported<'a>>,
}

/// Evidence; its tier is *observed*: the shell ran the command and looked.
#[derive(Serialize)]
struct Seen<'a> {
    check: &'a str,
    /// Whether it no longer counts, because its feature was taken back since.
    void: bool,
    command: &'a [String],
    scope: Scope,
    round: u32,
    tree: &'a TreeId,
    tier: &'static str,
    standing: Standing,
    end: &'a CommandEnd,
    duration_ms: u64,
    output: &'a str,
    bytes: u64,
    sha256: &'a str,
    tests: Option<&'a Tests>,
}

/// The result of a run in a copy of the files: its tier is *re-executed*, or *not checked* if it shows nothing.
#[derive(Serialize)]
struct SeenApart<'a> {
    check: &'a str,
    command: &'a [String],
    round: u32,
    void: bool,
    tree: &'a TreeId,
    tier: &'static str,
    #[serde(flatten)]
    purpose: &'a Purpose,
    account: String,
    passed: Option<bool>,
    output: &'a str,
}

/// Small faults in the feature, one at a time.
#[derive(Serialize)]
struct Mutants<'a> {
    tree: &'a TreeId,
    tier: &'static str,
    tried: &'a [Judged],
    /// How many were not tried because the time was up.
    left: u32,
    /// Why there are no results, if there are none.
    unprepared: Option<&'a str>,
    duration_ms: u64,
    /// The tool whose report they come from; `None` when Flow made them.
    tool: Option<&'a str>,
    /// Why the user's tool didn't make them, if it was asked to.
    without_tool: Option<&'a str>,
    /// The number of all mutants, including those that aren't in `tried`.
    counts: Counts,
}

/// Tests written by a model that did not build the feature.
#[derive(Serialize)]
struct Examined<'a> {
    tree: &'a TreeId,
    tier: &'static str,
    examiner: &'a str,
    tests: &'a [Sat],
    /// What no test can examine, in the examiner's words.
    left_out: &'a str,
    /// Why there are no results, if there are none.
    none: Option<&'a str>,
}

/// A review; its tier is *model's opinion*.
#[derive(Serialize)]
struct Decided<'a> {
    round: u32,
    /// Whether it no longer counts, because its feature was taken back since.
    void: bool,
    tree: &'a TreeId,
    tier: &'static str,
    model: &'a str,
    verdict: Verdict,
    /// Whether the review covers all features together.
    whole: bool,
    review: &'a Review,
    /// The findings that were tried and don't happen, by their indexes.
    unconfirmed: &'a [usize],
}

/// The worker's report when it was done; its tier is *not checked*.
#[derive(Serialize)]
struct Reported<'a> {
    round: u32,
    tier: &'static str,
    model: &'a str,
    report: &'a Report,
}

pub(super) fn document<'a>(session: &'a Session, feature: &'a Feature) -> Document<'a> {
    let reports = session.reports.iter().filter(|one| one.feature == feature.id);
    let change = Change::of(session, &feature.id);
    Document {
        version: super::VERSION,
        id: &feature.id,
        evidence: evidence_of(session, &feature.id).map(|(one, void)| seen(one, void)).collect(),
        copies: apart_of(session, &feature.id).map(|(one, void)| seen_apart(one, void)).collect(),
        weakened: change.weakened,
        ledger: session.ledger(&feature.id),
        mutation: session.mutation_of(&feature.id).map(|one| Mutants {
            tree: &one.tree,
            tier: one.tier().word(),
            tried: &one.mutants,
            left: one.left,
            unprepared: one.unprepared.as_deref(),
            duration_ms: one.duration_ms,
            tool: one.tool.as_deref(),
            without_tool: one.without_tool.as_deref(),
            counts: one.counts(),
        }),
        exam: session.sitting_of(&feature.id).map(|one| Examined {
            tree: &one.tree,
            tier: one.tier().word(),
            examiner: &one.examiner,
            tests: &one.tests,
            left_out: &one.left_out,
            none: one.none.as_deref(),
        }),
        test_settings: test_settings::told_of(change.paths, change.test_settings),
        rules: change.ruling.map(|ruling| ruling.document()).unwrap_or_default(),
        decisions: reviews_of(session, &feature.id)
            .map(|(one, void)| Decided {
                round: one.round,
                void,
                tree: &one.tree,
                tier: Tier::Opinion.word(),
                model: model_of(session, &one.job),
                verdict: one.verdict(),
                whole: one.whole,
                review: &one.review,
                unconfirmed: &one.unconfirmed,
            })
            .collect(),
        reports: reports
            .map(|one| Reported {
                round: one.round,
                tier: Tier::NotChecked.word(),
                model: model_of(session, &one.job),
                report: &one.report,
            })
            .collect(),
    }
}

fn seen(evidence: &Evidence, void: bool) -> Seen<'_> {
    Seen {
        check: &evidence.check,
        void,
        command: &evidence.argv,
        scope: evidence.scope,
        round: evidence.round,
        tree: &evidence.tree,
        tier: Tier::Observed.word(),
        standing: evidence.standing(),
        end: &evidence.seen.ran.end,
        duration_ms: evidence.seen.ran.duration_ms,
        output: &evidence.output,
        bytes: evidence.seen.ran.output.bytes,
        sha256: &evidence.seen.ran.output.sha256,
        tests: evidence.seen.ran.tests.as_ref(),
    }
}

fn seen_apart(one: &Apart, void: bool) -> SeenApart<'_> {
    SeenApart {
        check: &one.check,
        command: &one.argv,
        round: one.round,
        void,
        tree: &one.tree,
        tier: one.tier().word(),
        purpose: &one.purpose,
        account: one.account(),
        passed: one.passed(),
        output: &one.output,
    }
}
