//! `posproof compare`: two kernels of attention on the same inputs, or two outputs of one convention.

use super::dump::{Matrix, StoredInputs};
use super::kernel::MaskArgument;
use super::outputs::{self, Outputs};
use super::witness::write_row;
use super::{Failure, Outcome, print, print_json};
use clap::Args;
use posproof_bound::document::printed;
use posproof_bound::{Compared, Kernel, KernelBound, Verdict};
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct CompareArguments {
    #[command(subcommand)]
    outputs: Option<Outputs>,
    #[command(flatten)]
    kernels: Option<Kernels>,
}

/// Two kernels of attention.
#[derive(Args, Clone, Debug)]
struct Kernels {
    /// A kernel, as `posproof bound attention … --accumulator … --json` prints it
    #[arg(value_name = "A.json")]
    one: PathBuf,
    /// Another kernel of the same inputs
    #[arg(value_name = "B.json")]
    other: PathBuf,
    /// Stored inputs: a file with the tensors q [rows, dim], k [keys, dim] and v [keys, components]
    #[arg(long, value_name = "FILE", requires = "outputs")]
    inputs: Option<PathBuf>,
    /// Outputs [rows, components] of A and of B on these inputs, to say whose fault a difference is
    #[arg(long, value_name = "ARRAY", num_args = 2, requires = "inputs")]
    outputs: Vec<String>,
    /// With a causal mask the last row has all keys, and each row before it one key less [default: none]
    #[arg(long, value_name = "causal|none", hide_possible_values = true, requires = "inputs")]
    mask: Option<MaskArgument>,
    /// Write the inputs on which A and B differ most
    #[arg(long, value_name = "FILE.safetensors")]
    witness: Option<PathBuf>,
    /// Replace the witness if it exists
    #[arg(long, requires = "witness")]
    replace: bool,
    /// Print one JSON document (schema posproof.compare/1)
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  posproof bound attention --dim 128 --dtype e4m3 --accumulator hopper-fp8 --json > a.json
  posproof bound attention --dim 128 --dtype e4m3 --accumulator round --json > b.json
  posproof compare a.json b.json --witness differing.safetensors
  posproof compare a.json b.json --inputs differing.safetensors --outputs a.npy b.npy
  posproof compare rope --cos a.npz:cos --sin a.npz:sin --with-cos b.npz:cos --with-sin b.npz:sin --dim 128";

/// The document that is printed.
#[derive(Serialize)]
pub struct ComparedAnswer<'a> {
    schema: &'static str,
    kernels: &'a [Kernel; 2],
    /// Two honest kernels differ by at most this.
    bound: f64,
    origin: String,
    each: [KernelBound; 2],
    /// Outputs that differ, of the inputs that the witness has.
    computed: [f64; 2],
    exact: f64,
    difference: f64,
    /// Difference by bound.
    share: f64,
    dumps: Option<&'a Dumps>,
}

/// The judgement of two dumps of outputs.
#[derive(Clone, Debug, Serialize)]
pub struct Dumps {
    verdict: Verdict,
    entries: u64,
    /// The largest difference of the two.
    difference: f64,
    /// Entries beyond the bound of A, and of B.
    beyond: [u64; 2],
    /// The first row and component that is beyond a bound.
    first: Option<[usize; 2]>,
}

impl<'a> ComparedAnswer<'a> {
    /// The document of a comparison.
    pub fn new(kernels: &'a [Kernel; 2], compared: &Compared, dumps: Option<&'a Dumps>) -> Self {
        Self {
            schema: "posproof.compare/1",
            kernels,
            bound: compared.bound.value(),
            origin: compared.bound.origin().to_string(),
            each: compared.each,
            computed: compared.computed,
            exact: compared.exact,
            difference: compared.difference(),
            share: compared.share(),
            dumps,
        }
    }
}

/// A kernel: of the document of `bound`, or alone.
///
/// # Errors
///
/// Where it is none, or no theorem is about it.
pub fn kernel(name: &str, mut document: serde_json::Value) -> Result<Kernel, Failure> {
    let inner = document.get_mut("kernel").map(serde_json::Value::take).unwrap_or(document);
    let kernel: Kernel = serde_json::from_value(inner).map_err(|error| unread(name, &error))?;
    kernel.validate()?;
    Ok(kernel)
}

fn unread(name: &str, error: &dyn std::fmt::Display) -> Failure {
    let expected = "expected what posproof bound attention … --accumulator … --json prints";
    Failure::Usage(format!("{name}: {error}; {expected}"))
}

/// A kernel's file.
///
/// # Errors
///
/// Where it cannot be read, or no theorem is about the kernel.
pub fn read(path: &Path) -> Result<Kernel, Failure> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| unread(&name, &error))?;
    kernel(&name, serde_json::from_str(&text).map_err(|error| unread(&name, &error))?)
}

impl Dumps {
    /// The verdict on outputs of two kernels.
    ///
    /// # Errors
    ///
    /// Where the inputs are none that the kernels' bounds are about.
    pub fn judge(
        stored: &StoredInputs,
        outputs: &[Matrix; 2],
        kernels: &[Kernel; 2],
        each: &[KernelBound; 2],
    ) -> Result<Self, Failure> {
        stored.validate(&kernels[0], outputs)?;
        let mut found = Self { verdict: Verdict::Honest, entries: 0, difference: 0.0, beyond: [0; 2], first: None };
        for (row, exact_outputs) in stored.exact().enumerate() {
            for (component, exact) in exact_outputs.iter().enumerate() {
                let at = row * exact_outputs.len() + component;
                let outputs = outputs.each_ref().map(|matrix| matrix.numbers.get(at).copied().unwrap_or(f64::NAN));
                found.add(KernelBound::verdict(each, outputs, *exact), outputs, [row, component]);
            }
        }
        found.verdict = match found.beyond.map(|beyond| beyond > 0) {
            [false, false] => Verdict::Honest,
            [true, false] => Verdict::First,
            [false, true] => Verdict::Second,
            [true, true] => Verdict::Both,
        };
        Ok(found)
    }

    fn add(&mut self, verdict: Verdict, outputs: [f64; 2], place: [usize; 2]) {
        let gap = (outputs[0] - outputs[1]).abs();
        self.difference = if gap.is_nan() { f64::INFINITY } else { self.difference.max(gap) };
        self.entries += 1;
        self.beyond[0] += u64::from(matches!(verdict, Verdict::First | Verdict::Both));
        self.beyond[1] += u64::from(matches!(verdict, Verdict::Second | Verdict::Both));
        if verdict != Verdict::Honest && self.first.is_none() {
            self.first = Some(place);
        }
    }

    /// True where both outputs are within their bounds.
    pub fn honest(&self) -> bool {
        self.verdict == Verdict::Honest
    }
}

/// Runs the verb.
pub fn run(arguments: &CompareArguments) -> Result<Outcome, Failure> {
    match (&arguments.outputs, &arguments.kernels) {
        (Some(outputs), _) => outputs::run(outputs),
        (None, Some(kernels)) => of_kernels(kernels),
        (None, None) => Err(Failure::Usage("expected two kernels, or sinusoid, rope or rotation; see --help".into())),
    }
}

fn of_kernels(arguments: &Kernels) -> Result<Outcome, Failure> {
    let kernels = [read(&arguments.one)?, read(&arguments.other)?];
    let compared = kernels[0].compare(&kernels[1])?;
    let dumps = match (&arguments.inputs, arguments.outputs.as_slice()) {
        (Some(inputs), [one, other]) => {
            let stored = StoredInputs::read(inputs, arguments.mask == Some(MaskArgument::Causal))?;
            Some(Dumps::judge(&stored, &[Matrix::read(one)?, Matrix::read(other)?], &kernels, &compared.each)?)
        }
        _ => None,
    };
    if let Some(path) = &arguments.witness {
        write_row(path, &kernels[0], &compared.row, compared.exact, &compared.computed, arguments.replace)?;
    }
    if arguments.json {
        print_json(&ComparedAnswer::new(&kernels, &compared, dumps.as_ref()))?;
    } else {
        print(&text(&compared, dumps.as_ref()))?;
    }
    Ok(if dumps.is_none_or(|dumps| dumps.honest()) { Outcome::Good } else { Outcome::FallsShort })
}

/// The comparison in words.
fn text(compared: &Compared, dumps: Option<&Dumps>) -> String {
    let mut text = format!(
        "Two honest kernels differ in a component of an output by at most\n  {}  ({})\n  A alone is within {} of the exact output, B within {}\n\n\
         On inputs that were searched for they differ by\n  {}  A: {}, B: {}, exactly {}; {:.3} of the bound\n",
        printed(compared.bound.value()),
        compared.bound.origin(),
        printed(compared.each[0].output.value()),
        printed(compared.each[1].output.value()),
        scientific(compared.difference(), 5, Round::Down),
        compared.computed[0],
        compared.computed[1],
        compared.exact,
        compared.share(),
    );
    if let Some(dumps) = dumps {
        let verdict = match dumps.verdict {
            Verdict::Honest => "an honest difference: both are within their bounds",
            Verdict::First => "a fault in A",
            Verdict::Second => "a fault in B",
            Verdict::Both => "a fault in both",
        };
        let _ = writeln!(
            text,
            "\nOutputs of {} entries, which differ by at most {:e}: {verdict}\n  {} beyond the bound of A, {} beyond that of B",
            dumps.entries, dumps.difference, dumps.beyond[0], dumps.beyond[1],
        );
        if let Some([row, component]) = dumps.first {
            let _ = writeln!(text, "  the first in row {row}, component {component}");
        }
    }
    text
}
