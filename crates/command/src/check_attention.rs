//! `posproof check attention`: outputs of a kernel, judged by its bound on the inputs that it was given.

use super::compare::read;
use super::dump::{Matrix, StoredInputs};
use super::kernel::MaskArgument;
use super::{Failure, Outcome, print, print_json};
use clap::Args;
use posproof_bound::document::printed;
use posproof_bound::{Kernel, KernelBound};
use serde::Serialize;
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  posproof bound attention --dim 128 --dtype bf16 --keys 4096 --accumulator hopper --json > kernel.json
  posproof check attention --kernel kernel.json --inputs stored.safetensors --output out.npy
  posproof check attention --kernel kernel.json --inputs stored.safetensors --output out.npy --mask causal

Exit status: 0 every entry is within its bound, 1 one is not, 2 usage or unreadable input.";

/// A kernel, stored inputs, and outputs on them.
#[derive(Args, Clone, Debug)]
pub struct KernelOutputs {
    /// The kernel, as `posproof bound attention … --accumulator … --json` prints it
    #[arg(long, value_name = "FILE.json")]
    kernel: PathBuf,
    /// Stored inputs: a file with the tensors q [rows, dim], k [keys, dim] and v [keys, components]
    #[arg(long, value_name = "FILE")]
    inputs: PathBuf,
    /// The outputs [rows, components]
    #[arg(long, value_name = "ARRAY")]
    output: String,
    /// With a causal mask the last row has all keys, and each row before it one key less [default: none]
    #[arg(long, value_name = "causal|none", hide_possible_values = true)]
    mask: Option<MaskArgument>,
    /// Print one JSON document (schema posproof.check-attention/1)
    #[arg(long)]
    json: bool,
}

/// An entry of an output, beside the exact one.
#[derive(Clone, Copy, Debug, Serialize)]
struct Entry {
    row: usize,
    component: usize,
    /// Keys that the row attends to.
    keys: usize,
    found: f64,
    exact: f64,
    bound: f64,
    /// Error by bound; null for what is no number.
    share: f64,
}

/// The document that is printed.
#[derive(Serialize)]
struct Judgement {
    schema: &'static str,
    conforms: bool,
    kernel: Kernel,
    entries: u64,
    /// Entries beyond their bounds.
    beyond: u64,
    /// Rows with such an entry.
    rows: u64,
    /// The first entry beyond its bound.
    first: Option<Entry>,
    /// The entry with the largest share.
    worst: Option<Entry>,
    /// The theorem of the bounds.
    origin: String,
}

/// Every entry, judged by the bound of a row of so many keys.
fn judge(kernel: Kernel, stored: &StoredInputs, output: Matrix) -> Result<Judgement, Failure> {
    let output = [output];
    stored.validate(&kernel, &output)?;
    let of_keys = |keys: usize| Kernel { keys: keys as u64, ..kernel.clone() }.bound();
    let mut known: Option<(usize, KernelBound)> = None;
    let (mut entries, mut beyond, mut rows) = (0, 0, 0);
    let (mut first, mut worst): (Option<Entry>, Option<Entry>) = (None, None);
    for (row, exact) in stored.exact().enumerate() {
        let keys = stored.seen(row);
        let bound = match known {
            Some((of, bound)) if of == keys => bound,
            _ => of_keys(keys)?,
        };
        known = Some((keys, bound));
        let before = beyond;
        for (component, exact_output) in exact.iter().enumerate() {
            let found = output[0].numbers.get(row * exact.len() + component).copied().unwrap_or(f64::NAN);
            let error = (found - exact_output).abs();
            // NaN is within no bound.
            let error = if error.is_nan() { f64::INFINITY } else { error };
            let bound = bound.output.value();
            let entry = Entry { row, component, keys, found, exact: *exact_output, bound, share: error / bound };
            entries += 1;
            if error > bound {
                beyond += 1;
                first.get_or_insert(entry);
            }
            if worst.is_none_or(|worst| entry.share > worst.share) {
                worst = Some(entry);
            }
        }
        rows += u64::from(beyond > before);
    }
    let origin = known.map_or_else(String::new, |(_, bound)| bound.output.origin().to_string());
    let schema = "posproof.check-attention/1";
    Ok(Judgement { schema, conforms: beyond == 0, kernel, entries, beyond, rows, first, worst, origin })
}

fn text(judged: &Judgement) -> String {
    let entry = |what: &str, entry: &Entry| {
        format!(
            "{what}: row {}, component {}, of {} keys: {} for {}, within {} of it by its bound ({:.3} times that)\n",
            entry.row,
            entry.component,
            entry.keys,
            entry.found,
            entry.exact,
            printed(entry.bound),
            entry.share,
        )
    };
    let mut text = match judged.conforms {
        true => format!("CONFORMS: all {} entries are within their bounds ({})\n", judged.entries, judged.origin),
        false => format!(
            "DOES NOT CONFORM: {} of {} entries are beyond their bounds, in {} rows ({})\n",
            judged.beyond, judged.entries, judged.rows, judged.origin
        ),
    };
    text.extend(judged.first.iter().map(|first| entry("  the first", first)));
    text.extend(judged.worst.iter().map(|worst| entry("  the worst", worst)));
    text
}

/// Runs the subject.
pub fn run(given: &KernelOutputs) -> Result<Outcome, Failure> {
    let stored = StoredInputs::read(&given.inputs, given.mask == Some(MaskArgument::Causal))?;
    let judged = judge(read(&given.kernel)?, &stored, Matrix::read(&given.output)?)?;
    if given.json {
        print_json(&judged)?;
    } else {
        print(&text(&judged))?;
    }
    Ok(if judged.conforms { Outcome::Good } else { Outcome::FallsShort })
}
