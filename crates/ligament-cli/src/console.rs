//! Standard output and standard error: results go to the former, errors to the latter, colours only to a terminal.

use crate::exit::Exit;
use crate::render::style;
use serde_json::Value;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

/// The output of a command. Writing never fails from a command's point of view: a reader that closed its pipe has seen
/// enough, and any other failure is kept for the exit code.
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

    /// Prints the text of a result, without colours unless standard output is a terminal.
    pub fn out(&mut self, text: &str) {
        if !self.closed {
            let written = self.out.write_all(text.as_bytes());
            self.note_failure(written);
        }
    }

    /// Prints an error message. If this fails, there is nowhere to report it.
    pub fn err(&mut self, text: &str) {
        let _ = self.err.write_all(text.as_bytes());
    }

    /// Writes the bytes of a result unchanged.
    pub fn raw(&mut self, bytes: &[u8]) {
        if !self.closed {
            let written = io::stdout().lock().write_all(bytes);
            self.note_failure(written);
        }
    }

    /// Prints a result as indented JSON.
    pub fn json(&mut self, value: &Value) {
        let text = style::json(value);
        self.raw(text.as_bytes());
    }

    /// Whether the bytes of [`raw`](Self::raw) would appear on a terminal.
    pub fn out_is_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Flushes everything and returns the process's exit code.
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
