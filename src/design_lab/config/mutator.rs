//! The user's own mutation testing tool, used instead of Flow's faults: the command that starts it, and the location of its report.

use super::code::ConfigCode;
use crate::design_lab::schema::quote;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;

/// A mutation testing tool that is run for each feature, in a copy of the project's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Mutator {
    /// The command that runs the tool, program and arguments: `["npx", "stryker", "run"]`. If left out, Flow makes its own faults.
    #[cfg_attr(test, schemars(inner(length(min = 1))))]
    pub command: Vec<String>,
    /// Where the tool writes its report, relative to the project's directory: a JSON file in Stryker's format, `mutants.out` of
    /// cargo-mutants, or `mutants` of mutmut.
    pub report: String,
    /// Milliseconds that the command may take.
    #[cfg_attr(test, schemars(range(min = 1_000, max = 86_400_000)))]
    #[cfg_attr(test, ts(type = "number"))]
    pub timeout_ms: u64,
}

impl Default for Mutator {
    fn default() -> Self {
        Self { command: Vec::new(), report: String::new(), timeout_ms: 15 * 60_000 }
    }
}

impl Mutator {
    /// Whether a tool is configured.
    pub fn is_set(&self) -> bool {
        !self.command.is_empty()
    }
}

/// Returns what is wrong with these settings.
pub(super) fn problems(mutator: &Mutator) -> Option<Problem> {
    let Mutator { command, report, .. } = mutator;
    let problem = |message: &str| Problem::new(ConfigCode::Mutator, message.to_owned());
    if report.is_empty() {
        return mutator.is_set().then(|| {
            problem("`flow.mutator` has no `report`.")
                .at("/flow/mutator")
                .allowed("a path below the project's directory")
                .next(
                    "Add the file that the tool writes, \"report\": \"reports/mutation/mutation.json\" for \
                       example.",
                )
        });
    }
    if command.is_empty() {
        return Some(
            problem("`flow.mutator` has no `command`.")
                .at("/flow/mutator")
                .allowed("program and arguments")
                .next(
                    "Add the command that runs the tool, \"command\": [\"npx\", \"stryker\", \"run\"] for \
                       example.",
                ),
        );
    }
    (!is_below(report)).then(|| {
        problem("`flow.mutator.report` is not a path below the project's directory.")
            .at("/flow/mutator/report")
            .found(quote(report))
            .allowed("a path below the project's directory")
            .next("Have the tool write its report there, and write the path without `..`.")
    })
}

/// Whether a path stays below its starting directory, on every system.
fn is_below(path: &str) -> bool {
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    let mut parts = path.strip_suffix('/').unwrap_or(path).split(['/', '\\']);
    !is_drive && !path.contains('\0') && parts.all(|part| !part.is_empty() && part != ".." && part != ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_a_report_below_the_project() {
        let wrong = |command: &[&str], report: &str| {
            let command = command.iter().map(|word| (*word).to_owned()).collect();
            let mutator = Mutator { command, report: report.to_owned(), ..Mutator::default() };
            problems(&mutator).map(|problem| {
                assert_eq!(problem.code, "config.mutator");
                problem.pointer.unwrap_or_default()
            })
        };
        let at = |pointer: &str| Some(pointer.to_owned());
        assert_eq!(wrong(&[], ""), None, "there is none by default");
        for report in ["reports/mutation/mutation.json", "mutants.out", "a..b/c.json", "mutants/"] {
            assert_eq!(wrong(&["npx", "stryker", "run"], report), None, "{report}");
        }
        assert_eq!(wrong(&["mutmut", "run"], ""), at("/flow/mutator"));
        assert_eq!(wrong(&[], "mutants"), at("/flow/mutator"));
        for report in
            ["/tmp/a.json", "../a.json", "a/../../b", "C:\\a.json", "a\\..\\..\\b", ".", "a//b", "/"]
        {
            assert_eq!(wrong(&["x"], report), at("/flow/mutator/report"), "{report}");
        }
    }
}
