//! What each command does, in one line each.

use crate::{bench, test};
use std::fmt::Write;

/// The commands: name, arguments, purpose.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("build", "[--quick]", "make the npm package in pkg/; --quick: with an unoptimised core, in seconds"),
    (
        "test",
        "[--long] [STEP…]",
        "run every check, or only these steps; --long: sweeps and repetitions as well",
    ),
    ("demo", "[TASK]", "choose, build and validate a design in the real OpenCode, with scripted models"),
    ("record", "", "take the pictures of the docs: the demo in OpenCode's terminal, its report, the sidebar"),
    (
        "bench",
        "[BENCH…]",
        "measure; print tables, and write them to target/bench; --smoke: only check that they work",
    ),
    (
        "models",
        "[--quick]",
        "run a real small model in OpenCode: fetches 180 MB, takes minutes; not part of `test`",
    ),
    ("pack", "", "make the npm package and pack it into target/packed/"),
    ("publish", "TAG", "do the same, then publish to npm; TAG must be v followed by the version"),
    ("update", "", "update generated files: schemas, types, golden files, the list of files"),
    ("help", "", "show this list"),
];

/// The complete help, for the terminal.
pub(crate) fn text() -> String {
    let commands = COMMANDS.iter().map(|&(name, arguments, about)| (format!("{name} {arguments}"), about));
    let steps = test::list().map(|(name, about)| (name.to_owned(), about));
    let benches = bench::list().map(|(name, about)| (name.to_owned(), about));
    [
        "usage: cargo xtask <command>\n\n".to_owned(),
        lines(commands),
        "\nThe steps of test:\n\n".to_owned(),
        lines(steps),
        "\nThe benches:\n\n".to_owned(),
        lines(benches),
        "\nEach command installs what it needs, once. CONTRIBUTING.md has more.\n".to_owned(),
    ]
    .concat()
}

/// The message for a command that doesn't exist, or that doesn't take these arguments.
pub(crate) fn unknown(command: &str) -> String {
    if COMMANDS.iter().any(|&(name, ..)| name == command) {
        format!(
            "`cargo xtask {command}` does not take these arguments; `cargo xtask help` lists the commands"
        )
    } else {
        format!("there is no command {command}; `cargo xtask help` lists the commands")
    }
}

fn lines(rows: impl Iterator<Item = (String, &'static str)>) -> String {
    let mut text = String::new();
    for (name, about) in rows {
        // Writing to a string can't fail.
        let _ = writeln!(text, "  {name:<16} {about}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_step_and_bench_has_its_line() {
        let text = text();
        let names: Vec<&str> = COMMANDS.iter().map(|&(name, ..)| name).collect();
        let listed = test::list().chain(bench::list()).map(|(name, _)| name);
        for name in names.into_iter().chain(listed) {
            let line = text.lines().find(|line| line.trim_start().split(' ').next() == Some(name));
            assert!(
                line.is_some_and(|line| line.len() > 24 && line.chars().count() <= 110),
                "{name}: {line:?}"
            );
        }
    }

    #[test]
    fn what_is_not_understood_is_pointed_here() {
        assert_eq!(
            crate::run(&["tests"]).unwrap_err(),
            "there is no command tests; `cargo xtask help` lists the commands"
        );
        assert!(crate::run(&["build", "it"]).unwrap_err().contains("does not take these arguments"));
        assert_eq!(crate::run(&[]).unwrap_err(), text());
    }
}
