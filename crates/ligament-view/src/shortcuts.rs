//! Every key and its action, in one table: the keyboard, the help overlay, the menus and the manual use it.

use egui::Key;

/// A command without arguments, from the keyboard, a button or a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the table says what each one does
pub enum Action {
    Open,
    OpenBeside,
    Reload,
    NextFile,
    PreviousFile,
    CloseSecond,
    Convert,
    Picture,
    WindowPicture,
    Quit,
    Play,
    Loop,
    Faster,
    Slower,
    FrameForwards,
    FrameBackwards,
    NextKey,
    PreviousKey,
    Worst,
    Start,
    End,
    NextClip,
    PreviousClip,
    Fit,
    FitSelected,
    Front,
    Side,
    Back,
    Top,
    ThreeQuarter,
    Left,
    Below,
    Orthographic,
    NextCamera,
    Skeleton,
    Names,
    Axes,
    Weights,
    AllWeights,
    Influences,
    ResetPose,
    Wire,
    Normals,
    Tangents,
    Bounds,
    Uv,
    Flat,
    Grid,
    Shadow,
    TwoSided,
    Deviation,
    Arrange,
    Hide,
    ShowAll,
    Deselect,
    TreePanel,
    FactsPanel,
    KeysPanel,
    Theme,
    Help,
}

/// A key, with Ctrl (on Apple's keyboards Command) or Shift held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortcut {
    /// The key.
    pub key: Key,
    /// Whether Ctrl is held.
    pub ctrl: bool,
    /// Whether Shift is held.
    pub shift: bool,
    /// Its action.
    pub action: Action,
    /// The action in words.
    pub text: &'static str,
}

impl Shortcut {
    const fn plain(key: Key, action: Action, text: &'static str) -> Self {
        Self { key, ctrl: false, shift: false, action, text }
    }

    const fn ctrl(key: Key, action: Action, text: &'static str) -> Self {
        Self { ctrl: true, ..Self::plain(key, action, text) }
    }

    const fn shift(key: Key, action: Action, text: &'static str) -> Self {
        Self { shift: true, ..Self::plain(key, action, text) }
    }

    /// `Ctrl+O`.
    pub fn keys(&self) -> String {
        let held = [(self.ctrl, "Ctrl+"), (self.shift, "Shift+")];
        let held: String = held.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
        held + key_name(self.key)
    }
}

fn key_name(key: Key) -> &'static str {
    match key {
        Key::ArrowLeft => "Left",
        Key::ArrowRight => "Right",
        Key::ArrowUp => "Up",
        Key::ArrowDown => "Down",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Questionmark => "?",
        Key::PageUp => "Page Up",
        Key::PageDown => "Page Down",
        other => other.name(),
    }
}

/// A heading and the shortcuts under it.
pub type Group = (&'static str, &'static [Shortcut]);

/// All shortcuts.
pub const SHORTCUTS: &[Group] = &[
    (
        "Time",
        &[
            Shortcut::plain(Key::Space, Action::Play, "play or pause"),
            Shortcut::plain(Key::ArrowRight, Action::FrameForwards, "next frame"),
            Shortcut::plain(Key::ArrowLeft, Action::FrameBackwards, "previous frame"),
            Shortcut::shift(Key::ArrowRight, Action::NextKey, "next key"),
            Shortcut::shift(Key::ArrowLeft, Action::PreviousKey, "previous key"),
            Shortcut::plain(Key::J, Action::Worst, "where the second model deviates most"),
            Shortcut::plain(Key::Home, Action::Start, "start of the clip"),
            Shortcut::plain(Key::End, Action::End, "end of the clip"),
            Shortcut::plain(Key::ArrowDown, Action::NextClip, "next clip"),
            Shortcut::plain(Key::ArrowUp, Action::PreviousClip, "previous clip"),
            Shortcut::plain(Key::L, Action::Loop, "loop on or off"),
            Shortcut::plain(Key::CloseBracket, Action::Faster, "faster"),
            Shortcut::plain(Key::OpenBracket, Action::Slower, "slower"),
        ],
    ),
    (
        "Camera",
        &[
            Shortcut::plain(Key::F, Action::Fit, "frame the whole model"),
            Shortcut::shift(Key::F, Action::FitSelected, "frame the selection"),
            Shortcut::plain(Key::Num1, Action::Front, "front view"),
            Shortcut::plain(Key::Num2, Action::Side, "side view"),
            Shortcut::plain(Key::Num3, Action::Back, "back view"),
            Shortcut::plain(Key::Num4, Action::Top, "top view"),
            Shortcut::plain(Key::Num5, Action::ThreeQuarter, "three-quarter view"),
            Shortcut::plain(Key::Num6, Action::Left, "left view"),
            Shortcut::plain(Key::Num7, Action::Below, "view from below"),
            Shortcut::plain(Key::Num0, Action::Orthographic, "orthographic or perspective"),
            Shortcut::plain(Key::C, Action::NextCamera, "look through the file's next camera"),
        ],
    ),
    (
        "Show",
        &[
            Shortcut::plain(Key::S, Action::Skeleton, "bones and joints"),
            Shortcut::plain(Key::N, Action::Names, "joint names"),
            Shortcut::plain(Key::A, Action::Axes, "joint axes"),
            Shortcut::plain(Key::W, Action::Weights, "weights of the selected joint"),
            Shortcut::shift(Key::W, Action::AllWeights, "weights of all joints, a colour each"),
            Shortcut::shift(Key::I, Action::Influences, "vertices with many influences"),
            Shortcut::plain(Key::R, Action::ResetPose, "undo what was moved by hand"),
            Shortcut::plain(Key::E, Action::Wire, "wireframe"),
            Shortcut::shift(Key::N, Action::Normals, "normals"),
            Shortcut::shift(Key::T, Action::Tangents, "tangents"),
            Shortcut::plain(Key::B, Action::Bounds, "bounding boxes: the true one and the file's"),
            Shortcut::plain(Key::U, Action::Uv, "UV checker instead of textures"),
            Shortcut::plain(Key::M, Action::Flat, "flat material colours"),
            Shortcut::plain(Key::G, Action::Grid, "grid on the ground"),
            Shortcut::shift(Key::G, Action::Shadow, "shadow on the ground"),
            Shortcut::plain(Key::K, Action::TwoSided, "back faces"),
            Shortcut::plain(Key::D, Action::Deviation, "deviation of the second model from the first"),
            Shortcut::plain(Key::O, Action::Arrange, "two models: side by side, overlay, blink"),
            Shortcut::plain(Key::H, Action::Hide, "hide or show the selection"),
            Shortcut::shift(Key::H, Action::ShowAll, "show everything again"),
            Shortcut::plain(
                Key::Escape,
                Action::Deselect,
                "deselect; close the help or the panel that converts",
            ),
        ],
    ),
    (
        "Files and panels",
        &[
            Shortcut::ctrl(Key::O, Action::Open, "open a file"),
            Shortcut::ctrl(Key::D, Action::OpenBeside, "open a second file beside the first"),
            Shortcut::ctrl(Key::W, Action::CloseSecond, "close the second file"),
            Shortcut::ctrl(Key::E, Action::Convert, "convert, with a preview of the losses"),
            Shortcut::ctrl(Key::R, Action::Reload, "reload"),
            Shortcut::plain(Key::PageDown, Action::NextFile, "next file"),
            Shortcut::plain(Key::PageUp, Action::PreviousFile, "previous file"),
            Shortcut::plain(Key::P, Action::Picture, "save a picture of the view"),
            Shortcut::shift(Key::P, Action::WindowPicture, "save a picture of the window"),
            Shortcut::plain(Key::T, Action::TreePanel, "show or hide the tree"),
            Shortcut::plain(Key::I, Action::FactsPanel, "show or hide the facts"),
            Shortcut::plain(Key::Y, Action::KeysPanel, "show or hide keys and curves"),
            Shortcut::shift(Key::D, Action::Theme, "dark or light"),
            Shortcut::plain(Key::F1, Action::Help, "this help"),
            Shortcut::plain(Key::Questionmark, Action::Help, "this help"),
            Shortcut::ctrl(Key::Q, Action::Quit, "quit"),
        ],
    ),
];

/// What the mouse does in the picture.
pub const GESTURES: &[(&str, &str)] = &[
    ("Drag", "orbit"),
    ("Right or middle drag, or Shift+drag", "pan"),
    ("Wheel, or pinch", "zoom"),
    ("Click", "select a joint or a part"),
    ("Double click", "frame what is under the pointer"),
    ("Drag a joint that is shown", "turn it, to try its weights"),
    ("Wheel over the keys", "zoom in time; right drag moves, a double click shows all"),
    ("Drop a file", "open it; two files side by side"),
];

/// All shortcuts of all groups.
pub fn all() -> impl Iterator<Item = &'static Shortcut> {
    SHORTCUTS.iter().flat_map(|(_, shortcuts)| shortcuts.iter())
}

/// The first shortcut of an action.
pub fn of(action: Action) -> Option<&'static Shortcut> {
    all().find(|shortcut| shortcut.action == action)
}

/// The action of a key that was pressed.
pub fn find(key: Key, modifiers: egui::Modifiers) -> Option<Action> {
    // A question mark needs Shift on most keyboards, and is a key of its own.
    let shift = modifiers.shift && key != Key::Questionmark;
    all()
        .find(|s| s.key == key && s.ctrl == modifiers.command && s.shift == shift && !modifiers.alt)
        .map(|s| s.action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_does_two_things() {
        let keys: Vec<String> = all().map(Shortcut::keys).collect();
        let distinct: HashSet<&String> = keys.iter().collect();
        assert_eq!(keys.len(), distinct.len(), "{keys:?}");
    }

    #[test]
    fn keys_are_found_with_what_is_held() {
        let none = egui::Modifiers::NONE;
        assert_eq!(find(Key::Space, none), Some(Action::Play));
        assert_eq!(find(Key::Z, none), None);
        assert_eq!(find(Key::O, egui::Modifiers::COMMAND), Some(Action::Open));
        assert_eq!(find(Key::ArrowRight, egui::Modifiers::SHIFT), Some(Action::NextKey));
        assert_eq!(find(Key::Questionmark, egui::Modifiers::SHIFT), Some(Action::Help));
        assert_eq!(of(Action::Open).map(Shortcut::keys).as_deref(), Some("Ctrl+O"));
    }

    /// The manual lists every shortcut in the words of the help overlay.
    #[test]
    fn the_manual_has_every_shortcut() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/view.md");
        let manual = std::fs::read_to_string(path).expect("docs/view.md");
        let mut count = 0;
        for shortcut in all() {
            let row = format!("| `{}` | {} |", shortcut.keys(), shortcut.text);
            assert!(manual.contains(&row), "docs/view.md lacks the row {row}");
            count += 1;
        }
        for (gesture, text) in GESTURES {
            let row = format!("| {gesture} | {text} |");
            assert!(manual.contains(&row), "docs/view.md lacks the row {row}");
            count += 1;
        }
        let rows = manual.lines().filter(|line| line.starts_with("| `") || line.starts_with("| ")).count();
        assert!(rows >= count, "{rows} rows for {count} shortcuts and gestures");
    }
}
