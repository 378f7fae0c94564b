//! The core's hot code, in a separate crate: the rest of the core is compiled for size, this crate for speed.
//!
//! Floats use only `+ − × ÷ √` and the `libm` crate, in a fixed order of summation, so that every platform gives the same bits.

pub mod chances;
pub mod compared;
pub mod descriptive;
pub mod exact;
pub mod linear;
pub mod model;
pub mod pairwise;
pub mod random;
pub mod sorting;
pub mod tastes;
