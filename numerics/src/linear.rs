//! Symmetric positive definite systems: small, dense, and exact to rounding on every platform.
//!
//! The order of the sums is fixed by this code, and so are the bits of a ranking. `nalgebra` would add at most 2 KB and passes
//! this crate's tests (from 60 unknowns on it is a quarter faster, with 4 it takes twice as long). But it sums in another order
//! without guaranteeing any, so that each of its versions may change the last digits of rankings, and it adds four crates to a
//! crate that otherwise needs only `libm`. `faer` would add 67 KB and chooses its instructions by the processor outside of
//! WebAssembly.

/// A symmetric matrix of `size` rows, dense, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    size: usize,
    values: Vec<f64>,
}

/// The lower triangle L with `L Lᵀ` = the matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Cholesky {
    size: usize,
    values: Vec<f64>,
}

impl Symmetric {
    /// All zeros.
    pub fn zeros(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    /// Adds to the entry in the lower triangle; only `row >= column` is ever read.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
    }

    /// Adds `scale · v vᵀ` to the lower triangle.
    pub fn add_outer(&mut self, scale: f64, vector: &[f64]) {
        for (row, &left) in vector.iter().enumerate() {
            if left != 0.0 {
                let start = row * self.size;
                for (entry, right) in self.values[start..=start + row].iter_mut().zip(vector) {
                    *entry += scale * left * right;
                }
            }
        }
    }

    /// The Cholesky factor; `None` when the matrix is not positive definite within rounding.
    pub fn cholesky(&self) -> Option<Cholesky> {
        let size = self.size;
        let mut lower = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let dot: f64 = lower[row * size..row * size + column]
                    .iter()
                    .zip(&lower[column * size..column * size + column])
                    .map(|(a, b)| a * b)
                    .sum();
                let rest = self.values[row * size + column] - dot;
                if row == column {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    lower[row * size + row] = rest.sqrt();
                } else {
                    lower[row * size + column] = rest / lower[column * size + column];
                }
            }
        }
        Some(Cholesky { size, values: lower })
    }
}

impl Cholesky {
    /// Solves `L Lᵀ x = b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = self.solve_lower(b);
        self.solve_transposed(&mut x);
        x
    }

    /// `bᵀ A⁻¹ b` for the matrix A that was factored.
    pub fn inverse_form(&self, b: &[f64]) -> f64 {
        self.solve_lower(b).iter().map(|value| value * value).sum()
    }

    /// Solves `L x = b`.
    fn solve_lower(&self, b: &[f64]) -> Vec<f64> {
        let size = self.size;
        let mut x = b.to_vec();
        for row in 0..size {
            let dot: f64 = self.values[row * size..row * size + row].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[row] = (x[row] - dot) / self.values[row * size + row];
        }
        x
    }

    /// Solves `Lᵀ x = b` in place.
    fn solve_transposed(&self, b: &mut [f64]) {
        let size = self.size;
        for row in (0..size).rev() {
            b[row] /= self.values[row * size + row];
            let solved = b[row];
            for (entry, factor) in b[..row].iter_mut().zip(&self.values[row * size..]) {
                *entry -= factor * solved;
            }
        }
    }

    /// Half the logarithm of the determinant.
    pub fn half_log_determinant(&self) -> f64 {
        (0..self.size).map(|row| libm::log(self.values[row * self.size + row])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Symmetric {
        let mut matrix = Symmetric::zeros(3);
        for (row, column, value) in
            [(0, 0, 4.0), (1, 0, 12.0), (1, 1, 37.0), (2, 0, -16.0), (2, 1, -43.0), (2, 2, 98.0)]
        {
            matrix.add(row, column, value);
        }
        matrix
    }

    #[test]
    fn factors_the_textbook_matrix() {
        // The example in Wikipedia's article "Cholesky decomposition": L = [2; 6 1; -8 5 3].
        let factor = example().cholesky().unwrap();
        assert_eq!(factor.values, [2.0, 0.0, 0.0, 6.0, 1.0, 0.0, -8.0, 5.0, 3.0]);
        assert!((factor.half_log_determinant() - libm::log(6.0)).abs() < 1e-15);
        let x = factor.solve(&[4.0 + 12.0 - 16.0, 12.0 + 37.0 - 43.0, -16.0 - 43.0 + 98.0]);
        assert!(x.iter().all(|value| (value - 1.0).abs() < 1e-12), "{x:?}");
        // By hand, L x = [1; 0; 0] gives x = [1/2; -3; 19/3], whose squares add up to 1777/36.
        assert!((factor.inverse_form(&[1.0, 0.0, 0.0]) - 1777.0 / 36.0).abs() < 1e-12);
    }

    #[test]
    fn refuses_what_is_not_positive_definite() {
        let mut matrix = Symmetric::zeros(2);
        matrix.add_outer(1.0, &[1.0, 1.0]);
        assert_eq!(matrix.cholesky(), None);
    }
}
