//! `ligament render`: pictures of models.
//!
//! | file | contents |
//! |---|---|
//! | `still.rs` | one picture |
//! | `sequence.rs` | several pictures: image sequences, animations, turntables |
//! | `sheet.rs` | every clip at several times |
//! | `diff.rs` | two models side by side |
//! | `worst.rs` | two models in the pose in which they differ most, for reports |
//! | `batch.rs` | one thumbnail per file |
//! | `choose.rs`, `joints.rs` | the requested clip, camera, joint and look |
//! | `texture.rs` | the base colour of models without textures |
//! | `encode.rs`, `output.rs` | PNG, JPEG, WebP, GIF and animated PNG, and the files they go to |

mod batch;
mod choose;
mod diff;
mod encode;
mod joints;
mod output;
mod sequence;
mod sheet;
mod still;
mod texture;
pub mod worst;

use super::{Loaded, complain, extend, load, new_report, outcome};
use crate::args::{RenderArgs, ShowWord};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{Input, is_stream};
use crate::progress::Progress;
use crate::render::{report, style};
use choose::Wish;
use clap::ValueEnum;
use ligament::internal::is_same_file;
use ligament::io::Folder;
use ligament::report::Severity;
use ligament::{Failure, Report, Scene};
use ligament_render::{Gpu, Model, PICTURE_FORMAT, RenderError, Renderer};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The outcome.
#[derive(Default)]
struct Done {
    files: Vec<PathBuf>,
    pictures: u32,
    size: [u32; 2],
    clip: Option<String>,
    /// Further members of the JSON result.
    more: Option<Value>,
}

pub fn run(args: &RenderArgs, console: &mut Console) -> Exit {
    keep_driver_quiet();
    let path = check(args).and_then(|()| if args.batch { Ok(PathBuf::new()) } else { output::resolve(args) });
    let path = match path {
        Ok(path) => path,
        Err(message) => {
            console.err(&format!("{}: {message}\n", style::error("error")));
            return Exit::Usage;
        }
    };
    if args.batch {
        return batch::run(args, console);
    }
    let options = args.read.options();
    let mut report = new_report(&options);
    let input = Input::new(&args.files[0]);
    let done = draw(args, &input, &path, &mut report, console);
    let exit = done.as_ref().err().map_or(Exit::Done, |&failure| failure.into());
    tell(args, &input, exit, done.as_ref().ok(), &report, console);
    exit
}

/// Without a desktop session (on servers, in containers), the layer of Mesa that asks the display server to choose between
/// graphics cards complains on standard error. This disables it.
#[allow(unsafe_code)] // there is no safe way to set a variable
pub fn keep_driver_quiet() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: no other thread runs yet, because the command does this first.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// Checks what clap cannot express.
fn check(args: &RenderArgs) -> Result<(), String> {
    if let Some(words) = separated_words(args) {
        return Err(format!("the words of --show are separated by commas: --show {words}"));
    }
    check_files(args).map_err(str::to_owned)
}

/// What `--show skeleton names` should have been, if a word for --show became a file.
fn separated_words(args: &RenderArgs) -> Option<String> {
    let is_word = |path: &&PathBuf| {
        !path.exists() && path.to_str().is_some_and(|word| ShowWord::from_str(word, true).is_ok())
    };
    let words: Vec<&PathBuf> = args.files.iter().filter(is_word).collect();
    if words.is_empty() || args.show.is_empty() {
        return None;
    }
    let given =
        args.show.iter().filter_map(|word| word.to_possible_value()).map(|word| word.get_name().to_owned());
    let all: Vec<String> = given.chain(words.iter().map(|word| word.display().to_string())).collect();
    Some(all.join(","))
}

fn check_files(args: &RenderArgs) -> Result<(), &'static str> {
    match args.files.len() {
        2 if args.diff => {}
        _ if args.diff => return Err("--diff takes two models"),
        1 => {}
        _ if !args.batch => return Err("expected one model; --diff takes two, and --batch takes any number"),
        _ => {}
    }
    if args.files.iter().filter(|file| is_stream(file)).count() > 1 {
        return Err("only one of the models can come from standard input");
    }
    let to_stream = args.output.as_deref().is_some_and(is_stream);
    if to_stream && (args.frames || (args.turntable.is_some() && !args.gif && !args.apng)) {
        return Err("standard output can take only one file; use --gif or --apng, or name a file");
    }
    if to_stream && args.json {
        return Err("the picture itself goes to standard output; with --json, name an output file");
    }
    let output = args.output.as_deref().filter(|output| !is_stream(output));
    if output.is_some_and(|output| args.files.iter().any(|file| is_same_file(file, output))) {
        return Err("the picture would replace the model; name another output file");
    }
    Ok(())
}

fn draw(
    args: &RenderArgs,
    input: &Input,
    path: &Path,
    report: &mut Report,
    console: &mut Console,
) -> Result<Done, Failure> {
    let options = args.read.options();
    let _progress = Progress::start(format!("drawing {}", style::safe(input.name())), args.quiet);
    if args.diff {
        return diff::run(args, input, path, report, console);
    }
    let mut loaded = load(input, &options, report)?;
    texture::apply(args, &mut loaded.imported.scene, report)?;
    // Before the device is opened, so that a wrong name is reported without delay.
    let wish = choose::wish(args, &loaded.imported.scene, report)?;
    let mut studio = Studio::open(report)?;
    let model = studio.load(loaded, report)?;
    let is_sequence = wish.is_sequence(args);
    let job = Job { args, studio: &mut studio, model, wish, path };
    if args.contact_sheet {
        sheet::run(job, report, console)
    } else if is_sequence {
        sequence::run(job, report, console)
    } else {
        still::run(job, still::size(args), report, console)
    }
}

/// A model on the device, the request, and the output.
struct Job<'a> {
    args: &'a RenderArgs,
    studio: &'a mut Studio,
    model: Model,
    wish: Wish,
    path: &'a Path,
}

/// A renderer, and the report for its problems.
struct Studio {
    renderer: Renderer,
}

impl Studio {
    fn open(report: &mut Report) -> Result<Self, Failure> {
        let renderer = Gpu::new().and_then(|gpu| Renderer::new(gpu, PICTURE_FORMAT));
        renderer.map(|renderer| Self { renderer }).map_err(|error| refused(&error, report))
    }

    fn load(&mut self, loaded: Loaded, report: &mut Report) -> Result<Model, Failure> {
        self.load_scene(loaded.imported.scene, &*loaded.folder, report)
    }

    fn load_scene(
        &mut self,
        scene: Scene,
        folder: &dyn Folder,
        report: &mut Report,
    ) -> Result<Model, Failure> {
        let model = self.renderer.load(scene, folder);
        let model = model.map_err(|error| refused(&error, report))?;
        model.notes().tell(report);
        Ok(model)
    }
}

/// Reports why nothing can be drawn.
fn refused(error: &RenderError, report: &mut Report) -> Failure {
    report.push(error.diagnostic());
    match error {
        RenderError::TooLarge(_) | RenderError::ModelTooLarge(_) => Failure::Usage,
        _ => Failure::Io,
    }
}

/// Reports what was drawn, or why nothing was.
fn tell(
    args: &RenderArgs,
    input: &Input,
    exit: Exit,
    done: Option<&Done>,
    report: &Report,
    console: &mut Console,
) {
    match done {
        None => console.err(&report::failure(report, input)),
        Some(_) if args.quiet || args.json => {}
        Some(done) => {
            let report = about_picture(report);
            let text = summary(input, done, &report) + &report::lines(&report);
            if args.output.as_deref().is_some_and(is_stream) {
                console.err(&text)
            } else {
                console.out(&text)
            }
        }
    }
    if args.json {
        let mut object = outcome(exit);
        extend(&mut object, json!({ "input": input.name() }));
        extend(&mut object, done.map_or(json!({}), Done::to_json));
        extend(&mut object, report.to_json());
        console.json(&object);
    }
}

/// What the report says about the picture: what could not be drawn, errors, and requests that were not met. What else the
/// file is like, `validate` tells.
fn about_picture(report: &Report) -> Report {
    let mut own = Report::default();
    let is_own = |code: &str| ["RD", "PO", "PS"].iter().any(|topic| code.starts_with(topic));
    for diagnostic in report.diagnostics() {
        if diagnostic.severity == Severity::Error || is_own(diagnostic.code.id) {
            own.push(diagnostic.clone());
        }
    }
    own
}

/// `mage.pfobj → mage.png   640×640   clip "walk"   1 warning`.
fn summary(input: &Input, done: &Done, report: &Report) -> String {
    let to = match &done.files[..] {
        [] => "<stdout>".to_owned(),
        [only] => style::safe(&only.display().to_string()),
        [first, .., last] => {
            format!(
                "{} … {}",
                style::safe(&first.display().to_string()),
                style::safe(&last.display().to_string())
            )
        }
    };
    let mut parts = vec![
        style::bold(&format!("{} → {to}", style::safe(input.name()))),
        format!("{}×{}", done.size[0], done.size[1]),
    ];
    if done.pictures > 1 {
        parts.push(style::counted(done.pictures as usize, "picture", "pictures"));
    }
    parts.extend(done.clip.as_ref().map(|clip| format!("clip {}", style::name(clip))));
    let tally = report.tally();
    if !tally.is_empty() {
        parts.push(tally);
    }
    parts.join("   ") + "\n"
}

impl Done {
    fn to_json(&self) -> Value {
        let files: Vec<_> = self.files.iter().map(|file| file.display().to_string()).collect();
        let mut object = json!({
            "outputs": files,
            "pictures": self.pictures,
            "width": self.size[0],
            "height": self.size[1],
            "clip": self.clip,
        });
        extend(&mut object, self.more.clone().unwrap_or(json!({})));
        object
    }
}
