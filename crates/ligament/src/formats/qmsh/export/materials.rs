//! Materials: names in the original format, textures and a highlight in QMSH 22.

use super::{Export, Names, codes, own};
use crate::formats::qmsh::document::{Submesh, flags};
use crate::report::{Loss, Remedy, Report};
use crate::scene::{Material, MaterialId, Phong, Scene, TextureRef};
use crate::text::{RawText, UniqueNames, name_in_cp1250};

/// A name that no other object, or no other material of an object, has.
pub(super) fn unique(taken: &mut UniqueNames<String>, name: &str, names: &mut Names) -> String {
    let numbered = |number| if number == 0 { name.to_owned() } else { format!("{name}.{}", number + 1) };
    let number = taken.take(numbered);
    names.changed += usize::from(number > 0);
    numbered(number)
}

/// Reports that the original format keeps only the names of materials.
pub(super) fn announce_names(scene: &Scene, report: &mut Report) {
    let plain = |m: &Material| {
        let Material { name, phong, extras, .. } = m.clone();
        phong.as_ref().is_none_or(|p| *p == Phong::default())
            && *m == Material { name, phong, extras, ..Material::default() }
    };
    let lost = scene.materials.iter().filter(|m| !plain(m)).count();
    let message = "only the names of materials were kept";
    let loss = Loss::dropped(&codes::MATERIAL_NAMES, "", lost, message);
    report.loss(loss.remedy(Remedy::new("dialect", "qmsh22", "holds textures and highlights")));
}

impl Export<'_> {
    /// Fills in the parts of a material that QMSH 22 can store, and reports the others as lost.
    pub(super) fn textures(&mut self, material: MaterialId, submesh: &mut Submesh) {
        let (scene, tangents) = (&self.scene, self.document.has(flags::TANGENTS));
        let material = &scene.materials[material.index()];
        let mut lost = Vec::new();
        let mut file = |slot: &str, texture: Option<&TextureRef>| -> RawText {
            let Some(texture) = texture else { return RawText::default() };
            scene.image_file(texture).and_then(file_name).unwrap_or_else(|| {
                lost.push(format!("{slot} texture"));
                RawText::default()
            })
        };
        let usual = Phong::default();
        let phong = material.phong.as_ref().unwrap_or(&usual);
        submesh.material = file("diffuse", phong.diffuse_texture.as_ref());
        submesh.specular_map = file("specular", phong.specular_texture.as_ref());
        submesh.normal_map = file("normal", material.normal_texture.as_ref());
        if !submesh.normal_map.is_empty() && !tangents {
            submesh.normal_map = RawText::default();
            lost.push("normal map, which needs tangents".into());
        }
        submesh.normal_factor = material.normal_texture.as_ref().map_or(0.0, |t| t.strength);
        submesh.specular_factors =
            if submesh.specular_map.is_empty() { [0.0; 2] } else { specular_factors(material) };
        let strength = phong.specular.iter().fold(0.0_f32, |m, v| m.max(*v));
        submesh.specular_intensity = strength;
        submesh.specular_color = phong.specular.map(|v| if strength > 0.0 { v / strength } else { 1.0 });
        submesh.specular_hardness = phong.shininess.unwrap_or(0.0).round() as i32;
        for (what, differs) in [
            ("diffuse colour", phong.diffuse != usual.diffuse),
            ("ambient colour", phong.ambient != usual.ambient),
            ("opacity", phong.opacity != usual.opacity),
            ("emitted light", material.emissive != [0.0; 3]),
            ("fractional part of the hardness", phong.shininess.is_some_and(|s| s.fract() != 0.0)),
        ] {
            if differs {
                lost.push(what.into());
            }
        }
        let others = ["ambient", "shininess", "bump", "opacity", "emissive"];
        let unused =
            material.textures().into_iter().map(|(slot, _)| slot).filter(|slot| others.contains(slot));
        lost.extend(unused.map(|slot| format!("{slot} texture")));
        let message = format!("QMSH materials cannot hold: {}", lost.join(", "));
        let object = format!("material {:?}", material.name);
        self.report.loss(Loss::dropped(&codes::MATERIAL_COLOR, object, lost.len(), message));
    }
}

fn specular_factors(material: &Material) -> [f32; 2] {
    let kept = own(&material.extras, "specular_factors").and_then(|v| v.as_array());
    let number = |i: usize| kept?.get(i)?.as_f64().map(|v| v as f32).filter(|v| v.is_finite());
    [number(0).unwrap_or(1.0), number(1).unwrap_or(1.0)]
}

/// Converts a file name, if the result still names that file.
fn file_name(path: &str) -> Option<RawText> {
    let (bytes, changed) = name_in_cp1250(path);
    (!changed && bytes.len() <= 255).then(|| RawText::from(&bytes[..]))
}
