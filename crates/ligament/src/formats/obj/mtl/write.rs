//! Materials to bytes.

use super::Material;
use super::keywords::{Color, Value};
use crate::formats::obj::write::Writer;
use crate::settings::Precision;
use crate::text::TextWriter;
use std::io;

/// Writes a library. Numbers have as many digits as needed to read back the same value.
pub(in crate::formats::obj) fn write(materials: &[Material], sink: &mut dyn io::Write) -> io::Result<()> {
    let mut writer = Writer { out: TextWriter::new(sink), precision: Precision::Full };
    for (i, material) in materials.iter().enumerate() {
        if i > 0 {
            writer.line("");
        }
        writer.line(("newmtl ", &material.name));
        for color in Color::ALL {
            if let Some(values) = material.color(color) {
                writer.line((color.word(), &values[..]));
            }
        }
        for value in Value::ALL {
            if let Some(number) = material.value(value) {
                writer.line((value.word(), " ", number));
            }
        }
        for (slot, map) in &material.maps {
            let offset = (map.offset != [0.0; 3]).then_some((" -o", &map.offset[..]));
            let scale = (map.scale != [1.0; 3]).then_some((" -s", &map.scale[..]));
            let bump = (map.bump != 1.0).then_some((" -bm ", map.bump));
            let clamp = map.clamp.then_some(" -clamp on");
            writer.put((slot.word(), offset, scale, bump, clamp));
            if let Some(channel) = map.channel {
                writer.put(" -imfchan ");
                writer.out.text(&[channel]);
            }
            writer.line((" ", &map.file));
        }
    }
    writer.out.finish()
}
