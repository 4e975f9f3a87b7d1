//! Posed vertices compared with Blender's and with the boxes that real files state.

use crate::support::*;
use ligament::Scene;
use ligament::formats::pfobj::{Dialect, Document};
use ligament::formats::pfobj::{EULER_ORDER, EulerOrder};
use ligament::formats::{self, ReadOptions, WriteOptions};
use ligament::io::MemoryOutput;
use ligament::math::Vec3;
use ligament::pose::{self, Pose};
use ligament::report::Report;
use ligament::scene::Clip;
use ligament::settings::Own;
use std::collections::HashMap;

/// The posed positions of a scene, in the order of the file's vertices.
fn posed(scene: &Scene, document: &Document, clip: &Clip, frame: u32) -> Vec<Vec3> {
    let pose = Pose::at(scene, clip, clip.frames.expect("sampled").time(frame));
    let node = scene.node_ids().find(|n| scene.nodes[n.index()].mesh.is_some()).expect("a mesh");
    let parts = pose::deform(scene, &pose, node);
    let part_of: HashMap<u32, usize> =
        scene.meshes[0].parts.iter().enumerate().map(|(i, p)| (p.material.expect("has one").0, i)).collect();
    let mut next = vec![0; parts.len()];
    (0..document.vertex_count())
        .map(|corner| {
            let part = part_of[&document.vertices.materials.get(corner / 3 * 3).copied().unwrap_or(0)];
            next[part] += 1;
            parts[part].positions[next[part] - 1]
        })
        .collect()
}

#[test]
fn poses_agree_with_blender() {
    let own = corpus("own/pfobj");
    let mut vertices = 0;
    for (file, oracle) in [
        ("bend_tube.pfobj", "bend_tube.oracle.json"),
        ("bend_tube_spec_euler.pfobj", "bend_tube.oracle.json"),
        ("worm.pfobj", "worm.oracle.json"),
    ] {
        let scene = scene(&own.join(file));
        let document = parse(&std::fs::read(own.join(file)).expect("readable")).0.expect("valid");
        let oracle: HashMap<String, Vec<Vec<[f32; 3]>>> =
            serde_json::from_slice(&std::fs::read(own.join(oracle)).expect("readable"))
                .expect("clips of frames");
        assert_eq!(scene.clips.len(), oracle.len());
        let mut worst: f32 = 0.0;
        for clip in &scene.clips {
            let frames = &oracle[&clip.name];
            assert_eq!(clip.frames.map(|f| f.count as usize), Some(frames.len()), "{file} {}", clip.name);
            for (frame, expected) in frames.iter().enumerate() {
                let posed = posed(&scene, &document, clip, frame as u32);
                assert_eq!(posed.len(), expected.len());
                for (&posed, &expected) in posed.iter().zip(expected) {
                    worst = worst.max((posed - Vec3::from_array(expected)).abs().max_element());
                    vertices += 1;
                }
            }
        }
        println!("{file}: worst {worst:.1e}");
        assert!(worst < 3e-5, "{file}: {worst}");
    }
    assert_eq!(vertices, 2 * 324 * 16 + 348 * 14);
}

#[test]
fn the_order_of_euler_angles_can_be_chosen() {
    let own = corpus("own/pfobj");
    let file = own.join("bend_tube_spec_euler.pfobj");
    let oracle: HashMap<String, Vec<Vec<[f32; 3]>>> =
        serde_json::from_slice(&std::fs::read(own.join("bend_tube.oracle.json")).expect("readable"))
            .expect("clips of frames");
    let bytes = std::fs::read(&file).expect("readable");
    let document = parse(&bytes).0.expect("valid");
    let worst = |document: &Document, order: EulerOrder| {
        let options = ReadOptions { own: Own::with(&EULER_ORDER, order), ..ReadOptions::default() };
        let boxed: Box<dyn formats::Document> = Box::new(document.clone());
        let scene = boxed.import(&options, &mut Report::default()).expect("imports");
        let mut worst: f32 = 0.0;
        for clip in &scene.clips {
            for (frame, expected) in oracle[&clip.name].iter().enumerate() {
                let posed = posed(&scene, document, clip, frame as u32);
                let off = |(&a, &b): (&Vec3, &[f32; 3])| (a - Vec3::from_array(b)).abs().max_element();
                worst = posed.iter().zip(expected).map(off).fold(worst, f32::max);
            }
        }
        (worst, scene)
    };
    let (right, scene) = worst(&document, EulerOrder::default());
    let (wrong, _) = worst(&document, EulerOrder::Xyz);
    println!("worst {right:.1e} as Rz·Ry·Rx, {wrong:.3} as Rx·Ry·Rz");
    assert!(right < 3e-5, "{right}");
    assert!((wrong - 0.58).abs() < 0.005, "{wrong}");
    // Angles written in the other order mean the same when they are read in it.
    let options = WriteOptions { own: Own::with(&EULER_ORDER, EulerOrder::Xyz), ..WriteOptions::default() };
    let mut report = Report::default();
    let other = ligament::formats::pfobj::FORMAT.export(scene, None, &options, &mut report).expect("exports");
    let mut output = MemoryOutput::new("other");
    other.write(&mut output, &mut report).expect("writes");
    let other = parse(&output.main).0.expect("valid");
    let (right, _) = worst(&other, EulerOrder::Xyz);
    let (wrong, _) = worst(&other, EulerOrder::Zyx);
    assert!(right < 3e-5 && wrong > 0.1, "{right} {wrong}");
}

#[test]
fn poses_fill_the_boxes_that_real_files_state() {
    let real = corpus("real/pfobj");
    // The arrow's exporter put boxes around the corners of boxes, so its boxes are loose: they only have to contain the
    // model.
    for (file, tight, count) in [("mage.pfobj", true, 96), ("arrow-green.pfobj", false, 24)] {
        let scene = scene(&real.join(file));
        let document = parse(&std::fs::read(real.join(file)).expect("readable")).0.expect("valid");
        let (mut worst, mut frames): (f32, usize) = (0.0, 0);
        for (clip, stated) in scene.clips.iter().zip(&document.clips) {
            for (frame, stated) in stated.bounds.iter().enumerate() {
                let pose = Pose::at(&scene, clip, clip.frames.expect("sampled").time(frame as u32));
                let posed = pose::bounds(&scene, &pose).expect("has vertices");
                for (axis, [least, greatest]) in stated.iter().enumerate() {
                    let outside = (least - posed.min[axis]).max(posed.max[axis] - greatest);
                    let inside = (posed.min[axis] - least).max(greatest - posed.max[axis]);
                    worst = worst.max(outside).max(if tight { inside } else { 0.0 });
                }
                frames += 1;
            }
        }
        println!("{file}: worst {worst:.1e} over {frames} frames");
        assert_eq!(frames, count);
        assert!(worst < 1e-4, "{file}: {worst}");
    }
}

#[test]
fn both_dialects_pose_as_blender_does() {
    let own = corpus("own/pfobj");
    let oracle: HashMap<String, Vec<Vec<[f32; 3]>>> =
        serde_json::from_slice(&std::fs::read(own.join("bend_tube.oracle.json")).expect("readable"))
            .expect("clips of frames");
    for (file, dialect) in
        [("bend_tube.pfobj", Dialect::Document), ("bend_tube_spec_euler.pfobj", Dialect::Engine)]
    {
        let (text, _, _) = reencode(&std::fs::read(own.join(file)).expect("readable"), dialect);
        let document = parse(&text).0.expect("what was written is valid");
        assert_eq!(document.dialect, dialect);
        let header = String::from_utf8_lossy(&text[..200]).into_owned();
        assert_eq!(header.contains("num_materials  1"), dialect == Dialect::Engine, "{header}");
        assert_eq!(header.contains("num_material   1"), dialect == Dialect::Document, "{header}");
        let scene = import(document.clone());
        let mut worst: f32 = 0.0;
        for clip in &scene.clips {
            for (frame, expected) in oracle[&clip.name].iter().enumerate() {
                let posed = posed(&scene, &document, clip, frame as u32);
                for (&posed, &expected) in posed.iter().zip(expected) {
                    worst = worst.max((posed - Vec3::from_array(expected)).abs().max_element());
                }
            }
        }
        println!("{file} as {}: worst {worst:.1e}", dialect.id());
        assert!(worst < 3e-5, "{file}: {worst}");
    }
}
