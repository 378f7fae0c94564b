//! Runs of a task with images: which models get them, which only learn about them, and that a continued run sends the same.

use super::super::FollowUp;
use super::follow_up::build_upon;
use super::reconfigured::taken_over;
use super::*;
use crate::design_lab::images::{look, tests::png};
use crate::design_lab::workflow::Wanted;
use kernel::protocol::KeptFile;

fn image(name: &str, bytes: &[u8]) -> Attachment {
    let content = Content::Pasted { size: bytes.len() as u64 };
    let attached =
        Attached { name: name.to_owned(), mime: "image/png".to_owned(), lines: None, own: false, content };
    Attachment { attached, read: vec![Read { path: String::new(), text: None, image: look(bytes) }] }
}

/// The input of a run with two images, where two of the five models accept images.
fn input() -> OpeningInput {
    let mut input = beginning(&config(), "Design what this shows");
    for model in &mut input.available.models {
        model.images = matches!(model.model.as_str(), "quill-4" | "judge");
    }
    input.attachments = vec![image("a\u{7}.png", &png(640, 480)), image("b.png", &png(8, 9))];
    input
}

fn played(script: &dyn Fn(&Ask) -> Does) -> Shell<'_> {
    let mut shell = Shell::new(script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&input()).unwrap())));
    shell.finish();
    shell
}

/// The prompts that start a conversation, by job and whether images are sent with them.
fn sent(shell: &Shell<'_>) -> BTreeMap<String, bool> {
    shell.asked.iter().map(|ask| (ask.job.as_str().to_owned(), !ask.files.is_empty())).rev().collect()
}

const COMES: &str = "The images named above are attached to this message";
const CANT: &str = "The images named above can't be shown to you";

#[test]
fn models_that_take_images_are_sent_them_once_and_others_are_reported() {
    let opening = begin(&input()).unwrap();
    let note = "Images: a[U+0007].png (PNG, 33 bytes); b.png (PNG, 33 bytes). Shown to quill-4, judge. Not \
                shown to brisk-10, zeph-3, jury: OpenCode's catalogue lists no image input for them, so \
                they only learn that there are some. An image counts as 1,600 tokens in the estimate.";
    assert_eq!(opening.notes, [note]);
    let files: Vec<KeptFile> = opening.images.iter().map(|image| image.file.clone()).collect();
    let shell = played(&well);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    for ask in &shell.asked {
        let (kind, who) = ask.job.as_str().split_once(':').unwrap_or((ask.job.as_str(), ""));
        // The second turn of a reviewer continues a conversation that has them.
        let begins = ask.text.contains("## Attached: b.png\n\nAn image: PNG, 8 × 9 pixels, 33 bytes.");
        assert_eq!(begins, !(kind == "review" && ask.text.contains("design_id: \"")), "{}", ask.text);
        let shown = begins && matches!(who, "quill-4" | "judge:1");
        assert_eq!(ask.files, if shown { files.clone() } else { vec![] }, "{}", ask.job);
        assert_eq!(ask.text.contains(COMES), shown, "{}", ask.text);
        assert_eq!(ask.text.contains(CANT), begins && !shown && kind != "topic", "{}", ask.text);
        assert!(!ask.text.contains(['\u{7}']) && !ask.text.contains("attachments/"), "{}", ask.text);
    }
    let words = shell.files["results/results.md"].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("Not shown to brisk-10, zeph-3, jury"),
        "the results say who didn't see them: \
                                                                    {words}"
    );
    let first: Value = serde_json::from_str(&shell.journal[0]).unwrap();
    assert_eq!(first["images"][1]["file"]["sha256"], json!(files[1].sha256));
    assert!(!shell.journal[0].contains("base64"));
}

#[test]
fn a_run_that_continues_after_any_line_sends_the_same_to_the_same() {
    let undisturbed = played(&well);
    let expected = sent(&undisturbed);
    for length in 1..undisturbed.journal.len() {
        let mut shell = Shell::resumed(&undisturbed.journal[..length], &well, Order::LastIn, BTreeMap::new());
        assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
        for (job, files) in sent(&shell) {
            let again = shell.asked.iter().any(|ask| ask.job.as_str() == job && ask.text.contains("b.png"));
            assert_eq!(files, again && expected[&job], "after line {length}: {job}");
        }
    }
}

#[test]
fn a_fresh_session_is_sent_them_again_and_a_repair_is_not() {
    let lost = std::cell::Cell::new(false);
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:quill-4" if !ask.text.contains("can't be used") => Does::Says("{}".to_owned()),
        "review:judge:1" if ask.text.contains("design_id: \"") && !lost.replace(true) => {
            Does::Fails("NotFoundError", Some(404))
        }
        _ => well(ask),
    };
    let shell = played(&script);
    let of = |job: &str| -> Vec<usize> {
        shell.asked.iter().filter(|ask| ask.job.as_str() == job).map(|ask| ask.files.len()).collect()
    };
    assert_eq!(of("design:quill-4"), [2, 0], "the session has them");
    assert_eq!(of("review:judge:1"), [2, 0, 2], "the session was lost");
}

#[test]
fn what_a_model_was_shown_it_is_shown_to_the_end_whatever_the_catalogue_says_by_then() {
    let half: Vec<String> = played(&well).journal.into_iter().take(8).collect();
    let mut other = config();
    other["review_models"] = json!(["z/judge", "anthropic/claude-opus-4.5"]);
    // Its catalogue lists no model of the run as accepting images, and one new model that does.
    let shell = taken_over(&half, &other, &well, Order::FirstIn);
    let state = shell.run.state().unwrap();
    assert!(state.opening.models.iter().any(|facts| facts.model_id == "z/judge" && facts.images));
    let notes: Vec<_> = state.opening.notes.iter().filter(|note| note.starts_with("Image")).collect();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("Not shown to brisk-10, zeph-3, claude-opus-4-5:"), "{notes:?}");
}

#[test]
fn what_is_built_upon_such_a_run_has_the_same_images() {
    let shell = played(&well);
    for follow_up in [FollowUp::Review, FollowUp::Refine, FollowUp::Merge] {
        let run = build_upon(&shell, follow_up, &Wanted { rounds: 1, ..Wanted::default() }, &config(), &well);
        let first: Value = serde_json::from_str(&run.journal[0]).unwrap();
        assert_eq!(first["images"].as_array().unwrap().len(), 2, "{follow_up:?}");
        let note = first["notes"].to_string();
        assert!(note.contains("lists no image input for these models"), "{note}");
    }
}

#[test]
fn an_image_counts_in_what_is_expected() {
    let with = by_length(&begin(&input()).unwrap());
    let mut input = input();
    for model in &mut input.available.models {
        model.images = false;
    }
    let without = by_length(&begin(&input).unwrap());
    // A designer; and a reviewer, whose second turn is counted in full, after everything that was sent before.
    let images = with - without;
    assert!((4 * 2 * 1_600 - 200..4 * 2 * 1_600 + 200).contains(&images), "{images}");
}

fn by_length(opening: &Opening) -> u64 {
    super::super::foreseen(opening.clone(), &[]).forecast.unwrap().tokens
}

#[test]
fn the_same_task_with_another_image_is_another_run() {
    let run = Run::replay(&played(&well).journal.concat()).unwrap().0;
    let name = "2026-11-20-x".to_owned();
    let found = [Found { name, owner: Owner::Nobody, summary: run.summary(), problem: None }];
    assert_eq!(refuse_twin(&begin(&input()).unwrap(), &found).unwrap_err().code, "run.exists");
    let mut other = input();
    let mut bytes = png(8, 9);
    bytes[30] ^= 1;
    other.attachments[1] = image("b.png", &bytes);
    assert_eq!(refuse_twin(&begin(&other).unwrap(), &found), Ok(()));
}

#[test]
fn a_journal_names_an_image_by_what_is_in_it_or_is_refused() {
    let event = |change: &dyn Fn(&mut KeptFile)| {
        let mut opening = begin(&input()).unwrap();
        change(&mut opening.images[0].file);
        let event = Event { at: 1, kind: EventKind::Opened(Box::new(opening)) };
        let mut run = Run::default();
        let line = run.seal(&event);
        run.apply(&line).map(|_| ())
    };
    assert_eq!(event(&|_| {}), Ok(()));
    let changes: [&dyn Fn(&mut KeptFile); 6] = [
        &|file| file.path = "../../../etc/passwd".to_owned(),
        &|file| file.path = "designs/quill-4.json".to_owned(),
        &|file| file.mime = "text/html".to_owned(),
        &|file| file.sha256 = file.sha256.to_uppercase(),
        &|file| file.bytes = u64::MAX,
        &|file| {
            file.sha256 = "../../..".to_owned();
            file.path = "attachments/../../...png".to_owned();
        },
    ];
    for change in changes {
        let problem = event(change).unwrap_err();
        assert_eq!(problem.code, "journal.invalid");
        assert!(problem.message.contains("an image isn't named by what is in it"), "{}", problem.message);
    }
}
