//! The interactive camera.

use ligament::math::DVec3;
use ligament::pose::Bounds;
use ligament::scene::NodeId;
use ligament_render::{Camera, Lens, Side, own_slope};

/// The margin around a framed model, as a fraction of the view.
const MARGIN: f64 = 0.06;

/// A camera that orbits a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// The orbit's centre, in the scene's coordinates.
    pub target: DVec3,
    /// The distance from the target.
    pub distance: f64,
    /// Degrees around the vertical, from +Z towards +X.
    pub around: f64,
    /// Degrees above the horizontal.
    pub above: f64,
    /// Whether lines that are parallel stay parallel.
    pub orthographic: bool,
    /// The node whose camera is used instead.
    pub through: Option<NodeId>,
}

impl Default for Orbit {
    fn default() -> Self {
        let (around, above) = Side::ThreeQuarter.angles();
        Self { target: DVec3::ZERO, distance: 3.0, around, above, orthographic: false, through: None }
    }
}

impl Orbit {
    fn side(&self) -> Side {
        Side::Angles { around: self.around, above: self.above }
    }

    /// The camera, for a view of an aspect (width divided by height).
    pub fn camera(&self, aspect: f64) -> Camera {
        let camera = Camera::around(self.target, self.side(), self.distance, aspect);
        if !self.orthographic {
            return camera;
        }
        let half_height = own_slope(aspect) * self.distance;
        Camera { lens: Lens::Orthographic { half_height, aspect: None }, ..camera }
    }

    /// Orbits by degrees.
    pub fn turn(&mut self, around: f64, above: f64) {
        if around.is_finite() && above.is_finite() {
            self.through = None;
            self.around = (self.around + around).rem_euclid(360.0);
            self.above = (self.above + above).clamp(-90.0, 90.0);
        }
    }

    /// Looks from a side.
    pub fn look_from(&mut self, side: Side) {
        self.through = None;
        (self.around, self.above) = side.angles();
    }

    /// Pans by fractions of the view's height, so that the point under the pointer stays under it.
    pub fn pan(&mut self, right: f64, down: f64, aspect: f64) {
        if right.is_finite() && down.is_finite() {
            self.through = None;
            let axes = self.side().axes();
            let height = 2.0 * own_slope(aspect) * self.distance;
            self.target += (axes.y_axis * down - axes.x_axis * right) * height;
        }
    }

    /// Zooms in (above one) or out; `size` is the model's.
    pub fn zoom(&mut self, factor: f64, size: f64) {
        if factor.is_finite() && factor > 0.0 {
            self.through = None;
            self.distance = (self.distance / factor).clamp(size * 1e-3, size * 1e3);
        }
    }

    /// Moves back until a box fits the view.
    pub fn fit(&mut self, bounds: Option<Bounds>, aspect: f64) {
        self.through = None;
        let Some(bounds) = bounds else {
            let (around, above, orthographic) = (self.around, self.above, self.orthographic);
            *self = Self { around, above, orthographic, ..Self::default() };
            return;
        };
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        self.target = (min + max) * 0.5;
        let axes = self.side().axes();
        let slope_y = own_slope(aspect) * (1.0 - 2.0 * MARGIN);
        let slope_x = slope_y * aspect;
        let needed = |corner: DVec3| {
            let from = corner - self.target;
            let across = (axes.x_axis.dot(from) / slope_x).abs().max((axes.y_axis.dot(from) / slope_y).abs());
            if self.orthographic { across } else { across + axes.z_axis.dot(from) }
        };
        let distance = bounds.corners().map(needed).into_iter().fold(0.0, f64::max);
        self.distance = if distance.is_finite() && distance > 1e-30 { distance } else { 3.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::math::Vec3;

    fn bounds() -> Bounds {
        Bounds { min: Vec3::new(-1.0, 0.0, -2.0), max: Vec3::new(3.0, 5.0, 2.0) }
    }

    /// The position of a point in the view, from -1 to 1 in each direction.
    fn seen(orbit: &Orbit, aspect: f64, place: DVec3) -> [f64; 2] {
        let camera = orbit.camera(aspect);
        let from = place - camera.eye;
        let depth = -camera.axes.z_axis.dot(from);
        assert!(depth > 0.0, "behind the camera");
        let slope = own_slope(aspect);
        [
            camera.axes.x_axis.dot(from) / (depth * slope * aspect),
            camera.axes.y_axis.dot(from) / (depth * slope),
        ]
    }

    #[test]
    fn a_fitted_box_fills_the_view() {
        for aspect in [0.5, 1.0, 1.8] {
            for (around, above) in [(0.0, 0.0), (35.0, 16.0), (180.0, -80.0), (90.0, 90.0)] {
                let mut orbit = Orbit { around, above, ..Orbit::default() };
                orbit.fit(Some(bounds()), aspect);
                let all = bounds().corners().map(|corner| seen(&orbit, aspect, corner));
                let most = all.iter().flatten().fold(0.0_f64, |most, v| most.max(v.abs()));
                assert!((0.8..=1.0).contains(&most), "{aspect} {around} {above}: {most}");
            }
        }
    }

    #[test]
    fn panning_takes_what_is_looked_at_along() {
        let mut orbit = Orbit::default();
        orbit.fit(Some(bounds()), 1.5);
        let place = orbit.target;
        orbit.pan(0.25, 0.1, 1.5);
        let [x, y] = seen(&orbit, 1.5, place);
        assert!((x * 1.5 - 0.5).abs() < 1e-9 && (y + 0.2).abs() < 1e-9, "{x} {y}");
    }

    #[test]
    fn nothing_a_point_and_wild_numbers_leave_a_camera() {
        let point = Bounds { min: Vec3::ONE, max: Vec3::ONE };
        for bounds in [None, Some(point)] {
            let mut orbit = Orbit::default();
            orbit.fit(bounds, 1.0);
            orbit.turn(f64::NAN, 1.0);
            orbit.pan(f64::INFINITY, 0.0, 1.0);
            orbit.zoom(0.0, 1.0);
            orbit.zoom(f64::NAN, 1.0);
            orbit.turn(10.0, 1e6);
            assert_eq!(orbit.above, 90.0);
            let camera = orbit.camera(1.0);
            assert!(camera.eye.is_finite() && orbit.distance > 0.0);
        }
    }

    #[test]
    fn zooming_has_ends() {
        let mut orbit = Orbit::default();
        (0..1000).for_each(|_| orbit.zoom(2.0, 1.0));
        assert_eq!(orbit.distance, 1e-3);
        (0..1000).for_each(|_| orbit.zoom(0.5, 1.0));
        assert_eq!(orbit.distance, 1e3);
    }

    #[test]
    fn without_perspective_a_fitted_box_fills_the_view_too() {
        for (around, above) in [(0.0, 0.0), (35.0, 16.0), (270.0, 0.0), (0.0, -90.0)] {
            let mut orbit = Orbit { around, above, orthographic: true, ..Orbit::default() };
            orbit.fit(Some(bounds()), 1.5);
            let camera = orbit.camera(1.5);
            let Lens::Orthographic { half_height, .. } = camera.lens else { panic!("{:?}", camera.lens) };
            let seen = bounds().corners().map(|corner| {
                let from = corner - orbit.target;
                let [x, y] = [camera.axes.x_axis.dot(from) / 1.5, camera.axes.y_axis.dot(from)];
                x.abs().max(y.abs()) / half_height
            });
            let most = seen.into_iter().fold(0.0, f64::max);
            assert!((0.8..=1.0).contains(&most), "{around} {above}: {most}");
        }
    }
}
