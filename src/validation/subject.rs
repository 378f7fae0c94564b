//! What is validated: the user's own words, a file, a session of Flow, or a ranked design.

use super::code::ValidationCode;
use super::protocol::{Criterion, Subject, SubjectSource};
use super::repeat::Repeat;
use crate::design_lab::workflow::Handover;
use crate::shared::capped::capped;
use crate::shared::schema::quote;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;

/// The arguments of `/validate`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidateCommand"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ValidateCommand {
    /// The current session of Flow, or the latest.
    Latest,
    /// A session of Flow.
    Flow {
        /// The session, as the user names it.
        session: String,
    },
    /// A design of a ranked run, no matter what built it.
    Run {
        /// The run and the design, as the user names them; empty for the latest run.
        named: String,
    },
    /// A file of criteria.
    File {
        /// The path as the user wrote it.
        path: String,
    },
    /// The user's own words.
    Text {
        /// The text.
        text: String,
    },
    /// The tests of an earlier run.
    Tests {
        /// The run, as the user names it; empty for the latest run that has tests.
        named: String,
        /// Whether they run again.
        again: bool,
        /// The directory in which to keep them as the project's own.
        keep: Option<String>,
        /// The seed with which fast-check chooses other inputs; `None` for that of the earlier run.
        seed: Option<u32>,
    },
}

/// What is validated, as the shell found it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSubjectInput"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SubjectInput {
    /// The user's own words.
    Text {
        /// The text.
        text: String,
    },
    /// A file.
    File {
        /// The path as the user wrote it.
        path: String,
        /// Its contents.
        text: String,
    },
    /// A session of Flow, as Flow reports it.
    Flow {
        /// The subject.
        subject: Box<Subject>,
    },
    /// A design of a ranked run, as Design Lab hands it over.
    Run {
        /// The handover.
        handover: Box<Handover>,
    },
    /// The tests of an earlier run.
    Tests {
        /// The tests.
        repeat: Box<Repeat>,
        /// The seed that the user names for fast-check.
        #[serde(default)]
        seed: Option<u32>,
    },
}

/// The maximum number of criteria in a run.
const MOST: usize = 100;
/// The largest positive seed that fast-check uses unchanged.
const MOST_SEED: u32 = 0x7fff_ffff;
/// The maximum length of a title, in characters.
const TITLE: usize = 100;

/// Parses the arguments of `/validate`. A text that starts with `flow`, `run` or `file` is written after `--`.
pub fn validate_command(text: &str) -> Result<ValidateCommand, Problem> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim().to_owned();
    match word {
        "" => Ok(ValidateCommand::Latest),
        "flow" if rest.is_empty() => Ok(ValidateCommand::Latest),
        "flow" if rest.split_whitespace().count() == 1 => Ok(ValidateCommand::Flow { session: rest }),
        "flow" => Err(Problem::new(ValidationCode::TooManyWords, "`flow` takes the name of one session.")
            .allowed("a Flow session, or nothing for the active one")
            .next("If your text begins with `flow`, type it after `/validate --`.")),
        "run" if rest.split_whitespace().count() <= 1 => Ok(ValidateCommand::Run { named: rest }),
        "run" => Err(Problem::new(ValidationCode::TooManyWords, "`run` takes the name of one run.")
            .allowed("<run> or <run>/<design> of a ranked run, or nothing for the latest")
            .next("If your text begins with `run`, type it after `/validate --`.")),
        "file" if rest.is_empty() => Err(no_subject("Name a file.")),
        "file" => Ok(ValidateCommand::File { path: rest }),
        "--" if rest.is_empty() => Err(no_subject("Say what to validate.")),
        "--" => Ok(ValidateCommand::Text { text: rest }),
        _ if word.starts_with("--") => of_earlier_tests(text),
        _ => Ok(ValidateCommand::Text { text: text.to_owned() }),
    }
}

/// Parses `--again [run] [--seed <number>]` and `--keep <directory> [run]`, which can be combined.
fn of_earlier_tests(text: &str) -> Result<ValidateCommand, Problem> {
    let (mut named, mut again, mut keep, mut seed) = (Vec::new(), false, None, None);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "--again" => again = true,
            "--keep" => keep = Some(words.next().unwrap_or_default().to_owned()),
            "--seed" => seed = Some(seed_of(words.next().unwrap_or_default())?),
            option if option.starts_with("--") => return Err(unknown_option(option)),
            name => named.push(name),
        }
    }
    if seed.is_some() && !again {
        return Err(seed_alone());
    }
    match named[..] {
        [] | [_] => Ok(ValidateCommand::Tests { named: named.concat(), again, keep, seed }),
        [_, further, ..] => Err(Problem::new(ValidationCode::TooManyWords, "/validate takes only one run.")
            .found(quote(further))
            .allowed("--again [run] [--seed <number>], --keep <directory> [run], or both")
            .next("Name one run, or none for the latest that has tests.")),
    }
}

fn seed_of(word: &str) -> Result<u32, Problem> {
    word.parse().ok().filter(|seed| *seed <= MOST_SEED).ok_or_else(|| {
        Problem::new(ValidationCode::UnknownOption, "The seed is not valid.")
            .found(quote(word))
            .allowed(format!("a whole number from 0 to {MOST_SEED}"))
            .next("Type /validate --again --seed 7, or leave the seed out to try the same inputs again.")
    })
}

fn seed_alone() -> Problem {
    Problem::new(ValidationCode::UnknownOption, "--seed can only be used with --again.")
        .allowed("--again [run] --seed <number>")
        .next("For example, type /validate --again --seed 7. Or leave --seed out.")
}

fn unknown_option(option: &str) -> Problem {
    Problem::new(ValidationCode::UnknownOption, "/validate has no such option.")
        .found(quote(option))
        .allowed("--again [run] [--seed <number>], --keep <directory> [run], or both")
        .next("If your text begins with `--`, type it after `/validate --`.")
}

/// The command names no subject, and none can be chosen.
pub fn no_subject(message: &str) -> Problem {
    Problem::new(ValidationCode::NoSubject, message)
        .allowed("a text, `flow` and a session, `run` and a ranked run, or `file` and a file of criteria")
        .next("Type /validate followed by what must be true.")
}

impl SubjectInput {
    /// The tests of an earlier run, if this run repeats them.
    pub(super) fn repeat(&self) -> Option<&Repeat> {
        match self {
            Self::Tests { repeat, .. } => Some(repeat),
            _ => None,
        }
    }

    /// The subject, or an error if there is none.
    pub(super) fn subject(&self) -> Result<Subject, Problem> {
        let (text, source) = match self {
            Self::Flow { subject } => return Ok(subject.as_ref().clone()),
            Self::Run { handover } => return Ok(of_design(handover)),
            Self::Tests { repeat, .. } => return Ok(repeat.subject.clone()),
            Self::Text { text } => (text, SubjectSource::Text),
            Self::File { path, text } => (text, SubjectSource::File { path: path.clone() }),
        };
        let text = text.trim();
        let Some(first) = text.lines().map(str::trim).find(|line| !line.is_empty()) else {
            return Err(no_subject("The text is empty."));
        };
        let title = title(item(first).unwrap_or_else(|| first.trim_start_matches('#')));
        Ok(Subject { title, text: text.to_owned(), source, criteria: numbered(items(text)) })
    }
}

/// What must be true of a design that was built: the demands of its task.
fn of_design(handover: &Handover) -> Subject {
    let Handover { run, design_id, design, .. } = handover;
    let goal = handover.goal();
    Subject {
        title: title(goal.lines().next().unwrap_or_default()),
        text: format!(
            "{goal}\n\nIt was to be built according to this design: {}\n\n{}",
            design.title, design.summary
        ),
        source: SubjectSource::Run { run: run.clone(), design: design_id.to_string() },
        criteria: numbered(handover.requirements().map(|(_, text)| visible::line(&text))),
    }
}

/// A title from a text.
pub(crate) fn title(text: &str) -> String {
    capped(&visible::line(text), TITLE)
}

/// Numbers these texts as criteria.
pub(crate) fn numbered(texts: impl IntoIterator<Item = String>) -> Vec<Criterion> {
    let texts = texts.into_iter().filter(|text| !text.is_empty()).take(MOST).enumerate();
    texts.map(|(index, text)| Criterion { id: format!("C{}", index + 1), text }).collect()
}

/// The items of the lists in a text, without their markers.
fn items(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| item(line.trim())).map(visible::line).collect()
}

fn item(line: &str) -> Option<&str> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marked = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    let counted = Some(&line[digits..]).filter(|_| digits > 0);
    let counted = counted.and_then(|rest| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")));
    let item = marked.or(counted)?.trim();
    let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| item.strip_prefix(mark));
    Some(boxed.unwrap_or(item).trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::artefacts::{Design, Task};
    use crate::design_lab::ids::DesignId;

    #[test]
    fn a_seed_is_a_number_for_tests_that_run_again() {
        for text in [
            "--again --seed",
            "--again --seed x",
            "--again --seed -1",
            "--again --seed 2147483648",
            "--seed 7",
            "--keep e2e --seed 7",
        ] {
            assert_eq!(validate_command(text).unwrap_err().code, ValidationCode::UnknownOption, "{text}");
        }
        let alone = validate_command("--seed 7").unwrap_err();
        assert!(alone.message.contains("only be used with --again"), "{alone}");
    }

    #[test]
    fn the_first_word_decides_unless_it_is_put_behind_dashes() {
        let text = |text: &str| ValidateCommand::Text { text: text.to_owned() };
        let tests = |named: &str, again, keep: Option<&str>| ValidateCommand::Tests {
            named: named.to_owned(),
            again,
            keep: keep.map(str::to_owned),
            seed: None,
        };
        let seeded =
            ValidateCommand::Tests { named: "a1b2".to_owned(), again: true, keep: None, seed: Some(7) };
        for (typed, expected) in [
            ("", ValidateCommand::Latest),
            (" flow ", ValidateCommand::Latest),
            ("flow 2026-11-20-limits", ValidateCommand::Flow { session: "2026-11-20-limits".to_owned() }),
            ("run", ValidateCommand::Run { named: String::new() }),
            ("run limiter/brisk-10 ", ValidateCommand::Run { named: "limiter/brisk-10".to_owned() }),
            ("running costs are shown", text("running costs are shown")),
            ("file docs/my criteria.md", ValidateCommand::File { path: "docs/my criteria.md".to_owned() }),
            ("users can sign in", text("users can sign in")),
            ("-- flow of money is shown", text("flow of money is shown")),
            ("files are kept", text("files are kept")),
            ("--again", tests("", true, None)),
            ("--again 223110z", tests("223110z", true, None)),
            ("--keep e2e", tests("", false, Some("e2e"))),
            ("--keep e2e a1b2 --again", tests("a1b2", true, Some("e2e"))),
            ("--keep", tests("", false, Some(""))),
            ("--again a1b2 --seed 7", seeded.clone()),
            ("--seed 7 --again a1b2", seeded),
        ] {
            assert_eq!(validate_command(typed), Ok(expected), "{typed}");
        }
        for (typed, code) in [
            ("flow of money", ValidationCode::TooManyWords),
            ("run the tests", ValidationCode::TooManyWords),
            ("file", ValidationCode::NoSubject),
            ("--again one two", ValidationCode::TooManyWords),
            ("--agian", ValidationCode::UnknownOption),
            ("--", ValidationCode::NoSubject),
        ] {
            assert_eq!(validate_command(typed).unwrap_err().code, code, "{typed}");
        }
    }

    #[test]
    fn what_the_task_of_a_design_demands_are_its_criteria() {
        let task = |constraints: &[&str], qualities: &[&str]| Task {
            problem_statement: "Limit requests\nof each client".to_owned(),
            constraints: constraints.iter().map(|&text| text.to_owned()).collect(),
            non_functional_requirements: qualities.iter().map(|&text| text.to_owned()).collect(),
        };
        let of = |task: Task| {
            let design =
                Design { title: "Buckets".to_owned(), summary: "One each.".to_owned(), ..Design::default() };
            let (run, design_id) = ("2026-11-20-limiter".to_owned(), DesignId::new("brisk-10"));
            let handover = Handover { run, design_id, task, design, ..Handover::default() };
            SubjectInput::Run { handover: Box::new(handover) }.subject().unwrap()
        };
        let subject = of(task(&["It refuses the\neleventh", " "], &["It answers in a second"]));
        let criteria: Vec<&str> = subject.criteria.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(criteria, ["It refuses the eleventh", "It answers in a second"]);
        assert_eq!(subject.title, "Limit requests");
        assert!(
            subject.text.starts_with("Limit requests\nof each client\n\nConstraints: "),
            "{}",
            subject.text
        );
        assert!(subject.text.ends_with("design: Buckets\n\nOne each."), "{}", subject.text);
        let source =
            SubjectSource::Run { run: "2026-11-20-limiter".to_owned(), design: "brisk-10".to_owned() };
        assert_eq!(subject.source, source);
        assert!(of(task(&[], &[])).criteria.is_empty(), "the verifier lists them then");
    }

    #[test]
    fn the_items_of_a_list_are_its_criteria() {
        let text = "# Sign in\n\nWhat has to hold:\n\n- [ ] A user signs in\n* [x] A wrong word is told\n2. It is remembered\n3) Out again\n-no item\n";
        let file = SubjectInput::File { path: "c.md".to_owned(), text: text.to_owned() };
        let subject = file.subject().unwrap();
        let criteria: Vec<String> =
            subject.criteria.iter().map(|one| format!("{} {}", one.id, one.text)).collect();
        assert_eq!(
            criteria,
            ["C1 A user signs in", "C2 A wrong word is told", "C3 It is remembered", "C4 Out again"]
        );
        assert_eq!(subject.title, "Sign in");
        let typed = SubjectInput::Text { text: "  users can sign in ".to_owned() }.subject().unwrap();
        assert_eq!((typed.text.as_str(), typed.criteria.len()), ("users can sign in", 0));
        let one = SubjectInput::Text { text: "- [ ] It is shown\n".to_owned() }.subject().unwrap();
        assert_eq!((one.title.as_str(), one.criteria.len()), ("It is shown", 1));
        let empty = SubjectInput::Text { text: " \n ".to_owned() }.subject().unwrap_err();
        assert_eq!(empty.code, ValidationCode::NoSubject);
    }
}
