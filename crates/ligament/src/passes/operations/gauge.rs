//! How far apart two poses of a model are.

use crate::motion::Reach;
use crate::passes::deviation::Probes;
use crate::pose::Pose;
use crate::scene::{NodeId, Scene};

/// Measures poses of one scene. Sizes are fractions of the model's.
pub(super) struct Gauge {
    probes: Probes,
    reach: Reach,
    size: f64,
}

/// Deviation that is the rounding of stored values.
pub(super) const EXACT: f64 = 1e-5;

impl Gauge {
    pub(super) fn of(scene: &Scene) -> Self {
        let (probes, reach) = (Probes::new(scene), Reach::of(scene));
        let size = reach.size();
        Self { probes, reach, size }
    }

    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// The number of poses that can be measured in reasonable time.
    pub(super) fn affordable(&self, scene: &Scene) -> usize {
        self.probes.affordable(scene)
    }

    /// An upper bound of how far any vertex is apart; without vertices, how far any node is.
    pub(super) fn apart(&self, a: &Pose, b: &Pose) -> f64 {
        let origins = || {
            let places = a.globals.iter().zip(&b.globals);
            places.map(|(a, b)| (a.w_axis - b.w_axis).length()).fold(0.0, f64::max) / self.size
        };
        let moved = self.probes.apart(a, b).unwrap_or_else(origins);
        let weights = a.morph_weights.iter().zip(&b.morph_weights).enumerate();
        let morphed = weights.map(|(node, (a, b))| {
            let off: f64 = a.iter().zip(b).map(|(a, b)| f64::from((a - b).abs())).sum();
            off * self.reach.morph_weights(NodeId::new(node))
        });
        moved + morphed.fold(0.0, f64::max)
    }
}

pub(super) use crate::report::shown::percent;
