//! From a model's text to the JSON object that was meant.
