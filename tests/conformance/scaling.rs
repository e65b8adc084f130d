//! Faults of the rules that scale frequencies.

use crate::corpus::*;
use crate::score::Score;
use posproof::encoding::convention::Convention;
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;

fn rule(json: &str) -> Option<Scaling> {
    Some(serde_json::from_str(json).expect("a scaling rule"))
}

#[test]
fn faults_of_scaling_rules_are_named() {
    let mut score = Score::default();
    let rows = sparse(40_000);
    let plain = Convention { base: 500_000.into(), ..Convention::rope(128) };
    let with = |json: &str| Convention { scaling: rule(json), ..plain.clone() };
    let linear = with(r#"{"rope_type":"linear","factor":8}"#);
    let llama = with(
        r#"{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}"#,
    );
    let yarn = with(r#"{"rope_type":"yarn","factor":16,"original_max_position_embeddings":4096}"#);
    let shifted = with(
        r#"{"rope_type":"yarn","factor":16,"original_max_position_embeddings":4096,"beta_fast":20,"beta_slow":2}"#,
    );
    let reversed = {
        // Fast pairs are divided by the factor, slow ones are not: each gets what belongs to its mirror image.
        let (unscaled, scaled) = (frequencies(&plain), frequencies(&yarn));
        let ratio: Vec<f64> = unscaled.iter().zip(&scaled).map(|(plain, yarn)| yarn / plain).collect();
        (0..64).map(|k| unscaled[k] * ratio[63 - k]).collect::<Vec<f64>>()
    };
    let gain = yarn.gain().enclose(64).approximate();
    let program = Program {
        frequency: Box::new(|k| single(reversed[k])),
        entry: Box::new(|angle| (gain * angle.cos(), gain * angle.sin())),
        ..Program::single(&plain)
    };
    let (cos, sin) = program.run(64, &rows).apart();
    for format in [Format::F32, Format::Bf16] {
        let report = judge_cache(format, (&cos, &sin), 64, &expectation(&yarn, &rows)).unwrap();
        score.add(&format!("yarn ramp reversed ({format})"), &["frequency-scaling"], &report);
    }
    let ntk = with(r#"{"rope_type":"ntk","factor":4}"#);
    let dynamic =
        with(r#"{"rope_type":"dynamic","factor":2,"original_max_position_embeddings":4096}"#).for_length(40_001);
    let attention = |x: &str| {
        let mut other = yarn.clone();
        if let Some(Scaling::Yarn { attention_factor, .. }) = &mut other.scaling {
            *attention_factor = Some(x.parse().unwrap());
        }
        other
    };
    let long = |sequence_length| Convention {
        scaling: Some(Scaling::Longrope {
            short_factor: (0..64).map(|k| (1 + k / 32).into()).collect(),
            long_factor: (0..64).map(|k| (1 + k).into()).collect(),
            original_max_position_embeddings: 4096,
            factor: None,
            attention_factor: None,
            sequence_length: Some(sequence_length),
        }),
        ..plain.clone()
    };
    let uniform = |s: i64| Convention { scaling: Some(Scaling::Linear { factor: s.into() }), ..plain.clone() };
    let scaling: &[&str] = &["frequency-scaling"];
    let cases: Vec<(&str, Convention, Convention, &[&str])> = vec![
        ("linear missing", linear.clone(), plain.clone(), scaling),
        ("linear doubled", linear.clone(), uniform(64), scaling),
        ("linear unstated", plain.clone(), linear.clone(), scaling),
        ("ntk as a uniform division", ntk.clone(), uniform(4), scaling),
        ("ntk missing", ntk.clone(), plain.clone(), scaling),
        ("dynamic as a uniform division", dynamic.clone(), uniform(2), scaling),
        ("dynamic missing", dynamic, plain.clone(), scaling),
        ("llama3 missing", llama.clone(), plain.clone(), scaling),
        ("llama3 as linear", llama.clone(), uniform(8), scaling),
        ("llama3 unstated", plain.clone(), llama, scaling),
        ("yarn without attention factor", yarn.clone(), attention("1"), &["amplitude"]),
        ("yarn with the factor squared", yarn.clone(), attention("1.6314"), &["amplitude"]),
        ("yarn ramp shifted", yarn.clone(), shifted, scaling),
        ("yarn missing", yarn, plain.clone(), &["frequency-scaling", "amplitude"]),
        ("longrope short for long", long(8192), long(4096), scaling),
        ("longrope long for short", long(4096), long(8192), scaling),
        ("longrope missing", long(8192), plain, scaling),
    ];
    for (name, stated, computed, codes) in cases {
        for format in [Format::F32, Format::Bf16] {
            let (cos, sin) = Program::single(&computed).run(64, &rows).apart();
            let report = judge_cache(format, (&cos, &sin), 64, &expectation(&stated, &rows)).unwrap();
            score.add(&format!("{name} ({format})"), codes, &report);
        }
    }
    score.settle();
}
