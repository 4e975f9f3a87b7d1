//! The events, and the small types of the viewer's state.

use crate::converting::ConvertEvent;
use crate::layers::Arrangement;
use crate::pictures::TextureView;
use crate::shortcuts::Action;
use ligament::scene::NodeId;
use ligament_render::Selected;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// An input to the state.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Open files: two appear side by side; of more, one at a time.
    Open(Vec<PathBuf>),
    /// Open a file beside the first.
    OpenBeside(PathBuf),
    /// Open the example that comes with the viewer.
    Example,
    /// List the recent files.
    Welcome,
    /// The system's file dialog was asked for and cannot be shown; whether the file goes beside the first.
    NoDialog(bool),
    /// Files were saved.
    Changed(BTreeSet<PathBuf>),
    /// An action, from a key, a button or a menu.
    Do(Action),
    /// Orbit the camera by degrees.
    Turn(f64, f64),
    /// Pan the camera, by fractions of the view's height.
    Pan(f64, f64),
    /// Zoom by a factor.
    Zoom(f64),
    /// Look through a node's camera, or through the viewer's own.
    LookThrough(Option<NodeId>),
    /// A click at a point of the picture, in pixels; a double click frames what is there.
    Click([f32; 2], bool),
    /// Scrub to a time of the clip, in seconds.
    Seek(f64),
    /// Zoom the keys about a time, by a factor.
    ZoomTime(f64, f64),
    /// Move the keys by seconds.
    PanTime(f64),
    /// Show all of the clip's keys.
    FitTime,
    /// Show the curves of a track of the selected node.
    Track(usize),
    /// A speed was chosen.
    Speed(f64),
    /// A clip was chosen, or none.
    Clip(Option<usize>),
    /// An object of one of the files was selected in its tree.
    Select(usize, Selected),
    /// The window has the dark theme, or the light one.
    Dark(bool),
    /// Hold a joint of a file that is dragged, or let it go.
    Grab(Option<(usize, NodeId)>),
    /// Turn the joint that is held, by degrees about the camera's vertical and horizontal axis.
    Bend(f64, f64),
    /// Set the weight of a node's morph target, or let it follow the clip.
    Morph(usize, NodeId, usize, Option<f32>),
    /// How many influences per vertex are not too many.
    Influences(usize),
    /// Decode the images of a file, because they are shown.
    Pictures(usize),
    /// Show a texture of a material in a window of its own, or none.
    Texture(Option<TextureView>),
    /// How two models share the picture.
    Arrange(Arrangement),
    /// How much is seen of the second model in an overlay, from 0 to 1.
    Mix(f64),
    /// Something of the panel that converts.
    Convert(ConvertEvent),
    /// Hide or show an object.
    Hide(usize, Selected, bool),
    /// Seconds passed.
    Tick(f64),
    /// The picture has this many pixels.
    Resize([u32; 2]),
    /// Show a message.
    Say(Message),
}

/// A message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// One sentence.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
}

impl Message {
    /// A success.
    pub fn good(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: false }
    }

    /// A failure.
    pub fn bad(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_error: true }
    }
}

/// A request that only the window can carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Show the system's file dialog; whether the file goes beside the first.
    Choose(bool),
    /// Choose where a converted file goes, with the system's dialog.
    SaveAs,
    /// Save a picture of the view.
    Picture,
    /// Save a picture of the whole window.
    WindowPicture,
    /// Quit.
    Quit,
}

/// How surfaces are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cover {
    /// By their materials.
    #[default]
    Materials,
    /// With a UV checker.
    Uv,
    /// With flat material colours.
    Flat,
    /// By the weights of a joint.
    Weights,
    /// By the weights of all joints, each of a colour of its own.
    AllWeights,
    /// By whether a vertex has too many influences.
    Influences,
}

/// Which panels are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Panels {
    /// The tree.
    pub tree: bool,
    /// Facts, diagnostics and losses.
    pub facts: bool,
    /// The keys and curves of the clip.
    pub keys: bool,
    /// The help overlay.
    pub help: bool,
    /// The dialog that opens a file, and whether it goes beside the first.
    pub open: Option<OpenDialog>,
    /// The texture that is shown.
    pub texture: Option<TextureView>,
    /// The tree's search text.
    pub filter: String,
    /// Whether the tree should scroll to the selection.
    pub scroll_to_selected: bool,
}

/// The file dialog.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenDialog {
    /// The folder.
    pub folder: PathBuf,
    /// Whether the file goes beside the first.
    pub beside: bool,
}
