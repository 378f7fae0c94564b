//! A run's calls and expected cost before it starts: by the length of what is known then, and by what earlier runs of the same models
//! really took. The journal keeps it, so that the result can be compared with it.
//!
//! It is unknown how much of a project a model reads, how much it writes, and what has to be retried. So the sum is presented as a sum,
//! and only earlier runs give a range.

use super::budget::{self as prices, unpriced};
use super::code::WorkflowCode;
use super::comparison;
use super::job::{Job, Part, Turn, Work};
use super::job_name::JobName;
use super::opening::{self, DRY_RUN};
use super::parent::Step;
use super::past::duty;
use super::plan;
use super::protocol::{Decision, EventKind, Opening};
use super::run_index::Found;
use super::state::{Phase, State};
use super::until_clear;
use crate::design_lab::config::{Config, ReviewMode, UntilClear};
use crate::design_lab::history::{Duty, ExpectedTime, expected_time};
use crate::design_lab::ranking::sequential::Offer;
use crate::design_lab::report;
use crate::random;
use crate::shared::expected::{self, EarlierRuns};
use crate::shared::figures::{count, thousands};
use design_lab_numerics::sorting::sort;
use kernel::budget;
use kernel::clock::span;
use kernel::drive;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::protocol::{ModelFacts, Outcome};
use kernel::workflow::Workflow as _;
use serde::Serialize;
use std::fmt::Write as _;

/// A run's calls and expected cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Forecast {
    /// Calls that name the run, if nothing fails.
    pub naming: u32,
    /// Calls that draft the rubric for the task, if nothing fails.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub drafting: u32,
    /// Calls for designs, if nothing fails.
    pub designing: u32,
    /// Calls for reviews, if nothing fails.
    pub reviewing: u32,
    /// Calls for the decision map, if nothing fails.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub mapping: u32,
    /// Tokens of every kind, by the length of the prompts and the usual length of the answers.
    #[cfg_attr(test, ts(type = "number"))]
    pub tokens: u64,
    /// The cost of these tokens in US dollars.
    pub cost: f64,
    /// What comparing the first two designs takes in addition if their scores are close; `None` if that isn't wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub close_pair: Option<CloseCalls>,
    /// What earlier runs of the same models took.
    pub earlier: Option<EarlierRuns>,
    /// How long the run takes, judged by how long these models took in earlier runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub time: Option<ExpectedTime>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(calls: &u32) -> bool {
    *calls == 0
}

/// What comparing the first two designs takes at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CloseCalls {
    /// Calls, if nothing fails.
    pub calls: u32,
    /// Tokens of every kind, estimated like those of the run.
    #[cfg_attr(test, ts(type = "number"))]
    pub tokens: u64,
    /// The cost of these tokens in US dollars.
    pub cost: f64,
}

/// Adds the forecast to the opening. `runs`: those of the output directory.
pub fn foreseen(opening: Opening, runs: &[Found]) -> Opening {
    Opening { forecast: Some(forecast(&opening, runs)), ..opening }
}

fn forecast(opening: &Opening, runs: &[Found]) -> Forecast {
    let of_panel = panel(opening);
    let state = State::open(opening.clone(), 0);
    let time = expected_time(
        runs.iter().filter_map(|run| Some(&run.summary.as_ref()?.own.past)),
        &phases(&state),
        opening.config.concurrency,
    );
    // Those runs were reviewed.
    let runs = if opening.review_later { &[] } else { runs };
    let alike = runs
        .iter()
        .filter_map(|run| run.summary.as_ref())
        .filter(|run| run.outcome == Some(Outcome::Complete) && run.own.panel == of_panel)
        .map(|run| {
            let tokens = run.tokens.total().saturating_sub(run.own.retired_tokens);
            (tokens, (run.cost - run.own.retired_cost).max(0.0))
        });
    let earlier = EarlierRuns::of(alike);
    Forecast { earlier, time, ..of_rest(&state) }
}

/// The models and their duties in the run: designs first, then reviews.
fn phases(state: &State) -> [Vec<(&str, Duty)>; 2] {
    let mut phases = [Vec::new(), Vec::new()];
    for job in &state.calls.jobs {
        let Some(duty) = duty(job) else { continue };
        if !(state.opening.review_later && duty != Duty::Design) {
            phases[usize::from(duty != Duty::Design)].push((job.part.model.model_id.as_str(), duty));
        }
    }
    let designs = state.design_jobs().count();
    if !state.opening.review_later && state.opening.config.review.mode == ReviewMode::Pairwise {
        for entry in &state.opening.config.review_models {
            for repeat in 0..state.opening.config.review.repeats {
                let pairs = comparison::schedule(state.opening.seed, designs, &entry.model.id, repeat).len();
                phases[1].extend((0..pairs).map(|_| (entry.model.model_id.as_str(), Duty::Compare)));
            }
        }
    }
    phases
}

/// Whether the user only wants to know what a run would cost.
pub fn asks_for_forecast(text: &str) -> bool {
    opening::flags(text).0.contains(&DRY_RUN)
}

/// A run's calls and expected cost, as the chat shows them.
pub fn wording(opening: &Opening, runs: &[Found]) -> String {
    let Opening { task, config, notes, .. } = opening;
    report::dry_run(task, config, notes, &expected(opening, runs), "/design-lab <task>")
}

/// The subject of a question, followed by the expected cost: at the end, so that the user's rules still match.
pub fn priced(pattern: &str, expected: &str) -> String {
    format!("{pattern} · {expected}")
}

/// The calls that continuing a ranked run takes, and their expected cost: for a question to the user, or as a full dry run of the
/// command if there is no `question`.
pub(super) fn told(opening: Opening, question: Option<&str>, command: &str) -> String {
    let Opening { task, config, models, forecast, .. } = opening;
    let expected = forecast.unwrap_or_default().sentences(&config, &models);
    match question {
        Some(pattern) => priced(pattern, &expected),
        None => report::dry_run(&task, &config, &[], &expected, command),
    }
}

/// A run's calls and expected cost, in sentences.
pub fn expected(opening: &Opening, runs: &[Found]) -> String {
    forecast(opening, runs).sentences(&opening.config, &opening.models)
}

/// A number shared by all runs in which the same models are asked the same number of times.
pub(super) fn panel(opening: &Opening) -> u64 {
    let Opening { config, parent, .. } = opening;
    let step = parent.as_ref().map(|parent| match parent.step {
        Step::Review => "review",
        Step::Refine { .. } => "refine",
        Step::Merge { .. } => "merge",
    });
    let mut designers: Vec<_> =
        config.design_models.iter().map(|model| (&model.model_id, &model.variant)).collect();
    sort(&mut designers);
    let mut reviewers: Vec<_> = config
        .review_models
        .iter()
        .map(|entry| (&entry.model.model_id, &entry.model.variant, entry.evaluation_criteria.qualitative))
        .collect();
    sort(&mut reviewers);
    let asked = (step, designers, reviewers, config.review.mode, config.review.repeats, config.review.turns);
    let mut asked = serde_json::to_string(&asked).unwrap_or_default();
    match opening.own_files().count() {
        0 => {}
        own => _ = write!(asked, " {own}"),
    }
    if config.until_clear.is_some() {
        asked.push_str(" until clear");
    }
    if config.decision_map {
        asked.push_str(" map");
    }
    if config.review.compares_close_pairs() {
        asked.push_str(" close pairs");
    }
    random::seed(&asked)
}

/// The forecast of a run's reviews, as if they started now.
pub(super) fn of_reviews(state: &State) -> Forecast {
    let mut state = state.clone();
    state.amendments.review_later = false;
    of_rest(&state)
}

/// Sums up what is still asked of each model until the run ends, if nothing fails.
pub(super) fn of_rest(state: &State) -> Forecast {
    let opening = &state.opening;
    let mut sum = Forecast::default();
    let designs: Vec<u64> = state.calls.jobs.iter().filter_map(design_tokens).collect();
    let material: u64 = designs.iter().sum();
    let of_pair = tokens_of_pair(state);
    let has_due_map = state.due_map().is_some();
    let is_asked = |job: &&Job| {
        if job.part.work == Work::Map && !has_due_map {
            return false;
        }
        let is_later = matches!(job.part.work, Work::Review { .. } | Work::Map);
        let later = state.amendments.review_later && is_later;
        !(later || job.state.is_settled())
    };
    for job in state.calls.jobs.iter().filter(is_asked) {
        match job.turn {
            Turn::Topic | Turn::Rubric | Turn::Design | Turn::Refine | Turn::Claims => {
                sum.add(state, job, 1, 0);
            }
            Turn::Merge | Turn::Whole | Turn::Scores | Turn::Map => _ = sum.add(state, job, 1, material),
            Turn::Compare => _ = sum.add(state, job, 1, of_pair),
            Turn::Prose => {
                let so_far = sum.add(state, job, 1, material);
                // The conversation continues, so all of it is sent again.
                let scores = Job::new(job.id.clone(), Turn::Scores, job.part.clone());
                sum.add(state, &scores, 1, so_far);
            }
        }
    }
    sum.close_pair = close_calls(state);
    if !state.amendments.review_later && opening.config.review.mode == ReviewMode::Pairwise {
        let offers = opening.config.until_clear.map(|_| until_clear::offers(state));
        let reviewers = opening.config.review_models.iter().enumerate();
        // Reviewers who have been asked have their jobs already.
        let is_asked = |reviewer| offers.is_some() || state.review_jobs(reviewer).next().is_none();
        for (reviewer, entry) in reviewers.filter(|(reviewer, _)| is_asked(*reviewer)) {
            for repeat in 0..opening.config.review.repeats {
                let name = JobName::Review { reviewer: entry.reviewer_id(), number: 1 };
                let part = Part::new(Work::Review { reviewer, repeat }, entry.model.clone());
                let job = Job::new(name.id(), Turn::Compare, part);
                let is_it = |offer: &&Offer| (offer.reviewer, offer.repeat) == (reviewer, repeat + 1);
                let pairs = match &offers {
                    Some(offers) => offers.iter().filter(is_it).count(),
                    None => comparison::schedule(opening.seed, designs.len(), &entry.model.id, repeat).len(),
                };
                sum.add(state, &job, u32::try_from(pairs).unwrap_or(u32::MAX), of_pair);
            }
        }
    }
    sum
}

/// What comparing the first two designs takes; `None` if that can't follow any more.
fn close_calls(state: &State) -> Option<CloseCalls> {
    let Forecast { reviewing, tokens, cost, .. } = of_comparisons(state, &state.possible_comparisons());
    (reviewing > 0).then_some(CloseCalls { calls: reviewing, tokens, cost })
}

/// What comparisons of two designs take: so many calls of each of these reviewers.
pub(super) fn of_comparisons(state: &State, calls: &[(usize, u32)]) -> Forecast {
    let of_pair = tokens_of_pair(state);
    let mut sum = Forecast::default();
    for &(reviewer, calls) in calls {
        let entry = &state.opening.config.review_models[reviewer];
        let name = JobName::Pair { reviewer: entry.reviewer_id(), number: 1 };
        let part = Part::new(Work::Review { reviewer, repeat: 0 }, entry.model.clone());
        sum.add(state, &Job::new(name.id(), Turn::Compare, part), calls, of_pair);
    }
    sum
}

/// The length of two designs in tokens, known or expected.
fn tokens_of_pair(state: &State) -> u64 {
    let designs: Vec<u64> = state.calls.jobs.iter().filter_map(design_tokens).collect();
    designs.iter().sum::<u64>() / u64::try_from(designs.len().max(1)).unwrap_or(1) * 2
}

/// The length of a job's design in tokens, known or expected; `None` for other jobs.
pub(super) fn design_tokens(job: &Job) -> Option<u64> {
    matches!(job.part.work, Work::Design(_)).then(|| match &job.part.product.design {
        Some(design) => budget::tokens_of(serde_json::to_string(design).unwrap_or_default().len()),
        None => State::expected_output(Turn::Design),
    })
}

impl State {
    /// Explains why no reviewer is asked yet in a run whose designs were left unreviewed: it may cost more than the user allows without
    /// a yes. `None` when the reviewers are asked at once. `event`: the event that continues the run.
    pub(super) fn asks_before_reviews(
        &self,
        event: &EventKind,
        until: Option<UntilClear>,
    ) -> Option<Problem> {
        // An explicit limit already states what the reviews may cost.
        if until.is_some_and(|until| until.max_cost_usd.is_some()) {
            return None;
        }
        let mut then = self.clone();
        if let (Phase::Over(Outcome::Paused), EventKind::Decided(Decision::Reconfigured(change))) =
            (self.phase, event)
        {
            then.opening.config.clone_from(&change.config);
            then.opening.models.clone_from(&change.models);
            let is_review = |job: &Job| matches!(job.part.work, Work::Review { .. } | Work::Map);
            then.calls.jobs.retain(|job| !is_review(job));
            then.calls.jobs.extend(plan::jobs(&then.opening).into_iter().filter(is_review));
        }
        let why = then.review_question()?;
        let run = self.directory.name.as_deref().unwrap_or_default();
        let message = format!("No model has been called yet: {why}.");
        let next = format!("/design-lab-resume {run} --yes starts the reviews anyway.");
        Some(Problem::new(WorkflowCode::WantsYes, message).next(next))
    }

    /// Explains why the user is asked before the designs are reviewed; `None` when that isn't necessary.
    pub(super) fn review_question(&self) -> Option<String> {
        if self.phase != Phase::Over(Outcome::Paused) || self.opening.config.review_models.is_empty() {
            return None;
        }
        let forecast = Some(of_reviews(self));
        let mut asked = Opening { forecast, permitted: false, review_later: false, ..self.opening.clone() };
        asked.config.design_models.clear();
        let first = asked.config.review_models.first().map(|entry| entry.model.model_id.clone());
        asked.config.topic_generator_model = first.unwrap_or_default();
        prices::awaits_yes(&asked)
    }

    /// Adds what is asked beyond the run's opening to the forecast.
    pub(super) fn foresee_more(&mut self) {
        let more = of_rest(self);
        self.further = Some(more.clone());
        if let Some(forecast) = &mut self.opening.forecast {
            forecast.naming += more.naming;
            forecast.drafting += more.drafting;
            forecast.designing += more.designing;
            forecast.reviewing += more.reviewing;
            forecast.mapping += more.mapping;
            forecast.tokens += more.tokens;
            forecast.cost += more.cost;
            forecast.close_pair = more.close_pair;
        }
    }
}

impl Forecast {
    /// Adds this number of calls like a job's next one, and returns the tokens of one of them. `unseen`: tokens that will be sent with
    /// it and aren't known yet.
    pub(super) fn add(&mut self, state: &State, job: &Job, calls: u32, unseen: u64) -> u64 {
        *match job.turn {
            Turn::Topic => &mut self.naming,
            Turn::Rubric => &mut self.drafting,
            Turn::Design | Turn::Refine | Turn::Merge | Turn::Claims => &mut self.designing,
            Turn::Prose | Turn::Whole | Turn::Scores | Turn::Compare => &mut self.reviewing,
            Turn::Map => &mut self.mapping,
        } += calls;
        let known = drive::estimate(state, job);
        let facts = state.opening.models.iter().find(|facts| facts.model_id == job.part.model.model_id);
        let tokens = known.tokens + unseen;
        self.tokens += tokens * u64::from(calls);
        self.cost += (known.cost + budget::price(facts, unseen, 0)) * f64::from(calls);
        tokens
    }

    /// The highest expected cost in US dollars, as far as it can be estimated.
    pub(super) fn most(&self) -> f64 {
        let close = self.close_pair.map_or(0.0, |close| close.cost);
        self.earlier.iter().fold(self.cost + close, |most, earlier| most.max(earlier.cost[1]))
    }

    /// The number of calls.
    pub(super) fn all_calls(&self) -> u32 {
        self.naming + self.drafting + self.designing + self.reviewing + self.mapping
    }

    /// The number of calls, and what they are for.
    fn calls(&self) -> String {
        let parts = [
            (self.naming, "to name the run"),
            (self.drafting, "to draft the rubric"),
            (self.designing, "for designs"),
            (self.reviewing, "for reviews"),
            (self.mapping, "for the decision map"),
        ];
        let all = self.all_calls();
        let parts: Vec<String> = parts
            .iter()
            .filter(|(calls, _)| *calls > 0)
            .map(|(calls, what)| format!("{} {what}", thousands((*calls).into())))
            .collect();
        format!("{}: {}", count(all.into(), "call", "calls"), parts.join(", "))
    }

    /// The sum by length, in figures.
    fn sum(&self) -> String {
        expected::sum(self.cost, self.tokens)
    }

    /// The expected sum next to the actual one.
    pub(super) fn beside(&self, cost: f64, tokens: u64) -> String {
        expected::beside((self.cost, self.tokens), (cost, tokens))
    }

    /// Everything that is known before the first call.
    pub(super) fn sentences(&self, config: &Config, models: &[ModelFacts]) -> String {
        let mut said = format!(
            "{}. Estimated from the length of the prompts: {}. Models that read much of the project or need a \
             retry cost more.",
            self.calls(),
            self.sum()
        );
        if let Some(CloseCalls { calls, tokens, cost }) = self.close_pair {
            let _ = write!(
                said,
                " If the first two designs are less than a point apart, reviewers also compare them: at most \
                 {}, {}.",
                count(calls.into(), "more call", "more calls"),
                expected::sum(cost, tokens)
            );
        }
        if let Some(earlier) = &self.earlier {
            let runs = match earlier.runs {
                1 => "An earlier run of these models took".to_owned(),
                runs => format!("{runs} earlier runs of these models took"),
            };
            let _ = write!(said, " {runs} {}.", earlier.range());
        }
        if let Some(time) = &self.time {
            said += &time_sentence(time);
        }
        if config.until_clear.is_some() {
            said.push_str(" This counts all possible comparisons. The run makes only those that matter.");
        }
        if self.reviewing == 0 && self.mapping == 0 && !config.review_models.is_empty() {
            said.push_str(" Reviews come later and aren't counted here.");
        }
        if let Some(unpriced) = unpriced(config, models) {
            let _ = write!(said, " {unpriced}");
        }
        said
    }
}

/// How long the run takes, and what the estimate is based on.
fn time_sentence(time: &ExpectedTime) -> String {
    let ExpectedTime { ms, jobs, calls, again, unknown } = *time;
    let them = if jobs == 1 { "it" } else { "them" };
    let mut said = format!(
        " The run takes about {}, based on {} by these models. {} of the {} for {them} needed a retry",
        span(ms),
        count(jobs.into(), "earlier design or review", "earlier designs and reviews"),
        thousands(again.into()),
        count(calls.into(), "call", "calls")
    );
    if unknown > 0 {
        let _ = write!(
            said,
            ". In {}, a model has no earlier calls of that kind, so the estimate uses the mean of the other \
             models",
            count(unknown.into(), "case", "cases")
        );
    }
    said + "."
}
