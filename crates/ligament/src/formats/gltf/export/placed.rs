//! Cameras and lights, within what glTF allows.

use super::super::extensions::OF_OBJECT;
use super::super::json::{self, Num, nums};
use super::super::{LIGHTS, codes};
use super::extras::plain;
use super::{Export, extensions};
use crate::scene::{Camera, Light, LightKind, Projection, Scene};
use serde_json::json;

/// The widest cone. The f32 nearest to a right angle is slightly more than one.
const RIGHT_ANGLE: f32 = 1.570_796_2;

/// The farthest near distance: the far distance must be greater, and a number.
const FARTHEST_NEAR: f32 = f32::MAX / 4.0;

impl Export<'_> {
    pub(super) fn cameras(&mut self, scene: &mut Scene) {
        for camera in std::mem::take(&mut scene.cameras) {
            let written = self.camera(camera);
            self.root.cameras.push(written);
        }
    }

    /// Clamps the value to the range, and reports a loss if it was outside.
    fn within(&mut self, value: f32, low: f32, high: f32, object: &str, what: &str) -> Num {
        let clamped = value.min(high).max(low);
        if clamped != value {
            let message = format!("{what} is outside the range that glTF allows; it was clamped");
            self.approximated(&codes::RANGES, object, 1, &message);
        }
        Num(clamped)
    }

    fn camera(&mut self, mut camera: Camera) -> json::Camera {
        let object = format!("camera {:?}", camera.name);
        let extensions = extensions::kept(&mut camera.extras, OF_OBJECT);
        let mut written =
            json::Camera { extensions, extras: plain(camera.extras), ..json::Camera::default() };
        let tiny = f32::MIN_POSITIVE;
        match camera.projection {
            Projection::Perspective { fov_y, aspect } => {
                let near = self.within(camera.near, 1e-6, FARTHEST_NEAR, &object, "the near distance");
                let least = near.0 * 1.0001;
                let far = camera.far.map(|f| self.within(f, least, f32::MAX, &object, "the far distance"));
                written.kind = "perspective".to_owned();
                written.perspective = Some(json::Perspective {
                    aspect_ratio: aspect.map(|a| self.within(a, tiny, f32::MAX, &object, "the aspect")),
                    yfov: Some(self.within(fov_y, 1e-6, 2.0 * RIGHT_ANGLE, &object, "the field of view")),
                    zfar: far,
                    znear: Some(near),
                    ..json::Perspective::default()
                });
            }
            Projection::Orthographic { half_width, half_height } => {
                let near = self.within(camera.near, 0.0, FARTHEST_NEAR, &object, "the near distance");
                let least = near.0 + near.0 * 1e-4 + tiny;
                // glTF has no orthographic camera that sees without end, and to infinity its depths would not differ.
                let endless = (least * 2.0).max(1e6);
                let (far, most) = camera.far.map_or((f32::MAX, endless), |far| (far, f32::MAX));
                written.kind = "orthographic".to_owned();
                written.orthographic = Some(json::Orthographic {
                    xmag: Some(self.within(half_width, tiny, f32::MAX, &object, "the width")),
                    ymag: Some(self.within(half_height, tiny, f32::MAX, &object, "the height")),
                    zfar: Some(self.within(far, least, most, &object, "the far distance")),
                    znear: Some(near),
                    ..json::Orthographic::default()
                });
            }
        }
        written.name = camera.name;
        written
    }

    pub(super) fn lights(&mut self, scene: &mut Scene) {
        let lights = std::mem::take(&mut scene.lights);
        if lights.is_empty() {
            return;
        }
        let written: Vec<json::Light> = lights.into_iter().map(|l| self.light(l)).collect();
        self.extensions.insert(LIGHTS);
        self.root.extensions = json::one_extension(LIGHTS, json!({ "lights": written }));
    }

    fn light(&mut self, light: Light) -> json::Light {
        let object = format!("light {:?}", light.name);
        let mut written = json::Light { extras: plain(light.extras), ..json::Light::default() };
        written.kind = match light.kind {
            LightKind::Directional => "directional",
            LightKind::Point => "point",
            LightKind::Spot { inner_angle, outer_angle } => {
                let outer = self.within(outer_angle, 1e-4, RIGHT_ANGLE, &object, "the cone");
                let inner = self.within(inner_angle, 0.0, outer.0 * 0.9999, &object, "the inner cone");
                written.spot =
                    Some(json::Spot { inner_cone_angle: Some(inner), outer_cone_angle: Some(outer) });
                "spot"
            }
        }
        .to_owned();
        let color = light.color.map(|c| self.within(c, 0.0, 1.0, &object, "the colour"));
        written.color = (color != nums([1.0; 3])).then_some(color);
        let intensity = self.within(light.intensity, 0.0, f32::MAX, &object, "the intensity");
        written.intensity = (intensity.0 != 1.0).then_some(intensity);
        // Directional lights have no range in glTF.
        let has_range = light.kind != LightKind::Directional;
        if light.range.is_some() && !has_range {
            self.dropped(&codes::RANGES, &object, 1, "a directional light has no range");
        }
        let range = light.range.filter(|_| has_range);
        written.range = range.map(|r| self.within(r, f32::MIN_POSITIVE, f32::MAX, &object, "the range"));
        written.name = light.name;
        written
    }
}
