//! `session.json`: the state of a session, for programs.

use crate::flow::approval::Approval;
use crate::flow::chosen::{ChosenComponent, Concern};
use crate::flow::of_feature::Costs;
use crate::flow::plan::Plan;
use crate::flow::protocol::TreeId;
use crate::flow::recovery::Recovery;
use crate::flow::session::{FeatureState, Session};
use crate::flow::status::{self, Status};
use design_lab_numerics::sorting::map;
use kernel::clock::iso;
use kernel::tokens::Tokens;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Document<'a> {
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

/// The ranked design that the session builds; the design itself is stored with its run.
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
    /// The hash of the latest draft; `None` before there is one.
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

/// Everything else about the feature is in its own file.
#[derive(Serialize)]
struct Built<'a> {
    id: &'a str,
    state: FeatureState,
    blocked_by: Vec<String>,
    rounds: u32,
    tree_before: Option<&'a TreeId>,
    tree: Option<&'a TreeId>,
    cost_usd: f64,
    file: String,
    tried: &'a [String],
    recovery: Option<&'a Recovery>,
}

/// A worker's report; its text is in the feature's file.
#[derive(Serialize)]
struct Artifact<'a> {
    feature: &'a str,
    round: u32,
    model: &'a str,
}

#[derive(Serialize)]
struct Timestamps {
    created: String,
    updated: String,
}

pub(super) fn document(session: &Session) -> Document<'_> {
    let (cost_usd, tokens) = session.calls.spent();
    Document {
        version: super::VERSION,
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
        artifacts: artifacts(session),
        cost_usd,
        tokens,
        timestamps: Timestamps {
            created: iso(session.calls.clock.began),
            updated: iso(session.calls.clock.now),
        },
    }
}

fn artifacts(session: &Session) -> Vec<Artifact<'_>> {
    let jobs = session.calls.jobs.iter();
    let models = map(jobs.map(|job| (&job.id, job.part.model.as_str())));
    let model = |job| models.get(job).copied().unwrap_or_default();
    let reports = session.reports.iter();
    reports.map(|one| Artifact { feature: &one.feature, round: one.round, model: model(&one.job) }).collect()
}

fn features(session: &Session) -> Vec<Built<'_>> {
    let costs = Costs::new(session);
    session
        .all_planned()
        .filter_map(|feature| {
            let progress = session.features.get(&feature.id)?;
            Some(Built {
                id: &feature.id,
                state: progress.state(),
                blocked_by: session.blocked_by(feature),
                rounds: progress.rounds,
                tree_before: progress.base.as_ref(),
                tree: progress.tree(),
                cost_usd: costs.of(feature),
                file: super::file_of(&feature.id),
                tried: progress.tried(),
                recovery: progress.recovery(),
            })
        })
        .collect()
}
