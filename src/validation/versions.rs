//! Ensures that a verdict is about one version: every pass runs on the files of the first pass, or the passes start again.
//!
//! The tree of the project's files is read when each pass starts. Files that the application writes while it runs are its own data
//! and don't count: the report names their paths, and no pass is compared by them. Nor do files count that Git ignores.

use super::files::seen_in;
use super::protocol::{Against, Effect, FilesSeen, Paths};
use super::session::{Commands, Pass, Phase, Session};
use super::stage::{Stage, StageFault};
use super::verdict::pass_words;
use crate::shared::figures::count;
use design_lab_numerics::sorting::set;
use kernel::drive;
use kernel::protocol::Tone;
use kernel::visible;
use std::collections::BTreeSet;

/// The maximum number of files that are named.
const NAMED: usize = 5;

/// OpenCode's own directory: it contains the run's settings, which the journal has, and nothing of the application.
const OPENCODE: &str = ".opencode/";

/// Whether the passes started again because files had changed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BeganAgain {
    /// Whether they did. They do so only once, until the user continues the run.
    pub(super) once: bool,
    /// Whether the checks have to run again before the servers start.
    pub(super) checks_due: bool,
}

impl Session {
    /// The tree that the first pass ran on. `None` before there is one, and in older journals.
    pub(super) fn first_tree(&self) -> Option<String> {
        self.passes.iter().find_map(tree).map(str::to_owned)
    }

    /// The files that the application wrote while it was tested.
    pub(super) fn written(&self) -> BTreeSet<&str> {
        let written = self.passes.iter().filter_map(|pass| pass.noted.written.as_ref());
        set(written.flat_map(|paths| &paths.paths).map(String::as_str).filter(|path| counts(path)))
    }

    /// The same in a sentence; `None` if it wrote nothing.
    fn account_of_written(&self) -> Option<String> {
        let written = self.written();
        let wording = named(written.iter().copied(), written.len());
        (!written.is_empty()).then(|| {
            format!("While the application was tested, these files changed and count as its data: {wording}.")
        })
    }

    /// The notes for the reports, which have lines of their own for the models.
    pub(super) fn report_notes(&self) -> Vec<String> {
        let models = self.opening.models.wording(self.scope());
        self.told_notes().into_iter().filter(|note| *note != models).collect()
    }

    /// The notes on the run for the user.
    pub(super) fn told_notes(&self) -> Vec<String> {
        let further = [self.account_of_written(), self.account_of_seed(), self.account_of_ports()];
        self.notes.iter().cloned().chain(further.into_iter().flatten()).collect()
    }

    /// The seed of the rules that tests tried, in a sentence; `None` if no test tried one.
    fn account_of_seed(&self) -> Option<String> {
        let is_used = seen_in(self).any(|(_, test)| !test.rules.is_empty());
        let seed = self.opening.rule_seed.filter(|_| is_used)?;
        Some(format!(
            "The inputs with which tests tried rules come from the seed {seed}. /validate --again tries the \
             same inputs."
        ))
    }

    /// The ports of the application that the settings don't name, in a sentence; `None` if there are none.
    fn account_of_ports(&self) -> Option<String> {
        let ports = set(self.passes.iter().flat_map(|pass| &pass.noted.ports).copied());
        let named: Vec<String> = ports.iter().map(u16::to_string).collect();
        (!ports.is_empty()).then(|| {
            let what = if named.len() == 1 { "a port" } else { "ports" };
            format!(
                "The servers also listened on {what} that the settings don't name: {}. Only the live \
                 counterfeit answers there; the other counterfeits don't.",
                named.join(", ")
            )
        })
    }

    pub(super) fn files_seen(&mut self, effect: u32, files: FilesSeen, commands: &mut Commands) {
        let is_meant = |one: &&Effect| one.number() == effect && matches!(one, Effect::RunTests { .. });
        if !matches!(self.phase, Phase::At(_)) || !self.effects.under_way().iter().any(|one| is_meant(&one)) {
            return;
        }
        if let FilesSeen::Untold { message } = &files {
            let message = message.trim_end_matches('.');
            let note = format!(
                "It is unknown whether files changed between the passes: {}.",
                visible::line(message)
            );
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let wording = self.differing(&files);
        self.seen = Some((effect, files));
        if let Some(wording) = wording {
            self.begin_again(&wording, commands);
        }
    }

    /// What differs from the files of the first pass, in words; `None` if nothing that counts differs, or it is unknown.
    fn differing(&self, files: &FilesSeen) -> Option<String> {
        let FilesSeen::Tree { tree, changed } = files else { return None };
        if self.first_tree().is_none_or(|first| first == *tree) {
            return None;
        }
        let Some(Paths { paths, count }) = changed else {
            return Some("it is unknown which".to_owned());
        };
        let written = self.written();
        let differ: Vec<&str> =
            paths.iter().map(String::as_str).filter(|path| counts(path) && !written.contains(path)).collect();
        let unlisted = (*count as usize).saturating_sub(paths.len());
        let number = differ.len() + unlisted;
        (number > 0).then(|| named(differ.into_iter(), number))
    }

    /// Starts the passes again on the files as they are now, because results from other files don't count. The second time, the run
    /// ends instead.
    fn begin_again(&mut self, differing: &str, commands: &mut Commands) {
        let after = self.passes.last().map(|pass| pass_name(pass.against, pass.number)).unwrap_or_default();
        self.passes.clear();
        self.checked.clear();
        self.looked = None;
        self.is_afresh = false;
        self.again.checks_due = true;
        self.drop_effects();
        // The counterfeits run again, too.
        self.stages.remove(&Stage::NegativeControl);
        self.stages.entry(Stage::TestExecute).or_default().ended = None;
        self.phase = Phase::At(Stage::TestExecute);
        if self.again.once {
            let message = format!("Files changed again after {after}: {differing}. No pass counts.");
            let next = "Make sure that nothing changes these files during the tests, and let git ignore what \
                        the application writes. Then continue with /validate-resume: the passes start again.";
            return self.fail(StageFault { message, next: next.to_owned() }, commands);
        }
        self.again.once = true;
        let note = format!(
            "Files changed after {after} ({differing}). The passes started again, and the earlier ones don't \
             count."
        );
        commands.push(drive::notice(Tone::Warning, note.trim_end_matches('.').to_owned()));
        self.notes.push(note);
        self.begin(|effect| Effect::StopServers { effect }, commands);
    }
}

/// Whether a change of this file changes what is tested.
fn counts(path: &str) -> bool {
    !path.starts_with(OPENCODE)
}

/// The tree that a pass ran on.
pub(super) fn tree(pass: &Pass) -> Option<&str> {
    match &pass.files {
        Some(FilesSeen::Tree { tree, .. }) => Some(tree),
        _ => None,
    }
}

/// A pass, in words.
pub(super) fn pass_name(against: Against, number: u32) -> String {
    match against {
        Against::Application => format!("pass {number}"),
        against => format!("the pass against {}", pass_words(against, number)),
    }
}

/// The first of some files, and how many more there are.
fn named<'a>(files: impl Iterator<Item = &'a str>, number: usize) -> String {
    let named: Vec<String> = files.take(NAMED).map(visible::line).collect();
    match number.saturating_sub(named.len()) {
        more if named.is_empty() => count(more as u64, "file", "files"),
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
