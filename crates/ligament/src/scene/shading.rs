use super::{AlphaMode, Pbr, Phong, Specular};

/// The metallic-roughness block that looks most like a Phong block. Importers use it to detect whether a derived block
/// was edited since.
///
/// | from Phong | to metallic-roughness |
/// |---|---|
/// | diffuse, opacity | base colour and its alpha, within 0..1; a material that is not opaque is blended |
/// | specular | strength = its largest component, tint = specular ÷ strength (KHR_materials_specular, left out if white) |
/// | shininess `n` | roughness = √(2 ÷ (n + 2)); without shininess 1 if specular is black, else 0.5 |
/// | | metallic = 0 |
/// | diffuse texture | base colour texture |
pub fn pbr_from_phong(phong: &Phong) -> Pbr {
    let [r, g, b] = phong.diffuse.map(|v| v.clamp(0.0, 1.0));
    let strength = phong.specular.iter().fold(0.0_f32, |m, v| m.max(*v)).clamp(0.0, 1.0);
    let tint = phong.specular.map(|v| if strength > 0.0 { (v / strength).clamp(0.0, 1.0) } else { 1.0 });
    let plain = strength == 1.0 && tint == [1.0; 3];
    let roughness = match phong.shininess {
        Some(n) => (2.0 / (f64::from(n.max(0.0)) + 2.0)).sqrt() as f32,
        None if strength > 0.0 => 0.5,
        None => 1.0,
    };
    Pbr {
        base_color: [r, g, b, phong.opacity.clamp(0.0, 1.0)],
        metallic: 0.0,
        roughness,
        base_color_texture: phong.diffuse_texture.clone(),
        metallic_roughness_texture: None,
        specular: (!plain).then_some(Specular {
            factor: strength,
            color: tint,
            texture: None,
            color_texture: None,
        }),
    }
}

/// The Phong block that looks most like a metallic-roughness block.
///
/// | from metallic-roughness | to Phong |
/// |---|---|
/// | base colour, metallic `m`, roughness `r` | diffuse = base colour · (1 − m · (1 − r)): a rough metal reflects as broadly as a matte surface does, a smooth one only in its highlight |
/// | | specular = 0.04 · (1 − m) · strength · tint + base colour · m |
/// | roughness | shininess = 2 ÷ r² − 2, with r at least 0.01 |
/// | alpha | opacity; 1 if the alpha mode ignores it |
/// | | ambient = white |
/// | base colour texture | diffuse texture |
pub fn phong_from_pbr(pbr: &Pbr, alpha: AlphaMode) -> Phong {
    let [r, g, b, a] = pbr.base_color;
    let base = [r, g, b];
    let (metallic, roughness) = (pbr.metallic, pbr.roughness.clamp(0.01, 1.0));
    let (strength, tint) = pbr.specular.as_ref().map_or((1.0, [1.0; 3]), |s| (s.factor, s.color));
    let specular = |i: usize| 0.04 * strength * tint[i] * (1.0 - metallic) + base[i] * metallic;
    Phong {
        ambient: [1.0; 3],
        diffuse: base.map(|v| v * (1.0 - metallic * (1.0 - roughness))),
        specular: [specular(0), specular(1), specular(2)],
        shininess: Some((2.0 / (f64::from(roughness) * f64::from(roughness)) - 2.0).max(0.0) as f32),
        opacity: if alpha == AlphaMode::Opaque { 1.0 } else { a },
        diffuse_texture: pbr.base_color_texture.clone(),
        ..Phong::default()
    }
}
