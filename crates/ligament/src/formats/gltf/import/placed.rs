//! Cameras and lights.

use super::super::extensions::OF_OBJECT;
use super::super::json::{self, Num, plain};
use super::super::{LIGHTS, codes, json_error};
use super::Import;
use super::extras::kept;
use crate::scene::{Camera, Light, LightId, LightKind, Projection, Scene};
use serde::Deserialize;
use serde_json::Value;
use std::f32::consts::FRAC_PI_4;

/// The lights of KHR_lights_punctual.
pub(super) fn light_sources(root: &json::Root) -> &[Value] {
    let lights = json::extension(&root.extensions, LIGHTS).and_then(|v| v.get("lights")?.as_array());
    lights.map_or(&[], Vec::as_slice)
}

fn or(value: Option<Num>, default: f32) -> f32 {
    value.map_or(default, |v| v.0)
}

impl Import<'_, '_, '_> {
    pub(super) fn cameras(&mut self, scene: &mut Scene) {
        let root = self.root;
        for (index, source) in root.cameras.iter().enumerate() {
            scene.cameras.extend(self.camera(source, &format!("cameras[{index}]")));
        }
    }

    fn camera(&mut self, source: &json::Camera, path: &str) -> Option<Camera> {
        let (projection, near, far) = match (source.kind.as_str(), &source.perspective, &source.orthographic)
        {
            ("perspective", Some(p), _) => {
                let (Some(fov_y), Some(near)) = (p.yfov, p.znear) else {
                    let message = "a perspective camera needs yfov and znear";
                    return self.fault(&codes::VALUE, format_args!("{path}.perspective"), message);
                };
                let projection =
                    Projection::Perspective { fov_y: fov_y.0, aspect: p.aspect_ratio.map(|a| a.0) };
                (projection, near, p.zfar)
            }
            ("orthographic", _, Some(o)) => {
                let (Some(x), Some(y), Some(near), Some(_)) = (o.xmag, o.ymag, o.znear, o.zfar) else {
                    let message = "an orthographic camera needs xmag, ymag, znear and zfar";
                    return self.fault(&codes::VALUE, format_args!("{path}.orthographic"), message);
                };
                (Projection::Orthographic { half_width: x.0, half_height: y.0 }, near, o.zfar)
            }
            _ => {
                let message =
                    "a camera needs the type perspective or orthographic, and an object of that name";
                return self.fault(&codes::VALUE, path, message);
            }
        };
        let (name, mut extras) = (source.name.clone(), kept(&source.extras));
        self.keep_extensions(&source.extensions, OF_OBJECT, &mut extras);
        Some(Camera { name, projection, near: near.0, far: far.map(|f| f.0), extras })
    }

    pub(super) fn lights(&mut self, scene: &mut Scene) {
        let mut ids = Vec::new();
        for (index, source) in light_sources(self.root).iter().enumerate() {
            let path = format!("extensions.{LIGHTS}.lights[{index}]");
            let light = match <json::Light as Deserialize>::deserialize(source) {
                Ok(source) => self.light(&source, &path),
                Err(error) => self.fault(&codes::JSON, &path, json_error::message(&error)),
            };
            ids.push(light.map(|light| LightId::push(&mut scene.lights, light)));
        }
        for node in &mut scene.nodes {
            node.light = node.light.and_then(|light| ids.get(light.index()).copied().flatten());
        }
    }

    fn light(&mut self, source: &json::Light, path: &str) -> Option<Light> {
        let kind = match source.kind.as_str() {
            "directional" => LightKind::Directional,
            "point" => LightKind::Point,
            "spot" => {
                let spot = source.spot.clone().unwrap_or_default();
                let outer_angle = or(spot.outer_cone_angle, FRAC_PI_4);
                LightKind::Spot { inner_angle: or(spot.inner_cone_angle, 0.0), outer_angle }
            }
            other => {
                let message = format!("{other:?} is not directional, point or spot; the light is left out");
                self.warning(&codes::VALUE, format_args!("{path}.type"), message);
                return None;
            }
        };
        Some(Light {
            name: source.name.clone(),
            kind,
            color: source.color.map_or([1.0; 3], plain),
            intensity: or(source.intensity, 1.0),
            range: source.range.map(|r| r.0),
            extras: kept(&source.extras),
        })
    }
}
