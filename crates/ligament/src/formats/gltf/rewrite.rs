use super::document::Document;
use crate::io::{Output, Source};
use crate::report::{Failure, Report};
pub(super) fn rewrite(
    _: &Document<'_>,
    _: &Source<'_>,
    _: bool,
    _: &mut dyn Output,
    _: &mut Report,
) -> Result<(), Failure> {
    todo!()
}
