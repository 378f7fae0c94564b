//! What a machine with Rust, Node and npm still lacks is installed here, each thing once, with a line that says so.
//! Where nothing is missing nothing is fetched.

use crate::{Result, process};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

/// The version that the project is kept with; rust-toolchain.toml says why it isn't pinned there.
const RUST: &str = "1.95.0";
/// What the core is compiled for.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
/// Has to equal the version of the wasm-bindgen crate.
const WASM_BINDGEN: &str = "0.2.130";
const OLDEST_NODE: u32 = 20;
/// The environment variable that names another browser for the tests of the report.
const CHROMIUM: &str = "CHROMIUM";

/// What a command or a check needs beside Rust and Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The packages of package-lock.json.
    Npm,
    /// The packages of bench/package-lock.json: what benchmarks compare with.
    Peers,
    /// What compiles to WebAssembly and tests that: a target and wasm-bindgen.
    Wasm,
    /// What OpenCode runs in a project: git; and tmux, in which its TUI is tested. The ripgrep for its grep and glob, which
    /// it would download from GitHub, comes with the npm packages.
    OpenCode,
    /// A browser for the tests of the report.
    Chromium,
}

/// Sets up what is needed, side by side.
pub(crate) fn run(needs: &[Need]) -> Result {
    let wants = |need| needs.contains(&need);
    node()?;
    rust();
    if wants(Need::Wasm) {
        wasm_target()?;
    }
    process::run("cargo fetch --locked --quiet")?;
    // Only one process at a time builds tools; the others wait, then find all there.
    let _lock = lock(&tools())?;
    let (npm, peers) = (wants(Need::Npm), wants(Need::Peers));
    let (wasm, opencode, chrome) = (wants(Need::Wasm), wants(Need::OpenCode), wants(Need::Chromium));
    thread::scope(|scope| {
        let parts: [ScopedJoinHandle<'_, Result>; 4] = [
            scope.spawn(move || if npm { npm_packages(".", "") } else { Ok(()) }),
            scope.spawn(move || if peers { npm_packages("bench", " --ignore-scripts") } else { Ok(()) }),
            scope.spawn(move || if wasm { wasm_bindgen() } else { Ok(()) }),
            // apt-get does one thing at a time.
            scope.spawn(move || debian_packages(opencode, chrome)),
        ];
        let ends = parts.map(|part| part.join().unwrap_or_else(|_| Err("setting up panicked".to_owned())));
        ends.into_iter().collect()
    })
}

fn debian_packages(opencode: bool, chrome: bool) -> Result {
    if opencode {
        git()?;
        tmux();
    }
    if chrome { chromium() } else { Ok(()) }
}

fn git() -> Result {
    if process::find("git").is_some() {
        return Ok(());
    }
    apt_install("git").map_err(|why| format!("git is missing and cannot be installed from here ({why})"))
}

/// Where the tools built by cargo live: beside the user's own, in a directory of this project's.
pub(crate) fn tools() -> PathBuf {
    cargo_home().join("opencode-design-lab")
}

/// `CARGO_HOME`, or its default.
pub(crate) fn cargo_home() -> PathBuf {
    env::var_os("CARGO_HOME")
        .map_or_else(|| env::home_dir().unwrap_or_default().join(".cargo"), PathBuf::from)
}

/// The terminal tests of OpenCode need tmux; without it they are skipped, and say so.
fn tmux() {
    if process::find("tmux").is_some() {
        return;
    }
    if apt_install("tmux").is_err() {
        eprintln!(
            "setup: tmux is missing and cannot be installed from here: tests of the TUI will be skipped"
        );
    }
}

/// The tests of the report need Chromium, Debian's or the one that the environment names.
fn chromium() -> Result {
    if env::var_os(CHROMIUM).is_some() || Path::new("/usr/bin/chromium").is_file() {
        return Ok(());
    }
    apt_install("chromium").map_err(|why| {
        format!(
            "chromium is missing and cannot be installed from here ({why}): install it (Debian: `apt-get install chromium`), \
             or name a Chromium or Chrome by {CHROMIUM}=/path/to/it"
        )
    })
}

/// Installs a Debian package, as root or by a sudo that asks nothing.
fn apt_install(package: &str) -> Result {
    process::find("apt-get").ok_or("there is no apt-get")?;
    let sudo = if process::output("id -u").as_deref() == Some("0") {
        ""
    } else if process::output("sudo --non-interactive true").is_some() {
        "sudo --non-interactive "
    } else {
        return Err("neither root nor a sudo without password".to_owned());
    };
    say(&format!("{package}, by apt-get"));
    process::run(&format!("{sudo}apt-get update --quiet"))?;
    process::run(&format!("{sudo}apt-get install --yes --quiet --no-install-recommends {package}"))
}

fn node() -> Result {
    let version = process::output("node --version").ok_or("Node is missing: install Node 20 or newer")?;
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_some_and(|major| major >= OLDEST_NODE) {
        Ok(())
    } else {
        Err(format!("Node {version} is too old: install Node {OLDEST_NODE} or newer"))
    }
}

/// Another version builds the same, but its lints and its messages may differ, and the module's weight.
fn rust() {
    if !is("rustc", RUST) {
        let version = process::output("rustc --version").unwrap_or_default();
        eprintln!("setup: this project is kept with Rust {RUST}, here is {version}: lints may differ");
    }
}

fn wasm_target() -> Result {
    let sysroot =
        process::output("rustc --print sysroot").ok_or("rustc is missing: install Rust by rustup")?;
    if Path::new(&sysroot).join("lib/rustlib").join(WASM_TARGET).is_dir() {
        return Ok(());
    }
    say("the Rust target for WebAssembly, by rustup");
    process::run(&format!("rustup target add {WASM_TARGET}"))
}

fn wasm_bindgen() -> Result {
    if is("wasm-bindgen", WASM_BINDGEN) && process::find("wasm-bindgen-test-runner").is_some() {
        return Ok(());
    }
    // Its own lock file names a crate version that cannot be had.
    cargo_install("wasm-bindgen-cli", WASM_BINDGEN)
}

/// Whether a program is there in this version.
fn is(program: &str, version: &str) -> bool {
    let said = process::output(&format!("{program} --version"));
    said.is_some_and(|said| said.split(' ').any(|word| word == version))
}

/// Tools that run for seconds and would be optimised for minutes: they are built quickly instead.
const QUICK_BUILD: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
];

fn cargo_install(name: &str, version: &str) -> Result {
    say(&format!("{name} {version}, by cargo install (a minute or so)"));
    let mut install = process::command(&format!("cargo install {name} --version {version} --force"));
    process::finish(install.arg("--root").arg(tools()).envs(QUICK_BUILD))
}

/// Installs what the lock file in a directory names, unless that has been done.
fn npm_packages(directory: &str, options: &str) -> Result {
    let directory = Path::new(directory);
    let lock_file = directory.join("package-lock.json");
    let wanted = fs::read(&lock_file).map_err(|error| format!("{}: {error}", lock_file.display()))?;
    let stamp = directory.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let lock_file = lock_file.strip_prefix(".").unwrap_or(&lock_file);
    say(&format!("the npm packages of {}, by npm ci", lock_file.display()));
    let mut install = process::command(&format!("npm ci --no-audit --no-fund --loglevel=error{options}"));
    process::finish(install.current_dir(directory))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Holds a directory until it is dropped.
fn lock(directory: &Path) -> Result<File> {
    let path = directory.join("setup.lock");
    fs::create_dir_all(directory)
        .and_then(|()| File::create(&path))
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn say(what: &str) {
    eprintln!("setup: installing {what}");
}
