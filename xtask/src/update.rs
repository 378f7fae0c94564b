//! Regenerates everything that is generated from something else. The changes are then visible in `git diff`.

use crate::setup::{self, Need};
use crate::{Result, build, node, process};

/// The tests that compare with generated files write them if this is set.
const UPDATE: (&str, &str) = ("UPDATE", "1");

/// The tests in JavaScript that compare with generated files.
const NODE_TESTS: &[&str] = &["tests/package", "tests/cli", "tests/e2e/broken-config.test.mjs"];

/// What this command needs.
const NEEDS: &[Need] = &[Need::Npm, Need::Wasm, Need::OpenCode];

/// Rust first: the package is built from the files that its tests write, and the package's own tests compare with the package.
pub(crate) fn run() -> Result {
    setup::run(NEEDS)?;
    // A test that fails for another reason must not keep the others from writing their files.
    let mut core = process::command("cargo test --workspace --locked --quiet --no-fail-fast");
    let core = process::finish(core.envs([UPDATE, ("INSTA_UPDATE", "always")]));
    build::run()?;
    let mut node = process::command("node --test --test-reporter=dot");
    node.env(UPDATE.0, UPDATE.1).args(node::files(NODE_TESTS, ".test.mjs")?);
    let node = process::finish(&mut node);
    process::run("git status --short")?;
    eprintln!("check the changes with `git diff`");
    core.and(node)
}
