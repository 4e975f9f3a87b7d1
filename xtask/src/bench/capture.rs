//! A motion capture of hours: every joint of a skinned model turns on every frame.

use super::data::{made, number};
use crate::run::Result;
use std::io::{self, Write};
use std::path::PathBuf;

/// Seconds per frame.
const FRAME: f64 = 0.036;
/// Metres between a joint and its child.
const STEP: f64 = 0.05;

/// A GLB file with one clip of linear keys.
pub fn capture(frames: usize, joints: usize, vertices: usize) -> Result<PathBuf> {
    let vertices = vertices / 3 * 3;
    made(&format!("capture-{frames}.glb"), |out| {
        let views =
            [vertices * 12, vertices * 4, vertices * 16, joints * 64, frames * 4, joints * frames * 16];
        let length: usize = views.iter().sum();
        let mut json = document(&views, frames, joints, vertices);
        while !json.len().is_multiple_of(4) {
            json.push(' ');
        }
        out.write_all(b"glTF")?;
        for number in [2, 12 + 8 + json.len() + 8 + length, json.len()] {
            out.write_all(&(number as u32).to_le_bytes())?;
        }
        write!(out, "JSON{json}")?;
        out.write_all(&(length as u32).to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        contents(out, frames, joints, vertices)
    })
}

fn document(views: &[usize], frames: usize, joints: usize, vertices: usize) -> String {
    let mut start = 0;
    let views = listed(views.len(), |i| {
        start += views[i];
        format!(r#"{{"buffer":0,"byteOffset":{},"byteLength":{}}}"#, start - views[i], views[i])
    });
    let accessor = |view: usize, offset: usize, kind: u32, count: usize, shape: &str, more: &str| {
        format!(
            r#"{{"bufferView":{view},"byteOffset":{offset},"componentType":{kind},"count":{count},"type":"{shape}"{more}}}"#
        )
    };
    let height = STEP * joints as f64;
    let bounds = format!(r#","min":[-1,-1,-1],"max":[1,{},1]"#, height + 1.0);
    let last = format!(r#","min":[0],"max":[{}]"#, (FRAME * (frames - 1) as f64) as f32);
    let shared = [
        accessor(0, 0, 5126, vertices, "VEC3", &bounds),
        accessor(1, 0, 5121, vertices, "VEC4", ""),
        accessor(2, 0, 5126, vertices, "VEC4", ""),
        accessor(3, 0, 5126, joints, "MAT4", ""),
        accessor(4, 0, 5126, frames, "SCALAR", &last),
    ];
    let turns = listed(joints, |joint| accessor(5, joint * frames * 16, 5126, frames, "VEC4", ""));
    let nodes = listed(joints, |joint| {
        let child =
            if joint + 1 < joints { format!(r#","children":[{}]"#, joint + 1) } else { String::new() };
        let height = if joint == 0 { 0.0 } else { STEP };
        format!(r#"{{"name":"joint{joint}","translation":[0,{height},0]{child}}}"#)
    });
    let channels = listed(joints, |joint| {
        format!(r#"{{"sampler":{joint},"target":{{"node":{joint},"path":"rotation"}}}}"#)
    });
    let samplers = listed(joints, |joint| format!(r#"{{"input":4,"output":{}}}"#, shared.len() + joint));
    let length: usize = start;
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,{joints}]}}],"nodes":[{nodes},{{"mesh":0,"skin":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}}}]}}],"skins":[{{"joints":[{}],"inverseBindMatrices":3}}],"animations":[{{"name":"capture","channels":[{channels}],"samplers":[{samplers}]}}],"accessors":[{},{turns}],"bufferViews":[{views}],"buffers":[{{"byteLength":{length}}}]}}"#,
        listed(joints, |joint| joint.to_string()),
        shared.join(","),
    )
}

fn listed(count: usize, item: impl FnMut(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

fn contents(out: &mut dyn Write, frames: usize, joints: usize, vertices: usize) -> io::Result<()> {
    let floats = |out: &mut dyn Write, values: &[f64]| {
        values.iter().try_for_each(|value| out.write_all(&(*value as f32).to_le_bytes()))
    };
    let joint = |vertex: usize| vertex / 3 * joints / (vertices / 3);
    for vertex in 0..vertices {
        let n = |k: usize| number(vertex * 3 + k);
        floats(out, &[n(0), joint(vertex) as f64 * STEP + n(1).abs(), n(2)])?;
    }
    for vertex in 0..vertices {
        out.write_all(&[joint(vertex) as u8, (joint(vertex) + 1).min(joints - 1) as u8, 0, 0])?;
    }
    for vertex in 0..vertices {
        let second = if joint(vertex) + 1 < joints { 0.25 } else { 0.0 };
        floats(out, &[1.0 - second, second, 0.0, 0.0])?;
    }
    for joint in 0..joints {
        let mut bind = [0.0; 16];
        [bind[0], bind[5], bind[10], bind[15]] = [1.0; 4];
        bind[13] = -STEP * joint as f64;
        floats(out, &bind)?;
    }
    for frame in 0..frames {
        floats(out, &[FRAME * frame as f64])?;
    }
    for joint in 0..joints {
        for frame in 0..frames {
            let half = number(joint * 7 + frame) * 0.05;
            floats(out, &[half.sin(), 0.0, 0.0, half.cos()])?;
        }
    }
    Ok(())
}
