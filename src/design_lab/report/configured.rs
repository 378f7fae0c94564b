//! The output of `/design-lab-init` after the file is written.

use super::chat::paragraph;
use crate::design_lab::config::{Loaded, STARTER_FILE};

/// Returns the current settings, and what to do next; `loaded` is `None` when models still have to be filled in.
pub fn configured(loaded: Option<&Loaded>) -> String {
    let mut out = format!("Design Lab · wrote {STARTER_FILE}\n");
    match loaded {
        Some(loaded) => {
            let designers: Vec<&str> =
                loaded.config.design_models.iter().map(|model| model.model_id.as_str()).collect();
            let reviewers = loaded.config.reviewers(|model| &model.model_id);
            paragraph(&mut out, "Design  ", &once(&designers));
            paragraph(&mut out, "Review  ", &once(&reviewers));
            for note in &loaded.notes {
                paragraph(&mut out, "Note    ", note);
            }
            let next = "/design-lab <task> starts a run. The file explains every setting; \
                        /design-lab-doctor checks it. After a restart of OpenCode, you can also address each designer and reviewer with @.";
            paragraph(&mut out, "Next    ", next);
        }
        None => {
            let next = "/design-lab <task> in OpenCode starts a run. Until you fill in `design_models`, Design Lab chooses \
                        models from your connected providers. `opencode models` lists their names.";
            paragraph(&mut out, "Next    ", next);
        }
    }
    out.truncate(out.trim_end().len());
    kernel::visible::text(&out).into_owned()
}

/// Returns names with how often each occurs: `a, b (3 times)`.
pub(super) fn once(names: &[impl AsRef<str>]) -> String {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    for name in names.iter().map(AsRef::as_ref) {
        match seen.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => seen.push((name, 1)),
        }
    }
    let each = seen.iter().map(|(name, count)| match count {
        1 => (*name).to_owned(),
        count => format!("{name} ({count} times, under different briefs)"),
    });
    each.collect::<Vec<_>>().join(", ")
}
