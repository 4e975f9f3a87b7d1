//! Reading OBJ: against the `tobj` crate, and instructions a byte.

use super::measure::{in_turns, told};
use super::page::Row;
use super::{Bench, data};
use crate::run::Result;

impl Bench {
    pub fn read_obj(&mut self) -> Result {
        let megabytes = self.large() / 2;
        let file = data::obj(megabytes)?.display().to_string();
        let read = |what: &str| told(&mut self.tools.ours(&[what, &file, "--threads", "1"]));
        let tobj = || told(&mut self.tools.ours(&["read-tobj", &file]));
        let document = in_turns(self.rounds, || read("read"), tobj)?;
        let scene = in_turns(self.rounds, || read("read-scene"), tobj)?;
        let what = format!("Reading {megabytes} MB of OBJ, all checks on, one core");
        self.page.faster(&what, "`tobj` crate", document, 5.0, 5.0);
        self.page.faster(
            &format!("Reading {megabytes} MB of OBJ up to the scene, one core"),
            "`tobj` crate",
            scene,
            5.0,
            5.0,
        );
        let each = self.instructions_a_byte(&data::obj(1)?, &data::obj(3)?)?;
        self.page.row(Row {
            what: "Reading OBJ: instructions a byte (callgrind)".into(),
            ours: format!("{each:.1}"),
            baseline: "–".into(),
            ratio: "–".into(),
            goal: "≤ 25".into(),
            met: Some((each <= 25.0, each <= 25.0)),
        });
        Ok(())
    }
}
