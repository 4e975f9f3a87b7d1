//! What can happen, and the small parts of what the viewer knows.

use crate::shortcuts::Action;
use ligament::scene::NodeId;
use ligament_render::Selected;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Files to be shown: two side by side, and of more one after the other.
    Open(Vec<PathBuf>),
    /// A file to be shown beside the first.
    OpenBeside(PathBuf),
    /// Files were saved.
    Changed(BTreeSet<PathBuf>),
    /// Something was asked for by a key, a button or a menu.
    Do(Action),
    /// The camera goes around by degrees.
    Turn(f64, f64),
    /// The camera moves sideways, by parts of the view's height.
    Pan(f64, f64),
    /// The camera goes nearer by a factor.
    Zoom(f64),
    /// The camera of a node is looked through, or none.
    LookThrough(Option<NodeId>),
    /// A point of the picture was clicked, in pixels; twice to fit what is there.
    Click([f32; 2], bool),
    /// A time of the clip was chosen, in seconds.
    Seek(f64),
    /// A speed was chosen.
    Speed(f64),
    /// A clip was chosen, or none.
    Clip(Option<usize>),
    /// A thing of one of the files was chosen in its tree.
    Select(usize, Selected),
    /// A thing was hidden (or shown again).
    Hide(usize, Selected, bool),
    /// Seconds passed.
    Tick(f64),
    /// The picture has this many pixels.
    Resize([u32; 2]),
    /// Something is to be said.
    Say(Message),
}

/// Something to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// In one sentence.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
}

impl Message {
    /// Good news.
    pub fn good(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: false }
    }

    /// Bad news.
    pub fn bad(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: true }
    }
}

/// What only a window can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Save a picture of the view.
    Picture,
    /// Save a picture of the whole window.
    WindowPicture,
    /// End.
    Quit,
}

/// What surfaces are covered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cover {
    /// Their materials.
    #[default]
    Materials,
    /// A checker.
    Uv,
    /// Plain colours.
    Flat,
    /// The weights of a joint.
    Weights,
}

/// Which panels are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panels {
    /// The tree.
    pub tree: bool,
    /// Facts, diagnostics and losses.
    pub facts: bool,
    /// The help overlay.
    pub help: bool,
    /// The dialog that opens a file, and whether it goes beside the first.
    pub open: Option<OpenDialog>,
    /// What the tree is searched for.
    pub filter: String,
    /// Whether the tree is to show what is selected.
    pub scroll_to_selected: bool,
}

/// A folder that is looked into to choose a file.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenDialog {
    /// The folder.
    pub folder: PathBuf,
    /// Whether the file goes beside the first.
    pub beside: bool,
}
