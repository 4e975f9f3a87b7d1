//! Cameras and lights.

use super::{Export, finite, own, own_number};
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{Camera, Light, LightKind};
use crate::formats::bogle::import::{inner_of, spot};
use crate::report::Loss;
use crate::scene::{self, Projection};

/// Screen height of a camera from a format without screens; the width follows from the aspect ratio.
const HEIGHT: u32 = 1080;

/// Far distance for cameras that have none.
const FAR: f32 = 1000.0;

impl Export<'_> {
    pub(super) fn components(&mut self) {
        let cameras = std::mem::take(&mut self.scene.cameras);
        let has_main = cameras.iter().any(|c| own(&c.extras, "main").is_some());
        let camera = |(i, camera): (usize, _)| self.camera(camera, !has_main && i == 0);
        self.document.cameras = cameras.iter().enumerate().map(camera).collect();
        let lights = std::mem::take(&mut self.scene.lights);
        self.document.lights = lights.iter().map(|light| self.light(light)).collect();
    }

    fn camera(&mut self, camera: &scene::Camera, first: bool) -> Camera {
        let object = format!("camera {:?}", camera.name);
        let (fov, aspect) = match camera.projection {
            Projection::Perspective { fov_y, aspect } => (fov_y, aspect.unwrap_or(16.0 / 9.0)),
            Projection::Orthographic { half_width, half_height } => {
                let message = "the orthographic camera became a perspective one";
                self.report.loss(Loss::approximated(&codes::CAMERA, object.clone(), 1, None, "", message));
                (std::f32::consts::FRAC_PI_4, half_width / half_height)
            }
        };
        if camera.far.is_none() {
            let message = format!("the camera has no far distance; it became {FAR} units");
            self.report.loss(Loss::approximated(&codes::CAMERA, object, 1, None, "", message));
        }
        let whole =
            |key| own(&camera.extras, key).and_then(|v| v.as_u64()).and_then(|v| u32::try_from(v).ok());
        let (width, height) = match (whole("width"), whole("height")) {
            (Some(width), Some(height)) if same_aspect(width, height, camera) => (width, height),
            _ => {
                let width = (f64::from(HEIGHT) * f64::from(aspect)).round();
                (if width.is_finite() { width.clamp(1.0, 1e6) as u32 } else { HEIGHT }, HEIGHT)
            }
        };
        Camera {
            kind: self.document.dialect.camera_type(),
            name: camera.name.as_str().into(),
            width,
            height,
            near: camera.near,
            far: camera.far.unwrap_or_else(|| FAR.max(finite(camera.near * 2.0))),
            fov,
            main: whole("main").map_or(u8::from(first), |m| m.min(255) as u8),
        }
    }

    fn light(&mut self, light: &scene::Light) -> Light {
        let object = format!("light {:?}", light.name);
        let mut lost = Vec::new();
        if light.range.is_some() {
            lost.push("range");
        }
        let (kind, angle) = match light.kind {
            scene::LightKind::Directional => (LightKind::Sun, 0.0),
            scene::LightKind::Point => (LightKind::Point, 0.0),
            scene::LightKind::Spot { inner_angle, outer_angle } => {
                if (inner_angle - inner_of(outer_angle)).abs() > 1e-3 {
                    lost.push("inner angle");
                }
                (LightKind::Spot, finite(outer_angle * 2.0))
            }
        };
        let message = format!("lights have no {}", lost.join(" and no "));
        self.report.loss(Loss::dropped(&codes::LIGHT, object, lost.len(), message));
        // The file's own angle, if the cone is still the one made from it.
        let own_angle = own_number(&light.extras, "angle");
        let kept = own_angle.filter(|&a| kind != LightKind::Spot || spot(a) == light.kind);
        let [r, g, b] = light.color;
        let attenuation = own(&light.extras, "attenuation").and_then(|v| v.as_array()).and_then(|v| {
            let at = |i: usize| v.get(i)?.as_f64().map(|v| v as f32).filter(|v| v.is_finite());
            Some([at(0)?, at(1)?, at(2)?])
        });
        Light {
            kind,
            name: light.name.as_str().into(),
            color: [r, g, b, own_number(&light.extras, "alpha").unwrap_or(1.0)],
            // Light fades with the square of the distance.
            attenuation: attenuation.unwrap_or([0.0, 0.0, 1.0]),
            intensity: light.intensity,
            angle: kept.unwrap_or(angle),
        }
    }
}

fn same_aspect(width: u32, height: u32, camera: &scene::Camera) -> bool {
    match camera.projection {
        Projection::Perspective { aspect: Some(aspect), .. } => {
            (f64::from(width) / f64::from(height) / f64::from(aspect) - 1.0).abs() < 1e-5
        }
        Projection::Perspective { aspect: None, .. } => true,
        Projection::Orthographic { .. } => false,
    }
}
