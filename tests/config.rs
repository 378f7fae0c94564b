//! Configuration, as a user meets it: goldens of the effective configuration and of every kind of error.
//!
//! `UPDATE=1 cargo test --test config` rewrites the goldens; the difference is then read in `git diff`.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use design_lab::config::{
    AvailableModel, AvailableModels, Layer, Loaded, ReferencedFile, Source, load, references,
};
use design_lab::error::Problem;
use std::path::{Path, PathBuf};

const FILE: &str = ".opencode/design-lab.jsonc";

fn source(origin: Layer, text: &str) -> Source {
    let file = match origin {
        Layer::Default => "defaults",
        Layer::Global => "~/.config/opencode/design-lab.jsonc",
        Layer::Project => FILE,
        Layer::Options => "opencode.json (plugin options)",
    };
    Source { origin, file: file.to_owned(), text: text.to_owned() }
}

fn project(text: &str) -> Result<Loaded, Vec<Problem>> {
    load(&[source(Layer::Project, text)], &[], &AvailableModels::default())
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/config")
}

fn assert_golden(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, actual).unwrap();
    }
    let golden = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(actual, golden, "{} differs: read the change, then run with UPDATE=1", path.display());
}

#[test]
fn broken_configurations_say_what_to_do() {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(directory().join("broken"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonc"))
        .collect();
    cases.sort();
    assert!(cases.len() >= 10);
    for path in cases {
        let problems = project(&std::fs::read_to_string(&path).unwrap())
            .expect_err("a broken configuration was accepted");
        let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_golden(&path.with_extension("txt"), &(text.join("\n\n") + "\n"));
        for problem in problems {
            let whole = [&problem.file, &problem.found, &problem.allowed, &problem.next]
                .iter()
                .all(|part| part.is_some());
            assert!(whole, "{}: {problem:?}", path.display());
            assert!(problem.line.is_some() && problem.column.is_some(), "{}: {problem:?}", path.display());
        }
    }
}

#[test]
fn the_full_example_means_what_it_says() {
    let text = std::fs::read_to_string(directory().join("../../schemas/examples/config.jsonc")).unwrap();
    let loaded = project(&text).unwrap();
    assert_golden(&directory().join("full.json"), &(serde_json::to_string_pretty(&loaded).unwrap() + "\n"));
}
