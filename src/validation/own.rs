//! The project's own Playwright tests: which of them decide criteria.
//!
//! The invariant: a test counts because of its tag, or because of the settings. No model has a say in it.

use super::protocol::{Criterion, ListedTest, OwnTests, TestName, TestSeen, Whose};
use super::settings::{MappedTests, TestsSettings};
use super::suite::tag;
use crate::shared::figures::count;
use design_lab_numerics::sorting::sort;
use serde::Serialize;

/// The project's own tests, as listed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Own {
    directory: String,
    /// How many there are.
    listed: usize,
    /// The tests that decide criteria of the run.
    tests: Vec<OwnTest>,
    /// Criteria that the settings name but the run doesn't have.
    unknown: Vec<String>,
}

/// A test of the project's own that decides criteria.
#[derive(Clone, Debug, Serialize)]
struct OwnTest {
    #[serde(flatten)]
    name: TestName,
    criteria: Vec<String>,
}

impl Own {
    /// Combines the settings with a listing; or returns the part of the settings that matches no test.
    pub(super) fn new(
        settings: &TestsSettings,
        criteria: &[Criterion],
        listed: &[ListedTest],
    ) -> Result<Self, String> {
        let TestsSettings { directory, map } = settings;
        let fits_none =
            |one: &&MappedTests| !listed.iter().any(|test| one.names(directory, &test.file, &test.title));
        let unfit: Vec<String> = map.iter().filter(fits_none).map(MappedTests::words).collect();
        if !unfit.is_empty() {
            return Err(unfit.join("; "));
        }
        let decided = |test: &ListedTest| {
            let mapped = |id: &String| {
                map.iter()
                    .any(|one| one.criteria.contains(id) && one.names(directory, &test.file, &test.title))
            };
            let ids = criteria.iter().map(|criterion| &criterion.id);
            ids.filter(|id| test.tags.contains(&tag(id)) || mapped(id)).cloned().collect::<Vec<_>>()
        };
        let tests = listed.iter().map(|test| OwnTest {
            name: TestName { file: test.file.clone(), title: test.title.clone() },
            criteria: decided(test),
        });
        let is_unknown = |id: &&String| !criteria.iter().any(|criterion| criterion.id == **id);
        let mut unknown: Vec<String> =
            map.iter().flat_map(|one| &one.criteria).filter(is_unknown).cloned().collect();
        sort(&mut unknown);
        unknown.dedup();
        Ok(Self {
            directory: directory.clone(),
            listed: listed.len(),
            tests: tests.filter(|test| !test.criteria.is_empty()).collect(),
            unknown,
        })
    }

    /// How many of them decide criteria.
    pub(super) fn number(&self) -> usize {
        self.tests.len()
    }

    /// The tests that are to run.
    pub(super) fn to_run(&self) -> Option<OwnTests> {
        let tests: Vec<TestName> = self.tests.iter().map(|test| test.name.clone()).collect();
        (!tests.is_empty()).then(|| OwnTests { directory: self.directory.clone(), tests })
    }

    /// The tests that decide a criterion.
    pub(super) fn of<'a>(&'a self, criterion: &'a str) -> impl Iterator<Item = &'a TestName> {
        let decides = move |test: &&OwnTest| test.criteria.iter().any(|id| id == criterion);
        self.tests.iter().filter(decides).map(|test| &test.name)
    }

    /// The notes on these tests, a line each.
    pub(super) fn wording(&self) -> Vec<String> {
        let listed = count(self.listed as u64, "test", "tests");
        let decide = if self.number() == 1 { "decides" } else { "decide" };
        let mut lines =
            vec![format!("{} of {listed} in {} {decide} criteria", self.number(), self.directory)];
        if !self.unknown.is_empty() {
            let what = if self.unknown.len() == 1 { "a criterion" } else { "criteria" };
            let unknown = self.unknown.join(", ");
            lines.push(format!(
                "The settings assign some of these tests to {what} that this run doesn't have: {unknown}"
            ));
        }
        lines
    }
}

impl TestName {
    /// Whether this is the test's name.
    pub(super) fn is_of(&self, test: &TestSeen) -> bool {
        test.whose == Whose::Project && (&self.file, &self.title) == (&test.file, &test.title)
    }
}

impl MappedTests {
    /// Whether it matches a test of this directory.
    fn names(&self, directory: &str, file: &str, title: &str) -> bool {
        self.file.as_deref().is_none_or(|wanted| below(directory, file) == Some(wanted))
            && self.title.as_deref().is_none_or(|wanted| title.contains(wanted))
    }

    /// What it matches, in words.
    fn words(&self) -> String {
        let file = self.file.as_ref().map(|file| format!("file {file}"));
        let title = self.title.as_ref().map(|title| format!("title \"{title}\""));
        file.into_iter().chain(title).collect::<Vec<_>>().join(", ")
    }
}

/// A file's path relative to a directory, both given relative to the project's root.
fn below<'a>(directory: &str, file: &'a str) -> Option<&'a str> {
    let mut parts = directory.split('/').filter(|part| *part != ".");
    parts.try_fold(file, |rest, part| rest.strip_prefix(part)?.strip_prefix('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn own(settings: &Value) -> Result<Own, String> {
        let listed: Vec<ListedTest> = [
            ("e2e/sign-in.spec.ts", "user › signs in", vec!["@C1", "@slow"]),
            ("e2e/sign-in.spec.ts", "user › signs out", vec!["@C12"]),
            ("e2e/deep/notes.spec.ts", "keeps notes", vec![]),
        ]
        .map(|(file, title, tags)| ListedTest {
            file: file.to_owned(),
            title: title.to_owned(),
            tags: tags.into_iter().map(str::to_owned).collect(),
        })
        .to_vec();
        let criteria = ["C1", "C2"].map(|id| Criterion { id: id.to_owned(), text: format!("{id} holds") });
        Own::new(&serde_json::from_value(settings.clone()).unwrap(), &criteria, &listed)
    }

    fn titles(own: &Own, criterion: &str) -> Vec<String> {
        own.of(criterion).map(|name| name.title.clone()).collect()
    }

    #[test]
    fn a_test_counts_by_its_tag_or_by_the_settings() {
        let map = |map: Value| json!({"directory": "e2e", "map": map});
        for (settings, first, second) in [
            (json!({"directory": "e2e"}), vec!["user › signs in"], vec![]),
            (
                map(json!([{"file": "deep/notes.spec.ts", "criteria": ["C2"]}])),
                vec!["user › signs in"],
                vec!["keeps notes"],
            ),
            (
                map(json!([{"title": "signs", "criteria": ["C1", "C2"]}])),
                vec!["user › signs in", "user › signs out"],
                vec!["user › signs in", "user › signs out"],
            ),
            (
                map(json!([{"file": "sign-in.spec.ts", "title": "user › signs out", "criteria": ["C2"]}])),
                vec!["user › signs in"],
                vec!["user › signs out"],
            ),
            (
                json!({"directory": "./e2e/deep", "map": [{"file": "notes.spec.ts", "criteria": ["C2"]}]}),
                vec!["user › signs in"],
                vec!["keeps notes"],
            ),
            (
                json!({"directory": ".", "map": [{"file": "e2e/deep/notes.spec.ts", "criteria": ["C2"]}]}),
                vec!["user › signs in"],
                vec!["keeps notes"],
            ),
        ] {
            let own = own(&settings).unwrap();
            assert_eq!((titles(&own, "C1"), titles(&own, "C2")), (owned(first), owned(second)), "{settings}");
        }
    }

    fn owned(titles: Vec<&str>) -> Vec<String> {
        titles.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn what_fits_nothing_is_reported() {
        let unfit = own(&json!({"directory": "e2e", "map": [
            {"file": "notes.spec.ts", "criteria": ["C2"]},
            {"title": "signs", "criteria": ["C2"]},
            {"file": "sign-in.spec.ts", "title": "signs up", "criteria": ["C2"]},
        ]}));
        assert_eq!(
            unfit.unwrap_err(),
            "file notes.spec.ts; file sign-in.spec.ts, title \"signs up\"",
            "no such file there, and no such title in that file"
        );
        let own =
            own(&json!({"directory": "e2e", "map": [{"title": "notes", "criteria": ["C9", "C7", "C9"]}]}));
        assert_eq!(
            own.unwrap().wording(),
            [
                "1 of 3 tests in e2e decides criteria",
                "The settings assign some of these tests to criteria that this run doesn't have: C7, C9"
            ]
        );
    }
}
