//! Texture coordinates, normals, tangents and colours of paired vertices.

use super::Pairing;
use super::features::{Differences, absent_or};
use super::pairing::Pairs;
use super::surface::Surface;
use crate::pose::{Deformer, Pose};
use glam::{Vec2, Vec3, Vec4};

/// Differences below this are rounding, of text with six decimals or of f32.
const ROUNDING: f32 = 1e-5;

/// Angles below this count as equal directions.
const DEGREES: f64 = 0.01;

pub(super) fn compare(first: &Surface, second: &Surface, pairs: &Pairs, differences: &mut Differences) {
    let all = |surface: &Surface| super::surface::placements(surface.scene).count();
    for (surface, is_first) in [(first, true), (second, false)] {
        if surface.placements < all(surface) {
            let text = format!("the first {} of {} compared", surface.placements, all(surface));
            let (a, b) = if is_first { (text, String::new()) } else { (String::new(), text) };
            differences.add("mesh placements", a, b);
        }
    }
    if pairs.pairing == Pairing::Nearest && pairs.uncovered > 0 {
        let there = format!("{} vertices far from every vertex of the first", pairs.uncovered);
        differences.add("geometry", "nothing there", there);
    }
    uvs(first, second, pairs, differences);
    colors(first, second, pairs, differences);
    directions(first, second, pairs, differences);
}

/// A vertex's texture coordinates in a set.
pub(super) fn uv(surface: &Surface, vertex: u32, set: usize) -> Option<Vec2> {
    let (placed, local) = surface.locate(vertex);
    placed.part.uvs.get(set)?.get(local).copied()
}

fn color(surface: &Surface, vertex: u32, set: usize) -> Option<Vec4> {
    let (placed, local) = surface.locate(vertex);
    placed.part.colors.get(set)?.get(local).copied()
}

fn uvs(first: &Surface, second: &Surface, pairs: &Pairs, differences: &mut Differences) {
    let sets = |s: &Surface| s.placed.iter().map(|p| p.part.uvs.len()).max().unwrap_or(0);
    let (a, b) = (sets(first), sets(second));
    differences.check("texture coordinate sets", a, b);
    for set in 0..a.min(b) {
        let away =
            |&(a, b): &(u32, u32)| Some((uv(first, a, set)? - uv(second, b, set)?).abs().max_element());
        report_largest(pairs, away, &format!("texture coordinates {set}"), differences);
    }
}

fn colors(first: &Surface, second: &Surface, pairs: &Pairs, differences: &mut Differences) {
    let sets = |s: &Surface| s.placed.iter().map(|p| p.part.colors.len()).max().unwrap_or(0);
    let (a, b) = (sets(first), sets(second));
    differences.check("vertex colour sets", a, b);
    for set in 0..a.min(b) {
        let away =
            |&(a, b): &(u32, u32)| Some((color(first, a, set)? - color(second, b, set)?).abs().max_element());
        report_largest(pairs, away, &format!("vertex colours {set}"), differences);
    }
}

fn report_largest(
    pairs: &Pairs,
    away: impl Fn(&(u32, u32)) -> Option<f32>,
    feature: &str,
    differences: &mut Differences,
) {
    let moved = || pairs.list.iter().filter_map(&away).filter(|&d| d > ROUNDING);
    let count = moved().count();
    if count > 0 {
        let largest = moved().fold(0.0, f32::max);
        differences.add(feature, "as stored", format!("{count} vertices off by up to {largest}"));
    }
}

/// Compares normals and tangents, posed at rest because a conversion may have moved a transform from a node into its
/// mesh.
fn directions(first: &Surface, second: &Surface, pairs: &Pairs, differences: &mut Differences) {
    let (a, b) = (Directions::of(first), Directions::of(second));
    let presence = |all: &[Option<Vec4>], used: &dyn Fn(&(u32, u32)) -> u32| {
        let count = pairs.list.iter().filter(|p| all[used(p) as usize].is_some()).count();
        absent_or(count, || {
            if count == pairs.list.len() { "present".into() } else { format!("on {count} vertices") }
        })
    };
    for (feature, a, b) in [("normals", &a.normals, &b.normals), ("tangents", &a.tangents, &b.tangents)] {
        differences.check(feature, presence(a, &|p| p.0), presence(b, &|p| p.1));
        let (mut turned, mut largest, mut flipped) = (0_usize, 0.0_f64, 0_usize);
        for &(i, j) in &pairs.list {
            if let (Some(a), Some(b)) = (a[i as usize], b[j as usize]) {
                let angle = degrees(a.truncate(), b.truncate());
                turned += usize::from(angle > DEGREES);
                largest = largest.max(angle);
                flipped += usize::from(a.w != b.w);
            }
        }
        if turned > 0 {
            let text = format!("{turned} turned by up to {largest:.3} degrees");
            differences.add(format!("{feature} at rest"), "as stored", text);
        }
        if flipped > 0 {
            differences.add(format!("{feature} sides"), "as stored", format!("{flipped} flipped"));
        }
    }
}

/// The angle between two directions; zero if either has no length.
fn degrees(a: Vec3, b: Vec3) -> f64 {
    if a == b {
        return 0.0;
    }
    let (a, b) = (a.as_dvec3(), b.as_dvec3());
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

/// Posed normals and tangents of all vertices. Vertices without one have no entry.
struct Directions {
    normals: Vec<Option<Vec4>>,
    tangents: Vec<Option<Vec4>>,
}

impl Directions {
    fn of(surface: &Surface) -> Self {
        let pose = Pose::rest(surface.scene);
        let (mut deformer, mut parts) = (Deformer::new(), Vec::new());
        let mut all = Self { normals: Vec::new(), tangents: Vec::new() };
        for (node, _) in super::surface::placements(surface.scene).take(surface.placements) {
            deformer.deform(surface.scene, &pose, node, &mut parts);
            for part in &parts {
                let count = part.positions.len();
                all.normals.extend((0..count).map(|i| part.normals.get(i).map(|n| n.extend(0.0))));
                all.tangents.extend((0..count).map(|i| part.tangents.get(i).copied()));
            }
        }
        all
    }
}
