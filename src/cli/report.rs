//! The page on a run, from what it left on disk.

use crate::design_lab::workflow::Run;
use crate::shared::named_text::NamedText;
use kernel::problem::Problem;
use kernel::run::Durable as _;

/// The page, as the run would have written it; of a run that isn't over, on what there is so far.
pub fn report(journal: &NamedText) -> Result<String, Problem> {
    let (run, _) = Run::replay(&journal.text).map_err(|problem| journal.place(problem))?;
    run.page()
}
