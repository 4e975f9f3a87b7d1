//! Recognises older layouts by how a file begins. All of them say version 0, so only the plausible values tell.

/// Bytes that suffice to recognise a layout.
pub(super) const HEAD: u64 = 4096;

/// The bytes before the counts: letters and version.
const COUNTS: usize = 6;

/// Whether a file begins like a list of objects with their names' lengths in one byte: the layouts that are read.
pub(super) fn is_early(head: &[u8]) -> bool {
    let objects = word(head, COUNTS);
    let Some([length, rest @ ..]) = head.get(COUNTS + 4..) else { return false };
    let end = 8 + usize::from(*length);
    let name = rest.get(8..end);
    // The first vertex, as far as it is there.
    let mut vertex = rest.get(end..).unwrap_or_default().chunks_exact(4).take(5);
    objects.is_some_and(|count| count > 0)
        && is_mesh(rest, 3)
        && name.is_some_and(is_printable)
        && vertex.all(|bytes| float(bytes, 0).is_some_and(|number| is_usual(number, 1e6)))
}

/// Whether a file begins like one of the layouts between those and today's.
pub(super) fn is_older(head: &[u8]) -> bool {
    // A list of objects with names of 32 bytes, after one to three counts.
    let objects = (1..=3).map(|counts| COUNTS + 4 * counts).any(|at| is_fixed_name_object(head, at));
    // Instances of components, with four counts and one camera (perhaps after a sky box), or with five and several.
    let or_after_text = |at: usize| [Some(at), string(head, at)].into_iter().flatten();
    let one = or_after_text(COUNTS + 16).any(|at| is_camera(head, at) && is_color(head, at + 20));
    let (ambient, camera) = (COUNTS + 20, COUNTS + 36);
    let has_kind = head.get(camera).is_some_and(|&kind| kind <= 1);
    let several =
        has_kind && is_color(head, ambient) && or_after_text(camera + 1).any(|at| is_camera(head, at));
    word(head, COUNTS).is_some_and(|count| count > 0) && (objects || one || several)
}

fn is_fixed_name_object(head: &[u8], at: usize) -> bool {
    let Some(name) = head.get(at + 8..at + 40) else { return false };
    let Some(end) = name.iter().position(|&byte| byte == 0) else { return false };
    is_mesh(&head[at..], 0)
        && end > 0
        && is_printable(&name[..end])
        && name[end..].iter().all(|byte| matches!(byte, 0 | b' '))
}

/// The numbers of vertices and indices, of which there are `least` at least.
fn is_mesh(bytes: &[u8], least: u32) -> bool {
    let (Some(vertices), Some(indices)) = (word(bytes, 0), word(bytes, 4)) else { return false };
    let plausible = least..1 << 28;
    plausible.contains(&vertices) && plausible.contains(&indices) && indices % 3 == 0
}

/// Width, height, near, far, field of view.
fn is_camera(head: &[u8], at: usize) -> bool {
    let side = |at| word(head, at).is_some_and(|side| (1..=1 << 16).contains(&side));
    let [near, far, fov] = [8, 12, 16].map(|field| float(head, at + field).unwrap_or(f32::NAN));
    side(at)
        && side(at + 4)
        && is_usual(near, 1e6)
        && 0.0 < near
        && near < far
        && far < 1e9
        && 0.0 < fov
        && fov < 3.2
}

fn is_color(head: &[u8], at: usize) -> bool {
    (0..4).all(|i| float(head, at + 4 * i).is_some_and(|part| part >= 0.0 && is_usual(part, 100.0)))
}

/// Whether a number is one that people and programs come up with: bytes of other things rarely are.
fn is_usual(number: f32, most: f32) -> bool {
    number == 0.0 || (1e-12..=most).contains(&number.abs())
}

pub(super) fn is_printable(text: &[u8]) -> bool {
    text.iter().all(|byte| (b' '..=b'~').contains(byte))
}

/// Where a short string ends.
fn string(head: &[u8], at: usize) -> Option<usize> {
    let length = word(head, at).filter(|&length| length < 256)? as usize;
    head.get(at + 4..at + 4 + length).filter(|text| is_printable(text)).map(|_| at + 4 + length)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn float(bytes: &[u8], at: usize) -> Option<f32> {
    word(bytes, at).map(f32::from_bits)
}
