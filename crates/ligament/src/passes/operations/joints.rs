//! The joints of two skeletons that belong together, and the poses in which they are bound.

use super::rig_codes as codes;
use crate::report::{Diagnostic, Failure, Place, Report, Severity, most_similar};
use crate::scene::{NodeId, Scene};
use glam::{DMat3, DMat4, DQuat};
use std::collections::HashMap;

/// A name without the namespace that a program put before it: `mixamorig:Hips` is `Hips`.
pub(crate) fn bare(name: &str) -> &str {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    // Programs that allow no colon write `mixamorigHips`, `mixamorig1_Hips`.
    match name.strip_prefix("mixamorig") {
        Some(rest) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('_');
            if rest.is_empty() { name } else { rest }
        }
        None => name,
    }
}

/// Names of nodes: joints before others, and only where one node has the name.
struct Names(HashMap<String, Option<NodeId>>);

impl Names {
    fn of(scene: &Scene, key: impl Fn(&str) -> String) -> Self {
        let is_joint = scene.are_joints();
        let mut names: HashMap<String, Option<NodeId>> = HashMap::new();
        for joints in [true, false] {
            let mut these: HashMap<String, Option<NodeId>> = HashMap::new();
            for id in scene.node_ids().filter(|id| is_joint[id.index()] == joints) {
                let name = key(&scene.nodes[id.index()].name);
                if !name.is_empty() {
                    these.entry(name).and_modify(|known| *known = None).or_insert(Some(id));
                }
            }
            for (name, id) in these {
                names.entry(name).or_insert(id);
            }
        }
        Self(names)
    }

    fn get(&self, name: &str) -> Option<NodeId> {
        self.0.get(name).copied().flatten()
    }
}

/// Finds nodes by the names that people type: exactly, otherwise without a namespace; joints before others.
pub(super) struct Finder([Names; 2]);

/// Why no node was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// No node has the name.
    Unknown,
    /// Several have it.
    Ambiguous,
}

impl Finder {
    pub(super) fn of(scene: &Scene) -> Self {
        Self([Names::of(scene, str::to_owned), Names::of(scene, |name| bare(name).to_owned())])
    }

    pub(super) fn find(&self, name: &str) -> Result<NodeId, Missing> {
        let found = self.0[0].0.get(name).or_else(|| self.0[1].0.get(bare(name)));
        match found {
            Some(Some(node)) => Ok(*node),
            Some(None) => Err(Missing::Ambiguous),
            None => Err(Missing::Unknown),
        }
    }
}

impl Missing {
    /// What is wrong with the name, as an error at a place.
    pub(super) fn diagnostic(self, scene: &Scene, name: &str, place: Place) -> Diagnostic {
        let message = match self {
            Missing::Unknown => format!("the model has no joint {name:?}"),
            Missing::Ambiguous => format!("several joints are called {name:?}"),
        };
        let mut error = Diagnostic::new(Severity::Error, &codes::NO_JOINT, place, message);
        if self == Missing::Unknown {
            let names = scene.nodes.iter().map(|node| node.name.as_str()).filter(|name| !name.is_empty());
            let names = names.flat_map(|name| [name, bare(name)]);
            error.help = most_similar(name, names).map(|meant| format!("did you mean {meant:?}?"));
        }
        error
    }
}

/// For each node of `from`, the node of `to` with the same name: exactly, without namespaces, or at last in another case.
/// No two have the same counterpart.
pub(crate) fn matched(from: &Scene, to: &Scene) -> Vec<Option<NodeId>> {
    let keys: [fn(&str) -> String; 3] =
        [|name| name.to_owned(), |name| bare(name).to_owned(), |name| bare(name).to_lowercase()];
    let mut found: Vec<Option<NodeId>> = vec![None; from.nodes.len()];
    let mut taken = vec![false; to.nodes.len()];
    for key in keys {
        let names = Names::of(to, key);
        // Of several nodes with one name, the joint is meant.
        let own = Names::of(from, key);
        for id in from.node_ids() {
            let name = key(&from.nodes[id.index()].name);
            if found[id.index()].is_some() || own.get(&name) != Some(id) {
                continue;
            }
            if let Some(other) = names.get(&name).filter(|other| !taken[other.index()]) {
                taken[other.index()] = true;
                found[id.index()] = Some(other);
            }
        }
    }
    found
}

/// The matrices of all nodes when their skin was bound: of joints below joints, from the inverse bind matrices; of all
/// others, at rest.
pub(crate) fn bound(scene: &Scene) -> Vec<DMat4> {
    let mut binds: HashMap<NodeId, (usize, DMat4)> = HashMap::new();
    for (index, skin) in scene.skins.iter().enumerate() {
        for (joint, bind) in skin.binds() {
            binds.entry(joint).or_insert((index, bind));
        }
    }
    let mut globals: Vec<DMat4> = Vec::with_capacity(scene.nodes.len());
    for id in scene.node_ids() {
        let node = &scene.nodes[id.index()];
        let local = local_bind(node.parent, id, &binds).unwrap_or_else(|| node.local.to_matrix());
        globals.push(node.parent.map_or(local, |parent| globals[parent.index()] * local));
    }
    globals
}

fn local_bind(parent: Option<NodeId>, id: NodeId, binds: &HashMap<NodeId, (usize, DMat4)>) -> Option<DMat4> {
    let (skin, bind) = binds.get(&id)?;
    let (_, above) = binds.get(&parent?).filter(|(other, _)| other == skin)?;
    let inverse = bind.inverse();
    let local = *above * inverse;
    (inverse.is_finite() && local.is_finite() && bind.determinant().abs() > 1e-30).then_some(local)
}

/// The rotation of a matrix, without its scale.
pub(crate) fn rotation(matrix: &DMat4) -> DQuat {
    let block = DMat3::from_mat4(*matrix);
    let unit = |axis: glam::DVec3| axis.try_normalize();
    match (unit(block.x_axis), unit(block.y_axis), unit(block.z_axis)) {
        (Some(x), Some(y), Some(z)) => {
            let z = if x.cross(y).dot(z) < 0.0 { -z } else { z };
            DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize()
        }
        _ => DQuat::IDENTITY,
    }
}

/// The angle between two rotations, in degrees.
pub(crate) fn degrees(a: DQuat, b: DQuat) -> f64 {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (4.0 * ((a - b).length() / 2.0).clamp(0.0, 1.0).asin()).to_degrees()
}

/// The names of nodes, in quotes; of more than `most`, the first ones.
pub(super) fn some_names(scene: &Scene, nodes: &[NodeId], most: usize) -> String {
    let named: Vec<_> = nodes.iter().take(most).map(|&id| format!("{:?}", scene.node_label(id))).collect();
    let more = nodes.len().saturating_sub(most);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    named.join(", ") + &more
}

/// Reports a name that no node has.
pub(super) fn no_joint(scene: &Scene, name: &str, place: Place, report: &mut Report) -> Failure {
    report.push(Missing::Unknown.diagnostic(scene, name, place));
    Failure::Usage
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Node;

    #[test]
    fn names_lose_their_namespace() {
        for (name, wanted) in [
            ("mixamorig:Hips", "Hips"),
            ("mixamorig9:LeftArm", "LeftArm"),
            ("mixamorigSpine1", "Spine1"),
            ("mixamorig1_Head", "Head"),
            ("Armature|Root", "Root"),
            ("mixamorig", "mixamorig"),
            ("Hips", "Hips"),
        ] {
            assert_eq!(bare(name), wanted);
        }
    }

    #[test]
    fn exact_names_come_first_and_no_joint_is_taken_twice() {
        let scene = |names: &[&str]| {
            let node = |name: &&str| Node { name: (*name).into(), ..Node::default() };
            Scene { nodes: names.iter().map(node).collect(), ..Scene::default() }
        };
        let (a, b) = (scene(&["hips", "x:Hips", "Hips", "Head", "odd"]), scene(&["Hips", "m:head", "Foot"]));
        assert_eq!(matched(&a, &b), [None, None, Some(NodeId(0)), Some(NodeId(1)), None]);
        let twins = scene(&["Hips", "Hips"]);
        assert_eq!(matched(&a, &twins), [None; 5]);
    }
}
