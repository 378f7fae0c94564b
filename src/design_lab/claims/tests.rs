//! Claims as designs write them, projects as they are, and the verdicts.

use super::*;
use crate::design_lab::attachments::LeftOut;
use ClaimKind::{Dependency, File, Other, Script, Symbol};
use ClaimState::{Exists, ToBeMade};
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
        (File, "src/store.ts:Store.open", Exists, Some("src/store.ts")),
        (File, "README.md#installation", Exists, Some("README.md")),
        (File, "C#/x.cs", Exists, Some("C#/x.cs")),
        (File, "C:\\x\\y.ts", Exists, None),
        (File, "src\\store.ts", Exists, Some("src/store.ts")),
        (File, "src/", Exists, Some("src")),
        (File, " ", Exists, None),
        (File, "src/a.ts, src/b.ts", Exists, None),
        (File, "src/store.ts (line 1)", Exists, None),
        (File, "src/*.ts", Exists, None),
        (File, "@/store", Exists, None),
        (File, "~/a.js", Exists, None),
        (File, "/etc/passwd", Exists, None),
        (File, "./src/a.ts", Exists, None),
        (File, "src/../secret/a.ts", Exists, None),
        (File, "$script/build", Exists, None),
        (Symbol, "Store::open()", Exists, Some("$symbol/Store::open()")),
        (Symbol, "class Store", Exists, Some("$symbol/class Store")),
        (Symbol, "GET /api/users", Exists, None),
        (Symbol, "operator+", Exists, None),
        (Symbol, "->", Exists, None),
        (Symbol, "42", Exists, None),
        (Dependency, "react", Exists, Some("$dependency/react")),
        (Dependency, "react@18.2", Exists, Some("$dependency/react@18.2")),
        (Dependency, "React 18", Exists, Some("$dependency/React@18")),
        (Dependency, "\"react\": \"^18.2.0\"", Exists, Some("$dependency/react@18.2.0")),
        (Dependency, "react (used in 3 files)", Exists, Some("$dependency/react")),
        (Dependency, "@scope/kit@1", Exists, Some("$dependency/@scope/kit@1")),
        (Dependency, "@scope/kit", ToBeMade, Some("$new-dependency/@scope/kit")),
        (Dependency, "serde = \"1.0\"", Exists, Some("$dependency/serde@1.0")),
        (Dependency, "requests>=2.31", Exists, Some("$dependency/requests")),
        (Dependency, "numpy<2", Exists, Some("$dependency/numpy")),
        (Dependency, "django>=4.2,<6", Exists, Some("$dependency/django")),
        (Dependency, "serde 1.0.", Exists, Some("$dependency/serde@1.0")),
        (Dependency, "jsr:@std/assert@1", Exists, Some("$dependency/@std/assert@1")),
        (Dependency, "@", Exists, None),
        (Script, "npm run test:unit", Exists, Some("$script/test:unit")),
        (Script, "npm test", Exists, Some("$script/test")),
        (Script, "npm install", Exists, None),
        (Script, "npm --prefix web run build", Exists, None),
        (Script, "yarn workspace web build", Exists, None),
        (Script, "make -C app build", Exists, None),
        (Script, "$ make build", Exists, Some("$script/build")),
        (Script, "cargo xtask", Exists, Some("$script/xtask")),
        (Script, "cargo test", Exists, None),
        (Script, "test:unit", Exists, Some("$script/test:unit")),
        (Script, "./scripts/deploy.sh", Exists, Some("scripts/deploy.sh")),
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
    assert_eq!(name::words("export async function open"), ["open"]);
    assert_eq!(name::words("store.open"), ["store", "open"]);
    assert_eq!(name::words("Map<K, V>"), ["Map"]);
    assert_eq!(name::words("class Brand New"), Vec::<String>::new());
}

#[test]
fn a_hidden_file_is_not_looked_up_however_its_path_is_written() {
    let blocked = ["secret/**".to_owned()];
    for path in [
        "secret/plan.md",
        "./secret/plan.md",
        "x/../secret/plan.md",
        "secret//plan.md",
        "app/secret/plan.md:9",
        ".env",
        "keys/id_rsa",
        ".git/HEAD",
        ".design-lab/run/designs/a.json",
        "opencode.json",
        "app/.opencode/design-lab.json",
    ] {
        assert_eq!(wanted(&[claim(File, path, Exists)], &blocked), Vec::<String>::new(), "{path}");
        assert_eq!(cited_places(&format!("See {path}:3."), &blocked), [], "{path}");
    }
    assert_eq!(wanted(&[claim(File, "a.js", Exists)], &blocked), ["a.js"]);
    assert_eq!(wanted(&[], &blocked), ["$code"]);
}

#[test]
fn only_a_line_of_a_file_is_a_citation() {
    let text = "See src/store.ts:3, a.js:9 and src/gone.ts. gopkg.in/yaml.v3, Node.js/Express.js, redis.internal:6379, \
        /api/v1/report.csv, /etc/nginx.conf:3, localhost:3000 and api.example.com/v1/users.json are none.";
    let places: Vec<String> = cited_places(text, &[]).iter().map(ToString::to_string).collect();
    assert_eq!(places, ["src/store.ts:3", "a.js:9"]);
}

#[test]
fn the_verdict_follows_from_what_was_found() {
    let looked_up = [
        found("a.js", PathFound::File, Some(3), None),
        found("src", PathFound::Other, None, None),
        found("linked/a.js", PathFound::Other, None, Some("it can't be opened")),
        found("gone.js", PathFound::Nothing, None, None),
        found("src/gone", PathFound::Nothing, None, None),
        found("$symbol/Store::open", PathFound::File, None, Some("src/a.js:12")),
        found("$symbol/gone", PathFound::Nothing, None, None),
        found("$symbol/vast", PathFound::Other, None, None),
        found("$dependency/react@18", PathFound::File, None, Some("package.json has ^18.2.0")),
        found("$dependency/vue@3", PathFound::Nothing, None, Some("package.json has ^2.0.0")),
        found("$dependency/left-pad", PathFound::Nothing, None, None),
        found("$new-dependency/react", PathFound::File, None, Some("package.json has ^18.2.0")),
        found("$new-dependency/zod", PathFound::Nothing, None, None),
        found("$script/lint", PathFound::Nothing, None, None),
        found("$script/xtask", PathFound::File, None, Some(".cargo/config.toml")),
    ];
    for (kind, name, state, verdict, why) in [
        (File, "a.js", Exists, AsStated, "it exists"),
        (File, "a.js:3", Exists, AsStated, "it exists"),
        (File, "a.js:9", Exists, Wrong, "the file has 3 lines"),
        (File, "src/", Exists, AsStated, "it exists"),
        (File, "a.js", ToBeMade, Wrong, "it already exists"),
        (File, "linked/a.js", Exists, NotChecked, "it can't be opened"),
        (File, "linked/a.js", ToBeMade, NotChecked, "it can't be opened"),
        (File, "gone.js", Exists, Wrong, "it doesn't exist"),
        (File, "src/gone", Exists, NotFound, "no file or folder has this path"),
        (File, "gone.js", ToBeMade, AsStated, "it doesn't exist yet"),
        (File, "../b.js", Exists, NotChecked, "this name can't be looked up"),
        (File, "never.js", Exists, NotChecked, "it was not looked up"),
        (Symbol, "Store::open", Exists, AsStated, "src/a.js:12"),
        (Symbol, "Store::open", ToBeMade, NotChecked, "the name already occurs: src/a.js:12"),
        (Symbol, "gone", Exists, NotFound, "no code of the project contains this name"),
        (Symbol, "gone", ToBeMade, AsStated, "it doesn't exist yet"),
        (Symbol, "vast", Exists, NotChecked, "not all of the project could be searched"),
        (Dependency, "react@18", Exists, AsStated, "package.json has ^18.2.0"),
        (Dependency, "vue@3", Exists, Wrong, "package.json has ^2.0.0"),
        (Dependency, "left-pad", Exists, NotFound, "no manifest of the project that was read declares it"),
        (Dependency, "react", ToBeMade, Wrong, "it already exists: package.json has ^18.2.0"),
        (Dependency, "zod", ToBeMade, AsStated, "it doesn't exist yet"),
        (Script, "npm run lint", Exists, NotFound, "no manifest of the project that was read declares it"),
        (Script, "cargo nextest", Exists, NotChecked, "this name can't be looked up"),
        (Script, "cargo xtask", Exists, AsStated, ".cargo/config.toml"),
        (Other, "a.js", Exists, NotChecked, "statements of this kind can't be looked up"),
    ] {
        let mut claims = [claim(kind, name, state)];
        check(&mut claims, &looked_up);
        let finding = ClaimFinding { verdict, why: why.to_owned() };
        assert_eq!(claims[0].finding, Some(finding), "{kind:?} {name} {state:?}");
    }
}

#[test]
fn what_a_project_contains_is_shown_in_one_short_line() {
    let place = format!("package.json has {}\nnext", "9".repeat(100_000));
    let mut claims = [claim(Dependency, "react", Exists)];
    check(&mut claims, &[found("$dependency/react", PathFound::File, None, Some(&place))]);
    let why = &claims[0].finding.as_ref().unwrap().why;
    assert!(why.len() <= LONGEST_PLACE && !why.contains('\n'), "{why}");
}

const CARGO: &str = r#"
[package]
name = "shop"
authors = ["a",
  "b"]
keywords = [
  "http",
]

[dependencies]
serde = { version = "1.0", features = ["derive"] }
axum = "0.7" # comment
tracing.workspace = true
local = { path = "../conversion", features = ["v2"] }
local.extra = "x"
renamed = { package = "hyper", version = "1.4" }
# gone = "1"

[target.'cfg(unix)'.dependencies]
nix = "0.29"

[dependencies.tokio]
version = "1"
features = ["full", "time"]

[[bin]]
name = "worker"
"#;
const PYTHON: &str = r#"
[project]
name = "shop"
dependencies = ["uvicorn[standard]>=0.2",
    "requests[socks]>=2.31; python_version > '3.8'",
    "rich",
]

[build-system]
requires = ["hatchling"]

[project.optional-dependencies]
cache = ["hiredis>=2"]

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
            r#"{"dependencies": {"react": "^18.2.0", "wide": ">=16.8 || 17 || 18", "alias": "npm:base64-js@1.5"},
                "devDependencies": {"@types/node": "20"}}"#,
        ),
        manifest(
            "package-lock.json",
            r#"{"packages": {"node_modules/react": {"version": "18.3.1"}, "node_modules/a/node_modules/ms": {"version": "2.1.3"}}}"#,
        ),
        manifest("Cargo.toml", CARGO),
        manifest("Cargo.lock", "[[package]]\nname = \"itoa\"\nversion = \"1.0.11\"\n"),
        manifest("pyproject.toml", PYTHON),
        manifest(
            "requirements-dev.txt",
            "# tools\nruff==0.4.1\n-r other.txt\nsecret @ git+https://ada:ghp_1@example.org/a\n",
        ),
        manifest("requirements/base.txt", "celery==5.4\n"),
        manifest(
            "go.mod",
            "module shop\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.9.1\n\tgolang.org/x/sync v0.7.0 // indirect\n)\n",
        ),
        manifest("Gemfile", "gem \"rails\", \"~> 7\"\n"),
    ];
    for (name, expected, place) in [
        ("$dependency/react", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/React@18", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/react@18.3.1", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/react@17", PathFound::Nothing, Some("package.json has ^18.2.0")),
        ("$dependency/react/client", PathFound::File, Some("package.json has ^18.2.0")),
        ("$dependency/wide@17", PathFound::File, Some("package.json has >=16.8 || 17 || 18")),
        ("$dependency/alias@9", PathFound::File, Some("package.json")),
        ("$dependency/@types/node", PathFound::File, Some("package.json has 20")),
        ("$dependency/ms@2.1", PathFound::File, Some("package-lock.json has 2.1.3")),
        ("$dependency/ms@2.2", PathFound::File, Some("package-lock.json has 2.1.3")),
        ("$dependency/ms@3", PathFound::Nothing, Some("package-lock.json has 2.1.3")),
        ("$new-dependency/ms", PathFound::Nothing, None),
        ("$new-dependency/react@19", PathFound::Nothing, None),
        (
            "$new-dependency/react@18.3.1",
            PathFound::Other,
            Some("package.json has ^18.2.0, but the claim may mean something else"),
        ),
        ("$new-dependency/time", PathFound::Nothing, None),
        ("$new-dependency/golang.org/x/sync", PathFound::Nothing, None),
        ("$new-dependency/cache", PathFound::Nothing, None),
        ("$dependency/serde", PathFound::File, Some("Cargo.toml has 1.0")),
        ("$dependency/axum@0.7", PathFound::File, Some("Cargo.toml has 0.7")),
        ("$dependency/axum@0.8", PathFound::Nothing, Some("Cargo.toml has 0.7")),
        ("$dependency/tracing", PathFound::File, Some("Cargo.toml")),
        ("$dependency/local", PathFound::File, Some("Cargo.toml")),
        ("$dependency/hyper@1", PathFound::File, Some("Cargo.toml has 1.4")),
        ("$dependency/nix", PathFound::File, Some("Cargo.toml has 0.29")),
        ("$dependency/tokio", PathFound::File, Some("Cargo.toml")),
        ("$dependency/gone", PathFound::Nothing, None),
        ("$dependency/http", PathFound::Nothing, None),
        ("$dependency/name", PathFound::Nothing, None),
        ("$dependency/itoa@1", PathFound::File, Some("Cargo.lock has 1.0.11")),
        ("$dependency/uvicorn", PathFound::File, Some("pyproject.toml has >=0.2")),
        ("$dependency/requests", PathFound::File, Some("pyproject.toml has >=2.31")),
        ("$dependency/rich", PathFound::File, Some("pyproject.toml")),
        ("$dependency/hatchling", PathFound::File, Some("pyproject.toml")),
        ("$dependency/flask_login", PathFound::File, Some("pyproject.toml has ^0.6")),
        ("$dependency/pytest@8", PathFound::File, Some("pyproject.toml has ==8.1")),
        ("$dependency/ruff", PathFound::File, Some("requirements-dev.txt has ==0.4.1")),
        ("$dependency/secret", PathFound::File, Some("requirements-dev.txt")),
        ("$dependency/celery", PathFound::File, Some("requirements/base.txt has ==5.4")),
        ("$dependency/github.com/gin-gonic/gin@1", PathFound::File, Some("go.mod has v1.9.1")),
        ("$dependency/rails", PathFound::File, Some("Gemfile")),
        ("$dependency/rails@99", PathFound::File, Some("Gemfile")),
        ("$dependency/rail", PathFound::Nothing, None),
    ] {
        let looked = declared(&[name.to_owned()], &manifests, false).remove(0);
        assert_eq!((looked.found, looked.place.as_deref()), (expected, place), "{name}");
    }
}

#[test]
fn a_new_dependency_exists_only_where_nothing_else_can_be_meant() {
    let one = [manifest("package.json", r#"{"dependencies": {"zod": "^3.0.0"}}"#)];
    let two = [&one[..], &[manifest("packages/web/package.json", "{}")]].concat();
    let gems = [manifest("Gemfile", "# we decided against redis\n")];
    for (name, manifests, expected) in [
        ("$new-dependency/zod", &one[..], PathFound::File),
        ("$new-dependency/zod@4", &one[..], PathFound::Nothing),
        ("$new-dependency/zod@3.9", &one[..], PathFound::Other),
        ("$new-dependency/zod", &two[..], PathFound::Other),
        ("$new-dependency/redis", &gems[..], PathFound::Other),
        ("$new-dependency/yup", &two[..], PathFound::Nothing),
    ] {
        assert_eq!(declared(&[name.to_owned()], manifests, false)[0].found, expected, "{name}");
    }
}

#[test]
fn what_was_not_read_refutes_nothing() {
    let readable = manifest("package.json", "\u{feff}{\"dependencies\": {\"react\": \"1\"}}");
    let broken = manifest("web/package.json", "{ // a comment");
    let found = |name: &str, manifests: &[Manifest], partial| {
        declared(&[name.to_owned()], manifests, partial)[0].found
    };
    assert_eq!(found("$dependency/react", std::slice::from_ref(&readable), true), PathFound::File);
    for (manifests, partial) in
        [(vec![], false), (vec![readable.clone()], true), (vec![readable.clone(), broken], false)]
    {
        assert_eq!(found("$dependency/vue", &manifests, partial), PathFound::Other);
        assert_eq!(found("$script/build", &manifests, partial), PathFound::Other);
    }
    assert_eq!(found("$dependency/vue", &[readable], false), PathFound::Nothing);
}

#[test]
fn commands_are_found_where_projects_declare_them() {
    let manifests = [
        manifest("package.json", r#"{"scripts": {"test:unit": "vitest"}}"#),
        manifest("Cargo.toml", CARGO),
        manifest(".cargo/config.toml", "[alias]\nxtask = \"run -p xtask --\"\n[build]\njobs = 2\n"),
        manifest("pyproject.toml", PYTHON),
        manifest("Makefile", "X := 1\nbuild test: deps\n\tgo build\n.PHONY: lint\n"),
        manifest("deno.json", r#"{"tasks": {"dev": "deno run a.ts"}}"#),
        manifest("justfile", "@fmt:\n  cargo fmt\nalias f := fmt\n"),
    ];
    for (name, place) in [
        ("$script/test:unit", Some("package.json")),
        ("$script/xtask", Some(".cargo/config.toml")),
        ("$script/jobs", None),
        ("$script/worker", Some("Cargo.toml")),
        ("$script/shop", Some("Cargo.toml")),
        ("$script/build", Some("Makefile")),
        ("$script/test", Some("Makefile")),
        ("$script/X", None),
        ("$script/lint", None),
        ("$script/fmt", Some("justfile")),
        ("$script/f", Some("justfile")),
        ("$script/dev", Some("deno.json")),
    ] {
        let looked = declared(&[name.to_owned()], &manifests, false).remove(0);
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
    assert_eq!(lookups.sources, ["src/a.js"]);
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
            prop_assert_eq!(declared(&names, &[manifest(path, &text)], false).len(), 2);
        }
    }

    #[test]
    fn no_name_breaks_a_claim(kind in 0usize..5, name in "\\PC{0,40}", new: bool) {
        let kind = [File, Symbol, Dependency, Script, Other][kind];
        let mut claims = [claim(kind, &name, if new { ToBeMade } else { Exists })];
        let names = wanted(&claims, &[]);
        let _ = lookups(&names, &project(&[("a.js", 1)], false), &[]);
        check(&mut claims, &declared(&names, &[manifest("package.json", "{}")], false));
        prop_assert!(claims[0].finding.is_some());
    }
}
