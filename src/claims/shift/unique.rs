//! `shift.unique`: at how many positions T(k) is the only matrix that shifts.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict, equal_entries,
};
use crate::encoding::determinant::leading_minor;
use crate::encoding::shift::{self, block_adjugate};
use crate::encoding::sinusoid;
use crate::number::interval::Enclosing;
use crate::number::matrix::product;
use crate::number::{Frequency, Number, Position, Relation, System};
use nalgebra::{DMatrix, DVector, Matrix2};
use num_complex::Complex;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Unique;

impl Claim for Unique {
    /// True if encodings are independent is asked of the exact frequencies.
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "shift.unique",
        statement: "If sin ω ≠ 0, the block R(ωk)ᵀ is the only 2×2 matrix that shifts (sin ωt, cos ωt) by k at all t; the d×d matrix T(k) is the only one that shifts PE(t) by k at d consecutive integers t when the numbers e^(±iω_j) are pairwise distinct, and with fewer than d positions another matrix does it too.",
        written: Some("T(k) is the only matrix with T(k) PE(t) = PE(t+k) at the positions 1 … n−k, for every n."),
        sources: &[Source { document: Document::LinearRelationships, place: "Derivation, \"fully specified\"" }],
        verdict: Verdict::Corrected,
        sabotage: "the other matrix taken to shift d positions: one more than it does",
        remark: Some(
            "d consecutive encodings have the determinant (−1)^(d/2) Π sin ω_j · Π_(j<l) (2 cos ω_j − 2 cos ω_l)², which is not 0 when the numbers e^(±iω_j) are pairwise distinct; two matrices that agree on a basis are one. The determinant is expanded at d ≤ 8; at d = 64 and 512 its factors are told apart from 0. The other matrix shifts any d − 1 consecutive positions, hence any fewer; that there is one for d − 1 positions that are not consecutive is left to the proof.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let dims: &[usize] = match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: ..=24 } => &[2, 4],
            _ => &[2, 4, 8, 64, 512],
        };
        dims.iter().map(|&dim| Size::dim(dim)).collect()
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        match size.dim {
            0..=LARGEST_EXPANDED => Inputs::default().position("t").position_in("k", 1..=Inputs::LAST_POSITION),
            _ => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let frequencies = sinusoid::frequencies(case.size.base, case.size.dim);
        let k = Position::symbol("k");
        match (case.size.dim, form) {
            (0..=LARGEST_EXPANDED, Form::Settled) => {
                let t = Position::symbol("t");
                let mut all = solved_blocks(system, &frequencies, &t, &k)?;
                all.extend(independent(system, &frequencies, &t));
                all.extend(other_matrix(system, &frequencies, &t, &k, form)?);
                Ok(all)
            }
            (0..=LARGEST_EXPANDED, Form::Sabotaged) => {
                other_matrix(system, &frequencies, &Position::symbol("t"), &k, form)
            }
            (0..=LARGEST_EXPANDED, Form::AsWritten) => {
                other_matrix(system, &frequencies, &Position::integer(1), &k, form)
            }
            (_, Form::Settled) => Ok(distinct_exponentials(system, &frequencies)),
            _ => Ok(Vec::new()),
        }
    }

    fn work(size: &Size) -> usize {
        8 * size.dim * size.dim
    }

    fn values() -> Vec<CertifiedValue> {
        let named = [("ln_determinant_8", 8), ("ln_determinant_64", 64), ("ln_determinant_512", 512)];
        let values = named.map(|(name, dim)| {
            let points = Points::new(&Enclosing::default(), &sinusoid::frequencies(10_000, dim));
            // Positive, because d/2 is even; too small for binary64 from d = 64 on.
            CertifiedValue { name, enclosure: points.determinant().ln() }
        });
        values.into()
    }
}

/// Up to this dimension determinants are expanded.
const LARGEST_EXPANDED: usize = 8;

/// e^(iω_j), from which the independence of encodings is read.
struct Points<N>(Vec<Complex<N>>);

impl<N: Number> Points<N> {
    fn new<S: System<Number = N>>(system: &S, frequencies: &[Frequency]) -> Self {
        let angles = frequencies.iter().map(|frequency| Position::integer(1) * frequency.clone());
        Self(angles.map(|angle| system.cis(&angle)).collect())
    }

    /// Π sin ω_j · Π_(j<l) (2 cos ω_j − 2 cos ω_l) over all pairs but the one left out.
    fn product(&self, left_out: Option<usize>) -> N {
        let kept = || self.0.iter().enumerate().filter(|(index, _)| Some(*index) != left_out);
        let sines = kept().fold(N::one(), |product, (_, point)| product * point.im.clone());
        let two = N::one() + N::one();
        let pairs = kept().flat_map(|(j, one)| kept().filter(move |(l, _)| j < *l).map(move |(_, two)| (one, two)));
        pairs.fold(sines, |product, (one, other)| product * two.clone() * (one.re.clone() - other.re.clone()))
    }

    /// (−1)^(d/2) Π sin ω_j · Π_(j<l) (2 cos ω_j − 2 cos ω_l)²: the determinant of the encodings of
    /// d consecutive positions, a Vandermonde determinant in the numbers e^(±iω_j).
    fn determinant(&self) -> N {
        let sines = self.0.iter().fold(N::one(), |product, point| product * -point.im.clone());
        let two = N::one() + N::one();
        let mut product = sines;
        for (j, one) in self.0.iter().enumerate() {
            for other in &self.0[j + 1..] {
                let factor = two.clone() * (one.re.clone() - other.re.clone());
                product *= factor.clone() * factor;
            }
        }
        product
    }
}

/// The encodings of t, t + 1, … as columns.
fn consecutive<S: System>(system: &S, frequencies: &[Frequency], first: &Position, count: usize) -> DMatrix<S::Number> {
    let columns = (0..count).map(|step| first.clone() + Position::integer(step as i64));
    let columns: Vec<_> = columns.map(|position| sinusoid::encode(system, frequencies, &position)).collect();
    DMatrix::from_columns(&columns)
}

/// Any block B with B·(pair at t, pair at t + 1) = (pair at t + k, pair at t + k + 1) satisfies
/// −sin ω · B = (the latter)·adj(the former), because the former has the determinant −sin ω.
fn solved_blocks<S: System>(
    system: &S,
    frequencies: &[Frequency],
    t: &Position,
    k: &Position,
) -> Comparisons<S::Number> {
    let mut all = Vec::new();
    for (pair, frequency) in frequencies.iter().enumerate() {
        let two_from = |first: &Position| {
            let next = first.clone() + Position::integer(1);
            let [one, two] = [first, &next].map(|at| sinusoid::pair(system, &(at.clone() * frequency.clone())));
            Matrix2::from_columns(&[one, two])
        };
        let solved = two_from(&(t.clone() + k.clone())) * block_adjugate(&two_from(t));
        let sine = system.cis(&(Position::integer(1) * frequency.clone())).im;
        let scaled = shift::block(system, frequency, k).map(|entry| -(entry * sine.clone()));
        let entries = equal_entries("block solved from two positions, times −sin ω", &solved, &scaled)?;
        all.extend(entries.into_iter().map(|entry| Comparison { index: entry.index.map(|at| at + 2 * pair), ..entry }));
        let relation = Relation::Distinct(sine, system.integer(0));
        all.push(Comparison { what: "sin ω", index: [pair, 0], relation });
    }
    Ok(all)
}

/// The determinant of d consecutive encodings, expanded and in closed form.
fn independent<S: System>(system: &S, frequencies: &[Frequency], t: &Position) -> Vec<Comparison<S::Number>> {
    let dim = 2 * frequencies.len();
    let expanded = leading_minor(&consecutive(system, frequencies, t, dim), dim);
    let closed = Points::new(system, frequencies).determinant();
    vec![
        Comparison::new("determinant of d consecutive encodings", Relation::Equal(expanded, closed.clone())),
        Comparison::new("determinant of d consecutive encodings", Relation::Distinct(closed, system.integer(0))),
    ]
}

/// T(k) with vᵀ added to its first row, where v is orthogonal to the encodings of the d − 1
/// positions from t on, and not to the next:
///
/// v_(2j) = q_j cos(m·ω_j), v_(2j+1) = −q_j sin(m·ω_j), m = t + d/2 − 1, so that
/// v·PE(s) = Σ q_j sin((s − m)·ω_j),
///
/// with q_j = (−1)^j times the product of the sines and differences of the other frequencies: the
/// divided difference of order d − 1 at the points e^(±iω_j), which vanishes on lower powers.
fn other_matrix<S: System>(
    system: &S,
    frequencies: &[Frequency],
    t: &Position,
    k: &Position,
    form: Form,
) -> Comparisons<S::Number> {
    let dim = 2 * frequencies.len();
    let points = Points::new(system, frequencies);
    let middle = t.clone() + Position::integer(frequencies.len() as i64 - 1);
    let direction = frequencies.iter().enumerate().flat_map(|(pair, frequency)| {
        let point = system.cis(&(middle.clone() * frequency.clone()));
        let product = points.product(Some(pair));
        let weight = if pair % 2 == 0 { product } else { -product };
        [weight.clone() * point.re, -(weight * point.im)]
    });
    let direction = DVector::from_iterator(dim, direction);
    let matrix = shift::shift(system, frequencies, k).assemble();
    let mut other = matrix.clone();
    for (column, entry) in direction.iter().enumerate() {
        other[(0, column)] += entry.clone();
    }
    let shifted = product(&other, &consecutive(system, frequencies, t, dim));
    let expected = consecutive(system, frequencies, &(t.clone() + k.clone()), dim);
    let positions = if form.is_sabotaged() { dim } else { dim - 1 };
    let mut all = equal_entries(
        "encodings shifted by the other matrix",
        &shifted.columns(0, positions).into_owned(),
        &expected.columns(0, positions).into_owned(),
    )?;
    match form {
        Form::Settled => {
            let next = Relation::Distinct(shifted[(0, dim - 1)].clone(), expected[(0, dim - 1)].clone());
            all.push(Comparison { what: "the other matrix one position further", index: [0, dim - 1], relation: next });
        }
        Form::AsWritten => {
            all.extend(equal_entries("a matrix that shifts the positions 1 … d − 1 against T(k)", &other, &matrix)?)
        }
        Form::Sabotaged => {}
    }
    Ok(all)
}

/// The numbers e^(±iω_j) are pairwise distinct: their imaginary parts are not 0, and their real
/// parts increase with j.
fn distinct_exponentials<S: System>(system: &S, frequencies: &[Frequency]) -> Vec<Comparison<S::Number>> {
    let points = Points::new(system, frequencies).0;
    let sines = points.iter().map(|point| ("0 < sin ω", Relation::Less(system.integer(0), point.im.clone())));
    let cosines =
        points.windows(2).map(|pair| ("cos ω_j < cos ω_(j+1)", Relation::Less(pair[0].re.clone(), pair[1].re.clone())));
    let each = |(index, (what, relation))| Comparison { what, index: [index, 0], relation };
    sines.enumerate().chain(cosines.enumerate()).map(each).collect()
}
