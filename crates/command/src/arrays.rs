//! The arrays that `check` and `identify` take.

use super::refusal::refused;
use super::{Failure, Outcome};
use clap::Args;
use posproof_check::request::{GridRequest, Refused};
use posproof_check::{FloatArray, Grid, Half, InvalidInput, Levels, Subject, read};
use posproof_numerics::format::Format;
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
    /// Results of another rotation of the same vectors
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

/// Entries, as far as they are known before they are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stored {
    /// Number of positions.
    pub positions: Option<usize>,
    /// The integer grid that they are on.
    pub levels: Option<Levels>,
    /// The format that they should have.
    pub format: Option<Format>,
}

impl Stored {
    fn open(self, axis: Axis, name: &str) -> Result<FloatArray, InvalidInput> {
        axis.at(self.positions).open_on(name, self.levels, self.format)
    }
}

/// The integer grid that entries are on.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Judging")]
pub struct GridArguments {
    /// Entries are on an integer grid: an integer q stands for (q − zero point)·S, and other numbers for themselves [integers of 8 bits: as found]
    #[arg(long, value_name = "S", hide_short_help = true)]
    step: Option<f64>,
    /// The integer that stands for 0
    #[arg(long, value_name = "Z", requires = "step", allow_negative_numbers = true, hide_short_help = true)]
    zero_point: Option<f64>,
}

impl GridArguments {
    /// Entries for so many positions, on this grid after a stated format.
    ///
    /// # Errors
    ///
    /// For a step that is none, and for a format of 8 bits before it.
    pub fn of(self, positions: Option<usize>, format: Option<Format>) -> Result<Stored, Failure> {
        let Self { step, zero_point } = self;
        let levels = GridRequest { step, zero_point }.levels(format).map_err(|error| refused(&error))?;
        Ok(Stored { positions, levels, format })
    }
}

/// Arrays that are opened for a judgement.
#[derive(Clone, Copy)]
pub enum Opened<'a> {
    /// A table, a cache or a rotation.
    Subject(Subject<'a>),
    /// A vector of frequencies.
    Frequencies(&'a dyn Grid),
}

impl<'a> Opened<'a> {
    /// The subject that has rows.
    ///
    /// # Errors
    ///
    /// For frequencies.
    pub fn rows(self) -> Result<Subject<'a>, Failure> {
        match self {
            Self::Subject(subject) => Ok(subject),
            Self::Frequencies(_) => Err(refused(&Refused::Frequencies)),
        }
    }
}

impl Table {
    /// Opens it for a judgement.
    pub fn open(
        &self,
        reading: Stored,
        judge: impl FnOnce(Opened<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        judge(Opened::Subject(Subject::Sinusoid(&reading.open(self.axis, &self.table)?)))
    }
}

impl Cache {
    /// Opens what there is of it for a judgement.
    pub fn open(
        &self,
        reading: Stored,
        judge: impl FnOnce(Opened<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        let axis = self.axis.at(reading.positions);
        if reading.levels.is_some() && (self.inv_freq.is_some() || self.freqs_cis.is_some()) {
            return Err(refused(&Refused::OffGrid));
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
            let cache = reading.open(self.axis, name)?;
            let [cos, sin] = Half::both(&cache)?;
            return judge(Opened::Subject(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }));
        }
        let open = |name: &Option<String>| name.as_deref().map(|name| reading.open(self.axis, name)).transpose();
        let (cos, sin) = (open(&self.cos)?, open(&self.sin)?);
        let (cos, sin) = (cos.as_ref().map(|a| a as &dyn Grid), sin.as_ref().map(|a| a as &dyn Grid));
        judge(Opened::Subject(Subject::Rope { cos, sin }))
    }
}

impl Vectors {
    /// Opens both for a judgement.
    pub fn open(
        &self,
        reading: Stored,
        judge: impl FnOnce(Opened<'_>) -> Result<Outcome, Failure>,
    ) -> Result<Outcome, Failure> {
        judge(Opened::Subject(Subject::Rotation {
            x: &reading.open(self.axis, &self.x)?,
            y: &reading.open(self.axis, &self.y)?,
        }))
    }
}
