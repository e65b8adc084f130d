//! Programs of several axes whose stages are altered: each is named as on one axis, and explains every entry.

use posproof_check::axes::{AxialExpectation, AxialReport, check_axes};
use posproof_check::{Code, Grade, Slice, Subject};
use posproof_encoding::axes::{AxialConvention, AxialLaw, Coordinates};
use posproof_numerics::format::Format;
use serde_json::{Value, json};

/// Conventions of one, two and three axes, in sections, in both layouts, and a sum of axes.
fn conventions() -> Vec<Value> {
    let halves =
        |axes: Value| json!({ "encoding": "rope", "dim": 64, "base": 10000, "layout": "halves", "axes": axes });
    vec![
        halves(json!([{ "name": "t", "pairs": "0..32" }])),
        halves(json!([{ "name": "h", "pairs": "0..16" }, { "name": "w", "pairs": "16..32" }])),
        json!({ "encoding": "rope", "dim": 64, "base": 10000, "layout": "interleaved",
            "axes": [{ "name": "h", "pairs": "0..16" }, { "name": "w", "pairs": "16..32" }] }),
        halves(json!([
            { "name": "t", "pairs": "0..8", "index": "pairs" }, { "name": "h", "pairs": "8..20", "index": "pairs" },
            { "name": "w", "pairs": "20..32", "index": "pairs" }])),
    ]
}

fn law(convention: &Value) -> AxialLaw {
    let convention: AxialConvention = serde_json::from_value(convention.clone()).unwrap();
    convention.law(|name| Err(format!("{name} is not stored"))).unwrap()
}

/// Rows of a long context: the coordinates of the axes increase at different rates.
fn coordinates(axes: usize) -> Coordinates {
    let rows = (0..3000).map(|row| (0..axes).map(|axis| f64::from(row / (axis + 1) as u32)).collect::<Vec<_>>());
    Coordinates::from_floats(&rows.flatten().collect::<Vec<_>>(), axes).unwrap()
}

/// Roundings of a program, and alterations of its entries.
#[derive(Clone, Copy)]
struct Program {
    coordinate: Format,
    frequency: Format,
    angle: Format,
    stored: Format,
    gain: f64,
    /// The largest coordinate.
    most: f64,
    /// The slot whose frequency is 1.01 times its own.
    slot: Option<usize>,
    exchanged: bool,
}

const RIGHT: Program = Program {
    coordinate: Format::F64,
    frequency: Format::F64,
    angle: Format::F64,
    stored: Format::F32,
    gain: 1.0,
    most: f64::INFINITY,
    slot: None,
    exchanged: false,
};

impl Program {
    /// Its report against the stated convention. What is said to mend it, does.
    fn judged(&self, convention: &Value) -> AxialReport {
        let law = law(convention);
        let coordinates = coordinates(law.axes().len());
        let (mut cos, mut sin) = (Vec::new(), Vec::new());
        for row in 0..coordinates.rows() {
            for slot in 0..law.slots() {
                let claim = &law.claims(slot)[0];
                let omega = law.axes()[claim.axis].frequency(0, claim.at, 64).unwrap().approximate();
                let omega = if self.slot == Some(slot) { 1.01 * omega } else { omega };
                let x = coordinates.get(row, claim.axis).unwrap().to_f64().min(self.most);
                let angle = self.angle.round(self.coordinate.round(x) * self.frequency.round(omega));
                cos.push(Format::F32.round(self.stored.round(self.gain * angle.cos())) as f32);
                sin.push(Format::F32.round(self.stored.round(self.gain * angle.sin())) as f32);
            }
        }
        if self.exchanged {
            std::mem::swap(&mut cos, &mut sin);
        }
        let (cos, sin) = (Slice::new("cos", &cos, law.slots()).unwrap(), Slice::new("sin", &sin, law.slots()).unwrap());
        let subject = Subject::Rope { cos: Some(&cos), sin: Some(&sin) };
        let report = check_axes(subject, &AxialExpectation::new(&law, &coordinates)).unwrap();
        if let Some(mend) = &report.mend {
            let law = law.altered(&mend.convention).unwrap();
            let rows = mend.coordinates.as_ref().unwrap_or(&coordinates);
            let (compute, storage) = (mend.compute, mend.storage);
            let again = AxialExpectation { compute, storage, ..AxialExpectation::new(&law, rows) };
            let again = check_axes(subject, &again).unwrap();
            assert!(again.conforms, "{mend}: {again}");
        }
        report
    }
}

/// The programs, and what is said of each.
fn programs() -> Vec<(&'static str, Program, Code, Grade)> {
    let mut all = vec![
        ("stored in bf16", Program { stored: Format::Bf16, ..RIGHT }, Code::LowPrecisionStorage, Grade::Degraded),
        ("stored in f16", Program { stored: Format::F16, ..RIGHT }, Code::LowPrecisionStorage, Grade::Degraded),
        ("amplitude 1.1", Program { gain: 1.1, ..RIGHT }, Code::Amplitude, Grade::OtherConvention),
        ("amplitude 0.5", Program { gain: 0.5, ..RIGHT }, Code::Amplitude, Grade::OtherConvention),
        ("clamped at 255", Program { most: 255.0, ..RIGHT }, Code::ClampedPositions, Grade::Wrong),
        ("one frequency", Program { slot: Some(3), ..RIGHT }, Code::Local, Grade::Wrong),
        ("arrays exchanged", Program { exchanged: true, ..RIGHT }, Code::Order, Grade::Wrong),
    ];
    for format in [Format::Bf16, Format::F16] {
        all.extend([
            ("coordinates", Program { coordinate: format, ..RIGHT }, Code::LowPrecisionPositions, Grade::Degraded),
            ("frequencies", Program { frequency: format, ..RIGHT }, Code::LowPrecisionFrequencies, Grade::Degraded),
            ("angles", Program { angle: format, ..RIGHT }, Code::LowPrecisionAngles, Grade::Degraded),
            (
                "coordinates, frequencies and angles",
                Program { coordinate: format, frequency: format, angle: format, ..RIGHT },
                Code::LowPrecisionAngles,
                Grade::Degraded,
            ),
            (
                "coordinates, frequencies, angles and entries",
                Program { coordinate: format, frequency: format, angle: format, stored: format, ..RIGHT },
                Code::LowPrecisionAngles,
                Grade::Degraded,
            ),
        ]);
    }
    all
}

#[test]
fn programs_are_named_as_on_one_axis() {
    let mut wrong = Vec::new();
    for convention in conventions() {
        let right = RIGHT.judged(&convention);
        assert!(right.conforms, "{convention}: {right}");
        for (name, program, code, grade) in programs() {
            let report = program.judged(&convention);
            let mut found: Vec<Code> = report.findings.iter().map(|finding| finding.code()).collect();
            if program.stored != Format::F32 && code != Code::LowPrecisionStorage {
                let stored = found.iter().position(|code| *code == Code::LowPrecisionStorage);
                found.remove(stored.unwrap_or_else(|| panic!("{name}: {report}")));
            }
            // Two causes may share the entries.
            let of = |finding: &posproof_check::Finding| (finding.explains.entries, finding.explains.of);
            let sum: u64 = report.findings.iter().map(|finding| of(finding).0).sum();
            let explained = report.findings.iter().all(|finding| sum >= of(finding).1);
            if found != [code] || report.grade != grade || !explained {
                wrong.push(format!("{name} of {}: {:?}\n{report}", convention["axes"], report.grade));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
