//! Conversions to and from other formats: what must survive, and what must be reported.

use crate::{files, own, support, valid, write};
use ligament::formats::bogle::{Dialect, Document};
use ligament::math::{Quat, Vec3};
use ligament::report::{LossKind, Report};
use ligament::scene::{
    Clip, Faces, Influence, Influences, Interpolation, Local, Material, MaterialId, Mesh, MeshId, Node,
    NodeId, Part, Scene, Skin, SkinId, Track, Trs, Values,
};
use ligament::settings::{POSING, Posing};
use ligament::{Conversion, ConvertOptions, convert, read};
use std::path::Path;

fn deviation(done: &Conversion) -> f64 {
    let comparison = done.comparison.as_ref().expect("verified by default");
    comparison.worst.as_ref().map_or(0.0, |w| w.relative)
}

fn size(done: &Conversion) -> f64 {
    done.comparison.as_ref().expect("verified by default").size
}

fn stated_units(report: &Report) -> f64 {
    let units = |loss: &ligament::report::Loss| match loss.kind {
        LossKind::Approximated { size: Some(size), unit: "units" } => size,
        _ => 0.0,
    };
    report.losses().iter().map(units).fold(0.0, f64::max)
}

fn announced(report: &Report) -> bool {
    report.losses().iter().any(|l| l.kind != LossKind::Kept)
}

/// Files whose scenes have something to compare, without the broken one.
fn scenes(own: &Path) -> Vec<std::path::PathBuf> {
    files(own).into_iter().filter(|f| !f.to_string_lossy().contains("/bad/")).collect()
}

#[test]
fn a_way_through_glb_keeps_every_value() {
    let own = own();
    let mut count = 0;
    for path in scenes(&own) {
        let folder = tempfile::tempdir().expect("a folder");
        let (glb, back) = (folder.path().join("scene.glb"), folder.path().join("scene.bgl"));
        let options = ConvertOptions::default();
        let name = path.display();
        let (there, _) = convert(&path, &glb, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        // Between keys, the tracks follow the file's own motion within a hundred-thousandth.
        assert!(deviation(&there) < 1e-5, "{name}: {}", deviation(&there));
        let options = ConvertOptions {
            dialect: Some(valid(&path).dialect.id().to_owned()),
            ..ConvertOptions::default()
        };
        let (again, _) = convert(&glb, &back, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(deviation(&again) < 2e-5, "{name}: {}", deviation(&again));
        same_content(&path, &valid(&path), &valid(&back));
        count += 1;
    }
    assert_eq!(count, 19);
}

/// Compares everything except what conversions may change: rounding, and the keys that were added.
fn same_content(path: &Path, first: &Document, second: &Document) {
    let name = path.display();
    assert_eq!(first.ambient, second.ambient, "{name}");
    // The derived files of the document's dialect kept the type of the other dialects.
    let cameras = |d: &Document| {
        d.cameras
            .iter()
            .map(|c| ligament::formats::bogle::Camera { kind: 0, ..c.clone() })
            .collect::<Vec<_>>()
    };
    assert_eq!(cameras(first), cameras(second), "{name}");
    assert_eq!(first.lights, second.lights, "{name}");
    assert_eq!(first.dialect, second.dialect, "{name}");
    let linked = |d: &Document| {
        let tree = ligament::formats::bogle::tree::parse(d.tree.as_bytes(), d.objects.len()).expect("valid");
        let mut objects: Vec<_> = tree
            .order
            .iter()
            .map(|&o| (d.objects[o as usize].name.clone(), d.objects[o as usize].clone()))
            .collect();
        objects.sort_by(|a, b| a.0.cmp(&b.0));
        objects
    };
    assert_eq!(linked(first).len(), linked(second).len(), "{name}");
    for ((key, a), (other, b)) in linked(first).iter().zip(&linked(second)) {
        assert_eq!(key, other, "{name}");
        // Bones are written parents first, because the engine has trouble with other orders.
        let ordered = (a.collection as usize).checked_sub(1).is_none_or(|c| {
            let bones = &first.collections[c].bones;
            bones.iter().enumerate().all(|(i, bone)| bone.parent as usize <= i)
        });
        let component = |n: u32| n > 0;
        assert_eq!((a.camera, a.light), (b.camera, b.light), "{name} {key}");
        assert_eq!(component(a.geometry), component(b.geometry), "{name} {key}");
        assert_eq!(component(a.collection), component(b.collection), "{name} {key}");
        for (x, y) in a.matrix.iter().zip(&b.matrix) {
            assert!((x - y).abs() < 2e-6, "{name} {key}: {:?} {:?}", a.matrix, b.matrix);
        }
        if a.geometry > 0 {
            let (m, n) =
                (&first.materials[a.material as usize - 1], &second.materials[b.material as usize - 1]);
            assert_eq!(m, n, "{name} {key}");
            let g = &first.geometries[a.geometry as usize - 1];
            let h = &second.geometries[b.geometry as usize - 1];
            assert_eq!((&g.name, &g.indices), (&h.name, &h.indices), "{name} {key}");
            assert_eq!(g.vertices.len(), h.vertices.len());
            for (v, w) in g.vertices.iter().zip(&h.vertices) {
                assert_eq!(
                    (v.position, v.normal, v.tangent),
                    (w.position, w.normal, w.tangent),
                    "{name} {key}"
                );
                let near = |a: &[f32], b: &[f32], by: f32| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= by);
                assert!(near(&v.uv, &w.uv, 1e-7), "{name} {key}: {:?} {:?}", v.uv, w.uv);
                assert!(near(&v.binormal, &w.binormal, 1e-6), "{name} {key}: {v:?} {w:?}");
                let slots = |v: &ligament::formats::bogle::Vertex, d: &Document| {
                    let all = v.bones.iter().zip(v.weights).filter(|(_, w)| *w != 0.0);
                    // glTF wants weights that sum to 1.
                    let sum: f32 = v.weights.iter().sum();
                    let round = |w: f32| (w / sum * 1e5).round() as u32;
                    let bone = |b: u32| if ordered { d.bone_indices.decode(b) } else { 0 };
                    all.map(|(&b, w)| (bone(b), round(w))).collect::<Vec<_>>()
                };
                assert_eq!(slots(v, first), slots(w, second), "{name} {key}");
            }
        }
        if a.collection > 0 {
            let c = &first.collections[a.collection as usize - 1];
            let d = &second.collections[b.collection as usize - 1];
            assert_eq!((&c.name, c.bones.len()), (&d.name, d.bones.len()), "{name} {key}");
            let names = |c: &ligament::formats::bogle::Collection| {
                c.animations.iter().map(|a| a.name.clone()).collect::<Vec<_>>()
            };
            assert_eq!(names(c), names(d), "{name} {key}");
            for (a, b) in c.bones.iter().zip(&d.bones).filter(|_| ordered) {
                assert_eq!(a.parent, b.parent, "{name} {key}");
                for (x, y) in a.position.iter().zip(&b.position) {
                    assert!((x - y).abs() < 1e-5, "{name}: {a:?} {b:?}");
                }
            }
            for (a, b) in c.animations.iter().zip(&d.animations) {
                // Only keys that are not of unit length need others between them to stay the same.
                let keys = (a.key_count(c.bones.len()), b.key_count(d.bones.len()));
                let unit = |k: ligament::formats::bogle::Keyframe<'_>| {
                    let length = |q: &[f32; 4]| q.iter().map(|v| v * v).sum::<f32>();
                    k.rotations.iter().all(|q| (length(q) - 1.0).abs() < 1e-5)
                };
                assert!(keys.0 == keys.1 || !a.keys(c.bones.len()).all(unit), "{name} {}: {keys:?}", a.name);
            }
        }
    }
}

#[test]
fn what_other_formats_hold_is_kept_or_announced() {
    let mut count = 0;
    for folder in ["real/gltf", "own/pfobj", "real/pfobj", "own/amo"] {
        for path in support::corpus_files(folder) {
            let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
            let large = std::fs::metadata(&path).map_or(0, |m| m.len()) > 3 << 20;
            if !["glb", "gltf", "pfobj"].contains(&extension.as_str()) || large {
                continue;
            }
            for posing in [Posing::Author, Posing::Engine] {
                let folder = tempfile::tempdir().expect("a folder");
                let mut options = ConvertOptions::default();
                options.read.own.set(&POSING, posing);
                options.write.own.set(&POSING, posing);
                let name = path.display();
                let (done, report) = convert(&path, folder.path().join("scene.bgl"), &options)
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                let off = deviation(&done);
                assert!(off < 1e-5 || announced(&report), "{name} {posing:?}: {off}");
                // The reported sizes hold, except for the effect of cutting influences.
                let cut = report.losses().iter().any(|l| l.code.id == "LS010");
                let stated = stated_units(&report) + 1e-5 * size(&done);
                assert!(cut || off * size(&done) <= stated, "{name} {posing:?}: {}", off * size(&done));
                count += 1;
            }
        }
    }
    assert!(count >= 30, "{count} conversions");
}

#[test]
fn external_geometry_is_written_on_request() {
    let own = own();
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("skin3.bgl");
    let options = ConvertOptions { dialect: Some("external".to_owned()), ..ConvertOptions::default() };
    let (done, _) = convert(own.join("skin3.bgl"), &target, &options).expect("converts");
    assert!(done.rewritten && done.dialect == "external");
    assert!(deviation(&done) == 0.0);
    let expected = std::fs::read(own.join("external_dialect/skin3.bgl")).expect("readable");
    assert!(std::fs::read(&target).expect("written") == expected);
    assert!(folder.path().join("geometries/TubeMesh.bgg").is_file());
    let (scene, _) = read(&target, &Default::default()).expect("reads with its folder");
    assert_eq!(scene.counts(), read(own.join("skin3.bgl"), &Default::default()).expect("reads").0.counts());
    let engine = write(&valid(&target), Dialect::Engine).main;
    assert!(engine == std::fs::read(own.join("skin3.bgl")).expect("readable"));
}

/// A strip of triangles along X, with one part per material; the vertices of each part follow one joint.
fn strip(parts: u32, joints: u32) -> Mesh {
    let part = |i: u32| Part {
        positions: [[0.0, 0.0], [0.9, 0.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(i as f32 + x, y, 0.0)).into(),
        faces: Faces::Triangles(vec![0, 1, 2]),
        material: Some(MaterialId(i)),
        influences: {
            let mut influences = Influences::default();
            (0..3).for_each(|_| influences.push([Influence { joint: i % joints, weight: 1.0 }]));
            influences
        },
        ..Part::default()
    };
    Mesh { name: "strip".into(), parts: (0..parts).map(part).collect(), ..Mesh::default() }
}

fn turning(node: u32, keys: u32, speed: f32) -> Track {
    let times = (0..keys).map(|i| i as f32 / 30.0).collect();
    let values = (0..keys).map(|i| Quat::from_rotation_y((i as f32 * speed).sin())).collect();
    Track {
        node: NodeId(node),
        interpolation: Interpolation::Linear,
        times,
        values: Values::Rotation(values),
    }
}

fn moving(node: u32, from: Vec3, to: Vec3) -> Track {
    let values = Values::Translation(vec![from, to]);
    Track { node: NodeId(node), interpolation: Interpolation::Linear, times: [0.0, 1.0].into(), values }
}

fn at(parent: Option<u32>, place: Vec3) -> Node {
    let local = Local::Trs(Trs { translation: place, ..Trs::IDENTITY });
    Node { parent: parent.map(NodeId), local, ..Node::default() }
}

fn skin(scene: &Scene, joints: &[u32]) -> Skin {
    let rest = ligament::pose::Pose::rest(scene).globals;
    let inverse = |&j: &u32| rest[j as usize].inverse().as_mat4().to_cols_array();
    Skin {
        joints: joints.iter().map(|&j| NodeId(j)).collect(),
        inverse_binds: joints.iter().map(inverse).collect(),
        ..Skin::default()
    }
}

fn written(scene: &Scene) -> (Scene, Report, f64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("scene.bgl");
    let (done, report) =
        ligament::write(scene.clone(), &path, &ConvertOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let (back, _) = read(&path, &Default::default()).expect("our own file");
    (back, report, deviation(&done), std::fs::metadata(&path).expect("written").len())
}

/// An object per material, all at the same place with the same skeleton: a copy of the skeleton for each would be many
/// times as large as the file, and be refused.
#[test]
fn objects_of_one_mesh_share_their_skeleton() {
    let (parts, joints, keys) = (60, 18, 1300);
    let mut scene = Scene { meshes: vec![strip(parts, joints)], ..Scene::default() };
    scene.materials = (0..parts).map(|i| Material { name: format!("m{i}"), ..Material::default() }).collect();
    for i in 0..joints {
        scene.add_node(at(i.checked_sub(1), Vec3::X * (i.min(1) as f32)));
    }
    scene.skins = vec![skin(&scene, &(0..joints).collect::<Vec<_>>())];
    scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
    let tracks = (0..joints).map(|i| turning(i, keys, 0.01 + 0.001 * i as f32)).collect();
    let duration = (keys - 1) as f32 / 30.0;
    scene.clips = vec![Clip { name: "wave".into(), duration, tracks, ..Clip::default() }];
    let (back, _, off, _) = written(&scene);
    assert!(off < 2e-5, "{off}");
    assert_eq!((back.skins.len(), back.joint_count()), (1, joints as usize));
    assert_eq!(back.nodes.iter().filter(|n| n.skin == Some(SkinId(0))).count(), parts as usize);
}

/// A root that never moves, or moves in one clip only, above the joint that carries the body.
#[test]
fn the_joint_that_carries_the_body_may_move() {
    let mut scene = Scene { meshes: vec![strip(2, 2)], ..Scene::default() };
    scene.materials = vec![Material::default(); 2];
    scene.add_node(at(None, Vec3::ZERO));
    scene.add_node(at(Some(0), Vec3::Y));
    scene.add_node(at(Some(1), Vec3::X));
    scene.skins = vec![skin(&scene, &[1, 2, 0])];
    scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
    let clip = |name: &str, tracks| Clip { name: name.into(), duration: 1.0, tracks, ..Clip::default() };
    scene.clips = vec![
        clip(
            "walk",
            vec![moving(1, Vec3::Y, Vec3::new(1.0, 2.0, 3.0)), turning(1, 30, 0.1), turning(2, 30, 0.2)],
        ),
        clip(
            "die",
            vec![moving(0, Vec3::ZERO, Vec3::Z * 2.0), moving(1, Vec3::Y, Vec3::ZERO), turning(0, 30, 0.1)],
        ),
        clip("still", vec![moving(0, Vec3::ZERO, Vec3::ZERO), turning(2, 30, 0.2)]),
    ];
    let (back, report, off, _) = written(&scene);
    assert!(off < 2e-5, "{off}");
    assert!(!report.losses().iter().any(|l| l.code.id == "BG510"), "{:?}", report.losses());
    assert_eq!((back.clips.len(), back.joint_count()), (3, 3));
}

/// Rigid parts below a moving node: each has a skeleton of that one node, whatever is between them.
#[test]
fn nodes_that_never_move_are_no_bones() {
    let mut scene = Scene { meshes: vec![strip(1, 1)], ..Scene::default() };
    scene.meshes[0].parts[0].influences = Influences::default();
    scene.materials = vec![Material::default()];
    scene.add_node(at(None, Vec3::X));
    let parts = 5;
    for i in 0..parts {
        scene.add_node(at(Some(0), Vec3::Y * i as f32));
        let turned = Trs { rotation: Quat::from_rotation_z(0.3), scale: Vec3::splat(0.5), ..Trs::IDENTITY };
        scene.add_node(Node {
            parent: Some(NodeId(1 + 2 * i)),
            local: turned.into(),
            mesh: Some(MeshId(0)),
            ..Node::default()
        });
    }
    let still = moving(1, Vec3::ZERO, Vec3::ZERO);
    let tracks = vec![moving(0, Vec3::X, Vec3::Z * 4.0), turning(0, 600, 0.05), still];
    scene.clips = vec![Clip { name: "drive".into(), duration: 20.0, tracks, ..Clip::default() }];
    let (back, report, off, bytes) = written(&scene);
    assert!(off < 2e-5, "{off}");
    assert_eq!(back.skins.iter().map(|s| s.joints.len()).collect::<Vec<_>>(), vec![1; parts as usize]);
    // Per key: time, offset and one rotation.
    let frames: usize = back.clips[0]
        .tracks
        .iter()
        .filter(|t| matches!(t.values, Values::Rotation(_)))
        .map(|t| t.times.len())
        .sum();
    assert!(bytes < 33 * frames as u64 + 4000, "{bytes} bytes for {frames} keys");
    assert!(
        !report.losses().iter().any(|l| ["BG510", "BG511", "BG522"].contains(&l.code.id)),
        "{:?}",
        report.losses()
    );
}
