//! A file: the head that Autodesk's SDK asks for, objects, and connections.
//!
//! `FileId`, `CreationTime` and the footer's id are a checksum of one another, and the SDK reads an empty scene if they
//! do not fit. Constants that fit make the bytes depend on nothing but the scene.

use super::binary::{Section, Width};
use super::tree::{Id, Record, Value, property, time};
use super::{ascii, codes};
use crate::io::Output;
use crate::report::{Failure, Place, Report};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";
const FILE_ID: [u8; 16] = *b"\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1";
const CREATION_TIME: &str = "1970-01-01 10:00:00:000";
const FOOTER_ID: [u8; 16] = *b"\xfa\xbc\xab\x09\xd0\xc8\xd4\x66\xb1\x76\xfb\x83\x1c\xf7\x26\x7e";
const FOOTER_END: [u8; 16] = *b"\xf8\x5a\x8c\x6a\xde\xf5\xd9\x7e\xec\xe9\x0c\xe3\x75\x8f\x29\x0b";
const CREATOR: &str = concat!("ligament ", env!("CARGO_PKG_VERSION"));

/// Objects are encoded once they have this many values together, so that only a few are in memory as records.
const MOST_WAITING: usize = 1 << 18;

/// How a file is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// 7400 for version 7.4.
    pub(super) version: i32,
    pub(super) is_text: bool,
}

/// A file that is being made.
pub(super) struct File {
    form: Form,
    /// The objects so far.
    objects: Section,
    waiting: Vec<Record>,
    waiting_values: usize,
    /// How many objects there are of each kind. The SDK drops those of a kind that is not announced.
    counts: BTreeMap<&'static str, i32>,
    connections: Vec<Record>,
    last: i64,
}

/// What the file says about the whole scene.
pub(super) struct Whole {
    /// The properties of `GlobalSettings`.
    pub(super) settings: Vec<Record>,
    /// The name of the first clip.
    pub(super) take: String,
}

impl File {
    pub(super) fn new(form: Form) -> Self {
        let width = if form.version >= 7500 { Width::Bits64 } else { Width::Bits32 };
        Self {
            form,
            objects: Section::new(width),
            waiting: Vec::new(),
            waiting_values: 0,
            counts: BTreeMap::from([("GlobalSettings", 1)]),
            connections: Vec::new(),
            last: 1_000_000,
        }
    }

    /// The number of the next object.
    pub(super) fn id(&mut self) -> Id {
        self.last += 1;
        Id(self.last)
    }

    /// Adds an object.
    pub(super) fn add(&mut self, object: Record) {
        *self.counts.entry(object.name).or_default() += 1;
        self.waiting_values += values_of(&object);
        self.waiting.push(object);
        if self.waiting_values >= MOST_WAITING {
            self.encode_waiting();
        }
    }

    /// Connects an object to the one it belongs to.
    pub(super) fn connect(&mut self, child: Id, parent: Id) {
        self.connections.push(Record::of("C", "OO").value(child.0).value(parent.0));
    }

    /// Connects an object to a property of another.
    pub(super) fn connect_property(&mut self, child: Id, parent: Id, property: &str) {
        self.connections.push(Record::of("C", "OP").value(child.0).value(parent.0).value(property));
    }

    fn encode_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_values = 0;
        if self.form.is_text {
            ascii::records(&waiting, 1, &mut self.objects.bytes);
        } else {
            self.objects.records(&waiting);
        }
    }

    /// Writes the file.
    pub(super) fn finish(
        mut self,
        whole: Whole,
        output: &mut dyn Output,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.encode_waiting();
        let head = self.head(whole.settings);
        let tail = [
            Record::new("Connections").children(std::mem::take(&mut self.connections)),
            Record::new("Takes").with("Current", whole.take),
        ];
        let written = if self.form.is_text {
            self.write_text(&head, &tail, output.main())
        } else {
            let (first, last) = self.assemble(&head, &tail, report)?;
            let pieces = [&first, &self.objects.bytes, &last];
            pieces.into_iter().try_for_each(|piece| output.main().write_all(piece))
        };
        written.map_err(|error| report.cannot_write(error))
    }

    /// The records before the objects.
    fn head(&self, settings: Vec<Record>) -> Vec<Record> {
        let mut head = vec![self.header_extension()];
        if !self.form.is_text {
            head.push(Record::of("FileId", Arc::from(&FILE_ID[..])));
        }
        head.push(Record::of("CreationTime", CREATION_TIME));
        head.push(Record::of("Creator", CREATOR));
        head.push(Record::new("GlobalSettings").with("Version", 1000).properties(settings));
        let document = Record::of("Document", self.last + 1).value("").value("Scene");
        let source = property("SourceObject", ["object", "", ""], None::<Value>);
        let document = document.properties([source]).with("RootNode", 0_i64);
        head.push(Record::new("Documents").with("Count", 1).child(document));
        head.push(Record::new("References"));
        let kind =
            |(&name, &count): (&&'static str, &i32)| Record::of("ObjectType", name).with("Count", count);
        let total = self.counts.values().sum::<i32>();
        let definitions = Record::new("Definitions").with("Version", 100).with("Count", total);
        head.push(definitions.children(self.counts.iter().map(kind)));
        head
    }

    fn header_extension(&self) -> Record {
        let stamp = [("Year", 1970), ("Month", 1), ("Day", 1), ("Hour", 10), ("Minute", 0)];
        let stamp = stamp
            .into_iter()
            .fold(Record::new("CreationTimeStamp").with("Version", 1000), |r, (n, v)| r.with(n, v));
        let stamp = stamp.with("Second", 0).with("Millisecond", 0);
        let info =
            Record::of("SceneInfo", Value::Name("GlobalInfo".to_owned(), "SceneInfo")).value("UserData");
        let text = |name: &'static str, value: &str| property(name, ["KString", "", ""], [value]);
        let application = ["Original|ApplicationName", "LastSaved|ApplicationName"];
        let info = info.with("Type", "UserData").with("Version", 100);
        let info = info.properties(application.map(|name| text(name, "ligament")));
        Record::new("FBXHeaderExtension")
            .with("FBXHeaderVersion", 1003)
            .with("FBXVersion", self.form.version)
            .child(stamp)
            .with("Creator", CREATOR)
            .child(info)
    }

    fn write_text(&self, head: &[Record], tail: &[Record], out: &mut dyn Write) -> io::Result<()> {
        let version = self.form.version;
        let mut text =
            format!("; FBX {}.{}.0 project file\n\n", version / 1000, version % 1000 / 100).into_bytes();
        ascii::records(head, 0, &mut text);
        ascii::open("Objects", &mut text);
        out.write_all(&text)?;
        out.write_all(&self.objects.bytes)?;
        let mut text = b"}\n".to_vec();
        ascii::records(tail, 0, &mut text);
        out.write_all(&text)
    }

    /// Gives all sections their places. Returns the bytes before the objects and those after them.
    fn assemble(
        &mut self,
        head: &[Record],
        tail: &[Record],
        report: &mut Report,
    ) -> Result<(Vec<u8>, Vec<u8>), Failure> {
        let start = (MAGIC.len() + 4) as u64;
        let width = if self.form.version >= 7500 { Width::Bits64 } else { Width::Bits32 };
        let mut first = Section::new(width);
        first.records(head);
        let objects = first.open("Objects");
        self.objects.end_list();
        let after = (first.bytes.len() + self.objects.bytes.len()) as u64;
        first.set_end(objects, after);
        let mut last = Section::new(width);
        last.records(tail);
        last.end_list();
        let places = [
            first.place(start),
            self.objects.place(start + first.bytes.len() as u64),
            last.place(start + after),
        ];
        if let Some(bytes) = places.into_iter().find_map(Result::err) {
            return Err(too_large(bytes, report));
        }
        let version = self.form.version.to_le_bytes();
        let first = [MAGIC, &version, &first.bytes].concat();
        let mut last = last.bytes;
        last.extend_from_slice(&FOOTER_ID);
        last.extend_from_slice(&[0; 4]);
        // At least one byte, up to a multiple of 16.
        let end = start + after + last.len() as u64;
        last.resize(last.len() + 16 - (end % 16) as usize, 0);
        last.extend_from_slice(&version);
        last.resize(last.len() + 120, 0);
        last.extend_from_slice(&FOOTER_END);
        Ok((first, last))
    }
}

fn too_large(bytes: u64, report: &mut Report) -> Failure {
    let message = format!("the file would be longer than {bytes} bytes; version 7.4 can hold {}", u32::MAX);
    report.error(&codes::TOO_LARGE, Place::WHOLE, message);
    Failure::Invalid
}

/// The values of an object, with those of its arrays.
fn values_of(record: &Record) -> usize {
    let own = record.values.iter().map(|value| match value {
        Value::Array(array) => array.len(),
        Value::Bytes(bytes) => bytes.len() / 8,
        _ => 4,
    });
    own.sum::<usize>() + record.children.iter().map(values_of).sum::<usize>()
}

/// Ticks of FBX per second.
const SECOND: f64 = 46_186_158_000.0;

/// Parts of a second that the frames of all usual rates are multiples of.
const GRID: f64 = 1200.0;

/// A time in ticks. A time that is that of a frame, rounded to 32 bits, becomes the exact one: a step that is a little
/// late would be seen a frame late.
pub(super) fn ticks(seconds: f64) -> i64 {
    let frame = (seconds * GRID).round() / GRID;
    let exact = if frame as f32 == seconds as f32 { frame } else { seconds };
    (exact * SECOND).round() as i64
}

/// The span of a clip, as properties of its stack.
pub(super) fn span(start: i64, stop: i64) -> [Record; 4] {
    [
        time("LocalStart", start),
        time("LocalStop", stop),
        time("ReferenceStart", start),
        time("ReferenceStop", stop),
    ]
}
