//! Standard output and error: results to the one, errors to the other, colours only on a terminal.

use crate::exit::Exit;
use crate::render::style;
use serde_json::Value;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

/// Where a command writes. Writing never fails from a command's point of view: a reader that closed its pipe has seen
/// enough, and any other failure is remembered for the exit code.
pub struct Console {
    out: anstream::Stdout,
    err: anstream::Stderr,
    closed: bool,
    failed: Option<io::Error>,
}

impl Console {
    pub fn new() -> Self {
        Self { out: anstream::stdout(), err: anstream::stderr(), closed: false, failed: None }
    }

    /// Text of a result; colours are taken out unless standard output is a terminal.
    pub fn out(&mut self, text: &str) {
        if !self.closed {
            let written = self.out.write_all(text.as_bytes());
            self.note_failure(written);
        }
    }

    /// Text about what went wrong. There is nowhere to tell that this could not be written.
    pub fn err(&mut self, text: &str) {
        let _ = self.err.write_all(text.as_bytes());
    }

    /// Bytes of a result, exactly as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        if !self.closed {
            let written = io::stdout().lock().write_all(bytes);
            self.note_failure(written);
        }
    }

    /// A result as indented JSON.
    pub fn json(&mut self, value: &Value) {
        let text = style::json(value);
        self.raw(text.as_bytes());
    }

    /// Whether a person would see the bytes of [`raw`](Self::raw) as they are.
    pub fn out_is_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// The process's exit code, once everything is out.
    pub fn finish(mut self, exit: Exit) -> ExitCode {
        let flushed = io::stdout().lock().flush();
        self.note_failure(flushed);
        match self.failed.take() {
            Some(error) => {
                let text = format!("{}: cannot write to standard output: {error}\n", style::error("error"));
                self.err(&text);
                ExitCode::from(Exit::Io as u8)
            }
            None => ExitCode::from(exit as u8),
        }
    }

    fn note_failure(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.closed = true;
            if error.kind() != ErrorKind::BrokenPipe && self.failed.is_none() {
                self.failed = Some(error);
            }
        }
    }
}
