//! The isolation of lab sessions, tested with a table of attacks, and with the work that must remain possible.
//!
//! The tables are data: `isolation/world.json` is a small file system with a project in it, `attacks.json` and `legitimate.json` are
//! calls in that world. Here the world is simulated; it can also be created on a real disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use lab_core::design_lab::config::Isolation;
use lab_core::design_lab::isolation::{
    Facts, Inquiry, IsolationCode, PathFact, PathKind, Places, RealPlaces, Rule, Rules, UrlFact, Verdict,
    inquire, unchecked_tools, validate_tool, verdict, withhold,
};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct World {
    worktree: String,
    project: String,
    outputs: Vec<String>,
    former: Vec<String>,
    host: Vec<String>,
    patterns: Vec<String>,
    allowed_tools: Vec<String>,
    files: BTreeMap<String, String>,
    links: BTreeMap<String, String>,
    hard_links: BTreeMap<String, String>,
    hosts: BTreeMap<String, Vec<String>>,
    system: System,
}

/// The paths that exist on any Linux.
#[derive(Deserialize)]
struct System {
    links: BTreeMap<String, String>,
    files: Vec<String>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    tool: String,
    args: Value,
    /// The rule that refuses the call; `None` for allowed calls.
    denied: Option<String>,
    /// Whether the output directories have lost their `.ignore`.
    #[serde(default)]
    unguarded: bool,
}

impl World {
    fn load() -> &'static Self {
        static WORLD: LazyLock<World> = LazyLock::new(|| {
            serde_json::from_str(include_str!("isolation/world.json")).expect("the world is JSON")
        });
        &WORLD
    }

    fn rules(&self) -> Rules {
        let isolation = Isolation {
            enforce_design_isolation: true,
            blocked_patterns: self.patterns.clone(),
            allowed_tools: self.allowed_tools.clone(),
        };
        let places = Places {
            project: self.project.clone(),
            worktree: Some(self.worktree.clone()),
            outputs: self.outputs.clone(),
            former: self.former.clone(),
            host: self.host.clone(),
            ..Places::default()
        };
        Rules::new(&isolation, &places)
    }

    /// Returns the shell's answer to an inquiry.
    fn facts(&self, paths: &[String], urls: &[String], unguarded: bool) -> Facts {
        Facts {
            paths: paths.iter().map(|path| self.path(path)).collect(),
            urls: urls.iter().map(|url| self.url(url)).collect(),
            guarded: if unguarded { Vec::new() } else { self.outputs.clone() },
            runs: self.outputs.iter().flat_map(|output| self.directories(output)).collect(),
            linked: Vec::new(),
        }
    }

    /// Returns the directories in a directory.
    fn directories(&self, path: &str) -> BTreeSet<String> {
        let inside = |file: &String| {
            let (name, _) = file.strip_prefix(path)?.strip_prefix('/')?.split_once('/')?;
            Some(format!("{path}/{name}"))
        };
        self.files.keys().filter_map(inside).collect()
    }

    fn path(&self, given: &str) -> PathFact {
        let absolute =
            if given.starts_with('/') { given.to_owned() } else { format!("{}/{given}", self.project) };
        let real = self.real(&absolute, 0);
        let linked = self.hard_links.get(&real).unwrap_or(&real);
        let is_parent = |at: usize| matches!(absolute.as_bytes().get(at + 3), None | Some(b'/'));
        let mut parents = absolute.match_indices("/..").filter(|(at, _)| is_parent(*at));
        let kind = if !parents.all(|(at, _)| self.is_directory(&self.real(&absolute[..at], 0))) {
            PathKind::Missing
        } else if self.files.contains_key(linked) || self.system.files.contains(linked) {
            PathKind::File
        } else if self.is_directory(&real) {
            PathKind::Directory
        } else {
            PathKind::Missing
        };
        let same_file_as_blocked = linked != &real
            && (self.host.contains(linked) || self.outputs.iter().any(|output| linked.starts_with(output)));
        PathFact { given: given.to_owned(), absolute, real, kind, same_file_as_blocked }
    }

    fn is_directory(&self, path: &str) -> bool {
        let prefix = format!("{}/", path.trim_end_matches('/'));
        self.files.keys().any(|file| file.starts_with(&prefix))
    }

    /// Follows links component by component, as the system does; missing components are appended unchanged.
    fn real(&self, path: &str, depth: u32) -> String {
        let mut real = String::new();
        for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
            if name == ".." {
                real.truncate(real.rfind('/').unwrap_or(0));
                continue;
            }
            let next = format!("{}/{name}", real.trim_end_matches('/'));
            real = match self.links.get(&next).or_else(|| self.system.links.get(&next)) {
                Some(target) if depth < 8 && target.starts_with('/') => self.real(target, depth + 1),
                Some(target) if depth < 8 => self.real(&format!("{real}/{target}"), depth + 1),
                _ => next,
            };
        }
        if real.is_empty() { "/".to_owned() } else { real }
    }

    /// A stand-in for the platform's URL parser, limited to what the tables need.
    fn url(&self, given: &str) -> UrlFact {
        let (protocol, rest) = given.trim().split_once(':').unwrap_or(("", given));
        let authority = rest.trim_start_matches('/').split('/').next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        let host = if host.starts_with('[') {
            host.split_inclusive(']').next().unwrap_or_default()
        } else {
            host.split(':').next().unwrap_or_default()
        };
        let host = match host {
            "2130706433" | "0x7f.1" => "127.0.0.1",
            host => host,
        };
        let literal = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().ok();
        let addresses = literal
            .map(|address| vec![address.to_string()])
            .or_else(|| self.hosts.get(host).cloned())
            .unwrap_or_default();
        UrlFact {
            given: given.to_owned(),
            protocol: format!("{}:", protocol.to_lowercase()),
            host: host.to_owned(),
            addresses,
        }
    }

    /// Takes both steps as the shell does: returns the rule that refuses the call, and what the model reads.
    fn judge(&self, case: &Case) -> Option<(Rule, &'static str)> {
        let rules = self.rules();
        let args = case.args.to_string();
        let inquiry = inquire(&rules, &case.tool, &args);
        let (facts, at_once) = match &inquiry {
            Inquiry::Ask { paths, urls, .. } => (self.facts(paths, urls, case.unguarded), None),
            Inquiry::Allow => (Facts::default(), None),
            Inquiry::Deny(denial) => (Facts::default(), Some((denial.rule, denial.message))),
        };
        let judged = match verdict(&rules, &case.tool, &args, &facts) {
            Verdict::Allow => None,
            Verdict::Deny(denial) => Some((denial.rule, denial.message)),
        };
        // If the inquiry decides, the verdict must be the same.
        if let Some(at_once) = at_once {
            assert_eq!(judged, Some(at_once), "{}", case.name);
        }
        judged
    }
}

fn rule_name(rule: Rule) -> String {
    serde_json::to_value(rule).expect("a rule is JSON").as_str().expect("a rule is a string").to_owned()
}

#[test]
fn every_attack_is_refused_by_the_rule_that_it_is_aimed_at() {
    let world = World::load();
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("isolation/attacks.json")).expect("cases are JSON");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let got = world.judge(case).map(|(rule, _)| rule_name(rule));
            (got != case.denied).then(|| format!("{}: {got:?}, not {:?}", case.name, case.denied))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(cases.iter().all(|case| case.denied.is_some()));
}

#[test]
fn an_include_that_stands_for_all_files_is_left_out_of_the_call() {
    let rules = World::load().rules();
    let dropped = |tool: &str, args: Value| match inquire(&rules, tool, &args.to_string()) {
        Inquiry::Ask { drop, .. } => drop,
        other => panic!("{other:?}"),
    };
    for glob in ["*", "**", "**/*", "/**", "./**/*"] {
        assert_eq!(dropped("grep", json!({"pattern": "x", "include": glob})), ["include"], "{glob}");
    }
    for glob in ["*.ts", "src/**", "!src/**", ""] {
        assert!(dropped("grep", json!({"pattern": "x", "include": glob})).is_empty(), "{glob}");
    }
    assert!(dropped("glob", json!({"pattern": "**/*"})).is_empty());
}

#[test]
fn the_work_of_a_designer_stays_possible() {
    let world = World::load();
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("isolation/legitimate.json")).expect("cases are JSON");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| world.judge(case).map(|(rule, _)| format!("{}: {}", case.name, rule_name(rule))))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[derive(Deserialize)]
struct Outcome {
    name: String,
    tool: String,
    args: Value,
    output: String,
    #[serde(default)]
    metadata: Value,
    /// Files that the result names and that have other names.
    #[serde(default)]
    linked: Vec<String>,
    /// What the model reads instead; `None` if it reads the output.
    shown: Option<String>,
}

#[test]
fn results_lose_what_is_blocked_and_nothing_else() {
    let world = World::load();
    let rules = world.rules();
    let cases: Vec<Outcome> =
        serde_json::from_str(include_str!("isolation/results.json")).expect("cases are JSON");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let mut facts = match inquire(&rules, &case.tool, &case.args.to_string()) {
                Inquiry::Ask { paths, urls, .. } => world.facts(&paths, &urls, false),
                Inquiry::Allow | Inquiry::Deny(_) => Facts::default(),
            };
            facts.linked = case.linked.iter().map(|path| world.path(path)).collect();
            let shown = withhold(&rules, &case.tool, &facts, &case.output, &case.metadata.to_string());
            (shown != case.shown).then(|| format!("{}:\n{shown:#?}\nnot\n{:#?}", case.name, case.shown))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Ways to write one path, as a list of names below the project.
fn spelling(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let part = |name: &'static str| {
        let cases = prop_oneof![
            Just(name.to_owned()),
            Just(name.to_uppercase()),
            Just(format!("./{name}")),
            Just(format!("x/../{name}")),
            Just(format!("no/such/../../{name}")),
            Just(format!("{name}/.")),
            Just(format!("{name}//")),
            Just(format!("link-to-src/../{name}")),
        ];
        prop_oneof![3 => Just(name.to_owned()), 1 => cases]
    };
    let parts: Vec<_> = names.iter().map(|name| part(name)).collect();
    let starts = prop_oneof![
        Just(String::new()),
        Just("./".to_owned()),
        Just("../shop/".to_owned()),
        Just("/home/ada/mono/shop/".to_owned()),
        Just("//home/./ada//mono/x/../shop/".to_owned()),
        Just("link-to-home/mono/shop/".to_owned()),
    ];
    (starts, parts, any::<bool>()).prop_map(|(start, parts, back)| {
        let path = format!("{start}{}", parts.join("/"));
        if back && !path.contains("link") { path.replace('/', "\\") } else { path }
    })
}

fn blocked_path() -> impl Strategy<Value = String> {
    prop_oneof![
        spelling(&[".design-lab", "2026-11-20-user-auth", "designs", "claude-opus.json"]),
        spelling(&[".design-lab", "2026-11-20-user-auth", "designs", "not-yet.json"]),
        spelling(&[".design-lab", "nowhere"]),
        spelling(&[".design-lab"]),
        spelling(&["entwürfe", "x"]),
        spelling(&["notes", "private", "plan.md"]),
    ]
}

/// A path of ordinary names, none of which is blocked, guarded or a link.
fn free_path() -> impl Strategy<Value = String> {
    ("(/home/ada/mono/shop/|/home/ada/mono/|)", proptest::collection::vec("[a-z0-9._ -]{0,8}[a-z]", 1..5))
        .prop_map(|(start, names)| format!("{start}{}", names.join("/")))
        .prop_filter("not an environment file, not a pattern's", |path| {
            !path.contains(".env") && !path.contains(".secret") && !path.contains("design")
        })
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        blocked_path().prop_map(Value::from),
        Just(Value::from("http://localhost:1/")),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = prop_oneof!["filePath|path|pattern|include|url|offset|limit", any::<String>()];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn tool() -> impl Strategy<Value = String> {
    "read|grep|glob|webfetch|docs_search|bash|invalid|[a-z_]{0,8}"
}

fn case(tool: &str, args: Value) -> Case {
    Case { name: args.to_string(), tool: tool.to_owned(), args, denied: None, unguarded: false }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_blocked_path_is_refused_however_it_is_spelled(path in blocked_path()) {
        let world = World::load();
        for args in [json!({"filePath": path}), json!({"path": path})] {
            prop_assert!(world.judge(&case("read", args)).is_some(), "{}", path);
        }
        for tool in ["grep", "glob"] {
            let args = json!({"pattern": "x", "path": path});
            prop_assert!(world.judge(&case(tool, args)).is_some(), "{} {}", tool, path);
        }
        prop_assert!(world.judge(&case("docs_search", json!({"x": [path]}))).is_some(), "{}", path);
    }

    #[test]
    fn any_other_path_of_the_project_passes(path in free_path()) {
        let world = World::load();
        prop_assert_eq!(world.judge(&case("read", json!({"filePath": path}))), None);
        prop_assert_eq!(world.judge(&case("grep", json!({"pattern": "x", "path": path}))), None);
    }

    #[test]
    fn any_call_gets_a_verdict_that_tells_nothing_of_it(tool in tool(), args in json_value()) {
        let world = World::load();
        let refusals = [
            "The arguments of this call are not valid; use only documented ones.",
            "This address is not available in this session.",
            "This path is not available in this session; the rest of the project is.",
            "This tool is not available in this session.",
        ];
        if let Some((_, message)) = world.judge(&case(&tool, args)) {
            prop_assert!(refusals.contains(&message));
        }
    }

    #[test]
    fn text_that_is_no_json_is_refused(tool in "read|grep|glob|docs_search", args in any::<String>()) {
        prop_assume!(serde_json::from_str::<Value>(&args).is_err());
        let denied = matches!(inquire(&World::load().rules(), &tool, &args), Inquiry::Deny(_));
        prop_assert!(denied);
    }

    #[test]
    fn a_call_is_refused_for_want_of_any_fact(path in free_path()) {
        let world = World::load();
        let args = json!({"filePath": path}).to_string();
        prop_assert_ne!(verdict(&world.rules(), "read", &args, &Facts::default()), Verdict::Allow);
        let args = json!({"url": "https://docs.rs/"}).to_string();
        prop_assert_ne!(verdict(&world.rules(), "webfetch", &args, &Facts::default()), Verdict::Allow);
    }

    #[test]
    fn no_result_names_a_design(
        tool in tool(),
        lines in proptest::collection::vec(prop_oneof![
            Just("Found 3 matches".to_owned()),
            Just("/home/ada/mono/shop/src/auth.ts:".to_owned()),
            Just("/home/ada/mono/shop/.design-lab/2026-11-20-user-auth/designs/claude-opus.json:".to_owned()),
            Just("/home/ada/mono/shop/.design-lab/2026-11-20-user-auth/designs/claude-opus.json".to_owned()),
            Just("  Line 3: see ../.design-lab/2026-11-20-user-auth/designs/claude-opus.json!".to_owned()),
            Just("4: `.DESIGN-LAB//2026-11-20-user-auth\\designs\\claude-opus.md`".to_owned()),
            Just("(Results truncated. Consider using a more specific path or pattern.)".to_owned()),
            Just(String::new()),
            any::<String>(),
        ], 0..12),
    ) {
        prop_assume!(tool != "invalid");
        let world = World::load();
        let facts = world.facts(&[".".to_owned()], &[], false);
        let output = lines.join("\n");
        let shown = withhold(&world.rules(), &tool, &facts, &output, "{}").unwrap_or(output);
        prop_assert!(!shown.contains("claude-opus"), "{}", shown);
    }
}

#[test]
fn without_enforcement_nothing_is_hidden_but_tools_and_environment_files_are_still_refused() {
    let world = World::load();
    let rules = Rules { enforce: false, ..world.rules() };
    let judge = |tool: &str, args: Value| {
        let args = args.to_string();
        let facts = match inquire(&rules, tool, &args) {
            Inquiry::Ask { paths, urls, .. } => world.facts(&paths, &urls, true),
            Inquiry::Allow | Inquiry::Deny(_) => Facts::default(),
        };
        match verdict(&rules, tool, &args, &facts) {
            Verdict::Allow => None,
            Verdict::Deny(denial) => Some(denial.rule),
        }
    };
    assert_eq!(judge("read", json!({"filePath": ".design-lab/2026-11-20-user-auth/task.json"})), None);
    assert_eq!(judge("read", json!({"filePath": "src/copy.json"})), None);
    assert_eq!(judge("read", json!({"filePath": "notes/private/plan.md"})), None);
    assert_eq!(judge("grep", json!({"pattern": "x", "include": ".design-lab/**"})), None);
    assert_eq!(judge("read", json!({"filePath": ".env"})), Some(Rule::EnvironmentFile));
    assert_eq!(judge("read", json!({"filePath": "/etc/passwd"})), Some(Rule::Outside));
    assert_eq!(judge("bash", json!({"command": "ls"})), Some(Rule::Tool));
    let design = "/home/ada/mono/shop/.design-lab/2026-11-20-user-auth/task.json";
    assert_eq!(withhold(&rules, "glob", &Facts::default(), design, "{}"), None);
    let found = format!("Found 2 matches\n{design}:\n  Line 1: x\n\n/home/ada/mono/shop/.env:\n  Line 1: x");
    let shown = format!("Found 1 matches\n{design}:\n  Line 1: x");
    assert_eq!(withhold(&rules, "grep", &Facts::default(), &found, "{}"), Some(shown));
}

#[test]
fn a_list_of_tools_that_holds_dangerous_ones_allows_none_of_them() {
    let world = World::load();
    let refused = [
        "bash",
        "edit",
        "write",
        "task",
        "question",
        "execute",
        "lsp",
        "Bash",
        "design_lab_run",
        "*",
        "docs_*",
        "",
    ];
    for tool in refused {
        let problem = validate_tool(tool).expect_err(tool);
        assert_eq!(problem.code, "isolation.unsafe-tool");
        let rules = Rules { allowed_tools: vec![tool.to_owned()], ..world.rules() };
        assert!(matches!(inquire(&rules, tool, "{}"), Inquiry::Deny(_)), "{tool}");
    }
    for tool in ["read", "webfetch", "skill", "context7_query-docs", "websearch"] {
        assert!(validate_tool(tool).is_ok(), "{tool}");
    }
}

#[test]
fn tools_whose_inside_cant_be_checked_are_named_where_isolation_is_claimed() {
    let isolation = |enforce_design_isolation| Isolation {
        enforce_design_isolation,
        blocked_patterns: Vec::new(),
        allowed_tools: ["read", "glob", "grep", "webfetch", "docs_search"].map(str::to_owned).to_vec(),
    };
    assert_eq!(unchecked_tools(&isolation(true)), ["webfetch", "docs_search"]);
    assert!(unchecked_tools(&isolation(false)).is_empty());
}

#[test]
fn every_string_of_an_unknown_tool_that_may_be_a_path_or_an_address_is_asked_for() {
    let rules = World::load().rules();
    let long = "x".repeat(4097);
    let args = json!({"q": ["src", "C:/x", "https://docs.rs/", "two\nlines", "x".repeat(4096), long]});
    let Inquiry::Ask { paths, urls, guards, drop } = inquire(&rules, "docs_search", &args.to_string()) else {
        panic!("it depends on where they lead")
    };
    assert_eq!(paths, ["q", "src", "C:/x", &"x".repeat(4096)]);
    assert_eq!(urls, ["https://docs.rs/"]);
    assert!(!guards && drop.is_empty());
    let many = |count| inquire(&rules, "docs_search", &json!(vec!["a"; count]).to_string());
    assert!(matches!(many(64), Inquiry::Ask { .. }));
    assert!(matches!(many(65), Inquiry::Deny(_)));
}

#[test]
fn facts_that_are_no_facts_speak_for_nothing() {
    let rules = World::load().rules();
    let args = json!({"filePath": "src/auth.ts"}).to_string();
    let judge = |absolute: &str, real: &str, kind| {
        let fact = PathFact {
            given: "src/auth.ts".to_owned(),
            absolute: absolute.to_owned(),
            real: real.to_owned(),
            kind,
            same_file_as_blocked: false,
        };
        verdict(&rules, "read", &args, &Facts { paths: vec![fact], ..Facts::default() })
    };
    let path = "/home/ada/mono/shop/src/auth.ts";
    assert_eq!(judge(path, path, PathKind::File), Verdict::Allow);
    for (absolute, real, kind) in [
        ("src/auth.ts", path, PathKind::File),
        (path, "src/auth.ts", PathKind::File),
        ("", "", PathKind::Missing),
        (path, path, PathKind::Other),
    ] {
        let Verdict::Deny(denial) = judge(absolute, real, kind) else { panic!("{absolute} {real} {kind:?}") };
        assert_eq!(denial.rule, Rule::Arguments);
    }
}

#[test]
fn an_output_directory_that_holds_the_project_is_refused() {
    let check = |output: &str| {
        let places = Places {
            project: "/home/ada/mono/shop".to_owned(),
            outputs: vec![output.to_owned()],
            ..Places::default()
        };
        places.check(&Isolation::default()).map_err(|problem| problem.code)
    };
    for output in ["/home/ada/mono/shop", "/home/ada/mono/", "/home/ada/mono/shop/src/..", "/"] {
        assert_eq!(check(output), Err(IsolationCode::OutputDirectory.into()), "{output}");
    }
    for output in ["/home/ada/mono/shop/.design-lab", "/home/ada/labs", "/home/ada/mono/shop-designs"] {
        assert_eq!(check(output), Ok(()), "{output}");
    }
}

#[test]
fn an_output_directory_that_searches_cant_be_kept_out_of_is_told_before_anything_is_asked() {
    let places = Places {
        project: "/home/ada/mono/shop".to_owned(),
        outputs: vec!["/home/ada/mono/shop/.design-lab".to_owned()],
        unguarded: vec!["/home/ada/mono/shop/.design-lab".to_owned()],
        ..Places::default()
    };
    let check = |enforce_design_isolation| {
        let isolation = Isolation { enforce_design_isolation, ..Isolation::default() };
        places.check(&isolation).map_err(|problem| problem.code)
    };
    assert_eq!(check(true), Err(IsolationCode::IgnoreFile.into()));
    assert_eq!(check(false), Ok(()), "nothing is hidden then");
}

#[test]
fn a_project_within_a_former_output_directory_is_worked_on_all_the_same() {
    let world = World::load();
    let places = Places {
        project: "/home/ada/mono/shop".to_owned(),
        former: vec!["/home/ada/mono".to_owned(), "/home/ada/mono/shop/labs".to_owned()],
        ..Places::default()
    };
    let rules = Rules::new(
        &Isolation {
            enforce_design_isolation: true,
            blocked_patterns: Vec::new(),
            allowed_tools: vec!["read".to_owned()],
        },
        &places,
    );
    let judge = |path: &str| {
        let facts = world.facts(&[path.to_owned()], &[], false);
        verdict(&rules, "read", &json!({ "filePath": path }).to_string(), &facts)
    };
    assert_eq!(judge("src/auth.ts"), Verdict::Allow);
    assert!(matches!(judge("labs/index.html"), Verdict::Deny(_)));
}

#[test]
fn a_project_that_is_spelled_by_way_of_a_link_is_one_under_both_names() {
    let world = World::load();
    let (link, real) = ("/home/ada/shop-again", "/home/ada/mono/shop");
    let places = Places {
        project: link.to_owned(),
        real: RealPlaces { project: Some(real.to_owned()), worktree: None },
        ..Places::default()
    };
    let isolation = Isolation {
        enforce_design_isolation: true,
        blocked_patterns: vec!["notes/private/**".to_owned()],
        allowed_tools: vec!["read".to_owned()],
    };
    let rules = Rules::new(&isolation, &places);
    let judge = |path: &str| {
        let facts = world.facts(&[path.to_owned()], &[], false);
        match verdict(&rules, "read", &json!({ "filePath": path }).to_string(), &facts) {
            Verdict::Allow => None,
            Verdict::Deny(denial) => Some(denial.rule),
        }
    };
    for root in [link, real] {
        assert_eq!(judge(&format!("{root}/src/auth.ts")), None);
        assert_eq!(judge(&format!("{root}/link-to-src/auth.ts")), None);
        assert_eq!(judge(&format!("{root}/out.txt")), Some(Rule::Outside));
        assert_eq!(judge(&format!("{root}/notes/private/plan.md")), Some(Rule::BlockedPattern));
    }
    assert_eq!(judge("/home/ada/mono/README.md"), Some(Rule::Outside));
}

#[test]
fn a_worktree_that_is_the_whole_file_system_counts_as_none() {
    let isolation = Isolation {
        enforce_design_isolation: true,
        blocked_patterns: Vec::new(),
        allowed_tools: vec!["read".to_owned()],
    };
    for worktree in ["/", "C:\\", ""] {
        let places = Places {
            project: "/home/ada/mono/shop".to_owned(),
            worktree: Some(worktree.to_owned()),
            ..Places::default()
        };
        assert_eq!(Rules::new(&isolation, &places).worktree, None, "{worktree}");
    }
}
