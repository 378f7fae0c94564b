//! Checks whether the versions here are those that Design Lab was made for.

use super::code::DoctorCode;
use super::{Finding, fault, hint};
use serde::Deserialize;

/// The versions of Design Lab and of what it runs on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Versions {
    /// Design Lab's version.
    pub package: String,
    /// OpenCode's version; `None` if it didn't report it.
    pub opencode: Option<String>,
    /// Node's version, for the command line; `None` if Node is not installed.
    pub node: Option<String>,
}

/// The first version of OpenCode that this was tested with.
const OPENCODE: [u64; 3] = [1, 18, 29];

/// The first major version of OpenCode that is a different program.
const OTHER_OPENCODE: u64 = 2;

/// The first version of Node that the command line runs on.
const NODE: [u64; 3] = [20, 0, 0];

pub(super) fn judge(versions: &Versions) -> Vec<Finding> {
    let mut findings = vec![Finding::Good(format!("Design Lab {}", versions.package))];
    let least = dotted(OPENCODE);
    findings.push(match &versions.opencode {
        None => hint(
            DoctorCode::OpencodeUnknown,
            "OpenCode didn't say its version.",
            format!("`opencode --version` should print {least} or later."),
        ),
        Some(version) => match numbers(version) {
            Some(found) if found < OPENCODE => fault(
                DoctorCode::OpencodeOld,
                format!("OpenCode {version} is too old for Design Lab."),
                format!("`opencode upgrade` installs {least} or later."),
            ),
            Some([major, ..]) if major >= OTHER_OPENCODE => hint(
                DoctorCode::OpencodeNew,
                format!("OpenCode {version} is newer than this version of Design Lab was tested with."),
                "Look for a newer version of Design Lab.",
            ),
            _ => Finding::Good(format!("OpenCode {version}")),
        },
    });
    findings.push(match &versions.node {
        None => hint(
            DoctorCode::NoNode,
            "Node is not installed: runs don't need it, but `npx opencode-design-lab` does.",
            format!("Install Node {} or later if you want the command line.", NODE[0]),
        ),
        Some(version) if numbers(version).is_some_and(|found| found < NODE) => hint(
            DoctorCode::NodeOld,
            format!("Node {version} is too old for `npx opencode-design-lab`; runs don't need Node."),
            format!("Install Node {} or later if you want the command line.", NODE[0]),
        ),
        Some(version) => Finding::Good(format!("Node {version}")),
    });
    findings
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
        assert_eq!(manifest["engines"]["opencode"], format!(">={}", dotted(OPENCODE)));
        assert_eq!(manifest["engines"]["node"], format!(">={}", NODE[0]));
    }

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let codes = |opencode: Option<&str>, node: Option<&str>| {
            let versions = Versions {
                package: "0.1.0".to_owned(),
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
            (Some("2.0.14"), Some("v18.20.0"), "doctor.opencode-new doctor.node-old"),
            (None, Some("v20.1.0"), "doctor.opencode-unknown"),
            (Some("local"), Some("v20.1.0"), ""),
        ];
        for (opencode, node, expected) in cases {
            assert_eq!(codes(opencode, node), expected, "{opencode:?} {node:?}");
        }
    }
}
