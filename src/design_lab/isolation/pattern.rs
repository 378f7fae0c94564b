//! Globs: the user's `isolation.blocked_patterns`, and the globs that searches are called with.
//!
//! fast-glob accepts any text as a pattern and lets a malformed one match nothing. Patterns are therefore validated
//! where they enter, and one that is malformed nevertheless blocks everything.

use super::code::IsolationCode;
use std::borrow::Cow;

use super::path::{components, same_name};
use kernel::problem::Problem;

/// Refuses a pattern that can't be a glob relative to the project, and says what to write instead.
///
/// Patterns use forward slashes. One without a slash matches at any depth, as in `.gitignore`; everything below a match
/// is blocked too, with or without `/**`.
pub fn validate_pattern(pattern: &str) -> Result<(), Problem> {
    let complaint = if pattern.trim_matches(['/', '.']).is_empty() {
        "A blocked pattern must name something below the project."
    } else if pattern.starts_with('!') {
        "A blocked pattern can't be negated: you can't unblock anything."
    } else if pattern.contains('\\') {
        "A blocked pattern needs forward slashes."
    } else if pattern.starts_with(['/', '~']) || pattern.as_bytes().get(1) == Some(&b':') {
        "A blocked pattern must be relative to the project."
    } else if pattern.split('/').any(|component| component == "..") {
        "A blocked pattern can't lead outside the project."
    } else if pattern.chars().any(char::is_control) {
        "A blocked pattern can't contain control characters."
    } else if let Err(error) = fast_glob::validate(pattern) {
        return Err(problem(pattern, &format!("A blocked pattern can't be read: {error}.")));
    } else {
        return Ok(());
    };
    Err(problem(pattern, complaint))
}

fn problem(pattern: &str, complaint: &str) -> Problem {
    Problem::new(IsolationCode::InvalidPattern, complaint)
        .found(pattern)
        .allowed("a glob relative to the project: `notes/**`, `*.secret`, `docs/{old,draft}/*.md`")
        .next("Correct the pattern in `isolation.blocked_patterns`.")
}

/// A pattern in the form in which it is matched: against each part of a path from the project down.
pub(super) enum Pattern {
    /// Matches any path: the pattern is malformed.
    Everything,
    /// The glob in lower case, and whether it matches at any depth.
    Glob(String, bool),
    /// A pattern without wildcards; a single name matches at any depth.
    Names(Vec<String>),
}

impl Pattern {
    pub(super) fn of(pattern: &str) -> Self {
        if validate_pattern(pattern).is_err() {
            return Self::Everything;
        }
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/').trim_end_matches("/**");
        if pattern.contains(['*', '?', '[', '{']) {
            Self::Glob(pattern.to_lowercase(), !pattern.contains('/'))
        } else {
            Self::Names(components(pattern).into_iter().map(str::to_owned).collect())
        }
    }

    /// Whether a path, relative to the project, is blocked.
    pub(super) fn blocks(&self, relative: &[&str]) -> bool {
        match self {
            Self::Everything => true,
            Self::Glob(glob, any_depth) => {
                let mut prefix = String::new();
                relative.iter().any(|name| {
                    let name = name.to_lowercase();
                    if !prefix.is_empty() {
                        prefix.push('/');
                    }
                    prefix.push_str(&name);
                    fast_glob::glob_match(glob, if *any_depth { &name } else { &prefix })
                })
            }
            Self::Names(names) => match &names[..] {
                [name] => relative.iter().any(|other| same_name(other, name)),
                names => {
                    relative.len() >= names.len()
                        && names.iter().zip(relative).all(|(name, other)| same_name(name, other))
                }
            },
        }
    }
}

/// Whether one of these patterns blocks a file of the project, whose path has `/` between its segments.
pub(crate) fn is_blocked(patterns: &[String], path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').collect();
    patterns.iter().any(|pattern| Pattern::of(pattern).blocks(&segments))
}

/// Whether the glob of a search targets a directory: whether one of the components by which it descends names it,
/// literally or by a wildcard with at least one letter or digit. `**/*` and `*.json` target nothing.
///
/// `target` is relative to where the search starts. ripgrep lets a `--glob` override `.ignore` for everything that the
/// glob itself matches (checked with 13.0), so such a search would find what `.ignore` hides.
pub(super) fn is_aimed_at(glob: &str, target: &[&str]) -> bool {
    let Some(name) = target.last() else { return false };
    if glob.starts_with('!') || fast_glob::validate(glob).is_err() {
        return false; // leaves files out; or is refused by ripgrep too
    }
    let name = name.to_lowercase();
    let target = target.join("/").to_lowercase();
    alternatives(&glob.replace('\\', "/").to_lowercase()).is_none_or(|globs| {
        globs.iter().any(|glob| {
            let glob = glob.trim_start_matches("./").trim_start_matches('/');
            glob.match_indices('/').any(|(end, _)| {
                let prefix = &glob[..end];
                let component = prefix.rsplit('/').next().unwrap_or(prefix);
                component.contains(char::is_alphanumeric)
                    && fast_glob::glob_match(component, &name)
                    && fast_glob::glob_match(prefix, &target)
            })
        })
    })
}

/// Whether a glob matches all files, so that it has the same meaning as no glob.
pub(super) fn is_everything(glob: &str) -> bool {
    matches!(glob.trim_start_matches("./").trim_start_matches('/'), "*" | "**" | "**/*" | "**/**")
}

/// The contents of a run's directory.
const CONTENTS: [&str; 7] =
    ["designs", "reviews", "scores", "results", "journal.jsonl", "task.json", "config.json"];

/// Whether a glob of a search makes ripgrep enter a run's directory despite `.ignore`: whether it matches both the
/// directory and something in it. The match count of such a search would reveal what the search doesn't show.
///
/// `run` is relative to where the search starts. Globs for all files are excluded: they are passed on without effect.
pub(super) fn opens(glob: &str, run: &[&str]) -> bool {
    if glob.starts_with('!') || is_everything(glob) || fast_glob::validate(glob).is_err() {
        return false;
    }
    let run = run.join("/").to_lowercase();
    alternatives(&glob.replace('\\', "/").to_lowercase()).is_none_or(|globs| {
        let selects = |path: &str| globs.iter().any(|glob| selects(glob, path));
        selects(&run) && CONTENTS.iter().any(|name| selects(&format!("{run}/{name}")))
    })
}

/// Whether a glob without braces matches a path as `.gitignore` lines do: by the last name if it has no slash.
fn selects(glob: &str, path: &str) -> bool {
    let anchored = glob.trim_end_matches('/').contains('/');
    let glob = glob.trim_start_matches("./").trim_start_matches('/').trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    fast_glob::glob_match(glob, if anchored { path } else { name })
}

/// Returns the glob with its outermost braces expanded, or `None` when there are too many alternatives.
fn alternatives(glob: &str) -> Option<Vec<Cow<'_, str>>> {
    let mut done = Vec::new();
    let mut open = vec![Cow::Borrowed(glob)];
    while let Some(glob) = open.pop() {
        let Some((before, choices, after)) = first_braces(&glob) else {
            done.push(glob);
            continue;
        };
        let expanded: Vec<_> =
            choices.iter().map(|choice| Cow::Owned(format!("{before}{choice}{after}"))).collect();
        open.extend(expanded);
        if done.len() + open.len() > 64 {
            return None;
        }
    }
    Some(done)
}

/// Splits at the first pair of braces: what precedes it, the choices in it, what follows.
fn first_braces(glob: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = glob.find('{')?;
    let (mut depth, mut choices, mut from) = (0, Vec::new(), start + 1);
    for (at, byte) in glob.bytes().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                choices.push(&glob[from..at]);
                from = at + 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    choices.push(&glob[from..at]);
                    return Some((&glob[..start], choices, &glob[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(pattern: &str, path: &str) -> bool {
        Pattern::of(pattern).blocks(&components(path))
    }

    #[test]
    fn patterns_block_what_they_match_and_all_below() {
        let blocked = [
            (".design-lab/*/designs/", ".design-lab/2026-x/designs/a.json"),
            ("notes/**", "notes"),
            ("notes/**", "notes/a/b"),
            ("notes/*", "notes/a/b"),
            ("Notes/**", "notes/A"),
            ("notes", "deep/down/NOTES/a"),
            ("*.secret", "deep/down/a.secret"),
            ("./docs/{old,draft}/*.md", "docs/draft/x.md"),
            ("docs/entwürfe", "docs/entwu\u{308}rfe/a"),
            ("**/private/**", "a/private/b"),
            ("[", "anything"),
            ("a{b", "anything"),
            ("", "anything"),
        ];
        for (pattern, path) in blocked {
            assert!(blocks(pattern, path), "{pattern} {path}");
        }
        let free = [
            ("notes/**", "notesbook/a"),
            ("notes/*", "notes"),
            ("notes/*.md", "notes/a.txt"),
            ("a/b", "c/a/b"),
            ("*.secret", "a.secrets"),
            ("docs/{old,draft}/*.md", "docs/new/x.md"),
        ];
        for (pattern, path) in free {
            assert!(!blocks(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn invalid_patterns_are_refused_with_a_reason() {
        let invalid = [
            "", "/", ".", "./", "!a", "/etc/**", "~/x", "C:/x", "a/../b", "..", r"a\b", "{", "[", "a{b",
            "[a", "a\nb", "{a,{b}",
        ];
        for pattern in invalid {
            let problem = validate_pattern(pattern).unwrap_err();
            assert_eq!(problem.code, "isolation.invalid-pattern", "{pattern}");
            assert_eq!(problem.found.as_deref(), Some(pattern));
        }
        for pattern in ["a", "a/", "a/**", "*.{js,ts}", "[ab]c", ".design-lab/*/designs/", "**", "a..b"] {
            assert!(validate_pattern(pattern).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn a_glob_is_aimed_at_what_it_descends_into_by_name() {
        let target = [".design-lab"];
        for glob in [
            ".design-lab/**",
            "/.design-lab/**",
            "./.design-lab/*/designs/*.json",
            ".d*/**",
            "{src,.design-lab}/**",
            "{src/**,.design-lab/**}",
            "**/.design-lab/**",
            ".DESIGN-lab/*",
            "*lab/**",
            ".design-la[b]/**",
            "{{a,.design-lab},b}/**",
        ] {
            assert!(is_aimed_at(glob, &target), "{glob}");
        }
        for glob in [
            "**/*",
            "*",
            "**",
            "*.json",
            "**/*.json",
            ".*/**",
            "src/**",
            "docs/*lab*/**",
            "**/*lab*",
            ".design-lab",
            "{a,b}/**",
            "[",
            "",
        ] {
            assert!(!is_aimed_at(glob, &target), "{glob}");
        }
        assert!(is_aimed_at("out/lab/**", &["out", "lab"]));
        assert!(!is_aimed_at("lab/**", &["out", "lab"]));
        assert!(!is_aimed_at("**", &[]));
    }

    #[test]
    fn a_glob_opens_a_run_if_it_matches_its_directory_and_something_in_it() {
        let run = [".design-lab", "2026-11-20-user-auth"];
        for glob in [
            "{2*,designs,*.json}",
            "{2026-11-20-user-auth,d*,claude*}",
            "?*",
            "[!.]*",
            ".*/**",
            "*e*",
            "**/*-*/**",
            "{**/*auth*,**/journal*}",
            "{.d*/2*/,.d*/2*/designs/,**/*.md}",
        ] {
            assert!(opens(glob, &run), "{glob}");
        }
        for glob in [
            "*",
            "**/*",
            "/**",
            "*.json",
            "**/*.json",
            "**/*auth*",
            "designs",
            "**/designs/**",
            "src/**",
            "docs/**/design*/**",
            "{src,docs}/**",
            "!src/**",
            "*/*",
            ".*",
            "[",
        ] {
            assert!(!opens(glob, &run), "{glob}");
        }
    }

    #[test]
    fn a_glob_of_countless_alternatives_counts_as_aimed() {
        assert!(is_aimed_at("{a,b,c}{a,b,c}{a,b,c}{a,b,c}/x", &[".design-lab"]));
        assert!(!is_aimed_at(&format!("{}/x", "{a,b}".repeat(6)), &[".design-lab"]), "64 can be looked at");
    }
}
