//! Positions of vertices with a few influences each, with as few instructions as possible.

use super::skin::{Blend, TINY};
use crate::scene::{Influence, Influences};
use glam::{Mat4, Vec3, Vec4, Vec4Swizzles};

/// The twelve numbers of an affine matrix, column by column: blending takes a quarter less than with four columns of four.
/// Aligned, because then its address is one shift of its index.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Packed([Vec4; 3]);

impl From<&Mat4> for Packed {
    fn from(matrix: &Mat4) -> Self {
        let [x, y, z, w] = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
        Self([x.truncate().extend(y.x), Vec4::new(y.y, y.z, z.x, z.y), Vec4::new(z.z, w.x, w.y, w.z)])
    }
}

/// The matrices of a skin.
pub(super) struct Matrices<'a> {
    pub(super) packed: &'a [Packed],
    pub(super) whole: &'a [Mat4],
}

impl Matrices<'_> {
    /// Moves positions; those without influences stay. Goes through runs of vertices with equally many influences.
    pub(super) fn skin(&self, influences: &Influences, mut from: &[Vec3], mut to: &mut [Vec3]) {
        let (mut starts, pairs) = (influences.starts(), influences.pairs());
        while let [start, next, ..] = *starts
            && !from.is_empty()
        {
            let count = next - start;
            let is_same = |pair: &&[u32]| pair[1] - pair[0] == count;
            let run = starts.windows(2).take_while(is_same).count().min(from.len());
            let pairs = &pairs[start as usize..starts[run] as usize];
            let (head, tail) = from.split_at(run);
            let (posed, rest) = std::mem::take(&mut to).split_at_mut(run);
            match count {
                2 => self.few::<2>(pairs, head, posed),
                3 => self.few::<3>(pairs, head, posed),
                4 => self.few::<4>(pairs, head, posed),
                _ => {
                    let size = count as usize;
                    for (i, (position, posed)) in head.iter().zip(posed).enumerate() {
                        *posed = self.any(&pairs[i * size..(i + 1) * size], *position);
                    }
                }
            }
            (starts, from, to) = (&starts[run..], tail, rest);
        }
    }

    fn few<const N: usize>(&self, pairs: &[Influence], from: &[Vec3], to: &mut [Vec3]) {
        let (pairs, _) = pairs.as_chunks::<N>();
        for ((pairs, position), posed) in pairs.iter().zip(from).zip(to) {
            *posed = match self.fast(pairs, *position) {
                Some(posed) => posed,
                None => self.rare(pairs, *position),
            };
        }
    }

    /// `None` if a joint is not known, or the weights are tiny. Otherwise the same bits as [`any`](Self::any): the same
    /// operations in the same order.
    #[inline(always)]
    fn fast<const N: usize>(&self, pairs: &[Influence; N], position: Vec3) -> Option<Vec3> {
        let mut joints = [&Packed([Vec4::ZERO; 3]); N];
        for (joint, pair) in joints.iter_mut().zip(pairs) {
            *joint = self.packed.get(pair.joint as usize)?;
        }
        let total = pairs.iter().fold(0.0, |total, pair| total + pair.weight);
        if total.abs() < TINY {
            return None;
        }
        let weights = pairs.map(|pair| Vec4::splat(pair.weight));
        let blend =
            |i: usize| (1..N).fold(joints[0].0[i] * weights[0], |sum, k| sum + joints[k].0[i] * weights[k]);
        let [first, second, third] = [blend(0), blend(1), blend(2)];
        // The fourth numbers of these are of no use.
        let x = first * position.x;
        let y = Vec4::new(first.w, second.x, second.y, second.y) * position.y;
        let z = Vec4::new(second.z, second.w, third.x, third.x) * position.z;
        let w = third.yzww();
        // Adding zero gives zeros the sign that they have if a sum begins with zero.
        Some(((x + y + z + w + Vec4::ZERO) * (1.0 / total)).truncate())
    }

    #[cold]
    fn rare(&self, pairs: &[Influence], position: Vec3) -> Vec3 {
        self.any(pairs, position)
    }

    #[inline(always)]
    fn any(&self, pairs: &[Influence], position: Vec3) -> Vec3 {
        Blend::of(self.whole, pairs).map_or(position, |blend| blend.point(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_any_number_of_influences_to_the_bit() {
        let number = |i: u32| (i.wrapping_mul(2_654_435_761) % 2003) as f32 / 1001.0 - 1.0;
        let matrix = |joint: u32| {
            let [x, y, z] = [0, 1, 2].map(|axis| number(joint * 12 + axis));
            Mat4::from_rotation_x(x) * Mat4::from_translation(Vec3::new(0.0, y, z))
        };
        let mut whole: Vec<Mat4> = (0..20).map(matrix).collect();
        whole.push(Mat4::from_scale(Vec3::new(-0.0, -1.0, 0.0)));
        let packed: Vec<Packed> = whole.iter().map(Packed::from).collect();
        let matrices = Matrices { packed: &packed, whole: &whole };
        let (mut influences, mut from) = (Influences::new(), Vec::new());
        for vertex in 0..5000_u32 {
            // Runs of a few vertices; some joints do not exist, and some weights are zero, negative or tiny.
            let count = (vertex / 7).wrapping_mul(2_654_435_761) >> 16;
            influences.push((0..count % 7).map(|i| {
                let joint = (vertex * 13 + i * 5) % 22;
                let weight = [number(vertex * 9 + i), 0.0, 0.25, 1e-40][(vertex / 3 + i) as usize % 4];
                Influence { joint, weight }
            }));
            let zero = if vertex % 5 == 0 { -0.0 } else { 1.0 };
            from.push(Vec3::new(number(vertex), number(vertex * 3), number(vertex * 7)) * zero);
        }
        let mut to = vec![Vec3::ZERO; from.len()];
        matrices.skin(&influences, &from, &mut to);
        for (vertex, (from, to)) in from.iter().zip(&to).enumerate() {
            let blend = Blend::of(&whole, influences.of(vertex));
            let expected = blend.map_or(*from, |blend| blend.point(*from));
            let bits = |v: Vec3| v.to_array().map(f32::to_bits);
            assert_eq!(bits(*to), bits(expected), "vertex {vertex}: {to} is not {expected}");
        }
    }
}
