//! Merges the configuration texts of several sources into one value, and records where each part of it came
//! from.

use super::code::ConfigCode;
use super::document::Document;
use super::{Layer, Origin, Source};
use crate::design_lab::schema::{self, DocumentKind, Fault, shorten};
use crate::shared::figures::count;
use kernel::problem::Problem;
use serde_json::{Map, Value};

/// The longest configuration that is read, in bytes: thousands of times what users write.
const LONGEST: usize = 1 << 20;

/// The sources, lowest first, each reduced to its valid settings, and all of them merged.
pub(super) struct Layers<'a> {
    layers: Vec<(&'a Source, Document)>,
    pub(super) merged: Value,
}

impl<'a> Layers<'a> {
    /// Parses, checks and merges the sources. An invalid setting is reported and left out, so that
    /// everything else can still be checked.
    pub(super) fn read(sources: &'a [Source]) -> (Self, Vec<Problem>) {
        let ranks = [Layer::Default, Layer::Global, Layer::Project, Layer::Options];
        let ordered = ranks.iter().flat_map(|rank| sources.iter().filter(|source| source.origin == *rank));
        let mut problems = Vec::new();
        let mut layers = Vec::new();
        for source in ordered {
            let mut found = Vec::new();
            if source.text.len() > LONGEST {
                problems.push(in_file(source, too_large(source.text.len())));
                continue;
            }
            let document = Document::parse(DocumentKind::Config, &source.text).map(|mut document| {
                for problem in schema::config_problems(&document.value) {
                    found.push(place(source, &document, problem));
                }
                for problem in &found {
                    remove_setting(&mut document.value, problem.pointer.as_deref().unwrap_or_default());
                }
                found.extend(older_name(source, &mut document));
                document
            });
            match document {
                Ok(document) => layers.push((source, document)),
                Err(syntax) => found.extend(syntax.into_iter().map(|problem| in_file(source, problem))),
            }
            problems.append(&mut found);
        }
        let empty = Value::Object(Map::new());
        let merged = layers.iter().fold(empty, |merged, (_, document)| merge(merged, document.value.clone()));
        (Self { layers, merged }, problems)
    }

    /// Adds file, line and column to a problem whose pointer is into the merged value.
    pub(super) fn place(&self, problem: Problem) -> Problem {
        match self.owner(problem.pointer.as_deref().unwrap_or_default()) {
            Some((source, document)) => place(source, document, problem),
            None => problem,
        }
    }

    /// Returns the source that decides a setting; `None` when the default does.
    pub(super) fn source(&self, pointer: &str) -> Option<&'a Source> {
        self.owner(pointer).map(|(source, _)| *source)
    }

    /// Returns where the effective value of a setting comes from.
    pub(super) fn origin(&self, pointer: &str) -> Origin {
        match self.owner(pointer) {
            Some((source, document)) => Origin {
                layer: source.origin,
                file: Some(source.file.clone()),
                line: document
                    .position(pointer, true)
                    .filter(|_| source.origin.has_lines())
                    .map(|place| place.line),
            },
            None => Origin { layer: Layer::Default, file: None, line: None },
        }
    }

    fn owner(&self, pointer: &str) -> Option<&(&'a Source, Document)> {
        let setting = setting(&self.merged, pointer);
        self.layers.iter().rev().find(|(_, document)| document.value.pointer(setting).is_some())
    }
}

/// Merges objects recursively; any other value is replaced with the higher one.
///
/// Associative, with `{}` as identity, for values in which a path is always or never an object: the schema
/// enforces this for every source before it is merged.
pub(super) fn merge(low: Value, high: Value) -> Value {
    match (low, high) {
        (Value::Object(mut low), Value::Object(high)) => {
            for (key, value) in high {
                let below = low.get_mut(&key).map(Value::take);
                let merged = match below {
                    Some(below) => merge(below, value),
                    None => value,
                };
                low.insert(key, merged);
            }
            Value::Object(low)
        }
        (_, high) => high,
    }
}

/// Returns the part of a pointer that names a setting: an item of a list belongs to the setting with the
/// list, and a field of a price to that price.
fn setting<'p>(value: &Value, pointer: &'p str) -> &'p str {
    let ends = pointer.match_indices('/').map(|(index, _)| index).skip(1).chain([pointer.len()]);
    ends.map(|end| &pointer[..end])
        .find(|prefix| is_price(prefix) || !value.pointer(prefix).is_some_and(Value::is_object))
        .unwrap_or(pointer)
}

/// Whether a pointer names a price. A price counts as one setting, because half a price is useless.
fn is_price(pointer: &str) -> bool {
    pointer.strip_prefix("/prices/").is_some_and(|name| !name.contains('/'))
}

fn remove_setting(value: &mut Value, pointer: &str) {
    let setting = setting(value, pointer).to_owned();
    let Some((parent, key)) = setting.rsplit_once('/') else {
        *value = Value::Object(Map::new());
        return;
    };
    if let Some(Value::Object(map)) = value.pointer_mut(parent) {
        // The rest is only accessed by key, so its order doesn't matter, and a file may have thousands of
        // settings to remove.
        map.swap_remove(&key.replace("~1", "/").replace("~0", "~"));
    }
}

fn too_large(length: usize) -> Problem {
    Problem::new(ConfigCode::TooLarge, "This configuration file is too large.")
        .found(count(length as u64, "byte", "bytes"))
        .allowed(format!("at most {}", count(LONGEST as u64, "byte", "bytes")))
        .next("Remove what doesn't belong there, and move long prompts into files of their own.")
}

/// Gives `base_output_dir` its current name.
fn older_name(source: &Source, document: &mut Document) -> Option<Problem> {
    const OLD: &str = "base_output_dir";
    const NEW: &str = "output_directory";
    let map = document.value.as_object_mut()?;
    let old = map.shift_remove(OLD)?;
    match map.get(NEW) {
        Some(new) if *new != old => {
            let problem = Problem::new(
                ConfigCode::Contradiction,
                format!("`{OLD}` is an older name of `{NEW}`, and the two differ."),
            )
            .at(format!("/{OLD}"))
            .found(format!("{OLD}: {}, {NEW}: {}", shorten(&old), shorten(new)))
            .allowed("one of the two, or the same in both")
            .next(format!("Remove `{OLD}`."));
            Some(place(source, document, problem))
        }
        Some(_) => None,
        None => {
            document.rename(OLD, NEW, old);
            None
        }
    }
}

/// Reads a settings file that is not merged with others, and checks it against its schema. Problems have
/// their place.
pub(crate) fn alone(source: &Source, problems: fn(&Value) -> Vec<Problem>) -> Result<Document, Vec<Problem>> {
    if source.text.len() > LONGEST {
        return Err(vec![in_file(source, too_large(source.text.len()))]);
    }
    let placed = |syntax: Vec<Problem>| -> Vec<Problem> {
        syntax.into_iter().map(|problem| in_file(source, problem)).collect()
    };
    let document = Document::parse(DocumentKind::Config, &source.text).map_err(placed)?;
    let found: Vec<Problem> =
        problems(&document.value).into_iter().map(|problem| place(source, &document, problem)).collect();
    if found.is_empty() { Ok(document) } else { Err(found) }
}

/// Adds file, line and column.
pub(crate) fn place(source: &Source, document: &Document, problem: Problem) -> Problem {
    let mut problem = in_file(source, problem);
    if source.origin.has_lines() {
        let key = problem.code == DocumentKind::Config.code(Fault::UnknownKey);
        let position = document.position(problem.pointer.as_deref().unwrap_or_default(), key);
        problem.line = position.map(|position| position.line);
        problem.column = position.map(|position| position.column);
    }
    problem
}

fn in_file(source: &Source, mut problem: Problem) -> Problem {
    problem.file = Some(source.file.clone());
    if !source.origin.has_lines() {
        problem.line = None;
        problem.column = None;
    }
    problem
}
