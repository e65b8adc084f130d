//! `interpolation.universal`: d frequencies fit d values, and not d + 1.

use crate::claim::{
    About, Case, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind, Verdict,
};
use crate::encoding::sinusoid::frequencies;
use crate::number::{Number, Position, Relation, System};
use num_traits::Zero;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct Universal;

/// a(s) = Re Σ_i h_i·e^(isθ_i), with h_i from the real variables `h`.
fn score<S: System>(system: &S, size: &Size, position: &Position) -> S::Number {
    frequencies(size.base, size.dim).into_iter().enumerate().fold(S::Number::zero(), |sum, (pair, frequency)| {
        let point = system.cis(&(position.clone() * frequency));
        sum + system.real("h", 2 * pair) * point.re - system.real("h", 2 * pair + 1) * point.im
    })
}

/// The coefficients of Π_i (z² − 2·cos θ_i·z + 1) over the first pairs, from the constant one.
fn recurrence<S: System>(system: &S, size: &Size, pairs: usize) -> Vec<S::Number> {
    let mut product = vec![system.integer(1)];
    for frequency in frequencies(size.base, size.dim).into_iter().take(pairs) {
        let cosine = system.cis(&(Position::integer(1) * frequency)).re;
        let factor = [system.integer(1), -(system.integer(2) * cosine), system.integer(1)];
        let mut next = vec![S::Number::zero(); product.len() + 2];
        for (power, coefficient) in product.iter().enumerate() {
            for (more, other) in factor.iter().enumerate() {
                next[power + more] += coefficient.clone() * other.clone();
            }
        }
        product = next;
    }
    product
}

/// a(2) for d = 2 and the h with a(0) = 1 and a(1) = 0: Re(h) = 1, Im(h) = cos θ/sin θ.
fn third<N: Number>(cosine: &N, sine: &N) -> N {
    let double = [cosine.clone() * cosine.clone() - sine.clone() * sine.clone(), cosine.clone() * sine.clone()];
    let [double_cosine, half_double_sine] = double;
    double_cosine - (half_double_sine.clone() + half_double_sine) * (cosine.clone() / sine.clone())
}

impl Claim for Universal {
    const ABOUT: About = About {
        id: "interpolation.universal",
        statement: "For every base > 1, L > 0, ε > 0 and continuous function on [0, L], every sufficiently large even d has h whose scores stay within ε of the function on all of [0, L]. But for every fixed even d, all h and all frequencies, the scores at positions 0 … n are a linear image of d real numbers, and the scores at d + 1 consecutive positions obey one linear recurrence, Σ_j c_j·a(s+j) = 0 with Σ_j c_j·z^j = Π_i (z² − 2·cos θ_i·z + 1) and c_0 = c_d = 1, so that values 1, 0, …, 0 at positions 0 … d are the scores of no q and k; for d = 2, a(0) = 1 and a(1) = 0 force a(2) = −1.",
        written: Some("The family can fit arbitrary functions: some q and k of d = 2 have the scores 1, 0, 0."),
        sources: &[Source {
            document: Document::PositionInterpolation,
            place: "section 2.2, a universal approximator when d is sufficiently large",
        }],
        verdict: Verdict::Corrected,
        sabotage: "the last pair left out of the recurrence",
        remark: Some(
            "The recurrence is compared at d = 2, 4 and, in numbers, 8; of every even d it is the theorem, as is what is true of \"sufficiently large d\": the frequencies accumulate as d grows. How large a d that is for a given function is not said.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal => [2, 4].map(Size::dim).to_vec(),
            _ => [2, 4, 8].map(Size::dim).to_vec(),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        Inputs::default().reals("h", size.dim, 1.0).position_in("s", 0..=255)
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let Size { dim, base, .. } = case.size;
        let mut all = Vec::new();
        if form != Form::AsWritten {
            let pairs = if form.is_sabotaged() { dim / 2 - 1 } else { dim / 2 };
            let coefficients = recurrence(system, &case.size, pairs);
            let at = |step: usize| score(system, &case.size, &(Position::symbol("s") + Position::integer(step as i64)));
            let terms = coefficients.into_iter().enumerate().map(|(step, coefficient)| coefficient * at(step));
            let sum = terms.fold(S::Number::zero(), |sum, term| sum + term);
            all.push(Comparison::new("Σ_j c_j·a(s + j)", Relation::Equal(sum, system.integer(0))));
        }
        if let (2, Some(frequency)) = (dim, frequencies(base, dim).first()) {
            let point = system.cis(&(Position::integer(1) * frequency.clone()));
            let stated = system.integer(if form == Form::AsWritten { 0 } else { -1 });
            all.push(Comparison::new("a(2) after 1, 0", Relation::Equal(third(&point.re, &point.im), stated)));
        }
        Ok(all)
    }

    fn work(size: &Size) -> usize {
        2 * size.dim * size.dim
    }
}
