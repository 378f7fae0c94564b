//! What models are asked.
