//! `base.power-law`: a line fitted to a table is not a bound.

use super::{Service, score, survey_of_base};
use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Size, Source, Survey,
    SystemKind, Verdict,
};
use crate::evidence::Effort;
use crate::number::interval::{Enclosing, Interval};
use crate::number::{Frequency, Number, Position, Relation, System};
use rug::Rational;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct PowerLaw;

const DIM: usize = 128;

/// A base above the line at length 1024, with a distance at which B is negative, below that length.
const BASE: u32 = 3400;
const DISTANCE: i64 = 952;

/// A length for which the line is above this base, which serves it.
const LONG: u32 = 131_072;
const SERVING: u32 = 4_869_105;

/// The printed least bases for L = 2^10 … 2^20, to two digits.
const PRINTED: [u32; 11] =
    [4_300, 16_000, 27_000, 84_000, 310_000, 640_000, 2_100_000, 7_800_000, 36_000_000, 64_000_000, 510_000_000];

/// 0.0424·(2^power)^1.628.
fn line<S: System>(system: &S, power: usize) -> S::Number {
    let root = Frequency::Power { base: 2, dim: 1000, index: 814 * power };
    system.rational(&Rational::from((424, 10_000))) / system.angle(&(Position::integer(1) * root))
}

/// Exponent and factor of the least-squares line through the logarithms of the printed table.
fn fit() -> [Interval; 2] {
    let count = Interval::from(PRINTED.len() as i32);
    let point = |(place, base): (usize, &u32)| {
        let length = Interval::from(2).ln() * Interval::from(10 + place as i32);
        (length, Interval::from(*base as i32).ln())
    };
    let points: Vec<(Interval, Interval)> = PRINTED.iter().enumerate().map(point).collect();
    let sum =
        |of: fn(&(Interval, Interval)) -> Interval| points.iter().map(of).fold(Interval::from(0), |sum, x| sum + x);
    let (x, y) = (sum(|(x, _)| x.clone()), sum(|(_, y)| y.clone()));
    let (xx, xy) = (sum(|(x, _)| x.clone() * x.clone()), sum(|(x, y)| x.clone() * y.clone()));
    let slope = (count.clone() * xy - x.clone() * y.clone()) / (count.clone() * xx - x.clone() * x.clone());
    let factor = ((y - slope.clone() * x) / count).exp();
    [slope, factor]
}

impl Claim for PowerLaw {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "base.power-law",
        statement: "0.0424·L^1.628 is close to the least-squares line through the logarithms of the printed table (see the figures), and neither suffices nor is needed: at L = 2^10 it is below 3400, a base that violates the criterion at m = 952 (d = 128); at L = 2^17 it is above 4869105, a base that serves that length.",
        written: Some("The lower bound of the base for a length x is y = 0.0424·x^1.628."),
        sources: &[Source { document: Document::BaseBounds, place: "Figure 1" }],
        verdict: Verdict::Corrected,
        sabotage: "the line taken for a bound: the base 3400 above it serves m = 952",
        remark: Some(
            "The paper was read in its abstract and Figure 1, its table as quoted in a post on it. The fit through the true least bases is not claimed: they are established up to 2^17 only (base.minimum). In Coq the line itself has its slope, between 1.6283 and 1.6284, and its factor, between 0.042347 and 0.042348.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        match kind {
            SystemKind::Formal | SystemKind::Rounded { precision: 0..24 } => Vec::new(),
            _ => vec![Size { dim: DIM, tokens: 0, base: BASE }],
        }
    }

    fn inputs(_: &Size) -> Inputs {
        Inputs::default()
    }

    fn comparisons<S: System>(system: &S, _: &Case, form: Form) -> Comparisons<S::Number> {
        let (score, zero) = (score(system, BASE, DIM, DISTANCE), system.integer(0));
        let serves = Comparison::new("0 and score under 3400 at 952", Relation::AtMost(zero.clone(), score.clone()));
        if form != Form::Settled {
            return Ok(vec![serves]);
        }
        let serving = system.integer(SERVING.into());
        Ok(vec![
            Comparison::new("the line at 2^10 and 3400", Relation::Less(line(system, 10), system.integer(BASE.into()))),
            Comparison::new("score under 3400 at 952, and 0", Relation::Less(score, zero)),
            Comparison::new("4869105 and the line at 2^17", Relation::Less(serving, line(system, 17))),
        ])
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let base = if form.is_sabotaged() { BASE } else { SERVING };
        vec![survey_of_base(base, DIM, LONG, Service::Whole)]
    }

    fn values() -> Vec<CertifiedValue> {
        let [exponent, factor] = fit();
        vec![
            CertifiedValue { name: "fitted_exponent", enclosure: exponent },
            CertifiedValue { name: "fitted_factor", enclosure: factor },
            CertifiedValue { name: "line_1024", enclosure: line(&Enclosing::default(), 10) },
        ]
    }
}
