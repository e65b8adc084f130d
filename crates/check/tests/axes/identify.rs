//! Conventions are recovered from correct caches, tables and rotations alone.

use crate::families::{all, coordinates, law, law_of, rows};
use crate::honest::{cache, rotation};
use crate::rules::{angles, table};
use posproof_check::axes::{AxialExpectation, AxialIdentification, check_axes, identify_axes};
use posproof_check::{Code, Confidence, Grade, Slice, Subject, identify};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_table::AxialTable;
use std::collections::BTreeMap;

/// The largest coordinate of the rows: rates below the roundoff of binary32 divided by it cannot show.
const FARTHEST: f64 = 2051.0;

/// Why some families are not recovered; a list that has one too many is as red as one that lacks one.
const ALIASED: &str = "slots that turn more than half a turn between any two of the coordinates show smaller rates";

/// For the entries of each pair of a row the axes that turn it, each with its rate.
type Pairs = BTreeMap<(usize, usize), Vec<(usize, f64)>>;

fn pairs(law: &AxialLaw) -> Pairs {
    let rate = |slot: usize| {
        let of = |claim: &posproof_encoding::axes::Claim| {
            let axis = &law.axes()[claim.axis];
            let omega = axis.frequency(0, claim.at, 64).expect("a frequency").approximate();
            let sign = if axis
                .one_axis()
                .is_some_and(|one| one.direction == posproof_encoding::convention::Direction::Clockwise)
            {
                -1.0
            } else {
                1.0
            };
            (claim.axis, sign * omega * axis.scale().enclose(64).approximate())
        };
        law.claims(slot).iter().map(of).collect::<Vec<_>>()
    };
    law.turns().iter().map(|turn| (turn.write, rate(turn.slots.0))).collect()
}

/// True if the same axes turn a pair, as fast as each other.
fn same(found: &[(usize, f64)], stated: &[(usize, f64)]) -> bool {
    // Chosen: what turns by at most 17 · 2⁻²⁴ in any row stands still, like binary64's errors in `stated`.
    let moving = |all: &[(usize, f64)]| -> Vec<(usize, f64)> {
        all.iter().copied().filter(|(_, rate)| rate.abs() * FARTHEST > 1e-6).collect()
    };
    let (found, stated) = (moving(found), moving(stated));
    // Chosen: far above the 2⁻²⁴ to which a sine shows a slow rate; base 10001 for 10000 puts the slowest off by 1e-4.
    let close = |((a, x), (b, y)): (&(usize, f64), &(usize, f64))| a == b && (x - y).abs() <= 1e-5 * y.abs();
    found.len() == stated.len() && found.iter().zip(&stated).all(close)
}

/// Convention that is found, and whether it is established or not as it should be.
fn identified(name: &str, subject: Subject<'_>) -> (AxialIdentification, bool) {
    let stated = law(name);
    let names: Vec<String> = stated.axes().iter().map(|axis| axis.name().to_owned()).collect();
    let found = identify_axes(subject, &coordinates(names.len()), &names).unwrap();
    // Sums of axes follow no law of one axis.
    let expected = if name == "mixed" { Confidence::Unexplained } else { Confidence::Established };
    let right = found.confidence == expected;
    (found, right)
}

/// Sections, order of the axes and rates of every column of a cache of every family, against the family's own program.
#[test]
fn sections_and_axes_of_every_cache_are_recovered() {
    let (mut count, mut missed) = (0, Vec::new());
    for name in all().keys() {
        let axes = law(name).axes().len();
        let Some((cos, sin, width)) = cache(name, axes) else { continue };
        let (cos, sin) = (Slice::new("cos", &cos, width).unwrap(), Slice::new("sin", &sin, width).unwrap());
        let (found, mut right) = identified(name, Subject::Rope { cos: Some(&cos), sin: Some(&sin) });
        let origin = angles(name, &vec![0.0; axes]).unwrap();
        let stated = |column: usize| {
            let unit =
                |axis| angles(name, &(0..axes).map(|a| f64::from(u8::from(a == axis))).collect::<Vec<_>>()).unwrap();
            (0..axes).map(|axis| (axis, unit(axis)[column] - origin[column])).collect::<Vec<_>>()
        };
        let measured = |slot: usize| {
            let at = |(axis, measured): (usize, &posproof_check::MeasuredAxis)| {
                measured.slots.iter().position(|&own| own == slot).map(|at| (axis, measured.rates[at]))
            };
            found.axes.iter().enumerate().filter_map(at).collect::<Vec<_>>()
        };
        match &found.convention {
            Some(convention) => {
                let law = law_of(&serde_json::to_value(convention).unwrap()).unwrap();
                for (slot, (turn, turned)) in law.turns().iter().zip(pairs(&law)).enumerate() {
                    let columns = match found.columns {
                        Some("slots") => vec![slot],
                        _ => vec![turn.write.0, turn.write.1],
                    };
                    let turned = pairs(&law).remove(&turn.write).unwrap_or(turned.1);
                    right &= columns.into_iter().all(|column| same(&turned, &stated(column)));
                }
            }
            None => right &= (0..width).all(|slot| same(&measured(slot), &stated(slot))),
        }
        count += 1;
        if !right {
            missed.push(name.clone());
        }
    }
    assert!(count >= 39, "{count}");
    assert!(missed.is_empty(), "{missed:?}");
}

/// The same of tables, where the entries show the pairs too.
#[test]
fn sections_and_axes_of_every_table_are_recovered() {
    let mut count = 0;
    for name in all().keys() {
        let stated = law(name);
        let (axes, dim) = (stated.axes().len(), stated.convention().dim);
        if table(name, &vec![0.0; axes]).is_none() {
            continue;
        }
        let row = |row: &Vec<f64>| if row[0].is_nan() { vec![0.0; dim] } else { table(name, row).unwrap() };
        let entries: Vec<f32> = rows(axes).iter().flat_map(row).map(|x| x as f32).collect();
        let entries = Slice::new("table", &entries, dim).unwrap();
        let (found, right) = identified(name, Subject::Sinusoid(&entries));
        assert!(right, "{name}: {found}");
        let found = found.convention.unwrap();
        let (found, stated) = (pairs(&law_of(&serde_json::to_value(&found).unwrap()).unwrap()), pairs(&stated));
        assert!(found.keys().eq(stated.keys()), "{name}");
        assert!(found.values().zip(stated.values()).all(|(found, stated)| same(found, stated)), "{name}");
        count += 1;
    }
    assert!(count >= 6, "{count}");
}

/// The same of rotations, of which part of a row may be left alone.
#[test]
fn sections_and_axes_of_rotations_are_recovered() {
    let (mut count, mut missed) = (0, Vec::new());
    for name in all().keys() {
        let stated = law(name);
        let Some((x, y)) = rotation(name, &stated) else { continue };
        let dim = stated.convention().dim;
        let (x, y) = (Slice::new("x", &x, dim).unwrap(), Slice::new("y", &y, dim).unwrap());
        let (found, mut right) = identified(name, Subject::Rotation { x: &x, y: &y });
        count += 1;
        let Some(convention) = found.convention else {
            missed.extend((!right).then(|| name.clone()));
            continue;
        };
        let (found, stated) = (pairs(&law_of(&serde_json::to_value(&convention).unwrap()).unwrap()), pairs(&stated));
        for (pair, stated) in &stated {
            right &= same(found.get(pair).map_or(&[], Vec::as_slice), stated);
        }
        missed.extend((!right).then(|| name.clone()));
    }
    assert!(count >= 8, "{count}");
    assert_eq!(missed, ["ltx2"], "{ALIASED}");
}

/// Small grids, on which slow slots move by less than a unit of roundoff of a cosine: their sines show it.
#[test]
fn slow_slots_of_small_grids_are_of_their_axes() {
    for (name, [frames, height, width]) in ["qwen2-vl", "qwen3-vl"]
        .into_iter()
        .flat_map(|name| [[1, 3, 5], [2, 3, 4], [2, 2, 3]].map(|sides| (name, sides)))
    {
        let stated = law(name);
        let rows: Vec<f64> = (0..frames * height * width)
            .flat_map(|i| [i / (height * width), i / width % height, i % width].map(f64::from))
            .collect();
        let coordinates = Coordinates::from_floats(&rows, 3).unwrap();
        let table = AxialTable::<f32>::new(&stated, &coordinates).unwrap();
        let (rows, slots) = (coordinates.rows(), stated.slots());
        let [mut cos, mut sin] = [vec![0f32; rows * slots], vec![0f32; rows * slots]];
        table.fill(0, 0..rows, &mut cos, &mut sin).unwrap();
        let (cos, sin) = (Slice::new("cos", &cos, slots).unwrap(), Slice::new("sin", &sin, slots).unwrap());
        let names: Vec<String> = stated.axes().iter().map(|axis| axis.name().to_owned()).collect();
        let found = identify_axes(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &coordinates, &names).unwrap();
        assert_eq!(found.confidence, Confidence::Established, "{name}, {frames} x {height} x {width}: {found}");
        for axis in &found.axes {
            let own = |slot: &usize| stated.axes()[stated.claims(*slot)[0].axis].name() == axis.name;
            assert!(axis.slots.iter().all(own), "{name}, {frames} x {height} x {width}: {found}");
        }
        let assigned: usize = found.axes.iter().map(|axis| axis.slots.len()).sum();
        let still = found.still.as_ref().unwrap();
        assert_eq!(assigned + still.len(), slots, "{name}, {frames} x {height} x {width}: {found}");
        // Frames of which there is one do not move, and nothing else stands still.
        let frozen = |slot: &usize| frames == 1 && stated.claims(*slot)[0].axis == 0;
        assert!(still.iter().all(frozen), "{name}, {frames} x {height} x {width}: {found}");
    }
}

/// One cache of 2000 rows of these axes, one entry of which is off.
fn damaged(axes: &str, off: f32) -> (AxialLaw, Coordinates, [Vec<f32>; 2]) {
    let law: AxialConvention = serde_json::from_str(axes).unwrap();
    let law = law.law(|name| Err(name.to_owned())).unwrap();
    let several = law.axes().len() > 1;
    let row = |row: u32| if several { vec![row / 45, row % 45] } else { vec![row] };
    let rows: Vec<f64> = (0..2000).flat_map(row).map(f64::from).collect();
    let coordinates = Coordinates::from_floats(&rows, law.axes().len()).unwrap();
    let [mut cos, mut sin] = [vec![0f32; 2000 * law.slots()], vec![0f32; 2000 * law.slots()]];
    AxialTable::<f32>::new(&law, &coordinates).unwrap().fill(0, 0..2000, &mut cos, &mut sin).unwrap();
    cos[1900 * law.slots() + 2] += off;
    (law, coordinates, [cos, sin])
}

const LLAMA3: &str = r#"{"encoding": "rope", "dim": 32, "axes": [{"name": "t", "pairs": "0..16"}], "base": 500000,
    "scaling": {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}}"#;
const LOUD: &str =
    r#"{"encoding": "rope", "dim": 32, "axes": [{"name": "t", "pairs": "0..16"}], "base": 10000, "amplitude": 1.1}"#;
const LOUD_GRID: &str = r#"{"encoding": "rope", "dim": 32, "axes": [{"name": "h", "pairs": "0..8"}, {"name": "w", "pairs": "8..16"}],
    "base": 100, "amplitude": 1.1}"#;

/// Nothing is established that a judgement refuses: one wrong entry is a finding, whether it is beyond the widest bound or not.
#[test]
fn an_entry_that_departs_is_told_beside_what_is_established() {
    // A bound grows with the coordinates.
    let cases = [(LLAMA3, 1e-3), (LOUD, 2e-4), (LOUD_GRID, 8e-6)];
    for (stated, off) in cases.into_iter().flat_map(|(stated, small)| [0.0, small, 0.5].map(|off| (stated, off))) {
        let (law, coordinates, [cos, sin]) = damaged(stated, off);
        let [cos, sin] = [("cos", &cos), ("sin", &sin)].map(|(name, all)| Slice::new(name, all, law.slots()).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let names: Vec<String> = law.axes().iter().map(|axis| axis.name().to_owned()).collect();
        let found = identify_axes(subject, &coordinates, &names).unwrap();
        assert_eq!(found.confidence, Confidence::Established, "{off} {found}");
        let codes: Vec<Code> = found.findings.iter().map(|finding| finding.code()).collect();
        let expected = if off == 0.0 { Vec::new() } else { vec![Code::Local] };
        assert_eq!(codes, expected, "{off} {found}");
        assert_eq!(found.to_string().contains("every entry is within its bound"), off == 0.0, "{found}");
        // The convention is the one that was stated: a judgement under it says the same.
        let convention = found.convention.as_ref().unwrap().law(|name| Err(name.to_owned())).unwrap();
        let [again, stated] =
            [&convention, &law].map(|law| check_axes(subject, &AxialExpectation::new(law, &coordinates)).unwrap());
        assert_eq!((again.grade, again.statistics.exceeding), (stated.grade, stated.statistics.exceeding), "{again}");
        assert_eq!(again.findings.iter().map(|finding| finding.code()).collect::<Vec<_>>(), expected, "{again}");
        if names.len() == 1 {
            let alone = identify(subject, None).unwrap();
            assert_eq!((alone.confidence, alone.findings.len()), (found.confidence, found.findings.len()), "{alone}");
        }
    }
}

/// A convention that explains all entries by the widest bound is no mend if its own judgement refuses one.
#[test]
fn an_entry_that_departs_is_told_beside_another_amplitude() {
    let plain = LOUD_GRID.replace(r#""amplitude": 1.1"#, r#""amplitude": 1"#);
    let stated: AxialConvention = serde_json::from_str(&plain).unwrap();
    let stated = stated.law(|name| Err(name.to_owned())).unwrap();
    for off in [8e-6, 0.5] {
        let (law, coordinates, [cos, sin]) = damaged(LOUD_GRID, off);
        let [cos, sin] = [("cos", &cos), ("sin", &sin)].map(|(name, all)| Slice::new(name, all, law.slots()).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check_axes(subject, &AxialExpectation::new(&stated, &coordinates)).unwrap();
        let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
        assert!(codes.contains(&Code::Amplitude) && codes.contains(&Code::Local), "{off} {report}");
        assert!(report.mend.is_none() && report.grade == Grade::Wrong, "{off} {report}");
        let explained: u64 = report.findings.iter().map(|finding| finding.explains.entries).sum();
        assert!(explained <= report.findings[0].explains.of, "{off} {report}");
    }
}

/// A wrong entry in a row that is sampled hides nothing.
#[test]
fn an_entry_of_a_sampled_row_is_told_beside_what_is_established() {
    for name in ["qwen2-vl", "qwen3-vl", "qwen2-vision"] {
        let made = law(name);
        let coordinates = coordinates(made.axes().len());
        let names: Vec<String> = made.axes().iter().map(|axis| axis.name().to_owned()).collect();
        let [mut cos, sin] = crate::faults::cache(&made, &coordinates);
        cos[9 * made.slots() + 1] += 0.25;
        let [cos, sin] = [("cos", &cos), ("sin", &sin)].map(|(name, all)| Slice::new(name, all, made.slots()).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let found = identify_axes(subject, &coordinates, &names).unwrap();
        assert_eq!(found.confidence, Confidence::Established, "{name}: {found}");
        assert_eq!(found.findings.iter().map(|finding| finding.code()).collect::<Vec<_>>(), [Code::Local], "{found}");
        assert_eq!(found.findings[0].explains.entries, 1, "{found}");
    }
}

#[test]
fn more_names_than_columns_of_positions_are_refused() {
    let (law, coordinates, [cos, sin]) = damaged(LOUD, 0.0);
    let [cos, sin] = [("cos", &cos), ("sin", &sin)].map(|(name, all)| Slice::new(name, all, law.slots()).unwrap());
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
    let error = identify_axes(subject, &coordinates, &["t".into(), "h".into()]).unwrap_err().to_string();
    assert!(error.contains("1 at most") && error.contains("found 2"), "{error}");
}

#[test]
fn half_a_cache_shows_no_angle() {
    let (cos, _, width) = cache("flux", 3).unwrap();
    let cos = Slice::new("cos", &cos, width).unwrap();
    let error = identify_axes(Subject::Rope { cos: Some(&cos), sin: None }, &coordinates(3), &[]).unwrap_err();
    assert!(error.to_string().contains("cosines and sines"), "{error}");
}
