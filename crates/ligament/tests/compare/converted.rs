//! Conversions of real models, whose true deviation is known from another program or because nothing moves.

use crate::support;
use ligament::compare::Comparison;
use ligament::{ConvertOptions, convert};
use std::path::Path;

fn converted(source: &Path, extension: &str) -> Comparison {
    converted_with(source, extension, &ConvertOptions::default())
}

fn converted_with(source: &Path, extension: &str, options: &ConvertOptions) -> Comparison {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join(format!("model.{extension}"));
    let (done, _) = convert(source, target, options).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
    done.comparison.expect("verified by default")
}

/// What a separate program finds that reads the GLB by itself, poses it in f64 and takes the largest distance between
/// the start of each of 24 frames per second and any key or end within it.
#[test]
fn clips_that_became_steps_are_measured_where_the_steps_end() {
    for (file, clip, expected) in
        [("BoxAnimated", 0, 0.050_169_9), ("Fox", 1, 0.108_142), ("Fox", 2, 0.117_059)]
    {
        let source = support::corpus(&format!("real/gltf/{file}.glb"));
        let found = converted(&source, "pfobj").by_clip[1 + clip].relative;
        assert!((found - expected).abs() < 1e-6, "{file}: {found}");
    }
}

/// These conversions move no vertex by more than rounding. Polygons are cut, turned, mirrored and joined.
#[test]
fn polygons_that_are_stored_differently_do_not_deviate() {
    let test = "polygons_that_are_stored_differently_do_not_deviate";
    let Some(models) = support::assimp_models(test) else { return };
    for (file, extensions) in [
        ("FBX/close_to_identity_transforms.fbx", &["obj", "pfobj"][..]),
        ("FBX/cubes_with_mirroring_and_pivot.fbx", &["obj"]),
        ("Collada/duck.dae", &["qmsh.tmp", "gltf"]),
        ("Collada/COLLADA.dae", &["gltf", "qmsh.tmp", "pfobj", "apg", "amo", "bgl", "qmsh"]),
    ] {
        for extension in extensions {
            let found = converted(&models.join(file), extension);
            let worst = found.worst.expect("something was compared").relative;
            assert!(worst < 1e-5 && found.doubtful == 0, "{file} to {extension}: {worst}");
        }
    }
}

/// Two skins, objects on joints, three materials, and a rest pose that no such format stores: it is 9.4 % off, as the
/// losses say, and the clips are not.
#[test]
fn a_robot_of_many_objects_moves_as_before() {
    let Some(robot) = support::find("real/three/RobotExpressive.glb") else { return };
    let mut options = ConvertOptions::default();
    options.write.influences = Some(4);
    let found = converted_with(&robot, "apg", &options);
    assert!((found.by_clip[0].relative - 0.09405).abs() < 1e-5, "{:?}", found.by_clip[0]);
    assert_eq!((found.by_clip.len(), found.doubtful), (15, 0));
    for clip in &found.by_clip[1..] {
        assert!(clip.relative < 1e-5, "{clip:?}");
    }
}
