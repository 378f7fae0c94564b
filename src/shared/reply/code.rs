//! The codes of answers that match their schema and have no content of their own.

use kernel::error_codes;

error_codes! {
    /// A fault in the texts of an answer.
    pub enum AnswerCode {
        /// A text is copied from the form.
        Copied => "answer.copied",
        /// The same text occurs in several places.
        Repeated => "answer.repeated",
        /// A list item has no content.
        Blank => "answer.blank",
        /// The answer repeats the prompt.
        Echo => "answer.echo",
    }
}
