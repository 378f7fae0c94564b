//! From scores to a ranking that says how sure it is.
