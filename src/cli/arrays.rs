//! The arrays that `check` and `identify` take, and the positions of their rows.

use super::specification::Specification;
use super::{Failure, Outcome};
use crate::conformance::{FloatArray, Grid, Subject, read};
use crate::table::Positions;
use clap::Args;

/// A table.
#[derive(Args, Clone, Debug)]
pub struct Table {
    /// The table: file.npy, file.npz:name or file.safetensors:name
    #[arg(long, value_name = "ARRAY")]
    table: String,
}

/// A cache, or half of one.
#[derive(Args, Clone, Debug)]
pub struct Cache {
    /// The cosines: file.npy, file.npz:name or file.safetensors:name
    #[arg(long, value_name = "ARRAY")]
    cos: Option<String>,
    /// The sines
    #[arg(long, value_name = "ARRAY")]
    sin: Option<String>,
}

/// Vectors before and after.
#[derive(Args, Clone, Debug)]
pub struct Vectors {
    /// The vectors: file.npy, file.npz:name or file.safetensors:name
    #[arg(long, value_name = "ARRAY")]
    x: String,
    /// The rotated vectors
    #[arg(long, value_name = "ARRAY")]
    y: String,
}

impl Table {
    /// Opens it for a judgement.
    pub fn open(&self, judge: impl FnOnce(Subject<'_>) -> Result<Outcome, Failure>) -> Result<Outcome, Failure> {
        judge(Subject::Sinusoid(&open(&self.table)?))
    }
}

impl Cache {
    /// Opens what there is of it for a judgement.
    pub fn open(&self, judge: impl FnOnce(Subject<'_>) -> Result<Outcome, Failure>) -> Result<Outcome, Failure> {
        let cos = self.cos.as_deref().map(open).transpose()?;
        let sin = self.sin.as_deref().map(open).transpose()?;
        let (cos, sin) = (cos.as_ref().map(|a| a as &dyn Grid), sin.as_ref().map(|a| a as &dyn Grid));
        judge(Subject::Rope { cos, sin })
    }
}

impl Vectors {
    /// Opens both for a judgement.
    pub fn open(&self, judge: impl FnOnce(Subject<'_>) -> Result<Outcome, Failure>) -> Result<Outcome, Failure> {
        judge(Subject::Rotation { x: &open(&self.x)?, y: &open(&self.y)? })
    }
}

/// Opens an array of floating-point numbers.
fn open(specification: &str) -> Result<FloatArray, Failure> {
    let array = read::open(specification).map_err(|error| Failure::Usage(error.to_string()))?;
    FloatArray::new(array).map_err(|error| Failure::Usage(error.to_string()))
}

/// The positions that are given as a range, a list or a file.
pub fn positions(specification: &Specification) -> Result<Option<Positions>, Failure> {
    let usage = |error: String| Failure::Usage(error);
    match &specification.positions {
        Some(text) if [".npy", ".npz", ".safetensors"].iter().any(|extension| text.contains(extension)) => {
            let array = read::open(text).map_err(|error| usage(error.to_string()))?;
            let list = array.positions().map_err(|error| usage(error.to_string()))?;
            Positions::list(list).map(Some).map_err(|error| usage(error.to_string()))
        }
        _ => specification.positions(),
    }
}
