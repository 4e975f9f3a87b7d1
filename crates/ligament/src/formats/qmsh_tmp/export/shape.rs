//! A mesh object whose lists are made from the scene's arrays while they are written.

use super::super::document::{Corner, FaceHead};
use super::super::write::Weights;
use super::rig::Rig;
use super::surface::each_face;
use crate::mesh::smoothing::first_at_position;
use crate::scene::{Influence, Part, Scene};
use glam::{DMat4, Vec2, Vec3};
use std::collections::HashMap;
use std::ops::Range;

/// Maximum number of vertices at one position that are searched for one to share.
const MOST_SHARED: usize = 32;
/// The number of passes over all influences to group them, unless there are few.
const BLOCKS: usize = 8;
/// The limit for few influences.
const LEAST_BLOCK: usize = 1 << 16;
const NONE: u32 = u32::MAX;

/// Parts of a mesh of the scene as an object of the file.
pub(super) struct Shape {
    pub mesh: usize,
    pub parts: Range<usize>,
    /// The number of each part's material.
    pub materials: Vec<u32>,
    /// Maps the scene's mesh space to the file's vertices.
    pub matrix: DMat4,
    /// Whether faces are flipped.
    pub flip: bool,
    /// Whether bones influence the vertices.
    pub skinned: bool,
    pub vertices: Vertices,
}

/// Vertices of the file. One stands for several of the scene that differ only in texture coordinates and normals.
#[derive(Default)]
pub(super) struct Vertices {
    pub faces: usize,
    /// The number of faces with fewer than three corners.
    pub dropped: usize,
    /// For each vertex of the file, the first of its vertices in the scene, counted over all parts. Ascending by part.
    sources: Vec<u32>,
    /// The file's vertex for each vertex of the scene that faces use.
    numbers: Vec<u32>,
}

impl Vertices {
    /// Numbers the vertices in the order of the faces, merging those with the same position and influences.
    pub(super) fn of(parts: &[Part], positions: &[Vec3], skinned: bool, flip: bool) -> Self {
        let places = first_at_position(positions);
        // The last of the file's vertices at each position, and the one before it where there are several: few.
        let mut last = vec![NONE; positions.len()];
        let mut before: HashMap<u32, u32> = HashMap::new();
        let numbers = vec![NONE; positions.len()];
        let mut made = Self { numbers, sources: Vec::with_capacity(positions.len()), ..Self::default() };
        let starts = starts(parts);
        for (part, &first) in parts.iter().zip(&starts) {
            let Self { faces, sources, numbers, .. } = &mut made;
            let mut number = |corner: u32| {
                let vertex = first + corner;
                if numbers[vertex as usize] != NONE {
                    return;
                }
                let last = &mut last[places[vertex as usize] as usize];
                let mut next = *last;
                for _ in 0..MOST_SHARED {
                    let Some(&source) = sources.get(next as usize) else { break };
                    if !skinned || influences(parts, &starts, source) == part.influences.of(corner as usize) {
                        numbers[vertex as usize] = next;
                        return;
                    }
                    next = before.get(&next).copied().unwrap_or(NONE);
                }
                let new = sources.len() as u32;
                if *last != NONE {
                    before.insert(new, *last);
                }
                *last = new;
                numbers[vertex as usize] = new;
                sources.push(vertex);
            };
            made.dropped += each_face(part, flip, |face| {
                *faces += 1;
                face.iter().for_each(|&corner| number(corner));
            });
        }
        made.sources.shrink_to_fit();
        made
    }

    pub(super) fn count(&self) -> usize {
        self.sources.len()
    }
}

/// The index of each part's first vertex.
fn starts(parts: &[Part]) -> Vec<u32> {
    sums_before(parts.iter().map(|part| part.positions.len()))
}

/// For each length, the sum of those before it.
fn sums_before(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    lengths.scan(0, |sum, length| Some(std::mem::replace(sum, *sum + length as u32))).collect()
}

/// The part of a vertex that is counted over all parts, and its index there.
fn place(starts: &[u32], vertex: u32) -> (usize, u32) {
    let part = starts.partition_point(|&start| start <= vertex).saturating_sub(1);
    (part, vertex - starts[part])
}

fn influences<'p>(parts: &'p [Part], starts: &[u32], vertex: u32) -> &'p [Influence] {
    let (part, vertex) = place(starts, vertex);
    parts[part].influences.of(vertex as usize)
}

impl Shape {
    fn parts<'s>(&self, scene: &'s Scene) -> &'s [Part] {
        &scene.meshes[self.mesh].parts[self.parts.clone()]
    }

    /// The vertices as they are written.
    pub(super) fn vertices<'s>(&'s self, scene: &'s Scene) -> impl Iterator<Item = Vec3> + 's {
        let parts = self.parts(scene);
        let starts = starts(parts);
        self.vertices.sources.iter().map(move |&source| {
            let (part, vertex) = place(&starts, source);
            let position = parts[part].positions[vertex as usize];
            // Adding zero removes the sign of zero.
            self.matrix.transform_point3(position.as_dvec3()).as_vec3() + Vec3::ZERO
        })
    }

    pub(super) fn faces(&self, scene: &Scene, each: &mut dyn FnMut(FaceHead, &[Corner])) {
        let parts = self.parts(scene);
        for ((part, first), &material) in parts.iter().zip(starts(parts)).zip(&self.materials) {
            let uvs = part.uvs.first();
            let normal = |corner: u32| part.normals.get(corner as usize).copied().unwrap_or_default();
            let corner = |corner: u32| {
                let uv = uvs.and_then(|uvs| uvs.get(corner as usize));
                let uv = uv.map_or(Vec2::ZERO, |uv| Vec2::new(uv.x, 1.0 - uv.y));
                Corner { vertex: self.vertices.numbers[(first + corner) as usize], uv }
            };
            each_face(part, self.flip, |face| {
                let bent = face.iter().any(|&c| normal(c).distance_squared(normal(face[0])) > 1e-8);
                let head = FaceHead { material, smooth: u32::from(bent), corners: face.len() as u8 };
                match *face {
                    [a, b, c] => each(head, &[a, b, c].map(corner)),
                    [a, b, c, d] => each(head, &[a, b, c, d].map(corner)),
                    _ => {}
                }
            });
        }
    }

    /// Generates the vertices of each bone, with their weights, for bones that have any. Each vertex occurs once per
    /// group; repeated weights of a joint are added.
    pub(super) fn groups(&self, scene: &Scene, rig: &Rig, each: &mut dyn FnMut(usize, &mut Weights<'_>)) {
        let Some(skin) = scene.skins.first().filter(|_| self.skinned) else { return };
        let bone = |influence: &Influence| {
            let joint = skin.joints.get(influence.joint as usize).filter(|_| influence.weight > 0.0);
            joint.and_then(|joint| rig.bone_of(joint.index()))
        };
        let pulls = Pulls::of(self.parts(scene), &self.vertices.sources);
        let mut counts = vec![0_usize; rig.bones.len()];
        pulls.each(|_, pull| bone(pull).into_iter().for_each(|bone| counts[bone] += 1));
        // A few bones at a time, so that not all influences are in memory twice.
        let room = (counts.iter().sum::<usize>() / BLOCKS).max(LEAST_BLOCK);
        let mut first = 0;
        while first < counts.len() {
            let fits = |sum: &mut usize, count: &usize| {
                *sum += count;
                Some(*sum)
            };
            let more = counts[first + 1..].iter().scan(counts[first], fits).take_while(|sum| *sum <= room);
            let end = first + 1 + more.count();
            let mut by_bone: Vec<Vec<u32>> =
                counts[first..end].iter().map(|&count| Vec::with_capacity(count)).collect();
            pulls.each(|number, pull| {
                let own = bone(pull).and_then(|bone| by_bone.get_mut(bone.wrapping_sub(first)));
                own.into_iter().for_each(|own| own.push(number));
            });
            for (bone, own) in (first..end).zip(&by_bone).filter(|(_, own)| !own.is_empty()) {
                each(bone, &mut self.group(own, &pulls));
            }
            first = end;
        }
    }

    /// The vertices of a bone's influences, with the sum of their weights.
    fn group<'a>(&'a self, own: &'a [u32], pulls: &'a Pulls<'_>) -> impl Iterator<Item = (u32, f32)> + 'a {
        let numbered = |(vertex, weight): (u32, f32)| (self.vertices.numbers[vertex as usize], weight);
        let mut own = own.iter().map(move |&number| numbered(pulls.find(number))).peekable();
        std::iter::from_fn(move || {
            let (vertex, mut weight) = own.next()?;
            while let Some((_, more)) = own.next_if(|&(next, _)| next == vertex) {
                weight += more;
            }
            Some((vertex, weight))
        })
    }
}

/// The influences of the file's vertices, counted over all parts of the scene.
struct Pulls<'a> {
    parts: &'a [Part],
    /// The scene's vertices that are used for the file's.
    sources: &'a [u32],
    /// The first vertex and the first influence of each part.
    vertices: Vec<u32>,
    pairs: Vec<u32>,
}

impl<'a> Pulls<'a> {
    fn of(parts: &'a [Part], sources: &'a [u32]) -> Self {
        let pairs = sums_before(parts.iter().map(|part| part.influences.pairs().len()));
        Self { parts, sources, vertices: starts(parts), pairs }
    }

    /// Visits every influence with its number, in the order of the file's vertices.
    fn each(&self, mut each: impl FnMut(u32, &Influence)) {
        for &source in self.sources {
            let (part, vertex) = place(&self.vertices, source);
            let influences = &self.parts[part].influences;
            let Some(&start) = influences.starts().get(vertex as usize) else { continue };
            let own = influences.of(vertex as usize);
            let first = self.pairs[part] + start;
            own.iter().zip(first..).for_each(|(influence, number)| each(number, influence));
        }
    }

    /// The scene's vertex of an influence, and its weight.
    fn find(&self, number: u32) -> (u32, f32) {
        let (part, pair) = place(&self.pairs, number);
        let influences = &self.parts[part].influences;
        let vertex = influences.starts().partition_point(|&start| start <= pair) - 1;
        (self.vertices[part] + vertex as u32, influences.pairs()[pair as usize].weight)
    }
}
