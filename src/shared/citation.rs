//! The places in the project that an answer cites, and whether they exist.
//!
//! The shell looks up each cited path when the answer arrives, and the answer's event contains the result, so that a replay judges by
//! the same facts. A path that wasn't looked up is not judged.

use super::figures::count;
use kernel::protocol::{LookedUp, PathFound, Reply};
use std::fmt;

/// A longer text is not a path.
const LONGEST: usize = 500;

/// A file, or a line of it, as an answer cites it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Citation {
    /// As the answer writes it.
    pub(crate) path: String,
    /// From 1.
    pub(crate) line: Option<u32>,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

impl Citation {
    /// The citation in a field that names a file, possibly with the line; `None` when the field names none.
    pub(crate) fn of(file: &str, line: Option<u32>) -> Option<Self> {
        let (path, last) = split(unquoted(file));
        let is_path = !path.is_empty() && path.len() <= LONGEST && !path.contains(char::is_control);
        is_path.then(|| Self { path: path.to_owned(), line: line.or(last) })
    }

    /// How many lines the file has, in a clause, if the cited line isn't one of them.
    pub(crate) fn lacking_line(&self, lines: Option<u32>) -> Option<String> {
        let (line, lines) = (self.line?, lines?);
        let is_there = (1..=lines).contains(&line);
        (!is_there).then(|| format!("the file has {}", count(lines.into(), "line", "lines")))
    }

    /// All citations in a sentence. A word counts if it names a line, or has a `/` and a file's ending: anything else may be an
    /// address, a route or a product.
    pub(crate) fn all_in(text: &str) -> Vec<Self> {
        let words = text.split(|c: char| c.is_whitespace() || ",;()[]{}<>\"`'|*".contains(c));
        words.filter_map(Self::in_word).collect()
    }

    fn in_word(word: &str) -> Option<Self> {
        let (path, line) = split(word.trim_end_matches(['.', ':', '!', '?']));
        let (folder, name) =
            path.rsplit_once('/').map_or((None, path), |(folder, name)| (Some(folder), name));
        let ends_like_a_file = name.rsplit_once('.').is_some_and(|(_, end)| {
            (1..=8).contains(&end.len())
                && end.starts_with(|c: char| c.is_ascii_alphabetic())
                && end.chars().all(|c| c.is_ascii_alphanumeric())
        });
        let is_below_something = folder.is_some_and(|folder| !folder.is_empty());
        let is_path = !path.contains("//") && ends_like_a_file && (line.is_some() || is_below_something);
        if is_path { Self::of(path, line) } else { None }
    }
}

/// A path and the last line that follows it: `a.js:3`, `a.js:3-9`, `a.js:3:14`, `a.js#L3-L9`.
fn split(text: &str) -> (&str, Option<u32>) {
    let Some(at) = text.find([':', '#']).filter(|at| text[*at..].len() > 1) else { return (text, None) };
    // `C:\a.js` has its own colon.
    let at = if at == 1 && text[1..].starts_with(":\\") {
        match text[2..].find([':', '#']) {
            Some(next) => next + 2,
            None => return (text, None),
        }
    } else {
        at
    };
    let rest = &text[at + 1..];
    let lines = rest.split_once(':').map_or(rest, |(lines, _column)| lines);
    let numbers: Option<Vec<u32>> =
        lines.split('-').map(|part| part.trim_start_matches('L').parse().ok()).collect();
    match numbers {
        Some(numbers) => (&text[..at], numbers.into_iter().max()),
        None => (text, None),
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['`', '"', '\''])
}

/// The basis of an answer: whether its model read anything, and what exists at the places that it cites.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grounds<'a> {
    reads: Option<u32>,
    looked_up: &'a [LookedUp],
}

impl<'a> Grounds<'a> {
    pub(crate) fn of(reply: &'a Reply) -> Self {
        Self { reads: reply.reads, looked_up: &reply.looked_up }
    }

    /// Whether it was recorded what the model has read; older journals don't contain that.
    pub(crate) fn are_known(self) -> bool {
        self.reads.is_some()
    }

    /// Whether the model is known to have read no file.
    pub(crate) fn read_nothing(self) -> bool {
        self.reads == Some(0)
    }

    /// [`fault`] of a place that the answer cites.
    pub(crate) fn fault(self, cited: &Citation) -> Option<String> {
        fault(cited, self.looked_up)
    }
}

/// Explains why a cited place doesn't exist, after the word `cites`; `None` when it exists, or wasn't looked up.
pub(crate) fn fault(cited: &Citation, looked_up: &[LookedUp]) -> Option<String> {
    let found = looked_up.iter().find(|one| one.path == cited.path)?;
    match found.found {
        PathFound::Nothing => Some(format!("{cited}, which doesn't exist")),
        PathFound::Outside => Some(format!("{cited}, which lies outside the project")),
        PathFound::File => cited.lacking_line(found.lines).map(|why| format!("{cited}, but {why}")),
        PathFound::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_people_write_it() {
        for (file, line, place) in [
            ("src/a.js", Some(3), "src/a.js:3"),
            ("src/a.js:3", None, "src/a.js:3"),
            ("`src/a.js:3-9`", None, "src/a.js:9"),
            ("src/a.js:3:14", None, "src/a.js:3"),
            ("src/a.js#L3-L9", None, "src/a.js:9"),
            ("C:\\p\\a.js:4", None, "C:\\p\\a.js:4"),
            ("C:\\p\\a.js", None, "C:\\p\\a.js"),
            ("the file that shows it:42", None, "the file that shows it:42"),
            ("README", None, "README"),
        ] {
            assert_eq!(Citation::of(file, line).unwrap().to_string(), place);
        }
        assert_eq!(Citation::of(" ", Some(3)), None);
        assert_eq!(Citation::of(&"a".repeat(600), None), None);
    }

    #[test]
    fn places_are_found_in_sentences_and_nothing_else_is() {
        for (text, places) in [
            ("See src/a.js:3, and (lib/b.ts).", &["src/a.js:3", "lib/b.ts"][..]),
            ("`a.js:12`: the button does nothing", &["a.js:12"]),
            ("a.js:3-9 and src/b.js#L4.", &["a.js:9", "src/b.js:4"]),
            ("Node.js, e.g. v1.2.3, and/or a.js", &[]),
            ("http://localhost:3000/a.js says 404 at 10:42, 127.0.0.1:80", &[]),
            ("POST /api/users, /cart, npm test: 3 passed", &[]),
        ] {
            let found: Vec<String> = Citation::all_in(text).iter().map(Citation::to_string).collect();
            assert_eq!(found, places, "{text}");
        }
    }

    #[test]
    fn a_place_that_is_not_there_is_named_and_what_nobody_looked_up_is_not_judged() {
        let looked = |path: &str, found, lines| LookedUp { path: path.to_owned(), found, lines, place: None };
        let looked_up = vec![
            looked("a.js", PathFound::File, Some(3)),
            looked("one.js", PathFound::File, Some(1)),
            looked("large.js", PathFound::File, None),
            looked("gone.js", PathFound::Nothing, None),
            looked("../b.js", PathFound::Outside, None),
            looked("src", PathFound::Other, None),
        ];
        let reply = Reply { looked_up, ..Reply::default() };
        let grounds = Grounds::of(&reply);
        for (path, line, fault) in [
            ("a.js", None, None),
            ("a.js", Some(3), None),
            ("a.js", Some(4), Some("a.js:4, but the file has 3 lines")),
            ("a.js", Some(0), Some("a.js:0, but the file has 3 lines")),
            ("one.js", Some(2), Some("one.js:2, but the file has 1 line")),
            ("large.js", Some(9_999), None),
            ("gone.js", None, Some("gone.js, which doesn't exist")),
            ("../b.js", Some(1), Some("../b.js:1, which lies outside the project")),
            ("src", Some(1), None),
            ("nobody-looked.js", Some(1), None),
        ] {
            let cited = Citation { path: path.to_owned(), line };
            assert_eq!(grounds.fault(&cited).as_deref(), fault);
        }
    }

    #[test]
    fn that_nothing_was_read_has_to_be_known() {
        let of = |reads| Grounds::of(&Reply { reads, ..Reply::default() }).read_nothing();
        assert_eq!([of(None), of(Some(0)), of(Some(1))], [false, true, false]);
    }
}
