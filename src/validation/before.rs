//! The run before on the same subject: what its failed tests saw is shown beside what this run shows for the same criteria.
//!
//! It changes no verdict. The opening has it, so a page that is rendered again compares with the same run. A run counts only if
//! this machine wrote all of its journal. Criteria are the same if id and text are equal: an id alone names another criterion in
//! another run.

use super::failure::{SCREENSHOT, VIDEO, own_shot};
use super::page;
use super::protocol::{Criterion, EvidenceFile, Opening, Scope, Subject, SubjectSource};
use super::run::Run;
use super::session::Session;
use super::stage::Stage;
use super::stored::{self, Found};
use super::verdict::{Judged, JudgedTest, Verdict};
use kernel::clock::iso;
use kernel::digest::sha256;
use kernel::json::Deserialize;
use kernel::origin::Origin;
use kernel::paths::{NAME_LENGTH, is_name};
use kernel::problem::Problem;
use serde::Serialize;

/// The length of a subject's key, in characters.
const KEY: usize = 16;

/// The run before, with the criteria that it found not to be met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationBefore"))]
pub struct Before {
    /// Its directory.
    pub run: String,
    /// What identifies its subject across runs.
    pub subject: String,
    /// When its tests began, in ms.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: u64,
    /// The criteria that were not met. Empty before the shell has opened the run.
    pub failed: Vec<Fell>,
}

/// A criterion that was not met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationFell"))]
pub struct Fell {
    /// The criterion.
    pub criterion: Criterion,
    /// The title of the test that failed.
    pub test: String,
    /// The last screenshot and the last video of that test, as they were recorded; those that exist.
    pub files: Vec<EvidenceFile>,
}

/// What identifies a subject across runs: a file and a session of Flow may change, a text may not.
pub(super) fn key(subject: &Subject) -> String {
    let what = match &subject.source {
        SubjectSource::Text => format!("text {}", subject.text),
        SubjectSource::Flow { session, .. } => format!("flow {session}"),
        SubjectSource::Run { run, design } => format!("run {run}/{design}"),
        SubjectSource::File { path } => format!("file {}", path.trim_start_matches("./")),
    };
    sha256(&what).chars().take(KEY).collect()
}

/// The opening with the run before, for the shell to open: the latest that found a criterion of the same subject to be met or not
/// to be met. There is none if it found all of them to be met.
pub fn found(opening: Opening, stored: &[Found]) -> Opening {
    let key = key(&opening.subject);
    let counts = |run: &Found| {
        let own = run.summary.as_ref().map(|summary| &summary.own).filter(|own| own.subject == key);
        own.and_then(|own| own.counts).filter(|counts| counts.met + counts.not_met > 0)
    };
    let before = stored::latest(stored, |run| stored::is_ours(run) && counts(run).is_some());
    let before =
        before.filter(|run| opening.scope == Scope::Full && counts(run).is_some_and(|one| one.not_met > 0));
    let before = before.map(|run| run.name.clone());
    let before = before.map(|run| Box::new(Before { run, subject: key, ..Before::default() }));
    Opening { before, ..opening }
}

impl Run {
    /// What this run saw, if it is the run before of this name and subject, and this machine wrote it.
    pub fn before(&self, name: &str, subject: &str, origin: Origin) -> Result<Option<Before>, Problem> {
        let session = self.begun()?;
        let is_it = origin == Origin::Here
            && session.is_reported()
            && session.directory.name.as_deref() == Some(name)
            && key(&session.opening.subject) == subject;
        Ok(is_it.then(|| of(session)).filter(|before| !before.failed.is_empty()))
    }
}

impl Before {
    /// When its tests began.
    pub(super) fn time(&self) -> String {
        iso(self.at)
    }

    /// Whether its name is that of a run: a journal can come from anyone.
    pub(super) fn is_plain(&self) -> bool {
        is_name(&self.run, NAME_LENGTH)
    }
}

fn of(session: &Session) -> Before {
    let fell = |one: Judged| {
        let test = one.tests.iter().find(|test| test.verdict == Verdict::NotMet)?;
        Some(Fell {
            test: test.title.clone(),
            files: files_of(session, test).into_iter().cloned().collect(),
            criterion: Criterion { id: one.id, text: one.text },
        })
    };
    let began = session.stages.get(&Stage::TestExecute).and_then(|record| record.began);
    Before {
        run: session.directory.name.clone().unwrap_or_default(),
        subject: key(&session.opening.subject),
        at: began.unwrap_or(session.calls.clock.began),
        failed: session
            .judged()
            .into_iter()
            .filter(|one| one.verdict == Verdict::NotMet)
            .filter_map(fell)
            .collect(),
    }
}

/// The last screenshot and the last video of a test that are Playwright's own.
fn files_of<'a>(session: &'a Session, test: &JudgedTest) -> Vec<&'a EvidenceFile> {
    let shown = page::shown(session);
    let Some((_, seen)) = shown.into_iter().find(|(_, seen)| test.is_of(seen)) else { return Vec::new() };
    let file_of = |name: &str| {
        let left = own_shot(seen, name)?;
        session.evidence.iter().find(|file| file.path == left.path)
    };
    [file_of(SCREENSHOT), file_of(VIDEO)].into_iter().flatten().collect()
}

/// A criterion that the run before found not to be met, and that is met now.
pub(super) struct Pair<'a> {
    pub(super) id: String,
    pub(super) run: &'a str,
    pub(super) time: String,
    pub(super) fell: &'a Fell,
    /// The title of the test that passed; `None` when only a command decides the criterion now.
    pub(super) test: Option<String>,
    /// Its files.
    pub(super) after: Vec<&'a EvidenceFile>,
}

/// The criteria that can be compared with the run before.
pub(super) fn pairs<'a>(session: &'a Session, judged: &[Judged]) -> Vec<Pair<'a>> {
    judged.iter().filter_map(|one| pair(session, one)).collect()
}

/// The comparison of a criterion with the run before. The same test is shown, if it exists.
pub(super) fn pair<'a>(session: &'a Session, judged: &Judged) -> Option<Pair<'a>> {
    let before = session.opening.before.as_ref().filter(|_| judged.verdict == Verdict::Met)?;
    let is_its = |fell: &&Fell| fell.criterion.id == judged.id && fell.criterion.text == judged.text;
    let fell = before.failed.iter().find(is_its)?;
    let mut passed = judged.tests.iter().filter(|test| test.verdict == Verdict::Met);
    let test = passed.clone().find(|test| test.title == fell.test).or_else(|| passed.next());
    Some(Pair {
        id: judged.id.clone(),
        run: &before.run,
        time: before.time(),
        fell,
        test: test.map(|test| test.title.clone()),
        after: test.map(|test| files_of(session, test)).unwrap_or_default(),
    })
}

impl<'a> Pair<'a> {
    /// The pictures before and after, each `None` when none was recorded.
    pub(super) fn pictures(&self) -> [Option<&'a EvidenceFile>; 2] {
        self.both(page::is_picture)
    }

    /// The same of the videos.
    pub(super) fn videos(&self) -> [Option<&'a EvidenceFile>; 2] {
        self.both(page::is_video)
    }

    /// Both sides in words, a line each.
    pub(super) fn lines(&self) -> [String; 2] {
        let [before, after] = self.pictures();
        let before = before.map(|file| format!("../{}/{}", self.run, file.path));
        let picture = |path: Option<String>| match path {
            Some(path) => format!("Picture: {path}"),
            None => "No picture was recorded".to_owned(),
        };
        let after = picture(after.map(|file| file.path.clone()));
        let test = self.test.as_ref().map(|test| format!(": {test} passed")).unwrap_or_default();
        [
            format!(
                "Before, in {} at {}: {} failed. {}",
                self.run,
                self.time,
                self.fell.test,
                picture(before)
            ),
            format!("After, in this run{test}. {after}"),
        ]
    }

    fn both(&self, kind: fn(&str) -> bool) -> [Option<&'a EvidenceFile>; 2] {
        let after = self.after.iter().copied().find(|file| kind(&file.path));
        [self.fell.files.iter().find(|file| kind(&file.path)), after]
    }
}
