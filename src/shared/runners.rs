//! What the output of a command says of tests, by the runners that are known.

use serde::{Deserialize, Serialize};

/// What the output of a command says of tests, over all runners in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "TestsTold"))]
pub struct Tests {
    /// The runners that were recognised, each once.
    pub runners: Vec<Runner>,
    /// Tests that ran; of runners that don't count them, the packages or files whose tests did.
    pub ran: u32,
    /// Tests that were skipped.
    pub skipped: u32,
}

/// A runner of tests.
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
}

/// What a runner says in one line: how many tests ran and how many were skipped.
type Said = (Runner, u32, u32);

/// What an output says of tests; `None` where it doesn't tell, by the runners that are known.
pub fn tests_in(output: &str) -> Option<Tests> {
    let plain = without_colours(output);
    let by_line = plain.lines().filter_map(said);
    let mut runners = Vec::new();
    let (mut ran, mut skipped) = (0_u32, 0_u32);
    for (runner, more, fewer) in by_line {
        if !runners.contains(&runner) {
            runners.push(runner);
        }
        ran = ran.saturating_add(more);
        skipped = skipped.saturating_add(fewer);
    }
    runners.sort_unstable();
    (!runners.is_empty()).then_some(Tests { runners, ran, skipped })
}

fn said(line: &str) -> Option<Said> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix("test result: ") {
        let ran = sum([number(rest, "passed")?, count(rest, "failed"), count(rest, "measured")]);
        return Some((Runner::Cargo, ran, count(rest, "ignored")));
    }
    if let Some((_, rest)) = line.strip_prefix("Summary [").and_then(|rest| rest.split_once(']')) {
        let ran = rest.trim().split([' ', '/']).next()?.parse().ok()?;
        return Some((Runner::Nextest, ran, count(rest, "skipped")));
    }
    if let Some(rest) = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# ")) {
        let (word, count) = rest.split_once(' ')?;
        let count: u32 = count.trim().parse().ok()?;
        return match word {
            "pass" | "fail" | "cancelled" => Some((Runner::Node, count, 0)),
            "skipped" | "todo" => Some((Runner::Node, 0, count)),
            _ => None,
        };
    }
    if let Some(rest) = line.strip_prefix("Tests:") {
        number(rest, "total")?;
        let ran = sum([count(rest, "passed"), count(rest, "failed")]);
        let skipped = sum([count(rest, "skipped"), count(rest, "todo")]);
        return Some((Runner::Jest, ran, skipped));
    }
    if line.starts_with("No tests found, exiting") {
        return Some((Runner::Jest, 0, 0));
    }
    if let Some(rest) = line.strip_prefix("Tests ").filter(|rest| rest.trim_end().ends_with(')')) {
        let ran = sum([count(rest, "passed"), count(rest, "failed")]);
        let skipped = sum([count(rest, "skipped"), count(rest, "todo")]);
        return Some((Runner::Vitest, ran, skipped));
    }
    if line.starts_with("No test files found") {
        return Some((Runner::Vitest, 0, 0));
    }
    mocha(line).or_else(|| pytest(line)).or_else(|| go(line))
}

/// `3 passing (5ms)`, `1 pending`, `2 failing`: lines by themselves.
fn mocha(line: &str) -> Option<Said> {
    let (count, rest) = line.split_once(' ')?;
    let count: u32 = count.parse().ok()?;
    match rest.split_once(' ').map_or((rest, ""), |(word, span)| (word, span)) {
        ("passing", span) if span.starts_with('(') => Some((Runner::Mocha, count, 0)),
        ("failing", "") => Some((Runner::Mocha, count, 0)),
        ("pending", "") => Some((Runner::Mocha, 0, count)),
        _ => None,
    }
}

/// `=== 2 passed, 1 skipped in 0.12s ===`, with or without the frame.
fn pytest(line: &str) -> Option<Said> {
    let line = line.trim_matches('=').trim();
    let (counts, span) = line.rsplit_once(" in ")?;
    if !span.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if counts == "no tests ran" {
        return Some((Runner::Pytest, 0, 0));
    }
    let (mut ran, mut skipped) = (0_u32, 0_u32);
    for part in counts.split(", ") {
        let (count, word) = part.split_once(' ')?;
        let count: u32 = count.parse().ok()?;
        match word {
            "passed" | "failed" | "xfailed" | "xpassed" => ran = ran.saturating_add(count),
            "skipped" => skipped = skipped.saturating_add(count),
            "deselected" | "warning" | "warnings" | "error" | "errors" | "rerun" => {}
            _ => return None,
        }
    }
    Some((Runner::Pytest, ran, skipped))
}

/// A package of `go test`: which tests of it ran isn't told without `-v`, and whether any did is.
fn go(line: &str) -> Option<Said> {
    if let Some(rest) = line.strip_prefix("--- SKIP: ") {
        return rest.ends_with(')').then_some((Runner::Go, 0, 1));
    }
    if line.starts_with("? ") && line.ends_with("[no test files]") || line.starts_with("?\t") {
        return Some((Runner::Go, 0, 0));
    }
    let mut fields = line.split_whitespace();
    let (verdict, _package, time) = (fields.next()?, fields.next()?, fields.next()?);
    let is_time = time == "(cached)" || time.strip_suffix('s').is_some_and(|s| s.parse::<f64>().is_ok());
    match verdict {
        "ok" | "FAIL" if is_time => Some((Runner::Go, u32::from(!line.ends_with("[no tests to run]")), 0)),
        _ => None,
    }
}

/// The number in front of a word: `3 passed`.
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

/// The same, none where the word isn't there.
fn count(text: &str, word: &str) -> u32 {
    number(text, word).unwrap_or(0)
}

fn sum<const N: usize>(counts: [u32; N]) -> u32 {
    counts.into_iter().fold(0, u32::saturating_add)
}

/// A text without the sequences that colour it.
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
            ("ok  \texample.com/a\t(cached)\n--- SKIP: TestX (0.00s)", Go, 1, 1),
            ("FAIL\texample.com/a\t0.010s", Go, 1, 0),
        ] {
            let tests = tests_in(output).unwrap_or_else(|| panic!("not recognised: {output}"));
            assert_eq!(tests, Tests { runners: vec![runner], ran, skipped }, "{output}");
        }
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
