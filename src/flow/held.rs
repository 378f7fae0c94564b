//! The rules of the project that a session holds its models to: planners, workers and reviewers read them, and each turn of a worker is
//! checked against them.
//!
//! The session records its rules. It takes others only from the user: when a command starts, or when the user confirms or removes one
//! while it is at work. So nobody who edits the file of rules meanwhile changes what this session refuses; that is told.

use super::build::Build;
use super::evidence::some;
use super::feedback::ProjectRule;
use super::feedback::added::{Added, AddedUse};
use super::feedback::file::RULES_FILE;
use super::feedback::log::Standing;
use super::feedback::said::{RuleStanding, code, line};
use super::gate::NotProven;
use super::prompts;
use super::protocol::{Hold, TreeId, TreeTaken};
use super::session::{Commands, Session};
use super::step::Frozen;
use crate::shared::figures::count;
use crate::shared::spelled::spelled;
use crate::shared::tier::Tier;
use kernel::workflow::Workflow as _;
use serde::Serialize;
use std::collections::BTreeMap;

/// How many new occurrences a worker is shown.
const SHOWN: usize = 20;

/// The rules of a session, and what it has seen of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    rules: Vec<ProjectRule>,
    /// What each rule with a pattern showed, by its id.
    met: BTreeMap<String, Met>,
    /// Whether the user knows that the file of rules holds others.
    is_told: bool,
}

/// What a rule showed of the session's changes.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    /// Whether any change ever added an occurrence.
    was_broken: bool,
    /// How many the latest one adds.
    now: u32,
}

/// What the rules showed of a change. Its tier is *observed*.
#[derive(Clone, Debug)]
pub(super) struct Ruling {
    /// The files that were compared with those from before the feature.
    tree: TreeId,
    /// The rules that were checked.
    rules: Vec<ProjectRule>,
    added: Added,
}

/// What one rule showed of a change, for programs.
#[derive(Serialize)]
pub(super) struct Ruled<'a> {
    rule: &'a str,
    pattern: Option<&'a str>,
    tier: &'static str,
    tree: &'a TreeId,
    added: Vec<&'a AddedUse>,
    /// Files that could not be compared.
    unread: &'a [String],
}

/// The note about the rules of a new session; `None` without rules.
pub(super) fn account(rules: &[ProjectRule]) -> Option<String> {
    let ids: Vec<String> = rules.iter().map(|rule| rule.id.clone()).collect();
    (!rules.is_empty()).then(|| {
        format!("{} of {RULES_FILE} apply: {}.", count(rules.len() as u64, "rule", "rules"), some(&ids))
    })
}

impl Held {
    pub(super) fn new(rules: Vec<ProjectRule>) -> Self {
        Self { rules, ..Self::default() }
    }

    /// The rules.
    pub(super) fn rules(&self) -> &[ProjectRule] {
        &self.rules
    }

    /// The rules as models are told them; empty without rules.
    pub(super) fn told(&self) -> String {
        let line = |rule: &ProjectRule| {
            let files = if rule.files.is_empty() {
                String::new()
            } else {
                format!(" (in {})", rule.files.join(", "))
            };
            let checked = rule.pattern.as_deref().map(code);
            let checked = checked.map(|code| format!(" A machine refuses a change that adds {code}."));
            format!("{}: {}{files}{}", rule.id, line(&rule.say), checked.unwrap_or_default())
        };
        prompts::rules(&self.rules.iter().map(line).collect::<Vec<_>>())
    }

    fn checked(&self) -> impl Iterator<Item = &ProjectRule> {
        self.rules.iter().filter(|rule| rule.pattern.is_some())
    }

    /// What became of each rule with a pattern in this session.
    pub(super) fn standings(&self) -> Vec<RuleStanding> {
        let standing = |rule: &ProjectRule| {
            let Met { was_broken, now } = self.met.get(&rule.id).copied().unwrap_or_default();
            let standing = match (was_broken, now) {
                (false, _) => Standing::NotAffected,
                (true, 0) => Standing::Applied,
                (true, _) => Standing::Suggested,
            };
            RuleStanding { rule: rule.id.clone(), standing, added: now }
        };
        self.checked().map(standing).collect()
    }

    fn meet(&mut self, added: &Added) {
        let ids: Vec<String> = self.checked().map(|rule| rule.id.clone()).collect();
        for id in ids {
            let uses = added.uses.iter().filter(|one| one.rule == id).count();
            let met = self.met.entry(id).or_default();
            met.now = u32::try_from(uses).unwrap_or(u32::MAX);
            met.was_broken |= met.now > 0;
        }
    }
}

impl Ruling {
    fn is_broken(&self) -> bool {
        !self.added.uses.is_empty()
    }

    /// The new occurrences, one line each.
    fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self
            .added
            .uses
            .iter()
            .take(SHOWN)
            .map(|AddedUse { rule, path, line: number }| {
                let of = self.rules.iter().find(|one| one.id == *rule);
                let pattern = of.and_then(|one| one.pattern.as_deref()).map(code).unwrap_or_default();
                let say = of.map(|one| line(&one.say)).unwrap_or_default();
                format!(
                    "{}, line {number}: {pattern} (rule {rule}: {say})",
                    spelled(std::slice::from_ref(path))
                )
            })
            .collect();
        let more = self.added.uses.len().saturating_sub(SHOWN) as u64 + u64::from(self.added.more);
        if more > 0 {
            lines.push(format!("{more} more"));
        }
        lines
    }

    /// The notes for the user: a heading and a text for each.
    pub(super) fn account(&self) -> Vec<(&'static str, String)> {
        let broken = self.lines().into_iter().map(|line| ("rule of the project broken", line));
        let unread = (!self.added.unread.is_empty())
            .then(|| ("not checked by the project's rules", some(&self.added.unread)));
        broken.chain(unread).collect()
    }

    /// What each rule showed, for programs.
    pub(super) fn document(&self) -> Vec<Ruled<'_>> {
        self.rules
            .iter()
            .map(|rule| Ruled {
                rule: &rule.id,
                pattern: rule.pattern.as_deref(),
                tier: Tier::Observed.word(),
                tree: &self.tree,
                added: self.added.uses.iter().filter(|one| one.rule == rule.id).collect(),
                unread: &self.added.unread,
            })
            .collect()
    }
}

impl Session {
    /// What the shell compares at each look at the files; `None` without rules.
    pub(super) fn hold(&self) -> Option<Box<Hold>> {
        let rules = self.held.rules();
        (!rules.is_empty()).then(|| Box::new(Hold { base: self.base(), rules: rules.to_vec() }))
    }

    /// Holds to these rules from now on.
    pub(super) fn hold_to(&mut self, rules: Vec<ProjectRule>) {
        let ids = |of: &[ProjectRule], without: &[ProjectRule]| -> Vec<String> {
            of.iter().filter(|rule| !without.contains(rule)).map(|rule| rule.id.clone()).collect()
        };
        let (new, gone) = (ids(&rules, &self.held.rules), ids(&self.held.rules, &rules));
        let part = |what: &str, ids: &[String]| {
            if ids.is_empty() { String::new() } else { format!(" {what}: {}.", some(ids)) }
        };
        let (new, gone) = (part("New or changed", &new), part("No longer valid", &gone));
        let note = format!("The rules of the project changed and apply from now on.{new}{gone}");
        self.log(&note);
        self.note(note);
        self.held.rules = rules;
        self.held.is_told = false;
        if let Some(build) = &mut self.build {
            build.rules_changed = true;
        }
    }

    /// Keeps what a look at the files showed of the rules.
    pub(super) fn rule_on(&mut self, look: &TreeTaken, commands: &mut Commands) {
        let TreeTaken { tree, added, rules_differ, .. } = look;
        if let Some(added) = added {
            self.held.meet(added);
        }
        let rules: Vec<ProjectRule> = self.held.checked().cloned().collect();
        if let Some(build) = &mut self.build {
            let ruling = |added: &Added| Ruling { tree: tree.clone(), rules, added: added.clone() };
            build.ruling = added.as_deref().map(ruling);
        }
        if *rules_differ && !std::mem::replace(&mut self.held.is_told, true) {
            let note = format!(
                "{RULES_FILE} was edited while the session was at work. The worker, another program or you in \
                 another OpenCode did it. This session keeps the rules that it has. The file applies from your \
                 next /flow command, so look at it first."
            );
            self.tell(note, commands);
        }
    }

    /// Whether the change that is being built adds what a rule forbids.
    pub(super) fn breaks_rules(&self) -> bool {
        let ruling = self.build.as_ref().and_then(|build| build.ruling.as_ref());
        ruling.is_some_and(Ruling::is_broken)
    }

    /// What a worker is shown of that; `None` when it breaks no rule.
    pub(super) fn broken_rules(&self) -> Option<String> {
        let ruling = self.build.as_ref()?.ruling.as_ref().filter(|ruling| ruling.is_broken())?;
        Some(prompts::broken_rules(&ruling.lines()))
    }

    /// Asks the worker to follow the rules.
    pub(super) fn fix_rules(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(text) = self.broken_rules() else { return };
        let Some(build) = &mut self.build else { return };
        let lines = build.ruling.as_ref().map(Ruling::lines).unwrap_or_default();
        let what = format!("the change breaks rules of the project: {}", lines.join("; "));
        build.tried.push(what.clone());
        self.log(&format!("The checks passed, but {what}"));
        self.fix(files.trees, format!("The checks passed.\n\n{text}"), commands);
    }

    /// Whether every rule was checked on this tree and holds.
    pub(super) fn rules_hold(&self, build: &Build, tree: &TreeId) -> Result<(), NotProven> {
        let rules: Vec<&ProjectRule> = self.held.checked().collect();
        if rules.is_empty() {
            return Ok(());
        }
        let of_tree =
            |ruling: &&Ruling| ruling.tree == *tree && ruling.rules.iter().eq(rules.iter().copied());
        match build.ruling.as_ref().filter(of_tree) {
            None => Err(NotProven::RulesNotChecked),
            Some(ruling) if ruling.is_broken() => Err(NotProven::RuleBroken),
            Some(_) => Ok(()),
        }
    }
}
