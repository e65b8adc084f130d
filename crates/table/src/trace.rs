//! Kernels of tables, with their traces: each is run on an arithmetic whose vectors are symbols.

use super::double::{self, Pairs, two_difference, two_sum};
use super::formats::{
    Bounded, BoundedHeadTail, HeadTail, Point, cosine_error, ends_head_tail, ends_single, head_tail, sine_error,
    tail_error,
};
use super::instructions::Instructions;
use super::isa::{self, Arithmetic, Isa};
use super::recurrence::Values;
use super::simd::{Available, Work, dispatch};
use posproof_numerics::trace::{Kernel, Operation, Symbol, Trace, Traced};
use posproof_numerics::{Scalar, format::Format};

/// The arithmetic of symbols. All lanes of a vector are one symbol.
#[derive(Clone, Copy)]
struct Symbolic;

/// The exponent bits of 1.
const ONE: u64 = 0x3ff << 52;

/// Check bits that tell a mark from any other number.
fn check(step: u64) -> u64 {
    (step + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

/// A number that stands for a symbol in an array of numbers: what arithmetic makes of such numbers stands for none.
fn mark(symbol: Symbol) -> [f64; 8] {
    let step = symbol.step() as u64;
    [f64::from_bits(ONE | step << 32 | check(step)); 8]
}

/// The symbol that all lanes stand for.
fn marked(lanes: &[f64; 8]) -> Symbol {
    let bits = lanes[0].to_bits();
    let step = (bits & !(u64::MAX << 52)) >> 32;
    let known = bits == ONE | step << 32 | check(step) && lanes.iter().all(|lane| lane.to_bits() == bits);
    let symbol = if known { Symbol::of_step(step as usize) } else { None };
    symbol.expect("a kernel loads what its trace knows")
}

impl Arithmetic for Symbolic {
    type D = Symbol;
    type H = Symbol;

    fn load_d(self, from: &[f64; 8]) -> Symbol {
        marked(from)
    }
    fn add_d(self, a: Symbol, b: Symbol) -> Symbol {
        a + b
    }
    fn sub_d(self, a: Symbol, b: Symbol) -> Symbol {
        a - b
    }
    fn mul_d(self, a: Symbol, b: Symbol) -> Symbol {
        a * b
    }
    fn fma_d(self, a: Symbol, b: Symbol, c: Symbol) -> Symbol {
        Symbol::made(Operation::MultiplyAdd, [a, b, c])
    }
    fn fms_d(self, a: Symbol, b: Symbol, c: Symbol) -> Symbol {
        Symbol::made(Operation::MultiplySubtract, [a, b, c])
    }
    fn fnma_d(self, a: Symbol, b: Symbol, c: Symbol) -> Symbol {
        Symbol::made(Operation::SubtractProduct, [a, b, c])
    }
    fn two_prod(self, a: Symbol, b: Symbol) -> (Symbol, Symbol) {
        let product = a * b;
        (product, Symbol::made(Operation::ProductError, [a, b, product]))
    }
    fn narrow(self, a: Symbol) -> Symbol {
        a.rounded(Format::F32)
    }
    fn store_d<const STREAM: bool>(self, to: &mut [f64; 8], a: Symbol) {
        *to = mark(a);
    }
}

/// An arithmetic whose results can be looked at.
trait Observed: Arithmetic {
    fn narrowed(self, a: Self::H) -> [f64; 8];

    fn seen(self, a: Self::D) -> [f64; 8] {
        let mut lanes = [0.0; 8];
        self.store_d::<false>(&mut lanes, a);
        lanes
    }
}

impl Observed for Symbolic {
    fn narrowed(self, a: Symbol) -> [f64; 8] {
        mark(a)
    }
}

impl<I: Isa> Observed for I {
    fn narrowed(self, a: I::H) -> [f64; 8] {
        let mut lanes = [0.0; 8];
        self.store_h::<false>(&mut lanes, a);
        lanes.map(f64::from)
    }
}

/// A kernel over the arithmetic of any vectors.
trait VectorKernel {
    const NAME: &'static str;
    const INPUTS: &'static [&'static str];
    fn run<A: Observed>(arithmetic: A, inputs: &[[f64; 8]]) -> Vec<[f64; 8]>;
}

/// A run on numbers, the first lane of which is looked at.
struct LaneRun<'a, K: VectorKernel> {
    inputs: &'a [[f64; 8]],
    results: &'a mut Vec<[f64; 8]>,
    kernel: std::marker::PhantomData<K>,
}

impl<K: VectorKernel> Work for LaneRun<'_, K> {
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        *self.results = K::run(isa, self.inputs);
    }
}

fn run<K: VectorKernel>(fused: bool, _: &[Format], inputs: &[f64]) -> Option<Vec<f64>> {
    let instructions = if fused { Instructions::detect() } else { Instructions::Portable };
    if fused && instructions == Instructions::Portable {
        return None;
    }
    let inputs: Vec<[f64; 8]> = inputs.iter().map(|input| [*input; 8]).collect();
    let mut results = Vec::new();
    let kernel = std::marker::PhantomData::<K>;
    dispatch(Available::new(instructions), LaneRun { inputs: &inputs, results: &mut results, kernel });
    Some(results.iter().map(|lanes| lanes[0]).collect())
}

fn traced<K: VectorKernel>() -> Option<Traced> {
    let trace = Trace::of(K::NAME, K::INPUTS, |symbols| {
        let inputs: Vec<[f64; 8]> = symbols.iter().map(|symbol| mark(*symbol)).collect();
        K::run(Symbolic, &inputs).iter().map(marked).collect()
    });
    Some(Traced { trace, choices: &[&[]], run: run::<K>, native: None })
}

/// Eight complex numbers from the parts high and low of both.
fn pairs(parts: &[[f64; 8]]) -> Pairs {
    Pairs { c: parts[0], c_low: parts[1], s: parts[2], s_low: parts[3] }
}

macro_rules! kernels {
    (vectors { $($name:ident $text:literal $inputs:expr, |$arithmetic:ident, $x:ident| $body:expr;)* }
     numbers { $($scalar:ident $scalar_text:literal $scalar_inputs:expr, |$y:ident| $scalar_body:expr;)* }) => {
        $(
            struct $name;

            impl VectorKernel for $name {
                const NAME: &'static str = $text;
                const INPUTS: &'static [&'static str] = $inputs;
                #[inline(always)]
                fn run<A: Observed>($arithmetic: A, $x: &[[f64; 8]]) -> Vec<[f64; 8]> {
                    $body
                }
            }
        )*

        $(
            struct $scalar;

            impl Kernel for $scalar {
                const NAME: &'static str = $scalar_text;
                const INPUTS: &'static [&'static str] = $scalar_inputs;
                fn run<T: Scalar>(_: &[Format], $y: &[T]) -> Vec<T> {
                    $scalar_body
                }
            }
        )*

        /// All kernels of this crate.
        pub fn kernels() -> Option<Vec<Traced>> {
            [$(traced::<$name>(),)* $(Traced::new::<$scalar>()),*].into_iter().collect()
        }
    };
}

kernels! {
    vectors {
        TwoSum "two_sum" &["x", "y"], |a, x| {
            let (sum, error) = two_sum(a, a.load_d(&x[0]), a.load_d(&x[1]));
            vec![a.seen(sum), a.seen(error)]
        };
        TwoDifference "two_difference" &["x", "y"], |a, x| {
            let (sum, error) = two_difference(a, a.load_d(&x[0]), a.load_d(&x[1]));
            vec![a.seen(sum), a.seen(error)]
        };
        TwoProduct "two_product" &["x", "y"], |a, x| {
            let (product, error) = a.two_prod(a.load_d(&x[0]), a.load_d(&x[1]));
            vec![a.seen(product), a.seen(error)]
        };
        Product "double_product" &["a", "al", "b", "bl", "c", "cl", "d", "dl"], |a, x| {
            let product = double::product(a, &pairs(&x[..4]), &pairs(&x[4..]));
            vec![product.c, product.c_low, product.s, product.s_low]
        };
        Split "head_and_tail" &["high", "low", "shift"], |a, x| {
            let (mut head, mut tail) = ([0.0; 8], [0.0; 8]);
            head_tail(a, (&x[0], &x[1]), a.load_d(&x[2]), (&mut head, &mut tail));
            vec![head, tail]
        };
        Turn "turned_anchor" &["c1", "s1", "c2", "s2"], |a, x| {
            let mut turned = Point { c: x[0], s: x[1] };
            let anchor = Pairs { c: x[0], s: x[1], ..Pairs::default() };
            turned.set_product(a, &anchor, &Point { c: x[2], s: x[3] });
            vec![turned.c, turned.s]
        };
        Ends "ends_of_binary32" &["c1", "s1", "c2", "s2", "less_s", "twice_s", "less_c", "twice_c"], |a, x| {
            let point = Point { c: x[0], s: x[1] };
            let anchor = Bounded { point, sine: x[4], sine_twice: x[5], cosine: x[6], cosine_twice: x[7] };
            let (sin, sin_high, cos, cos_high) = ends_single(a, &anchor, &Point { c: x[2], s: x[3] });
            [sin, sin_high, cos, cos_high].map(|end| a.narrowed(end)).to_vec()
        };
        EndsOfTails "ends_of_binary64"
            &["ch1", "ct1", "sh1", "st1", "c1", "s1", "ch2", "ct2", "sh2", "st2", "less", "twice"], |a, x| {
            let parts = HeadTail { c_head: x[0], c_tail: x[1], s_head: x[2], s_tail: x[3] };
            let low = HeadTail { c_head: x[6], c_tail: x[7], s_head: x[8], s_tail: x[9] };
            let anchor = BoundedHeadTail { parts, c: x[4], s: x[5], less: x[10], twice: x[11], shift: x[0] };
            let (sin, sin_high, cos, cos_high) = ends_head_tail(a, &anchor, &low);
            [sin, sin_high, cos, cos_high].map(|end| a.seen(end)).to_vec()
        };
        Next "recurrence_step" &["rate", "now", "before"], |a, x| {
            vec![a.seen(Values::step(a, a.load_d(&x[0]), a.load_d(&x[1]), a.load_d(&x[2])))]
        };
    }
    numbers {
        ProductError "product_error_by_halves" &["x", "y", "p"], |x| vec![isa::product_error(x[0], x[1], x[2])];
        SineError "sine_error" &["gain", "factors", "s1", "sines"], |x| vec![sine_error([x[0], x[1]], x[2], x[3])];
        CosineError "cosine_error" &["gain", "factors"], |x| vec![cosine_error([x[0], x[1]])];
        TailError "tail_error" &["power", "factors"], |x| vec![tail_error([x[0], x[1]])];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arithmetic outside of the traced one would be missing from a trace: it makes numbers that stand for nothing.
    #[test]
    fn arithmetic_on_marks_is_no_mark() {
        let trace = |made: fn(f64) -> f64| {
            std::panic::catch_unwind(|| {
                Trace::of("kernel", &["x", "y", "z"], |symbols| vec![marked(&mark(symbols[2]).map(made))])
            })
        };
        assert!(trace(|x| x).is_ok());
        let altered: [fn(f64) -> f64; 5] = [|x| x + 2f64.powi(-52), |x| 2.0 * x, |x| x * x, |x| -x, |x| x - x];
        for made in altered {
            assert!(trace(made).is_err());
        }
    }
}
