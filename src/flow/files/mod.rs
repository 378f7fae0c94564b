//! The files of a session: for programs `session.json` and a file on each feature, for people `docs/index.md`, a page on each
//! feature, and everything as `report.html`. All are rendered from the state and never read back.
//!
//! A step of a feature changes few of them, and only those are rendered, so a session of many features stays as fast as a small
//! one.

mod feature_json;
mod feature_page;
mod index;
mod session_json;

use super::page;
use super::plan::Feature;
use super::session::Session;
use kernel::visible;

/// The page on the session.
pub(super) const PAGE: &str = "report.html";

/// The format of the files for programs.
const VERSION: u32 = 2;

/// Every file that should be on disk when a feature begins, when it ends, and at rest, except the outputs of checks. `head`: the
/// head of the journal.
pub(super) fn files(session: &Session, head: &str) -> Vec<(String, String)> {
    if session.directory.name.is_none() {
        return Vec::new();
    }
    let mut files = vec![
        overview(session),
        ("docs/index.md".to_owned(), index::index(session, head)),
        (PAGE.to_owned(), page::page(session, head)),
    ];
    files.extend(session.all_planned().flat_map(|feature| about(session, feature)));
    files
}

/// The files that a step of a feature may have changed. The index and the report, whose history grows with the session, wait until
/// the feature ends.
pub(super) fn files_of_step(session: &Session, feature: &str) -> Vec<(String, String)> {
    let mut files = vec![overview(session)];
    files.extend(
        session.all_planned().filter(|one| one.id == feature).flat_map(|feature| about(session, feature)),
    );
    files
}

/// Written on one line, because it is written at every step and a third of it would be indentation.
fn overview(session: &Session) -> (String, String) {
    (
        "session.json".to_owned(),
        json(serde_json::to_string(&session_json::document(session)).unwrap_or_default()),
    )
}

/// The page of a feature, and its file.
fn about(session: &Session, feature: &Feature) -> [(String, String); 2] {
    [
        (format!("docs/{}", page_of(&feature.id)), feature_page::page(session, feature)),
        (file_of(&feature.id), json(kernel::json::pretty(&feature_json::document(session, feature)))),
    ]
}

/// The leftover files of features that the plan no longer has.
pub(super) fn stale(session: &Session) -> Vec<String> {
    session.dropped.iter().flat_map(|id| [format!("docs/{}", page_of(id)), file_of(id)]).collect()
}

/// The path of a feature's page, below `docs/`.
fn page_of(feature: &str) -> String {
    format!("features/{feature}.md")
}

fn file_of(feature: &str) -> String {
    format!("features/{feature}.json")
}

fn json(document: String) -> String {
    visible::json(document) + "\n"
}
