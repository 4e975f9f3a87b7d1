//! `<camera>` and `<light>`.

use super::codes;
use super::import::Import;
use super::xml::{Xml, child, elements, label, name, number, path, short_numbers, tag};
use crate::report::Loss;
use crate::scene::{Camera, CameraId, Extras, Light, LightId, LightKind, Projection};
use std::f64::consts::{FRAC_PI_2, PI};

impl<'d> Import<'d, '_> {
    pub(super) fn camera(&mut self, camera: Xml<'d>) -> Option<CameraId> {
        self.once(camera, |import| &mut import.surfaces.cameras, Self::make_camera)
    }

    fn make_camera(&mut self, camera: Xml<'d>) -> Option<CameraId> {
        let optics = path(camera, &["optics", "technique_common"]);
        let Some(lens) =
            optics.and_then(|o| elements(o).find(|e| matches!(tag(*e), "perspective" | "orthographic")))
        else {
            self.lose(&codes::CAMERA, label(camera), 1, "a camera without a lens is dropped");
            return None;
        };
        let get = |key| child(lens, key).and_then(number).filter(|v| *v > 0.0);
        let aspect = get("aspect_ratio");
        let unit = self.unit;
        let projection = if tag(lens) == "perspective" {
            let (x, y) = (get("xfov").map(f64::to_radians), get("yfov").map(f64::to_radians));
            // With both angles, their ratio is the aspect ratio of the image.
            let aspect = aspect.or_else(|| Some((x? / 2.0).tan() / (y? / 2.0).tan()));
            let fov = match (x, y) {
                (_, Some(y)) => y,
                (Some(x), None) => 2.0 * ((x / 2.0).tan() / aspect.unwrap_or(1.0)).atan(),
                (None, None) => {
                    self.warning(&codes::CAMERA, lens, "the camera has no field of view; 45 degrees is used");
                    PI / 4.0
                }
            };
            let fov = fov.clamp(1e-4, PI - 1e-4);
            Projection::Perspective {
                fov_y: fov as f32,
                aspect: aspect.map(|a| a as f32).filter(|a| a.is_normal()),
            }
        } else {
            // xmag and ymag are half the width and height of the view.
            let (x, y) = (get("xmag"), get("ymag"));
            let width = x.or_else(|| Some(y? * aspect.unwrap_or(1.0))).unwrap_or(1.0);
            let height = y.unwrap_or(width / aspect.unwrap_or(1.0));
            Projection::Orthographic {
                half_width: ((width * unit) as f32).clamp(f32::MIN_POSITIVE, f32::MAX),
                half_height: ((height * unit) as f32).clamp(f32::MIN_POSITIVE, f32::MAX),
            }
        };
        let near = ((get("znear").unwrap_or(0.1 / unit) * unit) as f32).clamp(f32::MIN_POSITIVE, f32::MAX);
        let far = get("zfar").map(|far| (far * unit) as f32).filter(|far| far.is_finite() && *far > near);
        let name = name(camera).to_owned();
        self.scene.cameras.push(Camera { name, projection, near, far, extras: Extras::new() });
        Some(CameraId::new(self.scene.cameras.len() - 1))
    }

    /// Reads a light. Ambient light belongs to the whole scene.
    pub(super) fn light(&mut self, light: Xml<'d>) -> Option<LightId> {
        self.once(light, |import| &mut import.surfaces.lights, Self::make_light)
    }

    fn make_light(&mut self, light: Xml<'d>) -> Option<LightId> {
        let kind = child(light, "technique_common").and_then(|t| {
            elements(t).find(|e| matches!(tag(*e), "ambient" | "directional" | "point" | "spot"))
        });
        let Some(source) = kind else {
            self.lose(&codes::LIGHT, label(light), 1, "a light of an unknown kind is dropped");
            return None;
        };
        let color = child(source, "color").map(short_numbers).unwrap_or_default();
        let color = [0, 1, 2].map(|i| color.get(i).map_or(1.0, |v| *v as f32).max(0.0));
        let get = |key| child(source, key).and_then(number);
        if tag(source) == "ambient" {
            let [r, g, b, _] = self.scene.ambient.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            self.scene.ambient = Some([r + color[0], g + color[1], b + color[2], 1.0]);
            return None;
        }
        let kind = match tag(source) {
            "directional" => LightKind::Directional,
            "point" => LightKind::Point,
            _ => {
                // The file has the full cone angle, and an exponent for how soft its edge is.
                let outer = (get("falloff_angle").unwrap_or(180.0).to_radians() / 2.0).clamp(0.0, FRAC_PI_2);
                let is_soft = get("falloff_exponent").is_some_and(|e| e != 0.0);
                let inner = if is_soft { 0.0 } else { outer };
                LightKind::Spot { inner_angle: inner as f32, outer_angle: outer as f32 }
            }
        };
        let attenuation = ["constant_attenuation", "linear_attenuation", "quadratic_attenuation"].map(get);
        self.attenuation(light, attenuation, tag(source) == "directional");
        let name = name(light).to_owned();
        self.scene.lights.push(Light {
            name,
            kind,
            color,
            intensity: 1.0,
            range: None,
            extras: Extras::new(),
        });
        Some(LightId::new(self.scene.lights.len() - 1))
    }

    /// Reports attenuation factors: scenes fade lights with the square of the distance, as in nature.
    fn attenuation(&mut self, light: Xml<'d>, stated: [Option<f64>; 3], is_sun: bool) {
        let [constant, linear, quadratic] = stated;
        let is_natural = constant.unwrap_or(0.0) == 0.0 && linear.unwrap_or(0.0) == 0.0;
        let says_nothing = stated == [None; 3];
        if is_sun || says_nothing || (is_natural && quadratic.is_some()) {
            return;
        }
        let message =
            "the light fades with the square of the distance; the file's attenuation factors are ignored";
        self.report.loss(Loss::approximated(&codes::LIGHT, label(light), 1, None, "", message));
    }
}
