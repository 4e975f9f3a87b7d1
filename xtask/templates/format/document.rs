//! The content of a {TITLE} file: raw names, raw numbers, in the file's order.

use crate::formats::{ReadOptions, WriteOptions};
use crate::io::Output;
use crate::report::{Failure, Report};
use crate::scene::Scene;

/// A {TITLE} file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// The model's name: the file's name without folder and extension.
    pub name: String,
}

impl crate::formats::Document for Document {
    fn dialect(&self) -> &'static str {
        ""
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        super::import::import(*self, options, report)
    }

    fn write(
        &self,
        _dialect: &str,
        options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        super::write::write(self, options, output, report)
    }
}
