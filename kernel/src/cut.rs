//! Detects that a server has truncated a prompt without reporting it, as a server does whose context is smaller than the host
//! assumes.
//!
//! A provider reports how many tokens the prompt had, cached ones included. A token holds at most 4.5 characters of the text that
//! models are sent here: measured with the tokenizers o200k, cl100k, Llama 3 and Mistral on prompts of all kinds, and on code,
//! JSON, HTML, tables and Chinese, with a run of one character counted as one (otherwise 126 spaces are one token). So if the
//! reported tokens are fewer than a twelfth of the characters, the prompt was truncated, even if the tokenizer were twice as
//! good. The host's additions make the prompt longer still.

use crate::calls::Calls;
use crate::figures::thousands;
use crate::job::Job;
use crate::protocol::Reply;
use crate::workflow::Workflow;

/// More characters than any tokenizer averages per token, by a wide margin.
const CHARACTERS_PER_TOKEN: u64 = 12;

/// Fewer tokens than any served context. A server that counts only what wasn't in its cache may report fewer.
const LEAST: u64 = 512;

/// The note to the user if a job's answer shows that its prompt was truncated; `None` otherwise, and if its model already got
/// that note.
///
/// Only a prompt that begins a conversation counts: some servers leave out what is in their cache. For the same reason the report
/// has to be the largest of this model so far: a server that truncates reports its whole context each time.
pub(crate) fn wording<W: Workflow>(run: &W, job: &Job<W>, reply: &Reply) -> Option<String> {
    let (calls, model) = (run.calls(), run.call_settings(job).model);
    let reported = reply.prompt_tokens.filter(|tokens| *tokens >= LEAST)?;
    let ask = job.asked.as_ref().filter(|_| !job.in_conversation)?;
    let characters = characters(&ask.system) + characters(&ask.text);
    let is_cut = reported.saturating_mul(CHARACTERS_PER_TOKEN) < characters;
    if !is_cut
        || calls.cut.iter().any(|known| known == model)
        || reported < largest(run, calls, model) / 10 * 9
    {
        return None;
    }
    Some(format!(
        "{model}: the server reported {} tokens for a prompt of {} characters. The server seems to have cut \
         the prompt short without an error: give the model a larger context on its server.",
        thousands(reported),
        thousands(characters)
    ))
}

/// The largest prompt of a model so far, in reported tokens.
fn largest<W: Workflow>(run: &W, calls: &Calls<W>, model: &str) -> u64 {
    let of_model = calls.jobs.iter().filter(|job| run.call_settings(job).model == model);
    of_model.map(|job| job.ledger.largest_prompt).max().unwrap_or(0)
}

/// The number of characters in a text, with a run of the same one counted once.
fn characters(text: &str) -> u64 {
    let mut before = None;
    text.chars().filter(|letter| before.replace(*letter) != Some(*letter)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::characters;

    #[test]
    fn a_run_of_one_character_counts_once() {
        assert_eq!(characters(""), 0);
        assert_eq!(characters("a    b\n\n\nc"), 5);
        assert_eq!(characters(&"-".repeat(20_000)), 1);
        assert_eq!(characters("请请为"), 2);
    }
}
