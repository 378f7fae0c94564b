//! From the user's command to the first event of a run.

use super::check::missing;
use super::code::ValidationCode;
use super::left::{Left, wording};
use super::live::LieOrder;
use super::property;
use super::protocol::{Models, Obstacle, Opening, Scope, WORKFLOW};
use super::settings::ValidationSettings;
use super::subject::SubjectInput;
use crate::design_lab::config::{AvailableModels, NewVendors};
use crate::random;
use crate::shared::Rules;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::protocol::JOURNAL_VERSION;
use serde::Serialize;

/// The basis of a run, as the shell gathered it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationOpeningInput"))]
pub struct OpeningInput {
    /// The package's version.
    pub package: String,
    /// Now, in UTC, `YYYYMMDDTHHMMSSZ`.
    pub stamp: String,
    /// Four random hexadecimal digits.
    pub suffix: String,
    /// What is validated.
    pub subject: SubjectInput,
    /// How much of a validation is done.
    pub scope: Scope,
    /// The models of the connected providers.
    pub available: AvailableModels,
    /// The settings.
    pub settings: ValidationSettings,
    /// What earlier runs have left running.
    pub left: Vec<Left>,
    /// What this machine lacks to run tests.
    #[serde(default)]
    pub obstacle: Option<Obstacle>,
    /// The version of fast-check that tests would import; `None` when there is none.
    #[serde(default)]
    pub fast_check: Option<String>,
}

/// The content of the first event, or why the run can't begin.
pub fn begin(input: &OpeningInput) -> Result<Opening, Problem> {
    let subject = input.subject.subject()?;
    let repeat = input.subject.repeat();
    if repeat.is_some() && input.scope != Scope::Full {
        return Err(only_whole());
    }
    if let SubjectInput::Tests { repeat, seed: Some(_) } = &input.subject
        && repeat.rule_seed.is_none()
    {
        return Err(no_rules(&repeat.run));
    }
    // Before any model is asked: what can't be tested should cost nothing.
    if let Some(obstacle) = input.obstacle.as_ref().filter(|_| input.scope == Scope::Full) {
        return Err(missing(obstacle).next(format!("{}. Then type /validate again.", obstacle.remedy())));
    }
    let models = match repeat {
        Some(repeat) => repeat.models.clone(),
        None => models(&input.settings, &input.available)?,
    };
    if repeat.is_none()
        && let Some(problem) = unusable(&models, input)
    {
        return Err(problem);
    }
    let repeated =
        repeat.map(|repeat| format!("Repeats the tests of {} without calling a model.", repeat.run));
    // A run that repeats tests asks no model.
    let new = NewVendors::among(&models.roles(input.scope), &input.available).filter(|_| repeat.is_none());
    if let Some(new) = new {
        return Err(new.problem("the command again"));
    }
    let passed_over = passed_over(&models, input).filter(|_| repeat.is_none());
    let told_first = repeated.unwrap_or_else(|| models.wording(input.scope));
    Ok(Opening {
        version: JOURNAL_VERSION,
        acceptance: Rules::LATEST,
        workflow: WORKFLOW.to_owned(),
        package: input.package.clone(),
        stamp: input.stamp.clone(),
        suffix: input.suffix.clone(),
        prices: input.available.prices(&models.all()),
        expected: None,
        seed: random::seed(&subject.text),
        rule_seed: rule_seed(input),
        lies: LieOrder::FittingFirst,
        notes: [told_first].into_iter().chain(passed_over).chain(wording(&input.left)).collect(),
        repeat: repeat.map(|repeat| Box::new(repeat.clone())),
        before: None,
        settings: input.settings.clone(),
        subject,
        scope: input.scope,
        models,
    })
}

/// The seed of fast-check: that of the tests that are repeated, unless the user names another.
fn rule_seed(input: &OpeningInput) -> Option<u32> {
    if let SubjectInput::Tests { repeat, seed } = &input.subject {
        return repeat.rule_seed.map(|before| seed.unwrap_or(before));
    }
    let version = input.fast_check.as_deref().filter(|version| property::is_known(version));
    version.map(|_| property::seed(&input.stamp, &input.suffix))
}

fn no_rules(run: &str) -> Problem {
    Problem::new(ValidationCode::UnknownOption, "The tests of this run have no seed.")
        .found(run)
        .allowed("--seed if the tests could use fast-check")
        .next("Type /validate --again without --seed.")
}

fn only_whole() -> Problem {
    Problem::new(ValidationCode::UnknownOption, "Only /validate has these options.")
        .allowed("/validate --again [run] [--seed <number>], or /validate --keep <directory> [run]")
        .next("Type /validate with these options.")
}

/// Why the cap in dollars of a validation that starts now can't be enforced, in words; `None` when it can, or there is no cap.
pub fn void_cap(settings: &ValidationSettings, available: &AvailableModels) -> Option<String> {
    let models = models(settings, available).ok()?;
    models.void_cap(Scope::Full, settings, &models.known(settings, &available.prices(&models.all())))
}

/// The models to ask: those of the settings, or else the session's model.
fn models(settings: &ValidationSettings, available: &AvailableModels) -> Result<Models, Problem> {
    let configured = &settings.models;
    let usual = available.usual().or_else(|| available.current.clone());
    let model = |of: &Option<String>| {
        of.clone().or_else(|| usual.clone()).ok_or_else(|| {
            Problem::new(ValidationCode::NoModels, "No model is connected.")
                .allowed("a connected provider with a model")
                .next("Connect one with /connect, then type /validate again.")
        })
    };
    Ok(Models {
        verifier: model(&configured.verifier)?,
        analyst: model(&configured.analyst)?,
        tester: model(&configured.tester)?,
    })
}

/// Why a model can't have its role: it can't read files.
fn unusable(models: &Models, input: &OpeningInput) -> Option<Problem> {
    let mut asked = models.roles(input.scope).into_iter();
    let (role, model) = asked.find_map(|(role, ids)| {
        let lacking = ids.into_iter().find(|id| input.available.lacks_tools(id))?;
        Some((role, lacking))
    })?;
    Some(
        Problem::new(
            ValidationCode::NoTools,
            format!("{model} can't call tools, but Validation's {role} needs them."),
        )
        .allowed("models that can call tools")
        .next(format!(
            "Set `models` in .opencode/validation.jsonc to models that can call tools. If {model} can call \
             tools, set `tool_call: true` for it in opencode.json. /models lists the connected models."
        )),
    )
}

/// Notes that the session's model isn't asked, if another replaces it because it can't call tools.
fn passed_over(models: &Models, input: &OpeningInput) -> Option<String> {
    let own = input.available.passed_over()?;
    let usual = input.available.usual()?;
    let is_asked = models.roles(input.scope).iter().any(|(_, ids)| ids.contains(&&usual));
    is_asked.then(|| format!("{own}, the model of your session, can't call tools: {usual} is used instead."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::config::AvailableModel;
    use crate::validation::settings::ConfiguredModels;
    use serde_json::json;

    fn input(current: Option<&str>, models: ConfiguredModels) -> OpeningInput {
        let available = AvailableModels {
            models: vec![AvailableModel {
                provider: "openai".to_owned(),
                model: "gpt-5.1".to_owned(),
                tool_call: true,
                cost_output: 10.0,
                ..AvailableModel::default()
            }],
            current: current.map(str::to_owned),
            ..AvailableModels::default()
        };
        let servers = json!({"servers": [{"name": "web", "command": ["a"]}]});
        let settings = ValidationSettings { models, ..serde_json::from_value(servers).unwrap() };
        OpeningInput {
            package: "0.1.0".to_owned(),
            stamp: "20261122T223110Z".to_owned(),
            suffix: "a1b2".to_owned(),
            subject: SubjectInput::Text { text: "It is shown".to_owned() },
            scope: Scope::Full,
            available,
            settings,
            left: Vec::new(),
            obstacle: None,
            fast_check: None,
        }
    }

    #[test]
    fn what_this_machine_lacks_is_told_before_a_model_is_asked() {
        let lacking = |scope| OpeningInput {
            obstacle: Some(Obstacle::NoPlaywright),
            scope,
            ..input(Some("acme/model"), ConfiguredModels::default())
        };
        let problem = begin(&lacking(Scope::Full)).unwrap_err();
        assert_eq!(problem.code, ValidationCode::Missing);
        assert!(problem.next.as_deref().unwrap().contains("/validate-init --install"), "{problem:?}");
        assert!(problem.next.unwrap().ends_with("Then type /validate again."));
        assert!(begin(&lacking(Scope::Work)).is_ok(), "reading needs no browser");
    }

    #[test]
    fn a_model_that_cannot_call_tools_is_passed_over_and_refused_where_it_is_named() {
        let mute = || AvailableModel {
            provider: "local".to_owned(),
            model: "mute".to_owned(),
            ..AvailableModel::default()
        };
        let mut given = input(Some("local/mute"), ConfiguredModels::default());
        given.available.models.push(mute());
        let opening = begin(&given).unwrap();
        assert_eq!(opening.models.verifier, "openai/gpt-5.1");
        let expected =
            "local/mute, the model of your session, can't call tools: openai/gpt-5.1 is used instead.";
        assert!(opening.notes.iter().any(|note| note == expected), "{:?}", opening.notes);

        let named = |analyst: Option<&str>, scope| OpeningInput {
            scope,
            settings: ValidationSettings {
                models: ConfiguredModels {
                    analyst: analyst.map(str::to_owned),
                    ..ConfiguredModels::default()
                },
                ..given.settings.clone()
            },
            ..given.clone()
        };
        let refused = begin(&named(Some("local/mute"), Scope::Full)).unwrap_err();
        assert_eq!(refused.code, ValidationCode::NoTools);
        assert_eq!(refused.message, "local/mute can't call tools, but Validation's analyst needs them.");
        assert!(begin(&named(Some("local/mute"), Scope::Work)).is_ok(), "the verifier alone is asked");
        let mut alone = named(None, Scope::Full);
        alone.available.models.remove(0);
        assert_eq!(begin(&alone).unwrap_err().code, ValidationCode::NoTools, "no other is connected");
    }

    #[test]
    fn the_settings_name_the_models_and_else_the_session_does() {
        let tester =
            ConfiguredModels { tester: Some("openai/gpt-5.1".to_owned()), ..ConfiguredModels::default() };
        let opening = begin(&input(Some("acme/model"), tester)).unwrap();
        let Models { verifier, analyst, tester } = &opening.models;
        assert_eq!([verifier, analyst, tester], ["acme/model", "acme/model", "openai/gpt-5.1"]);
        assert_eq!(opening.prices.len(), 1, "what the catalogue knows of them");
        let any = begin(&input(None, ConfiguredModels::default())).unwrap();
        assert_eq!(any.models.analyst, "openai/gpt-5.1");
        let mut nobody = input(None, ConfiguredModels::default());
        nobody.available.models.clear();
        assert_eq!(begin(&nobody).unwrap_err().code, ValidationCode::NoModels);
    }
}
