//! Every COLLADA file of Debian's `assimp-testmodels`.

use super::{read, scene, support};
use ligament::math::{Quat, Vec3};
use ligament::pose::Pose;
use ligament::scene::{Scene, Values};
use std::path::{Path, PathBuf};

/// The COLLADA files among Assimp's models.
pub fn models(test: &str) -> Option<PathBuf> {
    support::assimp_models(test).map(|models| models.join("Collada"))
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
        let scene = scene.unwrap_or_else(|| panic!("{} was refused", path.display()));
        support::check_promise(&scene);
        println!(
            "{}: {:?}, {} diagnostics, {} losses",
            path.display(),
            scene.counts(),
            report.diagnostics().len(),
            report.losses().len()
        );
        if is_archive { archives += 1 } else { text += 1 }
    }
    assert_eq!((text, archives), (25, 3));
}

/// The angles of this file are linear, over several whole turns between two keys, which slerp between the keys would
/// not show.
#[test]
fn full_rotations_between_keys_are_turned() {
    let Some(models) = models("full_rotations_between_keys_are_turned") else { return };
    let scene: Scene = scene(&models.join("anims_with_full_rotations_between_keys.DAE"));
    let clip = &scene.clips[0];
    let node = scene.node_ids().find(|n| scene.nodes[n.index()].name == "Box001").expect("the box");
    assert!(clip.tracks.iter().any(|t| t.node == node && matches!(t.values, Values::Rotation(_))));
    // About Z (which points up) from 1080 to 1440 degrees between 0.033333 and 11.966667 seconds.
    let (start, end) = (0.033333_f32, 11.966667_f32);
    for part in [0.1_f32, 0.25, 0.4, 0.5, 0.75, 0.9] {
        let pose = Pose::at(&scene, clip, start + (end - start) * part);
        let turned = pose.globals[node.index()].transform_vector3(ligament::math::DVec3::X).as_vec3();
        let expected = Quat::from_rotation_y((360.0 * part).to_radians()) * Vec3::X;
        assert!(turned.abs_diff_eq(expected, 1e-4), "{part}: {turned} instead of {expected}");
    }
}

/// Decimal commas, in coordinates and in the unit.
#[test]
fn numbers_of_other_countries_are_read() {
    let Some(models) = models("numbers_of_other_countries_are_read") else { return };
    let scene = scene(&models.join("earthCylindrical.DAE"));
    let first = &scene.meshes[0].parts[0].positions;
    // A sphere of 34.69 centimetres.
    let radius = first.iter().map(|p| p.length()).fold(0.0_f32, f32::max);
    assert!((0.3..0.7).contains(&radius), "{radius}");
}
