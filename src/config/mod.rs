//! Configuration: four sources merged and parsed once into a [`Config`] that can't be wrong.

mod model;

pub use model::{
    Budget, Config, Criteria, Dimension, Isolation, ModelEntry, Retries, Review, ReviewMode, ReviewerEntry,
    ScoringCriteria, Timeouts,
};
