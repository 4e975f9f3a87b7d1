//! Extensions that a scene has no fields for: kept as JSON in the extras of the object that has them, for a glTF target.
//!
//! Their indices are those of the scene at import. The objects that they refer to are marked with them, so that the
//! writer finds these objects again wherever they have moved.

use super::super::extensions::{
    INDEX, OF_OBJECT, OF_SCENE, REQUIRED, To, can_travel, is_readable, listed_materials, renumber, store,
    stored, take,
};
use super::super::{codes, json};
use super::Import;
use super::nodes::Tree;
use crate::scene::{Extras, Scene};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

impl Import<'_, '_, '_> {
    /// Keeps the extensions of an object in its extras.
    pub(super) fn keep_extensions(&self, source: &json::Extensions, key: &str, extras: &mut Extras) {
        let Some(source) = source else { return };
        let is_kept = |(name, value): &(&String, &Value)| {
            !self.document.extensions().contains(&name.as_str()) && can_travel(name, value)
        };
        let kept: Map<String, Value> =
            source.iter().filter(is_kept).map(|(name, value)| (name.clone(), value.clone())).collect();
        if !kept.is_empty() {
            store(extras, key, Value::Object(kept));
        }
    }

    /// Changes the indices in all kept extensions to those of the scene, marks what they refer to, and reports the
    /// extensions that were not kept.
    pub(super) fn settle_extensions(&mut self, tree: &Tree, scene: &mut Scene) {
        let mut marked: BTreeSet<(To, usize)> = BTreeSet::new();
        let mut kept: BTreeMap<String, usize> = BTreeMap::new();
        let mut settle = |name: &String, value: &mut Value| {
            let is_whole = renumber(name, value, &mut |to, index| {
                let number = self.number(to, usize::try_from(index).ok()?, tree)?;
                marked.insert((to, number));
                Some(number as u64)
            });
            let listed = listed_materials(name, value).unwrap_or(0);
            marked.extend((0..listed.min(self.root.materials.len())).map(|i| (To::Material, i)));
            *kept.entry(name.clone()).or_default() += usize::from(is_whole);
            is_whole
        };
        scene.each_extras(&mut |extras| {
            for key in [OF_OBJECT, OF_SCENE] {
                let Some(Value::Object(all)) = stored(extras, key) else { continue };
                all.retain(&mut settle);
                if all.is_empty() {
                    take(extras, key);
                }
            }
        });
        for (to, number) in marked {
            mark(to, number, scene);
        }
        self.keep_required(&kept, scene);
        for (name, uses) in &self.document.unknown_extensions {
            let lost = uses.saturating_sub(kept.get(name).copied().unwrap_or(0));
            let message = format!("{name} is not supported here; its data is dropped");
            self.lose(&codes::EXTENSION, "", lost, message);
        }
    }

    /// The scene's number of an object in the file.
    fn number(&self, to: To, index: usize, tree: &Tree) -> Option<usize> {
        let root = self.root;
        let within = |count: usize| (index < count).then_some(index);
        match to {
            To::Node | To::DrawingNode => tree.ids.get(index).copied().flatten().map(|id| id.index()),
            To::Mesh => within(root.meshes.len()).map(|mesh| self.meshes.number(mesh)),
            To::Skin => within(root.skins.len()),
            To::Material => within(root.materials.len()),
            To::Texture => within(root.textures.len()).and_then(|texture| self.texture_id(texture)),
            To::Image => within(root.images.len()),
            // Only hidden nodes refer to lights, by the scene's own numbers.
            To::Light => Some(index),
        }
    }

    /// Remembers which of the kept extensions the file requires.
    fn keep_required(&self, kept: &BTreeMap<String, usize>, scene: &mut Scene) {
        let is_kept = |name: &&String| kept.get(*name) > Some(&0) && is_readable(name);
        let required: Vec<&String> = self.root.extensions_required.iter().filter(is_kept).collect();
        if !required.is_empty() {
            store(&mut scene.extras, REQUIRED, json!(required));
        }
    }
}

/// Marks an object that an extension refers to with the number that the extension uses.
pub(super) fn mark(to: To, number: usize, scene: &mut Scene) {
    let extras = match to {
        To::Node | To::DrawingNode => scene.nodes.get_mut(number).map(|o| &mut o.extras),
        To::Mesh => scene.meshes.get_mut(number).map(|o| &mut o.extras),
        To::Skin => scene.skins.get_mut(number).map(|o| &mut o.extras),
        To::Material => scene.materials.get_mut(number).map(|o| &mut o.extras),
        To::Texture => scene.textures.get_mut(number).map(|o| &mut o.extras),
        To::Image => scene.images.get_mut(number).map(|o| &mut o.extras),
        To::Light => scene.lights.get_mut(number).map(|o| &mut o.extras),
    };
    if let Some(extras) = extras {
        store(extras, INDEX, json!(number));
    }
}
