//! The whole story in the real OpenCode, with models that follow a script.

use crate::setup::{self, Need};
use crate::{Result, build, process};
use std::thread;

/// The demo's package, because `pkg/` is the published one.
const PACKAGE: &str = "target/demo-package";

/// Builds a package, and has a design chosen, built and proved: for this task, or for the demo's own task.
pub(crate) fn run(task: &[&str]) -> Result {
    setup::run(&[Need::Npm, Need::Wasm, Need::OpenCode])?;
    // A browser is installed while the core compiles.
    thread::scope(|scope| {
        let browser = scope.spawn(|| setup::run(&[Need::Chromium]));
        build::large(PACKAGE)?;
        browser.join().unwrap_or_else(|_| Err("the setup panicked".to_owned()))
    })?;
    process::finish(process::command("node tests/e2e/demo.mjs").env("PACKAGE", PACKAGE).args(task))
}

/// Builds a package, and takes the pictures in `docs/pictures/`.
pub(crate) fn record() -> Result {
    setup::run(&[Need::Npm, Need::Wasm, Need::OpenCode, Need::Terminal, Need::Chromium])?;
    build::large(PACKAGE)?;
    process::finish(process::command("node tests/e2e/record.mjs").env("PACKAGE", PACKAGE))
}
