//! Turns the viewer's state into shots to draw.

use crate::event::Cover;
use crate::skinning;
use crate::slot::Slot;
use crate::state::State;
use ligament::internal::shown;
use ligament::math::DMat3;
use ligament::pose::{Bounds, Pose};
use ligament_render::{
    Anchor, Block, Camera, Label, Legend, Look, Selected, Shot, Stage, Surface, stated_bounds,
};

/// One model's viewport.
pub(crate) struct Frame {
    pub(crate) pose: Pose,
    stage: Stage,
    camera: Camera,
    look: Look,
    paint: Option<Vec<[u8; 4]>>,
    stated: Option<Bounds>,
    blocks: Vec<Block>,
    labels: Vec<Label>,
    selected: Option<Selected>,
    /// Left, top, width and height in pixels.
    pub(crate) area: [u32; 4],
}

impl Frame {
    /// The shot; the first one of a picture clears it.
    pub(crate) fn shot<'a>(&'a self, slot: &'a Slot, keep: bool) -> Shot<'a> {
        Shot {
            camera: &self.camera,
            paint: self.paint.as_deref(),
            hidden: &slot.hidden_nodes,
            hidden_materials: &slot.hidden_materials,
            selected: self.selected,
            stated: self.stated,
            blocks: &self.blocks,
            labels: &self.labels,
            area: Some(self.area),
            keep,
            ..Shot::new(&self.pose, &self.stage, &self.look)
        }
    }
}

impl State {
    /// The shot of each file for a picture of this size; `None` for a file that has not loaded yet.
    pub(crate) fn compose(&mut self, size: [u32; 2]) -> Vec<Option<Frame>> {
        let is_layered = self.opacity().is_some();
        let areas =
            if is_layered { vec![[0, 0, size[0], size[1]]; 2] } else { areas(self.slots.len(), size) };
        let poses: Vec<Option<Pose>> = (0..self.slots.len())
            .map(|number| self.slots[number].pose(self.clip_of(number), self.clock.time))
            .collect();
        let paint = self.deviation(&poses);
        let mut frames = Vec::new();
        for (number, (pose, area)) in poses.into_iter().zip(areas).enumerate() {
            let frame = pose.and_then(|pose| self.frame(number, pose, area));
            frames.push(frame);
        }
        if let (Some(paint), Some(Some(second))) = (paint, frames.get_mut(1)) {
            if let Some(difference) = &self.difference {
                let (peak, size) = (difference.peak, [second.area[2], second.area[3]]);
                let part = shown::percent(peak / difference.size.max(1e-300));
                let high = format!("{} ({part})", shown::short(peak));
                second.add_legend(match difference.is_identical() {
                    true => Legend::note(&format!("identical: at most {high}"), size),
                    false => Legend::new("distance", "0", &high, size),
                });
            }
            second.paint = Some(paint);
        }
        frames
    }

    /// Deviation colours of the second model, if they are shown.
    fn deviation(&mut self, poses: &[Option<Pose>]) -> Option<Vec<[u8; 4]>> {
        let is_covered = self.cover != Cover::Materials;
        let difference = self.difference.as_mut().filter(|difference| !difference.is_empty())?;
        match poses {
            [Some(first), Some(second)] if self.shows_deviation && !is_covered => {
                Some(difference.colors([first, second]))
            }
            _ => None,
        }
    }

    fn frame(&self, number: usize, pose: Pose, area: [u32; 4]) -> Option<Frame> {
        let slot = &self.slots[number];
        let scene = slot.scene()?;
        let stage = self.stage()?.clone();
        let aspect = f64::from(area[2]) / f64::from(area[3]);
        let through = self.orbit.through.filter(|_| number == 0);
        let own = through.and_then(|node| Camera::of_node(scene, &pose, node));
        let clip = self.clip_of(number).and_then(|clip| scene.clips.get(clip));
        let weights = self.weights.filter(|_| self.cover == Cover::Weights);
        let weights = weights.and_then(|(of, joint)| self.joint_of(number, of, joint));
        let surface = match self.cover {
            Cover::Uv => Surface::UvChecker,
            Cover::Flat => Surface::Flat,
            Cover::Weights => weights.map_or(Surface::Materials, Surface::Weights),
            Cover::Materials | Cover::AllWeights | Cover::Influences => Surface::Materials,
        };
        let mut frame = Frame {
            stated: stated_bounds(scene, clip.map(|clip| (clip, self.clock.time as f32))),
            pose,
            camera: own.unwrap_or_else(|| self.camera(aspect, stage.space.size())),
            stage,
            look: Look { surface, ..self.look.clone() },
            paint: None,
            blocks: Vec::new(),
            labels: Vec::new(),
            selected: self.selected.filter(|(of, _)| *of == number).map(|(_, what)| what),
            area,
        };
        if let Surface::Weights(joint) = surface {
            let title = shown::safe(&scene.node_label(joint));
            frame.add_legend(Legend::new(&title, "0", "1", [area[2], area[3]]));
        }
        let size = [area[2], area[3]];
        match self.cover {
            Cover::AllWeights => {
                frame.paint = Some(skinning::all_weights(scene));
                frame.add_legend(Legend::note("weights: a colour per joint", size));
            }
            Cover::Influences => {
                let most = self.most_influences;
                let (paint, many, all) = skinning::influences(scene, most);
                frame.paint = Some(paint);
                let vertices = shown::counted(all, "vertex has", "vertices have");
                let text = format!(
                    "{many} of {vertices} more than {}",
                    shown::counted(most, "influence", "influences")
                );
                frame.add_legend(Legend::note(&text, size));
            }
            _ => {}
        }
        if self.slots.len() > 1 {
            // Over each other, the second name is below the first.
            let row = if self.opacity().is_some() { number } else { 0 };
            frame.labels.push(title(&slot.name(), row, area));
        }
        Some(frame)
    }

    /// The viewer's own camera. Without perspective it is behind everything, however near it is zoomed.
    fn camera(&self, aspect: f64, size: f64) -> Camera {
        let mut camera = self.orbit.camera(aspect);
        if self.orbit.orthographic {
            camera.eye += camera.axes.z_axis * size * 4.0;
        }
        camera
    }

    /// The joint of one file that has the same name as a joint of the other.
    fn joint_of(
        &self,
        number: usize,
        of: usize,
        joint: ligament::scene::NodeId,
    ) -> Option<ligament::scene::NodeId> {
        if number == of {
            return Some(joint);
        }
        let name = &self.slots.get(of)?.scene()?.nodes.get(joint.index())?.name;
        let scene = self.slots[number].scene()?;
        scene.node_ids().find(|id| scene.nodes[id.index()].name == *name)
    }
}

impl Frame {
    /// The camera's axes: right, up and backwards.
    pub(crate) fn axes(&self) -> DMat3 {
        self.camera.axes
    }

    fn add_legend(&mut self, legend: Legend) {
        self.blocks.extend(legend.blocks);
        self.labels.extend(legend.labels);
    }
}

/// A file's name, drawn over its viewport.
fn title(name: &str, row: usize, area: [u32; 4]) -> Label {
    let size = (area[3] as f32 / 40.0).clamp(11.0, 24.0);
    Label {
        text: name.to_owned(),
        at: [size * 0.7, size * (0.6 + 1.3 * row as f32)],
        size,
        color: [24, 28, 40, 255],
        rim: Some([255, 255, 255, 200]),
        anchor: Anchor::Left,
    }
}

/// The viewports, side by side.
pub(crate) fn areas(count: usize, [width, height]: [u32; 2]) -> Vec<[u32; 4]> {
    let count = count as u32;
    (0..count)
        .map(|i| {
            let (left, right) = (width * i / count, width * (i + 1) / count);
            [left, 0, (right - left).max(1), height.max(1)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::areas;

    #[test]
    fn areas_cover_the_picture() {
        assert_eq!(areas(1, [101, 50]), [[0, 0, 101, 50]]);
        assert_eq!(areas(2, [101, 50]), [[0, 0, 50, 50], [50, 0, 51, 50]]);
        assert_eq!(areas(2, [1, 0]), [[0, 0, 1, 1], [0, 0, 1, 1]]);
        assert!(areas(0, [5, 5]).is_empty());
    }
}
