//! The route of a conversion: what happens between a file and its target.

use super::{ConvertOptions, Target};
use crate::formats::{Document, Format};
use crate::scene::Scene;

/// The route of a conversion, with the document or scene that takes it.
pub(super) enum Route<'a> {
    /// The document is written as it is.
    Copy(Box<dyn Document + 'a>),
    /// The document is written in another dialect of its format.
    Rewrite(Box<dyn Document + 'a>, &'static str),
    /// The document or scene is exported, in this dialect if one is known.
    ThroughScene(Origin<'a>, Option<&'static str>),
}

/// Where a scene comes from.
pub(super) enum Origin<'a> {
    Document(Box<dyn Document + 'a>),
    /// The input is a scene already.
    Scene(Box<Scene>),
}

impl<'a> Route<'a> {
    /// The shortest route to the target that does what was asked for.
    pub(super) fn of(
        format: &'static Format,
        document: Box<dyn Document + 'a>,
        target: Target,
        options: &ConvertOptions,
    ) -> Self {
        let own = document.rewrite_dialect();
        // A file that stays in its format keeps its dialect unless another is asked for, even a dialect that is
        // read-only.
        let dialect = target.dialect.or(target.is_format(format).then_some(own));
        let can_write = |to: &str| document.can_write(to) && (to == own || target.format.writes(Some(to)));
        match dialect.filter(|to| may_stay(format, target, options) && can_write(to)) {
            Some(to) if to == document.dialect() => Route::Copy(document),
            Some(to) => Route::Rewrite(document, to),
            None => Route::ThroughScene(Origin::Document(document), dialect),
        }
    }
}

/// Whether a document may be written as it is: its format stays the same, and no option changes its scene.
pub(super) fn may_stay(format: &'static Format, target: Target, options: &ConvertOptions) -> bool {
    target.is_format(format) && !options.changes_scene()
}
