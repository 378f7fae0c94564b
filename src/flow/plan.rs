//! A plan: what a planner must return, and the order of the features.

use super::basis::Basis;
use super::cannot_fail::cannot_fail;
use super::code::FlowCode;
use super::{coverage, schema};
use crate::shared::schema::{DocumentKind, child, quote, sort_problems};
use crate::shared::spelled::spelled;
use design_lab_numerics::sorting::map;
use kernel::json::Deserialize;
use kernel::paths::is_name;
use kernel::problem::Problem;
use kernel::protocol::{LookedUp, PathFound};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a planner returns: one JSON object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Plan {
    /// What the goal asks for, one by one. Each is implemented by a feature, or left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
    /// The features in the order in which they are built.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub features: Vec<Feature>,
    /// What no feature implements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// What may go wrong, and what the plan does about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<Risk>,
}

/// Something that the goal asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, ts(rename = "FlowRequirement"))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Requirement {
    /// Its id: lower-case letters, digits and single hyphens.
    pub id: String,
    /// What it is.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
}

/// Something that was asked for and isn't built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct LeftOut {
    /// The id of a requirement, or of a component of the chosen design.
    pub id: String,
    /// Why it isn't built.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub why: String,
}

/// Something that may go wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Risk {
    /// The id of the concern about the chosen design that this risk represents; `None` for a risk that the planner found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concern: Option<String>,
    /// What may go wrong.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
    /// What the plan does about it, or why it is accepted.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub answer: String,
}

/// A part of the work that can be built, checked and reviewed separately.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Feature {
    /// Its id: lower-case letters, digits and single hyphens.
    pub id: String,
    /// A short title.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub title: String,
    /// What to build, in enough detail for someone who knows the project.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub summary: String,
    /// The files that are expected to change, from the project's root.
    pub files: Vec<String>,
    /// The features that have to be complete first.
    pub depends_on: Vec<String>,
    /// The ids of the requirements, and of the components of the chosen design, that it implements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implements: Vec<String>,
    /// Whether it changes no behaviour: then no check has to fail when it is removed, and none may run fewer tests than before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_behaviour: bool,
    /// The commands that show whether it works.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub verification: Vec<Check>,
    /// When it counts as done.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub acceptance: Vec<Criterion>,
}

/// A command that shows whether a feature works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Check {
    /// The check's id, unique within the feature.
    pub id: String,
    /// Program and arguments; run without a shell.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub command: Vec<String>,
    /// How much it looks at.
    pub scope: Scope,
    /// Milliseconds that it may take.
    #[cfg_attr(test, schemars(range(min = 1_000, max = 3_600_000)))]
    pub timeout_ms: u64,
}

/// How much a check looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The feature. It runs each time the feature's worker is done.
    #[default]
    Targeted,
    /// The whole project. It runs before the last feature is complete.
    Broad,
}

/// A condition for a feature to count as done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Criterion {
    /// The criterion's id, unique within the feature.
    pub id: String,
    /// What has to be true.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
    /// What decides it: the id of a check of this feature, `review`, or `unverifiable: ` followed by why nothing here can decide
    /// it.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub verified_by: String,
}

/// The prefix with which the shell is asked to look up a program in the directories of `PATH`.
const ON_PATH: &str = "$PATH/";
/// The prefix of a criterion that nothing here can decide.
const UNVERIFIABLE: &str = "unverifiable:";
/// What decides a criterion if no check does.
const REVIEW: &str = "review";
/// The longest id.
const ID_LENGTH: usize = 60;

impl Criterion {
    /// Why nothing here can decide it; `None` when something can.
    pub(super) fn unverifiable(&self) -> Option<&str> {
        self.verified_by.strip_prefix(UNVERIFIABLE).map(str::trim)
    }

    /// The feature that its id names, in a review of all features.
    pub(super) fn feature(&self) -> Option<&str> {
        self.id.split_once('/').map(|(feature, _)| feature)
    }

    /// What decides it, for people.
    pub(super) fn judge(&self) -> String {
        match (self.unverifiable(), self.verified_by.as_str()) {
            (Some(why), _) => format!("not checked: {why}"),
            (None, REVIEW) => "checked by the reviewer".to_owned(),
            (None, check) => format!("checked by {check}"),
        }
    }
}

impl Feature {
    /// Its checks of this scope.
    pub(super) fn checks(&self, scope: Scope) -> impl Iterator<Item = &Check> {
        self.verification.iter().filter(move |check| check.scope == scope)
    }

    /// Whether a check decides at least one of its criteria.
    pub(super) fn is_checked(&self) -> bool {
        self.criteria().any(|criterion| criterion.verified_by != REVIEW)
    }

    /// The criteria that a reviewer has to judge.
    pub(super) fn criteria(&self) -> impl Iterator<Item = &Criterion> {
        self.acceptance.iter().filter(|criterion| criterion.unverifiable().is_none())
    }
}

impl Plan {
    /// Parses a planner's reply, or returns everything that is wrong with it. `completed`: the completed features, which must stay
    /// unchanged. `basis`: what the plan is made from.
    pub(super) fn from_reply(
        value: &Value,
        completed: &[Feature],
        basis: Option<Basis<'_>>,
    ) -> Result<Self, Vec<Problem>> {
        let problems = problems(value, completed, basis);
        if !problems.is_empty() {
            return Err(problems);
        }
        // Goes through text, because reading from a `Value` would compile a second copy of every type's code.
        let plan: Self =
            kernel::json::of(value).map_err(|error| vec![DocumentKind::Plan.unreadable(&error)])?;
        Ok(match basis {
            Some(basis) => plan.in_given_words(basis),
            None => plan,
        })
    }

    /// The feature with this id.
    pub(super) fn feature(&self, id: &str) -> Option<&Feature> {
        self.features.iter().find(|feature| feature.id == id)
    }

    /// The programs of its checks, for the shell to look up: a bare name as `$PATH/<name>`, and a path unless a feature writes it.
    pub(super) fn programs(&self) -> Vec<String> {
        self.with_programs().map(|(_, program)| program).collect()
    }

    /// A problem for each check whose program was looked up and not found.
    pub(super) fn unfound(&self, looked_up: &[LookedUp]) -> Vec<Problem> {
        let is_missing = |program: &String| {
            looked_up.iter().any(|one| one.path == *program && one.found == PathFound::Nothing)
        };
        let missing = self.with_programs().filter(|(_, program)| is_missing(program));
        missing
            .map(|(at, program)| {
                Problem::new(FlowCode::PlanUnknownProgram, "This program isn't installed here.")
                    .at(at)
                    .found(quote(program.strip_prefix(ON_PATH).unwrap_or(&program)))
                    .allowed("a program on PATH, a file of the project, or a file that a feature of the plan writes")
            })
            .collect()
    }

    /// The programs of its checks, each with the pointer of its command.
    fn with_programs(&self) -> impl Iterator<Item = (String, String)> {
        let is_written = |path: &str| {
            let path = path.trim_start_matches("./");
            self.features
                .iter()
                .flat_map(|feature| &feature.files)
                .any(|file| file.trim_start_matches("./") == path)
        };
        let checks = self.features.iter().enumerate().flat_map(|(index, feature)| {
            let at = move |number: usize| format!("/features/{index}/verification/{number}/command");
            feature.verification.iter().enumerate().map(move |(number, check)| (at(number), check))
        });
        checks.filter_map(move |(at, check)| {
            let program = check.command.first()?;
            let is_path = program.contains(['/', '\\']);
            let wanted = if is_path { program.clone() } else { format!("{ON_PATH}{program}") };
            (!(is_path && is_written(program))).then_some((at, wanted))
        })
    }

    /// The broad checks of the whole plan, each with the feature that names it, and each command once.
    pub(super) fn broad_checks(&self) -> Vec<(&Feature, &Check)> {
        let mut seen = BTreeSet::new();
        self.features
            .iter()
            .flat_map(|feature| feature.checks(Scope::Broad).map(move |check| (feature, check)))
            .filter(|(_, check)| seen.insert(&check.command))
            .collect()
    }

    /// All checks of the plan, each command once, by `<feature>/<check>`.
    pub(super) fn all_checks(&self) -> Vec<Check> {
        let mut seen = BTreeSet::new();
        let named = |feature: &Feature, check: &Check| Check {
            id: format!("{}/{}", feature.id, check.id),
            ..check.clone()
        };
        self.features
            .iter()
            .flat_map(|feature| feature.verification.iter().map(move |check| (feature, check)))
            .filter(|(_, check)| seen.insert(&check.command))
            .map(|(feature, check)| named(feature, check))
            .collect()
    }
}

/// Everything that is wrong with a value as a plan, in the order of the places.
pub(super) fn problems(value: &Value, completed: &[Feature], basis: Option<Basis<'_>>) -> Vec<Problem> {
    let mut problems = schema::plan_problems(value);
    let features: &[Value] = value["features"].as_array().map_or(&[], Vec::as_slice);
    let mut looked = Looked { problems: &mut problems };
    looked.ids(features, "/features", "feature");
    looked.ids(list(value, "requirements"), "/requirements", "requirement");
    for (index, feature) in features.iter().enumerate() {
        let place = format!("/features/{index}");
        looked.checks(feature, &place);
        looked.acceptance(feature, &place);
    }
    looked.dependencies(features);
    looked.completed(features, completed);
    let scopes = |feature: &Value| {
        list(feature, "verification").iter().map(|check| check["scope"].clone()).collect::<Vec<_>>()
    };
    let any_broad = features.iter().any(|feature| scopes(feature).iter().any(|scope| scope == "broad"));
    if !features.is_empty() && !any_broad {
        problems.push(
            Problem::new(FlowCode::PlanNoBroadCheck, "No check covers the whole project.")
                .at("/features")
                .allowed(
                    "at least one check of scope \"broad\" in the plan, for example the project's whole \
                     test suite",
                ),
        );
    }
    problems.extend(coverage::problems(value, basis));
    sort_problems(&mut problems, &|_| 0);
    problems
}

/// The form's placeholders for a command.
const PLACEHOLDERS: [&str; 8] = ["program", "argument", "arguments", "arg", "command", "cmd", "…", "..."];

/// The commands in a plan that are still the form's placeholders: `["program", "argument", "…"]`.
pub(super) fn placeholders(value: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, feature) in list(value, "features").iter().enumerate() {
        for (number, check) in list(feature, "verification").iter().enumerate() {
            let argv: Vec<String> =
                list(check, "command").iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let program = argv.first().map(|word| word.trim().to_lowercase()).unwrap_or_default();
            if PLACEHOLDERS.contains(&program.as_str()) {
                problems.push(
                    Problem::new(FlowCode::PlanPlaceholder, "This command is only a placeholder.")
                        .at(format!("/features/{index}/verification/{number}/command"))
                        .found(spelled(&argv))
                        .allowed("a program that this project uses, and its arguments"),
                );
            }
        }
    }
    problems
}

pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value[key].as_str()
}

/// What a schema can't check. Values of the wrong type are skipped, because the schema has reported them.
struct Looked<'a> {
    problems: &'a mut Vec<Problem>,
}

impl Looked<'_> {
    /// Reports ids that can't be used or are duplicate.
    fn ids(&mut self, all: &[Value], place: &str, what: &str) {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for (index, one) in all.iter().enumerate() {
            let Some(id) = text(one, "id") else { continue };
            let at = format!("{place}/{index}/id");
            if !is_name(id, ID_LENGTH) {
                self.problems.push(
                    Problem::new(FlowCode::PlanMalformedId, format!("The id of a {what} can't be used."))
                        .at(at)
                        .found(quote(id))
                        .allowed(format!(
                            "at most {ID_LENGTH} characters: lower-case letters, digits and single hyphens"
                        )),
                );
            } else if !seen.insert(id) {
                self.problems.push(
                    Problem::new(FlowCode::PlanDuplicateId, format!("An earlier {what} has the same id."))
                        .at(at)
                        .found(quote(id)),
                );
            }
        }
    }

    fn checks(&mut self, feature: &Value, place: &str) {
        let checks = list(feature, "verification");
        self.ids(checks, &format!("{place}/verification"), "check");
        for (index, check) in checks.iter().enumerate() {
            let argv: Option<Vec<String>> =
                list(check, "command").iter().map(|word| word.as_str().map(str::to_owned)).collect();
            if let Some(argv) = argv.filter(|argv| !argv.is_empty())
                && let Some(why) = cannot_fail(&argv)
            {
                self.problems.push(
                    Problem::new(FlowCode::PlanCheckCannotFail, format!("This check can't fail: {why}."))
                        .at(format!("{place}/verification/{index}/command"))
                        .found(spelled(&argv))
                        .allowed("a command whose exit code isn't 0 when the feature doesn't work"),
                );
            }
        }
        if !checks.is_empty() && checks.iter().all(|check| check["scope"] == "broad") {
            self.problems.push(
                Problem::new(FlowCode::PlanNoTargetedCheck, "No check targets this feature.")
                    .at(format!("{place}/verification"))
                    .allowed("at least one check of scope \"targeted\" in each feature"),
            );
        }
    }

    fn acceptance(&mut self, feature: &Value, place: &str) {
        let criteria = list(feature, "acceptance");
        self.ids(criteria, &format!("{place}/acceptance"), "criterion");
        let checks: Vec<&str> =
            list(feature, "verification").iter().filter_map(|check| text(check, "id")).collect();
        for (index, criterion) in criteria.iter().enumerate() {
            let Some(by) = text(criterion, "verified_by") else { continue };
            let why = by.strip_prefix(UNVERIFIABLE).map(str::trim);
            if by == REVIEW || checks.contains(&by) || why.is_some_and(|why| !why.is_empty()) || by.is_empty()
            {
                continue;
            }
            let message = match why {
                Some(_) => "The criterion doesn't say why it is unverifiable.",
                None => "`verified_by` names no check of this feature.",
            };
            self.problems.push(
                Problem::new(FlowCode::PlanUndecidedCriterion, message)
                    .at(format!("{place}/acceptance/{index}/verified_by"))
                    .found(quote(by))
                    .allowed(format!(
                        "one of {}, or \"{UNVERIFIABLE} \" followed by a reason",
                        checks.iter().chain([&REVIEW]).map(|id| quote(id)).collect::<Vec<_>>().join(", ")
                    )),
            );
        }
    }

    fn dependencies(&mut self, features: &[Value]) {
        let needs: BTreeMap<&str, Vec<&str>> = map(features.iter().filter_map(|feature| {
            let needed = list(feature, "depends_on").iter().filter_map(Value::as_str).collect();
            Some((text(feature, "id")?, needed))
        }));
        for (index, feature) in features.iter().enumerate() {
            let place = format!("/features/{index}/depends_on");
            for (number, needed) in list(feature, "depends_on").iter().enumerate() {
                let Some(needed) = needed.as_str() else { continue };
                if !needs.contains_key(needed) {
                    self.problems.push(
                        Problem::new(FlowCode::PlanUnknownDependency, "No feature has this id.")
                            .at(child(&place, &number.to_string()))
                            .found(quote(needed))
                            .allowed(needs.keys().map(|id| quote(id)).collect::<Vec<_>>().join(", ")),
                    );
                }
            }
            let Some(id) = text(feature, "id") else { continue };
            if let Some(way) = way_back(id, &needs) {
                self.problems.push(
                    Problem::new(FlowCode::PlanCyclicDependency, "The feature depends on itself.")
                        .at(place)
                        .found(way.join(" → ")),
                );
            }
        }
    }

    fn completed(&mut self, features: &[Value], completed: &[Feature]) {
        for done in completed {
            let expected = serde_json::to_value(done).unwrap_or_default();
            let place = features.iter().position(|feature| text(feature, "id") == Some(&done.id));
            if place.is_some_and(|index| in_short(&features[index]) == expected) {
                continue;
            }
            let message = format!("The feature {} is complete, so it can't change.", done.id);
            let at = place.map_or_else(|| "/features".to_owned(), |index| format!("/features/{index}"));
            self.problems.push(
                Problem::new(FlowCode::PlanCompletedFeature, message).at(at).allowed(expected.to_string()),
            );
        }
    }
}

/// A feature in its stored form, which omits empty fields.
fn in_short(feature: &Value) -> Value {
    let mut feature = feature.clone();
    if let Some(fields) = feature.as_object_mut() {
        fields.retain(|key, value| match key.as_str() {
            "implements" => value.as_array().is_none_or(|all| !all.is_empty()),
            "keeps_behaviour" => *value != Value::Bool(false),
            _ => true,
        });
    }
    feature
}

/// The path by which a feature depends on itself; `None` when it doesn't.
fn way_back<'a>(id: &'a str, needs: &BTreeMap<&'a str, Vec<&'a str>>) -> Option<Vec<&'a str>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![id]];
    while let Some(way) = ways.pop() {
        for &next in needs.get(way.last()?).into_iter().flatten() {
            let further = way.iter().copied().chain([next]).collect::<Vec<_>>();
            if next == id {
                return Some(further);
            }
            if seen.insert(next) {
                ways.push(further);
            }
        }
    }
    None
}
