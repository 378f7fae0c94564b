//! A run's part in the history of all runs, and that history.

use super::code::{too_many_words, unknown_option};
use super::job::{Job, Turn, Work};
use super::parent::MERGED;
use super::run_index::Found;
use super::state::State;
use crate::design_lab::config::ReviewMode;
use crate::design_lab::history::{
    self, Duty, History, LeftOut, PastCalls, PastDesign, PastReviewer, PastRubric, PastRun,
};
use crate::design_lab::ranking::spread;
use crate::random;
use kernel::index::Owner;
use kernel::job::JobState;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::tokens::Tokens;
use std::borrow::Cow;

/// The purpose of a job in the history; `None` if it shows nothing about its model.
pub(super) fn duty(job: &Job) -> Option<Duty> {
    match job.part.work {
        Work::Topic | Work::Rubric | Work::Design(None) | Work::Map => None,
        Work::Design(_) => job.part.product.made_earlier.is_none().then_some(Duty::Design),
        Work::Review { .. } if job.turn == Turn::Compare => Some(Duty::Compare),
        Work::Review { .. } => Some(Duty::Review),
    }
}

impl State {
    /// The run's part in the history.
    pub(super) fn past(&self) -> PastRun {
        let mut past = PastRun {
            task: random::seed(&serde_json::to_string(&self.opening.task).unwrap_or_default()),
            ranked: self.ranking.is_some(),
            pairwise: self.opening.config.review.mode == ReviewMode::Pairwise,
            rubric: self.past_rubric(),
            ..PastRun::default()
        };
        for row in self.ranking.iter().flat_map(|ranking| &ranking.rankings) {
            let (line, version) = match &self.opening.parent {
                Some(parent) => parent.version(&row.design_id),
                None => (row.design_id.clone(), 1),
            };
            let is_merged = self.opening.parent.is_some() && line.starts_with(MERGED);
            let outcome = self.latest_outcome(&row.design_id);
            past.designs.push(PastDesign {
                author: row.model.clone(),
                first: version == 1 && !is_merged,
                turned_out: outcome.map(|known| known.outcome.turned_out),
                elsewhere: outcome.is_some_and(|known| known.elsewhere),
            });
            for given in &row.reviews {
                let reviewer = PastReviewer {
                    name: given.model.clone().unwrap_or_else(|| given.reviewer.to_string()),
                    person: given.model.is_none(),
                };
                let known = past.reviewers.iter().position(|known| *known == reviewer);
                let at = known.unwrap_or(past.reviewers.len());
                if known.is_none() {
                    past.reviewers.push(reviewer);
                }
                past.scores.push((past.designs.len() - 1, at, given.score));
            }
        }
        for job in self.calls.jobs.iter().chain(&self.calls.retired) {
            let Some(duty) = duty(job).filter(|_| job.state.is_settled() && job.ledger.prompts > 0) else {
                continue;
            };
            let ledger = &job.ledger;
            let calls = PastCalls {
                jobs: 1,
                failed: u32::from(matches!(job.state, JobState::Failed(_))),
                calls: ledger.prompts,
                unusable: ledger.unusable,
                broken: ledger.failures,
                cost: ledger.cost,
                tokens: ledger.tokens.total(),
                ms: ledger.busy_ms,
                ..PastCalls::none(&job.part.model.model_id, duty)
            };
            calls.add_to(&mut past.calls);
        }
        past
    }

    /// The rubric, and which of its dimensions told the designs apart; `None` before there is a ranking by scores.
    fn past_rubric(&self) -> Option<PastRubric> {
        let ranking = self.ranking.as_ref().filter(|ranking| ranking.pairwise.is_none())?;
        let spread = spread(ranking, &self.opening.config.scoring_criteria.dimensions);
        Some(PastRubric { origin: ranking.rubric.as_ref()?.origin, spread })
    }

    /// The cost and tokens of what is no longer part of the run: they are no guide to what another run takes.
    pub(super) fn retired(&self) -> (f64, u64) {
        self.calls.retired.iter().fold((0.0, 0), |(cost, tokens), job| {
            let all: &Tokens = &job.ledger.tokens;
            (cost + job.ledger.cost, all.total().saturating_add(tokens))
        })
    }
}

/// The option of `/design-lab-status` that asks for the history.
const OPTION: &str = "--history";

/// Whether the arguments of `/design-lab-status` ask for the history of all runs. The option covers all runs, so it takes no run's
/// name.
pub fn asks_for_history(text: &str) -> Result<bool, Problem> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let Some(at) = words.iter().position(|word| *word == OPTION) else { return Ok(false) };
    words.remove(at);
    let problem = match words.first() {
        None => return Ok(true),
        Some(word) if word.starts_with("--") => unknown_option(word),
        Some(word) => too_many_words(word),
    };
    Err(problem.next("Type /design-lab-status --history; it covers all runs."))
}

/// The combined history of all runs of an output directory. Runs that can't be read or are still running are listed and don't count.
/// Runs from elsewhere count like any other; of their outcomes, the history says that somebody else may have recorded them.
pub fn history(runs: &[Found]) -> History {
    let mut left_out = Vec::new();
    let mut past = Vec::new();
    for run in runs {
        match &run.summary {
            Some(summary) if run.owner == Owner::Nobody => {
                let mut own = Cow::Borrowed(&summary.own.past);
                let is_recorded = |design: &PastDesign| design.turned_out.is_some();
                if summary.origin != Origin::Here && own.designs.iter().any(is_recorded) {
                    own.to_mut().designs.iter_mut().for_each(|one| one.elsewhere |= is_recorded(one));
                }
                past.push(own);
            }
            summary => {
                let reason = match &run.problem {
                    _ if summary.is_some() => "The run is still running.".to_owned(),
                    None => "Its journal can't be read.".to_owned(),
                    Some(problem) => match &problem.next {
                        Some(next) => format!("{} {next}", problem.message),
                        None => problem.message.clone(),
                    },
                };
                left_out.push(LeftOut { run: run.name.clone(), reason });
            }
        }
    }
    history::history(&past.iter().map(AsRef::as_ref).collect::<Vec<_>>(), left_out)
}
