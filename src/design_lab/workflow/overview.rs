//! The state as people see it: the source of the reports and the live messages.

use super::budget;
use super::comparison;
use super::forecast;
use super::job;
use super::job::{Job, Turn, Work};
use super::protocol::Opening;
use super::results;
use super::state::{Naming, Phase, State};
use crate::design_lab::anonymity::Names;
use crate::design_lab::config::ReviewMode;
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::InShort;
use crate::design_lab::report::{First, Overview, Stage};
use kernel::progress::{Participant, Standing};
use kernel::protocol::Outcome;

impl State {
    /// Everything that a person may see of the run at this moment.
    pub(super) fn overview(&self, now: u64) -> Overview<'_> {
        let end = match self.phase {
            Phase::Over(_) => self.calls.clock.now,
            _ => now.max(self.calls.clock.now),
        };
        let (cost, tokens) = self.calls.spent();
        let overview =
            Overview {
                task: &self.opening.task,
                first: self.first(),
                directory: self.directory.name.as_ref().map(|name| {
                    format!("{}/{name}", self.opening.config.output_directory.trim_end_matches('/'))
                }),
                stage: match self.phase {
                    Phase::Unconfirmed | Phase::Drafting => Stage::Setup,
                    Phase::Designing if self.design_jobs().all(|job| job.ledger.prompts == 0) => Stage::Setup,
                    Phase::Designing => Stage::Design,
                    Phase::Reviewing => Stage::Review,
                    Phase::Mapping => Stage::Map,
                    Phase::Over(outcome) => Stage::Over(outcome),
                },
                designers: self.writers(end),
                reviewers: match self.opening.config.review.mode {
                    ReviewMode::Scores => self.participants(end, |work| matches!(work, Work::Review { .. })),
                    ReviewMode::Pairwise => comparison::participants(self, end),
                },
                mapper: self.due_map().map(|job| participant(job, end)),
                mapped: self.mapped_points(),
                interrupted: false,
                elapsed_ms: end.saturating_sub(self.calls.clock.from),
                expected_ms: self.expected_ms(end),
                left_ms: self.left_ms(end),
                cost,
                tokens,
                expected: self.expected(cost, tokens.total()),
                waiting: match self.phase {
                    Phase::Over(Outcome::Waiting) if self.naming == Naming::Ahead => {
                        budget::awaits_yes(&self.opening)
                    }
                    _ => None,
                },
                asks_for_vendors: self.opening.vendors.is_some(),
                draft: self.draft_to_show(),
                void_cap: budget::void_cap(&self.opening.config, &self.opening.models),
                // The configuration that the run continues with after a change is news only until the run ends.
                notes: match self.phase {
                    Phase::Over(_) => &self.lasting_notes,
                    _ => &self.notes,
                },
                isolated: self.isolated,
                unchecked_tools: self.unchecked_tools.iter().map(String::as_str).collect(),
                no_further_round: self.no_further_round(),
                closing: self.calls.closing.as_deref(),
                problem: self.problem.as_ref(),
                ranking: self.ranking.as_ref(),
                offers: self.offers(),
                map_offer: self.map_offer(),
                outcomes: &self.outcomes,
            };
        if matches!(self.phase, Phase::Over(_)) { overview.at_rest() } else { overview }
    }

    /// The designs that came first; all of them if none was reviewed yet.
    fn first(&self) -> Vec<First<'_>> {
        if self.phase == Phase::Over(Outcome::Paused) {
            let designs = self.design_jobs().filter_map(|job| {
                let design = job.part.product.design.as_ref()?;
                let design_id = job.part.model.design_id();
                let author = job.part.author();
                Some(First {
                    design_id,
                    author,
                    title: &design.title,
                    summary: &design.summary,
                    objection: None,
                })
            });
            return designs.collect();
        }
        let rows = self.ranking.iter().flat_map(|ranking| &ranking.rankings);
        rows.filter(|row| row.rank == Some(1))
            .filter_map(|row| {
                let job = self.design_jobs().find(|job| job.part.model.design_id() == row.design_id)?;
                let design = job.part.product.design.as_ref()?;
                Some(First {
                    design_id: row.design_id.clone(),
                    author: job.part.author(),
                    title: &design.title,
                    summary: &design.summary,
                    objection: results::objection(self, row),
                })
            })
            .collect()
    }

    /// The ranking in one line; `None` before there is one.
    pub(super) fn in_short(&self) -> Option<InShort> {
        let title_of = |id: &DesignId| {
            let job = self.design_jobs().find(|job| job.part.model.design_id() == *id)?;
            Some(job.part.product.design.as_ref()?.title.as_str())
        };
        Some(self.ranking.as_ref()?.in_short(title_of))
    }

    /// The run's expected cost and, once it has its result, the actual cost next to it.
    fn expected(&self, cost: f64, tokens: u64) -> Option<String> {
        let Opening { config, models, forecast, .. } = &self.opening;
        let forecast = forecast.as_ref()?;
        match self.phase {
            Phase::Over(Outcome::Paused) => {
                let mut wording = forecast.beside(cost, tokens);
                if !config.review_models.is_empty() {
                    let reviews = forecast::of_reviews(self).sentences(config, models);
                    wording = format!("{wording} If it is reviewed, {reviews}");
                    if let (Some(why), Some(run)) = (self.review_question(), &self.directory.name) {
                        wording = format!(
                            "{wording} You are asked first, because {why}: /design-lab-resume {run} --yes \
                             starts the reviews."
                        );
                    }
                }
                Some(wording)
            }
            Phase::Over(outcome) if outcome != Outcome::Waiting => {
                outcome.is_done().then(|| forecast.beside(cost, tokens))
            }
            _ => Some(self.further.as_ref().unwrap_or(forecast).sentences(config, models)),
        }
    }

    /// The remaining time of the current phase's calls, in milliseconds.
    fn expected_ms(&self, now: u64) -> Option<u64> {
        let of_phase = |job: &Job| match self.phase {
            Phase::Designing => matches!(job.part.work, Work::Design(_)),
            Phase::Reviewing => matches!(job.part.work, Work::Review { .. }),
            Phase::Mapping => job.part.work == Work::Map,
            _ => false,
        };
        self.calls.expected_ms(of_phase, self.opening.config.concurrency, now)
    }

    /// The rest of the run's expected time; `None` once that has passed.
    fn left_ms(&self, now: u64) -> Option<u64> {
        let time = self.opening.forecast.as_ref()?.time.as_ref()?;
        time.ms.checked_sub(now.saturating_sub(self.calls.clock.from)).filter(|left| *left > 0)
    }

    /// The models that write designs in this run; designs of an earlier run are not part of its progress.
    fn writers(&self, now: u64) -> Vec<Participant> {
        let writes =
            |job: &&Job| matches!(job.part.work, Work::Design(_)) && job.part.product.made_earlier.is_none();
        self.calls.jobs.iter().filter(writes).map(|job| participant(job, now)).collect()
    }

    fn participants(&self, now: u64, of: impl Fn(Work) -> bool) -> Vec<Participant> {
        self.calls.jobs.iter().filter(|job| of(job.part.work)).map(|job| participant(job, now)).collect()
    }

    /// The names that could tell a reviewer who wrote a design.
    pub(super) fn names(&self) -> Names {
        let reported = self.calls.jobs.iter().map(|job| job.ledger.model_version.clone());
        let reported: Vec<String> = reported.filter(|name| !name.is_empty()).collect();
        match &self.opening.parent {
            None => Names::new(&self.opening.config, &reported, &self.opening.task),
            Some(parent) => {
                let mut config = self.opening.config.clone();
                for model in &mut config.design_models {
                    model.id = parent.nickname(model);
                }
                Names::new(&config, &reported, &self.opening.task)
            }
        }
    }
}

fn participant(job: &Job, now: u64) -> Participant {
    let doing = match job.turn {
        Turn::Topic => "naming",
        Turn::Rubric => "drafting",
        Turn::Design => "writing",
        Turn::Refine => "revising",
        Turn::Merge => "merging",
        Turn::Claims => "listing claims",
        Turn::Prose | Turn::Whole => "reading",
        Turn::Scores => "scoring",
        Turn::Compare => "comparing",
        Turn::Map => "mapping",
    };
    let standing = Standing::of(job, doing, now);
    Participant::of(job::label(job), job.part.model.model_id.clone(), standing, &[job], now)
}
