//! Elements by their ids, which some exporters use twice: a geometry and the node that shows it have the same.

use super::xml::{Xml, after, tag};
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

/// Elements by their sids, which are unique only within their surroundings.
#[derive(Default)]
pub(super) struct Sids<'d> {
    /// By the element around them: the first of each sid.
    inside: HashMap<(roxmltree::NodeId, &'d str), Xml<'d>>,
    /// In the file's order.
    all: HashMap<&'d str, Vec<Xml<'d>>>,
}

impl<'d> Sids<'d> {
    pub(super) fn of(root: Xml<'d>) -> Self {
        let mut sids = Self::default();
        for element in root.descendants() {
            let Some((sid, parent)) = element.attribute("sid").zip(element.parent()) else { continue };
            sids.inside.entry((parent.id(), sid)).or_insert(element);
            sids.all.entry(sid).or_default().push(element);
        }
        sids
    }

    /// The element of a sid within another one: the first child, otherwise the first at any depth.
    pub(super) fn find(&self, within: Xml<'d>, sid: &str) -> Option<Xml<'d>> {
        self.inside.get(&(within.id(), sid)).copied().or_else(|| {
            // Those below an element come right after it.
            let (all, start) = (self.all.get(sid)?, within.id().get());
            let next = *all.get(all.partition_point(|element| element.id().get() <= start))?;
            after(within).is_none_or(|end| next.id().get() < end).then_some(next)
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sids_are_found_below_an_element_only() {
        let text = r#"<a><b id="b"><c><x sid="s" n="1"/></c><x sid="s" n="2"/></b><d id="d"><x sid="t" n="3"/></d><x sid="s" n="4"/></a>"#;
        let document = roxmltree::Document::parse(text).expect("XML");
        let sids = Sids::of(document.root_element());
        let found = |tag: &str, sid: &str| {
            let within = document.descendants().find(|n| n.has_tag_name(tag)).expect("an element");
            sids.find(within, sid).and_then(|found| found.attribute("n"))
        };
        assert_eq!([found("a", "s"), found("b", "s"), found("c", "s")], [Some("4"), Some("2"), Some("1")]);
        assert_eq!([found("d", "s"), found("d", "t"), found("b", "t")], [None, Some("3"), None]);
        assert_eq!([found("a", "t"), found("x", "s")], [Some("3"), None]);
    }
}
