//! What a reviewer likes of an author's designs recurs from task to task. So it stays in the author's points however many tasks there
//! are, and only further reviewers reduce it.

use super::designers::index_of;

/// What the model of one task leaves of a score that isn't the reviewer's own design's.
pub(super) struct Rest<'a> {
    pub(super) author: &'a str,
    pub(super) reviewer: &'a str,
    pub(super) points: f64,
    /// The share of a taste that this task's model leaves: the rest of it goes into the author's and the reviewer's effects.
    pub(super) share: f64,
}

/// The means of the rests of one task, one for each author and reviewer: further runs of a task are no further evidence.
pub(super) fn once_each<'a>(rests: impl Iterator<Item = Rest<'a>>) -> Vec<Rest<'a>> {
    let mut means: Vec<(Rest<'a>, f64)> = Vec::new();
    for rest in rests {
        match means.iter_mut().find(|(mean, _)| (mean.author, mean.reviewer) == (rest.author, rest.reviewer))
        {
            Some((mean, count)) => {
                *count += 1.0;
                mean.points += (rest.points - mean.points) / *count;
            }
            None => means.push((rest, 1.0)),
        }
    }
    means.into_iter().map(|(mean, _)| mean).collect()
}

/// The variance of tastes, and how the scores of each author are spread over reviewers.
pub(super) struct Taste<'a> {
    variance: f64,
    rests: Vec<Rest<'a>>,
}

impl<'a> Taste<'a> {
    /// Estimates the variance by the method of moments: what the means of an author and a reviewer vary more than the rests around
    /// them explain. It is 0 if no author and reviewer met in two tasks, or if there is only one reviewer.
    pub(super) fn of(rests: Vec<Rest<'a>>) -> Self {
        let mut pairs = Vec::new();
        let mut of_pair: Vec<Vec<&Rest<'a>>> = Vec::new();
        // Where there was only one reviewer, nothing is left of its taste.
        for rest in rests.iter().filter(|rest| rest.share > 0.0) {
            let at = index_of(&mut pairs, (rest.author, rest.reviewer));
            if at == of_pair.len() {
                of_pair.push(Vec::new());
            }
            of_pair[at].push(rest);
        }
        let mean = |pair: &[&Rest<'a>], of: fn(&Rest<'a>) -> f64| {
            pair.iter().map(|rest| of(rest)).sum::<f64>() / pair.len() as f64
        };
        let (mut squares, mut degrees) = (0.0, 0.0);
        for pair in &of_pair {
            let level = mean(pair, |rest| rest.points);
            squares += pair.iter().map(|rest| (rest.points - level).powi(2)).sum::<f64>();
            degrees += pair.len() as f64 - 1.0;
        }
        let (mut beyond, mut left) = (0.0, 0.0);
        for pair in of_pair.iter().filter(|_| degrees > 0.0) {
            beyond += mean(pair, |rest| rest.points).powi(2) - squares / degrees / pair.len() as f64;
            left += mean(pair, |rest| rest.share);
        }
        let variance = if left > 0.0 { (beyond / left).max(0.0) } else { 0.0 };
        Self { variance, rests }
    }

    /// Whether a taste can be told from quality: two reviewers at least scored the same task.
    pub(super) fn is_measured(&self) -> bool {
        self.rests.iter().any(|rest| rest.share > 0.0)
    }

    /// The variance that tastes add to an author's points. Of an author that only scored itself, it is that of a single reviewer.
    pub(super) fn error_of(&self, author: &str) -> f64 {
        let mut reviewers = Vec::new();
        let mut counts: Vec<f64> = Vec::new();
        for rest in self.rests.iter().filter(|rest| rest.author == author) {
            let at = index_of(&mut reviewers, rest.reviewer);
            if at == counts.len() {
                counts.push(0.0);
            }
            counts[at] += 1.0;
        }
        let all: f64 = counts.iter().sum();
        if all == 0.0 {
            return self.variance;
        }
        let alike: f64 = counts.iter().map(|count| (count / all).powi(2)).sum();
        self.variance * alike
    }
}
