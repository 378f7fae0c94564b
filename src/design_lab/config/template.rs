//! Prompt templates: text, or `{file:path}` relative to the configuration file.

use super::code::ConfigCode;
use super::layers::Layers;
use super::{Layer, Reference, ReferencedFile, Source};
use crate::design_lab::isolation::{components, holds_keys, is_environment_file, is_kept, same_name};
use kernel::problem::Problem;
use serde_json::Value;

const NEXT: &str = "Write {file:./my-prompt.md}, with a path relative to the configuration.";

/// The contents of a `prompt_template`.
enum Template<'a> {
    Text(&'a str),
    File(&'a str),
}

fn parse(text: &str) -> Result<Template<'_>, Problem> {
    if !text.contains("{file:") {
        return Ok(Template::Text(text));
    }
    let path = text.trim().strip_prefix("{file:").and_then(|rest| rest.strip_suffix('}'));
    match path.map(str::trim) {
        Some(path) if !path.is_empty() && !path.contains(['{', '}']) => Ok(Template::File(path)),
        _ => {
            Err(Problem::new(ConfigCode::TemplateReference, "A prompt is either text or one file, not both.")
                .allowed("text, or `{file:path}` and nothing else")
                .next(NEXT))
        }
    }
}

/// Refuses paths that leave the directory that the configuration belongs to: a cloned project must not be able to
/// send any of the user's files to a model.
fn check_path(path: &str, source: &Source) -> Result<(), Problem> {
    // A project's configuration is in `.opencode`, one level below the project's root.
    let (mut depth, base) = match source.origin {
        Layer::Project => (1, "the project"),
        Layer::Options => (0, "the project"),
        Layer::Default | Layer::Global => (0, "the configuration's directory"),
    };
    let forbidden = |message: String, allowed: String| {
        Err(Problem::new(ConfigCode::TemplatePath, message)
            .allowed(allowed)
            .next(format!("Move the file into {base}, and write its path relative to the configuration.")))
    };
    if path.starts_with(['/', '\\', '~']) || path.contains(':') || path.contains(char::is_control) {
        return forbidden(
            "The path of a prompt file must be relative to the configuration.".to_owned(),
            "a path relative to the configuration".to_owned(),
        );
    }
    if let Some(what) = secret(path) {
        return Err(may_hold_keys(what));
    }
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if depth == 0 => {
                return forbidden(
                    format!("This prompt file is outside {base}, so Design Lab doesn't read it."),
                    format!("a path within {base}"),
                );
            }
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    Ok(())
}

/// Returns what a path names if that must not reach a model. OpenCode asks before it reads an environment file; here,
/// no question is asked.
fn secret(path: &str) -> Option<&'static str> {
    let names = components(path);
    let name = names.last().copied().unwrap_or_default();
    let lower = name.to_lowercase();
    if is_environment_file(path) || lower.starts_with(".env") {
        Some("an environment file")
    } else if names.iter().any(|name| same_name(name, ".git")) {
        Some("one of git's own files")
    } else if is_kept(&names) {
        Some("a file of a run")
    } else if holds_keys(path) {
        Some("a file that usually contains keys")
    } else {
        None
    }
}

fn may_hold_keys(what: &str) -> Problem {
    Problem::new(
        ConfigCode::TemplateSecret,
        format!(
            "This prompt file is {what}. It is not sent to any \
                                                      model."
        ),
    )
    .allowed("a text file that was written as a prompt")
    .next("Write the prompt into a file of its own, and name that one.")
}

/// Refuses a file whose real path or name differs from its path.
fn check_link(path: &str, leads: Option<&str>) -> Result<(), Problem> {
    let Some(leads) = leads else { return Ok(()) };
    if let Some(what) = secret(leads) {
        return Err(may_hold_keys(what));
    }
    let (written, real) = (steps(path), steps(leads));
    if written.len() == real.len() && written.iter().zip(&real).all(|(a, b)| same_name(a, b)) {
        return Ok(());
    }
    Err(Problem::new(ConfigCode::TemplatePath, "This prompt file is a link, or lies behind a link.")
        .allowed("a file and directories that are not links")
        .next("Replace the link with the file itself."))
}

/// Returns the names of a relative path as it is spelled, with any leading `..`.
fn steps(path: &str) -> Vec<&str> {
    let mut steps = Vec::new();
    for name in path.split(['/', '\\']) {
        match name {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => {
                steps.pop();
            }
            name => steps.push(name),
        }
    }
    steps
}

/// Returns every file that the merged configuration refers to, once.
pub(super) fn references(layers: &Layers<'_>) -> Vec<Reference> {
    let mut references = Vec::new();
    for list in ["/design_models", "/review_models"] {
        let (Some(Value::Array(entries)), Some(source)) = (layers.merged.pointer(list), layers.source(list))
        else {
            continue;
        };
        for template in entries.iter().filter_map(|entry| entry["prompt_template"].as_str()) {
            if let Ok(Template::File(path)) = parse(template)
                && check_path(path, source).is_ok()
            {
                let reference = Reference { source: source.file.clone(), path: path.to_owned() };
                if !references.contains(&reference) {
                    references.push(reference);
                }
            }
        }
    }
    references
}

/// Returns the text of a template, read from its file if it refers to one.
pub(super) fn resolve(text: &str, source: &Source, files: &[ReferencedFile]) -> Result<String, Problem> {
    let path = match parse(text)? {
        Template::Text(text) => return non_empty(text, "This prompt is empty."),
        Template::File(path) => path,
    };
    check_path(path, source)?;
    let file = files.iter().find(|file| file.reference.source == source.file && file.reference.path == path);
    let unread = |why: &str| {
        Problem::new(ConfigCode::TemplateUnreadable, format!("The prompt file can't be read: {why}."))
            .allowed("a readable text file")
            .next("Create the file, or correct the path.")
    };
    check_link(path, file.and_then(|file| file.leads.as_deref()))?;
    match file {
        Some(ReferencedFile { text: Some(_), leads: None, .. }) => {
            Err(unread("its real path can't be determined"))
        }
        Some(ReferencedFile { text: Some(text), .. }) => non_empty(text, "The prompt file is empty."),
        Some(ReferencedFile { error: Some(error), .. }) if error != "ENOENT" => Err(unread(error)),
        _ => Err(unread("it was not found")),
    }
}

fn non_empty(text: &str, message: &str) -> Result<String, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(Problem::new(ConfigCode::TemplateEmpty, message)
            .allowed("text that isn't empty")
            .next("Write the prompt, or remove `prompt_template` to use the built-in one."));
    }
    Ok(text.to_owned())
}
