//! What a file operation that failed means for the user.

use kernel::error_codes;
use kernel::problem::Problem;

error_codes! {
    /// Why a file was not read or written.
    pub enum DiskCode {
        /// A file that a run keeps isn't the one that it began with.
        Changed => "disk.changed",
        /// The system refused.
        Failed => "disk.failed",
        /// A link stands where a run keeps a file or a folder.
        Link => "disk.link",
        /// A pipe, a socket or a device stands in the place of a file.
        NotAFile => "disk.not-a-file",
        /// A file name leads out of the run's directory.
        Outside => "disk.outside",
    }
}

/// What a failed file operation means for the user; `code` is the system's (`ENOSPC`, `EACCES`, …) or one of the
/// shell's own (`LINK`, `NOT_A_FILE`, `OUTSIDE`: see `plugin-js/kernel/door.js`; `CHANGED`: `kept-file.js` there).
pub fn failure(file: &str, code: &str) -> Problem {
    let mut problem = refused(code).unwrap_or_else(|| failed(code));
    problem.file = Some(file.to_owned());
    problem
}

/// What the shell itself refuses to reach.
fn refused(code: &str) -> Option<Problem> {
    let (code, message, next) = match code {
        "LINK" => (
            DiskCode::Link,
            "A link stands where a run keeps a file or a folder. Nothing was read or written through it.",
            "Put the file or folder itself in its place, or delete the link. If the link isn't yours, don't trust the \
             rest of that run.",
        ),
        "NOT_A_FILE" => (
            DiskCode::NotAFile,
            "A pipe, a socket or a device stands in the place of a file. Nothing was read or written there.",
            "Delete it. If it isn't yours, don't trust what lies beside it.",
        ),
        "OUTSIDE" => (
            DiskCode::Outside,
            "A run has a file name that leads out of its directory. Nothing was read or written there.",
            "Don't trust that run: its journal was changed, or comes from elsewhere. Delete it, or begin a new run.",
        ),
        "CHANGED" => (
            DiskCode::Changed,
            "This file isn't the one that the run began with: models would be sent something else. It was not sent.",
            "Put the original back, then go on by /design-lab-resume; or start again with --new.",
        ),
        _ => return None,
    };
    Some(Problem::new(code, message).next(next))
}

/// What the system refused.
fn failed(code: &str) -> Problem {
    let (what, next) = match code {
        "ENOSPC" | "EDQUOT" => ("the disk is full", "Free some space"),
        "EACCES" | "EPERM" => {
            ("writing there is not permitted", "Change its permissions or choose another `output_directory`")
        }
        "EROFS" => ("the file system is read-only", "Choose another `output_directory`"),
        "ENOTDIR" | "EEXIST" => (
            "a file stands where a directory should be",
            "Move that file or choose another `output_directory`",
        ),
        "EISDIR" => (
            "a directory stands where a file should be",
            "Move that directory or choose another `output_directory`",
        ),
        "EFBIG" => ("it would be larger than the system allows", "Raise that limit (`ulimit -f`)"),
        "ENOENT" => ("it, or the directory it belongs in, is gone", "Put it back"),
        "ENAMETOOLONG" => ("its path is too long", "Choose a shorter `output_directory`"),
        "EMFILE" | "ENFILE" => ("too many files are open", "Close other programs"),
        _ => ("the system refused", "See to that"),
    };
    Problem::new(DiskCode::Failed, format!("A file could not be read or written: {what} ({code})."))
        .next(format!("{next}, then go on by /design-lab-resume, or start again if the run had not begun. What was written stays valid."))
}

#[cfg(test)]
mod tests {
    use super::failure;

    #[test]
    fn every_refusal_of_a_file_names_it_and_says_what_to_do() {
        let table = [
            ("LINK", "disk.link", "A link stands"),
            ("NOT_A_FILE", "disk.not-a-file", "A pipe"),
            ("OUTSIDE", "disk.outside", "leads out of its directory"),
            ("ENOSPC", "disk.failed", "the disk is full"),
            ("EISDIR", "disk.failed", "a directory stands where a file should be"),
            ("EFBIG", "disk.failed", "larger than the system allows"),
            ("EACCES", "disk.failed", "not permitted"),
            ("EWHATEVER", "disk.failed", "the system refused (EWHATEVER)"),
        ];
        for (system, code, part) in table {
            let problem = failure("run/a.json", system);
            assert_eq!(problem.code, code);
            assert_eq!(problem.file.as_deref(), Some("run/a.json"));
            assert!(problem.message.contains(part), "{system}: {}", problem.message);
            assert!(problem.next.is_some(), "{system}");
        }
    }
}
