//! The files that pictures are written to.

use super::encode::Kind;
use super::{complain, encode};
use crate::args::RenderArgs;
use crate::batch::plan::raw_stem;
use crate::console::Console;
use crate::input::is_stream;
pub use ligament::internal::cannot_write;
use ligament::io::{FileOutput, Output, codes};
use ligament::{Failure, Report};
use ligament_render::Picture;
use std::path::{Path, PathBuf};

/// The output of a command: the one it names, or a file in the current folder named after the model. The error is a
/// sentence.
pub fn resolve(args: &RenderArgs) -> Result<PathBuf, String> {
    let Some(path) = &args.output else { return default_name(args) };
    if is_stream(path) {
        return Ok(path.clone());
    }
    let shown = path.display();
    let Some(kind) = Kind::of(path) else {
        return Err(format!(
            "{shown} does not name a type of picture; expected one of .png, .jpg, .jpeg, .webp, .gif and .apng"
        ));
    };
    if args.gif && kind != Kind::Gif {
        return Err(format!("--gif writes a GIF, but {shown} has another extension; name it .gif"));
    }
    if args.apng && !matches!(kind, Kind::Apng | Kind::Png) {
        return Err(format!(
            "--apng writes an animated PNG, but {shown} has another extension; name it .apng or .png"
        ));
    }
    if (args.frames || args.contact_sheet || args.diff) && kind.moves() {
        return Err(format!(
            "{shown} would be an animation, but single pictures were asked for; name it .png, .jpg or .webp"
        ));
    }
    if kind == Kind::Jpeg && args.background.is_some_and(|[.., alpha]| alpha < 255) {
        return Err("JPEG has no transparency; use .png or .webp, or a --background without it".to_owned());
    }
    Ok(path.clone())
}

/// `mage.png` for `art/mage.glb`. The name may be that of a texture, so an existing file is not replaced.
fn default_name(args: &RenderArgs) -> Result<PathBuf, String> {
    let Some(model) = args.files.first().filter(|model| !is_stream(model)) else {
        return Err(
            "standard input has no name that the picture could take; name the picture with -o".to_owned()
        );
    };
    let mut name = raw_stem(model);
    name.push(if args.gif {
        ".gif"
    } else if args.apng {
        ".apng"
    } else {
        ".png"
    });
    let path = PathBuf::from(name);
    let is_series = args.frames || (args.turntable.is_some() && !args.gif && !args.apng);
    let first = if is_series { numbered(&path, 0) } else { path.clone() };
    if first.exists() {
        return Err(format!("{} already exists; name the picture with -o", first.display()));
    }
    Ok(path)
}

/// `walk-0007.png`.
pub fn numbered(path: &Path, number: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map_or("png".into(), |e| e.to_string_lossy());
    path.with_file_name(format!("{stem}-{number:04}.{extension}"))
}

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

    /// Writes a picture as the type that the file's extension names; to standard output as PNG.
    pub fn write_picture(
        self,
        picture: &Picture,
        report: &mut Report,
        console: &mut Console,
    ) -> Result<Option<PathBuf>, Failure> {
        let kind = Kind::of(&self.path).unwrap_or(Kind::Png);
        let bytes = encode::still(picture, kind).map_err(|error| cannot_write(&self.path, error, report))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_numbered_before_their_extension() {
        assert_eq!(numbered(Path::new("a/walk.png"), 7), Path::new("a/walk-0007.png"));
        assert_eq!(numbered(Path::new("walk"), 12345), Path::new("walk-12345.png"));
    }
}
