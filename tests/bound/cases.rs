//! The 48 cases of the design: binary32 and binary64; i = 1, 64, 128, 200; N = 512, 4096, 131072; sine and cosine.

use posproof::bound::{Model, Program, WorstCase};
use posproof::encoding::convention::{Component, Convention};
use posproof::number::format::{Format, hex};
use posproof_numerics::Round;
use posproof_numerics::decimal::scientific;

const LENGTHS: [u64; 3] = [512, 4096, 131072];

/// Worst cases over 0..512, 0..4096 and 0..131072.
fn worst(model: &Model, pair: usize) -> Vec<WorstCase> {
    let rate = model.rate(pair).expect("a frequency");
    let parts = model.worst(&rate, &[0..512, 512..4096, 4096..131072]).expect("all comparable");
    let mut joined: Option<WorstCase> = None;
    let all = parts.into_iter().map(|part| {
        let sum = joined.take().map_or(part.clone(), |before| before.join(part));
        joined = Some(sum.clone());
        sum
    });
    all.collect()
}

#[test]
fn instance_bounds_are_tight_in_all_48_cases() {
    let (mut ratios, mut text) = (Vec::new(), String::new());
    for format in [Format::F32, Format::F64] {
        let model = Model::new(&Convention::sinusoid(512), &Program::rounded(format)).expect("possible");
        for pair in [1, 64, 128, 200] {
            let rate = model.rate(pair).expect("a frequency");
            for (length, worst) in LENGTHS.into_iter().zip(worst(&model, pair)) {
                for component in [Component::Sin, Component::Cos] {
                    let extreme = worst.of(component);
                    let instance = model.instance(&rate, component, 0..length).expect("in range").value();
                    let a_priori = model.a_priori(&rate, 0..length).expect("in range").value();
                    assert!(
                        extreme.error <= instance && instance <= a_priori,
                        "{format} {pair} {component:?} {length}"
                    );
                    let ratio = instance / extreme.error;
                    let part = if component == Component::Sin { "sin" } else { "cos" };
                    text += &format!(
                        "{format} {part} pair {pair:<3} {:<9} worst {} ({}) at {:<6}  instance {}  ratio {ratio:.4}  a priori {}  ratio {:.3}\n",
                        format!("0..{length}"),
                        scientific(extreme.error, 5, Round::Nearest),
                        hex(extreme.error),
                        extreme.position,
                        scientific(instance, 5, Round::Up),
                        scientific(a_priori, 5, Round::Up),
                        a_priori / extreme.error
                    );
                    ratios.push(ratio);
                }
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = (ratios[23] + ratios[24]) / 2.0;
    text += &format!("instance bound by worst error: median {median:.4}, largest {:.4}\n", ratios[47]);
    let mut settings = super::configurations::settings();
    settings.set_description("sinusoid, dim 512, base 10000: the exact worst case beside its bounds");
    settings.bind(|| insta::assert_snapshot!("forty-eight-cases", text));
    assert_eq!(ratios.len(), 48);
    assert!(median <= 1.015 && ratios[47] <= 1.25);
}

#[test]
fn worst_cases_are_the_reference_figures() {
    let expected = [
        (Format::F32, 1, "2.5047e-5", 495, "6.6745e-3", 130150),
        (Format::F32, 200, "3.7861e-8", 488, "6.9482e-6", 129826),
        (Format::F64, 1, "4.2865e-14", 498, "1.2277e-11", 130671),
        (Format::F64, 200, "6.2550e-17", 387, "1.0805e-14", 129767),
    ];
    for (format, pair, short, short_at, long, long_at) in expected {
        let model = Model::new(&Convention::sinusoid(512), &Program::rounded(format)).expect("possible");
        let worst = worst(&model, pair);
        for (worst, error, position) in [(&worst[0].sin, short, short_at), (&worst[2].sin, long, long_at)] {
            assert_eq!((format!("{:.4e}", worst.error).as_str(), worst.position), (error, position), "{format} {pair}");
        }
    }
}
