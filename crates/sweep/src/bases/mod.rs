//! Which bases serve a context length: the certified set of bases b with B(m; b) = Σ cos(m·b^(−2i/dim)) ≥ 0, i = 0 … dim/2 − 1, for all
//! integers 0 ≤ m ≤ length.
//!
//! The criterion is that of *Base of RoPE Bounds Context Length* (arXiv 2405.14591): under its assumptions a key like the query is preferred
//! to another one, on average, at every distance m with B(m; b) ≥ 0. B(0; b) = dim/2, so that m = 0 excludes no base. Where the source is
//! read as m < length, the set is that of length − 1.
//!
//! The set is not upward closed: it has holes. Its complement is therefore covered as well, each interval with one m for which the sum
//! is negative on all of it. How that is proved is written in the module `sum`, the subdivision in `cover`.

mod base;
mod cover;
mod sum;

pub use base::Base;
pub use cover::{Intervals, Refuted};

use crate::{InvalidSweep, Sweep};
use cover::{Piece, Verdict, cover, join};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::ops::Range;
use sum::{Neighbourhood, Scratch, Sign};

/// The set of bases for a dimension and a length, between two bases.
///
/// ```
/// use posproof_sweep::{Shard, Sweep, bases::AdmissibleBases};
/// let sweep: AdmissibleBases =
///     serde_json::from_str(r#"{"dim": 128, "length": 1024, "bases": ["4200", "4400"]}"#).unwrap();
/// let found = sweep.run(Shard::WHOLE.tasks(sweep.tasks()).unwrap(), &|| ()).unwrap();
/// // Below 4293.43756926257 a context of 1024 is not served.
/// assert!(found.admissible[0][0].to_string().starts_with("4293.43756926"));
/// let below = found.refuted.iter().find(|refuted| refuted.upper == found.undecided[0][0]).unwrap();
/// assert_eq!(below.m, 1009);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdmissibleBases {
    /// The dimension of a head, even.
    pub dim: usize,
    /// The largest m.
    pub length: u32,
    /// The lower and the upper end of the range.
    pub bases: [Base; 2],
}

/// The largest dimension and length: beyond them the rounding analysis has not been made, and the sweep takes weeks.
const MAX_DIM: usize = 1 << 12;
const MAX_LENGTH: u32 = 1 << 20;

/// A task is an interval from b to b + ⌊b/2^7⌋.
const STEP: u32 = 7;

impl AdmissibleBases {
    /// The ends of the tasks' intervals: b + ⌊b/2^7⌋ follows b, in units of 10^−9, and the upper end of the range is last.
    fn ends(&self) -> Vec<Base> {
        let [lower, upper] = self.bases;
        let below = std::iter::successors(Some(lower), |base| Some(base.next(STEP)));
        below.take_while(|base| *base < upper).chain([upper]).collect()
    }

    /// Refuses an interval of which the opposite is proved at one of its points: both ends and the middle of what is refuted,
    /// for its witness, and the middle of what is admissible, for all m.
    fn contradiction(&self, piece: &Piece, scratch: &mut Scratch) -> Result<(), String> {
        let &Piece { lower, upper, verdict } = piece;
        let middle = lower.middle(upper);
        let mut sign = |base, m: &[u32]| Neighbourhood::new(self.dim / 2, base, base).sign(m, scratch);
        match verdict {
            Verdict::Refuted(m) => {
                match [lower, middle, upper].into_iter().find(|b| matches!(sign(*b, &[m]), Sign::NonNegative)) {
                    Some(base) => Err(format!(
                        "refuted from {lower} to {upper} by m = {m}: expected a negative sum, it is not negative at {base}"
                    )),
                    None => Ok(()),
                }
            }
            Verdict::Admissible => match sign(middle, &(1..=self.length).collect::<Vec<u32>>()) {
                Sign::Negative(m) => Err(format!(
                    "admissible from {lower} to {upper}: expected no negative sum, that of m = {m} is negative at {middle}"
                )),
                _ => Ok(()),
            },
            Verdict::Undecided => Ok(()),
        }
    }

    /// The share of the range that nothing was proved of, rounded up.
    pub fn undecided_share(&self, found: &Intervals) -> f64 {
        let undecided: u64 = found.undecided.iter().map(|[lower, upper]| lower.units_to(*upper)).sum();
        match undecided {
            0 => 0.0,
            _ => {
                (undecided as f64 / self.bases[0].units_to(self.bases[1]) as f64 * (1.0 + 4.0 * f64::EPSILON)).next_up()
            }
        }
    }
}

impl Sweep for AdmissibleBases {
    const NAME: &'static str = "admissible-bases";
    type Findings = Intervals;

    fn validate(&self) -> Result<(), InvalidSweep> {
        let Self { dim, length, bases: [lower, upper] } = self;
        if *dim < 2 || dim % 2 == 1 || *dim > MAX_DIM {
            return Err(InvalidSweep::new("dim", dim, format!("an even number from 2 to {MAX_DIM}")));
        }
        if !(1..=MAX_LENGTH).contains(length) {
            return Err(InvalidSweep::new("length", length, format!("1 to {MAX_LENGTH}")));
        }
        if lower >= upper {
            return Err(InvalidSweep::new(
                "bases",
                format!("{lower}..{upper}"),
                "an upper end above the lower one".to_owned(),
            ));
        }
        Ok(())
    }

    fn tasks(&self) -> usize {
        self.ends().len() - 1
    }

    fn run(&self, tasks: Range<usize>, done: &(dyn Fn() + Sync)) -> Result<Intervals, InvalidSweep> {
        self.validate()?;
        let ends = self.ends();
        let intervals: Vec<&[Base]> = ends.windows(2).skip(tasks.start).take(tasks.len()).collect();
        let covers = intervals.into_par_iter().with_max_len(1).map_init(Scratch::default, |scratch, ends| {
            let pieces = cover(self.dim / 2, self.length, ends[0], ends[1], scratch);
            done();
            pieces
        });
        let covers: Vec<Vec<Piece>> = covers.collect();
        let mut pieces = Vec::new();
        covers.into_iter().flatten().for_each(|piece| join(&mut pieces, piece));
        Ok(Intervals::new(&pieces))
    }

    fn verify(&self, tasks: Range<usize>, found: &Intervals) -> Result<(), String> {
        let ends = self.ends();
        let (mut next, last) = (ends[tasks.start], ends[tasks.end]);
        for Piece { lower, upper, verdict } in found.pieces() {
            if lower != next || upper <= lower {
                return Err(format!("an interval from {lower} to {upper}: expected one that begins at {next}"));
            }
            if let Verdict::Refuted(m) = verdict
                && !(1..=self.length).contains(&m)
            {
                return Err(format!("the witness {m} of {lower} to {upper}: expected 1 to {}", self.length));
            }
            next = upper;
        }
        if next != last {
            return Err(format!("the intervals end at {next}: expected {last}"));
        }
        let pieces = found.pieces();
        pieces.par_iter().map_init(Scratch::default, |scratch, piece| self.contradiction(piece, scratch)).collect()
    }

    fn merge(&self, parts: Vec<Intervals>) -> Intervals {
        let mut pieces = Vec::new();
        parts.iter().flat_map(Intervals::pieces).for_each(|piece| join(&mut pieces, piece));
        Intervals::new(&pieces)
    }

    fn slug(&self) -> String {
        format!("{}-{}-{}", Self::NAME, self.dim, self.length)
    }

    fn arguments(&self) -> Vec<String> {
        let [lower, upper] = self.bases;
        let values = [("--dim", self.dim.to_string()), ("--length", self.length.to_string())];
        let values = values.into_iter().chain([("--bases", format!("{lower}..{upper}"))]);
        values.flat_map(|(name, value)| [name.to_owned(), value]).collect()
    }

    fn summary(&self, found: &Intervals) -> String {
        let Self { dim, length, bases: [lower, upper] } = self;
        let mut text = format!(
            "bases from {lower} to {upper} with sum of cos(m*base^(-2i/{dim})) >= 0 for all integers 0 <= m <= {length}\n"
        );
        // Refuted intervals with nothing admissible between them are one line, with the witness of the widest.
        let mut hole: Vec<Piece> = Vec::new();
        for piece in found.pieces() {
            match piece.verdict {
                Verdict::Admissible => {
                    describe(&mut text, &hole);
                    hole.clear();
                    let _ = writeln!(text, "  admissible  {} .. {}", piece.lower, piece.upper);
                }
                Verdict::Refuted(_) => hole.push(piece),
                Verdict::Undecided => {
                    describe(&mut text, &hole);
                    hole.clear();
                }
            }
        }
        describe(&mut text, &hole);
        let (admissible, refuted, undecided) = (found.admissible.len(), found.refuted.len(), found.undecided.len());
        let _ = match undecided {
            0 => writeln!(text, "intervals: {admissible} admissible, {refuted} refuted, none undecided"),
            _ => writeln!(
                text,
                "intervals: {admissible} admissible, {refuted} refuted, {undecided} undecided, which are {:.1e} of the range",
                self.undecided_share(found)
            ),
        };
        let ends = found.refuted.iter().filter(|refuted| refuted.m == self.length).count();
        let _ = match ends {
            0 => writeln!(text, "none is refuted by m = {length}: what is refuted is so for m < {length} too"),
            _ => writeln!(text, "{ends} refuted by m = {length}, for which a reading as m < {length} would not ask"),
        };
        text
    }
}

/// One line about adjoining refuted intervals.
fn describe(text: &mut String, hole: &[Piece]) {
    let widest = hole.iter().max_by_key(|piece| (piece.lower.units_to(piece.upper), std::cmp::Reverse(piece.lower)));
    let (Some(first), Some(last), Some(widest)) = (hole.first(), hole.last(), widest) else { return };
    let Verdict::Refuted(m) = widest.verdict else { return };
    let others = match hole.len() {
        1 => String::new(),
        _ => format!(" from {} to {}, and by others in the rest", widest.lower, widest.upper),
    };
    let _ = writeln!(text, "  refuted     {} .. {} by m = {m}{others}", first.lower, last.upper);
}
