//! Choosing a design: models write designs in isolation, models review them blind, code ranks them.
//!
//! The invariant: no reviewer learns who wrote a design, and no designer what another wrote, until the ranking is there.
//!
//! The way of a run through the modules:
//!
//! | module | job |
//! |---|---|
//! | [`attachments`] | what the user attached → what of it is part of the task |
//! | [`config`] | four sources → one effective [`config::Config`] |
//! | [`workflow`] | which model is asked what, when |
//! | [`prompts`] | the words that models are asked with |
//! | [`isolation`] | what a designer's or reviewer's tool call may reach |
//! | [`artefacts`] | task, design, review, score: types and their schemas |
//! | [`images`] | bytes → the image that they are, if a task may have it |
//! | [`ids`] | what designs are called, and what reviewers call them |
//! | [`anonymity`] | orders, labels and scrubbing for blind review |
//! | [`human_review`] | how a person reviews: what to read, what to fill in, and reading it again |
//! | [`ranking`] | scores → ranks, intervals, agreement, bias, verdict |
//! | [`history`] | all runs of a project → who designs well, who judges how, what it costs |
//! | [`report`] | Markdown, HTML, CSV, and the live message in the chat |
//! | [`doctor`] | what was found on this machine → what is wrong, and the remedy |
//! | `schema` | the schemas of what users and models write |

pub mod anonymity;
pub mod artefacts;
pub mod attachments;
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
