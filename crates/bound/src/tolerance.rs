//! Certified absolute tolerances, for a test of one's own.

#[cfg(feature = "axes")]
mod rows;

#[cfg(feature = "axes")]
pub use rows::{ListedPositions, RowTolerances, Told, ToleranceDocument};

use super::allowance::Allowance;
use super::libraries::Compute;
use super::origin::Origin;
use super::program::{Impossible, Path};
use posproof_encoding::Law;
use posproof_encoding::convention::Convention;
use posproof_numerics::format::{Format, hex};

/// Positions at most whose tolerances are written as text.
pub const MOST_LISTED: usize = 1 << 16;

/// Tolerances at most that are written as text: a hundred megabytes.
pub const MOST_ENTRIES: usize = 1 << 22;

/// Pairs at most: as many as tables have.
const MOST_PAIRS: usize = 1 << 20;

/// A factor above 1 for each of the four roundings of a sum of positive terms.
const UPWARD: f64 = 1.0 + 1.0 / (1u64 << 46) as f64;

/// For each position and pair, how far the entries of any honest implementation may be from those of the correctly rounded
/// table of the same format: |entry − table| ≤ atol.
///
/// The bound of [`Allowance`] holds between an entry and the exact number, of magnitude at most the gain g; the table's
/// entry is within u_S·g + η_S/2 of that. Two such implementations differ by at most twice the tolerance.
///
/// ```
/// use posproof_bound::tolerance::Tolerance;
/// use posproof_encoding::convention::Convention;
/// use posproof_numerics::format::Format;
///
/// let tolerance = Tolerance::new(&Convention::rope(128), 4095, (Format::F32, None), Format::F32)?;
/// let mut row = vec![0.0; tolerance.pairs()];
/// tolerance.row(4095, &mut row);
/// assert!(row[1] > row[63] && row[63] > 0.0);
/// # Ok::<(), posproof_bound::Impossible>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tolerance {
    convention: Convention,
    compute: Compute,
    path: Option<Path>,
    storage: Format,
    allowance: Allowance,
    law: Law,
    /// Error of the table's own rounding.
    rounded: f64,
}

impl Tolerance {
    /// For positions up to `last`, implementations that compute in `compute` along a path, or any of them, and entries that are
    /// stored in `storage`.
    ///
    /// # Errors
    ///
    /// For a convention whose frequencies cannot be enclosed, or that has more pairs than tables have; and where positions or
    /// entries overflow, for then there is nothing to compare.
    pub fn new(
        convention: &Convention,
        last: u64,
        (compute, path): (impl Into<Compute>, Option<Path>),
        storage: Format,
    ) -> Result<Self, Impossible> {
        let with = compute.into();
        let compute = with.format;
        let convention = convention.clone().for_length(last.saturating_add(1));
        if convention.pairs() > MOST_PAIRS {
            return Err(Impossible::new("pairs", convention.pairs(), format!("at most {MOST_PAIRS}")));
        }
        let frequencies = convention.frequencies(64);
        let frequencies =
            frequencies.ok_or_else(|| Impossible::new("frequencies", "none", "some that can be enclosed"))?;
        let omega: Vec<f64> = frequencies.iter().map(|omega| omega.approximate()).collect();
        let allowance = Allowance::new(&convention, &omega, last, (with, path), storage);
        let rounded = (allowance.unit() * allowance.gain() + storage.min_positive() / 2.0) * UPWARD;
        let law = Law::new(&convention);
        let reach = law.reach(last as f64);
        if !compute.round(reach).is_finite() {
            return Err(Impossible::new(
                "positions",
                last,
                format!("positions that {compute} holds, up to {}", compute.max_finite()),
            ));
        }
        let narrow = if storage.max_finite() < compute.max_finite() { storage } else { compute };
        if !narrow.round(allowance.gain()).is_finite() || allowance.gain() > narrow.max_finite() {
            let expected = format!("one whose entries {narrow} holds, up to {}", narrow.max_finite());
            return Err(Impossible::new("amplitude", allowance.gain(), expected));
        }
        Ok(Self { convention, compute: with, path, storage, allowance, law, rounded })
    }

    /// Number of pairs: entries of a row.
    pub fn pairs(&self) -> usize {
        self.convention.pairs()
    }

    /// The tolerances at a position, one for each pair; those of cosine and sine are the same.
    pub fn row(&self, position: u64, row: &mut [f64]) {
        let t = self.law.reach(position as f64);
        for (pair, entry) in row.iter_mut().enumerate() {
            *entry = (self.allowance.of(pair, t, self.allowance.gain()) + self.rounded) * UPWARD;
        }
    }

    /// Where the bound comes from.
    pub fn origin(&self) -> Origin {
        self.allowance.origin()
    }

    /// The convention.
    pub fn convention(&self) -> &Convention {
        &self.convention
    }

    /// The program: the precision of its angles and the accuracies of its functions, the path of its frequencies, and the format of its
    /// entries.
    pub fn program(&self) -> (Compute, Option<Path>, Format) {
        (self.compute, self.path, self.storage)
    }
}

/// Tolerances in hexadecimal, which every language reads exactly: some in a row.
pub fn hexadecimal(atol: &[f64], pairs: usize) -> Vec<Vec<String>> {
    atol.chunks(pairs.max(1)).map(|row| row.iter().map(|&x| hex(x)).collect()).collect()
}

/// Tolerances at some positions as an array of C, `name[POSITIONS][PAIRS]`, and the positions; none for what is no name in C.
#[cfg(feature = "axes")]
pub fn c_header(name: &str, origin: &str, positions: &ListedPositions, atol: (&[f64], usize)) -> Option<String> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    let (atol, pairs) = atol;
    let lines: Vec<String> =
        hexadecimal(atol, pairs).iter().map(|row| format!("    {{{}}}", row.join(",\n     "))).collect();
    let mut text = format!("/* |entry - table| <= {name}[row][pair]; {origin} */\n");
    text += &positions.in_c(&format!("{name}_positions"));
    text += &format!("static const double {name}[{}][{pairs}] = {{\n{}\n}};\n", lines.len(), lines.join(",\n"));
    Some(text)
}
