//! A run's page, from its files on disk.

use crate::design_lab::workflow::Run;
use crate::shared::named_text::NamedText;
use kernel::problem::Problem;
use kernel::run::Durable as _;

/// The page as the run would have written it; for a run that isn't over, the page on its current state.
pub fn report(journal: &NamedText) -> Result<String, Problem> {
    let (run, _) = Run::replay(&journal.text).map_err(|problem| journal.place(problem))?;
    run.page()
}
