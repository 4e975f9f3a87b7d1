//! The content of a {TITLE} file: raw names, raw numbers, in the file's order.

{RO}use super::codes;
use crate::formats::{ReadOptions, WriteOptions};
{RW}use crate::io::Output;
{RW}use crate::report::{Failure, Report};
{RO}use crate::io::{Output, Source};
{RO}use crate::report::{Failure, Place, Report};
use crate::scene::Scene;

{RW}/// A {TITLE} file.
{RW}#[derive(Debug, Clone, Default, PartialEq)]
{RW}pub struct Document {
{RW}    /// The model's name: the file's name without folder and extension.
{RW}    pub name: String,
{RW}}
{RO}/// A {TITLE} file. The format is read-only, so a rewrite copies the file's bytes.
{RO}pub struct Document<'a> {
{RO}    /// The file. Add a field for each thing that it contains.
{RO}    pub(super) source: Source<'a>,
{RO}}

{RW}impl crate::formats::Document for Document {
{RO}impl crate::formats::Document for Document<'_> {
    fn dialect(&self) -> &'static str {
        ""
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        super::import::import(*self, options, report)
    }

    fn write(
        &self,
        _dialect: &str,
{RW}        options: &WriteOptions,
{RO}        _options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
{RW}        super::write::write(self, options, output, report)
{RO}        let message = "ligament does not write {TITLE}; the file is copied unchanged";
{RO}        report.note(&codes::COPIED, Place::WHOLE, message);
{RO}        self.source.content.copy_to(output.main()).map_err(|error| report.cannot_write(error))
    }
}
