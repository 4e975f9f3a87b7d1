//! Removes features that a target cannot hold, and reports each kind as a loss with its count.

use super::codes;
use super::morphs::bake_morphs;
use super::uv_sets::keep_uv_sets;
use crate::formats::{self, Capabilities, Normals};
use crate::mesh::vertices::trim;
use crate::report::{Code, Loss, Report};
use crate::scene::{Extras, Faces, Scene};
use std::collections::BTreeMap;

/// Removes the features that the target lacks. If it has no morph targets, their weights at rest are baked into the
/// vertices. Extras that belong to a format (under its id) always stay, for that format's exporter.
///
/// ```
/// use ligament::Report;
/// use ligament::formats::Capabilities;
/// use ligament::passes::drop_features::drop_features;
/// use ligament::scene::Scene;
///
/// let mut scene = Scene { ambient: Some([0.1, 0.1, 0.1, 1.0]), ..Scene::default() };
/// let mut report = Report::default();
/// drop_features(&mut scene, &Capabilities::default(), &mut report);
/// assert_eq!(scene.ambient, None);
/// assert_eq!(report.losses()[0].code.id, "LS003");
/// ```
pub fn drop_features(scene: &mut Scene, keep: &Capabilities, report: &mut Report) {
    let mut lost = |code: &'static Code, count: usize, what: &str| {
        report.loss(Loss::dropped(code, "", count, format!("the format has no {what}")));
    };
    if !keep.cameras {
        scene.nodes.iter_mut().for_each(|n| n.camera = None);
        lost(&codes::CAMERAS, std::mem::take(&mut scene.cameras).len(), "cameras");
    }
    if !keep.lights {
        scene.nodes.iter_mut().for_each(|n| n.light = None);
        lost(&codes::LIGHTS, std::mem::take(&mut scene.lights).len(), "lights");
    }
    if !keep.ambient {
        lost(&codes::AMBIENT, scene.ambient.take().iter().len(), "ambient light");
    }
    if !keep.extras {
        lost(&codes::EXTRAS, drop_extras(scene), "key-value data");
        for (name, count) in drop_extensions(scene) {
            lost(&codes::EXTENSIONS, count, &format!("extension {name}"));
        }
    }
    if !keep.points_and_lines {
        lost(&codes::POINTS_AND_LINES, drop_points_and_lines(scene), "points and lines");
    }
    let mut vertices = Vertices { uv_sets: keep_uv_sets(scene, keep.uv_sets), ..Vertices::default() };
    for part in scene.meshes.iter_mut().flat_map(|m| &mut m.parts) {
        vertices.color_sets += trim(&mut part.colors, keep.color_sets);
        if !keep.tangents {
            vertices.tangents += std::mem::take(&mut part.tangents).len();
            part.morphs.iter_mut().for_each(|m| m.tangents = Vec::new());
        }
        if keep.normals == Normals::None {
            vertices.normals += std::mem::take(&mut part.normals).len();
            part.morphs.iter_mut().for_each(|m| m.normals = Vec::new());
        }
    }
    lost(&codes::UV_SETS, vertices.uv_sets, "room for more texture coordinate sets");
    lost(&codes::COLOR_SETS, vertices.color_sets, "room for more vertex colours");
    lost(&codes::TANGENTS, vertices.tangents, "tangents");
    lost(&codes::NORMALS, vertices.normals, "normals");
    if !keep.morphs {
        bake_morphs(scene, report);
    }
}

/// Counts of lost vertex attributes: parts for the sets, vertices for the rest.
#[derive(Default)]
struct Vertices {
    uv_sets: usize,
    color_sets: usize,
    tangents: usize,
    normals: usize,
}

fn drop_points_and_lines(scene: &mut Scene) -> usize {
    let mut count = 0;
    for mesh in &mut scene.meshes {
        mesh.parts.retain(|part| match &part.faces {
            Faces::Points(_) | Faces::Lines(_) => {
                count += part.faces.count();
                false
            }
            _ => true,
        });
    }
    count
}

/// Removes extras that do not belong to a format, and counts them.
fn drop_extras(scene: &mut Scene) -> usize {
    let mut count = 0;
    scene.each_extras(&mut |extras: &mut Extras| {
        let before = extras.len();
        extras.retain(|key, _| formats::owns_extras(key));
        count += before - extras.len();
    });
    count
}

/// Removes the extensions of the source's format, which it keeps among its own extras, and counts them by name.
fn drop_extensions(scene: &mut Scene) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    scene.each_extras(&mut |extras: &mut Extras| {
        for own in extras.values_mut().filter_map(|value| value.as_object_mut()) {
            own.retain(|key, value| {
                let Some(extensions) = value.as_object().filter(|_| key.ends_with("extensions")) else {
                    return true;
                };
                extensions.keys().for_each(|name| *counts.entry(name.clone()).or_default() += 1);
                false
            });
        }
    });
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{camera, everything};
    use crate::scene::{CameraId, Mesh, Node, Part};
    use glam::{Vec2, Vec3, Vec4};

    fn scene() -> Scene {
        let part = Part {
            positions: vec![Vec3::ZERO; 2],
            normals: vec![Vec3::Y; 2],
            tangents: vec![Vec4::X; 2],
            uvs: vec![vec![Vec2::ZERO; 2], vec![Vec2::ONE; 2]],
            colors: vec![vec![Vec4::ONE; 2]],
            ..Part::default()
        };
        let points = Part { faces: Faces::Points(vec![0, 1]), ..part.clone() };
        let mut extras = Extras::new();
        extras.insert("note".into(), "mine".into());
        extras.insert("pfobj".into(), "the format's".into());
        Scene {
            nodes: vec![Node { camera: Some(CameraId(0)), ..Node::default() }],
            cameras: vec![camera()],
            meshes: vec![Mesh { parts: vec![part, points], extras, ..Mesh::default() }],
            ambient: Some([1.0; 4]),
            ..Scene::default()
        }
    }

    #[test]
    fn every_drop_is_counted() {
        let (mut scene, mut report) = (scene(), Report::default());
        drop_features(&mut scene, &Capabilities { uv_sets: 1, ..Capabilities::default() }, &mut report);
        let lost: Vec<_> = report.losses().iter().map(|l| (l.code.id, l.count)).collect();
        let expected = [
            ("LS001", 1),
            ("LS003", 1),
            ("LS022", 1),
            ("LS008", 2),
            ("LS004", 1),
            ("LS005", 1),
            ("LS006", 2),
            ("LS007", 2),
        ];
        assert_eq!(lost, expected);
        assert_eq!(scene.nodes[0].camera, None);
        let [part] = &scene.meshes[0].parts[..] else { panic!("the points are gone") };
        assert_eq!((part.uvs.len(), part.colors.len(), part.normals.len()), (1, 0, 0));
        assert!(scene.meshes[0].extras.contains_key("pfobj"));
    }

    #[test]
    fn what_is_kept_is_not_touched() {
        let (mut after, mut report) = (scene(), Report::default());
        drop_features(&mut after, &everything(), &mut report);
        assert_eq!(after, scene());
        assert!(report.losses().is_empty());
    }
}
