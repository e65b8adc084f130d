//! Every fault of the corpus is noticed, and nearly every one is named by the first finding.

use crate::corpus::*;
use crate::score::Score;
use posproof::conformance::Grade;
use posproof::encoding::convention::{Component, Convention, Encoding, Layout, Order, Spacing};
use posproof::number::format::Format;

type Change = Box<dyn Fn(&Convention, Program<'static>) -> Program<'static>>;

struct Fault {
    name: &'static str,
    codes: &'static [&'static str],
    change: Change,
    /// The first position that is wrong, where the fault starts at one.
    from: Option<u64>,
}

fn fault(
    name: &'static str,
    codes: &'static [&'static str],
    change: impl Fn(&Convention, Program<'static>) -> Program<'static> + 'static,
) -> Fault {
    Fault { name, codes, change: Box::new(change), from: None }
}

/// The program of another convention.
fn instead(
    name: &'static str,
    codes: &'static [&'static str],
    other: impl Fn(&Convention) -> Convention + 'static,
) -> Fault {
    fault(name, codes, move |convention, _| Program::single(&other(convention)))
}

fn positions(name: &'static str, codes: &'static [&'static str], map: impl Fn(u64) -> f64 + Copy + 'static) -> Fault {
    fault(name, codes, move |_, program| Program { position: Box::new(map), ..program })
}

/// Positions that are wrong from one on.
fn from(
    name: &'static str,
    code: &'static [&'static str],
    from: u64,
    map: impl Fn(u64) -> f64 + Copy + 'static,
) -> Fault {
    let map = move |p| if p < from { p as f64 } else { map(p) };
    Fault { from: Some(from), ..positions(name, code, map) }
}

/// Faults of any table, cache or rotation.
fn faults() -> Vec<Fault> {
    let mut all = vec![
        instead("base 1000000", &["other-base"], |c| Convention { base: 1_000_000.into(), ..c.clone() }),
        instead("base 123", &["other-base"], |c| Convention { base: 123.into(), ..c.clone() }),
        instead("base 10001", &["other-base"], |c| Convention { base: 10_001.into(), ..c.clone() }),
        instead("base 75000.5", &["other-base"], |c| Convention { base: "75000.5".parse().unwrap(), ..c.clone() }),
        instead("origin 1", &["frequency-origin"], |c| Convention { frequency_origin: 1, ..c.clone() }),
        instead("endpoints", &["frequency-spacing"], |c| Convention {
            frequency_spacing: Spacing::Endpoints,
            ..c.clone()
        }),
        instead("offset 1", &["position-offset"], |c| Convention { position_offset: 1.into(), ..c.clone() }),
        instead("offset 17", &["position-offset"], |c| Convention { position_offset: 17.into(), ..c.clone() }),
        instead("half angles", &["position-scale", "frequency-scaling"], |c| Convention {
            position_scale: "0.5".parse().unwrap(),
            ..c.clone()
        }),
        instead("applied twice", &["position-scale", "frequency-scaling"], |c| Convention {
            position_scale: 2.into(),
            ..c.clone()
        }),
        instead("amplitude", &["amplitude"], |c| Convention { amplitude: "1.25".parse().unwrap(), ..c.clone() }),
        instead("direction", &["direction"], |c| Convention {
            direction: posproof::encoding::convention::Direction::Clockwise,
            ..c.clone()
        }),
        fault("reciprocal frequencies", &["frequency-spacing"], |c, program| {
            let omega = frequencies(c);
            Program { frequency: Box::new(move |k| single(1.0 / omega[k])), ..program }
        }),
        fault("all frequencies 1", &["frequency-spacing"], |_, program| Program {
            frequency: Box::new(|_| 1.0),
            ..program
        }),
        fault("exponent doubled", &["other-base", "frequency-spacing"], |c, program| {
            let omega = frequencies(c);
            Program { frequency: Box::new(move |k| single(omega[k] * omega[k])), ..program }
        }),
        fault("fast-math", &["low-precision-trigonometry"], |_, program| {
            let turn = single(std::f64::consts::TAU);
            let entry = move |angle: f64| {
                let reduced = single(angle - (angle / turn).round() * turn);
                (reduced.cos(), reduced.sin())
            };
            Program { entry: Box::new(entry), ..program }
        }),
        positions("stale", &["stale-positions"], |_| 7.0),
        from("clamped at 255", &["clamped-positions"], 256, |_| 255.0),
        from("clamped at 4095", &["clamped-positions"], 4096, |_| 4095.0),
        from("wrapped at 512", &["clamped-positions"], 512, |p| (p % 512) as f64),
        from("wrapped at 4096", &["clamped-positions"], 4096, |p| (p % 4096) as f64),
        from("unrotated from 2048", &["clamped-positions"], 2048, |_| 0.0),
        from("offset from 256", &["position-offset"], 256, |p| p as f64 + 1.0),
        from("offset from 4096", &["position-offset"], 4096, |p| p as f64 - 3.0),
        from("positions of an earlier call from 1024", &["stale-positions"], 1024, |p| ((p * 7919) % 1000) as f64),
    ];
    for format in [Format::Bf16, Format::F16] {
        let round = move |x: f64| format.round(x);
        // f16 ends at 65504: angles beyond it are infinite, and that is found first.
        let angles: &[&str] =
            if format == Format::F16 { &["low-precision-angles", "not-finite"] } else { &["low-precision-angles"] };
        all.push(fault("frequencies in half precision", &["low-precision-frequencies"], move |c, program| {
            let omega = frequencies(c);
            Program { frequency: Box::new(move |k| round(omega[k])), ..program }
        }));
        all.push(fault("angles in half precision", angles, move |_, program| Program {
            angle: Box::new(move |t, w| round(t * w)),
            ..program
        }));
        all.push(fault("all in half precision", angles, move |_, program| Program {
            angle: Box::new(move |t, w| round(round(t) * round(w))),
            ..program
        }));
        if format == Format::Bf16 {
            all.push(positions("positions in bf16", &["low-precision-positions"], |p| Format::Bf16.round(p as f64)));
        } else {
            all.push(positions("positions in f16", &["low-precision-positions"], |p| {
                let rounded = Format::F16.round(p as f64);
                if rounded.is_finite() { rounded } else { 65504.0 }
            }));
        }
        all.push(fault("cast to half precision and back", &["low-precision-storage"], move |_, program| {
            let entry = program.entry;
            Program {
                entry: Box::new(move |angle| {
                    let (c, s) = entry(angle);
                    (round(c), round(s))
                }),
                ..program
            }
        }));
    }
    all
}

/// Whether rounding to the storage format hides the fault from anyone.
fn hidden(fault: &Fault, format: Format) -> bool {
    let storage = fault.codes.contains(&"low-precision-storage");
    let fine = ["base 10001", "fast-math"].contains(&fault.name);
    format.precision() < 24 && (storage || fine)
}

#[test]
fn faults_of_tables_and_caches_are_named() {
    let mut score = Score::default();
    let all = faults();
    for last in [5000, 131_071] {
        let rows = sparse(last);
        for dim in [64, 128] {
            for convention in [Convention::sinusoid(dim), Convention::rope(dim)] {
                let expectation = expectation(&convention, &rows);
                for fault in &all {
                    let program = (fault.change)(&convention, Program::single(&convention));
                    let phasors = program.run(dim / 2, &rows);
                    let changes = (0..rows.len()).any(|row| (program.position)(rows[row]) != rows[row] as f64);
                    let timing =
                        fault.codes.iter().any(|code| code.contains("positions") || *code == "position-offset");
                    if timing && !changes || fault.name == "fast-math" && last < 10_000 {
                        continue;
                    }
                    for format in [Format::F32, Format::Bf16, Format::F16] {
                        if hidden(fault, format) {
                            continue;
                        }
                        let label =
                            format!("{} ({:?}, dim {dim}, to {last}, {format})", fault.name, convention.encoding);
                        let report = if convention.encoding == Encoding::Sinusoid {
                            judge_table(format, &phasors.joined(&convention), dim, &expectation).unwrap()
                        } else {
                            let (cos, sin) = phasors.apart();
                            judge_cache(format, (&cos, &sin), dim / 2, &expectation).unwrap()
                        };
                        score.add_from(&label, (fault.codes, fault.from), &report);
                    }
                }
            }
        }
    }
    score.settle();
}

#[test]
fn faults_of_rotations_are_named() {
    let mut score = Score::default();
    let rows = sparse(9000);
    let dim = 64;
    for layout in [Layout::Interleaved, Layout::Halves] {
        let convention = Convention { layout, ..Convention::rope(dim) };
        let expectation = expectation(&convention, &rows);
        let pairs = wiring(layout, dim / 2);
        for format in [Format::F32, Format::Bf16] {
            let x = vectors(rows.len() * dim, format);
            for fault in faults().iter().filter(|fault| !hidden(fault, format)) {
                if ["low-precision-storage", "low-precision-trigonometry"].contains(&fault.codes[0]) {
                    continue;
                }
                let program = (fault.change)(&convention, Program::single(&convention));
                let y = program.run(dim / 2, &rows).rotate(&x, dim, &pairs, &pairs);
                let report = judge_rotation(format, (&x, &y), dim, &expectation).unwrap();
                score.add_from(
                    &format!("{} (rotation, {layout:?}, {format})", fault.name),
                    (fault.codes, fault.from),
                    &report,
                );
            }
            wirings(&mut score, (&convention, layout, format), &rows, &x);
        }
    }
    score.settle();
}

/// Faults in which entries form pairs.
fn wirings(score: &mut Score, (convention, layout, format): (&Convention, Layout, Format), rows: &[u64], x: &[f64]) {
    let dim = convention.dim;
    let right = wiring(layout, dim / 2);
    let other_layout = if layout == Layout::Halves { Layout::Interleaved } else { Layout::Halves };
    let other = wiring(other_layout, dim / 2);
    let stated = expectation(convention, rows);
    let phasors = Program::single(convention).run(dim / 2, rows);
    let mut judge = |name: &str, codes: &[&str], y: &[f64], expectation: &posproof::conformance::Expectation| {
        let report = judge_rotation(format, (x, y), dim, expectation).unwrap();
        score.add(&format!("{name} ({layout:?}, {format})"), codes, &report);
    };
    judge("other layout", &["layout"], &phasors.rotate(x, dim, &other, &other), &stated);
    judge("read and written differently", &["layout"], &phasors.rotate(x, dim, &right, &other), &stated);
    let mut crossed = x.to_vec();
    crossed.rotate_right(3 * dim);
    judge("cross-wired", &["not-a-rotation"], &phasors.rotate(&crossed, dim, &right, &right), &stated);
    let mut aliased = x.to_vec();
    for (y, pairs) in aliased.chunks_exact_mut(dim).zip(phasors.entries.chunks_exact(dim / 2)) {
        for ((a, b), (c, s)) in right.iter().zip(pairs) {
            y[*a] = y[*a] * c - y[*b] * s;
            y[*b] = y[*a] * s + y[*b] * c;
        }
    }
    judge("aliased", &["not-a-rotation"], &aliased, &stated);
    judge("zero", &["not-a-rotation"], &vec![0.0; x.len()], &stated);
    let half = Convention { rotary_dim: Some(dim / 2), ..convention.clone() };
    let inner = wiring(layout, dim / 4);
    let part = Program::single(&half).run(dim / 4, rows).rotate(x, dim, &inner, &inner);
    judge("only half is rotated", &["partial-rotary"], &part, &stated);
    let partial = expectation(&half, rows);
    judge("partial rotary ignored", &["partial-rotary"], &phasors.rotate(x, dim, &right, &right), &partial);
    let coarse = frequencies(convention);
    let program = Program { frequency: Box::new(move |k| coarse[k]), ..Program::single(&half) };
    judge(
        "wrong denominator",
        &["partial-rotary"],
        &program.run(dim / 4, rows).rotate(x, dim, &inner, &inner),
        &partial,
    );
    if layout == Layout::Halves {
        let wide: Vec<(usize, usize)> = (0..dim / 4).map(|k| (k, k + dim / 2)).collect();
        let y = Program::single(&half).run(dim / 4, rows).rotate(x, dim, &wide, &wide);
        judge("wrong pairs", &["partial-rotary"], &y, &partial);
    }
}

#[test]
fn arrangements_of_tables_are_named() {
    let mut score = Score::default();
    let rows = sparse(5000);
    let stated = Convention::sinusoid(64);
    let exact = Program::single(&stated).run(32, &rows);
    let paper = expectation(&stated, &rows);
    for format in [Format::F32, Format::Bf16] {
        let mut judge = |name: &str, codes: &[&str], table: &[f64]| {
            let report = judge_table(format, table, 64, &paper).unwrap();
            score.add(&format!("{name} ({format})"), codes, &report);
        };
        let halves = Convention { layout: Layout::Halves, ..stated.clone() };
        judge("halves", &["layout"], &exact.joined(&halves));
        judge("order", &["order"], &exact.joined(&Convention { order: Order::CosSin, ..stated.clone() }));
        judge("zero", &["not-a-rotation"], &vec![0.0; rows.len() * 64]);
        judge("noise", &["not-a-rotation"], &vectors(rows.len() * 64, format));
        // The cosine with an exponent of its own, and the exponents doubled.
        let table: Vec<f64> = rows
            .iter()
            .flat_map(|&t| {
                (0..64).map(move |j| {
                    let angle = single(t as f64 * single(10_000f64.powf(-2.0 * f64::from(j) / 64.0)));
                    if j % 2 == 0 { angle.sin() } else { angle.cos() }
                })
            })
            .collect();
        judge("own exponents", &["frequency-spacing"], &table);
        // Sine or cosine by the row instead of the column.
        let alternating = Phasors {
            pairs: 32,
            entries: exact
                .entries
                .iter()
                .enumerate()
                .map(|(i, (c, s))| if rows[i / 32].is_multiple_of(2) { (*s, *s) } else { (*c, *c) })
                .collect(),
        };
        judge("parity over rows", &["order"], &alternating.joined(&stated));
        let mut broken = exact.joined(&stated);
        broken[64 * 20 + 5] = f64::NAN;
        judge("not finite", &["not-finite"], &broken);
    }
    score.settle();
}

#[test]
fn what_is_found_is_another_convention() {
    let rows = sparse(5000);
    let stated = Convention::sinusoid(64);
    let computed = Convention { base: 500_000.into(), layout: Layout::Halves, ..stated.clone() };
    let table = Program::single(&computed).run(32, &rows).joined(&computed);
    let report = judge_table(Format::F32, &table, 64, &expectation(&stated, &rows)).unwrap();
    assert_eq!((report.grade, report.found.as_ref()), (Grade::OtherConvention, Some(&computed)), "{report}");
    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["layout", "other-base"]);
    assert_eq!(computed.column(3, Component::Sin), 3);
}
