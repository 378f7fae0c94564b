//! Replies of models compared with the intended object: `extraction/*.txt`, explained in `extraction/README.md`.

use lab_core::shared::extraction::{Cut, ExtractionError, Finish, Fit, extract};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

struct Case {
    name: String,
    text: String,
    keys: Vec<String>,
    finish: Finish,
    /// What follows the reply: an object with its repairs, or an error with what was found.
    expected: String,
}

#[test]
fn every_reply_gives_what_was_meant() {
    let mut count = 0;
    let mut failures = String::new();
    for (file, cases) in files() {
        for case in cases {
            count += 1;
            let found = outcome(&case);
            if found != case.expected {
                writeln!(
                    failures,
                    "{file}: {}\n{}\nexpected\n{}\nfound\n{found}\n",
                    case.name, case.text, case.expected
                )
                .expect("a string takes everything");
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count >= 250, "only {count} cases were found");
}

#[test]
fn what_was_extracted_is_extracted_again_without_a_repair() {
    for (file, cases) in files() {
        for case in cases {
            let required: Vec<&str> = case.keys.iter().map(String::as_str).collect();
            let fit = |object: &Value| Fit::by_keys(object, &required);
            if let Ok(first) = extract(&case.text, case.finish, &fit) {
                let again = extract(&first.value.to_string(), Finish::Stop, &fit);
                let again = again.unwrap_or_else(|error| panic!("{file}: {}: {error}", case.name));
                assert_eq!(again.value.to_string(), first.value.to_string(), "{file}: {}", case.name);
                assert_eq!(again.repairs, [], "{file}: {}", case.name);
            }
        }
    }
}

/// Returns the result of extraction for the case, in the terms of the case file.
fn outcome(case: &Case) -> String {
    let required: Vec<&str> = case.keys.iter().map(String::as_str).collect();
    match extract(&case.text, case.finish, &|object| Fit::by_keys(object, &required)) {
        Ok(extraction) => {
            let mut found = format!("--- object\n{}", extraction.value);
            if !extraction.repairs.is_empty() {
                let repairs: Vec<String> = extraction
                    .repairs
                    .iter()
                    .map(|repair| {
                        let kind = serde_json::to_value(repair.kind).expect("a kind has a name");
                        let kind = kind.as_str().expect("its name is a string").to_owned();
                        if repair.count == 1 { kind } else { format!("{kind} {}", repair.count) }
                    })
                    .collect();
                write!(found, "\n--- repairs\n{}", repairs.join(", ")).expect("a string takes everything");
            }
            found
        }
        Err(error) => match error {
            ExtractionError::Empty => "--- error: empty".to_owned(),
            ExtractionError::Malformed { .. } => "--- error: malformed".to_owned(),
            ExtractionError::NoObject { .. } => "--- error: no-object".to_owned(),
            ExtractionError::Truncated { cut, partial } => {
                let cut = match cut {
                    Cut::Block => "block",
                    Cut::Ellipsis => "ellipsis",
                    Cut::EndOfText => "end-of-text",
                    Cut::Length => "length",
                };
                let partial = partial.map(|partial| format!("\n{partial}")).unwrap_or_default();
                format!("--- error: truncated {cut}{partial}")
            }
            other => format!("--- error: {other}"),
        },
    }
}

fn files() -> Vec<(String, Vec<Case>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the case files are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            (name, parse(&fs::read_to_string(path).expect("the case file is UTF-8")))
        })
        .collect()
}

fn parse(file: &str) -> Vec<Case> {
    let file = format!("\n{file}");
    file.split("\n=== ")
        .skip(1)
        .map(|block| {
            let (head, body) = block.split_once('\n').expect("a reply follows its head");
            let (text, expected) = body.split_once("\n--- ").expect("an expectation follows the reply");
            let mut fields = head.split(" | ");
            let mut case = Case {
                name: fields.next().unwrap_or_default().to_owned(),
                text: text.to_owned(),
                keys: Vec::new(),
                finish: Finish::Unknown,
                expected: normalized(expected),
            };
            for field in fields {
                match field.split_once(": ") {
                    Some(("keys", keys)) => case.keys = keys.split(", ").map(str::to_owned).collect(),
                    Some(("finish", "length")) => case.finish = Finish::Length,
                    Some(("finish", "stop")) => case.finish = Finish::Stop,
                    None if field == "encoded" => {
                        case.text = serde_json::from_str(text).expect("an encoded reply is a JSON string");
                    }
                    _ => panic!("{head}: unknown field {field}"),
                }
            }
            case
        })
        .collect()
}

/// Returns the expectation with its JSON in a normalised form.
fn normalized(expected: &str) -> String {
    let lines = format!("--- {}", expected.trim_end());
    let lines: Vec<String> = lines
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).map_or_else(|_| line.to_owned(), |value| value.to_string())
        })
        .collect();
    lines.join("\n")
}
