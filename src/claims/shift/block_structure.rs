//! `shift.block-structure`: T(k) is block-diagonal, with transposed rotations.

use crate::claim::{
    About, Case, Claim, Comparisons, Document, Form, Inputs, Size, Source, Survey, SystemKind, Verdict, equal_entries,
};
use crate::encoding::{rotary, shift, sinusoid};
use crate::evidence::Effort;
use crate::number::interval::{Enclosing, Interval};
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Position, System};
use nalgebra::{DMatrix, Matrix2};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct BlockStructure;

impl Claim for BlockStructure {
    const ABOUT: About = About {
        id: "shift.block-structure",
        statement: "T(k) is the d×d block-diagonal matrix whose block i is R(ω_i·k)ᵀ = [[cos ω_i·k, sin ω_i·k], [−sin ω_i·k, cos ω_i·k]], exactly 0 off the blocks, and T(k) PE(t) = PE(t+k) at every t with no t in T(k).",
        written: None,
        sources: &[Source { document: Document::LinearRelationships, place: "equations (4), (5) and (9)" }],
        verdict: Verdict::Holds,
        sabotage: "R(ω·k) for R(ω·k)ᵀ: the transpose of equation (5) forgotten",
        remark: None,
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => Size::dimensions(kind),
            // Dense products; d = 512 is surveyed.
            _ => [2, 8, 32].map(Size::dim).to_vec(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default().position("k").position("t").position("u")
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let [k, t, u] = ["k", "t", "u"].map(Position::symbol);
        let matrix = shift::shift(system, &frequencies, &k).assemble();
        let blocks = rotations(system, &frequencies, &k, form);
        let expected = DMatrix::from_fn(case.size.dim, case.size.dim, |row, column| {
            entry_of(&blocks, row, column).cloned().unwrap_or_else(S::Number::zero)
        });
        let mut all = equal_entries("entry", &matrix, &expected)?;
        // One matrix for two positions: it does not depend on them.
        let encode = |position: &Position| sinusoid::encode(system, &frequencies, position);
        let here = DMatrix::from_columns(&[encode(&t), encode(&u)]);
        let there = DMatrix::from_columns(&[encode(&(t + k.clone())), encode(&(u + k))]);
        all.extend(equal_entries("component at t and u", &(matrix * here), &there)?);
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        size.dim * size.dim + 4 * size.dim
    }

    fn surveys(effort: Effort, form: Form) -> Vec<Survey> {
        let offsets = if effort == Effort::Quick { &OFFSETS[..1] } else { &OFFSETS[..] };
        vec![survey(offsets, form)]
    }
}

/// The dimension of the documents.
const DIM: usize = 512;

/// The offsets at which the whole matrix of that dimension is looked at.
const OFFSETS: [i64; 3] = [1, -1, Inputs::LAST_POSITION];

/// The transposed rotations R(ω_i·k)ᵀ of equation (5); sabotaged, not transposed.
fn rotations<S: System>(
    system: &S,
    frequencies: &[Frequency],
    offset: &Position,
    form: Form,
) -> Vec<Matrix2<S::Number>> {
    let rotation = |frequency: &Frequency| rotary::rotation(system, &(offset.clone() * frequency.clone()));
    let transposed = |rotation: Matrix2<S::Number>| if form.is_sabotaged() { rotation } else { rotation.transpose() };
    frequencies.iter().map(rotation).map(transposed).collect()
}

/// The entry of the block where row and column belong to one pair; none off the blocks.
fn entry_of<N>(blocks: &[Matrix2<N>], row: usize, column: usize) -> Option<&N> {
    (row / 2 == column / 2).then(|| &blocks[row / 2][(row % 2, column % 2)])
}

/// Every entry of T(k) at d = 512: enclosed, and exactly 0 off the blocks.
fn survey(offsets: &[i64], form: Form) -> Survey {
    let (system, frequencies) = (Enclosing::default(), sinusoid::frequencies(10_000, DIM));
    let names: Vec<String> = offsets.iter().map(i64::to_string).collect();
    let scope = format!("all {DIM} × {DIM} entries of the assembled T(k) for k = {}", names.join(", "));
    let (mut cases, mut zeros, mut width) = (0, 0, 0.0_f64);
    for offset in offsets {
        let position = Position::integer(*offset);
        let matrix = shift::shift(&system, &frequencies, &position).assemble();
        let (blocks, zero) = (rotations(&system, &frequencies, &position, form), Interval::zero());
        for (place, entry) in matrix.iter().enumerate() {
            let (row, column) = (place % DIM, place / DIM);
            let expected = entry_of(&blocks, row, column);
            let fits = expected.map_or(*entry == zero, |expected| !entry.is_separate_from(expected));
            cases += 1;
            zeros += u64::from(expected.is_none());
            width = width.max(entry.width_up());
            if !fits {
                let shown = |side: &Interval| side.decimal_with(Some(12));
                let ((low, high), (least, most)) = (shown(entry), shown(expected.unwrap_or(&zero)));
                let place = format!("entry [{row}, {column}] of T({offset})");
                let finding = format!("{place} is in [{low}, {high}], expected in [{least}, {most}]");
                let decision = Decision::Refuted(Measure { error: width, bound: 0.0 });
                return Survey { scope, cases, decision, finding, measured: None };
            }
        }
    }
    let finding = format!("{zeros} entries off the blocks are exactly 0, {} are transposed rotations", cases - zeros);
    Survey { scope, cases, decision: Decision::Held(Measure { error: width, bound: 0.0 }), finding, measured: None }
}
