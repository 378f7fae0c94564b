//! The files of a session: `session.json` for programs, and for people `docs/index.md`, a page on each feature, and all of it as
//! `report.html`. All are rendered from the state and never read back.

use super::apart::{Apart, Purpose};
use super::approval::{Approval, short};
use super::chosen::{ChosenComponent, Concern};
use super::evidence::{Evidence, Standing};
use super::page;
use super::plan::{Feature, Plan, Scope};
use super::protocol::TreeId;
use super::recovery::Recovery;
use super::report::Report;
use super::review::{Review, ReviewDecision};
use super::session::{FeatureState, Reviewed, Session};
use super::status::{self, Status};
use crate::shared::spelled::spelled;
use crate::shared::tier::Tier;
use kernel::clock::{iso, span};
use kernel::protocol::JobId;
use kernel::tokens::Tokens;
use kernel::visible;
use kernel::workflow::Workflow as _;
use serde::Serialize;
use std::fmt::Write as _;

/// The format of `session.json`.
const VERSION: u32 = 1;

/// Every file that should be on disk when a feature begins, when it ends, and at rest, but for the outputs of checks. `head`: of the
/// journal.
pub(super) fn files(session: &Session, head: &str) -> Vec<(String, String)> {
    if session.directory.name.is_none() {
        return Vec::new();
    }
    let mut files = overview(session, head);
    files.push(("report.html".to_owned(), page::page(session, head)));
    files.extend(plan_of(session).map(|feature| page_of(session, feature)));
    files
}

/// The files that a step of a feature's may have changed. The report waits until the feature ends: with many features it takes longer
/// to render than all the rest.
pub(super) fn files_of_step(session: &Session, head: &str, feature: &str) -> Vec<(String, String)> {
    let mut files = overview(session, head);
    files.extend(plan_of(session).filter(|one| one.id == feature).map(|feature| page_of(session, feature)));
    files
}

fn overview(session: &Session, head: &str) -> Vec<(String, String)> {
    let mut json = visible::json(serde_json::to_string_pretty(&document(session)).unwrap_or_default());
    json.push('\n');
    vec![("session.json".to_owned(), json), ("docs/index.md".to_owned(), index(session, head))]
}

fn plan_of(session: &Session) -> impl Iterator<Item = &Feature> {
    session.plan.iter().flat_map(|plan| &plan.features)
}

fn page_of(session: &Session, feature: &Feature) -> (String, String) {
    (format!("docs/{}", place(&feature.id)), about(session, feature))
}

/// The pages of features that the plan no longer has.
pub(super) fn stale(session: &Session) -> Vec<String> {
    session.dropped.iter().map(|id| format!("docs/{}", place(id))).collect()
}

/// Where the page of a feature is, below `docs/`.
fn place(feature: &str) -> String {
    format!("features/{feature}.md")
}

// ---- for programs ----

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    id: &'a str,
    goal: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Taken<'a>>,
    status: Status,
    approval: Option<&'a Approval>,
    planning: Planning<'a>,
    plan: Option<&'a Plan>,
    execution: Execution<'a>,
    recovery: Option<&'a Recovery>,
    next_command: String,
    notes: &'a [String],
    artifacts: Vec<Artifact<'a>>,
    cost_usd: f64,
    tokens: Tokens,
    timestamps: Timestamps,
}

/// The ranked design that the session builds; the design itself lies with its run.
#[derive(Serialize)]
struct Taken<'a> {
    run: &'a str,
    design_id: &'a str,
    title: &'a str,
    rank: Option<u32>,
    doubt: Option<&'a str>,
    components: &'a [ChosenComponent],
    concerns: &'a [Concern],
}

#[derive(Serialize)]
struct Planning<'a> {
    /// Of the latest draft; none before there is one.
    hash: Option<&'a str>,
    former_hashes: &'a [String],
    remarks: &'a [String],
}

#[derive(Serialize)]
struct Execution<'a> {
    active: Option<Active<'a>>,
    features: Vec<Built<'a>>,
}

#[derive(Serialize)]
struct Active<'a> {
    feature: &'a str,
    round: u32,
    step: &'static str,
}

#[derive(Serialize)]
struct Built<'a> {
    id: &'a str,
    state: FeatureState,
    blocked_by: Vec<String>,
    rounds: u32,
    tree_before: Option<&'a TreeId>,
    tree: Option<&'a TreeId>,
    cost_usd: f64,
    evidence: Vec<Seen<'a>>,
    copies: Vec<SeenApart<'a>>,
    weakened: &'a [String],
    decisions: Vec<Decided<'a>>,
    tried: &'a [String],
    recovery: Option<&'a Recovery>,
}

/// Evidence; its tier is *observed*: the shell ran the command and looked.
#[derive(Serialize)]
struct Seen<'a> {
    check: &'a str,
    /// Whether it counts for nothing: its feature was taken back since.
    void: bool,
    command: &'a [String],
    scope: Scope,
    round: u32,
    tree: &'a TreeId,
    tier: &'static str,
    standing: Standing,
    end: &'a super::protocol::CheckEnd,
    duration_ms: u64,
    output: &'a str,
    bytes: u64,
    sha256: &'a str,
    tests: Option<&'a super::evidence::Tests>,
}

/// What was run in a copy of the files: its tier is *re-executed*, or *not checked* where it shows nothing.
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

/// A review; its tier is *model's opinion*.
#[derive(Serialize)]
struct Decided<'a> {
    round: u32,
    /// Whether it counts for nothing: its feature was taken back since.
    void: bool,
    tree: &'a TreeId,
    tier: &'static str,
    model: &'a str,
    verdict: ReviewDecision,
    /// Whether it is of all features together.
    whole: bool,
    review: &'a Review,
    /// The findings that were tried and don't happen, by their places.
    unconfirmed: &'a [usize],
}

#[derive(Serialize)]
struct Artifact<'a> {
    feature: &'a str,
    round: u32,
    model: &'a str,
    report: &'a Report,
}

#[derive(Serialize)]
struct Timestamps {
    created: String,
    updated: String,
}

fn document(session: &Session) -> Document<'_> {
    let (cost_usd, tokens) = session.calls.spent();
    Document {
        version: VERSION,
        id: session.directory.name.as_deref().unwrap_or_default(),
        goal: &session.opening.goal,
        from: session.opening.from.as_ref().map(|chosen| Taken {
            run: &chosen.run,
            design_id: &chosen.design_id,
            title: &chosen.design.title,
            rank: chosen.rank,
            doubt: chosen.doubt.as_deref(),
            components: &chosen.components,
            concerns: &chosen.concerns,
        }),
        status: status::status(session),
        approval: session.approval.as_ref(),
        planning: Planning {
            hash: session.plan.as_ref().map(|_| session.hash.as_str()),
            former_hashes: &session.former_hashes,
            remarks: &session.remarks,
        },
        plan: session.plan.as_ref(),
        execution: Execution {
            active: session.build.as_ref().map(|build| Active {
                feature: &build.feature,
                round: build.round,
                step: build.step.word(),
            }),
            features: features(session),
        },
        recovery: session.recovery.as_ref(),
        next_command: session.way_on().1,
        notes: &session.notes,
        artifacts: session
            .reports
            .iter()
            .map(|one| Artifact {
                feature: &one.feature,
                round: one.round,
                model: model_of(session, &one.job),
                report: &one.report,
            })
            .collect(),
        cost_usd,
        tokens,
        timestamps: Timestamps {
            created: iso(session.calls.clock.began),
            updated: iso(session.calls.clock.now),
        },
    }
}

fn features(session: &Session) -> Vec<Built<'_>> {
    plan_of(session)
        .filter_map(|feature| {
            let progress = session.features.get(&feature.id)?;
            Some(Built {
                id: &feature.id,
                state: progress.state,
                blocked_by: session.blocked_by(feature),
                rounds: progress.rounds,
                tree_before: progress.base.as_ref(),
                tree: progress.tree.as_ref(),
                cost_usd: cost_of(session, &feature.id),
                evidence: evidence_of(session, &feature.id).map(|(one, void)| seen(one, void)).collect(),
                copies: apart_of(session, &feature.id).map(|(one, void)| seen_apart(one, void)).collect(),
                weakened: &progress.weakened,
                decisions: reviews_of(session, &feature.id)
                    .map(|(one, void)| Decided {
                        round: one.round,
                        void,
                        tree: &one.tree,
                        tier: Tier::Opinion.word(),
                        model: model_of(session, &one.job),
                        verdict: one.review.verdict(&one.unconfirmed),
                        whole: one.whole,
                        review: &one.review,
                        unconfirmed: &one.unconfirmed,
                    })
                    .collect(),
                tried: &progress.tried,
                recovery: progress.recovery.as_ref(),
            })
        })
        .collect()
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

/// The evidence of a feature, each with whether it is void.
pub(super) fn evidence_of<'a>(
    session: &'a Session,
    feature: &str,
) -> impl Iterator<Item = (&'a Evidence, bool)> {
    let void = session.voided.get(feature).map_or(0, |voided| voided.evidence);
    let all = session.evidence.iter().enumerate().map(move |(index, one)| (one, index < void));
    all.filter(move |(one, _)| one.feature == feature)
}

/// The reviews of a feature, each with whether it is void.
pub(super) fn reviews_of<'a>(
    session: &'a Session,
    feature: &str,
) -> impl Iterator<Item = (&'a Reviewed, bool)> {
    let void = session.voided.get(feature).map_or(0, |voided| voided.reviews);
    let all = session.reviews.iter().enumerate().map(move |(index, one)| (one, index < void));
    all.filter(move |(one, _)| one.feature == feature)
}

/// What was run in copies for a feature, each with whether it is void.
pub(super) fn apart_of<'a>(session: &'a Session, feature: &str) -> impl Iterator<Item = (&'a Apart, bool)> {
    let void = session.voided.get(feature).map_or(0, |voided| voided.apart);
    let all = session.apart.iter().enumerate().map(move |(index, one)| (one, index < void));
    all.filter(move |(one, _)| one.feature == feature)
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

pub(super) fn model_of<'a>(session: &'a Session, job: &JobId) -> &'a str {
    session.calls.jobs.iter().find(|other| other.id == *job).map_or("", |job| &job.part.model)
}

/// US dollars that a feature has cost so far.
pub(super) fn cost_of(session: &Session, feature: &str) -> f64 {
    let jobs = session.calls.jobs.iter().filter(|job| job.part.feature.as_deref() == Some(feature));
    // The sum of nothing would be less than nothing: -0.
    jobs.fold(0.0, |sum, job| sum + job.ledger.cost)
}

// ---- for people ----

fn index(session: &Session, head: &str) -> String {
    let goal = visible::text(&session.opening.goal);
    let mut out = format!("# {}\n\n", visible::line(goal.lines().next().unwrap_or_default()));
    let (hint, command) = session.way_on();
    let _ = writeln!(out, "{goal}\n\n- Status: {}", status::status(session).word());
    match &session.approval {
        Some(approval) => {
            let _ =
                writeln!(out, "- Plan: {}, {} at {}", short(&approval.hash), approval.words(), approval.at);
        }
        None if session.plan.is_some() => {
            let _ = writeln!(out, "- Plan: {}, not approved", short(&session.hash));
        }
        None => {}
    }
    let _ = writeln!(out, "- Next: {} `{command}`", visible::line(&hint));
    for note in &session.notes {
        let _ = writeln!(out, "- {}", visible::line(note));
    }
    if session.outcome().is_some() {
        let _ = writeln!(out, "- Journal: {head}");
    }
    if let Some(plan) = &session.plan {
        out.push_str("\n## Features\n\n");
        for feature in &plan.features {
            let (title, state) =
                (visible::line(&feature.title), status::state_word(session.state_of(&feature.id)));
            let _ = writeln!(out, "- [{}]({}): {title} ({state})", feature.id, place(&feature.id));
        }
    }
    for (heading, lines) in session.plan.iter().flat_map(|plan| plan.answers(session.opening.from.as_deref()))
    {
        let _ = writeln!(out, "\n## {heading}\n");
        for line in lines {
            let _ = writeln!(out, "- {line}");
        }
    }
    out.push_str("\n## History\n\n");
    for entry in &session.history {
        let _ = writeln!(out, "- {} {}", entry.at, entry.text);
    }
    out
}

/// The page of a feature.
fn about(session: &Session, feature: &Feature) -> String {
    let progress = session.features.get(&feature.id).cloned().unwrap_or_default();
    let state = status::state_word(progress.state);
    let mut out = format!("# {}: {}\n\n", feature.id, visible::line(&feature.title));
    let _ = writeln!(out, "{state}. {}\n", visible::text(feature.summary.trim()));
    if !feature.files.is_empty() {
        let _ = writeln!(out, "- Files: {}", visible::line(&feature.files.join(", ")));
    }
    if !feature.depends_on.is_empty() {
        let _ = writeln!(out, "- Needs: {}", feature.depends_on.join(", "));
    }
    if !feature.implements.is_empty() {
        let _ = writeln!(out, "- Implements: {}", feature.implements.join(", "));
    }
    for check in &feature.verification {
        let scope = if check.scope == Scope::Broad { "broad" } else { "targeted" };
        let _ = writeln!(
            out,
            "- Check {} ({scope}, at most {}): `{}`",
            check.id,
            span(check.timeout_ms),
            spelled(&check.command)
        );
    }
    for criterion in &feature.acceptance {
        let (text, by) = (visible::line(&criterion.text), visible::line(&criterion.verified_by));
        let _ = writeln!(out, "- {}: {text} ({by})", criterion.id);
    }
    if let Some(recovery) = &progress.recovery {
        let _ = writeln!(out, "\nBlocked: {}", visible::line(&recovery.message));
        for (index, tried) in progress.tried.iter().enumerate() {
            let _ = writeln!(out, "{}. {}", index + 1, visible::line(tried));
        }
    }
    let evidence: Vec<_> = evidence_of(session, &feature.id).collect();
    if !evidence.is_empty() {
        out.push_str("\nEvidence (observed):\n\n");
        for (one, void) in evidence {
            let tree: String = one.tree.chars().take(12).collect();
            let _ = writeln!(
                out,
                "- {}round {}, {}: {} ({}, tree {}, [output](../../{}))",
                void_word(void),
                one.round,
                one.check,
                visible::line(&one.account()),
                span(one.seen.ran.duration_ms),
                visible::line(&tree),
                one.output
            );
        }
    }
    let copies: Vec<_> = apart_of(session, &feature.id).collect();
    if !copies.is_empty() {
        out.push_str("\nIn copies of the files (re-executed):\n\n");
        for (one, void) in copies {
            let (void, account) = (void_word(void), one.account());
            let account = visible::line(&account);
            let _ = writeln!(
                out,
                "- {void}round {}, {}: {account} ([output](../../{}))",
                one.round, one.check, one.output
            );
        }
    }
    for line in &progress.weakened {
        let _ = writeln!(out, "\nFewer tests: {}", visible::line(line));
    }
    let reviews: Vec<_> = reviews_of(session, &feature.id).collect();
    if !reviews.is_empty() {
        out.push_str("\nReviews (a model's opinion):\n\n");
        for (one, void) in reviews {
            let verdict = status::verdict_word(one.review.verdict(&one.unconfirmed));
            let (void, model) = (void_word(void), model_of(session, &one.job));
            let of = if one.whole { " of the whole" } else { "" };
            let _ = writeln!(out, "- {void}round {}, {model}{of}: {verdict}", one.round);
            for (index, finding) in one.review.findings.iter().enumerate() {
                let tried =
                    if one.unconfirmed.contains(&index) { " (tried, and it doesn't happen)" } else { "" };
                let _ = writeln!(out, "  - {}{tried}", visible::line(&finding.line()));
            }
        }
    }
    let reports: Vec<_> = session.reports.iter().filter(|one| one.feature == feature.id).collect();
    if !reports.is_empty() {
        out.push_str("\nWhat the worker said (not checked):\n\n");
        for one in reports {
            let (model, summary) = (model_of(session, &one.job), visible::line(one.report.summary.trim()));
            let _ = writeln!(out, "- round {}, {model}: {summary}", one.round);
        }
    }
    out
}

fn void_word(void: bool) -> &'static str {
    if void { "void, " } else { "" }
}
