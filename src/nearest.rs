//! "Did you mean …?"

/// The candidate nearest to a word, if one is near enough to be what was meant. Ties go to the first.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 100 {
        return None;
    }
    let folded = word.to_ascii_lowercase();
    let near_enough = folded.chars().count().div_ceil(3).max(2);
    candidates
        .into_iter()
        .map(|candidate| (distance(&folded, &candidate.to_ascii_lowercase()), candidate))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= near_enough)
        .map(|(_, candidate)| candidate)
}

/// How many insertions, deletions, substitutions and swaps of neighbours lie between two words (the
/// "optimal string alignment" distance).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitution = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitution.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        let cases = [
            ("", "", 0),
            ("abc", "", 3),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("ä", "a", 1),
        ];
        for (a, b, expected) in cases {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn names_only_what_was_likely_meant() {
        let keys = ["concurrency", "timeouts", "retries", "seed"];
        let cases = [
            ("concurency", Some("concurrency")),
            ("Retries", Some("retries")),
            ("timeout", Some("timeouts")),
            ("sede", Some("seed")),
            ("colour", None),
            ("", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, keys), expected, "{word}");
        }
        assert_eq!(nearest("x", []), None);
    }
}
