//! `uniqueness.complex-mean`: the mean of a phasor over all positions is 0.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::number::interval::Enclosing;
use crate::number::{Frequency, Number, Position, Relation, System};
use num_complex::Complex;
use num_traits::Zero;
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct ComplexMean;

/// The positions that the mean is taken over, with ω = 1.
const POSITIONS: usize = 1000;

/// Sizes of the identity.
const SHORT: [usize; 3] = [2, 4, 8];

/// Σ_{n<count} e^(i·n·step·ω).
fn sum<S: System>(system: &S, rate: &Frequency, step: i64, count: usize) -> Complex<S::Number> {
    (0..count).fold(Complex::new(S::Number::zero(), S::Number::zero()), |sum, n| {
        sum + system.cis(&(Position::integer(n as i64 * step) * rate.clone()))
    })
}

/// |mean| for ω = 1; in the sabotaged form for ω = 0.
fn mean<S: System>(system: &S, form: Form) -> S::Number {
    let unit = Frequency::Power { base: 10_000, dim: 2, index: 0 };
    let step = i64::from(!form.is_sabotaged());
    let total = sum(system, &unit, step, POSITIONS);
    (total.re.clone() * total.re + total.im.clone() * total.im).sqrt() / system.integer(POSITIONS as i64)
}

impl Claim for ComplexMean {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "uniqueness.complex-mean",
        statement: "The mean of r·e^(i(ωn+θ)) over n = 0 … N−1 tends to 0 for ω that is no multiple of 2π: (e^(iω) − 1)·Σ_{n<N} e^(inω) = e^(iNω) − 1, so that it is at most r/(N·|sin(ω/2)|) in modulus; for ω = 1 and N = 1000 it is less than r/1000.",
        written: Some(
            "The mean over all positions is linear in the amplitude r with coefficient 2/π: at least 0.636·r for ω = 1 and N = 1000.",
        ),
        sources: &[Source { document: Document::ComplexEmbeddings, place: "section 2.3" }],
        verdict: Verdict::Refuted,
        sabotage: "ω = 0; in the identity, one term left out",
        remark: Some(
            "2/π is the limit of the mean of |cos(n + θ)|, by equidistribution, which is cited. The identity is compared for N = 2, 4 and 8 with ω a variable.",
        ),
    };

    /// The number of tokens of a size is N.
    fn sizes(kind: SystemKind) -> Vec<Size> {
        let of = |tokens: &[usize]| tokens.iter().map(|tokens| Size { dim: 0, tokens: *tokens, base: 0 }).collect();
        match kind {
            SystemKind::Formal => of(&SHORT),
            SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => of(&[2, 4, 8, POSITIONS]),
        }
    }

    fn inputs(size: &Size) -> Inputs {
        if size.tokens == POSITIONS { Inputs::default() } else { Inputs::default().reals_in("w", 1, 0.5, 3.0) }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let count = case.size.tokens;
        let one = system.integer(1);
        if count == POSITIONS {
            let mean = mean(system, form);
            let of = |thousandths: i64| system.rational(&Rational::from((thousandths, 1000)));
            return Ok(match form {
                Form::AsWritten => vec![Comparison::new("0.636 and the mean", Relation::AtMost(of(636), mean))],
                _ => vec![Comparison::new("the mean and 1/1000", Relation::Less(mean, of(1)))],
            });
        }
        if form == Form::AsWritten {
            return Ok(Vec::new());
        }
        let rate = Frequency::Free("w");
        let turn = |times: i64| system.cis(&(Position::integer(times) * rate.clone()));
        let sum = sum(system, &rate, 1, if form.is_sabotaged() { count - 1 } else { count });
        let (factor, last) = (turn(1), turn(count as i64));
        let left = Complex::new(factor.re - one.clone(), factor.im) * sum;
        Ok(vec![
            Comparison::new("real part of the geometric sum", Relation::Equal(left.re, last.re - one)),
            Comparison::new("imaginary part of the geometric sum", Relation::Equal(left.im, last.im)),
        ])
    }

    fn work(size: &Size) -> usize {
        4 * size.tokens
    }

    fn values() -> Vec<CertifiedValue> {
        vec![CertifiedValue { name: "mean_1000", enclosure: mean(&Enclosing::default(), Form::Settled) }]
    }
}
