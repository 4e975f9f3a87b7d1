use super::*;
use crate::mesh::smoothing::first_at_position;
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};

/// The other implementation, with the same input.
struct Oracle<'a> {
    surface: Surface<'a>,
    faces: &'a [Range<usize>],
    found: Vec<Vec4>,
}

impl Oracle<'_> {
    fn vertex(&self, face: usize, corner: usize) -> u32 {
        self.surface.corners[self.faces[face].start + corner]
    }
}

impl Geometry for Oracle<'_> {
    fn num_faces(&self) -> usize {
        self.faces.len()
    }

    fn num_vertices_of_face(&self, face: usize) -> usize {
        self.faces[face].len()
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.surface.position(self.vertex(face, corner)).to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.surface.normal(self.vertex(face, corner)).to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.surface.uv(self.vertex(face, corner)).to_array()
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, corner: usize) {
        let tangent = space.map_or(Vec4::ZERO, |space| Vec4::from_array(space.tangent_encoded()));
        self.found[self.faces[face].start + corner] = tangent;
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % limit
    }

    /// A number from −1 to 1 in a number of steps.
    fn number(&mut self, steps: usize) -> f32 {
        self.below(steps + 1) as f32 / steps as f32 * 2.0 - 1.0
    }
}

#[derive(Default)]
struct Model {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec2>,
    corners: Vec<u32>,
    faces: Vec<Range<usize>>,
}

impl Model {
    fn vertex(&mut self, position: Vec3, normal: Vec3, uv: Vec2) {
        self.positions.push(position);
        self.normals.push(normal);
        self.uvs.push(uv);
    }

    fn face(&mut self, vertices: &[usize]) {
        let start = self.corners.len();
        self.corners.extend(vertices.iter().map(|&v| v as u32));
        self.faces.push(start..self.corners.len());
    }

    /// Compares both, and returns the number of corners with a tangent.
    fn check(&self, name: &str) -> usize {
        let Self { positions, normals, uvs, corners, .. } = self;
        let places = first_at_position(positions);
        let surface = Surface { positions, normals, uvs, corners, places: &places };
        let apart = |face: &Range<usize>| {
            let mut at = corners[face.clone()].iter().map(|&v| places[v as usize]).collect::<Vec<_>>();
            at.sort_unstable();
            at.windows(2).all(|pair| pair[0] != pair[1])
        };
        let faces: Vec<_> = self.faces.iter().filter(|face| apart(face)).cloned().collect();
        let mut oracle = Oracle { surface, faces: &faces, found: vec![Vec4::ZERO; corners.len()] };
        generate_tangents(&mut oracle).expect("it has no errors");
        let found = tangents(surface, &faces);
        let bits = |tangent: &Vec4| tangent.to_array().map(f32::to_bits);
        for (corner, (ours, theirs)) in found.iter().zip(&oracle.found).enumerate() {
            assert_eq!(bits(ours), bits(theirs), "{name}: corner {corner}: {ours} is not {theirs}");
        }
        found.iter().filter(|tangent| **tangent != Vec4::ZERO).count()
    }
}

/// A bumpy sheet, of triangles, of quads or of both; in some, the texture is mirrored, or vertices are not shared.
fn sheet(seed: u64, mixed: bool) -> Model {
    let (mut random, mut model) = (Random(seed), Model::default());
    let (width, is_mirrored, is_shared) = (12, seed.is_multiple_of(2), !seed.is_multiple_of(3));
    for i in 0..width * width {
        let (x, y) = ((i % width) as f32, (i / width) as f32);
        let bump = random.number(1000);
        let u = if is_mirrored { (x - 5.0).abs() } else { x * 0.7 + 0.1 * random.number(50) };
        let normal = Vec3::new(random.number(9) * 0.3, random.number(9) * 0.3, 1.0).normalize();
        model.vertex(Vec3::new(x, y, bump), normal, Vec2::new(u, y + 0.2 * random.number(3)));
    }
    for i in (0..width * (width - 1)).filter(|i| i % width < width - 1) {
        let mut quad = [i, i + 1, i + width + 1, i + width];
        if !is_shared {
            for vertex in &mut quad {
                let (position, normal) = (model.positions[*vertex], model.normals[*vertex]);
                model.vertex(position, normal, model.uvs[*vertex]);
                *vertex = model.positions.len() - 1;
            }
        }
        let [a, b, c, d] = quad;
        if mixed && random.below(2) == 0 {
            model.face(&[a, b, c, d]);
        } else {
            model.face(&[a, b, c]);
            model.face(&[a, c, d]);
        }
    }
    model
}

/// Faces between random vertices: edges of many faces, opposite and degenerate texture coordinates, zeros of both signs.
fn tangle(seed: u64, corners: usize) -> Model {
    let (mut random, mut model) = (Random(seed), Model::default());
    let steps = 1 + random.below(4);
    for _ in 0..8 + random.below(20) {
        let position = Vec3::from([0; 3].map(|_| random.number(steps)));
        let normal = [Vec3::X, Vec3::NEG_X, Vec3::Y, -Vec3::Z, Vec3::ZERO][random.below(5)];
        let uv =
            Vec2::new(random.number(steps), random.number(steps)) * [1.0, 0.0, -1.0, 1e-30][random.below(4)];
        model.vertex(position * [1.0, -1.0][random.below(2)], normal, uv);
    }
    for _ in 0..60 {
        let count = if corners == 0 { 3 + random.below(2) } else { corners };
        let face: Vec<usize> = (0..count).map(|_| random.below(model.positions.len())).collect();
        model.face(&face);
    }
    model
}

#[test]
fn tangents_are_those_of_the_other_implementation_to_the_bit() {
    let mut found = 0;
    for seed in 0..40 {
        found += sheet(seed, false).check("triangles");
        found += sheet(seed, true).check("triangles and quads");
    }
    assert!(found > 40_000, "{found}");
}

#[test]
fn tangles_too() {
    let mut found = 0;
    for seed in 0..300 {
        found += tangle(seed, 3).check(&format!("triangles {seed}"));
        found += tangle(seed, 4).check(&format!("quads {seed}"));
        found += tangle(seed, 0).check(&format!("both {seed}"));
    }
    assert!(found > 15_000, "{found}");
}

#[test]
fn nothing_gives_nothing() {
    assert_eq!(Model::default().check("nothing"), 0);
}
