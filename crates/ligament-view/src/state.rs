//! The viewer's state, without a window: events go in, and shots to draw come out.

use crate::clock::Clock;
use crate::compose::Frame;
use crate::convert::Convert;
use crate::difference::Difference;
use crate::event::{Cover, Event, Message, Panels, Wish};
use crate::jobs::{Done, Jobs};
use crate::layers::Layers;
use crate::open::{Broken, Opened};
use crate::orbit::Orbit;
use crate::pictures::{Decoded, Pictures, TextureView};
use crate::recent::Recent;
use crate::resolution::Resolution;
use crate::sheet::{Sheet, SheetKey, Span};
use crate::slot::Slot;
use crate::ui::{Textures, of_theme};
use crate::welcome::{Welcome, example};
use ligament::math::DQuat;
use ligament::scene::NodeId;
use ligament_render::{Loader, Look, Selected};
use ligament_watch::Watch;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long a message stays, in seconds.
const MESSAGE_STAYS: f64 = 6.0;

/// Placeholder size before the first layout.
const NO_SIZE: [u32; 2] = [1, 1];

/// The viewer's state.
pub struct State {
    /// The files that are shown: none, one or two.
    pub slots: Vec<Slot>,
    /// All files that were opened together, and the index of the one shown.
    pub queue: (Vec<PathBuf>, usize),
    /// Playback.
    pub clock: Clock,
    /// The camera.
    pub orbit: Orbit,
    /// Overlays.
    pub look: Look,
    /// How surfaces are coloured.
    pub cover: Cover,
    /// The joint whose weights are shown, and its file's index.
    pub weights: Option<(usize, NodeId)>,
    /// The selected object, and its file's index.
    pub selected: Option<(usize, Selected)>,
    /// Whether the second model is coloured by its deviation from the first.
    pub shows_deviation: bool,
    /// The stretch of time whose keys are shown.
    pub span: Span,
    /// The track whose curves are shown.
    pub track: Option<usize>,
    /// The last sheet, and what it was made of.
    pub(crate) sheet: Option<(SheetKey, Arc<Sheet>)>,
    /// Whether the user wants the dark theme; `None` follows the system.
    pub theme: Option<bool>,
    /// Whether the theme is dark.
    pub is_dark: bool,
    /// How many influences per vertex are not too many.
    pub most_influences: usize,
    /// The joint that is dragged, and its file's index.
    pub held: Option<(usize, NodeId)>,
    /// How two models share the picture.
    pub layers: Layers,
    /// The two models, paired.
    pub difference: Option<Box<Difference>>,
    /// Panels.
    pub panels: Panels,
    /// Recently opened files.
    pub recent: Recent,
    /// The last message, and the seconds it stays.
    pub message: Option<(Message, f64)>,
    /// Pictures that were saved.
    pub pictures: Vec<PathBuf>,
    /// The recent files, while no file is open.
    pub welcome: Option<Welcome>,
    /// The panel that converts, if it is open.
    pub convert: Option<Box<Convert>>,
    /// Whether files are chosen with the system's dialog instead of the viewer's own.
    pub has_system_dialog: bool,
    /// Pictures in panels.
    pub(crate) textures: Textures,
    /// The last drawn frame of each file.
    pub(crate) frames: Vec<Option<Frame>>,
    /// The size of the picture's part of the window, in pixels.
    pub(crate) size: [u32; 2],
    /// The adaptive resolution.
    pub(crate) resolution: Resolution,
    /// Whether the picture must be redrawn.
    pub(crate) changed: bool,
    /// Whether anything changed since the last layout.
    pub(crate) behind: bool,
    wishes: Vec<Wish>,
    fits: bool,
    pub(crate) jobs: Jobs,
    watch: Option<Arc<Watch>>,
}

impl State {
    /// Creates a state that shows nothing yet.
    pub fn new(jobs: Jobs, recent: Recent, watch: Option<Arc<Watch>>) -> Self {
        Self {
            slots: Vec::new(),
            queue: (Vec::new(), 0),
            clock: Clock::default(),
            orbit: Orbit::default(),
            look: Look { grid: true, ..Look::default() },
            cover: Cover::Materials,
            weights: None,
            selected: None,
            shows_deviation: true,
            theme: recent.theme(),
            is_dark: false,
            most_influences: 4,
            held: None,
            span: Span::default(),
            track: None,
            sheet: None,
            layers: Layers::default(),
            difference: None,
            panels: Panels { tree: true, facts: true, ..Panels::default() },
            recent,
            message: None,
            pictures: Vec::new(),
            welcome: None,
            convert: None,
            has_system_dialog: false,
            textures: Textures::default(),
            frames: Vec::new(),
            size: NO_SIZE,
            resolution: Resolution::default(),
            changed: true,
            behind: true,
            wishes: Vec::new(),
            fits: true,
            jobs,
            watch,
        }
    }

    /// Takes the pending request for the window.
    pub fn wishes(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.wishes)
    }

    /// When the next picture is due, if nothing else happens.
    pub fn next_picture(&self) -> Option<Duration> {
        if self.clock.playing || self.changed || self.behind {
            return Some(Duration::ZERO);
        }
        let message = self.message.as_ref().map(|(_, left)| left.clamp(0.0, MESSAGE_STAYS));
        let next = [message, self.blink_due()].into_iter().flatten().reduce(f64::min);
        next.map(Duration::from_secs_f64)
    }

    /// Whether a file is being read or compared.
    pub fn is_working(&self) -> bool {
        self.jobs.are_running()
    }

    /// Whether no file is open, or about to be.
    pub fn is_empty(&self) -> bool {
        self.slots.iter().all(|slot| slot.opened.is_none() && slot.loading.is_none())
    }

    /// Aspect ratio of one model's part of the picture.
    pub fn aspect(&self) -> f64 {
        let parts = if self.opacity().is_some() { 1.0 } else { self.slots.len().max(1) as f64 };
        f64::from(self.size[0].max(1)) / parts / f64::from(self.size[1].max(1))
    }

    /// Takes the results of other threads. Returns whether there were any.
    pub fn collect(&mut self) -> bool {
        let mut any = false;
        while let Some(done) = self.jobs.take() {
            self.take(done);
            any = true;
        }
        any
    }

    /// Waits until all jobs are done. Returns `false` if one took longer than the timeout.
    pub fn finish_work(&mut self, patience: Duration) -> bool {
        while self.jobs.are_running() {
            match self.jobs.wait(patience) {
                Some(done) => self.take(done),
                None => return false,
            }
        }
        true
    }

    /// Uploads everything to a new device after the old one was lost.
    pub fn move_to(&mut self, loader: Loader) {
        self.jobs.set_loader(loader);
        (self.textures, self.welcome) = (Textures::default(), None);
        for slot in &mut self.slots {
            slot.opened = None;
            slot.stage = None;
        }
        self.frames.clear();
        self.difference = None;
        self.read_again(|_| true);
    }

    /// Applies an event.
    pub fn update(&mut self, event: Event) {
        self.changed |= !matches!(event, Event::Tick(_) | Event::Say(_));
        self.behind |= !matches!(event, Event::Tick(_));
        match event {
            Event::Open(paths) => self.open(paths),
            Event::OpenBeside(path) => self.open_beside(path),
            Event::Example => self.open_example(),
            Event::Welcome => self.welcome = Some(Welcome::new(&self.recent, &mut self.jobs)),
            Event::NoDialog(beside) => {
                self.has_system_dialog = false;
                self.open_dialog(beside);
            }
            Event::Changed(paths) => {
                self.read_again(|slot| paths.iter().any(|path| slot.depends_on(path)));
            }
            Event::Do(action) => self.act(action),
            Event::Turn(around, above) => self.orbit.turn(around, above),
            Event::Pan(right, down) => {
                let aspect = self.aspect();
                self.orbit.pan(right, down, aspect);
            }
            Event::Zoom(factor) => {
                let size = self.stage().map_or(1.0, |stage| stage.space.size());
                self.orbit.zoom(factor, size);
            }
            Event::LookThrough(node) => self.orbit.through = node,
            Event::Click(at, twice) => self.click(at, twice),
            Event::Seek(seconds) => self.clock.seek(seconds),
            Event::ZoomTime(at, factor) => self.span.zoom(at, factor, self.clock.duration()),
            Event::PanTime(seconds) => self.span.pan(seconds, self.clock.duration()),
            Event::FitTime => self.span.fit(),
            Event::Track(track) => self.track = Some(track),
            Event::Speed(speed) => self.clock.set_speed(speed),
            Event::Clip(clip) => self.choose_clip(clip),
            Event::Select(slot, what) => self.select(Some((slot, what))),
            Event::Dark(is_dark) => {
                self.is_dark = is_dark;
                self.look.background = of_theme(is_dark).background;
            }
            Event::Grab(joint) => self.held = joint,
            Event::Bend(around, above) => self.bend(around, above),
            Event::Morph(slot, node, target, weight) => self.set_morph(slot, node, target, weight),
            Event::Influences(most) => self.most_influences = most,
            Event::Pictures(slot) => self.decode_pictures(slot),
            Event::Texture(view) => self.show_texture(view),
            Event::Arrange(arrangement) => self.arrange(arrangement),
            Event::Mix(mix) => self.layers.set_mix(mix),
            Event::Convert(event) => self.convert_event(event),
            Event::Hide(slot, what, hidden) => self.hide(slot, what, hidden),
            Event::Tick(seconds) => self.tick(seconds),
            Event::Resize(size) => {
                // A model that loaded before the window had a size must be framed again.
                let is_first = std::mem::replace(&mut self.size, size) == NO_SIZE;
                if is_first {
                    self.fit();
                }
            }
            Event::Say(message) => self.message = Some((message, MESSAGE_STAYS)),
        }
    }

    fn tick(&mut self, seconds: f64) {
        if self.clock.tick(seconds) {
            self.changed = true;
            self.resolution.note(seconds);
        }
        if !self.clock.playing {
            self.changed |= self.resolution.rest();
        }
        self.blink(seconds);
        if let Some((_, left)) = &mut self.message {
            *left -= seconds;
        }
        self.message.take_if(|(_, left)| *left <= 0.0);
    }

    fn open_example(&mut self) {
        let missing = || std::io::Error::other("there is no folder for the viewer's files");
        match self.recent.folder().ok_or_else(missing).and_then(example) {
            Ok(path) => self.open(vec![path]),
            Err(error) => {
                let text = format!("the example cannot be unpacked: {error}");
                self.message = Some((Message::bad(text), MESSAGE_STAYS));
            }
        }
    }

    fn open(&mut self, paths: Vec<PathBuf>) {
        if paths.is_empty() {
            return;
        }
        self.welcome = None;
        let shown = if paths.len() == 2 { 2 } else { 1 };
        self.show(paths[..shown].to_vec());
        self.queue = (paths, 0);
    }

    /// Replaces the current files by others; the old ones stay visible until the new ones have loaded.
    fn show(&mut self, paths: Vec<PathBuf>) {
        let mut old = std::mem::take(&mut self.slots).into_iter();
        self.slots = paths.into_iter().map(|path| Slot::in_place_of(old.next(), path)).collect();
        (self.selected, self.weights, self.difference) = (None, None, None);
        (self.panels.texture, self.held) = (None, None);
        self.span.fit();
        (self.frames, self.fits) = (Vec::new(), true);
        self.read_again(|_| true);
    }

    fn open_beside(&mut self, path: PathBuf) {
        if self.slots.is_empty() {
            return self.open(vec![path]);
        }
        self.close_second();
        self.slots.push(Slot::new(path));
        self.fits = true;
        self.read_again(|slot| slot.times_read == 0);
    }

    fn close_second(&mut self) {
        self.slots.truncate(1);
        self.frames.truncate(1);
        self.difference = None;
        self.selected.take_if(|(slot, _)| *slot > 0);
        self.weights.take_if(|(slot, _)| *slot > 0);
        self.fit();
    }

    /// Reloads files; the old models stay visible until then.
    fn read_again(&mut self, which: impl Fn(&Slot) -> bool) {
        for slot in self.slots.iter_mut().filter(|slot| which(slot)) {
            if let Some(watch) = &self.watch {
                watch.look_at_file(&slot.path);
            }
            slot.loading = Some(self.jobs.open(slot.path.clone()));
        }
    }

    fn take(&mut self, done: Done) {
        (self.changed, self.behind) = (true, true);
        match done {
            Done::Opened(job, result) => {
                // If a file is read twice at once, the job that was started last counts.
                let number = self.slots.iter().position(|slot| slot.loading == Some(job));
                let Some(number) = number else { return };
                self.slots[number].loading = None;
                match result {
                    Ok(opened) => self.take_opened(number, opened),
                    Err(broken) => self.take_broken(number, broken),
                }
            }
            Done::Paired(difference) => {
                let scenes = self.shared_scenes();
                if scenes.is_some_and(|[first, second]| difference.is_of(&first, &second)) {
                    if !difference.is_empty() && !difference.clips().is_empty() {
                        self.jobs.measure(difference.again());
                    }
                    self.difference = Some(difference);
                }
            }
            Done::Decoded(scene, id, decoded) => self.take_picture(&scene, id, decoded),
            Done::Layout(scene, of, picture) => {
                if let Some(slot) = self.slot_of(&scene) {
                    slot.layout = Some((of, Arc::new(picture)));
                }
            }
            Done::Converted(number, outcome) => self.take_outcome(number, outcome),
            Done::Thumbnail(path, picture, renderer) => {
                if let Some(welcome) = &mut self.welcome {
                    welcome.take(&path, picture, renderer, &mut self.jobs);
                }
            }
            Done::Measured(curves) => {
                if let Some(difference) = self.difference.as_mut().filter(|own| curves.are_of(own)) {
                    difference.take_curves(*curves);
                }
            }
        }
    }

    /// The slot that shows a scene.
    fn slot_of(&mut self, scene: &Arc<ligament::Scene>) -> Option<&mut Slot> {
        let is_it = |slot: &&mut Slot| {
            slot.opened.as_ref().is_some_and(|own| Arc::ptr_eq(&own.model.shared_scene(), scene))
        };
        self.slots.iter_mut().find(is_it)
    }

    fn decode_pictures(&mut self, number: usize) {
        let Some(slot) = self.slots.get_mut(number) else { return };
        let count = slot.scene().map_or(0, |scene| scene.images.len());
        if slot.pictures.all.len() != count {
            slot.pictures = Pictures::waiting(count);
            self.decode_next(number);
        }
    }

    /// Images are decoded one after the other, so that only one large one is in memory.
    fn decode_next(&mut self, number: usize) {
        let Some(slot) = self.slots.get(number) else { return };
        if let (Some(id), Some(opened)) = (slot.pictures.next(), &slot.opened) {
            self.jobs.decode(opened.model.shared_scene(), Arc::clone(&opened.folder), id);
        }
    }

    fn take_picture(&mut self, scene: &Arc<ligament::Scene>, id: ligament::scene::ImageId, decoded: Decoded) {
        let is_it = |slot: &Slot| {
            slot.opened.as_ref().is_some_and(|own| Arc::ptr_eq(&own.model.shared_scene(), scene))
        };
        let Some(number) = self.slots.iter().position(is_it) else { return };
        self.slots[number].pictures.take(id, decoded);
        self.decode_next(number);
    }

    fn show_texture(&mut self, view: Option<TextureView>) {
        if let Some(view) = &view {
            self.decode_pictures(view.slot);
            let of = (view.material, view.which);
            let slot = self.slots.get(view.slot);
            let is_drawn = slot.and_then(|slot| slot.layout.as_ref()).is_some_and(|(known, _)| *known == of);
            if let Some(opened) = slot.and_then(|slot| slot.opened.as_ref()).filter(|_| !is_drawn) {
                self.jobs.layout(opened.model.shared_scene(), view.material, view.which);
            }
        }
        self.panels.texture = view;
    }

    /// Turns the joint that is held.
    fn bend(&mut self, around: f64, above: f64) {
        let Some((number, joint)) = self.held else { return };
        let Some(frame) = self.frames.get(number).and_then(Option::as_ref) else { return };
        let Some(slot) = self.slots.get_mut(number) else { return };
        let Some(opened) = &slot.opened else { return };
        let axes = frame.axes();
        let turn = DQuat::from_axis_angle(axes.y_axis, around.to_radians())
            * DQuat::from_axis_angle(axes.x_axis, above.to_radians());
        slot.trial.turn(opened.model.scene(), &frame.pose, joint, turn);
    }

    fn set_morph(&mut self, number: usize, node: NodeId, target: usize, weight: Option<f32>) {
        let Some(slot) = self.slots.get_mut(number) else { return };
        if let Some(opened) = &slot.opened {
            slot.trial.set_weight(opened.model.scene(), node, target, weight);
        }
    }

    fn take_broken(&mut self, number: usize, broken: Box<Broken>) {
        // The card over the picture says all of it, once.
        self.slots[number].broken = Some(broken);
    }

    fn take_opened(&mut self, number: usize, opened: Box<Opened>) {
        if let Some(watch) = &self.watch {
            opened.beside.iter().for_each(|path| watch.look_at_file(path));
        }
        // Its material may be another one now.
        self.panels.texture.take_if(|view| view.slot == number);
        let slot = &mut self.slots[number];
        let is_first_time = slot.times_read == 0;
        let label = self.selected.filter(|(of, _)| *of == number).and_then(|(_, what)| slot.label(what));
        slot.take(opened);
        if is_first_time {
            self.orbit.through = None;
            self.recent.add(&self.slots[number].path);
        } else if let Some((_, what)) = self.selected.filter(|(of, _)| *of == number) {
            // The same index may be another object now.
            if self.slots[number].label(what) != label {
                self.selected = None;
            }
        }
        if number == 0 {
            self.keep_moment(is_first_time);
            self.convert_again(is_first_time);
        }
        let clip = self.clip_of(number);
        self.slots[number].set_stage(clip);
        self.weights.take_if(|(of, joint)| {
            *of == number && self.slots[number].scene().is_none_or(|s| joint.index() >= s.nodes.len())
        });
        if self.fits {
            self.fit();
            self.fits = self.slots.iter().any(|slot| slot.loading.is_some());
        }
        self.difference = None;
        if let Some(scenes) = self.shared_scenes() {
            self.jobs.pair(scenes);
        }
    }

    /// After the first model was read, continues its clip at the same time, or from the start.
    fn keep_moment(&mut self, is_first_time: bool) {
        let (time, playing) = (self.clock.time, self.clock.playing);
        let clip = match &self.clock.clip {
            // FBX files by Mixamo begin with a clip that is empty.
            _ if is_first_time => self.slots[0].scores.iter().position(|score| !score.keys.is_empty()),
            Some((_, score)) => self.slots[0].clip_named(&score.name),
            None => None,
        };
        self.slots[0].choose(clip, &mut self.clock);
        self.clock.playing &= !is_first_time;
        if !is_first_time {
            self.clock.seek(time);
            self.clock.playing = playing && self.clock.duration() > 0.0;
        }
    }

    fn shared_scenes(&self) -> Option<[Arc<ligament::Scene>; 2]> {
        match &self.slots[..] {
            [first, second] => Some([
                first.opened.as_ref()?.model.shared_scene(),
                second.opened.as_ref()?.model.shared_scene(),
            ]),
            _ => None,
        }
    }

    /// The clip that a file shows: the second follows the first.
    pub(crate) fn clip_of(&self, slot: usize) -> Option<usize> {
        let (clip, score) = self.clock.clip.as_ref()?;
        match (slot, &self.difference) {
            (0, _) => Some(*clip),
            (_, Some(difference)) => difference.partner(*clip),
            (_, None) => self.slots.get(slot)?.clip_named(&score.name),
        }
    }

    /// The stage of all models: the first one's, so that a displaced model is seen to be displaced.
    pub fn stage(&self) -> Option<&ligament_render::Stage> {
        self.slots.iter().find_map(|slot| slot.stage.as_ref())
    }

    /// Fits the model into the view.
    pub(crate) fn fit(&mut self) {
        let aspect = self.aspect();
        let bounds = self.stage().and_then(|stage| stage.bounds());
        self.orbit.fit(bounds, aspect);
    }

    fn choose_clip(&mut self, clip: Option<usize>) {
        let Some(first) = self.slots.first() else { return };
        self.span.fit();
        first.choose(clip, &mut self.clock);
        for number in 0..self.slots.len() {
            let clip = self.clip_of(number);
            self.slots[number].set_stage(clip);
        }
    }

    pub(crate) fn select(&mut self, what: Option<(usize, Selected)>) {
        self.selected = what;
        self.panels.scroll_to_selected = what.is_some();
        if let Some((number, what)) = what
            && let Some(slot) = self.slots.get_mut(number)
            && let Some(row) = slot.outline.find(what)
        {
            for above in slot.outline.above(row) {
                slot.folded.remove(&above);
            }
        }
        if let Some((number, Selected::Node(node))) = what
            && self.is_joint(number, node)
        {
            self.weights = Some((number, node));
        }
    }

    fn is_joint(&self, slot: usize, node: NodeId) -> bool {
        let scene = self.slots.get(slot).and_then(Slot::scene);
        scene.is_some_and(|scene| scene.skins.iter().any(|skin| skin.joints.contains(&node)))
    }

    fn hide(&mut self, number: usize, what: Selected, hidden: bool) {
        if let Some(slot) = self.slots.get_mut(number) {
            slot.hidden.set(what, hidden);
            slot.after_hiding();
        }
    }

    pub(crate) fn wish(&mut self, wish: Wish) {
        self.wishes.push(wish);
    }

    /// Shows the file `by` places further in the list.
    pub(crate) fn turn_page(&mut self, by: isize) {
        let (paths, at) = &mut self.queue;
        if paths.len() > 2 {
            *at = at.checked_add_signed(by).unwrap_or(paths.len() - 1) % paths.len();
            let path = paths[*at].clone();
            self.show(vec![path]);
        }
    }

    pub(crate) fn reload(&mut self) {
        self.read_again(|_| true);
    }

    pub(crate) fn unpair(&mut self) {
        if self.slots.len() > 1 {
            self.close_second();
        }
    }
}
