//! No correct implementation is accused.

use crate::corpus::*;
use posproof::conformance::{Grade, Slice, Subject, check};
use posproof::encoding::convention::{Convention, Direction, Layout, Order, Spacing};
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;
use posproof::table::{Positions, Table};

fn scaling(json: &str) -> Option<Scaling> {
    Some(serde_json::from_str(json).expect("a scaling rule"))
}

/// Conventions in use.
pub fn conventions() -> Vec<Convention> {
    let paper = Convention::sinusoid(64);
    let rope = Convention { base: 500_000.into(), ..Convention::rope(128) };
    let longrope = Scaling::Longrope {
        short_factor: vec![1.into(); 64],
        long_factor: (0..64).map(|k| (1 + k / 2).into()).collect(),
        original_max_position_embeddings: 4096,
        factor: Some(32.into()),
        attention_factor: None,
        sequence_length: None,
    };
    vec![
        Convention { layout: Layout::Halves, frequency_spacing: Spacing::Endpoints, ..paper.clone() },
        Convention { layout: Layout::Halves, order: Order::CosSin, position_scale: 1000.into(), ..paper.clone() },
        Convention { frequency_origin: 1, position_offset: 1.into(), ..paper.clone() },
        Convention { layout: Layout::Halves, amplitude: "sqrt(2/64)".parse().unwrap(), ..paper.clone() },
        Convention { direction: Direction::Clockwise, position_offset: 2.into(), ..paper.clone() },
        Convention { base: 123.into(), ..Convention::sinusoid(512) },
        paper,
        Convention { scaling: scaling(r#"{"rope_type":"linear","factor":8}"#), ..rope.clone() },
        Convention { scaling: scaling(r#"{"rope_type":"ntk","factor":4}"#), ..rope.clone() },
        Convention {
            scaling: scaling(r#"{"rope_type":"dynamic","factor":2,"original_max_position_embeddings":4096}"#),
            ..rope.clone()
        },
        Convention {
            scaling: scaling(r#"{"rope_type":"yarn","factor":16,"original_max_position_embeddings":4096}"#),
            ..rope.clone()
        },
        Convention {
            scaling: scaling(
                r#"{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}"#,
            ),
            ..rope.clone()
        },
        Convention { scaling: Some(longrope), ..rope.clone() },
        Convention { scaling: scaling(r#"{"rope_type":"proportional","partial_rotary_factor":0.25}"#), ..rope.clone() },
        Convention { rotary_dim: Some(32), ..rope.clone() },
        rope,
    ]
}

#[test]
fn certified_tables_are_correctly_rounded() {
    for convention in conventions() {
        let positions: Positions = "0..300,4095..4100,65535..65540,131071".parse().unwrap();
        let joined = Convention { layout: Layout::Halves, order: Order::CosSin, ..convention.clone() };
        let table = Table::<f32>::new(&joined, &positions).unwrap();
        let mut entries = vec![0f32; table.rows() * table.width()];
        table.fill(0..table.rows(), &mut entries).unwrap();
        let expectation = posproof::conformance::Expectation::new(convention.clone()).at(positions);
        let report = if convention.encoding == posproof::encoding::convention::Encoding::Sinusoid {
            let expectation = posproof::conformance::Expectation { convention: joined, ..expectation };
            check(Subject::Sinusoid(&Slice::new("table", &entries, table.width()).unwrap()), &expectation)
        } else {
            let pairs = table.pairs();
            let half = |from: usize| -> Vec<f32> {
                entries.chunks_exact(2 * pairs).flat_map(|row| row[from..from + pairs].to_vec()).collect()
            };
            let (cos, sin) = (half(0), half(pairs));
            let (cos, sin) = (Slice::new("cos", &cos, pairs).unwrap(), Slice::new("sin", &sin, pairs).unwrap());
            check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation)
        };
        let report = report.unwrap();
        assert_eq!(report.grade, Grade::CorrectlyRounded, "{convention:?}\n{report}");
    }
}

#[test]
fn honest_programs_conform_in_every_format() {
    let positions = sparse(131_071);
    for convention in conventions() {
        let convention = convention.for_length(131_072);
        for format in Format::ALL {
            for program in [Program::exact(&convention), Program::single(&convention)] {
                let phasors = program.run(convention.pairs(), &positions);
                let expectation = expectation(&convention, &positions);
                let mut reports = Vec::new();
                if convention.encoding == posproof::encoding::convention::Encoding::Sinusoid {
                    reports.push(judge_table(format, &phasors.joined(&convention), convention.dim, &expectation));
                } else {
                    let (cos, sin) = phasors.apart();
                    reports.push(judge_cache(format, (&cos, &sin), convention.pairs(), &expectation));
                    for layout in [Layout::Interleaved, Layout::Halves] {
                        let convention = Convention { layout, ..convention.clone() };
                        let x = vectors(positions.len() * convention.dim, format);
                        let pairs = wiring(layout, convention.pairs());
                        let y = phasors.rotate(&x, convention.dim, &pairs, &pairs);
                        let expectation = posproof::conformance::Expectation { convention, ..expectation.clone() };
                        reports.push(judge_rotation(format, (&x, &y), expectation.convention.dim, &expectation));
                    }
                }
                for report in reports {
                    let report = report.unwrap();
                    assert!(report.conforms && report.findings.is_empty(), "{format} {convention:?}\n{report}");
                }
            }
        }
    }
}

/// Frequencies along the code paths of software, in binary32.
fn paths(dim: usize, base: f32) -> Vec<(&'static str, Vec<f32>)> {
    let pairs = dim / 2;
    let exponent = |k: usize| (2 * k) as f32 / dim as f32;
    let step = base.powf(-2.0 / dim as f32);
    let repeated = std::iter::successors(Some(1f32), |w| Some(w * step)).take(pairs).collect();
    vec![
        ("1/pow", (0..pairs).map(|k| 1.0 / base.powf(exponent(k))).collect()),
        ("pow", (0..pairs).map(|k| base.powf(-exponent(k))).collect()),
        ("exp", (0..pairs).map(|k| (-((2 * k) as f32) * (base.ln() / dim as f32)).exp()).collect()),
        ("repeated", repeated),
    ]
}

#[test]
fn single_precision_paths_are_within_the_bound() {
    let positions = sparse(131_071);
    for (dim, base) in [(64, 10_000.0), (128, 500_000.0), (512, 10_000.0)] {
        for (name, omega) in paths(dim, base) {
            let convention = Convention { base: (base as i64).into(), ..Convention::rope(dim) };
            let program = Program {
                frequency: Box::new(|k| f64::from(omega[k])),
                entry: Box::new(|angle, _, _| {
                    let angle = *angle as f32;
                    (f64::from(angle.cos()), f64::from(angle.sin()))
                }),
                ..Program::single(&convention)
            };
            let (cos, sin) = program.run(dim / 2, &positions).apart();
            for format in [Format::F32, Format::F16, Format::Bf16] {
                let report = judge_cache(format, (&cos, &sin), dim / 2, &expectation(&convention, &positions)).unwrap();
                assert!(report.conforms, "{name} {dim}\n{report}");
                if format == Format::F32 {
                    assert_eq!(report.grade, Grade::WithinBound);
                    let ratio = report.worst.map_or(0.0, |worst| worst.error / worst.bound);
                    assert!(ratio > 0.005, "the bound is far too wide for {name}: {ratio}");
                }
            }
        }
    }
}
