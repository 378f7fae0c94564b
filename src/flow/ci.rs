//! What a session shows, for build servers and pull requests: each criterion with the check that decides it, its result and its tier.

use super::apart::Purpose;
use super::code::FlowCode;
use super::evidence::{Standing, named};
use super::foreign;
use super::of_feature::{Change, evidence_of, reviews_of};
use super::plan::{Check, Feature};
use super::protocol::Decision;
use super::session::{Progress, Session};
use super::status;
use super::verify::{Repeated, completed_tree, repeated};
use crate::shared::ci::{Given, Kind, Outcome, Place, Results, Row, Texts};
use crate::shared::citation::Citation;
use crate::shared::figures::count;
use crate::shared::spelled::spelled;
use crate::shared::tier::Tier;
use design_lab_numerics::sorting::map;
use kernel::journal::Chain;
use kernel::origin::Origin;
use std::collections::BTreeMap;

/// Where sessions are, from the project's root.
pub(super) const SESSIONS: &str = ".flow/sessions";

/// Where the results come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    /// The checks that this command ran again; `None` if it ran none.
    pub(super) repeated: Option<&'a [Repeated]>,
    /// Whether this machine vouches for what the journal records.
    pub(super) origin: Origin,
    /// The project's directory below the repository's root.
    pub(super) prefix: &'a str,
}

/// The texts for build servers. `ran`: the result of the effect that runs the checks again, if it was performed.
pub(super) fn texts(
    session: &Session,
    chain: &Chain,
    given: &Given,
    ran: Option<&Decision>,
    origin: Origin,
) -> Texts {
    let repeated = ran.and_then(|seen| repeated(session, seen).ok());
    let mut given = given.clone();
    if repeated.is_some() {
        // The rows of the checks show these.
        given.problems.retain(|problem| problem.code != FlowCode::VerifyCheck);
    }
    let source = Source { repeated: repeated.as_deref(), origin, prefix: &given.prefix };
    let facts = vec![
        ("Status", status::status(session).word().to_owned()),
        ("Journal", format!("{}, {}", count(chain.lines(), "line", "lines"), foreign::vouched(origin))),
        ("Journal head", chain.head()),
        ("Tree", completed_tree(session).map(ToString::to_string).unwrap_or_default()),
        ("Checks", checks(session, source).to_owned()),
    ];
    let rows = rows(session, source);
    let results = Results::new("Flow", &directory(session), &given).with(goal(session), facts, rows);
    results.with_files(FlowCode::VerifyTree, &given).texts()
}

/// The session's directory, from the project's root.
pub(super) fn directory(session: &Session) -> String {
    format!("{SESSIONS}/{}", session.directory.name.as_deref().unwrap_or_default())
}

/// The first line of the goal.
pub(super) fn goal(session: &Session) -> &str {
    session.opening.goal.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

fn checks(session: &Session, source: Source<'_>) -> &'static str {
    match source.repeated {
        Some(_) => "run again in a clean copy of these files",
        None if completed_tree(session).is_some() => "not run now: the results are those in the journal",
        None => "not run now: the session isn't complete",
    }
}

/// The criteria of the plan in its order, then the checks that were run again.
pub(super) fn rows(session: &Session, source: Source<'_>) -> Vec<Row> {
    let criteria = session.all_planned().flat_map(|feature| criteria(session, feature, source));
    criteria.chain(source.repeated.into_iter().flatten().map(of_check)).collect()
}

/// How a criterion or a check ended.
#[derive(Clone)]
struct Seen {
    outcome: Outcome,
    result: String,
    tier: Tier,
    place: Option<Place>,
}

impl Seen {
    fn open(result: impl Into<String>) -> Self {
        Self { outcome: Outcome::Open, result: result.into(), tier: Tier::NotChecked, place: None }
    }

    fn of(passed: bool, result: String, tier: Tier) -> Self {
        let outcome = if passed { Outcome::Passed } else { Outcome::Failed };
        Self { outcome, result, tier, place: None }
    }

    /// What the journal records, if this machine vouches for it; otherwise it decides nothing.
    fn recorded(self, origin: Origin) -> Self {
        if origin == Origin::Here {
            return self;
        }
        Self { place: self.place, ..Self::open(format!("recorded on another machine: {}", self.result)) }
    }
}

fn criteria(session: &Session, feature: &Feature, source: Source<'_>) -> Vec<Row> {
    let seen: BTreeMap<&str, (String, Seen)> = map(feature
        .verification
        .iter()
        .map(|check| (check.id.as_str(), (spelled(&check.command), seen(session, feature, check, source)))));
    let judged: BTreeMap<&str, Seen> = judged(session, feature, source);
    let changed = Change::of(session, &feature.id).paths;
    let place = changed.iter().find_map(|path| Place::of(path, None, ""));
    let row = |criterion: &super::plan::Criterion| {
        let decided = seen.get(criterion.verified_by.as_str());
        let (by, seen) = match (criterion.unverifiable(), decided) {
            (Some(why), _) => (String::new(), Seen::open(format!("can't be decided here: {why}"))),
            (None, Some((command, seen))) => (command.clone(), seen.clone()),
            (None, None) => {
                let said = judged.get(criterion.id.as_str()).cloned();
                ("review".to_owned(), said.unwrap_or_else(|| Seen::open("not reviewed")))
            }
        };
        Row {
            kind: Kind::Criterion,
            group: feature.id.clone(),
            id: criterion.id.clone(),
            text: criterion.text.clone(),
            by,
            outcome: seen.outcome,
            result: seen.result,
            tier: seen.tier,
            place: seen.place.or_else(|| place.clone()),
            took_ms: 0,
            output: String::new(),
        }
    };
    feature.acceptance.iter().map(row).collect()
}

/// The result of a check: of its run now, or as recorded for the files with which the session or the feature was completed.
fn seen(session: &Session, feature: &Feature, check: &Check, source: Source<'_>) -> Seen {
    if let Some(repeated) = source.repeated {
        let now = repeated.iter().find(|one| one.check.command == check.command);
        return now.map_or_else(|| Seen::open("not run"), of_repeated);
    }
    let Some(own) = session.features.get(&feature.id).and_then(Progress::tree) else {
        return Seen::open("the feature isn't complete");
    };
    let tree = completed_tree(session).unwrap_or(own);
    let copies = session.apart.iter().rev().filter(|one| one.purpose == Purpose::Again);
    let copy = copies.filter(|one| one.argv == check.command).find(|one| one.tree == *tree);
    if let Some(one) = copy {
        return Seen::of(one.passed() == Some(true), one.account(), one.tier()).recorded(source.origin);
    }
    // Sessions from before there were copies, and projects without git.
    let name = named(&feature.id, &check.id);
    let is_it = |id: &str| id == check.id || id == name;
    let mut here = evidence_of(session, &feature.id).filter(|(one, void)| !void && is_it(&one.check));
    let last = here.by_ref().filter(|(one, _)| one.tree == *own).last();
    last.map_or_else(
        || Seen::open("no result for these files"),
        |(one, _)| {
            Seen::of(one.standing() == Standing::Passed, one.account(), Tier::Observed)
                .recorded(source.origin)
        },
    )
}

fn of_repeated(one: &Repeated) -> Seen {
    let result = if one.differs() {
        format!("{}; when the session was completed: {}", one.now, one.then)
    } else {
        one.now.clone()
    };
    Seen::of(one.ran.passed() && !one.differs(), result, Tier::ReExecuted)
}

/// The criteria that the last review of a completed feature sees met, with the place.
fn judged<'a>(session: &'a Session, feature: &Feature, source: Source<'_>) -> BTreeMap<&'a str, Seen> {
    let tree = session.features.get(&feature.id).and_then(Progress::tree);
    let of_these = reviews_of(session, &feature.id)
        .filter(|(one, void)| !void && !one.whole && Some(&one.tree) == tree)
        .last();
    let met = of_these.into_iter().flat_map(|(one, _)| &one.review.criteria).filter(|one| one.met);
    map(met.map(|one| {
        let cited = Citation::all_in(&one.r#where).into_iter().next();
        let seen = Seen {
            outcome: Outcome::Open,
            result: format!("met according to the reviewer: {}", one.r#where),
            tier: Tier::Opinion,
            place: cited.and_then(|cited| Place::of(&cited.path, cited.line, source.prefix)),
        };
        (one.id.as_str(), seen.recorded(source.origin))
    }))
}

fn of_check(one: &Repeated) -> Row {
    let seen = of_repeated(one);
    Row {
        kind: Kind::Check,
        group: "checks".to_owned(),
        id: one.check.id.clone(),
        text: String::new(),
        by: spelled(&one.check.command),
        outcome: seen.outcome,
        result: seen.result,
        tier: seen.tier,
        place: None,
        took_ms: one.ran.duration_ms,
        output: if seen.outcome == Outcome::Failed { one.ran.output.tail.clone() } else { String::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Run;
    use crate::flow::protocol::RanApart;
    use crate::flow::tests::{failed, went_well, whole_journal};
    use crate::shared::runners::Tests;
    use kernel::run::Durable as _;

    fn texts_of(run: &Run, ran: Option<Vec<crate::shared::ran::Ran>>, origin: Origin) -> Texts {
        let given = Given { package: "0.1.0".to_owned(), ..Given::default() };
        let ran = ran.map(|runs| Decision::RanApart(Box::new(RanApart { runs, ..RanApart::default() })));
        run.ci(&given, ran.as_ref(), origin).unwrap()
    }

    #[test]
    fn a_session_for_build_servers() {
        let run = Run::replay(&whole_journal()).unwrap().0;
        let texts =
            texts_of(&run, Some(vec![went_well(), failed("not ok 1"), went_well()]), Origin::Elsewhere);
        insta::assert_snapshot!("junit", texts.junit);
        insta::assert_snapshot!("summary", texts.summary);
    }

    #[test]
    fn what_another_machine_recorded_passes_nothing() {
        let run = Run::replay(&whole_journal()).unwrap().0;
        let here = texts_of(&run, None, Origin::Here).summary;
        assert!(
            here.contains("| limits/refills: refills holds | node --test test/limits.test.js | ✓ "),
            "{here}"
        );
        assert!(here.contains("4 criteria: 2 passed, 2 not decided by a check."), "{here}");
        for origin in [Origin::Elsewhere, Origin::Unmarked] {
            let texts = texts_of(&run, None, origin);
            assert!(
                !texts.summary.contains('✓') && texts.summary.contains("recorded on another machine"),
                "{}",
                texts.summary
            );
            assert!(
                texts.junit.contains("tests=\"5\" failures=\"0\" errors=\"0\" skipped=\"4\""),
                "{}",
                texts.junit
            );
        }
    }

    #[test]
    fn a_check_that_ends_differently_fails_even_if_it_passes() {
        let run = Run::replay(&whole_journal()).unwrap().0;
        let mut other = went_well();
        other.tests = other.tests.map(|tests| Tests { ran: 5, ..tests });
        let texts = texts_of(&run, Some(vec![other, went_well(), went_well()]), Origin::Here);
        assert!(
            texts
                .summary
                .contains("✗ passed (5 tests ran); when the session was completed: passed (3 tests ran)"),
            "{}",
            texts.summary
        );
        assert!(texts.sarif.contains("criterion.failed") && texts.sarif.contains("check.failed"));
    }
}
