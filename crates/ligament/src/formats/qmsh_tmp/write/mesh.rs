//! Mesh objects: materials, vertices, faces and vertex groups.

use super::{Lists, Writer};
use crate::formats::qmsh_tmp::document::{Corner, FaceHead, Material, Mesh, Placement, TextureUse, word_of};
use crate::formats::qmsh_tmp::version::MaterialStyle;
use glam::Vec3;

impl Writer<'_> {
    pub(super) fn mesh(&mut self, mesh: &Mesh, object: usize, lists: &dyn Lists) {
        self.out.text(b"\tmesh ");
        self.string(&mesh.name);
        self.line(b" {");
        let Placement { position, rotation, scale } = mesh.placement;
        let named = self.version.named_transform();
        for (label, value) in [("pos", position), ("rot", rotation), ("scale", scale)] {
            self.label(if named { label } else { "" });
            self.vector(value);
            self.out.end_line();
        }
        self.label(if named { "parent" } else { "" });
        self.string(&mesh.parent);
        self.out.text(b" ");
        self.string(&mesh.parent_bone);
        self.out.end_line();
        if let Some(angle) = mesh.smooth_angle {
            self.label(if named { "smooth" } else { "" });
            self.degrees(angle);
            self.out.end_line();
        }
        self.list("materials", mesh.materials.len());
        mesh.materials.iter().for_each(|material| self.material(material));
        self.line(b"\t\t}");
        let [vertices, faces] = lists.counts(object);
        self.list("vertices", vertices);
        let mut normals = mesh.normals.iter();
        lists.vertices(object, &mut |vertex| {
            self.out.text(b"\t\t\t");
            self.vector(vertex);
            if let Some(&normal) = normals.next() {
                self.out.text(b",");
                self.vector(normal);
            }
            self.out.end_line();
        });
        self.line(b"\t\t}");
        self.list("faces", faces);
        let mut normals = mesh.faces.normals.iter();
        lists.faces(object, &mut |head, corners| self.face(head, corners, normals.next()));
        self.line(b"\t\t}");
        self.out.text(if self.version.list_colons() {
            b"\t\tvertex_groups: {"
        } else {
            b"\t\tvertex_groups {"
        });
        self.out.end_line();
        lists.groups(object, &mut |name, weights| {
            self.out.text(b"\t\t\t");
            self.string(name);
            self.out.text(b" { ");
            for (vertex, weight) in weights {
                self.out.whole(vertex);
                self.out.text(b" ");
                self.number(weight);
                self.out.text(b" ");
            }
            self.line(b"}");
        });
        self.line(b"\t\t}");
        self.line(b"\t}");
    }

    fn material(&mut self, material: &Material) {
        self.out.text(b"\t\t\t");
        match self.version.materials() {
            MaterialStyle::Name => self.string(&material.name),
            MaterialStyle::Image => {
                self.string(&material.name);
                match &material.image {
                    None => self.out.text(b", none"),
                    Some(image) => {
                        self.out.text(b", image ");
                        self.string(image);
                    }
                }
            }
            MaterialStyle::Block => self.block_material(material),
        }
        self.out.end_line();
    }

    fn block_material(&mut self, material: &Material) {
        self.out.text(b"material ");
        self.string(&material.name);
        self.line(b" {");
        if let Some((color, intensity)) = material.diffuse {
            self.out.text(b"\t\t\t\tdiffuse ");
            self.numbers(&color, b",");
            self.out.text(b" ");
            self.number(intensity);
            self.out.end_line();
        }
        if let Some((color, intensity, hardness)) = material.specular {
            self.out.text(b"\t\t\t\tspecular ");
            self.numbers(&color, b",");
            self.out.text(b" ");
            self.number(intensity);
            self.out.text(b" ");
            self.int(hardness);
            self.out.end_line();
        }
        for texture in &material.textures {
            self.out.text(b"\t\t\t\ttexture ");
            self.string(&texture.file);
            self.line(b" {");
            for (what, factor) in &texture.uses {
                self.out.text(b"\t\t\t\t\t");
                self.out.text(word_of(&TextureUse::ALL, what).as_bytes());
                self.out.text(b" ");
                self.number(*factor);
                self.out.end_line();
            }
            self.line(b"\t\t\t\t}");
        }
        self.out.text(b"\t\t\t}");
    }

    fn face(&mut self, head: FaceHead, corners: &[Corner], normal: Option<&Vec3>) {
        self.out.text(b"\t\t\t");
        for (i, value) in [head.corners.into(), head.material, head.smooth].into_iter().enumerate() {
            self.out.text(if i > 0 { b" " } else { b"" });
            self.out.whole(value);
        }
        for corner in corners {
            self.out.text(b" ");
            self.out.whole(corner.vertex);
            self.out.text(b" ");
            self.numbers(&corner.uv.to_array(), b",");
        }
        if let Some(&normal) = normal {
            self.out.text(b" ");
            self.vector(normal);
        }
        self.out.end_line();
    }
}
