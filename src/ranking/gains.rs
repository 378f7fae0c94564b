//! How much better one design is than another: what a second version gained, what a merged design is worth beside its sources.
//!
//! The difference of two true qualities under the model that ranks, from draws of its posterior: in scores mode points of
//! the adjusted score's scale, in pairwise mode natural logarithms of strength. It carries everything that the rank intervals carry, the
//! error that reviewers share included, and the correlation of the two qualities too.

use super::intervals::LEVEL;
use super::output::{Gain, GainKind, Reasons};
use super::study::{Contrast, Study};
use design_lab_numerics::sorting::ascending;

/// What the differences are measured in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Points,
    LogStrength,
}

/// The differences that a study asks for, gathered over draws of all qualities.
pub(super) struct Differences<'a> {
    study: &'a Study,
    /// By contrast: where its two designs stand among those that are drawn; none where one of them is not.
    places: Vec<Option<(usize, usize)>>,
    drawn: Vec<Vec<f64>>,
}

impl<'a> Differences<'a> {
    /// No draw yet; `ranked` are the designs that draws speak of, in their order.
    pub(super) fn of(study: &'a Study, ranked: &[usize]) -> Self {
        let place = |id: &str| ranked.iter().position(|&design| study.designs[design].id == id);
        let places: Vec<_> = study
            .contrasts
            .iter()
            .map(|contrast| Some((place(&contrast.design)?, place(&contrast.over)?)))
            .collect();
        Self { study, drawn: vec![Vec::new(); places.len()], places }
    }

    /// Takes in one draw.
    pub(super) fn add(&mut self, qualities: &[f64]) {
        for (list, places) in self.drawn.iter_mut().zip(&self.places) {
            list.extend(places.map(|(design, over)| qualities[design] - qualities[over]));
        }
    }

    /// What the draws say of each contrast; without any, that they can't.
    pub(super) fn gains(self, unit: Unit) -> Vec<Gain> {
        let gain = |((contrast, places), drawn): ((&Contrast, &Option<_>), &Vec<f64>)| match places {
            None => unknown(contrast, "One of the two is not ranked."),
            Some(_) if drawn.is_empty() => {
                unknown(contrast, "Only two independent reviewers or more can show what is more than noise.")
            }
            Some(_) => known(contrast, drawn, unit),
        };
        self.study.contrasts.iter().zip(&self.places).zip(&self.drawn).map(gain).collect()
    }
}

fn unknown(Contrast { design, over }: &Contrast, reason: &str) -> Gain {
    let fields = ["difference", "interval", "probability"];
    Gain {
        design_id: design.clone(),
        over: over.clone(),
        sentence: format!("{design} beside {over}: insufficient. {reason}"),
        reasons: fields.map(|field| (field.to_owned(), reason.to_owned())).into(),
        ..Gain::default()
    }
}

fn known(Contrast { design, over }: &Contrast, drawn: &[f64], unit: Unit) -> Gain {
    let sorted = ascending(drawn);
    let count = sorted.len() as f64;
    let difference = sorted.iter().sum::<f64>() / count;
    let interval = [quantile(&sorted, (1.0 - LEVEL) / 2.0), quantile(&sorted, f64::midpoint(1.0, LEVEL))];
    let probability = sorted.iter().filter(|value| **value > 0.0).count() as f64 / count;
    let (kind, words) = match interval {
        [low, _] if low > 0.0 => (GainKind::Better, "better, by more than noise"),
        [_, high] if high < 0.0 => (GainKind::Worse, "worse, by more than noise"),
        _ => (GainKind::WithinNoise, "no more than noise"),
    };
    let unit = match unit {
        Unit::Points => "points",
        Unit::LogStrength => "in log-strength",
    };
    let sentence = format!(
        "{design} beside {over}: {difference:+.2} {unit} (95 %: {:+.2} to {:+.2}), {words}.",
        interval[0], interval[1]
    );
    Gain {
        design_id: design.clone(),
        over: over.clone(),
        difference: Some(difference),
        interval: Some(interval),
        probability: Some(probability),
        kind,
        sentence,
        reasons: Reasons::new(),
    }
}

/// The quantile of ascending values, interpolated between neighbours (definition 7 of Hyndman and Fan 1996, "Sample
/// quantiles in statistical packages", The American Statistician 50).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * (sorted.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the list")]
    let low = at as usize;
    let high = (low + 1).min(sorted.len() - 1);
    sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_definition_7() {
        // R 4: quantile(1:10, c(0.025, 0.5, 0.975)) gives 1.225, 5.5 and 9.775.
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        for (share, expected) in [(0.025, 1.225), (0.5, 5.5), (0.975, 9.775), (0.0, 1.0), (1.0, 10.0)] {
            assert!((quantile(&values, share) - expected).abs() < 1e-12, "{share}");
        }
    }

    #[test]
    fn a_gain_is_claimed_only_where_the_interval_leaves_no_doubt() {
        let values = |shift: f64| (0..200).map(|index| f64::from(index) / 100.0 + shift).collect::<Vec<_>>();
        let contrast = Contrast { design: "b".to_owned(), over: "a".to_owned() };
        let kind = |shift| known(&contrast, &values(shift), Unit::Points).kind;
        assert_eq!(kind(0.01), GainKind::Better);
        assert_eq!(kind(-0.5), GainKind::WithinNoise);
        assert_eq!(kind(-2.1), GainKind::Worse);
        let sentence = known(&contrast, &values(0.01), Unit::Points).sentence;
        assert_eq!(sentence, "b beside a: +1.00 points (95 %: +0.06 to +1.95), better, by more than noise.");
    }
}
