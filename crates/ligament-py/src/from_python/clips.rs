use super::arrays::Array;
use super::object::Object;
use bytemuck::pod_collect_to_vec;
use ligament::scene::{Clip, Frames, Interpolation, NodeId, Track, Values};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// Converts clips. Tracks with the same array of times share it.
#[derive(Default)]
pub(super) struct Clips {
    times: HashMap<usize, Arc<[f32]>>,
}

impl Clips {
    pub(super) fn clip(&mut self, clip: &Object<'_, '_>) -> PyResult<Clip> {
        Ok(Clip {
            name: clip.text("name")?,
            duration: clip.number("duration")?,
            frames: clip.maybe("frames", "Frames", |frames| {
                Ok(Frames { rate: frames.number("rate")?, count: frames.whole("count")? })
            })?,
            tracks: clip.list("tracks", "Track", |track| self.track(track))?,
            extras: clip.extras()?,
        })
    }

    fn track(&mut self, track: &Object<'_, '_>) -> PyResult<Track> {
        let interpolation = match track.word("interpolation", &["step", "linear", "cubic"])? {
            "step" => Interpolation::Step,
            "linear" => Interpolation::Linear,
            _ => Interpolation::Cubic,
        };
        // Nothing is freed during the conversion, so an address identifies one array.
        let address = track.get("times")?.as_ptr() as usize;
        let times = match self.times.get(&address) {
            Some(times) => Arc::clone(times),
            None => {
                let times: Arc<[f32]> = track.floats("times")?.into();
                self.times.insert(address, Arc::clone(&times));
                times
            }
        };
        let property = track.word("property", &["translation", "rotation", "scale", "weights"])?;
        let values = track.shaped("values")?;
        let columns = columns(track, property, interpolation, &values, times.len())?;
        let values = match property {
            "translation" => Values::Translation(pod_collect_to_vec(&values.data)),
            "rotation" => Values::Rotation(pod_collect_to_vec(&values.data)),
            "scale" => Values::Scale(pod_collect_to_vec(&values.data)),
            _ => Values::MorphWeights { count: columns, weights: values.data },
        };
        Ok(Track { node: NodeId(track.whole("node")?), interpolation, times, values })
    }
}

/// Checks the shape of a track's values, and returns the number of components per value.
fn columns(
    track: &Object<'_, '_>,
    property: &str,
    interpolation: Interpolation,
    values: &Array<f32>,
    keys: usize,
) -> PyResult<usize> {
    let wanted = match property {
        "translation" | "scale" => Some(3),
        "rotation" => Some(4),
        _ => None,
    };
    let fits = |columns: usize| wanted.is_none_or(|wanted| wanted == columns);
    match (interpolation, &values.shape[..]) {
        (Interpolation::Cubic, &[rows, 3, columns]) if rows == keys && fits(columns) => Ok(columns),
        (Interpolation::Step | Interpolation::Linear, &[rows, columns]) if rows == keys && fits(columns) => {
            Ok(columns)
        }
        (_, shape) => {
            let wanted = wanted.map_or("morphs".to_owned(), |columns| columns.to_string());
            let expected = match interpolation {
                Interpolation::Cubic => format!("({keys}, 3, {wanted})"),
                _ => format!("({keys}, {wanted})"),
            };
            let message = format!("expected an array of shape {expected} for {keys} keys, not {shape:?}");
            Err(track.wrong("values", message))
        }
    }
}
