//! Joints turned and morph targets set by hand, on top of the clip, to try the weights of a model.

use ligament::Scene;
use ligament::math::{DMat3, DMat4, DQuat};
use ligament::pose::{Pose, locals_at};
use ligament::scene::{Clip, NodeId};
use std::collections::BTreeMap;

/// What was changed by hand.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trial {
    /// The turn of each joint about its own origin, in the space of its parent.
    turned: BTreeMap<NodeId, DQuat>,
    /// The weights of morph targets, per node; `None` follows the clip.
    weights: BTreeMap<NodeId, Vec<Option<f32>>>,
}

impl Trial {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.turned.is_empty() && self.weights.is_empty()
    }

    /// Whether a joint was turned.
    pub fn is_turned(&self, node: NodeId) -> bool {
        self.turned.contains_key(&node)
    }

    /// Turns a joint in the scene's space, in the pose that is shown.
    pub fn turn(&mut self, scene: &Scene, pose: &Pose, node: NodeId, turn: DQuat) {
        let Some(own) = scene.nodes.get(node.index()) else { return };
        let parent = own.parent.and_then(|parent| pose.globals.get(parent.index()));
        let parent = parent.map_or(DQuat::IDENTITY, rotation);
        let local = (parent.inverse() * turn * parent).normalize();
        if local.is_finite() {
            let before = self.turned.get(&node).copied().unwrap_or(DQuat::IDENTITY);
            self.turned.insert(node, (local * before).normalize());
        }
    }

    /// Sets the weight of a morph target; `None` follows the clip again.
    pub fn set_weight(&mut self, scene: &Scene, node: NodeId, target: usize, weight: Option<f32>) {
        let mesh = scene.nodes.get(node.index()).and_then(|node| node.mesh);
        let count = mesh.and_then(|mesh| scene.meshes.get(mesh.index())).map_or(0, |mesh| mesh.morphs.len());
        if target >= count || weight.is_some_and(|weight| !weight.is_finite()) {
            return;
        }
        let own = self.weights.entry(node).or_insert_with(|| vec![None; count]);
        own[target] = weight;
        if own.iter().all(Option::is_none) {
            self.weights.remove(&node);
        }
    }

    /// Whether the weight of a morph target was set.
    pub fn has_weight(&self, node: NodeId, target: usize) -> bool {
        self.weights.get(&node).and_then(|own| own.get(target)).is_some_and(Option::is_some)
    }

    /// Changes a pose.
    pub fn apply(&self, scene: &Scene, clip: Option<&Clip>, time: f32, pose: &mut Pose) {
        for (node, own) in &self.weights {
            let Some(weights) = pose.morph_weights.get_mut(node.index()) else { continue };
            for (weight, own) in weights.iter_mut().zip(own) {
                *weight = own.unwrap_or(*weight);
            }
        }
        if self.turned.is_empty() {
            return;
        }
        let sampled = clip.map(|clip| locals_at(scene, clip, time));
        for (number, node) in scene.nodes.iter().enumerate() {
            let local = sampled.as_ref().and_then(|all| all.get(number)).unwrap_or(&node.local);
            let mut local = local.to_matrix();
            if let Some(turn) = self.turned.get(&NodeId::new(number)) {
                let place = local.w_axis;
                local = DMat4::from_quat(*turn) * local;
                local.w_axis = place;
            }
            let parent = node.parent.and_then(|parent| pose.globals.get(parent.index()).copied());
            pose.globals[number] = parent.map_or(local, |parent| parent * local);
        }
    }
}

/// The rotation of a matrix that may scale and mirror.
fn rotation(global: &DMat4) -> DQuat {
    let axes = DMat3::from_mat4(*global);
    let x = axes.x_axis.normalize_or_zero();
    let y = (axes.y_axis - x * x.dot(axes.y_axis)).normalize_or_zero();
    let turn = DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)));
    if turn.is_finite() && turn.length() > 0.5 { turn.normalize() } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::math::{Quat, Vec3};
    use ligament::scene::{Local, Mesh, MeshId, Morph, Node, Trs};

    fn chain(middle: Quat) -> Scene {
        let mut scene = Scene { meshes: vec![Mesh::default()], ..Scene::default() };
        scene.meshes[0].morphs = vec![Morph::default(), Morph::default()];
        let mut parent = None;
        for (number, rotation) in [Quat::from_rotation_z(0.7), middle, Quat::IDENTITY].into_iter().enumerate()
        {
            let translation = Vec3::new(1.0, 2.0, 0.5);
            let scale = if number == 0 { Vec3::splat(2.0) } else { Vec3::ONE };
            let local = Local::Trs(Trs { translation, rotation, scale });
            let mesh = (number == 2).then_some(MeshId(0));
            parent = Some(scene.add_node(Node { parent, local, mesh, ..Node::default() }));
        }
        scene
    }

    /// The same as a file whose joint is turned.
    #[test]
    fn a_turned_joint_takes_along_what_is_below_it() {
        let (before, after) = (Quat::from_rotation_y(0.3), Quat::from_rotation_x(1.1));
        let scene = chain(before);
        let mut pose = Pose::rest(&scene);
        // In the scene's space, the turn is that of the parent around it.
        let parent = Quat::from_rotation_z(0.7).as_dquat();
        let turn = parent * (after.as_dquat() * before.as_dquat().inverse()) * parent.inverse();
        let mut trial = Trial::default();
        trial.turn(&scene, &pose, NodeId(1), turn);
        assert!(trial.is_turned(NodeId(1)) && !trial.is_turned(NodeId(0)));
        trial.apply(&scene, None, 0.0, &mut pose);
        let expected = Pose::rest(&chain(after));
        for (own, expected) in pose.globals.iter().zip(&expected.globals) {
            assert!(own.abs_diff_eq(*expected, 1e-6), "{own} {expected}");
        }
        // Two turns follow each other, and the way back leads back.
        trial.turn(&scene, &pose, NodeId(1), turn.inverse());
        let mut back = Pose::rest(&scene);
        trial.apply(&scene, None, 0.0, &mut back);
        assert!(back.globals.iter().zip(&Pose::rest(&scene).globals).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)));
        trial.turn(&scene, &pose, NodeId(77), turn);
        trial.turn(&scene, &pose, NodeId(2), DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
        assert!(!trial.is_turned(NodeId(77)) && !trial.is_turned(NodeId(2)));
    }

    #[test]
    fn weights_replace_those_of_the_clip_until_they_are_given_back() {
        let scene = chain(Quat::IDENTITY);
        let mut trial = Trial::default();
        trial.set_weight(&scene, NodeId(2), 1, Some(0.25));
        trial.set_weight(&scene, NodeId(2), 5, Some(0.25));
        trial.set_weight(&scene, NodeId(2), 0, Some(f32::NAN));
        trial.set_weight(&scene, NodeId(0), 0, Some(1.0));
        let mut pose = Pose::rest(&scene);
        trial.apply(&scene, None, 0.0, &mut pose);
        assert_eq!(pose.morph_weights[2], [0.0, 0.25]);
        assert!(trial.has_weight(NodeId(2), 1) && !trial.has_weight(NodeId(2), 0));
        trial.set_weight(&scene, NodeId(2), 1, None);
        assert!(trial.is_empty());
    }
}
