//! Retrying what failed, once the run has its ranking.

use super::super::durability_tests::timeless;
use super::super::run_index::{Purpose, ResumeRequest};
use super::*;
use std::collections::BTreeSet;

/// One designer has no credentials.
fn without_zeph(ask: &Ask) -> Does {
    match ask.job.as_str() {
        "design:zeph-3" => Does::Fails("ProviderAuthError", Some(401)),
        _ if ask.text.contains("preferred: ") => compares(ask),
        _ => well(ask),
    }
}

fn all_do(ask: &Ask) -> Does {
    if ask.text.contains("preferred: ") { compares(ask) } else { well(ask) }
}

/// A new process retries what failed.
fn retried<'a>(journal: &[String], script: &'a dyn Fn(&Ask) -> Does, order: Order) -> Shell<'a> {
    let mut shell = Shell::of(journal, script, order);
    shell.feed(EventKind::Retried);
    shell.feed(EventKind::Resumed);
    shell
}

/// The number of designs with a rank.
fn ranked(shell: &Shell<'_>) -> usize {
    let ranking = shell.json("results/ranking.json");
    ranking["rankings"].as_array().unwrap().iter().filter(|row| row["rank"].is_number()).count()
}

fn asked(shell: &Shell<'_>) -> BTreeSet<String> {
    shell.asked.iter().map(|ask| ask.job.to_string()).collect()
}

#[test]
fn a_design_that_failed_is_asked_again_and_then_reviewed_beside_the_others() {
    for (config, reviews) in [(config(), vec!["review:judge:1", "review:jury:1"]), (pairwise(), vec![])] {
        let partial = play(&config, &without_zeph, Order::FirstIn);
        assert_eq!(partial.ending.as_ref().unwrap().0, Outcome::Partial);
        let summary = partial.run.summary().unwrap();
        assert!(!summary.unfinished && summary.failed);
        let message = partial.run.live_message(partial.now);
        assert!(message.contains("--retry-failed"), "{message}");

        let mut shell = retried(&partial.journal, &all_do, Order::FirstIn);
        let status = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            status.contains(
                "Retrying: the design by zeph-3. If such a design is written now, all 2 reviewers read and score"
            ),
            "{status}"
        );
        assert_eq!(shell.finish(), Outcome::Complete);
        let asked = asked(&shell);
        assert!(asked.contains("design:zeph-3") && !asked.contains("design:quill-4"), "{asked:?}");
        assert!(reviews.iter().all(|review| asked.contains(*review)), "{asked:?}");
        let summary = shell.run.summary().unwrap();
        assert!(!summary.unfinished && !summary.failed);

        let ranking = shell.json("results/ranking.json");
        assert_eq!(ranked(&shell), 3);
        assert_eq!(ranking["metadata"]["partial"], false);
        let before = partial.json("results/ranking.json");
        assert_eq!(shell.json("former/1/results/ranking.json"), before);
        assert!(shell.files.contains_key("former/1/reviews/review-judge.json"));
        // The files of a run that never failed, plus those that were moved aside.
        let undisturbed = play(&config, &all_do, Order::FirstIn);
        let present: BTreeSet<&String> =
            shell.files.keys().filter(|path| !path.starts_with("former/")).collect();
        assert_eq!(present, undisturbed.files.keys().collect());
        assert_eq!(
            Run::replay(&shell.journal.concat())
                .unwrap()
                .0
                .files()
                .unwrap()
                .into_iter()
                .collect::<BTreeMap<_, _>>(),
            shell.files
        );
    }
}

#[test]
fn reviews_stand_where_the_design_fails_again() {
    let partial = play(&config(), &without_zeph, Order::FirstIn);
    let mut shell = retried(&partial.journal, &without_zeph, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Partial);
    assert_eq!(asked(&shell), BTreeSet::from(["design:zeph-3".to_owned()]));
    let scores = |shell: &Shell<'_>| shell.json("results/ranking.json")["rankings"].clone();
    assert_eq!(scores(&shell), scores(&partial));
    assert!(!shell.files.keys().any(|path| path.starts_with("former/")));
}

#[test]
fn a_run_retried_under_another_configuration_asks_for_what_failed_as_well() {
    let partial = play(&config(), &without_zeph, Order::FirstIn);
    let mut shell = Shell::of(&partial.journal, &well, Order::FirstIn);
    let mut changed = config();
    changed["budget"] = json!({"max_cost_usd": 99});
    let OpeningInput { sources, files, available, .. } = beginning(&changed, "");
    shell.feed(EventKind::Retried);
    let event = shell.run.resumption(&sources, &files, &available).unwrap();
    shell.feed(event);
    assert_eq!(shell.finish(), Outcome::Complete);
    assert_eq!(ranked(&shell), 3);
}

#[test]
fn a_retrial_that_is_interrupted_after_any_line_ends_like_one_that_was_not() {
    let partial = play(&config(), &without_zeph, Order::FirstIn);
    for order in [Order::FirstIn, Order::LastIn] {
        let mut undisturbed = retried(&partial.journal, &well, order);
        undisturbed.finish();
        let expected = timeless(&undisturbed.files);
        for length in partial.journal.len() + 1..undisturbed.journal.len() {
            let mut shell = Shell::of(&undisturbed.journal[..length], &well, order);
            assert!(shell.run.summary().unwrap().unfinished, "after line {length}");
            shell.feed(EventKind::Resumed);
            assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
            let files = timeless(&shell.files);
            assert_eq!(
                files.keys().collect::<Vec<_>>(),
                expected.keys().collect::<Vec<_>>(),
                "after line {length}"
            );
            for (path, text) in files {
                assert_eq!(text, expected[&path], "after line {length}: {path}");
            }
        }
    }
}

/// The review had started when the process ended, and continues while the design is retried.
#[test]
fn reviews_on_their_way_are_waited_for_before_they_are_put_aside() {
    let partial = play(&config(), &without_zeph, Order::FirstIn);
    let reviewed = partial.journal.iter().position(|line| line.contains("\"presented\"")).unwrap();
    for length in reviewed..partial.journal.len() {
        for order in [Order::FirstIn, Order::LastIn] {
            let mut shell = retried(&partial.journal[..length], &well, order);
            assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
            assert_eq!(ranked(&shell), 3);
        }
    }
}

#[test]
fn what_follows_the_command_is_read() {
    let parse = |text: &str| ResumeRequest::parse(text).map(|request| (request.run, request.purpose));
    assert_eq!(parse(" rate "), Ok(("rate".to_owned(), Purpose::Resume)));
    assert_eq!(parse("--retry-failed"), Ok((String::new(), Purpose::Retry)));
    assert_eq!(parse("rate --retry-failed"), Ok(("rate".to_owned(), Purpose::Retry)));
    assert_eq!(parse("--retry").unwrap_err().code, "command.unknown-option");
    assert_eq!(parse("one two").unwrap_err().code, "command.too-many-words");
}
