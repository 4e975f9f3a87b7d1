//! A glTF file exactly as it says it: the JSON text, and the bytes of its buffers wherever they are.

use super::export::Built;
use super::json::Root;
use super::uri::Uri;
use super::{codes, container, import, locate, rewrite};
use crate::formats::{ReadOptions, WriteOptions};
use crate::io::{Content, MemoryOutput, Output, Source};
use crate::report::{Failure, Loss, Place, Report};
use crate::scene::Scene;
use std::borrow::Cow;
use std::ops::Range;

/// Files up to this size are read at once: for them, many small reads cost more than the memory.
const SMALL: u64 = 1 << 20;

/// A glTF or GLB file.
///
/// A document that was read keeps the file, not a copy of it: written in its own dialect it gives the same bytes, and in
/// the other one the same JSON but for the buffers' URIs.
pub struct Document<'a> {
    pub(super) dialect: &'static str,
    pub(super) root: Root,
    /// Where the JSON lies in the source.
    pub(super) json: Range<u64>,
    /// Where a GLB's binary chunk lies in the source.
    pub(super) glb_bin: Option<Range<u64>>,
    pub(super) body: Body<'a>,
    /// Optional extensions that import cannot use, and how often each occurs.
    pub(super) unknown_extensions: Vec<(String, usize)>,
}

pub(super) enum Body<'a> {
    /// Read from this source.
    Read(Source<'a>),
    /// Made from a scene.
    Built(Built),
}

impl<'a> Document<'a> {
    /// Reads a file's structure. Its buffers are looked up when the document is imported or written.
    pub fn read(mut source: Source<'a>, report: &mut Report) -> Result<Self, Failure> {
        if matches!(source.content, Content::File(..)) && source.content.len() <= SMALL {
            let bytes = source.bytes(report)?.into_owned();
            source.content = Content::Memory(Cow::Owned(bytes));
        }
        let head = source.range(0, source.content.len().min(4), report)?;
        let is_glb = head.starts_with(&container::MAGIC[..head.len().min(4)]) && !head.is_empty();
        let (json, glb_bin) = if is_glb {
            let glb = container::read(&source, report)?;
            (glb.json, glb.bin)
        } else {
            (0..source.content.len(), None)
        };
        let (root, skipped, unknown_extensions) = {
            let text = source.range(json.start, json.end - json.start, report)?;
            let skipped = byte_order_mark(&text, json.start, is_glb, report);
            let text = &text[skipped as usize..];
            let base = json.start + skipped;
            let mut root = parse(text, base, is_glb, report)?;
            let uris = root.buffers.iter_mut().map(|b| &mut b.uri);
            let uris = uris.chain(root.images.iter_mut().map(|i| &mut i.uri));
            uris.flatten().for_each(|uri: &mut Uri| uri.settle(text));
            let unknown = unknown_extensions(&root, text);
            (root, skipped, unknown)
        };
        let json = json.start + skipped..json.end;
        let dialect = if is_glb { "glb" } else { "gltf" };
        Ok(Self { dialect, root, json, glb_bin, body: Body::Read(source), unknown_extensions })
    }

    pub(super) fn built(dialect: &'static str, root: Root, built: Built) -> Self {
        let body = Body::Built(built);
        Self { dialect, root, json: 0..0, glb_bin: None, body, unknown_extensions: Vec::new() }
    }
}

impl crate::formats::Document for Document<'_> {
    fn dialect(&self) -> &'static str {
        self.dialect
    }

    fn can_write(&self, _: &str) -> bool {
        true
    }

    fn import(self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        match &self.body {
            Body::Read(source) => {
                for (name, count) in &self.unknown_extensions {
                    let message = format!("{name} is not supported, and what it adds is dropped");
                    report.loss(Loss::dropped(&codes::EXTENSION, "", *count, message));
                }
                import::import(&self, source, options, report)
            }
            Body::Built(_) => {
                let mut output = MemoryOutput::new("scene");
                let write = WriteOptions { dialect: Some("glb".to_owned()), ..WriteOptions::default() };
                self.write(&write, &mut output, report)?;
                drop(self);
                let again = Document::read(output.source("scene.glb"), report)?;
                Box::new(again).import(options, report)
            }
        }
    }

    fn write(
        &self,
        options: &WriteOptions,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let dialect = options.dialect.as_deref().unwrap_or(self.dialect);
        match &self.body {
            Body::Read(source) => rewrite::rewrite(self, source, dialect == "glb", output, report),
            Body::Built(built) => built.write(&self.root, dialect == "glb", output, report),
        }
    }
}

/// A byte order mark is against the specification, but Windows editors add one.
fn byte_order_mark(text: &[u8], base: u64, is_glb: bool, report: &mut Report) -> u64 {
    if !text.starts_with(b"\xEF\xBB\xBF") {
        return 0;
    }
    let place = locate::place(text, 0..3, base, is_glb);
    report.warning(&codes::EXTRA_DATA, place, "the JSON starts with a byte order mark, which is ignored");
    3
}

fn parse(text: &[u8], base: u64, is_glb: bool, report: &mut Report) -> Result<Root, Failure> {
    check_proportion(text, base, is_glb, report)?;
    if let Err(error) = std::str::from_utf8(text) {
        let at = error.valid_up_to();
        let place = locate::place(text, at..at + 1, base, is_glb);
        return Err(report.invalid(&codes::JSON, place, "the JSON is not UTF-8"));
    }
    let root: Root = serde_json::from_slice(text).map_err(|error| {
        let at = offset(text, error.line(), error.column());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        report.invalid(&codes::JSON, locate::place(text, at..at, base, is_glb), message)
    })?;
    check_version(&root, text, base, is_glb, report)?;
    Ok(root)
}

/// The byte at a line and column of serde_json, both counted from 1 (0 at the very start).
fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].iter().position(|&b| b == b'\n').map_or(0, |at| at + 1);
    }
    (start + column.saturating_sub(1)).min(text.len())
}

/// Refuses JSON that would turn into much more memory than it is long: three bytes can ask for a whole object.
fn check_proportion(text: &[u8], base: u64, is_glb: bool, report: &mut Report) -> Result<(), Failure> {
    const OBJECT: u64 = 256;
    const VALUE: u64 = 48;
    let objects = memchr::memchr_iter(b'{', text).count() as u64;
    let values = memchr::memchr_iter(b',', text).count() as u64;
    if objects * OBJECT + values * VALUE > 24 * text.len() as u64 + (12 << 20) {
        let message = format!("{objects} objects in {} bytes are out of proportion", text.len());
        let place = locate::place(text, 0..0, base, is_glb);
        return Err(report.invalid(&codes::TOO_BIG, place, message));
    }
    Ok(())
}

fn check_version(
    root: &Root,
    text: &[u8],
    base: u64,
    is_glb: bool,
    report: &mut Report,
) -> Result<(), Failure> {
    let place: Place = locate::place(text, 0..0, base, is_glb).with_field("asset.version");
    let Some(asset) = &root.asset else {
        return Err(report.invalid(&codes::VERSION, place, "there is no `asset` that names the version"));
    };
    let needed = asset.min_version.as_ref().unwrap_or(&asset.version);
    if needed.split('.').next() != Some("2") || (asset.min_version.is_some() && needed != "2.0") {
        let message = format!("glTF version {needed:?}; only 2.0 is known");
        return Err(report.invalid(&codes::VERSION, place, message));
    }
    Ok(())
}

fn unknown_extensions(root: &Root, text: &[u8]) -> Vec<(String, usize)> {
    let known = |name: &&String| !super::EXTENSIONS.contains(&name.as_str());
    let mut names: Vec<&String> = root.extensions_used.iter().filter(known).collect();
    names.sort();
    names.dedup();
    names.into_iter().map(|name| (name.clone(), uses(text, name).max(1))).collect()
}

/// How often an extension occurs as a key.
fn uses(text: &[u8], name: &str) -> usize {
    let quoted = format!("\"{name}\"");
    let is_key = |at: &usize| {
        let rest = &text[at + quoted.len()..];
        rest.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':')
    };
    memchr::memmem::find_iter(text, quoted.as_bytes()).filter(is_key).count()
}
