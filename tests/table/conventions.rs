//! Amplitudes, scales, offsets, directions and scaling rules: entries against formulas written out here.

use crate::reference::round;
use half::f16;
use posproof::encoding::convention::{Component, Convention, Direction, Spacing};
use posproof::encoding::scaling::Scaling;
use posproof::table::{Element, Positions, Table};
use rug::ops::Pow;
use rug::{Float, Rational};

const BITS: u32 = 400;

fn real(value: f64) -> Float {
    Float::with_val(BITS, value)
}

/// All entries of rows 0 … 299 in format T against amplitude·sin and amplitude·cos of what `angle` says.
fn compare<T: Element>(convention: &Convention, amplitude: &Float, angle: impl Fn(u64, usize) -> Float) {
    let positions: Positions = "0..300".parse().unwrap();
    let table = Table::<T>::new(convention, &positions).unwrap();
    let pairs = table.pairs();
    let (mut cos, mut sin) = (vec![T::default(); 300 * pairs], vec![T::default(); 300 * pairs]);
    table.fill_apart(0..300, &mut cos, &mut sin).unwrap();
    let nearest = |value: Float| {
        let rounded = round(&value, T::FORMAT.precision() as i32, T::FORMAT.min_exponent());
        // IEEE 754, 4.3.1: what would need a larger exponent is infinite.
        if rounded.abs() > T::FORMAT.max_finite() { f64::INFINITY.copysign(rounded) } else { rounded }
    };
    for position in 0..300 {
        for pair in 0..pairs {
            let (s, c) = angle(position, pair).sin_cos(Float::new(BITS));
            let at = position as usize * pairs + pair;
            let expected = (nearest(c * amplitude), nearest(s * amplitude));
            assert_eq!(
                (cos[at].to_f64(), sin[at].to_f64()),
                expected,
                "position {position}, pair {pair}, {convention:?}"
            );
            if pair == 1 && position % 50 == 0 {
                assert_eq!(table.entry(position, pair, Component::Cos).unwrap(), cos[at]);
                assert_eq!(table.entry(position, pair, Component::Sin).unwrap(), sin[at]);
            }
        }
    }
}

fn every_format(convention: &Convention, amplitude: &Float, angle: impl Fn(u64, usize) -> Float) {
    compare::<f32>(convention, amplitude, &angle);
    compare::<f64>(convention, amplitude, &angle);
    compare::<half::bf16>(convention, amplitude, &angle);
    compare::<f16>(convention, amplitude, &angle);
}

fn power(base: f64, exponent: (i32, u32)) -> Float {
    real(base).pow(real(f64::from(exponent.0)) / exponent.1)
}

#[test]
fn offsets_scales_and_amplitudes() {
    let angle = |offset: f64, scale: Rational| {
        move |p: u64, k: usize| (real(p as f64) + offset) * &scale * power(10000.0, (-2 * k as i32, 16))
    };
    let plain = Convention::sinusoid(16);
    let offset = Convention { position_offset: "-7".parse().unwrap(), ..plain.clone() };
    every_format(&offset, &real(1.0), angle(-7.0, 1.into()));
    let half = Convention { position_offset: "0.5".parse().unwrap(), position_scale: 1000.into(), ..plain.clone() };
    every_format(&half, &real(1.0), angle(0.5, 1000.into()));
    let amplitude = Convention { amplitude: "sqrt(2/16)".parse().unwrap(), ..plain.clone() };
    every_format(&amplitude, &(real(2.0) / 16u32).sqrt(), angle(0.0, 1.into()));
    let third =
        Convention { amplitude: "-1/3".parse().unwrap(), position_scale: "1/7".parse().unwrap(), ..plain.clone() };
    every_format(&third, &(real(-1.0) / 3u32), angle(0.0, (1, 7).into()));
    let clockwise = Convention { direction: Direction::Clockwise, ..plain.clone() };
    every_format(&clockwise, &real(1.0), angle(0.0, (-1).into()));
    let huge = Convention { amplitude: "1e30".parse().unwrap(), ..plain };
    compare::<f32>(&huge, &real(10.0).pow(30u32), angle(0.0, 1.into()));
    compare::<f64>(&huge, &real(10.0).pow(30u32), angle(0.0, 1.into()));
}

/// Amplitudes at which entries of f16 overflow, are subnormal, or vanish.
#[test]
fn amplitudes_of_narrow_formats() {
    for text in ["65504", "65519.9", "65520", "1e6", "22.627416998", "1.5", "0.0001", "6.1e-5", "1e-6", "5e-8", "1e-12"]
    {
        let convention = Convention { amplitude: text.parse().unwrap(), ..Convention::sinusoid(32) };
        let amplitude = Float::with_val(BITS, Float::parse(text).unwrap());
        let angle = |p: u64, k: usize| real(p as f64) * power(10000.0, (-2 * k as i32, 32));
        compare::<half::bf16>(&convention, &amplitude, angle);
        compare::<f16>(&convention, &amplitude, angle);
    }
}

#[test]
fn origin_and_spacing() {
    let origin = Convention { frequency_origin: 1, ..Convention::sinusoid(16) };
    every_format(&origin, &real(1.0), |p, k| real(p as f64) * power(10000.0, (-2 * (k as i32 + 1), 16)));
    let endpoints = Convention { frequency_spacing: Spacing::Endpoints, ..Convention::sinusoid(16) };
    every_format(&endpoints, &real(1.0), |p, k| real(p as f64) * power(10000.0, (-(k as i32), 7)));
}

#[test]
fn scaling_rules() {
    let with = |scaling: Scaling| Convention { scaling: Some(scaling), ..Convention::rope(16) };
    let omega = |k: usize| power(10000.0, (-2 * k as i32, 16));
    let linear = with(Scaling::Linear { factor: "2.5".parse().unwrap() });
    every_format(&linear, &real(1.0), |p, k| real(p as f64) * omega(k) / 2.5f64);
    let ntk = with(Scaling::Ntk { factor: 4.into() });
    let stretched = real(10000.0) * power(4.0, (16, 14));
    every_format(&ntk, &real(1.0), |p, k| real(p as f64) * stretched.clone().pow(real(-2.0 * k as f64) / 16u32));
    let yarn: Scaling = serde_json::from_str(
        r#"{"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096, "beta_fast": 32, "beta_slow": 1}"#,
    )
    .unwrap();
    // Correction dimensions 2.6 and 5.6, so that the ramp goes from 2 to 6.
    let ramp = |k: usize| real(k as f64 - 2.0).clamp(&0, &4) / 4u32;
    every_format(&with(yarn), &(real(4.0).ln() / 10u32 + 1u32), |p, k| {
        real(p as f64) * (omega(k) * (real(1.0) - ramp(k)) + omega(k) / 4u32 * ramp(k))
    });
    let proportional = with(Scaling::Proportional { partial_rotary_factor: "0.5".parse().unwrap(), factor: 1.into() });
    every_format(&proportional, &real(1.0), |p, k| if k < 4 { real(p as f64) * omega(k) } else { real(0.0) });
}

/// Where θ = 0 the value is the amplitude itself, which may be a tie: rounded to even, and at once.
#[test]
fn exact_entries_end_and_are_exact() {
    let tie = Convention { amplitude: "1.00390625".parse().unwrap(), ..Convention::sinusoid(4) };
    let table = Table::<half::bf16>::new(&tie, &Positions::range(0..2).unwrap()).unwrap();
    let mut entries = vec![half::bf16::ZERO; 8];
    let statistics = table.fill(0..2, &mut entries).unwrap();
    assert_eq!(entries[..4].iter().map(|x| x.to_f64()).collect::<Vec<_>>(), [0.0, 1.0, 0.0, 1.0]);
    assert!(statistics.exact >= 2);
    let none = Convention { amplitude: "0".parse().unwrap(), ..Convention::sinusoid(4) };
    let table = Table::<f64>::new(&none, &Positions::range(0..50).unwrap()).unwrap();
    let mut entries = vec![1.0; 200];
    assert_eq!(table.fill(0..50, &mut entries).unwrap().exact, 200);
    assert!(entries.iter().all(|x| x.to_bits() == 0));
    let minus = Convention { position_offset: "-3".parse().unwrap(), ..Convention::sinusoid(4) };
    let table = Table::<f32>::new(&minus, &Positions::range(3..4).unwrap()).unwrap();
    let mut entries = vec![9.0; 4];
    table.fill(0..1, &mut entries).unwrap();
    assert_eq!(entries.map_bits(), [0, 0x3f800000, 0, 0x3f800000]);
}

trait MapBits {
    fn map_bits(&self) -> Vec<u32>;
}

impl MapBits for Vec<f32> {
    fn map_bits(&self) -> Vec<u32> {
        self.iter().map(|x| x.to_bits()).collect()
    }
}

/// The kernel does not reach these amplitudes; the entries are right all the same.
#[test]
fn extreme_amplitudes() {
    for exponent in [-300, -40, 200] {
        let amplitude = format!("1e{exponent}");
        let convention = Convention { amplitude: amplitude.parse().unwrap(), ..Convention::sinusoid(4) };
        let table = Table::<f64>::new(&convention, &Positions::range(0..20).unwrap()).unwrap();
        let mut entries = vec![0.0; 80];
        table.fill(0..20, &mut entries).unwrap();
        let scale = real(10.0).pow(exponent);
        let exact = real(7.0).sin() * scale;
        assert_eq!(entries[7 * 4], round(&exact, 53, -1022));
    }
}
