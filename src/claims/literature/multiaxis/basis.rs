//! `multiaxis.basis`: one generator is no basis of a maximal abelian subalgebra.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
    equal_entries,
};
use crate::encoding::sinusoid::frequencies;
use crate::number::{Number, Position, Relation, System};
use nalgebra::DMatrix;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Basis;

/// The rotation of coordinate `from` towards `to`, as an element of so(dim).
fn generator<N: Number>(dim: usize, [from, to]: [usize; 2]) -> DMatrix<N> {
    let mut generator = DMatrix::from_element(dim, dim, N::zero());
    generator[(to, from)] = N::one();
    generator[(from, to)] = -N::one();
    generator
}

/// The generator of one-dimensional RoPE: Σ_i θ_i·J_i, J_i the rotation of pair i.
fn rope<S: System>(system: &S, size: &Size) -> DMatrix<S::Number> {
    let Size { dim, base, .. } = *size;
    let mut sum = DMatrix::from_element(dim, dim, system.integer(0));
    for (pair, frequency) in frequencies(base, dim).into_iter().enumerate() {
        let rate = system.angle(&(Position::integer(1) * frequency));
        sum += generator::<S::Number>(dim, [2 * pair, 2 * pair + 1]).map(|entry| entry * rate.clone());
    }
    sum
}

/// A skew-symmetric matrix whose entries above the diagonal are the real variables `x`.
fn skew<S: System>(system: &S, dim: usize) -> DMatrix<S::Number> {
    DMatrix::from_fn(dim, dim, |row, column| match row.cmp(&column) {
        std::cmp::Ordering::Less => system.real("x", row * dim + column),
        std::cmp::Ordering::Equal => system.integer(0),
        std::cmp::Ordering::Greater => -system.real("x", column * dim + row),
    })
}

fn commutator<N: Number>(a: &DMatrix<N>, b: &DMatrix<N>) -> DMatrix<N> {
    a * b - b * a
}

impl Claim for Basis {
    const ABOUT: About = About {
        id: "multiaxis.basis",
        statement: "RoPE for N axes has N commuting generators, which lie in a maximal abelian subalgebra of so(d) and are a basis of it only if N = ⌊d/2⌋: one-dimensional RoPE has the one generator B = Σ_i θ_i·J_i, with which the rotation J_0 of its first pair commutes although it is no multiple of B, for every even d ≥ 4 and θ_1 ≠ 0. A skew matrix X that commutes with J_0 has no entries between the first pair and the others, as its block there is −J·[J_0, X]: none commutes with all J_i but their combinations.",
        written: Some(
            "Every valid RoPE is a basis of a maximal abelian subalgebra: J_0, which commutes with B, is a multiple of B.",
        ),
        sources: &[Source {
            document: Document::RethinkingRope,
            place: "abstract of version 2, \"characterized as a basis of a maximal abelian subalgebra (MASA)\"",
        }],
        verdict: Verdict::Corrected,
        sabotage: "one generator more: the rotation of coordinates 0 and 2, said to commute with J_0",
        remark: Some(
            "The paper was read in its abstracts only. That of version 1 says that RoPE \"must lie in the basis\" of such a subalgebra, which asks for less. Compared at d = 4 and 6, and in numbers at 8; of every even d it is the theorem.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => [4, 6].map(Size::dim).to_vec(),
            _ => [4, 8].map(Size::dim).to_vec(),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().reals("x", size.dim * size.dim, 1.0)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let dim = case.size.dim;
        let nothing = DMatrix::from_element(dim, dim, system.integer(0));
        let first = generator::<S::Number>(dim, [0, 1]);
        if form.is_sabotaged() {
            let further = generator(dim, [0, 2]);
            return equal_entries("commutator with one generator more", &commutator(&first, &further), &nothing);
        }
        let rope = rope(system, &case.size);
        // Two multiples of one matrix have all minors 0.
        let minor = |entry: [(usize, usize); 2]| {
            let [a, b] = entry;
            rope[a].clone() * first[b].clone() - rope[b].clone() * first[a].clone()
        };
        let minor = minor([(1, 0), (3, 2)]);
        if form == Form::AsWritten {
            return Ok(vec![Comparison::new("minor of B and J_0", Relation::Equal(minor, system.integer(0)))]);
        }
        let mut all = equal_entries("commutator of B and J_0", &commutator(&rope, &first), &nothing)?;
        all.push(Comparison::new("minor of B and J_0", Relation::Distinct(minor, system.integer(0))));
        let x = skew(system, dim);
        let bracket = commutator(&first, &x);
        let turn = DMatrix::from_fn(2, 2, |row, column| first[(row, column)].clone());
        let recovered = -(turn * bracket.view((0, 2), (2, dim - 2)));
        let block = x.view((0, 2), (2, dim - 2)).into_owned();
        all.extend(equal_entries("block of X and −J·[J_0, X]", &block, &recovered)?);
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        4 * size.dim * size.dim * size.dim
    }
}
