use super::mtl::Library;
use crate::formats::obj_text::Faces;
use crate::io::Source;
use crate::text::RawText;

/// An OBJ file: its content, and the file itself, so that a rewrite gives it back byte for byte.
///
/// ```
/// use ligament::formats::obj::Document;
/// let text = "o Leaf\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n";
/// let mut report = ligament::Report::default();
/// let document = Document::parse(text.as_bytes(), &Default::default(), &mut report).expect("a valid file");
/// assert_eq!(document.model.positions.len(), 3);
/// assert_eq!(document.model.faces.len(), 1);
/// ```
pub struct Document<'a> {
    /// The content.
    pub model: Model,
    /// The file.
    pub(super) source: Source<'a>,
}

/// The content of an OBJ file. Indices count from 0, unlike in the file, with −1 for none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// The file name without folder and extension.
    pub name: String,
    /// `v`: positions.
    pub positions: Vec<[f32; 3]>,
    /// The colours after positions, as in the file: one per position, white where there is none. Empty if no position has a colour.
    pub colors: Vec<[f32; 4]>,
    /// `vt`: texture coordinates, V up.
    pub uvs: Vec<[f32; 2]>,
    /// `vn`: normals.
    pub normals: Vec<[f32; 3]>,
    /// The distinct corners of all elements, in order of first use: position, texture coordinate, normal.
    pub vertices: Vec<[i32; 3]>,
    /// `f`: faces.
    pub faces: Faces,
    /// `l`: lines, as pairs of vertices.
    pub lines: Vec<u32>,
    /// `p`: points.
    pub points: Vec<u32>,
    /// `o`: names of objects, one per line.
    pub objects: Vec<RawText>,
    /// `g`: sets of group names, separated by spaces; each set once.
    pub groups: Vec<RawText>,
    /// `usemtl`: names of materials, each once.
    pub materials: Vec<RawText>,
    /// The object, group, material and smoothing group of the elements.
    pub runs: Vec<Run>,
    /// `mtllib`: libraries of materials, each once.
    pub libraries: Vec<Library>,
    /// Counts of content that a scene cannot hold.
    pub left_out: LeftOut,
}

/// Consecutive elements of the same object, group, material and smoothing group. A run ends where the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Run {
    /// Index into [`Model::objects`].
    pub object: Option<u32>,
    /// Index into [`Model::groups`].
    pub group: Option<u32>,
    /// Index into [`Model::materials`].
    pub material: Option<u32>,
    /// `s`: the smoothing group; 0 for none.
    pub smoothing: u32,
    /// Its first face.
    pub first_face: u32,
    /// Its first line, counted in pairs.
    pub first_line: u32,
    /// Its first point.
    pub first_point: u32,
}

/// Counts of content that a scene cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Curves, surfaces and trims.
    pub free_form: usize,
    /// `vp` lines.
    pub parameters: usize,
    /// Weights of positions (`w`) that are not 1.
    pub weights: usize,
    /// Third texture coordinates that are not 0.
    pub depths: usize,
    /// Faces with one or two corners.
    pub thin_faces: usize,
    /// Positions that no face, line or point uses.
    pub unused: usize,
}
