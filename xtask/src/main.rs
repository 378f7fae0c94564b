//! The project's own commands; `cargo xtask help` lists them.
//!
//! They need Rust (rustup), Node and npm; anything else that is missing they set up themselves, once.

mod bench;
mod beside;
mod build;
mod demo;
mod fuzz;
mod help;
mod models;
mod node;
mod package;
mod process;
mod setup;
mod suite;
mod test;
mod update;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

/// A result whose error is a sentence for the terminal.
type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match enter_root().and_then(|()| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result {
    match arguments {
        ["help" | "--help" | "-h"] => {
            print!("{}", help::text());
            Ok(())
        }
        ["build"] => setup::run(build::NEEDS).and_then(|()| build::run()),
        ["build", "--quick"] => setup::run(build::NEEDS).and_then(|()| build::quick()),
        ["test", beside::OPTION, steps @ ..] => test::run_beside(steps),
        ["test", steps @ ..] => test::run(steps),
        ["demo", task @ ..] => demo::run(task),
        ["record"] => demo::record(),
        ["bench", arguments @ ..] => bench::run(arguments),
        ["models"] => models::run(false),
        ["models", "--quick"] => models::run(true),
        ["pack"] => setup::run(build::NEEDS).and_then(|()| package::pack()),
        ["publish", tag] => setup::run(build::NEEDS).and_then(|()| package::publish(tag)),
        ["update"] => update::run(),
        [] => Err(help::text()),
        [command, ..] => Err(help::unknown(command)),
    }
}

/// Every path in this program is relative to the workspace.
fn enter_root() -> Result {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or("run this as `cargo xtask`")?;
    let root = PathBuf::from(manifest).join("..");
    env::set_current_dir(&root).map_err(|error| format!("{}: {error}", root.display()))
}
