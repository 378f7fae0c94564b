//! A race: several lanes build the same plan, each in a session of its own, and what they built decides.
//!
//! ```text
//! plan → approved → a base tree → lanes, two at a time → frozen → visible checks → exam → verdict → the user takes one
//!                                                                                  ↓ decides nothing ↑
//!                                                                               cross-examination
//! ```
//!
//! The session of the race plans, examines and compares, and builds nothing itself. A lane is a session whose opening carries the
//! plan and its approval, so it has every gate of a session, and continues after a crash like one.
//!
//! The invariants: every lane is made from one tree; the exam is written once no lane can change any more, by a model that has
//! seen none of them; a lane is taken only with the tree that was compared.
//!
//! | module | job |
//! |---|---|
//! | `command` | the arguments of `/flow-race`, and how a race begins |
//! | `entrants` | who races |
//! | `running` | the steps |
//! | `lanes` | the session of a lane |
//! | `examined`, `crossed` | the exam, and the cross-examination |
//! | [`verdict`], `sentence` | the decision, from what each test file showed on each lane; the same for people |
//! | `told` | what people read |

mod command;
mod crossed;
mod entrants;
mod examined;
mod lanes;
mod running;
mod sentence;
mod told;
pub mod verdict;

pub use command::{LANES, RaceCommand, begin_race, race_command, racing};
pub use entrants::{Entrant, LaneFacts, LaneOf};
pub(super) use examined::TESTS;
pub(super) use lanes::settings_of_lane;
pub use lanes::{LaneToTake, session_of_lane};
pub(super) use running::Race;
pub(super) use told::Shown;
