//! Scene to document.
//!
//! The scene has been brought within the format's [capabilities](super::FORMAT): one mesh in model space, one skin whose rest
//! pose is its bind pose, linear tracks. Shared vertices stay shared; the writer repeats them.
//!
//! The viewer walks only the first node and its descendants, so there is one root. A node without keys is at its
//! parent's position, so every animation has a key for each component of a transform that is not the identity at rest.

mod clips;
mod vertices;

use super::codes;
use super::document::{Dialect, Document, IDENTITY, Node, Values};
use crate::formats::{Encoded, WriteOptions};
use crate::limits::FARTHEST;
use crate::pose::{Bone, Rig, radius};
use crate::report::{Failure, Loss, Place, Report, counted};
use crate::scene::{NodeId, Scene};
use crate::settings::PRECISION;

/// The hierarchy of a document, and the numbers of the scene's nodes in it.
struct Hierarchy {
    nodes: Vec<Node>,
    /// The number of each of the scene's nodes.
    numbers: Vec<Option<u32>>,
}

/// Makes a file from a scene within the format's [capabilities](super::FORMAT).
pub(super) fn export(
    scene: Scene,
    dialect: Option<&str>,
    options: &WriteOptions,
    report: &mut Report,
) -> Result<Encoded, Failure> {
    let dialect = dialect.and_then(Dialect::by_id).unwrap_or_default();
    let (document, precision) = (Document::from_scene(scene, dialect, report)?, options.own.get(&PRECISION));
    Ok(Encoded::new(dialect.id(), move |out, report| document.write_to(dialect, precision, out, report)))
}

impl Document {
    fn from_scene(mut scene: Scene, dialect: Dialect, report: &mut Report) -> Result<Self, Failure> {
        let joints = scene.skins.first().map(|s| s.joints.clone()).unwrap_or_default();
        let mut offsets = scene.skins.first().map(|s| s.inverse_binds.clone()).unwrap_or_default();
        let (vertices, unmoved) = vertices::export(&mut scene, joints.len(), report)?;
        if unmoved > 0 {
            let vertices = counted(unmoved, "vertex does", "vertices do");
            let message = format!("{vertices} not move and were bound to an added static bone");
            report.loss(Loss::kept(&codes::STATIC_BONE, "", unmoved, message));
            offsets.push(IDENTITY);
        }
        let hierarchy = Hierarchy::new(&scene, &joints, unmoved > 0);
        report_names(&scene, &joints, report);
        let message = "APG has no materials; parts were merged";
        report.loss(Loss::dropped(&codes::MATERIALS, "", scene.materials.len(), message));
        let animations = (0..scene.clips.len())
            .map(|index| clips::export(&mut scene, index, &hierarchy, report))
            .collect();
        let radius = radius(vertices.listed().map(|i| vertices.positions[i]));
        let document = Document {
            name: std::mem::take(&mut scene.name),
            dialect,
            bones: offsets.len() as u32,
            root_transform: (!hierarchy.nodes.is_empty()).then_some(IDENTITY),
            offsets,
            nodes: hierarchy.nodes,
            animations,
            bounding_radius: (vertices.count() > 0).then_some(radius),
            vertices,
            ..Document::default()
        };
        check_numbers(&document, report)?;
        Ok(document)
    }
}

impl Hierarchy {
    /// The joints in the scene's order, parents first. A root is added if there are several, or if a bone that never
    /// moves is needed.
    fn new(scene: &Scene, joints: &[NodeId], needs_static: bool) -> Self {
        let rig = Rig::of_skin(scene);
        let mut nodes = Vec::with_capacity(rig.bones.len() + 1);
        let top = needs_static || rig.bones.iter().filter(|bone| bone.parent.is_none()).count() > 1;
        if top {
            nodes.push(Node { parent: -1, bone: if needs_static { joints.len() as i32 } else { -1 } });
        }
        let mut in_scene_order: Vec<&Bone> = rig.bones.iter().collect();
        in_scene_order.sort_by_key(|bone| bone.node);
        let mut numbers: Vec<Option<u32>> = vec![None; scene.nodes.len()];
        for bone in in_scene_order {
            let above = bone.parent.and_then(|parent| numbers[rig.bones[parent].node.index()]);
            let parent = above.map_or(if top { 0 } else { -1 }, |number| number as i32);
            numbers[bone.node.index()] = Some(nodes.len() as u32);
            nodes.push(Node { parent, bone: bone.joint as i32 });
        }
        Self { nodes, numbers }
    }
}

/// Refuses numbers that a reader would refuse: every file that is written can be read.
fn check_numbers(document: &Document, report: &mut Report) -> Result<(), Failure> {
    let positions: &[f32] = bytemuck::cast_slice(&document.vertices.positions);
    let keys = document.animations.iter().flat_map(|a| &a.channels).flat_map(|channel| {
        let values: &[f32] = match &channel.values {
            Values::Translation(values) | Values::Scale(values) => bytemuck::cast_slice(values),
            Values::Rotation(values) => bytemuck::cast_slice(values),
        };
        channel.times.iter().chain(values)
    });
    let mut numbers = positions.iter().chain(document.offsets.as_flattened()).chain(keys);
    let Some(far) = numbers.find(|n| n.is_nan() || n.abs() > FARTHEST) else { return Ok(()) };
    let message =
        format!("the model has the number {far:e}; the largest that can be written is {FARTHEST:e}");
    Err(report.invalid(&codes::NOT_FINITE, Place::WHOLE, message))
}

/// Counts the names that would not survive a round trip.
fn report_names(scene: &Scene, joints: &[NodeId], report: &mut Report) {
    let lost = |(bone, joint): &(usize, &NodeId)| {
        let name = &scene.nodes[joint.index()].name;
        !name.is_empty() && *name != format!("bone{bone}")
    };
    let lost = joints.iter().enumerate().filter(lost).count();
    let message = "APG stores no joint names; they become bone0, bone1, ...";
    report.loss(Loss::dropped(&codes::NAMES, "", lost, message));
}
