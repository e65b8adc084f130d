//! Rows that show little, nothing, or what is not so; and questions that have no answer.

use super::specimen::{Numbers, cache, of_cache, of_rotation, sound};
use super::{END, rope};
use half::bf16;
use posproof_check::positions::{Comparison, Contradiction, Decoded, DecodedAxis, Domain, Located, Query, decode};
use posproof_check::{Slice, Subject};
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;

/// 710 is nearly a multiple of 2π, and 44 nearly enough for bfloat16: one pair, or two of which the second turns little,
/// cannot tell p from p + 710.
#[test]
fn positions_that_few_pairs_confuse_are_ambiguous() {
    let mut numbers = Numbers(11);
    for (dim, end) in [(2, 2000), (4, 200_000)] {
        let positions = numbers.positions(200, 0, end);
        let query = Query::new(rope(dim, 10_000)).within(Domain::new(0, end).unwrap());
        let exact = of_cache::<f32>(&query, &positions);
        assert_eq!(sound(&exact, &positions), positions.len(), "dim {dim}");
        let narrow = of_rotation::<bf16>(&query, &positions, &mut numbers);
        let certified = sound(&narrow, &positions);
        assert!(certified < positions.len(), "dim {dim}: {certified}");
        if dim == 2 {
            let row = &narrow.axes[0].located[0];
            let Located::Ambiguous(candidates) = row else { panic!("{row}") };
            // 44 apart, up or down.
            let near = [positions[0] - 44, positions[0] + 44];
            assert!(near.iter().any(|&p| candidates.contains(p) == Some(true)), "{row}");
            assert!(candidates.tested && candidates.count > 1);
        }
    }
    // 710 positions are 6·10⁻⁵ rad, which binary16 does not see and binary32 does.
    let query = Query::new(rope(2, 10_000)).within("0..711".parse().unwrap());
    assert_eq!(of_cache::<f32>(&query, &[0]).axes[0].located, [Located::Certified { position: 0 }]);
    let Located::Ambiguous(found) = &of_cache::<half::f16>(&query, &[0]).axes[0].located[0] else {
        panic!("certified")
    };
    assert_eq!(found.ranges, [0..=0, 710..=710]);
}

fn row(cos: &[f32], sin: &[f32], query: &Query) -> Decoded {
    let width = query.convention.pairs();
    let (cos, sin) = (Slice::new("cos", cos, width).unwrap(), Slice::new("sin", sin, width).unwrap());
    decode(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, query).unwrap()
}

#[test]
fn rows_that_show_nothing_are_said_to() {
    let query = Query::new(rope(8, 10_000));
    let [cos, sin] = cache::<f32>(&query.convention, &[0, 1, 2]);
    let with = |change: &dyn Fn(&mut Vec<f32>, &mut Vec<f32>)| {
        let (mut cos, mut sin) = (cos.clone(), sin.clone());
        change(&mut cos, &mut sin);
        row(&cos, &sin, &query)
    };
    let certified = |position| Located::Certified { position };
    let zero = with(&|cos, sin| (cos[4..8].fill(0.0), sin[4..8].fill(0.0)).0);
    assert_eq!(zero.axes[0].located, [certified(0), Located::Null, certified(2)]);
    assert!(!zero.is_certified() && !zero.falls_short());
    for strange in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let found = with(&|cos, _| cos[5] = strange);
        assert_eq!(found.axes[0].located, [certified(0), Located::NotFinite, certified(2)]);
        assert!(found.falls_short());
    }
    // One pair of zeros is no angle, and no length that a cosine and a sine have.
    let found = with(&|cos, sin| (cos[6], sin[6]) = (0.0, 0.0));
    assert_eq!(found.axes[0].located[1], Located::Unexplained(Contradiction::Length { pair: 2 }));
    let found = with(&|cos, _| cos[6] = 1.1);
    assert_eq!(found.axes[0].located[1], Located::Unexplained(Contradiction::Length { pair: 2 }));
    let found = with(&|_, sin| sin[6] = -sin[6]);
    assert_eq!(found.axes[0].located[1], Located::Unexplained(Contradiction::Angles));
}

#[test]
fn vectors_with_zeros_show_what_the_others_show() {
    let query = Query::new(rope(8, 10_000)).within("0..4096".parse().unwrap());
    let decoded = |x: &[f32], y: &[f32]| {
        let (x, y) = (Slice::new("x", x, 8).unwrap(), Slice::new("y", y, 8).unwrap());
        decode(Subject::Rotation { x: &x, y: &y }, &query).unwrap().axes.remove(0).located
    };
    let turned = |x: &[f32]| super::specimen::rotated(&query.convention, &[1234], x);
    let mut x = vec![0.5f32, -0.25, 1.0, 0.125, 0.0, 0.0, 3.0, -2.0];
    assert_eq!(decoded(&x, &turned(&x)), [Located::Certified { position: 1234 }]);
    // The slowest pair alone, of less than a turn.
    x[..6].fill(0.0);
    let slow = decoded(&x, &turned(&x));
    assert!(matches!(slow[0], Located::Certified { position: 1234 }), "{}", slow[0]);
    x.fill(0.0);
    assert_eq!(decoded(&x, &x), [Located::Null]);
    // Of nothing came something.
    let mut y = x.clone();
    y[3] = 1e-3;
    assert_eq!(decoded(&x, &y), [Located::Unexplained(Contradiction::Length { pair: 1 })]);
    // Magnitudes whose squares overflow or vanish.
    for scale in [1e-30f32, 1e-18, 1e18, 1e30] {
        let x: Vec<f32> = [0.5f32, -0.25, 1.0, 0.125, 0.75, 0.5, 3.0, -2.0].map(|x| x * scale).to_vec();
        assert_eq!(decoded(&x, &turned(&x)), [Located::Certified { position: 1234 }], "{scale:e}");
    }
    // The smallest numbers there are, of which roundings leave little: the true position is not lost.
    let tiny = vec![f32::from_bits(1); 8];
    let found = decoded(&tiny, &turned(&tiny));
    assert!(matches!(&found[0], Located::Ambiguous(left) if left.contains(1234) != Some(false)), "{}", found[0]);
}

#[test]
fn noise_has_no_position() {
    let mut numbers = Numbers(13);
    let convention = rope(64, 10_000);
    let x = numbers.vectors::<f32>(300, 64);
    let y = numbers.vectors::<f32>(300, 64);
    let (x, y) = (Slice::new("x", &x, 64).unwrap(), Slice::new("y", &y, 64).unwrap());
    let decoded = decode(Subject::Rotation { x: &x, y: &y }, &Query::new(convention)).unwrap();
    assert_eq!(decoded.axes[0].counts.unexplained, 300);
    assert_eq!(decoded.axes[0].open.len(), DecodedAxis::LISTED);
}

/// Angles computed in bfloat16 say nothing of far positions: no row can exclude them, and none is guessed.
#[test]
fn what_a_format_does_not_resolve_is_not_certified() {
    let mut numbers = Numbers(14);
    let query = Query::new(rope(128, 10_000)).computed_in(posproof_numerics::format::Format::Bf16);
    let positions = numbers.positions(100, 0, END);
    let decoded = of_rotation::<bf16>(&query, &positions, &mut numbers);
    assert_eq!((sound(&decoded, &positions), decoded.axes[0].counts.ambiguous), (0, 100));
    assert!(decoded.axes[0].told_apart.end() < 4096, "{}", decoded.axes[0].told_apart);
    let text = decoded.to_string();
    assert!(text.contains("overlap") && text.contains("too many"), "{text}");
}

#[test]
fn questions_without_an_answer_are_refused() {
    let query = Query::new(rope(8, 10_000));
    let [cos, sin] = cache::<f32>(&query.convention, &[1, 2, 3]);
    let cos = Slice::new("cos", &cos, 4).unwrap();
    let (sin, twice) = (Slice::new("sin", &sin, 4).unwrap(), sin.iter().chain(&sin).copied().collect::<Vec<_>>());
    let twice = Slice::new("twice", &twice, 8).unwrap();
    let refused = |subject: Subject<'_>, query: &Query| decode(subject, query).expect_err("refused").to_string();
    let both = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let cases = [
        (refused(Subject::Rope { cos: Some(&cos), sin: None }, &query), "half a cache"),
        (refused(Subject::Rope { cos: None, sin: None }, &query), "neither"),
        (refused(Subject::Sinusoid(&cos), &query), "Sinusoid"),
        (refused(both, &Query::new(rope(12, 10_000))), "last dimension"),
        (refused(Subject::Rope { cos: Some(&twice), sin: Some(&sin) }, &query), "rows"),
        (refused(both, &Query::new(Convention { amplitude: "0".parse().unwrap(), ..rope(8, 10_000) })), "amplitude"),
        (
            refused(
                both,
                &Query::new(Convention {
                    scaling: Some(Scaling::Dynamic {
                        factor: 2.into(),
                        original_max_position_embeddings: 2048,
                        sequence_length: None,
                    }),
                    ..rope(8, 10_000)
                }),
            ),
            "sequence_length",
        ),
        (refused(both, &Query::new(Convention { position_scale: "1e40".parse().unwrap(), ..rope(8, 10_000) })), "2^62"),
    ];
    for (message, part) in cases {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn expected_positions_agree_differ_or_are_left_open() {
    let query = Query::new(rope(8, 10_000)).within("-16..4096".parse().unwrap());
    let [mut cos, mut sin] = cache::<f32>(&query.convention, &[5, 6, 7, -3]);
    cos[4..8].fill(0.0);
    sin[4..8].fill(0.0);
    let found = row(&cos, &sin, &query);
    let compared = found.clone().compared("p", &[5, 6, 8, -3]).unwrap();
    let Comparison { agree, differ, undecided, first } = compared.axes[0].comparison.clone().unwrap();
    assert_eq!((agree, differ, undecided), (2, 1, 1));
    assert_eq!((first[0].row, first[0].expected, first[0].found.position()), (2, 8, Some(7)));
    assert!(compared.falls_short() && compared.to_string().contains("expected 8; found position 7"));
    assert!(!found.clone().compared("p", &[5, 6, 7, -3]).unwrap().falls_short());
    let message = found.clone().compared("p.npy", &[5, 6]).unwrap_err().to_string();
    assert!(message.contains("p.npy: the length: expected 4"), "{message}");
    let message = found.compared("p.npy", &[5, 6, 4096, 1]).unwrap_err().to_string();
    assert!(message.contains("entry 2") && message.contains("--domain"), "{message}");
}
