//! Converts arrays of 16-bit or 32-bit words, or of structures made of one kind of them, to and from little-endian
//! bytes.

use bytemuck::Pod;
use std::borrow::Cow;
use std::io::{self, Write};

/// Converts values that were read to the machine's byte order.
pub(crate) fn to_native<T: Pod>(values: &mut [T]) {
    if cfg!(target_endian = "big") {
        match align_of::<T>() {
            1 => {}
            2 => bytemuck::cast_slice_mut::<T, u16>(values).iter_mut().for_each(|v| *v = v.swap_bytes()),
            _ => bytemuck::cast_slice_mut::<T, u32>(values).iter_mut().for_each(|v| *v = v.swap_bytes()),
        }
    }
}

/// The values as little-endian bytes.
pub(crate) fn bytes<T: Pod>(values: &[T]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        return Cow::Borrowed(bytemuck::cast_slice(values));
    }
    let mut values = values.to_vec();
    to_native(&mut values);
    Cow::Owned(bytemuck::cast_slice(&values).to_vec())
}

/// Writes values as little-endian bytes.
pub(crate) fn write<T: Pod>(values: &[T], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&bytes(values))
}
