//! MTL: the material library beside an OBJ.
//!
//! ```text
//! material = "newmtl" NAME line*
//! line     = ("Ka" | "Kd" | "Ks" | "Ke" | "Tf") color
//!          | ("Ns" | "Ni" | "Tr" | "sharpness" | "illum") number
//!          | "d" ["-halo"] number
//!          | ("Pr" | "Pm" | "Ps" | "Pc" | "Pcr" | "aniso" | "anisor") number
//!          | map option* FILE
//! color    = r [g b] | "xyz" x [y z] | "spectral" FILE [factor]
//! map      = "map_Ka" | "map_Kd" | "map_Ks" | "map_Ke" | "map_Ns" | "map_d" | "map_bump" | "bump" | "norm" | "disp"
//!          | "decal" | "refl" | "map_Pr" | "map_Pm" | "map_Ps" | "map_RMA" | "map_ORM"
//! option   = "-o" u [v [w]] | "-s" u [v [w]] | "-t" u [v [w]] | "-mm" base gain | "-bm" factor | "-boost" n | "-texres" n
//!          | ("-blendu" | "-blendv" | "-clamp" | "-cc") ("on" | "off") | "-imfchan" c | "-type" t | "-colorspace" c
//! ```
//!
//! Keywords are case-insensitive, since exporters disagree on their case.

mod keywords;
mod read;
mod write;

pub(super) use keywords::{Color, Slot, Value};
pub(super) use read::read;
pub(super) use write::write;

use crate::text::RawText;

/// A `mtllib` line's file and its content.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Library {
    /// The file name as written in the OBJ.
    pub name: RawText,
    /// Its path in the model's folder; `None` if the file does not exist.
    pub path: Option<String>,
    /// Its materials.
    pub materials: Vec<Material>,
}

/// A material of a library.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Material {
    /// `newmtl`.
    pub name: RawText,
    /// Colours, indexed by [`Color`].
    pub(super) colors: [Option<[f32; 3]>; Color::ALL.len()],
    /// Single values, indexed by [`Value`].
    pub(super) values: [Option<f32>; Value::ALL.len()],
    /// Textures; of two for the same slot, the last.
    pub(super) maps: Vec<(Slot, Map)>,
}

impl Material {
    /// A material without any lines.
    pub(super) fn named(name: impl Into<RawText>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    pub(super) fn color(&self, color: Color) -> Option<[f32; 3]> {
        self.colors[color as usize]
    }

    pub(super) fn value(&self, value: Value) -> Option<f32> {
        self.values[value as usize]
    }

    pub(super) fn map(&self, slot: Slot) -> Option<&Map> {
        self.maps.iter().find(|(s, _)| *s == slot).map(|(_, map)| map)
    }

    pub(super) fn set_map(&mut self, slot: Slot, map: Map) {
        self.maps.retain(|(s, _)| *s != slot);
        self.maps.push((slot, map));
    }

    /// Whether it has a line of the metallic-roughness extension.
    pub(super) fn is_pbr(&self) -> bool {
        let values = [Value::Roughness, Value::Metallic];
        let slots = [Slot::Roughness, Slot::Metallic, Slot::RoughMetal, Slot::OcclusionRoughMetal];
        values.iter().any(|v| self.value(*v).is_some()) || slots.iter().any(|s| self.map(*s).is_some())
    }
}

/// A texture as used by a material.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// The image file as named in the library.
    pub file: RawText,
    /// The file in the model's folder; `None` if the name leads out of it.
    pub path: Option<String>,
    /// `-o`: offset of the texture.
    pub offset: [f32; 3],
    /// `-s`: scale of the texture.
    pub scale: [f32; 3],
    /// `-clamp`: whether the texture is clamped at its border.
    pub clamp: bool,
    /// `-bm`: strength of a bump map.
    pub bump: f32,
    /// `-imfchan`: the image channel to use.
    pub channel: Option<u8>,
    /// The number of options that a scene cannot represent.
    pub others: u32,
}

impl Default for Map {
    fn default() -> Self {
        Self {
            file: RawText::default(),
            path: None,
            offset: [0.0; 3],
            scale: [1.0; 3],
            clamp: false,
            bump: 1.0,
            channel: None,
            others: 0,
        }
    }
}
