//! Two models side by side, the second coloured by its distance from the first.

use super::choose::{self, Wish};
use super::output::Target;
use super::{Done, Studio, refused, still};
use crate::args::RenderArgs;
use crate::commands::{Loaded, load, new_report};
use crate::console::Console;
use crate::input::Input;
use crate::render::{report, style};
use ligament::compare::SideBySide;
use ligament::pose::Pose;
use ligament::report::{Place, drawing};
use ligament::{Failure, Report};
use ligament_render::{Anchor, Label, Legend, Model, Shot, Stage, heat, poses_of};
use serde_json::json;

/// Colour of vertices without a counterpart in the other model.
const ALONE: [u8; 4] = [170, 172, 178, 255];

pub fn run(
    args: &RenderArgs,
    input: &Input,
    report: &mut Report,
    console: &mut Console,
) -> Result<Done, Failure> {
    let options = args.read.options();
    let path = args.output.clone().unwrap_or_default();
    let first = load(input, &options, report)?;
    let other = Input::new(&args.files[1]);
    let second = read_second(&other, &options, console)?;
    let wish = choose::wish(args, &first.scene, report)?;
    let target = Target::open(&path, report, console)?;
    let mut studio = Studio::open(report)?;
    let names = [input.name().to_owned(), other.name().to_owned()];
    let mut first = studio.load(first, report)?;
    let mut second = studio.load(second, report)?;
    let measured = measure(&first, &second, &wish, report);
    let size = args.size.unwrap_or_else(|| {
        let [width, height] = still::size(args);
        [width * 2, height]
    });
    let picture = draw(&mut studio, [&mut first, &mut second], &wish, &measured, size, names, report)?;
    let file = target.write_picture(&picture, report, console)?;
    let clip = wish.clip_of(first.scene()).map(|clip| clip.name.clone());
    let more = json!({ "worst": measured.worst, "model_size": measured.size });
    Ok(Done { files: file.into_iter().collect(), pictures: 1, size, clip, more: Some(more) })
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
struct Measured {
    poses: [Pose; 2],
    distances: Vec<Option<f64>>,
    worst: f64,
    size: f64,
}

fn measure(first: &Model, second: &Model, wish: &Wish, report: &mut Report) -> Measured {
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

fn draw(
    studio: &mut Studio,
    models: [&mut Model; 2],
    wish: &Wish,
    measured: &Measured,
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
    let paint: Vec<[u8; 4]> = measured
        .distances
        .iter()
        .map(|distance| distance.map_or(ALONE, |d| heat((d / measured.worst.max(f64::MIN_POSITIVE)) as f32)))
        .collect();
    let worst =
        format!("{} ({})", style::short(measured.worst), style::percent(measured.worst / measured.size));
    let legend = Legend::new("distance", "0", &worst, half);
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
