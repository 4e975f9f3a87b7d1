//! Materials to bytes.

use super::keywords::{Color, Value};
use super::{Map, Material};
use crate::formats::obj::write::Writer;
use crate::settings::Precision;
use crate::text::TextWriter;
use std::io;

/// Writes a library. Numbers have as many digits as needed to read back the same value.
pub(in crate::formats::obj) fn write(materials: &[Material], sink: &mut dyn io::Write) -> io::Result<()> {
    let mut writer = Writer { out: TextWriter::new(sink), precision: Precision::Full };
    for (i, material) in materials.iter().enumerate() {
        if i > 0 {
            writer.out.end_line();
        }
        writer.name(b"newmtl ", material.name.as_bytes());
        for color in Color::ALL {
            if let Some(values) = material.color(color) {
                writer.row(color.word().as_bytes(), &values);
            }
        }
        for value in Value::ALL {
            if let Some(number) = material.value(value) {
                writer.row(value.word().as_bytes(), &[number]);
            }
        }
        for (slot, map) in &material.maps {
            writer.out.text(slot.word().as_bytes());
            options(&mut writer, map);
            writer.name(b" ", map.file.as_bytes());
        }
    }
    writer.out.finish()
}

fn options(writer: &mut Writer<'_>, map: &Map) {
    if map.offset != [0.0; 3] {
        writer.out.text(b" -o");
        writer.numbers(&map.offset);
    }
    if map.scale != [1.0; 3] {
        writer.out.text(b" -s");
        writer.numbers(&map.scale);
    }
    if map.bump != 1.0 {
        writer.out.text(b" -bm");
        writer.numbers(&[map.bump]);
    }
    if map.clamp {
        writer.out.text(b" -clamp on");
    }
    if let Some(channel) = map.channel {
        writer.out.text(b" -imfchan ");
        writer.out.text(&[channel]);
    }
}
