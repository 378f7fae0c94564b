//! Which models of a run see the images of its task. Models that accept images get them with the prompt; the others only learn that
//! there are some. The journal's opening contains what the host's catalogue stated, so a resumed run decides the same.

use super::job::{Job, Work};
use super::protocol::{Opening, Reconfiguration};
use super::state::State;
use crate::design_lab::config::ModelEntry;
use crate::design_lab::images;
use crate::shared::prices;

impl State {
    /// Whether the images of the task are sent with a job's prompts; `None` if there are none, or if they don't matter.
    pub(super) fn shows_images(&self, job: &Job) -> Option<bool> {
        let matters = job.part.work != Work::Topic && !self.opening.images.is_empty();
        matters.then(|| self.opening.takes_images(&job.part.model.model_id))
    }
}

impl Opening {
    fn takes_images(&self, model: &str) -> bool {
        self.models.iter().any(|facts| facts.model_id == model && facts.images)
    }

    /// A change of the run after which each of its models is shown the images as before, whatever the catalogue states by now. The
    /// notes on which models see the images and the project replace the earlier ones.
    pub(super) fn retold(&self, mut change: Reconfiguration) -> Reconfiguration {
        if !self.images.is_empty() {
            for facts in &mut change.models {
                let known = self.models.iter().find(|known| known.model_id == facts.model_id);
                facts.images = known.map_or(facts.images, |known| known.images);
            }
        }
        let changed = Self { config: change.config.clone(), models: change.models.clone(), ..self.clone() };
        prices::retell(&mut change.notes, self.account_of_images().as_ref(), changed.account_of_images());
        prices::retell(&mut change.notes, self.account_of_tools().as_ref(), changed.account_of_tools());
        change
    }

    /// The designers and reviewers that are asked: the authors of designs from an earlier run are not.
    pub(super) fn asked(&self) -> impl Iterator<Item = &ModelEntry> {
        let is_asked = |id: &str| {
            self.parent.as_ref().is_none_or(|parent| parent.designs.iter().all(|given| given.id != *id))
        };
        let designers = self.config.design_models.iter().filter(move |model| is_asked(&model.id));
        designers.chain(self.config.review_models.iter().map(|entry| &entry.model))
    }

    /// The note on which models see the images of the task, and which only learn about them: shown before anything is paid, and with
    /// the results.
    pub(super) fn account_of_images(&self) -> Option<String> {
        let (what, them, some) = match self.images[..] {
            [] => return None,
            [_] => ("Image", "it", "is one"),
            _ => ("Images", "them", "are some"),
        };
        let list: Vec<String> = self.images.iter().map(images::named).collect();
        let (mut shown, mut blind) = (Vec::new(), Vec::new());
        for model in self.asked() {
            let list = if self.takes_images(&model.model_id) { &mut shown } else { &mut blind };
            if !list.contains(&model.id.as_str()) {
                list.push(&model.id);
            }
        }
        let who = match (&shown[..], &blind[..]) {
            (_, []) => format!("Every model sees {them}."),
            ([], _) => format!(
                "OpenCode's catalogue lists no image input for these models: no model sees {them}, but all \
                 learn that there {some}."
            ),
            _ => format!(
                "Shown to {}. Not shown to {}: OpenCode's catalogue lists no image input for them, so they \
                 only learn that there {some}.",
                shown.join(", "),
                blind.join(", ")
            ),
        };
        let counted = if shown.is_empty() { "" } else { " An image counts as 1,600 tokens in the estimate." };
        Some(format!("{what}: {}. {who}{counted}", list.join("; ")))
    }
}
