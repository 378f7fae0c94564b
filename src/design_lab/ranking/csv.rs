//! Scores and verdicts as CSV (RFC 4180): files that a run writes, and files from a spreadsheet or a person.
//!
//! | kind | columns |
//! |---|---|
//! | scores | `design,reviewer,repeat,dimension,score`, and optionally `author` |
//! | verdicts | `reviewer,repeat,first,second,verdict` (`first`, `second` or `tie`) |
//!
//! Reading: the header determines the kind, the order of the columns and the separator of fields: commas, semicolons or
//! tabs. `repeat` may be left out and is then 1. `author` names the author of a design, with the same names as
//! reviewers. A score may have a decimal comma if it is unambiguous: in quotes, or between other separators. Fields may
//! be quoted, quotes are doubled, lines end in CRLF, LF or CR; a byte order mark, empty lines and the empty fields that
//! spreadsheets append to a row are skipped. All bad cells are reported at once, each with line and column.
//!
//! Writing: lines end in CRLF. A name that a spreadsheet would run as a formula (it starts with `=`, `+`, `-`, `@`, tab
//! or carriage return) is written after a single quote, `'=…`, and so is one that starts with such a quote itself;
//! reading removes one such quote, so that every name is read back unchanged.

use super::study::{Comparison, Context, DesignFacts, Options, ReviewerFacts, ScoreRow, Study};
use crate::design_lab::artefacts::Preferred;
use crate::design_lab::config::{Dimension, ReviewMode};
use crate::design_lab::ids::{DesignId, ReviewerId};
use crate::shared::delimited::CsvCode;
use crate::shared::delimited::{Faults, Field, delimiter, lines_of, number, records, shortened};
use kernel::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const SCORES: [&str; 5] = ["design", "reviewer", "repeat", "dimension", "score"];
const REPEAT: &str = "repeat";
/// The author of a design: in files from other sources.
const AUTHOR: &str = "author";
const VERDICTS: [&str; 5] = ["reviewer", "repeat", "first", "second", "verdict"];

/// The contents of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Rows {
    /// Scores, and the author of each design if the file names them.
    Scores(Vec<ScoreRow>, Option<Authors>),
    /// Verdicts on pairs.
    Verdicts(Vec<Comparison>),
}

/// The author of each design, with the same names as reviewers; a design without an entry has none of the reviewers as
/// its author.
pub type Authors = BTreeMap<DesignId, String>;

/// Returns the authors that rows name, where an empty name means none; or the first row that contradicts an earlier
/// one, and the problem.
pub fn authors(rows: impl Iterator<Item = (DesignId, String)>) -> Result<Authors, (usize, Problem)> {
    let mut authors = Authors::new();
    for (row, (design, author)) in rows.enumerate().filter(|(_, (_, author))| !author.is_empty()) {
        match authors.get(&design) {
            Some(known) if *known != author => {
                let message = format!("A row above names {known} as the author of {design}.");
                let problem = Problem::new(CsvCode::Field, message).found(shortened(&author));
                return Err((row, problem.allowed(known.clone()).next("Correct one of the two.")));
            }
            Some(_) => {}
            None => {
                authors.insert(design, author);
            }
        }
    }
    Ok(authors)
}

/// Reads either kind of file.
///
/// Problems: `csv.header`, `csv.field` (a missing, surplus or unreadable field), `csv.quote`, `csv.empty`, `csv.encoding`, `csv.more`.
pub fn read(text: &str) -> Result<Rows, Vec<Problem>> {
    let text = lines_of(text, "table").map_err(|problem| vec![problem])?;
    let table = Records::of(&text).map_err(|problem| vec![problem])?;
    match table.mode {
        ReviewMode::Scores => {
            let rows: Vec<ScoreRow> = table.read()?;
            let authors = table.authors(&rows).map_err(|problem| vec![problem])?;
            Ok(Rows::Scores(rows, authors))
        }
        ReviewMode::Pairwise => table.read().map(Rows::Verdicts),
    }
}

/// Returns a problem that [`rank`](super::rank) found in a study of these rows, with the line and column of the row or
/// field that its pointer (`/rows/3/score`) refers to. Other problems are returned unchanged.
pub fn locate(text: &str, mut problem: Problem) -> Problem {
    let Ok(text) = lines_of(text, "table") else { return problem };
    let Ok(table) = Records::of(&text) else { return problem };
    let names = table.names();
    let field = problem.pointer.as_deref().and_then(|pointer| {
        let mut steps = pointer.split('/').skip(1);
        let list = steps.next()?;
        let record = table.rows.get(steps.next()?.parse::<usize>().ok()?)?;
        match (list, steps.next()) {
            ("rows" | "comparisons", Some(name)) => {
                let column = names.iter().position(|known| *known == name)?;
                record.get(table.columns[column]?)
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
    /// Returns a study of these rows. Designs, reviewers and dimensions are those that occur, in the order of their
    /// first row.
    ///
    /// Without `dimensions`, all dimensions have the same weight, from 0 to 10. If no authors are named, a design and a
    /// reviewer with the same id are considered the same model, as in a run's own files; the order shown is unknown.
    pub fn study(self, dimensions: Option<&[Dimension]>, options: Options) -> Study {
        let (mode, rows, comparisons, authors) = match self {
            Self::Scores(rows, authors) => (ReviewMode::Scores, rows, Vec::new(), authors),
            Self::Verdicts(comparisons) => (ReviewMode::Pairwise, Vec::new(), comparisons, None),
        };
        let scored = rows.iter().map(|row| row.design.as_str());
        let compared = comparisons.iter().flat_map(|row| [row.first.as_str(), row.second.as_str()]);
        let designs = occurring(scored.chain(compared));
        let scorers = rows.iter().map(|row| row.reviewer.as_str());
        let reviewers = occurring(scorers.chain(comparisons.iter().map(|row| row.reviewer.as_str())));
        let author = |id: &DesignId| match &authors {
            Some(authors) => authors.get(id).cloned(),
            None => Some(id.to_string()),
        };
        Study {
            mode,
            designs: designs
                .iter()
                .map(|id| DesignId::new(*id))
                .map(|id| DesignFacts { model: author(&id), id, ..DesignFacts::default() })
                .collect(),
            reviewers: reviewers
                .iter()
                .map(|id| ReviewerFacts { id: ReviewerId::new(*id), model: Some((*id).to_owned()) })
                .collect(),
            dimensions: dimensions.map_or_else(
                || {
                    let names = occurring(rows.iter().map(|row| row.dimension.as_str()));
                    names.into_iter().map(Dimension::new).collect()
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

/// Formats a name as a field: harmless to spreadsheets, quoted if necessary.
fn name(text: &str) -> String {
    let guarded = if text.starts_with(GUARDED) { format!("'{text}") } else { text.to_owned() };
    if guarded.contains([',', '"', '\r', '\n']) || guarded != guarded.trim() {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}

/// The characters that make a spreadsheet run a formula, and the quote that prevents it.
const GUARDED: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\''];

/// Removes the quote that [`name`] put before a text; a quote before anything else belongs to the text.
fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| rest.starts_with(GUARDED)).unwrap_or(text)
}

/// The records below the header.
struct Records<'a> {
    mode: ReviewMode,
    /// The index in a record of each column of the kind's own header; `repeat` may be missing.
    columns: [Option<usize>; 5],
    /// The index of the column with the authors; most files have none.
    author: Option<usize>,
    /// For each column of the file: whether it has a name.
    named: Vec<bool>,
    /// Whether fields are separated by commas.
    commas: bool,
    /// The rows, without those that are completely empty.
    rows: Vec<Vec<Field<'a>>>,
}

impl<'a> Records<'a> {
    fn of(text: &'a str) -> Result<Self, Problem> {
        let separator = delimiter(text);
        let mut records = records(text, separator)?;
        if records.is_empty() {
            return Err(Problem::new(CsvCode::Empty, "The file is empty.")
                .allowed(SCORES.join(","))
                .next("Add the header and the scores."));
        }
        let header = records.remove(0);
        let names: Vec<String> = header.iter().map(|field| field.text.trim().to_ascii_lowercase()).collect();
        let columns = |wanted: [&str; 5]| {
            let found = wanted.map(|column| names.iter().position(|name| name == column));
            let complete = wanted.iter().zip(found).all(|(name, at)| at.is_some() || *name == REPEAT);
            complete.then_some(found)
        };
        let (mode, columns) = match (columns(SCORES), columns(VERDICTS)) {
            (Some(columns), _) => (ReviewMode::Scores, columns),
            (None, Some(columns)) => (ReviewMode::Pairwise, columns),
            (None, None) => return Err(header_problem(&names)),
        };
        let author = names.iter().position(|name| name == AUTHOR).filter(|_| mode == ReviewMode::Scores);
        // Spreadsheets leave columns without a name.
        let surplus = |(index, name): &(usize, &String)| {
            !name.is_empty() && !columns.contains(&Some(*index)) && author != Some(*index)
        };
        if let Some((index, _)) = names.iter().enumerate().find(surplus) {
            let problem = Problem::new(CsvCode::Header, "This column occurs twice, or has no meaning here.");
            return Err(header[index].place(problem.allowed(allowed_headers()).next("Remove the column.")));
        }
        records.retain(|record| record.iter().any(|field| !field.text.trim().is_empty()));
        let has_name = names.iter().map(|name| !name.is_empty()).collect();
        Ok(Self { mode, columns, author, named: has_name, commas: separator == ',', rows: records })
    }

    /// Returns the columns of the kind's own header.
    fn names(&self) -> [&'static str; 5] {
        match self.mode {
            ReviewMode::Scores => SCORES,
            ReviewMode::Pairwise => VERDICTS,
        }
    }

    /// Returns all rows, or all problems in them.
    fn read<T: Row>(&self) -> Result<Vec<T>, Vec<Problem>> {
        let mut faults = Faults::default();
        let mut rows = Vec::with_capacity(self.rows.len());
        for fields in &self.rows {
            if faults.is_full() {
                break;
            }
            if let Some(problem) = self.misshapen(fields) {
                faults.add(problem);
            } else {
                rows.extend(T::of(&mut Record { columns: self.columns, fields, faults: &mut faults }));
            }
        }
        faults.or(rows)
    }

    /// Returns the authors that the rows name; `None` when the file has no column for them.
    fn authors(&self, rows: &[ScoreRow]) -> Result<Option<Authors>, Problem> {
        let Some(column) = self.author else { return Ok(None) };
        let field = |row: usize| self.rows.get(row).and_then(|fields| fields.get(column));
        let name = |row: usize| field(row).map_or("", |field| unguarded(field.text.trim())).to_owned();
        let named = rows.iter().enumerate().map(|(row, scored)| (scored.design.clone(), name(row)));
        authors(named).map(Some).map_err(|(row, problem)| match field(row) {
            Some(field) => {
                let (line, column) = field.position();
                Problem { line: Some(line), column: Some(column), ..problem }
            }
            None => problem,
        })
    }

    /// Returns what is wrong with a row's shape before its fields are read, which would otherwise be mistaken for one
    /// another.
    fn misshapen(&self, fields: &[Field<'_>]) -> Option<Problem> {
        let unnamed = |index: usize| !self.named.get(index).copied().unwrap_or_default();
        let filled = |field: &Field<'_>| !field.text.trim().is_empty();
        if let Some((index, surplus)) =
            fields.iter().enumerate().find(|(index, field)| unnamed(*index) && filled(field))
        {
            let is_number = |field: &Field<'_>| field.text.trim().bytes().all(|byte| byte.is_ascii_digit());
            let score = fields.get(index.wrapping_sub(1)).filter(|score| filled(score) && is_number(score));
            let torn = score.filter(|_| self.commas && is_number(surplus));
            let problem = match torn {
                Some(score) => Problem::new(
                    CsvCode::Field,
                    format!(
                        "This may be the number {0},{1}, split at its decimal comma.",
                        score.text.trim(),
                        surplus.text.trim()
                    ),
                )
                .next(
                    "Write decimals with a point, put the number in quotes, or separate the fields with \
                     semicolons.",
                ),
                None => Problem::new(CsvCode::Field, "A row has more fields than the header.")
                    .next("Correct the row; put a field that contains the separator in quotes."),
            };
            return Some(surplus.place(problem));
        }
        let last = self.columns.iter().flatten().max().copied().unwrap_or_default();
        (fields.len() <= last).then(|| {
            let problem = Problem::new(CsvCode::Field, "A row has fewer fields than the header.")
                .allowed(format!("{} fields", last + 1))
                .next("Correct the row.");
            Problem { found: Some(format!("{} fields", fields.len())), ..fields[0].place(problem) }
        })
    }
}

/// A row while it is being read.
struct Record<'r, 'a> {
    columns: [Option<usize>; 5],
    fields: &'r [Field<'a>],
    faults: &'r mut Faults,
}

/// The type that a row is read into.
trait Row: Sized {
    /// Returns `None` when the row has a problem, which is recorded.
    fn of(record: &mut Record<'_, '_>) -> Option<Self>;
}

impl Row for ScoreRow {
    fn of(record: &mut Record<'_, '_>) -> Option<Self> {
        let (design, reviewer, repeat) = (record.name(0), record.name(1), record.repeat(2));
        let (dimension, score) = (record.name(3), record.number(4));
        Some(Self {
            design: DesignId::new(design?),
            reviewer: ReviewerId::new(reviewer?),
            repeat: repeat?,
            dimension: dimension?,
            score: score?,
        })
    }
}

impl Row for Comparison {
    fn of(record: &mut Record<'_, '_>) -> Option<Self> {
        let (reviewer, repeat, first) = (record.name(0), record.repeat(1), record.name(2));
        let (second, verdict) = (record.name(3), record.preferred(4));
        Some(Self {
            reviewer: ReviewerId::new(reviewer?),
            repeat: repeat?,
            first: DesignId::new(first?),
            second: DesignId::new(second?),
            verdict: verdict?,
        })
    }
}

impl<'r, 'a> Record<'r, 'a> {
    /// Returns the field in a column of the kind's own header.
    fn field(&self, column: usize) -> Option<&'r Field<'a>> {
        self.fields.get(self.columns[column]?)
    }

    /// Returns the field's value, or records a problem.
    fn read<T>(
        &mut self,
        column: usize,
        message: &str,
        allowed: &str,
        of: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let field = self.field(column)?;
        let value = of(&field.text);
        if value.is_none() {
            let problem = Problem::new(CsvCode::Field, message).allowed(allowed).next("Correct the field.");
            self.faults.add(field.place(problem));
        }
        value
    }

    fn name(&mut self, column: usize) -> Option<String> {
        let name = |text: &str| Some(unguarded(text).to_owned()).filter(|name| !name.is_empty());
        self.read(column, "A name is missing.", "a name", name)
    }

    fn repeat(&mut self, column: usize) -> Option<u32> {
        if self.columns[column].is_none() {
            return Some(1);
        }
        let repeat = |text: &str| text.trim().parse().ok().filter(|&repeat| repeat > 0);
        self.read(column, "A repeat is not a number.", "a whole number from 1", repeat)
    }

    fn number(&mut self, column: usize) -> Option<f64> {
        self.read(column, "A score is not a number.", "a number, such as 7.5", number)
    }

    fn preferred(&mut self, column: usize) -> Option<Preferred> {
        let verdict = |text: &str| match text.trim() {
            "first" => Some(Preferred::First),
            "second" => Some(Preferred::Second),
            "tie" => Some(Preferred::Tie),
            _ => None,
        };
        self.read(column, "A verdict is not one of the allowed words.", "first, second or tie", verdict)
    }
}

/// Returns each name once, in the order of its first occurrence.
fn occurring<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (mut known, mut order) = (BTreeSet::new(), Vec::new());
    for name in names {
        // The rows of one design are mostly adjacent.
        if order.last() != Some(&name) && known.insert(name) {
            order.push(name);
        }
    }
    order
}

fn allowed_headers() -> String {
    format!(
        "{} for scores, with `author` if it is known, or {} for comparisons; `repeat` is optional",
        SCORES.join(","),
        VERDICTS.join(",")
    )
}

fn header_problem(names: &[String]) -> Problem {
    let has = |name: &str| names.iter().any(|one| one == name);
    let next = if ["design", "dimension", "score"].into_iter().all(has) {
        "If this is a form of a run, /design-lab-rank reads it; to rank it on its own, add a column \
         `reviewer`."
    } else {
        "Write one of the two headers on the first line."
    };
    let mut problem = Problem::new(CsvCode::Header, "The first line doesn't name the required columns.")
        .found(shortened(&names.join(",")))
        .allowed(allowed_headers())
        .next(next);
    problem.line = Some(1);
    problem.column = Some(1);
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPTIONS: Options = Options { exclude_self: true, exclude_family: false, seed: 1 };

    fn study(text: &str) -> Result<Study, Vec<Problem>> {
        Ok(read(text)?.study(None, OPTIONS))
    }

    fn scores(text: &str) -> Vec<ScoreRow> {
        match read(text) {
            Ok(Rows::Scores(rows, _)) => rows,
            other => panic!("{other:?}"),
        }
    }

    fn row(design: &str) -> ScoreRow {
        let (design, reviewer) = (DesignId::new(design), ReviewerId::new("r"));
        ScoreRow { design, reviewer, repeat: 1, dimension: "q".to_owned(), score: 1.0 }
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
    fn whose_a_design_is_stands_in_a_column_of_its_own_or_in_its_id() {
        let named =
            "design,author,reviewer,dimension,score\na,ann,ann,q,7\nb,,ann,q,5\na,,bob,q,6\nb,,bob,q,4\n";
        let of = |text: &str| -> Vec<Option<String>> {
            study(text).unwrap().designs.into_iter().map(|design| design.model).collect()
        };
        assert_eq!(of(named), [Some("ann".to_owned()), None]);
        let plain = "design,reviewer,dimension,score\na,ann,q,7\nb,ann,q,5\n";
        assert_eq!(of(plain), [Some("a".to_owned()), Some("b".to_owned())]);
        let twice = named.replace("a,,bob", "a,bob,bob");
        let problem = study(&twice).unwrap_err().remove(0);
        assert_eq!((problem.code.as_str(), problem.line, problem.column), ("csv.field", Some(4), Some(3)));
        assert_eq!((problem.found.as_deref(), problem.allowed.as_deref()), (Some("bob"), Some("ann")));
    }

    #[test]
    fn separators_decimal_commas_and_a_missing_repeat_are_understood() {
        let expected = scores("design,reviewer,repeat,dimension,score\na,r,1,q,7.5\nb,r,1,q,10\n");
        for text in [
            "design;reviewer;dimension;score\na;r;q;7,5\nb;r;q;10\n",
            "design\treviewer\tdimension\tscore\r\na\tr\tq\t7,50\r\nb\tr\tq\t10\r\n",
            "design,reviewer,dimension,score\na,r,q,\"7,5\"\nb,r,q,10\n",
            "design,reviewer,dimension,score,\na,r,q,7.5,\nb,r,q,10,,\n,,,,\n",
            "score,design,reviewer,dimension\r7.5,a,r,q\r10,b,r,q\r",
        ] {
            assert_eq!(scores(text), expected, "{text}");
        }
        let without = read("reviewer;first;second;verdict\nr;a;b;tie\n").unwrap();
        assert_eq!(without, read("reviewer,repeat,first,second,verdict\nr,1,a,b,tie\n").unwrap());
    }

    #[test]
    fn all_bad_cells_are_reported_at_once_up_to_a_number_that_people_read() {
        let text = "design,reviewer,repeat,dimension,score\na,,x,q,high\nb,r,1,q,7,5\nc,r,1,q\nd,r,1,q,low\n";
        let reported: Vec<(String, u32, u32)> = read(text)
            .unwrap_err()
            .into_iter()
            .map(|problem| (problem.message, problem.line.unwrap(), problem.column.unwrap()))
            .collect();
        let expected = [
            ("A name is missing.", 2, 3),
            ("A repeat is not a number.", 2, 4),
            ("A score is not a number.", 2, 8),
            ("This may be the number 7,5, split at its decimal comma.", 3, 11),
            ("A row has fewer fields than the header.", 4, 1),
            ("A score is not a number.", 5, 9),
        ];
        assert_eq!(reported, expected.map(|(message, line, column)| (message.to_owned(), line, column)));
        let many = format!("design,reviewer,dimension,score\n{}", "a,r,q,high\n".repeat(100_000));
        let problems = read(&many).unwrap_err();
        assert_eq!((problems.len(), problems[20].code.as_str()), (21, "csv.more"));
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
            ("design,reviewer,repeat,dimension,score\na,r,1,q,1,2", "csv.field", Some((2, 11))),
            ("design,reviewer,dimension,score,\na,r,q,1,2", "csv.field", Some((2, 9))),
            ("design,reviewer,repeat,dimension,score\na,r,1,q,\"1,000\"", "csv.field", Some((2, 9))),
            ("design,reviewer,dimension,score,weight\na,r,q,1,2", "csv.header", Some((1, 33))),
            ("design,dimension,score,comment\na,q,1,", "csv.header", Some((1, 1))),
            ("d\0e\0", "csv.encoding", None),
            ("design,reviewer,repeat,dimension,score\n,r,1,q,1", "csv.field", Some((2, 1))),
            ("design,reviewer,repeat,dimension,score\na,\"r,1,q,1", "csv.quote", Some((2, 3))),
            ("design,reviewer,repeat,dimension,score\n\"a\"b,r,1,q,1", "csv.quote", Some((2, 4))),
            ("reviewer,repeat,first,second,verdict\nr,1,a,b,left", "csv.field", Some((2, 9))),
        ];
        for (text, code, place) in cases {
            let problems = study(text).unwrap_err();
            assert_eq!(problems[0].code, code, "{text}");
            assert_eq!(problems[0].line.zip(problems[0].column), place, "{text}");
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
            let problem =
                locate(&text, crate::design_lab::ranking::rank(&study(&text).unwrap()).unwrap_err());
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
                .map(|(design, reviewer, repeat, dimension, score)| ScoreRow { design: DesignId::new(design), reviewer: ReviewerId::new(reviewer), repeat, dimension, score })
                .collect();
            let text = write_scores(&rows);
            prop_assert_eq!(read(&text).unwrap(), Rows::Scores(rows, None));
        }

        #[test]
        fn verdicts_come_back_as_they_were(
            rows in prop::collection::vec(("[='@+\"a,-]{1,4}", 1u32.., "\\PC{1,5}", "\\PC{1,5}", 0usize..3), 0..6),
        ) {
            let rows: Vec<Comparison> = rows
                .into_iter()
                .map(|(reviewer, repeat, first, second, verdict)| Comparison {
                    reviewer: ReviewerId::new(reviewer),
                    repeat,
                    first: DesignId::new(first),
                    second: DesignId::new(second),
                    verdict: [Preferred::First, Preferred::Second, Preferred::Tie][verdict],
                })
                .collect();
            prop_assert_eq!(read(&write_verdicts(&rows)).unwrap(), Rows::Verdicts(rows));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a-z,\"\r\n=0-9.]{0,60}") {
            if let Err(problems) = study(&text) {
                prop_assert!(problems.iter().all(|problem| problem.code.as_str().starts_with("csv.")));
            }
        }
    }
}
