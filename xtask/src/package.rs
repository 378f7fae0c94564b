//! The packed package: the file that users install, and its publication to npm.

use crate::{Result, build, process};
use std::fs;
use std::path::{Path, PathBuf};

const PLACE: &str = "target/packed";

/// Packs `pkg/` as npm does, and returns the absolute path of the tarball.
pub(crate) fn packed() -> Result<PathBuf> {
    if Path::new(PLACE).exists() {
        fs::remove_dir_all(PLACE).map_err(|error| format!("{PLACE}: {error}"))?;
    }
    fs::create_dir_all(PLACE).map_err(|error| format!("{PLACE}: {error}"))?;
    process::run(&format!("npm pack --silent --pack-destination {PLACE} ./pkg"))?;
    let made = build::entries(Path::new(PLACE))?.pop().ok_or("npm pack wrote no package")?;
    std::path::absolute(made).map_err(|error| error.to_string())
}

/// Builds the package and packs it.
pub(crate) fn pack() -> Result {
    build::run()?;
    let tarball = packed()?;
    println!("{}", tarball.display());
    Ok(())
}

/// Builds the package and publishes it with its provenance, if `tag` names its version.
pub(crate) fn publish(tag: &str) -> Result {
    check_tag(tag, env!("CARGO_PKG_VERSION"))?;
    build::run()?;
    let tarball = packed()?;
    process::finish(process::command("npm publish --provenance --access public").arg(tarball))
}

/// Checks that the tag matches the version of this program, which is that of the workspace and of the package.
fn check_tag(tag: &str, version: &str) -> Result {
    if tag.strip_prefix('v') == Some(version) {
        Ok(())
    } else {
        Err(format!(
            "The tag {tag} doesn't match the version {version}. Tag the release v{version}, or change the version in Cargo.toml."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tag_of_the_version_is_published() {
        assert_eq!(check_tag("v0.1.0", "0.1.0"), Ok(()));
        for tag in ["0.1.0", "v0.1.1", "vv0.1.0", "v0.1.0-rc.1", "", "main"] {
            let refused = check_tag(tag, "0.1.0").unwrap_err();
            assert!(refused.contains("Tag the release v0.1.0"), "{tag}: {refused}");
        }
    }
}
