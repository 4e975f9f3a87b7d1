//! Chooses the texture coordinate sets to keep if a format has fewer.

use crate::mesh::vertices::trim;
use crate::scene::{Material, Scene};

/// Keeps the first `keep` texture coordinate sets of each part, and returns how many are lost.
pub(super) fn keep_uv_sets(scene: &mut Scene, keep: usize) -> usize {
    colour_first(scene, keep);
    scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts).map(|part| trim(&mut part.uvs, keep)).sum()
}

/// Moves the set that the colour texture uses to the front if it would be lost: formats of one set have only that
/// texture.
pub(super) fn colour_first(scene: &mut Scene, keep: usize) {
    let used: Vec<_> = scene.materials.iter_mut().map(|material| put_first(material, keep)).collect();
    for part in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.parts) {
        let used = part.material.and_then(|material| *used.get(material.index())?);
        // Without textures the used set is unknown, and any set is better than none.
        let first = used.or_else(|| part.uvs.iter().position(|set| !set.is_empty())).unwrap_or(0);
        if first >= keep && part.uvs.get(first).is_some_and(|set| !set.is_empty()) {
            part.uvs.swap(0, first);
        }
    }
}

/// The set that the colour texture uses, or else that of any other texture. If it would be lost, it is swapped with set
/// 0 in all textures of the material.
fn put_first(material: &mut Material, keep: usize) -> Option<usize> {
    let textures = material.textures();
    let is_colour = |slot: &str| ["base colour", "diffuse"].contains(&slot);
    let first = textures.iter().find(|(slot, _)| is_colour(slot)).or(textures.first())?.1.uv_set;
    if (first as usize) < keep {
        return Some(first as usize);
    }
    for texture in material.textures_mut().into_iter().flatten() {
        texture.uv_set = match texture.uv_set {
            0 => first,
            set if set == first => 0,
            set => set,
        };
    }
    Some(first as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{MaterialId, Mesh, Part, Pbr, Phong, TextureId, TextureRef};
    use glam::Vec2;

    fn on_set(uv_set: u32) -> Option<TextureRef> {
        Some(TextureRef { uv_set, ..TextureRef::new(TextureId(0)) })
    }

    /// Parts of one vertex, whose sets hold their own index; an empty set is a gap.
    fn scene(materials: Vec<Material>, parts: &[(u32, &[Option<f32>])]) -> Scene {
        let part = |&(material, sets): &(u32, &[Option<f32>])| Part {
            material: Some(MaterialId(material)),
            uvs: sets.iter().map(|set| set.iter().map(|&v| Vec2::splat(v)).collect()).collect(),
            ..Part::default()
        };
        let parts = parts.iter().map(part).collect();
        Scene { materials, meshes: vec![Mesh { parts, ..Mesh::default() }], ..Scene::default() }
    }

    fn sets(scene: &Scene) -> Vec<Vec<Option<f32>>> {
        let parts = scene.meshes[0].parts.iter();
        parts.map(|part| part.uvs.iter().map(|set| set.first().map(|uv| uv.x)).collect()).collect()
    }

    #[test]
    fn the_set_of_the_colour_stays() {
        let pbr =
            Pbr { base_color_texture: on_set(2), metallic_roughness_texture: on_set(0), ..Pbr::default() };
        let metal = Material { pbr: Some(pbr), occlusion_texture: on_set(1), ..Material::default() };
        let phong = Phong { diffuse_texture: on_set(1), ..Phong::default() };
        let paint = Material { phong: Some(phong), ..Material::default() };
        let all = [Some(0.0), Some(1.0), Some(2.0)];
        let plain = Material::default();
        // The last part lacks the set that its colour texture needs.
        let parts: [(u32, &[_]); 5] =
            [(0, &all), (1, &all), (2, &all), (0, &[None, None, Some(2.0)]), (1, &all[..1])];
        let mut scene = scene(vec![metal, paint, plain], &parts);
        let untouched = scene.clone();
        assert_eq!(keep_uv_sets(&mut scene, 3), 0);
        assert_eq!(scene, untouched);
        assert_eq!(keep_uv_sets(&mut scene, 1), 6);
        assert_eq!(sets(&scene), [2.0, 1.0, 0.0, 2.0, 0.0].map(|set| vec![Some(set)]));
        let used: Vec<Vec<u32>> =
            scene.materials.iter().map(|m| m.textures().iter().map(|t| t.1.uv_set).collect()).collect();
        assert_eq!(used, [vec![1, 0, 2], vec![0], vec![]]);
        assert_eq!(keep_uv_sets(&mut scene, 0), 5);
        assert_eq!(sets(&scene), vec![vec![]; 5]);
    }

    /// An empty set must go, or writers would look for a vertex in it.
    #[test]
    fn gaps_do_not_stay() {
        let pbr = Pbr { base_color_texture: on_set(0), ..Pbr::default() };
        let textured = Material { pbr: Some(pbr), ..Material::default() };
        let gap = [None, Some(1.0)];
        let mut scene =
            scene(vec![textured, Material::default()], &[(0, &gap), (1, &gap), (0, &[None, None])]);
        assert_eq!(keep_uv_sets(&mut scene, 1), 1);
        assert_eq!(sets(&scene), [vec![], vec![Some(1.0)], vec![]]);
    }
}
