//! The tokens of TypeScript, as far as a test file is read before it runs: what is code, and what is only text in it.
//!
//! This is no parser. It tells names from strings, comments, templates and regular expressions, so that a sentence in a string is
//! never taken for code, and code is found however it is spaced.

use std::iter::Peekable;
use std::str::CharIndices;

/// A token. Comments and regular expressions are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name, a keyword or a number.
    Word(&'a str),
    /// A string, without its quotation marks and as written; of a template, a part of its text.
    Text(&'a str),
    /// Any other character.
    Mark(char),
}

/// The tokens of a text, in their order.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut reader = Reader::of(text);
    reader.code(None);
    reader.out
}

/// The same; `None` when only a parser can tell what of the text is code, so that something could hide in it.
pub(super) fn clear_tokens(text: &str) -> Option<Vec<Token<'_>>> {
    // Each of these ends a comment or begins one, which a reader of lines doesn't expect.
    const LINES: [&str; 5] = ["\r", "\u{2028}", "\u{2029}", "<!--", "-->"];
    let mut reader = Reader::of(text);
    reader.code(None);
    let is_clear = !reader.is_unclear && !LINES.iter().any(|one| text.contains(one));
    is_clear.then_some(reader.out)
}

struct Reader<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    out: Vec<Token<'a>>,
    /// Whether something in it can be read in two ways.
    is_unclear: bool,
}

impl<'a> Reader<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, rest: text.char_indices().peekable(), out: Vec::new(), is_unclear: false }
    }

    /// Reads code up to its end, or to the `}` that ends a template's expression.
    fn code(&mut self, end: Option<char>) {
        let mut depth = 0_u32;
        while let Some((at, c)) = self.rest.next() {
            match c {
                _ if Some(c) == end && depth == 0 => return,
                '"' | '\'' => self.string(at + 1, c),
                '`' => {
                    self.is_unclear |= self.is_tag();
                    self.template();
                }
                '/' if self.takes('/') => while self.rest.next_if(|(_, c)| *c != '\n').is_some() {},
                '/' if self.takes('*') => self.comment(),
                '/' => {
                    self.is_unclear |= self.is_unclear_slash(at + 1);
                    if self.is_regex() {
                        self.regex();
                    } else {
                        self.out.push(Token::Mark('/'));
                    }
                }
                c if is_word(c) => {
                    while self.rest.next_if(|(_, c)| is_word(*c)).is_some() {}
                    let end = self.offset();
                    self.out.push(Token::Word(&self.text[at..end]));
                }
                c if c.is_whitespace() => {}
                c => {
                    match c {
                        '{' => depth += 1,
                        '}' => depth = depth.saturating_sub(1),
                        // An escape in a name.
                        '\\' => self.is_unclear = true,
                        _ => {}
                    }
                    self.out.push(Token::Mark(c));
                }
            }
        }
    }

    fn takes(&mut self, wanted: char) -> bool {
        self.rest.next_if(|(_, c)| *c == wanted).is_some()
    }

    /// The byte offset of the next character.
    fn offset(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    /// Reads a string. One that isn't closed ends with its line.
    fn string(&mut self, start: usize, quote: char) {
        let mut end = None;
        while let Some((at, c)) = self.rest.next() {
            match c {
                '\\' => {
                    self.rest.next();
                }
                c if c == quote || c == '\n' => {
                    self.is_unclear |= c == '\n';
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        self.is_unclear |= end.is_none();
        self.out.push(Token::Text(&self.text[start..end.unwrap_or(self.text.len())]));
    }

    fn template(&mut self) {
        let mut start = self.offset();
        while let Some((at, c)) = self.rest.next() {
            match c {
                '\\' => {
                    self.rest.next();
                }
                '`' => {
                    self.out.push(Token::Text(&self.text[start..at]));
                    return;
                }
                '$' if self.takes('{') => {
                    self.out.push(Token::Text(&self.text[start..at]));
                    self.code(Some('}'));
                    start = self.offset();
                }
                _ => {}
            }
        }
        self.is_unclear = true;
    }

    fn comment(&mut self) {
        let mut before = ' ';
        for (_, c) in self.rest.by_ref() {
            if before == '*' && c == '/' {
                return;
            }
            before = c;
        }
        self.is_unclear = true;
    }

    /// Whether a `/` begins a regular expression: after a value it divides.
    fn is_regex(&self) -> bool {
        match self.out.last() {
            Some(Token::Mark(')' | ']' | '}') | Token::Text(_)) => false,
            // A non-null assertion, or an operator behind its operand.
            Some(Token::Mark('!')) => !self.follows_value(1),
            Some(Token::Mark(mark @ ('+' | '-'))) => {
                self.out.iter().rev().nth(1) != Some(&Token::Mark(*mark)) || !self.follows_value(2)
            }
            None | Some(Token::Mark(_)) => true,
            Some(Token::Word(word)) => matches!(*word, "return" | "typeof" | "case" | "in" | "of" | "await"),
        }
    }

    /// Whether a `/` may begin a regular expression, or may not, depending on what only a parser knows. `after`: the offset behind it.
    fn is_unclear_slash(&self, after: usize) -> bool {
        const WORDS: [&str; 20] = [
            "of",
            "await",
            "yield",
            "async",
            "let",
            "static",
            "get",
            "set",
            "else",
            "do",
            "void",
            "delete",
            "new",
            "instanceof",
            "throw",
            "extends",
            "default",
            "finally",
            "try",
            "in",
        ];
        match self.out.last() {
            Some(Token::Word(word)) => WORDS.contains(word),
            // If nothing behind it could hide code, it doesn't matter.
            Some(Token::Mark(')' | '}')) => self.text[after..].contains(['"', '\'', '`', '/']),
            Some(Token::Mark('!')) => self.follows_value(1),
            _ => false,
        }
    }

    /// Whether a template that begins here is handed to a function.
    fn is_tag(&self) -> bool {
        const WORDS: [&str; 7] = ["return", "typeof", "case", "in", "of", "await", "default"];
        match self.out.last() {
            Some(Token::Word(word)) => !WORDS.contains(word),
            Some(Token::Mark(mark)) => matches!(mark, ')' | ']' | '}'),
            _ => false,
        }
    }

    /// Whether a value precedes the last `marks` tokens.
    fn follows_value(&self, marks: usize) -> bool {
        matches!(
            self.out.iter().rev().nth(marks),
            Some(Token::Word(_) | Token::Text(_) | Token::Mark(')' | ']' | '}'))
        )
    }

    fn regex(&mut self) {
        let mut in_class = false;
        while let Some((_, c)) = self.rest.next() {
            match c {
                '\\' => {
                    self.rest.next();
                }
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => break,
                '\n' => return,
                _ => {}
            }
        }
        while self.rest.next_if(|(_, c)| is_word(*c)).is_some() {}
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;
    use Token::{Mark, Text, Word};
    use proptest::prelude::*;

    #[test]
    fn code_is_told_from_text() {
        for (text, expected) in [
            ("a.b", vec![Word("a"), Mark('.'), Word("b")]),
            ("'it\\'s' // require('x')\n\"\"", vec![Text("it\\'s"), Text("")]),
            ("/* import 'fs' */ x", vec![Word("x")]),
            (
                "`a ${b + `${c}`} d`",
                vec![Text("a "), Word("b"), Mark('+'), Text(""), Word("c"), Text(""), Text(" d")],
            ),
            (
                "`${ { a: 1 } }`",
                vec![Text(""), Mark('{'), Word("a"), Mark(':'), Word("1"), Mark('}'), Text("")],
            ),
            ("f(/process.exit[/]'/g, 1)", vec![Word("f"), Mark('('), Mark(','), Word("1"), Mark(')')]),
            (
                "!/x/ && a++ / b! / 'c'",
                vec![
                    Mark('!'),
                    Mark('&'),
                    Mark('&'),
                    Word("a"),
                    Mark('+'),
                    Mark('+'),
                    Mark('/'),
                    Word("b"),
                    Mark('!'),
                    Mark('/'),
                    Text("c"),
                ],
            ),
            ("a / b / 'c'", vec![Word("a"), Mark('/'), Word("b"), Mark('/'), Text("c")]),
            ("'open\nx", vec![Text("open"), Word("x")]),
            ("`open", vec![]),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_tokens(text in "[ -~\n`'\"/\\\\${}é]{0,60}") {
            let all = tokens(&text);
            prop_assert!(all.len() <= text.len() + 1);
        }
    }
}
