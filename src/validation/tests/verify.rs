//! What `validation verify` reports about a run: its journal, its evidence, its verdict.

use super::*;
use crate::validation::verify::{RenderedFile, Seen};

fn seen(shell: &Shell<'_>) -> Seen {
    let Decision::TornDown { evidence, .. } = well(&Effect::TearDown { effect: 1 }) else { unreachable!() };
    let package = "0.1.0".to_owned();
    Seen { journal: shell.journal.concat(), head: None, evidence, rendered: Vec::new(), package }
}

#[test]
fn what_is_as_it_was_recorded_is_reported_with_the_verdict() {
    let shell = run(&honest, &well);
    let account = shell.run.verify(&seen(&shell)).unwrap();
    assert!(account.starts_with("Validation · validated · Sign in\n\nJournal   "), "{account}");
    assert!(account.contains("\nEvidence  1 file, unchanged since the run ended\n"), "{account}");
    assert!(account.ends_with("computed again from the journal. Of 2 criteria: 2 met.\n"), "{account}");
    let head = account.lines().find_map(|line| line.strip_prefix("Head      ")).unwrap();
    for (noted, holds) in [(head, true), (&head[..16], true), (&head[..15], false), (&"0".repeat(64), false)]
    {
        let verified = shell.run.verify(&Seen { head: Some(noted.to_owned()), ..seen(&shell) });
        assert_eq!(verified.is_ok(), holds, "{noted}");
        if let Err(problems) = verified {
            assert_eq!(problems[0].code, ValidationCode::Head);
        }
    }
}

#[test]
fn evidence_that_differs_is_named() {
    let shell = run(&honest, &well);
    let now = seen(&shell);
    let other = |change: fn(&mut EvidenceFile)| {
        let mut evidence = now.evidence.clone();
        change(&mut evidence[0]);
        evidence
    };
    let more = EvidenceFile { path: "servers/\u{202e}.log".to_owned(), ..now.evidence[0].clone() };
    for (evidence, expected) in [
        (Vec::new(), "trace.zip is missing."),
        (other(|file| file.sha256 = "cd".repeat(32)), "trace.zip differs from what was recorded."),
        (other(|file| file.bytes = 1), "trace.zip differs from what was recorded."),
        ([now.evidence.clone(), vec![more]].concat(), "servers/[U+202E].log was added after the run ended."),
    ] {
        let problems = shell.run.verify(&Seen { evidence, ..now.clone() }).unwrap_err();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].code, ValidationCode::Evidence);
        assert!(problems[0].message.ends_with(expected), "{}", problems[0].message);
    }
}

#[test]
fn of_a_run_without_a_report_the_journal_alone_is_reported() {
    let shell = run(&strict, &well);
    let account = shell.run.verify(&Seen { evidence: Vec::new(), ..seen(&shell) }).unwrap();
    assert!(account.contains("Evidence  not compared: the run has no report"), "{account}");
}

#[test]
fn what_is_rendered_from_the_journal_is_compared_with_it() {
    let shell = run(&honest, &well);
    let of = |found: Option<&str>, meant: Option<&str>| RenderedFile {
        path: "FINAL-VALIDATION.md".to_owned(),
        found: found.map(str::to_owned),
        meant: meant.map(str::to_owned),
    };
    let verify = |rendered: Vec<RenderedFile>, package: &str| {
        shell.run.verify(&Seen { rendered, package: package.to_owned(), ..seen(&shell) })
    };
    let line = |verified: Result<String, Vec<kernel::problem::Problem>>| match verified {
        Ok(account) => account.lines().find(|line| line.starts_with("Reports")).unwrap().to_owned(),
        Err(problems) => problems[0].message.clone(),
    };
    for (file, package, expected) in [
        (of(Some("a1"), Some("a1")), "0.1.0", "Reports   1 file as recorded in the journal"),
        (of(None, Some("a1")), "0.1.0", "Reports   none on disk: `validation report` writes them"),
        (of(None, None), "0.1.0", "Reports   0 files as recorded in the journal"),
        (
            of(Some("b2"), Some("a1")),
            "0.1.0",
            "The file FINAL-VALIDATION.md differs from what the journal records.",
        ),
        (of(Some("b2"), Some("a1")), "0.2.0", "Reports   not compared, because Design Lab 0.1.0 wrote them"),
        (of(Some("a1"), None), "0.2.0", "FINAL-VALIDATION.md exists, but the journal doesn't mention it."),
    ] {
        assert_eq!(line(verify(vec![file.clone()], package)), expected, "{file:?}, {package}");
    }
}
