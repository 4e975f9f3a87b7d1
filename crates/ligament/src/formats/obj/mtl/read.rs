//! Bytes to materials.

use super::keywords::{Color, Slot, Value, find};
use super::{Map, Material};
use crate::formats::ReadOptions;
use crate::formats::obj::codes;
use crate::formats::obj::color::finite;
use crate::formats::obj::read::{Tallies, number_or};
use crate::io::{Folder, safe_relative};
use crate::report::{Diagnostic, Report, Severity};
use crate::text::{Fields, Lines, RawText, next_line};
use std::ops::Range;

/// Reads a library. Says what is wrong in `report`, which is about the library's file; a bad value counts as not there: no
/// material is worth refusing a model for.
///
/// `folder` is where images are looked for; without it nobody looks.
pub(in crate::formats::obj) fn read(
    bytes: &[u8],
    options: &ReadOptions,
    folder: Option<&dyn Folder>,
    report: &mut Report,
) -> Vec<Material> {
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut reader = Reader {
        bytes,
        lines: Lines::new(bytes),
        report,
        folder,
        lenient: options.lenient,
        materials: Vec::new(),
        tallies: Tallies::default(),
        faults: 0,
    };
    let mut at = start;
    while let Some(line) = next_line(bytes, at) {
        at = line.next;
        reader.line(line.start, line.end);
        if reader.faults > options.limits.max_diagnostics {
            break;
        }
    }
    reader.tallies.flush(reader.report);
    reader.materials
}

struct Reader<'a, 'r> {
    bytes: &'a [u8],
    lines: Lines<'a>,
    report: &'r mut Report,
    folder: Option<&'r dyn Folder>,
    lenient: bool,
    materials: Vec<Material>,
    tallies: Tallies,
    faults: usize,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, start: usize, end: usize) {
        let mut fields = Fields::new(self.bytes, start, end);
        let Some(keyword) = fields.next() else { return };
        let word = &self.bytes[keyword.clone()];
        if word.starts_with(b"#") {
            return;
        }
        if word.eq_ignore_ascii_case(b"newmtl") {
            return self.begin(fields.rest(), keyword);
        }
        if word.eq_ignore_ascii_case(b"mtllib") || word.eq_ignore_ascii_case(b"call") {
            let message = format!("a library includes nothing; {} is not followed", self.text(start..end));
            return self.tally(Severity::Warning, &codes::MTL_INCLUDE, "", keyword, message);
        }
        let (color, value, slot) =
            (find(&Color::WORDS, word), find(&Value::WORDS, word), find(&Slot::WORDS, word));
        let is_transparency = word.eq_ignore_ascii_case(b"Tr");
        if color.is_none() && value.is_none() && slot.is_none() && !is_transparency {
            let name = self.text(keyword.clone());
            let message = format!("nothing is known of {name}, which has no effect");
            let key = name.to_string();
            return self.tally(Severity::Warning, &codes::MTL_UNKNOWN, &key, keyword, message);
        }
        if self.materials.is_empty() {
            let message = "the first material begins with `newmtl`; what stands before it has no effect";
            return self.tally(Severity::Warning, &codes::MTL_OUTSIDE, "", keyword, message);
        }
        if let Some(color) = color {
            self.color(color, fields);
        } else if let Some(value) = value {
            self.value(value, fields);
        } else if let Some(slot) = slot {
            self.map(slot, fields);
        } else {
            self.transparency(fields);
        }
    }

    fn text(&self, span: Range<usize>) -> RawText {
        RawText::from(&self.bytes[span])
    }

    fn tally(
        &mut self,
        severity: Severity,
        code: &'static crate::report::Code,
        what: &str,
        span: Range<usize>,
        message: impl Into<String>,
    ) {
        let lines = &self.lines;
        self.tallies.add(severity, code, what, || (lines.place(span), message.into()));
    }

    fn begin(&mut self, name: Range<usize>, keyword: Range<usize>) {
        if name.is_empty() {
            let message = "the material has no name, so that nothing can use it";
            self.tally(Severity::Warning, &codes::NO_NAME, "newmtl", keyword, message);
        }
        let name = self.text(name);
        self.materials.push(Material::named(name.as_bytes()));
    }

    fn number(&mut self, field: Range<usize>) -> Option<f32> {
        let lines = &self.lines;
        let read = number_or(&self.bytes[field.clone()], |code, message| {
            self.report.warning(code, lines.place(field), format!("{message}; the line has no effect"));
        });
        self.faults += usize::from(read.is_none());
        read
    }

    fn missing(&mut self, fields: &Fields<'a>, what: &str) {
        let end = fields.end();
        self.faults += 1;
        let message = format!("{what} is missing; the line has no effect");
        self.report.warning(&codes::MISSING, self.lines.place(end..end), message);
    }

    fn color(&mut self, color: Color, mut fields: Fields<'a>) {
        let mut first = fields.next();
        let word = first.clone().map(|f| &self.bytes[f]).unwrap_or_default();
        let is_xyz = word.eq_ignore_ascii_case(b"xyz");
        if word.eq_ignore_ascii_case(b"spectral") {
            let message =
                "spectral curves are files of their own, which are not read; the colour has no effect";
            let span = first.unwrap_or_default();
            return self.tally(Severity::Warning, &codes::MTL_SPECTRAL, "", span, message);
        }
        if is_xyz {
            first = fields.next();
        }
        let Some(first) = first else { return self.missing(&fields, "the colour's first value") };
        let Some(red) = self.number(first) else { return };
        let mut values = [red; 3];
        // One value stands for all three.
        for value in &mut values[1..] {
            let Some(field) = self.next_value(&mut fields) else { break };
            let Some(read) = self.number(field) else { return };
            *value = read;
        }
        let values = if is_xyz { rgb_from_xyz(values) } else { values };
        if let Some(material) = self.materials.last_mut() {
            material.colors[color as usize] = Some(values);
        }
    }

    /// The next field, but for a comment.
    fn next_value(&self, fields: &mut Fields<'a>) -> Option<Range<usize>> {
        fields.next().filter(|field| !self.bytes[field.clone()].starts_with(b"#"))
    }

    fn value(&mut self, value: Value, mut fields: Fields<'a>) {
        let mut field = fields.next();
        if value == Value::Opacity && field.clone().is_some_and(|f| &self.bytes[f] == b"-halo") {
            let message = "the opacity depends on the angle (`-halo`), which a scene cannot hold; it is the same everywhere";
            self.tally(Severity::Warning, &codes::MTL_OPTION, "-halo", field.unwrap_or_default(), message);
            field = fields.next();
        }
        let Some(field) = field else { return self.missing(&fields, "the value") };
        let read = self.number(field);
        if let (Some(read), Some(material)) = (read, self.materials.last_mut()) {
            material.values[value as usize] = Some(read);
        }
    }

    /// `Tr` is one minus `d`, which counts where both are there.
    fn transparency(&mut self, mut fields: Fields<'a>) {
        let Some(field) = fields.next() else { return self.missing(&fields, "the value") };
        let read = self.number(field);
        if let (Some(read), Some(material)) = (read, self.materials.last_mut()) {
            material.values[Value::Opacity as usize].get_or_insert(1.0 - read);
        }
    }

    fn map(&mut self, slot: Slot, mut fields: Fields<'a>) {
        let mut map = Map::default();
        let file = loop {
            let rest = fields.rest();
            let Some(option) = fields.next().filter(|f| self.bytes[f.clone()].starts_with(b"-")) else {
                if rest.is_empty() {
                    return self.missing(&fields, "the image's file");
                }
                break rest;
            };
            if !self.option(option, &mut fields, &mut map) {
                // A file whose name begins with a minus sign.
                break rest;
            }
        };
        map.file = self.text(file.clone());
        map.path = self.image(&map.file, file);
        if let Some(material) = self.materials.last_mut() {
            material.set_map(slot, map);
        }
    }

    /// An image's path in the model's folder. A path that leads out of it stands for the file of the same name in it, if
    /// there is one: many libraries name files of their author's disk.
    fn image(&mut self, name: &RawText, span: Range<usize>) -> Option<String> {
        let there = |path: &str| self.folder.is_none_or(|folder| folder.contains(path));
        let text = name.to_text();
        let refusal = match safe_relative(&text) {
            Ok(path) => {
                if !there(&path) {
                    let message = format!("the texture {name} is not in the model's folder");
                    self.tally(Severity::Warning, &codes::TEXTURE_MISSING, &path, span, message);
                }
                return Some(path);
            }
            Err(refusal) => refusal,
        };
        let place = self.lines.place(span);
        let last = text.rsplit(['/', '\\']).next().and_then(|last| safe_relative(last).ok());
        if let Some(last) = last.filter(|last| self.folder.is_some() && there(last)) {
            let message = format!("texture {name}: {refusal}; {last:?} beside the model is used");
            self.report.warning(&codes::TEXTURE_PATH, place, message);
            return Some(last);
        }
        if self.lenient {
            let message = format!("texture {name}: {refusal}; it is left out");
            self.report.warning(&codes::TEXTURE_PATH, place, message);
        } else {
            self.faults += 1;
            let message = format!("texture {name}: {refusal}");
            let help = "put the image beside the model, or use --lenient to leave it out";
            self.report
                .push(Diagnostic::new(Severity::Error, &codes::TEXTURE_PATH, place, message).help(help));
        }
        None
    }

    /// Reads an option's values; false if it is none.
    fn option(&mut self, option: Range<usize>, fields: &mut Fields<'a>, map: &mut Map) -> bool {
        let word = self.bytes[option].to_ascii_lowercase();
        match &*word {
            b"-o" => map.offset = self.up_to_three(fields, [0.0; 3]),
            b"-s" => map.scale = self.up_to_three(fields, [1.0; 3]),
            b"-t" => {
                let turbulence = self.up_to_three(fields, [0.0; 3]);
                map.others += u32::from(turbulence != [0.0; 3]);
            }
            b"-bm" => map.bump = self.optional(fields).unwrap_or(1.0),
            b"-clamp" => map.clamp = self.word(fields) == b"on",
            b"-imfchan" => map.channel = self.word(fields).first().map(u8::to_ascii_lowercase),
            b"-blendu" | b"-blendv" => map.others += u32::from(self.word(fields) == b"off"),
            b"-cc" => map.others += u32::from(self.word(fields) == b"on"),
            b"-mm" => {
                let range = [self.optional(fields), self.optional(fields)];
                map.others += u32::from(range != [Some(0.0), Some(1.0)]);
            }
            b"-boost" | b"-texres" => {
                map.others += u32::from(self.optional(fields).is_some());
            }
            b"-type" | b"-colorspace" => {
                self.word(fields);
                map.others += 1;
            }
            _ => return false,
        }
        true
    }

    fn word(&self, fields: &mut Fields<'a>) -> &'a [u8] {
        fields.next().map(|f| &self.bytes[f]).unwrap_or_default()
    }

    /// The next field if it is a number.
    fn optional(&self, fields: &mut Fields<'a>) -> Option<f32> {
        let mut ahead = fields.clone();
        let value = crate::text::parse_f32(&self.bytes[ahead.next()?]).ok()?;
        // What is left is the file's name, which may be a number too.
        ahead.clone().next()?;
        *fields = ahead;
        Some(value)
    }

    fn up_to_three(&self, fields: &mut Fields<'a>, mut values: [f32; 3]) -> [f32; 3] {
        for value in &mut values {
            let Some(read) = self.optional(fields) else { break };
            *value = read;
        }
        values
    }
}

/// CIE XYZ to linear sRGB.
fn rgb_from_xyz([x, y, z]: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = [x, y, z].map(f64::from);
    [
        3.240_454_2 * x - 1.537_138_5 * y - 0.498_531_4 * z,
        -0.969_266 * x + 1.876_010_8 * y + 0.041_556 * z,
        0.055_643_4 * x - 0.204_025_9 * y + 1.057_225_2 * z,
    ]
    .map(finite)
}
