//! Pictures in panels, uploaded once.

use egui::{ColorImage, TextureHandle, TextureOptions, Ui};
use ligament_render::Picture;
use std::collections::HashMap;
use std::sync::Arc;

/// Pictures that panels show. Empty after the device was replaced.
#[derive(Default)]
pub struct Textures {
    /// By the address of a picture, which is kept, so that no other picture gets the same address.
    known: HashMap<usize, (Arc<Picture>, TextureHandle)>,
}

impl Textures {
    /// A picture as a texture.
    pub fn of(&mut self, ui: &Ui, picture: &Arc<Picture>) -> egui::TextureId {
        let key = Arc::as_ptr(picture) as usize;
        let (_, texture) = self.known.entry(key).or_insert_with(|| {
            let size = [picture.width, picture.height].map(|v| v as usize);
            let image = ColorImage::from_rgba_unmultiplied(size, &picture.rgba);
            (Arc::clone(picture), ui.ctx().load_texture("picture", image, TextureOptions::LINEAR))
        });
        texture.id()
    }

    /// Frees what nothing else refers to any more.
    pub fn tidy(&mut self) {
        self.known.retain(|_, (picture, _)| Arc::strong_count(picture) > 1);
    }
}
