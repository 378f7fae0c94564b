//! The settings in `.opencode/validation.jsonc`: the servers of the application, and how it is tested.

use super::code::ValidationCode;
use super::protocol::Scope;
use super::schema;
use crate::design_lab::config::{Common, Source, alone, is_usual_silence, place};
use crate::shared::schema::{DocumentKind, quote, sort_problems};
use kernel::budget::{Budget, Price};
use kernel::json::{Deserialize, Fault, Node, Read};
use kernel::limits::Deadlines;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The checks of pages, by their keys.
pub(super) const A11Y: &str = "a11y";
pub(super) const METADATA: &str = "metadata";

/// The path of the settings file.
pub const SETTINGS_FILE: &str = ".opencode/validation.jsonc";

/// How an application is validated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct ValidationSettings {
    /// The servers of the application, in the order in which they are started. The first one is tested.
    #[cfg_attr(test, schemars(length(min = 1, max = 16)))]
    #[cfg_attr(test, schemars(extend("examples" = [[{ "name": "web", "command": ["node", "server.js"] }]])))]
    pub servers: Vec<ServerSettings>,
    /// How often each test runs: a test that both passes and fails is flaky.
    #[serde(default = "twice")]
    #[cfg_attr(test, schemars(range(min = 1, max = 10)))]
    pub repeat: u32,
    /// How many criteria a model judges in one answer. If left out: one, as long as that takes at most twelve calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000)))]
    #[cfg_attr(test, schemars(extend("examples" = [1])))]
    #[cfg_attr(test, ts(optional))]
    pub criteria_per_call: Option<u32>,
    /// What replaces the application in the negative control. A test that passes against any of these proves nothing.
    #[serde(default = "every_counterfeit")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub control: Vec<Counterfeit>,
    /// The project's own Playwright tests, which count as well: those that carry a criterion's tag, such as `@C1`, or that `map` names.
    #[serde(default)]
    pub tests: Option<TestsSettings>,
    /// Commands that have to pass in addition to the criteria; they run one after another before the servers start.
    #[serde(default)]
    #[cfg_attr(test, schemars(length(max = 16)))]
    pub checks: Vec<CheckSettings>,
    /// Whether a video of each test is kept, to compare runs. It needs the `ffmpeg` that Playwright installs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    #[cfg_attr(test, schemars(extend("examples" = [true])))]
    pub video: bool,
    /// Whether the project's own axe-core checks the pages that tests reach for accessibility barriers.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("examples" = [true])))]
    pub a11y: bool,
    /// Whether these pages must have a title, a language, a description and a canonical address.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("examples" = [true])))]
    pub metadata: bool,
    /// The time limit of each test, in milliseconds.
    #[serde(default = "half_a_minute")]
    #[cfg_attr(test, schemars(range(min = 1_000, max = 600_000)))]
    #[cfg_attr(test, ts(type = "number"))]
    pub test_ms: u64,
    /// Where Playwright and the browser are.
    #[serde(default)]
    pub playwright: PlaywrightSettings,
    /// The models to ask, if not the model of the session.
    #[serde(default)]
    pub models: ConfiguredModels,
    /// Environment variables whose values are removed from all evidence.
    #[serde(default)]
    #[cfg_attr(test, schemars(inner(length(min = 1))))]
    pub secrets: Vec<String>,
    /// What a run may cost; checked before every call.
    #[serde(default)]
    pub budget: Budget,
    /// The user's own prices of models, by `provider/model`. They come from Design Lab's configuration.
    #[cfg_attr(test, schemars(skip))]
    #[cfg_attr(test, ts(optional, as = "Option<BTreeMap<String, Price>>"))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prices: BTreeMap<String, Price>,
    /// The cost in US dollars above which the user is asked first: `budget.confirm_usd` of Design Lab's configuration.
    #[cfg_attr(test, schemars(skip))]
    #[cfg_attr(test, ts(optional))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm_usd: Option<f64>,
    /// Milliseconds that a model may take without writing anything: `timeouts.idle_ms` of Design Lab's configuration.
    #[cfg_attr(test, schemars(skip))]
    #[cfg_attr(test, ts(optional, as = "Option<f64>"))]
    #[serde(default = "usual_silence", skip_serializing_if = "is_usual_silence")]
    pub idle_ms: u64,
}

fn usual_silence() -> u64 {
    Deadlines::IDLE_MS
}

fn twice() -> u32 {
    2
}

fn every_counterfeit() -> Vec<Counterfeit> {
    vec![Counterfeit::Nothing, Counterfeit::Blank, Counterfeit::Frozen, Counterfeit::Live]
}

fn half_a_minute() -> u64 {
    30_000
}

/// A server of the application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct ServerSettings {
    /// Its name: lower-case letters, digits and hyphens.
    #[cfg_attr(test, schemars(extend("format" = "slug")))]
    pub name: String,
    /// The program and its arguments. `${port}` in them is replaced by the port.
    #[cfg_attr(test, schemars(length(min = 1), inner(length(min = 1))))]
    pub command: Vec<String>,
    /// The directory in which it starts, relative to the project's root.
    #[serde(default = "here")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub cwd: String,
    /// The port that it listens on, or `auto` for a free one. The server receives it in the variable `PORT`.
    #[serde(default)]
    pub port: Port,
    /// Additional environment variables. `${port}` in them is replaced by the port.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// How to detect that it is ready; by its port if left out.
    #[serde(default)]
    pub ready: Ready,
    /// Milliseconds within which it has to be ready.
    #[serde(default = "a_minute")]
    #[cfg_attr(test, schemars(range(min = 100, max = 600_000)))]
    #[cfg_attr(test, ts(type = "number"))]
    pub ready_ms: u64,
    /// Milliseconds that it may take to end after it is asked to stop.
    #[serde(default = "five_seconds")]
    #[cfg_attr(test, schemars(range(min = 0, max = 60_000)))]
    #[cfg_attr(test, ts(type = "number"))]
    pub grace_ms: u64,
    /// Whether its command may run without asking you.
    #[serde(default)]
    pub allow: bool,
}

fn here() -> String {
    ".".to_owned()
}

fn a_minute() -> u64 {
    60_000
}

fn five_seconds() -> u64 {
    5_000
}

/// The project's own Playwright tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct TestsSettings {
    /// Their directory, relative to the project's root.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub directory: String,
    /// Tests that decide criteria although they don't carry the tag.
    #[serde(default)]
    pub map: Vec<MappedTests>,
}

/// Tests that decide criteria: those of a file, those with a title, or those of a file with a title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct MappedTests {
    /// Their file, relative to the directory of the tests.
    #[serde(default)]
    #[cfg_attr(test, schemars(length(min = 1), extend("examples" = ["sign-in.spec.ts"])))]
    pub file: Option<String>,
    /// Text that their title contains, including the titles of their groups: `group › title`.
    #[serde(default)]
    #[cfg_attr(test, schemars(length(min = 1), extend("examples" = ["signs in"])))]
    pub title: Option<String>,
    /// The ids of the criteria that they decide.
    #[cfg_attr(test, schemars(length(min = 1), inner(length(min = 1)), extend("examples" = [["C1"]])))]
    pub criteria: Vec<String>,
}

/// A command that has to pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct CheckSettings {
    /// Its name: lower-case letters, digits and hyphens.
    #[cfg_attr(test, schemars(extend("format" = "slug")))]
    pub id: String,
    /// The program and its arguments. It passes if it exits with code 0; if its output is that of a test runner, tests must have run.
    #[cfg_attr(test, schemars(length(min = 1), inner(length(min = 1))))]
    pub command: Vec<String>,
    /// The directory in which it runs, relative to the project's root.
    #[serde(default = "here")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub cwd: String,
    /// Its time limit, in milliseconds.
    #[serde(default = "ten_minutes")]
    #[cfg_attr(test, schemars(range(min = 1_000, max = 3_600_000)))]
    #[cfg_attr(test, ts(type = "number"))]
    pub timeout_ms: u64,
    /// The ids of criteria that it decides, as tests do. It then runs as often as the tests.
    #[serde(default)]
    #[cfg_attr(test, schemars(inner(length(min = 1))))]
    pub criteria: Vec<String>,
    /// Whether its command may run without asking you.
    #[serde(default)]
    pub allow: bool,
}

fn ten_minutes() -> u64 {
    600_000
}

/// A port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Port {
    /// A free port.
    Free(Auto),
    /// This port.
    Number(u16),
}

/// The word for a free port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Auto {
    /// The word itself.
    Auto,
}

impl Read for Port {
    fn read(node: Node) -> Result<Self, Fault> {
        match node {
            Node::Text(_) => Auto::read(node).map(Self::Free),
            _ => u16::read(node).map(Self::Number),
        }
    }
}

impl Default for Port {
    fn default() -> Self {
        Self::Free(Auto::Auto)
    }
}

/// How to detect that a server is ready: by one of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Ready {
    /// A path that answers, or a whole address: `https://localhost:${port}/` for HTTPS.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("examples" = ["/"])))]
    pub url: Option<String>,
    /// The status of that answer; 200 if left out.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(min = 100, max = 599), extend("examples" = [200])))]
    pub status: Option<u16>,
    /// Whether it is ready once something listens on its port.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("examples" = [true])))]
    pub port: bool,
    /// A text in its log.
    #[serde(default)]
    #[cfg_attr(test, schemars(length(min = 1), extend("examples" = ["listening"])))]
    pub log: Option<String>,
}

impl Default for Ready {
    fn default() -> Self {
        Self { url: None, status: None, port: true, log: None }
    }
}

/// What replaces the application in the negative control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Counterfeit {
    /// Nothing: no server listens.
    Nothing,
    /// An empty page for every path.
    Blank,
    /// The recorded start page for every path, without its scripts.
    Frozen,
    /// The running application, behind a proxy that changes its answers.
    Live,
}

/// Where Playwright and the browser are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct PlaywrightSettings {
    /// The browser's executable; null to search for one.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub browser: Option<String>,
    /// The directory in which `@playwright/test` is installed; null for the project's own.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub directory: Option<String>,
}

/// The models to ask; null for the model of the session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, ts(rename = "ValidationConfiguredModels"))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct ConfiguredModels {
    /// Reviews the criteria.
    #[cfg_attr(test, schemars(extend("format" = "model-name")))]
    pub verifier: Option<String>,
    /// Lists journeys and gaps.
    #[cfg_attr(test, schemars(extend("format" = "model-name")))]
    pub analyst: Option<String>,
    /// Writes the tests.
    #[cfg_attr(test, schemars(extend("format" = "model-name")))]
    pub tester: Option<String>,
}

#[cfg(test)]
impl schemars::JsonSchema for Port {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Port".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["integer", "string"],
            "minimum": 1,
            "maximum": 65_535,
            "format": "auto",
        })
    }
}

/// The settings, or everything that is wrong with them.
pub fn settings(source: Option<&Source>) -> Result<ValidationSettings, Vec<Problem>> {
    understood(source.ok_or_else(|| vec![no_settings()])?, schema::settings_problems)
}

/// The settings for a run of this scope: without tests, neither a file nor a server in it is needed. `configuration`: Design Lab's,
/// which sets the prices of models.
pub fn settings_for(
    scope: Scope,
    source: Option<&Source>,
    configuration: &[Source],
) -> Result<ValidationSettings, Vec<Problem>> {
    let settings = match (scope, source) {
        (Scope::Full, _) => settings(source)?,
        (_, None) => usual(),
        (_, Some(source)) => understood(source, schema::settings_problems_but_servers)?,
    };
    let Common { prices, confirm_usd, idle_ms } = Common::of(configuration, settings.budget)?;
    Ok(ValidationSettings { prices, confirm_usd, idle_ms, ..settings })
}

fn understood(
    source: &Source,
    problems: fn(&Value) -> Vec<Problem>,
) -> Result<ValidationSettings, Vec<Problem>> {
    let document = alone(source, problems)?;
    let mut value = document.value.clone();
    if let Some(keys) = value.as_object_mut() {
        keys.entry("servers").or_insert_with(|| Value::Array(Vec::new()));
    }
    let settings: ValidationSettings =
        kernel::json::of(&value).map_err(|error| vec![DocumentKind::Config.unreadable(&error)])?;
    let mut problems: Vec<Problem> =
        contradictions(&settings).into_iter().map(|problem| place(source, &document, problem)).collect();
    if problems.is_empty() {
        return Ok(settings);
    }
    sort_problems(&mut problems, &|_| 0);
    Err(problems)
}

/// The settings without a file: there is no server.
pub(super) fn usual() -> ValidationSettings {
    ValidationSettings {
        servers: Vec::new(),
        repeat: twice(),
        criteria_per_call: None,
        control: every_counterfeit(),
        tests: None,
        checks: Vec::new(),
        video: false,
        a11y: false,
        metadata: false,
        test_ms: half_a_minute(),
        playwright: PlaywrightSettings::default(),
        models: ConfiguredModels::default(),
        secrets: Vec::new(),
        budget: Budget::default(),
        prices: BTreeMap::new(),
        confirm_usd: None,
        idle_ms: usual_silence(),
    }
}

/// The shortest valid settings.
const EXAMPLE: &str =
    r#"{ "servers": [{ "name": "web", "command": ["node", "server.js"], "port": "auto" }] }"#;

pub(super) fn no_settings() -> Problem {
    Problem::new(
        ValidationCode::NoSettings,
        format!("There is no {SETTINGS_FILE}, so the application's servers are unknown."),
    )
    .allowed("a file with the command that starts each server")
    .next(format!("/validate-init writes one that fits the project. A minimal example: {EXAMPLE}"))
}

/// The contradictions that a schema can't express.
fn contradictions(settings: &ValidationSettings) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, server) in settings.servers.iter().enumerate() {
        let before = &settings.servers[..index];
        let at = |key: &str| format!("/servers/{index}/{key}");
        if before.iter().any(|other| other.name == server.name) {
            problems.push(
                Problem::new(ValidationCode::SettingsDuplicate, "Two servers have this name.")
                    .at(at("name"))
                    .found(quote(&server.name))
                    .allowed("a different name for each")
                    .next("Rename one of the two."),
            );
        }
        if let Port::Number(port) = server.port
            && before.iter().any(|other| other.port == server.port)
        {
            problems.push(
                Problem::new(ValidationCode::SettingsDuplicate, "Two servers have this port.")
                    .at(at("port"))
                    .found(port.to_string())
                    .allowed("a different port for each, or \"auto\"")
                    .next("Change one of the two."),
            );
        }
        problems.extend(outside(&server.cwd).map(|problem| problem.at(at("cwd"))));
        problems.extend(server.ready.fault().map(|problem| problem.at(at("ready"))));
    }
    for (index, check) in settings.checks.iter().enumerate() {
        let at = |key: &str| format!("/checks/{index}/{key}");
        if settings.checks[..index].iter().any(|other| other.id == check.id) {
            problems.push(
                Problem::new(ValidationCode::SettingsDuplicate, "Two checks have this id.")
                    .at(at("id"))
                    .found(quote(&check.id))
                    .allowed("a different id for each")
                    .next("Rename one of the two."),
            );
        }
        if [A11Y, METADATA].contains(&check.id.as_str()) {
            problems.push(
                Problem::new(ValidationCode::SettingsDuplicate, "A built-in page check has this id.")
                    .at(at("id"))
                    .found(quote(&check.id))
                    .allowed("another id")
                    .next("Rename the check."),
            );
        }
        problems.extend(outside(&check.cwd).map(|problem| problem.at(at("cwd"))));
    }
    if let Some(TestsSettings { directory, map }) = &settings.tests {
        problems.extend(outside(directory).map(|problem| problem.at("/tests/directory")));
        for (index, _) in map.iter().enumerate().filter(|(_, one)| one.file.is_none() && one.title.is_none())
        {
            problems.push(
                Problem::new(
                    ValidationCode::SettingsTests,
                    "This entry doesn't name the tests that decide its criteria.",
                )
                .at(format!("/tests/map/{index}"))
                .allowed(
                    r#"{ "file": "sign-in.spec.ts", "criteria": ["C1"] }, or with a "title", or with both"#,
                )
                .next("Add the `file`, or a part of the `title`."),
            );
        }
    }
    problems
}

/// What is wrong with a directory outside the project.
fn outside(cwd: &str) -> Option<Problem> {
    (!is_inside(cwd)).then(|| {
        Problem::new(ValidationCode::SettingsOutside, "The directory is not inside the project.")
            .found(quote(cwd))
            .allowed("a path from the project's root, with / between its parts")
            .next("Write \".\" for the root itself.")
    })
}

impl Ready {
    fn fault(&self) -> Option<Problem> {
        let said = [self.url.is_some(), self.port, self.log.is_some()];
        let problem = |message: &str, next: &str| {
            Problem::new(ValidationCode::SettingsReady, message)
                .allowed(r#"{ "url": "/", "status": 200 }, { "port": true } or { "log": "listening" }"#)
                .next(next)
        };
        match said.iter().filter(|said| **said).count() {
            0 => {
                let message = "`ready` doesn't say how to recognise that the server is ready.";
                return Some(problem(message, "Set one of `url`, `port` and `log`."));
            }
            1 => {}
            _ => {
                let message = "`ready` has more than one sign that the server is ready.";
                return Some(problem(message, "Keep only one of `url`, `port` and `log`."));
            }
        }
        if self.status.is_some() && self.url.is_none() {
            return Some(problem("`status` needs a `url`.", "Add a `url`, or remove `status`."));
        }
        let is_known = |url: &String| ["/", "http://", "https://"].iter().any(|start| url.starts_with(start));
        self.url.as_ref().filter(|url| !is_known(url)).map(|url| {
            let next = "Write a path that begins with /, or an address that begins with http:// or https://.";
            problem("The `url` is neither a path nor an address.", next).found(quote(url))
        })
    }
}

/// Whether a path stays inside the project's root.
fn is_inside(path: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && part != "..";
    !path.contains(['\\', '\0', ':']) && path.split('/').all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::config::Layer;

    fn read(text: &str) -> Result<ValidationSettings, Vec<Problem>> {
        let source = Source { origin: Layer::Project, file: SETTINGS_FILE.to_owned(), text: text.to_owned() };
        settings(Some(&source))
    }

    #[test]
    fn the_example_in_the_error_is_enough_and_everything_else_has_a_default() {
        let settings = read(EXAMPLE).unwrap();
        assert_eq!((settings.repeat, settings.test_ms), (2, 30_000));
        assert_eq!(
            settings.control,
            [Counterfeit::Nothing, Counterfeit::Blank, Counterfeit::Frozen, Counterfeit::Live]
        );
        let server = &settings.servers[0];
        assert_eq!(server.port, Port::default());
        assert_eq!((server.cwd.as_str(), server.ready_ms, server.grace_ms), (".", 60_000, 5_000));
        assert_eq!(server.ready, Ready { url: None, status: None, port: true, log: None });
        assert!(!server.allow, "a command runs only where somebody said so");
        let value = serde_json::to_value(server).unwrap();
        assert_eq!(value["port"], "auto");
        let problem = super::settings(None).unwrap_err().remove(0);
        assert_eq!(problem.code, ValidationCode::NoSettings);
        assert!(problem.next.unwrap().contains(EXAMPLE));
    }

    #[test]
    fn where_nothing_is_tested_no_file_is_needed_and_one_that_is_there_counts() {
        for scope in [Scope::Work, Scope::Flows] {
            let settings = settings_for(scope, None, &[]).unwrap();
            assert!(settings.servers.is_empty());
            assert_eq!(settings.confirm_usd, Some(1.0), "as in Design Lab");
            let given =
                ValidationSettings { servers: Vec::new(), confirm_usd: Some(1.0), ..read(EXAMPLE).unwrap() };
            assert_eq!(settings, given, "all else is as where a file leaves it out");
            let broken = Source {
                origin: Layer::Project,
                file: SETTINGS_FILE.to_owned(),
                text: "{ \"servers\": ".to_owned(),
            };
            assert!(settings_for(scope, Some(&broken), &[]).is_err());
            let only = |text: &str| {
                let text = text.to_owned();
                let source = Source { origin: Layer::Project, file: SETTINGS_FILE.to_owned(), text };
                settings_for(scope, Some(&source), &[])
            };
            let limited = only("{ \"budget\": { \"max_cost_usd\": 5 } }").unwrap();
            assert_eq!(limited.confirm_usd, None, "a limit is an answer");
            let models = only("{ \"models\": { \"verifier\": \"acme/large\" } }").unwrap();
            assert_eq!(models.models.verifier.as_deref(), Some("acme/large"));
            assert!(models.servers.is_empty());
            for wrong in ["{ \"model\": {} }", "{ \"servers\": [] }", "{ \"servers\": [{}] }", "[]"] {
                assert!(only(wrong).is_err(), "{wrong}");
            }
        }
        assert_eq!(settings_for(Scope::Full, None, &[]).unwrap_err()[0].code, ValidationCode::NoSettings);
    }

    #[test]
    fn everything_can_be_said() {
        let text = include_str!("../../schemas/validation/examples/settings.jsonc");
        let settings = read(text).unwrap();
        assert_eq!(settings.servers[0].ready.url.as_deref(), Some("/"));
        assert_eq!(settings.servers[1].port, Port::Number(4_000));
        assert_eq!(settings.budget.max_cost_usd, Some(5.0));
        assert_eq!(settings.secrets, ["API_KEY"]);
        let tests = settings.tests.unwrap();
        assert_eq!((tests.directory.as_str(), tests.map.len()), ("e2e", 2));
        assert_eq!(tests.map[1].title.as_deref(), Some("group › signs in"));
        assert_eq!(settings.checks[0].criteria, ["C2"]);
        assert_eq!((settings.checks[1].id.as_str(), settings.checks[1].timeout_ms), ("build", 600_000));
        assert!(!settings.checks[1].allow, "a command runs only where somebody said so");
    }

    #[test]
    fn what_is_wrong_has_its_place_and_says_what_is_meant() {
        let with = |server: &str| {
            format!(
                "{{\n  \"servers\": [\n    {{ \"name\": \"web\", \"command\": [\"a\"], {server} }}\n  ]\n}}"
            )
        };
        let two = |second: &str| {
            format!(
                "{{\"servers\": [\n{{\"name\": \"web\", \"command\": [\"a\"], \"port\": 3000}},\n{{{second}, \"command\": [\"a\"]}}]}}"
            )
        };
        let checks = |checks: &str| {
            format!(
                "{{\"servers\": [{{\"name\": \"web\", \"command\": [\"a\"]}}],\n\"checks\": [\n{checks}]}}"
            )
        };
        for (text, code, line, said) in [
            ("{}".to_owned(), "config.missing-field", 1, "`servers` is missing"),
            ("{ \"servers\": [] }".to_owned(), "config.too-few", 1, "too few"),
            ("{ \"servers\": ".to_owned(), "config.syntax", 1, "no value"),
            (with("\"prot\": 1"), "config.unknown-key", 3, "Did you mean `port`?"),
            (with("\"port\": \"free\""), "config.malformed", 3, "\"auto\""),
            (with("\"port\": 0"), "config.out-of-bounds", 3, "1 to 65535"),
            (with("\"port\": true"), "config.wrong-type", 3, "\"auto\""),
            (with("\"cwd\": \"../other\""), "validation.settings-outside", 3, "inside the project"),
            (with("\"cwd\": \"/srv\""), "validation.settings-outside", 3, "inside the project"),
            (with("\"ready\": {}"), "validation.settings-ready", 3, "Set one of"),
            (
                with("\"ready\": {\"url\": \"/\", \"log\": \"up\"}"),
                "validation.settings-ready",
                3,
                "Keep only one of",
            ),
            (
                with("\"ready\": {\"port\": true, \"status\": 200}"),
                "validation.settings-ready",
                3,
                "or remove `status`",
            ),
            (with("\"ready\": {\"url\": \"index\"}"), "validation.settings-ready", 3, "neither"),
            (two("\"name\": \"web\""), "validation.settings-duplicate", 3, "name"),
            (two("\"name\": \"api\", \"port\": 3000"), "validation.settings-duplicate", 3, "port"),
            (
                checks("{\"id\": \"a\", \"comand\": [\"a\"]}"),
                "config.unknown-key",
                3,
                "Did you mean `command`?",
            ),
            (checks("{\"id\": \"a\", \"command\": []}"), "config.too-few", 3, "too few"),
            (checks("{\"id\": \"../a\", \"command\": [\"a\"]}"), "config.malformed", 3, "hyphens"),
            (
                checks("{\"id\": \"a11y\", \"command\": [\"a\"]}"),
                "validation.settings-duplicate",
                3,
                "page check",
            ),
            (
                checks("{\"id\": \"a\", \"command\": [\"a\"], \"cwd\": \"..\"}"),
                "validation.settings-outside",
                3,
                "project's",
            ),
            (
                checks("{\"id\": \"a\", \"command\": [\"a\"], \"timeout_ms\": 1}"),
                "config.out-of-bounds",
                3,
                "1,000",
            ),
            (
                checks("{\"id\": \"a\", \"command\": [\"a\"]}, {\"id\": \"a\", \"command\": [\"b\"]}"),
                "validation.settings-duplicate",
                3,
                "id",
            ),
        ] {
            assert_problem(&text, code, line, said);
        }
    }

    #[test]
    fn what_models_cost_stands_in_the_configuration_of_design_lab() {
        let configuration = |text: &str| Source {
            origin: Layer::Project,
            file: ".opencode/design-lab.jsonc".to_owned(),
            text: text.to_owned(),
        };
        let read = |text| settings_for(Scope::Work, None, &[configuration(text)]);
        let prices = read(r#"{ "prices": { "acme/model": { "input": 1, "output": 2 } } }"#).unwrap().prices;
        assert!((prices["acme/model"].output - 2.0).abs() < 1e-9, "{prices:?}");
        for (text, code) in [
            (r#"{ "prices": { "model": { "input": 1, "output": 2 } } }"#, "config.price-of-no-model"),
            (r#"{ "prices": { "acme/model": { "input": 1 } } }"#, "config.missing-field"),
        ] {
            let problem = read(text).unwrap_err().remove(0);
            assert_eq!((problem.code.as_str(), problem.line), (code, Some(1)), "{problem}");
        }
        assert_problem("{\n\n\"prices\": {}}", "config.unknown-key", 3, "prices");
    }

    #[test]
    fn what_is_wrong_with_the_projects_own_tests_is_reported_as_well() {
        let tests = |tests: &str| {
            format!(
                "{{\"servers\": [{{\"name\": \"web\", \"command\": [\"a\"]}}],\n\"tests\": {{\n{tests}}}}}"
            )
        };
        for (text, code, line, said) in [
            (tests("\"dir\": \"e2e\""), "config.unknown-key", 3, "dir"),
            (tests("\"directory\": \"../e2e\""), "validation.settings-outside", 3, "inside the project"),
            (
                tests("\"directory\": \"e2e\", \"map\": [{\"criteria\": [\"C1\"]}]"),
                "validation.settings-tests",
                3,
                "a part of the `title`",
            ),
            (
                tests("\"directory\": \"e2e\", \"map\": [{\"file\": \"a.spec.ts\", \"criteria\": []}]"),
                "config.too-few",
                3,
                "too few",
            ),
        ] {
            assert_problem(&text, code, line, said);
        }
    }

    fn assert_problem(text: &str, code: &str, line: u32, said: &str) {
        let problem = read(text).unwrap_err().remove(0);
        assert_eq!(problem.code, code, "{text}: {problem}");
        assert_eq!((problem.line, problem.file.as_deref()), (Some(line), Some(SETTINGS_FILE)), "{problem}");
        assert!(problem.to_string().contains(said), "{problem}");
    }
}
