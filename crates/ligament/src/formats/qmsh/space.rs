//! Conversion between the engine's space and the scene's.
//!
//! Both have Y up; the engine's is left-handed, so Z points the other way. Its matrices are for row vectors; their rows
//! are the columns of matrices for column vectors. Mirroring reverses rotations: the quaternion's axis is mirrored and
//! its angle negated.

use glam::{DMat4, DQuat, DVec3, DVec4, Quat, Vec3};

/// Converts a position or direction, in either direction.
pub(super) fn mirrored([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

/// Converts a rotation between the engine's space and the scene's, in either direction.
pub(super) fn mirrored_rotation(q: DQuat) -> DQuat {
    DQuat::from_xyzw(-q.x, -q.y, q.z, q.w)
}

/// Converts the rotation of a key. The reader has refused those of length zero.
pub(super) fn rotation([x, y, z, w]: [f32; 4]) -> DQuat {
    mirrored_rotation(Quat::from_xyzw(x, y, z, w).as_dquat().normalize())
}

/// Converts a matrix `M` to the other space.
pub(super) fn mirrored_matrix(matrix: &DMat4) -> DMat4 {
    let mirror = DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0));
    mirror * *matrix * mirror
}

/// Makes the scene's matrix from four rows of three numbers.
pub(super) fn from_rows(rows: &[f32; 12]) -> DMat4 {
    let column = |row: usize, w: f64| {
        DVec4::new(f64::from(rows[3 * row]), f64::from(rows[3 * row + 1]), f64::from(rows[3 * row + 2]), w)
    };
    mirrored_matrix(&DMat4::from_cols(column(0, 0.0), column(1, 0.0), column(2, 0.0), column(3, 1.0)))
}

/// Makes four rows of three numbers from a scene's matrix.
pub(super) fn to_rows(matrix: &DMat4) -> [f32; 12] {
    let m = mirrored_matrix(matrix).to_cols_array();
    [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14].map(|i| m[i] as f32)
}

/// The first three columns of sixteen numbers; the last column of an affine matrix carries no information.
pub(super) fn affine(rows: &[f32; 16]) -> [f32; 12] {
    [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14].map(|i| rows[i])
}

/// Converts a position from the scene's space to Blender's, which is right-handed with Z up.
pub(super) fn to_blender(place: DVec3) -> DVec3 {
    DVec3::new(place.x, -place.z, place.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::y_up;

    /// The published mapping from Blender's space, number by number.
    fn engine_vector([x, y, z]: [f64; 3]) -> [f32; 3] {
        [x as f32, z as f32, y as f32]
    }

    #[test]
    fn places_go_from_blender_through_the_engine_to_the_scene() {
        assert_eq!(mirrored(engine_vector([1.0, 2.0, 3.0])), Vec3::new(1.0, 3.0, -2.0));
        assert_eq!(y_up([1.0, 2.0, 3.0]), Vec3::new(1.0, 3.0, -2.0));
        assert_eq!(to_blender(DVec3::new(1.0, 3.0, -2.0)), DVec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn rotations_turn_the_same_way_in_both() {
        // In Blender's space; (w, x, y, z) becomes (x, z, y, -w) in the file.
        let blender = DQuat::from_xyzw(0.3, -0.4, 0.5, 0.2).normalize();
        let file = [blender.x, blender.z, blender.y, -blender.w].map(|v| v as f32);
        for place in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.2, -3.0, 1.0)] {
            let turned = y_up((blender * place).as_vec3());
            let mapped = y_up(place.as_vec3()).as_dvec3();
            let found = rotation(file) * mapped;
            assert!(found.distance(turned.as_dvec3()) < 1e-6, "{found} instead of {turned}");
        }
    }

    #[test]
    fn matrices_map_places_as_row_vectors_do() {
        let rows = [0.5, 0.1, 0.0, -0.2, 2.0, 0.3, 0.0, 0.4, 1.5, 7.0, 8.0, 9.0];
        let place = [1.0_f32, -2.0, 3.0];
        let column = |c: usize| (0..3).map(|r| place[r] * rows[3 * r + c]).sum::<f32>() + rows[9 + c];
        let expected = mirrored([column(0), column(1), column(2)]).as_dvec3();
        let found = from_rows(&rows).transform_point3(mirrored(place).as_dvec3());
        assert!(found.distance(expected) < 1e-5, "{found} instead of {expected}");
        assert_eq!(to_rows(&from_rows(&rows)), rows);
    }
}
