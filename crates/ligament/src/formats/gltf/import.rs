//! Document → scene, with one file per kind of object.

mod clips;
mod compact;
mod draco;
mod extensions;
mod extras;
mod glossiness;
mod influences;
mod instances;
mod materials;
mod meshes;
mod nodes;
mod placed;
mod shading;
mod skins;
mod textures;
mod unit_vectors;
mod visibility;
mod vrm;

pub(super) use extras::take_apart;
pub(super) use shading::slot;
pub(super) use textures::media_type;

use super::accessor::Checked;
use super::buffers::Buffers;
use super::codes;
use super::document::Document;
use super::extensions::is_readable;
use super::json::{self, Root};
use super::locate::Places;
use crate::formats::ReadOptions;
use crate::limits::{Budget, Exceeded};
use crate::report::{Code, Failure, Loss, Place, Report, Severity};
use crate::scene::Scene;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Display;
use std::sync::Arc;

/// Memory limit for decoded arrays: this many times the available bytes...
const MEMORY_FACTOR: u64 = 16;
/// ...plus this much, so that small files are never refused: many meshes may share a few arrays.
const MEMORY_FLOOR: u64 = 64 << 20;

/// Memory limit for what compressed streams decode to: this many times the available bytes...
const DECODED_FACTOR: u64 = 64;
/// ...plus this much.
const DECODED_FLOOR: u64 = 64 << 20;

/// An import in progress.
pub(super) struct Import<'i, 's, 'a> {
    pub root: &'i Root,
    /// The extras of the document's animations, to be moved into clips.
    pub clip_extras: Vec<json::Extra>,
    pub document: &'i Document<'a>,
    pub buffers: &'i Buffers<'s, 'a>,
    pub places: &'i Places<'s, 'a>,
    pub report: &'i mut Report,
    pub max_depth: usize,
    /// The names of the extensions that the file uses, and of those that it needs.
    pub used: HashSet<&'i str>,
    pub required: HashSet<&'i str>,
    texture_ids: Vec<Option<usize>>,
    pub accessors: BTreeMap<u32, Option<Checked>>,
    pub times: BTreeMap<u32, Arc<[f32]>>,
    /// Buffers without a URI that something reads; each is reported once.
    pub unstated: BTreeSet<usize>,
    /// Buffer views that were compressed; `None` for one that cannot be decoded.
    pub decoded_views: BTreeMap<u32, Option<Arc<[u8]>>>,
    pub decoded: draco::Decoded,
    meshes: meshes::Meshes,
    /// How often each accessor is used for positions.
    shared_positions: BTreeMap<u32, usize>,
    /// Bytes that arrays may still take.
    budget: Budget,
    /// Bytes that compressed streams may still decode to.
    decoded_budget: Budget,
}

pub(super) fn import(
    document: &Document<'_>,
    clip_extras: Vec<json::Extra>,
    options: &ReadOptions,
    report: &mut Report,
) -> Result<Scene, Failure> {
    let places = document.places();
    check_required(document, &places, report)?;
    let buffers = Buffers::open(document, &places, &options.limits, report);
    let meshes = meshes::Meshes::new(&document.root);
    let mut import = Import {
        root: &document.root,
        clip_extras,
        document,
        buffers: &buffers,
        places: &places,
        report,
        max_depth: options.limits.max_depth,
        used: document.root.extensions_used.iter().map(String::as_str).collect(),
        required: document.root.extensions_required.iter().map(String::as_str).collect(),
        texture_ids: Import::texture_ids(&document.root),
        accessors: BTreeMap::new(),
        times: BTreeMap::new(),
        unstated: BTreeSet::new(),
        decoded_views: BTreeMap::new(),
        decoded: draco::Decoded::default(),
        shared_positions: compact::shared_positions(&document.root, meshes.own),
        meshes,
        budget: Budget::within(&options.limits, buffers.present, MEMORY_FACTOR, MEMORY_FLOOR),
        decoded_budget: Budget::within(&options.limits, buffers.present, DECODED_FACTOR, DECODED_FLOOR),
    };
    let scene = import.scene();
    report.check()?;
    scene.ok_or(Failure::Invalid)
}

fn check_required(
    document: &Document<'_>,
    places: &Places<'_, '_>,
    report: &mut Report,
) -> Result<(), Failure> {
    for (index, name) in document.root.extensions_required.iter().enumerate() {
        if !document.extensions().contains(&name.as_str()) && !is_readable(name) {
            let place = places.of(&format!("extensionsRequired[{index}]"));
            let message = format!("the file cannot be read without {name}, which is not supported");
            report.error(&codes::REQUIRED_EXTENSION, place, message);
        }
    }
    report.check()
}

impl Import<'_, '_, '_> {
    fn scene(&mut self) -> Option<Scene> {
        let mut scene = Scene::default();
        let tree = self.nodes(&mut scene)?;
        let skinning = self.skins(&tree, &mut scene);
        self.meshes(&skinning, &mut scene);
        self.textures(&mut scene);
        self.materials(&mut scene);
        self.lose_techniques();
        self.cameras(&mut scene);
        self.lights(&mut scene);
        self.clips(&tree, &mut scene);
        if self.report.has_errors() {
            return None;
        }
        self.check_placements(&mut scene);
        self.check_humanoid();
        self.scene_data(&mut scene);
        self.settle_extensions(&tree, &mut scene);
        self.instances(&tree, &mut scene);
        self.hide(&mut scene);
        if self.report.has_errors() {
            return None;
        }
        self.unkept_names();
        self.lose_compression();
        Some(scene)
    }

    /// The place of a field, looked up only while diagnostics of this severity are still kept.
    fn place(&self, path: &impl Display, severity: Severity) -> Place {
        if self.report.keeps(severity) { self.places.of(&path.to_string()) } else { Place::WHOLE }
    }

    /// Takes a displayable path, so that it is formatted only for an actual message.
    pub fn error(&mut self, code: &'static Code, path: impl Display, message: impl Into<String>) {
        let place = self.place(&path, Severity::Error);
        self.report.error(code, place, message);
    }

    pub fn warning(&mut self, code: &'static Code, path: impl Display, message: impl Into<String>) {
        let place = self.place(&path, Severity::Warning);
        self.report.warning(code, place, message);
    }

    /// Reports an error and returns `None`, for `return self.fault(..)`.
    pub fn fault<T>(
        &mut self,
        code: &'static Code,
        path: impl Display,
        message: impl Into<String>,
    ) -> Option<T> {
        self.error(code, path, message);
        None
    }

    /// Checks an index into a list of `count` items.
    pub fn index(
        &mut self,
        index: Option<u32>,
        count: usize,
        path: impl Display,
        what: &str,
    ) -> Option<usize> {
        let index = index? as usize;
        if index < count {
            return Some(index);
        }
        let message = format!("there is no {what} {index}; the file has {count}");
        self.fault(&codes::INDEX, path, message)
    }

    /// Accounts for memory that is about to be allocated.
    pub fn spend(&mut self, bytes: u64, path: impl Display) -> Option<()> {
        let spent = self.budget.spend(bytes);
        self.allow(spent, path)
    }

    /// Accounts for what a compressed stream decodes to. The arrays that are made of it may take four times as much: a
    /// byte becomes a float.
    pub fn spend_decoded(&mut self, bytes: u64, path: impl Display) -> Option<()> {
        let spent = self.decoded_budget.spend(bytes);
        self.allow(spent, path)?;
        self.budget.extend(bytes.saturating_mul(4));
        Some(())
    }

    /// Bytes that a stream may decode to.
    pub fn most_decoded(&self) -> u64 {
        self.decoded_budget.left()
    }

    fn allow(&mut self, spent: Result<(), Exceeded>, path: impl Display) -> Option<()> {
        let Err(exceeded) = spent else { return Some(()) };
        if exceeded.is_first {
            let place = self.place(&path, Severity::Error);
            self.report.push(exceeded.error(&codes::TOO_BIG, place, "decoding"));
        }
        None
    }

    /// Reports a loss, if anything is lost.
    pub fn lose(&mut self, code: &'static Code, object: &str, count: usize, message: impl Into<String>) {
        self.report.loss(Loss::dropped(code, object, count, message));
    }

    /// Reports names and extras of objects that scenes do not have.
    fn unkept_names(&mut self) {
        let root = self.root;
        let samplers = root.samplers.iter().filter(|s| !s.name.is_empty() || s.extras.is_some()).count();
        let views = root.buffer_views.iter().filter(|v| v.extras.is_some()).count();
        let accessors = root.accessors.iter().filter(|a| a.extras.is_some()).count();
        let buffers = root.buffers.iter().filter(|b| b.extras.is_some()).count();
        let count = samplers + views + accessors + buffers;
        let message = "names of samplers and extras of samplers, accessors, views and buffers are dropped";
        self.lose(&codes::SAMPLERS, "", count, message);
    }
}
