//! Sampled vectors before and after a rotation, and the factors of the two products that each entry is made of.

use super::super::Invalid;
use super::super::measure::{LeastSquares, STANDARD_ERRORS, candidates};
use super::super::sample::Sample;
use super::super::subject::{Subject, pairs_of};
use super::hypothesis::Context;
use posproof_bound::Allowance;
use posproof_encoding::convention::Layout;

/// Tables that are sampled, and rows of each.
const TABLES: usize = 8;
const ROWS: usize = 96;

/// Vectors from which a factor of each entry is measured: fewer would agree by chance.
const FEWEST: usize = 12;

/// A factor that may be off by more is not shown.
const LEAST_SHOWN: f64 = 0.25;

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
    pub pairs: usize,
}

/// Factors of cosine and sine, and what their measurement leaves open.
#[derive(Clone, Copy)]
pub struct MeasuredFactors {
    pub by: [f64; 2],
    pub open: [f64; 2],
}

/// The two inputs of a pair, an output, and the signs of its products in a rotation.
#[derive(Clone, Copy)]
pub struct Output {
    pub pair: usize,
    read: (usize, usize),
    pub to: usize,
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

    /// True if there are too few vectors to measure factors.
    pub fn are_few(&self) -> bool {
        self.all.len() < FEWEST
    }

    /// Position, length before and length after of a pair in every vector.
    pub fn lengths(&self, [first, second]: &[Output; 2]) -> impl Iterator<Item = (f64, f64, f64)> {
        let ((a, b), to) = (first.read, (first.to, second.to));
        let length = |of: &[f64], (a, b): (usize, usize)| of[a].hypot(of[b]);
        self.all.iter().map(move |turned| {
            (self.rows[turned.row].position as f64, length(&turned.x, (a, b)), length(&turned.y, to))
        })
    }

    /// The bound of an entry that takes the cosine of one pair and the sine of another.
    fn limit(&self, turned: &TurnedVector, of: Output, (cosine, sine): (usize, usize)) -> f64 {
        let (a, b) = of.read;
        let (t, length) = (self.rows[turned.row].reach, turned.x[a].hypot(turned.x[b]));
        let of = |pair: usize| self.allowance.rotated(pair, t, length);
        of(cosine).max(of(sine)) + 1e-12 * length
    }

    /// The two products of an output in a vector, with the factor 1.
    fn products(&self, of: Output, turned: &TurnedVector) -> (f64, f64) {
        let (on_cos, on_sin) = of.factors(&turned.x);
        let RowAngles { cos, sin, .. } = &self.rows[turned.row];
        (on_cos * cos[of.pair], on_sin * sin[of.pair])
    }

    /// The factors of the products of some outputs, the same in all of them, or one of both products; 1 where the sample does not show
    /// one. `None` where something is left over.
    pub fn factors(&self, outputs: &[Output], one: bool) -> Option<MeasuredFactors> {
        let (mut sums, mut noise) = (LeastSquares::default(), 0.0);
        for (&of, turned) in outputs.iter().flat_map(|of| self.all.iter().map(move |turned| (of, turned))) {
            let (c, s) = self.products(of, turned);
            sums.add(if one { (c + s, 0.0) } else { (c, s) }, turned.y[of.to]);
            noise += self.limit(turned, of, (of.pair, of.pair)).powi(2);
        }
        // By the inequality of Cauchy and Schwarz a factor is off by no more than this, whatever the errors within the bounds are.
        let error = |squares: f64| (noise / squares.max(f64::MIN_POSITIVE)).sqrt();
        let shown = [sums.uu, sums.vv].map(|squares| error(squares) <= LEAST_SHOWN);
        let measured = sums.factors(noise / LEAST_SHOWN.powi(2))?;
        let standard = sums.standard_errors(measured);
        let mut found = MeasuredFactors { by: measured, open: [0.0; 2] };
        for (at, squares) in [sums.uu, sums.vv].into_iter().enumerate().filter(|(at, _)| shown[*at]) {
            let (factor, error) = (measured[at], error(squares));
            // What a program is meant to have, if the bounds allow it; else the number with the fewest digits that roundings do.
            let meant = [1.0, 0.0, -1.0].into_iter().find(|meant| (factor - meant).abs() <= error);
            let near = candidates(factor, error.min(STANDARD_ERRORS * standard[at]));
            found.by[at] = meant.or_else(|| Some(near.first()?.value().to_f64())).unwrap_or(factor);
            found.open[at] = error;
        }
        if one {
            found = MeasuredFactors { by: [found.by[0]; 2], open: [found.open[0]; 2] };
        }
        outputs.iter().all(|&of| self.fits(of, &found)).then_some(found)
    }

    /// True if every entry of an output is the sum of its products with these factors.
    fn fits(&self, of: Output, MeasuredFactors { by, open }: &MeasuredFactors) -> bool {
        let most = by.iter().fold(1.0, |most: f64, by| most.max(by.abs()));
        self.all.iter().all(|turned| {
            let (c, s) = self.products(of, turned);
            let limit = most * self.limit(turned, of, (of.pair, of.pair)) + open[0] * c.abs() + open[1] * s.abs();
            (by[0] * c + by[1] * s - turned.y[of.to]).abs() <= limit
        })
    }

    /// The entry of each pair that is that of x in every vector, and not the other one: true for the second.
    pub fn kept(&self, outputs: &[[Output; 2]]) -> Option<bool> {
        let kept = |second: usize| {
            let is = |turned: &TurnedVector| {
                outputs.iter().all(|pair| turned.y[pair[second].to] == turned.x[pair[second].to])
            };
            self.all.iter().all(is)
        };
        let [first, second] = [0, 1].map(kept);
        (first != second).then_some(second)
    }

    /// True if the differences from what is expected are no independent roundings: other factors of an entry's products, a constant besides
    /// them or one factor of a vector explain more than half of their squares, in most entries or vectors; or entries are 0.
    pub fn are_systematic(&self, layout: Layout) -> bool {
        let outputs = outputs(&pairs_of(layout, self.pairs));
        let outputs = outputs.as_flattened();
        let expected = |of: Output, turned: &TurnedVector| {
            let (c, s) = self.products(of, turned);
            c + s
        };
        let part = |differences: &mut dyn Iterator<Item = ((f64, f64), f64)>| {
            let mut sums = LeastSquares::default();
            differences.for_each(|(directions, off)| sums.add(directions, off));
            sums.factors(0.0).map_or(0.0, |factors| sums.explained(factors))
        };
        let off = |of: Output, turned: &TurnedVector| turned.y[of.to] - expected(of, turned);
        let of_products =
            outputs.iter().map(|&of| part(&mut self.all.iter().map(|x| (self.products(of, x), off(of, x)))));
        let of_constants =
            outputs.iter().map(|&of| part(&mut self.all.iter().map(|x| ((1.0, expected(of, x)), off(of, x)))));
        let of_vectors =
            self.all.iter().map(|x| part(&mut outputs.iter().map(|&of| ((expected(of, x), 0.0), off(of, x)))));
        // Of independent roundings, two factors explain a part of two in as many as there are differences.
        let most = |parts: &[f64]| 2 * parts.iter().filter(|part| **part > 0.5).count() > parts.len();
        let parts = [of_products.collect::<Vec<_>>(), of_constants.collect(), of_vectors.collect()];
        let vanished = |x: &TurnedVector| {
            outputs.iter().any(|&of| x.y[of.to] == 0.0 && expected(of, x).abs() > self.limit(x, of, (of.pair, of.pair)))
        };
        !self.are_few() && (parts.iter().any(|parts| most(parts)) || self.all.iter().any(vanished))
    }

    /// True if an output takes the cosine of one pair and the sine of another.
    pub fn takes(&self, of: Output, (cosine, sine): (usize, usize)) -> bool {
        self.all.iter().all(|turned| {
            let (on_cos, on_sin) = of.factors(&turned.x);
            let RowAngles { cos, sin, .. } = &self.rows[turned.row];
            let expected = on_cos * cos[cosine] + on_sin * sin[sine];
            (turned.y[of.to] - expected).abs() <= self.limit(turned, of, (cosine, sine))
        })
    }
}

/// The outputs of all pairs of a layout.
pub fn outputs(read: &[(usize, usize)]) -> Vec<[Output; 2]> {
    let of = |(pair, &read): (usize, &(usize, usize))| {
        [(read.0, false), (read.1, true)].map(|(to, second)| Output { pair, read, to, second })
    };
    read.iter().enumerate().map(of).collect()
}
