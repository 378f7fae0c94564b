//! Seeded randomness: the same seed gives the same run on every platform.
//!
//! `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014):
//! eight bytes of state, no dependency, and good enough for shuffles, jitter and the bootstrap.

/// Seeds stay within the range that a JavaScript number represents exactly: `ranking.json` is read by programs of all kinds.
const SEED_BITS: u32 = 53;

/// A seed derived from a text.
pub fn seed(text: &str) -> u64 {
    hash(text) >> (u64::BITS - SEED_BITS)
}

/// A stream of pseudorandom numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream for one purpose: streams of different purposes under one seed are independent.
    pub fn new(seed: u64, purpose: &str) -> Self {
        Self(seed ^ hash(purpose))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Uniform in `0..bound`; `bound` must not be 0. Without bias (Lemire 2019, "Fast random integer
    /// generation in an interval").
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "an empty interval has no number");
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let wide = u128::from(self.next_u64()) * u128::from(bound);
            #[expect(clippy::cast_possible_truncation, reason = "the low half is what is compared")]
            if wide as u64 >= threshold {
                return u64::try_from(wide >> 64).unwrap_or(0);
            }
        }
    }

    /// Uniform in `0.0..1.0`, 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles in place (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }
}

/// FNV-1a over the bytes, then mixed: a stable 64-bit hash of a text. Not for security.
pub fn hash(text: &str) -> u64 {
    let fnv = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mix(fnv)
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reproduces_the_reference_stream_of_splitmix64() {
        // Seed 1234567, as printed for the reference C code (Vigna, prng.di.unimi.it/splitmix64.c).
        let mut random = Random(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut random = Random::new(7, "test");
        let mut seen = [0u32; 5];
        for _ in 0..5_000 {
            seen[usize::try_from(random.below(5)).unwrap()] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }
}
