//! What abandoned runs have left running. It is reported, and ended only if the user asks for it.

use super::code::ValidationCode;
use super::run::VERBS;
use crate::shared::spelled::spelled;
use crate::shared::wrapped::fitted;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;

/// An abandoned run, and its processes that are still running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLeft"))]
pub struct Left {
    /// The run's name.
    pub run: String,
    /// The processes that are proven to be the run's own.
    pub processes: Vec<LeftProcess>,
    /// Why it is unknown what is running.
    pub problem: Option<String>,
}

/// A process that was left running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLeftProcess"))]
pub struct LeftProcess {
    /// Its purpose.
    pub name: String,
    /// Its process ID.
    pub pid: u32,
    /// The command that started it.
    pub command: Vec<String>,
}

/// The text about them for people, a line for each run.
pub fn wording(left: &[Left]) -> Vec<String> {
    left.iter().map(|left| fitted(&line(left))).collect()
}

/// The same for the doctor.
pub fn problem(left: &Left) -> Problem {
    let is_one = left.processes.len() == 1;
    let what = match left.problem {
        Some(_) => "may have left processes running",
        None if is_one => "left a process running",
        None => "left processes running",
    };
    let next = match left.problem {
        Some(_) => {
            "Run the `grep` command. The number in each path that it prints is a process ID: inspect the \
             process with `ps -p <id>`, and end it with `kill <id>`."
                .to_owned()
        }
        None => {
            let them = if is_one { "it" } else { "them" };
            format!("{} {} ends {them}.", VERBS.cancel, visible::line(&left.run))
        }
    };
    let found = left.problem.as_ref().map_or_else(|| line(left), |problem| visible::line(problem));
    Problem::new(ValidationCode::LeftRunning, format!("{} {what}.", visible::line(&left.run)))
        .found(found)
        .next(next)
}

fn line(left: &Left) -> String {
    let run = &left.run;
    if let Some(problem) = &left.problem {
        return visible::line(&format!("{run} may have left processes running: {problem}"));
    }
    let each = left
        .processes
        .iter()
        .map(|process| format!("{} (process {}, {})", process.name, process.pid, spelled(&process.command)));
    let each = each.collect::<Vec<_>>().join(", ");
    let (what, them) =
        if left.processes.len() == 1 { ("this process", "it") } else { ("these processes", "them") };
    visible::line(&format!("{run} left {what} running: {each}. {} {run} ends {them}.", VERBS.cancel))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(name: &str, pid: u32, command: &[&str]) -> LeftProcess {
        LeftProcess {
            name: name.to_owned(),
            pid,
            command: command.iter().map(|&word| word.to_owned()).collect(),
        }
    }

    #[test]
    fn each_run_is_reported_with_the_command_that_ends_what_it_left() {
        let web = process("web", 4_711, &["node", "my server.js"]);
        let left = |processes, problem| Left { run: "validate-1".to_owned(), processes, problem };
        let unreadable = Some("processes.json can't be read\nat all".to_owned());
        let runs = [
            left(vec![web.clone()], None),
            left(vec![web, process("api\u{1b}[2J", 4_712, &["./api"])], None),
            left(Vec::new(), unreadable),
        ];
        insta::assert_snapshot!(wording(&runs).join("\n"), @r#"
        validate-1 left this process running: web (process 4711, node "my
        server.js"). /validate-cancel validate-1 ends it.
        validate-1 left these processes running: web (process 4711, node "my
        server.js"), api[U+001B][2J (process 4712, ./api).
        /validate-cancel validate-1 ends them.
        validate-1 may have left processes running: processes.json can't be read
        at all
        "#);
    }
}
