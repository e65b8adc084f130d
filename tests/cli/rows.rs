//! Rows of every kind: whatever verb is asked, positions may fall, repeat, be negative or fractional, and be those of sequences.

use super::{json, refused, run, run_in};
use posproof::bound::document::printed;
use posproof::encoding::convention::{Component, Convention};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use std::fs;
use std::path::Path;

/// Rows as text, with the numbers.
const ROWS: [(&str, &[f64]); 4] = [
    ("5,3,1", &[5.0, 3.0, 1.0]),
    ("1,1,3,3", &[1.0, 1.0, 3.0, 3.0]),
    ("-2,-1,0", &[-2.0, -1.0, 0.0]),
    ("1/2,131071,-0.25", &[0.5, 131_071.0, -0.25]),
];

/// An array of binary64 numbers as NumPy writes it.
fn array(shape: &str, numbers: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut bytes = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

/// The shape and the entries of a file in binary64.
fn read(path: &Path) -> (String, Vec<f64>) {
    let bytes = fs::read(path).unwrap();
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let shape = header.split("'shape': ").nth(1).unwrap().split(')').next().unwrap();
    let entries = bytes[10 + length..].chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().unwrap()));
    (format!("{shape})"), entries.collect())
}

/// Angles of a program in binary32, whose frequencies are correctly rounded.
fn entry(x: f64, pair: i32) -> f64 {
    let omega = 10000f64.powf(f64::from(-pair) / 4.0) as f32;
    f64::from((f64::from(x as f32 * omega)).cos() as f32)
}

#[test]
fn every_verb_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let good = |words: &[&str]| {
        let (status, out, err) = run_in(here, words);
        assert!(status == 0 && err.is_empty(), "{words:?}: {out}{err}");
        out
    };
    for (text, numbers) in ROWS {
        let of = ["rope", "--dim", "8", "--positions", text];
        good(&[&["table"], &of[..], &["--component", "cos", "--out", "c.npy", "--force"]].concat());
        let table = ["--dtype", "f64", "--component", "cos", "--out", "t.npy", "--force"];
        let told = good(&[&["table"], &of[..], &table].concat());
        let entries = format!("{} entries, all correctly rounded", 4 * numbers.len());
        assert!(told.contains("sha256") && told.contains(&entries), "{told}");
        good(&[&["tolerance"], &of[..], &["--out", "atol.npy", "--force"]].concat());
        let shape = format!("({}, 4)", numbers.len());
        let ((of_table, table), (of_atol, atol)) = (read(&here.join("t.npy")), read(&here.join("atol.npy")));
        assert_eq!((of_table, of_atol), (shape.clone(), shape));
        // What a program computes is within the tolerance, which a hundredth of the first frequency more is not.
        let mut caught = false;
        for (at, (&table, &atol)) in table.iter().zip(&atol).enumerate() {
            let (x, pair) = (numbers[at / 4], (at % 4) as i32);
            assert!((entry(x, pair) - table).abs() <= atol, "{text}: {at}: {table:e} {atol:e}");
            caught |= (entry(1.01 * x, pair) - table).abs() > atol;
        }
        assert!(caught, "{text}");
        let bound = good(&[&["bound"], &of[..], &["--worst"]].concat());
        if numbers.iter().all(|x| *x >= 0.0 && x.fract() == 0.0) {
            assert!(bound.contains("At positions ") && bound.contains("by enumeration of "), "{bound}");
        } else {
            assert!(bound.contains(&format!("Error of the entries at {} rows", numbers.len())), "{bound}");
            assert!(bound.contains("worst sin"), "{bound}");
        }
        let probe = good(&[&["probe"], &of[..], &["--out", "p.npy", "--force"]].concat());
        assert_eq!(read(&here.join("p.npy")).0, format!("({},)", numbers.len()), "{probe}");
        // Its command judges the answer.
        let table = ["table", "rope", "--dim", "8", "--positions", "p.npy"];
        good(&[&table[..], &["--component", "cos", "--out", "p-cos.npy", "--force"]].concat());
        good(&[&table[..], &["--component", "sin", "--out", "p-sin.npy", "--force"]].concat());
        let command = probe.lines().find(|line| line.trim().starts_with("posproof check")).expect(&probe);
        let judged = good(&command.split_whitespace().skip(1).collect::<Vec<_>>());
        assert!(judged.contains("correctly-rounded"), "{command}: {judged}");
    }
}

/// Sequences keep their axis, also where they are all at the same positions, and have the numbers of their rows one after the other.
#[test]
fn sequences_keep_their_axis() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (name, numbers) in [("other.npy", [0.0, 1.0, 7.0, 8.0]), ("same.npy", [3.0, 4.0, 3.0, 4.0])] {
        fs::write(here.join(name), array("(2, 2)", &numbers)).unwrap();
        fs::write(here.join("flat.npy"), array("(4,)", &numbers)).unwrap();
        for verb in [&["table", "--dtype", "f64", "--component", "sin"][..], &["tolerance"]] {
            for (positions, file, shape) in [(name, "a.npy", "(2, 2, 4)"), ("flat.npy", "b.npy", "(4, 4)")] {
                let of = [&verb[..1], &["rope", "--dim", "8", "--positions", positions, "--out", file, "--force"]];
                let (status, out, err) = run_in(here, &[&of.concat(), &verb[1..]].concat());
                assert!(status == 0 && err.is_empty(), "{out}{err}");
                assert_eq!(read(&here.join(file)).0, shape, "{verb:?} {positions}");
            }
            let (one, other) = (read(&here.join("a.npy")).1, read(&here.join("b.npy")).1);
            for (one, other) in one.iter().zip(&other) {
                // Two derivations of one bound.
                assert!((one - other).abs() <= 1e-9 * other.abs(), "{verb:?}: {one:e} {other:e}");
            }
        }
        let bound = ["bound", "rope", "--dim", "8", "--positions", name];
        let (status, out, _) = run_in(here, &bound);
        let at = if name == "same.npy" { "At positions 3..5" } else { "At positions 0..9" };
        assert!(status == 0 && out.contains(at), "{out}");
        let probe =
            ["probe", "rotation", "--dim", "8", "--heads", "3", "--positions", name, "--out", "x.npy", "--force"];
        let (status, out, err) = run_in(here, &probe);
        assert!(status == 0 && out.contains("rotate x, [2, 3, 2, 8] of f32"), "{out}{err}");
        // Whole numbers are integers.
        let whole: Vec<u8> = numbers.iter().flat_map(|&x| (x as i64).to_le_bytes()).collect();
        assert!(fs::read(here.join("x-positions.npy")).unwrap().ends_with(&whole), "{name}");
        assert_eq!(read(&here.join("x-positions.npy")).0, "(2, 2)");
    }
}

/// Several axes have tolerances, as text, as C and in files; and bounds that no entry of the table exceeds.
#[test]
fn axes_have_tolerances() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("p.txt"), "0 0\n3 7/2\nnan nan\n-100 4\n").unwrap();
    let of = ["tolerance", "rope", "--dim", "8", "--axis", "h:0..2", "--axis", "w:2..4", "--positions", "p.txt"];
    let (status, out, err) = run_in(here, &of);
    assert!(
        status == 0 && out.contains("4 positions of 4 pairs") && out.contains("the largest: row 3, pair 2"),
        "{out}{err}"
    );
    let (_, out, _) = run_in(here, &[&of[..], &["--c-header", "ATOL"]].concat());
    assert!(
        out.contains("static const double ATOL[4][4]") && out.contains("ATOL_positions[4][2] = {{0x0p+0, 0x0p+0}"),
        "{out}"
    );
    assert!(out.contains("{(0.0 / 0.0), (0.0 / 0.0)}"), "{out}");
    assert_eq!(run_in(here, &[&of[..], &["--out", "a.npy"]].concat()).0, 0);
    // A mixed encoding, whose slots several axes share, has the sum of their errors.
    let mixed = ["--axis", "h:0..4;shared=true", "--axis", "w:0..4;shared=true", "--out", "m.npy"];
    let (status, out, err) = run_in(here, &[&of[..4], &mixed[..], &of[8..]].concat());
    assert!(status == 0, "{out}{err}");
    let (one, both) = (read(&here.join("a.npy")).1, read(&here.join("m.npy")).1);
    assert!(both[4] > one[4], "{both:?} {one:?}");
    let heads = refused(here, &[&of[..], &["--path", "recurrence"]].concat());
    assert!(heads.contains("path: recurrence"), "{heads}");
}

/// Numbers beyond binary64 are tabulated, and refused where programs or files hold them.
#[test]
fn numbers_that_no_format_holds_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let of = ["rope", "--dim", "8", "--positions", "1e400"];
    let (status, out, err) = run_in(folder.path(), &[&["table"], &of[..], &["--out", "t.npz"]].concat());
    assert!(status == 0, "{out}{err}");
    let message = refused(folder.path(), &[&["probe"], &of[..], &["--out", "p.npy"]].concat());
    assert!(message.contains("--positions: 401 digits; expected numbers that binary64 holds"), "{message}");
    for verb in ["tolerance", "bound"] {
        let message = refused(folder.path(), &[&[verb], &of[..]].concat());
        assert!(
            message.contains("coordinate with its offset: up to inf; expected at most 3.4028234663852886e38"),
            "{message}"
        );
    }
}

/// The document of one axis in its second version says what the first says, with exact positions.
#[test]
fn bounds_of_rows_are_those_of_the_law() {
    let document = json(&["bound", "rope", "--dim", "8", "--positions", "7/2,3", "--json=2"]);
    let rows: Coordinates = "7/2\n3".parse().unwrap();
    let law = AxialLaw::along(&Convention::rope(8), &rows).unwrap();
    let case = &document["cases"][1];
    assert_eq!((&case["rows"], &case["coordinates"]), (&2.into(), &serde_json::json!(["7/2"])));
    let exact = law.enclose(0, 1, &rows.row(0).unwrap(), Component::Cos, 80).unwrap().approximate();
    let angle = 3.5f32 * 0.1;
    let error = (f64::from((f64::from(angle)).cos() as f32) - exact).abs();
    let bound: f64 = case["a_priori"].as_str().unwrap().parse().unwrap();
    assert!(error <= bound && bound < 1e-6, "{error:e} {}", printed(bound));
}

/// A bound is of whole positions, in whatever order and however often they occur, and holds of those between them; and its program is said whole.
#[test]
fn whole_positions_have_the_bounds_of_their_range() {
    let of = |positions: &str| json(&["bound", "rope", "--dim", "8", "--positions", positions, "--json=2"]);
    let range = of("0..5");
    for positions in ["4,3,2,1,0", "0..3,0..5", "4,0..5,1", "4,0..3", "0,4"] {
        assert_eq!(of(positions), range, "{positions}");
    }
    let good = |words: &[&str]| {
        let (status, out, err) = run(words);
        assert_eq!((status, &*err), (0, ""), "{words:?}");
        out
    };
    let score = ["bound", "score", "--dim", "8", "--positions"];
    for positions in ["4,3,2,1,0", "4,0"] {
        assert_eq!(good(&[&score[..], &[positions]].concat()), good(&[&score[..], &["0..5"]].concat()));
    }
    // The worst case is that of the positions alone, as those of a rank that holds the first tokens and the last ones.
    let worst = |positions: &str| {
        let of = ["bound", "rope", "--dim", "8", "--pairs", "1", "--component", "sin", "--worst", "--positions"];
        json(&[&of[..], &[positions, "--json=2"]].concat())["cases"][0]["worst"].clone()
    };
    let error = |of: &serde_json::Value| of["error"].as_str().unwrap().parse::<f64>().unwrap();
    let (all, first, last) = (worst("0..4096"), worst("0..16"), worst("4080..4096"));
    let apart = worst("4080..4096,0..16");
    assert_eq!(error(&apart), error(&first).max(error(&last)));
    assert!(error(&apart) < error(&all));
    assert_eq!((&apart["enumerated"], &all["enumerated"]), (&"0..16,4080..4096".into(), &serde_json::Value::Null));
    let text = good(&["bound", "rope", "--dim", "8", "--worst", "--positions", "9,0..3"]);
    assert!(text.contains("At positions 0..10 no entry") && text.contains("by enumeration of 0..3,9\n"), "{text}");
    // Rows have programs whose functions are as accurate as those of a range.
    let rows = of("9/2,0,1");
    assert_eq!((&rows["cases"][0]["ulp"], &rows["cases"][0]["rows"]), (&range["cases"][0]["ulp"], &3.into()));
    let wider = json(&["bound", "rope", "--dim", "8", "--positions", "9/2,0,1", "--ulp", "2", "--json=2"]);
    let first =
        |document: &serde_json::Value| document["cases"][0]["a_priori"].as_str().unwrap().parse::<f64>().unwrap();
    assert!(first(&rows) < first(&wider));
    assert!(good(&["bound", "rope", "--dim", "8", "--positions", "9/2,0,1"]).contains("functions within 1 ulp"));
}
