//! Reads any line, with all error checks. A bad value is reported with its place and read as zero, so that the rest of
//! the file is checked too.

use super::usual::Taker;
use super::{NUMBERS, Reader};
use crate::formats::obj::codes;
use crate::formats::obj::document::Run;
use crate::report::{Failure, Severity};
use crate::text::{Field, FieldsOf, RawText, TextLine, parse_f32};
use std::collections::HashMap;

/// Keywords of curves and surfaces.
const FREE_FORM: &str = "cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con bsp bzp cdc \
                         cdp res ctech stech vp";
/// Display keywords, and others without effect.
const DISPLAY: &str = "bevel c_interp d_interp lod shadow_obj trace_obj mg maplib usemap version deform";

/// The number before a tail such as `+e2`, which is not an exponent. Other programs also read up to there.
fn before_tail(field: &[u8]) -> Option<f32> {
    let sign = field.iter().skip(1).position(|b| matches!(b, b'+' | b'-'))? + 1;
    let (number, tail) = field.split_at(sign);
    let is_tail = matches!(tail, [_, b'e' | b'E', digits @ ..] if digits.iter().all(u8::is_ascii_digit));
    is_tail.then(|| parse_f32(number).ok()).flatten()
}

impl Reader<'_, '_> {
    pub(super) fn line(&mut self, line: &TextLine<'_>) -> Result<(), Failure> {
        let line = line.whole();
        let mut fields = line.fields();
        let Some(keyword) = fields.next() else { return Ok(()) };
        match keyword.text() {
            [b'#', ..] => {}
            b"v" => self.position(line, fields)?,
            b"vt" => self.uv(fields)?,
            b"vn" => {
                let normal = self.numbers::<3>(&mut fields, 3, "a normal")?.0;
                self.built.model.normals.push(normal);
            }
            b"f" | b"fo" => self.face(line, fields)?,
            b"l" => self.polyline(line, fields)?,
            b"p" => self.points(line, fields)?,
            b"o" => self.object(fields.rest()),
            b"g" => self.group(line, fields),
            b"s" => self.smoothing(fields),
            b"usemtl" => self.use_material(fields.rest(), keyword),
            b"mtllib" => self.library(fields, keyword)?,
            _ => self.other(keyword)?,
        }
        Ok(())
    }

    fn other(&mut self, keyword: Field<'_>) -> Result<(), Failure> {
        let (word, name) = (keyword.text(), keyword.raw().to_string());
        let is_in = |words: &str| words.split(' ').any(|w| w.as_bytes() == word);
        let (severity, code, message) = if is_in(FREE_FORM) {
            let left_out = &mut self.built.model.left_out;
            match word {
                b"vp" => left_out.parameters += 1,
                b"curv" | b"curv2" | b"surf" | b"trim" | b"hole" | b"scrv" | b"cdc" | b"cdp" | b"bsp"
                | b"bzp" => left_out.free_form += 1,
                _ => {}
            }
            let message = format!("{name} belongs to curves and surfaces, which are not read");
            (Severity::Warning, &codes::FREE_FORM, message)
        } else if is_in(DISPLAY) {
            (Severity::Note, &codes::DISPLAY, format!("{name} has no effect"))
        } else if is_in("call csh") {
            (Severity::Warning, &codes::CALL, format!("{name} lines are never executed"))
        } else if word.contains(&0) {
            let message = "the file contains zero bytes, so it is not text";
            return Err(self.text.fatal(&codes::NOT_TEXT, keyword.spot(), message));
        } else {
            let message = format!("unknown keyword {name}; the line has no effect");
            (Severity::Warning, &codes::UNKNOWN_LINE, message)
        };
        self.text.tally(severity, code, &name, keyword.spot(), || message);
        Ok(())
    }

    fn number(&mut self, field: Field<'_>) -> Result<f32, Failure> {
        let fault = match field.number(&NUMBERS) {
            Ok(value) => return Ok(value),
            Err(fault) => fault,
        };
        if let Some(value) = before_tail(field.text()) {
            let message = || format!("{} is read as {value}: the rest is not an exponent", field.raw());
            self.text.tally(Severity::Warning, &codes::TAIL, "", field.spot(), message);
            return Ok(value);
        }
        self.error(fault.code, fault.spot, fault.message)?;
        Ok(0.0)
    }

    /// Reads up to `N` numbers, at least `least`, and returns how many there were. A comment ends them; further values
    /// are reported and left out.
    fn numbers<const N: usize>(
        &mut self,
        fields: &mut FieldsOf<'_>,
        least: usize,
        what: &'static str,
    ) -> Result<([f32; N], usize), Failure> {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            match fields.next().filter(|&field| !is_comment(field)) {
                Some(field) => *value = self.number(field)?,
                None if i >= least => return Ok((values, i)),
                None => {
                    let message = format!("{what} needs {least} numbers, found {i}");
                    self.error(&codes::MISSING, fields.end().spot(), message)?;
                    return Ok((values, i));
                }
            }
        }
        let rest = fields.rest();
        if !rest.is_empty() && !is_comment(rest) {
            let message = || format!("{what} has at most {N} numbers; {} is left out", rest.raw());
            self.text.tally(Severity::Warning, &codes::EXTRA, what, rest.spot(), message);
        }
        Ok((values, N))
    }

    fn position(&mut self, line: Field<'_>, mut fields: FieldsOf<'_>) -> Result<(), Failure> {
        let (values, count) = self.numbers::<7>(&mut fields, 3, "a position")?;
        let [x, y, z, a, b, c, d] = values;
        match count {
            6 => self.built.take_colored([x, y, z], [a, b, c, 1.0]),
            7 => self.built.take_colored([x, y, z], [a, b, c, d]),
            _ => {
                self.built.model.left_out.weights += usize::from(count >= 4 && a != 1.0);
                if count == 5 {
                    let message = || {
                        "a position has three numbers, four, six or seven; the rest is left out".to_owned()
                    };
                    self.text.tally(Severity::Warning, &codes::EXTRA, "colour", line.spot(), message);
                }
                self.built.take_position([x, y, z]);
            }
        }
        Ok(())
    }

    fn uv(&mut self, mut fields: FieldsOf<'_>) -> Result<(), Failure> {
        let ([u, v, w], _) = self.numbers::<3>(&mut fields, 1, "a texture coordinate")?;
        self.built.model.left_out.depths += usize::from(w != 0.0);
        self.built.model.uvs.push([u, v]);
        Ok(())
    }

    /// A name: the rest of the line.
    pub(super) fn name(&mut self, field: Field<'_>, what: &'static str) -> RawText {
        let name = field.raw();
        if !name.is_utf8() {
            let message = || format!("the name {name} is not UTF-8");
            self.text.tally(Severity::Note, &codes::NOT_UTF8, what, field.spot(), message);
        }
        name
    }

    fn set(&mut self, change: impl FnOnce(&mut Run)) {
        let before = self.built.state;
        change(&mut self.built.state);
        self.built.changed |= self.built.state != before;
    }

    fn object(&mut self, name: Field<'_>) {
        let name = self.name(name, "object");
        let object = u32::try_from(self.built.model.objects.len()).ok();
        self.built.model.objects.push(name);
        self.set(|state| state.object = object);
    }

    fn group(&mut self, line: Field<'_>, fields: FieldsOf<'_>) {
        let names: Vec<&[u8]> = fields.map(Field::text).collect();
        let group = (!names.is_empty()).then(|| {
            self.name(line, "group");
            intern(RawText::from(&names.join(&b' ')[..]), &mut self.groups, &mut self.built.model.groups)
        });
        self.set(|state| state.group = group);
    }

    fn smoothing(&mut self, mut fields: FieldsOf<'_>) {
        let field = fields.next().unwrap_or(fields.end());
        let smoothing = match field.text() {
            b"off" | b"" => 0,
            b"on" => 1,
            digits => crate::text::parse_u32(digits).unwrap_or_else(|| {
                let message = || format!("a smoothing group is a number, `on` or `off`, not {}", field.raw());
                self.text.tally(Severity::Warning, &codes::SMOOTHING, "", field.spot(), message);
                1
            }),
        };
        self.set(|state| state.smoothing = smoothing);
    }

    fn use_material(&mut self, name: Field<'_>, keyword: Field<'_>) {
        if name.is_empty() {
            let message = || "`usemtl` has no name; the following elements have no material".to_owned();
            self.text.tally(Severity::Warning, &codes::NO_NAME, "usemtl", keyword.spot(), message);
            return self.set(|state| state.material = None);
        }
        let spot = name.spot();
        let name = self.name(name, "material");
        let material = intern(name, &mut self.materials, &mut self.built.model.materials);
        if self.material_spots.len() < self.built.model.materials.len() {
            self.material_spots.push(spot);
        }
        self.set(|state| state.material = Some(material));
    }
}

/// Whether a field begins a comment at the end of a line.
pub(super) fn is_comment(field: Field<'_>) -> bool {
    field.text().starts_with(b"#")
}

/// The index of a name in a list without duplicates; adds it if it is new.
fn intern(name: RawText, known: &mut HashMap<RawText, u32>, list: &mut Vec<RawText>) -> u32 {
    // There are fewer names than bytes in the file, and files that can be read have fewer than 2³² bytes.
    let next = list.len() as u32;
    *known.entry(name).or_insert_with_key(|name| {
        list.push(name.clone());
        next
    })
}
