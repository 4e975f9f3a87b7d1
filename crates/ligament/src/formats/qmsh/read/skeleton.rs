//! Bones, their groups, what moves them, and the points that hang on them.

use super::{Document, Key, Reader, codes};
use crate::formats::qmsh::document::{Animation, Bone, Group, Modelled, Point};
use crate::report::Failure;

impl Reader<'_, '_> {
    pub(super) fn bones(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let modelled = document.version.since(21);
        self.room("bones", usize::from(count), if modelled { 148 } else { 51 })?;
        for i in 0..count {
            self.record = format!("bones[{i}]");
            let mut bone = Bone::default();
            if modelled {
                bone.name = self.string("name")?;
            }
            let parent_at = self.at();
            bone.parent = self.half("parent")?;
            bone.matrix = self.places("matrix")?;
            if modelled {
                bone.modelled = Modelled {
                    matrix: self.raw_floats("modelled matrix")?,
                    head: self.raw_floats("head")?,
                    tail: self.raw_floats("tail")?,
                    connected: self.byte("connected")?,
                };
            } else {
                bone.name = self.string("name")?;
            }
            if bone.parent > i {
                let message = format!(
                    "the parent of bone {} is bone {}, which does not come first",
                    i + 1,
                    bone.parent
                );
                self.error(parent_at, &codes::BONE_PARENT, "parent", message);
            }
            document.bones.push(bone);
        }
        self.record.clear();
        Ok(())
    }

    pub(super) fn groups(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("groups", usize::from(count), 4)?;
        for i in 0..count {
            self.record = format!("groups[{i}]");
            let name = self.string("name")?;
            let parent_at = self.at();
            let parent = self.half("parent")?;
            if parent >= count {
                let message = format!("group {parent} of {count}");
                self.error(parent_at, &codes::GROUP_PARENT, "parent", message);
            }
            let size = self.byte("bones")?;
            let at = self.at();
            let bones = self.take("bones", u64::from(size))?.into_owned();
            if let Some(i) = bones.iter().position(|&b| usize::from(b) > document.bones.len()) {
                let message = format!("bone {} of {}", bones[i], document.bones.len());
                self.error(at + i as u64, &codes::BONE_INDEX, "bones", message);
            }
            document.groups.push(Group { name, parent, bones });
        }
        self.record.clear();
        Ok(())
    }

    pub(super) fn animations(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        self.room("animations", usize::from(count), 7)?;
        for i in 0..count {
            self.record = format!("animations[{i}]");
            let name = self.string("name")?;
            let [length] = self.floats("length")?;
            let mut animation = Animation { name, length, ..Animation::default() };
            self.keys(document, &mut animation)?;
            document.animations.push(animation);
        }
        self.record.clear();
        Ok(())
    }

    fn keys(&mut self, document: &Document, animation: &mut Animation) -> Result<(), Failure> {
        let count = usize::from(self.half("keys")?);
        let three = document.version.since(22);
        let bones = document.bones.len();
        self.room("keys", count, 4 + bones * if three { 40 } else { 32 })?;
        animation.times.reserve_exact(count);
        animation.keys.reserve_exact(count * bones);
        for key in 0..count {
            let at = self.at();
            let [time] = self.places("keys")?;
            self.check_time(at, key, animation.times.last().copied(), time);
            animation.times.push(time);
            for bone in 0..bones {
                let start = self.at();
                let translation = self.quick_floats()?;
                let rotation = self.quick_floats()?;
                let scale =
                    if three { self.quick_floats()? } else { self.quick_floats::<1>().map(|[s]| [s; 3])? };
                let read = Key { translation, rotation, scale };
                self.check_key(start, key, bone, &read);
                animation.keys.push(read);
            }
        }
        if let Some(&last) = animation.times.last().filter(|&&last| last > animation.length * 1.000_01 + 1e-6)
        {
            let message = format!("the length is {}, and the last key is at {last}", animation.length);
            self.warning(self.at(), &codes::LENGTH, "length", message);
        }
        Ok(())
    }

    pub(super) fn points(&mut self, document: &mut Document, count: u16) -> Result<(), Failure> {
        let version = document.version;
        let least =
            1 + 64 + 4 + if version.since(14) { 12 } else { 4 } + if version.since(19) { 12 } else { 0 };
        self.room("points", usize::from(count), least)?;
        for i in 0..count {
            self.record = format!("points[{i}]");
            let name = self.string("name")?;
            let matrix = self.places("matrix")?;
            let bone_at = self.at();
            let bone = self.half("bone")?;
            let kind = self.half("type")?;
            let size = if version.since(14) {
                self.floats("size")?
            } else {
                self.floats::<1>("size").map(|[s]| [s; 3])?
            };
            let rotation = if version.since(19) { self.floats("rotation")? } else { [0.0; 3] };
            let point = Point { name, matrix, bone, kind, size, rotation };
            // The bones of a shared skeleton are not known.
            if document.has_bones() && document.bone_of(&point).is_some_and(|b| b >= document.bones.len()) {
                let message = format!("bone {bone} of {}", document.bones.len());
                self.error(bone_at, &codes::BONE_INDEX, "bone", message);
            }
            document.points.push(point);
        }
        self.record.clear();
        Ok(())
    }
}
