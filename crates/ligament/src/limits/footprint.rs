//! The memory of scenes, and of what is made of them.

use crate::scene::{Clip, Faces, ImageData, Mesh, Part, Scene, Track, Values};

/// Bytes per vertex that flattening may add: a normal, and a full weight on one joint.
const ADDED_PER_VERTEX: u64 = 12 + 12;
/// Bytes per vertex that the comparison needs: the pair, its cluster, and the joints that move it. What finds the pairs
/// takes less, and is dropped before.
const COMPARED_PER_VERTEX: u64 = 8 + 4 + 16 + 4 + 4 * 16;
/// Bytes per corner that the comparison needs: corners and faces of both scenes, and pairs of corners.
const COMPARED_PER_CORNER: u64 = 2 * 8 + 8;
/// Bytes per frame and joint in what is written, and in what is read back: translation, rotation and scale.
const WRITTEN_PER_KEY: u64 = 12 + 16 + 12;
/// Bytes per frame that the comparison needs: the times of both scenes, merged, and when both are posed.
const COMPARED_PER_FRAME: u64 = 96;

fn length<T>(values: &[T]) -> u64 {
    size_of_val(values) as u64
}

fn part_bytes(part: &Part) -> u64 {
    let of_sets = part.uvs.iter().map(|set| length(set)).chain(part.colors.iter().map(|set| length(set)));
    let deltas =
        |d: &crate::scene::MorphDeltas| length(&d.positions) + length(&d.normals) + length(&d.tangents);
    let starts = if let Faces::Polygons { starts, .. } = &part.faces { length(starts) } else { 0 };
    length(&part.positions)
        + length(&part.normals)
        + length(&part.tangents)
        + of_sets.sum::<u64>()
        + length(part.influences.starts())
        + length(part.influences.pairs())
        + length(part.faces.corners())
        + starts
        + part.morphs.iter().map(deltas).sum::<u64>()
}

fn mesh_bytes(mesh: &Mesh) -> u64 {
    size_of::<Mesh>() as u64 + mesh.parts.iter().map(part_bytes).sum::<u64>()
}

fn track_bytes(track: &Track) -> u64 {
    let values = match &track.values {
        Values::Translation(values) | Values::Scale(values) => length(values),
        Values::Rotation(values) => length(values),
        Values::MorphWeights { weights, .. } => length(weights),
    };
    length(&track.times) + values
}

/// The memory of a scene's arrays.
pub(crate) fn scene_bytes(scene: &Scene) -> u64 {
    let clip = |clip: &Clip| clip.tracks.iter().map(track_bytes).sum::<u64>();
    let image = |data: &ImageData| match data {
        ImageData::Embedded { bytes, .. } => length(bytes),
        ImageData::File(_) => 0,
    };
    scene.meshes.iter().map(mesh_bytes).sum::<u64>()
        + scene.clips.iter().map(clip).sum::<u64>()
        + scene.images.iter().map(|i| image(&i.data)).sum::<u64>()
        + length(&scene.nodes)
}

/// The memory of all meshes if every node that draws one has its own copy; with a proof, also of the copies that are
/// read back and of comparing them.
pub(crate) fn placed(scene: &Scene, is_proven: bool) -> u64 {
    let of_mesh = |mesh: &Mesh| {
        let vertices = mesh.vertex_count() as u64;
        let corners: u64 = mesh.parts.iter().map(|part| part.faces.corners().len() as u64).sum();
        let copy = mesh_bytes(mesh) + vertices * ADDED_PER_VERTEX;
        let proof = copy + vertices * COMPARED_PER_VERTEX + corners * COMPARED_PER_CORNER;
        if is_proven { copy + proof } else { copy }
    };
    let of_meshes: Vec<u64> = scene.meshes.iter().map(of_mesh).collect();
    let drawn = scene.nodes.iter().filter_map(|node| of_meshes.get(node.mesh?.index()));
    drawn.fold(0, |sum: u64, bytes| sum.saturating_add(*bytes))
}

/// The memory of a clip with this many frames: a key per frame for every track and, where formats store all joints in
/// every frame, for every joint; with a proof, also of what is read back and of comparing it.
pub(crate) fn frames_bytes(clip: &Clip, joints: usize, frames: u32, is_proven: bool) -> u64 {
    let value = |track: &Track| match &track.values {
        Values::Translation(_) | Values::Scale(_) => 12,
        Values::Rotation(_) => 16,
        Values::MorphWeights { count, .. } => 4 * *count as u64,
    };
    let own: u64 = clip.tracks.iter().map(value).sum();
    let written = joints.max(1) as u64 * WRITTEN_PER_KEY;
    let proof = if is_proven { written + COMPARED_PER_FRAME } else { 0 };
    u64::from(frames).saturating_mul(own.saturating_add(written + proof).saturating_add(4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MeshId, Node};
    use glam::Vec3;

    #[test]
    fn instances_count_each_and_the_scene_counts_once() {
        let part = Part { positions: vec![Vec3::ZERO; 1000], ..Part::default() };
        let part = Part { faces: Faces::Triangles((0..999).collect()), ..part };
        let mesh = Mesh { parts: vec![part], ..Mesh::default() };
        let mut scene = Scene { meshes: vec![mesh], ..Scene::default() };
        let once = scene_bytes(&scene);
        assert!((16_000..17_000).contains(&once), "{once}");
        assert_eq!(placed(&scene, true), 0);
        let node = Node { mesh: Some(MeshId(0)), ..Node::default() };
        scene.nodes = vec![node; 1000];
        let copies = placed(&scene, false);
        assert!((40_000_000..42_000_000).contains(&copies), "{copies}");
        assert!(placed(&scene, true) > 3 * copies);
    }
}
