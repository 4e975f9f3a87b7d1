//! Textures: images by reference or inside the file, and how materials use them.

use super::codes;
use super::file::File;
use super::tree::{Id, Record, Value, choice, flag, property};
use crate::report::{Loss, Report};
use crate::scene::{Image, ImageData, Scene, TextureRef, UvTransform, Wrap};
use crate::text::UniqueNames;
use glam::{DMat3, DVec2};
use std::collections::HashMap;

/// The textures that were written, each once for every way in which materials use it.
pub(super) struct Textures<'s> {
    scene: &'s Scene,
    /// For each image, its path, or a name of its own if it is inside: programs take images of one name for one.
    paths: Vec<String>,
    videos: HashMap<usize, Id>,
    written: HashMap<Key, Id>,
    /// The names of the sets of texture coordinates.
    sets: Vec<String>,
    mirrored: usize,
    skewed: usize,
}

/// A texture, its coordinates, and the bits of their transform.
type Key = (usize, u32, Option<[u32; 5]>);

impl<'s> Textures<'s> {
    pub(super) fn new(scene: &'s Scene, sets: Vec<String>) -> Self {
        let (videos, written) = Default::default();
        Self { scene, paths: paths(scene), videos, written, sets, mirrored: 0, skewed: 0 }
    }

    /// The object of a texture as a material uses it.
    pub(super) fn of(&mut self, used: &TextureRef, file: &mut File) -> Option<Id> {
        let texture = self.scene.textures.get(used.texture.index())?;
        let transform =
            used.transform.map(|t| [t.offset[0], t.offset[1], t.rotation, t.scale[0], t.scale[1]]);
        let key = (used.texture.index(), used.uv_set, transform.map(|t| t.map(f32::to_bits)));
        if let Some(&known) = self.written.get(&key) {
            return Some(known);
        }
        let image = self.scene.images.get(texture.image.index())?;
        let video = self.video(texture.image.index(), file)?;
        let path = self.paths[texture.image.index()].clone();
        let id = file.id();
        let name = if texture.name.is_empty() { image.file_name() } else { texture.name.clone() };
        let wraps = [texture.sampler.wrap_u, texture.sampler.wrap_v];
        self.mirrored += usize::from(wraps.contains(&Wrap::Mirror));
        let wrap = |wrap: Wrap| i32::from(wrap == Wrap::Clamp);
        let set = self.sets.get(used.uv_set as usize).map_or("UVMap", String::as_str);
        let mut rows = vec![
            property("UVSet", ["KString", "", ""], [set]),
            flag("UseMaterial", true),
            choice("WrapModeU", wrap(texture.sampler.wrap_u)),
            choice("WrapModeV", wrap(texture.sampler.wrap_v)),
        ];
        if let Some(transform) = &used.transform {
            let (made, is_exact) = placed(transform);
            self.skewed += usize::from(!is_exact);
            let vector = |name: &'static str, value: [f64; 3]| property(name, ["Vector", "", "A"], value);
            rows.extend([
                vector("Translation", [made.offset.x, made.offset.y, 0.0]),
                vector("Rotation", [0.0, 0.0, made.degrees]),
                vector("Scaling", [made.scale.x, made.scale.y, 1.0]),
            ]);
        }
        let object = Record::object("Texture", id, &*name, "Texture", "")
            .with("Type", "TextureVideoClip")
            .with("Version", 202)
            .with("TextureName", Value::Name(name.clone(), "Texture"))
            .properties(rows)
            .with("Media", Value::Name(image.file_name(), "Video"))
            .with("FileName", &*path)
            .with("RelativeFilename", &*path);
        file.add(object);
        file.connect(video, id);
        self.written.insert(key, id);
        Some(id)
    }

    /// The object of an image.
    fn video(&mut self, image: usize, file: &mut File) -> Option<Id> {
        if let Some(&known) = self.videos.get(&image) {
            return Some(known);
        }
        let source = self.scene.images.get(image)?;
        let id = file.id();
        let path = &self.paths[image];
        let content = match &source.data {
            ImageData::File(_) => None,
            ImageData::Embedded { bytes, .. } => Some(bytes.clone()),
        };
        let rows = [property("Path", ["KString", "XRefUrl", ""], [&**path])];
        let mut object = Record::object("Video", id, source.file_name(), "Video", "Clip")
            .with("Type", "Clip")
            .properties(rows)
            .with("UseMipMap", 0)
            .with("Filename", &**path)
            .with("RelativeFilename", &**path);
        if let Some(bytes) = content {
            object = object.with("Content", bytes);
        }
        file.add(object);
        self.videos.insert(image, id);
        Some(id)
    }

    /// Reports what the format has no words for.
    pub(super) fn report(&self, report: &mut Report) {
        let message = "textures that are mirrored at their borders are repeated";
        report.loss(Loss::dropped(&codes::TEXTURE_DETAILS, "", self.mirrored, message));
        let message =
            "texture transforms that are skewed in FBX, where scale comes before rotation, lose the skew";
        report.loss(Loss::approximated(&codes::TEXTURE_DETAILS, "", self.skewed, None, "", message));
    }
}

fn paths(scene: &Scene) -> Vec<String> {
    let mut names = UniqueNames::default();
    let file = |image: &Image| match &image.data {
        ImageData::File(path) => Some(path.clone()),
        ImageData::Embedded { .. } => None,
    };
    for path in scene.images.iter().filter_map(file) {
        names.insert(path);
    }
    let path = |image: &Image| {
        file(image).unwrap_or_else(|| {
            let name = image.file_name();
            let (stem, end) = name.rsplit_once('.').unwrap_or((&name, "png"));
            let numbered = |number: u64| match number {
                0 => name.clone(),
                _ => format!("{stem}_{}.{end}", number + 1),
            };
            numbered(names.take(numbered))
        })
    };
    scene.images.iter().map(path).collect()
}

/// A texture's place on its coordinates, in the file's words.
struct Placed {
    offset: DVec2,
    degrees: f64,
    scale: DVec2,
}

/// Converts a transform of coordinates with V down to the place of a texture with V up, and says whether that is exact.
fn placed(transform: &UvTransform) -> (Placed, bool) {
    let (sin, cos) = f64::from(transform.rotation).sin_cos();
    let [sx, sy] = transform.scale.map(f64::from);
    let [x, y] = transform.offset.map(f64::from);
    let own = DMat3::from_cols_array(&[cos * sx, -sin * sx, 0.0, sin * sy, cos * sy, 0.0, x, y, 1.0]);
    let flip = DMat3::from_cols_array(&[1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 1.0]);
    let to_uv = (flip * own * flip).inverse();
    let to_uv = if to_uv.is_finite() { to_uv } else { DMat3::IDENTITY };
    let (a, b) = (to_uv.x_axis.truncate(), to_uv.y_axis.truncate());
    let is_exact = a.dot(b).abs() <= 1e-6 * a.length() * b.length();
    let height = if a.perp_dot(b) < 0.0 { -b.length() } else { b.length() };
    let degrees = a.y.atan2(a.x).to_degrees();
    (Placed { offset: to_uv.z_axis.truncate(), degrees, scale: DVec2::new(a.length(), height) }, is_exact)
}
