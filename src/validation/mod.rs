//! Proving that the built thing runs.
//!
//! The invariant: a verdict is evidence that could have come out otherwise. No model says that something works: a criterion is *met*
//! only by a test that names it, ran against the running application, asserted something, passed each time, and failed when a
//! counterfeit stood in the application's place. What is missing makes it *untested*, never met.
//!
//! ```text
//! verify → flow_analyze → gap_gate ─┬─ stop | generate-fix-plan ───────────────────────────────────────┐
//!                                   └─ no gaps | force-test → test_prep → checks → servers_start →     │
//!                                      test_execute → negative_control → safe_teardown → final_report ←┘
//! ```
//!
//! It is one run of the [`kernel`]. Every failure is recorded, and the run continues to its teardown and its report; the user's cancel
//! and the budget lead there, too. Where it waits for the user it rests, for days if need be: any process can replay its
//! journal and take the decision. Only what the user types decides about gaps, and only what was shown is allowed to run.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | how a run is opened, what happens in one, its effects |
//! | [`settings`] | `.opencode/validation.jsonc` |
//! | [`servers`], [`starter`] | which servers a project seems to have; a first `.opencode/validation.jsonc` with them |
//! | [`install`] | Playwright Test for a project that has none, with the user's leave |
//! | [`check`] | what is wrong with the settings and with this machine |
//! | [`subject`], [`opening`] | what is validated; from that to the first event |
//! | [`forecast`] | what a run is expected to cost, and the question above a limit |
//! | `stage` | the stages, and what is on record of each |
//! | `session` | the state, what the kernel asks of it, and the one door from stage to stage |
//! | `steps` | what follows from an effect's answer |
//! | [`verification`], [`analysis`], [`suite`], `answer` | what models return, and what an answer is worth |
//! | `own` | the project's own tests |
//! | `verdict`, `checks`, `sight` | what was seen of the tests, of commands and of pages, and what that is worth |
//! | `crash` | what a server's end means for the test under way, and that it means nothing for others |
//! | `reason`, `failure` | why a test failed, in a line; what there was instead |
//! | `versions` | that all passes ran on the same files |
//! | `files`, `report`, [`page`], [`status`], `panel` | what people and programs see |
//! | [`repeat`] | the tests of an earlier run, repeated without a model or kept as the project's own |
//! | [`live`] | what is changed of the running application, so that assertions have to fail |
//! | [`left`] | what runs have left running that nobody works on |
//! | [`verify`] | whether what lies there is what a run's journal says |
//! | [`foreign`] | runs that this machine did not write |
//! | [`stored`] | which of the stored runs the user means |
//! | [`to_fix`] | what a run found that is to be fixed, handed over to Flow |
//! | [`prompts`], `schema` | the words that models are asked with, and the form of their answers |
//! | `code` | the codes of refusals and of faults in answers |
//! | `run` | a run as its shell sees it |

pub mod analysis;
mod answer;
pub mod check;
mod checks;
mod code;
mod crash;
mod failure;
mod files;
pub mod forecast;
pub mod foreign;
pub mod install;
pub mod left;
pub mod live;
pub mod opening;
mod own;
pub mod page;
mod panel;
pub mod prompts;
pub mod protocol;
mod reason;
pub mod repeat;
mod report;
mod run;
mod schema;
pub mod servers;
mod session;
pub mod settings;
mod sight;
mod stage;
pub mod starter;
pub mod status;
mod steps;
pub mod stored;
pub mod subject;
pub mod suite;
#[cfg(test)]
pub(crate) mod tests;
pub mod to_fix;
mod verdict;
pub mod verification;
pub mod verify;
mod versions;

pub use code::ValidationCode;
pub use run::{Run, RunFacts, Summary, VERBS, no_run};
