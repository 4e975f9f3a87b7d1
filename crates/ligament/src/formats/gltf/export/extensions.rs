//! Extensions that were kept as JSON: written back to their objects, with indices of the file.

use super::super::extensions::{INDEX, REQUIRED, To, listed_materials, nested, renumber, take};
use super::super::{codes, json};
use super::Export;
use crate::report::Loss;
use crate::scene::{Extras, Scene};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The scene's number of each object that an extension refers to, by the number that the extension uses.
#[derive(Default)]
pub(super) struct Marks {
    objects: BTreeMap<(To, u64), usize>,
    /// Extensions that the source required.
    required: Vec<String>,
}

impl Marks {
    /// Takes the marks out of a scene.
    pub fn take(scene: &mut Scene) -> Self {
        let mut marks = Self::default();
        let mut collect = |to: To, number: usize, extras: &mut Extras| {
            if let Some(index) = take(extras, INDEX).and_then(|v| v.as_u64()) {
                // If an object was copied, the first one counts.
                marks.objects.entry((to, index)).or_insert(number);
            }
        };
        scene.nodes.iter_mut().enumerate().for_each(|(i, o)| collect(To::Node, i, &mut o.extras));
        scene.meshes.iter_mut().enumerate().for_each(|(i, o)| collect(To::Mesh, i, &mut o.extras));
        scene.skins.iter_mut().enumerate().for_each(|(i, o)| collect(To::Skin, i, &mut o.extras));
        scene.materials.iter_mut().enumerate().for_each(|(i, o)| collect(To::Material, i, &mut o.extras));
        scene.textures.iter_mut().enumerate().for_each(|(i, o)| collect(To::Texture, i, &mut o.extras));
        scene.images.iter_mut().enumerate().for_each(|(i, o)| collect(To::Image, i, &mut o.extras));
        scene.lights.iter_mut().enumerate().for_each(|(i, o)| collect(To::Light, i, &mut o.extras));
        if let Some(Value::Array(names)) = take(&mut scene.extras, REQUIRED) {
            marks.required = names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();
        }
        marks
    }

    /// The scene's number of an object.
    pub fn get(&self, to: To, index: u64) -> Option<usize> {
        let to = if to == To::DrawingNode { To::Node } else { to };
        self.objects.get(&(to, index)).copied()
    }
}

/// The file's numbers of the objects that do not keep the scene's.
pub(super) struct Numbers<'n> {
    pub meshes: &'n [Option<u32>],
    pub images: &'n [Option<u32>],
    /// For each node, the node that draws its mesh.
    pub drawn_by: &'n [usize],
}

/// Takes the kept extensions out of an object's extras.
pub(super) fn kept(extras: &mut Extras, key: &str) -> json::Extensions {
    match take(extras, key) {
        Some(Value::Object(kept)) if kept.values().all(Value::is_object) => Some(Box::new(kept)),
        _ => None,
    }
}

/// Adds extensions to those that an object has. What the writer states itself wins.
pub(super) fn add(extensions: &mut json::Extensions, kept: json::Extensions) {
    let Some(kept) = kept else { return };
    let all = extensions.get_or_insert_default();
    for (name, value) in *kept {
        all.entry(name).or_insert(value);
    }
}

impl Export<'_> {
    /// Changes the indices in all extensions to those of the file, and lists the extensions that are used.
    pub(super) fn settle_extensions(&mut self, marks: &Marks, numbers: &Numbers<'_>) {
        let mut lost: BTreeMap<String, usize> = BTreeMap::new();
        let mut used: BTreeSet<String> = BTreeSet::new();
        let materials = self.root.materials.len();
        each(&mut self.root, &mut |extensions| {
            let Some(all) = extensions else { return };
            all.retain(|name, value| {
                let is_whole = renumber(name, value, &mut |to, index| {
                    let number = marks.get(to, index)?;
                    Some(match to {
                        To::Mesh => u64::from((*numbers.meshes.get(number)?)?),
                        To::Image => u64::from((*numbers.images.get(number)?)?),
                        To::DrawingNode => *numbers.drawn_by.get(number)? as u64,
                        _ => number as u64,
                    })
                });
                let is_in_order = |i: usize| marks.get(To::Material, i as u64) == Some(i);
                let fits = |listed: usize| listed == materials && (0..listed).all(is_in_order);
                if listed_materials(name, value).is_some_and(|listed| !fits(listed)) {
                    value["materialProperties"] = Value::Array(Vec::new());
                    *lost.entry(format!("{name}.materialProperties")).or_default() += 1;
                }
                if is_whole {
                    used.insert(name.clone());
                    nested(value, &mut |inner| {
                        used.insert(inner.to_owned());
                    });
                } else {
                    *lost.entry(name.clone()).or_default() += 1;
                }
                is_whole
            });
            if all.is_empty() {
                *extensions = None;
            }
        });
        for (name, count) in lost {
            let message = format!("{name} refers to something that is no longer there; its data is dropped");
            self.report.loss(Loss::dropped(&codes::EXTENSION, "", count, message));
        }
        let required = marks.required.iter().filter(|name| used.contains(*name));
        self.root.extensions_required.extend(required.cloned());
        self.root.extensions_required.sort();
        self.root.extensions_required.dedup();
        used.extend(self.extensions.iter().map(|name| (*name).to_owned()));
        self.root.extensions_used = used.into_iter().collect();
    }
}

/// Visits the extensions of every object that may have kept some.
fn each(root: &mut json::Root, visit: &mut dyn FnMut(&mut json::Extensions)) {
    visit(&mut root.extensions);
    root.scenes.iter_mut().for_each(|o| visit(&mut o.extensions));
    root.nodes.iter_mut().for_each(|o| visit(&mut o.extensions));
    root.skins.iter_mut().for_each(|o| visit(&mut o.extensions));
    root.animations.iter_mut().for_each(|o| visit(&mut o.extensions));
    root.materials.iter_mut().for_each(|o| visit(&mut o.extensions));
    root.textures.iter_mut().for_each(|o| visit(&mut o.extensions));
    root.images.iter_mut().for_each(|o| visit(&mut o.extensions));
    root.cameras.iter_mut().for_each(|o| visit(&mut o.extensions));
    for mesh in &mut root.meshes {
        visit(&mut mesh.extensions);
        mesh.primitives.iter_mut().for_each(|o| visit(&mut o.extensions));
    }
}
