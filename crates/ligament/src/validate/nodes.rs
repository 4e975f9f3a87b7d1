//! Nodes, cameras, lights and ambient light.

use super::{Rules, codes, is_unit};
use crate::scene::{Camera, Light, LightKind, Local, Node, Projection, Scene};
use std::f32::consts::{FRAC_PI_2, PI};

pub(super) fn check(scene: &Scene, rules: &mut Rules) {
    for (i, node) in scene.nodes.iter().enumerate() {
        hierarchy(scene, i, node, rules);
        transform(i, node, rules);
        references(scene, i, node, rules);
        morph_weights(scene, i, node, rules);
    }
    for (i, camera) in scene.cameras.iter().enumerate() {
        lens(i, camera, rules);
    }
    for (i, light) in scene.lights.iter().enumerate() {
        brightness(i, light, rules);
    }
    if let Some(ambient) = &scene.ambient {
        rules.all_finite(ambient, || "ambient".into());
    }
}

fn hierarchy(scene: &Scene, i: usize, node: &Node, rules: &mut Rules) {
    let Some(parent) = node.parent else { return };
    rules.index("node", parent.index(), scene.nodes.len(), || format!("nodes[{i}].parent"));
    if parent.index() >= i && parent.index() < scene.nodes.len() {
        let message = format!("the parent, node {}, does not come before node {i}", parent.index());
        rules.error(&codes::PARENT_ORDER, format!("nodes[{i}].parent"), message);
    }
}

fn transform(i: usize, node: &Node, rules: &mut Rules) {
    match &node.local {
        Local::Trs(trs) => {
            rules.all_finite(&trs.translation.to_array(), || format!("nodes[{i}].local.translation"));
            rules.all_finite(&trs.rotation.to_array(), || format!("nodes[{i}].local.rotation"));
            rules.all_finite(&trs.scale.to_array(), || format!("nodes[{i}].local.scale"));
            if !is_unit(&trs.rotation) {
                let message = format!("{} has length {}, not 1", trs.rotation, trs.rotation.length());
                rules.error(&codes::NOT_UNIT, format!("nodes[{i}].local.rotation"), message);
            }
        }
        Local::Matrix(matrix) => rules.affine(matrix, || format!("nodes[{i}].local.matrix")),
    }
    if let Some(tip) = &node.tip {
        rules.all_finite(tip, || format!("nodes[{i}].tip"));
    }
}

fn references(scene: &Scene, i: usize, node: &Node, rules: &mut Rules) {
    if let Some(mesh) = node.mesh {
        rules.index("mesh", mesh.index(), scene.meshes.len(), || format!("nodes[{i}].mesh"));
    }
    if let Some(skin) = node.skin {
        rules.index("skin", skin.index(), scene.skins.len(), || format!("nodes[{i}].skin"));
        if node.mesh.is_none() {
            let message = "the node has a skin, but no mesh for it to deform";
            rules.error(&codes::SKIN_WITHOUT_MESH, format!("nodes[{i}].skin"), message);
        }
    }
    if let Some(camera) = node.camera {
        rules.index("camera", camera.index(), scene.cameras.len(), || format!("nodes[{i}].camera"));
    }
    if let Some(light) = node.light {
        rules.index("light", light.index(), scene.lights.len(), || format!("nodes[{i}].light"));
    }
}

fn morph_weights(scene: &Scene, i: usize, node: &Node, rules: &mut Rules) {
    let field = || format!("nodes[{i}].morph_weights");
    rules.finite_array(&field(), &node.morph_weights, |w| w.is_finite());
    let mesh = node.mesh.and_then(|mesh| scene.meshes.get(mesh.index()));
    let (found, expected) = (node.morph_weights.len(), mesh.map_or(0, |mesh| mesh.morphs.len()));
    if found != 0 && found != expected {
        let message = format!("{found} weights for {expected} morph targets");
        rules.error(&codes::MORPH_COUNT, field(), message);
    }
}

fn lens(i: usize, camera: &Camera, rules: &mut Rules) {
    rules.finite(camera.near, || format!("cameras[{i}].near"));
    if let Some(far) = camera.far {
        rules.finite(far, || format!("cameras[{i}].far"));
        if far <= camera.near {
            let message = format!("the camera shows nothing: it ranges from {} to {far}", camera.near);
            rules.warning(&codes::CAMERA_RANGE, format!("cameras[{i}].far"), message);
        }
    }
    let field = format!("cameras[{i}].projection");
    let (numbers, shows) = match camera.projection {
        Projection::Perspective { fov_y, aspect } => {
            let aspect = aspect.unwrap_or(1.0);
            (vec![fov_y, aspect], fov_y > 0.0 && fov_y < PI && aspect > 0.0)
        }
        Projection::Orthographic { half_width, half_height } => {
            (vec![half_width, half_height], half_width != 0.0 && half_height != 0.0)
        }
    };
    if numbers.iter().all(|v| v.is_finite()) && !shows {
        let message = format!("the lens shows nothing: {:?}", camera.projection);
        rules.warning(&codes::CAMERA_RANGE, &*field, message);
    }
    rules.all_finite(&numbers, || field);
}

fn brightness(i: usize, light: &Light, rules: &mut Rules) {
    rules.all_finite(&light.color, || format!("lights[{i}].color"));
    rules.finite(light.intensity, || format!("lights[{i}].intensity"));
    if light.intensity < 0.0 {
        let message = format!("{} is negative", light.intensity);
        rules.warning(&codes::LIGHT_RANGE, format!("lights[{i}].intensity"), message);
    }
    if let Some(range) = light.range {
        rules.finite(range, || format!("lights[{i}].range"));
        if range <= 0.0 {
            let message = format!("{range} is not a distance above 0");
            rules.warning(&codes::LIGHT_RANGE, format!("lights[{i}].range"), message);
        }
    }
    if let LightKind::Spot { inner_angle, outer_angle } = light.kind {
        rules.all_finite(&[inner_angle, outer_angle], || format!("lights[{i}].kind"));
        // A right angle rounded to f32 and back from degrees may be slightly larger.
        let sane = 0.0 <= inner_angle && inner_angle <= outer_angle && outer_angle <= FRAC_PI_2 + 1e-5;
        if inner_angle.is_finite() && outer_angle.is_finite() && !sane {
            let message = format!("the cone goes from {inner_angle} to {outer_angle} radians");
            rules.warning(&codes::LIGHT_RANGE, format!("lights[{i}].kind"), message);
        }
    }
}
