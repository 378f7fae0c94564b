//! What the sessions of Flow's models may do: verdicts from facts. Planner, reviewer and examiner only read. The worker works under
//! the user's own rules, but may not change Flow's files or run OpenCode's commands: a claim made there would look like the user's
//! word.
//!
//! As for a session of Design Lab, the shell asks twice: [`inquire`] decides at once or names the paths to look up, and [`verdict`]
//! judges by the places that they lead to.
//!
//! This doesn't guarantee that nothing else is written: a program that the worker runs can write to any of the user's files.
//! `docs/flow-evidence.md` describes what such a program can and can't do.

use super::protocol::Role;
use crate::opencode::tools;
use kernel::json::Deserialize;
use serde::Serialize;
use serde_json::Value;

/// What has to be known to judge a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowInquiry"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Inquiry {
    /// Nothing: the call may proceed.
    Allow,
    /// Nothing: the call is refused.
    Deny {
        /// The message for the model.
        message: String,
    },
    /// The places that these paths lead to, each as a [`Place`].
    Ask {
        /// As the call names them.
        paths: Vec<String>,
    },
}

/// The place that a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowPlace"))]
pub struct Place {
    /// As it was given.
    pub given: String,
    /// The path as written, made absolute and without `..`.
    pub absolute: String,
    /// The path with its links resolved.
    pub real: String,
}

/// The facts about the paths of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowGuardFacts"))]
pub struct Facts {
    /// The directories that no session may change.
    pub kept: Vec<Place>,
    /// The paths that were looked up.
    pub paths: Vec<Place>,
    /// The directory outside which the session may change nothing; `None` when it works in the project.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub within: Option<Place>,
}

/// Whether a call may proceed, as far as that can be decided without facts. `args` is the JSON text of its arguments.
pub fn inquire(role: Role, tool: &str, args: &str) -> Inquiry {
    let deny = |message: &str| Inquiry::Deny { message: message.to_owned() };
    if tools::reads(tool) {
        return Inquiry::Allow;
    }
    if role != Role::Worker {
        return deny(tools::ONLY_READS);
    }
    if tools::starts_sessions(tool) {
        return deny("This session can't start other sessions.");
    }
    let Ok(args) = serde_json::from_str::<Value>(args) else {
        return deny("The arguments of this call can't be read.");
    };
    if tools::command_line(tool, &args).iter().any(|text| is_off_limits(text)) {
        return deny("This session can't run commands that start opencode or name .flow.");
    }
    if tools::command_line(tool, &args).iter().any(|text| moves_git(text)) {
        return deny(
            "Don't change git's branches, history or index, or the user's uncommitted changes: leave \
             commits to the user.",
        );
    }
    let paths = tools::written(&args);
    if paths.is_empty() { Inquiry::Allow } else { Inquiry::Ask { paths } }
}

/// Why a call is refused, given the places that its paths lead to; `None` if it is allowed.
pub fn verdict(paths: &[String], facts: &Facts) -> Option<String> {
    let is_in = |place: &Place, directory: &Place| {
        let spelled = [&directory.absolute, &directory.real];
        spelled
            .into_iter()
            .any(|directory| is_below(&place.absolute, directory) || is_below(&place.real, directory))
    };
    let is_kept = |place: &Place| facts.kept.iter().any(|kept| is_in(place, kept));
    // A link in the lane may lead out of it.
    let is_outside =
        |place: &Place| facts.within.as_ref().is_some_and(|lane| !is_below(&place.real, &lane.real));
    paths.iter().find_map(|given| match facts.paths.iter().find(|place| place.given == *given) {
        None => Some(format!("The path {given} was not checked.")),
        Some(place) if is_kept(place) => Some(format!("{given} belongs to Flow: no session may change it.")),
        Some(place) if is_outside(place) => Some(format!(
            "{given} is outside this working copy. Change only the project's files in the current directory."
        )),
        Some(_) => None,
    })
}

/// Whether a path is this directory or is inside it.
fn is_below(path: &str, directory: &str) -> bool {
    let names = |path: &str| -> Vec<String> {
        path.split(['/', '\\']).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    names(path).starts_with(&names(directory))
}

/// Whether a command line contains OpenCode or Flow's own files as words.
fn is_off_limits(text: &str) -> bool {
    ["opencode", ".flow"].iter().any(|word| {
        text.match_indices(word).any(|(start, _)| {
            let before = text[..start].chars().next_back();
            let after = text[start + word.len()..].chars().next();
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            !before.is_some_and(|c| is_letter(c) || c == '.') && !after.is_some_and(is_letter)
        })
    })
}

/// The git commands that change files, commits or their names.
const GIT_MOVES: [&str; 20] = [
    "am",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "commit",
    "filter-branch",
    "merge",
    "mv",
    "pull",
    "push",
    "rebase",
    "reset",
    "restore",
    "revert",
    "stash",
    "switch",
    "tag",
    "update-ref",
    "worktree",
];

/// Whether a command line makes git do what only the user should do, because what is lost that way can't be recovered.
fn moves_git(text: &str) -> bool {
    let is_end = |c: char| c.is_whitespace() || ";&|()<>`\"'$".contains(c);
    let mut words = text.split(is_end).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        if word.rsplit('/').next() != Some("git") {
            continue;
        }
        // `-C` and `-c` take an argument.
        let mut takes_one = false;
        let command = words.find(|word| {
            let is_option = takes_one || word.starts_with('-');
            takes_one = !takes_one && matches!(*word, "-C" | "-c");
            !is_option
        });
        if command.is_some_and(|command| GIT_MOVES.contains(&command)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn git_may_be_asked_and_may_not_move_anything() {
        for command in [
            "git commit -am done",
            "cd src && git stash",
            "/usr/bin/git reset --hard",
            "git -C . checkout -- a.js",
            "git -c user.name=x commit -m y",
            "sh -c 'git clean -fdx'",
            "echo $(git push)",
            "git --no-pager tag v1",
        ] {
            assert!(moves_git(command), "{command}");
        }
        for command in [
            "git status",
            "git diff HEAD~1",
            "git log --grep commit",
            "git -C sub show",
            "npm run commit",
            "git",
            "digit commit",
            "git add -A",
            "node git.js commit",
        ] {
            assert!(!moves_git(command), "{command}");
        }
    }

    /// The verdict on a call in `/p`, which keeps `/p/.flow` and `/p/out`; `/p/src/link` leads to `/p/.flow`.
    fn judged(role: Role, tool: &str, args: &Value) -> Result<(), String> {
        let place = |given: &str| {
            let absolute = if given.starts_with('/') { given.to_owned() } else { format!("/p/{given}") };
            Place { given: given.to_owned(), real: absolute.replace("/p/src/link", "/p/.flow"), absolute }
        };
        match inquire(role, tool, &args.to_string()) {
            Inquiry::Allow => Ok(()),
            Inquiry::Deny { message } => Err(message),
            Inquiry::Ask { paths } => {
                let kept = vec![place("/p/.flow"), place("/p/out")];
                let paths_seen = paths.iter().map(|path| place(path)).collect();
                let facts = Facts { kept, paths: paths_seen, within: None };
                verdict(&paths, &facts).map_or(Ok(()), Err)
            }
        }
    }

    #[test]
    fn who_plans_or_reviews_reads_and_does_nothing_else() {
        let args = json!({"filePath": "a.js"});
        for role in [Role::Planner, Role::Reviewer, Role::Examiner] {
            for tool in ["read", "grep", "glob", "list", "invalid"] {
                assert_eq!(judged(role, tool, &args), Ok(()), "{tool}");
            }
            for tool in [
                "edit",
                "write",
                "apply_patch",
                "bash",
                "task",
                "skill",
                "webfetch",
                "todowrite",
                "acme_mcp",
                "design_lab",
            ] {
                assert!(judged(role, tool, &args).unwrap_err().contains("only reads"), "{tool}");
            }
        }
    }

    #[test]
    fn a_worker_in_a_lane_changes_nothing_outside_it() {
        let place = |given: &str, real: &str| Place {
            given: given.to_owned(),
            absolute: given.to_owned(),
            real: real.to_owned(),
        };
        let lane = "/real/lane";
        for (given, real, allowed) in [
            ("/lane/a.js", "/real/lane/a.js", true),
            ("/lane/new/b.js", "/real/lane/new/b.js", true),
            ("/lane", "/real/lane", true),
            ("/p/a.js", "/p/a.js", false),
            ("/lanes/a.js", "/real/lanes/a.js", false),
            // A link in the lane that leads to the user's project.
            ("/lane/node_modules/x", "/p/node_modules/x", false),
        ] {
            let paths = vec![place(given, real)];
            let within = Some(place("/lane", lane));
            let facts = Facts { kept: Vec::new(), paths, within };
            assert_eq!(verdict(&[given.to_owned()], &facts).is_none(), allowed, "{given}");
        }
    }

    #[test]
    fn a_worker_changes_the_project_and_nothing_that_flow_keeps() {
        let patch =
            |lines: &str| json!({"patchText": format!("*** Begin Patch\n{lines}\n+x\n*** End Patch")});
        let file = |path: &str| json!({"filePath": path, "content": ""});
        let table = [
            ("write", file("src/a.js"), true),
            ("write", file("/p/new/b.js"), true),
            ("write", file(".flowing"), true),
            ("write", file("flow/a"), true),
            ("write", file("output.txt"), true),
            ("write", file("/elsewhere/.flow/active"), true),
            ("write", file(".flow/active"), false),
            ("write", file(".flow"), false),
            ("edit", file("/p/.flow/sessions/x/journal.jsonl"), false),
            ("multiedit", file("src/link/active"), false),
            ("some_tool", file("out/run/journal.jsonl"), false),
            ("apply_patch", patch("*** Add File: src/new.js"), true),
            ("apply_patch", patch("*** Add File: .flow/x"), false),
            ("apply_patch", patch("*** Delete File: .flow/active"), false),
            ("apply_patch", patch("*** Update File: src/a.js\n*** Move to: .flow/a.js"), false),
            ("read", file(".flow/active"), true),
            ("todowrite", json!({"todos": []}), true),
        ];
        for (tool, args, is_allowed) in table {
            assert_eq!(judged(Role::Worker, tool, &args).is_ok(), is_allowed, "{tool} {args}");
        }
        assert!(verdict(&["a".to_owned()], &Facts::default()).is_some(), "a path without a fact is refused");
        let kept = Place {
            given: String::new(),
            absolute: "C:\\p\\.flow".to_owned(),
            real: "C:\\p\\.flow".to_owned(),
        };
        let place =
            Place { absolute: "C:\\p\\.flow\\active".to_owned(), given: "x".to_owned(), real: String::new() };
        let facts = Facts { kept: vec![kept], paths: vec![place], within: None };
        assert!(verdict(&["x".to_owned()], &facts).is_some(), "paths of Windows, too");
    }

    #[test]
    fn a_worker_runs_commands_but_none_of_opencode_and_none_on_what_flow_keeps() {
        let table = [
            ("npm test", true),
            ("git diff", true),
            ("cat src/workflow.js", true),
            ("ls opencode-plugin", true),
            ("node my.flow.js", true),
            ("opencode run --command flow-plan 'approve 1234'", false),
            ("npx opencode run x", false),
            ("cd /tmp && /usr/bin/opencode serve", false),
            ("echo x > .flow/active", false),
            ("cd .flow; rm -r sessions", false),
            ("rm -rf \"./.flow\"", false),
        ];
        for (command, is_allowed) in table {
            for tool in ["bash", "shell"] {
                let judged = judged(Role::Worker, tool, &json!({"command": command}));
                assert_eq!(judged.is_ok(), is_allowed, "{command}");
            }
        }
        assert!(judged(Role::Worker, "bash", &json!({"command": "ls", "workdir": ".flow"})).is_err());
        for tool in ["task", "subagent", "design_lab"] {
            assert!(
                judged(Role::Worker, tool, &json!({})).unwrap_err().contains("start other sessions"),
                "{tool}"
            );
        }
        assert!(matches!(inquire(Role::Worker, "write", "{"), Inquiry::Deny { .. }));
    }
}
