//! How a part's vertices are connected.

use super::{Rules, codes};
use crate::report::Severity;
use crate::scene::Faces;

pub(super) fn check(faces: &Faces, vertices: usize, path: &str, rules: &mut Rules) {
    match faces {
        Faces::Points(_) => {}
        Faces::Lines(corners) => multiple(corners, 2, "lines", path, rules),
        Faces::Triangles(corners) => multiple(corners, 3, "triangles", path, rules),
        Faces::Polygons { starts, corners } => polygons(starts, corners, path, rules),
    }
    rules.array(
        (Severity::Error, &codes::INDEX),
        &format!("{path}.faces.corners"),
        faces.corners(),
        |&corner| corner as usize >= vertices,
        |corner| format!("there is no vertex {corner}; the part has {vertices}"),
    );
}

fn multiple(corners: &[u32], each: usize, what: &str, path: &str, rules: &mut Rules) {
    if !corners.len().is_multiple_of(each) {
        let message = format!("{} indices do not make whole {what} of {each}", corners.len());
        rules.error(&codes::FACES, format!("{path}.faces"), message);
    }
}

fn polygons(starts: &[u32], corners: &[u32], path: &str, rules: &mut Rules) {
    let field = format!("{path}.faces.starts");
    let end = corners.len();
    match (starts.first(), starts.last()) {
        (None, _) | (_, None) if end == 0 => return,
        (Some(0), Some(&last)) if last as usize == end => {}
        (first, last) => {
            let shown = |v: Option<&u32>| v.map_or("nothing".to_owned(), u32::to_string);
            let message =
                format!("the starts go from {} to {}, not from 0 to {end}", shown(first), shown(last));
            rules.error(&codes::FACES, &*field, message);
        }
    }
    let bad = |pair: &[u32]| pair[1].checked_sub(pair[0]).is_none_or(|corners| corners < 3);
    let mut offenders = starts.windows(2).enumerate().filter(|(_, pair)| bad(pair));
    if let Some((face, pair)) = offenders.next() {
        let message = format!("the face from {} to {} has fewer than three corners", pair[0], pair[1]);
        rules.offender(
            (Severity::Error, &codes::FACES),
            format!("{field}[{face}]"),
            message,
            offenders.count(),
        );
    }
}
