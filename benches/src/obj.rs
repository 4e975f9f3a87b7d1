//! OBJ by the `tobj` crate.

use std::path::Path;

/// Reads a file as ligament does: triangles, and equal corners as one vertex.
pub fn tobj(path: &Path) {
    let read = crate::timed(|| tobj::load_obj(path, &tobj::GPU_LOAD_OPTIONS).expect("the file is good"));
    std::mem::forget(read);
}
