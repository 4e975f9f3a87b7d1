use ligament::Report;
use ligament::report::{Diagnostic, Place, Severity, drawing};
use std::fmt;

/// Why there is no picture. Everything milder is a [note](crate::Notes) beside one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// There is no graphics driver that could draw; the text says what to install.
    NoAdapter(String),
    /// The driver did not start.
    NoDevice(String),
    /// The device is gone: unplugged, reset, or out of memory beyond repair. A new [`Gpu`](crate::Gpu) may work.
    Lost(String),
    /// The device does not have enough memory for this model or picture.
    OutOfMemory(String),
    /// A picture is larger than the device can hold.
    TooLarge(String),
    /// A model is larger than the device can hold.
    ModelTooLarge(String),
    /// The device rejected a command: a bug in this crate or in the driver.
    Refused(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::NoAdapter(why) => write!(f, "no graphics driver can draw: {why}"),
            RenderError::NoDevice(why) => write!(f, "the graphics driver did not start: {why}"),
            RenderError::Lost(why) => write!(f, "the graphics device was lost: {why}"),
            RenderError::OutOfMemory(why) => {
                write!(f, "the graphics device is out of memory: {why}")
            }
            RenderError::TooLarge(what) | RenderError::ModelTooLarge(what) => f.write_str(what),
            RenderError::Refused(why) => write!(f, "the graphics device refused to draw: {why}"),
        }
    }
}

impl std::error::Error for RenderError {}

impl RenderError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            RenderError::NoAdapter(_) => {
                "install a Vulkan driver; one that needs no graphics card is lavapipe: \
                 `apt install mesa-vulkan-drivers` on Debian and Ubuntu, `dnf install mesa-vulkan-drivers` on Fedora, \
                 `pacman -S vulkan-swrast` on Arch"
            }
            RenderError::NoDevice(_) | RenderError::Lost(_) | RenderError::Refused(_) => {
                "update the graphics driver, or choose lavapipe with VK_DRIVER_FILES (vulkaninfo lists the drivers)"
            }
            RenderError::OutOfMemory(_) => "make the picture or the model smaller",
            RenderError::TooLarge(_) => "make the picture smaller",
            RenderError::ModelTooLarge(_) => "make the model smaller, or split it",
        }
    }

    /// The error as a diagnostic.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = match self {
            RenderError::NoAdapter(_) => &drawing::NO_DRIVER,
            RenderError::TooLarge(_) | RenderError::ModelTooLarge(_) => &drawing::TOO_LARGE,
            _ => &drawing::DEVICE,
        };
        Diagnostic::new(Severity::Error, code, Place::WHOLE, self.to_string()).help(self.help())
    }
}

/// Remarks about a picture, such as a missing texture or joint names without room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes(Vec<Note>);

/// One remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its subject.
    pub kind: NoteKind,
    /// One sentence without a full stop.
    pub message: String,
}

/// The subject of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A texture could not be shown, or not faithfully.
    Texture,
    /// Part of the model could not be shown, or there is nothing to show.
    Model,
    /// A requested overlay had no room or nothing to show.
    Overlay,
}

impl Notes {
    /// Adds a note, once.
    pub fn add(&mut self, kind: NoteKind, message: impl Into<String>) {
        let note = Note { kind, message: message.into() };
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }

    /// Adds the notes of another list.
    pub fn extend(&mut self, other: Notes) {
        other.0.into_iter().for_each(|note| self.add(note.kind, note.message));
    }

    /// Adds the notes to a report, each once.
    pub fn tell(&self, report: &mut Report) {
        for note in self.iter() {
            if report.diagnostics().iter().any(|known| known.message == note.message) {
                continue;
            }
            match note.kind {
                NoteKind::Texture => report.warning(&drawing::TEXTURE, Place::WHOLE, &note.message),
                NoteKind::Model => report.warning(&drawing::MODEL, Place::WHOLE, &note.message),
                NoteKind::Overlay => report.note(&drawing::OVERLAY, Place::WHOLE, &note.message),
            }
        }
    }

    /// All notes, in the order they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }

    /// Whether there are no notes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
