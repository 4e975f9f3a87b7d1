//! The cache of earlier runs, so that their work is not repeated: the file `.ligament-cache`.

use super::fingerprint::{Fingerprint, hash_text, nanoseconds};
use super::plan::{Job, Plan, key};
use super::tracked::Written;
use ligament::ConvertOptions;
use ligament::internal::write_file_always;
use ligament::settings::{general::KEEP_EXISTING, settings};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The file's name, in the output folder or beside the `ligament.toml`.
const NAME: &str = ".ligament-cache";
/// Version of the file's layout and of the program, since another program may convert the same input differently. A
/// rebuilt program has another version.
fn version() -> String {
    let look = || {
        let metadata = std::env::current_exe().and_then(fs::metadata)?;
        io::Result::Ok(format!("{} {}", metadata.len(), nanoseconds(metadata.modified()?)))
    };
    format!("1 {} {}", env!("CARGO_PKG_VERSION"), look().unwrap_or_default())
}

/// The files that one conversion read and wrote.
#[derive(Debug, Clone)]
pub struct Record {
    options: u128,
    /// The last time that the files were known to match this record.
    seen: SystemTime,
    /// The input first.
    pub read: Vec<Fingerprint>,
    /// The main file first.
    pub outputs: Vec<Fingerprint>,
}

/// Records, keyed by the absolute path of the main output.
pub struct Cache {
    folder: Option<PathBuf>,
    records: BTreeMap<PathBuf, Record>,
    changed: bool,
    /// When it may be written again while conversions go on.
    next: Instant,
}

/// The shortest time between two writes while conversions go on.
const STEP: Duration = Duration::from_secs(1);

impl Cache {
    /// Opens the cache in a folder; `None` keeps it in memory only. If the file is damaged or comes from another version,
    /// everything is converted again.
    pub fn open(folder: Option<&Path>) -> Self {
        let folder = folder.map(absolute);
        let path = folder.as_ref().map(|folder| folder.join(NAME)).filter(|path| path.is_file());
        let text = path.and_then(|path| fs::read(path).ok());
        let value: Option<Value> = text.and_then(|text| serde_json::from_slice(&text).ok());
        let records = folder.as_deref().zip(value).and_then(|(folder, value)| parse(folder, &value));
        Self { folder, records: records.unwrap_or_default(), changed: false, next: Instant::now() }
    }

    /// Whether something happened that is not in the file, so that it would be lost with the process.
    pub fn is_behind(&self) -> bool {
        self.changed && self.folder.is_some()
    }

    /// Writes the file from time to time while conversions go on, so that a process that is killed has not worked for
    /// nothing. Errors wait for the last write.
    pub fn save_now_and_then(&mut self) {
        let begun = Instant::now();
        if self.is_behind() && begun >= self.next {
            let _ = self.save();
            // At most a twentieth of the time is spent on this.
            self.next = Instant::now() + STEP.max(20 * begun.elapsed());
        }
    }

    /// Writes the file if anything changed.
    pub fn save(&mut self) -> io::Result<()> {
        let Some(folder) = self.folder.as_ref().filter(|_| self.changed) else { return Ok(()) };
        self.records.retain(|path, _| path.exists());
        let name = |path: &Path| {
            let path = absolute(path);
            path.strip_prefix(folder).unwrap_or(&path).to_str().map(str::to_owned)
        };
        let prints =
            |prints: &[Fingerprint]| prints.iter().map(|p| p.to_json(name)).collect::<Option<Vec<_>>>();
        // Names that are not UTF-8 cannot be stored; their files are converted each time.
        let records: Vec<Value> = self
            .records
            .values()
            .filter_map(|record| {
                Some(json!({
                    "options": format!("{:032x}", record.options),
                    "seen": nanoseconds(record.seen),
                    "read": prints(&record.read)?,
                    "outputs": prints(&record.outputs)?,
                }))
            })
            .collect();
        let text = json!({ "version": version(), "records": records }).to_string();
        fs::create_dir_all(folder)?;
        let path = folder.join(NAME);
        // In someone else's project, it could lead anywhere.
        if path.is_symlink() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("{NAME} is a link")));
        }
        write_file_always(&path, text.as_bytes())?;
        self.changed = false;
        Ok(())
    }

    /// The record of a job, if it was done with the same options.
    pub fn record(&self, job: &Job) -> Option<&Record> {
        let record = self.records.get(&absolute(&job.output))?;
        let same = record.options == options_hash(job)
            && record.read.first().is_some_and(|input| absolute(&input.path) == absolute(&job.input));
        same.then_some(record)
    }

    /// The outputs of a job's last run, whatever its options were.
    pub fn outputs(&self, job: &Job) -> &[Fingerprint] {
        self.records.get(&absolute(&job.output)).map_or(&[], |record| &record.outputs)
    }

    /// Records what a job read and wrote.
    pub fn note(&mut self, job: &Job, input: Fingerprint, seen: SystemTime, written: Written) {
        let mut read = vec![input];
        read.extend(written.read);
        let record = Record { options: options_hash(job), seen, read, outputs: written.outputs };
        self.records.insert(absolute(&job.output), record);
        self.changed = true;
    }

    /// Records that a job's files were found unchanged.
    pub fn confirm(&mut self, job: &Job, seen: SystemTime) {
        if let Some(record) = self.records.get_mut(&absolute(&job.output)) {
            self.changed |= !record.is_settled();
            record.seen = seen;
        }
    }

    /// Discards a record whose output no longer matches it.
    pub fn forget(&mut self, job: &Job) {
        self.changed |= self.records.remove(&absolute(&job.output)).is_some();
    }

    /// Everything that earlier runs wrote, as [`key`]s. Later runs do not take these as inputs.
    pub fn all_outputs(&self) -> BTreeSet<String> {
        self.records.values().flat_map(|record| &record.outputs).map(|print| key(&print.path)).collect()
    }

    /// Outputs that still exist although their inputs are gone.
    pub fn left_over(&self) -> Vec<&Path> {
        let is_left = |(output, record): &(&PathBuf, &Record)| {
            record.read.first().is_some_and(|input| !input.path.exists()) && output.exists()
        };
        self.records.iter().filter(is_left).map(|(output, _)| output.as_path()).collect()
    }

    /// The records of those of a plan's jobs that have one.
    pub fn of_plan<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = &'a Record> {
        plan.jobs.iter().filter_map(|job| self.record(job))
    }
}

impl Record {
    /// Whether everything that was read and written is unchanged.
    pub fn holds(&self) -> bool {
        self.read.iter().chain(&self.outputs).all(|print| print.holds(self.seen))
    }

    /// Whether lengths and times are enough to know that nothing changed.
    fn is_settled(&self) -> bool {
        let step = Duration::from_secs(3);
        let newest =
            self.read.iter().chain(&self.outputs).filter_map(|p| p.was).map(|was| was.modified).max();
        newest.is_none_or(|newest| UNIX_EPOCH + Duration::from_nanos(newest) + step < self.seen)
    }
}

fn parse(folder: &Path, value: &Value) -> Option<BTreeMap<PathBuf, Record>> {
    // Outputs of another version are still known to be ours.
    let is_current = value.get("version")?.as_str()? == version();
    let mut records = BTreeMap::new();
    for value in value.get("records")?.as_array()? {
        let prints = |key: &str| -> Option<Vec<Fingerprint>> {
            let list = value.get(key)?.as_array()?.iter();
            list.map(|print| Fingerprint::from_json(print, |path| folder.join(path))).collect()
        };
        let options = u128::from_str_radix(value.get("options")?.as_str()?, 16).ok()?;
        let record = Record {
            options: if is_current { options } else { 0 },
            seen: UNIX_EPOCH + Duration::from_nanos(value.get("seen")?.as_u64()?),
            read: prints("read")?,
            outputs: prints("outputs")?,
        };
        records.insert(record.outputs.first()?.path.clone(), record);
    }
    Some(records)
}

/// Hash of all options that affect the output. Whether an existing file may be replaced does not.
fn options_hash(job: &Job) -> u128 {
    let ConvertOptions { read, to, dialect, pose, .. } = &*job.options;
    let decisive = settings().filter(|setting| setting.name != KEEP_EXISTING.name);
    let values: BTreeMap<_, _> = decisive.map(|setting| (setting.name, setting.get(&job.options))).collect();
    let pose = pose.as_ref().map(|pose| json!([pose.clip, pose.seconds]));
    // A folder or pattern stands for other files once one is added.
    let files: Vec<_> =
        job.options.operations.files().iter().map(|path| path.display().to_string()).collect();
    let files = (!files.is_empty()).then_some(files);
    hash_text(&json!([read.format, to, dialect, pose, values, files]).to_string())
}

fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // Removes `.` and `..`, which a path relative to a file's folder may contain.
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}
