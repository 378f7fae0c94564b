//! The core of Design Lab: every decision, no effect.
//!
//! A run is a state machine ([`design_lab::workflow`], driven by the [`kernel`]): a shell feeds it *events*, appends each to the
//! journal before it is applied, and carries out the *commands* that it returns. Nothing here reads a file, a clock, an
//! environment variable or a random source; time and seed arrive as data. So a whole run, faults included, is a list of events,
//! and resuming is replaying that list.
//!
//! | module | content |
//! |---|---|
//! | the crate [`kernel`] | the base of every workflow: journal, calls, budget, the index of runs; knows no workflow and no host |
//! | [`design_lab`] | choosing a design |
//! | [`flow`] | building the chosen design |
//! | [`validation`] | proving that it runs |
//! | [`opencode`] | the facts about OpenCode 1 |
//! | [`boundary`] | every call from JavaScript into the core |
//! | [`cli`] | the command line's work without a host |
//! | [`shared`] | code that all of them may use |

pub mod boundary;
pub mod cli;
#[cfg(test)]
mod codegen;
pub mod design_lab;
pub mod flow;
pub mod opencode;
pub mod shared;
pub mod validation;

pub use design_lab_numerics::random;
