//! `/validate-init --install`: installs Playwright Test with npm, for a project that has none, in a directory of its own, and fast-check
//! with it, which tests of rules use.
//!
//! The user approves by typing the option: nothing is installed without it. An incomplete installation doesn't count.

use super::code::ValidationCode;
use super::property::FAST_CHECK;
use crate::shared::ran::CommandEnd;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::{Value, json};

/// The directory of the installation, relative to the project's root: searched for Playwright Test when the project has none itself.
pub const DIRECTORY: &str = ".opencode/validation";

/// The package that is installed; this package's own tests run with the same version.
const PACKAGE: &str = "@playwright/test";
const VERSION: &str = "1.65.1";
/// The version of fast-check that is installed with it.
const FAST_CHECK_VERSION: &str = "4.10.2";

/// The size of both on disk, with the packages that they need.
const SIZE: &str = "21 MB";

/// The description in its `package.json`, which identifies it as installed by this package.
const ABOUT: &str = "The test runner of /validate";

/// The time limit of npm.
const TIMEOUT_MS: u64 = 300_000;

/// The maximum number of npm's lines, and of characters in all, that are shown when it fails.
const LINES: usize = 6;
const LENGTH: usize = 600;

/// The options of `/validate-init`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidateInitCommand"))]
pub struct InitCommand {
    /// Whether the user allows Playwright Test to be installed.
    pub installs: bool,
}

/// Parses the arguments of `/validate-init`.
pub fn init_command(text: &str) -> Result<InitCommand, Problem> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [] => Ok(InitCommand { installs: false }),
        ["--install"] => Ok(InitCommand { installs: true }),
        ["--install", word, ..] | [word, ..] => Err(not_taken(word)),
    }
}

fn not_taken(word: &str) -> Problem {
    let problem = if word.starts_with('-') && word != "--install" {
        Problem::new(ValidationCode::UnknownOption, format!("/validate-init has no option `{word}`."))
    } else {
        Problem::new(ValidationCode::TooManyWords, format!("Unexpected argument `{word}`."))
    };
    problem
        .allowed("`--install`, or no argument")
        .next(format!("Nothing was written. Type the command again without `{word}`."))
}

/// Where the shell found Playwright Test.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationInstallInput"))]
pub struct InstallInput {
    /// Whether the project has its own.
    pub own: bool,
    /// The version that is in [`DIRECTORY`].
    pub installed: Option<String>,
    /// The version of fast-check in it.
    pub fast_check: Option<String>,
    /// The `package.json` of [`DIRECTORY`], empty if it has none; `None` when there is no such directory.
    pub stands: Option<String>,
}

/// npm's task, in a new directory next to [`DIRECTORY`], which replaces it once npm is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationInstall"))]
pub struct Install {
    /// The target directory, relative to the project's root.
    pub directory: &'static str,
    /// The files to write first: each file's name and text.
    pub files: Vec<(&'static str, String)>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The time limit in milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub timeout_ms: u64,
}

/// The task; `None` when it is already done. Files of other origin are never replaced.
pub fn install(found: &InstallInput) -> Result<Option<Install>, Problem> {
    if found.outcome() != Outcome::Fresh {
        return Ok(None);
    }
    if found.stands.as_deref().is_some_and(|package| !is_ours(package)) {
        return Err(Problem::new(
            ValidationCode::NotInstalled,
            format!("Playwright Test {VERSION} was not installed: {DIRECTORY} contains other files."),
        )
        .next("Move that directory away, then type /validate-init --install again."));
    }
    let wanted = format!("{PACKAGE}@{VERSION}");
    let beside = format!("{FAST_CHECK}@{FAST_CHECK_VERSION}");
    // With a prefix npm looks at nothing above it: neither the project nor its workspaces. Only the user's own npm settings apply.
    let command = [
        "npm",
        "install",
        "--prefix",
        ".",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--save-exact",
        &wanted,
        &beside,
    ];
    let package = json!({ "private": true, "description": ABOUT });
    Ok(Some(Install {
        directory: DIRECTORY,
        files: vec![
            ("package.json", format!("{package}\n")),
            (".gitignore", ignored("git")),
            (".ignore", ignored("a search")),
        ],
        command: command.map(str::to_owned).to_vec(),
        timeout_ms: TIMEOUT_MS,
    }))
}

fn is_ours(package: &str) -> bool {
    serde_json::from_str(package).is_ok_and(|package: Value| package["description"] == ABOUT)
}

fn ignored(by: &str) -> String {
    format!("# Written by Validation. Nothing here belongs to the project, so {by} ignores it.\n*\n")
}

/// The outcome of the user's approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The project has its own.
    Own,
    /// It was already installed.
    There,
    /// It is installed now, replacing another version if there is one.
    Fresh,
}

impl InstallInput {
    fn outcome(&self) -> Outcome {
        match &self.installed {
            _ if self.own => Outcome::Own,
            Some(version) if version == VERSION && self.fast_check.as_deref() == Some(FAST_CHECK_VERSION) => {
                Outcome::There
            }
            _ => Outcome::Fresh,
        }
    }

    /// The outcome, once it is done.
    pub(super) fn wording(&self) -> String {
        match self.outcome() {
            Outcome::Own => "Nothing to do: the project has its own Playwright Test.".to_owned(),
            Outcome::There => format!("Nothing to do: {} is already in {DIRECTORY}.", both()),
            Outcome::Fresh => format!(
                "{} is now in {DIRECTORY}, ignored by git. To remove it, delete that directory.",
                both()
            ),
        }
    }
}

/// The outcome of running npm.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationInstallRan"))]
pub struct InstallRan {
    /// How it ended.
    pub end: CommandEnd,
    /// The end of its output.
    pub said: String,
    /// The version that is completely installed in the new directory; `None` when there is none.
    pub version: Option<String>,
    /// The version of fast-check in it.
    pub fast_check: Option<String>,
}

/// Whether it is installed; if not, why.
pub fn installed(ran: &InstallRan) -> Result<(), Problem> {
    let ended_well = ran.end == CommandEnd::Exited { code: 0 };
    let is_whole =
        ran.version.as_deref() == Some(VERSION) && ran.fast_check.as_deref() == Some(FAST_CHECK_VERSION);
    let (why, next) = match &ran.end {
        _ if ended_well && is_whole => return Ok(()),
        _ if ended_well => {
            ("npm succeeded, but the package is incomplete".to_owned(), "Fix what npm reports")
        }
        CommandEnd::NotStarted { .. } => {
            (format!("npm {}", ran.end.words()), "Install npm, which comes with Node.js")
        }
        CommandEnd::TimedOut => {
            (format!("npm was {}", ran.end.words()), "Check that npm can reach its registry")
        }
        CommandEnd::Exited { .. } | CommandEnd::Signalled { .. } => {
            (format!("npm failed ({})", ran.end.words()), "Fix what npm reports")
        }
    };
    let problem = Problem::new(
        ValidationCode::NotInstalled,
        format!("Playwright Test {VERSION} was not installed: {why}."),
    );
    let said = said(&ran.said);
    let problem = if said.is_empty() { problem } else { problem.found(said) };
    Err(problem.next(format!(
        "Nothing was kept. {next}, then type /validate-init --install again. Or install Playwright Test in \
         the project with `npm install --save-dev {PACKAGE}`."
    )))
}

/// npm's explanation: its errors, without their positions in npm; if it reports none, its last lines.
fn said(text: &str) -> String {
    let of_error = |line: &str| {
        let wording =
            line.strip_prefix("npm error").or_else(|| line.strip_prefix("npm ERR!"))?.trim().to_owned();
        (!wording.is_empty() && !wording.starts_with("at ")).then_some(wording)
    };
    let errors: Vec<String> = text.lines().filter_map(of_error).take(LINES).collect();
    let lines = if errors.is_empty() {
        let all: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        all[all.len().saturating_sub(LINES)..].iter().map(|line| (*line).to_owned()).collect()
    } else {
        errors
    };
    lines.join("; ").chars().take(LENGTH).collect()
}

/// What is installed, with its version.
fn both() -> String {
    format!("Playwright Test {VERSION}, with {FAST_CHECK} {FAST_CHECK_VERSION},")
}

/// The command that installs it, and what that does.
pub(super) fn offer() -> String {
    format!(
        "Type `/validate-init --install`: npm then installs {PACKAGE} {VERSION} and {FAST_CHECK} \
         {FAST_CHECK_VERSION} ({SIZE}) in {DIRECTORY}, which git ignores"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_installed_but_by_the_option_and_nothing_else_is_taken() {
        for (text, installs) in [("", false), (" \n", false), ("--install", true), ("  --install ", true)] {
            assert_eq!(init_command(text).unwrap(), InitCommand { installs }, "{text}");
        }
        for (text, code, word) in [
            ("--instal", ValidationCode::UnknownOption, "`--instal`"),
            ("-i", ValidationCode::UnknownOption, "`-i`"),
            ("--install --force", ValidationCode::UnknownOption, "`--force`"),
            ("--install=yes", ValidationCode::UnknownOption, "`--install=yes`"),
            ("--install --install", ValidationCode::TooManyWords, "`--install`"),
            ("web", ValidationCode::TooManyWords, "`web`"),
            ("--install web", ValidationCode::TooManyWords, "`web`"),
            ("web --install", ValidationCode::TooManyWords, "`web`"),
        ] {
            let problem = init_command(text).unwrap_err();
            assert_eq!(problem.code, code, "{text}");
            assert!(problem.message.contains(word), "{text}: {}", problem.message);
            assert_eq!(problem.allowed.as_deref(), Some("`--install`, or no argument"));
        }
    }

    #[test]
    fn it_is_installed_where_it_is_not_there_and_in_place_of_another_version() {
        for (own, there, beside, installs, expected) in [
            (false, None, None, true, "is now in .opencode/validation"),
            (false, Some("1.40.0"), None, true, "is now in .opencode/validation"),
            (false, Some(VERSION), None, true, "is now in .opencode/validation"),
            (false, Some(VERSION), Some("3.23.2"), true, "is now in .opencode/validation"),
            (false, Some(VERSION), Some(FAST_CHECK_VERSION), false, "is already in .opencode/validation"),
            (true, None, None, false, "its own"),
            (true, Some("1.40.0"), None, false, "its own"),
        ] {
            let stands = there.map(|_| format!(r#"{{ "description": "{ABOUT}", "dependencies": {{}} }}"#));
            let fast_check = beside.map(str::to_owned);
            let found = InstallInput { own, installed: there.map(str::to_owned), fast_check, stands };
            assert_eq!(install(&found).unwrap().is_some(), installs, "{found:?}");
            assert!(found.wording().contains(expected), "{}", found.wording());
        }
    }

    #[test]
    fn what_is_not_ours_is_never_replaced() {
        for (stands, own) in
            [("", false), ("not JSON", false), (r#"{ "description": "e2e" }"#, false), ("", true)]
        {
            let (installed, stands_there) = (Some("1.40.0".to_owned()), Some(stands.to_owned()));
            let found = InstallInput { own, installed, fast_check: None, stands: stands_there };
            match install(&found) {
                Ok(None) => assert!(own, "{stands}"),
                Ok(Some(_)) => panic!("{stands} is replaced"),
                Err(problem) => assert_eq!(problem.code, ValidationCode::NotInstalled),
            }
        }
    }

    #[test]
    fn npm_runs_no_script_and_takes_nothing_for_the_project() {
        let Install { files, command, directory, .. } =
            install(&InstallInput { own: false, installed: None, fast_check: None, stands: None })
                .unwrap()
                .unwrap();
        assert_eq!(directory, DIRECTORY);
        assert_eq!(
            command.join(" "),
            format!(
                "npm install --prefix . --ignore-scripts --no-audit --no-fund --save-exact @playwright/test@{VERSION} fast-check@{FAST_CHECK_VERSION}"
            )
        );
        let text =
            |name: &str| files.iter().find(|(file, _)| *file == name).map(|(_, text)| text.as_str()).unwrap();
        assert_eq!(serde_json::from_str::<Value>(text("package.json")).unwrap()["private"], true);
        assert!(text(".gitignore").ends_with("\n*\n") && text(".ignore").ends_with("\n*\n"));
    }

    #[test]
    fn the_version_is_the_one_that_this_package_is_tested_with() {
        let package: Value = serde_json::from_str(include_str!("../../package.json")).unwrap();
        assert_eq!(package["devDependencies"][PACKAGE], VERSION);
        assert_eq!(package["devDependencies"][FAST_CHECK], FAST_CHECK_VERSION);
        let page = include_str!("../../docs/validation.md");
        assert!(
            page.contains(&format!("`{PACKAGE}` {VERSION}"))
                && page.contains(&format!("`{FAST_CHECK}` {FAST_CHECK_VERSION}"))
                && page.contains(SIZE)
                && page.contains(DIRECTORY)
        );
    }

    #[test]
    fn only_what_is_whole_is_installed_and_else_it_is_reported_why() {
        let exited = |code| CommandEnd::Exited { code };
        let refused = "npm warn old\nnpm error code ECONNREFUSED\nnpm error FetchError: request failed\nnpm error     at \
                       ClientRequest (/usr/lib/npm.js:1)\nnpm error\nnpm error A log";
        let version = Some(VERSION.to_owned());
        let ran = |end, said: &str, version: &Option<String>| InstallRan {
            end,
            said: said.to_owned(),
            version: version.clone(),
            fast_check: version.as_ref().map(|_| FAST_CHECK_VERSION.to_owned()),
        };
        assert_eq!(installed(&ran(exited(0), "added 5 packages", &version)), Ok(()));
        let partial = InstallRan { fast_check: None, ..ran(exited(0), "", &version) };
        assert!(installed(&partial).unwrap_err().message.contains("is incomplete"));
        for (seen, message, found, next) in [
            (
                ran(exited(1), refused, &None),
                "npm failed (exit code 1)",
                Some("code ECONNREFUSED; FetchError: request failed; A log"),
                "Fix what npm reports",
            ),
            (
                ran(exited(1), "npm ERR! code ENOSPC", &version),
                "npm failed (exit code 1)",
                Some("code ENOSPC"),
                "Fix what npm reports",
            ),
            (
                ran(exited(0), "added 3 packages", &None),
                "is incomplete",
                Some("added 3 packages"),
                "Fix what npm reports",
            ),
            (ran(exited(0), "", &Some("1.40.0".to_owned())), "is incomplete", None, "Fix what npm reports"),
            (
                ran(CommandEnd::TimedOut, "", &version),
                "npm was stopped because it took too long",
                None,
                "reach its registry",
            ),
            (
                ran(CommandEnd::Signalled { signal: "SIGKILL".to_owned() }, "", &None),
                "ended by signal SIGKILL",
                None,
                "Fix what npm reports",
            ),
            (
                ran(CommandEnd::NotStarted { message: "ENOENT".to_owned() }, "", &None),
                "npm could not be started: ENOENT",
                None,
                "comes with Node.js",
            ),
        ] {
            let problem = installed(&seen).unwrap_err();
            assert_eq!(problem.code, ValidationCode::NotInstalled);
            assert!(problem.message.contains(message), "{}", problem.message);
            assert_eq!(problem.found.as_deref(), found);
            let advice = problem.next.unwrap();
            assert!(advice.contains(next) && advice.contains("/validate-init --install again"), "{advice}");
        }
        let endless = ran(exited(1), &"npm error x ".repeat(9_000), &None);
        assert_eq!(installed(&endless).unwrap_err().found.unwrap().chars().count(), LENGTH);
    }
}
