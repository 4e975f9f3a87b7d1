//! Matches clips of two scenes, and compares their own properties.

use super::features::{Differences, Grouped, numbers, quoted};
use super::moments::key_count;
use super::{ClipMatch, ClipPair};
use crate::scene::{Clip, Scene};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Indices of clips in the first and the second scene that belong together.
pub(super) type Matched = Vec<(usize, usize)>;

/// Matches clips, and says how for each pair: by name (the n-th of a name with the n-th), by the part of the name after
/// `|`, by duration, and at last in order, if both scenes have equally many left. Parts of names and durations count
/// only where they leave no choice.
pub(super) fn matched(first: &Scene, second: &Scene) -> (Matched, Vec<ClipMatch>) {
    let mut matcher = Matcher {
        first: &first.clips,
        second: &second.clips,
        own: (0..first.clips.len()).collect(),
        other: (0..second.clips.len()).collect(),
        pairs: Vec::new(),
    };
    matcher.by_name();
    matcher.by_last_part();
    matcher.by_duration();
    matcher.in_order();
    matcher.pairs.sort_unstable_by_key(|(pair, _)| *pair);
    matcher.pairs.into_iter().unzip()
}

/// The clips of both scenes, and the indices of those that are still without a partner.
struct Matcher<'a> {
    first: &'a [Clip],
    second: &'a [Clip],
    own: Vec<usize>,
    other: Vec<usize>,
    pairs: Vec<((usize, usize), ClipMatch)>,
}

impl Matcher<'_> {
    fn take(&mut self, found: Matched, by: ClipMatch) {
        let (own, other): (BTreeSet<usize>, BTreeSet<usize>) = found.iter().copied().unzip();
        self.own.retain(|i| !own.contains(i));
        self.other.retain(|j| !other.contains(j));
        self.pairs.extend(found.into_iter().map(|pair| (pair, by)));
    }

    fn by_name(&mut self) {
        let mut names: HashMap<&str, Vec<usize>> = HashMap::new();
        for &j in self.other.iter().rev().filter(|&&j| !self.second[j].name.is_empty()) {
            names.entry(&self.second[j].name).or_default().push(j);
        }
        let next = |&i: &usize| Some((i, names.get_mut(self.first[i].name.as_str())?.pop()?));
        let found = self.own.iter().filter_map(next).collect();
        self.take(found, ClipMatch::Name);
    }

    /// Exporters write the armature's name before that of its clip: `Armature|Walk`.
    fn by_last_part(&mut self) {
        let parts = |clips: &[Clip], left: &[usize]| {
            let part = |&i: &usize| (clips[i].name.rsplit('|').next().unwrap_or_default().to_owned(), i);
            unique(left.iter().map(part).filter(|(part, _)| !part.is_empty()))
        };
        let other = parts(self.second, &self.other);
        let own = parts(self.first, &self.own).into_iter();
        let mut found: Matched = own.filter_map(|(part, i)| Some((i, *other.get(&part)?))).collect();
        found.sort_unstable();
        self.take(found, ClipMatch::LastPart);
    }

    /// Durations say who is who only if no clip of the scene with fewer is left without one: a format that rounds them
    /// to frames could give a clip its neighbour's.
    fn by_duration(&mut self) {
        let durations = |clips: &[Clip], left: &[usize]| {
            let mut all: Vec<(f32, usize)> = left.iter().map(|&i| (clips[i].duration, i)).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            all
        };
        let (own, other) = (durations(self.first, &self.own), durations(self.second, &self.other));
        // The clips of `among` that last as long as a clip.
        fn alike(among: &[(f32, usize)], seconds: f32) -> &[(f32, usize)] {
            let slack = 1e-3_f32.max(seconds.abs() * 1e-4);
            let from = among.partition_point(|d| d.0 < seconds - slack);
            let to = among.partition_point(|d| d.0 <= seconds + slack);
            among.get(from..to).unwrap_or_default()
        }
        let (few, many) = if own.len() <= other.len() { (&own, &other) } else { (&other, &own) };
        if few.iter().any(|d| alike(many, d.0).is_empty()) {
            return;
        }
        let only = |&(seconds, i): &(f32, usize)| match alike(&other, seconds) {
            [(theirs, j)] if alike(&own, *theirs).len() == 1 => Some((i, *j)),
            _ => None,
        };
        let found = own.iter().filter_map(only).collect();
        self.take(found, ClipMatch::Duration);
    }

    fn in_order(&mut self) {
        if self.own.len() == self.other.len() {
            let found = self.own.iter().copied().zip(self.other.iter().copied()).collect();
            self.take(found, ClipMatch::Order);
        }
    }
}

/// Names that only one clip has.
fn unique(names: impl Iterator<Item = (String, usize)>) -> HashMap<String, usize> {
    let mut found: HashMap<String, Option<usize>> = HashMap::new();
    for (name, index) in names {
        found.entry(name).and_modify(|known| *known = None).or_insert(Some(index));
    }
    found.into_iter().filter_map(|(name, index)| Some((name, index?))).collect()
}

/// The matched clips by name.
pub(super) fn described(
    first: &Scene,
    second: &Scene,
    matched: &Matched,
    ways: &[ClipMatch],
) -> Vec<ClipPair> {
    let describe = |(&(i, j), &by): (&(usize, usize), &ClipMatch)| ClipPair {
        first: first.clips[i].shown_name(i).into_owned(),
        second: second.clips[j].shown_name(j).into_owned(),
        by,
    };
    matched.iter().zip(ways).map(describe).collect()
}

/// Compares the clips' own properties.
pub(super) fn compare(first: &Scene, second: &Scene, matched: &Matched, differences: &mut Differences) {
    let (own, other): (HashSet<usize>, HashSet<usize>) = matched.iter().copied().unzip();
    for (i, clip) in first.clips.iter().enumerate() {
        if !own.contains(&i) {
            differences.add(clip.label(i), summary(clip), "absent");
        }
    }
    for (j, clip) in second.clips.iter().enumerate() {
        if !other.contains(&j) {
            differences.add(clip.label(j), "absent", summary(clip));
        }
    }
    let mut found = Grouped::default();
    for &(i, j) in matched {
        let (a, b) = (&first.clips[i], &second.clips[j]);
        found.start(&a.shown_name(i));
        found.check("name", quoted(&a.name), quoted(&b.name));
        found.check("seconds", numbers(&[a.duration]), numbers(&[b.duration]));
        let rate = |clip: &Clip| clip.frames.map_or("none".into(), |f| numbers(&[f.rate]));
        found.check("frames per second", rate(a), rate(b));
        let count = |clip: &Clip| clip.frames.map_or("none".into(), |f| f.count.to_string());
        found.check("frames", count(a), count(b));
        found.check("interpolation", interpolations(a), interpolations(b));
    }
    found.finish("clip", differences);
}

fn summary(clip: &Clip) -> String {
    format!("{} s, {} tracks, {} key times", clip.duration, clip.tracks.len(), key_count(clip))
}

/// `step`, `linear`, `cubic + linear`...; tracks of one key do not count, since interpolation makes no difference
/// there.
fn interpolations(clip: &Clip) -> String {
    let moving = clip.tracks.iter().filter(|t| t.times.len() > 1);
    let kinds: BTreeSet<_> = moving.map(|t| t.interpolation.name()).collect();
    if kinds.is_empty() { "none".into() } else { kinds.into_iter().collect::<Vec<_>>().join(" + ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ClipMatch::{Duration, LastPart, Name, Order};

    fn scene(clips: &[(&str, f32)]) -> Scene {
        let clip = |&(name, duration): &(&str, f32)| Clip { name: name.into(), duration, ..Clip::default() };
        Scene { clips: clips.iter().map(clip).collect(), ..Scene::default() }
    }

    fn found(first: &[(&str, f32)], second: &[(&str, f32)]) -> Vec<(usize, usize, ClipMatch)> {
        let (pairs, ways) = matched(&scene(first), &scene(second));
        pairs.into_iter().zip(ways).map(|((i, j), by)| (i, j, by)).collect()
    }

    #[test]
    fn clips_match_by_name_first() {
        let named = |names: &[&'static str]| names.iter().map(|&n| (n, 9.0)).collect::<Vec<_>>();
        assert_eq!(found(&named(&["a", "b"]), &named(&["b", "a"])), [(0, 1, Name), (1, 0, Name)]);
        assert_eq!(found(&named(&["a", "a"]), &named(&["a", "a"])), [(0, 0, Name), (1, 1, Name)]);
        assert_eq!(found(&named(&["a", "b", "c"]), &named(&["b", "x"])), [(1, 0, Name)]);
        // Another name of the same length is worth more than none.
        assert_eq!(found(&named(&["", "b"]), &named(&["b", "x"])), [(0, 1, Duration), (1, 0, Name)]);
    }

    #[test]
    fn then_by_the_part_after_the_bar() {
        let first = [("Armature|Run", 1.0), ("Armature|Walk", 1.0)];
        assert_eq!(found(&first, &[("Walk", 2.0), ("Run", 3.0)]), [(0, 1, LastPart), (1, 0, LastPart)]);
        assert_eq!(found(&[("A|Walk", 1.0)], &[("B|Walk", 2.0)]), [(0, 0, LastPart)]);
        // Two clips of that name leave a choice.
        let twice = [("A|Walk", 1.0), ("B|Walk", 2.0)];
        assert_eq!(found(&twice, &[("Walk", 2.0)]), [(1, 0, Duration)]);
        assert_eq!(found(&twice, &[("Walk", 5.0)]), []);
        assert_eq!(found(&[("A|", 1.0)], &[("B|", 2.0)]), [(0, 0, Order)]);
    }

    #[test]
    fn then_by_duration_and_at_last_in_order() {
        let first = [("a", 1.0), ("b", 2.0), ("c", 3.0)];
        let second = [("x", 3.0), ("y", 1.0), ("z", 2.0004)];
        assert_eq!(found(&first, &second), [(0, 1, Duration), (1, 2, Duration), (2, 0, Duration)]);
        assert_eq!(found(&first, &second[..2]), [(0, 1, Duration), (2, 0, Duration)]);
        let equal = [("x", 1.0), ("y", 1.0), ("z", 3.0)];
        assert_eq!(
            found(&[("a", 3.0), ("b", 1.0), ("c", 1.0)], &equal),
            [(0, 2, Duration), (1, 0, Order), (2, 1, Order)]
        );
        assert_eq!(found(&equal[..2], &[("a", 1.0)]), []);
        // Durations rounded up to frames: the second's first clip lasts as long as the first's second.
        let rounded = [("x", 2.0), ("y", 2.1)];
        assert_eq!(found(&[("a", 1.9), ("b", 2.0)], &rounded), [(0, 0, Order), (1, 1, Order)]);
    }
}
