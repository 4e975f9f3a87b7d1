//! Properties that take their value from a property of another object. Before FBX 7.2, the weight of a blend shape is a
//! property of the model that the take animates.

use std::collections::HashMap;

/// How many connections are followed from a property to the one that has the value.
const MOST_LINKS: usize = 64;

/// The property that is a blend channel's weight, in percent.
pub(super) const CHANNEL_WEIGHT: &str = "DeformPercent";

/// A property: its object's `element_id`, and its name.
type Property<'f> = (u32, &'f str);

/// The connections between properties of a file.
pub(super) struct Connected<'f> {
    /// For each source, the properties of nodes and channels that have its value.
    fed: HashMap<Property<'f>, Vec<(&'f ufbx::Element, &'f str)>>,
    /// The properties that have another one's value.
    feeds: HashMap<Property<'f>, Property<'f>>,
}

impl<'f> Connected<'f> {
    /// Of the properties that make up the transforms of nodes, and the weights of blend channels.
    pub(super) fn of(fbx: &'f ufbx::Scene, transforms: &[&'static str]) -> Self {
        let mut feeds: HashMap<Property<'f>, Property<'f>> = HashMap::new();
        for element in fbx.elements.as_ref() {
            for link in element.connections_dst.as_ref().iter().filter(|link| !link.src_prop.is_empty()) {
                let source = (link.src.element_id, &*link.src_prop);
                feeds.entry((element.element_id, &*link.dst_prop)).or_insert(source);
            }
        }
        let mut connected = Self { fed: HashMap::new(), feeds };
        let nodes = fbx.nodes.as_ref().iter().map(|node| (&node.element, transforms));
        let channels = fbx.blend_channels.as_ref().iter();
        let channels = channels.map(|channel| (&channel.element, &[CHANNEL_WEIGHT][..]));
        for (element, names) in nodes.chain(channels) {
            for &name in names {
                if let Some(source) = connected.source(element, name) {
                    connected.fed.entry(source).or_default().push((element, name));
                }
            }
        }
        connected
    }

    /// The property that another one has its value from, unless that one is its own.
    fn source(&self, element: &ufbx::Element, name: &'f str) -> Option<Property<'f>> {
        let is_connected = |prop: &ufbx::Prop| prop.flags.has_any(ufbx::PropFlags::CONNECTED);
        if self.feeds.is_empty() || !element.props.find_prop(name).is_some_and(is_connected) {
            return None;
        }
        let mut source = *self.feeds.get(&(element.element_id, name))?;
        for _ in 0..MOST_LINKS {
            let Some(&next) = self.feeds.get(&source) else { return Some(source) };
            source = next;
        }
        None
    }

    /// The properties that have the value of an animated one.
    pub(super) fn fed_by(&self, prop: &'f ufbx::AnimProp) -> &[(&'f ufbx::Element, &'f str)] {
        self.fed.get(&(prop.element.element_id, &*prop.prop_name)).map_or(&[], |fed| fed)
    }

    /// Whether an animated property has another one's value instead of its own.
    pub(super) fn overrides(&self, prop: &'f ufbx::AnimProp) -> bool {
        self.source(&prop.element, &prop.prop_name).is_some()
    }
}
