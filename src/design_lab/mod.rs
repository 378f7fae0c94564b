//! Choosing a design: models write designs in isolation, models review them blind, and code ranks them.
//!
//! The invariant: until the ranking is complete, no reviewer learns who wrote a design, and no designer sees another's.
//!
//! How a run passes through the modules:
//!
//! | module | job |
//! |---|---|
//! | [`attachments`] | the user's attachments → the parts that belong to the task |
//! | [`config`] | four sources → one effective [`config::Config`] |
//! | [`workflow`] | which model is asked what, and when |
//! | [`prompts`] | the texts of the requests to models |
//! | [`isolation`] | what a designer's or reviewer's tool call may access |
//! | [`artefacts`] | task, design, review, score: types and their schemas |
//! | [`claims`] | what designs state about the project, and whether it is true |
//! | [`images`] | bytes → the type of the image, if a task may have it |
//! | [`ids`] | the ids of designs, and their labels for reviewers |
//! | [`anonymity`] | orders, labels and scrubbing for blind review |
//! | [`human_review`] | reviews by people: the texts to read, the form to fill in, and parsing it |
//! | [`ranking`] | scores → ranks, intervals, agreement, bias, verdict |
//! | [`history`] | all runs of a project → which models design well, how reviewers judge, what runs cost |
//! | [`report`] | Markdown, HTML, CSV, and the live message in the chat |
//! | [`doctor`] | findings on this machine → what is wrong, and how to fix it |
//! | `schema` | the schemas of the documents that users and models write |

pub mod anonymity;
pub mod artefacts;
pub mod attachments;
pub mod claims;
pub mod config;
pub mod doctor;
pub mod history;
pub mod human_review;
pub mod ids;
pub mod images;
pub mod isolation;
pub mod prompts;
pub mod ranking;
pub mod report;
pub(crate) mod schema;
pub mod workflow;

pub use schema::{DocumentCode, DocumentKind, Fault};
