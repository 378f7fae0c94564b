//! Running other programs.

use crate::Result;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command line, split at its spaces; the program is looked up among the project's own tools, then on `PATH`.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split(' ');
    let program = words.next().unwrap_or_default();
    let mut command = Command::new(find(program).unwrap_or_else(|| PathBuf::from(program)));
    // Nobody answers a program that asks.
    command.args(words).env("PATH", search_path()).stdin(Stdio::null());
    command
}

/// Runs a command line until it ends; its output goes to the terminal.
pub(crate) fn run(line: &str) -> Result {
    finish(&mut command(line))
}

/// Runs a prepared command until it ends; its output goes to the terminal.
pub(crate) fn finish(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| format!("{}: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", shown(command))) }
}

/// The output of a command line; `None` if it cannot be run or fails.
pub(crate) fn output(line: &str) -> Option<String> {
    let output = command(line).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The path of a program, if it is found.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    search_directories().into_iter().map(|directory| directory.join(program)).find(|file| file.is_file())
}

fn search_path() -> OsString {
    env::join_paths(search_directories()).unwrap_or_default()
}

fn search_directories() -> Vec<PathBuf> {
    const OWN: &str = "node_modules/.bin";
    let own = std::path::absolute(OWN).unwrap_or_else(|_| OWN.into());
    let path = env::var_os("PATH").unwrap_or_default();
    std::iter::once(own).chain(env::split_paths(&path)).collect()
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words: Vec<_> =
        std::iter::once(program).chain(command.get_args()).map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}
