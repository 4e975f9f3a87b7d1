//! Reads actions with their curves, and parameters.

use super::super::document::{Action, Channel, Curve, Extend, Interpolation, Param, ParamKind};
use super::{Reader, usual};
use crate::report::Failure;

impl Reader<'_, '_> {
    pub(super) fn actions(&mut self) -> Result<Vec<Action>, Failure> {
        self.word("actions")?;
        self.symbol(b'{')?;
        let mut actions = Vec::new();
        while !self.take(b'}')? {
            let (name, spot) = self.string()?;
            self.spots.actions.push(spot);
            self.symbol(b'{')?;
            let mut channels = Vec::new();
            while !self.take(b'}')? {
                channels.push(self.channel()?);
            }
            actions.push(Action { name, channels });
        }
        Ok(actions)
    }

    fn channel(&mut self) -> Result<Channel, Failure> {
        let (name, spot) = self.string()?;
        self.spots.channels.push(spot);
        self.symbol(b'{')?;
        let mut curves = Vec::new();
        while !self.take(b'}')? {
            let (name, spot) = self.string()?;
            self.spots.curves.push(spot);
            let interpolation = self.one_of(&Interpolation::ALL, Interpolation::word)?;
            let has_extend = self.version.extends();
            let extend = if has_extend { self.one_of(&Extend::ALL, Extend::word)? } else { Extend::Const };
            self.symbol(b'{')?;
            let mut keys = Vec::new();
            while !self.take(b'}')? {
                if !self.usual_items(&mut keys, usual::floats) {
                    keys.push(self.floats()?);
                }
            }
            keys.shrink_to_fit();
            curves.push(Curve { name, interpolation, extend, keys });
        }
        Ok(Channel { name, curves })
    }

    pub(super) fn params(&mut self) -> Result<Vec<Param>, Failure> {
        self.word("params")?;
        self.symbol(b'{')?;
        let known = if self.version.named_transform() { &ParamKind::ALL[..] } else { &ParamKind::ALL[..1] };
        let mut params = Vec::new();
        while !self.take(b'}')? {
            let start = self.next_spot();
            let kind = self.one_of(known, ParamKind::word)?;
            if self.version.equals() {
                self.symbol(b'=')?;
            }
            let value = self.int()?;
            if kind == ParamKind::Fps {
                self.spots.fps = start.up_to(self.last_number());
            }
            params.push(Param { kind, value });
        }
        Ok(params)
    }
}
