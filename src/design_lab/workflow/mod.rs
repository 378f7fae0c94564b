//! The run as a state machine: events in, commands out.
//!
//! [`protocol`] says what shell and core tell one another, and the one rule that makes a run durable.
//! [`Run`] is the machine; [`begin`] turns what the user typed and configured into its first event.
//! [`Run::follow_up`] does the same for a run that is built upon another: reviewed again, refined, merged.
//!
//! The [`kernel`] drives it; `state` is what it drives. Behind that:
//!
//! | module | job |
//! |---|---|
//! | `admission` | what a journal may say |
//! | `plan`, `parent`, `follow_up` | who is asked for what; what a run may be built upon |
//! | `candidate` | designs that the user brings along |
//! | `shown_images` | which models see the images of the task, and which only learn that there are some |
//! | `without_tools`, `brief` | models that can't call tools: who doesn't see the project, and the digest of it that they may get |
//! | `phases` | from setup to designs, reviews and the ranking |
//! | `job`, `job_name`, `question`, `answer` | a conversation with one model: its id, what it asks, and what a reply is worth |
//! | `comparison`, `until_clear` | pairwise mode; only the comparisons that matter, until the first place is clear |
//! | `resume`, `reconfigured`, `rerank` | going on in a new process, under another configuration, with other scores |
//! | `foreign` | continuing a run that wasn't begun on this machine |
//! | `added` | reviewers who join once a run is ranked, and what they changed |
//! | `offers` | what may settle a ranking that is too close to call, with what it is expected to take |
//! | `amend` | changing the set of designs before it is reviewed |
//! | `human_review` | what people who review are given |
//! | `budget`, `forecast` | what a cap can't count, and when a run waits for a yes; what a run will ask and is expected to cost |
//! | `handover`, `decision` | a ranked design for whoever builds it, and the decision for a project's records |
//! | `results`, `overview` | the files, and what people see |
//! | `run_index`, `past` | which run the user means; what a run tells the history of all |
//! | `code` | the codes of this workflow's problems |

mod added;
mod admission;
mod amend;
mod answer;
mod brief;
mod budget;
mod candidate;
mod code;
mod comparison;
mod decision;
#[cfg(test)]
mod durability_tests;
mod follow_up;
mod forecast;
mod foreign;
mod handover;
mod human_review;
mod job;
mod job_name;
mod offers;
mod opening;
mod overview;
mod parent;
mod past;
mod phases;
mod plan;
pub mod protocol;
mod question;
mod reconfigured;
mod rerank;
mod results;
mod resume;
mod run;
mod run_index;
mod shown_images;
mod state;
#[cfg(test)]
mod tests;
mod until_clear;
mod without_tools;

pub use added::Add;
pub use brief::{Brief, files_for_brief, wants_brief};
pub use candidate::{Candidate, NamedFile, OwnFile};
pub use code::WorkflowCode;
pub use decision::DecisionRequest;
pub use follow_up::{FollowUp, Wanted, wanted};
pub use forecast::{Forecast, asks_for_forecast, expected, foreseen, priced, wording};
pub use handover::{Handover, Taker, ToBuild, numbered, to_build};
pub use human_review::{HumanReviewForm, HumanReviewRequest};
pub use kernel::index::{Owner, begun};
pub use kernel::protocol::{CallFailure, JobId, ModelFacts, Outcome, Reply, Spending, Tone};
pub use kernel::reason::Reason;
pub(crate) use opening::void_cap;
pub use opening::{DRY_RUN, OpeningInput, begin, own_designs};
pub use parent::{EarlierDesign, Feedback, Parent, Step};
pub use past::{asks_for_history, history};
pub use protocol::{
    Amendment, Ask, Command, Decision, Event, EventKind, HumanReview, HumanScore, HumanVerdict, Opening,
    Presented, Reconfiguration, Rerank, Role,
};
pub use rerank::RerankInput;
pub use run::{Resumption, Run};
pub use run_index::{
    Found, Purpose, ResumeRequest, RunFacts, Summary, VERBS, choose, list, refuse_twin, review_within,
};
