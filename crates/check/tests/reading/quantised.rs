//! Integers of 8 bits whose step and zero point are found from the data.

use posproof_check::axes::{AxialExpectation, check_axes, identify_axes};
use posproof_check::positions::{Query, decode};
use posproof_check::{
    Code, Confidence, Expectation, Grid, Integers, InvalidInput, Levels, Report, Slice, Subject, check,
    compare_outputs, identify,
};
use posproof_encoding::axes::{AxialConvention, Coordinates};
use posproof_encoding::convention::{Convention, Layout};
use posproof_numerics::format::Format;
use std::ops::Range;

const DIM: usize = 64;
const ROWS: usize = 300;

/// Integers of 8 bits in memory, on levels or on none that anybody states.
#[derive(Clone)]
struct Bytes {
    entries: Vec<f64>,
    width: usize,
    signed: bool,
    levels: Option<Levels>,
}

impl Bytes {
    /// Numbers, quantised by a step and a zero point.
    fn of(numbers: &[f64], width: usize, (step, zero, signed): (f64, f64, bool)) -> Self {
        let (least, largest) = if signed { (-128.0, 127.0) } else { (0.0, 255.0) };
        let entries = numbers.iter().map(|x| ((x / step).round_ties_even() + zero).clamp(least, largest)).collect();
        Self { entries, width, signed, levels: None }
    }

    fn stated(&self, step: f64, zero: f64) -> Self {
        let levels = Levels::new(step, zero).unwrap().of_integers(8, self.signed);
        Self { levels: Some(levels), ..self.clone() }
    }
}

impl Grid for Bytes {
    fn name(&self) -> &str {
        "bytes"
    }
    fn format(&self) -> Format {
        self.levels.map_or(Format::Bf16, |levels| levels.computed_in())
    }
    fn slabs(&self) -> usize {
        1
    }
    fn rows(&self) -> usize {
        self.entries.len() / self.width
    }
    fn width(&self) -> usize {
        self.width
    }
    fn levels(&self) -> Option<Levels> {
        self.levels
    }
    fn integers(&self) -> Option<Integers> {
        self.levels.is_none().then(|| Integers::of_a_byte(self.signed))
    }
    fn read(&self, _: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let part = &self.entries[rows.start * self.width..rows.end * self.width];
        out.clear();
        out.extend(part.iter().map(|integer| self.levels.map_or(*integer, |levels| levels.value(*integer))));
        Ok(())
    }
}

/// Cosines, sines, vectors and what a rotation by them gives, for a base.
struct Arrays {
    cos: Vec<f64>,
    sin: Vec<f64>,
    table: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Arrays {
    fn new(base: f64) -> Self {
        let pairs = DIM / 2;
        let x: Vec<f64> = posproof_check::probe::vectors(Format::F32, ROWS * DIM).collect();
        let mut all = Self { cos: vec![], sin: vec![], table: vec![0.0; ROWS * DIM], y: vec![0.0; x.len()], x };
        for row in 0..ROWS {
            for k in 0..pairs {
                let (sin, cos) = (row as f64 * base.powf(-(k as f64) / pairs as f64)).sin_cos();
                let (a, b) = (row * DIM + k, row * DIM + k + pairs);
                (all.y[a], all.y[b]) = (all.x[a] * cos - all.x[b] * sin, all.x[b] * cos + all.x[a] * sin);
                (all.table[row * DIM + 2 * k], all.table[row * DIM + 2 * k + 1]) = (sin, cos);
                all.cos.push(cos);
                all.sin.push(sin);
            }
        }
        all
    }
}

fn halves() -> Convention {
    Convention { layout: Layout::Halves, ..Convention::rope(DIM) }
}

/// Grids that quantisers make: signed without and with a zero point, unsigned, and one beyond whose ends numbers lie.
const GRIDS: [(f64, f64, bool); 5] = [
    (1.0 / 127.0, 0.0, true),
    (1.0 / 128.0, 0.0, true),
    (0.0093, -7.0, true),
    (2.0 / 255.0, 128.0, false),
    (0.0091, 121.0, false),
];

/// The step and the zero point that a report has read.
fn read(report: &Report) -> (f64, f64) {
    let levels = report.inputs.last().and_then(|input| input.levels).expect("levels");
    assert!(levels.found_within().is_some_and(|within| within < 0.01), "{report}");
    assert!(report.to_string().contains("found from the data"), "{report}");
    (levels.step(), levels.zero_point())
}

fn near((step, zero): (f64, f64), (expected, at, _): (f64, f64, bool)) {
    assert!((step / expected - 1.0).abs() < 0.002 && zero == at, "{step} from {zero}, not {expected} from {at}");
}

#[test]
fn steps_of_caches_and_tables_are_found() {
    let arrays = Arrays::new(10_000.0);
    for grid in GRIDS {
        let (cos, sin) = (Bytes::of(&arrays.cos, DIM / 2, grid), Bytes::of(&arrays.sin, DIM / 2, grid));
        let cache = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check(cache, &Expectation::new(halves())).unwrap();
        assert!(report.conforms, "{report}");
        near(read(&report), grid);
        let table = Bytes::of(&arrays.table, DIM, grid);
        let report = check(Subject::Sinusoid(&table), &Expectation::new(Convention::sinusoid(DIM))).unwrap();
        assert!(report.conforms, "{report}");
        near(read(&report), grid);
        // Without any expectation.
        let found = identify(cache, None).unwrap();
        assert_eq!(found.confidence, Confidence::Established, "{found}");
        assert!(found.to_string().contains("found from the data"), "{found}");
        let base = found.convention.map(|convention| convention.base.value().to_f64());
        assert!(base.is_some_and(|base| (base / 10_000.0 - 1.0).abs() < 0.01), "{base:?}");
        let located = decode(cache, &Query::new(halves()).within("0..1000".parse().unwrap())).unwrap();
        assert!(!located.falls_short(), "{located}");
    }
}

#[test]
fn the_step_of_rotated_vectors_is_found() {
    let arrays = Arrays::new(10_000.0);
    let x = Slice::new("x", &arrays.x, DIM).unwrap();
    for grid in [(0.0173, 0.0, true), (0.02, 11.0, true), (0.0165, 130.0, false)] {
        let y = Bytes::of(&arrays.y, DIM, grid);
        let subject = Subject::Rotation { x: &x, y: &y };
        let report = check(subject, &Expectation::new(halves())).unwrap();
        assert!(report.conforms, "{report}");
        near(read(&report), grid);
        let law = AxialConvention::from(&halves()).law(|name| Err(name.to_owned())).unwrap();
        // Rows in any order: the first two are exchanged.
        let mut positions: Vec<f64> = (0..ROWS).map(|row| row as f64).collect();
        positions.swap(0, 1);
        let (mut turned, width) = (y.clone(), DIM);
        (0..width).for_each(|column| turned.entries.swap(column, width + column));
        let mut from = arrays.x.clone();
        (0..width).for_each(|column| from.swap(column, width + column));
        let from = Slice::new("x", &from, DIM).unwrap();
        let coordinates = Coordinates::from_floats(&positions, 1).unwrap();
        let subject = Subject::Rotation { x: &from, y: &turned };
        let axial = check_axes(subject, &AxialExpectation::new(&law, &coordinates)).unwrap();
        assert!(axial.conforms && axial.to_string().contains("found from the data"), "{axial}");
        let found = identify_axes(subject, &coordinates, &["t".to_owned()]).unwrap();
        assert!(found.levels.is_some(), "{found}");
    }
}

/// Faults are found on the step that the data have.
#[test]
fn faults_beside_a_step_that_is_found_have_their_names() {
    let arrays = Arrays::new(10_000.0);
    let grid = GRIDS[3];
    let (cos, sin) = (Bytes::of(&arrays.cos, DIM / 2, grid), Bytes::of(&arrays.sin, DIM / 2, grid));
    let stated = Convention { base: 500_000.into(), ..halves() };
    let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &Expectation::new(stated)).unwrap();
    assert_eq!(report.first_code(), Some(Code::OtherBase), "{report}");
    let mut wrong = sin.clone();
    wrong.entries[2345] = 255.0 - wrong.entries[2345];
    let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&wrong) }, &Expectation::new(halves())).unwrap();
    assert_eq!((report.first_code(), report.statistics.exceeding), (Some(Code::Local), 1), "{report}");
}

/// A wrong step, and a wrong zero point: the report says what the data have, and its mend conforms.
#[test]
fn levels_that_are_stated_wrongly_are_said() {
    let arrays = Arrays::new(10_000.0);
    let x = Slice::new("x", &arrays.x, DIM).unwrap();
    let grid = (0.0173, 0.0, true);
    let y = Bytes::of(&arrays.y, DIM, grid).stated(0.0189, 0.0);
    let expectation = Expectation::new(halves());
    let report = check(Subject::Rotation { x: &x, y: &y }, &expectation).unwrap();
    assert_eq!(report.first_code(), Some(Code::Quantisation), "{report}");
    assert!(report.to_string().contains("or every entry is 1.09"), "{report}");
    // Of axes the mend has the step too.
    let law = AxialConvention::from(&halves()).law(|name| Err(name.to_owned())).unwrap();
    let positions: Vec<f64> = (0..ROWS).map(|row| row as f64).collect();
    let coordinates = Coordinates::from_floats(&positions, 1).unwrap();
    let axial = check_axes(Subject::Rotation { x: &x, y: &y }, &AxialExpectation::new(&law, &coordinates)).unwrap();
    let mend = axial.mend.clone().expect("a mend");
    let levels = mend.levels.expect("levels");
    assert!(mend.to_string().contains(&format!("--step {} ", levels.step())), "{mend}");
    let mended = y.stated(levels.step(), levels.zero_point());
    let axial =
        check_axes(Subject::Rotation { x: &x, y: &mended }, &AxialExpectation::new(&law, &coordinates)).unwrap();
    assert!(axial.conforms, "{axial}");
    let grid = GRIDS[3];
    let bytes = |numbers: &[f64]| Bytes::of(numbers, DIM / 2, grid);
    let (cos, sin) = (bytes(&arrays.cos), bytes(&arrays.sin));
    let (signed, other) = (cos.stated(grid.0, 0.0), sin.stated(grid.0, 0.0));
    let report = check(Subject::Rope { cos: Some(&signed), sin: Some(&other) }, &expectation).unwrap();
    assert_eq!(report.first_code(), Some(Code::Quantisation), "{report}");
    let mend = report.mend.as_ref().map(|mend| mend.arguments().join(" ")).expect("a mend");
    assert!(mend.ends_with("--zero-point 128"), "{mend}");
    let levels = report.mend.and_then(|mend| mend.levels).expect("levels");
    let (cos, sin) = (cos.stated(levels.step(), levels.zero_point()), sin.stated(levels.step(), levels.zero_point()));
    let report = check(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, &expectation).unwrap();
    assert!(report.conforms, "{report}");
}

#[test]
fn integers_that_show_no_step_are_refused() {
    let arrays = Arrays::new(10_000.0);
    let grid = GRIDS[0];
    let expectation = Expectation::new(halves());
    let cos = Bytes::of(&arrays.cos, DIM / 2, grid);
    let (x, y) = (Bytes::of(&arrays.x, DIM, grid), Bytes::of(&arrays.y, DIM, grid));
    let noise: Vec<f64> = (0..ROWS * DIM).map(|i| ((i * i * 7919 + i * 104_729) % 1999) as f64 / 999.0 - 1.0).collect();
    let noise = Bytes::of(&noise, DIM, grid);
    let still = Bytes { entries: vec![127.0; ROWS * DIM], ..noise.clone() };
    let refused = |subject: Subject<'_>, convention: Convention| {
        let error = check(subject, &Expectation::new(convention)).unwrap_err().to_string();
        assert!(error.contains("--step") && error.contains("--zero-point"), "{error}");
    };
    refused(Subject::Rope { cos: Some(&cos), sin: None }, halves());
    refused(Subject::Rotation { x: &x, y: &y }, halves());
    refused(Subject::Sinusoid(&noise), Convention::sinusoid(DIM));
    refused(Subject::Sinusoid(&still), Convention::sinusoid(DIM));
    let subject = Subject::Rope { cos: Some(&cos), sin: Some(&cos) };
    let narrow = Expectation { storage: Some(Format::E4m3), ..expectation };
    assert!(check(subject, &narrow).unwrap_err().to_string().contains("codes as bytes"));
}

/// Two caches of other grids are compared by what their integers stand for.
#[test]
fn outputs_of_two_grids_are_compared() {
    let arrays = Arrays::new(10_000.0);
    let of = |grid| (Bytes::of(&arrays.cos, DIM / 2, grid), Bytes::of(&arrays.sin, DIM / 2, grid));
    let (one, other) = (of(GRIDS[0]), of(GRIDS[3]));
    let subject = |both: &'static (Bytes, Bytes)| Subject::Rope { cos: Some(&both.0), sin: Some(&both.1) };
    let (one, other): (&'static _, &'static _) = (Box::leak(Box::new(one)), Box::leak(Box::new(other)));
    let compared = compare_outputs([subject(one), subject(other)], &Expectation::new(halves())).unwrap();
    assert!(compared.conforms() && compared.beyond == 0, "{compared}");
}
