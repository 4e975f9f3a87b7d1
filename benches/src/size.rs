//! The size of a scene's arrays in bytes: the least that a program with the whole model in memory must hold.

use ligament::Scene;
use ligament::scene::{ImageData, Values};
use std::mem::size_of_val;

pub fn of(scene: &Scene) -> usize {
    let parts = scene.meshes.iter().flat_map(|mesh| &mesh.parts).map(|part| {
        let morphs = part.morphs.iter().map(|m| {
            size_of_val(&m.positions[..]) + size_of_val(&m.normals[..]) + size_of_val(&m.tangents[..])
        });
        size_of_val(&part.positions[..])
            + size_of_val(&part.normals[..])
            + size_of_val(&part.tangents[..])
            + part.uvs.iter().map(|set| size_of_val(&set[..])).sum::<usize>()
            + part.colors.iter().map(|set| size_of_val(&set[..])).sum::<usize>()
            + size_of_val(part.influences.starts())
            + size_of_val(part.influences.pairs())
            + size_of_val(part.faces.corners())
            + morphs.sum::<usize>()
    });
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks).map(|track| match &track.values {
        Values::Translation(v) | Values::Scale(v) => size_of_val(&v[..]),
        Values::Rotation(v) => size_of_val(&v[..]),
        Values::MorphWeights { weights, .. } => size_of_val(&weights[..]),
    });
    let images = scene.images.iter().map(|image| match &image.data {
        ImageData::Embedded { bytes, .. } => bytes.len(),
        ImageData::File(_) => 0,
    });
    parts.sum::<usize>() + tracks.sum::<usize>() + images.sum::<usize>()
}
