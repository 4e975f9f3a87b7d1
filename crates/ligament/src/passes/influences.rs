//! Limits and normalises the influences of vertices.

use super::{codes, label};
use crate::report::{Loss, Report};
use crate::scene::{Influence, Influences, Scene};

/// What to do to influences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InfluenceOptions {
    /// Keep at most so many a vertex; `None` keeps all.
    pub max: Option<usize>,
    /// Divide the weights of every vertex by their sum.
    pub normalise: bool,
}

/// Keeps the largest influences of every vertex, in the order they stood, and scales them so that their sum stays what it
/// was. The loss says how many vertices lost weight, and the largest part of a vertex's weight that was cut.
///
/// ```
/// use ligament::passes::influences::{InfluenceOptions, influences};
/// use ligament::scene::{Influence, Influences, Mesh, Part, Scene};
///
/// let mut of_one_vertex = Influences::new();
/// of_one_vertex.push([(0, 0.2), (1, 0.5), (2, 0.3)].map(|(joint, weight)| Influence { joint, weight }));
/// let part = Part { influences: of_one_vertex, ..Part::default() };
/// let mut scene = Scene { meshes: vec![Mesh { parts: vec![part], ..Mesh::default() }], ..Scene::default() };
/// let options = InfluenceOptions { max: Some(2), normalise: false };
/// influences(&mut scene, &options, &mut Default::default());
/// assert_eq!(scene.meshes[0].parts[0].influences.of(0).len(), 2);
/// ```
pub fn influences(scene: &mut Scene, options: &InfluenceOptions, report: &mut Report) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let mut cut = Cut::default();
        for part in &mut mesh.parts {
            if let Some(max) = options.max.filter(|&max| part.influences.max_per_vertex() > max) {
                limit(&mut part.influences, max, &mut cut);
            }
            if options.normalise {
                normalise(&mut part.influences);
            }
        }
        if cut.vertices > 0 {
            let max = options.max.unwrap_or(0);
            let message = format!("vertices keep their {max} largest influences");
            let object = label("mesh", &mesh.name, index);
            let unit = "of the weight";
            report.loss(Loss::approximated(
                &codes::INFLUENCES,
                object,
                cut.vertices,
                cut.largest,
                unit,
                message,
            ));
        }
    }
}

#[derive(Default)]
struct Cut {
    vertices: usize,
    largest: f64,
}

/// Moves the influences that stay to the front of the same array.
fn limit(influences: &mut Influences, max: usize, cut: &mut Cut) {
    let (mut starts, mut pairs) = std::mem::take(influences).into_raw();
    let (mut read, mut write) = (0, 0);
    let mut order: Vec<usize> = Vec::new();
    for end in starts.iter_mut().skip(1) {
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
            if lost > 0.0 {
                cut.vertices += 1;
                cut.largest = cut.largest.max(lost / size(&order));
            }
            let factor = if kept != 0.0 && lost > 0.0 { whole / kept } else { 1.0 };
            order.truncate(max);
            order.sort_unstable();
            for &i in &order {
                let Influence { joint, weight } = pairs[i];
                pairs[write] = Influence { joint, weight: (f64::from(weight) * factor) as f32 };
                write += 1;
            }
        }
        *end = write as u32;
    }
    pairs.truncate(write);
    *influences = Influences::from_raw(starts, pairs).unwrap_or_default();
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
    use crate::report::LossKind;
    use crate::scene::{Mesh, Part};

    fn run(vertices: &[&[(u32, f32)]], max: usize, normalise: bool) -> (Vec<Vec<(u32, f32)>>, Report) {
        let mut all = Influences::new();
        for vertex in vertices {
            all.push(vertex.iter().map(|&(joint, weight)| Influence { joint, weight }));
        }
        let mesh = Mesh { parts: vec![Part { influences: all, ..Part::default() }], ..Mesh::default() };
        let mut scene = Scene { meshes: vec![mesh], ..Scene::default() };
        let mut report = Report::default();
        influences(&mut scene, &InfluenceOptions { max: Some(max), normalise }, &mut report);
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
        assert_eq!(
            (loss.count, &loss.kind),
            (1, &LossKind::Approximated { size: Some(0.25), unit: "of the weight" })
        );
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
}
