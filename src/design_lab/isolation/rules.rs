//! The rules of a run: what is blocked, and which tools may be called.

use super::code::IsolationCode;
use kernel::json::Deserialize;
use serde::Serialize;

use super::path::{components, is_under};
use super::settings::Isolation;
use kernel::problem::Problem;

/// The rules for every lab session while a run is running. Built once per run by [`Rules::new`]; if several runs are
/// running, each has the directories of all of them among its [`Places`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "IsolationRules"))]
pub struct Rules {
    /// `isolation.enforce_design_isolation`. If false, nothing is hidden from a session; the list of tools and
    /// OpenCode's own safeguards still apply.
    pub enforce: bool,
    /// The sessions' working directory, absolute; relative paths start here.
    pub project: String,
    /// The root of the repository around the project, absolute; `None` if there is no repository.
    pub worktree: Option<String>,
    /// The real paths of these two.
    pub real: RealPlaces,
    /// The directories that sessions can't access, including everything below them.
    pub blocked: Vec<BlockedRoot>,
    /// Globs relative to the project.
    pub patterns: Vec<String>,
    /// The tools that may be called.
    pub allowed_tools: Vec<String>,
}

/// A directory from which nothing may be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockedRoot {
    /// The absolute path.
    pub path: String,
    /// Whether searches must be kept out of it before anything around it is searched.
    pub guarded: bool,
    /// Whether it contains runs, and so files that may have other names elsewhere.
    pub designs: bool,
}

/// The real paths of the project and its repository, if the host spells them through a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct RealPlaces {
    /// Of [`Places::project`]; `None` when it is the same.
    pub project: Option<String>,
    /// Of [`Places::worktree`]; `None` when it is the same.
    pub worktree: Option<String>,
}

/// The directories that the rules of a run depend on, each absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Places {
    /// The sessions' working directory.
    pub project: String,
    /// OpenCode's worktree. `/`, which OpenCode reports outside a repository, counts as `None`.
    pub worktree: Option<String>,
    /// The real paths of these two.
    #[serde(default)]
    pub real: RealPlaces,
    /// The output directories of all running runs, each both as configured and as the real path if they differ.
    pub outputs: Vec<String>,
    /// The output directories in which searches would find designs, because a `.rgignore` that isn't Design Lab's is in
    /// the way.
    #[serde(default)]
    pub unguarded: Vec<String>,
    /// The other directories that this package keeps ([`super::hidden_outputs`]): output directories of other runs,
    /// single runs, sessions of Flow. They may lack an `.ignore`. A directory that contains the project blocks nothing.
    #[serde(default)]
    pub former: Vec<String>,
    /// OpenCode's own data and state directories, which contain every session's messages and cut-off tool results; this
    /// package's own state; and the configuration files, which name every designer. A directory that contains the
    /// project blocks nothing: its other contents are outside the project.
    pub host: Vec<String>,
}

impl Places {
    /// Refuses an output directory that contains the project, since designers could read nothing of it, and one that
    /// searches can't be kept out of, since every search would be refused.
    pub fn check(&self, isolation: &Isolation) -> Result<(), Problem> {
        if isolation.enforce_design_isolation
            && let Some(output) = self.unguarded.first()
        {
            return Err(Problem::new(
                IsolationCode::IgnoreFile,
                "`.rgignore` in the output directory isn't from Design Lab, and would let searches see \
                 designs.",
            )
            .found(format!("{output}/.rgignore"))
            .allowed("no such file, or one with the line `*` and no line that begins with `!`")
            .next("Delete it. During a run, Design Lab writes its own."));
        }
        let project = components(&self.project);
        let Some(output) = self.outputs.iter().find(|output| is_under(&project, &components(output))) else {
            return Ok(());
        };
        Err(Problem::new(
            IsolationCode::OutputDirectory,
            "`output_directory` is the project itself or a directory above it. That would hide the project \
             from designers.",
        )
        .at("/output_directory")
        .found(output)
        .allowed("a directory within the project, or an absolute path beside it")
        .next("Use \".design-lab\", or remove the key."))
    }
}

impl Rules {
    /// Returns the rules for the configuration and these places.
    pub fn new(isolation: &Isolation, places: &Places) -> Self {
        let root =
            |guarded, designs| move |path: &String| BlockedRoot { path: path.clone(), guarded, designs };
        let project = components(&places.project);
        let holds = |place: &str| is_under(&project, &components(place));
        Self {
            enforce: isolation.enforce_design_isolation,
            project: places.project.clone(),
            worktree: places.worktree.clone().filter(|root| !is_filesystem_root(root)),
            real: RealPlaces {
                project: places.real.project.clone(),
                worktree: places.real.worktree.clone().filter(|root| !is_filesystem_root(root)),
            },
            blocked: places
                .outputs
                .iter()
                .map(root(true, true))
                .chain(places.former.iter().filter(|path| !holds(path)).map(root(false, true)))
                .chain(places.host.iter().filter(|path| !holds(path)).map(root(false, false)))
                .collect(),
            patterns: isolation.blocked_patterns.clone(),
            allowed_tools: isolation.allowed_tools.clone(),
        }
    }
}

fn is_filesystem_root(path: &str) -> bool {
    match components(path)[..] {
        [] => true,
        [drive] => drive.ends_with(':'),
        _ => false,
    }
}
