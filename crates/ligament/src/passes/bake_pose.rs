//! Bakes one pose into a static model.

use crate::pose::{Pose, deform};
use crate::report::{Diagnostic, Failure, Place, Report, Severity};
use crate::scene::{Clip, Faces, Local, Mesh, MeshId, Node, NodeId, Part, Scene};

/// Codes of baking a pose.
pub mod codes {
    crate::report::codes! {
        POSED = "PO001", "pose baked",
            "The model was replaced by what it looks like at one time of a clip. The note names the time, and what a static model has no use for: skins, clips, morph targets, and the nodes that only moved others.",
            "ligament pose fox.glb --clip Walk --at 0.5 fox-walking.glb",
            "Nothing to do: this is what was asked for. Keep the source for its animation.";
        NO_SUCH_CLIP = "PO002", "no such clip",
            "No clip of the model has that name. Names count in full, with upper and lower case.",
            "ligament pose fox.glb --clip walk --at 0.5 out.glb, in which the clip is called Walk",
            "Use one of the names in the message; `ligament info` lists the clips too.";
        WHICH_CLIP = "PO003", "clip not chosen",
            "The model has several clips, so a time alone does not say which pose is meant.",
            "ligament pose fox.glb --at 0.5 out.glb, in which Survey, Walk and Run are clips",
            "Name one with --clip.";
        PAST_END = "PO004", "time past the end of the clip",
            "The clip is shorter than the time asked for. Tracks hold their last values, so the pose is that of the end.",
            "ligament pose fox.glb --clip Walk --at 60 out.glb, in which Walk lasts 0.7 seconds",
            "Choose a time within the clip; `ligament info` shows how long each lasts.";
    }
}

/// Which pose to bake.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PoseOptions {
    /// The clip's name; may be left out where there is at most one clip. Without clips, the scene is baked at rest.
    pub clip: Option<String>,
    /// Seconds into the clip.
    pub seconds: f32,
}

/// Replaces every mesh placement by its posed vertices, in the scene's space on a node of its own that does nothing.
/// Cameras and lights stay where the pose has them. Skins, clips, morph targets and all other nodes are removed; the
/// report has a note of them, not a loss, because that is what was asked for.
///
/// A clip that does not exist, or is not named where there are several, is a [`Failure::Usage`].
pub fn bake_pose(scene: &mut Scene, options: &PoseOptions, report: &mut Report) -> Result<(), Failure> {
    let clip = find_clip(scene, options, report)?;
    let pose = match clip {
        Some(clip) => Pose::at(scene, clip, options.seconds),
        None => Pose::rest(scene),
    };
    note(scene, clip, options, report);

    let mut meshes = Vec::new();
    let mut nodes = Vec::new();
    for id in scene.node_ids() {
        let node = &scene.nodes[id.index()];
        let global = pose.globals[id.index()];
        let bare = |local: Local| Node {
            name: node.name.clone(),
            local,
            extras: node.extras.clone(),
            ..Node::default()
        };
        if let Some(mesh) = node.mesh {
            // A mirrored node turns its faces inside out; vertices in scene space have no node left to do that.
            let mirrored = global.determinant() < 0.0;
            let mesh = posed_mesh(scene, &pose, id, &scene.meshes[mesh.index()], mirrored);
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
    Ok(())
}

fn posed_mesh(scene: &Scene, pose: &Pose, node: NodeId, mesh: &Mesh, mirrored: bool) -> Mesh {
    let posed = deform(scene, pose, node);
    let parts = mesh.parts.iter().zip(posed).map(|(part, posed)| Part {
        material: part.material,
        positions: posed.positions,
        normals: posed.normals,
        tangents: posed.tangents,
        uvs: part.uvs.clone(),
        colors: part.colors.clone(),
        faces: if mirrored { turned(part.faces.clone()) } else { part.faces.clone() },
        extras: part.extras.clone(),
        ..Part::default()
    });
    Mesh { name: mesh.name.clone(), parts: parts.collect(), morphs: Vec::new(), extras: mesh.extras.clone() }
}

/// The same faces with their other side to the front.
fn turned(mut faces: Faces) -> Faces {
    match &mut faces {
        Faces::Points(_) | Faces::Lines(_) => {}
        Faces::Triangles(corners) => corners.chunks_exact_mut(3).for_each(|face| face.swap(1, 2)),
        Faces::Polygons { starts, corners } => {
            for face in starts.windows(2) {
                if let Some(corners) = corners.get_mut(face[0] as usize..face[1] as usize) {
                    // The first corner stays first, as in triangles.
                    corners.get_mut(1..).unwrap_or_default().reverse();
                }
            }
        }
    }
    faces
}

fn find_clip<'a>(
    scene: &'a Scene,
    options: &PoseOptions,
    report: &mut Report,
) -> Result<Option<&'a Clip>, Failure> {
    let names = || scene.clips.iter().map(|c| format!("{:?}", c.name)).collect::<Vec<_>>().join(", ");
    let mut fail = |code, message: String, help: String| {
        report.push(Diagnostic::new(Severity::Error, code, Place::WHOLE, message).help(help));
        Err(Failure::Usage)
    };
    match (&options.clip, &scene.clips[..]) {
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(only)),
        (None, several) => {
            let message = format!("there are {} clips, and none is chosen", several.len());
            fail(&codes::WHICH_CLIP, message, format!("name one of {} with --clip", names()))
        }
        (Some(name), clips) => match clips.iter().find(|c| c.name == *name) {
            Some(clip) => Ok(Some(clip)),
            None if clips.is_empty() => {
                let message = format!("there is no clip {name:?}; the model has no clips");
                fail(&codes::NO_SUCH_CLIP, message, "leave out --clip for the pose at rest".to_owned())
            }
            None => {
                let message = format!("there is no clip {name:?}");
                fail(&codes::NO_SUCH_CLIP, message, format!("the clips are {}", names()))
            }
        },
    }
}

/// Says which pose was baked and what is gone.
fn note(scene: &Scene, clip: Option<&Clip>, options: &PoseOptions, report: &mut Report) {
    let at = match clip {
        Some(clip) => {
            if options.seconds > clip.duration {
                let message = format!(
                    "clip {:?} ends at {} s, before {} s; the pose is that of its end",
                    clip.name, clip.duration, options.seconds
                );
                report.warning(&codes::PAST_END, Place::WHOLE, message);
            }
            format!("posed at {} s of clip {:?}", options.seconds, clip.name)
        }
        None => "posed at rest".to_owned(),
    };
    let is_kept = |node: &&Node| node.mesh.is_some() || node.camera.is_some() || node.light.is_some();
    let gone: Vec<String> = [
        (scene.skins.len(), "skin", "skins"),
        (scene.clips.len(), "clip", "clips"),
        (scene.meshes.iter().map(|m| m.morphs.len()).sum(), "morph target", "morph targets"),
        (scene.nodes.len() - scene.nodes.iter().filter(is_kept).count(), "node", "nodes"),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
    .collect();
    let gone = if gone.is_empty() { String::new() } else { format!("; without {}", gone.join(", ")) };
    report.note(&codes::POSED, Place::WHOLE, format!("{at}{gone}"));
}
