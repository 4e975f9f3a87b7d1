//! Maps each object of the 2.0 structure to the object of the file that it comes from, so that messages refer to the file.

use super::super::locate::Step::{self, Index, Name};
use super::super::{COMMON, LIGHTS};
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
    pub scenes: Vec<String>,
    pub node_ids: Vec<String>,
    /// For each node, its index among the ids; for a node that was added for a mesh, the mesh's index in its node's list.
    pub nodes: Vec<(u32, Option<usize>)>,
    pub meshes: Vec<String>,
    pub skin_ids: Vec<String>,
    /// For each skin, its index among the ids. A skin that is used with two skeletons becomes two.
    pub skins: Vec<u32>,
    pub animation_ids: Vec<String>,
    pub sampler_ids: Vec<Vec<String>>,
    pub clips: Vec<ClipOrigin>,
    pub materials: Vec<String>,
    pub textures: Vec<String>,
    pub images: Vec<String>,
    pub samplers: Vec<String>,
    pub cameras: Vec<String>,
    pub accessors: Vec<String>,
    pub buffer_views: Vec<String>,
    pub buffers: Vec<String>,
    pub lights: Vec<String>,
    /// The file's names of attributes that have another name in 2.0.
    pub attributes: BTreeMap<String, String>,
}

impl Origins {
    fn ids(&self, collection: &str) -> Option<&[String]> {
        Some(match collection {
            "scenes" => &self.scenes,
            "meshes" => &self.meshes,
            "materials" => &self.materials,
            "textures" => &self.textures,
            "images" => &self.images,
            "samplers" => &self.samplers,
            "cameras" => &self.cameras,
            "accessors" => &self.accessors,
            "bufferViews" => &self.buffer_views,
            "buffers" => &self.buffers,
            _ => return None,
        })
    }

    /// Translates a path of the 2.0 structure to one of the file.
    pub fn translate<'p>(&'p self, path: Vec<Step<'p>>) -> Vec<Step<'p>> {
        let id = |ids: &'p [String], at: usize| ids.get(at).map_or("", String::as_str);
        match path.as_slice() {
            [Name("nodes"), Index(at), rest @ ..] => {
                let &(number, mesh) = self.nodes.get(*at).unwrap_or(&(u32::MAX, None));
                let head = [Name("nodes"), Name(id(&self.node_ids, number as usize))];
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
                let head = [Name("skins"), Name(id(&self.skin_ids, number))];
                match rest {
                    [Name("joints"), rest @ ..] => join(&join(&head, &[Name("jointNames")]), rest),
                    rest => join(&head, rest),
                }
            }
            [Name("animations"), Index(at), rest @ ..] => self.animation(*at, rest),
            [Name("extensions"), Name(name), Name("lights"), Index(at), rest @ ..] if *name == LIGHTS => {
                let head = [Name("extensions"), Name(COMMON), Name("lights"), Name(id(&self.lights, *at))];
                join(&head, rest)
            }
            [Name("meshes"), Index(mesh), part @ .., Name("attributes"), Name(attribute)] => {
                let attribute = self.attributes.get(*attribute).map_or(*attribute, String::as_str);
                let head = join(&[Name("meshes"), Name(id(&self.meshes, *mesh))], part);
                join(&head, &[Name("attributes"), Name(attribute)])
            }
            [Name("images"), Index(at), Name("bufferView")] => {
                let head = [Name("images"), Name(id(&self.images, *at))];
                join(&head, &[Name("extensions"), Name(super::BINARY), Name("bufferView")])
            }
            [Name(collection), Index(at), rest @ ..] => match self.ids(collection) {
                Some(ids) => join(&[Name(collection), Name(id(ids, *at))], rest),
                None => path,
            },
            _ => path,
        }
    }

    fn animation<'p>(&'p self, clip: usize, rest: &[Step<'p>]) -> Vec<Step<'p>> {
        let id = |number: u32| Name(self.animation_ids.get(number as usize).map_or("", String::as_str));
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

fn join<'p>(head: &[Step<'p>], rest: &[Step<'p>]) -> Vec<Step<'p>> {
    head.iter().chain(rest).copied().collect()
}
