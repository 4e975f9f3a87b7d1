use crate::text::RawText;

/// Which of the four ways of writing AMO a file follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// The letter of the published specification: joints and weights count from 0.
    #[default]
    Document,
    /// The later specification and its tools: everything counts from 1.
    OneBased,
    /// The add-on of 2020: rest matrices, keys in groups after `k`.
    Keyed,
    /// The add-on since 2021: every list has its length before it.
    Counted,
}

impl Dialect {
    /// All of them, in the order of the format's table.
    pub const ALL: [Dialect; 4] = [Dialect::Document, Dialect::OneBased, Dialect::Keyed, Dialect::Counted];

    /// The word for `--dialect`.
    pub fn id(self) -> &'static str {
        match self {
            Dialect::Document => "document",
            Dialect::OneBased => "one-based",
            Dialect::Keyed => "keyed",
            Dialect::Counted => "counted",
        }
    }

    /// The dialect with this id.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.id().eq_ignore_ascii_case(id))
    }

    /// The dialect that a document of this one is written in unless someone asks for another.
    pub fn written(self) -> Self {
        if self == Dialect::Keyed { Dialect::Counted } else { self }
    }

    /// Whether joints have a rest matrix that keys are changes to; else they rest at the origin, and keys say where they
    /// are.
    pub fn has_rest(self) -> bool {
        matches!(self, Dialect::Keyed | Dialect::Counted)
    }
}

/// An AMO file: what it says, in its own words and order. Indices count from 0 whatever the file does, with −1 for none;
/// [`Bases`] remembers how the file counted.
///
/// ```
/// use ligament::amo::{Dialect, Document};
/// let text = "ao leaf\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let mut report = ligament::Report::default();
/// let document = Document::parse(text.as_bytes(), &Default::default(), &mut report).expect("a valid file");
/// assert_eq!((document.dialect, document.models[0].positions.len()), (Dialect::Document, 3));
///
/// let mut again = Vec::new();
/// document.write_text(Dialect::Document, &mut again)?;
/// assert_eq!(again, format!("# amo dialect: document\n{text}").as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// The file's name without folder and extension.
    pub name: String,
    /// How the file is written.
    pub dialect: Dialect,
    /// Whether the file's first line names its dialect, so that nothing had to be found out.
    pub marked: bool,
    /// Whether the file says that editamo made it, whose V points down.
    pub editamo: bool,
    /// How the file counted what it refers to.
    pub bases: Bases,
    /// The models: one, or in the counted dialect one for each `end`.
    pub models: Vec<Model>,
}

/// The number of the first thing of each list, as the file counts: 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bases {
    /// Of `vj` lines, in faces.
    pub joint_sets: i32,
    /// Of `vw` lines, in faces.
    pub weight_sets: i32,
    /// Of joints, in `vj` lines.
    pub joints: i32,
    /// Of joints, as parents.
    pub parents: i32,
    /// Of joints, in keys.
    pub keys: i32,
}

impl Bases {
    /// How a dialect counts.
    pub fn of(dialect: Dialect) -> Self {
        let all =
            |base| Self { joint_sets: base, weight_sets: base, joints: base, parents: base, keys: base };
        match dialect {
            Dialect::Document | Dialect::Counted => all(0),
            Dialect::OneBased => all(1),
            Dialect::Keyed => Self { joints: 0, ..all(1) },
        }
    }
}

/// Lists, faces, joints and clips that belong together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// `v`: positions.
    pub positions: Vec<[f32; 3]>,
    /// `vt`: texture coordinates.
    pub uvs: Vec<[f32; 2]>,
    /// `vn`: normals.
    pub normals: Vec<[f32; 3]>,
    /// `vj`: four joints, −1 for none.
    pub joint_sets: Vec<[i32; 4]>,
    /// `vw`: four weights.
    pub weight_sets: Vec<[f32; 4]>,
    /// `f`: the faces.
    pub faces: Faces,
    /// `ao` and `o`: names for ranges of faces, in order.
    pub objects: Vec<Object>,
    /// `j`: the joints.
    pub joints: Vec<Joint>,
    /// `a`: the clips.
    pub clips: Vec<Clip>,
    /// Hooks, boxes and collision shapes of the keyed and counted dialects.
    pub shapes: Shapes,
    /// Comments and lines of other formats, for rewriting.
    pub asides: Asides,
}

/// Faces whose equal corners are one vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Faces {
    /// The distinct corners, in the order of their first use.
    pub vertices: Vec<Corner>,
    /// Where each face starts in `corners`, and the end; empty if all faces are triangles.
    pub starts: Vec<u32>,
    /// Indices of vertices, face after face.
    pub corners: Vec<u32>,
}

impl Faces {
    /// The number of faces.
    pub fn len(&self) -> usize {
        if self.starts.is_empty() { self.corners.len() / 3 } else { self.starts.len() - 1 }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// The corners of faces from `first` up to `end`, as a range of `corners`.
    pub fn range(&self, first: usize, end: usize) -> std::ops::Range<usize> {
        let start = |face: usize| match self.starts.is_empty() {
            true => face * 3,
            false => self.starts.get(face).map_or(self.corners.len(), |&s| s as usize),
        };
        let (first, end) = (start(first).min(self.corners.len()), start(end).min(self.corners.len()));
        first..end.max(first)
    }
}

/// A corner of a face: indices into the lists, −1 for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Of [`Model::positions`]; always there.
    pub position: i32,
    /// Of [`Model::uvs`].
    pub uv: i32,
    /// Of [`Model::normals`].
    pub normal: i32,
    /// Of [`Model::joint_sets`].
    pub joints: i32,
    /// Of [`Model::weight_sets`].
    pub weights: i32,
}

/// An object: a name for the faces up to the next one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// Whether it is an `o`, which does not move, rather than an `ao`.
    pub still: bool,
    /// Its name.
    pub name: RawText,
    /// What the file says that it holds, where it does.
    pub mask: Option<u32>,
    /// `t`: the texture's file.
    pub texture: Option<RawText>,
    /// The first of its faces.
    pub first_face: u32,
}

/// A joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: RawText,
    /// Its parent; −1 for none.
    pub parent: i32,
    /// Its rest transform to its parent, column by column; only where the dialect has one.
    pub rest: Option<[f32; 16]>,
}

/// An animation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// Its name.
    pub name: RawText,
    /// Milliseconds, where the dialect states them.
    pub duration: Option<f32>,
    /// What moves when.
    pub keys: Keys,
}

/// The keys of a clip.
#[derive(Debug, Clone, PartialEq)]
pub enum Keys {
    /// One joint's place or rotation each, in the order of the file.
    Single(Vec<Key>),
    /// Several joints at a time.
    Poses(Vec<KeyPose>),
}

impl Default for Keys {
    fn default() -> Self {
        Keys::Single(Vec::new())
    }
}

/// A key of one joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Seconds.
    pub time: f32,
    /// The joint.
    pub joint: i32,
    /// What it does.
    pub value: KeyValue,
}

/// What a joint does at a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyValue {
    /// `ap`: a position.
    Position([f32; 3]),
    /// `ar`: a quaternion x y z w.
    Rotation([f32; 4]),
}

/// `k`: the joints that differ from their rest transforms at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KeyPose {
    /// The moment, as a fraction of the clip's duration.
    pub progress: f32,
    /// The joints.
    pub joints: Vec<JointPose>,
}

/// A change to a joint's rest transform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointPose {
    /// The joint.
    pub joint: i32,
    /// The movement, in the rest transform's space.
    pub position: [f32; 3],
    /// The rotation: a quaternion x y z w. (The file writes w first.)
    pub rotation: [f32; 4],
}

/// What the keyed and counted dialects hold besides the mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shapes {
    /// `hk`: places where other models are hooked in.
    pub hooks: Vec<Hook>,
    /// `bb`: centre and half the extent of the bounding box.
    pub bounds: Option<[f32; 6]>,
    /// `ne`: centre and half the extent of an ellipsoid.
    pub ellipsoid: Option<[f32; 6]>,
    /// `cv`: vertices of the collision mesh.
    pub collision_positions: Vec<[f32; 3]>,
    /// `ci`: its triangles.
    pub collision_triangles: Vec<[i32; 3]>,
    /// `rb`: boxes that follow joints.
    pub boxes: Vec<JointBox>,
}

/// A place where another model is hooked in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hook {
    /// Its number.
    pub index: i32,
    /// The joint that it follows; −1 for none.
    pub joint: i32,
    /// Position.
    pub position: [f32; 3],
    /// Direction.
    pub direction: [f32; 3],
    /// Matrix, column by column.
    pub matrix: [f32; 16],
}

/// A box that follows a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointBox {
    /// The joint; −1 for none.
    pub joint: i32,
    /// Position.
    pub position: [f32; 3],
    /// Scale.
    pub scale: [f32; 3],
    /// Matrix, column by column.
    pub matrix: [f32; 16],
}

/// The lists that lines belong to, in the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Section {
    /// Before everything.
    #[default]
    Start,
    /// The first `ao` or `o`, with its `t`.
    Object,
    /// `v`.
    Positions,
    /// `vt`.
    Uvs,
    /// `vn`.
    Normals,
    /// `vj`.
    JointSets,
    /// `vw`.
    WeightSets,
    /// `f`, and the objects after the first.
    Faces,
    /// `j`.
    Joints,
    /// `a` and all below it.
    Clips,
    /// Everything else.
    Shapes,
}

/// Whole lines that mean nothing to the format, and what each stands after.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asides {
    lines: Vec<Aside>,
    /// All lines, one after the other, without their ends.
    text: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Aside {
    section: Section,
    /// How many lines of the section stand before.
    after: u32,
    start: u32,
    end: u32,
}

impl Asides {
    pub(super) fn push(&mut self, section: Section, after: usize, line: &[u8]) {
        let number = |n: usize| u32::try_from(n).ok();
        let after = after.min(u32::MAX as usize);
        let (start, end) = (self.text.len(), self.text.len() + line.len());
        // A file that is too large for this is too large to be read at all.
        if let (Some(after), Some(start), Some(end)) = (number(after), number(start), number(end)) {
            self.text.extend_from_slice(line);
            self.lines.push(Aside { section, after, start, end });
        }
    }

    /// Adds lines at the end.
    pub(super) fn append(&mut self, other: Asides) {
        for line in &other.lines {
            let text = other.text.get(line.start as usize..line.end as usize).unwrap_or_default();
            self.push(Section::Shapes, u32::MAX as usize, text);
        }
    }

    /// Puts the lines into the order in which they are written.
    pub(super) fn sort(&mut self) {
        self.lines.sort_by_key(|aside| (aside.section, aside.after));
    }

    /// The lines that follow so many of a section, from `next` on; `next` moves behind them.
    pub(super) fn after(&self, section: Section, count: usize, next: &mut usize) -> Option<&[u8]> {
        let aside = self.lines.get(*next)?;
        let due = (aside.section, aside.after as usize) <= (section, count);
        *next += usize::from(due);
        due.then(|| self.text.get(aside.start as usize..aside.end as usize)).flatten()
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}
