//! A test that is left to the long suite says why, and which ordinary files test the same.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The test files below `tests/`, with their texts.
fn test_files(directory: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(directory)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            files.extend(test_files(&path));
        } else if path.ends_with(".test.mjs") {
            let text = read(&path);
            files.push((path, text));
        }
    }
    files
}

/// What stands before each call of `long`, and the reason that it gives.
fn calls(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices("long(").filter(|(at, _)| !text[..*at].ends_with(is_part_of_a_name)).map(
        |(at, call)| {
            let rest = text[at + call.len()..].trim_start();
            let reason =
                rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(reason, _)| reason);
            (text[..at].trim_end(), reason.unwrap_or_default())
        },
    )
}

fn is_part_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether the ordinary suite runs a test of this file.
fn has_ordinary_tests(path: &str, text: &str) -> bool {
    if Path::new(path).extension().is_some_and(|end| end == "rs") {
        return text.contains("#[test]");
    }
    let tests = text.lines().filter(|line| line.trim_start().starts_with("test(")).count();
    tests > calls(text).count()
}

#[test]
fn what_is_left_to_the_long_suite_names_an_ordinary_test_of_the_same() {
    let mut seen = 0;
    for (path, text) in test_files("tests") {
        for (before, reason) in calls(&text) {
            seen += 1;
            let skips = ["skip:", "&&", "||"].iter().any(|end| before.ends_with(end));
            assert!(skips, "{path}: `long` must be the value of `skip`: {reason}");
            assert!(reason.ends_with('.'), "{path}: `long` takes a sentence as a string: {reason}");
            let named: Vec<&str> = reason.split('`').skip(1).step_by(2).collect();
            assert!(!named.is_empty(), "{path}: name an ordinary file that tests the same: {reason}");
            for name in named {
                let at = if name.contains('/') { name.to_owned() } else { format!("tests/e2e/{name}") };
                assert!(root().join(&at).is_file(), "{path}: {at} does not exist: {reason}");
                assert!(has_ordinary_tests(&at, &read(&at)), "{path}: {at} has no ordinary test: {reason}");
            }
        }
    }
    assert!(seen > 100, "only {seen} were found");
}

#[test]
fn calls_are_found_with_their_reasons() {
    let text =
        "const along = belong(1);\ntest(\"a\", {\n  skip: !may || long(\n    \"See `b`.\",\n  ),\n}, body);";
    assert_eq!(calls(text).map(|(_, reason)| reason).collect::<Vec<_>>(), ["See `b`."]);
    assert!(!has_ordinary_tests("a.test.mjs", text));
    assert!(has_ordinary_tests("a.test.mjs", &format!("{text}\ntest(\"c\", body);")));
}
