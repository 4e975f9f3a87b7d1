//! Names the dialect that holds what another one of its format lost.

use super::Target;
use crate::formats::{Capabilities, Count};
use crate::report::{Loss, LossKind, Remedy};

/// What a dialect can hold of a lost feature; more is better.
type Holds = fn(&Capabilities) -> usize;

/// The losses that another dialect may avoid, and how much of the feature a dialect can hold.
const FEATURES: &[(&str, Holds)] = &[
    ("LS001", |can| can.cameras.into()),
    ("LS002", |can| can.lights.into()),
    ("LS003", |can| can.ambient.into()),
    ("LS004", |can| can.uv_sets),
    ("LS005", |can| can.color_sets),
    ("LS006", |can| can.tangents.into()),
    ("LS008", |can| can.points_and_lines.into()),
    ("LS009", |can| can.morphs.into()),
    ("LS010", |can| can.max_influences.unwrap_or(usize::MAX)),
    ("LS016", |can| (can.clips != Count::None).into()),
    ("LS022", |can| can.extras.into()),
    ("LS023", |can| (can.embedded_textures || can.texture_files).into()),
];

/// Adds the dialect that holds most of what was lost, where that is more than the one written.
pub(super) fn name_dialects<'l>(
    target: Target,
    written: Option<&str>,
    losses: impl Iterator<Item = &'l mut Loss>,
) {
    let can = target.format.capabilities(written);
    for loss in losses.filter(|loss| loss.remedy.is_none() && loss.kind != LossKind::Kept) {
        let Some((_, holds)) = FEATURES.iter().find(|(code, _)| *code == loss.code.id) else { continue };
        let others = target.format.dialects.iter().filter(|dialect| dialect.is_written);
        let best = others.map(|dialect| (holds(&target.format.capabilities(Some(dialect.id))), dialect.id));
        // The first of several that are equally good.
        let best = best.rev().max_by_key(|(most, _)| *most);
        if let Some((_, id)) = best.filter(|(most, _)| *most > holds(&can)) {
            loss.remedy = Some(Remedy::new("dialect", id, "holds more"));
        }
    }
}
