//! `mtllib`: libraries of materials, each read once.

use super::line::Line;
use super::{Reader, is_wide, narrow};
use crate::formats::obj::codes;
use crate::formats::obj::mtl::{self, Library};
use crate::io::safe_relative;
use crate::report::{Failure, Report, Severity};
use crate::text::{Fields, RawText};
use std::ops::Range;

impl Reader<'_> {
    pub(super) fn library(
        &mut self,
        line: &Line<'_>,
        fields: &Fields<'_>,
        keyword: Range<usize>,
    ) -> Result<(), Failure> {
        let rest = fields.rest();
        if rest.is_empty() {
            let message = || (line.place(keyword), "`mtllib` names no file".to_owned());
            self.tallies.add(Severity::Warning, &codes::NO_NAME, "mtllib", message);
            return Ok(());
        }
        for span in self.files(line, fields, rest) {
            self.open(line, span)?;
        }
        Ok(())
    }

    /// The files that a line names: all of it if that is a file or holds only one `.mtl`, since names may hold spaces; else
    /// its words.
    fn files(&self, line: &Line<'_>, fields: &Fields<'_>, rest: Range<usize>) -> Vec<Range<usize>> {
        let whole = String::from_utf8_lossy(&line.text[rest.clone()]).into_owned();
        let is_file =
            safe_relative(&whole).is_ok_and(|path| self.folder.is_some_and(|folder| folder.contains(&path)));
        let lower = whole.to_ascii_lowercase();
        let names_one = lower.ends_with(".mtl") && lower.matches(".mtl").count() == 1;
        if is_file || names_one { vec![rest] } else { fields.clone().collect() }
    }

    fn open(&mut self, line: &Line<'_>, span: Range<usize>) -> Result<(), Failure> {
        let name = self.name(line, span.clone(), "library");
        let path = match safe_relative(&name.to_text()) {
            Ok(path) => path,
            Err(refusal) => {
                return self.error(
                    &codes::LIBRARY_PATH,
                    line.place(span),
                    format!("library {name}: {refusal}"),
                );
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
                Err(error) => self.cannot_open(line, span, &library.name, &path, &error),
            }
        }
        self.model.libraries.push(library);
        Ok(())
    }

    fn cannot_open(
        &mut self,
        line: &Line<'_>,
        span: Range<usize>,
        name: &RawText,
        path: &str,
        error: &std::io::Error,
    ) {
        let is_there = self.folder.is_some_and(|folder| folder.contains(path));
        let (code, message) = if is_there {
            (&codes::LIBRARY_UNREADABLE, format!("library {name} cannot be read: {error}"))
        } else {
            (&codes::LIBRARY_MISSING, format!("library {name} is not in the model's folder"))
        };
        self.tallies.add(Severity::Warning, code, path, || (line.place(span), message));
    }

    /// What is said about a library has the library's name before it.
    fn materials_of(&mut self, bytes: &[u8], path: &str) -> Vec<mtl::Material> {
        let folder = self.file.rfind(['/', '\\']).map_or("", |at| &self.file[..=at]);
        let mut report = Report::new(&format!("{folder}{path}"), self.options.limits.max_diagnostics);
        let materials = mtl::read(bytes, self.options, self.folder, &mut report);
        self.report.append_diagnostics(report);
        materials
    }
}
