//! Mutants: the feature's files with one small fault each, so that its checks can show that they notice faults.
//!
//! A mutant reverts one part of the change, or alters one changed line: another operator, an inverted condition, another number, an
//! omitted statement. It is made from text alone, in any language: a mutant that doesn't compile decides nothing
//! ([`super::mutation`]). Comments, strings and tests stay as they are.

use super::source_code::{Language, code_in};
use design_lab_numerics::sorting::{sort_by, sort_by_key};
use kernel::json::Deserialize;
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::iter;
use std::ops::Range;

/// The size above which files have no mutants, in bytes.
const LARGEST: usize = 200_000;
/// How much of a line is shown, in characters.
const SHOWN: usize = 80;
/// How much of a longer line is shown on either side of the difference, in characters.
const AROUND: usize = 30;

/// A file that a feature changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowChangedFile"))]
pub struct ChangedFile {
    /// The path from the root of the tree.
    pub path: String,
    /// The contents before the feature; `None` when the file didn't exist.
    pub before: Option<String>,
    /// The contents now.
    pub now: String,
}

/// A file with a small fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowMutant"))]
pub struct Mutant {
    /// The file, from the root of the tree.
    pub path: String,
    /// The first line that differs, counted from 1.
    pub line: u32,
    /// What differs, in words.
    pub change: String,
    /// The file's contents with the fault.
    pub text: String,
}

/// The faults of some files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowFaults"))]
pub struct Faults {
    /// The mutants, by path and line.
    pub mutants: Vec<Mutant>,
    /// The files of code that have none.
    pub without: Vec<Faultless>,
}

/// A changed file of code without a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowFaultless"))]
pub struct Faultless {
    /// The file, from the root of the tree.
    pub path: String,
    /// Why it has none, as a clause.
    pub why: String,
}

/// At most `most` mutants of these files, spread evenly over the change, always the same ones for the same files; and which files
/// of code can't have any.
pub fn faults(files: &[ChangedFile], most: usize) -> Faults {
    let mut without = Vec::new();
    let mut changes = Vec::new();
    for file in files {
        match Changed::to_alter(file) {
            Ok(one) => changes.push(one),
            Err(unfit) => {
                without.extend(
                    unfit.why().map(|why| Faultless { path: file.path.clone(), why: why.to_owned() }),
                );
            }
        }
    }
    let reverts: Vec<Mutant> = changes.iter().flat_map(Changed::reverts).collect();
    // The run without the feature already reverts the whole change.
    let is_all = reverts.len() == 1 && files.len() == 1;
    let reverts = if is_all { Vec::new() } else { reverts };
    let faults: Vec<Mutant> = changes.iter().flat_map(Changed::faults).collect();
    let has_one = |path: &str| reverts.iter().chain(&faults).any(|one| one.path == path);
    let blank = changes.iter().filter(|one| !one.hunks.is_empty() && !has_one(one.path));
    without.extend(blank.map(|one| Faultless {
        path: one.path.to_owned(),
        why: "none of its changed lines can be altered".to_owned(),
    }));
    let of_reverts = reverts.len().min((most / 3).max(most.saturating_sub(faults.len())));
    let mut all = spread(reverts, of_reverts);
    all.extend(spread(faults, most - of_reverts));
    sort_by(&mut all, |a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    all.dedup_by(|a, b| a.path == b.path && a.text == b.text);
    Faults { mutants: all, without }
}

/// Which lines of a file the feature changed, except tests and comments.
pub(super) fn changed_lines(file: &ChangedFile) -> Vec<bool> {
    let lines = file.now.split_inclusive('\n').count();
    let mut all = vec![false; lines];
    if let Ok(changed) = Changed::new(file) {
        for line in changed.hunks.iter().flat_map(DiffOp::new_range) {
            all[line] = !changed.is_test[line];
        }
    }
    all
}

/// At most `most` of them, evenly spaced.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let (len, wanted) = (all.len(), most.min(all.len()));
    let is_taken = |index: usize| wanted > 0 && (index * wanted) / len != ((index + 1) * wanted) / len;
    all.into_iter().enumerate().filter(|(index, _)| is_taken(*index)).map(|(_, one)| one).collect()
}

/// Why a file has no mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfit {
    /// It isn't code in a known language.
    NoCode,
    TooLarge,
    Unreadable,
    /// A fault in it could do harm.
    Dangerous,
}

impl Unfit {
    /// Why, as a clause; `None` for what needs no mutants.
    fn why(self) -> Option<&'static str> {
        match self {
            Self::NoCode => None,
            Self::TooLarge => Some("it is larger than 200,000 bytes"),
            Self::Unreadable => Some("it contains bytes that aren't text"),
            Self::Dangerous => {
                Some("it removes files, ends processes or drops data, so a fault in it could do harm")
            }
        }
    }
}

/// Words of code that removes files, ends processes or drops data. A check runs with the user's rights: a fault in a condition that
/// guards such code would run it where it must not.
const HARMFUL: [&str; 22] = [
    "rm",
    "rmSync",
    "rmdir",
    "rmdirSync",
    "rimraf",
    "rmtree",
    "unlink",
    "unlinkSync",
    "remove_file",
    "remove_dir",
    "remove_dir_all",
    "removeSync",
    "removedirs",
    "RemoveAll",
    "truncate",
    "truncateSync",
    "kill",
    "killpg",
    "killall",
    "DROP",
    "DELETE",
    "TRUNCATE",
];

/// Whether a text has one of these words as a whole word: also in strings, which may be commands or queries.
fn is_harmful(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| HARMFUL.contains(&word))
}

/// The lines of a changed file, each with its line ending.
struct Changed<'a> {
    path: &'a str,
    language: Language,
    before: Vec<&'a str>,
    now: Vec<&'a str>,
    /// Which bytes of each line are code, as opposed to comments or strings.
    code: Vec<Vec<bool>>,
    /// The parts of the change that change code.
    hunks: Vec<DiffOp>,
    /// Which lines are tests within the code.
    is_test: Vec<bool>,
}

impl<'a> Changed<'a> {
    fn new(file: &'a ChangedFile) -> Result<Self, Unfit> {
        let language = Language::of(&file.path).ok_or(Unfit::NoCode)?;
        let texts = || iter::once(&file.now).chain(&file.before);
        if texts().any(|text| text.len() > LARGEST) {
            return Err(Unfit::TooLarge);
        }
        if texts().any(|text| text.contains(char::REPLACEMENT_CHARACTER)) {
            return Err(Unfit::Unreadable);
        }
        let text_before = file.before.as_deref().unwrap_or_default();
        let (before, code_before) = lines_of(text_before, language);
        let (now, code) = lines_of(&file.now, language);
        let is_test = tests_in(&now, &code, language);
        let says = |lines: Range<usize>, of: &[&str], code: &[Vec<bool>]| {
            lines.into_iter().any(|line| {
                let bytes = of[line].bytes().zip(&code[line]);
                bytes.into_iter().any(|(byte, is_code)| *is_code && !byte.is_ascii_whitespace())
            })
        };
        let is_change = |op: &DiffOp| {
            !matches!(op, DiffOp::Equal { .. })
                && (says(op.old_range(), &before, &code_before) || says(op.new_range(), &now, &code))
        };
        let mut hunks = capture_diff_slices(Algorithm::Myers, &before, &now);
        hunks.retain(is_change);
        Ok(Self { path: &file.path, language, before, now, code, hunks, is_test })
    }

    /// The same if faults may be made in it.
    fn to_alter(file: &'a ChangedFile) -> Result<Self, Unfit> {
        let changed = Self::new(file)?;
        if is_harmful(&file.now) { Err(Unfit::Dangerous) } else { Ok(changed) }
    }

    /// A mutant with other lines in place of these.
    fn with(&self, lines: Range<usize>, other: &[&str], change: String) -> Mutant {
        let (head, tail) = (&self.now[..lines.start], &self.now[lines.end..]);
        let text = [head, other, tail].concat().concat();
        let line = u32::try_from(lines.start + 1).unwrap_or(u32::MAX);
        Mutant { path: self.path.to_owned(), line, change, text }
    }

    /// A mutant for each part of the change that reverts it; none for a new file, which is nothing without its parts.
    fn reverts(&self) -> Vec<Mutant> {
        let is_part =
            |op: &&DiffOp| !self.before.is_empty() && !op.new_range().any(|line| self.is_test[line]);
        let revert = |op: &DiffOp| {
            let lines = op.new_range();
            let change = match lines.len() {
                0 => "the removed lines are restored".to_owned(),
                1 => "this line is as it was before the feature".to_owned(),
                _ => {
                    format!("lines {} to {} are as they were before the feature", lines.start + 1, lines.end)
                }
            };
            self.with(lines, &self.before[op.old_range()], change)
        };
        self.hunks.iter().filter(is_part).map(revert).collect()
    }

    /// A mutant for each small fault in a changed line.
    fn faults(&self) -> Vec<Mutant> {
        let lines = self.hunks.iter().flat_map(DiffOp::new_range).filter(|line| !self.is_test[*line]);
        lines.flat_map(|line| self.faults_in(line)).collect()
    }

    fn faults_in(&self, index: usize) -> Vec<Mutant> {
        let (line, code) = (self.now[index], &self.code[index]);
        let mut others: Vec<String> = Vec::new();
        others.extend(self.language.turned_round(line, code));
        others.extend(swapped(line, code));
        let mut made: Vec<Mutant> = others
            .iter()
            .map(|other| {
                let parts = parts_that_differ(line.trim(), other.trim());
                let change = format!("`{}` becomes `{}`", shown(&parts[0]), shown(&parts[1]));
                self.with(index..index + 1, &[other], change)
            })
            .collect();
        let before = self.now[..index].iter().zip(&self.code).rev();
        let mut code_before = before.flat_map(|(line, code)| line.bytes().zip(code).rev());
        let last = code_before.find(|(byte, is_code)| **is_code && !byte.is_ascii_whitespace());
        if let Some(other) = self.language.left_out(line, code, last.map(|(byte, _)| byte)) {
            made.push(self.with(index..index + 1, &[&other], format!("`{}` is left out", shown(line))));
        }
        made
    }
}

/// The lines of a text, each with its line ending, and which bytes of each are code.
fn lines_of(text: &str, language: Language) -> (Vec<&str>, Vec<Vec<bool>>) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut code = code_in(text, language).into_iter();
    let of_lines = lines.iter().map(|line| code.by_ref().take(line.len()).collect()).collect();
    (lines, of_lines)
}

/// Which lines belong to items that Rust compiles only for tests.
fn tests_in(lines: &[&str], code: &[Vec<bool>], language: Language) -> Vec<bool> {
    let mut all = vec![false; lines.len()];
    let begins = |line: usize| {
        language == Language::Rust
            && lines[line].trim_start().starts_with("#[cfg(test)]")
            && code[line].get(lines[line].len() - lines[line].trim_start().len()) == Some(&true)
    };
    let mut line = 0;
    while line < lines.len() {
        if !begins(line) {
            line += 1;
            continue;
        }
        let (mut depth, mut is_over) = (0_usize, false);
        while line < lines.len() && !is_over {
            all[line] = true;
            for (byte, _) in lines[line].bytes().zip(&code[line]).filter(|(_, is_code)| **is_code) {
                match byte {
                    b'{' => depth += 1,
                    b'}' => {
                        depth = depth.saturating_sub(1);
                        is_over |= depth == 0;
                    }
                    b';' => is_over |= depth == 0,
                    _ => {}
                }
            }
            line += 1;
        }
    }
    all
}

/// Each operator with its replacement. An operator counts only if it isn't part of a longer one.
const SYMBOLS: [(&str, &str); 8] = [
    ("===", "!=="),
    ("!==", "==="),
    ("==", "!="),
    ("!=", "=="),
    ("<=", "<"),
    (">=", ">"),
    ("&&", "||"),
    ("||", "&&"),
];
/// Operators that mean something else without the spaces: a type's argument, a sign, a pointer.
const SPACED: [(&str, &str); 8] = [
    (" < ", " <= "),
    (" > ", " >= "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " / "),
    (" / ", " * "),
    (" += ", " -= "),
    (" -= ", " += "),
];
const WORDS: [(&str, &str); 6] = [
    ("true", "false"),
    ("false", "true"),
    ("True", "False"),
    ("False", "True"),
    ("and", "or"),
    ("or", "and"),
];

/// The line with one operator, word or number changed, in each possible way.
fn swapped(line: &str, code: &[bool]) -> Vec<String> {
    let bytes = line.as_bytes();
    let is_code = |range: &Range<usize>| code[range.clone()].iter().all(|is| *is);
    let is_one_of = |at: Option<usize>, set: &[u8]| {
        at.and_then(|at| bytes.get(at)).is_some_and(|byte| set.contains(byte))
    };
    let is_of_word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let with = |range: Range<usize>, other: &str| [&line[..range.start], other, &line[range.end..]].concat();
    let mut all: Vec<(usize, String)> = Vec::new();
    let found = |what: &str| -> Vec<Range<usize>> {
        let ranges = line.match_indices(what).map(|(at, _)| at..at + what.len());
        ranges.filter(is_code).collect()
    };
    for (from, to) in SYMBOLS {
        for range in found(from) {
            let is_longer =
                is_one_of(range.start.checked_sub(1), b"=!<>&|-+*/") || is_one_of(Some(range.end), b"=<>&|");
            if !is_longer {
                all.push((range.start, with(range, to)));
            }
        }
    }
    for (from, to) in SPACED {
        all.extend(found(from).into_iter().map(|range| (range.start, with(range, to))));
    }
    for (from, to) in WORDS {
        for range in found(from) {
            if !is_of_word(range.start.checked_sub(1)) && !is_of_word(Some(range.end)) {
                all.push((range.start, with(range, to)));
            }
        }
    }
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if end == at {
            at += 1;
            continue;
        }
        let is_part = |at: Option<usize>| is_of_word(at) || is_one_of(at, b".");
        if is_code(&(at..end)) && !is_part(at.checked_sub(1)) && !is_part(Some(end)) {
            let number = line[at..end].parse::<u32>().ok().and_then(|number| number.checked_add(1));
            all.extend(number.map(|number| (at, with(at..end, &number.to_string()))));
        }
        at = end;
    }
    sort_by_key(&mut all, |(at, _)| *at);
    all.into_iter().map(|(_, line)| line).collect()
}

/// Two lines; if they are long, only the parts that differ, with a little around them.
fn parts_that_differ(line: &str, other: &str) -> [String; 2] {
    let (line, other): (Vec<char>, Vec<char>) = (line.chars().collect(), other.chars().collect());
    let alike = |(a, b): &(&char, &char)| a == b;
    let head = line.iter().zip(&other).take_while(alike).count();
    let rest = line.len().min(other.len()) - head;
    let tail = line.iter().rev().zip(other.iter().rev()).take(rest).take_while(alike).count();
    [line, other].map(|line| {
        if line.len() <= SHOWN {
            return line.into_iter().collect();
        }
        let (from, to) = (head.saturating_sub(AROUND), (line.len() - tail + AROUND).min(line.len()));
        let mark = |is_cut: bool| if is_cut { "…" } else { "" };
        format!("{}{}{}", mark(from > 0), String::from_iter(&line[from..to]), mark(to < line.len()))
    })
}

/// A line as it is shown.
pub(super) fn shown(line: &str) -> String {
    let line = kernel::visible::line(line.trim()).replace('`', "'");
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
