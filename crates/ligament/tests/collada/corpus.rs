//! Every COLLADA file of Debian's `assimp-testmodels`.

use super::{read, support};
use ligament::pose::{Pose, bounds};
use std::path::{Path, PathBuf};

/// The models of Debian's package. Without them the test is skipped by name, except on CI, where they must be there.
pub fn models(test: &str) -> Option<PathBuf> {
    let path = Path::new("/usr/share/assimp/models/Collada");
    if path.is_dir() {
        return Some(path.to_owned());
    }
    assert!(std::env::var_os("CI").is_none(), "{test}: assimp-testmodels is missing");
    eprintln!("skipped {test}: assimp-testmodels is not installed");
    None
}

pub fn is_model(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
}

#[test]
fn every_file_of_assimps_models_is_read() {
    let Some(models) = models("every_file_of_assimps_models_is_read") else { return };
    let files = support::files_below(&models);
    let (mut text, mut archives) = (0, 0);
    for path in &files {
        let is_archive = is_model(path, "zae");
        if !is_archive && !is_model(path, "dae") {
            continue;
        }
        let (scene, report) = read(path);
        for diagnostic in report.diagnostics() {
            println!("{}: {diagnostic}", path.display());
        }
        for loss in report.losses() {
            println!(
                "{}: {} {} {}: {} {:?}",
                path.display(),
                loss.code.id,
                loss.kind.name(),
                loss.object,
                loss.message,
                loss.kind
            );
        }
        let scene = scene.unwrap_or_else(|| panic!("{} was refused", path.display()));
        support::check_promise(&scene);
        let pose = Pose::rest(&scene);
        println!("{}: {:?} {:?}", path.display(), scene.counts(), bounds(&scene, &pose));
        if is_archive { archives += 1 } else { text += 1 }
    }
    assert_eq!((text, archives), (25, 3));
}
