//! Stored inputs of attention, and outputs on them, as arrays of two dimensions.

use super::Failure;
use posproof_bound::{Kernel, exact_outputs};
use posproof_check::read::open;
use std::path::Path;

/// An array of two dimensions.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Its name in messages.
    pub name: String,
    /// Rows and columns.
    pub shape: [usize; 2],
    /// The numbers, row by row.
    pub numbers: Vec<f64>,
}

impl Matrix {
    /// An array by its shape.
    ///
    /// # Errors
    ///
    /// Where it has not two dimensions.
    pub fn new(name: String, shape: &[usize], numbers: Vec<f64>) -> Result<Self, Failure> {
        match shape {
            [rows, width] if rows * width == numbers.len() => Ok(Self { name, shape: [*rows, *width], numbers }),
            _ => Err(Failure::Usage(format!("{name}: expected an array of two dimensions; found shape {shape:?}"))),
        }
    }

    /// The array of a file.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or has not two dimensions.
    pub fn read(name: &str) -> Result<Self, Failure> {
        let array = open(name)?;
        let mut numbers = Vec::new();
        for slab in 0..array.slabs() {
            let mut some = Vec::new();
            array.read(slab, 0..array.rows(), &mut some)?;
            numbers.append(&mut some);
        }
        Self::new(name.to_owned(), array.shape(), numbers)
    }
}

/// Stored queries, keys and values, and the mask.
#[derive(Clone, Debug)]
pub struct StoredInputs {
    /// Queries, keys and values: [rows, dim], [keys, dim], [keys, components].
    pub arrays: [Matrix; 3],
    /// True where row i of m does not attend to the last m − 1 − i keys.
    pub causal: bool,
}

impl StoredInputs {
    /// The tensors q, k and v of a file.
    ///
    /// # Errors
    ///
    /// Where one of them cannot be read.
    pub fn read(path: &Path, causal: bool) -> Result<Self, Failure> {
        let tensor = |name: &str| Matrix::read(&format!("{}:{name}", path.display()));
        Ok(Self { arrays: [tensor("q")?, tensor("k")?, tensor("v")?], causal })
    }

    /// Refuses inputs that are not those which the kernels' bounds are about.
    ///
    /// # Errors
    ///
    /// With the array, what was expected and what was found.
    pub fn validate(&self, kernel: &Kernel, outputs: &[Matrix]) -> Result<(), Failure> {
        let [q, k, v] = &self.arrays;
        let refused = |matrix: &Matrix, expected: String, found: String| {
            Err(Failure::Usage(format!("{}: expected {expected}; found {found}", matrix.name)))
        };
        for matrix in [q, k] {
            if matrix.shape[1] != kernel.dim as usize {
                return refused(matrix, format!("rows of dimension {}", kernel.dim), matrix.shape[1].to_string());
            }
        }
        let [rows, keys] = [q.shape[0], k.shape[0]];
        if rows == 0 || keys == 0 || keys as u64 > kernel.keys {
            return refused(k, format!("a query, and 1 to {} keys", kernel.keys), format!("{rows} and {keys}"));
        }
        if v.shape[0] != keys || v.shape[1] == 0 {
            return refused(v, format!("a value for each of {keys} keys"), format!("shape {:?}", v.shape));
        }
        if self.causal && rows > keys {
            return refused(q, format!("at most {keys} queries with a causal mask"), rows.to_string());
        }
        for (matrix, element) in [(q, kernel.inputs), (k, kernel.inputs), (v, kernel.values)] {
            let held = |x: &&f64| !(x.abs() <= element.max_finite() && element.round(**x) == **x);
            if kernel.scales.is_none()
                && let Some(x) = matrix.numbers.iter().find(held)
            {
                return refused(matrix, format!("numbers of {element}"), x.to_string());
            }
        }
        if let Some(scales) = kernel.scales {
            let stored = |numbers: &[f64]| kernel.stores(kernel.inputs, numbers);
            let expected = format!("blocks of {} numbers of e2m1 with a scale in {}", scales.block(), scales.name());
            for matrix in [q, k] {
                if let Some(row) = matrix.numbers.chunks(kernel.dim as usize).position(|row| !stored(row)) {
                    return refused(matrix, expected, format!("row {row}"));
                }
            }
            // Blocks of values are of keys one after the other.
            let column = |at: usize| v.numbers.iter().skip(at).step_by(v.shape[1]).copied().collect::<Vec<f64>>();
            if let Some(at) = (0..v.shape[1]).find(|at| !stored(&column(*at))) {
                return refused(v, expected, format!("component {at}"));
            }
        }
        for (matrix, longest) in [(q, kernel.query), (k, kernel.key)] {
            let length = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
            let longer = matrix.numbers.chunks(kernel.dim as usize).map(length).find(|length| *length > longest);
            if let Some(length) = longer {
                return refused(
                    matrix,
                    format!("no row longer than {longest}, which the kernel states"),
                    length.to_string(),
                );
            }
        }
        if let Some(x) = v.numbers.iter().find(|x| x.abs() > kernel.value) {
            return refused(
                v,
                format!("no value larger than {}, which the kernel states", kernel.value),
                x.to_string(),
            );
        }
        for matrix in outputs {
            if matrix.shape != [rows, v.shape[1]] {
                let found = format!("shape {:?}", matrix.shape);
                return refused(matrix, format!("{rows} rows of {} components", v.shape[1]), found);
            }
        }
        Ok(())
    }

    /// Keys that a row attends to.
    pub fn seen(&self, row: usize) -> usize {
        let [q, k, _] = &self.arrays;
        if self.causal { k.shape[0] + row + 1 - q.shape[0] } else { k.shape[0] }
    }

    /// The exact outputs of each row, of inputs that were validated.
    pub fn exact(&self) -> impl Iterator<Item = Vec<f64>> {
        let [q, k, v] = &self.arrays;
        let ([_, dim], [_, components]) = (q.shape, v.shape);
        q.numbers.chunks(dim.max(1)).enumerate().map(move |(row, query)| {
            let seen = self.seen(row);
            let (keys, values) = (k.numbers.get(..seen * dim), v.numbers.get(..seen * components));
            exact_outputs(query, keys.unwrap_or(&[]), values.unwrap_or(&[]), components)
        })
    }
}
