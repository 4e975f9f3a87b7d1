//! Checks of names that refer to something, made at the end of the file: an armature may come after its meshes, and a
//! bone after its children.

use super::super::codes;
use super::super::curves::Target;
use super::super::document::{Armature, Document, Object, ParamKind, Placement};
use super::Reader;
use crate::formats::hierarchy::Hierarchy;
use crate::report::Failure;
use crate::text::{RawText, Spot};
use std::collections::HashMap;

/// Positions of names in the file, in the order of the objects.
#[derive(Default)]
pub(super) struct Spots {
    /// The parent and the parent bone of each mesh.
    pub meshes: Vec<[Spot; 2]>,
    pub armature: Spot,
    /// The name and the parent of each bone.
    pub bones: Vec<[Spot; 2]>,
    pub actions: Vec<Spot>,
    pub channels: Vec<Spot>,
    pub curves: Vec<Spot>,
    pub fps: Spot,
}

impl Reader<'_, '_> {
    pub(super) fn check(&mut self, document: &Document) -> Result<(), Failure> {
        let spots = std::mem::take(&mut self.spots);
        let armature = document.armature();
        let bones = match armature {
            Some(armature) => self.check_bones(armature, &spots)?,
            None => HashMap::new(),
        };
        self.check_meshes(document, &bones, &spots);
        self.check_actions(document, &bones, &spots);
        self.check_fps(document, &spots)
    }

    /// Reports names that are used twice, parents that are missing, and loops. Returns the bones by name.
    fn check_bones<'d>(
        &mut self,
        armature: &'d Armature,
        spots: &Spots,
    ) -> Result<HashMap<&'d RawText, usize>, Failure> {
        let mut bones = HashMap::with_capacity(armature.bones.len());
        for (i, bone) in armature.bones.iter().enumerate() {
            if bones.insert(&bone.name, i).is_some() {
                let message = format!("a second bone {}", self.shown(bone.name.as_bytes()));
                self.error(&codes::BONE_TWICE, spots.bones[i][0], message)?;
            }
        }
        let parents: Vec<Option<usize>> =
            armature.bones.iter().map(|b| bones.get(&b.parent).copied()).collect();
        for (i, bone) in armature.bones.iter().enumerate() {
            if !bone.parent.is_empty() && parents[i].is_none() {
                let message = format!(
                    "the parent {} of bone {} does not exist; the bone is read as a root",
                    self.shown(bone.parent.as_bytes()),
                    self.shown(bone.name.as_bytes())
                );
                self.text.warning(&codes::ORPHAN_BONE, spots.bones[i][1], message);
            }
        }
        if let Some(&(bone, _)) = Hierarchy::of(parents).cut.first() {
            let name = self.shown(armature.bones[bone].name.as_bytes());
            let message = format!("bone {name} is its own ancestor");
            self.error(&codes::BONE_LOOP, spots.bones[bone][1], message)?;
        }
        Ok(bones)
    }

    fn check_meshes(&mut self, document: &Document, bones: &HashMap<&RawText, usize>, spots: &Spots) {
        let armature = document.armature();
        let meshes = document.objects.iter().filter_map(|o| match o {
            Object::Mesh(mesh) => Some(mesh),
            _ => None,
        });
        let mut hangs = false;
        for (mesh, &[parent_spot, bone_spot]) in meshes.zip(&spots.meshes) {
            if mesh.parent.is_empty() {
                continue;
            }
            if armature.is_none_or(|a| a.name != mesh.parent) {
                let parent = self.shown(mesh.parent.as_bytes());
                let message =
                    format!("{parent} is not the armature of this file; the mesh is read without a parent");
                self.text.warning(&codes::PARENT, parent_spot, message);
                continue;
            }
            hangs = true;
            if !mesh.parent_bone.is_empty() && !bones.contains_key(&mesh.parent_bone) {
                let bone = self.shown(mesh.parent_bone.as_bytes());
                let message = format!("there is no bone {bone}; the mesh stays where it is");
                self.text.warning(&codes::PARENT_BONE, bone_spot, message);
            }
        }
        let moved = armature.is_some_and(|a| !is_identity(&a.placement));
        if hangs && moved && !document.version.named_transform() {
            let message = "the armature is moved, rotated or scaled; its meshes are read with their world \
                           transforms, as the exporter writes them, while the original converter would apply \
                           the armature's transform once more";
            self.text.warning(&codes::MOVED_ARMATURE, spots.armature, message);
        }
    }

    fn check_actions(&mut self, document: &Document, bones: &HashMap<&RawText, usize>, spots: &Spots) {
        let (mut channel_spots, mut curve_spots) = (spots.channels.iter(), spots.curves.iter());
        for (action, &spot) in document.actions.iter().zip(&spots.actions) {
            let mut usable = 0;
            let mut seen = HashMap::new();
            for channel in &action.channels {
                let channel_spot = channel_spots.next().copied().unwrap_or_default();
                let known = bones.contains_key(&channel.name);
                if !known {
                    let message = format!(
                        "there is no bone {}; the channel moves nothing",
                        self.shown(channel.name.as_bytes())
                    );
                    self.text.note(&codes::CHANNEL, channel_spot, message);
                }
                for curve in &channel.curves {
                    let spot = curve_spots.next().copied().unwrap_or_default();
                    let Some(target) = Target::of(curve.name.as_bytes()) else {
                        let name = self.shown(curve.name.as_bytes());
                        let message = format!(
                            "curve {name} moves nothing; expected a name such as LocX, QuatW or ScaleX"
                        );
                        self.text.warning(&codes::CURVE, spot, message);
                        continue;
                    };
                    if known && seen.insert((&channel.name, target), ()).is_some() {
                        let name = self.shown(curve.name.as_bytes());
                        let message = format!("a second curve {name} of this bone; the first one is used");
                        self.text.warning(&codes::CURVE, spot, message);
                    }
                    if curve.keys.windows(2).any(|pair| pair[0][0] >= pair[1][0]) {
                        let message = "keys are out of order or at the same frame; \
                                       they are sorted, and the last one at each frame is used";
                        self.text.warning(&codes::KEY_ORDER, spot, message);
                    }
                    usable += usize::from(known && !curve.keys.is_empty());
                }
            }
            if usable == 0 {
                let message =
                    format!("action {} moves no bone and is not a clip", self.shown(action.name.as_bytes()));
                self.text.note(&codes::ACTION, spot, message);
            }
        }
    }

    fn check_fps(&mut self, document: &Document, spots: &Spots) -> Result<(), Failure> {
        let curves = document.actions.iter().flat_map(|a| &a.channels).flat_map(|c| &c.curves);
        match document.param(ParamKind::Fps) {
            Some(fps) if fps <= 0 => {
                let message = format!("{fps} frames per second; there must be at least one");
                self.error(&codes::FPS, spots.fps, message)
            }
            None if curves.into_iter().any(|c| !c.keys.is_empty()) => {
                let message = "there are keys, but no `fps` parameter that says how long a frame lasts";
                self.error(&codes::FPS, self.text.here(), message.to_owned())
            }
            _ => Ok(()),
        }
    }
}

fn is_identity(placement: &Placement) -> bool {
    let Placement { position, rotation, scale } = placement;
    position.abs().max_element() == 0.0
        && rotation.abs().max_element() == 0.0
        && (*scale - 1.0).abs().max_element() < 1e-6
}
