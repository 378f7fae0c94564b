//! "Did you mean …?"

use strsim::osa_distance;

/// The candidate nearest to a word, if one is near enough to be what was meant. Ties go to the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 100 {
        return None;
    }
    let folded = word.to_ascii_lowercase();
    let near_enough = folded.chars().count().div_ceil(3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(&folded, &candidate.to_ascii_lowercase()), candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= near_enough)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_only_what_was_likely_meant() {
        let keys = ["concurrency", "timeouts", "retries", "seed"];
        let cases = [
            ("concurency", Some("concurrency")),
            ("Retries", Some("retries")),
            ("timeout", Some("timeouts")),
            // A swap of neighbours is one mistake, and a letter is one, however many bytes it has.
            ("sede", Some("seed")),
            ("séed", Some("seed")),
            ("colour", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, keys), expected, "{word}");
        }
        assert_eq!(nearest("x", []), None);
    }
}
