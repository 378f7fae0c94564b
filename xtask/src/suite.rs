//! Which tests run: those of every change, or all.

/// How much is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suite {
    /// What every change has to pass.
    Ordinary,
    /// The same, sweeps and repetitions: every night, and before a release.
    Long,
}

/// The option of `test` for the long suite.
pub(crate) const LONG: &str = "--long";

/// The suite that the first argument names, and the steps behind it.
pub(crate) fn of<'a, 'n>(arguments: &'a [&'n str]) -> (Suite, &'a [&'n str]) {
    match arguments {
        [LONG, names @ ..] => (Suite::Long, names),
        names => (Suite::Ordinary, names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_suite_is_asked_for_before_the_steps() {
        assert_eq!(of(&[]), (Suite::Ordinary, [].as_slice()));
        assert_eq!(of(&["e2e"]), (Suite::Ordinary, ["e2e"].as_slice()));
        assert_eq!(of(&[LONG]), (Suite::Long, [].as_slice()));
        assert_eq!(of(&[LONG, "e2e"]), (Suite::Long, ["e2e"].as_slice()));
    }
}
