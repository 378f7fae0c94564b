//! The rubric: the dimensions that reviewers score, and their ranges.

use super::code::ConfigCode;
use super::model::Dimension;
use super::raw::RawConfig;
use super::{Layer, Source};
use crate::design_lab::schema::{child, quote, sort_problems};
use crate::shared::named_text::NamedText;
use kernel::problem::Problem;

/// Keys of a reviewer's reply that can't be the name of a dimension.
const RESERVED_DIMENSIONS: [&str; 7] = [
    "design_id",
    "justification",
    "missing_considerations",
    "overall",
    "risk_assessment",
    "strengths",
    "weaknesses",
];

const DIMENSIONS: &str = "/scoring_criteria/dimensions";

/// Returns the dimensions of a configuration, for a table of scores that uses them; the models that it names
/// don't matter.
pub fn rubric(file: &NamedText) -> Result<Vec<Dimension>, Vec<Problem>> {
    let source = Source { origin: Layer::Project, file: file.name.clone(), text: file.text.clone() };
    let (raw, layers) = RawConfig::placed(std::slice::from_ref(&source))?;
    let dimensions = raw.scoring_criteria.dimensions;
    if layers.merged.pointer(DIMENSIONS).is_none() {
        return Err(vec![file.place(
            Problem::new(ConfigCode::NoRubric, "This configuration has no rubric of its own.")
                .allowed("`scoring_criteria.dimensions`: a list of dimensions, each with a name, and `min`, `max` and `weight` where they \
                    aren't 0, 10 and 1")
                .next("Add a rubric, or name the configuration that the reviewers used."),
        )]);
    }
    let mut found: Vec<Problem> =
        problems(&dimensions).into_iter().map(|problem| layers.place(problem)).collect();
    if found.is_empty() {
        return Ok(dimensions);
    }
    sort_problems(&mut found, &|_| 0);
    Err(found)
}

/// Returns what is wrong with dimensions beyond the schema, with pointers into a configuration.
pub(super) fn problems(dimensions: &[Dimension]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, dimension) in dimensions.iter().enumerate() {
        let Dimension { name, min, max, anchors, .. } = dimension;
        let pointer = format!("{DIMENSIONS}/{index}");
        if RESERVED_DIMENSIONS.contains(&name.as_str()) {
            problems.push(
                Problem::new(
                    ConfigCode::ReservedDimension,
                    format!("`{name}` is a reserved word in reviews."),
                )
                .at(format!("{pointer}/name"))
                .found(quote(name))
                .allowed(format!("any name except {}", RESERVED_DIMENSIONS.join(", ")))
                .next(format!("Rename it, to `{name}_of_design` for example.")),
            );
        }
        if dimensions[..index].iter().any(|other| other.name == *name) {
            problems.push(
                Problem::new(ConfigCode::DuplicateDimension, format!("The dimension `{name}` occurs twice."))
                    .at(format!("{pointer}/name"))
                    .found(quote(name))
                    .allowed("a name that no other dimension has")
                    .next("Rename or remove one of the two."),
            );
        }
        if min >= max {
            problems.push(
                Problem::new(ConfigCode::EmptyRange, format!("The scale of `{name}` is empty."))
                    .at(format!("{pointer}/max"))
                    .found(format!("min {min}, max {max}"))
                    .allowed("`min` below `max`; the defaults are 0 and 10")
                    .next("Raise `max` or lower `min`."),
            );
        }
        for score in anchors.keys() {
            if !score.parse::<f64>().is_ok_and(|score| (*min..=*max).contains(&score)) {
                problems.push(
                    Problem::new(
                        ConfigCode::MisplacedAnchor,
                        format!("An anchor of `{name}` is not a score."),
                    )
                    .at(child(&format!("{pointer}/anchors"), score))
                    .found(quote(score))
                    .allowed(format!("a number from {min} to {max}, in quotes"))
                    .next("Correct the score that this anchor describes."),
                );
            }
        }
    }
    problems
}
