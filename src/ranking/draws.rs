//! Random variates whose bits are the same on every platform: only [`Random`], basic arithmetic and `libm`.

use crate::random::Random;

/// A standard normal variate: the polar method (Marsaglia and Bray 1964, "A convenient method for generating normal
/// variables", SIAM Review 6).
pub(super) fn normal(random: &mut Random) -> f64 {
    loop {
        let (u, v) = (2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0);
        let s = u * u + v * v;
        if s > 0.0 && s < 1.0 {
            return u * (-2.0 * libm::log(s) / s).sqrt();
        }
    }
}

/// A χ² variate with `degrees` ≥ 2 of freedom: twice a gamma variate of shape `degrees / 2`, by rejection from a cubed normal
/// (Marsaglia and Tsang 2000, "A simple method for generating gamma variables", ACM TOMS 26).
pub(super) fn chi_squared(random: &mut Random, degrees: f64) -> f64 {
    let shape = degrees / 2.0 - 1.0 / 3.0;
    let scale = 1.0 / (9.0 * shape).sqrt();
    loop {
        let x = normal(random);
        let root = 1.0 + scale * x;
        let cube = root * root * root;
        if cube > 0.0 {
            // 1 − unit lies in (0, 1], where the logarithm is finite.
            let u = 1.0 - random.unit();
            if libm::log(u) < 0.5 * x * x + shape - shape * cube + shape * libm::log(cube) {
                return 2.0 * shape * cube;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranking::descriptive::{mean, variance};

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut random = Random::new(1, "moments");
        let normals: Vec<f64> = (0..200_000).map(|_| normal(&mut random)).collect();
        assert!(mean(&normals).unwrap().abs() < 0.01);
        assert!((variance(&normals).unwrap() - 1.0).abs() < 0.015);
        for degrees in [2.0, 3.5, 40.0] {
            let values: Vec<f64> = (0..200_000).map(|_| chi_squared(&mut random, degrees)).collect();
            assert!((mean(&values).unwrap() / degrees - 1.0).abs() < 0.015, "{degrees}");
            assert!((variance(&values).unwrap() / (2.0 * degrees) - 1.0).abs() < 0.04, "{degrees}");
        }
    }
}
