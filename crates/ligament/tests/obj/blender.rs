//! Vertices compared with Blender's import.

use crate::support::blender::{has_blender, posed};
use crate::*;
use ligament::math::Vec3;

/// Blender's vertices of a model.
fn blender(model: &Path) -> Vec<Vec3> {
    let found = posed(model, "");
    let clip = &found["clips"][0];
    let objects = clip["objects"].as_array().expect("objects");
    let numbers = objects.iter().flat_map(|object| object["positions"][0].as_array().expect("numbers"));
    let numbers: Vec<f32> = numbers.map(|n| n.as_f64().expect("a number") as f32).collect();
    // Blender's Z is up.
    numbers.chunks_exact(3).map(|p| Vec3::new(p[0], p[2], -p[1])).collect()
}

#[test]
fn vertices_are_where_blender_has_them() {
    const TEST: &str = "vertices_are_where_blender_has_them";
    let Some(folder) = support::assimp_models(TEST) else { return };
    if !has_blender(TEST) {
        return;
    }
    for name in ["spider.obj", "WusonOBJ.obj"] {
        let path = folder.join("OBJ").join(name);
        let theirs = blender(&path);
        let (scene, _) = ligament::read(&path, &Default::default()).expect("is read");
        let ours: Vec<Vec3> =
            scene.meshes.iter().flat_map(|m| &m.parts).flat_map(|p| p.positions.clone()).collect();
        let size = ours.iter().fold(0.0_f32, |size, p| size.max(p.abs().max_element()));
        // Each of Blender's vertices is one of ours and vice versa, within 1e-5 of the size.
        let nearest = |p: Vec3, sorted: &[Vec3]| {
            let from = sorted.partition_point(|q| q.x < p.x - 1e-5 * size);
            sorted[from..]
                .iter()
                .take_while(|q| q.x <= p.x + 1e-5 * size)
                .map(|q| q.distance(p))
                .fold(f32::MAX, f32::min)
        };
        let by_x = |mut list: Vec<Vec3>| {
            list.sort_by(|a, b| a.x.total_cmp(&b.x));
            list
        };
        let (ours, theirs) = (by_x(ours), by_x(theirs));
        let worst =
            |from: &[Vec3], to: &[Vec3]| from.iter().map(|&p| nearest(p, to)).fold(0.0, f32::max) / size;
        let (there, back) = (worst(&theirs, &ours), worst(&ours, &theirs));
        println!(
            "{name}: {} of Blender's vertices, {} of ours: {there:e} and {back:e} of the size",
            theirs.len(),
            ours.len()
        );
        assert!(there < 1e-5 && back < 1e-5, "{name}: {there} {back}");
        assert!(theirs.len() > 500, "{name}");
    }
}
