//! Writes an exported scene in either container. `rewrite.rs` writes documents that were read.

use super::export::Chunk;
use super::json::{Buffer, Root};
use super::uri::{Uri, percent_encode};
use super::{codes, container};
use crate::io::Output;
use crate::report::{Failure, Place, Report};
use base64::Engine;
use std::io::{self, Write};

/// A finished export: the JSON, and the arrays that it describes.
pub(super) struct Built {
    /// Everything except the buffers.
    pub(super) root: Root,
    pub(super) chunks: Vec<Chunk>,
    /// Total bytes of all arrays, including padding between them.
    pub(super) length: u64,
}

impl Built {
    pub(super) fn write(
        mut self,
        is_glb: bool,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let written = if is_glb { self.write_glb(output.main(), report)? } else { self.write_gltf(output) };
        written.map_err(|error| report.cannot_write(error))
    }

    fn buffer(&self, uri: Option<String>) -> Vec<Buffer> {
        if self.length == 0 {
            return Vec::new();
        }
        vec![Buffer { uri: uri.map(Uri::Text), byte_length: Some(self.length), ..Buffer::default() }]
    }

    fn write_glb(&mut self, output: &mut dyn Write, report: &mut Report) -> Result<io::Result<()>, Failure> {
        self.root.buffers = self.buffer(None);
        let json = serde_json::to_vec(&self.root).unwrap_or_default();
        match container::write_head(output, &json, self.length) {
            None => Err(too_long(report)),
            Some(head) => Ok(head.and_then(|()| {
                self.write_chunks(output)?;
                output.write_all(&[0; 3][..container::padding(self.length) as usize])
            })),
        }
    }

    fn write_gltf(&mut self, output: &mut dyn Output) -> io::Result<()> {
        if output.takes_side_files() && self.length > 0 {
            let file = format!("{}.bin", output.stem());
            self.root.buffers = self.buffer(Some(percent_encode(&file)));
            output.side_file(&file, &mut |side| self.write_chunks(side))?;
        } else if self.length > 0 {
            let mut bytes = Vec::with_capacity(self.length as usize);
            self.write_chunks(&mut bytes)?;
            self.root.buffers = self.buffer(Some(data_uri(&bytes)));
        }
        serde_json::to_writer_pretty(&mut *output.main(), &self.root)?;
        output.main().write_all(b"\n")
    }

    fn write_chunks(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut length = 0;
        for chunk in &self.chunks {
            output.write_all(&[0; 3][..container::padding(length) as usize])?;
            length += container::padding(length) + chunk.bytes().len() as u64;
            chunk.write(output)?;
        }
        Ok(())
    }
}

/// Encodes a buffer's bytes as a data URI.
pub(super) fn data_uri(bytes: &[u8]) -> String {
    let mut uri = "data:application/octet-stream;base64,".to_owned();
    base64::engine::general_purpose::STANDARD.encode_string(bytes, &mut uri);
    uri
}

pub(super) fn too_long(report: &mut Report) -> Failure {
    let message = "a GLB file cannot be longer than 4 GiB; write a .gltf file instead";
    report.error(&codes::GLB, Place::WHOLE, message);
    Failure::Invalid
}
