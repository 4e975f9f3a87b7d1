//! Counts unused elements and application-specific values, so that nothing is dropped silently.

use super::codes;
use super::import::Import;
use super::xml::{Xml, children, elements, tag};
use std::collections::BTreeMap;

impl<'d> Import<'d, '_> {
    /// Reports library elements that were never used.
    pub(super) fn unused(&mut self) {
        for (library, item, what) in [
            ("library_geometries", "geometry", "geometries"),
            ("library_controllers", "controller", "controllers"),
            ("library_materials", "material", "materials"),
            ("library_images", "image", "images"),
            ("library_cameras", "camera", "cameras"),
            ("library_lights", "light", "lights"),
        ] {
            let count = self.library(library, item).filter(|e| !self.used.contains(&e.id())).count();
            self.left_out(count, what);
        }
        let is_placed = |node: Xml<'d>| node.descendants().any(|n| self.placed.contains_key(&n.id()));
        let count = self.library("library_nodes", "node").filter(|n| !is_placed(*n)).count();
        self.left_out(count, "library nodes");
        let is_shown = |node: u32| self.placed.contains_key(&roxmltree::NodeId::from(node));
        let nodes = self.driven.nodes.iter().filter(|(node, _)| !is_shown(**node)).map(|(_, d)| d.len());
        let is_morphed = |morph: u32| self.driven.morphed.contains_key(&morph);
        let weights =
            self.driven.weights.iter().filter(|(morph, _)| !is_morphed(**morph)).map(|(_, d)| d.len());
        let count = nodes.chain(weights).sum();
        self.left_out(count, "animation channels");
        let is_still = |a: &Xml<'d>| elements(*a).all(|e| !matches!(tag(e), "animation" | "channel"));
        let animations = children(self.root, "library_animations").flat_map(|l| l.descendants());
        let count = animations.filter(|n| tag(*n) == "animation").filter(is_still).count();
        self.left_out(count, "animations without a channel");
    }

    fn left_out(&mut self, count: usize, what: &str) {
        self.lose(&codes::UNUSED, "", count, format!("{what} that the scene does not use are left out"));
    }

    /// Counts the values in `<extra>` elements by owner. Those of effects are handled with materials.
    pub(super) fn count_extras(&mut self, extras: &[Xml<'d>]) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for extra in extras {
            let owner = extra.parent().map_or("", tag);
            let is_dropped = |value: &Xml<'d>| match tag(*value) {
                "double_sided" => owner != "geometry",
                // Reported with the curves that they belong to.
                "pre_infinity" | "post_infinity" => !matches!(owner, "animation" | "channel" | "sampler"),
                _ => true,
            };
            let values = children(*extra, "technique").flat_map(elements);
            *counts.entry(owner).or_default() += values.filter(is_dropped).count();
        }
        for (owner, count) in counts {
            self.lose(&codes::EXTRA, "", count, format!("extra values of <{owner}> are dropped"));
        }
    }
}
