//! Bones, their groups, animations, and the points attached to bones.

use super::{Document, Key, Reader, codes};
use crate::formats::qmsh::document::{Animation, Bone, Group, Modelled, Point};
use crate::report::Failure;

impl Reader<'_, '_> {
    pub(super) fn bones(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let modelled = document.version.since(21);
        self.room("bones", count, if modelled { 148 } else { 51 })?;
        for i in 0..count {
            self.fields.record = format!("bones[{i}]");
            let mut bone = Bone::default();
            if modelled {
                bone.name = self.fields.string::<1>("name")?;
            }
            let parent_at = self.fields.at();
            bone.parent = self.fields.half("parent")?;
            bone.matrix = self.fields.places("matrix")?;
            if modelled {
                bone.modelled = Modelled {
                    matrix: self.fields.raw_floats("modelled matrix")?,
                    head: self.fields.raw_floats("head")?,
                    tail: self.fields.raw_floats("tail")?,
                    connected: self.fields.byte("connected")?,
                };
            } else {
                bone.name = self.fields.string::<1>("name")?;
            }
            if bone.parent > i {
                let (number, parent) = (i + 1, bone.parent);
                let message =
                    format!("the parent of bone {number} is bone {parent}, which does not come first");
                self.fields.error(parent_at, &codes::BONE_PARENT, "parent", message);
            }
            document.bones.push(bone);
        }
        self.fields.record.clear();
        Ok(())
    }

    pub(super) fn groups(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("groups", count, 4)?;
        for i in 0..count {
            self.fields.record = format!("groups[{i}]");
            let name = self.fields.string::<1>("name")?;
            let parent_at = self.fields.at();
            let parent = self.fields.half("parent")?;
            if parent >= count {
                let message = format!("there is no group {parent}; the file has {count}");
                self.fields.error(parent_at, &codes::GROUP_PARENT, "parent", message);
            }
            let size = self.fields.byte("bones")?;
            let at = self.fields.at();
            let bones = self.fields.take("bones", u64::from(size))?.into_owned();
            if let Some(i) = bones.iter().position(|&b| usize::from(b) > document.bones.len()) {
                let message = format!("there is no bone {}; the file has {}", bones[i], document.bones.len());
                self.fields.error(at + i as u64, &codes::BONE_INDEX, "bones", message);
            }
            document.groups.push(Group { name, parent, bones });
        }
        self.fields.record.clear();
        Ok(())
    }

    pub(super) fn animations(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("animations", count, 7)?;
        for i in 0..count {
            self.fields.record = format!("animations[{i}]");
            let name = self.fields.string::<1>("name")?;
            let [length] = self.fields.floats("length")?;
            let mut animation = Animation { name, length, ..Animation::default() };
            self.keys(document, &mut animation)?;
            document.animations.push(animation);
        }
        self.fields.record.clear();
        Ok(())
    }

    fn keys(&mut self, document: &Document, animation: &mut Animation) -> Result<(), Failure> {
        let count = self.fields.half("keys")?;
        let three = document.version.since(22);
        let bones = document.bones.len();
        let count = self.room("keys", count, 4 + bones * if three { 40 } else { 32 })?;
        animation.times.reserve_exact(count);
        animation.keys.reserve_exact(count * bones);
        for key in 0..count {
            let at = self.fields.at();
            let [time] = self.fields.places("keys")?;
            self.check_time(at, key, animation.times.last().copied(), time);
            animation.times.push(time);
            for bone in 0..bones {
                let start = self.fields.at();
                let translation = self.fields.raw_floats("")?;
                let rotation = self.fields.raw_floats("")?;
                let scale = if three {
                    self.fields.raw_floats("")?
                } else {
                    self.fields.raw_floats::<1>("").map(|[s]| [s; 3])?
                };
                let read = Key { translation, rotation, scale };
                self.check_key(start, key, bone, &read);
                animation.keys.push(read);
            }
        }
        if let Some(&last) = animation.times.last().filter(|&&last| last > animation.length * 1.000_01 + 1e-6)
        {
            let message = format!("the length is {}, but the last key is at {last}", animation.length);
            self.fields.warning(self.fields.at(), &codes::LENGTH, "length", message);
        }
        Ok(())
    }

    pub(super) fn points(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let version = document.version;
        let least =
            1 + 64 + 4 + if version.since(14) { 12 } else { 4 } + if version.since(19) { 12 } else { 0 };
        self.room("points", count, least)?;
        for i in 0..count {
            self.fields.record = format!("points[{i}]");
            let name = self.fields.string::<1>("name")?;
            let matrix = self.fields.places("matrix")?;
            let bone_at = self.fields.at();
            let bone = self.fields.half("bone")?;
            let kind = self.fields.half("type")?;
            let size = if version.since(14) {
                self.fields.floats("size")?
            } else {
                self.fields.floats::<1>("size").map(|[s]| [s; 3])?
            };
            let rotation = if version.since(19) { self.fields.floats("rotation")? } else { [0.0; 3] };
            let point = Point { name, matrix, bone, kind, size, rotation };
            // The bones of a shared skeleton are not known here.
            if document.has_bones() && document.bone_of(&point).is_some_and(|b| b >= document.bones.len()) {
                let message = format!("there is no bone {bone}; the file has {}", document.bones.len());
                self.fields.error(bone_at, &codes::BONE_INDEX, "bone", message);
            }
            document.points.push(point);
        }
        self.fields.record.clear();
        Ok(())
    }
}
