//! The files that pictures are written to.

use super::{complain, encode};
use crate::console::Console;
use crate::input::is_stream;
pub use ligament::internal::cannot_write;
use ligament::io::{FileOutput, Output, codes};
use ligament::{Failure, Report};
use ligament_render::Picture;
use std::path::{Path, PathBuf};

/// An output file, created before the work so that one that cannot be written fails early.
pub struct Target {
    file: Option<FileOutput>,
    path: PathBuf,
}

impl Target {
    pub fn open(path: &Path, report: &mut Report, console: &Console) -> Result<Self, Failure> {
        if is_stream(path) {
            if console.out_is_terminal() {
                let message = "binary data would garble the terminal".to_owned();
                let help = "redirect the output to a file or a pipe";
                complain(report, "<stdout>", &codes::CANNOT_WRITE, message, help);
                return Err(Failure::Usage);
            }
            return Ok(Self { file: None, path: path.to_owned() });
        }
        match FileOutput::create(path) {
            Ok(file) => Ok(Self { file: Some(file), path: path.to_owned() }),
            Err(error) => Err(cannot_write(path, error, report)),
        }
    }

    /// Writes a picture as PNG.
    pub fn write_picture(
        self,
        picture: &Picture,
        report: &mut Report,
        console: &mut Console,
    ) -> Result<Option<PathBuf>, Failure> {
        let bytes = encode::png(picture).map_err(|error| cannot_write(&self.path, error, report))?;
        self.write(&bytes, report, console)
    }

    /// Writes the whole file and moves it into place. Returns its path, if it has one.
    pub fn write(
        self,
        bytes: &[u8],
        report: &mut Report,
        console: &mut Console,
    ) -> Result<Option<PathBuf>, Failure> {
        let Some(mut file) = self.file else {
            console.raw(bytes);
            return Ok(None);
        };
        let written = file.main().write_all(bytes).and_then(|()| file.commit());
        written.map_err(|error| cannot_write(&self.path, error, report))?;
        Ok(Some(self.path))
    }
}
