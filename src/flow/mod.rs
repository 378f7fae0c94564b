//! Builds what the user chose, with gates that a model can't talk its way through.
//!
//! The invariant: a feature is complete only when its checks were seen to pass, and a session other than its author's approved
//! exactly the state that the files have at the end. A claim is never a transition: a model's answer is kept and judged, but what
//! the shell saw decides which state follows.
//!
//! A session rests between the user's commands. It stays one run of the [`kernel`] all the time: at the end of each command it
//! enters `Phase::Resting` and ends in this process with `finish`, as a run does. The next command is a separate event (`revised`,
//! `approved`, `started`) on the same journal, which wakes it; any process can replay the journal and send it. The kernel's
//! `resumed` continues a command that a crash or the user interrupted: conversations are recovered, and effects without an answer
//! start again. No other command is accepted until it is finished.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | how a session opens, what happens in one, its effects |
//! | `tree` | the name of a state of the files |
//! | [`command`], [`opening`] | what the user typed, and how it becomes the first event |
//! | [`chosen`] | a ranked design that is built |
//! | [`fix`] | what a validation found and a session fixes |
//! | `basis` | either of the two, as the basis of a plan |
//! | [`plan`], `cannot_fail`, `coverage` | what a planner returns; checks that can't fail; requirements that the plan doesn't answer |
//! | `approval` | the hash of a plan |
//! | [`forecast`] | the expected cost of a command, and whether the user is asked first |
//! | `requests` | which commands the user may give now |
//! | [`foreign`] | a session that another machine may have written to |
//! | [`leave`] | the user's rules for shell commands, and the permission that an approval gives |
//! | `taken_over` | a session that the user takes over |
//! | `select`, `reset` | narrowing a draft; taking a feature back and archiving a session |
//! | [`stored`] | which of the stored sessions the user means |
//! | `session` | the state, and the kernel's interface to it |
//! | `build` | one feature from its worker to *completed* or *blocked* |
//! | `step` | the steps, each with what exists only in it |
//! | `copies` | the steps that run in copies of the project's files |
//! | [`clean_room`] | the environment of the commands that run there |
//! | [`above`] | files above a copy, where tools look for their settings |
//! | [`links`] | what git ignores and copies get through a link |
//! | `kept_behaviour` | features that change no behaviour |
//! | `lane` | a copy of the project in which workers work instead, and how its result is taken |
//! | [`race`] | several lanes that build the same contract, and which of them is better |
//! | `gate` | whether everything is present that completes a feature |
//! | `reached` | how far a feature has come, with its proof or the reason why it is blocked |
//! | `automatic` | continuing without asking the user |
//! | [`report`], [`review`], `answer` | the answers of workers and reviewers, and their worth |
//! | `review_parts` | a review that judges its criteria group by group |
//! | [`feedback`] | what the user says once, and later changes are held to |
//! | `held` | the rules that a session holds its models to |
//! | [`evidence`], `apart` | the results of a check, here and in copies, and their worth |
//! | `named_tests` | which changed files are a feature's tests, as runners name them |
//! | [`test_files`] | which files hold tests, and how many |
//! | [`test_settings`] | what decides how tests run, apart from the tests |
//! | `ledger` | what each check showed of the tests before a feature, and what it shows now |
//! | [`mutants`], `source_code` | a feature's files with one small fault each; which parts of a source are code |
//! | `mutation` | whether the checks notice such faults |
//! | [`mutator_report`] | the report of the user's mutation testing tool |
//! | [`git_record`] | what git has on record apart from the files |
//! | `instructions` | files that instruct models |
//! | [`guard`] | what the sessions of Flow's models may do |
//! | [`recovery`], `code` | refusals and stops, each with a way to continue |
//! | `files`, [`status`], `history`, `page`, `panel` | what people and programs see |
//! | [`live`], `ended`, `changes` | the current activity; how the latest feature ended; what a new draft changed |
//! | [`prompts`] | the wording of the prompts |
//! | [`pull_request`] | a pull request for a completed session |
//! | `ci` | what a session shows, for build servers and pull requests |
//! | [`verify`] | whether the files match the journal, and what the checks show when they are repeated |
//! | `run` | a session as its shell sees it |

pub mod above;
mod answer;
mod apart;
mod approval;
mod automatic;
mod basis;
mod build;
mod cannot_fail;
mod changes;
pub mod chosen;
mod ci;
pub mod clean_room;
mod code;
pub mod command;
mod copies;
mod coverage;
mod ended;
pub mod evidence;
pub mod exam;
mod examining;
pub mod feedback;
mod files;
pub mod fix;
pub mod forecast;
pub mod foreign;
mod gate;
pub mod git_record;
pub mod guard;
mod held;
mod history;
mod instructions;
mod kept_behaviour;
mod lane;
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
pub mod pull_request;
pub mod race;
mod reached;
pub mod recovery;
pub mod report;
mod requests;
mod reset;
pub mod review;
mod review_parts;
mod run;
mod schema;
mod select;
mod session;
mod source_code;
pub mod status;
mod step;
pub mod stored;
mod taken_over;
pub mod test_files;
pub mod test_settings;
#[cfg(test)]
pub(crate) mod tests;
mod tree;
pub mod verify;

pub use apart::{kept_back, setup_failed};
pub use code::FlowCode;
pub use lane::{NO_LANES_HERE, lane_closed, lane_gone, race_closed};
pub use run::{Run, SessionFacts, Summary, VERBS};
