//! The environment of commands in a copy: the user's, without anything that a worker could have left outside the tree.
//!
//! A worker can write below the user's home and into the temp directory, and some of the files there decide how a check ends:
//! `~/.npmrc` names the shell for scripts, `~/.cargo/config.toml` names the test runner, and every Python loads what
//! `~/.local/lib/python3` contains. So a copy gets a *room*, a separate directory with an empty home and an empty temp directory.
//! The values of the user's variables stay, because no worker can write them. Variables that name a place are redirected into the
//! room.
//!
//! What is downloaded or installed once for all projects stays where it is; otherwise no check could run without a network. Tools
//! that look for it below the home get its place from the variable that each has for this.

use design_lab_numerics::sorting::map;
use kernel::json::Deserialize;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the shell found out about the system.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowSurroundings"))]
pub struct Surroundings {
    /// The platform, as Node names it.
    pub platform: String,
    /// The environment of checks in the project itself.
    pub environment: BTreeMap<String, String>,
    /// The user's home, absolute.
    pub home: String,
    /// The temp directory of the system, absolute.
    pub temp: String,
    /// The root of the project's tree, absolute.
    pub top: String,
    /// The root of the copy, absolute.
    pub copy: String,
    /// An empty directory for this copy alone, absolute, outside the project.
    pub room: String,
}

/// What is created before anything runs in a copy, and the environment for what runs there.
#[derive(Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowCleanRoom"))]
pub struct CleanRoom {
    /// The environment.
    pub environment: BTreeMap<String, String>,
    /// Directories to create, absolute; each comes before those inside it.
    pub folders: Vec<String>,
    /// Empty files to create, absolute.
    pub files: Vec<String>,
    /// Links to create if their target exists: the place of the link, and its target, absolute.
    pub links: Vec<(String, String)>,
    /// Variables to set if the place that they name exists.
    pub places: BTreeMap<String, String>,
}

/// Names of settings that would take precedence over an empty file, and variables that name a place from which a tool reads
/// settings, code or results. A name that ends in `*` matches every name with that prefix.
const LEFT_OUT: &[&str] = &[
    // npm passes what it read from `~/.npmrc` to the processes that it starts, and it starts `npx opencode`.
    "npm_config_*",
    "PIP_CONFIG_FILE",
    "GIT_CONFIG*",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_TEMPLATE_DIR",
    "CARGO_HOME",
    // A target directory that all projects share contains what a worker built.
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET_DIR",
    "GOENV",
    "GOFLAGS",
    "GOPATH",
    "GOWORK",
    "GOTMPDIR",
    "PYTHONUSERBASE",
    "PYTHONSTARTUP",
    "PYTHONPYCACHEPREFIX",
    "NODE_COMPILE_CACHE",
    // A server of the user's, or of a worker's, may be listening there. The user decides where a database listens.
    "PORT",
    // Shells read these files before each script.
    "BASH_ENV",
    "ENV",
    "ZDOTDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// Where below the home a tool looks for what it downloaded or installed.
enum Below {
    Home,
    Cache,
    Config,
    Data,
    State,
}

/// Each tool's variable for such a place, and the default place; the last is the default on macOS if it differs.
const PLACES: &[(&str, Below, &str, Option<&str>)] = &[
    // Language versions: the programs on PATH only choose among these.
    ("RUSTUP_HOME", Below::Home, ".rustup", None),
    ("PYENV_ROOT", Below::Home, ".pyenv", None),
    ("RBENV_ROOT", Below::Home, ".rbenv", None),
    ("NODENV_ROOT", Below::Home, ".nodenv", None),
    ("NVM_DIR", Below::Home, ".nvm", None),
    ("VOLTA_HOME", Below::Home, ".volta", None),
    ("ASDF_DATA_DIR", Below::Home, ".asdf", None),
    ("ASDF_CONFIG_FILE", Below::Home, ".asdfrc", None),
    ("MISE_DATA_DIR", Below::Data, "mise", None),
    ("MISE_CONFIG_DIR", Below::Config, "mise", None),
    ("MISE_STATE_DIR", Below::State, "mise", None),
    ("UV_PYTHON_INSTALL_DIR", Below::Data, "uv/python", None),
    ("COREPACK_HOME", Below::Cache, "node/corepack", None),
    ("PNPM_HOME", Below::Data, "pnpm", Some("Library/pnpm")),
    // Downloaded packages and browsers.
    ("GOCACHE", Below::Cache, "go-build", Some("Library/Caches/go-build")),
    ("DENO_DIR", Below::Cache, "deno", Some("Library/Caches/deno")),
    ("UV_CACHE_DIR", Below::Cache, "uv", None),
    ("NUGET_PACKAGES", Below::Home, ".nuget/packages", None),
    ("PLAYWRIGHT_BROWSERS_PATH", Below::Cache, "ms-playwright", Some("Library/Caches/ms-playwright")),
    ("CYPRESS_CACHE_FOLDER", Below::Cache, "Cypress", Some("Library/Caches/Cypress")),
    ("PUPPETEER_CACHE_DIR", Below::Cache, "puppeteer", None),
    // What a program with a window needs in order to reach the screen.
    ("XAUTHORITY", Below::Home, ".Xauthority", None),
];

/// Options of Node that load a file.
const LOADERS: &[&str] = &["-r", "--require", "--import", "--loader", "--experimental-loader"];

impl Surroundings {
    /// The room of a copy.
    pub fn clean_room(&self) -> CleanRoom {
        let mut room = CleanRoom { environment: self.kept(), ..CleanRoom::default() };
        self.lead_home(&mut room);
        self.empty_settings(&mut room);
        self.keep_downloads(&mut room);
        room
    }

    /// The user's variables that are kept.
    fn kept(&self) -> BTreeMap<String, String> {
        let stays = |(name, value): (&String, &String)| {
            let value = match name.as_str() {
                "NODE_OPTIONS" if loads_a_file(value) => return None,
                "PATH" => self.with_the_copys(value),
                "PYTHONPATH" | "NODE_PATH" => self.in_the_copy(value)?,
                _ if is_left_out(name) => return None,
                _ => value.clone(),
            };
            Some((name.clone(), value))
        };
        map(self.environment.iter().filter_map(stays))
    }

    /// Redirects the home, except on Windows, where programs find it through the user's profile and ignore the variable.
    fn lead_home(&self, room: &mut CleanRoom) {
        let temp = self.in_room("tmp");
        for name in ["TMPDIR", "TMP", "TEMP"] {
            room.environment.insert(name.to_owned(), temp.clone());
        }
        room.folders.push(temp);
        let home = self.in_room("home");
        if !self.is_windows() {
            room.environment.insert("HOME".to_owned(), home.clone());
        }
        room.folders.push(home);
    }

    /// Removes the user's settings. An empty home has none; the settings that tools read elsewhere are redirected to empty files,
    /// with as few variables as possible, because a test that creates its own home has its own settings there.
    fn empty_settings(&self, room: &mut CleanRoom) {
        let settings = self.in_room("settings");
        let beside: &[(&str, &str)] =
            &[("npm_config_globalconfig", "npmrc-global"), ("GIT_CONFIG_SYSTEM", "gitconfig-system")];
        let at_home: &[(&str, &str)] =
            &[("npm_config_userconfig", "npmrc"), ("GIT_CONFIG_GLOBAL", "gitconfig")];
        let files = beside.iter().chain(at_home.iter().filter(|_| self.is_windows()));
        for (variable, file) in files {
            let file = format!("{settings}/{file}");
            room.environment.insert((*variable).to_owned(), file.clone());
            room.files.push(file);
        }
        room.folders.push(settings);
        let null = if self.is_windows() { "nul" } else { "/dev/null" };
        let values: &[(&str, &str)] = &[
            // With any other name, pip would still read files.
            ("PIP_CONFIG_FILE", null),
            // Go's build cache is the user's, but test results in it don't count.
            ("GOFLAGS", "-count=1"),
            // In an empty home, npm asks the registry each time whether there is a newer version, and waits for the answer.
            ("npm_config_update_notifier", "false"),
        ];
        // Linked directories contain what Python compiled before, which Python may use without looking at the source.
        room.environment.insert("PYTHONPYCACHEPREFIX".to_owned(), self.in_room("pycache"));
        let at_home: &[(&str, &str)] = &[("GOENV", "off"), ("PYTHONNOUSERSITE", "1")];
        for (variable, value) in values.iter().chain(at_home.iter().filter(|_| self.is_windows())) {
            room.environment.insert((*variable).to_owned(), (*value).to_owned());
        }
    }

    fn keep_downloads(&self, room: &mut CleanRoom) {
        let cargo = self.in_room("home/.cargo");
        let user = self.set("CARGO_HOME").map_or_else(|| self.in_home(".cargo"), str::to_owned);
        // Leaves out config.toml and the credentials; `bin` has the installed subcommands.
        for name in ["registry", "git", "bin"] {
            room.links.push((format!("{cargo}/{name}"), format!("{user}/{name}")));
        }
        if self.is_windows() {
            room.environment.insert("CARGO_HOME".to_owned(), cargo.clone());
        }
        room.folders.push(cargo);
        if self.set("GOMODCACHE").is_none() {
            let first = self.set("GOPATH").and_then(|paths| paths.split(self.separator()).next());
            let go = first.map_or_else(|| self.in_home("go"), str::to_owned);
            room.places.insert("GOMODCACHE".to_owned(), format!("{go}/pkg/mod"));
        }
        if self.is_windows() {
            return;
        }
        for (variable, below, name, on_mac) in PLACES {
            if self.set(variable).is_some() {
                continue;
            }
            let place = match on_mac.filter(|_| self.platform == "darwin") {
                Some(name) => self.in_home(name),
                None => format!("{}/{name}", self.base(below)),
            };
            room.places.insert((*variable).to_owned(), place);
        }
    }

    /// The parts of a list of places that are kept: a place in the project becomes the one in the copy, and a place where a worker
    /// can write is left out. `None` when nothing is kept.
    fn in_the_copy(&self, list: &str) -> Option<String> {
        let separator = self.separator();
        let stays = |place: &str| match below(place, &self.top) {
            Some(inside) => Some(format!("{}{inside}", self.copy)),
            None if [&self.home, &self.temp].iter().any(|open| below(place, open).is_some()) => None,
            None => Some(place.to_owned()),
        };
        let kept: Vec<String> = list.split(separator).filter_map(stays).collect();
        (!kept.is_empty()).then(|| kept.join(&separator.to_string()))
    }

    /// `PATH` with the copy's programs before the project's, which stay for cases such as a virtual environment that isn't linked.
    fn with_the_copys(&self, list: &str) -> String {
        let separator = self.separator();
        let both = |place: &str| match below(place, &self.top) {
            Some(inside) => format!("{}{inside}{separator}{place}", self.copy),
            None => place.to_owned(),
        };
        list.split(separator).map(both).collect::<Vec<_>>().join(&separator.to_string())
    }

    fn base(&self, base: &Below) -> String {
        let (variable, usual) = match base {
            Below::Home => return self.home.clone(),
            Below::Cache => ("XDG_CACHE_HOME", ".cache"),
            Below::Config => ("XDG_CONFIG_HOME", ".config"),
            Below::Data => ("XDG_DATA_HOME", ".local/share"),
            Below::State => ("XDG_STATE_HOME", ".local/state"),
        };
        self.set(variable).map_or_else(|| self.in_home(usual), str::to_owned)
    }

    /// The value of a variable; `None` when it is unset or empty.
    fn set(&self, variable: &str) -> Option<&str> {
        self.environment.get(variable).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn in_home(&self, name: &str) -> String {
        format!("{}/{name}", self.home)
    }

    fn in_room(&self, name: &str) -> String {
        format!("{}/{name}", self.room)
    }

    fn is_windows(&self) -> bool {
        self.platform == "win32"
    }

    fn separator(&self) -> char {
        if self.is_windows() { ';' } else { ':' }
    }
}

/// The part of a path after a directory; `None` when the path isn't below it.
fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    path.strip_prefix(directory).filter(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
}

fn is_left_out(name: &str) -> bool {
    LEFT_OUT.iter().any(|left| match left.strip_suffix('*') {
        // npm and Windows ignore case.
        Some(start) => name.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)),
        None => name == *left,
    })
}

/// Whether these Node options load a file.
fn loads_a_file(options: &str) -> bool {
    options.split_whitespace().any(|option| LOADERS.contains(&option.split('=').next().unwrap_or(option)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(platform: &str, environment: &[(&str, &str)]) -> CleanRoom {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Surroundings {
            platform: platform.to_owned(),
            environment: environment.iter().map(owned).collect(),
            home: "/home/ada".to_owned(),
            temp: "/tmp".to_owned(),
            top: "/home/ada/app".to_owned(),
            copy: "/home/ada/app/.flow/copy".to_owned(),
            room: "/tmp/room".to_owned(),
        }
        .clean_room()
    }

    #[test]
    fn a_users_value_stays_and_what_names_a_place_of_settings_does_not() {
        let long = "--max-old-space-size=8192";
        for (name, given, kept) in [
            ("LANG", "C.UTF-8", Some("C.UTF-8")),
            ("DATABASE_URL", "postgres://localhost", Some("postgres://localhost")),
            ("RUSTFLAGS", "-Dwarnings", Some("-Dwarnings")),
            ("CARGO_NET_OFFLINE", "true", Some("true")),
            ("PIP_CERT", "/etc/ssl/ca.pem", Some("/etc/ssl/ca.pem")),
            ("NODE_OPTIONS", long, Some(long)),
            ("NODE_OPTIONS", "--import=/home/ada/hook.mjs", None),
            ("NODE_OPTIONS", "--max-old-space-size=1 -r ./hook.js", None),
            ("npm_config_script_shell", "/home/ada/sh", None),
            ("NPM_CONFIG_node_options", "-r x", None),
            ("GIT_CONFIG_COUNT", "1", None),
            ("GIT_CONFIG_KEY_0", "core.hooksPath", None),
            ("GIT_DIR", "/home/ada/app/.git", None),
            ("GIT_AUTHOR_NAME", "Ada", Some("Ada")),
            ("CARGO_TARGET_DIR", "/home/ada/target", None),
            ("BASH_ENV", "/home/ada/.bashenv", None),
            ("ENV", "/home/ada/.shinit", None),
            ("ENVIRONMENT", "test", Some("test")),
            ("PYTHONUSERBASE", "/home/ada/py", None),
            ("GOWORK", "/home/ada/app/go.work", None),
            ("PORT", "3000", None),
            ("PGPORT", "5433", Some("5433")),
            ("DB_PORT", "5433", Some("5433")),
            ("SUPPORT", "yes", Some("yes")),
            ("XDG_CONFIG_HOME", "/home/ada/.config", None),
            ("XDG_RUNTIME_DIR", "/run/user/1000", Some("/run/user/1000")),
        ] {
            let room = of("linux", &[(name, given)]);
            assert_eq!(room.environment.get(name).map(String::as_str), kept, "{name}={given}");
        }
    }

    #[test]
    fn home_and_temp_directory_are_the_rooms_and_settings_are_empty_files() {
        let user = [("HOME", "/home/ada"), ("TMPDIR", "/var/tmp"), ("GIT_CONFIG_GLOBAL", "/home/ada/git")];
        let CleanRoom { environment, folders, files, .. } = of("linux", &user);
        for (name, value) in [
            ("HOME", "/tmp/room/home"),
            ("TMPDIR", "/tmp/room/tmp"),
            ("TMP", "/tmp/room/tmp"),
            ("npm_config_globalconfig", "/tmp/room/settings/npmrc-global"),
            ("GIT_CONFIG_SYSTEM", "/tmp/room/settings/gitconfig-system"),
            ("PIP_CONFIG_FILE", "/dev/null"),
            ("GOFLAGS", "-count=1"),
            ("PYTHONPYCACHEPREFIX", "/tmp/room/pycache"),
            ("npm_config_update_notifier", "false"),
        ] {
            assert_eq!(environment.get(name).map(String::as_str), Some(value), "{name}");
        }
        // Otherwise a test that creates its own home would not find its settings there.
        for name in ["npm_config_userconfig", "GIT_CONFIG_GLOBAL", "CARGO_HOME", "GOENV"] {
            assert_eq!(environment.get(name), None, "{name}");
        }
        let made = ["tmp", "home", "settings", "home/.cargo"].map(|name| format!("/tmp/room/{name}"));
        assert_eq!(folders, made);
        let empty = ["npmrc-global", "gitconfig-system"].map(|name| format!("/tmp/room/settings/{name}"));
        assert_eq!(files, empty);
    }

    #[test]
    fn on_windows_the_home_stays_and_each_tool_is_led_away_from_it() {
        let CleanRoom { environment, places, .. } = of("win32", &[("HOME", "C:/Users/ada")]);
        let of = |name: &str| environment.get(name).map(String::as_str);
        assert_eq!((of("HOME"), of("TEMP")), (Some("C:/Users/ada"), Some("/tmp/room/tmp")));
        for (name, value) in [
            ("PIP_CONFIG_FILE", "nul"),
            ("npm_config_userconfig", "/tmp/room/settings/npmrc"),
            ("GIT_CONFIG_GLOBAL", "/tmp/room/settings/gitconfig"),
            ("CARGO_HOME", "/tmp/room/home/.cargo"),
            ("GOENV", "off"),
            ("PYTHONNOUSERSITE", "1"),
        ] {
            assert_eq!(of(name), Some(value), "{name}");
        }
        assert_eq!(places.keys().collect::<Vec<_>>(), ["GOMODCACHE"]);
    }

    #[test]
    fn what_was_downloaded_stays_where_it_is() {
        for (platform, user, variable, place) in [
            ("linux", None, "RUSTUP_HOME", Some("/home/ada/.rustup")),
            ("linux", Some(("RUSTUP_HOME", "/opt/rustup")), "RUSTUP_HOME", None),
            ("linux", None, "GOMODCACHE", Some("/home/ada/go/pkg/mod")),
            ("linux", Some(("GOPATH", "/go:/other")), "GOMODCACHE", Some("/go/pkg/mod")),
            ("linux", Some(("GOMODCACHE", "/mods")), "GOMODCACHE", None),
            ("linux", None, "GOCACHE", Some("/home/ada/.cache/go-build")),
            ("linux", Some(("XDG_CACHE_HOME", "/cache")), "GOCACHE", Some("/cache/go-build")),
            ("darwin", None, "GOCACHE", Some("/home/ada/Library/Caches/go-build")),
            ("darwin", None, "UV_CACHE_DIR", Some("/home/ada/.cache/uv")),
            ("linux", Some(("XDG_DATA_HOME", "")), "MISE_DATA_DIR", Some("/home/ada/.local/share/mise")),
        ] {
            let room = of(platform, user.as_slice());
            let found = room.places.get(variable).map(String::as_str);
            assert_eq!(found, place, "{platform} {user:?} {variable}");
            if let Some((name, value)) = user.filter(|(name, _)| *name == variable) {
                assert_eq!(room.environment.get(name).map(String::as_str), Some(value));
            }
        }
        for (user, cargo) in [(None, "/home/ada/.cargo"), (Some(("CARGO_HOME", "/opt/cargo")), "/opt/cargo")]
        {
            let links = of("linux", user.as_slice()).links;
            let wanted = ["registry", "git", "bin"]
                .map(|name| (format!("/tmp/room/home/.cargo/{name}"), format!("{cargo}/{name}")));
            assert_eq!(links, wanted);
        }
    }

    #[test]
    fn code_is_loaded_from_the_copy_and_not_from_where_a_worker_can_write() {
        let copy = "/home/ada/app/.flow/copy";
        for (name, given, kept) in [
            ("PYTHONPATH", "/home/ada/app", Some(copy.to_owned())),
            ("PYTHONPATH", "src:/home/ada/app/lib:/opt/ros", Some(format!("src:{copy}/lib:/opt/ros"))),
            ("PYTHONPATH", "/home/ada/lib:/tmp/lib", None),
            ("PYTHONPATH", "/home/ada/app-two/lib", None),
            ("NODE_PATH", "/usr/lib/node_modules", Some("/usr/lib/node_modules".to_owned())),
            (
                "PATH",
                "/home/ada/app/bin:/home/ada/.local/bin:/bin",
                Some(format!("{copy}/bin:/home/ada/app/bin:/home/ada/.local/bin:/bin")),
            ),
        ] {
            let room = of("linux", &[(name, given)]);
            assert_eq!(room.environment.get(name), kept.as_ref(), "{name}={given}");
        }
    }
}
