//! Checks a file: the kind of document, and everything that is wrong with it.

use super::code::CliCode;
use super::rank::{Bounds, rank_table, scaled};
use super::shape;
use crate::design_lab::artefacts::is_empty_part;
use crate::design_lab::config::document::Document;
use crate::design_lab::config::{self, Layer, Source};
use crate::design_lab::human_review;
use crate::design_lab::ranking::Options;
use crate::design_lab::schema::{self, DocumentKind};
use crate::design_lab::workflow::Run;
use crate::shared::named_text::NamedText;
use kernel::json::Deserialize;
use kernel::nearest::nearest;
use kernel::problem::Problem;
use kernel::run::Durable as _;
use serde::Serialize;
use serde_json::Value;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A configuration.
    Config,
    /// A design, as a run stores it or as a model returns it.
    Design,
    /// A form that a person fills in, `human/<name>.csv`.
    Form,
    /// A run's `journal.jsonl`.
    Journal,
    /// `results/map.json`.
    Map,
    /// `results/ranking.json`.
    Ranking,
    /// A review.
    Review,
    /// One reviewer's scores of one design.
    Score,
    /// Scores or verdicts as CSV, or as a JSON array of rows.
    Table,
    /// A task.
    Task,
}

const KINDS: [(&str, Kind); 10] = [
    ("config", Kind::Config),
    ("design", Kind::Design),
    ("form", Kind::Form),
    ("journal", Kind::Journal),
    ("map", Kind::Map),
    ("ranking", Kind::Ranking),
    ("review", Kind::Review),
    ("score", Kind::Score),
    ("table", Kind::Table),
    ("task", Kind::Task),
];

/// Keys that only one kind of document has, the most distinctive first.
const TELLING: [(&str, Kind); 10] = [
    ("rankings", Kind::Ranking),
    ("review_id", Kind::Review),
    ("self_review", Kind::Score),
    ("only_one", Kind::Map),
    ("architecture_overview", Kind::Design),
    ("problem_statement", Kind::Task),
    ("design_models", Kind::Config),
    ("review_models", Kind::Config),
    ("scoring_criteria", Kind::Config),
    ("output_directory", Kind::Config),
];

/// The kind of a file: as `name` says, otherwise as its content shows.
pub fn recognise(file: &NamedText, name: Option<&str>) -> Result<Kind, Vec<Problem>> {
    match name {
        Some(name) => named(name).map_err(|problem| vec![problem]),
        None => recognised(file),
    }
}

/// Everything that is wrong with a file of that kind, with line and column. `beside` is what helps to check it: the package's
/// schema for the kind; for a form the journal of its run, without which its labels and bounds can't be checked; for a table the
/// scale that the user named, such as `1-5`, without which scores go from 0 to 10. A configuration and a journal need nothing.
pub fn validate(file: &NamedText, kind: Kind, beside: &str) -> Vec<Problem> {
    let by_schema = |kind: DocumentKind, value: &Value| {
        let schema: Value = serde_json::from_str(beside).unwrap_or_default();
        shape::problems(kind, value, &schema)
    };
    match kind {
        Kind::Config => config::check(&Source {
            origin: Layer::Project,
            file: file.name.clone(),
            text: file.text.clone(),
        }),
        Kind::Table => table(file, beside).err().unwrap_or_default(),
        Kind::Design => document(file, DocumentKind::Design, |value| {
            // A design as a model returns it lacks the fields that a run adds.
            let mut problems = schema::design_problems(value);
            if value.get("file").is_some() {
                problems.retain(|problem| !is_empty_part(problem));
            }
            let stored = value.get("design_id").is_some();
            if stored && problems.is_empty() { by_schema(DocumentKind::Design, value) } else { problems }
        }),
        Kind::Form => form(file, beside),
        Kind::Journal => match Run::replay(&file.text) {
            Ok(_) => Vec::new(),
            Err(problem) => vec![file.place(problem)],
        },
        Kind::Map => document(file, DocumentKind::Map, |value| by_schema(DocumentKind::Map, value)),
        Kind::Ranking => {
            document(file, DocumentKind::Ranking, |value| by_schema(DocumentKind::Ranking, value))
        }
        Kind::Review => document(file, DocumentKind::Review, |value| by_schema(DocumentKind::Review, value)),
        Kind::Score => document(file, DocumentKind::Score, |value| by_schema(DocumentKind::Score, value)),
        Kind::Task => document(file, DocumentKind::Task, |value| by_schema(DocumentKind::Task, value)),
    }
}

fn named(name: &str) -> Result<Kind, Problem> {
    KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind).ok_or_else(|| {
        let names = KINDS.map(|(known, _)| known);
        let problem = Problem::new(
            CliCode::ValidateUnknownKind,
            format!("{} is not a kind of file.", schema::quote(name)),
        )
        .found(schema::quote(name))
        .allowed(names.join(", "));
        match nearest(name, names) {
            Some(near) => problem.next(format!("Did you mean --as {near}?")),
            None => problem,
        }
    })
}

/// The kind of a file according to its schema, its keys, or its first line.
fn recognised(file: &NamedText) -> Result<Kind, Vec<Problem>> {
    let text = file.text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("{\"n\":") {
        return Ok(Kind::Journal);
    }
    if human_review::is_form(text) {
        return Ok(Kind::Form);
    }
    if text.starts_with('[') || !(text.starts_with('{') || text.starts_with('/')) {
        return Ok(Kind::Table);
    }
    let unknown = || {
        Problem::new(CliCode::ValidateUnrecognised, "The content doesn't show what kind of file this is.")
            .allowed("a file with the keys of a configuration, design, map, review, score, ranking or task")
            .next(format!("Name its kind: --as {}.", KINDS.map(|(name, _)| name).join(", ")))
    };
    let document = parsed(file, DocumentKind::Json)?;
    let by_schema = document.value["$schema"].as_str().and_then(|url| {
        // The name of a schema; or the path or URL of its file, as in configurations and older runs.
        let name = match url.strip_prefix("urn:opencode-design-lab:schema:") {
            Some(name) => name,
            None => url.rsplit('/').next()?.strip_suffix(".json")?,
        };
        KINDS.iter().find(|(known, _)| *known == name || name.strip_suffix("-reply") == Some(*known))
    });
    let by_key = TELLING.iter().find(|(key, _)| document.value.get(*key).is_some());
    by_schema.or(by_key).map(|(_, kind)| *kind).ok_or_else(|| vec![file.place(unknown())])
}

/// Reads a JSON document and adds places to its problems.
fn document(file: &NamedText, kind: DocumentKind, check: impl Fn(&Value) -> Vec<Problem>) -> Vec<Problem> {
    let document = match parsed(file, kind) {
        Ok(document) => document,
        Err(problems) => return problems,
    };
    let placed = |mut problem: Problem| {
        if problem.line.is_none()
            && let Some(position) = document.position(problem.pointer.as_deref().unwrap_or_default(), false)
        {
            (problem.line, problem.column) = (Some(position.line), Some(position.column));
        }
        file.place(problem)
    };
    let mut problems: Vec<Problem> = check(&document.value).into_iter().map(placed).collect();
    schema::sort_problems(&mut problems, &|_| 0);
    problems
}

fn parsed(file: &NamedText, kind: DocumentKind) -> Result<Document, Vec<Problem>> {
    Document::parse(kind, &file.text)
        .map_err(|problems| problems.into_iter().map(|problem| file.place(problem)).collect())
}

/// The problems of a form, checked against the journal of its run if available.
fn form(file: &NamedText, journal: &str) -> Vec<Problem> {
    let problems = if journal.is_empty() {
        human_review::problems(&file.text)
    } else {
        match Run::replay(journal) {
            Ok((run, _)) => run.form_problems(&file.name, &file.text),
            Err(problem) => {
                return vec![Problem { file: Some("journal.jsonl".to_owned()), ..problem }];
            }
        }
    };
    problems.into_iter().map(|problem| file.place(problem)).collect()
}

fn table(file: &NamedText, scale: &str) -> Result<(), Vec<Problem>> {
    let options = Options { exclude_self: false, exclude_family: false, seed: 0 };
    let bounds = match scale {
        "" => Bounds::Supposed,
        scale => Bounds::Said(scaled(scale).map_err(|problem| vec![problem])?),
    };
    rank_table(file, bounds, options).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str) -> Result<Kind, Vec<String>> {
        let file = NamedText { name: name.into(), text: text.into() };
        let checked = recognise(&file, None).and_then(|kind| {
            let (name, _) = KINDS.iter().find(|(_, known)| *known == kind).unwrap();
            let path = format!("{}/schemas/design-lab/{name}.json", env!("CARGO_MANIFEST_DIR"));
            let problems = validate(&file, kind, &std::fs::read_to_string(path).unwrap_or_default());
            if problems.is_empty() { Ok(kind) } else { Err(problems) }
        });
        checked.map_err(|problems| {
            problems
                .iter()
                .map(|problem| {
                    let number =
                        |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
                    format!("{}:{}:{}", problem.code, number(problem.line), number(problem.column))
                })
                .collect()
        })
    }

    #[test]
    fn every_example_is_recognised_and_right() {
        for (name, kind) in
            KINDS.into_iter().filter(|(_, kind)| ![Kind::Form, Kind::Journal, Kind::Table].contains(kind))
        {
            let path = format!("{}/schemas/design-lab/examples/{name}.jsonc", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            // Comments are for the reader of the example.
            let plain: Value =
                jsonc_parser::parse_to_serde_value(&text, &jsonc_parser::ParseOptions::default()).unwrap();
            assert_eq!(check(name, &serde_json::to_string_pretty(&plain).unwrap()), Ok(kind), "{name}");
        }
        let csv = "design,reviewer,repeat,dimension,score\na,r,1,q,3\n";
        assert_eq!(check("x.csv", csv), Ok(Kind::Table));
        let form = "\u{feff}design;dimension;score;comment\r\npipit;clarity;7,5;\r\nsnipe;clarity;;\r\n";
        assert_eq!(check("ada.csv", form), Ok(Kind::Form));
        let journal = include_str!("../../tests/cli/run/journal.jsonl");
        assert_eq!(check("journal.jsonl", journal), Ok(Kind::Journal));
    }

    #[test]
    fn problems_say_where() {
        let cases = [
            (
                "{\n  \"design_models\": [],\n  \"concurency\": 2\n}",
                vec!["config.too-few:2:20", "config.unknown-key:3:3"],
            ),
            ("{\"architecture_overview\": 3", vec!["json.syntax:1:1"]),
            ("{\n\"problem_statement\": 3}", vec!["task.wrong-type:2:22"]),
            ("{\"a\": 1}", vec!["validate.unrecognised::"]),
            (
                "design;dimension;score;comment\npipit;clarity;x;\npipit;cost;7,5;\nsnipe;cost\n",
                vec!["form.score:2:15", "form.fields:4:1"],
            ),
            ("{\"n\":1,\"crc\":\"00000000\",\"event\":\"woken\"}\n", vec!["journal.damaged::"]),
            ("{\"n\":1,\"crc\"", vec!["journal.empty::"]),
            ("design,reviewer,repeat,dimension,score\na,r,1,q,x\n", vec!["csv.field:2:9"]),
        ];
        for (text, expected) in cases {
            let found = check("f", text).unwrap_err();
            assert_eq!(found, expected, "{text}");
        }
        // With its run, a form's labels and bounds are known too.
        let journal = include_str!("../../tests/cli/run/journal.jsonl");
        let form = NamedText { name: "runs/x/human/ada.csv".into(), text: "design,dimension,score\n".into() };
        let problems = validate(&form, Kind::Form, journal);
        assert_eq!(
            (problems[0].code.as_str(), problems[0].file.as_deref()),
            ("form.unknown", Some("runs/x/human/ada.csv"))
        );
        let percent = "design,reviewer,repeat,dimension,score\na,r,1,q,80\n";
        let table = NamedText { name: "x.csv".into(), text: percent.into() };
        let codes = ["", "0-100", "1-5", "five"].map(|scale| {
            validate(&table, Kind::Table, scale).first().map(|problem| problem.code.to_string())
        });
        let refused = |code: &str| Some(code.to_owned());
        assert_eq!(
            codes,
            [refused("ranking.out-of-bounds"), None, refused("ranking.out-of-bounds"), refused("rank.scale")]
        );
        let file = NamedText { name: "f".into(), text: "{}".into() };
        assert_eq!(
            recognise(&file, Some("desing")).unwrap_err()[0].next.as_deref(),
            Some("Did you mean --as design?")
        );
    }
}
