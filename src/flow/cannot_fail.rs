//! Whether a check could ever fail: a gate that can't fail is no gate.
//!
//! Commands are read as people write them, including shells and their scripts. Anything that isn't understood may fail: a check is
//! refused only if it certainly can't. What a script of the project hides (`npm test` that is `exit 0`) isn't visible here.

/// Commands that succeed in any project.
const NEVER_FAIL: [&str; 12] =
    [":", "true", "echo", "printf", "pwd", "date", "sleep", "whoami", "hostname", "uname", "tee", "yes"];
/// Commands that fail only if a file is missing: without a file argument they pass on what they read.
const FILTERS: [&str; 7] = ["cat", "head", "tail", "sort", "uniq", "wc", "less"];
/// The git subcommands that succeed in any repository.
const GIT: [&str; 4] = ["status", "log", "diff", "version"];
/// Shells that take a script after `-c`.
const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"];
/// Commands that run their arguments.
const CARRIERS: [&str; 8] = ["command", "exec", "builtin", "nice", "nohup", "time", "stdbuf", "setsid"];
/// Words in a script that are beyond this module.
const COMPOUND: [&str; 10] =
    ["if", "for", "while", "until", "case", "select", "function", "[[", "((", "trap"];
/// How many levels of nested scripts are examined.
const DEPTH: u32 = 8;

/// Why a command can't fail, as the end of a sentence; `None` when it can.
pub(super) fn cannot_fail(argv: &[String]) -> Option<String> {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    if words.iter().all(|word| word.trim().is_empty()) {
        return Some("the command names no program".to_owned());
    }
    command(&words, DEPTH).then(|| {
        format!("`{}` succeeds whatever the project's files contain", crate::shared::spelled::spelled(argv))
    })
}

/// Whether this simple command can't fail.
fn command(words: &[&str], depth: u32) -> bool {
    let Some(next) = depth.checked_sub(1) else { return false };
    let words = without_assignments(words);
    let Some((program, arguments)) = words.split_first() else { return true };
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let program = program.strip_suffix(".exe").unwrap_or(program);
    let behind_options = || {
        let at = arguments.iter().position(|word| !word.starts_with('-')).unwrap_or(arguments.len());
        &arguments[at..]
    };
    match program {
        "exit" | "return" => arguments.first().is_some_and(|code| code.trim_start_matches('0').is_empty()),
        "env" => command(behind_options(), next),
        "timeout" => command(behind_options().get(1..).unwrap_or_default(), next),
        "cmd" => arguments
            .iter()
            .position(|word| word.eq_ignore_ascii_case("/c"))
            .is_some_and(|at| script(&arguments[at + 1..].join(" "), Strictness::default(), next)),
        "git" => git(arguments),
        _ if CARRIERS.contains(&program) => command(behind_options(), next),
        _ if SHELLS.contains(&program) => shell(arguments, next),
        _ if NEVER_FAIL.contains(&program) => true,
        _ if FILTERS.contains(&program) => {
            arguments.iter().all(|word| word.starts_with('-') || word.parse::<i64>().is_ok())
        }
        _ => matches!(arguments, ["--version" | "-V" | "--help" | "-h" | "version" | "help"]),
    }
}

fn without_assignments<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let is_assignment = |word: &&str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    let at = words.iter().position(|word| !is_assignment(word)).unwrap_or(words.len());
    &words[at..]
}

fn git(arguments: &[&str]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "-C" | "-c" => drop(words.next()),
            option if option.starts_with('-') => {}
            subcommand => {
                // `git diff --check` fails only because of white space, which says nothing about the code.
                let says = |word: &&str| matches!(*word, "--exit-code" | "--quiet");
                return GIT.contains(&subcommand) && !arguments.iter().any(says);
            }
        }
    }
    false
}

fn shell(arguments: &[&str], depth: u32) -> bool {
    let mut strictness = Strictness::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
            if word.starts_with("--") || *word == "sh" {
                continue;
            }
            return false;
        };
        strictness.errexit |= letters.contains('e');
        if letters.contains('c') {
            return words.next().is_some_and(|text| script(text, strictness, depth));
        }
        if letters.ends_with('o') {
            strictness.set(words.next().copied().unwrap_or_default());
        }
    }
    false
}

// ---- scripts ----

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    /// `;`, a line's end
    Then,
    /// `&`
    Behind,
    And,
    Or,
    Pipe,
    Open,
    Close,
}

/// The effect of a command that fails before the last one.
#[derive(Clone, Copy, Debug, Default)]
struct Strictness {
    /// The script ends there.
    errexit: bool,
    /// Its pipeline has failed.
    pipefail: bool,
}

impl Strictness {
    fn set(&mut self, option: &str) {
        self.errexit |= option == "errexit";
        self.pipefail |= option == "pipefail";
    }
}

/// Whether this script can't fail.
fn script(text: &str, strictness: Strictness, depth: u32) -> bool {
    let Some(tokens) = tokens(text) else { return false };
    let compound = |token: &Token| matches!(token, Token::Word(word) if COMPOUND.contains(&word.as_str()));
    if tokens.iter().any(compound) {
        return false;
    }
    let mut reader = Reader { tokens: &tokens, at: 0, strictness, depth };
    let result = reader.list();
    reader.at == tokens.len() && result
}

/// The tokens of a script; `None` when it contains something that isn't understood.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    // Whether the next word is the target of a redirection.
    let mut redirected = false;
    let mut chars = text.chars().peekable();
    macro_rules! end_word {
        () => {
            if let Some(word) = word.take()
                && !std::mem::take(&mut redirected)
            {
                tokens.push(Token::Word(word));
            }
        };
    }
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        other => word.push(other),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => word.push(chars.next()?),
                        '`' => return None,
                        '$' if chars.peek() == Some(&'(') => return None,
                        other => word.push(other),
                    }
                }
            }
            '\\' => match chars.next()? {
                '\n' => {}
                other => word.get_or_insert_default().push(other),
            },
            '`' => return None,
            '$' if chars.peek() == Some(&'(') => return None,
            '#' if word.is_none() => while chars.next_if(|c| *c != '\n').is_some() {},
            '>' | '<' => {
                if word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
                    word = None;
                }
                end_word!();
                while chars.next_if(|c| matches!(c, '>' | '<' | '&' | '|')).is_some() {}
                redirected = true;
            }
            '&' if chars.peek() == Some(&'>') => end_word!(),
            '&' | '|' | ';' | '\n' | '(' | ')' => {
                end_word!();
                let doubled = matches!(c, '&' | '|' | ';') && chars.next_if_eq(&c).is_some();
                tokens.push(match (c, doubled) {
                    ('&', true) => Token::And,
                    ('&', false) => Token::Behind,
                    ('|', true) => Token::Or,
                    ('|', false) => {
                        chars.next_if_eq(&'&');
                        Token::Pipe
                    }
                    ('(', _) => Token::Open,
                    (')', _) => Token::Close,
                    _ => Token::Then,
                });
            }
            c if c.is_whitespace() => end_word!(),
            c => word.get_or_insert_default().push(c),
        }
    }
    end_word!();
    let grouped = tokens.into_iter().map(|token| match token {
        Token::Word(word) if word == "{" => Token::Open,
        Token::Word(word) if word == "}" => Token::Close,
        other => other,
    });
    Some(grouped.collect())
}

/// Reads a script by the grammar of shells; each part returns whether it can't fail.
struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    strictness: Strictness,
    depth: u32,
}

impl Reader<'_> {
    fn takes(&mut self, token: &Token) -> bool {
        let is_next = self.tokens.get(self.at) == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    /// Commands one after another: the last one's exit code is the list's.
    fn list(&mut self) -> bool {
        let (mut all, mut last) = (true, true);
        loop {
            while self.takes(&Token::Then) {}
            if matches!(self.tokens.get(self.at), None | Some(Token::Close)) {
                return if self.strictness.errexit { all && last } else { last };
            }
            let before = self.at;
            let errexit = self.strictness.errexit;
            last = self.and_or() | self.takes(&Token::Behind);
            all &= last || !errexit;
            if self.at == before {
                return false;
            }
            if matches!(&self.tokens[before], Token::Word(word) if word == "exit") && self.is_single(before) {
                self.at = self.tokens.len();
                return if self.strictness.errexit { all && last } else { last };
            }
        }
    }

    /// Whether the command that began there is a single one.
    fn is_single(&self, began: usize) -> bool {
        self.tokens[began..self.at].iter().all(|token| matches!(token, Token::Word(_)))
    }

    fn and_or(&mut self) -> bool {
        let mut result = self.pipeline();
        loop {
            if self.takes(&Token::And) {
                result &= self.pipeline();
            } else if self.takes(&Token::Or) {
                result |= self.pipeline();
            } else {
                return result;
            }
        }
    }

    fn pipeline(&mut self) -> bool {
        let negated = self.takes(&Token::Word("!".to_owned()));
        let mut parts = vec![self.part()];
        while self.takes(&Token::Pipe) {
            parts.push(self.part());
        }
        let last = parts.last().copied().unwrap_or(false);
        !negated && if self.strictness.pipefail { parts.into_iter().all(|part| part) } else { last }
    }

    fn part(&mut self) -> bool {
        while self.takes(&Token::Then) {}
        if self.takes(&Token::Open) {
            let result = self.list();
            return self.takes(&Token::Close) && result;
        }
        let words: Vec<&str> = self.tokens[self.at..]
            .iter()
            .map_while(|token| match token {
                Token::Word(word) => Some(word.as_str()),
                _ => None,
            })
            .collect();
        self.at += words.len();
        if words.is_empty() {
            return false;
        }
        if words[0] == "set" {
            let options = &words[1..];
            self.strictness.errexit |= options.iter().any(|word| word.starts_with('-') && word.contains('e'));
            for word in options {
                self.strictness.set(word);
            }
            return true;
        }
        command(&words, self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn sh(script: &str) -> Vec<String> {
        ["sh", "-c", script].map(str::to_owned).to_vec()
    }

    #[test]
    fn what_succeeds_whatever_the_files_are_like_is_no_check() {
        for line in [
            "true",
            ":",
            "/bin/true",
            "echo all good",
            "printf ok",
            "exit 0",
            "git diff --check",
            "git -C sub status --short",
            "git --no-pager diff --stat",
            "env CI=1 true",
            "timeout 5 true",
            "nice -n5 echo ok",
            "node --version",
            "sh -c true",
            "bash -lc true",
        ] {
            assert!(cannot_fail(&argv(line)).is_some(), "{line}");
        }
        for script in [
            "npm test || true",
            "npm test || :",
            "npm test || exit 0",
            "npm test || echo failed",
            "npm test; true",
            "npm test; exit 0",
            "exit 0; npm test",
            "npm test\necho done",
            "(npm test || true)",
            "{ npm test || true; }",
            "npm test && true || true",
            "npm test 2>&1 | tee out.txt",
            "npm test | tail -n 5",
            "npm test > /dev/null 2>&1 || true",
            "npm test & ",
            "CI=1 npm test || true # never red",
            "bash -c 'npm test || true'",
            "git diff --check && echo clean",
            "# nothing",
            "",
            "set -e; true; echo x",
            "set -o pipefail; echo a | cat",
        ] {
            assert!(cannot_fail(&sh(script)).is_some(), "{script}");
        }
        assert!(cannot_fail(&[String::new()]).is_some());
        assert!(cannot_fail(&["cmd", "/c", "exit 0"].map(str::to_owned)).is_some());
    }

    #[test]
    fn what_may_fail_is_a_check() {
        for line in [
            "npm test",
            "cargo test -p kernel",
            "exit 1",
            "git diff --exit-code",
            "git diff --quiet HEAD",
            "grep -q x file",
            "cat file",
            "test -f out.txt",
            "env CI=1 npm test",
            "timeout 60 npm test",
            "node --test",
            "false",
            "sh run-tests.sh",
            "python -m pytest",
        ] {
            assert_eq!(cannot_fail(&argv(line)), None, "{line}");
        }
        for script in [
            "npm test",
            "npm run build && npm test",
            "true && npm test",
            "npm test && true",
            "npm test || exit 1",
            "npm test || (cat log; false)",
            "echo start; npm test",
            "set -e; npm test; echo done",
            "set -o pipefail; npm test | tee out.txt",
            "! grep -r TODO src",
            "if ! npm test; then exit 1; fi",
            "npm test || test -f flaky",
            "x=$(npm test)",
            "echo 'a || true' && npm test",
            "grep '|| true' file",
            "grep x file 2>&1",
            "'unclosed",
        ] {
            assert_eq!(cannot_fail(&sh(script)), None, "{script}");
        }
        let strict = ["bash", "-euo", "pipefail", "-c", "npm test; echo done"].map(str::to_owned);
        assert_eq!(cannot_fail(&strict), None);
    }

    proptest! {
        #[test]
        fn no_script_ends_it(script in "[a-z ;&|(){}'\"\\\\$`!#><0\n]{0,60}") {
            let _ = cannot_fail(&sh(&script));
        }
    }
}
