use super::Code;

/// What became of a feature in a conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// Which feature.
    pub code: &'static Code,
    /// Of which object: `clip "Walk"`, `material "Skin"`; empty for the whole scene.
    pub object: String,
    /// Kept, approximated or dropped.
    pub kind: LossKind,
    /// How many things it concerns: vertices, tracks, cameras.
    pub count: u64,
    /// What happened and why, in one sentence without a full stop.
    pub message: String,
}

/// Kept, approximated or dropped.
#[derive(Debug, Clone, PartialEq)]
pub enum LossKind {
    /// Kept in full, but in another form than the source's (for example in `extras`).
    Kept,
    /// Kept nearly.
    Approximated {
        /// How far off, where it was measured.
        size: Option<f64>,
        /// What `size` counts: `units`, `of the model's size`, `degrees`. Where vertices move, it is one of the
        /// first two.
        unit: &'static str,
    },
    /// Gone.
    Dropped,
}

impl LossKind {
    /// `kept`, `approximated` or `dropped`.
    pub fn name(&self) -> &'static str {
        match self {
            LossKind::Kept => "kept",
            LossKind::Approximated { .. } => "approximated",
            LossKind::Dropped => "dropped",
        }
    }
}

impl Loss {
    /// Something kept in another form.
    pub fn kept(
        code: &'static Code,
        object: impl Into<String>,
        count: usize,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            object: object.into(),
            kind: LossKind::Kept,
            count: count as u64,
            message: message.into(),
        }
    }

    /// Something dropped.
    pub fn dropped(
        code: &'static Code,
        object: impl Into<String>,
        count: usize,
        message: impl Into<String>,
    ) -> Self {
        Self { kind: LossKind::Dropped, ..Self::kept(code, object, count, message) }
    }

    /// Something approximated by `size`.
    pub fn approximated(
        code: &'static Code,
        object: impl Into<String>,
        count: usize,
        size: impl Into<Option<f64>>,
        unit: &'static str,
        message: impl Into<String>,
    ) -> Self {
        let kind = LossKind::Approximated { size: size.into(), unit };
        Self { code, object: object.into(), kind, count: count as u64, message: message.into() }
    }

    pub(super) fn same_kind(&self, other: &Loss) -> bool {
        self.code.id == other.code.id
            && self.object == other.object
            && self.message == other.message
            && std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }

    pub(super) fn add(&mut self, other: &Loss) {
        self.count += other.count;
        if let (LossKind::Approximated { size: a, .. }, LossKind::Approximated { size: b, .. }) =
            (&mut self.kind, &other.kind)
        {
            *a = match (*a, *b) {
                (Some(x), Some(y)) => Some(x.max(y)),
                (x, y) => x.or(y),
            };
        }
    }
}
