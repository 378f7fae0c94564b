//! Names of models, makers and agents, found in a text however they are spelled.

use std::collections::BTreeSet;

use super::fold::{Glyph, glyphs};
use super::vocabulary::{FAMILIES, ORDINARY, PLATFORMS, QUALIFIERS, TELLING, Use, VENDORS};
use crate::artefacts::Task;
use crate::config::Config;

/// The names that are taken out of the designs of a run.
#[derive(Clone, Debug)]
pub struct Names {
    /// Longest first: the first that fits is the one.
    patterns: Vec<Pattern>,
    /// What the run's model names are made of: goes with a name that it follows.
    parts: BTreeSet<String>,
}

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Agent,
    Model,
    Vendor,
}

/// A name found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found<'a> {
    pub(super) kind: Kind,
    /// The same for all names of one thing.
    pub(super) key: &'a str,
    /// Byte range in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    /// Letters and digits only.
    letters: Vec<char>,
    /// Before which letters a separator may stand, whatever their number.
    joints: Vec<bool>,
    kind: Kind,
    key: String,
    scope: Scope,
    /// Of the run itself.
    own: bool,
}

/// Where a name is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Everywhere.
    Everywhere,
    /// Where the text says who wrote it.
    Identity,
    /// There, and everywhere but before a surname.
    Person,
    /// There, and with a version or the like behind.
    Versioned,
}

impl Names {
    /// The names of the run's models, makers and agents, and the known others. `reported` are the names by which
    /// providers called their models in their answers. What the task itself speaks of is technology, and stays.
    pub fn new(config: &Config, reported: &[String], task: &Task) -> Self {
        let mut names = Self { patterns: Vec::new(), parts: BTreeSet::new() };
        let designers = config.design_models.iter();
        let reviewers = config.review_models.iter().map(|entry| &entry.model);
        for entry in designers.chain(reviewers) {
            for role in ["design", "review"] {
                names.add(&format!("design-lab-{role}-{}", entry.id), Kind::Agent, true);
            }
            names.add_model(&entry.model_id);
            names.add_name(&entry.id);
            names.add_name(&entry.name);
        }
        names.add_model(&config.topic_generator_model);
        for name in reported {
            names.add_model(name);
        }
        names.add_known();
        let texts = [&task.problem_statement].into_iter();
        let texts = texts.chain(&task.constraints).chain(&task.non_functional_requirements);
        names.except(&texts.map(String::as_str).collect::<Vec<_>>().join("\n"));
        names.patterns.sort_by(|a, b| b.letters.len().cmp(&a.letters.len()).then(b.own.cmp(&a.own)));
        names
    }

    /// All names in the text that have to go, in order, none overlapping.
    pub(super) fn find<'a>(&'a self, text: &str) -> Vec<Found<'a>> {
        let text = glyphs(text);
        let mut found: Vec<Found<'_>> = Vec::new();
        let mut at = 0;
        while at < text.len() {
            match self.at(&text, at) {
                Some((pattern, end)) => {
                    let (start, last) = (text[at].start, text[end - 1].end);
                    found.push(Found { kind: pattern.kind, key: &pattern.key, start, end: last });
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }

    /// The name that begins here, with what belongs to it behind.
    fn at(&self, text: &[Glyph], at: usize) -> Option<(&Pattern, usize)> {
        let first = text[at].letter;
        if !first.is_alphanumeric() || !is_start(text, at) {
            return None;
        }
        self.patterns.iter().filter(|pattern| pattern.letters[0] == first).find_map(|pattern| {
            let end = pattern.end(text, at)?;
            let (full, telling) = self.extended(text, end, pattern.own);
            let wanted = match pattern.scope {
                Scope::Everywhere => true,
                Scope::Identity => false,
                Scope::Person => telling || !(is_surname(text, full) || follows_given_name(text, at)),
                Scope::Versioned => telling || is_called_model(text, full),
            };
            (wanted || is_introduced(text, at, full)).then_some((pattern, full))
        })
    }

    /// Where the name ends with versions, sizes and further words of model names behind it, and whether any of them
    /// tells that the name is a model's.
    fn extended(&self, text: &[Glyph], mut end: usize, own: bool) -> (usize, bool) {
        let mut telling = false;
        loop {
            let gap = gap(text, end);
            let start = end + gap;
            let spaced = text.get(end).is_some_and(|glyph| glyph.letter == ' ');
            let word_end = word_end(text, start);
            if word_end == start {
                return (end, telling);
            }
            let word: String = text[start..word_end].iter().map(|glyph| glyph.letter).collect();
            let version = is_version(&word, spaced);
            let known = TELLING.contains(&word.as_str());
            let part = (own && self.parts.contains(&word)) || QUALIFIERS.contains(&word.as_str());
            if !(version || known || (part && (own || telling || !spaced))) {
                return (end, telling);
            }
            telling |= version || known;
            end = word_end;
        }
    }

    /// Adds all that a model's full name tells: `provider/maker/model`, each for itself, and the words of the model.
    fn add_model(&mut self, name: &str) {
        let mut segments = name.split('/');
        let Some(model) = segments.next_back() else { return };
        for segment in segments {
            self.add(segment, Kind::Vendor, true);
        }
        self.add(name, Kind::Model, true);
        self.add_name(model);
    }

    /// Adds a model's name and the words in it that are names by themselves.
    fn add_name(&mut self, name: &str) {
        self.add(name, Kind::Model, true);
        let words = words(name);
        let key = words.iter().find(|word| is_name(word)).cloned();
        for word in &words {
            self.parts.insert(word.clone());
            if is_name(word) {
                self.add(word, Kind::Model, true);
                for &(vendor, families) in &VENDORS {
                    let theirs = families.iter().any(|family| family_of(word) == Some(family));
                    if theirs && !PLATFORMS.contains(&vendor) {
                        self.add(vendor, Kind::Vendor, true);
                    }
                }
            }
        }
        // A version goes with whatever name is before it.
        if let Some(key) = key {
            let letters: String = words.concat();
            for pattern in &mut self.patterns {
                if pattern.letters.iter().collect::<String>() == letters && family_of(&pattern.key).is_none()
                {
                    pattern.key = family_of(&key).unwrap_or(&key).to_owned();
                }
            }
        }
    }

    fn add(&mut self, name: &str, kind: Kind, own: bool) {
        let scope = if is_ordinary(name) { Scope::Identity } else { Scope::Everywhere };
        let key = family_of(&name.to_lowercase()).unwrap_or(name).to_lowercase();
        self.push(name, kind, key, scope, own);
    }

    fn add_known(&mut self) {
        for known in &FAMILIES {
            let scope = match known.used {
                Use::Always => Scope::Everywhere,
                Use::Person => Scope::Person,
                Use::Versioned => Scope::Versioned,
            };
            self.push(known.word, Kind::Model, known.family.to_owned(), scope, false);
        }
        for (vendor, _) in &VENDORS {
            self.push(vendor, Kind::Vendor, (*vendor).to_owned(), Scope::Identity, false);
        }
    }

    fn push(&mut self, name: &str, kind: Kind, key: String, scope: Scope, own: bool) {
        let words = words(name);
        let letters: Vec<char> = words.iter().flat_map(|word| word.chars()).collect();
        if letters.len() < 2 || self.patterns.iter().any(|pattern| pattern.letters == letters) {
            return;
        }
        let joints =
            words.iter().flat_map(|word| word.chars().enumerate().map(|(index, _)| index == 0)).collect();
        self.patterns.push(Pattern { letters, joints, kind, key, scope, own });
    }

    /// Leaves what the text speaks of to where a design says who wrote it.
    fn except(&mut self, text: &str) {
        let text = glyphs(text);
        for pattern in &mut self.patterns {
            let named = (0..text.len()).any(|at| is_start(&text, at) && pattern.end(&text, at).is_some());
            if named && pattern.kind != Kind::Agent {
                pattern.scope = Scope::Identity;
            }
        }
    }
}

impl Pattern {
    /// Where the name ends if it begins here, separators inside and a plural behind included.
    fn end(&self, text: &[Glyph], start: usize) -> Option<usize> {
        let mut at = start;
        for (index, &letter) in self.letters.iter().enumerate() {
            if index > 0 && text.get(at)?.letter != letter {
                let gap = gap(text, at);
                let spaced = text[at].letter.is_whitespace();
                if gap == 0 || (spaced && !self.joints[index] && self.letters.len() < 5) {
                    return None;
                }
                at += gap;
            }
            if text.get(at)?.letter != letter {
                return None;
            }
            at += 1;
        }
        if is_end(text, at) || (self.letters.len() > 5 && !self.letters.ends_with(&['s'])) {
            return Some(at);
        }
        let plural = text[at].letter == 's' && is_end(text, at + 1);
        plural.then_some(at + 1)
    }
}

/// The words of a name: runs of letters or digits, folded.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for glyph in glyphs(name) {
        let c = glyph.letter;
        if c.is_alphanumeric() {
            match words.last_mut() {
                Some(word) if last.is_alphanumeric() && last.is_numeric() == c.is_numeric() => word.push(c),
                _ => words.push(c.to_string()),
            }
        }
        last = c;
    }
    words
}

/// Whether a word of a model's name is a name by itself.
fn is_name(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    letters > 2 && !ORDINARY.contains(&word) && (!QUALIFIERS.contains(&word) || family_of(word).is_some())
}

/// Whether a name is made of nothing but words that any design may hold.
fn is_ordinary(name: &str) -> bool {
    let words = words(name);
    words.len() == 1 && (ORDINARY.contains(&words[0].as_str()) || words[0].chars().all(char::is_numeric))
}

fn family_of(word: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|known| known.word == word || known.family == word).map(|known| known.family)
}

/// Whether a word begins here: after no letter or digit, at a capital after a small letter, at a letter after a digit.
fn is_start(text: &[Glyph], at: usize) -> bool {
    let here = text[at];
    let Some(before) = at.checked_sub(1).map(|at| text[at]) else { return true };
    !before.letter.is_alphanumeric()
        || (here.capital && !before.capital)
        || (here.letter.is_alphabetic() && before.letter.is_numeric())
}

/// Whether a word has ended here, by the same marks, or by a digit after a letter.
fn is_end(text: &[Glyph], at: usize) -> bool {
    let Some(here) = text.get(at) else { return true };
    let Some(last) = at.checked_sub(1).map(|at| text[at]) else { return true };
    if !here.letter.is_alphanumeric() {
        return true;
    }
    if here.capital {
        let small_next = text.get(at + 1).is_some_and(|next| next.letter.is_alphabetic() && !next.capital);
        return !last.capital || small_next;
    }
    here.letter.is_numeric() != last.letter.is_numeric()
}

/// The end of the run of letters and digits that begins here; one dot between digits belongs to it.
fn word_end(text: &[Glyph], start: usize) -> usize {
    let mut end = start;
    while let Some(glyph) = text.get(end) {
        let digit = |at: usize| text.get(at).is_some_and(|glyph| glyph.letter.is_ascii_digit());
        let inner_dot = glyph.letter == '.' && end > start && digit(end - 1) && digit(end + 1);
        let next_word = end > start && glyph.capital && !text[end - 1].capital;
        if !(glyph.letter.is_alphanumeric() || inner_dot) || (next_word && !digit(end - 1)) {
            break;
        }
        end += 1;
    }
    end
}

/// How many glyphs separate two parts of one name here: up to two marks, or one space, or marks of emphasis.
fn gap(text: &[Glyph], at: usize) -> usize {
    let letter = |at: usize| text.get(at).map(|glyph| glyph.letter);
    let mark = |at: usize| letter(at).is_some_and(|c| "-_./:*`~+".contains(c));
    let space = |at: usize| letter(at).is_some_and(char::is_whitespace);
    let alphanumeric = |at: usize| letter(at).is_some_and(char::is_alphanumeric);
    for length in 1..=3 {
        let (spaces, marks) = (at..at + length).fold((0, 0), |(spaces, marks), at| {
            (spaces + usize::from(space(at)), marks + usize::from(mark(at)))
        });
        if spaces + marks < length {
            return 0;
        }
        if alphanumeric(at + length) {
            let sentence = letter(at) == Some('.') && spaces > 0;
            return if sentence { 0 } else { length };
        }
    }
    0
}

/// `4`, `4.5`, `v3`, `4o`, `70b`, `k2`, `20250514`. After a space a plain number counts only up to 9.
fn is_version(word: &str, spaced: bool) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    digits > 0 && letters <= 2 && !(spaced && letters == 0 && digits > 1 && !word.contains('.'))
}

fn is_surname(text: &[Glyph], end: usize) -> bool {
    let space = text.get(end).is_some_and(|glyph| glyph.letter == ' ');
    let name = text.get(end + 1).is_some_and(|glyph| glyph.capital);
    let more = text.get(end + 2).is_some_and(|glyph| glyph.letter.is_alphabetic() && !glyph.capital);
    let word: String =
        text.iter().skip(end + 1).map(|glyph| glyph.letter).take_while(|c| c.is_alphabetic()).collect();
    space && name && more && !QUALIFIERS.contains(&word.as_str()) && family_of(&word).is_none()
}

/// `Jean-Claude`.
fn follows_given_name(text: &[Glyph], at: usize) -> bool {
    at > 1 && text[at - 1].letter == '-' && text[at - 2].letter.is_alphabetic()
}

/// `Gemini models`, `a Llama LLM`.
fn is_called_model(text: &[Glyph], end: usize) -> bool {
    let start = end + gap(text, end);
    let word: String = text[start..word_end(text, start)].iter().map(|glyph| glyph.letter).collect();
    let name = text.get(end.wrapping_sub(1)).is_some() && start > end;
    name && matches!(word.as_str(), "llm" | "llms" | "models")
}

/// Whether the text says here that the name is its author's.
fn is_introduced(text: &[Glyph], at: usize, end: usize) -> bool {
    let line = text[..at].iter().rposition(|glyph| glyph.letter == '\n').map_or(0, |at| at + 1);
    let before: String = text[line..at].iter().map(|glyph| glyph.letter).collect();
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"'([{“‘~".contains(c));
    let rest: String =
        text[end..].iter().map(|glyph| glyph.letter).take(40).take_while(|&c| c != '\n').collect();
    let rest = rest.trim_start_matches(|c: char| "*_`\"')]}”".contains(c));
    let ends_line = rest.trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
    let sentence_ends = rest.starts_with([',', '.', '!', ';']) || ends_line;

    let ends_with = |phrases: &[&str]| {
        phrases.iter().any(|phrase| {
            before.strip_suffix(phrase).is_some_and(|start| !start.ends_with(char::is_alphanumeric))
        })
    };
    ends_with(&["i am", "i'm", "my name is", "call me", "i, ", "signed,", "regards,", "yours,", "sincerely,"])
        || ends_with(&[
            "generated by",
            "written by",
            "authored by",
            "drafted by",
            "prepared by",
            "composed by",
            "submitted by",
            "signed by",
            "co-authored-by:",
            "generated with",
            "proposed by",
        ])
        || (ends_with(&["as", "as a", "as an", "this is", "me,", "i,"])
            && (sentence_ends || rest.trim_start().starts_with("i ")))
        || (ends_line
            && matches!(
                before.trim(),
                "" | "-"
                    | "--"
                    | "---"
                    | "author:"
                    | "model:"
                    | "by:"
                    | "by"
                    | "from:"
                    | "assistant:"
                    | "designer:"
                    | "signature:"
            )
            && !(before.trim().is_empty() && line == 0))
        || (ends_line && ends_with(&["—", "-- ", "- by", "~"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_split_into_words() {
        assert_eq!(words("Claude-Sonnet_4.5"), ["claude", "sonnet", "4", "5"]);
        assert_eq!(words("gpt4o"), ["gpt", "4", "o"]);
        assert_eq!(words("--"), Vec::<String>::new());
    }
}
