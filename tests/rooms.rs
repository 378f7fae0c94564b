//! The core has no cycles: no module uses, directly or indirectly, a module that uses it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Rooms whose modules are checked individually.
const ROOMS: [&str; 3] = ["design_lab", "opencode", "shared"];

/// Rooms that are checked as one module each.
const WHOLE: [&str; 4] = ["boundary", "cli", "flow", "validation"];

/// Returns the module to which a path of segments, below `src/` or after `crate::`, belongs.
fn module<'a>(mut segments: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = segments.next()?;
    if !ROOMS.contains(&first) {
        return WHOLE.contains(&first).then(|| first.to_owned());
    }
    let second = segments.next().filter(|second| *second != "mod")?;
    Some(format!("{first}::{second}"))
}

/// Collects what each module uses, by its `crate::` paths. Tests may use anything.
fn uses(directory: &Path, root: &Path, found: &mut BTreeMap<String, BTreeSet<String>>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "tests") {
                uses(&path, root, found);
            }
            continue;
        }
        let name = path.strip_prefix(root).expect("below src").with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        if path.extension().is_none_or(|extension| extension != "rs") || name.ends_with("tests") {
            continue;
        }
        let Some(module_of_file) = module(name.split('/')) else { continue };
        let text = fs::read_to_string(&path).expect("a source file");
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let found = found.entry(module_of_file.clone()).or_default();
        for path in text.split("crate::").skip(1) {
            let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(path.len());
            let (plain, rest) = path.split_at(end);
            // `crate::design_lab::{a, b}` names several.
            let group = rest.strip_prefix('{').and_then(|rest| rest.split('}').next()).unwrap_or("");
            let paths = if group.is_empty() {
                vec![plain.to_owned()]
            } else {
                group.split(',').map(|one| format!("{plain}{}", one.trim())).collect()
            };
            let used =
                paths.iter().filter_map(|path| module(path.split("::").filter(|part| !part.is_empty())));
            found.extend(used.filter(|used| *used != module_of_file));
        }
    }
}

#[test]
fn no_module_uses_one_that_uses_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut left = BTreeMap::new();
    uses(&root, &root, &mut left);
    assert!(left.len() > 15, "the modules were found: {:?}", left.keys());
    assert!(left["design_lab::workflow"].contains("design_lab::report"), "groups are read, too");
    // Repeatedly removes modules that use none of the remaining ones, until nothing is left.
    loop {
        let ready: Vec<String> = left
            .iter()
            .filter(|(_, used)| used.iter().all(|used| !left.contains_key(used)))
            .map(|(module, _)| module.clone())
            .collect();
        if ready.is_empty() {
            break;
        }
        left.retain(|module, _| !ready.contains(module));
    }
    assert!(left.is_empty(), "these use one another: {left:#?}");
}

#[test]
fn what_is_configured_knows_no_ranking_and_reports_know_no_workflow() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    uses(&root, &root, &mut found);
    for (module, stranger) in [
        ("design_lab::config", "design_lab::ranking"),
        ("design_lab::artefacts", "design_lab::ranking"),
        ("design_lab::report", "design_lab::workflow"),
        ("shared::extraction", "design_lab::artefacts"),
    ] {
        assert!(!found[module].contains(stranger), "{module} uses {stranger}");
    }
}
