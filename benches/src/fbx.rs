//! FBX files, by ligament and by `ufbx` alone.

use std::path::Path;

/// Reads a file to a scene.
pub fn ours(path: &Path, times: usize) {
    crate::fastest(times, || crate::scene(path));
}

/// Reads a file to `ufbx`'s own scene, with the same axes and unit.
pub fn alone(path: &Path, times: usize) {
    crate::fastest(times, || load(path));
}

/// The same, with every take baked to keys.
pub fn baked(path: &Path, times: usize) {
    crate::fastest(times, || {
        let scene = load(path);
        let bake = |stack: &ufbx::Ref<ufbx::AnimStack>| {
            ufbx::bake_anim(&scene, &stack.anim, ufbx::BakeOpts::default()).expect("takes can be baked")
        };
        let takes: Vec<_> = scene.anim_stacks.as_ref().iter().map(bake).collect();
        (takes, scene)
    });
}

fn load(path: &Path) -> ufbx::SceneRoot {
    let bytes = std::fs::read(path).expect("the file is there");
    let options = ufbx::LoadOpts {
        target_axes: ufbx::axes_right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        ..ufbx::LoadOpts::default()
    };
    ufbx::load_memory(&bytes, options).expect("the file is good")
}
