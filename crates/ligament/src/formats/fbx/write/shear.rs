//! Matrices that translation, rotation and scale cannot express, as two transforms one above the other.

use crate::scene::Trs;
use glam::{DMat3, DMat4, DQuat, DVec3};

/// A transform in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Transform {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

impl Transform {
    pub(super) const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    pub(super) fn matrix(&self) -> DMat4 {
        DMat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }
}

impl From<Trs> for Transform {
    fn from(trs: Trs) -> Self {
        Self {
            translation: trs.translation.as_dvec3(),
            rotation: trs.rotation.as_dquat().normalize(),
            scale: trs.scale.as_dvec3(),
        }
    }
}

/// How often the off-diagonal elements are cleared at most. Five times are enough for 64 bits.
const MOST_SWEEPS: usize = 30;

/// Any affine matrix as a transform that moves, rotates and scales, and a rotation below it: the singular values and
/// vectors of its 3×3 block.
pub(super) fn split(matrix: &DMat4) -> (Transform, DQuat) {
    let block = DMat3::from_mat4(*matrix);
    let inner = right_vectors(&block);
    let columns = [inner.x_axis, inner.y_axis, inner.z_axis].map(|axis| block * axis);
    let lengths = columns.map(DVec3::length);
    // Axes without a length are filled in, from the longest on.
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]));
    let mut axes = [DVec3::ZERO; 3];
    let unit = |axis: DVec3| axis.try_normalize();
    axes[order[0]] = unit(columns[order[0]]).unwrap_or(inner.col(order[0]));
    let first = axes[order[0]];
    let second = columns[order[1]] - first * columns[order[1]].dot(first);
    let is_flat = lengths[order[1]] <= lengths[order[0]] * 1e-12;
    axes[order[1]] = unit(second).filter(|_| !is_flat).unwrap_or_else(|| first.any_orthonormal_vector());
    let handed = if (order[0] + 1) % 3 == order[1] { 1.0 } else { -1.0 };
    axes[order[2]] = first.cross(axes[order[1]]) * handed;
    let mut scale = DVec3::from_array([0, 1, 2].map(|i| columns[i].dot(axes[i])));
    scale = if scale.is_finite() { scale } else { DVec3::ONE };
    let outer = DMat3::from_cols(axes[0], axes[1], axes[2]);
    let transform = Transform {
        translation: matrix.w_axis.truncate(),
        rotation: DQuat::from_mat3(&outer).normalize(),
        scale,
    };
    (transform, DQuat::from_mat3(&inner.transpose()).normalize())
}

/// The eigenvectors of `MᵀM`, a rotation, by Jacobi's method.
fn right_vectors(block: &DMat3) -> DMat3 {
    let largest = block.to_cols_array().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let scaled =
        if largest > 0.0 && largest.is_finite() { *block * largest.recip() } else { return DMat3::IDENTITY };
    let mut symmetric = scaled.transpose() * scaled;
    let mut vectors = DMat3::IDENTITY;
    for _ in 0..MOST_SWEEPS {
        let off = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| symmetric.col(b)[a].abs());
        if off.iter().all(|off| *off < 1e-17) {
            break;
        }
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let (aa, bb, ab) = (symmetric.col(a)[a], symmetric.col(b)[b], symmetric.col(b)[a]);
            if ab == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * ab).atan2(aa - bb);
            let (sin, cos) = angle.sin_cos();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(a)[a] = cos;
            turn.col_mut(a)[b] = sin;
            turn.col_mut(b)[a] = -sin;
            turn.col_mut(b)[b] = cos;
            symmetric = turn.transpose() * symmetric * turn;
            vectors *= turn;
        }
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_matrix_is_two_transforms() {
        let columns = [
            [1.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0],
            [1.0, 0.2, -0.4, 0.5, -3.0, 0.3, 0.7, 0.1, 2.0],
            [2.0, 4.0, 6.0, 1.0, 2.0, 3.0, 0.5, 1.0, 1.5],
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
            [0.0; 9],
            [1e-20, 0.0, 0.0, 1e-20, 3e-20, 0.0, 0.0, 1e-20, 1e-20],
            [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.3, -1.0],
        ];
        for columns in columns {
            let block = DMat3::from_cols_array(&columns);
            let matrix = DMat4::from_translation(DVec3::new(1.0, 2.0, 3.0)) * DMat4::from_mat3(block);
            let (outer, inner) = split(&matrix);
            let again = outer.matrix() * DMat4::from_quat(inner);
            let size = columns.iter().fold(1e-300_f64, |m, v| m.max(v.abs()));
            let off =
                (DMat3::from_mat4(again) - block).to_cols_array().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            assert!(off < 1e-12 * size, "{columns:?}: {off:e}");
            assert_eq!(again.w_axis, matrix.w_axis);
        }
    }
}
