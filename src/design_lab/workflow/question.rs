//! A job's next request: the system text and the prompt.

use super::job::{Job, Turn, Work};
use super::state::State;
use crate::design_lab::anonymity::{self, Blind};
use crate::design_lab::artefacts::Task;
use crate::design_lab::config::ReviewMode;
use crate::design_lab::prompts;

/// The model's role.
pub(super) fn system(state: &State, job: &Job) -> String {
    let model = &job.part.model;
    let own = match job.part.work {
        Work::Topic => return prompts::NAMER.trim_end().to_owned(),
        // A reviewer's own instructions are about reviewing.
        Work::Rubric => prompts::RUBRIC_DRAFTER.trim_end().to_owned(),
        Work::Design(_) => model.instructions(prompts::DESIGNER),
        Work::Review { .. } | Work::Map => model.instructions(prompts::REVIEWER),
    };
    if state.opening.lacks_tools(&model.model_id) {
        return format!("{own}\n\n{}", prompts::WITHOUT_TOOLS.trim_end());
    }
    own
}

/// The prompt of the job's current turn.
pub(super) fn prompt(state: &State, job: &Job) -> String {
    let shown = state.shows_images(job).map(|shown| prompts::with_images(&state.opening.task, shown));
    let task = shown.as_ref().unwrap_or(&state.opening.task);
    let briefed = state.opening.brief_for(job).map(|brief| prompts::with_brief(task, brief));
    let task = briefed.as_ref().unwrap_or(task);
    let criteria = &state.opening.config.scoring_criteria;
    let labels = state.presented.get(&job.id).map_or(&[][..], |presented| &presented.labels);
    match job.turn {
        Turn::Topic => prompts::topic(task),
        Turn::Rubric => prompts::draft_rubric(task),
        Turn::Design => match state.amendments.remarks.get(&job.id) {
            None => prompts::design(task),
            Some(remark) => {
                let earlier = state.standing(&job.id).and_then(|job| job.part.product.design.as_ref());
                let earlier = earlier.map(|design| anonymity::enclosed("design", None, design));
                prompts::design_again(task, earlier.as_deref(), &anonymity::enclosed("remark", None, remark))
            }
        },
        Turn::Refine => refine(state, job, task),
        Turn::Merge => merge(state, job, task),
        Turn::Claims => {
            let design = job.part.product.design.as_ref().filter(|_| !job.in_conversation);
            let design = design.map(|design| anonymity::enclosed("design", None, design));
            prompts::claims(design.as_deref().map(|design| (task, design)))
        }
        Turn::Prose => prompts::prose(task, &blocks(state, job), &criteria.dimensions),
        Turn::Compare => prompts::compare(task, &blocks(state, job), labels, criteria),
        Turn::Map => prompts::map(task, &blocks(state, job), labels),
        Turn::Whole => prompts::whole(task, &blocks(state, job), &state.reply_rules(labels)),
        Turn::Scores if job.in_conversation && job.part.product.fix.is_some() => {
            job.part.product.fix.clone().unwrap_or_default()
        }
        Turn::Scores => {
            // A conversation that continues contains the designs already.
            let designs = if job.in_conversation { Vec::new() } else { blocks(state, job) };
            let material =
                prompts::Material { task, designs: &designs, review: job.part.product.prose.as_deref() };
            let material = (!job.in_conversation).then_some(material);
            prompts::scores(material, &state.reply_rules(labels))
        }
    }
}

/// The remedies for a prompt that is larger than its model's context, the best first.
pub(super) fn smaller(state: &State, job: &Job) -> String {
    const CONTEXT: &str = "give it a larger context on its server";
    let Work::Review { .. } = job.part.work else {
        return format!("{CONTEXT}, or shorten the task and what is attached");
    };
    let review = &state.opening.config.review;
    let mut ways = vec![CONTEXT];
    if matches!(job.turn, Turn::Prose | Turn::Scores) && review.turns != 1 {
        ways.push("set `review.turns` to 1");
    }
    if review.mode == ReviewMode::Scores {
        ways.extend(["set `review.mode` to \"pairwise\"", "compare fewer designs"]);
    }
    match &ways[..] {
        [before @ .., last] if !before.is_empty() => format!("{}, or {last}", before.join(", ")),
        _ => CONTEXT.to_owned(),
    }
}

/// Shows a designer its own design again, with only the comments on it.
fn refine(state: &State, job: &Job, task: &Task) -> String {
    let earlier =
        state.opening.parent.as_ref().and_then(|parent| parent.earlier_version(&job.part.model.design_id()));
    let (design, feedback) = earlier.map_or_else(Default::default, |given| {
        (
            anonymity::enclosed("design", None, &given.design),
            anonymity::enclosed("feedback", None, &given.feedback),
        )
    });
    prompts::refine(task, &design, &feedback)
}

/// Shows the designs without their authors, best first, each with the comments on it.
fn merge(state: &State, job: &Job, task: &Task) -> String {
    let labels = state.presented.get(&job.id).map_or(&[][..], |presented| &presented.labels);
    let designs = blocks(state, job);
    let feedback = state
        .opening
        .parent
        .iter()
        .flat_map(|parent| &parent.designs)
        .zip(labels)
        .map(|(given, label)| anonymity::enclosed("feedback", Some(label), &given.feedback));
    let blocks: Vec<String> =
        designs.into_iter().zip(feedback).map(|(design, feedback)| format!("{design}\n{feedback}")).collect();
    let parent = state.opening.parent.as_ref();
    let shown = state.presented.get(&job.id);
    let map =
        parent.and_then(|parent| parent.map.as_ref()).zip(shown).map(|(map, shown)| map.for_reader(shown));
    let map = map.filter(|points| !points.is_empty()).map(|points| anonymity::enclosed("map", None, &points));
    prompts::merge(task, &blocks, labels, map.as_deref())
}

/// The designs as this reviewer sees them: blind, in its own order, under its own labels.
fn blocks(state: &State, job: &Job) -> Vec<String> {
    let Some(presented) = state.presented.get(&job.id) else { return Vec::new() };
    let mut blocks: Vec<String> = presented
        .pairs()
        .filter_map(|(label, id)| {
            let (_, blind) = state.blind.iter().find(|(design, _)| design == id)?;
            Some(anonymity::shown(&blind.design, label))
        })
        .collect();
    let is_checked = |blind: &Blind| blind.design.claims.iter().any(|claim| claim.finding.is_some());
    if let Some(last) = blocks.last_mut().filter(|_| state.blind.iter().any(|(_, blind)| is_checked(blind))) {
        last.push_str("\n\n");
        last.push_str(prompts::observed());
    }
    blocks
}
