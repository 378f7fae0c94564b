//! How certain each place is: rank intervals and the chance of being best, from the chance of every place (Goldstein
//! and Spiegelhalter 1996, "League tables and their limitations", JRSS A 159).

use design_lab_numerics::chances::{Component, places};

/// The nominal coverage of an interval.
pub const LEVEL: f64 = 0.95;

/// The chance of each design to have each place.
#[derive(Clone, Debug)]
pub struct Places {
    designs: usize,
    /// `chances[design · designs + place]`, places starting from 0.
    chances: Vec<f64>,
}

impl Places {
    /// Computes the chances for designs whose qualities are distributed as in the mixture.
    pub fn of(designs: usize, mixture: &[Component]) -> Self {
        Self { designs, chances: places(designs, mixture) }
    }

    /// Returns places with the given chances of being the best; the rest of each design's chances is the second place.
    #[cfg(test)]
    pub(super) fn with_best(best: &[f64]) -> Self {
        let designs = best.len();
        let mut chances = vec![0.0; designs * designs];
        for (design, chance) in best.iter().enumerate() {
            (chances[design * designs], chances[design * designs + 1]) = (*chance, 1.0 - chance);
        }
        Self { designs, chances }
    }

    /// Returns the chance that a design is the best.
    pub fn best(&self, design: usize) -> f64 {
        self.chances[design * self.designs]
    }

    /// Returns the chance of being the best for the first design by `ranks` and for its strongest rival. If several
    /// share the first place, the likeliest of them is used, so that it doesn't matter which is listed first.
    pub fn first_and_rival(&self, ranks: &[u32]) -> (f64, f64) {
        let sharing = (0..self.designs).filter(|&design| ranks[design] == 1);
        let first = sharing.fold(None, |first: Option<usize>, next| match first {
            Some(first) if self.best(first) >= self.best(next) => Some(first),
            _ => Some(next),
        });
        let first = first.unwrap_or(0);
        let rivals = (0..self.designs).filter(|&design| design != first).map(|design| self.best(design));
        (self.best(first), rivals.fold(0.0, f64::max))
    }

    /// Returns the shortest run of places that contains at least [`LEVEL`] of the chances and the design's own `rank`,
    /// as `[best, worst]`, starting from 1; of equally short ones the likeliest, then the better.
    pub fn interval(&self, design: usize, rank: u32) -> [u32; 2] {
        let chances = &self.chances[design * self.designs..(design + 1) * self.designs];
        let own = rank.saturating_sub(1) as usize;
        let mut found: Option<(usize, f64, usize)> = None;
        for start in 0..self.designs {
            let mut held = 0.0;
            for (end, chance) in chances.iter().enumerate().skip(start) {
                held += chance;
                if held >= LEVEL {
                    let (best, worst) = (start.min(own), end.max(own));
                    let length = worst - best;
                    if found.is_none_or(|(shortest, most, _)| {
                        length < shortest || (length == shortest && held > most)
                    }) {
                        found = Some((length, held, best));
                    }
                    break;
                }
            }
        }
        let (length, _, best) = found.unwrap_or_else(|| (self.designs.saturating_sub(1), 0.0, 0));
        [place(best), place(best + length)]
    }
}

fn place(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_chances_and_the_rank() {
        let places = Places { designs: 3, chances: vec![0.9, 0.1, 0.0, 0.1, 0.9, 0.0, 0.0, 0.0, 1.0] };
        assert_eq!(places.interval(0, 1), [1, 2]);
        assert_eq!(places.interval(2, 3), [3, 3]);
        assert_eq!(places.interval(2, 1), [1, 3], "stretched to hold the rank");
        assert_eq!(places.first_and_rival(&[1, 2, 3]), (0.9, 0.1));
        assert_eq!(places.first_and_rival(&[2, 1, 1]), (0.1, 0.9), "of those that share it, the likeliest");
    }
}
