//! Reading OBJ, compared with the `tobj` crate, and instructions per byte.

use super::measure::{in_turns, told};
use super::page::Row;
use super::{Bench, data};
use crate::run::Result;

impl Bench {
    pub fn read_obj(&mut self) -> Result {
        let megabytes = self.large() / 2;
        let file = data::obj(megabytes)?.display().to_string();
        let read = |what: &str, threads: &[&str]| {
            let arguments = [&[what, &file], threads].concat();
            told(&mut self.tools.ours(&arguments))
        };
        let tobj = || told(&mut self.tools.ours(&["read-tobj", &file]));
        for (what, up_to) in [("read", ""), ("read-scene", " up to the scene")] {
            let all = in_turns(self.rounds, || read(what, &[]), tobj)?;
            let one = in_turns(self.rounds, || read(what, &["--threads", "1"]), tobj)?;
            let reading = format!("Reading {megabytes} MB of OBJ{up_to}, all checks on");
            self.page.faster(&reading, "`tobj` crate", all, 5.0, 5.0);
            self.page.plain(&format!("{reading}, one core"), "`tobj` crate", one);
        }
        let each = self.instructions_a_byte(&data::obj(1)?, &data::obj(3)?)?;
        self.page.row(Row {
            what: "Reading OBJ: instructions per byte (callgrind)".into(),
            ours: format!("{each:.1}"),
            baseline: "–".into(),
            ratio: "–".into(),
            goal: "≤ 25".into(),
            met: Some((each <= 25.0, each <= 25.0)),
        });
        Ok(())
    }
}
