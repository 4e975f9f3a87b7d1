//! BOGLE files: mostly vertices, which are copied and checked.

use ligament::formats::bogle::{
    Bone, Collection, Dialect, Document, Geometry, Material, MaterialNumbers, Object, Vertex,
};
use ligament::formats::{Document as _, ReadOptions};
use ligament::io::MemoryOutput;
use ligament::report::Report;

/// Reads bytes in memory to a document.
pub fn read(vertices: usize, times: usize) {
    let bytes = file(vertices);
    println!("bytes {}", bytes.len());
    crate::fastest(times, || parse(&bytes));
}

/// Reads bytes in memory to a scene.
pub fn read_scene(vertices: usize, times: usize) {
    let bytes = file(vertices);
    println!("bytes {}", bytes.len());
    let options = ReadOptions::default();
    crate::fastest(times, || {
        let document = Box::new(parse(&bytes));
        document.import(&options, &mut Report::default()).expect("the file is good")
    });
}

/// The baseline: copies the same bytes.
pub fn copy(vertices: usize, times: usize) {
    let bytes = file(vertices);
    println!("bytes {}", bytes.len());
    crate::fastest(times, || bytes.clone());
}

fn parse(bytes: &[u8]) -> Document {
    Document::parse(bytes, &ReadOptions::default(), &mut Report::default()).expect("the file is good")
}

/// A strip of triangles on two bones.
fn file(vertices: usize) -> Vec<u8> {
    let identity = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    let vertex = |i: usize| {
        let (x, y) = ((i / 2) as f32 * 0.01, (i % 2) as f32);
        Vertex {
            position: [x, y, 0.0],
            uv: [x.fract(), y],
            normal: [0.0, 0.0, 1.0],
            tangent: [1.0, 0.0, 0.0],
            binormal: [0.0, 1.0, 0.0],
            bones: [0, 1, 0],
            weights: [1.0 - y * 0.5, y * 0.5, 0.0],
        }
    };
    let numbers = MaterialNumbers {
        opacity: 1.0,
        specular_power: 32.0,
        reflectance: 0.0,
        refraction: 0.0,
        refractive_index: 1.0,
        bump_intensity: 1.0,
        specular_scale: 1.0,
        alpha_threshold: 0.0,
    };
    let bone = |parent| Bone { position: [0.0, 1.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], parent };
    let document = Document {
        ambient: [0.1, 0.1, 0.1, 1.0],
        geometries: vec![Geometry {
            name: "Strip".into(),
            vertices: (0..vertices).map(vertex).collect(),
            indices: (2..vertices as u32).flat_map(|i| [i - 2, i - 1 + i % 2, i - i % 2]).collect(),
            ..Geometry::default()
        }],
        materials: vec![Material {
            shader: 0,
            name: "Plain".into(),
            ambient: [1.0; 4],
            emissive: [0.0; 4],
            diffuse: [1.0; 4],
            specular: [1.0; 4],
            numbers,
            blend: 0,
            textures: Default::default(),
        }],
        collections: vec![Collection {
            name: "Rig".into(),
            matrix: identity,
            bones: vec![bone(0), bone(1)],
            animations: Vec::new(),
        }],
        objects: vec![Object {
            name: "Strip".into(),
            geometry: 1,
            material: 1,
            collection: 1,
            matrix: identity,
            ..Object::default()
        }],
        tree: "0{}".into(),
        ..Document::default()
    };
    let mut output = MemoryOutput::new("strip");
    document
        .write_to(Dialect::Document, &mut output, &mut Report::default())
        .expect("memory takes everything");
    output.main
}
