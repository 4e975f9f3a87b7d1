//! A node with everything above it, at any time of a clip.

use crate::motion::{Side, key_times};
use crate::pose::local_at;
use crate::scene::{Clip, Interpolation, Local, NodeId, Scene, Track, Trs};
use glam::DMat4;

/// The nodes from a root down to one node, with their tracks.
pub(super) struct Chain<'a> {
    scene: &'a Scene,
    links: Vec<(NodeId, Vec<&'a Track>)>,
}

impl<'a> Chain<'a> {
    pub(super) fn of(scene: &'a Scene, tracks: &'a [Track], node: NodeId) -> Self {
        let mut nodes: Vec<NodeId> = scene.ancestors(node).collect();
        nodes.reverse();
        nodes.push(node);
        let moving = |id: NodeId| tracks.iter().filter(move |track| track.node == id && track.moves_node());
        Self { scene, links: nodes.into_iter().map(|id| (id, moving(id).collect())).collect() }
    }

    /// From the node's space to the scene's.
    pub(super) fn global(&self, time: f64, side: Side) -> DMat4 {
        self.product(self.links.len(), time, side)
    }

    /// From its parent's space to the scene's.
    pub(super) fn above(&self, time: f64, side: Side) -> DMat4 {
        self.product(self.links.len() - 1, time, side)
    }

    /// The node's own transform.
    pub(super) fn local(&self, time: f64, side: Side) -> Trs {
        self.links.last().map_or(Trs::IDENTITY, |link| self.of_link(link, time, side).nearest_trs().0)
    }

    fn of_link(&self, (id, tracks): &(NodeId, Vec<&Track>), time: f64, side: Side) -> Local {
        let time = time as f32;
        // Only a step is seen from its own side: elsewhere, the moment before is not another value but a rounded one.
        let steps = |track: &&Track| {
            let is_key = || track.times.binary_search_by(|key| key.total_cmp(&time)).is_ok();
            track.interpolation == Interpolation::Step && is_key()
        };
        let is_before = side == Side::Before && tracks.iter().any(steps);
        let time = if is_before { time.next_down() } else { time };
        local_at(&self.scene.nodes[id.index()], tracks.iter().copied(), time)
    }

    fn product(&self, links: usize, time: f64, side: Side) -> DMat4 {
        self.links[..links].iter().map(|link| self.of_link(link, time, side).to_matrix()).product()
    }

    /// Whether nothing above the node moves.
    pub(super) fn is_still_above(&self) -> bool {
        self.links[..self.links.len() - 1].iter().all(|(_, tracks)| tracks.is_empty())
    }

    /// The times at which anything in the chain has a key.
    pub(super) fn keys(&self) -> Vec<f64> {
        let tracks = self.links.iter().flat_map(|(_, tracks)| tracks.iter().copied());
        key_times(tracks).into_iter().map(f64::from).collect()
    }
}

/// The tracks of a clip without those that move a node in some way.
pub(super) fn without(clip: &Clip, node: NodeId, properties: &[&str]) -> Vec<Track> {
    let is_other = |track: &&Track| track.node != node || !properties.contains(&track.values.property());
    clip.tracks.iter().filter(is_other).cloned().collect()
}
