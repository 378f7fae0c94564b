//! Builds the npm package: the core compiled to wasm, plus the plugin, the schemas and the content of `pkg-template/`.

use crate::setup::{self, Need, WASM_TARGET};
use crate::{Result, process};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "pkg";
/// Where the core is built, outside of the package.
const MADE: &str = "target/package";
/// The same, compiled without optimisation.
const MADE_QUICKLY: &str = "target/quick";
/// The option that makes a module smaller and faster.
const SMALLER: &str = "-Oz";
/// In the package they are in `schemas/` itself: users' configurations name these files.
const SCHEMAS: &str = "schemas/design-lab";

/// What building the package needs.
pub(crate) const NEEDS: &[Need] = &[Need::Npm, Need::Wasm];

/// Builds `pkg/` from scratch.
pub(crate) fn run() -> Result {
    core()?;
    package(PACKAGE, MADE, "small.wasm")
}

/// Builds `pkg/` with an unoptimised core: takes seconds, to try a change in the real OpenCode.
pub(crate) fn quick() -> Result {
    module(MADE_QUICKLY, "dev", &[])?;
    package(PACKAGE, MADE_QUICKLY, "core_bg.wasm")
}

/// Builds a package with a larger core than necessary, without the minute that shrinking takes.
pub(crate) fn large(directory: &str) -> Result {
    module(MADE, "release", &[])?;
    package(directory, MADE, "core_bg.wasm")
}

/// `made`: where the core was built; `core`: the file of its module.
fn package(directory: &str, made: &str, core: &str) -> Result {
    if Path::new(directory).exists() {
        fs::remove_dir_all(directory).map_err(at(directory))?;
    }
    let at_core = format!("{directory}/core");
    copy_tree(made, &at_core, &|path| path.extension().is_some_and(|end| end == "js" || end == "ts"))?;
    fs::copy(format!("{made}/{core}"), format!("{at_core}/core_bg.wasm")).map_err(at(&at_core))?;
    copy_tree("pkg-template", directory, &|_| true)?;
    copy_tree("plugin-js", format!("{directory}/plugin-js"), &|path| !is_test(path))?;
    copy_tree(SCHEMAS, format!("{directory}/schemas"), &|_| true)?;
    docs(directory)?;
    fs::copy("LICENSE", format!("{directory}/LICENSE")).map_err(at("LICENSE"))?;
    set_version(directory)
}

/// The environment of every wasm build: no path of this machine may end up in the module, and with one set of flags all builds
/// share their compiled artefacts.
pub(crate) fn wasm_environment() -> Result<[(&'static str, String); 1]> {
    let root = env::current_dir().map_err(at("the workspace"))?;
    let sources = setup::cargo_home().join("registry/src");
    let registries = if sources.is_dir() { entries(&sources)? } else { Vec::new() };
    // If several match, the last one decides.
    let flags: Vec<String> = [(setup::cargo_home(), "/cargo"), (root, "/design-lab")]
        .into_iter()
        .chain(registries.into_iter().map(|registry| (registry, "/crates")))
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
        .collect();
    // This separator lets paths contain spaces.
    Ok([("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))])
}

/// The pages for users of the package; how it is built and proved is for people with the repository. The pictures are larger than
/// all pages together and are left out.
fn docs(directory: &str) -> Result {
    const PAGES: [&str; 24] = [
        "anonymity",
        "attachments",
        "building-upon",
        "ci",
        "commands",
        "configuration",
        "durability",
        "flow",
        "flow-evidence",
        "flow-feedback",
        "guide",
        "history",
        "hosts",
        "isolation",
        "local-models",
        "people",
        "races",
        "ranking",
        "ranking-measurements",
        "ranking-method",
        "runs",
        "security",
        "sidebar",
        "validation",
    ];
    let place = format!("{directory}/docs");
    fs::create_dir_all(&place).map_err(at(&place))?;
    for page in PAGES {
        let name = format!("docs/{page}.md");
        let text = fs::read_to_string(&name).map_err(at(&name))?;
        let target = Path::new(directory).join(&name);
        fs::write(&target, without_pictures(&text).replace(SCHEMAS, "schemas")).map_err(at(&target))?;
    }
    Ok(())
}

/// A page without the paragraphs that consist of a picture.
fn without_pictures(page: &str) -> String {
    let paragraphs: Vec<&str> = page.split("\n\n").filter(|paragraph| !paragraph.starts_with("![")).collect();
    paragraphs.join("\n\n")
}

/// Builds the core in its own directory. It is shrunk only if it differs from the last time, because that takes a minute.
fn core() -> Result {
    module(MADE, "release", &[])?;
    let compiled = fs::read(format!("{MADE}/core_bg.wasm")).map_err(at(MADE))?;
    let tool = process::output("wasm-opt --version").ok_or("wasm-opt is missing")?;
    let (from, small) = (format!("{MADE}/made-from"), format!("{MADE}/small.wasm"));
    let now = [tool.as_bytes(), b"\n", &compiled].concat();
    if fs::read(&from).is_ok_and(|before| before == now) && Path::new(&small).is_file() {
        return Ok(());
    }
    process::run(&format!("wasm-opt {SMALLER} {MADE}/core_bg.wasm --output {small}"))?;
    fs::write(&from, now).map_err(at(&from))
}

/// Compiles the core in cargo's `release` or `dev` profile, and writes it to a directory as a module for JavaScript.
pub(crate) fn module(directory: &str, profile: &str, options: &[&str]) -> Result {
    let line = format!(
        "cargo build --quiet -p design-lab-wasm --lib --target-dir target --target {WASM_TARGET} --profile {profile} --locked"
    );
    process::finish(process::command(&line).args(options).envs(wasm_environment()?))?;
    let built_in = if profile == "dev" { "debug" } else { profile };
    process::run(&format!(
        "cargo run --quiet -p bindgen --locked -- target/{WASM_TARGET}/{built_in}/design_lab_wasm.wasm {directory}"
    ))
}

/// Makes the module in a directory smaller and faster.
pub(crate) fn optimise(directory: &str) -> Result {
    let module = format!("{directory}/core_bg.wasm");
    process::run(&format!("wasm-opt {SMALLER} {module} --output {module}"))
}

/// Gives the package the version of the workspace.
fn set_version(directory: &str) -> Result {
    const PLACEHOLDER: &str = "\"version\": \"0.0.0\"";
    let path = Path::new(directory).join("package.json");
    let template = fs::read_to_string(&path).map_err(at(&path))?;
    if !template.contains(PLACEHOLDER) {
        return Err(format!("pkg-template/package.json must contain {PLACEHOLDER}"));
    }
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    fs::write(&path, template.replace(PLACEHOLDER, version)).map_err(at(&path))
}

fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains(".test.") || name == "test" || name == "tests"
}

fn copy_tree(from: impl AsRef<Path>, to: impl AsRef<Path>, wanted: &dyn Fn(&Path) -> bool) -> Result {
    let (from, to) = (from.as_ref(), to.as_ref());
    fs::create_dir_all(to).map_err(at(to))?;
    for path in entries(from)?.into_iter().filter(|path| wanted(path)) {
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_tree(&path, &target, wanted)?;
        } else {
            fs::copy(&path, &target).map_err(at(&path))?;
        }
    }
    Ok(())
}

/// The entries of a directory, in order of name.
pub(crate) fn entries(directory: &Path) -> Result<Vec<PathBuf>> {
    let listed: io::Result<Vec<PathBuf>> = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect());
    let mut paths = listed.map_err(at(directory))?;
    paths.sort();
    Ok(paths)
}

fn at(path: impl AsRef<Path>) -> impl Fn(io::Error) -> String {
    move |error| format!("{}: {error}", path.as_ref().display())
}
