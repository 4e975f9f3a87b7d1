//! Materials, and the features of them that the format cannot hold.

use super::super::document::Material;
use super::super::{WHITE_TEXTURE, codes};
use super::Export;
use crate::report::{Loss, Report};
use crate::scene::{self, Phong, Scene};
use crate::text::RawText;

pub(super) fn default_material() -> Material {
    Material {
        name: "default".into(),
        ambient: 1.0,
        diffuse: [1.0; 3],
        specular: [0.0; 3],
        texture: WHITE_TEXTURE.into(),
    }
}

impl Export<'_> {
    pub(super) fn material(&mut self, index: usize) -> Material {
        let Self { scene, names, report, .. } = self;
        let material = &scene.materials[index];
        let default = Phong::default();
        let phong = material.phong.as_ref().unwrap_or(&default);
        let name = names.clean(material.name.trim(), "material", index, |c, _| c.is_control(), report);
        let [r, g, b] = phong.ambient;
        let mean = if r == g && g == b { r } else { (r + g + b) / 3.0 };
        if r != g || g != b {
            let size = [r, g, b].iter().fold(0.0_f32, |m, v| m.max((v - mean).abs()));
            let message = "the coloured ambient became the mean of its channels";
            let (object, size, unit) = (format!("material {name}"), f64::from(size), "of full light");
            report.loss(Loss::approximated(&codes::AMBIENT, object, 1, size, unit, message));
        }
        report_features(material, phong, &name, report);
        Material {
            ambient: mean,
            diffuse: phong.diffuse,
            specular: phong.specular,
            texture: texture(scene, phong, &name, report),
            name,
        }
    }
}

/// Reports the features of the material that the format does not have.
fn report_features(material: &scene::Material, phong: &Phong, name: &RawText, report: &mut Report) {
    let moved = phong.diffuse_texture.as_ref().is_some_and(|t| t.transform.is_some());
    let features = [
        (material.emissive != [0.0; 3] || material.emissive_texture.is_some(), "emitted light"),
        (phong.shininess.is_some(), "shininess"),
        (phong.opacity != 1.0, "opacity"),
        (phong.ambient_texture.is_some(), "ambient texture"),
        (phong.specular_texture.is_some(), "specular texture"),
        (phong.shininess_texture.is_some(), "shininess texture"),
        (phong.bump_texture.is_some(), "bump texture"),
        (phong.opacity_texture.is_some(), "opacity texture"),
        (moved, "texture transform"),
    ];
    let lost: Vec<_> = features.into_iter().filter(|(there, _)| *there).map(|(_, what)| what).collect();
    let message = format!("PFOBJ materials cannot hold: {}", lost.join(", "));
    report.loss(Loss::dropped(&codes::FEATURES, format!("material {name}"), lost.len(), message));
}

fn texture(scene: &Scene, phong: &Phong, name: &RawText, report: &mut Report) -> RawText {
    let Some(reference) = &phong.diffuse_texture else { return WHITE_TEXTURE.into() };
    let file = scene.image_file(reference);
    if file.is_none() {
        let message = "the image is embedded in the source, so there is no file to name";
        report.loss(Loss::dropped(&codes::TEXTURE_LEFT_OUT, format!("material {name}"), 1, message));
    }
    file.unwrap_or(WHITE_TEXTURE).into()
}
