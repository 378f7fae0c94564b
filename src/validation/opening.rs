//! From what the user typed to the first event of a run.

use super::code::ValidationCode;
use super::left::{Left, told};
use super::protocol::{Models, Opening, Scope, WORKFLOW};
use super::settings::ValidationSettings;
use super::subject::SubjectInput;
use crate::design_lab::config::AvailableModels;
use crate::random;
use kernel::problem::Problem;
use kernel::protocol::JOURNAL_VERSION;
use serde::{Deserialize, Serialize};

/// What a run begins with, as the shell gathered it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationOpeningInput"))]
pub struct OpeningInput {
    /// The package's version.
    pub package: String,
    /// Now, in UTC, `YYYYMMDDTHHMMSSZ`.
    pub stamp: String,
    /// Four hexadecimal digits by chance.
    pub suffix: String,
    /// What is validated.
    pub subject: SubjectInput,
    /// How much of it is done.
    pub scope: Scope,
    /// The models of the connected providers.
    pub available: AvailableModels,
    /// What the settings say.
    pub settings: ValidationSettings,
    /// What earlier runs have left running.
    pub left: Vec<Left>,
}

/// The first event's content, or what keeps the run from beginning.
pub fn begin(input: &OpeningInput) -> Result<Opening, Problem> {
    let subject = input.subject.subject()?;
    let models = models(&input.settings, &input.available)?;
    Ok(Opening {
        version: JOURNAL_VERSION,
        workflow: WORKFLOW.to_owned(),
        package: input.package.clone(),
        stamp: input.stamp.clone(),
        suffix: input.suffix.clone(),
        prices: input.available.prices(&models.all()),
        seed: random::seed(&subject.text),
        notes: told(&input.left),
        settings: input.settings.clone(),
        subject,
        scope: input.scope,
        models,
    })
}

/// Why the cap in dollars of a validation can't hold that is begun now, in words; `None` when it does, or there is none.
pub fn void_cap(settings: &ValidationSettings, available: &AvailableModels) -> Option<String> {
    let models = models(settings, available).ok()?;
    models.void_cap(Scope::Full, settings, &models.known(settings, &available.prices(&models.all())))
}

/// Who is asked: as the settings say, else the session's model.
fn models(settings: &ValidationSettings, available: &AvailableModels) -> Result<Models, Problem> {
    let configured = &settings.models;
    let usual = available.usual();
    let model = |of: &Option<String>| {
        of.clone().or_else(|| usual.clone()).ok_or_else(|| {
            Problem::new(ValidationCode::NoModels, "No model is connected.")
                .allowed("a connected provider with a model")
                .next("Connect one by /connect, then type /validate again.")
        })
    };
    Ok(Models {
        verifier: model(&configured.verifier)?,
        analyst: model(&configured.analyst)?,
        tester: model(&configured.tester)?,
    })
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
        }
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
