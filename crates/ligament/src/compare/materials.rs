//! Compares materials.

use super::features::{Differences, Grouped, matched, named, numbers, optional};
use crate::scene::{AlphaMode, Filter, ImageData, Material, Sampler, Scene, TextureRef};

pub(super) fn compare(first: &Scene, second: &Scene, differences: &mut Differences) {
    let names = |s: &Scene| s.materials.iter().map(|m| m.name.clone()).collect();
    named("materials", names(first), names(second), differences);
    let mut found = Grouped::default();
    for (a, b) in matched(&first.materials, &second.materials, |m| &m.name) {
        found.start(if a.name.is_empty() { "unnamed" } else { &a.name });
        values(a, b, &mut found);
        textures((first, a), (second, b), &mut found);
    }
    found.finish("material", differences);
}

/// Names the blocks that a material has. A block that only one of two materials has was derived or left out: that is
/// one difference, not one per value.
fn blocks(material: &Material) -> &'static str {
    match (material.phong.is_some(), material.pbr.is_some()) {
        (true, true) => "phong and metallic-roughness",
        (true, false) => "phong",
        (false, true) => "metallic-roughness",
        (false, false) => "none",
    }
}

fn values(a: &Material, b: &Material, found: &mut Grouped) {
    found.check("blocks", blocks(a).into(), blocks(b).into());
    if let (Some(a), Some(b)) = (&a.phong, &b.phong) {
        found.check("ambient", numbers(&a.ambient), numbers(&b.ambient));
        found.check("diffuse", numbers(&a.diffuse), numbers(&b.diffuse));
        found.check("specular", numbers(&a.specular), numbers(&b.specular));
        found.check("shininess", optional(a.shininess, "none"), optional(b.shininess, "none"));
        found.check("opacity", numbers(&[a.opacity]), numbers(&[b.opacity]));
    }
    if let (Some(a), Some(b)) = (&a.pbr, &b.pbr) {
        found.check("base colour", numbers(&a.base_color), numbers(&b.base_color));
        found.check("metallic", numbers(&[a.metallic]), numbers(&[b.metallic]));
        found.check("roughness", numbers(&[a.roughness]), numbers(&[b.roughness]));
        let specular = |s: &Option<crate::scene::Specular>| match s {
            Some(s) => format!("{}, colour {}", numbers(&[s.factor]), numbers(&s.color)),
            None => "none".into(),
        };
        found.check("specular strength", specular(&a.specular), specular(&b.specular));
    }
    let glow = |m: &Material| numbers(&m.emissive.map(|v| v * m.emissive_strength));
    found.check("emissive", glow(a), glow(b));
    found.check("alpha", alpha(a.alpha), alpha(b.alpha));
    found.check("double sided", a.double_sided.to_string(), b.double_sided.to_string());
    found.check("unlit", a.unlit.to_string(), b.unlit.to_string());
}

fn alpha(mode: AlphaMode) -> String {
    match mode {
        AlphaMode::Opaque => "opaque".into(),
        AlphaMode::Mask(cutoff) => format!("cut off at {}", numbers(&[cutoff])),
        AlphaMode::Blend => "blended".into(),
    }
}

fn textures((first, a): (&Scene, &Material), (second, b): (&Scene, &Material), found: &mut Grouped) {
    let (ours, theirs) = (a.textures(), b.textures());
    let shared = |slot: &str| {
        let phong = ["ambient", "diffuse", "phong specular", "shininess", "bump", "opacity"].contains(&slot);
        let pbr = ["base colour", "metallic-roughness", "specular", "specular colour"].contains(&slot);
        !(phong && (a.phong.is_none() || b.phong.is_none()) || pbr && (a.pbr.is_none() || b.pbr.is_none()))
    };
    let text = |scene: &Scene, slots: &[(&str, &TextureRef)], slot: &str| {
        let used = slots.iter().find(|(name, _)| *name == slot);
        used.map_or("none".into(), |(_, texture)| describe(scene, texture))
    };
    let mut slots: Vec<&str> = ours.iter().chain(&theirs).map(|(slot, _)| *slot).collect();
    slots.sort_unstable();
    slots.dedup();
    for slot in slots.into_iter().filter(|slot| shared(slot)) {
        found.check(&format!("{slot} texture"), text(first, &ours, slot), text(second, &theirs, slot));
    }
}

/// Describes the image, and how it is mapped if that is unusual.
fn describe(scene: &Scene, used: &TextureRef) -> String {
    let texture = scene.textures.get(used.texture.index());
    let image = texture.and_then(|t| scene.images.get(t.image.index()));
    let mut text = match image.map(|image| (&image.data, image)) {
        Some((ImageData::File(path), _)) => format!("file {path:?}"),
        Some((ImageData::Embedded { bytes, .. }, image)) => {
            format!("embedded {:?}, {} bytes", image.file_name(), bytes.len())
        }
        None => "missing".into(),
    };
    if used.uv_set != 0 {
        text.push_str(&format!(", coordinates {}", used.uv_set));
    }
    if used.strength != 1.0 {
        text.push_str(&format!(", strength {}", numbers(&[used.strength])));
    }
    if let Some(t) = &used.transform {
        let (offset, turn, scale) = (numbers(&t.offset), numbers(&[t.rotation]), numbers(&t.scale));
        text.push_str(&format!(", moved by {offset}, turned by {turn}, scaled by {scale}"));
    }
    if let Some(sampler) = texture.map(|t| t.sampler).filter(|s| *s != Sampler::default()) {
        text.push_str(&format!(", {}", sampling(sampler)));
    }
    text
}

/// `wrapped repeat and clamp, filtered linear, linear and nearest`: along U and V; for magnification, minification and
/// between mip levels.
fn sampling(sampler: Sampler) -> String {
    let filter = |filter: Option<Filter>| filter.map_or("default", Filter::word);
    let (u, v) = (sampler.wrap_u.word(), sampler.wrap_v.word());
    let (larger, smaller, mip) = (filter(sampler.magnify), filter(sampler.minify), filter(sampler.mip));
    format!("wrapped {u} and {v}, filtered {larger}, {smaller} and {mip}")
}
