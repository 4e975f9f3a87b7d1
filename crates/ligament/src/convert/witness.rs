//! Looking at the two models of a proof.

use crate::compare::{Comparison, Model};
use crate::io::Folder;
use std::fmt;
use std::sync::Arc;

/// The two models of a proof, as they were compared.
#[non_exhaustive]
pub struct Exhibit<'a> {
    /// The source, after what was asked for was done to it.
    pub source: Model<'a>,
    /// The folder of the images that the source refers to.
    pub source_folder: &'a dyn Folder,
    /// The result, as it was read back.
    pub result: Model<'a>,
    /// The folder of the images that the result refers to.
    pub result_folder: &'a dyn Folder,
    /// The proof.
    pub comparison: &'a Comparison,
}

type Look = dyn Fn(&Exhibit<'_>) + Send + Sync;

/// A hook that is called with both models of a proof. By default there is none. It is called before the result is in
/// place, also if the proof fails a check afterwards.
#[derive(Clone, Default)]
pub struct Witness(Option<Arc<Look>>);

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Witness(present)" } else { "Witness(absent)" })
    }
}

impl Witness {
    /// Calls `look` with both models.
    pub fn new(look: impl Fn(&Exhibit<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(look)))
    }

    pub(super) fn look(&self, exhibit: &Exhibit<'_>) {
        if let Some(look) = &self.0 {
            look(exhibit);
        }
    }
}
