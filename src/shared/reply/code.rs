//! The codes of answers that hold to their schema and say nothing of their own.

use kernel::error_codes;

error_codes! {
    /// What is wrong with the texts of an answer.
    pub enum AnswerCode {
        /// A text is copied from the form.
        Copied => "answer.copied",
        /// One text stands in several places.
        Repeated => "answer.repeated",
        /// An item of a list says nothing.
        Blank => "answer.blank",
        /// The answer repeats the prompt.
        Echo => "answer.echo",
    }
}
