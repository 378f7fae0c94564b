//! The checks in addition to the criteria: the results of each, and what they prove. No model is asked, and no model has chosen them.
//!
//! The invariant: a check has passed only if it was seen to pass. A check that was not observed, or that failed once, has not passed.

use super::settings::CheckSettings;
use super::verdict::Verdict;
use crate::shared::figures::count;
use crate::shared::ran::{CommandEnd, Ran};
use serde::Serialize;

/// A run of a check's command.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CheckRun {
    pub(super) check: CheckSettings,
    /// From 1.
    pub(super) number: u32,
    /// The file of its output, relative to the run's directory.
    pub(super) output: String,
    pub(super) ran: Ran,
}

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CheckVerdict {
    /// It was observed to pass.
    Passed,
    /// It was observed to fail.
    Failed,
    /// It both passed and failed.
    Flaky,
    /// It ended successfully, but no test ran.
    Hollow,
    /// It was not run, or could not be run.
    NotRun,
}

impl CheckVerdict {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Flaky => "flaky",
            Self::Hollow => "hollow",
            Self::NotRun => "not run",
        }
    }

    /// The verdict of a criterion that it decides.
    pub(super) fn of_criterion(self) -> Verdict {
        match self {
            Self::Passed => Verdict::Met,
            Self::Failed => Verdict::NotMet,
            Self::Flaky => Verdict::Flaky,
            Self::Hollow => Verdict::Hollow,
            Self::NotRun => Verdict::Untested,
        }
    }
}

/// A check with its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct JudgedCheck {
    pub(super) id: String,
    pub(super) verdict: CheckVerdict,
    /// Why, in words.
    pub(super) reason: String,
    /// The criteria that it decides.
    pub(super) criteria: Vec<String>,
    /// The files of its output, relative to the run's directory.
    #[serde(skip)]
    pub(super) outputs: Vec<String>,
    /// Its findings, each in a line.
    pub(super) findings: Vec<String>,
}

/// The file for the output of a check, relative to the run's directory.
pub(super) fn output(id: &str, number: u32) -> String {
    format!("checks/{id}-{number}.log")
}

impl CheckSettings {
    /// How often it runs: a check that decides a criterion must give the same result as often as a test.
    fn times(&self, repeat: u32) -> u32 {
        if self.criteria.is_empty() { 1 } else { repeat }
    }

    /// Whether both would give the same result.
    pub(super) fn runs_like(&self, other: &Self) -> bool {
        (&self.id, &self.command, &self.cwd, self.timeout_ms)
            == (&other.id, &other.command, &other.cwd, other.timeout_ms)
    }

    fn runs<'a>(&self, all: &'a [CheckRun]) -> Vec<&'a CheckRun> {
        all.iter().filter(|run| run.check.runs_like(self)).collect()
    }

    /// The number of its next run; `None` when it has run often enough, or can't be started.
    pub(super) fn next(&self, all: &[CheckRun], repeat: u32) -> Option<u32> {
        let runs = self.runs(all);
        let done = u32::try_from(runs.len()).unwrap_or(u32::MAX);
        (done < self.times(repeat) && !runs.iter().any(|run| run.is_unstarted())).then_some(done + 1)
    }

    /// The check with its verdict.
    pub(super) fn judged(&self, all: &[CheckRun], repeat: u32) -> JudgedCheck {
        let runs = self.runs(all);
        let (verdict, reason) = self.weighed(&runs, repeat);
        JudgedCheck {
            id: self.id.clone(),
            verdict,
            reason,
            criteria: self.criteria.clone(),
            outputs: runs.iter().map(|run| run.output.clone()).collect(),
            findings: Vec::new(),
        }
    }

    fn weighed(&self, runs: &[&CheckRun], repeat: u32) -> (CheckVerdict, String) {
        let wording = |run: &&CheckRun| run.ran.wording();
        if runs.is_empty() {
            return (CheckVerdict::NotRun, "the run ended before this check".to_owned());
        }
        if let Some(run) = runs.iter().find(|run| run.is_unstarted()) {
            return (CheckVerdict::NotRun, wording(run));
        }
        let fell = |run: &&&CheckRun| !run.ran.passed() && !run.ran.is_hollow();
        let failed: Vec<&&CheckRun> = runs.iter().filter(fell).collect();
        if let Some(first) = failed.first() {
            if failed.len() == runs.len() {
                return (CheckVerdict::Failed, wording(first));
            }
            let times = |number: usize| count(number as u64, "time", "times");
            let (good, bad) = (times(runs.len() - failed.len()), times(failed.len()));
            let reason = format!("it passed {good} and failed {bad}: {}", wording(first));
            return (CheckVerdict::Flaky, reason);
        }
        if let Some(run) = runs.iter().find(|run| run.ran.is_hollow()) {
            return (CheckVerdict::Hollow, wording(run));
        }
        if (runs.len() as u64) < u64::from(self.times(repeat)) {
            let wanted = count(self.times(repeat).into(), "time", "times");
            return (CheckVerdict::NotRun, format!("it ran {} of {wanted}", runs.len()));
        }
        (CheckVerdict::Passed, wording(&runs[0]))
    }
}

impl CheckRun {
    pub(super) fn is_unstarted(&self) -> bool {
        matches!(self.ran.end, CommandEnd::NotStarted { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::ran::Output;
    use crate::shared::runners::tests_in;
    use serde_json::json;

    fn check(criteria: &[&str]) -> CheckSettings {
        serde_json::from_value(json!({"id": "units", "command": ["npm", "test"], "criteria": criteria}))
            .unwrap()
    }

    fn ran(end: CommandEnd, output: &str) -> Ran {
        Ran { end, duration_ms: 1, output: Output::default(), tests: tests_in(output), silent: None }
    }

    fn judged(criteria: &[&str], ends: &[Ran]) -> JudgedCheck {
        let check = check(criteria);
        let mut all: Vec<CheckRun> = Vec::new();
        for ran in ends {
            let number = check.next(&all, 2).unwrap();
            let output = output(&check.id, number);
            all.push(CheckRun { check: check.clone(), number, output, ran: ran.clone() });
        }
        check.judged(&all, 2)
    }

    #[test]
    fn what_is_seen_of_a_check_decides() {
        let well = || ran(CommandEnd::Exited { code: 0 }, "");
        let tested = || ran(CommandEnd::Exited { code: 0 }, "  3 passing (5ms)");
        let untested = || ran(CommandEnd::Exited { code: 0 }, "No tests found, exiting with code 0");
        let wrong = || ran(CommandEnd::Exited { code: 2 }, "No tests found, exiting with code 0");
        let late = || ran(CommandEnd::TimedOut, "");
        let killed = || ran(CommandEnd::Signalled { signal: "SIGSEGV".to_owned() }, "");
        let absent = || ran(CommandEnd::NotStarted { message: "ENOENT".to_owned() }, "");
        for (criteria, ends, verdict, reason) in [
            (&[][..], vec![], CheckVerdict::NotRun, "the run ended before this check"),
            (&[], vec![well()], CheckVerdict::Passed, "exit code 0"),
            (&[], vec![tested()], CheckVerdict::Passed, "exit code 0 (3 tests ran)"),
            (&[], vec![untested()], CheckVerdict::Hollow, "exit code 0, but no test ran"),
            (&[], vec![wrong()], CheckVerdict::Failed, "exit code 2"),
            (&[], vec![late()], CheckVerdict::Failed, "stopped because it took too long"),
            (&[], vec![killed()], CheckVerdict::Failed, "ended by signal SIGSEGV"),
            (&[], vec![absent()], CheckVerdict::NotRun, "could not be started: ENOENT"),
            (&["C1"], vec![well()], CheckVerdict::NotRun, "it ran 1 of 2 times"),
            (&["C1"], vec![wrong()], CheckVerdict::Failed, "exit code 2"),
            (&["C1"], vec![well(), well()], CheckVerdict::Passed, "exit code 0"),
            (
                &["C1"],
                vec![well(), wrong()],
                CheckVerdict::Flaky,
                "it passed 1 time and failed 1 time: exit code 2",
            ),
            (&["C1"], vec![tested(), untested()], CheckVerdict::Hollow, "exit code 0, but no test ran"),
            (&["C1"], vec![absent()], CheckVerdict::NotRun, "could not be started: ENOENT"),
        ] {
            let judged = judged(criteria, &ends);
            assert_eq!((judged.verdict, judged.reason.as_str()), (verdict, reason), "{ends:?}");
            assert_eq!(judged.outputs.len(), ends.len());
        }
    }

    #[test]
    fn it_runs_as_often_as_it_must_and_another_command_is_another_check() {
        let run = |check: &CheckSettings, ran: Ran| CheckRun {
            check: check.clone(),
            number: 1,
            output: output(&check.id, 1),
            ran,
        };
        let (once, twice) = (check(&[]), check(&["C1"]));
        let well = ran(CommandEnd::Exited { code: 0 }, "");
        let seen = [run(&once, well)];
        assert_eq!((once.next(&[], 2), once.next(&seen, 2)), (Some(1), None));
        assert_eq!(twice.next(&seen, 2), Some(2), "that it decides a criterion makes it no other command");
        let other = CheckSettings { command: vec!["true".to_owned()], ..once };
        assert_eq!((other.next(&seen, 2), other.judged(&seen, 2).verdict), (Some(1), CheckVerdict::NotRun));
        let absent = [run(&twice, ran(CommandEnd::NotStarted { message: "ENOENT".to_owned() }, ""))];
        assert_eq!(twice.next(&absent, 2), None);
    }
}
