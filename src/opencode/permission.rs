//! OpenCode's permission rules, and which of them applies to a call: the last one that matches, as in its `Permission.evaluate`.

use kernel::json::Deserialize;

/// An agent of the host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HostAgent {
    /// Its name.
    pub name: String,
    /// The rules that apply to it, from any source: the last one that matches decides.
    pub rules: Vec<HostRule>,
}

/// A rule of OpenCode's permissions. `*` and `?` are wildcards in both fields.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HostRule {
    /// The tool, or another permission.
    pub permission: String,
    /// The arguments of the tool.
    pub pattern: String,
    /// `allow`, `ask` or `deny`.
    pub action: String,
}

impl HostAgent {
    /// The action for a call: `ask` if no rule matches.
    pub(crate) fn action(&self, permission: &str, pattern: &str) -> &str {
        let fits =
            |rule: &&HostRule| matches(&rule.permission, permission) && matches(&rule.pattern, pattern);
        self.rules.iter().rev().find(fits).map_or("ask", |rule| &rule.action)
    }
}

/// Whether a text matches a pattern with `*` (anything) and `?` (one character). A pattern that ends in ` *` also matches the
/// part before that, and `\` counts as `/`.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().map(|letter| if letter == '\\' { '/' } else { letter }).collect()
    };
    let (pattern, text) = (letters(pattern), letters(text));
    let bare = pattern.strip_suffix(&[' ', '*']);
    fits(&pattern, &text) || bare.is_some_and(|bare| fits(bare, &text))
}

fn fits(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == text[read] => {
                at += 1;
                read += 1;
            }
            _ => match star {
                Some((place, taken)) => {
                    star = Some((place, taken + 1));
                    at = place + 1;
                    read = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn patterns_fit_as_in_opencode() {
        for (pattern, text, fitting) in [
            ("*", "", true),
            ("*", "rm -f x\ny", true),
            ("rm *", "rm", true),
            ("rm *", "rm -rf a/b", true),
            ("rm *", "rmdir a", false),
            ("rm*", "rmdir a", true),
            ("npm run *", "npm run", true),
            ("npm run *", "npm test", false),
            ("git ?", "git x", true),
            ("git ?", "git", false),
            ("* > *", "echo a > b", true),
            ("a.b", "axb", false),
            ("bash", "bash", true),
            ("flow_*", "flow_run", true),
            (r"dir\*", "dir/a", true),
            ("RM *", "rm x", false),
        ] {
            assert_eq!(matches(pattern, text), fitting, "{pattern} {text}");
        }
    }

    proptest! {
        #[test]
        fn a_pattern_matches_what_it_was_made_from(text in "[ab/.]{0,8}", cuts in prop::collection::vec(0_usize..9, 0..3)) {
            let mut pattern: Vec<char> = text.chars().collect();
            for cut in cuts {
                pattern.insert(cut.min(pattern.len()), '*');
            }
            let pattern: String = pattern.into_iter().collect();
            prop_assert!(matches(&pattern, &text));
            prop_assert!(matches("*", &text));
            let longer = pattern + "c";
            prop_assert!(!matches(&longer, &text));
            prop_assert_eq!(matches("?", &text), text.chars().count() == 1);
        }
    }
}
