//! What a plan is made from beside its goal, and has to answer for: a ranked design, or what a validation found.

use super::chosen::{Chosen, ChosenComponent, Concern};
use super::fix::Fix;
use super::plan::Requirement;
use super::protocol::Opening;

/// What a plan is made from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Basis<'a> {
    /// A ranked design.
    Design(&'a Chosen),
    /// What a validation found.
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

    /// The parts of the design, which it has to implement or leave out, too.
    pub(super) fn components(self) -> &'a [ChosenComponent] {
        match self {
            Self::Design(chosen) => &chosen.components,
            Self::Fix(_) => &[],
        }
    }

    /// What it has to say something about.
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
