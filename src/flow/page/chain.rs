//! A feature as a chain: its origin, what was wanted, the files that changed, the evidence, and the decisions.

use super::super::apart::Apart;
use super::super::evidence::{Evidence, Standing};
use super::super::examining::Sitting;
use super::super::kept_behaviour;
use super::super::ledger;
use super::super::mutation::Mutation;
use super::super::of_feature::{Change, account_of_change, apart_of, evidence_of, model_of, reviews_of};
use super::super::plan::{Criterion, Feature};
use super::super::protocol::TreeId;
use super::super::report::WorkOutcome;
use super::super::session::{Progress, Reported, Reviewed, Session};
use super::super::status;
use crate::shared::figures::{count, money};
use crate::shared::page::Prose;
use crate::shared::spelled::spelled;
use crate::shared::tier::Tier;
use askama::Template;
use kernel::clock::span;
use kernel::visible;

/// How much of a tree's id is shown, in characters.
const TREE: usize = 12;

/// A feature, from what was wanted to the decision.
pub(super) struct Chain<'a> {
    pub(super) id: &'a str,
    pub(super) title: String,
    /// The state in a word.
    pub(super) state: &'static str,
    pub(super) facts: Vec<String>,
    pub(super) summary: Prose,
    /// Why it is blocked, and what was tried.
    pub(super) stopped: Option<(String, &'a [String])>,
    pub(super) links: Vec<Link<'a>>,
}

/// A link of a chain.
pub(super) struct Link<'a> {
    pub(super) heading: &'static str,
    pub(super) rows: Vec<Row<'a>>,
    /// Rows about other files than the feature's current ones, or about a version that was taken back.
    pub(super) earlier: Vec<Row<'a>>,
    /// The text if there are no rows.
    pub(super) none: &'static str,
}

/// A statement, with its strength as evidence.
#[derive(Template)]
#[template(path = "row.html")]
pub(super) struct Row<'a> {
    pub(super) tier: Tier,
    /// The subject; empty if the text names it.
    pub(super) name: String,
    pub(super) text: String,
    /// A model's comments on it.
    pub(super) said: Vec<Prose>,
    pub(super) facts: Vec<String>,
    /// The path of its command's output.
    pub(super) output: Option<&'a str>,
    /// Whether it no longer counts, because its feature was taken back since.
    pub(super) void: bool,
}

impl Row<'_> {
    pub(super) fn new(tier: Tier, text: impl Into<String>) -> Self {
        Self {
            tier,
            name: String::new(),
            text: text.into(),
            said: Vec::new(),
            facts: Vec::new(),
            output: None,
            void: false,
        }
    }
}

impl<'a> Chain<'a> {
    pub(super) fn new(session: &'a Session, feature: &'a Feature, cost: f64) -> Self {
        let look = Look::new(session, feature);
        let progress = session.features.get(&feature.id);
        let mut facts = Vec::new();
        if let Some(rounds) = progress.map(|one| one.rounds).filter(|rounds| *rounds > 0) {
            facts.push(count(rounds.into(), "round", "rounds"));
        }
        facts.push(money(cost));
        if !feature.depends_on.is_empty() {
            facts.push(format!("needs {}", feature.depends_on.join(", ")));
        }
        if feature.keeps_behaviour {
            facts.push(kept_behaviour::PLANNED.to_owned());
        }
        if let Some(tree) = progress.and_then(Progress::tree) {
            facts.push(format!("complete for tree {}", shortened(tree)));
        }
        Self {
            id: &feature.id,
            title: visible::line(&feature.title),
            state: status::state_word(session.state_of(&feature.id)),
            facts,
            summary: Prose::new(&feature.summary),
            stopped: progress
                .and_then(Progress::blocked)
                .map(|blocked| (blocked.recovery.message.clone(), blocked.tried.as_slice())),
            links: look
                .asked_for()
                .into_iter()
                .chain([look.wanted(), look.files(), look.evidence(), look.decisions()])
                .collect(),
        }
    }
}

/// Everything on record about a feature.
struct Look<'a> {
    session: &'a Session,
    feature: &'a Feature,
    /// The feature's current tree: that of its completion, or the last one that was looked at.
    tree: Option<&'a TreeId>,
    evidence: Vec<(&'a Evidence, bool)>,
    apart: Vec<(&'a Apart, bool)>,
    reviews: Vec<(&'a Reviewed, bool)>,
}

impl<'a> Look<'a> {
    fn new(session: &'a Session, feature: &'a Feature) -> Self {
        let evidence: Vec<_> = evidence_of(session, &feature.id).collect();
        let progress = session.features.get(&feature.id);
        let build = session.build.as_ref().filter(|build| build.feature == feature.id);
        let last = || evidence.iter().rev().find(|(_, void)| !void).map(|(one, _)| &one.tree);
        let tree = match build {
            Some(build) => build.tree(),
            None => progress.and_then(Progress::tree).or_else(last),
        };
        let (apart, reviews) = (apart_of(session, &feature.id), reviews_of(session, &feature.id));
        Self { session, feature, tree, apart: apart.collect(), reviews: reviews.collect(), evidence }
    }

    fn is_now(&self, tree: &TreeId, void: bool) -> bool {
        !void && Some(tree) == self.tree
    }

    // ---- requirements ----

    /// The requirements, and the components of the design, that the feature implements; `None` when the plan names none.
    fn asked_for(&self) -> Option<Link<'a>> {
        let chosen = self.session.opening.from.as_deref();
        let component = |id: &String| {
            let found = chosen?.components.iter().find(|one| one.id == *id)?;
            Some(("a component of the design", &found.name))
        };
        let requirement = |id: &String| {
            let of_plan = self.session.plan.iter().flat_map(|plan| &plan.requirements);
            let mut all = of_plan.chain(chosen.into_iter().flat_map(|chosen| &chosen.requirements));
            Some(("a requirement", &all.find(|one| one.id == *id)?.text))
        };
        let row = |id: &String| {
            let (what, text) = component(id).or_else(|| requirement(id))?;
            let facts = vec![format!("{what}, as planned")];
            Some(Row { name: id.clone(), facts, ..Row::new(Tier::Opinion, visible::line(text)) })
        };
        let rows: Vec<_> = self.feature.implements.iter().filter_map(row).collect();
        let heading = if chosen.is_some() { "Design" } else { "Asked for" };
        (!rows.is_empty()).then_some(Link { heading, rows, earlier: Vec::new(), none: "" })
    }

    // ---- acceptance criteria ----

    fn wanted(&self) -> Link<'a> {
        let rows = self.feature.acceptance.iter().map(|criterion| self.criterion(criterion)).collect();
        Link { heading: "Feature", rows, earlier: Vec::new(), none: "" }
    }

    fn criterion(&self, criterion: &Criterion) -> Row<'a> {
        let check = self.feature.verification.iter().find(|check| check.id == criterion.verified_by);
        let (tier, by) = match (criterion.unverifiable(), check) {
            (Some(why), _) => (Tier::NotChecked, format!("can't be decided here: {why}")),
            (None, Some(check)) => {
                let passed = |one: &&(&Evidence, bool)| {
                    one.0.check == check.id
                        && self.is_now(&one.0.tree, one.1)
                        && one.0.standing() == Standing::Passed
                };
                let seen = self.evidence.iter().any(|one| passed(&one));
                (
                    if seen { Tier::Observed } else { Tier::NotChecked },
                    format!("decided by the check {}", check.id),
                )
            }
            (None, None) => match self.judged(&criterion.id) {
                Some(place) => (Tier::Opinion, format!("decided by the review: met, {place}")),
                None => (Tier::NotChecked, "decided by the review".to_owned()),
            },
        };
        Row {
            name: criterion.id.clone(),
            facts: vec![visible::line(&by)],
            ..Row::new(tier, criterion.text.trim())
        }
    }

    /// The place where the last review of these files sees a criterion met.
    fn judged(&self, criterion: &str) -> Option<&'a str> {
        let mut now = self.reviews.iter().filter(|(one, void)| !one.whole && self.is_now(&one.tree, *void));
        let (given, _) = now.next_back()?;
        let judged = given.review.criteria.iter().find(|one| one.id == criterion && one.met)?;
        Some(&judged.r#where)
    }

    // ---- files ----

    fn files(&self) -> Link<'a> {
        let changed = Change::of(self.session, &self.feature.id).paths;
        let mut rows = Vec::new();
        if !changed.is_empty() {
            rows.push(Row { name: "changed".to_owned(), ..Row::new(Tier::Observed, changed.join(", ")) });
        }
        let wording = account_of_change(self.session, &self.feature.id).into_iter();
        rows.extend(
            wording.map(|(what, line)| Row { name: what.to_owned(), ..Row::new(Tier::Observed, line) }),
        );
        let untouched: Vec<&str> =
            self.feature.files.iter().filter(|file| !changed.contains(file)).map(String::as_str).collect();
        if !untouched.is_empty() {
            let name = if changed.is_empty() { "planned" } else { "planned, but not changed" };
            rows.push(Row { name: name.to_owned(), ..Row::new(Tier::Opinion, untouched.join(", ")) });
        }
        Link { heading: "Files", rows, earlier: Vec::new(), none: "None." }
    }

    // ---- evidence ----

    fn evidence(&self) -> Link<'a> {
        let mut rows = Vec::new();
        let mut earlier = Vec::new();
        let mut put = |now: bool, row| if now { rows.push(row) } else { earlier.push(row) };
        for (one, void) in &self.evidence {
            put(self.is_now(&one.tree, *void), seen(one, *void));
        }
        for (one, void) in &self.apart {
            put(self.is_now(&one.tree, *void), seen_apart(one, *void));
        }
        for row in self.session.ledger(&self.feature.id) {
            put(true, in_ledger(&row));
        }
        if let Some(row) = self.session.mutation_of(&self.feature.id).and_then(of_mutation) {
            put(true, row);
        }
        if let Some(sitting) = self.session.sitting_of(&self.feature.id) {
            put(true, of_exam(sitting));
        }
        let mut reports = self.session.reports.iter().filter(|one| one.feature == self.feature.id).peekable();
        while let Some(one) = reports.next() {
            put(reports.peek().is_none(), self.reported(one));
        }
        Link { heading: "Evidence", rows, earlier, none: "None yet." }
    }

    fn reported(&self, one: &Reported) -> Row<'a> {
        let outcome = match one.report.outcome {
            WorkOutcome::Done => "says that it is done",
            WorkOutcome::Blocked => "says that it is blocked",
            WorkOutcome::ReplanRequired => "says that the plan has to change",
        };
        Row {
            name: "the worker".to_owned(),
            said: vec![Prose::new(&one.report.summary)],
            facts: vec![round(one.round), model_of(self.session, &one.job).to_owned()],
            ..Row::new(Tier::NotChecked, outcome)
        }
    }

    // ---- decisions ----

    fn decisions(&self) -> Link<'a> {
        let row = |(one, void): &(&Reviewed, bool)| self.reviewed(one, *void);
        let (now, earlier): (Vec<_>, Vec<_>) =
            self.reviews.iter().partition(|(one, void)| self.is_now(&one.tree, *void));
        Link {
            heading: "Decision",
            rows: now.into_iter().map(row).collect(),
            earlier: earlier.into_iter().map(row).collect(),
            none: "None yet.",
        }
    }

    fn reviewed(&self, one: &Reviewed, void: bool) -> Row<'a> {
        let verdict = status::verdict_word(one.verdict());
        let tree = shortened(&one.tree);
        let findings = one.review.findings.iter().enumerate().map(|(index, finding)| {
            let tried = if one.unconfirmed.contains(&index) {
                " (Flow ran its test: the problem doesn't occur)"
            } else {
                ""
            };
            Prose::new(&format!("{}{tried}", finding.line()))
        });
        Row {
            name: if one.whole { "review of the complete change" } else { "review" }.to_owned(),
            said: findings.collect(),
            facts: vec![
                round(one.round),
                model_of(self.session, &one.job).to_owned(),
                format!("tree {tree}"),
            ],
            void,
            ..Row::new(Tier::Opinion, verdict)
        }
    }
}

fn seen(one: &Evidence, void: bool) -> Row<'_> {
    let facts = vec![
        round(one.round),
        spelled(&one.argv),
        span(one.seen.ran.duration_ms),
        format!("tree {}", shortened(&one.tree)),
    ];
    Row {
        name: one.check.clone(),
        facts,
        output: Some(&one.output),
        void,
        ..Row::new(Tier::Observed, one.account())
    }
}

fn seen_apart(one: &Apart, void: bool) -> Row<'_> {
    let facts = vec![round(one.round), spelled(&one.argv), format!("tree {}", shortened(&one.tree))];
    Row {
        name: one.check.clone(),
        facts,
        output: one.seen.is_ok().then_some(one.output.as_str()),
        void,
        ..Row::new(one.tier(), one.account())
    }
}

fn in_ledger<'a>(one: &ledger::Row<'a>) -> Row<'a> {
    Row {
        name: one.check.to_owned(),
        facts: vec![spelled(one.command)],
        output: Some(one.output),
        ..Row::new(Tier::ReExecuted, one.account())
    }
}

fn of_mutation<'a>(one: &Mutation) -> Option<Row<'a>> {
    let unnoticed = one.unnoticed_lines().into_iter().map(|line| Prose::new(&format!("unnoticed: {line}")));
    Some(Row {
        name: "small faults".to_owned(),
        said: unnoticed.collect(),
        facts: vec![span(one.duration_ms)],
        ..Row::new(one.tier(), one.account()?)
    })
}

fn of_exam<'a>(one: &Sitting) -> Row<'a> {
    let said = one.tests.iter().map(|test| Prose::new(&test.wording()));
    let left_out = (!one.left_out.is_empty()).then(|| Prose::new(&format!("not examined: {}", one.left_out)));
    Row {
        name: "exam".to_owned(),
        said: said.chain(left_out).collect(),
        ..Row::new(one.tier(), one.account())
    }
}

fn round(round: u32) -> String {
    format!("round {round}")
}

fn shortened(tree: &TreeId) -> String {
    visible::line(&tree.as_str().chars().take(TREE).collect::<String>())
}
