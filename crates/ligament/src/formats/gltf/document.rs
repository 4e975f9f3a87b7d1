//! A glTF file, unchanged: the JSON text, and its buffers wherever they are.

use super::json::Root;
use super::locate::Places;
use super::v1::{self, Origins};
use super::{import, rewrite, rules};
use crate::formats::{ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::report::{Failure, Report};
use crate::scene::Scene;
use std::ops::Range;

/// A glTF or GLB file.
///
/// It keeps a reference to the file, not a copy. Written in its own dialect it gives the same bytes; in the other
/// dialect, the same JSON except for the buffers' URIs. A glTF 1.0 document goes through a scene to become 2.0.
pub struct Document<'a> {
    pub(super) is_glb: bool,
    pub(super) root: Root,
    /// The ids of the objects in a glTF 1.0 file, from which `root` was made.
    pub(super) first: Option<Origins>,
    /// The buffer that is a GLB's binary chunk.
    pub(super) bin_buffer: Option<usize>,
    /// Range of the JSON in the source.
    pub(super) json: Range<u64>,
    /// Range of a GLB's binary chunk in the source.
    pub(super) glb_bin: Option<Range<u64>>,
    pub(super) source: Source<'a>,
    /// Optional extensions that the importer does not support, and how often each occurs.
    pub(super) unknown_extensions: Vec<(String, usize)>,
}

impl<'a> Document<'a> {
    /// Looks up where the document's fields are in its file.
    pub(super) fn places(&self) -> Places<'_, 'a> {
        Places::new(&self.source, self.json.clone(), self.is_glb).with_origins(self.first.as_ref())
    }

    /// The extensions that can be read in the document's version.
    pub(super) fn extensions(&self) -> &'static [&'static str] {
        extensions(self.first.is_some())
    }
}

pub(super) fn extensions(is_first: bool) -> &'static [&'static str] {
    if is_first { v1::EXTENSIONS } else { super::EXTENSIONS }
}

impl crate::formats::Document for Document<'_> {
    fn dialect(&self) -> &'static str {
        if self.first.is_some() { super::FIRST } else { self.rewrite_dialect() }
    }

    fn rewrite_dialect(&self) -> &'static str {
        if self.is_glb { "glb" } else { "gltf" }
    }

    fn can_write(&self, dialect: &str) -> bool {
        self.first.is_none() || dialect == super::FIRST
    }

    fn about(&self) -> Vec<(&'static str, String)> {
        let asset = self.root.asset.as_ref();
        let texts = [
            ("generator", asset.and_then(|asset| asset.generator.clone())),
            ("copyright", asset.and_then(|asset| asset.copyright.clone())),
            ("extensions used", Some(self.root.extensions_used.join(", "))),
            ("extensions required", Some(self.root.extensions_required.join(", "))),
        ];
        texts
            .into_iter()
            .filter_map(|(name, text)| Some((name, text.filter(|text| !text.is_empty())?)))
            .collect()
    }

    fn image_files(&self) -> Vec<String> {
        let uris = self.root.images.iter().filter_map(|image| image.uri.as_ref());
        uris.filter_map(rewrite::side_file).collect()
    }

    fn check(&self, options: &ReadOptions, report: &mut Report) {
        rules::check(self, options, report);
    }

    fn import(mut self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        let clip_extras = self.root.animations.iter_mut().map(|a| a.extras.take()).collect();
        import::import(&self, clip_extras, options, report)
    }

    fn write(
        &self,
        dialect: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        match self.first {
            Some(_) => rewrite::copy_first(self, output, report),
            None => rewrite::rewrite(self, dialect == "glb", output, report),
        }
    }
}
