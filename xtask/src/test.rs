//! Every check of the project, step by step, stopping at the first that fails.

use crate::{Result, build, process, setup};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A check: its name, and how it is done.
type Step = (&'static str, fn() -> Result);

/// Cheap checks first; most of those below `build` look at the package that it made.
const STEPS: &[Step] = &[
    ("format", format),
    ("biome", biome),
    ("clippy", clippy),
    ("clippy-wasm", clippy_wasm),
    ("core", core),
    ("wasm", wasm),
    ("build", build::run),
    ("types", types),
    ("plugin", || node_tests("plugin-js", ".test.js")),
    ("provider", || node_tests("tests/provider", ".test.mjs")),
    ("cli", || node_tests("tests/cli", ".test.mjs")),
    ("package", || node_tests("tests/package", ".test.mjs")),
    ("browser", browser),
    ("e2e", e2e),
];

/// Steps that need the package.
const AFTER_BUILD: &[&str] = &["types", "plugin", "cli", "package", "e2e"];

/// Runs the steps named, or all of them.
pub(crate) fn run(names: &[&str]) -> Result {
    let steps = chosen(names)?;
    setup::run()?;
    for (done, (name, check)) in steps.iter().enumerate() {
        eprintln!("── {name}");
        let started = Instant::now();
        let outcome = check();
        let seconds = started.elapsed().as_secs_f64();
        if let Err(message) = outcome {
            eprintln!("── {name} failed after {seconds:.1} s: {message}");
            eprintln!("   once more, only this: cargo xtask test {name}");
            let left = steps.len() - done - 1;
            return Err(format!("{done} passed, 1 failed, {left} not run"));
        }
        eprintln!("── {name} passed in {seconds:.1} s");
    }
    eprintln!("{} passed, 0 failed", steps.len());
    Ok(())
}

/// The steps named, in their order; what they need is built first.
fn chosen(names: &[&str]) -> Result<Vec<Step>> {
    if let Some(unknown) = names.iter().find(|name| !STEPS.iter().any(|(step, _)| step == *name)) {
        let known: Vec<_> = STEPS.iter().map(|(step, _)| *step).collect();
        return Err(format!("no step is called {unknown}; there are: {}", known.join(", ")));
    }
    let builds = names.iter().any(|name| AFTER_BUILD.contains(name));
    let wanted = |name: &str| names.is_empty() || names.contains(&name) || (builds && name == "build");
    Ok(STEPS.iter().copied().filter(|(name, _)| wanted(name)).collect())
}

fn format() -> Result {
    process::run("cargo fmt --all --check")
}

fn biome() -> Result {
    process::run("biome check --error-on-warnings .")
}

fn clippy() -> Result {
    process::run("cargo clippy --workspace --all-targets --locked -- --deny warnings")
}

fn clippy_wasm() -> Result {
    for_wasm(
        "cargo clippy -p design-lab-wasm --target wasm32-unknown-unknown --all-targets --locked -- --deny warnings",
    )
}

fn core() -> Result {
    process::run("cargo test --workspace --locked --quiet")
}

fn wasm() -> Result {
    for_wasm("wasm-pack test --node --mode no-install wasm --locked")
}

fn for_wasm(line: &str) -> Result {
    process::finish(process::command(line).envs(build::wasm_environment()?))
}

fn types() -> Result {
    process::run("tsc --project .")
}

fn e2e() -> Result {
    setup::opencode_tools()?;
    setup::tmux();
    node_tests("tests/e2e", ".test.mjs")
}

/// The report in a browser: its pages are written by the tests of what they say.
fn browser() -> Result {
    setup::chromium()?;
    process::run("cargo test --workspace --locked --quiet --test page")?;
    node_tests("tests/browser", ".test.mjs")
}

/// Runs every test file under a directory with Node's own runner.
fn node_tests(directory: &str, suffix: &str) -> Result {
    let mut files = Vec::new();
    collect(Path::new(directory), suffix, &mut files)?;
    if files.is_empty() {
        return Err(format!("{directory} has no {suffix} files"));
    }
    let mut tests = process::command("node --test --test-reporter=spec --test-concurrency=2");
    process::finish(tests.envs(elsewhere()?).args(files))
}

/// What nothing may depend on is other than usual: the order in which directories are listed, the time zone, the locale.
fn elsewhere() -> Result<[(&'static str, String); 3]> {
    let shuffle = std::path::absolute("tests/shuffle/node.mjs").map_err(|error| error.to_string())?;
    // A space or a backslash would end or change the option; a quoted string may hold both.
    let shuffle = shuffle.display().to_string().replace('\\', "/");
    Ok([
        ("NODE_OPTIONS", format!("--import=\"{shuffle}\"")),
        ("TZ", "Pacific/Kiritimati".to_owned()),
        ("LC_ALL", "tr_TR.UTF-8".to_owned()),
    ])
}

fn collect(directory: &Path, suffix: &str, files: &mut Vec<PathBuf>) -> Result {
    for path in build::entries(directory)? {
        if path.is_dir() {
            collect(&path, suffix, files)?;
        } else if path.to_string_lossy().ends_with(suffix) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Result<Vec<&'static str>> {
        chosen(names).map(|steps| steps.into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn without_names_every_step_is_chosen() {
        assert_eq!(names(&[]).unwrap().len(), STEPS.len());
    }

    #[test]
    fn steps_keep_their_order_and_bring_what_they_need() {
        assert_eq!(names(&["e2e", "format"]).unwrap(), ["format", "build", "e2e"]);
        assert_eq!(names(&["provider"]).unwrap(), ["provider"]);
    }

    #[test]
    fn an_unknown_step_is_told_the_known_ones() {
        assert!(
            names(&["E2E"]).unwrap_err().ends_with("types, plugin, provider, cli, package, browser, e2e")
        );
    }

    #[test]
    fn every_step_after_the_build_is_a_step() {
        for name in AFTER_BUILD {
            assert_eq!(names(&[name]).unwrap(), ["build", name]);
        }
    }
}
