//! The columns of a form: which are required, and where they are in a filled-in form.

use super::code::FormCode;
use crate::shared::delimited::{CsvCode, Faults, Field, shortened};
use crate::shared::figures::thousands;
use kernel::problem::Problem;

/// The columns that a kind of form has.
pub(super) struct Columns {
    /// The columns that identify a row, and the one that is filled in.
    pub(super) needed: [&'static str; 3],
    /// The columns that may be left out; the first is the comment.
    pub(super) more: &'static [&'static str],
    /// All columns, in words.
    pub(super) said: &'static str,
}

/// Where the columns are.
pub(super) struct Found {
    count: usize,
    pub(super) needed: [usize; 3],
    comment: Option<usize>,
}

const START_AGAIN: &str =
    "To start again, delete the file: /design-lab-review --human with the same name creates a new one.";

impl Columns {
    pub(super) fn empty(&self) -> Problem {
        Problem::new(CsvCode::Empty, "The form is empty.").allowed(self.said).next(START_AGAIN)
    }

    /// Finds the columns in the header, in any order.
    pub(super) fn of(&self, header: &[Field<'_>]) -> Result<Found, Vec<Problem>> {
        let name_of = |field: &Field<'_>| field.text.trim().to_ascii_lowercase();
        let mut problems = Faults::default();
        for (index, field) in header.iter().enumerate() {
            let name = name_of(field);
            // Spreadsheets may add columns without a name.
            let known = name.is_empty() || self.needed.iter().chain(self.more).any(|known| *known == name);
            if !known {
                let problem = Problem::new(
                    CsvCode::Header,
                    "The form has a column that doesn't belong \
                                                             there.",
                );
                problems.add(field.place(
                    problem.allowed(self.said).next("Remove the column, and move its text to `comment`."),
                ));
            } else if !name.is_empty() && header[..index].iter().any(|other| name_of(other) == name) {
                let problem = Problem::new(CsvCode::Header, "A column occurs twice.");
                problems.add(field.place(problem.allowed(self.said).next("Remove one of the two.")));
            }
            if problems.is_full() {
                break;
            }
        }
        let find = |wanted: &str| header.iter().position(|field| name_of(field) == wanted);
        match self.needed.map(find) {
            [Some(first), Some(second), Some(third)] => problems.or(Found {
                count: header.len(),
                needed: [first, second, third],
                comment: self.more.first().and_then(|comment| find(comment)),
            }),
            _ => {
                let problem =
                    Problem::new(CsvCode::Header, "The first line doesn't name the required columns.");
                let found = header.iter().map(|field| field.text.trim()).collect::<Vec<_>>().join(", ");
                let problem = problem.allowed(self.said).next(START_AGAIN);
                Err(vec![Problem { found: Some(shortened(&found)), ..header[0].place(problem) }])
            }
        }
    }
}

/// The most rows of a form: those of a hundred designs on a hundred dimensions.
const MOST_ROWS: usize = 10_000;

/// Checks whether a form may have this many rows.
pub(super) fn few_enough(rows: usize) -> Result<(), Vec<Problem>> {
    if rows <= MOST_ROWS {
        return Ok(());
    }
    let found = format!("{} rows", thousands(u64::try_from(rows).unwrap_or(u64::MAX)));
    Err(vec![
        Problem::new(FormCode::TooLong, "The form has too many rows.")
            .found(found)
            .allowed("10,000 rows")
            .next(START_AGAIN),
    ])
}

impl Found {
    /// Returns the required fields of a row, and its comment. Refuses rows that were split by the separator, which
    /// would be misread.
    pub(super) fn fields<'a, 'b>(
        &self,
        record: &'a [Field<'b>],
    ) -> Result<([&'a Field<'b>; 3], &'a str), Problem> {
        if let Some(surplus) = record.get(self.count) {
            let problem = Problem::new(FormCode::Fields, "A row has more fields than the header.");
            let next = "Put text that contains the separator in quotes; write decimals with a point.";
            return Err(surplus.place(problem.next(next)));
        }
        let [Some(first), Some(second), Some(third)] = self.needed.map(|at| record.get(at)) else {
            let problem = Problem::new(FormCode::Fields, "A row has fewer fields than the header.");
            return Err(record[0].place(problem.next("Correct the row; compare it with the others.")));
        };
        let comment = self.comment.and_then(|at| record.get(at)).map_or("", |field| field.text.trim());
        Ok(([first, second, third], comment))
    }
}
