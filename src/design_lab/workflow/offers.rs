//! What may make a ranking more certain: each way is estimated by the forecast of its command.
//!
//! It isn't known which model the user will add, so a further reviewer is estimated once at the price of each reviewer of the run.

use super::budget;
use super::forecast::{self, Forecast};
use super::job::{Job, Work};
use super::protocol::Reconfiguration;
use super::state::{Phase, State};
use super::until_clear;
use crate::design_lab::config::{ReviewerEntry, UntilClear};
use crate::design_lab::ranking::VerdictKind;
use crate::design_lab::report::{Offer, Offers};
use crate::shared::prices::without_price;
use kernel::protocol::ModelFacts;

/// A model that no run has: it has a reviewer's price, and wrote no design, nor did its vendor.
const ANY: &str = "any/further-reviewer";

impl State {
    /// What may make the ranking more certain; `None` unless it is too close to call or leaning.
    pub(super) fn offers(&self) -> Option<Offers> {
        let ranking = self.ranking.as_ref().filter(|_| matches!(self.phase, Phase::Over(_)))?;
        let is_close = match ranking.verdict.kind {
            VerdictKind::TooCloseToCall => true,
            VerdictKind::Leaning => false,
            VerdictKind::Clear | VerdictKind::Insufficient => return None,
        };
        // Comparisons seldom make a lead clear, so they are offered only where scores decide nothing.
        let until = if is_close && ranking.pairwise.is_none() { self.comparing() } else { None };
        Some(Offers { add: self.one_more(), close: self.close_offer(), until })
    }

    /// The offer of one further reviewer.
    fn one_more(&self) -> Offer {
        let config = &self.opening.config;
        let each: Vec<(bool, Forecast)> =
            config.review_models.iter().map(|like| self.with_one_like(like)).collect();
        let calls = each.iter().map(|(_, forecast)| forecast.all_calls());
        let priced = || each.iter().filter(|(is_priced, _)| *is_priced).map(|(_, forecast)| forecast.cost);
        Offer {
            calls: [calls.clone().min().unwrap_or(0), calls.max().unwrap_or(0)],
            cost: priced().reduce(f64::min).zip(priced().reduce(f64::max)).map(|(least, most)| [least, most]),
            at_most: config.until_clear.is_some(),
            cap: None,
        }
    }

    /// The forecast for a further reviewer with the same work and the same price as this one, and whether that price is known.
    fn with_one_like(&self, like: &ReviewerEntry) -> (bool, Forecast) {
        let mut config = self.opening.config.clone();
        let mut entry = like.clone();
        ANY.clone_into(&mut entry.model.model_id);
        while config.review_models.iter().any(|other| other.model.id == entry.model.id) {
            entry.model.id.push_str("-2");
        }
        let mut models = self.opening.models.clone();
        let known = models.iter().find(|facts| facts.model_id == like.model.model_id).cloned();
        let is_priced = known.as_ref().is_some_and(ModelFacts::is_priced);
        models.extend(known.map(|facts| ModelFacts { model_id: ANY.to_owned(), ..facts }));
        let added = vec![entry.reviewer_id()];
        config.review_models.push(entry);
        let change = Reconfiguration { config, notes: Vec::new(), models, added };
        // The reviewer's prompts don't depend on the ranking, whose files would be rendered again.
        let unranked = Self { ranking: None, ..self.clone() };
        (is_priced, unranked.asked_by(&change).forecast.unwrap_or_default())
    }

    /// Every comparison that the run's reviewers could make; `None` if they couldn't make anything clear.
    fn comparing(&self) -> Option<Offer> {
        let mut then = self.clone();
        UntilClear::default().set(&mut then.opening.config);
        if until_clear::refusal(&then.opening.config).is_some() {
            return None;
        }
        then.calls.jobs.retain(|job: &Job| !matches!(job.part.work, Work::Review { .. }));
        then.presented.clear();
        let Forecast { reviewing, cost, .. } = forecast::of_rest(&then);
        let opening = &then.opening;
        let reviewers: Vec<&String> =
            opening.config.review_models.iter().map(|entry| &entry.model.model_id).collect();
        let is_priced = without_price(&reviewers, &opening.models).is_empty();
        let cap = opening.config.budget.max_cost_usd;
        (reviewing > 0).then(|| Offer {
            calls: [reviewing; 2],
            cost: is_priced.then_some([cost; 2]),
            at_most: true,
            cap: cap.filter(|_| budget::void_cap(&opening.config, &opening.models).is_none()),
        })
    }
}
