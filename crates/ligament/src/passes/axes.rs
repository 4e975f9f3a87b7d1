//! Mirrors a whole scene, changes its up axis, and scales it.

use super::transform::{flip_faces, forget_bounds, transform_part};
use crate::pose::OwnMotion;
use crate::scene::{Local, Projection, Scene, Trs, Values};
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use std::f64::consts::FRAC_1_SQRT_2;

/// The axis that points up in the result. In scenes this is Y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Up {
    /// +Y, as in scenes.
    #[default]
    Y,
    /// +Z: (x, y, z) becomes (x, −z, y).
    Z,
}

/// Transforms of the whole scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxesOptions {
    /// The axis that will point up.
    pub up: Up,
    /// Multiplies every length.
    pub scale: f32,
    /// Mirrors left and right before anything else: x becomes −x.
    pub mirror_x: bool,
}

impl Default for AxesOptions {
    /// Changes nothing.
    fn default() -> Self {
        Self { up: Up::Y, scale: 1.0, mirror_x: false }
    }
}

/// Mirrors, rotates and scales the scene as a whole, so that every posed vertex is exactly transformed.
///
/// With `M` the mirror, every node's local and every key becomes `M · L · M`, and so do inverse binds. All geometry is
/// mirrored in its own space, and its faces are flipped so that they still face outwards. Only signs change, so
/// mirroring twice changes nothing, and no transform gets a negative scale that it did not have.
///
/// With `X` the rotation and scale, the locals and tracks of root nodes become `X · L`, which moves everything below
/// them. A skinned vertex does not follow the node that draws it, and a vertex without influences follows no node at
/// all. Skinned geometry is therefore transformed itself, and inverse binds become `B · X⁻¹`. No node is added.
///
/// ```
/// use ligament::passes::axes::{AxesOptions, Up, axes};
/// use ligament::scene::{Local, Node, Scene, Trs};
/// use ligament::math::Vec3;
///
/// let local = Local::Trs(Trs { translation: Vec3::new(1.0, 2.0, 3.0), ..Trs::IDENTITY });
/// let mut scene = Scene { nodes: vec![Node { local, ..Node::default() }], ..Scene::default() };
/// axes(&mut scene, &AxesOptions { up: Up::Z, scale: 100.0, ..AxesOptions::default() });
/// assert_eq!(scene.nodes[0].local.trs().unwrap().translation, Vec3::new(100.0, -300.0, 200.0));
/// ```
pub fn axes(scene: &mut Scene, options: &AxesOptions) {
    if options.mirror_x {
        mirror(scene);
        forget_bounds(scene);
    }
    let turn = Turn::new(options);
    if turn.matrix == DMat4::IDENTITY {
        return;
    }
    separate_shared_meshes(scene);
    turn_skins(scene, &turn);
    turn_roots(scene, &turn);
    scale_lengths(scene, options.scale);
    forget_bounds(scene);
}

/// Transforms the exact motion of a scene as [`axes`] transforms its tracks.
pub(crate) fn axes_of_motion(own: &mut OwnMotion, scene: &Scene, options: &AxesOptions) {
    let (options, turn) = (*options, Turn::new(options));
    if options == AxesOptions::default() {
        return;
    }
    own.map_locals(scene, move |local, is_root| {
        if options.mirror_x {
            mirror_local(local);
        }
        if is_root && turn.matrix != DMat4::IDENTITY {
            turn.root(local);
        }
    });
}

fn mirror(scene: &mut Scene) {
    for part in scene.meshes.iter_mut().flat_map(|m| &mut m.parts) {
        part.positions.iter_mut().chain(&mut part.normals).for_each(mirror_vector);
        for tangent in &mut part.tangents {
            // The bitangent is the cross product of normal and tangent, which a mirror reverses.
            (tangent.x, tangent.w) = (-tangent.x, -tangent.w);
        }
        for deltas in &mut part.morphs {
            let vectors = deltas.positions.iter_mut().chain(&mut deltas.normals).chain(&mut deltas.tangents);
            vectors.for_each(mirror_vector);
        }
        flip_faces(&mut part.faces);
    }
    for node in &mut scene.nodes {
        mirror_local(&mut node.local);
        if let Some([x, ..]) = &mut node.tip {
            *x = -*x;
        }
    }
    scene.skins.iter_mut().flat_map(|s| &mut s.inverse_binds).for_each(mirror_matrix);
    for track in scene.clips.iter_mut().flat_map(|c| &mut c.tracks) {
        match &mut track.values {
            Values::Translation(values) => values.iter_mut().for_each(mirror_vector),
            Values::Rotation(values) => values.iter_mut().for_each(mirror_rotation),
            Values::Scale(_) | Values::MorphWeights { .. } => {}
        }
    }
}

fn mirror_local(local: &mut Local) {
    match local {
        Local::Trs(trs) => {
            mirror_vector(&mut trs.translation);
            mirror_rotation(&mut trs.rotation);
        }
        Local::Matrix(matrix) => mirror_matrix(matrix),
    }
}

fn mirror_vector(vector: &mut Vec3) {
    vector.x = -vector.x;
}

/// Mirrors the axis, and reverses the rotation about it.
fn mirror_rotation(rotation: &mut Quat) {
    (rotation.y, rotation.z) = (-rotation.y, -rotation.z);
}

/// `M · A · M`: elements between x and another axis change their sign.
fn mirror_matrix(columns: &mut [f32; 16]) {
    for i in [1, 2, 3, 4, 8, 12] {
        columns[i] = -columns[i];
    }
}

/// The similarity `X = s · R`.
#[derive(Clone, Copy)]
struct Turn {
    rotation: DQuat,
    scale: f64,
    matrix: DMat4,
}

impl Turn {
    fn new(options: &AxesOptions) -> Self {
        let scale = f64::from(options.scale);
        // Written out, so that a right angle is free of rounding.
        let (rotation, block) = match options.up {
            Up::Y => (DQuat::IDENTITY, [DVec3::X, DVec3::Y, DVec3::Z]),
            Up::Z => {
                (DQuat::from_xyzw(FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2), [DVec3::X, DVec3::Z, -DVec3::Y])
            }
        };
        let [x, y, z] = block.map(|axis| (axis * scale).extend(0.0));
        Self { rotation, scale, matrix: DMat4::from_cols(x, y, z, glam::DVec4::W) }
    }

    fn point(&self, point: Vec3) -> Vec3 {
        self.matrix.transform_point3(point.as_dvec3()).as_vec3()
    }

    fn root(&self, local: &mut Local) {
        match local {
            Local::Trs(Trs { translation, rotation, scale }) => {
                *translation = self.point(*translation);
                self.rotate(rotation);
                *scale = (scale.as_dvec3() * self.scale).as_vec3();
            }
            matrix => *matrix = Local::from_matrix(&(self.matrix * matrix.to_matrix())),
        }
    }

    fn rotate(&self, rotation: &mut Quat) {
        // Tangents of cubic tracks are not unit length, so nothing is normalised here.
        *rotation = (self.rotation * rotation.as_dquat()).as_quat();
    }
}

/// Copies meshes that are drawn both with and without a skin: only the vertices of the skinned copy change.
fn separate_shared_meshes(scene: &mut Scene) {
    let mut skinned = vec![false; scene.meshes.len()];
    for node in scene.nodes.iter().filter(|n| n.skin.is_some()) {
        if let Some(mesh) = node.mesh {
            skinned[mesh.index()] = true;
        }
    }
    let mut copies = std::collections::BTreeMap::new();
    for node in scene.nodes.iter_mut().filter(|n| n.skin.is_none()) {
        if let Some(mesh) = node.mesh.filter(|m| skinned[m.index()]) {
            let copy = *copies.entry(mesh).or_insert_with(|| {
                scene.meshes.push(scene.meshes[mesh.index()].clone());
                crate::scene::MeshId::new(scene.meshes.len() - 1)
            });
            node.mesh = Some(copy);
        }
    }
}

fn turn_skins(scene: &mut Scene, turn: &Turn) {
    let mut done = vec![false; scene.meshes.len()];
    for mesh in scene.nodes.iter().filter(|n| n.skin.is_some()).filter_map(|n| n.mesh) {
        if !std::mem::replace(&mut done[mesh.index()], true) {
            for part in &mut scene.meshes[mesh.index()].parts {
                transform_part(part, &turn.matrix);
            }
        }
    }
    let inverse = turn.matrix.inverse();
    for bind in scene.skins.iter_mut().flat_map(|s| &mut s.inverse_binds) {
        let matrix = DMat4::from_cols_array(&bind.map(f64::from)) * inverse;
        *bind = matrix.to_cols_array().map(|v| v as f32);
    }
}

fn turn_roots(scene: &mut Scene, turn: &Turn) {
    let is_root: Vec<bool> = scene.nodes.iter().map(|n| n.parent.is_none()).collect();
    scene.nodes.iter_mut().filter(|n| n.parent.is_none()).for_each(|node| turn.root(&mut node.local));
    for track in scene.clips.iter_mut().flat_map(|c| &mut c.tracks) {
        if !is_root[track.node.index()] {
            continue;
        }
        match &mut track.values {
            Values::Translation(values) => values.iter_mut().for_each(|v| *v = turn.point(*v)),
            Values::Rotation(values) => values.iter_mut().for_each(|q| turn.rotate(q)),
            Values::Scale(values) => {
                values.iter_mut().for_each(|v| *v = (v.as_dvec3() * turn.scale).as_vec3());
            }
            Values::MorphWeights { .. } => {}
        }
    }
}

/// Scales the lengths that no node's transform reaches.
fn scale_lengths(scene: &mut Scene, scale: f32) {
    for camera in &mut scene.cameras {
        camera.near *= scale;
        camera.far = camera.far.map(|far| far * scale);
        if let Projection::Orthographic { half_width, half_height } = &mut camera.projection {
            *half_width *= scale;
            *half_height *= scale;
        }
    }
    for light in &mut scene.lights {
        light.range = light.range.map(|range| range * scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, same_places};

    #[test]
    fn every_posed_vertex_is_turned_and_scaled() {
        let scenes = testing::scenes();
        for (name, before) in &scenes {
            let mut after = before.clone();
            let options = AxesOptions { up: Up::Z, scale: 2.5, ..AxesOptions::default() };
            axes(&mut after, &options);
            let turn = |v: glam::Vec3| glam::Vec3::new(v.x, -v.z, v.y) * 2.5;
            same_places(name, before, &after, turn, 1e-6);
        }
        assert!(scenes.len() >= 8);
    }

    #[test]
    fn every_posed_vertex_is_mirrored_exactly_and_comes_back() {
        let mirror = AxesOptions { mirror_x: true, ..AxesOptions::default() };
        let scenes = testing::scenes();
        for (name, before) in &scenes {
            let mut after = before.clone();
            axes(&mut after, &mirror);
            assert_ne!(before, &after, "{name}");
            same_places(name, before, &after, |v| Vec3::new(-v.x, v.y, v.z), 1e-8);
            axes(&mut after, &mirror);
            assert_eq!(before, &after, "{name}");
        }
        assert!(scenes.len() >= 8);
    }

    #[test]
    fn a_mirrored_surface_still_faces_the_way_its_normals_and_tangents_say() {
        let facing = |scene: &Scene| -> Vec<bool> {
            let part = &scene.meshes[0].parts[0];
            let mut facing = Vec::new();
            for face in part.faces.corners().chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|i| part.positions[face[i] as usize]);
                facing.push(part.normals[face[0] as usize].dot((b - a).cross(c - a)) > 0.0);
            }
            facing
        };
        let before = testing::bend();
        let mut after = before.clone();
        axes(&mut after, &AxesOptions { mirror_x: true, ..AxesOptions::default() });
        assert_eq!(facing(&before).len(), 16);
        assert_eq!(facing(&before), facing(&after));
        // The bitangent is mirrored like everything else on the surface.
        let bitangents = |scene: &Scene| -> Vec<Vec3> {
            let part = &scene.meshes[0].parts[0];
            part.normals.iter().zip(&part.tangents).map(|(n, t)| n.cross(t.truncate()) * t.w).collect()
        };
        for (a, b) in bitangents(&before).into_iter().zip(bitangents(&after)) {
            assert_eq!(Vec3::new(-a.x, a.y, a.z), b);
        }
    }

    #[test]
    fn a_scene_that_stays_is_not_touched() {
        for (_, before) in testing::scenes() {
            let mut after = before.clone();
            axes(&mut after, &AxesOptions::default());
            assert_eq!(before, after);
        }
    }
}
