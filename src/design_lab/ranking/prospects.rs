//! What the remaining comparisons are expected to bring, before they are asked.
//!
//! A lead's present variance `A` shrinks to `B` once all is asked. So the final lead has the variance `A − B` around the present one.

use design_lab_numerics::chances::Difference;

/// A rival is ruled out at 95% if the lead over it is this many standard deviations: less can't become clear.
const RULED_OUT: f64 = 1.645;

/// The leader's lead over one rival, as log-strength.
pub(super) struct Lead {
    /// The present lead.
    pub(super) ahead: f64,
    /// Its present variance.
    pub(super) now: f64,
    /// The variance after all remaining comparisons.
    pub(super) after: f64,
}

impl Lead {
    /// The standard deviation of the final lead around the present one.
    fn open(&self) -> f64 {
        (self.now - self.after).max(f64::MIN_POSITIVE).sqrt()
    }

    /// Returns how much better the rival than the present leader is expected to be at the end, counting 0 if it is behind.
    fn gain(&self) -> f64 {
        let open = self.open();
        let z = self.ahead / open;
        let density = libm::exp(-0.5 * z * z) / std::f64::consts::TAU.sqrt();
        open * density - self.ahead * self.is_at_most(0.0)
    }

    /// Returns the chance that the final lead rules the rival out.
    fn chance_to_rule_out(&self) -> f64 {
        1.0 - self.is_at_most(RULED_OUT * self.after.max(0.0).sqrt())
    }

    /// Returns the chance that the final lead is at most this value.
    fn is_at_most(&self, value: f64) -> f64 {
        Difference { parts: vec![(1.0, self.ahead, self.open())] }.at_most(value)
    }
}

/// Returns how much better the first design is expected to be if all remaining comparisons are asked: at most the sum over rivals.
pub(super) fn expected_gain(leads: &[Lead]) -> f64 {
    leads.iter().map(Lead::gain).sum()
}

/// Returns the chance that the leader becomes clear: at most the smallest chance to rule a rival out.
pub(super) fn chance_of_clear(leads: &[Lead]) -> f64 {
    leads.iter().map(Lead::chance_to_rule_out).fold(1.0, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_settled_promises_nothing_and_what_is_open_does() {
        let far = Lead { ahead: 4.0, now: 1.0, after: 0.5 };
        let near = Lead { ahead: 0.0, now: 1.0, after: 0.5 };
        let asked = Lead { ahead: 0.5, now: 1.0, after: 1.0 };
        // Equal designs: the mean of the positive half of a normal variable.
        assert!((expected_gain(&[near]) - (0.5 / std::f64::consts::TAU).sqrt()).abs() < 1e-9);
        assert!(expected_gain(&[far, asked]) < 1e-6);
    }

    #[test]
    fn the_closest_rival_decides_whether_it_can_become_clear() {
        let lead = |ahead| Lead { ahead, now: 1.0, after: 0.25 };
        assert!(chance_of_clear(&[lead(3.0)]) > 0.98);
        assert!((chance_of_clear(&[lead(3.0), lead(0.5 * RULED_OUT)]) - 0.5).abs() < 1e-9);
        assert!(chance_of_clear(&[lead(3.0), lead(0.0)]) < 0.2);
    }
}
