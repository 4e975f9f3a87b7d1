use super::{codes, import, read};
use crate::formats::{self, ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::pose::OwnMotion;
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// An FBX file: its bytes, and the scene that `ufbx` parsed from them.
pub struct Document<'a> {
    source: Source<'a>,
    loaded: read::Loaded,
}

impl<'a> Document<'a> {
    /// Parses a source. Axes and units are converted according to the options.
    pub fn read(source: Source<'a>, options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        let loaded = {
            let bytes = source.bytes(report)?;
            read::read(&bytes, options, report)?
        };
        Ok(Self { source, loaded })
    }

    /// The scene as `ufbx` parsed it, for tests that compare with its evaluation. Not part of the interface, since its
    /// type belongs to another crate.
    #[doc(hidden)]
    pub fn scene(&self) -> &ufbx::Scene {
        &self.loaded.scene
    }

    /// The file's version: 7400 is 7.4.
    pub fn version(&self) -> u32 {
        self.loaded.scene.metadata.version
    }
}

impl formats::Document for Document<'_> {
    fn dialect(&self) -> &'static str {
        if self.loaded.scene.metadata.ascii { "ascii" } else { "binary" }
    }

    fn about(&self) -> Vec<(&'static str, String)> {
        let metadata = &self.loaded.scene.metadata;
        let version = format!("{}.{}", metadata.version / 1000, metadata.version % 1000 / 100);
        let creator = Some(metadata.creator.to_string()).filter(|creator| !creator.is_empty());
        [("version", Some(version)), ("generator", creator)]
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)))
            .collect()
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        self.import_with_motion(options, report).map(|(scene, _)| scene)
    }

    fn import_with_motion(
        self: Box<Self>,
        options: &ReadOptions,
        report: &mut Report,
    ) -> Result<(Scene, Option<OwnMotion>), Failure> {
        let imported = import::import(&self.loaded, &self.source, options, report);
        imported.map(|(scene, own)| (scene, Some(own)))
    }

    /// Copies the file's own bytes.
    fn write(
        &self,
        _: &str,
        _: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let message = "input and output are both FBX, so the file is copied unchanged";
        report.note(&codes::COPIED, Place::WHOLE, message);
        self.source.content.copy_to(output.main()).map_err(|error| report.cannot_write(error))
    }
}
