//! Converts older versions of carpg's layout to version 22, which holds everything they hold.

use super::document::{Document, Group, Version};
use super::export::modelled;
use super::space::from_rows;
use glam::{DMat4, DVec3};

impl Document {
    /// Whether the document can be written in a dialect that is newer than its own.
    pub(super) fn can_upgrade(&self, dialect: &str) -> bool {
        let newest = Version::Carpg(Version::NEWEST);
        dialect == newest.id() && self.version != newest && self.version != Version::Original
    }

    /// Converts the model to version 22. Missing values get the game's defaults.
    pub(super) fn upgraded(&self) -> Document {
        let mut new =
            Document { version: Version::Carpg(Version::NEWEST), points_offset: None, ..self.clone() };
        if !self.version.since(15) && self.version.since(13) {
            new.camera.up = [0.0, 1.0, 0.0];
        }
        for submesh in new.submeshes.iter_mut().filter(|_| !self.version.since(18)) {
            submesh.specular_color = [1.0; 3];
            submesh.specular_intensity = 0.2;
            submesh.specular_hardness = 10;
        }
        for point in &mut new.points {
            point.bone = self.bone_of(point).map_or(0, |bone| bone as u16 + 1);
            // Before 21 the second angle had the opposite sign; before 22 sizes could be negative.
            point.rotation[1] *= if self.version.since(21) { 1.0 } else { -1.0 };
            point.size = point.size.map(f32::abs);
        }
        if !self.version.since(21) {
            new.model_bones();
        }
        if new.has_bones() && new.groups.is_empty() {
            let bones = (1..=new.bones.len().min(255)).map(|bone| bone as u8).collect();
            new.groups.push(Group { name: "default".into(), parent: 0, bones });
        }
        new
    }

    /// Derives modelled bones from the rest pose; each ends at its first child.
    fn model_bones(&mut self) {
        let mut globals: Vec<DMat4> = Vec::with_capacity(self.bones.len());
        let mut ends: Vec<Option<DVec3>> = vec![None; self.bones.len()];
        for bone in &self.bones {
            let parent = usize::from(bone.parent).checked_sub(1);
            let above = parent.and_then(|p| globals.get(p)).copied().unwrap_or(DMat4::IDENTITY);
            let global = above * from_rows(&bone.matrix);
            if let Some(end) = parent.and_then(|p| ends.get_mut(p)) {
                end.get_or_insert(global.w_axis.truncate());
            }
            globals.push(global);
        }
        for ((bone, global), end) in self.bones.iter_mut().zip(&globals).zip(ends) {
            bone.modelled = modelled(global, end.unwrap_or(global.w_axis.truncate()));
        }
    }
}
