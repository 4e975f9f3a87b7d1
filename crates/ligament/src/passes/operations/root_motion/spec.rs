//! The text in which root motion is asked for: `extract:xz,turn@Hips`.

/// What becomes of the root motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From the joint into a node above it.
    Extract,
    /// From the joint into nothing.
    Remove,
    /// From a node into the joint below it.
    Bake,
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RootMotion {
    pub(super) way: Way,
    /// The axes of the scene along which motion counts.
    pub(super) axes: [bool; 3],
    /// Whether the turn about the vertical axis counts.
    pub(super) turn: bool,
    /// The joint; `None` for the one that carries the motion.
    pub(super) joint: Option<String>,
}

/// What is expected, for messages.
const FORM: &str = "extract, remove or bake, then :xz or other axes with ,turn, then @JOINT";

impl RootMotion {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (what, joint) = match text.split_once('@') {
            Some((_, "")) => return Err("a joint's name is missing after @".to_owned()),
            Some((what, joint)) => (what, Some(joint.to_owned())),
            None => (text, None),
        };
        let (way, axes) = what.split_once(':').map_or((what, None), |(way, axes)| (way, Some(axes)));
        let way = match way.trim() {
            "extract" => Way::Extract,
            "remove" => Way::Remove,
            "bake" => Way::Bake,
            other => return Err(format!("expected {FORM}; {other:?} is none of the three")),
        };
        let Some(axes) = axes else {
            // A walk over the ground; what a node above does is the joint's as a whole.
            let all = way == Way::Bake;
            return Ok(Self { way, axes: [true, all, true], turn: all, joint });
        };
        let mut wanted = Self { way, axes: [false; 3], turn: false, joint };
        for word in axes.split(',').map(str::trim) {
            if word == "turn" {
                wanted.turn = true;
                continue;
            }
            for letter in word.chars() {
                match "xyz".find(letter) {
                    Some(axis) => wanted.axes[axis] = true,
                    None => return Err(format!("expected axes such as xz, or turn, not {word:?}")),
                }
            }
        }
        if wanted.axes == [false; 3] && !wanted.turn {
            return Err("expected axes such as xz, or turn, after the colon".to_owned());
        }
        Ok(wanted)
    }

    /// `x and z, and turns`, for messages.
    pub(super) fn shown(&self) -> String {
        let axes: Vec<_> =
            ["x", "y", "z"].iter().zip(self.axes).filter(|(_, on)| *on).map(|(n, _)| *n).collect();
        match (axes.is_empty(), self.turn) {
            (true, _) => "about the vertical axis".to_owned(),
            (false, false) => format!("along {}", axes.join(", ")),
            (false, true) => format!("along {} and about the vertical axis", axes.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_understood() {
        let parse = |text: &str| {
            RootMotion::parse(text)
                .map(|w| (w.way, w.axes.map(u8::from), w.turn, w.joint.unwrap_or_default()))
        };
        assert_eq!(parse("extract"), Ok((Way::Extract, [1, 0, 1], false, String::new())));
        assert_eq!(parse("bake"), Ok((Way::Bake, [1, 1, 1], true, String::new())));
        assert_eq!(
            parse("remove:zy,turn@mixamorig:Hips"),
            Ok((Way::Remove, [0, 1, 1], true, "mixamorig:Hips".into()))
        );
        assert_eq!(parse("extract@Hips"), Ok((Way::Extract, [1, 0, 1], false, "Hips".into())));
        for wrong in ["", "extrude", "extract:", "extract:w", "extract:x@", "extract,xz", "extract:,"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
