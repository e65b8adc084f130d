//! `posproof prove`: checks the Coq development.

use super::{Failure, Outcome, print, print_json, tell};
use crate::proof::audit::{Audit, Audited, audit};
use crate::proof::coverage::role;
use crate::proof::memory::{AuditRecord, build_directory};
use crate::proof::{Lost, RULES, hash, locate, read, table};
use clap::Args;
use posproof_coq_audit::axioms::{self, Seals};
use posproof_coq_audit::build::{Event, Status};
use posproof_coq_audit::coq::{Coq, Lacking};
use posproof_coq_audit::step::Step;
use posproof_coq_audit::violation::Violation;
use posproof_coq_audit::{Development, pins};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `prove`.
#[derive(Args, Clone, Debug)]
pub struct ProveArguments {
    /// Claims by id or subject, or theorems by name (`rounding` names all rounding theorems); all if
    /// none is given
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Files to work on at once [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The Coq sources [default: proofs/ here or above]
    #[arg(long, value_name = "DIR")]
    proofs: Option<PathBuf>,
    /// Where compiled files are kept [default: the user's cache directory]
    #[arg(long, value_name = "DIR")]
    build: Option<PathBuf>,
    /// Pin the statements, axioms and definitions as they are now: only after review
    #[arg(long, conflicts_with = "ids")]
    accept: bool,
    /// Print one JSON document (schema posproof.prove/1)
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ProofDocument<'a> {
    schema: &'static str,
    passed: bool,
    coq: &'a str,
    sources: &'a str,
    files: BTreeMap<String, Status>,
    theorems: &'a [Audited],
    findings: &'a [Violation],
    not_rechecked: Vec<String>,
}

fn lacking(lacking: Lacking) -> Failure {
    if matches!(lacking, Lacking::Stopped) {
        // The signal that ended the tools ends this program too, in a moment, and as its caller expects.
        std::thread::sleep(Duration::from_secs(5));
    }
    Failure::Environment(lacking.to_string())
}

impl From<Lost> for Failure {
    fn from(lost: Lost) -> Self {
        Self::Usage(lost.to_string())
    }
}

/// Runs the verb.
pub fn run(arguments: &ProveArguments) -> Result<Outcome, Failure> {
    let directory = locate(arguments.proofs.as_deref())?;
    let mut development = read(&directory)?;
    let selected = selected(&development, &arguments.ids)?;
    let coq = Coq::find(&RULES).map_err(lacking)?;
    let build = arguments.build.clone().unwrap_or_else(|| build_directory(&directory));
    let available = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = arguments.jobs.map_or_else(available, NonZeroUsize::get);
    let progress = Progress::default();
    let look = |development: &Development| {
        audit(&coq, development, selected.as_ref(), &build, jobs, &|event| progress.tell(event))
    };
    let mut found = look(&development).map_err(lacking)?;
    if arguments.accept {
        let unacceptable = found.findings.iter().any(|finding| !finding.acceptable());
        if let (Some(printed), false) = (&found.printed, unacceptable) {
            write_pins(&directory, &mut development, printed)?;
            found = look(&development).map_err(lacking)?;
        }
    }
    progress.finish();
    let hash = hash(&development, &coq);
    if let Err(error) = AuditRecord::remember(&hash, &found) {
        tell(format_args!("posproof: verify will not know of this: cannot write to the cache directory: {error}"));
    }
    report(arguments, &coq, &hash, &development, &found)?;
    Ok(if found.findings.is_empty() { Outcome::Good } else { Outcome::FallsShort })
}

/// The theorems that the ids name; none where there are no ids.
fn selected(development: &Development, ids: &[String]) -> Result<Option<BTreeSet<String>>, Failure> {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, theorem) in development.theorems() {
        let name = &theorem.name;
        let (id, _) = role(theorem);
        let id = id.unwrap_or_else(|| name.clone());
        let subject = id.split(['.', '_']).next().unwrap_or(&id).to_owned();
        for handle in [subject, id, name.clone()] {
            names.entry(handle).or_default().insert(name.clone());
        }
    }
    for about in crate::claims::all().into_iter().map(|entry| entry.about()) {
        // A claim that lacks its theorem names nothing to prove; the audit says so.
        if !about.theorems().is_empty() {
            names.entry(about.id.to_owned()).or_default();
        }
    }
    let mut chosen = BTreeSet::new();
    for id in ids {
        match names.get(id) {
            Some(theorems) => chosen.extend(theorems.iter().cloned()),
            None => {
                let valid = names.keys().map(String::as_str);
                return Err(Failure::Usage(posproof_encoding::suggestion::unknown("claim or theorem", id, valid)));
            }
        }
    }
    Ok((!ids.is_empty()).then_some(chosen))
}

/// Writes the pins as printed, and the tables made from them.
fn write_pins(directory: &Path, development: &mut Development, printed: &pins::Pins) -> Result<(), Failure> {
    let failed = |path: &Path, error: io::Error| Failure::Environment(format!("{}: {error}", path.display()));
    let folder = directory.join(pins::DIRECTORY);
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    let texts = printed.to_texts();
    let path_of = |module: &str| folder.join(format!("{module}.{}", pins::EXTENSION));
    for module in development.pins.files.keys().filter(|module| !texts.contains_key(*module)) {
        fs::remove_file(path_of(module)).map_err(|error| failed(&path_of(module), error))?;
    }
    for (module, text) in &texts {
        fs::write(path_of(module), text).map_err(|error| failed(&path_of(module), error))?;
    }
    development.pins = printed.clone();
    development.seals = Seals::of(development);
    let path = directory.join(pins::DIRECTORY).join(axioms::FILE);
    fs::write(&path, development.seals.to_text()).map_err(|error| failed(&path, error))?;
    let path = directory.join("README.md");
    let text = fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
    let before = text.split(table::BEGIN).next().unwrap_or_default();
    let text = format!("{before}{}{}", table::BEGIN, table::tables(development));
    fs::write(&path, text).map_err(|error| failed(&path, error))
}

fn report(
    arguments: &ProveArguments,
    coq: &Coq,
    hash: &str,
    development: &Development,
    found: &Audit,
) -> Result<(), Failure> {
    let Audit { theorems, findings, files, .. } = found;
    let instances = development.sources.iter().filter(|source| files.contains_key(&source.module));
    let instances = instances.filter(|source| !source.declares);
    let not_rechecked: Vec<String> = instances.map(|source| format!("{}.v", source.module)).collect();
    if arguments.json {
        return print_json(&ProofDocument {
            schema: "posproof.prove/1",
            passed: findings.is_empty(),
            coq: &coq.version,
            sources: hash,
            files: files.iter().map(|(module, status)| (format!("{module}.v"), *status)).collect(),
            theorems,
            findings,
            not_rechecked,
        });
    }
    let except = match not_rechecked.as_slice() {
        [] => String::new(),
        files => format!("but for {} which only instantiates libraries, ", files.join(", ")),
    };
    let mut text = String::new();
    for Audited { theorem, claim, proved, axioms, .. } in theorems {
        let sign = if *proved { "✓" } else { "✗" };
        let short: Vec<&str> = axioms.iter().map(|axiom| axiom.rsplit('.').next().unwrap_or(axiom)).collect();
        let axioms = if short.is_empty() { "no axioms".to_owned() } else { short.join(", ") };
        text += &format!("{sign} {:<34} {theorem:<44} {axioms}\n", claim.as_deref().unwrap_or(""));
    }
    for finding in findings {
        text += &format!("\n✗ {finding}");
        if finding.acceptable() {
            text += "  if the change is meant, and reviewed: posproof prove --accept\n";
        }
    }
    let proved = theorems.iter().filter(|theorem| theorem.proved).count();
    text += &format!(
        "\n{} files, {} theorems, {proved} proved with the statements and axioms pinned, {} findings · Coq {}\n\
         coqchk re-checked each file, {except}with the libraries as they are installed\n",
        files.len(),
        theorems.len(),
        findings.len(),
        coq.version
    );
    print(&text)
}

/// A bar on a terminal, else a line on standard error for each step that was taken.
#[derive(Default)]
struct Progress {
    bar: std::sync::OnceLock<indicatif::ProgressBar>,
}

impl Progress {
    fn tell(&self, event: Event<'_>) {
        let bar = self.bar.get_or_init(|| super::progress(0, "steps"));
        match event {
            Event::Planned(steps) => bar.set_length(steps as u64),
            Event::Begun(step) => bar.set_message(doing(step)),
            Event::Ended(step, time, well) => {
                bar.inc(step.planned() as u64);
                if !io::stderr().is_terminal() {
                    let failed = if well { "" } else { ", failed" };
                    tell(format_args!("{} ({:.1} s{failed})", doing(step), time.as_secs_f64()));
                }
            }
        }
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn doing(step: &Step) -> String {
    match step {
        Step::Compile(module) => format!("compile {module}.v"),
        Step::List(modules) => format!("list what {} files declare", modules.len()),
        Step::Axioms(group) => match group.theorems.as_slice() {
            [(_, theorem)] => format!("ask for the axioms of {theorem}"),
            theorems => format!("ask for the axioms of {} theorems", theorems.len()),
        },
        Step::Ask(modules) => match modules.iter().collect::<Vec<_>>().as_slice() {
            [module] => format!("ask about {module}.v"),
            modules => format!("ask about {} files", modules.len()),
        },
        Step::Recheck(modules) => {
            let files: Vec<String> = modules.iter().map(|module| format!("{module}.v")).collect();
            format!("re-check {}", files.join(", "))
        }
    }
}
