//! A run's decision as a file: the request for it, and its content.

use super::code::{WorkflowCode, too_many_words, unknown_option};
use super::run::Run;
use super::run_index::not_ranked;
use crate::design_lab::report::DecisionForm;
use kernel::json::Deserialize;
use kernel::nearest::nearest;
use kernel::problem::Problem;
use serde::Serialize;

/// The option of `/design-lab-status` that asks for it.
const OPTION: &str = "--export";

/// The arguments of `/design-lab-status` if they ask for a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DecisionRequest {
    /// The run, as the user wrote it; may be empty.
    pub run: String,
    /// The form's name.
    pub form: String,
}

impl DecisionRequest {
    /// Parses `[run] --export FORM` in either order. `None` when no decision is asked for.
    pub fn parse(text: &str) -> Result<Option<Self>, Problem> {
        let text = text.replace(&format!("{OPTION}="), &format!("{OPTION} "));
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let Some(at) = words.iter().position(|word| *word == OPTION) else { return Ok(None) };
        words.remove(at);
        let form = if at < words.len() { words.remove(at) } else { "" };
        named(form)?;
        let problem = match (words.iter().find(|word| word.starts_with("--")), &words[..]) {
            (Some(option), _) => unknown_option(option),
            (None, [_, word, ..]) => too_many_words(word),
            (None, words) => {
                let run = words.first().copied().unwrap_or_default();
                return Ok(Some(Self { run: run.to_owned(), form: form.to_owned() }));
            }
        };
        Err(problem.next("Type /design-lab-status [run] --export adr."))
    }
}

/// Finds the form of this name.
fn named(name: &str) -> Result<DecisionForm, Problem> {
    let names = || DecisionForm::ALL.into_iter().map(|(name, _)| name);
    if let Some((_, form)) = DecisionForm::ALL.into_iter().find(|(known, _)| *known == name) {
        return Ok(form);
    }
    let (code, message) = match name {
        "" => (WorkflowCode::MissingValue, "The format of the decision is missing.".to_owned()),
        _ => (WorkflowCode::UnknownForm, format!("A decision has no format `{name}`.")),
    };
    let problem = Problem::new(code, message).allowed(names().collect::<Vec<_>>().join(", "));
    Err(match nearest(name, names()) {
        Some(near) => problem.next(format!("Did you mean {near}?")),
        None => problem,
    })
}

impl Run {
    /// The decision of a ranked run in the form of this name: its file below the run directory, and its text.
    pub fn decision(&self, form: &str) -> Result<(String, String), Problem> {
        let form = named(form)?;
        let state = self.begun()?;
        let ranking = state.ranking.as_ref();
        let ranking =
            ranking.ok_or_else(|| not_ranked(state.directory.name.as_deref().unwrap_or("The run")))?;
        Ok((form.file().to_owned(), super::results::decision(state, ranking, form)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_asked_for_by_its_form_before_or_behind_the_run() {
        let adr = |run: &str| Some(DecisionRequest { run: run.to_owned(), form: "adr".to_owned() });
        for (text, wanted) in [
            ("", None),
            ("cache", None),
            ("--export adr", adr("")),
            ("cache --export adr", adr("cache")),
            ("--export=adr  cache", adr("cache")),
        ] {
            assert_eq!(DecisionRequest::parse(text).unwrap(), wanted, "{text}");
        }
        let code = |text: &str| DecisionRequest::parse(text).unwrap_err().code;
        assert_eq!(code("--export"), "command.missing-value");
        assert_eq!(code("--export pdf"), "command.unknown-form");
        assert_eq!(code("cache --export adr more"), "command.too-many-words");
        assert_eq!(code("--out x --export adr"), "command.unknown-option");
        let near = DecisionRequest::parse("--export markdwon").unwrap_err();
        assert_eq!(near.next.as_deref(), Some("Did you mean markdown?"));
    }
}
