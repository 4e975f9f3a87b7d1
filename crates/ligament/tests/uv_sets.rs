//! Texture coordinates in formats of one set: the set of the colour texture is kept, whichever it was.

use ligament::formats::FORMATS;
use ligament::math::{Vec2, Vec3};
use ligament::scene::*;
use ligament::{ConvertOptions, read, write};

/// Three triangles: the first has its coordinates in the second set and none in the first, the second has two sets and
/// its colour texture in the second one, the third has none.
fn scene() -> Scene {
    let triangle = |material: u32, uvs: Vec<Vec<Vec2>>| Part {
        material: Some(MaterialId(material)),
        positions: [0, 1, 2].map(|i| Vec3::new(i as f32, (i % 2) as f32, material as f32)).into(),
        normals: vec![Vec3::Z; 3],
        uvs,
        faces: Faces::Triangles(vec![0, 1, 2]),
        ..Part::default()
    };
    let set = |base: f32| vec![0.0, 0.125, 0.25].into_iter().map(|v| Vec2::new(base + v, base)).collect();
    let material = |name: &str| Material {
        name: name.to_owned(),
        pbr: Some(Pbr {
            base_color_texture: Some(TextureRef { uv_set: 1, ..TextureRef::new(TextureId(0)) }),
            ..Pbr::default()
        }),
        ..Material::default()
    };
    let parts = vec![
        triangle(0, vec![vec![], set(0.25)]),
        triangle(1, vec![set(0.0), set(0.5)]),
        triangle(2, vec![]),
    ];
    let mut scene = Scene {
        meshes: vec![Mesh { name: "sheet".into(), parts, ..Mesh::default() }],
        materials: vec![
            material("gap"),
            material("both"),
            Material { name: "plain".into(), ..Material::default() },
        ],
        textures: vec![Texture::new(ImageId(0))],
        images: vec![Image {
            name: String::new(),
            data: ImageData::File("picture.png".into()),
            extras: Extras::new(),
        }],
        ..Scene::default()
    };
    scene.add_node(Node { name: "sheet".into(), mesh: Some(MeshId(0)), ..Node::default() });
    scene
}

/// The coordinates of each corner with those of its colour texture, in order.
fn looked_up(scene: &Scene) -> Vec<([f32; 3], Option<[f32; 2]>)> {
    let mut all = Vec::new();
    for part in scene.meshes.iter().flat_map(|mesh| &mesh.parts) {
        let material = part.material.map(|material| &scene.materials[material.index()]);
        let textures = material.map(Material::textures).unwrap_or_default();
        let set = textures.iter().find(|(slot, _)| ["base colour", "diffuse"].contains(slot));
        let set = part.uvs.get(set.map_or(0, |(_, texture)| texture.uv_set as usize));
        for &corner in part.faces.corners() {
            let uv = set.and_then(|set| set.get(corner as usize));
            // If the format joins objects, vertices without coordinates get zeros.
            all.push((
                part.positions[corner as usize].to_array(),
                uv.filter(|uv| uv.y != 0.0 && uv.y != 1.0).map(Vec2::to_array),
            ));
        }
    }
    all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    all
}

#[test]
fn the_colour_keeps_its_coordinates_in_every_format() {
    let expected = looked_up(&scene());
    assert_eq!(expected.iter().filter(|(_, uv)| uv.is_some()).count(), 6);
    let mut written = 0;
    for format in FORMATS.iter().filter(|f| f.writes(None)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("sheet.{}", format.extensions[0]));
        let done = write(scene(), &path, &ConvertOptions::default());
        let (_, report) = done.unwrap_or_else(|error| panic!("{}: {error}", format.id));
        let lost: u64 = report.losses().iter().filter(|l| l.code.id == "LS004").map(|l| l.count).sum();
        let has_one = format.capabilities(None).uv_sets == 1;
        assert_eq!(lost, u64::from(has_one), "{}", format.id);
        let found = looked_up(&read(&path, &Default::default()).unwrap().0);
        assert_eq!(found, expected, "{}", format.id);
        written += 1;
    }
    assert_eq!(written, 10);
}
