//! The run as a state machine: events in, commands out.
//!
//! [`protocol`] defines the messages between shell and core, and the one rule that makes a run durable.
//! [`Run`] is the machine; [`begin`] turns what the user typed and configured into its first event.
//! [`Run::follow_up`] does the same for a run that builds upon another: reviewed again, refined, merged.
//!
//! The [`kernel`] drives it, and `state` is what the kernel drives. The other modules:
//!
//! | module | job |
//! |---|---|
//! | `admission` | what a journal may contain |
//! | `plan`, `parent`, `follow_up` | which model gets which job; what a run may be built upon |
//! | `candidate` | the user's own designs |
//! | `shown_images` | which models see the images of the task, and which only learn that there are some |
//! | `without_tools`, `brief` | models that can't call tools: which ones don't see the project, and the digest of it that they may get
//! |
//! | `phases` | from setup to designs, reviews and the ranking |
//! | `job`, `job_name`, `question`, `answer` | a conversation with one model: its id, what it asks, and how a reply is judged |
//! | `close_pair`, `close_request` | after scores, the first two designs are compared as well if they are close; the same on request |
//! | `rubric` | the rubric for the task, drafted by a model and approved by the user |
//! | `comparison`, `until_clear` | pairwise mode; only the comparisons that matter, until the first place is clear |
//! | `resume`, `reconfigured`, `rerank` | continuing in a new process, under another configuration, with other scores |
//! | `foreign` | continuing a run that wasn't started on this machine |
//! | `added` | reviewers who join once a run is ranked, and what they changed |
//! | `map` | where all designs agree and differ: by which model, when, and what happens to it |
//! | `offers` | what may settle a ranking that is too close to call, and what each way is expected to cost |
//! | `amend` | changing the set of designs before it is reviewed |
//! | `human_review` | the forms for human reviewers |
//! | `budget`, `forecast` | what a cap can't count, and when a run waits for the user's yes; a run's calls and expected cost |
//! | `handover`, `decision` | a ranked design for its builder, and the decision for a project's records |
//! | `outcome` | how a design turned out, recorded by a person |
//! | `results`, `overview` | the files, and the view of the run for people |
//! | `run_index`, `past` | which run the user means; a run's part in the history of all runs |
//! | `code` | the codes of this workflow's problems |

mod added;
mod admission;
mod amend;
mod answer;
mod brief;
mod budget;
mod candidate;
mod close_pair;
mod close_request;
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
mod map;
mod offers;
mod opening;
mod outcome;
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
mod rubric;
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
pub use close_request::CloseRequest;
pub use code::WorkflowCode;
pub use decision::DecisionRequest;
pub use follow_up::{FollowUp, Wanted, wanted};
pub use forecast::{CloseCalls, Forecast, asks_for_forecast, expected, foreseen, priced, wording};
pub use handover::{Handover, Taker, ToBuild, numbered, to_build};
pub use human_review::{HumanReviewForm, HumanReviewRequest};
pub use kernel::index::{Owner, begun};
pub use kernel::protocol::{CallFailure, JobId, ModelFacts, Outcome, Reply, Spending, Tone};
pub use kernel::reason::Reason;
pub use map::{MapRequest, Mapping};
pub(crate) use opening::void_cap;
pub use opening::{DRY_RUN, OpeningInput, begin, own_designs};
pub use outcome::{OUTCOME, OutcomeRequest};
pub use parent::{EarlierDesign, Feedback, Parent, Step};
pub use past::{asks_for_history, history};
pub use protocol::{
    Amendment, Ask, Command, Decision, Event, EventKind, HumanReview, HumanScore, HumanVerdict, Opening,
    Presented, Reconfiguration, Rerank, Role, TaskRubric,
};
pub use rerank::RerankInput;
pub use run::{Resumption, Run};
pub use run_index::{
    Found, GivenRubric, Purpose, ResumeRequest, RunFacts, Summary, VERBS, choose, list, refuse_twin,
    review_within,
};
