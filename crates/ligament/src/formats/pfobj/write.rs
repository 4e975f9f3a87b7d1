//! Document to bytes, in exactly the exporter's layout.

use super::codes;
use super::document::{Bounds, Document, Rotation, Transform};
use super::white::{WHITE_PNG, WHITE_TEXTURE};
use crate::formats::line::parts;
use crate::io::{Folder, Output};
use crate::report::{Failure, Place, Report};
use crate::scene::Influence;
use crate::text::{BLOCK, Block, FIXED6_MAX, RawText, TextWriter};
use glam::Vec3;
use std::io;

/// Longest name that the engine has room for.
const MAX_NAME: usize = 63;
/// Longest line that the engine reads.
const MAX_LINE: usize = 254;
const MAX_MATERIALS: usize = 16;
const MAX_JOINTS: usize = 256;
const MAX_CLIPS: usize = 32;

/// Number of weights that are written in one block with the rest of their vertex. They never make a line longer
/// than the engine reads, whatever their values.
const BLOCK_WEIGHTS: usize = 4;
const _: () = assert!(32 + 8 * (FIXED6_MAX + 1) + BLOCK_WEIGHTS * (12 + FIXED6_MAX) <= BLOCK);
const _: () = assert!(BLOCK_WEIGHTS * (12 + FIXED6_MAX) < MAX_LINE);

/// The long lists of a file: a document's own, or made from a scene.
pub(super) trait Lists {
    /// Appends the transforms of all joints in one frame of a clip.
    fn frame(&self, clip: usize, frame: usize, transforms: &mut Vec<Transform>);
}

impl Lists for Document {
    fn frame(&self, clip: usize, frame: usize, transforms: &mut Vec<Transform>) {
        let (stored, joints) = (&self.clips[clip].transforms, self.joints.len());
        transforms.extend((frame * joints..(frame + 1) * joints).map(|index| stored.get(index)));
    }
}

fn is_white(texture: &RawText) -> bool {
    texture.as_bytes() == WHITE_TEXTURE.as_bytes()
}

/// The name of the white texture beside an output: with a number if the usual name belongs to another file.
fn white_name(output: &dyn Output) -> String {
    let there = output.beside();
    let is_free = |name: &str| {
        let other = there.as_ref().filter(|folder| folder.contains(name));
        let is_same = |folder: &dyn Folder| folder.read(name, 1 << 10).is_ok_and(|bytes| bytes == WHITE_PNG);
        output.has_room_for(name) && other.is_none_or(|folder| is_same(&**folder))
    };
    let (stem, extension) = WHITE_TEXTURE.rsplit_once('.').unwrap_or((WHITE_TEXTURE, ""));
    let names = (1..1000).map(|number| format!("{stem}-{number}.{extension}"));
    let usual = std::iter::once(WHITE_TEXTURE.to_owned());
    usual.chain(names).find(|name| is_free(name)).unwrap_or_else(|| WHITE_TEXTURE.to_owned())
}

struct Writer<'w> {
    out: TextWriter<'w>,
}

/// A key of the header, in a column of its own.
struct Key(&'static str);

parts! { Writer:
    Key = |writer, key| writer.put(&*format!("{:<15}", key.0));
    &RawText = |writer, text| writer.out.text(text.as_bytes());
    usize = |writer, count| writer.put(&*count.to_string());
    f32 = |writer, value| writer.out.fixed6(value);
    Vec3 = |writer, value| writer.out.fixed6s(b" ", value.to_array(), b'/');
    [f32; 2] = |writer, values| writer.out.fixed6s(b" ", values, b' ');
    [f32; 3] = |writer, values| writer.out.fixed6s(b" ", values, b' ');
    &Transform = |writer, transform| writer.put((transform.scale, transform.rotation, transform.translation));
    Rotation = |writer, rotation| match rotation {
        Rotation::Angles(angles) => writer.out.fixed6s(b" ", angles, b'/'),
        Rotation::Quaternion(quaternion) => writer.out.fixed6s(b" ", quaternion, b'/'),
    };
}

impl Document {
    /// Writes the file's text. A document that was read from a file in the exporter's layout reproduces that file
    /// byte for byte.
    pub fn write_text(&self, sink: &mut dyn io::Write) -> io::Result<()> {
        self.write_lines(self, WHITE_TEXTURE, sink).map(|_| ())
    }

    /// Writes the text, and returns the length of the longest line. `white` is the name of the white texture.
    fn write_lines(&self, lists: &dyn Lists, white: &str, sink: &mut dyn io::Write) -> io::Result<usize> {
        let mut out = Writer { out: TextWriter::new(sink) };
        self.write_header(&mut out);
        self.write_vertices(&mut out);
        self.write_materials(&mut out, white);
        self.write_joints(&mut out);
        self.write_clips(&mut out, lists);
        if let Some(bounds) = &self.bounds {
            write_bounds(&mut out, bounds, false);
        }
        let longest = out.out.longest_line();
        out.out.finish()?;
        Ok(longest)
    }

    /// Writes the file and its side file, and reports what exceeds the engine's limits.
    pub(super) fn write_to(
        &self,
        lists: &dyn Lists,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.check_limits(report);
        self.check_texture_names(report);
        let white = if self.needs_white_texture { white_name(output) } else { WHITE_TEXTURE.to_owned() };
        let longest = self.write_lines(lists, &white, output.main());
        let longest = longest.map_err(|error| report.cannot_write(error))?;
        if longest > MAX_LINE {
            let message = format!("the longest line has {longest} bytes; the engine reads {MAX_LINE}");
            report.warning(&codes::LONG_LINE, Place::WHOLE, message);
        }
        if self.needs_white_texture {
            self.write_white_texture(&white, output, report)?;
        }
        Ok(())
    }

    fn write_white_texture(
        &self,
        white: &str,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let count = self.materials.iter().filter(|m| is_white(&m.texture)).count();
        let materials = if count == 1 { "material has" } else { "materials have" };
        let written = if output.takes_side_files() {
            output
                .side_file(white, &mut |file| file.write_all(&WHITE_PNG))
                .map_err(|error| report.cannot_write(error))?;
            "is written beside the model"
        } else {
            "must be put beside the model, which is written to a stream"
        };
        let message =
            format!("{count} {materials} no texture, which PFOBJ requires; the white {white} {written}");
        report.note(&codes::WHITE_TEXTURE, Place::WHOLE, message);
        Ok(())
    }

    fn check_limits(&self, report: &mut Report) {
        for (code, what, count, max) in [
            (&codes::MANY_MATERIALS, "materials", self.materials.len(), MAX_MATERIALS),
            (&codes::MANY_JOINTS, "joints", self.joints.len(), MAX_JOINTS),
            (&codes::MANY_CLIPS, "animation sets", self.clips.len(), MAX_CLIPS),
        ] {
            if count > max {
                report.warning(code, Place::WHOLE, format!("{count} {what}; the engine supports {max}"));
            }
        }
        let joints = self.joints.iter().map(|j| ("joint", &j.name));
        let clips = self.clips.iter().map(|c| ("animation set", &c.name));
        let textures = self.materials.iter().map(|m| ("texture", &m.texture));
        for (what, name) in joints.chain(clips).chain(textures) {
            let length = name.as_bytes().len();
            if length > MAX_NAME {
                let message = format!("{what} {name} has {length} bytes; the engine supports {MAX_NAME}");
                report.warning(&codes::LONG_NAME, Place::WHOLE, message);
            }
        }
    }

    fn check_texture_names(&self, report: &mut Report) {
        let has_blanks = |name: &RawText| name.as_bytes().iter().any(u8::is_ascii_whitespace);
        for texture in self.materials.iter().map(|m| &m.texture).filter(|t| has_blanks(t)) {
            let message = format!("texture {texture} contains spaces; the engine reads only the first word");
            report.warning(&codes::TEXTURE_SPACES, Place::WHOLE, message);
        }
    }

    fn write_header(&self, out: &mut Writer<'_>) {
        out.line((Key("version"), &self.version));
        out.line((Key("num_verts"), self.vertices.len()));
        out.line((Key("num_joints"), self.joints.len()));
        let materials = if self.layout.singular_materials { "num_material" } else { "num_materials" };
        out.line((Key(materials), self.materials.len()));
        out.line((Key("num_as"), self.clips.len()));
        out.put(Key("frame_counts"));
        for (i, clip) in self.clips.iter().enumerate() {
            out.put(((i > 0).then_some(" "), clip.frames));
        }
        out.line("");
        if let Some(has_collision) = self.has_collision {
            out.line((Key("has_collision"), u32::from(has_collision)));
        }
    }

    fn write_vertices(&self, out: &mut Writer<'_>) {
        if self.vertices.corners.is_empty() {
            (0..self.vertices.positions.len()).for_each(|i| self.write_vertex(out, i));
        } else {
            self.vertices.corners.iter().for_each(|&i| self.write_vertex(out, i as usize));
        }
    }

    #[inline(always)]
    fn write_vertex(&self, out: &mut Writer<'_>, vertex: usize) {
        let vertices = &self.vertices;
        let weights = vertices.influences.of(vertex);
        let material = vertices.materials.get(vertex).copied().unwrap_or(0);
        let in_block = if weights.len() <= BLOCK_WEIGHTS { weights } else { &[] };
        out.out.block(|block| {
            block.text(b"v ");
            block.fixed6s(vertices.positions[vertex].to_array());
            block.text(b"\nvt ");
            block.fixed6s(vertices.uvs[vertex].to_array());
            block.text(b"\nvn ");
            block.fixed6s(vertices.normals[vertex].to_array());
            block.text(b"\n");
            if in_block.len() == weights.len() {
                write_weights(block, in_block, material);
            }
        });
        if in_block.len() != weights.len() {
            write_many_weights(out, weights, material);
        }
    }

    fn write_materials(&self, out: &mut Writer<'_>, white: &str) {
        let white = RawText::from(white);
        for material in &self.materials {
            out.line(("material ", &material.name));
            out.line(("    ambient ", material.ambient));
            out.line(("    diffuse", material.diffuse));
            out.line(("    specular", material.specular));
            let is_white = self.needs_white_texture && is_white(&material.texture);
            out.line(("    texture ", if is_white { &white } else { &material.texture }));
        }
    }

    fn write_joints(&self, out: &mut Writer<'_>) {
        for joint in &self.joints {
            let name = (!joint.name.is_empty()).then_some((" ", &joint.name));
            out.line(("j ", joint.parent, name, &joint.bind, joint.tip));
        }
    }

    fn write_clips(&self, out: &mut Writer<'_>, lists: &dyn Lists) {
        let indent = if self.layout.indented_frames { "        " } else { "" };
        let joints = self.joints.len();
        let mut transforms = Vec::with_capacity(joints);
        for (index, clip) in self.clips.iter().enumerate() {
            out.line(("as ", &clip.name, " ", clip.frames));
            for frame in 0..clip.frames as usize {
                // Frames without lines need no loop.
                if joints == 0 && clip.bounds.is_empty() {
                    break;
                }
                transforms.clear();
                lists.frame(index, frame, &mut transforms);
                for (transform, number) in transforms.iter().zip(1..) {
                    out.line((indent, number, transform));
                }
                if let Some(bounds) = clip.bounds.get(frame) {
                    write_bounds(out, bounds, self.layout.indented_frames);
                }
            }
        }
    }
}

#[inline(always)]
fn write_weights(block: &mut Block<'_>, weights: &[Influence], material: u32) {
    block.text(b"vw ");
    for influence in weights {
        block.text(b" ");
        block.whole(influence.joint);
        block.text(b"/");
        block.fixed6(influence.weight);
    }
    block.text(b"\nvm ");
    block.whole(material);
    block.text(b"\n");
}

#[cold]
fn write_many_weights(out: &mut Writer<'_>, weights: &[Influence], material: u32) {
    out.put("vw ");
    weights.iter().for_each(|influence| out.put((" ", influence.joint, "/", influence.weight)));
    out.line("");
    out.line(("vm ", material));
}

fn write_bounds(out: &mut Writer<'_>, bounds: &Bounds, indented: bool) {
    for (key, axis) in ["x_bounds", "y_bounds", "z_bounds"].into_iter().zip(bounds) {
        out.line((indented.then_some("\t"), key, *axis));
    }
}
