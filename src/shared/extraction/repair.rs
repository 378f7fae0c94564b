//! The record of the repairs.

use kernel::json::Deserialize;
use serde::Serialize;
use std::fmt;

/// One kind of repair and how often it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// What was repaired.
    pub kind: RepairKind,
    /// How often; never 0.
    pub count: u32,
}

/// The sentence for people: `a trailing comma was dropped (3 times)`.
impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.sentence())?;
        match self.count {
            1 => Ok(()),
            count => write!(f, " ({count} times)"),
        }
    }
}

/// Declares the kinds once, each with its sentence, in the order in which they are listed.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $sentence:literal,)+) => {
        /// A kind of repair. None of them adds content: each writes the same thing as valid JSON or, if JSON has no word for a value,
        /// reports that.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[non_exhaustive]
        pub enum RepairKind { $($(#[$doc])* $name,)+ }

        impl RepairKind {
            const ALL: [Self; [$($sentence),+].len()] = [$(Self::$name),+];

            /// The sentence without its full stop.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }
    };
}

kinds! {
    /// `impact: high`; a guess, since it isn't certain where the text ends.
    BareText: "quotes were put around bare text",
    /// `// …`, `/* … */`, `# …`, `<!-- … -->`.
    Comment: "a comment was dropped",
    /// `"a" + "b"`.
    Concatenation: "a concatenation was joined",
    /// A raw line break, tab or other control character in a string.
    ControlCharacter: "a raw control character in a string was kept as text",
    /// `{{"a": 1}}`, as in a template.
    DoubledBrace: "a pair of doubled braces was read as one",
    /// The object was in a string, or its quotes were escaped.
    DoubleEncoded: "the object was unpacked from a string",
    /// With another value: the later one counts, as in JavaScript. Valid JSON, but worth reporting.
    DuplicateKey: "a key occurred twice and the later value was kept",
    /// `&quot;`.
    Entity: "XML entities were decoded",
    /// `\'`, `\x41`, `\d`, `\` before a line break.
    Escape: "an escape that JSON doesn't have was read",
    /// `,,` or `[,1`.
    ExtraComma: "a surplus comma was dropped",
    /// A `]` that closes nothing.
    ExtraBracket: "a surplus closing bracket was dropped",
    /// `None`, `True`, `undefined`.
    Literal: "a literal of another language was translated",
    /// Half of a surrogate pair, which no Unicode text can contain. Valid JSON by its grammar.
    LoneSurrogate: "half of a surrogate pair became U+FFFD",
    /// `{"a": [1, 2}`.
    MissingBracket: "a missing closing bracket was added before one that needs it",
    /// `{"a" 1}`.
    MissingColon: "a missing colon was added",
    /// `{"a": 1 "b": 2}`.
    MissingComma: "a missing comma was added",
    /// `{"a": "x, "b": 1}`.
    MissingQuote: "a missing quote was added",
    /// `{"a": , …}`.
    MissingValue: "a key without a value got null",
    /// NaN, Infinity, and numbers beyond every double.
    NotFinite: "a number that JSON can't hold became null",
    /// `+1`, `.5`, `5.`, `007`, `0x1F`, `1_000`.
    NumberStyle: "a number was written in JSON's way",
    /// No-break spaces, byte order marks, and `\n` spelled out between tokens.
    OddSpace: "an odd space was read as a space",
    /// Single, typographic, backtick or tripled quotes.
    QuoteStyle: "other quotes were read as double quotes",
    /// An integer beyond 64 bits. Valid JSON, but worth reporting.
    RoundedNumber: "an integer beyond 64 bits was rounded",
    /// `=`, `=>` or `：` for a colon, `;` or `，` for a comma.
    Separator: "another separator was read as a colon or comma",
    /// `[1, 2,]`.
    TrailingComma: "a trailing comma was dropped",
    /// `"say "hi" to"`; a guess, since it isn't certain which quote ends the string.
    UnescapedQuote: "a quote inside a string was escaped",
    /// `{a: 1}`.
    UnquotedKey: "quotes were put around a key",
    /// The object was inside another one: a tool call, an envelope.
    Unwrapped: "the object was taken out of an envelope",
    /// `{"a": 1]`.
    WrongBracket: "a closing bracket of the wrong kind was read as the right one",
}

impl RepairKind {
    /// Whether another reading was possible, or the text may not have been intended as JSON at all.
    fn is_guess(self) -> bool {
        matches!(
            self,
            Self::BareText
                | Self::MissingColon
                | Self::MissingQuote
                | Self::MissingValue
                | Self::UnescapedQuote
                | Self::UnquotedKey
        )
    }
}

/// Counts per kind.
#[derive(Clone, Debug)]
pub(super) struct Tally([u32; RepairKind::ALL.len()]);

impl Default for Tally {
    fn default() -> Self {
        Self([0; RepairKind::ALL.len()])
    }
}

impl Tally {
    pub(super) fn add(&mut self, kind: RepairKind) {
        let count = &mut self.0[kind as usize];
        *count = count.saturating_add(1);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count = count.saturating_add(more);
        }
    }

    pub(super) fn repairs(&self) -> Vec<Repair> {
        RepairKind::ALL
            .into_iter()
            .zip(self.0)
            .filter(|&(_, count)| count > 0)
            .map(|(kind, count)| Repair { kind, count })
            .collect()
    }

    pub(super) fn count(&self, kind: RepairKind) -> u32 {
        self.0[kind as usize]
    }

    pub(super) fn has_guess(&self) -> bool {
        RepairKind::ALL.into_iter().zip(self.0).any(|(kind, count)| count > 0 && kind.is_guess())
    }
}
