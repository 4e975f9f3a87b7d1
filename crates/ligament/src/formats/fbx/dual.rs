//! Dual-quaternion skins, which become linear: how far apart the two put vertices.

use super::codes;
use super::import::Import;
use super::numbers::{dmat4, dvec3};
use crate::motion::key_times;
use crate::pose::{Pose, bounds};
use crate::report::Loss;
use glam::DMat4;
use std::collections::BTreeMap;

/// How many times of all takes together are looked at, and how many of one take.
const MOST_TIMES: usize = 256;
const MOST_TIMES_OF_TAKE: usize = 48;
/// How many objects are evaluated and how many vertices are looked at, at all times together.
const MOST_OBJECTS: usize = 1 << 22;
const MOST_VERTICES: usize = 1 << 20;

/// Reports dual-quaternion skins. The clips are those of the stacks, in order.
pub(super) fn losses(import: &mut Import<'_, '_, '_>) {
    let fbx = import.fbx;
    let skins = || fbx.meshes.as_ref().iter().filter_map(|mesh| mesh.skin_deformers.as_ref().first());
    // By a skin's `typed_id`: how many vertices are blended so, and how far they are off.
    let mut dual: BTreeMap<u32, (usize, f64)> =
        skins().map(|skin| (skin.element.typed_id, (vertices(skin), 0.0))).collect();
    dual.retain(|_, (count, _)| *count > 0);
    if dual.is_empty() {
        return;
    }
    let count: usize = fbx.meshes.as_ref().iter().map(|mesh| mesh.num_vertices).sum();
    let most = MOST_TIMES.min(MOST_OBJECTS / fbx.elements.len().max(1));
    let each = (most / fbx.anim_stacks.len().max(1)).clamp(1, MOST_TIMES_OF_TAKE);
    let step = count.saturating_mul(each * fbx.anim_stacks.len() + 1).div_ceil(MOST_VERTICES).max(1);
    measure(fbx, step, &mut dual);
    for (stack, clip) in fbx.anim_stacks.as_ref().iter().zip(&import.scene.clips).take(most) {
        let times = key_times(&clip.tracks);
        let begin = super::keys::span(stack).0;
        for &time in times.iter().step_by(times.len().div_ceil(each).max(1)) {
            let time = begin + f64::from(time);
            if let Ok(posed) = ufbx::evaluate_scene(fbx, &stack.anim, time, ufbx::EvaluateOpts::default()) {
                measure(&posed, step, &mut dual);
            }
        }
    }
    let size = bounds(&import.scene, &Pose::rest(&import.scene)).map(|bounds| bounds.diagonal());
    let size = size.filter(|size| *size > 0.0).unwrap_or(1.0);
    for skin in fbx.skin_deformers.as_ref() {
        let Some(&(count, off)) = dual.get(&skin.element.typed_id) else { continue };
        let object = format!("skin {:?}", &*skin.element.name);
        let message = "dual-quaternion skinning became linear skinning";
        let (code, unit) = (&codes::DUAL_QUATERNION, "of the model's size");
        import.report.loss(Loss::approximated(code, object, count, off / size, unit, message));
    }
}

/// The number of vertices that dual quaternions move.
fn vertices(skin: &ufbx::SkinDeformer) -> usize {
    match skin.skinning_method {
        ufbx::SkinningMethod::DualQuaternion => skin.vertices.len(),
        ufbx::SkinningMethod::BlendedDqLinear => {
            skin.vertices.as_ref().iter().filter(|v| v.dq_weight > 0.0).count()
        }
        _ => 0,
    }
}

/// Compares the two kinds of skinning in a pose, at every `step`th vertex.
fn measure(posed: &ufbx::Scene, step: usize, dual: &mut BTreeMap<u32, (usize, f64)>) {
    for mesh in posed.meshes.as_ref() {
        let Some(skin) = mesh.skin_deformers.as_ref().first() else { continue };
        let Some((_, worst)) = dual.get_mut(&skin.element.typed_id) else { continue };
        let mut points: Vec<ufbx::Vec3> = mesh.vertices.as_ref().to_vec();
        for shapes in mesh.blend_deformers.as_ref() {
            ufbx::add_blend_vertex_offsets(shapes, &mut points, 1.0);
        }
        let held = skin.vertices.len().min(points.len());
        for (i, &point) in points.iter().enumerate().take(held).step_by(step) {
            let Some(linear) = linear(skin, i) else { continue };
            let theirs = ufbx::get_skin_vertex_matrix(skin, i, &mesh.element.scene.root_node.node_to_world);
            let off = dvec3(ufbx::transform_position(&theirs, point))
                .distance(linear.transform_point3(dvec3(point)));
            *worst = if off.is_finite() { worst.max(off) } else { *worst };
        }
    }
}

/// The matrix of a vertex by linear skinning; `None` for a vertex that no joint holds.
fn linear(skin: &ufbx::SkinDeformer, vertex: usize) -> Option<DMat4> {
    let vertex = skin.vertices.get(vertex)?;
    let start = vertex.weight_begin as usize;
    let weights = skin.weights.as_ref().get(start..start.checked_add(vertex.num_weights as usize)?)?;
    let (mut sum, mut total) = (DMat4::ZERO, 0.0);
    for weight in weights {
        let cluster = skin.clusters.get(weight.cluster_index as usize)?;
        if cluster.bone_node.is_some() {
            sum += dmat4(&cluster.geometry_to_world) * weight.weight;
            total += weight.weight;
        }
    }
    (total > 0.0).then(|| sum * (1.0 / total))
}
