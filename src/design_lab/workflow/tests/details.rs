//! The parts of a design for a builder, through whole runs.

use super::*;
use crate::shared::Rules;

const COPIED: &str = "files of this project that change or are added";

/// Plays a run in which one designer writes down interfaces and these files. Returns the designer's requests, its design, and what the
/// reviewer is asked first.
fn played(touches: &Value, rules: Rules) -> (Vec<String>, Value, String) {
    let mut written: Value = serde_json::from_str(&design("First plan")).unwrap();
    written["interfaces"] = json!([{"name": "take", "signature": "(tenant) -> bool, as quill-4 writes it"}]);
    written["touches"] = touches.clone();
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:quill-4" if ask.text.contains("/touches/0") => {
            Does::Says(written.to_string().replace(COPIED, "src/gate.rs"))
        }
        "design:quill-4" => Does::Says(written.to_string()),
        _ => well(ask),
    };
    let config = json!({"design_models": ["x/quill-4", "y/zeph-3"], "review_models": ["z/judge"]});
    let mut shell = Shell::new(&script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(Opening { acceptance: rules, ..opening(&config) })));
    shell.finish();
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let of = |job: &str| -> Vec<String> {
        shell.asked.iter().filter(|ask| ask.job.as_str() == job).map(|ask| ask.text.clone()).collect()
    };
    let shown = of("review:judge:1").swap_remove(0);
    (of("design:quill-4"), shell.json("designs/quill-4.json"), shown)
}

#[test]
fn the_parts_for_a_builder_are_kept_and_shown_without_names() {
    let (asked, stored, shown) = played(&json!("src/gate.rs"), Rules::LATEST);
    assert_eq!(asked.len(), 1, "nothing has to be fixed");
    assert!(asked[0].contains("  rollout?: string[];"));
    assert_eq!(stored["touches"], json!(["src/gate.rs"]));
    assert_eq!(stored["interfaces"], json!(["take: (tenant) -> bool, as quill-4 writes it"]));
    assert!(stored.get("rollout").is_none());
    assert!(shown.contains(r#""interfaces":["take: (tenant) -> bool, as [model] writes it"]"#), "{shown}");
}

#[test]
fn text_of_the_form_is_noticed_unless_the_run_began_before_the_form_had_it() {
    let (asked, stored, _) = played(&json!([COPIED]), Rules::LATEST);
    assert!(asked.len() == 2 && asked[1].contains("copied from the form"), "{asked:?}");
    assert_eq!(stored["touches"], json!(["src/gate.rs"]));
    let (asked, stored, shown) = played(&json!([COPIED]), Rules::CheckedClaims);
    assert_eq!(asked.len(), 1);
    assert!(stored.get("touches").is_none() && !shown.contains("interfaces"), "earlier rules dropped them");
}
