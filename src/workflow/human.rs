//! People among the reviewers: the form that each gets, and what their scores are to the run.

use super::catalogue::not_ranked;
use super::protocol::{EventKind, HumanReview, Presented};
use super::run::Run;
use super::state::State;
use crate::anonymity;
use crate::config::ReviewMode;
use crate::error::Problem;
use crate::ranking::{ReviewerFacts, ScoreRow, Shown};
use crate::slug::slug;
use crate::{form, prompts, report};
use serde::{Deserialize, Serialize};

/// Where forms lie below the run directory.
pub(super) const FOLDER: &str = "human/";
/// Begins the job under which the journal keeps how a person sees the designs.
const JOB: &str = "human:";
/// The longest name of a person, as a slug.
const NAME_LENGTH: usize = 40;

/// What stands behind `/design-lab-review`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormRequest {
    /// The person, as the user wrote the name.
    pub human: String,
    /// The run, as the user wrote it; may be empty.
    pub run: String,
}

impl FormRequest {
    /// Reads `--human NAME [run]`; a name of several words stands in quotes. None where no person is asked.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text
            .trim()
            .strip_prefix("--human")
            .filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '=']))?;
        let rest = rest.trim_start_matches(['=', ' ', '\t']);
        let (human, run) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        Some(Self { human: human.trim().to_owned(), run: run.trim().to_owned() })
    }
}

/// A form for one person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanForm {
    /// The person's id among the reviewers.
    pub reviewer: String,
    /// To be journaled before anything is written; none where the journal has it already.
    pub event: Option<EventKind>,
    /// Paths below the run directory, and contents. A file that is there may have been filled in: it must stay as it is.
    pub files: Vec<(String, String)>,
}

impl Run {
    /// The form for a person of that name: the designs as a model reviewer would see them, in an order and under labels of
    /// their own, which the journal keeps. The same name gets the same form again.
    pub fn form(&self, name: &str) -> Result<HumanForm, Problem> {
        let state = self.ranked()?;
        if state.opening.config.review.mode == ReviewMode::Pairwise {
            return Err(Problem::new(
                "form.pairwise",
                "There is no form for pairs of designs, which is what this run's reviewers were shown.",
            )
            .next("People can review a run with review.mode \"scores\"."));
        }
        let reviewer = state.person(name)?;
        let job = job(&reviewer);
        let known = state.presented.get(&job);
        let presented = match known {
            Some(presented) => presented.clone(),
            None => {
                let before = state.presented.keys().filter(|job| job.starts_with(JOB)).count();
                state.present(&job, state.opening.config.review_models.len() + before, 0)
            }
        };
        let dimensions = &state.opening.config.scoring_criteria.dimensions;
        let text = prompts::human_form(
            &reviewer,
            state.directory.as_deref().unwrap_or_default(),
            &state.opening.task,
            &blind_designs(state, &presented),
            dimensions,
        );
        let sheet = form::empty_sheet(&presented.labels, dimensions);
        Ok(HumanForm {
            files: vec![
                (format!("{FOLDER}{reviewer}.md"), crate::visible::text(&text).into_owned()),
                (format!("{FOLDER}{reviewer}.csv"), sheet),
            ],
            event: known.is_none().then_some(EventKind::Presented(presented)),
            reviewer,
        })
    }

    /// The state of a run that has a ranking.
    pub(super) fn ranked(&self) -> Result<&State, Problem> {
        let state = self.state();
        let name = state.and_then(|state| state.directory.as_deref()).unwrap_or("The run");
        state.filter(|state| state.is_ranked()).ok_or_else(|| not_ranked(name))
    }
}

impl State {
    /// A person's id, which no other reviewer has. Nor has a design: in a table of scores alone the same id means the same
    /// author.
    fn person(&self, name: &str) -> Result<String, Problem> {
        let id = slug(name, NAME_LENGTH);
        if id.is_empty() {
            let what = if name.is_empty() { "nothing" } else { name };
            return Err(Problem::new(
                "form.name",
                "A name is missing, or has nothing to make a file's name of.",
            )
            .found(what)
            .allowed("at least one letter from a to z, or a digit")
            .next("Type /design-lab-review --human NAME [run]."));
        }
        let config = &self.opening.config;
        let reviewers = config.review_models.iter().map(|entry| &entry.model.id);
        if reviewers.chain(config.design_models.iter().map(|model| &model.id)).any(|taken| *taken == id) {
            return Err(Problem::new(
                "form.name-taken",
                format!("A model of this run is called {id} already."),
            )
            .found(name)
            .next("Choose another name for the person."));
        }
        Ok(id)
    }

    /// How each person who got a form sees the designs, by id.
    pub(super) fn people(&self) -> impl Iterator<Item = (&str, &Presented)> {
        self.presented.iter().filter_map(|(job, presented)| Some((job.strip_prefix(JOB)?, presented)))
    }
}

/// The designs as model reviewers see them, but as Markdown.
fn blind_designs(state: &State, presented: &Presented) -> Vec<String> {
    let names = state.names();
    let shown = presented.order.iter().zip(&presented.labels);
    shown
        .filter_map(|(id, label)| {
            let (_, design) = state.designs().find(|(design, _)| design == id)?;
            Some(report::blind_design(&anonymity::blind(design, &names).design, label))
        })
        .collect()
}

fn job(reviewer: &str) -> String {
    format!("{JOB}{reviewer}")
}

/// The people whose scores count, as reviewers.
pub(super) fn reviewers(state: &State) -> impl Iterator<Item = ReviewerFacts> {
    state.humans.iter().map(|review| ReviewerFacts { id: review.reviewer.clone(), model: None })
}

/// Their scores.
pub(super) fn rows(state: &State) -> impl Iterator<Item = ScoreRow> {
    state.humans.iter().flat_map(|review| {
        review.scores.iter().map(|given| ScoreRow {
            design: given.design.clone(),
            reviewer: review.reviewer.clone(),
            repeat: 1,
            dimension: given.dimension.clone(),
            score: given.score,
        })
    })
}

/// The orders in which they saw the designs.
pub(super) fn shown(state: &State) -> impl Iterator<Item = Shown> {
    state.humans.iter().filter_map(|HumanReview { reviewer, .. }| {
        let presented = state.presented.get(&job(reviewer))?;
        Some(Shown { reviewer: reviewer.clone(), repeat: 1, designs: presented.order.clone() })
    })
}

/// What they wrote of a design beside its scores.
pub(super) fn comments(state: &State, design: &str) -> Vec<String> {
    let said = state.humans.iter().flat_map(|review| {
        let of_design = review.scores.iter().filter(|given| given.design == design);
        of_design
            .filter(|given| !given.comment.is_empty())
            .map(|given| format!("{} on {}: {}", review.reviewer, given.dimension, given.comment))
    });
    said.collect()
}
