/// The influence of one joint on a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Influence {
    /// Index into the skin's joints.
    pub joint: u32,
    /// Weight as stored in the file; posing divides by the sum over the vertex.
    pub weight: f32,
}

/// Any number of influences per vertex, in two flat arrays: vertex `i` owns `pairs[starts[i]..starts[i + 1]]`.
///
/// Empty (without any vertices) on an unskinned part. The order within a vertex is the file's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Influences {
    starts: Vec<u32>,
    pairs: Vec<Influence>,
}

impl Influences {
    /// No vertices.
    pub const fn new() -> Self {
        Self { starts: Vec::new(), pairs: Vec::new() }
    }

    /// No vertices yet, with capacity for `vertices` of them and `pairs` influences in all.
    pub fn with_capacity(vertices: usize, pairs: usize) -> Self {
        let mut starts = Vec::with_capacity(if vertices == 0 { 0 } else { vertices + 1 });
        if vertices > 0 {
            starts.push(0);
        }
        Self { starts, pairs: Vec::with_capacity(pairs) }
    }

    /// Takes the two arrays. `None` unless `starts` begins with 0, never decreases, and ends with the number of pairs
    /// (or both are empty).
    pub fn from_raw(starts: Vec<u32>, pairs: Vec<Influence>) -> Option<Self> {
        let fits = match (starts.first(), starts.last()) {
            (Some(&0), Some(&last)) => last as usize == pairs.len() && starts.is_sorted(),
            (None, None) => pairs.is_empty(),
            _ => false,
        };
        fits.then_some(Self { starts, pairs })
    }

    /// The two arrays: where each vertex's influences start (followed by the end), and all influences.
    pub fn into_raw(self) -> (Vec<u32>, Vec<Influence>) {
        (self.starts, self.pairs)
    }

    /// Adds one vertex.
    pub fn push(&mut self, influences: impl IntoIterator<Item = Influence>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.pairs.extend(influences);
        self.starts.push(self.pairs.len() as u32);
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are no vertices: the part is not skinned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The influences of one vertex; none on an unskinned part.
    pub fn of(&self, vertex: usize) -> &[Influence] {
        match self.starts.get(vertex..vertex + 2) {
            Some(&[start, end]) => &self.pairs[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The influences of each vertex in turn.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Influence]> {
        self.starts.windows(2).map(|w| &self.pairs[w[0] as usize..w[1] as usize])
    }

    /// All influences, vertex by vertex.
    pub fn pairs(&self) -> &[Influence] {
        &self.pairs
    }

    /// All influences, mutable.
    pub fn pairs_mut(&mut self) -> &mut [Influence] {
        &mut self.pairs
    }

    /// Where each vertex's influences start in [`pairs`](Self::pairs), followed by the end.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Reverses the order of the vertices, and of the influences of each.
    pub(crate) fn reverse(&mut self) {
        let end = self.pairs.len() as u32;
        self.pairs.reverse();
        self.starts.reverse();
        self.starts.iter_mut().for_each(|start| *start = end - *start);
    }

    /// The largest number of influences on one vertex.
    pub fn max_per_vertex(&self) -> usize {
        self.starts.windows(2).map(|w| (w[1] - w[0]) as usize).max().unwrap_or(0)
    }
}
