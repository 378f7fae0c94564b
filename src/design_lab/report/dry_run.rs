//! The output of `--dry-run`: which models would be asked, and the expected cost.

use super::chat::paragraph;
use super::configured::once;
use super::results::heading;
use crate::design_lab::artefacts::Task;
use crate::design_lab::config::Config;
use crate::shared::figures::{count, money};
use kernel::budget::Budget;

/// Returns that output; no model was asked, and nothing was written to disk. `expected` is the expected cost in words,
/// `command` the command that starts the run.
pub(in crate::design_lab) fn dry_run(
    task: &Task,
    config: &Config,
    notes: &[String],
    expected: &str,
    command: &str,
) -> String {
    let designers: Vec<&str> = config.design_models.iter().map(|model| model.model_id.as_str()).collect();
    let reviewers = config.reviewers(|model| &model.model_id);
    let mut out = "Design Lab · expected cost\n".to_owned();
    paragraph(&mut out, "Task", &heading(task));
    if !designers.is_empty() {
        paragraph(&mut out, "Design", &once(&designers));
    }
    paragraph(&mut out, "Review", &once(&reviewers));
    paragraph(&mut out, "Expected", expected);
    let Budget { max_cost_usd, max_tokens, max_calls, max_requests } = config.budget.limits();
    let caps = [
        max_cost_usd.map(|max| format!("{} (budget.max_cost_usd)", money(max))),
        max_tokens.map(|max| format!("{} (budget.max_tokens)", count(max, "token", "tokens"))),
        max_calls.map(|max| format!("{} (budget.max_calls)", count(max.into(), "call", "calls"))),
        max_requests.map(|max| format!("{} (budget.max_requests)", count(max.into(), "request", "requests"))),
    ];
    let caps: Vec<String> = caps.into_iter().flatten().collect();
    if !caps.is_empty() {
        paragraph(&mut out, "Budget", &format!("At most {}.", caps.join(", ")));
    }
    for note in notes {
        paragraph(&mut out, "", note);
    }
    paragraph(
        &mut out,
        "Next",
        &format!("To start the run, type {command} without --dry-run. No model was called."),
    );
    out.truncate(out.trim_end().len());
    kernel::visible::text(&out).into_owned()
}
