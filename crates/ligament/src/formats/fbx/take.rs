//! A take in a form that `ufbx` evaluates right.
//!
//! `ufbx` 0.11 goes through the animated properties of all nodes in one list, and past the last one of a node it compares
//! names only. So where a take animates the rotation of a node, but not its translation, and the list goes on with the
//! translation of another node, that is taken. Such properties are fixed at their value at rest.

use super::keys::TRANSFORM;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A take of a file. Clones share it.
#[derive(Clone)]
pub(super) struct Take {
    fbx: Arc<ufbx::SceneRoot>,
    stack: usize,
    /// The take with fixed properties, if there are any to fix.
    fixed: Option<Arc<ufbx::AnimRoot>>,
}

impl Take {
    pub(super) fn new(fbx: &Arc<ufbx::SceneRoot>, stack: &ufbx::AnimStack) -> Self {
        let overrides = fixed(fbx, stack);
        let has_some = !overrides.is_empty();
        let layers: Vec<u32> = stack.layers.as_ref().iter().map(|layer| layer.element.typed_id).collect();
        let options = ufbx::AnimOpts {
            layer_ids: ufbx::ListOpt::Owned(layers),
            prop_overrides: ufbx::ListOpt::Owned(overrides),
            ..ufbx::AnimOpts::default()
        };
        let fixed = if has_some { ufbx::create_anim(fbx, options).ok() } else { None };
        Self { fbx: Arc::clone(fbx), stack: stack.element.typed_id as usize, fixed: fixed.map(Arc::new) }
    }

    pub(super) fn file(&self) -> &ufbx::Scene {
        &self.fbx
    }

    pub(super) fn anim(&self) -> &ufbx::Anim {
        match &self.fixed {
            Some(fixed) => fixed,
            None => &self.fbx.anim_stacks[self.stack].anim,
        }
    }
}

/// The properties that `ufbx` would take from the next node, at rest.
fn fixed(fbx: &ufbx::Scene, stack: &ufbx::AnimStack) -> Vec<ufbx::PropOverrideDesc<'static>> {
    let mut fixed = BTreeMap::new();
    let mut animated = BTreeSet::new();
    for layer in stack.layers.as_ref() {
        let properties: &[ufbx::AnimProp] = layer.anim_props.as_ref();
        for property in properties {
            animated.extend(transform(&property.prop_name).map(|which| (property.element.element_id, which)));
        }
        for pair in properties.windows(2) {
            let (last, next) = (&*pair[0].element, &pair[1]);
            let Some(which) = transform(&next.prop_name) else { continue };
            if last.type_ == ufbx::ElementType::Node && last.element_id != next.element.element_id {
                fixed.insert((last.element_id, which), last.typed_id as usize);
            }
        }
    }
    let free = fixed.into_iter().filter(|(at, _)| !animated.contains(at));
    let free = free.filter_map(|((element_id, which), node)| {
        let property = fbx.nodes[node].element.props.find_prop(TRANSFORM[which])?;
        // Another property can drive this one.
        (!property.flags.has_any(ufbx::PropFlags::CONNECTED)).then(|| ufbx::PropOverrideDesc {
            element_id,
            prop_name: ufbx::StringOpt::Ref(TRANSFORM[which]),
            value: property.value_vec4,
            value_str: ufbx::StringOpt::Unset,
            value_int: property.value_int,
        })
    });
    free.collect()
}

/// The number of a transform property.
fn transform(name: &str) -> Option<usize> {
    TRANSFORM.iter().position(|known| *known == name)
}
