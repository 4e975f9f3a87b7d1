//! Armatures with their bones, empties and cameras.

use super::Writer;
use super::words::Label;
use crate::formats::qmsh_tmp::document::{Armature, Bone, BoneEnd, Camera, Empty, Placement};

impl Writer<'_> {
    pub(super) fn armature(&mut self, armature: &Armature) {
        self.line(("\tarmature ", &armature.name, " {"));
        let Placement { position, rotation, scale } = armature.placement;
        for value in [position, rotation, scale] {
            self.line(("\t\t", value));
        }
        if self.version.flags_and_rolls() {
            self.line(("\t\t", armature.use_groups, " ", armature.use_envelopes));
        }
        for (name, parent) in &armature.groups {
            self.line(("\t\tgroup ", name, " {"));
            self.line(("\t\t\tparent ", parent));
            self.line("\t\t}");
        }
        armature.bones.iter().for_each(|bone| self.bone(bone));
        self.line("\t}");
    }

    fn bone(&mut self, bone: &Bone) {
        let short = self.version.short_bones();
        self.line(("\t\tbone ", &bone.name, " {"));
        self.line((if short { "\t\t\tparent " } else { "\t\t\t" }, &bone.parent));
        if short {
            self.line(("\t\t\tgroup ", &bone.group));
        }
        self.bone_end("head", &bone.head);
        self.bone_end("tail", &bone.tail);
        if short {
            self.line(("\t\t\t", bone.connected));
        } else if self.version.flags_and_rolls() {
            self.line(("\t\t\t", bone.rolls[0], " ", bone.rolls[1]));
            self.line(("\t\t\t", bone.length, " ", bone.weight));
        } else {
            self.line(("\t\t\t", bone.length));
        }
        self.line("");
        if !short {
            bone.to_parent.iter().for_each(|row| self.row(row, ", "));
            self.line("");
        }
        bone.to_armature.iter().for_each(|row| self.row(row, ", "));
        self.line("\t\t}");
    }

    fn bone_end(&mut self, name: &str, end: &BoneEnd) {
        let in_parent = (!self.version.short_bones()).then_some((" ", end.in_parent));
        self.line(("\t\t\t", name, in_parent, " ", end.in_armature, " ", end.radius));
    }

    fn row(&mut self, row: &[f32], separator: &str) {
        self.put("\t\t\t");
        self.numbers(row, separator);
        self.line(self.version.semicolons().then_some(";"));
    }

    pub(super) fn empty(&mut self, empty: &Empty) {
        self.line(("\tempty ", &empty.name, " {"));
        for (label, text) in [("bone", &empty.bone), ("type", &empty.kind)] {
            self.line((Label(label), text));
        }
        if self.version.vector_sizes() {
            self.line((Label("size"), empty.size));
            self.line((Label("scale"), empty.scale));
        } else {
            self.line((Label("size"), empty.size.x));
        }
        self.line(("\t\tmatrix", self.version.colons().then_some(":")));
        empty.matrix.iter().for_each(|row| self.row(row, ","));
        if self.version.empty_rotations() {
            self.line((Label("rot"), empty.rotation));
        }
        self.line("\t}");
    }

    pub(super) fn camera(&mut self, camera: &Camera) {
        self.line("\tcamera {");
        let up = self.version.camera_up().then_some(camera.up);
        for value in [camera.position, camera.target].into_iter().chain(up) {
            self.line(("\t\t", value));
        }
        self.line("\t}");
    }
}
