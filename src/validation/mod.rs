//! Proving that what was built runs.
//!
//! The invariant: a verdict is evidence that could have come out otherwise. No model decides that something works: a criterion is
//! *met* only by a test that names it, ran against the running application, asserted something, passed each time, and failed when a
//! counterfeit replaced the application. If any of this is missing, the criterion is *untested*, never met.
//!
//! ```text
//! verify → flow_analyze → gap_gate ─┬─ stop | generate-fix-plan ───────────────────────────────────────┐
//!                                   └─ no gaps | force-test → test_prep → checks → servers_start →     │
//!                                      test_execute → negative_control → safe_teardown → final_report ←┘
//! ```
//!
//! It is one run of the [`kernel`]. Every failure is recorded, and the run continues to its teardown and its report; so it does
//! after the user's cancel and when the budget is used up. When it waits for the user it rests, for days if need be: any process can
//! replay its journal and take the decision. Only the user decides about gaps, and only commands that were shown may run.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | how a run is opened, its events, its effects |
//! | [`settings`] | `.opencode/validation.jsonc` |
//! | [`servers`], [`starter`] | which servers a project seems to have; a first `.opencode/validation.jsonc` with them |
//! | [`install`] | Playwright Test for a project that has none, with the user's approval |
//! | [`check`] | what is wrong with the settings and with this machine |
//! | [`subject`], [`opening`] | what is validated; from that to the first event |
//! | [`forecast`] | the expected cost of a run, and the question above a limit |
//! | `stage` | the stages, and the record of each |
//! | `session` | the state, what the kernel needs from it, and the one door from stage to stage |
//! | `steps` | what follows from an effect's answer |
//! | [`verification`], [`analysis`], [`suite`], `answer` | what models return, and whether an answer is accepted |
//! | `own` | the project's own tests |
//! | `verdict`, `checks`, `sight` | the results of tests, of commands and of pages, and what they prove |
//! | `acts` | what a test does, by the titles of its steps |
//! | `evasion` | how a test tests something other than the application |
//! | `page_code` | whether code that a test runs in a page only reads |
//! | `property` | fast-check: its seed, and what its message about a rule says |
//! | `crash` | what a server's end means for the running test, and that it means nothing for others |
//! | `reason`, `failure` | why a test failed, in a line; what the page showed instead |
//! | `versions` | that all passes ran on the same files |
//! | `files`, `report`, [`page`], [`status`], `panel` | what people and programs see |
//! | [`repeat`] | the tests of an earlier run, repeated without a model or kept as the project's own |
//! | [`before`] | the run before on the same subject, and what its failed tests saw |
//! | [`live`] | what is changed in the running application, so that assertions have to fail |
//! | `fitting` | which of these changes is the likeliest to make an assertion of a test fail |
//! | `patience` | how long tests wait against a counterfeit |
//! | [`left`] | what abandoned runs have left running |
//! | `ci` | what a run shows, for build servers |
//! | [`verify`] | whether the files on disk match a run's journal |
//! | [`foreign`], `taken_over` | runs that this machine did not write, and what taking one over means |
//! | [`stored`] | which of the stored runs the user means |
//! | [`to_fix`] | a run's findings that need fixing, handed over to Flow |
//! | [`prompts`], `schema` | the prompts for models, and the schemas of their answers |
//! | `code` | the codes of refusals and of faults in answers |
//! | `run` | a run as its shell sees it |

mod acts;
pub mod analysis;
mod answer;
pub mod before;
pub mod check;
mod checks;
mod ci;
mod code;
mod crash;
mod evasion;
mod failure;
mod files;
mod fitting;
pub mod forecast;
pub mod foreign;
pub mod install;
pub mod left;
pub mod live;
pub mod opening;
mod own;
pub mod page;
mod page_code;
mod panel;
mod patience;
pub mod prompts;
mod property;
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
mod taken_over;
#[cfg(test)]
pub(crate) mod tests;
pub mod to_fix;
mod tokens;
mod verdict;
pub mod verification;
pub mod verify;
mod versions;

pub use code::ValidationCode;
pub use run::{Run, RunFacts, Summary, VERBS, no_run};
#[cfg(test)]
pub use verdict::Counts;
