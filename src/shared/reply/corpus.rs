//! Replies of real models with their expected outcomes: `tests/replies/table.tsv`, explained in the same folder.

use std::fs;
use std::path::PathBuf;

/// A reply and its expected outcome.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) finish: &'static str,
    outcome: String,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/replies")
}

/// The text of a file in the table's folder.
pub(crate) fn file(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("the file is there")
}

/// The replies to this kind of request.
pub(crate) fn rows(kind: &str) -> Vec<Row> {
    let table = file("table.tsv");
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, of, finish, outcome] = fields[..] else { panic!("{line}") };
        (of == kind).then(|| Row {
            name: name.to_owned(),
            text: file(name),
            finish: if finish == "length" { "length" } else { "stop" },
            outcome: outcome.to_owned(),
        })
    };
    table.lines().skip(1).filter_map(row).collect()
}

impl Row {
    /// Compares the next prompt to the model, `None` if there was none, with the table.
    pub(crate) fn assert_asked(&self, next: Option<&str>) {
        let wanted: &[&str] = match self.outcome.as_str() {
            "accepted" => {
                assert_eq!(next, None, "{} is accepted", self.name);
                return;
            }
            "copied" => &["copied from the form"],
            "cut-off" => &["cut off"],
            "equal-components" => &["Two components are the same"],
            "missing" => &["is missing from"],
            "no-object" => &["has no JSON object"],
            "no-verdict" => &["names neither of the two designs"],
            "placeholder" => &["is only a placeholder"],
            "repeated" => &["occurs in several places"],
            "same-scores" => &["don't tell the proposals apart"],
            "several" => &["contradicts itself"],
            "unknown-feature" => &["No feature has this id"],
            "unreadable" => &["as valid JSON (RFC 8259)"],
            "unnamed" => &["says nothing about"],
            other => panic!("{other} is no outcome"),
        };
        let next = next.unwrap_or_else(|| panic!("{} was accepted", self.name));
        assert!(wanted.iter().all(|part| next.contains(part)), "{}: {} in\n{next}", self.name, self.outcome);
    }
}

#[test]
fn every_reply_has_a_row() {
    let table = file("table.tsv");
    let mut named: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
    let mut there: Vec<String> = fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    there.sort();
    named.sort_unstable();
    assert_eq!(named, there);
    assert_eq!(named.len(), 78);
}
