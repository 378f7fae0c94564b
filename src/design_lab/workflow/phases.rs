//! The phases of a run: it gets its name and its directory, its designs, its reviews, and its end.

use super::code::WorkflowCode;
use super::comparison;
use super::job::Work;
use super::job_name::JobName;
use super::parent::{Parent, Step};
use super::plan::{self, TOPIC_LENGTH};
use super::protocol::Decision;
use super::protocol::{Command, EventKind, Presented};
use super::results;
use super::state::{Naming, Phase, State};
use crate::design_lab::anonymity;
use crate::design_lab::config::ReviewMode;
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::GainKind;
use crate::shared::figures;
use kernel::directory::MOST_DIRECTORIES;
use kernel::drive::{self, notice};
use kernel::job::JobState;
use kernel::problem::Problem;
use kernel::protocol::{JobId, Outcome, Tone};
use kernel::slug::slug;

/// The maximum number of words in a run's name.
const TOPIC_WORDS: usize = 8;

impl State {
    pub(super) fn advance_phase(&mut self, commands: &mut Vec<Command>) {
        if self.phase == Phase::Unconfirmed {
            self.wait_for_yes(commands);
            return;
        }
        if self.phase == Phase::Mapping {
            self.advance_map(commands);
            return;
        }
        drive::give_up_waiting(self, commands);
        if self.phase == Phase::Drafting {
            self.advance_draft(commands);
            return;
        }
        if self.phase == Phase::Designing && self.naming == Naming::Ahead {
            self.begin_designing(commands);
        }
        if self.phase == Phase::Designing
            && self.naming == Naming::Asked
            && self.settled(|work| work == Work::Topic)
        {
            self.topic = self.topic_slug();
            self.naming = Naming::Claiming;
            commands.push(Command::ClaimDirectory { name: self.directory_name() });
        }
        if self.phase == Phase::Designing
            && matches!(self.naming, Naming::Claimed | Naming::Refused(_))
            && self.settled(|work| matches!(work, Work::Design(_)))
            // Their answers would be mistaken for those of the reviews that replace them.
            && !(self.is_review_outdated() && self.is_review_in_flight())
        {
            self.end_designing(commands);
        }
        comparison::give_up(self);
        if self.phase == Phase::Reviewing
            && self.has_given_forms()
            && self.settled(|work| matches!(work, Work::Review { .. }))
            && !self.asks_further(commands)
        {
            self.end_reviewing(commands);
        }
    }

    fn settled(&self, of: impl Fn(Work) -> bool) -> bool {
        self.calls.settled(|job| of(job.part.work))
    }

    pub(super) fn topic_slug(&self) -> String {
        if let Some(parent) = &self.opening.parent {
            return plan::follow_up_topic(parent);
        }
        let answer =
            self.calls.jobs.iter().find(|job| job.part.work == Work::Topic && job.state == JobState::Done);
        // A sentence isn't a name: "I'm sorry, but I can't help with that".
        let is_name = |text: &str| slug(text, usize::MAX).split('-').count() <= TOPIC_WORDS;
        let answer = answer.filter(|job| is_name(&job.last_text));
        let said = answer.map_or_else(String::new, |job| slug(&job.last_text, TOPIC_LENGTH));
        if !said.is_empty() {
            return said;
        }
        let words: Vec<&str> = self.opening.task.problem_statement.split_whitespace().take(6).collect();
        let own = slug(&words.join(" "), TOPIC_LENGTH);
        if own.is_empty() { "design".to_owned() } else { own }
    }

    /// Ends in this process before any model is called; resuming is the user's yes.
    fn wait_for_yes(&mut self, commands: &mut Vec<Command>) {
        commands.push(notice(
            Tone::Warning,
            "No model has been called yet: /design-lab-resume starts the run".to_owned(),
        ));
        self.phase = Phase::Over(Outcome::Waiting);
        self.finish(commands);
    }

    /// Reports which models are asked for what, before any of them is.
    fn begin_designing(&mut self, commands: &mut Vec<Command>) {
        self.naming = Naming::Asked;
        let count = self.opening.config.design_models.len();
        let own = self.opening.candidates.len();
        let message = match self.opening.parent.as_ref().map(|parent| &parent.step) {
            None if own == 0 => format!("{count} models write their designs"),
            None => format!(
                "{}; {}",
                figures::count(count as u64, "model writes its design", "models write their designs"),
                figures::count(own as u64, "design is already written", "designs are already written")
            ),
            Some(Step::Review) => format!("{} designs are already written", self.design_jobs().count()),
            Some(Step::Refine { versions, .. }) => figures::count(
                versions.len() as u64,
                "model revises its design",
                "models revise their designs",
            ),
            Some(Step::Merge { .. }) => format!("One design combines {}", self.design_jobs().count() - 1),
        };
        if let Some(asked) = self.overview(self.calls.clock.now).asked() {
            commands.push(notice(Tone::Info, format!("Models: {asked}")));
        }
        commands.push(notice(Tone::Info, message));
    }

    fn end_designing(&mut self, commands: &mut Vec<Command>) {
        if let Naming::Refused(problem) = &self.naming {
            self.end_without_ranking(problem.clone(), commands);
            return;
        }
        let ask_again = || {
            format!(
                "Fix what made the other models fail (see above). Then {} asks them again.",
                self.resumed_by()
            )
        };
        let there = self.designs().count();
        if there < 2 {
            let all = self.design_jobs().count();
            let problem = Problem::new(
                WorkflowCode::TooFewDesigns,
                format!(
                    "Only {there} of {all} designs {} written. A comparison needs at least 2.",
                    if there == 1 { "was" } else { "were" }
                ),
            )
            .next(ask_again());
            self.end_without_ranking(problem, commands);
            return;
        }
        if let Some(parent) = &self.opening.parent
            && parent.step != Step::Review
            && self.designs().all(|(id, _)| parent.given(&id).is_some())
        {
            let problem = Problem::new(
                WorkflowCode::NothingNew,
                "No new design was written, so there is nothing to review.",
            )
            .next(ask_again());
            self.end_without_ranking(problem, commands);
            return;
        }
        if self.amendments.review_later {
            self.pause(commands);
            return;
        }
        if self.is_review_outdated() {
            self.review_afresh(commands);
        }
        self.late.clear();
        self.superseded.clear();
        self.phase = Phase::Reviewing;
        self.blind_designs();
        let who = match self.opening.config.review_models.len() {
            0 => "people review".to_owned(),
            models => figures::count(models as u64, "model reviews", "models review"),
        };
        commands.push(notice(Tone::Info, format!("{there} designs written; {who} them")));
        let (forms, files) = self.forms();
        commands.extend(files);
        if let Some(note) = self.open_forms() {
            kernel::workflow::Workflow::note(self, note);
        }
        let shown: Vec<Presented> = match self.opening.config.review.mode {
            ReviewMode::Pairwise => comparison::join(self),
            ReviewMode::Scores => self
                .calls
                .jobs
                .iter()
                .filter_map(|job| match job.part.work {
                    Work::Review { reviewer, repeat } => {
                        Some(self.present(&job.id, self.row(reviewer), repeat))
                    }
                    _ => None,
                })
                .collect(),
        };
        let missing: Vec<Presented> = shown
            .into_iter()
            .chain(forms)
            .filter(|presented| !self.presented.contains_key(&presented.job))
            .collect();
        commands.extend(
            missing.into_iter().map(|presented| Command::Record {
                event: EventKind::Decided(Decision::Presented(presented)),
            }),
        );
    }

    pub(super) fn present(&self, job: &JobId, reviewer: usize, repeat: u32) -> Presented {
        let ids: Vec<DesignId> = self.designs().map(|(id, _)| id).collect();
        let repeats = self.opening.config.review.repeats as usize;
        let shown = anonymity::presentation(self.blind_seed(), reviewer, repeat as usize, ids.len(), repeats);
        Presented {
            job: job.clone(),
            order: shown.order.iter().map(|&index| ids[index].clone()).collect(),
            labels: shown.labels,
        }
    }

    fn end_reviewing(&mut self, commands: &mut Vec<Command>) {
        if self.waits_for_people() {
            commands.push(notice(Tone::Success, "The designs and the forms are ready".to_owned()));
            self.phase = Phase::Over(Outcome::Pending);
            // The chat already shows everything: no model is called to report it.
            commands.push(Outcome::Pending.finish(String::new()));
            return;
        }
        match results::rank(self) {
            Ok(ranking) => {
                self.ranking = Some(ranking);
                self.phase = Phase::Over(self.outcome_of_ranking());
                commands.extend(results::write(results::result_files(self)));
                commands.push(notice(Tone::Success, "The ranking is ready".to_owned()));
                if !self.begins_map(commands) {
                    self.finish(commands);
                }
            }
            Err(problem) => self.end_without_ranking(problem, commands),
        }
    }

    /// The outcome of a run in which all models were asked. If only people review, all of them have to.
    pub(super) fn outcome_of_ranking(&self) -> Outcome {
        let by_people = self.opening.config.review_models.is_empty();
        let missing = self.has_failed() || (by_people && self.awaited().next().is_some());
        if missing { Outcome::Partial } else { Outcome::Complete }
    }

    pub(super) fn end_without_ranking(&mut self, problem: Problem, commands: &mut Vec<Command>) {
        commands.push(notice(Tone::Error, problem.message.clone()));
        self.problem = Some(problem);
        self.phase = Phase::Over(Outcome::Stopped);
        self.finish(commands);
    }

    pub(super) fn finish(&self, commands: &mut Vec<Command>) {
        if let Phase::Over(outcome) = self.phase {
            // The designs are in the chat: no turn is spent on repeating them.
            let is_told = outcome != Outcome::Paused;
            let brief = || crate::design_lab::report::brief(&self.overview(self.calls.clock.now));
            let mut finish = outcome.finish(is_told.then(brief).unwrap_or_default());
            if let Command::Finish { resumable, .. } = &mut finish {
                // Designs may be paid for before the run has a name.
                *resumable |=
                    self.design_jobs().any(|job| job.state == JobState::Done && job.ledger.prompts > 0);
            }
            commands.push(finish);
        }
    }

    // ---- the directory ----

    fn is_claiming(&self) -> bool {
        matches!(self.phase, Phase::Drafting | Phase::Designing) && self.naming == Naming::Claiming
    }

    pub(super) fn claimed(&mut self, name: String, commands: &mut Vec<Command>) {
        if !self.is_claiming() {
            return;
        }
        self.directory.name = Some(name);
        self.naming = Naming::Claimed;
        commands.extend(results::write(results::setup_files(self)));
        self.present_sources(commands);
    }

    /// Shows the designs to the merging model under labels, best first.
    pub(super) fn present_sources(&mut self, commands: &mut Vec<Command>) {
        let Some(Parent { step: Step::Merge { id }, designs, .. }) = &self.opening.parent else { return };
        let job = JobName::Design(id.clone()).id();
        let order: Vec<DesignId> = designs.iter().map(|given| given.id.clone()).collect();
        self.blind_designs();
        if self.presented.contains_key(&job) {
            return;
        }
        let reviewers = self.opening.config.review_models.len();
        let shown = anonymity::presentation(self.blind_seed(), reviewers, 0, order.len(), 1);
        let presented = Presented { job, order, labels: shown.labels };
        commands.push(Command::Record { event: EventKind::Decided(Decision::Presented(presented)) });
    }

    pub(super) fn blind_designs(&mut self) {
        let names = self.names();
        let blinded = self.designs().map(|(id, design)| (id, anonymity::blind(design, &names)));
        self.blind = blinded.collect();
    }

    /// Whether a new design is better than one that it was made from, by more than noise.
    pub(super) fn has_gained(&self) -> bool {
        let gains = self.ranking.iter().flat_map(|ranking| &ranking.gains);
        gains.into_iter().any(|gain| gain.kind == GainKind::Better)
    }

    pub(super) fn taken(&mut self, name: &str, commands: &mut Vec<Command>) {
        if !self.is_claiming() {
            return;
        }
        if self.directory.is_taken() {
            commands.push(Command::ClaimDirectory { name: self.directory_name() });
            return;
        }
        let problem = Problem::new(
            WorkflowCode::NoName,
            format!(
                "{MOST_DIRECTORIES} runs already have this name \
                                                        today."
            ),
        )
        .found(format!("{}/{name}", self.opening.config.output_directory))
        .next("Move some of them elsewhere, then continue this run with /design-lab-resume.");
        self.naming = Naming::Refused(problem);
    }

    pub(super) fn directory_name(&self) -> String {
        self.directory.candidate(&self.opening.date, &self.topic)
    }
}
