//! The files of a call.

use ligament::io::{Content, MemoryFolder, Source, codes};
use ligament::report::Place;
use ligament::{Failure, Report};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Files in memory by path, with `/` between folders.
#[wasm_bindgen]
#[derive(Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

#[wasm_bindgen]
impl Files {
    /// No files yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces it.
    pub fn add(&mut self, path: String, bytes: Vec<u8>) {
        self.0.insert(path, bytes);
    }
}

impl Files {
    /// One of the files as an input, with the files of its folder around it.
    pub fn source(&self, path: &str, report: &mut Report) -> Result<Source<'_>, Failure> {
        report.set_file(path);
        let Some(bytes) = self.0.get(path) else {
            report.error(&codes::CANNOT_READ, Place::WHOLE, "cannot read: there is no such file");
            return Err(Failure::Io);
        };
        Ok(Source {
            name: path.to_owned(),
            content: Content::Memory(Cow::Borrowed(bytes)),
            folder: Arc::new(MemoryFolder::around(&self.0, path)),
        })
    }
}
