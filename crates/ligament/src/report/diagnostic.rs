use super::{Code, Remedy};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

crate::words! {
    /// How serious a diagnostic is.
    #[derive(PartialOrd, Ord)]
    pub enum Severity(name) {
        /// Worth knowing.
        Note = "note",
        /// Readable, but probably not what was meant.
        Warning = "warning",
        /// Breaks a rule. A reader gives no scene; a stricter rule of `validate` may be broken by a file that can be read.
        Error = "error",
    }
}

/// Something found at a place in a file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The rule that it is about.
    pub code: &'static Code,
    /// What was found and what was expected, in one sentence without a full stop.
    pub message: String,
    /// Its place in the file.
    pub place: Place,
    /// Advice for this case, if there is any.
    pub help: Option<String>,
    /// The setting that avoids it, if there is one.
    pub remedy: Option<Remedy>,
    /// The file it is about; set by the report.
    pub file: Arc<str>,
    /// The text around the place, if that is in a text that is not the file itself: packed, or in another encoding.
    pub quote: Option<Quote>,
}

/// A piece of the text that a place is in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quote {
    /// The offset of its first byte in the text.
    pub start: u64,
    /// Its bytes.
    pub bytes: Box<[u8]>,
}

impl Quote {
    /// Bytes before a place, and from it on.
    const AROUND: usize = 128;

    pub(super) fn of(text: &[u8], place: &Place) -> Option<Self> {
        let at = usize::try_from(place.span.as_ref()?.start).ok()?;
        let start = at.saturating_sub(Self::AROUND);
        let bytes = text.get(start..text.len().min(at.saturating_add(Self::AROUND)))?;
        Some(Self { start: start as u64, bytes: bytes.into() })
    }
}

impl Diagnostic {
    /// A diagnostic without help.
    pub fn new(severity: Severity, code: &'static Code, place: Place, message: impl Into<String>) -> Self {
        let file = Arc::from("");
        Self { severity, code, message: message.into(), place, help: None, remedy: None, file, quote: None }
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the setting that avoids it.
    pub(crate) fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(remedy);
        self
    }
}

impl fmt::Display for Diagnostic {
    /// `file:line:column: error[PF101]: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
        }
        if let Some((line, column)) = self.place.line_column {
            write!(f, "{line}:{column}:")?;
        } else if let Some(span) = &self.place.span {
            write!(f, "byte {}:", span.start)?;
        }
        if !self.file.is_empty() || self.place.span.is_some() {
            f.write_str(" ")?;
        }
        write!(f, "{}[{}]: ", self.severity.name(), self.code.id)?;
        if let Some(field) = &self.place.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// A place in a file: a span of text, a byte offset, a field of a structure, or several of these.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Place {
    /// Bytes of the file.
    pub span: Option<Range<u64>>,
    /// Line and column of the span's start in a text file, both counted from 1; columns are bytes.
    pub line_column: Option<(u32, u32)>,
    /// The field, as a path: `meshes[2].parts[0].faces`, `header.num_verts`.
    pub field: Option<String>,
}

impl Place {
    /// No particular place: the file as a whole.
    pub const WHOLE: Place = Place { span: None, line_column: None, field: None };

    /// A span of a text file.
    pub fn text(span: Range<usize>, line: u32, column: u32) -> Self {
        Self {
            span: Some(span.start as u64..span.end as u64),
            line_column: Some((line, column)),
            field: None,
        }
    }

    /// A field at an offset of a binary file.
    pub fn binary(offset: u64, field: impl Into<String>) -> Self {
        Self { span: Some(offset..offset), line_column: None, field: Some(field.into()) }
    }

    /// A field of a scene or document, without a position in a file.
    pub fn field(path: impl Into<String>) -> Self {
        Self { span: None, line_column: None, field: Some(path.into()) }
    }

    /// Adds a field path.
    pub fn with_field(mut self, path: impl Into<String>) -> Self {
        self.field = Some(path.into());
        self
    }
}
