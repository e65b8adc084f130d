//! Arrays of integers.

use super::{About, Array, InvalidInput};

/// Integers that are read from a file: as many as this, so that the list stays in memory.
const MAX_INTEGERS: usize = 1 << 26;

impl Array {
    /// All entries as integers between −2^53 and 2^53, the last axis fastest.
    pub fn integers(&self) -> Result<Vec<i64>, InvalidInput> {
        let about = About(self.name());
        if self.is_complex() {
            return Err(about.error("the dtype", "integers", "complex numbers", "check which array is meant"));
        }
        let count = self.shape().iter().try_fold(1usize, |count, &n| count.checked_mul(n));
        if count.is_none_or(|count| count > MAX_INTEGERS) {
            let expected = format!("at most {MAX_INTEGERS} integers");
            return Err(about.error("the shape", expected, format!("{:?}", self.shape()), "take a part of them"));
        }
        let (mut integers, mut table) = (Vec::new(), Vec::new());
        for slab in 0..self.slabs() {
            self.read(slab, 0..self.rows(), &mut table)?;
            let whole = |x: &f64| x.abs() <= posproof_table::LIMIT as f64 && x.fract() == 0.0;
            if let Some(at) = table.iter().position(|x| !whole(x)) {
                return Err(about.error(
                    format!("entry {}", integers.len() + at),
                    "an integer between -2^53 and 2^53",
                    table[at].to_string(),
                    "give positions as integers, and what is added to all of them with --position-offset",
                ));
            }
            integers.extend(table.iter().map(|x| *x as i64));
        }
        Ok(integers)
    }
}
