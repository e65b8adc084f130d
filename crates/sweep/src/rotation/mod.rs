//! The exact worst error of a rotation of bfloat16 vectors, over all inputs.
//!
//! A pair (x₀, x₁) is turned by θ = position·base^(−2k/dim), in several orders of roundings ([`Program`]). The error is
//! ‖ŷ − y‖/‖x‖, in Euclidean norms, with y turned by the real number θ: that of the table's entries is part of it.
//!
//! *Domain.* All pairs of finite bf16 numbers but (0, 0), for which no intermediate result overflows or is subnormal: every program's result is then
//! multiplied by ±2^k when the input is, so that one of each class is enough: x₀ ∈ [1, 2) with x₁ = 0 or |x₁| from 2^−260 up to 2^261, which is how far the
//! exponents of two bf16 numbers can differ, subnormal ones included; or x₀ = 0 with x₁ ∈ [1, 2).
//!
//! *Exactness.* The error of each input is computed in binary64 from c and s rounded to nearest. With u = 2^−53 these contribute
//! at most u/2·(|x₀| + |x₁|), the two products and their difference 2·u·‖x‖, both together 2.8·u·‖x‖ a component and 4·u·‖x‖ for both;
//! the other roundings are relative to the error, below 5·u of it, and it is below 1/10: each computed error, and hence the largest, is wrong by at
//! most 8·u.

mod program;

pub use program::Program;

use crate::circle::{Point, point};
use crate::{InvalidSweep, Sweep};
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_encoding::real::Real;
use posproof_numerics::format::{hex, power_of_two};
use posproof_numerics::{Float, Interval};
use posproof_table::{Instructions, Loop, vectorized};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::ops::Range;

/// The worst errors of a rotary encoding at a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bf16Rotation {
    /// The dimension of a head, even.
    pub dim: usize,
    /// The base of the frequencies.
    pub base: Real,
    /// The position.
    pub position: u64,
}

/// The worst error of a program at a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worst {
    /// The pair.
    pub pair: usize,
    /// The program.
    pub program: Program,
    /// An input that has it, the first one in the order of the search, as hexadecimal literals.
    pub x: [String; 2],
    /// The program's result.
    pub y: [String; 2],
    /// Decimals below and above the largest ‖ŷ − y‖/‖x‖ of all inputs.
    pub error: [String; 2],
}

/// The worst errors of a shard's pairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorstErrors {
    /// Classes of inputs that were tried for each pair and program.
    pub inputs: u64,
    /// Pair by pair, program by program.
    pub worst: Vec<Worst>,
}

/// Significands of bf16 numbers in [1, 2).
const SIGNIFICANDS: usize = 128;

/// The largest difference of the exponents of two bf16 numbers: those of 2^127 and of 2^−133, the least subnormal number.
const DIFFERENCE: i32 = 260;

/// A bound on the error of a computed error: 8·u.
const ERROR: f64 = 4.0 * f64::EPSILON;

const MAX_DIM: usize = 1 << 12;
const MAX_POSITION: u64 = 1 << 40;

/// Decimal digits of an error.
const DIGITS: usize = 15;

/// (‖ŷ − y‖/‖x‖)² with y turned by the angle of the given cosine and sine.
#[inline(always)]
fn square_of_error([x0, x1]: Point, [y0, y1]: Point, [c, s]: Point) -> f64 {
    let (d0, d1) = (y0 - (x0 * c - x1 * s), y1 - (x1 * c + x0 * s));
    (d0 * d0 + d1 * d1) / (x0 * x0 + x1 * x1)
}

/// The error of a program at an input.
fn witness(pair: usize, program: Program, x: Point, table: Point, exact: Point) -> Worst {
    let y = program.rotate(x, table);
    let error = square_of_error(x, y, exact).sqrt();
    let ends = [(error - ERROR).next_down().max(0.0), (error + ERROR).next_up()].map(Float::from_f64);
    let [below, above] = ends;
    let (below, above) = Interval::new(below, above).decimal_with(DIGITS);
    Worst { pair, program, x: x.map(hex), y: y.map(hex), error: [below, above] }
}

/// The input of the search that is written so.
fn input(x: &[String; 2]) -> Option<Point> {
    let of = |text: &str, exponents: std::ops::RangeInclusive<i32>| {
        exponents.flat_map(|exponent| significands().map(|x| x * power_of_two(exponent))).find(|x| hex(*x) == text)
    };
    let [first, second] = x.each_ref().map(String::as_str);
    let zero = hex(0.0);
    if first == zero {
        return Some([0.0, of(second, 0..=0)?]);
    }
    let x0 = of(first, 0..=0)?;
    if second == zero {
        return Some([x0, 0.0]);
    }
    let magnitude = of(second.trim_start_matches('-'), -DIFFERENCE..=DIFFERENCE)?;
    let x1 = if second.starts_with('-') { -magnitude } else { magnitude };
    (hex(x1) == second).then_some([x0, x1])
}

/// Bf16 numbers in [1, 2).
fn significands() -> [f64; SIGNIFICANDS] {
    std::array::from_fn(|at| 1.0 + at as f64 / SIGNIFICANDS as f64)
}

/// The search at a pair for the input of largest error, by one program.
struct PairSearch<'a> {
    program: Program,
    table: Point,
    exact: Point,
    inputs: &'a mut u64,
    /// The square of the largest error so far, and the input.
    largest: &'a mut (f64, Point),
}

impl PairSearch<'_> {
    /// Tries all x₀ with one x₁.
    #[inline(always)]
    fn row(&mut self, x0: &[f64; SIGNIFICANDS], x1: f64) {
        let [c, s] = self.exact;
        let (program, table) = (self.program, self.table);
        let mut squares = [0.0; SIGNIFICANDS];
        for (square, &x0) in squares.iter_mut().zip(x0) {
            *square = square_of_error([x0, x1], program.rotate([x0, x1], table), [c, s]);
        }
        let mut largest = 0.0;
        for square in squares {
            largest = if square > largest { square } else { largest };
        }
        *self.inputs += SIGNIFICANDS as u64;
        if largest > self.largest.0
            && let Some(at) = squares.iter().position(|square| *square == largest)
        {
            *self.largest = (largest, [x0[at], x1]);
        }
    }
}

impl Loop for PairSearch<'_> {
    #[inline(always)]
    fn run(mut self) {
        let x0 = significands();
        self.row(&x0, 0.0);
        for exponent in -DIFFERENCE..=DIFFERENCE {
            for significand in significands() {
                for sign in [1.0, -1.0] {
                    self.row(&x0, sign * significand * power_of_two(exponent));
                }
            }
        }
        // x₀ = 0: the row of one x₁ in which every x₀ is 0.
        for significand in significands() {
            self.row(&[0.0; SIGNIFICANDS], significand);
            *self.inputs -= SIGNIFICANDS as u64 - 1;
        }
    }
}

/// Inputs of a pair and a program: x₁ = 0, all x₁ ≠ 0, x₀ = 0.
const INPUTS: u64 = {
    let significands = SIGNIFICANDS as u64;
    significands * (1 + 2 * significands * (2 * DIFFERENCE as u64 + 1)) + significands
};

impl Bf16Rotation {
    fn entries(&self) -> Entries {
        Entries::new(&Convention { base: self.base.clone(), ..Convention::rope(self.dim) })
    }

    /// The worst error of a program at a pair, and the number of inputs.
    fn worst(&self, entries: &Entries, pair: usize, program: Program) -> Option<(Worst, u64)> {
        let table = program.table(entries, self.position, pair)?;
        let exact = point(entries, self.position, pair)?;
        let (mut inputs, mut largest) = (0, (0.0, [1.0, 0.0]));
        let search = PairSearch { program, table, exact, inputs: &mut inputs, largest: &mut largest };
        vectorized(Instructions::detect(), search);
        let (_, x) = largest;
        Some((witness(pair, program, x, table, exact), inputs))
    }

    /// Refuses a worst error that its own input does not have.
    fn certify(&self, entries: &Entries, found: &Worst) -> Result<(), String> {
        let &Worst { pair, program, ref x, .. } = found;
        let place = format!("pair {pair}, program {}", program.name());
        let Some(input) = input(x) else {
            return Err(format!("{place}: the input {x:?}: expected two bf16 numbers of the search, in hexadecimal"));
        };
        // A table that cannot be enclosed has no result either.
        let table = program.table(entries, self.position, pair).zip(point(entries, self.position, pair));
        match table.map(|(table, exact)| witness(pair, program, input, table, exact)) {
            Some(expected) if expected != *found => Err(format!(
                "{place}: from {x:?} to {:?} with an error between {:?}: expected {:?} and {:?}",
                found.y, found.error, expected.y, expected.error
            )),
            _ => Ok(()),
        }
    }
}

impl Sweep for Bf16Rotation {
    const NAME: &'static str = "bf16-rotation";
    type Findings = WorstErrors;

    fn validate(&self) -> Result<(), InvalidSweep> {
        let Self { dim, base, position } = self;
        if *dim < 2 || dim % 2 == 1 || *dim > MAX_DIM {
            return Err(InvalidSweep::new("dim", dim, format!("an even number from 2 to {MAX_DIM}")));
        }
        let largest = 1_000_000_000;
        if *base.value() <= 1 || *base.value() > largest {
            return Err(InvalidSweep::new("base", base, format!("a number above 1, of at most {largest}")));
        }
        if *position > MAX_POSITION {
            return Err(InvalidSweep::new("position", position, format!("at most {MAX_POSITION}")));
        }
        Ok(())
    }

    fn tasks(&self) -> usize {
        self.dim / 2
    }

    fn run(&self, tasks: Range<usize>, done: &(dyn Fn() + Sync)) -> Result<WorstErrors, InvalidSweep> {
        self.validate()?;
        let entries = self.entries();
        let pairs = tasks.into_par_iter().with_max_len(1).map(|pair| {
            let worst: Option<Vec<_>> =
                Program::ALL.into_iter().map(|program| self.worst(&entries, pair, program)).collect();
            done();
            worst
        });
        let pairs: Option<Vec<Vec<(Worst, u64)>>> = pairs.collect();
        let unknown = || InvalidSweep::new("base", &self.base, "frequencies that can be enclosed".to_owned());
        let all: Vec<(Worst, u64)> = pairs.ok_or_else(unknown)?.into_iter().flatten().collect();
        let inputs = all.iter().map(|(_, inputs)| *inputs).max().unwrap_or(0);
        Ok(WorstErrors { inputs, worst: all.into_iter().map(|(worst, _)| worst).collect() })
    }

    fn verify(&self, tasks: Range<usize>, found: &WorstErrors) -> Result<(), String> {
        if found.inputs != INPUTS {
            return Err(format!("{} inputs: expected {INPUTS}", found.inputs));
        }
        let expected = tasks.flat_map(|pair| Program::ALL.map(|program| (pair, program)));
        if !found.worst.iter().map(|worst| (worst.pair, worst.program)).eq(expected) {
            return Err("expected the worst error of each of the shard's pairs and programs, in order, once".to_owned());
        }
        let entries = self.entries();
        found.worst.par_iter().try_for_each(|worst| self.certify(&entries, worst))
    }

    fn merge(&self, parts: Vec<WorstErrors>) -> WorstErrors {
        let inputs = parts.iter().map(|part| part.inputs).max().unwrap_or(0);
        WorstErrors { inputs, worst: parts.into_iter().flat_map(|part| part.worst).collect() }
    }

    fn slug(&self) -> String {
        format!("{}-{}-{}", Self::NAME, self.dim, self.position)
    }

    fn arguments(&self) -> Vec<String> {
        let values = [
            ("--dim", self.dim.to_string()),
            ("--base", self.base.to_string()),
            ("--position", self.position.to_string()),
        ];
        values.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect()
    }

    fn summary(&self, found: &WorstErrors) -> String {
        let Self { dim, base, position } = self;
        let mut text = format!(
            "largest error of a rotation of bf16 vectors over the vector's norm: rope, dim {dim}, base {base}, position {position}\n"
        );
        for program in Program::ALL {
            let rows = found.worst.iter().filter(|worst| worst.program == program);
            let of = |worst: &Worst| worst.error[1].parse::<f64>().unwrap_or(f64::INFINITY);
            let Some(Worst { pair, x, y, error: [below, above], .. }) =
                rows.reduce(|a, b| if of(b) > of(a) { b } else { a })
            else {
                continue;
            };
            let _ = writeln!(
                text,
                "  {:<14}  {below} .. {above}  pair {pair}: ({}, {}) to ({}, {})",
                program.name(),
                x[0],
                x[1],
                y[0],
                y[1]
            );
        }
        text + &format!(
            "{} inputs of each pair and program stand for all bf16 vectors for which nothing overflows or is subnormal\n",
            found.inputs
        )
    }
}
