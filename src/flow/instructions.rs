//! Files that OpenCode, and Kilo, which is made from it, use as instructions or settings: changes of them are reported, because later sessions follow them.

use super::evidence::some;
use super::links::Link;
use kernel::visible;

/// File names, in any directory.
const NAMES: [&str; 7] =
    ["AGENTS.md", "CLAUDE.md", "CONTEXT.md", "opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc"];

/// Directories of agents, commands, plugins and skills.
const DIRECTORIES: [&str; 4] = [".opencode", ".claude", ".kilo", ".kilocode"];

/// The files among these that instruct models, or set up OpenCode.
pub(super) fn instructing(changed: &[String]) -> Vec<&str> {
    let instructs = |path: &&str| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        NAMES.iter().any(|one| name.eq_ignore_ascii_case(one))
            || parts.any(|part| DIRECTORIES.contains(&part))
    };
    changed.iter().map(String::as_str).filter(instructs).collect()
}

/// The note to the user about changed instruction files; `None` when none changed.
pub(super) fn told_of(changed: &[String]) -> Option<String> {
    let all = instructing(changed);
    (!all.is_empty())
        .then(|| format!("{}; your later sessions follow these instructions", visible::line(&all.join(", "))))
}

/// The note to the user about what OpenCode will load at its next start and that has changed since the last look; `None` when
/// nothing has. What is among the project's changed files is left out, since [`told_of`] names it.
pub(super) fn loaded_anew(before: &[Link], now: &[Link], changed: &[String]) -> Option<String> {
    let gone = before
        .iter()
        .filter(|then| now.iter().all(|link| link.path != then.path) && !changed.contains(&then.path));
    let differing = now.iter().filter(|link| {
        before.iter().find(|then| then.path == link.path).is_none_or(|then| then.digest != link.digest)
    });
    let told: Vec<String> = differing
        .filter_map(|link| of_place(link, changed))
        .chain(gone.map(|then| then.path.clone()))
        .collect();
    (!told.is_empty()).then(|| {
        format!(
            "Files that OpenCode loads when it starts changed while the feature was built, and aren't part of the \
             reviewed change: {}. The worker, a check or another program wrote them. A plugin runs with your rights, \
             so look at these files before you start OpenCode again.",
            visible::line(&told.join("; "))
        )
    })
}

/// A place with its changed files; `None` if all of them are among the project's changed files.
fn of_place(link: &Link, changed: &[String]) -> Option<String> {
    let files: Vec<String> = link
        .changed
        .iter()
        .map(|file| if file.is_empty() { link.path.clone() } else { format!("{}/{file}", link.path) })
        .collect();
    let of_project = |file: &String| changed.contains(file);
    // Another process may have looked before, so that the files aren't known.
    let below = format!("{}/", link.path);
    let is_unknown = files.is_empty() && changed.iter().any(|file| file.starts_with(&below));
    if of_project(&link.path) || is_unknown || (!files.is_empty() && files.iter().all(of_project)) {
        return None;
    }
    Some(if files.is_empty() { link.path.clone() } else { some(&files) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_opencode_loads_is_told_if_it_changed_and_is_no_file_of_the_change() {
        let link = |path: &str, digest: &str, changed: &[&str]| Link {
            path: path.to_owned(),
            digest: digest.to_owned(),
            changed: changed.iter().map(|&file| file.to_owned()).collect(),
        };
        let before = [link(".opencode", "a", &[]), link("~/.config/opencode", "b", &[])];
        let told = |now: &[Link], changed: &[&str]| {
            loaded_anew(&before, now, &changed.iter().map(|&path| path.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(told(&before, &[]), None);
        let home = link("~/.config/opencode", "b", &[]);
        let with = |one: Link| [one, home.clone()];
        let named = told(&with(link(".opencode", "x", &["plugin/a.js", "b\nc"])), &[".opencode/plugin/a.js"])
            .unwrap();
        assert!(
            named.contains("reviewed change: .opencode/plugin/a.js, .opencode/b c. The worker"),
            "{named}"
        );
        let in_the_change = with(link(".opencode", "x", &["plugin/a.js"]));
        assert_eq!(told(&in_the_change, &[".opencode/plugin/a.js"]), None);
        let elsewhere =
            told(&[before[0].clone(), link("~/.config/opencode", "x", &[])], &["src/a.js"]).unwrap();
        assert!(elsewhere.contains("reviewed change: ~/.config/opencode. The worker"), "{elsewhere}");
        let new = told(&[before[0].clone(), home.clone(), link("opencode.json", "x", &[])], &[]).unwrap();
        assert!(new.contains("reviewed change: opencode.json. The worker"), "{new}");
        assert_eq!(
            told(&[before[0].clone(), home.clone(), link("opencode.json", "x", &[])], &["opencode.json"]),
            None
        );
        assert_eq!(
            told(&with(link(".opencode", "x", &[])), &[".opencode/agent/x.md"]),
            None,
            "files unknown"
        );
        let settings = [link("opencode.json", "a", &[])];
        assert_eq!(loaded_anew(&settings, &[], &["opencode.json".to_owned()]), None);
        assert!(told(&before[..1], &[]).unwrap().contains("reviewed change: ~/.config/opencode. The worker"));
    }

    #[test]
    fn what_opencode_takes_for_instructions_is_known_wherever_it_lies() {
        for path in [
            "AGENTS.md",
            "src/agents.md",
            "CLAUDE.md",
            "opencode.jsonc",
            "kilo.jsonc",
            ".opencode/plugin/a.js",
            ".kilo/plugins/a.js",
            ".kilocode/rules/a.md",
            "a/.claude/x.md",
        ] {
            assert_eq!(instructing(&[path.to_owned()]), [path]);
        }
        for path in ["README.md", "src/AGENTS.md.js", "opencode/a.js", "src/.opencode"] {
            assert!(instructing(&[path.to_owned()]).is_empty(), "{path}");
        }
    }
}
