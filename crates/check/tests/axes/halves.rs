//! Caches of which only the cosines are there, or only the sines.

use crate::beside::FAMILIES;
use crate::faults::{MistakenFamily, cache, judged, judged_subject, mistaken};
use posproof_check::axes::AxialReport;
use posproof_check::{Code, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use serde_json::json;

/// The judgement of the cosines alone, and of the sines.
fn halves([cos, sin]: &[Vec<f32>; 2], stated: (&AxialLaw, &Coordinates)) -> [AxialReport; 2] {
    let slots = stated.0.slots();
    let (cos, sin) = (Slice::new("cos", cos, slots).unwrap(), Slice::new("sin", sin, slots).unwrap());
    let parts = [Subject::Rope { cos: Some(&cos), sin: None }, Subject::Rope { cos: None, sin: Some(&sin) }];
    parts.map(|subject| judged_subject(subject, stated))
}

#[test]
fn half_a_cache_has_the_names_of_a_whole_one() {
    let (mut told, mut apart) = (0, Vec::new());
    for MistakenFamily { name, mistake, codes, stated, made } in mistaken(&FAMILIES) {
        let whole = judged((&made.0, &made.1), (&stated.0, &stated.1));
        if whole.conforms {
            continue;
        }
        for (part, half) in
            ["cosines", "sines"].into_iter().zip(halves(&cache(&made.0, &made.1), (&stated.0, &stated.1)))
        {
            // Cosines of the other direction are the same.
            if half.conforms {
                assert!(part == "cosines", "{name}: {mistake}: {half}");
                continue;
            }
            told += 1;
            let found: Vec<Code> = half.findings.iter().map(|finding| finding.code()).collect();
            if !codes.iter().any(|code| found.contains(code)) {
                apart.push(format!("{name}: {mistake}, {part}: {found:?}"));
            }
        }
    }
    assert!(told >= 100, "{told}");
    assert!(apart.is_empty(), "{} of {told}\n{}", apart.len(), apart.join("\n"));
}

/// Bases that no list has, at positions of a grid that repeat; of a run of 32 frequencies of 64 the base was told as that of 32.
#[test]
fn a_measured_base_is_that_of_the_stated_dimension() {
    let law = |base: u32| {
        let json = json!({"encoding": "rope", "dim": 128, "layout": "halves", "base": base, "axes": [
            {"name": "h", "pairs": "0..32", "index": "pairs"}, {"name": "w", "pairs": "32..64", "index": "pairs"}]});
        serde_json::from_value::<AxialConvention>(json).unwrap().law(|_| Err("none".into())).unwrap()
    };
    let grid: String = (0..2048).map(|row| format!("{} {}\n", row / 64, row % 64)).collect();
    let rows: Coordinates = grid.parse().unwrap();
    for base in [123, 4321] {
        for half in halves(&cache(&law(base), &rows), (&law(10000), &rows)) {
            let [finding] = &half.findings[..] else { panic!("{half}") };
            let text = finding.to_string();
            assert!(finding.code() == Code::OtherBase && text.contains(&format!("is {base}, not 10000")), "{half}");
            assert!(half.mend.is_some(), "{half}");
        }
    }
}
