//! Where runs may be kept: in the project or at an absolute path, but nowhere that a run would damage.

use super::Source;
use super::layers::Layers;
use crate::design_lab::isolation::IsolationCode;
use crate::design_lab::isolation::{components, is_under, same_name};
use crate::design_lab::schema::quote;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;

const POINTER: &str = "/output_directory";

/// What the shell found out about the configured output directory. All paths are absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OutputPlace {
    /// The configured directory, resolved from the project's directory.
    pub directory: String,
    /// The real path of the longest part of it that exists, with links resolved and the rest appended.
    pub real: String,
    /// Where the configuration's relative paths start.
    pub project: String,
    /// The real path of that directory.
    pub project_real: String,
    /// The user's home directory.
    pub home: String,
    /// The directories from which OpenCode loads settings, and where it keeps data.
    pub host: Vec<String>,
}

/// Returns what is wrong with the configured output directory on disk, with its place in the configuration.
pub fn check_output(sources: &[Source], place: &OutputPlace) -> Option<Problem> {
    let why = unfit(place)?;
    let (layers, _) = Layers::read(sources);
    let found = layers.merged.pointer(POINTER).and_then(|value| value.as_str()).unwrap_or(&place.directory);
    Some(layers.place(refused(why, found)))
}

/// Returns why runs can't be kept in a directory, judging only by its spelling.
pub(super) fn misspelt(directory: &str) -> Option<&'static str> {
    let mut names = directory.split(['/', '\\']).map(str::trim).filter(|name| !matches!(*name, "" | "."));
    if names.clone().any(|name| name == "..") {
        return Some("leads outside the project through `..`");
    }
    let is_drive = |name: &str| name.len() == 2 && name.ends_with(':');
    if names.clone().all(is_drive) {
        return Some("would hide the whole project from designers");
    }
    if directory.starts_with('~') {
        Some("begins with `~`, which only a shell understands")
    } else if directory.chars().any(char::is_control) {
        Some("contains control characters")
    } else {
        names.find_map(|name| match name {
            name if same_name(name, ".git") => Some("lies in `.git`, which belongs to git"),
            name if same_name(name, ".opencode") => {
                Some("lies in `.opencode`, from where OpenCode loads commands and plugins")
            }
            _ => None,
        })
    }
}

pub(super) fn refused(why: &str, found: &str) -> Problem {
    Problem::new(IsolationCode::OutputDirectory, format!("`output_directory` {why}."))
        .at(POINTER)
        .found(quote(found))
        .allowed(
            "a directory in the project, or an absolute path that doesn't contain the project; no part of it may be a link, `..`, \
             `.git` or `.opencode`",
        )
        .next("Use \".design-lab\", or remove the key.")
}

fn unfit(place: &OutputPlace) -> Option<&'static str> {
    let directory = components(&place.directory);
    let real = components(&place.real);
    let (project, project_real) = (components(&place.project), components(&place.project_real));
    let home = components(&place.home);
    for path in [&directory, &real] {
        if is_under(&project, path) || is_under(&project_real, path) {
            return Some("is the project or contains it, so designers could read nothing");
        }
        if is_under(&home, path) {
            return Some("is your home directory, or contains it");
        }
        if place.host.iter().any(|host| is_under(path, &components(host))) {
            return Some("lies in one of OpenCode's own directories");
        }
    }
    // The path to the project may contain a link; the path below it may not.
    let expected: Vec<&str> = if is_under(&directory, &project) {
        project_real.iter().chain(&directory[project.len()..]).copied().collect()
    } else {
        directory
    };
    let same = expected.len() == real.len() && is_under(&real, &expected);
    (!same).then_some("is a link, or lies behind one")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(directory: &str, real: &str) -> OutputPlace {
        OutputPlace {
            directory: directory.to_owned(),
            real: real.to_owned(),
            project: "/home/ada/shop".to_owned(),
            project_real: "/srv/shop".to_owned(),
            home: "/home/ada".to_owned(),
            host: vec!["/home/ada/.config/opencode".to_owned()],
        }
    }

    #[test]
    fn runs_are_kept_in_the_project_or_at_an_absolute_path_without_a_link() {
        let fit = [
            ("/home/ada/shop/.design-lab", "/srv/shop/.design-lab"),
            ("/home/ada/shop/docs/labs", "/srv/shop/docs/labs"),
            ("/home/ada/shop/Labs", "/srv/shop/labs"),
            ("/home/ada/labs", "/home/ada/labs"),
            ("/var/labs", "/var/labs"),
        ];
        for (directory, real) in fit {
            assert_eq!(unfit(&place(directory, real)), None, "{directory}");
        }
        let (link, holds) = ("a link", "contains it");
        let unfit_ones = [
            ("/home/ada/shop/labs", "/srv/outside", link),
            ("/home/ada/shop/labs", "/srv/shop/src", link),
            ("/home/ada/shop/a/labs", "/srv/shop/b/labs", link),
            ("/var/labs", "/mnt/var/labs", link),
            ("/home/ada/shop", "/srv/shop", holds),
            ("/srv", "/srv", holds),
            ("/", "/", holds),
            ("/home/ada", "/home/ada", holds),
            ("/home", "/home", holds),
            ("/home/ada/shop/labs", "/home/ada", holds),
            ("/home/ada/shop/labs", "/", holds),
            ("/home/ada/.config/opencode/command", "/home/ada/.config/opencode/command", "OpenCode's own"),
        ];
        for (directory, real, why) in unfit_ones {
            let found = unfit(&place(directory, real)).unwrap_or_default();
            assert!(found.contains(why), "{directory} {real}: {found}");
        }
    }

    #[test]
    fn what_is_wrong_by_its_letters_is_said_before_anything_is_looked_at() {
        for directory in
            [".design-lab", "./labs/", "a/b", "/var/labs", r"C:\labs", "..a", ".gitignored", "a b"]
        {
            assert_eq!(misspelt(directory), None, "{directory}");
        }
        for directory in [
            "",
            ".",
            "./",
            "/",
            r"C:\",
            "..",
            "../x",
            "a/../b",
            r"a\..\b",
            "/var/../x",
            "~/x",
            "~",
            "a\nb",
            ".git",
            "a/.GIT/x",
            ".git./x",
            ".opencode",
            ".opencode/labs",
        ] {
            assert!(misspelt(directory).is_some(), "{directory}");
        }
    }

    #[test]
    fn the_place_in_the_configuration_is_reported() {
        let source = Source {
            origin: super::super::Layer::Project,
            file: ".opencode/design-lab.json".to_owned(),
            text: "{\n  \"base_output_dir\": \"labs\"\n}".to_owned(),
        };
        let place = place("/home/ada/shop/labs", "/srv/outside");
        let problem = check_output(&[source], &place).unwrap();
        assert_eq!((problem.line, problem.column), (Some(2), Some(22)));
        assert_eq!(problem.pointer.as_deref(), Some("/output_directory"));
        assert_eq!(problem.found.as_deref(), Some("\"labs\""));
        assert!(!problem.to_string().contains("/srv"), "what is behind a link is nobody's business");
        assert!(check_output(&[], &place).is_some(), "the usual directory may be a link, too");
    }
}
