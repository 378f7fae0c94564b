//! The files that are generated from the Rust code and committed: `schemas/design-lab/*.json`, `plugin-js/core/types.d.ts`, the
//! registration without a configuration, and the hashes that allow the pages' style sheets.
//!
//! The tests compare with the committed files and fail on drift; `cargo xtask update` rewrites them. To add a type, add one line
//! to [`schemas`] or [`typescript`].

use crate::boundary;
use crate::cli;
use crate::design_lab::artefacts::{self, schema_name};
use crate::design_lab::ids::{DesignId, Label, ReviewerId};
use crate::design_lab::{
    attachments, claims, config, doctor, history, images, isolation, prompts, ranking, workflow,
};
use crate::flow;
use crate::opencode::{HostAgent, HostRule, InstructionFile, SessionModelFacts, registration};
use crate::shared::{self, named_text, panel};
use crate::validation;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use jsonc_parser::parse_to_serde_value;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// Every schema: file name, title, and the schema itself. `schemas/design-lab/examples/<name>.jsonc` holds one full example,
/// except for replies: models are shown those schemas, and would copy the example.
fn schemas() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("config", "Design Lab configuration", schema_of::<config::RawConfig>()),
        ("design", "Design", schema_of::<artefacts::StoredDesign>()),
        ("design-reply", "Design as a model returns it", design_reply()),
        ("map", "Decision map", schema_of::<artefacts::StoredMap>()),
        ("ranking", "Ranking", schema_of::<ranking::Ranking>()),
        ("review", "Review", schema_of::<artefacts::StoredReview>()),
        ("review-reply", "Evaluations as a model returns them", schema_of::<artefacts::Evaluations>()),
        ("score", "Scores of one design by one reviewer", schema_of::<artefacts::StoredScore>()),
        ("task", "Task", schema_of::<artefacts::Task>()),
    ]
}

/// The schema of a design without what code adds to it.
fn design_reply() -> Value {
    let mut schema = schema_of::<artefacts::Design>();
    let claim = &mut schema["properties"]["claims"]["items"]["properties"];
    assert!(claim.as_object_mut().and_then(|fields| fields.shift_remove("finding")).is_some());
    schema
}

/// The schemas of Flow: the replies of its models, and the project's rules.
fn flow_schemas() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("exam-reply", "Exam as a model returns it", schema_of::<flow::exam::Exam>()),
        ("plan-reply", "Plan as a model returns it", schema_of::<flow::plan::Plan>()),
        ("report-reply", "Report as a model returns it", schema_of::<flow::report::Report>()),
        ("review-reply", "Review as a model returns it", schema_of::<flow::review::Review>()),
        ("rules", "Rules of a project", schema_of::<flow::feedback::file::RulesFile>()),
    ]
}

/// The schemas of Validation: its settings, and the replies of its models.
fn validation_schemas() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("analysis-reply", "Journeys as a model returns them", schema_of::<validation::analysis::Analysis>()),
        ("settings", "Settings of Validation", schema_of::<validation::settings::ValidationSettings>()),
        ("suite-reply", "Tests as a model returns them", schema_of::<validation::suite::Suite>()),
        (
            "verification-reply",
            "Criteria as a model returns them",
            schema_of::<validation::verification::Verification>(),
        ),
    ]
}

/// Every type that crosses the boundary to JavaScript, by name.
#[expect(clippy::too_many_lines, reason = "a list, one line a type")]
fn typescript() -> Vec<(String, String)> {
    let config = ts_rs::Config::new().with_large_int("number");
    macro_rules! declarations {
        ($($kind:ty),* $(,)?) => {
            vec![$((<$kind>::ident(&config), declaration::<$kind>(&config))),*]
        };
    }
    declarations![
        artefacts::Agreement,
        artefacts::Claim,
        artefacts::ClaimFinding,
        artefacts::ClaimKind,
        artefacts::ClaimState,
        artefacts::ClaimVerdict,
        artefacts::Component,
        artefacts::Contradiction,
        artefacts::DecisionMap,
        artefacts::Design,
        artefacts::Level,
        artefacts::OnlyOne,
        artefacts::Position,
        artefacts::Provenance,
        artefacts::MapQuote,
        artefacts::QuoteFault,
        artefacts::Risk,
        artefacts::Task,
        kernel::tokens::Tokens,
        artefacts::Tradeoff,
        Value,
        attachments::Attached,
        attachments::Attachment,
        attachments::Child,
        attachments::Content,
        attachments::Entry,
        attachments::Folder,
        attachments::LeftOut,
        attachments::Lines,
        attachments::Listing,
        attachments::Read,
        images::Image,
        images::SeenImage,
        kernel::protocol::KeptFile,
        SessionModelFacts,
        config::AvailableModel,
        config::NewVendors,
        config::VendorsInput,
        config::VendorsOutput,
        config::AvailableModels,
        kernel::budget::Budget,
        kernel::budget::Price,
        config::RunBudget,
        config::Config,
        config::ExamPolicy,
        config::Workplace,
        config::Criteria,
        config::Dimension,
        config::StarterInput,
        isolation::Isolation,
        config::Layer,
        config::ModelEntry,
        config::Person,
        config::OutputPlace,
        config::Reference,
        config::ReferencedFile,
        config::Retries,
        config::Review,
        config::ReviewMode,
        config::ReviewerEntry,
        config::ScoringCriteria,
        config::Source,
        config::Timeouts,
        config::UntilClear,
        shared::disk::DiskDeed,
        shared::reply::Rules,
        doctor::DiskFailure,
        doctor::DoctorInput,
        HostAgent,
        HostRule,
        doctor::OutputDirectory,
        doctor::Search,
        doctor::Sidebar,
        doctor::TuiFile,
        doctor::Trial,
        doctor::TrialCall,
        doctor::TrialProgress,
        doctor::Versions,
        doctor::HostProgram,
        doctor::Newest,
        kernel::problem::Problem,
        isolation::BlockedRoot,
        isolation::Denial,
        isolation::Facts,
        isolation::HiddenOutputs,
        isolation::Inquiry,
        isolation::NotedOutput,
        isolation::NotedOutputs,
        isolation::PathFact,
        isolation::PathKind,
        isolation::Places,
        isolation::RealPlaces,
        isolation::Rule,
        isolation::Rules,
        isolation::UrlFact,
        isolation::Verdict,
        cli::RankInput,
        cli::Kind,
        named_text::NamedText,
        kernel::redaction::Redacted,
        kernel::redaction::Surroundings,
        registration::Permission,
        registration::Registration,
        registration::Tool,
        registration::ToolCall,
        panel::Look,
        panel::Panel,
        panel::Row,
        workflow::Add,
        workflow::Ask,
        workflow::Brief,
        workflow::Decision,
        workflow::CloseRequest,
        workflow::MapRequest,
        workflow::Mapping,
        workflow::Parent,
        workflow::OpeningInput,
        workflow::CallFailure,
        kernel::index::Owner,
        kernel::origin::Origin,
        shared::listed::Listed,
        ranking::InShort,
        ranking::RubricOrigin,
        ranking::VerdictKind,
        workflow::RunFacts,
        history::Duty,
        history::ExpectedTime,
        history::PastCalls,
        history::PastDesign,
        history::PastReviewer,
        history::PastRubric,
        history::PastRun,
        shared::expected::EarlierRuns,
        shared::expected::Expected,
        workflow::Forecast,
        workflow::CloseCalls,
        workflow::Command,
        workflow::FollowUp,
        workflow::Handover,
        workflow::Taker,
        workflow::ToBuild,
        workflow::EventKind,
        boundary::design_lab::ConfigurationTexts,
        boundary::design_lab::HistoryOfRuns,
        boundary::design_lab::RankedTable,
        boundary::design_lab::StarterFile,
        boundary::durable::Replayed,
        workflow::DecisionRequest,
        workflow::OutcomeRequest,
        artefacts::DesignOutcome,
        artefacts::TurnedOut,
        workflow::HumanReviewRequest,
        workflow::JobId,
        DesignId,
        Label,
        ReviewerId,
        kernel::index::Found<workflow::RunFacts>,
        workflow::HumanReviewForm,
        artefacts::Preferred,
        workflow::HumanReview,
        workflow::HumanScore,
        workflow::HumanVerdict,
        workflow::Feedback,
        workflow::Candidate,
        workflow::EarlierDesign,
        workflow::NamedFile,
        workflow::OwnFile,
        workflow::ModelFacts,
        workflow::Opening,
        workflow::Outcome,
        workflow::Presented,
        workflow::protocol::Amendment,
        workflow::Reconfiguration,
        workflow::TaskRubric,
        workflow::GivenRubric,
        workflow::Purpose,
        workflow::Rerank,
        workflow::RerankInput,
        workflow::Reply,
        kernel::protocol::PathFound,
        kernel::protocol::LookedUp,
        claims::Lookups,
        claims::Manifest,
        claims::NameSearch,
        workflow::ResumeRequest,
        workflow::Resumption,
        prompts::Role,
        workflow::Spending,
        kernel::progress::Activity,
        kernel::progress::Incoming,
        workflow::Step,
        kernel::index::Summary<workflow::RunFacts>,
        workflow::Tone,
        workflow::Wanted,
        kernel::effects::NoEffect,
        config::FlowBudget,
        config::FlowSettings,
        config::Mutator,
        config::Worktree,
        flow::race::Entrant,
        flow::race::LaneFacts,
        flow::race::LaneOf,
        flow::race::LaneToTake,
        flow::race::RaceCommand,
        flow::protocol::LaneBuilt,
        flow::protocol::LaneTold,
        flow::chosen::Chosen,
        flow::chosen::ChosenComponent,
        flow::chosen::Concern,
        flow::clean_room::CleanRoom,
        flow::clean_room::Surroundings,
        flow::fix::Fix,
        flow::feedback::ProjectRule,
        flow::feedback::added::Added,
        flow::feedback::added::AddedUse,
        flow::feedback::added::ChangedText,
        flow::feedback::command::FeedbackCommand,
        flow::feedback::said::Done,
        flow::feedback::said::Logged,
        flow::feedback::said::Searched,
        flow::feedback::said::SearchedPlace,
        flow::feedback::said::Wanted,
        flow::feedback::uses::Use,
        flow::protocol::Hold,
        flow::forecast::Past,
        flow::leave::ShellAction,
        flow::leave::ShellRule,
        flow::leave::ShellRules,
        flow::forecast::Took,
        flow::command::AutoCommand,
        flow::command::PlanCommand,
        flow::command::ResetCommand,
        flow::command::SessionCommand,
        flow::pull_request::Client,
        flow::pull_request::Facts,
        flow::pull_request::Git,
        flow::pull_request::PullRequest,
        flow::pull_request::PullRequestCommand,
        shared::ci::Given,
        shared::ci::Texts,
        flow::verify::RanAgain,
        flow::verify::Seen,
        flow::verify::ToVerify,
        shared::ran::CommandEnd,
        shared::ran::Output,
        shared::ran::Ran,
        shared::runners::Runner,
        shared::runners::Tests,
        InstructionFile,
        flow::git_record::GitRecord,
        flow::links::Link,
        flow::guard::Facts,
        flow::guard::Inquiry,
        flow::guard::Place,
        flow::opening::ConfiguredModels,
        flow::opening::OpeningInput,
        flow::plan::Requirement,
        flow::protocol::ApartRun,
        flow::protocol::Approver,
        flow::protocol::CheckFinished,
        flow::protocol::Decision,
        flow::protocol::Effect,
        flow::protocol::LaneMade,
        flow::protocol::Outside,
        flow::protocol::Taken,
        flow::protocol::TreeTaken,
        flow::protocol::Weighed,
        flow::protocol::Models,
        flow::protocol::Opening,
        flow::protocol::Overlay,
        flow::protocol::RanApart,
        flow::protocol::Mutated,
        flow::protocol::TriedMutant,
        flow::protocol::Examined,
        flow::protocol::ExamPlace,
        flow::protocol::ExamRun,
        flow::protocol::ExamSeen,
        flow::mutants::ChangedFile,
        flow::mutants::Faultless,
        flow::mutants::Faults,
        flow::mutants::Mutant,
        flow::mutator_report::MutatorLeft,
        flow::mutator_report::MutatorSeen,
        flow::mutator_report::Refused,
        flow::mutator_report::ReportFile,
        flow::mutator_report::ReportedMutant,
        flow::protocol::MutatorRun,
        flow::protocol::EndedProcess,
        flow::protocol::Role,
        flow::SessionFacts,
        flow::status::Status,
        flow::test_files::TestCounts,
        flow::test_files::TestFile,
        flow::test_settings::TestSetting,
        flow::test_settings::TestSettingPart,
        validation::RunFacts,
        validation::install::InitCommand,
        validation::install::Install,
        validation::install::InstallInput,
        validation::install::InstallRan,
        validation::before::Before,
        validation::before::Fell,
        validation::left::Left,
        validation::left::LeftProcess,
        validation::opening::OpeningInput,
        validation::page::Picture,
        validation::Counts,
        validation::protocol::Against,
        validation::protocol::Attachment,
        validation::protocol::Barrier,
        validation::protocol::Criterion,
        validation::protocol::Decision,
        validation::protocol::Effect,
        validation::protocol::EvidenceFile,
        validation::protocol::FailedRequest,
        validation::protocol::FilesSeen,
        validation::protocol::GateChoice,
        validation::protocol::How,
        validation::protocol::Listed,
        validation::protocol::ListedTest,
        validation::protocol::Listener,
        validation::protocol::LogEnd,
        validation::protocol::LookedAt,
        validation::protocol::Models,
        validation::protocol::Noted,
        validation::protocol::Obstacle,
        validation::protocol::Opening,
        validation::protocol::ProcessEnd,
        validation::protocol::Paths,
        validation::protocol::OwnTests,
        validation::protocol::PageSeen,
        validation::protocol::RanTests,
        validation::verify::RenderedFile,
        validation::protocol::Role,
        validation::protocol::ServerFault,
        validation::protocol::ServerStarted,
        validation::protocol::Shown,
        validation::protocol::Sources,
        validation::protocol::Scope,
        validation::protocol::Subject,
        validation::protocol::SubjectSource,
        validation::protocol::TestLie,
        validation::protocol::TestName,
        validation::protocol::TestWaits,
        validation::protocol::TestSeen,
        validation::protocol::TestStatus,
        validation::protocol::TestUnderWay,
        validation::protocol::Told,
        validation::protocol::Uncommitted,
        validation::protocol::Whose,
        validation::repeat::Kept,
        validation::repeat::Repeat,
        validation::suite::Suite,
        validation::suite::SuiteFile,
        validation::suite::Untestable,
        validation::check::Setup,
        validation::servers::Project,
        validation::settings::Auto,
        validation::settings::CheckSettings,
        validation::settings::ConfiguredModels,
        validation::live::Lie,
        validation::live::LieOrder,
        validation::live::LiveAnswer,
        validation::live::LiveChange,
        validation::live::LiveRequest,
        validation::live::Plan,
        validation::protocol::Live,
        validation::protocol::StepKind,
        validation::protocol::RuleTried,
        validation::protocol::TrailStep,
        validation::settings::Counterfeit,
        validation::settings::MappedTests,
        validation::settings::PlaywrightSettings,
        validation::settings::Port,
        validation::settings::Ready,
        validation::settings::ServerSettings,
        validation::settings::TestsSettings,
        validation::settings::ValidationSettings,
        validation::starter::Starter,
        validation::starter::StarterInput,
        validation::status::Status,
        validation::to_fix::Fault,
        validation::to_fix::ToFix,
        validation::subject::SubjectInput,
        validation::subject::ValidateCommand,
        validation::verify::Seen,
    ]
}

#[test]
fn schemas_are_up_to_date() {
    for (name, title, schema) in schemas() {
        let mut schema = finish(name, title, schema);
        if name.ends_with("-reply") {
            remove(&mut schema, "enumDescriptions");
        } else {
            illustrate(name, &mut schema, &example("design-lab", name));
        }
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        assert_up_to_date(&format!("schemas/design-lab/{name}.json"), &text);
    }
    for (name, title, schema) in flow_schemas() {
        let mut schema = finish(&format!("flow-{name}"), title, schema);
        remove(&mut schema, "enumDescriptions");
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        assert_up_to_date(&format!("schemas/flow/{name}.json"), &text);
    }
    for (name, title, schema) in validation_schemas() {
        let mut schema = finish(&format!("validation-{name}"), title, schema);
        if name == "settings" {
            illustrate(name, &mut schema, &example("validation", name));
        } else {
            remove(&mut schema, "enumDescriptions");
        }
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        assert_up_to_date(&format!("schemas/validation/{name}.json"), &text);
    }
}

#[test]
fn the_example_of_a_ranking_is_one() {
    let example = example("design-lab", "ranking");
    let ranking: ranking::Ranking = serde_json::from_value(example.clone()).unwrap();
    // Whole numbers may be written without a fraction.
    let written: ranking::Ranking = serde_json::from_str(&serde_json::to_string(&ranking).unwrap()).unwrap();
    assert_eq!(ranking, written);
    for key in example.as_object().unwrap().keys() {
        assert!(serde_json::to_value(&ranking).unwrap().get(key).is_some(), "{key} is none of its fields");
    }
}

#[test]
fn typescript_is_up_to_date() {
    let mut types = typescript();
    types.sort();
    for pair in types.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "two types of one name: give one of them `ts(rename)`");
    }
    let mut text = String::from("// Generated from the Rust types by `cargo xtask update`.\n");
    for (_, declaration) in types {
        text.push('\n');
        text.push_str(&declaration);
    }
    assert_up_to_date("plugin-js/core/types.d.ts", &text);
}

#[test]
fn the_calls_in_javascript_are_up_to_date() {
    for list in boundary::described() {
        assert_up_to_date(&list.path(), &list.javascript());
    }
}

/// A name that TypeScript doesn't know becomes `any`, because a library's declarations are not checked.
#[test]
fn every_type_that_a_declaration_names_is_declared() {
    let types: BTreeMap<String, String> = typescript().into_iter().collect();
    let mut missing = BTreeSet::new();
    for (name, declaration) in &types {
        // A single letter is a parameter of the declaration.
        let is_name = |word: &&str| word.len() > 1 && word.starts_with(|letter: char| letter.is_uppercase());
        let unknown = named_in(declaration).filter(is_name).filter(|word| !types.contains_key(*word));
        missing.extend(unknown.filter(|word| *word != "Array").map(|word| format!("{word} in {name}")));
    }
    for list in boundary::described() {
        let unknown = list.types().into_iter().filter(|word| !types.contains_key(*word));
        missing.extend(unknown.map(|word| format!("{word} in {}", list.path())));
    }
    assert!(missing.is_empty(), "give each of these a line in `typescript`: {missing:?}");
}

#[test]
fn every_type_is_used_in_javascript() {
    let types: BTreeMap<String, String> = typescript().into_iter().collect();
    let mut scripts = String::new();
    read_scripts(&root().join("plugin-js"), &mut scripts);
    let named = scripts.split("types.js\").").skip(1);
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut next: Vec<&str> = named.filter_map(|text| words(text).next()).collect();
    let lists = boundary::described();
    next.extend(lists.iter().flat_map(boundary::facade::List::types));
    while let Some(name) = next.pop() {
        let Some((name, declaration)) = types.get_key_value(name) else { continue };
        if reached.insert(name) {
            next.extend(named_in(declaration));
        }
    }
    let unused: Vec<&String> = types.keys().filter(|name| !reached.contains(name.as_str())).collect();
    assert!(unused.is_empty(), "no script needs these: take them out of `typescript`: {unused:?}");
}

/// The words of a declaration, without those of its documentation and of its text values.
fn named_in(declaration: &str) -> impl Iterator<Item = &str> {
    let code = declaration.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
    code.flat_map(|line| line.split('"').step_by(2)).flat_map(words)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Adds the text of every script at or below a directory.
fn read_scripts(directory: &Path, text: &mut String) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_scripts(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "js") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn what_is_registered_without_a_configuration_is_up_to_date() {
    let registration =
        serde_json::to_string_pretty(&registration::registration(None, &isolation::Isolation::default()))
            .unwrap();
    assert_up_to_date("plugin-js/hosts/unconfigured.json", &(registration + "\n"));
}

#[test]
fn the_hashes_of_the_pages_style_sheets_are_up_to_date() {
    for room in ["shared/page", "design_lab/report/html", "flow/page", "validation/page"] {
        let style = std::fs::read(root().join(format!("src/{room}/style.css"))).unwrap();
        let hash = BASE64_STANDARD.encode(Sha256::digest(style));
        assert_up_to_date(&format!("src/{room}/style.sha256"), &(hash + "\n"));
    }
    for file in ["form.css", "form.js"] {
        let path = format!("src/design_lab/report/html/{file}");
        let hash = BASE64_STANDARD.encode(Sha256::digest(std::fs::read(root().join(&path)).unwrap()));
        assert_up_to_date(&format!("{path}.sha256"), &(hash + "\n"));
    }
}

fn assert_up_to_date(path: &str, expected: &str) {
    let file = root().join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, expected).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == expected, "{path} has drifted from its source: run `cargo xtask update`");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn example(room: &str, name: &str) -> Value {
    let path = root().join(format!("schemas/{room}/examples/{name}.jsonc"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    parse_to_serde_value(&text, &jsonc_parser::ParseOptions::default()).unwrap()
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Gives a schema its name, and makes it shorter without changing its meaning.
fn finish(name: &str, title: &str, mut schema: Value) -> Value {
    tidy(&mut schema);
    let Value::Object(map) = schema else { panic!("{name} is no object") };
    let mut out = Map::new();
    out.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    out.insert("$id".to_owned(), json!(schema_name(name)));
    out.insert("title".to_owned(), json!(title));
    for key in ["description", "type", "required", "properties"] {
        if let Some(value) = map.get(key) {
            out.insert(key.to_owned(), value.clone());
        }
    }
    for (key, value) in map {
        out.entry(key).or_insert(value);
    }
    Value::Object(out)
}

fn tidy(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    for (key, value) in map.iter_mut() {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(tidy),
            ("anyOf", Value::Array(choices)) => choices.iter_mut().for_each(tidy),
            ("items" | "additionalProperties", inner) => tidy(inner),
            _ => {}
        }
    }
    merge_words(map);
    merge_types(map);
    // Sizes of Rust's numbers mean nothing to a reader; this package's own formats do.
    let sized = |format: &Value| matches!(format.as_str(), Some("double" | "uint16" | "uint32" | "uint64"));
    map.retain(|key, value| key != "format" || !sized(value));
    // The default of an object consists of the defaults of its fields.
    let object = map.get("type") == Some(&json!("object"));
    map.retain(|key, _| key != "default" || !object);
    for (key, value) in map.iter_mut() {
        match key.as_str() {
            "default" => whole_numbers(value),
            "description" => *value = json!(value.as_str().unwrap_or_default().replace('\n', " ")),
            _ => {}
        }
    }
}

/// An enum's words are generated as `oneOf` constants; as an `enum`, a wrong word is one error instead of one per constant.
fn merge_words(map: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = map.get("oneOf") else { return };
    let words: Vec<Value> = choices.iter().map(|choice| choice["const"].clone()).collect();
    let descriptions: Vec<Value> = choices.iter().map(|choice| choice["description"].clone()).collect();
    assert!(words.iter().all(Value::is_string), "only enums of words are expected: {words:?}");
    map.shift_remove("oneOf");
    map.insert("enum".to_owned(), Value::Array(words));
    map.insert("enumDescriptions".to_owned(), Value::Array(descriptions));
}

/// "Text, or an object" is generated as `anyOf`; because every keyword applies to one type only, one schema with two types is
/// equivalent, and its errors name the wrong part.
fn merge_types(map: &mut Map<String, Value>) {
    let Some(Value::Array(choices)) = map.shift_remove("anyOf") else { return };
    let types: Vec<Value> = choices.iter().map(|choice| choice["type"].clone()).collect();
    assert!(types.iter().all(Value::is_string), "only choices between types are expected: {types:?}");
    map.insert("type".to_owned(), Value::Array(types));
    for choice in choices {
        let Value::Object(choice) = choice else { continue };
        for (key, value) in choice {
            map.entry(key).or_insert(value);
        }
    }
}

/// Removes a keyword everywhere.
fn remove(schema: &mut Value, keyword: &str) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| remove(item, keyword)),
        Value::Object(map) => {
            map.shift_remove(keyword);
            map.values_mut().for_each(|value| remove(value, keyword));
        }
        _ => {}
    }
}

fn whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            *value = crate::design_lab::schema::number(number.as_f64().unwrap_or_default());
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(map) => map.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

/// Gives every field its example from one full document; a field that the document lacks fails the test.
fn illustrate(path: &str, schema: &mut Value, example: &Value) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for (key, property) in properties {
            let path = format!("{path}.{key}");
            let value = &example[key];
            let brings_its_own = property["examples"].is_array();
            assert!(brings_its_own || example.get(key).is_some(), "{path} has no example");
            assert!(property["description"].is_string(), "{path} has no description");
            illustrate(&path, property, value);
            if brings_its_own {
                continue;
            }
            let of_objects =
                property.get("properties").is_some() || property["items"].get("properties").is_some();
            // A list may contain words as well as objects: the words are the shorter example.
            let words: Vec<&Value> =
                value.as_array().into_iter().flatten().filter(|item| item.is_string()).collect();
            if !of_objects {
                property["examples"] = json!([value]);
            } else if !words.is_empty() {
                property["examples"] = json!([words]);
            }
        }
    }
    if let (Some(items), Some(entries)) = (map.get_mut("items"), example.as_array()) {
        // Entries may have several forms: the object shows the most.
        let fullest = entries.iter().max_by_key(|value| value.as_object().map_or(0, Map::len));
        illustrate_inner(&format!("{path}[]"), items, fullest);
    }
    if let Some(inner @ Value::Object(_)) = map.get_mut("additionalProperties") {
        illustrate_inner(
            &format!("{path}.*"),
            inner,
            example.as_object().and_then(|map| map.values().next()),
        );
    }
}

fn illustrate_inner(path: &str, schema: &mut Value, example: Option<&Value>) {
    let example = example.unwrap_or_else(|| panic!("{path} has no example"));
    illustrate(path, schema, example);
    if schema.get("properties").is_none() && schema.get("items").is_none() {
        schema["examples"] = json!([example]);
    }
}

/// The type's documentation and declaration, indented.
fn declaration<T: TS>(config: &ts_rs::Config) -> String {
    let declaration = T::decl(config).replace(", };", ",\n};");
    let mut out = T::docs().unwrap_or_default() + "export ";
    for line in declaration.lines() {
        let member = !line.starts_with("type ") && !line.starts_with('}');
        out.push_str(if member { "  " } else { "" });
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
