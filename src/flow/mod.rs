//! Building what was chosen, with gates that a model can't talk its way through.
//!
//! The invariant: a feature is complete only when its checks were seen to pass, and another session than its author's approved it,
//! for the very state of the files that is there at the end. A claim is never a transition: what a model answers is kept and
//! judged; which state follows is decided by what the shell saw.
//!
//! A session rests between the user's commands. It is one run of the [`kernel`] all the time: at the end of each command it turns to
//! `Phase::Resting` and ends in this process by `finish`, as a run does. The next command is an event of its own (`revised`,
//! `approved`, `started`) on the same journal, which wakes it; any process can replay the journal and send it. A command
//! that was interrupted, by a crash or by the user, is continued by the kernel's `resumed`: conversations are recovered, and effects
//! without an answer start again. No other command is accepted until it is finished.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | how a session is opened, what happens in one, its effects |
//! | [`command`], [`opening`] | what the user typed; from that to the first event |
//! | [`chosen`] | a ranked design that is built |
//! | [`fix`] | what a validation found, and is fixed |
//! | `basis` | either, as what a plan is made from |
//! | [`plan`], `cannot_fail`, `coverage` | what a planner returns; checks that could never fail; what was asked and isn't answered |
//! | `approval` | the hash of a plan |
//! | [`forecast`] | what a command is expected to cost, and whether the user is asked first |
//! | `requests` | what the user may ask for now |
//! | [`foreign`] | a session that somebody else may have written to |
//! | [`leave`] | the user's rules for shell commands, and the leave that an approval gives |
//! | `select`, `reset` | a draft is narrowed; a feature is taken back, a session archived |
//! | [`stored`] | which of the stored sessions the user means |
//! | `session` | the state, and what the kernel asks of it |
//! | `build` | one feature from its worker to *completed* or *blocked*: the steps |
//! | `copies` | the steps that run in copies of the project's files |
//! | [`clean_room`] | the environment of what runs there |
//! | [`links`] | what git ignores and copies have by a link |
//! | `kept_behaviour` | features that change no behaviour |
//! | `gate` | whether all is there that completes a feature |
//! | `automatic` | going on without asking the user |
//! | [`report`], [`review`], `answer` | what workers and reviewers return, and what an answer is worth |
//! | [`evidence`], `apart` | what was seen of a check, here and in copies, and what that is worth |
//! | `named_tests` | which changed files are a feature's tests, as runners name them |
//! | [`test_files`] | which files hold tests, and how many |
//! | [`test_settings`] | what decides how tests are run, beside the tests |
//! | `ledger` | what each check showed of tests before a feature, and what it shows now |
//! | [`mutants`], `source_code` | a feature's files with one small fault each; what of a source is code |
//! | `mutation` | whether the checks notice such faults |
//! | [`mutator_report`] | what a mutation testing tool of the user's reports about that |
//! | [`git_record`] | what git has on record beside the files |
//! | `instructions` | files that tell models what to do |
//! | [`guard`] | what the sessions of its models may do |
//! | [`recovery`], `code` | refusals and stops, each with the way on |
//! | `files`, [`status`], `history`, `page`, `panel` | what people and programs see |
//! | [`live`], `ended`, `changes` | what is done at this moment; how the latest feature ended; what another draft changed |
//! | [`prompts`] | the words that models are asked with |
//! | [`verify`] | whether the files are what the journal records, and what the checks show when they are repeated |
//! | `run` | a session as its shell sees it |

mod answer;
mod apart;
mod approval;
mod automatic;
mod basis;
mod build;
mod cannot_fail;
mod changes;
pub mod chosen;
pub mod clean_room;
mod code;
pub mod command;
mod copies;
mod coverage;
mod ended;
pub mod evidence;
pub mod exam;
mod examining;
mod files;
pub mod fix;
pub mod forecast;
pub mod foreign;
mod gate;
pub mod git_record;
pub mod guard;
mod history;
mod instructions;
mod kept_behaviour;
pub mod leave;
mod ledger;
pub mod links;
mod live;
pub mod mutants;
mod mutation;
pub mod mutator_report;
mod named_tests;
mod of_feature;
pub mod opening;
mod page;
mod panel;
pub mod plan;
pub mod prompts;
pub mod protocol;
pub mod recovery;
pub mod report;
mod requests;
mod reset;
pub mod review;
mod run;
mod schema;
mod select;
mod session;
mod source_code;
pub mod status;
pub mod stored;
pub mod test_files;
pub mod test_settings;
#[cfg(test)]
pub(crate) mod tests;
pub mod verify;

pub use apart::{kept_back, setup_failed};
pub use code::FlowCode;
pub use run::{Run, SessionFacts, Summary, VERBS};
