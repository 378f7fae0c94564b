//! How long to wait before the next try.

use crate::host::Remedy;
use crate::protocol::{CallFailure, JobId};
use design_lab_numerics::random::Random;

/// The longest pause between two tries that the kernel itself chooses; a provider may ask for up to a call's deadline.
pub const LONGEST_PAUSE_MS: u64 = 60_000;

/// The pause before the second try, before jitter.
const FIRST_PAUSE_MS: u64 = 2_000;

/// Whether trying again could help, but only after a pause that no run makes: longer than a call may take. A provider can ask for
/// a pause of minutes, but not of hours, nor of the years that a broken one asks for.
pub fn is_too_long_a_wait(failure: &CallFailure, remedy: Remedy, call_ms: u64) -> bool {
    let longest = call_ms.max(LONGEST_PAUSE_MS);
    matches!(remedy, Remedy::TryAgain | Remedy::TryAfresh)
        && failure.retry_after_ms.is_some_and(|wait| wait > longest)
}

/// Milliseconds to wait before the try after `tries` failed ones (at least 1): exponential with jitter between half and the
/// whole, drawn from the run's seed, and never less than the provider asked for.
pub(crate) fn pause_ms(failure: &CallFailure, tries: u32, seed: u64, job: &JobId) -> u64 {
    let whole = FIRST_PAUSE_MS.saturating_mul(1 << tries.saturating_sub(1).min(16)).min(LONGEST_PAUSE_MS);
    let jitter = Random::new(seed, &format!("pause {job} {tries}")).below(whole / 2 + 1);
    (whole / 2 + jitter).max(failure.retry_after_ms.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_stay_bounded_and_honour_the_provider() {
        let plain = CallFailure::default();
        let job = JobId::new("design:a");
        for tries in 1..12 {
            let pause = pause_ms(&plain, tries, 1, &job);
            assert!((1_000..=LONGEST_PAUSE_MS).contains(&pause), "{tries}: {pause}");
            assert_eq!(pause, pause_ms(&plain, tries, 1, &job), "the seed decides");
        }
        assert!(pause_ms(&plain, 4, 1, &job) >= 8_000);
        let failure = CallFailure { retry_after_ms: Some(90_000), ..CallFailure::default() };
        assert_eq!(pause_ms(&failure, 1, 1, &job), 90_000);
    }

    #[test]
    fn a_wait_is_too_long_that_is_longer_than_a_call() {
        for (wait, call_ms, too_long) in [
            (60_000, 1_000, false),
            (60_001, 1_000, true),
            (600_000, 600_000, false),
            (600_001, 600_000, true),
            (u64::MAX, 86_400_000, true),
        ] {
            let failure = CallFailure { retry_after_ms: Some(wait), ..CallFailure::default() };
            assert_eq!(is_too_long_a_wait(&failure, Remedy::TryAgain, call_ms), too_long, "{wait} {call_ms}");
            assert!(!is_too_long_a_wait(&failure, Remedy::GiveUp, call_ms), "nobody waits");
        }
    }
}
