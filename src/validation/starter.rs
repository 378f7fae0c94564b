//! `/validate-init`: a first `.opencode/validation.jsonc`, with the servers that the project seems to have.
//!
//! It allows nothing to run: only the user sets `allow`. Everything but the servers is commented out and shows the value in force.

use super::code::ValidationCode;
use super::install::InstallInput;
use super::protocol::Obstacle;
use super::servers::{self, Project, Proposal};
use super::settings::{self, SETTINGS_FILE, ValidationSettings};
use crate::shared::commented::{explain, explain_further, layout, put};
use crate::shared::spelled::spelled;
use crate::shared::wrapped::{fitted, unbroken};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The basis of a first file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationStarterInput"))]
pub struct StarterInput {
    /// Whether the file already exists.
    pub is_there: bool,
    /// The contents of the project.
    pub project: Project,
    /// What this machine lacks.
    pub obstacle: Option<Obstacle>,
    /// Where Playwright Test was before it was installed; `None` when the user didn't allow the installation.
    pub install: Option<InstallInput>,
}

/// A first file, ready to be written, or only a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationStarter"))]
pub struct Starter {
    /// Its path, relative to the project's root.
    pub file: &'static str,
    /// Its text; `None` when the file already exists and stays as it is.
    pub text: Option<String>,
    /// The message for the user.
    pub wording: String,
}

/// Returns the file to write, unless the project has one: that is refused if nothing else was requested.
pub fn starter(given: &StarterInput) -> Result<Starter, Problem> {
    match (&given.install, given.is_there) {
        (None, true) => Err(exists()),
        (Some(install), true) => {
            Ok(Starter { file: SETTINGS_FILE, text: None, wording: kept(install, given.obstacle.as_ref()) })
        }
        _ => {
            let proposals = servers::propose(&given.project);
            Ok(Starter {
                file: SETTINGS_FILE,
                text: Some(text(&proposals)),
                wording: wording(&proposals, given),
            })
        }
    }
}

fn exists() -> Problem {
    let mut problem = Problem::new(
        ValidationCode::SettingsExist,
        "This project already has settings for Validation. They were not changed.",
    )
    .next(
        "Edit this file and check it with /design-lab-doctor. To start over, move it away and repeat the \
         command. /validate-init --install doesn't change this file.",
    );
    problem.file = Some(SETTINGS_FILE.to_owned());
    problem
}

/// The text of the file.
fn text(proposals: &[Proposal]) -> String {
    let mut out = "// How /validate starts and tests this project. Lines that are commented out show the \
                   values in use: remove the slashes to\n// change one. To check this file: \
                   /design-lab-doctor, or npx opencode-design-lab validation check\n{\n"
        .to_owned();
    explain_further(
        &mut out,
        "The servers, started in this order; the first one is tested. ${port} in a command becomes the port, \
         which is also in the environment variable PORT. `port` is a number, or \"auto\" for a free port. \
         `ready` is { \"url\": \"/\", \"status\": 200 }, { \"port\": true } or { \"log\": \"listening\" }. \
         Set `allow` to true to let the command run without asking you.",
    );
    out.push_str("  \"servers\": [\n");
    if proposals.is_empty() {
        out.push_str("    // No server was recognised here. Add the command that starts it, for example:\n");
        let example =
            json!({ "name": "web", "command": ["node", "server.js"], "port": "auto", "allow": false });
        let _ = writeln!(out, "    // {},", layout(&example, 0));
    }
    for proposal in proposals {
        server(&mut out, proposal);
    }
    out.push_str("  ],\n");
    further(&mut out);
    out.push_str("}\n");
    out
}

fn server(out: &mut String, Proposal { name, kind, by, cwd, server }: &Proposal) {
    let _ = writeln!(out, "    {{\n      // {kind}, found in {}.", visible::line(by));
    if let Some(look) = &server.look {
        let _ = writeln!(out, "      // {}", visible::line(look));
    }
    let mut say = |key: &str, value: &Value| {
        let _ = writeln!(out, "      {}: {},", json!(key), layout(value, 6));
    };
    say("name", &json!(name));
    say("command", &json!(server.command));
    say("cwd", &json!(cwd));
    say("port", &json!(server.port));
    if !server.env.is_empty() {
        say("env", &server.env.iter().map(|(name, value)| (*name, json!(value))).collect());
    }
    let ready = server.ready.url.as_ref().map_or(json!({ "port": true }), |url| json!({ "url": url }));
    say("ready", &ready);
    say("ready_ms", &json!(server.ready_ms));
    say("allow", &json!(false));
    out.push_str("    },\n");
}

/// The settings other than servers, with the values in force.
fn further(out: &mut String) {
    let ValidationSettings {
        repeat,
        control,
        tests,
        checks,
        video,
        a11y,
        metadata,
        test_ms,
        playwright,
        models,
        secrets,
        budget,
        ..
    } = settings::usual();
    for (key, text, value) in [
        (
            "repeat",
            "How often each test runs: a test that sometimes passes and sometimes fails is flaky.",
            json!(repeat),
        ),
        (
            "control",
            "The counterfeits that replace the application: no server, an empty page, a copy of the start page, \
             and your running application with its words replaced. A test that passes against any of them \
             proves nothing.",
            json!(control),
        ),
        (
            "tests",
            "The project's own Playwright tests, such as { \"directory\": \"e2e\" }. Tests with a \
             criterion's tag, such as \"@C1\", count as well. `map` assigns other tests, as in [{ \"file\": \
             \"sign-in.spec.ts\", \"criteria\": [\"C1\"] }]. null means none.",
            json!(tests),
        ),
        (
            "checks",
            "Commands that must also pass, such as { \"id\": \"build\", \"command\": [\"npm\", \"run\", \
             \"build\"] }; \
             `criteria` names the criteria that it decides, as in [\"C2\"].",
            json!(checks),
        ),
        (
            "video",
            "Whether to record a video of each test, to compare runs. Videos need Playwright's own FFmpeg.",
            json!(video),
        ),
        (
            "a11y",
            "Whether axe-core, if the project has it, checks the accessibility of the pages that tests \
             visited.",
            json!(a11y),
        ),
        (
            "metadata",
            "Whether these pages must have a title, a language, a description and a canonical address.",
            json!(metadata),
        ),
        ("test_ms", "Milliseconds that each test may take.", json!(test_ms)),
        (
            "playwright",
            "The browser's program, and the directory in which @playwright/test is installed. null finds them \
             automatically.",
            json!(playwright),
        ),
        ("models", "The models to ask; null means the model of the session.", json!(models)),
        (
            "secrets",
            "Environment variables whose values are removed from all evidence, such as \"API_KEY\".",
            json!(secrets),
        ),
        ("budget", "What a run may cost, checked before every call; null means no limit.", json!(budget)),
    ] {
        explain(out, text);
        put(out, &format!("{}: {},", json!(key), layout(&value, 2)), false);
    }
}

/// The message for the user once the file is written.
fn wording(proposals: &[Proposal], given: &StarterInput) -> String {
    let mut out = format!("Validation · wrote {SETTINGS_FILE}\n\n");
    installed(given.install.as_ref(), &mut out);
    if proposals.is_empty() {
        out.push_str("No server was recognised here: the file has an example to fill in.\n");
    }
    for Proposal { name, kind, by, server, .. } in proposals {
        let command = unbroken(&visible::line(&spelled(&server.command)));
        let _ = writeln!(out, "Found    {name}: {kind}, in {}\n         {command}", visible::line(by));
    }
    for Proposal { name, server, .. } in proposals {
        if let Some(look) = &server.look {
            let _ = writeln!(out, "Check    {name}: {}", visible::line(look));
        }
    }
    missing(given.obstacle.as_ref(), &mut out);
    let next = if proposals.is_empty() {
        "Fill in the command of your server; /design-lab-doctor checks the file."
    } else {
        "Check the commands in this file. Nothing has run yet: /validate <what> shows them, and asks you before it runs any."
    };
    let _ = write!(out, "Next     {next}");
    fitted(&out)
}

/// The message for the user when the existing file stays.
fn kept(install: &InstallInput, obstacle: Option<&Obstacle>) -> String {
    let mut out = format!("Validation · {SETTINGS_FILE} was not changed\n\n");
    installed(Some(install), &mut out);
    missing(obstacle, &mut out);
    out.push_str("Next     /design-lab-doctor checks that file; /validate <what> starts a validation.");
    fitted(&out)
}

fn installed(install: Option<&InstallInput>, out: &mut String) {
    if let Some(install) = install {
        let _ = writeln!(out, "Install  {}", install.wording());
    }
}

fn missing(obstacle: Option<&Obstacle>, out: &mut String) {
    if let Some(obstacle) = obstacle {
        let _ = writeln!(out, "Problem  {} {}.", obstacle.words(), obstacle.remedy());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::config::{Layer, Source};
    use crate::validation::settings::{Port, ServerSettings, settings};
    use std::collections::BTreeSet;

    /// Files with their texts.
    type Files<'a> = &'a [(&'a str, &'a str)];

    fn given(files: Files<'_>, obstacle: Option<Obstacle>) -> StarterInput {
        let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let names: BTreeSet<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
        let read = servers::to_read(names.clone());
        let texts = files.iter().map(own).filter(|(name, _)| read.contains(name)).collect();
        StarterInput { is_there: false, project: Project { files: names, texts }, obstacle, install: None }
    }

    fn read(text: &str) -> Result<ValidationSettings, Vec<Problem>> {
        let source = Source { origin: Layer::Project, file: SETTINGS_FILE.to_owned(), text: text.to_owned() };
        settings(Some(&source))
    }

    /// The servers in the written file.
    fn written(files: Files<'_>) -> Vec<ServerSettings> {
        let text = starter(&given(files, None)).unwrap().text.unwrap();
        let settings = read(&text).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"));
        let ValidationSettings { servers, .. } = settings.clone();
        assert_eq!(ValidationSettings { servers: Vec::new(), ..settings }, settings::usual());
        assert!(servers.iter().all(|server| !server.allow), "nothing is let run");
        servers
    }

    /// A server in a line: name, directory, port, sign of readiness, command.
    fn line(server: &ServerSettings) -> String {
        let port = match server.port {
            Port::Free(_) => "auto".to_owned(),
            Port::Number(port) => port.to_string(),
        };
        let ready = server.ready.url.as_deref().unwrap_or("port");
        format!("{} {} {port} {ready} {}", server.name, server.cwd, server.command.join(" "))
    }

    #[test]
    fn each_adapter_recognises_its_own_and_what_is_written_gives_that_server() {
        let package = |needs: &str| format!(r#"{{ "dependencies": {{ "{needs}": "1" }} }}"#);
        let (vite, next, express, fastify) =
            (package("vite"), package("next"), package("express"), package("fastify"));
        let start = |script: &str| {
            format!(r#"{{ "scripts": {{ "start": "{script}" }}, "dependencies": {{ "express": "5" }} }}"#)
        };
        let (plain, other) = (start("node ./bin/www.js"), start("PORT=4100 tsx src/app.ts"));
        let bare = r#"{ "scripts": { "test": "x", "dev": "serve . -p 5000" } }"#;
        let django = "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')";
        let table: &[(Files<'_>, &str)] = &[
            (
                &[("package.json", &vite), ("index.html", "")],
                "vite . auto / npx --no-install vite --host 127.0.0.1 --port ${port} --strictPort",
            ),
            (
                &[("apps/web/package.json", &vite), ("apps/web/vite.config.ts", ""), ("pnpm-lock.yaml", "")],
                "apps-web apps/web auto / pnpm exec vite --host 127.0.0.1 --port ${port} --strictPort",
            ),
            (
                &[("package.json", &next), ("yarn.lock", "")],
                "next . auto / yarn run next dev --hostname 127.0.0.1 --port ${port}",
            ),
            (
                &[("package.json", &express), ("app.js", "app.listen(process.env.PORT || 3000)")],
                "express . auto port node app.js",
            ),
            (
                &[("package.json", &plain), ("bin/www.js", ""), ("app.js", "app.listen(3000)")],
                "express . auto port node bin/www.js",
            ),
            (&[("package.json", &other)], "express . 4100 port npm run start"),
            (
                &[("package.json", &fastify), ("src/server.js", "await app.listen({ port: 8080 })")],
                "fastify . 8080 port node src/server.js",
            ),
            (
                &[("manage.py", django), (".venv/pyvenv.cfg", "")],
                "django . auto port .venv/bin/python manage.py runserver 127.0.0.1:${port} --noreload",
            ),
            (
                &[("api/app.py", "app = Flask(__name__)"), ("api/uv.lock", "")],
                "api api auto port uv run python -m flask --app app run --host 127.0.0.1 --port ${port}",
            ),
            (
                &[
                    ("Gemfile", "gem 'rails'"),
                    ("bin/rails", ""),
                    ("config/routes.rb", "get \"up\" => \"rails/health#show\""),
                ],
                "rails . auto /up bin/rails server --binding 127.0.0.1 --port ${port} --pid tmp/pids/validation.pid",
            ),
            (
                &[
                    ("Cargo.toml", "[dependencies]\naxum = \"0.8\""),
                    ("src/main.rs", "TcpListener::bind(\"127.0.0.1:3000\")"),
                ],
                "cargo . 3000 port cargo run --quiet",
            ),
            (
                &[
                    ("Cargo.toml", "[dependencies.actix-web]"),
                    ("src/main.rs", "env::var(\"PORT\"); \"127.0.0.1:80\""),
                ],
                "cargo . auto port cargo run --quiet",
            ),
            (&[("package.json", bare), ("index.html", "")], "web . 5000 port npm run dev"),
            (
                &[("public/index.html", ""), ("readme.md", "")],
                "static . auto / python3 -m http.server ${port} --bind 127.0.0.1 --directory public",
            ),
        ];
        for (files, expected) in table {
            let servers: Vec<String> = written(files).iter().map(line).collect();
            assert_eq!(servers, [*expected], "{files:?}");
        }
    }

    #[test]
    fn compose_is_reached_at_the_first_port_that_it_publishes() {
        for (ports, port) in [
            ("- \"3000:80\"", "3000"),
            ("- 127.0.0.1:8081:80/tcp # the page", "8081"),
            ("- '${WEB_PORT:-8080}:80'", "8080"),
            ("- target: 80\n        published: \"9000\"", "9000"),
        ] {
            let text = format!("services:\n  web:\n    image: nginx:1\n    ports:\n      {ports}\n");
            let [server] = &written(&[("compose.yaml", &text)])[..] else { panic!("{ports}") };
            assert_eq!((server.name.as_str(), server.ready_ms), ("compose", 300_000));
            assert!(server.command[2].contains(&format!("net.connect({port},")), "{ports}: {server:?}");
        }
        assert_eq!(written_nothing(&[("compose.yaml", "services:\n  db:\n    image: postgres:17\n")]), "few");
    }

    /// The problem with the file that is written when no server was recognised.
    fn written_nothing(files: Files<'_>) -> &'static str {
        let Starter { text, wording, .. } = starter(&given(files, None)).unwrap();
        assert!(wording.contains("No server was recognised"), "{wording}");
        let text = text.unwrap();
        assert!(text.contains("// { \"name\": \"web\""), "{text}");
        let problems = read(&text).unwrap_err();
        assert_eq!(problems.len(), 1, "all but the servers is right: {problems:?}");
        if problems[0].code == "config.too-few" { "few" } else { "other" }
    }

    #[test]
    fn several_servers_each_have_a_name_and_the_one_in_front_is_first() {
        let vite = r#"{ "devDependencies": { "vite": "7" } }"#;
        let servers = written(&[
            ("server/manage.py", "DJANGO_SETTINGS_MODULE"),
            ("web/package.json", vite),
            ("web/index.html", ""),
            ("index.html", "not asked for where there is a framework"),
            ("examples/shop/manage.py", "DJANGO_SETTINGS_MODULE"),
            ("web/app.py", "Flask(__name__)"),
        ]);
        let named: Vec<(&str, &str)> =
            servers.iter().map(|server| (server.name.as_str(), server.cwd.as_str())).collect();
        assert_eq!(named, [("web", "web"), ("server", "server"), ("web-2", "web")]);
    }

    #[test]
    fn nothing_else_is_taken_for_a_server() {
        for files in [
            &[][..],
            &[("readme.md", "")],
            &[("package.json", r#"{ "dependencies": { "vite": "7" } }"#)],
            &[("package.json", "not JSON")],
            &[("manage.py", "print('own')")],
            &[("app.py", "import tkinter")],
            &[("Cargo.toml", "[dependencies]\nserde = \"1\""), ("src/main.rs", "")],
            &[("tests/app/manage.py", "DJANGO_SETTINGS_MODULE")],
            &[("a/b/c/manage.py", "DJANGO_SETTINGS_MODULE")],
        ] {
            assert_eq!(written_nothing(files), "few", "{files:?}");
        }
    }

    #[test]
    fn a_hostile_name_stays_in_its_comment() {
        let vite = r#"{ "devDependencies": { "vite": "7" } }"#;
        let name = "we\nb\u{2028}\u{1b}[2J";
        let files = [
            (format!("{name}/package.json"), vite.to_owned()),
            (format!("{name}/index.html"), String::new()),
        ];
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let Starter { wording, text, .. } = starter(&given(&files, None)).unwrap();
        let text = text.unwrap();
        assert_eq!(read(&text).unwrap().servers[0].cwd, name);
        assert!(!wording.contains('\u{1b}') && !text.contains('\u{1b}'), "{wording}{text}");
    }

    #[test]
    fn what_people_read() {
        let package = r#"{ "scripts": { "start": "tsx server.ts" }, "dependencies": { "express": "5" } }"#;
        let Starter { file, text, wording } =
            starter(&given(&[("package.json", package)], Some(Obstacle::NoPlaywright))).unwrap();
        assert_eq!(file, SETTINGS_FILE);
        insta::assert_snapshot!("starter", format!("{wording}\n\n{}", text.unwrap()));
        let mut taken = given(&[], None);
        taken.is_there = true;
        let problem = starter(&taken).unwrap_err();
        assert_eq!(
            (problem.code.as_str(), problem.file.as_deref()),
            ("validation.settings-exist", Some(SETTINGS_FILE))
        );
    }

    #[test]
    fn what_was_installed_is_reported_and_a_file_that_is_there_stays() {
        let install = Some(InstallInput { own: false, installed: None, fast_check: None, stands: None });
        let mut both = StarterInput { install, ..given(&[], None) };
        let Starter { text, wording, .. } = starter(&both).unwrap();
        assert!(text.is_some() && wording.starts_with("Validation · wrote"), "{wording}");
        assert!(wording.contains("\nInstall  Playwright Test "), "{wording}");
        both.is_there = true;
        both.obstacle = Some(Obstacle::NoBrowser { directory: Some(".opencode/validation".to_owned()) });
        let Starter { text, wording, .. } = starter(&both).unwrap();
        assert_eq!(text, None);
        assert!(
            wording.contains("validation.jsonc was not changed\n\nInstall  Playwright Test "),
            "{wording}"
        );
        let browser = "`npx --prefix .opencode/validation playwright install chromium`";
        assert!(wording.contains(browser), "{wording}");
        let install = Some(InstallInput { own: true, installed: None, fast_check: None, stands: None });
        let wording = starter(&StarterInput { install, ..given(&[], None) }).unwrap().wording;
        assert!(wording.contains("\nInstall  Nothing to do: the project has its own"), "{wording}");
    }
}
