//! A joint's weight per vertex, as colours.

use crate::color::heat;
use crate::model::DrawnPart;
use ligament::Scene;
use ligament::scene::NodeId;

/// The colour of vertices without influences.
const UNSKINNED: [u8; 4] = [150, 152, 158, 255];

/// One colour per vertex.
pub(crate) fn colors(scene: &Scene, parts: &[DrawnPart], joint: NodeId) -> Vec<[u8; 4]> {
    let mut colors = Vec::new();
    for part in parts {
        let source = &scene.meshes[part.mesh].parts[part.part];
        let skin = scene.nodes[part.node.index()].skin.and_then(|skin| scene.skins.get(skin.index()));
        let Some(skin) = skin.filter(|_| source.influences.len() == part.count) else {
            colors.resize(colors.len() + part.count, UNSKINNED);
            continue;
        };
        colors.extend(source.influences.iter().map(|pairs| {
            let total: f32 = pairs.iter().map(|pair| pair.weight).sum();
            let own: f32 = pairs
                .iter()
                .filter(|pair| skin.joints.get(pair.joint as usize) == Some(&joint))
                .map(|pair| pair.weight)
                .sum();
            heat(if total == 0.0 { 0.0 } else { own / total })
        }));
    }
    colors
}
