//! Whole runs, including faults, without a shell: scripted models answer, a virtual clock advances.

mod accepting;
mod added;
mod amend;
mod candidate;
mod claims;
mod close_pair;
mod constraints;
mod cut;
mod decision;
mod details;
mod evidence;
mod follow_up;
mod forecast;
mod foreign;
mod handover;
mod hostile;
mod human_review;
mod images;
mod leaving;
mod map;
mod offers;
mod one_turn;
mod options;
mod outcome;
mod overflow;
mod panel;
mod past;
mod reconfigured;
mod repair;
mod replies;
mod retried;
mod rubric;
mod until_clear;
mod vendors;
mod without_tools;

use super::protocol::{Command, Event, EventKind};
use super::run_index::ResumeRequest;
use super::{Ask, Found, Opening, OpeningInput, Owner, Run, begin, refuse_twin};
use crate::design_lab::attachments::{Attached, Attachment, Content, Read};
use crate::design_lab::config::AvailableModel;
use crate::design_lab::config::{Layer, Source};
use crate::shared::reader::Reader;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::progress::Standing;
use kernel::protocol::{CallFailure, JobId, Outcome, Reply};
use kernel::run::Durable as _;
use kernel::testing;
pub(super) use kernel::testing::{Does, Order};
use kernel::tokens::Tokens;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The virtual shell with a run of Design Lab.
pub(super) type Shell<'a> = testing::Shell<'a, Run>;

const MODELS: [&str; 11] = [
    "x/quill-4",
    "x/brisk-10",
    "y/zeph-3",
    "z/judge",
    "z/jury",
    "anthropic/claude-opus-4.5",
    "anthropic/claude-haiku-4.5",
    "x/topaz-2",
    "y/onyx-7",
    "z/beryl-1",
    "z/umber-5",
];

pub(super) fn beginning(config: &Value, text: &str) -> OpeningInput {
    OpeningInput {
        package: "0.1.0".to_owned(),
        date: "2026-11-20".to_owned(),
        text: text.to_owned(),
        sources: vec![Source {
            origin: Layer::Project,
            file: ".opencode/design-lab.json".to_owned(),
            text: config.to_string(),
        }],
        available: crate::design_lab::config::AvailableModels {
            models: MODELS
                .iter()
                .map(|id| {
                    let (provider, model) = id.split_once('/').unwrap();
                    AvailableModel {
                        provider: provider.to_owned(),
                        model: model.to_owned(),
                        cost_input: 1.0,
                        cost_output: 5.0,
                        tool_call: true,
                        ..Default::default()
                    }
                })
                .collect(),
            ..Default::default()
        },
        ..OpeningInput::default()
    }
}

pub(super) fn config() -> Value {
    json!({
        "design_models": ["x/quill-4", "x/brisk-10", "y/zeph-3"],
        "review_models": ["z/judge", "z/jury"],
    })
}

pub(super) fn opening(config: &Value) -> Opening {
    begin(&beginning(config, "Design a rate limiter for a public API")).unwrap()
}

pub(super) fn design(title: &str) -> String {
    json!({
        "title": title, "summary": format!("{title} in short."), "assumptions": ["a"],
        "architecture_overview": "overview",
        "components": [{"name": "gate", "description": "d", "responsibilities": ["r"]}],
        "data_flow": "flow",
        "tradeoffs": [{"aspect": "a", "options": ["o", "p"], "chosen": "o", "rationale": "r"}],
        "risks": [{"risk": "r", "impact": "low", "mitigation": "m"}],
        "open_questions": ["q"]
    })
    .to_string()
}

/// The labels in a prompt, in the order shown, with the title of each design.
fn shown(text: &str) -> Vec<(String, String)> {
    text.split("<design id=\"")
        .skip(1)
        .filter_map(|block| {
            let (label, rest) = block.split_once('"')?;
            let title = rest.split("\"title\"").nth(1)?.split('"').nth(1)?;
            Some((label.to_owned(), title.to_owned()))
        })
        .collect()
}

pub(super) fn labels_to_score(text: &str) -> Vec<String> {
    let union = text
        .split("design_id: ")
        .find(|rest| rest.starts_with('"'))
        .and_then(|rest| rest.split(';').next())
        .unwrap_or_default();
    union.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

pub(super) fn scores(labels: &[String], score: impl Fn(usize) -> f64) -> String {
    let evaluations: Vec<Value> = labels
        .iter()
        .enumerate()
        .map(|(index, label)| {
            let mut quantitative = json!({"overall": 5, "justification": "because"});
            for dimension in ["clarity", "feasibility", "scalability", "maintainability", "completeness"] {
                quantitative[dimension] = json!(score(index));
            }
            json!({
                "design_id": label,
                "qualitative": {"strengths": ["s"], "weaknesses": ["w"], "missing_considerations": [], "risk_assessment": "low"},
                "quantitative": quantitative,
            })
        })
        .collect();
    json!({ "evaluations": evaluations }).to_string()
}

/// Every model does its work well; reviewers score by position in the list of ids.
pub(super) fn well(ask: &Ask) -> Does {
    let (kind, who) = ask.job.as_str().split_once(':').unwrap_or((ask.job.as_str(), ""));
    Does::Says(match kind {
        "topic" => "Rate Limiter".to_owned(),
        "design" => design(&format!("Plan {} by {who}", who.len())),
        _ if ask.text.contains("design_id: \"") => {
            let labels = labels_to_score(&ask.text);
            scores(&labels, |index| 9.0 - index as f64)
        }
        _ => written_review(&ask.text),
    })
}

/// A review with a section for each design of a prompt; for a prompt that asks for the names, with one for each of these too.
pub(super) fn written_review(text: &str) -> String {
    let named = text.split("The ids are ").nth(1).unwrap_or_default().split('"').skip(1).step_by(2);
    let labels: Vec<String> = shown(text).into_iter().map(|(label, _)| label).collect();
    let labels = labels.into_iter().chain(named.map(str::to_owned));
    std::iter::once("A thorough review.".to_owned())
        .chain(labels.map(|label| format!("## {label}\n\nIt says what it does.")))
        .collect::<Vec<_>>()
        .join("\n\n")
}

pub(super) fn play<'a>(config: &Value, script: &'a dyn Fn(&Ask) -> Does, order: Order) -> Shell<'a> {
    let mut shell = Shell::new(script, order);
    shell.feed(EventKind::Opened(Box::new(opening(config))));
    shell.finish();
    shell
}

/// What a run does when the user continues it.
pub(super) fn events(
    run: &Run,
    config: &Value,
    request: &ResumeRequest,
) -> Result<Vec<EventKind>, Vec<Problem>> {
    let OpeningInput { sources, files, available, .. } = beginning(config, "");
    run.go_on(request, &sources, &files, &available, Origin::Here).map(|resumption| resumption.events)
}

/// A new process in which the user continues a run.
pub(super) fn asked_to_go_on<'a>(
    journal: &[String],
    config: &Value,
    request: &ResumeRequest,
    script: &'a dyn Fn(&Ask) -> Does,
    order: Order,
) -> Shell<'a> {
    let mut shell = Shell::of(journal, script, order);
    for event in events(&shell.run, config, request).unwrap() {
        shell.feed(event);
    }
    shell
}

/// The journal alone reproduces every file of a run, bit for bit.
pub(super) fn assert_replays(shell: &Shell<'_>) -> Run {
    let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
    assert_eq!(replayed.files().unwrap().into_iter().collect::<BTreeMap<_, _>>(), shell.files, "bit for bit");
    replayed
}

#[test]
fn a_whole_run_leaves_every_artefact() {
    let shell = play(&config(), &well, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let mut expected = vec![
        "task.json",
        "config.json",
        "results/ranking.json",
        "results/results.md",
        "results/report.html",
        "results/scores.csv",
    ];
    let designs = ["quill-4", "brisk-10", "zeph-3"]
        .map(|id| [format!("designs/{id}.json"), format!("designs/{id}.md")]);
    let reviews =
        ["judge", "jury"].map(|id| [format!("reviews/review-{id}.json"), format!("reviews/review-{id}.md")]);
    let scores: Vec<String> = ["judge", "jury"]
        .iter()
        .flat_map(|reviewer| {
            ["quill-4", "brisk-10", "zeph-3"]
                .map(|design| format!("scores/{design}-reviewed-by-{reviewer}.json"))
        })
        .collect();
    expected
        .extend(designs.iter().flatten().chain(reviews.iter().flatten()).chain(&scores).map(String::as_str));
    expected.sort_unstable();
    assert_eq!(shell.files.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    assert_eq!(shell.json("results/ranking.json")["rankings"].as_array().unwrap().len(), 3);
    // topic, three designs, two turns for each of two reviewers
    assert_eq!(shell.asked.len(), 1 + 3 + 4);
    assert_eq!(shell.asked[0].model, "x/quill-4", "the first design model names the run");
    let replayed = assert_replays(&shell);
    let ranking = serde_json::to_value(replayed.rank().unwrap()).unwrap();
    assert_eq!(ranking, shell.json("results/ranking.json"));
    assert_eq!(replayed.page().unwrap(), shell.files["results/report.html"]);
}

#[test]
fn the_chat_has_the_address_of_the_page_once_there_is_a_ranking() {
    let place = "file:///home/ada/a%20shop/.design-lab/r";
    let shell = play(&config(), &well, Order::FirstIn);
    for lines in 1..=shell.journal.len() {
        let run = Run::replay(&shell.journal[..lines].concat()).unwrap().0;
        let page = run.files().unwrap().into_iter().any(|(path, _)| path == "results/report.html");
        let address =
            if page { "\n\nfile:///home/ada/a%20shop/.design-lab/r/results/report.html" } else { "" };
        assert_eq!(run.live_message_at(0, place, &[]), run.live_message(0) + address, "after line {lines}");
    }
    assert!(
        !shell.run.account(0, Origin::Here).contains("file:"),
        "a model learns about the run, not about the machine"
    );
    let kept = shell.journal.iter().chain(shell.files.values());
    assert!(kept.into_iter().all(|text| !text.contains("file:///")), "nothing that is kept has it");
}

#[test]
fn the_page_can_be_made_as_soon_as_one_review_is_there() {
    let shell = play(&config(), &well, Order::FirstIn);
    let pages: Vec<Result<String, _>> = (1..=shell.journal.len())
        .map(|lines| Run::replay(&shell.journal[..lines].concat()).unwrap().0.page())
        .collect();
    let first = pages.iter().position(Result::is_ok).unwrap();
    assert_eq!(pages[first - 1].as_ref().unwrap_err().code, "run.no-reviews");
    assert!(pages[first].as_ref().unwrap().contains("The run is not finished"));
    assert!(pages[first..].iter().all(Result::is_ok));
    assert!(!pages.last().unwrap().as_ref().unwrap().contains("The run is not finished"));
}

#[test]
fn neither_concurrency_nor_the_order_of_completion_changes_an_artefact() {
    let mut artefacts = Vec::new();
    for (concurrency, order) in
        [(1, Order::FirstIn), (4, Order::FirstIn), (4, Order::LastIn), (9, Order::LastIn)]
    {
        let mut config = config();
        config["concurrency"] = json!(concurrency);
        let shell = play(&config, &well, order);
        assert!(shell.most_in_flight <= concurrency, "{} in flight", shell.most_in_flight);
        let timeless: BTreeMap<String, String> = shell
            .files
            .iter()
            .filter(|(path, _)| *path != "config.json")
            .map(|(path, text)| (path.clone(), without_times(text)))
            .collect();
        artefacts.push(timeless);
    }
    for other in &artefacts[1..] {
        assert_eq!(&artefacts[0], other);
    }
}

/// The text without times and durations.
pub(super) fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut digits = String::new();
    for (at, c) in text.char_indices().chain([(text.len(), '\n')]) {
        if c.is_ascii_digit() || (!digits.is_empty() && matches!(c, '-' | 'T' | ':' | 'Z')) {
            digits.push(c);
            continue;
        }
        let is_day = digits.len() == 10 && digits.matches('-').count() == 2;
        let has_unit = |unit: &&str| {
            text[at..].strip_prefix(*unit).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let is_time = is_day
            || digits.contains('T')
            || !digits.is_empty() && [" s", " min", " h"].iter().any(has_unit)
            || digits.len() >= 4 && !digits.contains('-');
        out.push_str(if is_time { "#" } else { &digits });
        digits.clear();
        out.push(c);
    }
    out
}

#[test]
fn a_dead_designer_leaves_a_run_that_says_so() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:brisk-10" => Does::Fails("ProviderAuthError", Some(401)),
        _ => well(ask),
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["metadata"]["failed"][0]["id"], "brisk-10");
    assert_eq!(ranking["metadata"]["partial"], true);
    let dead =
        ranking["rankings"].as_array().unwrap().iter().find(|row| row["design_id"] == "brisk-10").unwrap();
    assert_eq!(dead["rank"], Value::Null, "listed as unranked, never dropped");
    assert!(shell.files["results/results.md"].contains("brisk-10"));
    assert!(!shell.files.contains_key("designs/brisk-10.json"));
}

#[test]
fn fewer_than_two_designs_stop_the_run() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:brisk-10" | "design:zeph-3" => Does::Fails("APIError", Some(404)),
        _ => well(ask),
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Stopped);
    assert!(shell.files.contains_key("designs/quill-4.json"), "keeps the results so far");
    assert!(shell.run.live_message(shell.now).contains("run.too-few-designs"));
    assert!(shell.asked.iter().all(|ask| !ask.job.as_str().starts_with("review")), "no review was paid for");
}

#[test]
fn a_dead_reviewer_leaves_a_ranking_and_two_dead_ones_none() {
    let one = |ask: &Ask| {
        if ask.job.as_str() == "review:jury:1" { Does::Fails("APIError", Some(400)) } else { well(ask) }
    };
    let shell = play(&config(), &one, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    assert_eq!(
        shell.json("results/ranking.json")["verdict"]["kind"],
        "insufficient",
        "one reviewer is no consensus"
    );
    let both = |ask: &Ask| {
        if ask.job.as_str().starts_with("review") { Does::Fails("APIError", Some(400)) } else { well(ask) }
    };
    let shell = play(&config(), &both, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Stopped);
    assert!(shell.run.live_message(shell.now).contains("run.no-reviews"));
}

#[test]
fn passing_failures_are_tried_again_in_a_fresh_session() {
    let tries = std::cell::Cell::new(0);
    let script = |ask: &Ask| {
        if ask.job.as_str() == "design:zeph-3" {
            tries.set(tries.get() + 1);
            if tries.get() < 3 {
                return Does::Fails("APIError", Some(503));
            }
        }
        well(ask)
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert_eq!(tries.get(), 3);
    let sessions: Vec<&str> = shell
        .asked
        .iter()
        .filter(|ask| ask.job.as_str() == "design:zeph-3")
        .map(|ask| ask.session.as_str())
        .collect();
    assert!(sessions[0] != sessions[1] && sessions[1] != sessions[2], "{sessions:?}");
    let cost = shell.json("designs/zeph-3.json")["metadata"]["cost"].as_f64().unwrap();
    assert!((cost - 0.012).abs() < 1e-9, "failed calls are counted: {cost}");
}

#[test]
fn a_failure_that_does_not_pass_ends_after_the_configured_tries() {
    let mut config = config();
    config["retries"] = json!({"call": 1});
    let script = |ask: &Ask| {
        if ask.job.as_str() == "design:zeph-3" { Does::Fails("APIError", Some(503)) } else { well(ask) }
    };
    let shell = play(&config, &script, Order::FirstIn);
    assert_eq!(shell.prompts_to("y/zeph-3").len(), 2);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
}

#[test]
fn a_call_that_took_too_long_is_not_repeated() {
    let script = |ask: &Ask| {
        if ask.job.as_str() == "design:zeph-3" { Does::Fails("Timeout", None) } else { well(ask) }
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.prompts_to("y/zeph-3").len(), 1);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
}

#[test]
fn models_on_ones_own_machine_are_free_and_take_one_call_at_a_time_while_the_others_keep_theirs() {
    let model = |provider: &str, name: &str, host: &str, cost: f64| AvailableModel {
        provider: provider.to_owned(),
        model: name.to_owned(),
        host: host.to_owned(),
        cost_input: cost,
        cost_output: cost,
        context: 200_000.0,
        ..AvailableModel::default()
    };
    let models = ["x/quill-4", "x/brisk-10", "y/zeph-3", "y/judge"];
    let config = json!({"design_models": models, "review_models": ["x/quill-4", "x/brisk-10", "y/judge"]});
    let most_of = |host: &str, cost: f64| {
        let mut beginning = beginning(&config, "Design a rate limiter for a public API");
        let [quill, brisk] = ["quill-4", "brisk-10"].map(|name| model("x", name, host, cost));
        let [zeph, judge] = ["zeph-3", "judge"].map(|name| model("y", name, "api.example", 1.0));
        beginning.available.models = vec![quill, brisk, zeph, judge];
        let opening = begin(&beginning).unwrap();
        let unpriced = !super::budget::without_price(&opening.config, &opening.models).is_empty();
        let mut shell = Shell::new(&well, Order::LastIn);
        shell.feed(EventKind::Opened(Box::new(opening)));
        let (mut own, mut all) = (0, 0);
        loop {
            let at_once = shell.pending.iter().filter(|ask| ask.model.starts_with("x/")).count();
            (own, all) = (own.max(at_once), all.max(shell.pending.len()));
            if !shell.step() {
                break;
            }
        }
        assert_eq!(shell.ending.as_ref().map(|(outcome, _)| *outcome), Some(Outcome::Complete), "{host}");
        (own, all, unpriced)
    };
    for host in ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "llama.localhost"] {
        assert_eq!(most_of(host, 0.0), (1, 3, false), "{host}");
    }
    // A proxy to models that cost something, and a provider elsewhere without a known price.
    assert_eq!(most_of("127.0.0.1", 3.0), (3, 4, false));
    assert_eq!(most_of("models.example", 0.0), (3, 4, true));
}

#[test]
fn answers_that_cannot_be_used_are_repaired_in_the_same_session_and_counted() {
    let script = |ask: &Ask| {
        if ask.job.as_str() == "design:quill-4" && !ask.text.contains("can't be used") {
            return Does::Says("{\"title\": \"half a design\"}".to_owned());
        }
        if ask.job.as_str() == "design:brisk-10" && !ask.text.contains("cut off") {
            let whole = design("brisk-10");
            return Does::Ends(whole[..whole.len() / 2].to_owned(), "length");
        }
        if ask.job.as_str() == "review:judge:1" && ask.text.starts_with("Score every proposal") {
            let mut labels = labels_to_score(&ask.text);
            "nobody".clone_into(&mut labels[0]);
            return Does::Says(scores(&labels, |_| 11.0));
        }
        if ask.job.as_str() == "review:judge:1" && ask.text.contains("can't be used") {
            assert!(ask.text.contains("nobody"), "{}", ask.text);
            return Does::Says("no idea".to_owned());
        }
        if ask.job.as_str() == "review:judge:1" && ask.text.contains("has no JSON object") {
            return Does::Says("still no idea".to_owned());
        }
        well(ask)
    };
    let shell = play(&config(), &script, Order::FirstIn);
    for model in ["x/quill-4", "x/brisk-10"] {
        let asks: Vec<&Ask> =
            shell.asked.iter().filter(|ask| ask.model == model && ask.job.as_str() != "topic").collect();
        assert_eq!(asks.len(), 2, "{model}");
        assert_eq!(asks[0].session, asks[1].session, "{model}: the same conversation");
    }
    // prose, scores, then two repairs
    assert_eq!(shell.prompts_to("z/judge").len(), 4);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    assert_eq!(shell.files["reviews/judge.rejected.txt"], "still no idea", "the raw answer is kept");
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["metadata"]["failed"][0]["id"], "judge");
}

#[test]
fn reviewers_see_the_designs_blind_in_their_own_order() {
    let shell = play(&config(), &well, Order::FirstIn);
    let prompts: Vec<&Ask> = shell
        .asked
        .iter()
        .filter(|ask| ask.job.as_str().starts_with("review") && ask.text.contains("<design id="))
        .collect();
    assert_eq!(prompts.len(), 2);
    let orders: Vec<Vec<String>> =
        prompts.iter().map(|ask| shown(&ask.text).into_iter().map(|(_, title)| title).collect()).collect();
    assert_ne!(orders[0], orders[1]);
    for ask in &prompts {
        assert_eq!(shown(&ask.text).len(), 3);
        for name in ["quill-4", "brisk-10", "zeph-3", "judge", "jury"] {
            assert!(!ask.text.to_lowercase().contains(name), "{name} in {}", ask.text);
        }
    }
}

#[test]
fn the_budget_stops_further_calls_and_what_is_there_is_ranked() {
    let mut config = config();
    // Topic and designs really cost 0.04; every design is estimated at about 0.02.
    config["budget"] = json!({"max_cost_usd": 0.075});
    config["concurrency"] = json!(1);
    let shell = play(&config, &well, Order::FirstIn);
    let spent: f64 = 0.01 * shell.asked.len() as f64;
    assert!(spent <= 0.075, "{spent}");
    assert!(shell.asked.len() < 8, "something was not asked");
    assert!(
        shell.run.live_message(shell.now).contains("budget of $0.07")
            || shell.run.live_message(shell.now).contains("budget of $0.08")
    );
}

#[test]
fn a_taken_directory_is_left_alone() {
    for text in ["Design a rate limiter", "--new Design a rate limiter"] {
        let mut shell = Shell::new(&well, Order::FirstIn);
        shell.taken = vec!["2026-11-20-rate-limiter".to_owned()];
        shell.feed(EventKind::Opened(Box::new(begin(&beginning(&config(), text)).unwrap())));
        assert_eq!(shell.finish(), Outcome::Complete);
        assert!(shell.run.live_message(shell.now).contains("2026-11-20-rate-limiter-2"));
    }

    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.taken = vec!["2026-11-20-rate-limiter".to_owned(), "2026-11-20-rate-limiter-2".to_owned()];
    let opening = begin(&beginning(&config(), "--new Design a rate limiter")).unwrap();
    shell.feed(EventKind::Opened(Box::new(opening)));
    assert_eq!(shell.finish(), Outcome::Complete);
    assert!(shell.run.live_message(shell.now).contains("2026-11-20-rate-limiter-3"));
}

/// A journal of a version that refused a taken name, and one that ended between the renaming and its entry in the journal.
#[test]
fn a_run_that_found_its_name_taken_takes_the_next_one_when_it_is_resumed() {
    let name = || "2026-11-20-rate-limiter".to_owned();
    for line in [None, Some(EventKind::DirectoryTaken { name: name() })] {
        let mut shell = Shell::new(&well, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(opening(&config()))));
        shell.journal.truncate(2);
        let answer = Reply { text: "Rate Limiter".to_owned(), finish: "stop".to_owned(), ..Reply::default() };
        let (mut run, _) = Run::replay(&shell.journal.concat()).unwrap();
        let answered = EventKind::Answered { job: JobId::new("topic"), reply: answer };
        for kind in [Some(answered), line.clone(), line.map(|_| EventKind::Closed)].into_iter().flatten() {
            let line = run.seal(&Event { at: shell.now, kind });
            run.apply(&line).unwrap();
            shell.journal.push(line);
        }
        shell.run = run;
        shell.pending.clear();
        assert!(shell.run.summary().unwrap().unfinished);
        shell.taken = vec![name()];
        shell.feed(EventKind::Resumed);
        assert_eq!(shell.finish(), Outcome::Complete);
        assert!(shell.run.live_message(shell.now).contains("2026-11-20-rate-limiter-2"));
    }
}

#[test]
fn designs_are_written_while_the_run_is_being_named() {
    // The last model asked answers first, so the name arrives after all designs.
    let mut shell = Shell::new(&well, Order::LastIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    assert_eq!(shell.pending.len(), 4, "the topic and three designs");
    for _ in 0..3 {
        shell.step();
    }
    let waits = |shell: &Shell<'_>| shell.pending.iter().map(|ask| ask.job.to_string()).collect::<Vec<_>>();
    assert_eq!(waits(&shell), ["topic"], "no reviewer is asked before the run has its directory");
    let written = shell.files.keys().filter(|path| path.starts_with("designs/"));
    assert_eq!(written.count(), 6, "{:?}", shell.files.keys());
    assert_eq!(shell.finish(), Outcome::Complete);
    let named_first = play(&config(), &well, Order::FirstIn);
    assert_eq!(shell.files.keys().collect::<Vec<_>>(), named_first.files.keys().collect::<Vec<_>>());
}

#[test]
fn a_run_that_finds_no_free_name_keeps_its_designs_for_a_resume() {
    // The shell of these tests recurses one level deeper for each name.
    let deep = std::thread::Builder::new().stack_size(256 << 20).spawn(finds_no_free_name).unwrap();
    deep.join().unwrap();
}

fn finds_no_free_name() {
    let mut shell = Shell::new(&well, Order::FirstIn);
    let name = |number: u32| format!("2026-11-20-rate-limiter-{number}");
    shell.taken = (2..=1_000).map(name).chain(["2026-11-20-rate-limiter".to_owned()]).collect();
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    assert_eq!(shell.finish(), Outcome::Stopped);
    assert!(shell.resumable, "three designs are paid for");
    assert!(shell.run.live_message(shell.now).contains("run.no-name"));
    assert_eq!(shell.asked.len(), 4, "the topic and three designs: nothing goes on without a name");
    shell.taken.clear();
    shell.ending = None;
    shell.feed(EventKind::Resumed);
    assert_eq!(shell.finish(), Outcome::Complete);
    assert_eq!(shell.asked.len(), 8, "only the reviews were asked then");
}

#[test]
fn only_the_very_same_task_under_the_same_configuration_is_refused() {
    let shell = play(&config(), &well, Order::FirstIn);
    let found = |owner: Owner, shell: &Shell<'_>| Found {
        name: "2026-11-20-rate-limiter".to_owned(),
        summary: shell.run.summary(),
        problem: None,
        owner,
    };
    let done = [found(Owner::Nobody, &shell)];
    let mut begun = Shell::new(&well, Order::FirstIn);
    begun.feed(EventKind::Opened(Box::new(opening(&config()))));
    let begun_runs = [found(Owner::Nobody, &begun)];
    let running = [found(Owner::Process { name: "process 7".to_owned(), here: false }, &begun)];

    for (runs, next) in
        [(&done, "/design-lab-status"), (&begun_runs, "/design-lab-resume"), (&running, "/design-lab-status")]
    {
        let problem = refuse_twin(&opening(&config()), runs).unwrap_err();
        assert_eq!(problem.code, "run.exists");
        let text = problem.next.unwrap();
        assert!(
            text.starts_with(&format!("{next} 2026-11-20-rate-limiter ")) && text.contains("--new"),
            "{text}"
        );
    }

    let task = "Design a rate limiter for a public API";
    let same = begin(&beginning(&config(), task)).unwrap();
    assert!(refuse_twin(&same, &done).is_err());
    let others = [
        begin(&beginning(&config(), &format!("--new {task}"))).unwrap(),
        begin(&beginning(&config(), "Design a rate limiter for an internal API")).unwrap(),
        begin(&OpeningInput { date: "2026-11-21".to_owned(), ..beginning(&config(), task) }).unwrap(),
        begin(&beginning(&json!({"design_models": ["x/quill-4", "y/zeph-3"]}), task)).unwrap(),
    ];
    for other in others {
        assert_eq!(refuse_twin(&other, &done), Ok(()));
    }
    let damaged = [Found { summary: None, ..done[0].clone() }];
    assert_eq!(refuse_twin(&same, &damaged), Ok(()));
}

#[test]
fn a_cancelled_or_interrupted_run_shows_nobody_at_work_or_waiting() {
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    shell.step();
    assert!(shell.run.live_message(shell.now).contains("● quill-4"), "{}", shell.run.live_message(shell.now));
    let found = Found {
        name: "2026-11-20-rate-limiter".to_owned(),
        summary: shell.run.summary(),
        problem: None,
        owner: Owner::Nobody,
    };
    let interrupted = shell.run.status(&found, shell.now, Reader::Person);
    let continued = shell.run.continued(&found.name);
    shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
    let cancelled = shell.run.live_message(shell.now);
    for text in [&interrupted, &continued, &cancelled] {
        assert!(!text.contains('●') && text.contains("○ brisk-10  not finished"), "{text}");
        assert!(!text.contains("waiting") && text.contains("not started"), "{text}");
    }
    assert!(interrupted.starts_with("Design Lab · interrupted at 2/3 designing"), "{interrupted}");
    assert!(interrupted.contains("/design-lab-resume 2026-11-20-rate-limiter"), "{interrupted}");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&continued).contains("/design-lab-status 2026-11-20-rate-limiter"), "{continued}");
    assert!(cancelled.starts_with("Design Lab · stopped by you"), "{cancelled}");
}

#[test]
fn what_is_attached_is_part_of_the_task_and_told_before_anything_is_paid() {
    let attachment = |name: &str, text: &str| Attachment {
        attached: Attached {
            name: name.to_owned(),
            mime: "text/plain".to_owned(),
            lines: None,
            own: false,
            content: Content::Pasted { size: text.len() as u64 },
        },
        read: vec![Read { path: String::new(), text: Some(text.to_owned()), image: None }],
    };
    let with = |attachments| OpeningInput { attachments, ..beginning(&config(), "Design it") };
    let opening =
        begin(&with(vec![attachment("notes.md", "Rate limits\n"), attachment("b.txt", "B")])).unwrap();
    assert_eq!(
        opening.task.problem_statement,
        "Design it\n\n## Attached: notes.md\n\nRate limits\n\n## Attached: b.txt\n\nB"
    );
    assert_eq!(
        opening.notes.last().unwrap(),
        "Attached: notes.md (12 bytes); b.txt (1 byte). The 3 designers and the 2 reviewers get all of it \
         with every request: about 15 tokens."
    );
    let problems = begin(&with(vec![attachment("a.bin", "\0"), attachment("empty", " ")])).unwrap_err();
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["attachment.not-text", "attachment.empty"]);
    let none = with(vec![attachment("drawing.png", "<svg/>"), attachment("page.GIF", "<html>")]);
    let codes: Vec<_> =
        begin(&none).unwrap_err().into_iter().map(|problem| problem.code.to_string()).collect();
    assert_eq!(codes, ["attachment.not-an-image"; 2], "what it is, its name doesn't tell");
}

#[test]
fn a_topic_that_is_no_name_never_kills_the_run() {
    for (does, expected) in [
        ("", "2026-11-20-design-a-rate-limiter-for-a"),
        ("../../etc", "2026-11-20-etc"),
        ("日本語", "2026-11-20-design-a-rate-limiter-for-a"),
        ("I am sorry, but I can't help you with that.", "2026-11-20-design-a-rate-limiter-for-a"),
    ] {
        let script =
            |ask: &Ask| if ask.job.as_str() == "topic" { Does::Says(does.to_owned()) } else { well(ask) };
        let shell = play(&config(), &script, Order::FirstIn);
        assert!(
            shell.run.live_message(shell.now).contains(expected),
            "{does}: {}",
            shell.run.live_message(shell.now)
        );
    }
    let script =
        |ask: &Ask| if ask.job.as_str() == "topic" { Does::Fails("APIError", Some(401)) } else { well(ask) };
    assert_eq!(play(&config(), &script, Order::FirstIn).ending.unwrap().0, Outcome::Complete);
}

#[test]
fn cancelling_aborts_what_is_in_flight_and_resuming_asks_only_what_is_missing() {
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    for _ in 0..2 {
        shell.step();
    }
    assert_eq!(shell.pending.len(), 2, "the topic and one design are there, two designs on their way");
    shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
    assert_eq!(shell.ending.take().unwrap().0, Outcome::Cancelled);
    assert_eq!(shell.aborted.len(), 2);
    shell.pending.clear();
    let before = shell.asked.len();
    shell.feed(EventKind::Resumed);
    assert_eq!(shell.finish(), Outcome::Complete);
    let undisturbed = play(&config(), &well, Order::FirstIn);
    assert_eq!(
        shell.asked.len() - before,
        undisturbed.asked.len() - 2,
        "the topic and one design were there"
    );
    assert_eq!(shell.files.keys().collect::<Vec<_>>(), undisturbed.files.keys().collect::<Vec<_>>());
}

#[test]
fn what_keeps_a_run_from_beginning_is_said_all_at_once() {
    let mut broken = config();
    broken["design_models"] = json!([]);
    broken["concurency"] = json!(2);
    let codes: Vec<String> = begin(&beginning(&broken, "--fast"))
        .unwrap_err()
        .into_iter()
        .map(|problem| problem.code.to_string())
        .collect();
    assert!(codes.contains(&"command.unknown-option".to_owned()), "{codes:?}");
    assert!(codes.contains(&"task.empty".to_owned()), "{codes:?}");
    assert!(codes.iter().filter(|code| code.starts_with("config.")).count() >= 2, "{codes:?}");
    let mut unknown = config();
    unknown["design_models"] = json!(["x/quill-4", "x/brisk-11"]);
    let problems = begin(&beginning(&unknown, "Design it")).unwrap_err();
    assert!(problems.iter().any(|problem| problem.to_string().contains("x/brisk-10")), "{problems:?}");
}

fn pairwise() -> Value {
    let mut config = config();
    config["review"] = json!({"mode": "pairwise"});
    config
}

/// Every comparison is a tie.
fn undecided(ask: &Ask) -> Does {
    if ask.text.contains("preferred: ") {
        Does::Says(json!({"preferred": "tie", "justification": "j"}).to_string())
    } else {
        well(ask)
    }
}

/// A comparison: `choose` gets both titles and returns the place of the preferred design, or 2 for a tie.
fn prefers(ask: &Ask, choose: impl Fn(&str, &str) -> usize) -> Does {
    let shown = shown(&ask.text);
    let [(first, one), (second, other)] = shown.as_slice() else { panic!("two designs: {}", ask.text) };
    let preferred = [first.as_str(), second.as_str(), "tie"][choose(one, other)];
    Does::Says(format!(
        "Evidence: both speak of gates.\n\n{}",
        json!({"justification": "so", "preferred": preferred})
    ))
}

/// Models that do well; comparisons prefer the title that comes first in the alphabet.
fn compares(ask: &Ask) -> Does {
    if ask.job.as_str().starts_with("review") {
        prefers(ask, |one, other| usize::from(one > other))
    } else {
        well(ask)
    }
}

#[test]
fn pairs_are_compared_in_both_orders_each_in_a_session_of_its_own() {
    let shell = play(&pairwise(), &compares, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let asks: Vec<&Ask> = shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("review")).collect();
    // Three pairs, two orders, two reviewers.
    assert_eq!(asks.len(), 12);
    let sessions: std::collections::BTreeSet<&str> = asks.iter().map(|ask| ask.session.as_str()).collect();
    assert_eq!(sessions.len(), 12);
    let pairs: std::collections::BTreeSet<(&str, Vec<String>)> = asks
        .iter()
        .map(|ask| (ask.model.as_str(), shown(&ask.text).into_iter().map(|(_, title)| title).collect()))
        .collect();
    assert_eq!(pairs.len(), 12, "every reviewer sees every pair in both orders, once");
    for ask in &asks {
        for name in ["quill-4", "brisk-10", "zeph-3", "judge", "jury"] {
            assert!(!ask.text.to_lowercase().contains(name), "{name} in {}", ask.text);
        }
    }
    let ranking = shell.json("results/ranking.json");
    let order: Vec<&str> = ranking["rankings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["design_id"].as_str().unwrap())
        .collect();
    // Titles start with the length of the id.
    assert_eq!(order, ["zeph-3", "quill-4", "brisk-10"]);
    assert_eq!(ranking["pairwise"]["flips"], 0);
    let review = shell.json("reviews/review-judge.json");
    assert_eq!(review["comparisons"].as_array().unwrap().len(), 6);
    assert_eq!(shell.files["results/comparisons.csv"].lines().count(), 13);
    assert!(!shell.files.contains_key("results/scores.csv"));
    assert!(shell.files["results/results.md"].contains("## Pair by pair"));
    assert_replays(&shell);
}

#[test]
fn a_reviewer_that_always_prefers_the_first_gives_ties() {
    let script = |ask: &Ask| {
        if ask.job.as_str().starts_with("review") { prefers(ask, |_, _| 0) } else { well(ask) }
    };
    let shell = play(&pairwise(), &script, Order::FirstIn);
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["pairwise"]["flips"], ranking["pairwise"]["pairs_in_both_orders"]);
    assert_eq!(ranking["verdict"]["kind"], "too_close_to_call");
    assert!(
        shell.files["results/results.md"]
            .contains("For 6 of 6 pairs judged in both orders, the verdict changed with the order.")
    );
}

#[test]
fn verdicts_that_name_no_design_are_repaired_and_a_dead_reviewer_is_given_up() {
    let repaired = std::cell::Cell::new(0);
    let script = |ask: &Ask| match ask.job.as_str() {
        "review:jury:4" if !ask.text.contains("can't be used") => {
            Does::Says(r#"{"justification": "so", "preferred": "design 1"}"#.to_owned())
        }
        "review:jury:4" => {
            repaired.set(repaired.get() + 1);
            assert!(ask.text.contains("/preferred") && ask.text.contains("design 1"), "{}", ask.text);
            let label = ask.text.split("Allowed: \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            Does::Says(json!({"justification": "so", "preferred": label}).to_string())
        }
        job if job.starts_with("review:judge") => Does::Fails("ProviderAuthError", Some(401)),
        _ => compares(ask),
    };
    let mut config = pairwise();
    config["concurrency"] = json!(1);
    let shell = play(&config, &script, Order::FirstIn);
    assert_eq!(repaired.get(), 1);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    assert_eq!(shell.prompts_to("z/judge").len(), 2, "a key that is refused twice is not tried again");
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["metadata"]["failed"].as_array().unwrap().len(), 1);
    let reason = ranking["metadata"]["failed"][0]["reason"].as_str().unwrap();
    assert!(reason.starts_with("6 of 6 comparisons failed: the provider refused"), "{reason}");
    assert_eq!(ranking["verdict"]["kind"], "insufficient", "one reviewer is no consensus");
}

#[test]
fn comparing_can_be_resumed_after_any_line() {
    let undisturbed = play(&pairwise(), &compares, Order::FirstIn);
    for length in 1..undisturbed.journal.len() {
        let (run, _) = Run::replay(&undisturbed.journal[..length].concat()).unwrap();
        let mut shell = Shell::new(&compares, Order::FirstIn);
        shell.files = run.files().unwrap().into_iter().collect();
        shell.run = run;
        shell.feed(EventKind::Resumed);
        assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
        assert_eq!(
            shell.json("results/ranking.json")["pairwise"],
            undisturbed.json("results/ranking.json")["pairwise"],
            "after line {length}"
        );
        assert_eq!(shell.files["results/comparisons.csv"], undisturbed.files["results/comparisons.csv"]);
    }
}

#[test]
fn many_designs_are_compared_by_a_part_of_the_pairs() {
    let names = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg", "hhhhhhhh"];
    let mut config = pairwise();
    config["design_models"] = names.iter().map(|name| json!({"id": name, "model_id": "x/quill-4"})).collect();
    let shell = play(&config, &compares, Order::LastIn);
    let asked = shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("review")).count();
    assert_eq!(asked, 2 * 2 * 16, "two for each design, in both orders, by two reviewers; not all 28 pairs");
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let ranking = shell.json("results/ranking.json");
    assert!(ranking["rankings"].as_array().unwrap().iter().all(|row| row["rank"].is_u64()));
}

#[test]
fn a_budget_that_ends_while_comparing_leaves_both_reviewers_with_verdicts() {
    let mut config = pairwise();
    config["budget"] = json!({"max_cost_usd": 0.12});
    config["concurrency"] = json!(1);
    let shell = play(&config, &compares, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    let csv = &shell.files["results/comparisons.csv"];
    let count = |reviewer: &str| csv.lines().filter(|line| line.starts_with(reviewer)).count();
    assert!(count("judge") > 0 && count("judge").abs_diff(count("jury")) <= 1, "{csv}");
}

#[test]
fn reviewers_that_a_budget_leaves_no_comparison_were_not_asked() {
    let mut unasked = 0;
    for cents in 4..12 {
        let mut config = pairwise();
        config["budget"] = json!({"max_cost_usd": f64::from(cents) / 100.0});
        config["concurrency"] = json!(1);
        let shell = play(&config, &compares, Order::FirstIn);
        for reviewer in shell.run.state().unwrap().overview(shell.now).reviewers {
            let is_unasked = reviewer.prompts == 0;
            assert_eq!(is_unasked, reviewer.standing == Standing::NotAsked, "{cents}: {reviewer:?}");
            unasked += usize::from(is_unasked);
        }
    }
    assert!(unasked > 0);
}

#[test]
fn nothing_is_asked_where_no_verdict_could_count() {
    let codes = |review: Value, reviewers: Value| -> Vec<String> {
        let config = json!({
            "design_models": ["x/quill-4", "x/brisk-10"],
            "review_models": reviewers,
            "review": review,
        });
        let begun = begin(&beginning(&config, "Design it"));
        begun.err().unwrap_or_default().into_iter().map(|problem| problem.code.to_string()).collect()
    };
    let authors = json!(["x/quill-4", "x/brisk-10"]);
    assert_eq!(codes(json!({"mode": "pairwise"}), authors.clone()), ["config.no-neutral-reviewer"]);
    assert!(codes(json!({"mode": "pairwise", "exclude_self": false}), authors.clone()).is_empty());
    assert!(codes(json!({"mode": "scores"}), authors).is_empty());
    assert!(codes(json!({"mode": "pairwise"}), json!(["x/quill-4", "z/judge"])).is_empty());
}

#[test]
fn a_run_that_is_ranked_keeps_its_ranking_whenever_it_is_asked_for() {
    let shell = play(&config(), &well, Order::FirstIn);
    let (closed, before) = shell.journal.split_last().unwrap();
    assert!(closed.contains("\"closed\""));
    let (mut run, _) = Run::replay(&before.concat()).unwrap();
    let line = run.seal(&Event { at: shell.now + 1_000, kind: EventKind::Closed });
    run.apply(&line).unwrap();
    let ranking = serde_json::to_value(run.rank().unwrap()).unwrap();
    assert_eq!(
        ranking["metadata"]["generated_at"],
        shell.json("results/ranking.json")["metadata"]["generated_at"]
    );
}

#[test]
fn two_runs_of_a_task_have_sessions_with_different_titles() {
    let title = |at: u64| {
        let mut run = Run::new();
        let line = run.seal(&Event { at, kind: EventKind::Opened(Box::new(opening(&config()))) });
        let commands = run.apply(&line).unwrap();
        let mut titles = commands.into_iter().filter_map(|command| match command {
            Command::OpenSession { job, title, .. } if job.as_str() == "design:quill-4" => Some(title),
            _ => None,
        });
        titles.next_back().unwrap()
    };
    let (one, other) = (title(1_795_167_000_500), title(1_795_167_001_500));
    assert!(one.starts_with("Design Lab: design quill-4, 09:30:00 UTC (Design a rate limiter"), "{one}");
    assert_eq!(other, one.replace("09:30:00", "09:30:01"));
}
