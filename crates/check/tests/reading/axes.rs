//! Files: complex numbers, joined parts, other axes; and what is refused.

use posproof_check::read::{SequenceAxis, open};
use posproof_check::{Confidence, Expectation, FloatArray, Grid, Invalid, Report, Subject, check, identify};
use posproof_encoding::convention::Convention;
use std::path::PathBuf;
use tempfile::TempDir;

const ROWS: usize = 50;
const PAIRS: usize = 4;

fn npy(descr: &str, fortran: bool, shape: &[usize], bytes: &[u8]) -> Vec<u8> {
    let list: String = shape.iter().map(|n| format!("{n},")).collect();
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({list}), }}");
    let mut all = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    all.extend(format!("{header:<117}\n").bytes());
    all.extend(bytes);
    all
}

fn single(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    numbers.into_iter().flat_map(|x| (x as f32).to_le_bytes()).collect()
}

fn angle(row: usize, pair: usize) -> f64 {
    row as f64 * 10_000f64.powf(-(pair as f64) / PAIRS as f64)
}

/// Rows and pairs, row after row.
fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..ROWS).flat_map(|row| (0..PAIRS).map(move |pair| (row, pair)))
}

struct Files(TempDir);

impl Files {
    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }
}

fn files() -> Files {
    Files(tempfile::tempdir().unwrap())
}

fn judge(cos: &dyn Grid, sin: Option<&dyn Grid>) -> Result<Report, Invalid> {
    check(Subject::Rope { cos: Some(cos), sin }, &Expectation::new(Convention::rope(2 * PAIRS)))
}

fn complex(files: &Files, name: &str, bytes: &[u8]) -> Report {
    let [cos, sin] = SequenceAxis::default().open_complex(&files.write(name, bytes)).unwrap();
    judge(&cos, Some(&sin)).unwrap()
}

fn safetensors(dtype: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!(r#"{{"z":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[0,{}]}}}}"#, bytes.len());
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), bytes].concat()
}

#[test]
fn complex_numbers_are_cosines_and_sines_in_every_file() {
    let files = files();
    let turned = || places().flat_map(|(row, pair)| [angle(row, pair).cos(), angle(row, pair).sin()]);
    let shape = [ROWS, PAIRS];
    let wide: Vec<u8> = turned().flat_map(f64::to_le_bytes).collect();
    let big: Vec<u8> = turned().flat_map(f64::to_be_bytes).collect();
    let by_column = (0..PAIRS).flat_map(|pair| (0..ROWS).map(move |row| angle(row, pair)));
    let all = [
        ("z.npy", npy("<c8", false, &shape, &single(turned()))),
        ("w.npy", npy("<c16", false, &shape, &wide)),
        ("b.npy", npy(">c16", false, &shape, &big)),
        ("f.npy", npy("<c8", true, &shape, &single(by_column.flat_map(|angle| [angle.cos(), angle.sin()])))),
        ("r.npy", npy("<f4", false, &[ROWS, PAIRS, 2], &single(turned()))),
        ("z.safetensors", safetensors("C64", "[50,4]", &single(turned()))),
    ];
    for (name, bytes) in &all {
        let report = complex(&files, name, bytes);
        assert!(report.conforms && report.entries == 2 * (ROWS * PAIRS) as u64, "{name}: {report}");
        assert!(report.inputs[1].name.contains("imaginary parts"));
        // Conjugate: the other direction.
        let [cos, sin] = SequenceAxis::default().open_complex(&files.write(name, bytes)).unwrap();
        assert!(!judge(&sin, Some(&cos)).unwrap().conforms, "{name}");
    }
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("freqs_cis.npy", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut archive, &all[0].1).unwrap();
    assert!(complex(&files, "z.npz", &archive.finish().unwrap().into_inner()).conforms);
}

#[test]
fn complex_numbers_where_real_ones_belong_are_refused_with_advice_and_the_other_way_round() {
    let files = files();
    let bytes = single((0..ROWS * PAIRS * 2).map(|i| i as f64));
    let path = files.write("z.npy", &npy("<c8", false, &[ROWS, PAIRS], &bytes));
    let refusal = SequenceAxis::default().open(&path).map(drop).unwrap_err().to_string();
    assert!(refusal.contains("complex64 in the shape [50, 4]") && refusal.contains("--freqs-cis"), "{refusal}");
    let refusal = open(&path).unwrap().positions().unwrap_err().to_string();
    assert!(refusal.contains("complex"), "{refusal}");
    for shape in [&[ROWS, 2 * PAIRS][..], &[ROWS * PAIRS * 2], &[ROWS * PAIRS, 2]] {
        let path = files.write("r.npy", &npy("<f4", false, shape, &bytes));
        let refusal = SequenceAxis::default().open_complex(&path).map(drop).unwrap_err().to_string();
        assert!(refusal.contains("complex64, complex128") && refusal.contains("--cos and --sin"), "{refusal}");
    }
    // Cut short, mislabelled.
    for bytes in
        [npy("<c8", false, &[ROWS, PAIRS], &bytes[..bytes.len() - 1]), npy("<c16", false, &[ROWS, PAIRS], &bytes)]
    {
        let refusal = open(&files.write("t.npy", &bytes)).map(drop).unwrap_err().to_string();
        assert!(refusal.contains("truncated or its header is wrong"), "{refusal}");
    }
    let short = safetensors("C64", "[50,4]", &bytes[..bytes.len() - 8]);
    open(&files.write("t.safetensors", &short)).map(drop).unwrap_err();
    for descr in ["<c32", "<c4", "|c8x", "c8"] {
        open(&files.write("d.npy", &npy(descr, false, &[ROWS, PAIRS], &bytes))).map(drop).unwrap_err();
    }
}

#[test]
fn positions_along_another_axis_are_found_or_asked_for() {
    let files = files();
    let cosines = || places().map(|(row, pair)| angle(row, pair).cos());
    let open = |shape: &[usize], axis: SequenceAxis, numbers: Vec<f64>| {
        axis.open(&files.write("a.npy", &npy("<f4", false, shape, &single(numbers))))
    };
    let any = SequenceAxis::default();
    // Megatron's [positions, 1, 1, dim].
    let cos = open(&[ROWS, 1, 1, PAIRS], any, cosines().collect()).unwrap();
    assert_eq!((cos.slabs(), cos.rows(), cos.width()), (1, ROWS, PAIRS));
    assert_eq!(cos.note().as_deref(), Some("positions along axis 0 of [50, 1, 1, 4]"));
    assert!(judge(&cos, None).unwrap().conforms);
    // [batch, positions, heads, dim], found by the number of positions or stated.
    let heads: Vec<f64> = (0..2 * ROWS * 3 * PAIRS).map(|i| angle(i / (3 * PAIRS) % ROWS, i % PAIRS).cos()).collect();
    for axis in [
        SequenceAxis { positions: Some(ROWS), ..any },
        SequenceAxis { stated: Some(1), ..any },
        SequenceAxis { stated: Some(-3), ..any },
    ] {
        let cos = open(&[2, ROWS, 3, PAIRS], axis, heads.clone()).unwrap();
        assert_eq!((cos.slabs(), cos.rows()), (6, ROWS), "{axis:?}");
        assert!(judge(&cos, None).unwrap().conforms, "{axis:?}");
    }
    // The same in Fortran order: the axes the other way round in the file.
    let strides = [1, 2, 2 * ROWS, 6 * ROWS];
    let mut fortran = vec![0.0; heads.len()];
    for (i, x) in heads.iter().enumerate() {
        let index = [i / (3 * PAIRS * ROWS), i / (3 * PAIRS) % ROWS, i / PAIRS % 3, i % PAIRS];
        fortran[index.iter().zip(strides).map(|(i, stride)| i * stride).sum::<usize>()] = *x;
    }
    let path = files.write("f.npy", &npy("<f4", true, &[2, ROWS, 3, PAIRS], &single(fortran)));
    let other = SequenceAxis { stated: Some(1), ..any }.open(&path).unwrap();
    let c_order = open(&[2, ROWS, 3, PAIRS], SequenceAxis { stated: Some(1), ..any }, heads.clone()).unwrap();
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for slab in 0..6 {
        c_order.read(slab, 3..40, &mut a).unwrap();
        other.read(slab, 3..40, &mut b).unwrap();
        assert_eq!(a, b, "table {slab}");
    }
    // What cannot be told is asked for; what is stated has to be there.
    let refused = |shape: &[usize], axis| open(shape, axis, heads.clone()).map(drop).unwrap_err().to_string();
    assert!(refused(&[2, ROWS, 3, 1, PAIRS], any).contains("--sequence-axis"));
    assert!(
        refused(&[2, ROWS, 3, PAIRS], SequenceAxis { stated: Some(3), ..any }).contains("state 0 to 2, or -4 to -2")
    );
    assert!(refused(&[2, ROWS, 3, PAIRS], SequenceAxis { stated: Some(-5), ..any }).contains("-5"));
    // A vector is no table.
    assert!(refused(&[heads.len()], any).contains("--inv-freq"));
    let vector =
        posproof_check::read::open(&files.write("v.npy", &npy("<f4", false, &[4], &single([1.0; 4])))).unwrap();
    assert_eq!(FloatArray::new(vector).unwrap().rows(), 1);
}

/// An array [heads, 1, pairs] is one of positions, or of heads at one position.
#[test]
fn heads_at_one_position_are_not_accused_of_being_stale() {
    const HEADS: usize = 8;
    let files = files();
    let open = |name: &str, shape: &[usize], entry: &dyn Fn(usize, usize) -> f64| {
        let entries = (0..HEADS * PAIRS).map(|i| entry(i / PAIRS, i % PAIRS));
        SequenceAxis::default().open(&files.write(name, &npy("<f4", false, shape, &single(entries)))).unwrap()
    };
    for shape in [vec![HEADS, 1, PAIRS], vec![1, HEADS, 1, PAIRS]] {
        let at = |position: usize| {
            let cos = open("cos.npy", &shape, &|_, pair| angle(position, pair).cos());
            let sin = open("sin.npy", &shape, &|_, pair| angle(position, pair).sin());
            judge(&cos, Some(&sin))
        };
        let report = at(0).unwrap();
        assert!(report.conforms, "{shape:?}: {report}");
        let refusal = at(5).unwrap_err().to_string();
        assert!(refusal.contains("8 heads at one position") && refusal.contains("--sequence-axis"), "{refusal}");
    }
    // What differs from row to row is judged as rows.
    let shape = [HEADS, 1, PAIRS];
    let identified = |at: &dyn Fn(usize) -> usize| {
        let cos = open("cos.npy", &shape, &|row, pair| angle(at(row), pair).cos());
        let sin = open("sin.npy", &shape, &|row, pair| angle(at(row), pair).sin());
        identify(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, None)
    };
    for position in [0, 5] {
        let refusal = identified(&|_| position).unwrap_err().to_string();
        assert!(refusal.contains("8 heads at one position"), "{refusal}");
    }
    assert_eq!(identified(&|row| row).unwrap().confidence, Confidence::Established);
    assert!(judge(&open("cos.npy", &shape, &|row, pair| angle(row, pair).cos()), None).unwrap().conforms);
    let next = open("cos.npy", &shape, &|row, pair| angle(row + 1, pair).cos());
    let next_sin = open("sin.npy", &shape, &|row, pair| angle(row + 1, pair).sin());
    let report = judge(&next, Some(&next_sin)).unwrap();
    assert_eq!(report.first_code().map(|code| code.name()), Some("position-offset"), "{report}");
}

/// [positions, batch, heads, dim], read with its positions along the heads: what is there is positions along axis 0.
#[test]
fn positions_along_a_leading_axis_are_named() {
    let (shape, dim) = ([12, 2, 16, 2 * PAIRS], 2 * PAIRS);
    let files = files();
    let vectors: Vec<f64> = (0..shape.iter().product()).map(|i| ((i * 7919) % 1009) as f64 / 512.0 - 1.0).collect();
    let open = |name: &str, entries: &[f64]| {
        let bytes = npy("<f4", false, &shape, &single(entries.iter().copied()));
        SequenceAxis::default().open(&files.write(name, &bytes)).unwrap()
    };
    let x = open("x.npy", &vectors);
    let rotated = |position: &dyn Fn([usize; 3]) -> usize| {
        let rows = vectors.chunks(dim).enumerate();
        let row = |(i, row): (usize, &[f64])| {
            let position = position([i / 32, i / 16 % 2, i % 16]);
            let entry = |j: usize| {
                let (sin, cos) = angle(position, j / 2).sin_cos();
                if j.is_multiple_of(2) { row[j] * cos - row[j + 1] * sin } else { row[j] * cos + row[j - 1] * sin }
            };
            (0..dim).map(entry).collect::<Vec<f64>>()
        };
        open("y.npy", &rows.flat_map(row).collect::<Vec<f64>>())
    };
    let judge = |y: &dyn Grid| check(Subject::Rotation { x: &x, y }, &Expectation::new(Convention::rope(dim))).unwrap();
    assert!(judge(&rotated(&|[_, _, head]| head)).conforms);
    for (axis, of) in [(0, &(|[s, _, _]: [usize; 3]| s) as &dyn Fn([usize; 3]) -> usize), (1, &|[_, b, _]| b)] {
        let report = judge(&rotated(of));
        let text = report.to_string();
        assert!(text.contains(&format!("positions are counted along axis {axis} of the array")), "{text}");
        assert!(text.contains("explains all"), "{text}");
        assert!(text.contains("heads are numbered along axes 0 and 1"), "{text}");
    }
}
