//! glTF.
use super::*;

/// The glTF row of the format table.
pub struct Gltf;

static INFO: Info = Info {
    id: "gltf",
    name: "glTF",
    summary: "",
    extensions: &["gltf"],
    is_text: true,
    dialects: &[],
    codes: &[],
};

impl Format for Gltf {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn sniff(&self, _head: &[u8]) -> Match {
        todo!()
    }
    fn capabilities(&self, _dialect: Option<&str>) -> Capabilities {
        todo!()
    }
    fn read<'a>(
        &self,
        _: Source<'a>,
        _: &ReadOptions,
        _: &mut Report,
    ) -> Result<Box<dyn Document + 'a>, Failure> {
        todo!()
    }
    fn export(&self, _: Scene, _: &WriteOptions, _: &mut Report) -> Result<Box<dyn Document>, Failure> {
        todo!()
    }
}
