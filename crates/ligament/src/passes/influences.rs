//! Limits and normalises the influences of vertices.

use super::deviation::{OfMesh, Palettes, UNIT};
use super::{codes, label};
use crate::report::{Loss, Remedy, Report};
use crate::scene::{Influence, Influences, Part, Scene};

/// Options for influences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InfluenceOptions {
    /// Maximum number per vertex; `None` keeps all.
    pub max: Option<usize>,
    /// As many as the target can hold, for advice where `max` is smaller.
    pub possible: Option<usize>,
    /// Divides the weights of every vertex by their sum.
    pub normalise: bool,
}

/// Keeps the largest influences of every vertex, in their order, and scales them so that their sum stays the same. The
/// loss says how many vertices lost weight, how much of it at most, and how far that moves a vertex at most, at rest
/// and in the clips.
///
/// ```
/// use ligament::passes::influences::{InfluenceOptions, influences};
/// use ligament::scene::{Influence, Influences, Mesh, Part, Scene};
///
/// let mut of_one_vertex = Influences::new();
/// of_one_vertex.push([(0, 0.2), (1, 0.5), (2, 0.3)].map(|(joint, weight)| Influence { joint, weight }));
/// let positions = vec![ligament::math::Vec3::ZERO];
/// let part = Part { positions, influences: of_one_vertex, ..Part::default() };
/// let mut scene = Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
/// let options = InfluenceOptions { max: Some(2), possible: None, normalise: false };
/// influences(&mut scene, &options, &mut Default::default());
/// assert_eq!(scene.meshes[0].parts[0].influences.of(0).len(), 2);
/// ```
pub fn influences(scene: &mut Scene, options: &InfluenceOptions, report: &mut Report) {
    let exceeds = |part: &Part| options.max.is_some_and(|max| part.influences.max_per_vertex() > max);
    let exceeding: Vec<bool> = scene.meshes.iter().map(|mesh| mesh.parts.iter().any(exceeds)).collect();
    let all = exceeding.contains(&true).then(|| Palettes::new(scene, &exceeding));
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let palettes = all.as_ref().filter(|_| exceeding[index]).map(|all| all.of(index));
        let mut cut = Cut::default();
        for part in &mut mesh.parts {
            if let Some((max, palettes)) = options.max.zip(palettes.as_ref()) {
                limit(part, max, palettes, &mut cut);
            }
            if options.normalise {
                normalise(&mut part.influences);
            }
        }
        let max = options.max.unwrap_or(0);
        let percent = (cut.weight * 100.0).ceil();
        let message = format!(
            "influences per vertex are limited to {max}; up to {percent} % of a vertex's weight is cut"
        );
        let possible = options.possible.filter(|&possible| possible > max);
        let remedy = possible.map(|possible| Remedy::new("influences", possible, "keeps more"));
        let object = label("mesh", &mesh.name, index);
        let size = cut.moved;
        let loss = Loss::approximated(&codes::INFLUENCES, object, cut.vertices, size, UNIT, message);
        report.loss(loss.remedy(remedy));
    }
}

#[derive(Default)]
struct Cut {
    vertices: usize,
    /// The largest share of a vertex's weight that was cut.
    weight: f64,
    /// The farthest that a vertex moved in any pose.
    moved: f64,
}

/// Moves the influences that are kept to the front of the same array.
fn limit(part: &mut Part, max: usize, palettes: &OfMesh<'_>, cut: &mut Cut) {
    let (mut starts, mut pairs) = std::mem::take(&mut part.influences).into_raw();
    let (mut read, mut write) = (0, 0);
    let mut order: Vec<usize> = Vec::new();
    let mut kept_pairs: Vec<Influence> = Vec::new();
    for (number, end) in starts.iter_mut().skip(1).enumerate() {
        let vertex = read..*end as usize;
        read = vertex.end;
        if vertex.len() <= max {
            let length = vertex.len();
            pairs.copy_within(vertex, write);
            write += length;
        } else {
            order.clear();
            order.extend(vertex.clone());
            // Stable, so that of equal weights the earlier one stays.
            order.sort_by(|&a, &b| pairs[b].weight.abs().total_cmp(&pairs[a].weight.abs()));
            let sum = |which: &[usize]| which.iter().map(|&i| f64::from(pairs[i].weight)).sum::<f64>();
            let size = |which: &[usize]| which.iter().map(|&i| f64::from(pairs[i].weight.abs())).sum::<f64>();
            let (whole, kept) = (sum(&order), sum(&order[..max]));
            let lost = size(&order[max..]);
            let cut_part = lost / size(&order);
            let factor = if kept != 0.0 && lost > 0.0 { whole / kept } else { 1.0 };
            order.truncate(max);
            order.sort_unstable();
            kept_pairs.clear();
            kept_pairs.extend(order.iter().map(|&i| {
                let Influence { joint, weight } = pairs[i];
                Influence { joint, weight: (f64::from(weight) * factor) as f32 }
            }));
            if lost > 0.0 {
                cut.vertices += 1;
                cut.weight = cut.weight.max(cut_part);
                cut.moved =
                    cut.moved.max(palettes.moved(part.positions[number], &pairs[vertex], &kept_pairs));
            }
            pairs[write..write + kept_pairs.len()].copy_from_slice(&kept_pairs);
            write += kept_pairs.len();
        }
        *end = write as u32;
    }
    pairs.truncate(write);
    part.influences = Influences::from_raw(starts, pairs).unwrap_or_default();
}

fn normalise(influences: &mut Influences) {
    for vertex in 0..influences.len() {
        let (start, end) = (influences.starts()[vertex] as usize, influences.starts()[vertex + 1] as usize);
        let pairs = &mut influences.pairs_mut()[start..end];
        let sum: f64 = pairs.iter().map(|p| f64::from(p.weight)).sum();
        if sum != 0.0 {
            pairs.iter_mut().for_each(|p| p.weight = (f64::from(p.weight) / sum) as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::{self, apart, of_part, size_of};
    use crate::report::LossKind;
    use glam::Vec3;

    fn run(vertices: &[&[(u32, f32)]], max: usize, normalise: bool) -> (Vec<Vec<(u32, f32)>>, Report) {
        let mut all = Influences::new();
        for vertex in vertices {
            all.push(vertex.iter().map(|&(joint, weight)| Influence { joint, weight }));
        }
        let positions = vec![Vec3::ONE; vertices.len()];
        let mut scene = of_part(Part { positions, influences: all, ..Part::default() });
        let mut report = Report::default();
        influences(&mut scene, &InfluenceOptions { max: Some(max), possible: None, normalise }, &mut report);
        let all = &scene.meshes[0].parts[0].influences;
        (all.iter().map(|v| v.iter().map(|p| (p.joint, p.weight)).collect()).collect(), report)
    }

    #[test]
    fn the_largest_stay_in_order_and_keep_the_sum() {
        let (vertices, report) =
            run(&[&[(0, 0.5), (1, 1.0), (2, 0.5), (3, 2.0)], &[], &[(7, 1.0)]], 2, false);
        assert_eq!(vertices[0].iter().map(|p| p.0).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(vertices[0][0].1 + vertices[0][1].1, 4.0);
        assert_eq!(vertices[0][1].1, 2.0 * vertices[0][0].1);
        assert_eq!(vertices[1..], [vec![], vec![(7, 1.0)]]);
        let [loss] = report.losses() else { panic!("one loss, not {:?}", report.losses()) };
        // No node draws the mesh, so nothing moves.
        assert_eq!((loss.count, &loss.kind), (1, &LossKind::Approximated { size: Some(0.0), unit: UNIT }));
        assert!(loss.message.ends_with("up to 25 % of a vertex's weight is cut"), "{}", loss.message);
    }

    #[test]
    fn of_equal_weights_the_first_stays_and_zeros_are_no_loss() {
        let (vertices, report) = run(&[&[(4, 0.0), (1, 1.0), (2, 1.0), (3, 0.0)]], 2, false);
        assert_eq!(vertices[0], [(1, 1.0), (2, 1.0)]);
        assert!(report.losses().is_empty());
        let (vertices, _) = run(&[&[(0, 1.0), (1, 1.0)]], 1, false);
        assert_eq!(vertices[0], [(0, 2.0)]);
    }

    #[test]
    fn normalised_weights_sum_to_one() {
        let (vertices, report) = run(&[&[(0, 1.0), (1, 3.0)], &[(0, 0.0)]], 4, true);
        assert_eq!(vertices, [vec![(0, 0.25), (1, 0.75)], vec![(0, 0.0)]]);
        assert!(report.losses().is_empty());
    }

    #[test]
    fn how_far_vertices_move_is_measured() {
        let mut measured = 0;
        for (name, before) in testing::scenes().into_iter().filter(|(_, s)| !s.clips.is_empty()) {
            let (mut after, mut report) = (before.clone(), Report::default());
            influences(
                &mut after,
                &InfluenceOptions { max: Some(1), possible: None, normalise: false },
                &mut report,
            );
            if report.losses().is_empty() {
                continue;
            }
            let clips = before.clips.iter().enumerate();
            let off = clips.map(|(i, clip)| apart(&before, &after, Some(i), &testing::times(clip)));
            let worst = off.fold(0.0, f64::max);
            let announced = report.losses().iter().filter_map(size_of).fold(0.0, f64::max);
            assert!(
                worst > 1e-3 && worst <= announced * 1.02 && announced <= worst * 1.1,
                "{name}: {worst}, {announced}"
            );
            measured += 1;
        }
        assert!(measured >= 4, "{measured}");
    }
}
