//! Installs what a machine with Rust, Node and npm still lacks, each item once, with a line that reports it. If nothing is
//! missing, nothing is downloaded.

use crate::{Result, process};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

/// The version that the project is maintained with; rust-toolchain.toml explains why it isn't pinned there.
const RUST: &str = "1.95.0";
/// The compilation target of the core.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
const OLDEST_NODE: u32 = 20;
const BUILD_BINDGEN: &str = "cargo build --quiet -p bindgen --locked";
/// The environment variable that names another browser for the tests of the report.
const CHROMIUM: &str = "CHROMIUM";

/// What a command or a check needs besides Rust and Node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The packages of package-lock.json.
    Npm,
    /// The packages of bench/package-lock.json: the peers that benchmarks compare with.
    Peers,
    /// Rust's compilation target for WebAssembly.
    Wasm,
    /// The program that OpenCode runs in a project: git. The ripgrep for its grep and glob, which it would download from GitHub,
    /// comes with the npm packages.
    OpenCode,
    /// OpenCode 2, which is no npm package of the project: it has 200 MB, and only its own tests need it.
    OpenCode2,
    /// Kilo, which is large as well.
    Kilo,
    /// The C++ compiler that libFuzzer is built with: g++, unless there is another.
    Cpp,
    /// The terminal in which OpenCode's TUI is tested: tmux.
    Terminal,
    /// A browser: for the reports' tests, and for Validation's tests, which prove applications in it.
    Chromium,
}

/// Sets up everything that is needed, in parallel.
pub(crate) fn run(needs: &[Need]) -> Result {
    let wants = |need| needs.contains(&need);
    let (npm, peers, wasm) = (wants(Need::Npm), wants(Need::Peers), wants(Need::Wasm));
    let (second, kilo) = (wants(Need::OpenCode2), wants(Need::Kilo));
    node()?;
    rust();
    // Only one process at a time sets up a clone; the others wait, then find everything in place.
    let _lock = lock(Path::new("target"))?;
    thread::scope(|scope| {
        let parts: [ScopedJoinHandle<'_, Result>; 6] = [
            scope.spawn(move || if npm { npm_packages(".", "") } else { Ok(()) }),
            scope.spawn(move || if peers { npm_packages("bench", " --ignore-scripts") } else { Ok(()) }),
            scope.spawn(move || crates(wasm)),
            scope.spawn(move || debian_packages(needs)),
            scope.spawn(move || if kilo { process::run("node tests/kilo/install.mjs") } else { Ok(()) }),
            scope.spawn(move || if second { process::run("node tests/e2e2/install.mjs") } else { Ok(()) }),
        ];
        let ends = parts.map(|part| part.join().unwrap_or_else(|_| Err("the setup panicked".to_owned())));
        ends.into_iter().collect()
    })
}

/// One after the other, because apt-get does one thing at a time.
fn debian_packages(needs: &[Need]) -> Result {
    if needs.contains(&Need::OpenCode) {
        git()?;
    }
    if needs.contains(&Need::Cpp) && process::find("c++").is_none() {
        apt_install("g++")
            .map_err(|why| format!("a C++ compiler is missing and cannot be installed from here ({why})"))?;
    }
    if needs.contains(&Need::Terminal) {
        tmux();
    }
    if needs.contains(&Need::Chromium) { chromium() } else { Ok(()) }
}

/// Cargo's part; compilation runs while npm downloads.
fn crates(wasm: bool) -> Result {
    process::run("cargo fetch --locked --quiet")?;
    if wasm {
        wasm_target()?;
        process::run(BUILD_BINDGEN)?;
    }
    Ok(())
}

fn git() -> Result {
    if process::find("git").is_some() {
        return Ok(());
    }
    apt_install("git").map_err(|why| format!("git is missing and cannot be installed from here ({why})"))
}

/// `CARGO_HOME`, or its default.
pub(crate) fn cargo_home() -> PathBuf {
    env::var_os("CARGO_HOME")
        .map_or_else(|| env::home_dir().unwrap_or_default().join(".cargo"), PathBuf::from)
}

/// The terminal tests of OpenCode need tmux; without it they are skipped, with a message.
fn tmux() {
    if process::find("tmux").is_none() && apt_install("tmux").is_err() {
        eprintln!(
            "setup: tmux is missing and cannot be installed from here: tests of the TUI will be skipped"
        );
    }
}

/// Debian's packages of Chromium: first the headless one, which starts in a third of the time, as Playwright's own does.
const CHROMIUMS: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Installs Chromium from Debian, unless it is installed or the environment names one.
fn chromium() -> Result {
    if env::var_os(CHROMIUM).is_some() || CHROMIUMS.into_iter().any(|name| process::find(name).is_some()) {
        return Ok(());
    }
    let [first, second] = CHROMIUMS;
    // An older Debian has only the second.
    apt_install(first).or_else(|_| apt_install(second)).map_err(|why| {
        format!(
            "{first} is missing and cannot be installed from here ({why}): install it (Debian: `apt-get \
             install {first}`), or set {CHROMIUM} to the path of a Chromium or Chrome"
        )
    })
}

/// Installs a Debian package, as root or with a sudo that doesn't ask for a password.
fn apt_install(package: &str) -> Result {
    process::find("apt-get").ok_or("there is no apt-get")?;
    let sudo = if process::output("id -u").as_deref() == Some("0") {
        ""
    } else if process::output("sudo --non-interactive true").is_some() {
        "sudo --non-interactive "
    } else {
        return Err("this user is not root, and sudo is missing or needs a password".to_owned());
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

/// Another version builds the same, but its lints and messages may differ, and so may the module's size.
fn rust() {
    if !is("rustc", RUST) {
        let version = process::output("rustc --version").unwrap_or_default();
        eprintln!("setup: this project uses Rust {RUST}, and this machine has {version}: lints may differ");
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

/// Whether a program is installed in this version.
fn is(program: &str, version: &str) -> bool {
    let said = process::output(&format!("{program} --version"));
    said.is_some_and(|said| said.split(' ').any(|word| word == version))
}

/// Installs the packages of a directory's lock file, unless that has been done.
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

/// Locks a directory until the lock is dropped.
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
