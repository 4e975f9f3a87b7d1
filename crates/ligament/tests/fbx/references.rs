//! Poses compared with the OBJ files that Maya and Blender exported of the same frames.

use super::{document, support};
use ligament::formats::{Document as _, ReadOptions};
use ligament::math::DVec3;
use ligament::pose::{Pose, deform};
use ligament::report::Report;
use std::path::Path;

/// File, frame, OBJ, and the length of the OBJ's unit in metres. Without a frame, the rest pose.
const REFERENCES: [(&str, Option<u32>, &str, f64); 13] = [
    ("maya_blend_inbetween_7500_ascii", Some(1), "maya_blend_inbetween_1", 0.01),
    ("maya_blend_inbetween_7500_ascii", Some(30), "maya_blend_inbetween_30", 0.01),
    ("maya_blend_inbetween_7500_ascii", Some(60), "maya_blend_inbetween_60", 0.01),
    ("maya_blend_inbetween_7500_ascii", Some(65), "maya_blend_inbetween_65", 0.01),
    ("maya_blend_inbetween_7500_ascii", Some(71), "maya_blend_inbetween_71", 0.01),
    ("maya_blend_inbetween_7500_ascii", Some(80), "maya_blend_inbetween_80", 0.01),
    ("maya_blend_inbetween_7500_ascii", Some(89), "maya_blend_inbetween_89", 0.01),
    ("maya_blend_inbetween_7500_ascii", Some(120), "maya_blend_inbetween_120", 0.01),
    ("maya_extrapolate_cube_7700_ascii", Some(26), "maya_extrapolate_cube_26", 0.01),
    ("maya_extrapolate_cube_7700_ascii", Some(60), "maya_extrapolate_cube_60", 0.01),
    ("maya_extrapolate_cube_7700_ascii", Some(80), "maya_extrapolate_cube_80", 0.01),
    ("maya_extrapolate_cube_7700_ascii", Some(100), "maya_extrapolate_cube_100", 0.01),
    ("blender_331_static_blend_shape_7400_binary", None, "blender_331_static_blend_shape", 1.0),
];

fn points(path: &Path, unit: f64) -> Vec<DVec3> {
    let text = std::fs::read_to_string(path).unwrap();
    let numbers = |line: &str| line.split_whitespace().map(|n| n.parse::<f64>().unwrap() * unit).collect();
    let points = text.lines().filter_map(|line| line.strip_prefix("v ")).map(|line| {
        let numbers: Vec<f64> = numbers(line);
        DVec3::new(numbers[0], numbers[1], numbers[2])
    });
    points.collect()
}

/// The largest distance of a point from the nearest one of the others.
fn farthest(from: &[DVec3], to: &[DVec3]) -> f64 {
    let nearest = |a: &DVec3| to.iter().map(|b| a.distance(*b)).fold(f64::MAX, f64::min);
    from.iter().map(nearest).fold(0.0, f64::max)
}

#[test]
fn frames_are_where_the_modelling_program_exported_them() {
    let Some(folder) = support::shared().map(|shared| shared.join("real/ufbx")) else {
        println!("skipped: the models beside the clone are missing");
        return;
    };
    for (name, frame, reference, unit) in REFERENCES {
        let options = ReadOptions::default();
        let bytes = std::fs::read(folder.join(name).with_extension("fbx")).unwrap();
        let file = document(&bytes, &options).0.unwrap();
        let (fps, begin) = (file.scene().settings.frames_per_second, file.scene().anim_stacks.first());
        let begin = begin.map_or(0.0, |stack| stack.time_begin);
        let scene = Box::new(file).import(&options, &mut Report::default()).unwrap();
        let pose = match frame {
            Some(frame) => Pose::at(&scene, &scene.clips[0], (f64::from(frame) / fps - begin) as f32),
            None => Pose::rest(&scene),
        };
        let posed = scene.node_ids().flat_map(|node| deform(&scene, &pose, node));
        let ours: Vec<DVec3> =
            posed.flat_map(|part| part.positions).map(|position| position.as_dvec3()).collect();
        let theirs = points(&folder.join(reference).with_extension("obj"), unit);
        let size = theirs.iter().map(|point| point.distance(theirs[0])).fold(0.0, f64::max);
        let off = farthest(&ours, &theirs).max(farthest(&theirs, &ours)) / size;
        println!("{reference}: {off:.1e}");
        // The OBJ has six decimals.
        assert!(off < 1e-4, "{reference}: {off}");
    }
}
