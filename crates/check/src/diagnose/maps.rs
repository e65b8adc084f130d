//! Pairs of vectors after a rotation, measured on a sample: the two products that each entry is made of.
//!
//! An entry is x₁·c + x₂·s. Its factors are the coefficients of the two products in all sampled rows and tables; the pairs
//! whose cosine and sine it takes are those that leave nothing over. Both are measurements: a hypothesis says what they are, and
//! every entry is compared with it afterwards.

use super::super::Invalid;
use super::super::faults::{
    Cause, ENTRY_GAINS, Fault, LAYOUT, OTHER_COLUMNS, POWERS_OF_POSITIONS, ProductsCause, SCALED_PART,
};
use super::super::measure::candidates;
use super::super::reference::Reading;
use super::super::sample::Sample;
use super::super::subject::{Products, Subject, Wiring, pairs_of};
use super::hypothesis::{Context, Hypothesis};
use super::laws::Powers;
use posproof_bound::Allowance;
use posproof_encoding::convention::Component;

/// Tables that are sampled, and rows of each.
const TABLES: usize = 8;
const ROWS: usize = 96;

/// Vectors from which a factor of each entry is measured: fewer would agree by chance.
const FEWEST: usize = 12;

/// A vector, what became of it, and the cosines and sines of its row.
struct TurnedVector {
    x: Vec<f64>,
    y: Vec<f64>,
    row: usize,
}

/// The cosines and sines of a row.
struct RowAngles {
    position: u64,
    /// The magnitude of the sum that honest programs round.
    reach: f64,
    cos: Vec<f64>,
    sin: Vec<f64>,
}

/// Sampled vectors with the cosines and sines of their rows.
pub struct SampledVectors {
    all: Vec<TurnedVector>,
    rows: Vec<RowAngles>,
    allowance: Allowance,
    pairs: usize,
}

/// The two inputs of a pair, an output, and the signs of its products in a rotation.
#[derive(Clone, Copy)]
struct Output {
    pair: usize,
    read: (usize, usize),
    to: usize,
    second: bool,
}

impl Output {
    /// Factors of cosine and sine: entries of the vector with their signs.
    fn factors(&self, x: &[f64]) -> (f64, f64) {
        let (a, b) = self.read;
        if self.second { (x[b], x[a]) } else { (x[a], -x[b]) }
    }
}

impl SampledVectors {
    /// Those of some tables in the rows of a sample.
    pub fn read(context: &Context<'_>, sample: &Sample) -> Result<Self, Invalid> {
        let Subject::Rotation { y, .. } = context.subject else { return Ok(Self::none(context)) };
        let step = sample.rows.len().div_ceil(ROWS).max(1);
        // The last rows tell most.
        let rows: Vec<usize> = sample.rows.iter().rev().step_by(step).copied().collect();
        let mut vectors = Self::none(context);
        let honest = context.honest();
        let (gain, sense) = (honest.gain, honest.law.sense());
        let tables = y.slabs().min(TABLES);
        for table in 0..tables {
            let slab = (context.slab + table * y.slabs() / tables) % y.slabs();
            let read = Sample::read(context.subject, slab, &rows, context.positions)?;
            for (at, (x, y)) in read.vectors().enumerate() {
                let position = read.positions[at];
                let known = vectors.rows.iter().position(|row| row.position == position);
                let row = known.unwrap_or_else(|| {
                    let angle = |pair: usize| honest.angle(slab, position, pair, 0);
                    let cos = (0..vectors.pairs).map(|pair| gain * core_math::cos(angle(pair))).collect();
                    let sin = (0..vectors.pairs).map(|pair| gain * sense * core_math::sin(angle(pair))).collect();
                    vectors.rows.push(RowAngles { position, reach: honest.law.reach(position as f64), cos, sin });
                    vectors.rows.len() - 1
                });
                vectors.all.push(TurnedVector { x: x.to_vec(), y: y.to_vec(), row });
            }
        }
        Ok(vectors)
    }

    fn none(context: &Context<'_>) -> Self {
        let allowance = context.allowance(&context.expected, &context.omega);
        Self { all: Vec::new(), rows: Vec::new(), allowance, pairs: context.expected.pairs() }
    }

    /// The bound of an entry that takes the cosine of one pair and the sine of another.
    fn limit(&self, turned: &TurnedVector, of: Output, (cosine, sine): (usize, usize)) -> f64 {
        let (a, b) = of.read;
        let (t, length) = (self.rows[turned.row].reach, turned.x[a].hypot(turned.x[b]));
        let of = |pair: usize| self.allowance.rotated(pair, t, length);
        of(cosine).max(of(sine)) + 1e-12 * length
    }

    /// The factors of an output's products by least squares; 1 where the sample does not show one. `None` where something is
    /// left over.
    fn factors(&self, of: Output) -> Option<[f64; 2]> {
        let (mut cc, mut cs, mut ss, mut cy, mut sy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let products = |turned: &TurnedVector| {
            let (on_cos, on_sin) = of.factors(&turned.x);
            let RowAngles { cos, sin, .. } = &self.rows[turned.row];
            (on_cos * cos[of.pair], on_sin * sin[of.pair])
        };
        let mut noise = 0.0;
        for turned in &self.all {
            let ((c, s), y) = (products(turned), turned.y[of.to]);
            (cc, cs, ss, cy, sy) = (cc + c * c, cs + c * s, ss + s * s, cy + c * y, sy + s * y);
            noise += self.limit(turned, of, (of.pair, of.pair)).powi(2);
        }
        let determinant = cc * ss - cs * cs;
        // A product that is within the bounds in all rows shows no factor.
        let [mut on_cos, mut on_sin] = match (cc > 1e4 * noise, ss > 1e4 * noise) {
            (true, true) if determinant > 1e-9 * cc * ss => {
                [(cy * ss - sy * cs) / determinant, (sy * cc - cy * cs) / determinant]
            }
            (true, _) => [(cy - cs) / cc, 1.0],
            (_, true) => [1.0, (sy - cs) / ss],
            _ => [1.0, 1.0],
        };
        let error = |total: f64| (noise / total.max(f64::MIN_POSITIVE)).sqrt();
        for (factor, error) in [(&mut on_cos, error(cc)), (&mut on_sin, error(ss))] {
            // The number with the fewest digits that the measurement allows.
            let simplest = candidates(*factor, error).first().map_or(*factor, |number| number.value().to_f64());
            *factor = if factor.abs() <= error { 0.0 } else { simplest };
        }
        let most = on_cos.abs().max(on_sin.abs()).max(1.0);
        let fits = self.all.iter().all(|turned| {
            let (c, s) = products(turned);
            (on_cos * c + on_sin * s - turned.y[of.to]).abs() <= 2.0 * most * self.limit(turned, of, (of.pair, of.pair))
        });
        fits.then_some([on_cos, on_sin])
    }

    /// True if an output takes the cosine of one pair and the sine of another.
    fn takes(&self, of: Output, (cosine, sine): (usize, usize)) -> bool {
        self.all.iter().all(|turned| {
            let (on_cos, on_sin) = of.factors(&turned.x);
            let RowAngles { cos, sin, .. } = &self.rows[turned.row];
            let expected = on_cos * cos[cosine] + on_sin * sin[sine];
            (turned.y[of.to] - expected).abs() <= self.limit(turned, of, (cosine, sine))
        })
    }
}

/// The outputs of all pairs of a layout.
fn outputs(read: &[(usize, usize)]) -> Vec<[Output; 2]> {
    let of = |(pair, &read): (usize, &(usize, usize))| {
        [(read.0, false), (read.1, true)].map(|(to, second)| Output { pair, read, to, second })
    };
    read.iter().enumerate().map(of).collect()
}

/// Hypotheses on the products of vectors, in the stated layout or in the other one.
pub fn hypotheses(context: &Context<'_>, sample: &Sample) -> Result<Vec<Hypothesis>, Invalid> {
    let vectors = SampledVectors::read(context, sample)?;
    let mut all = Vec::new();
    if vectors.all.len() < FEWEST {
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
        if let Some((fault, cause, turns)) = scaled(&vectors, &outputs, context.storage.unit_roundoff()) {
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
    let factors: Option<Vec<[[f64; 2]; 2]>> =
        outputs.iter().map(|&[first, second]| Some([vectors.factors(first)?, vectors.factors(second)?])).collect();
    let mut factors = factors?;
    let departs = |pair: &[[f64; 2]; 2]| pair.iter().flatten().any(|by| *by != 1.0);
    let departing = factors.iter().filter(|pair| departs(pair)).count();
    if departing == 0 {
        return None;
    }
    let turns = |factors: &[[[f64; 2]; 2]]| {
        let of = |(pair, by): (usize, &[[f64; 2]; 2])| by.map(|by| Products { by, ..Products::of(pair) });
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
            Some((&ENTRY_GAINS, ProductsCause::Gains { entries: gains }, turns(&all)))
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
                [Products { cos, sin, by: [1.0; 2] }; 2]
            };
            return Some((ProductsCause::Further { component, by }, (0..pairs).map(products).collect()));
        }
    }
    let found: Option<Vec<[(usize, usize); 2]>> =
        outputs.iter().map(|&[first, second]| Some([taken(vectors, first)?, taken(vectors, second)?])).collect();
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
    let products = |of: [(usize, usize); 2]| of.map(|(cos, sin)| Products { cos, sin, by: [1.0; 2] });
    let cause = ProductsCause::Others { entries: departing.len(), first };
    Some((cause, found.into_iter().map(products).collect()))
}

/// The pairs whose cosine and sine an output takes: its own if it may, else one other for both or for either.
fn taken(vectors: &SampledVectors, of: Output) -> Option<(usize, usize)> {
    let own = of.pair;
    let mut nearest: Vec<usize> = (0..vectors.pairs).collect();
    nearest.sort_by_key(|pair| pair.abs_diff(own));
    let ways = |other: usize| [(other, other), (own, other), (other, own)];
    nearest.into_iter().flat_map(ways).find(|way| vectors.takes(of, *way))
}

/// Standard errors of a measured rate, below which it may be none.
const STANDARD_ERRORS: f64 = 6.0;

/// The rate at which each pair grows with the position, and the position of which nothing is multiplied: ln(|y|/|x|) of a pair is
/// λ·(p − origin).
fn powers(vectors: &SampledVectors, outputs: &[[Output; 2]]) -> Option<(Vec<f64>, f64)> {
    let (mut lines, mut largest, mut grows) = (Vec::new(), (0.0, 0.0), 0);
    for [first, second] in outputs {
        let (a, b) = first.read;
        let (mut n, mut sp, mut sl, mut spp, mut spl, mut sll) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for turned in &vectors.all {
            let (before, after) = (turned.x[a].hypot(turned.x[b]), turned.y[first.to].hypot(turned.y[second.to]));
            if before < 1e-2 || after <= 0.0 {
                continue;
            }
            let (p, l) = (vectors.rows[turned.row].position as f64, core_math::log(after / before));
            (n, sp, sl, spp, spl, sll) = (n + 1.0, sp + p, sl + l, spp + p * p, spl + p * l, sll + l * l);
        }
        let spread = n * spp - sp * sp;
        if n < 3.0 || spread <= 0.0 {
            return None;
        }
        let rate = (n * spl - sp * sl) / spread;
        let origin = if rate == 0.0 { 0.0 } else { (sp - sl / rate) / n };
        if rate.abs() > f64::abs(largest.0) {
            largest = (rate, origin);
        }
        // The rate's standard error, by what the line leaves of the lengths: rounding alone makes lines of small rates.
        let left = ((sll - sl * sl / n) - rate * rate * spread / n).max(0.0);
        let error = (left / (n - 2.0) * n / spread).sqrt();
        grows += usize::from(rate.abs() > (STANDARD_ERRORS * error).max(1e-7));
        lines.push(rate);
    }
    let origin = largest.1.round();
    // Lines through the common origin, each by the rate that all rows of its pair give.
    for ([first, second], rate) in outputs.iter().zip(&mut lines) {
        let (a, b) = first.read;
        let (mut top, mut bottom) = (0.0, 0.0);
        for turned in &vectors.all {
            let (before, after) = (turned.x[a].hypot(turned.x[b]), turned.y[first.to].hypot(turned.y[second.to]));
            if before >= 1e-2 && after > 0.0 {
                let p = vectors.rows[turned.row].position as f64 - origin;
                (top, bottom) = (top + p * core_math::log(after / before), bottom + p * p);
            }
        }
        *rate = if bottom > 0.0 { top / bottom } else { 0.0 };
    }
    (2 * grows > lines.len()).then(|| (of_xpos(&lines).unwrap_or(lines), origin))
}

/// The rates that xPos has for pairs of so many, if these are about them: ln((2k + 0.4·d)/(1.4·d)) over a whole number.
fn of_xpos(rates: &[f64]) -> Option<Vec<f64>> {
    let dim = 2.0 * rates.len() as f64;
    let power = |pair: usize| core_math::log((2.0 * pair as f64 + 0.4 * dim) / (1.4 * dim));
    let scale = (power(0) / rates.first()?).round();
    let near = |(pair, rate): (usize, &f64)| (power(pair) / scale - rate).abs() <= 1e-3 * rates[0].abs();
    let law = scale != 0.0 && rates.iter().enumerate().all(near);
    law.then(|| (0..rates.len()).map(|pair| power(pair) / scale).collect())
}
