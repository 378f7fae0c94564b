//! Who made a model, whoever sells it.

/// First words of model names and the vendors they belong to.
const FAMILIES: [(&str, &str); 38] = [
    ("chatgpt", "openai"),
    ("claude", "anthropic"),
    ("codestral", "mistral"),
    ("codex", "openai"),
    ("command", "cohere"),
    ("deepseek", "deepseek"),
    ("devstral", "mistral"),
    ("doubao", "bytedance"),
    ("ernie", "baidu"),
    ("gemini", "google"),
    ("gemma", "google"),
    ("glm", "zhipuai"),
    ("gpt", "openai"),
    ("granite", "ibm"),
    ("grok", "xai"),
    ("hermes", "nousresearch"),
    ("hunyuan", "tencent"),
    ("jamba", "ai21"),
    ("kimi", "moonshotai"),
    ("llama", "meta"),
    ("magistral", "mistral"),
    ("mimo", "xiaomi"),
    ("minimax", "minimax"),
    ("ministral", "mistral"),
    ("mistral", "mistral"),
    ("mixtral", "mistral"),
    ("nemotron", "nvidia"),
    ("nova", "amazon"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("phi", "microsoft"),
    ("pixtral", "mistral"),
    ("qwen", "alibaba"),
    ("qwen2", "alibaba"),
    ("qwen3", "alibaba"),
    ("qwq", "alibaba"),
    ("step", "stepfun"),
];

/// The vendor of `provider/model`: by the model's name where that is known, else the last part before it.
///
/// `openrouter/anthropic/claude-sonnet-4.5`, `github-copilot/claude-sonnet-4.5` and `anthropic/claude-sonnet-4-5` are
/// all Anthropic's.
pub fn vendor(model_id: &str) -> String {
    let (path, name) = model_id.rsplit_once('/').unwrap_or(("", model_id));
    let name = name.to_ascii_lowercase();
    // Bedrock and others write `us.anthropic.claude-…`.
    let word = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .find_map(|word| FAMILIES.iter().find(|(family, _)| *family == word));
    match word {
        Some((_, vendor)) => (*vendor).to_owned(),
        None => path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_who_made_a_model() {
        let cases = [
            ("anthropic/claude-opus-4-20241022", "anthropic"),
            ("openrouter/anthropic/claude-sonnet-4.5", "anthropic"),
            ("github-copilot/gpt-5.1-codex", "openai"),
            ("amazon-bedrock/us.anthropic.claude-sonnet-4-v1:0", "anthropic"),
            ("zhipuai-coding-plan/glm-4.6", "zhipuai"),
            ("groq/qwen/qwen3-32b", "alibaba"),
            ("openai/o3", "openai"),
            ("ollama/my-own-model", "ollama"),
            ("openrouter/acme/rocket-1", "acme"),
            ("rocket", ""),
        ];
        for (model, expected) in cases {
            assert_eq!(vendor(model), expected, "{model}");
        }
    }
}
