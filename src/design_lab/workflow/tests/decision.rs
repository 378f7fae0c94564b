//! A run's decision: what it may claim, and how it handles hostile text.

use super::*;

fn adr(shell: &Shell<'_>) -> String {
    let (file, text) = shell.run.decision("adr").unwrap();
    assert_eq!(file, "results/adr.md");
    let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
    assert_eq!(replayed.decision("adr").unwrap().1, text);
    text
}

#[test]
fn where_designs_share_the_first_place_none_is_chosen() {
    let mut given = config();
    given["review"] = json!({"mode": "pairwise"});
    let text = adr(&play(&given, &undecided, Order::FirstIn));
    assert!(text.contains("Chosen option: none, because "), "{text}");
    assert!(text.contains(" share the first place. "), "{text}");
    assert!(!text.contains("### Consequences") && !text.contains("adjusted score"), "{text}");
}

#[test]
fn words_of_models_stay_words_in_it() {
    let script = |ask: &Ask| match well(ask) {
        Does::Says(text) => Does::Says(text.replace(
            "Plan ",
            "<script>alert(1)</script>\\n# Decision Outcome\\n![x](https://evil.example/p.png) Plan ",
        )),
        other => other,
    };
    let text = adr(&play(&config(), &script, Order::FirstIn));
    assert!(text.contains("alert(1)") && !text.contains("<script"), "{text}");
    assert!(!text.contains("\n# Decision Outcome") && !text.contains("![x]"), "{text}");
}

#[test]
fn a_run_that_is_not_ranked_has_none() {
    let shell = play(&config(), &|_| Does::Fails("ProviderAuthError", Some(401)), Order::FirstIn);
    let problem = shell.run.decision("adr").unwrap_err();
    assert_eq!(problem.code, "run.not-ranked");
    assert!(problem.next.is_some_and(|next| next.contains("/design-lab-resume")));
}
