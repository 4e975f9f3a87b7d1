//! Which way a file goes to its target.

use super::{ConvertOptions, Target};
use crate::formats::{Document, Format};
use crate::scene::Scene;

/// Which way something goes to its target, and what goes it.
pub(super) enum Route<'a> {
    /// The document is written as it is.
    Copy(Box<dyn Document + 'a>),
    /// The document is written in another dialect of its format.
    Rewrite(Box<dyn Document + 'a>, &'static str),
    /// A document becomes a scene, and the scene a file, in this dialect if one is known.
    ThroughScene(Origin<'a>, Option<&'static str>),
}

/// What becomes a scene.
pub(super) enum Origin<'a> {
    Document(Box<dyn Document + 'a>),
    /// It is one.
    Scene(Box<Scene>),
}

impl<'a> Route<'a> {
    /// The shortest way that leads to the target and does what was asked for.
    pub(super) fn of(
        format: &'static Format,
        document: Box<dyn Document + 'a>,
        target: Target,
        options: &ConvertOptions,
    ) -> Self {
        let own = document.rewrite_dialect();
        // A file that stays in its format keeps its dialect unless another is asked for, even one that is only read.
        let dialect = target.dialect.or(target.is_format(format).then_some(own));
        let can_write = |to: &str| document.can_write(to) && (to == own || target.format.writes(Some(to)));
        match dialect.filter(|to| may_stay(format, target, options) && can_write(to)) {
            Some(to) if to == document.dialect() => Route::Copy(document),
            Some(to) => Route::Rewrite(document, to),
            None => Route::ThroughScene(Origin::Document(document), dialect),
        }
    }
}

/// Whether a document may be written as it is: it stays in its format, and nothing that was asked for changes its scene.
pub(super) fn may_stay(format: &'static Format, target: Target, options: &ConvertOptions) -> bool {
    target.is_format(format) && !options.changes_scene()
}
