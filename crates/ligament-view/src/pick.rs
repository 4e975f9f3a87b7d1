//! Picking: the object under the pointer, and the box of an object.

use crate::Event;
use crate::shortcuts::Action;
use crate::state::State;
use ligament::math::Vec3;
use ligament::pose::{Bounds, Deformer};
use ligament::scene::NodeId;
use ligament_render::{Hit, Selected};

impl State {
    /// Selects the object at a point of the picture, in pixels: first the node and, with further clicks, its mesh and
    /// its material, so that everything can be selected.
    pub(crate) fn click(&mut self, at: [f32; 2], twice: bool) {
        let hit = self.hit(at);
        if twice {
            // The first click of the two has selected it.
            return self.update(Event::Do(if hit.is_some() { Action::FitSelected } else { Action::Fit }));
        }
        let chosen = hit.and_then(|(slot, hit)| {
            let things: Vec<Selected> = match hit {
                Hit::Joint(node) => vec![Selected::Node(node)],
                Hit::Part { node, mesh, material, .. } => [Selected::Node(node), Selected::Mesh(mesh)]
                    .into_iter()
                    .chain(material.map(Selected::Material))
                    .collect(),
            };
            let at = things.iter().position(|&what| self.selected == Some((slot, what)));
            let next = at.map_or(0, |at| (at + 1) % things.len());
            Some((slot, *things.get(next)?))
        });
        self.select(chosen);
    }

    /// The object at a point of the picture, and the index of its file.
    pub fn hit(&self, at: [f32; 2]) -> Option<(usize, Hit)> {
        let coarse = self.resolution.coarse() as f32;
        let at = at.map(|v| v / coarse);
        self.frames.iter().enumerate().find_map(|(number, frame)| {
            let frame = frame.as_ref()?;
            let [left, top, width, height] = frame.area.map(|v| v as f32);
            let [x, y] = [at[0] - left, at[1] - top];
            if !(0.0..width).contains(&x) || !(0.0..height).contains(&y) {
                return None;
            }
            let slot = self.slots.get(number)?;
            let model = &slot.opened.as_ref()?.model;
            let hit = model.pick(&frame.shot(slot, false), [x, y], [width, height])?;
            Some((number, hit))
        })
    }
}

/// The box around an object in the pose that was drawn last.
pub(crate) fn bounds_of(state: &State, number: usize, what: Selected) -> Option<Bounds> {
    let frame = state.frames.get(number)?.as_ref()?;
    let scene = state.slots.get(number)?.scene()?;
    let (mut deformer, mut parts) = (Deformer::positions_only(), Vec::new());
    let mut points: Vec<Vec3> = Vec::new();
    for node in scene.node_ids() {
        let placed = &scene.nodes[node.index()];
        let all = match what {
            Selected::Node(above) => is_below(scene, node, above),
            Selected::Mesh(mesh) => placed.mesh == Some(mesh),
            Selected::Material(_) => placed.mesh.is_some(),
        };
        if !all {
            continue;
        }
        if let Selected::Node(_) = what {
            let place = frame.pose.globals.get(node.index());
            points.extend(place.map(|global| global.w_axis.truncate().as_vec3()));
        }
        let Some(mesh) = placed.mesh.and_then(|mesh| scene.meshes.get(mesh.index())) else { continue };
        deformer.deform(scene, &frame.pose, node, &mut parts);
        for (part, posed) in mesh.parts.iter().zip(&parts) {
            if !matches!(what, Selected::Material(material) if part.material != Some(material)) {
                points.extend(&posed.positions);
            }
        }
    }
    let bounds = Bounds::of(points.into_iter().filter(|point| point.is_finite()))?;
    Some(grown(bounds, state))
}

/// Enlarges a box: a single joint is a point, and its surroundings should be visible too.
fn grown(bounds: Bounds, state: &State) -> Bounds {
    let size = state.stage().map_or(1.0, |stage| stage.space.size()) as f32;
    let least = size * 0.04;
    let room = (least - (bounds.max - bounds.min).max_element()).max(0.0) * 0.5;
    Bounds { min: bounds.min - room, max: bounds.max + room }
}

fn is_below(scene: &ligament::Scene, node: NodeId, above: NodeId) -> bool {
    let mut at = Some(node);
    while let Some(id) = at {
        if id == above {
            return true;
        }
        at = scene.nodes.get(id.index()).and_then(|node| node.parent);
    }
    false
}
