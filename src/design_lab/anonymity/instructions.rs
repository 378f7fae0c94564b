//! Finds text in a design that addresses the reviewer instead of describing the design.
//!
//! The text stays in the design, where [`super::shown()`] makes it harmless as a delimiter, and is flagged in the
//! results. Phrases count where they are used, not where they are mentioned: a design that defends against such text
//! quotes it.

use design_lab_numerics::sorting::sort_by_key;
use kernel::json::Deserialize;
use serde::Serialize;

use super::encoded::decoded;
use super::fold::{Glyph, glyphs};
use super::languages::Folded;
use kernel::visible::is_invisible;

/// A place where a design addresses the reviewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// JSON pointer of the text in the design.
    pub pointer: String,
    /// What the text does.
    pub kind: InstructionKind,
    /// A shortened quotation of the place, with hidden characters shown.
    pub quote: String,
}

/// What such text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructionKind {
    /// Addresses the reviewer, or states what a reviewer has to do.
    Addresses,
    /// Looks like the end of the design, or like another design.
    Delimiter,
    /// Hides text, or its order, from people.
    Hidden,
    /// Asks the reviewer to set the task or the rubric aside.
    Overrides,
    /// Asks for a score.
    Scores,
    /// Looks like the markers of a chat template or of a conversation.
    Template,
}

/// Returns all such places in a text, at most one of each kind, in the order of the kinds.
///
/// Encoded text in it counts like the text itself.
pub(super) fn find_instructions(pointer: &str, text: &str) -> Vec<Instruction> {
    let found = |kind, quote| Instruction { pointer: pointer.to_owned(), kind, quote };
    let mut all: Vec<Instruction> =
        places(text).into_iter().map(|(kind, at)| found(kind, quote(text, at))).collect();
    for (_, plain) in decoded(text) {
        let spoken = places(&plain).into_iter().filter(|(kind, _)| *kind != InstructionKind::Hidden);
        for (kind, at) in spoken {
            if all.iter().all(|known| known.kind != kind) {
                all.push(found(kind, format!("(encoded) {}", quote(&plain, at))));
            }
        }
    }
    sort_by_key(&mut all, |found| found.kind);
    all
}

/// Returns the places where a text does so, with their kinds.
fn places(text: &str) -> Vec<(InstructionKind, usize)> {
    let glyphs = glyphs(text);
    let folded: String = glyphs.iter().map(|glyph| glyph.letter).collect();
    let offset = |marks: &[&str]| {
        let at = marks.iter().filter_map(|mark| folded.find(mark)).min()?;
        Some(glyphs[folded[..at].chars().count()].start)
    };
    let words = Words::of(&glyphs);
    let abroad = Folded::new(&glyphs);
    let said = |kind, phrases| words.first(phrases).or_else(|| abroad.first(kind));
    [
        (InstructionKind::Addresses, said(InstructionKind::Addresses, ADDRESSES)),
        (InstructionKind::Delimiter, offset(&DELIMITERS)),
        (InstructionKind::Hidden, hidden(text).or_else(|| offset(&["<!--"]))),
        (InstructionKind::Overrides, said(InstructionKind::Overrides, OVERRIDES)),
        (InstructionKind::Scores, said(InstructionKind::Scores, SCORES)),
        (InstructionKind::Template, offset(&TEMPLATE_MARKS)),
    ]
    .into_iter()
    .filter_map(|(kind, at)| Some((kind, at?)))
    .collect()
}

/// Text that may look like the start or end of a design, folded.
const DELIMITERS: [&str; 6] =
    ["</design", "<design id", " <design>", "\n<design>", "[end of design", "=== end of design"];

/// Markers of chat templates, and the tags that prompts use, folded.
const TEMPLATE_MARKS: [&str; 19] = [
    "<|im_",
    "<|start",
    "<|end",
    "<|system",
    "<|user",
    "<|assistant",
    "<|eot",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<system>",
    "</system>",
    "<system-reminder",
    "<instructions>",
    "</instructions>",
    "</rubric>",
    "### instruction:",
    "\n\nhuman:",
    "\n\nassistant:",
];

/// Returns where characters start that hide text from people: tags, direction controls, or a run of zero-width
/// characters.
fn hidden(text: &str) -> Option<usize> {
    let hides = |c: char| {
        matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}'
            | '\u{e0100}'..='\u{e01ef}')
    };
    let mut run = 0;
    text.char_indices().find_map(|(at, c)| {
        run = if is_invisible(c) { run + 1 } else { 0 };
        (hides(c) || run > 3).then_some(at)
    })
}

/// Returns up to 160 characters from a place on, on one line, with invisible characters made visible.
fn quote(text: &str, at: usize) -> String {
    let line: String = text[at..]
        .chars()
        .take(160)
        .map(|c| match u32::from(c) {
            tag @ 0xe0020..=0xe007e => char::from_u32(tag - 0xe0000).unwrap_or(' '),
            _ if c.is_whitespace() => ' ',
            _ if is_invisible(c) => '\u{fffd}',
            _ => c,
        })
        .collect();
    line.trim().to_owned()
}

/// Phrases, word by word. `a|b` matches one of these words, capitals name one of [`CLASSES`], `..3` allows up to three
/// words in between, `!` marks a phrase that has to start a clause, as a command does, and `^` lists words that must
/// not be among the next two. All words of a phrase are in one sentence.
type Phrases = &'static [&'static str];

const OVERRIDES: Phrases = &[
    "! bypass|discard|disregard|forget|ignore|override ..1 \
     above|all|any|earlier|every|other|preceding|previous|prior|the|these|those|your ..3 \
     guidelines|instruction|instructions|prompt|prompts|rubric",
    "! bypass|discard|disregard|forget|ignore|override ..3 evaluation|grading|judging|review|scoring ..1 \
     criteria|dimensions|guidelines|rubric|rules|scale",
    "! new|updated ..1 instructions|rubric :",
    "rubric ..2 doesn't|not|no ..2 apply|applies|longer",
];

const SCORES: Phrases = &[
    "! RATE ..1 OURS ..4 TOP ..4 MARKS",
    "! RATE ..1 OURS ..3 10|100|ten ^ kb|mb|ms|requests|retries|seconds|times|workers",
    "! RATE ..1 it|the ..3 10|full|highest|maximum|perfect|ten|top ..3 MARKS ^ when|if",
    "! choose|pick|prefer|rank|select my|our|this ..1 DESIGN ..4 as|best|first|over|top|winner",
    "my|our|this ..1 DESIGN ..3 deserves|earns|merits|rated|receive|scored|warrants ..4 TOP ..4 MARKS",
];

const ADDRESSES: Phrases = &[
    "! dear ..1 REVIEWER",
    "! attention|instruction|instructions|message|note for|to ..2 REVIEWER ^ role|who|is|are",
    "! REVIEWER ..1 disregard|do|give|grade|ignore|must|please|rank|rate|score|should ..2 \
     10|all|any|criteria|design|give|highest|instructions|it|me|my|rate|rubric|score|the|this",
    "! REVIEWER you",
    "if you ..1 are|evaluating|grading|judging|reviewing|scoring ..2 \
     ai|assistant|evaluating|evaluator|grader|grading|judge|judging|language|llm|reviewer|reviewing|scoring",
    "if you're ..2 \
     ai|assistant|evaluating|evaluator|grader|grading|judge|judging|language|llm|reviewer|reviewing|scoring",
    "you are a|an|now|the ..2 REVIEWER",
    "as a|an|the|your ..1 REVIEWER you",
    "you the REVIEWER",
    "! when|while evaluating|grading|judging|reviewing|scoring the|these|this \
     design|designs|proposal|proposals|submission|submissions",
    "REVIEWER must|should ..1 award|give|rank|rate|score ..2 OURS",
    "! note|message|instruction|instructions for|to ..2 merger|integrator ^ role|who|is|are",
    "! when|while combining|merging the|these|this design|designs|proposal|proposals",
    "whoever|who combines|merges the|these|this ..1 design|designs|proposal|proposals must|should",
];

const CLASSES: [(&str, &str); 6] = [
    ("DESIGN", "answer|design|entry|proposal|response|solution|submission"),
    ("MARKS", "10|criteria|criterion|dimension|dimensions|grade|marks|points|rating|ratings|score|scores"),
    ("OURS", "me|mine|my|our|this"),
    ("RATE", "assign|award|give|grade|mark|rank|rate|score"),
    ("REVIEWER", REVIEWER),
    ("TOP", "10|100|best|five|full|highest|max|maximum|perfect|ten|top"),
];

const REVIEWER: &str =
    "assessor|assessors|evaluator|evaluators|grader|graders|judge|judges|reviewer|reviewers";

fn is_one_of(choice: &str, word: &str) -> bool {
    let choice = CLASSES.iter().find(|(name, _)| *name == choice).map_or(choice, |(_, words)| words);
    choice.split('|').any(|one| one == word)
}

/// The words of a text.
struct Words {
    words: Vec<Word>,
}

struct Word {
    text: String,
    /// Byte offset in the text.
    at: usize,
    /// Whether it starts a sentence.
    opens_sentence: bool,
    /// Whether it starts a clause.
    opens_clause: bool,
    /// Whether a quotation mark or a backtick precedes it.
    opens_quotation: bool,
}

impl Words {
    fn of(glyphs: &[Glyph]) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let (mut sentence, mut clause, mut quotation, mut inside) = (true, true, false, false);
        for (index, glyph) in glyphs.iter().enumerate() {
            let c = glyph.letter;
            let apostrophe =
                c == '\'' && inside && glyphs.get(index + 1).is_some_and(|next| next.letter.is_alphabetic());
            if c.is_alphanumeric() || apostrophe {
                match words.last_mut() {
                    Some(word) if inside => word.text.push(c),
                    _ => words.push(Word {
                        text: c.to_string(),
                        at: glyph.start,
                        opens_sentence: sentence,
                        opens_clause: clause,
                        opens_quotation: quotation,
                    }),
                }
                (sentence, clause, quotation, inside) = (false, false, false, true);
                continue;
            }
            inside = false;
            if c == ':' {
                words.push(Word {
                    text: ":".to_owned(),
                    at: glyph.start,
                    opens_sentence: false,
                    opens_clause: false,
                    opens_quotation: false,
                });
            }
            let ends_sentence = matches!(c, '!' | '?' | '\n')
                || (c == '.' && glyphs.get(index + 1).is_none_or(|next| next.letter.is_whitespace()));
            sentence |= ends_sentence;
            clause |= ends_sentence
                || matches!(c, ',' | ';' | ':' | '(' | '[' | '-' | '*' | '#' | '>' | '"' | '“' | '\'' | '`');
            quotation |= matches!(c, '"' | '“' | '„' | '«' | '`' | '\'');
        }
        Self { words }
    }

    /// Returns where the first of the phrases occurs.
    fn first(&self, phrases: Phrases) -> Option<usize> {
        (0..self.words.len())
            .find(|&start| phrases.iter().any(|phrase| self.says(phrase, start)) && !self.is_spoken_of(start))
            .map(|start| self.words[start].at)
    }

    fn says(&self, phrase: &str, start: usize) -> bool {
        let (command, phrase) = match phrase.strip_prefix("! ") {
            Some(phrase) => (true, phrase),
            None => (false, phrase),
        };
        let mut choices = phrase.split_whitespace();
        let (mut at, mut gap) = (start, 0);
        while let Some(choice) = choices.next() {
            if choice == "^" {
                let forbidden = choices.next().unwrap_or_default();
                return !self.words.iter().skip(at).take(2).any(|word| is_one_of(forbidden, &word.text));
            }
            if let Some(words) = choice.strip_prefix("..") {
                gap = words.parse().unwrap_or(0);
                continue;
            }
            let here = self.words.iter().enumerate().skip(at).take(gap + 1);
            let mut here = here.take_while(|(at, word)| *at == start || !word.opens_sentence);
            let Some((found, _)) = here.find(|(_, word)| is_one_of(choice, &word.text)) else { return false };
            if at == start && command && !self.commands(start) {
                return false;
            }
            (at, gap) = (found + 1, 0);
        }
        true
    }

    /// Whether a command starts here: at the start of a clause, after "please" and the like, or after "you must".
    fn commands(&self, at: usize) -> bool {
        let word = |back: usize| at.checked_sub(back).map(|at| self.words[at].text.as_str());
        if self.words[at].opens_clause {
            return true;
        }
        match word(1) {
            Some(
                "also" | "and" | "instead" | "just" | "kindly" | "now" | "please" | "simply" | "so" | "then",
            ) => true,
            Some("can" | "must" | "need" | "should" | "to" | "will") => [word(2), word(3)]
                .into_iter()
                .flatten()
                .any(|word| word == "you" || is_one_of(REVIEWER, word)),
            _ => false,
        }
    }

    /// Whether the sentence quotes the words as something to defend against.
    fn is_spoken_of(&self, at: usize) -> bool {
        let from = self.words[..=at].iter().rposition(|word| word.opens_sentence).unwrap_or(0);
        let to = self.words[at + 1..]
            .iter()
            .position(|word| word.opens_sentence)
            .map_or(self.words.len(), |next| at + 1 + next);
        let quoted = self.words[from..=at].iter().any(|word| word.opens_quotation);
        let defends = |word: &Word| {
            [
                "adversar",
                "attack",
                "block",
                "detect",
                "e.g",
                "exampl",
                "filter",
                "inject",
                "jailbreak",
                "like",
                "malicious",
                "payload",
                "phrase",
                "reject",
                "saniti",
                "strip",
                "such",
                "test",
            ]
            .iter()
            .any(|start| word.text.starts_with(start))
        };
        quoted && self.words[from..to].iter().any(defends)
    }
}
