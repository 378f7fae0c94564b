//! A race: several lanes build the same contract, and observed results decide which of them is better.
//!
//! | module | job |
//! |---|---|
//! | [`verdict`] | the decision, from what each test file showed on each lane |
//! | `sentence` | the verdict for people |

mod sentence;
pub mod verdict;
