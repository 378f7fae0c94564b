//! A criterion that was not met in the run before and is met now: both pictures, side by side, and no other verdict because of them.

use super::page::{PIXEL, shown};
use super::*;
use crate::validation::before::{Before, found};
use crate::validation::page::Picture;
use crate::validation::protocol::Opening;
use crate::validation::stored::Found;
use kernel::digest::sha256;
use kernel::index::Summary;
use kernel::origin::Origin;

const EARLIER: &str = "validate-20261122t223110z-a1b2";

/// Both tests, each with a screenshot of its own and Playwright's, and with a video.
fn filmed(against: Against, pass: u32) -> Vec<TestSeen> {
    let mut tests = tests_seen(against, pass);
    for test in &mut tests {
        let place = format!("playwright/{against:?}-{pass}/artifacts/{}", test.title.replace(' ', "-"));
        let place = place.to_lowercase();
        let left =
            [("screenshot", "own.png"), ("screenshot", "test-finished-1.png"), ("video", "video.webm")];
        test.attachments = left
            .map(|(name, file)| Attachment { name: name.to_owned(), path: format!("{place}/{file}") })
            .to_vec();
    }
    tests
}

/// Neither passes.
fn failing(against: Against, pass: u32) -> Vec<TestSeen> {
    filmed(against, pass).into_iter().map(fallen).collect()
}

/// Without any file.
fn failing_bare(against: Against, pass: u32) -> Vec<TestSeen> {
    tests_seen(against, pass).into_iter().map(fallen).collect()
}

type Tests = fn(Against, u32) -> Vec<TestSeen>;

/// Everything that these tests left behind is evidence. `salt`: makes the files those of one run.
fn leaving(effect: &Effect, seen: Tests, salt: &str, bytes: u64) -> Decision {
    let Effect::TearDown { effect } = effect else { return well_but(effect, seen) };
    let both = [1, 2].into_iter().flat_map(|pass| seen(Against::Application, pass));
    let paths = both.flat_map(|test| test.attachments).map(|one| one.path);
    let file = |path: String| EvidenceFile { sha256: sha256(&format!("{salt} {path}")), path, bytes };
    Decision::TornDown { effect: *effect, processes: Vec::new(), evidence: paths.map(file).collect() }
}

fn stored(run: &Run, origin: Origin) -> Found {
    let summary = Summary { origin, ..run.summary().unwrap() };
    let name = summary.directory.clone().unwrap();
    Found { name, summary: Some(summary), problem: None, owner: Owner::Nobody }
}

/// The opening of a later run.
fn later(subject: Subject, settings: ValidationSettings) -> Opening {
    let EventKind::Opened(mut opening) = opened(subject, settings) else { unreachable!() };
    opening.stamp = "20261123T223110Z".to_owned();
    *opening
}

fn seen(earlier: &Run, named: &Before, origin: Origin) -> Option<Before> {
    earlier.before(&named.run, &named.subject, origin).unwrap()
}

/// What the shell does before a run begins.
fn compared(opening: Opening, earlier: &Run, origin: Origin) -> Opening {
    let opening = found(opening, &[stored(earlier, origin)]);
    let before = opening.before.as_ref().and_then(|named| seen(earlier, named, origin));
    Opening { before: before.map(Box::new), ..opening }
}

/// A failed run, and a later one that passes.
fn both<'a>(
    subject: Subject,
    settings: ValidationSettings,
    before: Effects<'_>,
    after: Effects<'a>,
) -> Shell<'a> {
    let earlier = run(&honest, before);
    let opening = compared(later(subject, settings), &earlier.run, Origin::Here);
    run_of(EventKind::Opened(Box::new(opening)), &honest, after)
}

fn before_failed(effect: &Effect) -> Decision {
    leaving(effect, failing, "before", 5_000)
}

fn after_passed(effect: &Effect) -> Decision {
    leaving(effect, filmed, "after", 5_000)
}

/// The files that the page wants, as the shell hands them over.
fn handed(shell: &Shell<'_>) -> Vec<Picture> {
    let wanted = shell.run.pictures().unwrap().into_iter();
    let data = || PIXEL.to_owned();
    wanted.map(|(_, file)| Picture { path: file.path, sha256: file.sha256, data: data() }).collect()
}

/// The files that the page wants: the run that has each, and its path.
fn wanted(shell: &Shell<'_>) -> Vec<(bool, String)> {
    let wanted = shell.run.pictures().unwrap().into_iter();
    wanted.map(|(run, file)| (run.is_some_and(|run| run == EARLIER), file.path)).collect()
}

#[test]
fn the_picture_of_the_failure_is_beside_the_picture_of_what_passes_now() {
    let shell = both(subject(), settings(), &before_failed, &after_passed);
    assert_eq!(verdicts(&shell), ["met", "met"]);
    let path = |name: &str, file: &str| format!("playwright/application-1/artifacts/{name}/{file}");
    let first = wanted(&shell);
    assert_eq!(
        first[..2],
        [(true, path("signs-in", "test-finished-1.png")), (false, path("signs-in", "test-finished-1.png"))],
        "of both runs, Playwright's own picture"
    );
    let videos = first.iter().filter(|(_, path)| path.ends_with("/video.webm")).map(|(earlier, _)| *earlier);
    assert_eq!(videos.collect::<Vec<_>>(), [true, false, true, false]);
    let page = shown("compared", shell.run.page(&handed(&shell)).unwrap());
    assert!(page.contains("; img-src data:; media-src data:\">"), "{page}");
    let from = page.find("Not met in the run before, met in this run:").unwrap();
    let piece = &page[from..][..page[from..].find("</article>").unwrap()];
    insta::assert_snapshot!("before_after", piece.replace(PIXEL, "PIXEL"));
    assert_eq!(page.matches("<video").count(), 4);
    assert_eq!(page.matches("<img").count(), 6, "each picture once: two pairs, and two of the tests' own");
    let report = &shell.files["FINAL-VALIDATION.md"];
    for line in [
        format!("- Before, in {EARLIER} at 2026-11-20T09:30:"),
        format!("signs in failed. Picture: ../{EARLIER}/{}", path("signs-in", "test-finished-1.png")),
        "- After, in this run: signs in passed. Picture: playwright/application-1/".to_owned(),
    ] {
        assert!(report.replace('\\', "").contains(&line), "{line}: {report}");
    }
    let last = &shell.json("FINAL-VALIDATION.json")["criteria"][1]["before"];
    assert_eq!((&last["run"], &last["test"]), (&json!(EARLIER), &json!("tells a wrong password")));
    let digest = sha256(&format!("before {}", path("tells-a-wrong-password", "test-finished-1.png")));
    assert_eq!(last["files"][0]["sha256"], digest);
    assert!(shell.json("FINAL-VALIDATION.json")["evidence"].as_array().unwrap().len() == 12, "its own");
}

#[test]
fn what_is_not_the_recorded_file_is_not_shown_and_the_page_says_so() {
    let shell = both(subject(), settings(), &before_failed, &after_passed);
    assert!(shell.files["report.html"].contains("Picture: It isn’t on this page yet."));
    let mut pictures = handed(&shell);
    // The earlier run's file now has other content; the path is that of both runs.
    pictures.retain(|one| one.sha256 != shell.run.pictures().unwrap()[0].1.sha256);
    let page = shell.run.page(&pictures).unwrap();
    let why = "Picture: The file is missing, or was changed since it was recorded.";
    assert_eq!(page.matches(why).count(), 1, "{page}");
    assert!(page.contains(&format!("../{EARLIER}/playwright/")), "the link remains");

    let bare = |effect: &Effect| leaving(effect, failing_bare, "before", 5_000);
    let shell = both(subject(), settings(), &bare, &after_passed);
    let page = shell.run.page(&handed(&shell)).unwrap();
    assert_eq!(page.matches("Picture: None was recorded.").count(), 2, "{page}");
    assert!(!page.contains("<video") && !page.contains("media-src"), "one video alone compares nothing");
    assert!(shell.files["FINAL-VALIDATION.md"].contains("failed. No picture was recorded"));
    let filming = ValidationSettings { video: true, ..settings() };
    let shell = both(subject(), filming, &bare, &after_passed);
    assert!(shell.run.page(&handed(&shell)).unwrap().contains("Video: None was recorded."));
}

#[test]
fn all_pictures_and_videos_share_the_room_of_the_page() {
    let half = |effect: &Effect| leaving(effect, filmed, "after", 1 << 20);
    let large = |effect: &Effect| leaving(effect, failing, "before", 1 << 20);
    let shell = both(subject(), settings(), &large, &half);
    assert_eq!(shell.run.pictures().unwrap().len(), 4, "four of 1 MB");
    assert!(
        wanted(&shell).iter().all(|(_, path)| path.ends_with("test-finished-1.png")),
        "comparisons come first"
    );
    let page = shell.run.page(&handed(&shell)).unwrap();
    assert_eq!(page.matches("Video: The page has no room for it.").count(), 4, "{page}");
    assert!(page.contains("2 pictures aren&#39;t on this page: a page has"), "{page}");
    assert!(
        page.contains(&format!(
            "href=\"../{EARLIER}/playwright/application-1/artifacts/signs-in/video.webm\""
        ))
    );
}

#[test]
fn another_criterion_with_the_same_id_is_not_compared() {
    let mut other = subject();
    other.criteria[0].text = "A user signs out".to_owned();
    let shell = both(other, settings(), &before_failed, &after_passed);
    assert_eq!(wanted(&shell).iter().filter(|(earlier, path)| *earlier && path.ends_with("png")).count(), 1);
    let last = shell.json("FINAL-VALIDATION.json");
    assert_eq!(last["criteria"][0].get("before"), None);
    assert_eq!(last["criteria"][1]["before"]["run"], EARLIER);
}

#[test]
fn what_is_still_not_met_is_not_compared_and_no_verdict_changes() {
    let shell = both(subject(), settings(), &before_failed, &before_failed);
    assert_eq!(verdicts(&shell), ["not_met", "not_met"]);
    assert!(wanted(&shell).iter().all(|(earlier, _)| !earlier));
    assert!(!shell.files["FINAL-VALIDATION.md"].contains("Before, in"));
}

#[test]
fn a_run_counts_only_if_it_is_ours_and_about_the_same_subject() {
    let earlier = run(&honest, &before_failed);
    let again = || later(subject(), settings());
    let before = |opening: Opening, origin| compared(opening, &earlier.run, origin).before;
    assert_eq!(before(again(), Origin::Here).unwrap().failed.len(), 2);
    for origin in [Origin::Elsewhere, Origin::Unmarked] {
        assert_eq!(before(again(), origin), None, "{origin:?}");
        // A summary that claims more than the journal shows changes nothing.
        let claimed = found(again(), &[stored(&earlier.run, Origin::Here)]).before.unwrap();
        assert_eq!(seen(&earlier.run, &claimed, origin), None, "{origin:?}");
    }
    let other = |text: &str| Subject { text: text.to_owned(), ..subject() };
    assert_eq!(before(later(other("Users sign out."), settings()), Origin::Here), None);
    let claimed = *found(again(), &[stored(&earlier.run, Origin::Here)]).before.unwrap();
    let renamed = Before { run: "validate-20261101t000000z-0000".to_owned(), ..claimed.clone() };
    assert_eq!(seen(&earlier.run, &renamed, Origin::Here), None, "a copied journal");
    let of_other = Before { subject: "0".repeat(16), ..claimed };
    assert_eq!(seen(&earlier.run, &of_other, Origin::Here), None, "a summary that names another subject");
    let of_flow = |tree: &str, worker: &str| SubjectSource::Flow {
        session: "2026-11-22-sign-in".to_owned(),
        tree: Some(tree.to_owned()),
        worker: Some(worker.to_owned()),
    };
    let of = |source| super::super::before::key(&Subject { source, ..subject() });
    assert_eq!(of(of_flow("t1", "acme/a")), of(of_flow("t2", "acme/b")), "files may change");
}

#[test]
fn the_latest_run_with_a_verdict_on_it_is_the_run_before() {
    let failed = run(&honest, &before_failed);
    let mut opening = later(subject(), settings());
    opening.stamp = "20261122T230000Z".to_owned();
    let passed = run_of(EventKind::Opened(Box::new(opening.clone())), &honest, &well);
    let waiting = run_of(EventKind::Opened(Box::new(opening)), &strict, &well);
    let of = |all: &[&Run]| {
        let all: Vec<Found> = all.iter().map(|run| stored(run, Origin::Here)).collect();
        found(later(subject(), settings()), &all).before.map(|before| before.run)
    };
    assert_eq!(of(&[&failed.run]).as_deref(), Some(EARLIER));
    assert_eq!(of(&[&failed.run, &passed.run]), None, "it was met since");
    let reads = Opening { scope: Scope::Work, ..later(subject(), settings()) };
    assert_eq!(found(reads, &[stored(&failed.run, Origin::Here)]).before, None, "a model only reads");
    assert_eq!(of(&[&failed.run, &waiting.run]).as_deref(), Some(EARLIER), "that run judged nothing");
}

#[test]
fn a_journal_names_no_run_outside_the_directory_of_runs() {
    let earlier = run(&honest, &before_failed);
    let mut opening = compared(later(subject(), settings()), &earlier.run, Origin::Here);
    let line = |opening: &Opening| {
        let kind = EventKind::Opened(Box::new(opening.clone()));
        Run::new().seal(&super::super::protocol::Event { at: 0, kind })
    };
    assert!(Run::replay(&line(&opening)).is_ok());
    opening.before.as_mut().unwrap().run = "../../elsewhere".to_owned();
    assert!(Run::replay(&line(&opening)).is_err());
}

#[test]
fn videos_of_every_test_are_kept_in_the_first_pass_if_the_settings_say_so() {
    let films = |settings: ValidationSettings| {
        let shell = run_of(opened(subject(), settings), &honest, &well);
        let films = shell.effects_asked.iter().filter_map(|effect| match effect {
            Effect::RunTests { against, pass, video: true, .. } => Some((*against, *pass)),
            _ => None,
        });
        (films.collect::<Vec<_>>(), shell.files["FINAL-VALIDATION.md"].clone())
    };
    assert_eq!(films(settings()).0, []);
    let (films, report) = films(ValidationSettings { video: true, ..settings() });
    assert_eq!(films, [(Against::Application, 1)]);
    let missing = "- Videos: none recorded. To record videos, install Playwright's FFmpeg: npx playwright \
                   install ffmpeg";
    assert!(report.contains(missing), "{report}");
}
