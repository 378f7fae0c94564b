//! `report.html`, in the situations that matter. Each page is written to `target/tmp/pages/`, where the tests in a browser find it.

use super::*;
use crate::shared::markdown::rendered::assert_inert;
use crate::validation::page::Picture;
use crate::validation::protocol::{Paths, ServerFault};
use kernel::digest::sha256;
use std::path::Path;

/// The smallest possible PNG, of one pixel.
pub(super) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Writes a page to where the browser finds it.
pub(super) fn shown(name: &str, page: String) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tmp/pages");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join(format!("validation-{name}.html")), &page).unwrap();
    page
}

/// The visible part of the page.
fn body(page: &str) -> &str {
    page.split_once("<body>").unwrap().1
}

/// The path of a test's picture.
fn picture_of(pass: u32, name: &str) -> String {
    format!("playwright/application-{pass}/artifacts/{name}/test-finished-1.png")
}

/// Both tests, each with a picture and a trace.
fn pictured(against: Against, pass: u32) -> Vec<TestSeen> {
    let mut tests = tests_seen(against, pass);
    if against == Against::Application {
        for test in &mut tests {
            let name = test.title.replace(' ', "-");
            let trace = format!("playwright/application-{pass}/artifacts/{name}/trace.zip");
            test.tags.push("@J1".to_owned());
            test.attachments = [("trace", trace), ("screenshot", picture_of(pass, &name))]
                .map(|(name, path)| Attachment { name: name.to_owned(), path })
                .to_vec();
        }
    }
    tests
}

/// Every file that these tests left behind, as evidence.
fn evidence(seen: impl Fn(Against, u32) -> Vec<TestSeen>, bytes: u64) -> Vec<EvidenceFile> {
    let both = [1, 2].into_iter().flat_map(|pass| seen(Against::Application, pass));
    let paths = both.flat_map(|test| test.attachments).map(|one| one.path);
    paths.map(|path| EvidenceFile { sha256: sha256(&path), path, bytes }).collect()
}

fn with_evidence(effect: &Effect, seen: fn(Against, u32) -> Vec<TestSeen>, bytes: u64) -> Decision {
    match effect {
        Effect::TearDown { effect } => {
            Decision::TornDown { effect: *effect, processes: Vec::new(), evidence: evidence(seen, bytes) }
        }
        other => well_but(other, seen),
    }
}

/// The pictures that the shell provides: the files as they were recorded, each with the same picture.
fn handed(shell: &Shell<'_>) -> Vec<Picture> {
    let wanted = shell.run.pictures().unwrap();
    let picture = |(_, file): (Option<String>, EvidenceFile)| Picture {
        path: file.path,
        sha256: file.sha256,
        data: PIXEL.to_owned(),
    };
    wanted.into_iter().map(picture).collect()
}

#[test]
fn of_a_build_that_is_validated() {
    let shell = run(&honest, &|effect: &Effect| with_evidence(effect, pictured, 5_000));
    let without = shell.files["report.html"].clone();
    assert!(without.contains("2 pictures aren&#39;t on this page yet"), "{without}");
    assert!(!without.contains("<img"), "and is whole all the same");
    let wanted = shell.run.pictures().unwrap();
    let first = |name: &str| picture_of(1, name);
    assert_eq!(
        wanted.iter().map(|(_, file)| &file.path).collect::<Vec<_>>(),
        [&first("signs-in"), &first("tells-a-wrong-password")],
        "in the order in which they were gone, of one pass"
    );
    let page = shown("validated", shell.run.page(&handed(&shell)).unwrap());
    insta::assert_snapshot!("page", body(&page));
    assert_eq!(page.matches(&format!("src=\"data:image/png;base64,{PIXEL}\"")).count(), 2);
    assert!(!page.contains("on this page"), "none is missing");
    assert!(page.contains("<code>7e7e") || page.contains("7e7e7e7e7e"), "the tree of the application");
    for link in ["playwright/application-2/artifacts/signs-in/trace.zip", "#criterion-2", "#test-1"] {
        assert!(page.contains(&format!("href=\"{link}\"")), "{link}");
    }
}

#[test]
fn a_picture_is_the_one_that_was_recorded_or_none() {
    let shell = run(&honest, &|effect: &Effect| with_evidence(effect, pictured, 5_000));
    let [first, second] = handed(&shell).try_into().unwrap();
    for (pictures, expected) in [
        (vec![], "2 pictures aren&#39;t on this page: they are missing"),
        (vec![second.clone()], "1 picture isn&#39;t on this page: it is missing"),
        (
            vec![Picture { sha256: "0".repeat(64), ..first.clone() }, second.clone()],
            "1 picture isn&#39;t on this page: it is missing",
        ),
        (
            vec![Picture { data: "\"><script>".to_owned(), ..first.clone() }, second],
            "1 picture isn&#39;t on this page: it is missing",
        ),
        (
            vec![Picture { path: "journal.jsonl".to_owned(), ..first }],
            "2 pictures aren&#39;t on this page: they are missing",
        ),
    ] {
        let page = shell.run.page(&pictures).unwrap();
        assert!(page.contains(expected), "{expected}: {page}");
        assert!(!page.contains("<script"), "{page}");
    }
}

#[test]
fn pictures_are_bounded_in_number_and_in_bytes() {
    let many = |against, pass| -> Vec<TestSeen> {
        let mut tests = pictured(against, pass);
        for index in 0..40 {
            let path = picture_of(pass, &format!("more-{index}"));
            tests[0].attachments.push(Attachment { name: "screenshot".to_owned(), path });
        }
        tests
    };
    for (bytes, wanted, left_out) in [(1_000, 24, 18), (1 << 20, 4, 38), ((1 << 20) + 1, 0, 42)] {
        let effects = |effect: &Effect| match effect {
            Effect::TearDown { effect } => {
                Decision::TornDown { effect: *effect, processes: Vec::new(), evidence: evidence(many, bytes) }
            }
            other => well_but(other, many),
        };
        let shell = run(&honest, &effects);
        assert_eq!(shell.run.pictures().unwrap().len(), wanted, "of {bytes} bytes each");
        let page = shell.run.page(&handed(&shell)).unwrap();
        assert_eq!(page.matches("<img").count(), wanted);
        assert!(page.contains(&format!("{left_out} pictures aren&#39;t on this page: a page has")), "{page}");
    }
}

#[test]
fn of_a_build_with_a_fault_and_of_gaps_that_were_tested_all_the_same() {
    let broken = |against, pass| -> Vec<TestSeen> {
        let mut tests = pictured(against, pass);
        if against == Against::Application && pass == 2 {
            let last = tests.pop().unwrap();
            let error = "Error: expected \"Wrong password\"\n\n  7 | await expect(alert)\n".to_owned();
            let failed_requests = vec![FailedRequest {
                method: "POST".to_owned(),
                url: "http://127.0.0.1:4711/session".to_owned(),
                status: None,
                reason: "net::ERR_CONNECTION_RESET".to_owned(),
            }];
            tests.push(TestSeen { error, failed_requests, ..fallen(last) });
        }
        tests
    };
    let effects = |effect: &Effect| match effect {
        Effect::TearDown { effect } => Decision::TornDown {
            effect: *effect,
            processes: vec![ProcessEnd {
                name: "web".to_owned(),
                pid: 4_713,
                end: How::LeftAlone,
                why: "its start time differs".to_owned(),
                look: "ps -p 4713 -o pid,lstart,args".to_owned(),
                checked: vec!["start time".to_owned()],
            }],
            evidence: evidence(broken, 5_000),
        },
        other => well_but(other, broken),
    };
    let mut shell = run(&strict, &effects);
    decide(&mut shell, "force-test");
    let page = shown("failed", shell.run.page(&handed(&shell)).unwrap());
    for part in [
        "Tested despite 2 open gaps.",
        "force-test, typed by the user at 2026-11-20T09:30:02Z",
        "blocker, dead end: G2 (J1)",
        "7 | await expect(alert)",
        "POST http://127.0.0.1:4711/session: net::ERR_CONNECTION_RESET",
        "POST /session 500 &lt;script&gt;",
        "was not stopped: its start time differs. To inspect the process: ps -p 4713",
        "<span class=\"state open\">flaky</span>",
        "model&#39;s opinion",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(page.contains(&picture_of(2, "tells-a-wrong-password")), "the pass in which it failed is shown");
    assert!(
        !shell
            .run
            .pictures()
            .unwrap()
            .iter()
            .any(|(_, file)| file.path == picture_of(1, "tells-a-wrong-password"))
    );
}

#[test]
fn of_a_run_that_came_to_no_test() {
    let taken = |effect: &Effect| match effect {
        Effect::StartServers { effect, .. } => Decision::ServerFailed {
            effect: *effect,
            server: "web".to_owned(),
            fault: ServerFault::PortTaken { port: 4_711, pid: Some(7), command: Some("node <b>".to_owned()) },
            tail: String::new(),
        },
        other => well(other),
    };
    let shell = run(&honest, &taken);
    let page = shown("stopped", shell.run.page(&[]).unwrap());
    assert!(page.contains("port 4711 is in use by process 7 (node &lt;b&gt;)"), "{page}");
    assert!(page.contains("<dt>Browser</dt><dd><bdi>not recorded</bdi></dd>"), "{page}");
    assert_eq!(shell.run.pictures().unwrap(), []);
}

#[test]
fn before_its_end_there_is_none() {
    let shell = run(&strict, &well);
    assert!(!shell.files.contains_key("report.html"));
    assert_eq!(shell.run.page(&[]).unwrap_err().code, ValidationCode::NotReported);
    assert_eq!(Run::new().pictures().unwrap_err().code, ValidationCode::NoRun);
}

const HOSTILE: &str = "<script>document.title='owned'</script> user\u{202e}txt.exe \u{1b}]0;owned\u{7} \
    [click](javascript:alert(1)) | cell | <img src=x onerror=alert(1)> # no heading";

#[test]
fn hostile_text_is_text() {
    let hostile = |text: &str| format!("{text}: {HOSTILE}");
    let mut what = subject();
    what.title = hostile("title");
    what.text = format!("# Heading\n\n- {HOSTILE}\n\n```\n{HOSTILE}\n```\n");
    for criterion in &mut what.criteria {
        criterion.text = hostile(&criterion.text);
    }
    let says = |ask: &Ask| {
        let mut value = right(ask, &gaps());
        match ask.job.as_str() {
            "verify:1" => value["criteria"][0]["note"] = json!(HOSTILE),
            "journeys:1" => {
                value["journeys"][0]["title"] = json!(HOSTILE);
                value["journeys"][0]["steps"][0] = json!(HOSTILE);
                value["gaps"][0]["evidence"] = json!(HOSTILE);
            }
            _ => {}
        }
        Does::Says(value.to_string())
    };
    let seen = |against, pass| -> Vec<TestSeen> {
        let mut tests = pictured(against, pass);
        for test in &mut tests {
            test.title = format!("{}: {HOSTILE}", test.title);
            test.error = hostile("error");
            test.status = TestStatus::Failed;
            test.steps = vec![HOSTILE.to_owned()];
            test.file = "javascript:alert(1)".to_owned();
            test.console =
                vec![Told { level: "error".to_owned(), text: hostile("console"), page: HOSTILE.to_owned() }];
            for path in ["javascript:alert(1).png", "../../../etc/passwd", "playwright/\"><img src=x>/a.png"]
            {
                test.attachments.push(Attachment { name: HOSTILE.to_owned(), path: path.to_owned() });
            }
        }
        tests
    };
    let effects = |effect: &Effect| match effect {
        Effect::TearDown { effect } => {
            Decision::TornDown { effect: *effect, processes: Vec::new(), evidence: evidence(seen, 5_000) }
        }
        Effect::StartServers { effect, servers } => Decision::ServersStarted {
            effect: *effect,
            servers: servers.iter().map(started).collect(),
            sources: Some(Sources::Untold { message: HOSTILE.to_owned() }),
        },
        Effect::RunTests { effect, against, pass, .. } => Decision::TestsRan {
            effect: *effect,
            ran: RanTests::Report { tests: seen(*against, *pass) },
            duration_ms: 1,
            noted: Noted {
                playwright: Some(HOSTILE.to_owned()),
                browser: Some(HOSTILE.to_owned()),
                logs: vec![LogEnd { server: "web".to_owned(), tail: hostile("log") }],
                directory: Some(HOSTILE.to_owned()),
                ports: Vec::new(),
                written: Some(Paths { paths: vec![hostile("written")], count: 1 }),
                methods: None,
            },
        },
        other => well_but(other, seen),
    };
    let mut shell = run_of(opened(what, settings()), &says, &effects);
    decide(&mut shell, "force-test");
    let page = shown("hostile", shell.run.page(&handed(&shell)).unwrap());
    assert!(!page.contains("<script") && !page.contains("onerror=alert(1)>"), "{page}");
    assert!(!page.contains(['\u{202e}', '\u{1b}', '\u{7}']));
    assert!(page.contains("playwright/%22%3E%3Cimg%20src%3Dx%3E/a.png"), "{page}");
    for link in page.split("href=\"").skip(1) {
        assert!(link.starts_with('#') || link.starts_with("playwright/"), "{link}");
    }
    let report = &shell.files["FINAL-VALIDATION.md"];
    assert!(report.contains("&lt;script>") && report.contains("\\[click\\]"), "{report}");
    assert_inert(report);
    let cells = report.lines().filter(|line| line.starts_with("| C")).map(|line| line.replace("\\|", ""));
    assert!(cells.map(|row| row.matches('|').count()).all(|count| count == 5), "{report}");
}
