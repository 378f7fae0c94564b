//! Prompts that exceed a model's context: the remedies.

use super::*;

/// Why the jobs of this kind failed when every model's context is too small for them.
fn message(config: &Value, kind: &str) -> String {
    let overflows = |ask: &Ask| {
        if ask.job.as_str().starts_with(kind) && !(kind == "design" && ask.model == "y/zeph-3") {
            return Does::Fails("ContextOverflowError", None);
        }
        well(ask)
    };
    let mut shell = Shell::new(&overflows, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(config))));
    shell.finish();
    shell.run.live_message(0).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_reported_names_what_helps() {
    let begins = "the prompt is larger than the model's context; give it a larger context on its server";
    let with = |key: &str, value: Value| {
        let mut config = config();
        config["review"] = json!({ key: value });
        message(&config, "review")
    };
    let designers = message(&config(), "design");
    assert!(
        designers.contains(&format!("{begins}, or shorten the task and what is attached")),
        "{designers}"
    );
    let usual = message(&config(), "review");
    let ways = "set `review.mode` to \"pairwise\", or compare fewer designs";
    assert!(usual.contains(&format!("{begins}, set `review.turns` to 1, {ways}")), "{usual}");
    let one_turn = with("turns", json!(1));
    assert!(one_turn.contains(&format!("{begins}, {ways}")), "{one_turn}");
    let pairwise = with("mode", json!("pairwise"));
    assert!(pairwise.contains(begins) && !pairwise.contains("review.mode"), "{pairwise}");
}
