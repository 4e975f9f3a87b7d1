//! `mtllib`: material libraries, each read once.

use super::{Reader, is_wide, narrow};
use crate::formats::obj::codes;
use crate::formats::obj::mtl::{self, Library};
use crate::io::{git_lfs, safe_relative};
use crate::report::{Failure, Report, Severity};
use crate::text::{Field, FieldsOf};

impl Reader<'_, '_> {
    pub(super) fn library(&mut self, fields: FieldsOf<'_>, keyword: Field<'_>) -> Result<(), Failure> {
        if fields.rest().is_empty() {
            let message = || "`mtllib` names no file".to_owned();
            self.text.tally(Severity::Warning, &codes::NO_NAME, "mtllib", keyword.spot(), message);
            return Ok(());
        }
        for field in self.files(fields) {
            self.open(field)?;
        }
        Ok(())
    }

    /// The files that a line names: the whole rest of the line if it is a file or contains only one `.mtl`, since names
    /// may contain spaces; otherwise its words.
    fn files<'l>(&self, fields: FieldsOf<'l>) -> Vec<Field<'l>> {
        let whole = fields.rest().raw().to_text();
        let is_file =
            safe_relative(&whole).is_ok_and(|path| self.folder.is_some_and(|folder| folder.contains(&path)));
        let lower = whole.to_ascii_lowercase();
        let names_one = lower.ends_with(".mtl") && lower.matches(".mtl").count() == 1;
        if is_file || names_one { vec![fields.rest()] } else { fields.collect() }
    }

    fn open(&mut self, field: Field<'_>) -> Result<(), Failure> {
        let name = self.name(field, "library");
        let path = match safe_relative(&name.to_text()) {
            Ok(path) => path,
            Err(refusal) => {
                let message = format!("library {name}: {refusal}");
                return self.error(&codes::LIBRARY_PATH, field.spot(), message);
            }
        };
        if !self.libraries.insert(path.clone()) {
            return Ok(());
        }
        let mut library = Library { name, ..Library::default() };
        if let Some(folder) = self.folder {
            match folder.read(&path, self.options.limits.max_file_bytes) {
                Ok(bytes) => {
                    let text = is_wide(&bytes).then(|| narrow(&bytes)).flatten();
                    let bytes = text.map_or(bytes, String::into_bytes);
                    library.materials = self.materials_of(&bytes, &path);
                    library.path = Some(path);
                }
                Err(error) => self.cannot_open(field, &path, &error),
            }
        }
        self.built.model.libraries.push(library);
        Ok(())
    }

    fn cannot_open(&mut self, field: Field<'_>, path: &str, error: &std::io::Error) {
        let (name, is_there) = (field.raw(), self.folder.is_some_and(|folder| folder.contains(path)));
        let (code, message) = if is_there {
            (
                git_lfs::code_of(error, &codes::LIBRARY_UNREADABLE),
                format!("library {name} cannot be read: {error}"),
            )
        } else {
            (&codes::LIBRARY_MISSING, format!("library {name} is not in the model's folder"))
        };
        self.text.tally(Severity::Warning, code, path, field.spot(), || message);
    }

    /// Messages about a library begin with the library's name.
    fn materials_of(&mut self, bytes: &[u8], path: &str) -> Vec<mtl::Material> {
        let folder = self.file.rfind(['/', '\\']).map_or("", |at| &self.file[..=at]);
        let mut report = Report::new(&format!("{folder}{path}"), self.options.limits.max_diagnostics);
        let materials = mtl::read(bytes, self.options, self.folder, &mut report);
        self.text.report.append_diagnostics(report);
        materials
    }
}
