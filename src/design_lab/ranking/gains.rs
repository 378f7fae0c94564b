//! How much better one design is than another: what a second version gained, how a merged design compares with its
//! sources.
//!
//! The gain is the difference of two true qualities under the ranking's model: in scores mode in points of the adjusted
//! score's scale, in pairwise mode in natural logarithms of strength. It accounts for everything that the rank
//! intervals account for, including the error that reviewers share, and also for the correlation of the two qualities.

use super::intervals::LEVEL;
use super::output::{Gain, GainKind, Reasons};
use super::study::{Contrast, Study};
use crate::shared::figures::signed;
use design_lab_numerics::chances::Difference;

/// The unit of the differences.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Points,
    LogStrength,
}

/// Returns the result for each contrast that a study requests. `ranked` are the designs that can be compared;
/// `difference` returns by how much the first of two of them is better; it is `None` when the data can't show it.
pub(super) fn gains(
    study: &Study,
    ranked: &[usize],
    unit: Unit,
    difference: Option<&dyn Fn(usize, usize) -> Difference>,
) -> Vec<Gain> {
    let ranked = |id: &str| ranked.iter().copied().find(|&design| study.designs[design].id == id);
    let gain = |contrast: &Contrast| match (ranked(&contrast.design), ranked(&contrast.over), difference) {
        (Some(design), Some(over), Some(difference)) => known(contrast, &difference(design, over), unit),
        (Some(_), Some(_), None) => unknown(
            contrast,
            "At least two independent reviewers are needed to tell a difference from noise.",
        ),
        _ => unknown(contrast, "One of the two is not ranked."),
    };
    study.contrasts.iter().map(gain).collect()
}

fn unknown(Contrast { design, over }: &Contrast, reason: &str) -> Gain {
    let fields = ["difference", "interval", "probability"];
    Gain {
        design_id: design.clone(),
        over: over.clone(),
        sentence: format!("{design} compared with {over}: insufficient data. {reason}"),
        reasons: fields.map(|field| (field.to_owned(), reason.to_owned())).into(),
        ..Gain::default()
    }
}

fn known(Contrast { design, over }: &Contrast, found: &Difference, unit: Unit) -> Gain {
    let difference = found.mean();
    let interval = [found.quantile((1.0 - LEVEL) / 2.0), found.quantile(f64::midpoint(1.0, LEVEL))];
    let probability = 1.0 - found.at_most(0.0);
    let (kind, words) = match interval {
        [low, _] if low > 0.0 => (GainKind::Better, "clearly better"),
        [_, high] if high < 0.0 => (GainKind::Worse, "worse by more than noise"),
        _ => (GainKind::WithinNoise, "within the noise"),
    };
    let unit = match unit {
        Unit::Points => "points",
        Unit::LogStrength => "in log-strength",
    };
    let [mean, low, high] = [difference, interval[0], interval[1]].map(|value| signed(Some(value)));
    let sentence = format!("{design} compared with {over}: {mean} {unit} (95%: {low} to {high}), {words}.");
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::ids::DesignId;

    #[test]
    fn a_gain_is_claimed_only_where_the_interval_leaves_no_doubt() {
        let contrast = Contrast { design: DesignId::new("b"), over: DesignId::new("a") };
        let gain = |mean| known(&contrast, &Difference { parts: vec![(1.0, mean, 0.5)] }, Unit::Points);
        assert_eq!(gain(1.0).kind, GainKind::Better);
        assert_eq!(gain(-0.5).kind, GainKind::WithinNoise);
        assert_eq!(gain(-2.1).kind, GainKind::Worse);
        assert_eq!(
            gain(1.0).sentence,
            "b compared with a: +1.00 points (95%: +0.02 to +1.98), clearly better."
        );
        assert_eq!(
            gain(-0.001).sentence,
            "b compared with a: 0.00 points (95%: -0.98 to +0.98), within the noise.",
            "nothing has no sign"
        );
    }
}
