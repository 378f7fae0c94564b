//! A whole run in the real OpenCode, with models that follow a script.

use crate::{Result, build, process, setup};

/// Builds the package and runs `/design-lab` on this task, or on the demo's own.
pub(crate) fn run(task: &[&str]) -> Result {
    setup::run()?;
    setup::opencode_tools()?;
    build::run()?;
    process::finish(process::command("node tests/e2e/demo.mjs").args(task))
}
