//! Enums whose values are named by words.

/// Declares enums with a list of their values, a method that returns a value's word, and optionally a function that finds
/// a value by its word. A value may have further words by which it is found.
///
/// ```ignore
/// words! {
///     /// The axis that points up.
///     pub enum Up(word, by_word) {
///         /// +Y.
///         Y = "y" | "+y",
///         /// +Z.
///         Z = "z" | "+z",
///     }
/// }
/// assert_eq!((Up::Y.word(), Up::by_word("+Z")), ("y", Some(Up::Z)));
/// ```
macro_rules! words {
    ($($(#[$meta:meta])* $vis:vis enum $name:ident($word:ident $(, $by_word:ident)?) {
        $($(#[$doc:meta])* $value:ident = $first:literal $(| $other:literal)*,)+
    })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis enum $name {
            $($(#[$doc])* $value,)+
        }

        impl $name {
            /// All values.
            $vis const ALL: [Self; [$($first),+].len()] = [$(Self::$value),+];

            const fn words(self) -> &'static [&'static str] {
                match self {
                    $(Self::$value => &[$first $(, $other)*],)+
                }
            }

            /// The word for this value.
            $vis const fn $word(self) -> &'static str {
                self.words()[0]
            }

            $(
                /// Finds a value by one of its words, ignoring case.
                $vis fn $by_word(word: impl AsRef<[u8]>) -> Option<Self> {
                    let is_it = |own: &&str| own.as_bytes().eq_ignore_ascii_case(word.as_ref());
                    Self::ALL.into_iter().find(|value| value.words().iter().any(is_it))
                }
            )?
        }
    )+};
}
pub(crate) use words;
