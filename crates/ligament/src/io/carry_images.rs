//! Copies a model's image files to where the model goes.

use super::{Content, Folder, Output, codes, git_lfs};
use crate::Limits;
use crate::images::{self, SIGNATURE_BYTES};
use crate::passes::codes::IMAGE_LEFT;
use crate::report::{Failure, Loss, Place, Report};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Copies image files beside a model that is rewritten as it is, so that they keep the names it uses for them.
///
/// No file is copied onto itself, or over another file of the same name. The latter gives a warning, since the
/// rewritten model would show the wrong image. Missing files are left to the reader, which has warned of them.
pub(crate) fn carry_images<'p>(
    paths: impl IntoIterator<Item = &'p str>,
    from: &dyn Folder,
    output: &mut dyn Output,
    report: &mut Report,
) -> Result<(), Failure> {
    carry(paths, is_image, from, output, report)
}

/// Like [`carry_images`], for the material libraries of an OBJ file. They are text, so only their extension tells.
pub(crate) fn carry_libraries<'p>(
    paths: impl IntoIterator<Item = &'p str>,
    from: &dyn Folder,
    output: &mut dyn Output,
    report: &mut Report,
) -> Result<(), Failure> {
    let is_library = |_: &Content<'_>, path: &str| path.to_ascii_lowercase().ends_with(".mtl");
    carry(paths, is_library, from, output, report)
}

fn carry<'p>(
    paths: impl IntoIterator<Item = &'p str>,
    is_wanted: impl Fn(&Content<'_>, &str) -> bool,
    from: &dyn Folder,
    output: &mut dyn Output,
    report: &mut Report,
) -> Result<(), Failure> {
    if !output.takes_side_files() || !is_elsewhere(from, output) {
        return Ok(());
    }
    for path in paths.into_iter().collect::<BTreeSet<_>>() {
        let bytes = match from.read(path, Limits::default().max_file_bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("{path:?} is not copied: {error}");
                if from.contains(path) {
                    let code = git_lfs::code_of(&error, &codes::CANNOT_READ);
                    report.warning(code, Place::WHOLE, message);
                }
                continue;
            }
        };
        if !is_wanted(&Content::Memory(Cow::Borrowed(&bytes)), path) {
            not_an_image(path, Place::WHOLE, report);
            continue;
        }
        let there = output.beside().filter(|folder| folder.contains(path));
        let same = there.map(|f| f.read(path, bytes.len() as u64).is_ok_and(|other| other == bytes));
        if same == Some(true) {
            continue;
        }
        if same == Some(false) || !output.has_room_for(path) {
            let message =
                format!("{path:?} is not copied, because something else of that name is beside the output");
            report.warning(&codes::IMAGE_IN_THE_WAY, Place::WHOLE, message);
        } else if let Err(error) = output.side_file(path, &mut |file| file.write_all(&bytes)) {
            let what = format!("cannot write {path:?}");
            return Err(report.system(&codes::CANNOT_WRITE, Place::WHOLE, &what, error));
        }
    }
    Ok(())
}

/// Whether a file is an image, by its first bytes and, for some types, its name.
pub(crate) fn is_image(content: &Content<'_>, name: &str) -> bool {
    content.head(SIGNATURE_BYTES).is_ok_and(|head| images::is_image(&head, name))
}

/// Reports that a file was not copied because it is not an image: a model may name any file of its folder.
pub(crate) fn not_an_image(path: &str, place: Place, report: &mut Report) {
    let message = format!(
        "{path:?} is not an image or library of a known type, so it is not copied; the reference is kept"
    );
    report.warning(&codes::NOT_AN_IMAGE, place, &*message);
    let object = format!("image {path:?}");
    report.loss(Loss::dropped(
        &IMAGE_LEFT,
        object,
        1,
        "the file is not an image or library, so it is not copied",
    ));
}

/// Whether the output is in a different folder than the source.
pub(crate) fn is_elsewhere(from: &dyn Folder, output: &dyn Output) -> bool {
    let real = |folder: Option<&std::path::Path>| folder.and_then(|f| f.canonicalize().ok());
    let here = real(from.directory());
    here.is_none() || here != real(output.directory())
}
