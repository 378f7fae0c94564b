//! Which rubrics told designs apart, and by which dimensions.

use super::record::PastRun;
use crate::design_lab::ranking::RubricOrigin;
use design_lab_numerics::sorting::{set, sort_by};
use serde::Serialize;

/// The rubrics of one origin in all runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rubrics {
    /// Where they come from.
    pub origin: RubricOrigin,
    /// The number of runs whose designs they told apart.
    pub runs: u32,
    /// Their dimensions, those that tell designs apart most first.
    pub dimensions: Vec<TellsApart>,
}

/// How much a dimension told designs apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TellsApart {
    /// The dimension.
    pub name: String,
    /// The number of runs with this dimension.
    pub runs: u32,
    /// The mean share of the dimension, from 0 to 1, in the variance between the designs' mean scores.
    pub share: f64,
}

/// Returns the rubrics by their origin.
pub(super) fn rubrics(runs: &[&PastRun]) -> Vec<Rubrics> {
    let used = || runs.iter().filter_map(|run| run.rubric.as_ref()).filter(|used| !used.spread.is_empty());
    let origins = set(used().map(|used| used.origin)).into_iter();
    let of_origin = |origin| {
        let shares = || used().filter(move |used| used.origin == origin).flat_map(|used| &used.spread);
        let mut dimensions: Vec<TellsApart> = set(shares().map(|(name, _)| name))
            .into_iter()
            .map(|name| {
                let of_name: Vec<f64> =
                    shares().filter(|(other, _)| other == name).map(|(_, share)| *share).collect();
                TellsApart {
                    name: name.clone(),
                    runs: u32::try_from(of_name.len()).unwrap_or(u32::MAX),
                    share: of_name.iter().sum::<f64>() / of_name.len() as f64,
                }
            })
            .collect();
        sort_by(&mut dimensions, |one, other| other.share.total_cmp(&one.share));
        let runs = used().filter(|used| used.origin == origin).count();
        Rubrics { origin, runs: u32::try_from(runs).unwrap_or(u32::MAX), dimensions }
    };
    origins.map(of_origin).collect()
}
