//! Runs a plan: finds out what changed, converts it on all cores, and moves the results into place in the plan's order, so
//! that they do not depend on the number of threads.

use super::cache::Cache;
use super::fingerprint::Fingerprint;
use super::output::BatchOutput;
use super::plan::{Job, Plan, key};
use super::tracked::{self, Beside, Remember, TrackedOutput, Written};
use super::workers::{Event, Work};
use crate::commands::convert::Done;
use crate::exit::Exit;
use crate::fence::fenced;
use crate::interrupt;
use ligament::convert::Proven;
use ligament::internal::create_with_folders;
use ligament::io::{Source, codes};
use ligament::report::Place;
use ligament::{Failure, Report};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

/// The outcome of a job.
pub enum Outcome {
    Unchanged,
    Done(Box<Done>),
    Failed(Failure),
}

/// How long the cache waits to be saved while a conversion goes on.
const PAUSE: Duration = Duration::from_millis(250);

/// How to run a plan.
pub struct Settings {
    pub threads: usize,
    pub force: bool,
}

/// Runs a plan, and reports and caches each outcome.
pub fn run(plan: &Plan, settings: &Settings, cache: &mut Cache, output: &mut BatchOutput) -> Exit {
    let jobs: Arc<[Job]> = plan.jobs.clone().into();
    let Some(unchanged) = unchanged(&jobs, settings, cache) else { return output.interrupted(jobs.len()) };
    let claims = Arc::new(Claims::new(&jobs, &unchanged, cache));
    let todo: Vec<usize> = (0..jobs.len()).filter(|&i| !unchanged[i]).collect();
    let size = |job: &Job| job.input.metadata().map_or(0, |m| m.len());
    let sizes: Vec<u64> = todo.iter().map(|&i| size(&jobs[i])).collect();
    output.begin(todo.len(), sizes.iter().sum());
    let work = {
        let (jobs, claims, todo) = (Arc::clone(&jobs), Arc::clone(&claims), todo.clone());
        Work::start(sizes.clone(), settings.threads, move |index| {
            let job = todo[index];
            convert(&jobs[job], Arc::new(View { claims: Arc::clone(&claims), job, sees_batch: false }))
        })
    };
    let _guard = interrupt::Guard::new(work.stopper());

    let mut early: BTreeMap<usize, Converted> = BTreeMap::new();
    let (mut next, mut told) = (0, 0);
    let mut tell_unchanged = |until: usize, output: &mut BatchOutput| {
        for index in (told..until).filter(|&index| unchanged[index]) {
            output.tell(&jobs[index], &Report::default(), &Outcome::Unchanged);
        }
        told = until;
    };
    while next < todo.len() {
        cache.save_now_and_then();
        // While there is something to save, the wait for a long conversion has an end.
        let event = if cache.is_behind() { work.next_within(PAUSE) } else { Some(work.next()) };
        let Some(event) = event else { continue };
        match event {
            Event::Begun(index) => output.begun(&jobs[todo[index]]),
            Event::Ended(index, converted) => {
                early.insert(index, converted);
            }
            Event::Interrupted => {
                tell_unchanged(jobs.len(), output);
                return output.interrupted(todo.len() - next);
            }
        }
        while let Some(converted) = early.remove(&next) {
            let index = todo[next];
            let job = &jobs[index];
            let (report, outcome) = settle(index, job, converted, &claims, cache);
            // An interruption removes the temporary files; the failure that follows is not the job's fault.
            if interrupt::happened() && matches!(outcome, Outcome::Failed(_)) {
                break;
            }
            tell_unchanged(index, output);
            output.tell(job, &report, &outcome);
            output.advance(sizes[next]);
            next += 1;
            work.settled(next);
        }
    }
    tell_unchanged(jobs.len(), output);
    if interrupt::happened() { output.interrupted(0) } else { output.exit() }
}

/// For each job, whether its outputs are up to date. `None` if interrupted.
fn unchanged(jobs: &Arc<[Job]>, settings: &Settings, cache: &mut Cache) -> Option<Vec<bool>> {
    let mut unchanged = vec![false; jobs.len()];
    if settings.force {
        return Some(unchanged);
    }
    let seen = SystemTime::now();
    let records: Vec<_> = jobs.iter().map(|job| cache.record(job).cloned()).collect();
    let work = Work::start(vec![0; jobs.len()], settings.threads, move |index| {
        records[index].as_ref().is_some_and(|record| record.holds())
    });
    let _guard = interrupt::Guard::new(work.stopper());
    let mut left = jobs.len();
    while left > 0 {
        match work.next() {
            Event::Begun(_) => {}
            Event::Ended(index, holds) => {
                unchanged[index] = holds;
                left -= 1;
                work.settled(jobs.len() - left);
            }
            Event::Interrupted => return None,
        }
    }
    for (job, _) in jobs.iter().zip(&unchanged).filter(|(_, unchanged)| **unchanged) {
        cache.confirm(job, seen);
    }
    Some(unchanged)
}

/// A conversion whose output is not yet in place.
struct Converted {
    report: Report,
    result: Result<Proven<TrackedOutput>, Failure>,
    /// The input as it was before it was read, and the time of that look.
    input: Fingerprint,
    seen: SystemTime,
}

fn convert(job: &Job, beside: Arc<dyn Beside>) -> Converted {
    let seen = SystemTime::now();
    let input = Fingerprint::of(&job.input);
    let limits = &job.options.read.limits;
    let mut report = Report::new("", limits.max_diagnostics);
    let result = fenced(&mut report, |report| {
        let source = Source::open(&job.input, limits, report)?;
        let file = create_with_folders(&job.output, &job.options, report)?;
        let tracking = (beside, Remember::Content);
        tracked::convert(source, Some(&job.input), file, &job.options, tracking, report)
    });
    Converted { report, result, input, seen }
}

/// Moves a conversion into place. If its side files collide with those of an earlier job, it is repeated with these
/// visible, and chooses other names.
fn settle(
    index: usize,
    job: &Job,
    mut converted: Converted,
    claims: &Arc<Claims>,
    cache: &mut Cache,
) -> (Report, Outcome) {
    if converted.result.as_ref().is_ok_and(|proven| claims.conflict(index, &proven.output).is_some()) {
        // Removes the temporary files of the first attempt before the second creates its own.
        converted.result = Err(Failure::Io);
        converted = convert(job, Arc::new(View { claims: Arc::clone(claims), job: index, sees_batch: true }));
    }
    let Converted { mut report, result, input, seen } = converted;
    let placed = result.and_then(|proven| {
        if let Some(path) = claims.conflict(index, &proven.output) {
            report.set_file(&path);
            let message = "another input of this run already writes to this file";
            report.error(&codes::CANNOT_WRITE, Place::WHOLE, message);
            return Err(Failure::Usage);
        }
        claims.add(index, &proven.output);
        tracked::commit(proven, &mut report)
    });
    match placed {
        Ok((done, written)) => {
            let done = Done { conversion: done, beside: written.beside() };
            note(job, input, seen, written, cache);
            (report, Outcome::Done(Box::new(done)))
        }
        Err(failure) => (report, Outcome::Failed(failure)),
    }
}

fn note(job: &Job, input: Fingerprint, seen: SystemTime, written: Written, cache: &mut Cache) {
    // It vanished while it was read, so it must be converted again next time.
    if input.was.is_none() {
        cache.forget(job);
    } else {
        cache.note(job, input, seen, written);
    }
}

/// The files in the output folders that belong to each job.
struct Claims {
    /// By [`key`]: the owning job, and the hash of the content if it is already known.
    files: RwLock<BTreeMap<String, (usize, Option<u128>)>>,
    /// Files that this and earlier runs of the same plan wrote; they may be overwritten.
    own: RwLock<BTreeSet<String>>,
}

impl Claims {
    fn new(jobs: &[Job], unchanged: &[bool], cache: &Cache) -> Self {
        let mut files: BTreeMap<_, _> =
            jobs.iter().enumerate().map(|(index, job)| (key(&job.output), (index, None))).collect();
        let mut own = BTreeSet::new();
        for (index, job) in jobs.iter().enumerate() {
            for print in cache.outputs(job) {
                let key = key(&print.path);
                if unchanged[index] {
                    files.entry(key.clone()).or_insert((index, print.was.map(|was| was.hash)));
                }
                own.insert(key);
            }
        }
        Self { files: RwLock::new(files), own: RwLock::new(own) }
    }

    /// A side file whose path another job has already claimed with different content.
    fn conflict(&self, index: usize, output: &TrackedOutput) -> Option<String> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let is_taken = |path: &Path, hash: u128| {
            files.get(&key(path)).is_some_and(|&(owner, there)| owner != index && there != Some(hash))
        };
        let taken = output.side_files().find(|(path, hash)| is_taken(path, *hash));
        taken.map(|(path, _)| path.display().to_string())
    }

    fn add(&self, index: usize, output: &TrackedOutput) {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        let mut own = self.own.write().unwrap_or_else(PoisonError::into_inner);
        for (path, hash) in output.side_files() {
            let key = key(&path);
            own.insert(key.clone());
            files.entry(key).or_insert((index, Some(hash)));
        }
    }
}

/// The existing files that a job sees beside its output. Usually these are only files from outside the batch, so that the
/// result does not depend on which of its files already exist.
struct View {
    claims: Arc<Claims>,
    job: usize,
    sees_batch: bool,
}

impl Beside for View {
    fn is_taken(&self, path: &Path) -> bool {
        let key = key(path);
        let claimed = || {
            let files = self.claims.files.read().unwrap_or_else(PoisonError::into_inner);
            files.get(&key).is_some_and(|&(owner, _)| owner != self.job)
        };
        if self.sees_batch && claimed() {
            return true;
        }
        let own = self.claims.own.read().unwrap_or_else(PoisonError::into_inner);
        !own.contains(&key) && path.symlink_metadata().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fault in the middle of a conversion.
    struct Broken;

    impl Beside for Broken {
        fn is_taken(&self, _path: &Path) -> bool {
            panic!("a fault")
        }
    }

    #[test]
    fn a_fault_is_the_failure_of_one_job_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let input = folder.path().join("a.obj");
        let files: [(&str, &[u8]); 3] = [
            ("a.obj", b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"),
            ("a.mtl", b"newmtl a\nmap_Kd white.png\n"),
            ("white.png", include_bytes!("../../../ligament/tests/gltf/white.png")),
        ];
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).expect("written");
        }
        let job = Job { input, output: folder.path().join("out/a.amo"), options: Arc::default() };
        let converted = convert(&job, Arc::new(Broken));
        assert!(matches!(converted.result, Err(Failure::Internal)));
        assert_eq!(converted.report.diagnostics()[0].code.id, "CL001");
        let left = std::fs::read_dir(folder.path().join("out")).map_or(0, |left| left.count());
        assert_eq!(left, 0, "the temporary files are removed");
    }
}
