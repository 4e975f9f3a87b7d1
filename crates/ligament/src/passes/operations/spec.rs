//! The texts in which operations on clips are asked for: `all@0-30=walk`, `walk=2`, `0.5s-1.5s`.

use crate::scene::Clip;

/// A moment of a clip, as people name it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Moment {
    Frame(f64),
    Seconds(f64),
}

impl Moment {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (number, is_seconds) = match text.trim().strip_suffix('s') {
            Some(number) => (number.trim_end(), true),
            None => (text.trim(), false),
        };
        let wrong = || format!("expected a frame such as 30 or a time such as 1.25s, not {text:?}");
        let number: f64 =
            number.parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0).ok_or_else(wrong)?;
        Ok(if is_seconds { Self::Seconds(number) } else { Self::Frame(number) })
    }

    pub(super) fn seconds(self, rate: f64) -> f64 {
        match self {
            Moment::Frame(frame) => frame / rate,
            Moment::Seconds(seconds) => seconds,
        }
    }
}

/// `CLIP@FROM-TO=NAME`: a stretch of a clip under a new name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stretch {
    /// `None` if the file's only clip is meant.
    pub(super) clip: Option<String>,
    /// `None` for the beginning.
    pub(super) from: Option<Moment>,
    /// `None` for the end.
    pub(super) to: Option<Moment>,
    /// Empty if none was given.
    pub(super) name: String,
}

impl Stretch {
    /// Several, separated by commas. Those without a clip are of the clip named before them.
    pub(super) fn parse_all(text: &str) -> Result<Vec<Self>, String> {
        let mut clip: Option<String> = None;
        let parse = |part: &str| {
            let stretch = Self::parse(part)?;
            clip = stretch.clip.clone().or(clip.take());
            Ok(Self { clip: clip.clone(), ..stretch })
        };
        text.split(',').map(parse).collect()
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (stretch, name) =
            text.split_once('=').map_or((text, ""), |(stretch, name)| (stretch, name.trim()));
        let (clip, range) = match stretch.rsplit_once('@') {
            Some((clip, range)) => (Some(clip.trim().to_owned()), range),
            None => (None, stretch),
        };
        let (from, to) = range
            .split_once('-')
            .ok_or_else(|| format!("expected a stretch such as 0-30 or 0.5s-1.5s, not {range:?}"))?;
        let end = |text: &str| (!text.trim().is_empty()).then(|| Moment::parse(text)).transpose();
        Ok(Self { clip, from: end(from)?, to: end(to)?, name: name.to_owned() })
    }
}

/// `A=B`, split at the last `=`.
pub(super) fn pair(text: &str) -> Result<(&str, &str), String> {
    let (a, b) = text.rsplit_once('=').ok_or_else(|| format!("expected A=B, not {text:?}"))?;
    match (a.trim(), b.trim()) {
        ("", _) | (_, "") => Err(format!("expected A=B, not {text:?}")),
        pair => Ok(pair),
    }
}

/// A number above zero.
pub(super) fn factor(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 1e-3 && *n <= 1e3);
    number.ok_or_else(|| format!("expected a number from 0.001 to 1000, not {text:?}"))
}

/// How long a loop is: `3` times the clip, or `10s`.
pub(super) fn repeats(text: &str, clip: &Clip) -> Result<f64, String> {
    let lasts = f64::from(clip.duration);
    let times = match text.trim().strip_suffix('s') {
        Some(seconds) if lasts > 0.0 => seconds.trim().parse::<f64>().ok().map(|seconds| seconds / lasts),
        _ => text.trim().parse::<f64>().ok(),
    };
    let times = times.filter(|n| n.is_finite() && *n > 0.0 && *n <= 1000.0);
    times
        .ok_or_else(|| format!("expected how often, up to 1000, or how long, such as 3 or 10s, not {text:?}"))
}

/// Rates that programs use.
const RATES: [f64; 7] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0];

/// The frames per second that frame numbers of a clip count: those asked for, those of the file, or the lowest usual rate
/// at which all keys are on frames; otherwise 24.
pub(super) fn rate(clip: &Clip, asked: Option<f32>) -> f64 {
    let stated =
        asked.or(clip.frames.map(|frames| frames.rate)).filter(|rate| rate.is_finite() && *rate > 0.0);
    if let Some(rate) = stated {
        return f64::from(rate);
    }
    let times = crate::motion::key_times(&clip.tracks);
    let fits = |rate: &f64| {
        let off = |time: &f32| {
            let frame = f64::from(*time) * rate;
            (frame - frame.round()).abs() <= 1e-3 + f64::from(*time) * 1e-6 * rate
        };
        times.iter().all(off)
    };
    RATES.into_iter().find(|rate| times.len() > 1 && fits(rate)).unwrap_or(RATES[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_read_as_people_type_them() {
        let all = Stretch::parse_all("all@0-30=walk,31-60=run").expect("two");
        let names: Vec<_> = all.iter().map(|s| (s.clip.as_deref(), s.name.as_str())).collect();
        assert_eq!(names, [(Some("all"), "walk"), (Some("all"), "run")]);
        assert_eq!((all[1].from, all[1].to), (Some(Moment::Frame(31.0)), Some(Moment::Frame(60.0))));
        let open = Stretch::parse_all("a@b@0.5s-").expect("one");
        assert_eq!(
            (open[0].clip.as_deref(), open[0].from, open[0].to),
            (Some("a@b"), Some(Moment::Seconds(0.5)), None)
        );
        for wrong in ["walk", "all@=x", "0--3", "a@x-y=b", "0-1e999"] {
            assert!(Stretch::parse_all(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn pairs_and_factors_are_checked() {
        assert_eq!(pair("a=b=c"), Ok(("a=b", "c")));
        assert!(pair("a").is_err() && pair("=b").is_err() && factor("0").is_err() && factor("nan").is_err());
    }
}
