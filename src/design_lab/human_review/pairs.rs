//! A form for pairs, which asks which of two designs is better.

use super::code::FormCode;
use super::columns::{Columns, few_enough};
use super::filled::suggest;
use crate::design_lab::artefacts::Preferred;
use crate::design_lab::ids::Label;
use crate::shared::delimited::{Faults, delimiter, lines_of, records};
use design_lab_numerics::sorting::map;
use kernel::problem::Problem;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The columns of a form for pairs.
pub(super) const COLUMNS: Columns = Columns {
    needed: ["first", "second", "verdict"],
    more: &["comment", "pair"],
    said: "the columns pair, first, second, verdict and comment, in any order",
};

/// A person's verdict on one pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The index of the pair.
    pub pair: usize,
    /// The verdict, in the pair's own order.
    pub verdict: Preferred,
    /// The person's comment; may be empty.
    pub comment: String,
}

/// Returns the form before anything is filled in.
pub fn empty_pairs(pairs: &[(Label, Label)]) -> String {
    let mut text = "pair,first,second,verdict,comment\r\n".to_owned();
    for (number, (first, second)) in pairs.iter().enumerate() {
        let _ = write!(text, "{},{},{},,\r\n", number + 1, first.as_str(), second.as_str());
    }
    text
}

/// Reads the form of these pairs and returns what was compared, in the order of the rows. Rows without a verdict still have to
/// be filled in. A verdict may name the design instead of its place.
///
/// Problems: those of [`super::read`], but with `form.unknown-pair` and `form.verdict` in place of those about designs,
/// dimensions and scores.
pub fn read(text: &str, pairs: &[(Label, Label)]) -> Result<Vec<Compared>, Vec<Problem>> {
    let text = lines_of(text, "form").map_err(|problem| vec![problem])?;
    let mut lines = records(&text, delimiter(&text)).map_err(|problem| vec![problem])?.into_iter();
    let header = lines.next().ok_or_else(|| vec![COLUMNS.empty()])?;
    let columns = COLUMNS.of(&header)?;
    few_enough(lines.len())?;
    let lower = |label: &str| label.trim().to_ascii_lowercase();
    let key = |(one, other): &(Label, Label)| (lower(one.as_str()), lower(other.as_str()));
    let places = map(pairs.iter().enumerate().rev().map(|(at, pair)| (key(pair), at)));
    let (mut compared, mut faults) = (Vec::<Compared>::new(), Faults::default());
    let mut there = BTreeSet::new();
    for record in lines.by_ref().filter(|record| record.iter().any(|field| !field.text.trim().is_empty())) {
        let row = columns.fields(&record).and_then(|([first, second, verdict], comment)| {
            let is = |label: &Label, field: &str| label.as_str().eq_ignore_ascii_case(field.trim());
            let Some(&pair) = places.get(&(lower(&first.text), lower(&second.text))) else {
                let found = format!("{} and {}", first.text.trim(), second.text.trim());
                let all: Vec<String> = pairs
                    .iter()
                    .map(|(one, other)| format!("{} and {}", one.as_str(), other.as_str()))
                    .collect();
                let problem =
                    Problem::new(FormCode::UnknownPair, "This form has no such pair, in this order.");
                let problem = suggest(problem, &found, all.iter().map(String::as_str));
                return Err(Problem { found: Some(found), ..first.place(problem) });
            };
            let said = verdict.text.trim();
            let verdict = match said.to_ascii_lowercase().as_str() {
                "" => return Ok(()),
                "first" => Preferred::First,
                "second" => Preferred::Second,
                "tie" => Preferred::Tie,
                _ if is(&pairs[pair].0, said) => Preferred::First,
                _ if is(&pairs[pair].1, said) => Preferred::Second,
                _ => {
                    let problem = Problem::new(FormCode::Verdict, "A verdict is not one of the three words.");
                    let problem =
                        problem.allowed("first, second or tie").next("Correct it, or leave it empty.");
                    return Err(verdict.place(problem));
                }
            };
            if !there.insert(pair) {
                let problem = Problem::new(FormCode::Twice, "A pair occurs twice.");
                return Err(first.place(problem.next("Remove one of the two rows.")));
            }
            compared.push(Compared { pair, verdict, comment: comment.to_owned() });
            Ok(())
        });
        if let Err(problem) = row {
            faults.add(problem);
        }
        if faults.is_full() {
            break;
        }
    }
    faults.leave(lines.len());
    faults.or(compared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs() -> Vec<(Label, Label)> {
        [("pipit", "snipe"), ("larch", "pipit")]
            .map(|(one, other)| (Label::new(one), Label::new(other)))
            .to_vec()
    }

    #[test]
    fn reads_what_people_write() {
        assert_eq!(read(&empty_pairs(&pairs()), &pairs()), Ok(Vec::new()));
        let said = |pair, verdict, comment: &str| Compared { pair, verdict, comment: comment.to_owned() };
        for text in [
            "pair,first,second,verdict,comment\r\n1,pipit,snipe,first,\"a, b\"\r\n2,larch,pipit,TIE,\r\n",
            "\u{feff}first;second;verdict;comment\r\nPipit;snipe;pipit;a, b\r\nlarch;pipit; tie ;\r\n;;;\r\n",
            "comment\tverdict\tsecond\tfirst\n a, b \tfirst\tsnipe\tpipit\n\ttie\tpipit\tlarch",
        ] {
            let expected = vec![said(0, Preferred::First, "a, b"), said(1, Preferred::Tie, "")];
            assert_eq!(read(text, &pairs()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn errors_say_what_and_where() {
        for (text, code, place) in [
            ("", "csv.empty", None),
            ("first,second\n", "csv.header", Some((1, 1))),
            ("first,second,verdict,why\n", "csv.header", Some((1, 22))),
            ("first,second,verdict\nsnipe,pipit,first\n", "form.unknown-pair", Some((2, 1))),
            ("first,second,verdict\npipit,snipe,better\n", "form.verdict", Some((2, 13))),
            ("first,second,verdict\npipit,snipe,larch\n", "form.verdict", Some((2, 13))),
            ("first,second,verdict\npipit,snipe,tie\npipit,snipe,first\n", "form.twice", Some((3, 1))),
            ("first,second,verdict\npipit,snipe,tie,x\n", "form.fields", Some((2, 17))),
            ("first,second,verdict\npipit\n", "form.fields", Some((2, 1))),
        ] {
            let problems = read(text, &pairs()).unwrap_err();
            assert_eq!(problems.len(), 1, "{text}");
            assert_eq!(
                (problems[0].code.as_str(), problems[0].line.zip(problems[0].column)),
                (code, place),
                "{text}"
            );
            assert!(problems[0].next.is_some(), "{text}");
        }
    }
}
