//! What is fuzzed: a target per format, one per kind of compressed data, and one for scenes that no file
//! has.

use ligament::formats::{FORMATS, Format, by_id};

/// A program in `fuzz/fuzz_targets`.
#[derive(Clone, Copy)]
pub enum Target {
    Format(&'static Format),
    Stream(&'static Stream),
}

/// A kind of compressed data inside of models or beside them, or the choices that make a scene.
pub struct Stream {
    pub name: &'static str,
    pub seeds: Seeds,
}

/// Where a stream's first inputs come from.
pub enum Seeds {
    /// A list of streams: the last word of each line, in base64. The function makes the first bytes of a seed from the
    /// line's words.
    List(&'static str, fn(&[&str]) -> Vec<u8>),
    /// Files with an extension.
    Files(&'static [&'static str]),
    /// Bytes that look random, the same in every run.
    Random,
}

static STREAMS: [Stream; 4] = [
    Stream { name: "draco", seeds: Seeds::List("draco_streams.txt", |_| Vec::new()) },
    Stream { name: "meshopt", seeds: Seeds::List("meshopt.txt", filter_stride_and_count) },
    Stream { name: "ktx2", seeds: Seeds::Files(&["ktx2"]) },
    Stream { name: "scenes", seeds: Seeds::Random },
];

/// The bytes with which the target `meshopt` expects its input to start.
fn filter_stride_and_count(words: &[&str]) -> Vec<u8> {
    let filters = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];
    let filter = filters.iter().position(|filter| *filter == words[1]).unwrap_or(0);
    let number = |word: &str| word.parse::<usize>().unwrap_or(0) as u8;
    vec![filter as u8, number(words[3]), number(words[2])]
}

impl Target {
    /// Every target, formats first.
    pub fn all() -> Vec<Self> {
        FORMATS.iter().map(|format| Self::Format(format)).chain(STREAMS.iter().map(Self::Stream)).collect()
    }

    /// The target with a name. The error lists the names.
    pub fn named(name: &str) -> Result<Self, String> {
        let stream = || STREAMS.iter().find(|stream| stream.name == name).map(Self::Stream);
        by_id(name).map(Self::Format).or_else(stream).ok_or_else(|| {
            format!("there is no target `{name}`; expected --all or one of: {}", Self::names())
        })
    }

    /// The names of all targets, for messages.
    pub fn names() -> String {
        Self::all().iter().map(|target| target.name()).collect::<Vec<_>>().join(", ")
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Format(format) => format.id,
            Self::Stream(stream) => stream.name,
        }
    }
}
