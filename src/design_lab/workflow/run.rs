//! A run as its shell sees it: seal an event, apply the line, look at the progress.

use super::code::WorkflowCode;
use super::foreign;
use super::opening;
use super::parent::Step;
use super::protocol::{Command, Decision, Event, EventKind, Opening, Role};
use super::run_index::{Found, Purpose, ResumeRequest};
use super::state::{Phase, State};
use crate::design_lab::attachments::Attached;
use crate::design_lab::claims::{self, Lookups};
use crate::design_lab::config::{AvailableModels, Isolation, ReferencedFile, Source, UntilClear};
use crate::design_lab::report;
use crate::shared::page::addressed;
use crate::shared::panel::Panel;
use crate::shared::reader::Reader;
use kernel::effects::NoEffect;
use kernel::index::Owner;
use kernel::journal::Chain;
use kernel::origin::Origin;
use kernel::paths;
use kernel::problem::Problem;
use kernel::progress::Incoming;
use kernel::protocol::{JobId, Outcome, Reply, Spending};
use kernel::run::Durable;
use kernel::workflow::Workflow as _;
use serde::Serialize;

/// A run: the state that results from the lines of its journal.
///
/// ```
/// use kernel::run::Durable as _;
/// use lab_core::design_lab::config::{AvailableModel, AvailableModels};
/// use lab_core::design_lab::workflow::{OpeningInput, Command, Event, EventKind, Run, begin};
///
/// let model = |name: &str| AvailableModel { provider: "acme".into(), model: name.into(), ..Default::default() };
/// let beginning = OpeningInput {
///     date: "2026-11-20".into(),
///     text: "Design a rate limiter".into(),
///     available: AvailableModels { models: vec![model("one"), model("two")], ..AvailableModels::default() },
///     ..Default::default()
/// };
/// let opening = begin(&beginning).unwrap();
/// let mut run = Run::new();
/// let line = run.seal(&Event { at: 0, kind: EventKind::Opened(Box::new(opening)) });
/// // … append `line` to the journal, sync it, then:
/// let commands = run.apply(&line).unwrap();
/// assert!(commands.iter().any(|command| matches!(command, Command::OpenSession { .. })));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Run {
    durable: kernel::run::Run<State>,
}

/// How a new process continues a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Resumption {
    /// What the run's designers and reviewers may reach from now on.
    pub isolation: Isolation,
    /// The providers that the user allows to receive the project's files by continuing a run that was waiting for that.
    pub agreed: Vec<String>,
    /// The events that start the run in this process.
    pub events: Vec<EventKind>,
}

impl Durable for Run {
    type Role = Role;
    type Opening = Opening;
    type Decision = Decision;
    type Effect = NoEffect;

    fn replay(journal: &str) -> Result<(Self, usize), Problem> {
        kernel::run::Run::replay(journal).map(|(durable, whole)| (Self { durable }, whole))
    }

    fn seal(&self, event: &Event) -> String {
        self.durable.seal(event)
    }

    fn chain(&self) -> &Chain {
        self.durable.chain()
    }

    fn apply(&mut self, line: &str) -> Result<Vec<Command>, Problem> {
        self.durable.apply(line)
    }

    fn files(&self) -> Result<Vec<(String, String)>, Problem> {
        paths::admit_files(self.state().map_or_else(Vec::new, super::results::files))
    }
}

impl Run {
    /// A run before its first event.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the event by which a new process continues the run under the current configuration, or all problems of that
    /// configuration.
    pub fn resumption(
        &self,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
    ) -> Result<EventKind, Vec<Problem>> {
        self.state().map_or(Ok(EventKind::Resumed), |state| state.resumption(sources, files, available, None))
    }

    /// Describes the calls and the expected cost of the reviewers who are to join, of the decision map, or of comparing the first two designs. `question`: the question to the user.
    pub fn cost_of_addition(
        &self,
        request: &ResumeRequest,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
        question: Option<&str>,
    ) -> Result<String, Vec<Problem>> {
        let state = self.begun().map_err(|problem| vec![problem])?;
        if request.map.is_some() {
            return state.cost_of_map(sources, files, available, question);
        }
        if request.close.is_some() {
            return state.cost_of_comparing(sources, files, available, question);
        }
        let add = request.add.clone().unwrap_or_default();
        state.cost_of(&add, sources, files, available, question)
    }

    /// Plans how a new process continues the run: resumed, with failed calls retried, or with another set of designs. `origin`: where
    /// the run comes from. A run that wasn't started on this machine is continued only if the user trusts it.
    pub fn go_on(
        &self,
        request: &ResumeRequest,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
        origin: Origin,
    ) -> Result<Resumption, Vec<Problem>> {
        let mut state = self.begun().map_err(|problem| vec![problem])?.clone();
        let mut first = Vec::new();
        if origin != Origin::Here {
            state.is_adopted = true;
            first.push(EventKind::Adopted { voids: true });
        }
        if let Some(problem) = state.refuses_model().filter(|_| request.by_model) {
            return Err(vec![problem]);
        }
        // The user stopped the map, and now wants something else.
        let is_other = request.add.is_some() || request.until.is_some() || request.close.is_some();
        if is_other && state.is_map_stopped() {
            state.drop_map();
            first.push(EventKind::Decided(Decision::MapDropped));
        }
        let mut before = state.opening.config.isolation.clone();
        let event = if let Some(add) = &request.add {
            state.extension(add, sources, files, available)?
        } else if let Some(map) = request.map {
            state.mapping(map, sources, files, available)?
        } else if let Some(close) = request.close {
            state.comparing_close(close, sources, files, available)?
        } else {
            if let Some(given) = &request.rubric {
                let rubric = state.approval(given)?;
                state.approve(rubric.clone(), &mut Vec::new());
                first.push(EventKind::Decided(Decision::RubricApproved(rubric)));
            }
            if request.purpose == Purpose::Retry {
                state.retried();
                first.push(EventKind::Retried);
            }
            if let Some(amendment) = &request.amendment {
                if let Some(problem) = state.refuses(amendment) {
                    return Err(vec![problem]);
                }
                state.amended(amendment.clone(), &mut Vec::new());
                first.push(EventKind::Decided(Decision::Amended(amendment.clone())));
            }
            let until = request.until.map(|until| self.until_clear(until));
            state.resumption(sources, files, available, until)?
        };
        if origin != Origin::Here && !request.trust {
            return Err(vec![foreign::question(state, request, &event, origin)]);
        }
        // The question about a foreign run names the price as well.
        let asks = request.amendment.is_none() && !request.permitted && origin == Origin::Here;
        if asks
            && let Some(problem) =
                self.begun().map_err(|problem| vec![problem])?.asks_before_reviews(&event, request.until)
        {
            return Err(vec![problem]);
        }
        if let EventKind::Decided(Decision::Reconfigured(change) | Decision::Mapped(change)) = &event {
            before.clone_from(&change.config.isolation);
        }
        let agreed = self.agreed(request, &event, available, origin)?;
        Ok(Resumption { isolation: before, agreed, events: first.into_iter().chain([event]).collect() })
    }

    /// The providers that the user allows to receive the project's files by this command: those that the run was waiting for. Any other
    /// new provider is refused, since the user hasn't heard of it yet.
    fn agreed(
        &self,
        request: &ResumeRequest,
        event: &EventKind,
        available: &AvailableModels,
        origin: Origin,
    ) -> Result<Vec<String>, Vec<Problem>> {
        let Some(state) = self.state() else { return Ok(Vec::new()) };
        let config = match event {
            EventKind::Decided(Decision::Reconfigured(change) | Decision::Mapped(change)) => &change.config,
            _ => &state.opening.config,
        };
        let asked = state.opening.vendors.as_ref().filter(|_| state.phase == Phase::Over(Outcome::Waiting));
        // The list in a run from elsewhere can't be trusted.
        let may_agree = origin == Origin::Here && !request.by_model;
        let agreed = asked.filter(|_| may_agree).map_or(&[][..], |new| &new.providers);
        let mut available = available.clone();
        available.agreed.iter_mut().for_each(|known| known.extend_from_slice(agreed));
        let only_reviews = state.opening.parent.as_ref().is_some_and(|parent| parent.step == Step::Review);
        match opening::new_vendors(config, &available, only_reviews) {
            Some(new) => Err(vec![new.problem("the command again")]),
            None => Ok(agreed.to_vec()),
        }
    }

    /// Turns the user's further amount into a limit for the whole run.
    fn until_clear(&self, until: UntilClear) -> UntilClear {
        let spent = self.state().map_or(0.0, |state| state.calls.spent().0);
        UntilClear { max_cost_usd: until.max_cost_usd.map(|more| spent + more) }
    }

    /// The names that an answer relies on, if it can be used: the shell looks them up before the answer is journaled.
    pub fn cited(&self, job: &JobId, reply: &Reply) -> Vec<String> {
        self.durable.cited(job, reply)
    }

    /// What the shell has to read to look up these names in the listed project.
    pub fn lookups(&self, names: &[String], listed: &Attached) -> Lookups {
        let config = self.state().map(|state| &state.opening.config);
        let blocked = config.map_or(&[][..], |config| &config.isolation.blocked_patterns);
        claims::lookups(names, listed, blocked)
    }

    /// Returns the event that stops a call between two steps of its answer, or `None` if the run hasn't reached its budget. `used`:
    /// what the calls in flight have used so far, including this one.
    pub fn overspending(&self, job: &JobId, used: &[Spending]) -> Option<EventKind> {
        self.durable.overspending(job, used)
    }

    /// The text of the live message in the chat at this moment: progress while the run is going, then the result.
    pub fn live_message(&self, now: u64) -> String {
        self.state().map_or_else(String::new, |state| {
            report::live_message(&state.overview(state.calls.clock.moment(now)), Reader::Person)
        })
    }

    /// The live message with the output of its calls so far, followed by the address of the page once there is one. `place`: see
    /// `addressed`.
    pub fn live_message_at(&self, now: u64, place: &str, calls: &[Incoming]) -> String {
        let page = |state: &State| match super::results::page_of(state) {
            Some(page) => Some(page.to_owned()),
            None => state.page_to_fill_in(),
        };
        let text = self.state().map_or_else(String::new, |state| {
            let overview = state.overview(state.calls.clock.moment(now)).hearing(calls);
            report::live_message(&overview, Reader::Person)
        });
        addressed(text, place, self.state().and_then(page).as_deref())
    }

    /// The account of the run for a model that called a command, in the package's own words only. `origin`: where the run comes from.
    pub fn account(&self, now: u64, origin: Origin) -> String {
        if origin != Origin::Here {
            return report::withheld();
        }
        self.state().map_or_else(String::new, |state| {
            report::live_message(&state.overview(state.calls.clock.moment(now)), Reader::Model)
        })
    }

    /// The run for a panel next to the chat at this moment; `None` unless it is running.
    pub fn panel(&self, now: u64, calls: &[Incoming]) -> Option<Panel> {
        let state = self.state()?;
        report::panel(
            &state.overview(state.calls.clock.moment(now)).hearing(calls),
            state.opening.config.review.mode,
            &super::results::provisional(state),
        )
    }

    /// The run as seen from a process that isn't running it.
    pub fn status(&self, found: &Found, now: u64, reader: Reader) -> String {
        let Some(state) = self.state() else { return String::new() };
        let origin = found.summary.as_ref().map_or(Origin::Here, |summary| summary.origin);
        let state = state.vouched(origin);
        // While no process runs it, no time passes for it.
        if found.owner == Owner::Nobody {
            return report::status(&state.overview(state.calls.clock.now).at_rest(), found, reader);
        }
        let now = state.calls.clock.moment(now);
        report::status(&state.overview(now), found, reader)
    }

    /// The live message that an earlier process left in the chat, now that this one continues the run.
    pub fn continued(&self, name: &str) -> String {
        let Some(state) = self.state() else { return String::new() };
        report::continued(&state.overview(state.calls.clock.now).at_rest(), name)
    }

    /// The ranking as in `results/ranking.json`; for a run that isn't ranked, the ranking of the reviews so far.
    pub fn rank(&self) -> Result<crate::design_lab::ranking::Ranking, Problem> {
        super::results::standing(self.begun()?)
    }

    /// The page on the result, or on the reviews so far, as in `results/report.html`.
    pub fn page(&self) -> Result<String, Problem> {
        super::results::page(self.begun()?)
    }

    pub(super) fn begun(&self) -> Result<&State, Problem> {
        let none =
            || Problem::new(WorkflowCode::NoReviews, "The run has not started, so there is nothing to rank.");
        self.state().ok_or_else(none)
    }

    pub(super) fn state(&self) -> Option<&State> {
        self.durable.state()
    }
}
