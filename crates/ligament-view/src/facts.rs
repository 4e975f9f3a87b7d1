//! A summary of a file's contents.

use ligament::Scene;
use ligament::internal::shown;
use ligament::io::Folder;
use ligament::pose::{Pose, bounds};
use ligament::scene::{Clip, Faces, ImageData, LightKind, Mesh, Projection};

/// Rows per section; further ones are only counted.
const MOST_ROWS: usize = 200;

/// A heading with rows of names and values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// Names and values.
    pub rows: Vec<(String, String)>,
}

/// The facts of a scene; `bytes` is its file's size.
pub fn of(scene: &Scene, bytes: u64, folder: &dyn Folder) -> Vec<Section> {
    let mut sections = vec![summary(scene, bytes)];
    let mut add = |title: &str, rows: &mut dyn Iterator<Item = (String, String)>, count: usize| {
        if count > 0 {
            let mut rows: Vec<_> = rows.take(MOST_ROWS).collect();
            if count > MOST_ROWS {
                rows.push(("…".to_owned(), format!("and {} more", count - MOST_ROWS)));
            }
            sections.push(Section { title: format!("{title} ({count})"), rows });
        }
    };
    let named = |name: &str, index: usize| label(name, index);
    let meshes = scene.meshes.iter().enumerate();
    add("Meshes", &mut meshes.map(|(i, m)| (named(&m.name, i), mesh(m))), scene.meshes.len());
    let skins = scene.skins.iter().enumerate();
    let joints = |count: usize| shown::counted(count, "joint", "joints");
    add("Skins", &mut skins.map(|(i, s)| (named(&s.name, i), joints(s.joints.len()))), scene.skins.len());
    let clips = scene.clips.iter().enumerate();
    add("Clips", &mut clips.map(|(i, c)| (named(&c.name, i), clip(c))), scene.clips.len());
    let images = scene.images.iter().enumerate().map(|(i, image)| match &image.data {
        ImageData::File(path) => {
            let found = if folder.contains(path) { "found" } else { "missing" };
            (shown::safe(path), found.to_owned())
        }
        ImageData::Embedded { mime, bytes } => {
            let text = format!("embedded, {}, {}", shown::safe(mime), shown::bytes(bytes.len() as u64));
            (named(&image.name, i), text)
        }
    });
    add("Images", &mut images.into_iter(), scene.images.len());
    let cameras = scene.cameras.iter().enumerate().map(|(i, camera)| {
        let kind = match camera.projection {
            Projection::Perspective { .. } => "perspective",
            Projection::Orthographic { .. } => "orthographic",
        };
        (named(&camera.name, i), kind.to_owned())
    });
    add("Cameras", &mut cameras.into_iter(), scene.cameras.len());
    let lights = scene.lights.iter().enumerate().map(|(i, light)| {
        let kind = match light.kind {
            LightKind::Directional => "directional",
            LightKind::Point => "point",
            LightKind::Spot { .. } => "spot",
        };
        (named(&light.name, i), format!("{kind}, {}", shown::short(f64::from(light.intensity))))
    });
    add("Lights", &mut lights.into_iter(), scene.lights.len());
    sections
}

/// A printable name, or the index where there is none.
pub fn label(name: &str, index: usize) -> String {
    if name.is_empty() { format!("number {index}") } else { shown::safe(name) }
}

fn summary(scene: &Scene, bytes: u64) -> Section {
    let counts = scene.counts();
    let mut rows = vec![
        ("size".to_owned(), shown::bytes(bytes)),
        ("vertices".to_owned(), counts.vertices.to_string()),
        ("joints".to_owned(), counts.joints.to_string()),
        ("clips".to_owned(), counts.clips.to_string()),
        ("nodes".to_owned(), scene.nodes.len().to_string()),
    ];
    if let Some(bounds) = bounds(scene, &Pose::rest(scene)) {
        let [x, y, z] = (bounds.max - bounds.min).to_array().map(|v| shown::short(f64::from(v)));
        rows.push(("extent".to_owned(), format!("{x} × {y} × {z}")));
    }
    Section { title: "File".to_owned(), rows }
}

fn mesh(mesh: &Mesh) -> String {
    let faces: usize = mesh.parts.iter().map(|part| part.faces.count()).sum();
    let kinds = |kind: fn(&Faces) -> bool| mesh.parts.iter().any(|part| kind(&part.faces));
    let word = if kinds(|f| matches!(f, Faces::Polygons { .. })) { "polygons" } else { "faces" };
    let mut parts =
        vec![shown::counted(mesh.vertex_count(), "vertex", "vertices"), format!("{faces} {word}")];
    if mesh.parts.len() > 1 {
        parts.push(format!("{} parts", mesh.parts.len()));
    }
    let influences = mesh.parts.iter().map(|part| part.influences.max_per_vertex()).max().unwrap_or(0);
    if influences > 0 {
        parts.push(format!("up to {} per vertex", shown::counted(influences, "influence", "influences")));
    }
    if !mesh.morphs.is_empty() {
        parts.push(shown::counted(mesh.morphs.len(), "morph", "morphs"));
    }
    parts.join(", ")
}

fn clip(clip: &Clip) -> String {
    let score = crate::clock::Score::of(clip);
    let mut parts = vec![
        format!("{:.2} s", clip.duration),
        shown::counted(clip.tracks.len(), "track", "tracks"),
        shown::counted(score.keys.len(), "key", "keys"),
    ];
    if let Some(frames) = clip.frames {
        parts.push(format!("{} frames at {} fps", frames.count, shown::short(f64::from(frames.rate))));
    }
    parts.extend(score.interpolations.iter().map(|&word| word.to_owned()));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::io::NoFolder;
    use ligament::scene::{Image, Node};

    #[test]
    fn names_are_safe_and_long_lists_are_cut() {
        let data = ImageData::File("a\u{202e}.png".into());
        let image = Image { name: String::new(), data, extras: Default::default() };
        let mut scene = Scene { images: vec![image; 500], ..Scene::default() };
        scene.add_node(Node::default());
        let facts = of(&scene, 1300, &NoFolder);
        assert_eq!(facts[0].rows[0], ("size".to_owned(), "1.3 KiB".to_owned()));
        let images = &facts[1];
        assert_eq!((images.title.as_str(), images.rows.len()), ("Images (500)", MOST_ROWS + 1));
        assert_eq!(images.rows[0], (r"a\u{202e}.png".to_owned(), "missing".to_owned()));
    }
}
