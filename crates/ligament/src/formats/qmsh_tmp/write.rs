//! Document to bytes: the layout of the exporter (one item a line, tabs), with line feeds.

use super::document::{
    Action, Armature, Bone, BoneEnd, Camera, Corner, Curve, Document, Empty, Extend, FaceHead, Interpolation,
    Material, Mesh, Object, ParamKind, Placement, TextureUse, word_of,
};
use super::version::{MaterialStyle, Version};
use crate::formats::Precision;
use crate::io::Output;
use crate::report::{Failure, Place, Report};
use crate::text::{FIXED6_MAX, RawText, TextWriter, fixed6, parse_fixed6};
use glam::Vec3;

impl Document {
    /// Writes the document with lists that are its own or elsewhere.
    pub(super) fn write_with(
        &self,
        lists: &dyn Lists,
        precision: Precision,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let mut file = Writer { out: TextWriter::new(output.main()), version: self.version, precision };
        file.document(self, lists);
        file.out.finish().map_err(|error| {
            report.error(&crate::io::codes::CANNOT_WRITE, Place::WHOLE, format!("cannot write: {error}"));
            Failure::Io
        })
    }
}

/// The vertices of a group, with their weights.
pub(super) type Weights<'a> = dyn Iterator<Item = (u32, f32)> + 'a;

/// Where the long lists of a document come from: it has them, or they are made of a scene while they are written.
pub(super) trait Lists {
    /// How many vertices and faces a mesh object has.
    fn counts(&self, object: usize) -> [usize; 2];
    /// Its vertices.
    fn vertices(&self, object: usize, each: &mut dyn FnMut(Vec3));
    /// Its faces.
    fn faces(&self, object: usize, each: &mut dyn FnMut(FaceHead, &[Corner]));
    /// Its vertex groups: names, and vertices with their weights.
    fn groups(&self, object: usize, each: &mut dyn FnMut(&RawText, &mut Weights<'_>));
    /// The bones that an action moves, and their curves.
    fn channels(&self, action: usize, each: &mut dyn FnMut(&RawText, &[Curve]));
}

impl Document {
    fn mesh(&self, object: usize) -> Option<&Mesh> {
        if let Some(Object::Mesh(mesh)) = self.objects.get(object) { Some(mesh) } else { None }
    }
}

impl Lists for Document {
    fn counts(&self, object: usize) -> [usize; 2] {
        self.mesh(object).map_or([0; 2], |mesh| [mesh.vertices.len(), mesh.faces.heads.len()])
    }

    fn vertices(&self, object: usize, each: &mut dyn FnMut(Vec3)) {
        self.mesh(object).into_iter().flat_map(|mesh| &mesh.vertices).for_each(|&vertex| each(vertex));
    }

    fn faces(&self, object: usize, each: &mut dyn FnMut(FaceHead, &[Corner])) {
        self.mesh(object).into_iter().flat_map(|mesh| mesh.faces.iter()).for_each(|(h, c)| each(h, c));
    }

    fn groups(&self, object: usize, each: &mut dyn FnMut(&RawText, &mut Weights<'_>)) {
        for group in self.mesh(object).into_iter().flat_map(|mesh| &mesh.groups) {
            each(&group.name, &mut group.weights.iter().copied());
        }
    }

    fn channels(&self, action: usize, each: &mut dyn FnMut(&RawText, &[Curve])) {
        self.actions[action].channels.iter().for_each(|channel| each(&channel.name, &channel.curves));
    }
}

struct Writer<'w> {
    out: TextWriter<'w>,
    version: Version,
    precision: Precision,
}

impl Writer<'_> {
    fn document(&mut self, document: &Document, lists: &dyn Lists) {
        if document.byte_order_mark {
            self.out.text(b"\xef\xbb\xbf");
        }
        self.out.text(b"QMSH TMP ");
        self.out.whole(self.version.number());
        self.out.end_line();
        self.line(b"objects {");
        for (i, object) in document.objects.iter().enumerate() {
            match object {
                Object::Mesh(mesh) => self.mesh(mesh, i, lists),
                Object::Armature(armature) => self.armature(armature),
                Object::Empty(empty) => self.empty(empty),
                Object::Camera(camera) => self.camera(camera),
            }
        }
        self.line(b"}");
        self.line(b"actions {");
        for (i, action) in document.actions.iter().enumerate() {
            self.action(action, i, lists);
        }
        self.line(b"}");
        self.line(b"params {");
        for param in &document.params {
            self.out.text(b"\t");
            self.out.text(word_of(&ParamKind::ALL, &param.kind).as_bytes());
            self.out.text(if self.version.equals() { b" = " } else { b" " });
            self.int(param.value);
            self.out.end_line();
        }
        self.line(b"}");
    }

    fn mesh(&mut self, mesh: &Mesh, object: usize, lists: &dyn Lists) {
        self.out.text(b"\tmesh ");
        self.string(&mesh.name);
        self.line(b" {");
        let Placement { position, rotation, scale } = mesh.placement;
        let named = self.version.named_transform();
        for (label, value) in [("pos", position), ("rot", rotation), ("scale", scale)] {
            self.label(if named { label } else { "" });
            self.vector(value);
            self.out.end_line();
        }
        self.label(if named { "parent" } else { "" });
        self.string(&mesh.parent);
        self.out.text(b" ");
        self.string(&mesh.parent_bone);
        self.out.end_line();
        if let Some(angle) = mesh.smooth_angle {
            self.label(if named { "smooth" } else { "" });
            self.degrees(angle);
            self.out.end_line();
        }
        self.list("materials", mesh.materials.len());
        mesh.materials.iter().for_each(|material| self.material(material));
        self.line(b"\t\t}");
        let [vertices, faces] = lists.counts(object);
        self.list("vertices", vertices);
        let mut normals = mesh.normals.iter();
        lists.vertices(object, &mut |vertex| {
            self.out.text(b"\t\t\t");
            self.vector(vertex);
            if let Some(&normal) = normals.next() {
                self.out.text(b",");
                self.vector(normal);
            }
            self.out.end_line();
        });
        self.line(b"\t\t}");
        self.list("faces", faces);
        let mut normals = mesh.faces.normals.iter();
        lists.faces(object, &mut |head, corners| self.face(head, corners, normals.next()));
        self.line(b"\t\t}");
        self.out.text(if self.version.list_colons() {
            b"\t\tvertex_groups: {"
        } else {
            b"\t\tvertex_groups {"
        });
        self.out.end_line();
        lists.groups(object, &mut |name, weights| {
            self.out.text(b"\t\t\t");
            self.string(name);
            self.out.text(b" { ");
            for (vertex, weight) in weights {
                self.out.whole(vertex);
                self.out.text(b" ");
                self.number(weight);
                self.out.text(b" ");
            }
            self.line(b"}");
        });
        self.line(b"\t\t}");
        self.line(b"\t}");
    }

    fn material(&mut self, material: &Material) {
        self.out.text(b"\t\t\t");
        match self.version.materials() {
            MaterialStyle::Name => self.string(&material.name),
            MaterialStyle::Image => {
                self.string(&material.name);
                match &material.image {
                    None => self.out.text(b", none"),
                    Some(image) => {
                        self.out.text(b", image ");
                        self.string(image);
                    }
                }
            }
            MaterialStyle::Block => self.block_material(material),
        }
        self.out.end_line();
    }

    fn block_material(&mut self, material: &Material) {
        self.out.text(b"material ");
        self.string(&material.name);
        self.line(b" {");
        if let Some((color, intensity)) = material.diffuse {
            self.out.text(b"\t\t\t\tdiffuse ");
            self.numbers(&color, b",");
            self.out.text(b" ");
            self.number(intensity);
            self.out.end_line();
        }
        if let Some((color, intensity, hardness)) = material.specular {
            self.out.text(b"\t\t\t\tspecular ");
            self.numbers(&color, b",");
            self.out.text(b" ");
            self.number(intensity);
            self.out.text(b" ");
            self.int(hardness);
            self.out.end_line();
        }
        for texture in &material.textures {
            self.out.text(b"\t\t\t\ttexture ");
            self.string(&texture.file);
            self.line(b" {");
            for (what, factor) in &texture.uses {
                self.out.text(b"\t\t\t\t\t");
                self.out.text(word_of(&TextureUse::ALL, what).as_bytes());
                self.out.text(b" ");
                self.number(*factor);
                self.out.end_line();
            }
            self.line(b"\t\t\t\t}");
        }
        self.out.text(b"\t\t\t}");
    }

    fn face(&mut self, head: FaceHead, corners: &[Corner], normal: Option<&Vec3>) {
        self.out.text(b"\t\t\t");
        for (i, value) in [head.corners.into(), head.material, head.smooth].into_iter().enumerate() {
            self.out.text(if i > 0 { b" " } else { b"" });
            self.out.whole(value);
        }
        for corner in corners {
            self.out.text(b" ");
            self.out.whole(corner.vertex);
            self.out.text(b" ");
            self.numbers(&corner.uv.to_array(), b",");
        }
        if let Some(&normal) = normal {
            self.out.text(b" ");
            self.vector(normal);
        }
        self.out.end_line();
    }

    fn armature(&mut self, armature: &Armature) {
        self.out.text(b"\tarmature ");
        self.string(&armature.name);
        self.line(b" {");
        let Placement { position, rotation, scale } = armature.placement;
        for value in [position, rotation, scale] {
            self.out.text(b"\t\t");
            self.vector(value);
            self.out.end_line();
        }
        if self.version.flags_and_rolls() {
            self.out.text(b"\t\t");
            self.out.whole(armature.use_groups);
            self.out.text(b" ");
            self.out.whole(armature.use_envelopes);
            self.out.end_line();
        }
        for (name, parent) in &armature.groups {
            self.out.text(b"\t\tgroup ");
            self.string(name);
            self.line(b" {");
            self.out.text(b"\t\t\tparent ");
            self.string(parent);
            self.out.end_line();
            self.line(b"\t\t}");
        }
        armature.bones.iter().for_each(|bone| self.bone(bone));
        self.line(b"\t}");
    }

    fn bone(&mut self, bone: &Bone) {
        let short = self.version.short_bones();
        self.out.text(b"\t\tbone ");
        self.string(&bone.name);
        self.line(b" {");
        self.out.text(if short { b"\t\t\tparent " } else { b"\t\t\t" });
        self.string(&bone.parent);
        self.out.end_line();
        if short {
            self.out.text(b"\t\t\tgroup ");
            self.string(&bone.group);
            self.out.end_line();
        }
        for (name, end) in [("head", &bone.head), ("tail", &bone.tail)] {
            self.bone_end(name, end);
        }
        self.out.text(b"\t\t\t");
        if short {
            self.out.whole(bone.connected);
        } else if self.version.flags_and_rolls() {
            self.degrees(bone.rolls[0]);
            self.out.text(b" ");
            self.degrees(bone.rolls[1]);
            self.out.end_line();
            self.out.text(b"\t\t\t");
            self.numbers(&[bone.length, bone.weight], b" ");
        } else {
            self.number(bone.length);
        }
        self.out.end_line();
        self.out.end_line();
        if !short {
            bone.to_parent.iter().for_each(|row| self.row(row, b", "));
            self.out.end_line();
        }
        bone.to_armature.iter().for_each(|row| self.row(row, b", "));
        self.line(b"\t\t}");
    }

    fn bone_end(&mut self, name: &str, end: &BoneEnd) {
        self.out.text(b"\t\t\t");
        self.out.text(name.as_bytes());
        if !self.version.short_bones() {
            self.out.text(b" ");
            self.vector(end.in_parent);
        }
        self.out.text(b" ");
        self.vector(end.in_armature);
        self.out.text(b" ");
        self.number(end.radius);
        self.out.end_line();
    }

    fn row(&mut self, row: &[f32], separator: &[u8]) {
        self.out.text(b"\t\t\t");
        self.numbers(row, separator);
        self.out.text(if self.version.semicolons() { b";" } else { b"" });
        self.out.end_line();
    }

    fn empty(&mut self, empty: &Empty) {
        self.out.text(b"\tempty ");
        self.string(&empty.name);
        self.line(b" {");
        for (label, text) in [("bone", &empty.bone), ("type", &empty.kind)] {
            self.label(label);
            self.string(text);
            self.out.end_line();
        }
        self.label("size");
        if self.version.vector_sizes() {
            self.vector(empty.size);
            self.out.end_line();
            self.label("scale");
            self.number(empty.scale);
        } else {
            self.number(empty.size.x);
        }
        self.out.end_line();
        self.line(if self.version.colons() { b"\t\tmatrix:" } else { b"\t\tmatrix" });
        empty.matrix.iter().for_each(|row| self.row(row, b","));
        if self.version.empty_rotations() {
            self.label("rot");
            self.vector(empty.rotation);
            self.out.end_line();
        }
        self.line(b"\t}");
    }

    fn camera(&mut self, camera: &Camera) {
        self.line(b"\tcamera {");
        let up = self.version.camera_up().then_some(camera.up);
        for value in [camera.position, camera.target].into_iter().chain(up) {
            self.out.text(b"\t\t");
            self.vector(value);
            self.out.end_line();
        }
        self.line(b"\t}");
    }

    fn action(&mut self, action: &Action, index: usize, lists: &dyn Lists) {
        self.out.text(b"\t");
        self.string(&action.name);
        self.line(b" {");
        lists.channels(index, &mut |name, curves| {
            self.out.text(b"\t\t");
            self.string(name);
            self.line(b" {");
            curves.iter().for_each(|curve| self.curve(curve));
            self.line(b"\t\t}");
        });
        self.line(b"\t}");
    }

    fn curve(&mut self, curve: &Curve) {
        self.out.text(b"\t\t\t");
        self.string(&curve.name);
        self.out.text(b" ");
        self.out.text(word_of(&Interpolation::ALL, &curve.interpolation).as_bytes());
        if self.version.extends() {
            self.out.text(b" ");
            self.out.text(word_of(&Extend::ALL, &curve.extend).as_bytes());
        }
        self.out.text(b" { ");
        for key in &curve.keys {
            self.numbers(key, b",");
            self.out.text(b" ");
        }
        self.line(b"}");
    }

    /// The name of a field, as the version writes it; the empty one only indents.
    fn label(&mut self, name: &str) {
        self.out.text(b"\t\t");
        if !name.is_empty() {
            self.out.text(name.as_bytes());
            self.out.text(if self.version.colons() { b": " } else { b" " });
        }
    }

    fn list(&mut self, name: &str, count: usize) {
        self.out.text(b"\t\t");
        self.out.text(name.as_bytes());
        self.out.text(if self.version.list_colons() { b": " } else { b" " });
        // A list that was read has no more entries than its u32 count, and an export checks its own.
        self.out.whole(count as u32);
        self.line(b" {");
    }

    fn line(&mut self, text: &[u8]) {
        self.out.text(text);
        self.out.end_line();
    }

    fn vector(&mut self, value: Vec3) {
        self.numbers(&value.to_array(), b",");
    }

    fn numbers(&mut self, values: &[f32], separator: &[u8]) {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.out.text(separator);
            }
            self.number(value);
        }
    }

    /// Six decimals if they say it all (or nobody wants more), else as many digits as give the number back.
    #[inline(always)]
    fn number(&mut self, value: f32) {
        // What follows the digits is never read, but must be there for the fast parser to look at.
        let mut digits = [0; FIXED6_MAX];
        let length = fixed6(f64::from(value), &mut digits);
        let exact = || parse_fixed6(&digits, 0).is_some_and(|(read, _)| read.to_bits() == value.to_bits());
        if self.precision == Precision::Document || exact() {
            self.out.text(&digits[..length]);
        } else {
            self.out.text(precise(value, &digits[..length]).as_bytes());
        }
    }

    /// A number of more digits than a f32 has.
    fn degrees(&mut self, value: f64) {
        let six_decimals = format!("{value:.6}");
        let exact = self.precision == Precision::Document || six_decimals.parse() == Ok(value);
        // All that was read fits a f32, so that digits without an exponent are not too many.
        self.out.text(if exact { six_decimals } else { format!("{value:?}") }.as_bytes());
    }

    fn int(&mut self, value: i32) {
        if value < 0 {
            self.out.text(b"-");
        }
        self.out.whole(value.unsigned_abs());
    }

    fn string(&mut self, name: &RawText) {
        self.out.text(b"\"");
        for &byte in name.as_bytes() {
            match byte {
                b'\r' => self.out.text(b"\\r"),
                b'\n' => self.out.text(b"\\n"),
                b'\t' => self.out.text(b"\\t"),
                0x0b => self.out.text(b"\\v"),
                0x08 => self.out.text(b"\\b"),
                0x0c => self.out.text(b"\\f"),
                0x07 => self.out.text(b"\\a"),
                0 => self.out.text(b"\\0"),
                b'"' | b'\'' | b'\\' => self.out.text(&[b'\\', byte]),
                0x01..0x20 | 0x7f => {
                    let digit = |v: u8| b"0123456789abcdef"[usize::from(v & 15)];
                    self.out.text(&[b'\\', b'x', digit(byte >> 4), digit(byte)]);
                }
                _ => self.out.text(&[byte]),
            }
        }
        self.out.text(b"\"");
    }
}

/// The shortest digits that give the number back: with an exponent where there would be many zeros, and always with a
/// point or an exponent, because a number without is an integer, which must fit 32 bits.
#[cold]
fn precise(value: f32, six_decimals: &[u8]) -> String {
    let six_decimals = std::str::from_utf8(six_decimals).unwrap_or_default();
    let magnitude = value.abs();
    if six_decimals.parse() == Ok(value) && magnitude < 1e9 && (value != 0.0 || !six_decimals.is_empty()) {
        return six_decimals.to_owned();
    }
    if (1e-5..1e9).contains(&magnitude) { format!("{value}") } else { format!("{value:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_to_the_bit() {
        let numbers =
            [0.0, -0.0, 1.0, 0.1, 1.0 / 3.0, 123.456, 1e-7, 1.5e-30, 7e30, 123_456_790.0, -98_765.43];
        let more = (0..2000_u32).map(|i| f32::from_bits(i.wrapping_mul(2_147_001)));
        for value in numbers.into_iter().chain(more).filter(|v| v.is_finite()) {
            let mut written = Vec::new();
            let out = TextWriter::new(&mut written);
            let mut writer = Writer { out, version: Version::DOCUMENT, precision: Precision::Full };
            writer.number(value);
            writer.out.finish().expect("memory takes everything");
            let text = String::from_utf8(written).expect("ASCII");
            let first = text.trim_start_matches('-').as_bytes()[0];
            assert!(first.is_ascii_digit() && text.contains(['.', 'e']), "{text}");
            let again = crate::text::parse_f32(text.as_bytes()).expect("a number");
            assert_eq!(again.to_bits(), value.to_bits(), "{text}");
        }
    }
}
