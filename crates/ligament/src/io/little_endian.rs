//! Arrays of 16-bit or 32-bit words, or of structures made of one kind of them, between memory and little-endian files.

use bytemuck::Pod;
use std::borrow::Cow;
use std::io::{self, Write};

/// Turns what was read into the machine's order of bytes.
pub(crate) fn to_native<T: Pod>(values: &mut [T]) {
    if cfg!(target_endian = "big") {
        match align_of::<T>() {
            1 => {}
            2 => bytemuck::cast_slice_mut::<T, u16>(values).iter_mut().for_each(|v| *v = v.swap_bytes()),
            _ => bytemuck::cast_slice_mut::<T, u32>(values).iter_mut().for_each(|v| *v = v.swap_bytes()),
        }
    }
}

/// The bytes of values as a file has them.
pub(crate) fn bytes<T: Pod>(values: &[T]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        return Cow::Borrowed(bytemuck::cast_slice(values));
    }
    let mut values = values.to_vec();
    to_native(&mut values);
    Cow::Owned(bytemuck::cast_slice(&values).to_vec())
}

/// Writes values.
pub(crate) fn write<T: Pod>(values: &[T], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&bytes(values))
}
