//! Filters: elements that were stored in fewer bits than they have.
//!
//! All in 32-bit floats, in the order of operations that other decoders use, and rounded half to even, so that results
//! are the same everywhere.

use super::Filter;

pub(super) fn apply(filter: Filter, elements: &mut [u8], stride: usize) {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => {
            each(elements, |v: [i8; 4]| octahedral(v.map(f32::from), 127.0, v[3], |f| f as i8))
        }
        (Filter::Octahedral, _) => {
            each(elements, |v: [i16; 4]| octahedral(v.map(f32::from), 32767.0, v[3], |f| f as i16));
        }
        (Filter::Quaternion, _) => each(elements, quaternion),
        (Filter::Exponential, _) => each(elements, |v: [i32; 1]| v.map(float)),
        (Filter::Color, 4) => each(elements, |v: [u8; 4]| color(v.map(u32::from), 8).map(|c| c as u8)),
        (Filter::Color, _) => each(elements, |v: [u16; 4]| color(v.map(u32::from), 16).map(|c| c as u16)),
    }
}

/// Replaces each element, of `N` little-endian numbers.
fn each<const N: usize, A: Number, B: Number>(elements: &mut [u8], filter: impl Fn([A; N]) -> [B; N]) {
    for element in elements.chunks_exact_mut(N * A::SIZE) {
        let values = std::array::from_fn(|i| A::read(&element[i * A::SIZE..]));
        for (value, bytes) in filter(values).into_iter().zip(element.chunks_exact_mut(A::SIZE)) {
            value.write(bytes);
        }
    }
}

/// A number in an element.
trait Number: Copy {
    const SIZE: usize;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut [u8]);
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            const SIZE: usize = size_of::<$type>();

            fn read(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(<$type>::default(), |bytes| <$type>::from_le_bytes(*bytes))
            }

            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

numbers! { u8 i8 u16 i16 i32 f32 }

/// A unit vector from a point of an octahedron, whose size is the third number. The fourth stays.
fn octahedral<T>([x, y, one, _]: [f32; 4], largest: f32, fourth: T, to: impl Fn(f32) -> T) -> [T; 4] {
    let z = one - (x.abs() + y.abs());
    // The lower half is folded over the upper one.
    let fold = z.min(0.0);
    let [x, y] = [x, y].map(|v| if v < 0.0 { v - fold } else { v + fold });
    let scale = largest / (x * x + (y * y + z * z)).sqrt();
    let [x, y, z] = [x, y, z].map(|v| to((v * scale).round_ties_even()));
    [x, y, z, fourth]
}

/// A unit quaternion from its three smallest components. The fourth number says which is the largest, and their scale.
fn quaternion(stored: [i16; 4]) -> [i16; 4] {
    let one = f32::from(stored[3] | 3);
    let scale = 32767.0 / std::f32::consts::SQRT_2 / one;
    let [x, y, z] = [stored[0], stored[1], stored[2]].map(f32::from);
    let w = (2.0 * one * one - (x * x + (y * y + z * z))).max(0.0).sqrt();
    let mut rotated = [0; 4];
    for (index, value) in [w, x, y, z].into_iter().enumerate() {
        rotated[(index + (stored[3] & 3) as usize) % 4] = (value * scale).round_ties_even() as i16;
    }
    rotated
}

/// A float from a mantissa of 24 bits and an exponent of 8, both signed.
fn float(stored: i32) -> f32 {
    let (exponent, mantissa) = (stored >> 24, stored << 8 >> 8);
    f32::from_bits(((exponent + 127) << 23) as u32) * mantissa as f32
}

/// A colour of `bits` bits per channel from luma, two differences, and alpha, whose highest bit tells the scale.
fn color([luma, orange, green, alpha]: [u32; 4], bits: u32) -> [u32; 4] {
    let largest = (1_u32 << bits) - 1;
    let signed = |value: u32| (value << (32 - bits)).cast_signed() >> (32 - bits);
    let (y, orange, green) = (luma.cast_signed(), signed(orange), signed(green));
    let stored = (1_u32 << (u32::BITS - alpha.leading_zeros())) - 1;
    let alpha = alpha & stored >> 1;
    let alpha = (alpha << 1 | alpha & 1).cast_signed();
    let scale = largest as f32 / stored as f32;
    let channels = [y + (orange - green), y + green, y - (orange + green), alpha];
    channels.map(|channel| (channel as f32 * scale).round_ties_even() as i32 as u32 & largest)
}
