//! Finds the names of models, makers and agents in a text.

use design_lab_numerics::sorting::sort_by_key;
use std::collections::BTreeSet;
use std::ops::Range;

use super::fold::{Glyph, glyphs};
use super::introduction::{introduces, is_introduced, self_descriptions};
use super::phrase::phrase_around;
use super::scrub::ScrubKind;
use super::spelling::{Spelling, gap, is_start, is_version, word_at, words};
use super::vocabulary::{FAMILIES, ORDINARY, PLATFORMS, QUALIFIERS, TELLING, Use, VENDORS};
use crate::design_lab::artefacts::Task;
use crate::design_lab::config::Config;

/// The names that are removed from the designs of a run.
#[derive(Clone, Debug)]
pub struct Names {
    /// Longest first: the first that matches is used.
    names: Vec<Name>,
    /// The words of the run's model names; they are removed with a name that they follow.
    parts: BTreeSet<String>,
}

/// A name found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found<'a> {
    pub(super) kind: ScrubKind,
    /// The key, which is the same for all names of one thing.
    pub(super) key: &'a str,
    /// Byte range in the text.
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    spelling: Spelling,
    kind: ScrubKind,
    key: String,
    scope: Scope,
    /// Whether it is a name of the run's own models.
    own: bool,
}

/// Where a name is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// Everywhere.
    Everywhere,
    /// Where the text names its own author.
    Introduced,
    /// There, and everywhere except before a surname or after a given name.
    Person,
    /// There, and if a version or the like follows.
    Versioned,
}

impl Names {
    /// Collects the names of the run's models, makers and agents, and other known names. `reported` are the names
    /// that providers gave their models in their answers.
    ///
    /// Words that the task itself uses count as technology: they are removed only where a design names its own
    /// author.
    pub fn new(config: &Config, reported: &[String], task: &Task) -> Self {
        let mut names = Self { names: Vec::new(), parts: BTreeSet::new() };
        let designers = config.design_models.iter();
        let reviewers = config.review_models.iter().map(|entry| &entry.model);
        for entry in designers.chain(reviewers) {
            names.add_model(&entry.model_id);
            for nickname in [&entry.id, &entry.name] {
                names.parts.extend(words(nickname));
                names.add_own(nickname, ScrubKind::Model);
            }
            for role in ["design", "review"] {
                names.add_own(&format!("design-lab-{role}-{}", entry.id), ScrubKind::Agent);
            }
        }
        names.add_model(&config.topic_generator_model);
        for name in reported {
            names.add_model(name);
        }
        names.add_known();
        names.spare(task);
        sort_by_key(&mut names.names, |name| std::cmp::Reverse(name.spelling.len()));
        names
    }

    /// Returns all places in the text that have to be removed, in order and without overlaps.
    pub(super) fn find<'a>(&'a self, text: &str) -> Vec<Found<'a>> {
        let glyphs = glyphs(text);
        let mut found: Vec<Found<'_>> = Vec::new();
        let (mut at, mut rest) = (0, 0);
        while at < glyphs.len() {
            // Another name may start right after one that is removed.
            let starts = is_start(&glyphs, at) || at == rest;
            match starts.then(|| self.at(&glyphs, at, rest)).flatten() {
                Some((name, range)) => {
                    let (start, end) = (glyphs[range.start].start, glyphs[range.end - 1].end);
                    found.push(Found { kind: name.kind, key: &name.key, start, end });
                    (at, rest) = (range.end, range.end);
                }
                None => at += 1,
            }
        }
        for (start, end) in self_descriptions(text) {
            if found.iter().all(|name| name.end <= start || end <= name.start) {
                found.push(Found { kind: ScrubKind::Author, key: "", start, end });
            }
        }
        sort_by_key(&mut found, |found| found.start);
        found
    }

    /// Returns the name that starts here and has to be removed, with the text that belongs to it. The text before
    /// `rest` was already removed.
    fn at(&self, text: &[Glyph], at: usize, rest: usize) -> Option<(&Name, Range<usize>)> {
        self.names.iter().filter(|name| name.spelling.first() == text[at].letter).find_map(|name| {
            let (end, telling) = self.extended(text, name.spelling.end(text, at)?, name.own);
            if let Some(phrase) = phrase_around(text, &(at..end), rest) {
                return introduces(text, &phrase, rest).then_some((name, phrase));
            }
            let goes = match name.scope {
                Scope::Everywhere => true,
                Scope::Introduced => false,
                Scope::Person => telling || !(is_surname(text, end) || follows_given_name(text, at)),
                Scope::Versioned => telling || is_called_model(text, end),
            };
            (goes || is_introduced(text, &(at..end), rest)).then_some((name, at..end))
        })
    }

    /// Returns where the name ends, including the versions, sizes and other model-name words after it, and whether
    /// any of them shows that the name is a model's.
    fn extended(&self, text: &[Glyph], mut end: usize, own: bool) -> (usize, bool) {
        let mut telling = false;
        loop {
            let gap = gap(text, end);
            let spaced = text.get(end).is_some_and(|glyph| glyph.letter.is_whitespace());
            let (word, word_end) = word_at(text, end + gap);
            let tells = is_version(&word, spaced) || TELLING.contains(&word.as_str());
            let part = (own && self.parts.contains(&word)) || QUALIFIERS.contains(&word.as_str());
            if tells || (part && !word.is_empty() && (own || telling || !spaced)) {
                telling |= tells;
                end = word_end;
            } else {
                return (dated(text, end).unwrap_or(end), telling);
            }
        }
    }

    /// Adds the names in a model's full name: each part of `provider/maker/model`, and the words of the model's
    /// name.
    fn add_model(&mut self, name: &str) {
        let (path, model) = name.rsplit_once('/').unwrap_or(("", name));
        for maker in path.split('/') {
            self.add_own(maker, ScrubKind::Vendor);
            self.add_makers(|vendor, _| words(maker).iter().any(|word| word == vendor));
        }
        self.add_own(name, ScrubKind::Model);
        self.add_own(model, ScrubKind::Model);
        for word in words(model) {
            if is_name(&word) {
                self.add_own(&word, ScrubKind::Model);
                self.add_makers(|_, families| {
                    family_of(&word).is_some_and(|family| families.contains(&family))
                });
            }
            self.parts.insert(word);
        }
    }

    /// Adds the known makers that match, unless they are known for much else.
    fn add_makers(&mut self, wanted: impl Fn(&str, &[&str]) -> bool) {
        for (vendor, families) in VENDORS {
            if wanted(vendor, families) && !PLATFORMS.contains(&vendor) {
                self.add_own(vendor, ScrubKind::Vendor);
            }
        }
    }

    fn add_own(&mut self, name: &str, kind: ScrubKind) {
        let scope = if is_ordinary(name) { Scope::Introduced } else { Scope::Everywhere };
        let known = words(name).into_iter().find(|word| is_name(word));
        let key = match kind {
            ScrubKind::Vendor => maker_of(name).unwrap_or(name).to_owned(),
            _ => known.map_or_else(|| name.to_owned(), |word| family_of(&word).map_or(word, str::to_owned)),
        };
        self.add(name, kind, key, scope, true);
    }

    fn add_known(&mut self) {
        for known in &FAMILIES {
            let scope = match known.used {
                Use::Always => Scope::Everywhere,
                Use::Introduced => Scope::Introduced,
                Use::Person => Scope::Person,
                Use::Versioned => Scope::Versioned,
            };
            self.add(known.word, ScrubKind::Model, known.line.to_owned(), scope, false);
        }
        for (vendor, families) in VENDORS {
            self.add(vendor, ScrubKind::Vendor, families[0].to_owned(), Scope::Introduced, false);
        }
    }

    fn add(&mut self, name: &str, kind: ScrubKind, key: String, scope: Scope, own: bool) {
        let Some(spelling) = Spelling::of(name) else { return };
        if self.names.iter().all(|known| known.spelling != spelling) {
            self.names.push(Name { spelling, kind, key, scope, own });
        }
    }

    /// Spares the names that the task mentions.
    fn spare(&mut self, task: &Task) {
        let texts = [&task.problem_statement].into_iter();
        let texts = texts.chain(&task.constraints).chain(&task.non_functional_requirements);
        let texts: Vec<_> = texts.map(|text| glyphs(text)).collect();
        for name in &mut self.names {
            let spoken_of = texts.iter().any(|text| {
                (0..text.len()).any(|at| is_start(text, at) && name.spelling.end(text, at).is_some())
            });
            if spoken_of && name.kind != ScrubKind::Agent {
                name.scope = Scope::Introduced;
            }
        }
    }
}

/// Whether a word of a model's name is a name on its own.
fn is_name(word: &str) -> bool {
    let is_word = word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    is_word && !ORDINARY.contains(&word) && (!QUALIFIERS.contains(&word) || family_of(word).is_some())
}

/// Whether a name is a word that any design may contain, or a number.
fn is_ordinary(name: &str) -> bool {
    match &words(name)[..] {
        [word] => ORDINARY.contains(&word.as_str()) || word.chars().all(char::is_numeric),
        _ => false,
    }
}

fn family_of(word: &str) -> Option<&'static str> {
    FAMILIES.iter().find(|known| known.word == word).map(|known| known.line)
}

/// Returns the maker's first family of models, as one key for all of the maker's names.
fn maker_of(name: &str) -> Option<&'static str> {
    let name = words(name).concat();
    VENDORS.iter().find(|(vendor, _)| words(vendor).concat() == name).map(|(_, families)| families[0])
}

/// Returns where a date in brackets after a name ends: ` (20250929)`.
fn dated(text: &[Glyph], end: usize) -> Option<usize> {
    let open = end + usize::from(text.get(end)?.letter == ' ');
    if text.get(open)?.letter != '(' {
        return None;
    }
    let (word, word_end) = word_at(text, open + 1);
    let close = text.get(word_end)?.letter == ')';
    (close && is_version(&word, false)).then_some(word_end + 1)
}

/// `Claude Shannon`.
fn is_surname(text: &[Glyph], end: usize) -> bool {
    let spaced = text.get(end).is_some_and(|glyph| glyph.letter == ' ');
    let (word, word_end) = word_at(text, (end + 1).min(text.len()));
    let capital = text.get(end + 1).is_some_and(|glyph| glyph.capital);
    let small = text[..word_end].last().is_some_and(|glyph| !glyph.capital);
    spaced && capital && small && !QUALIFIERS.contains(&word.as_str()) && family_of(&word).is_none()
}

/// `Jean-Claude`.
fn follows_given_name(text: &[Glyph], at: usize) -> bool {
    at > 1 && text[at - 1].letter == '-' && text[at - 2].letter.is_alphabetic()
}

/// `Gemini models`, `a Llama LLM`.
fn is_called_model(text: &[Glyph], end: usize) -> bool {
    let gap = gap(text, end);
    gap > 0 && matches!(word_at(text, end + gap).0.as_str(), "llm" | "llms" | "models")
}
