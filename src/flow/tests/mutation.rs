//! Small faults in features: who notices them, who sees them, and what stops.

use super::*;
use crate::design_lab::config::{Mutator, Worktree};
use crate::flow::mutants::Faultless;
use crate::flow::mutator_report::{MutatorSeen, ReportedMutant};
use crate::flow::protocol::{Mutated, Opening, TriedMutant};
use crate::flow::step::{Frozen, Step};
use std::cell::Cell;

fn trying_faults() -> FlowSettings {
    FlowSettings { mutation: FlowSettings::default().mutation, ..patient() }
}

/// A session that tries faults, with an approved plan.
pub(super) fn trying<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(effects);
    shell.feed(opened_under(trying_faults(), false));
    assert_eq!(shell.finish(), Outcome::Complete);
    approve(shell)
}

fn ran(tests: u32, code: i32) -> Ran {
    let tests = Some(Tests { runners: vec![Runner::Node], ran: tests, skipped: 0 });
    Ran { end: CommandEnd::Exited { code }, tests, ..went_well() }
}

/// These runs, one for each fault.
fn tried(runs: &[Ran]) -> Mutated {
    let tried = runs.iter().zip(1..).map(|(ran, line)| TriedMutant {
        path: "src/limits.js".to_owned(),
        line,
        change: format!("`a{line} + b` becomes `a{line} - b`"),
        runs: vec![ran.clone()],
        touched: false,
    });
    Mutated { tried: tried.collect(), duration_ms: 900, ..Mutated::default() }
}

/// An answer with these runs for each fault.
fn mutated(effect: &Effect, runs: &[Ran]) -> Decision {
    Decision::Mutated(Box::new(Mutated { effect: effect.number(), ..tried(runs) }))
}

/// Files that change with each of the worker's first turns, up to this many; the results of faults, by how often they were tried.
fn effects<'a>(turns: u32, faults: &'a [&'a [Ran]]) -> impl Fn(&Effect) -> Decision + 'a {
    let (turn, tries) = (Cell::new(0), Cell::new(0));
    move |effect| {
        if let Effect::TakeTree { ends_work: true, .. } = effect {
            turn.set((turn.get() + 1).min(turns));
        }
        let tree = format!("t{}", turn.get());
        match effect {
            Effect::TakeTree { .. } => tree_taken(effect, &tree),
            Effect::RunCheck { effect, .. } => finished(passed(*effect, &tree)),
            Effect::RunApart { .. } => apart(effect),
            Effect::Mutate { .. } => {
                tries.set(tries.get() + 1);
                mutated(effect, faults[tries.get() - 1])
            }
            _ => untried(),
        }
    }
}

/// All goes well except for one fault that the first feature's check doesn't notice: by the number of the effect, so that it is the
/// same after a crash.
pub(super) fn well(effect: &Effect) -> Decision {
    // 1 before, 2 after, 3 check, 4 to 6 copies, 7 faults, 8 after, 9 check, 10 and 11 copies, 12 confirmed; 13 before, 14 after, ...
    let tree = match effect.number() {
        1 => "t0",
        2..=13 => "t1",
        _ => "t2",
    };
    match effect {
        Effect::TakeTree { .. } => tree_taken(effect, tree),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
        Effect::RunApart { .. } => apart(effect),
        Effect::Mutate { effect: 7, .. } => mutated(effect, &[ran(3, 0), ran(3, 1)]),
        Effect::Mutate { .. } => mutated(effect, &[ran(3, 1)]),
        _ => untried(),
    }
}

fn faults_tried(shell: &Shell<'_>) -> usize {
    shell.effects_asked.iter().filter(|effect| matches!(effect, Effect::Mutate { .. })).count()
}

#[test]
fn faults_that_are_noticed_are_reported_and_nothing_else_happens() {
    let noticed = [ran(3, 1), ran(3, 1), ran(1, 1)];
    let faults: [&[Ran]; 1] = [&noticed];
    let script = effects(1, &faults);
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(shell.prompts_to("acme/worker").len(), 1);
    let expected =
        "the checks notice 2 of 2 small faults in the change; 1 inconclusive: not all tests were seen to run";
    assert!(shell.prompts_to("acme/reviewer")[0].contains(expected));
    assert!(
        shell.files["docs/features/limits.md"].contains(&format!("Small faults (re-executed): {expected}"))
    );
    assert!(shell.files["report.html"].contains(expected));
    let mutation = &shell.json("features/limits.json")["mutation"];
    assert_eq!((&mutation["tier"], &mutation["left"]), (&json!("re-executed"), &json!(0)));
    assert_eq!(mutation["tried"][2]["noticed"], Value::Null);
}

#[test]
fn only_files_that_are_no_tests_get_faults_and_the_time_has_an_end() {
    let faults: [&[Ran]; 1] = [&[ran(3, 1)]];
    let script = effects(1, &faults);
    let mut shell = trying(&honest, &script);
    run_next(&mut shell);
    let asked = shell.effects_asked.iter().find(|effect| matches!(effect, Effect::Mutate { .. }));
    let Some(Effect::Mutate { tree, base, paths, most, budget_ms, runs, clean, .. }) = asked else {
        panic!("no fault was asked for")
    };
    assert_eq!((tree.as_str(), base.as_str(), paths.join(" ")), ("t1", "t0", "src/limits.js".to_owned()));
    assert_eq!((*most, *budget_ms, *clean), (12, 60_000, true));
    // Three times the check's duration plus five seconds.
    assert_eq!((runs.len(), runs[0].timeout_ms), (1, 3 * 1_200 + 5_000));
}

#[test]
pub(crate) fn the_settings_say_how_many_faults_are_tried() {
    for mutation in [0, 3] {
        let faults: [&[Ran]; 1] = [&[ran(3, 1)]];
        let script = effects(1, &faults);
        let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&script);
        shell.feed(opened_under(FlowSettings { mutation, ..patient() }, false));
        assert_eq!(shell.finish(), Outcome::Complete);
        let mut shell = approve(shell);
        assert_eq!(run_next(&mut shell), Outcome::Complete);
        let asked = shell.effects_asked.iter().filter_map(|effect| match effect {
            Effect::Mutate { most, .. } => Some(*most),
            _ => None,
        });
        assert_eq!(asked.collect::<Vec<_>>(), if mutation == 0 { vec![] } else { vec![mutation] });
    }
}

#[test]
fn what_goes_unnoticed_is_told_once_to_the_worker_and_then_to_the_reviewer() {
    let first = [ran(3, 0), ran(3, 1)];
    let faults: [&[Ran]; 2] = [&first, &first];
    let script = effects(2, &faults);
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let prompts = shell.prompts_to("acme/worker");
    assert_eq!(prompts.len(), 2);
    assert!(prompts[1].contains("- src/limits.js:1: `a1 + b` becomes `a1 - b`\n"), "{}", prompts[1]);
    assert!(!prompts[1].contains("src/limits.js:2"), "{}", prompts[1]);
    assert_eq!(faults_tried(&shell), 2, "the files are others");
    let review = shell.prompts_to("acme/reviewer")[0];
    assert!(
        review.contains(
            "the checks notice 1 of 2 small faults in the change. The tests don't notice these faults."
        ),
        "{review}"
    );
    assert!(review.contains("- src/limits.js:1: `a1 + b` becomes `a1 - b`\n"), "{review}");
    assert!(shell.files["docs/features/limits.md"].contains("\n- unnoticed: src/limits.js:1: `a1 + b`"));
}

#[test]
fn a_worker_may_leave_the_files_as_they_are() {
    let faults: [&[Ran]; 1] = [&[ran(3, 0), ran(3, 1)]];
    let script = effects(1, &faults);
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(shell.prompts_to("acme/worker").len(), 2);
    assert_eq!(faults_tried(&shell), 1, "what was seen of the same files is known");
}

#[test]
fn what_is_optional_uses_up_neither_the_calls_nor_the_rounds() {
    for (calls, rounds) in [(3, 5), (12, 1)] {
        let mut settings = FlowSettings { rounds, ..trying_faults() };
        settings.budget.calls = calls;
        let faults: [&[Ran]; 1] = [&[ran(3, 0), ran(3, 1)]];
        let script = effects(1, &faults);
        let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&script);
        shell.feed(opened_under(settings, false));
        assert_eq!(shell.finish(), Outcome::Complete);
        let mut shell = approve(shell);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
        let asked = (shell.prompts_to("acme/worker").len(), shell.prompts_to("acme/reviewer").len());
        assert_eq!(asked, if calls == 3 { (2, 1) } else { (1, 1) });
    }
    let mut settings = trying_faults();
    settings.budget.calls = 2;
    let faults: [&[Ran]; 1] = [&[ran(3, 0)]];
    let script = effects(1, &faults);
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&script);
    shell.feed(opened_under(settings, false));
    assert_eq!(shell.finish(), Outcome::Complete);
    let mut shell = approve(shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
}

#[test]
fn checks_that_notice_none_of_three_complete_nothing() {
    let none = [ran(3, 0), ran(3, 0), ran(3, 0)];
    let faults: [&[Ran]; 1] = [&none];
    let script = effects(1, &faults);
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!(code(&shell), "run.not-proven");
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 0, "nobody is paid for a review of it");
    let shown = flat(&status(&shell));
    assert!(
        shown.contains(
            "The feature's checks noticed none of the 3 small faults that Flow put into the feature"
        ),
        "{shown}"
    );
    assert!(shell.files["docs/features/limits.md"].contains("- unnoticed: src/limits.js:3"));
    // While the worker is asked to fix it, the gate says the same as the end of its own sentence.
    let tried = shell.journal.iter().position(|line| line.contains("\"mutated\"")).unwrap();
    let (run, _) = Run::replay(&shell.journal[..=tried].concat()).unwrap();
    let missing = "the feature's checks noticed none of the 3 small faults that Flow put into the feature, \
                   so they show nothing about its criteria";
    let session = run.state().unwrap();
    let build = session.build.as_ref().unwrap();
    let Step::Working(work) = &build.step else { panic!("the worker is asked") };
    let files = Frozen { trees: work.trees.clone(), seal: None };
    assert_eq!(session.gate(build, &files).unwrap_err().to_string(), missing);

    // Two are too few for that.
    let faults: [&[Ran]; 1] = [&none[..2]];
    let script = effects(1, &faults);
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
}

/// The effects of one turn of the worker, in which the faults have this result.
fn answering(answer: Mutated) -> impl Fn(&Effect) -> Decision {
    let all = effects(1, &[]);
    move |effect| match effect {
        Effect::Mutate { effect, .. } => {
            Decision::Mutated(Box::new(Mutated { effect: *effect, ..answer.clone() }))
        }
        other => all(other),
    }
}

/// A mutation of one turn, as it is recorded for the first feature.
fn recorded(answer: Mutated) -> (Outcome, Value, String) {
    let script = answering(answer);
    let mut shell = trying(&honest, &script);
    let outcome = run_next(&mut shell);
    (
        outcome,
        shell.json("features/limits.json")["mutation"].clone(),
        shell.files["docs/features/limits.md"].clone(),
    )
}

#[test]
fn a_runner_that_stops_at_the_first_failure_blocks_nothing() {
    let by = |runner: Runner, tests: u32| Ran {
        tests: Some(Tests { runners: vec![runner], ran: tests, skipped: 0 }),
        ..ran(tests, 1)
    };
    // Node's runner may have failed to load a file; Cargo compiles before the first test runs.
    for (runner, tests, expected) in [
        (Runner::Node, 1, Value::Null),
        (Runner::Cargo, 1, json!(true)),
        (Runner::Nextest, 1, json!(true)),
        (Runner::Cargo, 0, Value::Null),
    ] {
        let runs = [by(runner, tests), ran(3, 0), ran(3, 0), ran(3, 0)];
        let (outcome, mutation, _) = recorded(tried(&runs));
        assert_eq!(mutation["tried"][0]["noticed"], expected, "{runner:?} {tests}");
        assert_eq!(outcome, Outcome::Complete, "one fault may have been noticed: {runner:?} {tests}");
    }
}

#[test]
fn what_can_fail_in_the_copy_for_another_reason_shows_nothing() {
    let noticed = [ran(3, 1), ran(3, 1), ran(3, 0)];
    let deaf = Mutated { broken: vec![ran(3, 0)], after: vec![ran(3, 0)], ..tried(&noticed) };
    let spoilt = Mutated { broken: vec![ran(0, 1)], after: vec![ran(3, 1)], ..tried(&noticed) };
    let sound = Mutated { broken: vec![ran(0, 1)], after: vec![ran(3, 0)], ..tried(&noticed) };
    for (seen, counts, account) in [
        (
            deaf,
            [0, 0, 3],
            "the results of the small faults don't count: a check also passes with invalid code in the \
             changed files, so it doesn't read these files in a copy; 3 inconclusive",
        ),
        (
            spoilt,
            [0, 1, 2],
            "the results of the small faults don't count: a check still fails in the copy after the faults \
             were removed; the checks notice 0 of 1 small fault in the change; 2 inconclusive",
        ),
        (sound, [2, 1, 0], "the checks notice 2 of 3 small faults in the change"),
    ] {
        let (outcome, mutation, page) = recorded(seen);
        assert_eq!(outcome, Outcome::Complete);
        let counted = ["noticed", "unnoticed", "undecided"].map(|kind| mutation["counts"][kind].clone());
        assert_eq!(counted, counts.map(|count| json!(count)), "{account}");
        assert!(page.contains(account), "{page}");
    }
    // Checks that read nothing in the copy stop no feature either: three faults that go unnoticed there show nothing.
    let deaf = Mutated { broken: vec![ran(3, 0)], ..tried(&[ran(3, 0), ran(3, 0), ran(3, 0)]) };
    assert_eq!(recorded(deaf).0, Outcome::Complete);
}

#[test]
fn a_file_without_a_fault_is_named_to_everybody() {
    let without = vec![Faultless {
        path: "src/li\n# mits.js".to_owned(),
        why: "it contains bytes that aren't text".to_owned(),
    }];
    let script = answering(Mutated { without, ..Mutated::default() });
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let expected = "no small fault could be made in src/li # mits.js: it contains bytes that aren't text";
    assert!(shell.prompts_to("acme/reviewer")[0].contains(expected));
    assert!(
        shell.files["docs/features/limits.md"].contains(&format!("Small faults (not checked): {expected}"))
    );
    assert!(shell.files["report.html"].contains(&expected.replace('\'', "&#39;")));
}

#[test]
fn results_count_only_for_what_they_were_made_with() {
    let none = [ran(3, 0), ran(3, 0), ran(3, 0)];
    let faults: [&[Ran]; 2] = [&none, &[ran(3, 1)]];
    for (change, again, outcome) in [
        // The same settings: known, and blocked again.
        (trying_faults(), 0, Outcome::Stopped),
        (FlowSettings { mutation: 0, ..trying_faults() }, 0, Outcome::Complete),
        (FlowSettings { mutation: 4, ..trying_faults() }, 1, Outcome::Complete),
        (
            FlowSettings {
                worktree: Worktree { setup: vec!["npm".to_owned(), "ci".to_owned()], ..Worktree::default() },
                ..trying_faults()
            },
            1,
            Outcome::Complete,
        ),
    ] {
        let script = effects(1, &faults);
        let mut shell = trying(&honest, &script);
        assert_eq!(run_next(&mut shell), Outcome::Stopped);
        assert_eq!(faults_tried(&shell), 1);
        let (settings, shell_rules) = (Box::new(change.clone()), None);
        shell.feed(EventKind::Decided(Decision::Configured {
            settings,
            resumes: false,
            shell_rules,
            project_rules: None,
        }));
        let event = shell.run.start("limits", &[]).unwrap();
        assert_eq!(carry_out(&mut shell, event), outcome, "{change:?}: {}", status(&shell));
        assert_eq!(faults_tried(&shell), 1 + again, "{change:?}");
        let page = &shell.files["docs/features/limits.md"];
        assert_eq!(page.contains("of 3 small faults"), outcome == Outcome::Stopped, "{page}");
    }
}

#[test]
fn what_decides_nothing_is_counted_for_nobody() {
    let timed_out = Ran { end: CommandEnd::TimedOut, tests: None, ..went_well() };
    let none = Ran { tests: None, ..ran(0, 1) };
    let not_started = Ran { end: CommandEnd::NotStarted { message: "no".to_owned() }, ..none.clone() };
    let faults: [&[Ran]; 1] = [&[timed_out, none, not_started]];
    let script = effects(1, &faults);
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let tried = &shell.json("features/limits.json")["mutation"]["tried"];
    let noticed: Vec<&Value> = (0..3).map(|index| &tried[index]["noticed"]).collect();
    assert_eq!(noticed, [&json!(true), &Value::Null, &Value::Null]);
}

#[test]
fn where_there_is_no_copy_that_is_stated_and_stops_nothing() {
    let unprepared = Some("`npm ci` didn't make the copy ready".to_owned());
    let script = answering(Mutated { unprepared, ..Mutated::default() });
    let mut shell = trying(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let page = &shell.files["docs/features/limits.md"];
    assert!(page.contains("Small faults (not checked): no small fault was tried: `npm ci`"), "{page}");
}

#[test]
fn sessions_of_earlier_rules_try_none() {
    let EventKind::Opened(opening) = opened_under(trying_faults(), false) else {
        panic!("a session begins by its opening")
    };
    let script = effects(1, &[]);
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&script);
    shell.feed(EventKind::Opened(Box::new(Opening { rules: 4, ..*opening })));
    assert_eq!(shell.finish(), Outcome::Complete);
    let mut shell = approve(shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(faults_tried(&shell), 0);
}

fn stryker() -> Mutator {
    let command = ["npx", "stryker", "run"].map(str::to_owned).to_vec();
    Mutator { command, report: "reports/mutation.json".to_owned(), timeout_ms: 60_000 }
}

/// A session whose settings name a tool, with an approved plan and `mutation` of Flow's own faults.
fn with_tool(mutation: u32, effects: Effects<'_>) -> Shell<'_> {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(effects);
    shell.feed(opened_under(FlowSettings { mutation, mutator: stryker(), ..patient() }, false));
    assert_eq!(shell.finish(), Outcome::Complete);
    approve(shell)
}

/// The results of a tool, one for each line.
fn shown(noticed: &[Option<bool>]) -> MutatorSeen {
    let mutant = |(one, line): (&Option<bool>, u32)| ReportedMutant {
        path: "src/limits.js".to_owned(),
        line,
        change: "`a + b` becomes `a - b`".to_owned(),
        noticed: *one,
    };
    let count = |wanted| u32::try_from(noticed.iter().filter(|one| **one == wanted).count()).unwrap();
    MutatorSeen {
        tool: "StrykerJS 9.6.1".to_owned(),
        unusable: None,
        mutants: noticed.iter().zip(1..).map(mutant).collect(),
        noticed: count(Some(true)),
        unnoticed: count(Some(false)),
        undecided: count(None),
    }
}

/// The effects of one turn of the worker, in which the tool has this result, and Flow's own faults have these runs.
fn of_tool<'a>(seen: &'a MutatorSeen, own: &'a [&'a [Ran]]) -> impl Fn(&Effect) -> Decision + 'a {
    let all = effects(1, own);
    move |effect| {
        let Effect::Mutate { effect: number, mutator, .. } = effect else { return all(effect) };
        assert!(mutator.is_some());
        let answer = if seen.unusable.is_none() { Mutated::default() } else { mutated_of(all(effect)) };
        Decision::Mutated(Box::new(Mutated { effect: *number, mutator: Some(seen.clone()), ..answer }))
    }
}

fn mutated_of(decision: Decision) -> Mutated {
    let Decision::Mutated(seen) = decision else { panic!("faults were tried") };
    *seen
}

#[test]
pub(crate) fn the_settings_name_a_tool_that_tries_faults_in_flow_s_place() {
    for mutation in [0, 12] {
        let seen = shown(&[Some(true), Some(true), None]);
        let script = of_tool(&seen, &[]);
        let mut shell = with_tool(mutation, &script);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
        let asked = shell.effects_asked.iter().find_map(|effect| match effect {
            Effect::Mutate { effect, mutator: Some(mutator), most, clean, .. } => {
                Some((*effect, mutator.clone(), *most, *clean))
            }
            _ => None,
        });
        let (effect, mutator, most, clean) = asked.unwrap();
        let Mutator { command, report, timeout_ms } = stryker();
        assert_eq!((mutator.argv, mutator.report, mutator.timeout_ms), (command, report, timeout_ms));
        assert_eq!((mutator.output, most, clean), (format!("evidence/{effect}-mutator.log"), mutation, true));
        let expected = "according to StrykerJS 9.6.1, the tests notice 2 of 2 small faults in the change; \
                        1 inconclusive";
        assert!(shell.prompts_to("acme/reviewer")[0].contains(expected));
        let page = &shell.files["docs/features/limits.md"];
        assert!(page.contains(&format!("Small faults (re-executed): {expected}")), "{page}");
        assert!(shell.files["report.html"].contains(expected));
        let mutation = &shell.json("features/limits.json")["mutation"];
        assert_eq!(mutation["tool"], "StrykerJS 9.6.1");
        assert_eq!(mutation["counts"], json!({"noticed": 2, "unnoticed": 0, "undecided": 1}));
        assert!(shell.notices.iter().any(|line| line.contains("`npx stryker run` tries small faults")));
    }
}

#[test]
fn what_a_tool_shows_goes_the_way_of_flow_s_own_faults() {
    let seen = MutatorSeen { unnoticed: 3, ..shown(&[Some(false), Some(true)]) };
    let script = of_tool(&seen, &[]);
    let mut shell = with_tool(12, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let prompts = shell.prompts_to("acme/worker");
    assert_eq!(prompts.len(), 2, "once");
    assert!(prompts[1].contains("StrykerJS 9.6.1 then put small faults into your change"), "{}", prompts[1]);
    assert!(
        prompts[1].contains("- src/limits.js:1: `a + b` becomes `a - b`\n- and 2 more\n"),
        "{}",
        prompts[1]
    );
    let review = shell.prompts_to("acme/reviewer")[0];
    assert!(
        review
            .contains("tests notice 1 of 4 small faults in the change. The tests don't notice these faults."),
        "{review}"
    );
    let page = &shell.files["docs/features/limits.md"];
    assert!(
        page.contains("- unnoticed: src/limits.js:1: `a + b` becomes `a - b`\n- unnoticed: and 2 more"),
        "{page}"
    );

    let seen = shown(&[Some(false); 3]);
    let script = of_tool(&seen, &[]);
    let mut shell = with_tool(12, &script);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!((code(&shell).as_str(), shell.prompts_to("acme/reviewer").len()), ("run.not-proven", 0));
    let shown = flat(&status(&shell));
    assert!(
        shown.contains(
            "According to StrykerJS 9.6.1, the tests noticed none of 3 small faults in the feature"
        ),
        "{shown}"
    );
}

#[test]
fn where_a_tool_shows_nothing_flow_tries_its_own_and_says_why() {
    let why = "`npx stryker run` (flow.mutator) did not finish in time; see evidence/7-mutator.log";
    let seen = MutatorSeen { unusable: Some(why.to_owned()), ..MutatorSeen::default() };
    let noticed = [ran(3, 1), ran(3, 1)];
    let some: [&[Ran]; 1] = [&noticed];
    let none: [&[Ran]; 1] = [&[]];
    for (own, expected) in [
        (
            &some,
            format!(
                "the checks notice 2 of 2 small faults in the change; {why}, so Flow made these faults itself"
            ),
        ),
        (&none, format!("{why}, and Flow tried no faults itself")),
    ] {
        let script = of_tool(&seen, own);
        let mut shell = with_tool(12, &script);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
        assert!(shell.notices.iter().any(|line| line.contains(&expected)), "{:?}", shell.notices);
        assert!(shell.prompts_to("acme/reviewer")[0].contains(&expected));
        assert!(shell.files["docs/features/limits.md"].contains(&expected));
        let mutation = &shell.json("features/limits.json")["mutation"];
        assert_eq!((&mutation["tool"], &mutation["without_tool"]), (&Value::Null, &json!(why)));
    }
}
