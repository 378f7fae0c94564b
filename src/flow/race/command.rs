//! The arguments of `/flow-race`, and how a race begins.

use super::entrants::Entrant;
use crate::design_lab::config::AvailableModels;
use crate::design_lab::workflow::Handover;
use crate::flow::chosen::Chosen;
use crate::flow::code::FlowCode;
use crate::flow::command::no_goal;
use crate::flow::opening::{self, OpeningInput};
use crate::flow::protocol::Opening;
use crate::flow::recovery::{Recovery, RecoveryStage};
use kernel::nearest::nearest;
use serde::Serialize;

/// The names of lanes: there are at most as many.
pub const LANES: [&str; 3] = ["a", "b", "c"];
const WORKERS: &str = "--workers";
const DESIGNS: &str = "--designs";

/// A request to `/flow-race`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowRaceCommand"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum RaceCommand {
    /// Show the race.
    Show,
    /// Plan a race of several models for a goal.
    Draft {
        /// What the user wants built.
        goal: String,
        /// The models that build it, one for each lane.
        workers: Vec<String>,
    },
    /// Plan a race of several designs of a ranked run.
    From {
        /// The run, as the user names it; empty for the latest.
        run: String,
        /// The ids of the designs; empty for those that may be the best.
        designs: Vec<String>,
    },
    /// Approve the plan and build every lane.
    Approve {
        /// The hash, as it was typed.
        hash: String,
    },
    /// Take the result of a lane, or show what that would change.
    Take {
        /// The lane.
        lane: String,
        /// The hash, as it was typed; empty to be shown the changes.
        hash: String,
    },
}

/// Parses the arguments of `/flow-race`.
pub fn race_command(text: &str) -> Result<RaceCommand, Recovery> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(match words[..] {
        [] => RaceCommand::Show,
        ["approve"] => RaceCommand::Approve { hash: String::new() },
        ["approve", hash] => RaceCommand::Approve { hash: hash.to_owned() },
        ["take", lane] => RaceCommand::Take { lane: lane.to_owned(), hash: String::new() },
        ["take", lane, hash] => RaceCommand::Take { lane: lane.to_owned(), hash: hash.to_owned() },
        ["take"] => {
            return Err(unclear("Name the lane whose result you want.")
                .next("Type /flow-race take and its letter. /flow-status shows the lanes.", "/flow-status"));
        }
        ["from"] => RaceCommand::From { run: String::new(), designs: Vec::new() },
        ["from", DESIGNS, ref ids @ ..] => RaceCommand::From { run: String::new(), designs: listed(ids) },
        ["from", run] => RaceCommand::From { run: run.to_owned(), designs: Vec::new() },
        ["from", run, DESIGNS, ref ids @ ..] => {
            RaceCommand::From { run: run.to_owned(), designs: listed(ids) }
        }
        ["from", ..] => {
            return Err(unclear("`from` takes a run and, after --designs, the designs to build.").next(
                "Type /flow-race from <run> --designs <id>,<id>. /design-lab-status lists the runs.",
                "/design-lab-status",
            ));
        }
        _ => drafted(text, &words)?,
    })
}

/// A race of models for a goal: its line breaks are kept.
fn drafted(text: &str, words: &[&str]) -> Result<RaceCommand, Recovery> {
    let is_word = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + WORKERS.len()..]);
        (before.is_empty() || before.ends_with(char::is_whitespace))
            && (after.is_empty() || after.starts_with(char::is_whitespace))
    };
    let at = text.match_indices(WORKERS).map(|(at, _)| at).find(is_word);
    let Some((goal, workers)) = at.map(|at| (&text[..at], &text[at + WORKERS.len()..])) else {
        return Err(unclear("A race for a goal needs the models that build it.").next(
            "Type /flow-race <goal> --workers <provider/model>,<provider/model>. To race the designs of a \
             run, type /flow-race from <run>. /models lists the connected models.",
            "/models",
        ));
    };
    if words.iter().filter(|word| **word == WORKERS).count() != 1 {
        return Err(unclear("Name the models once, after --workers.")
            .next("Type /flow-race <goal> --workers <provider/model>,<provider/model>.", "/models"));
    }
    let goal = goal.trim().trim_start_matches("-- ").trim().to_owned();
    if goal.is_empty() {
        return Err(no_goal());
    }
    let workers = listed(&workers.split_whitespace().collect::<Vec<_>>());
    Ok(RaceCommand::Draft { goal, workers })
}

fn listed(words: &[&str]) -> Vec<String> {
    let each = words.iter().flat_map(|word| word.split(','));
    each.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

fn unclear(message: &str) -> Recovery {
    Recovery::new(FlowCode::RaceUnclear, RecoveryStage::Plan, message)
        .takes("a goal with --workers, `from` and a run, `approve` and a hash, or `take` and a lane")
}

/// The designs of a run that race: those that the user named, or else those that may be the best.
pub fn racing(run: &str, named: Vec<String>, contenders: Vec<String>) -> Result<Vec<String>, Recovery> {
    if !named.is_empty() {
        return Ok(named);
    }
    if contenders.len() >= 2 {
        return Ok(contenders);
    }
    Err(Recovery::new(
        FlowCode::RaceLanes,
        RecoveryStage::Plan,
        format!("The ranking of {run} leaves fewer than two designs that may be the best."),
    )
    .takes("two or three designs after --designs")
    .next(
        "Build the first one, or name the designs: /flow-race from <run> --designs <id>,<id>.",
        format!("/flow-plan from {run}"),
    ))
}

/// The first event's content for a race, or the reason why it can't begin. `input`: without a goal if designs race.
pub fn begin_race(
    input: &OpeningInput,
    workers: &[String],
    designs: &[Handover],
) -> Result<Opening, Recovery> {
    let goal = designs.first().map_or_else(|| input.goal.clone(), Handover::goal);
    let wanted = if designs.is_empty() { workers.len() } else { designs.len() };
    if !(2..=LANES.len()).contains(&wanted) {
        return Err(Recovery::new(
            FlowCode::RaceLanes,
            RecoveryStage::Plan,
            format!("A race has two or three lanes, and this one would have {wanted}."),
        )
        .takes("two or three models after --workers, or designs after --designs")
        .next("Name them, each once, with commas in between. /models lists the models.", "/models"));
    }
    for worker in workers {
        connected(worker, &input.available)?;
    }
    let mut given = OpeningInput { goal, from: None, fix: None, automatic: false, ..input.clone() };
    if let Some(first) = workers.first() {
        given.configured.worker = Some(first.clone());
    }
    let mut opening = opening::begin_with(&given, workers)?;
    let usual = opening.models.worker.clone();
    let names = LANES.iter().map(|lane| (*lane).to_owned());
    opening.race = if designs.is_empty() {
        let lane = |(lane, worker): (String, &String)| Entrant { lane, worker: worker.clone(), design: None };
        names.zip(workers).map(lane).collect()
    } else {
        let lane = |(lane, handover): (String, &Handover)| Entrant {
            lane,
            worker: usual.clone(),
            design: Some(Box::new(Chosen::of(handover))),
        };
        names.zip(designs).map(lane).collect()
    };
    let alike = |one: &Entrant| {
        opening
            .race
            .iter()
            .filter(|other| (&other.worker, &other.design) == (&one.worker, &one.design))
            .count()
    };
    if let Some(twice) = opening.race.iter().find(|one| alike(one) > 1) {
        return Err(Recovery::new(
            FlowCode::RaceLanes,
            RecoveryStage::Plan,
            format!("Two lanes would be the same: {}.", twice.wording()),
        )
        .takes("different models, or different designs")
        .next("Name each once. /models lists the models.", "/models"));
    }
    Ok(opening)
}

/// Whether this is a connected model that can call tools.
fn connected(worker: &str, available: &AvailableModels) -> Result<(), Recovery> {
    let known: Vec<String> =
        available.models.iter().map(crate::design_lab::config::AvailableModel::id).collect();
    if known.iter().any(|id| id == worker) {
        return Ok(());
    }
    let near = nearest(worker, known.iter().map(String::as_str));
    let hint = near.map_or_else(
        || "Name a connected model as `provider/model`. /models lists them.".to_owned(),
        |near| format!("Did you mean {near}? /models lists the connected models."),
    );
    Err(Recovery::new(
        FlowCode::RaceUnknownModel,
        RecoveryStage::Plan,
        format!("No connected model is called {worker:?}."),
    )
    .takes("connected models that can call tools")
    .next(hint, "/models"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides_what_is_done_with_a_race() {
        let texts = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let from =
            |run: &str, designs: &[&str]| RaceCommand::From { run: run.to_owned(), designs: texts(designs) };
        let take =
            |lane: &str, hash: &str| RaceCommand::Take { lane: lane.to_owned(), hash: hash.to_owned() };
        for (text, expected) in [
            (" ", RaceCommand::Show),
            ("approve 3fa91c02", RaceCommand::Approve { hash: "3fa91c02".to_owned() }),
            ("approve", RaceCommand::Approve { hash: String::new() }),
            ("take b", take("b", "")),
            ("take b 3fa91c02", take("b", "3fa91c02")),
            ("from", from("", &[])),
            ("from limiter", from("limiter", &[])),
            ("from limiter --designs brisk-10, calm-2", from("limiter", &["brisk-10", "calm-2"])),
            ("from --designs brisk-10,calm-2", from("", &["brisk-10", "calm-2"])),
            (
                "Limit the rate\nof the API --workers a/b, c/d",
                RaceCommand::Draft {
                    goal: "Limit the rate\nof the API".to_owned(),
                    workers: texts(&["a/b", "c/d"]),
                },
            ),
            (
                "Add --workers-max --workers a/b",
                RaceCommand::Draft { goal: "Add --workers-max".to_owned(), workers: texts(&["a/b"]) },
            ),
            (
                "-- from scratch, a parser --workers a/b",
                RaceCommand::Draft { goal: "from scratch, a parser".to_owned(), workers: texts(&["a/b"]) },
            ),
        ] {
            assert_eq!(race_command(text), Ok(expected), "{text}");
        }
        for (text, code) in [
            ("take", FlowCode::RaceUnclear),
            ("Limit the rate", FlowCode::RaceUnclear),
            ("from a b", FlowCode::RaceUnclear),
            ("a --workers a/b --workers c/d", FlowCode::RaceUnclear),
            ("--workers a/b,c/d", FlowCode::PlanNoGoal),
        ] {
            assert_eq!(race_command(text).unwrap_err().error_code, code, "{text}");
        }
    }
}
