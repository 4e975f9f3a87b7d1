//! Joint matrices, and the loop that blends them for each vertex.

use super::deform::PosedPart;
use super::hierarchy::Pose;
use crate::scene::{Influence, Influences, Skin};
use glam::{DMat3, DMat4, Mat3, Mat4, Vec3, Vec4};

/// For each joint of a skin, the matrix that takes a vertex from the mesh's space to its place in the scene: the joint's
/// global matrix times its inverse bind matrix, multiplied in f64.
pub fn joint_matrices(skin: &Skin, pose: &Pose) -> Vec<Mat4> {
    exact_joint_matrices(skin, pose).map(|m| m.as_mat4()).collect()
}

fn exact_joint_matrices<'a>(skin: &'a Skin, pose: &'a Pose) -> impl Iterator<Item = DMat4> + 'a {
    skin.joints.iter().zip(&skin.inverse_binds).map(|(joint, inverse_bind)| {
        let global = pose.globals.get(joint.index()).copied().unwrap_or(DMat4::IDENTITY);
        global * DMat4::from_cols_array(&inverse_bind.map(f64::from))
    })
}

/// The joint matrices of one skin in one pose, in the form that the loop wants; reused from pose to pose.
#[derive(Debug, Default)]
pub(super) struct Palette {
    matrices: Vec<Mat4>,
    /// Inverse transposes for normals; empty while every joint is rigid, because then they are the matrices themselves.
    normals: Vec<Mat3>,
}

impl Palette {
    pub(super) fn fill(&mut self, skin: &Skin, pose: &Pose) {
        self.matrices.clear();
        self.normals.clear();
        let mut rigid = true;
        for matrix in exact_joint_matrices(skin, pose) {
            rigid = rigid && is_rigid(&DMat3::from_mat4(matrix));
            self.matrices.push(matrix.as_mat4());
        }
        if !rigid {
            let exact = exact_joint_matrices(skin, pose);
            self.normals.extend(exact.map(|m| normal_matrix(&DMat3::from_mat4(m)).as_mat3()));
        }
    }

    /// Moves a part's vertices from the mesh's space to their places in the scene.
    pub(super) fn skin(&self, influences: &Influences, part: &mut PosedPart) {
        // One loop for each set of attributes, so that the usual ones pay for nothing else.
        match (part.normals.is_empty(), part.tangents.is_empty(), self.normals.is_empty()) {
            (true, true, _) => self.skin_as::<false, false, true>(influences, part),
            (false, true, true) => self.skin_as::<true, false, true>(influences, part),
            (false, true, false) => self.skin_as::<true, false, false>(influences, part),
            (_, false, true) => self.skin_as::<true, true, true>(influences, part),
            (_, false, false) => self.skin_as::<true, true, false>(influences, part),
        }
    }

    fn skin_as<const NORMALS: bool, const TANGENTS: bool, const RIGID: bool>(
        &self,
        influences: &Influences,
        part: &mut PosedPart,
    ) {
        let mut normals = part.normals.iter_mut();
        let mut tangents = part.tangents.iter_mut();
        for (position, pairs) in part.positions.iter_mut().zip(influences.iter()) {
            let normal = if NORMALS { normals.next() } else { None };
            let tangent = if TANGENTS { tangents.next() } else { None };
            let Some(blend) = blend(&self.matrices, pairs) else { continue };
            *position = blend.point(*position);
            if let Some(normal) = normal {
                let turned = if RIGID { blend.direction(*normal) } else { self.normal(pairs, *normal) };
                *normal = turned.normalize_or_zero();
            }
            if let Some(tangent) = tangent {
                let turned = blend.direction(tangent.truncate()).normalize_or_zero();
                let sign = if blend.mirrors() { -tangent.w } else { tangent.w };
                *tangent = turned.extend(sign);
            }
        }
    }

    /// The weighted sum of a normal turned by each joint; its length means nothing.
    fn normal(&self, pairs: &[Influence], normal: Vec3) -> Vec3 {
        let mut matrix = Mat3::ZERO;
        let mut total = 0.0;
        for pair in pairs {
            if let Some(joint) = self.normals.get(pair.joint as usize) {
                matrix += *joint * pair.weight;
                total += pair.weight;
            }
        }
        matrix * normal * total.signum()
    }
}

/// The weighted sum of a vertex's joint matrices, and one by the sum of the weights.
struct Blend {
    matrix: Mat4,
    scale: f32,
}

/// `None` where nothing pulls: no influences, or weights that sum to zero. Joints that the skin lacks pull nothing.
#[inline(always)]
fn blend(palette: &[Mat4], pairs: &[Influence]) -> Option<Blend> {
    if let [only] = pairs {
        let matrix = *palette.get(only.joint as usize)?;
        return (only.weight != 0.0).then_some(Blend { matrix, scale: 1.0 });
    }
    let [mut x, mut y, mut z, mut w] = [Vec4::ZERO; 4];
    let mut total = 0.0;
    for pair in pairs {
        if let Some(joint) = palette.get(pair.joint as usize) {
            let weight = Vec4::splat(pair.weight);
            x += joint.x_axis * weight;
            y += joint.y_axis * weight;
            z += joint.z_axis * weight;
            w += joint.w_axis * weight;
            total += pair.weight;
        }
    }
    (total != 0.0).then(|| Blend { matrix: Mat4::from_cols(x, y, z, w), scale: 1.0 / total })
}

impl Blend {
    #[inline(always)]
    fn point(&self, v: Vec3) -> Vec3 {
        let m = &self.matrix;
        ((m.x_axis * v.x + m.y_axis * v.y + m.z_axis * v.z + m.w_axis) * self.scale).truncate()
    }

    /// Its length means nothing.
    #[inline(always)]
    fn direction(&self, v: Vec3) -> Vec3 {
        let m = &self.matrix;
        ((m.x_axis * v.x + m.y_axis * v.y + m.z_axis * v.z) * self.scale.signum()).truncate()
    }

    fn mirrors(&self) -> bool {
        Mat3::from_mat4(self.matrix).determinant() * self.scale < 0.0
    }
}

/// Whether the axes are unit and perpendicular to within f32 rounding, so that the inverse transpose is the block itself.
fn is_rigid(block: &DMat3) -> bool {
    let product = block.transpose() * *block - DMat3::IDENTITY;
    product.to_cols_array().iter().all(|v| v.abs() < 1e-5)
}

/// What turns normals where `block` turns directions: its inverse transpose. Where the block flattens space and has no
/// inverse, its cofactors, which point the same way.
pub(super) fn normal_matrix(block: &DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *block;
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let determinant = x.dot(cofactors.x_axis);
    let scale = if determinant == 0.0 { 1.0 } else { 1.0 / determinant };
    if scale.is_finite() { cofactors * scale } else { cofactors }
}
