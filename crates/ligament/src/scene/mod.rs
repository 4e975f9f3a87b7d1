//! The one neutral model that every format is read into and written from.
//!
//! # Conventions
//!
//! They are glTF's: right-handed, +Y up, +Z forward, metres, seconds, column vectors (`M * v`), quaternions `x y z w`,
//! texture coordinates with V pointing down from the top-left corner of the image, counter-clockwise front faces.
//! Importers convert files to these conventions, and exporters convert back; nothing in between depends on where a
//! scene came from.
//!
//! # The promise
//!
//! A scene returned by a reader is sane:
//!
//! - every id and every index points at something that exists,
//! - every number is finite,
//! - the keys of every track are sorted by time, strictly ascending,
//! - every hierarchy is a tree: a node's parent comes **before** the node in [`Scene::nodes`], so a single pass from
//!   front to back visits parents first, and a cycle cannot be expressed,
//! - parallel arrays (positions, normals, influences, morph deltas...) have the same length, or are empty if the
//!   attribute is absent.
//!
//! [`crate::validate`] checks that promise rule by rule. Code that builds a scene by hand should call it once.
//!
//! # How a vertex gets its place
//!
//! 1. Morph targets add their weighted deltas.
//! 2. On a node *without* a skin the node's global matrix is applied.
//! 3. On a node *with* a skin the node's own matrix is ignored, as in glTF; a vertex goes to `Σ wᵢ/W · Gᵢ · Bᵢ · v`,
//!    where `G` is the joint's global matrix, `B` its inverse bind matrix and `W` the sum of the vertex's weights. A
//!    vertex without influences, or with weights that sum to zero, stays at `v`.
//!
//! Weights are stored as in the file, without normalising them: posing divides by the sum.
//!
//! The enums here can be matched exhaustively, on purpose: when a version adds a variant, the compiler shows every place
//! that would otherwise drop it in silence.
//!
//! # Building one by hand
//!
//! A flag on a pole: two joints, four vertices, and a clip in which the upper joint bends by a right angle.
//!
//! ```
//! use ligament::math::{Quat, Vec3};
//! use ligament::pose::{Pose, deform};
//! use ligament::scene::*;
//! use std::f32::consts::FRAC_PI_2;
//!
//! let mut scene = Scene::default();
//! let root = scene.add_node(Node { name: "root".into(), ..Node::default() });
//! let up = Trs { translation: Vec3::Y, ..Trs::IDENTITY };
//! let tip = scene.add_node(Node { name: "tip".into(), parent: Some(root), local: up.into(), ..Node::default() });
//!
//! // The lower edge follows the root, the upper edge the tip.
//! let mut influences = Influences::new();
//! for joint in [0, 0, 1, 1] {
//!     influences.push([Influence { joint, weight: 1.0 }]);
//! }
//! let part = Part {
//!     positions: vec![Vec3::ZERO, Vec3::X, Vec3::new(0.0, 2.0, 0.0), Vec3::new(1.0, 2.0, 0.0)],
//!     influences,
//!     faces: Faces::Triangles(vec![0, 1, 2, 2, 1, 3]),
//!     ..Part::default()
//! };
//! scene.meshes.push(Mesh { name: "flag".into(), parts: vec![part], ..Mesh::default() });
//!
//! // An inverse bind matrix takes a vertex into its joint's space: the tip stands one metre up.
//! let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
//! let mut one_down = identity;
//! one_down[13] = -1.0;
//! scene.skins.push(Skin {
//!     joints: vec![root, tip],
//!     inverse_binds: vec![identity, one_down],
//!     ..Skin::default()
//! });
//! let (mesh, skin) = (Some(MeshId(0)), Some(SkinId(0)));
//! let flag = scene.add_node(Node { name: "flag".into(), mesh, skin, ..Node::default() });
//!
//! scene.clips.push(Clip {
//!     name: "bend".into(),
//!     duration: 1.0,
//!     tracks: vec![Track {
//!         node: tip,
//!         interpolation: Interpolation::Linear,
//!         times: [0.0, 1.0].into(),
//!         values: Values::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_z(FRAC_PI_2)]),
//!     }],
//!     ..Clip::default()
//! });
//!
//! let mut report = ligament::Report::default();
//! ligament::validate::validate(&scene, &mut report);
//! assert!(!report.has_errors());
//!
//! // Turned about the tip's place, the upper corner (1, 2) comes to rest at (-1, 2).
//! let bent = deform(&scene, &Pose::at(&scene, &scene.clips[0], 1.0), flag);
//! assert!(bent[0].positions[3].distance(Vec3::new(-1.0, 2.0, 0.0)) < 1e-6);
//! ```

mod camera;
mod clip;
mod id;
mod influences;
mod light;
mod material;
mod mesh;
mod node;
mod shading;
mod skin;
mod texture;
mod transform;

pub use camera::{Camera, Projection};
pub use clip::{Clip, Frames, Interpolation, Track, Values};
pub use id::{CameraId, ClipId, ImageId, LightId, MaterialId, MeshId, NodeId, SkinId, TextureId};
pub use influences::{Influence, Influences};
pub use light::{Light, LightKind};
pub use material::{AlphaMode, Material, Pbr, Phong, Specular, TextureRef, UvTransform};
pub use mesh::{Faces, Mesh, Morph, MorphDeltas, Part};
pub use node::{Local, Node};
pub use shading::{pbr_from_phong, phong_from_pbr};
pub use skin::Skin;
pub use texture::{Filter, Image, ImageData, Sampler, Texture, Wrap, media_type};
pub use transform::{Trs, decompose};
pub(crate) use transform::{Y_UP, affine, is_similarity, y_up};

/// Extra key-value data of an object: glTF's `extras`, or values of a format that the model cannot express (see each
/// format's page for the keys it uses).
pub type Extras = serde_json::Map<String, serde_json::Value>;

/// A whole file's content in the neutral model. See the [module documentation](self) for conventions and promises.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// The scene's name; empty if the format has none.
    pub name: String,
    /// All nodes, parents before their children.
    pub nodes: Vec<Node>,
    /// Meshes, placed in the scene by the nodes that refer to them.
    pub meshes: Vec<Mesh>,
    /// Skins: which nodes are joints, and their inverse bind matrices.
    pub skins: Vec<Skin>,
    /// Animation clips.
    pub clips: Vec<Clip>,
    /// Materials, used by the parts of meshes.
    pub materials: Vec<Material>,
    /// Textures: an image and how it is sampled.
    pub textures: Vec<Texture>,
    /// Images, by reference or embedded.
    pub images: Vec<Image>,
    /// Cameras, placed by nodes.
    pub cameras: Vec<Camera>,
    /// Lights, placed by nodes.
    pub lights: Vec<Light>,
    /// Ambient light (linear RGBA), if the format has one.
    pub ambient: Option<[f32; 4]>,
    /// Key-value data of the scene itself.
    pub extras: Extras,
}

impl Scene {
    /// Appends a node and returns its id. Its parent must already be in the scene.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        debug_assert!(
            node.parent.is_none_or(|p| p.index() < self.nodes.len()),
            "a node's parent comes first"
        );
        NodeId::push(&mut self.nodes, node)
    }

    /// The nodes without a parent, in order.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.node_ids().filter(|&id| self.nodes[id.index()].parent.is_none())
    }

    /// All node ids, parents before their children.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// The children of a node, in order.
    pub fn children(&self, parent: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.node_ids().filter(move |&id| self.nodes[id.index()].parent == Some(parent))
    }

    /// The ancestors of a node, nearest first.
    pub(crate) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.nodes[node.index()].parent, |above| self.nodes[above.index()].parent)
    }

    /// The number of vertices of all mesh placements: a mesh on two nodes counts twice.
    pub fn vertex_count(&self) -> usize {
        self.nodes.iter().filter_map(|n| n.mesh).map(|m| self.meshes[m.index()].vertex_count()).sum()
    }

    /// For each node, whether a skin uses it as a joint.
    pub fn are_joints(&self) -> Vec<bool> {
        let mut is_joint = vec![false; self.nodes.len()];
        self.skins.iter().flat_map(|s| &s.joints).for_each(|joint| is_joint[joint.index()] = true);
        is_joint
    }

    /// For each node, whether a clip changes its transform.
    pub fn are_animated(&self) -> Vec<bool> {
        let mut is_animated = vec![false; self.nodes.len()];
        let tracks = self.clips.iter().flat_map(|c| &c.tracks).filter(|track| track.moves_node());
        tracks.for_each(|track| is_animated[track.node.index()] = true);
        is_animated
    }

    /// The number of distinct nodes that any skin uses as a joint.
    pub fn joint_count(&self) -> usize {
        self.are_joints().iter().filter(|&&j| j).count()
    }

    /// The counts that a summary shows.
    pub fn counts(&self) -> Counts {
        Counts { vertices: self.vertex_count(), joints: self.joint_count(), clips: self.clips.len() }
    }

    /// Visits the extras of the scene and of every object in it.
    pub(crate) fn each_extras(&mut self, visit: &mut dyn FnMut(&mut Extras)) {
        visit(&mut self.extras);
        self.nodes.iter_mut().for_each(|o| visit(&mut o.extras));
        self.skins.iter_mut().for_each(|o| visit(&mut o.extras));
        self.clips.iter_mut().for_each(|o| visit(&mut o.extras));
        self.materials.iter_mut().for_each(|o| visit(&mut o.extras));
        self.textures.iter_mut().for_each(|o| visit(&mut o.extras));
        self.images.iter_mut().for_each(|o| visit(&mut o.extras));
        self.cameras.iter_mut().for_each(|o| visit(&mut o.extras));
        self.lights.iter_mut().for_each(|o| visit(&mut o.extras));
        for mesh in &mut self.meshes {
            visit(&mut mesh.extras);
            mesh.parts.iter_mut().for_each(|o| visit(&mut o.extras));
        }
    }

    /// The node's name, or a stable substitute (`node3`) if it has none.
    pub fn node_label(&self, id: NodeId) -> String {
        let name = &self.nodes[id.index()].name;
        if name.is_empty() { format!("node{}", id.index()) } else { name.clone() }
    }
}

/// Counts of a scene's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Vertices over all mesh placements.
    pub vertices: usize,
    /// Nodes that are joints of a skin.
    pub joints: usize,
    /// Clips.
    pub clips: usize,
}

impl Counts {
    /// `{"vertices": .., "joints": .., "clips": ..}`.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "vertices": self.vertices, "joints": self.joints, "clips": self.clips })
    }
}

impl std::fmt::Display for Counts {
    /// `1098 vertices, 47 joints, 5 clips`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::report::counted;
        let vertices = counted(self.vertices, "vertex", "vertices");
        let joints = counted(self.joints, "joint", "joints");
        write!(f, "{vertices}, {joints}, {}", counted(self.clips, "clip", "clips"))
    }
}
