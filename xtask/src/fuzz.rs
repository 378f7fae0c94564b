//! Runs the fuzz targets, each for some seconds: whether they still compile and hold, not a search for rare inputs.

use crate::{Result, process};
use std::fs;

/// Each target, and its seeds: a directory below the project's.
const TARGETS: [(&str, &str); 3] = [
    ("config", "tests/design_lab/config/broken"),
    ("extraction", "fuzz/seeds/extraction"),
    ("journal", "tests/cli/run"),
];
const SECONDS: u32 = 10;

/// Stops at the first target that fails; libFuzzer names the file of the input, below `target/fuzz`.
pub(crate) fn run() -> Result {
    for (target, seeds) in TARGETS {
        // libFuzzer keeps new inputs in the first directory that it is given.
        let corpus = format!("target/fuzz/corpus/{target}");
        fs::create_dir_all(&corpus).map_err(|error| format!("{corpus}: {error}"))?;
        let mut fuzzing = process::command(&format!(
            "cargo run --quiet --profile quick --locked --target-dir ../target/fuzz --bin {target} -- ../{corpus} ../{seeds} \
             -max_total_time={SECONDS} -print_final_stats=1 -verbosity=0 -artifact_prefix=../target/fuzz/{target}-"
        ));
        // Cargo reads `fuzz/.cargo/config.toml`, which has the flags that libFuzzer needs, only from there.
        process::finish(fuzzing.current_dir("fuzz"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_target_runs_on_seeds_that_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files: Vec<String> = fs::read_dir(root.join("fuzz/fuzz_targets"))
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        files.sort();
        assert_eq!(files, TARGETS.map(|(target, _)| target));
        for (target, seeds) in TARGETS {
            assert!(fs::read_dir(root.join(seeds)).unwrap().next().is_some(), "{target}");
        }
    }
}
