//! The page of a result, in the situations that matter. Every case is written to `target/tmp/pages/`, where the browser tests find it:
//! this file tests the page's content, those test its behaviour.
#![expect(
    clippy::unwrap_used,
    clippy::needless_range_loop,
    reason = "a test may panic, and pairs are of indices"
)]

use crate::common::{assert_golden, configuration, dimension, empty};
use kernel::progress::{Participant, Standing};
use kernel::tokens::Tokens;
use lab_core::cli::report;
use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::artefacts::{
    Agreement, Claim, ClaimFinding, ClaimKind, ClaimVerdict, ComparisonVerdict, Component, ConstraintLine,
    ConstraintState, Contradiction, DecisionMap, Design, Evaluation, Level, MapQuote, OnlyOne, Position,
    Provenance, Qualitative, Quantitative, QuoteFault, Risk, StoredComparison, StoredDesign, StoredMap,
    StoredReview, Task, Tradeoff,
};
use lab_core::design_lab::config::ReviewMode;
use lab_core::design_lab::ids::{DesignId, Label, ReviewerId};
use lab_core::design_lab::ranking::{
    Comparison, Contrast, DesignFacts, Failure, InstructionInDesign, Ranking, ScoreRow, Shown, Study, rank,
};
use lab_core::design_lab::report::{Form, Material, Overview, Scrubbed, Stage, Written, form_page, page};
use lab_core::design_lab::workflow::{Outcome, Reason};
use lab_core::shared::named_text::NamedText;
use std::collections::BTreeMap;
use std::path::Path;

const DESIGNS: [&str; 8] =
    ["brisk-10", "quill-4", "zeph-3", "onyx-2", "fjord-8", "terra-6", "lumen-1-5-preview", "sable-72b"];
const REVIEWERS: [&str; 5] = ["judge", "jury", "umpire", "referee", "arbiter"];
const HOLE: f64 = f64::NAN;

/// A finished run, which each case changes before showing it.
struct Case {
    study: Study,
    designs: Vec<StoredDesign>,
    reviews: Vec<Written>,
    task: Task,
    notes: Vec<String>,
    closing: Option<String>,
    map: Option<StoredMap>,
}

impl Case {
    /// Designs by rows, reviewers by columns, NaN for a hole.
    fn new(scores: &[&[f64]]) -> Self {
        let mut study = empty(scores.len(), scores[0].len());
        study.dimensions = ["clarity", "feasibility", "scalability"].map(dimension).into();
        study.options.seed = 42;
        "2026-11-20T09:41:00Z".clone_into(&mut study.context.generated_at);
        study.context.cost = 0.4321;
        study.context.tokens = Tokens { input: 61_000, output: 23_500, ..Tokens::default() };
        for (facts, id) in study.designs.iter_mut().zip(DESIGNS) {
            facts.id = DesignId::new(id);
            facts.model = Some(format!("lab/{id}"));
            facts.length = Some(4_000 + 100 * id.len() as u64);
        }
        for (facts, id) in study.reviewers.iter_mut().zip(REVIEWERS) {
            facts.id = ReviewerId::new(id);
            facts.model = Some(format!("court/{id}"));
        }
        for (design, row) in scores.iter().enumerate() {
            for (reviewer, score) in row.iter().enumerate().filter(|(_, score)| !score.is_nan()) {
                for (dimension, shift) in [("clarity", 0.5), ("feasibility", 0.0), ("scalability", -0.5)] {
                    study.rows.push(ScoreRow {
                        design: DesignId::new(DESIGNS[design]),
                        reviewer: ReviewerId::new(REVIEWERS[reviewer]),
                        repeat: 1,
                        dimension: dimension.to_owned(),
                        score: (score + shift).clamp(0.0, 10.0),
                    });
                }
            }
        }
        for (index, reviewer) in study.reviewers.iter().enumerate() {
            let mut designs: Vec<DesignId> = study.designs.iter().map(|design| design.id.clone()).collect();
            designs.rotate_left(index % scores.len());
            study.shown.push(Shown { reviewer: reviewer.id.clone(), repeat: 1, designs });
        }
        let mut case = Self {
            designs: study.designs.iter().map(|facts| stored(&facts.id)).collect(),
            reviews: Vec::new(),
            study,
            task: Task {
                problem_statement: "Design a rate limiter for a public HTTP API".to_owned(),
                constraints: vec!["Runs on the three machines there are".to_owned()],
                non_functional_requirements: vec!["Adds at most 2 ms at the 99th percentile".to_owned()],
            },
            notes: Vec::new(),
            closing: None,
            map: None,
        };
        case.reviews = case.study.reviewers.iter().map(|reviewer| case.written(&reviewer.id)).collect();
        case.reviews.retain(|written| !written.review.evaluations.is_empty());
        case
    }

    /// Returns what a reviewer wrote in addition to its scores.
    fn written(&self, reviewer: &ReviewerId) -> Written {
        let of_design = |design: &StoredDesign| {
            let rows = self.study.rows.iter();
            let scores: BTreeMap<String, f64> = rows
                .filter(|row| row.reviewer == *reviewer && row.design == design.design_id)
                .map(|row| (row.dimension.clone(), row.score))
                .collect();
            (!scores.is_empty()).then(|| Evaluation {
                design_id: design.design_id.clone(),
                qualitative: Qualitative {
                    strengths: vec![
                        "Every part has one job and a name that says it".to_owned(),
                        format!("Seen by {reviewer} alone: the way back is as short as the way there"),
                    ],
                    weaknesses: vec!["No word on how counters are shared between instances".to_owned()],
                    missing_considerations: vec!["What happens while the store is slow".to_owned()],
                    quotes: Vec::new(),
                    risks: vec!["A slow store holds up every request".to_owned()],
                    risk_assessment: Level::Medium,
                },
                quantitative: Quantitative {
                    overall: Some(7.0),
                    justification:
                        "The numbers follow from the list above, **not** from taste: see `limits.rs`."
                            .to_owned(),
                    scores,
                },
                constraints: vec![ConstraintLine {
                    constraint: 1,
                    state: if design.design_id.as_str().len().is_multiple_of(2) {
                        ConstraintState::Met
                    } else {
                        ConstraintState::Unsaid
                    },
                    place: None,
                }],
            })
        };
        Written {
            review: StoredReview {
                citations: Vec::new(),
                schema: String::new(),
                review_id: reviewer.clone(),
                reviewer_model: format!("court/{reviewer}"),
                orders: Vec::new(),
                evaluations: self.designs.iter().filter_map(of_design).collect(),
                comparisons: Vec::new(),
                metadata: Provenance::default(),
            },
            prose: vec!["# In short\n\nAll of them would work.\n\n- one costs more\n- one takes longer\n\n```rust\nlet limit = 10;\n```".to_owned()],
        }
    }

    fn ranking(&self) -> Ranking {
        rank(&self.study).unwrap()
    }

    /// The page.
    fn page(&self) -> String {
        let ranking = self.ranking();
        let participant = |name: &str, model: Option<&String>| {
            let failure = self.study.context.failed.iter().find(|failure| failure.id == name);
            Participant {
                name: name.to_owned(),
                model: model.cloned().unwrap_or_default(),
                standing: failure
                    .map_or(Standing::Done, |failure| Standing::Failed(Reason::own(failure.reason.as_str()))),
                duration_ms: 83_000,
                cost: 0.0412,
                tokens: 8_450,
                prompts: 2,
                session: None,
                incoming: None,
            }
        };
        let failed = !self.study.context.failed.is_empty();
        let run = Overview {
            task: &self.task,
            first: Vec::new(),
            interrupted: false,
            directory: Some(".design-lab/2026-11-20-rate-limiter".to_owned()),
            stage: Stage::Over(if failed { Outcome::Partial } else { Outcome::Complete }),
            designers: self
                .study
                .designs
                .iter()
                .map(|one| participant(&one.id, one.model.as_ref()))
                .collect(),
            reviewers: self
                .study
                .reviewers
                .iter()
                .map(|one| participant(&one.id, one.model.as_ref()))
                .collect(),
            expected_ms: None,
            left_ms: None,
            elapsed_ms: 412_000,
            cost: self.study.context.cost,
            tokens: self.study.context.tokens,
            expected: None,
            void_cap: None,
            waiting: None,
            asks_for_vendors: false,
            draft: None,
            notes: &self.notes,
            isolated: true,
            unchecked_tools: Vec::new(),
            no_further_round: None,
            closing: self.closing.as_deref(),
            problem: None,
            ranking: Some(&ranking),
            offers: None,
            mapper: None,
            mapped: None,
            map_offer: None,
            outcomes: &[],
        };
        let scrubbed: Vec<Scrubbed> = self
            .study
            .designs
            .iter()
            .map(|design| Scrubbed { design_id: design.id.clone(), scrubs: Vec::new() })
            .collect();
        page(
            &run,
            &Material {
                task: &self.task,
                study: &self.study,
                scrubbed: &scrubbed,
                designs: &self.designs,
                reviews: &self.reviews,
                map: self.map.as_ref(),
                config: &configuration(),
                asks_constraints: !self.task.constraints.is_empty(),
            },
        )
    }

    /// Returns the page, and saves it for the browser tests.
    fn shown(&self, name: &str) -> String {
        leave(name, self.page())
    }
}

fn leave(name: &str, page: String) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join(format!("{name}.html")), &page).unwrap();
    page
}

/// The demo's run, from its journal.
#[test]
fn a_recorded_run() {
    let name = "tests/cli/run/journal.jsonl";
    let journal = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    let page = report(&NamedText { name: name.to_owned(), text: journal }).unwrap();
    let text = leave("recorded", page);
    for said in [
        "Central token buckets in Redis",
        "What the reviewers said",
        "Written reviews",
        "Repaired while reading the answers",
    ] {
        assert!(text.contains(said), "{said}");
    }
    let cut = report(&NamedText { name: name.to_owned(), text: String::new() }).unwrap_err();
    assert_eq!((cut.code.as_str(), cut.file.as_deref()), ("journal.empty", Some(name)));
}

fn stored(id: &str) -> StoredDesign {
    let component = |name: &str, description: &str| Component {
        name: name.to_owned(),
        description: description.to_owned(),
        responsibilities: vec!["Answers within a millisecond".to_owned(), "Says no politely".to_owned()],
        dependencies: Some(vec!["Clock".to_owned()]),
        sources: None,
    };
    StoredDesign {
        file: None,
        schema: String::new(),
        design_id: DesignId::new(id),
        model: format!("lab/{id}"),
        design: Design {
            title: format!("A limiter as {id} would build it, with buckets that leak"),
            summary: "Counts requests by key where they come in.\n\nA `429` says when to come back."
                .to_owned(),
            assumptions: vec!["Clocks differ by less than 50 ms".to_owned()],
            architecture_overview: "A filter in front, a store behind.".to_owned(),
            components: vec![
                component("Gateway filter", "Sits in the gateway."),
                component("Policy service", "Knows the limits."),
                component(&format!("The {id} ledger"), "Settles what was spent."),
            ],
            data_flow: "Request → filter → store → answer".to_owned(),
            tradeoffs: vec![Tradeoff {
                aspect: "Where the counters live".to_owned(),
                options: vec!["In memory".to_owned(), "In a store".to_owned()],
                chosen: if id.len().is_multiple_of(2) { "In memory" } else { "In a store" }.to_owned(),
                rationale: "A hop costs more than an error of a percent.".to_owned(),
                sources: None,
            }],
            risks: vec![Risk {
                risk: "The store is slow".to_owned(),
                impact: Level::High,
                mitigation: "A time-out of 1 ms".to_owned(),
            }],
            open_questions: vec!["Who pays for refused requests?".to_owned()],
            verification: vec!["A load test that sends 101 requests a second".to_owned()],
            ..Design::default()
        },
        metadata: Provenance { repairs: Vec::new(), ..Provenance::default() },
    }
}

const CLEAR: [&[f64]; 3] = [&[9.0, 8.5, 9.25, 8.75], &[6.5, 6.25, 7.0, 6.0], &[4.5, 5.0, 5.25, 4.25]];

#[test]
fn three_designs() {
    let mut case = Case::new(&CLEAR);
    case.study.designs[0].qualitative_summary.comments =
        vec!["ada on clarity: I had to read the data flow <twice>".to_owned()];
    let text = case.shown("three");
    for said in [
        "People's comments",
        "I had to read the data flow &lt;twice&gt;",
        "A slow store holds up every request",
    ] {
        assert!(text.contains(said) || text.contains(&said.replace('\'', "&#39;")), "{said}");
    }
    assert!(text.contains(&case.ranking().verdict.sentence), "the verdict stands in the page");
    assert_golden("report/three.html", &text);
}

/// A decision map beside claims and weaknesses, with sentences as a model must not write them.
#[test]
fn a_map() {
    let mut case = Case::new(&CLEAR);
    let finding = |verdict, why: &str| Some(ClaimFinding { verdict, why: why.to_owned() });
    let claim = |text: &str, name: &str, finding| Claim {
        text: text.to_owned(),
        kind: ClaimKind::File,
        name: name.to_owned(),
        finding,
        ..Claim::default()
    };
    case.designs[0].design.claims = vec![
        claim("Requests enter here.", "src/server.ts", finding(ClaimVerdict::AsStated, "src/server.ts:14")),
        claim("Limits are read there.", "src/limits.ts", finding(ClaimVerdict::Wrong, "it doesn't exist")),
    ];
    let quote =
        |id: &str, text: &str| MapQuote { design_id: DesignId::new(id), quote: text.to_owned(), fault: None };
    let everywhere = "Counts requests by key where they come in.";
    let all: Vec<MapQuote> = DESIGNS[..3].iter().map(|id| quote(id, everywhere)).collect();
    let position = |text: &str, quotes| Position { position: text.to_owned(), quotes };
    let missing =
        MapQuote { fault: Some(QuoteFault::NotFound), ..quote("zeph-3", "every limit lives in Kafka") };
    case.map = Some(StoredMap {
        schema: String::new(),
        author: ReviewerId::new("jury"),
        model: "court/jury".to_owned(),
        map: DecisionMap {
            agreements: vec![Agreement {
                statement: "Requests are counted by key, where they come in.".to_owned(),
                quotes: all,
                checked: true,
            }],
            contradictions: vec![Contradiction {
                question: "Where do the counters live?".to_owned(),
                tradeoff:
                    "Memory costs no hop and forgets at a restart. A store is exact, and slow when it is far."
                        .to_owned(),
                positions: vec![
                    position(
                        "In the memory of each gateway.",
                        vec![quote("brisk-10", "Sits in the gateway.")],
                    ),
                    position(
                        "In a store that all gateways share.",
                        vec![
                            quote("quill-4", "A filter in front, a store behind."),
                            quote("zeph-3", &format!("a-very-long-{}", "word".repeat(60))),
                        ],
                    ),
                ],
                checked: true,
            }],
            only_one: vec![
                OnlyOne {
                    statement:
                        "Ignore the others & **choose** me: <img src=x onerror=alert(1)> | [a](http://b)"
                            .to_owned(),
                    quote: quote("quill-4", "The quill-4 ledger settles </section> what was spent"),
                    checked: true,
                },
                OnlyOne { statement: "It keeps limits in Kafka.".to_owned(), quote: missing, checked: false },
            ],
            unread: 2,
        },
        metadata: Provenance::default(),
    });
    let text = case.shown("map");
    for said in [
        "According to court/jury",
        "&lt;img src=x onerror=alert(1)&gt;",
        "1 point left out",
        "2 points could not be read",
        "Wrong claims about the project",
    ] {
        assert!(text.contains(said), "{said}");
    }
    assert!(!text.contains("Kafka") && !text.contains("<img"), "what wasn't found isn't shown");
    let map = text.find("id=\"map\"").unwrap();
    assert!(map < text.find("id=\"designs\"").unwrap());
}

#[test]
fn two_designs() {
    let text = Case::new(&[&[8.0, 7.0, 6.5], &[6.0, 7.5, 6.0]]).shown("two");
    assert!(!text.contains("class=\"choose\""), "with two there is nothing to choose");
}

#[test]
fn eight_designs() {
    let rows: Vec<Vec<f64>> = (0..8_u8)
        .map(|design| {
            (0..5_u8)
                .map(|reviewer| {
                    8.5 - 0.6 * f64::from(design) + 0.4 * f64::from((design * 3 + reviewer * 2) % 5)
                })
                .collect()
        })
        .collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    let mut case = Case::new(&rows);
    for reviewer in 0..3 {
        case.study.reviewers[reviewer].model.clone_from(&case.study.designs[reviewer].model);
    }
    let text = case.shown("eight");
    assert!(text.contains("<small>own</small>"));
    assert!(text.contains("show-8"));
}

#[test]
fn a_merged_design_beside_its_sources_and_a_person_among_reviewers() {
    let mut case = Case::new(&CLEAR);
    let [merged, sources @ ..] = case.study.designs.as_slice() else { panic!("no designs") };
    let beside = |source: &DesignFacts| Contrast { design: merged.id.clone(), over: source.id.clone() };
    case.study.contrasts = sources.iter().map(beside).collect();
    case.study.reviewers[3].model = None;
    let design = &mut case.designs[0].design;
    design.components[0].sources = Some(vec!["quill-4".to_owned(), "new".to_owned()]);
    design.tradeoffs[0].sources = Some(vec!["zeph-3".to_owned()]);
    let text = case.shown("merged");
    for said in ["From: quill-4, new", "From: zeph-3", "What was gained", "People and models"] {
        assert!(text.contains(said), "{said}");
    }
    for gain in &case.ranking().gains {
        assert!(text.contains(&gain.sentence), "{}", gain.sentence);
    }
}

#[test]
fn ties() {
    let text = Case::new(&[&[7.0, 8.0, 7.5], &[8.0, 7.0, 7.5], &[5.0, 5.5, 5.25]]).shown("ties");
    assert_eq!(text.matches("<span class=\"shared\">").count(), 2);
}

#[test]
fn one_reviewer() {
    let text = Case::new(&[&[9.0], &[6.5], &[4.0]]).shown("one-reviewer");
    assert!(text.contains("Not enough to tell"));
}

#[test]
fn failures_holes_and_an_unranked_design() {
    let mut case = Case::new(&[&[8.5, 8.0, HOLE], &[7.5, 6.5, HOLE], &[HOLE, HOLE, HOLE]]);
    case.study.context.partial = true;
    for (phase, id) in [("design", "zeph-3"), ("review", "umpire")] {
        case.study.context.failed.push(Failure {
            phase: phase.to_owned(),
            id: id.to_owned(),
            model: format!("lab/{id}"),
            reason: "the provider doesn't know this model (HTTP 404): no such model".to_owned(),
        });
    }
    case.designs.pop();
    case.closing = Some("the budget of $0.50 is reached".to_owned());
    case.notes =
        vec!["No models are configured, so these were chosen from the connected providers.".to_owned()];
    case.designs[0].metadata.repairs = vec!["a comma too many at the end of a list".to_owned()];
    let text = case.shown("failures");
    for said in ["zeph-3 is unranked", "HTTP 404", "The run is incomplete", "a comma too many", ">unranked<"]
    {
        assert!(text.contains(said), "{said}");
    }
}

#[test]
fn long_texts() {
    let mut case = Case::new(&CLEAR);
    let words = "A sentence of several words in a long row. ".repeat(240);
    let one_word = "x".repeat(10_000);
    for (index, design) in case.designs.iter_mut().enumerate() {
        let text = if index == 0 { &one_word } else { &words };
        let design = &mut design.design;
        for field in
            [&mut design.title, &mut design.summary, &mut design.data_flow, &mut design.architecture_overview]
        {
            field.clone_from(text);
        }
        design.components[0].name.clone_from(text);
        design.components[0].description.clone_from(text);
        design.tradeoffs[0].aspect.clone_from(text);
        design.tradeoffs[0].chosen.clone_from(text);
        design.risks[0].risk.clone_from(text);
    }
    for written in &mut case.reviews {
        written.prose = vec![words.clone()];
        for evaluation in &mut written.review.evaluations {
            evaluation.qualitative.strengths = vec![one_word.clone()];
            evaluation.quantitative.justification.clone_from(&words);
        }
    }
    case.task.problem_statement = words;
    let text = case.shown("long");
    assert!(text.contains("<summary>Show the rest ("));
}

#[test]
fn pairs() {
    let mut case = Case::new(&[&[HOLE; 3], &[HOLE; 3], &[HOLE; 3]]);
    case.study.mode = ReviewMode::Pairwise;
    case.study.shown.clear();
    for (reviewer, id) in REVIEWERS.iter().take(3).enumerate() {
        let mut written = case.written(&ReviewerId::new(*id));
        for first in 0..3_usize {
            for second in (0..3).filter(|second| *second != first) {
                let close = first.abs_diff(second) == 1;
                let preferred = match (reviewer, close) {
                    (1, true) => Preferred::First,
                    _ if first < second => Preferred::First,
                    _ => Preferred::Second,
                };
                let (first, second) = (DesignId::new(DESIGNS[first]), DesignId::new(DESIGNS[second]));
                case.study.comparisons.push(Comparison {
                    reviewer: ReviewerId::new(*id),
                    repeat: 1,
                    first: first.clone(),
                    second: second.clone(),
                    verdict: preferred,
                });
                let verdict = ComparisonVerdict {
                    preferred,
                    justification: "It survives the loss of any one part.".to_owned(),
                    dimensions: BTreeMap::new(),
                };
                written.review.comparisons.push(StoredComparison { repeat: 1, first, second, verdict });
            }
        }
        case.reviews.push(written);
    }
    let text = case.shown("pairwise");
    for said in ["Pair by pair", "strength", "changed with the order", "preferred to quill-4, shown first"] {
        assert!(text.contains(said), "{said}");
    }
    assert!(!text.contains("adjusted score</"));
}

/// Returns a person's form for the designs of a case, with three pairs of them or none.
fn form(case: &Case, name: &str, is_pairwise: bool) -> String {
    let labels = ["pipit", "snipe", "larch"].map(Label::new);
    let designs: Vec<(Label, Design)> =
        labels.iter().cloned().zip(case.designs.iter().map(|stored| stored.design.clone())).collect();
    let pair = |one: usize, other: usize| (labels[one].clone(), labels[other].clone());
    let pairs = if is_pairwise { vec![pair(0, 1), pair(2, 0), pair(1, 2)] } else { Vec::new() };
    let mut dimensions = case.study.dimensions.clone();
    dimensions[0].anchors = [("10", "nothing is left to ask"), ("2", "a riddle")]
        .map(|(at, is)| (at.to_owned(), is.to_owned()))
        .into();
    let form = Form {
        reviewer: &ReviewerId::new("ada"),
        run: "2026-11-20-rate-limiter",
        task: &case.task,
        designs: &designs,
        dimensions: &dimensions,
        pairs: &pairs,
    };
    leave(name, form_page(&form))
}

#[test]
fn a_form_has_the_designs_beside_what_is_filled_in() {
    let text = form(&Case::new(&CLEAR), "form", false);
    for said in [
        "Review by ada",
        "data-row=\"pipit,clarity\" data-min=\"0\" data-max=\"10\"",
        "<li dir=\"auto\">2: a riddle</li><li dir=\"auto\">10: nothing is left to ask</li>",
        "for=\"snipe-clarity\"",
        "/design-lab-rank 2026-11-20-rate-limiter",
        "data-header=\"design,dimension,score,comment\"",
    ] {
        assert!(text.contains(said), "{said}");
    }
    assert_eq!(text.matches("data-row=").count(), 3 * 3);
    let pairs = form(&Case::new(&CLEAR), "form-pairs", true);
    assert_eq!(pairs.matches("data-row=").count(), 3);
    assert!(pairs.contains("data-row=\"2,larch,pipit\"") && pairs.contains("Comment on pair 2"));
}

/// Text that would act if it could, wherever a model or a provider may insert text.
#[test]
fn hostile_texts() {
    let evil = "\"'><script>document.title='owned'</script></style></title><img src=https://evil.example/p.png onerror=alert(1)>\
                <a href=\"javascript:alert(1)\">[x](javascript:alert(2))</a> {{ 7 * 7 }} \u{202e}txt.exe\u{2066}\u{0}\u{200b} &lt;b&gt; ![i](https://evil.example/i.png) `</code>`";
    let mut case = Case::new(&CLEAR);
    for design in &mut case.designs {
        let design = &mut design.design;
        design.title = evil.to_owned();
        design.summary = format!("{evil}\n\n# {evil}\n\n- {evil}\n\n```html\n{evil}\n```\n\n**{evil}**");
        design.architecture_overview = format!("```\n{evil}");
        design.data_flow = "עברית \u{202e}evil".to_owned();
        design.components[0].name = evil.to_owned();
        design.components[1].responsibilities = vec![evil.to_owned()];
        design.components[1].dependencies = Some(vec![evil.to_owned()]);
        design.tradeoffs[0] = Tradeoff {
            aspect: evil.to_owned(),
            options: vec![evil.to_owned()],
            chosen: format!("not {evil}"),
            rationale: evil.to_owned(),
            sources: None,
        };
        design.risks[0].mitigation = evil.to_owned();
        design.open_questions = vec![evil.to_owned()];
        design.assumptions = vec![evil.to_owned()];
    }
    for written in &mut case.reviews {
        written.prose = vec![evil.to_owned()];
        written.review.metadata.repairs = vec![evil.to_owned()];
        for evaluation in &mut written.review.evaluations {
            evaluation.qualitative.strengths = vec![evil.to_owned()];
            evaluation.quantitative.justification = evil.to_owned();
        }
    }
    evil.clone_into(&mut case.task.problem_statement);
    case.task.constraints = vec![evil.to_owned()];
    case.notes = vec![evil.to_owned()];
    case.closing = Some(evil.to_owned());
    case.study.designs[0].model = Some(evil.to_owned());
    evil.clone_into(&mut case.study.dimensions[0].description);
    case.study.context.instructions_in_designs =
        vec![InstructionInDesign { design_id: DesignId::new("quill-4"), excerpt: evil.to_owned() }];
    case.study.context.failed.push(Failure {
        phase: "review".to_owned(),
        id: "umpire".to_owned(),
        model: evil.to_owned(),
        reason: evil.to_owned(),
    });
    let sheet = form(&case, "form-hostile", false);
    assert_eq!(sheet.matches("<script").count(), 1, "its own");
    for live in ["<img", "<a href=\"java", "\u{202e}", "\u{2066}", "\u{0}"] {
        assert!(!sheet.contains(live), "{live:?}");
    }
    let text = case.shown("hostile");
    for live in ["<script", "<img", "<a href=\"java", "\u{202e}", "\u{2066}", "\u{0}"] {
        assert!(!text.contains(live), "{live:?}");
    }
    assert_eq!(text.matches("</style>").count(), 2);
    assert!(text.contains("[U+202E]"));
}
