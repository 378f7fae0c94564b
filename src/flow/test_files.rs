//! The tests in a project's files: which files contain them, and how many there are before and after a change.
//!
//! They are found in the text, by the words that test frameworks use, and nothing is run: a count that falls is reported, but
//! decides nothing.

use kernel::json::Deserialize;
use serde::Serialize;

/// The change of the tests in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTestFile"))]
pub struct TestFile {
    /// The file, from the root of the tree.
    pub path: String,
    /// Its contents before; `None` when it didn't exist.
    pub before: Option<TestCounts>,
    /// Its contents now; `None` when it no longer exists.
    pub after: Option<TestCounts>,
}

/// The tests in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTestCounts"))]
pub struct TestCounts {
    /// The number of tests.
    pub tests: u32,
    /// The number of assertions.
    pub assertions: u32,
    /// The number of tests, or groups of tests, that are marked to be skipped.
    pub skipped: u32,
}

/// Words in the name of a file or directory that mark it as one for tests.
const TEST_WORDS: [&str; 9] =
    ["test", "tests", "spec", "specs", "e2e", "fixtures", "testdata", "snapshots", "conftest"];

/// Whether a file is a test file, judging by its path.
pub(super) fn is_test(path: &str) -> bool {
    let mut words = path.split(|c: char| !c.is_ascii_alphanumeric());
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    words.any(|word| TEST_WORDS.contains(&word.to_ascii_lowercase().as_str()))
        || ["Test", "Tests", "Spec", "IT"].iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
}

/// Whether a file that isn't a test file may contain tests within its code, judging by its language.
pub(super) fn may_hold_tests(path: &str) -> bool {
    [".rs", ".zig", ".d"].iter().any(|end| path.ends_with(end))
}

/// The paths among these whose tests are counted.
pub fn counted(paths: Vec<String>) -> Vec<String> {
    paths.into_iter().filter(|path| is_test(path) || may_hold_tests(path)).collect()
}

/// The tests in a text.
pub fn count(text: &str) -> TestCounts {
    let mut counts = TestCounts::default();
    for line in text.lines() {
        let line = line.trim();
        let is_comment = ["//", "* ", "/*", "-- "].iter().any(|mark| line.starts_with(mark))
            || line.starts_with('#') && !line.starts_with("#[");
        // Names in an import are used elsewhere, or not at all.
        let is_import = ["import ", "use ", "from ", "#include"].iter().any(|start| line.starts_with(start))
            || line.contains("= require(");
        if is_comment || is_import {
            continue;
        }
        let found = |words: &[&str]| words.iter().map(|word| times(line, word)).sum::<u32>();
        let (tests, skipped) = (found(TESTS), found(SKIPPED));
        counts.tests = counts.tests.saturating_add(tests);
        counts.skipped = counts.skipped.saturating_add(skipped);
        counts.assertions = counts.assertions.saturating_add(found(ASSERTIONS));
    }
    counts
}

/// Beginnings of a test: JavaScript, Rust, Python, Go, Java, Ruby, Zig.
const TESTS: &[&str] = &[
    "test(",
    "it(",
    "test.skip(",
    "it.skip(",
    "test.only(",
    "it.only(",
    "test.todo(",
    "it.todo(",
    "test.fixme(",
    "xit(",
    "xtest(",
    "test.each(",
    "it.each(",
    "#[test]",
    "::test]",
    "#[rstest",
    "def test_",
    "func Test",
    "@Test",
    "@ParameterizedTest",
    "test \"",
    "it \"",
    "it '",
    "specify \"",
];
/// Beginnings of an assertion; `assert` covers all that start with it.
const ASSERTIONS: &[&str] = &[
    "assert",
    "self.assert",
    "t.assert",
    ".assert_",
    "Assert.",
    "ASSERT_",
    "CHECK(",
    "EXPECT_",
    "REQUIRE(",
    "XCTAssert",
    "expect(",
    "expect!(",
    "should.",
    ".should(",
    "t.Error",
    "t.Fatal",
    "require.",
    "verify(",
];
/// Marks of a skipped test.
const SKIPPED: &[&str] = &[
    ".skip(",
    ".todo(",
    ".fixme(",
    "xit(",
    "xtest(",
    "xdescribe(",
    "skip: true",
    "todo: true",
    "#[ignore",
    "@pytest.mark.skip",
    "@unittest.skip",
    "pytest.skip(",
    "t.Skip(",
    "@Disabled",
    "@Ignore",
];

/// How often a word begins in a line, which means that the text before it isn't part of a longer word.
fn times(line: &str, word: &str) -> u32 {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '$';
    let begins_a_word = word.starts_with(|c: char| c.is_alphanumeric());
    let begins = |at: &usize| !begins_a_word || !line[..*at].ends_with(is_part);
    let places = line.match_indices(word).map(|(at, _)| at).filter(begins);
    u32::try_from(places.count()).unwrap_or(u32::MAX)
}

/// The lost tests, one sentence for each file.
pub(super) fn weakened(files: &[TestFile]) -> Vec<String> {
    files.iter().filter_map(fewer).collect()
}

fn fewer(file: &TestFile) -> Option<String> {
    let before = file.before?;
    let path = kernel::visible::line(&file.path);
    let Some(after) = file.after else {
        return (before.tests > 0)
            .then(|| format!("{path} was deleted together with {}", count_of(before.tests, "test")));
    };
    let mut changes = Vec::new();
    let mut fell = |before: u32, after: u32, what: &str| {
        if after < before {
            changes.push(format!("{} instead of {before}", count_of(after, what)));
        }
    };
    fell(before.tests, after.tests, "test");
    fell(before.assertions, after.assertions, "assertion");
    if after.skipped > before.skipped {
        changes.push(format!("{} instead of {}", count_of(after.skipped, "skipped test"), before.skipped));
    }
    (!changes.is_empty()).then(|| format!("{path} has {}", changes.join(", ")))
}

fn count_of(count: u32, what: &str) -> String {
    crate::shared::figures::count(count.into(), what, &format!("{what}s"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn files_of_tests_are_known_by_their_names() {
        for path in [
            "test/limits.test.js",
            "src/limits.spec.ts",
            "tests/api.rs",
            "pkg/api_test.go",
            "test_api.py",
            "a/conftest.py",
            "src/__tests__/a.js",
            "src/test/java/LimitsTest.java",
            "e2e/login.ts",
            "test.sh",
            "spec/limits_spec.rb",
            "tests/fixtures/a.json",
            "LimitsTests.cs",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in [
            "src/limits.js",
            "latest/a.js",
            "src/contest.js",
            "README.md",
            "src/protest.rs",
            "Test",
            "src/attestation.go",
        ] {
            assert!(path == "Test" || !is_test(path), "{path}");
        }
        assert!(may_hold_tests("src/limits.rs") && !may_hold_tests("src/limits.js"));
        assert_eq!(counted(vec!["a.js".into(), "a.rs".into(), "a.test.js".into()]), ["a.rs", "a.test.js"]);
    }

    #[test]
    fn tests_assertions_and_skips_are_counted_by_their_words() {
        for (text, tests, assertions, skipped) in [
            ("test(\"adds\", () => assert.equal(sum(2, 3), 5));\n", 1, 1, 0),
            (
                "  it('adds', () => {\n    expect(sum(2, 3)).toBe(5);\n  });\n  it.skip('x', () => {});",
                2,
                1,
                1,
            ),
            (
                "#[test]\nfn adds() {\n    assert_eq!(sum(2, 3), 5);\n}\n#[test]\n#[ignore = \"slow\"]\nfn b() {}",
                2,
                1,
                1,
            ),
            ("#[tokio::test]\nasync fn a() { assert!(true) }", 1, 1, 0),
            (
                "def test_adds():\n    assert sum(2, 3) == 5\n\n@pytest.mark.skip\ndef test_b():\n    pass",
                2,
                1,
                1,
            ),
            ("func TestAdds(t *testing.T) {\n\tif sum(2, 3) != 5 {\n\t\tt.Fatalf(\"no\")\n\t}\n}", 1, 1, 0),
            (
                "def test_adds(self):\n    self.assertEqual(sum(2, 3), 5)\n    sent.assert_called_once()",
                1,
                2,
                0,
            ),
            ("@Test\nvoid adds() { Assert.assertEquals(5, sum(2, 3)); }", 1, 1, 0),
            ("TEST(Sum, adds) { EXPECT_EQ(sum(2, 3), 5); ASSERT_TRUE(on); }", 0, 2, 0),
            ("// test(\"adds\", () => assert(1));\n# assert x\n * expect(1)", 0, 0, 0),
            ("latest(1); myassert(2); submit(3); await(4)", 0, 0, 0),
            (
                "import assert from 'node:assert/strict';\nconst assert = require('assert');\nuse a::assert_x;",
                0,
                0,
                0,
            ),
            ("", 0, 0, 0),
        ] {
            assert_eq!(count(text), TestCounts { tests, assertions, skipped }, "{text}");
        }
    }

    #[test]
    fn only_what_got_less_is_reported() {
        let counts = |tests, assertions, skipped| Some(TestCounts { tests, assertions, skipped });
        for (before, after, expected) in [
            (counts(3, 5, 0), counts(3, 5, 0), None),
            (counts(3, 5, 0), counts(4, 9, 0), None),
            (None, counts(4, 9, 4), None),
            (counts(0, 0, 0), None, None),
            (counts(3, 5, 0), counts(3, 1, 0), Some("a.test.js has 1 assertion instead of 5")),
            (
                counts(3, 5, 0),
                counts(1, 5, 2),
                Some("a.test.js has 1 test instead of 3, 2 skipped tests instead of 0"),
            ),
            (counts(3, 5, 0), None, Some("a.test.js was deleted together with 3 tests")),
        ] {
            let file = TestFile { path: "a.test.js".to_owned(), before, after };
            assert_eq!(weakened(&[file]), expected.into_iter().collect::<Vec<_>>(), "{before:?} {after:?}");
        }
    }

    proptest! {
        #[test]
        fn another_test_is_one_more(text in "[a-z(){};\n ]{0,60}") {
            let more = format!("{text}\ntest('x', () => assert(x));\n");
            let (one, other) = (count(&text), count(&more));
            prop_assert_eq!((one.tests + 1, one.assertions + 1), (other.tests, other.assertions));
        }
    }
}
