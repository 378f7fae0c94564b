//! The command line's work that needs neither a model nor a host: ranking scores from anywhere, making a run's page, and checking
//! files.

mod code;
mod rank;
mod report;
mod shape;
mod validate;

pub use code::CliCode;
pub use rank::{RankInput, Ranked, rank};
pub use report::report;
pub use validate::{Kind, recognise, validate};
