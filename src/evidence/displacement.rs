//! Displacements: how far attention, as kernels compute it, moves where a claim says that it does not.
//!
//! Keys that are permuted, tiles of another size and another schedule leave an output as it is in real numbers. A kernel's output
//! moves: by a certified amount at most, and on inputs that a search finds by so much at least.

use crate::claim::AttentionResult;
use posproof_bound::{Accumulator, Adder, AttentionRow, Compared, Impossible, Kernel, Order};
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, format::Format};
use serde::Serialize;

/// Components of queries and keys.
const DIM: u32 = 128;

/// Keys that a query attends to.
const KEYS: u64 = 4096;

/// Keys of the smaller tiles.
const TILE: u32 = 32;

/// Parts of the keys, as in a kernel for a smaller batch.
const SPLITS: u32 = 8;

/// The change of what a kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Keys in another order, their values with them.
    Permuted,
    /// Tiles of other keys.
    Tiled,
    /// Keys in parts, as many as the size of the batch decides; of a score, another kernel.
    Batched,
}

/// A bound on how far an output of attention moves, for all stored inputs, and inputs on which it moves.
#[derive(Clone, Debug)]
pub struct Displacement {
    /// An output, or a score.
    pub of: AttentionResult,
    /// The change.
    pub change: Change,
    /// The kernel before and after it.
    pub kernels: [Kernel; 2],
    /// The bound, the inputs, and both results.
    pub compared: Compared,
}

impl Displacement {
    /// True if the results are further apart than the bound, which would be a mistake here.
    pub fn is_exceeded(&self) -> bool {
        // Results that are no numbers are within no bound.
        self.compared.difference().is_nan() || self.compared.difference() > self.compared.bound.value()
    }

    /// The change in words.
    pub fn words(&self) -> String {
        let [before, after] = &self.kernels;
        let tile = |kernel: &Kernel| match kernel.order {
            Order::Online(tile) => tile.to_string(),
            Order::Plain => "no".to_owned(),
        };
        match (self.change, self.of) {
            (Change::Permuted, _) => "keys reversed".to_owned(),
            (Change::Tiled, _) => format!("tiles of {} keys, of {}", tile(before), tile(after)),
            (Change::Batched, AttentionResult::Output) => format!("keys in one part, in {}", after.splits),
            (Change::Batched, AttentionResult::Score) => format!("summed by {}, to nearest", before.adder.name()),
        }
    }
}

/// Inputs of a row, numbers that follow each other unchanged counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DisplacementInputs {
    /// Components of the query.
    pub query: Vec<(f64, u64)>,
    /// Components of keys that differ, each key with its value.
    pub keys: Vec<(Vec<(f64, u64)>, f64)>,
    /// Keys in their order.
    pub order: Vec<(u8, u64)>,
}

/// Numbers with how many of them follow each other.
fn runs<T: Copy + PartialEq>(all: &[T]) -> Vec<(T, u64)> {
    all.chunk_by(|one, next| one == next).filter_map(|run| Some((*run.first()?, run.len() as u64))).collect()
}

impl From<&AttentionRow> for DisplacementInputs {
    fn from(row: &AttentionRow) -> Self {
        let keys = row.kinds.iter().map(|(key, value)| (runs(key), *value));
        Self { query: runs(&row.query), keys: keys.collect(), order: runs(&row.members) }
    }
}

/// Accumulators with inputs that they multiply.
fn kernels() -> Vec<Kernel> {
    let rows = [
        ("ampere", Element::Wide(Format::F16)),
        ("hopper", Element::Wide(Format::Bf16)),
        ("hopper-fp8", Element::Narrow(Narrow::E4m3)),
    ];
    let kernel = |(name, inputs)| Some(Kernel::usual(inputs, Adder::Truncated(Accumulator::named(name)?), DIM, KEYS));
    rows.into_iter().filter_map(kernel).collect()
}

/// The displacements of what a claim says to stay; of a kernel that cannot be, an error.
///
/// # Errors
///
/// Where no theorem is about a kernel, or no input fits it.
pub fn displacements(of: Option<AttentionResult>) -> Result<Vec<Displacement>, Impossible> {
    let mut all = Vec::new();
    let Some(of) = of else { return Ok(all) };
    for kernel in kernels() {
        let mut add = |change, after: Kernel| {
            let compared = match (of, change) {
                (AttentionResult::Output, Change::Permuted) => kernel.permute(),
                (AttentionResult::Output, _) => kernel.compare(&after),
                (AttentionResult::Score, _) => kernel.compare_logits(&after),
            }?;
            all.push(Displacement { of, change, kernels: [kernel.clone(), after], compared });
            Ok(())
        };
        add(Change::Permuted, kernel.clone())?;
        match of {
            AttentionResult::Score => {
                add(Change::Batched, Kernel { adder: Adder::Rounded(Format::F32), ..kernel.clone() })?
            }
            AttentionResult::Output => {
                add(Change::Tiled, Kernel { order: Order::Online(TILE), ..kernel.clone() })?;
                add(Change::Batched, Kernel { splits: SPLITS, ..kernel.clone() })?;
            }
        }
    }
    Ok(all)
}
