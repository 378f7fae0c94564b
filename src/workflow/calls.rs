//! Calls: which is made next, how many at once, and what they may cost.

use super::budget::{self, Estimate};
use super::job::{Job, JobState, Turn, Work};
use super::protocol::{Ask, Command, EventKind, ModelFacts, Spending};
use super::question;
use super::state::{self, Phase, State};
use crate::artefacts::Tokens;

impl State {
    pub(super) fn start_calls(&mut self, commands: &mut Vec<Command>) {
        let limit = self.opening.config.concurrency as usize;
        loop {
            let in_flight = self.jobs.iter().filter(|job| job.state.is_in_flight()).count();
            if in_flight >= limit || self.closing.is_some() {
                return;
            }
            let Some(index) = self.next_job() else { return };
            if self.jobs[index].session.is_none() {
                let job = &mut self.jobs[index];
                job.state = JobState::Opening;
                commands.push(Command::OpenSession {
                    job: job.id.clone(),
                    role: job.role(),
                    title: format!("Design Lab: {}", job.id.replace(':', " ")),
                });
                continue;
            }
            let ask = self.ask(index);
            let estimate = self.estimate(index, &ask);
            let spent = self.spent();
            let reserved = self.reserved();
            if let Some(reason) = self.hopeless(index, estimate) {
                self.close(reason, commands);
                return;
            }
            if let Some(reason) = budget::refusal(&self.opening.config.budget, spent, reserved, estimate) {
                // What is in flight may cost less than is set aside for it: then there is room again.
                if !self.jobs.iter().any(|job| job.state.is_calling()) {
                    self.close(reason, commands);
                }
                return;
            }
            let (now, since) = (self.now, self.told);
            let job = &mut self.jobs[index];
            job.state = JobState::Asking { since };
            job.asked = Some(ask.clone());
            job.reserved = estimate;
            job.ledger.prompts += 1;
            job.ledger.first_asked_at.get_or_insert(now);
            commands.push(Command::Ask(ask));
        }
    }

    /// Conversations that have begun go first, then the order of the configuration.
    fn next_job(&self) -> Option<usize> {
        let ready = |job: &Job| {
            job.state == JobState::Ready
                && match job.work {
                    Work::Topic => self.phase == Phase::Naming,
                    Work::Design(_) => {
                        self.phase == Phase::Designing
                            && (job.turn != Turn::Merge || self.presented.contains_key(&job.id))
                    }
                    Work::Review { .. } => {
                        self.phase == Phase::Reviewing && self.presented.contains_key(&job.id)
                    }
                }
                && self.has_slot(job)
        };
        let begun = self.jobs.iter().position(|job| ready(job) && job.session.is_some());
        begun.or_else(|| self.jobs.iter().position(ready))
    }

    fn ask(&self, index: usize) -> Ask {
        let job = &self.jobs[index];
        let (system, text) = question::compose(self, job);
        Ask {
            job: job.id.clone(),
            session: job.session.clone().unwrap_or_default(),
            role: job.role(),
            model: job.model.model_id.clone(),
            temperature: job.model.temperature,
            variant: job.model.variant.clone(),
            system,
            text,
            deadline_ms: self.opening.config.timeouts.call_ms,
            host_retries: self.opening.config.retries.call.saturating_sub(job.tries),
        }
    }

    fn estimate(&self, index: usize, ask: &Ask) -> Estimate {
        let job = &self.jobs[index];
        let seen = self
            .jobs
            .iter()
            .filter(|other| other.turn == job.turn && other.ledger.prompts > 0)
            .map(|other| {
                (other.ledger.tokens.output + other.ledger.tokens.reasoning) / u64::from(other.ledger.prompts)
            })
            .max()
            .unwrap_or(0);
        let facts = self.facts_of(&ask.model);
        budget::estimate(job.turn, ask.system.len() + ask.text.len(), seen, facts)
    }

    fn facts_of(&self, model: &str) -> Option<&ModelFacts> {
        self.opening.models.iter().find(|facts| facts.model_id == model)
    }

    /// Why not even the name is worth paying for, in words: no design could be asked for after it.
    fn hopeless(&self, index: usize, name: Estimate) -> Option<String> {
        if self.jobs[index].work != Work::Topic {
            return None;
        }
        let designs = (0..self.jobs.len()).filter(|&other| {
            matches!(self.jobs[other].work, Work::Design(_)) && !self.jobs[other].state.is_settled()
        });
        let estimates = designs.map(|other| self.estimate(other, &self.ask(other)));
        let cheapest = estimates.reduce(|one, other| Estimate {
            cost: one.cost.min(other.cost),
            tokens: one.tokens.min(other.tokens),
        })?;
        budget::hopeless(&self.opening.config.budget, name, cheapest)
    }

    /// What a call used: as reported, or as estimated by what was asked and answered where nobody reported it, which is told.
    pub(super) fn used(
        &mut self,
        index: usize,
        (cost, tokens): (f64, Tokens),
        answered: usize,
    ) -> (f64, Tokens) {
        let job = &self.jobs[index];
        let Some(asked) = job.asked.as_ref().filter(|_| cost == 0.0 && tokens.total() == 0) else {
            return (cost, tokens);
        };
        let facts = self.facts_of(&asked.model);
        let used = budget::unreported(asked.system.len() + asked.text.len(), answered, facts);
        let note =
            format!("{} didn't report what each call used: such calls count as estimated.", asked.model);
        for notes in [&mut self.notes, &mut self.lasting_notes] {
            if !notes.contains(&note) {
                notes.push(note.clone());
            }
        }
        used
    }

    /// The event that stops a call between two steps, where the run has reached its budget. `used` is what the calls in flight
    /// have used so far, this one's among them.
    pub(super) fn overspending(&self, job: &str, used: &[Spending]) -> Option<EventKind> {
        let calling = |spending: &&Spending| self.is_calling(&spending.job);
        let call = used.iter().filter(calling).find(|spending| spending.job == job)?.clone();
        let (cost, tokens) = self.spent();
        let add = |(cost, tokens): (f64, u64), spending: &Spending| {
            (cost + spending.cost, tokens + spending.tokens.total())
        };
        let (cost, tokens) = used.iter().filter(calling).fold((cost, tokens.total()), add);
        let reached = budget::reached(&self.opening.config.budget, (cost, tokens)).is_some();
        reached.then_some(EventKind::Overspent { call, cost, tokens })
    }

    /// Stops a call between two steps. What it has used is spent; a resume under a larger budget asks again.
    pub(super) fn overspent(&mut self, call: &Spending, used: (f64, u64), commands: &mut Vec<Command>) {
        let Some(job) = self.job(&call.job).filter(|job| job.state.is_calling()) else { return };
        commands.extend(state::abort(job));
        job.ledger.cost += call.cost;
        job.ledger.tokens += call.tokens;
        job.forget_prompt();
        if let Some(reason) = budget::reached(&self.opening.config.budget, used)
            && self.closing.is_none()
        {
            self.close(reason, commands);
        }
    }

    fn is_calling(&self, id: &str) -> bool {
        self.jobs.iter().any(|job| job.id == id && job.state.is_calling())
    }

    /// US dollars and tokens so far, failed and repeated calls included, and what no longer counts for the ranking.
    pub(super) fn spent(&self) -> (f64, Tokens) {
        self.jobs.iter().chain(&self.retired).fold((0.0, Tokens::default()), |(cost, mut tokens), job| {
            tokens += job.ledger.tokens;
            (cost + job.ledger.cost, tokens)
        })
    }

    fn reserved(&self) -> Estimate {
        let asking = self.jobs.iter().filter(|job| job.state.is_calling());
        asking.fold(Estimate::default(), |sum, job| Estimate {
            cost: sum.cost + job.reserved.cost,
            tokens: sum.tokens + job.reserved.tokens,
        })
    }

    // ---- providers that struggle ----

    fn calls_to(&self, provider: &str) -> u32 {
        let calls = self.jobs.iter().filter(|job| job.state.is_in_flight() && job.provider() == provider);
        u32::try_from(calls.count()).unwrap_or(u32::MAX)
    }

    fn has_slot(&self, job: &Job) -> bool {
        self.slots.get(job.provider()).is_none_or(|&slots| self.calls_to(job.provider()) < slots)
    }

    /// A provider that had to be asked again, or that refused for its rate limit, gets half as many calls at once; each
    /// call that goes well gives one back (additive increase, multiplicative decrease, as in RFC 5681).
    pub(super) fn note_traffic(&mut self, index: usize, struggles: bool) {
        let provider = self.jobs[index].provider().to_owned();
        let limit = self.opening.config.concurrency;
        let now = self.slots.get(&provider).copied().unwrap_or(limit);
        let slots = if struggles { now.min(self.calls_to(&provider)) / 2 } else { now + 1 };
        if slots >= limit {
            self.slots.remove(&provider);
        } else {
            self.slots.insert(provider, slots.max(1));
        }
    }
}
