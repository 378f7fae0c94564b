//! Moments as people and programs write them. The core has no clock: every moment is an event's.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Milliseconds since 1970-01-01 UTC as ISO 8601 to the second: `2026-11-20T09:30:00Z`.
pub fn iso(at_ms: u64) -> String {
    i64::try_from(at_ms / 1000)
        .ok()
        .and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok())
        .and_then(|moment| moment.format(&Rfc3339).ok())
        .unwrap_or_default()
}

/// A span for people: `7s`, `3m 05s`, `1h 02m`, `2d 03h`.
pub fn span(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        3600..172_800 => format!("{}h {:02}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d {:02}h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_spans_read_well() {
        assert_eq!(iso(1_795_167_000_500), "2026-11-20T09:30:00Z");
        assert_eq!(iso(u64::MAX), "");
        let spans = [7_900, 185_000, 3_720_000, 172_799_999, 183_600_000].map(span);
        assert_eq!(spans, ["7s", "3m 05s", "1h 02m", "47h 59m", "2d 03h"]);
    }
}
