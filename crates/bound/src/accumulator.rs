//! Accumulators of matrix units, as data.
//!
//! An instruction of a matrix unit adds K products to an accumulator. It aligns them all to the largest exponent E, truncates
//! each to F fractional bits, that is to multiples of 2^(E − F), adds them exactly, and truncates the sum to the fraction of
//! its result. A product is not normalised: its exponent is the sum of those of its factors. That is the model of two
//! studies that compared it with hardware bit by bit:
//!
//! * P. Xie and others, *Bit-Accurate Modeling of GPU Matrix Multiply-Accumulate Units*, arXiv 2511.10909;
//! * F. A. Khattak and M. Mikaitis, *Accurate Models of NVIDIA Tensor Cores*, arXiv 2512.07004.

mod attained;
mod emulated;
mod loss;
mod repeated;
mod sign;

pub use attained::AttainedSum;
pub use emulated::{Term, exact_sum};
pub use loss::WeightedSum;
pub(crate) use repeated::repeated;
pub(crate) use sign::OneSign;

use super::program::Impossible;
use posproof_numerics::{Element, format::Format};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The addition of products to an accumulator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accumulator {
    /// The name used on the command line.
    pub name: Cow<'static, str>,
    /// The publication that the figures come from.
    pub source: Cow<'static, str>,
    /// Products that an instruction adds at once, in groups of [`group`](Self::group): K.
    pub terms: u32,
    /// Fractional bits that are kept below the largest exponent: F.
    pub fraction: u32,
    /// Bits of the fraction of the result: r, 23 for binary32.
    pub result: u32,
    /// Products that are added exactly before they are aligned; 1 but for scaled blocks of four bits.
    #[serde(default = "one")]
    pub group: u32,
}

fn one() -> u32 {
    1
}

const XIE: &str = "arXiv 2511.10909";
const BOTH: &str = "arXiv 2511.10909, arXiv 2512.07004";

/// Names, sources, K, F, r and groups.
const ROWS: [(&str, &str, u32, u32, u32, u32); 8] = [
    ("volta", BOTH, 4, 23, 23, 1),
    ("ampere", BOTH, 8, 24, 23, 1),
    ("ada-fp8", BOTH, 16, 13, 13, 1),
    ("hopper", BOTH, 16, 25, 23, 1),
    ("hopper-fp8", BOTH, 32, 13, 13, 1),
    ("blackwell", BOTH, 16, 25, 23, 1),
    ("blackwell-fp8", BOTH, 32, 25, 23, 1),
    ("blackwell-fp4", XIE, 4, 35, 23, 16),
];

impl Accumulator {
    /// The accumulators whose figures are published: of V100, A100, Ada with 8 bits, H100 with 16 and with 8 bits, and B200 with
    /// 16 bits, 8 bits and scaled blocks of 4 bits. Ada adds products of 16 bits as A100 does.
    pub fn published() -> Vec<Self> {
        let row = |(name, source, terms, fraction, result, group): (&'static str, &'static str, u32, u32, u32, u32)| {
            Self { name: name.into(), source: source.into(), terms, fraction, result, group }
        };
        ROWS.into_iter().map(row).collect()
    }

    /// The published accumulator of a name.
    ///
    /// ```
    /// use posproof_bound::Accumulator;
    /// let hopper = Accumulator::named("hopper-fp8").expect("a row");
    /// assert_eq!((hopper.terms, hopper.fraction, hopper.result), (32, 13, 13));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::published().into_iter().find(|row| row.name == name)
    }

    /// Keys whose products one instruction adds.
    pub fn keys(&self) -> u32 {
        self.terms * self.group
    }

    /// Refuses figures that no accumulator has, or that no theorem is about.
    ///
    /// # Errors
    ///
    /// With the figure and what was expected.
    pub fn validate(&self) -> Result<(), Impossible> {
        let rows = [
            ("terms of an instruction", self.terms, (1..=1024).contains(&self.terms), "1 to 1024"),
            ("fractional bits", self.fraction, (2..=40).contains(&self.fraction), "2 to 40"),
            ("bits of the result's fraction", self.result, (2..=23).contains(&self.result), "2 to 23"),
            ("products of a group", self.group, (1..=64).contains(&self.group), "1 to 64"),
        ];
        if let Some((what, found, _, expected)) = rows.into_iter().find(|(_, _, good, _)| !good) {
            return Err(Impossible::new(what, found, expected));
        }
        // λ < 1/2: beyond, an instruction may lose all that it adds to.
        if f64::from(self.terms + 1) * 2f64.powi(-(self.fraction as i32)) + 2f64.powi(-(self.result as i32)) >= 0.5 {
            let found = format!("{} with {} terms", self.fraction, self.terms);
            return Err(Impossible::new("fractional bits", found, "at least two more than the terms have digits"));
        }
        Ok(())
    }

    /// True where the largest term loses nothing: neither products of the elements nor results have more fractional bits than are
    /// kept.
    pub fn holds(&self, elements: [Element; 2]) -> bool {
        let digits: u32 = elements.iter().map(|element| element.precision() - 1).sum();
        self.group == 1 && digits.max(self.result) <= self.fraction
    }
}

/// Summation of a dot product: by a matrix unit that truncates, or by additions that are rounded to nearest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Adder {
    /// Aligned and truncated.
    Truncated(Accumulator),
    /// Exact products, rounded sums in a format, in any order.
    Rounded(Format),
}

impl Adder {
    /// The name used on the command line.
    pub fn name(&self) -> &str {
        match self {
            Self::Truncated(accumulator) => &accumulator.name,
            Self::Rounded(Format::F32) => "round",
            Self::Rounded(format) => format.name(),
        }
    }
}
