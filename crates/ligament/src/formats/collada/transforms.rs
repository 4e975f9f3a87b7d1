//! A node's transforms: any number of matrix, translate, rotate, scale, skew and lookat, in any order.
//!
//! The first element is the outermost: the node's matrix is their product from left to right, in f64.

use super::codes;
use super::import::Import;
use super::xml::{Xml, elements, short_numbers, tag};
use crate::angles::about;
use crate::scene::{Local, Trs, decompose};
use glam::{DMat3, DMat4, DQuat, DVec3};

/// One transform element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Matrix,
    Translate,
    Rotate,
    Scale,
    Skew,
    LookAt,
}

impl Kind {
    pub fn of(tag: &str) -> Option<Self> {
        Some(match tag {
            "matrix" => Kind::Matrix,
            "translate" => Kind::Translate,
            "rotate" => Kind::Rotate,
            "scale" => Kind::Scale,
            "skew" => Kind::Skew,
            "lookat" => Kind::LookAt,
            _ => return None,
        })
    }

    /// The values that have no effect; also defines how many values there are.
    pub fn neutral(self) -> &'static [f64] {
        match self {
            Kind::Matrix => &[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.],
            Kind::Translate => &[0.0; 3],
            Kind::Rotate => &[0., 0., 1., 0.],
            Kind::Scale => &[1.0; 3],
            Kind::Skew => &[0., 1., 0., 0., 0., 1., 0.],
            Kind::LookAt => &[0., 0., 0., 0., 0., -1., 0., 1., 0.],
        }
    }
}

/// A transform element with its numbers.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub kind: Kind,
    pub values: Vec<f64>,
    pub element: roxmltree::NodeId,
}

/// Translation, rotation and scale in f64, and the error against the matrix (see [`decompose`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pose {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    pub error: f64,
}

impl Pose {
    pub fn trs(&self) -> Trs {
        let finite = |v: DVec3| v.as_vec3().is_finite();
        Trs {
            translation: if finite(self.translation) { self.translation.as_vec3() } else { glam::Vec3::ZERO },
            rotation: self.rotation.as_quat().normalize(),
            scale: if finite(self.scale) { self.scale.as_vec3() } else { glam::Vec3::ONE },
        }
    }

    /// The nearest decomposition of any matrix.
    pub fn of(matrix: &DMat4) -> Self {
        match decompose(matrix) {
            Some((trs, error)) => Pose {
                translation: matrix.w_axis.truncate(),
                rotation: trs.rotation.as_dquat().normalize(),
                scale: trs.scale.as_dvec3(),
                error,
            },
            // Flattened to a plane, line or point: the rotation is unknown.
            None => {
                let finite = matrix.is_finite();
                let length = |axis: glam::DVec4| if finite { axis.truncate().length() } else { 0.0 };
                let scale = DVec3::new(length(matrix.x_axis), length(matrix.y_axis), length(matrix.z_axis));
                let turned = matrix.x_axis.truncate().abs_diff_eq(DVec3::X * scale.x, 1e-9)
                    && matrix.y_axis.truncate().abs_diff_eq(DVec3::Y * scale.y, 1e-9)
                    && matrix.z_axis.truncate().abs_diff_eq(DVec3::Z * scale.z, 1e-9);
                Pose {
                    translation: if finite { matrix.w_axis.truncate() } else { DVec3::ZERO },
                    rotation: DQuat::IDENTITY,
                    scale,
                    error: if turned { 0.0 } else { 1.0 },
                }
            }
        }
    }
}

/// The transform of a node: its elements, and what is applied before them.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    pub steps: Vec<Step>,
    /// The rotation from the file's axes to the scene's, for roots.
    pub upright: Option<DQuat>,
    /// Metres per unit.
    pub unit: f64,
}

impl Stack {
    /// Whether the elements are translations, then rotations, then scales, so that no matrix needs to be decomposed.
    pub fn is_plain(&self) -> bool {
        let rank = |kind| match kind {
            Kind::Translate => Some(0),
            Kind::Rotate => Some(1),
            Kind::Scale => Some(2),
            _ => None,
        };
        let ranks = self.steps.iter().map(|s| rank(s.kind));
        ranks.clone().all(|rank| rank.is_some()) && ranks.is_sorted()
    }

    /// The node's matrix with these values instead of the elements' own.
    pub fn matrix<'v>(&self, values: impl Fn(usize) -> &'v [f64]) -> DMat4 {
        let upright = self.upright.map_or(DMat4::IDENTITY, DMat4::from_quat);
        let steps = self.steps.iter().enumerate();
        let mut matrix = steps.fold(DMat4::IDENTITY, |m, (i, step)| m * matrix(step.kind, values(i)));
        matrix.w_axis = (matrix.w_axis.truncate() * self.unit).extend(1.0);
        upright * matrix
    }

    /// Translation, rotation and scale with these values instead of the elements' own.
    pub fn pose<'v>(&self, values: impl Fn(usize) -> &'v [f64]) -> Pose {
        if !self.is_plain() {
            return Pose::of(&self.matrix(values));
        }
        let mut pose =
            Pose { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE, error: 0.0 };
        for (i, step) in self.steps.iter().enumerate() {
            let values = values(i);
            match step.kind {
                Kind::Translate => pose.translation += vector(values, 0),
                Kind::Rotate => pose.rotation *= turn(values),
                _ => pose.scale *= vector(values, 0),
            }
        }
        pose.translation *= self.unit;
        if let Some(upright) = self.upright {
            pose.translation = upright * pose.translation;
            pose.rotation = upright * pose.rotation;
        }
        pose.rotation = pose.rotation.normalize();
        pose
    }

    /// The rest pose.
    pub fn rest(&self) -> Pose {
        self.pose(|i| &self.steps[i].values)
    }

    /// The rest transform of a node that is not animated, which may have shear.
    pub fn rest_local(&self) -> Local {
        self.local(|i| &self.steps[i].values)
    }

    /// The transform with these values instead of the elements' own, which may have shear.
    pub fn local<'v>(&self, values: impl Fn(usize) -> &'v [f64]) -> Local {
        if self.is_plain() {
            return Local::Trs(self.pose(values).trs());
        }
        let matrix = self.matrix(values);
        if matrix.to_cols_array().iter().all(|v| (*v as f32).is_finite()) {
            Local::from_matrix(&matrix)
        } else {
            Local::default()
        }
    }
}

fn vector(values: &[f64], at: usize) -> DVec3 {
    let get = |i: usize| values.get(at + i).copied().unwrap_or(0.0);
    DVec3::new(get(0), get(1), get(2))
}

fn turn(values: &[f64]) -> DQuat {
    let angle = values.get(3).copied().unwrap_or(0.0);
    match vector(values, 0).try_normalize() {
        Some(axis) if angle.is_finite() => about(axis, (angle % 720.0).to_radians()),
        _ => DQuat::IDENTITY,
    }
}

/// The matrix of one element. The file stores matrices row by row.
pub(super) fn matrix(kind: Kind, values: &[f64]) -> DMat4 {
    match kind {
        Kind::Matrix => {
            let mut m = [0.0; 16];
            m.iter_mut().zip(values).for_each(|(m, v)| *m = *v);
            let mut matrix = DMat4::from_cols_array(&m).transpose();
            // Transforms are affine: a perspective row is ignored.
            (matrix.x_axis.w, matrix.y_axis.w, matrix.z_axis.w, matrix.w_axis.w) = (0.0, 0.0, 0.0, 1.0);
            matrix
        }
        Kind::Translate => DMat4::from_translation(vector(values, 0)),
        Kind::Rotate => DMat4::from_quat(turn(values)),
        Kind::Scale => DMat4::from_scale(vector(values, 0)),
        Kind::Skew => skew(values),
        Kind::LookAt => look_at(values),
    }
}

/// RenderMan's skew: everything moves along the second axis, so that the first axis leans towards it by the angle.
fn skew(values: &[f64]) -> DMat4 {
    let angle = values.first().copied().unwrap_or(0.0).to_radians();
    let (Some(first), Some(second)) = (vector(values, 1).try_normalize(), vector(values, 4).try_normalize())
    else {
        return DMat4::IDENTITY;
    };
    let between = first.dot(second).clamp(-1.0, 1.0).acos();
    let across = first - second * first.dot(second);
    let shift = angle.sin() / (between - angle).sin();
    let along = across / across.dot(first);
    if !shift.is_finite() || !along.is_finite() {
        return DMat4::IDENTITY;
    }
    let column = |axis: DVec3| axis + second * (shift * along.dot(axis));
    DMat4::from_mat3(DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z)))
}

/// A transform at the first point, with −Z towards the second and Y as close to the third as possible.
fn look_at(values: &[f64]) -> DMat4 {
    let (eye, interest, up) = (vector(values, 0), vector(values, 3), vector(values, 6));
    let back = (eye - interest).try_normalize().unwrap_or(DVec3::Z);
    let right = up.cross(back).try_normalize().unwrap_or_else(|| back.any_orthonormal_vector());
    DMat4::from_cols(right.extend(0.0), back.cross(right).extend(0.0), back.extend(0.0), eye.extend(1.0))
}

impl<'d> Import<'d, '_> {
    /// Reads a node's transform elements.
    pub(super) fn stack(&mut self, node: Xml<'d>, is_root: bool) -> Stack {
        let mut steps = Vec::new();
        for element in elements(node) {
            let Some(kind) = Kind::of(tag(element)) else { continue };
            let mut values = short_numbers(element);
            let neutral = kind.neutral();
            if values.len() != neutral.len() {
                let message =
                    format!("<{}> has {} values instead of {}", tag(element), values.len(), neutral.len());
                self.warning(&codes::TRANSFORM, element, message);
                // An empty element has no effect; a short one keeps the values it has.
                values.truncate(neutral.len());
                let rest = neutral.get(values.len()..).unwrap_or(&[]);
                values.extend(rest);
            }
            steps.push(Step { kind, values, element: element.id() });
        }
        let is_turned = is_root && self.upright != DMat3::IDENTITY;
        Stack { steps, upright: is_turned.then(|| self.upright_rotation()), unit: self.unit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: DVec3, b: DVec3) {
        assert!(a.abs_diff_eq(b, 1e-12), "{a} is not {b}");
    }

    #[test]
    fn each_element_does_what_the_specification_says() {
        let at = |kind, values: &[f64], point: [f64; 3]| matrix(kind, values).transform_point3(point.into());
        close(at(Kind::Translate, &[1., 2., 3.], [10., 20., 30.]), DVec3::new(11., 22., 33.));
        close(at(Kind::Scale, &[2., 3., -4.], [1., 1., 1.]), DVec3::new(2., 3., -4.));
        // A quarter turn about Z takes X to Y; the axis need not have unit length.
        close(at(Kind::Rotate, &[0., 0., 5., 90.], [1., 0., 0.]), DVec3::Y);
        // Rows: the fourth number of each is the translation.
        let rows = [0., -1., 0., 7., 1., 0., 0., 8., 0., 0., 1., 9., 0., 0., 0., 1.];
        close(at(Kind::Matrix, &rows, [1., 0., 0.]), DVec3::new(7., 9., 9.));
        // 45 degrees: Y leans towards X by its own length, X stays.
        let lean = [45., 0., 1., 0., 1., 0., 0.];
        close(at(Kind::Skew, &lean, [0., 2., 0.]), DVec3::new(2., 2., 0.));
        close(at(Kind::Skew, &lean, [3., 0., 5.]), DVec3::new(3., 0., 5.));
        // From (0, 0, 10) towards the origin, local −Z points to the world's −Z; from the side, it points to −X.
        close(
            at(Kind::LookAt, &[0., 0., 10., 0., 0., 0., 0., 1., 0.], [0., 0., -1.]),
            DVec3::new(0., 0., 9.),
        );
        close(
            at(Kind::LookAt, &[4., 0., 0., 0., 0., 0., 0., 1., 0.], [1., 2., -1.]),
            DVec3::new(3., 2., -1.),
        );
    }

    #[test]
    fn a_skew_between_axes_that_are_not_perpendicular_leans_by_its_angle() {
        let second = DVec3::new(1., 1., 0.).normalize();
        let values = [20., 0., 1., 0., second.x, second.y, 0.];
        let leaned = matrix(Kind::Skew, &values).transform_vector3(DVec3::Y);
        assert!((leaned.angle_between(DVec3::Y).to_degrees() - 20.0).abs() < 1e-9);
        // Points move along the second axis, which itself stays.
        assert!((leaned - DVec3::Y).cross(second).length() < 1e-12);
        close(matrix(Kind::Skew, &values).transform_vector3(second), second);
    }
}
