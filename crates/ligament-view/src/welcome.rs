//! What is shown while no file is open: recent files as thumbnails, and an example.

use crate::jobs::Jobs;
use crate::recent::Recent;
use ligament_render::{Picture, Renderer};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The example: a creature with clips, textures and two materials.
const EXAMPLE: (&str, &[u8]) = ("creature.glb", include_bytes!("../../../examples/creature.glb"));

/// A recent file.
#[derive(Debug, Clone)]
pub struct Thumb {
    /// Its path.
    pub path: PathBuf,
    /// Its picture.
    pub picture: Thumbnail,
}

/// A picture that may not be there yet.
#[derive(Debug, Clone)]
pub enum Thumbnail {
    /// It has not been drawn yet.
    Waiting,
    /// The file cannot be read, or is too large to wait for.
    Nothing,
    /// The picture.
    Drawn(Arc<Picture>),
}

/// The recent files that still exist, and their thumbnails, drawn one after the other.
#[derive(Debug, Clone, Default)]
pub struct Welcome {
    /// The files, the latest first.
    pub thumbs: Vec<Thumb>,
}

impl Welcome {
    /// The files of a list; starts to draw the first.
    pub(crate) fn new(recent: &Recent, jobs: &mut Jobs) -> Self {
        let files = recent.files().iter().filter(|path| path.is_file());
        let thumbs = files.map(|path| Thumb { path: path.clone(), picture: Thumbnail::Waiting });
        let own = Self { thumbs: thumbs.collect() };
        own.draw_next(None, jobs);
        own
    }

    /// Takes a thumbnail and starts to draw the next.
    pub(crate) fn take(
        &mut self,
        path: &Path,
        picture: Option<Picture>,
        renderer: Option<Box<Renderer>>,
        jobs: &mut Jobs,
    ) {
        if let Some(thumb) = self.thumbs.iter_mut().find(|thumb| thumb.path == path) {
            thumb.picture = picture.map_or(Thumbnail::Nothing, |picture| Thumbnail::Drawn(Arc::new(picture)));
            self.draw_next(renderer, jobs);
        }
    }

    fn draw_next(&self, renderer: Option<Box<Renderer>>, jobs: &mut Jobs) {
        let next = self.thumbs.iter().find(|thumb| matches!(thumb.picture, Thumbnail::Waiting));
        if let Some(next) = next {
            jobs.thumbnail(next.path.clone(), renderer);
        }
    }
}

/// Puts the example in a folder, unless it is already there, and returns its path.
pub fn example(folder: &Path) -> io::Result<PathBuf> {
    let (name, bytes) = EXAMPLE;
    let path = folder.join(name);
    if fs::read(&path).is_ok_and(|own| own == bytes) {
        return Ok(path);
    }
    fs::create_dir_all(folder)?;
    ligament::io::write_file(&path, bytes)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_written_once_and_repaired() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("ligament");
        let path = example(&inner).expect("written");
        assert_eq!(fs::read(&path).expect("read"), EXAMPLE.1);
        let before = path.metadata().and_then(|m| m.modified()).expect("a time");
        assert_eq!(example(&inner).expect("there"), path);
        assert_eq!(path.metadata().and_then(|m| m.modified()).expect("a time"), before);
        fs::write(&path, b"cut").expect("written");
        example(&inner).expect("repaired");
        assert_eq!(fs::read(&path).expect("read"), EXAMPLE.1);
    }
}
