//! What a configuration says for every workflow: what models cost, when the user is asked first, and how long a model may be silent.

use super::Source;
use super::model::RunBudget;
use super::raw::RawConfig;
use kernel::budget::{Budget, Price};
use kernel::limits::Deadlines;
use kernel::problem::Problem;
use std::collections::BTreeMap;

/// What counts in every workflow; the models that the sources name don't matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    /// What models cost, by `provider/model`.
    pub prices: BTreeMap<String, Price>,
    /// US dollars above which the user is asked before work begins; `None` where nobody is asked.
    pub confirm_usd: Option<f64>,
    /// Milliseconds that a model may be asked without writing anything.
    pub idle_ms: u64,
}

impl Common {
    /// By the sources, for work that has this budget of its own.
    pub fn of(sources: &[Source], own: Budget) -> Result<Self, Vec<Problem>> {
        RawConfig::of(sources).map(|raw| Self::in_raw(&raw, own))
    }

    /// The same of what was read. Whoever limits what the work may cost has said so: then it asks only where another figure is set.
    pub(super) fn in_raw(raw: &RawConfig, own: Budget) -> Self {
        let usual = RunBudget::default().confirm_usd;
        let asks = own == Budget::default() || raw.budget.confirm_usd != usual;
        Self {
            prices: raw.prices.clone(),
            confirm_usd: raw.budget.confirm_usd.filter(|_| asks),
            idle_ms: raw.timeouts.idle_ms,
        }
    }
}

/// Whether nothing else was said: then a journal doesn't say it.
pub fn is_usual_silence(idle_ms: &u64) -> bool {
    *idle_ms == Deadlines::IDLE_MS
}
