//! Nodes as models, each with at most one thing that it carries.
//!
//! A model is a translation, angles and a scale, and cameras and lights look along other axes than a scene's. A node
//! that this does not fit gets a second model above or below it.

use super::KEY;
use super::codes;
use super::file::File;
use super::properties::with_extras;
use super::shear::{Transform, split};
use super::tree::{Id, Record, choice, integer, property};
use crate::motion::to_angles;
use crate::pose::Pose;
use crate::report::{Loss, Report};
use crate::scene::{CameraId, LightId, Local, MeshId, NodeId, Scene, SkinId, decompose};
use glam::{DMat4, DQuat, DVec3};
use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;

/// More shear than this is not rounding.
const ROUNDING: f64 = 1e-5;

/// What a model carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    Nothing,
    Joint,
    Mesh(MeshId, Option<SkinId>),
    Camera(CameraId),
    Light(LightId),
}

#[derive(Debug)]
pub(super) struct Model {
    pub(super) id: Id,
    pub(super) name: String,
    /// Its number among all models.
    pub(super) parent: Option<usize>,
    pub(super) rest: Transform,
    /// A rotation below that of the tracks: what a camera or light looks along.
    pub(super) turn: DQuat,
    pub(super) attribute: Attribute,
    /// Whether tracks of its transform have no effect, because joints alone place its mesh.
    pub(super) is_inert: bool,
}

/// All models: first one for each node, in the same order, then those that were added.
pub(super) struct Models {
    pub(super) list: Vec<Model>,
    /// Where each node is at rest.
    pub(super) globals: Vec<DMat4>,
    /// Where each model with a skin is while it is bound.
    pub(super) bound: BTreeMap<usize, DMat4>,
    /// The matrices of models in the bind pose, where they are not those at rest.
    pub(super) binds: BTreeMap<usize, DMat4>,
    /// Whether the clips move each node.
    moves: Vec<bool>,
    still: Option<usize>,
}

impl Models {
    /// Where the node above a joint and the joints above that is at rest.
    pub(super) fn above_bones(&self, joint: usize) -> DMat4 {
        let mut above = self.list[joint].parent;
        while let Some(parent) =
            above.filter(|&parent| matches!(self.list[parent].attribute, Attribute::Joint))
        {
            above = self.list[parent].parent;
        }
        above.and_then(|above| self.globals.get(above)).copied().unwrap_or(DMat4::IDENTITY)
    }

    pub(super) fn of(scene: &Scene, file: &mut File, report: &mut Report) -> Self {
        let count = scene.nodes.len();
        let mut has_children = vec![false; count];
        scene
            .nodes
            .iter()
            .filter_map(|node| node.parent)
            .for_each(|parent| has_children[parent.index()] = true);
        let (is_bone, mut moves) = (bones(scene), scene.are_animated());
        for (index, node) in scene.nodes.iter().enumerate() {
            moves[index] |= node.parent.is_some_and(|parent| moves[parent.index()]);
        }
        let mut models = Self {
            list: Vec::with_capacity(count),
            globals: Pose::rest(scene).globals,
            bound: BTreeMap::new(),
            binds: BTreeMap::new(),
            moves,
            still: None,
        };
        for (index, node) in scene.nodes.iter().enumerate() {
            let attribute = match node.mesh {
                Some(mesh) => Attribute::Mesh(mesh, node.skin),
                None if is_bone[index] => Attribute::Joint,
                None => Attribute::Nothing,
            };
            models.list.push(Model {
                id: file.id(),
                name: node.name.clone(),
                parent: node.parent.map(NodeId::index),
                rest: node.local.trs().map_or(Transform::IDENTITY, |trs| (*trs).into()),
                turn: DQuat::IDENTITY,
                attribute,
                is_inert: false,
            });
        }
        let mut added = [0; 2];
        for (index, node) in scene.nodes.iter().enumerate() {
            let is_plain = !has_children[index] && models.list[index].attribute == Attribute::Nothing;
            added[0] += models.carry(scene, index, is_plain, file);
            if let Local::Matrix(_) = &node.local {
                models.shear(index, &node.local.to_matrix(), file);
                added[1] += 1;
            }
        }
        for (index, node) in scene.nodes.iter().enumerate() {
            if let Some(skin) = node.skin {
                let is_free =
                    !has_children[index] && !is_bone[index] && models.list[index].turn == DQuat::IDENTITY;
                let is_free = is_free && node.camera.is_none() && node.light.is_none();
                models.bind(scene, index, skin, is_free, report);
            }
        }
        let messages = [
            "cameras and lights of nodes that carry more get nodes of their own, because they look along other axes",
            "nodes with shear get a second node above them",
        ];
        for (count, message) in added.into_iter().zip(messages) {
            report.loss(Loss::kept(&codes::ADDED, "", count, message));
        }
        models
    }

    /// Lets a model carry its node's camera and light, or models below it. Returns how many were added.
    fn carry(&mut self, scene: &Scene, index: usize, is_plain: bool, file: &mut File) -> usize {
        let node = &scene.nodes[index];
        let camera = node
            .camera
            .map(|camera| (Attribute::Camera(camera), scene.cameras[camera.index()].name.as_str()));
        let light =
            node.light.map(|light| (Attribute::Light(light), scene.lights[light.index()].name.as_str()));
        let carried: Vec<_> = [camera, light].into_iter().flatten().collect();
        match carried[..] {
            [(attribute, _)] if is_plain => {
                (self.list[index].attribute, self.list[index].turn) = (attribute, attribute.turn());
                0
            }
            _ => {
                for &(attribute, name) in &carried {
                    let name = if name.is_empty() { &node.name } else { name };
                    let added = self.add(name.to_owned(), Some(index), attribute, file);
                    self.list[added].turn = attribute.turn();
                }
                carried.len()
            }
        }
    }

    fn add(&mut self, name: String, parent: Option<usize>, attribute: Attribute, file: &mut File) -> usize {
        let (rest, turn) = (Transform::IDENTITY, DQuat::IDENTITY);
        self.list.push(Model { id: file.id(), name, parent, rest, turn, attribute, is_inert: false });
        self.list.len() - 1
    }

    /// Puts a model above one whose matrix has shear. Such nodes have no tracks.
    fn shear(&mut self, index: usize, matrix: &DMat4, file: &mut File) {
        let (outer, inner) = split(matrix);
        let name = format!("{}_shear", self.list[index].name);
        let added = self.add(name, self.list[index].parent, Attribute::Nothing, file);
        self.list[added].rest = outer;
        self.list[index].parent = Some(added);
        self.list[index].rest = Transform { rotation: inner, ..Transform::IDENTITY };
    }

    /// Decides where a model with a skin is while it is bound. Where the joints put its vertices does not depend on
    /// it, but some programs move a mesh with its own model as well, and show a skeleton in its bind pose: so the model
    /// is where the rest pose is the bind pose.
    fn bind(&mut self, scene: &Scene, index: usize, skin: SkinId, is_free: bool, report: &mut Report) {
        if !is_free {
            self.bound.insert(index, self.globals[index]);
            return;
        }
        self.list[index].is_inert = true;
        let skin = &scene.skins[skin.index()];
        let topmost = skin.binds().min_by_key(|(joint, _)| *joint);
        let place = topmost.map_or(DMat4::IDENTITY, |(joint, bind)| self.globals[joint.index()] * bind);
        let mut parent = scene.nodes[index].parent;
        if parent.is_some_and(|parent| self.moves[parent.index()]) {
            parent = None;
            let message = "skinned meshes below nodes that move become topmost nodes, because only joints may move them";
            report.loss(Loss::kept(&codes::ADDED, "", 1, message));
        }
        let above = parent.map_or(DMat4::IDENTITY, |parent| self.globals[parent.index()]);
        let fits = |place: DMat4| {
            let (trs, error) = decompose(&(above.inverse() * place))?;
            (error < ROUNDING).then_some((place, trs))
        };
        let place = if place.abs_diff_eq(DMat4::IDENTITY, ROUNDING) { DMat4::IDENTITY } else { place };
        let model = &mut self.list[index];
        model.parent = parent.map(NodeId::index);
        match fits(place).or_else(|| fits(DMat4::IDENTITY)) {
            Some((place, trs)) => {
                model.rest = trs.into();
                self.bound.insert(index, place);
            }
            None => {
                (model.parent, model.rest) = (None, Transform::IDENTITY);
                self.bound.insert(index, DMat4::IDENTITY);
            }
        }
    }

    /// A joint that never moves, for vertices that no joint holds: programs disagree on where those stay.
    pub(super) fn still(&mut self, file: &mut File, report: &mut Report) -> usize {
        if let Some(still) = self.still {
            return still;
        }
        let message = "vertices that no joint holds are held by an added one that does not move";
        report.loss(Loss::kept(&codes::ADDED, "", 1, message));
        let still = self.add("static".to_owned(), None, Attribute::Joint, file);
        self.still = Some(still);
        still
    }

    /// Writes all models and the bind pose.
    pub(super) fn write(&self, scene: &Scene, length: f64, file: &mut File, report: &mut Report) {
        for (index, model) in self.list.iter().enumerate() {
            let kind = match model.attribute {
                Attribute::Nothing => "Null",
                Attribute::Joint => "LimbNode",
                Attribute::Mesh(..) => "Mesh",
                Attribute::Camera(_) => "Camera",
                Attribute::Light(_) => "Light",
            };
            let [translation, rotation, scale] = model.values(length);
            let animated = |name: &'static str, v: DVec3| property(name, [name, "", "A"], v.to_array());
            let object = Record::object("Model", model.id, &*model.name, "Model", kind).with("Version", 232);
            let mut rows = vec![
                choice("InheritType", 1),
                integer("DefaultAttributeIndex", 0),
                animated("Lcl Translation", translation),
                animated("Lcl Rotation", rotation),
                animated("Lcl Scaling", scale),
            ];
            if let Some(node) = scene.nodes.get(index) {
                rows = with_extras(rows, &node.extras, report);
                let own = node.extras.get(KEY);
                if own.and_then(|own| own.get("visible")?.as_bool()) == Some(false) {
                    rows.push(property("Visibility", ["Visibility", "", "A"], [0.0]));
                }
            }
            file.add(object.properties(rows).with("Culling", "CullingOff"));
            let parent = model.parent.map_or(Id::ROOT, |parent| self.list[parent].id);
            file.connect(model.id, parent);
            let flags = match model.attribute {
                Attribute::Nothing => "Null",
                Attribute::Joint => "Skeleton",
                _ => continue,
            };
            let id = file.id();
            let attribute = Record::object("NodeAttribute", id, &*model.name, "NodeAttribute", kind);
            file.add(attribute.with("TypeFlags", flags));
            file.connect(id, model.id);
        }
        self.bind_pose(length, file);
    }

    /// The matrices of all joints, of the meshes that they deform, and of all models above them: 3ds Max needs those
    /// too.
    fn bind_pose(&self, length: f64, file: &mut File) {
        if self.bound.is_empty() {
            return;
        }
        let mut listed: BTreeMap<usize, DMat4> = self.binds.clone();
        listed.extend(&self.bound);
        let known: Vec<usize> = listed.keys().copied().collect();
        for index in known {
            let mut above = self.list[index].parent;
            while let Some(index) = above.filter(|index| !listed.contains_key(index)) {
                listed.insert(index, self.global(index));
                above = self.list[index].parent;
            }
        }
        let id = file.id();
        let pose = Record::object("Pose", id, "BindPose", "Pose", "BindPose")
            .with("Type", "BindPose")
            .with("Version", 100)
            .with("NbPoseNodes", listed.len() as i32);
        let node = |(index, matrix): (&usize, &DMat4)| {
            let node = Record::new("PoseNode").with("Node", self.list[*index].id.0);
            node.with("Matrix", matrix_values(matrix, length))
        };
        file.add(pose.children(listed.iter().map(node)));
    }

    /// Where a model is at rest.
    fn global(&self, index: usize) -> DMat4 {
        match self.globals.get(index) {
            Some(global) => *global,
            None => {
                let above = self.list[index].parent.and_then(|parent| self.globals.get(parent));
                above.copied().unwrap_or(DMat4::IDENTITY) * self.list[index].rest.matrix()
            }
        }
    }
}

impl Model {
    /// Translation, angles in degrees, and scale at rest.
    fn values(&self, length: f64) -> [DVec3; 3] {
        let angles = to_angles(self.rest.rotation * self.turn).map(f64::to_degrees);
        [self.rest.translation * length, angles, self.rest.scale]
    }
}

impl Attribute {
    /// A scene's cameras and lights look along −Z, the file's cameras along +X, and its lights along −Y.
    fn turn(self) -> DQuat {
        match self {
            Attribute::Camera(_) => DQuat::from_rotation_y(FRAC_PI_2),
            Attribute::Light(_) => DQuat::from_rotation_x(FRAC_PI_2),
            _ => DQuat::IDENTITY,
        }
    }
}

/// A matrix as 16 numbers, in the file's unit.
pub(super) fn matrix_values(matrix: &DMat4, length: f64) -> Vec<f64> {
    let mut matrix = *matrix;
    matrix.w_axis = (matrix.w_axis.truncate() * length).extend(1.0);
    matrix.to_cols_array().to_vec()
}

/// For each node, whether it is a joint, or between joints: programs that know bones need them without gaps.
fn bones(scene: &Scene) -> Vec<bool> {
    let is_joint = scene.are_joints();
    let parent = |index: usize| scene.nodes[index].parent.map(NodeId::index);
    let (mut below, mut above) = (is_joint.clone(), is_joint.clone());
    for index in (0..is_joint.len()).rev() {
        if let Some(parent) = parent(index) {
            below[parent] |= below[index];
        }
    }
    for index in 0..is_joint.len() {
        above[index] |= parent(index).is_some_and(|parent| above[parent]);
    }
    is_joint.iter().enumerate().map(|(index, &joint)| joint || (above[index] && below[index])).collect()
}
