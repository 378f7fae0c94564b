//! Numbers as people read them.

/// Digits in groups of three: `1,234`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 pair`, `3 pairs`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// US dollars: with cents from ten cents on, below that with four decimals.
pub fn money(cost: f64) -> String {
    if cost == 0.0 || cost >= 0.1 { format!("${cost:.2}") } else { format!("${cost:.4}") }
}

#[cfg(test)]
mod tests {
    use super::{count, money, thousands};

    #[test]
    fn small_sums_keep_their_digits() {
        assert_eq!([0.0, 0.031_25, 0.1, 12.345].map(money), ["$0.00", "$0.0312", "$0.10", "$12.35"]);
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!([count(1, "pair", "pairs"), count(1_000, "pair", "pairs")], ["1 pair", "1,000 pairs"]);
        assert_eq!([thousands(7), thousands(1_234), thousands(1_234_567)], ["7", "1,234", "1,234,567"]);
    }
}
