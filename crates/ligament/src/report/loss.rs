use super::{Code, Remedy};

/// What happened to a feature in a conversion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Loss {
    /// The feature.
    pub code: &'static Code,
    /// The object that has the feature: `clip "Walk"`, `material "Skin"`; empty for the whole scene.
    pub object: String,
    /// Kept, approximated or dropped.
    pub kind: LossKind,
    /// The number of things affected: vertices, tracks, cameras.
    pub count: u64,
    /// What happened and why, in one sentence without a full stop.
    pub message: String,
    /// The setting that avoids it, if there is one.
    pub remedy: Option<Remedy>,
}

/// Kept, approximated or dropped.
#[derive(Debug, Clone, PartialEq)]
pub enum LossKind {
    /// Kept in full, but in a different form than in the source (for example in `extras`).
    Kept,
    /// Kept approximately.
    Approximated {
        /// How far off it is, if that was measured.
        size: Option<f64>,
        /// The unit of `size`: `units`, `of the model's size`, `degrees`. For vertices that move, it is one of the
        /// first two.
        unit: &'static str,
    },
    /// Not kept.
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
    /// A feature kept in another form.
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
            remedy: None,
        }
    }

    /// Adds the setting that avoids it.
    pub(crate) fn remedy(mut self, remedy: impl Into<Option<Remedy>>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// A feature that was dropped.
    pub fn dropped(
        code: &'static Code,
        object: impl Into<String>,
        count: usize,
        message: impl Into<String>,
    ) -> Self {
        Self { kind: LossKind::Dropped, ..Self::kept(code, object, count, message) }
    }

    /// A feature that was approximated, off by `size`.
    pub fn approximated(
        code: &'static Code,
        object: impl Into<String>,
        count: usize,
        size: impl Into<Option<f64>>,
        unit: &'static str,
        message: impl Into<String>,
    ) -> Self {
        let kind = LossKind::Approximated { size: size.into(), unit };
        Self { kind, ..Self::kept(code, object, count, message) }
    }

    /// Whether nothing was lost: its count is zero, and no approximation is off.
    pub(super) fn is_none(&self) -> bool {
        self.count == 0 && !matches!(self.kind, LossKind::Approximated { size: Some(off), .. } if off != 0.0)
    }

    pub(super) fn same_kind(&self, other: &Loss) -> bool {
        self.code.id == other.code.id
            && self.object == other.object
            && self.message == other.message
            && self.remedy == other.remedy
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

/// How far a vertex may be off at rest or in a clip, according to some losses, as a fraction of the model's size. Each
/// loss moves it by at most its size, so together they move it by at most the sum. A loss of one clip does not cover the
/// others or the rest pose.
pub fn announced(losses: &[Loss], clip: Option<&str>, model_size: f64) -> f64 {
    let object = clip.map(|clip| format!("clip {clip:?}"));
    let concerns = |loss: &&Loss| !loss.object.starts_with("clip ") || Some(&loss.object) == object.as_ref();
    let size = |loss: &Loss| match loss.kind {
        LossKind::Approximated { size: Some(size), unit: "of the model's size" } => size,
        LossKind::Approximated { size: Some(size), unit: "units" } => size / model_size,
        _ => 0.0,
    };
    losses.iter().filter(concerns).map(size).sum()
}
