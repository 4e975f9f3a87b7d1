//! The weights of all joints at once, and the number of influences, as a colour per vertex.

use ligament::Scene;
use ligament::scene::{Part, Skin};

/// The colour of vertices without influences.
const UNSKINNED: [u8; 4] = [150, 152, 158, 255];
const FEW: [u8; 4] = [74, 112, 150, 255];
const MANY: [u8; 4] = [224, 72, 32, 255];

/// A colour for each joint of a skin: neighbours in the list look different.
pub fn joint_color(number: usize) -> [f32; 3] {
    // Steps of the golden ratio never repeat a hue.
    let hue = (number as f32 * 0.618_034).fract() * 6.0;
    let (saturation, value) = ([0.75, 0.55, 0.9][number % 3], [0.95, 0.8, 0.65][number / 3 % 3]);
    [5.0, 3.0, 1.0].map(|n: f32| {
        let k = (n + hue) % 6.0;
        value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0)
    })
}

/// Every part at each of its placements, with its skin.
fn placed(scene: &Scene) -> impl Iterator<Item = (&Part, Option<&Skin>)> {
    scene.nodes.iter().flat_map(|node| {
        let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
        let skin = node.skin.and_then(|skin| scene.skins.get(skin.index()));
        mesh.into_iter()
            .flat_map(|mesh| &mesh.parts)
            .map(move |part| (part, skin.filter(|_| part.influences.len() == part.positions.len())))
    })
}

/// The mean of the joints' colours by their weights, per vertex.
pub fn all_weights(scene: &Scene) -> Vec<[u8; 4]> {
    let most = scene.skins.iter().map(|skin| skin.joints.len()).max().unwrap_or(0);
    let colors: Vec<[f32; 3]> = (0..most).map(joint_color).collect();
    let mut paint = Vec::new();
    for (part, skin) in placed(scene) {
        if skin.is_none() {
            paint.resize(paint.len() + part.positions.len(), UNSKINNED);
            continue;
        }
        paint.extend(part.influences.iter().map(|pairs| {
            let (mut sum, mut total) = ([0.0; 3], 0.0);
            for pair in pairs {
                let Some(color) = colors.get(pair.joint as usize) else { continue };
                (0..3).for_each(|i| sum[i] += color[i] * pair.weight);
                total += pair.weight;
            }
            if total <= 0.0 {
                return UNSKINNED;
            }
            let [r, g, b] = sum.map(|v| (v / total * 255.0).round() as u8);
            [r, g, b, 255]
        }));
    }
    paint
}

/// Vertices with more influences than a number stand out. Also how many there are, and of how many.
pub fn influences(scene: &Scene, most: usize) -> (Vec<[u8; 4]>, usize, usize) {
    let (mut paint, mut many, mut all) = (Vec::new(), 0, 0);
    for (part, skin) in placed(scene) {
        if skin.is_none() {
            paint.resize(paint.len() + part.positions.len(), UNSKINNED);
            continue;
        }
        paint.extend(part.influences.iter().map(|pairs| {
            let count = pairs.iter().filter(|pair| pair.weight != 0.0).count();
            all += 1;
            many += usize::from(count > most);
            if count > most { MANY } else { FEW }
        }));
    }
    (paint, many, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::math::Vec3;
    use ligament::scene::{Influence, Influences, Mesh, MeshId, Node, NodeId, SkinId};

    #[test]
    fn colors_are_mixed_by_weight_and_influences_counted() {
        let mut influences_of = Influences::new();
        let pair = |joint, weight| Influence { joint, weight };
        influences_of.push([pair(0, 1.0), pair(1, 0.0)]);
        influences_of.push([pair(0, 1.0), pair(1, 1.0)]);
        influences_of.push([pair(0, 0.2), pair(1, 0.3), pair(2, 0.5)]);
        let part = Part { positions: vec![Vec3::ZERO; 3], influences: influences_of, ..Part::default() };
        let plain = Part { positions: vec![Vec3::ZERO; 2], ..Part::default() };
        let mut scene =
            Scene { meshes: vec![Mesh { parts: vec![part, plain], ..Mesh::default() }], ..Scene::default() };
        let joints: Vec<NodeId> = (0..3).map(|_| scene.add_node(Node::default())).collect();
        scene.skins.push(Skin { joints, ..Skin::default() });
        scene.add_node(Node { mesh: Some(MeshId(0)), skin: Some(SkinId(0)), ..Node::default() });
        let paint = all_weights(&scene);
        let byte = |v: f32| (v * 255.0).round() as u8;
        let (a, b) = (joint_color(0), joint_color(1));
        assert_eq!(paint[0][..3], a.map(byte));
        assert_eq!(paint[1][..3], [0, 1, 2].map(|i| byte((a[i] + b[i]) * 0.5)));
        assert_eq!(paint[3..], [UNSKINNED; 2]);
        let (paint, many, all) = influences(&scene, 2);
        assert_eq!((paint, many, all), (vec![FEW, FEW, MANY, UNSKINNED, UNSKINNED], 1, 3));
        assert_eq!(influences(&scene, 0).1, 3);
    }

    #[test]
    fn neighbours_look_different() {
        for number in 0..200 {
            let (a, b) = (joint_color(number), joint_color(number + 1));
            assert!((0..3).map(|i| (a[i] - b[i]).abs()).sum::<f32>() > 0.25, "{number}: {a:?} {b:?}");
            assert!(a.iter().all(|v| (0.0..=1.0).contains(v)));
        }
    }
}
