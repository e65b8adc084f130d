//! Faults of one axis, stated as an encoding of two: the slots of each axis are a half of the pairs, and both have the position as their
//! coordinate. Every entry is the same, so that the judgement is.

use crate::corpus::sparse;
use crate::everywhere::{cases, concerns, faulty, names};
use crate::specimen::{Kind, Setting, Specimen};
use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::faults::Promised;
use posproof_encoding::axes::{AxialConvention, AxialLaw, Axis, Coordinates, Index, Ranges};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;

/// The second axis beside the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Second {
    /// It goes on with the frequencies, and both have one coordinate, as the tokens of a text have.
    Alike,
    /// Alike, and the pairs are those of the axes in turn.
    AlikeInTurn,
    /// It goes on with the frequencies, its rows in reverse order.
    Section,
    /// A section, and the pairs are those of the axes in turn.
    SectionInTurn,
    /// It has the first one's frequencies anew, its rows in reverse order.
    Anew,
}

impl Second {
    /// Rows of the second axis are at the coordinates of the first.
    fn is_text(self) -> bool {
        matches!(self, Self::Alike | Self::AlikeInTurn)
    }

    /// The pairs of the second axis, of so many.
    fn has(self, pair: usize, pairs: usize) -> bool {
        if matches!(self, Self::AlikeInTurn | Self::SectionInTurn) { pair % 2 == 1 } else { pair >= pairs / 2 }
    }
}

/// A convention of two axes, each of which claims a half of the pairs.
pub fn of_two_axes(convention: &Convention, second: Second) -> AxialConvention {
    let pairs = convention.pairs();
    let axis = |name, which: bool| {
        let slots: Vec<usize> = (0..pairs).filter(|&pair| second.has(pair, pairs) == which).collect();
        let axis = Axis::new(name, Ranges::of(&slots).expect("some slots"));
        match second {
            Second::Anew => axis,
            _ => Axis { index: Some(Index::Pairs), frequency_dim: Some(convention.dim), ..axis },
        }
    };
    let axes = vec![axis("a", false), axis("b", true)];
    AxialConvention { axes, ..AxialConvention::from(convention) }
}

/// The judgement of a specimen as an encoding of two axes.
fn judged(specimen: &Specimen, second: Second) -> AxialReport {
    let pairs = specimen.promised.pairs();
    let specimen = match second {
        Second::Alike | Second::AlikeInTurn => specimen.clone(),
        Second::Section | Second::SectionInTurn => specimen.reversed(|pair| second.has(pair, pairs)),
        Second::Anew => specimen.beside_its_reverse(),
    };
    let law = of_two_axes(&specimen.promised, second).law(|_| Err("none is stored".to_owned())).expect("two axes");
    let positions = &specimen.setting.positions;
    let other = |row: usize| if second.is_text() { row } else { positions.len() - 1 - row };
    let all: Vec<f64> =
        (0..positions.len()).flat_map(|row| [positions[row] as f64, positions[other(row)] as f64]).collect();
    let coordinates = Coordinates::from_floats(&all, 2).expect("coordinates");
    specimen.with(|subject| check_axes(subject, &AxialExpectation::new(&law, &coordinates))).expect("a judgement")
}

/// Sections that are judged otherwise: half of the pairs leave more open.
const APART: [(Second, &str, Kind, &str); 3] = [
    (Second::Section, "base 10001", Kind::Cache, "far"),
    (Second::SectionInTurn, "power exchanged", Kind::Rotation, "far"),
    (Second::Section, "degrees as radians", Kind::Rotation, "far"),
];

/// Ways of stating a kind of subject, and one case of so many that are judged so.
fn seconds(kind: Kind) -> &'static [(Second, usize)] {
    const CACHES: [(Second, usize); 5] = [
        (Second::Alike, 1),
        (Second::Section, 2),
        (Second::AlikeInTurn, 3),
        (Second::SectionInTurn, 3),
        (Second::Anew, 3),
    ];
    match kind {
        Kind::Table => &CACHES[..2],
        Kind::Cache => &CACHES,
        Kind::Rotation => &CACHES[..4],
    }
}

/// Judges every case as one axis and as two. The names agree: both are the same, or that on two axes is one that the catalogue has.
fn compare(kind: Kind) {
    let far = (120_000..120_200).collect::<Vec<u64>>();
    let settings = [(16, "300 rows", (0..300).collect()), (64, "sparse to 5000", sparse(5000)), (64, "far", far)];
    let (mut apart, mut compared) = (Vec::new(), 0);
    for (place, (dim, name, positions)) in settings.iter().enumerate() {
        let plain = kind.convention(*dim);
        for (number, (fault, case)) in cases().filter(|(_, case)| concerns(kind, case)).enumerate() {
            // Pairs that are wired otherwise have entries of both axes, whose rows are in different orders.
            let wired =
                matches!(case.promised, Promised::Rotation) || case.injection.turn(&plain) != Specimen::turned(&plain);
            let format = [Format::F32, Format::Bf16, Format::F64][(place + number) % 3];
            let setting = Setting { name, positions: positions.clone(), format, heads: 1 };
            let layout = if number % 2 == 0 { Layout::Interleaved } else { Layout::Halves };
            let specimen = faulty(kind, case, &Convention { layout, ..plain.clone() }, &setting);
            let one = specimen.check();
            for &(second, share) in seconds(kind) {
                if !second.is_text() && wired || (place + number) % share != 0 {
                    continue;
                }
                let two = judged(&specimen, second);
                compared += 1;
                let codes = [one.first_code(), two.first_code()];
                let right = codes[1].is_some_and(|code| names(code, (fault, case), positions));
                let agree = one.conforms == two.conforms && (codes[0] == codes[1] || right);
                let known = APART.contains(&(second, case.name, kind, name));
                if agree == known {
                    apart.push(format!(
                        "{} ({second:?}, {kind:?}, dim {dim}, {name}, {format})\n{one}\n{two}",
                        case.name
                    ));
                }
            }
        }
    }
    assert!(compared >= 100, "{compared}");
    assert!(apart.is_empty(), "{} of {compared}\n{}", apart.len(), apart.join("\n"));
}

#[test]
fn faults_of_tables_have_the_names_of_one_axis() {
    compare(Kind::Table);
}

#[test]
fn faults_of_caches_have_the_names_of_one_axis() {
    compare(Kind::Cache);
}

#[test]
fn faults_of_rotations_have_the_names_of_one_axis() {
    compare(Kind::Rotation);
}

/// An order in which rows stand.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// From the last to the first.
    Falling,
    /// Every third, and then those between, as ranks of context parallelism have them.
    InTurn,
    /// Twice, as two sequences that are packed into one.
    Packed,
}

impl Order {
    fn of(self, rows: usize) -> Vec<usize> {
        match self {
            Self::Falling => (0..rows).rev().collect(),
            Self::InTurn => (0..3).flat_map(|first| (first..rows).step_by(3)).collect(),
            Self::Packed => (0..rows).chain(0..rows).collect(),
        }
    }
}

/// The judgement of a specimen with its rows in an order of their own, as an encoding of one axis.
pub fn in_order(specimen: &Specimen, order: Order) -> AxialReport {
    let specimen = specimen.with_rows(&order.of(specimen.setting.positions.len()));
    let all: Vec<f64> = specimen.setting.positions.iter().map(|position| *position as f64).collect();
    let coordinates = Coordinates::from_floats(&all, 1).expect("coordinates");
    let law = AxialLaw::along(&specimen.promised, &coordinates).expect("one axis");
    specimen.with(|subject| check_axes(subject, &AxialExpectation::new(&law, &coordinates))).expect("a judgement")
}

/// Positions in the order in which a sequence, ranks or packed sequences have them are judged as one axis is: a fault has the same name.
#[test]
fn faults_of_rows_in_any_order_have_the_names_of_one_axis() {
    let far = (120_000..120_200).collect::<Vec<u64>>();
    let settings = [(16, "300 rows", (0..300).collect()), (64, "sparse to 5000", sparse(5000)), (64, "far", far)];
    let (mut apart, mut compared) = (Vec::new(), 0);
    for (place, (dim, name, positions)) in settings.iter().enumerate() {
        for (at, kind) in Kind::ALL.into_iter().enumerate() {
            let plain = kind.convention(*dim);
            for (number, (fault, case)) in cases().filter(|(_, case)| concerns(kind, case)).enumerate() {
                // Each case in one setting, in one order.
                if (number + at) % 3 != place {
                    continue;
                }
                let order = [Order::Falling, Order::InTurn, Order::Packed][(number / 3 + at) % 3];
                let format = [Format::F32, Format::Bf16, Format::F64][(number / 9) % 3];
                let setting = Setting { name, positions: positions.clone(), format, heads: 1 };
                let layout = if number % 2 == 0 { Layout::Interleaved } else { Layout::Halves };
                let specimen = faulty(kind, case, &Convention { layout, ..plain.clone() }, &setting);
                let (one, other) = (specimen.check(), in_order(&specimen, order));
                compared += 1;
                let codes = [one.first_code(), other.first_code()];
                let right = codes[1].is_some_and(|code| names(code, (fault, case), positions));
                let mended = one.mend.is_none() || other.mend.is_some();
                if one.conforms != other.conforms || codes[0] != codes[1] && !right || !mended {
                    apart.push(format!("{} ({order:?}, {kind:?}, {name}, {format})\n{one}\n{other}", case.name));
                }
            }
        }
    }
    assert!(compared >= 150, "{compared}");
    assert!(apart.is_empty(), "{} of {compared}\n{}", apart.len(), apart.join("\n"));
}
