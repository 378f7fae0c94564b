//! `report.html`, in the situations that matter. Each page is left in `target/tmp/pages/`, where the browser tests find it.

use super::from::{drafted_from, faithful};
use super::lies::with;
use super::*;
use crate::flow::protocol::Opening;
use crate::shared::markdown::rendered::assert_inert;
use std::path::Path;

/// The page as it is on disk, left where the browser tests find it.
fn shown(name: &str, shell: &Shell<'_>) -> String {
    let page = shell.files["report.html"].clone();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp/pages");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join(format!("flow-{name}.html")), &page).unwrap();
    page
}

/// The visible part of the page, without the head of the journal.
fn body(page: &str) -> String {
    let (_, body) = page.split_once("<body>").unwrap();
    let (before, after) = body.split_once("<dt>Journal head</dt><dd><code>").unwrap();
    format!("{before}<dt>Journal head</dt><dd><code><head>{}", &after[64..])
}

#[test]
fn of_a_session_that_is_complete() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    run_next(&mut shell);
    let page = shown("complete", &shell);
    insta::assert_snapshot!("report", body(&page));
    let tiers = |tier: &str| page.matches(&format!("<span class=\"tier {tier}\">")).count();
    // Each appears again in the legend.
    assert_eq!(tiers("person"), 2, "the user approved the plan");
    assert!(tiers("observed") > 5 && tiers("executed") > 5 && tiers("opinion") > 3 && tiers("unchecked") > 2);
}

#[test]
fn of_a_session_that_is_on_its_way() {
    let mut shell = drafted(&honest, &well);
    let page = shown("draft", &shell);
    assert!(page.contains("The plan is waiting for approval.") && page.contains("not approved"), "{page}");
    let command = format!("<code>/flow-plan approve {}</code>", &shell.run.state().unwrap().hash[..8]);
    assert!(page.contains(&command), "{page}");

    let event = shell.run.approve(&shell.run.state().unwrap().hash.clone()).unwrap();
    carry_out(&mut shell, event);
    run_next(&mut shell);
    let event = shell.run.reset("limits").unwrap();
    carry_out(&mut shell, event);
    let page = shown("reset", &shell);
    assert!(page.contains("2 features to build."), "{page}");
    assert!(page.contains("class=\"row void\"") && page.contains("<em>void:</em>"), "{page}");
    assert!(!page.contains("Before you rely on it"), "nothing is complete");
}

#[test]
fn of_a_feature_that_is_being_built() {
    let mut shell = approved(&honest, &well);
    let event = shell.run.start("", &[]).unwrap();
    shell.ending = None;
    shell.feed(event);
    while !shell.asked.iter().any(|ask| ask.job.as_str().starts_with("review")) {
        assert!(shell.step());
    }
    let page = shown("running", &shell);
    assert!(page.contains("limits is being built."), "{page}");
    assert!(!page.contains("Journal head"), "it grows");
}

#[test]
fn of_a_feature_that_is_blocked() {
    let failing = |effect: &Effect| match effect {
        Effect::RunCheck { effect, .. } => {
            let tree = format!("t{}", effect - 1);
            finished(CheckFinished { ran: failed(&format!("not ok {effect}")), ..passed(*effect, &tree) })
        }
        Effect::TakeTree { effect: number, .. } => tree_taken(effect, &format!("t{number}")),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    };
    let mut shell = approved(&honest, &failing);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let page = shown("blocked", &shell);
    assert!(page.contains("<strong class=\"kind blocked\">blocked</strong>"), "{page}");
    assert!(!page.contains("$-"), "{page}");
    assert!(page.contains("<ol><li dir=\"auto\">"), "what was tried is told: {page}");
    assert!(page.contains("Results that no longer count: "), "{page}");
}

#[test]
fn of_a_session_that_nobody_approved() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opened(true));
    assert_eq!(shell.finish(), Outcome::Complete);
    let page = shown("autonomous", &shell);
    assert!(page.contains("The plan was not approved."), "{page}");
    assert_eq!(page.matches("<span class=\"tier person\">").count(), 1, "in the legend alone: {page}");
}

#[test]
fn of_a_design_that_was_ranked() {
    let shell = drafted_from(&faithful, true);
    let page = shown("design", &shell);
    for said in
        ["<h4>Design</h4>", "a component of the design, as planned", "<h3>Components</h3>", "<h3>Risks</h3>"]
    {
        assert!(page.contains(said), "{said}: {page}");
    }
    let chain = page.split_once("<ol class=\"chain\">").unwrap().1;
    let headings: Vec<&str> =
        chain.split("<h4>").skip(1).map(|rest| rest.split_once('<').unwrap().0).collect();
    assert_eq!(headings[..5], ["Design", "Feature", "Files", "Evidence", "Decision"]);
}

#[test]
fn of_models_and_a_user_whose_texts_would_act() {
    let evil = "\"'><script>document.title='owned'</script></style></title><img src=https://evil.example/p.png onerror=alert(1)>\
                <a href=\"javascript:alert(1)\">[x](javascript:alert(2))</a> {{ 7 * 7 }} \u{202e}txt.exe\u{2066}\u{0}\u{200b} &lt;b&gt; ![i](https://evil.example/i.png) `</code>`";
    let mut hostile = plan_value();
    for feature in hostile["features"].as_array_mut().unwrap() {
        feature["title"] = json!(evil);
        feature["summary"] = json!(format!("{evil}\n\n# {evil}\n\n- {evil}\n\n```html\n{evil}\n```"));
        feature["files"] = json!([evil]);
        feature["verification"][0]["command"] = json!(["node", "--test", evil]);
        feature["acceptance"][0]["text"] = json!(evil);
        feature["acceptance"][1]["verified_by"] = json!(format!("unverifiable: {evil}"));
    }
    let finding = json!({"severity": "minor", "file": evil, "line": 3, "text": evil});
    let criteria = json!([{"id": "refills", "met": true, "where": evil}]);
    let script = |ask: &Ask| match ask.job.as_str().split(':').next() {
        Some("plan") => Does::Says(hostile.to_string()),
        Some("work") => with(ask, "work", &json!({"summary": evil})),
        _ => with(ask, "review", &json!({"findings": [finding], "criteria": criteria})),
    };
    let files = |effect: &Effect| match (effect, well(effect)) {
        (_, Decision::TreeTaken(seen)) => {
            let TreeTaken { effect, tree, changed, tests, .. } = *seen;
            let changed =
                if changed.is_empty() { changed } else { vec![evil.to_owned(), "test/a.test.js".to_owned()] };
            taken(effect, tree.as_str(), changed, tests)
        }
        (_, other) => other,
    };
    let EventKind::Opened(opening) = opening() else { unreachable!() };
    let opening = Opening { goal: format!("{evil}\n\n{evil}"), notes: vec![evil.to_owned()], ..*opening };
    let mut shell = Shell::new(&script, Order::FirstIn).with_effects(&files);
    shell.feed(EventKind::Opened(Box::new(opening)));
    assert_eq!(shell.finish(), Outcome::Complete);
    let event = shell.run.approve(&shell.run.state().unwrap().hash.clone()).unwrap();
    carry_out(&mut shell, event);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let page = shown("hostile", &shell);
    for live in ["<script", "<img", "<a href=\"java", "\u{202e}", "\u{2066}", "\u{0}", "\u{200b}"] {
        assert!(!page.contains(live), "{live:?}");
    }
    assert_eq!(page.matches("</style>").count(), 2);
    assert!(page.contains("[U+202E]") && page.contains("limits</bdi>"));
    assert!(page.matches("&lt;script&gt;").count() > 8, "{page}");
    let pages: Vec<_> = shell.files.iter().filter(|(file, _)| file.starts_with("docs/")).collect();
    assert!(pages.len() > 2, "{pages:?}");
    for (file, page) in pages {
        assert_inert(page);
        let is_forged = page.contains("\n# \"'>") || page.contains("\n- \"'>");
        assert!(!is_forged || !file.contains("features/"), "a summary makes no sections: {page}");
    }
}
