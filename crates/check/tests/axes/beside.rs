//! Faults that are injected into the caches of families beside single wrong entries, or beside another fault: both are told.

use crate::families::{all, coordinates, law, law_of};
use crate::faults::{MistakenFamily, cache, judged, judged_cache, mistaken, mistakes};
use posproof_check::{Code, Status};
use posproof_encoding::axes::Coordinates;

/// Entries that are damaged, beside those of a mistake.
type Damage = fn(&mut [Vec<f32>; 2], usize);

const DAMAGES: [(&str, Code, Damage); 3] = [
    ("an entry", Code::Local, |[cos, _], width| cos[9 * width + 1] += 0.25),
    ("entries of two rows", Code::Local, |[cos, sin], width| {
        cos[5 * width + width - 1] -= 0.125;
        sin[30 * width] += 0.5;
    }),
    ("an entry that is no number", Code::NotFinite, |[_, sin], width| sin[11 * width + 2] = f32::NAN),
];

/// Sections in blocks and in turn, a grid, a prefix without a position, and normalised coordinates.
pub const FAMILIES: [&str; 5] = ["qwen2-vl", "qwen3-vl", "qwen2-vision", "dinov3", "cosmos"];

#[test]
fn a_mistake_is_named_beside_wrong_entries() {
    let (mut told, mut apart) = (0, Vec::new());
    for MistakenFamily { name, mistake, codes, stated, made } in mistaken(&FAMILIES) {
        let alone = judged((&made.0, &made.1), (&stated.0, &stated.1));
        if alone.conforms {
            continue;
        }
        // A damage in turn, so that each family has all of them.
        let (damage, code, alter) = DAMAGES[told % DAMAGES.len()];
        let mut entries = cache(&made.0, &made.1);
        alter(&mut entries, stated.0.slots());
        let report = judged_cache(&entries, (&stated.0, &stated.1));
        told += 1;
        let found: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
        let confirmed = report.findings.iter().all(|finding| finding.status == Status::Confirmed);
        let explained: u64 = report.findings.iter().map(|finding| finding.explains.entries).sum();
        // An entry whose bound says nothing under the mistake is explained by none.
        let most = 10 * explained >= 9 * report.statistics.exceeding;
        if !(confirmed && most && found.contains(&code) && codes.iter().any(|code| found.contains(code))) {
            apart.push(format!("{name}: {mistake}, {damage}: {report}"));
        }
    }
    assert!(told >= 40, "{told}");
    assert!(apart.is_empty(), "{} of {told}\n{}", apart.len(), apart.join("\n"));
}

/// Rows at other coordinates, and another law: a program that has the positions of text, say, and a base of its own.
#[test]
fn other_coordinates_are_told_beside_another_law() {
    const PLACES: [&str; 3] = ["an axis follows another", "one row too early", "a prefix of one row"];
    const LAWS: [&str; 4] = ["base 1000", "base 1000 of one axis", "counted anew in each axis", "the other direction"];
    let (all_mistakes, mut told) = (mistakes(), 0);
    let named = |name: &str| all_mistakes.iter().find(|(mistake, ..)| *mistake == name).expect("a mistake");
    for name in ["qwen2-vl", "qwen3-vl", "dinov3"] {
        let stated = law(name);
        let rows = coordinates(stated.axes().len());
        for (place, law) in PLACES.into_iter().flat_map(|place| LAWS.map(|law| (place, law))) {
            let (one, other) = (named(place), named(law));
            let mut json = all()[name].clone();
            let Some(made) = other.2(&mut json, &rows).and_then(|rows| one.2(&mut json, &rows)) else { continue };
            let made_law = law_of(&json).expect("a law");
            let report = judged((&made_law, &made), (&stated, &rows));
            let found: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
            let all = [one, other].iter().all(|(_, codes, _)| codes.iter().any(|code| found.contains(code)));
            assert!(all && report.mend.is_some(), "{name}: {place}, {law}: {report}");
            told += 1;
        }
    }
    assert!(told >= 20, "{told}");
}

/// A program for text alone: the number of the row is the position on every axis, and the base is its default.
#[test]
fn rows_that_are_numbered_as_text_are_told() {
    let image: Vec<Vec<f64>> = (0..4)
        .map(|i| vec![f64::from(i); 3])
        .chain((0..120).map(|i| vec![4.0, f64::from(4 + i / 12), f64::from(4 + i % 12)]))
        .chain((0..20).map(|i| vec![f64::from(16 + i); 3]))
        .collect();
    let rows = Coordinates::from_floats(&image.concat(), 3).unwrap();
    let text: Vec<f64> = (0..image.len()).flat_map(|row| [row as f64; 3]).collect();
    let text = Coordinates::from_floats(&text, 3).unwrap();
    for name in ["qwen2-vl", "qwen3-vl", "glm4v"] {
        let stated = law(name);
        for (base, codes) in [(None, &[Code::AxisLost][..]), (Some(10_000), &[Code::OtherBase, Code::AxisLost])] {
            let mut json = all()[name].clone();
            if let Some(base) = base {
                if json.get("base") == Some(&base.into()) {
                    continue;
                }
                json["base"] = base.into();
            }
            let report = judged((&law_of(&json).unwrap(), &text), (&stated, &rows));
            let found: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
            assert!(found == codes && report.mend.is_some(), "{name}: {report}");
        }
    }
}
