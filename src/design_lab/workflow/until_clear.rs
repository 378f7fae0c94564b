//! Reviewing until the first place is clear: comparisons are requested a few at a time, where they are most informative, until no
//! further one would help or the money is spent.
//!
//! The next ones are chosen again after each of these steps. The journal holds the decision, as [`Presented`] or as
//! [`Decision::Sufficed`], and a comparison's job is made from that: a journal keeps its meaning even if the rule changes.

use super::code::WorkflowCode;
use super::comparison;
use super::forecast::design_tokens;
use super::job::{Job, Part, Turn, Work};
use super::job_name::JobName;
use super::protocol::{Command, Decision, EventKind, Presented};
use super::results;
use super::resume::is_review;
use super::state::State;
use crate::design_lab::anonymity;
use crate::design_lab::config::Config;
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::sequential::{self, Next, Offer, Settled};
use crate::shared::figures::{count, money};
use kernel::budget;
use kernel::problem::Problem;
use kernel::workflow::Workflow as _;

/// The option that has a run reviewed until its first place is clear.
pub(super) const UNTIL: &str = "--until";
/// Its only value.
pub(super) const CLEAR: &str = "clear";
/// The option that limits the cost of that.
pub(super) const MAX_COST: &str = "--max-cost";

/// How far a run is with choosing what to ask next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choosing {
    /// It chooses once all answers have arrived.
    Open,
    /// It has chosen, and the choice isn't in the journal yet.
    Decided,
    /// Nothing more is asked.
    Settled,
}

/// Parses the value of `--max-cost`: US dollars, with or without their sign.
pub(super) fn max_cost(given: &str) -> Result<f64, Problem> {
    let dollars = given.strip_prefix('$').unwrap_or(given).parse();
    dollars.ok().filter(|dollars: &f64| dollars.is_finite() && *dollars > 0.0).ok_or_else(|| {
        Problem::new(WorkflowCode::BadCost, format!("{MAX_COST} takes US dollars above 0, not `{given}`."))
    })
}

/// Explains why a run can't be reviewed this way; `None` when it can.
pub(super) fn refusal(config: &Config) -> Option<Problem> {
    (config.until_clear.is_some() && config.review_models.len() < 2).then(|| {
        let models = config.review_models.len();
        Problem::new(WorkflowCode::FewReviewers, format!("{UNTIL} {CLEAR} needs at least two reviewers."))
            .at("/review_models")
            .found(count(models as u64, "review model", "review models"))
            .allowed("2 or more review models")
            .next("Add a review model: the result of a single reviewer is never clear.")
    })
}

impl State {
    /// Chooses what to ask next once all answers have arrived. Returns `false` when nothing is left to ask.
    pub(super) fn asks_further(&mut self, commands: &mut Vec<Command>) -> bool {
        let config = &self.opening.config;
        let choose = match config.until_clear {
            Some(_) => Self::next_comparisons,
            None if config.review.compares_close_pairs() => Self::close_comparisons,
            None => return false,
        };
        if self.calls.closing.is_some() {
            return false;
        }
        if self.choosing == Choosing::Open {
            self.choosing = Choosing::Decided;
            let decisions = match choose(self) {
                Ok(next) => next.into_iter().map(Decision::Presented).collect(),
                Err(why) => vec![Decision::Sufficed { why }],
            };
            let record = |decision| Command::Record { event: EventKind::Decided(decision) };
            commands.extend(decisions.into_iter().map(record));
        }
        self.choosing == Choosing::Decided
    }

    /// Stops asking, and notes why.
    pub(super) fn suffices(&mut self, why: &str) {
        self.chooses_again();
        self.choosing = Choosing::Settled;
        why.clone_into(&mut self.sufficed);
        for notes in [&mut self.notes, &mut self.lasting_notes] {
            notes.extend((!why.is_empty()).then(|| why.to_owned()));
        }
    }

    /// Chooses again once all answers have arrived. The note on the former choice goes: it was true of the answers of that time.
    pub(super) fn chooses_again(&mut self) {
        self.choosing = Choosing::Open;
        let former = std::mem::take(&mut self.sufficed);
        for notes in [&mut self.notes, &mut self.lasting_notes] {
            notes.retain(|note| *note != former);
        }
    }

    /// The comparisons to ask next, or the reason why there are none.
    fn next_comparisons(&self) -> Result<Vec<Presented>, String> {
        let config = &self.opening.config;
        let offers = offers(self);
        let asked = self.presented.keys().filter(|job| is_review(job)).count();
        let wording = |why: &str| {
            let all = asked + offers.len();
            Err(format!(
                "{STOPPED} {asked} of {}: {why}.",
                count(all as u64, "possible comparison", "possible comparisons")
            ))
        };
        let designs: Vec<DesignId> = self.designs().map(|(id, _)| id).collect();
        let mut study = results::material(self);
        study.designs.retain(|facts| designs.contains(&facts.id));
        let prices = self.prices();
        let most = config.concurrency as usize;
        let run = self.directory.name.as_deref().unwrap_or_default();
        let chosen = match sequential::next(&study, &offers, &prices, most) {
            Ok(Next::Ask(chosen)) => chosen,
            Ok(Next::Stop(Settled::Clear)) => return wording("the first place is clear"),
            Ok(Next::Stop(Settled::LittleToGain)) => {
                return wording(&format!(
                    "the others would hardly improve the choice or make the first place clear, because \
                     reviewers may share an error; /design-lab-review --add MODEL {run} adds a reviewer"
                ));
            }
            Ok(Next::Stop(Settled::Exhausted)) => {
                return wording(&format!(
                    "no other comparison is possible; /design-lab-review --add MODEL {run} adds a reviewer"
                ));
            }
            Err(problem) => return wording(problem.message.trim_end_matches('.')),
        };
        // Both orders of one pair, if all chosen ones are too expensive.
        let cost = |chosen: &[Offer]| chosen.iter().map(|offer| prices[offer.reviewer]).sum::<f64>();
        let left = config.budget.max_cost_usd.map(|most| most - self.calls.spent().0);
        let fits = |chosen: &[Offer]| left.is_none_or(|left| cost(chosen) <= left);
        let chosen = match chosen.get(..2) {
            _ if fits(&chosen) => chosen,
            Some(pair) if fits(pair) => pair.to_vec(),
            _ => {
                let cap = config.budget.max_cost_usd.unwrap_or_default();
                return wording(&format!(
                    "the next one would exceed the run's limit of {}; /design-lab-review {run} {UNTIL} \
                     {CLEAR} {MAX_COST} DOLLARS lets the run spend that much more",
                    money(cap)
                ));
            }
        };
        let seed = self.blind_seed();
        let mut shown: Vec<Presented> = Vec::new();
        for Offer { reviewer, first, second, .. } in chosen {
            let id = config.review_models[reviewer].reviewer_id();
            let earlier = shown.iter().filter(|one| is_by(one, &id)).count()
                + self.presented.values().filter(|one| is_by(one, &id)).count();
            let number = u32::try_from(earlier + 1).unwrap_or(u32::MAX);
            shown.push(Presented {
                job: JobName::Review { reviewer: id, number }.id(),
                order: vec![designs[first].clone(), designs[second].clone()],
                // Counted over all comparisons, so that labels are rarely reused.
                labels: anonymity::presentation(seed, asked + shown.len(), 0, 2, 1).labels,
            });
        }
        Ok(shown)
    }

    /// Adds the job of a chosen comparison.
    pub(super) fn takes_up(&mut self, presented: &Presented) {
        self.choosing = Choosing::Open;
        let config = &self.opening.config;
        let Some(JobName::Review { reviewer: id, .. }) = JobName::of(&presented.job) else { return };
        let place = config.review_models.iter().position(|entry| entry.reviewer_id() == id);
        let (Some(reviewer), Some(_)) = (place, config.until_clear) else { return };
        if self.calls.jobs.iter().any(|job| job.id == presented.job) {
            return;
        }
        let same = self.presented.values().filter(|one| is_by(one, &id) && one.order == presented.order);
        let repeat = u32::try_from(same.count()).unwrap_or(u32::MAX);
        let part = Part::new(Work::Review { reviewer, repeat }, config.review_models[reviewer].model.clone());
        self.calls.jobs.push(Job::new(presented.job.clone(), Turn::Compare, part));
    }

    /// The expected cost in US dollars of a comparison by each reviewing model, by the length of the designs.
    pub(super) fn prices(&self) -> Vec<f64> {
        let there = self.design_jobs().filter(|job| job.part.product.design.is_some());
        let lengths: Vec<u64> = there.filter_map(design_tokens).collect();
        let pair = 2 * lengths.iter().sum::<u64>() / (lengths.len() as u64).max(1);
        let frame = budget::tokens_of(self.opening.task.problem_statement.len()) + 1_000;
        let price = |model: &str| {
            let facts = self.opening.models.iter().find(|facts| facts.model_id == model);
            budget::price(facts, pair + frame, Self::expected_output(Turn::Compare))
        };
        self.opening.config.review_models.iter().map(|entry| price(&entry.model.model_id)).collect()
    }
}

/// The start of the sentence that explains why no further comparison was made.
const STOPPED: &str = "Reviewing stopped after";

fn is_by(presented: &Presented, reviewer: &str) -> bool {
    matches!(JobName::of(&presented.job), Some(JobName::Review { reviewer: id, .. }) if *id == *reviewer)
}

/// The comparisons that have not been asked yet and whose verdicts would count, by the positions of the designs among the existing
/// ones.
pub(super) fn offers(state: &State) -> Vec<Offer> {
    let config = &state.opening.config;
    let there: Vec<&Job> = state.design_jobs().filter(|job| job.part.product.design.is_some()).collect();
    let mut offers = Vec::new();
    for (reviewer, entry) in config.review_models.iter().enumerate() {
        let id = entry.reviewer_id();
        let counts = |job: &Job| {
            job.part.file().is_some()
                || comparison::counts(&config.review, &entry.model.model_id, job.part.author())
        };
        let counted = || there.iter().enumerate().filter(|(_, job)| counts(job));
        let orders = counted().flat_map(|first| counted().map(move |second| (first, second)));
        let hopeless = comparison::is_hopeless(state, reviewer);
        for ((first, one), (second, other)) in
            orders.filter(|((one, _), (other, _))| one != other && !hopeless)
        {
            let order = [one.part.model.design_id(), other.part.model.design_id()];
            let asked =
                state.presented.values().filter(|known| is_by(known, &id) && known.order == order).count();
            let asked = u32::try_from(asked).unwrap_or(u32::MAX);
            let further = asked..config.review.repeats;
            offers.extend(further.map(|earlier| Offer { reviewer, repeat: earlier + 1, first, second }));
        }
    }
    offers
}
