//! Asking and judging: shrinking, what is said, and what is refused.

use posproof_encoding::convention::Convention;
use posproof_property::{
    Answer, Batch, Functions, Invalid, PROPERTIES, Probe, Role, Setup, UNASKED, Verdict, check, find,
};
use std::collections::BTreeSet;

const DIM: usize = 8;

fn stated() -> Setup {
    Setup::new(Convention::sinusoid(DIM))
}

fn encode(t: u64) -> Vec<f64> {
    let angle = |pair: usize| (t as f64 / 1e4f64.powf(2.0 * pair as f64 / DIM as f64)) as f32;
    let entry =
        |column: usize| if column.is_multiple_of(2) { angle(column / 2).sin() } else { angle(column / 2).cos() };
    (0..DIM).map(|column| f64::from(entry(column))).collect()
}

/// A fault at the positions from 700 on is found at the first of them, whatever position was tried first.
#[test]
fn a_failure_is_shrunk_to_the_simplest_inputs() {
    let faulty = |t: u64| if t < 700 { encode(t) } else { encode(t + 1) };
    let report = check("shift.linearity", &stated(), Functions::new().encode(faulty)).unwrap();
    assert_eq!(report.verdict, Verdict::Refuted);
    let failing = report.failing.expect("a failure");
    let sum: u64 = failing.positions.iter().map(|(_, at)| at).sum();
    assert_eq!(sum, 700, "{failing}");
}

/// The sabotage is refuted at the tolerances of right code, for every claim; where it is not, nothing is judged.
#[test]
fn what_has_no_teeth_is_not_judged() {
    let setup = Setup { error: Some(10.0), ..Setup::new(Convention::rope(DIM)) };
    let report = check("attention.equivariance", &setup, Functions::new().layer(<[f64]>::to_vec)).unwrap();
    assert_eq!((report.verdict, report.refuted, report.sabotage_refuted), (Verdict::NotJudged, 0, false));
    assert!(report.to_string().contains("NOT refuted"), "{report}");
    let setup = Setup { error: Some(0.0), ..setup };
    let report = check("attention.equivariance", &setup, Functions::new().layer(<[f64]>::to_vec)).unwrap();
    assert_eq!((report.verdict, report.sabotage_refuted), (Verdict::Holds, true));
}

/// Every comparison of every claim can fail: answers at random refute it.
#[test]
fn every_comparison_can_fail() {
    for property in PROPERTIES {
        let setup = Setup { error: Some(0.0), tokens: 4, ..Setup::new(Convention::rope(DIM)) };
        let setup = if property.role() == Role::Encode { stated() } else { setup };
        let probe = Probe::new(property, &setup).unwrap();
        let (mut refuted, mut all) = (BTreeSet::new(), BTreeSet::new());
        // One row may be all that a comparison looks at: several draws.
        for draw in 1..64u64 {
            let mut state = draw;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 33) as f64 / (1u64 << 31) as f64 - 0.5) * 6.0
            };
            let answer = |batch: Batch| {
                let entries = (0..batch.answer.iter().product::<usize>()).map(|_| random()).collect();
                Answer { role: batch.role, format: setup.dtype, shape: batch.answer, entries }
            };
            let answers: Vec<Answer> = probe.batches().into_iter().map(answer).collect();
            let judged = probe.judge(&answers).unwrap().report;
            refuted.extend(judged.refuted_by);
            all.extend(judged.compared);
            if refuted == all {
                break;
            }
        }
        // That something differs somewhere is what answers at random do.
        let existential = property.claim == "attention.encoding-breaks-symmetry";
        assert!(existential || refuted == all, "{}: {:?} never fail", property.claim, all.difference(&refuted));
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let message = |claim: &str, given: &[Role]| find(claim, given).expect_err(claim).to_string();
    let unknown = message("shift.linearty", &[Role::Encode]);
    assert!(unknown.contains("did you mean") && unknown.contains("shift.linearity"), "{unknown}");
    assert!(message("rope.aliasing", &[Role::Rotate]).contains("asks no function"));
    let other = message("shift.linearity", &[Role::Rotate]);
    assert_eq!(other, "shift.linearity: expected encode; found rotate");
    let several = message("attention.equivariance", &[]);
    assert_eq!(several, "attention.equivariance: expected attention, or layer; found no function");

    let of = |setup: Setup| {
        let functions = Functions::new().encode(encode);
        check("shift.linearity", &setup, functions).expect_err("refused").to_string()
    };
    assert!(of(Setup { last: 2, ..stated() }).contains("positions: expected a last position from 3"));
    assert!(of(Setup::new(Convention::sinusoid(7))).contains("dim"));
    let short = check("shift.linearity", &stated(), Functions::new().encode(|_| vec![0.0; 3])).expect_err("short");
    assert!(matches!(&short, Invalid::Answer { role: Role::Encode, .. }), "{short}");
    assert!(
        short.to_string().starts_with("shift.linearity: encode (positions [n]) -> [n, d]: expected an array of shape")
    );
    let nan = check("shift.linearity", &stated(), Functions::new().encode(|_| vec![f64::NAN; DIM])).expect_err("NaN");
    assert!(nan.to_string().contains("expected finite numbers; found NaN in row 0"), "{nan}");
    let layer = check("attention.equivariance", &stated(), Functions::new().layer(<[f64]>::to_vec)).expect_err("error");
    assert!(layer.to_string().contains("error: expected the absolute error"), "{layer}");
    assert!(UNASKED.iter().all(|claim| PROPERTIES.iter().all(|property| property.claim != *claim)));
}

/// Inputs are those of the seed alone.
#[test]
fn inputs_are_the_same_in_every_run() {
    for property in PROPERTIES {
        let of = |seed| {
            let setup = Setup { seed, error: Some(0.0), ..Setup::new(Convention::rope(64)) };
            let setup = if property.role() == Role::Encode { Setup { seed, ..stated() } } else { setup };
            Probe::new(property, &setup).unwrap().batches()
        };
        assert_eq!(of(1), of(1), "{}", property.claim);
        assert_ne!(of(1), of(2), "{}", property.claim);
        for batch in of(1) {
            let last = batch.positions.iter().max().copied();
            assert!(last.is_none_or(|last| last <= Setup::LAST), "{} reaches {last:?}", property.claim);
        }
    }
}
