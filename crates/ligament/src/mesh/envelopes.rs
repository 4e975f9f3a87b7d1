//! Weights from envelopes: capsules around bones that influence the vertices near them.

use crate::scene::{Influence, Influences};
use glam::{DMat4, DVec3, Vec3};

/// The region around a bone in which it influences vertices: a capsule with a radius at each end, in which the weight
/// is one, and a border beyond it, in which the weight falls to zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    /// The joint that gets the weight.
    pub joint: u32,
    /// The bone's first end, in the space of the points.
    pub head: DVec3,
    /// Its other end.
    pub tail: DVec3,
    /// Radius around the head.
    pub head_radius: f64,
    /// Radius around the tail.
    pub tail_radius: f64,
    /// Width of the border in which the weight falls to zero.
    pub border: f64,
}

/// Width of the border as a fraction of the bone's length, for formats that do not store it.
const BORDER: f64 = 0.25;

impl Envelope {
    /// The envelope of a bone given in its armature's space. The ends are moved by the armature's matrix, the radii
    /// grow with its mean scale, and the border is a quarter of the moved bone's length.
    pub fn of_bone(
        joint: u32,
        armature: &DMat4,
        (head, head_radius): (DVec3, f64),
        (tail, tail_radius): (DVec3, f64),
    ) -> Self {
        let axes = [armature.x_axis, armature.y_axis, armature.z_axis];
        let scale = axes.map(|axis| axis.truncate().length()).iter().sum::<f64>() / 3.0;
        let (head, tail) = (armature.transform_point3(head), armature.transform_point3(tail));
        Self {
            joint,
            head,
            tail,
            head_radius: head_radius * scale,
            tail_radius: tail_radius * scale,
            border: BORDER * head.distance(tail),
        }
    }

    /// The weight at a point: one within the radius, which is interpolated linearly from end to end, and falling
    /// linearly to zero across the border.
    pub fn weight(&self, point: DVec3) -> f64 {
        let axis = self.tail - self.head;
        let length = axis.length_squared();
        let along = if length > 0.0 { ((point - self.head).dot(axis) / length).clamp(0.0, 1.0) } else { 0.0 };
        let radius = self.head_radius + (self.tail_radius - self.head_radius) * along;
        let beyond = point.distance(self.head + axis * along) - radius;
        if beyond <= 0.0 {
            1.0
        } else if beyond < self.border {
            1.0 - beyond / self.border
        } else {
            0.0
        }
    }
}

/// The influences of each point: one per envelope that reaches it, in the order of the envelopes. The weights need not
/// sum to one, since posing divides by the sum. Points that no envelope reaches have no influences.
///
/// ```
/// use ligament::math::{DMat4, DVec3, Vec3};
/// use ligament::internal::{Envelope, envelopes};
///
/// let bone = Envelope::of_bone(0, &DMat4::IDENTITY, (DVec3::ZERO, 0.5), (DVec3::new(0.0, 4.0, 0.0), 0.5));
/// let weights = envelopes(&[Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::new(9.0, 0.0, 0.0)], &[bone]);
/// assert_eq!(weights.of(0)[0].weight, 1.0);
/// assert_eq!(weights.of(1)[0].weight, 0.5);
/// assert!(weights.of(2).is_empty());
/// ```
pub fn envelopes(points: &[Vec3], envelopes: &[Envelope]) -> Influences {
    let mut influences = Influences::with_capacity(points.len(), points.len());
    for point in points {
        let point = point.as_dvec3();
        let weights = envelopes.iter().map(|e| (e.joint, e.weight(point)));
        let reaching = weights.filter(|(_, weight)| *weight > 0.0);
        influences.push(reaching.map(|(joint, weight)| Influence { joint, weight: weight as f32 }));
    }
    influences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_grow_with_the_armature_and_the_border_with_the_bone() {
        let armature = DMat4::from_scale_rotation_translation(
            DVec3::new(1.0, 2.0, 3.0),
            glam::DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2),
            DVec3::new(5.0, 0.0, 0.0),
        );
        let bone = Envelope::of_bone(7, &armature, (DVec3::ZERO, 0.1), (DVec3::new(0.0, 4.0, 0.0), 0.3));
        // Mean scale 2; the bone's length of 4 becomes 8 by the scale along Y, and it is rotated to -X.
        assert!(bone.tail.distance(DVec3::new(-3.0, 0.0, 0.0)) < 1e-12);
        assert!((bone.head_radius - 0.2).abs() < 1e-12 && (bone.tail_radius - 0.6).abs() < 1e-12);
        assert!((bone.border - 2.0).abs() < 1e-12);
        // Halfway along, 0.4 is inside; 1.4 is half the border away.
        for (height, weight) in [(0.4, 1.0), (1.4, 0.5), (2.5, 0.0)] {
            assert!((bone.weight(DVec3::new(1.0, height, 0.0)) - weight).abs() < 1e-9, "{height}");
        }
    }

    #[test]
    fn a_bone_without_length_is_a_ball_without_a_border() {
        let ball = Envelope::of_bone(0, &DMat4::IDENTITY, (DVec3::ONE, 0.5), (DVec3::ONE, 0.1));
        assert_eq!((ball.weight(DVec3::ONE), ball.weight(DVec3::ZERO)), (1.0, 0.0));
    }
}
