//! Memory is freed after a model is dropped. Alone in its process, because it measures the process's memory.

use ligament::Scene;
use ligament::io::NoFolder;
use ligament::math::Vec3;
use ligament::pose::Pose;
use ligament::scene::{Faces, Material, MaterialId, Mesh, MeshId, Node, Part};
use ligament_render::{Gpu, Look, PICTURE_FORMAT, RenderError, Renderer, Seen, Shot, Side, Stage, poses_of};

/// A field of 10,000 vertices: about a megabyte on the device.
fn scene() -> Scene {
    let at = |i: u32| Vec3::new((i % 100) as f32, ((i * 7919) % 13) as f32, (i / 100) as f32);
    let corners = (0..99 * 99_u32).flat_map(|i| {
        let first = i / 99 * 100 + i % 99;
        [first, first + 100, first + 101, first, first + 101, first + 1]
    });
    let part = Part {
        material: Some(MaterialId(0)),
        positions: (0..10_000).map(at).collect(),
        normals: vec![Vec3::Y; 10_000],
        faces: Faces::Triangles(corners.collect()),
        ..Part::default()
    };
    let mesh = Mesh { parts: vec![part], ..Mesh::default() };
    let mut scene = Scene { meshes: vec![mesh], materials: vec![Material::default()], ..Scene::default() };
    scene.add_node(Node { mesh: Some(MeshId(0)), ..Node::default() });
    scene
}

/// The process's resident memory in bytes.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

fn reload(renderer: &mut Renderer, times: usize) -> u64 {
    let look = Look::default();
    for _ in 0..times {
        let mut model = renderer.load(scene(), &NoFolder).expect("loaded");
        let pose = Pose::rest(model.scene());
        let stage = Stage::new(
            model.scene(),
            poses_of(model.scene(), None),
            Side::ThreeQuarter,
            1.0,
            Seen::default(),
        );
        renderer.picture(&mut model, &Shot::new(&pose, &stage, &look), [64, 64]).expect("drawn");
    }
    resident()
}

#[test]
fn memory_returns_after_a_reload() {
    let gpu = match Gpu::new() {
        Ok(gpu) => gpu,
        Err(RenderError::NoAdapter(why)) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "no graphics driver under CI=true: {why}");
            println!("skipped: memory_returns_after_a_reload: no graphics driver ({why})");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let mut renderer = Renderer::new(gpu, PICTURE_FORMAT).expect("a renderer");
    let before = reload(&mut renderer, 30);
    let after = reload(&mut renderer, 150);
    println!("{before} bytes, and {after} after 150 reloads");
    // If all had been kept, this would be 150 megabytes more.
    assert!(after < before + (16 << 20), "{before} bytes, and {after} after 150 reloads");
}
