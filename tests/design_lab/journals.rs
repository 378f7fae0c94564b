//! Journals of earlier versions are replayed.

use kernel::run::Durable as _;
use lab_core::design_lab::workflow::{Outcome, Run};

/// A whole run, written before journals named their workflow.
const BEFORE_THE_KERNEL: &str = include_str!("journals/before-the-kernel.jsonl");

#[test]
fn a_journal_from_before_there_were_other_workflows_replays() {
    assert!(!BEFORE_THE_KERNEL.contains("\"workflow\""));
    let (run, whole) = Run::replay(BEFORE_THE_KERNEL).unwrap();
    assert_eq!(whole, BEFORE_THE_KERNEL.len());
    let summary = run.summary().unwrap();
    assert_eq!(summary.directory.as_deref(), Some("2026-11-22-public-api-rate-limiter"));
    assert_eq!(summary.outcome, Some(Outcome::Complete));
    assert!(!summary.unfinished && !summary.failed);
    let files: Vec<String> = run.files().unwrap().into_iter().map(|(path, _)| path).collect();
    for path in ["task.json", "designs/aspen.json", "reviews/review-slate.md", "results/ranking.json"] {
        assert!(files.iter().any(|file| file == path), "{path}: {files:?}");
    }
    assert_eq!(run.rank().unwrap().rankings.len(), 3);
}

#[test]
fn a_journal_of_another_workflow_is_refused_by_name() {
    let other = BEFORE_THE_KERNEL.replacen("\"version\":1", "\"version\":1,\"workflow\":\"flow\"", 1);
    let line = other.lines().next().unwrap();
    let start = line.find("\"at\"").unwrap();
    let sealed = kernel::journal::seal_text(1, &format!("{{{}", &line[start..]));
    let problem = Run::replay(&sealed).unwrap_err();
    assert_eq!(problem.code, "journal.workflow");
    assert_eq!(problem.found.as_deref(), Some("flow"));
}
