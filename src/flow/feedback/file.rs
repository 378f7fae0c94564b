//! `.opencode/flow-rules.jsonc`: the rules of the project, for people to read and edit.
//!
//! A rule is added and removed in the text itself, so that comments and layout stay. What results is read again before it counts: if
//! it doesn't hold exactly the expected rules, the file stays as it is.

use super::rule::{ProjectRule, is_glob};
use super::words::LONGEST_PATTERN;
use crate::design_lab::config::{Layer, Source, alone, place};
use crate::flow::code::FlowCode;
use crate::flow::schema;
use crate::shared::schema::{DocumentKind, quote};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use kernel::json::Deserialize;
use kernel::paths::is_name;
use kernel::problem::Problem;
use serde::Serialize;

/// The path of the file, from the project's root.
pub const RULES_FILE: &str = ".opencode/flow-rules.jsonc";

/// How many rules there may be: every prompt contains them.
const MOST: usize = 100;
/// The longest text of a rule, in characters.
const LONGEST: usize = 2_000;
/// The longest id of a rule, in characters.
pub(super) const LONGEST_ID: usize = 40;

/// The beginning of a new file.
const HEAD: &str = "// Rules of this project for Flow.
// /flow-feedback adds and removes them. Flow tells them to planners, workers and reviewers.
// A change may not add the text of a `pattern`. Edits apply from the next /flow command.
";

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct RulesFile {
    /// The rules, the newest first.
    pub rules: Vec<ProjectRule>,
}

/// The rules in a text; none if there is no file.
pub fn read(text: Option<&str>) -> Result<Vec<ProjectRule>, Vec<Problem>> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(Vec::new()) };
    let source = Source { origin: Layer::Project, file: RULES_FILE.to_owned(), text: text.to_owned() };
    let document = alone(&source, schema::rules_problems)?;
    let file: RulesFile = kernel::json::read(&document.value.to_string())
        .map_err(|error| vec![DocumentKind::Config.unreadable(&error)])?;
    let problems: Vec<Problem> =
        faults(&file.rules).into_iter().map(|problem| place(&source, &document, problem)).collect();
    if problems.is_empty() { Ok(file.rules) } else { Err(problems) }
}

/// What a schema can't express.
fn faults(rules: &[ProjectRule]) -> Vec<Problem> {
    let mut problems = Vec::new();
    if rules.len() > MOST {
        problems.push(
            Problem::new(FlowCode::RulesTooMany, "There are too many rules.")
                .at("/rules")
                .found(rules.len().to_string())
                .allowed(format!("at most {MOST}: every prompt contains them"))
                .next("Remove some."),
        );
    }
    for (index, rule) in rules.iter().enumerate() {
        let mut refuse = |key: &str, found: &str, message: &str, allowed: &str| {
            problems.push(
                Problem::new(FlowCode::RulesMalformed, message)
                    .at(format!("/rules/{index}/{key}"))
                    .found(quote(&found.chars().take(80).collect::<String>()))
                    .allowed(allowed)
                    .next("Correct it in the file, or remove the rule."),
            );
        };
        if !is_name(&rule.id, LONGEST_ID) {
            refuse(
                "id",
                &rule.id,
                "The id of a rule is not valid.",
                "lower-case letters, digits and hyphens, at most 40",
            );
        }
        for (key, text, longest) in [
            ("say", Some(&rule.say), LONGEST),
            ("pattern", rule.pattern.as_ref(), LONGEST_PATTERN),
            ("instead", rule.instead.as_ref(), LONGEST_PATTERN),
        ] {
            if text.is_some_and(|text| text.trim().is_empty() || text.chars().count() > longest) {
                let text = text.map_or("", String::as_str);
                refuse(key, text, "This text is blank or too long.", &format!("1 to {longest} characters"));
            }
        }
        for (at, glob) in rule.files.iter().enumerate() {
            if !is_glob(glob) {
                let key = format!("files/{at}");
                refuse(
                    &key,
                    glob,
                    "This is not a glob of files.",
                    "for example *.ts, src/**/*.rs, src/ or @tests",
                );
            }
        }
        if rules[..index].iter().any(|other| other.id == rule.id) {
            problems.push(
                Problem::new(FlowCode::RulesDuplicate, "Two rules have this id.")
                    .at(format!("/rules/{index}/id"))
                    .found(quote(&rule.id))
                    .allowed("a different id for each")
                    .next("Rename one of the two."),
            );
        }
    }
    problems
}

/// Whether a file holds other rules than these, or can't be read.
pub fn differs(rules: &[ProjectRule], text: Option<&str>) -> bool {
    read(text).as_deref() != Ok(rules)
}

/// The text with a further rule, before all others.
pub(super) fn with(text: Option<&str>, rule: &ProjectRule) -> Result<String, Vec<Problem>> {
    let mut expected = read(text)?;
    expected.insert(0, rule.clone());
    let too_many = faults(&expected);
    if !too_many.is_empty() {
        return Err(too_many);
    }
    let entry = indented(rule);
    let written = text.filter(|text| !text.trim().is_empty());
    let edited = match written.map(stripped) {
        None => format!("{HEAD}{{\n  \"rules\": [\n{entry}\n  ]\n}}\n"),
        Some(text) => match list(text) {
            Some((start, elements)) => {
                let (comma, end) = if elements.is_empty() { ("", "\n  ") } else { (",", "") };
                format!("{}\n{entry}{comma}{end}{}", &text[..=start], &text[start + 1..])
            }
            None => return Err(uneditable("add the rule")),
        },
    };
    checked(edited, &expected, "add the rule")
}

/// The text without a rule.
pub(super) fn without(text: &str, id: &str) -> Result<String, Vec<Problem>> {
    let rules = read(Some(text))?;
    let expected: Vec<ProjectRule> = rules.iter().filter(|rule| rule.id != id).cloned().collect();
    let text = stripped(text);
    let index = rules.iter().position(|rule| rule.id == id);
    let elements = list(text).map(|(_, elements)| elements).unwrap_or_default();
    let Some(&(start, end)) = index.and_then(|index| elements.get(index)) else {
        return Err(uneditable("remove the rule"));
    };
    let before = text[..start].trim_end_matches([' ', '\t']);
    let before =
        before.strip_suffix('\n').map_or(before, |before| before.strip_suffix('\r').unwrap_or(before));
    let after = &text[end..];
    let after = after.trim_start_matches([' ', '\t']).strip_prefix(',').unwrap_or(after);
    checked(format!("{before}{after}"), &expected, "remove the rule")
}

fn stripped(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Where the list of rules opens, and the ranges of its entries, in bytes; `None` when the text has no such list.
fn list(text: &str) -> Option<(usize, Vec<(usize, usize)>)> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?;
    let Some(ast::Value::Object(root)) = parsed.value else { return None };
    let rules = root.properties.iter().find(|property| property.name.as_str() == "rules")?;
    let ast::Value::Array(array) = &rules.value else { return None };
    let ranges = array.elements.iter().map(|element| (element.start(), element.end()));
    Some((array.start(), ranges.collect()))
}

/// A rule as an entry of the list.
fn indented(rule: &ProjectRule) -> String {
    let json = kernel::json::pretty(rule);
    json.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// The edited text, if it holds exactly the expected rules.
fn checked(edited: String, expected: &[ProjectRule], what: &str) -> Result<String, Vec<Problem>> {
    if read(Some(&edited)).as_deref() == Ok(expected) { Ok(edited) } else { Err(uneditable(what)) }
}

fn uneditable(what: &str) -> Vec<Problem> {
    let mut problem = Problem::new(
        FlowCode::FeedbackUneditable,
        format!("Flow can't {what} without changing more than that."),
    )
    .allowed("a file of the form { \"rules\": [ … ] }")
    .next(format!("Edit {RULES_FILE} yourself, then type /flow-feedback list."));
    problem.file = Some(RULES_FILE.to_owned());
    vec![problem]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rule(id: &str) -> ProjectRule {
        ProjectRule {
            id: id.to_owned(),
            say: format!("don't use \"{id}\""),
            pattern: Some(id.to_owned()),
            files: vec!["*.ts".to_owned()],
            ..ProjectRule::default()
        }
    }

    #[test]
    fn rules_are_added_and_removed_and_comments_stay() {
        let first = with(None, &rule("a")).unwrap();
        insta::assert_snapshot!("a new file of rules", first);
        let hand = first
            .replace("  \"rules\": [", "  // ours\n  \"rules\": [ // newest first")
            .replace("    {", "    // because\n    {");
        let second = with(Some(&hand), &rule("b")).unwrap();
        let ids = |text: &str| read(Some(text)).unwrap().into_iter().map(|rule| rule.id).collect::<Vec<_>>();
        assert_eq!(ids(&second), ["b", "a"]);
        for comment in ["// ours", "// newest first", "// because", "// Rules of this project"] {
            assert!(second.contains(comment), "{second}");
        }
        let back = without(&second, "b").unwrap();
        assert_eq!(ids(&back), ["a"]);
        assert!(back.contains("// newest first") && back.contains("// because"), "{back}");
        assert_eq!(ids(&without(&second, "a").unwrap()), ["b"]);
        assert_eq!(ids(&without(&back, "a").unwrap()), [] as [&str; 0]);
        for text in
            ["{\"rules\":[]}", "{ \"rules\": [\r\n ] }", "\u{feff}{\"rules\": []}", "// x\n{\"rules\":[],}"]
        {
            assert_eq!(ids(&with(Some(text), &rule("c")).unwrap()), ["c"], "{text}");
        }
        assert_eq!(read(None), Ok(Vec::new()));
        assert!(!differs(&[], None) && !differs(&[rule("a")], Some(&first)));
        assert!(differs(&[], Some(&first)) && differs(&[rule("a")], None) && differs(&[], Some("{")));
    }

    #[test]
    fn a_broken_file_says_what_is_wrong_and_where() {
        for (text, code, line) in [
            ("{ \"rules\": [", "config.syntax", Some(1)),
            ("{}", "config.missing-field", Some(1)),
            ("{ \"rules\": [\n{ \"id\": \"a\" }] }", "config.missing-field", Some(2)),
            (
                "{ \"rules\": [\n{ \"id\": \"a\", \"say\": \"x\", \"patern\": \"y\" }] }",
                "config.unknown-key",
                Some(2),
            ),
            ("{ \"rules\": [\n{ \"id\": \"A b\", \"say\": \"x\" }] }", "rules.malformed", Some(2)),
            ("{ \"rules\": [\n{ \"id\": \"a\", \"say\": \"  \" }] }", "rules.malformed", Some(2)),
            (
                "{ \"rules\": [\n{ \"id\": \"a\", \"say\": \"x\", \"files\": [\"../b\"] }] }",
                "rules.malformed",
                Some(2),
            ),
            (
                "{ \"rules\": [\n{ \"id\": \"a\", \"say\": \"x\" },\n{ \"id\": \"a\", \"say\": \"y\" }] }",
                "rules.duplicate",
                Some(3),
            ),
        ] {
            let problem = read(Some(text)).unwrap_err().remove(0);
            assert_eq!((problem.code.as_str(), problem.line), (code, line), "{text}");
            assert_eq!(problem.file.as_deref(), Some(RULES_FILE));
            assert!(with(Some(text), &rule("b")).is_err() && without(text, "a").is_err(), "{text}");
        }
        let commented =
            "{ \"rules\": [ { \"id\": \"a\", \"say\": \"x\" } /* c */, { \"id\": \"b\", \"say\": \"x\" } ] }";
        assert_eq!(without(commented, "a").unwrap_err()[0].code, FlowCode::FeedbackUneditable);
        assert_eq!(without(commented, "c").unwrap_err()[0].code, FlowCode::FeedbackUneditable);
    }

    proptest! {
        #[test]
        fn what_was_added_is_read_and_can_be_removed(say in "[ -~é`\"\\\\\n]{1,40}", pattern in "[!-~é]{1,20}") {
            prop_assume!(!say.trim().is_empty());
            let more = ProjectRule { say, pattern: Some(pattern), ..rule("more") };
            let text = with(Some(&with(None, &rule("a")).unwrap()), &more).unwrap();
            prop_assert_eq!(read(Some(&text)).unwrap(), vec![more, rule("a")]);
            prop_assert_eq!(read(Some(&without(&text, "more").unwrap())).unwrap(), vec![rule("a")]);
        }
    }
}
