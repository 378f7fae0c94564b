//! "Did you mean …?"

use strsim::osa_distance;

/// The shortest word that may match a part of a candidate, in characters.
const PART: usize = 4;

/// The candidate nearest to a word, if one is near enough to be the intended one: as a whole, or by its beginning or end up to a
/// `-`, `_` or `/`, as in `2026-11-20-rate-limiter`. Ties go to the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 100 {
        return None;
    }
    let folded = word.to_ascii_lowercase();
    let length = folded.chars().count();
    let near_enough = length.div_ceil(3).max(2);
    let distance = |candidate: &str| {
        let candidate = candidate.to_ascii_lowercase();
        let whole = osa_distance(&folded, &candidate);
        // A part is less likely than a whole at the same distance.
        let part = |part: &str| osa_distance(&folded, part) + 1;
        let parts = parts(&candidate).filter(|_| length >= PART).map(part);
        parts.chain([whole]).min().unwrap_or(whole)
    };
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= near_enough)
        .map(|(_, candidate)| candidate)
}

/// The beginnings and ends of a name, split at a separator between its words.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let cuts = name.match_indices(['-', '_', '/']);
    cuts.flat_map(|(at, _)| [&name[..at], &name[at + 1..]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_only_what_was_likely_meant() {
        let keys = [
            "concurrency",
            "timeouts",
            "retries",
            "seed",
            "2026-11-20-rate-limiter",
            "max_cost_usd",
            "stone/slate",
        ];
        let cases = [
            ("concurency", Some("concurrency")),
            ("Retries", Some("retries")),
            ("timeout", Some("timeouts")),
            // Swapping two neighbours is one mistake, and so is one letter, however many bytes it has.
            ("sede", Some("seed")),
            ("séed", Some("seed")),
            ("colour", None),
            // A run's name has a date in front, a key its unit at the end.
            ("rate-limitr", Some("2026-11-20-rate-limiter")),
            ("max_cost", Some("max_cost_usd")),
            ("slate", Some("stone/slate")),
            ("try", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, keys), expected, "{word}");
        }
        assert_eq!(nearest("x", []), None);
    }
}
