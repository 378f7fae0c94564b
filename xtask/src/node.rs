//! Runs tests in JavaScript, with Node's own runner.

use crate::suite::Suite;
use crate::{Result, build, process};
use std::cmp::Reverse;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs every test file under a directory with Node's own runner.
pub(crate) fn node_tests(directory: &str, suffix: &str, suite: Suite) -> Result {
    process::finish(&mut node(directory, suffix, suite)?)
}

/// The command that runs them.
pub(crate) fn node(directory: &str, suffix: &str, suite: Suite) -> Result<Command> {
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
