//! JUnit XML as build servers read it: `testsuites`, `testsuite` and `testcase`, with `failure` and `skipped`.
//!
//! There is no official schema. This is the common part of the schemas of Jenkins, GitLab and Azure.

use super::{Kind, Outcome, Results, Row};
use kernel::problem::Problem;
use kernel::visible;
use std::fmt::Write as _;

/// The suite with what `verify` itself compared.
const VERIFICATION: &str = "verification";

struct Case {
    name: String,
    took_ms: u64,
    end: End,
}

enum End {
    Passed,
    Failed { message: String, kind: String, text: String },
    Skipped { message: String },
}

pub(super) fn text(results: &Results) -> String {
    let mut suites: Vec<(String, Vec<Case>)> = vec![(VERIFICATION.to_owned(), verification(results))];
    for row in &results.rows {
        let group = visible::line(&row.group);
        match suites.iter_mut().rev().find(|(name, _)| *name == group) {
            Some((_, cases)) => cases.push(case(row)),
            None => suites.push((group, vec![case(row)])),
        }
    }
    let all = || suites.iter().flat_map(|(_, cases)| cases);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"{}\"{}>", escaped(&results.heading()), numbers(all()));
    for (at, (name, cases)) in suites.iter().enumerate() {
        let _ = writeln!(out, "  <testsuite name=\"{}\"{}>", escaped(name), numbers(cases.iter()));
        if at == 0 {
            properties(results, &mut out);
        }
        for case in cases {
            written(name, case, &mut out);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn numbers<'a>(cases: impl Iterator<Item = &'a Case> + Clone) -> String {
    let of = |is: fn(&End) -> bool| cases.clone().filter(|case| is(&case.end)).count();
    let took: u64 = cases.clone().map(|case| case.took_ms).sum();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{}\"",
        cases.clone().count(),
        of(|end| matches!(end, End::Failed { .. })),
        of(|end| matches!(end, End::Skipped { .. })),
        seconds(took)
    )
}

fn properties(results: &Results, out: &mut String) {
    let facts = || results.facts.iter().filter(|(_, text)| !text.is_empty());
    if facts().next().is_none() {
        return;
    }
    out.push_str("    <properties>\n");
    for (name, text) in facts() {
        let _ =
            writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", escaped(&visible::line(text)));
    }
    out.push_str("    </properties>\n");
}

fn verification(results: &Results) -> Vec<Case> {
    let failed = |problem: &Problem| Case {
        name: problem.code.to_string(),
        took_ms: 0,
        end: End::Failed {
            message: problem.message.clone(),
            kind: problem.code.to_string(),
            text: problem.next.clone().unwrap_or_default(),
        },
    };
    if results.differences.is_empty() {
        let name = "The journal and the recorded files are unchanged".to_owned();
        return vec![Case { name, took_ms: 0, end: End::Passed }];
    }
    results.differences.iter().map(|one| failed(&one.problem)).collect()
}

fn case(row: &Row) -> Case {
    let name = match row.kind {
        Kind::Check => row.id.clone(),
        Kind::Criterion => format!("{}: {}", row.id, row.text),
    };
    let end = match row.outcome {
        Outcome::Passed => End::Passed,
        Outcome::Failed => {
            let by = if row.by.is_empty() { String::new() } else { format!("{}\n", visible::line(&row.by)) };
            let kind = if row.kind == Kind::Check { "check.failed" } else { "criterion.failed" };
            End::Failed {
                message: row.result.clone(),
                kind: kind.to_owned(),
                text: format!("{by}{}", row.output),
            }
        }
        Outcome::Open => End::Skipped { message: format!("{}: {}", row.tier.word(), row.result) },
    };
    Case { name, took_ms: row.took_ms, end }
}

fn written(suite: &str, case: &Case, out: &mut String) {
    let line = |text: &str| escaped(&visible::line(text));
    let (name, suite, time) = (line(&case.name), escaped(suite), seconds(case.took_ms));
    let _ = write!(out, "    <testcase name=\"{name}\" classname=\"{suite}\" time=\"{time}\"");
    match &case.end {
        End::Passed => out.push_str("/>\n"),
        End::Failed { message, kind, text } => {
            let text = escaped(visible::text(text).trim_end());
            let (message, kind) = (line(message), line(kind));
            let _ = writeln!(
                out,
                ">\n      <failure message=\"{message}\" type=\"{kind}\">{text}</failure>\n    </testcase>"
            );
        }
        End::Skipped { message } => {
            let _ = writeln!(out, ">\n      <skipped message=\"{}\"/>\n    </testcase>", line(message));
        }
    }
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}

/// Text for XML 1.0, in an element or between double quotes. The text is visible, so the only characters left that XML forbids are
/// two noncharacters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' => out.push_str("[U+FFFE]"),
            '\u{ffff}' => out.push_str("[U+FFFF]"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    /// Panics unless this is well-formed XML 1.0 of elements with double-quoted attributes, as this module writes it.
    pub(crate) fn assert_well_formed(xml: &str) {
        let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(xml.chars().all(allowed), "a character that XML forbids: {xml:?}");
        let mut rest =
            xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
        let mut open: Vec<&str> = Vec::new();
        while let Some(at) = rest.find('<') {
            text(&rest[..at]);
            rest = &rest[at + 1..];
            let end = end_of_tag(rest);
            let (tag, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{xml}");
                continue;
            }
            let inside = tag.strip_suffix('/');
            let (name, attributes) =
                inside.unwrap_or(tag).split_once(' ').unwrap_or((inside.unwrap_or(tag), ""));
            assert!(name.chars().all(|c| c.is_ascii_lowercase()), "an element: {name}");
            self::attributes(attributes);
            if inside.is_none() {
                open.push(name);
            }
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "{xml}");
    }

    fn end_of_tag(rest: &str) -> usize {
        let mut quoted = false;
        let end = rest.char_indices().find(|(_, c)| {
            quoted ^= *c == '"';
            *c == '>' && !quoted
        });
        end.expect("an end of the tag").0
    }

    fn attributes(mut rest: &str) {
        while !rest.is_empty() {
            let (name, value) = rest.split_once("=\"").expect("an attribute");
            assert!(name.trim().chars().all(|c| c.is_ascii_lowercase()), "{name}");
            let (value, after) = value.split_once('"').expect("a closing quote");
            assert!(!value.contains('<') && !value.contains('\n'));
            text(value);
            rest = after.trim_start();
        }
    }

    fn text(text: &str) {
        for entity in text.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)), "{text}");
        }
        assert!(!text.contains("]]>"), "{text}");
    }
}
