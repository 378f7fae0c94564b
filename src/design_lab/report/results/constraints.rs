//! Whether the designs keep to the task's constraints, according to the reviewers.

use super::super::piece::Piece;
use super::Material;
use crate::design_lab::artefacts::{ConstraintLine, ConstraintState, StoredReview};
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::Ranking;
use crate::shared::figures::NONE;

/// Returns how many reviewers gave which answer on each constraint and design; empty if no reviewer was asked.
pub(in super::super) fn constraints(ranking: &Ranking, material: &Material<'_>) -> Vec<Piece> {
    let reviews = material.reviews.iter().map(|written| &written.review);
    let reviews: Vec<&StoredReview> = reviews.filter(|review| !review.evaluations.is_empty()).collect();
    if !material.asks_constraints || reviews.is_empty() {
        return Vec::new();
    }
    let designs: Vec<&DesignId> = ranking.rankings.iter().map(|row| &row.design_id).collect();
    let count = material.task.constraints.len();
    let complete = reviews.iter().filter(|review| is_complete(review, count)).count();
    let reading = format!(
        "{complete} of {} reviewers answered for every constraint and design. A cell counts the reviewers that gave each answer; of \
         different answers in a reviewer's repeats, the least favourable one counts. These answers are opinions, and they don't count \
         in the ranking.",
        reviews.len()
    );
    let rows = material.task.constraints.iter().enumerate().map(|(index, text)| {
        let cells = designs.iter().map(|design| cell(&reviews, design, index + 1));
        std::iter::once(format!("{}: {text}", index + 1)).chain(cells).collect()
    });
    let headings: Vec<&str> =
        std::iter::once("Constraint").chain(designs.iter().map(|design| design.as_str())).collect();
    vec![Piece::Text(reading), Piece::table(&headings, &vec![false; headings.len()], rows.collect())]
}

/// A reviewer's answers on a constraint, one for each time that it was shown the design.
fn answers<'a>(
    review: &'a StoredReview,
    design: &'a DesignId,
    number: usize,
) -> impl Iterator<Item = ConstraintState> + 'a {
    let evaluations = review.evaluations.iter().filter(move |one| one.design_id == *design);
    let lines = evaluations.flat_map(|one| &one.constraints);
    lines.filter(move |line| line.constraint == number).map(|line: &ConstraintLine| line.state)
}

fn is_complete(review: &StoredReview, count: usize) -> bool {
    review.evaluations.iter().all(|one| one.constraints.len() == count)
}

fn cell(reviews: &[&StoredReview], design: &DesignId, number: usize) -> String {
    let given: Vec<ConstraintState> =
        reviews.iter().filter_map(|review| answers(review, design, number).min()).collect();
    let counts = ConstraintState::ALL.into_iter().filter_map(|state| {
        let count = given.iter().filter(|one| **one == state).count();
        (count > 0).then(|| format!("{count} {}", state.words()))
    });
    let counts: Vec<String> = counts.collect();
    if counts.is_empty() { NONE.to_owned() } else { counts.join(", ") }
}
