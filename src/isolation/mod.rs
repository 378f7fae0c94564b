//! What a lab session may reach: verdicts from facts.
