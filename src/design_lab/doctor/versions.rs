//! Checks whether the versions here are those that Design Lab was made for.

use super::code::DoctorCode;
use super::{Finding, NAME, fault, hint};
use kernel::json::Deserialize;

/// The versions of Design Lab and of what it runs on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Versions {
    /// Design Lab's version.
    pub package: String,
    /// What npm says about newer ones.
    pub newest: Newest,
    /// The program that loaded the package.
    pub host: HostProgram,
    /// Its version; `None` if it didn't report it.
    pub opencode: Option<String>,
    /// Node's version, for the command line; `None` if Node is not installed.
    pub node: Option<String>,
}

/// A program that loads the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum HostProgram {
    /// OpenCode 1 or 2.
    OpenCode,
    /// Kilo, a program made from OpenCode 1.
    Kilo,
}

/// The newest version of Design Lab that npm knows.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", content = "version", rename_all = "snake_case")]
pub enum Newest {
    /// The user doesn't want npm to be asked.
    NotAsked,
    /// npm couldn't say.
    Unknown,
    /// npm knows this one.
    Known(String),
}

impl Versions {
    /// Whether this is OpenCode 2 or later, which has another interface for plugins.
    pub(super) fn is_second_host(&self) -> bool {
        let major = self.opencode.as_deref().and_then(numbers).map(|[major, ..]| major);
        self.host == HostProgram::OpenCode && major >= Some(SECOND[0])
    }
}

/// The first version of OpenCode 1 that is supported.
const FIRST: [u64; 3] = [1, 18, 29];

/// The version of OpenCode 1 that this was tested with.
const FIRST_TESTED: [u64; 3] = [1, 18, 33];

/// The version of OpenCode 2 that this was tested with.
const SECOND: [u64; 3] = [2, 0, 15];

/// The first version of Node that the command line runs on.
const NODE: [u64; 3] = [20, 0, 0];

/// The version of Kilo with which this was tried.
const KILO: [u64; 3] = [7, 7, 9];

pub(super) fn judge(versions: &Versions) -> Vec<Finding> {
    vec![package(versions), opencode(versions), node(versions)]
}

fn package(versions: &Versions) -> Finding {
    let own = &versions.package;
    match &versions.newest {
        Newest::Known(newest) if numbers(newest) > numbers(own) => hint(
            DoctorCode::PackageOld,
            format!("Design Lab {newest} is available, and this is {own}."),
            // OpenCode 1 keeps what it has installed under a name, and never looks again.
            if versions.is_second_host() {
                "`opencode plugin update` installs it. Then restart OpenCode.".to_owned()
            } else {
                format!(
                    "Write `{NAME}@{newest}` in place of `{NAME}` into opencode.json and tui.json. Then restart \
                     OpenCode, which doesn't update a plugin that is named without its version."
                )
            },
        ),
        Newest::Known(_) => Finding::Good(format!("Design Lab {own}, the newest version")),
        Newest::Unknown => {
            Finding::Good(format!("Design Lab {own} (npm couldn't say whether there is a newer version)"))
        }
        Newest::NotAsked => Finding::Good(format!(
            "Design Lab {own} (npm wasn't asked for newer versions, because DO_NOT_TRACK is set)"
        )),
    }
}

fn opencode(versions: &Versions) -> Finding {
    let least = dotted(FIRST);
    let Some(version) = &versions.opencode else {
        return hint(
            DoctorCode::OpencodeUnknown,
            "OpenCode didn't say its version.",
            format!("`opencode --version` should print {least} or later."),
        );
    };
    let tested =
        |tested| Finding::Good(format!("OpenCode {version} (Design Lab is tested with {})", dotted(tested)));
    if versions.host == HostProgram::Kilo {
        return Finding::Good(format!(
            "Kilo {version}, which is based on OpenCode 1 (Design Lab was tried with {})",
            dotted(KILO)
        ));
    }
    match numbers(version) {
        Some(found) if found < FIRST => fault(
            DoctorCode::OpencodeOld,
            format!("OpenCode {version} is too old for Design Lab."),
            format!("Install {least} or later."),
        ),
        Some(found) if found[0] < SECOND[0] => tested(FIRST_TESTED),
        Some(found) if found < SECOND => hint(
            DoctorCode::OpencodeUntested,
            format!(
                "OpenCode {version} is older than {}, the version of OpenCode 2 that Design Lab is tested with.",
                dotted(SECOND)
            ),
            "If something doesn't work, install a later version of OpenCode.",
        ),
        Some(SECOND) => Finding::Good(format!(
            "OpenCode {version} (Design Lab is tested with it). This version lists a run's sessions among \
             yours, has no key that stops a run, and shows progress only in its TUI."
        )),
        Some(_) => hint(
            DoctorCode::OpencodeUntested,
            format!(
                "OpenCode {version} is newer than {}, the version of OpenCode 2 that Design Lab is tested with.",
                dotted(SECOND)
            ),
            "If something doesn't work, look for a newer version of Design Lab.",
        ),
        None => Finding::Good(format!("OpenCode {version}")),
    }
}

fn node(versions: &Versions) -> Finding {
    match &versions.node {
        None => hint(
            DoctorCode::NoNode,
            "Node is not installed: runs don't need it, but `npx opencode-design-lab` does.",
            format!("Install Node {} or later if you want to use the command line.", NODE[0]),
        ),
        Some(version) if numbers(version).is_some_and(|found| found < NODE) => hint(
            DoctorCode::NodeOld,
            format!("Node {version} is too old for `npx opencode-design-lab`; runs don't need Node."),
            format!("Install Node {} or later if you want to use the command line.", NODE[0]),
        ),
        Some(version) => Finding::Good(format!("Node {version}")),
    }
}

fn dotted([major, minor, patch]: [u64; 3]) -> String {
    format!("{major}.{minor}.{patch}")
}

/// `v1.18.33-beta.1` is `[1, 18, 33]`.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let mut parts = version.trim_start_matches('v').split(['.', '-', '+']).map(str::parse::<u64>);
    let mut next = || parts.next()?.ok();
    Some([next()?, next()?, next().unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_those_of_the_package() {
        let manifest = include_str!("../../../pkg-template/package.json");
        let manifest: serde_json::Value = serde_json::from_str(manifest).unwrap();
        assert_eq!(manifest["engines"]["opencode"], format!(">={}", dotted(FIRST)));
        assert_eq!(manifest["engines"]["node"], format!(">={}", NODE[0]));
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let codes = |opencode: Option<&str>, node: Option<&str>| {
            let versions = Versions {
                package: "0.1.0".to_owned(),
                newest: Newest::Unknown,
                host: HostProgram::OpenCode,
                opencode: opencode.map(str::to_owned),
                node: node.map(str::to_owned),
            };
            let findings = judge(&versions).into_iter().filter_map(|finding| match finding {
                Finding::Good(_) => None,
                Finding::Hint(problem) | Finding::Fault(problem) => Some(problem.code.to_string()),
            });
            findings.collect::<Vec<_>>().join(" ")
        };
        let cases = [
            (Some("1.18.33"), Some("v20.19.2"), ""),
            (Some("1.18.29"), Some("20.0.0"), ""),
            (Some("1.100.0"), Some("24.1"), ""),
            (Some("1.18.28"), Some("v20.1.0"), "doctor.opencode-old"),
            (Some("0.99.99"), None, "doctor.opencode-old doctor.no-node"),
            (Some("2.0.14"), Some("v18.20.0"), "doctor.opencode-untested doctor.node-old"),
            (Some("2.0.15"), Some("v20.1.0"), ""),
            (Some("2.3.0"), Some("v20.1.0"), "doctor.opencode-untested"),
            (None, Some("v20.1.0"), "doctor.opencode-unknown"),
            (Some("local"), Some("v20.1.0"), ""),
        ];
        for (opencode, node, expected) in cases {
            assert_eq!(codes(opencode, node), expected, "{opencode:?} {node:?}");
        }
    }

    #[test]
    fn the_tested_versions_are_those_that_the_tests_install() {
        let manifest: serde_json::Value =
            serde_json::from_str(include_str!("../../../package.json")).unwrap();
        assert_eq!(manifest["devDependencies"]["opencode-ai"], dotted(FIRST_TESTED));
        let install = include_str!("../../../tests/e2e2/install.mjs");
        assert!(install.contains(&format!("\"{}\"", dotted(SECOND))));
    }

    #[test]
    fn a_newer_package_is_named_with_how_to_get_it() {
        let of = |host, opencode: &str, newest| {
            let versions = Versions {
                package: "0.1.0".to_owned(),
                newest,
                host,
                opencode: Some(opencode.to_owned()),
                node: None,
            };
            match judge(&versions).swap_remove(0) {
                Finding::Good(text) => text,
                Finding::Hint(problem) | Finding::Fault(problem) => {
                    format!("{}: {}", problem.code, problem.next.unwrap_or_default())
                }
            }
        };
        let known = |version: &str| Newest::Known(version.to_owned());
        let table = [
            (
                HostProgram::OpenCode,
                "1.18.33",
                known("0.2.0"),
                "doctor.package-old: Write `opencode-design-lab@0.2.0`",
            ),
            (
                HostProgram::Kilo,
                "7.7.9",
                known("0.1.1"),
                "doctor.package-old: Write `opencode-design-lab@0.1.1`",
            ),
            (HostProgram::OpenCode, "2.0.15", known("0.2.0"), "doctor.package-old: `opencode plugin update`"),
            (HostProgram::OpenCode, "2.0.15", known("0.1.0"), "Design Lab 0.1.0, the newest version"),
            // A version that was built from source may be newer than any that npm knows.
            (HostProgram::OpenCode, "1.18.33", known("0.0.9"), "Design Lab 0.1.0, the newest version"),
            (HostProgram::OpenCode, "1.18.33", Newest::Unknown, "Design Lab 0.1.0 (npm couldn't say"),
            (HostProgram::OpenCode, "1.18.33", Newest::NotAsked, "Design Lab 0.1.0 (npm wasn't asked"),
        ];
        for (host, opencode, newest, expected) in table {
            let text = of(host, opencode, newest.clone());
            assert!(text.starts_with(expected), "{opencode} {newest:?}: {text}");
        }
    }
}
