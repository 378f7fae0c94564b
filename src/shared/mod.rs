//! What every workflow may use; it depends on no workflow and no host.
//!
//! | module | job |
//! |---|---|
//! | [`BoundaryCode`] | the codes of faults between the core and its shell |
//! | [`extraction`] | a model's text → the JSON object that it intended |
//! | [`disk`] | what a failed file operation means for the user |
//! | [`ci`] | what a run shows, for build servers |
//! | `citation` | the places in the project that an answer cites, and whether they exist |
//! | `commented` | JSON with comments, for people |
//! | `delimited` | comma- and semicolon-separated tables, with the place of each field |
//! | [`expected`] | the expected cost of work, next to what it took |
//! | `figures` | numbers for people |
//! | `form` | the form of an answer, as a type |
//! | `groups` | how many criteria a model judges in one answer |
//! | `page` | the frame and the style of pages, and foreign text in them |
//! | [`listed`] | lists of runs |
//! | `markdown` | foreign text in Markdown |
//! | [`panel`] | the rows of a panel next to the chat |
//! | `prices` | the prices of models, and whether a cap in dollars can be enforced |
//! | [`ran`], [`runners`] | the result of a command, and what its output shows about tests |
//! | [`reader`] | the reader of a command's output |
//! | `runner` | the test runner that a command is |
//! | `reply` | the judgement of an answer that should be one object, and the prompts that ask again |
//! | `tier` | how much weight a statement carries |
//! | `template` | the blanks of a prompt filled in, and text between fences |
//! | `schema` | values checked against the schemas, with a problem for each fault |
//! | `trust` | the option by which a user trusts a run that may come from elsewhere |
//! | `typed_hash` | approval by the hash of what was shown |
//! | `spelled` | commands for people |
//! | `capped` | text cut to a length |
//! | [`named_text`] | a text and its source |
//! | `wrapped` | text wrapped for the chat |
//! | [`vendor`](mod@vendor) | the vendor of a model |

mod boundary;
pub(crate) mod capped;
pub mod ci;
pub(crate) mod citation;
pub(crate) mod commented;
pub(crate) mod delimited;
pub mod disk;
pub mod expected;
pub mod extraction;
pub(crate) mod figures;
pub(crate) mod form;
pub(crate) mod groups;
pub mod listed;
pub(crate) mod markdown;
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
pub(crate) mod typed_hash;
pub mod vendor;
pub(crate) mod wrapped;

pub use boundary::BoundaryCode;
pub use delimited::CsvCode;
pub use reply::{AnswerCode, Rules};
