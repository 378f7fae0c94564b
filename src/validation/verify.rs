//! Whether the files of a run match its journal, in any checkout, without a host and without a model.
//!
//! The journal itself, its chain and each of its events, was checked when it was replayed, and the verdict is computed again from it.
//! The shell reads the files of evidence and those that are rendered from the journal, and this module compares them.

use super::code::ValidationCode;
use super::files::PAGE;
use super::protocol::EvidenceFile;
use super::report::sentence;
use super::session::Session;
use super::status;
use crate::shared::figures::count;
use kernel::journal::{self, Chain};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use std::fmt::Write as _;

/// What the shell found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSeen"))]
pub struct Seen {
    /// The text of the journal.
    pub journal: String,
    /// A head that someone wrote down, or its beginning.
    pub head: Option<String>,
    /// Every file that now exists where evidence is kept.
    pub evidence: Vec<EvidenceFile>,
    /// The files that a run renders from its journal: its reports, and what the models said.
    pub rendered: Vec<RenderedFile>,
    /// The version of this package.
    pub package: String,
}

/// A file that a run renders from its journal.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationRenderedFile"))]
pub struct RenderedFile {
    /// Its path, relative to the run's directory.
    pub path: String,
    /// The SHA-256 digest in hex of the file on disk; `None` when it is missing.
    pub found: Option<String>,
    /// The same of what the journal gives; `None` when it gives no such file.
    pub meant: Option<String>,
}

/// An account if everything matches the journal; otherwise the differences.
pub(super) fn verify(session: &Session, chain: &Chain, seen: &Seen) -> Result<String, Vec<Problem>> {
    let evidence = evidence(session, seen);
    // Pictures are evidence, and part of the page.
    let rendered = rendered(session, seen, evidence.is_empty());
    let problems: Vec<Problem> = head(seen, chain).into_iter().chain(evidence).chain(rendered).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let title = visible::line(&session.opening.subject.title);
    let mut out = format!("Validation · {} · {title}\n\n", status::status(session).words());
    let lines = count(chain.lines(), "line", "lines");
    let _ = writeln!(out, "Journal   {lines}, each chained to the lines before it");
    let _ = writeln!(out, "Head      {}", chain.head());
    let _ = if session.is_reported() {
        let files = count(session.evidence.len() as u64, "file", "files");
        writeln!(out, "Evidence  {files}, unchanged since the run ended")
    } else {
        writeln!(out, "Evidence  not compared: the run has no report")
    };
    let _ = writeln!(out, "Reports   {}", account_of_rendered(session, seen));
    let _ =
        writeln!(out, "Verdict   computed again from the journal. {}", sentence(session, &session.judged()));
    Ok(out)
}

fn head(seen: &Seen, chain: &Chain) -> Option<Problem> {
    let noted = seen.head.as_deref()?;
    if journal::is_head(noted, &seen.journal, chain) {
        return None;
    }
    Some(journal::no_head(
        Problem::new(ValidationCode::Head, "The journal doesn't continue from the given head."),
        noted,
        chain,
    ))
}

/// Whether the same version of this package rendered the run's files: another one may word them differently.
fn is_same_package(session: &Session, seen: &Seen) -> bool {
    session.opening.package == seen.package
}

fn rendered(session: &Session, seen: &Seen, compares_page: bool) -> Vec<Problem> {
    let is_same = is_same_package(session, seen);
    let differs = |file: &RenderedFile| {
        let path = visible::line(&file.path);
        let found = file.found.as_ref()?;
        match &file.meant {
            Some(meant) if meant == found || !is_same => None,
            Some(_) if file.path == PAGE && !compares_page => None,
            Some(_) => Some(
                Problem::new(ValidationCode::Evidence, format!("The file {path} differs from what the journal records."))
                    .next(
                        "`npx opencode-design-lab validation report` writes it again from the journal. If another version of \
                         Design Lab wrote it, only the wording may differ.",
                    ),
            ),
            None => Some(
                Problem::new(ValidationCode::Evidence, format!("{path} exists, but the journal doesn't mention it."))
                    .next("If the run was interrupted, type /validate-resume. Otherwise lines are missing at \
                           the end of the journal: restore journal.jsonl from a copy."),
            ),
        }
    };
    seen.rendered.iter().filter_map(differs).collect()
}

/// The same in words if nothing differs.
fn account_of_rendered(session: &Session, seen: &Seen) -> String {
    if !is_same_package(session, seen) {
        return format!(
            "not compared, because Design Lab {} wrote them",
            visible::line(&session.opening.package)
        );
    }
    let meant = || seen.rendered.iter().filter(|file| file.meant.is_some());
    let there = count(meant().filter(|file| file.found.is_some()).count() as u64, "file", "files");
    match meant().filter(|file| file.found.is_none()).count() {
        0 => format!("{there} as recorded in the journal"),
        missing if missing == meant().count() => "none on disk: `validation report` writes them".to_owned(),
        missing => format!("{there} as recorded in the journal; {missing} missing"),
    }
}

fn evidence(session: &Session, seen: &Seen) -> Vec<Problem> {
    if !session.is_reported() {
        return Vec::new();
    }
    let differs = |path: &str, what: &str| {
        Problem::new(ValidationCode::Evidence, format!("The file {} {what}.", visible::line(path)))
    };
    let restore = |file: &EvidenceFile| {
        format!("Restore it from your own copy, with SHA-256 {}. Design Lab keeps no copy.", file.sha256)
    };
    let now = |path: &str| seen.evidence.iter().find(|file| file.path == path);
    let recorded = session.evidence.iter().filter_map(|file| match now(&file.path) {
        Some(found) if found == file => None,
        Some(found) => Some(
            differs(&file.path, "differs from what was recorded")
                .found(format!("SHA-256 {}", found.sha256))
                .next(restore(file)),
        ),
        None => Some(differs(&file.path, "is missing").next(restore(file))),
    });
    let is_known = |file: &&EvidenceFile| session.evidence.iter().any(|one| one.path == file.path);
    let added = seen.evidence.iter().filter(|file| !is_known(file)).map(|file| {
        differs(&file.path, "was added after the run ended")
            .next("It isn't part of the run's evidence: move it elsewhere.")
    });
    recorded.chain(added).collect()
}
