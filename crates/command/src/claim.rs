//! `posproof probe claim` and `posproof check claim`: a claim of the ledger put to somebody's functions, by files.

use super::restate::{answer, shell};
use super::specification::Specification;
use super::{Failure, Outcome, print, print_json};
use clap::Args;
use posproof_check::read::{self, Array};
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use posproof_property::{Answer, Batch, Invalid, PROPERTIES, Probe, Property, Role, Setup, Verdict, find};
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use posproof_table::arrays::{self, Container, Header};
use posproof_table::{Dtype, Element, in_format};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub const PROBE_EXAMPLES: &str = "Examples:
  posproof probe claim shift.linearity --dim 512 --out probe.safetensors
  posproof probe claim rope.relative-position --dim 128 --base 500000 --layout halves --dtype bf16 --out probe.safetensors

Only the last of --positions counts: a claim chooses positions from 0 to there. See docs/claims-as-checks.md.";

pub const CHECK_EXAMPLES: &str = "Examples:
  posproof check claim shift.linearity --probe probe.safetensors --answers probe-answers.safetensors

Exit status: 0 the claim holds, 1 it is refuted, 2 usage or unreadable input, 3 not judged: its sabotage is not refuted either.";

/// A claim, an encoding and the code whose inputs are wanted.
#[derive(Args, Clone, Debug)]
pub struct Inputs {
    /// The claim
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    encoding: Specification,
    #[command(flatten)]
    code: Code,
    /// The file to write, .safetensors
    #[arg(long, value_name = "FILE", help_heading = "Probe")]
    out: PathBuf,
    /// Replace a file that exists
    #[arg(long, help_heading = "Probe")]
    force: bool,
    /// Print one JSON document (schema posproof.claim-probe/1)
    #[arg(long, help_heading = "Probe")]
    json: bool,
}

/// Precision, formats and sizes of the code.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Code")]
struct Code {
    /// The function that is asked, where the claim asks different ones: encode, rotate, attention, layer
    #[arg(long, value_name = "ROLE")]
    role: Option<Role>,
    /// Precision in which it computes: it decides the tolerances
    #[arg(long, value_name = "f64|f32|bf16|f16", default_value = "f32", value_parser = Format::computing)]
    compute: Format,
    /// Format of the vectors that it is given [default: the precision in which it computes]
    #[arg(long, value_name = "f16|bf16|f32|f64", value_parser = Format::computing)]
    dtype: Option<Format>,
    /// Rows in a call of attention or of a layer
    #[arg(long, value_name = "N", default_value_t = Setup::TOKENS)]
    tokens: usize,
    /// Absolute error that one entry of a layer's output may have
    #[arg(long, value_name = "X")]
    error: Option<f64>,
    /// Seed of the inputs that are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A probe and what was answered to it.
#[derive(Args, Clone, Debug)]
pub struct Reply {
    /// The claim
    #[arg(value_name = "ID")]
    id: String,
    /// The file that `posproof probe claim` has written
    #[arg(long, value_name = "FILE")]
    probe: PathBuf,
    /// The answers, under the names that it has said: file.safetensors, file.npz, or one array in file.npy
    #[arg(long, value_name = "FILE")]
    answers: String,
    /// Print one JSON document (schema posproof.claim/1)
    #[arg(long)]
    json: bool,
}

impl From<Invalid> for Failure {
    fn from(error: Invalid) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Claim, roles and setup, as a probe's file has them.
#[derive(Serialize, Deserialize)]
struct ProbeOrigin {
    claim: String,
    roles: Vec<Role>,
    setup: Setup,
}

/// The name of that text in the file's metadata.
const ORIGIN: &str = "posproof.claim";

/// The claim as a check of a function: the first, where none is stated.
fn property(id: &str, role: Option<Role>) -> Result<&'static Property, Failure> {
    let mut of_claim = PROPERTIES.iter().filter(|property| property.claim == id);
    match of_claim.find(|property| role.is_none_or(|role| property.role() == role)) {
        Some(property) => Ok(property),
        None => Ok(find(id, role.as_slice())?),
    }
}

/// Runs `probe claim`.
pub fn probe(inputs: &Inputs) -> Result<Outcome, Failure> {
    let code = &inputs.code;
    let property = property(&inputs.id, code.role)?;
    let encoding = if property.role() == Role::Encode { Encoding::Sinusoid } else { Encoding::Rope };
    let last = inputs.encoding.positions()?.map_or(Setup::LAST, |positions| positions.max());
    let setup = Setup {
        convention: inputs.encoding.convention(encoding)?,
        last,
        tokens: code.tokens,
        compute: code.compute,
        dtype: code.dtype.unwrap_or(code.compute),
        error: code.error,
        seed: code.seed,
    };
    let probe = Probe::new(property, &setup)?;
    let batches = probe.batches();
    write(&inputs.out, &probe, &batches, inputs.force)?;
    let answers = answer(&inputs.out, "answers");
    let out = inputs.out.display().to_string();
    let command = ["posproof", "check", "claim", property.claim, "--probe", &out, "--answers", &answers];
    if inputs.json {
        let asked = |batch: &Batch| {
            let arrays: Vec<_> =
                arrays_of(batch).into_iter().map(|(name, shape, _)| json!({ "name": name, "shape": shape })).collect();
            json!({ "role": batch.role, "arrays": arrays, "answer": { "name": batch.role.answer(), "shape": batch.answer } })
        };
        print_json(&json!({
            "schema": "posproof.claim-probe/1", "claim": property.claim, "says": property.says,
            "asked": batches.iter().map(asked).collect::<Vec<_>>(), "dtype": setup.dtype, "file": out, "command": command,
        }))?;
    } else {
        print(&instructions(property, &batches, &out, &shell(command)))?;
    }
    Ok(Outcome::Good)
}

/// The name of an array of a batch, its shape, and its entries; positions have none.
type NamedArray<'a> = (String, Vec<usize>, Option<&'a [f64]>);

fn arrays_of(batch: &Batch) -> Vec<NamedArray<'_>> {
    let vectors =
        batch.arrays.iter().map(|array| (array.name.to_owned(), array.shape.clone(), Some(&array.entries[..])));
    let suffix = if batch.role == Role::RotateComplex { "_complex" } else { "" };
    let positions =
        (!batch.positions.is_empty()).then(|| (format!("positions{suffix}"), vec![batch.positions.len()], None));
    vectors.chain(positions).collect()
}

fn instructions(property: &Property, batches: &[Batch], out: &str, command: &str) -> String {
    let mut text = format!("wrote {out}: {}, {}\n", property.claim, property.says);
    for batch in batches {
        let names: Vec<String> =
            arrays_of(batch).into_iter().map(|(name, shape, _)| format!("{name} {shape:?}")).collect();
        let calls = if batch.role.is_of_matrices() { ", one call for each entry of the first axis" } else { "" };
        let (role, answer) = (batch.role, batch.role.answer());
        text +=
            &format!("ask {role} for {}{calls}; write the answer as {answer} {:?}\n", names.join(", "), batch.answer);
    }
    text + &format!("and this command judges it:\n\n  {command}\n")
}

fn write(path: &Path, probe: &Probe, batches: &[Batch], force: bool) -> Result<(), Failure> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("safetensors")) {
        let message = "expected a name that ends in .safetensors, which holds what is stated of the code too";
        return Err(Failure::Usage(format!("{}: {message}", path.display())));
    }
    let property = probe.property();
    let origin =
        ProbeOrigin { claim: property.claim.to_owned(), roles: property.roles.to_vec(), setup: probe.setup().clone() };
    let origin = serde_json::to_string(&origin).map_err(|error| Failure::Internal(error.to_string()))?;
    let dtype = Dtype::Float(probe.setup().dtype);
    // Positions first: the widest entries, so that all of them are aligned.
    let mut named: Vec<(NamedArray<'_>, &Batch)> =
        batches.iter().flat_map(|batch| arrays_of(batch).into_iter().map(move |array| (array, batch))).collect();
    named.sort_by_key(|((_, _, entries), _)| entries.is_some());
    let header = |((name, shape, entries), _): &'_ (NamedArray<'_>, &Batch)| {
        (name.clone(), if entries.is_some() { dtype } else { Dtype::I64 }, shape.clone())
    };
    let described: Vec<(String, Dtype, Vec<usize>)> = named.iter().map(header).collect();
    let headers: Vec<Header<'_>> =
        described.iter().map(|(name, dtype, shape)| Header { name, dtype: *dtype, shape: shape.clone() }).collect();
    let mut body = |index: usize, out: &mut dyn Write| match &named[index] {
        ((_, _, Some(entries)), _) => numbers(probe.setup().dtype, entries, out),
        ((_, _, None), batch) => {
            batch.positions.iter().try_for_each(|position| out.write_all(&(*position as i64).to_le_bytes()))
        }
    };
    let mut file = NewFile::create(path, force)?;
    let metadata = [(ORIGIN, origin)];
    arrays::write(Container::Safetensors, file.file(), &headers, &metadata, &mut body).map_err(NotWritten::io(path))?;
    file.finish()?;
    Ok(())
}

fn numbers(format: Format, entries: &[f64], out: &mut dyn Write) -> io::Result<()> {
    fn of<T: Element>(entries: &[f64], out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = vec![0; size_of::<T>()];
        entries.iter().try_for_each(|&entry| {
            T::from_exact(entry).write_le(&mut bytes);
            out.write_all(&bytes)
        })
    }
    in_format!(format, T => of::<T>(entries, out))
}

/// Every number of an array in a file.
fn entries(array: &Array) -> Result<Vec<f64>, Failure> {
    let mut all = Vec::new();
    for slab in 0..array.slabs() {
        let mut rows = Vec::new();
        array.read(slab, 0..array.rows(), &mut rows)?;
        all.extend(rows);
    }
    Ok(all)
}

/// Runs `check claim`.
pub fn check(given: &Reply) -> Result<Outcome, Failure> {
    let path = given.probe.display().to_string();
    let usage = |message: String| Failure::Usage(message);
    // An unknown claim is said before files are looked at.
    property(&given.id, None)?;
    let text = read::safetensors_text(&given.probe, ORIGIN)?;
    let text = text.ok_or_else(|| usage(format!("{path}: expected a file of posproof probe claim; found another")))?;
    let origin: ProbeOrigin = serde_json::from_str(&text)
        .map_err(|error| usage(format!("{path}: expected what this version of posproof writes; found: {error}")))?;
    if origin.claim != given.id {
        return Err(usage(format!("{path}: expected a probe of {}; found one of {}", given.id, origin.claim)));
    }
    let probe = Probe::new(find(&origin.claim, &origin.roles)?, &origin.setup)?;
    let batches = probe.batches();
    for batch in &batches {
        for (name, _, wanted) in arrays_of(batch) {
            let found = entries(&read::open(&format!("{path}:{name}"))?)?;
            let same = match wanted {
                Some(wanted) => found == wanted,
                None => found.iter().copied().eq(batch.positions.iter().map(|position| *position as f64)),
            };
            if !same {
                return Err(usage(format!(
                    "{path}:{name}: expected the inputs of this version; found others: write the probe again"
                )));
            }
        }
    }
    let judged = probe.judge(&answers(&batches, &given.answers)?)?;
    if given.json {
        print_json(&judged.report.document())?;
    } else {
        print(&judged.report.to_string())?;
    }
    Ok(match judged.report.verdict {
        Verdict::Holds => Outcome::Good,
        Verdict::Refuted => Outcome::FallsShort,
        Verdict::NotJudged => Outcome::Inconclusive,
    })
}

/// The answers in a file, under their names.
fn answers(batches: &[Batch], file: &str) -> Result<Vec<Answer>, Failure> {
    let lower = file.to_ascii_lowercase();
    let alone =
        batches.len() == 1 && (lower.ends_with(".npy") || lower.contains(".npz:") || lower.contains(".safetensors:"));
    let answer = |batch: &Batch| {
        let name = if alone { file.to_owned() } else { format!("{file}:{}", batch.role.answer()) };
        let array = read::open(&name)?;
        let Dtype::Float(format) = array.dtype() else {
            return Err(Failure::Usage(format!("{name}: expected floating-point numbers; found integers")));
        };
        if array.is_complex() {
            return Err(Failure::Usage(format!(
                "{name}: expected real numbers; found complex ones: write real and imaginary parts as pairs"
            )));
        }
        Ok(Answer { role: batch.role, format, shape: array.shape().to_vec(), entries: entries(&array)? })
    };
    batches.iter().map(answer).collect()
}
