//! The steps from what the user typed to the first event of a session.

use super::chosen::Chosen;
use super::code::FlowCode;
use super::command::no_goal;
use super::feedback::ProjectRule;
use super::fix::Fix;
use super::held;
use super::leave::ShellRules;
use super::protocol::{Models, Opening, RULES, WORKFLOW};
use super::recovery::{Recovery, RecoveryStage};
use crate::design_lab::config::{AvailableModels, FlowSettings, NEW, NewVendors};
use crate::design_lab::workflow::Handover;
use crate::random;
use crate::shared::Rules;
use crate::shared::vendor::vendor;
use crate::validation::to_fix::ToFix;
use kernel::json::Deserialize;
use kernel::protocol::JOURNAL_VERSION;
use serde::Serialize;

/// The input of a new session, as the shell gathered it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowOpeningInput"))]
pub struct OpeningInput {
    /// The package's version.
    pub package: String,
    /// The user's local date, `YYYY-MM-DD`.
    pub date: String,
    /// What the user wants built; empty if that is a ranked design.
    pub goal: String,
    /// The ranked design to build.
    #[serde(default)]
    pub from: Option<Handover>,
    /// The findings of a validation to fix.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub fix: Option<ToFix>,
    /// The models of the connected providers.
    pub available: AvailableModels,
    /// The models that the user gave Flow's agents.
    pub configured: ConfiguredModels,
    /// Flow's part of the user's configuration.
    pub settings: FlowSettings,
    /// Whether to build the whole goal without asking.
    pub automatic: bool,
    /// The user's rules for a worker's shell commands.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub shell_rules: Option<ShellRules>,
    /// The rules of the project.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ProjectRule>>"))]
    pub project_rules: Vec<ProjectRule>,
}

/// The `model` of the agents `flow-planner`, `flow-worker`, `flow-reviewer` and `flow-examiner` in the host's settings, as
/// `provider/model`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowConfiguredModels"))]
pub struct ConfiguredModels {
    /// The planner's; `None` when it isn't set.
    pub planner: Option<String>,
    /// The worker's; `None` when it isn't set.
    pub worker: Option<String>,
    /// The reviewer's; `None` when it isn't set.
    pub reviewer: Option<String>,
    /// The examiner's; `None` when it isn't set.
    #[serde(default)]
    pub examiner: Option<String>,
}

/// The first event's content, or the reason why the session can't begin.
pub fn begin(input: &OpeningInput) -> Result<Opening, Recovery> {
    begin_with(input, &[])
}

/// The same for a session with further workers.
pub(super) fn begin_with(input: &OpeningInput, workers: &[String]) -> Result<Opening, Recovery> {
    let fix = input.fix.as_ref().map(|found| Box::new(Fix::of(found)));
    let goal = match (&input.from, &fix) {
        (Some(handover), _) => handover.goal(),
        (None, Some(fix)) => fix.goal(),
        (None, None) => input.goal.trim().to_owned(),
    };
    if goal.is_empty() {
        return Err(no_goal());
    }
    if let Some(refused) = input.shell_rules.as_ref().and_then(ShellRules::deny_all) {
        return Err(refused);
    }
    let (models, mut notes) = models(&input.configured, &input.available)?;
    if let Some(model) = workers.iter().find(|model| input.available.lacks_tools(model)) {
        return Err(without_tools("worker", model));
    }
    let mut roles = models.roles();
    for (role, asked) in &mut roles {
        if *role == "worker" {
            asked.extend(workers.iter().filter(|worker| **worker != models.worker));
        }
    }
    if let Some(new) = NewVendors::among(&roles, &input.available) {
        let command = new.command();
        return Err(Recovery::new(
            FlowCode::VendorsNew,
            RecoveryStage::Session,
            format!("{NEW} {}", new.sentence()),
        )
        .takes("vendors that you allow for this project")
        .next("Allow this once, then type your command again.", command));
    }
    notes.push(models.wording());
    notes.extend(held::account(&input.project_rules));
    let from = input.from.as_ref().map(|handover| Box::new(Chosen::of(handover)));
    notes.splice(0..0, from.iter().flat_map(|chosen| chosen.notes()));
    let asked: Vec<&String> = roles.into_iter().flat_map(|(_, models)| models).collect();
    let prices = input.available.prices(&asked);
    Ok(Opening {
        version: JOURNAL_VERSION,
        acceptance: Rules::LATEST,
        workflow: WORKFLOW.to_owned(),
        package: input.package.clone(),
        date: input.date.clone(),
        settings: input.settings.clone(),
        automatic: input.automatic,
        rules: RULES,
        seed: random::seed(&goal),
        goal,
        from,
        fix,
        race: Vec::new(),
        lane_of: None,
        models,
        notes,
        prices,
        expected: None,
        shell_rules: input.shell_rules.clone(),
        project_rules: input.project_rules.clone(),
    })
}

/// Why the cap in dollars of a session that starts now can't be enforced, in words; `None` when it can, or there is none.
pub fn void_cap(
    settings: &FlowSettings,
    configured: &ConfiguredModels,
    available: &AvailableModels,
) -> Option<String> {
    let (models, _) = models(configured, available).ok()?;
    models.void_cap(settings, &models.known(settings, &available.prices(&models.all())))
}

/// The models and their roles, with notes, such as one about a reviewer from the worker's vendor.
fn models(
    configured: &ConfiguredModels,
    available: &AvailableModels,
) -> Result<(Models, Vec<String>), Recovery> {
    let ConfiguredModels { planner, worker, reviewer, examiner } = configured;
    let named = [("planner", planner), ("worker", worker), ("reviewer", reviewer), ("examiner", examiner)];
    for (role, model) in named {
        if let Some(model) = model.as_ref().filter(|model| available.lacks_tools(model)) {
            return Err(without_tools(role, model));
        }
    }
    let Some(usual) = worker.clone().or_else(|| available.usual()) else {
        if let Some(own) = available.passed_over() {
            return Err(without_tools("worker", own));
        }
        return Err(Recovery::new(FlowCode::ModelsNone, RecoveryStage::Session, "No model is connected.")
            .takes("a connected provider with a model")
            .next("Connect one with /connect, then type the goal again.", "/connect"));
    };
    let other = || available.of_another_vendor(&usual);
    let reviewer = reviewer.clone().or_else(other).unwrap_or_else(|| usual.clone());
    let mut notes = Vec::new();
    if let Some(own) = available.passed_over().filter(|_| worker.is_none()) {
        notes.push(format!("{own}, the model of your session, can't call tools: {usual} is used instead."));
    }
    if reviewer == usual || vendor(&reviewer).is_some_and(|maker| Some(maker) == vendor(&usual)) {
        notes.push(format!(
            "The reviewer ({reviewer}) is from the worker's vendor. A reviewer from another vendor finds \
             more problems: connect one, or set `model` of the agent flow-reviewer."
        ));
    }
    let planner = planner.clone().unwrap_or_else(|| usual.clone());
    Ok((Models { planner, worker: usual, reviewer, examiner: examiner.clone() }, notes))
}

/// The refusal of a model that can't call tools, because it could neither read a file nor run a check.
fn without_tools(role: &str, model: &str) -> Recovery {
    Recovery::new(
        FlowCode::ModelsNoTools,
        RecoveryStage::Session,
        format!("{model} can't call tools, but Flow's {role} needs them."),
    )
    .takes("a planner, worker, reviewer and examiner that can call tools")
    .next(
        format!(
            "In opencode.json, set `model` of the agent flow-{role} to a model that can call tools. If \
             {model} can call tools, set `tool_call: true` for it there. /models lists the connected \
             models."
        ),
        "/models",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::config::AvailableModel;

    fn input(models: &[&str]) -> OpeningInput {
        let models = models.iter().map(|id| {
            let (provider, model) = id.split_once('/').unwrap();
            AvailableModel {
                provider: provider.to_owned(),
                model: model.to_owned(),
                tool_call: true,
                ..AvailableModel::default()
            }
        });
        let available = AvailableModels {
            models: models.collect(),
            current: Some("anthropic/claude-opus-4-5".to_owned()),
            ..AvailableModels::default()
        };
        OpeningInput { goal: " Build it ".to_owned(), available, ..OpeningInput::default() }
    }

    #[test]
    fn the_reviewer_is_of_another_vendor_where_one_is_connected() {
        let opening = begin(&input(&["anthropic/claude-opus-4-5", "openai/gpt-5.1"])).unwrap();
        assert_eq!(opening.models.worker, "anthropic/claude-opus-4-5");
        assert_eq!(opening.models.planner, "anthropic/claude-opus-4-5");
        assert_eq!(opening.models.reviewer, "openai/gpt-5.1");
        assert_eq!(opening.goal, "Build it");
        let models = "Models: anthropic/claude-opus-4-5 plans, anthropic/claude-opus-4-5 builds, openai/gpt-5.1 reviews.";
        assert_eq!(opening.notes, [models], "and nothing else");
        let alone = begin(&input(&["anthropic/claude-opus-4-5", "anthropic/claude-haiku-4-5"])).unwrap();
        assert_eq!(alone.models.reviewer, "anthropic/claude-opus-4-5");
        assert!(alone.notes[0].contains("from the worker's vendor"), "{:?}", alone.notes);
    }

    #[test]
    fn a_local_model_and_a_proxy_get_a_reviewer_of_another_vendor_and_never_one_that_the_host_brought_along()
    {
        let connected = ["llamacpp/mine", "proxy/house", "openai/gpt-5.1", "zen/free-2"];
        for (current, expected) in [
            ("llamacpp/mine", "openai/gpt-5.1"),
            ("proxy/house", "llamacpp/mine"),
            ("openai/gpt-5.1", "llamacpp/mine"),
        ] {
            let mut given = input(&connected);
            given.available.current = Some(current.to_owned());
            given.available.models[3].brought_along = true;
            given.available.models[3].reasoning = true;
            let opening = begin(&given).unwrap();
            assert_eq!((opening.models.reviewer.as_str(), opening.notes.len()), (expected, 1), "{current}");
        }
        let mut given = input(&["zen/free-1", "zen2/free-2"]);
        given.available.current = None;
        given.available.models.iter_mut().for_each(|model| model.brought_along = true);
        assert_eq!(begin(&given).unwrap_err().error_code, FlowCode::ModelsNone);
        given.available.current = Some("zen/free-1".to_owned());
        assert_eq!(begin(&given).unwrap().models.reviewer, "zen/free-1", "what the session uses is named");
    }

    #[test]
    fn a_model_that_cannot_call_tools_is_passed_over_and_refused_where_it_is_named() {
        let mut given = input(&["local/mute", "openai/gpt-5.1"]);
        given.available.models[0].tool_call = false;
        given.available.current = Some("local/mute".to_owned());
        let opening = begin(&given).unwrap();
        let Models { planner, worker, reviewer, .. } = &opening.models;
        assert_eq!([planner, worker, reviewer], ["openai/gpt-5.1"; 3]);
        let expected =
            "local/mute, the model of your session, can't call tools: openai/gpt-5.1 is used instead.";
        assert!(opening.notes.iter().any(|note| note == expected), "{:?}", opening.notes);

        let named = |role: &str| {
            let model = |of: &str| (role == of).then(|| "local/mute".to_owned());
            let configured = ConfiguredModels {
                planner: model("planner"),
                worker: model("worker"),
                reviewer: model("reviewer"),
                examiner: model("examiner"),
            };
            begin(&OpeningInput { configured, ..given.clone() }).unwrap_err()
        };
        for role in ["planner", "worker", "reviewer", "examiner"] {
            let refused = named(role);
            assert_eq!(refused.error_code, FlowCode::ModelsNoTools, "{role}");
            assert_eq!(
                refused.message,
                format!("local/mute can't call tools, but Flow's {role} needs them.")
            );
        }
        let mut alone = given.clone();
        alone.available.models.truncate(1);
        assert_eq!(begin(&alone).unwrap_err().error_code, FlowCode::ModelsNoTools, "no other is connected");
        // A model that the catalogue doesn't know is not refused.
        alone.available.current = Some("local/unlisted".to_owned());
        assert_eq!(begin(&alone).unwrap().models.worker, "local/unlisted");
    }

    #[test]
    fn what_is_set_at_the_agents_is_obeyed() {
        let mut given = input(&["anthropic/claude-opus-4-5", "openai/gpt-5.1"]);
        given.configured = ConfiguredModels {
            planner: Some("google/gemini-3-pro".to_owned()),
            worker: Some("openai/gpt-5.1".to_owned()),
            reviewer: Some("anthropic/claude-opus-4-5".to_owned()),
            examiner: None,
        };
        let models = begin(&given).unwrap().models;
        assert_eq!(
            models.all().into_iter().collect::<Vec<_>>(),
            ["google/gemini-3-pro", "openai/gpt-5.1", "anthropic/claude-opus-4-5"]
        );
        assert_eq!(models.examiner(), "anthropic/claude-opus-4-5", "who reviews, unless somebody is named");
        given.configured.examiner = Some("mistral/large".to_owned());
        let models = begin(&given).unwrap().models;
        assert_eq!((models.examiner().as_str(), models.roles().len()), ("mistral/large", 4));
    }

    #[test]
    fn without_a_goal_or_a_model_nothing_begins() {
        let code = |input: &OpeningInput| begin(input).unwrap_err().error_code;
        assert_eq!(code(&OpeningInput { goal: " ".to_owned(), ..input(&[]) }), FlowCode::PlanNoGoal);
        let available = AvailableModels::default();
        assert_eq!(code(&OpeningInput { available, ..input(&[]) }), FlowCode::ModelsNone);
    }
}
