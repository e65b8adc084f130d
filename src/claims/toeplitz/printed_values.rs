//! `toeplitz.printed-values`: the five floats that The Hidden Beauty prints, against certified enclosures.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, SystemKind,
    Verdict,
};
use crate::encoding::sinusoid;
use crate::number::interval::Interval;
use crate::number::{Frequency, Phase, Position, Relation, System};
use num_traits::Zero;
use rug::Rational;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PrintedValues;

/// The document's output: two positions and the float printed for their dot product. Each is the
/// shortest decimal of a binary32 number, read back exactly by binary64.
pub const PRINTED: [([i64; 2], f64); 5] = [
    ([1, 2], 249.10211181640625),
    ([2, 1], 249.10211181640625),
    ([80, 81], 249.1020965576172),
    ([1, 80], 117.52901458740234),
    ([2, 81], 117.52900695800781),
];

const DIM: usize = 512;
const BASE: u32 = 10_000;

/// Σ cos(distance·ω_i) over dim/2 frequencies counted from `first`.
fn dot_product<S: System>(system: &S, first: usize, distance: i64) -> S::Number {
    let phases = sinusoid::frequencies_from(first, BASE, DIM).into_iter().map(|f| Position::integer(distance) * f);
    phases.fold(S::Number::zero(), |sum, phase: Phase| sum + system.cis(&phase).re)
}

/// A rigorous bound on |computed − exact| for the dot product of PE(s) and PE(t) in binary32, with
/// the frequencies computed as exp(2i·(−ln base/dim)) in binary32 and exp, sin and cos within one
/// unit in the last place, whatever the order of summation:
///
/// e_i(t) = u + (2|x_i| + 3)·u·t·ω_i, x_i = 2i·ln(base)/dim, for an entry, and
/// Σ (e_i(s) + e_i(t)) over the 2·dim/2 entries + dim·u·(Σ |entries|)
///
/// with Σ|xy| ≤ dim/2 + second-order terms, for which everything is multiplied by 1 + 2^−10
/// (entry: mean value theorem; sum: Jeannerod and Rump 2013, n·u·Σ|x_i·y_i|).
pub fn binary32_bound([s, t]: [i64; 2]) -> Rational {
    let bits = Interval::PRECISION;
    let unit = Interval::rational(&Rational::from((1, 1u32 << 24)), bits);
    let log = Interval::from(BASE as i32).ln();
    let mut total = unit.clone() * Interval::from((DIM * DIM / 2) as i32);
    for index in 0..DIM / 2 {
        let rate = Interval::frequency(&Frequency::Power { base: BASE, dim: DIM, index }, bits);
        let exponent = log.clone() * Interval::rational(&Rational::from((2 * index, DIM)), bits);
        let slope = (exponent * Interval::from(2) + Interval::from(3)) * rate;
        for position in [s, t] {
            let entry = unit.clone() * (slope.clone() * Interval::from(position as i32) + Interval::from(1));
            total += entry * Interval::from(2);
        }
    }
    let inflated = total * Interval::rational(&Rational::from((1025, 1024)), bits);
    inflated.upper().to_rational().unwrap_or_default()
}

/// The bounds of the printed values, which are the same in every system.
static BOUNDS: LazyLock<[Rational; 5]> = LazyLock::new(|| PRINTED.map(|(positions, _)| binary32_bound(positions)));

fn printed(value: f64) -> Rational {
    Rational::from_f64(value).unwrap_or_default()
}

impl Claim for PrintedValues {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "toeplitz.printed-values",
        statement: "For d = 512 and base 10000, D at distance 1 is 249.10209782736297… and at distance 79 is 117.52900007202076…; each of the five printed floats lies within the rounding-error bound of a binary32 dot product and the printed pairs that should be equal differ by exactly one binary32 unit in the last place; a sum of frequencies counted from 1 would give 249.56179551649… and 119.42493981397….",
        written: Some(
            "The printed values are Σ_(k=1)^(d/2) cos((i−j)·ω_k) with ω_k = 10000^(−2k/d), and values at one distance are equal.",
        ),
        sources: &[
            Source {
                document: Document::HiddenBeauty,
                place: "Implications of the Toeplitz Structure, printed output",
            },
            Source {
                document: Document::HiddenBeauty,
                place: "Mathematical Proof of the Toeplitz Structure, sum over k",
            },
        ],
        verdict: Verdict::Corrected,
        sabotage: "frequencies counted from 1, as in the document's proof",
        remark: Some(
            "The bound assumes the usual binary32 code path (frequencies by exp∘log, exp, sin and cos within one unit in the last place) and any order of summation; binary16 and bfloat16 are too coarse to tell the sums apart.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            // Nothing here is an identity in formal frequencies.
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size::dim(DIM)],
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Self::sizes(SystemKind::Rounded { precision: 24 })
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let first = if form == Form::Settled { 0 } else { 1 };
        let mut all = Vec::new();
        for (row, (positions, value)) in PRINTED.into_iter().enumerate() {
            let difference = system.rational(&printed(value)) - dot_product(system, first, positions[1] - positions[0]);
            let bound = system.rational(&BOUNDS[row]);
            for side in [difference.clone(), -difference] {
                let relation = Relation::AtMost(side, bound.clone());
                all.push(Comparison { what: "printed value", index: [row, 0], relation });
            }
        }
        for (what, one, other, exponent) in [("values at distance 1", 0, 2, 16), ("values at distance 79", 3, 4, 17)] {
            let difference = system.rational(&(printed(PRINTED[one].1) - printed(PRINTED[other].1)));
            let ulp = match form {
                Form::AsWritten => Rational::new(),
                _ => Rational::from((1, 1u32 << exponent)),
            };
            all.push(Comparison::new(what, Relation::Equal(difference, system.rational(&ulp))));
        }
        if form == Form::Settled {
            for distance in [1, 79] {
                let sums = Relation::Distinct(dot_product(system, 0, distance), dot_product(system, 1, distance));
                all.push(Comparison {
                    what: "sums counted from 0 and from 1",
                    index: [distance as usize, 0],
                    relation: sums,
                });
            }
        }
        Ok(all)
    }

    fn work(_: &Size) -> usize {
        14 * DIM
    }

    fn values() -> Vec<CertifiedValue> {
        let system = crate::number::interval::Enclosing::default();
        let named =
            [("distance_1", 0, 1), ("distance_79", 0, 79), ("distance_1_from_1", 1, 1), ("distance_79_from_1", 1, 79)];
        named.map(|(name, first, d)| CertifiedValue { name, enclosure: dot_product(&system, first, d) }).into()
    }
}
