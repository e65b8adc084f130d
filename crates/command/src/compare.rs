//! `posproof compare`: two kernels of attention on the same inputs, or two outputs of one convention.

use super::kernel::write_row;
use super::outputs::{self, Outputs};
use super::{Failure, Outcome, print, print_json};
use clap::Args;
use posproof_bound::document::printed;
use posproof_bound::{Compared, Kernel, KernelBound, Verdict, exact_outputs};
use posproof_check::read::open;
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Arguments of `compare`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Arguments {
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
struct Answer<'a> {
    schema: &'static str,
    kernels: [&'a Kernel; 2],
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
    dumps: Option<Dumps>,
}

/// The judgement of two dumps of outputs.
#[derive(Clone, Debug, Serialize)]
struct Dumps {
    verdict: Verdict,
    entries: u64,
    /// The largest difference of the two.
    difference: f64,
    /// Entries beyond the bound of A, and of B.
    beyond: [u64; 2],
    /// The first row and component that is beyond a bound.
    first: Option<[usize; 2]>,
}

/// A kernel's file: the document of `bound`, or the kernel alone.
fn kernel(path: &Path) -> Result<Kernel, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        let expected = "expected what posproof bound attention … --accumulator … --json prints";
        Failure::Usage(format!("{}: {error}; {expected}", path.display()))
    };
    let text = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
    let mut document: serde_json::Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    let inner = document.get_mut("kernel").map(serde_json::Value::take).unwrap_or(document);
    let kernel: Kernel = serde_json::from_value(inner).map_err(|error| failed(&error))?;
    kernel.validate()?;
    Ok(kernel)
}

/// All numbers of an array of two dimensions, and its width.
fn matrix(name: &str) -> Result<(Vec<f64>, usize), Failure> {
    let array = open(name)?;
    let shape = array.shape().to_vec();
    let [rows, width] = shape[..] else {
        return Err(Failure::Usage(format!("{name}: expected an array of two dimensions; found shape {shape:?}")));
    };
    let mut numbers = Vec::new();
    for slab in 0..array.slabs() {
        let mut some = Vec::new();
        array.read(slab, 0..array.rows(), &mut some)?;
        numbers.append(&mut some);
    }
    if numbers.len() != rows * width {
        return Err(Failure::Internal(format!("{name}: {} numbers of {rows} by {width}", numbers.len())));
    }
    Ok((numbers, width))
}

/// The verdict on dumps.
fn judged(kernels: &[Kernel; 2], each: &[KernelBound; 2], inputs: &Path, outputs: &[String]) -> Result<Dumps, Failure> {
    let tensor = |name: &str| matrix(&format!("{}:{name}", inputs.display()));
    let [(q, dim), (k, key_dim), (v, components)] = [tensor("q")?, tensor("k")?, tensor("v")?];
    let refused = |what: String| Failure::Usage(format!("{}: {what}", inputs.display()));
    if dim != key_dim || dim != kernels[0].dim as usize || dim == 0 {
        return Err(refused(format!(
            "expected queries and keys of dimension {}; found {dim} and {key_dim}",
            kernels[0].dim
        )));
    }
    let keys = k.len() / dim;
    if keys != v.len() / components.max(1) || keys as u64 > kernels[0].keys || keys == 0 {
        return Err(refused(format!("expected a value for each of 1 to {} keys; found {keys} keys", kernels[0].keys)));
    }
    let element = kernels[0].inputs;
    if let Some(x) = q.iter().chain(&k).find(|x| element.round(**x) != **x) {
        return Err(refused(format!("expected numbers of {element}; found {x}")));
    }
    let [one, other] = outputs else { return Err(Failure::Internal("two outputs".into())) };
    let dumps = [matrix(one)?, matrix(other)?];
    let rows = q.len() / dim;
    for ((numbers, width), name) in dumps.iter().zip(outputs) {
        if *width != components || numbers.len() != rows * components {
            return Err(Failure::Usage(format!("{name}: expected {rows} rows of {components} components")));
        }
    }
    let mut found = Dumps { verdict: Verdict::Honest, entries: 0, difference: 0.0, beyond: [0; 2], first: None };
    for (row, query) in q.chunks(dim).enumerate() {
        for (component, exact) in exact_outputs(query, &k, &v, components).into_iter().enumerate() {
            let at = row * components + component;
            let outputs = [0, 1].map(|side: usize| dumps[side].0.get(at).copied().unwrap_or(f64::NAN));
            let verdict = KernelBound::verdict(each, outputs, exact);
            let gap = (outputs[0] - outputs[1]).abs();
            found.difference = if gap.is_nan() { f64::INFINITY } else { found.difference.max(gap) };
            found.entries += 1;
            found.beyond[0] += u64::from(matches!(verdict, Verdict::First | Verdict::Both));
            found.beyond[1] += u64::from(matches!(verdict, Verdict::Second | Verdict::Both));
            if verdict != Verdict::Honest && found.first.is_none() {
                found.first = Some([row, component]);
            }
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

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    match (&arguments.outputs, &arguments.kernels) {
        (Some(outputs), _) => outputs::run(outputs),
        (None, Some(kernels)) => kernels.run(),
        (None, None) => Err(Failure::Usage("expected two kernels, or sinusoid, rope or rotation; see --help".into())),
    }
}

impl Kernels {
    fn run(&self) -> Result<Outcome, Failure> {
        let arguments = self;
        let kernels = [kernel(&arguments.one)?, kernel(&arguments.other)?];
        let compared = kernels[0].compare(&kernels[1])?;
        let dumps = match &arguments.inputs {
            Some(inputs) => Some(judged(&kernels, &compared.each, inputs, &arguments.outputs)?),
            None => None,
        };
        if let Some(path) = &arguments.witness {
            write_row(path, &kernels[0], &compared.row, compared.exact, &compared.computed, arguments.replace)?;
        }
        let honest = dumps.as_ref().is_none_or(|dumps| dumps.verdict == Verdict::Honest);
        if arguments.json {
            print_json(&Answer {
                schema: "posproof.compare/1",
                kernels: [&kernels[0], &kernels[1]],
                bound: compared.bound.value(),
                origin: compared.bound.origin().to_string(),
                each: compared.each,
                computed: compared.computed,
                exact: compared.exact,
                difference: compared.difference(),
                share: compared.share(),
                dumps,
            })?;
        } else {
            print(&text(&compared, dumps.as_ref()))?;
        }
        Ok(if honest { Outcome::Good } else { Outcome::FallsShort })
    }
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
