//! Worst errors of rotations against a search in other arithmetic.

use half::bf16;
use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_numerics::rounding::nearest;
use posproof_numerics::{Interval, Rational, format::Format};
use posproof_sweep::rotation::{Bf16Rotation, Program};
use posproof_sweep::{Document, Shard, Sweep};

fn sweep() -> Bf16Rotation {
    Bf16Rotation { dim: 4, base: 10000.into(), position: 257 }
}

/// The rotation in the arithmetic of the `half` crate and of binary32, on vectors whose results are normal numbers.
fn rotated(program: Program, [x0, x1]: [bf16; 2], cos: f64, sin: f64) -> [f64; 2] {
    let y = match program {
        Program::Bf16 => {
            let (c, s) = (bf16::from_f64(cos), bf16::from_f64(sin));
            [x0 * c - x1 * s, x1 * c + x0 * s]
        }
        _ => {
            let (c, s) = (cos as f32, sin as f32);
            let (x0, x1) = (x0.to_f32(), x1.to_f32());
            [bf16::from_f32(x0 * c - x1 * s), bf16::from_f32(x1 * c + x0 * s)]
        }
    };
    y.map(bf16::to_f64)
}

#[test]
fn no_vector_of_a_sample_is_worse_and_the_witness_is_as_bad_as_is_said() {
    let sweep = sweep();
    let found = sweep.run(0..2, &|| ()).unwrap();
    let entries = Entries::new(&Convention { base: sweep.base.clone(), ..Convention::rope(4) });
    for worst in &found.worst {
        let exact = [Component::Cos, Component::Sin]
            .map(|component| entries.enclose(sweep.position, worst.pair, component, 120).unwrap());
        let [c, s] = exact.each_ref().map(Interval::approximate);
        let [below, above] = worst.error.each_ref().map(|end| end.parse::<f64>().unwrap());
        // The witness by enclosure.
        let number = |text: &str| Interval::rational(&hexadecimal(text), 120);
        let [x0, x1] = worst.x.each_ref().map(|x| number(x));
        let [y0, y1] = worst.y.each_ref().map(|y| number(y));
        let [cos, sin] = exact;
        let d0 = y0 - (x0.clone() * cos.clone() - x1.clone() * sin.clone());
        let d1 = y1 - (x1.clone() * cos + x0.clone() * sin);
        let square = |a: &Interval, b: &Interval| a.clone() * a.clone() + b.clone() * b.clone();
        let error = (square(&d0, &d1) / square(&x0, &x1)).sqrt();
        assert!(below <= error.lower_f64() && error.upper_f64() <= above, "{worst:?} {error:?}");
        assert!(above - below < 1e-14);
        // A sample in the arithmetic of others.
        let format = match worst.program {
            Program::Bf16 => Format::Bf16,
            Program::F32 => Format::F32,
            _ => continue,
        };
        let entry =
            |component| nearest(format, |bits| entries.enclose(sweep.position, worst.pair, component, bits)).unwrap();
        let (table_cos, table_sin) = (entry(Component::Cos), entry(Component::Sin));
        let mut largest: f64 = 0.0;
        for a in 0..128u16 {
            for b in (0..0x1000u16).step_by(3) {
                let [x0, x1] = [bf16::from_bits(0x3f80 + a), bf16::from_bits(0x3800 + b)];
                let [y0, y1] = rotated(worst.program, [x0, x1], table_cos, table_sin);
                let [x0, x1] = [x0.to_f64(), x1.to_f64()];
                let error = (y0 - (x0 * c - x1 * s)).hypot(y1 - (x1 * c + x0 * s)) / x0.hypot(x1);
                assert!(error <= above * (1.0 + 1e-12), "{worst:?} {x0} {x1} {error}");
                largest = largest.max(error);
            }
        }
        assert!(largest > 0.9 * below, "{largest} {below}");
    }
}

/// `0x1.8p-1` exactly.
fn hexadecimal(text: &str) -> Rational {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (digits, exponent) = digits.strip_prefix("0x").unwrap().split_once('p').unwrap();
    let fraction = digits.split_once('.').map_or("", |(_, fraction)| fraction);
    let whole = i64::from_str_radix(&digits.replace('.', ""), 16).unwrap();
    Rational::from(sign * whole) * Rational::power_of_two(exponent.parse::<i64>().unwrap() - 4 * fraction.len() as i64)
}

#[test]
fn shards_make_the_whole_and_damage_is_refused() {
    let sweep = sweep();
    let expected = Document::compute(&sweep, Shard::WHOLE, &|| ()).unwrap();
    let shards = Shard::all(2).unwrap().map(|shard| {
        let text = Document::compute(&sweep, shard, &|| ()).unwrap().to_json();
        (shard.to_string(), Document::<Bf16Rotation>::read("a shard", &text).unwrap())
    });
    assert_eq!(Document::merge(shards.collect()).unwrap().to_json(), expected.to_json());
    let mut fewer = expected.clone();
    fewer.findings.inputs -= 1;
    let mut other = expected.clone();
    other.findings.worst.swap(0, 1);
    let mut missing = expected.clone();
    missing.findings.worst.pop();
    for damaged in [fewer, other, missing] {
        assert!(
            Document::<Bf16Rotation>::read("damaged", &damaged.to_json()).unwrap_err().problem.contains("expected")
        );
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    for (sweep, part) in [
        (Bf16Rotation { dim: 5, ..sweep() }, "dim 5"),
        (Bf16Rotation { base: 1.into(), ..sweep() }, "base 1"),
        (Bf16Rotation { position: u64::MAX, ..sweep() }, "position 18446744073709551615"),
    ] {
        let message = Document::compute(&sweep, Shard::WHOLE, &|| ()).unwrap_err().to_string();
        assert!(message.starts_with(part), "{message}");
    }
}
