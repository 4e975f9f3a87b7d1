//! Peculiarities of several formats.

use super::{OwnSetting, Scope, Setting, choices};

choices! {
    /// How a skeleton is posed if the modelling program and the engine pose the same file differently.
    #[derive(Default)]
    pub enum Posing {
        #[default]
        Author = "author": "As the modelling program showed it",
        Engine = "engine": "As the engine draws it",
    }
}

/// [`Posing`] of files that are read and written.
pub static POSING: OwnSetting<Posing> = OwnSetting::new(Setting {
    name: "posing",
    value_name: "WHOSE",
    help: "Pose as the modelling program showed it, or as the engine draws it, for formats where the two differ",
    reads: Scope::Listed,
    writes: Scope::Listed,
    ..Setting::BASE
});

choices! {
    /// The number of digits of numbers in text.
    #[derive(Default)]
    pub enum Precision {
        #[default]
        Full = "full": "As many as reproduce the same number",
        Document = "document": "As many as the specification writes, which may round visibly",
    }
}

/// [`Precision`] of files that are written.
pub static PRECISION: OwnSetting<Precision> = OwnSetting::new(Setting {
    name: "precision",
    value_name: "HOW",
    help: "Number of digits in text, for formats whose specification rounds numbers",
    writes: Scope::Listed,
    ..Setting::BASE
});
