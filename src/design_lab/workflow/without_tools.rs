//! Models that can't call tools. They are offered none, since many servers refuse a request that offers some, so they don't see the
//! project. The journal's opening contains what the host's catalogue stated, so a resumed run decides the same.

use super::job::{Job, Work};
use super::protocol::Opening;
use kernel::protocol::ModelFacts;

impl Opening {
    /// Whether a model can't call tools.
    pub(super) fn lacks_tools(&self, model: &str) -> bool {
        lacks(&self.models, model)
    }

    /// Whether the catalogue now states something else about whether one of the run's models can call tools.
    pub(super) fn has_other_tools(&self, models: &[ModelFacts]) -> bool {
        self.asked().any(|entry| self.lacks_tools(&entry.model_id) != lacks(models, &entry.model_id))
    }

    /// The digest of the project for a job, if it gets one.
    pub(super) fn brief_for(&self, job: &Job) -> Option<&str> {
        let blind = job.part.work != Work::Topic && self.lacks_tools(&job.part.model.model_id);
        self.brief.as_ref().filter(|_| blind).map(|brief| brief.text.as_str())
    }

    /// The note on which models don't see the project: shown before anything is paid, and with the results.
    pub(super) fn account_of_tools(&self) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for model in self.asked().filter(|model| self.lacks_tools(&model.model_id)) {
            if !names.contains(&model.id.as_str()) {
                names.push(&model.id);
            }
        }
        let (who, see, need, get) = match names[..] {
            [] => return None,
            [only] => (only.to_owned(), "it doesn't see", "it needs", "it gets"),
            [.., last] => {
                let before = names[..names.len() - 1].join(", ");
                (format!("{before} and {last}"), "they don't see", "they need", "they get")
            }
        };
        let instead = match &self.brief {
            Some(brief) => format!(" Instead {get} a digest of it ({}).", brief.holds),
            // The task is that of the earlier run.
            None if self.parent.is_some() => String::new(),
            None => format!(
                " Put into the task what {need} to know, or set `brief`: then {get} a digest of the project."
            ),
        };
        Some(format!(
            "{who} can't call tools according to OpenCode's catalogue, so {see} the \
                      project.{instead}"
        ))
    }
}

fn lacks(models: &[ModelFacts], model: &str) -> bool {
    models.iter().any(|facts| facts.model_id == model && facts.no_tools)
}
