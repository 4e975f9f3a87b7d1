//! Conversion between spaces. The file has Z up and row vectors; a scene has Y up and column vectors.

use super::document::Placement;
use crate::angles::about;
use crate::scene::{Trs, Y_UP, y_up};
use glam::{DMat4, DQuat, DVec3, DVec4, Vec3};

/// Converts a matrix from the file's axes to the scene's.
pub(super) fn turned(matrix: &DMat4) -> DMat4 {
    Y_UP * *matrix * Y_UP.transpose()
}

/// The rotation of Euler angles: about X first, then Y, then Z.
fn rotation(angles: Vec3) -> DQuat {
    let [x, y, z] = angles.to_array().map(f64::from);
    about(DVec3::Z, z) * about(DVec3::Y, y) * about(DVec3::X, x)
}

/// An object's matrix in the file's axes, for column vectors.
pub(super) fn matrix(placement: &Placement) -> DMat4 {
    DMat4::from_scale_rotation_translation(
        placement.scale.as_dvec3(),
        rotation(placement.rotation),
        placement.position.as_dvec3(),
    )
}

/// An object's transform in the scene's axes.
pub(super) fn trs(placement: &Placement) -> Trs {
    let DQuat { x, y, z, w } = rotation(placement.rotation);
    let Vec3 { x: sx, y: sy, z: sz } = placement.scale;
    Trs {
        translation: y_up(placement.position),
        rotation: DQuat::from_xyzw(x, z, -y, w).as_quat(),
        scale: Vec3::new(sx, sz, sy),
    }
}

/// Makes a matrix for column vectors from the rows in the file.
pub(super) fn from_rows(rows: &[[f32; 4]; 4]) -> DMat4 {
    let column = |i: usize, w: f64| {
        let [x, y, z, _] = rows[i].map(f64::from);
        DVec4::new(x, y, z, w)
    };
    DMat4::from_cols(column(0, 0.0), column(1, 0.0), column(2, 0.0), column(3, 1.0))
}

/// The inverse of a matrix, if it has one.
pub(super) fn invert(matrix: &DMat4) -> Option<DMat4> {
    let inverse = matrix.inverse();
    (matrix.determinant() != 0.0 && inverse.is_finite()).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_is_the_same_transform_both_ways() {
        let placement = Placement {
            position: Vec3::new(1.0, -2.0, 3.0),
            rotation: Vec3::new(0.3, -1.1, 2.0),
            scale: Vec3::new(2.0, -0.5, 3.0),
        };
        let difference = turned(&matrix(&placement)) - trs(&placement).to_matrix();
        assert!(difference.to_cols_array().iter().all(|d| d.abs() < 1e-6));
        let v = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(Y_UP.transform_point3(v.as_dvec3()).as_vec3(), y_up(v));
    }
}
