//! The codes of problems: only one room uses each, and they follow one form.

use kernel::code::RunCode;
use kernel::problem::ErrorCode;
use lab_core::cli::CliCode;
use lab_core::design_lab::artefacts::ArtefactCode;
use lab_core::design_lab::attachments::AttachmentCode;
use lab_core::design_lab::config::ConfigCode;
use lab_core::design_lab::doctor::DoctorCode;
use lab_core::design_lab::human_review::FormCode;
use lab_core::design_lab::isolation::IsolationCode;
use lab_core::design_lab::ranking::RankingCode;
use lab_core::design_lab::workflow::WorkflowCode;
use lab_core::design_lab::{DocumentKind, Fault};
use lab_core::flow::FlowCode;
use lab_core::opencode::registration::RegistrationCode;
use lab_core::shared::disk::DiskCode;
use lab_core::shared::extraction::ExtractionCode;
use lab_core::shared::{AnswerCode, BoundaryCode, CsvCode};
use lab_core::validation::ValidationCode;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The codes of an enum, and the prefixes of its room.
struct Room {
    name: &'static str,
    prefixes: &'static [&'static str],
    codes: Vec<String>,
}

/// Returns every enum of codes, except those of schema faults: see [`faults`].
fn rooms() -> Vec<Room> {
    macro_rules! rooms {
        ($($codes:ident: $($prefix:literal)+,)+) => {
            vec![$(Room {
                name: stringify!($codes),
                prefixes: &[$($prefix),+],
                codes: $codes::ALL.iter().map(|code| code.text().into_owned()).collect(),
            }),+]
        };
    }
    rooms![
        AnswerCode: "answer",
        ArtefactCode: "comparison" "design" "map" "review" "rubric",
        AttachmentCode: "attachment",
        BoundaryCode: "internal",
        CliCode: "rank" "validate",
        ConfigCode: "config" "init" "vendors",
        CsvCode: "csv",
        DiskCode: "disk",
        DoctorCode: "doctor",
        ExtractionCode: "extraction",
        FlowCode: "approval" "exam" "feedback" "lane" "models" "plan" "pr" "race" "reset" "review" "rules" "run" "session"
            "take" "verify",
        FormCode: "form",
        IsolationCode: "config" "isolation",
        RankingCode: "ranking",
        RegistrationCode: "doctor" "tool",
        RunCode: "journal" "run",
        ValidationCode: "validation",
        WorkflowCode: "candidate" "command" "rank" "run",
    ]
}

/// Returns the codes of faulty documents: every kind of document with every fault.
fn faults() -> Vec<String> {
    let of =
        |kind: &DocumentKind| Fault::ALL.iter().map(|fault| kind.code(*fault).text().into_owned()).collect();
    DocumentKind::ALL.iter().flat_map(|kind| -> Vec<String> { of(kind) }).collect()
}

/// The code for a score in a table and for a number in `ranking.json` that is out of bounds.
const OF_BOTH: &str = "ranking.out-of-bounds";

fn is_kebab(word: &str) -> bool {
    word.split('-').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase()))
}

fn is_code(text: &str) -> bool {
    text.split_once('.').is_some_and(|(prefix, rest)| is_kebab(prefix) && is_kebab(rest))
}

/// Returns the files below a folder with this ending, except installed ones.
fn files(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries =
                fs::read_dir(&path).expect("a directory").map(|entry| entry.expect("an entry").path());
            open.extend(entries.filter(|path| !path.ends_with("node_modules")));
        } else if path.to_string_lossy().ends_with(ending) {
            let text = fs::read_to_string(&path).expect("a text");
            found.push((path, text));
        }
    }
    assert!(!found.is_empty(), "{folder} has files that end in {ending}");
    found
}

#[test]
fn every_code_is_of_one_room_and_begins_with_its_prefix() {
    let mut owners = BTreeMap::new();
    for room in rooms() {
        for code in room.codes {
            assert!(is_code(&code), "{code} isn't dotted kebab case");
            let prefix = code.split('.').next().unwrap_or_default();
            assert!(room.prefixes.contains(&prefix), "{code} is no code of {}", room.name);
            let before = owners.insert(code.clone(), room.name);
            assert_eq!(before, None, "{code} is of {}, too", room.name);
        }
    }
    for code in faults() {
        assert!(is_code(&code), "{code} isn't dotted kebab case");
        assert!(
            code == OF_BOTH || !owners.contains_key(&code),
            "{code} is of a schema and of {}",
            owners[&code]
        );
    }
}

#[test]
fn every_enum_of_codes_is_looked_at() {
    let known: Vec<&str> = rooms().iter().map(|room| room.name).collect();
    for (path, text) in ["kernel/src", "src", "wasm/src"].into_iter().flat_map(|folder| files(folder, ".rs"))
    {
        for table in text.split("error_codes! {").skip(1) {
            // A private enum is an example in a test.
            let Some((_, rest)) = table.split('}').next().unwrap_or_default().split_once("pub enum ") else {
                continue;
            };
            let name = rest.split_whitespace().next().unwrap_or_default();
            assert!(known.contains(&name), "{name} of {} is no room of this test", path.display());
        }
    }
}

#[test]
fn no_decision_compares_a_code_with_text() {
    for (path, text) in ["kernel/src", "src", "wasm/src"].into_iter().flat_map(|folder| files(folder, ".rs"))
    {
        if path.ends_with("tests.rs") || path.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let compares =
            ["problem.code == \"", "problem.code != \""].iter().any(|text_of| text.contains(text_of));
        assert!(!compares, "{} compares a code with text", path.display());
    }
}

/// Returns the codes in a JavaScript text: strings with the form of a code and the prefix of a room.
fn codes_in<'a>(text: &'a str, prefixes: &[&str]) -> Vec<&'a str> {
    const FILES: [&str; 8] = ["csv", "html", "js", "json", "jsonc", "jsonl", "lock", "md"];
    /// Events of OpenCode's sessions.
    const EVENTS: [&str; 3] = ["session.created", "session.error", "session.status"];
    let quoted = text.split(['"', '`', '\n']);
    quoted
        .filter(|text| is_code(text) && !EVENTS.contains(text))
        .filter(|code| {
            code.split_once('.')
                .is_some_and(|(prefix, rest)| prefixes.contains(&prefix) && !FILES.contains(&rest))
        })
        .collect()
}

#[test]
fn the_shell_says_no_code_of_the_core_and_misspells_none() {
    let said: Vec<String> = rooms().into_iter().flat_map(|room| room.codes).chain(faults()).collect();
    let mut of_shell = Vec::new();
    let (tests, plugin): (Vec<_>, Vec<_>) = files("plugin-js", ".js")
        .into_iter()
        .partition(|(path, _)| path.to_string_lossy().ends_with(".test.js"));
    for (path, text) in &plugin {
        for code in
            text.split("code: \"").chain(text.split("code ?? \"")).filter_map(|rest| rest.split('"').next())
        {
            if is_code(code) {
                assert!(
                    !said.iter().any(|of_core| of_core == code),
                    "{code} of {} is the core's",
                    path.display()
                );
                of_shell.push(code);
            }
        }
    }
    assert!(of_shell.contains(&"internal.shell") && of_shell.contains(&"cli.no-run"), "{of_shell:?}");
    let mut prefixes: Vec<&str> = said.iter().filter_map(|code| code.split('.').next()).collect();
    prefixes.push("cli");
    let mut seen = 0;
    for (path, text) in plugin
        .iter()
        .chain(&tests)
        .chain(&files("tests/cli", ".mjs"))
        .chain(&files("tests/e2e", ".mjs"))
        .chain(&files("tests/wasm", ".mjs"))
    {
        // The name of a call has the form of a code.
        let text = text.replace("call(\"", "call(");
        for code in codes_in(&text, &prefixes) {
            seen += 1;
            let known = said.iter().any(|of_core| of_core == code) || of_shell.contains(&code);
            assert!(known, "{code} in {} is nobody's", path.display());
        }
    }
    assert!(seen > 10, "codes were found in JavaScript");
}
