//! A model's opinion counts only if the model has looked: one that read nothing can't tell, and a missing place proves nothing.

use super::scopes::reading;
use super::*;
use kernel::protocol::{JobId, LookedUp, PathFound, Reply};

/// The model's answer, the number of files that it read, and what the shell found at the cited places.
fn replied(text: &Value, reads: Option<u32>, found: &[(&str, PathFound, Option<u32>)]) -> Does {
    let looked_up = found.iter().map(|(path, found, lines)| LookedUp {
        path: (*path).to_owned(),
        found: *found,
        lines: *lines,
        place: None,
    });
    Does::Replies(Box::new(Reply {
        text: text.to_string(),
        finish: "stop".to_owned(),
        reads,
        looked_up: looked_up.collect(),
        ..Reply::default()
    }))
}

fn said(verdict: &str, file: &str, line: u32) -> Value {
    json!({"criteria": [
        {"id": "C1", "verdict": verdict, "file": file, "line": line, "note": "There is a form."},
        {"id": "C2", "verdict": "cannot_tell"},
    ]})
}

#[test]
fn a_verdict_is_as_good_as_the_place_that_it_cites() {
    let nothing = ("src/a.js", PathFound::Nothing, None);
    let short = ("src/a.js", PathFound::File, Some(3));
    let form = "somewhere in the router";
    for (verdict, file, line, reads, found, counts, doubt) in [
        ("met", "src/a.js", 3, Some(2), short, "met", None),
        (
            "met",
            "src/a.js",
            42,
            Some(2),
            short,
            "cannot_tell",
            Some("the model says met but cites src/a.js:42, but the file has 3 lines"),
        ),
        (
            "met",
            "src/a.js",
            42,
            Some(2),
            nothing,
            "cannot_tell",
            Some("the model says met but cites src/a.js:42, which doesn't exist"),
        ),
        (
            "not_met",
            "src/a.js",
            42,
            Some(2),
            nothing,
            "not_met",
            Some("the model says not met but cites src/a.js:42, which doesn't exist"),
        ),
        (
            "met",
            form,
            42,
            Some(1),
            (form, PathFound::Nothing, None),
            "cannot_tell",
            Some("the model says met but cites somewhere in the router:42, which doesn't exist"),
        ),
        (
            "met",
            "src/a.js",
            3,
            Some(0),
            short,
            "cannot_tell",
            Some("the model says met, but it read no file"),
        ),
        (
            "not_met",
            "src/a.js",
            3,
            Some(0),
            short,
            "cannot_tell",
            Some("the model says not met, but it read no file"),
        ),
        (
            "met",
            " ",
            1,
            Some(2),
            short,
            "cannot_tell",
            Some("the model says met but names no file that shows it"),
        ),
        ("not_met", "", 1, Some(2), short, "not_met", None),
        // A host that doesn't report what was read, and a path that was not looked up: as in older journals.
        ("met", "src/a.js", 42, None, ("src/b.js", PathFound::Nothing, None), "met", None),
    ] {
        let script = |_: &Ask| replied(&said(verdict, file, line), reads, &[found]);
        let shell = reading(Scope::Work, &script);
        let first = &shell.json("verify.json")["criteria"][0];
        assert_eq!((&first["verdict"], first["doubt"].as_str()), (&json!(counts), doubt), "{file}:{line}");
        let is_told = doubt.is_none_or(|doubt| {
            flat(&status(&shell)).contains(doubt) && shell.files["FINAL-VALIDATION.md"].contains(doubt)
        });
        assert!(is_told, "{}", status(&shell));
    }
}

#[test]
fn a_model_can_not_say_itself_how_good_its_grounds_are() {
    let mut answer = said("met", "src/a.js", 3);
    answer["criteria"][0]["doubt"] = json!("none");
    let script = |_: &Ask| replied(&answer, Some(1), &[]);
    let shell = reading(Scope::Work, &script);
    assert_eq!(shell.json("verify.json")["criteria"][0].get("doubt"), None);
}

#[test]
fn a_gap_stays_one_and_says_what_speaks_against_it() {
    let found = [("src/a.js", PathFound::File, Some(9)), ("src/b.js", PathFound::Nothing, None)];
    let script = |_: &Ask| replied(&analysis_value(&gaps()), Some(1), &found);
    let shell = reading(Scope::Flows, &script);
    let chat = flat(&status(&shell));
    assert!(chat.contains("leads nowhere (the model cites src/b.js:1, which doesn't exist)"), "{chat}");
    assert_eq!(chat.matches("the model cites").count(), 1, "{chat}");
    let script = |_: &Ask| replied(&analysis_value(&gaps()), Some(0), &found);
    let shell = reading(Scope::Flows, &script);
    let report = &shell.files["FINAL-VALIDATION.md"];
    assert!(report.contains("The model read no file, so its opinion doesn't count."), "{report}");
    assert!(status(&shell).contains("is forgotten (the model read no file)"));
}

#[test]
fn the_shell_is_reported_what_to_look_up_before_the_answer_is_journaled() {
    for (scope, job, paths) in [
        (Scope::Work, "verify:1", &["src/a.js"][..]),
        (Scope::Flows, "journeys:1", &["src/a.js", "src/b.js"]),
    ] {
        let mut shell = Shell::new(&strict, Order::FirstIn).with_effects(&well);
        shell.feed(opened_as(scope, subject(), settings()));
        let ask = shell.pending[0].clone();
        let reply = |text: String| Reply { text, finish: "stop".to_owned(), ..Reply::default() };
        let cited = |text| shell.run.cited(&JobId::new(job), &reply(text));
        assert_eq!(cited(right(&ask, &gaps()).to_string()), paths);
        assert!(cited("I have no idea.".to_owned()).is_empty(), "it is asked again anyway");
        assert!(
            shell.run.cited(&JobId::new("tests:1"), &reply(String::new())).is_empty(),
            "nobody was asked"
        );
    }
}
