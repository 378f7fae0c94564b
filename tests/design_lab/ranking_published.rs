//! Published numbers, reproduced to the digits that were printed. The variance components of the mixed model (Penicillin;
//! Shrout and Fleiss) are tested beside the model itself.
#![expect(clippy::needless_range_loop, reason = "matrices read best by their indices")]

use crate::common::{alpha_by_definition, interval, ordinal};
use lab_core::design_lab::ranking::agreement::{concordance, krippendorff_interval, krippendorff_ordinal};
use lab_core::design_lab::ranking::descriptive::mid_ranks;
use lab_core::design_lab::ranking::pairwise::{Contest, Strengths};
use lab_core::design_lab::ranking::sensitivity::{borda, bradley_terry, copeland};
use lab_core::design_lab::ranking::table::Matrix;

#[track_caller]
fn assert_printed(found: f64, printed: f64, digits: i32) {
    let half = 0.5 * f64::powi(10.0, -digits);
    assert!((found - printed).abs() <= half * 1.000_001, "{found} is not {printed} to {digits} digits");
}

/// Parses one coder per text, one unit per column; `*` is a hole.
fn coders(texts: &[&str]) -> Matrix {
    let columns: Vec<Vec<Option<f64>>> =
        texts.iter().map(|text| text.split_whitespace().map(|value| value.parse().ok()).collect()).collect();
    let units = columns[0].len();
    Matrix::of_rows(
        &(0..units).map(|unit| columns.iter().map(|column| column[unit]).collect()).collect::<Vec<_>>(),
    )
}

/// Returns voters' orders, best first, each with its number of ballots, as scores.
fn ballots(candidates: usize, orders: &[(usize, Vec<usize>)]) -> Matrix {
    let voters: usize = orders.iter().map(|(count, _)| count).sum();
    let mut matrix = Matrix::empty(candidates, voters);
    let mut voter = 0;
    for (count, order) in orders {
        for _ in 0..*count {
            for (place, &candidate) in order.iter().enumerate() {
                matrix.set(candidate, voter, (candidates - place) as f64);
            }
            voter += 1;
        }
    }
    matrix
}

fn decisive(first: usize, second: usize, first_wins: f64, second_wins: f64) -> Contest {
    Contest { first, second, first_wins, second_wins, ties: 0.0, ordered: false }
}

/// Compares α by its definition, which also has the metrics that the ranking doesn't use, with what the ranking computes.
fn assert_defined(matrix: &Matrix) {
    let close = |a: f64, b: Option<f64>| assert!(b.is_some_and(|b| (a - b).abs() < 1e-12), "{a} {b:?}");
    close(alpha_by_definition(matrix, &interval), krippendorff_interval(matrix).ok());
    close(alpha_by_definition(matrix, &ordinal(matrix)), krippendorff_ordinal(matrix).ok());
}

fn nominal(a: f64, b: f64) -> f64 {
    f64::from(u8::from((a - b).abs() > 0.0))
}

fn ratio(a: f64, b: f64) -> f64 {
    let difference = (a - b) / (a + b);
    difference * difference
}

#[test]
fn krippendorff_with_three_coders() {
    // Readme of fast-krippendorff: nominal α 0.691358, interval 0.810845.
    let matrix = coders(&[
        "*    *    *    *    *    3    4    1    2    1    1    3    3    *    3",
        "1    *    2    1    3    3    4    3    *    *    *    *    *    *    *",
        "*    *    2    1    3    4    4    *    2    1    1    3    3    *    4",
    ]);
    assert_printed(krippendorff_interval(&matrix).unwrap(), 0.810_845, 6);
    assert_printed(alpha_by_definition(&matrix, &nominal), 0.691_358, 6);
    assert_defined(&matrix);
}

#[test]
fn krippendorff_with_four_coders() {
    // Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example C: nominal 0.743, ordinal 0.815,
    // interval 0.849, ratio 0.797.
    let matrix = coders(&[
        "1 2 3 3 2 1 4 1 2 * * *",
        "1 2 3 3 2 2 4 1 2 5 * 3",
        "* 3 3 3 2 3 4 2 2 5 1 *",
        "1 2 3 3 2 4 4 1 2 5 1 *",
    ]);
    assert_printed(krippendorff_ordinal(&matrix).unwrap(), 0.815, 3);
    assert_printed(krippendorff_interval(&matrix).unwrap(), 0.849, 3);
    assert_printed(alpha_by_definition(&matrix, &nominal), 0.743, 3);
    assert_printed(alpha_by_definition(&matrix, &ratio), 0.797, 3);
    assert_defined(&matrix);
}

#[test]
fn one_way_intraclass_correlation_follows_from_interval_alpha() {
    // Shrout and Fleiss 1979: ICC(1,1) 0.17, ICC(1,k) 0.44. On complete data α gives the ratio of within to total squares.
    let rows: [[f64; 4]; 6] = [
        [9.0, 2.0, 5.0, 8.0],
        [6.0, 1.0, 3.0, 2.0],
        [8.0, 4.0, 6.0, 8.0],
        [7.0, 1.0, 2.0, 6.0],
        [10.0, 5.0, 6.0, 9.0],
        [6.0, 2.0, 4.0, 7.0],
    ];
    let matrix = Matrix::of_rows(&rows.map(|row| row.map(Some).to_vec()));
    let (targets, judges) = (6.0, 4.0);
    let count = targets * judges;
    // α = 1 − (N − 1) MSW / SST; with MSW = 1 the other mean square follows.
    let total = (count - 1.0) / (1.0 - krippendorff_interval(&matrix).unwrap());
    let between = (total - targets * (judges - 1.0)) / (targets - 1.0);
    assert_printed((between - 1.0) / (between + (judges - 1.0)), 0.17, 2);
    assert_printed((between - 1.0) / between, 0.44, 2);
}

#[test]
fn bradley_terry_of_four_players() {
    // Wikipedia, "Bradley–Terry model", worked example: A 0.640, B 1.043, C 0.660, D 2.270 (geometric mean 1).
    let wins = [[0.0, 2.0, 0.0, 1.0], [3.0, 0.0, 5.0, 0.0], [0.0, 3.0, 0.0, 1.0], [4.0, 0.0, 3.0, 0.0]];
    let mut contests = Vec::new();
    for a in 0..4 {
        for b in a + 1..4 {
            contests.push(decisive(a, b, wins[a][b], wins[b][a]));
        }
    }
    let fit = Strengths::of(4, &contests, 0.0).unwrap();
    for (log, printed) in fit.logs.iter().zip([0.640, 1.043, 0.660, 2.270]) {
        assert_printed(log.exp(), printed, 3);
    }
}

#[test]
fn bradley_terry_with_a_cycle() {
    // lucasmaystre/choix, tests of maximum-likelihood inference: 0 beats 1 twice, 1 beats 2, 2 beats 0.
    let contests = [decisive(0, 1, 2.0, 0.0), decisive(1, 2, 1.0, 0.0), decisive(2, 0, 1.0, 0.0)];
    let fit = Strengths::of(3, &contests, 0.0).unwrap();
    for (log, printed) in fit.logs.iter().zip([0.4196, -0.4196, 0.0]) {
        assert_printed(*log, printed, 4);
    }
}

#[test]
fn bradley_terry_with_an_order_effect() {
    // Agresti 2002, "Categorical data analysis", tables 10.10 and 10.11: home and away games of seven baseball teams.
    // With the home advantage 0.302 the strengths are, as shares of their sum, those below; without it, log-strengths
    // above Baltimore's are 1.58, 1.44, 1.29, 1.25, 1.11, 0.68, each with a standard error of about 0.3.
    let home_and_away: [[(f64, f64); 7]; 7] = [
        [(0., 0.), (4., 3.), (4., 2.), (4., 3.), (6., 1.), (4., 2.), (6., 0.)],
        [(3., 3.), (0., 0.), (4., 2.), (4., 3.), (6., 0.), (6., 1.), (4., 3.)],
        [(2., 5.), (4., 3.), (0., 0.), (2., 4.), (4., 3.), (4., 2.), (6., 0.)],
        [(3., 3.), (5., 1.), (2., 5.), (0., 0.), (4., 3.), (4., 2.), (6., 1.)],
        [(5., 1.), (2., 5.), (3., 3.), (4., 2.), (0., 0.), (5., 2.), (6., 0.)],
        [(2., 5.), (3., 3.), (3., 4.), (4., 3.), (4., 2.), (0., 0.), (2., 4.)],
        [(2., 5.), (1., 5.), (1., 6.), (2., 4.), (1., 6.), (3., 4.), (0., 0.)],
    ];
    let contests = |ordered| {
        let mut contests = Vec::new();
        for (home, row) in home_and_away.iter().enumerate() {
            for (away, &(won, lost)) in row.iter().enumerate().filter(|(away, _)| *away != home) {
                contests.push(Contest { ordered, ..decisive(home, away, won, lost) });
            }
        }
        contests
    };
    let plain = Strengths::of(7, &contests(false), 0.0).unwrap();
    for (team, printed) in [1.58, 1.44, 1.29, 1.25, 1.11, 0.68].into_iter().enumerate() {
        assert_printed(plain.logs[team] - plain.logs[6], printed, 2);
    }
    let fit = Strengths::of(7, &contests(true), 0.0).unwrap();
    assert_printed(fit.order.unwrap(), 0.302, 3);
    let total: f64 = fit.logs.iter().map(|log| log.exp()).sum();
    for (log, printed) in fit.logs.iter().zip([0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044]) {
        assert_printed(log.exp() / total, printed, 3);
    }
}

#[test]
fn davidson_of_six_puddings() {
    // Davidson 1970, table 2 (the data as in d-a-henderson/GPL, puddings.txt): i, j, comparisons, wins of i, of j, ties.
    let rows: [(usize, usize, u32, u32, u32, u32); 15] = [
        (1, 2, 57, 19, 22, 16),
        (1, 3, 47, 16, 19, 12),
        (2, 3, 48, 19, 19, 10),
        (1, 4, 54, 18, 23, 13),
        (2, 4, 51, 23, 19, 9),
        (3, 4, 54, 19, 20, 15),
        (1, 5, 50, 13, 19, 18),
        (2, 5, 48, 16, 20, 12),
        (3, 5, 48, 16, 15, 17),
        (4, 5, 47, 17, 14, 16),
        (1, 6, 51, 18, 21, 12),
        (2, 6, 54, 22, 20, 12),
        (3, 6, 41, 13, 18, 10),
        (4, 6, 51, 14, 19, 18),
        (5, 6, 44, 11, 21, 12),
    ];
    let contests = rows.map(|(first, second, all, first_wins, second_wins, ties)| {
        assert_eq!(all, first_wins + second_wins + ties);
        Contest {
            first: first - 1,
            second: second - 1,
            first_wins: f64::from(first_wins),
            second_wins: f64::from(second_wins),
            ties: f64::from(ties),
            ordered: false,
        }
    });
    let fit = Strengths::of(6, &contests, 0.0).unwrap();
    let total: f64 = fit.logs.iter().map(|log| log.exp()).sum();
    let shares: Vec<f64> = fit.logs.iter().map(|log| log.exp() / total).collect();
    println!("{shares:?} {:?}", fit.tie);
    for (share, printed) in shares.iter().zip([0.139, 0.173, 0.162, 0.165, 0.159, 0.202]) {
        assert_printed(*share, printed, 3);
    }
    assert_printed(fit.tie.unwrap(), 0.747, 3);
}

#[test]
fn films_ranked_by_588_voters() {
    // Rank sums 1445 1093 1605 1737, Borda points 907 1259 747 615, Kendall's W 0.134358.
    let orders: Vec<(usize, Vec<usize>)> = include_str!("data/netflix.soc")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (count, order) = line.split_once(": ").unwrap();
            (
                count.parse().unwrap(),
                order.split(',').map(|film| film.parse::<usize>().unwrap() - 1).collect(),
            )
        })
        .collect();
    let matrix = ballots(4, &orders);
    assert_eq!(matrix.reviewers(), 588);
    assert_printed(concordance(&matrix).unwrap().w, 0.134_358, 6);
    // Rank 1 is best: the highest score has the lowest rank.
    let mut sums = [0.0; 4];
    for voter in 0..588 {
        let scores: Vec<f64> = (0..4).map(|film| -matrix.get(film, voter).unwrap()).collect();
        for (sum, rank) in sums.iter_mut().zip(mid_ranks(&scores)) {
            *sum += rank;
        }
    }
    // Sums of halves are exact.
    assert_eq!(sums.map(|sum| format!("{sum}")), ["1445", "1093", "1605", "1737"]);
    for (share, points) in borda(&matrix).into_iter().zip([907.0, 1259.0, 747.0, 615.0]) {
        assert!((share.unwrap() * 588.0 * 3.0 - points).abs() < 1e-6);
    }
    // The film that wins every majority, and loses none, is first by strength as well.
    assert_eq!(copeland(&matrix)[1], Some(1.0));
    let strengths = bradley_terry(&matrix);
    assert!(strengths[1] > strengths[0] && strengths[0] > strengths[2] && strengths[2] > strengths[3]);
}

#[test]
fn rounding_first_base() {
    // Hollander and Wolfe 1973, p. 140 (the example of R's friedman.test): χ² 11.1429 = 22 · 2 · W, p 0.003805, W 0.253247.
    #[rustfmt::skip]
    let runners: [[f64; 3]; 22] = [
        [5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40], [5.90, 5.85, 5.70],
        [5.45, 5.55, 5.60], [5.40, 5.40, 5.35], [5.45, 5.50, 5.35], [5.25, 5.15, 5.00], [5.85, 5.80, 5.70],
        [5.25, 5.20, 5.10], [5.65, 5.55, 5.45], [5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40],
        [5.45, 5.55, 5.50], [5.55, 5.55, 5.35], [5.45, 5.50, 5.55], [5.50, 5.45, 5.25], [5.65, 5.60, 5.40],
        [5.70, 5.65, 5.55], [6.30, 6.30, 6.25],
    ];
    let mut matrix = Matrix::empty(3, 22);
    for (runner, times) in runners.iter().enumerate() {
        for (method, time) in times.iter().enumerate() {
            matrix.set(method, runner, *time);
        }
    }
    let w = concordance(&matrix).unwrap().w;
    let chi_squared: f64 = 22.0 * 2.0 * w;
    assert_printed(w, 0.253_247, 6);
    assert_printed(chi_squared, 11.1429, 4);
    // Of two degrees of freedom, the upper tail is the exponential's.
    assert_printed((-chi_squared / 2.0).exp(), 0.003_805, 6);
}

#[test]
fn the_capital_of_tennessee() {
    // Wikipedia, "Copeland's method" and "Borda count": Borda M 126, N 194, C 173, K 107; Copeland N 3, C 2, K 1, M 0.
    let [m, n, c, k] = [0, 1, 2, 3];
    let matrix = ballots(
        4,
        &[(42, vec![m, n, c, k]), (26, vec![n, c, k, m]), (15, vec![c, k, n, m]), (17, vec![k, c, n, m])],
    );
    for (share, points) in borda(&matrix).into_iter().zip([126.0, 194.0, 173.0, 107.0]) {
        assert!((share.unwrap() * 300.0 - points).abs() < 1e-9);
    }
    for (share, wins) in copeland(&matrix).into_iter().zip([0.0, 3.0, 2.0, 1.0]) {
        assert!((share.unwrap() * 3.0 - wins).abs() < 1e-12);
    }
}
