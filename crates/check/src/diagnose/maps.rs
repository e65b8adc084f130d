//! The two products that each entry of a rotated pair is made of.
//!
//! An entry is x₁·c + x₂·s. Its factors are the coefficients of the two products in all sampled rows and tables; the pairs
//! whose cosine and sine it takes are those that leave nothing over. Both are measurements: a hypothesis says what they are, and
//! every entry is compared with it afterwards.

use super::super::Invalid;
use super::super::faults::{
    Cause, ENTRY_GAINS, ENTRY_KEPT, Fault, LAYOUT, OTHER_COLUMNS, POWERS_OF_POSITIONS, ProductsCause, SCALED_PART,
};
use super::super::reference::Reading;
use super::super::sample::Sample;
use super::super::subject::{Products, Wiring, pairs_of};
use super::hypothesis::{Context, Hypothesis};
use super::laws::Powers;
use super::lengths::powers;
use super::sampled::{MeasuredFactors, Output, SampledVectors, outputs};
use posproof_encoding::convention::Component;

/// Hypotheses on the products of vectors, in the stated layout or in the other one.
pub fn hypotheses(context: &Context<'_>, sample: &Sample) -> Result<Vec<Hypothesis>, Invalid> {
    let vectors = SampledVectors::read(context, sample)?;
    let mut all = Vec::new();
    if vectors.are_few() {
        return Ok(all);
    }
    for layout in [context.expected.layout, super::vectors::other(context.expected.layout)] {
        let read = pairs_of(layout, vectors.pairs);
        let outputs = outputs(&read);
        let of = |hypothesis: Hypothesis, turns: Vec<[Products; 2]>| {
            let wiring = Wiring { turns, ..Wiring::between(read.clone(), read.clone()) };
            let reading = Reading { wiring, ..hypothesis.reading.clone() };
            let mut named = context.named.clone();
            if layout != context.expected.layout {
                named.push((&LAYOUT, Cause::Layout { expected: context.expected.layout, found: layout }));
            }
            named.extend(hypothesis.named.last().cloned());
            Hypothesis { named, reading, found: None, exactly: false, ..hypothesis }
        };
        if let Some(second) = vectors.kept(&outputs) {
            let kept = |at: usize, pair: usize| Products { kept: (at == 1) == second, ..Products::of(pair) };
            let turns = (0..outputs.len()).map(|pair| [0, 1].map(|at| kept(at, pair))).collect();
            all.push(of(context.with(&ENTRY_KEPT, ProductsCause::Kept { second }.into(), |_| ()), turns));
        } else if let Some((fault, cause, turns)) = scaled(&vectors, &outputs, context.storage.unit_roundoff()) {
            all.push(of(context.with(fault, cause.into(), |_| ()), turns));
        } else if let Some((cause, turns)) = columns(&vectors, &outputs) {
            all.push(of(context.with(&OTHER_COLUMNS, cause.into(), |_| ()), turns));
        } else if let Some((rates, origin)) = powers(&vectors, &outputs) {
            let cause = ProductsCause::Powers { rates: rates.clone(), origin };
            let unit = 16.0 * (context.storage.unit_roundoff() + 8.0 * context.compute.0.format.unit_roundoff());
            let hypothesis = context.with(&POWERS_OF_POSITIONS, cause.into(), |stages| {
                stages.powers = Some(Powers { rates, origin, unit });
            });
            all.push(of(hypothesis, Wiring::between(read.clone(), read.clone()).turns));
        }
    }
    Ok(all)
}

/// Products of the right angles with factors, if something is wrong with these.
fn scaled(
    vectors: &SampledVectors,
    outputs: &[[Output; 2]],
    unit: f64,
) -> Option<(&'static Fault, ProductsCause, Vec<[Products; 2]>)> {
    // Roundings of entries and of vectors leave factors no nearer to each other.
    let same = |a: f64, b: f64| (a - b).abs() <= (1e-3 + 8.0 * unit) * a.abs().max(b.abs());
    // The same factors in all pairs, of which all vectors tell; or one of each entry; or two.
    let of_all = || {
        let [first, second] = [0, 1].map(|at| outputs.iter().map(|pair| pair[at]).collect::<Vec<_>>());
        Some(vec![[vectors.factors(&first, false)?, vectors.factors(&second, false)?]; outputs.len()])
    };
    let of_each = |one: bool| {
        let of =
            |[first, second]: &[Output; 2]| Some([vectors.factors(&[*first], one)?, vectors.factors(&[*second], one)?]);
        outputs.iter().map(of).collect::<Option<Vec<[MeasuredFactors; 2]>>>()
    };
    let measured = of_all().or_else(|| of_each(true)).or_else(|| of_each(false))?;
    let mut factors: Vec<[[f64; 2]; 2]> = measured.iter().map(|pair| pair.map(|of| of.by)).collect();
    let departs = |pair: &[[f64; 2]; 2]| pair.iter().flatten().any(|by| *by != 1.0);
    let departing = factors.iter().filter(|pair| departs(pair)).count();
    if departing == 0 {
        return None;
    }
    let turns = |factors: &[[[f64; 2]; 2]]| {
        let of = |(pair, by): (usize, &[[f64; 2]; 2])| {
            [0, 1].map(|at| Products { by: by[at], open: measured[pair][at].open, ..Products::of(pair) })
        };
        factors.iter().enumerate().map(of).collect::<Vec<_>>()
    };
    // One product with one factor in all pairs that show one, the three others right.
    for (second, component) in
        [(false, Component::Cos), (false, Component::Sin), (true, Component::Sin), (true, Component::Cos)]
    {
        let place = (usize::from(second), usize::from(component == Component::Sin));
        let of = |pair: &[[f64; 2]; 2]| pair[place.0][place.1];
        let others = factors.iter().all(|pair| {
            let mut pair = *pair;
            pair[place.0][place.1] = 1.0;
            !departs(&pair)
        });
        let Some(by) = factors.iter().map(of).find(|by| *by != 1.0) else { continue };
        let one = factors.iter().map(of).all(|other| other == 1.0 || same(by, other));
        // Where the factor does not show, it is taken for the right one.
        if others && one && 2 * departing > factors.len() {
            let cause = ProductsCause::Product { second, component, by };
            factors.iter_mut().for_each(|pair| pair[place.0][place.1] = by);
            return Some((&SCALED_PART, cause, turns(&factors)));
        }
    }
    let gains: Option<Vec<[f64; 2]>> = factors
        .iter()
        .map(|pair| {
            let gain = |[cos, sin]: [f64; 2]| (sin == 1.0 || same(cos, sin)).then_some(cos);
            Some([gain(pair[0])?, gain(pair[1])?])
        })
        .collect();
    match gains {
        // One gain for all entries is an amplitude.
        Some(gains) if gains.iter().flatten().all(|gain| same(*gain, gains[0][0])) => None,
        Some(gains) if 2 * departing > factors.len() => {
            let all: Vec<[[f64; 2]; 2]> = gains.iter().map(|pair| pair.map(|gain| [gain, gain])).collect();
            // The weights of a norm are not those of all pairs.
            let fault = if gains.iter().all(|pair| *pair == gains[0]) { &SCALED_PART } else { &ENTRY_GAINS };
            Some((fault, ProductsCause::Gains { entries: gains }, turns(&all)))
        }
        _ => {
            // A component of all pairs, and a few pairs, are said of these elsewhere.
            let both = |pair: &[[f64; 2]; 2]| same(pair[0][0], pair[1][0]) && same(pair[0][1], pair[1][1]);
            if factors.iter().all(both) || 2 * departing <= factors.len() {
                return None;
            }
            let of = |(pair, by): (usize, &[[f64; 2]; 2])| {
                departs(by).then_some((pair, [by[0][0], by[0][1], by[1][1], by[1][0]]))
            };
            let pairs = factors.iter().enumerate().filter_map(of).collect();
            Some((&SCALED_PART, ProductsCause::Factors { pairs }, turns(&factors)))
        }
    }
}

/// Cosines or sines of other pairs.
fn columns(vectors: &SampledVectors, outputs: &[[Output; 2]]) -> Option<(ProductsCause, Vec<[Products; 2]>)> {
    let pairs = vectors.pairs;
    // So many pairs further on, modulo their number.
    for component in [Component::Sin, Component::Cos] {
        let of = |pair: usize, by: usize| {
            let other = (pair + by) % pairs;
            if component == Component::Sin { (pair, other) } else { (other, pair) }
        };
        let all = |by: usize| outputs.iter().flatten().all(|output| vectors.takes(*output, of(output.pair, by)));
        if let Some(by) = (1..pairs).find(|by| all(*by)) {
            let products = |pair: usize| {
                let (cos, sin) = of(pair, by);
                [Products::between(cos, sin); 2]
            };
            return Some((ProductsCause::Further { component, by }, (0..pairs).map(products).collect()));
        }
    }
    let found: Option<Vec<[(usize, usize); 2]>> =
        outputs.iter().map(|&both| turned(vectors, both).map(|of| [of; 2]).or_else(|| taken(vectors, both))).collect();
    let found = found?;
    // Pairs that turn by the angle of another one throughout are a matter of the frequencies.
    if found.iter().all(|[one, other]| one == other && one.0 == one.1) {
        return None;
    }
    let departing: Vec<(Output, (usize, usize))> = outputs
        .iter()
        .flatten()
        .zip(found.iter().flatten())
        .filter(|(output, of)| **of != (output.pair, output.pair))
        .map(|(output, of)| (*output, *of))
        .collect();
    let &(output, (cos, sin)) = departing.first()?;
    let first = (output.to, cos, sin);
    let products = |of: [(usize, usize); 2]| of.map(|(cos, sin)| Products::between(cos, sin));
    let cause = ProductsCause::Others { entries: departing.len(), first };
    Some((cause, found.into_iter().map(products).collect()))
}

/// Pairs, the nearest to one first.
fn nearest(vectors: &SampledVectors, own: usize) -> Vec<usize> {
    let mut nearest: Vec<usize> = (0..vectors.pairs).collect();
    nearest.sort_by_key(|pair| pair.abs_diff(own));
    nearest
}

/// The pair by whose angle both outputs may turn. Narrow formats leave open which of the slow pairs it is, for each output by itself.
fn turned(vectors: &SampledVectors, [first, second]: [Output; 2]) -> Option<(usize, usize)> {
    let ways = nearest(vectors, first.pair).into_iter().map(|other| (other, other));
    ways.into_iter().find(|way| vectors.takes(first, *way) && vectors.takes(second, *way))
}

/// The pairs whose cosine and sine each output takes: its own if it may, else one other for both or for either.
fn taken(vectors: &SampledVectors, outputs: [Output; 2]) -> Option<[(usize, usize); 2]> {
    let of = |output: Output| {
        let own = output.pair;
        let ways = |other: usize| [(other, other), (own, other), (other, own)];
        nearest(vectors, own).into_iter().flat_map(ways).find(|way| vectors.takes(output, *way))
    };
    Some([of(outputs[0])?, of(outputs[1])?])
}
