//! The dependencies and commands that a project declares, from the text of its manifests and lock files.
//!
//! Only what a claim needs is read: whether a name is declared, and its version. A TOML file is read line by line, without a parser:
//! a table's header and a key always start a line. What isn't found may be declared in a way that is not read here, so absence alone
//! refutes nothing.

use super::name::{Wanted, is_word};
use kernel::json::Deserialize;
use kernel::protocol::{LookedUp, PathFound};
use serde::Serialize;
use serde_json::Value;

/// The longest version that is shown, in bytes.
const LONGEST_VERSION: usize = 40;
/// What can't be read says nothing about a name.
const UNREAD: &str = "not every manifest of the project can be read";

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
    /// Any other manifest or lock file: a name counts wherever it is a word, but no version is known.
    Text { is_lock: bool },
}

impl Kind {
    fn of(path: &str) -> Option<Self> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = folder.rsplit('/').next().unwrap_or_default();
        Some(match name {
            "package.json" | "composer.json" | "deno.json" | "deno.jsonc" => Self::Json,
            "package-lock.json" | "npm-shrinkwrap.json" => Self::JsonLock,
            "Cargo.toml" | "pyproject.toml" | "Pipfile" => Self::Toml,
            "config.toml" | "config" if parent == ".cargo" => Self::Toml,
            "Cargo.lock" | "poetry.lock" | "uv.lock" => Self::TomlLock,
            "go.mod" => Self::Lines,
            "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" | ".justfile" => Self::Targets,
            "yarn.lock" | "pnpm-lock.yaml" | "go.sum" | "Gemfile.lock" | "composer.lock" | "bun.lock" => {
                Self::Text { is_lock: true }
            }
            "Gemfile" | "pom.xml" | "build.gradle" | "build.gradle.kts" | "mix.exs" | "pubspec.yaml"
            | "setup.py" | "setup.cfg" | "CMakeLists.txt" | "conanfile.txt" | "vcpkg.json"
            | "environment.yml" | "Package.swift" | "libs.versions.toml" => Self::Text { is_lock: false },
            _ => match name.rsplit_once('.') {
                Some((stem, "txt")) if stem.contains("requirements") || parent == "requirements" => {
                    Self::Lines
                }
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

/// Whether this file pins versions.
pub(super) fn is_lock_file(path: &str) -> bool {
    Kind::of(path).is_some_and(Kind::is_lock)
}

/// A manifest, read once for all names.
struct Read<'a> {
    path: &'a str,
    kind: Kind,
    text: &'a str,
    /// The value of a JSON manifest; null if it can't be read.
    value: Value,
}

impl<'a> Read<'a> {
    fn of(manifest: &'a Manifest) -> Option<Self> {
        let kind = Kind::of(&manifest.path)?;
        let text = manifest.text.trim_start_matches('\u{feff}');
        let value = match kind {
            Kind::Json | Kind::JsonLock => kernel::json::read(text).unwrap_or_default(),
            _ => Value::Null,
        };
        Some(Self { path: &manifest.path, kind, text, value })
    }

    fn is_unreadable(&self) -> bool {
        matches!(self.kind, Kind::Json | Kind::JsonLock) && self.value.is_null()
    }

    /// The versions under which it declares a package; an empty one if it names none.
    /// `direct`: whether what is declared only for another package doesn't count.
    fn versions(&self, name: &str, direct: bool) -> Vec<String> {
        match self.kind {
            Kind::Json => json_versions(&self.value, name),
            Kind::JsonLock => locked(&self.value, name),
            Kind::Toml => toml_versions(self.text, name),
            Kind::TomlLock => toml_locked(self.text, name),
            Kind::Lines => lines(self.text, name, direct),
            Kind::Targets => Vec::new(),
            Kind::Text { .. } => contains_word(self.text, name).then(String::new).into_iter().collect(),
        }
    }

    /// Where a version was found, for people. A version may be an address with a password in it, so only plain ones are shown.
    fn place(&self, version: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " .^~<>=!*|,-+".contains(c);
        let is_version = version.contains(|c: char| c.is_ascii_digit())
            && version.len() <= LONGEST_VERSION
            && version.chars().all(is_plain);
        if is_version { format!("{} has {version}", self.path) } else { self.path.to_owned() }
    }
}

/// Looks up dependencies and scripts in the project's manifests. `partial`: whether not all of them were read.
pub fn declared(names: &[String], manifests: &[Manifest], partial: bool) -> Vec<LookedUp> {
    let read: Vec<Read<'_>> = manifests.iter().filter_map(Read::of).collect();
    let partial = partial || read.is_empty() || read.iter().any(Read::is_unreadable);
    let look = |name: &String| {
        let (found, place) = match Wanted::named(name) {
            Wanted::Dependency { package, direct } => dependency(&package, direct, &read, partial),
            Wanted::Script(name) => script(&name, &read),
            _ => (PathFound::Other, None),
        };
        let (found, place) = match (found, place) {
            (PathFound::Nothing, None) if partial => (PathFound::Other, Some(UNREAD.to_owned())),
            seen => seen,
        };
        LookedUp { path: name.clone(), found, lines: None, place }
    };
    names.iter().map(look).collect()
}

// ---- dependencies ----

fn dependency(
    package: &str,
    direct: bool,
    manifests: &[Read<'_>],
    partial: bool,
) -> (PathFound, Option<String>) {
    // A scope starts with `@`, too.
    let (name, version) = match package.rfind('@').filter(|at| *at > 0) {
        Some(at) => (&package[..at], Some(&package[at + 1..])),
        None => (package, None),
    };
    // A part of a package is imported as `package/part`, and a group is written before a colon.
    let shorter = name.rsplit_once('/').filter(|_| !name.starts_with('@')).map(|(package, _)| package);
    let artifact = name.rsplit_once(':').map(|(_, artifact)| artifact);
    let names = std::iter::once(name).chain(shorter).chain(artifact);
    let seen = names.map(|name| declarations(name, direct, manifests)).find(|found| !found.is_empty());
    let Some(found) = seen else { return (PathFound::Nothing, None) };
    if direct {
        return new_dependency(&found, version, manifests, partial);
    }
    let is_versioned = |one: &&Declaration| !one.version.is_empty();
    let agreeing = |one: &&Declaration| version.is_none_or(|version| agrees(version, &one.version));
    match found.iter().filter(is_versioned).find(agreeing) {
        Some(one) => (PathFound::File, Some(one.place.clone())),
        // Every declaration that names a version contradicts the claim.
        None => match found.iter().find(is_versioned) {
            Some(other) => (PathFound::Nothing, Some(other.place.clone())),
            None => (PathFound::File, Some(found[0].place.clone())),
        },
    }
}

/// Where a package is declared.
struct Declaration {
    kind: Kind,
    /// For people.
    place: String,
    /// Empty if it can't be read there.
    version: String,
}

fn declarations(name: &str, direct: bool, manifests: &[Read<'_>]) -> Vec<Declaration> {
    let counted = manifests.iter().filter(|manifest| !(direct && manifest.kind.is_lock()));
    counted
        .flat_map(|manifest| {
            let versions = manifest.versions(name, direct).into_iter();
            versions.map(|version| Declaration {
                kind: manifest.kind,
                place: manifest.place(&version),
                version,
            })
        })
        .collect()
}

/// A dependency that a design adds exists already if the project's only manifest declares it. Another package of the project may lack
/// it, a word in a text may be a remark, and another version may be an upgrade.
fn new_dependency(
    found: &[Declaration],
    version: Option<&str>,
    manifests: &[Read<'_>],
    partial: bool,
) -> (PathFound, Option<String>) {
    let declares = |one: &&Read<'_>| !one.kind.is_lock() && one.kind != Kind::Targets;
    let is_only = manifests.iter().filter(declares).count() == 1 && !partial;
    let first = &found[0];
    if version.is_some_and(|version| !agrees(version, &first.version)) {
        return (PathFound::Nothing, None);
    }
    if is_only && version.is_none() && !matches!(first.kind, Kind::Text { .. }) {
        return (PathFound::File, Some(first.place.clone()));
    }
    (PathFound::Other, Some(format!("{}, but the claim may mean something else", first.place)))
}

/// Whether a version that a design names agrees with a declared one: the first number, and for `0.x` the second. A later version of
/// the same number may be locked or meant. A range of several versions agrees with all.
fn agrees(claimed: &str, declared: &str) -> bool {
    let plain = declared.trim().trim_start_matches(['^', '~', '=', 'v', ' ']);
    let is_version = plain.starts_with(|c: char| c.is_ascii_digit())
        && plain.chars().all(|c| c.is_ascii_alphanumeric() || ".-+".contains(c));
    if !is_version {
        return true;
    }
    let numbers = |text: &str| -> Vec<u64> { text.split('.').map_while(|part| part.parse().ok()).collect() };
    let (claimed, declared) = (numbers(claimed), numbers(plain));
    let compared = 1 + usize::from(declared.first() == Some(&0));
    claimed.iter().zip(&declared).take(compared).all(|(claimed, declared)| claimed == declared)
}

fn json_versions(manifest: &Value, name: &str) -> Vec<String> {
    const FIELDS: [&str; 7] = [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
        "imports",
        "require",
        "require-dev",
    ];
    let all = FIELDS.iter().filter_map(|field| manifest[*field].as_object()).flatten();
    let found = all.filter(|(package, _)| same_package(package, name));
    found.map(|(_, version)| version.as_str().unwrap_or_default().to_owned()).collect()
}

fn locked(lock: &Value, name: &str) -> Vec<String> {
    let packages = lock["packages"].as_object().into_iter().flatten();
    let of_name = |path: &str| {
        path.rsplit_once("node_modules/").is_some_and(|(_, package)| same_package(package, name))
    };
    let found = packages.filter(|(path, _)| of_name(path));
    found.map(|(_, package)| package["version"].as_str().unwrap_or_default().to_owned()).collect()
}

fn toml_versions(text: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut header = "";
    // A list over several lines: its key, and how many brackets are open.
    let (mut listed, mut open) = ("", 0);
    for line in text.lines().map(|line| uncommented(line).trim()).filter(|line| !line.is_empty()) {
        if open > 0 {
            if is_requirements(header, listed) {
                found.extend(requirements(line, name));
            }
            open += brackets(line);
            continue;
        }
        if let Some(begun) = table(line) {
            header = begun;
            // `[dependencies.serde]`
            let in_table =
                header.rsplit_once("dependencies.").filter(|(_, package)| same_package(package, name));
            found.extend(in_table.map(|_| String::new()));
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let (key, value) = (key.trim().trim_matches('"'), value.trim());
        let is_package = header.ends_with("dependencies") || header.ends_with("packages");
        if is_package && !value.starts_with('[') {
            // `serde.workspace = true`, and a crate under another name.
            let package = key.split('.').next().unwrap_or_default().trim_matches('"');
            let renamed = field(value, "package");
            if same_package(renamed.as_deref().unwrap_or(package), name) || same_package(package, name) {
                found.push(toml_version(value));
            }
        }
        if value.starts_with('[') {
            if is_requirements(header, key) {
                found.extend(requirements(value, name));
            }
            listed = key;
            open = brackets(value);
        }
    }
    found
}

/// Whether a list of texts under this key has requirements.
fn is_requirements(header: &str, key: &str) -> bool {
    key.ends_with("dependencies")
        || header.ends_with("dependencies")
        || header.ends_with("dependency-groups")
        || (header == "build-system" && key == "requires")
}

/// The characters of a line that stand in no text, with their places.
fn outside_texts(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    line.char_indices().filter(move |&(_, c)| {
        let is_outside = quote.is_none();
        match quote {
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if open == c => quote = None,
            _ => {}
        }
        is_outside
    })
}

/// A line up to its comment.
fn uncommented(line: &str) -> &str {
    outside_texts(line).find(|&(_, c)| c == '#').map_or(line, |(at, _)| &line[..at])
}

/// How many more brackets a line opens than it closes.
fn brackets(line: &str) -> i32 {
    let each = outside_texts(line).map(|(_, c)| i32::from(c == '[') - i32::from(c == ']'));
    each.sum()
}

/// The name of the table that a line begins.
fn table(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('[')?;
    Some(rest.split(']').next().unwrap_or_default().trim_matches(['[', ' ']))
}

/// The version in `"1"` and in `{ version = "1", … }`.
fn toml_version(value: &str) -> String {
    if value.starts_with('{') {
        return field(value, "version").unwrap_or_default();
    }
    value.split(['"', '\'']).nth(1).unwrap_or_default().to_owned()
}

/// The text of a field in an inline table: `{ version = "1", features = ["a"] }`.
fn field(table: &str, key: &str) -> Option<String> {
    let parts = table.strip_prefix('{')?.split(',');
    let value = parts.filter_map(|part| part.split_once('=')).find(|(name, _)| name.trim() == key)?.1;
    Some(value.split(['"', '\'']).nth(1)?.to_owned())
}

/// The versions in a list of requirements as Python writes them: `"requests>=2.31", "rich"`.
fn requirements(list: &str, name: &str) -> Vec<String> {
    list.split(['"', '\'']).skip(1).step_by(2).filter_map(|requirement| required(requirement, name)).collect()
}

/// The version of a requirement if it is for this package: `requests[socks]>=2.31; python_version > "3"`.
fn required(requirement: &str, name: &str) -> Option<String> {
    let requirement = requirement.split([';', '#']).next().unwrap_or_default().trim();
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let end = requirement.find(|c: char| !is_of_name(c)).unwrap_or(requirement.len());
    let (package, rest) = requirement.split_at(end);
    let rest = rest.trim_start();
    let version =
        if rest.starts_with('[') { rest.split_once(']').map_or("", |(_, rest)| rest) } else { rest };
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

fn lines(text: &str, name: &str, direct: bool) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches("require ").trim_start());
    let counts =
        |line: &&str| !(line.starts_with(['#', '-', '/']) || direct && line.ends_with("// indirect"));
    lines.filter(counts).filter_map(|line| required(line, name)).collect()
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
        let continues = |c: Option<char>| c.is_some_and(|c| is_word(c) || c == '-' || c == '/');
        !continues(before) && !continues(after)
    })
}

// ---- scripts ----

fn script(name: &str, manifests: &[Read<'_>]) -> (PathFound, Option<String>) {
    let declares = |manifest: &&Read<'_>| match manifest.kind {
        Kind::Json => ["scripts", "tasks"].iter().any(|field| manifest.value[*field].get(name).is_some()),
        Kind::Toml => toml_script(manifest.text, name),
        Kind::Targets => target(manifest.text, name),
        _ => false,
    };
    match manifests.iter().find(declares) {
        Some(manifest) => (PathFound::File, Some(manifest.path.to_owned())),
        None => (PathFound::Nothing, None),
    }
}

/// Whether a TOML file declares a command: an alias of Cargo, a binary, or a script of a Python project.
fn toml_script(text: &str, name: &str) -> bool {
    let mut header = "";
    text.lines().map(|line| uncommented(line).trim()).any(|line| {
        if let Some(begun) = table(line) {
            header = begun;
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

/// Whether a makefile or justfile has a target: `build: deps`, `build target="x":`, `alias b := build`.
fn target(text: &str, name: &str) -> bool {
    text.lines().filter(|line| !line.starts_with([' ', '\t', '#', '.'])).any(|line| {
        let Some((targets, rest)) = line.split_once(':') else { return false };
        let is_alias = line.starts_with("alias ");
        (is_alias || !rest.starts_with('='))
            && targets.split_whitespace().any(|target| target.trim_start_matches('@') == name)
    })
}
