//! The effect of each shortcut.

use crate::event::{Cover, Message, OpenDialog, Wish};
use crate::shortcuts::Action;
use crate::slot::Slot;
use crate::state::State;
use crate::{Event, pick};
use ligament_render::Side;
use std::path::{Path, PathBuf};

impl State {
    pub(crate) fn act(&mut self, action: Action) {
        let (look, panels) = (&mut self.look, &mut self.panels);
        match action {
            Action::Open => self.choose_file(false),
            Action::OpenBeside => self.choose_file(true),
            Action::Convert => self.toggle_convert(),
            Action::Reload => self.reload(),
            Action::NextFile => self.turn_page(1),
            Action::PreviousFile => self.turn_page(-1),
            Action::CloseSecond => self.unpair(),
            Action::Picture => self.wish(Wish::Picture),
            Action::WindowPicture => self.wish(Wish::WindowPicture),
            Action::Quit => self.wish(Wish::Quit),
            Action::Play => self.play(),
            Action::Loop => toggle(&mut self.clock.looping),
            Action::Faster => self.clock.set_speed(self.clock.speed * 2.0),
            Action::Slower => self.clock.set_speed(self.clock.speed * 0.5),
            Action::FrameForwards => self.clock.step(1),
            Action::FrameBackwards => self.clock.step(-1),
            Action::NextKey => self.clock.to_key(true),
            Action::PreviousKey => self.clock.to_key(false),
            Action::Worst => self.jump_to_worst(),
            Action::Start => self.clock.seek(0.0),
            Action::End => self.clock.seek(self.clock.duration()),
            Action::NextClip => self.next_clip(1),
            Action::PreviousClip => self.next_clip(-1),
            Action::Fit => self.fit(),
            Action::FitSelected => self.fit_selected(),
            Action::Front => self.look_from(Side::Front),
            Action::Side => self.look_from(Side::Side),
            Action::Back => self.look_from(Side::Back),
            Action::Top => self.look_from(Side::Top),
            Action::ThreeQuarter => self.look_from(Side::ThreeQuarter),
            Action::Left => self.look_from(Side::Angles { around: 270.0, above: 0.0 }),
            Action::Below => self.look_from(Side::Angles { around: 0.0, above: -90.0 }),
            Action::Orthographic => {
                toggle(&mut self.orbit.orthographic);
                self.fit();
            }
            Action::Theme => self.toggle_theme(),
            Action::NextCamera => self.next_camera(),
            Action::Skeleton => toggle(&mut look.skeleton),
            Action::Names => toggle(&mut look.names),
            Action::Axes => toggle(&mut look.axes),
            Action::Weights => self.toggle_cover(Cover::Weights),
            Action::AllWeights => self.toggle_cover(Cover::AllWeights),
            Action::Influences => self.toggle_cover(Cover::Influences),
            Action::ResetPose => self.reset_pose(),
            Action::Wire => toggle(&mut look.wire),
            Action::Normals => toggle(&mut look.normals),
            Action::Tangents => toggle(&mut look.tangents),
            Action::Bounds => toggle(&mut look.bounds),
            Action::Uv => self.toggle_cover(Cover::Uv),
            Action::Flat => self.toggle_cover(Cover::Flat),
            Action::Grid => toggle(&mut look.grid),
            Action::Shadow => toggle(&mut look.shadow),
            Action::TwoSided => toggle(&mut look.two_sided),
            Action::Deviation => toggle(&mut self.shows_deviation),
            Action::Arrange => self.next_arrangement(),
            Action::Hide => self.toggle_hidden(),
            Action::ShowAll => self.show_all(),
            Action::Deselect => self.step_back(),
            Action::TreePanel => toggle(&mut panels.tree),
            Action::FactsPanel => toggle(&mut panels.facts),
            Action::KeysPanel => toggle(&mut panels.keys),
            Action::Help => toggle(&mut panels.help),
        }
    }

    fn look_from(&mut self, side: Side) {
        self.orbit.look_from(side);
        self.fit();
    }

    fn toggle_cover(&mut self, cover: Cover) {
        self.cover = if self.cover == cover { Cover::Materials } else { cover };
        if self.cover == Cover::Weights && self.weights.is_none() {
            self.weights = self.slots.first().and_then(Slot::main_joint).map(|joint| (0, joint));
            if self.weights.is_none() {
                self.cover = Cover::Materials;
                self.update(Event::Say(Message::bad("no joint of the model moves any vertex")));
            }
        }
    }

    /// Undoes everything that was moved by hand.
    fn reset_pose(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.trial = Default::default());
    }

    /// Changes between the light and the dark theme, now and in the future.
    fn toggle_theme(&mut self) {
        self.theme = Some(!self.is_dark);
        self.recent.keep_theme(!self.is_dark);
    }

    fn play(&mut self) {
        if self.clock.duration() > 0.0 {
            return self.clock.toggle();
        }
        let text = match &self.clock.clip {
            Some(_) => "the clip has zero length, so there is nothing to play",
            None => "choose a clip first",
        };
        self.update(Event::Say(Message::bad(text)));
    }

    /// Shows the moment of the largest deviation over all clips.
    fn jump_to_worst(&mut self) {
        let moment = self.difference.as_ref().and_then(|difference| difference.worst_moment());
        match moment {
            Some((clip, time, _)) => {
                self.clock.playing = false;
                self.update(Event::Clip(Some(clip)));
                self.clock.seek(time);
            }
            None => {
                let text = match self.slots.len() {
                    0 | 1 => "open a second model to compare with",
                    _ if self.is_working() => "the models are being compared",
                    _ => "the models have no clips in common",
                };
                self.update(Event::Say(Message::bad(text)));
            }
        }
    }

    fn next_arrangement(&mut self) {
        if self.slots.len() < 2 {
            return self.update(Event::Say(Message::bad("open a second model to compare with")));
        }
        self.update(Event::Arrange(self.layers.arrangement.next()));
    }

    fn next_clip(&mut self, by: isize) {
        // The rest pose counts as one more clip, before the first.
        let count = self.slots.first().map_or(0, |slot| slot.scores.len()) as isize + 1;
        let at = self.clock.clip.as_ref().map_or(0, |(clip, _)| *clip as isize + 1);
        let to = (at + by).rem_euclid(count);
        self.update(Event::Clip((to > 0).then(|| to as usize - 1)));
    }

    /// The nodes that carry the first file's cameras.
    pub fn cameras(&self) -> Vec<ligament::scene::NodeId> {
        let Some(scene) = self.slots.first().and_then(Slot::scene) else { return Vec::new() };
        scene.node_ids().filter(|id| scene.nodes[id.index()].camera.is_some()).collect()
    }

    fn next_camera(&mut self) {
        let cameras = self.cameras();
        if cameras.is_empty() {
            return self.update(Event::Say(Message::bad("the file has no cameras")));
        }
        let at = cameras.iter().position(|&camera| Some(camera) == self.orbit.through);
        self.orbit.through = cameras.get(at.map_or(0, |at| at + 1)).copied();
    }

    fn fit_selected(&mut self) {
        let bounds = self.selected.and_then(|(slot, what)| pick::bounds_of(self, slot, what));
        let aspect = self.aspect();
        match bounds {
            Some(bounds) => self.orbit.fit(Some(bounds), aspect),
            None => self.fit(),
        }
    }

    fn toggle_hidden(&mut self) {
        if let Some((slot, what)) = self.selected {
            let hidden = self.slots.get(slot).is_some_and(|slot| slot.hidden.contains(what));
            self.update(Event::Hide(slot, what, !hidden));
        }
    }

    fn show_all(&mut self) {
        for slot in &mut self.slots {
            slot.hidden.clear();
            slot.after_hiding();
        }
    }

    /// Closes the topmost overlay, or clears the selection.
    fn step_back(&mut self) {
        if self.panels.texture.take().is_some()
            || self.panels.open.take().is_some()
            || std::mem::take(&mut self.panels.help)
        {
            return;
        }
        match self.convert {
            Some(_) => self.toggle_convert(),
            None => self.select(None),
        }
    }

    fn choose_file(&mut self, beside: bool) {
        match self.has_system_dialog {
            true => self.wish(Wish::Choose(beside)),
            false => self.open_dialog(beside),
        }
    }

    /// Shows the viewer's own dialog.
    pub(crate) fn open_dialog(&mut self, beside: bool) {
        self.panels.open = Some(OpenDialog { folder: self.folder(), beside });
    }

    /// The folder that dialogs begin with.
    pub(crate) fn folder(&self) -> PathBuf {
        let recent = self.recent.files().first().filter(|_| self.slots.is_empty());
        let file = self.slots.last().map(|slot| &slot.path).or(recent);
        let folder = file.and_then(|path| path.parent()).map(Path::to_owned);
        folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(PathBuf::from("."))
    }

    /// Whether a toggle action is currently on.
    pub fn is_on(&self, action: Action) -> bool {
        let look = &self.look;
        match action {
            Action::Skeleton => look.skeleton,
            Action::Names => look.names,
            Action::Axes => look.axes,
            Action::Wire => look.wire,
            Action::Normals => look.normals,
            Action::Tangents => look.tangents,
            Action::Bounds => look.bounds,
            Action::Grid => look.grid,
            Action::Shadow => look.shadow,
            Action::TwoSided => look.two_sided,
            Action::Deviation => self.shows_deviation,
            Action::Uv => self.cover == Cover::Uv,
            Action::Flat => self.cover == Cover::Flat,
            Action::Weights => self.cover == Cover::Weights,
            Action::AllWeights => self.cover == Cover::AllWeights,
            Action::Influences => self.cover == Cover::Influences,
            Action::Orthographic => self.orbit.orthographic,
            Action::Theme => self.is_dark,
            Action::Loop => self.clock.looping,
            Action::Play => self.clock.playing,
            Action::TreePanel => self.panels.tree,
            Action::FactsPanel => self.panels.facts,
            Action::KeysPanel => self.panels.keys,
            Action::Help => self.panels.help,
            Action::Convert => self.convert.is_some(),
            _ => false,
        }
    }
}

fn toggle(flag: &mut bool) {
    *flag = !*flag;
}
