//! Every check of the project, step by step, stopping at the first failure.

use crate::beside::{self, Beside};
use crate::setup::{self, Need};
use crate::{Result, bench, build, package, process};
use std::cmp::Reverse;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A check.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    run: fn(Suite) -> Result,
}

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suite {
    /// What every change has to pass.
    Ordinary,
    /// The same, sweeps and repetitions: every night, and before a release.
    Long,
}

/// The option of `test` for the long suite.
pub(crate) const LONG: &str = "--long";

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
        "the words: refused phrases; grammar of docs, prompts and messages",
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
];

/// Steps that need the package.
const AFTER_BUILD: &[&str] = &["types", "plugin", "cli", "package", "bench", "e2e"];

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
    let (suite, names) = suite_of(arguments);
    let steps = chosen(names)?;
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
    let (suite, names) = suite_of(arguments);
    in_turn(&chosen(names)?, suite)
}

/// The suite that the first argument names, and the steps behind it.
fn suite_of<'a, 'n>(arguments: &'a [&'n str]) -> (Suite, &'a [&'n str]) {
    match arguments {
        [LONG, names @ ..] => (Suite::Long, names),
        names => (Suite::Ordinary, names),
    }
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
                eprintln!("   if something generated differs, and should: cargo xtask update");
            }
            return Err(format!("{name} failed; what comes after it was not run"));
        }
        eprintln!("── {name} passed in {seconds:.1} s");
    }
    Ok(())
}

/// The named steps, in order; what they need is built first.
fn chosen(names: &[&str]) -> Result<Vec<Step>> {
    if let Some(unknown) = names.iter().find(|name| !STEPS.iter().any(|step| step.name == **name)) {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!(
            "no step is called {unknown}; there are: {}\n`cargo xtask help` says what each does",
            known.join(", ")
        ));
    }
    let builds = names.iter().any(|name| AFTER_BUILD.contains(name));
    let wanted = |name: &str| names.is_empty() || names.contains(&name) || (builds && name == "build");
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
    let mut tests = node("tests/e2e", ".test.mjs", suite)?;
    process::finish(tests.env("PACKED", package::packed()?).envs(FOR_SHORT_LIVES))
}

/// The report in a browser: its pages are written by the tests of their content.
fn browser(suite: Suite) -> Result {
    // With one target named, much would be compiled again, with other features.
    process::run("cargo test --workspace --locked --quiet page::")?;
    node_tests("tests/browser", ".test.mjs", suite)
}

/// Runs every test file under a directory with Node's own runner.
fn node_tests(directory: &str, suffix: &str, suite: Suite) -> Result {
    process::finish(&mut node(directory, suffix, suite)?)
}

fn node(directory: &str, suffix: &str, suite: Suite) -> Result<Command> {
    let mut files = files(&[directory], suffix)?;
    if files.is_empty() {
        return Err(format!("{directory} has no {suffix} files"));
    }
    // The largest files usually take longest, and should not start last.
    files.sort_by_key(|file| Reverse(fs::metadata(file).map_or(0, |metadata| metadata.len())));
    // One file more than the smallest machine has cores, because each waits for processes at times.
    let mut tests = process::command("node tests/run.mjs 3");
    let this = env::current_exe().map_err(|error| error.to_string())?;
    tests.env("XTASK", this).envs(elsewhere()?).args(files);
    // What `tests/long.mjs` skips without it.
    match suite {
        Suite::Ordinary => tests.env_remove("LONG"),
        Suite::Long => tests.env("LONG", "1"),
    };
    Ok(tests)
}

/// The files at or below these places whose names end with this suffix.
pub(crate) fn files(places: &[&str], suffix: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for place in places {
        collect(Path::new(place), suffix, &mut files)?;
    }
    Ok(files)
}

/// Makes things unusual that nothing may depend on: the order in which directories are listed, the time zone, the locale.
fn elsewhere() -> Result<[(&'static str, String); 3]> {
    let shuffle = std::path::absolute("tests/shuffle/node.mjs").map_err(|error| error.to_string())?;
    // A space or a backslash would end or change the option; a quoted string may contain both.
    let shuffle = shuffle.display().to_string().replace('\\', "/");
    Ok([
        ("NODE_OPTIONS", format!("--import=\"{shuffle}\"")),
        ("TZ", "Pacific/Kiritimati".to_owned()),
        ("LC_ALL", "tr_TR.UTF-8".to_owned()),
    ])
}

fn collect(place: &Path, suffix: &str, files: &mut Vec<PathBuf>) -> Result {
    if place.is_dir() {
        for path in build::entries(place)? {
            collect(&path, suffix, files)?;
        }
    } else if place.to_string_lossy().ends_with(suffix) {
        files.push(place.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Result<Vec<&'static str>> {
        chosen(names).map(|steps| steps.into_iter().map(|step| step.name).collect())
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
    fn the_long_suite_is_asked_for_before_the_steps() {
        assert_eq!(suite_of(&[]), (Suite::Ordinary, [].as_slice()));
        assert_eq!(suite_of(&["e2e"]), (Suite::Ordinary, ["e2e"].as_slice()));
        assert_eq!(suite_of(&[LONG]), (Suite::Long, [].as_slice()));
        assert_eq!(suite_of(&[LONG, "e2e"]), (Suite::Long, ["e2e"].as_slice()));
        assert!(run(&["e2e", LONG]).unwrap_err().contains("no step is called --long"));
    }

    #[test]
    fn an_unknown_step_is_told_the_known_ones() {
        let said = names(&["E2E"]).unwrap_err();
        assert!(said.contains("package, browser, bench, e2e\n"), "{said}");
        assert!(said.ends_with("`cargo xtask help` says what each does"), "{said}");
    }

    #[test]
    fn the_package_goes_beside_what_is_above_it() {
        let steps = chosen(&["doc", "cli", "e2e"]).unwrap();
        let (above, beside, below) = parts(&steps);
        let names = |steps: &[Step]| -> Vec<_> { steps.iter().map(|step| step.name).collect() };
        assert_eq!(
            (names(above), names(beside), names(below)),
            (vec!["doc"], vec!["build", "cli"], vec!["e2e"])
        );

        let steps = chosen(&["format", "provider"]).unwrap();
        assert_eq!(parts(&steps).1.len(), 0, "without the package nothing goes beside others");
    }

    #[test]
    fn every_step_after_the_build_is_a_step() {
        for name in AFTER_BUILD {
            assert_eq!(names(&[name]).unwrap(), ["build", name]);
        }
    }
}
