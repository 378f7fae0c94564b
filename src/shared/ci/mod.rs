//! What a run shows, for build servers: JUnit XML for test reports, SARIF for code scanning, and Markdown for a step's summary.
//!
//! The invariant: a criterion passes here only if a check that decides it was seen to pass on these very files. A model's opinion,
//! and whatever nothing decides, is *open*: JUnit shows it as skipped. If the verification finds a difference, nothing passes.
//!
//! The three formats are written here rather than with `quick-junit` and `serde-sarif`, see decision 0012.

mod junit;
mod sarif;
mod summary;
mod unlinked;

use crate::shared::capped::capped;
use crate::shared::tier::Tier;
use kernel::json::Deserialize;
use kernel::problem::{ErrorCode, Problem};
use kernel::visible;
use serde::Serialize;

pub(crate) use summary::table;
pub(crate) use unlinked::{unlinked, unlinked_plain};

/// The maximum length of a title, in characters.
const TITLE: usize = 200;

/// What the shell adds to what a run knows of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "CiGiven"))]
pub struct Given {
    /// The problems with which the verification ended; empty if nothing differs.
    pub problems: Vec<Problem>,
    /// The files that differ, from the repository's root.
    pub changed: Vec<String>,
    /// The project's directory below the repository's root, with `/`; empty for the root itself.
    pub prefix: String,
    /// The version of this package.
    pub package: String,
}

/// The three texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "CiTexts"))]
pub struct Texts {
    /// JUnit XML.
    pub junit: String,
    /// SARIF 2.1.0.
    pub sarif: String,
    /// GitHub's Markdown.
    pub summary: String,
}

/// How a criterion or a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was seen to pass.
    Passed,
    /// It was seen to fail.
    Failed,
    /// No check decides it here.
    Open,
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An acceptance criterion.
    Criterion,
    /// A check that this command ran.
    Check,
}

/// A place in a file, from the repository's root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: String,
    /// From 1.
    pub(crate) line: Option<u32>,
}

/// A criterion or a check, and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) kind: Kind,
    /// What it belongs to, such as a feature; the name of its suite in JUnit.
    pub(crate) group: String,
    pub(crate) id: String,
    /// What a criterion requires; empty for a check.
    pub(crate) text: String,
    /// What decides it, such as a command.
    pub(crate) by: String,
    pub(crate) outcome: Outcome,
    /// The result in words.
    pub(crate) result: String,
    pub(crate) tier: Tier,
    /// Where to look.
    pub(crate) place: Option<Place>,
    /// How long it ran, in ms.
    pub(crate) took_ms: u64,
    /// The end of its output; empty if it passed, or without one.
    pub(crate) output: String,
}

impl Row {
    /// Its id with its group, as people find it in the plan.
    fn name(&self) -> String {
        visible::line(&if self.group.is_empty() || self.kind == Kind::Check {
            self.id.clone()
        } else {
            format!("{}/{}", self.group, self.id)
        })
    }
}

/// Something that the verification found.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    pub(crate) problem: Problem,
    /// The files that it is about; empty if it is about the journal.
    pub(crate) places: Vec<Place>,
}

/// A run as a build server gets it.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    /// The workflow's name.
    workflow: &'static str,
    /// The run's name; empty without a run.
    id: String,
    title: String,
    /// Facts about the run, each with its name.
    facts: Vec<(&'static str, String)>,
    rows: Vec<Row>,
    differences: Vec<Difference>,
    /// The run's journal, the place of everything without another.
    journal: Option<Place>,
    package: String,
}

impl Results {
    /// The verification of a run. `directory`: the run's, from the project's root; empty without a run.
    pub(crate) fn new(workflow: &'static str, directory: &str, given: &Given) -> Self {
        let about = |problem: &Problem| Difference { problem: problem.clone(), places: Vec::new() };
        let place = if directory.is_empty() { String::new() } else { format!("{directory}/journal.jsonl") };
        Self {
            workflow,
            id: visible::line(directory.rsplit('/').next().unwrap_or_default()),
            title: String::new(),
            facts: Vec::new(),
            rows: Vec::new(),
            differences: given.problems.iter().map(about).collect(),
            journal: Place::of(&place, None, &given.prefix),
            package: given.package.clone(),
        }
    }

    /// Adds what the run was to do, facts about it, and its results. They don't count if the verification found a difference.
    pub(crate) fn with(mut self, title: &str, facts: Vec<(&'static str, String)>, rows: Vec<Row>) -> Self {
        let differs = !self.differences.is_empty();
        let rows = rows.into_iter().map(|row| if differs { row.uncounted() } else { row });
        self.title = capped(&visible::line(title), TITLE);
        self.rows = rows.collect();
        self.facts = facts;
        self
    }

    /// Adds the files that differ to the problem with this code.
    pub(crate) fn with_files(mut self, code: impl ErrorCode, given: &Given) -> Self {
        for one in self.differences.iter_mut().filter(|one| one.problem.code == code) {
            one.places = given.changed.iter().filter_map(|path| Place::of(path, None, "")).collect();
        }
        self
    }

    /// The three texts.
    pub(crate) fn texts(&self) -> Texts {
        Texts { junit: junit::text(self), sarif: sarif::text(self), summary: summary::text(self) }
    }

    fn heading(&self) -> String {
        if self.title.is_empty() {
            self.workflow.to_owned()
        } else {
            format!("{}: {}", self.workflow, self.title)
        }
    }
}

impl Row {
    /// The row if the files or the journal differ: what is recorded is about other files.
    fn uncounted(self) -> Self {
        if self.outcome == Outcome::Failed {
            return self;
        }
        let result = format!("not counted, because the verification failed; recorded: {}", self.result);
        Self { outcome: Outcome::Open, tier: Tier::NotChecked, result, ..self }
    }
}

impl Place {
    /// A place that a file or a model names, if it can only be inside the repository. `prefix`: the directory that it is relative to.
    pub(crate) fn of(path: &str, line: Option<u32>, prefix: &str) -> Option<Self> {
        let path = path.trim_start_matches("./");
        let is_inside = !path.is_empty()
            && !path.contains('\\')
            && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        is_inside.then(|| Self { path: below(prefix, path), line })
    }
}

fn below(prefix: &str, path: &str) -> String {
    if prefix.is_empty() { path.to_owned() } else { format!("{prefix}/{path}") }
}

/// The texts if no run could be looked at: only the problems.
pub fn of_problems(workflow: &'static str, given: &Given) -> Texts {
    Results::new(workflow, "", given).texts()
}

/// The summary of these rows in a sentence.
pub(crate) fn sentence(rows: &[Row]) -> String {
    use crate::shared::figures::{count, counted};
    let criteria: Vec<&Row> = rows.iter().filter(|row| row.kind == Kind::Criterion).collect();
    if criteria.is_empty() {
        return "There are no criteria.".to_owned();
    }
    let of = |outcome| criteria.iter().filter(|row| row.outcome == outcome).count();
    let parts = [
        (of(Outcome::Passed), "passed"),
        (of(Outcome::Failed), "failed"),
        (of(Outcome::Open), "not decided by a check"),
    ];
    format!("{}: {}.", count(criteria.len() as u64, "criterion", "criteria"), counted(parts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::FlowCode;
    use crate::shared::markdown::rendered::assert_inert;
    use proptest::prelude::*;

    pub(crate) fn row(id: &str, text: &str, outcome: Outcome) -> Row {
        Row {
            kind: Kind::Criterion,
            group: "limits".to_owned(),
            id: id.to_owned(),
            text: text.to_owned(),
            by: "npm test".to_owned(),
            outcome,
            result: "passed (3 tests ran)".to_owned(),
            tier: Tier::ReExecuted,
            place: Place::of("src/limits.js", Some(3), ""),
            took_ms: 0,
            output: String::new(),
        }
    }

    fn results(rows: Vec<Row>, given: &Given) -> Results {
        let facts = vec![("Status", "completed".to_owned()), ("Journal head", "3fa91c02".to_owned())];
        let results = Results::new("Flow", ".flow/sessions/2026-11-20-limit", given);
        results.with("Limit the rate", facts, rows).with_files(FlowCode::VerifyTree, given)
    }

    fn given() -> Given {
        Given { package: "0.1.0".to_owned(), ..Given::default() }
    }

    fn sample() -> Vec<Row> {
        let check = Row {
            kind: Kind::Check,
            group: "checks".to_owned(),
            text: String::new(),
            by: "node --test a|b".to_owned(),
            result: "failed, exit code 1".to_owned(),
            took_ms: 1_234,
            output: "not ok 1\n\u{1b}[2J]]>\n".to_owned(),
            place: None,
            ..row("limits/unit", "", Outcome::Failed)
        };
        let opinion = Row {
            by: "review".to_owned(),
            result: "met according to the reviewer, src/a.js:7".to_owned(),
            tier: Tier::Opinion,
            place: Place::of("src/a b.js", Some(7), "packages/x"),
            ..row("readable", "The code is readable. @octocat closes #12", Outcome::Open)
        };
        let failed = Row {
            result: "failed, exit code 1".to_owned(),
            ..row("stops", "It <stops> & [waits](x)", Outcome::Failed)
        };
        vec![row("refills", "It refills | slowly", Outcome::Passed), opinion, failed, check]
    }

    #[test]
    fn the_three_texts() {
        let texts = results(sample(), &given()).texts();
        insta::assert_snapshot!("junit", texts.junit);
        insta::assert_snapshot!("sarif", texts.sarif);
        sarif::tests::assert_valid(&texts.sarif);
        assert_ne!(texts.sarif, of_problems("Flow", &given()).sarif);
        sarif::tests::assert_valid(&of_problems("Flow", &given()).sarif);
        insta::assert_snapshot!("summary", texts.summary);
    }

    #[test]
    fn what_differs_is_in_each_of_them_and_nothing_passes() {
        let problem = Problem::new(FlowCode::VerifyTree, "The files differ: src/a.js.");
        let given = Given { problems: vec![problem], changed: vec!["src/a.js".to_owned()], ..given() };
        let texts = results(sample(), &given).texts();
        assert!(
            texts.junit.contains("<failure message=\"The files differ: src/a.js.\" type=\"verify.tree\">"),
            "{}",
            texts.junit
        );
        assert!(texts.summary.contains("verify.tree"), "{}", texts.summary);
        let sarif: serde_json::Value = serde_json::from_str(&texts.sarif).unwrap();
        let first = &sarif["runs"][0]["results"][0];
        assert_eq!((&first["ruleId"], &first["level"]), (&"verify.tree".into(), &"error".into()));
        assert_eq!(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/a.js");
        for text in [&texts.junit, &texts.summary] {
            assert!(!text.contains("✓") && text.contains("not counted"), "{text}");
        }
        let alone = of_problems("Validation", &given);
        assert!(alone.junit.contains("tests=\"1\" failures=\"1\""), "{}", alone.junit);
    }

    #[test]
    fn a_place_outside_the_repository_is_none() {
        for path in ["/etc/passwd", "../x", "a/../../x", "", "a//b", "C:\\x", "."] {
            assert_eq!(Place::of(path, None, ""), None, "{path}");
        }
        assert_eq!(Place::of("./src/a.js", None, "packages/b").unwrap().path, "packages/b/src/a.js");
    }

    #[test]
    fn ten_thousand_criteria_fit_into_a_step_summary_failures_first() {
        let mut rows: Vec<Row> =
            (0..10_000).map(|at| row(&format!("c{at}"), &"long ".repeat(40), Outcome::Passed)).collect();
        rows.push(row("last", "It fails", Outcome::Failed));
        let texts = results(rows, &given()).texts();
        assert!(texts.summary.len() < 1_000_000, "{}", texts.summary.len());
        assert!(
            texts.summary.contains("limits/last") && texts.summary.contains("more rows"),
            "the failure comes first"
        );
        assert_eq!(texts.junit.matches("<testcase ").count(), 10_002);
    }

    proptest! {
        #[test]
        fn no_text_breaks_a_format(text in "(\\PC|[\u{0}-\u{1f}\u{7f}-\u{9f}\u{fffe}\u{ffff}\u{202e}<>&'\"|`@#\\]\\[]|]]>|<!--|\\n/close|GH-1|https://x){0,24}") {
            let wild = Row {
                id: text.clone(), group: text.clone(), by: text.clone(), result: text.clone(), output: text.clone(),
                ..row("x", &text, Outcome::Failed)
            };
            let given = Given { problems: vec![Problem { message: text.clone(), next: Some(text.clone()), ..Problem::default() }], ..given() };
            let facts = vec![("Status", text.clone())];
            let Texts { junit, sarif, summary } = Results::new("Flow", &text, &given).with(&text, facts, vec![wild]).texts();
            junit::tests::assert_well_formed(&junit);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&sarif).is_ok());
            for line in summary.lines().filter(|line| line.starts_with('|')) {
                prop_assert_eq!(unlinked::tests::cells(line), 4, "{}", line);
            }
            assert_inert(&summary);
            let lines_begin = summary.lines().all(|line| !line.starts_with('/'));
            prop_assert!(lines_begin, "a quick action of GitLab: {}", summary);
        }
    }
}
