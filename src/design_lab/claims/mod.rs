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

use crate::design_lab::artefacts::{Claim, ClaimFinding, ClaimKind, ClaimState, ClaimVerdict};
use crate::design_lab::attachments::{Attached, Content, Entry};
use crate::design_lab::isolation::is_blocked;
use crate::shared::citation::Citation;
use design_lab_numerics::sorting::sort_by_key;
use kernel::protocol::{LookedUp, PathFound};
use name::{CODE, Wanted};
use serde::{Deserialize, Serialize};

/// The most claims of one design that are looked up.
const MOST: usize = 40;
/// The largest source file that is searched, in bytes.
const LARGEST: u64 = 1024 * 1024;
/// The most bytes that are searched for the claims of one design.
const SEARCHED: u64 = 64 * 1024 * 1024;
/// The largest manifest or lock file that is read, in bytes.
const LARGEST_MANIFEST: u64 = 8 * 1024 * 1024;
/// The most manifests that are read, those nearest to the root first.
const MOST_MANIFESTS: usize = 60;

/// What the shell has to read to look up names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Lookups {
    /// The searches: a name is found where a file contains all its words.
    pub searches: Vec<NameSearch>,
    /// The files to search.
    pub sources: Vec<String>,
    /// Whether the project has files that are not searched, so that a name that isn't found may still exist.
    pub partial: bool,
    /// The names that [`declared`] looks up.
    pub declared: Vec<String>,
    /// The files to read for it.
    pub manifests: Vec<String>,
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

/// The names of a design's claims. For a design without claims, whether the project contains code at all. `blocked` are the patterns
/// of files that designers may not read: whether such a file exists is nobody's business.
pub(crate) fn wanted(claims: &[Claim], blocked: &[String]) -> Vec<String> {
    if claims.is_empty() {
        return vec![CODE.to_owned()];
    }
    let wanted = claims.iter().take(MOST).filter_map(Wanted::of);
    let may_know = |wanted: &Wanted| match wanted {
        Wanted::Path(cited) => !is_blocked(blocked, &cited.path),
        _ => true,
    };
    wanted.filter(may_know).map(|wanted| wanted.to_string()).collect()
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
            Wanted::Dependency { .. } | Wanted::Script { .. } => lookups.declared.push(name.clone()),
        }
    }
    let Content::Folder { files, more, .. } = &listed.content else { return lookups };
    let may_read = |file: &&Entry| !is_blocked(blocked, &file.path) && !is_of_host(&file.path);
    let files: Vec<&Entry> = files.iter().filter(may_read).collect();
    if names.iter().any(|name| name == CODE) {
        let found =
            if files.iter().any(|file| is_code(&file.path)) { PathFound::File } else { PathFound::Nothing };
        lookups.known.push(LookedUp { path: CODE.to_owned(), found, lines: None, place: None });
    }
    lookups.partial = *more;
    if !lookups.searches.is_empty() {
        let mut left = SEARCHED;
        for file in files.iter().filter(|file| !manifests::is_lock_file(&file.path)) {
            if file.size > LARGEST.min(left) {
                lookups.partial = true;
            } else {
                left -= file.size;
                lookups.sources.push(file.path.clone());
            }
        }
    }
    if !lookups.declared.is_empty() {
        let is_read = |file: &&&Entry| file.size <= LARGEST_MANIFEST && manifests::is_manifest(&file.path);
        let mut read: Vec<&str> = files.iter().filter(is_read).map(|file| file.path.as_str()).collect();
        sort_by_key(&mut read, |path| path.matches('/').count());
        lookups.manifests = read.into_iter().take(MOST_MANIFESTS).map(str::to_owned).collect();
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
        claim.finding = Some(ClaimFinding { verdict, why });
    }
}

fn verdict(claim: &Claim, looked_up: &[LookedUp]) -> (ClaimVerdict, String) {
    let unknown = |why: &str| (ClaimVerdict::Unknown, why.to_owned());
    if claim.kind == ClaimKind::Other {
        return unknown("statements of this kind can't be looked up");
    }
    let Some(wanted) = Wanted::of(claim) else { return unknown("this name can't be looked up") };
    let name = wanted.to_string();
    let Some(found) = looked_up.iter().find(|one| one.path == name) else {
        return unknown("it was not looked up");
    };
    let place = || found.place.clone().unwrap_or_default();
    let is_new = claim.state == ClaimState::ToBeMade;
    match (&wanted, found.found) {
        (Wanted::Path(_), PathFound::Outside) => unknown("it lies outside the project"),
        (Wanted::Path(cited), PathFound::File | PathFound::Other) if is_new => {
            (ClaimVerdict::False, format!("{} already exists", cited.path))
        }
        (Wanted::Path(_), PathFound::Nothing) if is_new => {
            (ClaimVerdict::True, "it doesn't exist yet".to_owned())
        }
        (Wanted::Path(cited), PathFound::Nothing) => {
            (ClaimVerdict::False, format!("{} doesn't exist", cited.path))
        }
        (Wanted::Path(cited), PathFound::File | PathFound::Other) => in_file(cited, found.lines),
        (_, PathFound::Other | PathFound::Outside) => {
            unknown(found.place.as_deref().unwrap_or("the project is too large to search all of it"))
        }
        (Wanted::Symbol(_), PathFound::File) if is_new => {
            unknown(&format!("the name already occurs in {}", place()))
        }
        (_, PathFound::File) if is_new => (ClaimVerdict::False, format!("it already exists: {}", place())),
        (_, PathFound::File) => (ClaimVerdict::True, place()),
        (Wanted::Symbol(_), PathFound::Nothing) if is_new => {
            (ClaimVerdict::True, "the name doesn't occur in the project yet".to_owned())
        }
        (_, PathFound::Nothing) if is_new => {
            (ClaimVerdict::True, "the project doesn't declare it yet".to_owned())
        }
        (Wanted::Symbol(_), PathFound::Nothing) => {
            (ClaimVerdict::NotFound, "no file of the project contains this name".to_owned())
        }
        (Wanted::Script { may_be_built_in: true, .. }, PathFound::Nothing) => {
            (ClaimVerdict::NotFound, "the project doesn't declare this command".to_owned())
        }
        (_, PathFound::Nothing) => match &found.place {
            Some(other) => (ClaimVerdict::False, other.clone()),
            None => (ClaimVerdict::False, "the project doesn't declare it".to_owned()),
        },
    }
}

/// The verdict on a path that exists, with the line that the claim names.
fn in_file(cited: &Citation, lines: Option<u32>) -> (ClaimVerdict, String) {
    match (cited.line, lines) {
        (Some(line), Some(lines)) if line == 0 || line > lines => {
            let has = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
            (ClaimVerdict::False, format!("{} has {has}", cited.path))
        }
        _ => (ClaimVerdict::True, cited.path.clone()),
    }
}

/// Whether a file belongs to the configuration of OpenCode, which names the run's models.
fn is_of_host(path: &str) -> bool {
    let (first, name) = (path.split('/').next(), path.rsplit('/').next().unwrap_or_default());
    matches!(first, Some(".opencode" | ".kilo" | ".kilocode"))
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
