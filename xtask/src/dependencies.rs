//! Checks that `docs/dependencies.md` lists exactly the dependencies in the manifests, and that the Python module builds
//! none of them a second time.

use crate::python::AS_IN_WORKSPACE;
use crate::run::{Result, cargo, output, root};
use std::collections::BTreeSet;

const MANIFESTS: [&str; 12] = [
    "Cargo.toml",
    "crates/ligament/Cargo.toml",
    "crates/ligament-cli/Cargo.toml",
    "crates/ligament-py/Cargo.toml",
    "crates/ligament-render/Cargo.toml",
    "crates/ligament-view/Cargo.toml",
    "crates/ligament-watch/Cargo.toml",
    "crates/ligament-web/Cargo.toml",
    "crates/ligament-web/bindgen/Cargo.toml",
    "xtask/Cargo.toml",
    "fuzz/Cargo.toml",
    "benches/Cargo.toml",
];

/// Compares names both ways.
pub fn check() -> Result {
    let read = |path: &str| {
        std::fs::read_to_string(root().join(path)).map_err(|error| format!("cannot read {path}: {error}"))
    };
    let mut used = BTreeSet::new();
    for manifest in MANIFESTS {
        used.extend(names(&read(manifest)?));
    }
    let listed = listed(&read("docs/dependencies.md")?);
    let missing: Vec<_> = used.difference(&listed).map(|name| format!("{name} is not listed")).collect();
    let gone: Vec<_> =
        listed.difference(&used).map(|name| format!("{name} is listed but not used")).collect();
    println!("   {} dependencies", used.len());
    let wrong = [missing, gone].concat();
    if wrong.is_empty() { Ok(()) } else { Err(format!("docs/dependencies.md: {}", wrong.join(", "))) }
}

/// Checks that the dependencies of the tests' wheel have the same features as in the whole workspace. Cargo unifies
/// features over the selected packages: a dependency whose features differ is built a second time, and so is everything
/// that uses it.
pub fn built_once() -> Result {
    let all = features(&["--workspace", "--edges", "normal,dev"])?;
    let module = features(&["-p", "ligament-py", "--features", AS_IN_WORKSPACE, "--edges", "normal"])?;
    let own = |package: &&String| !package.starts_with("ligament-py ");
    let again: Vec<_> = module.difference(&all).filter(own).map(|package| format!("\n  {package}")).collect();
    if again.is_empty() {
        return Ok(());
    }
    Err(format!(
        "the tests' wheel builds these again, with other features than the workspace; change `{AS_IN_WORKSPACE}` in \
         crates/ligament-py/Cargo.toml:{}",
        again.concat()
    ))
}

/// The packages of a selection, each with its version and features.
fn features(selection: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = cargo(&["tree", "--locked", "--prefix", "none", "--format", "{p} {f}"]);
    let tree = output(tree.args(selection))?;
    // Cargo marks packages that it has shown before.
    Ok(tree.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
}

/// The dependencies of a manifest, without our own crates. Understands as much TOML as our manifests use.
fn names(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim_end().ends_with("dependencies]");
        } else if inside && let Some((name, _)) = line.split_once(['.', '=', ' ']) {
            names.insert(name.trim().to_owned());
        }
    }
    names.retain(|name| !name.is_empty() && !name.starts_with('#') && !name.starts_with("ligament"));
    names
}

/// The names in backticks in the first column of the page's tables.
fn listed(page: &str) -> BTreeSet<String> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let first_cells = rows.filter_map(|row| row.split(" |").next());
    let names =
        first_cells.flat_map(|cell| cell.split('(').next().unwrap_or("").split('`').skip(1).step_by(2));
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_both_sides() {
        let manifest = "[package]\nname = \"x\"\n[dev-dependencies]\nglam.workspace = true\n# why\npng = \"1\"\n\n\
            ligament = { path = \"..\" }\n[lints]\nworkspace = true\n";
        assert_eq!(names(manifest), BTreeSet::from(["glam".into(), "png".into()]));
        let page = "| dependency | what |\n|---|---|\n| `glam`, `png` (feature `x`) | `other` |\n";
        assert_eq!(listed(page), BTreeSet::from(["glam".into(), "png".into()]));
    }
}
