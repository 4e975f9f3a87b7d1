//! How far the motion of a node moves vertices, so that rotations, translations, scales and weights count by their
//! visible effect.

use super::fit::Fitted;
use crate::pose::{Bounds, Pose, bounds, joint_bounds};
use crate::report::{Code, Report};
use crate::scene::{NodeId, Scene};
use glam::{DMat4, DVec3};

/// The least weight of a rotation by one radian or of a whole morph weight, as a fraction of the model's size. Nodes
/// that move no vertex may carry cameras, or have things attached elsewhere.
pub(crate) const LEAST_REACH: f64 = 0.1;

/// The least ratio of a scale's axes that counts. Flatter things have no extent that could be measured.
const FLATTEST: f64 = 0.01;

/// For each node, how far away are the things it carries.
pub(crate) struct Reach {
    /// The model's size: the diagonal of the box around its vertices at rest or, if there are none, around its nodes.
    size: f64,
    nodes: Vec<Lever>,
}

#[derive(Clone, Copy)]
struct Lever {
    /// The distance to the farthest vertex or node along the chain of nodes between, in the scene's units. It holds in
    /// every pose.
    length: f64,
    /// The length of a unit of the parent's space, in the scene's units.
    unit: f64,
    /// The node's own scale.
    scale: f64,
    /// The largest movement by a whole morph weight, in the scene's units.
    morph: f64,
}

impl Reach {
    pub(crate) fn of(scene: &Scene) -> Self {
        let pose = Pose::rest(scene);
        let place = |i: usize| pose.globals[i].w_axis.truncate();
        let drawn = bounds(scene, &pose).map(|b| b.diagonal()).filter(|size| *size > 0.0);
        let placed = || Bounds::of((0..scene.nodes.len()).map(|i| place(i).as_vec3()));
        let size = drawn.or_else(|| placed().map(|b| b.diagonal()).filter(|size| *size > 0.0));
        let mut reach = Self {
            size: size.filter(|size| size.is_finite()).unwrap_or(1.0),
            nodes: scene
                .nodes
                .iter()
                .zip(&pose.globals)
                .map(|(node, at)| Lever::new(node.parent, at, &pose))
                .collect(),
        };
        reach.add_vertices(scene, &pose);
        // Children come after their parents.
        for i in (0..scene.nodes.len()).rev() {
            let Some(parent) = scene.nodes[i].parent else { continue };
            let length = place(parent.index()).distance(place(i)) + reach.nodes[i].length;
            let above = &mut reach.nodes[parent.index()];
            above.length = above.length.max(length);
        }
        reach
    }

    fn add_vertices(&mut self, scene: &Scene, pose: &Pose) {
        for (i, node) in scene.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index())) else { continue };
            let unit = largest_scale(&pose.globals[i]);
            let deltas = mesh.parts.iter().flat_map(|part| &part.morphs).flat_map(|morph| &morph.positions);
            let morph = deltas.map(|d| f64::from(d.length_squared())).fold(0.0, f64::max).sqrt();
            self.nodes[i].morph = morph * unit;
            match node.skin.and_then(|skin| scene.skins.get(skin.index())) {
                Some(skin) => {
                    let boxes = joint_bounds(&mesh.parts, skin.joints.len());
                    for ((joint, bind), own) in skin.joints.iter().zip(&skin.inverse_binds).zip(boxes) {
                        let bind = DMat4::from_cols_array(&bind.map(f64::from));
                        self.add(joint.index(), &bind, own, pose);
                    }
                }
                None => {
                    let positions = mesh.parts.iter().flat_map(|part| &part.positions).copied();
                    self.add(i, &DMat4::IDENTITY, Bounds::of(positions), pose);
                }
            }
        }
    }

    fn add(&mut self, node: usize, bind: &DMat4, own: Option<Bounds>, pose: &Pose) {
        let (Some(own), Some(global)) = (own, pose.globals.get(node)) else { return };
        let place = global.w_axis.truncate();
        let farthest = own.corners().map(|corner| (*global * *bind).transform_point3(corner).distance(place));
        let lever = &mut self.nodes[node];
        lever.length = farthest.into_iter().filter(|d| d.is_finite()).fold(lever.length, f64::max);
    }

    /// The model's size.
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// The weight of one unit of a node's translation, as a fraction of the model's size.
    pub(crate) fn translation(&self, node: NodeId) -> f64 {
        self.nodes.get(node.index()).map_or(1.0, |lever| lever.unit) / self.size
    }

    /// The weight of one radian of a node's rotation.
    pub(crate) fn rotation(&self, node: NodeId) -> f64 {
        let length = self.nodes.get(node.index()).map_or(self.size, |lever| lever.length);
        (length / self.size).max(LEAST_REACH)
    }

    /// The weight of a node's scale. Doubling the scale at rest moves a point as far as a rotation by one radian.
    pub(crate) fn scale(&self, node: NodeId) -> f64 {
        self.rotation(node) / self.nodes.get(node.index()).map_or(1.0, |lever| lever.scale)
    }

    /// How far the farthest vertex moves, at most, if each element of a node's matrix is off by `error`, relative to its
    /// largest element. Along the shortest axis of the scale, that is more in relation to the distance.
    pub(crate) fn shear(&self, node: NodeId, error: f64, scale: DVec3) -> f64 {
        let sizes = scale.abs();
        let longest = sizes.max_element();
        let ratio = if longest > 0.0 { longest / sizes.min_element().max(FLATTEST * longest) } else { 1.0 };
        3.0 * error * ratio * self.rotation(node)
    }

    /// The weight of a whole morph weight.
    pub(crate) fn morph_weights(&self, node: NodeId) -> f64 {
        let morph = self.nodes.get(node.index()).map_or(self.size, |lever| lever.morph);
        (morph / self.size).max(LEAST_REACH)
    }
}

/// The results of fitting a clip's tracks, each of one node.
#[derive(Debug, Default)]
pub(crate) struct TrackFits {
    fitted: Fitted,
    /// Tracks that are not exact.
    tracks: usize,
    /// How far each node is off; nodes beyond the last entry are exact.
    left: Vec<f64>,
}

impl TrackFits {
    pub(crate) fn add(&mut self, node: NodeId, done: Fitted) {
        self.fitted = self.fitted.and(done);
        self.tracks += usize::from(!done.is_exact());
        if done.left > 0.0 {
            self.left.resize(self.left.len().max(node.index() + 1), 0.0);
            self.left[node.index()] += done.left;
        }
    }

    /// Adds what no keys could express, as a fraction of the model's size.
    pub(crate) fn add_error(&mut self, node: NodeId, left: f64) {
        self.add(node, Fitted { left, ..Fitted::default() });
    }

    /// How far any vertex can be off: a node inherits the error of those above it.
    fn left(&self, scene: &Scene) -> f64 {
        let mut carried: Vec<f64> = Vec::with_capacity(self.left.len());
        for (node, own) in scene.nodes.iter().zip(&self.left) {
            let above = node.parent.and_then(|parent| carried.get(parent.index()));
            carried.push(own + above.copied().unwrap_or(0.0));
        }
        carried.into_iter().fold(0.0, f64::max)
    }

    /// Reports what is left, if anything is.
    pub(crate) fn report(
        &self,
        scene: &Scene,
        code: &'static Code,
        object: &str,
        message: &str,
        report: &mut Report,
    ) {
        if !self.fitted.is_exact() {
            let fitted = Fitted { left: self.left(scene), ..self.fitted };
            fitted.report(code, object, self.tracks, message, report);
        }
    }
}

impl Lever {
    fn new(parent: Option<NodeId>, global: &DMat4, pose: &Pose) -> Self {
        let unit = parent.and_then(|parent| pose.globals.get(parent.index())).map_or(1.0, largest_scale);
        let scale = largest_scale(global) / unit;
        // A scale of zero at rest counts as 1.
        let scale = if scale.is_normal() { scale } else { 1.0 };
        Self { length: 0.0, unit, scale, morph: 0.0 }
    }
}

fn largest_scale(matrix: &DMat4) -> f64 {
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.truncate().length());
    columns.into_iter().filter(|length| length.is_finite()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Faces, Local, Mesh, MeshId, Node, Part, Trs};
    use glam::Vec3;

    fn node(parent: Option<u32>, x: f32, scale: f32) -> Node {
        let local = Trs { translation: Vec3::X * x, scale: Vec3::splat(scale), ..Trs::IDENTITY };
        Node { parent: parent.map(NodeId), local: Local::Trs(local), ..Node::default() }
    }

    /// A root that doubles everything below it, a joint at 2, and another at 6 that draws a line to 8.
    fn scene() -> Scene {
        let part = Part {
            positions: vec![Vec3::ZERO, Vec3::X],
            faces: Faces::Points(vec![0, 1]),
            ..Part::default()
        };
        let mut scene = Scene::default();
        scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
        scene.nodes = vec![node(None, 0.0, 2.0), node(Some(0), 1.0, 1.0), node(Some(1), 2.0, 1.0)];
        scene.nodes[2].mesh = Some(MeshId(0));
        scene
    }

    #[test]
    fn a_turn_counts_by_the_way_to_the_farthest_vertex() {
        let (scene, ids) = (scene(), [NodeId(0), NodeId(1), NodeId(2)]);
        let reach = Reach::of(&scene);
        assert_eq!(reach.size(), 2.0);
        assert_eq!(ids.map(|id| reach.rotation(id)), [4.0, 3.0, 1.0]);
        // The root's scale is 2 at rest, and the others are in a space that it doubles.
        assert_eq!(ids.map(|id| reach.scale(id)), [2.0, 3.0, 1.0]);
        assert_eq!(ids.map(|id| reach.translation(id)), [0.5, 1.0, 1.0]);
        assert_eq!(reach.morph_weights(ids[2]), LEAST_REACH);
        // Three rows of three elements that are off by 0.1 each move the vertex, at 3 times the size, by 0.9.
        assert!((reach.shear(ids[1], 0.1, DVec3::ONE) - 0.9).abs() < 1e-12);
        assert!((reach.shear(ids[1], 0.1, DVec3::new(2.0, 1.0, -1.0)) - 1.8).abs() < 1e-12);
    }

    #[test]
    fn without_vertices_the_nodes_count() {
        let mut scene = scene();
        scene.nodes[2].mesh = None;
        let reach = Reach::of(&scene);
        assert_eq!(
            (reach.size(), reach.rotation(NodeId(0)), reach.rotation(NodeId(2))),
            (6.0, 1.0, LEAST_REACH)
        );
        let empty = Reach::of(&Scene::default());
        assert_eq!(
            (empty.translation(NodeId(7)), empty.rotation(NodeId(7)), empty.scale(NodeId(7))),
            (1.0, 1.0, 1.0)
        );
    }

    #[test]
    fn what_is_off_adds_up_along_a_chain() {
        let mut scene = scene();
        scene.nodes.push(node(Some(0), 1.0, 1.0));
        let mut fits = TrackFits::default();
        assert_eq!(fits.left(&scene), 0.0);
        // The second node has two tracks.
        for (node, left) in [(0, 1.0), (1, 0.5), (1, 1.5), (2, 4.0), (3, 5.0)] {
            fits.add(NodeId(node), Fitted { left, ..Fitted::default() });
        }
        assert_eq!((fits.left(&scene), fits.tracks), (7.0, 5));
    }
}
