//! Converts the lights of KHR_materials_common to those of KHR_lights_punctual.

use super::super::json::{self, Num, extension};
use super::super::locate::Step::Name;
use super::super::{COMMON, LIGHTS, codes, json_error};
use super::json::{Light, LightValues};
use super::{Convert, named};
use crate::report::Loss;
use serde::Deserialize;
use serde_json::{Value, json};
use std::f32::consts::FRAC_PI_2;

impl Convert<'_, '_, '_> {
    fn light_sources(&self) -> impl Iterator<Item = (&str, &Value)> {
        let lights = extension(&self.source.extensions, COMMON).and_then(|c| c.get("lights")?.as_object());
        lights.into_iter().flatten().map(|(id, light)| (id.as_str(), light))
    }

    pub(super) fn lights(&mut self) {
        let lights: Vec<_> = self
            .light_sources()
            .map(|(id, light)| (id.to_owned(), <Light as Deserialize>::deserialize(light)))
            .collect();
        let mut made = Vec::new();
        for (id, light) in lights {
            let path = [Name("extensions"), Name(COMMON), Name("lights"), Name(&id)];
            let light = match light {
                Ok(light) if light.kind == "ambient" => continue,
                Ok(light) => light,
                Err(error) => {
                    self.error(&codes::JSON, &path, json_error::message(&error));
                    continue;
                }
            };
            let light = self.light(&id, &light);
            match serde_json::to_value(light) {
                Ok(light) => made.push(light),
                Err(_) => continue,
            }
            let ids = self.origins.ids.entry("lights").or_default();
            self.lights.insert(id.clone(), ids.len());
            ids.push(id);
        }
        if !made.is_empty() {
            self.root.extensions = json::one_extension(LIGHTS, json!({ "lights": made }));
        }
    }

    fn light(&mut self, id: &str, light: &Light) -> json::Light {
        let values = match light.kind.as_str() {
            "directional" => &light.directional,
            "point" => &light.point,
            _ => &light.spot,
        };
        if light.kind != "directional" && !fades_naturally(values) {
            let message =
                "lights fade with the square of the distance; the file's attenuation factors are ignored";
            self.report.loss(Loss::approximated(&codes::FADING, "", 1, None, "", message));
        }
        let outer = values.falloff_angle.map_or(FRAC_PI_2, |a| a.0).clamp(0.0, FRAC_PI_2);
        let is_soft = values.falloff_exponent.is_some_and(|e| e.0 != 0.0);
        let inner = if is_soft { 0.0 } else { outer };
        let color = [0, 1, 2].map(|i| Num(values.color.get(i).map_or(0.0, |c| c.0.max(0.0))));
        json::Light {
            name: named(&light.name, id),
            kind: light.kind.clone(),
            color: Some(color),
            range: values.distance.filter(|d| d.0 > 0.0),
            spot: (light.kind == "spot").then_some(json::Spot {
                inner_cone_angle: Some(Num(inner)),
                outer_cone_angle: Some(Num(outer)),
            }),
            ..json::Light::default()
        }
    }

    pub(super) fn is_ambient(&self, id: &str) -> bool {
        let common = extension(&self.source.extensions, COMMON);
        let kind = common.and_then(|c| c.get("lights")?.get(id)?.get("type"));
        kind.is_some_and(|kind| kind == "ambient")
    }

    /// The sum of all ambient light, which belongs to the whole scene.
    pub(super) fn ambient(&self) -> Option<[f32; 4]> {
        let lights =
            self.light_sources().filter_map(|(_, light)| <Light as Deserialize>::deserialize(light).ok());
        lights.filter(|light| light.kind == "ambient").fold(None, |sum, light| {
            let [r, g, b, _] = sum.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            let add = |i: usize| light.ambient.color.get(i).map_or(0.0, |c: &Num| c.0.max(0.0));
            Some([r + add(0), g + add(1), b + add(2), 1.0])
        })
    }
}

fn fades_naturally(values: &LightValues) -> bool {
    let stated = [values.constant_attenuation, values.linear_attenuation, values.quadratic_attenuation];
    let [constant, linear, quadratic] = stated.map(|v| v.map_or(0.0, |v| v.0));
    stated.iter().all(Option::is_none) || (constant == 0.0 && linear == 0.0 && quadratic != 0.0)
}
