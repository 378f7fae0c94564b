//! What a change adds of that which a rule forbids: only new occurrences count.
//!
//! A line that was moved isn't new, wherever it is now, and an edited line may keep the occurrence that it had. So a file that is
//! renamed adds nothing, and neither does an edit next to an old occurrence. But a removed occurrence in one file doesn't pay for
//! a different one in another.

use super::rule::ProjectRule;
use super::uses::{Use, exact};
use kernel::json::Deserialize;
use serde::Serialize;
use std::collections::BTreeMap;

/// The length above which a text isn't compared, in bytes.
const LONGEST: usize = 2 << 20;
/// How many new occurrences are named.
const MOST: usize = 50;
/// How many files are named that can't be compared.
const MOST_UNREAD: usize = 20;

/// A changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowChangedText"))]
pub struct ChangedText {
    /// The file, from the root of the tree.
    pub path: String,
    /// Its text before and now, each `None` when there is no such file; `None` when they are unknown.
    pub texts: Option<(Option<String>, Option<String>)>,
}

/// A new occurrence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowAddedUse"))]
pub struct AddedUse {
    /// The id of the rule.
    pub rule: String,
    /// The file, from the root of the tree.
    pub path: String,
    /// The line, counted from 1.
    pub line: u32,
}

/// What a change adds of that which the rules forbid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowAdded"))]
pub struct Added {
    /// The new occurrences, by rule, file and line.
    pub uses: Vec<AddedUse>,
    /// How many more there are.
    pub more: u32,
    /// Files that could not be compared.
    pub unread: Vec<String>,
}

/// The paths that a rule with a pattern is about.
pub fn to_compare(rules: &[ProjectRule], paths: Vec<String>) -> Vec<String> {
    let checked = || rules.iter().filter(|rule| rule.pattern.is_some());
    paths.into_iter().filter(|path| checked().any(|rule| rule.is_about(path))).collect()
}

/// What a change adds. `changed`: every file that differs.
pub fn added(rules: &[ProjectRule], changed: &[ChangedText]) -> Added {
    let mut out = Added::default();
    let mut uses = Vec::new();
    let mut unread: Vec<&str> = Vec::new();
    for rule in rules {
        let Some(pattern) = &rule.pattern else { continue };
        let mut files = Vec::new();
        for file in changed.iter().filter(|file| rule.is_about(&file.path)) {
            match compared(pattern, file) {
                Some(compared) => files.push(compared),
                None => unread.push(&file.path),
            }
        }
        let new = new_uses(files).into_iter();
        uses.extend(new.map(|(path, line)| AddedUse { rule: rule.id.clone(), path: path.to_owned(), line }));
    }
    out.more = u32::try_from(uses.len().saturating_sub(MOST)).unwrap_or(u32::MAX);
    uses.truncate(MOST);
    out.uses = uses;
    unread.dedup();
    unread.truncate(MOST_UNREAD);
    out.unread = unread.into_iter().map(str::to_owned).collect();
    out
}

/// A file with the occurrences before and now that aren't matched yet.
struct Compared<'a> {
    path: &'a str,
    before: Vec<Use>,
    now: Vec<Use>,
}

/// Returns `None` when the file can't be compared: its texts are unknown, too long, or full of occurrences.
fn compared<'a>(pattern: &str, file: &'a ChangedText) -> Option<Compared<'a>> {
    let (before, now) = file.texts.as_ref()?;
    let read = |text: &Option<String>| match text.as_deref() {
        None => Some(Vec::new()),
        Some(text) if text.len() > LONGEST => None,
        // A file that isn't text contains no code.
        Some(text) if text.contains('\0') => Some(Vec::new()),
        Some(text) => exact(pattern, text),
    };
    Some(Compared { path: &file.path, before: read(before)?, now: read(now)? })
}

/// The new occurrences among those of these files: path and line.
fn new_uses(mut files: Vec<Compared<'_>>) -> Vec<(&str, u32)> {
    for file in &mut files {
        let mut spare = by_text(std::mem::take(&mut file.before));
        file.now.retain(|one| !take(&mut spare, &one.text));
        file.before = spare.into_values().flatten().collect();
    }
    // Lines that were moved from one file to another.
    let mut spare = by_text(files.iter_mut().flat_map(|file| {
        // What an edited line had stays with its file.
        let edited = file.before.len().min(file.now.len());
        file.before.split_off(edited)
    }));
    let mut new = Vec::new();
    for file in files {
        let mut left: Vec<&Use> = file.now.iter().filter(|one| !take(&mut spare, &one.text)).collect();
        for kept in &file.before {
            let nearest = (0..left.len()).min_by_key(|&index| left[index].line.abs_diff(kept.line));
            if let Some(nearest) = nearest {
                left.remove(nearest);
            }
        }
        new.extend(left.into_iter().map(|one| (file.path, one.line)));
    }
    new
}

fn by_text(uses: impl IntoIterator<Item = Use>) -> BTreeMap<String, Vec<Use>> {
    let mut out: BTreeMap<String, Vec<Use>> = BTreeMap::new();
    for one in uses {
        out.entry(one.text.clone()).or_default().push(one);
    }
    out
}

/// Takes one occurrence with this text away; `false` when there is none.
fn take(spare: &mut BTreeMap<String, Vec<Use>>, text: &str) -> bool {
    spare.get_mut(text).and_then(Vec::pop).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rule(pattern: &str) -> ProjectRule {
        ProjectRule {
            id: "r".to_owned(),
            say: "s".to_owned(),
            pattern: Some(pattern.to_owned()),
            ..ProjectRule::default()
        }
    }

    fn file(path: &str, before: Option<&str>, now: Option<&str>) -> ChangedText {
        ChangedText {
            path: path.to_owned(),
            texts: Some((before.map(str::to_owned), now.map(str::to_owned))),
        }
    }

    fn lines(changed: &[ChangedText]) -> Vec<String> {
        let added = added(&[rule("moment")], changed);
        added.uses.iter().map(|one| format!("{}:{}", one.path, one.line)).collect()
    }

    #[test]
    fn only_new_occurrences_count() {
        let old = "import moment from 'moment';\nmoment();\n";
        for (changed, expected) in [
            (vec![file("a.js", None, Some(old))], &["a.js:1", "a.js:1", "a.js:2"] as &[&str]),
            (vec![file("a.js", Some(old), Some(old))], &[]),
            (vec![file("a.js", Some(old), Some(&format!("{old}x();\n")))], &[]),
            (vec![file("a.js", Some(old), Some(&format!("// one\n{old}")))], &[]),
            (vec![file("a.js", Some(old), Some(&format!("{old}moment.utc();\n")))], &["a.js:3"]),
            (vec![file("a.js", Some("moment();\n"), Some("moment(1);\n"))], &[]),
            (vec![file("a.js", Some("moment();\n"), Some("moment(moment());\n"))], &["a.js:1"]),
            (vec![file("a.js", Some(old), None), file("b.js", None, Some(old))], &[]),
            (vec![file("a.js", Some(old), None)], &[]),
            // Removed here and another one there: that is a new one.
            (
                vec![
                    file("a.js", Some("moment(1);\n"), Some("\n")),
                    file("b.js", None, Some("moment(2);\n")),
                ],
                &["b.js:1"],
            ),
            // Moved from one file to another.
            (
                vec![
                    file("a.js", Some("moment(1);\n"), Some("\n")),
                    file("b.js", None, Some("x\n  moment(1);\n")),
                ],
                &[],
            ),
            (vec![file("a.md", None, Some("no moment"))], &[]),
            (vec![file("package-lock.json", None, Some("\"moment\""))], &[]),
            (vec![file("a.bin", None, Some("\0 moment"))], &[]),
        ] {
            assert_eq!(lines(&changed), expected, "{changed:?}");
        }
    }

    #[test]
    fn what_cannot_be_compared_is_named_and_nothing_is_claimed_of_it() {
        let long = "x".repeat(LONGEST + 1);
        let full = "moment ".repeat(3_000);
        let changed = [
            ChangedText { path: "a.js".to_owned(), texts: None },
            file("b.js", None, Some(&long)),
            file("c.js", None, Some(&full)),
            file("d.js", None, Some("moment")),
        ];
        let added = added(&[rule("moment")], &changed);
        assert_eq!(added.unread, ["a.js", "b.js", "c.js"]);
        assert_eq!(added.uses.len(), 1);
        let one_line = format!("{}moment", "x ".repeat(500_000));
        assert_eq!(lines(&[file("e.js", None, Some(&one_line))]), ["e.js:1"]);
        let many: Vec<_> = (0..100).map(|at| file(&format!("{at:03}.js"), None, Some("moment"))).collect();
        let added = super::added(&[rule("moment")], &many);
        assert_eq!((added.uses.len(), added.more), (MOST, 50));
    }

    #[test]
    fn a_rule_without_a_pattern_checks_nothing() {
        let words = ProjectRule { pattern: None, ..rule("") };
        assert_eq!(to_compare(std::slice::from_ref(&words), vec!["a.js".to_owned()]), Vec::<String>::new());
        assert_eq!(added(&[words], &[file("a.js", None, Some("x"))]), Added::default());
        assert_eq!(to_compare(&[rule("x")], vec!["a.js".to_owned(), "a.md".to_owned()]), ["a.js"]);
    }

    proptest! {
        #[test]
        fn what_stays_or_is_renamed_is_never_new(text in "(moment|m|\\(|\\)|;| |\n){0,40}", more in "(x|;|\n| ){0,10}") {
            prop_assert!(lines(&[file("a.js", Some(&text), Some(&text))]).is_empty());
            prop_assert!(lines(&[file("a.js", Some(&text), None), file("b.js", None, Some(&text))]).is_empty());
            let padded = format!("{more}\n{text}\n{more}");
            prop_assert!(lines(&[file("a.js", Some(&text), Some(&padded))]).is_empty());
        }

        #[test]
        fn every_added_line_is_found(old in 0usize..5, new in 0usize..5) {
            let before = "moment();\n".repeat(old);
            let now = format!("{before}{}", "moment();\n".repeat(new));
            prop_assert_eq!(lines(&[file("a.js", Some(&before), Some(&now))]).len(), new);
        }
    }
}
