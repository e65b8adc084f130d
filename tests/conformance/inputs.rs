//! The arrays that the command line takes besides cosines and sines: complex ones, joined ones, frequencies, other axes.

use crate::command::{judge, run};
use crate::files::*;
use serde_json::json;
use std::path::Path;

const ROWS: usize = 60;
const PAIRS: usize = 4;

fn angles() -> impl Iterator<Item = f64> {
    (0..ROWS * PAIRS).map(|i| (i / PAIRS) as f64 * 10_000f64.powf(-((i % PAIRS) as f64) / PAIRS as f64))
}

fn array(descr: &str, shape: &str, numbers: impl Iterator<Item = f64>) -> Vec<u8> {
    npy(descr, "False", shape, &numbers.flat_map(|x| (x as f32).to_le_bytes()).collect::<Vec<_>>())
}

/// z as complex numbers, `both` with cosines and sines side by side, `axes` as [positions, 1, 1, pairs], `omega` alone.
fn written() -> Folder {
    let folder = Folder::new();
    folder.write("z.npy", &array("'<c8'", "(60, 4)", angles().flat_map(|x| [x.cos(), x.sin()])));
    let angles: Vec<f64> = angles().collect();
    let rows = angles.chunks(PAIRS).flat_map(|row| row.iter().map(|x| x.cos()).chain(row.iter().map(|x| x.sin())));
    folder.write("both.npy", &array("'<f4'", "(60, 8)", rows));
    folder.write("axes.npy", &array("'<f4'", "(60, 1, 1, 4)", angles.iter().map(|x| x.cos())));
    let omega = (0..PAIRS).map(|k| 10_000f64.powf(-(k as f64) / PAIRS as f64));
    folder.write("omega.npy", &array("'<f4'", "(4,)", omega));
    let repeated = angles.iter().flat_map(|x| [x.cos(), x.cos()]);
    folder.write("repeated.npy", &array("'<f4'", "(60, 8)", repeated));
    folder
}

#[test]
fn every_kind_of_array_is_judged_and_identified() {
    let folder = written();
    for input in [
        &["--freqs-cis", "z.npy"][..],
        &["--cos-sin-cache", "both.npy"],
        &["--cos", "axes.npy"],
        &["--cos", "axes.npy", "--sequence-axis", "0", "--positions", "0..60"],
        &["--inv-freq", "omega.npy"],
        &["--cos", "repeated.npy", "--duplication", "repeated"],
    ] {
        let (status, report) = judge(folder.path(), &[&["check", "rope", "--dim", "8"], input].concat());
        assert_eq!((status, &report["findings"]), (0, &json!([])), "{input:?}: {report:#}");
        let frequencies = input[0] == "--inv-freq";
        assert_eq!(report["subject"], if frequencies { "frequencies" } else { "rope" });
        let (status, report) =
            judge(folder.path(), &[&["check", "rope", "--dim", "8", "--base", "500000"], input].concat());
        assert_eq!((status, &report["findings"][0]["code"]), (1, &json!("other-base")), "{input:?}: {report:#}");
    }
    for input in [&["--freqs-cis", "z.npy"][..], &["--cos-sin-cache", "both.npy"], &["--inv-freq", "omega.npy"]] {
        let (status, found) = judge(folder.path(), &[&["identify", "rope"], input].concat());
        assert_eq!((status, &found["convention"]["base"]), (0, &json!(10_000)), "{input:?}: {found:#}");
    }
}

#[test]
fn what_was_read_is_printed() {
    let folder = written();
    let printed = |input: &[&str]| run(folder.path(), &[&["check", "rope", "--dim", "8"], input].concat()).1;
    assert!(printed(&["--cos", "axes.npy"]).contains("axes.npy: positions along axis 0 of [60, 1, 1, 4]"));
    assert!(printed(&["--cos-sin-cache", "both.npy"]).contains("second half of the columns"));
    assert!(printed(&["--cos", "repeated.npy"]).contains("columns repeated one by one"));
}

#[test]
fn another_duplication_than_stated_does_not_conform() {
    let folder = written();
    for stated in ["none", "halves"] {
        let check = ["check", "rope", "--dim", "8", "--cos", "repeated.npy", "--duplication", stated];
        let (status, report) = judge(folder.path(), &check);
        assert_eq!((status, &report["duplication"]), (1, &json!("repeated")), "{report:#}");
        let finding = &report["findings"][0];
        assert_eq!((&finding["code"], &finding["detail"]["stated"]), (&json!("duplication"), &json!(stated)));
    }
}

/// f32 cosines at positions where angles in bf16 may be anything.
#[test]
fn a_subject_that_says_nothing_ends_with_status_3() {
    let folder = Folder::new();
    let far = 10_000_000u64;
    let cosines = (0..ROWS * PAIRS)
        .map(|i| ((far + (i / PAIRS) as u64) as f64 * 10_000f64.powf(-((i % PAIRS) as f64) / PAIRS as f64)).cos());
    folder.write("far.npy", &array("'<f4'", "(60, 4)", cosines));
    let check = ["check", "rope", "--dim", "8", "--cos", "far.npy", "--positions", "10000000..10000060"];
    let (status, report) = judge(folder.path(), &[&check[..], &["--compute", "bf16", "--path", "any"]].concat());
    // The entries are correctly rounded: that says all there is to say, whatever the bound is.
    assert_eq!((status, &report["grade"]), (0, &json!("correctly-rounded")), "{report:#}");
    let nearly = (0..ROWS * PAIRS).map(|i| {
        ((far + (i / PAIRS) as u64) as f64 * 10_000f64.powf(-((i % PAIRS) as f64) / PAIRS as f64)).cos() * 0.999
    });
    folder.write("far.npy", &array("'<f4'", "(60, 4)", nearly));
    let (status, report) = judge(folder.path(), &[&check[..], &["--compute", "bf16"]].concat());
    assert_eq!((status, &report["grade"]), (3, &json!("not-judged")), "{report:#}");
    assert!(report["information"]["uninformative"].as_u64().unwrap() > 120, "{report:#}");
    assert_eq!(report["findings"][0]["code"], "not-judged");
}

#[test]
fn inputs_that_do_not_go_together_are_refused() {
    let folder = written();
    let refused = |arguments: &[&str]| {
        let (status, out, err) = run(folder.path(), &[&["check", "rope", "--dim", "8"], arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        err
    };
    assert!(refused(&["--cos", "axes.npy", "--freqs-cis", "z.npy"]).contains("--freqs-cis"));
    assert!(refused(&["--cos-sin-cache", "both.npy", "--inv-freq", "omega.npy"]).contains("--inv-freq"));
    assert!(refused(&["--cos", "omega.npy"]).contains("--inv-freq"));
    assert!(refused(&["--cos", "z.npy"]).contains("--freqs-cis"));
    assert!(refused(&["--freqs-cis", "axes.npy"]).contains("complex64, complex128"));
    assert!(refused(&["--cos", "both.npy"]).contains("--cos-sin-cache"));
    assert!(refused(&["--cos", "axes.npy", "--sequence-axis", "3"]).contains("state 0 to 2"));
    assert!(refused(&["--cos", "repeated.npy", "--duplication", "twice"]).contains("halves"));
    assert!(refused(&["--inv-freq", "z.npy"]).contains("real numbers"));
    assert!(!Path::new("z.npy").exists());
}
