//! The calls of models: how many were made, how many failed, and what a job took.

use super::estimate::{Estimate, of_share};
use super::record::{Duty, PastCalls, PastRun};
use design_lab_numerics::sorting::sort_by;
use kernel::json::Deserialize;
use serde::Serialize;

/// The results of a model's jobs in one duty.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calls {
    /// `provider/model`.
    pub model: String,
    /// The kind of job.
    pub duty: Duty,
    /// The number of jobs: designs, reviews of a whole set, or comparisons.
    pub jobs: u32,
    /// The share of them that failed for good.
    pub failed: Option<Estimate>,
    /// The number of calls that they took.
    pub calls: u32,
    /// The share of calls whose answer could not be used as it was, or that returned none.
    pub again: Option<Estimate>,
    /// US dollars per job.
    pub cost: f64,
    /// Tokens per job.
    pub tokens: u64,
    /// Seconds of work per job.
    pub seconds: f64,
}

/// Returns the sums over all runs, by duty and model.
pub(super) fn sums<'a>(runs: impl Iterator<Item = &'a PastRun>) -> Vec<PastCalls> {
    let mut all = Vec::new();
    for calls in runs.flat_map(|run| &run.calls) {
        calls.add_to(&mut all);
    }
    sort_by(&mut all, |one, other| (one.duty, &one.model).cmp(&(other.duty, &other.model)));
    all
}

impl Calls {
    pub(super) fn of(sum: &PastCalls) -> Self {
        let jobs = f64::from(sum.jobs.max(1));
        Self {
            model: sum.model.clone(),
            duty: sum.duty,
            jobs: sum.jobs,
            failed: of_share(sum.failed, sum.jobs),
            calls: sum.calls,
            again: of_share(sum.unusable.saturating_add(sum.broken), sum.calls),
            cost: sum.cost / jobs,
            tokens: sum.tokens / u64::from(sum.jobs.max(1)),
            seconds: sum.ms as f64 / jobs / 1e3,
        }
    }
}

/// How long a run is expected to take, judging by how long its models took before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExpectedTime {
    /// Milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub ms: u64,
    /// The number of earlier jobs of its models that this is based on.
    pub jobs: u32,
    /// The number of calls that these jobs took.
    pub calls: u32,
    /// How many of these calls returned nothing that could be used.
    pub again: u32,
    /// Models of the run without any record, for which the mean of the others is used.
    pub unknown: u32,
}

/// Estimates how long jobs take if `concurrency` of them run at once. Phases follow one another, each with a job for each model and
/// duty in it; `None` when nothing in a phase has a record. The job that starts last may also end last, so a phase takes as long as
/// its longest job, or as all of its jobs spread over the slots, whichever is longer.
pub fn expected_time<'a>(
    runs: impl Iterator<Item = &'a PastRun>,
    phases: &[Vec<(&str, Duty)>],
    concurrency: u32,
) -> Option<ExpectedTime> {
    let known = sums(runs.filter(|run| !run.calls.is_empty()));
    let mut sum = ExpectedTime { ms: 0, jobs: 0, calls: 0, again: 0, unknown: 0 };
    let mut counted: Vec<(&str, Duty)> = Vec::new();
    for phase in phases.iter().filter(|phase| !phase.is_empty()) {
        let mut longest = 0;
        let mut together = 0_u64;
        for &(model, duty) in phase {
            let of_duty = || known.iter().filter(|one| one.duty == duty && one.jobs > 0);
            let own = of_duty().find(|one| one.model == model);
            let is_new = !counted.contains(&(model, duty));
            counted.push((model, duty));
            let usual = if let Some(own) = own {
                if is_new {
                    sum.jobs = sum.jobs.saturating_add(own.jobs);
                    sum.calls = sum.calls.saturating_add(own.calls);
                    sum.again = sum.again.saturating_add(own.unusable.saturating_add(own.broken));
                }
                own.ms / u64::from(own.jobs)
            } else {
                sum.unknown += u32::from(is_new);
                let (ms, jobs) = of_duty().fold((0_u64, 0), |(ms, jobs), one| {
                    (ms.saturating_add(one.ms), jobs + u64::from(one.jobs))
                });
                ms.checked_div(jobs)?
            };
            longest = longest.max(usual);
            together = together.saturating_add(usual);
        }
        sum.ms = sum.ms.saturating_add(longest.max(together / u64::from(concurrency.max(1))));
    }
    (sum.jobs > 0 && sum.ms > 0).then_some(sum)
}
