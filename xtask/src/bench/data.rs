//! The inputs: large PFOBJ and OBJ files, the same on every machine, in `target/bench`.

use crate::run::{Result, root};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// The folder of inputs and outputs.
pub fn folder() -> PathBuf {
    root().join("target/bench")
}

/// A static model of about this many megabytes.
pub fn still(megabytes: usize) -> Result<PathBuf> {
    let vertices = megabytes * 1_000_000 / 91 / 3 * 3;
    made(&format!("static-{megabytes}.pfobj"), |out| {
        header(out, vertices, 0, &[])?;
        for i in 0..vertices {
            vertex(out, i, 0)?;
        }
        material(out)?;
        bounds(out, "")
    })
}

/// A static OBJ of about this many megabytes: a bumpy sheet of triangles with positions, texture coordinates and normals
/// that neighbours share.
pub fn obj(megabytes: usize) -> Result<PathBuf> {
    const ROW: usize = 512;
    let rows = megabytes * 1_000_000 / (ROW * 201);
    made(&format!("sheet-{megabytes}.obj"), |out| {
        writeln!(out, "o sheet")?;
        for i in 0..rows * ROW {
            let (x, z) = ((i % ROW) as f64 / 64.0, (i / ROW) as f64 / 64.0);
            writeln!(out, "v {:.6} {:.6} {:.6}", x - 4.0, number(i) * 0.01, z - 4.0)?;
        }
        for i in 0..rows * ROW {
            writeln!(out, "vt {:.6} {:.6}", (i % ROW) as f64 / ROW as f64, (i / ROW) as f64 / rows as f64)?;
        }
        for i in 0..rows * ROW {
            let (x, z) = (number(2 * i) * 0.1, number(2 * i + 1) * 0.1);
            let length = (x * x + 1.0 + z * z).sqrt();
            writeln!(out, "vn {:.4} {:.4} {:.4}", x / length, 1.0 / length, z / length)?;
        }
        for i in (0..rows.saturating_sub(1) * ROW).filter(|i| i % ROW != ROW - 1) {
            let [a, b, c, d] = [i + 1, i + ROW + 1, i + ROW + 2, i + 2];
            writeln!(out, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}\nf {a}/{a}/{a} {c}/{c}/{c} {d}/{d}/{d}")?;
        }
        Ok(())
    })
}

/// An animated model of about this many megabytes, most of it frames.
pub fn animated(megabytes: usize) -> Result<PathBuf> {
    const JOINTS: usize = 60;
    let vertices = megabytes * 250_000 / 145 / 3 * 3;
    let frames = megabytes * 750_000 / (JOINTS * 101 + 100);
    let clips = [frames / 2, frames - frames / 2];
    made(&format!("animated-{megabytes}.pfobj"), |out| {
        header(out, vertices, JOINTS, &clips)?;
        for i in 0..vertices {
            vertex(out, i, JOINTS)?;
        }
        material(out)?;
        for joint in 0..JOINTS {
            write!(
                out,
                "j {joint} joint{joint} 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 "
            )?;
            writeln!(out, "0.000000/{:.6}/0.000000 0.000000/0.100000/0.000000", number(joint) * 0.2)?;
        }
        for (clip, &count) in clips.iter().enumerate() {
            writeln!(out, "as clip{clip} {count}")?;
            for frame in 0..count {
                pose(out, clip * count + frame, JOINTS)?;
                bounds(out, "\t")?;
            }
        }
        bounds(out, "")
    })
}

/// Eight floats per vertex, as input of the writing baseline, for about this many megabytes of text.
pub fn floats(megabytes: usize) -> Result<PathBuf> {
    made(&format!("floats-{megabytes}.f32"), |out| {
        for i in 0..written_vertices(megabytes) {
            let value = |k: usize| (number(i * 8 + k) * if k < 3 { 10.0 } else { 1.0 }) as f32;
            (0..8).try_for_each(|k| out.write_all(&value(k).to_le_bytes()))?;
        }
        Ok(())
    })
}

fn written_vertices(megabytes: usize) -> usize {
    megabytes * 1_000_000 / 117 / 3 * 3
}

/// A complete file with the vertices that the writing baseline printed.
pub fn around(printed: &[u8], megabytes: usize) -> Result<PathBuf> {
    made(&format!("printed-{megabytes}.pfobj"), |out| {
        header(out, written_vertices(megabytes), 1, &[])?;
        out.write_all(printed)?;
        material(out)?;
        write!(out, "j 0 root 1.000000/1.000000/1.000000 0.000000/0.000000/0.000000/1.000000 ")?;
        writeln!(out, "0.000000/0.000000/0.000000 0.000000/1.000000/0.000000")?;
        bounds(out, "")
    })
}

pub(super) fn made(
    name: &str,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<PathBuf> {
    let path = folder().join(name);
    if path.is_file() {
        return Ok(path);
    }
    let make = || {
        fs::create_dir_all(folder())?;
        let unfinished = path.with_extension("part");
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
        write(&mut out)?;
        out.flush()?;
        fs::rename(&unfinished, &path)
    };
    make().map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

/// Numbers in −1..1 that look random.
pub(super) fn number(index: usize) -> f64 {
    let mut h = (index as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (h >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn header(out: &mut dyn Write, vertices: usize, joints: usize, clips: &[usize]) -> io::Result<()> {
    let frames: Vec<String> = clips.iter().map(usize::to_string).collect();
    writeln!(
        out,
        "version        1.0\nnum_verts      {vertices}\nnum_joints     {joints}\nnum_materials  1"
    )?;
    writeln!(out, "num_as         {}\nframe_counts   {}\nhas_collision  1", clips.len(), frames.join(" "))
}

fn vertex(out: &mut dyn Write, i: usize, joints: usize) -> io::Result<()> {
    let n = |k: usize| number(i * 8 + k);
    writeln!(out, "v {:.6} {:.6} {:.6}", n(0) * 10.0, n(1) * 10.0, n(2) * 10.0)?;
    writeln!(out, "vt {:.6} {:.6}", n(3).abs(), n(4).abs())?;
    let (x, y, z) = (n(5), n(6), n(7) + 1.5);
    let length = (x * x + y * y + z * z).sqrt();
    writeln!(out, "vn {:.6} {:.6} {:.6}", x / length, y / length, z / length)?;
    if joints == 0 {
        writeln!(out, "vw ")?;
    } else {
        let joint = |k: usize| (i / 3 * 7 + k * 13) % joints;
        writeln!(out, "vw  {}/0.500000 {}/0.300000 {}/0.200000", joint(0), joint(1), joint(2))?;
    }
    writeln!(out, "vm 0")
}

fn material(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "material plain\n    ambient 1.000000\n    diffuse 0.800000 0.800000 0.800000")?;
    writeln!(out, "    specular 0.200000 0.200000 0.200000\n    texture plain.png")
}

fn pose(out: &mut dyn Write, frame: usize, joints: usize) -> io::Result<()> {
    for joint in 0..joints {
        // A small rotation about X; the cosine as a series, to the file's six digits.
        let half = number(frame * joints + joint) * 0.2;
        let (s, c) =
            (half - half * half * half / 6.0, 1.0 - half * half / 2.0 + half * half * half * half / 24.0);
        write!(out, "        {} 1.000000/1.000000/1.000000 {s:.6}/0.000000/0.000000/{c:.6} ", joint + 1)?;
        writeln!(out, "0.000000/{:.6}/0.000000", number(joint) * 0.2)?;
    }
    Ok(())
}

fn bounds(out: &mut dyn Write, indent: &str) -> io::Result<()> {
    ["x", "y", "z"].iter().try_for_each(|axis| writeln!(out, "{indent}{axis}_bounds -50.000000 50.000000"))
}
