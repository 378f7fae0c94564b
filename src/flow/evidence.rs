//! Evidence: the result of a check, and its worth.

use super::plan::Scope;
use super::protocol::{CheckFinished, TreeId};
use kernel::json::Deserialize;
use serde::Serialize;

/// The result of a check.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Evidence {
    /// The feature that it is for.
    pub(super) feature: String,
    /// The check's id in the plan.
    pub(super) check: String,
    pub(super) argv: Vec<String>,
    pub(super) scope: Scope,
    /// The round of the feature.
    pub(super) round: u32,
    /// The tree that had to be checked.
    pub(super) tree: TreeId,
    pub(super) seen: CheckFinished,
    /// Where its output is, below the session's directory.
    pub(super) output: String,
}

/// The worth of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Standing {
    /// The check passed on the tree that had to be checked.
    Passed,
    /// The check failed.
    Failed,
    /// It exited without an error, but no test ran.
    Hollow,
    /// Files were changed while it ran, or touched and restored, so it is unknown which tree it applies to.
    ChangedFiles,
    /// The files had changed before it started.
    OtherTree,
}

impl Evidence {
    /// The worth of the evidence.
    pub(super) fn standing(&self) -> Standing {
        let seen = &self.seen;
        match () {
            () if seen.tree_before != self.tree => Standing::OtherTree,
            () if seen.tree_after != seen.tree_before || !seen.touched.is_empty() => Standing::ChangedFiles,
            () if seen.ran.passed() => Standing::Passed,
            () if seen.ran.is_hollow() => Standing::Hollow,
            () => Standing::Failed,
        }
    }

    /// The worth of the evidence in words.
    pub(super) fn account(&self) -> String {
        let changed = || match self.altered() {
            [] => String::new(),
            paths => format!(": {}", some(paths)),
        };
        match self.standing() {
            Standing::Passed | Standing::Failed | Standing::Hollow => self.seen.ran.account(),
            Standing::ChangedFiles if self.seen.tree_after == self.seen.tree_before => {
                format!("not counted: files were written to while the check ran{}", changed())
            }
            Standing::ChangedFiles => format!("not counted: the check changed files{}", changed()),
            Standing::OtherTree => "not counted: files had changed before the check started".to_owned(),
        }
    }

    /// The paths that were changed while it ran, or if none was, those that were touched.
    pub(super) fn altered(&self) -> &[String] {
        if self.seen.changed.is_empty() { &self.seen.touched } else { &self.seen.changed }
    }

    /// A text that is the same for two runs of a check that failed in the same way: durations and addresses don't count.
    pub(super) fn likeness(&self) -> String {
        let ran = &self.seen.ran;
        format!("{:?} {}", ran.end, without_figures_that_vary(&ran.output.tail))
    }
}

/// Some of these paths, in one line.
pub(super) fn some(paths: &[String]) -> String {
    const MOST: usize = 8;
    let shown = paths.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    if paths.len() > MOST { format!("{shown} and {} more", paths.len() - MOST) } else { shown }
}

/// A check with its feature. The name of another feature's check contains its feature already.
pub(super) fn named(feature: &str, check: &str) -> String {
    if check.contains('/') { check.to_owned() } else { format!("{feature}/{check}") }
}

/// A text without durations, times of day and memory addresses, which differ from run to run.
fn without_figures_that_vary(text: &str) -> String {
    let mut before = "";
    let mut out = String::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_number = |text: &str| text.parse::<f64>().is_ok();
        let unit = bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_span = unit.len() < bare.len() && matches!(unit, "s" | "ms" | "us" | "ns" | "µs" | "m");
        let is_of_time = is_number(bare) && (before.contains("duration") || before.contains("time"));
        let is_clock = bare.len() >= 5
            && bare.contains(':')
            && bare.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
        if !(is_span || is_of_time || is_clock || bare.starts_with("0x")) {
            out.push_str(word);
            out.push(' ');
        }
        before = word;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_runs_that_fail_alike_are_alike_whatever_they_took() {
        let same = |a: &str, b: &str| without_figures_that_vary(a) == without_figures_that_vary(b);
        assert!(same("1 failed in 0.12s", "1 failed in 3.4s"));
        assert!(same("ℹ duration_ms 45.613", "ℹ duration_ms 7"));
        assert!(same("at 0x7f01 12:03:11 took (5ms)", "at 0x9a 12:04:59 took (17ms)"));
        assert!(!same("expected 3, got 4", "expected 3, got 5"), "a failure that changes is progress");
        assert!(!same("9 failing", "8 failing"));
    }

    proptest! {
        #[test]
        fn whatever_is_printed(output in "(\u{1b}\\[|test result: |ℹ pass |Tests: |Summary \\[|ok |[0-9]{1,12} |passed|[a-z;,\\])\n\t ]){0,30}") {
            let _ = without_figures_that_vary(&output);
        }
    }
}
