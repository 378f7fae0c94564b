//! A whole run in the real OpenCode, with models that follow a script.

use crate::setup::{self, Need};
use crate::{Result, build, process};

/// Builds the package and runs `/design-lab` on this task, or on the demo's own.
pub(crate) fn run(task: &[&str]) -> Result {
    setup::run(&[Need::Npm, Need::Wasm, Need::OpenCode])?;
    build::run()?;
    process::finish(process::command("node tests/e2e/demo.mjs").args(task))
}
