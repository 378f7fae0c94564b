//! The commands that a command runs, judged by its words, each as OpenCode would ask for it in a call of its shell tool.
//!
//! OpenCode parses a command line with a Bash grammar and asks for each command in it by its text, redirections included, but not
//! for `cd`, assignments and tests in brackets (seen on 1.18.33). A command that is started without a shell counts as one, and if
//! it passes text to a shell (`sh -c`), or other words to a program (`env`, `timeout`), so does the command that this runs.
//! Anything unreadable is in doubt, never skipped. A parser of the whole grammar, brush-parser 0.4, would make the core an eighth
//! larger (0.5 MB).

/// Shells that take their text after `-c`.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "ash"];
/// Programs that run their arguments, each with its options that take a word, and the number of words before the command.
const CARRIERS: [(&str, &[&str], usize); 13] = [
    ("builtin", &[], 0),
    ("busybox", &[], 0),
    ("command", &[], 0),
    ("doas", &["-u", "-C"], 0),
    ("env", &["-u", "--unset", "-C", "--chdir"], 0),
    ("exec", &["-a"], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("nohup", &[], 0),
    ("setsid", &[], 0),
    ("stdbuf", &["-i", "-o", "-e", "--input", "--output", "--error"], 0),
    ("sudo", &["-u", "-g", "-h", "-p", "-C", "-D"], 0),
    ("time", &["-f", "-o"], 0),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"], 1),
];
/// Commands of a shell's text that OpenCode doesn't ask for.
const UNASKED: [&str; 12] =
    ["[", "[[", "cd", "chdir", "declare", "export", "local", "popd", "pushd", "readonly", "typeset", "unset"];
/// Words of a shell's grammar that a command follows.
const KEYWORDS: [&str; 12] =
    ["if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}"];
/// First words of constructs that are not parsed here.
const UNREAD: [&str; 7] = ["case", "esac", "function", "coproc", "alias", "trap", "select"];
/// The maximum depth of texts within texts.
const DEPTH: u32 = 8;

/// The commands that a command runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellCommands {
    /// The text of each; the whole command comes first.
    pub(crate) texts: Vec<String>,
    /// Whether there may be others that can't be read.
    pub(crate) in_doubt: bool,
}

impl ShellCommands {
    /// The commands of one that is started without a shell: its program and arguments.
    pub(crate) fn of(argv: &[String]) -> Self {
        let mut commands = Self::default();
        commands.started(argv, DEPTH);
        commands
    }

    fn add(&mut self, text: &str) {
        let text = text.trim();
        if !text.is_empty() && !self.texts.iter().any(|known| known == text) {
            self.texts.push(text.to_owned());
        }
    }

    /// A program with its arguments, as plain words.
    fn started(&mut self, words: &[String], depth: u32) {
        self.add(&words.join(" "));
        let (Some((program, arguments)), Some(depth)) = (words.split_first(), depth.checked_sub(1)) else {
            self.in_doubt |= !words.is_empty();
            return;
        };
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        if name == "eval" {
            self.read(&arguments.join(" "), depth);
        } else if SHELLS.contains(&name) {
            self.shell(arguments, depth);
        } else if let Some((_, options, before)) = CARRIERS.iter().find(|(carrier, ..)| *carrier == name) {
            // Both options split a text into words.
            let splits = |word: &String| word.starts_with("-S") || word.starts_with("--split-string");
            self.in_doubt |= name == "env" && arguments.iter().any(splits);
            let at = operands(arguments, options) + before;
            let at = at + arguments.iter().skip(at).take_while(|word| is_assignment(word)).count();
            if let Some(rest) = arguments.get(at..).filter(|rest| !rest.is_empty()) {
                self.started(rest, depth);
            }
        }
    }

    /// A shell with its arguments: reads its text if it has one.
    fn shell(&mut self, arguments: &[String], depth: u32) {
        let mut reads = false;
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix(['-', '+']) {
                Some(long) if long.starts_with('-') && long.len() > 1 => {
                    if matches!(long, "-rcfile" | "-init-file") {
                        words.next();
                    }
                }
                Some(letters) if !matches!(letters, "" | "-") => {
                    reads |= word.starts_with('-') && letters.contains('c');
                    if letters.ends_with(['o', 'O']) {
                        words.next();
                    }
                }
                // The end of the options, or the first word after them.
                ended => {
                    let text = if ended.is_some() { words.next() } else { Some(word) };
                    if let Some(text) = text.filter(|_| reads) {
                        self.read(text, depth);
                    }
                    return;
                }
            }
        }
    }

    /// The text of a shell.
    fn read(&mut self, text: &str, depth: u32) {
        let mut reader =
            Reader { text: text.chars().collect(), at: 0, command: Simple::default(), depth, commands: self };
        reader.list(None);
    }
}

/// The index at which the options of a program end.
fn operands(arguments: &[String], with_a_word: &[&str]) -> usize {
    let mut at = 0;
    while let Some(word) = arguments.get(at).filter(|word| word.starts_with('-')) {
        at += if with_a_word.contains(&word.as_str()) { 2 } else { 1 };
        if word == "--" {
            break;
        }
    }
    at.min(arguments.len())
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+[]".contains(&byte))
    })
}

/// A word of a shell's text.
#[derive(Clone, Debug, Default)]
struct Word {
    /// Its start and its end.
    from: usize,
    to: usize,
    /// The word without its quotes.
    plain: String,
    /// Whether the shell replaces it, or a part of it, with something else.
    expands: bool,
    /// Whether a part of it is quoted: then it is not a word of the grammar.
    quoted: bool,
}

/// A command of a shell's text, as read so far.
#[derive(Clone, Debug, Default)]
struct Simple {
    words: Vec<Word>,
    word: Option<Word>,
    /// The end of its text.
    to: usize,
    /// Whether the next word is the target of a redirection.
    redirects: bool,
    /// Whether any word was such a target.
    redirected: bool,
}

struct Reader<'a> {
    text: Vec<char>,
    at: usize,
    command: Simple,
    depth: u32,
    commands: &'a mut ShellCommands,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.text.get(self.at).copied();
        self.at += usize::from(next.is_some());
        next
    }

    fn takes(&mut self, wanted: char) -> bool {
        let takes = self.text.get(self.at) == Some(&wanted);
        self.at += usize::from(takes);
        takes
    }

    /// The word being read; `from` is its start if it starts now.
    fn word(&mut self, from: usize) -> &mut Word {
        self.command.word.get_or_insert_with(|| Word { from, ..Word::default() })
    }

    /// Reads commands up to this character, or to the end.
    fn list(&mut self, end: Option<char>) {
        while let Some(c) = self.next() {
            let from = self.at - 1;
            match c {
                c if Some(c) == end => {
                    self.end_command(from);
                    return;
                }
                '\'' => {
                    self.word(from).quoted = true;
                    self.quoted(from);
                }
                '"' => {
                    self.word(from).quoted = true;
                    self.in_quotes(from);
                }
                '\\' => match self.next() {
                    Some('\n') => {}
                    Some(letter) => {
                        let word = self.word(from);
                        word.quoted = true;
                        word.plain.push(letter);
                    }
                    None => self.commands.in_doubt = true,
                },
                '$' | '`' => self.expansion(c, from),
                '#' if self.command.word.is_none() => {
                    while self.text.get(self.at).is_some_and(|c| *c != '\n') {
                        self.at += 1;
                    }
                }
                '<' | '>' if self.takes('(') => {
                    self.word(from).expands = true;
                    self.within(')');
                }
                '<' | '>' => self.redirection(c, from),
                '&' if self.text.get(self.at) == Some(&'>') => self.end_word(from),
                '&' | '|' | ';' | '\n' => self.end_command(from),
                '(' => {
                    // After a word it isn't a group of commands.
                    self.commands.in_doubt |= self.command.word.is_some() || !self.command.words.is_empty();
                    self.within(')');
                    self.command.to = self.at;
                }
                ')' => {
                    self.commands.in_doubt = true;
                    self.end_command(from);
                }
                c if c.is_whitespace() => self.end_word(from),
                c => self.word(from).plain.push(c),
            }
        }
        self.commands.in_doubt |= end.is_some();
        self.end_command(self.text.len());
    }

    /// Reads the text in single quotes.
    fn quoted(&mut self, from: usize) {
        loop {
            match self.next() {
                Some('\'') => return,
                Some(letter) => self.word(from).plain.push(letter),
                None => return self.commands.in_doubt = true,
            }
        }
    }

    /// Reads the text in double quotes.
    fn in_quotes(&mut self, from: usize) {
        loop {
            match self.next() {
                Some('"') => return,
                Some('\\') => match self.next() {
                    Some('\n') => {}
                    Some(letter) => self.word(from).plain.push(letter),
                    None => return self.commands.in_doubt = true,
                },
                Some(c @ ('$' | '`')) => self.expansion(c, from),
                Some(letter) => self.word(from).plain.push(letter),
                None => return self.commands.in_doubt = true,
            }
        }
    }

    /// Reads an expansion, which the shell replaces, after its `$` or backtick.
    fn expansion(&mut self, sign: char, from: usize) {
        let (began, kept) = (self.at - 1, self.word(from).plain.len());
        if sign == '`' {
            self.within('`');
        } else if self.takes('(') {
            self.within(')');
        } else if self.takes('{') {
            self.braces(from);
        } else if !self
            .text
            .get(self.at)
            .is_some_and(|c| c.is_ascii_alphanumeric() || "_'\"@*#?$!-".contains(*c))
        {
            self.word(from).plain.push(sign);
            return;
        }
        let read: String = self.text[began..self.at].iter().collect();
        let word = self.word(from);
        word.expands = true;
        // The words in it were read along with it.
        word.plain.truncate(kept);
        word.plain.push_str(&read);
    }

    /// Reads the text in `${…}`.
    fn braces(&mut self, from: usize) {
        loop {
            match self.next() {
                Some('}') => return,
                Some('\\') => drop(self.next()),
                Some(c @ ('$' | '`')) => self.expansion(c, from),
                Some(_) => {}
                None => return self.commands.in_doubt = true,
            }
        }
    }

    /// Reads separate commands, up to this character.
    fn within(&mut self, end: char) {
        let Some(depth) = self.depth.checked_sub(1) else {
            self.commands.in_doubt = true;
            self.at = self.text.len();
            return;
        };
        let (outer, before) = (std::mem::take(&mut self.command), std::mem::replace(&mut self.depth, depth));
        self.list(Some(end));
        (self.command, self.depth) = (outer, before);
    }

    fn redirection(&mut self, sign: char, from: usize) {
        let is_number = |word: &Word| word.plain.bytes().all(|byte| byte.is_ascii_digit());
        if self.command.word.as_ref().is_some_and(is_number) {
            // It is the number of the redirected file descriptor, not a word of the command.
            self.command.word = None;
        }
        self.end_word(from);
        let mut signs = 1;
        while self.text.get(self.at).is_some_and(|c| "<>&|".contains(*c)) {
            self.at += 1;
            signs += 1;
        }
        // The lines that follow are the input, not commands.
        self.commands.in_doubt |= sign == '<' && signs == 2 && self.text[self.at - 1] == '<';
        self.command.redirects = true;
        self.command.redirected = true;
    }

    fn end_word(&mut self, at: usize) {
        if let Some(mut word) = self.command.word.take() {
            word.to = at;
            self.command.to = at;
            if !std::mem::take(&mut self.command.redirects) {
                self.command.words.push(word);
            }
        }
    }

    fn end_command(&mut self, at: usize) {
        self.end_word(at);
        let Simple { words, to, redirected, .. } = std::mem::take(&mut self.command);
        let is = |word: &Word, of: &[&str]| !word.quoted && of.contains(&word.plain.as_str());
        let words = &words[words.iter().take_while(|word| is(word, &KEYWORDS)).count()..];
        let Some(first) = words.first() else { return };
        // The items of a loop are not commands.
        if is(first, &["for"]) {
            return;
        }
        self.commands.in_doubt |= is(first, &UNREAD);
        let assigned = words.iter().take_while(|word| is_assignment(&word.plain)).count();
        let plain: Vec<String> = words[assigned..].iter().map(|word| word.plain.clone()).collect();
        let unasked = words.get(assigned).is_none_or(|program| is(program, &UNASKED));
        if unasked && !redirected {
            return;
        }
        let text: String = self.text[first.from..to.max(first.from)].iter().collect();
        self.commands.add(&text);
        if redirected {
            // OpenCode omits redirections that end a list of commands.
            let raw = |word: &Word| self.text[word.from..word.to].iter().collect::<String>();
            let raw: Vec<String> = words.iter().map(raw).collect();
            self.commands.add(&raw.join(" "));
        }
        let Some(program) = words.get(assigned) else { return };
        if program.expands {
            self.commands.in_doubt = true;
        } else {
            self.commands.started(&plain, self.depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(words: &[&str]) -> ShellCommands {
        ShellCommands::of(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    /// The commands in a shell's text, and whether that is in doubt.
    fn in_text(text: &str) -> (Vec<String>, bool) {
        let ShellCommands { texts, in_doubt } = of(&["sh", "-c", text]);
        (texts[1..].to_vec(), in_doubt)
    }

    #[test]
    fn the_commands_of_a_text_are_found() {
        for (text, expected) in [
            ("npm test", vec!["npm test"]),
            ("a && b x || c; d | e & f\ng", vec!["a", "b x", "c", "d", "e", "f", "g"]),
            ("echo hi > ~/x", vec!["echo hi > ~/x", "echo hi"]),
            ("npm test 2>&1 | tee out", vec!["npm test 2>&1", "npm test", "tee out"]),
            ("npm test &> log", vec!["npm test &> log", "npm test"]),
            ("cd sub && npm test", vec!["npm test"]),
            ("export A=1; B=2; [ -f x ] && [[ -f y ]]; make", vec!["make"]),
            ("(rm -f x; ls)", vec!["rm -f x", "ls"]),
            ("{ rm x; }", vec!["rm x"]),
            ("if ! rm x; then ls; else pwd; fi", vec!["rm x", "ls", "pwd"]),
            ("for f in $(ls a); do rm $f; done", vec!["ls a", "rm $f"]),
            ("echo \"$(rm x)\" `ls`", vec!["rm x", "ls", "echo \"$(rm x)\" `ls`", "echo $(rm x) `ls`"]),
            ("diff <(ls a) <(ls b)", vec!["ls a", "ls b", "diff <(ls a) <(ls b)", "diff  "]),
            ("CI=1 rm 'x' > y", vec!["CI=1 rm 'x' > y", "CI=1 rm 'x'", "rm x"]),
            ("CI=1 rm x", vec!["CI=1 rm x", "rm x"]),
            ("r\"m\" 'a b'", vec!["r\"m\" 'a b'", "rm a b"]),
            (r"\rm x", vec![r"\rm x", "rm x"]),
            ("echo 'a; rm x' # rm y", vec!["echo 'a; rm x'", "echo a; rm x"]),
            ("echo ${X:-$(rm x)}", vec!["rm x", "echo ${X:-$(rm x)}"]),
            ("bash -c 'rm x'", vec!["bash -c 'rm x'", "bash -c rm x", "rm x"]),
            ("eval \"rm x\"", vec!["eval \"rm x\"", "eval rm x", "rm x"]),
            (
                "timeout -k 5 60 env -u A B=1 rm x",
                vec!["timeout -k 5 60 env -u A B=1 rm x", "env -u A B=1 rm x", "rm x"],
            ),
            ("# nothing", vec![]),
            ("a\\\n b", vec!["a\\\n b", "a b"]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(|one| one.trim().to_owned()).collect();
            assert_eq!(in_text(text), (expected, false), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_in_doubt() {
        for text in [
            "$CMD x",
            "\"$(which rm)\" x",
            "echo 'open",
            "echo \"open",
            "echo $(open",
            "cat <<END\nrm x\nEND",
            "case a in a) rm x;; esac",
            "f() { rm x; }; f",
            "trap 'rm x' EXIT",
            "$'rm' x",
            "env -S 'rm x'",
            "eval $X",
            "alias ls=rm",
        ] {
            assert!(in_text(text).1, "{text}");
        }
    }

    #[test]
    fn a_command_without_a_shell_is_one_and_hands_others_on() {
        for (argv, expected) in [
            (vec!["node", "--test", "a b"], vec!["node --test a b"]),
            (vec!["sh", "run.sh"], vec!["sh run.sh"]),
            (vec!["echo", "a; rm x"], vec!["echo a; rm x"]),
            (
                vec!["/bin/bash", "-euo", "pipefail", "-c", "rm x"],
                vec!["/bin/bash -euo pipefail -c rm x", "rm x"],
            ),
            (vec!["sh", "-c", "-e", "rm x"], vec!["sh -c -e rm x", "rm x"]),
            (vec!["bash", "-c", "--", "rm x"], vec!["bash -c -- rm x", "rm x"]),
            (vec!["bash", "--norc", "-lc", "rm x"], vec!["bash --norc -lc rm x", "rm x"]),
            (vec!["env", "A=1", "sh", "-c", "rm x"], vec!["env A=1 sh -c rm x", "sh -c rm x", "rm x"]),
            (vec!["nice", "-n", "5", "rm", "x"], vec!["nice -n 5 rm x", "rm x"]),
            (vec!["timeout", "60", "rm", "x"], vec!["timeout 60 rm x", "rm x"]),
            (vec!["env"], vec!["env"]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(of(&argv), ShellCommands { texts: expected, in_doubt: false }, "{argv:?}");
        }
        let nested = (0..12).fold("rm x".to_owned(), |text, _| format!("eval {text}"));
        assert!(in_text(&nested).1, "there is an end to it");
    }

    proptest! {
        #[test]
        fn no_text_ends_it(text in "[a-z ;&|(){}'\"\\\\$`!#><0=\n]{0,80}") {
            let _ = in_text(&text);
        }
    }
}
