//! The dependencies and commands that a project declares, from the text of its manifests and lock files.
//!
//! Only what a claim needs is read: whether a name is declared, and its version. A TOML file is read line by line, without a parser:
//! a table's header and a key always start a line.

use super::name::{Wanted, is_word};
use kernel::protocol::{LookedUp, PathFound};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A manifest or lock file that the shell has read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Manifest {
    /// Its path, relative to the project.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// How a manifest is read, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `package.json`, `composer.json` and `deno.json`.
    Json,
    /// `package-lock.json`.
    JsonLock,
    /// `Cargo.toml`, `pyproject.toml`, `Pipfile` and the configuration of Cargo.
    Toml,
    /// `Cargo.lock`, `poetry.lock` and `uv.lock`.
    TomlLock,
    /// `requirements.txt` and `go.mod`: a package at the start of each line.
    Lines,
    /// Makefiles and justfiles.
    Targets,
    /// Any other manifest or lock file: a name counts wherever it is a word.
    Text { is_lock: bool },
}

impl Kind {
    fn of(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Some(match name {
            "package.json" | "composer.json" | "deno.json" => Self::Json,
            "package-lock.json" | "npm-shrinkwrap.json" => Self::JsonLock,
            "Cargo.toml" | "pyproject.toml" | "Pipfile" => Self::Toml,
            "config.toml" | "config" if folder.rsplit('/').next() == Some(".cargo") => Self::Toml,
            "Cargo.lock" | "poetry.lock" | "uv.lock" => Self::TomlLock,
            "go.mod" => Self::Lines,
            "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" => Self::Targets,
            "yarn.lock" | "pnpm-lock.yaml" | "go.sum" | "Gemfile.lock" | "composer.lock" | "bun.lock" => {
                Self::Text { is_lock: true }
            }
            "Gemfile" | "pom.xml" | "build.gradle" | "build.gradle.kts" | "mix.exs" | "pubspec.yaml"
            | "setup.py" | "setup.cfg" | "CMakeLists.txt" | "conanfile.txt" | "vcpkg.json"
            | "environment.yml" | "Package.swift" => Self::Text { is_lock: false },
            _ => match name.rsplit_once('.') {
                Some((stem, "txt")) if stem.starts_with("requirements") => Self::Lines,
                Some((_, "csproj" | "cabal")) => Self::Text { is_lock: false },
                _ => return None,
            },
        })
    }

    fn is_lock(self) -> bool {
        matches!(self, Self::JsonLock | Self::TomlLock | Self::Text { is_lock: true })
    }
}

/// Whether this file is read for what it declares.
pub(super) fn is_manifest(path: &str) -> bool {
    Kind::of(path).is_some()
}

/// Whether this file pins versions: it contains names that no code of the project uses.
pub(super) fn is_lock_file(path: &str) -> bool {
    Kind::of(path).is_some_and(Kind::is_lock)
}

/// Looks up dependencies and scripts in the project's manifests.
pub fn declared(names: &[String], manifests: &[Manifest]) -> Vec<LookedUp> {
    let look = |name: &String| {
        let (found, place) = match Wanted::named(name) {
            _ if manifests.is_empty() => {
                (PathFound::Other, Some("no manifest of the project can be read".to_owned()))
            }
            Wanted::Dependency { package, direct } => dependency(&package, direct, manifests),
            Wanted::Script { name, .. } => script(&name, manifests),
            _ => (PathFound::Other, None),
        };
        LookedUp { path: name.clone(), found, lines: None, place }
    };
    names.iter().map(look).collect()
}

// ---- dependencies ----

fn dependency(package: &str, direct: bool, manifests: &[Manifest]) -> (PathFound, Option<String>) {
    // A scope starts with `@`, too.
    let (name, version) = match package.rfind('@').filter(|at| *at > 0) {
        Some(at) => (&package[..at], Some(&package[at + 1..])),
        None => (package, None),
    };
    let mut other = None;
    for manifest in manifests {
        let Some(kind) = Kind::of(&manifest.path).filter(|kind| !(direct && kind.is_lock())) else {
            continue;
        };
        for found in versions(kind, &manifest.text, name) {
            let shown = |found: &str| if found.is_empty() { String::new() } else { format!(" has {found}") };
            let place = format!("{}{}", manifest.path, shown(&found));
            // What a new dependency is called counts, not its version.
            if direct || version.is_none_or(|version| agrees(version, &found, kind.is_lock())) {
                return (PathFound::File, Some(place));
            }
            other.get_or_insert(place);
        }
    }
    (PathFound::Nothing, other)
}

/// Whether a version that a design names agrees with a declared one. A lock file has the exact version; a manifest has a range, of
/// which only the first number says something.
fn agrees(claimed: &str, declared: &str, is_exact: bool) -> bool {
    let numbers = |text: &str| -> Vec<u64> {
        let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let end = text[start..]
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .map_or(text.len(), |end| start + end);
        text[start..end].split('.').filter_map(|part| part.parse().ok()).collect()
    };
    let (claimed, declared) = (numbers(claimed), numbers(declared));
    let compared = if is_exact { usize::MAX } else { 1 };
    claimed.iter().zip(&declared).take(compared).all(|(claimed, declared)| claimed == declared)
}

/// The versions under which a manifest declares a package; an empty one if it names none.
fn versions(kind: Kind, text: &str, name: &str) -> Vec<String> {
    match kind {
        Kind::Json => json_versions(text, name),
        Kind::JsonLock => locked(text, name),
        Kind::Toml => toml_versions(text, name),
        Kind::TomlLock => toml_locked(text, name),
        Kind::Lines => lines(text, name),
        Kind::Targets => Vec::new(),
        Kind::Text { .. } => contains_word(text, name).then(String::new).into_iter().collect(),
    }
}

fn parsed(text: &str) -> Value {
    kernel::json::read(text).unwrap_or_default()
}

fn json_versions(text: &str, name: &str) -> Vec<String> {
    const FIELDS: [&str; 7] = [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
        "imports",
        "require",
        "require-dev",
    ];
    let manifest = parsed(text);
    FIELDS.iter().filter_map(|field| manifest[*field][name].as_str()).map(str::to_owned).collect()
}

fn locked(text: &str, name: &str) -> Vec<String> {
    let lock = parsed(text);
    let ending = format!("node_modules/{name}");
    let packages = lock["packages"].as_object().into_iter().flatten();
    let at = packages.filter(|(path, _)| path.as_str() == ending || path.ends_with(&format!("/{ending}")));
    at.map(|(_, package)| package["version"].as_str().unwrap_or_default().to_owned()).collect()
}

fn toml_versions(text: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut header, mut is_list) = (String::new(), false);
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        if let Some(table) = line.strip_prefix('[').filter(|_| !is_list) {
            table.split(']').next().unwrap_or_default().trim_matches(['[', ' ']).clone_into(&mut header);
            // `[dependencies.serde]`
            let in_table =
                header.rsplit_once("dependencies.").filter(|(_, package)| same_package(package, name));
            found.extend(in_table.map(|_| String::new()));
            continue;
        }
        let is_dependencies = header.ends_with("dependencies") || header.ends_with("packages");
        if let Some((key, value)) = line.split_once('=').filter(|_| !is_list) {
            // `serde.workspace = true`
            let key = key.trim().trim_matches('"');
            let package =
                [".workspace", ".version"].iter().find_map(|end| key.strip_suffix(end)).unwrap_or(key);
            if is_dependencies && same_package(package, name) {
                found.push(toml_version(value));
            }
            is_list = value.trim_start().starts_with('[') && !value.contains(']');
            let is_named =
                key.ends_with("dependencies") || header.contains("dependencies") || header.contains("groups");
            if is_named && value.trim_start().starts_with('[') {
                found.extend(requirements(value, name));
            }
        } else if is_list {
            found.extend(requirements(line, name));
            is_list = !line.starts_with(']');
        }
    }
    found
}

/// The version in `"1"` and in `{ version = "1", … }`.
fn toml_version(value: &str) -> String {
    let value = value.trim();
    let text =
        if value.starts_with('{') { value.split_once("version").map_or("", |(_, rest)| rest) } else { value };
    text.split('"').nth(1).unwrap_or_default().to_owned()
}

/// The versions in a list of requirements as Python writes them: `"requests>=2.31", "rich"`.
fn requirements(list: &str, name: &str) -> Vec<String> {
    list.split(['"', '\'']).skip(1).step_by(2).filter_map(|requirement| required(requirement, name)).collect()
}

/// The version of a requirement if it is for this package: `requests[socks]>=2.31; python_version > "3"`.
fn required(requirement: &str, name: &str) -> Option<String> {
    let requirement = requirement.split([';', '#']).next().unwrap_or_default().trim();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "._-/@".contains(c);
    let end = requirement.find(|c: char| !is_of_name(c)).unwrap_or(requirement.len());
    let (package, rest) = requirement.split_at(end);
    let version = rest.trim_start_matches(|c: char| c != '=' && c != '<' && c != '>' && c != '~' && c != ' ');
    same_package(package, name).then(|| version.trim().to_owned())
}

fn toml_locked(text: &str, name: &str) -> Vec<String> {
    let value = |line: &str, key: &str| {
        let (found, value) = line.split_once('=')?;
        (found.trim() == key).then(|| value.trim().trim_matches('"').to_owned())
    };
    let mut found = Vec::new();
    let mut is_package = false;
    for line in text.lines() {
        if let Some(package) = value(line, "name") {
            is_package = same_package(&package, name);
        } else if is_package && let Some(version) = value(line, "version") {
            found.push(version);
            is_package = false;
        }
    }
    found
}

fn lines(text: &str, name: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("require ").trim_start());
    lines.filter(|line| !line.starts_with(['#', '-', '/'])).filter_map(|line| required(line, name)).collect()
}

/// Whether two spellings name one package: registries don't distinguish case, `-`, `_` and `.`.
fn same_package(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.trim().trim_matches('"').to_lowercase().replace(['_', '.'], "-");
    plain(one) == plain(other)
}

fn contains_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let continues = |c: Option<char>| c.is_some_and(|c| is_word(c) || c == '-');
        !continues(before) && !continues(after)
    })
}

// ---- scripts ----

fn script(name: &str, manifests: &[Manifest]) -> (PathFound, Option<String>) {
    let declares = |manifest: &&Manifest| match Kind::of(&manifest.path) {
        Some(Kind::Json) => {
            let manifest = parsed(&manifest.text);
            ["scripts", "tasks"].iter().any(|field| manifest[*field].get(name).is_some())
        }
        Some(Kind::Toml) => toml_script(&manifest.text, name),
        Some(Kind::Targets) => target(&manifest.text, name),
        _ => false,
    };
    match manifests.iter().find(declares) {
        Some(manifest) => (PathFound::File, Some(manifest.path.clone())),
        None => (PathFound::Nothing, None),
    }
}

/// Whether a TOML file declares a command: an alias of Cargo, a binary, or a script of a Python project.
fn toml_script(text: &str, name: &str) -> bool {
    let mut header = "";
    text.lines().map(str::trim).any(|line| {
        if let Some(table) = line.strip_prefix('[') {
            header = table.split(']').next().unwrap_or_default().trim_matches(['[', ' ']);
            return false;
        }
        let Some((key, value)) = line.split_once('=') else { return false };
        let (key, value) = (key.trim().trim_matches('"'), value.trim().trim_matches('"'));
        match header {
            "alias" => key == name,
            "bin" | "package" => key == "name" && value == name,
            _ if header.ends_with("scripts") || header.ends_with("tasks") => key == name,
            _ => false,
        }
    })
}

/// Whether a makefile or justfile has a target: `build: deps`, `build target="x":`.
fn target(text: &str, name: &str) -> bool {
    text.lines().filter(|line| !line.starts_with([' ', '\t', '#', '.'])).any(|line| {
        let Some((targets, rest)) = line.split_once(':') else { return false };
        !rest.starts_with('=')
            && targets.split_whitespace().any(|target| target.trim_start_matches('@') == name)
    })
}
