//! Two models side by side, the second coloured by its distance from the first.

use super::choose::{self, Wish};
use super::output::Target;
use super::{Done, Studio, refused, still, texture};
use crate::args::RenderArgs;
use crate::commands::{Loaded, load, new_report};
use crate::console::Console;
use crate::input::Input;
use crate::render::{report, style};
use ligament::compare::{CompareOptions, SideBySide, compare};
use ligament::pose::Pose;
use ligament::report::{Place, drawing};
use ligament::{Failure, Report, Scene};
use ligament_render::{Anchor, Label, Legend, Model, Shot, Stage, deviations, is_identical, poses_of};
use serde_json::json;
use std::path::Path;

pub fn run(
    args: &RenderArgs,
    input: &Input,
    path: &Path,
    report: &mut Report,
    console: &mut Console,
) -> Result<Done, Failure> {
    let options = args.read.options();
    let mut first = load(input, &options, report)?;
    let other = Input::new(&args.files[1]);
    let mut second = read_second(&other, &options, console)?;
    texture::apply(args, &mut first.imported.scene, report)?;
    texture::apply(args, &mut second.imported.scene, report)?;
    let mut wish = choose::wish(args, &first.imported.scene, report)?;
    let target = Target::open(path, report, console)?;
    if args.at.is_none() {
        turn_to_worst(&first.imported.scene, &second.imported.scene, &mut wish);
    }
    let mut studio = Studio::open(report)?;
    let names = [input.name().to_owned(), other.name().to_owned()];
    let mut first = studio.load(first, report)?;
    let mut second = studio.load(second, report)?;
    let measured = measure(&first, &second, &wish, report);
    let size = args.size.unwrap_or_else(|| {
        let [width, height] = still::size(args);
        [width * 2, height]
    });
    let most = args.scale_max.map(|part| part * measured.size);
    let picture = draw(&mut studio, [&mut first, &mut second], &wish, &measured, most, size, names, report)?;
    let file = target.write_picture(&picture, report, console)?;
    let clip = wish.clip_of(first.scene()).map(|clip| clip.name.clone());
    let more = json!({
        "worst": measured.worst,
        "model_size": measured.size,
        "time": wish.clip.map(|_| wish.at),
        "identical": measured.is_identical(),
    });
    Ok(Done { files: file.into_iter().collect(), pictures: 1, size, clip, more: Some(more) })
}

/// The pose in which the models differ most: of the clip that was asked for, or else of all.
fn turn_to_worst(first: &Scene, second: &Scene, wish: &mut Wish) {
    let comparison = compare(first, second, &CompareOptions::default());
    let wanted = wish.clip_of(first).map(|clip| clip.name.as_str());
    let worst = match wanted {
        None => comparison.worst.as_ref(),
        Some(_) => comparison.by_clip.iter().find(|worst| worst.clip.as_deref() == wanted),
    };
    let Some(worst) = worst else { return };
    let Some(name) = &worst.clip else { return };
    if let Some(clip) = first.clips.iter().position(|clip| clip.name == *name) {
        (wish.clip, wish.at) = (Some(clip), worst.time as f32);
    }
}

/// Reads the second model. Its problems are printed at once, because the report is about the first model.
fn read_second<'a>(
    input: &'a Input,
    options: &ligament::formats::ReadOptions,
    console: &mut Console,
) -> Result<Loaded<'a>, Failure> {
    let mut own = new_report(options);
    load(input, options, &mut own).inspect_err(|_| console.err(&report::failure(&own, input)))
}

/// The deviation of the second model in the pose that is drawn.
pub(super) struct Measured {
    pub(super) poses: [Pose; 2],
    pub(super) distances: Vec<Option<f64>>,
    pub(super) worst: f64,
    pub(super) size: f64,
}

impl Measured {
    pub(super) fn is_identical(&self) -> bool {
        is_identical(self.worst, self.size)
    }
}

pub(super) fn measure(first: &Model, second: &Model, wish: &Wish, report: &mut Report) -> Measured {
    let both = SideBySide::new(first.scene(), second.scene());
    let pose = wish.pose(first.scene(), wish.at);
    let partner = wish.clip.map(|clip| both.clips().iter().find(|pair| pair.0 == clip).map(|pair| pair.1));
    let other = match partner {
        Some(Some(clip)) => Pose::at(second.scene(), &second.scene().clips[clip], wish.at),
        Some(None) => {
            let message = "the second model has no such clip; it is drawn at rest";
            report.warning(&drawing::MODEL, Place::WHOLE, message);
            Pose::rest(second.scene())
        }
        None => Pose::rest(second.scene()),
    };
    let distances = both.distances(&pose, &other);
    if distances.iter().all(Option::is_none) {
        report.warning(&drawing::MODEL, Place::WHOLE, "the models have no faces in common to compare");
    }
    let worst = distances.iter().flatten().copied().fold(0.0, f64::max);
    Measured { poses: [pose, other], distances, worst, size: both.size() }
}

#[allow(clippy::too_many_arguments)]
fn draw(
    studio: &mut Studio,
    models: [&mut Model; 2],
    wish: &Wish,
    measured: &Measured,
    most: Option<f64>,
    size: [u32; 2],
    names: [String; 2],
    report: &mut Report,
) -> Result<ligament_render::Picture, Failure> {
    let half = [(size[0] / 2).max(1), size[1]];
    let scene = models[0].scene();
    let aspect = f64::from(half[0]) / f64::from(half[1]);
    // Both are framed like the first, so that a displaced model is seen to be displaced.
    let stage =
        Stage::new(scene, poses_of(scene, wish.clip_of(scene)), wish.side, aspect, (&wish.look).into());
    let camera = stage.camera_of(scene, &measured.poses[0], wish.camera);
    let scale = most.unwrap_or(measured.worst);
    let distances = measured.distances.iter().copied();
    let paint = deviations(distances, measured.worst, scale, measured.size);
    let said = |length: f64| format!("{} ({})", style::short(length), style::percent(length / measured.size));
    let legend = if measured.is_identical() {
        let text = match measured.worst {
            0.0 => "identical".to_owned(),
            worst => format!("identical: at most {}", said(worst)),
        };
        Legend::note(&text, half)
    } else {
        let title = match (wish.clip_of(scene), most) {
            (Some(clip), None) => format!("distance, {} at {:.2} s", style::safe(&clip.name), wish.at),
            (Some(clip), Some(_)) => format!(
                "distance up to {}, {} at {:.2} s",
                said(measured.worst),
                style::safe(&clip.name),
                wish.at
            ),
            (None, Some(_)) => format!("distance up to {}", said(measured.worst)),
            (None, None) => "distance".to_owned(),
        };
        Legend::new(&title, "0", &said(scale), half)
    };
    let text = (size[1] as f32 / 36.0).clamp(10.0, 24.0);
    let mut areas = [[0, 0, half[0], half[1]], [half[0], 0, size[0] - half[0], half[1]]].into_iter();
    for (number, model) in models.into_iter().enumerate() {
        let mut labels = vec![Label {
            text: style::safe(&names[number]),
            at: [text * 0.7, text * 0.6],
            size: text,
            color: [24, 28, 40, 255],
            rim: Some([255, 255, 255, 200]),
            anchor: Anchor::Left,
        }];
        if number == 1 {
            labels.extend(legend.labels.iter().cloned());
        }
        let shot = Shot {
            camera: &camera,
            paint: (number == 1).then_some(&paint[..]),
            blocks: if number == 1 { &legend.blocks } else { &[] },
            labels: &labels,
            area: areas.next(),
            keep: number == 1,
            ..Shot::new(&measured.poses[number], &stage, &wish.look)
        };
        let notes =
            studio.renderer.draw_inside(model, &shot, size).map_err(|error| refused(&error, report))?;
        notes.tell(report);
    }
    studio.renderer.finish().map_err(|error| refused(&error, report))
}
