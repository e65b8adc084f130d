//! `toeplitz.gram`: D is positive semidefinite of rank at most d, and not a decreasing function of the distance.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source, Survey,
    SystemKind, Verdict, equal_entries,
};
use crate::encoding::determinant::leading_minor;
use crate::encoding::{rotary, sinusoid};
use crate::evidence::Effort;
use crate::number::interval::{Enclosing, Interval};
use crate::number::matrix::product;
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Position, Relation, System};
use nalgebra::DMatrix;
use num_traits::Zero;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Gram;

impl Claim for Gram {
    /// Where the similarity rises is asked of the exact frequencies.
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "toeplitz.gram",
        statement: "D is positive semidefinite of rank at most d for any set of positions, and where the frequencies are not all 0, D_0t is not a decreasing function of the distance t.",
        written: None,
        sources: &[Source {
            document: Document::HiddenBeauty,
            place: "Implications of the Toeplitz Structure, beyond it",
        }],
        verdict: Verdict::Holds,
        sabotage: "rank at most d/2, the number of frequencies; D_0t decreasing",
        remark: Some(
            "xᵀDx = ‖Σ x_s PE(s)‖² is an identity, and a sum of squares is not negative, which the exact system, having no order, does not conclude; D = E Eᵀ with d columns bounds the rank, and the minors of order d + 1 vanish.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let set = |tokens, dim| Size { tokens, ..Size::dim(dim) };
        match kind {
            SystemKind::Formal => vec![set(3, 2), set(4, 4)],
            // The first rise of D_0t is too small for 11 and for 8 bits.
            SystemKind::Rounded { precision: ..24 } => vec![set(3, 2), set(5, 4), set(4, 64)],
            _ => vec![set(3, 2), set(5, 4), set(9, 8), set(4, 64), Size::dim(DIM)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        // Of longer minors nobody has a bound worth the name.
        vec![Size { tokens: 3, ..Size::dim(2) }, Size { tokens: 4, ..Size::dim(64) }]
    }

    fn inputs(size: &Size) -> Inputs {
        let names = POSITIONS.iter().take(size.tokens);
        names.fold(Inputs::default().reals("x", size.tokens, 1.0), |inputs, name| inputs.position(name))
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, tokens, base } = case.size;
        let frequencies = sinusoid::frequencies(base, dim);
        if tokens == 0 {
            return rise(system, &frequencies, form);
        }
        let positions: Vec<Position> = POSITIONS.iter().take(tokens).map(|name| Position::symbol(name)).collect();
        let similarities = DMatrix::from_fn(tokens, tokens, |row, column| {
            sum_of_cosines(system, &frequencies, &(positions[row].clone() - positions[column].clone()))
        });
        if form.is_sabotaged() {
            let minor = leading_minor(&similarities, dim / 2 + 1);
            return Ok(vec![Comparison::new("minor of order d/2 + 1", Relation::Equal(minor, system.integer(0)))]);
        }
        let columns: Vec<_> = positions.iter().map(|t| sinusoid::encode(system, &frequencies, t)).collect();
        let transposed = DMatrix::from_columns(&columns);
        let mut all = equal_entries("entry of E Eᵀ", &similarities, &product(&transposed.transpose(), &transposed))?;
        let x = rotary::vector(system, "x", tokens);
        let form = x.dot(&(similarities.clone() * &x));
        let combination = transposed * &x;
        let square = combination.dot(&combination);
        all.push(Comparison::new("xᵀDx against ‖Eᵀx‖²", Relation::Equal(form.clone(), square)));
        all.push(Comparison::new("0 ≤ xᵀDx", Relation::AtMost(system.integer(0), form)));
        if tokens > dim {
            let minor = leading_minor(&similarities, dim + 1);
            all.push(Comparison::new("minor of order d + 1", Relation::Equal(minor, system.integer(0))));
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        4 * size.dim * size.tokens.pow(2).max(1)
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        vec![survey(form)]
    }

    fn values() -> Vec<CertifiedValue> {
        let Some(rise) = FIRST_RISE.as_ref() else { return Vec::new() };
        vec![
            CertifiedValue { name: "rises_from_distance", enclosure: Interval::from(rise.distance as i32) },
            CertifiedValue { name: "similarity_there", enclosure: rise.here.clone() },
            CertifiedValue { name: "similarity_one_further", enclosure: rise.next.clone() },
        ]
    }
}

/// The dimension at which the similarity is followed over the distances.
const DIM: usize = 512;

/// The symbols of the positions; the first few are used.
const POSITIONS: [&str; 9] = ["t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"];

/// Σ cos(distance·ω_i), which D is at that distance.
fn sum_of_cosines<S: System>(system: &S, frequencies: &[Frequency], distance: &Position) -> S::Number {
    let cosines = frequencies.iter().map(|frequency| system.cis(&(distance.clone() * frequency.clone())).re);
    cosines.fold(S::Number::zero(), |sum, cosine| sum + cosine)
}

/// The first distance from which the similarity at d = 512 rises.
struct Rise {
    distance: i64,
    here: Interval,
    next: Interval,
    /// The widest enclosure up to there.
    width: f64,
}

impl Rise {
    /// Decision of enclosures on the step under a form.
    fn decide(&self, form: Form) -> Decision {
        let measure = Measure { error: self.width, bound: 0.0 };
        match Enclosing::default().decide(&step(self.here.clone(), self.next.clone(), form)) {
            Decision::Held(_) => Decision::Held(measure),
            Decision::Refuted(_) => Decision::Refuted(measure),
            unable => unable,
        }
    }
}

/// Beyond this distance no rise is looked for.
const LAST_DISTANCE: i64 = 4096;

/// Every step before the first rise is certainly a fall; `None` if some step cannot be told.
static FIRST_RISE: LazyLock<Option<Rise>> = LazyLock::new(|| {
    let (system, frequencies) = (Enclosing::default(), sinusoid::frequencies(10_000, DIM));
    let similarity = |distance| sum_of_cosines(&system, &frequencies, &Position::integer(distance));
    let (mut here, mut width) = (similarity(0), 0.0_f64);
    for distance in 0..LAST_DISTANCE {
        let next = similarity(distance + 1);
        width = width.max(next.width_up());
        if here.is_below(&next) {
            return Some(Rise { distance, here, next, width });
        }
        if !next.is_below(&here) {
            return None;
        }
        here = next;
    }
    None
});

/// D_0t at the first rise and one further.
fn rise<S: System>(system: &S, frequencies: &[Frequency], form: Form) -> Comparisons<S::Number> {
    let Rise { distance, .. } =
        FIRST_RISE.as_ref().ok_or(Refusal::NotFound("the first distance at which D_0t rises"))?;
    let [here, next] =
        [*distance, distance + 1].map(|distance| sum_of_cosines(system, frequencies, &Position::integer(distance)));
    let relation = step(here, next, form);
    Ok(vec![Comparison { what: "similarity at t and at t + 1", index: [*distance as usize, 0], relation }])
}

/// The form's relation of the similarities at t and at t + 1: a rise, or, sabotaged, a fall.
fn step<N>(here: N, next: N, form: Form) -> Relation<N> {
    if form.is_sabotaged() { Relation::Less(next, here) } else { Relation::Less(here, next) }
}

fn survey(form: Form) -> Survey {
    let scope = format!("D_0t at d = {DIM}, from distance 0 to the first at which it rises");
    let Some(rise) = FIRST_RISE.as_ref() else {
        let reason = "enclosures of successive similarities overlap, or none rises below distance 4096";
        return Survey {
            scope,
            cases: 0,
            decision: Decision::unable(reason),
            finding: reason.to_owned(),
            measured: None,
        };
    };
    let decision = rise.decide(form);
    let [(here, _), (next, _)] = [&rise.here, &rise.next].map(|enclosure| enclosure.decimal_with(Some(18)));
    let finding = format!(
        "it falls with every step up to distance {}, and rises from there to the next: {here}… < {next}…",
        rise.distance
    );
    Survey { scope, cases: rise.distance as u64 + 1, decision, finding, measured: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The survey decides each form from the similarities: where they fall, the sabotage is not refuted.
    #[test]
    fn the_sabotage_is_refuted_by_a_rise_alone() {
        let step = |here: i32, next: i32| Rise { distance: 0, here: here.into(), next: next.into(), width: 0.0 };
        let decided = |rise: Rise| [Form::Settled, Form::Sabotaged].map(|form| rise.decide(form));
        assert!(matches!(decided(step(1, 2)), [Decision::Held(_), Decision::Refuted(_)]));
        assert!(matches!(decided(step(2, 1)), [Decision::Refuted(_), Decision::Held(_)]));
    }
}
