//! One skin for all meshes.
//!
//! Two skins are one if every joint of both is bound the same way in each, or differs by one matrix `M` that is the same for all:
//! `B' = B · M`. Then the second's meshes are moved by `M`, and the first's matrices pose them.

use super::arrange::{renumber, separate};
use super::beside::{Beside, Change};
use super::prune::used_joints;
use super::rig_codes as codes;
use crate::passes::transform::{forget_bounds, transform_part};
use crate::report::{Failure, Loss, Place, Report, counted, label};
use crate::scene::{NodeId, Scene, Skin, SkinId};
use glam::{DMat3, DMat4};
use std::collections::HashMap;

/// Bind matrices that differ by less than this, relative to their largest element, are the same.
const SAME: f64 = 2e-6;
/// How many skins that cannot be one are compared with each other.
const MOST_GROUPS: usize = 64;
/// How many names a message lists.
const MOST_NAMED: usize = 8;

/// A skin made of several.
#[derive(Default)]
struct Group {
    skin: Skin,
    binds: Vec<DMat4>,
    places: HashMap<NodeId, usize>,
    /// Whether a joint moves a vertex.
    is_used: Vec<bool>,
}

/// What becomes of a skin.
struct Member {
    group: usize,
    map: Vec<Option<u32>>,
    /// What its meshes are moved by.
    moved: DMat4,
}

/// Makes one skin of all that agree with each other.
pub(super) fn merge_skins(scene: &mut Scene, report: &mut Report) -> Result<(), Failure> {
    if scene.skins.len() < 2 {
        let message = "the model has no two skins; there is nothing to merge";
        report.note(&codes::NOT_MERGED, Place::WHOLE, message);
        return Ok(());
    }
    let before = Beside::of(scene);
    let used = used_joints(scene);
    let mut groups: Vec<Group> = Vec::new();
    let mut members: Vec<Member> = Vec::with_capacity(scene.skins.len());
    // The skins with which groups began.
    let mut founders: Vec<String> = Vec::new();
    for (index, (skin, used)) in scene.skins.iter().zip(&used).enumerate() {
        let has_twins =
            skin.joints.len() != skin.joints.iter().collect::<std::collections::HashSet<_>>().len();
        let fits = |(index, group): (usize, &Group)| Some((index, group.fits(skin, used)?));
        let found = if has_twins { None } else { groups.iter().take(MOST_GROUPS).enumerate().find_map(fits) };
        let (group, moved) = found.unwrap_or_else(|| {
            founders.push(label("skin", &skin.name, index));
            groups.push(Group {
                skin: Skin { joints: vec![], inverse_binds: vec![], ..skin.clone() },
                ..Group::default()
            });
            (groups.len() - 1, DMat4::IDENTITY)
        });
        let map = groups[group].take(skin, used, &moved, has_twins);
        members.push(Member { group, map, moved });
    }
    let drawn: Vec<Option<SkinId>> = scene.nodes.iter().map(|node| node.skin).collect();
    let count = scene.skins.len();
    if groups.len() == count {
        let message = format!("the {count} skins bind the same joints differently; none was merged");
        report.note(&codes::NOT_MERGED, Place::WHOLE, message);
        return Ok(());
    }
    if groups.len() > 1 {
        let names: Vec<_> = founders.iter().skip(1).take(MOST_NAMED).map(String::as_str).collect();
        let message = format!(
            "{}: joints are bound differently than in {}, so {} skins are left",
            names.join(", "),
            founders[0],
            groups.len()
        );
        report.loss(Loss::kept(&codes::SKIN_STAYS, "", groups.len() - 1, message));
    }
    move_meshes(scene, &members);
    let maps: Vec<Vec<Option<u32>>> =
        members.iter_mut().map(|member| std::mem::take(&mut member.map)).collect();
    renumber(scene, &maps);
    scene.skins = groups.into_iter().map(Group::into_skin).collect();
    for node in &mut scene.nodes {
        node.skin = node.skin.map(|skin| SkinId::new(members[skin.index()].group));
    }
    let nodes: Vec<Option<NodeId>> = scene.node_ids().map(Some).collect();
    let moved =
        |node: NodeId| drawn[node.index()].map_or(DMat4::IDENTITY, |skin| members[skin.index()].moved);
    let change = Change { nodes: &nodes, moved: &moved, with_rest: true };
    let left = counted(scene.skins.len(), "skin", "skins");
    let message = format!("{count} skins are {left}");
    report.loss(before.compare(scene, &change).loss(&codes::MERGED, count - scene.skins.len(), message));
    Ok(())
}

/// Moves the meshes of skins that are bound elsewhere.
fn move_meshes(scene: &mut Scene, members: &[Member]) {
    if members.iter().all(|member| member.moved == DMat4::IDENTITY) {
        return;
    }
    let drawn = separate(scene, |a, b| members[a.index()].moved == members[b.index()].moved);
    for (skin, mesh) in drawn {
        let moved = &members[skin.index()].moved;
        if *moved != DMat4::IDENTITY {
            scene.meshes[mesh.index()].parts.iter_mut().for_each(|part| transform_part(part, moved));
        }
    }
    forget_bounds(scene);
}

impl Group {
    /// By what a skin's meshes must be moved to be posed by this one; `None` if no matrix does it.
    fn fits(&self, skin: &Skin, used: &[bool]) -> Option<DMat4> {
        let shared = || {
            let own = skin.binds().zip(used).filter(|(_, used)| **used);
            own.filter_map(|((joint, bind), _)| {
                let place = *self.places.get(&joint)?;
                self.is_used[place].then(|| (self.binds[place], bind))
            })
        };
        let Some((first, other)) = shared().next() else { return Some(DMat4::IDENTITY) };
        let moved = first.inverse() * other;
        let is_identity = (moved - DMat4::IDENTITY).to_cols_array().iter().all(|v| v.abs() < SAME);
        let moved = if is_identity { DMat4::IDENTITY } else { moved };
        let determinant = DMat3::from_mat4(moved).determinant();
        let is_sound = moved.is_finite() && moved.inverse().is_finite() && determinant > 0.0;
        let agrees = |(own, other): (DMat4, DMat4)| {
            let largest = other.to_cols_array().iter().fold(1.0_f64, |most, v| most.max(v.abs()));
            (own * moved - other).to_cols_array().iter().all(|v| v.abs() <= SAME * largest)
        };
        (is_sound && shared().all(agrees)).then_some(moved)
    }

    /// Adds a skin's joints, and returns their numbers.
    fn take(&mut self, skin: &Skin, used: &[bool], moved: &DMat4, has_twins: bool) -> Vec<Option<u32>> {
        let back = moved.inverse();
        let is_still = *moved == DMat4::IDENTITY;
        let mut map = Vec::with_capacity(skin.joints.len());
        for ((joint, bind), &used) in skin.binds().zip(used) {
            let bind = if is_still { bind } else { bind * back };
            let known = self.places.get(&joint).copied().filter(|_| !has_twins);
            let place = known.unwrap_or_else(|| {
                self.skin.joints.push(joint);
                self.binds.push(bind);
                self.is_used.push(false);
                self.places.insert(joint, self.binds.len() - 1);
                self.binds.len() - 1
            });
            // Nothing has shown so far how it must be bound.
            if used && !std::mem::replace(&mut self.is_used[place], true) {
                self.binds[place] = bind;
            }
            map.push(Some(place as u32));
        }
        map
    }

    fn into_skin(mut self) -> Skin {
        self.skin.inverse_binds =
            self.binds.iter().map(|bind| bind.to_cols_array().map(|v| v as f32)).collect();
        self.skin
    }
}
