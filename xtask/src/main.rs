//! The project's own commands: `cargo xtask build`, `cargo xtask test [STEP…]`, `cargo xtask demo [TASK]`.
//!
//! They need Rust (rustup), Node and npm; what else is missing they set up themselves, once.

mod build;
mod demo;
mod process;
mod setup;
mod test;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

/// What went wrong, as a sentence for the terminal.
type Result<T = ()> = std::result::Result<T, String>;

const USAGE: &str = "\
usage: cargo xtask <command>

  build          make the npm package in pkg/
  test [STEP…]   run every check, or only the steps named
  demo [TASK]    run /design-lab in the real OpenCode, with scripted models";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = enter_root().and_then(|()| match arguments.as_slice() {
        ["build"] => setup::run().and_then(|()| build::run()),
        ["test", steps @ ..] => test::run(steps),
        ["demo", task @ ..] => demo::run(task),
        _ => Err(USAGE.to_owned()),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Every path in this program is relative to the workspace.
fn enter_root() -> Result {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or("run this as `cargo xtask`")?;
    let root = PathBuf::from(manifest).join("..");
    env::set_current_dir(&root).map_err(|error| format!("{}: {error}", root.display()))
}
