//! Scenes made in code, small enough to know what must be visible.

use ligament::Scene;
use ligament::math::{Vec2, Vec3, Vec4};
use ligament::scene::{
    AlphaMode, Faces, Image, ImageData, ImageId, Local, Material, MaterialId, Mesh, MeshId, Node, Part, Pbr,
    Phong, Texture, TextureId, TextureRef, Trs,
};

/// Red, green / blue, white: each corner can be identified.
pub const CORNERS: [[u8; 4]; 4] =
    [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]];

pub fn png(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(pixels).expect("pixels");
    drop(writer);
    bytes
}

pub fn image(bytes: Vec<u8>) -> Image {
    let data = ImageData::Embedded { mime: "image/png".into(), bytes: bytes.into() };
    Image { name: "picture".into(), data, extras: Default::default() }
}

/// A square of two units that faces +Z, its texture upright.
pub fn square(material: u32) -> Part {
    Part {
        material: Some(MaterialId(material)),
        positions: [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| Vec3::new(x, y, 0.0))
            .into(),
        normals: vec![Vec3::Z; 4],
        uvs: vec![[(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)].map(|(u, v)| Vec2::new(u, v)).into()],
        faces: Faces::Triangles(vec![0, 1, 2, 0, 2, 3]),
        ..Part::default()
    }
}

pub fn unlit(color: [f32; 4]) -> Material {
    Material { pbr: Some(Pbr { base_color: color, ..Pbr::default() }), unlit: true, ..Material::default() }
}

pub fn textured(mut material: Material) -> Material {
    if let Some(pbr) = &mut material.pbr {
        pbr.base_color_texture = Some(TextureRef::new(TextureId(0)));
    }
    material
}

/// A square with a texture of four colours.
pub fn picture(bytes: Vec<u8>) -> Scene {
    let mut scene = of_parts(vec![square(0)], vec![textured(unlit([1.0; 4]))]);
    scene.images.push(image(bytes));
    scene.textures.push(Texture::new(ImageId(0)));
    scene
}

pub fn four_colors() -> Scene {
    // Large enough that the corners of the square show one colour each.
    let pixels: Vec<u8> =
        (0..64).flat_map(|i| CORNERS[usize::from(i % 8 >= 4) + 2 * usize::from(i / 8 >= 4)]).collect();
    picture(png(8, 8, &pixels))
}

pub fn of_parts(parts: Vec<Part>, materials: Vec<Material>) -> Scene {
    let mut scene = Scene { materials, ..Scene::default() };
    scene.meshes.push(Mesh { parts, ..Mesh::default() });
    scene.add_node(Node { mesh: Some(MeshId(0)), ..Node::default() });
    scene
}

/// A ball with one material.
pub fn ball(material: u32, center: Vec3) -> Part {
    let (rings, sectors) = (16_u32, 24_u32);
    let mut part = Part { material: Some(MaterialId(material)), uvs: vec![vec![]], ..Part::default() };
    for ring in 0..=rings {
        for sector in 0..=sectors {
            let (v, u) = (ring as f32 / rings as f32, sector as f32 / sectors as f32);
            let (polar, turn) = (v * std::f32::consts::PI, u * std::f32::consts::TAU);
            let normal = Vec3::new(polar.sin() * turn.sin(), polar.cos(), polar.sin() * turn.cos());
            part.positions.push(center + normal);
            part.normals.push(normal);
            part.uvs[0].push(Vec2::new(u, v));
        }
    }
    let mut corners = Vec::new();
    for ring in 0..rings {
        for sector in 0..sectors {
            let at = ring * (sectors + 1) + sector;
            let below = at + sectors + 1;
            corners.extend([at, below, below + 1, at, below + 1, at + 1]);
        }
    }
    part.faces = Faces::Triangles(corners);
    part
}

/// Six balls: rough, smooth, metal, Phong with a highlight, glowing, blended before a striped wall.
pub fn materials() -> Scene {
    let pbr = |color: [f32; 4], metallic, roughness| Material {
        pbr: Some(Pbr { base_color: color, metallic, roughness, ..Pbr::default() }),
        ..Material::default()
    };
    let phong = Material {
        phong: Some(Phong {
            diffuse: [0.1, 0.4, 0.7],
            specular: [0.8; 3],
            shininess: Some(40.0),
            ..Phong::default()
        }),
        ..Material::default()
    };
    let materials = vec![
        pbr([0.8, 0.2, 0.15, 1.0], 0.0, 0.9),
        pbr([0.15, 0.6, 0.25, 1.0], 0.0, 0.2),
        pbr([0.95, 0.75, 0.35, 1.0], 1.0, 0.3),
        phong,
        Material { emissive: [0.6, 0.1, 0.5], ..pbr([0.05, 0.05, 0.05, 1.0], 0.0, 0.8) },
        Material { alpha: AlphaMode::Blend, ..pbr([0.2, 0.5, 0.9, 0.4], 0.0, 0.4) },
        Material { double_sided: true, ..pbr([1.0; 4], 0.0, 1.0) },
    ];
    let mut parts: Vec<Part> =
        (0..6).map(|i| ball(i, Vec3::new((i % 3) as f32 * 2.4, (i / 3) as f32 * -2.4, 0.0))).collect();
    // The wall's stripes are vertex colours.
    let mut wall = square(6);
    wall.positions.iter_mut().for_each(|p| *p = *p * Vec3::new(3.6, 2.4, 1.0) + Vec3::new(2.4, -1.2, -1.5));
    wall.colors = vec![vec![
        Vec4::new(1.0, 0.9, 0.2, 1.0),
        Vec4::new(0.1, 0.1, 0.1, 1.0),
        Vec4::ONE,
        Vec4::new(0.9, 0.2, 0.2, 1.0),
    ]];
    parts.push(wall);
    of_parts(parts, materials)
}

/// The scene with its first node placed elsewhere.
pub fn placed(mut scene: Scene, trs: Trs) -> Scene {
    scene.nodes[0].local = Local::Trs(trs);
    scene
}
