//! The joint that --weights names.

use ligament::internal::most_similar;
use ligament::report::{Diagnostic, Place, Severity, drawing};
use ligament::scene::NodeId;
use ligament::{Failure, Report, Scene};
use ligament_render::shared_prefix;

/// Names that an error lists.
const LISTED: usize = 12;

/// The joint of a name: the whole one, or the one behind a prefix that all joints share, such as `mixamorig:`; in lower or
/// upper case.
pub fn joint(name: &str, scene: &Scene, report: &mut Report) -> Result<NodeId, Failure> {
    let joints: Vec<NodeId> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let full: Vec<&str> = joints.iter().map(|joint| scene.nodes[joint.index()].name.as_str()).collect();
    let prefix = shared_prefix(&full);
    let short: Vec<&str> = full.iter().map(|name| name.strip_prefix(prefix).unwrap_or(name)).collect();
    let same = |own: &str| own.to_lowercase() == name.to_lowercase();
    let found = (full.iter().position(|own| *own == name))
        .or_else(|| short.iter().position(|own| *own == name))
        .or_else(|| full.iter().position(|own| same(own)))
        .or_else(|| short.iter().position(|own| same(own)));
    if let Some(found) = found {
        return Ok(joints[found]);
    }
    let mut message = format!("there is no joint {name:?}");
    if joints.is_empty() {
        message += ": the file has no skins";
    }
    let mut diagnostic = Diagnostic::new(Severity::Error, &drawing::UNKNOWN_JOINT, Place::WHOLE, message);
    let similar = most_similar(name, short.iter().copied())
        .and_then(|similar| short.iter().position(|own| *own == similar))
        .or_else(|| {
            most_similar(name, full.iter().copied()).and_then(|own| full.iter().position(|n| *n == own))
        });
    if let Some(similar) = similar {
        diagnostic = diagnostic.help(format!("did you mean {:?}?", full[similar]));
    } else if !short.is_empty() {
        let mut names: Vec<String> = short.iter().take(LISTED).map(|name| format!("{name:?}")).collect();
        if short.len() > LISTED {
            names.push(format!("{} more (`--show skeleton,names` draws them)", short.len() - LISTED));
        }
        diagnostic = diagnostic.help(format!("the file has {}", names.join(", ")));
    }
    report.push(diagnostic);
    Err(Failure::Usage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::scene::{Node, Skin};

    fn scene(names: &[&str]) -> Scene {
        let mut scene = Scene::default();
        let joints: Vec<NodeId> =
            names.iter().map(|&name| scene.add_node(Node { name: name.into(), ..Node::default() })).collect();
        let inverse_binds = vec![ligament::math::Mat4::IDENTITY.to_cols_array(); joints.len()];
        scene.skins.push(Skin { joints, inverse_binds, ..Skin::default() });
        scene
    }

    #[test]
    fn a_shared_prefix_need_not_be_typed() {
        let scene = scene(&["mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine2"]);
        let found = |name: &str| joint(name, &scene, &mut Report::default()).ok().map(|joint| joint.index());
        assert_eq!((found("Spine2"), found("mixamorig:Spine2"), found("hips")), (Some(2), Some(2), Some(0)));
        let mut report = Report::default();
        assert!(joint("Spine3", &scene, &mut report).is_err());
        let help = report.diagnostics()[0].help.clone().unwrap_or_default();
        assert!(help.contains("mixamorig:Spine"), "{help}");
        let mut report = Report::default();
        assert!(joint("LeftHandThumb", &scene, &mut report).is_err());
        let help = report.diagnostics()[0].help.clone().unwrap_or_default();
        assert!(help.contains("\"Hips\", \"Spine\", \"Spine2\""), "{help}");
    }
}
