//! Makes a scene from objects of the package's classes. Arrays are copied once; invalid values are reported with their
//! location.

mod arrays;
mod clips;
mod materials;
mod meshes;
mod object;

use crate::errors;
use ligament::scene::{
    Camera, CameraId, Light, LightId, LightKind, Local, MeshId, Node, NodeId, Phong, Projection, Skin,
    SkinId, Trs,
};
use ligament::{Report, Scene};
use object::{At, Object};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A valid scene, and a report of its warnings.
pub fn checked(scene: &Bound<'_, PyAny>) -> PyResult<(Scene, Report)> {
    let py = scene.py();
    let scene = whole(scene)?;
    let mut report = Report::default();
    py.detach(|| ligament::validate::validate(&scene, &mut report));
    if report.has_errors() { Err(errors::raised(py, "SceneError", &report)) } else { Ok((scene, report)) }
}

/// The folder that the paths of a scene's images are relative to.
pub fn folder(scene: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    scene.getattr("folder")?.extract()
}

/// A Phong block.
pub fn phong(phong: &Bound<'_, PyAny>) -> PyResult<Phong> {
    materials::phong(&Object::new(phong.clone(), &At::ROOT, "Phong")?)
}

fn whole(scene: &Bound<'_, PyAny>) -> PyResult<Scene> {
    let root = At::ROOT;
    let scene = Object::new(scene.clone(), &root, "Scene")?;
    let mut clips = clips::Clips::default();
    Ok(Scene {
        name: scene.text("name")?,
        nodes: scene.list("nodes", "Node", node)?,
        meshes: scene.list("meshes", "Mesh", meshes::mesh)?,
        skins: scene.list("skins", "Skin", skin)?,
        clips: scene.list("clips", "Clip", |clip| clips.clip(clip))?,
        materials: scene.list("materials", "Material", materials::material)?,
        textures: scene.list("textures", "Texture", materials::texture)?,
        images: scene.list("images", "Image", materials::image)?,
        cameras: scene.list("cameras", "Camera", camera)?,
        lights: scene.list("lights", "Light", light)?,
        ambient: scene.optional_numbers("ambient")?,
        extras: scene.extras()?,
    })
}

fn node(node: &Object<'_, '_>) -> PyResult<Node> {
    let local = match node.matrix("matrix")? {
        Some(matrix) => Local::Matrix(matrix),
        None => Local::Trs(Trs {
            translation: node.numbers("translation")?.into(),
            rotation: ligament::math::Quat::from_array(node.numbers("rotation")?),
            scale: node.numbers("scale")?.into(),
        }),
    };
    Ok(Node {
        name: node.text("name")?,
        parent: node.index("parent")?.map(NodeId),
        local,
        mesh: node.index("mesh")?.map(MeshId),
        skin: node.index("skin")?.map(SkinId),
        morph_weights: node.any_numbers("morph_weights")?,
        camera: node.index("camera")?.map(CameraId),
        light: node.index("light")?.map(LightId),
        tip: node.optional_numbers("tip")?,
        extras: node.extras()?,
    })
}

fn skin(skin: &Object<'_, '_>) -> PyResult<Skin> {
    Ok(Skin {
        name: skin.text("name")?,
        joints: skin.indices("joints")?.into_iter().map(NodeId).collect(),
        inverse_binds: skin.matrices("inverse_binds")?,
        extras: skin.extras()?,
    })
}

fn camera(camera: &Object<'_, '_>) -> PyResult<Camera> {
    let projection = camera.child("projection", "Perspective or Orthographic")?;
    let projection = match projection.class().as_str() {
        "Perspective" => Projection::Perspective {
            fov_y: projection.number("fov_y")?,
            aspect: projection.optional_number("aspect")?,
        },
        "Orthographic" => Projection::Orthographic {
            half_width: projection.number("half_width")?,
            half_height: projection.number("half_height")?,
        },
        other => {
            return Err(projection.fault(format!("expected a Perspective or Orthographic, not a {other}")));
        }
    };
    Ok(Camera {
        name: camera.text("name")?,
        projection,
        near: camera.number("near")?,
        far: camera.optional_number("far")?,
        extras: camera.extras()?,
    })
}

fn light(light: &Object<'_, '_>) -> PyResult<Light> {
    let kind = match light.word("kind", &["directional", "point", "spot"])? {
        "directional" => LightKind::Directional,
        "point" => LightKind::Point,
        _ => LightKind::Spot {
            inner_angle: light.number("inner_angle")?,
            outer_angle: light.number("outer_angle")?,
        },
    };
    Ok(Light {
        name: light.text("name")?,
        kind,
        color: light.numbers("color")?,
        intensity: light.number("intensity")?,
        range: light.optional_number("range")?,
        extras: light.extras()?,
    })
}
