//! The chunks of a GLB file. Reading has checked that they fit; here is what it passes over.

use super::view::List;
use super::{Rules, at, codes};
use crate::report::Severity;

pub(super) fn check(rules: &mut Rules<'_, '_, '_, '_>) {
    const JSON: u32 = u32::from_le_bytes(*b"JSON");
    const BIN: u32 = u32::from_le_bytes(*b"BIN\0");
    if !rules.document.is_glb {
        return;
    }
    let content = &rules.document.source.content;
    let word = |at: u64| {
        let bytes = content.range(at, 4).ok()?;
        Some(u32::from_le_bytes(bytes.as_ref().try_into().ok()?))
    };
    let Some(end) = word(8).map(u64::from) else { return };
    let (mut at, mut index) = (12, 0);
    let mut seen = [false; 2];
    while let (Some(length), Some(kind)) = (word(at), word(at + 4)) {
        if at >= end {
            break;
        }
        let mut error = |field: &str, offset: u64, message: String| {
            rules.at_byte(
                Severity::Error,
                &codes::CHUNKS,
                offset,
                format!("chunks[{index}].{field}"),
                message,
            );
        };
        if !length.is_multiple_of(4) {
            error("length", at, format!("a length of {length} is not a multiple of 4"));
        }
        match kind {
            JSON | BIN => {
                let seen = &mut seen[usize::from(kind == BIN)];
                let name = if kind == BIN { "binary" } else { "JSON" };
                if *seen {
                    error("type", at + 4, format!("there is already a {name} chunk"));
                } else if kind == BIN && index > 1 {
                    error("type", at + 4, "the binary chunk must be the second".to_owned());
                }
                *seen = true;
            }
            _ => {}
        }
        at += 8 + u64::from(length);
        index += 1;
    }
    // A second buffer without a URI may stand for data that an extension brings.
    let first = List::Buffers.of(rules.root).first();
    if first.is_some_and(|buffer| buffer.get("uri").is_none()) && !seen[1] {
        rules.error(
            &codes::BUFFER,
            at!["buffers", 0],
            "the buffer has no uri, and the file has no binary chunk",
        );
    }
}
