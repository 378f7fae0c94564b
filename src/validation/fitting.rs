//! The lie that fits a test: the one that is the likeliest to make one of its assertions fail, by what it did against the application.
//!
//! It only saves passes: a test that it doesn't settle meets the other lies as well, and what counts as settled is decided in
//! verdict.rs, for any order.

use super::acts::{before_acting, on_page, writes};
use super::live::{FITTING, Lie};
use super::protocol::TestSeen;

/// The lie that a test meets in a pass of the live counterfeit. `test`: its result in the first pass against the application.
pub(super) fn lie_in(pass: u32, test: &TestSeen) -> Option<Lie> {
    if pass == FITTING { Some(fitting(test)) } else { Lie::of(pass) }
}

/// The lie that fits a test.
///
/// - A test that acts on the page has to find what it acts on, so names stay. Its last assertions are about words, or about what
///   became of the action: [`Lie::Both`] changes both.
/// - If it first writes by a request of its own, it looks for what it wrote, in words that have to stay: [`Lie::Deaf`].
/// - A test that only looks needs no name, so [`Lie::Names`], which changes the most, reaches more assertions than [`Lie::Words`]. Under
///   it, only assertions after the last action count. So a test that asserts something earlier meets [`Lie::Words`].
pub(super) fn fitting(test: &TestSeen) -> Lie {
    let last = on_page(test).last();
    match last {
        Some(last) if writes(test).any(|write| write < last) => Lie::Deaf,
        Some(_) => Lie::Both,
        None if before_acting(test) > 0 => Lie::Words,
        None => Lie::Names,
    }
}

#[cfg(test)]
mod tests {
    use super::super::protocol::{StepKind, TrailStep};
    use super::super::tests::test_seen;
    use super::*;

    #[test]
    fn what_a_test_does_decides_which_lie_it_meets_first() {
        for (steps, lie) in [
            ("Navigate Expect", Lie::Names),
            ("GET Expect", Lie::Names),
            ("Expect", Lie::Names),
            ("Navigate Expect Navigate Expect", Lie::Words),
            ("POST Expect GET Expect", Lie::Words),
            ("POST Navigate Expect", Lie::Names),
            ("Navigate Click Expect", Lie::Both),
            ("Navigate Expect Fill Click Expect", Lie::Both),
            ("Navigate Check Reload Expect", Lie::Both),
            ("POST Navigate Click Expect", Lie::Deaf),
            ("apiRequestContext.post page.goto locator.click Expect", Lie::Deaf),
            ("Navigate Click POST Expect", Lie::Both),
        ] {
            let step = |title: &str| TrailStep {
                kind: if title == "Expect" { StepKind::Expect } else { StepKind::Call },
                title: title.to_owned(),
                error: String::new(),
            };
            let trail = Some(steps.split(' ').map(step).collect());
            let test = TestSeen { trail, ..test_seen("a", "@C1") };
            assert_eq!(fitting(&test), lie, "{steps}");
            assert_eq!(lie_in(0, &test), Some(lie));
            assert_eq!(lie_in(4, &test), Some(Lie::Elsewhere));
        }
    }
}
