//! Certified absolute tolerances.

use super::errors::invalid;
use super::interrupt::interruptible;
use super::options::{ENCODING, Options};
use super::scaling::SCALING;
use super::tables::HandedArray;
use posproof_bound::{Allowance, Path};
use posproof_encoding::Law;
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use posproof_table::Positions;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// For each position and pair, how far the entries of any honest implementation may be from those of the correctly rounded
/// table of the same format: |entry − table| ≤ atol. An array [positions, pairs] in binary64, and where the bound comes from.
///
/// The bound of [`Allowance`] holds between an entry and the exact number, of magnitude at most the gain g; the table's
/// entry is within u_S·g + η_S/2 of that.
#[pyfunction]
pub fn tolerance(
    py: Python<'_>,
    sinusoid: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<(HandedArray, String, Vec<u64>)> {
    let options = Options::new("tolerance", options, &[ENCODING, SCALING, &["dtype", "compute", "path"]])?;
    let convention = options.convention(if sinusoid { Encoding::Sinusoid } else { Encoding::Rope })?;
    let positions: Positions =
        options.positions()?.ok_or_else(|| invalid("no positions: expected positions, such as range(4096)"))?;
    let storage = options.format("dtype")?.unwrap_or(Format::F32);
    let (compute, path) = (options.format("compute")?.unwrap_or(Format::F32), options.path(&Path::JUDGED)?);
    let convention = convention.for_length(positions.max() + 1);
    let frequencies = convention.frequencies(64).ok_or_else(|| invalid("the frequencies cannot be enclosed"))?;
    let omega: Vec<f64> = frequencies.iter().map(|omega| omega.approximate()).collect();
    let allowance = Allowance::new(&convention, &omega, positions.max(), (compute, path), storage);
    let (law, gain, pairs) = (Law::new(&convention), allowance.gain(), convention.pairs());
    // A factor above 1 for each of the four roundings of a sum of positive terms.
    let upward = 1.0 + f64::from(f32::EPSILON).powi(2);
    let rounded = (allowance.unit() * gain + storage.min_positive() / 2.0) * upward;
    let array = HandedArray::filled::<f64>([positions.len(), pairs], |entries| {
        interruptible(py, |stop| {
            for (row, (entries, position)) in entries.chunks_mut(pairs.max(1)).zip(positions.iter()).enumerate() {
                if row % 1024 == 0 && stop.asked() {
                    return;
                }
                let t = law.reach(position as f64);
                for (pair, entry) in entries.iter_mut().enumerate() {
                    *entry = (allowance.of(pair, t, gain) + rounded) * upward;
                }
            }
        })
    })?;
    let listed = if positions.len() <= 1 << 16 { positions.iter().collect() } else { Vec::new() };
    Ok((array, allowance.origin().to_string(), listed))
}
