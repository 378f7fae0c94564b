//! The rubric: the dimensions that reviewers score, and their ranges.

use super::code::ConfigCode;
use super::model::Dimension;
use super::raw::RawConfig;
use super::{Layer, Source};
use crate::design_lab::schema::{child, quote, sort_problems};
use crate::shared::named_text::NamedText;
use design_lab_numerics::sorting::sort_by;
use kernel::problem::Problem;
use serde_json::Value;
use std::collections::BTreeMap;

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

const CRITERIA: &str = "/scoring_criteria";
const DIMENSIONS: &str = "/scoring_criteria/dimensions";

/// Returns the dimensions of a configuration, for a table of scores that uses them; the models that it names
/// don't matter.
pub fn rubric(file: &NamedText) -> Result<Vec<Dimension>, Vec<Problem>> {
    read(file, |_| Vec::new())
}

/// Returns the dimensions of the file with a task's rubric: a configuration that sets nothing else, since nothing else would apply.
pub(crate) fn task_rubric(file: &NamedText) -> Result<Vec<Dimension>, Vec<Problem>> {
    read(file, |merged| {
        let (all, criteria) = (merged.as_object(), merged["scoring_criteria"].as_object());
        let others = all.into_iter().flatten().map(|(key, _)| child("", key)).filter(|at| at != CRITERIA);
        let within = criteria.into_iter().flatten().map(|(key, _)| child(CRITERIA, key));
        let of_rubric = |at: &String| at != DIMENSIONS && at != "/$schema";
        let other = |at: String| {
            Problem::new(ConfigCode::NotOfRubric, "This file sets only a rubric.")
                .at(at)
                .allowed(format!("`{}`", DIMENSIONS[1..].replace('/', ".")))
                .next("Remove this setting, or move it to your configuration.")
        };
        others.chain(within).filter(of_rubric).map(other).collect()
    })
}

/// Returns anchors by their scores, the lowest first; an anchor that isn't a number comes last.
pub(crate) fn in_order(anchors: &BTreeMap<String, String>) -> Vec<(&String, &String)> {
    let score = |text: &str| text.trim().parse().unwrap_or(f64::INFINITY);
    let mut anchors: Vec<(&String, &String)> = anchors.iter().collect();
    sort_by(&mut anchors, |(one, _), (other, _)| score(one).total_cmp(&score(other)));
    anchors
}

fn read(
    file: &NamedText,
    others: impl FnOnce(&Value) -> Vec<Problem>,
) -> Result<Vec<Dimension>, Vec<Problem>> {
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
    let faults = others(&layers.merged).into_iter().chain(dimension_problems(&dimensions));
    let mut found: Vec<Problem> = faults.map(|problem| layers.place(problem)).collect();
    if found.is_empty() {
        return Ok(dimensions);
    }
    sort_problems(&mut found, &|_| 0);
    Err(found)
}

/// Returns what is wrong with dimensions beyond the schema, with pointers into a configuration.
pub(crate) fn dimension_problems(dimensions: &[Dimension]) -> Vec<Problem> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read_task(text: &str) -> Result<Vec<String>, Vec<(String, Option<u32>)>> {
        let file = NamedText { name: "rubric.jsonc".to_owned(), text: text.to_owned() };
        let place = |problem: Problem| (problem.code.as_str().to_owned(), problem.line);
        match task_rubric(&file) {
            Ok(dimensions) => Ok(dimensions.into_iter().map(|one| one.name).collect()),
            Err(problems) => Err(problems.into_iter().map(place).collect()),
        }
    }

    #[test]
    fn the_file_of_a_task_has_a_rubric_and_nothing_else() {
        let one = r#"{"name": "restart", "description": "d", "anchors": {"2": "lost",}}"#;
        let whole = |more: &str, dimensions: &str| {
            format!("// edited\n{{{more}\n\"scoring_criteria\": {{\n\"dimensions\": [\n{dimensions}\n]}}}}")
        };
        assert_eq!(read_task(&whole("", one)), Ok(vec!["restart".to_owned()]));
        let fault = |code: &str, line| Err(vec![(code.to_owned(), Some(line))]);
        assert_eq!(read_task(&whole("\"seed\": 4,", one)), fault("config.not-of-rubric", 2));
        let reserved = one.replace("restart", "overall");
        assert_eq!(read_task(&whole("", &reserved)), fault("config.reserved-dimension", 5));
        assert_eq!(read_task(&whole("", &format!("{one},\n{one}"))), fault("config.duplicate-dimension", 6));
        assert_eq!(
            read_task(&whole("", &one.replace("\"2\"", "\"12\""))),
            fault("config.misplaced-anchor", 5)
        );
        assert_eq!(read_task("{}").unwrap_err()[0].0, "config.no-rubric");
        assert!(read_task("{").is_err() && read_task("\0").is_err());
    }
}
