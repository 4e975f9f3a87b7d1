//! Elements by their ids, which some exporters use twice: a geometry and the node that shows it have the same.

use super::xml::{Xml, tag};
use std::collections::HashMap;

/// Maximum number of elements kept per id; each has another tag.
const MOST: usize = 8;

/// Elements by id: of each kind the first.
#[derive(Default)]
pub(super) struct Ids<'d>(HashMap<&'d str, Vec<Xml<'d>>>);

impl<'d> Ids<'d> {
    /// Adds an element; returns whether there is none of its id yet.
    pub(super) fn add(&mut self, id: &'d str, element: Xml<'d>) -> bool {
        let all = self.0.entry(id).or_default();
        if all.len() < MOST && !all.iter().any(|known| tag(*known) == tag(element)) {
            all.push(element);
        }
        all.len() == 1 && all[0] == element
    }

    /// The elements of an id, the first of each tag, in the file's order.
    pub(super) fn all(&self, id: &str) -> &[Xml<'d>] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }

    /// The element of an id with one of these tags or, if none has, the first of that id.
    pub(super) fn get(&self, id: &str, tags: &[&str]) -> Option<Xml<'d>> {
        let all = self.all(id);
        all.iter().find(|element| tags.contains(&tag(**element))).or(all.first()).copied()
    }
}

/// The kinds of elements that a reference in an element of this tag can mean.
pub(super) fn expected(tag: &str) -> &'static [&'static str] {
    match tag {
        "instance_geometry" => &["geometry"],
        "instance_controller" => &["controller"],
        "instance_node" | "skeleton" => &["node"],
        "instance_camera" => &["camera"],
        "instance_light" => &["light"],
        "instance_material" => &["material"],
        "instance_effect" => &["effect"],
        "instance_image" | "init_from" => &["image"],
        "instance_visual_scene" => &["visual_scene"],
        "instance_animation" => &["animation"],
        "channel" => &["sampler"],
        "skin" | "morph" => &["geometry", "controller"],
        "input" => &["source", "vertices"],
        _ => &[],
    }
}
