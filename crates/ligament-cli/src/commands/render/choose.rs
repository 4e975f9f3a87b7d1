//! The requested clip, camera, joint and look.

use super::encode;
use super::joints::joint;
use crate::args::{LightsWord, RenderArgs, ShowWord};
use ligament::internal::most_similar;
use ligament::passes::bake_pose::codes as posing;
use ligament::passes::select_clips::select_clips;
use ligament::pose::Pose;
use ligament::report::{Diagnostic, Place, Severity, drawing};
use ligament::scene::{Clip, NodeId};
use ligament::{Failure, Report, Scene};
use ligament_render::{Camera, Lighting, Look, Model, Picture, Seen, Side, Stage, Surface, poses_of};

/// The request, in terms of a scene.
pub struct Wish {
    /// The clip's index; `None` is the rest pose.
    pub clip: Option<usize>,
    pub at: f32,
    pub side: Side,
    /// The node of the requested camera.
    pub camera: Option<NodeId>,
    pub look: Look,
}

impl Wish {
    /// Whether the request results in more than one picture.
    pub fn is_sequence(&self, args: &RenderArgs) -> bool {
        args.frames || animated(args) || args.turntable.is_some()
    }

    pub fn clip_of<'a>(&self, scene: &'a Scene) -> Option<&'a Clip> {
        self.clip.and_then(|clip| scene.clips.get(clip))
    }

    pub fn pose(&self, scene: &Scene, seconds: f32) -> Pose {
        match self.clip_of(scene) {
            Some(clip) => Pose::at(scene, clip, seconds),
            None => Pose::rest(scene),
        }
    }

    /// The stage that contains the model over the whole clip.
    pub fn stage(&self, model: &Model, all_around: bool, size: [u32; 2]) -> Stage {
        let scene = model.scene();
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let seen = Seen { all_around, ..Seen::from(&self.look) };
        Stage::new(scene, poses_of(scene, self.clip_of(scene)), self.side, aspect, seen)
    }

    /// The camera for a pose.
    pub fn view(&self, model: &Model, stage: &Stage, pose: &Pose) -> Camera {
        stage.camera_of(model.scene(), pose, self.camera)
    }
}

/// Whether an animation was requested, by an option or by the output's extension.
pub fn animated(args: &RenderArgs) -> bool {
    args.gif || args.apng || has_extension(args, "gif") || has_extension(args, "apng")
}

/// Whether the output is a GIF.
pub fn is_gif(args: &RenderArgs) -> bool {
    args.gif || (has_extension(args, "gif") && !args.apng)
}

/// Whether a clip moves anything. FBX files by Mixamo all begin with an empty "Take 001".
pub fn moves(clip: &Clip) -> bool {
    clip.tracks.iter().any(|track| !track.times.is_empty())
}

fn has_extension(args: &RenderArgs, extension: &str) -> bool {
    let own = args.output.as_deref().and_then(|path| path.extension());
    own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// Whether every pixel of a picture with this look is opaque.
pub fn is_solid(look: &Look, first: &Picture) -> bool {
    look.background[3] == 255 && encode::is_solid(first)
}

pub fn wish(args: &RenderArgs, scene: &Scene, report: &mut Report) -> Result<Wish, Failure> {
    let clip = clip(args, scene, report)?;
    let at = args.at.unwrap_or(0.0);
    if let Some(clip) = clip.and_then(|clip| scene.clips.get(clip)).filter(|clip| at > clip.duration) {
        let message = format!(
            "{at} s is past the end of the clip, which lasts {} s; its last pose is drawn",
            clip.duration
        );
        report.warning(&posing::PAST_END, Place::WHOLE, message);
    }
    let (side, camera) = camera(&args.camera, scene, report)?;
    let side = turned(args, side, camera, report)?;
    let weights = args.weights.as_deref().map(|name| joint(name, scene, report)).transpose()?;
    Ok(Wish { clip, at, side, camera, look: look(args, weights) })
}

fn clip(args: &RenderArgs, scene: &Scene, report: &mut Report) -> Result<Option<usize>, Failure> {
    if let Some(name) = &args.clip {
        // The names are enough to choose from.
        let clips = scene.clips.iter().map(|clip| Clip { name: clip.name.clone(), ..Clip::default() });
        let mut names = Scene { clips: clips.collect(), ..Scene::default() };
        select_clips(&mut names, std::slice::from_ref(name), report)?;
        return Ok(scene.clips.iter().position(|clip| clip.name == *name));
    }
    let plays = args.at.is_some() || args.frames || (animated(args) && args.turntable.is_none());
    let moving: Vec<usize> = (0..scene.clips.len()).filter(|&clip| moves(&scene.clips[clip])).collect();
    match moving[..] {
        _ if !plays => Ok(None),
        [] => {
            let message = match scene.clips.is_empty() {
                true => "the file has no clips; the model is drawn at rest",
                false => "no clip of the file moves anything; the model is drawn at rest",
            };
            report.warning(&drawing::MODEL, Place::WHOLE, message);
            Ok(None)
        }
        [only] => Ok(Some(only)),
        _ => {
            let names: Vec<_> = moving.iter().map(|&clip| format!("{:?}", scene.clips[clip].name)).collect();
            let message = format!("the file has several clips: {}", names.join(", "));
            let diagnostic = Diagnostic::new(Severity::Error, &posing::WHICH_CLIP, Place::WHOLE, message);
            report.push(diagnostic.help("name one with --clip"));
            Err(Failure::Usage)
        }
    }
}

/// Three-quarter from behind.
pub const BEHIND: Side = Side::Angles { around: 215.0, above: 16.0 };

/// The side with the angles of --yaw and --pitch.
fn turned(
    args: &RenderArgs,
    side: Side,
    camera: Option<NodeId>,
    report: &mut Report,
) -> Result<Side, Failure> {
    if args.yaw.is_none() && args.pitch.is_none() {
        return Ok(side);
    }
    if camera.is_some() {
        let message =
            format!("--yaw and --pitch cannot turn {:?}, which is a camera of the file", args.camera);
        let diagnostic = Diagnostic::new(Severity::Error, &drawing::UNKNOWN_CAMERA, Place::WHOLE, message);
        report.push(diagnostic.help("leave out --camera, or name a side"));
        return Err(Failure::Usage);
    }
    let (around, above) = side.angles();
    Ok(Side::Angles { around: args.yaw.unwrap_or(around), above: args.pitch.unwrap_or(above) })
}

fn camera(word: &str, scene: &Scene, report: &mut Report) -> Result<(Side, Option<NodeId>), Failure> {
    const SIDES: [(&str, Side); 9] = [
        ("front", Side::Front),
        ("back", Side::Back),
        ("left", Side::Angles { around: -90.0, above: 0.0 }),
        ("right", Side::Side),
        ("top", Side::Top),
        ("below", Side::Angles { around: 0.0, above: -90.0 }),
        ("three-quarter", Side::ThreeQuarter),
        ("behind", BEHIND),
        ("side", Side::Side),
    ];
    // A camera in the file wins over a side of the same name: the author named it so.
    let cameras = || {
        scene.node_ids().filter_map(|id| {
            let node = &scene.nodes[id.index()];
            Some((id, &node.name, &scene.cameras.get(node.camera?.index())?.name))
        })
    };
    if let Some((id, ..)) = cameras().find(|(_, node, camera)| *camera == word || *node == word) {
        return Ok((Side::ThreeQuarter, Some(id)));
    }
    if let Some((_, side)) = SIDES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return Ok((*side, None));
    }
    let known: Vec<String> = SIDES
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .chain(
            cameras().map(|(_, node, camera)| if camera.is_empty() { node.clone() } else { camera.clone() }),
        )
        .filter(|name| !name.is_empty())
        .collect();
    let message = format!("there is no camera {word:?}; expected one of: {}", known.join(", "));
    let mut diagnostic = Diagnostic::new(Severity::Error, &drawing::UNKNOWN_CAMERA, Place::WHOLE, message);
    if let Some(similar) = most_similar(word, known.iter().map(String::as_str)) {
        diagnostic = diagnostic.help(format!("did you mean {similar:?}?"));
    }
    report.push(diagnostic);
    Err(Failure::Usage)
}

pub fn look(args: &RenderArgs, weights: Option<NodeId>) -> Look {
    let shows = |word: ShowWord| args.show.contains(&word);
    let surface = match weights {
        Some(joint) => Surface::Weights(joint),
        None if shows(ShowWord::Uv) => Surface::UvChecker,
        None if shows(ShowWord::Flat) => Surface::Flat,
        None if shows(ShowWord::Colors) => Surface::Colors,
        None => Surface::Materials,
    };
    let plain = Look::default();
    Look {
        background: args.background.unwrap_or(plain.background),
        surface,
        lighting: match args.lights {
            LightsWord::Auto => Lighting::Auto,
            LightsWord::Studio => Lighting::Studio,
        },
        two_sided: args.two_sided,
        skeleton: shows(ShowWord::Skeleton),
        names: shows(ShowWord::Names),
        axes: shows(ShowWord::Axes),
        wire: shows(ShowWord::Wire),
        normals: shows(ShowWord::Normals),
        tangents: shows(ShowWord::Tangents),
        bounds: shows(ShowWord::Bounds),
        grid: shows(ShowWord::Grid),
        shadow: !args.no_shadow,
    }
}
