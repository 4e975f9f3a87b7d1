use crate::scene;

/// Faces as lists of vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Faces {
    /// The start of each face in `corners`, and the end; empty if all faces are triangles.
    pub starts: Vec<u32>,
    /// Vertex indices of all faces in order.
    pub corners: Vec<u32>,
}

impl Faces {
    /// The number of faces.
    pub fn len(&self) -> usize {
        if self.starts.is_empty() { self.corners.len() / 3 } else { self.starts.len() - 1 }
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// The corners of the faces from `first` up to `end`, as a range of `corners`.
    pub fn range(&self, first: usize, end: usize) -> std::ops::Range<usize> {
        let start = |face: usize| match self.starts.is_empty() {
            true => face * 3,
            false => self.starts.get(face).map_or(self.corners.len(), |&s| s as usize),
        };
        let (first, end) = (start(first).min(self.corners.len()), start(end).min(self.corners.len()));
        first..end.max(first)
    }

    /// Ends the face whose corners begin at index `first` of the list.
    #[inline(always)]
    pub(crate) fn end_face(&mut self, first: usize) {
        if self.corners.len() - first != 3 && self.starts.is_empty() {
            self.starts.extend((0..=first as u32).step_by(3));
        }
        if !self.starts.is_empty() {
            self.starts.push(self.corners.len() as u32);
        }
    }
}

impl From<Faces> for scene::Faces {
    fn from(Faces { starts, corners }: Faces) -> Self {
        if starts.windows(2).all(|pair| pair[1] - pair[0] == 3) {
            return Self::Triangles(corners);
        }
        Self::Polygons { starts, corners }
    }
}
