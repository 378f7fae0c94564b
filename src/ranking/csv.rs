//! Scores and verdicts as CSV (RFC 4180): what a run writes, and what a spreadsheet or a person hands in.
//!
//! | kind | columns |
//! |---|---|
//! | scores | `design,reviewer,repeat,dimension,score` |
//! | verdicts | `reviewer,repeat,first,second,verdict` (`first`, `second` or `tie`) |
//!
//! Reading: the header decides the kind and the order of the columns. Fields may be quoted, quotes are doubled, lines end in CRLF or LF, a
//! byte order mark and empty lines are skipped. Every error gives line and column.
//!
//! Writing: lines end in CRLF. A name that a spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@`, tab or carriage
//! return) is written after a single quote, `'=…`, and so is one that starts with such a quote itself; reading takes one such
//! quote off again, so that every name comes back as it was.

use super::study::{Comparison, Context, DesignFacts, Options, Preferred, ReviewerFacts, ScoreRow, Study};
use super::table::SCALE;
use crate::config::{Dimension, ReviewMode};
use crate::delimited::{Field, records, shortened};
use crate::error::Problem;
use std::collections::BTreeSet;
use std::fmt::Write;

const SCORES: [&str; 5] = ["design", "reviewer", "repeat", "dimension", "score"];
const VERDICTS: [&str; 5] = ["reviewer", "repeat", "first", "second", "verdict"];

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Rows {
    /// Scores.
    Scores(Vec<ScoreRow>),
    /// Verdicts on pairs.
    Verdicts(Vec<Comparison>),
}

/// Reads either kind of file.
///
/// Problems: `csv.header`, `csv.field` (a missing, surplus or unreadable field), `csv.quote`, `csv.empty`.
pub fn read(text: &str) -> Result<Rows, Problem> {
    let table = Records::of(text)?;
    Ok(match table.mode {
        ReviewMode::Scores => Rows::Scores(table.scores()?),
        ReviewMode::Pairwise => Rows::Verdicts(table.verdicts()?),
    })
}

/// A problem that [`rank`](super::rank) found in a study of these rows, with the line and column of the row or field that its
/// pointer (`/rows/3/score`) means. Problems elsewhere stay as they are.
pub fn locate(text: &str, mut problem: Problem) -> Problem {
    let Ok(table) = Records::of(text) else { return problem };
    let names = table.names();
    let field = problem.pointer.as_deref().and_then(|pointer| {
        let mut steps = pointer.split('/').skip(1);
        let list = steps.next()?;
        let record = table.rows.get(steps.next()?.parse::<usize>().ok()?)?;
        match (list, steps.next()) {
            ("rows" | "comparisons", Some(name)) => {
                let column = names.iter().position(|known| *known == name)?;
                record.get(table.columns[column])
            }
            ("rows" | "comparisons", None) => record.first(),
            _ => None,
        }
    });
    if let Some(field) = field {
        let (line, column) = field.position();
        (problem.line, problem.column, problem.pointer) = (Some(line), Some(column), None);
    }
    problem
}

impl Rows {
    /// A study of these rows. Designs, reviewers and dimensions are those that occur, in the order of their first row.
    ///
    /// Without `dimensions` every dimension counts alike, from 0 to 10. A design and a reviewer of the same id are taken for the
    /// same model, as in a run's own files; the order shown is unknown.
    pub fn study(self, dimensions: Option<&[Dimension]>, options: Options) -> Study {
        let (mode, rows, comparisons) = match self {
            Self::Scores(rows) => (ReviewMode::Scores, rows, Vec::new()),
            Self::Verdicts(comparisons) => (ReviewMode::Pairwise, Vec::new(), comparisons),
        };
        let scored = rows.iter().map(|row| row.design.as_str());
        let compared = comparisons.iter().flat_map(|row| [row.first.as_str(), &row.second]);
        let designs = occurring(scored.chain(compared));
        let scorers = rows.iter().map(|row| row.reviewer.as_str());
        let reviewers = occurring(scorers.chain(comparisons.iter().map(|row| row.reviewer.as_str())));
        let model = |id: &str| Some(id.to_owned());
        Study {
            mode,
            designs: designs
                .iter()
                .map(|id| DesignFacts { id: (*id).to_owned(), model: model(id), ..DesignFacts::default() })
                .collect(),
            reviewers: reviewers
                .iter()
                .map(|id| ReviewerFacts { id: (*id).to_owned(), model: model(id) })
                .collect(),
            dimensions: dimensions.map_or_else(
                || {
                    let names = occurring(rows.iter().map(|row| row.dimension.as_str()));
                    names.into_iter().map(default_dimension).collect()
                },
                <[Dimension]>::to_vec,
            ),
            rows,
            shown: Vec::new(),
            comparisons,
            contrasts: Vec::new(),
            options,
            context: Context::default(),
        }
    }
}

/// Writes `design,reviewer,repeat,dimension,score`.
pub fn write_scores(rows: &[ScoreRow]) -> String {
    let mut text = format!("{}\r\n", SCORES.join(","));
    for row in rows {
        let (design, reviewer, dimension) = (name(&row.design), name(&row.reviewer), name(&row.dimension));
        let _ = write!(text, "{design},{reviewer},{},{dimension},{}\r\n", row.repeat, row.score);
    }
    text
}

/// Writes `reviewer,repeat,first,second,verdict`.
pub fn write_verdicts(comparisons: &[Comparison]) -> String {
    let mut text = format!("{}\r\n", VERDICTS.join(","));
    for comparison in comparisons {
        let verdict = match comparison.verdict {
            Preferred::First => "first",
            Preferred::Second => "second",
            Preferred::Tie => "tie",
        };
        let (first, second) = (name(&comparison.first), name(&comparison.second));
        let _ = write!(
            text,
            "{},{},{first},{second},{verdict}\r\n",
            name(&comparison.reviewer),
            comparison.repeat
        );
    }
    text
}

/// A name as a field: harmless to spreadsheets, quoted where it must be.
fn name(text: &str) -> String {
    let guarded = if text.starts_with(GUARDED) { format!("'{text}") } else { text.to_owned() };
    if guarded.contains([',', '"', '\r', '\n']) || guarded != guarded.trim() {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}

/// What a spreadsheet runs as a formula, and the quote that keeps it from doing so.
const GUARDED: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\''];

/// Takes off the quote that [`name`] put before a text; a quote before anything else belongs to the text.
fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| rest.starts_with(GUARDED)).unwrap_or(text)
}

/// The records below the header.
struct Records<'a> {
    mode: ReviewMode,
    /// Where each column of the kind's own header stands in a record.
    columns: [usize; 5],
    /// Five fields each.
    rows: Vec<Vec<Field<'a>>>,
}

impl<'a> Records<'a> {
    fn of(text: &'a str) -> Result<Self, Problem> {
        let mut records = records(text, ',')?;
        if records.is_empty() {
            return Err(Problem::new("csv.empty", "The file is empty.")
                .allowed(SCORES.join(","))
                .next("Add the header and the scores."));
        }
        let header = records.remove(0);
        let names: Vec<String> = header.iter().map(|field| field.text.trim().to_ascii_lowercase()).collect();
        let columns = |wanted: [&str; 5]| {
            let found = wanted.map(|column| names.iter().position(|name| name == column));
            let all = found.iter().all(Option::is_some) && names.len() == wanted.len();
            all.then(|| found.map(Option::unwrap_or_default))
        };
        let (mode, columns) = match (columns(SCORES), columns(VERDICTS)) {
            (Some(columns), _) => (ReviewMode::Scores, columns),
            (None, Some(columns)) => (ReviewMode::Pairwise, columns),
            (None, None) => return Err(header_problem(&names.join(","))),
        };
        if let Some(record) = records.iter().find(|record| record.len() != columns.len()) {
            let mut problem = Problem::new("csv.field", "A row has not as many fields as the header.")
                .found(format!("{} fields", record.len()))
                .allowed("5 fields")
                .next("Correct the row; quote a field that holds a comma.");
            problem.line = record.first().map(|field| field.position().0);
            problem.column = Some(1);
            return Err(problem);
        }
        Ok(Self { mode, columns, rows: records })
    }

    /// The columns of the kind's own header.
    fn names(&self) -> [&'static str; 5] {
        match self.mode {
            ReviewMode::Scores => SCORES,
            ReviewMode::Pairwise => VERDICTS,
        }
    }

    /// The fields of each record, in the order of the kind's own header.
    fn fields(&self) -> impl Iterator<Item = [&Field<'a>; 5]> {
        self.rows.iter().map(|record| self.columns.map(|column| &record[column]))
    }

    fn scores(&self) -> Result<Vec<ScoreRow>, Problem> {
        self.fields()
            .map(|[design, reviewer, repeat, dimension, score]| {
                Ok(ScoreRow {
                    design: design.name()?,
                    reviewer: reviewer.name()?,
                    repeat: repeat.repeat()?,
                    dimension: dimension.name()?,
                    score: score.score()?,
                })
            })
            .collect()
    }

    fn verdicts(&self) -> Result<Vec<Comparison>, Problem> {
        self.fields()
            .map(|[reviewer, repeat, first, second, verdict]| {
                Ok(Comparison {
                    reviewer: reviewer.name()?,
                    repeat: repeat.repeat()?,
                    first: first.name()?,
                    second: second.name()?,
                    verdict: verdict.verdict()?,
                })
            })
            .collect()
    }
}

impl Field<'_> {
    fn name(&self) -> Result<String, Problem> {
        let name = unguarded(&self.text);
        if name.is_empty() { Err(self.problem("A name is missing.", "a name")) } else { Ok(name.to_owned()) }
    }

    fn repeat(&self) -> Result<u32, Problem> {
        let repeat = self.text.trim().parse().ok().filter(|&repeat| repeat > 0);
        repeat.ok_or_else(|| self.problem("A repeat is not a number.", "a whole number from 1"))
    }

    fn score(&self) -> Result<f64, Problem> {
        let score = self.text.trim().parse().ok().filter(|score: &f64| score.is_finite());
        score.ok_or_else(|| {
            self.problem("A score is not a number.", "a number, with a point before its decimals")
        })
    }

    fn verdict(&self) -> Result<Preferred, Problem> {
        match self.text.trim() {
            "first" => Ok(Preferred::First),
            "second" => Ok(Preferred::Second),
            "tie" => Ok(Preferred::Tie),
            _ => Err(self.problem("A verdict is not one of those known.", "first, second or tie")),
        }
    }

    fn problem(&self, message: &str, allowed: &str) -> Problem {
        self.place(Problem::new("csv.field", message).allowed(allowed).next("Correct the field."))
    }
}

/// Each name once, in the order of its first occurrence.
fn occurring<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (mut known, mut order) = (BTreeSet::new(), Vec::new());
    for name in names {
        // The rows of one design mostly stand together.
        if order.last() != Some(&name) && known.insert(name) {
            order.push(name);
        }
    }
    order
}

fn default_dimension(name: &str) -> Dimension {
    Dimension {
        name: name.to_owned(),
        description: String::new(),
        min: 0.0,
        max: SCALE,
        weight: 1.0,
        anchors: std::collections::BTreeMap::new(),
    }
}

fn header_problem(found: &str) -> Problem {
    let mut problem = Problem::new("csv.header", "The first line does not name the columns that are needed.")
        .found(shortened(found))
        .allowed(format!("{} for scores, or {} for comparisons", SCORES.join(","), VERDICTS.join(",")))
        .next("Put one of the two headers on the first line.");
    problem.line = Some(1);
    problem.column = Some(1);
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPTIONS: Options = Options { exclude_self: true, exclude_family: false, seed: 1 };

    fn study(text: &str) -> Result<Study, Problem> {
        Ok(read(text)?.study(None, OPTIONS))
    }

    fn scores(text: &str) -> Vec<ScoreRow> {
        match read(text) {
            Ok(Rows::Scores(rows)) => rows,
            other => panic!("{other:?}"),
        }
    }

    fn row(design: &str) -> ScoreRow {
        let [design, reviewer, dimension] = [design, "r", "q"].map(str::to_owned);
        ScoreRow { design, reviewer, repeat: 1, dimension, score: 1.0 }
    }

    #[test]
    fn reads_what_spreadsheets_write() {
        let text = "\u{feff}Score,design,reviewer,repeat,dimension\r\n7.5,\"a, \"\"b\"\"\",r,1,clarity\r\n\r\n8, c ,r,2,clarity";
        let rows = scores(text);
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].design.as_str(), rows[0].score), ("a, \"b\"", 7.5));
        assert_eq!((rows[1].design.as_str(), rows[1].repeat), (" c ", 2));
    }

    #[test]
    fn errors_say_where() {
        let cases = [
            ("", "csv.empty", None),
            ("design,score\na,1", "csv.header", Some((1, 1))),
            ("design,reviewer,repeat,dimension,score\na,r,1,q,high", "csv.field", Some((2, 9))),
            ("design,reviewer,repeat,dimension,score\n\"a\nb\",r,0,q,1", "csv.field", Some((3, 6))),
            ("design,reviewer,repeat,dimension,score\na,r,1,q,NaN", "csv.field", Some((2, 9))),
            ("design,reviewer,repeat,dimension,score\na,r,1,q,1e999", "csv.field", Some((2, 9))),
            ("design,reviewer,repeat,dimension,score\na,r,1,q", "csv.field", Some((2, 1))),
            ("design,reviewer,repeat,dimension,score\na,r,1,q,1,2", "csv.field", Some((2, 1))),
            ("design,reviewer,repeat,dimension,score\n,r,1,q,1", "csv.field", Some((2, 1))),
            ("design,reviewer,repeat,dimension,score\na,\"r,1,q,1", "csv.quote", Some((2, 3))),
            ("design,reviewer,repeat,dimension,score\n\"a\"b,r,1,q,1", "csv.quote", Some((2, 4))),
            ("reviewer,repeat,first,second,verdict\nr,1,a,b,left", "csv.field", Some((2, 9))),
        ];
        for (text, code, place) in cases {
            let problem = study(text).unwrap_err();
            assert_eq!(problem.code, code, "{text}");
            assert_eq!(problem.line.zip(problem.column), place, "{text}");
        }
    }

    #[test]
    fn what_ranking_finds_is_found_in_the_file() {
        let scores = "design,reviewer,repeat,dimension,score\n";
        let verdicts = "verdict,reviewer,repeat,first,second\n";
        let cases = [
            (format!("{scores}a,r,1,q,10.5"), "ranking.out-of-bounds", (2, 9)),
            (
                format!("{scores}\"a\nb\",r,1,q,5\n\nb,r,1,q,5\n\"a\nb\",r,1,q,6"),
                "ranking.duplicate-row",
                (6, 1),
            ),
            (
                "score,dimension,design,reviewer,repeat\n5,q,a,r,1\n-1,q,b,r,1".to_owned(),
                "ranking.out-of-bounds",
                (3, 1),
            ),
            (format!("{verdicts}tie,r,1,a,b\ntie,r,1,a,b"), "ranking.duplicate-row", (3, 1)),
            (format!("{verdicts}tie,r,1,a,a"), "ranking.self-comparison", (2, 11)),
        ];
        for (text, code, place) in cases {
            let problem = locate(&text, crate::ranking::rank(&study(&text).unwrap()).unwrap_err());
            assert_eq!(
                (problem.code.as_str(), problem.line.zip(problem.column)),
                (code, Some(place)),
                "{text}"
            );
            assert_eq!(problem.pointer, None);
        }
    }

    #[test]
    fn a_study_takes_its_names_from_the_rows() {
        let study = study("design,reviewer,repeat,dimension,score\nb,a,1,q,3\na,a,1,q,4\n").unwrap();
        assert_eq!(study.designs.iter().map(|design| design.id.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(study.designs[1].model, study.reviewers[0].model, "the same id is the same model");
        assert_eq!(study.dimensions.len(), 1);
    }

    #[test]
    fn formulas_are_made_harmless() {
        let text = write_scores(&[row("=HYPERLINK(\"x\")"), row("'quoted"), row("plain")]);
        insta::assert_snapshot!(text.replace("\r\n", "\n"), @r#"
        design,reviewer,repeat,dimension,score
        "'=HYPERLINK(""x"")",r,1,q,1
        ''quoted,r,1,q,1
        plain,r,1,q,1
        "#);
    }

    proptest! {
        #[test]
        fn scores_come_back_as_they_were(
            rows in prop::collection::vec(
                ("[ -~\u{e9}\u{1f600}\t\r\n]{1,8}", "[='@+\"a,-]{1,4}", 1u32.., "\\PC{1,5}", -1e300..1e300),
                0..6,
            ),
        ) {
            let rows: Vec<ScoreRow> = rows
                .into_iter()
                .map(|(design, reviewer, repeat, dimension, score)| ScoreRow { design, reviewer, repeat, dimension, score })
                .collect();
            let text = write_scores(&rows);
            prop_assert_eq!(read(&text).unwrap(), Rows::Scores(rows));
        }

        #[test]
        fn verdicts_come_back_as_they_were(
            rows in prop::collection::vec(("[='@+\"a,-]{1,4}", 1u32.., "\\PC{1,5}", "\\PC{1,5}", 0usize..3), 0..6),
        ) {
            let rows: Vec<Comparison> = rows
                .into_iter()
                .map(|(reviewer, repeat, first, second, verdict)| Comparison {
                    reviewer,
                    repeat,
                    first,
                    second,
                    verdict: [Preferred::First, Preferred::Second, Preferred::Tie][verdict],
                })
                .collect();
            prop_assert_eq!(read(&write_verdicts(&rows)).unwrap(), Rows::Verdicts(rows));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a-z,\"\r\n=0-9.]{0,60}") {
            if let Err(problem) = study(&text) {
                prop_assert!(problem.code.starts_with("csv."));
            }
        }
    }
}
