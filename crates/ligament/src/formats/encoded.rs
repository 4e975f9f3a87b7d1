use crate::io::Output;
use crate::report::{Failure, Report};

/// The result of an export: a file that is ready to be written.
///
/// Where a file's records differ from the scene's arrays, they are generated during writing, because the arrays take
/// less memory. A document that was read already has the records. So each format that also writes documents defines in
/// its `write.rs` what it needs to know about long lists (a trait called `Lists`). Its document implements the trait
/// with its own lists, its export with the scene's arrays.
#[must_use = "nothing is written yet"]
pub struct Encoded {
    /// The dialect, one of [`Format::dialects`](super::Format::dialects).
    pub dialect: &'static str,
    write: Box<Write>,
}

type Write = dyn FnOnce(&mut dyn Output, &mut Report) -> Result<(), Failure>;

impl Encoded {
    /// Creates a file of the given dialect from a function that writes it.
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
