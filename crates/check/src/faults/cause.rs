//! A fault as the diagnosis has found it in one subject.

use super::region::EVERYWHERE;
use super::{
    ArrayCause, AxesCause, Code, Deviation, Entry, Explained, Fault, Lengths, PartCause, PositionRule, PrecisionCause,
    ProductsCause, Region, Status,
};
use posproof_bound::Path;
use posproof_encoding::convention::{Component, Convention, Direction, Layout, Order};
use posproof_encoding::real::Real;
use posproof_numerics::format::Format;

/// Something that is wrong: which fault, with its figures. Displayed, it is a sentence to act on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// The row of the catalogue.
    pub fault: &'static Fault,
    /// Its figures in this subject.
    pub cause: Cause,
    /// Number of entries beyond the bound that it explains.
    pub explains: Explained,
    /// Where these entries are; none for a fault of a whole array.
    pub region: Option<Region>,
    /// Its status.
    pub status: Status,
    /// True if the cause is that of the region only: entries elsewhere are right.
    pub confined: bool,
}

impl Finding {
    /// Of a whole array, none of whose entries need be beyond the bound.
    pub(crate) fn new(fault: &'static Fault, cause: Cause) -> Self {
        let (explains, status) = (Explained::default(), Status::Confirmed);
        Self { fault, cause, explains, region: None, status, confined: false }
    }

    /// Entries in a narrower format than stated.
    pub(crate) fn stored_narrowly(format: Format, stated: Format) -> Self {
        Self::new(&super::STORED_NARROWLY, Cause::Stored { format, stated })
    }

    /// Its name.
    pub fn code(&self) -> Code {
        self.fault.code
    }

    /// Place of what it explains, in words; none where it is of no place.
    pub(crate) fn place(&self) -> Option<String> {
        let region = self.region.as_ref()?;
        Some(if region.is_part() { format!("at {region}") } else { EVERYWHERE.to_owned() })
    }
}

/// The figures of a fault.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// Entries that are infinite or no numbers.
    NotFinite {
        /// Number of these.
        count: u64,
        /// Of how many.
        entries: u64,
        /// Where the first one is.
        first: Entry,
    },
    /// Every entry is zero.
    Zero,
    /// Entries that depart by themselves, each in its own way.
    Apart {
        /// Number of entries.
        entries: u64,
        /// Number of others that are within their bounds, these saying something.
        others: u64,
        /// Number of others that may be any number that a sine can be.
        silent: u64,
    },
    /// Entries with the wrong sign.
    Negated,
    /// Entries that are multiplied by a number.
    Multiplied {
        /// The number, measured.
        by: f64,
    },
    /// One component of all pairs, or of those of the region, is multiplied by a number.
    OfComponent {
        /// The component: of rotated vectors, that of the angle.
        component: Component,
        /// The number.
        by: f64,
    },
    /// A pair with a frequency of its own, in radians per position.
    PairFrequency {
        /// The pair.
        pair: usize,
        /// The frequency stated.
        expected: f64,
        /// The frequency measured.
        found: f64,
    },
    /// Vectors that are not rotated.
    NotRotated,
    /// Vectors that are multiplied by a number as scores are before their softmax.
    SoftmaxScale {
        /// The number, measured.
        by: f64,
        /// The dimension whose reciprocal root it is.
        dim: usize,
    },
    /// A cache of one duplication that is used with pairs of the other.
    Mixture {
        /// True if the cache repeats each value; its halves are repeated if not.
        repeated: bool,
        /// The pairs that are rotated.
        layout: Layout,
        /// The part of the cache, where the other is as the rotation reads it.
        component: Option<Component>,
    },
    /// The table is numbered by the position, and the rows by something else.
    AxesExchanged {
        /// Number of tables that have positions of their own, counted from 0.
        period: usize,
        /// The axis of the array along which they are counted, where it has several that number tables.
        axis: Option<usize>,
    },
    /// Angles that were reduced with 2π of binary32.
    ReducedInSingle,
    /// Other pairs.
    Layout {
        /// Those stated.
        expected: Layout,
        /// Those found.
        found: Layout,
    },
    /// Pairs that are read in one layout and written in another.
    ReadAndWritten {
        /// The layout stated.
        expected: Layout,
        /// That of the pairs that are read.
        read: Layout,
        /// That of the pairs that are written.
        written: Layout,
    },
    /// Sines and cosines are exchanged.
    Order {
        /// The order stated.
        expected: Order,
        /// The order found.
        found: Order,
    },
    /// Sine and cosine alternate from row to row.
    AlternatingRows,
    /// Every sine is negated.
    Direction {
        /// The direction stated.
        expected: Direction,
        /// The direction found.
        found: Direction,
    },
    /// Sines and cosines of exponents of their own: base^(−exponent).
    OwnExponents {
        /// The sines' exponent.
        sin: &'static str,
        /// The cosines' exponent.
        cos: &'static str,
    },
    /// Another amplitude.
    Amplitude {
        /// The one stated.
        expected: f64,
        /// The one found.
        found: f64,
    },
    /// Another convention.
    Convention {
        /// The one stated.
        expected: Box<Convention>,
        /// The one that the entries follow.
        found: Box<Convention>,
    },
    /// Frequencies that no convention has.
    Frequencies {
        /// Those found, pair by pair.
        found: Vec<f64>,
    },
    /// Angles (p/base)^(2k/dim).
    QuotientRaised,
    /// The frequencies of another dimension.
    Denominator {
        /// The dimension stated.
        expected: usize,
        /// The dimension found.
        found: usize,
    },
    /// A base that was measured.
    Base {
        /// The base stated.
        expected: Real,
        /// A number with few digits near the measured one.
        found: Real,
        /// The measured one.
        measured: f64,
    },
    /// NTK-aware scaling by a factor that was not stated.
    Stretched {
        /// The factor.
        factor: i64,
    },
    /// Frequencies that are not those of the scaling rule.
    Rule {
        /// The rule stated, if there is one.
        rule: Option<&'static str>,
        /// Number of frequencies that depart from it.
        departing: usize,
        /// All frequencies.
        frequencies: Vec<Deviation>,
    },
    /// Dynamic NTK scaling that is computed anew for each row.
    PerToken {
        /// Its factor.
        factor: Real,
        /// The length beyond which the base grows.
        original: u64,
    },
    /// Pairs at rest.
    AtRest {
        /// Number of pairs that are rotated: the first ones.
        rotated: usize,
        /// Of how many.
        pairs: usize,
    },
    /// Another part of the dimensions is rotated.
    Rotated {
        /// The dimensions of a vector.
        dim: usize,
        /// The rotated ones stated; all if none is given.
        expected: Option<usize>,
        /// The rotated ones found.
        found: Option<usize>,
    },
    /// Another part is rotated, with the frequencies that belong to neither part.
    RotatedWithOther {
        /// The dimensions of a vector.
        dim: usize,
        /// The rotated ones stated; all if none is given.
        expected: Option<usize>,
        /// The rotated ones found.
        found: Option<usize>,
    },
    /// The pairs are (k, k + dim/2), though fewer dimensions are rotated.
    WholeVector,
    /// Entries that are numbers of a narrower format.
    Narrowed {
        /// The format of the file.
        stored: Format,
        /// The narrower one.
        format: Format,
    },
    /// Entries that are stored in a narrower format than stated.
    Stored {
        /// The format of the file.
        format: Format,
        /// The one stated.
        stated: Format,
    },
    /// Frequencies, positions or angles in a narrower format.
    Rounded {
        /// That format.
        format: Format,
        /// The one stated for the computation.
        stated: Format,
    },
    /// Frequencies along another path: every entry is within the bound for it.
    Path {
        /// The path stated.
        stated: Path,
        /// The narrowest that explains every entry.
        found: Path,
        /// The precision of both.
        compute: Format,
    },
    /// Positions rounded to a narrower format.
    RoundedPositions {
        /// That format.
        format: Format,
    },
    /// Sines and cosines, or angles, that are less accurate than the stated precision explains.
    Inaccurate {
        /// The largest relative error of an angle that would explain an entry.
        error: f64,
        /// The precision stated for the computation.
        stated: Format,
    },
    /// Every row is that of one position.
    OnePosition {
        /// That position.
        position: f64,
    },
    /// Every row is that of a position further on.
    Shifted {
        /// The distance.
        by: f64,
    },
    /// Every angle is multiplied by a number.
    Scaled {
        /// The number, measured.
        ratio: f64,
        /// A simple number near it.
        by: Real,
    },
    /// Rows from a position on have angles that are multiplied by a number.
    ScaledFrom {
        /// The first of these rows.
        from: u64,
        /// The number.
        by: Real,
    },
    /// Rows from a position on are left unrotated.
    Unrotated {
        /// That position.
        from: u64,
    },
    /// Rows from a position on are all the same.
    Clamped {
        /// That position.
        from: u64,
        /// The position that they belong to.
        position: f64,
    },
    /// Positions start again at 0.
    Wrapped {
        /// The first that does, and the modulus.
        from: u64,
    },
    /// Rows from a position on are those of positions further on.
    ShiftedFrom {
        /// The first of these rows.
        from: u64,
        /// The distance.
        by: f64,
    },
    /// Rows from a position on are those of other positions.
    Earlier {
        /// That position.
        from: u64,
        /// Some positions, and those that their rows belong to.
        rows: Vec<(f64, f64)>,
    },
    /// The second entry of each pair is computed from the first one's result.
    InPlace,
    /// The lengths of pairs vary as those of no cosines and sines of one angle do.
    Lengths {
        /// Of what.
        of: Lengths,
        /// The first position with an entry beyond its bound.
        first: u64,
    },
    /// Tables or sequences that have the fault each with figures of its own, as the sequences of a batch are padded.
    Each {
        /// `table` or `sequence`.
        each: &'static str,
        /// Number of figures that differ.
        ways: usize,
        /// Number of one of them.
        number: usize,
        /// Its figures.
        one: Box<Cause>,
    },
    /// Something about an array as it was read.
    Array(ArrayCause),
    /// One component, or two pairs, by a law of their own.
    Part(PartCause),
    /// A step in a narrow format.
    Precision(PrecisionCause),
    /// Positions by a rule of their own.
    Positions(PositionRule),
    /// Something about the products that make rotated vectors.
    Products(ProductsCause),
    /// Something about an encoding of several axes.
    Axes(AxesCause),
    /// None of the others.
    Unexplained {
        /// Number of entries that are beyond their bounds.
        entries: u64,
        /// The first position of one.
        first: u64,
        /// The last position of one.
        last: u64,
        /// The measured frequencies, where they could be measured.
        frequencies: Option<Vec<Deviation>>,
    },
}
