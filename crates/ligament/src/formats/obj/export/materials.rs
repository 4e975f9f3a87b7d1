//! Materials of the library, and reports of what it cannot hold.

use super::Names;
use crate::formats::obj::codes;
use crate::formats::obj::color::finite;
use crate::formats::obj::import::KEY;
use crate::formats::obj::look::phong_beside;
use crate::formats::obj::mtl::{Color, Map, Material, Slot, Value};
use crate::report::{Loss, Report};
use crate::scene::{
    self, AlphaMode, ImageData, MaterialId, Pbr, Phong, Scene, TextureRef, Wrap, pbr_from_phong,
};

/// Gives parts without a material a default one if other parts have materials: a file cannot switch back to no material.
pub(super) fn name_all(scene: &mut Scene, report: &mut Report) {
    let parts = || scene.meshes.iter().flat_map(|mesh| &mesh.parts);
    let without = parts().filter(|part| part.material.is_none()).count();
    if without == 0 || without == parts().count() {
        return;
    }
    let plain = MaterialId::new(scene.materials.len());
    let phong = Some(Phong::default());
    scene.materials.push(scene::Material { name: "default".into(), phong, ..scene::Material::default() });
    scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts).for_each(|part| {
        part.material.get_or_insert(plain);
    });
    let message = "parts without a material get a default one, because other parts have materials";
    report.loss(Loss::kept(&codes::MATERIAL, "", without, message));
}

pub(super) fn materials(scene: &Scene, names: &mut Names, report: &mut Report) -> Vec<Material> {
    let mut made = Vec::with_capacity(scene.materials.len());
    for (index, material) in scene.materials.iter().enumerate() {
        let name = names.material(&material.name, index, report);
        let mut maker = Maker { scene, out: Material::named(name.as_bytes()), lost: Vec::new() };
        maker.material(material);
        let message = format!("OBJ materials cannot hold: {}", maker.lost.join(", "));
        let object = format!("material {name}");
        report.loss(Loss::dropped(&codes::MATERIAL, object, maker.lost.len(), message));
        made.push(maker.out);
    }
    made
}

struct Maker<'s> {
    scene: &'s Scene,
    out: Material,
    /// Features that are dropped.
    lost: Vec<String>,
}

impl Maker<'_> {
    fn material(&mut self, from: &scene::Material) {
        let derived = from.pbr.as_ref().map(|pbr| phong_beside(pbr, from.alpha));
        let phong = from.phong.clone().or_else(|| derived.clone()).unwrap_or_default();
        self.phong(&phong);
        // Values that are derived from the Phong block add nothing.
        let follows = |pbr: &Pbr| from.phong.as_ref().is_some_and(|phong| pbr_from_phong(phong) == *pbr);
        if let Some(pbr) = from.pbr.as_ref().filter(|pbr| !follows(pbr)) {
            self.pbr(pbr, &phong);
        }
        self.alpha(from.alpha, &phong);
        self.rest(from, &phong);
    }

    fn color(&mut self, color: Color, value: [f32; 3]) {
        self.out.colors[color as usize] = Some(value);
    }

    fn value(&mut self, value: Value, number: f32) {
        self.out.values[value as usize] = Some(number);
    }

    fn phong(&mut self, phong: &Phong) {
        self.color(Color::Ambient, phong.ambient);
        self.color(Color::Diffuse, phong.diffuse);
        self.color(Color::Specular, phong.specular);
        if let Some(shininess) = phong.shininess {
            self.value(Value::Shininess, shininess);
        }
        self.value(Value::Opacity, phong.opacity);
        self.map(Slot::Ambient, phong.ambient_texture.as_ref());
        self.map(Slot::Diffuse, phong.diffuse_texture.as_ref());
        self.map(Slot::Specular, phong.specular_texture.as_ref());
        self.map(Slot::Shininess, phong.shininess_texture.as_ref());
        self.map(Slot::Opacity, phong.opacity_texture.as_ref());
        self.map(Slot::Bump, phong.bump_texture.as_ref());
    }

    fn pbr(&mut self, pbr: &Pbr, phong: &Phong) {
        let [r, g, b, _] = pbr.base_color;
        if [r, g, b] != phong.diffuse || pbr.base_color_texture != phong.diffuse_texture {
            self.lost.push("a base colour that differs from the diffuse colour".to_owned());
        }
        if pbr.specular.is_some() {
            self.lost.push("strength and tint of the highlight".to_owned());
        }
        self.value(Value::Roughness, pbr.roughness);
        self.value(Value::Metallic, pbr.metallic);
        for (slot, channel) in [(Slot::Roughness, b'g'), (Slot::Metallic, b'b')] {
            if let Some(map) = self.texture(slot, pbr.metallic_roughness_texture.as_ref()) {
                self.out.set_map(slot, Map { channel: Some(channel), ..map });
            }
        }
    }

    fn alpha(&mut self, alpha: AlphaMode, phong: &Phong) {
        let by_texture = phong.opacity_texture.is_none() && phong.diffuse_texture.is_some();
        if let (AlphaMode::Mask(_), true) = (alpha, by_texture || phong.opacity < 1.0) {
            self.lost.push("alpha cut-outs, which became blending".to_owned());
        }
        if alpha != AlphaMode::Opaque && by_texture && phong.opacity == 1.0 {
            // The matte channel of the colour's own image.
            if let Some(map) = self.texture(Slot::Opacity, phong.diffuse_texture.as_ref()) {
                self.out.set_map(Slot::Opacity, Map { channel: Some(b'm'), ..map });
            }
        }
    }

    fn rest(&mut self, from: &scene::Material, phong: &Phong) {
        let emissive = from.emissive.map(|v| finite(f64::from(v) * f64::from(from.emissive_strength)));
        if emissive != [0.0; 3] || from.emissive_texture.is_some() {
            self.color(Color::Emissive, emissive);
        }
        self.map(Slot::Emissive, from.emissive_texture.as_ref());
        self.map(Slot::Normal, from.normal_texture.as_ref());
        let packed = from.pbr.as_ref().and_then(|pbr| pbr.metallic_roughness_texture.as_ref());
        match &from.occlusion_texture {
            Some(occlusion) if packed.is_some_and(|packed| packed.texture == occlusion.texture) => {
                self.map(Slot::OcclusionRoughMetal, Some(occlusion));
            }
            Some(_) => self.lost.push("occlusion texture".to_owned()),
            None => {}
        }
        if from.double_sided {
            self.lost.push("double-sided drawing".to_owned());
        }
        let extras = from.extras.get(KEY);
        for value in Value::ALL.into_iter().filter(|value| value.is_extra()) {
            if let Some(number) = extras.and_then(|e| e.get(value.word())?.as_f64()) {
                self.value(value, finite(number));
            }
        }
        if let Some([r, g, b]) = extras.and_then(|e| e.get("Tf")?.as_array()).map(Vec::as_slice) {
            let filter = [r, g, b].map(|v| finite(v.as_f64().unwrap_or(1.0)));
            self.color(Color::Transmission, filter);
        }
        let shines = phong.specular != [0.0; 3] || phong.specular_texture.is_some();
        let model = if from.unlit {
            0.0
        } else if shines {
            2.0
        } else {
            1.0
        };
        self.out.values[Value::Illumination as usize].get_or_insert(model);
    }

    fn map(&mut self, slot: Slot, texture: Option<&TextureRef>) {
        if let Some(map) = self.texture(slot, texture) {
            self.out.set_map(slot, map);
        }
    }

    /// A texture as named in the library.
    fn texture(&mut self, slot: Slot, texture: Option<&TextureRef>) -> Option<Map> {
        let reference = texture?;
        let texture = self.scene.textures.get(reference.texture.index())?;
        let image = self.scene.images.get(texture.image.index())?;
        let ImageData::File(path) = &image.data else {
            self.lost.push(format!("{}, whose image is embedded in the source", slot.word()));
            return None;
        };
        let mut map = Map { file: path.as_str().into(), path: Some(path.clone()), ..Map::default() };
        if let Some(moves) = &reference.transform {
            if moves.rotation != 0.0 {
                self.lost.push("rotated textures".to_owned());
            }
            let [u, v] = moves.scale;
            map.scale = [u, v, 1.0];
            map.offset = [moves.offset[0], finite(1.0 - f64::from(v) - f64::from(moves.offset[1])), 0.0];
        }
        if reference.uv_set != 0 {
            self.lost.push("a second set of texture coordinates".to_owned());
        }
        let wraps = [texture.sampler.wrap_u, texture.sampler.wrap_v];
        map.clamp = wraps == [Wrap::Clamp; 2];
        if !map.clamp && wraps != [Wrap::Repeat; 2] {
            self.lost.push("mirrored textures, and textures clamped in one direction only".to_owned());
        }
        match slot {
            Slot::Bump | Slot::Normal => map.bump = reference.strength,
            _ if reference.strength != 1.0 => self.lost.push("the strength of a texture".to_owned()),
            _ => {}
        }
        Some(map)
    }
}
