//! What a failed file operation means for the user.

use kernel::error_codes;
use kernel::json::Deserialize;
use kernel::problem::Problem;

error_codes! {
    /// Why a file was not read or written.
    pub enum DiskCode {
        /// A file that a run keeps has changed since the run started.
        Changed => "disk.changed",
        /// The system refused the operation.
        Failed => "disk.failed",
        /// There is a link where a run keeps a file or a folder.
        Link => "disk.link",
        /// There is a pipe, a socket or a device instead of a file.
        NotAFile => "disk.not-a-file",
        /// A file name points outside the run's directory.
        Outside => "disk.outside",
        /// A file is larger than any file of its kind.
        TooLarge => "disk.too-large",
    }
}

/// The attempted file operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum DiskDeed {
    /// Looking at or reading something.
    Read,
    /// Creating, changing or deleting something.
    Write,
}

/// The workflow that owns the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskUser {
    /// Design Lab, whose runs are stored where the user wants them.
    DesignLab,
    /// Flow.
    Flow,
    /// Validation.
    Validation,
}

impl DiskUser {
    fn resume(self) -> &'static str {
        match self {
            Self::DesignLab => "/design-lab-resume",
            Self::Flow => "/flow-resume",
            Self::Validation => "/validate-resume",
        }
    }

    /// The remedy if a file can't be written; only Design Lab can be configured to write elsewhere.
    fn way_out(self, of_design_lab: &'static str, of_others: &'static str) -> &'static str {
        if self == Self::DesignLab { of_design_lab } else { of_others }
    }
}

/// What a failed file operation means for the user; `code` is the system's (`ENOSPC`, `EACCES`, …) or one of the
/// shell's own (`LINK`, `NOT_A_FILE`, `OUTSIDE`, `TOO_LARGE`: see `plugin-js/kernel/door.js`; `CHANGED`: `kept-file.js` there).
pub fn failure(file: &str, code: &str, deed: DiskDeed, user: DiskUser) -> Problem {
    let mut problem = refused(code).unwrap_or_else(|| failed(code, deed, user));
    problem.file = Some(file.to_owned());
    problem
}

/// The problem of a file that the shell itself refuses to touch.
fn refused(code: &str) -> Option<Problem> {
    let (code, message, next) = match code {
        "LINK" => (
            DiskCode::Link,
            "A symbolic link has replaced a run's file or folder. Nothing was read or written through it.",
            "Replace the link with the file or folder itself, or delete it. If the link isn't yours, don't \
             trust the rest of that run.",
        ),
        "NOT_A_FILE" => (
            DiskCode::NotAFile,
            "There is a pipe, a socket or a device where a file should be. Nothing was read or written \
             there.",
            "Delete it. If it isn't yours, don't trust the files beside it.",
        ),
        "OUTSIDE" => (
            DiskCode::Outside,
            "A run has a file name that leads outside its directory. Nothing was read or written there.",
            "Don't trust that run: its journal was changed or comes from another machine. Delete the \
             run, or start a new one.",
        ),
        "TOO_LARGE" => (
            DiskCode::TooLarge,
            "This file is too large. It was not read.",
            "Delete it, or replace it with the right file. If it isn't yours, don't trust the files beside \
             it.",
        ),
        "CHANGED" => (
            DiskCode::Changed,
            "This file has changed since the run started. It was not sent to any model.",
            "Restore the original, then continue with /design-lab-resume; or start again with --new.",
        ),
        _ => return None,
    };
    Some(Problem::new(code, message).next(next))
}

/// The problem of an operation that the system refused.
fn failed(code: &str, deed: DiskDeed, user: DiskUser) -> Problem {
    let (what, next) = match (code, deed) {
        ("ENOSPC" | "EDQUOT", _) => ("the disk is full", "Free some space"),
        ("EACCES" | "EPERM", DiskDeed::Read) => {
            ("permission denied", "Change its permissions or its owner, or move it away")
        }
        ("EACCES" | "EPERM", DiskDeed::Write) => (
            "permission denied",
            user.way_out(
                "Change its permissions or choose another `output_directory`",
                "Change its permissions or its owner",
            ),
        ),
        ("EROFS", _) => (
            "the file system is read-only",
            user.way_out("Choose another `output_directory`", "Make the project's file system writable"),
        ),
        ("ENOTDIR" | "EEXIST", _) => (
            "there is a file where a directory should be",
            user.way_out("Move that file or choose another `output_directory`", "Move that file"),
        ),
        ("EISDIR", _) => (
            "there is a directory where a file should be",
            user.way_out("Move that directory or choose another `output_directory`", "Move that directory"),
        ),
        ("EFBIG", _) => ("it would be larger than the system allows", "Raise that limit (`ulimit -f`)"),
        ("ENOENT", _) => ("it or its directory no longer exists", "Restore it"),
        ("ENAMETOOLONG", _) => (
            "its path is too long",
            user.way_out("Choose a shorter `output_directory`", "Move the project to a shorter path"),
        ),
        ("EMFILE" | "ENFILE", _) => ("too many files are open", "Close other programs"),
        _ => ("the operating system refused", "Find the cause"),
    };
    let (deed, then) = match deed {
        DiskDeed::Read => ("read", "type the command again. Nothing was changed.".to_owned()),
        DiskDeed::Write => {
            let resume = user.resume();
            (
                "written",
                format!(
                    "type {resume}. If nothing had started, type the command again. What was written stays \
                     valid."
                ),
            )
        }
    };
    Problem::new(DiskCode::Failed, format!("A file could not be {deed}: {what} ({code})."))
        .next(format!("{next}, then {then}"))
}

#[cfg(test)]
mod tests {
    use super::{DiskDeed, DiskUser, failure};

    #[test]
    fn every_refusal_of_a_file_names_it_and_says_what_to_do() {
        let table = [
            ("LINK", "disk.link", "A symbolic link"),
            ("NOT_A_FILE", "disk.not-a-file", "There is a pipe"),
            ("OUTSIDE", "disk.outside", "leads outside its directory"),
            ("TOO_LARGE", "disk.too-large", "too large"),
            ("ENOSPC", "disk.failed", "the disk is full"),
            ("EISDIR", "disk.failed", "there is a directory where a file should be"),
            ("EFBIG", "disk.failed", "larger than the system allows"),
            ("EACCES", "disk.failed", "permission denied"),
            ("EWHATEVER", "disk.failed", "the operating system refused (EWHATEVER)"),
        ];
        for (system, code, part) in table {
            let problem = failure("run/a.json", system, DiskDeed::Write, DiskUser::DesignLab);
            assert_eq!(problem.code, code);
            assert_eq!(problem.file.as_deref(), Some("run/a.json"));
            assert!(problem.message.contains(part), "{system}: {}", problem.message);
            assert!(problem.next.is_some(), "{system}");
        }
    }

    #[test]
    fn each_workflow_is_continued_by_its_own_command() {
        for (user, resume) in [
            (DiskUser::DesignLab, "/design-lab-resume"),
            (DiskUser::Flow, "/flow-resume"),
            (DiskUser::Validation, "/validate-resume"),
        ] {
            for system in ["ENOSPC", "EACCES", "EROFS", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "EWHATEVER"] {
                let next = failure("run", system, DiskDeed::Write, user).next.unwrap();
                assert!(next.contains(resume), "{next}");
                let may_lie_elsewhere = next.contains("`output_directory`");
                assert!(!may_lie_elsewhere || user == DiskUser::DesignLab, "{next}");
            }
        }
    }

    #[test]
    fn reading_and_writing_are_reported_apart() {
        let message = |deed| failure("run", "EACCES", deed, DiskUser::DesignLab).message;
        assert_eq!(message(DiskDeed::Read), "A file could not be read: permission denied (EACCES).");
        assert_eq!(message(DiskDeed::Write), "A file could not be written: permission denied (EACCES).");
    }
}
