//! Joint matrices, and the loop that blends them per vertex.

use super::deform::{PosedPart, Vertices};
use super::hierarchy::Pose;
use super::packed::{Matrices, Packed};
use crate::scene::{Influence, Influences, Skin};
use glam::{DMat3, DMat4, DVec3, Mat3, Mat4, Vec3, Vec4};

/// For each joint of a skin, the matrix that takes a vertex from the mesh's space to its position in the scene: the
/// joint's global matrix times its inverse bind matrix, multiplied in f64.
pub fn joint_matrices(skin: &Skin, pose: &Pose) -> Vec<Mat4> {
    exact_joint_matrices(skin, pose).map(|m| m.as_mat4()).collect()
}

pub(super) fn exact_joint_matrices<'a>(skin: &'a Skin, pose: &'a Pose) -> impl Iterator<Item = DMat4> + 'a {
    skin.binds().map(|(joint, inverse_bind)| {
        let global = pose.globals.get(joint.index()).copied().unwrap_or(DMat4::IDENTITY);
        let mut matrix = global * inverse_bind;
        (matrix.x_axis.w, matrix.y_axis.w, matrix.z_axis.w, matrix.w_axis.w) = (0.0, 0.0, 0.0, 1.0);
        matrix
    })
}

/// The joint matrices of one skin in one pose, in the layout that the loop needs; reused from pose to pose.
#[derive(Debug, Default)]
pub(super) struct Palette {
    matrices: Vec<Mat4>,
    packed: Vec<Packed>,
    /// Inverse transposes for normals; empty while every joint is rigid, because they then equal the matrices
    /// themselves.
    normals: Vec<[Vec4; 3]>,
}

impl Palette {
    pub(super) fn fill(&mut self, skin: &Skin, pose: &Pose) {
        self.matrices.clear();
        self.packed.clear();
        self.normals.clear();
        let mut rigid = true;
        for matrix in exact_joint_matrices(skin, pose) {
            rigid = rigid && is_rigid(&DMat3::from_mat4(matrix));
            self.matrices.push(matrix.as_mat4());
        }
        self.packed.extend(self.matrices.iter().map(Packed::from));
        if !rigid {
            let exact = exact_joint_matrices(skin, pose);
            self.normals.extend(exact.map(|m| {
                let columns = normal_matrix(&DMat3::from_mat4(m)).to_cols_array_2d();
                columns.map(|c| DVec3::from_array(c).as_vec3().extend(0.0))
            }));
        }
    }

    /// Moves vertices from the mesh's space to their positions in the scene; those without influences stay.
    pub(super) fn skin(&self, influences: &Influences, from: &Vertices, to: &mut PosedPart) {
        if influences.len() < from.positions.len() {
            from.copy_to(to);
        }
        // One loop per set of attributes, so that the usual sets pay for nothing else.
        match (from.normals.is_empty(), from.tangents.is_empty(), self.normals.is_empty()) {
            (true, true, _) => {
                let matrices = Matrices { packed: &self.packed, whole: &self.matrices };
                matrices.skin(influences, from.positions, &mut to.positions);
            }
            (false, true, true) => self.skin_as::<false, true>(influences, from, to),
            (false, true, false) => self.skin_as::<false, false>(influences, from, to),
            (_, false, true) => self.skin_as::<true, true>(influences, from, to),
            (_, false, false) => self.skin_as::<true, false>(influences, from, to),
        }
    }

    fn skin_as<const TANGENTS: bool, const RIGID: bool>(
        &self,
        influences: &Influences,
        from: &Vertices,
        to: &mut PosedPart,
    ) {
        let mut normals = from.normals.iter().zip(to.normals.iter_mut());
        let mut tangents = from.tangents.iter().zip(to.tangents.iter_mut());
        let positions = from.positions.iter().zip(to.positions.iter_mut());
        for ((position, posed), pairs) in positions.zip(influences.iter()) {
            let blend = Blend::of(&self.matrices, pairs);
            *posed = blend.as_ref().map_or(*position, |blend| blend.point(*position));
            if let Some((normal, posed)) = normals.next() {
                *posed = match &blend {
                    Some(blend) if RIGID => blend.direction(*normal),
                    Some(_) => unit(self.normal(pairs, *normal)),
                    None => *normal,
                };
            }
            if TANGENTS && let Some((tangent, posed)) = tangents.next() {
                *posed = match &blend {
                    Some(blend) => {
                        let sign = if blend.mirrors() { -tangent.w } else { tangent.w };
                        blend.direction(tangent.truncate()).extend(sign)
                    }
                    None => *tangent,
                };
            }
        }
    }

    /// The weighted sum of a normal transformed by each joint; its length has no meaning.
    fn normal(&self, pairs: &[Influence], normal: Vec3) -> Vec4 {
        let [mut x, mut y, mut z] = [Vec4::ZERO; 3];
        let mut total = 0.0;
        for pair in pairs {
            if let Some(joint) = self.normals.get(pair.joint as usize) {
                let weight = Vec4::splat(pair.weight);
                x += joint[0] * weight;
                y += joint[1] * weight;
                z += joint[2] * weight;
                total += pair.weight;
            }
        }
        (x * normal.x + y * normal.y + z * normal.z) * total.signum()
    }
}

/// Sums of weights below this have no exact reciprocal, or none at all.
pub(super) const TINY: f32 = 1e-30;

/// The weighted sum of a vertex's joint matrices, and the reciprocal of the sum of the weights.
pub(super) struct Blend {
    matrix: Mat4,
    scale: f32,
}

impl Blend {
    /// `None` if the vertex has no influences, or weights that sum to zero. Influences of joints that the skin lacks
    /// are ignored.
    #[inline(always)]
    pub(super) fn of(palette: &[Mat4], pairs: &[Influence]) -> Option<Self> {
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
        if total.abs() < TINY {
            return Self::of_tiny(palette, pairs);
        }
        Some(Blend { matrix: Mat4::from_cols(x, y, z, w), scale: 1.0 / total })
    }

    /// Like [`of`](Self::of), for weights that are divided by their sum first, because its reciprocal could be infinite.
    #[cold]
    fn of_tiny(palette: &[Mat4], pairs: &[Influence]) -> Option<Self> {
        let known =
            || pairs.iter().filter_map(|p| Some((*palette.get(p.joint as usize)?, f64::from(p.weight))));
        let total: f64 = known().map(|(_, weight)| weight).sum();
        let matrix =
            || known().fold(Mat4::ZERO, |sum, (joint, weight)| sum + joint * (weight / total) as f32);
        (total != 0.0).then(|| Blend { matrix: matrix(), scale: 1.0 })
    }

    #[inline(always)]
    pub(super) fn point(&self, v: Vec3) -> Vec3 {
        let m = &self.matrix;
        ((m.x_axis * v.x + m.y_axis * v.y + m.z_axis * v.z + m.w_axis) * self.scale).truncate()
    }

    #[inline(always)]
    fn direction(&self, v: Vec3) -> Vec3 {
        let m = &self.matrix;
        unit((m.x_axis * v.x + m.y_axis * v.y + m.z_axis * v.z) * self.scale)
    }

    fn mirrors(&self) -> bool {
        Mat3::from_mat4(self.matrix).determinant() * self.scale < 0.0
    }
}

/// Normalises a vector; zero if it has no length. Four lanes with an empty last one are faster than three.
#[inline(always)]
fn unit(v: Vec4) -> Vec3 {
    let length = v.length_squared();
    if length > 0.0 { (v * (1.0 / length.sqrt())).truncate() } else { Vec3::ZERO }
}

/// Whether the axes are unit length and perpendicular within f32 rounding, so that the inverse transpose is the block
/// itself.
fn is_rigid(block: &DMat3) -> bool {
    let product = block.transpose() * *block - DMat3::IDENTITY;
    product.to_cols_array().iter().all(|v| v.abs() < 1e-5)
}

/// The matrix for normals where `block` is the matrix for directions: its inverse transpose. If the block is singular,
/// its cofactors, which point the same way.
pub(super) fn normal_matrix(block: &DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *block;
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let determinant = x.dot(cofactors.x_axis);
    let scale = if determinant == 0.0 { 1.0 } else { 1.0 / determinant };
    if scale.is_finite() { cofactors * scale } else { cofactors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_weights_pose_like_others_of_the_same_proportion() {
        let palette = [Mat4::from_translation(Vec3::X), Mat4::from_translation(Vec3::Y)];
        let pairs = |a: f32, b: f32| [(0, a), (1, b)].map(|(joint, weight)| Influence { joint, weight });
        let posed = |pairs: &[Influence]| Blend::of(&palette, pairs).map(|blend| blend.point(Vec3::Z));
        let expected = Vec3::new(0.25, 0.75, 1.0);
        for weight in [1.0, 1e-20, 1e-35, 1e-42] {
            let found = posed(&pairs(weight, 3.0 * weight)).expect("there are weights");
            assert!(found.distance(expected) < 1e-3, "{weight}: {found}");
        }
        assert_eq!(posed(&pairs(0.0, 0.0)), None);
        assert_eq!(posed(&pairs(0.5, -0.5)), None);
    }
}
