//! Dot products, rotated pairs, scores and residuals: within their bounds, and where it matters close to them.

use super::draw::Draw;
use posproof::bound::{
    Arithmetic, Bound, Model, Program, ScorePair, Summation, complex_product, dot, dot_of_small_products,
    relative_position, rotated_pair, score, shift_residual, toeplitz,
};
use posproof::encoding::convention::Convention;
use posproof::number::format::Format;

const PLAIN: Arithmetic = Arithmetic { format: Format::F32, fused: false };

/// Eight products just below 1 that round up by nearly half a spacing, chosen one by one so that every sum
/// rounds up as far as it can: the error in units of u = 2^−24, exactly.
fn adversarial_dot_of_eight() -> f64 {
    let format = Format::F32;
    let u = format.unit_roundoff();
    let mut draw = Draw::new(7);
    let mut pool = Vec::new();
    while pool.len() < 400 {
        // (1 − au)(1 − bu) = 1 − (a + b)u + abu²: for a, b up to 8192 the last term reaches half a spacing.
        let (x, y) = (format.round(1.0 - draw.next() * 4.8e-4), format.round(1.0 - draw.next() * 4.8e-4));
        // Exact in binary64, and so is what the rounding adds.
        let (exact, rounded) = (x * y, format.round(x * y));
        if rounded - exact >= 0.4995 * u && rounded < 1.0 {
            pool.push((exact, rounded));
        }
    }
    let (mut sum, mut error) = (0.0, 0.0);
    for _ in 0..8 {
        let gained =
            |&(exact, rounded): &(f64, f64)| (format.round(sum + rounded) - (sum + rounded)) + (rounded - exact);
        let best = pool.iter().copied().max_by(|a, b| gained(a).total_cmp(&gained(b))).expect("a pool");
        error += gained(&best);
        sum = format.round(sum + best.1);
    }
    error / u
}

#[test]
fn the_bound_of_a_dot_product_of_length_8_is_attained_to_one_percent() {
    let bound = dot_of_small_products(Format::F32, 8).expect("short").value() / Format::F32.unit_roundoff();
    let attained = adversarial_dot_of_eight();
    println!("bound {bound} u, attained {attained} u, ratio {}", bound / attained);
    assert!(attained <= bound && bound / attained <= 1.01);
    assert!((bound - 25.0).abs() < 1e-12);
}

#[test]
fn dot_products_stay_within_their_bounds() {
    let mut draw = Draw::new(1);
    for format in [Format::F16, Format::Bf16, Format::F32] {
        for round in 0..3000u32 {
            let n = 1 + round % 40;
            let terms: Vec<(f64, f64)> = (0..n).map(|_| (draw.signed(format), draw.signed(format))).collect();
            let products: Vec<f64> = terms.iter().map(|(x, y)| format.round(x * y)).collect();
            // In binary64 the products are exact, and the errors of the sums far below the bounds.
            let exact: f64 = terms.iter().map(|(x, y)| x * y).sum();
            let mass: f64 = terms.iter().map(|(x, y)| (x * y).abs()).sum::<f64>() * (1.0 + 1e-12);
            let sequential = products.iter().skip(1).fold(products[0], |sum, p| format.round(sum + p));
            let fused = terms.iter().fold(0.0, |sum, (x, y)| format.round(sum + x * y));
            let wide =
                format.round(terms.iter().fold(0.0, |sum, (x, y)| Format::F32.round(sum + Format::F32.round(x * y))));
            let check = |computed: f64, bound: Bound| {
                assert!(
                    (computed - exact).abs() <= bound.value() + 1e-13,
                    "{format} {n}: {computed} {exact} {bound:?}"
                );
            };
            check(sequential, dot(format, n, mass, Summation::AnyOrder));
            check(sequential, dot_of_small_products(format, n).expect("short"));
            check(pairwise(format, &products), dot(format, n, mass, Summation::Pairwise));
            check(wide, dot(format, n, mass, Summation::Wide(Format::F32)));
            if format != Format::F32 {
                check(fused, dot(format, n, mass, Summation::Fused));
            }
        }
    }
    assert!(dot_of_small_products(Format::Bf16, 257).is_none());
}

fn pairwise(format: Format, terms: &[f64]) -> f64 {
    match terms {
        [] => 0.0,
        [one] => *one,
        _ => {
            // The left half is the largest power of two below the length: a tree of depth ⌈log₂ n⌉.
            let middle = terms.len().next_power_of_two() / 2;
            format.round(pairwise(format, &terms[..middle]) + pairwise(format, &terms[middle..]))
        }
    }
}

/// (x, y) turned by a tabulated (c, s), in binary32.
fn turn((x, y): (f32, f32), (c, s): (f32, f32)) -> (f32, f32) {
    (x * c - y * s, x * s + y * c)
}

fn distance(computed: (f32, f32), exact: (f64, f64)) -> f64 {
    (f64::from(computed.0) - exact.0).hypot(f64::from(computed.1) - exact.1)
}

#[test]
fn rotated_pairs_residuals_and_scores_stay_within_their_bounds() {
    let convention = Convention { base: 500000.into(), ..Convention::rope(128) };
    let model = Model::new(&convention, &Program::rounded(Format::F32)).expect("possible");
    let pairs = convention.pairs();
    let rates: Vec<_> = (0..pairs).map(|pair| model.rate(pair).expect("a frequency")).collect();
    let omega = |pair: usize| rates[pair].exact().approximate();
    let table = |t: u64, pair: usize| {
        let (sin, cos) = core_math::sincosf(t as f32 * rates[pair].computed() as f32);
        (cos, sin)
    };
    let near = |t: u64, pair: usize| model.pair(&rates[pair], t..t + 1).expect("in range");
    let mut draw = Draw::new(3);
    let mut largest = [0.0f64; 3];
    for _ in 0..300 {
        let (m, n) = ((draw.next() * 4096.0) as u64, (draw.next() * 4096.0) as u64);
        let (mut computed, mut exact, mut gram, mut gram_exact) = (0f32, 0f64, 0f32, 0f64);
        let (mut both, mut tables) = (Vec::new(), Vec::new());
        for pair in 0..pairs {
            let [qx, qy, kx, ky] = [0; 4].map(|_| draw.signed(Format::F32) as f32);
            let (q, k) = (turn((qx, qy), table(m, pair)), turn((kx, ky), table(n, pair)));
            computed = (computed + q.0 * k.0) + q.1 * k.1;
            let turned = |x: f32, y: f32, t: u64| {
                let (sin, cos) = core_math::sincos(t as f64 * omega(pair));
                (f64::from(x) * cos - f64::from(y) * sin, f64::from(x) * sin + f64::from(y) * cos)
            };
            let (q_exact, k_exact) = (turned(qx, qy, m), turned(kx, ky, n));
            exact += q_exact.0 * k_exact.0 + q_exact.1 * k_exact.1;
            let length = |x: f32, y: f32| f64::from(x).hypot(f64::from(y)) * (1.0 + 1e-12);
            let bound = rotated_pair(PLAIN, near(m, pair), length(qx, qy)).value();
            let error = distance(q, q_exact);
            assert!(error <= bound, "rotated pair {pair} at {m}: {error} {bound}");
            largest[0] = largest[0].max(error / bound);
            both.push(ScorePair {
                query: length(qx, qy),
                key: length(kx, ky),
                query_table: near(m, pair),
                key_table: near(n, pair),
            });

            let ((c, s), sum) = (table(m, pair), table(m + n, pair));
            let moved = turn((c, s), table(n, pair));
            let residual = distance(moved, (f64::from(sum.0), f64::from(sum.1)));
            let bound = shift_residual(PLAIN, near(m, pair), near(n, pair), near(m + n, pair)).value();
            assert!(residual <= bound, "residual {pair} at {m}, {n}: {residual} {bound}");
            largest[1] = largest[1].max(residual / bound);

            let (c2, s2) = table(n, pair);
            gram = (gram + s * s2) + c * c2;
            gram_exact += core_math::cos((m as f64 - n as f64) * omega(pair));
            tables.push((near(m, pair), near(n, pair)));
        }
        let bound = score(PLAIN, Format::F32, &both);
        let error = (f64::from(computed) - exact).abs();
        assert!(error <= bound.value(), "score at {m}, {n}: {error} {bound:?}");
        largest[2] = largest[2].max(error / bound.value());
        assert!(relative_position(bound, bound).value() >= 2.0 * bound.value());
        let (error, bound) = ((f64::from(gram) - gram_exact).abs(), toeplitz(Format::F32, &tables).value());
        assert!(error <= bound, "dot product of encodings at {m}, {n}: {error} {bound}");
    }
    println!(
        "largest error/bound: rotated pair {:.3}, residual {:.3}, score {:.3}",
        largest[0], largest[1], largest[2]
    );
    assert!(largest[0] > 0.5 && largest[1] > 0.3);
}

#[test]
fn complex_products_stay_below_root_five() {
    let (mut draw, mut largest) = (Draw::new(5), 0.0f64);
    let u = Format::F32.unit_roundoff();
    for _ in 0..200_000 {
        let [a, b, c, d] = [0; 4].map(|_| draw.signed(Format::F32));
        let size = a.hypot(b) * c.hypot(d);
        let bound = complex_product(PLAIN, size * (1.0 + 1e-12)).value();
        let (computed, exact) = (turn((a as f32, b as f32), (c as f32, d as f32)), (a * c - b * d, a * d + b * c));
        let error = distance(computed, exact);
        assert!(error <= bound);
        largest = largest.max(error / (u * size));
    }
    assert!(largest > 1.5, "{largest}");
    let fused = complex_product(Arithmetic { fused: true, ..PLAIN }, 1.0).value();
    assert!((fused / u - 2.0).abs() < 1e-9);
}
