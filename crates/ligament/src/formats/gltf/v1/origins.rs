//! Maps each object of the 2.0 structure to the object of the file that it comes from, so that messages refer to the file.

use super::super::locate::Step::{self, Index, Name};
use super::super::{COMMON, LIGHTS};
use super::Source;
use std::collections::BTreeMap;

/// The origins of a clip's channels and samplers in the file.
#[derive(Debug, Default)]
pub(in super::super) struct ClipOrigin {
    /// The animation of each channel, and its index there.
    pub channels: Vec<(u32, usize)>,
    /// The animation of each sampler, and its index among that animation's ids.
    pub samplers: Vec<(u32, u32)>,
}

/// The ids of a file, in the order of the lists that were made from its dictionaries.
#[derive(Debug, Default)]
pub(in super::super) struct Origins {
    /// The ids by the name of their dictionary.
    pub ids: BTreeMap<&'static str, Vec<String>>,
    /// For each node, its index among the ids; for a node that was added for a mesh, the mesh's index in its node's list.
    pub nodes: Vec<(u32, Option<usize>)>,
    /// For each skin, its index among the ids. A skin that is used with two skeletons becomes two.
    pub skins: Vec<u32>,
    pub sampler_ids: Vec<Vec<String>>,
    pub clips: Vec<ClipOrigin>,
    /// The file's names of attributes that have another name in 2.0.
    pub attributes: BTreeMap<String, String>,
}

impl Origins {
    pub fn new(source: &Source) -> Self {
        let ids = [
            ("scenes", &source.scenes.names),
            ("nodes", &source.nodes.names),
            ("meshes", &source.meshes.names),
            ("skins", &source.skins.names),
            ("animations", &source.animations.names),
            ("materials", &source.materials.names),
            ("textures", &source.textures.names),
            ("images", &source.images.names),
            ("samplers", &source.samplers.names),
            ("cameras", &source.cameras.names),
            ("accessors", &source.accessors.names),
            ("bufferViews", &source.buffer_views.names),
            ("buffers", &source.buffers.names),
        ];
        let sampler_ids = source.animations.values.iter().map(|a| a.samplers.names.clone()).collect();
        Self { ids: ids.map(|(name, ids)| (name, ids.clone())).into(), sampler_ids, ..Self::default() }
    }

    fn id(&self, collection: &str, at: usize) -> &str {
        self.ids.get(collection).and_then(|ids| ids.get(at)).map_or("", String::as_str)
    }

    /// Translates a path of the 2.0 structure to one of the file.
    pub fn translate<'p>(&'p self, path: Vec<Step<'p>>) -> Vec<Step<'p>> {
        match path.as_slice() {
            [Name("nodes"), Index(at), rest @ ..] => {
                let &(number, mesh) = self.nodes.get(*at).unwrap_or(&(u32::MAX, None));
                let head = [Name("nodes"), Name(self.id("nodes", number as usize))];
                match rest {
                    [Name("mesh")] => join(&head, &[Name("meshes"), Index(mesh.unwrap_or(0))]),
                    [Name("extensions"), Name(name), ..] if *name == LIGHTS => {
                        join(&head, &[Name("extensions"), Name(COMMON), Name("light")])
                    }
                    rest => join(&head, rest),
                }
            }
            [Name("skins"), Index(at), rest @ ..] => {
                let number = self.skins.get(*at).map_or(usize::MAX, |n| *n as usize);
                let head = [Name("skins"), Name(self.id("skins", number))];
                match rest {
                    [Name("joints"), rest @ ..] => join(&join(&head, &[Name("jointNames")]), rest),
                    rest => join(&head, rest),
                }
            }
            [Name("animations"), Index(at), rest @ ..] => self.animation(*at, rest),
            [Name("extensions"), Name(name), Name("lights"), Index(at), rest @ ..] if *name == LIGHTS => {
                let id = Name(self.id("lights", *at));
                join(&[Name("extensions"), Name(COMMON), Name("lights"), id], rest)
            }
            [Name("meshes"), Index(mesh), part @ .., Name("attributes"), Name(attribute)] => {
                let attribute = self.attributes.get(*attribute).map_or(*attribute, String::as_str);
                let head = join(&[Name("meshes"), Name(self.id("meshes", *mesh))], part);
                join(&head, &[Name("attributes"), Name(attribute)])
            }
            [Name("images"), Index(at), Name("bufferView")] => {
                let head = [Name("images"), Name(self.id("images", *at))];
                join(&head, &[Name("extensions"), Name(super::BINARY), Name("bufferView")])
            }
            [Name(collection), Index(at), rest @ ..] if self.ids.contains_key(collection) => {
                join(&[Name(collection), Name(self.id(collection, *at))], rest)
            }
            _ => path,
        }
    }

    fn animation<'p>(&'p self, clip: usize, rest: &[Step<'p>]) -> Vec<Step<'p>> {
        let id = |number: u32| Name(self.id("animations", number as usize));
        let origin = self.clips.get(clip);
        let first = origin.and_then(|c| c.channels.first()).map_or(clip as u32, |c| c.0);
        let channel = |at: &usize| origin.and_then(|c| c.channels.get(*at)).copied();
        let sampler = |at: &usize| origin.and_then(|c| c.samplers.get(*at)).copied();
        match rest {
            [Name("channels"), Index(at), rest @ ..] => {
                let (animation, at) = channel(at).unwrap_or((first, *at));
                let head = [Name("animations"), id(animation), Name("channels"), Index(at)];
                match rest {
                    [Name("target"), Name("node")] => join(&head, &[Name("target"), Name("id")]),
                    rest => join(&head, rest),
                }
            }
            [Name("samplers"), Index(at), rest @ ..] => {
                let (animation, number) = sampler(at).unwrap_or((first, u32::MAX));
                let ids = self.sampler_ids.get(animation as usize);
                let name = ids.and_then(|ids| ids.get(number as usize)).map_or("", String::as_str);
                join(&[Name("animations"), id(animation), Name("samplers"), Name(name)], rest)
            }
            rest => join(&[Name("animations"), id(first)], rest),
        }
    }
}

pub(super) fn join<'p>(head: &[Step<'p>], rest: &[Step<'p>]) -> Vec<Step<'p>> {
    head.iter().chain(rest).copied().collect()
}
