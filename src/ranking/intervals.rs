//! How sure each place is: rank intervals and the chance of being best, from draws of the true qualities (Goldstein and
//! Spiegelhalter 1996, "League tables and their limitations", JRSS A 159).

use design_lab_numerics::sorting::descending;

/// Coverage that an interval promises.
pub const LEVEL: f64 = 0.95;

/// How often each design took each place, over draws of all qualities.
#[derive(Clone, Debug)]
pub struct Places {
    designs: usize,
    /// `counts[design · designs + place]`, places from 0.
    counts: Vec<u32>,
    draws: u32,
}

impl Places {
    /// No draw yet.
    pub fn of(designs: usize) -> Self {
        Self { designs, counts: vec![0; designs * designs], draws: 0 }
    }

    /// Counts one draw: the highest quality takes the first place.
    pub fn add(&mut self, qualities: &[f64]) {
        for (place, design) in descending(qualities).into_iter().enumerate() {
            self.counts[design * self.designs + place] += 1;
        }
        self.draws += 1;
    }

    /// The chance that a design is the best.
    pub fn best(&self, design: usize) -> f64 {
        f64::from(self.counts[design * self.designs]) / f64::from(self.draws.max(1))
    }

    /// The chance to be the best of the first design by `ranks`, and that of its strongest rival.
    pub fn first_and_rival(&self, ranks: &[u32]) -> (f64, f64) {
        let first = ranks.iter().position(|&rank| rank == 1).unwrap_or(0);
        let rivals = (0..self.designs).filter(|&design| design != first).map(|design| self.best(design));
        (self.best(first), rivals.fold(0.0, f64::max))
    }

    /// The shortest run of places that holds at least [`LEVEL`] of the draws and the design's own `rank`, `[best, worst]`, from 1;
    /// of equally short ones the likeliest, then the better.
    pub fn interval(&self, design: usize, rank: u32) -> [u32; 2] {
        let counts = &self.counts[design * self.designs..(design + 1) * self.designs];
        let needed = LEVEL * f64::from(self.draws);
        let own = rank.saturating_sub(1) as usize;
        let mut found: Option<(usize, u32, usize)> = None;
        for start in 0..self.designs {
            let mut held = 0;
            for (end, count) in counts.iter().enumerate().skip(start) {
                held += count;
                if f64::from(held) >= needed {
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
        let (length, _, best) = found.unwrap_or_else(|| (self.designs.saturating_sub(1), 0, 0));
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
    fn intervals_hold_the_draws_and_the_rank() {
        let mut places = Places::of(3);
        for number in 0..100 {
            let swapped = number % 10 == 0;
            places.add(if swapped { &[1.0, 2.0, 0.0] } else { &[2.0, 1.0, 0.0] });
        }
        assert!((places.best(0) - 0.9).abs() < 1e-12);
        assert_eq!(places.interval(0, 1), [1, 2]);
        assert_eq!(places.interval(2, 3), [3, 3]);
        assert_eq!(places.interval(2, 1), [1, 3], "stretched to hold the rank");
    }
}
