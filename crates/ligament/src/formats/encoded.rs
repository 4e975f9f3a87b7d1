use crate::io::Output;
use crate::report::{Failure, Report};

/// What an export makes: a file that only has to be written.
///
/// Where a file's records are not the scene's arrays, they are made while they are written, because the arrays take less
/// room. A document that was read has the records. So each format whose documents are written says in its `write.rs` what
/// it needs to know of long lists (a trait called `Lists`), which its document answers from its own lists, and its export
/// from the scene's arrays.
#[must_use = "nothing is written yet"]
pub struct Encoded {
    /// The dialect, one of [`Format::dialects`](super::Format::dialects).
    pub dialect: &'static str,
    write: Box<Write>,
}

type Write = dyn FnOnce(&mut dyn Output, &mut Report) -> Result<(), Failure>;

impl Encoded {
    /// A file of a dialect, and how it is written.
    pub(super) fn new(
        dialect: &'static str,
        write: impl FnOnce(&mut dyn Output, &mut Report) -> Result<(), Failure> + 'static,
    ) -> Self {
        Self { dialect, write: Box::new(write) }
    }

    /// Writes the file.
    pub fn write(self, output: &mut dyn Output, report: &mut Report) -> Result<(), Failure> {
        (self.write)(output, report)
    }
}
