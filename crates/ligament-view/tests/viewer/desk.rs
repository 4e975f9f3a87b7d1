//! A window without a window: panels that are laid out and painted, and synthetic input.

use super::*;
use ligament_render::wgpu::TextureFormat;
use ligament_view::Screen;
use ligament_view::egui::{self, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, vec2};

pub const WINDOW: [u32; 2] = [900, 560];

pub struct Desk {
    pub viewer: Viewer,
    screen: Screen,
    time: f64,
    /// The names of everything in the last picture, as a screen reader knows them, and where they are.
    labels: Vec<(String, Rect)>,
}

impl Desk {
    pub fn open(test: &str, paths: &[PathBuf]) -> Option<Self> {
        Some(Self::around(Viewer::open(test, paths)?))
    }

    /// A window around a viewer.
    pub fn around(viewer: Viewer) -> Self {
        let screen = Screen::new(viewer.painter.renderer().gpu(), TextureFormat::Rgba8Unorm);
        screen.ctx.enable_accesskit();
        let mut desk = Self { viewer, screen, time: 0.0, labels: Vec::new() };
        desk.settle();
        desk
    }

    /// Draws until everything has its size, and waits for all work.
    pub fn settle(&mut self) -> Picture {
        self.viewer.wait();
        // The first pictures measure the sizes of things.
        (0..3).for_each(|_| drop(self.show(vec![])));
        self.viewer.wait();
        self.show(vec![])
    }

    /// One picture of the window, after some input.
    pub fn show(&mut self, events: Vec<egui::Event>) -> Picture {
        self.time += 0.1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(WINDOW[0] as f32, WINDOW[1] as f32))),
            time: Some(self.time),
            focused: true,
            events,
            ..RawInput::default()
        };
        let Self { viewer, screen, labels, .. } = &mut *self;
        let mut output = screen.run(input, &mut viewer.state);
        if let Some(update) = output.platform_output.accesskit_update.take() {
            let named = update.nodes.iter().filter_map(|(_, node)| {
                let (name, at) = (node.label().or(node.value())?, node.bounds()?);
                let corner = |x: f64, y: f64| Pos2::new(x as f32, y as f32);
                Some((name.to_owned(), Rect::from_min_max(corner(at.x0, at.y0), corner(at.x1, at.y1))))
            });
            *labels = named.collect();
        }
        let mut panes = screen.panes(&mut output);
        screen.upload(&mut panes);
        if viewer.painter.draw(&mut viewer.state).expect("drawn") {
            screen.set_layers(viewer.painter.layers());
        }
        let picture = screen.picture(&panes, WINDOW).expect("painted");
        screen.release(&mut panes);
        picture
    }

    pub fn key(&mut self, key: Key, modifiers: Modifiers) {
        let event = |pressed| egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
        self.show(vec![event(true), event(false)]);
    }

    pub fn press(&mut self, at: Pos2, button: PointerButton, pressed: bool) {
        let modifiers = Modifiers::NONE;
        self.show(vec![
            egui::Event::PointerMoved(at),
            egui::Event::PointerButton { pos: at, button, pressed, modifiers },
        ]);
    }

    pub fn drag(&mut self, button: PointerButton, from: Pos2, to: Pos2) {
        self.show(vec![egui::Event::PointerMoved(from)]);
        self.press(from, button, true);
        for step in 1..=4 {
            let at = from + (to - from) * (step as f32 / 4.0);
            self.show(vec![egui::Event::PointerMoved(at)]);
        }
        self.press(to, button, false);
    }

    /// Where something with this name is; the last one, which is on top.
    pub fn find(&self, name: &str) -> Option<Pos2> {
        let found = self.labels.iter().rev().find(|(label, _)| label == name);
        found.map(|(_, rect)| rect.center())
    }

    /// Clicks what has this name.
    pub fn click_on(&mut self, name: &str) {
        self.show(vec![]);
        let all = || self.labels.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>();
        let at = self.find(name).unwrap_or_else(|| panic!("there is no {name:?} among {:?}", all()));
        self.click(at);
    }

    pub fn click(&mut self, at: Pos2) {
        self.show(vec![egui::Event::PointerMoved(at)]);
        self.press(at, PointerButton::Primary, true);
        self.press(at, PointerButton::Primary, false);
        self.show(vec![]);
    }

    /// Saves a picture of the window for people to look at, if the environment names a folder for them.
    pub fn look(&mut self, name: &str) -> Picture {
        let picture = self.settle();
        if let Some(folder) = std::env::var_os("VIEWER_PICTURES") {
            let file = std::fs::File::create(Path::new(&folder).join(format!("{name}.png"))).expect("a file");
            let mut encoder = png::Encoder::new(file, picture.width, picture.height);
            encoder.set_color(png::ColorType::Rgba);
            let mut writer = encoder.write_header().expect("a PNG");
            writer.write_image_data(&picture.rgba).expect("pixels");
        }
        picture
    }
}
