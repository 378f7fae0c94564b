//! The state of a run: what is known, who has answered what, and what is to be asked next.

use super::answer::{self, Verdict};
use super::job::{Job, JobState, Turn, Work};
use super::plan;
use super::protocol::{
    CallFailure, Command, Event, EventKind, HumanReview, JobId, Opening, Outcome, Presented, Reply, Tone,
};
use super::reason::Reason;
use super::results::{self, File};
use super::retry::{self, Remedy};
use crate::anonymity::Blind;
use crate::artefacts::Design;
use crate::error::Problem;
use crate::isolation::unchecked_tools;
use crate::prompts::{self, Interruption};
use std::collections::{BTreeMap, BTreeSet};

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The topic is being made.
    Naming,
    /// The run directory is being created.
    Claiming,
    /// Designs are being written.
    Designing,
    /// Designs are being reviewed.
    Reviewing,
    /// Nothing more will be asked.
    Over(Outcome),
}

/// A run that has been opened.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) opening: Opening,
    /// Sentences that the user should read while the run goes on.
    pub(super) notes: Vec<String>,
    /// Those that stay with its results.
    pub(super) lasting_notes: Vec<String>,
    /// Whether isolation has been in force all the time.
    pub(super) isolated: bool,
    /// Tools allowed at any time that can't be checked inside.
    pub(super) unchecked_tools: BTreeSet<String>,
    /// When the run began, later by the time that it lay idle between two processes.
    pub(super) clock_from: u64,
    /// When the run was opened.
    began: u64,
    /// The run's own time: when it began, and what has passed since. It never goes back.
    pub(super) now: u64,
    /// The shell's clock at the latest event. It may be set back or forward between two.
    pub(super) told: u64,
    pub(super) phase: Phase,
    /// Below the output directory, once it is claimed.
    pub(super) directory: Option<String>,
    pub(super) topic: String,
    /// How many directory names were taken already.
    pub(super) taken: u32,
    /// In the order in which they are started.
    pub(super) jobs: Vec<Job>,
    /// Jobs that left the run when its configuration changed: what they cost was paid.
    pub(super) retired: Vec<Job>,
    /// What these and earlier rankings left on disk, under the paths that it has been moved to.
    pub(super) former: Vec<File>,
    /// How often the configuration has changed.
    pub(super) changes: u32,
    /// The designs as reviewers see them, in the order of [`State::designs`], once they are needed: made once, for that takes
    /// more than a second for a megabyte.
    pub(super) blind: Vec<(String, Blind)>,
    /// How each review job, and each person, sees the designs.
    pub(super) presented: BTreeMap<JobId, Presented>,
    /// Whether the user wants what failed to be asked again.
    pub(super) retrying: bool,
    /// Designs that are asked for again though reviewers have been asked without them.
    pub(super) late: Vec<JobId>,
    /// The files of the ranking that such a design would put an end to.
    pub(super) superseded: Vec<File>,
    /// Why nothing more may be asked, in words.
    pub(super) closing: Option<String>,
    /// Why the run ended without a ranking.
    pub(super) problem: Option<Problem>,
    /// The ranking, once there is one.
    pub(super) ranking: Option<crate::ranking::Ranking>,
    /// What people scored, since the run was last ranked anew.
    pub(super) humans: Vec<HumanReview>,
    /// How many calls a provider that struggles is given at once; absent where only `concurrency` counts.
    pub(super) slots: BTreeMap<String, u32>,
    pub(super) wake_at: Option<u64>,
    /// Whether all that was to be written at the end is on disk.
    pub(super) closed: bool,
}

/// A clock that jumps further between two events was wrong: ten years.
const LONGEST_IDLE_MS: u64 = 315_360_000_000;
/// The latest moment that a date can be: that of JavaScript.
const LATEST: u64 = 8_640_000_000_000_000;

impl State {
    pub(super) fn open(opening: Opening, at: u64) -> Self {
        Self {
            notes: opening.notes.clone(),
            lasting_notes: opening.notes.clone(),
            isolated: opening.config.isolation.enforce_design_isolation,
            unchecked_tools: unchecked_tools(&opening.config.isolation)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            jobs: plan::jobs(&opening.config, opening.basis.as_ref()),
            opening,
            clock_from: at.min(LATEST),
            began: at.min(LATEST),
            now: at.min(LATEST),
            told: at,
            phase: Phase::Naming,
            directory: None,
            topic: String::new(),
            taken: 0,
            retired: Vec::new(),
            former: Vec::new(),
            changes: 0,
            blind: Vec::new(),
            presented: BTreeMap::new(),
            retrying: false,
            late: Vec::new(),
            superseded: Vec::new(),
            closing: None,
            problem: None,
            ranking: None,
            humans: Vec::new(),
            slots: BTreeMap::new(),
            wake_at: None,
            closed: false,
        }
    }

    /// Takes in an event and says what is to be done.
    pub(super) fn apply(&mut self, event: Event) -> Vec<Command> {
        let mut commands = Vec::new();
        let idle = self.passed_by(event.at);
        if event.at < self.told || event.kind == EventKind::Woken {
            // A timer may end early, and one that was set by a clock that has gone back since ends late.
            self.wake_at = None;
        }
        self.told = event.at;
        self.now += idle;
        if matches!(self.phase, Phase::Over(_)) {
            // No time passes for a run that is over.
            self.clock_from += idle;
        }
        match event.kind {
            EventKind::Opened(_) | EventKind::Woken => {}
            EventKind::DirectoryClaimed { name } => self.claimed(name, &mut commands),
            EventKind::DirectoryTaken { name } => self.directory_taken(&name, &mut commands),
            EventKind::Presented(presented) => {
                self.presented.entry(presented.job.clone()).or_insert(presented);
            }
            EventKind::SessionOpened { job, session } if !is_session(&session) => {
                let message = "the host opened a session of no usable name".into();
                let failure = CallFailure { message, ..CallFailure::default() };
                if self.job_in(&job, &JobState::Opening).is_some() {
                    self.call_failed(&job, &failure, &mut commands);
                }
            }
            EventKind::SessionOpened { job, session } => {
                if let Some(job) = self.job_in(&job, &JobState::Opening) {
                    job.session = Some(session);
                    job.state = JobState::Ready;
                }
            }
            EventKind::Answered { job, reply } => self.answered(&job, reply, &mut commands),
            EventKind::CallFailed { job, failure } => self.call_failed(&job, &failure, &mut commands),
            EventKind::Overspent { call, cost, tokens } => {
                self.overspent(&call, (cost, tokens), &mut commands);
            }
            EventKind::Cancelled { reason } => self.cancelled(&reason, &mut commands),
            EventKind::Closed => self.closed = true,
            EventKind::Recounted(recount) => self.recounted(*recount, &mut commands),
            EventKind::Retried => self.retrying = true,
            EventKind::Resumed => self.resumed(idle, &mut commands),
            EventKind::Reconfigured(change) => self.reconfigured(*change, idle, &mut commands),
        }
        self.proceed(&mut commands);
        for command in &mut commands {
            let (Command::Notify { message: line, .. } | Command::OpenSession { title: line, .. }) = command
            else {
                continue;
            };
            *line = crate::visible::line(line);
        }
        commands
    }

    /// Milliseconds from the latest event to a moment by the shell's clock; none where that clock can't be right.
    fn passed_by(&self, at: u64) -> u64 {
        Some(at.saturating_sub(self.told)).filter(|passed| *passed <= LONGEST_IDLE_MS).unwrap_or(0)
    }

    /// The run's own time at a moment by the shell's clock.
    pub(super) fn moment(&self, at: u64) -> u64 {
        self.now + self.passed_by(at)
    }

    pub(super) fn job(&mut self, id: &str) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|job| job.id == id)
    }

    fn job_in(&mut self, id: &str, state: &JobState) -> Option<&mut Job> {
        self.job(id).filter(|job| job.state == *state)
    }

    // ---- answers and failures ----

    fn answered(&mut self, id: &str, reply: Reply, commands: &mut Vec<Command>) {
        let Some(index) = self.asking(id) else { return };
        self.note_traffic(index, reply.host_retries > 0);
        let verdict = answer::judge(self, &self.jobs[index], &reply);
        let repairs_allowed = self.opening.config.retries.repair;
        let (cost, tokens) = self.used(index, (reply.cost, reply.tokens), reply.text.len());
        let job = &mut self.jobs[index];
        job.ledger.cost += cost;
        job.ledger.tokens += tokens;
        job.ledger.model_version = reply.model;
        match verdict {
            Verdict::Accept(_) => job.rejected = None,
            Verdict::Repair { .. } if reply.text.trim().is_empty() => {}
            Verdict::Repair { .. } => job.rejected = Some(reply.text.clone()),
        }
        job.last_text = reply.text;
        job.in_conversation = true;
        job.tries = 0;
        job.repair_prompt = None;
        job.asked = None;
        match verdict {
            Verdict::Accept(accepted) => {
                job.repairs = 0;
                let next = answer::store(job, *accepted);
                let asks_for_scores = match job.work {
                    Work::Review { reviewer, .. } => {
                        self.opening.config.review_models[reviewer].evaluation_criteria.quantitative
                    }
                    _ => false,
                };
                match next {
                    Some(turn) if asks_for_scores => {
                        job.turn = turn;
                        job.state = JobState::Ready;
                    }
                    _ => self.done(index, commands),
                }
            }
            Verdict::Repair { prompt, .. } if job.repairs < repairs_allowed => {
                job.repairs += 1;
                job.repair_prompt = Some(prompt);
                job.state = JobState::Ready;
            }
            Verdict::Repair { reason, .. } => {
                let reason = given_up(&reason, job);
                self.fail(index, reason, commands);
            }
        }
    }

    fn done(&mut self, index: usize, commands: &mut Vec<Command>) {
        let now = self.now;
        self.jobs[index].settle(JobState::Done, now);
        match self.jobs[index].work {
            Work::Topic => {}
            Work::Design(_) => commands.extend(results::write(results::design_files(self, index))),
            Work::Review { .. } => self.settled_review(index, commands),
        }
        self.tell_settled(index, commands);
    }

    /// Writes a reviewer's files once its last repeat is settled, whether that was accepted or failed.
    fn settled_review(&self, index: usize, commands: &mut Vec<Command>) {
        if let Work::Review { reviewer, .. } = self.jobs[index].work
            && self.review_jobs(reviewer).all(|job| job.state.is_settled())
        {
            commands.extend(results::write(results::review_files(self, reviewer)));
        }
    }

    fn tell_settled(&self, index: usize, commands: &mut Vec<Command>) {
        let job = &self.jobs[index];
        let what = match job.work {
            Work::Topic => return,
            Work::Design(_) => "design",
            Work::Review { .. } if job.turn == Turn::Compare => "comparison",
            Work::Review { .. } => "review",
        };
        let time = crate::clock::span(job.duration_ms(self.now));
        let (tone, message) = match &job.state {
            JobState::Failed(reason) => {
                (Tone::Warning, format!("{what} by {} failed: {reason}", job.label()))
            }
            _ => (Tone::Info, format!("{what} by {} is there ({time})", job.label())),
        };
        commands.push(Command::Notify { tone, message, toast: false });
    }

    fn call_failed(&mut self, id: &str, failure: &CallFailure, commands: &mut Vec<Command>) {
        let Some(index) = self.asking(id) else { return };
        if matches!(self.jobs[index].state, JobState::Recovering { .. }) && retry::is_lost(failure) {
            self.not_recovered(index, failure);
            return;
        }
        self.note_traffic(index, failure.status == Some(429) || failure.host_retries > 0);
        let reported = (failure.cost, failure.tokens);
        let stopped = retry::was_stopped(failure);
        let (cost, tokens) = if stopped { self.used(index, reported, 0) } else { reported };
        let (now, seed, config) = (self.now, self.opening.seed, &self.opening.config);
        let job = &mut self.jobs[index];
        job.ledger.cost += cost;
        job.ledger.tokens += tokens;
        job.asked = None;
        match retry::remedy(failure) {
            remedy @ (Remedy::AskShorter | Remedy::Reword) if job.repairs < config.retries.repair => {
                let form = job.turn.form();
                job.repairs += 1;
                job.in_conversation = true;
                job.repair_prompt = Some(match remedy {
                    Remedy::AskShorter => prompts::shorten(form),
                    _ => prompts::interrupted(form, Interruption::ContentFilter),
                });
                job.state = JobState::Ready;
            }
            remedy @ (Remedy::TryAgain | Remedy::TryAfresh)
                if job.tries.saturating_add(failure.host_retries) < config.retries.call
                    && !retry::is_too_long_a_wait(failure, config.timeouts.call_ms)
                    && self.closing.is_none() =>
            {
                job.tries += 1 + failure.host_retries;
                if remedy == Remedy::TryAfresh {
                    job.begin_afresh();
                } else if !job.in_conversation {
                    // The failed prompt may linger in the old session, half answered.
                    job.session = None;
                }
                job.state = JobState::Pausing { until: now + retry::pause_ms(failure, job.tries, seed, id) };
            }
            _ => {
                let reason = retry::reason(failure, config.timeouts.call_ms);
                self.fail(index, reason, commands);
            }
        }
    }

    /// Settles a job that came to nothing, and keeps what it brought all the same.
    pub(super) fn fail(&mut self, index: usize, reason: Reason, commands: &mut Vec<Command>) {
        self.give_up(index, reason, commands);
        self.tell_settled(index, commands);
    }

    /// The same where the user has been told already.
    pub(super) fn give_up(&mut self, index: usize, reason: Reason, commands: &mut Vec<Command>) {
        let now = self.now;
        self.jobs[index].settle(JobState::Failed(reason), now);
        commands.extend(results::write(results::salvaged_files(self, &self.jobs[index])));
        self.settled_review(index, commands);
    }

    /// The job of that id, if an answer to it is expected.
    fn asking(&self, id: &str) -> Option<usize> {
        self.jobs.iter().position(|job| job.id == id && job.state.is_in_flight())
    }

    fn cancelled(&mut self, reason: &str, commands: &mut Vec<Command>) {
        if matches!(self.phase, Phase::Over(_)) {
            return;
        }
        // The jobs stay as they are: should an answer have come all the same, resuming finds it.
        for job in self.jobs.iter().filter(|job| job.state.is_calling()) {
            commands.extend(abort(job));
        }
        self.phase = Phase::Over(Outcome::Cancelled);
        self.problem = Some(
            Problem::new("run.cancelled", format!("The run was stopped: {reason}."))
                .next("/design-lab-resume goes on with what is missing."),
        );
        self.finish(commands);
    }

    /// Stops what is in flight, as if it had never been asked.
    fn abort_calls(&mut self, commands: &mut Vec<Command>) {
        for job in self.jobs.iter_mut().filter(|job| job.state.is_in_flight()) {
            commands.extend(abort(job));
            job.forget_prompt();
        }
    }

    // ---- going on ----

    fn proceed(&mut self, commands: &mut Vec<Command>) {
        self.watch_the_clock(commands);
        self.turn_the_phase(commands);
        self.start_calls(commands);
        self.turn_the_phase(commands);
        self.set_the_alarm(commands);
    }

    fn watch_the_clock(&mut self, commands: &mut Vec<Command>) {
        let over_time = self
            .opening
            .config
            .timeouts
            .run_ms
            .filter(|limit| self.now >= self.clock_from + limit && self.closing.is_none());
        if let Some(limit) = over_time
            && !matches!(self.phase, Phase::Over(_))
        {
            self.abort_calls(commands);
            self.close(format!("the run reached its limit of {}", crate::clock::span(limit)), commands);
        }
        let now = self.now;
        for job in &mut self.jobs {
            if matches!(job.state, JobState::Pausing { until } if until <= now) {
                job.state = JobState::Ready;
            }
        }
    }

    fn set_the_alarm(&mut self, commands: &mut Vec<Command>) {
        if matches!(self.phase, Phase::Over(_)) {
            return;
        }
        let pauses = self.jobs.iter().filter_map(|job| match job.state {
            JobState::Pausing { until } => Some(until),
            _ => None,
        });
        let limit = self.opening.config.timeouts.run_ms.filter(|_| self.closing.is_none());
        let next = pauses.chain(limit.map(|limit| self.clock_from + limit)).min();
        if next != self.wake_at {
            self.wake_at = next;
            commands.extend(
                next.map(|next| Command::WakeAt {
                    at: self.told.saturating_add(next.saturating_sub(self.now)),
                }),
            );
        }
    }

    /// From now on nothing more is asked; what is there is ranked if it can be.
    pub(super) fn close(&mut self, reason: String, commands: &mut Vec<Command>) {
        commands.push(notice(Tone::Warning, format!("No further calls: {reason}")));
        self.closing = Some(reason);
    }

    // ---- views ----

    /// What orders and labels are drawn from. A seed that was configured gives the same again in every run; where it is made
    /// from the task, two runs of one task show their designs under other labels, lest a design be written for one.
    pub(super) fn blind_seed(&self) -> u64 {
        match self.opening.config.seed {
            Some(seed) => seed,
            None => crate::random::seed(&format!("{} {}", self.opening.seed, self.began)),
        }
    }

    /// The jobs of one reviewer: one per repeat.
    pub(super) fn review_jobs(&self, reviewer: usize) -> impl Iterator<Item = &Job> {
        self.jobs
            .iter()
            .filter(move |job| matches!(job.work, Work::Review { reviewer: other, .. } if other == reviewer))
    }

    /// The accepted designs with their ids, in the order of the configuration.
    pub(super) fn designs(&self) -> impl Iterator<Item = (&str, &Design)> {
        self.jobs.iter().filter_map(|job| match job.work {
            Work::Design(_) => Some((job.model.id.as_str(), job.product.design.as_ref()?)),
            _ => None,
        })
    }
}

pub(super) fn abort(job: &Job) -> Option<Command> {
    Some(Command::Abort { job: job.id.clone(), session: job.session.clone()? })
}

/// Whether it may stand in an address: hosts name sessions by letters and digits.
fn is_session(session: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=200).contains(&session.len()) && session.bytes().all(plain)
}

/// Why a job failed whose answers could not be used, and where the last of them is. What is wrong with them may quote them.
fn given_up(reason: &str, job: &Job) -> Reason {
    let reason = reason.trim_end_matches('.');
    let repairs = match job.repairs {
        0 => "retries.repair allows no second try".to_owned(),
        1 => "still so after 1 repair prompt".to_owned(),
        count => format!("still so after {count} repair prompts"),
    };
    let kept = results::rejected_file(job);
    let kept = kept.first().map_or(String::new(), |(path, _)| format!("; its answer is kept in {path}"));
    let rest = format!("; {repairs}{kept}");
    let what = crate::visible::line(reason);
    Reason::worded(format!("{what}{rest}"), format!("its answers could not be used{rest}"))
}

pub(super) fn notice(tone: Tone, message: String) -> Command {
    Command::Notify { tone, message, toast: true }
}
