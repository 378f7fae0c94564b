//! The run as a state machine: events in, commands out.
//!
//! [`protocol`] says what shell and core tell one another, and the one rule that makes a run durable.
//! [`Run`] is the machine; [`begin`] turns what the user typed and configured into its first event.
//! [`Run::derive`] does the same for a run that is built upon another: reviewed again, refined, merged.
//! Behind them: `admission` says what a journal may hold, [`state`](self) keeps what is known, `phases` turns from setup to design, review and ranking, `plan` says
//! who is asked for what, `calls` who is asked next, `job` is a conversation with one model, `question` what it asks, `answer`
//! what a reply is worth, `retry` which failures pass, `reason` how they are told, `compaction` when a conversation may be summarised, `budget` the cap, `resume` how a new process goes on, `reconfigured`
//! under another configuration, `basis` and `derive` what a run may be built upon, `human` what people who review are given,
//! `recount` how a run is ranked again, `results` the files, `overview` what people see.

mod admission;
mod answer;
mod basis;
mod beginning;
mod budget;
mod calls;
mod catalogue;
mod compaction;
mod comparison;
mod derive;
#[cfg(test)]
mod durability_tests;
mod human;
mod job;
mod journal;
mod overview;
mod phases;
mod plan;
pub mod protocol;
mod question;
mod reason;
mod reconfigured;
mod recount;
mod refusal;
mod results;
mod resume;
mod retry;
mod run;
mod state;
#[cfg(test)]
mod tests;

pub use basis::{Basis, EarlierDesign, Feedback, Step};
pub use beginning::{Beginning, begin};
pub use catalogue::{
    Carrier, Found, Purpose, ResumeRequest, Summary, choose, locked, not_stopped, refuse_twin,
};
pub use compaction::may_compact;
pub use derive::{Derivation, Wanted, wanted};
pub use human::{FormRequest, HumanForm};
pub use protocol::{
    Ask, CallFailure, Command, Event, EventKind, HumanReview, HumanScore, JobId, ModelFacts, Opening,
    Outcome, Presented, Reconfiguration, Recount, Reply, Role, Spending, Tone,
};
pub use reason::Reason;
pub use recount::Recounting;
pub(crate) use retry::reason as failure_reason;
pub use run::{Resumption, Run};
