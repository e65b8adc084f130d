//! Honest implementations of which the true positions are known.

use posproof_check::positions::{Decoded, Located, Query, decode};
use posproof_check::{Slice, Subject};
use posproof_encoding::convention::{Convention, Direction, Encoding, Layout};
use posproof_numerics::format::Format;
use posproof_table::Element;

/// Numbers that look random, the same in every run (splitmix64).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// From −1 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn positions(&mut self, count: usize, first: i64, end: i64) -> Vec<i64> {
        (0..count).map(|_| first + (self.next() % end.abs_diff(first)) as i64).collect()
    }

    /// Vectors of length 1, rounded to a format.
    pub fn vectors<T: Element>(&mut self, rows: usize, dim: usize) -> Vec<T> {
        let mut vectors = Vec::with_capacity(rows * dim);
        for _ in 0..rows {
            let row: Vec<f64> = (0..dim).map(|_| self.unit()).collect();
            let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
            vectors.extend(row.iter().map(|x| T::from_exact(T::FORMAT.round(x / length))));
        }
        vectors
    }
}

/// Cosines and sines as an implementation computes them in binary32, from frequencies that are rounded to it.
pub struct Binary32 {
    frequencies: Vec<f32>,
    offset: f32,
    scale: f32,
    sense: f32,
    gain: f32,
}

impl Binary32 {
    pub fn of(convention: &Convention) -> Self {
        let frequencies = convention.frequencies(64).expect("a convention");
        Self {
            frequencies: frequencies.iter().map(|omega| omega.approximate() as f32).collect(),
            offset: convention.position_offset.value().to_f64() as f32,
            scale: convention.position_scale.value().to_f64() as f32,
            sense: if convention.direction == Direction::Clockwise { -1.0 } else { 1.0 },
            gain: convention.gain().enclose(64).approximate() as f32,
        }
    }

    /// Cosine and sine of a pair at a position.
    pub fn at(&self, position: i64, pair: usize) -> (f32, f32) {
        let angle = (position as f32 + self.offset) * self.scale * self.frequencies[pair];
        (self.gain * core_math::cosf(angle), self.sense * self.gain * core_math::sinf(angle))
    }
}

fn rounded<T: Element>(x: f32) -> T {
    T::from_exact(T::FORMAT.round(f64::from(x)))
}

/// The cache [cos, sin] of some positions, or for a sinusoid the table, twice.
pub fn cache<T: Element>(convention: &Convention, positions: &[i64]) -> [Vec<T>; 2] {
    let program = Binary32::of(convention);
    let both = || positions.iter().flat_map(|&p| (0..convention.pairs()).map(move |k| (p, k)));
    [
        both().map(|(p, k)| rounded(program.at(p, k).0)).collect(),
        both().map(|(p, k)| rounded(program.at(p, k).1)).collect(),
    ]
}

/// Rows rotated in binary32, from cosines and sines in the format of the rows, as most models do it; rows of 8 bits from those in
/// bfloat16, because no cache is of 8 bits that is computed with.
pub fn rotated<T: Element>(convention: &Convention, positions: &[i64], x: &[T]) -> Vec<T> {
    let (program, dim, pairs) = (Binary32::of(convention), convention.dim, convention.pairs());
    let mut y = x.to_vec();
    for (row, &position) in positions.iter().enumerate() {
        for k in 0..pairs {
            let ((a, b), (to_a, to_b)) = match convention.layout {
                Layout::Interleaved => ((2 * k, 2 * k + 1), (2 * k, 2 * k + 1)),
                Layout::Halves => ((k, k + pairs), (k, k + pairs)),
                Layout::InterleavedToHalves => ((2 * k, 2 * k + 1), (k, k + pairs)),
            };
            let held = if T::FORMAT.narrow().is_some() { Format::Bf16 } else { T::FORMAT };
            let narrow = |x: f32| held.round(f64::from(x)) as f32;
            let (cos, sin) = program.at(position, k);
            let (cos, sin) = (narrow(cos), narrow(sin));
            let (a, b) = (x[row * dim + a].to_f64() as f32, x[row * dim + b].to_f64() as f32);
            y[row * dim + to_a] = rounded(a * cos - b * sin);
            y[row * dim + to_b] = rounded(a * sin + b * cos);
        }
    }
    y
}

/// The rows of a cache, decoded.
pub fn of_cache<T: Element>(query: &Query, positions: &[i64]) -> Decoded {
    let [cos, sin] = cache::<T>(&query.convention, positions);
    let width = query.convention.pairs();
    let (cos, sin) = (Slice::new("cos", &cos, width).unwrap(), Slice::new("sin", &sin, width).unwrap());
    assert_eq!(query.convention.encoding, Encoding::Rope);
    decode(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, query).unwrap()
}

/// Random vectors, rotated, and decoded.
pub fn of_rotation<T: Element>(query: &Query, positions: &[i64], numbers: &mut Numbers) -> Decoded {
    let dim = query.convention.dim;
    let x = numbers.vectors::<T>(positions.len(), dim);
    let y = rotated(&query.convention, positions, &x);
    let (x, y) = (Slice::new("x", &x, dim).unwrap(), Slice::new("y", &y, dim).unwrap());
    decode(Subject::Rotation { x: &x, y: &y }, query).unwrap()
}

/// No certified row is wrong, and what remains of an ambiguous one holds the true position; returns how many are certified.
#[track_caller]
pub fn sound(decoded: &Decoded, positions: &[i64]) -> usize {
    assert_eq!(decoded.axes[0].located.len(), positions.len());
    for (row, (found, &truth)) in decoded.axes[0].located.iter().zip(positions).enumerate() {
        match found {
            Located::Certified { position } => assert_eq!(*position, truth, "row {row}"),
            Located::Ambiguous(candidates) => {
                assert_ne!(candidates.contains(truth), Some(false), "row {row}: {truth} is not in {candidates:?}");
            }
            _ => panic!("row {row}, position {truth}: {found}"),
        }
    }
    decoded.axes[0].counts.certified as usize
}
