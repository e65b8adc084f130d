//! `uniqueness.linear-recurrence`: scores by powers of a matrix.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::number::{Number, Relation, System};

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct LinearRecurrence;

/// Terms of a sequence beside its order.
const TERMS: usize = 2;

/// A matrix of two rows, row by row, times a vector.
fn apply<N: Number>([a, b, c, d]: &[N; 4], [x, y]: &[N; 2]) -> [N; 2] {
    [a.clone() * x.clone() + b.clone() * y.clone(), c.clone() * x.clone() + d.clone() * y.clone()]
}

fn dot<N: Number>([a, b]: &[N; 2], [x, y]: &[N; 2]) -> N {
    a.clone() * x.clone() + b.clone() * y.clone()
}

/// The scores uᵀGˢv for s = 0, 1, …
fn scores<N: Number>(matrix: &[N; 4], u: &[N; 2], v: [N; 2]) -> Vec<N> {
    let columns = std::iter::successors(Some(v), |column| Some(apply(matrix, column)));
    columns.take(2 + TERMS).map(|column| dot(u, &column)).collect()
}

impl Claim for LinearRecurrence {
    const ABOUT: About = About {
        id: "uniqueness.linear-recurrence",
        statement: "The scores uᵀGˢv at natural distances s, for a d×d matrix G that has an inverse, obey a recurrence a(s+n) = Σ_{i<n} c_i·a(s+i) of some order n ≤ d with c_0 ≠ 0; and every sequence that obeys one of order n is such scores of an n×n matrix that has an inverse.",
        written: None,
        sources: &[Source {
            document: Document::ComplexEmbeddings,
            place: "section 2, position-free offset transformations by linear witnesses; beyond it, for matrices",
        }],
        verdict: Verdict::Holds,
        sabotage: "the determinant added where it is to be subtracted",
        remark: Some(
            "Which functions of the distance a power of a matrix can give: the scores of RoPE are those of rotations. Compared for d = 2: any G against the recurrence of its trace and determinant, and any recurrence against its companion matrix; the theorem is of every d.",
        ),
    };

    fn sizes(_: SystemKind) -> Vec<Size> {
        vec![Size::default()]
    }

    fn inputs(_: &Size) -> Inputs {
        let inputs = Inputs::default().reals_in("g", 4, 0.25, 1.0).reals_in("u", 2, 0.5, 1.0).reals_in("v", 2, 0.5, 1.0);
        inputs.reals_in("c", 2, 0.25, 0.5).reals_in("a", 2, 0.5, 1.0)
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let pair = |name| [0, 1].map(|entry| system.real(name, entry));
        let matrix = [0, 1, 2, 3].map(|entry| system.real("g", entry));
        let [a, b, c, d] = matrix.clone();
        let (trace, determinant) = (a.clone() + d.clone(), a * d - b * c);
        let own = scores(&matrix, &pair("u"), pair("v"));
        let last = if form.is_sabotaged() { determinant } else { -determinant };
        let recurred = |s: usize| trace.clone() * own[s + 1].clone() + last.clone() * own[s].clone();
        let [c0, c1] = pair("c");
        let companion = [system.integer(0), system.integer(1), c0.clone(), c1.clone()];
        let moved = scores(&companion, &[system.integer(1), system.integer(0)], pair("a"));
        let mut sequence = pair("a").to_vec();
        for s in 0..TERMS {
            sequence.push(c0.clone() * sequence[s].clone() + c1.clone() * sequence[s + 1].clone());
        }
        let recurrences = (0..TERMS).map(|s| Comparison {
            what: "uᵀG^(s+2)v and its recurrence",
            index: [s, 0],
            relation: Relation::Equal(own[s + 2].clone(), recurred(s)),
        });
        let companions = moved.into_iter().zip(sequence).enumerate().map(|(s, (score, term))| Comparison {
            what: "score by the companion matrix and term",
            index: [s, 0],
            relation: Relation::Equal(score, term),
        });
        Ok(recurrences.chain(companions).collect())
    }
}
