use glam::{DMat3, DMat4, DQuat, DVec3, DVec4, Quat, Vec3};

/// Converts from Z up to Y up: (x, y, z) becomes (x, z, −y).
pub(crate) const Y_UP: DMat4 = DMat4::from_cols_array(&[
    1.0, 0.0, 0.0, 0.0, //
    0.0, 0.0, -1.0, 0.0, //
    0.0, 1.0, 0.0, 0.0, //
    0.0, 0.0, 0.0, 1.0,
]);

/// A vector rotated by [`Y_UP`], without rounding.
pub(crate) fn y_up(v: impl Into<Vec3>) -> Vec3 {
    let Vec3 { x, y, z } = v.into();
    Vec3::new(x, z, -y)
}

/// A file's matrix, column by column. Its last row should be 0 0 0 1 and is set to that.
pub(crate) fn affine(matrix: &[f32; 16]) -> DMat4 {
    let mut matrix = matrix.map(f64::from);
    (matrix[3], matrix[7], matrix[11], matrix[15]) = (0.0, 0.0, 0.0, 1.0);
    DMat4::from_cols_array(&matrix)
}

/// Translation, rotation and scale, applied to a column vector scale first: `T · R · S`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trs {
    /// Translation.
    pub translation: Vec3,
    /// Rotation, a unit quaternion.
    pub rotation: Quat,
    /// Scale along the three axes; may be non-uniform and negative.
    pub scale: Vec3,
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Trs {
    /// The identity transform.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// `T · R · S` in f64. The rotation is normalised in f64 first, so that the length error of a stored f32 quaternion
    /// does not become a scale.
    pub fn to_matrix(&self) -> DMat4 {
        DMat4::from_scale_rotation_translation(
            self.scale.as_dvec3(),
            self.rotation.as_dquat().normalize(),
            self.translation.as_dvec3(),
        )
    }
}

/// Decomposes an affine matrix into translation, rotation and scale.
///
/// Returns the parts and the largest difference between the matrix's 3×3 block and the recomposed one, relative to the
/// block's largest entry: above about 1e-6, the matrix contains shear that TRS cannot express. A mirroring matrix gets
/// a negative X scale. `None` if more than one axis has zero length, or the matrix is not finite, so that no rotation
/// can be determined.
pub fn decompose(matrix: &DMat4) -> Option<(Trs, f64)> {
    let block = DMat3::from_mat4(*matrix);
    if !matrix.is_finite() {
        return None;
    }
    let mut scale = DVec3::new(block.x_axis.length(), block.y_axis.length(), block.z_axis.length());
    let axes = orthonormal_axes(&block, scale)?;
    if axes.determinant() * block.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let rotation_block =
        if scale.x < 0.0 { DMat3::from_cols(-axes.x_axis, axes.y_axis, axes.z_axis) } else { axes };
    let rotation_block = if rotation_block.determinant() < 0.0 {
        scale.x = -scale.x;
        DMat3::from_cols(-rotation_block.x_axis, rotation_block.y_axis, rotation_block.z_axis)
    } else {
        rotation_block
    };
    let rotation = DQuat::from_mat3(&rotation_block).normalize();
    let again = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
    let largest = block.to_cols_array().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let error = (block - again).to_cols_array().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let trs = Trs {
        translation: matrix.w_axis.truncate().as_vec3(),
        rotation: rotation.as_quat(),
        scale: scale.as_vec3(),
    };
    Some((trs, if largest > 0.0 { error / largest } else { 0.0 }))
}

/// Whether a matrix only rotates, moves and scales uniformly, so that angles and ratios of areas are kept.
pub(crate) fn is_similarity(matrix: &DMat4) -> bool {
    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec4::truncate);
    let length = axes[0].length();
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-5 * length.max(f64::MIN_POSITIVE);
    let even = axes.iter().all(|axis| near(axis.length(), length));
    let dots = [axes[0].dot(axes[1]), axes[1].dot(axes[2]), axes[2].dot(axes[0])];
    length > 0.0 && even && dots.iter().all(|dot| dot.abs() <= 1e-5 * length * length)
}

/// The block's columns made unit length and perpendicular (Gram–Schmidt). A single missing axis (zero scale) is
/// replaced by the cross product of the other two.
fn orthonormal_axes(block: &DMat3, lengths: DVec3) -> Option<DMat3> {
    let columns = [block.x_axis, block.y_axis, block.z_axis];
    let tiny = lengths.max_element() * 1e-12;
    let missing: Vec<usize> = (0..3).filter(|&i| lengths[i] <= tiny).collect();
    let unit = |i: usize| columns[i] / lengths[i];
    let cols = match missing[..] {
        [] => {
            let x = unit(0);
            let y = (unit(1) - x * unit(1).dot(x)).try_normalize()?;
            let z = unit(2) - x * unit(2).dot(x);
            let z = (z - y * z.dot(y)).try_normalize()?;
            [x, y, z]
        }
        [gone] => {
            let (a, b) = ((gone + 1) % 3, (gone + 2) % 3);
            let first = unit(a);
            let second = (unit(b) - first * unit(b).dot(first)).try_normalize()?;
            let mut cols = [DVec3::ZERO; 3];
            cols[a] = first;
            cols[b] = second;
            cols[gone] = first.cross(second);
            cols
        }
        _ => return None,
    };
    Some(DMat3::from_cols(cols[0], cols[1], cols[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(trs: Trs) -> f64 {
        let matrix = trs.to_matrix();
        let (again, error) = decompose(&matrix).expect("a TRS matrix comes apart");
        assert!(error < 1e-12, "{trs:?}: {error}");
        let difference = matrix - again.to_matrix();
        difference.to_cols_array().iter().fold(0.0, |m, v| m.max(v.abs()))
    }

    #[test]
    fn signed_and_non_uniform_scales_come_back() {
        let rotation = Quat::from_xyzw(0.3, -0.5, 0.1, 0.8).normalize();
        let translation = Vec3::new(1.0, -2.0, 3.0);
        for scale in [
            Vec3::ONE,
            Vec3::new(2.0, 0.5, 3.0),
            Vec3::splat(-1.0),
            Vec3::new(1.0, -1.0, 1.0),
            Vec3::new(-4.0, 2.0, -1.0),
            Vec3::new(1.0, 0.0, 1.0),
        ] {
            let error = round_trip(Trs { translation, rotation, scale });
            assert!(error < 1e-6, "{scale}: {error}");
        }
    }

    #[test]
    fn shear_is_reported_as_error() {
        let mut matrix = DMat4::IDENTITY;
        matrix.y_axis.x = 0.5;
        let (_, error) = decompose(&matrix).expect("still has three axes");
        assert!(error > 0.1);
    }

    #[test]
    fn no_rotation_can_be_told_from_a_line() {
        assert!(decompose(&DMat4::from_scale(DVec3::new(1.0, 0.0, 0.0))).is_none());
    }
}
