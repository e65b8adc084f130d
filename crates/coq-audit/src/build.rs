//! Compiling, asking and re-checking, in parallel and only where something changed.
//!
//! Sources are copied into a build directory and compiled there. Beside each compiled file lies the
//! key that it was compiled for, a hash of its text, the keys of what it requires, the version of Coq
//! and the digests of the libraries, with a hash of the compiled file itself; beside it too, under that key, Coq's answers and
//! the fact that `coqchk` accepted it.

pub use super::built::{Built, Status};
use super::built::{Kept, Places};
use super::coq::{Coq, Lacking};
use super::query::{self, Answers, Axioms, FORMAT, Lists, Session};
use super::schedule::{Work, locked, next, plan};
use super::step::Step;
use super::violation::{Violation, ViolationKind};
use super::{Development, digest};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Outcome of a step that went well.
enum StepOutcome {
    Done,
    Lists(Lists),
    Axioms(Axioms),
    Answers(BTreeMap<String, Answers>),
}

/// Events of a build, told while it works.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// So many steps are to be taken.
    Planned(usize),
    /// A step begins.
    Begun(&'a Step),
    /// A step ended after so long, well or not.
    Ended(&'a Step, Duration, bool),
}

/// The keys of all files.
fn keys(development: &Development, coq: &Coq) -> BTreeMap<String, String> {
    let mut keys: BTreeMap<String, String> = BTreeMap::new();
    for source in &development.sources {
        let required = source.requires.iter().filter_map(|module| keys.get(module)).map(String::as_str);
        let own = [FORMAT, &coq.version, &coq.installed.digest, &source.module, &source.text];
        let key = digest(own.into_iter().chain(required));
        keys.insert(source.module.clone(), key);
    }
    keys
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
    let keys = keys(development, coq);
    let work = plan(development, wanted, &places, &keys, jobs)?;
    if !work.uncompiled.is_empty() {
        coq.libraries(directory)?;
    }
    tell(Event::Planned(work.todo.iter().map(Step::planned).sum()));
    let work = Mutex::new(work);
    let changed = Condvar::new();
    let worker = || {
        while let Some(step) = next(development, &work, &changed, jobs) {
            tell(Event::Begun(&step));
            let start = Instant::now();
            let outcome = take(coq, &step, development, &places, &keys, &work);
            tell(Event::Ended(&step, start.elapsed(), matches!(outcome, Ok(Ok(_)))));
            let mut work = locked(&work);
            if let Step::Compile(module) = &step {
                work.took.insert(module.clone(), start.elapsed());
            }
            note(development, &mut work, &step, outcome);
            drop(work);
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(worker))));
    let Work { built, stopped, .. } = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    stopped.map_or(Ok(built), Err)
}

/// Takes one step. The inner error is the message of the Coq tool.
fn take(
    coq: &Coq,
    step: &Step,
    development: &Development,
    places: &Places<'_>,
    keys: &BTreeMap<String, String>,
    work: &Mutex<Work>,
) -> Result<Result<StepOutcome, String>, Lacking> {
    let key = |module: &str| keys.get(module).map_or("", String::as_str);
    let source = |module: &str| development.source(module).ok_or_else(|| "no such file".to_owned());
    match step {
        Step::Compile(module) => {
            let source = match source(module) {
                Ok(source) => source,
                Err(message) => return Ok(Err(message)),
            };
            places.write(module, "v", &source.text)?;
            let compiled = coq.compile(places.directory, module)?;
            if let (Ok(()), Some(stamp)) = (&compiled, places.stamp(module, key(module))) {
                places.write(module, "key", &stamp)?;
            }
            Ok(compiled.map(|()| StepOutcome::Done))
        }
        Step::List(modules) => Ok(query::lists(coq, modules, places.directory)?.map(StepOutcome::Lists)),
        Step::Axioms(group) => Ok(group.ask(&Session::new(coq, places.directory)?)?.map(StepOutcome::Axioms)),
        Step::Ask(modules) => {
            let sources: Vec<_> = modules.iter().filter_map(|module| development.source(module)).collect();
            let (lists, axioms) = {
                let work = locked(work);
                (work.lists.clone().unwrap_or_default(), work.axioms.clone())
            };
            let answered = query::ask(coq, &sources, &lists, &axioms, places.directory)?;
            if let Ok(answers) = &answered {
                for (module, answers) in answers {
                    let kept = Kept { key: key(module).to_owned(), answers: answers.clone() };
                    places.write(module, "answers.json", &serde_json::to_string(&kept).unwrap_or_default())?;
                }
            }
            Ok(answered.map(StepOutcome::Answers))
        }
        Step::Recheck(modules) => {
            let accepted = coq.recheck(places.directory, modules)?;
            if accepted.is_ok() {
                modules.iter().try_for_each(|module| places.write(module, "checked", key(module)))?;
            }
            Ok(accepted.map(|()| StepOutcome::Done))
        }
    }
}

/// Notes what came of a step; what requires a file that failed is not tried.
fn note(
    development: &Development,
    work: &mut Work,
    step: &Step,
    outcome: Result<Result<StepOutcome, String>, Lacking>,
) {
    work.running -= 1;
    if let (Step::Ask(modules) | Step::Recheck(modules), Ok(Err(_))) = (step, &outcome)
        && modules.len() > 1
    {
        // At which of them that failed is seen by taking each by itself.
        let alone = |module: &String| match step {
            Step::Ask(_) => Step::Ask([module.clone()].into()),
            _ => Step::Recheck([module.clone()].into()),
        };
        work.todo.extend(modules.iter().map(alone));
        if matches!(step, Step::Recheck(_)) {
            work.alone.extend(modules.iter().cloned());
        }
        return;
    }
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
        (_, Ok(Ok(StepOutcome::Done))) => {}
        (_, Ok(Ok(StepOutcome::Lists(lists)))) => work.lists = Some(lists),
        (_, Ok(Ok(StepOutcome::Axioms(axioms)))) => work.axioms.extend(axioms),
        (_, Ok(Ok(StepOutcome::Answers(answers)))) => work.built.answers.extend(answers),
        (step, Ok(Err(message))) => failed(development, work, step, &message),
    }
}

/// Files that a tool did not accept, and what therefore is not tried.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{axioms::Seals, development::tests::RULES, pins::Pins};
    use std::path::PathBuf;

    /// Which of the files was not accepted, a refusal of several together does not say: only that of one is a finding.
    #[test]
    fn a_refusal_of_files_together_is_a_finding_of_none() {
        let (sources, pins, seals) = (Vec::new(), Pins::default(), Seals::default());
        let development = Development { rules: &RULES, directory: PathBuf::new(), sources, pins, seals, project: None };
        let nothing = (BTreeSet::new(), BTreeMap::new());
        let mut work =
            plan(&development, &nothing.0, &Places { directory: Path::new("") }, &nothing.1, 2).expect("a plan");
        work.running = 2;
        let recheck = |modules: &[&str]| Step::Recheck(modules.iter().map(|module| (*module).to_owned()).collect());
        note(&development, &mut work, &recheck(&["A", "B"]), Ok(Err("no".to_owned())));
        assert!(work.built.findings.is_empty() && work.built.files.is_empty());
        assert_eq!(work.todo, [recheck(&["A"]), recheck(&["B"])]);
        assert_eq!(work.alone, ["A", "B"].map(str::to_owned).into());
        note(&development, &mut work, &recheck(&["A"]), Ok(Err("no".to_owned())));
        assert_eq!(work.built.findings.len(), 1);
        assert_eq!(work.built.files["A"], Status::Failed);
        assert_eq!(work.running, 0);
        // Nor is an answer that several do not have together.
        let ask = |modules: &[&str]| Step::Ask(modules.iter().map(|module| (*module).to_owned()).collect());
        work.running = 1;
        work.todo.clear();
        note(&development, &mut work, &ask(&["B", "C"]), Ok(Err("no".to_owned())));
        assert_eq!(work.built.findings.len(), 1);
        assert_eq!(work.todo, [ask(&["B"]), ask(&["C"])]);
        assert!(!work.alone.contains("C"), "only re-checking is affected by what was not accepted there");
    }
}
