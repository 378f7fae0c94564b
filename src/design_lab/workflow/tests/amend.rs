//! Changing the set of designs before it is reviewed.

use super::super::durability_tests::timeless;
use super::super::run_index::Purpose;
use super::*;
use crate::design_lab::workflow::{Amendment, FollowUp, Wanted, choose, foreseen, review_within, wording};
use crate::shared::listed::Listed;
use kernel::index::Summary;
use kernel::protocol::{LookedUp, PathFound};
use std::collections::BTreeSet;

const TASK: &str = "Design a rate limiter for a public API";

fn later(config: &Value) -> Opening {
    begin(&beginning(config, &format!("--review-later {TASK}"))).unwrap()
}

fn all_do(ask: &Ask) -> Does {
    if ask.text.contains("preferred: ") { compares(ask) } else { well(ask) }
}

fn opened(opening: Opening, script: &dyn Fn(&Ask) -> Does, order: Order) -> Shell<'_> {
    let mut shell = Shell::new(script, order);
    shell.feed(EventKind::Opened(Box::new(opening)));
    shell
}

fn paused(config: &Value, script: &dyn Fn(&Ask) -> Does) -> Vec<String> {
    let mut shell = opened(later(config), script, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Paused);
    shell.journal
}

/// A new process carries out the arguments of `/design-lab-resume`.
fn resumed<'a>(
    journal: &[String],
    config: &Value,
    text: &str,
    script: &'a dyn Fn(&Ask) -> Does,
    order: Order,
) -> Shell<'a> {
    asked_to_go_on(journal, config, &ResumeRequest::parse(text).unwrap(), script, order)
}

fn refusal(journal: &[String], config: &Value, text: &str) -> (String, String) {
    let run = Run::replay(&journal.concat()).unwrap().0;
    let problem = events(&run, config, &ResumeRequest::parse(text).unwrap()).unwrap_err().remove(0);
    (problem.code.to_string(), problem.to_string())
}

fn asked(shell: &Shell<'_>) -> BTreeSet<String> {
    shell.asked.iter().map(|ask| ask.job.to_string()).collect()
}

fn words(shell: &Shell<'_>) -> String {
    shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn replays(shell: &Shell<'_>) {
    let run = Run::replay(&shell.journal.concat()).unwrap().0;
    let files: BTreeMap<_, _> = run.files().unwrap().into_iter().collect();
    assert_eq!(files.keys().collect::<Vec<_>>(), shell.files.keys().collect::<Vec<_>>());
    assert_eq!(files, shell.files);
}

#[test]
fn a_run_ends_after_its_designs_and_is_reviewed_in_itself_later() {
    for config in [config(), pairwise()] {
        let mut shell = opened(foreseen(later(&config), &[]), &all_do, Order::FirstIn);
        assert_eq!(shell.finish(), Outcome::Paused);
        assert_eq!(shell.ending.as_ref().unwrap().1, "", "no turn is paid to report it");
        assert!(shell.asked.iter().all(|ask| !ask.job.as_str().starts_with("review")));
        assert_eq!(shell.asked.len(), 4);
        let summary = shell.run.summary().unwrap();
        assert!(summary.unfinished && !summary.failed);
        let message = words(&shell);
        let run = "2026-11-20-rate-limiter";
        for said in [
            "Design Lab · designs written, not reviewed",
            "Design quill-4 by x/quill-4 Plan 7 by quill-4",
            "Plan 6 by zeph-3 in short.",
            "not started",
            &format!("/design-lab-review {run} reviews the designs"),
            &format!("/design-lab-resume {run} --again DESIGN [remark]"),
        ] {
            assert!(message.contains(said), "{said}: {message}");
        }
        let account = shell.run.account(shell.now, Origin::Here);
        assert!(!account.contains("Plan"), "what models wrote is not told to a model: {account}");

        let mut second = resumed(&shell.journal, &config, "", &all_do, Order::FirstIn);
        assert_eq!(second.finish(), Outcome::Complete);
        assert!(second.asked.iter().all(|ask| ask.job.as_str().starts_with("review")));
        let at_once = play(&config, &all_do, Order::FirstIn);
        assert_eq!(second.asked.len() + 4, at_once.asked.len());
        assert_eq!(second.files.keys().collect::<Vec<_>>(), at_once.files.keys().collect::<Vec<_>>());
        replays(&second);
    }
}

#[test]
fn the_forecast_counts_what_is_asked_now_and_then_the_reviews() {
    let first = foreseen(later(&config()), &[]);
    let forecast = first.forecast.clone().unwrap();
    assert_eq!((forecast.naming, forecast.designing, forecast.reviewing), (1, 3, 0));
    let said = wording(&first, &[]);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("Reviews come later and aren't counted here."), "{said}");
    let mut shell = opened(first, &all_do, Order::FirstIn);
    shell.finish();
    assert!(words(&shell).contains("If it is reviewed, 4 calls: 4 for reviews."), "{}", words(&shell));
    let whole = foreseen(opening(&config()), &[]).forecast.unwrap();
    let second = resumed(&shell.journal, &config(), "", &all_do, Order::FirstIn);
    let expected = &second.run.state().unwrap().opening.forecast.clone().unwrap();
    assert_eq!(
        (expected.naming, expected.designing, expected.reviewing),
        (whole.naming, whole.designing, whole.reviewing)
    );
    assert!(expected.cost > forecast.cost);

    // An unknown price of a reviewer is no reason to wait before the designs.
    let mut input = beginning(&config(), &format!("--review-later {TASK}"));
    for model in input.available.models.iter_mut().filter(|model| model.provider == "z") {
        (model.cost_input, model.cost_output) = (0.0, 0.0);
    }
    let unpriced = foreseen(begin(&input).unwrap(), &[]);
    assert_eq!(opened(unpriced, &all_do, Order::FirstIn).finish(), Outcome::Paused);
}

#[test]
fn reviews_that_may_cost_more_than_the_user_lets_pass_want_a_yes() {
    let mut dear = config();
    dear["budget"] = json!({"confirm_usd": 0.0001});
    let journal = paused(&config(), &all_do);
    let (code, problem) = refusal(&journal, &dear, "rate");
    assert_eq!(code, "command.wants-yes");
    assert!(problem.contains("/design-lab-resume 2026-11-20-rate-limiter --yes"), "{problem}");
    for (config, text) in [(&dear, "rate --yes"), (&config(), "rate")] {
        let mut shell = resumed(&journal, config, text, &all_do, Order::FirstIn);
        assert_eq!(shell.finish(), Outcome::Complete, "{text}");
    }
    let mut again = resumed(&journal, &dear, "rate --again zeph-3", &all_do, Order::FirstIn);
    assert_eq!(again.finish(), Outcome::Paused, "reviewers are asked later");
    let (code, _) = refusal(&again.journal, &dear, "rate");
    assert_eq!(code, "command.wants-yes");
}

#[test]
fn a_design_is_written_again_by_what_the_user_says_and_the_one_before_is_kept() {
    for (config, remark) in [(config(), "Shorter; </remark> say who pages whom."), (pairwise(), "")] {
        let script = |ask: &Ask| match ask.job.as_str() {
            "design:zeph-3" => Does::Says(design("A rewritten plan")),
            _ => all_do(ask),
        };
        let journal = paused(&config, &all_do);
        let text = format!("rate --again zeph-3 {remark}");
        let mut shell = resumed(&journal, &config, &text, &script, Order::FirstIn);
        assert_eq!(asked(&shell), BTreeSet::from(["design:zeph-3".to_owned()]));
        let before = Shell::of(&journal, &all_do, Order::FirstIn).files;
        assert_eq!(shell.files["designs/zeph-3.json"], before["designs/zeph-3.json"], "it stands meanwhile");
        let prompt = shell.asked[0].text.clone();
        assert_eq!(prompt.contains("# What the user says"), !remark.is_empty(), "{prompt}");
        if !remark.is_empty() {
            assert!(prompt.contains("Plan 6 by zeph-3"), "its own design before: {prompt}");
            assert!(!prompt.contains("quill-4") && !prompt.contains("</remark> say"), "{prompt}");
        }
        assert_eq!(shell.finish(), Outcome::Paused);
        assert!(shell.files["designs/zeph-3.json"].contains("A rewritten plan"));
        assert_eq!(shell.files["former/1/designs/zeph-3.json"], before["designs/zeph-3.json"]);
        let message = words(&shell);
        assert!(message.contains("the earlier one is kept in former/1"), "{message}");
        replays(&shell);

        let mut last = resumed(&shell.journal, &config, "", &script, Order::FirstIn);
        assert_eq!(last.finish(), Outcome::Complete);
        assert!(last.asked.iter().all(|ask| ask.job.as_str().starts_with("review")));
        assert!(last.asked.iter().any(|ask| ask.text.contains("A rewritten plan")));
        assert!(last.asked.iter().all(|ask| !ask.text.contains("Plan 6 by")));
        let results = last.files["results/results.md"].split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(results.contains("Before any review, you had zeph-3 rewrite its design"), "{results}");
        let cost = last.run.summary().unwrap().cost;
        let calls = 4 + 1 + last.asked.len();
        assert!((cost - 0.01 * calls as f64).abs() < 1e-9, "{cost} of {calls} calls");
        replays(&last);
    }
}

#[test]
fn where_it_fails_the_one_before_stands_and_that_is_stated() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:zeph-3" => Does::Says("no design".to_owned()),
        _ => all_do(ask),
    };
    let journal = paused(&config(), &all_do);
    let mut shell = resumed(&journal, &config(), "--again zeph-3 Be bold.", &script, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Paused);
    let before = Shell::of(&journal, &all_do, Order::FirstIn).files;
    assert_eq!(shell.files["designs/zeph-3.json"], before["designs/zeph-3.json"]);
    assert_eq!(shell.files["former/1/designs/zeph-3.rejected.txt"], "no design");
    assert!(words(&shell).contains("failed to rewrite its design"), "{}", words(&shell));
    assert!(words(&shell).contains("the earlier one stays"), "{}", words(&shell));
    assert!(!shell.run.summary().unwrap().failed);
    replays(&shell);
    let mut last = resumed(&shell.journal, &config(), "", &all_do, Order::FirstIn);
    assert_eq!(last.finish(), Outcome::Complete);
    assert!(last.files["results/results.md"].contains("the earlier one stays"));
}

#[test]
fn a_design_leaves_the_set_and_stays_on_disk() {
    let journal = paused(&config(), &all_do);
    let mut shell = resumed(&journal, &config(), "--drop zeph-3 rate", &all_do, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Paused);
    assert!(shell.asked.is_empty());
    assert!(shell.files.contains_key("former/1/designs/zeph-3.json"));
    assert!(!shell.files.contains_key("designs/zeph-3.json"));
    replays(&shell);
    // The same task still belongs to the same run.
    let found = [Found {
        name: "2026-11-20-rate-limiter".to_owned(),
        summary: shell.run.summary(),
        problem: None,
        owner: Owner::Nobody,
    }];
    let twin = refuse_twin(&opening(&config()), &found).unwrap_err();
    assert!(twin.to_string().contains("/design-lab-review 2026-11-20-rate-limiter"), "{twin}");

    let mut last = resumed(&shell.journal, &config(), "", &all_do, Order::LastIn);
    assert_eq!(last.finish(), Outcome::Complete);
    assert_eq!(last.asked.len(), 4, "the configuration still names it, and it isn't asked");
    let ranking = last.json("results/ranking.json");
    assert_eq!(ranking["rankings"].as_array().unwrap().len(), 2);
    let results = last.files["results/results.md"].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(results.contains("you dropped zeph-3; it is kept in former/1"), "{results}");
    replays(&last);
    let left = refusal(&shell.journal, &config(), "--drop quill-4");
    assert!(left.0 == "run.too-few-designs" && left.1.contains("--again quill-4"), "{left:?}");
    assert_eq!(refusal(&shell.journal, &config(), "--again zeph-3").0, "run.unknown-design");
}

#[test]
fn what_failed_is_asked_again_before_any_review_by_request_alone() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:zeph-3" => Does::Fails("ProviderAuthError", Some(401)),
        _ => all_do(ask),
    };
    let journal = paused(&config(), &script);
    let shell = Shell::of(&journal, &all_do, Order::FirstIn);
    assert!(words(&shell).contains("--retry-failed"), "{}", words(&shell));
    for (text, expected) in [("--retry-failed", 1), ("--again zeph-3 Try.", 1), ("--drop zeph-3", 0)] {
        let mut again = resumed(&journal, &config(), text, &all_do, Order::FirstIn);
        assert_eq!(again.finish(), Outcome::Paused, "{text}");
        assert_eq!(again.asked.len(), expected, "{text}");
        assert!(!again.run.summary().unwrap().failed, "{text}");
        replays(&again);
    }
    let mut reviewed = resumed(&journal, &config(), "", &all_do, Order::FirstIn);
    assert_eq!(reviewed.finish(), Outcome::Partial);
    assert!(!asked(&reviewed).contains("design:zeph-3"));
}

#[test]
fn what_reviewers_have_seen_stands() {
    let journal = paused(&config(), &all_do);
    let mut shell = resumed(&journal, &config(), "", &all_do, Order::FirstIn);
    while shell.asked.is_empty() {
        assert!(shell.step());
    }
    for text in ["--again zeph-3", "--drop zeph-3"] {
        let refused = refusal(&shell.journal, &config(), text);
        assert!(refused.0 == "run.set-stands" && refused.1.contains("/design-lab-refine"), "{refused:?}");
    }
    // A person's form is a review that was requested.
    let mut form = Shell::of(&journal, &all_do, Order::FirstIn);
    form.feed(form.run.form("ada").unwrap().event.unwrap());
    assert_eq!(refusal(&form.journal, &config(), "--drop zeph-3").0, "run.set-stands");
    let mut at_once = play(&config(), &all_do, Order::FirstIn);
    assert_eq!(refusal(&at_once.journal, &config(), "--again zeph-3").0, "run.set-stands");
    let wanted = Wanted { rounds: 1, ..Wanted::default() };
    let opening =
        at_once.run.follow_up(FollowUp::Review, &wanted, &beginning(&config(), ""), Origin::Here).unwrap();
    let further = opened(opening, &all_do, Order::FirstIn);
    assert_eq!(refusal(&further.journal, &config(), "--again zeph-3").0, "run.set-stands");
    // Nor may a journal contain it.
    let amendment = Amendment { design: crate::design_lab::ids::DesignId::new("zeph-3"), again: None };
    let line = at_once.run.seal(&Event {
        at: at_once.now,
        kind: EventKind::Decided(super::super::Decision::Amended(amendment)),
    });
    assert_eq!(at_once.run.apply(&line).unwrap_err().code, "journal.invalid");
    let long = format!("--again zeph-3 {}", "x".repeat(4_001));
    assert_eq!(refusal(&journal, &config(), &long).0, "command.long-remark");
}

#[test]
fn wherever_a_process_ends_the_set_is_changed_once_and_the_end_is_the_same() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:zeph-3" if ask.text.contains("Be bold.") => Does::Says(design("Bold")),
        "design:quill-4" if ask.text.contains("Be meek.") => Does::Says("no design".to_owned()),
        _ => all_do(ask),
    };
    let first = paused(&config(), &all_do);
    for text in ["--again zeph-3 Be bold.", "--again quill-4 Be meek.", "--drop zeph-3"] {
        for order in [Order::FirstIn, Order::LastIn] {
            let mut amended = resumed(&first, &config(), text, &script, order);
            assert_eq!(amended.finish(), Outcome::Paused);
            let mut whole = resumed(&amended.journal, &config(), "", &script, order);
            assert_eq!(whole.finish(), Outcome::Complete);
            let expected = timeless(&whole.files);
            for length in first.len() + 1..whole.journal.len() {
                let mut shell = Shell::of(&whole.journal[..length], &script, order);
                let is_amended = length > amended.journal.len() - 2;
                // As often as the user continues it, until the run is ranked.
                loop {
                    shell = resumed(&shell.journal, &config(), "", &script, order);
                    if shell.finish() != Outcome::Paused {
                        break;
                    }
                    assert!(!is_amended || length < amended.journal.len(), "{text}: after line {length}");
                }
                let files = timeless(&shell.files);
                assert_eq!(
                    files.keys().collect::<Vec<_>>(),
                    expected.keys().collect::<Vec<_>>(),
                    "{text}: after line {length}"
                );
                for (path, text) in files {
                    assert_eq!(text, expected[&path], "after line {length}: {path}");
                }
                replays(&shell);
            }
        }
    }
}

#[test]
fn a_design_that_nobody_has_read_is_shown_before_it_is_reviewed() {
    let two = json!({"design_models": ["x/quill-4", "x/brisk-10"], "review_models": ["z/judge", "z/jury"]});
    let journal = paused(&two, &all_do);
    let mut shell = resumed(&journal, &config(), "", &all_do, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Paused, "a third designer was configured since");
    assert_eq!(asked(&shell), BTreeSet::from(["design:zeph-3".to_owned()]));
    // The configuration may leave fewer than two designers.
    let dropped = resumed(&shell.journal, &config(), "--drop zeph-3", &all_do, Order::FirstIn);
    let other = json!({"design_models": ["x/quill-4", "y/zeph-3"], "review_models": ["z/judge"]});
    assert_eq!(refusal(&dropped.journal, &other, "").0, "run.too-few-designs");
}

#[test]
fn a_stop_before_the_designs_are_there_leaves_a_run_that_ends_after_them() {
    let mut shell = opened(later(&config()), &all_do, Order::FirstIn);
    while shell.asked.len() < 3 {
        assert!(shell.step());
    }
    for cancelled in [false, true] {
        let mut journal = shell.journal.clone();
        if cancelled {
            let mut stopped = Shell::of(&journal, &all_do, Order::FirstIn);
            stopped.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
            journal = stopped.journal;
        }
        let mut again = resumed(&journal, &config(), "", &all_do, Order::FirstIn);
        assert_eq!(again.finish(), Outcome::Paused);
    }
    let people = {
        let journal = paused(&config(), &all_do);
        let mut shell = Shell::of(&journal, &all_do, Order::FirstIn);
        let form = shell.run.form("ada").unwrap();
        shell.feed(form.event.unwrap());
        shell
    };
    let mut reviewed = resumed(&people.journal, &config(), "", &all_do, Order::FirstIn);
    assert_eq!(reviewed.finish(), Outcome::Complete, "models review beside the person");
}

#[test]
fn which_run_is_meant_and_how_it_is_reviewed() {
    let paused = Shell::of(&paused(&config(), &all_do), &all_do, Order::FirstIn);
    let ranked = play(&config(), &all_do, Order::FirstIn);
    let found = |name: &str, shell: &Shell<'_>| Found {
        name: name.to_owned(),
        summary: shell.run.summary().map(|summary| Summary { origin: Origin::Here, ..summary }),
        problem: None,
        owner: Owner::Nobody,
    };
    let mut runs = [found("2026-11-20-ranked", &ranked), found("2026-11-21-paused", &paused)];
    runs[1].summary.as_mut().unwrap().at += 86_400_000;
    for purpose in [Purpose::Amend, Purpose::Review, Purpose::Resume] {
        assert_eq!(choose(purpose, "", &runs).unwrap().name, "2026-11-21-paused", "{purpose:?}");
    }
    assert_eq!(choose(Purpose::FollowUp, "", &runs).unwrap().name, "2026-11-20-ranked");
    assert_eq!(choose(Purpose::Amend, "", &runs[..1]).unwrap_err().code, "run.none");
    assert_eq!(choose(Purpose::Cancel, "paused", &runs).unwrap_err().code, "run.none-running");
    let within =
        |text: &str| review_within(text, &runs, false).map(|request| request.map(|request| request.run));
    assert_eq!(within(""), Ok(Some("2026-11-21-paused".to_owned())));
    assert_eq!(within("ranked"), Ok(None));
    assert_eq!(within("--new paused"), Ok(None));
    let list =
        crate::design_lab::workflow::list(&runs, ".design-lab", paused.now, Listed::Latest, Reader::Person);
    assert!(list.contains("designs to review"), "{list}");
    assert!(list.contains("/design-lab-review 2026-11-21-paused reviews them"), "{list}");

    let parse = |text: &str| ResumeRequest::parse(text).map(|request| (request.run, request.amendment));
    let amendment = |design: &str, again: Option<&str>| {
        Some(Amendment {
            design: crate::design_lab::ids::DesignId::new(design),
            again: again.map(str::to_owned),
        })
    };
    assert_eq!(
        parse("rate --again a  Say  why.\nTwice. "),
        Ok(("rate".into(), amendment("a", Some("Say  why.\nTwice."))))
    );
    assert_eq!(parse("--again a"), Ok((String::new(), amendment("a", Some("")))));
    assert_eq!(parse("--drop a rate"), Ok(("rate".into(), amendment("a", None))));
    for (text, code) in [
        ("--again", "command.missing-value"),
        ("--drop --again", "command.missing-value"),
        ("--drop a --drop b", "command.unknown-option"),
        ("--retry-failed --drop b", "command.unknown-option"),
        ("--drop a --retry-failed", "command.unknown-option"),
        ("one --drop a two", "command.too-many-words"),
    ] {
        assert_eq!(parse(text).unwrap_err().code, code, "{text}");
    }
}

#[test]
fn a_run_with_failures_names_what_completes_it() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:zeph-3" => Does::Fails("ProviderAuthError", Some(401)),
        _ => all_do(ask),
    };
    let shell = play(&config(), &script, Order::FirstIn);
    let run = Found {
        name: "2026-11-20-rate-limiter".to_owned(),
        summary: shell.run.summary().map(|summary| Summary { origin: Origin::Here, ..summary }),
        problem: None,
        owner: Owner::Nobody,
    };
    let list = crate::design_lab::workflow::list(
        std::slice::from_ref(&run),
        ".design-lab",
        shell.now,
        Listed::Latest,
        Reader::Person,
    );
    let status = shell.run.status(&run, shell.now, Reader::Person);
    for text in [list, status] {
        assert!(text.contains("incomplete"), "{text}");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("/design-lab-resume 2026-11-20-rate-limiter --retry-failed"), "{text}");
    }
}

#[test]
fn a_design_that_was_asked_for_its_claims_is_rewritten_as_a_whole() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:quill-4" if !ask.text.contains("type Claims = {") => {
            let code =
                LookedUp { path: "$code".to_owned(), found: PathFound::File, lines: None, place: None };
            let text = design(&format!("Plan after {}", ask.text.len()));
            let reply = Reply { text, finish: "stop".to_owned(), looked_up: vec![code], ..Reply::default() };
            Does::Replies(Box::new(reply))
        }
        "design:quill-4" => Does::Says("{\"claims\": []}".to_owned()),
        _ => all_do(ask),
    };
    let journal = paused(&config(), &script);
    let mut shell = resumed(&journal, &config(), "--again quill-4 Shorter, please.", &script, Order::FirstIn);
    shell.finish();
    let prompts: Vec<&Ask> = shell.asked.iter().filter(|ask| ask.job.as_str() == "design:quill-4").collect();
    let [again, claims] = prompts[..] else { panic!("{} prompts", prompts.len()) };
    assert!(
        again.text.contains("type Design = {") && again.text.contains("Shorter, please."),
        "{}",
        again.text
    );
    assert!(claims.text.contains("type Claims = {"));
    replays(&shell);
}
