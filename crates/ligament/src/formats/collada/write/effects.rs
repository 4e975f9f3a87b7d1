//! Images, materials and effects. A material is a Phong shader in the common profile; bump and normal maps and the
//! placement of textures go into the `<extra>` elements that other programs write for them.

use super::super::codes;
use super::super::export::Exported;
use super::xml::{Attr, Numbers, Text, Writer};
use crate::formats::gltf::uri::percent_encode;
use crate::report::{Loss, Report, label};
use crate::scene::{AlphaMode, Filter, ImageData, Material, Phong, Sampler, TextureRef, UvTransform, Wrap};
use std::collections::BTreeSet;

/// The name that faces use for a material.
pub(super) fn symbol(material: usize) -> String {
    format!("material{material}")
}

/// The texture coordinate sets that a material uses.
pub(super) fn uv_sets(material: &Material) -> BTreeSet<u32> {
    material.textures().into_iter().map(|(_, reference)| reference.uv_set).collect()
}

impl Exported {
    pub(super) fn images(&self, w: &mut Writer<'_>) {
        if self.scene.images.is_empty() {
            return;
        }
        w.open("<library_images>");
        for (image, named) in self.scene.images.iter().zip(&self.ids.images) {
            w.open(("<image", Attr("id", &named.id), Attr("name", &named.name), ">"));
            match &image.data {
                ImageData::File(path) => {
                    w.leaf(("<init_from>", Text(&percent_encode(path)), "</init_from>"));
                }
                ImageData::Embedded { bytes, .. } => {
                    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                    let digits = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
                    w.leaf("<data>");
                    bytes.iter().for_each(|byte| w.out.text(&digits(byte)));
                    w.out.end_line();
                    w.leaf("</data>");
                }
            }
            w.close("image");
        }
        w.close("library_images");
    }

    pub(super) fn effects(&self, w: &mut Writer<'_>, report: &mut Report) {
        if self.scene.materials.is_empty() {
            return;
        }
        w.open("<library_materials>");
        for named in &self.ids.materials {
            w.open(("<material", Attr("id", &named.id), Attr("name", &named.name), ">"));
            w.leaf(("<instance_effect", Attr("url", &format!("#{}-effect", named.id)), "/>"));
            w.close("material");
        }
        w.close("library_materials");
        w.open("<library_effects>");
        for (index, material) in self.scene.materials.iter().enumerate() {
            let mut effect = Effect { exported: self, lost: Vec::new() };
            effect.write(w, &self.ids.materials[index].id, material);
            let message = format!("COLLADA materials cannot hold: {}", effect.lost.join(", "));
            let object = label("material", &material.name, index);
            report.loss(Loss::dropped(&codes::MATERIAL, object, effect.lost.len(), message));
        }
        w.close("library_effects");
    }
}

/// An effect, and what is lost in it.
struct Effect<'e> {
    exported: &'e Exported,
    lost: Vec<&'static str>,
}

impl Effect<'_> {
    fn write(&mut self, w: &mut Writer<'_>, id: &str, material: &Material) {
        let fallback = Phong::default();
        let phong = material.phong.as_ref().unwrap_or(&fallback);
        w.open(("<effect", Attr("id", &format!("{id}-effect")), ">"));
        w.open("<profile_COMMON>");
        let used: BTreeSet<usize> =
            material.textures().into_iter().map(|(_, reference)| reference.texture.index()).collect();
        used.into_iter().for_each(|texture| self.params(w, texture));
        w.open("<technique sid=\"common\">");
        self.shader(w, material, phong);
        self.maps(w, material, phong);
        w.close("technique");
        w.close("profile_COMMON");
        w.close("effect");
    }

    /// Writes the surface and the sampler of a texture.
    fn params(&self, w: &mut Writer<'_>, index: usize) {
        let texture = &self.exported.scene.textures[index];
        let image = &self.exported.ids.images[texture.image.index()].id;
        w.open(("<newparam sid=\"surface", index, "\">"));
        w.open("<surface type=\"2D\">");
        w.leaf(("<init_from>", Text(image), "</init_from>"));
        w.close("surface");
        w.close("newparam");
        w.open(("<newparam sid=\"sampler", index, "\">"));
        w.open("<sampler2D>");
        w.leaf(("<source>surface", index, "</source>"));
        sampler(w, &texture.sampler);
        w.close("sampler2D");
        w.close("newparam");
    }

    /// Writes the colours, in the order of the schema.
    fn shader(&mut self, w: &mut Writer<'_>, material: &Material, phong: &Phong) {
        let shines = phong.specular != [0.0; 3] || phong.specular_texture.is_some();
        let tag = match shines || phong.shininess.is_some() {
            true => "phong",
            false => "lambert",
        };
        let strength = f64::from(material.emissive_strength);
        let emissive = material.emissive.map(|v| (f64::from(v) * strength).min(f64::from(f32::MAX)) as f32);
        w.open(("<", tag, ">"));
        self.slot(w, "emission", emissive, material.emissive_texture.as_ref());
        self.slot(w, "ambient", phong.ambient, phong.ambient_texture.as_ref());
        self.slot(w, "diffuse", phong.diffuse, phong.diffuse_texture.as_ref());
        if tag == "phong" {
            self.slot(w, "specular", phong.specular, phong.specular_texture.as_ref());
            if let Some(shininess) = phong.shininess {
                float(w, "shininess", shininess);
            }
        }
        self.opacity(w, material, phong);
        w.close(tag);
        if phong.shininess_texture.is_some() {
            self.lost.push("shininess texture");
        }
    }

    fn opacity(&mut self, w: &mut Writer<'_>, material: &Material, phong: &Phong) {
        let by_diffuse = phong.diffuse_texture.as_ref().filter(|_| material.alpha != AlphaMode::Opaque);
        let texture = phong.opacity_texture.as_ref().or(by_diffuse);
        if texture.is_none() && phong.opacity == 1.0 {
            return;
        }
        if matches!(material.alpha, AlphaMode::Mask(_)) {
            self.lost.push("alpha cut-outs, which became blending");
        }
        w.open("<transparent opaque=\"A_ONE\">");
        match texture {
            Some(texture) => self.texture(w, texture),
            None => w.leaf("<color>1 1 1 1</color>"),
        }
        w.close("transparent");
        float(w, "transparency", phong.opacity);
    }

    /// Writes a colour, or the texture that stands for it.
    fn slot(&mut self, w: &mut Writer<'_>, tag: &'static str, color: [f32; 3], texture: Option<&TextureRef>) {
        w.open(("<", tag, ">"));
        match texture {
            Some(texture) => {
                if color != [1.0; 3] {
                    self.lost.push("a colour that a texture is multiplied with");
                }
                self.texture(w, texture);
            }
            None => {
                let [r, g, b] = color;
                w.leaf(("<color>", Numbers([r, g, b, 1.0]), "</color>"));
            }
        }
        w.close(tag);
    }

    fn texture(&mut self, w: &mut Writer<'_>, reference: &TextureRef) {
        if reference.strength != 1.0 {
            self.lost.push("the strength of a texture");
        }
        let sampler = ("<texture texture=\"sampler", reference.texture.index());
        let start = (sampler, "\" texcoord=\"UVSET", reference.uv_set);
        let Some(moves) = &reference.transform else {
            w.leaf((start, "\"/>"));
            return;
        };
        w.open((start, "\">"));
        placement(w, moves);
        w.close("texture");
    }

    /// Writes bump and normal maps.
    fn maps(&mut self, w: &mut Writer<'_>, material: &Material, phong: &Phong) {
        let maps = [("", &phong.bump_texture), (" bumptype=\"NORMALMAP\"", &material.normal_texture)];
        if maps.iter().all(|(_, map)| map.is_none()) {
            return;
        }
        w.open("<extra>");
        w.open("<technique profile=\"FCOLLADA\">");
        for (kind, map) in maps {
            if let Some(map) = map {
                w.open(("<bump", kind, ">"));
                self.texture(w, map);
                w.close("bump");
            }
        }
        w.close("technique");
        w.close("extra");
    }
}

fn float(w: &mut Writer<'_>, tag: &'static str, value: f32) {
    w.open(("<", tag, ">"));
    w.leaf(("<float>", value, "</float>"));
    w.close(tag);
}

/// Writes how a texture is sampled where that is not the default.
fn sampler(w: &mut Writer<'_>, sampler: &Sampler) {
    for (tag, wrap) in [("wrap_s", sampler.wrap_u), ("wrap_t", sampler.wrap_v)] {
        let word = match wrap {
            Wrap::Repeat => continue,
            Wrap::Mirror => "MIRROR",
            Wrap::Clamp => "CLAMP",
        };
        w.leaf((("<", tag, ">"), word, ("</", tag, ">")));
    }
    let word = |filter| if filter == Filter::Nearest { "NEAREST" } else { "LINEAR" };
    if sampler.minify.is_some() || sampler.mip.is_some() {
        let minify = word(sampler.minify.unwrap_or(Filter::Linear));
        let mip = sampler.mip.map(|mip| ("_MIPMAP_", word(mip)));
        w.leaf(("<minfilter>", minify, mip, "</minfilter>"));
    }
    if let Some(magnify) = sampler.magnify {
        w.leaf(("<magfilter>", word(magnify), "</magfilter>"));
    }
}

/// Writes the placement of a texture as Maya does: repeated, moved, then rotated about the centre of the image, V up.
fn placement(w: &mut Writer<'_>, moves: &UvTransform) {
    let [u, v] = moves.scale.map(f64::from);
    let [x, y] = moves.offset.map(|offset| f64::from(offset) - 0.5);
    let (sin, cos) = f64::from(moves.rotation).sin_cos();
    let (x, y) = (cos * x - sin * y, sin * x + cos * y);
    w.open("<extra>");
    w.open("<technique profile=\"MAYA\">");
    let mut value = |tag: &'static str, value: f64| w.leaf((("<", tag, ">"), value as f32, ("</", tag, ">")));
    value("repeatU", u);
    value("repeatV", v);
    value("offsetU", x + 0.5);
    value("offsetV", 0.5 - v - y);
    value("rotateUV", f64::from(moves.rotation).to_degrees());
    w.close("technique");
    w.close("extra");
}
