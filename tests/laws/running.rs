//! Soundness of the running error, against MPFR, on more than a million operations.

use posproof::number::Number;
use posproof::number::float::{Arithmetic, Float};
use posproof::number::format::Format;
use posproof::number::mp::Mp;
use posproof::number::running::Running;
use rug::Float as Big;

/// Precision of the shadow of exact arithmetic: at 600 bits its own error is far below every bound that matters.
const SHADOW: u32 = 600;

/// SplitMix64, so that the stream is the same everywhere.
pub struct Stream(pub u64);

impl Stream {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn real(&mut self) -> f64 {
        let bits = self.next();
        ((bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0) * 2f64.powi((bits % 8) as i32 - 4)
    }
}

/// A computed number beside the exact one and beside the same computation without bounds.
struct Pair<A: Arithmetic> {
    running: Running<A>,
    plain: A,
    exact: Big,
}

impl<A: Arithmetic> Pair<A> {
    fn leaf(x: f64, format: A::Format, exact: impl Fn(&A) -> Big) -> Self {
        let plain = A::from_f64(x, format).0;
        Self { running: Running::exactly(plain.clone()), exact: exact(&plain), plain }
    }

    /// |computed − exact| ≤ bound, and the bounds change no value.
    fn is_sound(&self, computed: &Big) -> bool {
        let error = Big::with_val(SHADOW, computed - &self.exact).abs();
        // The shadow's own rounding, relative to the values it went through, none of which exceeds 2^80.
        let slack = Big::with_val(SHADOW, Big::i_exp(1, 80 - SHADOW as i32 + 20));
        *self.running.value() == self.plain && error <= Big::with_val(SHADOW, self.running.bound()) + slack
    }
}

/// Chains of random operations on a stack of sixteen numbers; returns the number of operations
/// that were checked with a finite bound.
fn chains<A: Arithmetic>(format: A::Format, seed: u64, operations: usize, exact: impl Fn(&A) -> Big + Copy) -> usize {
    let mut stream = Stream(seed);
    let mut stack: Vec<Pair<A>> = (0..16).map(|_| Pair::leaf(stream.real(), format, exact)).collect();
    let mut checked = 0;
    for _ in 0..operations {
        let (i, j, target) = (stream.next() % 16, stream.next() % 16, stream.next() % 16);
        let (x, y) = (&stack[i as usize], &stack[j as usize]);
        let (a, b) = (x.running.clone(), y.running.clone());
        let (p, q) = (x.plain.clone(), y.plain.clone());
        let (u, v) = (&x.exact, &y.exact);
        let (running, plain, value) = match stream.next() % 8 {
            0 | 1 => (a + b, p + q, Big::with_val(SHADOW, u + v)),
            2 => (a - b, p - q, Big::with_val(SHADOW, u - v)),
            3 | 4 => (a * b, p * q, Big::with_val(SHADOW, u * v)),
            5 => (a / b, p / q, Big::with_val(SHADOW, u / v)),
            6 => (a.exp(), p.exp(), Big::with_val(SHADOW, u.exp_ref())),
            _ if u.is_sign_negative() || p.is_below(&A::zero()) => (-a, -p, Big::with_val(SHADOW, -u)),
            _ => (a.sqrt(), p.sqrt(), Big::with_val(SHADOW, u.sqrt_ref())),
        };
        let pair = Pair { running, plain, exact: value };
        // What overflowed, lost all meaning or grew beyond the shadow's slack is replaced by a fresh leaf.
        if pair.running.bound() < 1.0 && pair.running.value().magnitude() < 2f64.powi(60) {
            let computed = exact(pair.running.value());
            assert!(
                pair.is_sound(&computed),
                "{format:?} seed {seed}: computed {computed}, exact {}, bound {:e}",
                pair.exact,
                pair.running.bound()
            );
            checked += 1;
            stack[target as usize] = pair;
        } else {
            stack[target as usize] = Pair::leaf(stream.real(), format, exact);
        }
    }
    checked
}

#[test]
fn measured_errors_never_exceed_their_bounds() {
    const OPERATIONS: usize = 500_000;
    let formats = Format::ALL.into_iter().zip(1..);
    let binary: usize = formats
        .map(|(format, seed)| chains(format, seed, OPERATIONS, |x: &Float| Big::with_val(SHADOW, x.get())))
        .sum();
    let checked = binary + chains(113, 5, OPERATIONS / 10, |x: &Mp| Big::with_val(SHADOW, x.get()));
    println!("{checked} operations with a finite bound");
    assert!(checked >= 1_000_000, "only {checked} operations had a finite bound");
}

/// A bound that is never attained says little: over many sums the largest error comes close to it.
#[test]
fn bounds_of_single_operations_are_attained() {
    let mut stream = Stream(6);
    let mut best = 0f64;
    for _ in 0..10_000 {
        let [x, y] = [stream.real(), stream.real()].map(|x| Running::exactly(Float::new(x, Format::F32)));
        let exact = x.value().get() * y.value().get();
        let product = x * y;
        if product.bound() > 0.0 {
            best = best.max((product.value().get() - exact).abs() / product.bound());
        }
    }
    assert!(best > 0.99 && best <= 1.0, "largest error / bound is {best}");
}
