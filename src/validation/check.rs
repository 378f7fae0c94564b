//! What is wrong with `.opencode/validation.jsonc`, and with the machine that it refers to.

use super::code::ValidationCode;
use super::install;
use super::left::Left;
use super::protocol::Obstacle;
use super::settings::{ValidationSettings, no_settings, settings};
use crate::design_lab::config::Source;
use kernel::json::Deserialize;
use kernel::problem::Problem;

/// The shell's findings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSetup"))]
pub struct Setup {
    /// The file.
    pub source: Source,
    /// What this machine lacks, given the file's settings for Playwright.
    pub obstacle: Option<Obstacle>,
    /// Whether Playwright Test is the one of [`install::DIRECTORY`].
    pub installed: bool,
    /// What runs have left running, or may have.
    #[serde(default)]
    pub left: Vec<Left>,
}

/// The settings, or everything that is wrong with them; and what this machine lacks.
pub struct Checked {
    /// The settings in the file.
    pub settings: Result<ValidationSettings, Vec<Problem>>,
    /// The missing prerequisite, with the one command that fixes it.
    pub missing: Option<Problem>,
}

/// Checks the settings and the machine.
pub fn check(setup: &Setup) -> Checked {
    Checked { settings: settings(Some(&setup.source)), missing: setup.obstacle.as_ref().map(missing) }
}

/// What this machine lacks.
pub(super) fn missing(obstacle: &Obstacle) -> Problem {
    Problem::new(ValidationCode::Missing, obstacle.words()).next(format!("{}.", obstacle.remedy()))
}

/// The confirmation of settings in which nothing is wrong.
pub fn understood(settings: &ValidationSettings, setup: &Setup) -> String {
    let names: Vec<&str> = settings.servers.iter().map(|server| server.name.as_str()).collect();
    let place = if setup.installed {
        format!("; Playwright Test is in {}", install::DIRECTORY)
    } else {
        String::new()
    };
    format!("Valid: {} (servers: {}){place}", setup.source.file, names.join(", "))
}

/// A sentence about the settings, or every problem; missing settings are a problem too.
pub fn checked(setup: Option<&Setup>) -> Result<String, Vec<Problem>> {
    let setup = setup.ok_or_else(|| vec![no_settings()])?;
    let Checked { settings, missing } = check(setup);
    match (settings, missing) {
        (Ok(settings), None) => Ok(understood(&settings, setup)),
        (settings, missing) => Err(settings.err().into_iter().flatten().chain(missing).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::config::Layer;
    use crate::validation::settings::SETTINGS_FILE;

    fn of(text: &str, obstacle: Option<Obstacle>) -> Setup {
        let source = Source { origin: Layer::Project, file: SETTINGS_FILE.to_owned(), text: text.to_owned() };
        Setup { source, obstacle, installed: false, left: Vec::new() }
    }

    #[test]
    fn what_is_wrong_is_reported_with_what_fixes_it() {
        let well = r#"{ "servers": [{ "name": "web", "command": ["a"] }] }"#;
        assert_eq!(
            checked(Some(&of(well, None))).unwrap(),
            "Valid: .opencode/validation.jsonc (servers: web)"
        );
        for (text, obstacle, codes) in [
            (well, Some(Obstacle::NoPlaywright), &["validation.missing"][..]),
            (
                "{ \"servers\": [] }",
                Some(Obstacle::NoBrowser { directory: None }),
                &["config.too-few", "validation.missing"],
            ),
            ("{ \"server\": [] }", None, &["config.unknown-key", "config.missing-field"]),
        ] {
            let problems = checked(Some(&of(text, obstacle))).unwrap_err();
            let found: Vec<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
            assert_eq!(found.len(), codes.len(), "{found:?}");
            assert!(codes.iter().all(|code| found.contains(code)), "{found:?}");
        }
        let missing =
            checked(Some(&of(well, Some(Obstacle::NoBrowser { directory: None })))).unwrap_err().remove(0);
        assert_eq!(checked(None).unwrap_err().remove(0).code, ValidationCode::NoSettings);
        assert!(missing.next.unwrap().contains("`npx playwright install chromium`"));
    }

    #[test]
    fn where_playwright_is_stands_in_what_is_reported() {
        let well = r#"{ "servers": [{ "name": "web", "command": ["a"] }] }"#;
        let installed = checked(Some(&Setup { installed: true, ..of(well, None) })).unwrap();
        assert!(
            installed.ends_with("(servers: web); Playwright Test is in .opencode/validation"),
            "{installed}"
        );
        for (directory, command) in [
            (None, "`npx playwright install chromium`"),
            (Some(install::DIRECTORY), "`npx --prefix .opencode/validation playwright install chromium`"),
            (Some("it's here"), r"`npx --prefix 'it'\''s here' playwright install chromium`"),
        ] {
            let remedy = Obstacle::NoBrowser { directory: directory.map(str::to_owned) }.remedy();
            assert!(remedy.contains(command), "{remedy}");
        }
        let older: Obstacle = serde_json::from_str(r#"{"obstacle":"no_browser"}"#).unwrap();
        assert_eq!(older, Obstacle::NoBrowser { directory: None });
    }
}
