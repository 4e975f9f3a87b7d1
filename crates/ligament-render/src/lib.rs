//! Draws a [`Scene`](ligament::Scene) with wgpu: into a picture, a window's surface, or any other texture.
//!
//! Posing is the library's own ([`ligament::pose`]), on the CPU, so that pictures show exactly what is computed. Nothing
//! here knows files or windows: a [`Renderer`] draws a [`Model`] as described by a [`Shot`] into a texture view.
//!
//! ```no_run
//! use ligament::{io::NoFolder, pose::Pose, Scene};
//! use ligament_render::{Gpu, Look, PICTURE_FORMAT, Renderer, Seen, Shot, Side, Stage, poses_of};
//!
//! # fn main() -> Result<(), ligament_render::RenderError> {
//! # let scene = Scene::default();
//! let mut renderer = Renderer::new(Gpu::new()?, PICTURE_FORMAT)?;
//! let mut model = renderer.load(scene, &NoFolder)?;
//! let pose = Pose::rest(model.scene());
//! let stage = Stage::new(model.scene(), poses_of(model.scene(), None), Side::ThreeQuarter, 1.0, Seen::default());
//! let look = Look::default();
//! let (picture, _notes) = renderer.picture(&mut model, &Shot::new(&pose, &stage, &look), [512, 512])?;
//! assert_eq!(picture.rgba.len(), 512 * 512 * 4);
//! # Ok(())
//! # }
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `device.rs`, `error.rs` | the device, its errors, and notes about a picture |
//! | `prepare.rs`, `model.rs` | prepares a scene, uploads it to the device, and poses it |
//! | `materials.rs`, `extensions.rs`, `textures.rs` | the look of surfaces |
//! | `space.rs`, `framing.rs`, `camera.rs` | the model's own units, and cameras that fit all of it |
//! | `lights.rs`, `look.rs`, `frame.rs` | lights, what is shown, and the uniforms of all shaders |
//! | `lines.rs`, `text.rs`, `overlays/` | bones, axes, boxes, names |
//! | `pipelines.rs`, `passes.rs`, `targets.rs`, `renderer.rs`, `shaders/` | drawing |
//! | `select.rs` | highlighting and picking |
//! | `deviation.rs`, `legend.rs` | what colours mean |
//! | `readback.rs`, `picture.rs`, `color.rs` | the finished picture |

mod camera;
mod color;
mod deviation;
mod device;
mod error;
mod extensions;
mod frame;
mod framing;
mod legend;
mod lights;
mod lines;
mod look;
mod materials;
mod model;
mod overlays;
mod passes;
mod picture;
mod pipelines;
mod prepare;
mod readback;
mod renderer;
mod select;
mod space;
mod targets;
mod text;
mod textures;

pub use camera::{Camera, Lens, Side, own_slope};
pub use color::heat;
pub use deviation::{ROUNDING, deviations, is_identical};
pub use device::Gpu;
pub use error::{Note, NoteKind, Notes, RenderError};
pub use framing::{Seen, Stage, poses_of};
pub use legend::Legend;
pub use lights::Lighting;
pub use look::{Look, Surface};
pub use model::Model;
pub use overlays::bounds::stated_bounds;
pub use overlays::names::shared_prefix;
pub use picture::Picture;
pub use renderer::{Loader, PICTURE_FORMAT, Renderer, Shot};
pub use select::{Hit, Selected};
pub use space::Space;
pub use text::{Anchor, Block, Label};

/// The version of wgpu that this crate draws with.
pub use wgpu;
