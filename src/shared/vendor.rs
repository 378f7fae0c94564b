//! The vendor of a model, as far as its name shows it.

/// Vendors, each with the words that its own name and its models' names start with.
const VENDORS: &[(&str, &[&str])] = &[
    ("01-ai", &["01-ai", "yi"]),
    ("ai21", &["ai21", "jamba"]),
    ("alibaba", &["alibaba", "qwen", "qwq", "qvq"]),
    ("amazon", &["amazon", "nova", "titan"]),
    ("anthropic", &["anthropic", "claude"]),
    ("baidu", &["baidu", "ernie"]),
    ("bytedance", &["bytedance", "doubao", "seed"]),
    ("cohere", &["cohere", "command", "aya"]),
    ("deepseek", &["deepseek"]),
    ("google", &["google", "gemini", "gemma", "palm"]),
    ("ibm", &["ibm", "granite"]),
    ("meta", &["meta", "llama"]),
    ("microsoft", &["microsoft", "phi", "mai"]),
    ("minimax", &["minimax", "abab"]),
    (
        "mistral",
        &["mistral", "mistralai", "mixtral", "ministral", "codestral", "devstral", "magistral", "pixtral"],
    ),
    ("moonshot", &["moonshot", "moonshotai", "kimi"]),
    ("nvidia", &["nvidia", "nemotron"]),
    ("openai", &["openai", "gpt", "chatgpt", "codex", "o1", "o3", "o4"]),
    ("perplexity", &["perplexity", "sonar"]),
    ("stepfun", &["stepfun", "step"]),
    ("tencent", &["tencent", "hunyuan"]),
    ("xai", &["xai", "x-ai", "grok"]),
    ("xiaomi", &["xiaomi", "mimo"]),
    ("zhipu", &["zhipu", "zhipuai", "zai", "z-ai", "glm", "chatglm"]),
];

/// The vendor of `provider/model`, whatever the host: the model's own name decides, then the segments before it.
/// `None` when no name is known: a host such as `openrouter` doesn't show who made the model.
pub fn vendor(model: &str) -> Option<&'static str> {
    model.rsplit('/').find_map(|segment| {
        let segment = segment.to_ascii_lowercase();
        // Amazon Bedrock writes `us.anthropic.claude-…`.
        segment.split('.').find_map(|part| {
            VENDORS
                .iter()
                .find(|(_, names)| names.iter().any(|name| starts_with_word(part, name)))
                .map(|(vendor, _)| *vendor)
        })
    })
}

/// Every vendor that a model descends from: its maker and, for a distillation, the makers of the other models in its name
/// (`deepseek-r1-distill-qwen-32b`).
pub(crate) fn vendors(model: &str) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = vendor(model).into_iter().collect();
    let lower = model.to_ascii_lowercase();
    if lower.contains("distill") {
        for word in lower.split(['-', '_', ' ', '/']).filter_map(vendor) {
            if !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found
}

/// Whether `text` starts with `word` and the word ends there: digits may follow letters (`qwen3`), letters may not (`metaphor`).
fn starts_with_word(text: &str, word: &str) -> bool {
    let Some(rest) = text.strip_prefix(word) else { return false };
    match rest.chars().next() {
        None => true,
        Some(next) if word.ends_with(|last: char| last.is_ascii_digit()) => !next.is_ascii_alphanumeric(),
        Some(next) => !next.is_ascii_alphabetic(),
    }
}

#[cfg(test)]
mod tests {
    use super::vendor;

    #[test]
    fn names_the_maker_not_the_host() {
        let cases = [
            ("anthropic/claude-sonnet-4-5", Some("anthropic")),
            ("openrouter/anthropic/claude-opus-4.7", Some("anthropic")),
            ("github-copilot/claude-haiku-4.5", Some("anthropic")),
            ("amazon-bedrock/deepseek-r1", Some("deepseek")),
            ("amazon-bedrock/us.anthropic.claude-sonnet-4-v1:0", Some("anthropic")),
            ("azure/gpt-5.1", Some("openai")),
            ("openai/o3-mini", Some("openai")),
            ("openrouter/x-ai/grok-4", Some("xai")),
            ("zhipuai/glm-4.6", Some("zhipu")),
            ("groq/qwen3-32b", Some("alibaba")),
            ("google/unheard-of", Some("google")),
            ("openrouter/unheard-of", None),
            ("acme/metaphor-1", None),
            ("acme/o31", None),
            ("", None),
        ];
        for (model, expected) in cases {
            assert_eq!(vendor(model), expected, "{model}");
        }
    }
}
