//! The triangles on both sides of each edge.

use super::triangles::Triangle;

/// There is no neighbour.
pub(super) const NONE: u32 = u32::MAX;

/// For each edge, the triangle on the other side: edge `i` of triangle `t` is number `3 * t + i`. Two triangles are
/// neighbours if they have the same edge in opposite directions; if there are several, the first two are.
pub(super) fn of(triangles: &[Triangle], vertices: usize) -> Vec<u32> {
    let ends = |edge: u32| {
        let [a, b, c] = triangles[edge as usize / 3].vertices;
        [(a, b), (b, c), (c, a)][edge as usize % 3]
    };
    let count = triangles.len() * 3;
    // All edges by the lower of their vertices: first the end of each vertex's edges...
    let mut starts = vec![0_u32; vertices + 1];
    let all = || {
        triangles.iter().flat_map(|t| [(0, 1), (1, 2), (2, 0)].map(|(a, b)| (t.vertices[a], t.vertices[b])))
    };
    all().for_each(|(a, b)| starts[a.min(b) as usize] += 1);
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    // ...and, once they are put before it, their start. The higher vertex comes first in the number they are sorted by.
    let mut edges = vec![0_u64; count];
    for (edge, (a, b)) in all().enumerate() {
        let slot = &mut starts[a.min(b) as usize];
        *slot -= 1;
        edges[*slot as usize] = u64::from(a.max(b)) << 32 | edge as u64;
    }
    let mut neighbours = vec![NONE; count];
    for range in starts.windows(2) {
        let at_vertex = &mut edges[range[0] as usize..range[1] as usize];
        at_vertex.sort_unstable();
        for same in at_vertex.chunk_by(|a, b| a >> 32 == b >> 32) {
            for (i, &one) in same.iter().enumerate() {
                let one = one as u32;
                if neighbours[one as usize] != NONE {
                    continue;
                }
                let (from, to) = ends(one);
                let is_other = |&&other: &&u64| {
                    neighbours[other as u32 as usize] == NONE && ends(other as u32) == (to, from)
                };
                if let Some(&other) = same[i + 1..].iter().find(is_other) {
                    neighbours[one as usize] = other as u32 / 3;
                    neighbours[other as u32 as usize] = one / 3;
                }
            }
        }
    }
    neighbours
}
