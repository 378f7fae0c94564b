//! People among the reviewers: the form that each gets, and what their scores are to the run.

use super::code::{WorkflowCode, too_few_designs, too_many_words};
use super::job_name::JobName;
use super::protocol::Decision;
use super::protocol::{EventKind, HumanReview, Presented};
use super::run::Run;
use super::run_index::not_over;
use super::state::{Phase, State};
use crate::design_lab::anonymity;
use crate::design_lab::config::ReviewMode;
use crate::design_lab::human_review::FormCode;
use crate::design_lab::ids::{DesignId, ReviewerId};
use crate::design_lab::ranking::{ReviewerFacts, ScoreRow, Shown};
use crate::design_lab::{human_review, prompts, report};
use kernel::problem::Problem;
use kernel::protocol::JobId;
use kernel::slug::slug;
use serde::{Deserialize, Serialize};

/// Where forms lie below the run directory.
pub(super) const FOLDER: &str = "human/";
/// The longest name of a person, as a slug.
const NAME_LENGTH: usize = 40;

/// What asks for a form.
const OPTION: &str = "--human";

/// The arguments of `/design-lab-review`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanReviewRequest {
    /// The person, as the user wrote the name.
    pub human: String,
    /// The run, as the user wrote it; may be empty.
    pub run: String,
}

impl HumanReviewRequest {
    /// Reads `--human NAME [run]`, or `[run] --human NAME`; a name of several words stands in quotes. None where no person is
    /// asked.
    pub fn parse(text: &str) -> Result<Option<Self>, Problem> {
        let starts = text.match_indices(OPTION).map(|(at, _)| at).find(|&at| {
            let (before, behind) = (&text[..at], &text[at + OPTION.len()..]);
            let begins = before.is_empty() || before.ends_with(char::is_whitespace);
            begins && (behind.is_empty() || behind.starts_with([' ', '\t', '\n', '=']))
        });
        let Some(at) = starts else { return Ok(None) };
        let rest = text[at + OPTION.len()..].trim_start_matches(['=', ' ', '\t', '\n']);
        let (human, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        let words: Vec<&str> = text[..at].split_whitespace().chain(behind.split_whitespace()).collect();
        let option = words.iter().chain([&human]).find(|word| word.starts_with("--"));
        let problem = match (option, &words[..]) {
            (None, [] | [_]) => {
                let run = words.first().copied().unwrap_or_default();
                return Ok(Some(Self { human: human.trim().to_owned(), run: run.to_owned() }));
            }
            (None, [.., last]) => too_many_words(last),
            (Some(option), _) => Problem::new(
                WorkflowCode::UnknownOption,
                format!("`{option}` doesn't go with --human: a form belongs to a run that is there already."),
            ),
        };
        Err(problem
            .next("Type /design-lab-review --human NAME [run]; a name of several words stands in quotes."))
    }
}

/// A form for one person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanReviewForm {
    /// The person's id among the reviewers.
    pub reviewer: ReviewerId,
    /// To be journaled before anything is written; `None` when the journal has it already.
    pub event: Option<EventKind>,
    /// Paths below the run directory, and contents. A file that is there may have been filled in: it must stay as it is.
    pub files: Vec<(String, String)>,
}

impl Run {
    /// The form for a person of that name: the designs as a model reviewer would see them, in an order and under labels of
    /// their own, which the journal keeps. The same name gets the same form again.
    pub fn form(&self, name: &str) -> Result<HumanReviewForm, Problem> {
        let state = self.over()?;
        let run = state.directory.name.as_deref().unwrap_or_default();
        if state.opening.config.review.mode == ReviewMode::Pairwise {
            return Err(Problem::new(
                FormCode::Pairwise,
                format!("The reviewers of {run} compared pairs of designs, and there is no form for pairs."),
            )
            .next(format!(
                "With \"review\": {{\"mode\": \"scores\"}} in the configuration, /design-lab-review {run} has the same designs scored; that \
                 run has forms."
            )));
        }
        let there = state.designs().count();
        if there < 2 {
            return Err(too_few_designs(run, there, "a comparison"));
        }
        let reviewer = state.person(name)?;
        let job = job(&reviewer);
        let known = state.presented.get(&job);
        let presented = match known {
            Some(presented) => presented.clone(),
            None => {
                let before = state.human_reviewers().count();
                state.present(&job, state.opening.config.review_models.len() + before, 0)
            }
        };
        let dimensions = &state.opening.config.scoring_criteria.dimensions;
        let text = prompts::human_review(
            &reviewer,
            state.directory.name.as_deref().unwrap_or_default(),
            &state.opening.task,
            &blind_designs(state, &presented),
            dimensions,
        );
        let form = human_review::empty_form(&presented.labels, dimensions);
        Ok(HumanReviewForm {
            files: vec![
                (format!("{FOLDER}{reviewer}.md"), kernel::visible::text(&text).into_owned()),
                (format!("{FOLDER}{reviewer}.csv"), form),
            ],
            event: known.is_none().then_some(EventKind::Decided(Decision::Presented(presented))),
            reviewer,
        })
    }

    /// The state of a run that is over, with a ranking or without.
    pub(super) fn over(&self) -> Result<&State, Problem> {
        let state = self.state();
        let name = state.and_then(|state| state.directory.name.as_deref()).unwrap_or("The run");
        state.filter(|state| matches!(state.phase, Phase::Over(_))).ok_or_else(|| not_over(name))
    }

    /// What is wrong with a form of this run; `file` is its path as the user wrote it.
    pub(crate) fn form_problems(&self, file: &str, text: &str) -> Vec<Problem> {
        let Some(state) = self.state() else { return Vec::new() };
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let reviewer = state.human_reviewers().find(|(reviewer, _)| name == format!("{reviewer}.csv"));
        let Some((_, presented)) = reviewer else {
            let known: Vec<String> =
                state.human_reviewers().map(|(reviewer, _)| format!("{reviewer}.csv")).collect();
            return vec![unknown_form(state, &known)];
        };
        let dimensions = &state.opening.config.scoring_criteria.dimensions;
        human_review::read(text, &presented.labels, dimensions).err().unwrap_or_default()
    }
}

impl State {
    /// A person's id, which no other reviewer has. Nor has a design: in a table of scores alone the same id means the same
    /// author.
    fn person(&self, name: &str) -> Result<ReviewerId, Problem> {
        let id = slug(name, NAME_LENGTH);
        if id.is_empty() {
            let what = if name.is_empty() { "nothing" } else { name };
            return Err(Problem::new(
                FormCode::Name,
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
                FormCode::NameTaken,
                format!("A model of this run is called {id} already."),
            )
            .found(name)
            .next("Choose another name for the person."));
        }
        Ok(ReviewerId::new(id))
    }

    /// How each person who got a form sees the designs, by id.
    pub(super) fn human_reviewers(&self) -> impl Iterator<Item = (ReviewerId, &Presented)> {
        self.presented.iter().filter_map(|(job, presented)| match JobName::of(job)? {
            JobName::Form { person } => Some((person, presented)),
            _ => None,
        })
    }
}

/// The designs as model reviewers see them, but as Markdown.
fn blind_designs(state: &State, presented: &Presented) -> Vec<String> {
    let names = state.names();
    presented
        .pairs()
        .filter_map(|(label, id)| {
            let (_, design) = state.designs().find(|(design, _)| design == id)?;
            Some(report::blind_design(&anonymity::blind(design, &names).design, label))
        })
        .collect()
}

/// A file among the forms that this run didn't give out; `known` are those that it did.
pub(super) fn unknown_form(state: &State, known: &[String]) -> Problem {
    let directory = state.directory.name.as_deref().unwrap_or_default();
    Problem::new(FormCode::Unknown, "This run gave out no form of that name.")
        .allowed(if known.is_empty() { "no form yet".to_owned() } else { known.join(", ") })
        .next(format!(
            "/design-lab-review --human NAME {directory} makes a form; move any other CSV out of {FOLDER}."
        ))
}

/// What a person's form goes by.
fn job(person: &ReviewerId) -> JobId {
    JobName::Form { person: person.clone() }.id()
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

/// The same for whoever wrote the design: without who said it, and with words for the labels.
pub(super) fn comments_without_names(state: &State, design: &DesignId) -> Vec<String> {
    let of_person = |review: &HumanReview| -> Vec<String> {
        let presented = state.presented.get(&job(&review.reviewer));
        let words = presented.map_or_else(Vec::new, |presented| presented.words_for(design));
        let given = review.scores.iter().filter(|given| given.design == *design && !given.comment.is_empty());
        given
            .map(|given| format!("On {}: {}", given.dimension, anonymity::reveal(&given.comment, &words)))
            .collect()
    };
    state.humans.iter().flat_map(of_person).collect()
}

/// What they wrote of a design beside its scores.
pub(super) fn comments(state: &State, design: &DesignId) -> Vec<String> {
    let said = state.humans.iter().flat_map(|review| {
        let of_design = review.scores.iter().filter(|given| given.design == *design);
        of_design
            .filter(|given| !given.comment.is_empty())
            .map(|given| format!("{} on {}: {}", review.reviewer, given.dimension, given.comment))
    });
    said.collect()
}
