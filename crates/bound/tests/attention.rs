//! Logits and outputs of attention in bf16 with f32 accumulation, against their bounds: at random, and where a directed
//! search finds the largest errors.

use posproof_bound::{Accumulation, Attention, Bound, Model, Products, Program};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;

const DIM: usize = 128;
const BASE: f64 = 10000.0;
const POSITIONS: u64 = 4096;
const TABLE: Format = Format::Bf16;

/// What binary64 leaves of a logit below 512/√128: angles below 4096 within 2⁻⁴², and 300 roundings by 2⁻⁵³, come to 3·10⁻¹¹.
const SLACK: f64 = 1e-10;

struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() * limit as f64) as u64
    }

    /// A number of the format, in ±[1, 2).
    fn component(&mut self) -> f64 {
        TABLE.round(1.0 + 0.99 * self.next()) * if self.next() < 0.5 { -1.0 } else { 1.0 }
    }
}

/// (cos, sin) of tω in binary64, and as the table has them.
fn turn(pair: usize, t: u64) -> [[f64; 2]; 2] {
    let omega = core_math::pow(BASE, -2.0 * pair as f64 / DIM as f64);
    let (sin, cos) = core_math::sincos(t as f64 * omega);
    [[cos, sin], [TABLE.round(cos), TABLE.round(sin)]]
}

fn rotated(round: impl Fn(f64) -> f64, [x, y]: [f64; 2], [c, s]: [f64; 2]) -> [f64; 2] {
    [round(round(x * c) - round(y * s)), round(round(x * s) + round(y * c))]
}

/// q̂·k̂ and q·k of one pair.
fn pair_score(q: [f64; 2], k: [f64; 2], m: [[f64; 2]; 2], n: [[f64; 2]; 2]) -> ([f64; 2], [f64; 2], f64) {
    let computed = [rotated(|x| TABLE.round(x), q, m[1]), rotated(|x| TABLE.round(x), k, n[1])];
    let exact = [rotated(|x| x, q, m[0]), rotated(|x| x, k, n[0])];
    (computed[0], computed[1], exact[0][0] * exact[1][0] + exact[0][1] * exact[1][1])
}

struct Logit {
    computed: f64,
    exact: f64,
    lengths: [f64; 2],
}

/// The logit of a query at m and a key at n, products and sums in f32.
fn logit(query: &[[f64; 2]], key: &[[f64; 2]], m: &[[[f64; 2]; 2]], n: &[[[f64; 2]; 2]]) -> Logit {
    let (mut sum, mut exact) = (0f32, 0.0);
    for (((q, k), m), n) in query.iter().zip(key).zip(m).zip(n) {
        let (q, k, score) = pair_score(*q, *k, *m, *n);
        sum += q[0] as f32 * k[0] as f32;
        sum += q[1] as f32 * k[1] as f32;
        exact += score;
    }
    let length = |x: &[[f64; 2]]| x.iter().map(|[a, b]| a * a + b * b).sum::<f64>().sqrt() * (1.0 + 1e-12);
    let scale = 1.0 / (DIM as f64).sqrt();
    Logit { computed: f64::from(scale as f32 * sum), exact: scale * exact, lengths: [length(query), length(key)] }
}

fn table() -> Bound {
    let model = Model::new(&Convention::rope(DIM), &Program { storage: TABLE, ..Program::rounded(Format::F64) });
    let model = model.expect("possible");
    let pairs = (0..DIM / 2).map(|pair| model.pair(&model.rate(pair).expect("a rate"), 0..POSITIONS).expect("a bound"));
    pairs.reduce(Bound::max).expect("pairs")
}

fn attention(lengths: [f64; 2], keys: u32) -> Attention {
    let [query, key] = lengths;
    Attention { query, key, ..Attention::usual(TABLE, DIM as u32, DIM as u32 / 2, keys) }
}

fn vector(draw: &mut Draw) -> Vec<[f64; 2]> {
    (0..DIM / 2).map(|_| [draw.component(), draw.component()]).collect()
}

fn turns(draw: &mut Draw) -> Vec<[[f64; 2]; 2]> {
    let t = draw.below(POSITIONS);
    (0..DIM / 2).map(|pair| turn(pair, t)).collect()
}

#[test]
fn logits_and_outputs_at_random_are_within_their_bounds() {
    let (mut draw, table) = (Draw(17), table());
    for _ in 0..20 {
        let (query, m) = (vector(&mut draw), turns(&mut draw));
        let logits: Vec<Logit> = (0..16)
            .map(|_| {
                let (key, n) = (vector(&mut draw), turns(&mut draw));
                logit(&query, &key, &m, &n)
            })
            .collect();
        let longest = logits.iter().map(|logit| logit.lengths[1]).fold(0.0, f64::max);
        let attention = attention([logits[0].lengths[0], longest], 16);
        let bound = attention.logit(table).value();
        for logit in &logits {
            assert!((logit.computed - logit.exact).abs() <= bound + SLACK);
        }
        let largest = logits.iter().map(|logit| logit.computed as f32).fold(f32::MIN, f32::max);
        let exps: Vec<f32> = logits.iter().map(|logit| core_math::expf(logit.computed as f32 - largest)).collect();
        let sum: f32 = exps.iter().sum();
        let weights: Vec<f64> = exps.iter().map(|e| TABLE.round(f64::from(e / sum))).collect();
        let most = logits.iter().map(|logit| logit.exact).fold(f64::MIN, f64::max);
        let exact: Vec<f64> = logits.iter().map(|logit| core_math::exp(logit.exact - most)).collect();
        let total: f64 = exact.iter().sum();
        // Values of ±1 that make every weight's error count.
        let signs: Vec<f64> = weights.iter().zip(&exact).map(|(p, e)| (p - e / total).signum()).collect();
        let output = weights.iter().zip(&signs).fold(0f32, |sum, (p, x)| sum + (p * x) as f32);
        let truth: f64 = exact.iter().zip(&signs).map(|(e, x)| e / total * x).sum();
        let bound = attention.output(table).value();
        assert!((f64::from(output) - truth).abs() <= bound + SLACK, "{output} {truth} {bound}");
    }
}

/// The worst dot product of 128 terms by its Σ|x_i y_i|, in bf16 with sums in f32: one after the other, each of 127 products
/// of 2⁻¹² is half a unit of the sum and rounded away. No order and no vectors err by more than the bound.
#[test]
fn the_bound_of_a_dot_product_of_128_is_attained() {
    let vector: Vec<f32> = (0..128).map(|i| if i == 0 { 1.0 } else { 2f32.powi(-12) }).collect();
    assert!(vector.iter().all(|x| TABLE.round(f64::from(*x)) == f64::from(*x)));
    let computed = vector.iter().fold(0f32, |sum, x| sum + x * x);
    let exact: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let error = (f64::from(computed) - exact).abs();
    let bound = Accumulation { format: Format::F32, products: Products::Exact }.dot(128, exact).value();
    println!("dot product of 128 in bf16: bound/worst {:.7}", bound / error);
    assert!(error <= bound && bound <= 1.3 * error, "{error} {bound}");
}

/// Pair by pair, the entries are changed as long as the error of the score by ‖q‖‖k‖ does not fall: the bound is at most
/// eight times the largest error found.
#[test]
fn a_directed_search_finds_an_eighth_of_the_bound_of_a_logit() {
    let (mut draw, table) = (Draw(19), table());
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        let (m, n) = (turns(&mut draw), turns(&mut draw));
        let (mut query, mut key) = (vector(&mut draw), vector(&mut draw));
        let error = |j: usize, q: [f64; 2], k: [f64; 2]| {
            let (a, b, exact) = pair_score(q, k, m[j], n[j]);
            a[0] * b[0] + a[1] * b[1] - exact
        };
        let square = |x: [f64; 2]| x[0] * x[0] + x[1] * x[1];
        let mut errors: Vec<f64> = (0..DIM / 2).map(|j| error(j, query[j], key[j])).collect();
        for step in 0..40_000 {
            let j = step % (DIM / 2);
            let (mut q, mut k) = (query[j], key[j]);
            for _ in 0..1 + draw.below(2) {
                let entry = draw.below(4) as usize;
                let moved = draw.component();
                if entry < 2 { q[entry] = moved } else { k[entry - 2] = moved }
            }
            let found = error(j, q, k);
            let gain = |error: f64, q: [f64; 2], k: [f64; 2]| error / (square(q) * square(k)).sqrt();
            if gain(found, q, k) >= gain(errors[j], query[j], key[j]) {
                (query[j], key[j], errors[j]) = (q, k, found);
            }
        }
        let logit = logit(&query, &key, &m, &n);
        let bound = attention(logit.lengths, 1).logit(table).value();
        let found = (logit.computed - logit.exact).abs() - SLACK;
        assert!(found <= bound, "{found} {bound}");
        least = least.min(bound / found);
    }
    println!("logits in bf16, directed: bound/error {least:.3}");
    assert!(least <= 8.0, "{least}");
}
