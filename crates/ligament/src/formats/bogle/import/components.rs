//! Cameras and lights.

use super::{Import, extras};
use crate::formats::bogle::document::{Camera, Light, LightKind};
use crate::scene::{self, Projection};
use serde_json::json;
use std::f32::consts::FRAC_PI_2;

impl Import<'_> {
    pub(super) fn components(&mut self) {
        self.scene.cameras = self.document.cameras.iter().map(camera).collect();
        self.scene.lights = self.document.lights.iter().map(light).collect();
    }
}

/// Converts a camera. The engine uses the field of view as the vertical one, whatever Blender meant.
fn camera(camera: &Camera) -> scene::Camera {
    let sides = (camera.width > 0 && camera.height > 0).then_some((camera.width, camera.height));
    let aspect = sides.map(|(width, height)| (f64::from(width) / f64::from(height)) as f32);
    scene::Camera {
        name: camera.name.to_text(),
        projection: Projection::Perspective { fov_y: camera.fov, aspect },
        near: camera.near,
        far: Some(camera.far),
        extras: extras(vec![
            ("width", json!(camera.width)),
            ("height", json!(camera.height)),
            ("main", json!(camera.main)),
        ]),
    }
}

fn light(light: &Light) -> scene::Light {
    let [r, g, b, alpha] = light.color;
    let mut own = vec![("attenuation", json!(light.attenuation)), ("angle", json!(light.angle))];
    if alpha != 1.0 {
        own.push(("alpha", json!(alpha)));
    }
    scene::Light {
        name: light.name.to_text(),
        kind: match light.kind {
            LightKind::Sun => scene::LightKind::Directional,
            LightKind::Point => scene::LightKind::Point,
            LightKind::Spot => spot(light.angle),
        },
        color: [r, g, b],
        intensity: light.intensity,
        range: None,
        extras: extras(own),
    }
}

/// Converts a spot angle. Blender's angle is that of the whole cone.
pub(in super::super) fn spot(angle: f32) -> scene::LightKind {
    let outer_angle = (angle / 2.0).clamp(0.0, FRAC_PI_2);
    scene::LightKind::Spot { inner_angle: inner_of(outer_angle), outer_angle }
}

/// The inner angle: the engine fades a spot from its edge to where the cosine is halfway to 1.
pub(in super::super) fn inner_of(outer_angle: f32) -> f32 {
    (((f64::from(outer_angle).cos() + 1.0) / 2.0).acos() as f32).min(outer_angle)
}
