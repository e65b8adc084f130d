//! `attention.encoding-breaks-symmetry`: with PE added, order matters.

use super::{layer_inputs, layer_work, tokens_of};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict, equal_entries,
};
use crate::encoding::attention::{Head, layer, matrix, permute_rows};
use crate::encoding::sinusoid;
use crate::number::interval::Enclosing;
use crate::number::{Position, Relation, System};
use nalgebra::DMatrix;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct EncodingBreaksSymmetry;

/// E: row t is PE(t), shape [tokens, dim].
fn encodings<S: System>(system: &S, size: &Size) -> DMatrix<S::Number> {
    let frequencies = sinusoid::frequencies(size.base, size.dim);
    let rows =
        (0..size.tokens as i64).map(|t| sinusoid::encode(system, &frequencies, &Position::integer(t)).transpose());
    DMatrix::from_rows(&rows.collect::<Vec<_>>())
}

/// Attn(P X + E) and P Attn(X + E) for two tokens (1, 0) and (0, 1), weights I, and P their exchange.
fn smallest<S: System>(system: &S) -> [DMatrix<S::Number>; 2] {
    let encoding = encodings(system, &SMALLEST);
    let one = DMatrix::identity(2, 2);
    let head = Head { query: one.clone(), key: one.clone(), value: one.clone() };
    let exchange = |rows: &DMatrix<S::Number>| permute_rows(&[1, 0], rows);
    [layer(system, &(exchange(&one) + &encoding), &head), exchange(&layer(system, &(one + encoding), &head))]
}

const SMALLEST: Size = Size { dim: 2, tokens: 2, base: 10_000 };

impl Claim for EncodingBreaksSymmetry {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "attention.encoding-breaks-symmetry",
        statement: "With a positional encoding E added, order matters: there are X, weights and P with Attn(P X + E) ≠ P Attn(X + E).",
        written: None,
        sources: &[Source {
            document: Document::PositionalEmbedding,
            place: "Solution (the sum of word and positional embedding)",
        }],
        verdict: Verdict::Holds,
        sabotage: "P X + E for P X + P E: an encoding that stays taken for one that travels",
        remark: Some(
            "If the encoding travels with its token, the layer remains equivariant; it is the encoding that stays with the place which breaks the symmetry.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let encoded = |tokens, dim| Size { base: 10_000, ..tokens_of(tokens, dim) };
        match kind {
            SystemKind::Formal => vec![encoded(2, 2), encoded(3, 2)],
            SystemKind::Enclosed | SystemKind::Rounded { precision: 54.. } => vec![encoded(2, 2), encoded(8, 4)],
            SystemKind::Rounded { .. } => vec![encoded(2, 2), encoded(16, 8), encoded(64, 32)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        super::bounded_layers(10_000)
    }

    fn inputs(size: &Size) -> Inputs {
        layer_inputs(size)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, .. } = case.size;
        let (x, head) = (matrix(system, "X", tokens, dim), Head::of_reals(system, dim));
        let (permutation, encoding) = (case.permutation("P")?, encodings(system, &case.size));
        let travelled = if form.is_sabotaged() { encoding.clone() } else { permute_rows(permutation, &encoding) };
        let shuffled = layer(system, &(permute_rows(permutation, &x) + travelled), &head);
        let output = permute_rows(permutation, &layer(system, &(x + encoding), &head));
        let mut all = equal_entries("output, encoding that travels", &shuffled, &output)?;
        let [shuffled, output] = smallest(system);
        for (place, (left, right)) in shuffled.iter().zip(output.iter()).enumerate() {
            let relation = Relation::Distinct(left.clone(), right.clone());
            all.push(Comparison { what: "output, encoding that stays", index: [place % 2, place / 2], relation });
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        2 * layer_work(size)
    }

    fn values() -> Vec<CertifiedValue> {
        let [shuffled, output] = smallest(&Enclosing::default());
        let names = ["gap_0_0", "gap_1_0", "gap_0_1", "gap_1_1"];
        let gaps = (shuffled - output).map(|difference| difference.abs());
        names.into_iter().zip(gaps.iter()).map(|(name, gap)| CertifiedValue { name, enclosure: gap.clone() }).collect()
    }
}
