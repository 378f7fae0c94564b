//! How many criteria a model judges in one answer. A model that judges several at once overlooks more of them, so each is asked by
//! itself, as long as that takes few calls.

/// The most calls for the criteria of one review, unless the settings name a number of criteria.
const MOST_CALLS: usize = 12;

/// How many of so many criteria are asked in one call. `per_call`: the number in the settings; `None` when they name none.
pub(crate) fn size(criteria: usize, per_call: Option<u32>) -> usize {
    let given = per_call.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    given.unwrap_or_else(|| criteria.div_ceil(MOST_CALLS)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_criterion_is_asked_by_itself_as_long_as_that_takes_twelve_calls() {
        for (criteria, per_call, expected) in [
            (0, None, 1),
            (1, None, 1),
            (12, None, 1),
            (13, None, 2),
            (24, None, 2),
            (25, None, 3),
            (100, None, 9),
            (100, Some(1), 1),
            (3, Some(5), 5),
            (3, Some(0), 1),
        ] {
            assert_eq!(size(criteria, per_call), expected, "{criteria} {per_call:?}");
        }
    }
}
