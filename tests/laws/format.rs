//! Correct rounding into the formats: exhaustive where the format is small, against exact rationals elsewhere.

use super::check;
use posproof::number::Number;
use posproof::number::float::{Arithmetic, Float};
use posproof::number::format::{Format, hex};
use posproof::number::mp::Mp;
use posproof::number::mpfr;
use rug::{Float as Big, Rational};

/// All non-negative finite numbers of a 16-bit format in order, by their bits.
fn all(format: Format) -> Vec<f64> {
    let value = |bits: u16| match format {
        Format::F16 => half::f16::from_bits(bits).to_f64(),
        _ => half::bf16::from_bits(bits).to_f64(),
    };
    (0..0x7fff).map(value).take_while(|x| x.is_finite()).collect()
}

/// Every number rounds to itself; halfway between neighbours goes to the even one, and the binary64
/// numbers next to the halfway point to the nearer one. Both signs, subnormal numbers included.
#[test]
fn half_formats_round_correctly_around_every_number_and_every_tie() {
    for format in [Format::F16, Format::Bf16] {
        let numbers = all(format);
        assert_eq!(numbers.len(), if format == Format::F16 { 31_744 } else { 32_640 });
        for (index, pair) in numbers.windows(2).enumerate() {
            let (low, high) = (pair[0], pair[1]);
            let tie = (low + high) / 2.0;
            let even = if index % 2 == 0 { low } else { high };
            for (x, expected) in [(low, low), (tie, even), (tie.next_down(), low), (tie.next_up(), high), (high, high)]
            {
                assert_eq!(format.round(x), expected, "{format} of {}", hex(x));
                assert_eq!(format.round(-x), -expected, "{format} of {}", hex(-x));
                assert_eq!(mpfr::round(format, &Big::with_val(53, x)), expected, "{format} of {} from MPFR", hex(x));
                assert_eq!(
                    format.round_float(&posproof_numerics::Float::from_f64(x)),
                    expected,
                    "{format} of {}",
                    hex(x)
                );
            }
        }
        let last = format.max_finite();
        assert_eq!(numbers.last(), Some(&last));
        let beyond = last + (last - numbers[numbers.len() - 2]) / 2.0;
        assert_eq!(format.round(beyond.next_down()), last);
        assert_eq!(format.round(beyond), f64::INFINITY);
        assert_eq!(mpfr::round(format, &Big::with_val(53, -beyond)), f64::NEG_INFINITY);
    }
}

#[test]
fn binary32_rounds_as_the_hardware_does() {
    fn law(bits: u64) -> bool {
        let x = f64::from_bits(bits);
        let expected = f64::from(x as f32);
        !x.is_finite()
            || (Format::F32.round(x) == expected && mpfr::round(Format::F32, &Big::with_val(53, x)) == expected)
    }
    check(100_000).quickcheck(law as fn(_) -> _);
}

/// The exact value of an operation, rounded once.
fn oracle(format: Format, exact: &Rational) -> f64 {
    let (mut bits, mut below, mut above);
    let mut precision = 128;
    loop {
        bits = Big::with_val(precision, exact);
        below = bits.clone();
        above = bits.clone();
        below.next_down();
        above.next_up();
        if bits == *exact {
            return mpfr::round(format, &bits);
        }
        let (low, high) = (mpfr::round(format, &below), mpfr::round(format, &above));
        if low == high {
            return low;
        }
        precision *= 2;
    }
}

fn arithmetic_is_correctly_rounded(format: Format, x: u64, y: u64) -> bool {
    // Exponents near each other, so that sums are not trivial.
    let scale = |bits: u64| (bits >> 12) as f64 / (1u64 << 51) as f64 * 2f64.powi((bits % 24) as i32 - 12);
    let (a, b) = (Float::new(scale(x), format), Float::new(-scale(y), format));
    let exact = |value: Float| Rational::from_f64(value.get()).expect("a finite number");
    let (p, q) = (exact(a), exact(b));
    let same = |computed: Float, expected: Rational| computed.get() == oracle(format, &expected);
    same(a + b, Rational::from(&p + &q))
        && same(a - b, Rational::from(&p - &q))
        && same(a * b, Rational::from(&p * &q))
        && (q == 0 || same(a / b, Rational::from(&p / &q)))
        && {
            let root = a.sqrt().get();
            let square = Big::with_val(400, &p).sqrt();
            root == mpfr::round(format, &square)
        }
}

#[test]
fn every_operation_is_rounded_once() {
    check(30_000).quickcheck((|x, y| arithmetic_is_correctly_rounded(Format::F64, x, y)) as fn(_, _) -> _);
    check(30_000).quickcheck((|x, y| arithmetic_is_correctly_rounded(Format::F32, x, y)) as fn(_, _) -> _);
    check(30_000).quickcheck((|x, y| arithmetic_is_correctly_rounded(Format::F16, x, y)) as fn(_, _) -> _);
    check(30_000).quickcheck((|x, y| arithmetic_is_correctly_rounded(Format::Bf16, x, y)) as fn(_, _) -> _);
}

/// Sine, cosine and exponential of every binary16 number and every bfloat16 number below 2^20.
#[test]
fn elementary_functions_of_half_formats_are_correctly_rounded() {
    fn all_of(format: Format) {
        for x in all(format).into_iter().filter(|x| *x < f64::from(1 << 20)).step_by(3) {
            let (cos, sin) = Float::new(x, format).cos_sin();
            let exact = Big::with_val(200, x);
            assert_eq!(cos.get(), mpfr::round(format, &exact.clone().cos()), "cos {}", hex(x));
            assert_eq!(sin.get(), mpfr::round(format, &exact.clone().sin()), "sin {}", hex(x));
            let exponential = Float::new(-x, format).exp().get();
            assert_eq!(exponential, mpfr::round(format, &(-exact).exp()), "exp {}", hex(-x));
        }
    }
    all_of(Format::F16);
    all_of(Format::Bf16);
}

/// A constant is exact until it meets a number of a format; of constants alone, what is not exact is undefined.
#[test]
fn constants_take_the_format_of_what_they_meet() {
    let [one, two, three, six] = [1, 2, 3, 6].map(Float::from);
    for format in Format::ALL {
        let tenth = Float::new(0.1, format);
        assert_eq!((three * tenth).get(), format.round(3.0 * tenth.get()), "{format}");
        assert_eq!((tenth / three).get(), format.round(tenth.get() / 3.0), "{format}");
        // Constants are not rounded: what bfloat16 cannot hold is undefined there.
        let difference = (Float::from(257) - Float::new(1.0, format)).get();
        assert!(if format == Format::Bf16 { difference.is_nan() } else { difference == 256.0 }, "{format}");
    }
    assert_eq!(
        [six / three, one / two, (two + two).sqrt(), Float::from(0).exp()].map(Float::get),
        [2.0, 0.5, 2.0, 1.0]
    );
    assert!([one / three, two.sqrt(), one.exp(), one / Float::from(0)].into_iter().all(|x| x.get().is_nan()));

    let [one, two, three] = [1, 2, 3].map(Mp::from);
    assert_eq!(*(one.clone() / two.clone()).get(), 0.5);
    assert!((one.clone() / three.clone()).get().is_nan() && two.sqrt().get().is_nan() && one.exp().get().is_nan());
    let third = Mp::from_f64(1.0, 113).0 / three;
    assert_eq!(third.get().prec(), 113);
}
