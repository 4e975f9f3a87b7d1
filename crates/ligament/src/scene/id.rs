//! Typed indices, so that a mesh's index cannot be used for a node.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of the element at `index`.
            pub fn new(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                Self(index as u32)
            }

            /// Appends an element to the scene's list and returns its id.
            pub fn push<T>(list: &mut Vec<T>, element: T) -> Self {
                list.push(element);
                Self::new(list.len() - 1)
            }

            /// The position in the scene's list.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Scene::nodes`](super::Scene::nodes).
    NodeId;
    /// Index into [`Scene::meshes`](super::Scene::meshes).
    MeshId;
    /// Index into [`Scene::skins`](super::Scene::skins).
    SkinId;
    /// Index into [`Scene::clips`](super::Scene::clips).
    ClipId;
    /// Index into [`Scene::materials`](super::Scene::materials).
    MaterialId;
    /// Index into [`Scene::textures`](super::Scene::textures).
    TextureId;
    /// Index into [`Scene::images`](super::Scene::images).
    ImageId;
    /// Index into [`Scene::cameras`](super::Scene::cameras).
    CameraId;
    /// Index into [`Scene::lights`](super::Scene::lights).
    LightId;
}
