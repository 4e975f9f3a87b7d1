//! A glTF file exactly as it says it: the JSON text, and the bytes of its buffers wherever they are.

use super::export::Built;
use super::json::Root;
use super::locate::Places;
use super::uri::Uri;
use super::v1::{self, Converted, Origins};
use super::{codes, container, import, json_error, locate, rewrite};
use crate::formats::{ReadOptions, WriteOptions};
use crate::io::{Content, MemoryOutput, Output, Source};
use crate::report::{Diagnostic, Failure, Loss, Place, Report, Severity};
use crate::scene::Scene;
use std::borrow::Cow;
use std::ops::Range;

/// Files up to this size are read at once: for them, many small reads cost more than the memory.
const SMALL: u64 = 1 << 20;

/// A glTF or GLB file.
///
/// A document that was read keeps the file, not a copy of it: written in its own dialect it gives the same bytes, and in
/// the other one the same JSON but for the buffers' URIs. One of glTF 1.0 goes through a scene to become 2.0.
pub struct Document<'a> {
    pub(super) is_glb: bool,
    pub(super) root: Root,
    /// What the objects are called in a file of glTF 1.0, from which `root` was made.
    pub(super) first: Option<Origins>,
    /// Which buffer is a GLB's binary chunk.
    pub(super) bin_buffer: Option<usize>,
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
        let (json, glb_bin, is_first) = if is_glb {
            let glb = container::read(&source, report)?;
            (glb.json, glb.bin, glb.is_first)
        } else {
            (0..source.content.len(), None, false)
        };
        let (parsed, skipped, unknown_extensions) = {
            let text = source.range(json.start, json.end - json.start, report)?;
            let skipped = byte_order_mark(&text, json.start, is_glb, report);
            let text = &text[skipped as usize..];
            let base = json.start + skipped;
            let mut parsed = match parse(text, base, is_glb, is_first, report)? {
                Parsed::Second(root) => (*root, None, Some(0)),
                Parsed::First(first) => {
                    let places = Places::new(&source, base..json.end, is_glb);
                    let has_body = is_first && glb_bin.is_some();
                    let Converted { root, origins, body } =
                        v1::convert(&first, text.len(), has_body, &places, report)?;
                    (root, Some(origins), body)
                }
            };
            let root = &mut parsed.0;
            let uris = root.buffers.iter_mut().map(|b| &mut b.uri);
            let uris = uris.chain(root.images.iter_mut().map(|i| &mut i.uri));
            uris.flatten().for_each(|uri: &mut Uri| uri.settle(text));
            let known = extensions(parsed.1.is_some());
            let unknown = unknown_extensions(&parsed.0, text, known);
            (parsed, skipped, unknown)
        };
        let json = json.start + skipped..json.end;
        let (root, first, bin_buffer) = parsed;
        let body = Body::Read(source);
        Ok(Self { is_glb, root, first, bin_buffer, json, glb_bin, body, unknown_extensions })
    }

    pub(super) fn built(is_glb: bool, root: Root, built: Built) -> Self {
        Self {
            is_glb,
            root,
            first: None,
            bin_buffer: None,
            json: 0..0,
            glb_bin: None,
            body: Body::Built(built),
            unknown_extensions: Vec::new(),
        }
    }

    /// Where the fields of the document are in its file.
    pub(super) fn places<'s>(&'s self, source: &'s Source<'a>) -> Places<'s, 'a> {
        Places::new(source, self.json.clone(), self.is_glb).with_origins(self.first.as_ref())
    }

    /// The extensions that can be read in its version.
    pub(super) fn extensions(&self) -> &'static [&'static str] {
        extensions(self.first.is_some())
    }
}

fn extensions(is_first: bool) -> &'static [&'static str] {
    if is_first { v1::EXTENSIONS } else { super::EXTENSIONS }
}

impl crate::formats::Document for Document<'_> {
    fn dialect(&self) -> &'static str {
        if self.first.is_some() { super::FIRST } else { self.rewrite_dialect() }
    }

    fn rewrite_dialect(&self) -> &'static str {
        if self.is_glb { "glb" } else { "gltf" }
    }

    fn can_write(&self, dialect: &str) -> bool {
        self.first.is_none() || dialect == super::FIRST
    }

    fn import(mut self: Box<Self>, options: &ReadOptions, report: &mut Report) -> Result<Scene, Failure> {
        match &self.body {
            Body::Read(_) => {
                let clip_extras = self.root.animations.iter_mut().map(|a| a.extras.take()).collect();
                let Body::Read(source) = &self.body else { return Err(Failure::Invalid) };
                let scene = import::import(&self, clip_extras, source, options, report)?;
                for (name, count) in &self.unknown_extensions {
                    let message = format!("{name} is not supported, and what it adds is dropped");
                    report.loss(Loss::dropped(&codes::EXTENSION, "", *count, message));
                }
                Ok(scene)
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
        let dialect = options.dialect.as_deref().unwrap_or(self.dialect());
        match &self.body {
            Body::Read(source) if self.first.is_some() => rewrite::copy_first(self, source, output, report),
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

/// The JSON as either version has it.
enum Parsed {
    First(Box<v1::Source>),
    Second(Box<Root>),
}

fn parse(
    text: &[u8],
    base: u64,
    is_glb: bool,
    is_first: bool,
    report: &mut Report,
) -> Result<Parsed, Failure> {
    check_proportion(text, base, is_glb, report)?;
    // Checked as a whole, which is faster than string by string.
    let checked = std::str::from_utf8(text).map_err(|error| {
        let at = error.valid_up_to();
        let place = locate::place(text, at..at + 1, base, is_glb);
        report.invalid(&codes::JSON, place, "the JSON is not UTF-8")
    })?;
    let mut fault = |error: serde_json::Error| {
        let (range, field) = json_error::find(text, &error);
        let place = locate::place(text, range, base, is_glb);
        let place = if field.is_empty() { place } else { place.with_field(field) };
        report.invalid(&codes::JSON, place, json_error::message(&error))
    };
    if !is_first {
        // Nearly all files are of 2.0, so those are not looked at twice.
        match serde_json::from_str::<Root>(checked) {
            Ok(root) if !states_first(&root) => {
                check_version(&root, text, base, is_glb, report)?;
                return Ok(Parsed::Second(Box::new(root)));
            }
            Err(error) if !json_error::is_version_1(text) => return Err(fault(error)),
            _ => {}
        }
    }
    let first = serde_json::from_str(checked).map_err(fault)?;
    Ok(Parsed::First(Box::new(first)))
}

fn states_first(root: &Root) -> bool {
    root.asset.as_ref().is_some_and(|asset| json_error::is_first(&asset.version))
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
    let place = || version_place(text, base, is_glb);
    let Some(asset) = root.asset.as_ref().filter(|asset| !asset.version.is_empty()) else {
        return Err(report.invalid(&codes::VERSION, place(), "there is no `asset` that names the version"));
    };
    let needed = asset.min_version.as_ref().unwrap_or(&asset.version);
    if needed.split('.').next() != Some("2") || (asset.min_version.is_some() && needed != "2.0") {
        return Err(wrong_version(needed, place(), report));
    }
    Ok(())
}

/// Where the version is stated.
fn version_place(text: &[u8], base: u64, is_glb: bool) -> Place {
    let range = locate::range(text, &["asset", "version"]).unwrap_or(0..0);
    locate::place(text, range, base, is_glb).with_field("asset.version")
}

/// Refuses a version and says what to do with the file.
pub(super) fn wrong_version(version: &str, place: Place, report: &mut Report) -> Failure {
    let message = format!("this is glTF {version}; only glTF 1.0 and 2.0 are read");
    let diagnostic = Diagnostic::new(Severity::Error, &codes::VERSION, place, message);
    let is_old = version.starts_with('0');
    report.push(match is_old {
        true => diagnostic
            .help("convert it to glTF 2.0 first, for example with `gltf-pipeline -i old.gltf -o new.gltf`"),
        false => diagnostic,
    });
    Failure::Invalid
}

fn unknown_extensions(root: &Root, text: &[u8], known: &[&str]) -> Vec<(String, usize)> {
    let is_unknown = |name: &&String| !known.contains(&name.as_str());
    let mut names: Vec<&String> = root.extensions_used.iter().filter(is_unknown).collect();
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
