//! The files that this package keeps in a project: runs with their designs and authors, sessions, validations.
//! Isolation, attachments and prompt files share this list.

use super::path::{components, is_under, same_name};

/// Directories with these names, anywhere in the project, contain the files that the package keeps. An output directory
/// with another name is known from what runs have noted.
pub(super) const DIRECTORIES: [&str; 2] = [".design-lab", ".flow"];

/// Whether a path, relative to the project or its repository, is such a directory or is inside one.
pub(crate) fn is_kept(relative: &[&str]) -> bool {
    // Every spelling of these names starts with a dot or isn't ASCII, so most names need no closer look.
    let may_be = |name: &str| name.starts_with('.') || !name.is_ascii();
    relative.iter().any(|name| may_be(name) && DIRECTORIES.iter().any(|kept| same_name(name, kept)))
}

/// Whether a path is or is inside such a directory below one of the `roots`, or one of the `outputs`. `roots` are the
/// project and its repository, `outputs` the output directories of runs.
pub(crate) fn is_kept_at(path: &str, roots: &[String], outputs: &[String]) -> bool {
    let path = components(path);
    let inside = |root: &String| {
        let root = components(root);
        is_under(&path, &root) && is_kept(&path[root.len()..])
    };
    roots.iter().any(inside) || outputs.iter().any(|output| is_under(&path, &components(output)))
}

/// Whether a kept file is one that people look for: a design, results, the page of a session or of a validation. Of the
/// kept files, only these are found by searches (plugin-js/kernel/out-of-git.js) and can be attached.
pub(crate) fn is_for_people(path: &str) -> bool {
    let names = components(path);
    let [.., folder, name] = names[..] else { return false };
    match folder {
        "designs" | "results" => name.rsplit_once('.').is_some_and(|(_, extension)| extension == "md"),
        "docs" => name == "index.md",
        _ => name == "FINAL-VALIDATION.md",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_known_by_its_name_wherever_it_lies_and_however_it_is_spelled() {
        for path in [
            ".design-lab",
            ".flow",
            ".flow/sessions/x/journal.jsonl",
            "packages/api/.FLOW/active",
            "a/.design-lab/x",
            ".fl\u{200b}ow",
        ] {
            assert!(is_kept(&components(path)), "{path}");
        }
        for path in
            ["", "src/flow", ".flowconfig", ".flow.js", "design-lab", ".github/workflows/x.yml", "a/b"]
        {
            assert!(!is_kept(&components(path)), "{path}");
        }
    }

    #[test]
    fn a_directory_above_the_project_counts_for_nothing() {
        let roots = ["/home/ada/.flow/shop".to_owned()];
        let outputs = ["/home/ada/.flow/shop/labs".to_owned()];
        assert!(is_kept_at("/home/ada/.flow/shop/.flow/active", &roots, &outputs));
        assert!(is_kept_at("/home/ada/.flow/shop/labs/2026-a/journal.jsonl", &roots, &outputs));
        assert!(!is_kept_at("/home/ada/.flow/shop/src/a.js", &roots, &outputs));
        assert!(!is_kept_at("/elsewhere/.flow/a.js", &roots, &outputs));
    }

    #[test]
    fn searches_find_what_can_be_attached() {
        for path in [
            "r/designs/quill-4.md",
            "r/results/results.md",
            "r/results/adr.md",
            "s/docs/index.md",
            "v/FINAL-VALIDATION.md",
        ] {
            assert!(is_for_people(path), "{path}");
        }
        for path in [
            "r/designs/quill-4.json",
            "r/results/report.html",
            "r/reviews/review-a.md",
            "r/journal.jsonl",
            "s/docs/features/codes.md",
            "index.md",
            "",
        ] {
            assert!(!is_for_people(path), "{path}");
        }
        let shell = include_str!("../../../plugin-js/kernel/out-of-git.js");
        for line in ["!/designs/*.md", "!/results/*.md", "!/docs/index.md", "!/FINAL-VALIDATION.md"] {
            assert!(shell.contains(line), "{line}");
        }
    }
}
