//! Times as people and programs write them. The core has no clock: every time comes from an event.

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

/// The day of the same time, in UTC: `2026-11-20`.
pub fn day(at_ms: u64) -> String {
    iso(at_ms).split('T').next().unwrap_or_default().to_owned()
}

/// The time of day of the same time: `09:30:00 UTC`.
pub fn time_of_day(at_ms: u64) -> String {
    let iso = iso(at_ms);
    iso.split_once('T').map_or_else(String::new, |(_, time)| time.replace('Z', " UTC"))
}

/// A duration for people: `7 s`, `3 min 5 s`, `1 h 2 min`, `2 d 3 h`.
pub fn span(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => two(seconds / 60, "min", seconds % 60, "s"),
        3600..172_800 => two(seconds / 3600, "h", seconds % 3600 / 60, "min"),
        _ => two(seconds / 86_400, "d", seconds % 86_400 / 3600, "h"),
    }
}

/// The same for a narrow column: `0:07`, `3:05`, `1:02:00`.
pub fn stopwatch(ms: u64) -> String {
    let (minutes, seconds) = (ms / 60_000, ms / 1000 % 60);
    match minutes / 60 {
        0 => format!("{minutes}:{seconds:02}"),
        hours => format!("{hours}:{:02}:{seconds:02}", minutes % 60),
    }
}

/// `3 min 5 s`, and `3 min` for `3 min 0 s`.
fn two(large: u64, unit: &str, small: u64, small_unit: &str) -> String {
    if small == 0 { format!("{large} {unit}") } else { format!("{large} {unit} {small} {small_unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_spans_read_well() {
        assert_eq!(iso(1_795_167_000_500), "2026-11-20T09:30:00Z");
        assert_eq!(iso(u64::MAX), "");
        assert_eq!([day(1_795_167_000_500), day(u64::MAX)], ["2026-11-20", ""]);
        assert_eq!([time_of_day(1_795_167_000_500), time_of_day(u64::MAX)], ["09:30:00 UTC", ""]);
        let spans = [7_900, 120_000, 185_000, 3_720_000, 172_799_999, 183_600_000].map(span);
        assert_eq!([7_900, 185_000, 3_720_000].map(stopwatch), ["0:07", "3:05", "1:02:00"]);
        assert_eq!(spans, ["7 s", "2 min", "3 min 5 s", "1 h 2 min", "47 h 59 min", "2 d 3 h"]);
    }
}
