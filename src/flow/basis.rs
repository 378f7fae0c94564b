//! What a plan is made from in addition to its goal, and has to answer: a ranked design, or the findings of a validation.

use super::chosen::{Chosen, ChosenComponent, Concern};
use super::fix::Fix;
use super::plan::Requirement;
use super::protocol::Opening;

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Basis<'a> {
    /// A ranked design.
    Design(&'a Chosen),
    /// The findings of a validation.
    Fix(&'a Fix),
}

impl<'a> Basis<'a> {
    /// What the plan has to implement or leave out.
    pub(super) fn requirements(self) -> &'a [Requirement] {
        match self {
            Self::Design(chosen) => &chosen.requirements,
            Self::Fix(fix) => &fix.faults,
        }
    }

    /// The components of the design, which it has to implement or leave out as well.
    pub(super) fn components(self) -> &'a [ChosenComponent] {
        match self {
            Self::Design(chosen) => &chosen.components,
            Self::Fix(_) => &[],
        }
    }

    /// What the plan has to comment on.
    pub(super) fn concerns(self) -> &'a [Concern] {
        match self {
            Self::Design(chosen) => &chosen.concerns,
            Self::Fix(_) => &[],
        }
    }
}

impl Opening {
    /// What the plan is made from; `None` when there is only the goal.
    pub(super) fn basis(&self) -> Option<Basis<'_>> {
        let design = self.from.as_deref().map(Basis::Design);
        design.or_else(|| self.fix.as_deref().map(Basis::Fix))
    }
}
