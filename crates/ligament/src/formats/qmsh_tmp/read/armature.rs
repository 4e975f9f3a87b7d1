//! The armature and its bones.

use super::super::document::{Armature, Bone, BoneEnd};
use super::Reader;
use super::check::BoneSpots;
use crate::report::Failure;
use crate::text::RawText;

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
            let bone = if self.version.short_bones() { self.short_bone()? } else { self.bone()? };
            armature.bones.push(bone);
        }
        Ok(armature)
    }

    fn bone(&mut self) -> Result<Bone, Failure> {
        let (name, name_spot) = self.string()?;
        self.symbol(b'{')?;
        let (parent, parent_spot) = self.string()?;
        self.spots.bones.push(BoneSpots { name: name_spot, parent: parent_spot });
        let head = self.end("head")?;
        let tail = self.end("tail")?;
        let with_rolls = self.version.flags_and_rolls();
        let rolls = if with_rolls { [self.degrees()?, self.degrees()?] } else { [0.0; 2] };
        let length = self.float()?;
        let weight = if with_rolls { self.float()? } else { 1.0 };
        let (to_parent, to_armature) = (self.matrix()?, self.matrix()?);
        self.symbol(b'}')?;
        Ok(Bone {
            name,
            parent,
            group: RawText::default(),
            head,
            tail,
            rolls,
            length,
            weight,
            connected: 0,
            to_parent,
            to_armature,
        })
    }

    fn end(&mut self, name: &str) -> Result<BoneEnd, Failure> {
        self.word(name)?;
        Ok(BoneEnd { in_parent: self.vector()?, in_armature: self.vector()?, radius: self.float()? })
    }

    fn short_bone(&mut self) -> Result<Bone, Failure> {
        let (name, name_spot) = self.string()?;
        self.symbol(b'{')?;
        self.word("parent")?;
        let (parent, parent_spot) = self.string()?;
        self.spots.bones.push(BoneSpots { name: name_spot, parent: parent_spot });
        let group = self.labelled_string("group")?;
        let head = self.short_end("head")?;
        let tail = self.short_end("tail")?;
        let connected = self.uint()?;
        let to_armature = self.matrix()?;
        self.symbol(b'}')?;
        Ok(Bone {
            name,
            parent,
            group,
            head,
            tail,
            rolls: [0.0; 2],
            length: head.in_armature.distance(tail.in_armature),
            weight: 1.0,
            connected,
            to_parent: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            to_armature,
        })
    }

    fn short_end(&mut self, name: &str) -> Result<BoneEnd, Failure> {
        self.word(name)?;
        Ok(BoneEnd { in_armature: self.vector()?, radius: self.float()?, ..BoneEnd::default() })
    }
}
