//! Why a test failed, in a line: the first line of Playwright's message and, for an assertion, the expected and the received value.

use super::property::Said;
use crate::shared::capped::capped;
use kernel::visible;

/// How much of one value is shown, in characters.
const VALUE: usize = 100;

/// The names with which Playwright begins a line. The page shows the call log that follows.
const NAMES: [&str; 5] = ["Locator", "Expected", "Received", "Timeout", "Error"];

/// The reason; empty if Playwright gives none.
pub(super) fn reason(error: &str) -> String {
    if let Some(said) = Said::of(error) {
        return said.words();
    }
    let lines: Vec<&str> = error
        .lines()
        .map(str::trim_end)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.eq_ignore_ascii_case("call log:"))
        .collect();
    let Some((first, further)) = lines.split_first() else { return String::new() };
    if !lines.iter().any(|line| line.contains("expect(")) {
        return visible::line(first.trim());
    }
    let first = first.strip_prefix("Error: ").unwrap_or(first);
    // The call is followed by the kind of comparison.
    let call = first.split_once(" // ").filter(|(call, _)| call.starts_with("expect("));
    let call = call.map_or(first, |(call, _)| call);
    match beside(further).join(", ") {
        parts if parts.is_empty() => visible::line(call),
        parts => visible::line(&format!("{call}: {parts}")),
    }
}

/// The further details of an assertion: its locator, the expected and received values, and the timeout or error that stopped it.
fn beside(lines: &[&str]) -> Vec<String> {
    let of = |name: &str| wording(lines, name);
    let compared = differing(lines).unwrap_or_else(|| {
        let both = [of("Expected"), of("Received")].into_iter().flatten();
        both.map(|(name, value)| format!("{name} {value}").trim_end().to_owned()).collect()
    });
    let value = |name: &str| of(name).map(|(_, value)| value);
    value("Locator").into_iter().chain(compared).chain(value("Error")).collect()
}

/// The first line with this name: the name in lower case, and the value.
fn wording(lines: &[&str], name: &str) -> Option<(String, String)> {
    let begins =
        |line: &str, name: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', ' ']));
    let at = lines.iter().position(|line| begins(line, name))?;
    let (named, value) = lines[at].split_once(':').unwrap_or((lines[at], ""));
    let is_named = |line: &str| NAMES.iter().any(|name| begins(line, name));
    let goes_on = lines.get(at + 1).is_some_and(|next| !next.is_empty() && !is_named(next));
    let value = value.trim().trim_end_matches(':');
    Some((named.to_lowercase(), capped(&format!("{value}{}", if goes_on { "…" } else { "" }), VALUE)))
}

/// The first difference between two values in Playwright's comparison; `None` when it shows none.
fn differing(lines: &[&str]) -> Option<Vec<String>> {
    let at = lines.iter().position(|line| line.starts_with("- Expected "))?;
    let compared = lines.get(at + 2..)?;
    let differs = |line: &&&str| line.starts_with(['-', '+']);
    let place: Vec<&str> =
        compared.iter().skip_while(|line| !differs(line)).take_while(differs).copied().collect();
    let of = |sign: char, word: &str| {
        let mut those = place.iter().filter_map(|line| line.strip_prefix(sign)).map(str::trim);
        let first = those.clone().next()?;
        // A line that only opens a value says nothing about it.
        let line = those.find(|line| !line.ends_with(['{', '['])).unwrap_or(first).trim_end_matches(',');
        Some(format!(
            "{word} {}",
            if line.is_empty() { "an empty line".to_owned() } else { capped(line, VALUE) }
        ))
    };
    let mut wording: Vec<String> = [of('-', "expected"), of('+', "received")].into_iter().flatten().collect();
    if compared.iter().filter(differs).count() > wording.len() {
        wording.push("and more differences".to_owned());
    }
    Some(wording)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As reported by Playwright 1.65, and by 1.50 where noted.
    #[test]
    fn expected_and_received_stand_beside_what_playwright_says_first() {
        for (error, expected) in [
            (
                "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 5\nReceived: 4",
                "expect(received).toBe(expected): expected 5, received 4",
            ),
            (
                "Error: the sum\n\nexpect(received).toBe(expected) // Object.is equality\n\nExpected: 5\nReceived: 4",
                "the sum: expected 5, received 4",
            ),
            (
                "Error: expect(received).not.toBe(expected) // Object.is equality\n\nExpected: not 4",
                "expect(received).not.toBe(expected): expected not 4",
            ),
            (
                "Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 2\nReceived: 1\n\nCall Log:\n- Timeout \
                 500ms exceeded while waiting on the predicate",
                "expect(received).toBe(expected): expected 2, received 1",
            ),
            (
                "Error: expect(received).toBeGreaterThan(expected)\n\nExpected: > 2\nReceived:   1",
                "expect(received).toBeGreaterThan(expected): expected > 2, received 1",
            ),
            (
                "Error: expect(received).toHaveLength(expected)\n\nExpected length: 2\nReceived length: 1\nReceived array:  [1]",
                "expect(received).toHaveLength(expected): expected length 2, received length 1",
            ),
            (
                "Error: expect(received).toBeTruthy()\n\nReceived: 0",
                "expect(received).toBeTruthy(): received 0",
            ),
            (
                "Error: expect(received).toThrow()\n\nReceived function did not throw",
                "expect(received).toThrow(): received function did not throw",
            ),
            (
                "Error: expect(received).toEqual(expected) // deep equality\n\n- Expected  - 2\n+ Received  + 1\n\n  Object {\n-   \
                 \"a\": 2,\n+   \"a\": 1,\n    \"b\": Array [\n      \"x\",\n-     \"y\",\n    ],\n    \"c\": 3,\n  }",
                "expect(received).toEqual(expected): expected \"a\": 2, received \"a\": 1, and more \
                 differences",
            ),
            (
                "Error: expect(received).toEqual(expected) // deep equality\n\n- Expected  - 2\n+ Received  + 3\n\n- \
                 ObjectContaining {\n-   \"a\": 2,\n+ Object {\n+   \"a\": 1,\n+   \"t\": \"x\",\n  }",
                "expect(received).toEqual(expected): expected \"a\": 2, received \"a\": 1, and more \
                 differences",
            ),
            (
                "Error: expect(received).toBe(expected) // Object.is equality\n\n- Expected  - 1\n+ Received  + 1\n\n  one\n- 2\n+ \
                 two\n  three",
                "expect(received).toBe(expected): expected 2, received two",
            ),
            (
                "Error: expect(locator).toHaveText(expected) failed\n\nLocator:  locator('h1')\nExpected: \"Bye\"\nReceived: \
                 \"Hello\"\nTimeout:  500ms\n\nCall log:\n  - Expect \"toHaveText\" locator('h1') with timeout 500ms\n  - waiting for \
                 locator('h1')\n    5 × locator resolved to <h1>Hello</h1>\n      - unexpected value \"Hello\"\n",
                "expect(locator).toHaveText(expected) failed: locator('h1'), expected \"Bye\", received \"Hello\"",
            ),
            (
                "Error: expect(locator).toHaveText(expected) failed\n\nLocator: getByRole('heading')\nExpected pattern: \
                 /Bye/\nReceived string:  \"Hello\"\nTimeout: 500ms\n\nCall log:\n  - Expect \"toHaveText\"",
                "expect(locator).toHaveText(expected) failed: getByRole('heading'), expected pattern /Bye/, received string \"Hello\"",
            ),
            (
                "Error: expect(locator).toHaveText(expected) failed\n\nLocator: locator('li')\nTimeout: 500ms\n- Expected  - 1\n+ \
                 Received  + 1\n\n  Array [\n    \"a\",\n-   \"c\",\n+   \"b\",\n  ]\n\nCall log:\n  - waiting for locator('li')",
                "expect(locator).toHaveText(expected) failed: locator('li'), expected \"c\", received \"b\"",
            ),
            (
                "Error: expect(locator).toBeVisible() failed\n\nLocator: locator('h2')\nExpected: visible\nTimeout: 500ms\nError: \
                 element(s) not found\n\nCall log:\n  - Expect \"toBeVisible\" locator('h2') with timeout 500ms",
                "expect(locator).toBeVisible() failed: locator('h2'), expected visible, element(s) not found",
            ),
            (
                "Error: expect(locator).toBeVisible() failed\n\nLocator: locator('h2')\nExpected: visible\nError: strict mode violation: \
                 locator('h2') resolved to 2 elements:\n    1) <h2>Hello</h2> aka getByRole('heading', { name: 'Hello' })\n    2) \
                 <h2>b</h2>\n\nCall log:\n  - waiting for locator('h2')",
                "expect(locator).toBeVisible() failed: locator('h2'), expected visible, strict mode violation: locator('h2') resolved \
                 to 2 elements…",
            ),
            (
                // 1.50
                "Error: Timed out 500ms waiting for expect(locator).toBeVisible()\n\nLocator: locator('h2')\nExpected: \
                 visible\nReceived: <element(s) not found>\nCall log:\n  - expect.toBeVisible with timeout 500ms",
                "Timed out 500ms waiting for expect(locator).toBeVisible(): locator('h2'), expected visible, received <element(s) not \
                 found>",
            ),
        ] {
            assert_eq!(reason(error), expected, "{error}");
        }
    }

    #[test]
    fn what_is_no_assertion_is_its_first_line() {
        for (error, expected) in [
            ("Error: no such luck\nsecond line", "Error: no such luck"),
            ("Error: It broke\n\nExpected: all well\nReceived: nothing", "Error: It broke"),
            ("'a text'", "'a text'"),
            ("Test timeout of 1500ms exceeded.", "Test timeout of 1500ms exceeded."),
            (
                "TimeoutError: locator.click: Timeout 500ms exceeded.\nCall log:\n  - waiting for locator('h2')\n",
                "TimeoutError: locator.click: Timeout 500ms exceeded.",
            ),
            ("", ""),
            ("\n \n", ""),
        ] {
            assert_eq!(reason(error), expected, "{error}");
        }
    }

    #[test]
    fn a_line_stays_a_line() {
        let long = format!(
            "Error: expect(received).toBe(expected)\n\nExpected: \"y\"\nReceived: \"{}\"",
            "x".repeat(3_000)
        );
        let line = reason(&long);
        assert!(line.ends_with("xxx…") && line.len() < 200, "{line}");
        let several = "Error: expect(received).not.toBe(expected)\n\nExpected: not \"one\ntwo\"\n";
        assert_eq!(reason(several), "expect(received).not.toBe(expected): expected not \"one…");
        let hostile = reason("Error: expect(a).toBe(b)\n\nExpected: \u{1b}[2J\u{202e}x\n- Expected  - 1");
        assert!(!hostile.contains(['\n', '\u{1b}', '\u{202e}']), "{hostile}");
    }
}
