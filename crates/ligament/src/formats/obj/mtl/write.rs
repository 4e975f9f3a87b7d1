//! Materials to bytes.

use super::keywords::{Color, Value};
use super::{Map, Material};
use crate::text::TextWriter;
use std::io;

/// Writes a library. Numbers have as many digits as needed to read back the same value.
pub(in crate::formats::obj) fn write(materials: &[Material], sink: &mut dyn io::Write) -> io::Result<()> {
    let mut out = TextWriter::new(sink);
    for (i, material) in materials.iter().enumerate() {
        if i > 0 {
            out.end_line();
        }
        out.text(b"newmtl ");
        out.text(material.name.as_bytes());
        out.end_line();
        for color in Color::ALL {
            if let Some(values) = material.color(color) {
                line(&mut out, color.word(), &values);
            }
        }
        for value in Value::ALL {
            if let Some(number) = material.value(value) {
                line(&mut out, value.word(), &[number]);
            }
        }
        for (slot, map) in &material.maps {
            out.text(slot.word().as_bytes());
            options(&mut out, map);
            out.text(b" ");
            out.text(map.file.as_bytes());
            out.end_line();
        }
    }
    out.finish()
}

fn line(out: &mut TextWriter<'_>, word: &str, values: &[f32]) {
    out.text(word.as_bytes());
    numbers(out, values);
    out.end_line();
}

fn numbers(out: &mut TextWriter<'_>, values: &[f32]) {
    for &value in values {
        out.text(b" ");
        out.shortest(value);
    }
}

fn options(out: &mut TextWriter<'_>, map: &Map) {
    if map.offset != [0.0; 3] {
        out.text(b" -o");
        numbers(out, &map.offset);
    }
    if map.scale != [1.0; 3] {
        out.text(b" -s");
        numbers(out, &map.scale);
    }
    if map.bump != 1.0 {
        out.text(b" -bm");
        numbers(out, &[map.bump]);
    }
    if map.clamp {
        out.text(b" -clamp on");
    }
    if let Some(channel) = map.channel {
        out.text(b" -imfchan ");
        out.text(&[channel]);
    }
}
