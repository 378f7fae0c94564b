//! How designs turned out, recorded after a run.

use super::forecast::found;
use super::human_review::scored_by_ada;
use super::*;
use crate::design_lab::artefacts::{DesignOutcome, TurnedOut};
use crate::design_lab::ids::DesignId;
use crate::design_lab::report;
use crate::design_lab::workflow::{OutcomeRequest, history};

pub(super) fn outcome(design: &str, turned_out: TurnedOut, remark: &str) -> DesignOutcome {
    DesignOutcome { design: DesignId::new(design), turned_out, remark: remark.to_owned() }
}

/// Records an outcome as the shell does, a day later.
pub(super) fn record(shell: &mut Shell<'_>, outcome: &DesignOutcome) -> Result<(), Problem> {
    let event = shell.run.report_outcome(outcome)?;
    shell.now += 86_400_000;
    shell.ending = None;
    shell.feed(event);
    assert_eq!(shell.ending.as_ref().unwrap().1, "", "no model gets a report");
    Ok(())
}

#[test]
fn an_outcome_is_parsed_and_a_wrong_word_is_located() {
    let parsed = |text: &str| OutcomeRequest::parse(text);
    let wanted = |run: &str, outcome| Ok(Some(OutcomeRequest { run: run.to_owned(), outcome }));
    assert_eq!(parsed(""), Ok(None));
    assert_eq!(parsed("cache"), Ok(None));
    assert_eq!(parsed("--outcome ash built"), wanted("", outcome("ash", TurnedOut::Built, "")));
    assert_eq!(
        parsed(" cache --outcome ash  failed \"It lost\n writes\" "),
        wanted("cache", outcome("ash", TurnedOut::Failed, "It lost writes"))
    );
    for (text, code) in [
        ("--outcome", "command.missing-value"),
        ("cache --outcome ash", "command.missing-value"),
        ("cache more --outcome ash built", "command.too-many-words"),
        ("--force cache --outcome ash built", "command.unknown-option"),
        ("--outcome built ash", "command.unknown-outcome"),
    ] {
        let problem = parsed(text).unwrap_err();
        assert_eq!(problem.code, code, "{text}");
        assert!(problem.next.is_some(), "{text}");
    }
    let near = parsed("cache --outcome ash validate").unwrap_err();
    assert_eq!(near.message, "The word after --outcome ash is no outcome.");
    assert_eq!(near.found.as_deref(), Some("validate"));
    assert_eq!(near.allowed.as_deref(), Some("built, validated, failed"));
    assert_eq!(near.next.as_deref(), Some("Did you mean validated?"));
}

#[test]
fn outcomes_are_kept_and_shown_and_change_no_ranking() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let (asked, before) = (shell.asked.len(), shell.files.clone());
    record(&mut shell, &outcome("quill-4", TurnedOut::Built, "")).unwrap();
    record(&mut shell, &outcome("zeph-3", TurnedOut::Failed, "It <b>lost</b> writes")).unwrap();
    record(&mut shell, &outcome("quill-4", TurnedOut::Validated, "A year in use")).unwrap();
    assert_eq!(shell.asked.len(), asked, "no model is called");
    let changed = |(path, text): &(&String, &String)| before.get(*path) != Some(*text);
    let changed: Vec<&str> = shell.files.iter().filter(changed).map(|(path, _)| path.as_str()).collect();
    assert_eq!(changed, ["results/report.html", "results/results.md"]);
    let [page, text] = ["results/report.html", "results/results.md"].map(|path| &shell.files[path]);
    for part in ["How designs turned out", "quill-4 was built (recorded on ", "A year in use"] {
        assert!(page.contains(part) && text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("They don't change the ranking.") && !page.contains("<b>lost</b>"), "{text}");

    let person = shell.run.status(&found("a", &shell), shell.now, Reader::Person);
    let person = person.split_whitespace().collect::<Vec<_>>().join(" ");
    let model = shell.run.account(shell.now, Origin::Here);
    assert!(person.contains("Outcome zeph-3 failed (recorded on "), "{person}");
    assert!(person.contains("A year in use") && !model.contains("A year in use"), "{model}");
    assert!(model.contains("quill-4 was validated"), "{model}");

    let replayed = assert_replays(&shell);
    let past = replayed.summary().unwrap().own.past;
    let of = |model: &str| {
        past.designs.iter().find(|design| design.author.as_deref() == Some(model)).unwrap().turned_out
    };
    assert_eq!(
        [of("x/quill-4"), of("y/zeph-3"), of("x/brisk-10")],
        [Some(TurnedOut::Validated), Some(TurnedOut::Failed), None]
    );
    scored_by_ada(&mut shell);
    assert!(shell.files["results/results.md"].contains("A year in use"), "another ranking keeps it");
    assert_replays(&shell);
}

#[test]
fn what_is_recorded_already_or_of_no_design_is_refused() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let code = |shell: &mut Shell<'_>, design: &str, turned_out, remark: &str| {
        record(shell, &outcome(design, turned_out, remark))
            .map_err(|problem| problem.code.as_str().to_owned())
    };
    let known = Err("rank.outcome-known".to_owned());
    for (turned_out, remark, expected) in [
        (TurnedOut::Built, "in May", Ok(())),
        (TurnedOut::Built, "in May", known.clone()),
        (TurnedOut::Built, "", known),
        (TurnedOut::Built, "and in June", Ok(())),
        (TurnedOut::Failed, "", Ok(())),
        (TurnedOut::Built, "in May", Ok(())),
    ] {
        assert_eq!(code(&mut shell, "quill-4", turned_out, remark), expected, "{turned_out:?} {remark}");
    }
    let unknown = shell.run.report_outcome(&outcome("Quill", TurnedOut::Built, "")).unwrap_err();
    assert_eq!(unknown.code, "run.unknown-design");
    assert_eq!(unknown.allowed.as_deref(), Some("quill-4, brisk-10, zeph-3"));
    let long = "x".repeat(501);
    assert_eq!(code(&mut shell, "quill-4", TurnedOut::Failed, &long), Err("command.long-remark".to_owned()));

    let nothing = play(&config(), &|_| Does::Fails("ProviderAuthError", Some(401)), Order::FirstIn);
    let problem = nothing.run.report_outcome(&outcome("quill-4", TurnedOut::Built, "")).unwrap_err();
    assert_eq!(problem.code, "run.not-ranked");
}

#[test]
fn the_history_counts_outcomes_and_claims_nothing_of_few() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let none = report::history(&history(&[found("a", &shell)]), ".design-lab");
    assert!(!none.contains("Outcomes"), "{none}");
    let first = shell.json("results/ranking.json")["rankings"][0]["design_id"].as_str().unwrap().to_owned();
    record(&mut shell, &outcome(&first, TurnedOut::Validated, "")).unwrap();
    let all = history(&[found("a", &shell)]);
    let text = report::history(&all, ".design-lab");
    let from = text.find("\n  Outcomes").unwrap();
    let until = text[from..].find("\n  Rubrics").unwrap();
    insta::assert_snapshot!("outcomes", &text[from..from + until]);
    assert!(all.outcomes.reviewers.iter().all(|row| row.tasks == 1 && row.share.is_none()));
}

#[test]
fn outcomes_of_a_run_from_elsewhere_count_and_are_not_said_to_be_yours() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    record(&mut shell, &outcome("quill-4", TurnedOut::Validated, "")).unwrap();
    let ours = found("a", &shell);
    let mut theirs = found("b", &shell);
    theirs.summary.as_mut().unwrap().origin = Origin::Elsewhere;
    let told = |runs: &[Found]| {
        report::history(&history(runs), ".design-lab").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let own = told(std::slice::from_ref(&ours));
    assert!(own.contains("Outcomes that you recorded, by author") && !own.contains("other people"), "{own}");
    let both = told(&[ours, theirs.clone()]);
    assert!(both.contains("Outcomes that people recorded, by author"), "{both}");
    assert!(both.contains("0 built, 2 validated, 0 failed"), "{both}");
    assert!(
        both.contains(
            "1 outcome comes from runs that this machine didn't write alone, so other people may have recorded it."
        ),
        "{both}"
    );
    let status = shell.run.status(&theirs, shell.now, Reader::Person);
    let status = status.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(status.contains("(recorded on another machine on "), "{status}");

    // Once it is taken over, what is recorded from then on is yours.
    shell.feed(EventKind::Adopted { voids: true });
    record(&mut shell, &outcome("zeph-3", TurnedOut::Failed, "")).unwrap();
    let text = &shell.files["results/results.md"];
    assert!(text.contains("quill-4 was validated (recorded on another machine on "), "{text}");
    assert!(text.contains("zeph-3 failed (recorded on "), "{text}");
    assert!(text.contains("People recorded these outcomes. They don't change the ranking."), "{text}");
    let past = shell.run.summary().unwrap().own.past;
    assert_eq!(past.designs.iter().filter(|design| design.elsewhere).count(), 1);
    let authors = history(&[found("b", &shell)]).outcomes.authors;
    assert_eq!(authors.iter().map(|row| row.elsewhere).collect::<Vec<_>>(), [1, 0]);
    assert_replays(&shell);
}
