//! Whether an answer declines instead of answering: models do, when a task sounds like something it is not.

/// The longest answer, in characters, that counts as a refusal: refusals are brief.
const LONGEST: usize = 1_500;
/// The number of characters at the start of an answer in which a refusal appears.
const BEGINNING: usize = 240;

/// The phrases of refusals, with straight apostrophes and in lower case.
const PHRASES: [&str; 15] = [
    "as an ai",
    "i am not able to",
    "i am sorry",
    "i am unable",
    "i apologize",
    "i can not ",
    "i can't ",
    "i cannot ",
    "i must decline",
    "i won't ",
    "i will not ",
    "i'm not able to",
    "i'm sorry",
    "i'm unable",
    "i have to decline",
];

/// Whether an unusable answer is a refusal. A wrong guess does no harm: in both cases the model is asked again, in different words.
pub(crate) fn is_refusal(text: &str) -> bool {
    let text = text.trim();
    if text.chars().count() > LONGEST {
        return false;
    }
    let beginning: String = text.chars().take(BEGINNING).collect::<String>().to_lowercase().replace('’', "'");
    PHRASES.iter().any(|phrase| beginning.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::is_refusal;

    #[test]
    fn who_declines_is_told_from_who_chats() {
        for refusal in [
            "I can't help with that.",
            "I’m sorry, but I can’t assist with this request.",
            "Unfortunately, I cannot provide a design for a system like this one.",
            "As an AI language model, I must decline.",
        ] {
            assert!(is_refusal(refusal), "{refusal}");
        }
        let long = format!("I can't say which is best. {}", "The design holds together. ".repeat(100));
        for other in ["", "Here is my design: one service.", "Which database do you use?", &long] {
            assert!(!is_refusal(other), "{other}");
        }
    }
}
