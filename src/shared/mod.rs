//! What every room may use: it knows no workflow and no host.
//!
//! | module | job |
//! |---|---|
//! | [`BoundaryCode`] | the codes of what goes wrong between the core and its shell |
//! | [`extraction`] | a model's text → the JSON object that was meant |
//! | [`disk`] | what a file operation that failed means for the user |
//! | `citation` | where an answer points to in the project, and whether that is there |
//! | `commented` | JSON with comments, as people are handed it |
//! | `delimited` | comma- and semicolon-separated tables, with the place of each field |
//! | [`expected`] | what work is expected to cost, and beside it what it took |
//! | `figures` | numbers as people read them |
//! | `form` | the form of an answer, as a type |
//! | `page` | the frame and the style of pages, and foreign text in them |
//! | [`listed`] | lists of runs |
//! | [`panel`] | the rows of a panel beside the chat |
//! | `prices` | what models cost, and whether a cap in dollars can hold |
//! | [`ran`], [`runners`] | how a command went, and what its output shows about tests |
//! | [`reader`] | who reads what a command says |
//! | `runner` | which runner of tests a command is |
//! | `reply` | what a model's answer is worth where one object was asked for, and the prompts that ask again |
//! | `tier` | how much weight a statement carries |
//! | `template` | the blanks of a prompt filled in, and text between fences |
//! | `schema` | values against the schemas, with a problem for each fault |
//! | `trust` | the word by which a user takes over what somebody else may have written |
//! | `spelled` | commands as people read them |
//! | `capped` | text cut to a length |
//! | [`named_text`] | a text and where it comes from |
//! | `wrapped` | text wrapped for the chat |
//! | [`vendor`](mod@vendor) | which vendor made a model |

mod boundary;
pub(crate) mod capped;
pub(crate) mod citation;
pub(crate) mod commented;
pub(crate) mod delimited;
pub mod disk;
pub mod expected;
pub mod extraction;
pub(crate) mod figures;
pub(crate) mod form;
pub mod listed;
pub mod named_text;
pub(crate) mod page;
pub mod panel;
pub(crate) mod prices;
pub mod ran;
pub mod reader;
pub(crate) mod reply;
pub(crate) mod runner;
pub mod runners;
pub(crate) mod schema;
pub(crate) mod spelled;
pub(crate) mod template;
pub(crate) mod tier;
pub(crate) mod trust;
pub mod vendor;
pub(crate) mod wrapped;

pub use boundary::BoundaryCode;
pub use delimited::CsvCode;
pub use reply::{AnswerCode, Rules};
