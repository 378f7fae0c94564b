//! The checks of pages: `a11y` and `metadata`. The pages are those that the tests visited; a separate program, in which no test runs,
//! looks at them again, so no test can make one of these checks pass.
//!
//! The invariant: a check has passed only if at least one page was looked at, every page was, and nothing was found on any.

use super::checks::{CheckVerdict, JudgedCheck};
use super::protocol::{Against, LookedAt, MOST_TOLD, Obstacle, PageSeen, RanTests};
use super::session::Pass;
use super::settings::{A11Y, METADATA, ValidationSettings};
use crate::shared::figures::count;

/// The file with the observations, relative to the run's directory.
pub(super) const SEEN: &str = "playwright/pages/seen.json";

/// The pages to look at: the start page, and the pages of the application that its tests reached, each once.
pub(super) fn pages(passes: &[Pass], base_url: &str) -> Vec<String> {
    let start = format!("{base_url}/");
    let mut pages = vec![start.clone()];
    let tests = passes.iter().filter(|pass| pass.against == Against::Application).flat_map(|pass| {
        let RanTests::Report { tests } = &pass.ran else { return &[][..] };
        tests.as_slice()
    });
    for address in tests.flat_map(|test| &test.visited) {
        let page = address.split('#').next().unwrap_or_default();
        if page.starts_with(&start) && !pages.iter().any(|known| known == page) {
            pages.push(page.to_owned());
        }
    }
    pages.truncate(MOST_TOLD);
    pages
}

/// The enabled checks of pages, with their verdicts.
pub(super) fn judged(settings: &ValidationSettings, looked: Option<&LookedAt>) -> Vec<JudgedCheck> {
    let mut checks = Vec::new();
    if settings.a11y {
        checks.push(judged_by(A11Y, looked, |axe| axe, barriers));
    }
    if settings.metadata {
        checks.push(judged_by(METADATA, looked, |_| true, unsaid));
    }
    checks
}

/// `can`: whether the check was possible, given whether axe-core was available; `find`: the findings on a page.
fn judged_by(
    id: &str,
    looked: Option<&LookedAt>,
    can: fn(bool) -> bool,
    find: fn(&PageSeen) -> Vec<String>,
) -> JudgedCheck {
    let of = |verdict: CheckVerdict, reason: String| JudgedCheck {
        id: id.to_owned(),
        verdict,
        reason,
        criteria: Vec::new(),
        outputs: Vec::new(),
        findings: Vec::new(),
    };
    let not_run = |reason: String| of(CheckVerdict::NotRun, reason);
    let missing = |obstacle: &Obstacle| {
        let words = obstacle.words().trim_end_matches('.');
        not_run(format!("{words}. {}", obstacle.remedy()))
    };
    let (pages, axe) = match looked {
        None => return not_run("no page was checked".to_owned()),
        Some(LookedAt::Impossible { obstacle }) => return missing(obstacle),
        Some(LookedAt::Unreadable { message }) => {
            return not_run(format!("the results of the page checks can't be read: {message}"));
        }
        Some(LookedAt::Pages { pages, axe }) => (pages, axe.is_some()),
    };
    if !can(axe) {
        return missing(&Obstacle::NoAxe);
    }
    let looked: Vec<&PageSeen> =
        pages.iter().filter(|page| page.problem.is_none() && page.is_page()).collect();
    let findings: Vec<String> = looked
        .iter()
        .flat_map(|page| find(page).into_iter().map(|found| format!("{}: {found}", page.at)))
        .collect();
    let failed = pages.iter().find_map(|page| Some((page, page.problem.as_ref()?)));
    let others = pages.iter().filter(|page| page.problem.is_none() && !page.is_page()).count();
    let seen = count(looked.len() as u64, "page", "pages");
    let besides = if others == 0 {
        String::new()
    } else {
        format!("; {} returned no page", count(others as u64, "address", "addresses"))
    };
    let (verdict, reason) = match (findings.len(), failed) {
        (0, Some((page, problem))) => {
            (CheckVerdict::NotRun, format!("{} could not be checked: {problem}", page.url))
        }
        (0, None) if looked.is_empty() => {
            (CheckVerdict::NotRun, format!("there was no page to check{besides}"))
        }
        (0, None) => (CheckVerdict::Passed, format!("no problem was found on {seen}{besides}")),
        (found, _) => {
            let found = count(found as u64, "problem", "problems");
            (CheckVerdict::Failed, format!("{found} on {seen}{besides}"))
        }
    };
    JudgedCheck { outputs: vec![SEEN.to_owned()], findings, ..of(verdict, reason) }
}

impl PageSeen {
    /// Whether it is a page as people see it: not an error, not a redirect to nowhere, not data.
    fn is_page(&self) -> bool {
        self.is_html && self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// The accessibility barriers, by axe-core's rules for WCAG.
fn barriers(page: &PageSeen) -> Vec<String> {
    let line = |one: &super::protocol::Barrier| {
        let elements = count(one.elements.into(), "element", "elements");
        format!("{} ({}): {}; {elements}, such as {}", one.rule, one.impact, one.help, one.example)
    };
    page.barriers.iter().map(line).collect()
}

/// What a page doesn't declare.
fn unsaid(page: &PageSeen) -> Vec<String> {
    [
        (&page.title, "it has no title"),
        (&page.language, "it has no language (`lang` of `html`)"),
        (&page.description, "it has no description (`meta name=\"description\"`)"),
        (&page.canonical, "it has no canonical address (`link rel=\"canonical\"`)"),
    ]
    .into_iter()
    .filter(|(said, _)| said.as_deref().is_none_or(|said| said.trim().is_empty()))
    .map(|(_, fault)| fault.to_owned())
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::protocol::{Barrier, Noted};
    use crate::validation::tests::test_seen;
    use CheckVerdict::{Failed, NotRun, Passed};

    fn page(at: &str) -> PageSeen {
        let said = |text: &str| Some(text.to_owned());
        PageSeen {
            url: at.to_owned(),
            at: at.to_owned(),
            status: Some(200),
            is_html: true,
            title: said("Notes"),
            language: said("en"),
            description: said("Notes that are kept"),
            canonical: said("http://127.0.0.1:1/"),
            barriers: Vec::new(),
            problem: None,
        }
    }

    fn looked(pages: Vec<PageSeen>, axe: bool) -> LookedAt {
        LookedAt::Pages { pages, axe: axe.then(|| "4.14.1".to_owned()) }
    }

    fn both(looked: Option<&LookedAt>) -> Vec<JudgedCheck> {
        let servers = serde_json::json!({"servers": [], "a11y": true, "metadata": true});
        judged(&serde_json::from_value(servers).unwrap(), looked)
    }

    #[test]
    fn what_was_seen_of_the_pages_decides() {
        let barrier = Barrier {
            rule: "image-alt".to_owned(),
            impact: "critical".to_owned(),
            help: "Images must have alternative text".to_owned(),
            elements: 2,
            example: "img".to_owned(),
        };
        let good = page("/");
        let barred = PageSeen { barriers: vec![barrier], ..page("/b") };
        let silent = PageSeen { title: Some(" ".to_owned()), description: None, ..page("/s") };
        let absent = PageSeen { status: Some(404), barriers: barred.barriers.clone(), ..silent.clone() };
        let data = PageSeen { is_html: false, title: None, ..page("/d") };
        let broken = PageSeen { problem: Some("timeout".to_owned()), ..page("/x") };
        let timed_out = Some(LookedAt::Unreadable { message: "no report".to_owned() });
        let no_browser = Some(LookedAt::Impossible { obstacle: Obstacle::NoBrowser { directory: None } });
        for (seen, verdicts, reason, findings) in [
            (None, [NotRun, NotRun], "no page was checked", 0),
            (timed_out, [NotRun, NotRun], "the results of the page checks can't be read: no report", 0),
            (
                no_browser,
                [NotRun, NotRun],
                "No browser for Playwright was found. Install one with `npx playwright install chromium`, or \
                 set `playwright.browser` to the path of one",
                0,
            ),
            (Some(looked(vec![], true)), [NotRun, NotRun], "there was no page to check", 0),
            (
                Some(looked(vec![absent, data.clone()], true)),
                [NotRun, NotRun],
                "there was no page to check; 2 addresses returned no page",
                0,
            ),
            (Some(looked(vec![good.clone()], true)), [Passed, Passed], "no problem was found on 1 page", 0),
            (
                Some(looked(vec![good.clone(), data], true)),
                [Passed, Passed],
                "no problem was found on 1 page; 1 address returned no page",
                0,
            ),
            (
                Some(looked(vec![good.clone(), barred.clone()], true)),
                [Failed, Passed],
                "1 problem on 2 pages",
                1,
            ),
            (
                Some(looked(vec![good.clone(), silent], true)),
                [Passed, Failed],
                "no problem was found on 2 pages",
                2,
            ),
            (
                Some(looked(vec![good.clone(), broken.clone()], true)),
                [NotRun, NotRun],
                "/x could not be checked: timeout",
                0,
            ),
            (Some(looked(vec![barred, broken], true)), [Failed, NotRun], "1 problem on 1 page", 1),
        ] {
            let judged = both(seen.as_ref());
            assert_eq!([judged[0].verdict, judged[1].verdict], verdicts, "{seen:?}");
            assert_eq!(judged[0].reason, reason, "{seen:?}");
            assert_eq!(judged[0].findings.len() + judged[1].findings.len(), findings, "{seen:?}");
        }
        let without_axe = both(Some(&looked(vec![good], false)));
        assert_eq!([without_axe[0].verdict, without_axe[1].verdict], [NotRun, Passed]);
        assert!(without_axe[0].reason.contains("`npm install --save-dev axe-core`"));
    }

    #[test]
    fn pages_of_the_application_are_looked_at_each_once() {
        let base = "http://127.0.0.1:4711";
        let visited = |list: &[&str]| {
            let visited = list.iter().map(|one| (*one).to_owned()).collect();
            super::super::protocol::TestSeen { visited, ..test_seen("a", "@C1") }
        };
        let pass = |against: Against, list: &[&str]| Pass {
            against,
            number: 1,
            ran: RanTests::Report { tests: vec![visited(list)] },
            duration_ms: 1,
            noted: Noted::default(),
            files: None,
        };
        let seen = [
            pass(
                Against::Application,
                &[
                    "about:blank",
                    "http://127.0.0.1:4711/#top",
                    "http://127.0.0.1:4711/a?b=1#c",
                    "http://127.0.0.1:47110/x",
                    "https://example.com/",
                    "http://127.0.0.1:4711/a?b=1",
                ],
            ),
            pass(Against::Blank, &["http://127.0.0.1:4711/only-there"]),
        ];
        assert_eq!(pages(&seen, base), ["http://127.0.0.1:4711/", "http://127.0.0.1:4711/a?b=1"]);
        assert_eq!(pages(&[], base), ["http://127.0.0.1:4711/"], "the start page is always looked at");
        let many: Vec<String> = (0..100).map(|number| format!("{base}/{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(pages(&[pass(Against::Application, &many)], base).len(), MOST_TOLD);
    }
}
