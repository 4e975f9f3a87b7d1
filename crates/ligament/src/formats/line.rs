//! Writes lines of text files part by part. A format declares once how its writer writes values of each type.

/// A part of a line that the writer `W` can write.
pub(super) trait Part<W> {
    fn put(self, writer: &mut W);
}

impl<W, P: Part<W>> Part<W> for Option<P> {
    #[inline(always)]
    fn put(self, writer: &mut W) {
        if let Some(part) = self {
            part.put(writer);
        }
    }
}

/// Implements [`Part`] for tuples: their parts, one after the other.
macro_rules! tuples {
    () => {};
    ($first:ident $($other:ident)*) => {
        impl<W, $first: Part<W>, $($other: Part<W>),*> Part<W> for ($first, $($other,)*) {
            #[inline(always)]
            #[allow(non_snake_case)]
            fn put(self, writer: &mut W) {
                let ($first, $($other,)*) = self;
                $first.put(writer);
                $($other.put(writer);)*
            }
        }
        tuples! { $($other)* }
    };
}
tuples! { A B C D E F G }

/// Gives a writer with a field `out` the methods `put` and `line`, which take parts, and declares how it writes values
/// of each type. Texts and whole numbers are the same everywhere: `parts! { Writer: f32 = |writer, value|
/// writer.out.shortest(value); }`.
macro_rules! parts {
    (@each $writer:ident: $($type:ty = |$out:ident, $value:ident| $put:expr;)*) => {$(
        impl $crate::formats::line::Part<$writer<'_>> for $type {
            #[inline(always)]
            fn put(self, $out: &mut $writer<'_>) {
                let $value = self;
                $put;
            }
        }
    )*};
    ($writer:ident: $($own:tt)*) => {
        impl $writer<'_> {
            #[inline(always)]
            pub(in $crate::formats) fn put(&mut self, parts: impl $crate::formats::line::Part<Self>) {
                parts.put(self);
            }

            #[inline(always)]
            pub(in $crate::formats) fn line(&mut self, parts: impl $crate::formats::line::Part<Self>) {
                parts.put(self);
                self.out.end_line();
            }
        }

        $crate::formats::line::parts! { @each $writer:
            &str = |writer, text| writer.out.text(text.as_bytes());
            u32 = |writer, value| writer.out.whole(value);
            i32 = |writer, value| writer.put(((value < 0).then_some("-"), value.unsigned_abs()));
            $($own)*
        }
    };
}
pub(super) use parts;
