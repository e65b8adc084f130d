//! Libraries of other accuracies than the usual ones: what is honest with them is, and no more.

use posproof_bound::Libraries;
use posproof_check::{Expectation, Report, Slice, Subject, check};
use posproof_encoding::convention::Convention;

const PAIRS: usize = 32;
const ROWS: usize = 400;

/// A cache in binary32 whose functions err by so many units in the last place, up and down by turns.
fn cache(exp: f64, waves: f64) -> [Vec<f32>; 2] {
    // A unit in the last place is this of a number's magnitude at least.
    let unit = 2f64.powi(-24);
    let off = |x: f64, ulps: f64, turn: usize| {
        let sign = if turn.is_multiple_of(2) { 1.0 } else { -1.0 };
        f64::from((x * (1.0 + sign * ulps * unit)) as f32)
    };
    let entry = |part: fn(f64) -> f64| {
        let one = move |i: usize| {
            let (row, k) = (i / PAIRS, i % PAIRS);
            // e⁰ is 1 in every library.
            let omega =
                off((-10000f64.ln() * k as f64 / PAIRS as f64).exp(), if k == 0 { 0.0 } else { exp }, k * k / 3);
            off(part(f64::from((row as f64 * omega) as f32)), waves, row + k) as f32
        };
        (0..ROWS * PAIRS).map(one).collect::<Vec<f32>>()
    };
    [entry(f64::cos), entry(f64::sin)]
}

fn judged([cos, sin]: &[Vec<f32>; 2], libraries: Libraries) -> Report {
    let (cos, sin) = (Slice::new("cos", cos, PAIRS).unwrap(), Slice::new("sin", sin, PAIRS).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    check(subject, &Expectation::new(Convention::rope(2 * PAIRS)).with_libraries(libraries)).unwrap()
}

#[test]
fn what_is_honest_with_the_stated_accuracies_conforms() {
    let usual = Libraries::default();
    for (exp, waves, libraries) in [
        (1.0, 1.0, usual),
        (100.0, 1.0, Libraries { exp: 116.0, ..usual }),
        (1.0, 8.0, Libraries { sin: 8.0, cos: 8.0, ..usual }),
        (100.0, 8.0, Libraries { sin: 8.0, cos: 8.0, exp: 116.0, ..usual }),
    ] {
        let cache = cache(exp, waves);
        let report = judged(&cache, libraries);
        assert!(report.conforms, "{libraries}: {report}");
        assert_eq!(report.libraries, libraries);
        if libraries != usual {
            assert!(!judged(&cache, usual).conforms, "{libraries}: accepted with the usual accuracies");
        }
    }
}

#[test]
fn a_fault_is_one_with_any_libraries() {
    let stated = Libraries { sin: 8.0, cos: 8.0, exp: 116.0, ..Libraries::default() };
    let [cos, mut sin] = cache(100.0, 8.0);
    sin[200 * PAIRS + 3] += 1e-3;
    let report = judged(&[cos.clone(), sin.clone()], stated);
    assert_eq!(report.first_code().map(|code| code.name()), Some("local"), "{report}");
    let report = judged(&[cos, sin.iter().map(|x| -x).collect()], stated);
    assert!(!report.conforms, "{report}");
    // What mends it is stated with the same libraries.
    let base = Convention { base: 20_000.into(), ..Convention::rope(2 * PAIRS) };
    let cache = cache(100.0, 8.0);
    let (cos, sin) = (Slice::new("cos", &cache[0], PAIRS).unwrap(), Slice::new("sin", &cache[1], PAIRS).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let report = check(subject, &Expectation::new(base).with_libraries(stated)).unwrap();
    let mend = report.mend.expect("the right base");
    assert!(mend.to_string().contains("--ulp sin=8,cos=8,exp=116"), "{mend}");
}
