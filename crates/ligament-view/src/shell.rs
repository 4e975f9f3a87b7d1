//! The window: feeds its events into the state and shows the result.

use crate::Painter;
use crate::converting::ConvertEvent;
use crate::dialog::{Answer, choose, save_as};
use crate::event::{Event, Message, Wish};
use crate::jobs::{Jobs, Wake};
use crate::recent::Recent;
use crate::save::save;
use crate::screen::{Panes, Screen};
use crate::state::State;
use crate::surface::{Place, WindowSurface};
use ligament::formats::ReadOptions;
use ligament::internal::shown;
use ligament_render::{Picture, RenderError};
use ligament_watch::Watch;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

/// How often a lost device is replaced before the viewer gives up.
const MOST_DEVICES: u32 = 5;

/// The viewer's start options.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The files: two are shown side by side.
    pub files: Vec<PathBuf>,
    /// How files are read.
    pub read: ReadOptions,
    /// The window's size.
    pub size: Option<[u32; 2]>,
    /// The folder for saved pictures; the current one if `None`.
    pub pictures: PathBuf,
    /// A file to which the state is written whenever it changes, one line of JSON each time.
    pub log: Option<PathBuf>,
}

/// The reason why no window can be opened.
#[derive(Debug)]
pub enum ViewError {
    /// There is no screen to open it on.
    NoDisplay(String),
    /// No device can draw in it.
    Render(RenderError),
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::NoDisplay(why) => write!(f, "there is no screen to open a window on: {why}"),
            ViewError::Render(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ViewError {}

/// winit's error text without the source location that it begins with.
fn reason(text: &str) -> String {
    let after = text.strip_prefix("os error at ").and_then(|rest| rest.split_once(".rs:"));
    let said = after.and_then(|(_, rest)| rest.split_once(": ")).map_or(text, |(_, said)| said);
    said.trim_end_matches('.').to_owned()
}

/// A wake-up from another thread.
#[derive(Debug)]
enum News {
    Done,
    Changed(BTreeSet<PathBuf>),
    /// The answer of the file dialog, and whether the file goes beside the first.
    Chosen(Answer, bool),
    /// The answer of the dialog for a converted file.
    Target(Answer),
}

/// Opens a window and returns when it is closed.
pub fn run(options: Options) -> Result<(), ViewError> {
    let no_display = |error: &dyn fmt::Display| ViewError::NoDisplay(reason(&error.to_string()));
    let event_loop = EventLoop::<News>::with_user_event().build().map_err(|error| no_display(&error))?;
    let proxy = event_loop.create_proxy();
    let watch = Watch::new().ok().map(Arc::new);
    if let Some(watch) = &watch {
        let (watch, proxy) = (Arc::clone(watch), proxy.clone());
        // The thread ends with the process.
        std::thread::spawn(move || {
            while let Ok(changed) = watch.wait(|_| true) {
                if proxy.send_event(News::Changed(changed)).is_err() {
                    break;
                }
            }
        });
    }
    let mut shell = Shell { options, proxy, watch, running: None, error: None };
    event_loop.run_app(&mut shell).map_err(|error| no_display(&error))?;
    shell.error.map_or(Ok(()), Err)
}

struct Shell {
    options: Options,
    proxy: EventLoopProxy<News>,
    watch: Option<Arc<Watch>>,
    running: Option<Running>,
    error: Option<ViewError>,
}

impl Shell {
    fn start(&self, event_loop: &ActiveEventLoop) -> Result<Running, ViewError> {
        let [width, height] = self.options.size.unwrap_or([1280, 800]);
        let attributes = Window::default_attributes()
            .with_title("ligament")
            .with_inner_size(LogicalSize::new(f64::from(width), f64::from(height)));
        let window = event_loop
            .create_window(attributes)
            .map_err(|error| ViewError::NoDisplay(reason(&error.to_string())))?;
        let window = Arc::new(window);
        let devices = Devices::new(&window, event_loop).map_err(ViewError::Render)?;
        let proxy = self.proxy.clone();
        let wake: Wake = Arc::new(move || {
            let _ = proxy.send_event(News::Done);
        });
        let jobs = Jobs::new(devices.painter.renderer().loader(), self.options.read.clone(), wake);
        let mut state = State::new(jobs, Recent::of_user(), self.watch.clone());
        state.has_system_dialog = true;
        state.update(Event::Open(self.options.files.clone()));
        let log = self.options.log.as_ref().and_then(|path| File::create(path).ok());
        Ok(Running {
            window,
            proxy: self.proxy.clone(),
            devices,
            state,
            folder: self.options.pictures.clone(),
            log: log.map(|file| (file, Value::Null)),
            last: Instant::now(),
            due: None,
            devices_made: 1,
            title: String::new(),
        })
    }

    fn give_up(&mut self, error: ViewError, event_loop: &ActiveEventLoop) {
        self.error = Some(error);
        self.running = None;
        event_loop.exit();
    }
}

impl ApplicationHandler<News> for Shell {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.running.is_none() {
            match self.start(event_loop) {
                Ok(running) => {
                    running.window.request_redraw();
                    self.running = Some(running);
                }
                Err(error) => self.give_up(error, event_loop),
            }
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, news: News) {
        let Some(running) = &mut self.running else { return };
        match news {
            News::Done => {}
            News::Changed(paths) => running.state.update(Event::Changed(paths)),
            News::Chosen(Answer::File(path), true) => running.state.update(Event::OpenBeside(path)),
            News::Chosen(Answer::File(path), false) => running.state.update(Event::Open(vec![path])),
            News::Target(Answer::File(path)) => {
                running.state.update(Event::Convert(ConvertEvent::Output(path)));
                // The dialog has asked.
                running.state.update(Event::Convert(ConvertEvent::Replace(true)));
            }
            News::Target(Answer::NoDialog) => running.state.has_system_dialog = false,
            News::Chosen(Answer::Nothing, _) | News::Target(Answer::Nothing) => {}
            News::Chosen(Answer::NoDialog, beside) => running.state.update(Event::NoDialog(beside)),
        }
        running.window.request_redraw();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(running) = &mut self.running else { return };
        // egui asks for a redraw after every event; passing redraws to it would never end.
        let is_drawing = event == WindowEvent::RedrawRequested;
        if !is_drawing && running.devices.input.on_window_event(&running.window, &event).repaint {
            running.window.request_redraw();
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => {
                running.devices.surface.resize([size.width, size.height]);
                running.window.request_redraw();
            }
            WindowEvent::RedrawRequested => match running.redraw(event_loop) {
                Ok(false) => {}
                Ok(true) => event_loop.exit(),
                Err(error) => self.give_up(ViewError::Render(error), event_loop),
            },
            _ => {}
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(running) = &mut self.running else { return };
        match running.due {
            Some(due) if due <= Instant::now() => {
                running.due = None;
                running.window.request_redraw();
                event_loop.set_control_flow(ControlFlow::Wait);
            }
            Some(due) => event_loop.set_control_flow(ControlFlow::WaitUntil(due)),
            None => event_loop.set_control_flow(ControlFlow::Wait),
        }
    }
}

/// Everything that lives on a graphics device.
struct Devices {
    surface: WindowSurface,
    painter: Painter,
    screen: Screen,
    input: egui_winit::State,
}

impl Devices {
    fn new(window: &Arc<Window>, event_loop: &ActiveEventLoop) -> Result<Self, RenderError> {
        let surface = WindowSurface::new(Arc::clone(window), event_loop)?;
        let painter = Painter::new(surface.gpu.clone())?;
        let screen = Screen::new(&surface.gpu, surface.format());
        let most = surface.gpu.device.limits().max_texture_dimension_2d as usize;
        let scale = Some(window.scale_factor() as f32);
        let root = egui::ViewportId::ROOT;
        let input = egui_winit::State::new(screen.ctx.clone(), root, &**window, scale, None, Some(most));
        Ok(Self { surface, painter, screen, input })
    }
}

struct Running {
    window: Arc<Window>,
    proxy: EventLoopProxy<News>,
    devices: Devices,
    state: State,
    folder: PathBuf,
    /// The log file of the state, and the last line written.
    log: Option<(File, Value)>,
    last: Instant,
    /// When the next picture is due.
    due: Option<Instant>,
    devices_made: u32,
    title: String,
}

impl Running {
    /// Draws a picture. Returns whether the window should close.
    fn redraw(&mut self, event_loop: &ActiveEventLoop) -> Result<bool, RenderError> {
        let now = Instant::now();
        let passed = now.duration_since(std::mem::replace(&mut self.last, now));
        self.state.collect();
        self.state.update(Event::Tick(passed.as_secs_f64()));
        let input = self.devices.input.take_egui_input(&self.window);
        let mut output = self.devices.screen.run(input, &mut self.state);
        let platform = std::mem::take(&mut output.platform_output);
        self.devices.input.handle_platform_output(&self.window, platform);
        let mut panes = self.devices.screen.panes(&mut output);
        let painted = self.paint(&mut panes);
        self.devices.screen.release(&mut panes);
        let quit = match painted {
            Ok(quit) => quit,
            Err(RenderError::Lost(why)) => {
                self.replace_devices(why, event_loop)?;
                false
            }
            Err(error) => {
                self.state.update(Event::Say(Message::bad(format!("{error}; {}", error.help()))));
                false
            }
        };
        let asked = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        let next = [self.state.next_picture(), asked].into_iter().flatten().min();
        self.due = next.and_then(|delay| now.checked_add(delay));
        self.show_title();
        self.write_log();
        Ok(quit)
    }

    fn paint(&mut self, panes: &mut Panes) -> Result<bool, RenderError> {
        let Devices { surface, painter, screen, .. } = &mut self.devices;
        // Keep the layout even if the picture cannot be shown.
        screen.upload(panes);
        let drawn = painter.draw(&mut self.state);
        if let Ok(true) = &drawn {
            screen.set_layers(painter.layers());
        }
        let mut quit = false;
        for wish in self.state.wishes() {
            match wish {
                Wish::Quit => quit = true,
                Wish::Choose(beside) => {
                    let proxy = self.proxy.clone();
                    let title = if beside { "Open beside" } else { "Open a model" };
                    choose(title, &self.state.folder(), &self.window, move |answer| {
                        let _ = proxy.send_event(News::Chosen(answer, beside));
                    });
                }
                Wish::SaveAs => {
                    let proxy = self.proxy.clone();
                    let output = self.state.convert.as_ref().map(|convert| convert.output.clone());
                    save_as(&output.unwrap_or_default(), &self.window, move |answer| {
                        let _ = proxy.send_event(News::Target(answer));
                    });
                }
                Wish::Picture => {
                    let picture = painter.picture();
                    keep(picture, &self.folder, &mut self.state);
                }
                Wish::WindowPicture => {
                    let picture = screen.picture(panes, surface.size());
                    keep(picture, &self.folder, &mut self.state);
                }
            }
        }
        match surface.next()? {
            Place::Ready(texture) => {
                let view = texture.texture.create_view(&Default::default());
                screen.paint(panes, &view, surface.size());
                self.window.pre_present_notify();
                surface.gpu.queue.present(texture);
            }
            Place::Later => self.due = Some(Instant::now() + Duration::from_millis(100)),
        }
        drawn?;
        surface.gpu.check()?;
        Ok(quit)
    }

    /// Recreates everything on another device after this one was lost.
    fn replace_devices(&mut self, why: String, event_loop: &ActiveEventLoop) -> Result<(), RenderError> {
        if self.devices_made >= MOST_DEVICES {
            return Err(RenderError::Lost(why));
        }
        self.devices_made += 1;
        let memory = self.devices.screen.ctx.memory(Clone::clone);
        let devices = Devices::new(&self.window, event_loop)?;
        devices.screen.ctx.memory_mut(|own| *own = memory);
        self.devices = devices;
        self.state.move_to(self.devices.painter.renderer().loader());
        let message = format!("the graphics device was lost ({why}) and replaced");
        self.state.update(Event::Say(Message::bad(message)));
        self.window.request_redraw();
        Ok(())
    }

    fn show_title(&mut self) {
        let names: Vec<String> = self.state.slots.iter().map(|slot| slot.name()).collect();
        let title =
            if names.is_empty() { "ligament".to_owned() } else { names.join(" | ") + " – ligament" };
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    fn write_log(&mut self) {
        let Some((file, last)) = &mut self.log else { return };
        let now = self.state.summary();
        if now != *last {
            // Nothing depends on the log.
            let _ = writeln!(file, "{now}");
            *last = now;
        }
    }
}

/// Saves a picture and shows a message.
fn keep(picture: Result<Picture, RenderError>, folder: &std::path::Path, state: &mut State) {
    let stem = state.slots.first().and_then(|slot| slot.path.file_stem());
    let stem = stem.map_or_else(|| "ligament".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let saved = picture.map_err(|error| error.to_string()).and_then(|picture| {
        save(&picture, folder, &stem).map_err(|error| format!("the picture cannot be saved: {error}"))
    });
    let message = match saved {
        Ok(path) => {
            let text = format!("saved {}", shown::safe(&path.display().to_string()));
            state.pictures.push(path);
            Message::good(text)
        }
        Err(why) => Message::bad(why),
    };
    state.update(Event::Say(message));
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn reasons_do_not_name_lines_of_code() {
        let text = "os error at /home/x/winit/src/linux/mod.rs:765: neither A nor B is set.";
        assert_eq!(reason(text), "neither A nor B is set");
        assert_eq!(reason("X11 is not there"), "X11 is not there");
    }
}
