//! Checks of relations between the parts of a file: references, bones, keys, the tree.

use super::Reader;
use super::geometry::LargestBone;
use crate::formats::bogle::codes;
use crate::formats::bogle::document::{Animation, Bone, Document};
use crate::formats::bogle::posing::hierarchy;
use crate::formats::bogle::tree::{Fault, Place as InTree, Tree};
use crate::limits::FARTHEST;
use crate::report::Place;
use glam::DMat4;
use std::collections::BTreeSet;

/// Limits of the engine's shaders.
const MAX_LIGHTS: usize = 20;
const MAX_BONES: usize = 256;

impl Reader<'_, '_> {
    pub(super) fn check_bones(&mut self, at: u64, matrix: &[f32; 16], bones: &[Bone]) {
        let inverse = DMat4::from_cols_array(&matrix.map(f64::from)).inverse();
        let small = |v: &f64| v.is_finite() && v.abs() < f64::from(f32::MAX);
        if !bones.is_empty() && !inverse.to_cols_array().iter().all(small) {
            self.fields.error(at - 68, &codes::SINGULAR, "matrix", "the skeleton's matrix has no inverse");
        }
        for (i, bone) in bones.iter().enumerate() {
            let at = at + 32 * i as u64;
            let numbers: &[f32; 8] = bytemuck::cast_ref(bone);
            if self.fields.check(at, format_args!("bones[{i}]"), &numbers[..7], FARTHEST)
                && bone.rotation == [0.0; 4]
            {
                let field = format!("bones[{i}].rotation");
                self.fields.error(at + 12, &codes::ZERO_ROTATION, field, "the rotation is 0 0 0 0");
            }
            if bone.parent as usize > bones.len() {
                let message = format!("there is no bone {}; the skeleton has {}", bone.parent, bones.len());
                self.fields.error(at + 28, &codes::BONE_PARENT, format_args!("bones[{i}].parent"), message);
            }
        }
        if let Some(&(_, i)) = hierarchy(bones).cut.first() {
            let message = format!("following the parents of bone {i} leads back to it");
            let (at, field) = (at + 32 * i as u64 + 28, format!("bones[{i}].parent"));
            self.fields.error(at, &codes::BONE_LOOP, field, message);
        }
        if bones.len() > MAX_BONES {
            let message = format!("{} bones; the engine supports {MAX_BONES}", bones.len());
            self.fields.warning(at, &codes::ENGINE_LIMIT, "bones", message);
        }
    }

    pub(super) fn check_keys(&mut self, at: u64, animation: &Animation, bones: usize) {
        let stride = 4 * (4 + 4 * bones) as u64;
        let unusable = |v: &f32| v.is_nan() || v.abs() > FARTHEST;
        if let Some(i) = animation.frames.iter().position(unusable) {
            let field = format_args!("keys[{}]", i / (4 + 4 * bones));
            self.fields.unusable(at + 4 * i as u64, field, animation.frames[i]);
            if !animation.frames[i].is_finite() {
                return;
            }
        }
        let mut before = f32::NEG_INFINITY;
        for (i, key) in animation.keys(bones).enumerate() {
            let at = at + stride * i as u64;
            if let Some(bone) = key.rotations.iter().position(|q| *q == [0.0; 4]) {
                let (at, field) = (at + 16 + 16 * bone as u64, format!("keys[{i}].rotations[{bone}]"));
                self.fields.error(at, &codes::ZERO_ROTATION, field, "the rotation is 0 0 0 0");
            }
            let field = format_args!("keys[{i}].time");
            if key.time < before {
                let message = format!("{} s does not come after {before} s", key.time);
                self.fields.error(at, &codes::KEY_ORDER, field, message);
            } else if key.time == before {
                let message = format!("a second key at {before} s");
                self.fields.warning(at, &codes::EQUAL_KEYS, field, message);
            }
            before = key.time;
        }
    }

    /// Checks the references of objects. `at` is the offset of the first object. `largest_bones` holds the largest bone
    /// of each geometry.
    pub(super) fn check_objects(&mut self, mut at: u64, document: &Document, largest_bones: &[LargestBone]) {
        let Document { cameras, geometries, materials, lights, collections, objects, .. } = document;
        let mut checked = BTreeSet::new();
        for (i, object) in objects.iter().enumerate() {
            let references = at + 4 + object.name.as_bytes().len() as u64;
            self.fields.record = format!("objects[{i}]");
            for (j, (field, reference, count)) in [
                ("camera", object.camera, cameras.len()),
                ("geometry", object.geometry, geometries.len()),
                ("material", object.material, materials.len()),
                ("light", object.light, lights.len()),
                ("animation collection", object.collection, collections.len()),
            ]
            .into_iter()
            .enumerate()
            {
                if reference as usize > count {
                    let message = format!("there is no {field} {reference}; the file has {count}");
                    self.fields.error(references + 4 * j as u64, &codes::COMPONENT, field, message);
                }
            }
            if object.geometry != 0 && object.material == 0 {
                let message = format!("object {} has a geometry but no material", object.name);
                self.fields.warning(references + 8, &codes::NO_MATERIAL, "material", message);
            }
            let geometry = (object.geometry as usize).checked_sub(1);
            let collection = (object.collection as usize).checked_sub(1);
            if let (Some(geometry), Some(collection)) = (geometry, collection)
                && let (Some(&largest), Some(skeleton)) =
                    (largest_bones.get(geometry), collections.get(collection))
                && checked.insert((geometry, collection))
            {
                self.check_largest_bone(i, geometry, largest, skeleton.bones.len());
            }
            at = references + 20 + 64;
        }
        self.fields.record.clear();
        let mains = cameras.iter().filter(|c| c.main != 0).count();
        if mains != 1 && !cameras.is_empty() {
            let message = format!("{mains} of {} cameras have the main flag", cameras.len());
            self.fields.report.warning(&codes::MAIN_CAMERA, Place::field("cameras"), message);
        }
        if lights.len() > MAX_LIGHTS {
            let message = format!("{} lights; the engine supports {MAX_LIGHTS}", lights.len());
            self.fields.report.warning(&codes::ENGINE_LIMIT, Place::field("lights"), message);
        }
        for (i, material) in materials.iter().enumerate() {
            if !material.textures[5].is_empty() && !material.textures[6].is_empty() {
                let message = format!("material {} has both a normal and a bump texture", material.name);
                let place = Place::field(format!("materials[{i}].textures"));
                self.fields.report.warning(&codes::NORMAL_AND_BUMP, place, message);
            }
        }
    }

    pub(super) fn report_tree(&mut self, start: u64, end: u64, tree: &Tree) {
        for &(object, at) in &tree.repeated {
            let message = format!("object {object} is already in the tree; the last mention counts");
            self.fields.warning(start + at as u64, &codes::TREE_TWICE, "tree", message);
        }
        if tree.open > 0 {
            let message = format!("{} braces are not closed", tree.open);
            self.fields.warning(start + end, &codes::TREE_OPEN, "tree", message);
        }
        for (object, place) in tree.places.iter().enumerate() {
            if *place == InTree::Unlinked {
                let message = format!("object {object} is not in the tree, so it is never drawn");
                self.fields.warning(start, &codes::UNLINKED, "tree", message);
            }
        }
    }

    pub(super) fn report_fault(&mut self, start: u64, characters: &[u8], objects: usize, fault: Fault) {
        let (at, code, message) = match fault {
            Fault::Number(span) => {
                let number = String::from_utf8_lossy(&characters[span.clone()]).into_owned();
                let shown = if number.len() > 24 { "so large" } else { &number };
                let message = format!("there is no object {shown}; the file has {objects}");
                (span.start, &codes::TREE_NUMBER, message)
            }
            Fault::Underflow(at) => (at, &codes::TREE_UNDERFLOW, "a } without a {".into()),
            Fault::Depth(at) => (at, &codes::TREE_DEPTH, "a { more than 256 deep".into()),
            Fault::Character(at) => {
                let message =
                    format!("{:?} is not a digit, brace or white space", char::from(characters[at]));
                (at, &codes::TREE_CHARACTER, message)
            }
            Fault::Loop(object) => {
                (0, &codes::TREE_LOOP, format!("object {object} is attached below itself"))
            }
        };
        self.fields.error(start + at as u64, code, "tree", message);
    }
}
