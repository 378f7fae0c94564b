//! What Design Lab says and decides, as tables, golden files and laws: one module per subject, with its data in the folder beside it.

mod anonymity;
mod artefacts;
mod common;
mod config;
mod doctor;
mod isolation;
mod journals;
mod page;
mod panel;
mod ranking;
mod ranking_laws;
mod ranking_pairs;
mod ranking_published;
mod ranking_rows;
mod report;
mod starter;
