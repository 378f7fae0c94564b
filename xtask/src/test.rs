//! Every check of the project, step by step, stopping at the first failure.

use crate::beside::{self, Beside};
use crate::node::{node, node_tests};
use crate::setup::{self, Need};
use crate::suite::{self, LONG, Suite};
use crate::{Result, bench, build, fuzz, package, process};
use std::time::Instant;

/// A check.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    run: fn(Suite) -> Result,
}

const fn step(
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    run: fn(Suite) -> Result,
) -> Step {
    Step { name, about, needs, run }
}

/// Cheap checks first, then those that need compilation; most of those after `build` examine the package that it built.
const STEPS: &[Step] = &[
    step("format", "rustfmt", &[], |_| format()),
    step(
        "voice",
        "wording: refused phrases, and the grammar of docs, prompts and messages",
        &[Need::Npm],
        |suite| node_tests("tests/voice", ".test.mjs", suite),
    ),
    step("biome", "format and lints of JavaScript and JSON", &[Need::Npm], |_| biome()),
    step("clippy", "lints of the Rust code", &[], |_| clippy()),
    step("doc", "the documentation of the Rust code, with every link in it", &[], |_| doc()),
    step("core", "tests in Rust: the core, its goldens, licences, these commands", &[], core),
    step("wasm", "tests of the boundary in WebAssembly", &[Need::Npm, Need::Wasm], wasm),
    step("build", "the npm package", build::NEEDS, |_| build::run()),
    step("types", "the types of the JavaScript", &[Need::Npm], |_| types()),
    step("plugin", "unit tests of the plugin", &[Need::Npm, Need::Chromium], |suite| {
        node_tests("plugin-js", ".test.js", suite)
    }),
    step("provider", "the scripted models of the tests", &[Need::Npm], |suite| {
        node_tests("tests/provider", ".test.mjs", suite)
            .and_then(|()| node_tests("tests/models", ".test.mjs", suite))
    }),
    step("cli", "the command line", &[Need::Npm], |suite| node_tests("tests/cli", ".test.mjs", suite)),
    step("package", "what the package holds and weighs", &[Need::Npm], |suite| {
        node_tests("tests/package", ".test.mjs", suite)
    }),
    step("browser", "the reports in Chromium", &[Need::Npm, Need::Chromium], browser),
    step("bench", "every bench still works; measures nothing", bench::NEEDS, |_| bench::smoke()),
    step(
        "e2e",
        "the plugin in the real OpenCode",
        &[Need::Npm, Need::Wasm, Need::OpenCode, Need::Terminal, Need::Chromium],
        e2e,
    ),
    step(
        "e2e2",
        "the plugin in the real OpenCode 2",
        &[Need::Npm, Need::Wasm, Need::OpenCode, Need::OpenCode2, Need::Terminal, Need::Chromium],
        |suite| end_to_end("tests/e2e2", suite),
    ),
    step(
        "kilo",
        "the plugin in the real Kilo; only in the long suite",
        &[Need::Npm, Need::Wasm, Need::OpenCode, Need::Kilo, Need::Terminal],
        |suite| end_to_end("tests/kilo", suite),
    ),
    step("fuzz", "the fuzz targets, ten seconds each; only in the long suite", &[Need::Cpp], |_| fuzz::run()),
];

/// Steps that the ordinary suite leaves out, unless they are named.
const ONLY_LONG: &[&str] = &["kilo", "fuzz"];

/// Steps that need the package.
const AFTER_BUILD: &[&str] = &["types", "plugin", "cli", "package", "bench", "e2e", "e2e2", "kilo"];

/// The package, and the steps that need nothing else: they run in parallel with the steps before them, which compile most of the
/// time, and for long stretches on only one processor.
const BESIDE: &[&str] = &["build", "types", "plugin", "provider", "cli", "package"];

/// Steps that compare with generated files.
const WITH_GENERATED: &[&str] = &["core", "cli", "package", "e2e"];

/// The name and purpose of each step.
pub(crate) fn list() -> impl Iterator<Item = (&'static str, &'static str)> {
    STEPS.iter().map(|step| (step.name, step.about))
}

/// Runs the named steps, or all of them, as far as their suite goes.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let (suite, names) = suite::of(arguments);
    let steps = chosen(names, suite)?;
    let needs: Vec<Need> = steps.iter().flat_map(|step| step.needs.iter().copied()).collect();
    setup::run(&needs)?;
    let (above, beside, below) = parts(&steps);
    if above.is_empty() || beside.is_empty() {
        in_turn(&steps, suite)?;
    } else {
        let long = (suite == Suite::Long).then_some(LONG);
        let beside = Beside::start(long.into_iter().chain(beside.iter().map(|step| step.name)))?;
        in_turn(above, suite)?;
        beside.finish()?;
        in_turn(below, suite)?;
    }
    eprintln!("{} passed, 0 failed", steps.len());
    Ok(())
}

/// Runs the named steps, in the process that runs in parallel with its parent.
pub(crate) fn run_beside(arguments: &[&str]) -> Result {
    beside::end_with_the_other();
    let (suite, names) = suite::of(arguments);
    in_turn(&chosen(names, suite)?, suite)
}

/// The steps before the package, those that may run in parallel with them, and those after.
fn parts(steps: &[Step]) -> (&[Step], &[Step], &[Step]) {
    let first = steps.iter().position(|step| step.name == BESIDE[0]).unwrap_or(steps.len());
    let (above, rest) = steps.split_at(first);
    let last = rest.iter().position(|step| !BESIDE.contains(&step.name)).unwrap_or(rest.len());
    let (beside, below) = rest.split_at(last);
    (above, beside, below)
}

fn in_turn(steps: &[Step], suite: Suite) -> Result {
    for Step { name, run, .. } in steps {
        eprintln!("── {name}");
        let started = Instant::now();
        let outcome = run(suite);
        let seconds = started.elapsed().as_secs_f64();
        if let Err(message) = outcome {
            eprintln!("── {name} failed after {seconds:.1} s: {message}");
            let long = if suite == Suite::Long { " --long" } else { "" };
            eprintln!("   to repeat only this step: cargo xtask test{long} {name}");
            if WITH_GENERATED.contains(name) {
                eprintln!("   if generated files should have changed: cargo xtask update");
            }
            return Err(format!("{name} failed; the steps after it were not run"));
        }
        eprintln!("── {name} passed in {seconds:.1} s");
    }
    Ok(())
}

/// The named steps, or all of the suite, in order; what they need is built first.
fn chosen(names: &[&str], suite: Suite) -> Result<Vec<Step>> {
    if let Some(unknown) = names.iter().find(|name| !STEPS.iter().any(|step| step.name == **name)) {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!(
            "there is no step {unknown}; the steps are: {}\n`cargo xtask help` explains them",
            known.join(", ")
        ));
    }
    let builds = names.iter().any(|name| AFTER_BUILD.contains(name));
    let all = |name: &str| names.is_empty() && (suite == Suite::Long || !ONLY_LONG.contains(&name));
    let wanted = |name: &str| all(name) || names.contains(&name) || (builds && name == "build");
    Ok(STEPS.iter().copied().filter(|step| wanted(step.name)).collect())
}

fn format() -> Result {
    process::run("cargo fmt --all --check")
}

fn biome() -> Result {
    process::run("biome check --error-on-warnings .")
}

/// Includes the parts of the boundary that only benches and some tests need. No code is specific to WebAssembly.
fn clippy() -> Result {
    process::run(
        "cargo clippy --workspace --all-targets --features design-lab-wasm/bench,design-lab-wasm/panic --locked -- --deny warnings",
    )
}

/// Includes private items: the documentation is for people who work on the project.
fn doc() -> Result {
    let mut doc =
        process::command("cargo doc --workspace --no-deps --document-private-items --locked --quiet");
    process::finish(doc.env("RUSTDOCFLAGS", "--deny warnings"))
}

/// The long suite changes journals at random more often.
fn core(suite: Suite) -> Result {
    let mut tests = process::command("cargo test --workspace --locked --quiet");
    if suite == Suite::Long {
        tests.env("MUTATIONS", "1000");
    }
    process::finish(&mut tests)
}

/// Tests the boundary with a core that can be made to panic.
fn wasm(suite: Suite) -> Result {
    faulty()?;
    node_tests("tests/wasm", ".test.mjs", suite)
}

fn faulty() -> Result {
    build::module("target/faulty", "dev", &["--features", "panic"])
}

fn types() -> Result {
    process::run("tsc --project .")
}

/// OpenCode's processes live for seconds here, several at a time: optimising compilation and concurrent garbage collection cost
/// more than they save. Benches measure without these settings.
const FOR_SHORT_LIVES: [(&str, &str); 4] = [
    ("BUN_JSC_thresholdForJITAfterWarmUp", "2000"),
    ("BUN_JSC_thresholdForOptimizeAfterWarmUp", "20000"),
    ("BUN_JSC_useConcurrentGC", "0"),
    ("BUN_JSC_useFTLJIT", "0"),
];

fn e2e(suite: Suite) -> Result {
    faulty()?;
    end_to_end("tests/e2e", suite)
}

fn end_to_end(directory: &str, suite: Suite) -> Result {
    let mut tests = node(directory, ".test.mjs", suite)?;
    process::finish(tests.env("PACKED", package::packed()?).envs(FOR_SHORT_LIVES))
}

/// The report in a browser: its pages are written by the tests of their content.
fn browser(suite: Suite) -> Result {
    // With one target named, much would be compiled again, with other features.
    process::run("cargo test --workspace --locked --quiet page::")?;
    node_tests("tests/browser", ".test.mjs", suite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Result<Vec<&'static str>> {
        chosen(names, Suite::Ordinary).map(|steps| steps.into_iter().map(|step| step.name).collect())
    }

    #[test]
    fn without_names_every_step_of_the_suite_is_chosen() {
        assert_eq!(chosen(&[], Suite::Long).unwrap().len(), STEPS.len());
        assert_eq!(names(&[]).unwrap().len(), STEPS.len() - ONLY_LONG.len());
        assert_eq!(names(ONLY_LONG).unwrap(), ["build", "kilo", "fuzz"]);
    }

    #[test]
    fn steps_keep_their_order_and_bring_what_they_need() {
        assert_eq!(names(&["e2e", "format"]).unwrap(), ["format", "build", "e2e"]);
        assert_eq!(names(&["provider"]).unwrap(), ["provider"]);
    }

    #[test]
    fn the_long_suite_is_named_before_the_steps() {
        assert!(run(&["e2e", LONG]).unwrap_err().contains("there is no step --long"));
    }

    #[test]
    fn an_unknown_step_is_told_the_known_ones() {
        let said = names(&["E2E"]).unwrap_err();
        assert!(said.contains("browser, bench, e2e, e2e2, kilo, fuzz\n"), "{said}");
        assert!(said.ends_with("`cargo xtask help` explains them"), "{said}");
    }

    #[test]
    fn the_package_goes_beside_what_is_above_it() {
        let steps = chosen(&["doc", "cli", "e2e"], Suite::Ordinary).unwrap();
        let (above, beside, below) = parts(&steps);
        let names = |steps: &[Step]| -> Vec<_> { steps.iter().map(|step| step.name).collect() };
        assert_eq!(
            (names(above), names(beside), names(below)),
            (vec!["doc"], vec!["build", "cli"], vec!["e2e"])
        );

        let steps = chosen(&["format", "provider"], Suite::Ordinary).unwrap();
        assert_eq!(parts(&steps).1.len(), 0, "without the package nothing goes beside others");
    }

    #[test]
    fn every_step_after_the_build_is_a_step() {
        for name in AFTER_BUILD {
            assert_eq!(names(&[name]).unwrap(), ["build", name]);
        }
    }
}
