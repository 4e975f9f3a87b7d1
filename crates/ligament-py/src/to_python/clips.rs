use super::{Giver, Object};
use crate::arrays;
use ligament::scene::{Clip, Interpolation, Track, Values};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::collections::HashMap;

impl<'py> Giver<'py> {
    pub(super) fn clip(&self, clip: Clip) -> PyResult<Object<'py>> {
        let frames = match clip.frames {
            Some(frames) => {
                self.make(&self.classes.frames, [self.any(frames.rate)?, self.any(frames.count)?])?
            }
            None => self.any(None::<()>)?,
        };
        // Tracks with the same times have the same array.
        let times = RefCell::new(HashMap::new());
        let fields = [
            self.text(&clip.name)?,
            self.any(clip.duration)?,
            self.list(clip.tracks, |giver, track| giver.track(track, &mut times.borrow_mut()))?,
            frames,
            self.extras(&clip.extras)?,
        ];
        self.make(&self.classes.clip, fields)
    }

    fn track(&self, track: Track, shared: &mut HashMap<*const f32, Object<'py>>) -> PyResult<Object<'py>> {
        let keys = track.times.len();
        let property = track.values.property();
        let (count, elements) = (track.values.len(), track.interpolation == Interpolation::Cubic);
        let shape = |columns: usize| match elements {
            true => vec![count / 3, 3, columns],
            false => vec![count, columns],
        };
        let values = match track.values {
            Values::Translation(v) | Values::Scale(v) => arrays::adopt::<f32, _>(self.py, v, &shape(3))?,
            Values::Rotation(v) => arrays::adopt::<f32, _>(self.py, v, &shape(4))?,
            Values::MorphWeights { count, weights } => {
                arrays::adopt::<f32, _>(self.py, weights, &shape(count))?
            }
        };
        let times = match shared.get(&track.times.as_ptr()) {
            // Arrays without elements may all begin at the same address.
            Some(times) if keys > 0 => times.clone(),
            _ => {
                let pointer = track.times.as_ptr();
                let times = arrays::share(self.py, track.times)?;
                shared.insert(pointer, times.clone());
                times
            }
        };
        let fields = [
            self.any(track.node.0)?,
            self.any(property)?,
            times,
            values,
            self.any(track.interpolation.name())?,
        ];
        self.make(&self.classes.track, fields)
    }
}
