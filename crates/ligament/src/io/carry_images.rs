//! Copies a model's image files to where the model goes.

use super::{Folder, Output, codes, git_lfs};
use crate::Limits;
use crate::report::{Failure, Place, Report};
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
        let there = output.beside().filter(|folder| folder.contains(path));
        let same = there.map(|f| f.read(path, bytes.len() as u64).is_ok_and(|other| other == bytes));
        if let Some(same) = same {
            if !same {
                let message = format!(
                    "{path:?} is not copied, because a different file of that name is beside the output"
                );
                report.warning(&codes::IMAGE_IN_THE_WAY, Place::WHOLE, message);
            }
        } else if let Err(error) = output.side_file(path, &mut |file| file.write_all(&bytes)) {
            let what = format!("cannot write {path:?}");
            return Err(report.system(&codes::CANNOT_WRITE, Place::WHOLE, &what, error));
        }
    }
    Ok(())
}

/// Whether the output is in a different folder than the source.
pub(crate) fn is_elsewhere(from: &dyn Folder, output: &dyn Output) -> bool {
    let real = |folder: Option<&std::path::Path>| folder.and_then(|f| f.canonicalize().ok());
    let here = real(from.directory());
    here.is_none() || here != real(output.directory())
}
