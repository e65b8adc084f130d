//! Logits and outputs of attention in bf16 with f32 accumulation, against their bounds: at random, and where a directed
//! search finds the largest errors.

use posproof_bound::{Accumulation, Attention, Bound, Model, Products, Program};
use posproof_encoding::convention::Convention;
use posproof_numerics::format::Format;

const DIM: usize = 128;
const BASE: f64 = 10000.0;
const POSITIONS: u64 = 4096;
const TABLE: Format = Format::Bf16;

/// Error that binary64 leaves of a logit below 512/√128: angles below 4096 within 2⁻⁴², and 300 roundings by 2⁻⁵³, come to
/// 3·10⁻¹¹.
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

/// Products of bf16 factors are exact in f32 but for those that underflow: 128 of 2⁻¹⁵⁰, each of which rounds to 0.
#[test]
fn products_that_underflow_are_within_the_bound_of_exact_ones() {
    let tiny = 2f32.powi(-75);
    let computed = (0..128).fold(0f32, |sum, _| sum + tiny * tiny);
    let exact = 128.0 * 2f64.powi(-150);
    let bound = Accumulation { format: Format::F32, products: Products::Exact }.dot(128, exact).value();
    let error = (f64::from(computed) - exact).abs();
    assert!(error == exact && error <= bound && bound <= 1.001 * error, "{error:e} {bound:e}");
}

fn model(storage: Format) -> Model {
    Model::new(&Convention::rope(DIM), &Program { storage, ..Program::rounded(Format::F32) }).expect("possible")
}

/// The guide's figures between the marks of this name; with POSPROOF_WRITE_DOCS they are put there.
fn documented(name: &str, lines: &[String]) {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/logits.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
    let (before, rest) = page.split_once(&begin).expect("the beginning of the figures");
    let (shown, after) = rest.split_once(&end).expect("the end of the figures");
    let found = lines.join("\n") + "\n";
    if std::env::var_os("POSPROOF_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{found}{end}{after}")).expect("written");
    } else {
        assert!(shown == found, "docs/logits.md has other figures; accept these with POSPROOF_WRITE_DOCS=1:\n{found}");
    }
}

/// The worst case that a directed search finds is a lower bound: the bound is at most eight times that. The bound that
/// holds with a probability is the smaller one where components are of one size.
#[test]
fn a_directed_search_finds_an_eighth_of_the_bound_of_a_logit() {
    let mut lines = vec![
        "| table | bound of a logit | bound at 1 − 10⁻⁹, pairs of one length | largest error found | bound ÷ found, lengths as found | bound at 1 − 10⁻⁹ ÷ found |"
            .to_owned(),
        "| --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    for storage in [Format::Bf16, Format::F16, Format::F32] {
        let model = model(storage);
        let attention = model.usual_attention(64);
        let found = model.search_logit(&attention, &(0..POSITIONS)).expect("a search");
        let bound = model.logits(&attention, &(0..POSITIONS)).expect("bounds").pop().expect("a bound").instance.value();
        let probable = model.probable_logits(&attention, &(0..POSITIONS), 1.0).expect("a bound");
        let ratio = probable.bound.value() / found.error;
        lines.push(format!(
            "| {storage} | {bound:.3e} | {:.3e} | {:.3e} | {:.3} | {ratio:.3} |",
            probable.bound.value(),
            found.error,
            found.ratio().expect("an error"),
        ));
        assert!(found.lengths[0] <= attention.query && found.lengths[1] <= attention.key);
        assert!(found.error <= found.bound.value() && found.bound.value() <= bound);
        assert!(probable.bound.value() < bound);
        assert!(found.ratio().is_some_and(|ratio| ratio <= 8.0) && ratio <= 1.5, "{found:?} {ratio}");
        assert_eq!(found, model.search_logit(&attention, &(0..POSITIONS)).expect("a search"));
    }
    documented("searched", &lines);
}

/// The first key stands at 0, where the table is exact: of what makes a logit change with absolute position it has less than an
/// equal part, and where entries and operations err most, not the query's angle as in f32, less than any other key.
#[test]
fn the_first_key_depends_less_on_absolute_position_than_others() {
    for storage in [Format::Bf16, Format::F16, Format::F32] {
        let model = model(storage);
        let attention = model.usual_attention(1);
        let split = model.errors_by_key(&attention, &(0..POSITIONS), 10).expect("a measurement");
        println!("{storage}: {split:?}");
        let (first, others) = split.classes.split_first().expect("classes");
        assert_eq!((first.positions.clone(), others.last().map(|keys| keys.positions.end)), (0..1, Some(1792)));
        let least = others.iter().all(|keys| first.moved < keys.moved && first.error < keys.error);
        assert!(least || storage == Format::F32, "{split:?}");
        // Within its worst-case bound, twice; and all keys have all of it.
        let bound = model.logits(&attention, &(0..POSITIONS)).expect("bounds").pop().expect("a bound").instance.value();
        assert!(split.classes.iter().all(|keys| keys.error <= bound && keys.largest <= 2.0 * bound));
        let shares: f64 = split.classes.iter().map(|keys| keys.share).sum();
        assert!((shares - 1.0).abs() < 1e-9 && first.share * 1792.0 < 1.0, "{shares}");
        assert!(split.half_at_weight > 0.01 && split.half_at_weight < 0.05, "{}", split.half_at_weight);
        assert_eq!(split, model.errors_by_key(&attention, &(0..POSITIONS), 10).expect("a measurement"));
        assert!(model.errors_by_key(&attention, &(0..15), 10).is_err_and(|error| error.what == "positions"));
    }
}

#[test]
fn a_search_finds_errors_of_outputs_within_their_bounds() {
    for storage in [Format::Bf16, Format::F16, Format::F32] {
        let model = model(storage);
        let attention = model.usual_attention(4096);
        let found = model.search_output(&attention, &(0..POSITIONS)).expect("a search");
        let probable = model.probable_outputs(&attention, &(0..POSITIONS), 1.0).expect("a bound").bound.value();
        println!(
            "outputs in {storage}: bound/found {:.3}, probable/found {:.3}",
            found.ratio().expect("an error"),
            probable / found.error
        );
        assert!(found.error > 0.0 && found.error <= found.bound.value() && found.keys.len() == 64);
    }
}

/// With one pair alone there is nothing to average over: the bound is √64 times as large, but for what is counted in full.
#[test]
fn what_is_probable_depends_on_the_spread() {
    let model = model(TABLE);
    let attention = model.usual_attention(64);
    let at = |spread| model.probable_logits(&attention, &(0..POSITIONS), spread);
    let [even, uneven] = [1.0, attention.largest_spread()].map(|spread| at(spread).expect("a bound").bound.value());
    assert!(7.0 * even < uneven && uneven < 8.1 * even, "{even} {uneven}");
    for outside in [0.5, 8.5, f64::NAN] {
        assert!(at(outside).is_err_and(|error| error.to_string().contains("spread")));
    }
    let more = model.probable_outputs(&attention, &(0..POSITIONS), 1.0).expect("a bound").bound.value();
    assert!(
        more < model.outputs(&attention, &(0..POSITIONS)).expect("bounds").pop().expect("a bound").instance.value()
    );
}
