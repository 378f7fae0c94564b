//! A digest of the project for models that can't call tools and so don't see it: the names of its files, and the beginnings of the
//! read-me and the manifests. It is made only if the user allows it with `brief`. The journal's opening contains it, so a resumed run
//! sends the same.
//!
//! The shell lists the project like an attached folder: without key files, files that git ignores, and the runs' own files
//! ([`crate::design_lab::attachments`]). Files that `isolation.blocked_patterns` hides from designers are not part of it either.

use super::opening::OpeningInput;
use super::protocol::Opening;
use crate::design_lab::attachments::{Attached, Attachment, Content, Entry};
use crate::design_lab::config::{self, AvailableModels, Config, briefs};
use crate::design_lab::isolation::is_blocked;
use crate::shared::capped::capped;
use crate::shared::figures::{count, size};
use design_lab_numerics::sorting::sort;
use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;
use std::fmt::Write as _;

/// The maximum number of named files.
const MOST_NAMES: usize = 200;
/// The maximum total length of the names, in characters.
const NAMES: usize = 8_000;
/// The maximum number of characters shown of one file.
const SHOWN: usize = 6_000;
/// The maximum size of a file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;
/// The maximum number of manifests shown.
const MOST_MANIFESTS: usize = 2;
/// The maximum size of a digest in a journal, in bytes.
const MOST: usize = 256 * 1024;

/// The files that describe how a project is built, at its root; the first ones found are used.
const MANIFESTS: [&str; 10] = [
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "Gemfile",
    "CMakeLists.txt",
];

/// A digest of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Brief {
    /// The digest.
    pub text: String,
    /// A description of its content.
    pub holds: String,
}

/// Whether a run that starts with this input needs a digest of the project and the user allows it: one of its models can't call tools.
pub fn wants_brief(input: &OpeningInput) -> bool {
    briefs(&input.sources) && configured(input).is_some_and(|config| lacks(&config, &input.available))
}

/// The listed files that are read for the project's digest.
pub fn files_for_brief(input: &OpeningInput, listed: &Attached) -> Vec<String> {
    let Some(config) = configured(input) else { return Vec::new() };
    shown(&files(listed, &config)).into_iter().map(|file| file.path.clone()).collect()
}

/// The digest of the files that the shell has listed and read; `None` when there are none, or no model needs it.
pub(super) fn brief(input: &OpeningInput, config: &Config) -> Option<Brief> {
    let Attachment { attached, read } = input.brief.as_ref()?;
    if !briefs(&input.sources) || !lacks(config, &input.available) {
        return None;
    }
    let files = files(attached, config);
    let mut text = format!("These are files of the project:\n\n{}", names(&files, attached));
    let mut holds = vec![format!("the names of {}", count(files.len() as u64, "file", "files"))];
    for file in shown(&files) {
        let content = read.iter().find(|read| read.path == file.path).and_then(|read| read.text.as_deref());
        if let Some(content) = content.filter(|content| !content.contains('\0') && !content.trim().is_empty())
        {
            let name = visible::line(&file.path);
            let _ = write!(text, "\n\n### {name}\n\n{}", capped(content.trim(), SHOWN));
            holds.push(name);
        }
    }
    let holds = format!("{}; {}", holds.join(", "), size(text.len() as u64));
    (!files.is_empty()).then_some(Brief { text, holds })
}

/// Whether a journal may have this digest; the error is the end of a sentence.
pub(super) fn admit(opening: &Opening) -> Result<(), String> {
    match &opening.brief {
        Some(brief) if brief.text.len() > MOST => Err(format!("a digest of {} bytes", brief.text.len())),
        _ => Ok(()),
    }
}

fn configured(input: &OpeningInput) -> Option<Config> {
    config::load(&input.sources, &input.files, &input.available).ok().map(|loaded| loaded.config)
}

/// Whether one of the designers and reviewers can't call tools.
fn lacks(config: &Config, available: &AvailableModels) -> bool {
    let designers = config.design_models.iter();
    let mut all = designers.chain(config.review_models.iter().map(|entry| &entry.model));
    all.any(|model| available.lacks_tools(&model.model_id))
}

/// The listed files that designers may read, sorted.
fn files<'a>(listed: &'a Attached, config: &Config) -> Vec<&'a Entry> {
    let Content::Folder { files, .. } = &listed.content else { return Vec::new() };
    let patterns = &config.isolation.blocked_patterns;
    let mut files: Vec<&Entry> = files.iter().filter(|file| !is_blocked(patterns, &file.path)).collect();
    sort(&mut files);
    files
}

/// The read-me and the first manifests.
fn shown<'a>(files: &[&'a Entry]) -> Vec<&'a Entry> {
    let small = |file: &&&Entry| file.size <= LARGEST && !file.path.contains('/');
    let is_read_me = |file: &&&Entry| {
        let stem = file.path.split('.').next().unwrap_or_default();
        stem.eq_ignore_ascii_case("readme")
    };
    let read_me = files.iter().filter(small).find(is_read_me);
    let manifests =
        MANIFESTS.iter().filter_map(|name| files.iter().filter(small).find(|file| file.path == *name));
    read_me.into_iter().chain(manifests.take(MOST_MANIFESTS)).copied().collect()
}

/// The names of the files, as many as fit.
fn names(files: &[&Entry], listed: &Attached) -> String {
    let mut list = String::new();
    let mut named = 0;
    for file in files.iter().take(MOST_NAMES) {
        let line = format!("- {}\n", visible::line(&file.path));
        if list.len() + line.len() > NAMES {
            break;
        }
        list.push_str(&line);
        named += 1;
    }
    let left = files.len() - named;
    let more = matches!(&listed.content, Content::Folder { more: true, .. });
    match (left, more) {
        (0, false) => {}
        (_, true) => list.push_str("- and more"),
        (left, false) => {
            let _ = write!(list, "- and {left} more");
        }
    }
    list.trim_end().to_owned()
}
