//! The settings that apply to every workflow: what models cost, when the user is asked first, and how long a model may be silent.

use super::Source;
use super::raw::RawConfig;
use kernel::budget::{Budget, Price};
use kernel::limits::Deadlines;
use kernel::problem::Problem;
use std::collections::BTreeMap;

/// The settings that apply to every workflow; the models that the sources name don't matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Common {
    /// What models cost, by `provider/model`.
    pub prices: BTreeMap<String, Price>,
    /// US dollars above which the user is asked before work starts; `None` when the user is never asked.
    pub confirm_usd: Option<f64>,
    /// Milliseconds that a call may wait without any output from the model.
    pub idle_ms: u64,
}

impl Common {
    /// Reads the sources, for work that has this budget of its own.
    pub fn of(sources: &[Source], own: Budget) -> Result<Self, Vec<Problem>> {
        RawConfig::of(sources).map(|raw| Self::in_raw(&raw, own))
    }

    /// Takes them from a configuration that was read. The limit of a run of Design Lab doesn't apply to this work.
    pub(super) fn in_raw(raw: &RawConfig, own: Budget) -> Self {
        Self { prices: raw.prices.clone(), confirm_usd: raw.confirm_usd(own), idle_ms: raw.timeouts.idle_ms }
    }
}

/// Whether this is the default, which a journal leaves out.
pub fn is_usual_silence(idle_ms: &u64) -> bool {
    *idle_ms == Deadlines::IDLE_MS
}

#[cfg(test)]
mod tests {
    use super::Common;
    use crate::design_lab::config::{Layer, Source};
    use kernel::budget::Budget;

    #[test]
    fn only_a_limit_of_the_work_itself_or_a_written_figure_changes_when_it_asks() {
        let limited = Budget { max_calls: Some(9), ..Budget::default() };
        for (budget, own, expected) in [
            ("{}", Budget::default(), Some(1.0)),
            ("{}", limited, None),
            (r#"{ "max_cost_usd": 5 }"#, Budget::default(), Some(1.0)),
            (r#"{ "max_cost_usd": 5 }"#, limited, None),
            (r#"{ "confirm_usd": 1 }"#, limited, Some(1.0)),
            (r#"{ "confirm_usd": 2, "max_calls": 3 }"#, Budget::default(), Some(2.0)),
            (r#"{ "confirm_usd": null }"#, Budget::default(), None),
        ] {
            let text = format!(r#"{{ "budget": {budget} }}"#);
            let source = Source { origin: Layer::Project, file: "design-lab.jsonc".to_owned(), text };
            let common = Common::of(&[source], own).unwrap();
            assert_eq!(common.confirm_usd, expected, "{budget} {own:?}");
        }
    }
}
