//! Bytes to document.
//!
//! Nearly all of a file is vertices, which are copied in blocks and checked while they are in the cache. A file is read
//! in ranges, so that it is never in memory together with the document made from it.
//!
//! A file does not say whether geometries are in it or in their own files. The reader tries the first layout and, if
//! that fails, the second; the one that got farther decides what is reported.

mod check;
mod geometry;

use super::codes;
use super::document::{
    Animation, BoneIndices, Camera, Collection, Dialect, Document, Light, LightKind, Material,
    MaterialNumbers, Object,
};
use super::tree;
use crate::Limits;
use crate::io::{FieldFaults, Fields, Folder, Source};
use crate::report::{Failure, Report};
use crate::text::RawText;
use geometry::{Encoding, Loaded};

pub(super) static FAULTS: FieldFaults = FieldFaults {
    end: &codes::UNEXPECTED_END,
    count: &codes::COUNT,
    string: &codes::STRING_LENGTH,
    help: Some(
        "the file is cut off, damaged, or in one of BOGLE's earlier layouts, which also claim version 0; export \
        the scene again",
    ),
    number: &codes::NOT_FINITE,
    not_finite: "is not a finite number",
    too_large: "is too far away to be posed; the limit is 1e15",
};

/// The minimum sizes of records in bytes: no list is longer than the rest of the file has room for.
mod least {
    pub const CAMERA: u64 = 26;
    pub const GEOMETRY: u64 = 13;
    pub const EXTERNAL_GEOMETRY: u64 = 9;
    pub const MATERIAL: u64 = 135;
    pub const LIGHT: u64 = 41;
    pub const COLLECTION: u64 = 77;
    pub const OBJECT: u64 = 88;
    pub const ANIMATION: u64 = 8;
}

/// Lists of up to this many records are read until the file ends.
const PLAUSIBLE: u32 = 1024;

/// Reads a whole file.
pub(super) fn read(
    source: &Source<'_>,
    name: String,
    limits: &Limits,
    report: &mut Report,
) -> Result<Document, Failure> {
    let attempt = |external: bool| {
        let mut report = Report::new(&source.name, limits.max_diagnostics);
        let mut reader = Reader::new(source, limits, external, &mut report);
        let read = reader.document(name.clone());
        let at = reader.fields.at();
        (read, at, report)
    };
    let (inline, inline_at, inline_report) = attempt(false);
    let (document, found) = match inline {
        Ok(document) => (Ok(document), inline_report),
        Err(Failure::Io) => (Err(Failure::Io), inline_report),
        Err(failure) => {
            let (external, external_at, external_report) = attempt(true);
            if external.is_ok() || external_at > inline_at {
                (external, external_report)
            } else {
                (Err(failure), inline_report)
            }
        }
    };
    let document = document.and_then(|document| found.check().map(|()| document));
    report.append(found);
    document
}

/// One pass over a file.
struct Reader<'a, 'r> {
    fields: Fields<'a, 'r>,
    folder: &'a dyn Folder,
    file: &'a str,
    limits: &'r Limits,
    external: bool,
    encoding: Encoding,
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(source: &'a Source<'_>, limits: &'r Limits, external: bool, report: &'r mut Report) -> Self {
        Self {
            fields: Fields::new(&source.content, &FAULTS, report),
            folder: &*source.folder,
            file: &source.name,
            limits,
            external,
            encoding: Encoding::default(),
        }
    }

    fn document(&mut self, name: String) -> Result<Document, Failure> {
        let [cameras, geometries, materials, lights, collections, objects] = self.header()?;
        let ambient = self.fields.floats("ambient")?;
        let cameras = self.list("cameras", "ncam", cameras, least::CAMERA, Self::camera)?;
        let least = if self.external { least::EXTERNAL_GEOMETRY } else { least::GEOMETRY };
        let loaded = self.list("geometries", "ngeo", geometries, least, Self::geometry)?;
        let materials = self.list("materials", "nmat", materials, least::MATERIAL, Self::material)?;
        let lights = self.list("lights", "nlight", lights, least::LIGHT, Self::light)?;
        let collections =
            self.list("collections", "nanim", collections, least::COLLECTION, Self::collection)?;
        let objects_at = self.fields.at();
        let objects = self.list("objects", "nobj", objects, least::OBJECT, Self::object)?;
        let tree = self.tree(objects.len())?;

        let (bone_indices, dialect) = self.dialect(&cameras);
        let apart = |loaded: Loaded| (loaded.geometry, loaded.largest_bone);
        let (geometries, largest_bones): (Vec<_>, Vec<_>) = loaded.into_iter().map(apart).unzip();
        let document = Document {
            name,
            dialect,
            bone_indices,
            ambient,
            cameras,
            geometries,
            materials,
            lights,
            collections,
            objects,
            tree,
        };
        self.check_objects(objects_at, &document, &largest_bones);
        Ok(document)
    }

    /// Determines the dialect by the bone indices or, where all are zero and thus ambiguous, by the cameras.
    fn dialect(&self, cameras: &[Camera]) -> (BoneIndices, Dialect) {
        let inline = match self.encoding.found() {
            Some(BoneIndices::Whole) => Dialect::Document,
            Some(BoneIndices::Float) => Dialect::Engine,
            None if self.external || cameras.iter().any(|c| c.kind == 0) => Dialect::Engine,
            None => Dialect::Document,
        };
        (inline.bone_indices(), if self.external { Dialect::External } else { inline })
    }

    fn header(&mut self) -> Result<[u32; 6], Failure> {
        self.fields.record = "header".into();
        if self.fields.peek(5) != b"BOGLE" {
            let message = "the file does not begin with BOGLE";
            return Err(self.fields.invalid(0, &codes::NOT_BOGLE, "magic", message));
        }
        self.fields.take("magic", 5)?;
        let at = self.fields.at();
        let version = self.fields.byte("version")?;
        if version != 0 {
            let message = format!("the version is {version}; only 0 is supported");
            return Err(self.fields.invalid(at, &codes::VERSION, "version", message));
        }
        let mut counts = [0; 6];
        for (count, field) in counts.iter_mut().zip(["ncam", "ngeo", "nmat", "nlight", "nanim", "nobj"]) {
            *count = self.fields.word(field)?;
        }
        self.fields.record.clear();
        Ok(counts)
    }

    /// Reads `count` records, if the rest of the file has room for them.
    fn list<T>(
        &mut self,
        name: &str,
        field: &str,
        count: u32,
        least: u64,
        mut read: impl FnMut(&mut Self) -> Result<T, Failure>,
    ) -> Result<Vec<T>, Failure> {
        self.fields.record = name.to_owned();
        let room = self.fields.left() / least;
        // A plausible count belongs to a file that was cut off, which is reported where the file ends.
        let count = match count {
            0..=PLAUSIBLE => count as usize,
            _ => self.room(field, count, least)?,
        };
        let mut records = Vec::with_capacity(count.min(room as usize));
        for i in 0..count {
            self.fields.record = format!("{name}[{i}]");
            records.push(read(self)?);
        }
        self.fields.record.clear();
        Ok(records)
    }

    fn camera(&mut self) -> Result<Camera, Failure> {
        let kind_at = self.fields.at();
        let kind = self.kind(1)?;
        let name = self.string("name")?;
        let [width, height] = [self.fields.word("width")?, self.fields.word("height")?];
        let [near, far, fov] = self.fields.floats("near, far, fov")?;
        let main = self.fields.byte("main")?;
        if kind == 1 {
            let message = format!("camera {name} has type 1; the engine loads only type 0");
            self.fields.note(kind_at, &codes::CAMERA_KIND, "type", message);
        }
        Ok(Camera { kind, name, width, height, near, far, fov, main })
    }

    fn material(&mut self) -> Result<Material, Failure> {
        self.kind(0)?;
        let shader = self.fields.byte("shader")?;
        let name = self.string("name")?;
        let [ambient, emissive, diffuse, specular] = [
            self.fields.floats("ambient")?,
            self.fields.floats("emissive")?,
            self.fields.floats("diffuse")?,
            self.fields.floats("specular")?,
        ];
        let numbers: MaterialNumbers = bytemuck::cast(self.fields.floats::<8>("opacity to alpha_threshold")?);
        let blend = self.fields.byte("blend")?;
        let mut textures: [RawText; 8] = Default::default();
        for (texture, word) in textures.iter_mut().zip(super::document::TEXTURES) {
            *texture = self.string(&format!("{word} texture"))?;
        }
        Ok(Material { shader, name, ambient, emissive, diffuse, specular, numbers, blend, textures })
    }

    fn light(&mut self) -> Result<Light, Failure> {
        let kind = match self.kind(2)? {
            0 => LightKind::Spot,
            1 => LightKind::Sun,
            _ => LightKind::Point,
        };
        let name = self.string("name")?;
        let color = self.fields.floats("color")?;
        let attenuation = self.fields.floats("attenuation")?;
        let [intensity, angle] = self.fields.floats("intensity, angle")?;
        Ok(Light { kind, name, color, attenuation, intensity, angle })
    }

    fn collection(&mut self) -> Result<Collection, Failure> {
        self.kind(0)?;
        let name = self.string("name")?;
        let animations = self.fields.word("nanimations")?;
        let matrix = self.matrix("matrix")?;
        let bones = self.fields.word("nbones")?;
        let bones = self.room("nbones", bones, 32)?;
        let bones_at = self.fields.at();
        let bones = self.fields.array("bones", bones)?;
        self.check_bones(bones_at, &matrix, &bones);
        let animations = self.room("nanimations", animations, least::ANIMATION)?;
        let record = self.fields.record.clone();
        let mut collection = Collection { name, matrix, bones, animations: Vec::with_capacity(animations) };
        for i in 0..animations {
            self.fields.record = format!("{record}.animations[{i}]");
            let animation = self.animation(collection.bones.len())?;
            collection.animations.push(animation);
        }
        self.fields.record = record;
        Ok(collection)
    }

    fn animation(&mut self, bones: usize) -> Result<Animation, Failure> {
        let name = self.string("name")?;
        let keys = self.fields.word("nkeyframes")?;
        let stride = 4 + 4 * bones;
        let keys = self.room("nkeyframes", keys, 4 * stride as u64)?;
        let at = self.fields.at();
        let frames = self.fields.array("keys", keys * stride)?;
        let animation = Animation { name, frames };
        self.check_keys(at, &animation, bones);
        Ok(animation)
    }

    fn object(&mut self) -> Result<Object, Failure> {
        let name = self.string("name")?;
        let camera = self.fields.word("camera")?;
        let geometry = self.fields.word("geometry")?;
        let material = self.fields.word("material")?;
        let light = self.fields.word("light")?;
        let collection = self.fields.word("animation collection")?;
        let matrix = self.matrix("matrix")?;
        Ok(Object { name, camera, geometry, material, light, collection, matrix })
    }

    fn tree(&mut self, objects: usize) -> Result<RawText, Failure> {
        let start = self.fields.at();
        let rest = self.fields.left();
        let characters = self.fields.take("tree", rest)?.into_owned();
        let Some(end) = memchr::memchr(0, &characters) else {
            let message = "the file ends before the NUL that ends the scene tree";
            return Err(self.fields.invalid(start + rest, &codes::TREE_END, "tree", message));
        };
        if end + 1 < characters.len() {
            let message = format!("{} bytes after the scene tree's NUL", characters.len() - end - 1);
            let at = start + end as u64 + 1;
            return Err(self.fields.invalid(at, &codes::TRAILING, "tree", message));
        }
        let characters = &characters[..end];
        match tree::parse(characters, objects) {
            Ok(tree) => self.report_tree(start, end as u64, &tree),
            Err(fault) => self.report_fault(start, characters, objects, fault),
        }
        Ok(RawText::from(characters))
    }

    /// A record's type, at most `largest`.
    fn kind(&mut self, largest: u8) -> Result<u8, Failure> {
        let at = self.fields.at();
        let kind = self.fields.byte("type")?;
        if kind > largest {
            let known =
                if largest == 0 { "only 0 is supported".into() } else { format!("expected 0 to {largest}") };
            let message = format!("the type is {kind}; {known}");
            return Err(self.fields.damaged(at, &codes::KIND, "type", message));
        }
        Ok(kind)
    }

    fn string(&mut self, field: &str) -> Result<RawText, Failure> {
        let at = self.fields.at();
        let text = self.fields.string::<4>(field)?;
        if !text.is_utf8() {
            self.fields.note(at, &codes::NOT_UTF8, field, format!("{text} is not UTF-8"));
        }
        Ok(text)
    }

    /// A transformation.
    fn matrix(&mut self, field: &str) -> Result<[f32; 16], Failure> {
        let at = self.fields.at();
        let matrix: [f32; 16] = self.fields.places(field)?;
        let last_row = [(3, 0.0), (7, 0.0), (11, 0.0), (15, 1.0)];
        if let Some((i, expected)) = last_row.into_iter().find(|(i, e)| (matrix[*i] - e).abs() > 1e-5) {
            let message = format!("element {i} is {}; in a transformation it must be {expected}", matrix[i]);
            self.fields.error(at + 4 * i as u64, &codes::NOT_AFFINE, field, message);
        }
        Ok(matrix)
    }

    /// Converts a count to a length, if the rest of the file has room for that many records of at least `least` bytes.
    fn room(&mut self, field: &str, count: u32, least: u64) -> Result<usize, Failure> {
        self.fields.room("", format_args!("{field} announces {count} records"), count, least)
    }
}
