//! A session's data about one feature.

use super::apart::Apart;
use super::evidence::Evidence;
use super::held::Ruling;
use super::instructions;
use super::plan::Feature;
use super::session::{Progress, Reviewed, Session};
use super::test_settings::{self, TestSetting};
use kernel::protocol::JobId;
use std::collections::BTreeMap;

/// The evidence of a feature, each with whether it is void because its feature was taken back since.
pub(super) fn evidence_of<'a>(
    session: &'a Session,
    feature: &str,
) -> impl Iterator<Item = (&'a Evidence, bool)> {
    let void = session.voided.get(feature).map_or(0, |voided| voided.evidence);
    with_void(&session.evidence, void).filter(move |(one, _)| one.feature == feature)
}

/// The reviews of a feature, each with whether it is void.
pub(super) fn reviews_of<'a>(
    session: &'a Session,
    feature: &str,
) -> impl Iterator<Item = (&'a Reviewed, bool)> {
    let void = session.voided.get(feature).map_or(0, |voided| voided.reviews);
    with_void(&session.reviews, void).filter(move |(one, _)| one.feature == feature)
}

/// A feature's results from copies, each with whether it is void.
pub(super) fn apart_of<'a>(session: &'a Session, feature: &str) -> impl Iterator<Item = (&'a Apart, bool)> {
    let void = session.voided.get(feature).map_or(0, |voided| voided.apart);
    with_void(&session.apart, void).filter(move |(one, _)| one.feature == feature)
}

/// `void`: how many are void, counted from the first.
fn with_void<T>(all: &[T], void: usize) -> impl Iterator<Item = (&T, bool)> {
    all.iter().enumerate().map(move |(index, one)| (one, index < void))
}

/// The changes of a feature: while it is built, or as it was left.
#[derive(Clone, Copy, Default)]
pub(super) struct Change<'a> {
    /// The paths.
    pub(super) paths: &'a [String],
    /// What its test files have less of, in sentences.
    pub(super) weakened: &'a [String],
    /// Changed settings that decide how tests run.
    pub(super) test_settings: &'a [TestSetting],
    /// What rules of the project showed; `None` when no rule was checked.
    pub(super) ruling: Option<&'a Ruling>,
}

impl<'a> Change<'a> {
    pub(super) fn of(session: &'a Session, feature: &str) -> Self {
        if let Some(build) = session.build.as_ref().filter(|build| build.feature == feature) {
            let (paths, weakened) = (&build.changed, &build.weakened);
            let (test_settings, ruling) = (&build.test_settings, build.ruling.as_ref());
            return Self { paths, weakened, test_settings, ruling };
        }
        session.features.get(feature).map_or_else(Self::default, Progress::change)
    }
}

/// The notes for the user about a feature's change, apart from its checks: a heading and a text for each.
pub(super) fn account_of_change(session: &Session, feature: &str) -> Vec<(&'static str, String)> {
    let change = Change::of(session, feature);
    let fewer = session.fewer_tests(feature).into_iter().map(|line| ("fewer tests", line));
    let settings = test_settings::told_of(change.paths, change.test_settings).into_iter();
    let instructions = instructions::told_of(change.paths).into_iter();
    let rules = change.ruling.into_iter().flat_map(Ruling::account);
    fewer
        .chain(settings.map(|line| ("test setup changed", line)))
        .chain(instructions.map(|line| ("instructions for models changed", line)))
        .chain(rules)
        .collect()
}

/// The model that got a job.
pub(super) fn model_of<'a>(session: &'a Session, job: &JobId) -> &'a str {
    session.calls.jobs.iter().find(|other| other.id == *job).map_or("", |job| &job.part.model)
}

/// The US dollars that each feature has cost so far, summed up at once because a session with many features has many calls.
pub(super) struct Costs<'a>(BTreeMap<&'a str, f64>);

impl<'a> Costs<'a> {
    pub(super) fn new(session: &'a Session) -> Self {
        let mut costs = BTreeMap::new();
        for job in &session.calls.jobs {
            if let Some(feature) = &job.part.feature {
                *costs.entry(feature.as_str()).or_default() += job.ledger.cost;
            }
        }
        Self(costs)
    }

    pub(super) fn of(&self, feature: &Feature) -> f64 {
        self.0.get(feature.id.as_str()).copied().unwrap_or_default()
    }
}
