//! The servers that a project seems to have, judging by the names of its files and the contents of a few small ones.
//!
//! An adapter recognises one kind of server in a folder and proposes its command, its port and its sign of readiness. It is a
//! row of [`ADAPTERS`] and a function. A proposal is a draft: the user reads it before it runs.

use super::settings::{Port, Ready};
use design_lab_numerics::sorting::sort_by_key;
use kernel::json::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What the shell has found in a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationProject"))]
pub struct Project {
    /// Its files, from its root, with `/` between the parts.
    pub files: BTreeSet<String>,
    /// The texts of the requested files, if they can be read.
    pub texts: BTreeMap<String, String>,
}

/// A proposed server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) name: String,
    /// Its kind, as people call it.
    pub(super) kind: &'static str,
    /// The file by which it was recognised.
    pub(super) by: String,
    pub(super) cwd: String,
    pub(super) server: Server,
}

/// An adapter's description of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Server {
    /// The file by which it was recognised, in its folder.
    by: String,
    pub(super) command: Vec<String>,
    pub(super) port: Port,
    pub(super) env: Vec<(&'static str, String)>,
    pub(super) ready: Ready,
    pub(super) ready_ms: u64,
    /// What the user should check.
    pub(super) look: Option<String>,
}

impl Server {
    fn new(by: &str, command: &[&str]) -> Self {
        Self {
            by: by.to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            port: Port::default(),
            env: Vec::new(),
            ready: Ready::default(),
            ready_ms: 60_000,
            look: None,
        }
    }

    /// It is ready when it answers at this path.
    fn answers(self, path: &str) -> Self {
        Self { ready: Ready { url: Some(path.to_owned()), status: None, port: false, log: None }, ..self }
    }

    /// A port named in its own files. Without one it gets `PORT`, and the user should check that it listens there.
    fn listens(self, port: Option<u16>, takes_port: bool) -> Self {
        match port {
            _ if takes_port => self,
            Some(port) => Self { port: Port::Number(port), ..self },
            None => self.look(
                "The server must listen on the port in the environment variable PORT. If it always uses the \
                 same port, set \"port\" to that number.",
            ),
        }
    }

    fn look(self, what: impl Into<String>) -> Self {
        Self { look: Some(what.into()), ..self }
    }

    fn takes_at_most(self, ready_ms: u64) -> Self {
        Self { ready_ms, ..self }
    }
}

/// A kind of server.
struct Adapter {
    /// The name of its server in the settings, if it is in the project's root.
    name: &'static str,
    /// As people call it.
    kind: &'static str,
    recognise: fn(&Folder<'_>) -> Option<Server>,
}

/// Known frameworks, those that users see first: the first server is tested.
const ADAPTERS: [Adapter; 8] = [
    Adapter { name: "next", kind: "Next", recognise: next },
    Adapter { name: "vite", kind: "Vite", recognise: vite },
    Adapter { name: "rails", kind: "Rails", recognise: rails },
    Adapter { name: "django", kind: "Django", recognise: django },
    Adapter { name: "flask", kind: "Flask", recognise: flask },
    Adapter { name: "express", kind: "Express", recognise: express },
    Adapter { name: "fastify", kind: "Fastify", recognise: fastify },
    Adapter { name: "cargo", kind: "Cargo", recognise: cargo },
];

/// The fallbacks when none of these is found: the first match in the nearest folder.
const OTHERWISE: [Adapter; 3] = [
    Adapter { name: "web", kind: "a script of package.json", recognise: script },
    Adapter { name: "compose", kind: "docker compose", recognise: compose },
    Adapter { name: "static", kind: "a static folder", recognise: pages },
];

const COMPOSE: [&str; 4] = ["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"];

const PYTHON_ENTRIES: [&str; 5] = ["app.py", "wsgi.py", "main.py", "application.py", "server.py"];

const NODE_ENTRIES: [&str; 14] = [
    "server.js",
    "server.mjs",
    "server.cjs",
    "server.ts",
    "app.js",
    "app.mjs",
    "index.js",
    "index.mjs",
    "src/server.js",
    "src/server.ts",
    "src/app.js",
    "src/index.js",
    "src/index.mjs",
    "src/index.ts",
];

/// The files that adapters read.
const READ: [&str; 8] = [
    "package.json",
    "manage.py",
    "requirements.txt",
    "pyproject.toml",
    "Gemfile",
    "config/routes.rb",
    "Cargo.toml",
    "src/main.rs",
];

/// The maximum number of files that are read.
const MOST_READ: usize = 64;

/// The maximum depth of a server's folder: `web`, `apps/web`.
const DEEPEST: usize = 2;

/// The maximum number of proposed servers: the settings allow no more.
const MOST_SERVERS: usize = 16;

/// Folders that contain no server of the application itself.
const ASIDE: [&str; 9] =
    ["examples", "example", "test", "tests", "fixtures", "vendor", "node_modules", "target", "venv"];

/// The files whose texts are to be read, the nearest first.
pub fn to_read(files: BTreeSet<String>) -> Vec<String> {
    let project = Project { files, texts: BTreeMap::new() };
    let names = || [&READ[..], &COMPOSE, &PYTHON_ENTRIES, &NODE_ENTRIES].concat();
    folders(&project)
        .iter()
        .flat_map(|folder| names().into_iter().filter(|name| folder.has(name)).map(|name| folder.at(name)))
        .take(MOST_READ)
        .collect()
}

/// The servers that a project seems to have.
pub(super) fn propose(project: &Project) -> Vec<Proposal> {
    let folders = folders(project);
    let recognised = |adapters: &'static [Adapter]| {
        adapters.iter().flat_map(|adapter| {
            folders.iter().filter_map(move |folder| {
                (adapter.recognise)(folder).map(|server| proposal(adapter, folder, server))
            })
        })
    };
    let mut proposals: Vec<Proposal> = recognised(&ADAPTERS).take(MOST_SERVERS).collect();
    if proposals.is_empty() {
        proposals.extend(recognised(&OTHERWISE).next());
    }
    name_apart(&mut proposals);
    proposals
}

fn proposal(adapter: &Adapter, folder: &Folder<'_>, server: Server) -> Proposal {
    let slug: Vec<String> = folder
        .path
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    Proposal {
        name: if slug.is_empty() { adapter.name.to_owned() } else { slug.join("-") },
        kind: adapter.kind,
        by: folder.at(&server.by),
        cwd: if folder.path.is_empty() { ".".to_owned() } else { folder.path.to_owned() },
        server,
    }
}

/// Makes the names unique.
fn name_apart(proposals: &mut [Proposal]) {
    for index in 1..proposals.len() {
        let (before, rest) = proposals.split_at_mut(index);
        let own = rest[0].name.clone();
        let mut count = 2_u32;
        while before.iter().any(|other| other.name == rest[0].name) {
            rest[0].name = format!("{own}-{count}");
            count += 1;
        }
    }
}

/// A folder of the project that may contain a server.
struct Folder<'a> {
    /// Its path from the root; empty for the root itself.
    path: &'a str,
    project: &'a Project,
}

/// The root and the folders near it, the nearest first.
fn folders(project: &Project) -> Vec<Folder<'_>> {
    let mut paths: Vec<&str> = vec![""];
    for file in &project.files {
        let ends = file.match_indices('/').map(|(at, _)| at).take(DEEPEST);
        for path in ends.map(|at| &file[..at]) {
            let is_aside = path.split('/').any(|part| part.starts_with('.') || ASIDE.contains(&part));
            if !is_aside && !paths.contains(&path) {
                paths.push(path);
            }
        }
    }
    sort_by_key(&mut paths, |path| (path.split('/').filter(|part| !part.is_empty()).count(), *path));
    paths.into_iter().map(|path| Folder { path, project }).collect()
}

impl Folder<'_> {
    fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }

    fn has(&self, name: &str) -> bool {
        self.project.files.contains(&self.at(name))
    }

    /// The first of these names that exists.
    fn first<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        names.iter().find(|name| self.has(name)).copied()
    }

    /// The text of a file; empty if it wasn't read.
    fn text(&self, name: &str) -> &str {
        self.project.texts.get(&self.at(name)).map_or("", String::as_str)
    }

    fn manifest(&self) -> Value {
        serde_json::from_str(self.text("package.json")).unwrap_or_default()
    }

    /// Whether package.json lists this package as a dependency.
    fn needs(&self, package: &str) -> bool {
        let manifest = self.manifest();
        ["dependencies", "devDependencies"].iter().any(|kind| manifest[kind].get(package).is_some())
    }

    /// A script of package.json.
    fn script(&self, name: &str) -> Option<String> {
        self.manifest()["scripts"][name].as_str().map(str::to_owned)
    }

    /// The package manager, by its lock file here or in the root.
    fn manager(&self) -> &'static str {
        let root = Folder { path: "", project: self.project };
        let managers =
            [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun")];
        let found = managers.iter().find(|(file, _)| self.has(file) || root.has(file));
        found.map_or("npm", |(_, manager)| manager)
    }

    /// The command for a program that the project has installed: nothing is downloaded.
    fn installed<'c>(&self, command: &[&'c str]) -> Vec<&'c str> {
        let runner = match self.manager() {
            "pnpm" => ["pnpm", "exec"],
            "yarn" => ["yarn", "run"],
            "bun" => ["bun", "run"],
            _ => ["npx", "--no-install"],
        };
        [&runner, command].concat()
    }

    /// The command that starts Python here.
    fn python(&self) -> Vec<&'static str> {
        if self.has("uv.lock") {
            return vec!["uv", "run", "python"];
        }
        if self.has("poetry.lock") {
            return vec!["poetry", "run", "python"];
        }
        if self.has(".venv/pyvenv.cfg") {
            return vec![".venv/bin/python"];
        }
        if self.has("venv/pyvenv.cfg") {
            return vec!["venv/bin/python"];
        }
        vec!["python3"]
    }
}

fn next(folder: &Folder<'_>) -> Option<Server> {
    let command = folder.installed(&["next", "dev", "--hostname", "127.0.0.1", "--port", "${port}"]);
    folder.needs("next").then(|| Server::new("package.json", &command).answers("/"))
}

fn vite(folder: &Folder<'_>) -> Option<Server> {
    let configured = ["vite.config.js", "vite.config.mjs", "vite.config.ts", "vite.config.mts", "index.html"];
    let is_page = folder.first(&configured).is_some() && folder.needs("vite") && !folder.needs("next");
    let command = folder.installed(&["vite", "--host", "127.0.0.1", "--port", "${port}", "--strictPort"]);
    is_page.then(|| Server::new("package.json", &command).answers("/"))
}

fn rails(folder: &Folder<'_>) -> Option<Server> {
    if !folder.has("bin/rails") || !folder.has("Gemfile") {
        return None;
    }
    // The usual PID file belongs to a server that another process may have started.
    let pid = "tmp/pids/validation.pid";
    let command = ["bin/rails", "server", "--binding", "127.0.0.1", "--port", "${port}", "--pid", pid];
    let server = Server::new("Gemfile", &command);
    let is_healthy = folder.text("config/routes.rb").contains("rails/health#show");
    Some(if is_healthy { server.answers("/up") } else { server })
}

fn django(folder: &Folder<'_>) -> Option<Server> {
    let is_django = folder.text("manage.py").contains("DJANGO_SETTINGS_MODULE");
    let command = [&folder.python()[..], &["manage.py", "runserver", "127.0.0.1:${port}", "--noreload"]];
    is_django.then(|| {
        Server::new("manage.py", &command.concat()).look(
            "The server uses the settings and the database that manage.py names. Test settings are safer.",
        )
    })
}

fn flask(folder: &Folder<'_>) -> Option<Server> {
    let entry = PYTHON_ENTRIES
        .into_iter()
        .find(|entry| folder.text(entry).contains("Flask(") && folder.has(entry))?;
    let module = entry.trim_end_matches(".py");
    let further = ["-m", "flask", "--app", module, "run", "--host", "127.0.0.1", "--port", "${port}"];
    Some(Server::new(entry, &[&folder.python()[..], &further].concat()))
}

fn express(folder: &Folder<'_>) -> Option<Server> {
    (folder.needs("express") && !folder.needs("next")).then(|| node(folder)).flatten()
}

fn fastify(folder: &Folder<'_>) -> Option<Server> {
    (folder.needs("fastify") && !folder.needs("next")).then(|| node(folder)).flatten()
}

/// A Node.js server, started by the script `start` or from a file with a typical name.
fn node(folder: &Folder<'_>) -> Option<Server> {
    let start = folder.script("start");
    // `node server.js` needs neither a shell nor a package manager around it.
    let named = start.as_deref().and_then(|script| {
        let file = script.strip_prefix("node ")?.trim();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
        file.chars().all(is_plain).then(|| file.trim_start_matches("./").to_owned())
    });
    let main = folder.manifest()["main"].as_str().map(|main| main.trim_start_matches("./").to_owned());
    let usual = || NODE_ENTRIES.iter().map(|&entry| entry.to_owned());
    let entry = named.clone().or_else(|| main.into_iter().chain(usual()).find(|entry| folder.has(entry)));
    let text = entry.as_deref().map_or("", |entry| folder.text(entry));
    let own = start.as_deref().and_then(script_port);
    let takes_port = own.is_none() && text.contains("env.PORT");
    let port = own.or_else(|| {
        let after = ["listen(", "port: ", "port = ", "PORT = "];
        after.iter().find_map(|before| number_after(text, before))
    });
    let command = match (&named, &start, &entry) {
        (Some(file), ..) => vec!["node", file],
        (None, Some(_), _) => vec![folder.manager(), "run", "start"],
        (None, None, Some(entry)) if entry.rsplit('.').next() != Some("ts") => vec!["node", entry],
        _ => return None,
    };
    Some(Server::new("package.json", &command).listens(port, takes_port))
}

fn cargo(folder: &Folder<'_>) -> Option<Server> {
    let frameworks = ["axum", "actix-web", "rocket", "warp", "poem", "salvo", "tide", "hyper"];
    let manifest = folder.text("Cargo.toml");
    let needs = |name: &&str| {
        let of_its_own = format!("dependencies.{name}]");
        let is_named = |line: &str| {
            let rest = line.strip_prefix(*name).unwrap_or_default();
            rest.starts_with([' ', '=', '.']) || line.ends_with(&of_its_own)
        };
        manifest.lines().map(str::trim).any(is_named)
    };
    let framework = frameworks.into_iter().find(needs)?;
    folder.has("src/main.rs").then(|| {
        let text = folder.text("src/main.rs");
        let server = Server::new("Cargo.toml", &["cargo", "run", "--quiet"]).takes_at_most(600_000);
        if framework == "rocket" {
            return Server { env: vec![("ROCKET_PORT", "${port}".to_owned())], ..server };
        }
        let after = ["127.0.0.1:", "0.0.0.0:", "localhost:", "127.0.0.1\", ", "0.0.0.0\", ", "0, 0, 0, 0], "];
        let port = after.iter().find_map(|before| number_after(text, before));
        server.listens(port, text.contains("\"PORT\""))
    })
}

fn script(folder: &Folder<'_>) -> Option<Server> {
    let name = ["start", "serve", "preview", "dev"].into_iter().find(|name| folder.script(name).is_some())?;
    let port = folder.script(name).as_deref().and_then(script_port);
    Some(Server::new("package.json", &[folder.manager(), "run", name]).listens(port, false))
}

/// The port that a script names.
fn script_port(script: &str) -> Option<u16> {
    ["--port ", "--port=", "-p ", "PORT="].iter().find_map(|before| number_after(script, before))
}

fn compose(folder: &Folder<'_>) -> Option<Server> {
    let file = folder.first(&COMPOSE)?;
    let port = folder.text(file).lines().find_map(published)?;
    // Docker itself holds the port that it publishes, and only a port on which a process of the run listens is tested.
    let forward = format!(
        "const net = require('node:net'); \
         require('node:child_process').spawn('docker', ['compose', 'up'], {{ stdio: 'inherit' }}).on('exit', (code) => process.exit(code ?? 1)); \
         net.createServer((near) => {{ const far = net.connect({port}, '127.0.0.1'); \
         for (const [one, other] of [[near, far], [far, near]]) one.on('error', () => other.destroy()).pipe(other); \
         }}).listen(process.env.PORT, '127.0.0.1');"
    );
    Some(Server::new(file, &["node", "-e", &forward]).answers("/").takes_at_most(300_000).look(format!(
        "The command forwards to port {port}, the first port that {file} publishes. The containers use the \
         data in their volumes. Test data is safer."
    )))
}

/// The host port that a line of a compose file publishes.
fn published(line: &str) -> Option<u16> {
    let line = line.trim().trim_start_matches("- ");
    let plain = line.replace(['"', '\''], "");
    if let Some(long) = plain.strip_prefix("published:") {
        return long.trim().parse().ok();
    }
    let mut parts = plain.split('#').next()?.trim().split('/').next()?.rsplit(':');
    let inner = parts.next()?;
    let is_port = |text: &str| text.trim().parse::<u16>().ok();
    // `${WEB_PORT:-8080}` is split at its colon: the number after the hyphen is the default port.
    is_port(inner)?;
    let outer = parts.next()?;
    is_port(outer.trim_start_matches('-').trim_end_matches('}'))
}

fn pages(folder: &Folder<'_>) -> Option<Server> {
    let places = [".", "public", "dist", "build", "site", "_site", "www", "docs"];
    let index =
        |place: &str| if place == "." { "index.html".to_owned() } else { format!("{place}/index.html") };
    let place = places.into_iter().find(|place| folder.has(&index(place)))?;
    let command = ["python3", "-m", "http.server", "${port}", "--bind", "127.0.0.1", "--directory", place];
    Some(Server::new(&index(place), &command).answers("/"))
}

/// The number after a text, as a port.
fn number_after(text: &str, before: &str) -> Option<u16> {
    text.match_indices(before).find_map(|(at, _)| {
        let rest = text[at + before.len()..].trim_start_matches([' ', '{']);
        let rest = rest.strip_prefix("port: ").unwrap_or(rest);
        let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
        digits.parse().ok().filter(|port| *port > 0)
    })
}
