//! A run's decision: what it may claim, and how it handles hostile text.

use super::outcome::{outcome, record};
use super::*;
use crate::design_lab::artefacts::TurnedOut;

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

/// Designs with the parts for a builder, and a map of them.
fn in_detail(ask: &Ask) -> Does {
    match map::all_do(ask) {
        Does::Says(text) if ask.job.as_str().starts_with("design:") => {
            let mut design: Value = serde_json::from_str(&text).unwrap();
            for (part, items) in [
                ("interfaces", json!(["take(tenant) -> bool", "refill(tenant)"])),
                ("data_model", json!(["bucket: tenant, tokens, at"])),
                ("failure_modes", json!(["The store is down: requests pass for 30 s, and an alarm rings."])),
                ("verification", json!(["A load test of 60,000 requests a second shows the limit."])),
                ("rollout", json!(["Shadow mode for a week, then one region after another."])),
            ] {
                design[part] = items;
            }
            Does::Says(design.to_string())
        }
        other => other,
    }
}

#[test]
fn it_has_what_the_map_the_chosen_design_and_people_say() {
    let mut shell = play(&map::mapped(), &in_detail, Order::FirstIn);
    let first = shell.json("results/ranking.json")["rankings"][0]["design_id"].as_str().unwrap().to_owned();
    let second = shell.json("results/ranking.json")["rankings"][1]["design_id"].as_str().unwrap().to_owned();
    insta::assert_snapshot!("adr", adr(&shell));
    for (design, turned_out, status) in [
        (&second, TurnedOut::Built, "proposed"),
        (&first, TurnedOut::Built, "accepted"),
        (&first, TurnedOut::Failed, "rejected"),
        (&first, TurnedOut::Validated, "accepted"),
    ] {
        record(&mut shell, &outcome(design, turned_out, "in May")).unwrap();
        let text = adr(&shell);
        assert!(text.starts_with(&format!("---\nstatus: {status}\n")), "{turned_out:?} {text}");
        assert!(text.contains(&format!("- {design} {} (recorded on ", turned_out.predicate())), "{text}");
    }
}
