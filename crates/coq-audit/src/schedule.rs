//! Which steps a build has to take, and in which order.

use super::Development;
use super::axioms::Group;
use super::built::{Built, Places, Status};
use super::coq::Lacking;
use super::query::{Axioms, Lists};
use super::source::Source;
use super::step::Step;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The steps that are left, and what came of those that were taken.
pub(super) struct Work {
    pub(super) todo: Vec<Step>,
    /// Coq's list of each file, once it has been asked.
    pub(super) lists: Option<Lists>,
    /// The axioms of the theorems that have been asked about.
    pub(super) axioms: Axioms,
    /// Files whose compiled form is not there, or not yet.
    pub(super) uncompiled: BTreeSet<String>,
    /// Times that files took that were compiled now: about as long takes their re-checking.
    pub(super) took: BTreeMap<String, Duration>,
    /// Files to be re-checked each by itself: one of several was not accepted together with the others.
    pub(super) alone: BTreeSet<String>,
    pub(super) running: usize,
    pub(super) built: Built,
    pub(super) stopped: Option<Lacking>,
}

/// Steps to be done, and what is known from before.
pub(super) fn plan(
    development: &Development,
    wanted: &BTreeSet<String>,
    places: &Places<'_>,
    keys: &BTreeMap<String, String>,
    jobs: usize,
) -> Result<Work, Lacking> {
    let mut work = Work {
        todo: Vec::new(),
        lists: None,
        axioms: Axioms::new(),
        uncompiled: BTreeSet::new(),
        took: BTreeMap::new(),
        alone: BTreeSet::new(),
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
            work.todo.push(Step::Recheck([module.clone()].into()));
        }
        work.built.files.insert(module.clone(), Status::Unchanged);
    }
    let sources = development.sources.iter().filter(|source| asked.contains(&source.module));
    work.todo.extend(Group::all(development, sources).into_iter().map(Step::Axioms));
    let modules: Vec<&String> = asked.iter().collect();
    work.todo.extend(asked_together(&modules, jobs));
    if !asked.is_empty() {
        work.todo.push(Step::List(development.closure(asked)));
    }
    work.todo.sort_by_key(Step::order);
    Ok(work)
}

pub(super) fn locked(work: &Mutex<Work>) -> MutexGuard<'_, Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner)
}

/// At least so many files are asked about together: what each run loads and declares takes longer than the answers on these.
const ASKED: usize = 22;

/// Files are re-checked together while they took no longer than this to compile: loading the libraries takes seconds.
const TOGETHER: Duration = Duration::from_secs(30);

/// Files of one run, however few are left. Loading what they require takes a second, re-checking a small one a tenth of it.
const SMALL: usize = 16;

/// No more runs than there are jobs, where each has files enough.
fn asked_together(modules: &[&String], jobs: usize) -> Vec<Step> {
    let together = modules.len().div_ceil(jobs.max(1)).max(ASKED);
    modules.chunks(together).map(|some| Step::Ask(some.iter().copied().cloned().collect())).collect()
}

impl Work {
    /// Takes a step out of those that are left. Of the files that can be re-checked these are the ones that took longest, so
    /// that none of them is left to the end, and as many with it that there remains enough for all jobs. Of
    /// small ones it takes [`SMALL`] at least.
    fn remove(&mut self, place: usize, jobs: usize) -> Step {
        let step = self.todo.remove(place);
        let Step::Recheck(first) = step else { return step };
        let compiled = |modules: &BTreeSet<String>| modules.is_disjoint(&self.uncompiled);
        let took =
            |modules: &BTreeSet<String>| modules.iter().filter_map(|module| self.took.get(module)).sum::<Duration>();
        let mut ready = vec![first];
        self.todo.retain(|step| match step {
            Step::Recheck(modules) if compiled(modules) => {
                ready.push(modules.clone());
                false
            }
            _ => true,
        });
        ready.sort_by_key(|modules| Reverse(took(modules)));
        let most = ready.len().div_ceil(2 * jobs.max(1)).max(SMALL);
        let (mut together, mut time) = (BTreeSet::new(), Duration::ZERO);
        let mut left = Vec::new();
        for modules in ready {
            let alone = !modules.is_disjoint(&self.alone) || !together.is_disjoint(&self.alone);
            let fits = together.len() < most && time + took(&modules) <= TOGETHER && !alone;
            if together.is_empty() || fits {
                time += took(&modules);
                together.extend(modules);
            } else {
                left.push(Step::Recheck(modules));
            }
        }
        self.todo.extend(left);
        Step::Recheck(together)
    }
}

/// Waits for a step that can be taken; none where all is done.
pub(super) fn next(development: &Development, work: &Mutex<Work>, changed: &Condvar, jobs: usize) -> Option<Step> {
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
            Step::Ask(modules) => {
                let known = |module: &String| development.source(module).is_none_or(axioms_known);
                work.lists.is_some() && modules.iter().all(known)
            }
            Step::List(_) | Step::Axioms(_) | Step::Recheck(_) => step.modules().into_iter().all(compiled),
        });
        match ready {
            Some(place) => {
                work.running += 1;
                return Some(work.remove(place, jobs));
            }
            None if work.running == 0 => return None,
            None => work = changed.wait(work).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(files: &[(&str, u64)]) -> Work {
        Work {
            todo: files.iter().map(|(module, _)| Step::Recheck([(*module).to_owned()].into())).collect(),
            lists: None,
            axioms: Axioms::new(),
            uncompiled: BTreeSet::new(),
            took: files.iter().map(|(module, seconds)| ((*module).to_owned(), Duration::from_secs(*seconds))).collect(),
            alone: BTreeSet::new(),
            running: 0,
            built: Built::default(),
            stopped: None,
        }
    }

    /// The files of every step, in the order in which a worker takes them.
    fn taken(mut work: Work, jobs: usize) -> Vec<String> {
        let mut taken = Vec::new();
        while !work.todo.is_empty() {
            let step = work.remove(0, jobs);
            taken.push(step.modules().into_iter().collect());
        }
        taken
    }

    #[test]
    fn what_takes_longest_is_rechecked_first_and_small_files_together() {
        let files = [("A", 1), ("B", 40), ("C", 3), ("D", 2), ("E", 20), ("F", 1), ("G", 1), ("H", 9)];
        // B is beyond what is put together; A is the first that takes no longer than E and H leave.
        for jobs in [1, 8] {
            assert_eq!(taken(work(&files), jobs), ["B", "AEH", "CDFG"].map(str::to_owned));
        }
    }

    #[test]
    fn of_many_small_files_each_run_takes_some_and_one_the_last() {
        let names: Vec<String> = (0..134).map(|place| format!("M{place:03}")).collect();
        let files: Vec<(&str, u64)> = names.iter().map(|name| (name.as_str(), 0)).collect();
        let sizes = |jobs| -> Vec<usize> { taken(work(&files), jobs).iter().map(|some| some.len() / 4).collect() };
        assert_eq!(sizes(2), [34, 25, 19, 16, 16, 16, 8]);
        assert_eq!(sizes(16), [16, 16, 16, 16, 16, 16, 16, 16, 6]);
    }

    #[test]
    fn a_file_of_some_that_were_not_accepted_is_rechecked_alone() {
        let mut work = work(&[("A", 1), ("B", 1), ("C", 1), ("D", 1), ("E", 1), ("F", 1)]);
        work.alone = ["A", "C"].map(str::to_owned).into();
        let taken = taken(work, 1);
        assert!(taken.contains(&"A".to_owned()) && taken.contains(&"C".to_owned()), "{taken:?}");
    }

    #[test]
    fn no_more_files_are_asked_about_apart_than_there_are_jobs() {
        let modules: Vec<String> = (0..135).map(|place| format!("M{place:03}")).collect();
        let modules: Vec<&String> = modules.iter().collect();
        let sizes =
            |jobs| -> Vec<usize> { asked_together(&modules, jobs).iter().map(|step| step.modules().len()).collect() };
        assert_eq!(sizes(2), [68, 67]);
        assert_eq!(sizes(1), [135]);
        // Of many jobs some have nothing to do.
        assert_eq!(sizes(64), [22, 22, 22, 22, 22, 22, 3]);
    }

    #[test]
    fn what_is_not_compiled_is_not_taken_with_the_others() {
        let mut work = work(&[("A", 1), ("B", 9), ("C", 1), ("D", 1)]);
        work.uncompiled.insert("B".to_owned());
        let step = work.remove(0, 1);
        assert_eq!(step.modules(), ["A", "C", "D"].into());
        assert_eq!(work.todo.len(), 1);
    }
}
