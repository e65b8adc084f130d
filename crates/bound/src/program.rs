//! Steps of a program that computes an entry of a table, as far as its error depends on them.

use super::upward::{Upper, unit};
use posproof_numerics::format::Format;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Ways to compute the frequencies base^(−e_k).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// 1/pow(base, e_k), the exponent a quotient of integers.
    Pow,
    /// exp(−(m·c)) with c = log(base)/D, a product for each pair.
    Exp,
    /// The first frequency by `Pow`, and each of the others as the one before times it.
    Repeated,
    /// `Pow` in binary64, and a cast.
    F64,
    /// Correctly rounded from the exact value.
    #[default]
    Rounded,
    /// Frequencies along any path, and cosines and sines from those of the position before, by a complex product: the
    /// addition theorem. Only [`Allowance`](super::Allowance) bounds it.
    Recurrence,
}

impl Path {
    /// All paths on which the entries of a position are computed by themselves.
    pub const ALL: [Self; 5] = [Self::Pow, Self::Exp, Self::Repeated, Self::F64, Self::Rounded];

    /// All paths that an implementation may be judged by.
    pub const JUDGED: [Self; 6] = [Self::Rounded, Self::F64, Self::Pow, Self::Exp, Self::Repeated, Self::Recurrence];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pow => "pow",
            Self::Exp => "exp",
            Self::Repeated => "repeated",
            Self::F64 => "f64",
            Self::Rounded => "rounded",
            Self::Recurrence => "recurrence",
        }
    }

    /// The theorem that bounds an entry of plain frequencies along this path: base^(−2i/d), in a table without an
    /// amplitude, from a sine and cosine within less than 2 units in the last place; none for a recurrence.
    pub fn theorem(self) -> Option<&'static str> {
        match self {
            Self::Pow => Some("rounding_path_reciprocal"),
            Self::Exp => Some("rounding_path_exp_log"),
            Self::Repeated => Some("rounding_path_repeated"),
            Self::F64 => Some("rounding_path_cast"),
            Self::Rounded => Some("rounding_path_rounded"),
            Self::Recurrence => None,
        }
    }

    /// The theorem that bounds a frequency along this path; none for a recurrence, which has none of its own.
    pub(super) fn frequency_theorem(self) -> Option<&'static str> {
        match self {
            Self::Pow => Some("rounding_frequency_reciprocal"),
            Self::Exp => Some("rounding_frequency_exp_log"),
            Self::Repeated => Some("rounding_frequency_repeated"),
            Self::F64 => Some("rounding_frequency_cast"),
            Self::Rounded => Some("rounding_frequency_rounded"),
            Self::Recurrence => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Path {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|path| path.name() == name);
        known.ok_or_else(|| posproof_encoding::suggestion::unknown("path", name, Self::ALL.into_iter().map(Self::name)))
    }
}

/// A program: the formats of position, frequency, angle (in which sine and cosine are computed) and
/// table, the path of the frequencies, and the accuracy κ of sine and cosine in units in the last place.
///
/// Entry (t, k) is fl_S(wave(fl_A(fl_P(t)·ω′_k))), where the wave function is within κ spacings of format
/// A, and returns 0 for sin 0 (IEEE 754-2019, 9.2.1). With an amplitude X other than 1 it is fl_S(fl_A(fl_A(X)·wave(…))).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Program {
    /// Path by which the frequencies are computed.
    pub path: Path,
    /// P: positions are rounded to it.
    pub position: Format,
    /// W: frequencies are computed in it (`F64`: cast to it).
    pub frequency: Format,
    /// A: the product, and sine and cosine.
    pub angle: Format,
    /// S: the table.
    pub storage: Format,
    /// κ ≥ 1/2. The a priori bound takes it for pow, exp and log as well.
    pub kappa: f64,
}

/// A combination for which no bound is defined: what was found and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {found}; expected {expected}")]
pub struct Impossible {
    /// The parameter.
    pub what: &'static str,
    /// Its value.
    pub found: String,
    /// Values that are allowed.
    pub expected: String,
}

impl Impossible {
    pub(super) fn new(what: &'static str, found: impl ToString, expected: impl ToString) -> Self {
        Self { what, found: found.to_string(), expected: expected.to_string() }
    }
}

/// Beyond this κ a function is not sine or cosine any more in any format.
const MAX_KAPPA: f64 = 1e6;

impl Program {
    /// Everything in one format, frequencies and functions correctly rounded.
    pub fn rounded(format: Format) -> Self {
        let kappa = 0.5;
        Self { path: Path::Rounded, position: format, frequency: format, angle: format, storage: format, kappa }
    }

    /// The largest magnitude of what sine and cosine may return within κ spacings: 1 + κu
    /// (`rounding_table_beyond_one`), and 1 for κ < 2, because numbers of the format A above 1 are two spacings apart
    /// (`rounding_table_within_one`).
    pub(super) fn largest_value(&self) -> Upper {
        let one = Upper::of(1.0);
        if self.kappa < 2.0 { one } else { one + Upper::of(self.kappa) * unit(self.angle) }
    }

    /// Refuses programs that make no sense.
    pub fn validate(&self) -> Result<(), Impossible> {
        if self.path == Path::Recurrence {
            let expected = Path::ALL.map(Path::name).join(", ");
            return Err(Impossible::new("path", "recurrence, whose entries depend on those before", expected));
        }
        if !(0.5..=MAX_KAPPA).contains(&self.kappa) {
            let expected = "0.5 (correct rounding) to 1000000 units in the last place";
            return Err(Impossible::new("κ", self.kappa, expected));
        }
        for (what, format) in [
            ("format of the angle", self.angle),
            ("format of the positions", self.position),
            ("format of the frequencies", self.frequency),
        ] {
            if format.narrow().is_some() {
                return Err(Impossible::new(what, format, "a format that computes: f16, bf16, f32 or f64"));
            }
        }
        for (what, format) in
            [("format of the positions", self.position), ("format of the frequencies", self.frequency)]
        {
            if !contains(self.angle, format) {
                let expected = format!("a format whose numbers the format of the angle, {}, holds", self.angle);
                return Err(Impossible::new(what, format, expected));
            }
        }
        Ok(())
    }
}

/// True if every number of the second format is a number of the first.
pub(super) fn contains(wide: Format, narrow: Format) -> bool {
    wide == narrow || wide == Format::F64 || (wide == Format::F32 && narrow != Format::F64)
}
