//! Weights from the envelopes of bones: capsules around them that pull what is inside.

use glam::DVec3;

/// How envelopes pull.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnvelopeOptions {
    /// How far beyond its radius an envelope reaches, as a fraction of the bone's length.
    pub reach: f64,
}

impl Default for EnvelopeOptions {
    /// A quarter of the bone's length, as the converter of the QMSH formats has it.
    fn default() -> Self {
        Self { reach: 0.25 }
    }
}

/// The envelope of one bone, in the space of the points that it pulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    /// The bone's near end.
    pub head: DVec3,
    /// The bone's far end.
    pub tail: DVec3,
    /// Radius at the near end.
    pub head_radius: f64,
    /// Radius at the far end.
    pub tail_radius: f64,
}

impl Envelope {
    /// The weight of a point: 1 within the radius, falling evenly to 0 at the end of the reach.
    ///
    /// ```
    /// use ligament::math::DVec3;
    /// use ligament::passes::envelopes::{Envelope, EnvelopeOptions};
    ///
    /// let bone = Envelope { head: DVec3::ZERO, tail: DVec3::Y * 2.0, head_radius: 0.5, tail_radius: 0.5 };
    /// let weight = |x: f64| bone.weight(DVec3::new(x, 1.0, 0.0), &EnvelopeOptions::default());
    /// assert_eq!([weight(0.4), weight(0.75), weight(1.0)], [1.0, 0.5, 0.0]);
    /// ```
    pub fn weight(&self, point: DVec3, options: &EnvelopeOptions) -> f64 {
        let along = self.tail - self.head;
        let length_squared = along.length_squared();
        let t = match length_squared > 0.0 {
            true => ((point - self.head).dot(along) / length_squared).clamp(0.0, 1.0),
            false => 0.0,
        };
        let radius = self.head_radius + (self.tail_radius - self.head_radius) * t;
        let beyond = point.distance(self.head + along * t) - radius;
        let reach = options.reach * length_squared.sqrt();
        if beyond <= 0.0 {
            1.0
        } else if beyond < reach {
            1.0 - beyond / reach
        } else {
            0.0
        }
    }
}
