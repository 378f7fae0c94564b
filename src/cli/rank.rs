//! Ranks a table of scores or verdicts, or a run from its files on disk.

use super::code::CliCode;
use crate::design_lab::config::document::Document;
use crate::design_lab::config::{Config, Dimension, rubric};
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::RankingCode;
use crate::design_lab::ranking::csv::{self, Rows};
use crate::design_lab::ranking::table::SCALE;
use crate::design_lab::ranking::{self, Options, Ranking, Study};
use crate::design_lab::schema::{DocumentKind, Fault};
use crate::design_lab::workflow::Run;
use crate::shared::delimited::{Faults, number};
use crate::shared::named_text::NamedText;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::run::Durable as _;
use serde::Serialize;

/// The input of a ranking.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct RankInput {
    /// A run's journal; if there is one, nothing else is used.
    #[serde(default)]
    pub journal: Option<NamedText>,
    /// A run's `config.json`, for its rubric and its ranking options.
    #[serde(default)]
    pub config: Option<NamedText>,
    /// Scores or verdicts as CSV, or the same rows as a JSON array of objects.
    #[serde(default)]
    pub table: Option<NamedText>,
    /// The bounds of the table's scores, as the user wrote them: `1-5`. A run knows its own.
    #[serde(default)]
    pub scale: Option<String>,
    /// A configuration whose rubric was used to score the table. A run knows its own.
    #[serde(default)]
    pub rubric: Option<NamedText>,
}

/// A ranking, and notes on how the table was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// As a run would have written it.
    pub ranking: Ranking,
    /// Sentences; usually none.
    pub notes: Vec<String>,
}

/// The default seed: any would do, but a fixed one always gives the same result.
const SEED: u64 = 0;

/// Ranks a run or a standalone table, or returns everything that is wrong with the input.
pub fn rank(given: &RankInput) -> Result<Ranked, Vec<Problem>> {
    let of_run = given.journal.is_some() || given.config.is_some();
    for (option, is_given) in [("--scale", given.scale.is_some()), ("--rubric", given.rubric.is_some())] {
        if of_run && is_given {
            return Err(vec![
                Problem::new(
                    CliCode::RankScaleKnown,
                    format!("{option} can't be used with a run: its own rubric sets the scale."),
                )
                .next(format!("Leave {option} out. It applies only to tables from other sources.")),
            ]);
        }
    }
    if given.scale.is_some() && given.rubric.is_some() {
        return Err(vec![
            Problem::new(
                CliCode::RankScaleKnown,
                "--scale and --rubric can't be used together: a rubric sets the scale.",
            )
            .next("Leave one of them out."),
        ]);
    }
    if let Some(journal) = &given.journal {
        let ranking = Run::replay(&journal.text).and_then(|(run, _)| run.rank());
        return match ranking {
            Ok(ranking) => Ok(Ranked { ranking, notes: Vec::new() }),
            Err(problem) => Err(vec![journal.place(problem)]),
        };
    }
    let Some(table) = &given.table else {
        return Err(vec![
            Problem::new(CliCode::RankNothing, "Name what to rank.")
                .allowed("a CSV of scores or verdicts, a JSON array of such rows, or a run's directory")
                .next("See `npx opencode-design-lab rank --help`."),
        ]);
    };
    let config: Option<Config> = match &given.config {
        Some(file) => Some(
            kernel::json::read(&file.text)
                .map_err(|error| vec![file.unreadable(DocumentKind::Config.code(Fault::Invalid), &error)])?,
        ),
        None => None,
    };
    let options = Options {
        exclude_self: config.as_ref().is_none_or(|config| config.review.exclude_self),
        exclude_family: config.as_ref().is_some_and(|config| config.review.exclude_family),
        seed: config.as_ref().and_then(|config| config.seed).unwrap_or(SEED),
    };
    let rubric = given.rubric.as_ref().map(rubric).transpose()?;
    let own = config.as_ref().map(|config| &config.scoring_criteria.dimensions);
    let bounds = match (own.or(rubric.as_ref()), &given.scale) {
        (Some(dimensions), _) => Bounds::Rubric(dimensions),
        (None, Some(scale)) => Bounds::Said(scaled(scale).map_err(|problem| vec![problem])?),
        (None, None) => Bounds::Supposed,
    };
    rank_table(table, bounds, options)
}

/// The source of the bounds of a table's scores.
#[derive(Clone, Copy)]
pub(super) enum Bounds<'a> {
    /// A rubric: that of the run that the table belongs to, or one that the user names.
    Rubric(&'a [Dimension]),
    /// The user.
    Said([f64; 2]),
    /// None: the bounds are assumed to be 0 and 10.
    Supposed,
}

/// The ranking of a standalone table; problems name their place in it.
pub(super) fn rank_table(
    table: &NamedText,
    bounds: Bounds<'_>,
    options: Options,
) -> Result<Ranked, Vec<Problem>> {
    let place = |problem: Problem| table.place(problem);
    let rows = if is_json(table) {
        rows(table).map_err(|problem| vec![problem])?
    } else {
        csv::read(&table.text).map_err(|problems| problems.into_iter().map(place).collect::<Vec<_>>())?
    };
    let rubric = if let Bounds::Rubric(dimensions) = bounds { Some(dimensions) } else { None };
    let mut study = rows.study(rubric, options);
    if let Bounds::Said([min, max]) = bounds {
        for dimension in &mut study.dimensions {
            (dimension.min, dimension.max) = (min, max);
        }
    }
    let located = |problem: Problem| {
        place(if is_json(table) { in_json(table, problem) } else { csv::locate(&table.text, problem) })
    };
    match ranking::rank(&study) {
        Ok(ranking) => Ok(Ranked { ranking, notes: scale_note(&study, bounds).into_iter().collect() }),
        Err(first) => {
            let problems = match (bounds, off_scale(&study)) {
                (Bounds::Supposed, Some(problem)) => vec![problem],
                _ => faults(study, first),
            };
            Err(problems.into_iter().map(located).collect())
        }
    }
}

/// Parses bounds of scores such as `1-5`.
pub(super) fn scaled(text: &str) -> Result<[f64; 2], Problem> {
    let text = text.trim();
    // A dash at the beginning belongs to the number.
    let dash = text.char_indices().skip(1).find(|(_, c)| ['-', '–', ':'].contains(c));
    let ends = dash.and_then(|(at, c)| Some([number(&text[..at])?, number(&text[at + c.len_utf8()..])?]));
    ends.filter(|[min, max]| min < max).ok_or_else(|| {
        Problem::new(CliCode::RankScale, "--scale takes the lowest and the highest possible score.")
            .found(text)
            .allowed("two numbers, the lower one first")
            .next("Write it as in --scale 1-5 or --scale 0-100.")
    })
}

/// Everything that is wrong with a study's rows, up to the number that a person will read; `first` is the first problem that
/// ranking found.
fn faults(mut study: Study, first: Problem) -> Vec<Problem> {
    let mut faults = Faults::default();
    // The original position of each remaining row.
    let mut places: Vec<usize> = (0..study.rows.len().max(study.comparisons.len())).collect();
    let mut next = Some(first);
    while let Some(mut problem) = next.take() {
        let pointer = problem.pointer.clone().unwrap_or_default();
        let mut steps = pointer.splitn(4, '/').skip(1);
        let list = steps.next().unwrap_or_default();
        let row = steps.next().and_then(|row| row.parse::<usize>().ok()).filter(|row| *row < places.len());
        let Some(row) = row.filter(|_| ["rows", "comparisons"].contains(&list)) else {
            faults.add(problem);
            break;
        };
        let field = steps.next().map_or_else(String::new, |field| format!("/{field}"));
        problem.pointer = Some(format!("/{list}/{}{field}", places.remove(row)));
        faults.add(problem);
        if list == "rows" {
            study.rows.remove(row);
        } else {
            study.comparisons.remove(row);
        }
        if !faults.is_full() {
            next = ranking::provisional(&study).err();
        }
    }
    faults.or(()).err().unwrap_or_default()
}

/// The lowest and the highest score; `None` without scores.
fn extent(study: &Study) -> Option<[f64; 2]> {
    let scores = || study.rows.iter().map(|row| row.score);
    Some([scores().reduce(f64::min)?, scores().reduce(f64::max)?])
}

/// The scale that was probably used, judged by common ones.
fn usual([min, max]: [f64; 2]) -> String {
    let most = [1.0, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0, 100.0, 1000.0].into_iter().find(|most| max <= *most);
    let least = if min < 0.0 {
        min.floor()
    } else if min >= 1.0 && max <= 10.0 {
        1.0
    } else {
        0.0
    };
    format!("{least}-{}", most.unwrap_or_else(|| max.ceil()))
}

/// One problem for all scores, if most exceed a scale that was only assumed.
fn off_scale(study: &Study) -> Option<Problem> {
    let off = |row: &&ranking::ScoreRow| !(0.0..=SCALE).contains(&row.score);
    let count = study.rows.iter().filter(off).count();
    let first = study.rows.iter().position(|row| off(&row))?;
    (count * 2 > study.rows.len()).then(|| {
        let message = format!("{count} of {} scores are not on the scale of 0–{SCALE}.", study.rows.len());
        Problem::new(RankingCode::OutOfBounds, message)
            .at(format!("/rows/{first}/score"))
            .found(study.rows[first].score.to_string())
            .allowed(format!("0 to {SCALE}, unless --scale names another scale"))
            .next(format!(
                "Name the scale that was used, such as --scale {}.",
                usual(extent(study).unwrap_or_default())
            ))
    })
}

/// The note on a table's scale: that another than 0–10 was given, or that another seems to have been used.
fn scale_note(study: &Study, bounds: Bounds<'_>) -> Option<String> {
    let [min, max] = extent(study)?;
    match bounds {
        Bounds::Rubric(_) => None,
        Bounds::Said([from, to]) => (from != 0.0 || (to - SCALE).abs() > 0.0).then(|| {
            format!(
                "Scores from {from} to {to} are shown on the common scale of 0–{SCALE}: {from} is 0, and {to} is {SCALE}."
            )
        }),
        Bounds::Supposed => {
            let whole = study.rows.iter().all(|row| row.score.fract() == 0.0);
            let seven = whole && min.total_cmp(&1.0).is_eq() && max.total_cmp(&7.0).is_eq();
            (max <= SCALE / 2.0 || seven).then(|| {
                format!(
                    "No score in this table is above {max}, but it was ranked on a scale of 0–{SCALE}. The \
                     verdict depends on the scale: if another one was used, add --scale {}.",
                    usual([min, max])
                )
            })
        }
    }
}

/// Whether a table consists of rows as JSON; otherwise it is CSV.
fn is_json(table: &NamedText) -> bool {
    table.text.trim_start_matches('\u{feff}').trim_start().starts_with('[')
}

/// The rows of a JSON array.
fn rows(table: &NamedText) -> Result<Rows, Problem> {
    let text = table.text.trim_start_matches('\u{feff}');
    let wrong = |error: serde_json::Error| {
        table.unreadable(CliCode::RankRows, &error).allowed(
            "objects with design, reviewer, repeat, dimension, score and optionally author, or with \
             reviewer, repeat, first, second and verdict",
        )
    };
    if text.contains("\"verdict\"") {
        return kernel::json::read(text).map(Rows::Verdicts).map_err(wrong);
    }
    let rows = kernel::json::read(text).map_err(wrong)?;
    if !text.contains("\"author\"") {
        return Ok(Rows::Scores(rows, None));
    }
    let named: Vec<Named> = kernel::json::read(text).map_err(wrong)?;
    let named = named.into_iter().map(|row| (row.design, row.author.unwrap_or_default()));
    let authors = csv::authors(named)
        .map_err(|(row, problem)| in_json(table, table.place(problem.at(format!("/rows/{row}/author")))))?;
    Ok(Rows::Scores(rows, Some(authors)))
}

/// The design's author in a row of scores.
#[derive(Deserialize)]
struct Named {
    design: DesignId,
    #[serde(default)]
    author: Option<String>,
}

/// A problem with a row, with its place in the array.
fn in_json(table: &NamedText, mut problem: Problem) -> Problem {
    let row = |pointer: &String| {
        pointer.strip_prefix("/rows").or_else(|| pointer.strip_prefix("/comparisons")).map(str::to_owned)
    };
    if let Some(pointer) = problem.pointer.as_ref().and_then(row) {
        if let Some(place) = Document::parse(DocumentKind::Json, &table.text)
            .ok()
            .and_then(|document| document.position(&pointer, false))
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
    use crate::shared::CsvCode;

    fn table(text: &str) -> RankInput {
        let table = NamedText { name: "scores.csv".into(), text: text.into() };
        RankInput { table: Some(table), ..RankInput::default() }
    }

    const CSV: &str = "design,reviewer,repeat,dimension,score\na,ann,1,clarity,8\nb,ann,1,clarity,5\na,bob,1,clarity,9\nb,bob,1,clarity,6\n";

    #[test]
    fn a_rubric_says_what_scores_go_from_and_to_and_how_much_they_weigh() {
        let rubric = |text: &str| {
            let file = NamedText { name: "rubric.jsonc".into(), text: text.into() };
            rank(&RankInput { rubric: Some(file), ..table(CSV) })
        };
        let fine = r#"{ "scoring_criteria": { "dimensions": [ // ours
            { "name": "clarity", "description": "How clear it is.", "min": 0, "max": 20 } ] } }"#;
        let ranked = rubric(fine).unwrap();
        assert_eq!(ranked.ranking.rankings[0].average_score, Some(4.25), "8.5 of 20");
        assert!(ranked.notes.is_empty(), "{:?}", ranked.notes);
        for (text, code, line) in [
            ("{}", "config.no-rubric", None),
            (&fine.replace("\"max\": 20", "\"max\": 0"), "config.empty-range", Some(2)),
            (&fine.replace("clarity", "beauty"), "ranking.unknown-dimension", Some(2)),
        ] {
            let problem = rubric(text).unwrap_err().remove(0);
            assert_eq!((problem.code.as_str(), problem.line), (code, line), "{problem:?}");
        }
        let both = RankInput { scale: Some("1-5".into()), rubric: table(fine).table, ..table(CSV) };
        assert_eq!(rank(&both).unwrap_err()[0].code, "rank.scale-known");
    }

    #[test]
    fn an_author_by_another_name_than_the_designs_is_known() {
        let csv = "design,author,reviewer,dimension,score\na,ann,ann,clarity,9\nb,bob,ann,clarity,5\na,ann,bob,clarity,4\nb,bob,bob,clarity,8\n";
        let json = r#"[
            {"design": "a", "author": "ann", "reviewer": "ann", "dimension": "clarity", "score": 9},
            {"design": "b", "author": "bob", "reviewer": "ann", "dimension": "clarity", "score": 5},
            {"design": "a", "author": "ann", "reviewer": "bob", "dimension": "clarity", "score": 4},
            {"design": "b", "reviewer": "bob", "dimension": "clarity", "score": 8, "author": null}
        ]"#;
        let ranking = rank(&table(csv)).unwrap().ranking;
        assert_eq!(ranking.metadata.self_reviews_excluded, 2);
        assert_eq!(ranking, rank(&table(json)).unwrap().ranking);
        let torn = json.replacen(
            "\"author\": \"ann\", \"reviewer\": \"bob\"",
            "\"author\": \"eve\", \"reviewer\": \"bob\"",
            1,
        );
        let problem = rank(&table(&torn)).unwrap_err().remove(0);
        assert_eq!((problem.code.as_str(), problem.line), ("csv.field", Some(4)));
    }

    #[test]
    fn csv_and_json_rows_give_the_same_ranking() {
        let json = r#"[
            {"design": "a", "reviewer": "ann", "repeat": 1, "dimension": "clarity", "score": 8},
            {"design": "b", "reviewer": "ann", "repeat": 1, "dimension": "clarity", "score": 5},
            {"design": "a", "reviewer": "bob", "repeat": 1, "dimension": "clarity", "score": 9},
            {"design": "b", "reviewer": "bob", "repeat": 1, "dimension": "clarity", "score": 6}
        ]"#;
        let ranking = rank(&table(CSV)).unwrap().ranking;
        assert_eq!(ranking, rank(&table(json)).unwrap().ranking);
        let once = json.replace("\"repeat\": 1, ", "");
        assert_eq!(ranking, rank(&table(&once)).unwrap().ranking);
        assert_eq!(ranking.rankings[0].design_id, "a");
        assert_eq!(ranking.metadata.total_reviewers, 2);
    }

    #[test]
    fn problems_say_where() {
        let place = |text: &str| {
            let problem = rank(&table(text)).unwrap_err().remove(0);
            (problem.code, problem.file, problem.line)
        };
        let file = Some("scores.csv".to_owned());
        assert_eq!(place("design,reviewer\n"), (CsvCode::Header.into(), file.clone(), Some(1)));
        assert_eq!(place(&CSV.replace('9', "nine")), (CsvCode::Field.into(), file.clone(), Some(4)));
        assert_eq!(place("[{\"design\": \"a\"}]"), (CliCode::RankRows.into(), file.clone(), Some(1)));
        let twice = format!("{CSV}a,ann,1,clarity,8\n");
        assert_eq!(place(&twice), (RankingCode::DuplicateRow.into(), file.clone(), Some(6)));
        assert_eq!(place(&CSV.replace('9', "11")), (RankingCode::OutOfBounds.into(), file.clone(), Some(4)));
        let row = r#"{"design": "a", "reviewer": "ann", "repeat": 1, "dimension": "clarity", "score": 8}"#;
        let twice = format!("[\n{row},\n{row}\n]");
        assert_eq!(place(&twice), (RankingCode::DuplicateRow.into(), file, Some(3)));
        assert_eq!(rank(&RankInput::default()).unwrap_err()[0].code, "rank.nothing");
    }

    #[test]
    fn a_rubric_sets_the_bounds() {
        let mut config = Config {
            ..crate::design_lab::config::load(
                &[crate::design_lab::config::Source {
                    origin: crate::design_lab::config::Layer::Project,
                    file: "c.json".into(),
                    text: r#"{"design_models": ["x/a", "x/b"], "scoring_criteria": {"dimensions": [{"name": "clarity", "description": "d", "max": 100}]}}"#.into(),
                }],
                &[],
                &crate::design_lab::config::AvailableModels::default(),
            )
            .unwrap()
            .config
        };
        config.seed = Some(7);
        let mut given = table(&CSV.replace('8', "80"));
        assert_eq!(
            rank(&given).unwrap_err()[0].code,
            "ranking.out-of-bounds",
            "without a rubric scores go to 10"
        );
        given.config =
            Some(NamedText { name: "config.json".into(), text: serde_json::to_string(&config).unwrap() });
        assert_eq!(rank(&given).unwrap().ranking.metadata.seed, 7);
    }

    #[test]
    fn every_row_that_is_wrong_is_reported_at_once_and_where_it_stands() {
        let text =
            format!("{CSV}a,ann,1,clarity,8\na,cid,1,clarity,11\nb,cid,1,clarity,-1\nb,bob,1,clarity,6\n");
        let reported: Vec<_> = rank(&table(&text))
            .unwrap_err()
            .into_iter()
            .map(|problem| (problem.code.to_string(), problem.line.unwrap(), problem.column.unwrap()))
            .collect();
        let (twice, off) = ("ranking.duplicate-row".to_owned(), "ranking.out-of-bounds".to_owned());
        assert_eq!(reported, [(off.clone(), 7, 17), (off, 8, 17), (twice.clone(), 6, 1), (twice, 9, 1)]);
        let verdicts = "reviewer,first,second,verdict\nr,a,a,tie\nr,a,b,tie\nr,b,b,tie\n";
        let lines: Vec<_> = rank(&table(verdicts)).unwrap_err().iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [Some(2), Some(4)]);
    }

    #[test]
    fn a_scale_that_is_not_0_to_10_is_asked_about_and_can_be_said() {
        let low = CSV.replace('8', "5").replace('9', "4").replace('6', "1");
        let asked = |text: &str, scale: Option<&str>| {
            rank(&RankInput { scale: scale.map(str::to_owned), ..table(text) })
        };
        let said = asked(&low, None).unwrap();
        assert_eq!(
            said.notes,
            ["No score in this table is above 5, but it was ranked on a scale of 0–10. The verdict \
                 depends on the scale: if another one was used, add --scale 1-5."]
        );
        let scaled = asked(&low, Some("1-5")).unwrap();
        assert_eq!(
            scaled.notes,
            ["Scores from 1 to 5 are shown on the common scale of 0–10: 1 is 0, and 5 is 10."]
        );
        assert_ne!(scaled.ranking.rankings[0].average_score, said.ranking.rankings[0].average_score);
        assert!(asked(CSV, None).unwrap().notes.is_empty());
        assert!(asked(CSV, Some("0-10")).unwrap().notes.is_empty());
        assert_eq!(asked(CSV, Some("-5 - 15")).unwrap().ranking.rankings[0].average_score, Some(6.75));

        let percent = CSV.replace(",8", ",80").replace(",5", ",55").replace(",9", ",95");
        let problems = asked(&percent, None).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].message, "3 of 4 scores are not on the scale of 0–10.");
        assert_eq!(problems[0].next.as_deref(), Some("Name the scale that was used, such as --scale 0-100."));
        assert!(asked(&percent, Some("0-100")).is_ok());
        for wrong in ["", "5", "5-1", "a-b", "1-1", "0-"] {
            assert_eq!(asked(CSV, Some(wrong)).unwrap_err()[0].code, "rank.scale", "{wrong}");
        }
        let journal = Some(NamedText::default());
        let run = RankInput { journal, scale: Some("1-5".into()), ..RankInput::default() };
        assert_eq!(rank(&run).unwrap_err()[0].code, "rank.scale-known");
    }
}
