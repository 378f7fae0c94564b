//! Random variates whose bits are the same on every platform: only [`Random`], basic arithmetic and `libm`.

use crate::random::Random;

/// A standard normal variate: the polar method (Marsaglia and Bray 1964, "A convenient method for generating normal
/// variables", SIAM Review 6).
pub fn normal(random: &mut Random) -> f64 {
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
pub fn chi_squared(random: &mut Random, degrees: f64) -> f64 {
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

    /// Mean and variance of 200 000 values.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let values: Vec<f64> = (0..200_000).map(|_| draw()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        (mean, squares / (values.len() - 1) as f64)
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut random = Random::new(1, "moments");
        let (mean, variance) = moments(|| normal(&mut random));
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.015, "{mean} {variance}");
        for degrees in [2.0, 3.5, 40.0] {
            let (mean, variance) = moments(|| chi_squared(&mut random, degrees));
            assert!((mean / degrees - 1.0).abs() < 0.015, "{degrees}");
            assert!((variance / (2.0 * degrees) - 1.0).abs() < 0.04, "{degrees}");
        }
    }
}
