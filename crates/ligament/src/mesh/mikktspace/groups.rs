//! The triangles around each vertex that share a tangent.

use super::Surface;
use super::mean::{Around, Member, Space};
use super::neighbours::NONE;
use super::triangles::Triangle;
use glam::Vec4;

pub(super) struct Groups<'a> {
    surface: Surface<'a>,
    triangles: Vec<Triangle>,
    neighbours: Vec<u32>,
    members: Vec<Member>,
}

/// The tangents of corners.
struct Tangents {
    /// The tangent of each corner, or zero.
    found: Vec<Vec4>,
    /// If there are quads, the space that one of the halves gave to a corner; otherwise empty.
    of_halves: Vec<Option<Space>>,
}

impl Tangents {
    fn set(&mut self, corner: u32, space: Space, is_front: bool) {
        let space = match self.of_halves.get_mut(corner as usize) {
            Some(half) => *half.insert(half.map_or(space, |other| other.combine(space))),
            None => space,
        };
        self.found[corner as usize] = space.along[0].extend(if is_front { 1.0 } else { -1.0 });
    }
}

impl<'a> Groups<'a> {
    pub(super) fn new(surface: Surface<'a>, triangles: Vec<Triangle>, neighbours: Vec<u32>) -> Self {
        Self { surface, triangles, neighbours, members: Vec::new() }
    }

    /// The tangent of each corner, or zero.
    pub(super) fn tangents(mut self, has_quads: bool) -> Vec<Vec4> {
        let corners = self.surface.corners.len();
        let of_halves = if has_quads { vec![None; corners] } else { Vec::new() };
        let mut tangents = Tangents { found: vec![Vec4::ZERO; corners], of_halves };
        for triangle in 0..self.triangles.len() {
            for corner in 0..3 {
                let Triangle { is_vague, is_front, in_group, vertices, .. } = self.triangles[triangle];
                if !is_vague && !in_group[corner] {
                    self.collect(triangle, corner, is_front);
                    self.share(vertices[corner], is_front, &mut tangents);
                }
            }
        }
        tangents.found
    }

    /// Collects the triangles around a vertex that are connected by edges and show the same side of the texture.
    fn collect(&mut self, triangle: usize, corner: usize, is_front: bool) {
        let vertex = self.triangles[triangle].vertices[corner];
        self.members.clear();
        self.add(triangle, corner);
        // In both directions around the vertex.
        for turn in [2, 0] {
            let (mut at, mut corner) = (triangle, corner);
            loop {
                let next = self.neighbours[at * 3 + (corner + turn) % 3];
                if next == NONE {
                    break;
                }
                at = next as usize;
                let triangle = &mut self.triangles[at];
                corner = triangle.corner_of(vertex);
                if triangle.in_group[corner] {
                    break;
                }
                // The first group that reaches it decides for a triangle without directions.
                if triangle.is_vague && triangle.in_group == [false; 3] {
                    triangle.is_front = is_front;
                }
                if triangle.is_front != is_front {
                    break;
                }
                self.add(at, corner);
            }
        }
    }

    fn add(&mut self, triangle: usize, corner: usize) {
        self.triangles[triangle].in_group[corner] = true;
        self.members.push(Member::new(triangle as u32, corner as u8));
    }

    /// Gives every collected triangle its tangent: the mean of all, apart from those with an opposite direction.
    fn share(&mut self, vertex: u32, is_front: bool, tangents: &mut Tangents) {
        let Self { surface, triangles, members, .. } = self;
        let around = Around::new(*surface, triangles, vertex);
        // In the order of the faces, because sums of rounded numbers depend on it.
        members.sort_unstable_by_key(|member| member.triangle);
        members.iter_mut().for_each(|member| around.flatten(member));
        let mut set = |member: &Member, space: Space| {
            let corners = &triangles[member.triangle as usize].corners;
            tangents.set(corners[usize::from(member.corner)], space, is_front);
        };
        if around.are_close(members) {
            let space = around.mean(members.iter());
            members.iter().for_each(|member| set(member, space));
            return;
        }
        // Few different sets: usually those on either side.
        let mut known: Vec<(Vec<u32>, Space)> = Vec::new();
        for member in members.iter() {
            let with = || members.iter().filter(|other| around.belong_together(member, other));
            let numbers: Vec<u32> = with().map(|member| member.triangle).collect();
            let same = known.iter().find(|(other, _)| *other == numbers).map(|(_, space)| *space);
            let space = same.unwrap_or_else(|| around.mean(with()));
            if same.is_none() {
                known.push((numbers, space));
            }
            set(member, space);
        }
    }
}
