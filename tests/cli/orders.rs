//! Positions of any kind along one axis: falling, repeated, packed, negative and fractional ones.

use super::axes::npy;
use super::{refused, run_in};
use posproof_schema::validate;
use serde_json::Value;
use std::fs;

const CACHE: [&str; 7] = ["rope", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--positions", ""];

/// Arguments that end with positions.
fn arguments<'a>(verb: &'a str, positions: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec![verb];
    all.extend(&CACHE[..6]);
    all.push(positions);
    all.extend(more);
    all
}

#[test]
fn rows_in_any_order_conform_and_a_shifted_row_does_not() {
    let cases = [
        ("falling", "999,500,250,30,2,0", "999,500,250,30,3,0"),
        ("repeated", "5,5,3,3,1,7", "5,5,3,4,1,7"),
        ("packed", "0..40,0..7,0..100", "0..40,1..8,0..100"),
        ("negative", "-20..21", "-19..22"),
        ("fractional", "0.5,1/3,7,1000.25,-2", "0.5,1/3,8,1000.25,-2"),
    ];
    for (name, positions, wrong) in cases {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let table = ["table", "rope", "--dim", "64", "--positions", positions, "--out", "c.npz"];
        let (status, out, err) = run_in(at, &table);
        assert_eq!((status, err.as_str()), (0, ""), "{name}: {out}");
        let (status, out, err) = run_in(at, &arguments("check", positions, &["--dim", "64", "--json"]));
        assert_eq!((status, err.as_str()), (0, ""), "{name}: {out}");
        let report: Value = serde_json::from_str(&out).unwrap();
        validate(&report);
        assert_eq!(report["grade"], "correctly-rounded", "{name}");
        let (status, out, _) = run_in(at, &arguments("check", wrong, &["--dim", "64"]));
        assert_eq!(status, 1, "{name}: {out}");
        // The same numbers, a row a line.
        let lines = posproof_encoding::axes::Coordinates::along(positions).unwrap();
        let lines: String = (0..lines.rows()).filter_map(|row| Some(format!("{}\n", lines.get(row, 0)?))).collect();
        fs::write(at.join("p.txt"), lines).unwrap();
        let (status, out, _) = run_in(at, &arguments("check", "p.txt", &["--dim", "64"]));
        assert_eq!(status, 0, "{name}: {out}");
    }
}

#[test]
fn an_array_of_falling_or_fractional_positions_is_read_and_identified() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let steps: Vec<f64> = (0..200).map(|i| 999.0 - 4.5 * f64::from(i)).collect();
    npy(&at.join("steps.npy"), "<f8", "(200,)", steps.iter().flat_map(|x| x.to_le_bytes()));
    let table = ["table", "rope", "--dim", "32", "--base", "500000", "--positions", "steps.npy", "--out", "c.npz"];
    assert_eq!(run_in(at, &table).0, 0);
    let (status, out, _) = run_in(at, &arguments("check", "steps.npy", &["--dim", "32", "--base", "500000"]));
    assert_eq!(status, 0, "{out}");
    let (status, out, _) = run_in(at, &arguments("check", "steps.npy", &["--dim", "32"]));
    assert!(status == 1 && out.contains("other-base"), "{out}");
    let (status, out, _) = run_in(at, &arguments("identify", "steps.npy", &[]));
    assert!(status == 0 && out.contains("\"base\":500000"), "{out}");
}

#[test]
fn what_is_no_position_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let table = ["table", "rope", "--dim", "8", "--positions", "0..4", "--out", "c.npz"];
    assert_eq!(run_in(at, &table).0, 0);
    for wrong in ["", ",", "a,b", "1,,2", "2..-2", "0.5..3", "1/0", "nan,inf"] {
        refused(at, &arguments("check", wrong, &["--dim", "8"]));
    }
    npy(&at.join("nan.npy"), "<f8", "(4,)", [3.0, 2.0, f64::NAN, 0.0].into_iter().flat_map(f64::to_le_bytes));
    let message = refused(at, &arguments("check", "nan.npy", &["--dim", "8"]));
    assert!(message.contains("row 2: expected a number; found NaN"), "{message}");
    npy(&at.join("two.npy"), "<i8", "(4, 2)", (0..8i64).flat_map(i64::to_le_bytes));
    let message = refused(at, &arguments("check", "two.npy", &["--dim", "8"]));
    assert!(message.contains("a first axis of 4 sequences") && message.contains("found one table"), "{message}");
    assert!(message.contains("or state the axes of coordinates [rows, axes]"), "{message}");
    npy(&at.join("deep.npy"), "<i8", "(2, 2, 2)", (0..8i64).flat_map(i64::to_le_bytes));
    let message = refused(at, &arguments("check", "deep.npy", &["--dim", "8"]));
    assert!(message.contains("expected [rows] or [sequences, rows]; found an array of shape [2, 2, 2]"), "{message}");
    let message = refused(at, &arguments("check", "3,2,1,0", &["--dim", "8", "--path", "recurrence"]));
    assert!(message.contains("no bound of it is known"), "{message}");
}

/// `position_ids` of transformers: sequences that are padded on the left, or packed, have positions of their own.
#[test]
fn sequences_of_a_batch_have_positions_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let ids = |offsets: [i64; 3]| -> Vec<i64> {
        offsets.iter().flat_map(|offset| (0..40).map(move |row| (row + offset).max(0))).collect()
    };
    let write = |name: &str, shape: &str, ids: &[i64]| {
        npy(&at.join(name), "<i8", shape, ids.iter().flat_map(|x| x.to_le_bytes()));
    };
    write("ids.npy", "(3, 40)", &ids([0, -7, 100]));
    write("others.npy", "(3, 40)", &ids([0, 0, 0]));
    write("alike.npy", "(3, 40)", &ids([5, 5, 5]));
    write("two.npy", "(2, 40)", &ids([0, -7, 100])[..80]);
    write("short.npy", "(3, 39)", &ids([0, -7, 100])[..117]);
    // Columns of several axes are beside each other, or one after the other.
    let axes: Vec<i64> = ids([0, -7, 100]).iter().flat_map(|x| [*x, x + 3]).collect();
    write("last.npy", "(3, 40, 2)", &axes);
    write(
        "first.npy",
        "(2, 3, 40)",
        &[0, 1].map(|axis| axes[axis..].iter().step_by(2).copied().collect::<Vec<_>>()).concat(),
    );

    let (status, out, err) = run_in(at, &["table", "rope", "--dim", "64", "--positions", "ids.npy", "--out", "c.npz"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("cos [3, 40, 32] f32"), "{out}");
    let (status, out, _) = run_in(at, &arguments("check", "ids.npy", &["--dim", "64"]));
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("c.npz:cos: 3 sequences of 40 rows: row 40·s + i is row i of sequence s"), "{out}");
    let (status, out, _) = run_in(at, &arguments("identify", "ids.npy", &[]));
    assert_eq!((status, out.contains("established")), (0, true), "{out}");

    let (status, out, _) = run_in(at, &arguments("check", "others.npy", &["--dim", "64", "--json=2"]));
    let report: Value = serde_json::from_str(&out).unwrap();
    validate(&report);
    assert_eq!(status, 1, "{out}");
    // A table has the shape of its positions, also where all sequences are at the same ones.
    let table = ["table", "rope", "--dim", "64", "--positions", "alike.npy", "--out", "alike.npz"];
    let (_, out, _) = run_in(at, &table);
    assert!(out.contains("cos [3, 40, 32] f32"), "{out}");
    let alike = ["check", "rope", "--dim", "64", "--cos", "alike.npz:cos", "--positions", "alike.npy"];
    let (status, out, _) = run_in(at, &alike);
    assert!(status == 0 && out.contains("correctly-rounded"), "{out}");
    let (status, _, err) = run_in(at, &arguments("check", "two.npy", &["--dim", "64"]));
    assert_eq!(status, 2);
    assert!(err.contains("a first axis of 2 sequences, as the positions have; found 3 places along axis 0"), "{err}");

    let (status, _, err) = run_in(at, &arguments("check", "short.npy", &["--dim", "64"]));
    assert!(
        status == 2 && err.contains("expected 39 rows in each of 3 sequences, one for each position; found 40 in each")
    );

    let of_axes = ["--dim", "64", "--axis", "h:0..16", "--axis", "w:16..32"];
    let positions = |name: &'static str| [&of_axes[..], &["--positions", name]].concat();
    let table = [&["table", "rope", "--out", "axes.npz"][..], &positions("last.npy")].concat();
    assert_eq!(run_in(at, &table).0, 0);
    let check = |more: &[&str]| {
        let cache = ["check", "rope", "--cos", "axes.npz:cos", "--sin", "axes.npz:sin"];
        run_in(at, &[&cache[..], more].concat()).0
    };
    assert_eq!(check(&positions("last.npy")), 0);
    assert_eq!(check(&[&positions("first.npy")[..], &["--positions-axes", "first"]].concat()), 0);
    assert_eq!(check(&positions("first.npy")), 2);

    let decoded = ["positions", "rope", "--dim", "64", "--cos", "c.npz:cos", "--sin", "c.npz:sin", "--expected"];
    let expected = |name| run_in(at, &[&decoded[..], &[name]].concat());
    assert_eq!(expected("ids.npy").0, 0, "{}", expected("ids.npy").1);
    assert_eq!(expected("others.npy").0, 1);
    let (status, _, err) = expected("two.npy");
    assert!(status == 2 && err.contains("40, or as many for each of the sequences that 3 tables are"), "{err}");
}
