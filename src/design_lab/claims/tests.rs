//! Claims as designs write them, projects as they are, and the verdicts.

use super::*;
use crate::design_lab::attachments::LeftOut;
use ClaimKind::{Dependency, File, Other, Script, Symbol};
use ClaimState::{Exists, ToBeMade};
use ClaimVerdict::{False, NotFound, True, Unknown};
use proptest::prelude::*;

fn claim(kind: ClaimKind, name: &str, state: ClaimState) -> Claim {
    Claim { text: "It does.".to_owned(), kind, name: name.to_owned(), state, finding: None }
}

fn found(path: &str, found: PathFound, lines: Option<u32>, place: Option<&str>) -> LookedUp {
    LookedUp { path: path.to_owned(), found, lines, place: place.map(str::to_owned) }
}

fn manifest(path: &str, text: &str) -> Manifest {
    Manifest { path: path.to_owned(), text: text.to_owned() }
}

#[test]
fn a_claim_is_looked_up_under_the_name_that_it_means() {
    for (kind, written, state, name) in [
        (File, "`src/store.ts`", Exists, Some("src/store.ts")),
        (File, "src/store.ts:42", Exists, Some("src/store.ts")),
        (File, "src/", Exists, Some("src")),
        (File, " ", Exists, None),
        (Symbol, "Store::open()", Exists, Some("$symbol/Store::open()")),
        (Symbol, "->", Exists, None),
        (Symbol, "42", Exists, None),
        (Dependency, "react", Exists, Some("$dependency/react")),
        (Dependency, "react@18.2", Exists, Some("$dependency/react@18.2")),
        (Dependency, "@scope/kit@1", Exists, Some("$dependency/@scope/kit@1")),
        (Dependency, "@scope/kit", ToBeMade, Some("$new-dependency/@scope/kit")),
        (Dependency, "serde = \"1.0\"", Exists, Some("$dependency/serde@1.0")),
        (Dependency, "requests>=2.31", Exists, Some("$dependency/requests@2.31")),
        (Dependency, "serde 1.0.", Exists, Some("$dependency/serde@1.0")),
        (Dependency, "@", Exists, None),
        (Script, "npm run test:unit", Exists, Some("$script/test:unit")),
        (Script, "npm test", Exists, Some("$script/test")),
        (Script, "npm install", Exists, None),
        (Script, "$ make build", Exists, Some("$script/build")),
        (Script, "cargo xtask", Exists, Some("$command/xtask")),
        (Script, "cargo test", Exists, None),
        (Script, "test:unit", Exists, Some("$command/test:unit")),
        (Script, "node scripts/a.js", Exists, None),
        (Other, "the API", Exists, None),
    ] {
        let wanted = Wanted::of(&claim(kind, written, state)).map(|wanted| wanted.to_string());
        assert_eq!(wanted.as_deref(), name, "{kind:?} {written}");
        if let Some(wanted) = wanted {
            assert_eq!(Wanted::named(&wanted).to_string(), wanted);
        }
    }
    assert_eq!(name::words("Store::open(path)"), ["Store", "open"]);
    assert_eq!(name::words("store.open"), ["store", "open"]);
    assert_eq!(name::words("Map<K, V>"), ["Map"]);
}

#[test]
fn a_hidden_file_is_not_looked_up_and_a_design_without_claims_asks_for_code() {
    let claims = [claim(File, "secret/plan.md", Exists), claim(File, "a.js", Exists)];
    assert_eq!(wanted(&claims, &["secret/**".to_owned()]), ["a.js"]);
    assert_eq!(wanted(&[], &[]), ["$code"]);
    let many: Vec<Claim> = (0..100).map(|n| claim(File, &format!("{n}.js"), Exists)).collect();
    assert_eq!(wanted(&many, &[]).len(), MOST);
}

#[test]
fn the_verdict_follows_from_what_was_found() {
    let looked_up = [
        found("a.js", PathFound::File, Some(3), None),
        found("src", PathFound::Other, None, None),
        found("gone.js", PathFound::Nothing, None, None),
        found("../b.js", PathFound::Outside, None, None),
        found("$symbol/Store::open", PathFound::File, None, Some("src/a.js:12")),
        found("$symbol/gone", PathFound::Nothing, None, None),
        found("$symbol/vast", PathFound::Other, None, None),
        found("$dependency/react@18", PathFound::File, None, Some("package.json has ^18.2.0")),
        found("$dependency/vue@3", PathFound::Nothing, None, Some("package.json has ^2.0.0")),
        found("$dependency/left-pad", PathFound::Nothing, None, None),
        found("$new-dependency/react", PathFound::File, None, Some("package.json has ^18.2.0")),
        found("$new-dependency/zod", PathFound::Nothing, None, None),
        found("$script/lint", PathFound::Nothing, None, None),
        found("$command/nextest", PathFound::Nothing, None, None),
        found("$command/xtask", PathFound::File, None, Some(".cargo/config.toml")),
    ];
    for (kind, name, state, verdict, why) in [
        (File, "a.js", Exists, True, "a.js"),
        (File, "a.js:3", Exists, True, "a.js"),
        (File, "a.js:9", Exists, False, "a.js has 3 lines"),
        (File, "src/", Exists, True, "src"),
        (File, "a.js", ToBeMade, False, "a.js already exists"),
        (File, "gone.js", Exists, False, "gone.js doesn't exist"),
        (File, "gone.js", ToBeMade, True, "it doesn't exist yet"),
        (File, "../b.js", Exists, Unknown, "it lies outside the project"),
        (File, "never.js", Exists, Unknown, "it was not looked up"),
        (Symbol, "Store::open", Exists, True, "src/a.js:12"),
        (Symbol, "Store::open", ToBeMade, Unknown, "the name already occurs in src/a.js:12"),
        (Symbol, "gone", Exists, NotFound, "no file of the project contains this name"),
        (Symbol, "gone", ToBeMade, True, "the name doesn't occur in the project yet"),
        (Symbol, "vast", Exists, Unknown, "the project is too large to search all of it"),
        (Dependency, "react@18", Exists, True, "package.json has ^18.2.0"),
        (Dependency, "vue@3", Exists, False, "package.json has ^2.0.0"),
        (Dependency, "left-pad", Exists, False, "the project doesn't declare it"),
        (Dependency, "react", ToBeMade, False, "it already exists: package.json has ^18.2.0"),
        (Dependency, "zod", ToBeMade, True, "the project doesn't declare it yet"),
        (Script, "npm run lint", Exists, False, "the project doesn't declare it"),
        (Script, "cargo nextest", Exists, Unknown, "this name can't be looked up"),
        (Script, "nextest", Exists, NotFound, "the project doesn't declare this command"),
        (Script, "cargo xtask", Exists, True, ".cargo/config.toml"),
        (Other, "a.js", Exists, Unknown, "statements of this kind can't be looked up"),
    ] {
        let mut claims = [claim(kind, name, state)];
        check(&mut claims, &looked_up);
        let finding = ClaimFinding { verdict, why: why.to_owned() };
        assert_eq!(claims[0].finding, Some(finding), "{kind:?} {name} {state:?}");
    }
}

const CARGO: &str = r#"
[package]
name = "shop"

[dependencies]
serde = { version = "1.0", features = ["derive"] }
axum = "0.7"
tracing.workspace = true
# gone = "1"

[target.'cfg(unix)'.dependencies]
nix = "0.29"

[dependencies.tokio]
version = "1"

[[bin]]
name = "worker"
"#;
const PYTHON: &str = r#"
[project]
name = "shop"
dependencies = [
    "requests[socks]>=2.31; python_version > '3.8'",
    "rich",
]

[project.scripts]
shop = "shop:main"

[tool.poetry.dependencies]
Flask-Login = "^0.6"

[dependency-groups]
dev = ["pytest==8.1"]
"#;

#[test]
fn dependencies_are_found_where_projects_declare_them() {
    let manifests = [
        manifest(
            "package.json",
            r#"{"dependencies": {"react": "^18.2.0"}, "devDependencies": {"@types/node": "20"}}"#,
        ),
        manifest(
            "package-lock.json",
            r#"{"packages": {"node_modules/react": {"version": "18.3.1"}, "node_modules/a/node_modules/ms": {"version": "2.1.3"}}}"#,
        ),
        manifest("Cargo.toml", CARGO),
        manifest("Cargo.lock", "[[package]]\nname = \"itoa\"\nversion = \"1.0.11\"\n"),
        manifest("pyproject.toml", PYTHON),
        manifest("requirements-dev.txt", "# tools\nruff==0.4.1\n-r other.txt\n"),
        manifest("go.mod", "module shop\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.1\n)\n"),
        manifest("Gemfile", "gem \"rails\", \"~> 7\"\n"),
        manifest("broken/package.json", "{"),
    ];
    for (name, expected, place) in [
        ("$dependency/react", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/react@18", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/react@18.3.1", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/react@17", PathFound::Nothing, Some("package.json has ^18.2.0")),
        ("$dependency/@types/node", PathFound::File, Some("package.json has 20")),
        ("$dependency/ms@2.1", PathFound::File, Some("package-lock.json has 2.1.3")),
        ("$dependency/ms@2.2", PathFound::Nothing, Some("package-lock.json has 2.1.3")),
        ("$new-dependency/ms", PathFound::Nothing, None),
        ("$new-dependency/react@19", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/serde", PathFound::File, Some("Cargo.toml has 1.0")),
        ("$dependency/axum@0.7", PathFound::File, Some("Cargo.toml has 0.7")),
        ("$dependency/tracing", PathFound::File, Some("Cargo.toml")),
        ("$dependency/nix", PathFound::File, Some("Cargo.toml has 0.29")),
        ("$dependency/tokio", PathFound::File, Some("Cargo.toml")),
        ("$dependency/gone", PathFound::Nothing, None),
        ("$dependency/name", PathFound::Nothing, None),
        ("$dependency/itoa@1", PathFound::File, Some("Cargo.lock has 1.0.11")),
        ("$dependency/requests", PathFound::File, Some("pyproject.toml has >=2.31")),
        ("$dependency/rich", PathFound::File, Some("pyproject.toml")),
        ("$dependency/flask_login", PathFound::File, Some("pyproject.toml has ^0.6")),
        ("$dependency/pytest@8", PathFound::File, Some("pyproject.toml has ==8.1")),
        ("$dependency/ruff", PathFound::File, Some("requirements-dev.txt has ==0.4.1")),
        ("$dependency/github.com/gin-gonic/gin@1", PathFound::File, Some("go.mod has v1.9.1")),
        ("$dependency/rails", PathFound::File, Some("Gemfile")),
        ("$dependency/rail", PathFound::Nothing, None),
    ] {
        let looked = declared(&[name.to_owned()], &manifests).remove(0);
        assert_eq!((looked.found, looked.place.as_deref()), (expected, place), "{name}");
    }
    let unread = declared(&["$dependency/react".to_owned()], &[]).remove(0);
    assert_eq!(unread.found, PathFound::Other);
}

#[test]
fn commands_are_found_where_projects_declare_them() {
    let manifests = [
        manifest("package.json", r#"{"scripts": {"test:unit": "vitest"}}"#),
        manifest("Cargo.toml", CARGO),
        manifest(".cargo/config.toml", "[alias]\nxtask = \"run -p xtask --\"\n[build]\njobs = 2\n"),
        manifest("pyproject.toml", PYTHON),
        manifest("Makefile", "X := 1\nbuild test: deps\n\tgo build\n.PHONY: lint\n"),
        manifest("justfile", "@fmt:\n  cargo fmt\n"),
    ];
    for (name, place) in [
        ("$script/test:unit", Some("package.json")),
        ("$command/xtask", Some(".cargo/config.toml")),
        ("$command/jobs", None),
        ("$command/worker", Some("Cargo.toml")),
        ("$command/shop", Some("Cargo.toml")),
        ("$script/build", Some("Makefile")),
        ("$script/test", Some("Makefile")),
        ("$script/X", None),
        ("$script/lint", None),
        ("$script/fmt", Some("justfile")),
    ] {
        let looked = declared(&[name.to_owned()], &manifests).remove(0);
        assert_eq!(looked.place.as_deref(), place, "{name}");
        assert_eq!(looked.found == PathFound::File, place.is_some(), "{name}");
    }
}

fn project(files: &[(&str, u64)], more: bool) -> Attached {
    let files = files.iter().map(|(path, size)| Entry { path: (*path).to_owned(), size: *size }).collect();
    let content =
        Content::Folder { path: "/p".into(), real: "/p".into(), files, more, left_out: LeftOut::default() };
    Attached { name: ".".to_owned(), mime: String::new(), lines: None, own: false, content }
}

#[test]
fn the_shell_reads_only_what_the_names_need() {
    let names = ["a.js", "$symbol/Store::open", "$dependency/react", "$script/test"].map(str::to_owned);
    let files = [
        ("src/a.js", 100),
        ("src/huge.js", LARGEST + 1),
        ("secret/b.js", 100),
        ("package.json", 100),
        ("packages/one/package.json", 100),
        ("package-lock.json", 200_000),
    ];
    let lookups = lookups(&names, &project(&files, false), &["secret/**".to_owned()]);
    assert_eq!(lookups.paths, ["a.js"]);
    assert_eq!(lookups.searches[0].words, ["Store", "open"]);
    assert_eq!(lookups.sources, ["src/a.js", "package.json", "packages/one/package.json"]);
    assert!(lookups.partial, "a file is too large to search");
    assert_eq!(lookups.declared, ["$dependency/react", "$script/test"]);
    assert_eq!(lookups.manifests, ["package.json", "package-lock.json", "packages/one/package.json"]);

    let none = super::lookups(&names[..1], &project(&files, true), &[]);
    assert!(none.sources.is_empty() && none.manifests.is_empty());
}

#[test]
fn whether_a_project_contains_code_is_seen_in_its_file_names() {
    for (files, is_code) in [
        (&[("src/a.rs", 1)][..], true),
        (&[("README.md", 1), ("opencode.json", 1), ("Makefile", 1)], false),
        (&[("A.PY", 1)], true),
        (&[], false),
    ] {
        let lookups = lookups(&[CODE.to_owned()], &project(files, false), &[]);
        assert_eq!(has_code(&lookups.known), is_code, "{files:?}");
    }
    assert!(!has_code(&[]));
}

proptest! {
    #[test]
    fn no_text_breaks_the_reading_of_a_manifest(text in r#"(\PC|\n|\[|\]|=|"|\{|\}){0,80}"#, name in "\\PC{1,12}") {
        for path in ["package.json", "Cargo.toml", "Cargo.lock", "go.mod", "Makefile", "yarn.lock", "package-lock.json"] {
            let names = [format!("$dependency/{name}"), format!("$script/{name}")];
            prop_assert_eq!(declared(&names, &[manifest(path, &text)]).len(), 2);
        }
    }

    #[test]
    fn no_name_breaks_a_claim(kind in 0usize..5, name in "\\PC{0,40}", new: bool) {
        let kind = [File, Symbol, Dependency, Script, Other][kind];
        let mut claims = [claim(kind, &name, if new { ToBeMade } else { Exists })];
        let names = wanted(&claims, &[]);
        let _ = lookups(&names, &project(&[("a.js", 1)], false), &[]);
        check(&mut claims, &declared(&names, &[manifest("package.json", "{}")]));
        prop_assert!(claims[0].finding.is_some());
    }
}
