//! The functions of a C library that ufbx calls, under the names that it gives them where there is none.
//!
//! Strings and memory are the compiler's own functions or a few lines each; mathematics is Rust's, so that a curve has one
//! result wherever it is computed.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ffi::{c_char, c_int, c_void};

/// What an allocator of C promises.
const ALIGN: usize = 16;

macro_rules! mathematics {
    ($($name:ident($($argument:ident),+) = $body:expr;)+) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: f64),+) -> f64 {
            $body
        }
    )+};
}

mathematics! {
    ufbx_sqrt(x) = x.sqrt();
    ufbx_sin(x) = x.sin();
    ufbx_cos(x) = x.cos();
    ufbx_tan(x) = x.tan();
    ufbx_asin(x) = x.asin();
    ufbx_acos(x) = x.acos();
    ufbx_atan(x) = x.atan();
    ufbx_atan2(y, x) = y.atan2(x);
    ufbx_pow(x, y) = x.powf(y);
    ufbx_fmin(a, b) = a.min(b);
    ufbx_fmax(a, b) = a.max(b);
    ufbx_fabs(x) = x.abs();
    ufbx_copysign(x, y) = x.copysign(y);
    ufbx_nextafter(x, y) = nextafter(x, y);
    ufbx_rint(x) = x.round_ties_even();
    ufbx_floor(x) = x.floor();
    ufbx_ceil(x) = x.ceil();
}

/// The next number after `x` in the direction of `y`.
fn nextafter(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        y
    } else if x < y {
        x.next_up()
    } else {
        x.next_down()
    }
}

#[unsafe(no_mangle)]
extern "C" fn ufbx_isnan(x: f64) -> c_int {
    c_int::from(x.is_nan())
}

/// # Safety
/// The caller gives a text that ends with a zero byte.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strlen(text: *const c_char) -> usize {
    // SAFETY: as above.
    unsafe { std::ffi::CStr::from_ptr(text) }.count_bytes()
}

/// # Safety
/// The caller gives `count` bytes at both places, which do not overlap.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memcpy(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void {
    // SAFETY: as above.
    unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), count) };
    to
}

/// # Safety
/// The caller gives `count` bytes at both places.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memmove(to: *mut c_void, from: *const c_void, count: usize) -> *mut c_void {
    // SAFETY: as above.
    unsafe { std::ptr::copy(from.cast::<u8>(), to.cast::<u8>(), count) };
    to
}

/// # Safety
/// The caller gives `count` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memset(to: *mut c_void, byte: c_int, count: usize) -> *mut c_void {
    // SAFETY: as above.
    unsafe { std::ptr::write_bytes(to.cast::<u8>(), byte as u8, count) };
    to
}

/// # Safety
/// The caller gives `count` bytes, or fewer if the byte is among them.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memchr(bytes: *const c_void, byte: c_int, count: usize) -> *const c_void {
    let bytes = bytes.cast::<u8>();
    for index in 0..count {
        // SAFETY: as above.
        let at = unsafe { bytes.add(index) };
        // SAFETY: as above.
        if unsafe { *at } == byte as u8 {
            return at.cast();
        }
    }
    std::ptr::null()
}

/// # Safety
/// The caller gives `count` bytes at both places.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_memcmp(a: *const c_void, b: *const c_void, count: usize) -> c_int {
    // SAFETY: as above.
    unsafe { difference(a.cast(), b.cast(), count, false) }
}

/// # Safety
/// The caller gives texts that end with a zero byte.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strcmp(a: *const c_char, b: *const c_char) -> c_int {
    // SAFETY: as above.
    unsafe { difference(a.cast(), b.cast(), usize::MAX, true) }
}

/// # Safety
/// The caller gives texts that end with a zero byte, or have at least `count` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_strncmp(a: *const c_char, b: *const c_char, count: usize) -> c_int {
    // SAFETY: as above.
    unsafe { difference(a.cast(), b.cast(), count, true) }
}

/// The first difference of up to `count` bytes, or of those up to a zero byte.
///
/// # Safety
/// There are as many bytes at both places.
unsafe fn difference(a: *const u8, b: *const u8, count: usize, is_text: bool) -> c_int {
    for index in 0..count {
        // SAFETY: as above.
        let (a, b) = unsafe { (*a.add(index), *b.add(index)) };
        if a != b {
            return c_int::from(a) - c_int::from(b);
        }
        if is_text && a == 0 {
            break;
        }
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn ufbx_malloc(size: usize) -> *mut c_void {
    match Layout::from_size_align(size.max(1), ALIGN) {
        // SAFETY: the size is not zero.
        Ok(layout) => unsafe { alloc(layout) }.cast(),
        Err(_) => std::ptr::null_mut(),
    }
}

/// # Safety
/// The caller gives what `ufbx_malloc` returned, or null, with its size.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_realloc(memory: *mut c_void, old: usize, new: usize) -> *mut c_void {
    if memory.is_null() {
        return ufbx_malloc(new);
    }
    match (Layout::from_size_align(old.max(1), ALIGN), Layout::from_size_align(new.max(1), ALIGN)) {
        // SAFETY: as above, and the new size is one that a layout may have.
        (Ok(layout), Ok(new)) => unsafe { realloc(memory.cast(), layout, new.size()) }.cast(),
        _ => std::ptr::null_mut(),
    }
}

/// # Safety
/// The caller gives what `ufbx_malloc` returned, or null, with its size.
#[unsafe(no_mangle)]
unsafe extern "C" fn ufbx_free(memory: *mut c_void, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size.max(1), ALIGN)
        && !memory.is_null()
    {
        // SAFETY: as above.
        unsafe { dealloc(memory.cast(), layout) };
    }
}
