//! The layouts of April 2020, which also say version 0: a list of objects, each with its own mesh.
//!
//! | file | what it does |
//! |---|---|
//! | `read.rs` | bytes to document: the one layout in which the whole file makes sense |
//! | `shape.rs` | recognises older layouts by how a file begins |
//! | `import.rs` | document to scene |
//!
//! ```text
//! file      = "BOGLE" u8(0) u32(objects) object*
//! object    = u8 nname  u32 nvert, nidx  name  vertex{nvert}  u32{nidx}  placement?
//! vertex    = f32{3} position  f32{2} uv  f32{3} normal?
//! placement = f32{3} translation, axis  f32 angle  f32{3} scale
//! ```
//!
//! Y points up, unlike in today's layout, and V too. The layouts differ in the fields with a question mark; see
//! [`LAYOUTS`].

mod import;
mod read;
mod shape;

pub(super) use read::{Found, read};

use crate::formats::{ReadOptions, WriteOptions};
use crate::io::Output;
use crate::io::little_endian::write;
use crate::report::{Failure, Report};
use crate::scene::Scene;
use crate::text::RawText;
use std::io::{self, Write};

/// The id of the dialect.
pub(super) const ID: &str = "early";

/// One of the early layouts.
#[derive(Debug, PartialEq)]
struct Layout {
    /// What sets it apart, for messages.
    about: &'static str,
    /// Floats per vertex.
    floats: usize,
    /// Whether an object has a translation, rotation and scale.
    is_placed: bool,
}

/// The early layouts, the first one first.
static LAYOUTS: [Layout; 3] = [
    Layout {
        about: "objects without transforms and normals, whose triangles have their corners in no particular order",
        floats: 5,
        is_placed: false,
    },
    Layout { about: "objects with transforms, without normals", floats: 5, is_placed: true },
    Layout { about: "objects with transforms and normals", floats: 8, is_placed: true },
];

/// The content of a file in an early layout.
#[derive(Debug)]
pub(super) struct Early {
    /// The model's name: that of the file.
    name: String,
    layout: &'static Layout,
    objects: Vec<Object>,
}

#[derive(Debug)]
struct Object {
    name: RawText,
    /// All vertices, each of as many floats as the layout says.
    vertices: Vec<f32>,
    /// The vertex indices of the triangles.
    indices: Vec<u32>,
    /// Translation, axis and angle of the rotation, scale.
    placement: Option<[f32; 10]>,
}

impl Early {
    fn write_file(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"BOGLE\0")?;
        write(&[self.objects.len() as u32], out)?;
        for object in &self.objects {
            out.write_all(&[object.name.as_bytes().len() as u8])?;
            let vertices = object.vertices.len() / self.layout.floats;
            write(&[vertices as u32, object.indices.len() as u32], out)?;
            out.write_all(object.name.as_bytes())?;
            write(&object.vertices, out)?;
            write(&object.indices, out)?;
            write(object.placement.as_slice(), out)?;
        }
        Ok(())
    }
}

impl crate::formats::Document for Early {
    fn dialect(&self) -> &'static str {
        ID
    }

    fn import(self: Box<Self>, _: &ReadOptions, _: &mut Report) -> Result<Scene, Failure> {
        Ok(self.into_scene())
    }

    fn write(
        &self,
        _: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.write_file(output.main()).map_err(|error| report.cannot_write(error))
    }
}
