//! `cargo xtask blender`: makes the add-on's zips. `cargo xtask test` also runs its tests in real Blenders.

mod installed;

use crate::corpus;
use crate::python;
use crate::run::{Result, at_once, cargo, is_ci, root, run};
pub use installed::Blender;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the zips.
fn folder() -> PathBuf {
    root().join("target/blender")
}

/// Makes the zips for distribution, and prints where they are.
pub fn package() -> Result {
    if !zips("dist")? {
        return Err("the zips need Python, which is missing".into());
    }
    println!(
        "   Blender 4.2 and later: Edit → Preferences → Get Extensions → Install from Disk; older: Add-ons → Install"
    );
    Ok(())
}

/// Makes the zips in [`folder`] with a wheel of one of cargo's profiles. Returns whether that was possible.
pub fn zips(profile: &str) -> Result<bool> {
    same_version()?;
    let Some(python) = python::environment()? else { return Ok(false) };
    let wheel = python.wheel(profile)?;
    let _ = fs::remove_dir_all(folder());
    run(python.run(&["blender/package.py"]).arg(folder()).arg(wheel))?;
    Ok(true)
}

/// Checks the add-on's version, which it states twice, for old and new Blenders.
fn same_version() -> Result {
    let version = env!("CARGO_PKG_VERSION");
    let read = |name: &str| {
        let path = root().join("blender/ligament_io").join(name);
        fs::read_to_string(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let tuple = version.replace('.', ", ");
    let manifest = read("blender_manifest.toml")?.contains(&format!("\nversion = \"{version}\"\n"));
    let legacy = read("__init__.py")?.contains(&format!("\"version\": ({tuple}),"));
    if manifest && legacy { Ok(()) } else { Err(format!("the add-on's version is not {version}")) }
}

/// Checks that the add-on's manual explains exactly the add-on's codes.
fn explained() -> Result {
    let codes = |path: &str| -> Result<BTreeSet<String>> {
        let text =
            fs::read_to_string(root().join(path)).map_err(|error| format!("cannot read {path}: {error}"))?;
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let is_code =
            |w: &&str| w.len() == 5 && w.starts_with("BL") && w[2..].bytes().all(|b| b.is_ascii_digit());
        Ok(words.filter(is_code).map(str::to_owned).collect())
    };
    let (used, listed) = (codes("blender/ligament_io/notes.py")?, codes("docs/blender.md")?);
    let wrong: Vec<_> = used.symmetric_difference(&listed).cloned().collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("docs/blender.md and the add-on differ in {}", wrong.join(", ")))
    }
}

/// Installs the add-on in every available Blender, as a user does, and runs its tests there.
pub fn test() -> Result {
    explained()?;
    // The program that `cargo test` has built: built alone, its dependencies would have different features.
    run(&mut cargo(&["test", "--locked", "--no-run", "--test", "cli"]))?;
    if !zips("dev")? {
        println!("skipped the Blender add-on's tests: Python is missing");
        return Ok(());
    }
    let blenders = installed::all()?;
    // Each uses one core.
    at_once(blenders.iter().enumerate().collect(), |(core, blender)| tests_in(blender, core))
        .into_iter()
        .collect::<Result>()?;
    println!("   tested in {} of {} Blenders", blenders.len(), installed::WANTED);
    if is_ci() && blenders.len() < installed::WANTED {
        return Err("nothing may be skipped under CI=true".into());
    }
    Ok(())
}

/// The newest Blender, and the folder of the zips as distributed; `None` if there is no such Blender.
pub fn for_measuring() -> Result<Option<(Blender, PathBuf)>> {
    let Some(blender) = installed::newest()? else { return Ok(None) };
    Ok(zips("dist")?.then(|| (blender, folder())))
}

/// Isolates a Blender from the user's settings and add-ons.
pub fn settings_of_its_own(command: &mut Command, name: &str) -> Result {
    let user = folder().join(format!("user-{name}"));
    let _ = fs::remove_dir_all(&user);
    fs::create_dir_all(&user).map_err(|error| format!("cannot create {}: {error}", user.display()))?;
    command.env("BLENDER_USER_RESOURCES", &user);
    command.env("BLENDER_USER_SCRIPTS", user.join("scripts")).env("BLENDER_USER_CONFIG", user.join("config"));
    Ok(())
}

/// Runs the tests in one Blender, with its own settings, on one core if there are several.
fn tests_in(blender: &Blender, core: usize) -> Result {
    let out = folder().join(format!("result-{}.txt", blender.version));
    let _ = fs::remove_file(&out);
    let mut command = blender.script(Path::new("blender/tests/harness.py"));
    command.arg(folder()).arg(corpus::corpus("")).arg(root().join("target/debug/ligament")).arg(&out);
    if let Some(man) = corpus::extra("real/gltf/CesiumMan.glb") {
        command.env("LIGAMENT_EXTRA_MODEL", man);
    }
    command.env("LIGAMENT_CORE", core.to_string());
    settings_of_its_own(&mut command, &blender.version)?;
    // Blender 3.4 always exits successfully, so only the harness's results count.
    let log = crate::run::output(&mut command);
    let told = fs::read_to_string(&out)
        .map_err(|_| format!("Blender {} did not run the tests: {log:?}", blender.version))?;
    let mut shown: String =
        told.lines().filter(|line| !line.starts_with("passed")).map(|line| format!("   {line}\n")).collect();
    let passed = told.lines().filter(|line| line.starts_with("passed ")).count();
    let failed = told.lines().filter(|line| line.starts_with("FAILED ")).count();
    shown += &format!("   Blender {}: {passed} passed, {failed} failed", blender.version);
    println!("{shown}");
    let finished = told.lines().any(|line| line.starts_with("finished "));
    if failed == 0 && passed > 0 && finished {
        Ok(())
    } else {
        Err(format!("the add-on's tests in Blender {} did not all pass", blender.version))
    }
}
