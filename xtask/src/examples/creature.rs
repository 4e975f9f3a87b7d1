//! A friendly creature with a skeleton and three clips: the model that the documents convert and show.

use super::shape::{Patch, body_surface, pieces};
use super::skeleton::Skeleton;
use super::solid::Surface;
use super::{clips, texture, weights};
use ligament::Scene;
use ligament::math::{DMat4, DQuat, DVec2, DVec3};
use ligament::scene::{
    Extras, Faces, Filter, Image, ImageData, ImageId, Influences, Material, MaterialId, Mesh, MeshId, Node,
    NodeId, Part, Pbr, Sampler, Skin, SkinId, Texture, TextureId, TextureRef, Trs, Wrap,
};

/// The whole scene.
pub fn creature() -> Scene {
    let skeleton = Skeleton::new();
    let mut scene = Scene { name: "creature".into(), ..Scene::default() };
    for joint in &skeleton.joints {
        let (rotation, head) = joint
            .parent
            .map(|p| &skeleton.joints[p])
            .map_or((DQuat::IDENTITY, DVec3::ZERO), |p| (p.rotation, p.head));
        let local = Trs {
            translation: (rotation.inverse() * (joint.head - head)).as_vec3(),
            rotation: (rotation.inverse() * joint.rotation).as_quat(),
            ..Trs::IDENTITY
        };
        let tip = Some([0.0, joint.head.distance(joint.tip) as f32, 0.0]);
        let parent = joint.parent.map(NodeId::new);
        scene.add_node(Node {
            name: joint.name.clone(),
            parent,
            local: local.into(),
            tip,
            ..Node::default()
        });
    }
    scene.skins.push(Skin {
        name: "creature".into(),
        joints: (0..skeleton.joints.len()).map(NodeId::new).collect(),
        inverse_binds: skeleton.joints.iter().map(|j| inverse_bind(j.rotation, j.head)).collect(),
        extras: Extras::new(),
    });
    scene.meshes.push(Mesh { name: "creature".into(), parts: parts(&skeleton), ..Mesh::default() });
    scene.add_node(Node {
        name: "creature".into(),
        mesh: Some(MeshId(0)),
        skin: Some(SkinId(0)),
        ..Node::default()
    });
    add_materials(&mut scene);
    scene.clips = clips::all(&skeleton);
    scene
}

fn inverse_bind(rotation: DQuat, head: DVec3) -> [f32; 16] {
    let turn = rotation.inverse();
    DMat4::from_rotation_translation(turn, -(turn * head)).to_cols_array().map(|v| v as f32)
}

fn add_materials(scene: &mut Scene) {
    scene.images.push(Image {
        name: "creature".into(),
        data: ImageData::Embedded { mime: "image/png".into(), bytes: texture::png().into() },
        extras: Extras::new(),
    });
    let smooth = Some(Filter::Linear);
    let sampler =
        Sampler { wrap_u: Wrap::Clamp, wrap_v: Wrap::Clamp, magnify: smooth, minify: smooth, mip: smooth };
    scene.textures.push(Texture { sampler, ..Texture::new(ImageId(0)) });
    // Eyes, nose and claws shine.
    for (name, roughness) in [("hide", 0.8), ("gloss", 0.25)] {
        let base_color_texture = Some(TextureRef::new(TextureId(0)));
        let pbr = Pbr { metallic: 0.0, roughness, base_color_texture, ..Pbr::default() };
        scene.materials.push(Material { name: name.into(), pbr: Some(pbr), ..Material::default() });
    }
}

/// The soft hide with its spikes, and the glossy pieces.
fn parts(skeleton: &Skeleton) -> Vec<Part> {
    let mut hide = PartBuilder::default();
    let mut gloss = PartBuilder::default();
    let body = body_surface();
    let body_uvs: Vec<DVec2> = body.positions.iter().map(|&p| texture::hide_uv(p)).collect();
    let body_weights = weights::of_surface(skeleton, &body);
    hide.add(&body, &body_uvs, |i| &body_weights[i]);
    for piece in pieces() {
        let at_seat = weights::of_point(skeleton, piece.seat);
        let mut on_head = vec![0.0; skeleton.joints.len()];
        on_head[skeleton.find("head")] = 1.0;
        let moves_with = if matches!(piece.patch, Patch::Eye | Patch::Nose) { &on_head } else { &at_seat };
        let uvs: Vec<DVec2> = piece.on_patch.iter().map(|&at| texture::patch_uv(piece.patch, at)).collect();
        let part = if piece.patch == Patch::Spike { &mut hide } else { &mut gloss };
        part.add(&piece.surface, &uvs, |_| moves_with);
    }
    vec![hide.finish(MaterialId(0)), gloss.finish(MaterialId(1))]
}

#[derive(Default)]
struct PartBuilder {
    part: Part,
    uvs: Vec<ligament::math::Vec2>,
    triangles: Vec<u32>,
    influences: Influences,
}

impl PartBuilder {
    fn add<'w>(&mut self, surface: &Surface, uvs: &[DVec2], weights: impl Fn(usize) -> &'w weights::Weights) {
        let first = self.part.positions.len() as u32;
        self.triangles.extend(surface.triangles.iter().flatten().map(|i| first + i));
        self.part.positions.extend(surface.positions.iter().map(|&p| rounded(p).as_vec3()));
        self.part.normals.extend(surface.normals.iter().map(|n| n.as_vec3()));
        self.uvs.extend(uvs.iter().map(|uv| uv.as_vec2()));
        for i in 0..surface.positions.len() {
            self.influences.push(weights::strongest(weights(i)));
        }
    }

    fn finish(self, material: MaterialId) -> Part {
        Part {
            material: Some(material),
            uvs: vec![self.uvs],
            faces: Faces::Triangles(self.triangles),
            influences: self.influences,
            ..self.part
        }
    }
}

/// A tenth of a millimetre is enough, and packs better.
fn rounded(p: DVec3) -> DVec3 {
    (p * 10_000.0).round() / 10_000.0
}
