//! What was seen in copies of the project's files: that a check can fail, that it passes with nothing but the files that count, and
//! whether a reviewer's finding happens.
//!
//! Two runs show that a check can fail. On the files from before the feature, with the feature's tests put over them, it has to run
//! tests and fail; a missing file or script shows nothing. It also has to pass in a copy of the current files, because otherwise it
//! may have failed for lack of something that copies don't have.

use super::evidence::some;
use super::protocol::TreeId;
use super::test_files::is_test;
use crate::design_lab::isolation::{holds_keys, is_environment_file};
use crate::shared::ran::{CommandEnd, Ran};
use crate::shared::spelled::spelled;
use crate::shared::tier::Tier;
use serde::Serialize;

/// A command to run in a copy, and its result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Apart {
    /// The feature that it is for.
    pub(super) feature: String,
    /// The check's id in the plan.
    pub(super) check: String,
    pub(super) argv: Vec<String>,
    /// The round of the feature.
    pub(super) round: u32,
    /// The tree that it is evidence for.
    pub(super) tree: TreeId,
    pub(super) purpose: Purpose,
    /// The result, or why there is none.
    pub(super) seen: Result<Ran, String>,
    /// The files of the copy that were touched by its end, in which case the result shows nothing.
    pub(super) touched: Vec<String>,
    /// What made the copy unclean, one line each.
    pub(super) unclean: Vec<String>,
    /// Where its output is, below the session's directory.
    pub(super) output: String,
}

/// What a run in a copy has to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "purpose", rename_all = "snake_case")]
pub(super) enum Purpose {
    /// That the check fails when the feature is removed.
    CanFail,
    /// How the check ends without the feature, if the feature changes no behaviour.
    AsBefore,
    /// That the check passes with only the files of the tree.
    Again,
    /// That a reviewer's finding happens.
    Reproducer {
        /// The reviewer's finding, by its index in the review.
        finding: usize,
    },
}

impl Purpose {
    /// Whether the command is run without the feature.
    pub(super) fn is_probe(&self) -> bool {
        matches!(self, Self::CanFail | Self::AsBefore)
    }
}

impl Apart {
    /// Whether the command passed; `None` when it didn't run, or files were touched.
    pub(super) fn passed(&self) -> Option<bool> {
        let ran = self.seen.as_ref().ok().filter(|_| self.touched.is_empty())?;
        (!matches!(ran.end, CommandEnd::NotStarted { .. })).then(|| ran.passed())
    }

    /// How many tests were seen to run in a command that passed.
    pub(super) fn tests_run(&self) -> Option<u32> {
        let ran = self.seen.as_ref().ok().filter(|ran| ran.passed() && self.touched.is_empty())?;
        ran.tests.as_ref().map(|tests| tests.ran)
    }

    /// Whether any test was seen to run, whatever its result.
    pub(super) fn saw_tests(&self) -> bool {
        let tests = self.seen.as_ref().ok().and_then(|ran| ran.tests.as_ref());
        tests.is_some_and(|tests| tests.ran > 0)
    }

    /// The strength of the result as evidence.
    pub(super) fn tier(&self) -> Tier {
        if self.passed().is_some() { Tier::ReExecuted } else { Tier::NotChecked }
    }

    /// Why the result shows nothing, if it shows nothing.
    pub(super) fn why_not(&self) -> Option<String> {
        match &self.seen {
            Err(why) => Some(why.clone()),
            Ok(Ran { end: CommandEnd::NotStarted { message }, .. }) => {
                Some(format!("the check could not be started: {message}"))
            }
            Ok(_) if !self.touched.is_empty() => Some(format!(
                "files in the copy were written to while the check ran: {}",
                some(&self.touched)
            )),
            Ok(_) => None,
        }
    }

    /// The result in words, with what made the copy unclean.
    pub(super) fn account(&self) -> String {
        if self.is_clean() { self.brief() } else { format!("{}: {}", self.brief(), self.unclean.join("; ")) }
    }

    /// Whether the copy was clean, as far as the result depends on it.
    fn is_clean(&self) -> bool {
        self.unclean.is_empty() || self.why_not().is_some()
    }

    /// The result in words, without what made the copy unclean: a note says that once.
    pub(super) fn brief(&self) -> String {
        if let Some(why) = self.why_not() {
            let what = match self.purpose {
                Purpose::CanFail => "not shown to fail without the feature",
                Purpose::AsBefore => "not compared with the files from before the feature",
                Purpose::Again => "no valid result from a clean copy",
                Purpose::Reproducer { .. } => "finding not tested",
            };
            return format!("{what}: {why}");
        }
        let passed = self.passed() == Some(true);
        let clean = if self.unclean.is_empty() { "a clean copy" } else { "a copy" };
        let seen = match (&self.purpose, passed) {
            (Purpose::CanFail, false) => "fails when the feature is removed, as it should".to_owned(),
            (Purpose::CanFail, true) => "also passes without the feature".to_owned(),
            (Purpose::AsBefore, false) => {
                "fails when the feature is removed, although the feature should change no behaviour"
                    .to_owned()
            }
            (Purpose::AsBefore, true) => {
                "also passes without the feature, which changes no behaviour".to_owned()
            }
            (Purpose::Again, true) => format!("passed again in {clean}"),
            (Purpose::Again, false) => format!("failed in {clean}, {}", self.end()),
            (Purpose::Reproducer { .. }, false) => "the problem occurs, as the reviewer says".to_owned(),
            (Purpose::Reproducer { .. }, true) => "the problem doesn't occur".to_owned(),
        };
        if self.is_clean() { seen } else { format!("{seen}; the copy was not clean") }
    }

    pub(super) fn end(&self) -> String {
        match &self.seen {
            Ok(ran) if ran.is_hollow() => ran.nothing_ran(),
            Ok(ran) => ran.end.words(),
            Err(why) => why.clone(),
        }
    }
}

/// Names the links of a copy, as a sentence; `None` when there were none.
pub(super) fn account_of_links(linked: &[String]) -> Option<String> {
    (!linked.is_empty()).then(|| {
        format!("Flow's copies of the project link to these paths, which git ignores: {}.", some(linked))
    })
}

/// The tree's links that no copy has, in a sentence; `None` when there are none.
pub(super) fn account_of_links_out(outside: &[String]) -> Option<String> {
    (!outside.is_empty()).then(|| {
        format!(
            "Flow's copies of the project leave out these symbolic links, which lead outside the project: \
             {}.",
            some(outside)
        )
    })
}

/// The untracked files that stay out of copies: those that look like the user's secrets. The keys of a new test don't count as
/// secrets, because it can't run without them.
pub fn kept_back(untracked: Vec<String>) -> Vec<String> {
    let is_secret = |path: &String| is_environment_file(path) || holds_keys(path) && !is_test(path);
    untracked.into_iter().filter(is_secret).collect()
}

/// The message when the command that prepares a copy has failed.
pub fn setup_failed(argv: &[String], end: &CommandEnd, output: &str) -> String {
    format!(
        "`{}` (flow.worktree.setup) failed to prepare the copy: {}; see {output}",
        spelled(argv),
        end.words()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_secret_stays_out_of_copies() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let secrets = names(&[
            ".env",
            "api/.env.local",
            "tls/server.pem",
            "id_rsa",
            ".npmrc",
            "a/SIGNING.KEY",
            ".aws/credentials",
        ]);
        let others =
            names(&[".env.example", "src/keys.js", "notes.md", "pem", "id_rsa.md", "tests/keys/server.pem"]);
        assert_eq!(kept_back([secrets.clone(), others].concat()), secrets);
    }
}
