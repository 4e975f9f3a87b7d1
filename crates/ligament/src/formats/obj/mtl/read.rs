//! Bytes to materials.

use super::keywords::{Color, Slot, Value};
use super::{Map, Material};
use crate::formats::ReadOptions;
use crate::formats::obj::codes;
use crate::formats::obj::color::finite;
use crate::formats::obj::read::NUMBERS;
use crate::io::{Content, Folder, safe_relative};
use crate::report::{Code, Diagnostic, Report, Severity};
use crate::text::{Field, FieldsOf, TextLine, TextReader, parse_f32};
use std::borrow::Cow;

/// Reads a library. Errors go to `report`, which is about the library's file. A bad value counts as absent: no material
/// is worth refusing a model for.
///
/// `folder` is where images are looked up; without it they are not looked up.
pub(in crate::formats::obj) fn read(
    bytes: &[u8],
    options: &ReadOptions,
    folder: Option<&dyn Folder>,
    report: &mut Report,
) -> Vec<Material> {
    let content = Content::Memory(Cow::Borrowed(bytes));
    let Ok(text) = TextReader::new(&content, &options.limits, report) else { return Vec::new() };
    let mut reader = Reader { text, folder, lenient: options.lenient, materials: Vec::new(), faults: 0 };
    // Reading from memory cannot fail.
    let _ = reader.text.skip_mark();
    while let Ok(Some(line)) = reader.text.line() {
        reader.line(&line);
        if reader.faults > options.limits.max_diagnostics {
            break;
        }
    }
    reader.text.flush_tallies();
    reader.materials
}

struct Reader<'a, 'r> {
    text: TextReader<'a, 'r>,
    folder: Option<&'r dyn Folder>,
    lenient: bool,
    materials: Vec<Material>,
    faults: usize,
}

impl Reader<'_, '_> {
    fn line(&mut self, line: &TextLine<'_>) {
        let mut fields = line.fields();
        let Some(keyword) = fields.next() else { return };
        let word = keyword.text();
        if word.starts_with(b"#") {
            return;
        }
        if word.eq_ignore_ascii_case(b"newmtl") {
            return self.begin(fields.rest(), keyword);
        }
        if word.eq_ignore_ascii_case(b"mtllib") || word.eq_ignore_ascii_case(b"call") {
            let message = format!("a library cannot include another; {} is ignored", line.trimmed().raw());
            return self.warn_once(&codes::MTL_INCLUDE, "", keyword, message);
        }
        let (color, value, slot) = (Color::by_word(word), Value::by_word(word), Slot::by_word(word));
        let is_transparency = word.eq_ignore_ascii_case(b"Tr");
        if color.is_none() && value.is_none() && slot.is_none() && !is_transparency {
            let name = keyword.raw().to_string();
            let message = format!("unknown keyword {name}; the line has no effect");
            return self.warn_once(&codes::MTL_UNKNOWN, &name, keyword, message);
        }
        if self.materials.is_empty() {
            let message = "the line has no effect, because it is before the first `newmtl`";
            return self.warn_once(&codes::MTL_OUTSIDE, "", keyword, message);
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

    fn warn_once(&mut self, code: &'static Code, key: &str, field: Field<'_>, message: impl Into<String>) {
        self.text.tally(Severity::Warning, code, key, field.spot(), || message.into());
    }

    fn begin(&mut self, name: Field<'_>, keyword: Field<'_>) {
        if name.is_empty() {
            let message = "the material has no name, so nothing can use it";
            self.warn_once(&codes::NO_NAME, "newmtl", keyword, message);
        }
        self.materials.push(Material::named(name.text()));
    }

    fn number(&mut self, field: Field<'_>) -> Option<f32> {
        let read = field.number(&NUMBERS).map_err(|fault| {
            self.faults += 1;
            let message = format!("{}; the line has no effect", fault.message);
            self.text.warning(fault.code, fault.spot, message);
        });
        read.ok()
    }

    fn missing(&mut self, fields: FieldsOf<'_>, what: &str) {
        self.faults += 1;
        let message = format!("{what} is missing; the line has no effect");
        self.text.warning(&codes::MISSING, fields.end().spot(), message);
    }

    fn color(&mut self, color: Color, mut fields: FieldsOf<'_>) {
        let mut first = fields.next();
        let word = first.map(Field::text).unwrap_or_default();
        let is_xyz = word.eq_ignore_ascii_case(b"xyz");
        if word.eq_ignore_ascii_case(b"spectral") {
            let message =
                "spectral curves are in separate files, which are not read; the colour has no effect";
            return self.warn_once(&codes::MTL_SPECTRAL, "", first.unwrap_or(fields.end()), message);
        }
        if is_xyz {
            first = fields.next();
        }
        let Some(first) = first else { return self.missing(fields, "the colour's first value") };
        let Some(red) = self.number(first) else { return };
        let mut values = [red; 3];
        // One value stands for all three.
        for value in &mut values[1..] {
            let Some(field) = fields.next().filter(|field| !field.text().starts_with(b"#")) else { break };
            let Some(read) = self.number(field) else { return };
            *value = read;
        }
        let values = if is_xyz { rgb_from_xyz(values) } else { values };
        if let Some(material) = self.materials.last_mut() {
            material.colors[color as usize] = Some(values);
        }
    }

    fn value(&mut self, value: Value, mut fields: FieldsOf<'_>) {
        let mut field = fields.next();
        if value == Value::Opacity && field.is_some_and(|f| f.text() == b"-halo") {
            let message = "the opacity depends on the angle (`-halo`), which a scene cannot hold; it is read as constant";
            self.warn_once(&codes::MTL_OPTION, "-halo", field.unwrap_or(fields.end()), message);
            field = fields.next();
        }
        let Some(field) = field else { return self.missing(fields, "the value") };
        let read = self.number(field);
        if let (Some(read), Some(material)) = (read, self.materials.last_mut()) {
            material.values[value as usize] = Some(read);
        }
    }

    /// Reads `Tr`, which is one minus `d`. If both are present, `d` counts.
    fn transparency(&mut self, mut fields: FieldsOf<'_>) {
        let Some(field) = fields.next() else { return self.missing(fields, "the value") };
        let read = self.number(field);
        if let (Some(read), Some(material)) = (read, self.materials.last_mut()) {
            material.values[Value::Opacity as usize].get_or_insert(1.0 - read);
        }
    }

    fn map(&mut self, slot: Slot, mut fields: FieldsOf<'_>) {
        let mut map = Map::default();
        let file = loop {
            let rest = fields.rest();
            let Some(option) = fields.next().filter(|f| f.text().starts_with(b"-")) else {
                if rest.is_empty() {
                    return self.missing(fields, "the image's file");
                }
                break rest;
            };
            if !option_of(option, &mut fields, &mut map) {
                // A file whose name begins with a minus sign.
                break rest;
            }
        };
        map.file = file.raw();
        map.path = self.image(file);
        if let Some(material) = self.materials.last_mut() {
            material.set_map(slot, map);
        }
    }

    /// An image's path in the model's folder. If the path leads out of the folder, a file of the same name in it is
    /// used, if there is one: many libraries contain paths on their author's disk.
    fn image(&mut self, file: Field<'_>) -> Option<String> {
        let name = file.raw();
        let there = |path: &str| self.folder.is_none_or(|folder| folder.contains(path));
        let text = name.to_text();
        let refusal = match safe_relative(&text) {
            Ok(path) => {
                if !there(&path) {
                    let message = format!("the texture {name} is not in the model's folder");
                    self.warn_once(&codes::TEXTURE_MISSING, &path, file, message);
                }
                return Some(path);
            }
            Err(refusal) => refusal,
        };
        let last = text.rsplit(['/', '\\']).next().and_then(|last| safe_relative(last).ok());
        if let Some(last) = last.filter(|last| self.folder.is_some() && there(last)) {
            let message = format!("texture {name}: {refusal}; {last:?} beside the model is used");
            self.text.warning(&codes::TEXTURE_PATH, file.spot(), message);
            return Some(last);
        }
        if self.lenient {
            let message = format!("texture {name}: {refusal}; it is left out");
            self.text.warning(&codes::TEXTURE_PATH, file.spot(), message);
        } else {
            self.faults += 1;
            let message = format!("texture {name}: {refusal}");
            let help = "put the image beside the model, or use --lenient to leave it out";
            let place = file.spot().into();
            let error = Diagnostic::new(Severity::Error, &codes::TEXTURE_PATH, place, message);
            self.text.report.push(error.help(help));
        }
        None
    }
}

/// Reads an option's values; returns false if it is not an option.
fn option_of(option: Field<'_>, fields: &mut FieldsOf<'_>, map: &mut Map) -> bool {
    match &*option.text().to_ascii_lowercase() {
        b"-o" => map.offset = up_to_three(fields, [0.0; 3]),
        b"-s" => map.scale = up_to_three(fields, [1.0; 3]),
        b"-t" => {
            let turbulence = up_to_three(fields, [0.0; 3]);
            map.others += u32::from(turbulence != [0.0; 3]);
        }
        b"-bm" => map.bump = optional(fields).unwrap_or(1.0),
        b"-clamp" => map.clamp = word(fields) == b"on",
        b"-imfchan" => map.channel = word(fields).first().map(u8::to_ascii_lowercase),
        b"-blendu" | b"-blendv" => map.others += u32::from(word(fields) == b"off"),
        b"-cc" => map.others += u32::from(word(fields) == b"on"),
        b"-mm" => {
            let range = [optional(fields), optional(fields)];
            map.others += u32::from(range != [Some(0.0), Some(1.0)]);
        }
        b"-boost" | b"-texres" => {
            map.others += u32::from(optional(fields).is_some());
        }
        b"-type" | b"-colorspace" => {
            word(fields);
            map.others += 1;
        }
        _ => return false,
    }
    true
}

fn word<'l>(fields: &mut FieldsOf<'l>) -> &'l [u8] {
    fields.next().map(Field::text).unwrap_or_default()
}

/// The next field if it is a number.
fn optional(fields: &mut FieldsOf<'_>) -> Option<f32> {
    let mut ahead = *fields;
    let value = parse_f32(ahead.next()?.text()).ok()?;
    // The last field is the file name, which may also be a number.
    if ahead.rest().is_empty() {
        return None;
    }
    *fields = ahead;
    Some(value)
}

fn up_to_three(fields: &mut FieldsOf<'_>, mut values: [f32; 3]) -> [f32; 3] {
    for value in &mut values {
        let Some(read) = optional(fields) else { break };
        *value = read;
    }
    values
}

/// Converts CIE XYZ to linear sRGB.
fn rgb_from_xyz([x, y, z]: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = [x, y, z].map(f64::from);
    [
        3.240_454_2 * x - 1.537_138_5 * y - 0.498_531_4 * z,
        -0.969_266 * x + 1.876_010_8 * y + 0.041_556 * z,
        0.055_643_4 * x - 0.204_025_9 * y + 1.057_225_2 * z,
    ]
    .map(finite)
}
