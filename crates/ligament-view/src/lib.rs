//! A window that shows ligament scenes: winit and egui around [`ligament_render`].
//!
//! The window itself is thin. Everything that the viewer knows is in a [`State`], which handles [`Event`]s and can be
//! tested without a window. A [`Painter`] draws it, a [`Screen`] adds panels around the picture, and `shell.rs` connects
//! both with a window's events. Files are read and compared on other threads. No format is known here by name.
//!
//! | file | what it does |
//! |---|---|
//! | `event.rs`, `state.rs`, `act.rs`, `slot.rs` | events, the viewer's state, the effects of shortcuts, one of the files |
//! | `shortcuts.rs` | every key, in one table |
//! | `clock.rs`, `resolution.rs`, `orbit.rs` | playback, adaptive resolution, and the camera |
//! | `pictures.rs`, `uv.rs` | the images of a file, and the layout of texture coordinates |
//! | `trial.rs`, `skinning.rs` | joints and morph targets moved by hand, and the weights of all joints |
//! | `sheet.rs` | the keys and curves of a clip, and the stretch of time that is shown |
//! | `outline.rs`, `facts.rs` | the contents of a file: as a tree, and as text |
//! | `jobs.rs`, `open.rs`, `thumbnail.rs`, `difference.rs` | work on other threads: reading, comparing |
//! | `welcome.rs`, `dialog.rs` | what is shown without a file, and the system's file dialog |
//! | `convert.rs`, `converting.rs`, `styled.rs` | converting, with the losses of a target before anything is written |
//! | `compose.rs`, `layers.rs`, `paint.rs`, `pick.rs` | drawing the state, and picking objects in the picture |
//! | `ui/`, `screen.rs` | the panels, and egui on the device |
//! | `shell.rs`, `surface.rs` | the window |
//! | `recent.rs`, `save.rs`, `log.rs` | the viewer's own files |

mod act;
mod clock;
mod compose;
mod convert;
mod converting;
mod curve;
mod dialog;
mod difference;
mod event;
mod facts;
mod jobs;
mod layers;
mod log;
mod open;
mod orbit;
mod outline;
mod paint;
mod pick;
mod pictures;
mod recent;
mod resolution;
mod save;
mod screen;
mod sheet;
mod shell;
pub mod shortcuts;
mod skinning;
mod slot;
mod state;
mod styled;
mod surface;
mod thumbnail;
mod trial;
mod ui;
mod uv;
mod welcome;

pub use clock::{Clock, Score};
pub use convert::{Convert, Outcome, Task, Watched, Work};
pub use converting::ConvertEvent;
pub use difference::Difference;
pub use event::{Cover, Event, Message, OpenDialog, Panels, Wish};
pub use facts::Section;
pub use jobs::{Jobs, Wake};
pub use layers::{Arrangement, Layers};
pub use open::{Broken, Opened, open};
pub use orbit::Orbit;
pub use outline::{Hidden, Outline, Row};
pub use paint::Painter;
pub use pictures::{Pictures, TextureView};
pub use recent::Recent;
pub use screen::Screen;
pub use sheet::{Graph, KeyRow, Sheet, Span};
pub use shell::{Options, ViewError, run};
pub use slot::Slot;
pub use state::State;
pub use styled::{Line, Style};
pub use trial::Trial;
pub use welcome::{Thumb, Thumbnail, Welcome};

/// The version of egui that the panels are made with.
pub use egui;
