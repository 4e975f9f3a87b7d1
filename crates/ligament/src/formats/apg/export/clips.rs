//! Tracks to keys.

use super::super::codes;
use super::super::document::{Animation, Channel, Kind, Values};
use super::Hierarchy;
use crate::report::{Loss, Report};
use crate::scene::{self, Scene, Trs};
use crate::text::RawText;
use glam::{Quat, Vec3};

/// Makes the animation of a clip, moving its tracks out of the scene. Blocks are in the original converter's order:
/// all translations, all scales, all rotations.
pub(super) fn export(
    scene: &mut Scene,
    index: usize,
    hierarchy: &Hierarchy,
    report: &mut Report,
) -> Animation {
    let clip = &mut scene.clips[index];
    let duration = clip.duration.max(clip.last_key());
    let name = name(&clip.name, index, report);
    let mut keyed: Vec<[Option<Channel>; 3]> = vec![[None, None, None]; scene.nodes.len()];
    for track in std::mem::take(&mut clip.tracks) {
        let values = match track.values {
            scene::Values::Translation(v) => Values::Translation(v),
            scene::Values::Scale(v) => Values::Scale(v),
            scene::Values::Rotation(v) => Values::Rotation(v),
            scene::Values::MorphWeights { .. } => continue,
        };
        let node = track.node.index();
        if let Some(number) = hierarchy.numbers[node].filter(|_| !track.times.is_empty()) {
            let slot = values.kind() as usize;
            keyed[node][slot] = Some(Channel { node: number, times: track.times, values });
        }
    }
    let mut channels = Vec::new();
    for kind in Kind::ALL {
        for (node, keys) in keyed.iter_mut().enumerate() {
            let Some(number) = hierarchy.numbers[node] else { continue };
            let rest = scene.nodes[node].local.trs().copied().unwrap_or_default();
            channels.extend(keys[kind as usize].take().or_else(|| at_rest(number, &rest, kind)));
        }
    }
    Animation { name, duration, channels }
}

/// Makes one key that keeps a node at rest, unless that is the identity, which needs no key.
fn at_rest(node: u32, rest: &Trs, kind: Kind) -> Option<Channel> {
    let (values, is_needed) = match kind {
        Kind::Translation => (Values::Translation(vec![rest.translation]), rest.translation != Vec3::ZERO),
        Kind::Scale => (Values::Scale(vec![rest.scale]), rest.scale != Vec3::ONE),
        Kind::Rotation => (Values::Rotation(vec![rest.rotation]), rest.rotation != Quat::IDENTITY),
    };
    is_needed.then_some(Channel { node, times: [0.0].into(), values })
}

/// Makes a name without spaces.
fn name(name: &str, index: usize, report: &mut Report) -> RawText {
    let plain: String =
        name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    let plain = if plain.is_empty() { format!("clip{index}") } else { plain };
    if plain != name && !name.is_empty() {
        let object = format!("clip {name:?}");
        let message = format!("the clip was renamed to {plain:?}, because names must not contain spaces");
        report.loss(Loss::approximated(&codes::CLIP_NAME, object, 1, None, "", message));
    }
    plain.into()
}
