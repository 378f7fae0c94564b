//! The pattern in a sentence of feedback: what no change may add, what to use instead, and in which files.
//!
//! The words decide, and no model is asked. Where they hold no pattern, or hold it only under a condition, the sentence stays a
//! sentence: a pattern that was read into it would refuse changes that the user never meant.

use super::rule::TESTS;
use kernel::json::Deserialize;
use serde::Serialize;

/// The longest pattern, in characters.
pub(super) const LONGEST_PATTERN: usize = 200;

/// What a sentence of feedback says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Understood {
    /// What no change may add; `None` when the sentence stays a sentence.
    pub pattern: Option<String>,
    /// What to use instead.
    pub instead: Option<String>,
    /// The files that it is about, as globs; empty for all files.
    #[serde(default)]
    pub files: Vec<String>,
}

/// Why a sentence holds no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Without {
    /// It doesn't say what not to use.
    NothingForbidden,
    /// It says so only for some cases.
    Condition,
    /// It names several things.
    Several,
    /// What it names isn't a piece of code.
    Prose,
    /// What it names is too long.
    TooLong,
}

/// A word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// Text in quotes, back ticks or a code block.
    Quoted(String),
    /// A punctuation mark that ends a part of a sentence.
    Mark(char),
}

/// Words after which a negated verb is followed by what it forbids.
const VERBS: [&str; 24] = [
    "use",
    "using",
    "call",
    "calling",
    "import",
    "importing",
    "require",
    "introduce",
    "introducing",
    "write",
    "writing",
    "add",
    "adding",
    "include",
    "put",
    "leave",
    "commit",
    "log",
    "return",
    "throw",
    "declare",
    "employ",
    "print",
    "create",
];
/// Of these, the verbs whose object is a piece of code even without quotes.
const CODE_VERBS: [&str; 9] =
    ["use", "using", "call", "calling", "import", "importing", "require", "introduce", "introducing"];
/// Words that stand before a name and aren't part of it.
const ARTICLES: [&str; 9] = ["a", "an", "the", "our", "your", "any", "plain", "raw", "bare"];
/// Words that say what a name is.
const NOUNS: [&str; 30] = [
    "api",
    "attribute",
    "call",
    "calls",
    "class",
    "command",
    "component",
    "crate",
    "decorator",
    "directive",
    "element",
    "expression",
    "expressions",
    "framework",
    "function",
    "hook",
    "keyword",
    "library",
    "macro",
    "method",
    "module",
    "operator",
    "package",
    "property",
    "statement",
    "statements",
    "syntax",
    "tag",
    "type",
    "types",
];
/// Words that stand for something said elsewhere.
const VAGUE: [&str; 16] = [
    "it",
    "this",
    "that",
    "them",
    "these",
    "those",
    "such",
    "so",
    "one",
    "things",
    "stuff",
    "something",
    "anything",
    "everything",
    "there",
    "too",
];
/// Words that restrict what is forbidden to some cases.
const CONDITIONS: [&str; 16] = [
    "without", "unless", "except", "if", "when", "whenever", "where", "outside", "directly", "before",
    "after", "until", "while", "more", "only", "with",
];
/// Words that end a name.
const ENDS: [&str; 24] = [
    "in", "inside", "within", "for", "instead", "rather", "over", "to", "into", "by", "with", "from",
    "anymore", "anywhere", "ever", "again", "here", "because", "since", "as", "use", "prefer", "but",
    "please",
];
/// Words after "in" that mean the whole project.
const EVERYWHERE: [&str; 10] = [
    "project",
    "code",
    "codebase",
    "repository",
    "repo",
    "app",
    "application",
    "source",
    "sources",
    "package",
];
/// The name endings of languages.
const LANGUAGES: [(&str, &[&str]); 24] = [
    ("typescript", &["*.ts", "*.tsx", "*.mts", "*.cts"]),
    ("javascript", &["*.js", "*.jsx", "*.mjs", "*.cjs"]),
    ("python", &["*.py", "*.pyi"]),
    ("rust", &["*.rs"]),
    ("golang", &["*.go"]),
    ("go", &["*.go"]),
    ("java", &["*.java"]),
    ("kotlin", &["*.kt", "*.kts"]),
    ("swift", &["*.swift"]),
    ("ruby", &["*.rb"]),
    ("php", &["*.php"]),
    ("c#", &["*.cs"]),
    ("c++", &["*.cc", "*.cpp", "*.cxx", "*.h", "*.hh", "*.hpp"]),
    ("c", &["*.c", "*.h"]),
    ("scala", &["*.scala"]),
    ("elixir", &["*.ex", "*.exs"]),
    ("shell", &["*.sh", "*.bash"]),
    ("css", &["*.css", "*.scss", "*.less"]),
    ("html", &["*.html", "*.htm"]),
    ("sql", &["*.sql"]),
    ("yaml", &["*.yml", "*.yaml"]),
    ("json", &["*.json", "*.jsonc"]),
    ("markdown", &["*.md"]),
    ("vue", &["*.vue"]),
];

/// Reads a sentence. The second value is why it holds no pattern, if it holds none.
pub(super) fn understand(said: &str) -> (Understood, Option<Without>) {
    let tokens = tokens(said);
    match read(&tokens) {
        Ok(understood) => (understood, None),
        Err(why) => (Understood::default(), Some(why)),
    }
}

fn read(tokens: &[Token]) -> Result<Understood, Without> {
    let all = Words(tokens);
    let (pattern, instead, end) = all.forbidden()?;
    let files = all.files()?;
    if all.is_conditional(end) {
        return Err(Without::Condition);
    }
    let instead = instead.or_else(|| all.instead_after(end)).filter(|instead| *instead != pattern);
    if pattern.chars().count() > LONGEST_PATTERN {
        return Err(Without::TooLong);
    }
    Ok(Understood { pattern: Some(pattern), instead, files })
}

/// The tokens of a sentence.
#[derive(Clone, Copy)]
struct Words<'a>(&'a [Token]);

/// What is forbidden, what is used instead, and the index after both.
type Forbidden = (String, Option<String>, usize);

impl<'a> Words<'a> {
    /// A word in lower case, with a straight apostrophe; empty for anything else.
    fn word(self, index: usize) -> String {
        match self.0.get(index) {
            Some(Token::Word(word)) => word.to_lowercase().replace('’', "'"),
            _ => String::new(),
        }
    }

    fn is(self, index: usize, words: &[&str]) -> bool {
        words.contains(&self.word(index).as_str())
    }

    fn quoted(self, index: usize) -> Option<&'a str> {
        match self.0.get(index) {
            Some(Token::Quoted(text)) => Some(text),
            _ => None,
        }
    }

    /// The first thing that the sentence forbids.
    fn forbidden(self) -> Result<Forbidden, Without> {
        let mut why = Without::NothingForbidden;
        for index in 0..self.0.len() {
            match self.forbidden_at(index) {
                Some(Ok(found)) => return Ok(found),
                Some(Err(reason)) if why == Without::NothingForbidden => why = reason,
                _ => {}
            }
        }
        Err(why)
    }

    /// What a phrase forbids that begins here; `None` when no such phrase begins here.
    fn forbidden_at(self, at: usize) -> Option<Result<Forbidden, Without>> {
        if let Some(verb) = self.after_negation(at) {
            if self.quoted(verb).is_some() {
                return Some(self.name(verb, true).map(|(name, end)| (name, None, end)));
            }
            let (from, is_code) = match self.word(verb).as_str() {
                "reach" | "rely" | "depend" => (verb + 2, true),
                word if VERBS.contains(&word) => (verb + 1, CODE_VERBS.contains(&word)),
                _ => return None,
            };
            if self.is(from, &["out", "off"]) {
                return None;
            }
            return Some(self.name(from, is_code).map(|(name, end)| (name, None, end)));
        }
        let from = match self.word(at).as_str() {
            "stop" | "quit" if self.is(at + 1, &VERBS) => at + 2,
            "avoid" if self.is(at + 1, &VERBS) => at + 2,
            "avoid" | "ban" | "forbid" => at + 1,
            "replace" | "change" | "swap" | "convert" => {
                return self.pair(at + 1, &["with", "by", "to", "into", "for"], false);
            }
            "switch" | "migrate" | "move" if self.is(at + 1, &["from", "away"]) => {
                let from = if self.is(at + 1, &["away"]) { at + 3 } else { at + 2 };
                return self.pair(from, &["to"], false);
            }
            "use" | "prefer" => {
                return self.pair(at + 1, &["instead", "rather", "over", "not", "to"], true);
            }
            "instead" if self.is(at + 1, &["of"]) => at + 2,
            _ => return None,
        };
        Some(self.name(from, true).map(|(name, end)| (name, None, end)))
    }

    /// The index after "don't", "do not", "never" and the like; `None` for anything else.
    fn after_negation(self, at: usize) -> Option<usize> {
        match self.word(at).as_str() {
            "don't" | "dont" | "never" | "shouldn't" | "mustn't" | "won't" => {
                Some(self.skip(at + 1, &["ever", "please"]))
            }
            "do" | "must" | "should" | "may" if self.is(at + 1, &["not", "never"]) => {
                Some(self.skip(at + 2, &["ever"]))
            }
            _ => None,
        }
    }

    fn skip(self, at: usize, words: &[&str]) -> usize {
        if self.is(at, words) { at + 1 } else { at }
    }

    /// Two names with one of these words between them. `forbids_second`: as in "use Y instead of X". `None` when there are no such two.
    fn pair(self, from: usize, between: &[&str], forbids_second: bool) -> Option<Result<Forbidden, Without>> {
        let (first, mut at) = self.name(from, true).ok()?;
        if self.0.get(at) == Some(&Token::Mark(',')) {
            at += 1;
        }
        if !self.is(at, between) {
            return None;
        }
        let word = self.word(at);
        at = match word.as_str() {
            "instead" | "rather" if self.is(at + 1, &["of", "than"]) => at + 2,
            // "Use X instead" names nothing that is forbidden.
            "instead" | "rather" => return None,
            // "Use X to …" says what for, and "prefer Y to X" forbids.
            "to" if forbids_second && self.word(from - 1) == "use" => return None,
            _ => at + 1,
        };
        let second = self.name(at, true);
        Some(match (second, forbids_second) {
            (Ok((second, end)), true) => Ok((second, Some(first), end)),
            (Ok((second, end)), false) => Ok((first, Some(second), end)),
            (Err(why), true) => Err(why),
            // What to use instead may be said in many words.
            (Err(_), false) => Ok((first, None, at)),
        })
    }

    /// The name that begins here, and the index after it. `is_code`: whether a word without quotes counts as one.
    fn name(self, from: usize, is_code: bool) -> Result<(String, usize), Without> {
        let mut at = from;
        while self.is(at, &ARTICLES)
            && !matches!(self.0.get(at + 1), None | Some(Token::Mark(_)))
            && !self.is(at + 1, &ENDS)
        {
            at += 1;
        }
        // "the function `foo`"
        if self.is(at, &NOUNS) && matches!(self.0.get(at + 1), Some(Token::Quoted(_))) {
            at += 1;
        }
        if let Some(text) = self.quoted(at) {
            if text.trim().is_empty() {
                return Err(Without::Prose);
            }
            let end = if self.is(at + 1, &NOUNS) { at + 2 } else { at + 1 };
            return self.alone(text.to_owned(), end);
        }
        let mut words = Vec::new();
        while let Some(Token::Word(word)) = self.0.get(at) {
            if self.is(at, &ENDS)
                || self.is(at, &CONDITIONS) && !words.is_empty()
                || self.is(at, &["and", "or", "nor", "not"])
            {
                break;
            }
            words.push(word.clone());
            at += 1;
        }
        let is_noun = |word: &String| NOUNS.contains(&word.to_lowercase().as_str());
        let name = match &words[..] {
            [name] => name,
            [name, noun] if is_noun(noun) => name,
            [noun, name] if is_noun(noun) => name,
            _ => return Err(Without::Prose),
        };
        if !is_code || VAGUE.contains(&name.to_lowercase().as_str()) || name.ends_with("'s") {
            return Err(Without::Prose);
        }
        self.alone(name.clone(), at)
    }

    /// The name, unless another one follows.
    fn alone(self, name: String, end: usize) -> Result<(String, usize), Without> {
        let comma = self.0.get(end) == Some(&Token::Mark(',')) && self.quoted(end + 1).is_some();
        if comma || self.is(end, &["and", "or", "nor"]) && !self.is(end + 1, &["use", "prefer", "always"]) {
            return Err(Without::Several);
        }
        Ok((name.trim().to_owned(), end))
    }

    /// Whether the part of the sentence after the forbidden name sets a condition.
    fn is_conditional(self, end: usize) -> bool {
        let rest = (end..self.0.len()).take_while(|index| !matches!(self.0[*index], Token::Mark(_)));
        let mut rest = rest.peekable();
        let first = rest.peek().copied();
        rest.take_while(|index| !self.is(*index, &["use", "prefer", "because", "since"]))
            .any(|index| self.is(index, &CONDITIONS) && !(self.is(index, &["more"]) && first == Some(index)))
    }

    /// What "use Y instead", "use Y" or "prefer Y" names after this index.
    fn instead_after(self, end: usize) -> Option<String> {
        (end..self.0.len()).find_map(|at| {
            let is_verb = self.is(at, &["use", "prefer", "take", "call"]);
            is_verb.then(|| self.name(at + 1, true).ok()).flatten().map(|(name, _)| name)
        })
    }

    /// The files that the sentence names. An unknown place is a condition.
    fn files(self) -> Result<Vec<String>, Without> {
        let mut files = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            if !self.is(at, &["in", "inside", "within"]) {
                at += 1;
                continue;
            }
            at += 1;
            while self.is(at, &["the", "all", "any", "our", "this", "every", "new", "production"]) {
                at += 1;
            }
            loop {
                let (mut found, next) = self.place(at).ok_or(Without::Condition)?;
                files.append(&mut found);
                at = next;
                let goes_on = self.is(at, &["and", "or"]) || self.0.get(at) == Some(&Token::Mark(','));
                if !goes_on || self.place(at + 1).is_none() {
                    break;
                }
                at += 1;
            }
        }
        files.dedup();
        Ok(files)
    }

    /// The globs of the place that is named here, and the index after it.
    fn place(self, at: usize) -> Option<(Vec<String>, usize)> {
        let named = match self.0.get(at)? {
            Token::Word(word) | Token::Quoted(word) => word.as_str(),
            Token::Mark(_) => return None,
        };
        let after = |count: usize| {
            let next = at + count;
            if self.is(next, &["file", "files", "code", "sources", "directory", "folder"]) {
                next + 1
            } else {
                next
            }
        };
        let lower = named.to_lowercase();
        if EVERYWHERE.contains(&lower.as_str()) {
            return Some((Vec::new(), at + 1));
        }
        if matches!(lower.as_str(), "test" | "tests") {
            return Some((vec![TESTS.to_owned()], after(1)));
        }
        if let Some((_, globs)) = LANGUAGES.iter().find(|(name, _)| *name == lower) {
            return Some((globs.iter().map(|glob| (*glob).to_owned()).collect(), after(1)));
        }
        let is_path = named.chars().all(|c| c.is_alphanumeric() || "-_./*?{},[]@".contains(c));
        let ending = named.strip_prefix('.').unwrap_or(named);
        let is_ending =
            !ending.is_empty() && ending.len() <= 6 && ending.chars().all(|c| c.is_ascii_alphanumeric());
        if is_ending && (named.starts_with('.') || self.is(at + 1, &["file", "files"])) {
            return Some((vec![format!("*.{ending}")], after(1)));
        }
        if !is_path || !(named.contains(['*', '/']) || named.contains('.')) {
            return None;
        }
        let last = named.rsplit('/').next().unwrap_or_default();
        let is_directory = named.contains('/') && !last.is_empty() && !last.contains(['.', '*']);
        let glob = if is_directory { format!("{named}/") } else { named.to_owned() };
        Some((vec![glob.trim_start_matches("./").to_owned()], after(1)))
    }
}

/// The words of a text. Quotes and back ticks keep together what they enclose.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        if let Some((inside, length)) = quoted(rest, before) {
            tokens.push(Token::Quoted(inside));
            before = '"';
            rest = &rest[length..];
        } else if c.is_whitespace() {
            before = c;
            rest = &rest[c.len_utf8()..];
        } else {
            let end = rest
                .find(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '“' | '«' | '„'))
                .unwrap_or(rest.len());
            let end = if end == 0 { c.len_utf8() } else { end };
            word(&rest[..end], &mut tokens);
            before = rest[..end].chars().next_back().unwrap_or(' ');
            rest = &rest[end..];
        }
    }
    tokens
}

/// The text in the quotes that open here, and the length of all of it in bytes; `None` when none open here, or they never close.
fn quoted(text: &str, before: char) -> Option<(String, usize)> {
    let ticks = text.len() - text.trim_start_matches('`').len();
    if ticks > 0 {
        let fence = &text[..ticks];
        let (inside, length) = within_ticks(&text[ticks..], fence)?;
        let inside = if ticks < 3 {
            let padded = inside.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
            padded.filter(|text| !text.trim().is_empty() && ticks > 1).unwrap_or(inside).to_owned()
        } else {
            // The first line of a code block names its language.
            inside
                .split_once('\n')
                .map_or(inside, |(_, code)| code)
                .replace("\r\n", "\n")
                .trim_matches('\n')
                .to_owned()
        };
        return Some((inside, length + ticks));
    }
    let open = text.chars().next()?;
    let closing: &[char] = match open {
        '"' => &['"'],
        '“' => &['”'],
        '„' => &['“', '”'],
        '«' => &['»'],
        '‘' => &['’'],
        '\'' => &['\''],
        _ => return None,
    };
    let is_apostrophe = matches!(open, '\'' | '‘');
    if is_apostrophe && before.is_alphanumeric() {
        return None;
    }
    let inner = &text[open.len_utf8()..];
    let ends = inner.char_indices().filter(|(_, c)| closing.contains(c));
    // An apostrophe within a word closes nothing.
    let (end, close) = ends.into_iter().find(|(index, c)| {
        !is_apostrophe || !inner[index + c.len_utf8()..].chars().next().is_some_and(char::is_alphanumeric)
    })?;
    let inside = &inner[..end];
    (!inside.contains('\n')).then(|| (inside.to_owned(), open.len_utf8() + end + close.len_utf8()))
}

/// The text up to a run of exactly these back ticks, and its length with them.
fn within_ticks<'a>(text: &'a str, fence: &str) -> Option<(&'a str, usize)> {
    let mut from = 0;
    while let Some(at) = text[from..].find('`').map(|at| from + at) {
        let run = text[at..].len() - text[at..].trim_start_matches('`').len();
        if run == fence.len() {
            return Some((&text[..at], at + run));
        }
        from = at + run;
    }
    None
}

/// A word without the marks around it, which end a part of a sentence.
fn word(text: &str, tokens: &mut Vec<Token>) {
    if matches!(text, "-" | "–" | "—" | "->" | "→" | "=>") {
        tokens.push(Token::Mark('-'));
        return;
    }
    let mut inner = text;
    let mut marks = Vec::new();
    while let Some(c) = inner.chars().next_back() {
        let is_mark = match c {
            ',' | ';' | '!' | '?' | '.' => true,
            ':' => !inner.ends_with("::"),
            ')' => inner.matches(')').count() > inner.matches('(').count(),
            _ => false,
        };
        // Operators consist of such marks.
        if !is_mark || !text.contains(char::is_alphanumeric) && text.len() > 1 {
            break;
        }
        marks.push(Token::Mark(c));
        inner = &inner[..inner.len() - c.len_utf8()];
    }
    if inner.starts_with('(') && !inner.contains(')') {
        tokens.push(Token::Mark('('));
        inner = &inner[1..];
    }
    if !inner.is_empty() {
        tokens.push(Token::Word(inner.to_owned()));
    }
    tokens.extend(marks.into_iter().rev());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The pattern, what to use instead, and the files, in a line.
    fn line(said: &str) -> String {
        match understand(said) {
            (Understood { pattern: Some(pattern), instead, files }, None) => {
                let instead = instead.map(|instead| format!(" → {instead}")).unwrap_or_default();
                let files = if files.is_empty() { String::new() } else { format!(" in {}", files.join(" ")) };
                format!("{pattern}{instead}{files}")
            }
            (_, why) => format!("{:?}", why.expect("a reason")),
        }
    }

    #[test]
    fn words_that_forbid_hold_a_pattern() {
        for (said, expected) in [
            ("don't use moment", "moment"),
            ("Don’t use moment, use date-fns.", "moment → date-fns"),
            ("don't use moment for dates; use date-fns instead", "moment → date-fns"),
            ("do not use the moment library", "moment"),
            ("Do not ever use lodash!", "lodash"),
            ("never use `any` in *.ts files", "any in *.ts"),
            ("don't use any in TypeScript", "any in *.ts *.tsx *.mts *.cts"),
            ("use date-fns instead of moment", "moment → date-fns"),
            ("always use `date-fns` rather than `moment`", "moment → date-fns"),
            ("instead of moment, use date-fns", "moment → date-fns"),
            ("prefer const over let", "let → const"),
            ("prefer `?` to `unwrap()` in src/**/*.rs", "unwrap() → ? in src/**/*.rs"),
            ("use const, not var", "var → const"),
            ("stop using console.log", "console.log"),
            ("avoid `eval(`", "eval("),
            ("avoid using fmt.Println in Go code", "fmt.Println in *.go"),
            ("replace `requests` with `httpx` in Python", "requests → httpx in *.py *.pyi"),
            ("change getUser to fetchUser", "getUser → fetchUser"),
            ("replace moment by date-fns", "moment → date-fns"),
            ("switch from yarn to pnpm", "yarn → pnpm"),
            ("never `any`", "any"),
            ("don't call System.out.println", "System.out.println"),
            ("don't use == use ===", "== → ==="),
            ("don't use \"a `b` c\"", "a `b` c"),
            ("don't use ``a ` b``", "a ` b"),
            ("don't use 'it'", "it"),
            ("don't use “quoted words here”", "quoted words here"),
            ("never write `TODO` in tests", "TODO in @tests"),
            ("don't use sleep in tests", "sleep in @tests"),
            ("don't use $.ajax in .js and .mjs files", "$.ajax in *.js *.mjs"),
            ("don't use println! in src/api", "println in src/api/"),
            ("don't use [a-z]+(x|y)*", "[a-z]+(x|y)*"),
            ("don't use größe", "größe"),
            ("don't use moment in this project", "moment"),
            ("we should not import rxjs anymore", "rxjs"),
            ("don't use ```js\nfoo(\n  1)\n```", "foo(\n  1)"),
            ("don't rely on process.env", "process.env"),
        ] {
            assert_eq!(line(said), expected, "{said}");
        }
    }

    #[test]
    fn a_sentence_stays_a_sentence_where_a_pattern_would_be_a_guess() {
        for (said, expected) in [
            ("always validate input at the edge", "NothingForbidden"),
            ("never trust user input", "NothingForbidden"),
            ("don't forget to `await` promises", "NothingForbidden"),
            ("don't leave out `await`", "NothingForbidden"),
            ("don't use global variables", "Prose"),
            ("don't log passwords", "Prose"),
            ("don't use it", "Prose"),
            ("don't use fetch without a timeout", "Condition"),
            ("don't use `any` unless you must", "Condition"),
            ("don't use moment when a Date will do", "Condition"),
            ("don't use fetch in components", "Condition"),
            ("don't use moment or dayjs", "Several"),
            ("don't use `a`, `b`", "Several"),
            ("use tabs", "NothingForbidden"),
            ("use date-fns to format dates", "NothingForbidden"),
            ("", "NothingForbidden"),
            ("never", "NothingForbidden"),
            ("don't use", "Prose"),
            ("don't use ` `", "Prose"),
        ] {
            assert_eq!(line(said), expected, "{said}");
        }
        assert_eq!(line(&format!("don't use `{}`", "x".repeat(201))), "TooLong");
    }

    proptest! {
        #[test]
        fn whatever_is_said(said in "(don't use |never |use |instead of |in |`|\"|'|’|“|```|\n|\\*\\.ts|é|[ -~]){0,24}") {
            let (understood, why) = understand(&said);
            prop_assert_eq!(understood.pattern.is_some(), why.is_none());
            if let Some(pattern) = understood.pattern {
                prop_assert!(!pattern.trim().is_empty());
                prop_assert!(said.replace("\r\n", "\n").contains(&pattern), "{}", pattern);
            }
        }

        #[test]
        fn what_stands_in_back_ticks_is_taken_as_it_is(code in "[!-_a-~é]{1,30}") {
            let (understood, _) = understand(&format!("don't use `{code}`"));
            prop_assert_eq!(understood.pattern, Some(code));
        }
    }
}
