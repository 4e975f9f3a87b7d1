//! The scene tree's text, as the engine interprets it.
//!
//! A small machine reads the tree. It remembers the node that it is *in* and the node it attached *last*, both
//! initially the implied root, and goes through the characters:
//!
//! - a number attaches that object to the node the machine is in;
//! - `{` enters the node that was attached last, `}` returns to the node before the matching `{`;
//! - white space only ends a number.
//!
//! `}` does not change which node was attached last. So an empty `{ }` after a number changes nothing, and
//! `0{1{}}{2{}}` puts 2 below 1, not below 0.

use crate::formats::hierarchy::Hierarchy;
use std::ops::Range;

/// Deepest nesting of braces.
pub const MAX_DEPTH: usize = 256;

/// The hierarchy that a tree describes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree {
    /// For each object: the object it is attached below, [`Place::Root`], or not linked.
    pub places: Vec<Place>,
    /// The linked objects, parents before their children, otherwise in the order of their numbers.
    pub order: Vec<u32>,
    /// Objects that are attached more than once, and the position of each repetition. The last one counts.
    pub repeated: Vec<(u32, usize)>,
    /// Braces that are still open at the end.
    pub open: usize,
}

/// An object's position in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Place {
    /// Not in the tree: the object is never drawn.
    #[default]
    Unlinked,
    /// Below the implied root.
    Root,
    /// Below another object.
    Below(u32),
}

/// An error in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The number of an object that does not exist.
    Number(Range<usize>),
    /// A `}` without a `{`.
    Underflow(usize),
    /// A `{` that is nested too deep.
    Depth(usize),
    /// A character that does not belong in a tree.
    Character(usize),
    /// The object is its own ancestor.
    Loop(u32),
}

/// Runs the machine over a tree's characters.
pub fn parse(characters: &[u8], objects: usize) -> Result<Tree, Fault> {
    let mut tree = Tree { places: vec![Place::Unlinked; objects], ..Tree::default() };
    let (mut inside, mut last) = (Place::Root, Place::Root);
    let mut stack = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        match character {
            b'0'..=b'9' => {
                let digits = characters[at..].iter().take_while(|c| c.is_ascii_digit()).count();
                let span = at..at + digits;
                let value = characters[span.clone()]
                    .iter()
                    .fold(0_u64, |value, c| value.saturating_mul(10).saturating_add(u64::from(c - b'0')));
                let object =
                    usize::try_from(value).ok().filter(|&n| n < objects).ok_or(Fault::Number(span))?;
                if tree.places[object] != Place::Unlinked {
                    tree.repeated.push((object as u32, at));
                }
                tree.places[object] = inside;
                last = Place::Below(object as u32);
                at += digits;
                continue;
            }
            b'{' if stack.len() == MAX_DEPTH => return Err(Fault::Depth(at)),
            b'{' => stack.push(std::mem::replace(&mut inside, last)),
            b'}' => inside = stack.pop().ok_or(Fault::Underflow(at))?,
            b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r' => {}
            _ => return Err(Fault::Character(at)),
        }
        at += 1;
    }
    tree.open = stack.len();
    tree.order = parents_first(&tree.places)?;
    Ok(tree)
}

/// The linked objects with parents first.
fn parents_first(places: &[Place]) -> Result<Vec<u32>, Fault> {
    let hierarchy = Hierarchy::of(places.iter().map(|place| match place {
        Place::Below(parent) => Some(*parent as usize),
        Place::Root | Place::Unlinked => None,
    }));
    match hierarchy.cut.first() {
        Some(&(_, object)) => Err(Fault::Loop(object as u32)),
        None => {
            let linked = hierarchy.order.into_iter().filter(|&object| places[object] != Place::Unlinked);
            Ok(linked.map(|object| object as u32).collect())
        }
    }
}

/// Formats a tree as the original exporter does: `N{children}` for every node.
pub fn print(parents: &[Option<u32>]) -> String {
    let mut children = vec![Vec::new(); parents.len()];
    let mut pending: Vec<Step> = Vec::new();
    for (object, parent) in parents.iter().enumerate() {
        match parent.and_then(|p| children.get_mut(p as usize)) {
            Some(siblings) => siblings.push(object as u32),
            None => pending.push(Step::Open(object as u32)),
        }
    }
    pending.reverse();
    let mut text = String::new();
    while let Some(step) = pending.pop() {
        match step {
            Step::Open(object) => {
                text.push_str(&format!("{object}{{"));
                pending.push(Step::Close);
                pending.extend(children[object as usize].iter().rev().map(|&child| Step::Open(child)));
            }
            Step::Close => text.push('}'),
        }
    }
    text
}

enum Step {
    Open(u32),
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(text: &str, objects: usize) -> Vec<Option<i64>> {
        let tree = parse(text.as_bytes(), objects).expect("a valid tree");
        tree.places
            .iter()
            .map(|place| match place {
                Place::Unlinked => None,
                Place::Root => Some(-1),
                Place::Below(parent) => Some(i64::from(*parent)),
            })
            .collect()
    }

    #[test]
    fn the_documents_example_gives_the_tree_that_it_draws() {
        let text = "0 { 3 { } { 5 { } { 6 { } 7 { } } } 4 { } } 1 { 8 { } } 2 { } { 9 { } }";
        let drawn = [-1, -1, -1, 0, 0, 3, 5, 5, 1, 2].map(Some);
        assert_eq!(edges(text, 10), drawn);
        assert_eq!(edges("0{3{5{6 7}}4}1{8}2{9}", 10), drawn);
    }

    #[test]
    fn a_closing_brace_does_not_change_what_was_attached_last() {
        assert_eq!(edges("0{1{}}{2{}}", 3), [Some(-1), Some(0), Some(1)]);
        assert_eq!(edges("{0}1", 2), [Some(-1), Some(-1)]);
        assert_eq!(edges("01 2", 3), [None, Some(-1), Some(-1)]);
    }

    #[test]
    fn repeated_objects_stay_where_they_were_put_last() {
        let tree = parse(b"0{2}1{2}", 4).expect("valid");
        assert_eq!(tree.places, [Place::Root, Place::Root, Place::Below(1), Place::Unlinked]);
        assert_eq!((tree.repeated, tree.order), (vec![(2, 6)], vec![0, 1, 2]));
    }

    #[test]
    fn faults_say_where() {
        assert_eq!(parse(b"0{1}}", 2), Err(Fault::Underflow(4)));
        assert_eq!(parse(b"0,1", 2), Err(Fault::Character(1)));
        assert_eq!(parse(b"0 12", 2), Err(Fault::Number(2..4)));
        assert_eq!(parse(b"18446744073709551616", 2), Err(Fault::Number(0..20)));
        assert_eq!(parse(b"0{0}", 1), Err(Fault::Loop(0)));
        assert_eq!(parse(b"0{1{0}}", 2), Err(Fault::Loop(0)));
        assert_eq!(parse(b"2{0{1{0}}}", 3), Err(Fault::Loop(0)));
        let deep = |n: usize| format!("0{}", "{".repeat(n));
        assert_eq!(parse(deep(256).as_bytes(), 1).map(|t| t.open), Ok(256));
        assert_eq!(parse(deep(257).as_bytes(), 1), Err(Fault::Depth(257)));
    }

    #[test]
    fn chains_by_repetition_may_be_longer_than_braces_are_deep() {
        let text: String = (0..2000).map(|i| format!("{i}{{{}}}", i + 1)).collect();
        let tree = parse(text.as_bytes(), 2001).expect("no loop");
        assert_eq!(tree.order, (0..2001).collect::<Vec<_>>());
    }

    #[test]
    fn printed_trees_come_back() {
        let parents = [None, Some(3), Some(0), None, Some(1), Some(3)];
        let text = print(&parents);
        assert_eq!(text, "0{2{}}3{1{4{}}5{}}");
        let again = edges(&text, 6);
        assert_eq!(again, parents.map(|p| Some(p.map_or(-1, i64::from))));
    }
}
