//! Mesh objects: materials, vertices, faces and vertex groups.

use super::words::Label;
use super::{Lists, Writer};
use crate::formats::qmsh_tmp::document::{Corner, FaceHead, Material, Mesh, Placement};
use crate::formats::qmsh_tmp::version::MaterialStyle;
use glam::Vec3;

impl Writer<'_> {
    pub(super) fn mesh(&mut self, mesh: &Mesh, object: usize, lists: &dyn Lists) {
        self.line(("\tmesh ", &mesh.name, " {"));
        let Placement { position, rotation, scale } = mesh.placement;
        let named = self.version.named_transform();
        let label = |name| Label(if named { name } else { "" });
        for (name, value) in [("pos", position), ("rot", rotation), ("scale", scale)] {
            self.line((label(name), value));
        }
        self.line((label("parent"), &mesh.parent, " ", &mesh.parent_bone));
        if let Some(angle) = mesh.smooth_angle {
            self.line((label("smooth"), angle));
        }
        self.list("materials", mesh.materials.len());
        mesh.materials.iter().for_each(|material| self.material(material));
        self.line("\t\t}");
        let [vertices, faces] = lists.counts(object);
        self.list("vertices", vertices);
        let mut normals = mesh.normals.iter();
        lists.vertices(object, &mut |vertex| {
            self.line(("\t\t\t", vertex, normals.next().map(|&normal| (",", normal))));
        });
        self.line("\t\t}");
        self.list("faces", faces);
        let mut normals = mesh.faces.normals.iter();
        lists.faces(object, &mut |head, corners| self.face(head, corners, normals.next()));
        self.line("\t\t}");
        self.line(("\t\tvertex_groups", self.version.list_colons().then_some(":"), " {"));
        lists.groups(object, &mut |name, weights| {
            self.put(("\t\t\t", name, " { "));
            weights.for_each(|(vertex, weight)| self.put((vertex, " ", weight, " ")));
            self.line("}");
        });
        self.line("\t\t}");
        self.line("\t}");
    }

    fn material(&mut self, material: &Material) {
        match (self.version.materials(), &material.image) {
            (MaterialStyle::Name, _) => self.line(("\t\t\t", &material.name)),
            (MaterialStyle::Image, None) => self.line(("\t\t\t", &material.name, ", none")),
            (MaterialStyle::Image, Some(image)) => self.line(("\t\t\t", &material.name, ", image ", image)),
            (MaterialStyle::Block, _) => self.block_material(material),
        }
    }

    fn block_material(&mut self, material: &Material) {
        self.line(("\t\t\tmaterial ", &material.name, " {"));
        if let Some((color, intensity)) = material.diffuse {
            self.line(("\t\t\t\tdiffuse ", Vec3::from(color), " ", intensity));
        }
        if let Some((color, intensity, hardness)) = material.specular {
            self.line(("\t\t\t\tspecular ", Vec3::from(color), " ", intensity, " ", hardness));
        }
        for texture in &material.textures {
            self.line(("\t\t\t\ttexture ", &texture.file, " {"));
            for (what, factor) in &texture.uses {
                self.line(("\t\t\t\t\t", what.word(), " ", *factor));
            }
            self.line("\t\t\t\t}");
        }
        self.line("\t\t\t}");
    }

    fn face(&mut self, head: FaceHead, corners: &[Corner], normal: Option<&Vec3>) {
        self.put(("\t\t\t", u32::from(head.corners), " ", head.material, " ", head.smooth));
        for Corner { vertex, uv } in corners {
            self.put((" ", *vertex, " ", uv.x, ",", uv.y));
        }
        self.line(normal.map(|&normal| (" ", normal)));
    }
}
