//! The tree of a scene's objects, as rows.

use crate::facts::label;
use ligament::Scene;
use ligament::internal::shown;
use ligament::scene::{MaterialId, MeshId, NodeId};
use ligament_render::Selected;
use std::collections::HashSet;

/// One row of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its indentation level.
    pub depth: usize,
    /// The object it stands for; `None` for a heading.
    pub what: Option<Selected>,
    /// Its text.
    pub label: String,
    /// The kind of object: `joint`, `mesh`, `camera`...; empty for headings and plain nodes.
    pub kind: &'static str,
    /// The number of descendant rows.
    pub below: usize,
}

/// All rows, each followed by those below it.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    rows: Vec<Row>,
}

impl Outline {
    /// Nodes, meshes and materials of a scene.
    pub fn of(scene: &Scene) -> Self {
        let mut rows = nodes(scene);
        let meshes = scene.meshes.iter().enumerate();
        let meshes = meshes.map(|(i, mesh)| (Selected::Mesh(MeshId::new(i)), label(&mesh.name, i)));
        list("Meshes", "mesh", meshes.collect(), &mut rows);
        let materials = scene.materials.iter().enumerate();
        let materials = materials.map(|(i, m)| (Selected::Material(MaterialId::new(i)), label(&m.name, i)));
        list("Materials", "material", materials.collect(), &mut rows);
        Self { rows }
    }

    /// The indices of the visible rows: all but those in folded parents or, with a filter, those whose label contains it.
    pub fn seen(&self, folded: &HashSet<usize>, filter: &str) -> Vec<usize> {
        let filter = filter.to_lowercase();
        if !filter.is_empty() {
            let matches = |row: &Row| row.what.is_some() && row.label.to_lowercase().contains(&filter);
            return (0..self.rows.len()).filter(|&i| matches(&self.rows[i])).collect();
        }
        let mut seen = Vec::new();
        let mut at = 0;
        while let Some(row) = self.rows.get(at) {
            seen.push(at);
            at += 1 + if folded.contains(&at) { row.below } else { 0 };
        }
        seen
    }

    /// A row.
    pub fn row(&self, number: usize) -> Option<&Row> {
        self.rows.get(number)
    }

    /// The row of an object.
    pub fn find(&self, what: Selected) -> Option<usize> {
        self.rows.iter().position(|row| row.what == Some(what))
    }

    /// The ancestors of a row.
    pub fn above(&self, number: usize) -> Vec<usize> {
        (0..number).filter(|&i| i + self.rows[i].below >= number).collect()
    }
}

fn list(heading: &str, kind: &'static str, items: Vec<(Selected, String)>, rows: &mut Vec<Row>) {
    if items.is_empty() {
        return;
    }
    rows.push(Row { depth: 0, what: None, label: heading.to_owned(), kind: "", below: items.len() });
    rows.extend(items.into_iter().map(|(what, label)| Row {
        depth: 1,
        what: Some(what),
        label,
        kind,
        below: 0,
    }));
}

fn nodes(scene: &Scene) -> Vec<Row> {
    if scene.nodes.is_empty() {
        return Vec::new();
    }
    let mut joints = vec![false; scene.nodes.len()];
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        if let Some(is_joint) = joints.get_mut(joint.index()) {
            *is_joint = true;
        }
    }
    let mut children: Vec<Vec<NodeId>> = vec![Vec::new(); scene.nodes.len()];
    let mut waiting: Vec<(NodeId, usize)> = Vec::new();
    // In reverse, because they are taken from the end of the stack.
    for id in (0..scene.nodes.len()).rev().map(NodeId::new) {
        match scene.nodes[id.index()].parent.and_then(|parent| children.get_mut(parent.index())) {
            Some(siblings) => siblings.push(id),
            None => waiting.push((id, 1)),
        }
    }
    let heading = Row { depth: 0, what: None, label: "Nodes".to_owned(), kind: "", below: scene.nodes.len() };
    let mut rows = vec![heading];
    while let Some((id, depth)) = waiting.pop() {
        let kind = kind(scene, id, joints[id.index()]);
        let label = shown::safe(&scene.node_label(id));
        rows.push(Row { depth, what: Some(Selected::Node(id)), label, kind, below: 0 });
        waiting.extend(children[id.index()].iter().map(|&child| (child, depth + 1)));
    }
    count_below(&mut rows);
    rows
}

/// The number of descendants of each row.
fn count_below(rows: &mut [Row]) {
    let mut open: Vec<usize> = Vec::new();
    for at in 1..rows.len() {
        while let Some(&last) = open.last().filter(|&&last| rows[last].depth >= rows[at].depth) {
            rows[last].below = at - last - 1;
            open.pop();
        }
        open.push(at);
    }
    let end = rows.len();
    for last in open {
        rows[last].below = end - last - 1;
    }
}

fn kind(scene: &Scene, id: NodeId, is_joint: bool) -> &'static str {
    let node = &scene.nodes[id.index()];
    match () {
        () if is_joint => "joint",
        () if node.mesh.is_some() && node.skin.is_some() => "skinned",
        () if node.mesh.is_some() => "mesh",
        () if node.camera.is_some() => "camera",
        () if node.light.is_some() => "light",
        () => "",
    }
}

/// The hidden objects of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hidden {
    things: HashSet<Selected>,
}

impl Hidden {
    /// Whether the object itself was hidden.
    pub fn contains(&self, what: Selected) -> bool {
        self.things.contains(&what)
    }

    /// Hides or shows an object.
    pub fn set(&mut self, what: Selected, hidden: bool) {
        if hidden {
            self.things.insert(what);
        } else {
            self.things.remove(&what);
        }
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.things.is_empty()
    }

    /// Shows everything.
    pub fn clear(&mut self) {
        self.things.clear();
    }

    /// Per node, whether its mesh is hidden: by the node itself, an ancestor or the mesh.
    pub fn nodes(&self, scene: &Scene) -> Vec<bool> {
        let mut below = vec![false; scene.nodes.len()];
        let mut hidden = Vec::with_capacity(below.len());
        for id in scene.node_ids() {
            let node = &scene.nodes[id.index()];
            let above = node.parent.is_some_and(|parent| below.get(parent.index()).copied().unwrap_or(false));
            below[id.index()] = above || self.contains(Selected::Node(id));
            hidden.push(below[id.index()] || node.mesh.is_some_and(|m| self.contains(Selected::Mesh(m))));
        }
        hidden
    }

    /// For each material, whether it is hidden.
    pub fn materials(&self, scene: &Scene) -> Vec<bool> {
        (0..scene.materials.len()).map(|i| self.contains(Selected::Material(MaterialId::new(i)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::scene::{Material, Mesh, Node, Skin};

    fn scene() -> Scene {
        let mut scene = Scene {
            meshes: vec![Mesh::default()],
            materials: vec![Material { name: "skin\u{202e}".into(), ..Material::default() }],
            ..Scene::default()
        };
        let root = scene.add_node(Node { name: "root".into(), ..Node::default() });
        let body = scene.add_node(Node { parent: Some(root), mesh: Some(MeshId(0)), ..Node::default() });
        scene.add_node(Node { name: "other".into(), ..Node::default() });
        scene.add_node(Node { name: "hip".into(), parent: Some(root), ..Node::default() });
        scene.add_node(Node { name: "leaf".into(), parent: Some(body), ..Node::default() });
        scene.skins.push(Skin { joints: vec![NodeId(3)], ..Skin::default() });
        scene
    }

    #[test]
    fn rows_are_in_the_order_of_the_tree() {
        let outline = Outline::of(&scene());
        let rows: Vec<_> =
            outline.rows.iter().map(|row| (row.depth, row.label.as_str(), row.kind, row.below)).collect();
        assert_eq!(
            rows,
            [
                (0, "Nodes", "", 5),
                (1, "root", "", 3),
                (2, "node1", "mesh", 1),
                (3, "leaf", "", 0),
                (2, "hip", "joint", 0),
                (1, "other", "", 0),
                (0, "Meshes", "", 1),
                (1, "number 0", "mesh", 0),
                (0, "Materials", "", 1),
                (1, r"skin\u{202e}", "material", 0),
            ]
        );
        assert_eq!(outline.seen(&HashSet::from([1, 8]), ""), [0, 1, 5, 6, 7, 8]);
        assert_eq!(outline.seen(&HashSet::from([1]), "HI"), [4]);
        let leaf = outline.find(Selected::Node(NodeId(4))).expect("a row");
        assert_eq!(outline.above(leaf), [0, 1, 2]);
    }

    #[test]
    fn what_is_hidden_takes_what_is_below_along() {
        let scene = scene();
        let mut hidden = Hidden::default();
        hidden.set(Selected::Node(NodeId(1)), true);
        assert_eq!(hidden.nodes(&scene), [false, true, false, false, true]);
        hidden.set(Selected::Node(NodeId(1)), false);
        hidden.set(Selected::Mesh(MeshId(0)), true);
        assert_eq!(hidden.nodes(&scene), [false, true, false, false, false]);
        hidden.set(Selected::Material(MaterialId(0)), true);
        assert_eq!(hidden.materials(&scene), [true]);
        hidden.clear();
        assert!(hidden.is_empty());
    }
}
