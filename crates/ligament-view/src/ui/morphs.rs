//! Sliders for morph targets.

use super::style::palette;
use crate::event::Event;
use crate::facts::label;
use crate::slot::Slot;
use egui::{CollapsingHeader, RichText, Slider, SliderClamping, Ui};
use ligament::internal::shown;
use ligament::pose::Pose;
use ligament::scene::NodeId;
use ligament_render::Selected;

/// Nodes and targets that are listed.
const MOST: [usize; 2] = [24, 200];

/// The sliders of a file: of the selected node, or of all that have morph targets.
pub fn list(
    ui: &mut Ui,
    number: usize,
    slot: &Slot,
    pose: &Pose,
    chosen: Option<Selected>,
    events: &mut Vec<Event>,
) {
    let Some(scene) = slot.scene() else { return };
    let count = |node: NodeId| pose.morph_weights.get(node.index()).map_or(0, Vec::len);
    let has = |node: &NodeId| count(*node) > 0;
    let one = match chosen {
        Some(Selected::Node(node)) if has(&node) => Some(node),
        _ => None,
    };
    let nodes: Vec<NodeId> = match one {
        Some(node) => vec![node],
        None => scene.node_ids().filter(has).take(MOST[0]).collect(),
    };
    for node in nodes {
        let title = format!("Morph targets of {} ({})", shown::safe(&scene.node_label(node)), count(node));
        CollapsingHeader::new(title).id_salt(("morphs", node.index())).default_open(true).show(ui, |ui| {
            sliders(ui, number, slot, pose, node, events);
        });
    }
}

fn sliders(ui: &mut Ui, number: usize, slot: &Slot, pose: &Pose, node: NodeId, events: &mut Vec<Event>) {
    let Some(scene) = slot.scene() else { return };
    let mesh = scene.nodes[node.index()].mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
    let (Some(mesh), Some(weights)) = (mesh, pose.morph_weights.get(node.index())) else { return };
    for (target, (morph, weight)) in mesh.morphs.iter().zip(weights).enumerate().take(MOST[1]) {
        ui.horizontal(|ui| {
            let mut value = *weight;
            let text = label(&morph.name, target);
            let slider = Slider::new(&mut value, 0.0..=1.0).clamping(SliderClamping::Never).text(text);
            if ui.add(slider).changed() {
                events.push(Event::Morph(number, node, target, Some(value)));
            }
            if slot.trial.has_weight(node, target)
                && ui.small_button("↺").on_hover_text("as in the clip").clicked()
            {
                events.push(Event::Morph(number, node, target, None));
            }
        });
    }
    let more = weights.len().saturating_sub(MOST[1]);
    if more > 0 {
        ui.label(RichText::new(format!("and {more} more")).color(palette(ui).faint));
    }
}
