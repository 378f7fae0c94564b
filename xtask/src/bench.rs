//! Measures the cost of the product, next to its peers where it has any. Each bench prints a table.

use crate::setup::{self, Need};
use crate::{Result, build, process};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

/// A bench: its name, what it measures, and how.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(Size) -> Result,
}

impl Bench {
    fn run(&self, size: Size) -> Result {
        (self.run)(size).map_err(|why| format!("bench {}: {why}", self.name))
    }
}

/// The amount of work of a bench.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    /// The size behind the numbers in the docs.
    Full,
    /// The smallest size that shows that the bench still works.
    Smoke,
}

const SMOKE: &str = "--smoke";

/// Where each bench writes its tables as JSON, so that they can be compared between commits.
const RESULTS: &str = "target/bench";

const BENCHES: &[Bench] = &[
    Bench {
        name: "extraction",
        about: "replies parsed, and how fast, compared with three npm libraries; what hostile text costs",
        run: extraction,
    },
    Bench {
        name: "feature",
        about: "what Flow adds to the time of a feature, over models, checks and OpenCode (a minute)",
        run: |size| node("feature", size),
    },
    Bench {
        name: "flow",
        about: "what Flow itself costs: a transition of a large session, a tree id of a large repository",
        run: |size| node("flow", size),
    },
    Bench {
        name: "isolation",
        about: "what checking a tool call costs, compared with picomatch",
        run: |size| node("isolation", size),
    },
    Bench {
        name: "overhead",
        about: "time and memory of a run, compared with its models and with OpenCode alone (minutes)",
        run: |size| node("overhead", size),
    },
    Bench {
        name: "ranking",
        about: "time of a ranking by its size, natively and in WebAssembly",
        run: ranking,
    },
    Bench {
        name: "runs",
        about: "what listing many runs costs, before a command does its own work (seven minutes)",
        run: |size| node("runs", size),
    },
    Bench {
        name: "start",
        about: "OpenCode's start with the plugin and without, and loading the plugin alone",
        run: |size| node("start", size),
    },
    Bench {
        name: "turns",
        about: "calls, tokens and time of reviews in one turn, compared with two",
        run: |size| node("turns", size),
    },
    Bench {
        name: "validation",
        about: "time of a validation, compared with its tests run by hand; OpenCode's memory (minutes)",
        run: |size| node("validation", size),
    },
    Bench { name: "weight", about: "where the bytes of the core are, by room and by function", run: weight },
];

/// What the benches need, besides the package.
pub(crate) const NEEDS: &[Need] = &[Need::Npm, Need::Peers, Need::Wasm, Need::OpenCode, Need::Chromium];

/// Builds the package and runs the named benches, or all of them, one after the other.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().copied().partition(|argument| argument.starts_with('-'));
    let size = match options.as_slice() {
        [] => Size::Full,
        [SMOKE] => Size::Smoke,
        _ => return Err(format!("the only option of `cargo xtask bench` is {SMOKE}")),
    };
    let chosen = chosen(&names)?;
    setup::run(NEEDS)?;
    build::run()?;
    for bench in chosen {
        println!("## {}: {}\n", bench.name, bench.about);
        bench.run(size)?;
    }
    Ok(())
}

/// Whether every bench still works: two at a time, because nothing is measured, and most of them wait for one processor.
pub(crate) fn smoke() -> Result {
    let left = Mutex::new(BENCHES.iter());
    let next = || left.lock().ok()?.next();
    let some = || {
        while let Some(bench) = next() {
            bench.run(Size::Smoke)?;
            println!("bench {} works\n", bench.name);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let other = scope.spawn(some);
        some()?;
        other.join().unwrap_or_else(|_| Err("a bench panicked".to_owned()))
    })
}

/// The name and purpose of each bench.
pub(crate) fn list() -> impl Iterator<Item = (&'static str, &'static str)> {
    BENCHES.iter().map(|bench| (bench.name, bench.about))
}

fn chosen(names: &[&str]) -> Result<Vec<&'static Bench>> {
    if let Some(unknown) = names.iter().find(|name| !BENCHES.iter().any(|bench| bench.name == **name)) {
        let known: Vec<_> = BENCHES.iter().map(|bench| bench.name).collect();
        return Err(format!("there is no bench {unknown}; the benches are: {}", known.join(", ")));
    }
    Ok(BENCHES.iter().filter(|bench| names.is_empty() || names.contains(&bench.name)).collect())
}

fn node(name: &str, size: Size) -> Result {
    node_with(name, size, &[])
}

fn node_with(name: &str, size: Size, further: &[(&str, PathBuf)]) -> Result {
    // The figures of a smoke test say nothing, and must not replace measured ones.
    let (option, results) = match size {
        Size::Full => ("", RESULTS.to_owned()),
        Size::Smoke => (" --smoke", format!("{RESULTS}/smoke")),
    };
    let written = Path::new(&results).join(format!("{name}.json"));
    if written.is_file() {
        fs::remove_file(&written).map_err(|error| format!("{}: {error}", written.display()))?;
    }
    let mut bench = process::command(&format!("node bench/{name}.mjs{option}"));
    bench.env("BENCH_RESULTS", &results).envs(further.iter().map(|(name, value)| (name, value)));
    for (variable, line) in [("BENCH_COMMIT", COMMIT), ("BENCH_DATE", DATE)] {
        bench.env(variable, process::output(line).unwrap_or_else(|| "unknown".to_owned()));
    }
    process::finish(&mut bench)?;
    if written.is_file() { Ok(()) } else { Err(format!("the bench didn't write {}", written.display())) }
}

/// The commit that is measured; it ends with `-dirty` if files differ from it.
const COMMIT: &str = "git describe --always --dirty --abbrev=40 --exclude=*";
/// Now, in UTC.
const DATE: &str = "date -u +%Y-%m-%dT%H:%M:%SZ";

/// The shipped module doesn't export the extraction, so this bench has a separate module. To check that the bench works, a module
/// compiled like the tests is enough: it is compiled together with them, so that nothing is compiled twice.
fn extraction(size: Size) -> Result {
    const MODULE: &str = "target/bench/core";
    match size {
        Size::Full => {
            build::module(MODULE, "release", &["--features", "bench"])?;
            build::optimise(MODULE)?;
        }
        Size::Smoke => build::module(MODULE, "dev", &["--features", "bench"])?,
    }
    node("extraction", size)
}

fn ranking(size: Size) -> Result {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let native = match size {
        Size::Full => {
            process::run("cargo build --quiet --locked --release --example scale")?;
            own.with_file_name("../release/examples/scale")
        }
        Size::Smoke => {
            // Compiled like the tests, examples included, so that nothing is compiled twice.
            process::run("cargo test --quiet --locked --workspace --no-run")?;
            own.with_file_name("examples/scale")
        }
    };
    node_with("ranking", size, &[("SCALE", native)])
}

/// The shipped module, with the names of its functions.
fn weight(size: Size) -> Result {
    const MODULE: &str = "target/bench/named";
    build::module(MODULE, "release", &[])?;
    let optimised = if size == Size::Full { " -Oz" } else { "" };
    let file = format!("{MODULE}/core_bg.wasm");
    process::run(&format!("wasm-opt -g{optimised} {file} --output {file}"))?;
    node("weight", size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Result<Vec<&'static str>> {
        chosen(names).map(|benches| benches.into_iter().map(|bench| bench.name).collect())
    }

    #[test]
    fn without_names_every_bench_is_chosen() {
        assert_eq!(
            names(&[]).unwrap(),
            [
                "extraction",
                "feature",
                "flow",
                "isolation",
                "overhead",
                "ranking",
                "runs",
                "start",
                "turns",
                "validation",
                "weight"
            ]
        );
        assert_eq!(names(&["start", "isolation"]).unwrap(), ["isolation", "start"]);
    }

    #[test]
    fn an_unknown_bench_is_told_the_known_ones() {
        assert!(names(&["speed"]).unwrap_err().ends_with(
            "extraction, feature, flow, isolation, overhead, ranking, runs, start, turns, validation, weight"
        ));
        assert!(run(&["--quick"]).unwrap_err().contains("--smoke"));
    }

    #[test]
    fn every_bench_has_its_file() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench");
        for bench in BENCHES {
            assert!(directory.join(format!("{}.mjs", bench.name)).is_file(), "{}", bench.name);
        }
    }
}
