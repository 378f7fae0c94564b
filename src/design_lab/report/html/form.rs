//! `human/<name>.html`: a person's form as a page. It is the only page with a script, which saves the input and turns
//! it into CSV; the policy in its head allows that script, by its hash, and no network.

use super::designs::{Choice, Part, claims, risk};
use crate::design_lab::artefacts::{Design, Task};
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::{Label, ReviewerId};
use crate::design_lab::report::results::heading;
use crate::shared::figures::count;
use crate::shared::page::Prose;
use askama::Template;
use design_lab_numerics::sorting::sort_by;

/// The page's own style sheet.
const STYLE: &str = include_str!("form.css");
/// Its SHA-256 in Base64, as the policy requires it; a test keeps it up to date.
const STYLE_HASH: &str = include_str!("form.css.sha256").trim_ascii_end();
/// The page's script.
const SCRIPT: &str = include_str!("form.js");
/// Its SHA-256 in the same form.
const SCRIPT_HASH: &str = include_str!("form.js.sha256").trim_ascii_end();

/// The contents of a person's form.
pub struct Form<'a> {
    /// The person.
    pub reviewer: &'a ReviewerId,
    /// The run, as the commands' argument names it.
    pub run: &'a str,
    /// The task.
    pub task: &'a Task,
    /// The designs without their authors, in the person's order.
    pub designs: &'a [(Label, Design)],
    /// The rubric.
    pub dimensions: &'a [Dimension],
    /// The pairs to compare; empty if designs are scored.
    pub pairs: &'a [(Label, Label)],
}

/// The whole page.
pub fn form_page(form: &Form<'_>) -> String {
    Page::new(form).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "form.html")]
struct Page<'a> {
    style: &'static str,
    style_hash: &'static str,
    script: &'static str,
    script_hash: &'static str,
    form: &'a Form<'a>,
    title: String,
    facts: Vec<String>,
    /// The key under which the browser saves the input: other labels mean another form.
    key: String,
    task: Prose,
    lists: Vec<(&'static str, Vec<Prose>)>,
    rubric: Vec<Asked<'a>>,
    designs: Vec<Shown<'a>>,
}

/// A dimension, with the meaning of its scores.
struct Asked<'a> {
    name: &'a str,
    description: &'a str,
    min: f64,
    max: f64,
    anchors: Vec<(&'a str, &'a str)>,
}

/// A design.
struct Shown<'a> {
    label: &'a str,
    title: &'a str,
    before: Vec<(&'static str, Vec<Prose>)>,
    parts: Vec<Part>,
    flow: Prose,
    choices: Vec<Choice>,
    behind: Vec<(&'static str, Vec<Prose>)>,
}

impl<'a> Page<'a> {
    fn new(form: &'a Form<'a>) -> Self {
        let Form { reviewer, run, task, designs, dimensions, pairs } = form;
        let labels: Vec<&str> = designs.iter().map(|(label, _)| label.as_str()).collect();
        let mut facts =
            vec![format!("Review by {reviewer}"), count(designs.len() as u64, "design", "designs")];
        if !pairs.is_empty() {
            facts.push(count(pairs.len() as u64, "pair", "pairs"));
        }
        Self {
            style: STYLE,
            style_hash: STYLE_HASH,
            script: SCRIPT,
            script_hash: SCRIPT_HASH,
            form,
            title: heading(task),
            facts,
            key: format!("design-lab {run} {reviewer} {} {}", pairs.len(), labels.join(" ")),
            task: Prose::new(&task.problem_statement),
            lists: given(vec![
                ("Constraints", lines(&task.constraints)),
                ("Non-functional requirements", lines(&task.non_functional_requirements)),
            ]),
            rubric: dimensions.iter().map(Asked::new).collect(),
            designs: designs.iter().map(|(label, design)| Shown::new(label.as_str(), design)).collect(),
        }
    }

    fn is_pairwise(&self) -> bool {
        !self.form.pairs.is_empty()
    }
}

impl<'a> Asked<'a> {
    fn new(one: &'a Dimension) -> Self {
        let mut anchors: Vec<(&str, &str)> =
            one.anchors.iter().map(|(score, meaning)| (score.as_str(), meaning.as_str())).collect();
        let number = |text: &str| text.trim().parse().unwrap_or(f64::INFINITY);
        sort_by(&mut anchors, |(one, _), (other, _)| number(one).total_cmp(&number(other)));
        Self { name: &one.name, description: &one.description, min: one.min, max: one.max, anchors }
    }
}

impl<'a> Shown<'a> {
    fn new(label: &'a str, design: &'a Design) -> Self {
        Self {
            label,
            title: &design.title,
            before: given(vec![
                ("Summary", vec![Prose::new(&design.summary)]),
                ("Assumptions", lines(&design.assumptions)),
                ("Architecture", vec![Prose::new(&design.architecture_overview)]),
            ]),
            parts: design.components.iter().map(Part::new).collect(),
            flow: Prose::new(&design.data_flow),
            choices: design.tradeoffs.iter().map(Choice::new).collect(),
            behind: given(
                [
                    ("Risks", design.risks.iter().map(risk).collect()),
                    ("Open questions", lines(&design.open_questions)),
                ]
                .into_iter()
                .chain(design.details().map(|(heading, items)| (heading, lines(items))))
                .chain([("Claims about the project", claims(design))])
                .collect(),
            ),
        }
    }
}

fn lines(items: &[String]) -> Vec<Prose> {
    items.iter().map(|item| Prose::new(item)).collect()
}

/// Returns the sections that aren't empty.
fn given(mut sections: Vec<(&'static str, Vec<Prose>)>) -> Vec<(&'static str, Vec<Prose>)> {
    sections.retain(|(_, items)| !items.is_empty());
    sections
}
