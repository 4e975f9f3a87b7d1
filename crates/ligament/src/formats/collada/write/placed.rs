//! `<library_cameras>` and `<library_lights>`.

use super::super::codes;
use super::super::export::Exported;
use super::xml::{Attr, Numbers, Writer};
use crate::report::{Loss, Report, label};
use crate::scene::{Camera, Light, LightKind, Projection};

/// Cameras without a far distance get the near distance times this.
const FAR: f32 = 1e6;

impl Exported {
    pub(super) fn cameras(&self, w: &mut Writer<'_>, report: &mut Report) {
        if self.scene.cameras.is_empty() {
            return;
        }
        w.open("<library_cameras>");
        for (index, camera) in self.scene.cameras.iter().enumerate() {
            let named = &self.ids.cameras[index];
            w.open(("<camera", Attr("id", &named.id), Attr("name", &named.name), ">"));
            w.open("<optics>");
            w.open("<technique_common>");
            lens(w, camera);
            w.close("technique_common");
            w.close("optics");
            w.close("camera");
            if camera.far.is_none() {
                let message = "COLLADA has no endless view; the far distance is a million times the near one";
                let object = label("camera", &camera.name, index);
                report.loss(Loss::approximated(&codes::PLACED, object, 1, None, "", message));
            }
        }
        w.close("library_cameras");
    }

    pub(super) fn lights(&self, w: &mut Writer<'_>, report: &mut Report) {
        let ambient = self.scene.ambient.filter(|_| !self.scene.nodes.is_empty());
        if self.scene.lights.is_empty() && ambient.is_none() {
            return;
        }
        w.open("<library_lights>");
        for (index, light) in self.scene.lights.iter().enumerate() {
            let named = &self.ids.lights[index];
            w.open(("<light", Attr("id", &named.id), Attr("name", &named.name), ">"));
            w.open("<technique_common>");
            source(w, light);
            w.close("technique_common");
            w.close("light");
            let object = || label("light", &light.name, index);
            if light.range.is_some() {
                let message = "the distance at which a light ends is dropped";
                report.loss(Loss::dropped(&codes::PLACED, object(), 1, message));
            }
            let cone = match light.kind {
                LightKind::Spot { inner_angle, outer_angle } => Some((inner_angle, outer_angle)),
                _ => None,
            };
            if cone.is_some_and(|(inner, outer)| inner > 0.0 && inner < outer) {
                let message = "a cone with a soft edge is written as one that fades from its middle";
                report.loss(Loss::approximated(&codes::PLACED, object(), 1, None, "", message));
            }
        }
        if let Some([r, g, b, _]) = ambient {
            w.open("<light id=\"ambient-light-light\" name=\"ambient\">");
            w.open("<technique_common>");
            w.open("<ambient>");
            w.leaf(("<color>", Numbers([r, g, b]), "</color>"));
            w.close("ambient");
            w.close("technique_common");
            w.close("light");
        }
        w.close("library_lights");
    }
}

fn lens(w: &mut Writer<'_>, camera: &Camera) {
    let far = camera.far.unwrap_or_else(|| (camera.near * FAR).min(f32::MAX));
    match camera.projection {
        Projection::Perspective { fov_y, aspect } => {
            w.open("<perspective>");
            number(w, "yfov", f64::from(fov_y).to_degrees() as f32);
            if let Some(aspect) = aspect {
                number(w, "aspect_ratio", aspect);
            }
            number(w, "znear", camera.near);
            number(w, "zfar", far);
            w.close("perspective");
        }
        Projection::Orthographic { half_width, half_height } => {
            w.open("<orthographic>");
            number(w, "xmag", half_width);
            number(w, "ymag", half_height);
            number(w, "znear", camera.near);
            number(w, "zfar", far);
            w.close("orthographic");
        }
    }
}

fn source(w: &mut Writer<'_>, light: &Light) {
    let tag = match light.kind {
        LightKind::Directional => "directional",
        LightKind::Point => "point",
        LightKind::Spot { .. } => "spot",
    };
    w.open(("<", tag, ">"));
    let color = light.color.map(|c| finite(f64::from(c) * f64::from(light.intensity)));
    w.leaf(("<color>", Numbers(color), "</color>"));
    if light.kind != LightKind::Directional {
        // Light fades with the square of the distance.
        number(w, "constant_attenuation", 0.0);
        number(w, "linear_attenuation", 0.0);
        number(w, "quadratic_attenuation", 1.0);
    }
    if let LightKind::Spot { inner_angle, outer_angle } = light.kind {
        number(w, "falloff_angle", (2.0 * f64::from(outer_angle)).to_degrees() as f32);
        number(w, "falloff_exponent", if inner_angle < outer_angle { 1.0 } else { 0.0 });
    }
    w.close(tag);
}

fn number(w: &mut Writer<'_>, tag: &'static str, value: f32) {
    w.leaf((("<", tag, ">"), value, ("</", tag, ">")));
}

fn finite(value: f64) -> f32 {
    value.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}
