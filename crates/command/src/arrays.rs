//! The arrays that `check` and `identify` take.

use super::{Failure, Outcome};
use clap::Args;
use posproof_check::{FloatArray, Grid, Half, Levels, Subject, read};
use read::SequenceAxis;

const INPUT: &str = "Input (required)";

/// A table.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = INPUT)]
pub struct Table {
    /// The table: file.npy, file.npz:name or file.safetensors:name
    #[arg(long, value_name = "ARRAY")]
    table: String,
    #[command(flatten)]
    axis: Axis,
}

/// A cache, or half of one; or the frequencies that it is made from.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input (--cos, --sin or both, or one of the others)")]
pub struct Cache {
    /// The cosines: file.npy, file.npz:name or file.safetensors:name
    #[arg(long, value_name = "ARRAY", conflicts_with_all = ["freqs_cis", "cos_sin_cache", "inv_freq"])]
    cos: Option<String>,
    /// The sines
    #[arg(long, value_name = "ARRAY", conflicts_with_all = ["freqs_cis", "cos_sin_cache", "inv_freq"])]
    sin: Option<String>,
    /// Both as complex numbers, or as pairs along a last axis of 2
    #[arg(long, value_name = "ARRAY", conflicts_with_all = ["cos_sin_cache", "inv_freq"])]
    freqs_cis: Option<String>,
    /// Both side by side, cosines first, as vLLM keeps them
    #[arg(long, value_name = "ARRAY", conflicts_with = "inv_freq")]
    cos_sin_cache: Option<String>,
    /// The frequencies in their place: a vector [dim/2]
    #[arg(long, value_name = "ARRAY")]
    inv_freq: Option<String>,
    #[command(flatten)]
    axis: Axis,
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
    #[command(flatten)]
    axis: Axis,
}

/// Another table, beside [`Table`].
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = INPUT)]
pub struct OtherTable {
    /// The table that it is compared with
    #[arg(long, value_name = "ARRAY")]
    with_table: String,
}

/// Another cache, beside [`Cache`].
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Input (--with-cos, --with-sin or both, or one of the others)")]
pub struct OtherCache {
    /// The cosines of the cache that it is compared with
    #[arg(long, value_name = "ARRAY", conflicts_with_all = ["with_freqs_cis", "with_cos_sin_cache"])]
    with_cos: Option<String>,
    /// The sines
    #[arg(long, value_name = "ARRAY", conflicts_with_all = ["with_freqs_cis", "with_cos_sin_cache"])]
    with_sin: Option<String>,
    /// Both as complex numbers, or as pairs along a last axis of 2
    #[arg(long, value_name = "ARRAY", conflicts_with = "with_cos_sin_cache")]
    with_freqs_cis: Option<String>,
    /// Both side by side, cosines first, as vLLM keeps them
    #[arg(long, value_name = "ARRAY")]
    with_cos_sin_cache: Option<String>,
}

/// Other rotated vectors, beside [`Vectors`].
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = INPUT)]
pub struct OtherVectors {
    /// What another rotation made of the same vectors
    #[arg(long, value_name = "ARRAY")]
    with_y: String,
}

impl Table {
    /// The other table, along the same axis.
    pub fn beside(&self, OtherTable { with_table: table }: &OtherTable) -> Self {
        Self { table: table.clone(), axis: self.axis }
    }
}

impl Cache {
    /// The other cache, along the same axis.
    pub fn beside(&self, other: &OtherCache) -> Self {
        let OtherCache { with_cos: cos, with_sin: sin, with_freqs_cis, with_cos_sin_cache } = other.clone();
        Self { cos, sin, freqs_cis: with_freqs_cis, cos_sin_cache: with_cos_sin_cache, inv_freq: None, axis: self.axis }
    }
}

impl Vectors {
    /// The same vectors, rotated by another.
    pub fn beside(&self, OtherVectors { with_y: y }: &OtherVectors) -> Self {
        Self { x: self.x.clone(), y: y.clone(), axis: self.axis }
    }
}

/// Where the positions are.
#[derive(Args, Clone, Copy, Debug)]
struct Axis {
    /// Axis of the positions, from 0, or from the end if negative [default: the last but one, or the only one that can be]
    #[arg(long, value_name = "N", allow_negative_numbers = true, hide_short_help = true)]
    sequence_axis: Option<isize>,
}

impl Axis {
    fn at(self, positions: Option<usize>) -> SequenceAxis {
        SequenceAxis { stated: self.sequence_axis, positions }
    }
}

/// What is opened for a judgement.
pub enum Opened<'a> {
    /// A table, a cache or a rotation.
    Subject(Subject<'a>),
    /// A vector of frequencies.
    Frequencies(&'a dyn Grid),
}

impl Table {
    /// Opens it for a judgement of so many positions, where that is known, on an integer grid, where one is stated.
    pub fn open(
        &self,
        (positions, levels): (Option<usize>, Option<Levels>),
        judge: impl FnOnce(Opened<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        judge(Opened::Subject(Subject::Sinusoid(&self.axis.at(positions).open_on(&self.table, levels)?)))
    }
}

impl Cache {
    /// Opens what there is of it for a judgement of so many positions, where that is known, on an integer grid, where one is stated.
    pub fn open(
        &self,
        (positions, levels): (Option<usize>, Option<Levels>),
        judge: impl FnOnce(Opened<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        let axis = self.axis.at(positions);
        if levels.is_some() && (self.inv_freq.is_some() || self.freqs_cis.is_some()) {
            let expected = "expected --table, --cos and --sin, --cos-sin-cache, or --x and --y";
            return Err(Failure::Usage(format!(
                "--step: neither frequencies nor complex numbers are on such a grid; {expected}"
            )));
        }
        if let Some(name) = &self.inv_freq {
            if axis.stated.is_some() {
                return Err(Failure::Usage("--sequence-axis: a vector of frequencies has no axis of positions".into()));
            }
            return judge(Opened::Frequencies(&FloatArray::new(read::open(name)?)?));
        }
        if let Some(name) = &self.freqs_cis {
            let [cos, sin] = axis.open_complex(name)?;
            return judge(Opened::Subject(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }));
        }
        if let Some(name) = &self.cos_sin_cache {
            let cache = axis.open_on(name, levels)?;
            let [cos, sin] = Half::both(&cache)?;
            return judge(Opened::Subject(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }));
        }
        let open = |name: &Option<String>| name.as_deref().map(|name| axis.open_on(name, levels)).transpose();
        let (cos, sin) = (open(&self.cos)?, open(&self.sin)?);
        let (cos, sin) = (cos.as_ref().map(|a| a as &dyn Grid), sin.as_ref().map(|a| a as &dyn Grid));
        judge(Opened::Subject(Subject::Rope { cos, sin }))
    }
}

impl Vectors {
    /// Opens both for a judgement of so many positions, where that is known, on an integer grid, where one is stated.
    pub fn open(
        &self,
        (positions, levels): (Option<usize>, Option<Levels>),
        judge: impl FnOnce(Opened<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        let axis = self.axis.at(positions);
        judge(Opened::Subject(Subject::Rotation {
            x: &axis.open_on(&self.x, levels)?,
            y: &axis.open_on(&self.y, levels)?,
        }))
    }
}
