//! Derives the material block that a target needs from the one that the source has.
//!
//! [`pbr_from_phong`] and [`phong_from_pbr`] have the formulas.
//!
//! Emitted light belongs to neither block and is kept.

use super::{codes, label};
use crate::formats::Capabilities;
use crate::report::{Loss, Report};
use crate::scene::{AlphaMode, Material, MaterialId, Phong, Scene, pbr_from_phong, phong_from_pbr};

/// Brings every material into the blocks that the target has. If it has both, only a missing metallic-roughness block
/// is derived, and nothing is lost. If every part must have a material, those without one get a white one.
///
/// ```
/// use ligament::formats::Capabilities;
/// use ligament::passes::materials::materials;
/// use ligament::scene::{Material, Phong, Scene};
///
/// let material = Material { phong: Some(Phong::default()), ..Material::default() };
/// let mut scene = Scene { materials: vec![material], ..Scene::default() };
/// let target = Capabilities { pbr: true, ..Capabilities::default() };
/// materials(&mut scene, &target, &mut Default::default());
/// assert!(scene.materials[0].pbr.is_some() && scene.materials[0].phong.is_none());
/// ```
pub fn materials(scene: &mut Scene, target: &Capabilities, report: &mut Report) {
    for (index, material) in scene.materials.iter_mut().enumerate() {
        let object = label("material", &material.name, index);
        match (target.phong, target.pbr) {
            // Both blocks are kept, so nothing is lost; the exporter reports how it stores the Phong block.
            (true, true) if material.pbr.is_none() => derive_pbr(material),
            (true, true) => {}
            (false, true) => to_pbr(material, object, report),
            (true, false) => to_phong(material, target, object, report),
            (false, false) => {}
        }
    }
    if target.needs_materials {
        add_default(scene);
    }
}

fn derive_pbr(material: &mut Material) {
    if let Some(phong) = &material.phong {
        material.pbr = Some(pbr_from_phong(phong));
        if phong.opacity < 1.0 && material.alpha == AlphaMode::Opaque {
            material.alpha = AlphaMode::Blend;
        }
    }
}

fn to_pbr(material: &mut Material, object: String, report: &mut Report) {
    if material.phong.is_none() {
        return;
    }
    let message = if material.pbr.is_none() {
        derive_pbr(material);
        "metallic-roughness values are derived from the Phong values"
    } else {
        "the material has Phong and metallic-roughness values; only the latter are kept"
    };
    report.loss(Loss::approximated(&codes::MATERIAL, object.clone(), 1, None, "", message));
    let phong = material.phong.take().unwrap_or_default();
    let textures = [
        ("ambient", phong.ambient_texture),
        ("specular", phong.specular_texture),
        ("shininess", phong.shininess_texture),
        ("bump", phong.bump_texture),
        ("opacity", phong.opacity_texture),
    ];
    let lost = textures.into_iter().filter(|(_, t)| t.is_some()).map(|(name, _)| format!("{name} texture"));
    report_features(object, lost.collect(), report);
}

fn to_phong(material: &mut Material, target: &Capabilities, object: String, report: &mut Report) {
    let mut lost = Vec::new();
    let mut note = |present: bool, what: &str| {
        if present {
            lost.push(what.to_owned());
        }
    };
    if let Some(pbr) = material.pbr.take() {
        let message = match &material.phong {
            None => {
                material.phong = Some(phong_from_pbr(&pbr, material.alpha));
                Some("Phong values are derived from the metallic-roughness values")
            }
            // A block derived from the other contains nothing of its own.
            Some(phong) if pbr_from_phong(phong) == pbr => None,
            Some(_) => Some("the material has metallic-roughness and Phong values; only the latter are kept"),
        };
        if let Some(message) = message {
            report.loss(Loss::approximated(&codes::MATERIAL, object.clone(), 1, None, "", message));
        }
        let specular = pbr.specular.as_ref();
        note(pbr.metallic_roughness_texture.is_some(), "metallic-roughness texture");
        note(specular.is_some_and(|s| s.texture.is_some() || s.color_texture.is_some()), "specular textures");
    } else if material.phong.is_none() {
        material.phong = Some(Phong::default());
    }
    if !target.normal_maps {
        note(material.normal_texture.take().is_some(), "normal texture");
    }
    note(material.occlusion_texture.take().is_some(), "occlusion texture");
    // Classic engines cut out textures where alpha is below one half, so that mode needs no storage.
    let cut_out = target.alpha_modes || material.alpha == AlphaMode::Mask(0.5);
    note(matches!(material.alpha, AlphaMode::Mask(_)) && !cut_out, "alpha cut-off other than 0.5");
    note(material.alpha == AlphaMode::Blend && !cut_out, "blending by alpha");
    note(std::mem::take(&mut material.double_sided), "double-sided drawing");
    note(std::mem::take(&mut material.unlit), "unlit drawing");
    if !cut_out {
        material.alpha = AlphaMode::Opaque;
    }
    report_features(object, lost, report);
}

fn report_features(object: String, lost: Vec<String>, report: &mut Report) {
    let message = format!("the format cannot store: {}", lost.join(", "));
    report.loss(Loss::dropped(&codes::MATERIAL_FEATURE, object, lost.len(), message));
}

/// Adds one white material for all parts that have none.
fn add_default(scene: &mut Scene) {
    let mut parts =
        scene.meshes.iter_mut().flat_map(|m| &mut m.parts).filter(|p| p.material.is_none()).peekable();
    if parts.peek().is_some() {
        let id = MaterialId::new(scene.materials.len());
        parts.for_each(|part| part.material = Some(id));
        let phong = Some(Phong::default());
        scene.materials.push(Material { name: "default".into(), phong, ..Material::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::LossKind;
    use crate::scene::{Mesh, Part, Pbr, TextureId, TextureRef};

    fn blocks(phong: bool, pbr: bool) -> Capabilities {
        Capabilities { phong, pbr, normal_maps: pbr, alpha_modes: pbr, ..Capabilities::default() }
    }

    fn run(material: Material, phong: bool, pbr: bool) -> (Material, Report) {
        let mut scene = Scene { materials: vec![material], ..Scene::default() };
        let mut report = Report::default();
        materials(&mut scene, &blocks(phong, pbr), &mut report);
        (scene.materials.remove(0), report)
    }

    fn phong() -> Phong {
        Phong {
            diffuse: [0.5, 0.25, 1.0],
            specular: [0.5, 0.25, 0.0],
            shininess: Some(30.0),
            opacity: 0.5,
            diffuse_texture: Some(TextureRef::new(TextureId(0))),
            ..Phong::default()
        }
    }

    #[test]
    fn phong_becomes_metallic_roughness_by_the_table() {
        let material = Material { phong: Some(phong()), ..Material::default() };
        let (material, report) = run(material, false, true);
        let pbr = material.pbr.expect("derived");
        assert_eq!((pbr.base_color, pbr.metallic, pbr.roughness), ([0.5, 0.25, 1.0, 0.5], 0.0, 0.25));
        let specular = pbr.specular.expect("not the default highlight");
        assert_eq!((specular.factor, specular.color), (0.5, [1.0, 0.5, 0.0]));
        assert_eq!((material.alpha, material.phong), (AlphaMode::Blend, None));
        assert!(pbr.base_color_texture.is_some());
        assert!(matches!(report.losses()[0].kind, LossKind::Approximated { .. }));
    }

    #[test]
    fn a_target_with_both_blocks_loses_nothing() {
        let material = Material { phong: Some(phong()), ..Material::default() };
        let (after, report) = run(material.clone(), true, true);
        assert_eq!((after.phong, after.pbr), (material.phong, Some(pbr_from_phong(&phong()))));
        assert!(report.losses().is_empty());
        let only_pbr = Material { pbr: Some(Pbr::default()), ..Material::default() };
        let (after, report) = run(only_pbr.clone(), true, true);
        assert_eq!(after, only_pbr);
        assert!(report.losses().is_empty());
    }

    #[test]
    fn metallic_roughness_becomes_phong_and_names_what_is_dropped() {
        let pbr = Pbr {
            base_color: [1.0, 0.5, 0.0, 0.25],
            metallic: 1.0,
            roughness: 0.5,
            metallic_roughness_texture: Some(TextureRef::new(TextureId(1))),
            ..Pbr::default()
        };
        let normal_texture = Some(TextureRef::new(TextureId(2)));
        let material = Material { pbr: Some(pbr), normal_texture, double_sided: true, ..Material::default() };
        let (material, report) = run(material, true, false);
        let phong = material.phong.expect("derived");
        assert_eq!((phong.diffuse, phong.specular), ([0.5, 0.25, 0.0], [1.0, 0.5, 0.0]));
        assert_eq!((phong.shininess, phong.opacity), (Some(6.0), 1.0));
        assert_eq!(material.pbr, None);
        let [approximated, dropped] = report.losses() else { panic!("{:?}", report.losses()) };
        assert_eq!((approximated.code.id, dropped.code.id, dropped.count), ("LS013", "LS014", 3));
        assert!(dropped.message.contains("metallic-roughness texture, normal texture, double-sided"));
    }

    #[test]
    fn a_material_is_made_only_where_one_is_missing() {
        let part = |material| Part { material, ..Part::default() };
        let mesh = Mesh { parts: vec![part(None), part(Some(MaterialId(0))), part(None)], ..Mesh::default() };
        let mut scene =
            Scene { meshes: vec![mesh], materials: vec![Material::default()], ..Scene::default() };
        let target = Capabilities { needs_materials: true, ..blocks(true, false) };
        materials(&mut scene, &target, &mut Report::default());
        assert_eq!(scene.materials.len(), 2);
        let used: Vec<_> = scene.meshes[0].parts.iter().map(|p| p.material.unwrap().0).collect();
        assert_eq!(used, [1, 0, 1]);
    }
}
