//! Numbers behind the part of the page that moves: certified, or measured beside a bound. The page computes none of them.

use crate::bound::{Impossible, Model, Program, shift_residual};
use crate::claims::toeplitz::printed_values::PRINTED;
use crate::encoding::convention::Convention;
use crate::number::format::Format;
use crate::report::decimal::{rounded_up, short};
use crate::report::plot::data::Unavailable;
use crate::report::plot::data::encoding::{certain_decimal, enclosed_dot_products};
use posproof_bound::Arithmetic;
use posproof_numerics::{Interval, Rational};
use serde::Serialize;

/// Everything that is moved.
#[derive(Clone, Debug, Serialize)]
pub struct Explorables {
    shift: Shift,
    clock: Clock,
    toeplitz: Toeplitz,
    distance: Vec<Distances>,
    permutation: Permutation,
}

/// T(k) of four pairs, and the largest residual of T(k) PE(t) = PE(t + k) in binary32.
#[derive(Clone, Debug, Serialize)]
struct Shift {
    dim: usize,
    /// Positions t that residuals are computed at: those below.
    length: u64,
    shifts: Vec<Turn>,
}

/// One shift.
#[derive(Clone, Debug, Serialize)]
struct Turn {
    k: u64,
    /// cos(kω) and sin(kω) of each pair, to [`DECIMALS`] decimals.
    pairs: Vec<[String; 2]>,
    /// The largest residual of all pairs and positions, and the bound of its pair.
    residual: String,
    bound: String,
    /// The largest quotient of a residual and the bound of its pair, rounded up.
    share: f64,
}

/// Hands of four pairs at a position, and at the position as bf16 holds it.
#[derive(Clone, Debug, Serialize)]
struct Clock {
    positions: Vec<Hands>,
}

#[derive(Clone, Debug, Serialize)]
struct Hands {
    position: u64,
    /// The nearest number that bf16 has.
    held: u64,
    exact: Vec<[String; 2]>,
    rounded: Vec<[String; 2]>,
}

/// D at each distance, and the floats that a document prints.
#[derive(Clone, Debug, Serialize)]
struct Toeplitz {
    dim: usize,
    products: Vec<String>,
    printed: Vec<([i64; 2], f64)>,
}

/// ‖PE(t) − PE(0)‖ for t = 1, 2, … of a dimension.
#[derive(Clone, Debug, Serialize)]
struct Distances {
    dim: usize,
    /// Rounded to four digits; drawn.
    values: Vec<f64>,
    /// The position of the least of them, and an enclosure of it.
    least: u64,
    enclosed: [String; 2],
}

/// Attention over four tokens in every order.
#[derive(Clone, Debug, Serialize)]
struct Permutation {
    tokens: Vec<[i32; 2]>,
    /// The output of each token, to [`DECIMALS`] decimals.
    exact: Vec<[String; 2]>,
    orders: Vec<Order>,
}

/// Outputs in binary32 in one order of the tokens: sums are rounded in that order.
#[derive(Clone, Debug, Serialize)]
struct Order {
    order: [usize; 4],
    outputs: Vec<[f32; 2]>,
}

/// Digits after the point of what is certified.
const DECIMALS: usize = 6;

/// The encoding whose pairs are drawn: four, whose frequencies are 1, 1/10, 1/100 and 1/1000.
fn drawn() -> Convention {
    Convention::sinusoid(8)
}

const LENGTH: u64 = 512;
const LAST_SHIFT: u64 = 64;

/// Bits of enclosures: positions take twenty, and all decimals are certain.
const BITS: u32 = 128;

fn decimal(value: &Interval) -> Result<String, Unavailable> {
    certain_decimal(value, DECIMALS).ok_or_else(|| Unavailable::Enclosure("a number of the page".to_owned()))
}

/// Cosine and sine of position × frequency.
fn turned(position: u64, frequency: &Interval) -> Result<[String; 2], Unavailable> {
    let (cos, sin) = (frequency.clone() * Interval::rational(&Rational::from(position), BITS)).cos_sin();
    Ok([decimal(&cos)?, decimal(&sin)?])
}

fn frequencies(convention: &Convention) -> Result<Vec<Interval>, Unavailable> {
    convention.frequencies(BITS).ok_or_else(|| Unavailable::Enclosure("a frequency".to_owned()))
}

/// The entries of a pair in binary32 with a correctly rounded frequency and functions, below a length.
fn waves(frequency: f64, length: u64) -> Vec<[f32; 2]> {
    let frequency = frequency as f32;
    let angle = |t: u64| t as f32 * frequency;
    (0..length).map(|t| [core_math::cosf(angle(t)), core_math::sinf(angle(t))]).collect()
}

fn shift() -> Result<Shift, Unavailable> {
    let convention = drawn();
    let (frequencies, pairs) = (frequencies(&convention)?, convention.pairs());
    let model = Model::new(&convention, &Program::rounded(Format::F32))?;
    let arithmetic = Arithmetic::plain(Format::F32);
    let rates = (0..pairs).map(|pair| model.rate(pair)).collect::<Result<Vec<_>, Impossible>>()?;
    let waves: Vec<Vec<[f32; 2]>> =
        frequencies.iter().map(|frequency| waves(frequency.approximate(), LENGTH + LAST_SHIFT)).collect();
    let one = |k: u64| {
        let (mut largest, mut of, mut share) = (0.0f64, 0.0f64, 0.0f64);
        for (rate, wave) in rates.iter().zip(&waves) {
            let at = |range| model.pair(rate, range);
            let bound = shift_residual(arithmetic, at(0..LENGTH)?, at(k..k + 1)?, at(k..k + LENGTH)?).value();
            let [ck, sk] = wave[k as usize];
            let residual = (0..LENGTH as usize).map(|t| {
                let ([c, s], [cos, sin]) = (wave[t], wave[t + k as usize]);
                // The difference of two numbers of binary32 is taken exactly enough in binary64.
                let apart = |computed: f32, entry: f32| (f64::from(computed) - f64::from(entry)).abs();
                apart(s * ck + c * sk, sin).max(apart(c * ck - s * sk, cos))
            });
            let residual = residual.fold(0.0, f64::max);
            share = share.max((residual / bound).next_up());
            if residual > largest {
                (largest, of) = (residual, bound);
            }
        }
        let pairs = frequencies.iter().map(|frequency| turned(k, frequency)).collect::<Result<_, _>>()?;
        // No product is rounded where nothing turns.
        let bound = if largest > 0.0 { rounded_up(of) } else { "0".to_owned() };
        Ok(Turn { k, pairs, residual: short(largest), bound, share })
    };
    let shifts = (0..=LAST_SHIFT).map(one).collect::<Result<_, Unavailable>>()?;
    Ok(Shift { dim: convention.dim, length: LENGTH, shifts })
}

/// Positions of the clock: small ones, and those around the powers of two from which bf16 holds every second, fourth, … integer.
fn shown() -> Vec<u64> {
    let around = [8, 9, 10, 11, 12].map(|power| 1u64 << power);
    (0..16).chain([32, 64, 128]).chain(around.into_iter().flat_map(|power| power - 1..power + 10)).collect()
}

fn clock() -> Result<Clock, Unavailable> {
    let frequencies = frequencies(&drawn())?;
    let hands = |position: u64| {
        let held = half::bf16::from_f64(position as f64).to_f64() as u64;
        let of =
            |position| frequencies.iter().map(|frequency| turned(position, frequency)).collect::<Result<Vec<_>, _>>();
        Ok(Hands { position, held, exact: of(position)?, rounded: of(held)? })
    };
    Ok(Clock { positions: shown().into_iter().map(hands).collect::<Result<_, Unavailable>>()? })
}

fn toeplitz() -> Result<Toeplitz, Unavailable> {
    let convention = Convention::sinusoid(512);
    let products = enclosed_dot_products(&convention, 96)?;
    let certain = |value| {
        certain_decimal(value, 10).ok_or_else(|| Unavailable::Enclosure("a dot product of the page".to_owned()))
    };
    let products = products.iter().map(certain).collect::<Result<_, _>>()?;
    Ok(Toeplitz { dim: convention.dim, products, printed: PRINTED.to_vec() })
}

/// Positions whose distance from position 0 is drawn.
const FARTHEST: u64 = 1024;

fn distances(dim: usize) -> Result<Distances, Unavailable> {
    let frequencies = frequencies(&Convention::sinusoid(dim))?;
    let rates: Vec<f64> = frequencies.iter().map(Interval::approximate).collect();
    // ‖PE(t) − PE(0)‖² is Σ (2 − 2·cos tω) = Σ 4·sin²(tω/2), where nothing cancels.
    let distance = |t: u64| {
        let square = |rate: &f64| (2.0 * core_math::sin(t as f64 * rate / 2.0)).powi(2);
        rates.iter().map(square).sum::<f64>().sqrt()
    };
    let values: Vec<f64> = (1..=FARTHEST).map(distance).collect();
    let least = (1..).zip(&values).min_by(|a, b| a.1.total_cmp(b.1)).map_or(1, |(t, _)| t);
    let half = Interval::rational(&Rational::from((least as i64, 2)), BITS);
    let square = |frequency: &Interval| {
        let (_, sine) = (frequency.clone() * half.clone()).cos_sin();
        sine.clone() * sine * Interval::from(4)
    };
    let sum = frequencies.iter().fold(Interval::exactly(0.0).at(BITS), |sum, frequency| sum + square(frequency));
    let (lower, upper) = sum.sqrt().decimal_with(8);
    let rounded = |value: f64| format!("{value:.3e}").parse().unwrap_or(value);
    Ok(Distances { dim, values: values.into_iter().map(rounded).collect(), least, enclosed: [lower, upper] })
}

/// The tokens: their vectors are queries, keys and values at once.
const TOKENS: [[i32; 2]; 4] = [[1, 0], [0, 2], [-1, 1], [2, 1]];

/// All orders of four tokens.
fn orders() -> Vec<[usize; 4]> {
    let all = (0..256usize).map(|code| [code / 64, code / 16 % 4, code / 4 % 4, code % 4]);
    all.filter(|order| (0..4).all(|token| order.contains(&token))).collect()
}

fn permutation() -> Result<Permutation, Unavailable> {
    let dot = |a: [i32; 2], b: [i32; 2]| a[0] * b[0] + a[1] * b[1];
    let root = Interval::from(2).at(BITS).sqrt();
    let exact = |query: [i32; 2]| {
        let weights = TOKENS.map(|key| (Interval::from(dot(query, key)).at(BITS) / root.clone()).exp());
        let sum = |factor: &dyn Fn([i32; 2]) -> i32| {
            let terms =
                TOKENS.iter().zip(&weights).map(|(token, weight)| weight.clone() * Interval::from(factor(*token)));
            terms.fold(Interval::exactly(0.0).at(BITS), |sum, term| sum + term)
        };
        let whole = sum(&|_| 1);
        Ok([decimal(&(sum(&|token| token[0]) / whole.clone()))?, decimal(&(sum(&|token| token[1]) / whole))?])
    };
    let exact = TOKENS.map(exact).into_iter().collect::<Result<_, Unavailable>>()?;
    let computed = |order: [usize; 4]| {
        let tokens = order.map(|token| TOKENS[token]);
        let output = |query: [i32; 2]| {
            let weights = tokens.map(|key| core_math::expf(dot(query, key) as f32 / 2f32.sqrt()));
            let whole = weights.iter().fold(0f32, |sum, weight| sum + weight);
            [0, 1].map(|column| {
                let terms = tokens.iter().zip(weights).map(|(token, weight)| weight / whole * token[column] as f32);
                terms.fold(0f32, |sum, term| sum + term)
            })
        };
        Order { order, outputs: tokens.map(output).to_vec() }
    };
    Ok(Permutation { tokens: TOKENS.to_vec(), exact, orders: orders().into_iter().map(computed).collect() })
}

impl Explorables {
    /// Computes them.
    ///
    /// # Errors
    ///
    /// Where a number has no certain decimals.
    pub fn new() -> Result<Self, Unavailable> {
        let distance = [2, 4, 8, 64, 512].map(distances).into_iter().collect::<Result<_, _>>()?;
        Ok(Self { shift: shift()?, clock: clock()?, toeplitz: toeplitz()?, distance, permutation: permutation()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_are_within_their_bounds_and_some_are_not_zero() {
        let shift = shift().unwrap();
        assert_eq!(shift.shifts.len() as u64, LAST_SHIFT + 1);
        assert_eq!((shift.shifts[0].residual.as_str(), shift.shifts[0].share < 1e-300), ("0", true));
        assert!(shift.shifts.iter().all(|turn| turn.share <= 1.0), "{shift:?}");
        assert!(shift.shifts.iter().any(|turn| turn.share > 0.1), "{shift:?}");
        // cos 3 and sin 3.
        assert_eq!(shift.shifts[3].pairs[0], ["−0.989992", "0.141120"]);
    }

    #[test]
    fn the_hand_of_bf16_is_behind_from_257_on() {
        let clock = clock().unwrap();
        let at = |position| clock.positions.iter().find(|hands| hands.position == position).unwrap();
        assert_eq!(
            [255, 256, 257, 259, 4096, 4097, 4105].map(|position| at(position).held),
            [255, 256, 256, 260, 4096, 4096, 4096]
        );
        assert!(clock.positions.iter().all(|hands| (hands.exact == hands.rounded) == (hands.position == hands.held)));
    }

    #[test]
    fn positions_are_apart_and_the_least_distance_is_an_enclosure() {
        let distances = distances(2).unwrap();
        // 710 is nearly 226·π.
        assert_eq!(distances.least, 710);
        assert!(distances.values.iter().all(|value| *value > 0.0));
        let [lower, upper] = distances.enclosed.map(|end| end.parse::<f64>().unwrap());
        assert!(lower <= upper && (lower - (2.0 * 355f64.sin()).abs()).abs() < 1e-9, "{lower} {upper}");
    }

    #[test]
    fn rows_follow_the_tokens() {
        let permutation = permutation().unwrap();
        assert_eq!(permutation.orders.len(), 24);
        let mut moved = 0;
        let first = &permutation.orders[0].outputs;
        for Order { order, outputs } in &permutation.orders {
            for (token, output) in order.iter().zip(outputs) {
                for (column, value) in output.iter().enumerate() {
                    let exact: f64 = permutation.exact[*token][column].replace('−', "-").parse().unwrap();
                    assert!((f64::from(*value) - exact).abs() < 2e-6, "{order:?}: {value} {exact}");
                    moved += usize::from(*value != first[*token][column]);
                }
            }
        }
        assert!(moved > 0, "rounding depends on the order");
    }
}
