//! The arrays that `check` and `identify` take.

use super::{Failure, Outcome};
use crate::conformance::{FloatArray, Grid, Subject, read};
use clap::Args;

const INPUT: &str = "Input (required)";

/// A table.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = INPUT)]
pub struct Table {
    /// The table: file.npy, file.npz:name or file.safetensors:name
    #[arg(long, value_name = "ARRAY")]
    table: String,
}

/// A cache, or half of one.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input (either may be left out)")]
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
#[command(next_help_heading = INPUT)]
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
    Ok(FloatArray::new(read::open(specification)?)?)
}
