//! Compiling, asking and re-checking, in parallel and only where something changed.
//!
//! Sources are copied into a build directory and compiled there. Beside each compiled file lies the
//! key that it was compiled for, a hash of its text, the keys of what it requires and the version
//! of Coq, with a hash of the compiled file itself; beside it too, under that key, Coq's answers and
//! the fact that `coqchk` accepted it.

use super::axioms::{Axioms, Group};
use super::coq::{self, Coq, Lacking};
use super::query::{self, Answers, Lists, Session};
use super::source::Source;
use super::step::Step;
use super::violation::{Violation, ViolationKind};
use super::{Development, digest};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Changed whenever what is asked of Coq, or how it is asked, changes.
pub const FORMAT: &str = "3";

/// What came of a step that went well.
enum Outcome {
    Done,
    Lists(Lists),
    Axioms(Axioms),
    Answers(Answers),
}

/// What the build tells while it works.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// So many steps are to be taken.
    Planned(usize),
    /// A step begins.
    Begun(&'a Step),
    /// A step ended after so long, well or not.
    Ended(&'a Step, Duration, bool),
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Compiled, asked about and re-checked before, from these very sources.
    Unchanged,
    /// Some step was taken now, and all went well.
    Checked,
    /// Some step failed.
    Failed,
    /// Not tried, because a file that it requires failed.
    Skipped,
}

/// The outcome of a build.
#[derive(Clone, Debug, Default)]
pub struct Built {
    /// What became of each file that was wanted.
    pub files: BTreeMap<String, Status>,
    /// Coq's answers by file.
    pub answers: BTreeMap<String, Answers>,
    /// Files that do not compile, cannot be asked about or are not accepted by `coqchk`.
    pub findings: Vec<Violation>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    key: String,
    answers: Answers,
}

/// What is where in the build directory.
struct Places<'a> {
    directory: &'a Path,
}

impl Places<'_> {
    fn file(&self, module: &str, extension: &str) -> PathBuf {
        self.directory.join(format!("{module}.{extension}"))
    }

    fn holds(&self, module: &str, extension: &str, key: &str) -> bool {
        fs::read_to_string(self.file(module, extension)).is_ok_and(|found| found == key)
    }

    fn compiled(&self, module: &str, key: &str) -> bool {
        self.stamp(module, key).is_some_and(|stamp| self.holds(module, "key", &stamp))
    }

    /// The key and the compiled file together: another file under that name is not taken for this one.
    fn stamp(&self, module: &str, key: &str) -> Option<String> {
        let compiled = fs::read(self.file(module, "vo")).ok()?;
        Some(digest([key.as_bytes(), &compiled]))
    }

    fn answers(&self, module: &str, key: &str) -> Option<Answers> {
        let text = fs::read_to_string(self.file(module, "answers.json")).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        (kept.key == key).then_some(kept.answers)
    }

    fn write(&self, module: &str, extension: &str, text: &str) -> Result<(), Lacking> {
        let path = self.file(module, extension);
        fs::write(&path, text).map_err(|error| Lacking::Io(path, error))
    }
}

/// The keys of all files.
fn keys(development: &Development, version: &str) -> BTreeMap<String, String> {
    let mut keys: BTreeMap<String, String> = BTreeMap::new();
    for source in &development.sources {
        let required = source.requires.iter().filter_map(|module| keys.get(module)).map(String::as_str);
        let key = digest([FORMAT, version, &source.module, &source.text].into_iter().chain(required));
        keys.insert(source.module.clone(), key);
    }
    keys
}

/// The files named and all that they require.
pub fn closure(development: &Development, modules: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let mut wanted: BTreeSet<String> = modules.into_iter().collect();
    for source in development.sources.iter().rev() {
        if wanted.contains(&source.module) {
            wanted.extend(source.requires.iter().cloned());
        }
    }
    wanted
}

/// The steps that are left, and what came of those that were taken.
struct Work {
    todo: Vec<Step>,
    /// What Coq lists of each file, once it has been asked.
    lists: Option<Lists>,
    /// The axioms of the theorems that have been asked about.
    axioms: Axioms,
    /// Files whose compiled form is not there, or not yet.
    uncompiled: BTreeSet<String>,
    running: usize,
    built: Built,
    stopped: Option<Lacking>,
}

/// Builds the files wanted, which must include all that they require, with so many jobs at once.
pub fn build(
    coq: &Coq,
    development: &Development,
    wanted: &BTreeSet<String>,
    directory: &Path,
    jobs: usize,
    tell: &(dyn Fn(Event<'_>) + Sync),
) -> Result<Built, Lacking> {
    let failed = |error| Lacking::Io(directory.to_owned(), error);
    fs::create_dir_all(directory).map_err(failed)?;
    // The tools run in directories of their own.
    let directory = &fs::canonicalize(directory).map_err(failed)?;
    // Two builds in one directory would spoil each other: the second waits.
    let lock = fs::File::create(directory.join("lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let places = Places { directory };
    let keys = keys(development, &coq.version);
    let work = plan(development, wanted, &places, &keys)?;
    if !work.uncompiled.is_empty() {
        coq.libraries(directory)?;
    }
    tell(Event::Planned(work.todo.len()));
    let work = Mutex::new(work);
    let changed = Condvar::new();
    let worker = || {
        while let Some(step) = next(development, &work, &changed) {
            tell(Event::Begun(&step));
            let start = Instant::now();
            let outcome = take(&step, development, &places, &keys, &work);
            tell(Event::Ended(&step, start.elapsed(), matches!(outcome, Ok(Ok(_)))));
            note(development, &mut locked(&work), &step, outcome);
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(worker))));
    let Work { built, stopped, .. } = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    stopped.map_or(Ok(built), Err)
}

/// What has to be done, and what is known from before.
fn plan(
    development: &Development,
    wanted: &BTreeSet<String>,
    places: &Places<'_>,
    keys: &BTreeMap<String, String>,
) -> Result<Work, Lacking> {
    let mut work = Work {
        todo: Vec::new(),
        lists: None,
        axioms: Axioms::new(),
        uncompiled: BTreeSet::new(),
        running: 0,
        built: Built::default(),
        stopped: None,
    };
    let mut asked = BTreeSet::new();
    for source in development.sources.iter().filter(|source| wanted.contains(&source.module)) {
        let module = &source.module;
        let key = keys.get(module).map_or("", String::as_str);
        let stale = !places.compiled(module, key) || source.requires.iter().any(|m| work.uncompiled.contains(m));
        if stale {
            // Before anything is compiled, so that an interrupted build leaves nothing that looks finished.
            places.write(module, "key", "")?;
            work.uncompiled.insert(module.clone());
            work.todo.push(Step::Compile(module.clone()));
        }
        match places.answers(module, key) {
            Some(answers) if !stale => drop(work.built.answers.insert(module.clone(), answers)),
            _ => drop(asked.insert(module.clone())),
        }
        // A file that declares nothing of its own only instantiates libraries, which are taken as they
        // are installed: CoqInterval's functors alone would take minutes.
        let rechecked = !source.declares || (!stale && places.holds(module, "checked", key));
        if !rechecked {
            work.todo.push(Step::Recheck(module.clone()));
        }
        work.built.files.insert(module.clone(), Status::Unchanged);
    }
    let sources = development.sources.iter().filter(|source| asked.contains(&source.module));
    work.todo.extend(Group::all(development, sources).into_iter().map(Step::Axioms));
    work.todo.extend(asked.iter().cloned().map(Step::Ask));
    if !asked.is_empty() {
        work.todo.push(Step::List(closure(development, asked)));
    }
    work.todo.sort_by_key(Step::order);
    Ok(work)
}

fn locked(work: &Mutex<Work>) -> MutexGuard<'_, Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a step that can be taken; none where all is done.
fn next(development: &Development, work: &Mutex<Work>, changed: &Condvar) -> Option<Step> {
    let mut work = locked(work);
    loop {
        if work.stopped.is_some() {
            return None;
        }
        let compiled = |module: &str| !work.uncompiled.contains(module);
        let axioms_known = |source: &Source| {
            let key = |name: &String| (source.module.clone(), name.clone());
            source.theorems.iter().all(|theorem| work.axioms.contains_key(&key(&theorem.name)))
        };
        let ready = work.todo.iter().position(|step| match step {
            Step::Compile(module) => {
                development.source(module).is_none_or(|source| source.requires.iter().all(|module| compiled(module)))
            }
            Step::Ask(module) => work.lists.is_some() && development.source(module).is_none_or(axioms_known),
            Step::List(_) | Step::Axioms(_) | Step::Recheck(_) => step.modules().into_iter().all(compiled),
        });
        match ready {
            Some(place) => {
                work.running += 1;
                return Some(work.todo.remove(place));
            }
            None if work.running == 0 => return None,
            None => work = changed.wait(work).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// Takes one step. The inner error is the message of the Coq tool.
fn take(
    step: &Step,
    development: &Development,
    places: &Places<'_>,
    keys: &BTreeMap<String, String>,
    work: &Mutex<Work>,
) -> Result<Result<Outcome, String>, Lacking> {
    let key = |module: &str| keys.get(module).map_or("", String::as_str);
    let source = |module: &str| development.source(module).ok_or_else(|| "no such file".to_owned());
    match step {
        Step::Compile(module) => {
            let source = match source(module) {
                Ok(source) => source,
                Err(message) => return Ok(Err(message)),
            };
            places.write(module, "v", &source.text)?;
            let compiled = coq::compile(places.directory, module)?;
            if let (Ok(()), Some(stamp)) = (&compiled, places.stamp(module, key(module))) {
                places.write(module, "key", &stamp)?;
            }
            Ok(compiled.map(|()| Outcome::Done))
        }
        Step::List(modules) => Ok(query::lists(modules, places.directory)?.map(Outcome::Lists)),
        Step::Axioms(group) => Ok(group.ask(&Session::new(places.directory)?)?.map(Outcome::Axioms)),
        Step::Ask(module) => {
            let source = match source(module) {
                Ok(source) => source,
                Err(message) => return Ok(Err(message)),
            };
            let required = closure(development, source.requires.clone());
            let (lists, axioms) = {
                let work = locked(work);
                (work.lists.clone().unwrap_or_default(), work.axioms.clone())
            };
            match query::ask(source, &required, &lists, &axioms, places.directory)? {
                Ok(answers) => {
                    let kept = Kept { key: key(module).to_owned(), answers };
                    places.write(module, "answers.json", &serde_json::to_string(&kept).unwrap_or_default())?;
                    Ok(Ok(Outcome::Answers(kept.answers)))
                }
                Err(message) => Ok(Err(message)),
            }
        }
        Step::Recheck(module) => {
            let accepted = coq::recheck(places.directory, module)?;
            if accepted.is_ok() {
                places.write(module, "checked", key(module))?;
            }
            Ok(accepted.map(|()| Outcome::Done))
        }
    }
}

/// Notes what came of a step; what requires a file that failed is not tried.
fn note(development: &Development, work: &mut Work, step: &Step, outcome: Result<Result<Outcome, String>, Lacking>) {
    work.running -= 1;
    let well = matches!(outcome, Ok(Ok(_)));
    for module in step.modules() {
        let status = work.built.files.entry(module.to_owned()).or_insert(Status::Checked);
        match step {
            // A file that is listed for the sake of another is as it was.
            Step::List(_) if well => {}
            _ if !well => *status = Status::Failed,
            _ if *status != Status::Failed => *status = Status::Checked,
            _ => {}
        }
    }
    match (step, outcome) {
        (_, Err(lacking)) => work.stopped = Some(lacking),
        (Step::Compile(module), Ok(Ok(_))) => drop(work.uncompiled.remove(module)),
        (_, Ok(Ok(Outcome::Done))) => {}
        (_, Ok(Ok(Outcome::Lists(lists)))) => work.lists = Some(lists),
        (_, Ok(Ok(Outcome::Axioms(axioms)))) => work.axioms.extend(axioms),
        (step, Ok(Ok(Outcome::Answers(answers)))) => {
            work.built.answers.extend(step.modules().into_iter().map(|module| (module.to_owned(), answers.clone())));
        }
        (step, Ok(Err(message))) => failed(development, work, step, &message),
    }
}

/// What a tool did not accept, and what therefore is not tried.
fn failed(development: &Development, work: &mut Work, step: &Step, message: &str) {
    let (code, what) = match step {
        Step::Compile(_) => (ViolationKind::Build, "does not compile"),
        Step::List(_) | Step::Ask(_) => (ViolationKind::Build, "compiles, but Coq cannot print what it declares"),
        Step::Axioms(_) => (ViolationKind::Build, "compiles, but Coq cannot print its axioms"),
        Step::Recheck(_) => (ViolationKind::Recheck, "is not accepted by coqchk"),
    };
    let findings = step
        .modules()
        .into_iter()
        .map(|module| Violation::new(code, &format!("{module}.v"), None, format!("{what}: {message}")));
    work.built.findings.extend(findings);
    if let Step::Compile(module) = step {
        let mut lost = BTreeSet::from([module.clone()]);
        for source in &development.sources {
            if source.requires.iter().any(|required| lost.contains(required)) {
                lost.insert(source.module.clone());
            }
        }
        work.todo = std::mem::take(&mut work.todo).into_iter().filter_map(|step| step.without(&lost)).collect();
        for (other, status) in &mut work.built.files {
            if lost.contains(other) && other != module {
                *status = Status::Skipped;
            }
        }
    }
}
