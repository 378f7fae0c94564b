//! Checks whether OpenCode's terminal interface loads the package: it lists plugins in files of its own,
//! separate from the server's.

use super::code::DoctorCode;
use super::{Finding, NAME, hint};
use crate::design_lab::config::document::Document;
use crate::design_lab::schema::DocumentKind;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde_json::Value;

/// The plugins that OpenCode's terminal interface loads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sidebar {
    /// Each `tui.json` that OpenCode reads, in that order.
    pub files: Vec<TuiFile>,
    /// The server's plugins, as `opencode.json` names them.
    pub server: Vec<String>,
    /// Where this package is, absolute.
    pub package: String,
}

/// One `tui.json`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TuiFile {
    /// The file, as the user would recognise it.
    pub file: String,
    /// The absolute path of its directory, to which paths in it are relative.
    pub directory: String,
    /// Its text.
    pub text: String,
}

/// Judges the sidebar's setup. A run works without a sidebar.
pub(super) fn judge(sidebar: &Sidebar) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut entries: Vec<(&str, String)> = Vec::new();
    let mut off = None;
    for file in &sidebar.files {
        match Document::parse(DocumentKind::Json, &file.text) {
            Err(problems) => findings.extend(problems.into_iter().map(|problem| {
                Finding::Hint(Problem {
                    code: DoctorCode::TuiFile.into(),
                    file: Some(file.file.clone()),
                    ..problem.next("Fix this: until then, OpenCode ignores the whole file.")
                })
            })),
            Ok(document) => {
                let specifiers = specifiers(&document.value);
                let ours = specifiers.filter(|one| is_ours(one, &file.directory, &sidebar.package));
                entries.extend(ours.map(|one| (file.file.as_str(), one.to_owned())));
                if let Some(enabled) = document.value["plugin_enabled"][NAME].as_bool() {
                    off = (!enabled).then_some(file.file.as_str());
                }
            }
        }
    }
    let server = sidebar.server.iter().find(|one| is_ours(one, "/", &sidebar.package));
    // The last one counts.
    findings.push(match (entries.pop(), off) {
        (None, _) => {
            let wanted = server.map_or(NAME, String::as_str);
            hint(
                DoctorCode::NoSidebar,
                "No tui.json names Design Lab: the sidebar won't appear.",
                format!(
                    "`opencode plugin {wanted}` adds it (with -g for all projects); or add `\"plugin\": \
                     [\"{wanted}\"]` to \
                     .opencode/tui.json. Then restart OpenCode."
                ),
            )
        }
        (Some(_), Some(file)) => hint(
            DoctorCode::SidebarOff,
            format!("The sidebar is switched off in {file}."),
            format!("To switch it on, remove `{NAME}` from `plugin_enabled`."),
        ),
        (Some((file, named)), None) => match server {
            Some(server) if package_of(server).is_some() && *server != named => hint(
                DoctorCode::SidebarOther,
                format!(
                    "{file} names `{named}`, but opencode.json names `{server}`: they may be different \
                     versions."
                ),
                format!("Write `{server}` into {file} as well, and restart OpenCode."),
            ),
            _ => Finding::Good(format!("The sidebar is set up: {file} names `{named}`.")),
        },
    });
    findings
}

/// Returns the plugins that a file lists: each a specifier, or a specifier with options.
fn specifiers(file: &Value) -> impl Iterator<Item = &str> {
    let listed = file["plugin"].as_array().map_or(&[][..], Vec::as_slice);
    listed.iter().filter_map(|entry| entry.as_str().or_else(|| entry[0].as_str()))
}

/// Whether a specifier refers to this package.
fn is_ours(specifier: &str, directory: &str, package: &str) -> bool {
    match package_of(specifier) {
        Some(name) => name == NAME,
        None => {
            let path = specifier.strip_prefix("file://").unwrap_or(specifier);
            let path = if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") };
            resolved(&path) == resolved(package)
        }
    }
}

/// Returns the package that an npm specifier names; `None` for a path.
fn package_of(specifier: &str) -> Option<&str> {
    if specifier.starts_with("file://") || specifier.starts_with(['.', '/']) {
        return None;
    }
    // A scope has its own `@` in front.
    let at = specifier.char_indices().skip(1).find(|(_, letter)| *letter == '@');
    Some(at.map_or(specifier, |(at, _)| &specifier[..at]))
}

/// Returns the segments of a path, with `.` and `..` resolved.
fn resolved(path: &str) -> Vec<&str> {
    path.split('/').fold(Vec::new(), |mut segments, segment| {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
        segments
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server's specifier, the files' texts, and what is reported.
    type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

    fn wording(server: &str, files: &[(&str, &str)]) -> Vec<String> {
        let sidebar = Sidebar {
            files: files
                .iter()
                .map(|(file, text)| TuiFile {
                    file: (*file).to_owned(),
                    directory: "/home/ada/shop/.opencode".to_owned(),
                    text: (*text).to_owned(),
                })
                .collect(),
            server: vec!["another".to_owned(), server.to_owned()],
            package: "/home/ada/lab/pkg".to_owned(),
        };
        let findings = judge(&sidebar);
        findings
            .into_iter()
            .map(|finding| match finding {
                Finding::Good(text) => text,
                Finding::Hint(problem) => format!("{}: {}", problem.code, problem.next.unwrap_or_default()),
                Finding::Fault(problem) => panic!("a run works without a sidebar: {problem:?}"),
            })
            .collect()
    }

    #[test]
    fn the_terminal_knows_the_package_or_is_reported() {
        const TARBALL: &str = "opencode-design-lab@file:/tmp/opencode-design-lab-0.1.0.tgz";
        let quoted = format!(r#"{{ "plugin": ["{TARBALL}"] }}"#);
        let table: [Row<'_>; 12] = [
            (NAME, &[], "doctor.no-sidebar: `opencode plugin opencode-design-lab` adds it"),
            (TARBALL, &[], "doctor.no-sidebar: `opencode plugin opencode-design-lab@file:/tmp/"),
            (NAME, &[("tui.json", r#"{ "plugin": ["else", "opencode-design-labs"] }"#)], "doctor.no-sidebar"),
            (NAME, &[("tui.json", r#"{ "plugin": "opencode-design-lab" }"#)], "doctor.no-sidebar"),
            (NAME, &[("tui.json", r#"{ "plugin": ["opencode-design-lab"], }"#)], "The sidebar is set up"),
            (
                NAME,
                &[("tui.json", r#"{ "plugin": [["opencode-design-lab", {}]] }"#)],
                "The sidebar is set up",
            ),
            (TARBALL, &[("tui.json", &quoted)], "The sidebar is set up"),
            (
                NAME,
                &[("tui.json", &quoted)],
                "doctor.sidebar-other: Write `opencode-design-lab` into tui.json",
            ),
            (
                "file:///home/ada/lab/pkg",
                &[("tui.json", r#"{ "plugin": ["../../lab/pkg/"] }"#)],
                "The sidebar is set up: tui.json names `../../lab/pkg/`.",
            ),
            ("/home/ada/lab/pkg", &[("tui.json", r#"{ "plugin": ["./pkg"] }"#)], "doctor.no-sidebar"),
            (
                NAME,
                &[(
                    "tui.json",
                    r#"{ "plugin": ["opencode-design-lab"], "plugin_enabled": { "opencode-design-lab": false } }"#,
                )],
                "doctor.sidebar-off",
            ),
            (NAME, &[("tui.json", r#"{ "plugin": "#)], "doctor.tui-file: Fix this"),
        ];
        for (server, files, expected) in table {
            let wording = wording(server, files);
            assert!(wording[0].starts_with(expected), "{server} {files:?}: {wording:?}");
        }
    }

    #[test]
    fn the_last_file_counts() {
        let files = [
            ("global", r#"{ "plugin": ["opencode-design-lab@0.0.9"] }"#),
            ("project", r#"{ "plugin": ["opencode-design-lab"] }"#),
        ];
        assert_eq!(wording(NAME, &files), ["The sidebar is set up: project names `opencode-design-lab`."]);
    }
}
