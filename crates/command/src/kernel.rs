//! `posproof bound logits|attention --accumulator`: attention as a kernel computes it.

use super::text::kernel::text;
use super::witness::write_witness;
use super::{Failure, Outcome, print, print_json};
use clap::{Args, ValueEnum};
use posproof_bound::{Accumulator, Adder, Arithmetic, Kernel, KernelBound, Model, Order, Scales};
use posproof_numerics::{Element, format::Format};
use serde::Serialize;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Differences of a kernel from attention whose every step is rounded to nearest.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "As a kernel computes it (logits, attention)")]
pub struct KernelArguments {
    /// Addition of products: round (binary32, to nearest), an accumulator of a matrix unit (volta, ampere, ada-fp8, hopper,
    /// hopper-fp8, blackwell, blackwell-fp8, blackwell-fp4), or a JSON file that describes one. Bounds are then of stored inputs:
    /// --dtype is their format, e4m3, e5m2 and e2m1 among them
    #[arg(long, value_name = "NAME|FILE")]
    pub accumulator: Option<String>,
    /// Format of the scales of blocks of e2m1: e4m3, of 16 numbers each, or e8m0, of 32 [default: e4m3 with blackwell-fp4]
    #[arg(long, value_name = "e4m3|e8m0", hide_possible_values = true, requires = "accumulator")]
    pub scales: Option<ScalesArgument>,
    /// Add the accumulator of values to a binary32 register after so many keys, and clear it [default: never]
    #[arg(long, value_name = "M", requires = "accumulator")]
    pub flush: Option<u64>,
    /// Keys of a tile, with --order online, the default: exponentials are cast, tile by tile, and divided at the end; with --order
    /// plain quotients are cast [default: 128]
    #[arg(long, value_name = "N", requires = "accumulator")]
    pub tile: Option<u32>,
    /// Split keys into so many parts, each with sums of its own, which are combined at the end, as kernels do for small batches
    /// [default: 1]
    #[arg(long, value_name = "S", requires = "accumulator")]
    pub splits: Option<u32>,
    /// With a causal mask the bound is printed by rows: row i has i + 1 keys [default: none]
    #[arg(long, value_name = "causal|none", hide_possible_values = true, requires = "accumulator")]
    pub mask: Option<MaskArgument>,
    /// Format that logits are stored in [default: that of the softmax]
    #[arg(long, value_name = "FORMAT", requires = "accumulator", value_parser = Format::computing)]
    pub logits: Option<Format>,
    /// Format of the output [default: bf16, or f16 for inputs in f16]
    #[arg(long, value_name = "FORMAT", requires = "accumulator", value_parser = Format::computing)]
    pub output: Option<Format>,
    /// Queries and keys are rotated in this format, by a table in it, and then cast to --dtype, with a scale for each group where that
    /// has 8 bits: bound the error from --positions on, too
    #[arg(long, value_name = "FORMAT", requires = "accumulator", value_parser = Format::computing)]
    pub rotated: Option<Format>,
    /// Write inputs on which the error is as large as a search finds, with the exact output and the kernel's
    #[arg(long, value_name = "FILE.safetensors", requires = "accumulator")]
    pub witness: Option<PathBuf>,
    /// Replace the witness if it exists
    #[arg(long, requires = "witness")]
    pub replace: bool,
}

/// The mask of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MaskArgument {
    /// Row i has i + 1 keys.
    Causal,
    /// Every row has all keys.
    None,
}

/// The format of the scales of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScalesArgument {
    /// Blocks of 16.
    E4m3,
    /// Blocks of 32.
    E8m0,
}

impl From<ScalesArgument> for Scales {
    fn from(argument: ScalesArgument) -> Self {
        match argument {
            ScalesArgument::E4m3 => Self::E4m3,
            ScalesArgument::E8m0 => Self::E8m0,
        }
    }
}

/// The order of a kernel's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOrder {
    /// Weights are normalised, and then cast.
    Plain,
    /// Exponentials are cast, and normalised at the end.
    Online,
}

/// Options of attention that a kernel shares with other programs.
pub struct Shared {
    /// The format of the inputs.
    pub inputs: Element,
    /// Components of a query.
    pub dim: u32,
    /// Number of keys.
    pub keys: u64,
    /// Format of scale and softmax.
    pub softmax: Option<Format>,
    /// Format that weights are cast to.
    pub weights: Option<Element>,
    /// Accuracy of exp.
    pub exp_ulp: Option<f64>,
    /// Largest lengths of query and keys.
    pub lengths: [Option<f64>; 2],
    /// Largest component of a value.
    pub value: Option<f64>,
    /// The order of the steps.
    pub order: Option<StepOrder>,
}

/// A table, the rotation by it and positions, from which on a kernel is bounded.
pub type BoundedFrom<'a> = (&'a Model, Arithmetic, &'a Range<u64>);

/// The bound of attention whose queries and keys are rotated and then stored.
#[derive(Serialize)]
pub struct RotatedBound {
    /// The format of table and rotation.
    pub format: Format,
    /// The first position, and the one after the last.
    pub positions: [u64; 2],
    /// The bound, of exact attention of the vectors before they are rotated.
    pub bound: KernelBound,
}

/// A row of a causal mask, and the bound of its output.
#[derive(Serialize)]
pub struct MaskedRow {
    /// Keys that the row attends to.
    pub keys: u64,
    /// The bound.
    pub bound: KernelBound,
}

/// The document that is printed.
#[derive(Serialize)]
pub struct KernelAnswer<'a> {
    schema: &'static str,
    /// The subject: `logits` or `attention`.
    pub subject: &'static str,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The bound of an output, and its parts.
    pub bound: KernelBound,
    /// The bound from positions on, where a rotation comes before.
    pub rotated: Option<RotatedBound>,
    /// Bounds by row of a causal mask; none without a mask.
    pub rows: Vec<MaskedRow>,
    /// The sum of weighted values alone, on inputs that nearly attain its bound.
    pub sum: Option<AttainedShare>,
    /// The largest error of an output that a search finds.
    pub search: Option<Found>,
    /// The change of an output where keys are permuted.
    pub permuted: Option<Permuted>,
}

/// The change of an output where keys and values are permuted.
#[derive(Serialize)]
pub struct Permuted {
    /// At most.
    pub bound: f64,
    /// At least: on keys that a search finds, reversed.
    pub difference: f64,
    /// Where the bound comes from.
    pub origin: String,
}

/// The loss of a sum, beside the sum of the products' magnitudes.
#[derive(Serialize)]
pub struct AttainedShare {
    /// At most.
    pub bound: f64,
    /// At least, on the witness.
    pub error: f64,
    /// The theorem of the bound.
    pub origin: String,
}

/// A found error, without its inputs.
#[derive(Serialize)]
pub struct Found {
    /// The cause that drives it.
    pub cause: &'static str,
    /// The exact output.
    pub exact: f64,
    /// The kernel's output.
    pub computed: f64,
    /// Their distance, from below.
    pub error: f64,
    /// Bound by error.
    pub ratio: f64,
}

/// The accumulator of a name, or of a file.
///
/// # Errors
///
/// Where there is none of that name, or no theorem is about it.
pub fn adder(name: &str) -> Result<Adder, Failure> {
    if name == "round" {
        return Ok(Adder::Rounded(Format::F32));
    }
    if let Some(accumulator) = Accumulator::named(name) {
        return Ok(Adder::Truncated(accumulator));
    }
    let path = Path::new(name);
    let names: Vec<String> = Accumulator::published().into_iter().map(|row| row.name.into_owned()).collect();
    let expected = format!("expected round, {} or a JSON file", names.join(", "));
    if path.extension().is_none() {
        return Err(Failure::Usage(format!("--accumulator {name}: {expected}")));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("--accumulator {name}: {error}; {expected}")))?;
    let accumulator: Accumulator = serde_json::from_str(&text)
        .map_err(|error| Failure::Usage(format!("--accumulator {name}: {error}; see docs/attention.md")))?;
    accumulator.validate()?;
    Ok(Adder::Truncated(accumulator))
}

impl KernelArguments {
    /// The format in which queries and keys are rotated before they are stored.
    pub fn rotated(&self) -> Option<Format> {
        self.rotated
    }

    /// True where attention is to be taken as a kernel computes it.
    pub fn given(&self) -> bool {
        self.accumulator.is_some()
    }

    /// The kernel that adds products so.
    ///
    /// # Errors
    ///
    /// Where no theorem is about it.
    pub fn kernel(&self, adder: Adder, shared: &Shared) -> Result<Kernel, Failure> {
        let mut usual = Kernel::usual(shared.inputs, adder, shared.dim, shared.keys);
        if let Some(scales) = self.scales {
            usual = usual.with_scales(scales.into());
        }
        let order = match (shared.order, self.tile, usual.order) {
            (Some(StepOrder::Plain), Some(tile), _) => {
                return Err(Failure::Usage(format!("--tile {tile}: expected with --order online only")));
            }
            (Some(StepOrder::Plain), None, _) => Order::Plain,
            (_, Some(tile), _) => Order::Online(tile),
            (_, None, usual) => usual,
        };
        let weights = shared.weights.unwrap_or(usual.weights);
        let kernel = Kernel {
            flush: self.flush,
            splits: self.splits.unwrap_or(usual.splits),
            order,
            logits: self.logits,
            softmax: shared.softmax.unwrap_or(usual.softmax),
            weights,
            weight_scale: match usual.scales {
                Some(_) => usual.weight_scale,
                None => Kernel::usual(weights, usual.adder.clone(), 2, 1).weight_scale,
            },
            kappa: shared.exp_ulp.unwrap_or(usual.kappa),
            output: self.output.unwrap_or(usual.output),
            query: shared.lengths[0].unwrap_or(usual.query),
            key: shared.lengths[1].unwrap_or(usual.key),
            value: shared.value.unwrap_or(usual.value),
            ..usual
        };
        kernel.validate()?;
        Ok(kernel)
    }

    /// The bounds, and what a search finds.
    ///
    /// # Errors
    ///
    /// Where no theorem is about the kernel, or a witness cannot be written.
    pub fn document<'a>(
        &self,
        kernel: &'a Kernel,
        outputs: bool,
        from: Option<BoundedFrom<'_>>,
    ) -> Result<KernelAnswer<'a>, Failure> {
        let bound = kernel.bound()?;
        let rotated = match from {
            None => None,
            Some((model, arithmetic, positions)) => Some(RotatedBound {
                format: arithmetic.format,
                positions: [positions.start, positions.end],
                bound: model.kernel_outputs(kernel, arithmetic, positions)?,
            }),
        };
        let masked = |keys: u64| -> Result<MaskedRow, Failure> {
            Ok(MaskedRow { keys, bound: Kernel { keys, ..kernel.clone() }.bound()? })
        };
        let rows = match self.mask {
            Some(MaskArgument::Causal) => decades(kernel.keys).map(masked).collect::<Result<_, _>>()?,
            _ => Vec::new(),
        };
        let sum = kernel.attained_sum().ok();
        let found = kernel.search().ok();
        if let Some(path) = &self.witness {
            let found = found.as_ref().ok_or_else(|| {
                Failure::Usage("--witness: no row that a search knows fits the formats and lengths stated".into())
            })?;
            write_witness(path, kernel, found, sum.as_ref(), self.replace)?;
        }
        Ok(KernelAnswer {
            schema: "posproof.bound-kernel/1",
            subject: if outputs { "attention" } else { "logits" },
            kernel,
            bound,
            rotated,
            rows,
            sum: sum.map(|sum| AttainedShare {
                bound: sum.bound.value() / sum.mass,
                error: sum.error / sum.mass,
                origin: sum.bound.origin().to_string(),
            }),
            search: found.map(|found| Found {
                cause: found.cause,
                exact: found.exact,
                computed: found.computed,
                error: found.error,
                ratio: found.ratio(),
            }),
            permuted: kernel.permute().ok().map(|moved| Permuted {
                bound: moved.bound.value(),
                difference: moved.difference(),
                origin: moved.bound.origin().to_string(),
            }),
        })
    }

    /// Prints the bounds, and what a search finds.
    ///
    /// # Errors
    ///
    /// As of [`document`](Self::document), or where it cannot be printed.
    pub fn answer(
        &self,
        shared: &Shared,
        outputs: bool,
        json: bool,
        from: Option<BoundedFrom<'_>>,
    ) -> Result<Outcome, Failure> {
        let kernel = self.kernel(adder(self.accumulator.as_deref().unwrap_or("round"))?, shared)?;
        let answer = self.document(&kernel, outputs, from)?;
        if json {
            print_json(&answer)?;
        } else {
            print(&text(&answer))?;
        }
        Ok(Outcome::Good)
    }
}

/// 1, 10, 100, … and the last.
fn decades(last: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(1u64), |keys| keys.checked_mul(10)).take_while(move |keys| *keys < last).chain([last])
}
