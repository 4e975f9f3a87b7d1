//! Scale one on every root.
//!
//! A node's scale `s` that is the same on all axes and stands still can be taken out of everything below it: its children's
//! translations are multiplied by it, and what hangs on them, vertices and inverse bind matrices, is too. Every global matrix becomes
//! `G · 1/f`, with the product `f` of the scales that were taken out above, so rotations, scales further down and the times of
//! all keys stay.

use super::beside::{Beside, Change};
use super::joints::some_names;
use super::rig_codes as codes;
use crate::passes::transform::{flip_faces, forget_bounds, transform_part};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::{Local, MeshId, NodeId, Scene, Trs, Values};
use glam::{DMat4, DVec3, Vec3};
use std::collections::HashMap;

/// Scales that differ by less than this, relative to themselves, are the same.
const SAME: f32 = 1e-6;
/// How often roots whose scale stays can make others keep theirs; after that, all do.
const MOST_ROUNDS: usize = 16;
/// How many names a message lists.
const MOST_NAMED: usize = 8;

/// Takes the scale out of the roots, and of what is between them and the topmost joints, these included.
pub(super) fn apply_scale(scene: &mut Scene, report: &mut Report) -> Result<(), Failure> {
    let candidates = scaled_roots(scene);
    if candidates.is_empty() {
        let message = "the scale of every root is 1; nothing was applied";
        report.note(&codes::NO_SCALE, Place::WHOLE, message);
        return Ok(());
    }
    let before = Beside::of(scene);
    let plan = Plan::new(scene, &candidates);
    let stay: Vec<NodeId> = candidates.iter().copied().filter(|id| plan.own[id.index()] == 1.0).collect();
    if !stay.is_empty() {
        let names = some_names(scene, &stay, MOST_NAMED);
        let message = format!(
            "{names}: a scale that is not the same on all axes, zero or shared by meshes that are drawn elsewhere cannot be applied"
        );
        report.loss(Loss::kept(&codes::SCALE_STAYS, "", stay.len(), message));
    }
    let applied: Vec<NodeId> = candidates.iter().copied().filter(|id| plan.own[id.index()] != 1.0).collect();
    if applied.is_empty() {
        return Ok(());
    }
    let shown: Vec<_> = applied
        .iter()
        .take(MOST_NAMED)
        .map(|id| {
            format!("{} of {:?}", crate::report::shown::short(plan.own[id.index()]), scene.node_label(*id))
        })
        .collect();
    let more = applied.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let moved_by = plan.apply(scene);
    let nodes: Vec<Option<NodeId>> = scene.node_ids().map(Some).collect();
    let moved = |node: NodeId| DMat4::from_scale(DVec3::splat(moved_by[node.index()]));
    let change = Change { nodes: &nodes, moved: &moved, with_rest: true };
    let message = format!("scale {}{more} is applied to what is below", shown.join(", "));
    report.loss(before.compare(scene, &change).loss(&codes::SCALE_APPLIED, applied.len(), message));
    Ok(())
}

/// The nodes with a scale that is not 1, down to the topmost joints; without skins, the roots.
fn scaled_roots(scene: &Scene) -> Vec<NodeId> {
    let is_joint = scene.are_joints();
    let mut is_above_joint = vec![false; scene.nodes.len()];
    let mut is_below_joint = vec![false; scene.nodes.len()];
    for id in (0..scene.nodes.len()).rev() {
        if let Some(parent) = scene.nodes[id].parent {
            is_above_joint[parent.index()] |= is_joint[id] || is_above_joint[id];
        }
    }
    for id in 0..scene.nodes.len() {
        let parent = scene.nodes[id].parent.map(NodeId::index);
        is_below_joint[id] = parent.is_some_and(|parent| is_joint[parent] || is_below_joint[parent]);
    }
    let is_wanted = |id: &NodeId| {
        let (index, node) = (id.index(), &scene.nodes[id.index()]);
        let is_top = node.parent.is_none() || is_above_joint[index] || is_joint[index];
        // The transform of what a skin deforms has no effect.
        is_top && !is_below_joint[index] && node.skin.is_none() && scale_of(&node.local) != Some(Vec3::ONE)
    };
    scene.node_ids().filter(is_wanted).collect()
}

/// A node's scale; `None` if it has shear.
fn scale_of(local: &Local) -> Option<Vec3> {
    local.trs().map(|trs| trs.scale)
}

struct Plan {
    /// The scale that is taken out of each node.
    own: Vec<f64>,
    /// The product of those at and above each node.
    all: Vec<f64>,
    /// Nodes that take the scale of those above, because their mesh is drawn elsewhere too.
    absorbs: Vec<bool>,
}

impl Plan {
    fn new(scene: &Scene, candidates: &[NodeId]) -> Self {
        let mut own = vec![1.0; scene.nodes.len()];
        for id in candidates {
            let scale = scale_of(&scene.nodes[id.index()].local);
            let even = scale.filter(|s| (*s - Vec3::splat(s.x)).abs().max_element() <= SAME * s.x.abs());
            if let Some(scale) = even.filter(|s| s.x.is_normal()) {
                own[id.index()] = f64::from(scale.x);
            }
        }
        let children = child_counts(scene);
        for _ in 0..MOST_ROUNDS {
            let all = products(scene, &own);
            let (absorbs, blocked) = conflicts(scene, &own, &all, &children);
            if blocked.is_empty() {
                return Self { own, all, absorbs };
            }
            blocked.into_iter().for_each(|root| own[root] = 1.0);
        }
        let (own, all) = (vec![1.0; scene.nodes.len()], vec![1.0; scene.nodes.len()]);
        Self { own, all, absorbs: vec![false; scene.nodes.len()] }
    }

    /// Applies it, and returns by what the vertices were multiplied that each node draws.
    fn apply(&self, scene: &mut Scene) -> Vec<f64> {
        let parent_of = |scene: &Scene, index: usize| {
            scene.nodes[index].parent.map_or(1.0, |parent| self.all[parent.index()])
        };
        let mut moved = vec![1.0; scene.nodes.len()];
        let mut of_mesh: HashMap<MeshId, f64> = HashMap::new();
        let above: Vec<f64> = (0..scene.nodes.len()).map(|index| parent_of(scene, index)).collect();
        for (index, (node, &above)) in scene.nodes.iter_mut().zip(&above).enumerate() {
            let absorbed = if self.absorbs[index] { above } else { 1.0 };
            if above != 1.0 || self.own[index] != 1.0 {
                node.local = rescaled(&node.local, above, self.own[index], absorbed);
            }
            if let Some(tip) = &mut node.tip {
                tip.iter_mut().for_each(|v| *v = (f64::from(*v) * self.all[index]) as f32);
            }
            if let Some(mesh) = node.mesh.filter(|_| node.skin.is_none() && !self.absorbs[index]) {
                moved[index] = self.all[index];
                of_mesh.insert(mesh, self.all[index]);
            }
        }
        for (mesh, scale) in of_mesh.into_iter().filter(|(_, scale)| *scale != 1.0) {
            for part in &mut scene.meshes[mesh.index()].parts {
                transform_part(part, &DMat4::from_scale(DVec3::splat(scale)));
                if scale < 0.0 {
                    flip_faces(&mut part.faces);
                }
            }
        }
        for skin in &mut scene.skins {
            for (joint, bind) in skin.joints.iter().zip(&mut skin.inverse_binds) {
                let scale = DMat4::from_scale(DVec3::splat(self.all[joint.index()]));
                let exact = scale * DMat4::from_cols_array(&bind.map(f64::from));
                *bind = exact.to_cols_array().map(|v| v as f32);
            }
        }
        for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
            let index = track.node.index();
            let by = match &track.values {
                Values::Translation(_) => above[index],
                Values::Scale(_) if self.absorbs[index] => above[index],
                Values::Scale(_) => self.own[index].recip(),
                _ => 1.0,
            };
            if let (Values::Translation(values) | Values::Scale(values), true) =
                (&mut track.values, by != 1.0)
            {
                values.iter_mut().for_each(|v| *v = (v.as_dvec3() * by).as_vec3());
            }
        }
        forget_bounds(scene);
        moved
    }
}

fn rescaled(local: &Local, above: f64, own: f64, absorbed: f64) -> Local {
    match local {
        Local::Trs(trs) => {
            let translation = (trs.translation.as_dvec3() * above).as_vec3();
            let scale = match own == 1.0 {
                true => (trs.scale.as_dvec3() * absorbed).as_vec3(),
                false => Vec3::ONE,
            };
            Trs { translation, scale, ..*trs }.into()
        }
        Local::Matrix(_) => {
            let mut matrix = local.to_matrix();
            matrix.w_axis = (matrix.w_axis.truncate() * above).extend(1.0);
            let scaled = matrix * DMat4::from_scale(DVec3::splat(absorbed));
            Local::Matrix(scaled.to_cols_array().map(|v| v as f32))
        }
    }
}

fn products(scene: &Scene, own: &[f64]) -> Vec<f64> {
    let mut all: Vec<f64> = Vec::with_capacity(own.len());
    for (node, own) in scene.nodes.iter().zip(own) {
        all.push(own * node.parent.map_or(1.0, |parent| all[parent.index()]));
    }
    all
}

fn child_counts(scene: &Scene) -> Vec<usize> {
    let mut counts = vec![0; scene.nodes.len()];
    scene.nodes.iter().filter_map(|node| node.parent).for_each(|parent| counts[parent.index()] += 1);
    counts
}

/// Nodes that keep a scale because their mesh is drawn with another one too: those that can take it over, and the roots of
/// those that cannot.
fn conflicts(scene: &Scene, own: &[f64], all: &[f64], children: &[usize]) -> (Vec<bool>, Vec<usize>) {
    let mut wanted: HashMap<MeshId, Option<f64>> = HashMap::new();
    for (index, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh else { continue };
        let scale = if node.skin.is_some() { 1.0 } else { all[index] };
        wanted
            .entry(mesh)
            .and_modify(|known| *known = known.filter(|known| *known == scale))
            .or_insert(Some(scale));
    }
    let (mut absorbs, mut is_blocked) = (vec![false; scene.nodes.len()], vec![false; scene.nodes.len()]);
    for (index, node) in scene.nodes.iter().enumerate() {
        let is_shared = node.skin.is_none() && node.mesh.is_some_and(|mesh| wanted[&mesh].is_none());
        if !is_shared || all[index] == 1.0 {
            continue;
        }
        match children[index] == 0 && own[index] == 1.0 {
            true => absorbs[index] = true,
            false => is_blocked[index] = true,
        }
    }
    // What is above has to stay too.
    for index in (0..scene.nodes.len()).rev() {
        if let Some(parent) = scene.nodes[index].parent.filter(|_| is_blocked[index]) {
            is_blocked[parent.index()] = true;
        }
    }
    let blocked = (0..scene.nodes.len()).filter(|&index| is_blocked[index] && own[index] != 1.0);
    let blocked = blocked.collect();
    (absorbs, blocked)
}
