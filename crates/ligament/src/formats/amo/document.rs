use crate::formats::obj_text::Faces;
use crate::text::RawText;

crate::words! {
    /// The variant of AMO that a file follows.
    #[derive(Default)]
    pub enum Dialect(id, by_id) {
        /// As in the published specification: joints and weights count from 0.
        #[default]
        Document = "document",
        /// As in the later specification and its tools: everything counts from 1.
        OneBased = "one-based",
        /// As in the add-on of 2020: rest matrices, keys in groups after `k`.
        Keyed = "keyed",
        /// As in the add-on since 2021: every list is preceded by its length.
        Counted = "counted",
    }
}

impl Dialect {
    /// The dialect in which a document of this one is written by default.
    pub fn written(self) -> Self {
        if self == Dialect::Keyed { Dialect::Counted } else { self }
    }

    /// Whether joints have a rest matrix that keys are relative to. Otherwise they rest at the origin, and keys are
    /// absolute.
    pub fn has_rest(self) -> bool {
        matches!(self, Dialect::Keyed | Dialect::Counted)
    }
}

/// The content of an AMO file, in its own order. Indices count from 0 whatever the file does, with −1 for none;
/// [`Bases`] remembers how the file counted.
///
/// ```
/// use ligament::formats::amo::{Dialect, Document};
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
    /// The dialect of the file.
    pub dialect: Dialect,
    /// Whether the file's first line names its dialect, so that nothing had to be detected.
    pub marked: bool,
    /// Whether the file says that it was made by editamo, whose V points down.
    pub editamo: bool,
    /// The index bases of the file.
    pub bases: Bases,
    /// The models: one, or in the counted dialect one per `end`.
    pub models: Vec<Model>,
}

/// The number of the first entry of each list, as the file counts: 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bases {
    /// Base for `vj` lines, in faces.
    pub joint_sets: i32,
    /// Base for `vw` lines, in faces.
    pub weight_sets: i32,
    /// Base for joints, in `vj` lines.
    pub joints: i32,
    /// Base for joints, as parents.
    pub parents: i32,
    /// Base for joints, in keys.
    pub keys: i32,
}

impl Bases {
    /// The index bases of a dialect.
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
    /// The distinct corners of all faces, in order of first use.
    pub vertices: Vec<Corner>,
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

/// A corner of a face: indices into the lists, −1 for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Index into [`Model::positions`]; always present.
    pub position: i32,
    /// Index into [`Model::uvs`].
    pub uv: i32,
    /// Index into [`Model::normals`].
    pub normal: i32,
    /// Index into [`Model::joint_sets`].
    pub joints: i32,
    /// Index into [`Model::weight_sets`].
    pub weights: i32,
}

/// An object: a name for the faces up to the next one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    /// Whether it is an `o`, which is static, rather than an `ao`.
    pub still: bool,
    /// Its name.
    pub name: RawText,
    /// The mask that says what the object contains, if the file has one.
    pub mask: Option<u32>,
    /// `t`: the texture's file.
    pub texture: Option<RawText>,
    /// Its first face.
    pub first_face: u32,
}

/// A joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: RawText,
    /// Its parent; −1 for none.
    pub parent: i32,
    /// Its rest transform to its parent, column by column; only if the dialect has one.
    pub rest: Option<[f32; 16]>,
}

/// An animation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Clip {
    /// Its name.
    pub name: RawText,
    /// Milliseconds, if the dialect stores them.
    pub duration: Option<f32>,
    /// Its keys.
    pub keys: Keys,
}

/// The keys of a clip.
#[derive(Debug, Clone, PartialEq)]
pub enum Keys {
    /// One joint's position or rotation each, in file order.
    Single(Vec<Key>),
    /// Several joints at once.
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
    /// Its value.
    pub value: KeyValue,
}

/// The value of a key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KeyValue {
    /// `ap`: a position.
    Position([f32; 3]),
    /// `ar`: a quaternion x y z w.
    Rotation([f32; 4]),
}

/// `k`: the joints that are not at rest at one moment.
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
    /// The translation, in the rest transform's space.
    pub position: [f32; 3],
    /// The rotation: a quaternion x y z w. (The file writes w first.)
    pub rotation: [f32; 4],
}

/// The data of the keyed and counted dialects besides the mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shapes {
    /// `hk`: attachment points for other models.
    pub hooks: Vec<Hook>,
    /// `bb`: centre and half extents of the bounding box.
    pub bounds: Option<[f32; 6]>,
    /// `ne`: centre and half extents of an ellipsoid.
    pub ellipsoid: Option<[f32; 6]>,
    /// `cv`: vertices of the collision mesh.
    pub collision_positions: Vec<[f32; 3]>,
    /// `ci`: its triangles.
    pub collision_triangles: Vec<[i32; 3]>,
    /// `rb`: boxes that follow joints.
    pub boxes: Vec<JointBox>,
}

/// An attachment point for another model.
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
    /// Before all lists.
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
    /// `a` and everything below it.
    Clips,
    /// Everything else.
    Shapes,
}

/// Whole lines that have no meaning in the format, and the line that each follows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asides {
    lines: Vec<Aside>,
    /// All lines, concatenated without their line ends.
    text: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Aside {
    section: Section,
    /// The number of lines of the section before this one.
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

    /// Appends the lines of another list at the end.
    pub(super) fn append(&mut self, other: Asides) {
        for line in &other.lines {
            let text = other.text.get(line.start as usize..line.end as usize).unwrap_or_default();
            self.push(Section::Shapes, u32::MAX as usize, text);
        }
    }

    /// Sorts the lines in the order in which they are written.
    pub(super) fn sort(&mut self) {
        self.lines.sort_by_key(|aside| (aside.section, aside.after));
    }

    /// The next line that follows `count` lines of a section, if any; `next` moves past it.
    pub(super) fn after(&self, section: Section, count: usize, next: &mut usize) -> Option<&[u8]> {
        let aside = self.lines.get(*next)?;
        let due = (aside.section, aside.after as usize) <= (section, count);
        *next += usize::from(due);
        due.then(|| self.text.get(aside.start as usize..aside.end as usize)).flatten()
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}
