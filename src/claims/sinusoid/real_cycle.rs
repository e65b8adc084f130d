//! `sinusoid.real-cycle`: over the reals, d = 2, 4 and 8 have a period, and no other d.

use crate::claim::{
    About, Case, CertifiedValue, Claim, Comparison, Comparisons, Document, Form, Inputs, Refusal, Size, Source, Survey,
    SystemKind, Verdict, equal_entries,
};
use crate::encoding::sinusoid;
use crate::evidence::Effort;
use crate::number::format::Format;
use crate::number::interval::{Enclosing, Interval};
use crate::number::mpfr::round;
use crate::number::multiples::{Return, nearest_return};
use crate::number::system::{Decision, Measure};
use crate::number::{Frequency, Phase, Position, Relation, System};
use nalgebra::DVector;
use rayon::prelude::*;
use rug::{Integer, Rational};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// See [`ABOUT`](Claim::ABOUT).
#[derive(Debug)]
pub struct RealCycle;

/// Periods 2πm with m below this are excluded: 2^20.
const LIMIT: u32 = 1 << 20;

/// The largest dimension of the survey.
const LARGEST: usize = 512;

/// The base of the statement, 10^DECADES.
const BASE: u32 = 10_000;
const DECADES: usize = 4;

/// Ratios of frequencies in the sizes without a base.
const RATIOS: [&str; 4] = ["k0", "k1", "k2", "k3"];
const LARGEST_RATIO: usize = 4;

/// For d = 2, 4 and 8, the integers c·ω_i = 10^(4−8/d)·10^(−8i/d), c being the first; none for
/// other d, where 8/d is not an integer.
fn ratios(dim: usize) -> Option<Vec<i64>> {
    let step = (2 * DECADES).checked_div(dim).filter(|step| step * dim == 2 * DECADES && dim.is_multiple_of(2))?;
    Some((0..dim / 2).rev().map(|index| 10i64.pow((step * index) as u32)).collect())
}

/// The m below [`LIMIT`] for which m·ω_1 is nearest to an integer, by dimension, for the dimensions
/// that the comparisons look at.
static NEAREST: LazyLock<BTreeMap<usize, Return>> = LazyLock::new(|| {
    let found = WITHOUT_PERIOD.map(|dim| Some((dim, nearest_return(&second_period(dim), &LIMIT.into())?)));
    found.into_iter().flatten().collect()
});

/// Dimensions whose encodings have no period, among them the documents' own.
const WITHOUT_PERIOD: [usize; 4] = [512, 6, 10, 16];

/// 1/ω_1 = base^(2/d): pair 1 repeats at the multiples of 2π times this.
fn second_period(dim: usize) -> Interval {
    let frequency = Frequency::Power { base: BASE, dim, index: 1 };
    Interval::from(1) / Interval::frequency(&frequency, Interval::PRECISION)
}

/// PE(t) and PE(t + P), where ω_i·P is `turns[i]` turns in parts of `parts`.
fn returns<S: System>(system: &S, phases: &[Phase], turns: &[i64], parts: i64) -> Comparisons<S::Number> {
    let encoded = |phases: Vec<Phase>| {
        let points = phases.iter().map(|phase| system.cis(phase));
        DVector::from_vec(points.flat_map(|point| [point.im, point.re]).collect())
    };
    let later = phases.iter().zip(turns).map(|(phase, turns)| phase.clone() + Phase::turns(*turns, parts));
    equal_entries("component after one period", &encoded(later.collect()), &encoded(phases.to_vec()))
}

/// Frequencies k_i·ϑ with integers k_i: 2π/ϑ is a common period.
fn rational_ratios<S: System>(system: &S, case: &Case, parts: i64) -> Comparisons<S::Number> {
    let names = RATIOS[..case.size.dim / 2].iter();
    let turns = names.map(|name| Ok(case.choice(name)? as i64)).collect::<Result<Vec<_>, Refusal>>()?;
    let phase = |turns: &i64| Position::symbol("t").times(*turns) * Frequency::Free("ϑ");
    returns(system, &turns.iter().map(phase).collect::<Vec<_>>(), &turns, parts)
}

/// Base 10000 at d = 2, 4, 8: each ω_i is k_i/c, 2πc is a period, and the slowest pair has no shorter one.
fn decimal_ratios<S: System>(system: &S, size: &Size, turns: &[i64], parts: i64) -> Comparisons<S::Number> {
    let frequencies = sinusoid::frequencies(size.base, size.dim);
    let phases: Vec<Phase> = frequencies.iter().map(|frequency| Position::symbol("t") * frequency.clone()).collect();
    let mut all = returns(system, &phases, turns, parts)?;
    let slowness = system.integer(turns.first().copied().unwrap_or(1));
    let rate = |frequency: &Frequency| system.angle(&(Position::integer(1) * frequency.clone()));
    for (index, (frequency, turns)) in frequencies.iter().zip(turns).enumerate() {
        let relation = Relation::Equal(rate(frequency) * slowness.clone(), system.integer(*turns));
        all.push(Comparison { what: "ω_i·c and an integer", index: [index, 0], relation });
    }
    let turn = system.angle(&Phase::turns(1, 1));
    if let Some(slowest) = frequencies.last() {
        let longest = turn.clone() / rate(slowest);
        all.push(Comparison::new("least period of the slowest pair", Relation::Equal(longest, turn * slowness)));
    }
    Ok(all)
}

/// m·ω_1 and the integer nearest to it, at the m that comes nearest of all below [`LIMIT`]. A period
/// is 2πm because ω_0 = 1, and then m·ω_1 is an integer.
fn nearest_miss<S: System>(system: &S, size: &Size, form: Form) -> Comparisons<S::Number> {
    let nearest = NEAREST.get(&size.dim).and_then(|nearest| Some((nearest, nearest.position.to_i64()?)));
    let (nearest, position) = nearest.ok_or(Refusal::NotFound("the m below 2^20 that comes nearest to a period"))?;
    let frequency = Frequency::Power { base: size.base, dim: size.dim, index: 1 };
    let product = system.angle(&(Position::integer(position) * frequency));
    let integer = system.rational(&Rational::from(&nearest.turns));
    let relation =
        if form == Form::AsWritten { Relation::Equal(product, integer) } else { Relation::Distinct(product, integer) };
    Ok(vec![Comparison::new("m·ω_1 and an integer, at the nearest m below 2^20", relation)])
}

impl Claim for RealCycle {
    const CHARGES_FREQUENCIES: bool = true;

    const ABOUT: About = About {
        id: "sinusoid.real-cycle",
        statement: "Over the reals PE with nonzero frequencies has a common period exactly when every ratio of two of its frequencies is rational; for base 10000 and even d ≥ 2 this is so exactly for d = 2, 4 and 8, with least periods 2π, 200π and 2000π.",
        written: Some("For every d the encoding has the least common multiple of its periods as its period."),
        sources: &[Source {
            document: Document::LinearRelationships,
            place: "reader comments, \"After the Least Common Multiple of the periods\"",
        }],
        verdict: Verdict::Corrected,
        sabotage: "half of the period; in the survey, 1/ω_1 rounded to bfloat16, which makes the ratio rational",
        remark: Some(
            "The exact system shows that rational ratios suffice (sizes without a base: frequencies k_i·ϑ with integers k_i). A period is a multiple 2πm of 2π because ω_0 = 1; the survey excludes every m below 2^20 for all other even d up to 512, and the claim as written is refuted at the m that comes nearest. That no m will do, for every d, is the irrationality of base^(2/d), which only the proof gives.",
        ),
    };

    fn sizes(kind: SystemKind) -> Vec<Size> {
        let free = |dim| Size { dim, tokens: 0, base: 0 };
        match kind {
            SystemKind::Formal => [2, 4, 8].map(free).to_vec(),
            _ => WITHOUT_PERIOD.into_iter().chain([2, 4, 8]).map(Size::dim).chain([free(8)]).collect(),
        }
    }

    fn bounded_sizes() -> Vec<Size> {
        Size::up_to(128, Self::sizes(SystemKind::Rounded { precision: 24 }))
    }

    fn inputs(size: &Size) -> Inputs {
        match (size.base, ratios(size.dim)) {
            (0, _) => {
                let inputs = Inputs::default().position("t").reals("ϑ", 1, 1.0);
                RATIOS[..size.dim / 2].iter().fold(inputs, |inputs, name| inputs.choice(name, 1..=LARGEST_RATIO))
            }
            (_, Some(_)) => Inputs::default().position("t"),
            (_, None) => Inputs::default(),
        }
    }

    fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
        let parts = if form.is_sabotaged() { 2 } else { 1 };
        match (case.size.base, ratios(case.size.dim)) {
            (0, _) => rational_ratios(system, case, parts),
            (_, Some(turns)) => decimal_ratios(system, &case.size, &turns, parts),
            (_, None) => nearest_miss(system, &case.size, form),
        }
    }

    fn work(size: &Size) -> usize {
        4 * size.dim
    }

    fn surveys(_: Effort, form: Form) -> Vec<Survey> {
        let dims: Vec<usize> = (4..=LARGEST).step_by(2).filter(|dim| ratios(*dim).is_none()).collect();
        let nearest = |dim: &usize| {
            let mut period = second_period(*dim);
            if form.is_sabotaged() {
                period = Interval::exactly(round(Format::Bf16, &period.midpoint()));
            }
            let nearest = nearest_return(&period, &Integer::from(LIMIT));
            // |m·ω_1 − integer| = |m − integer/ω_1|·ω_1
            nearest.map(|nearest| (*dim, (nearest.offset.clone() / period).abs(), nearest))
        };
        let found: Vec<_> = dims.par_iter().filter_map(nearest).collect();
        let scope = format!(
            "all m below 2^20 at the {} even dimensions up to {LARGEST} other than 2, 4 and 8, by continued fractions",
            dims.len()
        );
        let cases = dims.len() as u64 * u64::from(LIMIT - 1);
        let least = found.iter().min_by(|a, b| a.1.lower().total_cmp(b.1.lower()));
        let (Some((dim, distance, nearest)), true) = (least, found.len() == dims.len()) else {
            let decision = Decision::unable("an enclosure of 1/ω_1 is too wide");
            return vec![Survey { scope, cases, decision, finding: "nothing".to_owned(), measured: None }];
        };
        let measure = Measure { error: found.iter().map(|f| f.1.width_up()).fold(0.0, f64::max), bound: 0.0 };
        let decision = match () {
            () if nearest.is_exact() => Decision::Refuted(measure),
            () if *distance.lower() > 0 => Decision::Held(measure),
            () => Decision::unable("the enclosure of the nearest distance contains 0"),
        };
        let (lower, upper) = distance.decimal_with(Some(20));
        let finding = format!(
            "m·ω_1 comes nearest to an integer at d = {dim}, m = {}, where it is [{lower}, {upper}] away",
            nearest.position
        );
        vec![Survey { scope, cases, decision, finding, measured: None }]
    }

    fn values() -> Vec<CertifiedValue> {
        let system = Enclosing::default();
        let named = [("least_period_d2", 2), ("least_period_d4", 4), ("least_period_d8", 8)];
        let period = |dim| {
            let slowness = ratios(dim).and_then(|turns| turns.first().copied())?;
            Some(system.angle(&Phase::turns(slowness, 1)))
        };
        named.into_iter().filter_map(|(name, dim)| Some(CertifiedValue { name, enclosure: period(dim)? })).collect()
    }
}
