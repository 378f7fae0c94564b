//! A run's findings that need fixing, handed over to Flow: criteria that aren't met, checks that failed, gaps.

use super::checks::CheckVerdict;
use super::code::ValidationCode;
use super::protocol::SubjectSource;
use super::run::Run;
use super::session::{Phase, Session};
use super::status::gap_line;
use super::verdict::Verdict;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;

/// A run's findings that need fixing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationToFix"))]
pub struct ToFix {
    /// The run's directory.
    pub run: String,
    /// What was validated, in a few words.
    pub title: String,
    /// Where that came from: it is validated again once the faults are fixed.
    pub source: SubjectSource,
    /// The faults, one by one; at least one.
    pub faults: Vec<Fault>,
}

/// A single fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationFault"))]
pub struct Fault {
    /// Lower-case letters, digits and hyphens, unique among the faults: `c2`, `check-lint`, `gap-g1`.
    pub id: String,
    /// What must be true, and what was observed instead.
    pub text: String,
}

impl SubjectSource {
    /// The command that validates the same subject again; `None` when the user would have to type it again.
    pub(crate) fn validated_by(&self) -> Option<String> {
        match self {
            Self::Text => None,
            Self::Flow { session, .. } => Some(format!("/validate flow {session}")),
            Self::Run { run, design } => Some(format!("/validate run {run}/{design}")),
            Self::File { path } => Some(format!("/validate file {}", visible::line(path))),
        }
    }
}

impl Run {
    /// The run's findings that need fixing, or why there are none.
    pub fn to_fix(&self) -> Result<ToFix, Problem> {
        let session = self.begun()?;
        let run = session.directory.name.clone().unwrap_or_default();
        if !matches!(session.phase, Phase::Resting(_)) {
            return Err(Problem::new(ValidationCode::NotReported, format!("{run} hasn't ended yet."))
                .next(format!("/validate-resume {run} continues it. Plan the fix once it has ended.")));
        }
        let faults = faults(session);
        if faults.is_empty() {
            return Err(Problem::new(ValidationCode::NothingToFix, format!("{run} found nothing to fix."))
                .allowed("a run with a criterion that isn't met, a check that failed, or a gap")
                .next(format!("/validate-status {run} shows its verdicts.")));
        }
        let subject = &session.opening.subject;
        Ok(ToFix { run, title: visible::line(&subject.title), source: subject.source.clone(), faults })
    }
}

pub(super) fn faults(session: &Session) -> Vec<Fault> {
    let fault = |id: String, text: String| Fault { id, text: visible::line(&text) };
    let criteria = session.judged().into_iter().filter(|one| one.verdict == Verdict::NotMet);
    let criteria = criteria.map(|one| {
        fault(one.id.to_lowercase(), format!("{}. Seen: {}", one.text.trim_end_matches('.'), one.reason))
    });
    let checks = session.judged_checks().into_iter().filter(|one| one.verdict == CheckVerdict::Failed);
    let checks = checks.map(|one| {
        let found = one.findings.iter().map(|found| format!(" {found}"));
        fault(
            format!("check-{}", one.id),
            format!("The check {} failed: {}.{}", one.id, one.reason, found.collect::<String>()),
        )
    });
    let gaps = session.analysis.iter().flat_map(|analysis| analysis.sorted_gaps());
    let gaps =
        gaps.map(|gap| fault(format!("gap-{}", gap.id.to_lowercase()), format!("Gap {}", gap_line(gap))));
    criteria.chain(checks).chain(gaps).collect()
}
