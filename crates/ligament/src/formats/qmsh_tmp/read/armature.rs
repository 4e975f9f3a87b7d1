//! Reads the armature and its bones.

use super::super::document::{Armature, Bone, BoneEnd};
use super::Reader;
use crate::report::Failure;
use crate::text::RawText;
use glam::{Mat3, Vec3};

impl Reader<'_, '_> {
    pub(super) fn armature(&mut self) -> Result<Armature, Failure> {
        let (name, _) = self.string()?;
        self.symbol(b'{')?;
        self.peek()?;
        let start = self.next_spot();
        let placement = self.placement()?;
        self.spots.armature = start.up_to(self.last_number());
        let (use_groups, use_envelopes) =
            if self.version.flags_and_rolls() { (self.uint()?, self.uint()?) } else { (1, 0) };
        let mut armature =
            Armature { name, placement, use_groups, use_envelopes, groups: Vec::new(), bones: Vec::new() };
        while !self.take(b'}')? {
            if self.version.short_bones() && self.take_word("group")? {
                let (name, _) = self.string()?;
                self.symbol(b'{')?;
                let parent = self.labelled_string("parent")?;
                self.symbol(b'}')?;
                armature.groups.push((name, parent));
                continue;
            }
            self.word("bone")?;
            armature.bones.push(self.bone()?);
        }
        Ok(armature)
    }

    fn bone(&mut self) -> Result<Bone, Failure> {
        let (short, has_rolls) = (self.version.short_bones(), self.version.flags_and_rolls());
        let (name, name_spot) = self.string()?;
        self.symbol(b'{')?;
        if short {
            self.word("parent")?;
        }
        let (parent, parent_spot) = self.string()?;
        self.spots.bones.push([name_spot, parent_spot]);
        let group = if short { self.labelled_string("group")? } else { RawText::default() };
        let (head, tail) = (self.end("head")?, self.end("tail")?);
        let rolls = if has_rolls { [self.degrees()?, self.degrees()?] } else { [0.0; 2] };
        let length = if short { head.in_armature.distance(tail.in_armature) } else { self.float()? };
        let weight = if has_rolls { self.float()? } else { 1.0 };
        let connected = if short { self.uint()? } else { 0 };
        let to_parent = if short { Mat3::IDENTITY.to_cols_array_2d() } else { self.matrix()? };
        let to_armature = self.matrix()?;
        self.symbol(b'}')?;
        Ok(Bone { name, parent, group, head, tail, rolls, length, weight, connected, to_parent, to_armature })
    }

    fn end(&mut self, name: &str) -> Result<BoneEnd, Failure> {
        self.word(name)?;
        let in_parent = if self.version.short_bones() { Vec3::ZERO } else { self.vector()? };
        Ok(BoneEnd { in_parent, in_armature: self.vector()?, radius: self.float()? })
    }
}
