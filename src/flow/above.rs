//! Files above a copy. Many tools search the parent directories of where they run for their settings, so what lies there takes part
//! in a check, although it isn't among the project's files. A copy is therefore outside the project, in a directory for temporary
//! files. Above it there should be nothing of the kind: what is found makes the copy unclean.

use super::evidence::some;
use kernel::visible;

/// Names that tools look for in parent directories.
pub fn found_above() -> &'static [&'static str] {
    &[
        // Node.js, Deno and Bun
        "node_modules",
        "package.json",
        ".npmrc",
        ".yarnrc",
        ".yarnrc.yml",
        ".pnp.cjs",
        "pnpm-workspace.yaml",
        "tsconfig.json",
        "jsconfig.json",
        "babel.config.js",
        "babel.config.cjs",
        "babel.config.json",
        ".babelrc",
        ".swcrc",
        ".mocharc.js",
        ".mocharc.cjs",
        ".mocharc.json",
        ".mocharc.yml",
        ".nycrc",
        "deno.json",
        "deno.jsonc",
        "bunfig.toml",
        // Python
        "pytest.ini",
        ".pytest.ini",
        "pyproject.toml",
        "tox.ini",
        "setup.cfg",
        "setup.py",
        "conftest.py",
        ".coveragerc",
        "uv.toml",
        // Rust
        ".cargo",
        "Cargo.toml",
        "rust-toolchain",
        "rust-toolchain.toml",
        // Go
        "go.work",
        "go.mod",
        // The JVM
        ".mvn",
        "pom.xml",
        "settings.gradle",
        "settings.gradle.kts",
        // .NET
        "Directory.Build.props",
        "Directory.Build.targets",
        "Directory.Packages.props",
        "global.json",
        "NuGet.Config",
        "nuget.config",
        // Ruby and PHP
        "Gemfile",
        ".bundle",
        ".rspec",
        "composer.json",
        // Versions of tools, and variables
        ".tool-versions",
        ".mise.toml",
        "mise.toml",
        ".node-version",
        ".nvmrc",
        ".python-version",
        ".ruby-version",
        ".env",
    ]
}

/// What makes a copy unclean, in words; `None` when nothing was found. `found`: absolute paths.
pub(super) fn unclean(found: &[String]) -> Option<String> {
    (!found.is_empty()).then(|| format!("tools find {} in parent directories", visible::line(&some(found))))
}

/// The warning about such files.
pub(super) fn told_of(found: &[String]) -> String {
    let them = if found.len() == 1 { "it" } else { "them" };
    format!(
        "Flow's copies of the project are not clean, because tools that search parent directories find {}. \
         Move {them} elsewhere, or set `TMPDIR` to a directory that has no such files above it.",
        visible::line(&some(found))
    )
}
