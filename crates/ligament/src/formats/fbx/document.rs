use super::{codes, import, load};
use crate::formats::{self, ReadOptions, WriteOptions};
use crate::io::{Output, Source};
use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

/// An FBX file: its bytes, and what `ufbx` made of them.
pub struct Document<'a> {
    source: Source<'a>,
    loaded: load::Loaded,
}

impl<'a> Document<'a> {
    /// Parses a source. Axes and units are converted on the way, as the options say.
    pub fn read(source: Source<'a>, options: &ReadOptions, report: &mut Report) -> Result<Self, Failure> {
        let loaded = {
            let bytes = source.bytes(report)?;
            load::load(&bytes, options, report)?
        };
        Ok(Self { source, loaded })
    }

    /// The scene as `ufbx` has it.
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

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        import::import(&self.loaded, &self.source, options, report)
    }

    /// The file's own bytes: there is no other way in which FBX is written.
    fn write(
        &self,
        options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if let Some(other) = options.dialect.as_deref().filter(|&d| d != self.dialect()) {
            let message = format!(
                "the file is {} FBX, and can only be copied, not turned into {other}",
                self.dialect()
            );
            report.error(&codes::NOT_WRITTEN, Place::WHOLE, message);
            return Err(Failure::Usage);
        }
        report.note(&codes::COPIED, Place::WHOLE, "FBX is not written; the file is copied as it is");
        let bytes = self.source.bytes(report)?;
        output.main().write_all(&bytes).map_err(|error| report.cannot_write(error))
    }
}
