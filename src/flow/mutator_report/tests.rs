//! Reports of real tools (`tests/mutators`), and other files that may be in their place.

use super::*;
use serde_json::json;

const STRYKER: &str = include_str!("../../../tests/mutators/stryker.json");
const CARGO: &str = include_str!("../../../tests/mutators/cargo-mutants.json");
const CARGO_SOURCE: &str = include_str!("../../../tests/mutators/cargo-mutants.rs.txt");
const MUTMUT: &str = include_str!("../../../tests/mutators/mutmut.meta.json");
const MUTMUT_MUTANTS: &str = include_str!("../../../tests/mutators/mutmut.mutants.py.txt");
const MUTMUT_SOURCE: &str = include_str!("../../../tests/mutators/mutmut.py.txt");

/// A new file of the change.
fn new(path: &str, now: &str) -> ChangedFile {
    ChangedFile { path: path.to_owned(), before: None, now: now.to_owned() }
}

fn file(path: &str, text: &str) -> ReportFile {
    ReportFile { path: path.to_owned(), text: text.to_owned() }
}

fn left(report: &str, files: Vec<ReportFile>, changed: Vec<ChangedFile>) -> MutatorLeft {
    MutatorLeft {
        argv: ["npx", "stryker", "run"].map(str::to_owned).to_vec(),
        end: CommandEnd::Exited { code: 0 },
        output: "evidence/7-mutator.log".to_owned(),
        report: report.to_owned(),
        directory: String::new(),
        roots: vec!["/copies/7".to_owned()],
        touched: Vec::new(),
        files: Some(files),
        refused: None,
        changed,
    }
}

fn stryker_source() -> String {
    let report: Value = serde_json::from_str(STRYKER).unwrap();
    report["files"]["src/sum.js"]["source"].as_str().unwrap().to_owned()
}

fn of_stryker(text: &str) -> MutatorLeft {
    let report = "reports/mutation/mutation.json";
    left(report, vec![file(report, text)], vec![new("src/sum.js", &stryker_source())])
}

/// The Stryker report with `from` replaced by `to`.
fn stryker_with(from: &str, to: &str) -> String {
    assert!(STRYKER.contains(from), "{from}");
    STRYKER.replace(from, to)
}

fn of_cargo() -> MutatorLeft {
    let changed = vec![new("src/lib.rs", CARGO_SOURCE)];
    left("mutants.out", vec![file("mutants.out/outcomes.json", CARGO)], changed)
}

fn of_mutmut() -> MutatorLeft {
    let files = vec![file("mutants/total.py.meta", MUTMUT), file("mutants/total.py", MUTMUT_MUTANTS)];
    left("mutants", files, vec![new("total.py", MUTMUT_SOURCE)])
}

fn counts(seen: &MutatorSeen) -> (u32, u32, u32) {
    (seen.noticed, seen.unnoticed, seen.undecided)
}

fn lines(seen: &MutatorSeen, noticed: Option<bool>) -> Vec<String> {
    let all = seen.mutants.iter().filter(|one| one.noticed == noticed);
    all.map(|one| format!("{}:{}: {}", one.path, one.line, one.change)).collect()
}

fn why(left: &MutatorLeft) -> String {
    seen(left).unusable.unwrap()
}

#[test]
fn stryker_s_report_of_a_new_file() {
    let seen = seen(&of_stryker(STRYKER));
    assert_eq!((seen.tool.as_str(), &seen.unusable), ("StrykerJS 9.6.1", &None));
    assert_eq!(counts(&seen), (9, 4, 1));
    assert_eq!(
        lines(&seen, Some(false)),
        [
            "src/sum.js:2: `a > 100` becomes `a >= 100`",
            "src/sum.js:2: `a > 100` becomes `false`",
            "src/sum.js:2: `{ …` becomes `{}`",
            "src/sum.js:8: `{ …` becomes `{}`",
        ]
    );
    assert_eq!(lines(&seen, None), ["src/sum.js:10: `a - 1` becomes `a + 1`"]);
}

#[test]
fn cargo_mutants_report_of_a_new_file() {
    let seen = seen(&of_cargo());
    assert_eq!((seen.tool.as_str(), &seen.unusable), ("cargo-mutants 27.1.0", &None));
    assert_eq!(counts(&seen), (13, 7, 1));
    assert_eq!(
        lines(&seen, Some(false))[..3],
        [
            "src/lib.rs:2: replace > with == in total",
            "src/lib.rs:2: replace > with >= in total",
            "src/lib.rs:9: replace unused -> i32 with 0",
        ]
    );
    assert_eq!(lines(&seen, None), ["src/lib.rs:15: replace made -> No with Default::default()"]);
}

#[test]
fn mutmut_s_report_of_a_new_file() {
    let seen = seen(&of_mutmut());
    assert_eq!((seen.tool.as_str(), &seen.unusable), ("mutmut", &None));
    assert_eq!(counts(&seen), (7, 5, 0));
    assert_eq!(
        lines(&seen, Some(false)),
        [
            "total.py:2: `if a > 100:` becomes `if a >= 100:`",
            "total.py:2: `if a > 100:` becomes `if a > 101:`",
            "total.py:3: `return 100` becomes `return 101`",
            "total.py:19: `return other <= self.size` becomes `return other < self.size`",
            "total.py:24: `a += 1` becomes `a += 2`",
        ],
        "the two methods are alike, and told apart by their classes"
    );
    assert_eq!(lines(&seen, Some(true))[1], "total.py:9: `self.size = size` becomes `self.size = None`");
}

#[test]
fn only_mutants_in_changed_lines_count() {
    let source = stryker_source();
    // Line 5 was a different one: the mutants of lines 1 to 6, 2 and 15 are about unchanged code.
    let mut left = of_stryker(STRYKER);
    left.changed[0].before = Some(source.replace("return a + b;", "return a;"));
    assert_eq!(counts(&seen(&left)), (1, 0, 0));
    // A block whose last line is a bracket that already existed.
    left.changed[0].before = Some(source.replace("  if (a > 100) {\n    return 100;\n  }\n", ""));
    assert_eq!(counts(&seen(&left)), (2, 3, 0));
    left.changed[0].before = Some(format!("{source}\n// A comment.\n"));
    assert!(why(&left).contains("without a result for the changed lines"), "{}", why(&left));

    let mut left = of_cargo();
    left.changed[0].before = Some(CARGO_SOURCE.replace("a - 1", "a"));
    assert_eq!(counts(&seen(&left)), (0, 5, 0));
    let mut left = of_mutmut();
    left.changed[0].before = Some(MUTMUT_SOURCE.replace("        a += 1\n", "        a = a + 1\n"));
    assert_eq!(counts(&seen(&left)), (2, 1, 0));
}

#[test]
fn what_each_state_decides() {
    for (state, expected) in [
        ("Killed", (10, 4, 0)),
        ("Timeout", (10, 4, 0)),
        ("Survived", (9, 5, 0)),
        ("NoCoverage", (9, 5, 0)),
        ("CompileError", (9, 4, 1)),
        ("RuntimeError", (9, 4, 1)),
        ("Ignored", (9, 4, 1)),
        ("Pending", (9, 4, 1)),
        ("Unheard", (9, 4, 1)),
    ] {
        let text = stryker_with("\"Ignored\"", &format!("\"{state}\""));
        assert_eq!(counts(&seen(&of_stryker(&text))), expected, "{state}");
    }
    for (code, expected) in [
        ("37", (8, 4, 0)),
        ("5", (7, 5, 0)),
        ("null", (7, 4, 1)),
        ("34", (7, 4, 1)),
        ("35", (7, 4, 1)),
        ("2", (7, 4, 1)),
        ("-11", (7, 4, 1)),
    ] {
        let mut left = of_mutmut();
        for file in left.files.iter_mut().flatten().filter(|file| file.text.starts_with('{')) {
            file.text = file.text.replacen(": 33", &format!(": {code}"), 1);
        }
        assert_eq!(counts(&seen(&left)), expected, "{code}");
    }
}

#[test]
fn paths_are_found_wherever_they_count_from() {
    let source = stryker_source();
    let windows = stryker_with("\"src/sum.js\"", r#""src\\sum.js""#);
    let absolute = stryker_with("\"src/sum.js\"", "\"/copies/7/packages/a/src/sum.js\"");
    for (text, report, directory, path) in [
        (STRYKER, "reports/mutation.json", "", "src/sum.js"),
        (&windows, "reports/mutation.json", "", "src/sum.js"),
        (&stryker_with("\"src/sum.js\"", "\"./src/sum.js\""), "mutation.json", "", "src/sum.js"),
        (&absolute, "reports/mutation.json", "", "packages/a/src/sum.js"),
        (STRYKER, "packages/a/reports/mutation.json", "", "packages/a/src/sum.js"),
        (STRYKER, "reports/mutation.json", "packages/a", "packages/a/src/sum.js"),
    ] {
        let mut left = left(report, vec![file(&join(directory, report), text)], vec![new(path, &source)]);
        left.directory = directory.to_owned();
        assert_eq!(counts(&seen(&left)), (9, 4, 1), "{report} of {path}: {:?}", seen(&left).unusable);
    }
    // Of two files with the same name, the report is about the one whose source it contains.
    let mut left = of_stryker(STRYKER);
    left.changed = vec![new("src/sum.js", "export const other = 1;\n"), new("reports/src/sum.js", &source)];
    assert!(lines(&seen(&left), None)[0].starts_with("reports/src/sum.js:10"));
    let elsewhere = stryker_with("\"src/sum.js\"", "\"/elsewhere/src/sum.js\"");
    assert!(why(&of_stryker(&elsewhere)).contains("names no file of the change"));
}

#[test]
fn paths_of_other_formats_count_from_where_their_directory_is() {
    for (report, at, directory, path) in [
        ("mutants.out/outcomes.json", "mutants.out/outcomes.json", "", "src/lib.rs"),
        ("mutants.out", "crates/a/mutants.out/outcomes.json", "crates/a", "crates/a/src/lib.rs"),
        ("target/m/mutants.out", "target/m/mutants.out/outcomes.json", "", "src/lib.rs"),
    ] {
        let mut left = left(report, vec![file(at, CARGO)], vec![new(path, CARGO_SOURCE)]);
        left.directory = directory.to_owned();
        assert_eq!(counts(&seen(&left)), (13, 7, 1), "{at}");
    }
    let mut left = of_mutmut();
    left.directory = "py".to_owned();
    left.files =
        Some(vec![file("py/mutants/total.py.meta", MUTMUT), file("py/mutants/total.py", MUTMUT_MUTANTS)]);
    left.changed = vec![new("py/total.py", MUTMUT_SOURCE)];
    assert_eq!(counts(&seen(&left)), (7, 5, 0));
}

type Change<'a> = &'a dyn Fn(&mut MutatorLeft);

#[test]
fn why_a_tool_showed_nothing_is_reported() {
    let log = "evidence/7-mutator.log";
    let of = |change: Change<'_>| {
        let mut left = of_stryker(STRYKER);
        change(&mut left);
        why(&left)
    };
    let at = "reports/mutation/mutation.json";
    let cases: [(Change<'_>, String); 10] = [
        (
            &|left| left.end = CommandEnd::NotStarted { message: "ENOENT".to_owned() },
            "did not start: ENOENT".to_owned(),
        ),
        (&|left| left.end = CommandEnd::TimedOut, format!("did not finish in time; see {log}")),
        (
            &|left| left.end = CommandEnd::Signalled { signal: "SIGKILL".to_owned() },
            format!("was ended by SIGKILL; see {log}"),
        ),
        (
            &|left| {
                left.end = CommandEnd::Exited { code: 1 };
                left.files = None;
            },
            format!("wrote no report at {at} (exit code 1); see {log}"),
        ),
        (
            &|left| left.refused = Some(Refused::Outside),
            format!("wrote no report in the copy: the path {at} leads outside the copy"),
        ),
        (&|left| left.refused = Some(Refused::TooLarge), format!("wrote a report that is too large: {at}")),
        (
            &|left| left.touched = vec![at.to_owned(), "src/sum.js".to_owned()],
            "changed files in the copy: src/sum.js".to_owned(),
        ),
        (
            &|left| left.files = Some(vec![file(at, "<xml/>")]),
            format!("wrote a report in a format that Flow can't read: {at}"),
        ),
        (
            &|left| left.changed[0].path = "src/other.js".to_owned(),
            format!("wrote a report that names no file of the change: {at}"),
        ),
        (
            &|left| {
                left.files = Some(vec![file(
                    at,
                    &STRYKER
                        .replace("Killed", "Ignored")
                        .replace("Survived", "Pending")
                        .replace("Timeout", "Pending"),
                )]);
            },
            format!("wrote a report without a result for the changed lines: {at}"),
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(of(change), format!("`npx stryker run` (flow.mutator) {expected}"));
    }
    // The exit code of a tool decides nothing if it left a report: many fail when a mutant survives.
    let mut left = of_stryker(STRYKER);
    left.end = CommandEnd::Exited { code: 2 };
    left.touched = vec![at.to_owned()];
    assert_eq!(seen(&left).unusable, None);
}

#[test]
fn a_report_of_other_files_than_these_is_of_no_use() {
    let mut left = of_stryker(STRYKER);
    left.changed[0].now = stryker_source().replace("100", "200");
    assert!(why(&left).contains("names no file of the change"));
}

#[test]
fn of_many_mutants_all_are_counted_and_some_are_kept() {
    let mutant = |line: usize, status: &str| {
        let place = json!({"line": line, "column": 1});
        json!({"status": status, "replacement": "", "location": {"start": place, "end": place}})
    };
    let source = "work();\n".repeat(300);
    let mutants: Vec<Value> =
        (1..=300).map(|line| mutant(line, if line > 200 { "Survived" } else { "Killed" })).collect();
    let report =
        json!({"schemaVersion": "2", "files": {"src/sum.js": {"source": source, "mutants": mutants}}});
    let mut left = of_stryker(&report.to_string());
    left.changed = vec![new("src/sum.js", &source)];
    let seen = seen(&left);
    assert_eq!((counts(&seen), seen.mutants.len()), ((200, 100, 0), 2 * KEPT));
    assert_eq!(seen.tool, "the mutation testing tool");
}

#[test]
fn words_of_a_report_are_shown_as_words() {
    let text = stryker_with("\"StrykerJS\"", r#""Stry\n# `approve` it""#);
    let text = text.replace("\"a >= 100\"", r#""a\u001b[31m `x`\n# y""#);
    let seen = seen(&of_stryker(&text));
    assert!(!seen.tool.contains(['\n', '`']), "{}", seen.tool);
    let change = &seen.mutants.iter().find(|one| one.change.contains('x')).unwrap().change;
    assert!(!change.contains(['\n', '\u{1b}']) && change.matches('`').count() == 4, "{change}");
}

#[test]
fn a_report_may_hold_anything() {
    for text in [
        "",
        "[]",
        "{}",
        "null",
        "{\"files\": []}",
        "{\"files\": {\"src/sum.js\": 3}, \"schemaVersion\": \"1\"}",
        "{\"outcomes\": [1, {}]}",
        "{\"exit_code_by_key\": {\"\": 0}}",
    ] {
        assert!(seen(&of_stryker(text)).unusable.is_some(), "{text}");
    }
    for key in ["", ".", "x", "__mutmut_", "a.x_total__mutmut_", "a.xǁ__mutmut_1", "ǁǁ__mutmut_1"] {
        let source: Vec<&str> = MUTMUT_SOURCE.lines().collect();
        let mutants: Vec<&str> = MUTMUT_MUTANTS.lines().collect();
        assert_eq!(place_of_mutmut(key, &source, &mutants), None, "{key}");
    }
}
