//! Inputs of attention on which kernels err, or differ, as files.

use super::Failure;
use posproof_bound::{AttainedSum, AttentionRow, Kernel, Searched};
use posproof_numerics::format::{Format, power_of_two};
use posproof_table::Dtype;
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use posproof_table::arrays::{Container, Header, write};
use std::io::{self, Write};
use std::path::Path;

/// A tensor of a witness: its name, shape and numbers.
type Tensor = (&'static str, Format, Vec<usize>, Vec<f64>);

/// Writes the inputs of the error found, and those of the sum alone: every number in binary32, which has all of them.
pub fn write_witness(
    path: &Path,
    kernel: &Kernel,
    found: &Searched,
    sum: Option<&AttainedSum>,
    replace: bool,
) -> Result<(), Failure> {
    let mut tensors = vec![single("emulated", found.computed)];
    if let Some(sum) = sum {
        tensors.extend([single("sum.exact", sum.exact), single("sum.emulated", sum.computed)]);
        tensors.push(("sum.weights", Format::F32, vec![sum.weights.len()], sum.weights.clone()));
        tensors.push(("sum.values", Format::F32, vec![sum.values.len()], sum.values.clone()));
        for (name, scales) in ["sum.weights.scales", "sum.values.scales"].into_iter().zip(&sum.scales) {
            if !scales.is_empty() {
                tensors.push((name, Format::F32, vec![scales.len()], scales.clone()));
            }
        }
    }
    write_tensors(path, kernel, &found.row, found.exact, tensors, replace)
}

/// Writes inputs on which two kernels differ, with what either makes of them.
pub fn write_row(
    path: &Path,
    kernel: &Kernel,
    row: &AttentionRow,
    exact: f64,
    computed: &[f64; 2],
    replace: bool,
) -> Result<(), Failure> {
    let tensors = vec![single("emulated.a", computed[0]), single("emulated.b", computed[1])];
    write_tensors(path, kernel, row, exact, tensors, replace)
}

fn single(name: &'static str, x: f64) -> Tensor {
    (name, Format::F64, vec![1], vec![x])
}

fn write_tensors(
    path: &Path,
    kernel: &Kernel,
    row: &AttentionRow,
    exact: f64,
    mut tensors: Vec<Tensor>,
    replace: bool,
) -> Result<(), Failure> {
    let kinds = || row.members.iter().filter_map(|member| row.kinds.get(usize::from(*member)));
    let (dim, keys) = (row.query.len(), row.members.len());
    tensors.push(single("exact", exact));
    tensors.push(single("weights.scale", power_of_two(kernel.weight_scale)));
    tensors.push(("q", Format::F32, vec![1, dim], row.query.clone()));
    tensors.push(("k", Format::F32, vec![keys, dim], kinds().flat_map(|(key, _)| key.clone()).collect()));
    tensors.push(("v", Format::F32, vec![keys, 1], kinds().map(|(_, value)| *value).collect()));
    // The widest entries first, so that all of them are aligned.
    tensors.sort_by_key(|(_, format, ..)| *format != Format::F64);
    let about = serde_json::to_string(kernel).map_err(|error| Failure::Internal(error.to_string()))?;
    let header =
        |(name, format, shape, _): &Tensor| Header { name, dtype: Dtype::Float(*format), shape: shape.clone() };
    let headers: Vec<Header<'_>> = tensors.iter().map(header).collect();
    let mut file = NewFile::create(path, replace)?;
    let mut body = |index: usize, out: &mut dyn Write| -> io::Result<()> {
        let Some((_, format, _, numbers)) = tensors.get(index) else { return Ok(()) };
        numbers.iter().try_for_each(|x| match format {
            Format::F64 => out.write_all(&x.to_le_bytes()),
            _ => out.write_all(&(*x as f32).to_le_bytes()),
        })
    };
    write(Container::Safetensors, file.file(), &headers, &[("posproof", about)], &mut body)
        .map_err(NotWritten::io(path))?;
    file.finish()?;
    Ok(())
}
