//! Where the core's time goes, in a crate of its own: the rest of the core is compiled for size, this for speed.
//!
//! Only `+ − × ÷ √` and the `libm` crate are used on floats, in a fixed order of summation, so that every platform gives the same bits.

pub mod chances;
pub mod descriptive;
pub mod linear;
pub mod model;
pub mod pairwise;
pub mod random;
pub mod sorting;
