//! A filled-in form, as a spreadsheet or a person left it.

use super::code::FormCode;
use super::columns::{Columns, Found, few_enough};
use super::pairs;
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::Label;
use crate::shared::delimited::{Faults, Field, announced, delimiter, lines_of, number, records};
use design_lab_numerics::sorting::{map, set};
use kernel::nearest::nearest;
use kernel::problem::Problem;
use std::collections::BTreeMap;

/// The contents of a form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilledForm {
    /// The designs that have a score on every dimension, in the order of the labels, each with its entries in the order of the
    /// rubric.
    pub whole: Vec<(Label, Vec<Entry>)>,
    /// The other designs, each with its missing dimensions.
    pub gaps: Vec<(Label, Vec<String>)>,
    /// Whether it contains any score.
    pub is_begun: bool,
}

/// One score.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The dimension's name.
    pub dimension: String,
    /// The score, within its bounds.
    pub score: f64,
    /// The person's comment; may be empty.
    pub comment: String,
}

/// The columns of a form for scores.
const COLUMNS: Columns = Columns {
    needed: ["design", "dimension", "score"],
    more: &["comment"],
    said: "the columns design, dimension, score and comment, in any order",
};

/// Reads a form. The header decides the order of the columns and shows the separator, and `comment` may be left out. A comma may be a
/// score's decimal point if it can't mean anything else. Rows without a score still have to be filled in.
///
/// Problems, with line and column if there are any: `csv.empty`, `csv.encoding`, `csv.header`, `csv.quote`, `form.fields`,
/// `form.unknown-design`, `form.unknown-dimension`, `form.score`, `form.out-of-bounds`, `form.twice`.
pub fn read(text: &str, labels: &[Label], dimensions: &[Dimension]) -> Result<FilledForm, Vec<Problem>> {
    let mut cells = cells(text, labels, dimensions)?;
    let mut form = FilledForm::default();
    for (design, label) in labels.iter().enumerate() {
        let is_missing = |dimension: &usize| !cells.contains_key(&(design, *dimension));
        let missing = (0..dimensions.len()).filter(is_missing);
        let missing: Vec<String> = missing.map(|at| dimensions[at].name.clone()).collect();
        form.is_begun |= missing.len() < dimensions.len();
        if missing.is_empty() {
            let entries = (0..dimensions.len()).filter_map(|dimension| cells.remove(&(design, dimension)));
            form.whole.push((label.clone(), entries.collect()));
        } else {
            form.gaps.push((label.clone(), missing));
        }
    }
    Ok(form)
}

/// The contents of a form, by the indices of the design and the dimension.
type Cells = BTreeMap<(usize, usize), Entry>;

fn cells(text: &str, labels: &[Label], dimensions: &[Dimension]) -> Result<Cells, Vec<Problem>> {
    let text = lines_of(text, "form").map_err(|problem| vec![problem])?;
    let mut lines = records(&text, delimiter(&text)).map_err(|problem| vec![problem])?.into_iter();
    let header = lines.next().ok_or_else(|| vec![COLUMNS.empty()])?;
    let columns = COLUMNS.of(&header)?;
    few_enough(lines.len())?;
    let known = Known {
        labels,
        dimensions,
        label: places(labels.iter().map(Label::as_str)),
        dimension: places(dimensions.iter().map(|dimension| dimension.name.as_str())),
    };
    let (mut cells, mut faults) = (Cells::new(), Faults::default());
    for record in lines.by_ref().filter(|record| record.iter().any(|field| !field.text.trim().is_empty())) {
        match row(&record, &columns, &known) {
            Ok(None) => {}
            Ok(Some((design, dimension, entry))) => {
                if cells.insert((design, dimension), entry).is_some() {
                    let twice = Problem::new(
                        FormCode::Twice,
                        format!(
                            "{} has two scores for {}.",
                            labels[design].as_str(),
                            dimensions[dimension].name
                        ),
                    );
                    faults.add(record[columns.needed[0]].place(twice.next("Remove one of the two rows.")));
                }
            }
            Err(problem) => faults.add(problem),
        }
        if faults.is_full() {
            break;
        }
    }
    faults.leave(lines.len());
    faults.or(cells)
}

/// The known designs and dimensions, and the index of each name among them, in lower case.
struct Known<'a> {
    labels: &'a [Label],
    dimensions: &'a [Dimension],
    label: BTreeMap<String, usize>,
    dimension: BTreeMap<String, usize>,
}

/// Returns the first index of each name.
fn places<'a>(
    names: impl DoubleEndedIterator<Item = &'a str> + ExactSizeIterator,
) -> BTreeMap<String, usize> {
    map(names.enumerate().rev().map(|(at, name)| (name.to_ascii_lowercase(), at)))
}

/// Whether a text starts like a form.
pub fn is_form(text: &str) -> bool {
    let is_header = |line: &&str| !line.trim().is_empty() && announced(line).is_none();
    let header = text.split(['\n', '\r']).find(is_header).unwrap_or_default();
    let Ok(lines) = records(header, delimiter(header)) else { return false };
    let has = |name: &str| lines.iter().flatten().any(|field| field.text.trim().eq_ignore_ascii_case(name));
    let is = |columns: [&str; 3]| columns.into_iter().all(has) && !has("reviewer");
    is(COLUMNS.needed) || is(pairs::COLUMNS.needed)
}

/// Returns the problems of a form on its own, whatever its designs and dimensions are.
pub fn problems(text: &str) -> Vec<Problem> {
    let Ok(lines) = lines_of(text, "form") else { return read(text, &[], &[]).err().unwrap_or_default() };
    let Ok(records) = records(&lines, delimiter(&lines)) else {
        return read(text, &[], &[]).err().unwrap_or_default();
    };
    let place = |wanted: &str| {
        let is = |field: &Field<'_>| field.text.trim().eq_ignore_ascii_case(wanted);
        records.first().and_then(|header| header.iter().position(is))
    };
    if let (Some(first), Some(second)) = (place("first"), place("second")) {
        let label = |record: &[Field<'_>], at: usize| Some(Label::new(record.get(at)?.text.trim()));
        let pair = |record: &Vec<Field<'_>>| Some((label(record, first)?, label(record, second)?));
        let pairs: Vec<_> = records.iter().skip(1).filter_map(pair).collect();
        return pairs::read(text, &pairs).err().unwrap_or_default();
    }
    let column = |wanted: &str| -> Vec<String> {
        let at = place(wanted);
        let cells = records.iter().skip(1).filter_map(|record| record.get(at?));
        set(cells.map(|field| field.text.trim().to_ascii_lowercase())).into_iter().collect()
    };
    let any = |name: String| Dimension { min: f64::NEG_INFINITY, max: f64::INFINITY, ..Dimension::new(name) };
    let dimensions: Vec<Dimension> = column("dimension").into_iter().map(any).collect();
    let labels: Vec<Label> = column("design").into_iter().map(Label::new).collect();
    cells(text, &labels, &dimensions).err().unwrap_or_default()
}

/// Returns the indices of the design and the dimension, and the entry; `None` when the score is still missing.
fn row(
    record: &[Field<'_>],
    columns: &Found,
    known: &Known<'_>,
) -> Result<Option<(usize, usize, Entry)>, Problem> {
    let Known { labels, dimensions, .. } = *known;
    let ([design, dimension, score], comment) = columns.fields(record)?;
    let label = design.text.trim();
    let Some(&at_design) = known.label.get(&label.to_ascii_lowercase()) else {
        let problem = Problem::new(FormCode::UnknownDesign, "This form has no design with that label.")
            .allowed(Label::list(labels));
        return Err(design.place(suggest(problem, label, labels.iter().map(Label::as_str))));
    };
    let name = dimension.text.trim();
    let Some(&at_dimension) = known.dimension.get(&name.to_ascii_lowercase()) else {
        let names = || dimensions.iter().map(|known| known.name.as_str());
        let problem = Problem::new(FormCode::UnknownDimension, "The rubric has no dimension with this name.")
            .allowed(names().collect::<Vec<_>>().join(", "));
        return Err(dimension.place(suggest(problem, name, names())));
    };
    if score.text.trim().is_empty() {
        return Ok(None);
    }
    let Dimension { name, min, max, .. } = &dimensions[at_dimension];
    let allowed =
        if max.is_finite() { format!("a number from {min} to {max}") } else { "a number".to_owned() };
    let Some(number) = number(&score.text) else {
        let problem = Problem::new(FormCode::Score, "A score is not a number.")
            .allowed(allowed)
            .next("Correct the score, or leave it empty. Write decimals with a point.");
        return Err(score.place(problem));
    };
    if !(*min..=*max).contains(&number) {
        let problem = Problem::new(FormCode::OutOfBounds, format!("A score for {name} is out of bounds."))
            .allowed(allowed)
            .next("Correct the score.");
        return Err(score.place(problem));
    }
    if !comment.is_empty() && comment.bytes().all(|byte| byte.is_ascii_digit()) {
        let problem = Problem::new(
            FormCode::Score,
            format!(
                "This may be the score {number}, or the score {number}.{comment} split at its decimal comma."
            ),
        )
        .allowed(allowed)
        .next("Write decimals with a point, and comments in words.");
        return Err(score.place(problem));
    }
    let entry = Entry { dimension: name.clone(), score: number, comment: comment.to_owned() };
    Ok(Some((at_design, at_dimension, entry)))
}

pub(super) fn suggest<'a>(
    problem: Problem,
    found: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Problem {
    match nearest(found, known) {
        Some(near) => problem.next(format!("Did you mean {near}?")),
        None => problem.next("Restore the original value."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels() -> Vec<Label> {
        ["pipit", "snipe"].map(Label::new).to_vec()
    }

    fn rubric() -> Vec<Dimension> {
        let dimension =
            |name: &str, max: f64| Dimension { description: "d".to_owned(), max, ..Dimension::new(name) };
        vec![dimension("clarity", 10.0), dimension("cost", 2000.0)]
    }

    fn read_it(text: &str) -> Result<FilledForm, Vec<Problem>> {
        read(text, &labels(), &rubric())
    }

    fn entry(dimension: &str, score: f64, comment: &str) -> Entry {
        Entry { dimension: dimension.to_owned(), score, comment: comment.to_owned() }
    }

    #[test]
    fn reads_what_spreadsheets_and_people_write() {
        let expected = FilledForm {
            whole: vec![
                (Label::new("pipit"), vec![entry("clarity", 7.5, ""), entry("cost", 100.0, "a \"b\", c")]),
                (Label::new("snipe"), vec![entry("clarity", 0.5, ""), entry("cost", 3.0, "")]),
            ],
            gaps: Vec::new(),
            is_begun: true,
        };
        for text in [
            "design,dimension,score,comment\r\npipit,clarity,7.5,\r\npipit,cost,100,\"a \"\"b\"\", c\"\r\nsnipe,clarity,0.5,\r\nsnipe,cost,3,\r\n",
            "\u{feff}design;dimension;score;comment\r\npipit;clarity;7,5;\r\npipit;cost;100;\"a \"\"b\"\", c\"\r\nsnipe;clarity;0,500;\r\nsnipe;cost;3,0;\r\n;;;\r\n",
            "\"comment\"\t\"Score\"\t\"DESIGN\"\t\"dimension\"\n\t 7,50 \tPipit\tclarity\n\"a \"\"b\"\", c\"\t1e2\tpipit\tCost\n\n\t.5\tsnipe\tclarity\n\t+3\tsnipe\tcost",
            "design,dimension,score,comment,\nsnipe,cost,\"3,0\",,\nsnipe,clarity,\"0,5\"\npipit,cost,100,\"a \"\"b\"\", c\",\npipit,clarity,7.5,,\n",
            "sep=;\r\ndesign;dimension;score;comment\r\npipit;clarity;7,5;\r\npipit;cost;100;\"a \"\"b\"\", c\"\r\nsnipe;clarity;0,5;\r\nsnipe;cost;3;\r\n",
            "\u{feff}\"sep=,\",,,\ndesign,dimension,score,comment\npipit,clarity,7.5,\npipit,cost,100,\"a \"\"b\"\", c\"\nsnipe,clarity,0.5,\nsnipe,cost,3,\n",
            "design,dimension,score,comment\rpipit,clarity,7.5,\rpipit,cost,100,\"a \"\"b\"\", c\"\rsnipe,clarity,0.5,\rsnipe,cost,3,\r",
        ] {
            assert_eq!(read_it(text).as_ref(), Ok(&expected), "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_said_by_label() {
        let empty = super::super::empty_form(&labels(), &rubric());
        let form = read_it(&empty).unwrap();
        assert!(!form.is_begun && form.whole.is_empty() && form.gaps.len() == 2);
        let form =
            read_it(&empty.replace("pipit,clarity,,", "pipit,clarity,10,").replace("snipe,cost,,\r\n", ""))
                .unwrap();
        assert!(form.is_begun && form.whole.is_empty());
        assert_eq!(
            form.gaps,
            [
                (Label::new("pipit"), vec!["cost".to_owned()]),
                (Label::new("snipe"), vec!["clarity".to_owned(), "cost".to_owned()]),
            ]
        );
        let form = read_it("design,dimension,score\npipit,clarity,1\npipit,cost,2\n").unwrap();
        assert_eq!((form.whole.len(), form.gaps.len()), (1, 1));
    }

    #[test]
    fn errors_say_what_and_where() {
        let cases = [
            ("", "csv.empty", None),
            ("d\0e\0s\0i\0g\0n\0", "csv.encoding", None),
            ("sep=,\ndesign,dimension,score\nquill-4,clarity,1\n", "form.unknown-design", Some((3, 1))),
            ("a;b\n", "csv.header", Some((1, 1))),
            ("design,dimension,score,mark\n", "csv.header", Some((1, 24))),
            ("design,dimension,score,score\n", "csv.header", Some((1, 24))),
            ("design,dimension,score\npipit,clarity,\"1", "csv.quote", Some((2, 15))),
            ("design,dimension,score\nquill-4,clarity,1\n", "form.unknown-design", Some((2, 1))),
            ("design,dimension,score\npipit,elegance,1\n", "form.unknown-dimension", Some((2, 7))),
            ("design;dimension;score\npipit;clarity;10,5\n", "form.out-of-bounds", Some((2, 15))),
            ("design,dimension,score\npipit,clarity,-1\n", "form.out-of-bounds", Some((2, 15))),
            ("design,dimension,score\npipit,clarity,good\n", "form.score", Some((2, 15))),
            ("design,dimension,score\npipit,clarity,NaN\n", "form.score", Some((2, 15))),
            // A thousand, or one?
            ("design;dimension;score\npipit;cost;1,000\n", "form.score", Some((2, 12))),
            ("design,dimension,score\npipit,clarity,7,5\n", "form.fields", Some((2, 17))),
            ("design,dimension,score,comment\npipit,clarity,7,5\n", "form.score", Some((2, 15))),
            ("design,dimension,score,comment\npipit,clarity,7,5,good\n", "form.fields", Some((2, 19))),
            ("design,dimension,score\npipit\n", "form.fields", Some((2, 1))),
            ("design,dimension,score\npipit,clarity,1\npipit,clarity,1\n", "form.twice", Some((3, 1))),
        ];
        for (text, code, place) in cases {
            let problems = read_it(text).unwrap_err();
            assert_eq!(problems.len(), 1, "{text}");
            assert_eq!(problems[0].code, code, "{text}");
            assert_eq!(problems[0].line.zip(problems[0].column), place, "{text}");
            assert!(problems[0].next.is_some(), "{text}");
        }
        let both = read_it("design,dimension,score\nx,clarity,1\npipit,clarity,11\n").unwrap_err();
        assert_eq!(both.len(), 2, "all faults at once");
    }

    #[test]
    fn a_form_is_known_behind_the_line_that_announces_its_separator() {
        for text in [
            "design,dimension,score\n",
            "sep=;\r\ndesign;dimension;score\r\n",
            "SEP=,\n\nfirst,second,verdict\n",
        ] {
            assert!(is_form(text), "{text}");
        }
        assert!(!is_form("sep=|\ndesign|dimension|score\n"));
    }

    #[test]
    fn of_a_form_with_many_faults_twenty_are_reported_and_the_other_rows_counted() {
        let rows = (0..9_000).map(|row| format!("pipit,clarity,no {row}\n")).collect::<Vec<_>>().concat();
        let problems = read_it(&format!("design,dimension,score\n{rows}")).unwrap_err();
        assert_eq!(problems.len(), 21);
        assert_eq!(problems[20].code, "csv.more");
        assert!(
            problems[20].message.contains("8,980 more rows were not checked"),
            "{}",
            problems[20].message
        );
    }

    #[test]
    fn a_form_of_any_size_is_read_in_one_pass_or_refused() {
        // Each row has a design and a dimension of its own: a table of them would have 100 million cells.
        let own = |rows: usize| -> String {
            let rows = (0..rows).map(|row| format!("d{row},c{row},1\n")).collect::<Vec<_>>().concat();
            format!("design,dimension,score\n{rows}")
        };
        assert_eq!(problems(&own(10_000)), []);
        assert_eq!(problems(&own(10_001))[0].code, "form.too-long");
        let pairs = (0..10_000).map(|row| format!("a{row},b{row},tie\n")).collect::<Vec<_>>().concat();
        assert_eq!(problems(&format!("first,second,verdict\n{pairs}")), []);
        let wide = format!("design,dimension,score{}\n", ",design".repeat(100_000));
        assert_eq!(problems(&wide).len(), 21);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[a-z,;\"\t\r\n0-9.]{0,60}") {
            let text = format!("design,dimension,score\n{text}");
            if let Err(problems) = read_it(&text) {
                prop_assert!(!problems.is_empty());
            }
        }

        #[test]
        fn a_score_comes_back_as_it_was(score in 0.0f64..=10.0, comma: bool) {
            let written = if comma { score.to_string().replace('.', ",") } else { score.to_string() };
            let digits = written.split_once(',').map_or(0, |(_, decimals)| decimals.len());
            prop_assume!(digits != 3);
            let text = format!("design;dimension;score\npipit;clarity;{written}\npipit;cost;1\n");
            let read = read_it(&text).unwrap().whole[0].1[0].score;
            prop_assert_eq!(read.to_bits(), score.to_bits());
        }
    }
}
