//! Measures how many pictures per second the viewer draws of a playing model of 100,000 vertices, for `cargo xtask bench`.
//!
//! This includes posing, uploading and drawing for a view of 1280×720, waiting for each picture, but no panels. The viewer
//! draws coarser pictures if sharp ones would be too slow.

use ligament::Scene;
use ligament::formats::ReadOptions;
use ligament::math::{Mat4, Quat, Vec2, Vec3};
use ligament::scene::{
    Clip, Faces, Influence, Influences, Interpolation, Local, Material, MaterialId, Mesh, MeshId, Node, Part,
    Skin, SkinId, Track, Trs, Values,
};
use ligament_render::{Gpu, wgpu};
use ligament_view::shortcuts::Action;
use ligament_view::{Event, Jobs, Painter, Recent, State};
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROUND: u32 = 200;
const ALONG: u32 = 500;
const JOINTS: u32 = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("ligament-frames-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join("tube.glb");
    ligament::write(tube(), &path, &Default::default()).map_err(|error| error.to_string())?;
    let mut painter = Painter::new(Gpu::new()?)?;
    let jobs = Jobs::new(painter.renderer().loader(), ReadOptions::default(), Arc::new(|| {}));
    let mut state = State::new(jobs, Recent::at(None), None);
    state.update(Event::Resize([1280, 720]));
    state.update(Event::Open(vec![path]));
    if !state.finish_work(Duration::from_secs(60)) {
        return Err("the model was not read".into());
    }
    std::fs::remove_dir_all(&folder)?;
    let vertices = state.slots[0].opened.as_ref().map_or(0, |opened| opened.model.vertex_count());
    state.update(Event::Do(Action::Play));
    let mut draw = |count: u32| -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        let mut passed = 1.0 / 60.0;
        for _ in 0..count {
            let picture = Instant::now();
            // Slow pictures become coarse, as in the window.
            state.update(Event::Tick(passed));
            painter.draw(&mut state)?;
            painter.renderer().gpu().device.poll(wgpu::PollType::wait_indefinitely())?;
            passed = picture.elapsed().as_secs_f64();
        }
        Ok(f64::from(count) / start.elapsed().as_secs_f64())
    };
    draw(12)?;
    let rate = draw(60)?;
    println!("{rate:.1} pictures per second of {vertices} vertices");
    Ok(())
}

/// A tube that bends along its length.
fn tube() -> Scene {
    let mut scene = Scene { materials: vec![Material::default()], ..Scene::default() };
    let joints: Vec<_> = (0..JOINTS)
        .map(|number| {
            let parent = number.checked_sub(1).map(ligament::scene::NodeId);
            let translation = if number == 0 { Vec3::ZERO } else { Vec3::Y * (10.0 / JOINTS as f32) };
            let local = Local::Trs(Trs { translation, ..Trs::IDENTITY });
            scene.add_node(Node { name: format!("joint{number}"), parent, local, ..Node::default() })
        })
        .collect();
    let place = |i: u32| {
        let (sin, cos) = ((i % ROUND) as f32 / ROUND as f32 * std::f32::consts::TAU).sin_cos();
        Vec3::new(cos, (i / ROUND) as f32 / (ALONG - 1) as f32 * 10.0, sin)
    };
    let all = 0..ROUND * ALONG;
    let corners = (0..ROUND * (ALONG - 1)).flat_map(|i| {
        let next = i / ROUND * ROUND + (i + 1) % ROUND;
        [i, i + ROUND, next, next, i + ROUND, next + ROUND]
    });
    let mut influences = Influences::new();
    for i in all.clone() {
        let at = place(i).y / 10.0 * (JOINTS - 1) as f32;
        let first = (at as u32).min(JOINTS - 2);
        let share = at - first as f32;
        let four = [(0, 1.0 - share), (1, share), (0, 0.01), (1, 0.01)];
        influences.push(four.map(|(step, weight)| Influence { joint: first + step, weight }));
    }
    let part = Part {
        material: Some(MaterialId(0)),
        positions: all.clone().map(place).collect(),
        normals: all.clone().map(|i| place(i).with_y(0.0)).collect(),
        uvs: vec![all.clone().map(|i| Vec2::new((i % ROUND) as f32, (i / ROUND) as f32)).collect()],
        influences,
        faces: Faces::Triangles(corners.collect()),
        ..Part::default()
    };
    scene.meshes.push(Mesh { parts: vec![part], ..Mesh::default() });
    let inverse_binds = (0..JOINTS)
        .map(|i| Mat4::from_translation(-Vec3::Y * (10.0 / JOINTS as f32) * i as f32).to_cols_array())
        .collect();
    scene.skins.push(Skin { joints: joints.clone(), inverse_binds, ..Skin::default() });
    scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
    let tracks = joints.iter().map(|&node| Track {
        node,
        interpolation: Interpolation::Linear,
        times: [0.0, 1.0, 2.0].into(),
        values: Values::Rotation(vec![Quat::IDENTITY, Quat::from_rotation_z(0.08), Quat::IDENTITY]),
    });
    scene.clips.push(Clip {
        name: "bend".into(),
        duration: 2.0,
        tracks: tracks.collect(),
        ..Clip::default()
    });
    scene
}
