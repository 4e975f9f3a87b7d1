//! Document to bytes.

use super::document::{BoneIndices, Collection, Dialect, Document, Geometry, Vertex};
use crate::io::little_endian::write;
use crate::io::{Output, cut};
use crate::report::{Failure, Place, Report};
use crate::text::{RawText, UniqueNames};
use std::io::{self, Write};
use std::ops::Range;

impl Document {
    /// Writes the document in a dialect. Written in its own dialect, a document that was read gives the same bytes.
    pub fn write_to(
        &self,
        dialect: Dialect,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.write_with(self, dialect, output, report)
    }

    /// Writes the document with long lists from `lists`.
    pub(super) fn write_with(
        &self,
        lists: &dyn Lists,
        dialect: Dialect,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let layout = Layout::new(self, lists, dialect);
        if dialect == Dialect::External && !self.geometries.is_empty() && !output.takes_side_files() {
            let message = "the external dialect writes geometry files, but there is no folder for them";
            report.error(&crate::io::codes::NO_FOLDER, Place::WHOLE, message);
            return Err(Failure::Io);
        }
        self.write_files(&layout, output).map_err(|error| report.cannot_write(error))
    }

    fn write_files(&self, layout: &Layout<'_>, output: &mut dyn Output) -> io::Result<()> {
        for (geometry, file) in layout.files.iter().enumerate() {
            let path = format!("geometries/{}.bgg", String::from_utf8_lossy(file.as_bytes()));
            output.side_file(&path, &mut |out| layout.geometry_data(geometry, out))?;
        }
        self.write_main(layout, output.main())
    }

    fn write_main(&self, layout: &Layout<'_>, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"BOGLE\0")?;
        for count in [
            self.cameras.len(),
            self.geometries.len(),
            self.materials.len(),
            self.lights.len(),
            self.collections.len(),
            self.objects.len(),
        ] {
            number(count, out)?;
        }
        write(&self.ambient, out)?;
        for camera in &self.cameras {
            out.write_all(&[layout.camera_type.unwrap_or(camera.kind)])?;
            string(&camera.name, out)?;
            write(&[camera.width, camera.height], out)?;
            write(&[camera.near, camera.far, camera.fov], out)?;
            out.write_all(&[camera.main])?;
        }
        for (i, geometry) in self.geometries.iter().enumerate() {
            out.write_all(&[0])?;
            string(&geometry.name, out)?;
            match layout.files.get(i) {
                Some(file) => string(file, out)?,
                None => layout.geometry_data(i, out)?,
            }
        }
        for material in &self.materials {
            out.write_all(&[0, material.shader])?;
            string(&material.name, out)?;
            for color in [material.ambient, material.emissive, material.diffuse, material.specular] {
                write(&color, out)?;
            }
            write(&[material.numbers], out)?;
            out.write_all(&[material.blend])?;
            material.textures.iter().try_for_each(|texture| string(texture, out))?;
        }
        for light in &self.lights {
            out.write_all(&[light.kind as u8])?;
            string(&light.name, out)?;
            write(&light.color, out)?;
            write(&light.attenuation, out)?;
            write(&[light.intensity, light.angle], out)?;
        }
        self.collections.iter().try_for_each(|collection| write_collection(collection, out))?;
        for object in &self.objects {
            string(&object.name, out)?;
            write(&[object.camera, object.geometry, object.material, object.light, object.collection], out)?;
            write(&object.matrix, out)?;
        }
        out.write_all(self.tree.as_bytes())?;
        out.write_all(&[0])
    }
}

/// The long lists of a file: a document's own, or made from a scene.
pub(super) trait Lists {
    /// The number of vertices in a geometry.
    fn vertex_count(&self, geometry: usize) -> usize;
    /// A range of its vertices, with bones stored in the document's way. If they have to be made, they are put into
    /// `made`, which is reused from range to range.
    fn vertices<'l>(
        &'l self,
        geometry: usize,
        range: Range<usize>,
        made: &'l mut Vec<Vertex>,
    ) -> &'l [Vertex];
    /// The vertex indices of its triangles.
    fn indices(&self, geometry: usize) -> &[u32];
}

impl Lists for Document {
    fn vertex_count(&self, geometry: usize) -> usize {
        self.geometries[geometry].vertices.len()
    }

    fn vertices<'l>(&'l self, geometry: usize, range: Range<usize>, _: &'l mut Vec<Vertex>) -> &'l [Vertex] {
        &self.geometries[geometry].vertices[range]
    }

    fn indices(&self, geometry: usize) -> &[u32] {
        &self.geometries[geometry].indices
    }
}

/// Number of vertices written at a time.
const BLOCK: usize = 4096;

/// The choices that depend on the dialect.
struct Layout<'a> {
    lists: &'a dyn Lists,
    /// The type of all cameras; `None` keeps their own.
    camera_type: Option<u8>,
    /// The encoding of bone indices in the document and in the output.
    bones: (BoneIndices, BoneIndices),
    /// The file names of the geometries in the external dialect; empty in the others.
    files: Vec<RawText>,
}

impl<'a> Layout<'a> {
    fn new(document: &Document, lists: &'a dyn Lists, dialect: Dialect) -> Self {
        let own = dialect == document.dialect;
        let bones = if own { document.bone_indices } else { dialect.bone_indices() };
        let files = match (dialect, own) {
            (Dialect::External, true) if document.geometries.iter().all(|g| is_plain_file(&g.file)) => {
                document.geometries.iter().map(|g| g.file.clone()).collect()
            }
            (Dialect::External, _) => file_names(&document.geometries),
            _ => Vec::new(),
        };
        let camera_type = (!own).then_some(dialect.camera_type());
        Self { lists, camera_type, bones: (document.bone_indices, bones), files }
    }

    fn geometry_data(&self, geometry: usize, out: &mut dyn Write) -> io::Result<()> {
        let (count, indices) = (self.lists.vertex_count(geometry), self.lists.indices(geometry));
        number(count, out)?;
        number(indices.len(), out)?;
        let (from, to) = self.bones;
        let (mut made, mut changed) = (Vec::new(), Vec::new());
        for start in (0..count).step_by(BLOCK) {
            let mut vertices = self.lists.vertices(geometry, start..count.min(start + BLOCK), &mut made);
            if from != to {
                changed.clear();
                changed.extend_from_slice(vertices);
                let words = changed.iter_mut().flat_map(|v: &mut Vertex| &mut v.bones);
                words.for_each(|word| *word = to.encode(from.decode(*word)));
                vertices = &changed;
            }
            write(vertices, out)?;
        }
        write(indices, out)
    }
}

fn write_collection(collection: &Collection, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&[0])?;
    string(&collection.name, out)?;
    number(collection.animations.len(), out)?;
    write(&collection.matrix, out)?;
    number(collection.bones.len(), out)?;
    write(&collection.bones, out)?;
    for animation in &collection.animations {
        string(&animation.name, out)?;
        number(animation.key_count(collection.bones.len()), out)?;
        write(&animation.frames, out)?;
    }
    Ok(())
}

/// Whether a geometry's file name is that of a file directly in the folder `geometries`.
pub(super) fn is_plain_file(name: &RawText) -> bool {
    let Ok(text) = std::str::from_utf8(name.as_bytes()) else { return false };
    crate::io::safe_relative(text).as_deref() == Ok(text) && !text.contains('/')
}

/// Makes a plain and unique file name for each geometry from its name.
fn file_names(geometries: &[Geometry]) -> Vec<RawText> {
    let mut taken = UniqueNames::default();
    let plain = |name: &RawText| -> String {
        let text = name.to_text();
        let letters = text.chars().map(|c| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' });
        let text: String = letters.take(100).collect();
        // Room for a number and the extension in the 255 bytes of a file's name.
        let text = cut(&text, 200).trim_matches(['.', ' ']);
        if text.is_empty() { "geometry".into() } else { text.into() }
    };
    let mut names = Vec::new();
    for geometry in geometries {
        let stem = plain(&geometry.name);
        let numbered = |number| if number == 0 { stem.clone() } else { format!("{stem}-{}", number + 1) };
        // Some file systems are case-insensitive.
        let number = taken.take(|number| numbered(number).to_lowercase());
        names.push(numbered(number).into());
    }
    names
}

/// Writes a count as a 32-bit word.
fn number(count: usize, out: &mut dyn Write) -> io::Result<()> {
    let count = u32::try_from(count)
        .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "more than 4294967295 of something"))?;
    write(&[count], out)
}

fn string(text: &RawText, out: &mut dyn Write) -> io::Result<()> {
    number(text.as_bytes().len(), out)?;
    out.write_all(text.as_bytes())
}
