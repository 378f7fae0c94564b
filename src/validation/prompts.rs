//! The prompts for models. The texts are in `prompts/validation/*.md`; this module fills in the blanks.

use super::analysis::Journey;
use super::own::Own;
use super::protocol::{Criterion, Subject};
use crate::shared::form;
use crate::shared::reply::Words;
use crate::shared::template::{fenced, fill};
use kernel::visible;

/// The system text of the verifier.
pub const VERIFIER: &str = include_str!("../../prompts/validation/verifier.md");
/// The system text of the analyst.
pub const ANALYST: &str = include_str!("../../prompts/validation/analyst.md");
/// The system text of the tester.
pub const TESTER: &str = include_str!("../../prompts/validation/tester.md");

const OBJECT: &str = ", as one JSON object without any text around it";
/// The words for a verifier's answer.
pub(super) const VERIFICATION_WORDS: Words = Words {
    what: "object",
    form: OBJECT,
    work: "for an engineer's check of a piece of software against its criteria",
};
/// The words for an analyst's answer.
pub(super) const ANALYSIS_WORDS: Words = Words {
    what: "object",
    form: OBJECT,
    work: "for an engineer's analysis of the user journeys of an application",
};
/// The words for a tester's answer.
pub(super) const SUITE_WORDS: Words =
    Words { what: "object", form: OBJECT, work: "for end-to-end tests of an application" };

/// The templates that contain forms.
pub(super) const FORMS: [&str; 3] = [
    include_str!("../../prompts/validation/verification-form.md"),
    include_str!("../../prompts/validation/journeys-form.md"),
    include_str!("../../prompts/validation/suite-form.md"),
];

/// Asks what the files show about these criteria. If there are none, the verifier lists them itself.
pub(super) fn verify(subject: &Subject, asked: &[Criterion]) -> String {
    fill(
        include_str!("../../prompts/validation/verify.md"),
        &[
            ("text", &text(subject)),
            ("criteria", &section(asked)),
            ("rule", &rule(asked)),
            ("answer", &form::alone(&verification_form(asked))),
        ],
    )
}

/// Asks in the same session what the files show about the next criteria.
pub(super) fn verify_next(asked: &[Criterion]) -> String {
    fill(
        include_str!("../../prompts/validation/verify-next.md"),
        &[
            ("criteria", &section(asked)),
            ("rule", &rule(asked)),
            ("answer", &form::alone(&verification_form(asked))),
        ],
    )
}

/// Which criteria the answer judges.
fn rule(asked: &[Criterion]) -> String {
    let ids: Vec<&str> = asked.iter().map(|criterion| criterion.id.as_str()).collect();
    match asked {
        [] => "Derive the criteria yourself from what was asked for. List few, each about one thing, \
               and nothing that wasn't asked for."
            .to_owned(),
        [one] => format!("Judge this criterion and no other: {}.", one.id),
        _ => format!("Judge every one of these criteria and no other: {}.", ids.join(", ")),
    }
}

/// The form of a verification; if no criteria are given, it lists them.
fn verification_form(given: &[Criterion]) -> String {
    let (id, what) = if given.is_empty() {
        (
            "\"C1\", then \"C2\", …",
            "\n    text: string; // one thing that must be true, and that a user of the application can see",
        )
    } else {
        ("the criterion's", "")
    };
    fill(include_str!("../../prompts/validation/verification-form.md"), &[("id", id), ("text", what)])
}

/// Asks for journeys and gaps.
pub(super) fn analyze(subject: &Subject, listed: &[Criterion]) -> String {
    fill(
        include_str!("../../prompts/validation/journeys.md"),
        &[
            ("text", &text(subject)),
            ("criteria", &section(listed)),
            ("answer", &form::alone(journeys_form())),
        ],
    )
}

/// Asks for tests. `fast_check`: whether they may use it. `fault`: what is wrong with the existing tests; empty if there are none.
pub(super) fn tests(
    subject: &Subject,
    listed: &[Criterion],
    journeys: &[Journey],
    own: Option<&Own>,
    fast_check: bool,
    fault: &str,
) -> String {
    let journeys: Vec<String> = journeys
        .iter()
        .map(|journey| format!("{} {}\n\n{}", journey.id, journey.title, numbered(&journey.steps)))
        .collect();
    let rules = if fast_check {
        format!("{}\n\n", include_str!("../../prompts/validation/rules.md").trim_end())
    } else {
        String::new()
    };
    let fix = if fault.is_empty() {
        String::new()
    } else {
        format!("The earlier tests can't be used:\n\n{}\n\n", fenced(fault))
    };
    fill(
        include_str!("../../prompts/validation/tests.md"),
        &[
            ("text", &text(subject)),
            ("criteria", &criteria(listed)),
            ("journeys", &journeys.join("\n\n")),
            ("own", &own.map(|own| decided(listed, own)).unwrap_or_default()),
            ("rules", &rules),
            ("fix", &fix),
            ("answer", &form::alone(suite_form())),
        ],
    )
}

/// Asks to fix tests.
pub(super) fn fix(fault: &str) -> String {
    fill(
        include_str!("../../prompts/validation/fix.md"),
        &[("fault", &fenced(fault)), ("answer", &form::alone(suite_form()))],
    )
}

fn text(subject: &Subject) -> String {
    fenced(subject.text.trim())
}

/// What must be true, under its heading; empty if there is no list.
fn section(listed: &[Criterion]) -> String {
    if listed.is_empty() {
        return String::new();
    }
    format!("# What must be true\n\n{}\n\n", criteria(listed))
}

fn criteria(criteria: &[Criterion]) -> String {
    let line = |criterion: &Criterion| format!("- {}: {}", criterion.id, criterion.text);
    criteria.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What the project's own tests decide, under its heading; empty if they decide nothing.
fn decided(listed: &[Criterion], own: &Own) -> String {
    let line = |id: &str| {
        let tests: Vec<String> = own
            .of(id)
            .map(|test| format!("{} ({})", visible::line(&test.title), visible::line(&test.file)))
            .collect();
        (!tests.is_empty()).then(|| format!("- {id}: {}", tests.join("; ")))
    };
    let lines: Vec<String> = listed.iter().filter_map(|criterion| line(&criterion.id)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let wording =
        fill(include_str!("../../prompts/validation/own-tests.md"), &[("tests", &lines.join("\n"))]);
    format!("{wording}\n\n")
}

fn numbered(steps: &[String]) -> String {
    let lines = steps.iter().enumerate().map(|(index, step)| format!("{}. {step}", index + 1));
    lines.collect::<Vec<_>>().join("\n")
}

fn journeys_form() -> &'static str {
    include_str!("../../prompts/validation/journeys-form.md")
}

fn suite_form() -> &'static str {
    include_str!("../../prompts/validation/suite-form.md")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::form::tests::assert_of_schema;
    use crate::validation::tests::{analysis, own, subject};

    #[test]
    fn a_form_asks_for_what_its_schema_requires_and_for_nothing_else() {
        let verification = include_str!("../../schemas/validation/verification-reply.json");
        assert_of_schema(&verification_form(&[]), verification, &[]);
        assert_of_schema(&verification_form(&subject().criteria), verification, &[]);
        assert!(verification_form(&[]).contains("    text: string;"));
        assert_of_schema(journeys_form(), include_str!("../../schemas/validation/analysis-reply.json"), &[]);
        assert_of_schema(suite_form(), include_str!("../../schemas/validation/suite-reply.json"), &[]);
    }

    #[test]
    fn no_prompt_is_left_with_a_blank() {
        let given = subject();
        let bare = Subject { criteria: Vec::new(), ..given.clone() };
        let journeys = analysis().journeys;
        let own = own();
        let texts = [
            verify(&given, &given.criteria),
            verify(&bare, &[]),
            verify(&given, &given.criteria[..1]),
            verify_next(&given.criteria[1..]),
            verify_next(&given.criteria),
            analyze(&given, &given.criteria),
            tests(&given, &given.criteria, &journeys, None, true, ""),
            tests(&given, &given.criteria, &journeys, Some(&own), false, "SyntaxError: unexpected token"),
            fix("SyntaxError: unexpected token"),
        ];
        for text in &texts {
            assert!(!text.contains("{{") && !text.contains("}}"), "{text}");
            assert!(!text.contains("\n\n\n"), "{text}");
            assert!(!text.ends_with('\n'));
        }
        insta::assert_snapshot!("prompts", texts.join("\n\n=======\n\n"));
    }
}
