//! The state of a run: what is known, which answers have arrived, and what to ask next.

use super::added::Joined;
use super::admission;
use super::amend::Amendments;
use super::answer::{self, Accepted};
use super::budget;
use super::code::WorkflowCode;
use super::forecast::Forecast;
use super::job::{self, Job, Turn, Work};
use super::job_name::JobName;
use super::plan;
use super::protocol::{Command, Decision, EventKind, HumanReview, Opening, Presented, Role};
use super::question;
use super::results::{self, File};
use super::rubric::Draft;
use super::until_clear::Choosing;
use crate::design_lab::anonymity::Blind;
use crate::design_lab::artefacts::{DatedOutcome, Design, QuoteTally, ReplyRules};
use crate::design_lab::ids::{DesignId, Label};
use crate::design_lab::isolation::unchecked_tools;
use crate::opencode::OpenCode;
use crate::shared::capped::session_title;
use crate::shared::reply::{self, Interruption};
use crate::shared::tier::Tier;
use kernel::budget::Estimate;
use kernel::calls::Calls;
use kernel::clock;
use kernel::directory::Directory;
use kernel::drive;
use kernel::effects::NoEffect;
use kernel::job::{CallSettings, JobState};
use kernel::limits::Limits;
use kernel::problem::Problem;
use kernel::protocol::{JobId, KeptFile, Outcome, Reply, Tone};
use kernel::workflow::{Again, Repetition, Verdict, Workflow};
use std::collections::{BTreeMap, BTreeSet};

/// The phase of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The user has to say yes before any model is called.
    Unconfirmed,
    /// The rubric for the task is being drafted.
    Drafting,
    /// Designs are being written; meanwhile the run gets its name and its directory.
    Designing,
    /// Designs are being reviewed.
    Reviewing,
    /// The designs are ranked, and a model maps where they agree and differ.
    Mapping,
    /// No further model is called.
    Over(Outcome),
}

/// How far the naming of a run is. The run is named while designs are written, so that no design waits for the name.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Naming {
    /// No model has been called yet.
    Ahead,
    /// A model is asked for the topic.
    Asked,
    /// The run directory is being created.
    Claiming,
    /// The run has its directory.
    Claimed,
    /// No name is free; the run ends with this problem once its designs are written.
    Refused(Problem),
}

/// A run that has been opened.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) opening: Opening,
    /// The forecast of what is asked since the run was last over; `None` before it was.
    pub(super) further: Option<Forecast>,
    /// The jobs of the run, and their clock.
    pub(super) calls: Calls<Self>,
    /// Sentences that the user should read while the run continues.
    pub(super) notes: Vec<String>,
    /// The sentences that are kept with the results.
    pub(super) lasting_notes: Vec<String>,
    /// The one of them that says why there is no decision map, until there is one.
    pub(super) missing_map: Option<String>,
    /// The one of them that says that no model has reviewed the designs, until one does.
    pub(super) by_people_alone: Option<String>,
    /// Whether isolation has been in force all the time.
    pub(super) isolated: bool,
    /// All tools ever allowed whose actions can't be checked.
    pub(super) unchecked_tools: BTreeSet<String>,
    pub(super) phase: Phase,
    pub(super) naming: Naming,
    /// The run's directory.
    pub(super) directory: Directory,
    pub(super) topic: String,
    /// The files that these and earlier rankings left on disk, under the paths to which they were moved.
    pub(super) former: Vec<File>,
    /// How often the configuration has changed.
    pub(super) changes: u32,
    /// The designs as reviewers see them, in the order of [`State::designs`], once they are needed. They are made only once, because
    /// that takes more than a second for a megabyte.
    pub(super) blind: Vec<(DesignId, Blind)>,
    /// The progress in choosing the next comparisons, in a run that asks only for those that matter.
    pub(super) choosing: Choosing,
    /// The note on why nothing more is compared; empty if there is none.
    pub(super) sufficed: String,
    /// How each review job, and each person, sees the designs.
    pub(super) presented: BTreeMap<JobId, Presented>,
    /// Whether the user wants to retry what failed.
    pub(super) retrying: bool,
    /// Designs that are retried although reviewers have already been asked without them.
    pub(super) late: Vec<JobId>,
    /// The files of the ranking that such a design would replace.
    pub(super) superseded: Vec<File>,
    /// Each group of reviewers that joined after the run was ranked.
    pub(super) joined: Vec<Joined>,
    /// Whether the map that the user stopped is left out until the user asks for it again.
    pub(super) map_dropped: bool,
    /// How far the rubric for the task is.
    pub(super) draft: Draft,
    /// The user's changes to the set of designs.
    pub(super) amendments: Amendments,
    /// Why the run ended without a ranking.
    pub(super) problem: Option<Problem>,
    /// The ranking, once there is one.
    pub(super) ranking: Option<crate::design_lab::ranking::Ranking>,
    /// People's scores as of the last re-ranking.
    pub(super) humans: Vec<HumanReview>,
    /// How designs turned out, as people said, in the order in which they said it.
    pub(super) outcomes: Vec<DatedOutcome>,
    /// How many rows of orders and labels are used up by reviewers and forms of designs that are gone: their labels are never reused.
    pub(super) form_rows: usize,
    /// Whether everything to be written at the end is on disk.
    pub(super) closed: bool,
    /// Whether the run wasn't started on this machine and the user trusts it anyway.
    pub(super) is_adopted: bool,
}

impl Workflow for State {
    const NAME: &'static str = super::protocol::WORKFLOW;
    type Host = OpenCode;
    type Opening = Opening;
    type Decision = Decision;
    type Effect = NoEffect;
    type Role = Role;
    type Turn = Turn;
    type Part = job::Part;
    type Accepted = Accepted;

    fn admit(run: Option<&Self>, event: &EventKind) -> Result<(), String> {
        admission::admit(event, run)
    }

    fn open(opening: Opening, at: u64) -> Self {
        let first = if opening.drafts_rubric { Phase::Drafting } else { Phase::Designing };
        Self {
            draft: Draft::of(&opening),
            amendments: Amendments::of(&opening),
            joined: Vec::new(),
            map_dropped: false,
            notes: opening.notes.clone(),
            lasting_notes: opening.notes.clone(),
            missing_map: None,
            by_people_alone: None,
            isolated: opening.config.isolation.enforce_design_isolation,
            unchecked_tools: unchecked_tools(&opening.config.isolation)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            calls: Calls::new(plan::jobs(&opening), at),
            phase: if budget::awaits_yes(&opening).is_some() { Phase::Unconfirmed } else { first },
            naming: Naming::Ahead,
            opening,
            further: None,
            directory: Directory::default(),
            topic: String::new(),
            former: Vec::new(),
            changes: 0,
            blind: Vec::new(),
            choosing: Choosing::Open,
            sufficed: String::new(),
            presented: BTreeMap::new(),
            retrying: false,
            late: Vec::new(),
            superseded: Vec::new(),
            problem: None,
            ranking: None,
            humans: Vec::new(),
            outcomes: Vec::new(),
            form_rows: 0,
            closed: false,
            is_adopted: false,
        }
    }

    fn calls(&self) -> &Calls<Self> {
        &self.calls
    }

    fn calls_mut(&mut self) -> &mut Calls<Self> {
        &mut self.calls
    }

    fn limits(&self) -> Limits<'_> {
        let Opening { config, models, seed, .. } = &self.opening;
        Limits {
            concurrency: config.concurrency,
            local_concurrency: config.local_concurrency,
            deadlines: config.timeouts.of_calls(),
            run_ms: config.timeouts.run_ms,
            tries: config.retries.call,
            repairs: config.retries.repair,
            repair_temperature: self.opening.acceptance.repair_temperature(),
            budget: config.budget.limits(),
            models,
            seed: *seed,
        }
    }

    /// A model that only names the run has nothing to look up.
    fn steps(&self, job: &Job) -> u32 {
        if job.part.work == Work::Topic { 10 } else { 100 }
    }

    fn is_ready(&self, job: &Job) -> bool {
        let presented = || self.presented.contains_key(&job.id);
        match job.part.work {
            Work::Topic => self.phase == Phase::Designing && self.naming == Naming::Asked,
            Work::Rubric => self.phase == Phase::Drafting,
            Work::Design(_) => self.phase == Phase::Designing && (job.turn != Turn::Merge || presented()),
            Work::Review { .. } => self.phase == Phase::Reviewing && presented(),
            Work::Map => self.phase == Phase::Mapping && presented(),
        }
    }

    fn call_settings<'a>(&self, job: &'a Job) -> CallSettings<'a> {
        let model = &job.part.model;
        CallSettings {
            model: &model.model_id,
            temperature: model.temperature,
            variant: model.variant.as_deref(),
        }
    }

    fn role(&self, job: &Job) -> Role {
        job.part.work.role()
    }

    fn title(&self, job: &Job) -> String {
        // Two runs of one task differ by the time at which they began.
        let began = clock::time_of_day(self.calls.clock.began);
        let what = format!("Design Lab: {}, {began}", JobName::in_words(&job.id));
        session_title(&what, &self.opening.task.problem_statement)
    }

    fn system(&self, job: &Job) -> String {
        question::system(self, job)
    }

    fn prompt(&self, job: &Job) -> String {
        question::prompt(self, job)
    }

    fn files(&self, job: &Job) -> Vec<KeptFile> {
        let files = self.opening.images.iter().map(|image| image.file.clone());
        if self.shows_images(job) == Some(true) { files.collect() } else { Vec::new() }
    }

    fn expected_output(turn: Turn) -> u64 {
        match turn {
            Turn::Topic => 50,
            Turn::Design | Turn::Refine | Turn::Merge | Turn::Whole => 4_000,
            Turn::Prose | Turn::Scores | Turn::Map => 2_000,
            Turn::Compare | Turn::Claims | Turn::Rubric => 800,
        }
    }

    fn smaller(&self, job: &Job) -> String {
        question::smaller(self, job)
    }

    fn hopeless(&self, job: &Job) -> Option<String> {
        (job.part.work == Work::Topic).then(|| self.hopeless_after(job))?
    }

    fn judge(&self, job: &Job, reply: &Reply) -> Verdict<Accepted> {
        answer::judge(self, job, reply)
    }

    fn cited(&self, accepted: &Accepted) -> Vec<String> {
        if self.opening.acceptance.want_checked_claims() { answer::cited(self, accepted) } else { Vec::new() }
    }

    /// A design without claims is still a design.
    fn suffices(&self, job: &Job) -> bool {
        job.turn == Turn::Claims
    }

    fn ask_again(&self, turn: Turn, again: Again) -> String {
        match again {
            Again::Shorter => reply::shorten(turn.form().words()),
            Again::Reworded => reply::interrupted(turn.form().words(), Interruption::ContentFilter),
        }
    }

    fn ask_otherwise(&self, job: &Job, reason: &str, again: Repetition) -> Option<String> {
        self.opening.acceptance.ask_otherwise(self, job, reason, again)
    }

    fn kept_answer(&self, job: &Job) -> Option<String> {
        results::rejected_file(job).into_iter().next().map(|(path, _)| path)
    }

    fn accept(&mut self, index: usize, accepted: Accepted) -> Option<Turn> {
        let job = &mut self.calls.jobs[index];
        let next = answer::store(job, accepted);
        match job.part.work {
            Work::Review { reviewer, .. } => {
                let criteria = &self.opening.config.review_models[reviewer].evaluation_criteria;
                next.filter(|_| criteria.quantitative)
            }
            _ => next,
        }
    }

    fn settled(&mut self, index: usize, is_known: bool, commands: &mut Vec<Command>) {
        if self.is_rewritten(index, is_known, commands) {
            return;
        }
        let job = &self.calls.jobs[index];
        let files = match (&job.state, job.part.work) {
            (JobState::Failed(_), _) => results::salvaged_files(self, job),
            (_, Work::Design(_)) => results::design_files(self, index),
            _ => Vec::new(),
        };
        commands.extend(results::write(files));
        self.settled_review(index, commands);
        self.note_false_citations(index, commands);
        self.note_false_quotes(index, commands);
        self.note_undiscriminating(index, commands);
        self.settled_map(index, commands);
        if !is_known {
            self.tell_settled(index, commands);
        }
    }

    fn directory_claimed(&mut self, name: String, commands: &mut Vec<Command>) {
        self.claimed(name, commands);
    }

    fn directory_taken(&mut self, name: &str, commands: &mut Vec<Command>) {
        self.taken(name, commands);
    }

    fn decided(&mut self, decision: Decision, idle: u64, commands: &mut Vec<Command>) {
        match decision {
            Decision::Presented(presented) => {
                if !self.presented.contains_key(&presented.job) {
                    self.takes_up(&presented);
                    self.takes_up_pair(&presented);
                    commands.extend(self.give(&presented));
                    self.presented.insert(presented.job.clone(), presented);
                }
            }
            Decision::Reranked(rerank) => self.reranked(*rerank, commands),
            Decision::Reconfigured(change) => self.reconfigured(*change, idle, commands),
            Decision::Amended(amendment) => self.amended(amendment, commands),
            Decision::Mapped(change) => self.mapped_afresh(*change, idle, commands),
            Decision::MapDropped => self.drop_map(),
            Decision::RubricApproved(rubric) => self.approve(rubric, commands),
            Decision::TurnedOut(outcome) => self.turned_out(outcome, commands),
            Decision::Sufficed { why } => self.suffices(&why),
        }
    }

    fn adopted(&mut self, _: bool, _: u64) {
        self.is_adopted = true;
        self.disown();
    }

    fn retried(&mut self) {
        self.retrying = true;
    }

    fn resumed(&mut self, idle: u64, commands: &mut Vec<Command>) {
        self.go_on_as_configured(idle, commands);
    }

    fn advance(&mut self, commands: &mut Vec<Command>) {
        self.advance_phase(commands);
    }

    fn cancelled(&mut self, reason: &str, commands: &mut Vec<Command>) {
        if self.phase == Phase::Mapping {
            self.stops_mapping(reason, commands);
            return;
        }
        self.phase = Phase::Over(Outcome::Cancelled);
        self.problem = Some(
            Problem::new(WorkflowCode::Cancelled, format!("The run stopped: {reason}."))
                .next(format!("{} requests only the missing answers.", self.resumed_by())),
        );
        self.finish(commands);
    }

    fn closed(&mut self) {
        self.closed = true;
        self.note_shown();
        let is_ranked = self.is_ranked() && !self.is_cut_short();
        if let Some(joined) = self.joined.last_mut() {
            joined.is_ranked |= is_ranked;
        }
    }

    fn note(&mut self, note: String) {
        for notes in [&mut self.notes, &mut self.lasting_notes] {
            if !notes.contains(&note) {
                notes.push(note.clone());
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

impl State {
    /// The command that continues the run; a run has no name before it has a directory.
    pub(super) fn resumed_by(&self) -> String {
        let name = self.directory.name.as_deref().unwrap_or_default();
        format!("/design-lab-resume {name}").trim_end().to_owned()
    }

    /// Explains why not even the name is worth paying for: no design could be asked for after it.
    fn hopeless_after(&self, name: &Job) -> Option<String> {
        let designs = self
            .calls
            .jobs
            .iter()
            .filter(|other| matches!(other.part.work, Work::Design(_)) && !other.state.is_settled());
        let cheapest = designs.map(|other| drive::estimate(self, other)).reduce(|one, other| Estimate {
            cost: one.cost.min(other.cost),
            tokens: one.tokens.min(other.tokens),
        })?;
        budget::hopeless(&self.opening.config.budget.limits(), drive::estimate(self, name), cheapest)
    }

    /// Writes a reviewer's files once its last repeat is settled, whether it was accepted or failed.
    fn settled_review(&self, index: usize, commands: &mut Vec<Command>) {
        if let Work::Review { reviewer, .. } = self.calls.jobs[index].part.work
            && self.review_jobs(reviewer).all(|job| job.state.is_settled())
        {
            commands.extend(results::write(results::review_files(self, reviewer)));
        }
    }

    /// Notes a reviewer that cites places that don't exist, once all its reviews are settled.
    fn note_false_citations(&mut self, index: usize, commands: &mut Vec<Command>) {
        let Work::Review { reviewer, .. } = self.calls.jobs[index].part.work else { return };
        if !self.review_jobs(reviewer).all(|job| job.state.is_settled()) {
            return;
        }
        let citations = answer::citations(self, self.review_jobs(reviewer));
        let faults: Vec<String> = citations.into_iter().filter_map(|cited| cited.fault).collect();
        let Some(first) = faults.first() else { return };
        let more = match faults.len() - 1 {
            0 => String::new(),
            1 => " One more citation is wrong.".to_owned(),
            more => format!(" {more} more citations are wrong."),
        };
        let who = &self.opening.config.review_models[reviewer].model.id;
        let note = format!("{who} cites {first}.{more}");
        if self.notes.contains(&note) {
            return;
        }
        self.note(note.clone());
        commands.push(drive::notice(Tone::Warning, note));
    }

    /// Notes a reviewer that quotes what the designs don't contain, once all its reviews are settled.
    fn note_false_quotes(&mut self, index: usize, commands: &mut Vec<Command>) {
        let Work::Review { reviewer, .. } = self.calls.jobs[index].part.work else { return };
        if !self.review_jobs(reviewer).all(|job| job.state.is_settled()) {
            return;
        }
        let evaluations = self.review_jobs(reviewer).filter_map(|job| job.part.product.evaluations.as_ref());
        let tally = QuoteTally::of(evaluations.flatten());
        if tally.found == tally.given {
            return;
        }
        let who = &self.opening.config.review_models[reviewer].model.id;
        let note = format!("{}: {tally} from {who} in the designs that it reviewed.", Tier::Observed.word());
        if self.notes.contains(&note) {
            return;
        }
        self.note(note.clone());
        commands.push(drive::notice(Tone::Warning, note));
    }

    /// The rules for a reviewer's scores; `labels` are those that it was shown.
    pub(super) fn reply_rules<'a>(&'a self, labels: &'a [Label]) -> ReplyRules<'a> {
        let criteria = &self.opening.config.scoring_criteria;
        let asks = self.opening.acceptance.want_constraints();
        ReplyRules {
            labels,
            dimensions: &criteria.dimensions,
            require_justification: criteria.require_justification,
            wants_evidence: self.opening.acceptance.want_evidence(),
            constraints: if asks { self.opening.task.constraints.len() } else { 0 },
        }
    }

    /// Notes a reviewer whose scores are the same for every design, once all its reviews are settled.
    fn note_undiscriminating(&mut self, index: usize, commands: &mut Vec<Command>) {
        let Work::Review { reviewer, .. } = self.calls.jobs[index].part.work else { return };
        if !self.review_jobs(reviewer).all(|job| job.state.is_settled())
            || !results::is_undiscriminating(self, reviewer)
        {
            return;
        }
        let note = format!(
            "{} gave every design the same scores, even when asked again. The ranking leaves it out.",
            self.opening.config.review_models[reviewer].model.id
        );
        if self.notes.contains(&note) {
            return;
        }
        self.note(note.clone());
        commands.push(drive::notice(Tone::Warning, note));
    }

    pub(super) fn tell_settled(&self, index: usize, commands: &mut Vec<Command>) {
        let job = &self.calls.jobs[index];
        let (what, wrote) = match job.part.work {
            Work::Topic => return,
            Work::Rubric => ("rubric", "drafted the rubric"),
            Work::Design(_) => ("design", "wrote its design"),
            Work::Review { .. } if job.turn == Turn::Compare => ("comparison", "made its comparison"),
            Work::Review { .. } => ("review", "wrote its review"),
            Work::Map => ("decision map", "made the decision map"),
        };
        let time = clock::span(job.duration_ms(self.calls.clock.now));
        let (tone, message) = match &job.state {
            JobState::Failed(reason) => {
                (Tone::Warning, format!("✗ {what} by {} failed: {reason}", job::label(job)))
            }
            _ => (Tone::Info, format!("✓ {} {wrote} ({time})", job::label(job))),
        };
        commands.push(drive::line(tone, message));
    }

    // ---- views ----

    /// The seed of orders and labels. A configured seed gives the same ones in every run. With a seed made from the task, two runs of
    /// one task show their designs under different labels, so that no design can be written for a label.
    pub(super) fn blind_seed(&self) -> u64 {
        match self.opening.config.seed {
            Some(seed) => seed,
            None => crate::random::seed(&format!("{} {}", self.opening.seed, self.calls.clock.began)),
        }
    }

    /// The jobs of one reviewer: one per repeat.
    pub(super) fn review_jobs(&self, reviewer: usize) -> impl Iterator<Item = &Job> {
        self.calls.jobs.iter().filter(
            move |job| matches!(job.part.work, Work::Review { reviewer: other, .. } if other == reviewer),
        )
    }

    /// The jobs of the designs, in the order of the configuration.
    pub(super) fn design_jobs(&self) -> impl Iterator<Item = &Job> {
        self.calls.jobs.iter().filter(|job| matches!(job.part.work, Work::Design(_)))
    }

    /// The accepted designs with their ids, in the order of the configuration.
    pub(super) fn designs(&self) -> impl Iterator<Item = (DesignId, &Design)> {
        self.design_jobs()
            .filter_map(|job| Some((job.part.model.design_id(), job.part.product.design.as_ref()?)))
    }
}
