//! From a run that is over and the user's arguments to the first event of a run that builds upon it.

use super::added::{ADD, Add};
use super::candidate::{self, OwnFile};
use super::close_request::{CLOSE, CloseRequest};
use super::code::{WorkflowCode, too_few_designs, too_many_words, unknown_option};
use super::comparison;
use super::human_review;
use super::job::{Job, Work};
use super::map::{MAP, MapRequest};
use super::opening::{DRY_RUN, OpeningInput, new_vendors, opening, void_cap};
use super::parent::{EarlierDesign, Feedback, MERGED, Parent, Step};
use super::protocol::{Opening, TaskRubric};
use super::results;
use super::rubric::{self, RUBRIC};
use super::run::Run;
use super::state::{Phase, State};
use super::until_clear::{self, CLEAR, MAX_COST, UNTIL};
use crate::design_lab::anonymity;
use crate::design_lab::config::{self, ModelEntry, UntilClear};
use crate::design_lab::ids::DesignId;
use crate::design_lab::isolation::wording;
use crate::shared::figures::count;
use design_lab_numerics::sorting::sort_by_key;
use kernel::job::JobState;
use kernel::json::Deserialize;
use kernel::origin::Origin;
use kernel::problem::Problem;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is done with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FollowUp {
    /// `/design-lab-review`.
    Review,
    /// `/design-lab-refine`.
    Refine,
    /// `/design-lab-merge`.
    Merge,
}

/// The arguments of one of these commands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Wanted {
    /// The run, as the user names it; empty for the latest.
    pub run: String,
    /// Whether the same step may be repeated although another run already did it.
    pub new_directory: bool,
    /// Refine: the maximum number of rounds, from 1.
    pub rounds: u32,
    /// Merge: the model that writes, by id or `provider/model`; `None` for the author of the best design.
    pub by: Option<String>,
    /// Whether the user has already said yes, as with a further round of a refinement.
    #[serde(default)]
    pub permitted: bool,
    /// Review: whether a rubric for the task is drafted first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rubric: bool,
    /// Review: the models that join the reviewers of the run itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub add: Option<Add>,
    /// Review: map where the designs agree and differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub map: Option<MapRequest>,
    /// Review: compare the first two designs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub close: Option<CloseRequest>,
    /// Review: continue until the first place is clear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub until: Option<UntilClear>,
}

/// More rounds than this are a typo.
const MOST_ROUNDS: u32 = 9;

impl FollowUp {
    fn command(self) -> &'static str {
        match self {
            Self::Review => {
                "/design-lab-review [--new] [--rubric] [run]. Instead of these, you can write --until clear [--max-cost \
                 DOLLARS], --add MODEL[,MODEL] [--dry-run | --yes], --close [--dry-run | --yes], --map [--dry-run | --yes] or \
                 --human NAME"
            }
            Self::Refine => "/design-lab-refine [--new] [--rounds N] [run]",
            Self::Merge => "/design-lab-merge [--new] [--by MODEL] [run]",
        }
    }
}

/// Reads the arguments of a command.
pub fn wanted(follow_up: FollowUp, text: &str) -> Result<Wanted, Problem> {
    let bad = |problem: Problem| Err(problem.next(format!("Type {}.", follow_up.command())));
    let mut wanted = Wanted { rounds: 1, ..Wanted::default() };
    let (mut is_permitted, mut is_dry, mut cap) = (false, false, None);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let (option, attached) = match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => (option, Some(value)),
            _ => (word, None),
        };
        match (option, follow_up) {
            ("--new", _) => wanted.new_directory = true,
            (RUBRIC, FollowUp::Review) => wanted.rubric = true,
            ("--rounds", FollowUp::Refine) => {
                let given = attached.or_else(|| words.next()).unwrap_or_default();
                match given.parse() {
                    Ok(rounds @ 1..=MOST_ROUNDS) => wanted.rounds = rounds,
                    _ => {
                        let message =
                            format!("--rounds takes a number from 1 to {MOST_ROUNDS}, not `{given}`.");
                        return bad(Problem::new(WorkflowCode::BadRounds, message));
                    }
                }
            }
            (ADD, FollowUp::Review) => {
                let models = attached.or_else(|| words.next()).unwrap_or_default().split(',');
                let models = models.filter(|name| !name.is_empty()).map(str::to_owned);
                wanted.add.get_or_insert_default().models.extend(models);
            }
            (UNTIL, FollowUp::Review) => {
                let given = attached.or_else(|| words.next()).unwrap_or_default();
                if given != CLEAR {
                    let problem = Problem::new(
                        WorkflowCode::MissingValue,
                        format!("{UNTIL} needs the word `{CLEAR}` after it."),
                    );
                    return bad(if given.is_empty() { problem } else { problem.found(given) });
                }
                wanted.until.get_or_insert_default();
            }
            (MAX_COST, FollowUp::Review) => {
                match until_clear::max_cost(attached.or_else(|| words.next()).unwrap_or_default()) {
                    Ok(dollars) => cap = Some(dollars),
                    Err(problem) => return bad(problem),
                }
            }
            (MAP, FollowUp::Review) => _ = wanted.map.get_or_insert_default(),
            (CLOSE, FollowUp::Review) => _ = wanted.close.get_or_insert_default(),
            ("--yes", FollowUp::Review) => is_permitted = true,
            (DRY_RUN, FollowUp::Review) => is_dry = true,
            ("--by", FollowUp::Merge) => match attached.or_else(|| words.next()) {
                Some(model) => wanted.by = Some(model.to_owned()),
                None => {
                    return bad(Problem::new(WorkflowCode::MissingValue, "--by needs a model after it."));
                }
            },
            (option, _) if option.starts_with("--") => {
                return bad(unknown_option(option));
            }
            _ if wanted.run.is_empty() => word.clone_into(&mut wanted.run),
            _ => return bad(too_many_words(word)),
        }
    }
    let [beside_close, beside_map] = [CLOSE, MAP].map(|own| beside(&wanted, own));
    if let Some(close) = &mut wanted.close {
        if let Some(other) = beside_close {
            return bad(unknown_option(&format!("{CLOSE} with {other}")));
        }
        (close.permitted, close.dry_run) = (is_permitted, is_dry);
    }
    if let Some(map) = &mut wanted.map {
        if let Some(other) = beside_map {
            return bad(unknown_option(&format!("{MAP} with {other}")));
        }
        (map.permitted, map.dry_run) = (is_permitted, is_dry);
    }
    match &mut wanted.until {
        Some(_) if wanted.add.is_some() => return bad(unknown_option("--until with --add")),
        Some(until) => until.max_cost_usd = cap,
        None if cap.is_some() => return bad(unknown_option("--max-cost without --until")),
        None => {}
    }
    match &mut wanted.add {
        Some(add) if add.models.is_empty() || add.models.iter().any(|name| name.starts_with("--")) => {
            return bad(Problem::new(WorkflowCode::MissingValue, "--add needs a model after it."));
        }
        Some(_) if wanted.new_directory => return bad(unknown_option("--new with --add")),
        Some(_) if wanted.rubric => return bad(unknown_option("--rubric with --add")),
        None if wanted.map.is_none() && wanted.close.is_none() && (is_permitted || is_dry) => {
            return bad(unknown_option("--yes or --dry-run without --add, --close or --map"));
        }
        Some(add) => (add.permitted, add.dry_run) = (is_permitted, is_dry),
        None => {}
    }
    Ok(wanted)
}

/// The first option that a command can't have beside its `own` one, which asks for something in the run itself.
fn beside(wanted: &Wanted, own: &str) -> Option<&'static str> {
    let others = [
        (ADD, wanted.add.is_some()),
        (CLOSE, wanted.close.is_some()),
        (MAP, wanted.map.is_some()),
        (UNTIL, wanted.until.is_some()),
        ("--new", wanted.new_directory),
        (RUBRIC, wanted.rubric),
    ];
    others.into_iter().find_map(|(other, is_there)| (is_there && other != own).then_some(other))
}

impl Run {
    /// Returns the content of the first event of a run that builds upon this one, or everything that prevents its start. `origin`:
    /// where this run comes from.
    pub fn follow_up(
        &self,
        follow_up: FollowUp,
        wanted: &Wanted,
        input: &OpeningInput,
        origin: Origin,
    ) -> Result<Opening, Vec<Problem>> {
        let vouched = self.state().map(|state| state.vouched(origin));
        let Some((state, run)) =
            vouched.as_deref().and_then(|state| Some((state, state.directory.name.as_deref()?)))
        else {
            return Err(vec![Problem::new(WorkflowCode::Empty, "The run has not started.")]);
        };
        if !matches!(state.phase, Phase::Over(_)) {
            return Err(vec![
                Problem::new(WorkflowCode::Unfinished, format!("{run} is not finished yet."))
                    .next(format!("/design-lab-resume {run} continues it; /design-lab-cancel ends it.")),
            ]);
        }
        let jobs = candidates(state, follow_up);
        if jobs.len() < 2 {
            return Err(vec![too_few_designs(run, jobs.len())]);
        }
        let mut config = config::load(&input.sources, &input.files, &input.available)?.config;
        // The rubric that was approved for the task is still that of the task, unless another is drafted.
        let rubric = state.approved_rubric().filter(|_| !wanted.rubric).cloned();
        if rubric.is_some() {
            state.keep_rubric(&mut config);
        }
        if let Some(until) = wanted.until {
            until.set(&mut config);
        }
        let designs: Vec<EarlierDesign> = jobs.iter().map(|job| given(state, job, follow_up)).collect();
        // Only designs by models; a file of the user's has no model to ask.
        let mut entries: Vec<ModelEntry> =
            jobs.iter().filter(|job| job.part.file().is_none()).map(|job| job.part.model.clone()).collect();
        let (step, writers, note) = match follow_up {
            FollowUp::Review => (Step::Review, Vec::new(), "its designs are reviewed again"),
            FollowUp::Refine => {
                let (step, writers) = refinements(run, &designs, &entries, wanted.rounds)?;
                let own = designs.iter().any(|given| given.from.is_some());
                let kept = "each designer revises its own design after the reviews; your own files stay \
                            unchanged";
                let note = if own { kept } else { kept.split(';').next().unwrap_or(kept) };
                (step, writers, note)
            }
            FollowUp::Merge => {
                if state.ranking.is_none() {
                    return Err(vec![unmergeable(run)]);
                }
                let mut writer = merger(run, &entries, &config.design_models, wanted.by.as_deref(), input)?;
                MERGED.clone_into(&mut writer.id);
                while designs.iter().any(|given| given.id == *writer.id) {
                    writer.id.push_str("-again");
                }
                (
                    Step::Merge { id: writer.design_id() },
                    vec![writer],
                    "one design combines the best parts of all",
                )
            }
        };
        let mut used = config.clone();
        used.design_models.clone_from(&writers);
        let mut problems = config::check_models(&used, &input.available);
        entries.extend(writers);
        config.design_models = entries;
        let map = state.map_for(follow_up, &designs);
        let own = || designs.iter().filter_map(|given| given.from.as_ref());
        candidate::hide(&mut config, own());
        problems.extend(candidate::hides_too_much(&config));
        problems.extend(comparison::uncountable(&config, own().count()));
        problems.extend(until_clear::refusal(&config));
        problems.extend(rubric::no_drafter(&config).filter(|_| wanted.rubric));
        if !problems.is_empty() {
            return Err(problems);
        }
        let reviewers = config.reviewers(|model| &model.id);
        let mut notes = vec![format!("Built on {run}: {note}. Reviewers: {}.", reviewers.join(", "))];
        notes.extend(rubric.as_ref().map(|rubric| kept_rubric(rubric, run)));
        notes.extend(wording(&input.outputs, &config.output_directory));
        // A user who sets a cost limit has said yes to that cost, provided the limit can be enforced.
        let is_capped = wanted.until.is_some_and(|until| until.max_cost_usd.is_some())
            && void_cap(&config, &input.available).is_none();
        let seed_of = format!("{run} {follow_up:?} {}", state.opening.seed);
        let only_reviews = step == Step::Review;
        let vendors = new_vendors(&config, &input.available, only_reviews);
        let mut opening = Opening {
            new_directory: wanted.new_directory,
            vendors,
            drafts_rubric: wanted.rubric,
            rubric,
            permitted: wanted.permitted || input.permitted || is_capped,
            parent: Some(Parent { run: run.to_owned(), step, designs, map }),
            images: state.opening.images.clone(),
            brief: state.opening.brief.clone(),
            ..opening(input, config, state.opening.task.clone(), notes, &seed_of)
        };
        opening.notes.extend(opening.account_of_images());
        opening.notes.extend(opening.account_of_tools());
        Ok(opening)
    }

    /// The arguments of the next round of a refinement; `None` when no further round is due. A further round is due while rounds are
    /// left and the last one gained more than noise, since a gain within noise doesn't justify spending more.
    pub fn next_round(&self) -> Option<Wanted> {
        let state = self.state()?;
        let rounds = state.rounds_left();
        // Once reviewers have joined, the rounds have already been decided.
        let due = rounds > 0
            && state.joined.is_empty()
            && state.is_ranked()
            && state.calls.closing.is_none()
            && state.has_gained();
        due.then(|| Wanted {
            run: state.directory.name.clone().unwrap_or_default(),
            new_directory: true,
            rounds,
            by: None,
            permitted: true,
            rubric: false,
            add: None,
            map: None,
            close: None,
            until: None,
        })
    }
}

impl State {
    /// How many rounds of a refinement may follow this one.
    fn rounds_left(&self) -> u32 {
        match self.opening.parent.as_ref().map(|parent| &parent.step) {
            Some(Step::Refine { rounds, .. }) => *rounds,
            Some(Step::Review | Step::Merge { .. }) | None => 0,
        }
    }

    /// Explains why no further round follows although the user asked for one and this one is ranked.
    pub(super) fn no_further_round(&self) -> Option<String> {
        let left = self.rounds_left();
        let rounds = count(u64::from(left), "round", "rounds");
        let why = match &self.calls.closing {
            Some(reason) => format!("no more calls were made: {reason}"),
            None if !self.has_gained() => "no new version is clearly better".to_owned(),
            None => return None,
        };
        (left > 0 && self.is_ranked()).then(|| format!("Refining stopped with {rounds} left: {why}."))
    }
}

/// The problem of a merge without a ranking.
fn unmergeable(run: &str) -> Problem {
    Problem::new(WorkflowCode::NotRanked, format!("{run} has no ranking, which a merge needs."))
        .next(format!("/design-lab-review {run} reviews its designs."))
}

/// The note on a rubric that is kept from the earlier run.
fn kept_rubric(rubric: &TaskRubric, run: &str) -> String {
    let approved = if rubric.elsewhere { " It was approved on another machine." } else { "" };
    format!("Reviewers use the rubric of {run} for this task, which {} drafted.{approved}", rubric.drafted_by)
}

/// The designs that take part, best first: for a review, all of them; otherwise, the highest-ranked design of each line of versions.
fn candidates(state: &State, follow_up: FollowUp) -> Vec<&Job> {
    let mut jobs: Vec<&Job> =
        state.calls.jobs.iter().filter(|job| job.part.product.design.is_some()).collect();
    if let Some(ranking) = &state.ranking {
        let place = |job: &&Job| ranking.rankings.iter().position(|row| row.design_id == *job.part.model.id);
        sort_by_key(&mut jobs, |job| place(job).unwrap_or(usize::MAX));
    }
    if follow_up != FollowUp::Review {
        let mut lines = Vec::new();
        jobs.retain(|job| {
            let (line, _) = version(state, &job.part.model.design_id());
            let first = !lines.contains(&line);
            lines.push(line);
            first
        });
    }
    jobs
}

/// The line and the number of a design's version.
fn version(state: &State, id: &DesignId) -> (DesignId, u32) {
    state.opening.parent.as_ref().map_or_else(|| (id.clone(), 1), |parent| parent.version(id))
}

fn given(state: &State, job: &Job, follow_up: FollowUp) -> EarlierDesign {
    let id = job.part.model.design_id();
    let (line, version) = version(state, &id);
    EarlierDesign {
        line,
        version,
        design: job.part.product.design.clone().unwrap_or_default(),
        metadata: results::provenance(job),
        from: own_file(state, &id).cloned(),
        feedback: match follow_up {
            FollowUp::Review => Feedback::default(),
            FollowUp::Refine | FollowUp::Merge => feedback(state, &id),
        },
        id,
    }
}

/// The file that a design was read from, if no model wrote it.
fn own_file<'a>(state: &'a State, id: &DesignId) -> Option<&'a OwnFile> {
    state.opening.own_files().find(|(own, _)| *own == id).map(|(_, file)| file)
}

/// All reviewers' comments on a design: names are scrubbed, and words replace labels.
pub(super) fn feedback(state: &State, design: &DesignId) -> Feedback {
    let names = state.names();
    let mut feedback = Feedback::default();
    for job in &state.calls.jobs {
        let Some(presented) = state.presented.get(&job.id) else { continue };
        if job.state != JobState::Done
            || !matches!(job.part.work, Work::Review { .. })
            || !presented.order.contains(design)
        {
            continue;
        }
        let words = presented.words_for(design);
        let blind = |text: &String| anonymity::scrubbed(&anonymity::reveal(text, &words), &names);
        let add = |list: &mut Vec<String>, texts: &[String]| {
            for text in texts.iter().map(blind) {
                if !text.trim().is_empty() && !list.contains(&text) {
                    list.push(text);
                }
            }
        };
        let evaluations = job.part.product.evaluations.iter().flatten();
        for evaluation in evaluations.filter(|evaluation| evaluation.design_id == *design) {
            let said = &evaluation.qualitative;
            add(&mut feedback.strengths, &said.strengths);
            add(&mut feedback.weaknesses, &said.weaknesses);
            add(&mut feedback.missing_considerations, &said.missing_considerations);
            add(&mut feedback.risks, &said.risks);
            add(&mut feedback.justifications, std::slice::from_ref(&evaluation.quantitative.justification));
        }
        if let Some(verdict) = &job.part.product.verdict {
            add(&mut feedback.justifications, std::slice::from_ref(&verdict.justification));
        }
    }
    for comment in human_review::comments_without_names(state, design) {
        let comment = anonymity::scrubbed(&comment, &names);
        if !feedback.justifications.contains(&comment) {
            feedback.justifications.push(comment);
        }
    }
    feedback
}

/// The new versions and their authors: the author of each design that reviewers commented on.
fn refinements(
    run: &str,
    designs: &[EarlierDesign],
    entries: &[ModelEntry],
    rounds: u32,
) -> Result<(Step, Vec<ModelEntry>), Vec<Problem>> {
    let mut versions = BTreeMap::new();
    let mut writers = Vec::new();
    for given in designs.iter().filter(|given| !given.feedback.is_empty()) {
        let Some(entry) = entries.iter().find(|entry| given.id == *entry.id) else { continue };
        let mut writer = entry.clone();
        writer.id = format!("{}-v{}", given.line, given.version + 1);
        while designs.iter().any(|given| given.id == *writer.id) || versions.contains_key(&writer.design_id())
        {
            writer.id.push_str("-2");
        }
        versions.insert(writer.design_id(), given.id.clone());
        writers.push(writer);
    }
    if writers.is_empty() {
        return Err(vec![
            Problem::new(
                WorkflowCode::NoFeedback,
                format!("No reviewer wrote about the models' designs in {run}."),
            )
            .next(format!("/design-lab-review {run} reviews them.")),
        ]);
    }
    Ok((Step::Refine { versions, rounds: rounds.saturating_sub(1) }, writers))
}

/// The model that merges: the one that the user chose, otherwise the author of the best design.
fn merger(
    run: &str,
    entries: &[ModelEntry],
    configured: &[ModelEntry],
    by: Option<&str>,
    input: &OpeningInput,
) -> Result<ModelEntry, Vec<Problem>> {
    let Some(by) = by else {
        return entries.first().cloned().ok_or_else(|| {
            let problem = Problem::new(
                WorkflowCode::UnknownModel,
                format!(
                    "No design of {run} was written by a \
                                                                  model."
                ),
            );
            vec![problem.next(format!(
                "Name the model that merges: /design-lab-merge --by PROVIDER/MODEL \
                                       {run}."
            ))]
        });
    };
    if let Some(entry) = entries.iter().chain(configured).find(|entry| entry.id == by) {
        return Ok(entry.clone());
    }
    if input.available.models.iter().any(|model| model.id() == by) {
        let temperature = entries.iter().chain(configured).map(|entry| entry.temperature).next();
        return Ok(ModelEntry {
            id: String::new(),
            name: by.to_owned(),
            model_id: by.to_owned(),
            temperature: temperature.unwrap_or_default(),
            prompt_template: None,
            brief: None,
            variant: None,
        });
    }
    let ids: Vec<&str> = entries.iter().chain(configured).map(|entry| entry.id.as_str()).collect();
    Err(vec![
        Problem::new(WorkflowCode::UnknownModel, format!("--by names an unknown model: `{by}`."))
            .allowed(format!("{}, or provider/model", ids.join(", ")))
            .next("`opencode models` lists what is connected."),
    ])
}
