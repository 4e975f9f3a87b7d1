//! Brings the vertices of every placement into the space of the joints at rest.

use super::plan::{Follows, Placement, Plan};
use super::skeleton::{Skeleton, SkinMove};
use crate::passes::transform::{Mover, flip_faces, transform_part};
use crate::pose::Pose;
use crate::scene::{Influence, Influences, Mesh, Part, Scene, SkinId};
use glam::{DMat3, DMat4, DVec3, Vec3};

/// Takes all meshes out of the scene, one per placement, and returns how far the rest pose moved at most. `order` maps
/// bones to the joint numbers of influences.
pub(super) fn bake_meshes(
    scene: &mut Scene,
    plan: &Plan,
    skeleton: &Skeleton,
    order: &[u32],
) -> (Vec<Mesh>, f64) {
    let mut uses = vec![0; scene.meshes.len()];
    plan.placements.iter().for_each(|p| uses[p.mesh.index()] += 1);
    let rest = Pose::rest(scene);
    let rests_elsewhere = skeleton.rests_elsewhere();
    let mut meshes = Vec::with_capacity(plan.placements.len());
    let mut moved = 0.0_f64;
    for placement in &plan.placements {
        // The last placement of a mesh takes its arrays; earlier ones copy them.
        let mesh = placement.mesh.index();
        uses[mesh] -= 1;
        let mut mesh = if uses[mesh] == 0 {
            std::mem::take(&mut scene.meshes[mesh])
        } else {
            scene.meshes[mesh].clone()
        };
        let baker = Baker { scene, skeleton, order, rest: &rest, rests_elsewhere };
        for part in &mut mesh.parts {
            moved = moved.max(baker.bake(part, placement));
        }
        meshes.push(mesh);
    }
    (meshes, moved)
}

struct Baker<'a> {
    scene: &'a Scene,
    skeleton: &'a Skeleton,
    order: &'a [u32],
    rest: &'a Pose,
    rests_elsewhere: bool,
}

impl Baker<'_> {
    /// Bakes a part; returns how far its rest pose moved at most.
    fn bake(&self, part: &mut Part, placement: &Placement) -> f64 {
        match &placement.follows {
            Follows::Nothing(matrix) => {
                part.influences = Influences::new();
                transform_rigid(part, matrix);
                0.0
            }
            Follows::Joint(node, matrix) => self.bake_rigid(part, placement.node, *node, matrix),
            Follows::Skin(skin) => self.bake_skin(part, *skin),
        }
    }

    fn bake_rigid(&self, part: &mut Part, node: usize, joint: usize, to_joint: &DMat4) -> f64 {
        let Some(bone) = self.skeleton.of_node[joint] else { return 0.0 };
        let matrix = self.skeleton.bones[bone].global * *to_joint;
        let moved = farthest(part, &matrix, &self.rest.globals[node]);
        transform_rigid(part, &matrix);
        let count = part.positions.len();
        let pairs = vec![Influence { joint: self.order[bone], weight: 1.0 }; count];
        part.influences = Influences::from_raw((0..=count as u32).collect(), pairs).unwrap_or_default();
        moved
    }

    fn bake_skin(&self, part: &mut Part, id: SkinId) -> f64 {
        let skin = &self.scene.skins[id.index()];
        let at_rest: Vec<DMat4> =
            skin.binds().map(|(joint, bind)| self.rest.globals[joint.index()] * bind).collect();
        let moved = match &self.skeleton.moves[id.index()] {
            SkinMove::Common(matrix) => move_skinned(part, matrix, self.rests_elsewhere.then_some(&at_rest)),
            SkinMove::Deform => {
                deform_skinned(part, &at_rest);
                0.0
            }
        };
        let bones = &self.skeleton.of_skin[id.index()];
        for pair in part.influences.pairs_mut() {
            pair.joint = self.order[bones[pair.joint as usize]];
        }
        moved
    }
}

/// Moves the vertices, and flips the faces if the matrix mirrors: without the node, nothing else would.
fn transform_rigid(part: &mut Part, matrix: &DMat4) {
    if *matrix != DMat4::IDENTITY {
        transform_part(part, matrix);
        if Mover::new(matrix).mirrors() {
            flip_faces(&mut part.faces);
        }
    }
}

/// Moves the vertices that have influences; the others stay where they are, whatever the joints do. Returns how far
/// that is from where the joints put them at rest, if those are given.
fn move_skinned(part: &mut Part, matrix: &DMat4, at_rest: Option<&[DMat4]>) -> f64 {
    let mover = Mover::new(matrix);
    let mut moved = 0.0_f64;
    if *matrix == DMat4::IDENTITY && at_rest.is_none() {
        return 0.0;
    }
    for vertex in 0..part.influences.len() {
        let influences = part.influences.of(vertex);
        let sum = weight_sum(influences);
        if sum == 0.0 {
            continue;
        }
        let was = part.positions[vertex].as_dvec3();
        if let Some(at_rest) = at_rest {
            let there = influences
                .iter()
                .map(|i| at_rest[i.joint as usize].transform_point3(was) * (f64::from(i.weight) / sum));
            moved = moved.max(there.sum::<DVec3>().distance(matrix.transform_point3(was)));
        }
        if *matrix != DMat4::IDENTITY {
            mover.vertex(part, vertex);
        }
    }
    moved
}

/// Moves every vertex to where its joints put it at rest.
fn deform_skinned(part: &mut Part, at_rest: &[DMat4]) {
    let movers: Vec<Mover> = at_rest.iter().map(Mover::new).collect();
    for vertex in 0..part.influences.len() {
        let influences = part.influences.of(vertex);
        let sum = weight_sum(influences);
        if sum == 0.0 {
            continue;
        }
        let (mut matrix, mut normals) = (DMat4::ZERO, DMat3::ZERO);
        for influence in influences {
            let weight = f64::from(influence.weight) / sum;
            matrix += at_rest[influence.joint as usize] * weight;
            normals += *movers[influence.joint as usize].normal_matrix() * weight;
        }
        Mover::with_normals(&matrix, &normals).vertex(part, vertex);
    }
}

fn weight_sum(influences: &[Influence]) -> f64 {
    influences.iter().map(|i| f64::from(i.weight)).sum()
}

/// The largest distance between the positions that two matrices give a vertex of the part.
fn farthest(part: &Part, a: &DMat4, b: &DMat4) -> f64 {
    let apart = |p: &Vec3| a.transform_point3(p.as_dvec3()).distance(b.transform_point3(p.as_dvec3()));
    if a == b { 0.0 } else { part.positions.iter().map(apart).fold(0.0, f64::max) }
}
