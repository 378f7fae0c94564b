//! Which names and paths a run may give to its files: the last check before they leave the core.
//!
//! A checksum only distinguishes a torn line of a journal from a whole one: a run directory may come with a clone or an archive,
//! and anyone can make one. So a workflow checks every id in a journal before it is applied, and this module checks every path
//! again.

use crate::code::RunCode;
use crate::problem::Problem;
use crate::protocol::Command;
use crate::slug::slug;

/// The longest name of a directory or a person.
pub const NAME_LENGTH: usize = 120;

/// Whether a text is a name of lower-case letters, digits and dashes, of at most `most` characters.
pub fn is_name(text: &str, most: usize) -> bool {
    !text.is_empty() && slug(text, most) == text
}

/// Whether a path below the run directory is one that a run may write.
fn is_path(path: &str) -> bool {
    let is_plain = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
            && name.len() <= 255
    };
    path.split('/').count() <= 6 && path.split('/').all(is_plain)
}

/// Checks commands before they leave the core.
pub(crate) fn admit_commands<R, O, D, E>(commands: &[Command<R, O, D, E>]) -> Result<(), Problem> {
    for command in commands {
        match command {
            Command::Write { path, .. } | Command::Create { path, .. } | Command::Discard { path }
                if !is_path(path) =>
            {
                return Err(stray(path));
            }
            Command::Ask(ask) => {
                if let Some(file) = ask.files.iter().find(|file| !is_path(&file.path)) {
                    return Err(stray(&file.path));
                }
            }
            Command::ClaimDirectory { name } if !is_name(name, NAME_LENGTH) => return Err(stray(name)),
            _ => {}
        }
    }
    Ok(())
}

/// Checks the files that should be on disk before they leave the core.
pub fn admit_files(files: Vec<(String, String)>) -> Result<Vec<(String, String)>, Problem> {
    match files.iter().find(|(path, _)| !is_path(path)) {
        Some((path, _)) => Err(stray(path)),
        None => Ok(files),
    }
}

fn stray(path: &str) -> Problem {
    Problem::new(RunCode::JournalPath, "The run would use files outside its directory. Nothing was done.")
        .found(format!("{path:?}"))
        .next("The run's journal was changed or forged. Restore it from a copy, or start a new run.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_run_writes_is_a_path() {
        for path in [
            "task.json",
            "designs/glm-4-6.json",
            "designs/a.rejected.txt",
            "scores/a-reviewed-by-b.json",
            "reviews/a-2.unscored.md",
            "former/12/results/ranking.json",
            "human/kim.csv",
        ] {
            assert!(is_path(path), "{path}");
        }
        for path in [
            "",
            ".",
            "..",
            "../victim",
            "designs/../../victim.json",
            "/etc/passwd",
            "designs//a.json",
            "designs/.ignore",
            ".ignore",
            "a\\b",
            "C:/x",
            "a\0b",
            "a b",
            "design\u{202e}s",
            "~/x",
            "a/b/c/d/e/f/g",
        ] {
            assert!(!is_path(path), "{path:?}");
        }
        assert!(!is_path(&"a".repeat(300)));
    }
}
