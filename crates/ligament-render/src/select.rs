//! Highlighting and picking.

use crate::camera::View;
use crate::lines::{Lines, Segment};
use crate::model::{DrawnPart, Kind, Model};
use crate::overlays::skeleton::{joints, origin, shown};
use crate::{Shot, Space};
use ligament::Scene;
use ligament::math::{DVec3, Vec3};
use ligament::pose::Pose;
use ligament::scene::{Faces, MaterialId, MeshId, NodeId};

/// The highlight colour.
pub(crate) const COLOR: [u8; 4] = [255, 122, 26, 255];
const RIM: [u8; 4] = [20, 24, 36, 255];

/// The picking radius of joints, points and lines, in pixels.
const NEAR: f32 = 9.0;

/// A highlighted object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selected {
    /// A node: its joint, and everything on it and its descendants.
    Node(NodeId),
    /// A mesh, wherever it is.
    Mesh(MeshId),
    /// All parts of a material.
    Material(MaterialId),
}

/// The result of picking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A joint of a skeleton that is shown.
    Joint(NodeId),
    /// A part of a mesh.
    Part {
        /// The node that places it.
        node: NodeId,
        /// The mesh.
        mesh: MeshId,
        /// The index of the part.
        part: usize,
        /// The part's material, if it has one.
        material: Option<MaterialId>,
    },
}

/// Whether a part is highlighted.
pub(crate) fn is_marked(scene: &Scene, part: &DrawnPart, selected: Option<Selected>) -> bool {
    match selected {
        None => false,
        Some(Selected::Mesh(mesh)) => mesh.index() == part.mesh,
        Some(Selected::Material(material)) => material.index() == part.material,
        Some(Selected::Node(node)) => is_below(scene, part.node, node),
    }
}

/// Whether a node is `above` itself or one of its descendants.
fn is_below(scene: &Scene, node: NodeId, above: NodeId) -> bool {
    let mut at = Some(node);
    while let Some(id) = at {
        if id == above {
            return true;
        }
        // Parents come before their children: a node before `above` is not below it.
        at = scene.nodes.get(id.index()).and_then(|node| node.parent).filter(|parent| *parent >= above);
    }
    false
}

/// Draws the bones below the highlighted node, and a dot at the node.
pub(crate) fn draw(
    scene: &Scene,
    pose: &Pose,
    space: &Space,
    node: NodeId,
    thickness: f32,
    lines: &mut Lines,
) {
    let at = origin(pose, space, node);
    let ends: Vec<Vec3> = joints(scene)
        .into_iter()
        .filter(|joint| scene.nodes[joint.index()].parent == Some(node))
        .map(|joint| origin(pose, space, joint))
        .collect();
    lines.on_top.extend(ends.iter().map(|&end| Segment::new(at, end, RIM, 5.5 * thickness)));
    lines.on_top.extend(ends.iter().map(|&end| Segment::new(at, end, COLOR, 3.5 * thickness)));
    lines.on_top.push(Segment::dot(at, RIM, 11.0 * thickness));
    lines.on_top.push(Segment::dot(at, COLOR, 8.0 * thickness));
}

impl Model {
    /// Picks the object at a point, in pixels from the top left of the shot's area, which is `size` pixels large. The pose is
    /// the one that was drawn last.
    pub fn pick(&self, shot: &Shot, at: [f32; 2], size: [f32; 2]) -> Option<Hit> {
        let stage = shot.stage;
        let aspect = f64::from(size[0].max(1.0)) / f64::from(size[1].max(1.0));
        let view = shot.camera.view(&stage.space, aspect, stage.depths(shot.camera));
        if shot.look.skeleton || self.vertices.is_empty() {
            let joint = self.pick_joint(shot, &view, at, size);
            if joint.is_some() {
                return joint.map(Hit::Joint);
            }
        }
        let ray = Ray::through(&view, at, size)?;
        let nearest = self
            .parts
            .iter()
            .filter(|part| crate::passes::is_shown(part, shot))
            .filter_map(|part| Some((self.depth_at(part, shot, &ray, &view, at, size)?, part)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, part)| Hit::Part {
            node: part.node,
            mesh: MeshId::new(part.mesh),
            part: part.part,
            material: self.scene().meshes[part.mesh].parts[part.part].material,
        })
    }

    fn pick_joint(&self, shot: &Shot, view: &View, at: [f32; 2], size: [f32; 2]) -> Option<NodeId> {
        shown(self.scene(), shot)
            .into_iter()
            .filter_map(|joint| {
                let pixel = view.pixel(origin(shot.pose, &shot.stage.space, joint), size)?;
                Some((distance(pixel, at), joint))
            })
            .filter(|(away, _)| *away <= NEAR)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, joint)| joint)
    }

    /// The depth of a part at a point, if the point is on it.
    fn depth_at(
        &self,
        part: &DrawnPart,
        shot: &Shot,
        ray: &Ray,
        view: &View,
        at: [f32; 2],
        size: [f32; 2],
    ) -> Option<f64> {
        let source = &self.scene().meshes[part.mesh].parts[part.part];
        let place = |corner: u32| {
            let vertex = self.vertices.get(part.first + corner as usize);
            vertex.map_or(Vec3::ZERO, |v| Vec3::from_array(v.position))
        };
        if part.kind != Kind::Triangles {
            let near = |corner: &u32| {
                view.pixel(place(*corner), size).is_some_and(|pixel| distance(pixel, at) <= NEAR)
            };
            let all: Vec<u32> = match source.faces.corners() {
                [] => (0..part.count as u32).collect(),
                corners => corners.to_vec(),
            };
            return all
                .iter()
                .filter(|corner| near(corner))
                .map(|&corner| ray.along(place(corner)))
                .min_by(f64::total_cmp);
        }
        let Faces::Triangles(corners) = &source.faces else { return None };
        let both_sides = shot.look.two_sided || self.materials[part.material].double_sided;
        corners
            .as_chunks::<3>()
            .0
            .iter()
            .filter_map(|corners| ray.meets(corners.map(place), both_sides, part.mirrored))
            .min_by(f64::total_cmp)
    }
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// A ray through a point of the picture, in the model's units.
struct Ray {
    from: DVec3,
    way: DVec3,
}

impl Ray {
    fn through(view: &View, at: [f32; 2], size: [f32; 2]) -> Option<Self> {
        let inverse = view.matrix.as_dmat4().inverse();
        let x = f64::from(at[0]) / f64::from(size[0]) * 2.0 - 1.0;
        let y = 1.0 - f64::from(at[1]) / f64::from(size[1]) * 2.0;
        let [near, far] = [0.0, 1.0].map(|depth| inverse.project_point3(DVec3::new(x, y, depth)));
        let way = far - near;
        (near.is_finite() && way.is_finite() && way != DVec3::ZERO).then_some(Self { from: near, way })
    }

    /// The distance of a point along the ray.
    fn along(&self, place: Vec3) -> f64 {
        (place.as_dvec3() - self.from).dot(self.way) / self.way.length_squared()
    }

    /// Where it meets a triangle (Möller and Trumbore), from nearest (0) to farthest (1).
    fn meets(&self, corners: [Vec3; 3], both_sides: bool, mirrored: bool) -> Option<f64> {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        let (ab, ac) = (b - a, c - a);
        let across = self.way.cross(ac);
        let volume = ab.dot(across);
        let front = (volume > 0.0) != mirrored;
        if volume == 0.0 || !(front || both_sides) {
            return None;
        }
        let from = self.from - a;
        let u = from.dot(across) / volume;
        let turned = from.cross(ab);
        let v = self.way.dot(turned) / volume;
        let along = ac.dot(turned) / volume;
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&along)).then_some(along)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::scene::Node;

    #[test]
    fn rays_meet_front_faces() {
        let ray = Ray { from: DVec3::new(0.2, 0.2, 1.0), way: DVec3::new(0.0, 0.0, -2.0) };
        let front = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let back = [Vec3::ZERO, Vec3::Y, Vec3::X];
        assert_eq!(ray.meets(front, false, false), Some(0.5));
        assert_eq!(ray.meets(back, false, false), None);
        assert_eq!(ray.meets(back, true, false), Some(0.5));
        assert_eq!(ray.meets(back, false, true), Some(0.5));
        let beside = Ray { from: DVec3::new(0.6, 0.6, 1.0), ..ray };
        assert_eq!(beside.meets(front, true, false), None);
    }

    #[test]
    fn nodes_below_are_found() {
        let mut scene = Scene::default();
        let root = scene.add_node(Node::default());
        let child = scene.add_node(Node { parent: Some(root), ..Node::default() });
        let other = scene.add_node(Node { parent: Some(root), ..Node::default() });
        assert!(is_below(&scene, child, root) && is_below(&scene, child, child));
        assert!(!is_below(&scene, root, child) && !is_below(&scene, other, child));
    }
}
