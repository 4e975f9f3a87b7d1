//! Bakes one pose into a static model.

use super::select_clips::select_clips;
use super::transform::{flip_faces, forget_bounds};
use crate::pose::{Pose, deform};
use crate::report::{Diagnostic, Failure, Place, Report, Severity, counted};
use crate::scene::{Clip, Influences, Local, Mesh, MeshId, Node, NodeId, Scene};

/// Codes of baking a pose.
pub mod codes {
    crate::report::codes! {
        POSED = "PO001", "pose baked",
            "The model was replaced by its shape at one time of a clip. The note names the time, and what a static model does not need: skins, clips, morph targets, and the nodes that only moved others.",
            "ligament pose fox.glb --clip Walk --at 0.5 fox-walking.glb",
            "Nothing to do: this is what was asked for. Keep the source for its animation.";
        WHICH_CLIP = "PO002", "clip not chosen",
            "The model has several clips, so a time alone does not identify a pose.",
            "ligament pose fox.glb --at 0.5 out.glb, in which Survey, Walk and Run are clips",
            "Name one with --clip.";
        NOWHERE = "PO004", "pose is not finite",
            "The pose puts vertices at infinity, or at a position that is no number: transforms, bind matrices or keys multiply beyond what 32 bits can hold. No format can store that.",
            "ligament pose huge.glb --at 1 out.glb, in which a joint is scaled by 1e38 twice",
            "Choose another time, or correct the transforms; `ligament validate` shows numbers that are too large.";
        PAST_END = "PO003", "time past the end of the clip",
            "The clip is shorter than the time asked for. Tracks hold their last values, so the pose is that of the end.",
            "ligament pose fox.glb --clip Walk --at 60 out.glb, in which Walk lasts 0.7 seconds",
            "Choose a time within the clip; `ligament info` shows how long each lasts.";
    }
}

/// Which pose to bake.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PoseOptions {
    /// The clip's name; it may be left out if there is at most one clip. Without clips, the scene is baked at rest.
    pub clip: Option<String>,
    /// Seconds into the clip.
    pub seconds: f32,
}

/// Replaces every mesh placement by its posed vertices in the scene's space, each on a node with an identity transform.
/// Cameras and lights stay where the pose puts them. Skins, clips, morph targets and all other nodes are removed. The
/// report mentions them in a note, not a loss, because the user asked for this.
///
/// A clip that does not exist, or that is not named although there are several, is a [`Failure::Usage`].
pub fn bake_pose(scene: &mut Scene, options: &PoseOptions, report: &mut Report) -> Result<(), Failure> {
    let gone = gone(scene);
    if let Some(name) = &options.clip {
        select_clips(scene, std::slice::from_ref(name), report)?;
    } else if scene.clips.len() > 1 {
        return Err(which_clip(scene, report));
    }
    let clip = scene.clips.first();
    let pose = match clip {
        Some(clip) => Pose::at(scene, clip, options.seconds),
        None => Pose::rest(scene),
    };
    note(clip, options.seconds, &gone, report);
    bake(scene, &pose);
    all_finite(scene, report)
}

/// Fails if posing has put vertices nowhere.
fn all_finite(scene: &Scene, report: &mut Report) -> Result<(), Failure> {
    let odd = |mesh: &Mesh| {
        let positions = mesh.parts.iter().flat_map(|part| &part.positions);
        positions.filter(|position| !position.is_finite()).count()
    };
    let counts = || scene.meshes.iter().map(odd).enumerate();
    let Some((first, _)) = counts().find(|(_, count)| *count > 0) else { return Ok(()) };
    let (count, mesh) = (counts().map(|(_, count)| count).sum::<usize>(), &scene.meshes[first]);
    let vertices = counted(count, "vertex has", "vertices have");
    let message = format!("{vertices} no finite position in this pose, first in mesh {:?}", mesh.name);
    Err(report.invalid(&codes::NOWHERE, Place::field(format!("meshes[{first}]")), message))
}

/// Replaces every mesh placement by its posed vertices, and removes everything that only moved them.
pub(super) fn bake(scene: &mut Scene, pose: &Pose) {
    let mut last_use = vec![NodeId(0); scene.meshes.len()];
    for id in scene.node_ids() {
        scene.nodes[id.index()].mesh.into_iter().for_each(|mesh| last_use[mesh.index()] = id);
    }
    let mut meshes = Vec::new();
    let mut nodes = Vec::new();
    for id in scene.node_ids() {
        let drawn = scene.nodes[id.index()].mesh;
        let mesh = drawn.map(|mesh| posed_mesh(scene, pose, id, mesh, last_use[mesh.index()] == id));
        let node = &scene.nodes[id.index()];
        let global = pose.globals[id.index()];
        let bare = |local: Local| Node {
            name: node.name.clone(),
            local,
            extras: node.extras.clone(),
            ..Node::default()
        };
        if let Some(mesh) = mesh {
            nodes.push(Node { mesh: Some(MeshId::new(meshes.len())), ..bare(Local::default()) });
            meshes.push(mesh);
        }
        if node.camera.is_some() || node.light.is_some() {
            let local = Local::from_matrix(&global);
            nodes.push(Node { camera: node.camera, light: node.light, ..bare(local) });
        }
    }
    scene.meshes = meshes;
    scene.nodes = nodes;
    scene.skins.clear();
    scene.clips.clear();
    forget_bounds(scene);
}

/// The posed mesh of a node. The last node that draws a mesh takes its arrays.
fn posed_mesh(scene: &mut Scene, pose: &Pose, node: NodeId, mesh: MeshId, is_last: bool) -> Mesh {
    let posed = deform(scene, pose, node);
    let source = &mut scene.meshes[mesh.index()];
    let mut mesh = if is_last { std::mem::take(source) } else { source.clone() };
    // A mirroring node turns faces inside out. Vertices in scene space have no such node any more, so the faces are
    // flipped. The node of a skinned mesh has no effect.
    let is_skinned = scene.nodes[node.index()].skin.is_some();
    let is_mirrored = !is_skinned && pose.globals[node.index()].determinant() < 0.0;
    for (part, mut posed) in mesh.parts.iter_mut().zip(posed) {
        for (normal, before) in posed.normals.iter_mut().zip(&part.normals) {
            // Transforms that flatten or overflow leave no direction.
            if !normal.is_finite() {
                *normal = *before;
            }
        }
        (part.positions, part.normals, part.tangents) = (posed.positions, posed.normals, posed.tangents);
        (part.influences, part.morphs) = (Influences::new(), Vec::new());
        if is_mirrored {
            flip_faces(&mut part.faces);
        }
    }
    mesh.morphs = Vec::new();
    mesh
}

fn which_clip(scene: &Scene, report: &mut Report) -> Failure {
    let names: Vec<_> = scene.clips.iter().map(|c| format!("{:?}", c.name)).collect();
    let message = format!("there are {} clips; choose one", names.len());
    let diagnostic = Diagnostic::new(Severity::Error, &codes::WHICH_CLIP, Place::WHOLE, message);
    report.push(diagnostic.help(format!("name one of {} with --clip", names.join(", "))));
    Failure::Usage
}

/// Notes which pose was baked and what was removed.
fn note(clip: Option<&Clip>, seconds: f32, gone: &str, report: &mut Report) {
    let at = match clip {
        Some(Clip { name, duration, .. }) => {
            let is_past = seconds > *duration;
            if is_past {
                let message =
                    format!("clip {name:?} ends at {duration} s, before {seconds} s; the last pose is used");
                report.warning(&codes::PAST_END, Place::WHOLE, message);
            }
            format!("posed at {} s of clip {name:?}", if is_past { *duration } else { seconds })
        }
        None => "posed at rest".to_owned(),
    };
    report.note(&codes::POSED, Place::WHOLE, format!("{at}{gone}"));
}

/// Lists what was removed: `; without 1 skin, 3 clips, 22 nodes`.
fn gone(scene: &Scene) -> String {
    let is_kept = |node: &&Node| node.mesh.is_some() || node.camera.is_some() || node.light.is_some();
    let counts = [
        (scene.skins.len(), "skin", "skins"),
        (scene.clips.len(), "clip", "clips"),
        (scene.meshes.iter().map(|m| m.morphs.len()).sum(), "morph target", "morph targets"),
        (scene.nodes.len() - scene.nodes.iter().filter(is_kept).count(), "node", "nodes"),
    ];
    let words: Vec<_> = counts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    if words.is_empty() { String::new() } else { format!("; without {}", words.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, bind, camera, mesh, node, place, track};
    use crate::scene::{CameraId, Faces, Influence, Interpolation, Morph, MorphDeltas, Part, Trs, Values};
    use glam::{Mat4, Quat, Vec3};
    use std::f32::consts::FRAC_PI_2;

    fn triangle() -> Part {
        Part {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            faces: Faces::Triangles(vec![0, 1, 2]),
            ..Part::default()
        }
    }

    fn clip(name: &str, node: u32) -> Clip {
        let turn = Values::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_z(FRAC_PI_2)]);
        let tracks = vec![track(node, Interpolation::Linear, &[0.0, 2.0], turn)];
        Clip { name: name.into(), duration: 2.0, tracks, ..Clip::default() }
    }

    /// A joint that makes a quarter turn about Z in two seconds, with a skinned and morphed triangle and a camera one
    /// unit along the joint's X.
    fn scene() -> Scene {
        let mut influences = Influences::new();
        (0..3).for_each(|_| influences.push([Influence { joint: 0, weight: 1.0 }]));
        let deltas = MorphDeltas { positions: vec![Vec3::Z; 3], ..MorphDeltas::default() };
        let part = Part { influences, morphs: vec![deltas], ..triangle() };
        let morphs = vec![Morph { name: "lift".into(), weight: 0.5 }];
        let along = Trs { translation: Vec3::X, ..Trs::IDENTITY };
        let mut scene = Scene {
            nodes: vec![
                node("joint", None, Local::default()),
                node("", None, Local::default()),
                Node { camera: Some(CameraId(0)), ..node("eye", Some(0), along.into()) },
            ],
            meshes: vec![Mesh { morphs, ..mesh("skinned", part) }],
            clips: vec![clip("Turn", 0)],
            cameras: vec![camera()],
            ..Scene::default()
        };
        scene.skins = vec![bind(&scene, &[0], Mat4::IDENTITY)];
        place(&mut scene, 1, 0, Some(0));
        scene
    }

    fn bake(scene: &mut Scene, clip: Option<&str>, seconds: f32) -> (Result<(), Failure>, Report) {
        let mut report = Report::default();
        let options = PoseOptions { clip: clip.map(str::to_owned), seconds };
        (bake_pose(scene, &options, &mut report), report)
    }

    fn assert_near(found: Vec3, wanted: Vec3) {
        assert!(found.distance(wanted) < 1e-6, "{found} instead of {wanted}");
    }

    #[test]
    fn vertices_and_cameras_are_where_the_clip_has_them() {
        let mut scene = scene();
        let (done, report) = bake(&mut scene, None, 2.0);
        assert_eq!(done, Ok(()));
        testing::assert_valid("posed", &scene);
        assert!(scene.skins.is_empty() && scene.clips.is_empty() && scene.meshes[0].morphs.is_empty());

        let part = &scene.meshes[0].parts[0];
        assert!(part.influences.is_empty() && part.morphs.is_empty());
        // A quarter turn takes X to Y and Y to −X; the morph target lifts by half a unit.
        let lift = Vec3::Z * 0.5;
        for (found, wanted) in part.positions.iter().zip([Vec3::ZERO, Vec3::Y, -Vec3::X]) {
            assert_near(*found, wanted + lift);
        }
        assert_eq!(part.faces, Faces::Triangles(vec![0, 1, 2]));

        assert_eq!(scene.nodes.len(), 2);
        assert_eq!(scene.nodes[0].local, Local::default());
        let eye = &scene.nodes[1];
        assert_eq!((eye.name.as_str(), eye.camera), ("eye", Some(CameraId(0))));
        let at = eye.local.to_matrix();
        assert_near(at.w_axis.truncate().as_vec3(), Vec3::Y);
        assert_near(at.x_axis.truncate().as_vec3(), Vec3::Y);

        let note = &report.diagnostics()[0];
        assert_eq!(note.code.id, codes::POSED.id);
        assert!(note.message.ends_with("without 1 skin, 1 clip, 1 morph target, 1 node"), "{}", note.message);
    }

    #[test]
    fn faces_of_mirrored_nodes_still_face_outwards() {
        let mirror = Trs { scale: Vec3::new(-1.0, 1.0, 1.0), ..Trs::IDENTITY };
        let square = Part {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y],
            normals: vec![Vec3::Z; 4],
            faces: Faces::Polygons { starts: vec![0, 4], corners: vec![0, 1, 2, 3] },
            ..Part::default()
        };
        let mut scene = Scene {
            nodes: vec![Node { local: mirror.into(), mesh: Some(MeshId(0)), ..Node::default() }],
            meshes: vec![Mesh { parts: vec![triangle(), square], ..Mesh::default() }],
            ..Scene::default()
        };
        assert_eq!(bake(&mut scene, None, 0.0).0, Ok(()));
        for part in &scene.meshes[0].parts {
            let corner = |i: usize| part.positions[part.faces.corners()[i] as usize];
            let front = (corner(1) - corner(0)).cross(corner(2) - corner(0));
            assert!(front.dot(part.normals[0]) > 0.0, "{:?}", part.faces);
        }
    }

    #[test]
    fn the_clip_must_be_clear() {
        let mut two = scene();
        two.clips.push(clip("Nod", 0));
        let (done, report) = bake(&mut two.clone(), None, 0.0);
        assert_eq!(done, Err(Failure::Usage));
        assert_eq!(
            report.diagnostics()[0].help.as_deref(),
            Some("name one of \"Turn\", \"Nod\" with --clip")
        );
        assert_eq!(bake(&mut two.clone(), Some("Wave"), 0.0).0, Err(Failure::Usage));
        assert_eq!(bake(&mut two, Some("Nod"), 0.0).0, Ok(()));
    }

    #[test]
    fn a_time_past_the_end_is_warned_about() {
        let (done, report) = bake(&mut scene(), None, 3.0);
        assert_eq!(done, Ok(()));
        assert_eq!(report.count(Severity::Warning), 1);
        assert_eq!(report.diagnostics()[0].code.id, codes::PAST_END.id);
        assert_eq!(bake(&mut scene(), None, 2.0).1.count(Severity::Warning), 0);
    }
}
