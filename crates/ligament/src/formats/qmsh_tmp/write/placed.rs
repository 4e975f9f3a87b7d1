//! Armatures with their bones, empties and cameras.

use super::Writer;
use crate::formats::qmsh_tmp::document::{Armature, Bone, BoneEnd, Camera, Empty, Placement};

impl Writer<'_> {
    pub(super) fn armature(&mut self, armature: &Armature) {
        self.out.text(b"\tarmature ");
        self.string(&armature.name);
        self.line(b" {");
        let Placement { position, rotation, scale } = armature.placement;
        for value in [position, rotation, scale] {
            self.out.text(b"\t\t");
            self.vector(value);
            self.out.end_line();
        }
        if self.version.flags_and_rolls() {
            self.out.text(b"\t\t");
            self.out.whole(armature.use_groups);
            self.out.text(b" ");
            self.out.whole(armature.use_envelopes);
            self.out.end_line();
        }
        for (name, parent) in &armature.groups {
            self.out.text(b"\t\tgroup ");
            self.string(name);
            self.line(b" {");
            self.out.text(b"\t\t\tparent ");
            self.string(parent);
            self.out.end_line();
            self.line(b"\t\t}");
        }
        armature.bones.iter().for_each(|bone| self.bone(bone));
        self.line(b"\t}");
    }

    fn bone(&mut self, bone: &Bone) {
        let short = self.version.short_bones();
        self.out.text(b"\t\tbone ");
        self.string(&bone.name);
        self.line(b" {");
        self.out.text(if short { b"\t\t\tparent " } else { b"\t\t\t" });
        self.string(&bone.parent);
        self.out.end_line();
        if short {
            self.out.text(b"\t\t\tgroup ");
            self.string(&bone.group);
            self.out.end_line();
        }
        for (name, end) in [("head", &bone.head), ("tail", &bone.tail)] {
            self.bone_end(name, end);
        }
        self.out.text(b"\t\t\t");
        if short {
            self.out.whole(bone.connected);
        } else if self.version.flags_and_rolls() {
            self.degrees(bone.rolls[0]);
            self.out.text(b" ");
            self.degrees(bone.rolls[1]);
            self.out.end_line();
            self.out.text(b"\t\t\t");
            self.numbers(&[bone.length, bone.weight], b" ");
        } else {
            self.number(bone.length);
        }
        self.out.end_line();
        self.out.end_line();
        if !short {
            bone.to_parent.iter().for_each(|row| self.row(row, b", "));
            self.out.end_line();
        }
        bone.to_armature.iter().for_each(|row| self.row(row, b", "));
        self.line(b"\t\t}");
    }

    fn bone_end(&mut self, name: &str, end: &BoneEnd) {
        self.out.text(b"\t\t\t");
        self.out.text(name.as_bytes());
        if !self.version.short_bones() {
            self.out.text(b" ");
            self.vector(end.in_parent);
        }
        self.out.text(b" ");
        self.vector(end.in_armature);
        self.out.text(b" ");
        self.number(end.radius);
        self.out.end_line();
    }

    fn row(&mut self, row: &[f32], separator: &[u8]) {
        self.out.text(b"\t\t\t");
        self.numbers(row, separator);
        self.out.text(if self.version.semicolons() { b";" } else { b"" });
        self.out.end_line();
    }

    pub(super) fn empty(&mut self, empty: &Empty) {
        self.out.text(b"\tempty ");
        self.string(&empty.name);
        self.line(b" {");
        for (label, text) in [("bone", &empty.bone), ("type", &empty.kind)] {
            self.label(label);
            self.string(text);
            self.out.end_line();
        }
        self.label("size");
        if self.version.vector_sizes() {
            self.vector(empty.size);
            self.out.end_line();
            self.label("scale");
            self.number(empty.scale);
        } else {
            self.number(empty.size.x);
        }
        self.out.end_line();
        self.line(if self.version.colons() { b"\t\tmatrix:" } else { b"\t\tmatrix" });
        empty.matrix.iter().for_each(|row| self.row(row, b","));
        if self.version.empty_rotations() {
            self.label("rot");
            self.vector(empty.rotation);
            self.out.end_line();
        }
        self.line(b"\t}");
    }

    pub(super) fn camera(&mut self, camera: &Camera) {
        self.line(b"\tcamera {");
        let up = self.version.camera_up().then_some(camera.up);
        for value in [camera.position, camera.target].into_iter().chain(up) {
            self.out.text(b"\t\t");
            self.vector(value);
            self.out.end_line();
        }
        self.line(b"\t}");
    }
}
