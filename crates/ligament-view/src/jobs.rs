//! Work on other threads, so that the window never waits.

use crate::convert::{Convert, Outcome, Watched, attempt, convert};
use crate::curve::Curves;
use crate::difference::Difference;
use crate::open::{Broken, Opened, open};
use crate::pictures::{Decoded, decode};
use crate::thumbnail::thumbnail;
use crate::uv;
use ligament::formats::ReadOptions;
use ligament::io::Folder;
use ligament::scene::{ImageId, MaterialId};
use ligament::{ConvertOptions, Scene};
use ligament_render::{Loader, Picture, Renderer};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Called from another thread when a job is done.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The folder of a model, for its images.
pub type SharedFolder = Arc<dyn Folder + Send + Sync>;

/// The result of a job.
pub enum Done {
    /// A file was read, or could not be.
    Opened(u64, Result<Box<Opened>, Box<Broken>>),
    /// Two models were paired.
    Paired(Box<Difference>),
    /// Their deviation was measured over all clips.
    Measured(Box<Curves>),
    /// A target was tried, or a file was converted.
    Converted(u64, Box<Outcome>),
    /// An image of a scene was decoded.
    Decoded(Arc<Scene>, ImageId, Decoded),
    /// The layout of texture coordinates was drawn for a texture of a scene.
    Layout(Arc<Scene>, (MaterialId, usize), Picture),
    /// A file was drawn for the list of recent ones, with a renderer for the next.
    Thumbnail(PathBuf, Option<Picture>, Option<Box<Renderer>>),
}

/// Starts jobs and collects their results.
pub struct Jobs {
    loader: Loader,
    options: ReadOptions,
    wake: Wake,
    sender: Sender<Done>,
    done: Receiver<Done>,
    /// Increases, so that the job started last wins, whichever finishes last.
    number: u64,
    running: usize,
}

impl Jobs {
    /// Creates jobs that upload models to a renderer's device.
    pub fn new(loader: Loader, options: ReadOptions, wake: Wake) -> Self {
        let (sender, done) = channel();
        Self { loader, options, wake, sender, done, number: 0, running: 0 }
    }

    /// Uploads models to another device from now on.
    pub fn set_loader(&mut self, loader: Loader) {
        self.loader = loader;
    }

    /// Starts reading a file; returns the number of the job.
    pub fn open(&mut self, path: PathBuf) -> u64 {
        self.number += 1;
        let (number, loader, options) = (self.number, self.loader.clone(), self.options.clone());
        self.start(move || Done::Opened(number, open(&path, &options, &loader).map(Box::new)));
        number
    }

    /// Starts decoding an image.
    pub fn decode(&mut self, scene: Arc<Scene>, folder: SharedFolder, id: ImageId) {
        self.start(move || {
            let decoded = decode(&scene, &*folder, id);
            Done::Decoded(scene, id, decoded)
        });
    }

    /// Starts drawing the layout of texture coordinates for a texture of a material.
    pub fn layout(&mut self, scene: Arc<Scene>, material: MaterialId, which: usize) {
        self.start(move || {
            let own = scene.materials.get(material.index()).map(|own| own.textures());
            let texture = own.as_ref().and_then(|own| own.get(which)).map(|(_, texture)| *texture);
            let (set, transform) = texture.map_or((0, None), |t| (t.uv_set as usize, t.transform));
            let picture = uv::draw(&uv::edges(&scene, material, set, transform), 1024);
            Done::Layout(scene, (material, which), picture)
        });
    }

    /// Starts converting a file into memory; returns the number of the job and the way to stop it.
    pub fn attempt(&mut self, path: PathBuf, what: &Convert) -> (u64, Arc<Watched>) {
        self.number += 1;
        let (number, output, (watch, options)) = (self.number, what.output.clone(), self.watched(what));
        self.start(move || Done::Converted(number, Box::new(attempt(&path, &output, &options))));
        (number, watch)
    }

    /// Starts converting a file into another.
    pub fn convert(&mut self, path: PathBuf, what: &Convert) -> (u64, Arc<Watched>) {
        self.number += 1;
        let (number, output, (watch, options)) = (self.number, what.output.clone(), self.watched(what));
        self.start(move || Done::Converted(number, Box::new(convert(&path, &output, &options))));
        (number, watch)
    }

    fn watched(&self, what: &Convert) -> (Arc<Watched>, ConvertOptions) {
        let (watch, wake) = (Arc::new(Watched::default()), Arc::clone(&self.wake));
        let options = what.options(&self.options, watch.progress(move || wake()));
        (watch, options)
    }

    /// Starts drawing a small picture of a file.
    pub fn thumbnail(&mut self, path: PathBuf, renderer: Option<Box<Renderer>>) {
        let (loader, options) = (self.loader.clone(), self.options.clone());
        self.start(move || {
            let (picture, renderer) = thumbnail(&path, &options, &loader, renderer);
            Done::Thumbnail(path, picture, renderer)
        });
    }

    /// Starts pairing two models.
    pub fn pair(&mut self, scenes: [Arc<Scene>; 2]) {
        self.start(move || Done::Paired(Box::new(Difference::new(scenes))));
    }

    /// Starts measuring two models over all their clips.
    pub fn measure(&mut self, difference: Difference) {
        self.start(move || Done::Measured(Box::new(Curves::of(difference))));
    }

    fn start(&mut self, job: impl FnOnce() -> Done + Send + 'static) {
        let (sender, wake) = (self.sender.clone(), Arc::clone(&self.wake));
        self.running += 1;
        thread::spawn(move || {
            let _ = sender.send(job());
            wake();
        });
    }

    /// Whether any job is still running.
    pub fn are_running(&self) -> bool {
        self.running > 0
    }

    /// The next result, if one is ready.
    pub fn take(&mut self) -> Option<Done> {
        let done = self.done.try_recv().ok()?;
        self.running -= 1;
        Some(done)
    }

    /// Waits for the next result; `None` if no job runs, or on a timeout.
    pub fn wait(&mut self, patience: Duration) -> Option<Done> {
        if self.running == 0 {
            return None;
        }
        let done = self.done.recv_timeout(patience).ok()?;
        self.running -= 1;
        Some(done)
    }
}
