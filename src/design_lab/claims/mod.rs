//! What designs state about the project, and whether it is true.
//!
//! Nothing here believes a model: [`wanted`] turns claims into names, the shell looks the names up in the project, and [`check`] gives
//! the verdicts. The shell looks up paths by itself. For the other names, [`lookups`] tells it which words to search in which files,
//! and [`declared`] reads the manifests that it has read. The answer's event contains what was found, so that a replay gives the same
//! verdicts.
//!
//! | module | job |
//! |---|---|
//! | `name` | the name of a claim → the name under which it is looked up |
//! | `manifests` | manifests and lock files → the dependencies and scripts that they declare |

mod manifests;
mod name;

pub use manifests::{Manifest, declared};

use crate::design_lab::artefacts::{
    Claim, ClaimFinding, ClaimKind, ClaimState,
    ClaimVerdict::{self, AsStated, NotChecked, NotFound, Wrong},
};
use crate::design_lab::attachments::{Attached, Content, Entry, is_secret};
use crate::design_lab::isolation::{is_blocked, is_kept};
use crate::shared::citation::Citation;
use design_lab_numerics::sorting::sort_by_key;
use kernel::json::Deserialize;
use kernel::protocol::{LookedUp, PathFound};
use kernel::visible;
use name::{CODE, Wanted, is_concrete};
use serde::Serialize;

/// The largest source file that is searched, in bytes.
const LARGEST: u64 = 1024 * 1024;
/// The most bytes that are searched for the claims of one design.
const SEARCHED: u64 = 64 * 1024 * 1024;
/// The most bytes of manifests and lock files that are read, those nearest to the root first.
const MOST_MANIFEST_BYTES: u64 = 16 * 1024 * 1024;
/// The largest manifest that is read, in bytes; lock files may be larger.
const LARGEST_MANIFEST: u64 = 1024 * 1024;
/// The most manifests that are read.
const MOST_MANIFESTS: usize = 60;
/// The longest place that is shown, in characters: a project may contain any text.
const LONGEST_PLACE: usize = 160;

/// What the shell has to read to look up names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lookups {
    /// The searches: a name is found where a file contains all its words.
    pub searches: Vec<NameSearch>,
    /// The files to search.
    pub sources: Vec<String>,
    /// Whether the project has code that is not searched, so that a name that isn't found may still exist.
    pub partial: bool,
    /// The names that [`declared`] looks up.
    pub declared: Vec<String>,
    /// The files to read for it.
    pub manifests: Vec<String>,
    /// Whether the project has manifests that are not read.
    pub partly_declared: bool,
    /// The paths that the shell looks up by itself.
    pub paths: Vec<String>,
    /// What the list of files has already answered.
    pub known: Vec<LookedUp>,
}

/// A name to search for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NameSearch {
    /// The name, as [`LookedUp::path`] repeats it.
    pub name: String,
    /// Its words; the line of the last one is where the name was found.
    pub words: Vec<String>,
}

/// The names of a design's claims. For a design that claims nothing, whether the project contains code at all. `blocked` are the
/// patterns of files that designers may not read.
pub(crate) fn wanted(claims: &[Claim], blocked: &[String]) -> Vec<String> {
    if claims.is_empty() {
        return vec![CODE.to_owned()];
    }
    let wanted = claims.iter().filter_map(Wanted::of);
    let may_know = |wanted: &Wanted| match wanted {
        Wanted::Path(cited) => may_look_at(&cited.path, blocked),
        _ => true,
    };
    wanted.filter(may_know).map(|wanted| wanted.to_string()).collect()
}

/// Whether a model may learn whether this path exists. A path may also be relative to the repository's root, above the project.
fn may_look_at(path: &str, blocked: &[String]) -> bool {
    let mut below = path;
    loop {
        if is_blocked(blocked, below) {
            return false;
        }
        match below.split_once('/') {
            Some((_, rest)) => below = rest,
            None => break,
        }
    }
    let segments: Vec<&str> = path.split('/').collect();
    let is_of_git = segments.iter().any(|segment| segment.eq_ignore_ascii_case(".git"));
    !is_of_git && !is_secret(path) && !is_kept(&segments) && !is_of_host(path)
}

/// The places in the project that a review cites and that can be judged: a line of a file by a plain path. Anything else may be a
/// file that a design adds, an address, a route or a module.
pub(crate) fn cited_places(text: &str, blocked: &[String]) -> Vec<Citation> {
    let is_place = |cited: &Citation| {
        cited.line.is_some()
            && is_concrete(&cited.path)
            && (cited.path.contains('/') || is_code(&cited.path))
            && may_look_at(&cited.path, blocked)
    };
    Citation::all_in(text).into_iter().filter(is_place).collect()
}

/// What the shell has to read to look up these names in the listed project.
pub fn lookups(names: &[String], listed: &Attached, blocked: &[String]) -> Lookups {
    let mut lookups = Lookups::default();
    for name in names {
        match Wanted::named(name) {
            Wanted::Path(_) => lookups.paths.push(name.clone()),
            Wanted::Code => {}
            Wanted::Symbol(symbol) => {
                lookups.searches.push(NameSearch { name: name.clone(), words: name::words(&symbol) });
            }
            Wanted::Dependency { .. } | Wanted::Script(_) => lookups.declared.push(name.clone()),
        }
    }
    let Content::Folder { files, more, .. } = &listed.content else {
        return Lookups { partial: true, partly_declared: true, ..lookups };
    };
    (lookups.partial, lookups.partly_declared) = (*more, *more);
    let may_read = |file: &&Entry| may_look_at(&file.path, blocked);
    let files: Vec<&Entry> = files.iter().filter(may_read).collect();
    if names.iter().any(|name| name == CODE) {
        let has_code = files.iter().any(|file| is_code(&file.path));
        let found = if has_code { PathFound::File } else { PathFound::Nothing };
        lookups.known.push(LookedUp { path: CODE.to_owned(), found, lines: None, place: None });
    }
    if !lookups.searches.is_empty() {
        let mut left = SEARCHED;
        for file in files.iter().filter(|file| is_code(&file.path)) {
            if file.size > LARGEST.min(left) {
                lookups.partial = true;
            } else {
                left -= file.size;
                lookups.sources.push(file.path.clone());
            }
        }
    }
    if !lookups.declared.is_empty() {
        let mut read: Vec<&&Entry> = files.iter().filter(|file| manifests::is_manifest(&file.path)).collect();
        sort_by_key(&mut read, |file| file.path.matches('/').count());
        let mut left = MOST_MANIFEST_BYTES;
        for file in read {
            let is_large = file.size > LARGEST_MANIFEST && !manifests::is_lock_file(&file.path);
            if is_large || file.size > left || lookups.manifests.len() == MOST_MANIFESTS {
                lookups.partly_declared = true;
            } else {
                left -= file.size;
                lookups.manifests.push(file.path.clone());
            }
        }
    }
    lookups
}

/// Whether a design without claims has to be asked for some: the project is known to contain code.
pub(crate) fn has_code(looked_up: &[LookedUp]) -> bool {
    looked_up.iter().any(|one| one.path == CODE && one.found == PathFound::File)
}

/// Writes the verdicts to the claims.
pub(crate) fn check(claims: &mut [Claim], looked_up: &[LookedUp]) {
    for claim in claims {
        let (verdict, why) = verdict(claim, looked_up);
        let why = visible::line(&why).chars().take(LONGEST_PLACE).collect();
        claim.finding = Some(ClaimFinding { verdict, why });
    }
}

fn verdict(claim: &Claim, looked_up: &[LookedUp]) -> (ClaimVerdict, String) {
    let said = |verdict: ClaimVerdict, why: &str| (verdict, why.to_owned());
    if claim.kind == ClaimKind::Other {
        return said(NotChecked, "statements of this kind can't be looked up");
    }
    let Some(wanted) = Wanted::of(claim) else { return said(NotChecked, "this name can't be looked up") };
    let name = wanted.to_string();
    let Some(found) = looked_up.iter().find(|one| one.path == name) else {
        return said(NotChecked, "it was not looked up");
    };
    let place = found.place.as_deref();
    let is_new = claim.state == ClaimState::ToBeMade;
    match (&wanted, found.found) {
        (Wanted::Path(_), PathFound::Outside) => said(NotChecked, "it lies outside the project"),
        (Wanted::Path(_), PathFound::Other) if place.is_some() => said(NotChecked, place.unwrap_or_default()),
        (Wanted::Path(_), PathFound::File | PathFound::Other) if is_new => said(Wrong, "it already exists"),
        (Wanted::Path(_), PathFound::Nothing) if is_new => said(AsStated, "it doesn't exist yet"),
        (Wanted::Path(cited), PathFound::Nothing) if has_ending(&cited.path) => {
            said(Wrong, "it doesn't exist")
        }
        (Wanted::Path(_), PathFound::Nothing) => said(NotFound, "no file or folder has this path"),
        (Wanted::Path(cited), PathFound::File | PathFound::Other) => in_file(cited, found.lines),
        (_, PathFound::Other | PathFound::Outside) => {
            said(NotChecked, place.unwrap_or("not all of the project could be searched"))
        }
        // Another part of the project may have it.
        (Wanted::Symbol(_) | Wanted::Script(_), PathFound::File) if is_new => {
            (NotChecked, format!("the name already occurs: {}", place.unwrap_or_default()))
        }
        (Wanted::Dependency { .. }, PathFound::File) if is_new => {
            (Wrong, format!("it already exists: {}", place.unwrap_or_default()))
        }
        (_, PathFound::File) => said(AsStated, place.unwrap_or("it exists")),
        (_, PathFound::Nothing) if is_new => said(AsStated, "it doesn't exist yet"),
        (Wanted::Symbol(_), PathFound::Nothing) => {
            said(NotFound, "no code of the project contains this name")
        }
        (_, PathFound::Nothing) => match place {
            // It is declared, but with another version.
            Some(other) => said(Wrong, other),
            None => said(NotFound, "no manifest of the project that was read declares it"),
        },
    }
}

/// The verdict on a path that exists, with the line that the claim names.
fn in_file(cited: &Citation, lines: Option<u32>) -> (ClaimVerdict, String) {
    cited.lacking_line(lines).map_or_else(|| (AsStated, "it exists".to_owned()), |why| (Wrong, why))
}

/// Whether a path names one file: without an ending, it may also be the name of a module.
fn has_ending(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'))
}

/// Whether a file belongs to the configuration of OpenCode, which names the run's models.
fn is_of_host(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    path.split('/').any(|segment| matches!(segment, ".opencode" | ".kilo" | ".kilocode"))
        || ["opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc"].contains(&name)
}

/// The endings of files with code.
const CODE_ENDINGS: [&str; 44] = [
    "astro", "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "elm", "erl", "ex", "exs", "fs", "go", "gleam",
    "groovy", "h", "hpp", "hs", "java", "jl", "js", "jsx", "kt", "kts", "lua", "m", "mjs", "ml", "nim",
    "php", "pl", "py", "r", "rb", "rs", "scala", "sh", "sql", "svelte", "swift", "ts", "tsx", "vue",
];

fn is_code(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| CODE_ENDINGS.iter().any(|code| ending.eq_ignore_ascii_case(code)))
}

#[cfg(test)]
mod tests;
