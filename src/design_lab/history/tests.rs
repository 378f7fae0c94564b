//! What many runs show and few don't, tested with runs drawn from a seed and known true values.

use super::*;
use crate::design_lab::artefacts::TurnedOut;
use crate::random::Random;

/// A draw from a standard normal distribution: the sum of twelve uniform draws is close enough.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}

/// The properties of simulated runs.
#[derive(Clone, Copy)]
struct World {
    tasks: u64,
    /// The spread of authors' quality, of how well each does on one task, and of a single score.
    spread: [f64; 3],
    /// The extra points that each model gives its own design.
    own: f64,
    /// The spread of what a reviewer likes of an author, in every task.
    taste: f64,
}

const AUTHORS: [&str; 4] = ["openai/gpt-5", "anthropic/claude", "google/gemini", "xai/grok"];

/// Draws runs in which the first `reviewers` authors review as well. Returns them with the true
/// quality of each author.
fn drawn(seed: u64, world: World, reviewers: usize) -> (Vec<PastRun>, Vec<f64>) {
    let random = &mut Random::new(seed, "history");
    let [between, within, noise] = world.spread;
    let worth: Vec<f64> = AUTHORS.iter().map(|_| between * normal(random)).collect();
    let tastes: Vec<Vec<f64>> =
        (0..reviewers).map(|_| AUTHORS.iter().map(|_| world.taste * normal(random)).collect()).collect();
    let mut runs = Vec::new();
    for task in 0..world.tasks {
        let mut run = PastRun { task, ranked: true, ..PastRun::default() };
        run.designs = AUTHORS
            .map(|author| PastDesign {
                author: Some(author.to_owned()),
                first: true,
                ..PastDesign::default()
            })
            .to_vec();
        let names = AUTHORS.into_iter().chain(["mistral/large", "qwen/max"]);
        run.reviewers =
            names.take(reviewers).map(|name| PastReviewer { name: name.to_owned(), person: false }).collect();
        let true_scores: Vec<f64> = worth.iter().map(|worth| worth + within * normal(random)).collect();
        for (reviewer, tastes) in tastes.iter().enumerate() {
            let leniency = 0.6 * normal(random);
            for (design, score) in true_scores.iter().enumerate() {
                let own = if design == reviewer { world.own } else { 0.0 };
                run.scores.push((
                    design,
                    reviewer,
                    6.0 + score + leniency + own + tastes[design] + noise * normal(random),
                ));
            }
        }
        runs.push(run);
    }
    (runs, worth)
}

fn of(runs: &[PastRun]) -> History {
    history(&runs.iter().collect::<Vec<_>>(), Vec::new())
}

/// How many of the intervals contain the true value.
fn held_by(runs: &[PastRun], worth: &[f64]) -> f64 {
    let mean = worth.iter().sum::<f64>() / worth.len() as f64;
    let holds = |row: &Designer| {
        let truth = worth[AUTHORS.iter().position(|author| *author == row.model).unwrap()] - mean;
        let [low, high] = row.points.unwrap().interval;
        f64::from(low <= truth && truth <= high)
    };
    of(runs).designers.iter().map(holds).sum()
}

#[test]
fn intervals_of_designers_hold_the_truth_as_often_as_they_say() {
    for (name, spread, tasks, own) in [
        ("typical", [0.6, 0.6, 0.8], 8, 0.4),
        ("many tasks", [1.0, 0.6, 0.8], 24, 1.0),
        ("few tasks", [0.6, 0.6, 0.8], 2, 0.4),
        ("no author is better", [0.0, 0.6, 0.8], 8, 0.4),
    ] {
        let (mut held, mut all, mut width) = (0.0, 0.0, 0.0);
        for seed in 0..60 {
            let (runs, worth) = drawn(seed, World { tasks, spread, own, taste: 0.0 }, 3);
            held += held_by(&runs, &worth);
            for row in of(&runs).designers {
                let points = row.points.unwrap();
                assert_eq!(u64::from(points.n), tasks);
                width += points.interval[1] - points.interval[0];
                all += 1.0;
            }
        }
        let share = held / all;
        assert!((0.92..=1.0).contains(&share), "{name}: {share}");
        assert!(width / all < 16.0 * spread[1] / (tasks as f64).sqrt(), "{name}: {}", width / all);
    }
}

/// Whether any of these models is said to be clearly behind the best one.
fn says_that_one_is_behind(runs: &[PastRun]) -> bool {
    let designers = Designers::of(&by_task(&runs.iter().collect::<Vec<_>>()));
    let [best, others @ ..] = designers.rows.as_slice() else { return false };
    others.iter().any(|row| designers.is_behind(&row.model, &best.model))
}

#[test]
fn where_no_author_is_better_hardly_ever_is_one_said_to_be_behind() {
    for tasks in [LEAST_TASKS as u64, 8, 24] {
        let world = World { tasks, spread: [0.0, 0.6, 0.8], own: 0.4, taste: 0.0 };
        let wrong = (0..60).filter(|seed| says_that_one_is_behind(&drawn(*seed, world, 3).0)).count();
        assert!(wrong <= 3, "{tasks} tasks: {wrong} of 60");
    }
    let one = World { tasks: 24, spread: [2.0, 0.6, 0.8], own: 0.4, taste: 0.0 };
    assert!(!says_that_one_is_behind(&drawn(1, one, 1).0), "it may be the taste of the only reviewer");
    let far = World { tasks: 24, spread: [2.0, 0.6, 0.8], own: 0.4, taste: 0.0 };
    let right = (0..20).filter(|seed| says_that_one_is_behind(&drawn(*seed, far, 3).0)).count();
    assert!(right >= 19, "{right} of 20");
}

#[test]
fn what_reviewers_like_in_every_task_widens_the_intervals() {
    for (reviewers, least) in [(2, 0.8), (3, 0.87), (4, 0.91), (6, 0.91)] {
        let (mut held, mut all) = (0.0, 0.0);
        for seed in 0..40 {
            let world = World { tasks: 24, spread: [0.6, 0.6, 0.8], own: 0.4, taste: 0.6 };
            let (runs, worth) = drawn(seed, world, reviewers);
            held += held_by(&runs, &worth);
            all += 4.0;
        }
        assert!((least..=0.99).contains(&(held / all)), "{reviewers} reviewers: {}", held / all);
    }
}

#[test]
fn one_task_says_nothing_about_designers_however_often_it_is_run() {
    let (runs, _) = drawn(1, World { tasks: 1, spread: [2.0, 0.1, 0.1], own: 0.0, taste: 0.0 }, 3);
    let again = vec![runs[0].clone(); 6];
    let history = of(&again);
    assert_eq!((history.runs, history.tasks, history.designers.len()), (6, 1, 4));
    assert!(history.designers.iter().all(|row| row.points.is_none() && row.tasks == 1));
    assert!(history.reviewers.iter().all(|row| row.leniency.is_none() && row.with_models.is_none()));
    assert_eq!(history.proposal, None);
    assert!(
        history
            .no_proposal
            .unwrap()
            .contains("A proposal needs 5 tasks with scores for the same models, and so far there is 1.")
    );
}

#[test]
fn repeated_runs_of_a_task_make_nothing_surer() {
    let world = World { tasks: 6, spread: [0.6, 0.6, 0.8], own: 0.4, taste: 0.0 };
    let (runs, _) = drawn(5, world, 3);
    let twice: Vec<PastRun> = runs.iter().chain(&runs).cloned().collect();
    let (once, twice) = (of(&runs), of(&twice));
    assert_eq!((twice.runs, twice.tasks), (12, 6));
    assert_eq!(once.designers, twice.designers);
    assert_eq!(once.reviewers, twice.reviewers);
    assert_eq!(once.pairs, twice.pairs);
}

#[test]
fn who_flatters_is_seen_and_who_does_not_is_not() {
    let (mut seen, mut wrongly) = (0, 0);
    for seed in 0..40 {
        for (own, count) in [(1.5, &mut seen), (0.0, &mut wrongly)] {
            let (runs, _) = drawn(seed, World { tasks: 10, spread: [0.6, 0.6, 0.6], own, taste: 0.0 }, 4);
            let first = of(&runs).reviewers.into_iter().find(|row| row.name == AUTHORS[0]).unwrap();
            *count += u32::from(first.self_preference.unwrap().interval[0] > 0.0);
        }
    }
    assert!(seen >= 36 && wrongly <= 4, "{seen} {wrongly}");
}

#[test]
fn second_versions_merged_designs_and_files_are_nobodys() {
    let (mut runs, _) = drawn(3, World { tasks: 3, spread: [0.5; 3], own: 0.0, taste: 0.0 }, 3);
    for run in &mut runs {
        run.designs[1].first = false;
        run.designs[2].author = None;
    }
    let models: Vec<String> = of(&runs).designers.into_iter().map(|row| row.model).collect();
    assert!(
        models.len() == 2 && models.iter().all(|model| model.contains("gpt") || model.contains("grok")),
        "{models:?}"
    );
}

#[test]
fn agreement_is_told_from_eight_shared_designs_on_and_people_are_reported_apart() {
    let world = World { tasks: 12, spread: [1.0, 1.0, 0.5], own: 0.0, taste: 0.0 };
    let (mut runs, _) = drawn(9, world, 3);
    for run in &mut runs {
        run.reviewers[2] = PastReviewer { name: "ada".to_owned(), person: true };
    }
    let history = of(&runs);
    let ada = history.reviewers.iter().find(|row| row.person).unwrap();
    assert!(
        ada.with_people.is_none() && ada.self_preference.is_none() && ada.with_models.unwrap().value > 0.5
    );
    let gpt = history.reviewers.iter().find(|row| row.name == AUTHORS[0]).unwrap();
    let with = gpt.with_people.unwrap();
    assert_eq!(with.n, 36, "three designs a task that are none of its own");
    assert!(with.interval[0] > 0.3 && with.interval[1] < 1.0, "{with:?}");
    let pair = history.pairs.iter().find(|pair| pair.one == AUTHORS[1] && pair.other == AUTHORS[0]).unwrap();
    assert_eq!(pair.designs, 24, "two designs a task that are neither's");
    let few = of(&runs[..3]);
    let pair = few.pairs.iter().find(|pair| pair.one == AUTHORS[1] && pair.other == AUTHORS[0]).unwrap();
    assert_eq!((pair.designs, pair.correlation), (6, None));
}

fn calls(model: &str, duty: Duty, jobs: u32, failed: u32, cost: f64) -> PastCalls {
    PastCalls {
        jobs,
        failed,
        calls: jobs + failed,
        broken: failed,
        cost,
        ms: 60_000 * u64::from(jobs),
        ..PastCalls::none(model, duty)
    }
}

#[test]
fn a_panel_is_proposed_by_its_rule_and_by_no_fewer_tasks() {
    let world = World { tasks: 20, spread: [0.0, 0.3, 0.4], own: 0.0, taste: 0.0 };
    let (mut runs, _) = drawn(2, world, 4);
    for run in &mut runs {
        for (design, _, score) in &mut run.scores {
            // One model is far behind, and designs differ.
            *score += [1.0, 0.9, 0.9, -3.0][*design];
        }
    }
    let costs = [(AUTHORS[0], 9.0), (AUTHORS[1], 1.0), (AUTHORS[2], 2.0), (AUTHORS[3], 3.0)];
    runs[0].calls = costs.iter().map(|(model, cost)| calls(model, Duty::Review, 20, 0, *cost)).collect();
    runs[0].calls.push(calls(AUTHORS[1], Duty::Design, 20, 15, 1.0));
    let history = of(&runs);
    let panel = history.proposal.unwrap();
    assert_eq!(panel.design_models, [AUTHORS[0], AUTHORS[2]], "{:?}", panel.reasons);
    assert!(
        panel.reasons.iter().any(|reason| reason.contains("claude") && reason.contains("fails too often"))
    );
    assert!(panel.reasons.iter().any(|reason| reason.contains("grok") && reason.contains("clearly behind")));
    let expected = [AUTHORS[1], AUTHORS[2], AUTHORS[0]];
    assert_eq!(
        panel.review_models, expected,
        "the cheapest of those that agree: without its own, grok sees little difference"
    );
    for run in &mut runs {
        run.scores.iter_mut().filter(|(design, ..)| *design > 0).for_each(|(_, _, score)| *score -= 4.0);
    }
    let panel = of(&runs).proposal.unwrap();
    assert_eq!(panel.design_models, [AUTHORS[0], AUTHORS[2]], "a run needs two: {:?}", panel.reasons);
    let few = of(&runs[..4]);
    assert!(few.proposal.is_none() && few.no_proposal.unwrap().contains("there are 4."));
}

#[test]
fn nothing_tells_nothing() {
    let history = of(&[]);
    assert_eq!((history.runs, history.tasks, history.designers.len(), history.calls.len()), (0, 0, 0, 0));
    let strange = PastRun { ranked: true, scores: vec![(7, 9, 3.0)], ..PastRun::default() };
    assert!(of(&[strange.clone(), strange]).designers.is_empty(), "scores of designs that aren't there");
}

#[test]
fn how_long_a_run_takes_goes_by_what_its_models_took() {
    let known = vec![calls("a/x", Duty::Design, 2, 0, 1.0), calls("a/x", Duty::Review, 4, 1, 1.0)];
    let run = PastRun { calls: known, ..PastRun::default() };
    let runs = [run];
    let time = |phases: &[Vec<(&str, Duty)>], concurrency| expected_time(runs.iter(), phases, concurrency);
    let design = ("a/x", Duty::Design);
    let found = time(&[vec![design; 4], vec![("a/x", Duty::Review)]], 2).unwrap();
    assert_eq!((found.ms, found.jobs, found.calls, found.again, found.unknown), (180_000, 6, 7, 1, 0));
    let found = time(&[vec![design, ("b/y", Duty::Design)], Vec::new()], 4).unwrap();
    assert_eq!((found.ms, found.unknown), (60_000, 1), "the others' mean stands in");
    assert_eq!(time(&[vec![("a/x", Duty::Compare)]], 4), None, "comparisons have no record");
    assert_eq!(expected_time([].iter(), &[vec![design]], 4), None);
}

/// A run whose designs turned out like this, with the scores of each reviewer.
fn turned_out(task: u64, outcomes: [Option<TurnedOut>; 3], scores: &[[f64; 3]]) -> PastRun {
    let mut run = PastRun { task, ranked: true, ..PastRun::default() };
    for (author, turned_out) in AUTHORS.iter().zip(outcomes) {
        run.designs.push(PastDesign {
            author: Some((*author).to_owned()),
            first: true,
            turned_out,
            elsewhere: false,
        });
    }
    for (reviewer, scores) in scores.iter().enumerate() {
        let name = ["mistral/large", "openai/judge", "qwen/max"][reviewer].to_owned();
        run.reviewers.push(PastReviewer { name, person: reviewer == 2 });
        run.scores.extend(scores.iter().enumerate().map(|(design, score)| (design, reviewer, *score)));
    }
    run
}

#[test]
fn who_foresaw_an_outcome_is_counted_by_its_own_scores() {
    const BUILT: Option<TurnedOut> = Some(TurnedOut::Built);
    const FAILED: Option<TurnedOut> = Some(TurnedOut::Failed);
    const VALIDATED: Option<TurnedOut> = Some(TurnedOut::Validated);
    for (name, outcomes, scores, expected) in [
        ("the validated design is first", [VALIDATED, None, None], [9.0, 8.0, 7.0], Some(1)),
        ("another one is", [VALIDATED, None, None], [8.0, 9.0, 7.0], Some(0)),
        ("the failed design is first", [FAILED, None, None], [9.0, 8.0, 7.0], Some(0)),
        ("the failed design isn't", [FAILED, None, None], [8.0, 9.0, 7.0], Some(1)),
        ("neither failed nor validated", [FAILED, VALIDATED, None], [7.0, 8.0, 9.0], Some(0)),
        ("of two validated designs one is first", [VALIDATED, VALIDATED, None], [7.0, 8.0, 6.0], Some(1)),
        ("to be built says nothing", [BUILT, None, None], [9.0, 8.0, 7.0], None),
        ("two designs share the first place", [VALIDATED, None, None], [9.0, 9.0, 7.0], None),
    ] {
        let found = of(&[turned_out(1, outcomes, &[scores])]).outcomes;
        let right = found.reviewers.first().map(|row| (row.tasks, row.right, row.share));
        assert_eq!(right, expected.map(|right| (1, right, None)), "{name}");
    }
    let runs = [
        turned_out(1, [VALIDATED, None, None], &[[9.0, 8.0, 7.0], [9.0, 8.0, 7.0], [9.0, 8.0, 7.0]]),
        turned_out(2, [BUILT, FAILED, None], &[[9.0, 8.0, 7.0], [9.0, 8.0, 7.0]]),
        turned_out(2, [None, FAILED, None], &[[7.0, 8.0, 7.0]]),
    ];
    let Outcomes { authors, reviewers } = of(&runs).outcomes;
    let counts = |row: &OfAuthor| (row.model.clone().unwrap(), row.built, row.validated, row.failed);
    assert_eq!(
        authors.iter().map(counts).collect::<Vec<_>>(),
        [("anthropic/claude".to_owned(), 0, 0, 2), ("openai/gpt-5".to_owned(), 1, 1, 0),]
    );
    let counts: Vec<_> = reviewers.iter().map(|row| (row.name.as_str(), row.tasks, row.right)).collect();
    // Its vendor's design doesn't count, people don't, and a task's runs are one case.
    assert_eq!(counts, [("mistral/large", 2, 1), ("openai/judge", 1, 0)]);
}

#[test]
fn a_share_is_stated_from_where_an_exact_test_could_tell_it_from_a_coin() {
    let all_right = |tasks: u32| 2.0 * 0.5_f64.powi(tasks.cast_signed());
    assert!(all_right(LEAST_FORESEEN) <= 0.05 && all_right(LEAST_FORESEEN - 1) > 0.05);
    let runs = |tasks: u32| -> Vec<PastRun> {
        let run = |task| turned_out(task, [Some(TurnedOut::Validated), None, None], &[[9.0, 8.0, 7.0]]);
        (0..u64::from(tasks)).map(run).collect()
    };
    let share = |tasks: u32| of(&runs(tasks)).outcomes.reviewers[0].share;
    assert_eq!(share(LEAST_FORESEEN - 1), None);
    let found = share(LEAST_FORESEEN).unwrap();
    assert!((found.value - 1.0).abs() < 1e-9 && found.interval[0] < 0.7 && found.n == LEAST_FORESEEN);
}
