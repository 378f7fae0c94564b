//! What the output of a command shows about tests, for the known test runners.

use super::runner;
use kernel::json::Deserialize;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the output of a command shows about tests, over all runners in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "TestsTold"))]
pub struct Tests {
    /// The runners that were recognised, each once.
    pub runners: Vec<Runner>,
    /// Tests that ran; for runners that don't count them, the packages or files whose tests ran.
    pub ran: u32,
    /// Tests that were skipped.
    pub skipped: u32,
}

/// A test runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Runner {
    /// `cargo test`
    Cargo,
    /// `cargo nextest`
    Nextest,
    /// `node --test`
    Node,
    /// Vitest
    Vitest,
    /// Jest
    Jest,
    /// Mocha
    Mocha,
    /// pytest
    Pytest,
    /// `go test`
    Go,
    /// AVA
    Ava,
    /// tap, of node-tap; it counts assertions
    Tap,
    /// uvu
    Uvu,
    /// Jasmine
    Jasmine,
    /// Playwright Test
    Playwright,
    /// `python -m unittest`
    Unittest,
    /// `bun test`
    Bun,
    /// `deno test`
    Deno,
}

impl Runner {
    /// All of them.
    pub(crate) const ALL: [Self; 16] = [
        Self::Cargo,
        Self::Nextest,
        Self::Node,
        Self::Vitest,
        Self::Jest,
        Self::Mocha,
        Self::Pytest,
        Self::Go,
        Self::Ava,
        Self::Tap,
        Self::Uvu,
        Self::Jasmine,
        Self::Playwright,
        Self::Unittest,
        Self::Bun,
        Self::Deno,
    ];

    /// Its usual name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cargo => "cargo test",
            Self::Nextest => "cargo nextest",
            Self::Node => "node --test",
            Self::Vitest => "Vitest",
            Self::Jest => "Jest",
            Self::Mocha => "Mocha",
            Self::Pytest => "pytest",
            Self::Go => "go test",
            Self::Ava => "AVA",
            Self::Tap => "tap",
            Self::Uvu => "uvu",
            Self::Jasmine => "Jasmine",
            Self::Playwright => "Playwright Test",
            Self::Unittest => "unittest",
            Self::Bun => "bun test",
            Self::Deno => "deno test",
        }
    }

    /// Whether a run of it prints only one summary, so that the last one in an output is its own.
    fn says_it_once(self) -> bool {
        !matches!(self, Self::Cargo | Self::Go | Self::Uvu)
    }
}

/// What an output shows about tests; `None` when no known runner is found in it.
pub fn tests_in(output: &str) -> Option<Tests> {
    read(None, output)
}

/// What the output of this command shows about tests. If the command is a runner that prints a summary, only that runner counts, and if
/// it prints only one, only the last summary counts: the earlier ones are output of tests.
pub fn tests_of(argv: &[String], output: &str) -> Option<Tests> {
    read(runner::summarising(argv), output)
}

fn read(only: Option<Runner>, output: &str) -> Option<Tests> {
    let plain = without_colours(output);
    let mut reading = Reading { only, ..Reading::default() };
    plain.lines().for_each(|line| reading.line(line));
    reading.tests()
}

/// What has been read so far.
#[derive(Default)]
struct Reading<'a> {
    /// The only runner that counts.
    only: Option<Runner>,
    /// For each runner, how many tests ran and how many were skipped.
    counts: BTreeMap<Runner, (u32, u32)>,
    before: &'a str,
    /// The suites that `node --test` named: their last lines look like those of tests.
    suites: BTreeSet<&'a str>,
    /// Test files of `node --test` without a finished test: it counts such a file as a test.
    bare: u32,
    /// Tests of the current package of `go test -v`: those that ran, and those that were skipped.
    of_package: (u32, u32),
    /// Whether the line belongs to a summary of AVA, below its horizontal rule.
    below_rule: bool,
    is_playwright: bool,
    /// The counts of uvu and `bun test` before the line that ends their summary.
    total: Option<u32>,
    bun: (u32, u32),
}

impl<'a> Reading<'a> {
    fn tests(self) -> Option<Tests> {
        let (mut ran, mut skipped) = (0_u32, 0_u32);
        for (more, fewer) in self.counts.values() {
            ran = ran.saturating_add(*more);
            skipped = skipped.saturating_add(*fewer);
        }
        let runners: Vec<Runner> = self.counts.into_keys().collect();
        (!runners.is_empty()).then_some(Tests { runners, ran, skipped })
    }

    fn line(&mut self, whole: &'a str) {
        self.bare_file(whole);
        let line = whole.trim();
        let _ = self.said(whole, line);
        if !line.is_empty() {
            self.before = whole;
        }
    }

    /// Starts a summary.
    fn begins(&mut self, runner: Runner) {
        if self.only == Some(runner) && runner.says_it_once() {
            self.counts.remove(&runner);
        }
    }

    fn add(&mut self, runner: Runner, ran: u32, skipped: u32) {
        if self.only.is_none_or(|only| only == runner) {
            let counts = self.counts.entry(runner).or_default();
            *counts = (counts.0.saturating_add(ran), counts.1.saturating_add(skipped));
        }
    }

    /// Adds a summary that is a single line.
    fn all(&mut self, runner: Runner, ran: u32, skipped: u32) {
        self.begins(runner);
        self.add(runner, ran, skipped);
    }

    fn said(&mut self, whole: &'a str, line: &str) -> Option<()> {
        if let Some(rest) = line.strip_prefix("test result: ") {
            let ran = sum([number(rest, "passed")?, count(rest, "failed"), count(rest, "measured")]);
            self.all(Runner::Cargo, ran, count(rest, "ignored"));
        } else if let Some((_, rest)) = line.strip_prefix("Summary [").and_then(|rest| rest.split_once(']')) {
            let ran = rest.trim().split([' ', '/']).next()?.parse().ok()?;
            self.all(Runner::Nextest, ran, count(rest, "skipped"));
        } else if let Some(rest) = line.strip_prefix("Tests:") {
            number(rest, "total")?;
            let ran = sum([count(rest, "passed"), count(rest, "failed")]);
            self.all(Runner::Jest, ran, sum([count(rest, "skipped"), count(rest, "todo")]));
        } else if line.starts_with("No tests found, exiting") || line.starts_with("No tests found related to")
        {
            self.all(Runner::Jest, 0, 0);
        } else if let Some(rest) = line.strip_prefix("Tests ").map(str::trim) {
            let is_count = rest.starts_with(|c: char| c.is_ascii_digit()) && rest.ends_with(')');
            if is_count || rest == "no tests" {
                let ran = sum([count(rest, "passed"), count(rest, "failed")]);
                let skipped = sum([count(rest, "skipped"), count(rest, "todo"), count(rest, "expected")]);
                self.all(Runner::Vitest, ran, skipped);
            }
        } else if line.starts_with("No test files found, exiting") {
            self.all(Runner::Vitest, 0, 0);
        } else if let Some(rest) = line.strip_prefix("ok | ").or_else(|| line.strip_prefix("FAILED | ")) {
            let ran = sum([number(rest, "passed")?, count(rest, "failed")]);
            self.all(Runner::Deno, ran, count(rest, "ignored"));
        } else if let Some(rest) = whole.strip_prefix("# { total: ") {
            let of = |word: &str| rest.split_once(&format!(" {word}: ")).and_then(|(_, rest)| first(rest));
            let sum_of = |words: [&str; 2]| sum(words.map(|word| of(word).unwrap_or(0)));
            self.all(Runner::Tap, sum_of(["pass", "fail"]), sum_of(["skip", "todo"]));
        } else {
            self.node(line)
                .or_else(|| self.pytest(line))
                .or_else(|| self.ran(line))
                .or_else(|| self.go(whole, line))
                .or_else(|| self.in_words(line))?;
        }
        Some(())
    }

    /// Counts a file without a finished test that `node --test` reported as a passed test.
    fn bare_file(&mut self, line: &'a str) {
        if let Some(name) = line.strip_prefix("▶ ") {
            self.suites.insert(name);
        }
        let of_tap = || {
            let (_, name) = line.strip_prefix("ok ")?.split_once(" - ")?;
            (self.before.strip_prefix("# Subtest: ") == Some(name)).then_some(name)
        };
        let of_spec = || {
            let (name, _) = line.strip_prefix("✔ ")?.strip_suffix("ms)")?.rsplit_once(" (")?;
            (!self.suites.contains(name)).then_some(name)
        };
        let of_junit = || {
            let (name, rest) = line.strip_prefix("\t<testcase name=\"")?.split_once('"')?;
            rest.ends_with("/>").then_some(name)
        };
        if of_tap().or_else(of_spec).or_else(of_junit).is_some_and(is_test_file) {
            self.bare = self.bare.saturating_add(1);
        }
    }

    /// `ℹ pass 3`, `# pass 3` or `<!-- pass 3 -->`: separate lines.
    fn node(&mut self, line: &str) -> Option<()> {
        let of_junit = || line.strip_prefix("<!-- ")?.strip_suffix(" -->");
        let rest = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")).or_else(of_junit)?;
        let (word, count) = rest.split_once(' ')?;
        let count: u32 = count.trim().parse().ok()?;
        match word {
            "tests" => self.begins(Runner::Node),
            "pass" => {
                self.add(Runner::Node, count.saturating_sub(self.bare), 0);
                self.bare = 0;
            }
            "fail" | "cancelled" => self.add(Runner::Node, count, 0),
            "skipped" | "skip" | "todo" => self.add(Runner::Node, 0, count),
            _ => return None,
        }
        Some(())
    }

    /// `=== 2 passed, 1 skipped in 0.12s ===`, with or without the frame.
    fn pytest(&mut self, line: &str) -> Option<()> {
        let line = line.trim_matches('=').trim();
        let (counts, span) = line.rsplit_once(" in ")?;
        if !span.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let (mut ran, mut skipped) = (0_u32, 0_u32);
        for part in counts.split(", ").filter(|_| counts != "no tests ran") {
            let (count, word) = part.split_once(' ')?;
            let count: u32 = count.parse().ok()?;
            match word {
                "passed" | "failed" => ran = ran.saturating_add(count),
                "skipped" | "xfailed" | "xpassed" => skipped = skipped.saturating_add(count),
                "deselected" | "warning" | "warnings" | "error" | "errors" | "rerun" => {}
                word if word.starts_with("subtests ") => {}
                _ => return None,
            }
        }
        self.all(Runner::Pytest, ran, skipped);
        Some(())
    }

    /// unittest: `Ran 3 tests in 0.001s`, followed by `OK (skipped=1, expected failures=1)`. `bun test`: `Ran 3 tests across 1 file.`,
    /// preceded by lines with its counts.
    fn ran(&mut self, line: &str) -> Option<()> {
        if let Some(rest) = line.strip_prefix("Ran ") {
            let ran = first(rest)?;
            if rest.contains(" across ") {
                let (ran, skipped) = std::mem::take(&mut self.bun);
                self.all(Runner::Bun, ran, skipped);
            } else if rest.contains(" in ") {
                self.all(Runner::Unittest, ran, 0);
            }
            return Some(());
        }
        let rest = line.strip_prefix("OK (").or_else(|| line.strip_prefix("FAILED ("))?;
        let counts = self.counts.get_mut(&Runner::Unittest)?;
        if !self.before.trim().starts_with("Ran ") {
            return None;
        }
        for part in rest.trim_end_matches(')').split(", ") {
            let (what, count) = part.split_once('=')?;
            if matches!(what, "skipped" | "expected failures" | "unexpected successes") {
                let count: u32 = count.parse().ok()?;
                *counts = (counts.0.saturating_sub(count), counts.1.saturating_add(count));
            }
        }
        Some(())
    }

    /// A package of `go test`: without `-v`, the output shows only whether any of its tests ran, not which ones.
    fn go(&mut self, whole: &str, line: &str) -> Option<()> {
        if let Some(rest) = whole.strip_prefix("--- ").filter(|rest| rest.ends_with("s)")) {
            let of_package = &mut self.of_package;
            let counted = match rest.split_once(": ")?.0 {
                "PASS" | "FAIL" => &mut of_package.0,
                "SKIP" => &mut of_package.1,
                _ => return None,
            };
            *counted = counted.saturating_add(1);
            return Some(());
        }
        if line.starts_with("? ") && line.ends_with("[no test files]") || line.starts_with("?\t") {
            self.add(Runner::Go, 0, 0);
            return Some(());
        }
        let mut fields = line.split_whitespace();
        let (verdict, _package, time) = (fields.next()?, fields.next()?, fields.next()?);
        let is_time = time == "(cached)" || time.strip_suffix('s').is_some_and(|s| s.parse::<f64>().is_ok());
        if !matches!(verdict, "ok" | "FAIL") || !is_time {
            return None;
        }
        let (ran, skipped) = match std::mem::take(&mut self.of_package) {
            (0, 0) => (u32::from(!line.ends_with("[no tests to run]")), 0),
            other => other,
        };
        self.add(Runner::Go, ran, skipped);
        Some(())
    }

    /// Lines with a count and words, from runners that print each count on a separate line.
    fn in_words(&mut self, line: &str) -> Option<()> {
        if line == "─" {
            self.below_rule = true;
            return Some(());
        }
        if line.starts_with("Running ") && line.contains(" using ") && line.contains(" worker") {
            self.is_playwright = true;
            self.begins(Runner::Playwright);
            return Some(());
        }
        if line.starts_with("Incomplete: No specs found") {
            self.all(Runner::Jasmine, 0, 0);
            return Some(());
        }
        if self.uvu(line) {
            return Some(());
        }
        let (count, words) = line.split_once(' ')?;
        let Ok(count) = count.parse::<u32>() else {
            self.below_rule = false;
            return None;
        };
        let (word, span) = words.split_once(' ').unwrap_or((words, ""));
        match (word, span) {
            // Mocha: `3 passing (5ms)`, `1 pending`, `2 failing`.
            ("passing", span) if span.starts_with('(') => self.all(Runner::Mocha, count, 0),
            ("failing", "") => self.add(Runner::Mocha, count, 0),
            ("pending", "") => self.add(Runner::Mocha, 0, count),
            // Jasmine: `3 specs, 0 failures, 1 pending spec`.
            ("spec," | "specs,", rest) if rest.contains("failure") => {
                let pending = rest.split_once(", ").and_then(|(_, rest)| number(rest, "pending"));
                let pending = pending.unwrap_or(0);
                self.all(Runner::Jasmine, count.saturating_sub(pending), pending);
            }
            // AVA: `3 tests passed`, `1 known failure`, `1 test skipped`, below a horizontal rule.
            ("test" | "tests", "passed" | "failed") if self.below_rule => self.add(Runner::Ava, count, 0),
            ("test" | "tests", "skipped" | "todo") | ("known", "failure" | "failures") if self.below_rule => {
                self.add(Runner::Ava, 0, count);
            }
            // Playwright Test: `1 skipped`, `2 passed (1.0s)`.
            ("passed", span) if self.is_playwright && span.starts_with('(') => {
                self.add(Runner::Playwright, count, 0);
            }
            ("passed" | "failed" | "flaky" | "interrupted", "") if self.is_playwright => {
                self.add(Runner::Playwright, count, 0);
            }
            ("skipped", "") | ("did", "not run") if self.is_playwright => {
                self.add(Runner::Playwright, 0, count);
            }
            ("pass" | "fail", "") => self.bun.0 = self.bun.0.saturating_add(count),
            ("skip" | "todo", "") => self.bun.1 = self.bun.1.saturating_add(count),
            _ => return None,
        }
        Some(())
    }

    /// `Total:     2`, followed by `Passed:` and `Skipped:`; returns whether it is such a line.
    fn uvu(&mut self, line: &str) -> bool {
        let Some((word, count)) = line.split_once(':') else { return false };
        let (count, before) = (count.trim().parse(), self.before.trim());
        match (word, count) {
            ("Total", Ok(total)) => self.total = Some(total),
            ("Passed", Ok(_)) if before.starts_with("Total:") => {}
            ("Skipped", Ok(skipped)) if before.starts_with("Passed:") => {
                if let Some(total) = self.total.take() {
                    self.add(Runner::Uvu, total, skipped);
                }
            }
            _ => return false,
        }
        true
    }
}

/// Whether this is the name of a file in which `node --test` looks for tests.
fn is_test_file(name: &str) -> bool {
    const ENDINGS: [&str; 6] = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
    let Some(path) = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)) else { return false };
    let mut parts = path.rsplit(['/', '\\']);
    let stem = parts.next().unwrap_or_default();
    let is_whole_path = name.starts_with('/') || name.get(1..3) == Some(":\\");
    let is_named_so = stem == "test"
        || stem.starts_with("test-")
        || [".test", "-test", "_test", ".spec"].iter().any(|end| stem.ends_with(end));
    is_whole_path
        || !name.contains(' ') && (is_named_so || parts.any(|folder| matches!(folder, "test" | "tests")))
}

/// The number at the start of a text.
fn first(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The number before a word: `3 passed`.
fn number(text: &str, word: &str) -> Option<u32> {
    let is_end = |c: char| !c.is_ascii_alphanumeric();
    let mut words = text.split(is_end).filter(|part| !part.is_empty());
    let mut before = words.next()?;
    for next in words {
        if next == word {
            return before.parse().ok();
        }
        before = next;
    }
    None
}

/// The same, or 0 when the word is missing.
fn count(text: &str, word: &str) -> u32 {
    number(text, word).unwrap_or(0)
}

fn sum<const N: usize>(counts: [u32; N]) -> u32 {
    counts.into_iter().fold(0, u32::saturating_add)
}

/// A text without its colour sequences.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';' || c == '?');
        let mut letters = rest.chars();
        letters.next();
        rest = letters.as_str();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::ran::{CommandEnd, Output, Ran};
    use proptest::prelude::*;

    #[test]
    fn the_known_runners_say_how_many_tests_ran() {
        use Runner::{Cargo, Go, Jest, Mocha, Nextest, Node, Pytest, Vitest};
        for (output, runner, ran, skipped) in [
            (
                "running 3 tests\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.00s\n",
                Cargo,
                2,
                1,
            ),
            (
                "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n   Doc-tests x\n\nrunning 0 tests\n\n\
                 test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Cargo,
                2,
                0,
            ),
            ("test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out", Cargo, 0, 0),
            ("     Summary [   0.025s] 3 tests run: 3 passed, 1 skipped", Nextest, 3, 1),
            ("     Summary [   0.025s] 3/7 tests run: 2 passed, 1 failed, 0 skipped", Nextest, 3, 0),
            ("     Summary [   0.000s] 0 tests run: 0 passed, 12 skipped", Nextest, 0, 12),
            (
                "ℹ tests 4\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 45.6",
                Node,
                3,
                1,
            ),
            ("TAP version 13\n1..0\n# tests 0\n# pass 0\n# fail 0\n# skipped 0\n# todo 0", Node, 0, 0),
            (
                "\u{1b}[2m Test Files \u{1b}[22m \u{1b}[1m\u{1b}[32m1 passed\u{1b}[39m\u{1b}[22m (1)\n\
                 \u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m3 passed\u{1b}[39m\u{1b}[22m | 1 skipped (4)",
                Vitest,
                3,
                1,
            ),
            ("No test files found, exiting with code 0", Vitest, 0, 0),
            ("      Tests  2 skipped (2)", Vitest, 0, 2),
            ("Test Suites: 1 passed, 1 total\nTests:       1 skipped, 3 passed, 4 total", Jest, 3, 1),
            ("No tests found, exiting with code 0", Jest, 0, 0),
            ("\n  3 passing (5ms)\n  1 pending\n  1 failing\n", Mocha, 4, 1),
            ("  0 passing (1ms)\n", Mocha, 0, 0),
            ("===== 3 passed, 1 skipped, 2 warnings in 0.12s =====", Pytest, 3, 1),
            ("no tests ran in 0.01s", Pytest, 0, 0),
            ("1 failed, 2 passed in 61.02s (0:01:01)", Pytest, 3, 0),
            ("ok  \texample.com/a\t0.002s\n?   \texample.com/b\t[no test files]", Go, 1, 0),
            ("ok  \texample.com/a\t0.002s [no tests to run]", Go, 0, 0),
            (
                "--- PASS: TestY (0.00s)\n--- SKIP: TestX (0.00s)\nPASS\nok  \texample.com/a\t(cached)",
                Go,
                1,
                1,
            ),
            ("FAIL\texample.com/a\t0.010s", Go, 1, 0),
        ] {
            let tests = tests_in(output).unwrap_or_else(|| panic!("not recognised: {output}"));
            assert_eq!(tests, Tests { runners: vec![runner], ran, skipped }, "{output}");
        }
    }

    #[test]
    fn real_outputs_are_read_as_their_runners_meant_them() {
        let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/runners");
        let read = |file: &str| std::fs::read_to_string(format!("{beside}/{file}.txt")).unwrap();
        let table = read("table");
        let rows: Vec<&str> = table.lines().filter(|row| !row.is_empty() && !row.starts_with('#')).collect();
        let mut wrong = Vec::new();
        for row in &rows {
            let cells: Vec<&str> = row.split(" | ").collect();
            let [file, code, command, runners, ran, skipped, hollow, ..] = cells[..] else { panic!("{row}") };
            let argv: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let tests = tests_of(&argv, &read(file));
            let end = CommandEnd::Exited { code: code.parse().unwrap() };
            let seen =
                Ran { end, duration_ms: 1, output: Output::default(), tests, silent: None }.heard_of(&argv);
            let shown = seen.tests.as_ref().map_or_else(
                || "- | - | -".to_owned(),
                |tests| {
                    let names = tests.runners.iter().map(|one| serde_json::to_string(one).unwrap());
                    let names = names.collect::<Vec<_>>().join(",").replace('"', "");
                    format!("{names} | {} | {}", tests.ran, tests.skipped)
                },
            );
            let shown = format!("{shown} | {}", if seen.is_hollow() { "yes" } else { "no" });
            if shown != [runners, ran, skipped, hollow].join(" | ") {
                wrong.push(format!("{row}\n  read: {shown}"));
            }
        }
        assert!(rows.len() > 60, "{}", rows.len());
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    }

    #[test]
    fn what_no_runner_says_is_not_told() {
        for output in [
            "",
            "all good\n",
            "3 tests passed",
            "compiled 12 files in 3s",
            "passing 3",
            "Tests are fun (really",
            "ok then",
            "12 files in 0.3s",
            "# heading 3",
        ] {
            assert_eq!(tests_in(output), None, "{output}");
        }
        let both = tests_in("  0 passing (1ms)\ntest result: ok. 5 passed; 0 failed; 0 ignored").unwrap();
        assert_eq!((both.ran, both.runners), (5, vec![Runner::Cargo, Runner::Mocha]));
    }

    proptest! {
        #[test]
        fn whatever_is_printed(output in "(\u{1b}\\[|test result: |ℹ pass |Tests: |Summary \\[|ok |[0-9]{1,12} |passed|[a-z;,\\])\n\t ]){0,30}") {
            let _ = tests_in(&output);
        }
    }
}
