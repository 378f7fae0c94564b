//! People among the reviewers: the form that each gets, and how their scores enter the run.

use super::code::{WorkflowCode, too_few_designs, too_many_words};
use super::comparison;
use super::job_name::JobName;
use super::protocol::Decision;
use super::protocol::{Command, EventKind, HumanReview, Opening, Presented};
use super::run::Run;
use super::run_index::not_over;
use super::state::{Phase, State};
use crate::design_lab::anonymity;
use crate::design_lab::artefacts::Design;
use crate::design_lab::config::ReviewMode;
use crate::design_lab::human_review::{Compared, FilledForm, FormCode};
use crate::design_lab::ids::{DesignId, Label, ReviewerId};
use crate::design_lab::ranking::{Comparison, ReviewerFacts, ScoreRow, Shown};
use crate::design_lab::{human_review, prompts, report};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::protocol::{JobId, Outcome};
use kernel::slug::slug;
use serde::Serialize;
use std::collections::BTreeSet;

/// The folder of the forms, below the run directory.
pub(super) const FOLDER: &str = "human/";
/// The longest name of a person, as a slug.
const NAME_LENGTH: usize = 60;

/// The option that asks for a form.
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
    /// Parses `--human NAME [run]`, or `[run] --human NAME`; a name of several words is quoted. `None` when no person is named.
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
                format!("`{option}` can't be used with --human, which writes a form for an existing run."),
            ),
        };
        Err(problem
            .next("Type /design-lab-review --human NAME [run]; put a name of several words in quotes."))
    }
}

/// A form for one person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanReviewForm {
    /// The person's id among the reviewers.
    pub reviewer: ReviewerId,
    /// Goes into the journal before any file is written; `None` when the journal has it already.
    pub event: Option<EventKind>,
    /// Paths below the run directory, and contents. An existing file may have been filled in, so it must not be overwritten.
    pub files: Vec<(String, String)>,
}

impl Run {
    /// The form for the person of this name: the designs as a model reviewer would see them, in the person's own order and under the
    /// person's own labels, which the journal keeps. The same name gets the same form again.
    pub fn form(&self, name: &str) -> Result<HumanReviewForm, Problem> {
        let state = self.over()?;
        let there = state.designs().count();
        if there < 2 {
            let run = state.directory.name.as_deref().unwrap_or_default();
            return Err(too_few_designs(run, there));
        }
        let reviewer = state.person(name)?;
        let known = state.presented.get(&job(&reviewer));
        let presented = known.cloned().unwrap_or_else(|| state.present_to(&reviewer, 0));
        let files = state.form_files(&reviewer, &presented);
        let event = known.is_none().then_some(EventKind::Decided(Decision::Presented(presented)));
        Ok(HumanReviewForm { reviewer, event, files })
    }

    /// The state of a run that is over, with or without a ranking.
    pub(super) fn over(&self) -> Result<&State, Problem> {
        let state = self.state();
        let name = state.and_then(|state| state.directory.name.as_deref()).unwrap_or("The run");
        state.filter(|state| matches!(state.phase, Phase::Over(_))).ok_or_else(|| not_over(name))
    }

    /// The problems of a form of this run; `file` is its path as the user wrote it.
    pub(crate) fn form_problems(&self, file: &str, text: &str) -> Vec<Problem> {
        let Some(state) = self.state() else { return Vec::new() };
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let reviewer = state.human_reviewers().find(|(reviewer, _)| name == format!("{reviewer}.csv"));
        let Some((_, presented)) = reviewer else {
            let known: Vec<String> =
                state.human_reviewers().map(|(reviewer, _)| format!("{reviewer}.csv")).collect();
            return vec![unknown_form(state, &known)];
        };
        state.read_form(text, presented).err().unwrap_or_default()
    }
}

/// The content of a form, by the mode of the run.
pub(super) enum Filled {
    Scores(FilledForm),
    /// The verdicts, and the number of pairs.
    Verdicts(Vec<Compared>, usize),
}

impl State {
    /// Reads a form that presented the designs this way.
    pub(super) fn read_form(&self, text: &str, presented: &Presented) -> Result<Filled, Vec<Problem>> {
        if self.is_pairwise() {
            let pairs = self.pairs(presented);
            return human_review::read_pairs(text, &pairs).map(|given| Filled::Verdicts(given, pairs.len()));
        }
        let dimensions = &self.opening.config.scoring_criteria.dimensions;
        human_review::read(text, &presented.labels, dimensions).map(Filled::Scores)
    }

    fn is_pairwise(&self) -> bool {
        self.opening.config.review.mode == ReviewMode::Pairwise
    }

    /// The pairs that a person compares, under the person's labels: each pair once, since a person who always sees a design under the
    /// same label remembers the verdict on a pair.
    pub(super) fn pairs(&self, presented: &Presented) -> Vec<(Label, Label)> {
        let labels = &presented.labels;
        let mut seen = BTreeSet::new();
        comparison::schedule(self.opening.seed, labels.len(), presented.job.as_str(), 0)
            .into_iter()
            .filter(|&(one, other)| seen.insert((one.min(other), one.max(other))))
            .map(|(one, other)| (labels[one].clone(), labels[other].clone()))
            .collect()
    }

    /// How one more person will see the designs; `further`: how many others get a form before this one and have none yet.
    fn present_to(&self, person: &ReviewerId, further: usize) -> Presented {
        let row = self.opening.config.review_models.len().max(self.form_rows);
        self.present(&job(person), row + self.human_reviewers().count() + further, 0)
    }

    /// The forms of the people in the configuration: the events for the journal, and the files of those who already have a form.
    pub(super) fn forms(&self) -> (Vec<Presented>, Vec<Command>) {
        let (mut shown, mut files) = (Vec::new(), Vec::new());
        for person in &self.opening.config.people {
            match self.presented.get(&job(&person.id)) {
                Some(presented) => files.extend(self.give(presented)),
                None => shown.push(self.present_to(&person.id, shown.len())),
            }
        }
        (shown, files)
    }

    /// Writes the form of a person in the configuration; a form that may have been filled in is kept.
    pub(super) fn give(&self, presented: &Presented) -> Vec<Command> {
        let Some(JobName::Form { person }) = JobName::of(&presented.job) else { return Vec::new() };
        if self.opening.config.people.iter().all(|known| known.id != person) {
            return Vec::new();
        }
        let files = self.form_files(&person, presented).into_iter();
        files
            .map(|(path, text)| match path.rsplit('.').next() {
                Some("csv") => Command::Create { path, text },
                _ => Command::Write { path, text },
            })
            .collect()
    }

    /// Whether every person in the configuration has a form.
    pub(super) fn has_given_forms(&self) -> bool {
        self.opening.config.people.iter().all(|person| self.presented.contains_key(&job(&person.id)))
    }

    /// Whether only people are to review, and none of them has.
    pub(super) fn waits_for_people(&self) -> bool {
        self.opening.config.review_models.is_empty() && self.humans.is_empty()
    }

    /// The people in the configuration whose scores are not counted yet.
    pub(super) fn awaited(&self) -> impl Iterator<Item = &ReviewerId> {
        let people = self.opening.config.people.iter().map(|person| &person.id);
        people.filter(|id| self.humans.iter().all(|review| review.reviewer != **id))
    }

    /// Lists the open forms, and what to do with them; `None` when all are counted.
    pub(super) fn open_forms(&self) -> Option<String> {
        let run = self.directory.name.as_deref()?;
        let output = self.opening.config.output_directory.trim_end_matches('/');
        let of = |id: &ReviewerId| format!("{id} by {output}/{run}/{FOLDER}{id}.html");
        let forms: Vec<String> = self.awaited().map(of).collect();
        (!forms.is_empty()).then(|| {
            format!(
                "People review this run: {}. Fill in the page in a browser, and save its CSV beside the \
                 page. Then /design-lab-rank {run} counts the form.",
                forms.join(", ")
            )
        })
    }

    /// The page of the first person who is waited for, below the run directory, if nothing else is left to do.
    pub(super) fn page_to_fill_in(&self) -> Option<String> {
        let person = self.awaited().next().filter(|_| self.phase == Phase::Over(Outcome::Pending))?;
        Some(format!("{FOLDER}{person}.html"))
    }

    /// A person's form: the files to read, the file to fill in, and a page with both, below the run directory.
    fn form_files(&self, reviewer: &ReviewerId, presented: &Presented) -> Vec<(String, String)> {
        let Opening { task, config, .. } = &self.opening;
        let dimensions = &config.scoring_criteria.dimensions;
        let run = self.directory.name.as_deref().unwrap_or_default();
        let designs = blind_designs(self, presented);
        let pairs = if self.is_pairwise() { self.pairs(presented) } else { Vec::new() };
        let form = report::Form { reviewer, run, task, designs: &designs, dimensions, pairs: &pairs };
        let shown: Vec<String> =
            designs.iter().map(|(label, design)| report::blind_design(design, label)).collect();
        let text = prompts::human_review(reviewer, run, task, &shown, dimensions, &pairs);
        let empty = if self.is_pairwise() {
            human_review::empty_pairs(&pairs)
        } else {
            human_review::empty_form(&presented.labels, dimensions)
        };
        vec![
            (format!("{FOLDER}{reviewer}.md"), kernel::visible::text(&text).into_owned()),
            (format!("{FOLDER}{reviewer}.csv"), empty),
            (format!("{FOLDER}{reviewer}.html"), report::form_page(&form)),
        ]
    }

    /// A person's id, which no other reviewer or design has: in a table of scores, the same id means the same author.
    fn person(&self, name: &str) -> Result<ReviewerId, Problem> {
        let id = slug(name, NAME_LENGTH);
        if id.is_empty() {
            let what = if name.is_empty() { "nothing" } else { name };
            return Err(Problem::new(
                FormCode::Name,
                "The name is missing, or has no letter or digit for a file name.",
            )
            .found(what)
            .allowed("at least one letter from a to z, or a digit")
            .next("Type /design-lab-review --human NAME [run]."));
        }
        let mut reviewers = self.opening.config.review_models.iter().map(|entry| &entry.model.id);
        if reviewers.any(|taken| *taken == id) || self.opening.has_design(&id) {
            return Err(Problem::new(
                FormCode::NameTaken,
                format!("A model or a design of this run already has the name {id}."),
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

/// The designs as model reviewers see them.
fn blind_designs(state: &State, presented: &Presented) -> Vec<(Label, Design)> {
    let names = state.names();
    presented
        .pairs()
        .filter_map(|(label, id)| {
            if let Some((_, blind)) = state.blind.iter().find(|(design, _)| design == id) {
                return Some((label.clone(), blind.design.clone()));
            }
            let (_, design) = state.designs().find(|(design, _)| design == id)?;
            Some((label.clone(), anonymity::blind(design, &names).design))
        })
        .collect()
}

/// The problem of a file among the forms that this run didn't hand out; `known` are those that it did.
pub(super) fn unknown_form(state: &State, known: &[String]) -> Problem {
    let directory = state.directory.name.as_deref().unwrap_or_default();
    Problem::new(FormCode::Unknown, "This run has no form with that name.")
        .allowed(if known.is_empty() { "no form yet".to_owned() } else { known.join(", ") })
        .next(format!(
            "/design-lab-review --human NAME {directory} makes a form; move any other CSV out of {FOLDER}."
        ))
}

/// The id under which the journal keeps a person's form.
fn job(person: &ReviewerId) -> JobId {
    JobName::Form { person: person.clone() }.id()
}

/// The people whose scores count, as reviewers.
pub(super) fn reviewers(state: &State) -> impl Iterator<Item = ReviewerFacts> {
    state.humans.iter().map(|review| ReviewerFacts { id: review.reviewer.clone(), model: None })
}

/// People's scores.
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

/// The orders in which people saw the designs.
pub(super) fn shown(state: &State) -> impl Iterator<Item = Shown> {
    let scored = state.humans.iter().filter(|review| !review.scores.is_empty());
    scored.filter_map(|HumanReview { reviewer, .. }| {
        let presented = state.presented.get(&job(reviewer))?;
        Some(Shown { reviewer: reviewer.clone(), repeat: 1, designs: presented.order.clone() })
    })
}

/// People's verdicts on pairs.
pub(super) fn comparisons(state: &State) -> impl Iterator<Item = Comparison> {
    state.humans.iter().flat_map(|review| {
        review.verdicts.iter().map(|given| Comparison {
            reviewer: review.reviewer.clone(),
            repeat: 1,
            first: given.first.clone(),
            second: given.second.clone(),
            verdict: given.verdict,
        })
    })
}

/// A person's comments on a design, each with the dimension or the other design that it is about.
fn said<'a>(review: &'a HumanReview, design: &'a DesignId) -> impl Iterator<Item = (&'a str, &'a str)> {
    let scores = review.scores.iter().filter(move |given| given.design == *design);
    let verdicts = review.verdicts.iter().filter_map(move |given| {
        let other = if given.first == *design { &given.second } else { &given.first };
        (given.first == *design || given.second == *design)
            .then_some((other.as_str(), given.comment.as_str()))
    });
    let said = scores.map(|given| (given.dimension.as_str(), given.comment.as_str())).chain(verdicts);
    said.filter(|(_, comment)| !comment.is_empty())
}

/// People's comments on a design, for its author: without their names, and with words in place of the labels.
pub(super) fn comments_without_names(state: &State, design: &DesignId) -> Vec<String> {
    let of_person = |review: &HumanReview| -> Vec<String> {
        let presented = state.presented.get(&job(&review.reviewer));
        let words = presented.map_or_else(Vec::new, |presented| presented.words_for(design));
        said(review, design)
            .map(|(on, comment)| {
                let on = if review.verdicts.is_empty() {
                    format!("On {on}")
                } else {
                    "Beside another design".to_owned()
                };
                format!("{on}: {}", anonymity::reveal(comment, &words))
            })
            .collect()
    };
    state.humans.iter().flat_map(of_person).collect()
}

/// People's comments on a design, with its scores or with verdicts.
pub(super) fn comments(state: &State, design: &DesignId) -> Vec<String> {
    let of_person = |review: &HumanReview| -> Vec<String> {
        let on = if review.verdicts.is_empty() { "on" } else { "beside" };
        let said = said(review, design);
        said.map(|(what, comment)| format!("{} {on} {what}: {comment}", review.reviewer)).collect()
    };
    state.humans.iter().flat_map(of_person).collect()
}
