//! The run as a state machine: events in, commands out.
