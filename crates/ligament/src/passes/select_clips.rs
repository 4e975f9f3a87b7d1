//! Keeps only some clips.

use super::codes;
use crate::report::{Diagnostic, Failure, Place, Report, Severity, most_similar};
use crate::scene::{Clip, Scene};

/// Keeps the clips with these names, in the scene's order, and returns the indices that they had. An unknown name is an error that lists the clips of the file
/// ([`Failure::Usage`]).
///
/// ```
/// use ligament::passes::select_clips::select_clips;
/// use ligament::scene::{Clip, Scene};
///
/// let clip = |name: &str| Clip { name: name.into(), ..Clip::default() };
/// let mut scene = Scene { clips: vec![clip("Idle"), clip("Walk")], ..Scene::default() };
/// select_clips(&mut scene, &["Walk".into()], &mut Default::default()).unwrap();
/// assert_eq!(scene.clips.len(), 1);
/// ```
pub fn select_clips(scene: &mut Scene, names: &[String], report: &mut Report) -> Result<Vec<usize>, Failure> {
    let mut unknown = false;
    for name in names.iter().filter(|name| !scene.clips.iter().any(|c| c.name == **name)) {
        unknown = true;
        let there_are: Vec<_> = scene.clips.iter().map(|c| format!("{:?}", c.name)).collect();
        let message = match there_are.len() {
            0 => format!("there is no clip {name:?}: the file has no clips"),
            _ => format!("there is no clip {name:?}; the file has {}", there_are.join(", ")),
        };
        let mut diagnostic = Diagnostic::new(Severity::Error, &codes::UNKNOWN_CLIP, Place::WHOLE, message);
        if let Some(similar) = most_similar(name, scene.clips.iter().map(|c| c.name.as_str())) {
            diagnostic = diagnostic.help(format!("did you mean {similar:?}?"));
        }
        report.push(diagnostic);
    }
    if unknown {
        return Err(Failure::Usage);
    }
    let is_kept = |clip: &Clip| names.contains(&clip.name);
    let kept = (0..scene.clips.len()).filter(|&i| is_kept(&scene.clips[i])).collect();
    scene.clips.retain(is_kept);
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let clips = ["Idle", "Walk", "Run", "Walk"];
        let clips = clips.map(|name| Clip { name: name.into(), ..Clip::default() });
        Scene { clips: clips.into(), ..Scene::default() }
    }

    #[test]
    fn named_clips_stay_in_the_order_of_the_scene() {
        let mut scene = scene();
        let kept = select_clips(&mut scene, &["Walk".into(), "Idle".into()], &mut Report::default());
        assert_eq!(kept, Ok(vec![0, 1, 3]));
        let names: Vec<_> = scene.clips.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["Idle", "Walk", "Walk"]);
    }

    #[test]
    fn an_unknown_name_lists_the_clips_and_guesses() {
        let (mut scene, mut report) = (scene(), Report::default());
        let asked = ["Wlak".into(), "Jump".into(), "Run".into()];
        assert_eq!(select_clips(&mut scene, &asked, &mut report), Err(Failure::Usage));
        assert_eq!(scene.clips.len(), 4, "nothing is removed on failure");
        let found = report.diagnostics();
        assert_eq!(found.len(), 2);
        assert!(found[0].message.contains("\"Idle\", \"Walk\", \"Run\""), "{}", found[0].message);
        assert_eq!(found[0].help.as_deref(), Some("did you mean \"Walk\"?"));
        assert_eq!(found[1].help, None);
    }
}
