//! The joints of the result: where they rest, and how each skin's vertices must be moved for that.
//!
//! The target has no inverse bind matrices of its own; it derives them from the rest pose. A vertex `v` of a joint with
//! global matrix `G` and inverse bind `B` goes to `G · B · v`, and in the result to `G · G'⁻¹ · v'`, where `G'` is the
//! joint at rest. So `v' = G' · B · v`, which must be the same for every joint that influences `v`. Rest poses are
//! chosen so that it is.

use super::plan::{Follows, Plan};
use crate::passes::codes;
use crate::passes::deviation::UNIT;
use crate::passes::similarity::Similarity;
use crate::pose::{Bounds, joint_bounds};
use crate::report::{Loss, Report};
use crate::scene::{Local, MeshId, Scene, Trs, decompose};
use glam::{DMat4, DVec3, Quat, Vec3};

/// Positions closer than this fraction of the model's size count as equal.
const TOLERANCE: f64 = 5e-6;

/// One joint of the result.
pub(super) struct Bone {
    /// The node it comes from, whose tracks it takes.
    pub(super) node: usize,
    /// The parent bone, which comes before this one.
    pub(super) parent: Option<usize>,
    /// The rest transform of the source with the baked static transforms. It applies in a clip that has no track for
    /// the bone.
    pub(super) was: Trs,
    /// The new rest transform.
    pub(super) rest: Trs,
    /// Its global matrix at rest.
    pub(super) global: DMat4,
}

/// How the vertices of a skin are moved.
pub(super) enum SkinMove {
    /// All vertices by one matrix.
    Common(DMat4),
    /// Each vertex by its joints at rest.
    Deform,
}

impl SkinMove {
    /// Whether vertices stay where they are.
    pub(super) fn is_identity(&self) -> bool {
        matches!(self, SkinMove::Common(matrix) if *matrix == DMat4::IDENTITY)
    }
}

/// All joints of the result.
pub(super) struct Skeleton {
    /// Parents first.
    pub(super) bones: Vec<Bone>,
    /// For each skin, for each of its joints, the bone.
    pub(super) of_skin: Vec<Vec<usize>>,
    /// For each skin, how its vertices are moved.
    pub(super) moves: Vec<SkinMove>,
    /// For each node that became a joint, the bone.
    pub(super) of_node: Vec<Option<usize>>,
    /// Copies of joints that two skins bind differently.
    pub(super) copies: usize,
    /// Bones whose transform contains shear, which they lose.
    pub(super) sheared: usize,
}

impl Skeleton {
    pub(super) fn new(scene: &Scene, plan: &Plan, report: &mut Report) -> Self {
        let mut skeleton = Self::at_rest(scene, plan);
        let skins = SkinUse::all(scene, plan);
        let fits: Vec<Option<DMat4>> = skins.iter().map(|s| skeleton.common_move(s)).collect();
        if fits.iter().any(Option::is_none) && !scene.clips.is_empty() {
            let wanted = skeleton.rest_at_bind(&skins, &fits);
            for (skin, wanted) in skins.iter().zip(wanted) {
                let matrix =
                    skeleton.common_move(skin).unwrap_or_else(|| skeleton.copy_joints(skin, wanted, report));
                skeleton.moves.push(SkinMove::Common(matrix));
            }
        } else {
            skeleton.moves = fits.into_iter().map(|f| f.map_or(SkinMove::Deform, SkinMove::Common)).collect();
        }
        skeleton
    }

    /// Takes every joint as it rests in the source.
    fn at_rest(scene: &Scene, plan: &Plan) -> Self {
        let mut bones: Vec<Bone> = Vec::new();
        let mut of_node: Vec<Option<usize>> = vec![None; scene.nodes.len()];
        let mut sheared = 0;
        for node in (0..scene.nodes.len()).filter(|&n| plan.is_joint[n]) {
            let parent = plan.parent[node].and_then(|p| of_node[p]);
            let (was, fits) = folded(&plan.fold[node], &scene.nodes[node].local);
            let rest = Trs { scale: visible(was.scale), ..was };
            let global = parent.map_or(DMat4::IDENTITY, |p| bones[p].global) * rest.to_matrix();
            sheared += usize::from(!fits);
            of_node[node] = Some(bones.len());
            bones.push(Bone { node, parent, was, rest, global });
        }
        let bone = |joint: &crate::scene::NodeId| of_node[joint.index()].unwrap_or(0);
        let of_skin = scene.skins.iter().map(|s| s.joints.iter().map(bone).collect()).collect();
        Self { bones, of_skin, moves: Vec::new(), of_node, copies: 0, sheared }
    }

    /// The matrix that moves all vertices of a skin into the space of the bones at rest, if there is one.
    fn common_move(&self, skin: &SkinUse) -> Option<DMat4> {
        let to_rest = |j: usize| self.bones[self.of_skin[skin.index][j]].global * skin.binds[j];
        let first = skin.used.first().map_or(DMat4::IDENTITY, |&j| to_rest(j));
        // Rounding must not move vertices that are already in the right space.
        let candidates = [DMat4::IDENTITY, first];
        candidates.into_iter().find(|m| skin.used.iter().all(|&j| skin.distance(m, &to_rest(j)) <= TOLERANCE))
    }

    /// Makes the joints of skins that do not fit rest where they were bound. Returns the intended move of each skin.
    fn rest_at_bind(&mut self, skins: &[SkinUse], fits: &[Option<DMat4>]) -> Vec<DMat4> {
        let mut pinned: Vec<Option<DMat4>> = vec![None; self.bones.len()];
        for skin in skins.iter().filter(|s| fits[s.index].is_some()) {
            for &j in &skin.used {
                let bone = self.of_skin[skin.index][j];
                pinned[bone] = Some(self.bones[bone].global);
            }
        }
        let mut wanted = Vec::new();
        for skin in skins {
            // The bind pose is moved to where the topmost joint rests, since bind matrices may be in another space.
            let top = skin.used.iter().min_by_key(|&&j| self.of_skin[skin.index][j]);
            let to_scene = top.map(|&j| self.bones[self.of_skin[skin.index][j]].global * skin.binds[j]);
            let to_scene =
                fits[skin.index].or(to_scene.filter(|m| invert(m).is_some())).unwrap_or(DMat4::IDENTITY);
            for &j in &skin.used {
                let pin = &mut pinned[self.of_skin[skin.index][j]];
                *pin = pin.or_else(|| invert(&skin.binds[j]).map(|bind| to_scene * bind));
            }
            wanted.push(to_scene);
        }
        for (index, pin) in pinned.into_iter().enumerate() {
            let parent = self.bones[index].parent.map_or(DMat4::IDENTITY, |p| self.bones[p].global);
            let bone = &mut self.bones[index];
            if let Some((pin, parent)) = pin.zip(invert(&parent)) {
                let (rest, fits) = nearest(&(parent * pin), &bone.rest);
                bone.rest = rest;
                self.sheared += usize::from(!fits);
            }
            bone.global = parent * bone.rest.to_matrix();
        }
        wanted
    }

    /// Gives a skin its own bones where another skin binds the same joints differently.
    fn copy_joints(&mut self, skin: &SkinUse, wanted: DMat4, report: &mut Report) -> DMat4 {
        let mut worst = 0.0_f64;
        for &j in &skin.used {
            let bone = self.of_skin[skin.index][j];
            if skin.distance(&wanted, &(self.bones[bone].global * skin.binds[j])) <= TOLERANCE {
                continue;
            }
            let Bone { node, parent, was, rest, .. } = self.bones[bone];
            let above = parent.map_or(DMat4::IDENTITY, |p| self.bones[p].global);
            let local = invert(&above).zip(invert(&skin.binds[j])).map(|(above, bind)| above * wanted * bind);
            let rest = local.map_or(rest, |local| nearest(&local, &rest).0);
            let global = above * rest.to_matrix();
            worst = worst.max(skin.distance(&wanted, &(global * skin.binds[j])));
            self.of_skin[skin.index][j] = self.bones.len();
            self.bones.push(Bone { node, parent, was, rest, global });
            self.copies += 1;
        }
        if worst > TOLERANCE {
            let message = "the bind matrices cannot be expressed by joints at rest";
            let loss = Loss::approximated(&codes::BIND, "", skin.used.len(), worst, UNIT, message);
            report.loss(loss);
        }
        wanted
    }
}

/// A skin, and how its placements use it.
struct SkinUse {
    index: usize,
    binds: Vec<DMat4>,
    /// Joints with a weight on any vertex, in order.
    used: Vec<usize>,
    /// Corners of the box around the vertices, in the mesh's space.
    corners: [DVec3; 8],
}

impl SkinUse {
    fn all(scene: &Scene, plan: &Plan) -> Vec<Self> {
        // A mesh counts once per skin, however many nodes draw it.
        let mut meshes: Vec<Vec<MeshId>> = vec![Vec::new(); scene.skins.len()];
        for placement in &plan.placements {
            if let Follows::Skin(skin) = &placement.follows {
                meshes[skin.index()].push(placement.mesh);
            }
        }
        meshes.iter_mut().for_each(|meshes| {
            meshes.sort_unstable();
            meshes.dedup();
        });
        meshes.iter().enumerate().map(|(index, meshes)| Self::new(scene, index, meshes)).collect()
    }

    fn new(scene: &Scene, index: usize, meshes: &[MeshId]) -> Self {
        let skin = &scene.skins[index];
        let parts = meshes.iter().flat_map(|mesh| &scene.meshes[mesh.index()].parts);
        let all = Bounds::of(parts.clone().flat_map(|part| &part.positions).copied());
        let boxes = joint_bounds(parts, skin.joints.len());
        Self {
            index,
            binds: skin.binds().map(|(_, bind)| bind).collect(),
            used: (0..boxes.len()).filter(|&j| boxes[j].is_some()).collect(),
            corners: all.map_or([DVec3::ZERO; 8], |all| all.corners()),
        }
    }

    /// The largest distance between the positions that two matrices give a vertex, as a fraction of the size that they
    /// give the mesh.
    fn distance(&self, a: &DMat4, b: &DMat4) -> f64 {
        let at = |m: &DMat4, i: usize| m.transform_point3(self.corners[i]);
        let size = (0..4).map(|i| at(a, i).distance(at(a, 7 - i))).fold(0.0, f64::max);
        let apart = (0..8).map(|i| at(a, i).distance(at(b, i))).fold(0.0, f64::max);
        match apart / size {
            ratio if ratio.is_finite() => ratio,
            _ if apart == 0.0 => 0.0,
            _ => f64::INFINITY,
        }
    }
}

/// The static transform above a joint times its own, as translation, rotation and scale, and whether that is exact.
fn folded(fold: &DMat4, local: &Local) -> (Trs, bool) {
    match (local, Similarity::of(fold)) {
        (Local::Trs(trs), _) if *fold == DMat4::IDENTITY => (*trs, true),
        (Local::Trs(trs), Some(similarity)) => (similarity.before(trs), true),
        _ => {
            let matrix = *fold * local.to_matrix();
            let (trs, error) = decompose(&matrix).unwrap_or((without_rotation(&matrix), 1.0));
            (trs, error <= 1e-6)
        }
    }
}

/// The nearest translation, rotation and scale, and whether they are exact; `otherwise` provides the rotation if the
/// matrix has none.
fn nearest(matrix: &DMat4, otherwise: &Trs) -> (Trs, bool) {
    match decompose(matrix) {
        Some((trs, error)) => (trs, error <= 1e-5),
        None => (Trs { translation: matrix.w_axis.truncate().as_vec3(), ..*otherwise }, true),
    }
}

fn without_rotation(matrix: &DMat4) -> Trs {
    let length = |axis: glam::DVec4| axis.truncate().length() as f32;
    let scale = Vec3::new(length(matrix.x_axis), length(matrix.y_axis), length(matrix.z_axis));
    let translation = matrix.w_axis.truncate().as_vec3();
    Trs { translation, rotation: Quat::IDENTITY, scale }
}

/// An invertible scale: an axis with a scale of zero at rest (which hides things) gets its full length.
fn visible(scale: Vec3) -> Vec3 {
    let tiny = scale.abs().max_element() * 1e-6;
    Vec3::from_array(scale.to_array().map(|s| if s.abs() <= tiny { 1.0 } else { s }))
}

/// The inverse, if it exists.
pub(super) fn invert(matrix: &DMat4) -> Option<DMat4> {
    let inverse = matrix.inverse();
    let is_one = || (*matrix * inverse - DMat4::IDENTITY).to_cols_array().iter().all(|v| v.abs() < 1e-6);
    (inverse.is_finite() && is_one()).then_some(inverse)
}
