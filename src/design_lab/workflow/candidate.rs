//! The user's own designs: they enter a run unchanged, next to those that models write.

use super::code::WorkflowCode;
use super::opening::OpeningInput;
use super::protocol::Opening;
use crate::design_lab::artefacts::{Design, Draft, Provenance, empty_parts};
use crate::design_lab::attachments::{self, Attached, Attachment, Content};
use crate::design_lab::config::Config;
use crate::design_lab::ids::DesignId;
use crate::shared::named_text::NamedText;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::slug::slug;
use serde::Serialize;
use std::fmt::Write as _;

/// The option that names such a design.
pub(super) const WITH: &str = "--with";
/// The maximum number of isolation patterns that a journal may hold.
const MOST_PATTERNS: usize = 256;
/// The longest id: file names contain two of them.
const ID_LENGTH: usize = 40;

/// A design of the user's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Candidate {
    /// The design's id within the run, made from the file's name.
    pub id: DesignId,
    /// The file that the design was read from.
    pub from: OwnFile,
    /// The design; parts that the file doesn't have are empty.
    pub design: Design,
    /// The parts of the file that don't belong to the design.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub left_out: Vec<String>,
}

/// A user's file with a design in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnFile {
    /// As the user named it.
    pub file: String,
    /// The patterns that hide it from designers and reviewers; empty if it is out of their reach.
    pub hidden: Vec<String>,
}

/// A file named after `--with`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedFile {
    /// The path as written.
    pub path: String,
    /// Whether it was named with `@`, as attachments are: relative to the root of the repository.
    pub mentioned: bool,
}

/// Splits the file's name, up to a blank or within quotes, from the start of a text; returns it with the rest.
pub(super) fn named_file(text: &str) -> (NamedFile, &str) {
    let text = text.trim_start();
    let bare = text.strip_prefix('@').unwrap_or(text);
    let quoted = ['"', '\''].into_iter().find_map(|quote| bare.strip_prefix(quote)?.split_once(quote));
    let (path, rest) =
        quoted.unwrap_or_else(|| bare.split_at(bare.find(char::is_whitespace).unwrap_or(bare.len())));
    let mentioned = bare.len() < text.len();
    (NamedFile { path: path.to_owned(), mentioned }, rest.trim_start())
}

/// Returns the user's own designs, or all problems with them.
pub(super) fn candidates(input: &OpeningInput, config: &Config) -> Result<Vec<Candidate>, Vec<Problem>> {
    let (mut candidates, mut problems) = (Vec::<Candidate>::new(), Vec::new());
    let mut known: Vec<&str> = Vec::new();
    let reviewers = config.review_models.iter().map(|entry| &entry.model);
    let mut ids: Vec<String> =
        config.design_models.iter().chain(reviewers).map(|model| model.id.clone()).collect();
    ids.extend(config.people.iter().map(|person| person.id.to_string()));
    for Attachment { attached, read } in input.attachments.iter().filter(|one| one.attached.own) {
        let Content::File { path, real, .. } = &attached.content else { continue };
        if known.contains(&real.as_str()) {
            let problem =
                Problem::new(WorkflowCode::CandidateTwice, format!("{} is named twice.", attached.name));
            problems.push(problem.next(format!("Remove one {WITH}.")));
            continue;
        }
        known.push(real);
        let text = read.first().and_then(|read| read.text.as_deref());
        let parsed = attachments::whole(attached, text).map_err(|problem| vec![problem]);
        let draft = parsed.and_then(|text| Draft::read(&NamedText { name: attached.name.clone(), text }));
        match (draft, hidden(attached, [path, real], input, config)) {
            (Err(more), _) => problems.extend(more),
            (_, Err(problem)) => problems.push(problem),
            (Ok(Draft { design, left_out }), Ok(hidden)) => {
                if design.summary.trim().is_empty()
                    && design.architecture_overview.trim().is_empty()
                    && design.components.is_empty()
                {
                    problems.push(says_nothing(attached));
                    continue;
                }
                let id = id(&attached.name, &ids);
                ids.push(id.clone());
                let from = OwnFile { file: attached.name.clone(), hidden };
                candidates.push(Candidate { id: DesignId::new(id), from, design, left_out });
            }
        }
    }
    if problems.is_empty() { Ok(candidates) } else { Err(problems) }
}

fn says_nothing(attached: &Attached) -> Problem {
    let problem =
        Problem::new(WorkflowCode::CandidateEmpty, format!("{} doesn't describe a design.", attached.name));
    problem
        .allowed("text below a heading, or JSON with a summary, an overview or components")
        .next("Name a file that describes the design.")
}

/// An id that no other design or reviewer of the run has: in a table of scores, the same id means the same author.
fn id(file: &str, taken: &[String]) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let own = slug(if stem.is_empty() { name } else { stem }, ID_LENGTH);
    let own = if own.is_empty() { "own".to_owned() } else { own };
    let numbered = (2..).map(|number| format!("{own}-{number}"));
    std::iter::once(own.clone()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or(own)
}

/// The patterns that hide a file from the sessions of a run. The file is refused if it would be readable anyway, or if a model called
/// the command and names a file outside the project.
fn hidden(
    attached: &Attached,
    paths: [&String; 2],
    input: &OpeningInput,
    config: &Config,
) -> Result<Vec<String>, Problem> {
    let [project, worktree] = [&input.project, &input.worktree];
    let inside = |roots: &[String]| paths.iter().any(|path| attachments::is_inside(path, roots));
    let outside = |why: &str, next: &str| {
        let problem = Problem::new(WorkflowCode::CandidateOutside, format!("{} {why}.", attached.name));
        Err(problem.allowed("a file in the project").next(next))
    };
    if input.permitted && !inside(project) {
        return outside(
            "lies outside the project, and a model named it",
            "If you want this file, type the command yourself.",
        );
    }
    if !config.isolation.enforce_design_isolation {
        return Ok(Vec::new());
    }
    if !inside(project) && inside(worktree) {
        return outside(
            "lies outside the project but inside its repository, where designers could read it",
            "Copy it into the project, or start OpenCode in the repository's root.",
        );
    }
    let mut patterns: Vec<String> = Vec::new();
    for (path, root) in paths.iter().flat_map(|path| project.iter().map(move |root| (path, root))) {
        let path = path.replace('\\', "/");
        let below = path.strip_prefix(root.replace('\\', "/").trim_end_matches('/'));
        let Some(below) = below.and_then(|below| below.strip_prefix('/')) else { continue };
        let pattern = pattern(below);
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    Ok(patterns)
}

/// A pattern for this one file, relative to the project.
fn pattern(path: &str) -> String {
    // A character that has a meaning in a glob is replaced by `?`, which matches any one character.
    let plain: String =
        path.chars().map(|c| if c.is_control() || "*?[]{},!~".contains(c) { '?' } else { c }).collect();
    // Without a slash, the pattern would match at any depth.
    if plain.contains('/') { plain } else { format!("{{{plain},{plain}/**}}") }
}

/// Hides the user's own files from the sessions of a run with this configuration.
pub(super) fn hide<'a>(config: &mut Config, files: impl Iterator<Item = &'a OwnFile>) {
    let patterns = &mut config.isolation.blocked_patterns;
    for pattern in files.flat_map(|file| &file.hidden) {
        if !patterns.contains(pattern) {
            patterns.push(pattern.clone());
        }
    }
}

/// Explains why a run can't continue with these models: one of them has the name of one of the user's own designs.
pub(super) fn taken_id(config: &Config, opening: &Opening) -> Option<Problem> {
    let reviewers = config.review_models.iter().map(|entry| &entry.model);
    let models = config.design_models.iter().chain(reviewers).map(|model| model.id.as_str());
    let mut ids = models.chain(config.people.iter().map(|person| person.id.as_str()));
    let taken = ids.find(|id| opening.own_files().any(|(own, _)| *own == **id))?;
    let problem = Problem::new(
        WorkflowCode::CandidateTwice,
        format!("{taken} is the id of your file in this run, and also an id in the configuration."),
    );
    Some(problem.next("Give another `id` in the configuration."))
}

/// The problem of more patterns than a configuration may have.
pub(super) fn hides_too_much(config: &Config) -> Option<Problem> {
    let found = config.isolation.blocked_patterns.len();
    (found > MOST_PATTERNS).then(|| {
        let problem = Problem::new(
            WorkflowCode::CandidateOutside,
            "There are too many patterns to hide one more file.",
        );
        problem
            .found(format!("{found} patterns"))
            .allowed(format!(
                "at most {MOST_PATTERNS} in `isolation.blocked_patterns`, including the files that {WITH} \
                 names"
            ))
            .next("Combine some patterns.")
    })
}

impl Candidate {
    /// The provenance of the design, in the same form as for models, although it took no call.
    pub(super) fn metadata(date: &str) -> Provenance {
        Provenance { generated_at: date.to_owned(), ..Provenance::default() }
    }

    /// The note on the design for the user.
    pub(super) fn note(&self) -> String {
        let Self { id, from, design, left_out } = self;
        let mut note = format!("{} takes part unchanged, as the design {id}.", from.file);
        let empty = empty_parts(design);
        if !empty.is_empty() {
            let _ = write!(
                note,
                " It has no text for these parts of a design, so reviewers see them empty: {}.",
                empty.join(", ")
            );
        }
        if !left_out.is_empty() {
            let _ = write!(note, " Not shown to reviewers: {}.", left_out.join(" · "));
        }
        note
    }
}

impl Opening {
    /// The designs that no model wrote, from this run and from those that it builds upon: id and file of each.
    pub(super) fn own_files(&self) -> impl Iterator<Item = (&DesignId, &OwnFile)> {
        let own = self.candidates.iter().map(|own| (&own.id, &own.from));
        let earlier = self.parent.iter().flat_map(|parent| &parent.designs);
        own.chain(earlier.filter_map(|given| Some((&given.id, given.from.as_ref()?))))
    }

    /// Whether the run has, or will have, a design of this id.
    pub(super) fn has_design(&self, id: &str) -> bool {
        self.config.design_models.iter().any(|model| model.id == id)
            || self.own_files().any(|(own, _)| *own == *id)
    }
}
