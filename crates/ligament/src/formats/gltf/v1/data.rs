//! Buffers, views and accessors; images, textures and samplers.

use super::super::json::{self, typed_extension};
use super::super::locate::Step::Name;
use super::super::{codes, json_error};
use super::json::BinaryImage;
use super::{BINARY, BODY, Convert, named};

impl Convert<'_, '_, '_> {
    /// Converts the buffers. Returns the one that is the body of a binary file.
    pub(super) fn buffers(&mut self, has_body: bool) -> Option<usize> {
        let source = self.source;
        let mut body = None;
        for (at, (id, buffer)) in source.buffers.iter().enumerate() {
            let is_body = has_body && BODY.contains(&id);
            if is_body {
                body = Some(at);
            }
            self.root.buffers.push(json::Buffer {
                name: named(&buffer.name, id),
                // The body needs no URI, and the extension says to ignore one.
                uri: buffer.uri.clone().filter(|_| !is_body),
                byte_length: buffer.byte_length,
                extras: buffer.extras.clone(),
                ..json::Buffer::default()
            });
        }
        for (id, view) in source.buffer_views.iter() {
            let path = [Name("bufferViews"), Name(id), Name("buffer")];
            let buffer = match view.buffer.as_deref() {
                // Some files do not list the body among the buffers.
                Some(name) if has_body && BODY.contains(&name) && source.buffers.number(name).is_none() => {
                    Some(*body.get_or_insert_with(|| {
                        self.root.buffers.push(json::Buffer::default());
                        self.origins.ids.entry("buffers").or_default().push(name.to_owned());
                        self.root.buffers.len() - 1
                    }) as u32)
                }
                Some(name) => self.number(&source.buffers, name, "buffer", &path),
                None => {
                    self.error(&codes::ACCESSOR, &path, "buffer is missing");
                    None
                }
            };
            self.root.buffer_views.push(json::BufferView {
                buffer,
                byte_offset: view.byte_offset,
                byte_length: view.byte_length,
                extras: view.extras.clone(),
                ..json::BufferView::default()
            });
        }
        body
    }

    pub(super) fn accessors(&mut self) {
        let source = self.source;
        for (id, accessor) in source.accessors.iter() {
            let path = [Name("accessors"), Name(id), Name("bufferView")];
            let buffer_view = match &accessor.buffer_view {
                Some(view) => self.number(&source.buffer_views, view, "buffer view", &path),
                None => {
                    self.error(&codes::ACCESSOR, &path, "bufferView is missing");
                    None
                }
            };
            self.root.accessors.push(json::Accessor {
                buffer_view,
                byte_offset: accessor.byte_offset,
                // In the specification, zero means tightly packed elements.
                byte_stride: accessor.byte_stride.filter(|&stride| stride != 0),
                component_type: accessor.component_type,
                count: accessor.count,
                kind: accessor.kind.clone(),
                extras: accessor.extras.clone(),
                ..json::Accessor::default()
            });
        }
    }

    pub(super) fn textures(&mut self) {
        let source = self.source;
        for (id, image) in source.images.iter() {
            let mut made = json::Image {
                name: named(&image.name, id),
                uri: image.uri.clone(),
                extras: image.extras.clone(),
                ..json::Image::default()
            };
            match typed_extension(&image.extensions, BINARY) {
                Ok(Some(BinaryImage { buffer_view: Some(view), mime_type })) => {
                    let path =
                        [Name("images"), Name(id), Name("extensions"), Name(BINARY), Name("bufferView")];
                    made.buffer_view = self.number(&source.buffer_views, &view, "buffer view", &path);
                    made.mime_type = mime_type;
                    made.uri = None;
                }
                Err(error) => {
                    let path = [Name("images"), Name(id), Name("extensions"), Name(BINARY)];
                    self.error(&codes::JSON, &path, json_error::message(&error));
                }
                _ => {}
            }
            self.root.images.push(made);
        }
        for (id, texture) in source.textures.iter() {
            let path = |field| [Name("textures"), Name(id), Name(field)];
            let made = json::Texture {
                name: named(&texture.name, id),
                source: self.optional(&source.images, &texture.source, "image", &path("source")),
                sampler: self.optional(&source.samplers, &texture.sampler, "sampler", &path("sampler")),
                extras: texture.extras.clone(),
                ..json::Texture::default()
            };
            self.root.textures.push(made);
        }
        self.root.samplers.clone_from(&source.samplers.values);
    }
}
