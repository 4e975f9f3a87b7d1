//! The viewer without a window, drawn with the available driver.

mod bad;
mod by_hand;
mod comparing;
mod converting;
mod desk;
mod keys;
mod looking;
mod materials;
mod panels;
mod picking;
mod reading;
mod welcome;

use ligament::Scene;
use ligament::formats::ReadOptions;
use ligament_render::{Gpu, Picture, RenderError};
use ligament_view::shortcuts::Action;
use ligament_view::{Event, Jobs, Painter, Recent, State};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The longest time that reading a small file may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
const SIZE: [u32; 2] = [400, 300];

/// A viewer with its painter.
struct Viewer {
    state: State,
    painter: Painter,
}

impl Viewer {
    /// Without a graphics driver the test is skipped by name, or fails where nothing may be skipped.
    fn new(test: &str) -> Option<Self> {
        Self::with(test, Recent::at(None))
    }

    /// A viewer with a list of recent files.
    fn with(test: &str, recent: Recent) -> Option<Self> {
        let painter = painter(test)?;
        let jobs = Jobs::new(painter.renderer().loader(), ReadOptions::default(), Arc::new(|| {}));
        let mut state = State::new(jobs, recent, None);
        state.look.grid = false;
        state.look.shadow = false;
        state.update(Event::Resize(SIZE));
        Some(Self { state, painter })
    }

    /// A viewer with files that have been read.
    fn open(test: &str, paths: &[PathBuf]) -> Option<Self> {
        let mut viewer = Self::new(test)?;
        viewer.state.update(Event::Open(paths.to_vec()));
        viewer.wait();
        Some(viewer)
    }

    fn wait(&mut self) {
        assert!(self.state.finish_work(PATIENCE), "nothing came of it");
    }

    fn act(&mut self, action: Action) {
        self.state.update(Event::Do(action));
    }

    fn draw(&mut self) -> Picture {
        self.painter.draw(&mut self.state).expect("drawn");
        self.painter.picture().expect("read back")
    }
}

fn painter(test: &str) -> Option<Painter> {
    match Gpu::new() {
        Ok(gpu) => Some(Painter::new(gpu).expect("a device that was opened can be used")),
        Err(RenderError::NoAdapter(why)) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "no graphics driver under CI=true: {why}");
            println!("skipped: {test}: no graphics driver ({why})");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn example(name: &str) -> PathBuf {
    examples().join(name)
}

/// A scene as a file.
fn written(scene: Scene, folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    ligament::write(scene, &path, &Default::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    path
}

/// The number of pixels that are not background.
fn covered(picture: &Picture, background: [u8; 4]) -> usize {
    picture.rgba.as_chunks::<4>().0.iter().filter(|pixel| **pixel != background).count()
}

/// The number of pixels that differ.
fn differing(a: &Picture, b: &Picture) -> usize {
    let pixels = |p: &Picture| p.rgba.as_chunks::<4>().0.to_vec();
    pixels(a).iter().zip(&pixels(b)).filter(|(a, b)| a != b).count()
}
