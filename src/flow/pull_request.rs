//! `/flow-pr`: a pull request for a completed session: its title and its text, and whether it may be created now.
//!
//! The invariant: a pull request is created only for a branch that contains exactly the files that were verified, and that is
//! pushed. Flow commits nothing and pushes nothing. It runs the client that the user has installed, `gh` or `glab`, as the user's
//! rules for shell commands allow, and it knows no token.

use super::ci::{self, Source, directory, goal};
use super::code::FlowCode;
use super::foreign;
use super::leave::{Ruling, ShellAction};
use super::protocol::TreeId;
use super::recovery::{Recovery, RecoveryStage};
use super::session::Session;
use super::verify::{completed_tree, ours};
use crate::shared::capped::capped;
use crate::shared::ci::{Outcome, Row, sentence, table, unlinked, unlinked_plain};
use crate::shared::figures::count;
use crate::shared::markdown::inline;
use crate::shared::ran::CommandEnd;
use crate::shared::spelled::for_shell;
use crate::shared::tier::Tier;
use crate::shared::typed_hash::{is_typed, short};
use kernel::digest::sha256;
use kernel::journal::Chain;
use kernel::json::Deserialize;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;
use std::fmt::Write as _;

/// The file of the text, below the session's directory.
const FILE: &str = "pull-request.md";
/// The maximum length of a title, in characters.
const TITLE: usize = 100;
/// The most that the table takes of the text, in bytes: GitHub accepts 65,536 characters, and a program an argument of 128 KiB.
const TABLE: usize = 30_000;
/// The same for the goal and for each list.
const LIST: usize = 8_000;
/// The most of a line, in characters.
const LINE: usize = 400;
/// How many paths a message names.
const NAMED: usize = 10;
/// How long a client may take, in ms.
const TIMEOUT_MS: u64 = 120_000;
/// The option that creates the pull request.
pub(crate) const CREATE: &str = "--create";

/// A request to `/flow-pr`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowPullRequestCommand"))]
pub struct PullRequestCommand {
    /// Whether it is created, not only shown.
    pub create: bool,
    /// The part of the hash that was typed; empty without one.
    pub hash: String,
}

/// A client program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowClient"))]
#[serde(rename_all = "lowercase")]
pub enum Client {
    /// GitHub's.
    Gh,
    /// GitLab's.
    Glab,
}

impl Client {
    fn program(self) -> &'static str {
        match self {
            Self::Gh => "gh",
            Self::Glab => "glab",
        }
    }

    fn host(self) -> &'static str {
        match self {
            Self::Gh => "GitHub",
            Self::Glab => "GitLab",
        }
    }
}

/// What the shell observed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowPullRequestFacts"))]
pub struct Facts {
    /// The tree of the current files; `None` if it wasn't taken.
    pub tree: Option<TreeId>,
    /// The paths that differ from the tree with which the session was completed.
    pub changed: Vec<String>,
    /// The repository; `None` without one.
    pub git: Option<Git>,
    /// The clients on `PATH`, outside the project.
    pub clients: Vec<Client>,
}

/// What git reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowGit"))]
pub struct Git {
    /// The current branch; `None` when no branch is checked out.
    pub branch: Option<String>,
    /// The current commit; `None` before the first.
    pub commit: Option<String>,
    /// The paths at which the files differ from that commit, without this package's directories.
    pub uncommitted: Vec<String>,
    /// The remote to which the branch is pushed.
    pub remote: Option<String>,
    /// Its address; never shown, because it may contain a password.
    pub address: Option<String>,
    /// The branch's commit on the remote, as the remote reports it now; `None` when it has no such branch or wasn't asked.
    pub pushed: Option<String>,
}

/// What `/flow-pr` leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowPullRequest"))]
pub struct PullRequest {
    /// The file of the text, below the session's directory, and the text itself.
    pub file: (String, String),
    /// What is shown.
    pub text: String,
    /// The client's program and arguments, if it is to run now, and how long it may take, in ms.
    pub run: Option<(Vec<String>, u64)>,
}

/// Parses the arguments of `/flow-pr`.
pub fn pull_request_command(text: &str) -> Result<PullRequestCommand, Recovery> {
    let mut words = text.split_whitespace();
    let command = match (words.next(), words.next(), words.next()) {
        (None, ..) => Some((false, "")),
        (Some(CREATE), hash, None) => Some((true, hash.unwrap_or_default())),
        _ => None,
    };
    let (create, hash) = command.ok_or_else(|| {
        Recovery::new(FlowCode::PrUnclear, RecoveryStage::Session, "Flow doesn't understand these arguments.")
            .takes("nothing, or --create")
            .next("Without arguments, the command shows the pull request of the active session.", "/flow-pr")
    })?;
    Ok(PullRequestCommand { create, hash: hash.to_owned() })
}

/// Who asks for the pull request, and how far the session can be trusted.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// Whether this machine vouches for the journal.
    pub origin: Origin,
    /// Whether a model asks. The host has then asked the user for permission.
    pub by_model: bool,
}

/// The pull request of a session.
pub(super) fn pull_request(
    session: &Session,
    chain: &Chain,
    command: &PullRequestCommand,
    facts: &Facts,
    asking: Asking,
) -> Result<PullRequest, Problem> {
    completed(session)?;
    let title = title(session);
    let body = body(session, chain, asking.origin);
    let wish = Wish { session, title: &title, body: &body, facts };
    if !command.create {
        return Ok(wish.shown());
    }
    if asking.origin != Origin::Here {
        return Err(foreign::refused(session.directory.name.as_deref().unwrap_or_default()).into());
    }
    wish.created(command, asking)
}

/// What the client's end shows. `output`: the end of what it printed.
pub fn created(program: &str, end: &CommandEnd, output: &str) -> Result<String, Problem> {
    let lines = || output.lines().map(visible::line).filter(|line| !line.is_empty());
    let last = lines().next_back().unwrap_or_default();
    if *end != (CommandEnd::Exited { code: 0 }) {
        return Err(Problem::new(
            FlowCode::PrFailed,
            format!("{} didn't create the pull request: {}.", visible::line(program), end.words()),
        )
        .found(if last.is_empty() { "no output".to_owned() } else { capped(&last, 300) })
        .next("Fix the cause, for example by logging in with the client. Then type /flow-pr --create again. An existing pull request isn't created twice."));
    }
    let address = lines().rev().find_map(|line| {
        let word = line.split(' ').find(|word| word.starts_with("https://") || word.starts_with("http://"));
        word.map(str::to_owned)
    });
    let said = address.unwrap_or(last);
    Ok(if said.is_empty() {
        "Pull request created.\n".to_owned()
    } else {
        format!("Pull request created: {}\n", capped(&said, 300))
    })
}

fn completed(session: &Session) -> Result<&TreeId, Recovery> {
    completed_tree(session).ok_or_else(|| {
        let (hint, command) = session.way_on();
        Recovery::new(FlowCode::PrNotCompleted, RecoveryStage::Run, "The session isn't complete.")
            .takes("a session whose features are all complete")
            .next(hint, command)
    })
}

/// A pull request that somebody wants.
struct Wish<'a> {
    session: &'a Session,
    title: &'a str,
    body: &'a str,
    facts: &'a Facts,
}

impl Wish<'_> {
    fn path(&self) -> String {
        format!("{}/{FILE}", directory(self.session))
    }

    fn shown(&self) -> PullRequest {
        let mut out = self.preview();
        let commands: Vec<String> = match self.client() {
            Ok(client) => vec![self.spelled(client)],
            Err(_) => [Client::Gh, Client::Glab].map(|client| self.spelled(client)).into(),
        };
        let _ = writeln!(out, "\nTo create it, type /flow-pr {CREATE}, or run:\n");
        for command in commands {
            let _ = writeln!(out, "    {command}");
        }
        match self.unready() {
            Some(problem) => {
                let next = problem.next.unwrap_or_default();
                let _ = writeln!(out, "\nNot yet: {} {next}", problem.message);
            }
            None => out.push_str("\nThe branch has to be pushed first.\n"),
        }
        self.answer(out, None)
    }

    fn preview(&self) -> String {
        let mut out = format!("Flow · pull request\n\nTitle  {}\nText   {}\n\n", self.title, self.path());
        for line in self.body.lines() {
            let _ = writeln!(out, "{}", format!("    {line}").trim_end());
        }
        out
    }

    fn answer(&self, text: String, run: Option<(Vec<String>, u64)>) -> PullRequest {
        PullRequest { file: (FILE.to_owned(), self.body.to_owned()), text, run }
    }

    fn created(&self, command: &PullRequestCommand, asking: Asking) -> Result<PullRequest, Problem> {
        if let Some(problem) = self.unready().or_else(|| self.unpushed()) {
            return Err(problem);
        }
        let client = self.client()?;
        let argv = self.argv(client);
        let hash = sha256(&[argv.join("\0").as_str(), self.body].join("\0"));
        let run = |wish: &Self| wish.answer(String::new(), Some((argv.clone(), TIMEOUT_MS)));
        match self.ruling(&argv) {
            Some(Ruling { action: ShellAction::Deny, why }) => {
                Err(Problem::new(FlowCode::PrDenied, "Your permission rules deny the client's command.")
                    .found(why)
                    .next("Run the command that /flow-pr shows yourself, or change the rule in permission.bash of opencode.json."))
            }
            // OpenCode has asked the user before it ran the model's tool.
            Some(_) if asking.by_model => Ok(run(self)),
            Some(_) if is_typed(&command.hash, &hash) => Ok(run(self)),
            Some(Ruling { why, .. }) => {
                let mut out = self.preview();
                let _ = writeln!(
                    out,
                    "\nFlow runs {} only with your permission, because {why}. To create the pull request, type:\n\n    /flow-pr {CREATE} {}",
                    client.program(),
                    short(&hash)
                );
                Ok(self.answer(out, None))
            }
            None => Ok(run(self)),
        }
    }

    /// What the user's rules do with the client's command; `None` if they allow it. If the rules are unknown, the user is asked.
    fn ruling(&self, argv: &[String]) -> Option<Ruling> {
        match &self.session.shell_rules {
            Some(rules) => rules.ruling(argv),
            None => Some(Ruling {
                action: ShellAction::Ask,
                why: "OpenCode doesn't report your rules".to_owned(),
            }),
        }
    }

    /// Why the branch doesn't contain what was verified; `None` when it does.
    fn unready(&self) -> Option<Problem> {
        let Facts { tree, changed, git, .. } = self.facts;
        let verified = completed_tree(self.session);
        if tree.as_ref() != verified && ours(changed).is_empty() {
            let message = format!("The files aren't those that were verified: {}.", some(changed));
            return Some(Problem::new(FlowCode::PrOtherFiles, message).next(
                "Restore the files, or build the change in a new session. `npx opencode-design-lab flow verify` compares them.",
            ));
        }
        let Some(git) = git else {
            return Some(
                Problem::new(FlowCode::PrNoGit, "The project isn't in a git repository.")
                    .next("A pull request needs a repository with a remote."),
            );
        };
        if git.branch.is_none() {
            return Some(Problem::new(FlowCode::PrNoBranch, "No branch is checked out.")
                .next("Create one, for example with `git switch -c <name>`, and commit the result there. Flow commits nothing."));
        }
        let uncommitted: Vec<String> = git
            .uncommitted
            .iter()
            .filter(|path| ours(std::slice::from_ref(path)).is_empty())
            .cloned()
            .collect();
        if git.commit.is_none() || !uncommitted.is_empty() {
            let message =
                format!("The branch doesn't contain the verified files yet: {}.", some(&uncommitted));
            return Some(
                Problem::new(FlowCode::PrNotCommitted, message)
                    .next("Review the files, commit them, and push the branch. Flow commits nothing."),
            );
        }
        None
    }

    /// Why the branch can't be the source of a pull request, although it contains what was verified.
    fn unpushed(&self) -> Option<Problem> {
        let git = self.facts.git.as_ref()?;
        let branch = for_shell(git.branch.as_deref().unwrap_or_default());
        let Some(remote) = git.remote.as_deref().filter(|_| git.address.is_some()) else {
            return Some(Problem::new(FlowCode::PrNoRemote, "The repository has no remote for this branch.")
                .next(format!("Add one with `git remote add origin <address>`, then push the branch: `git push -u origin {branch}`.")));
        };
        if git.pushed.is_some() && git.pushed == git.commit {
            return None;
        }
        let remote = for_shell(remote);
        let message = if git.pushed.is_some() {
            format!("The branch on {remote} has another commit than yours.")
        } else {
            format!("The branch isn't on {remote}.")
        };
        Some(
            Problem::new(FlowCode::PrNotPushed, visible::line(&message))
                .next(format!("Push it: `git push -u {remote} {branch}`. Flow pushes nothing.")),
        )
    }

    /// The client for the remote's host, or the one that is installed.
    fn client(&self) -> Result<Client, Problem> {
        let address = self.facts.git.as_ref().and_then(|git| git.address.as_deref());
        let host = address.map(host_of).unwrap_or_default();
        let wanted = if host.contains("github") {
            Some(Client::Gh)
        } else if host.contains("gitlab") {
            Some(Client::Glab)
        } else {
            None
        };
        let installed = &self.facts.clients;
        let missing = |what: String| {
            Problem::new(FlowCode::PrNoClient, what)
                .allowed("gh or glab on PATH, outside the project")
                .next("Install the client and log in with it, or create the pull request on the website with the text that /flow-pr shows.")
        };
        match (wanted, installed.as_slice()) {
            (Some(client), _) if installed.contains(&client) => Ok(client),
            (Some(client), _) => {
                Err(missing(format!("{}'s client {} isn't installed.", client.host(), client.program())))
            }
            (None, []) => Err(missing("No client for pull requests is installed.".to_owned())),
            (None, [client]) => Ok(*client),
            (None, _) => Err(Problem::new(
                FlowCode::PrNoClient,
                "Flow can't tell whether the remote is on GitHub or GitLab.",
            )
            .next("Run one of the commands that /flow-pr shows.")),
        }
    }

    fn argv(&self, client: Client) -> Vec<String> {
        let title = format!("--title={}", self.title);
        let own = match client {
            Client::Gh => {
                vec!["pr".to_owned(), "create".to_owned(), title, format!("--body-file={}", self.path())]
            }
            Client::Glab => {
                let branch =
                    self.facts.git.as_ref().and_then(|git| git.branch.as_deref()).unwrap_or_default();
                vec![
                    "mr".to_owned(),
                    "create".to_owned(),
                    title,
                    format!("--description={}", self.body),
                    format!("--source-branch={branch}"),
                    "--yes".to_owned(),
                ]
            }
        };
        [client.program().to_owned()].into_iter().chain(own).collect()
    }

    /// The command for the user's own shell.
    fn spelled(&self, client: Client) -> String {
        let (title, path) = (for_shell(self.title), for_shell(&self.path()));
        match client {
            Client::Gh => format!("gh pr create --title {title} --body-file {path}"),
            Client::Glab => format!("glab mr create --title {title} --description \"$(cat {path})\""),
        }
    }
}

/// The host of a remote's address: `git@host:path`, `ssh://user@host:port/path` or `https://host/path`; empty for a path.
fn host_of(address: &str) -> String {
    let host = match address.split_once("://") {
        Some(("file", _)) => "",
        Some((_, rest)) => rest.split('/').next().unwrap_or_default(),
        None => match address.split_once(':') {
            Some((host, _)) if !host.contains('/') && host.len() > 1 => host,
            _ => "",
        },
    };
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    host.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

fn some(paths: &[String]) -> String {
    if paths.is_empty() {
        return "there is no commit yet".to_owned();
    }
    let named: Vec<String> = paths.iter().take(NAMED).map(|path| visible::line(path)).collect();
    match paths.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{}, and {more} more", named.join(", ")),
    }
}

// ---- the text ----

fn title(session: &Session) -> String {
    let goal = unlinked_plain(&visible::line(goal(session)));
    if goal.is_empty() { "Result of a Flow session".to_owned() } else { capped(&goal, TITLE) }
}

/// Foreign text on one line of the text.
fn line(text: &str) -> String {
    unlinked(&inline(&capped(&visible::line(text), LINE)))
}

fn body(session: &Session, chain: &Chain, origin: Origin) -> String {
    let rows = ci::rows(session, Source { repeated: None, origin, prefix: "" });
    let name = session.directory.name.as_deref().unwrap_or_default();
    let mut out = "## What was asked\n\n".to_owned();
    // In a quotation, no line is a heading, or a command to the site.
    let goal = session.opening.goal.lines().map(line).filter(|one| !one.is_empty());
    list(&mut out, "> ", goal.map(|one| format!("{one}  ")).collect());
    out.push_str("\n## What was built\n\n");
    let built = session.completed().map(|one| format!("{}: {}", one.id, line(&one.title)));
    list(&mut out, "- ", built.collect());
    let _ = writeln!(out, "\n## What shows that it works\n\n{}\n\n{}", sentence(&rows), table(&rows, TABLE));
    let used = Tier::ALL.into_iter().filter(|tier| rows.iter().any(|row| row.tier == *tier));
    let meanings: Vec<String> = used.map(|tier| format!("*{}*: {}", tier.word(), tier.meaning())).collect();
    let _ = writeln!(out, "\n{}", meanings.join(" "));
    out.push_str("\n## What is not checked\n\n");
    let open = not_checked(session, &rows);
    if open.is_empty() {
        out.push_str("Checks decide every criterion.\n");
    }
    list(&mut out, "- ", open);
    if !session.notes.is_empty() {
        out.push_str("\n## Notes\n\n");
        list(&mut out, "- ", session.notes.iter().map(|note| line(note)).collect());
    }
    let head = chain.head();
    let _ = write!(
        out,
        "\n## How to verify\n\n```\nnpx opencode-design-lab flow verify --run --session {name} --head {head}\n```\n\n\
         This compares the files with the session's journal, and runs every check again in a clean copy. It needs \
         `{SESSIONS}/{name}`, which git ignores: add it with `git add -f`, or copy it.\n\nJournal head: `{head}`\n",
        SESSIONS = ci::SESSIONS,
    );
    out
}

/// What no check decided.
fn not_checked(session: &Session, rows: &[Row]) -> Vec<String> {
    let open = rows.iter().filter(|row| row.outcome == Outcome::Open);
    let criteria = open.map(|row| format!("{}/{}: {}", row.group, row.id, line(&row.result)));
    let left_out = session.plan.iter().flat_map(|plan| &plan.left_out);
    let left_out = left_out.map(|one| format!("{} was left out: {}", line(&one.id), line(&one.why)));
    let fewer = session.completed().flat_map(|feature| session.fewer_tests(&feature.id));
    let fewer = fewer.map(|said| format!("fewer tests: {}", line(&said)));
    criteria.chain(left_out).chain(fewer).collect()
}

/// Writes lines, each behind this mark, as far as there is room, and counts the rest.
fn list(out: &mut String, mark: &str, lines: Vec<String>) {
    let (mut room, mut left) = (LIST, lines.len());
    for one in lines {
        if one.len() > room {
            let _ = writeln!(out, "{mark}{}", count(left as u64, "more line", "more lines"));
            return;
        }
        room -= one.len();
        left -= 1;
        let _ = writeln!(out, "{mark}{one}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Run;
    use crate::flow::leave::{ShellRule, ShellRules};
    use crate::flow::tests::whole_journal;
    use kernel::problem::ErrorCode as _;
    use kernel::run::Durable as _;

    const HERE: Asking = Asking { origin: Origin::Here, by_model: false };

    fn session() -> Run {
        let mut run = Run::replay(&whole_journal()).unwrap().0;
        run.know_rules(rules("allow"));
        run
    }

    fn rules(action: &str) -> ShellRules {
        serde_json::from_value(serde_json::json!([{"pattern": "*", "action": action}])).unwrap()
    }

    fn ready() -> Facts {
        Facts {
            tree: Some("t3".into()),
            changed: Vec::new(),
            git: Some(Git {
                branch: Some("limits".to_owned()),
                commit: Some("c1".to_owned()),
                uncommitted: Vec::new(),
                remote: Some("origin".to_owned()),
                address: Some("git@github.com:acme/api.git".to_owned()),
                pushed: Some("c1".to_owned()),
            }),
            clients: vec![Client::Gh],
        }
    }

    fn asked(run: &Run, text: &str, facts: &Facts, asking: Asking) -> Result<PullRequest, Problem> {
        run.pull_request(&pull_request_command(text).unwrap(), facts, asking)
    }

    #[test]
    fn the_pull_request_of_a_session() {
        let run = session();
        let shown = asked(&run, "", &ready(), HERE).unwrap();
        assert_eq!(shown.run, None);
        insta::assert_snapshot!("shown", shown.text);
        let created = asked(&run, "--create", &ready(), HERE).unwrap();
        let (argv, _) = created.run.unwrap();
        assert_eq!(argv[..3], ["gh", "pr", "create"]);
        assert_eq!(argv[3], "--title=Limit the rate of the public API");
        assert!(argv[4].starts_with("--body-file=.flow/sessions/") && argv[4].ends_with("/pull-request.md"));
        assert!(created.file.1.contains("## What is not checked"));
    }

    #[test]
    fn nothing_is_created_for_another_tree_or_a_branch_without_it() {
        let run = session();
        let with = |change: fn(&mut Facts)| {
            let mut facts = ready();
            change(&mut facts);
            asked(&run, "--create", &facts, HERE).map(|_| ()).unwrap_err().code
        };
        let git = |facts: &mut Facts, change: fn(&mut Git)| change(facts.git.as_mut().unwrap());
        for (code, found) in [
            (
                FlowCode::PrOtherFiles,
                with(|facts| {
                    facts.tree = Some("t4".into());
                    facts.changed = vec!["src/a.js".to_owned()];
                }),
            ),
            (FlowCode::PrOtherFiles, with(|facts| facts.tree = None)),
            (FlowCode::PrNoGit, with(|facts| facts.git = None)),
        ] {
            assert_eq!(found, code, "{}", code.text());
        }
        let of_git = |change: fn(&mut Git)| {
            let mut facts = ready();
            git(&mut facts, change);
            asked(&run, "--create", &facts, HERE).map(|_| ()).unwrap_err().code
        };
        for (code, found) in [
            (FlowCode::PrNoBranch, of_git(|git| git.branch = None)),
            (FlowCode::PrNotCommitted, of_git(|git| git.uncommitted = vec!["src/limits.js".to_owned()])),
            (FlowCode::PrNotCommitted, of_git(|git| git.commit = None)),
            (FlowCode::PrNoRemote, of_git(|git| git.address = None)),
            (FlowCode::PrNotPushed, of_git(|git| git.pushed = None)),
            (FlowCode::PrNotPushed, of_git(|git| git.pushed = Some("c0".to_owned()))),
        ] {
            assert_eq!(found, code, "{}", code.text());
        }
        let mut configured = ready();
        git(&mut configured, |git| git.uncommitted = vec![".opencode/validation.jsonc".to_owned()]);
        assert!(asked(&run, "--create", &configured, HERE).unwrap().run.is_some(), "no check depends on it");

        let journal = whole_journal();
        let lines: Vec<&str> = journal.split_inclusive('\n').collect();
        let unfinished = Run::replay(&lines[..lines.len() - 8].concat()).unwrap().0;
        for text in ["", "--create"] {
            assert_eq!(asked(&unfinished, text, &ready(), HERE).unwrap_err().code, FlowCode::PrNotCompleted);
        }
        let elsewhere = Asking { origin: Origin::Elsewhere, ..HERE };
        assert_eq!(
            asked(&run, "--create", &ready(), elsewhere).unwrap_err().code,
            FlowCode::SessionElsewhere
        );
    }

    #[test]
    fn the_users_rules_decide_whether_the_client_runs() {
        let by_model = Asking { by_model: true, ..HERE };
        let mut run = session();
        run.know_rules(rules("deny"));
        for asking in [HERE, by_model] {
            assert_eq!(asked(&run, "--create", &ready(), asking).unwrap_err().code, FlowCode::PrDenied);
        }
        run.know_rules(rules("ask"));
        assert!(asked(&run, "--create", &ready(), by_model).unwrap().run.is_some(), "OpenCode has asked");
        let first = asked(&run, "--create", &ready(), HERE).unwrap();
        assert_eq!(first.run, None);
        let typed = first.text.lines().last().unwrap().trim().strip_prefix("/flow-pr ").unwrap();
        assert!(asked(&run, typed, &ready(), HERE).unwrap().run.is_some());
        let mut other = ready();
        other.git.as_mut().unwrap().address = Some("git@gitlab.com:acme/api.git".to_owned());
        other.clients = vec![Client::Glab];
        assert_eq!(asked(&run, typed, &other, HERE).unwrap().run, None, "another command has another hash");
        let first: ShellRule =
            serde_json::from_value(serde_json::json!({"pattern": "gh pr create *", "action": "deny"}))
                .unwrap();
        let mut some = serde_json::to_value(rules("allow")).unwrap();
        some.as_array_mut().unwrap().push(serde_json::to_value(first).unwrap());
        run.know_rules(serde_json::from_value(some).unwrap());
        assert_eq!(asked(&run, "--create", &ready(), HERE).unwrap_err().code, FlowCode::PrDenied);
    }

    #[test]
    fn the_host_of_the_remote_or_the_installed_client_decides() {
        let run = session();
        let client = |address: &str, clients: &[Client]| {
            let mut facts = ready();
            facts.git.as_mut().unwrap().address = Some(address.to_owned());
            facts.clients = clients.to_vec();
            asked(&run, "--create", &facts, HERE).map(|made| made.run.unwrap().0[0].clone()).ok()
        };
        let (gh, glab) = (Client::Gh, Client::Glab);
        for (address, clients, expected) in [
            ("git@github.com:a/b.git", &[gh, glab][..], Some("gh")),
            ("https://user:secret@gitlab.example.org/a/b.git", &[gh, glab], Some("glab")),
            ("ssh://git@github.example.com:22/a/b", &[glab], None),
            ("/srv/github/b.git", &[glab], Some("glab")),
            ("file:///srv/gitlab/b.git", &[gh], Some("gh")),
            ("C:\\gitlab\\b.git", &[gh], Some("gh")),
            ("git.example.org:a/b", &[gh, glab], None),
            ("git.example.org:a/b", &[], None),
        ] {
            assert_eq!(client(address, clients).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn what_the_client_printed_is_shown_in_a_line() {
        let ok = CommandEnd::Exited { code: 0 };
        assert_eq!(
            created("gh", &ok, "Creating…\n\u{1b}[2Jhttps://github.com/a/b/pull/7\n").unwrap(),
            "Pull request created: [U+001B][2Jhttps://github.com/a/b/pull/7\n"
        );
        assert_eq!(
            created("gh", &ok, "see https://github.com/a/b/pull/7 now\n\n").unwrap(),
            "Pull request created: https://github.com/a/b/pull/7\n"
        );
        assert_eq!(created("gh", &ok, "").unwrap(), "Pull request created.\n");
        for end in [
            CommandEnd::Exited { code: 4 },
            CommandEnd::TimedOut,
            CommandEnd::Signalled { signal: "SIGKILL".to_owned() },
        ] {
            let problem = created("gh", &end, &"no login ".repeat(1_000)).unwrap_err();
            assert_eq!(problem.code, FlowCode::PrFailed);
            assert!(problem.found.unwrap().chars().count() <= 300);
        }
    }

    #[test]
    fn a_text_of_any_size_fits_into_a_pull_request() {
        let mut out = String::new();
        list(&mut out, "- ", vec![line(&"@a ".repeat(5_000)); 5_000]);
        assert!(out.len() < 2 * LIST, "{}", out.len());
        assert!(out.ends_with(" more lines\n") && !out.contains("@a"), "{out}");
    }

    #[test]
    fn the_arguments_are_understood_or_refused() {
        let parsed = |text| pull_request_command(text).map(|one| (one.create, one.hash)).ok();
        assert_eq!(parsed(" "), Some((false, String::new())));
        assert_eq!(parsed("--create"), Some((true, String::new())));
        assert_eq!(parsed("--create 3fa91c02"), Some((true, "3fa91c02".to_owned())));
        for text in ["now", "--create a b", "--comments"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
