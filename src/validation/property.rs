//! fast-check: whether tests may use it, its seed, and what its message about a rule says.
//!
//! The message is that of fast-check 3 and 4, with its error inside. Which inputs it tries follows from the seed, so the seed comes from
//! the run: each pass tries the same inputs, and so does a run that repeats the tests.

use super::protocol::RuleTried;
use super::reason::reason;
use crate::random;
use crate::shared::capped::capped;
use crate::shared::figures::count;
use kernel::visible;

/// The module that tests import for it.
pub(super) const FAST_CHECK: &str = "fast-check";

/// The major versions whose messages and parameters are known.
const KNOWN: [&str; 2] = ["3", "4"];

/// How much of the input for which a rule fails is shown, in characters.
const INPUT: usize = 200;

/// Whether tests may use this version of it.
pub(super) fn is_known(version: &str) -> bool {
    KNOWN.iter().any(|major| version.split('.').next() == Some(*major))
}

/// The seed of a run: a positive number of 31 bits, which fast-check uses unchanged.
pub(super) fn seed(stamp: &str, suffix: &str) -> u32 {
    u32::try_from(random::seed(&format!("{stamp}-{suffix}")) & 0x7fff_ffff).unwrap_or_default()
}

/// How a rule was tried, in words; empty if none was.
pub(super) fn tried(rules: &[RuleTried]) -> String {
    let line = |rule: &RuleTried| {
        let inputs = count(rule.inputs.into(), "input", "inputs");
        let end = if rule.interrupted { " before its time ran out" } else { "" };
        format!("the test tried a rule with {inputs}{end}")
    };
    rules.iter().map(line).collect::<Vec<_>>().join("; ")
}

/// What a message of fast-check says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// The rule fails for an input.
    Fails { input: String, seed: &'a str, shrinks: u64, why: String },
    /// The test itself rejected too many inputs.
    Rejected { tried: u64, rejected: u64 },
    /// Its time was up before any input had been tried.
    Interrupted,
}

impl<'a> Said<'a> {
    /// `None` when the message isn't one of fast-check's.
    pub(super) fn of(error: &'a str) -> Option<Self> {
        let mut lines = error.lines().map(str::trim_end).skip_while(|line| line.is_empty());
        let first = lines.next()?;
        let first = first.strip_prefix("Error: ").unwrap_or(first);
        let lines: Vec<&str> = lines.collect();
        let after = |start: &str| lines.iter().find_map(|line| line.strip_prefix(start));
        let number = |start: &str| {
            let digits = after(start)?.split(' ').next()?;
            digits.parse::<u64>().ok()
        };
        if first.starts_with("Property interrupted after ") {
            return Some(Self::Interrupted);
        }
        if first.starts_with("Failed to run property, too many pre-condition failures") {
            let (tried, rejected) = (number("Ran ")?, number("Skipped ")?);
            return Some(Self::Rejected { tried, rejected });
        }
        let begins = first.starts_with("Property failed after ");
        let seed = after("{ seed: ").filter(|_| begins)?.split([',', ' ']).next()?;
        // A long input can contain line breaks only in quotes, where they are escaped.
        let input = input(after("Counterexample: ")?);
        let shrinks = number("Shrunk ").unwrap_or_default();
        Some(Self::Fails { input, seed, shrinks, why: why(&lines) })
    }

    /// Whether the test rejected its own inputs.
    pub(super) fn is_rejected(&self) -> bool {
        matches!(self, Self::Rejected { .. })
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Fails { input, seed, shrinks, why } => {
                let shrinks = count(*shrinks, "shrink", "shrinks");
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                visible::line(&format!("Fails for: {input} (seed {seed}, after {shrinks}){why}"))
            }
            Self::Rejected { tried, rejected } => {
                let tried = count(*tried, "input", "inputs");
                format!(
                    "the test tried its rule with only {tried}, because it rejected {rejected} with fc.pre"
                )
            }
            Self::Interrupted => {
                "the test ran out of time before it had tried its rule with any input".to_owned()
            }
        }
    }
}

/// The error inside a message, in a line.
fn why(lines: &[&str]) -> String {
    let Some(at) = lines.iter().position(|line| line.starts_with("Got ")) else { return String::new() };
    let first = lines[at].trim_start_matches("Got ").trim_start_matches("error: ");
    let further = lines[at + 1..].iter().take_while(|line| !is_place(line) && !line.starts_with("Hint"));
    let whole: Vec<&str> = std::iter::once(first).chain(further.copied()).collect();
    reason(&whole.join("\n"))
}

/// Whether a line is a place in the code.
fn is_place(line: &str) -> bool {
    line.starts_with("    at ")
}

/// An input as people read it: the fields of a single record by their names, anything else as fast-check writes it.
fn input(text: &str) -> String {
    let values = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let fields = match items(values)[..] {
        [one] => one.strip_prefix('{').and_then(|one| one.strip_suffix('}')).and_then(named),
        _ => None,
    };
    let wording = fields.unwrap_or_else(|| items(values).join(", "));
    // A line shows several spaces as one, and a name of spaces alone is what many rules fail for.
    capped(&visible::line(&wording.replace("  ", " \\x20")), INPUT)
}

/// `"amount":-1` as `amount = -1`, for each field of a record; `None` when it isn't one.
fn named(record: &str) -> Option<String> {
    let field = |item: &&str| {
        let (name, value) = item.strip_prefix('"')?.split_once("\":")?;
        Some(format!("{name} = {value}"))
    };
    // Some records are made without a prototype, and fast-check says so.
    let fields = items(record).into_iter().filter(|item| *item != "__proto__:null");
    let fields = fields.map(|item| field(&item)).collect::<Option<Vec<_>>>()?;
    (!fields.is_empty()).then(|| fields.join(", "))
}

/// The items of a list, at its commas outside of quotes and brackets.
fn items(list: &str) -> Vec<&str> {
    let (mut out, mut start, mut depth, mut quoted, mut escaped) = (Vec::new(), 0, 0_u32, false, false);
    for (at, c) in list.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < list.len() {
        out.push(&list[start..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HINT: &str = "\n\nHint: Enable verbose mode in order to have the list of all failing values encountered during the run";
    const REJECTED: &str = "Error: Failed to run property, too many pre-condition failures encountered\n{ seed: 42 }\n\nRan 0 \
        time(s)\nSkipped 2001 time(s)\n\nHint (1): Try to reduce the number of rejected values by combining map, ";

    /// What fast-check 3.23.2 and 4.10.2 said, with the errors of Playwright 1.65; they differ only in a hint.
    #[test]
    fn the_input_for_which_a_rule_fails_is_named_with_its_seed_and_the_assertion() {
        for (error, expected) in [
            (
                "Error: Property failed after 2 tests\n{ seed: 42, path: \"1:1:0:0:1\", endOnFailure: true }\nCounterexample: \
                 [{\"amount\":-1,\"name\":\"\"}]\nShrunk 31 time(s)\nGot error: expect(received).toBe(expected) // Object.is \
                 equality\n\nExpected: 5\nReceived: 4\n    at captureRawStack (coreBundle.js:9551:17)",
                "Fails for: amount = -1, name = \"\" (seed 42, after 31 shrinks): expect(received).toBe(expected): expected 5, \
                 received 4",
            ),
            (
                "Error: Property failed after 1 tests\n{ seed: 42, path: \"0\", endOnFailure: true }\nCounterexample: \
                 [{__proto__:null,\"amount\":494}]\nShrunk 1 time(s)\nGot error: expect(locator).toHaveText(expected) \
                 failed\n\nLocator:  getByRole('status')\nExpected: \"Total: 494\"\nReceived: \"Total: 394\"\nTimeout:  \
                 5000ms\n\nCall log:\n  - Expect \"toHaveText\" getByRole('status') with timeout 5000ms\n\n    at app.spec.ts:7:269",
                "Fails for: amount = 494 (seed 42, after 1 shrink): expect(locator).toHaveText(expected) failed: \
                 getByRole('status'), expected \"Total: 494\", received \"Total: 394\"",
            ),
            (
                "Error: Property failed after 1 tests\n{ seed: 42, path: \"0:0:1:1:3:4\", endOnFailure: true }\nCounterexample: \
                 [0,\"   \"]\nShrunk 5 time(s)\nGot error: expect(received).toBeLessThan(expected)\n\nExpected: < \
                 3\nReceived:   3\n    at captureRawStack (coreBundle.js:9551:17)",
                "Fails for: 0, \" \\x20 \" (seed 42, after 5 shrinks): expect(received).toBeLessThan(expected): expected < 3, received 3",
            ),
            (
                "Error: Property failed after 1 tests\n{ seed: -7, path: \"0:0\", endOnFailure: true }\nCounterexample: [new \
                 Date(\"1970-01-01T00:00:00.000Z\"),Number.NaN,[1,\"a,b\",{\"c\":\"}\\n\\\"\"}],10n]\nShrunk 0 time(s)\nGot \
                 TypeError: it has no total\n    at app.spec.ts:14:183",
                "Fails for: new Date(\"1970-01-01T00:00:00.000Z\"), Number.NaN, [1,\"a,b\",{\"c\":\"}\\n\\\"\"}], 10n (seed -7, \
                 after 0 shrinks): TypeError: it has no total",
            ),
            // Version 4 leaves the error out unless it is asked for it.
            (
                "Error: Property failed after 2 tests\n{ seed: 42, path: \"1\", endOnFailure: true }\nCounterexample: \
                 [-994490854]\nShrunk 0 time(s)",
                "Fails for: -994490854 (seed 42, after 0 shrinks)",
            ),
        ] {
            let error = format!("{error}{HINT}");
            assert_eq!(reason(&error), expected);
        }
        for (hint, wording) in [
            (
                "chain and built-in arbitraries",
                "the test tried its rule with only 0 inputs, because it rejected 2001 with fc.pre",
            ),
            (
                "flatMap and built-in arbitraries",
                "the test tried its rule with only 0 inputs, because it rejected 2001 with fc.pre",
            ),
        ] {
            assert_eq!(reason(&format!("{REJECTED}{hint}")), wording);
        }
        assert_eq!(
            reason("Error: Property interrupted after 0 tests\n{ seed: 42 }\n\nHint: Enable verbose mode"),
            "the test ran out of time before it had tried its rule with any input"
        );
        assert_eq!(Said::of("Error: Property failed after 1 tests"), None, "without an input");
        assert_eq!(Said::of("Error: expect(received).toBe(expected)\n\nExpected: Shrunk 1 time(s)"), None);
    }

    #[test]
    fn a_seed_follows_from_the_run_and_only_known_versions_are_used() {
        let first = seed("20261122T223110Z", "a1b2");
        assert_eq!(first, seed("20261122T223110Z", "a1b2"));
        assert_ne!(first, seed("20261122T223110Z", "a1b3"));
        for (version, expected) in
            [("3.23.2", true), ("4.10.2", true), ("2.25.0", false), ("40.1.0", false), ("", false)]
        {
            assert_eq!(is_known(version), expected, "{version}");
        }
        let rules = [(20, false), (1, true)].map(|(inputs, interrupted)| RuleTried { inputs, interrupted });
        assert_eq!(
            tried(&rules),
            "the test tried a rule with 20 inputs; the test tried a rule with 1 input before its time ran out"
        );
        assert_eq!(tried(&[]), "");
    }

    proptest! {
        #[test]
        fn nothing_of_a_list_is_lost(text in "[a-z,\"\\\\\\[\\]{}()é]{0,40}") {
            let joined = items(&text).join(",");
            prop_assert_eq!(joined.trim_end_matches(','), text.trim_end_matches(','));
        }

        #[test]
        fn any_message_can_be_read(text in "(Error: )?(Property failed after 1 tests\n)?[ -~\n]{0,80}") {
            let _ = reason(&text);
        }

        #[test]
        fn seeds_have_31_bits(stamp in "\\PC{0,20}", suffix in "[0-9a-f]{4}") {
            prop_assert!(seed(&stamp, &suffix) < 1 << 31);
        }
    }
}
