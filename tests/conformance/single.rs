//! Scaling rules computed in binary32 throughout, as model code computes them, are within the bound.

use crate::corpus::*;
use posproof::conformance::Grade;
use posproof::encoding::convention::{Convention, Spacing};
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;

const DIM: usize = 128;
const PI: f32 = std::f32::consts::PI;

/// 1/base^(2k/dim).
fn plain(base: f32) -> Vec<f32> {
    (0..DIM).step_by(2).map(|i| 1.0 / base.powf(i as f32 / DIM as f32)).collect()
}

fn llama3(factor: f32, low: f32, high: f32, original: f32) -> Vec<f32> {
    let scale = |w: f32| {
        let wavelength = 2.0 * PI / w;
        let smooth = (original / wavelength - low) / (high - low);
        match () {
            () if wavelength < original / high => w,
            () if wavelength > original / low => w / factor,
            () => (1.0 - smooth) * w / factor + smooth * w,
        }
    };
    plain(500_000.0).into_iter().map(scale).collect()
}

fn yarn(base: f32, factor: f32, original: f32) -> Vec<f32> {
    // The ends of the ramp are computed by the host language, in binary64.
    let correction = |turns: f64| {
        DIM as f64 * (f64::from(original) / (turns * std::f64::consts::TAU)).ln() / (2.0 * f64::from(base).ln())
    };
    let (low, high) = (correction(32.0).floor().max(0.0) as f32, correction(1.0).ceil().min(DIM as f64 - 1.0) as f32);
    let powers = (0..DIM).step_by(2).map(|i| base.powf(i as f32 / DIM as f32));
    powers
        .enumerate()
        .map(|(k, power)| {
            let (extrapolated, interpolated) = (1.0 / power, 1.0 / (factor * power));
            let kept = 1.0 - ((k as f32 - low) / (high - low)).clamp(0.0, 1.0);
            interpolated * (1.0 - kept) + extrapolated * kept
        })
        .collect()
}

/// Each rule with the frequencies of a program in binary32.
fn programs() -> Vec<(Convention, Vec<f32>)> {
    let rope = Convention { base: 500_000.into(), ..Convention::rope(DIM) };
    let with = |json: &str| Convention { scaling: Some(serde_json::from_str(json).unwrap()), ..rope.clone() };
    let stretched = |stretch: f32| plain(500_000.0 * stretch.powf(DIM as f32 / (DIM as f32 - 2.0)));
    let factors: Vec<f32> = (0..DIM / 2).map(|k| 1.0 + k as f32 * 0.37).collect();
    let longrope = Scaling::Longrope {
        short_factor: vec![1.into(); DIM / 2],
        long_factor: (0..DIM / 2)
            .map(|k| format!("{}", 1.0 + f64::from(k as u32 * 37) / 100.0).parse().unwrap())
            .collect(),
        original_max_position_embeddings: 4096,
        factor: None,
        attention_factor: None,
        sequence_length: Some(131_072),
    };
    let endpoints = Convention { frequency_spacing: Spacing::Endpoints, ..Convention::rope(DIM) };
    let step = 10_000f32.ln() / (DIM as f32 / 2.0 - 1.0);
    vec![
        (with(r#"{"rope_type":"linear","factor":8}"#), plain(500_000.0).into_iter().map(|w| w / 8.0).collect()),
        (with(r#"{"rope_type":"ntk","factor":4}"#), stretched(4.0)),
        (
            with(
                r#"{"rope_type":"dynamic","factor":2,"original_max_position_embeddings":4096,"sequence_length":131072}"#,
            ),
            stretched(2.0 * 131_072.0 / 4096.0 - 1.0),
        ),
        (
            with(
                r#"{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}"#,
            ),
            llama3(8.0, 1.0, 4.0, 8192.0),
        ),
        (
            with(
                r#"{"rope_type":"llama3","factor":32,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}"#,
            ),
            llama3(32.0, 1.0, 4.0, 8192.0),
        ),
        (
            with(r#"{"rope_type":"yarn","factor":16,"original_max_position_embeddings":4096}"#),
            yarn(500_000.0, 16.0, 4096.0),
        ),
        (
            with(r#"{"rope_type":"yarn","factor":40,"original_max_position_embeddings":4096}"#),
            yarn(500_000.0, 40.0, 4096.0),
        ),
        (
            Convention { scaling: Some(longrope), ..rope.clone() },
            (0..DIM / 2).map(|k| 1.0 / (factors[k] * 500_000f32.powf((2 * k) as f32 / DIM as f32))).collect(),
        ),
        (endpoints, (0..DIM / 2).map(|k| (-(k as f32) * step).exp()).collect()),
    ]
}

#[test]
fn rules_in_single_precision_are_within_the_bound() {
    let rows = sparse(131_071);
    let mut largest = 0f64;
    for (convention, omega) in programs() {
        let gain = convention.gain().enclose(64).approximate() as f32;
        let program = Program {
            frequency: Box::new(|k| f64::from(omega[k])),
            entry: Box::new(|angle, _, _| {
                let angle = *angle as f32;
                (f64::from(angle.cos() * gain), f64::from(angle.sin() * gain))
            }),
            ..Program::single(&convention)
        };
        let (cos, sin) = program.run(DIM / 2, &rows).apart();
        let expectation = expectation(&convention, &rows);
        let report = judge_cache(Format::F32, (&cos, &sin), DIM / 2, &expectation).unwrap();
        assert_eq!(report.grade, Grade::WithinBound, "{convention:?}\n{report}");
        let ratio = report.pairs.iter().map(|pair| pair.part.max_ratio).fold(0.0, f64::max);
        largest = largest.max(ratio);
        // Cast to bf16, as caches are.
        assert!(judge_cache(Format::Bf16, (&cos, &sin), DIM / 2, &expectation).unwrap().conforms);
    }
    println!("the largest error is {largest:.3} of its bound");
    assert!(largest > 0.02, "the bounds are far too wide: {largest}");
}
