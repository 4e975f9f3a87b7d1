//! Any line, with everything that can be wrong with it. A bad value is reported where it stands and read as zero, so that
//! the rest of the file is checked too.

use super::usual::Taker;
use super::{Piece, Reader};
use crate::formats::obj::codes;
use crate::formats::obj::document::Run;
use crate::report::{Code, Failure, Place, Severity};
use crate::text::{Fields, NumberError, RawText, parse_f32};
use memchr::memchr;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Lines of curves and surfaces.
const FREE_FORM: [&str; 22] = [
    "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim", "hole", "scrv", "sp", "end",
    "con", "bsp", "bzp", "cdc", "cdp", "res", "ctech", "stech", "vp",
];
/// Lines of display, and others without an effect.
const DISPLAY: [&str; 11] = [
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
    "mg",
    "maplib",
    "usemap",
    "version",
    "deform",
];

/// A line with all lines that it goes on in.
pub(super) struct Line<'t> {
    piece: &'t Piece<'t>,
    /// The text without its end. What lines are joined with is blank, so that offsets stay what they are.
    pub(super) text: Cow<'t, [u8]>,
    /// The offset of the text in the piece.
    start: usize,
}

impl Line<'_> {
    pub(super) fn place(&self, span: Range<usize>) -> Place {
        self.piece.place(self.start + span.start..self.start + span.end)
    }

    pub(super) fn raw(&self, span: Range<usize>) -> RawText {
        RawText::from(&self.text[span])
    }
}

/// Whether a line whose text this is goes on in the next one.
pub(super) fn continues(text: &[u8]) -> bool {
    text.strip_suffix(b"\r").unwrap_or(text).ends_with(b"\\")
}

/// The line at an offset, and the offset of the next.
fn line_at<'t>(piece: &'t Piece<'t>, start: usize) -> (Line<'t>, usize) {
    let text = &piece.text[start..];
    let first = memchr(b'\n', text).unwrap_or(text.len());
    let is_comment = text[..first].trim_ascii_start().starts_with(b"#");
    let mut end = first;
    while end < text.len() && !is_comment && continues(&text[..end]) {
        end = memchr(b'\n', &text[end + 1..]).map_or(text.len(), |at| end + 1 + at);
    }
    let next = (start + end + 1).min(piece.text.len());
    let mut text = Cow::Borrowed(&text[..end]);
    if end > first || (!is_comment && continues(&text)) {
        let joined = text.to_mut();
        let breaks: Vec<usize> = memchr::memchr_iter(b'\n', joined).chain([end]).collect();
        for at in breaks {
            let from = at.saturating_sub(if joined[..at].ends_with(b"\r") { 2 } else { 1 });
            if joined.get(from) == Some(&b'\\') {
                joined[from..(at + 1).min(end)].fill(b' ');
            }
        }
    }
    (Line { piece, text, start }, next)
}

/// Reads a number in any spelling that C's `strtod` takes for a finite decimal one, or says what is wrong with it.
pub(in crate::formats::obj) fn number_or(
    field: &[u8],
    say: impl FnOnce(&'static Code, String),
) -> Option<f32> {
    let text = RawText::from(field);
    let (code, message): (&'static Code, _) = match parse_f32(field) {
        Ok(value) => return Some(value),
        Err(NumberError::Malformed) => (&codes::BAD_NUMBER, format!("expected a number, found {text}")),
        Err(NumberError::NotFinite) => {
            (&codes::NOT_FINITE, format!("expected a finite number, found {text}"))
        }
        Err(NumberError::TooLarge) => (&codes::TOO_LARGE, format!("the number {text} is too large")),
    };
    say(code, message);
    None
}

/// The number before a tail like `+e2`, which is no exponent; other programs read that far.
fn before_tail(field: &[u8]) -> Option<f32> {
    let sign = field.iter().skip(1).position(|b| matches!(b, b'+' | b'-'))? + 1;
    let (number, tail) = field.split_at(sign);
    let is_tail = matches!(tail, [_, b'e' | b'E', digits @ ..] if digits.iter().all(u8::is_ascii_digit));
    is_tail.then(|| parse_f32(number).ok()).flatten()
}

impl Reader<'_> {
    /// Reads the line at an offset and returns the offset of the next.
    pub(super) fn line(&mut self, piece: &Piece<'_>, at: usize) -> Result<usize, Failure> {
        let (line, next) = line_at(piece, at);
        let mut fields = Fields::new(&line.text, 0, line.text.len());
        let Some(keyword) = fields.next() else { return Ok(next) };
        let word = &line.text[keyword.clone()];
        match word {
            [b'#', ..] => {}
            b"v" => self.position(&line, fields)?,
            b"vt" => self.uv(&line, fields)?,
            b"vn" => {
                let normal = self.numbers::<3>(&line, &mut fields, 3, "a normal")?.0;
                self.model.normals.push(normal);
            }
            b"f" | b"fo" => self.face(&line, fields)?,
            b"l" => self.polyline(&line, fields)?,
            b"p" => self.points(&line, fields)?,
            b"o" => self.object(&line, &fields),
            b"g" => self.group(&line, fields),
            b"s" => self.smoothing(&line, fields),
            b"usemtl" => self.use_material(&line, &fields, keyword),
            b"mtllib" => self.library(&line, &fields, keyword)?,
            _ => self.other(&line, word, keyword.clone())?,
        }
        Ok(next)
    }

    fn tally(
        &mut self,
        severity: Severity,
        code: &'static Code,
        key: &str,
        line: &Line<'_>,
        span: Range<usize>,
        message: impl FnOnce() -> String,
    ) {
        self.tallies.add(severity, code, key, || (line.place(span), message()));
    }

    fn other(&mut self, line: &Line<'_>, word: &[u8], keyword: Range<usize>) -> Result<(), Failure> {
        let name = || RawText::from(word).to_string();
        let is_in = |words: &[&str]| words.iter().any(|w| w.as_bytes() == word);
        if is_in(&FREE_FORM) {
            match word {
                b"vp" => self.model.left_out.parameters += 1,
                b"curv" | b"curv2" | b"surf" | b"trim" | b"hole" | b"scrv" | b"cdc" | b"cdp" | b"bsp"
                | b"bzp" => {
                    self.model.left_out.free_form += 1;
                }
                _ => {}
            }
            let message = || format!("{} belongs to curves and surfaces, which are not read", name());
            self.tally(Severity::Warning, &codes::FREE_FORM, &name(), line, keyword, message);
        } else if is_in(&DISPLAY) {
            let message = || format!("{} has no effect here", name());
            self.tally(Severity::Note, &codes::DISPLAY, &name(), line, keyword, message);
        } else if is_in(&["call", "csh"]) {
            let message = || format!("{} lines are never followed", name());
            self.tally(Severity::Warning, &codes::CALL, &name(), line, keyword, message);
        } else if word.contains(&0) {
            let message = "the file holds zero bytes; it is no text";
            return Err(self.report.invalid(&codes::NOT_TEXT, line.place(keyword), message));
        } else {
            let message = || format!("nothing is known of {}, which has no effect", name());
            self.tally(Severity::Warning, &codes::UNKNOWN_LINE, &name(), line, keyword, message);
        }
        Ok(())
    }

    fn number(&mut self, line: &Line<'_>, field: Range<usize>) -> Result<f32, Failure> {
        let mut wrong = None;
        let text = &line.text[field.clone()];
        if let Some(value) = number_or(text, |code, message| wrong = Some((code, message))) {
            return Ok(value);
        }
        if let Some(value) = before_tail(text) {
            let message =
                || format!("{} is read as {value}: what follows is no exponent", RawText::from(text));
            self.tally(Severity::Warning, &codes::TAIL, "", line, field, message);
            return Ok(value);
        }
        let (code, message) = wrong.unwrap_or((&codes::BAD_NUMBER, String::new()));
        self.error(code, line.place(field), message)?;
        Ok(0.0)
    }

    /// Up to `N` numbers, at least `least`, and how many there were. A comment ends them; more are told and left out.
    fn numbers<const N: usize>(
        &mut self,
        line: &Line<'_>,
        fields: &mut Fields<'_>,
        least: usize,
        what: &'static str,
    ) -> Result<([f32; N], usize), Failure> {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            let end = fields.end();
            match fields.next().filter(|field| line.text[field.start] != b'#') {
                Some(field) => *value = self.number(line, field)?,
                None if i >= least => return Ok((values, i)),
                None => {
                    let message = format!("{what} needs {least} numbers, found {i}");
                    self.error(&codes::MISSING, line.place(end..end), message)?;
                    return Ok((values, i));
                }
            }
        }
        let rest = fields.rest();
        if !rest.is_empty() && line.text[rest.start] != b'#' {
            let message = || format!("{what} ends before {}, which is left out", line.raw(rest.clone()));
            self.tally(Severity::Warning, &codes::EXTRA, what, line, rest.clone(), message);
        }
        Ok((values, N))
    }

    fn position(&mut self, line: &Line<'_>, mut fields: Fields<'_>) -> Result<(), Failure> {
        let (values, count) = self.numbers::<7>(line, &mut fields, 3, "a position")?;
        let [x, y, z, a, b, c, d] = values;
        match count {
            6 => self.take_colored([x, y, z], [a, b, c, 1.0]),
            7 => self.take_colored([x, y, z], [a, b, c, d]),
            _ => {
                self.model.left_out.weights += usize::from(count >= 4 && a != 1.0);
                if count == 5 {
                    let message = || {
                        "a position has three numbers, four, six or seven; the rest is left out".to_owned()
                    };
                    self.tally(Severity::Warning, &codes::EXTRA, "colour", line, 0..line.text.len(), message);
                }
                self.model.positions.push([x, y, z]);
                if !self.model.colors.is_empty() {
                    self.model.colors.push([1.0; 4]);
                }
            }
        }
        Ok(())
    }

    fn uv(&mut self, line: &Line<'_>, mut fields: Fields<'_>) -> Result<(), Failure> {
        let ([u, v, w], _) = self.numbers::<3>(line, &mut fields, 1, "a texture coordinate")?;
        self.model.left_out.depths += usize::from(w != 0.0);
        self.model.uvs.push([u, v]);
        Ok(())
    }

    /// A name: the rest of the line.
    pub(super) fn name(&mut self, line: &Line<'_>, span: Range<usize>, what: &'static str) -> RawText {
        let name = line.raw(span.clone());
        if !name.is_utf8() {
            let message = || format!("the name {name} is not UTF-8");
            self.tally(Severity::Note, &codes::NOT_UTF8, what, line, span, message);
        }
        name
    }

    fn set(&mut self, state: Run) {
        self.changed |= state != self.state;
        self.state = state;
    }

    fn object(&mut self, line: &Line<'_>, fields: &Fields<'_>) {
        let name = self.name(line, fields.rest(), "object");
        let object = u32::try_from(self.model.objects.len()).ok();
        self.model.objects.push(name);
        self.set(Run { object, ..self.state });
    }

    fn group(&mut self, line: &Line<'_>, fields: Fields<'_>) {
        let mut names = Vec::with_capacity(line.text.len());
        for field in fields {
            if !names.is_empty() {
                names.push(b' ');
            }
            names.extend_from_slice(&line.text[field]);
        }
        let group = (!names.is_empty()).then(|| {
            self.name(line, 0..line.text.len(), "group");
            intern(RawText::from(&names[..]), &mut self.groups, &mut self.model.groups)
        });
        self.set(Run { group, ..self.state });
    }

    fn smoothing(&mut self, line: &Line<'_>, mut fields: Fields<'_>) {
        let field = fields.next().unwrap_or(line.text.len()..line.text.len());
        let smoothing = match &line.text[field.clone()] {
            b"off" | b"" => 0,
            b"on" => 1,
            digits => crate::text::parse_u32(digits).unwrap_or_else(|| {
                let message = || {
                    format!("a smoothing group is a number, `on` or `off`, not {}", line.raw(field.clone()))
                };
                self.tally(Severity::Warning, &codes::SMOOTHING, "", line, field.clone(), message);
                1
            }),
        };
        self.set(Run { smoothing, ..self.state });
    }

    fn use_material(&mut self, line: &Line<'_>, fields: &Fields<'_>, keyword: Range<usize>) {
        let span = fields.rest();
        if span.is_empty() {
            let message = || "`usemtl` names no material; what follows has none".to_owned();
            self.tally(Severity::Warning, &codes::NO_NAME, "usemtl", line, keyword, message);
            return self.set(Run { material: None, ..self.state });
        }
        let name = self.name(line, span.clone(), "material");
        let material = intern(name, &mut self.materials, &mut self.model.materials);
        if self.material_places.len() < self.model.materials.len() {
            self.material_places.push(line.place(span));
        }
        self.set(Run { material: Some(material), ..self.state });
    }
}

/// The number of a name in a list that has each name once.
fn intern(name: RawText, known: &mut HashMap<RawText, u32>, list: &mut Vec<RawText>) -> u32 {
    // There are fewer names than bytes of the file, which 32 bits count for all files that are read.
    let next = list.len() as u32;
    *known.entry(name).or_insert_with_key(|name| {
        list.push(name.clone());
        next
    })
}
