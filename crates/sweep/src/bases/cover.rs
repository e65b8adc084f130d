//! Covers of a range of bases by intervals of which something is proved.

use super::base::Base;
use super::sum::{Neighbourhood, Scratch, Sign};
use serde::{Deserialize, Serialize};

/// Verdict that is proved of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Admissible,
    Refuted(u32),
    Undecided,
}

/// A closed interval of bases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub lower: Base,
    pub upper: Base,
    pub verdict: Verdict,
}

/// Covers the interval between two bases, for h pairs and m = 1 … length, by halving it where nothing is proved, down to 2^−40 of
/// the base.
pub(crate) fn cover(pairs: usize, length: u32, lower: Base, upper: Base, scratch: &mut Scratch) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // The next interval in ascending order is last. What is proved of an interval holds of its halves: they take only the open positions.
    let mut waiting = vec![(lower, upper, (1..=length).collect::<Vec<u32>>())];
    while let Some((lower, upper, positions)) = waiting.pop() {
        let verdict = match Neighbourhood::new(pairs, lower, upper).sign(&positions, scratch) {
            Sign::NonNegative => Verdict::Admissible,
            Sign::Negative(m) => Verdict::Refuted(m),
            Sign::Open(_) if lower.is_next_to(upper) => Verdict::Undecided,
            Sign::Open(open) => {
                let middle = lower.middle(upper);
                waiting.push((middle, upper, open.clone()));
                waiting.push((lower, middle, open));
                continue;
            }
        };
        join(&mut pieces, Piece { lower, upper, verdict });
    }
    pieces
}

/// Appends a piece that begins where the last one ends: to that one, if the same is proved of both.
pub(crate) fn join(pieces: &mut Vec<Piece>, piece: Piece) {
    match pieces.last_mut() {
        Some(last) if last.verdict == piece.verdict && last.upper == piece.lower => last.upper = piece.upper,
        _ => pieces.push(piece),
    }
}

/// An interval of bases and the m for which B(m; b) < 0 on all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refuted {
    /// The lower end.
    pub lower: Base,
    /// The upper end.
    pub upper: Base,
    /// The witness.
    pub m: u32,
}

/// Closed intervals that cover the range of a shard, each as long as the same is proved of neighbours; ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervals {
    /// B(m; b) ≥ 0 for every base b in them and all integers 0 ≤ m ≤ length.
    pub admissible: Vec<[Base; 2]>,
    /// B(m; b) < 0 for every base b in them and one m of 1 … length.
    pub refuted: Vec<Refuted>,
    /// Nothing was proved of these, which are at most 2^−40 of the base wide but where several adjoin.
    pub undecided: Vec<[Base; 2]>,
}

impl Intervals {
    pub(crate) fn new(pieces: &[Piece]) -> Self {
        let mut new = Self::default();
        for &Piece { lower, upper, verdict } in pieces {
            match verdict {
                Verdict::Admissible => new.admissible.push([lower, upper]),
                Verdict::Refuted(m) => new.refuted.push(Refuted { lower, upper, m }),
                Verdict::Undecided => new.undecided.push([lower, upper]),
            }
        }
        new
    }

    /// All of them in ascending order.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let of = |verdict| move |&[lower, upper]: &[Base; 2]| Piece { lower, upper, verdict };
        let refuted =
            self.refuted.iter().map(|r| Piece { lower: r.lower, upper: r.upper, verdict: Verdict::Refuted(r.m) });
        let admissible = self.admissible.iter().map(of(Verdict::Admissible));
        let mut pieces: Vec<Piece> =
            admissible.chain(refuted).chain(self.undecided.iter().map(of(Verdict::Undecided))).collect();
        pieces.sort_by_key(|piece| (piece.lower, piece.upper));
        pieces
    }
}
