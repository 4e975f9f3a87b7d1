//! Compares what the scenes hold: counts, names and values.

use super::Difference;
use super::measure::joints_of;
use super::surface::{placements, triangle_count};
use crate::known::Known;
use crate::scene::{Camera, Extras, Faces, Light, Projection, Scene};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Display;

/// Differences found so far.
#[derive(Default)]
pub(super) struct Differences(pub(super) Vec<Difference>);

impl Differences {
    pub(super) fn add(
        &mut self,
        feature: impl Into<String>,
        first: impl Into<String>,
        second: impl Into<String>,
    ) {
        self.0.push(Difference { feature: feature.into(), first: first.into(), second: second.into() });
    }

    /// Adds a difference if two texts that contain [`numbers`] disagree.
    pub(super) fn check_values(&mut self, feature: impl Into<String>, first: String, second: String) {
        if !agree(&first, &second) {
            self.add(feature, first, second);
        }
    }

    /// Adds a difference if the two texts are not equal.
    pub(super) fn check(&mut self, feature: impl Into<String>, first: impl Display, second: impl Display) {
        let (first, second) = (first.to_string(), second.to_string());
        if first != second {
            self.add(feature, first, second);
        }
    }
}

/// Differences of many objects of one kind. Those that read the same for several objects are listed once.
#[derive(Default)]
pub(super) struct Grouped {
    object: String,
    all: Vec<(String, (String, String), Vec<String>)>,
    known: Known,
}

impl Grouped {
    /// Sets the object that the following checks are about.
    pub(super) fn start(&mut self, object: &str) {
        self.object = object.to_owned();
    }

    /// Adds a difference if two texts that contain [`numbers`] disagree.
    pub(super) fn check(&mut self, what: &str, first: String, second: String) {
        if agree(&first, &second) {
            return;
        }
        let (all, texts) = (&mut self.all, (first, second));
        let is_same = |known: usize| all[known].0 == what && all[known].1 == texts;
        match self.known.find((what, &texts), all.len(), is_same) {
            Some(same) => all[same].2.push(self.object.clone()),
            None => all.push((what.to_owned(), texts, vec![self.object.clone()])),
        }
    }

    /// Adds everything to `differences`, with `kind` before the objects' names.
    pub(super) fn finish(self, kind: &str, differences: &mut Differences) {
        for (what, (first, second), objects) in self.all {
            let names: Vec<&str> = objects.iter().map(String::as_str).collect();
            let plural = if names.len() == 1 { "" } else { "s" };
            differences.add(format!("{kind}{plural} {}: {what}", list(&names)), first, second);
        }
    }
}

/// Whether two texts are equal but for the last digit of [`numbers`]: rounding can separate close values.
pub(super) fn agree(first: &str, second: &str) -> bool {
    let same = |(a, b): (&str, &str)| {
        let value = |word: &str| word.trim_end_matches(',').parse::<f64>().ok();
        let close = |(a, b): (f64, f64)| (a - b).abs() <= 1.5e-5 * a.abs().max(1.0);
        a == b || ((a.contains('.') || b.contains('.')) && value(a).zip(value(b)).is_some_and(close))
    };
    first.split(' ').count() == second.split(' ').count() && first.split(' ').zip(second.split(' ')).all(same)
}

/// A name in quotes, or `none`.
pub(super) fn quoted(name: &str) -> String {
    if name.is_empty() { "none".into() } else { format!("{name:?}") }
}

/// `absent` if the count is zero, otherwise `text`.
pub(super) fn absent_or(count: usize, text: impl FnOnce() -> String) -> String {
    if count == 0 { "absent".into() } else { text() }
}

pub(super) fn compare(first: &Scene, second: &Scene, differences: &mut Differences) {
    geometry(first, second, differences);
    joints(first, second, differences);
    morphs(first, second, differences);
    cameras_and_lights(first, second, differences);
    let ambient = |s: &Scene| s.ambient.map_or("none".into(), |a| numbers(&a));
    differences.check_values("ambient light", ambient(first), ambient(second));
    extras(first, second, differences);
}

fn geometry(first: &Scene, second: &Scene, differences: &mut Differences) {
    let mut check = |feature: &str, count: &dyn Fn(&Scene) -> usize| {
        differences.check(feature, count(first), count(second));
    };
    let parts = |s: &Scene, each: &mut dyn FnMut(&crate::scene::Part)| {
        placements(s).flat_map(|(_, mesh)| &mesh.parts).for_each(each);
    };
    let sum = |s: &Scene, of: &dyn Fn(&crate::scene::Part) -> usize| {
        let mut total = 0_usize;
        parts(s, &mut |part| total = total.saturating_add(of(part)));
        total
    };
    check("vertices", &|s| sum(s, &|part| part.positions.len()));
    check("triangles", &|s| sum(s, &|part| triangle_count(&part.faces)));
    check("points and lines", &|s| {
        sum(s, &|part| match part.faces {
            Faces::Points(_) | Faces::Lines(_) => part.faces.count(),
            _ => 0,
        })
    });
    check("influences on one vertex", &|s| {
        let mut most = 0;
        parts(s, &mut |part| most = most.max(part.influences.max_per_vertex()));
        most
    });
    let names = |s: &Scene| s.meshes.iter().map(|m| m.name.clone()).collect();
    named("meshes", names(first), names(second), differences);
}

fn joints(first: &Scene, second: &Scene, differences: &mut Differences) {
    let names = |s: &Scene| -> Vec<String> {
        let joints = if s.skins.is_empty() { Vec::new() } else { joints_of(s) };
        joints.into_iter().map(|id| s.nodes[id.index()].name.clone()).collect()
    };
    named("joints", names(first), names(second), differences);
}

fn morphs(first: &Scene, second: &Scene, differences: &mut Differences) {
    let names =
        |s: &Scene| s.meshes.iter().flat_map(|m| &m.morphs).map(|m| m.name.clone()).collect::<Vec<_>>();
    named("morph targets", names(first), names(second), differences);
}

/// Compares counts and names, in any order.
pub(super) fn named(feature: &str, first: Vec<String>, second: Vec<String>, differences: &mut Differences) {
    let (a, b): (BTreeSet<_>, BTreeSet<_>) = (first.iter().collect(), second.iter().collect());
    if first.len() == second.len() && a == b {
        return;
    }
    let text = |all: &[String], own: &BTreeSet<&String>, other: &BTreeSet<&String>| {
        let only: Vec<&str> = own.difference(other).map(|n| n.as_str()).filter(|n| !n.is_empty()).collect();
        if only.is_empty() { all.len().to_string() } else { format!("{}, with {}", all.len(), list(&only)) }
    };
    differences.add(feature, text(&first, &a, &b), text(&second, &b, &a));
}

/// `"a", "b", "c" and 4 more`.
pub(super) fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(3).map(|name| format!("{name:?}")).collect();
    let shown = shown.join(", ");
    if names.len() > 3 { format!("{shown} and {} more", names.len() - 3) } else { shown }
}

/// Numbers rounded to five digits, so that the rounding of a text format does not count as a difference.
pub(super) fn numbers(values: &[f32]) -> String {
    let shown: Vec<String> = values.iter().map(|&v| number(v)).collect();
    shown.join(" ")
}

fn number(value: f32) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let magnitude = f64::from(value).abs().max(1e-30).log10().floor();
    // Around one, nothing below 1e-5 counts.
    let step = 10_f64.powf((magnitude - 4.0).max(-5.0));
    let rounded = (f64::from(value) / step).round() * step;
    let decimals = (4.0 - magnitude).clamp(0.0, 5.0) as usize;
    let text = format!("{rounded:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

fn cameras_and_lights(first: &Scene, second: &Scene, differences: &mut Differences) {
    let names = |s: &Scene| s.cameras.iter().map(|c| c.name.clone()).collect();
    named("cameras", names(first), names(second), differences);
    for (a, b) in matched(&first.cameras, &second.cameras, |c| &c.name) {
        differences.check_values(format!("camera {}", quoted(&a.name)), lens(a), lens(b));
    }
    let names = |s: &Scene| s.lights.iter().map(|c| c.name.clone()).collect();
    named("lights", names(first), names(second), differences);
    for (a, b) in matched(&first.lights, &second.lights, |l| &l.name) {
        differences.check_values(format!("light {}", quoted(&a.name)), brightness(a), brightness(b));
    }
}

/// Pairs objects of the same name, and unnamed ones by position.
pub(super) fn matched<'a, T>(
    first: &'a [T],
    second: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
) -> Vec<(&'a T, &'a T)> {
    fn by_name<'a, T>(objects: &'a [T], name: impl Fn(&'a T) -> &'a str) -> HashMap<&'a str, &'a T> {
        // The first of a name comes last, so it stays.
        objects
            .iter()
            .rev()
            .map(|object| (name(object), object))
            .filter(|(name, _)| !name.is_empty())
            .collect()
    }
    let (own, other) = (by_name(first, &name), by_name(second, &name));
    let partner = |(i, a): (usize, &'a T)| {
        let same = other.get(name(a)).copied();
        let in_place = || second.get(i).filter(|b| !own.contains_key(name(b)));
        Some((a, same.or_else(in_place)?))
    };
    first.iter().enumerate().filter_map(partner).collect()
}

fn lens(camera: &Camera) -> String {
    let range = format!("from {} to {}", number(camera.near), optional(camera.far, "infinity"));
    match camera.projection {
        Projection::Perspective { fov_y, aspect } => {
            let aspect = optional(aspect, "the window's");
            format!("perspective, {} degrees, aspect {aspect}, {range}", number(fov_y.to_degrees()))
        }
        Projection::Orthographic { half_width, half_height } => {
            format!("orthographic, {} by {}, {range}", number(2.0 * half_width), number(2.0 * half_height))
        }
    }
}

fn brightness(light: &Light) -> String {
    let kind = match light.kind {
        crate::scene::LightKind::Directional => "directional".to_owned(),
        crate::scene::LightKind::Point => "point".to_owned(),
        crate::scene::LightKind::Spot { inner_angle, outer_angle } => {
            format!("spot of {} degrees", numbers(&[inner_angle.to_degrees(), outer_angle.to_degrees()]))
        }
    };
    let range = optional(light.range, "infinity");
    format!("{kind}, colour {}, {}, to {range}", numbers(&light.color), number(light.intensity))
}

pub(super) fn optional(value: Option<f32>, none: &str) -> String {
    value.map_or(none.into(), number)
}

fn extras(first: &Scene, second: &Scene, differences: &mut Differences) {
    let (a, b) = (extra_keys(first), extra_keys(second));
    if a != b {
        let text = |own: &BTreeSet<String>, other: &BTreeSet<String>| {
            let only: Vec<&str> = own.difference(other).map(String::as_str).collect();
            if only.is_empty() { format!("{} keys", own.len()) } else { format!("with {}", list(&only)) }
        };
        differences.add("extras", text(&a, &b), text(&b, &a));
    }
}

/// The keys of extra data, each with the kind of object that has it.
fn extra_keys(scene: &Scene) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut add = |kind: &str, extras: &Extras| keys.extend(extras.keys().map(|key| format!("{kind} {key}")));
    add("scene", &scene.extras);
    scene.nodes.iter().for_each(|o| add("node", &o.extras));
    scene.meshes.iter().for_each(|o| add("mesh", &o.extras));
    scene.meshes.iter().flat_map(|m| &m.parts).for_each(|o| add("part", &o.extras));
    scene.skins.iter().for_each(|o| add("skin", &o.extras));
    scene.clips.iter().for_each(|o| add("clip", &o.extras));
    scene.materials.iter().for_each(|o| add("material", &o.extras));
    scene.textures.iter().for_each(|o| add("texture", &o.extras));
    scene.images.iter().for_each(|o| add("image", &o.extras));
    scene.cameras.iter().for_each(|o| add("camera", &o.extras));
    scene.lights.iter().for_each(|o| add("light", &o.extras));
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_of_text_formats_is_no_difference() {
        assert_eq!(numbers(&[0.0, -0.0, 1.0, 0.5, -12.25]), "0 0 1 0.5 -12.25");
        assert!(agree("spot 0.33333, to 1", "spot 0.33334, to 0.99999") && agree("inf a", "inf a"));
        assert!(
            !agree("0.5", "0.5001") && !agree("200000 bytes", "200001 bytes") && !agree("1.0", "1.0 2.0")
        );
        assert_eq!(number(123_456.7), "123460");
        assert_eq!(number(1e-7), "0");
        assert_eq!(number(f32::INFINITY), "inf");
        assert_ne!(number(0.5), number(0.5001));
    }

    #[test]
    fn names_are_listed_where_they_are_missing() {
        let names = |n: &[&str]| n.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        let mut found = Differences::default();
        named("joints", names(&["a", "b"]), names(&["b", "a"]), &mut found);
        assert_eq!(found.0, []);
        named("joints", names(&["a", "b", "c", "d", "e"]), names(&["b", "x"]), &mut found);
        assert_eq!(found.0[0].first, r#"5, with "a", "c", "d" and 1 more"#);
        assert_eq!(found.0[0].second, r#"2, with "x""#);
    }
}
