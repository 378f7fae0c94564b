//! What the project builds upon comes from the one registry and has a licence that deny.toml allows.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The strings of a list in deny.toml.
fn listed(key: &str) -> Vec<String> {
    let text = read("deny.toml");
    let (_, list) = text.split_once(&format!("\n{key} = [")).unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let strings: Vec<String> = list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(!strings.is_empty(), "{key}");
    strings
}

/// Whether a licence expression can be met by these licences: `AND` binds more closely than `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    if let Some((before, rest)) = expression.split_once('(') {
        let (inside, after) = rest.split_once(')').expect("a closing bracket");
        let verdict = if is_allowed(inside, allowed) { &allowed[0] } else { "NONE" };
        return is_allowed(&format!("{before}{verdict}{after}"), allowed);
    }
    let spelled = expression.replace('/', " OR ");
    spelled
        .split(" OR ")
        .any(|all| all.split(" AND ").all(|licence| allowed.iter().any(|allowed| allowed == licence.trim())))
}

#[test]
fn every_crate_has_a_licence_that_is_allowed() {
    let allowed = listed("allow");
    // Of every target, not of this machine's alone.
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--workspace", "--locked", "--target", "all", "--edges", "normal,build,dev"])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p}|{l}"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    let mut refused: Vec<&str> = tree
        .lines()
        .filter(|line| !line.is_empty())
        .filter(|line| !is_allowed(line.split_once('|').unwrap().1, &allowed))
        .collect();
    refused.sort_unstable();
    refused.dedup();
    assert!(tree.lines().count() > 50, "{tree}");
    assert!(refused.is_empty(), "not allowed by deny.toml: {refused:?}");
}

#[test]
fn every_crate_comes_from_the_one_registry() {
    let registries = listed("allow-registry");
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let text = read(lock);
        let mut sources = text.lines().filter_map(|line| line.strip_prefix("source = ")).peekable();
        assert!(sources.peek().is_some(), "{lock} names no source");
        for source in sources {
            let registry = source.trim_matches('"').strip_prefix("registry+");
            assert!(
                registry.is_some_and(|registry| registries.iter().any(|allowed| allowed == registry)),
                "{lock}: {source} is not allowed by deny.toml"
            );
        }
    }
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT", "Unicode-3.0"].map(str::to_owned);
    for expression in ["MIT", "GPL-3.0 OR MIT", "Apache-2.0/MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_allowed(expression, &allowed), "{expression}");
    }
    for expression in ["GPL-3.0", "MIT AND GPL-3.0", "MIT WITH Some-exception", "(A OR B) AND MIT", ""] {
        assert!(!is_allowed(expression, &allowed), "{expression}");
    }
}

/// The crates that a manifest always depends on.
fn dependencies(manifest: &str) -> Vec<String> {
    let text = read(manifest);
    let (_, section) = text.split_once("\n[dependencies]\n").unwrap();
    let lines = section
        .lines()
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.contains("optional = true"));
    lines
        .filter_map(|line| {
            let (name, rest) = line.split_once(" = ")?;
            let renamed = rest.split_once("package = \"").and_then(|(_, rest)| rest.split_once('"'));
            Some(renamed.map_or(name, |(package, _)| package).to_owned())
        })
        .collect()
}

/// Only the long suite builds the fuzz targets, and it may not change their lock file.
#[test]
fn the_lock_file_of_the_fuzz_targets_has_what_the_crates_depend_on() {
    let lock = read("fuzz/Cargo.lock");
    for (package, manifest) in [
        ("design-lab", "Cargo.toml"),
        ("design-lab-kernel", "kernel/Cargo.toml"),
        ("design-lab-derive", "kernel/derive/Cargo.toml"),
        ("design-lab-numerics", "numerics/Cargo.toml"),
    ] {
        let (_, locked) = lock.split_once(&format!("\nname = \"{package}\"\n")).unwrap();
        let (locked, _) = locked.split_once("\n[[package]]").unwrap();
        for dependency in dependencies(manifest) {
            assert!(
                locked.contains(&format!("\n \"{dependency}\""))
                    || locked.contains(&format!("\n \"{dependency} ")),
                "{package} depends on {dependency}: run `cargo update --workspace` in fuzz/"
            );
        }
    }
}
