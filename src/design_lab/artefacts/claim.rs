//! What a design states about the project: the files, symbols, dependencies and scripts that it builds upon or plans.
//!
//! The model writes the statement. The module `claims` adds what was found when the name was looked up in the project.

use super::canonical;
use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;
use serde_json::Value;

/// A statement about the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Claim {
    /// The statement.
    pub text: String,
    /// What it is about.
    pub kind: ClaimKind,
    /// The path, symbol, package or script; anything for other statements.
    pub name: String,
    /// Whether it exists, or is part of the design.
    pub state: ClaimState,
    /// What Design Lab found when it looked the name up; never part of a reply.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, ts(optional), schemars(with = "ClaimFinding"))]
    pub finding: Option<ClaimFinding>,
}

impl Claim {
    /// The statements in `{claims: […]}`; entries that are none are left out.
    pub fn all_in(value: Value) -> Vec<Self> {
        let mut value = canonical::design(value);
        let claims = value.get_mut("claims").map(Value::take);
        let claims = claims.as_ref().and_then(Value::as_array).into_iter().flatten();
        claims.filter_map(|claim| kernel::json::of(claim).ok()).collect()
    }

    /// What was found about the name, and the statement, for people; `None` if nothing looked at it.
    pub(crate) fn checked(&self) -> Option<String> {
        let finding = self.finding.as_ref()?;
        let verdict = match finding.verdict {
            ClaimVerdict::AsStated => "as stated",
            ClaimVerdict::Wrong => "wrong",
            ClaimVerdict::NotFound => "not found",
            ClaimVerdict::NotChecked => "not checked",
        };
        let name = visible::line(&self.name.replace('`', ""));
        let (why, text) = (&finding.why, self.text.trim());
        // Whatever stands there is no name, and could look like a result.
        let subject = match self.kind {
            ClaimKind::Other => why.clone(),
            _ => format!("`{name}` ({why})"),
        };
        Some(format!("{verdict}: {subject}. Claim: {text}"))
    }

    /// Whether the project contradicts it.
    pub(crate) fn is_wrong(&self) -> bool {
        self.finding.as_ref().is_some_and(|finding| finding.verdict == ClaimVerdict::Wrong)
    }
}

/// What a statement is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ClaimKind {
    /// A file or folder, by its path.
    File,
    /// A function, type, constant or other identifier in the code.
    Symbol,
    /// A package that the project depends on, possibly with its version.
    Dependency,
    /// A command that the project declares, such as a script in `package.json`.
    Script,
    /// Anything else, which nothing can look up.
    #[default]
    Other,
}

/// Whether the subject of a statement exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimState {
    /// It exists in the project.
    #[default]
    Exists,
    /// The design adds it.
    ToBeMade,
}

/// What was found about a statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct ClaimFinding {
    /// The verdict.
    pub verdict: ClaimVerdict,
    /// Why, in words that follow a colon; where the name was found, or why it wasn't.
    pub why: String,
}

/// The verdict on whether the name of a statement exists. It says nothing about the rest of the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimVerdict {
    /// The name exists, or doesn't exist yet, as the design states.
    AsStated,
    /// The project contradicts the design.
    Wrong,
    /// The name doesn't occur where it was looked for. It may still exist in another form, for example in generated code.
    NotFound,
    /// It could not be looked up.
    NotChecked,
}
