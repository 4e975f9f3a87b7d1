//! The images of a model as small pictures, decoded when they are shown.

use crate::welcome::Thumbnail;
use ligament::Scene;
use ligament::internal::{decode_image, shown};
use ligament::io::Folder;
use ligament::scene::{ImageData, ImageId, MaterialId};
use ligament_render::Picture;
use std::sync::Arc;

/// Pixels along the longer side.
const SIDE: u32 = 512;
/// The memory limit for one image file.
const MOST_BYTES: u64 = 256 << 20;

/// The images of a model.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    /// One per image; empty until they are asked for.
    pub all: Vec<Thumbnail>,
    /// For each, its size in pixels or why it cannot be shown.
    pub about: Vec<String>,
}

/// A decoded image, and a text about it.
pub type Decoded = (Option<Picture>, String);

/// Decodes an image, and scales it down.
pub fn decode(scene: &Scene, folder: &dyn Folder, id: ImageId) -> Decoded {
    let Some(image) = scene.images.get(id.index()) else { return (None, "missing".to_owned()) };
    let bytes = match &image.data {
        ImageData::Embedded { bytes, .. } => Ok(bytes.to_vec()),
        ImageData::File(path) => folder.read(path, MOST_BYTES),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return (None, format!("cannot be read: {error}")),
    };
    let length = shown::bytes(bytes.len() as u64);
    match decode_image(&bytes, &image.file_name()) {
        Err(why) => (None, format!("cannot be shown: {}", shown::safe(&why))),
        Ok(image) => {
            let (width, height) = (image.width(), image.height());
            let small = if width.max(height) > SIDE { image.thumbnail(SIDE, SIDE) } else { image };
            let small = small.into_rgba8();
            let picture = Picture { width: small.width(), height: small.height(), rgba: small.into_raw() };
            (Some(picture), format!("{width}×{height}, {length}"))
        }
    }
}

impl Pictures {
    /// Room for the images of a scene.
    pub fn waiting(count: usize) -> Self {
        Self { all: vec![Thumbnail::Waiting; count], about: vec![String::new(); count] }
    }

    /// Takes a decoded image.
    pub fn take(&mut self, id: ImageId, (picture, about): Decoded) {
        if let (Some(own), Some(text)) = (self.all.get_mut(id.index()), self.about.get_mut(id.index())) {
            *own = picture.map_or(Thumbnail::Nothing, |picture| Thumbnail::Drawn(Arc::new(picture)));
            *text = about;
        }
    }

    /// The first image that waits.
    pub fn next(&self) -> Option<ImageId> {
        self.all.iter().position(|own| matches!(own, Thumbnail::Waiting)).map(ImageId::new)
    }
}

/// A texture of a material that is shown in a window of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureView {
    /// The file.
    pub slot: usize,
    /// The material.
    pub material: MaterialId,
    /// The index of the texture among those of the material.
    pub which: usize,
    /// Whether the layout of texture coordinates is shown over it.
    pub layout: bool,
    /// How much it is enlarged.
    pub zoom: f32,
}
