//! Numbers for people; a dash replaces a number that the data doesn't support.

pub(crate) use kernel::figures::{count, money, thousands};

/// The sign for a missing number.
pub(crate) const NONE: &str = "–";

/// Two decimals.
pub(crate) fn number(value: Option<f64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| format!("{value:.2}"))
}

/// Two decimals, with the sign.
pub(crate) fn signed(value: Option<f64>) -> String {
    value.map_or_else(
        || NONE.to_owned(),
        |value| if value.abs() < 0.005 { "0.00".to_owned() } else { format!("{value:+.2}") },
    )
}

/// `2`, or `1–3`.
pub(crate) fn interval(value: Option<[u32; 2]>) -> String {
    match value {
        None => NONE.to_owned(),
        Some([best, worst]) if best == worst => best.to_string(),
        Some([best, worst]) => format!("{best}–{worst}"),
    }
}

/// A host's number without its fraction, in groups of three digits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates")]
pub(crate) fn whole(number: f64) -> String {
    thousands(number as u64)
}

/// `3 met, 1 flaky`: each number above zero with its word.
pub(crate) fn counted<'a>(parts: impl IntoIterator<Item = (usize, &'a str)>) -> String {
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts.map(|(number, word)| format!("{number} {word}")).collect::<Vec<_>>().join(", ")
}

/// `842 bytes`, `12 KB`, `1.2 MB`.
pub(crate) fn size(bytes: u64) -> String {
    const KB: u64 = 1024;
    match bytes {
        1 => "1 byte".to_owned(),
        0..KB => format!("{bytes} bytes"),
        KB..1_048_576 => format!("{} KB", bytes.div_ceil(KB)),
        _ => format!("{}.{} MB", bytes / 1_048_576, bytes % 1_048_576 * 10 / 1_048_576),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!([number(None), number(Some(8.006)), signed(Some(1.0))], ["–", "8.01", "+1.00"]);
        assert_eq!(signed(Some(-0.001)), "0.00");
        assert_eq!([interval(None), interval(Some([1, 1])), interval(Some([1, 3]))], ["–", "1", "1–3"]);
        assert_eq!(
            [counted([]), counted([(3, "met"), (0, "flaky"), (1, "hollow")])],
            ["", "3 met, 1 hollow"]
        );
        assert_eq!([whole(16_000.9), whole(-1.0), whole(f64::NAN)], ["16,000", "0", "0"]);
    }

    #[test]
    fn sizes_read_well() {
        assert_eq!(
            [0, 1, 1_023, 1_024, 1_025, 52_428_800].map(size),
            ["0 bytes", "1 byte", "1023 bytes", "1 KB", "2 KB", "50.0 MB"]
        );
    }
}
