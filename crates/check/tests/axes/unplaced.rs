//! Answers on axes without positions are true: of random sections, orders, bases and positions, slow slots, positions that repeat, and few rows.

use crate::families::{law, law_of};
use crate::honest::cache;
use crate::truth::{COMPUTED, Truth, truth};
use posproof_check::axes::{AxialGroups, identify_axes, identify_axes_unplaced};
use posproof_check::{Slice, Subject};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::format::Format;
use posproof_table::AxialTable;
use serde_json::{Value, json};

/// Splitmix64 (Steele, Lea, Flood 2014), below an end.
fn below(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) % end as u64) as usize
}

fn one<T: Copy>(state: &mut u64, of: &[T]) -> T {
    of[below(state, of.len())]
}

/// Axes on random slots, some of which no axis may claim.
fn convention(state: &mut u64) -> Value {
    let (slots, axes) = (6 + below(state, 35), 1 + below(state, 4));
    let (arranged, indexed) = (below(state, 3), below(state, 2) == 0);
    let mut own = vec![Vec::new(); axes];
    for slot in 0..slots {
        let axis = match arranged {
            0 => slot * axes / slots,
            1 => slot % axes,
            _ => below(state, axes),
        };
        own[axis].push(slot);
    }
    own.retain(|slots| !slots.is_empty());
    let axis = |(number, slots): (usize, &Vec<usize>)| {
        let pairs: Vec<String> = slots.iter().map(|slot| format!("{slot}..{}", slot + 1)).collect();
        let mut axis = json!({
            "name": format!("x{number}"), "pairs": pairs,
            "base": one(state, &[2, 10, 100, 256, 10_000, 1_000_000, 100_000_000]),
            "position_scale": one(state, &["1", "1", "1/4", "1/64*pi", "3"]),
            "position_offset": one(state, &["0", "0", "1", "-7/2"]),
        });
        if indexed {
            axis["index"] = json!("pairs");
        }
        axis
    };
    let axes: Vec<Value> = own.iter().enumerate().map(axis).collect();
    json!({ "encoding": "rope", "dim": 2 * slots, "layout": "halves", "axes": axes })
}

/// Rows of coordinates of a kind: grids, integers of several sizes, the same on all axes, one axis constant, fractions, and few or equal rows.
fn positions(state: &mut u64, axes: usize) -> Vec<f64> {
    let (kind, count) = (below(state, 9), 8 + below(state, 60));
    let count = if kind == 8 { 1 + below(state, 8) } else { count };
    let far = one(state, &[3, 20, 400, 5_000, 300_000]);
    let row = |i: usize| -> Vec<f64> {
        let here = below(state, far) as f64;
        let coordinate = |axis: usize| match kind {
            0 => (i / [1, 3, 15, 60][axis % 4] % [3, 5, 4, 7][axis % 4]) as f64,
            1 => here,
            2 if axis == 0 => 7.0,
            3 => 11.0,
            4 => (i % 5) as f64 * (axis + 1) as f64,
            5 => below(state, far) as f64 / 8.0 - 3.0,
            6 if !i.is_multiple_of(3) => i as f64,
            _ => below(state, far) as f64,
        };
        (0..axes).map(coordinate).collect()
    };
    (0..count).flat_map(row).collect()
}

/// The angles of each slot to binary64.
fn exact(law: &AxialLaw, coordinates: &Coordinates) -> Vec<Vec<f64>> {
    let angle = |slot: usize, row: usize| {
        coordinates.row(row).map_or(0.0, |here| law.angle(0, slot, &here, 80).expect("an angle").approximate())
    };
    (0..law.slots()).map(|slot| (0..coordinates.rows()).map(|row| angle(slot, row)).collect()).collect()
}

/// A cache with a column for each slot, stored in a format; of a program of binary32 or correctly rounded.
fn stored(law: &AxialLaw, coordinates: &Coordinates, format: Format, exact: Option<&[Vec<f64>]>) -> [Vec<f32>; 2] {
    let (rows, slots) = (coordinates.rows(), law.slots());
    let [mut cos, mut sin] = [vec![0f32; rows * slots], vec![0f32; rows * slots]];
    match exact {
        Some(exact) => {
            for (at, (cos, sin)) in cos.iter_mut().zip(&mut sin).enumerate() {
                let angle = f64::from(exact[at % slots][at / slots] as f32);
                (*cos, *sin) = (angle.cos() as f32, angle.sin() as f32);
            }
        }
        None => AxialTable::<f32>::new(law, coordinates).unwrap().fill(0, 0..rows, &mut cos, &mut sin).unwrap(),
    }
    [cos, sin].map(|all| all.into_iter().map(|x| format.round(f64::from(x)) as f32).collect())
}

fn identified([cos, sin]: &[Vec<f32>; 2], slots: usize) -> AxialGroups {
    let (cos, sin) = (Slice::new("cos", cos, slots).unwrap(), Slice::new("sin", sin, slots).unwrap());
    identify_axes_unplaced(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }).unwrap()
}

fn told(law: &AxialLaw, coordinates: &Coordinates, exact: (&[Vec<f64>], f64), entries: &[Vec<f32>; 2]) -> Truth {
    let found = identified(entries, law.slots());
    let read = |slot: usize| {
        let column = |all: &[f32]| -> Vec<f64> {
            all.iter().skip(found.entries[slot].0).step_by(law.slots()).map(|&x| f64::from(x)).collect()
        };
        let angle = |(sin, cos): (f64, f64)| (sin != 0.0 || cos != 0.0).then(|| sin.atan2(cos));
        column(&entries[1]).into_iter().zip(column(&entries[0])).map(angle).collect()
    };
    truth(law, coordinates, exact, &found, &|slot| Some(found.entries[slot].0), &read)
}

/// A convention, its law, and positions in rows and as coordinates.
fn drawn(state: &mut u64) -> (Value, AxialLaw, Vec<f64>, Coordinates) {
    let json = convention(state);
    let law = law_of(&json).unwrap_or_else(|error| panic!("{json}: {error}"));
    let axes = law.axes().len();
    let rows = positions(state, axes);
    let coordinates = Coordinates::from_floats(&rows, axes).unwrap();
    (json, law, rows, coordinates)
}

#[test]
fn what_is_said_of_random_axes_is_true() {
    let mut state = 15;
    let (mut supposed, mut aliased, mut rates, mut sections, cases) = (0, 0, 0, 0, 600);
    for case in 0..cases {
        let (json, law, rows, coordinates) = drawn(&mut state);
        let exact = exact(&law, &coordinates);
        let format = one(&mut state, &[Format::F32, Format::F32, Format::F16, Format::Bf16]);
        let program = (case % 2 == 0).then_some(exact.as_slice());
        let entries = stored(&law, &coordinates, format, program);
        println!("case {case}: {json}\n{rows:?}");
        let truth = told(&law, &coordinates, (&exact, program.map_or(0.0, |_| COMPUTED)), &entries);
        supposed += truth.supposed;
        aliased += truth.aliased;
        rates += truth.rates;
        sections += usize::from(truth.sections);
    }
    println!("{supposed} groups, {aliased} aliased, {rates} rates, {sections} of {cases} recovered");
    assert!(supposed > 200 && rates > 1000 && sections > 50, "{supposed} groups, {rates} rates, {sections} recovered");
}

/// One row, rows that are all the same, and two that alternate show nothing; nor do slots that all are slow.
#[test]
fn few_rows_and_slow_slots_are_in_no_group() {
    let law = law("qwen2-vl");
    for rows in [vec![[3.0; 3]], vec![[3.0; 3]; 50], [[0.0; 3], [5.0, 2.0, 1.0]].repeat(20)] {
        let coordinates = Coordinates::from_floats(&rows.concat(), 3).unwrap();
        let found = identified(&stored(&law, &coordinates, Format::F32, None), law.slots());
        assert!(found.groups.is_empty() && found.apart.is_empty() && found.open.is_empty(), "{found}");
        assert!(!found.undetermined.is_empty(), "{found}");
    }
    // In binary16 slots of the last axis move by a few of its smallest numbers: they are told apart from none, or said to be of their own axis.
    let rows: Vec<[f64; 3]> = (0..60).map(|i| [f64::from(i / 20), f64::from(i / 5 % 4), f64::from(i % 5)]).collect();
    let coordinates = Coordinates::from_floats(&rows.concat(), 3).unwrap();
    for format in [Format::F16, Format::Bf16, Format::F32] {
        let exact = exact(&law, &coordinates);
        told(&law, &coordinates, (&exact, 0.0), &stored(&law, &coordinates, format, None));
    }
}

/// Text has one coordinate on all axes: one group, which is all that it shows.
#[test]
fn axes_in_proportion_are_one_group() {
    let law = law("qwen2-vl");
    let rows: Vec<[f64; 3]> = (0..40).map(|i| [f64::from(i); 3]).collect();
    let coordinates = Coordinates::from_floats(&rows.concat(), 3).unwrap();
    let found = identified(&stored(&law, &coordinates, Format::F32, None), law.slots());
    assert_eq!(found.groups.len(), 1, "{found}");
    assert_eq!(found.groups[0].slots, (0..64).collect::<Vec<_>>(), "{found}");
    let base = &found.groups[0].bases[0];
    assert!(base.frequency_dim == 128 && (base.base - 1e6).abs() <= base.error, "{found}");
    assert!(found.to_string().contains("turn as one group"), "{found}");
}

/// Entries that follow nothing are in no group, whatever is large, or no number.
#[test]
fn noise_and_entries_that_are_no_numbers_are_in_no_group() {
    let (mut state, slots) = (7, 24);
    let mut noise = || (0..60 * slots).map(|_| below(&mut state, 1 << 24) as f64 * 1e-3).collect::<Vec<f64>>();
    for turns in 0..20 {
        let angles = noise();
        let mut entries = [
            angles.iter().map(|a| a.cos() as f32).collect(),
            angles.iter().map(|a| a.sin() as f32).collect::<Vec<_>>(),
        ];
        assert!(identified(&entries, slots).groups.is_empty());
        entries[turns % 2][31] = [f32::NAN, f32::INFINITY, 1e30, 0.0][turns % 4];
        assert!(identified(&entries, slots).groups.is_empty());
    }
    let (mut cos, sin, width) = cache("flux", 3).unwrap();
    cos[0] = f32::NAN;
    assert!(identified(&[cos, sin], width).groups.is_empty());
}

/// At known positions a slot is given to an axis that is not its own only where the answer says that the two explain each other's slots.
#[test]
fn random_axes_at_known_positions_are_not_misnamed() {
    let mut state = 16;
    let (mut right, mut established, cases) = (0, 0, 300);
    for case in 0..cases {
        let (json, law, rows, coordinates) = drawn(&mut state);
        let format = one(&mut state, &[Format::F32, Format::F32, Format::F16, Format::Bf16]);
        let [cos, sin] = stored(&law, &coordinates, format, None);
        let slots = law.slots();
        let (cos, sin) = (Slice::new("cos", &cos, slots).unwrap(), Slice::new("sin", &sin, slots).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let found = identify_axes(subject, &coordinates, &[]).unwrap();
        established += usize::from(found.convention.is_some());
        if found.columns != Some("slots") {
            continue;
        }
        for axis in &found.axes {
            for &slot in &axis.slots {
                let stated = law.claims(slot).first().map(|claim| law.axes()[claim.axis].name());
                let rivals = stated.map_or(String::new(), |stated| format!("axis {} from axis {stated}:", axis.name));
                let said = found.undetermined.iter().any(|one| one.starts_with(&rivals));
                assert!(
                    stated == Some(&axis.name) || (stated.is_some() && said),
                    "case {case}: slot {slot} is of {stated:?}, not of {}: {json}\n{rows:?}\n{found}",
                    axis.name
                );
                right += usize::from(stated == Some(&axis.name));
            }
        }
    }
    println!("{right} slots, {established} of {cases} established");
    assert!(right > 1000 && established > 50, "{right} slots, {established} of {cases} established");
}
