//! Ranking a table of scores or verdicts, or a run by what it left on disk.

use super::NamedText;
use crate::config::document::Document;
use crate::config::{Config, Dimension};
use crate::error::Problem;
use crate::ranking::csv::{self, Rows};
use crate::ranking::{self, Options, Ranking};
use crate::workflow::Run;
use serde::{Deserialize, Serialize};

/// What there is to rank by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct Given {
    /// A run's journal; where there is one, nothing else counts.
    #[serde(default)]
    pub journal: Option<NamedText>,
    /// A run's `config.json`, for its rubric and its way of counting.
    #[serde(default)]
    pub config: Option<NamedText>,
    /// Scores or verdicts as CSV, or the same rows as a JSON array of objects.
    #[serde(default)]
    pub table: Option<NamedText>,
}

/// The seed where nothing says another: any would do, and this one always gives the same.
const SEED: u64 = 0;

/// The ranking, as a run would have written it.
pub fn rank(given: &Given) -> Result<Ranking, Problem> {
    if let Some(journal) = &given.journal {
        let (run, _) = Run::replay(&journal.text).map_err(|problem| journal.place(problem))?;
        return run.rank();
    }
    let Some(table) = &given.table else {
        return Err(Problem::new("rank.nothing", "There is nothing to rank by.")
            .allowed("a CSV of scores or verdicts, a JSON array of such rows, or a run's directory")
            .next("See `npx opencode-design-lab rank --help`."));
    };
    let config: Option<Config> = match &given.config {
        Some(file) => Some(
            serde_json::from_str(&file.text).map_err(|error| file.unreadable("config.invalid", &error))?,
        ),
        None => None,
    };
    let options = Options {
        exclude_self: config.as_ref().is_none_or(|config| config.review.exclude_self),
        exclude_family: config.as_ref().is_some_and(|config| config.review.exclude_family),
        seed: config.as_ref().and_then(|config| config.seed).unwrap_or(SEED),
    };
    let dimensions = config.as_ref().map(|config| config.scoring_criteria.dimensions.as_slice());
    rank_table(table, dimensions, options)
}

/// The ranking of a table by itself; problems have their place in it.
pub(super) fn rank_table(
    table: &NamedText,
    dimensions: Option<&[Dimension]>,
    options: Options,
) -> Result<Ranking, Problem> {
    let rows = if is_json(table) {
        rows(table)?
    } else {
        csv::read(&table.text).map_err(|problem| table.place(problem))?
    };
    ranking::rank(&rows.study(dimensions, options)).map_err(|problem| {
        table.place(if is_json(table) { in_json(table, problem) } else { csv::locate(&table.text, problem) })
    })
}

/// Whether a table is rows as JSON; else it is CSV.
fn is_json(table: &NamedText) -> bool {
    table.text.trim_start_matches('\u{feff}').trim_start().starts_with('[')
}

/// The rows of a JSON array.
fn rows(table: &NamedText) -> Result<Rows, Problem> {
    let text = table.text.trim_start_matches('\u{feff}');
    let wrong = |error: serde_json::Error| {
        table.unreadable("rank.rows", &error).allowed(
            "objects with design, reviewer, repeat, dimension and score, or with reviewer, repeat, first, second and verdict",
        )
    };
    if text.contains("\"verdict\"") {
        serde_json::from_str(text).map(Rows::Verdicts).map_err(wrong)
    } else {
        serde_json::from_str(text).map(Rows::Scores).map_err(wrong)
    }
}

/// A problem with a row, where it stands in the array.
fn in_json(table: &NamedText, mut problem: Problem) -> Problem {
    let row = |pointer: &String| {
        pointer.strip_prefix("/rows").or_else(|| pointer.strip_prefix("/comparisons")).map(str::to_owned)
    };
    if let Some(pointer) = problem.pointer.as_ref().and_then(row) {
        if let Some(place) =
            Document::parse(&table.text).ok().and_then(|document| document.position(&pointer, false))
        {
            (problem.line, problem.column) = (Some(place.line), Some(place.column));
        }
        problem.pointer = Some(pointer);
    }
    problem
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Given {
        let table = NamedText { name: "scores.csv".into(), text: text.into() };
        Given { table: Some(table), ..Given::default() }
    }

    const CSV: &str = "design,reviewer,repeat,dimension,score\na,ann,1,clarity,8\nb,ann,1,clarity,5\na,bob,1,clarity,9\nb,bob,1,clarity,6\n";

    #[test]
    fn csv_and_json_rows_give_the_same_ranking() {
        let json = r#"[
            {"design": "a", "reviewer": "ann", "repeat": 1, "dimension": "clarity", "score": 8},
            {"design": "b", "reviewer": "ann", "repeat": 1, "dimension": "clarity", "score": 5},
            {"design": "a", "reviewer": "bob", "repeat": 1, "dimension": "clarity", "score": 9},
            {"design": "b", "reviewer": "bob", "repeat": 1, "dimension": "clarity", "score": 6}
        ]"#;
        let ranking = rank(&table(CSV)).unwrap();
        assert_eq!(ranking, rank(&table(json)).unwrap());
        assert_eq!(ranking.rankings[0].design_id, "a");
        assert_eq!(ranking.metadata.total_reviewers, 2);
    }

    #[test]
    fn problems_say_where() {
        let place = |text: &str| {
            let problem = rank(&table(text)).unwrap_err();
            (problem.code, problem.file, problem.line)
        };
        let file = Some("scores.csv".to_owned());
        assert_eq!(place("design,reviewer\n"), ("csv.header".into(), file.clone(), Some(1)));
        assert_eq!(place(&CSV.replace('9', "nine")), ("csv.field".into(), file.clone(), Some(4)));
        assert_eq!(place("[{\"design\": \"a\"}]"), ("rank.rows".into(), file.clone(), Some(1)));
        let twice = format!("{CSV}a,ann,1,clarity,8\n");
        assert_eq!(place(&twice), ("ranking.duplicate-row".into(), file.clone(), Some(6)));
        assert_eq!(place(&CSV.replace('9', "11")), ("ranking.out-of-bounds".into(), file.clone(), Some(4)));
        let row = r#"{"design": "a", "reviewer": "ann", "repeat": 1, "dimension": "clarity", "score": 8}"#;
        let twice = format!("[\n{row},\n{row}\n]");
        assert_eq!(place(&twice), ("ranking.duplicate-row".into(), file, Some(3)));
        assert_eq!(rank(&Given::default()).unwrap_err().code, "rank.nothing");
    }

    #[test]
    fn a_rubric_sets_the_bounds() {
        let mut config = Config {
            ..crate::config::load(
                &[crate::config::Source {
                    origin: crate::config::Layer::Project,
                    file: "c.json".into(),
                    text: r#"{"design_models": ["x/a", "x/b"], "scoring_criteria": {"dimensions": [{"name": "clarity", "description": "d", "max": 100}]}}"#.into(),
                }],
                &[],
                &crate::config::AvailableModels::default(),
            )
            .unwrap()
            .config
        };
        config.seed = Some(7);
        let mut given = table(&CSV.replace('8', "80"));
        assert_eq!(
            rank(&given).unwrap_err().code,
            "ranking.out-of-bounds",
            "without a rubric scores go to 10"
        );
        given.config =
            Some(NamedText { name: "config.json".into(), text: serde_json::to_string(&config).unwrap() });
        assert_eq!(rank(&given).unwrap().metadata.seed, 7);
    }
}
