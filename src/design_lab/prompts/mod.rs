//! The requests to models and to human reviewers. The texts are in `prompts/*.md`; this module fills in the blanks.

mod role;

pub use role::Role;

use crate::design_lab::artefacts::{ReplyRules, Task};
use crate::design_lab::config::{Dimension, ScoringCriteria, in_order};
use crate::design_lab::ids::Label;
use crate::shared::form;
use crate::shared::reply::{self, Words};
use crate::shared::template::fill;
use kernel::problem::Problem;

/// The system prompt of the model that names the run.
pub const NAMER: &str = include_str!("../../../prompts/design-lab/namer.md");
/// The system prompt of a design model, unless its entry has its own.
pub const DESIGNER: &str = include_str!("../../../prompts/design-lab/designer.md");
/// The system prompt of a review model, unless its entry has its own.
pub const REVIEWER: &str = include_str!("../../../prompts/design-lab/reviewer.md");
/// The system prompt of the model that drafts the rubric for a task.
pub const RUBRIC_DRAFTER: &str = include_str!("../../../prompts/design-lab/rubric-drafter.md");
/// The text below the system prompt of a designer or reviewer that can't call tools.
pub(crate) const WITHOUT_TOOLS: &str = include_str!("../../../prompts/design-lab/without-tools.md");

/// How many characters of a task are used to make a name: its attachments may be long.
const NAMED_FROM: usize = 4_000;

/// Asks for a short name.
pub fn topic(task: &Task) -> String {
    let task: String = describe(task).chars().take(NAMED_FROM).collect();
    fill(include_str!("../../../prompts/design-lab/topic.md"), &[("task", &task)])
}

/// Asks for a design.
pub fn design(task: &Task) -> String {
    fill(
        include_str!("../../../prompts/design-lab/design.md"),
        &[("task", &describe(task)), ("answer", &design_form(""))],
    )
}

/// Asks a designer to rewrite its design to address the user's remark; both blocks as they appear in the prompt.
pub fn design_again(task: &Task, earlier: Option<&str>, remark: &str) -> String {
    let earlier = earlier.map_or(String::new(), |design| {
        format!("# Your earlier design\n\nThis is the design that you proposed for the task:\n\n{design}\n\n")
    });
    fill(
        include_str!("../../../prompts/design-lab/design-again.md"),
        &[("task", &describe(task)), ("earlier", &earlier), ("remark", remark), ("answer", &design_form(""))],
    )
}

/// Asks a designer for the next version of its design; both blocks as they appear in the prompt.
pub fn refine(task: &Task, design: &str, feedback: &str) -> String {
    fill(
        include_str!("../../../prompts/design-lab/refine.md"),
        &[
            ("task", &describe(task)),
            ("design", design),
            ("feedback", feedback),
            ("answer", &design_form("")),
        ],
    )
}

/// Asks for one design that combines the best parts of several, given best first; `labels` are in the same order. `map`: where they
/// agree and differ, as it appears in the prompt.
pub fn merge(task: &Task, designs: &[String], labels: &[Label], map: Option<&str>) -> String {
    let sources = form::one_of(labels.iter().map(Label::as_str).chain(["new"]));
    let sources = format!(
        "\n    sources: ({sources})[]; // the designs it was taken from; \"new\" for parts that none of them \
         has"
    );
    let map = map.map_or(String::new(), |map| {
        let lead = include_str!("../../../prompts/design-lab/merge-map.md").trim_end();
        format!("{lead}\n\n{map}\n\n")
    });
    fill(
        include_str!("../../../prompts/design-lab/merge.md"),
        &[
            ("task", &describe(task)),
            ("count", &designs.len().to_string()),
            ("designs", &designs.join("\n\n")),
            ("map", &map),
            ("answer", &design_form(&sources)),
        ],
    )
}

/// Returns the form of a design, below room to think; `sources` is the extra field that a merged one has.
fn design_form(sources: &str) -> String {
    form::at_end(&fill(include_str!("../../../prompts/design-lab/design-form.md"), &[("sources", sources)]))
}

/// Asks for what a design states about the project. `material` is the task and the design as it appears in the prompt, if the
/// conversation doesn't contain them yet.
pub fn claims(material: Option<(&Task, &str)>) -> String {
    let lead = material.map_or(String::new(), |(task, design)| {
        format!(
            "{}\n\n# Your design\n\nYou proposed this design for the task:\n\n{design}\n\n",
            describe(task)
        )
    });
    let answer = form::alone(include_str!("../../../prompts/design-lab/claims-form.md"));
    fill(include_str!("../../../prompts/design-lab/claims.md"), &[("lead", &lead), ("answer", &answer)])
}

/// What code found about the statements of the shown designs, as a note below them.
pub fn observed() -> &'static str {
    include_str!("../../../prompts/design-lab/observed.md").trim_end()
}

/// Asks for the rubric by which designs of this task are compared.
pub fn draft_rubric(task: &Task) -> String {
    let answer = form::alone(include_str!("../../../prompts/design-lab/rubric-form.md"));
    fill(
        include_str!("../../../prompts/design-lab/rubric.md"),
        &[("task", &describe(task)), ("answer", &answer)],
    )
}

/// Asks for a written review of the designs, given as the blocks that appear in the prompt.
pub fn prose(task: &Task, designs: &[String], dimensions: &[Dimension]) -> String {
    fill(
        include_str!("../../../prompts/design-lab/review-prose.md"),
        &[
            ("task", &describe(task)),
            ("count", &designs.len().to_string()),
            ("designs", &designs.join("\n\n")),
            ("rubric", &rubric(dimensions)),
        ],
    )
}

/// Asks for a written review of the designs, with scores below it, in one answer.
pub fn whole(task: &Task, designs: &[String], rules: &ReplyRules<'_>) -> String {
    let lead = fill(
        include_str!("../../../prompts/design-lab/review-whole.md"),
        &[
            ("task", &describe(task)),
            ("count", &designs.len().to_string()),
            ("designs", &designs.join("\n\n")),
        ],
    );
    scored(&format!("{lead}\n\n"), &form::at_end(&scores_form(rules)), rules.dimensions)
}

/// What a prompt for scores needs if the conversation doesn't contain it yet.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// The task.
    pub task: &'a Task,
    /// The designs, as the blocks that appear in the prompt.
    pub designs: &'a [String],
    /// The reviewer's own written review, if there is one.
    pub review: Option<&'a str>,
}

/// Asks for scores: after a written review in the same session, or with the material if there was none.
pub fn scores(material: Option<Material<'_>>, rules: &ReplyRules<'_>) -> String {
    let lead = material.map_or(String::new(), |Material { task, designs, review }| {
        let review =
            review.map_or(String::new(), |text| format!("Your own written review of them:\n\n{text}\n\n"));
        fill(
            include_str!("../../../prompts/design-lab/review-scores-lead.md"),
            &[
                ("task", &describe(task)),
                ("count", &designs.len().to_string()),
                ("designs", &designs.join("\n\n")),
                ("review", &review),
            ],
        )
    });
    scored(&lead, &form::alone(&scores_form(rules)), rules.dimensions)
}

/// Returns the request for scores; `lead` precedes it, `answer` asks for the object.
fn scored(lead: &str, answer: &str, dimensions: &[Dimension]) -> String {
    fill(
        include_str!("../../../prompts/design-lab/review-scores.md"),
        &[("lead", lead), ("answer", answer), ("rubric", &rubric(dimensions))],
    )
}

/// Returns the form of scores. Runs of earlier versions have the one without evidence.
fn scores_form(rules: &ReplyRules<'_>) -> String {
    let optional = optional(rules.require_justification);
    let (form, score) = if rules.wants_evidence {
        let score = format!("{{ reason{optional}: string; score: number }}");
        (include_str!("../../../prompts/design-lab/scores-form.md"), score)
    } else {
        (include_str!("../../../prompts/design-lab/scores-form-plain.md"), "number".to_owned())
    };
    let field =
        |one: &Dimension| format!("      {}: {score}; // {} to {}", json(&one.name), one.min, one.max);
    let fields: Vec<String> = rules.dimensions.iter().map(field).collect();
    fill(
        form,
        &[
            ("ids", &form::one_of(rules.labels.iter().map(Label::as_str))),
            ("fields", &fields.join("\n")),
            ("optional", optional),
            ("constraints", &constraints_form(rules.constraints)),
        ],
    )
}

/// Returns the field for the constraints of the task; empty if it has none.
fn constraints_form(count: usize) -> String {
    let form = include_str!("../../../prompts/design-lab/constraints-form.md");
    if count == 0 { String::new() } else { fill(form, &[("count", &count.to_string())]) + "\n" }
}

/// Returns the mark of a field that may be left out.
fn optional(is_required: bool) -> &'static str {
    if is_required { "" } else { "?" }
}

/// Asks a person to score the designs, given as Markdown, or to compare the pairs if there are any; `run` is the run as
/// the command's argument names it.
pub fn human_review(
    reviewer: &str,
    run: &str,
    task: &Task,
    designs: &[String],
    dimensions: &[Dimension],
    pairs: &[(Label, Label)],
) -> String {
    let (what, fill_in, counts) = if pairs.is_empty() {
        (
            "score each of them",
            "one row for each design and dimension. In the `score` column, write a number within the \
             dimension's bounds; decimals are allowed. Don't change the columns `design` and `dimension`.",
            "A design counts once it has a score on every dimension; you may leave designs out. Judge each \
             design by the task and the rubric alone, not by its length, its polish or its place in the \
             list. Use the whole scale: give two designs the same score only if you see no difference.",
        )
    } else {
        (
            "compare them pair by pair",
            "one row for each pair. In the `verdict` column, write which design is better: `first`, `second` \
             or `tie`. Don't change the columns `pair`, `first` and `second`.",
            "Each verdict counts by itself; you may leave pairs out. Judge by the task and the rubric alone, \
             not by length, polish or which of the two comes first. Use `tie` only if you see no difference.",
        )
    };
    let mut text = fill(
        include_str!("../../../prompts/design-lab/human-review.md"),
        &[
            ("what", what),
            ("fill_in", fill_in),
            ("counts", counts),
            ("reviewer", reviewer),
            ("run", run),
            ("count", &designs.len().to_string()),
            ("task", &describe(task)),
            ("rubric", &rubric(dimensions)),
            ("designs", &designs.join("\n\n")),
        ],
    );
    text.push('\n');
    text
}

/// Asks which of two designs is better; `labels` are in the order shown.
pub fn compare(task: &Task, designs: &[String], labels: &[Label], criteria: &ScoringCriteria) -> String {
    let dimensions = &criteria.dimensions;
    fill(
        include_str!("../../../prompts/design-lab/compare.md"),
        &[
            ("task", &describe(task)),
            ("designs", &designs.join("\n\n")),
            ("rubric", &rubric(dimensions)),
            ("weights", &weights(dimensions)),
            ("answer", &form::at_end(&comparison_form(labels, criteria))),
        ],
    )
}

/// Returns the form of a comparison.
fn comparison_form(labels: &[Label], criteria: &ScoringCriteria) -> String {
    let choices = form::one_of(labels.iter().map(Label::as_str).chain(["tie"]));
    let field = |one: &Dimension| format!("    {}: {choices};", json(&one.name));
    let fields: Vec<String> = criteria.dimensions.iter().map(field).collect();
    fill(
        include_str!("../../../prompts/design-lab/comparison-form.md"),
        &[
            ("fields", &fields.join("\n")),
            ("optional", optional(criteria.require_justification)),
            ("choices", &choices),
        ],
    )
}

/// Asks where the designs agree and differ; `labels` are in the order shown.
pub fn map(task: &Task, designs: &[String], labels: &[Label]) -> String {
    let ids = form::one_of(labels.iter().map(Label::as_str));
    let answer = fill(include_str!("../../../prompts/design-lab/map-form.md"), &[("ids", &ids)]);
    fill(
        include_str!("../../../prompts/design-lab/map.md"),
        &[
            ("task", &describe(task)),
            ("count", &designs.len().to_string()),
            ("designs", &designs.join("\n\n")),
            ("answer", &form::alone(&answer)),
        ],
    )
}

/// Asks to fix what is wrong with an object; `labels` are the valid ids if ids are wrong, otherwise empty.
pub fn repair(problems: &[Problem], labels: &[Label]) -> String {
    reply::repair(problems, &if labels.is_empty() { String::new() } else { valid_ids(labels) })
}

/// Asks for scores that distinguish the designs.
pub fn same_scores() -> String {
    fill(include_str!("../../../prompts/design-lab/review-same-scores.md"), &[])
}

/// Asks again for a review, because the first one doesn't name all designs.
pub fn unnamed(missing: &[&Label], labels: &[Label]) -> String {
    let missing: Vec<String> = missing.iter().map(|label| json(label.as_str())).collect();
    fill(
        include_str!("../../../prompts/design-lab/review-unnamed.md"),
        &[("missing", &missing.join(" or ")), ("ids", &listed(labels))],
    )
}

/// Asks again for a review, because the first one repeats the request.
pub fn echo(labels: &[Label]) -> String {
    fill(include_str!("../../../prompts/design-lab/review-echo.md"), &[("ids", &listed(labels))])
}

fn listed(labels: &[Label]) -> String {
    labels.iter().map(|label| json(label.as_str())).collect::<Vec<_>>().join(", ")
}

/// The form that an answer should have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The statements of a design about the project as one JSON object.
    Claims,
    /// A comparison of two designs as one JSON object.
    Comparison,
    /// A design as one JSON object.
    Design,
    /// Where designs agree and differ as one JSON object.
    Map,
    /// A written review in Markdown.
    Review,
    /// The rubric for a task as one JSON object.
    Rubric,
    /// Scores as one JSON object.
    Scores,
    /// A written review that ends with the scores as one JSON object.
    Whole,
}

impl Form {
    /// Returns what the answer is called, the form that is required, and the kind of work it is.
    pub fn words(self) -> Words {
        const OBJECT: &str = ", as one JSON object without any text around it";
        let (what, form, work) = match self {
            Self::Comparison => {
                ("object", OBJECT, "for an engineer's comparison of two software design proposals")
            }
            Self::Claims => ("object", OBJECT, "for the statements of a design about a project"),
            Self::Design => ("object", OBJECT, "for the design of a piece of software, as a text"),
            Self::Map => (
                "object",
                OBJECT,
                "for an engineer's map of where software design proposals agree and differ",
            ),
            Self::Rubric => ("object", OBJECT, "for the criteria by which software designs are compared"),
            Self::Review => ("review", "", "for an engineer's written review of software design proposals"),
            Self::Whole => (
                "review",
                ", with the scores as one JSON object at its end",
                "for an engineer's written review and scores of software design proposals",
            ),
            Self::Scores => ("object", OBJECT, "for an engineer's scores of software design proposals"),
        };
        Words { what, form, work }
    }
}

fn valid_ids(labels: &[Label]) -> String {
    let ids: Vec<String> = labels.iter().map(|label| format!("- {}", json(label.as_str()))).collect();
    format!(
        "The only valid values of \"design_id\", one evaluation for each, copied exactly:\n{}",
        ids.join("\n")
    )
}

/// Returns the task for a model that can or can't see its images, which are named at the end of the task's text.
pub fn with_images(task: &Task, shown: bool) -> Task {
    let mut task = task.clone();
    task.problem_statement.push_str(if shown {
        "\n\nThe images named above are attached to this message, in the same order."
    } else {
        "\n\nThe images named above can't be shown to you. Use the text, and don't guess what an image shows."
    });
    task
}

/// Returns the task, with a digest of the project, for a model that can't read the project's files.
pub fn with_brief(task: &Task, brief: &str) -> Task {
    let mut task = task.clone();
    task.problem_statement.push_str("\n\n## The project\n\n");
    task.problem_statement.push_str(brief);
    task
}

fn describe(task: &Task) -> String {
    let list = |heading: &str, items: Vec<String>| {
        if items.is_empty() { String::new() } else { format!("\n\n## {heading}\n\n{}", items.join("\n")) }
    };
    // Reviewers answer by these numbers.
    let numbered = task.constraints.iter().enumerate().map(|(index, item)| format!("{}. {item}", index + 1));
    let constraints = list("Constraints", numbered.collect());
    let qualities = task.non_functional_requirements.iter().map(|item| format!("- {item}"));
    let qualities = list("Non-functional requirements", qualities.collect());
    format!("# Task\n\n{}{constraints}{qualities}", task.problem_statement.trim())
}

fn rubric(dimensions: &[Dimension]) -> String {
    let lines = dimensions.iter().flat_map(|one| {
        let head = format!("- **{}** ({} to {}): {}", one.name, one.min, one.max, one.description);
        let anchors = in_order(&one.anchors).into_iter();
        let anchors = anchors.map(|(score, meaning)| format!("  - {score}: {meaning}"));
        [head].into_iter().chain(anchors)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the weight of each dimension, or nothing if all weights are equal.
fn weights(dimensions: &[Dimension]) -> String {
    if dimensions.windows(2).all(|pair| pair[0].weight.total_cmp(&pair[1].weight).is_eq()) {
        return String::new();
    }
    let list: Vec<String> =
        dimensions.iter().map(|dimension| format!("{} {}", dimension.name, dimension.weight)).collect();
    format!(", with the weights {}", list.join(", "))
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::form::tests::assert_of_schema;

    fn dimension() -> Dimension {
        Dimension {
            description: "How clear is it?".into(),
            anchors: [("10", "a delight"), ("2", "hard to follow")]
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
                .into(),
            ..Dimension::new("clarity")
        }
    }

    fn criteria(require_justification: bool) -> ScoringCriteria {
        ScoringCriteria { dimensions: vec![dimension()], require_justification }
    }

    #[test]
    fn a_comparison_is_reported_what_weighs_more_and_what_may_be_left_out() {
        let compared = |criteria: &ScoringCriteria| {
            compare(&Task::default(), &[], &["fern", "gorse"].map(Label::new), criteria)
        };
        let mut weighted = criteria(false);
        weighted.dimensions.push(Dimension { name: "cost".into(), weight: 2.5, ..dimension() });
        let text = compared(&weighted);
        assert!(text.contains("by the rubric as a whole, with the weights clarity 1, cost 2.5. Start"));
        assert!(text.contains("  justification?: string;"), "{text}");
        let plain = compared(&criteria(true));
        assert!(plain.contains("  justification: string;") && !plain.contains("weighing"), "{plain}");
    }

    #[test]
    fn a_form_asks_for_what_its_schema_requires_and_for_nothing_else() {
        let labels = ["fern", "gorse"].map(Label::new);
        let design = include_str!("../../../schemas/design-lab/design-reply.json");
        let review = include_str!("../../../schemas/design-lab/review-reply.json");
        assert_of_schema(&design_form(""), design, &[]);
        let merged = merge(&Task::default(), &[], &labels, None);
        assert_eq!(merged.matches("sources: (\"fern\" | \"gorse\" | \"new\")[];").count(), 2, "{merged}");
        let quoted = merged.split_once("type Design").map(|(_, form)| format!("type Design{form}")).unwrap();
        assert_of_schema(&quoted, design, &[]);
        // What evidence adds is converted before the schema is applied.
        let own = [
            "evaluations/quantitative/clarity",
            "evaluations/quantitative/clarity/reason",
            "evaluations/quantitative/clarity/score",
            "evaluations/qualitative/weaknesses/claim",
            "evaluations/qualitative/weaknesses/quote",
            "evaluations/qualitative/weaknesses/missing",
        ];
        let dimensions = [dimension()];
        for require_justification in [true, false] {
            for wants_evidence in [true, false] {
                let rules = ReplyRules {
                    labels: &labels,
                    dimensions: &dimensions,
                    require_justification,
                    wants_evidence,
                    constraints: if wants_evidence { 2 } else { 0 },
                };
                assert_of_schema(&scores_form(&rules), review, &own);
            }
        }
        assert!(
            comparison_form(&labels, &criteria(true)).contains("preferred: \"fern\" | \"gorse\" | \"tie\"")
        );
    }

    #[test]
    fn what_is_filled_in_is_never_a_template() {
        let task = Task { problem_statement: "Explain {{rubric}} and {{task}}".into(), ..Task::default() };
        let text = prose(&task, &["<design id=\"x\">{{count}}</design>".into()], &[dimension()]);
        assert!(text.contains("Explain {{rubric}} and {{task}}"));
        assert!(text.contains("<design id=\"x\">{{count}}</design>"));
    }

    #[test]
    fn no_prompt_is_left_with_a_blank() {
        let task = Task { problem_statement: "T".into(), constraints: vec!["C".into()], ..Task::default() };
        let labels = [Label::new("fern")];
        let designs = ["<design/>".to_owned()];
        let dimensions = [dimension()];
        let rules = ReplyRules {
            labels: &labels,
            dimensions: &dimensions,
            require_justification: true,
            wants_evidence: true,
            constraints: 1,
        };
        let pair = ["fern", "gorse"].map(Label::new);
        let texts = [
            topic(&task),
            draft_rubric(&task),
            design(&task),
            refine(&task, "<design/>", "<feedback/>"),
            merge(&task, &designs, &labels, None),
            merge(&task, &designs, &labels, Some("<map/>")),
            map(&task, &designs, &pair),
            prose(&task, &designs, &[dimension()]),
            scores(None, &rules),
            scores(
                Some(Material { task: &task, designs: &designs, review: Some("R") }),
                &ReplyRules { require_justification: false, wants_evidence: false, constraints: 0, ..rules },
            ),
            compare(&task, &designs, &pair, &criteria(true)),
            whole(&task, &designs, &rules),
        ];
        for text in &texts {
            assert!(!text.contains("{{") && !text.contains("}}"), "{text}");
            assert!(!text.ends_with('\n'));
        }
        insta::assert_snapshot!("prompts", texts.join("\n\n=======\n\n"));
    }
}
