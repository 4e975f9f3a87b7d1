//! The weight of each joint on each vertex.

use super::skeleton::Skeleton;
use super::solid::Surface;
use ligament::math::DVec3;
use ligament::scene::Influence;

/// One weight per joint.
pub type Weights = Vec<f64>;

/// The weights of a point, by its distance to the bones near it: the closer relative to a bone's thickness, the more.
pub fn of_point(skeleton: &Skeleton, p: DVec3) -> Weights {
    let distances: Vec<f64> = skeleton
        .joints
        .iter()
        .map(|joint| {
            let (ap, ab) = (p - joint.head, joint.tip - joint.head);
            let t = (ap.dot(ab) / ab.length_squared()).clamp(0.0, 1.0);
            if joint.radius > 0.0 { (ap - ab * t).length() / joint.radius } else { f64::INFINITY }
        })
        .collect();
    let nearest =
        (0..distances.len()).fold(0, |best, i| if distances[i] < distances[best] { i } else { best });
    // A nearby bone may be unrelated: the other leg, the chin over the chest.
    let pull = |i: usize| {
        let near = skeleton.steps(nearest, i) <= 2 && distances[i].is_finite();
        if near { 1.0 / (0.05 + distances[i] * distances[i] * distances[i] * distances[i]) } else { 0.0 }
    };
    normalised((0..distances.len()).map(pull).collect())
}

/// The weights of a surface's vertices, smoothed between neighbours.
pub fn of_surface(skeleton: &Skeleton, surface: &Surface) -> Vec<Weights> {
    let mut weights: Vec<Weights> = surface.positions.iter().map(|&p| of_point(skeleton, p)).collect();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for t in &surface.triangles {
        edges.extend([(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].map(|(a, b)| (a.min(b), a.max(b))));
    }
    edges.sort_unstable();
    edges.dedup();
    for _ in 0..4 {
        let mut sums = weights.clone();
        for &(a, b) in &edges {
            for (from, to) in [(a, b), (b, a)] {
                for (sum, w) in sums[to as usize].iter_mut().zip(&weights[from as usize]) {
                    *sum += w * 0.5;
                }
            }
        }
        weights = sums.into_iter().map(normalised).collect();
    }
    weights
}

fn normalised(mut weights: Weights) -> Weights {
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|w| *w /= sum);
    weights
}

/// The four largest weights in multiples of 0.0001, which add up to one exactly as text and approximately as f32.
pub fn strongest(weights: &[f64]) -> Vec<Influence> {
    let mut order: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.01).collect();
    order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    order.truncate(4);
    let sum: f64 = order.iter().map(|&i| weights[i]).sum();
    let mut shares: Vec<i32> = order.iter().map(|&i| (weights[i] / sum * 10_000.0).round() as i32).collect();
    let rest = 10_000 - shares.iter().sum::<i32>();
    shares[0] += rest;
    let pair = |(&joint, &share): (&usize, &i32)| Influence {
        joint: joint as u32,
        weight: (f64::from(share) / 10_000.0) as f32,
    };
    order.iter().zip(&shares).map(pair).collect()
}
