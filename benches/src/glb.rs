//! GLB files, by ligament and by the `gltf` crate.

use std::path::Path;

/// Reads a file to a scene.
pub fn ours(path: &Path, times: usize) {
    crate::fastest(times, || crate::scene(path));
}

/// Reads a file to a document and buffers; like ours, it does not decode images.
pub fn gltf_crate(path: &Path, times: usize) {
    crate::fastest(times, || {
        let gltf = gltf::Gltf::open(path).expect("the file is good");
        let buffers =
            gltf::import_buffers(&gltf.document, path.parent(), gltf.blob).expect("buffers are there");
        (gltf.document, buffers)
    });
}
