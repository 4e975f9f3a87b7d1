//! Peculiarities of several formats.

use super::{OwnSetting, Scope, Setting, choices};

/// How a skeleton is posed if the modelling program and the engine pose the same file differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Posing {
    /// The pose that the author saw in the modelling program.
    #[default]
    Author,
    /// The pose that the engine draws.
    Engine,
}

choices! { Posing {
    Author = "author": "As the modelling program showed it",
    Engine = "engine": "As the engine draws it",
} }

/// [`Posing`] of files that are read and written.
pub static POSING: OwnSetting<Posing> = OwnSetting::new(Setting {
    name: "posing",
    value_name: "WHOSE",
    help: "Pose as the modelling program showed it, or as the engine draws it, for formats where the two differ",
    reads: Scope::Listed,
    writes: Scope::Listed,
    ..Setting::BASE
});

/// The number of digits of numbers in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Precision {
    /// As many digits as are needed to restore the same number.
    #[default]
    Full,
    /// As many digits as in the format's specification, which may round visibly.
    Document,
}

choices! { Precision {
    Full = "full": "As many as reproduce the same number",
    Document = "document": "As many as the specification writes, which may round visibly",
} }

/// [`Precision`] of files that are written.
pub static PRECISION: OwnSetting<Precision> = OwnSetting::new(Setting {
    name: "precision",
    value_name: "HOW",
    help: "Number of digits in text, for formats whose specification rounds numbers",
    writes: Scope::Listed,
    ..Setting::BASE
});
