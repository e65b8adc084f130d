//! What is said of slots at positions that are not known is true: of every dump of a real module, in every format, and of rows that hardly tell
//! axes apart.

use crate::dump::{Dump, angles, families, index, shown};
use half::{bf16, f16};
use posproof_check::axes::{SlotGroups, slot_groups};
use posproof_check::{Grid, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::{Format, Rational};
use posproof_table::{AxialTable, Element};

/// The rate of a slot: what its angle grows by for a unit of its axis, of which there is one, and the axis.
fn rate(law: &AxialLaw, slot: usize) -> Option<(usize, f64)> {
    let [claim] = law.claims(slot) else { return None };
    let axis = &law.axes()[claim.axis];
    let at = |x: i64| axis.angle(0, claim.at, &Rational::from(x), 100).expect("an angle").approximate();
    Some((claim.axis, at(1) - at(0)))
}

/// Where the rows stand along an axis, from 0 to 1; nothing where all stand at one place.
fn places(coordinates: &Coordinates, axis: usize) -> Option<Vec<f64>> {
    let all: Vec<f64> =
        (0..coordinates.rows()).filter_map(|row| coordinates.get(row, axis).map(|x| x.to_f64())).collect();
    let (low, high) = all.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    (high > low).then(|| all.iter().map(|x| (x - low) / (high - low)).collect())
}

/// How far apart the sequences of two axes are, as a part of their range: nothing if they are the same but for unit, origin and direction.
fn apart(coordinates: &Coordinates, a: usize, b: usize) -> f64 {
    let (Some(a), Some(b)) = (places(coordinates, a), places(coordinates, b)) else { return 1.0 };
    let far = |mirrored: bool| {
        a.iter().zip(&b).map(|(a, b)| (a - if mirrored { 1.0 - b } else { *b }).abs()).fold(0.0, f64::max)
    };
    far(false).min(far(true))
}

/// Asserts every sentence of an answer; the slots that were assigned, and all that move.
fn assert_true(
    name: &str,
    (law, coordinates): (&AxialLaw, &Coordinates),
    subject: Subject<'_>,
    found: &SlotGroups,
) -> [usize; 2] {
    let exact = angles(law, coordinates);
    let slots_of = |slot: usize| shown(law, &exact, subject, found.entries[slot]);
    let mut axes = Vec::new();
    for group in &found.groups {
        // Of a column that several slots of the convention explain, some one has to be of the group's axis.
        let rates = |slot: usize| slots_of(slot).into_iter().filter_map(|slot| rate(law, slot)).collect::<Vec<_>>();
        let units = rates(group.unit);
        let right = |&(axis, unit): &(usize, f64)| {
            group.slots.iter().zip(&group.multiples).zip(&group.errors).all(|((&slot, &multiple), &error)| {
                rates(slot).iter().any(|&(own, rate)| {
                    let one = own == axis || apart(coordinates, own, axis) <= 2.0 / group.agreement;
                    let off = rate / unit - multiple;
                    let off = group.modulo.map_or(off, |modulo| off - modulo * (off / modulo).round());
                    one && (own != axis || off.abs() <= error + 1e-9 * multiple.abs())
                })
            })
        };
        let axis = units.iter().find(|unit| right(unit)).map(|(axis, _)| *axis);
        assert!(axis.is_some(), "{name}: slots {:?} of {units:?}\n{found}", group.slots);
        axes.push(axis);
        if let Some(ratio) = group.ratio {
            let exact: Vec<f64> = group.slots.iter().map(|&slot| rates(slot)[0].1.abs()).collect();
            let all = exact.windows(2).all(|pair| (pair[0] / pair[1] / ratio - 1.0).abs() < 1e-3);
            assert!(all, "{name}: {ratio}, {exact:?}\n{found}");
        }
        if group.within_a_turn {
            let angles = &exact[slots_of(group.unit)[0]];
            let range =
                angles.iter().copied().fold(f64::MIN, f64::max) - angles.iter().copied().fold(f64::MAX, f64::min);
            assert!(range < std::f64::consts::TAU, "{name}: {range}\n{found}");
        }
    }
    // Groups whose slowest slots stay within a turn are of different axes.
    for (i, group) in found.groups.iter().enumerate().filter(|(_, group)| group.within_a_turn) {
        for (j, other) in found.groups.iter().enumerate().skip(i + 1).filter(|(_, group)| group.within_a_turn) {
            assert_ne!(axes[i], axes[j], "{name}: slots {:?} and {:?}\n{found}", group.slots, other.slots);
        }
    }
    let assigned: usize = found.groups.iter().map(|group| group.slots.len()).sum();
    [assigned, assigned + found.undecided.len()]
}

/// The entries of a subject in a format, judged.
fn grouped<T: Element>(subject: Subject<'_>, narrow: impl Fn(f64) -> T) -> SlotGroups {
    let read = |grid: &dyn Grid| {
        let mut all = Vec::new();
        grid.read(0, 0..grid.rows(), &mut all).unwrap();
        (all.into_iter().map(&narrow).collect::<Vec<T>>(), grid.width())
    };
    let (first, second) = match subject {
        Subject::Rope { cos: Some(cos), sin: Some(sin) } => (read(cos), read(sin)),
        Subject::Rotation { x, y } => (read(x), read(y)),
        Subject::Sinusoid(table) => (read(table), read(table)),
        Subject::Rope { .. } => unreachable!("both are given"),
    };
    let (a, b) = (Slice::new("a", &first.0, first.1).unwrap(), Slice::new("b", &second.0, second.1).unwrap());
    let stored = match subject {
        Subject::Rope { .. } => Subject::Rope { cos: Some(&a), sin: Some(&b) },
        Subject::Rotation { .. } => Subject::Rotation { x: &a, y: &b },
        Subject::Sinusoid(_) => Subject::Sinusoid(&a),
    };
    slot_groups(stored).unwrap()
}

#[test]
fn everything_said_of_real_modules_is_true() {
    let (families, mut decided) = (families(), 0);
    let mut shares = [[0; 2]; 3];
    for (name, said) in &index() {
        let dump = Dump::new(name, said, &families);
        let arrays = dump.arrays();
        let subject = dump.subject(&arrays);
        let own = slot_groups(subject).unwrap();
        decided += usize::from(own.is_decided());
        // Vectors that are rounded after they were turned are no longer of the same length to a narrower format's roundings.
        let narrow = if matches!(subject, Subject::Rotation { .. }) { vec![] } else { vec![Format::F16, Format::Bf16] };
        let narrow = narrow.into_iter().map(|format| match format {
            Format::F16 => grouped(subject, f16::from_f64),
            _ => grouped(subject, bf16::from_f64),
        });
        for (found, share) in std::iter::once(own).chain(narrow).zip(&mut shares) {
            let [assigned, moving] = assert_true(name, (&dump.law, &dump.coordinates), subject, &found);
            (share[0], share[1]) = (share[0] + assigned, share[1] + moving);
        }
    }
    println!("{decided} dumps decided; slots assigned of those that move, as stored, f16, bf16: {shares:?}");
    assert!(decided >= 20 && 2 * shares[0][0] > shares[0][1], "{decided} {shares:?}");
}

/// Text and a small image: the axes differ by a few places in hundreds, which slow slots do not show.
#[test]
fn slots_that_rows_hardly_tell_apart_are_not_assigned() {
    let convention: AxialConvention = serde_json::from_value(families()["qwen2-vl"].clone()).unwrap();
    let law = convention.law(|_| Err("none".into())).unwrap();
    for (text, side) in [(20, 3), (300, 2), (300, 5), (450, 2)] {
        let before = (0..text).map(|i| [f64::from(i); 3]);
        let image = (0..side * side).map(|i| [text, text + i / side, text + i % side].map(f64::from));
        let after = (0..8).map(|i| [f64::from(text + side + i); 3]);
        let rows: Vec<f64> = before.chain(image).chain(after).flatten().collect();
        let coordinates = Coordinates::from_floats(&rows, 3).unwrap();
        let table = AxialTable::<f32>::new(&law, &coordinates).unwrap();
        let mut parts = [vec![0f32; coordinates.rows() * 64], vec![0f32; coordinates.rows() * 64]];
        let [cos, sin] = &mut parts;
        table.fill(0, 0..coordinates.rows(), cos, sin).unwrap();
        let (cos, sin) = (Slice::new("cos", cos, 64).unwrap(), Slice::new("sin", sin, 64).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let all = |found: SlotGroups, what: &str| {
            let name = format!("{text} tokens, {side} x {side}, {what}");
            let [assigned, moving] = assert_true(&name, (&law, &coordinates), subject, &found);
            println!("{name}: {assigned} of {moving}\n{found}");
        };
        all(slot_groups(subject).unwrap(), "f32");
        all(grouped(subject, bf16::from_f64), "bf16");
    }
}
