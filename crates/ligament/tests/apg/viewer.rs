//! A second opinion on posing: splits the file's lines and multiplies them as the format's page says, in a few lines
//! that share no code with the library. Only for text in the current layout.

use std::collections::HashMap;

type Matrix = [[f64; 4]; 4]; // rows

/// Seconds and numbers.
type Key = (f64, Vec<f64>);

pub struct File {
    points: Vec<[f64; 3]>,
    bones: Vec<Vec<usize>>,
    weights: Vec<Vec<f64>>,
    root: Matrix,
    offsets: Vec<Matrix>,
    nodes: Vec<(i64, i64)>,
    /// The first animation: keys by node and word.
    keys: HashMap<(usize, String), Vec<Key>>,
}

fn numbers<'a>(fields: impl Iterator<Item = &'a str>) -> Vec<f64> {
    fields.map(|f| f.parse().expect("a number")).collect()
}

fn matrix(line: &str) -> Matrix {
    let n = numbers(line.split_whitespace());
    std::array::from_fn(|row| std::array::from_fn(|column| n[column * 4 + row]))
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..4).map(|i| a[r][i] * b[i][c]).sum()))
}

const IDENTITY: Matrix = [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]];

impl File {
    pub fn parse(text: &str) -> Self {
        let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
        for line in text.lines() {
            match line.strip_prefix('@') {
                Some(tag) => blocks.push((tag, Vec::new())),
                None => blocks.last_mut().expect("a tag first").1.push(line),
            }
        }
        let of = |word: &str| blocks.iter().find(|(tag, _)| tag.split(' ').next() == Some(word));
        let lines = |word: &str| of(word).map(|(_, lines)| lines.clone()).unwrap_or_default();
        let rows = |word: &str| lines(word).iter().map(|l| numbers(l.split(' '))).collect::<Vec<_>>();
        let nodes = lines("hierarchy").into_iter().map(|l| {
            let f: Vec<_> = l.split(' ').collect();
            (f[1].parse().expect("a parent"), f[3].parse().expect("a bone"))
        });
        let mut keys = HashMap::new();
        let first = blocks.iter().position(|(tag, _)| tag.starts_with("animation "));
        for (tag, lines) in blocks.iter().skip(first.map_or(usize::MAX, |f| f + 1)) {
            if tag.starts_with("animation ") {
                break;
            }
            let Some(word) = tag.strip_suffix(" comps 3").or(tag.strip_suffix(" comps 4")) else { continue };
            let fields: Vec<_> = word.split(' ').collect();
            let node = fields[2].parse().expect("a node");
            let key = |line: &&str| {
                let f: Vec<_> = line.split(' ').collect();
                (f[1].parse().expect("a time"), numbers(f[3..].iter().copied()))
            };
            let kind = lines[0].split(' ').nth(2).expect("a word").to_owned();
            keys.insert((node, kind), lines.iter().map(key).collect());
        }
        Self {
            points: rows("vp").iter().map(|r| [r[0], r[1], r[2]]).collect(),
            bones: rows("vb").iter().map(|r| r.iter().map(|&b| b as usize).collect()).collect(),
            weights: rows("vw"),
            root: lines("root_transform").first().map_or(IDENTITY, |l| matrix(l)),
            offsets: lines("offset_mat").iter().map(|l| matrix(l)).collect(),
            nodes: nodes.collect(),
            keys,
        }
    }

    pub fn points(&self) -> &[[f64; 3]] {
        &self.points
    }

    fn sample(&self, node: usize, word: &str, time: f64) -> Option<Vec<f64>> {
        let keys = self.keys.get(&(node, word.to_owned()))?;
        let after = keys.iter().position(|(t, _)| *t >= time).unwrap_or(keys.len());
        if after == 0 || after == keys.len() {
            return Some(keys[after.min(keys.len() - 1)].1.clone());
        }
        let ((t0, a), (t1, b)) = (&keys[after - 1], &keys[after]);
        let f = (time - t0) / (t1 - t0);
        if word != "ROT" {
            return Some(a.iter().zip(b).map(|(a, b)| a + (b - a) * f).collect());
        }
        let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let sign = if dot < 0.0 { -1.0 } else { 1.0 };
        let angle = dot.abs().min(1.0).acos();
        let (x, y) = if angle < 1e-9 {
            (1.0 - f, f)
        } else {
            (((1.0 - f) * angle).sin() / angle.sin(), (f * angle).sin() / angle.sin())
        };
        Some(a.iter().zip(b).map(|(a, b)| a * x + b * sign * y).collect())
    }

    fn local(&self, node: usize, time: f64) -> Matrix {
        let t = self.sample(node, "TRA", time).unwrap_or(vec![0.0; 3]);
        let s = self.sample(node, "SCA", time).unwrap_or(vec![1.0; 3]);
        let q = self.sample(node, "ROT", time).unwrap_or(vec![1.0, 0.0, 0.0, 0.0]);
        let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
        let [w, x, y, z] = [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
        let r = [
            [1. - 2. * (y * y + z * z), 2. * (x * y - w * z), 2. * (x * z + w * y)],
            [2. * (x * y + w * z), 1. - 2. * (x * x + z * z), 2. * (y * z - w * x)],
            [2. * (x * z - w * y), 2. * (y * z + w * x), 1. - 2. * (x * x + y * y)],
        ];
        let row = |i: usize| [r[i][0] * s[0], r[i][1] * s[1], r[i][2] * s[2], t[i]];
        [row(0), row(1), row(2), [0., 0., 0., 1.]]
    }

    fn global(&self, node: usize, time: f64) -> Matrix {
        let local = self.local(node, time);
        match usize::try_from(self.nodes[node].0) {
            Ok(parent) => product(&self.global(parent, time), &local),
            Err(_) => local,
        }
    }

    /// Every vertex at a time of the first animation.
    pub fn posed(&self, time: f64) -> Vec<[f64; 3]> {
        let bones: Vec<Matrix> = (0..self.offsets.len())
            .map(|bone| {
                let node = self.nodes.iter().position(|n| n.1 == bone as i64).expect("a node for each bone");
                product(&product(&self.root, &self.global(node, time)), &self.offsets[bone])
            })
            .collect();
        let vertex = |i: usize| {
            let p = self.points[i];
            let mut sum = [0.0; 3];
            for (slot, &bone) in self.bones[i].iter().enumerate() {
                let weight = if self.weights.is_empty() { 1.0 } else { self.weights[i][slot] };
                for (row, sum) in sum.iter_mut().enumerate() {
                    let m = bones[bone][row];
                    *sum += weight * (m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]);
                }
            }
            sum
        };
        (0..self.points.len()).map(vertex).collect()
    }
}
