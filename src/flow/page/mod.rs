//! `report.html`: the session on one page, with the content of `session.json` and `docs/`. Everything about a feature is in a
//! [chain], and each of its rows shows its strength as evidence ([`Tier`]).

mod chain;

use super::approval::short;
use super::of_feature::Costs;
use super::protocol::Approver;
use super::race::Shown;
use super::session::{Entry, FeatureState, Session};
use super::status::{self, Status};
use crate::shared::capped::capped;
use crate::shared::figures::{count, money, thousands};
use crate::shared::page::Prose;
use crate::shared::tier::Tier;
use askama::Template;
use chain::{Chain, Row};
use kernel::clock::iso;
use kernel::visible;
use kernel::workflow::Workflow as _;

/// The page's own style sheet.
const STYLE: &str = include_str!("style.css");
/// Its SHA-256 in Base64, in the form that the policy needs; a test keeps it up to date.
const STYLE_HASH: &str = include_str!("style.sha256").trim_ascii_end();
/// How much of the goal becomes the heading, in characters.
const HEADING: usize = 160;

/// The whole page. `head`: the head of the journal.
pub(super) fn page(session: &Session, head: &str) -> String {
    Page::new(session, head).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "session.html")]
struct Page<'a> {
    style: &'static str,
    style_hash: &'static str,
    title: String,
    /// The session in one line.
    facts: Vec<String>,
    status: Status,
    sentence: String,
    /// The next command, and what it does.
    next: (String, String),
    /// How the plan was approved; `None` before it is.
    plan: Option<Row<'a>>,
    /// The weak points of the evidence.
    warnings: Vec<String>,
    features: Vec<Line<'a>>,
    /// The race; `None` if this session is none, or it hasn't begun.
    race: Option<Raced>,
    /// The total cost, and the part of it that went into planning.
    costs: [(String, String); 2],
    /// Each tier's name in the style sheet, its word, and its meaning.
    tiers: [[&'static str; 3]; 5],
    chains: Vec<Chain<'a>>,
    /// The plan's answers, by heading.
    answers: Vec<(&'static str, Vec<Row<'a>>)>,
    /// The goal, if the heading doesn't contain all of it.
    goal: Option<Prose>,
    record: Vec<(&'static str, String)>,
    notes: &'a [String],
    history: &'a [Entry],
    /// The head of the journal; `None` while the journal grows.
    head: Option<&'a str>,
}

/// A race on the page.
struct Raced {
    /// The verdict; empty before there is one.
    sentence: String,
    /// Each lane: its name, who builds what, its state, and its cost.
    lanes: Vec<[String; 4]>,
    /// What each step of evidence showed.
    steps: Vec<Shown>,
    /// What nobody checked, in sentences.
    unchecked: Vec<String>,
}

/// A feature in the list of features.
struct Line<'a> {
    id: &'a str,
    title: String,
    /// The state in a word.
    state: &'static str,
    /// The state, with the current activity or what it is waiting for.
    stands: String,
    rounds: u32,
    cost: String,
}

impl<'a> Page<'a> {
    fn new(session: &'a Session, head: &'a str) -> Self {
        let goal = session.opening.goal.trim();
        let title = heading(goal);
        let features = || session.all_planned();
        let (cost, tokens) = session.spent();
        let of_each = Costs::new(session);
        let of_features = features().fold(0.0, |sum, feature| sum + of_each.of(feature));
        let (hint, command) = session.way_on();
        Self {
            style: STYLE,
            style_hash: STYLE_HASH,
            facts: facts(session, cost),
            status: status::status(session),
            sentence: sentence(session),
            next: (command, hint),
            plan: plan(session),
            warnings: warnings(session),
            features: features().map(|feature| Line::new(session, feature, of_each.of(feature))).collect(),
            race: session.race.as_ref().map(|race| Raced {
                sentence: session.race_sentence(),
                lanes: race.lanes_shown(features().count()),
                steps: race.shown(),
                unchecked: race.unchecked(),
            }),
            costs: [
                (
                    if session.race.is_some() {
                        "Planning, lanes and exam".to_owned()
                    } else {
                        "Planning, and features that are no longer in the plan".to_owned()
                    },
                    money((cost - of_features).max(0.0)),
                ),
                (format!("Total, {} tokens", thousands(tokens)), money(cost)),
            ],
            tiers: Tier::ALL.map(|tier| [tier.class(), tier.word(), tier.meaning()]),
            chains: features().map(|feature| Chain::new(session, feature, of_each.of(feature))).collect(),
            answers: answers(session),
            goal: (title != goal).then(|| Prose::new(goal)),
            title,
            record: record(session),
            notes: &session.notes,
            history: &session.history,
            head: session.outcome().map(|_| head),
        }
    }
}

impl<'a> Line<'a> {
    fn new(session: &Session, feature: &'a super::plan::Feature, cost: f64) -> Self {
        let progress = session.features.get(&feature.id);
        let state = session.state_of(&feature.id);
        let build = session.build.as_ref().filter(|build| build.feature == feature.id);
        let missing = session.blocked_by(feature);
        let stands = match build {
            Some(build) => build.step.word().to_owned(),
            None if state == FeatureState::Pending && !missing.is_empty() => {
                format!("pending, needs {}", missing.join(", "))
            }
            None => status::state_word(state).to_owned(),
        };
        Self {
            id: &feature.id,
            title: visible::line(&feature.title),
            state: status::state_word(state),
            stands,
            rounds: build.map_or_else(|| progress.map_or(0, |one| one.rounds), |build| build.round),
            cost: money(cost),
        }
    }
}

/// The first line of a text, shortened.
fn heading(text: &str) -> String {
    capped(&visible::line(text.lines().next().unwrap_or_default()), HEADING)
}

fn facts(session: &Session, cost: f64) -> Vec<String> {
    let mut facts = vec![iso(session.calls.clock.began).get(..10).unwrap_or_default().to_owned()];
    if let Some(plan) = &session.plan {
        let all = plan.features.len();
        facts.push(format!(
            "{} of {} complete",
            session.completed().count(),
            count(all as u64, "feature", "features")
        ));
    }
    facts.push(money(cost));
    facts
}

/// The state of the session in a sentence.
fn sentence(session: &Session) -> String {
    if let Some(recovery) = &session.recovery {
        return recovery.message.clone();
    }
    let open = || session.all_planned().count() - session.completed().count();
    match status::status(session) {
        Status::Draft if session.drafting.is_some() => {
            format!("{} drafts a plan.", session.opening.models.planner)
        }
        Status::Draft => "The plan is waiting for approval.".to_owned(),
        Status::Approved => format!("{} to build.", count(open() as u64, "feature", "features")),
        Status::Running => match &session.build {
            Some(build) => format!("{} is being built.", build.feature),
            None => "The session is running.".to_owned(),
        },
        Status::AwaitingUser => "The session is waiting for a decision.".to_owned(),
        Status::Blocked => "The session is blocked.".to_owned(),
        Status::Completed => {
            "Every feature is complete: Flow saw its checks pass, and a reviewer approved it, for exactly these \
             files."
                .to_owned()
        }
        Status::Archived => "The session is archived.".to_owned(),
    }
}

fn plan(session: &Session) -> Option<Row<'_>> {
    session.plan.as_ref()?;
    let row = |tier, hash: &str, text: String| Row {
        name: format!("Plan {}", short(hash)),
        ..Row::new(tier, text)
    };
    Some(match &session.approval {
        Some(approval) => {
            let tier = if approval.by == Approver::User { Tier::Person } else { Tier::NotChecked };
            row(tier, &approval.hash, format!("{} at {}", approval.words(), approval.at))
        }
        None => row(Tier::NotChecked, &session.hash, "not approved".to_owned()),
    })
}

/// The requirements and concerns, with the plan's answer to each.
fn answers(session: &Session) -> Vec<(&'static str, Vec<Row<'_>>)> {
    let answers = session.plan.iter().flat_map(|plan| plan.answers(session.opening.basis()));
    let rows = |lines: Vec<String>| lines.into_iter().map(|line| Row::new(Tier::Opinion, line)).collect();
    answers.map(|(heading, lines)| (heading, rows(lines))).collect()
}

/// Warnings for anyone who relies on the completed features.
fn warnings(session: &Session) -> Vec<String> {
    let mut warnings = Vec::new();
    if session.approval.as_ref().is_some_and(|approval| approval.by == Approver::Autonomous) {
        warnings.push("The plan was not approved.".to_owned());
    }
    for feature in session.completed() {
        for criterion in &feature.acceptance {
            if let Some(why) = criterion.unverifiable() {
                warnings.push(format!("{}: not checked: {} ({why})", feature.id, criterion.text));
            }
        }
        let weak = status::weak_points(session, feature);
        warnings.extend(weak.into_iter().map(|account| format!("{}: {account}", feature.id)));
    }
    warnings
}

fn record(session: &Session) -> Vec<(&'static str, String)> {
    let models = &session.opening.models;
    let design =
        session.opening.from.as_ref().map(|chosen| format!("{} of {}", chosen.design_id, chosen.run));
    [
        ("Session", session.directory.name.clone()),
        ("Design", design),
        ("Started", Some(iso(session.calls.clock.began))),
        ("Planner", Some(models.planner.clone())),
        ("Worker", Some(models.worker.clone())),
        ("Reviewer", Some(models.reviewer.clone())),
        ("Examiner", models.examiner.clone()),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((key, value?)))
    .collect()
}
