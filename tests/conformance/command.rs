//! The command line: output and exit status, for right tables, wrong ones and bad input.

use crate::corpus::*;
use crate::files::*;
use assert_cmd::Command;
use posproof::encoding::convention::Convention;
use posproof_schema::validate;
use serde_json::{Value, json};
use std::path::Path;

/// Exit status, standard output, standard error.
pub fn run(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("posproof").expect("the binary");
    let output = command.current_dir(directory).args(arguments).output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit status"), text(output.stdout), text(output.stderr))
}

/// A judgement as JSON, validated, with its exit status.
pub fn judge(directory: &Path, arguments: &[&str]) -> (i32, Value) {
    let (status, out, err) = run(directory, &[arguments, &["--json"]].concat());
    assert_eq!(err, "", "{arguments:?}");
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    validate(&document);
    if document["schema"] == "posproof.check/1" {
        assert_eq!(document["conforms"], status == 0, "{document:#}");
    }
    (status, document)
}

/// The message of a refusal: exit status 2, nothing on standard output, no panic.
fn refused(directory: &Path, arguments: &[&str]) -> String {
    let (status, out, err) = run(directory, arguments);
    assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
    assert!(!err.contains("panicked") && !err.contains("backtrace"), "{err}");
    err
}

const SINUSOID: [&str; 6] = ["check", "sinusoid", "--dim", "8", "--table", "pe.npy"];

/// The paper's table, 8 wide, in binary32.
fn paper(rows: u64) -> Vec<f64> {
    Program::exact(&Convention::sinusoid(8)).run(4, &(0..rows).collect::<Vec<_>>()).joined(&Convention::sinusoid(8))
}

#[test]
fn tables_that_are_written_are_correctly_rounded_in_every_kind_of_file() {
    let folder = Folder::new();
    let write = |arguments: &[&str]| assert_eq!(run(folder.path(), &[&["table"], arguments].concat()).0, 0);
    for dtype in ["f16", "bf16", "f32", "f64"] {
        for file in ["pe.npy", "pe.npz", "pe.safetensors"] {
            write(&[
                "sinusoid",
                "--dim",
                "64",
                "--positions",
                "0..300,65537",
                "--dtype",
                dtype,
                "--out",
                file,
                "--force",
            ]);
            let name = if file == "pe.npy" { file.to_owned() } else { format!("{file}:pe") };
            let check =
                ["check", "sinusoid", "--table", &name, "--dim", "64", "--positions", "0..300,65537", "--dtype", dtype];
            let (status, report) = judge(folder.path(), &check);
            assert_eq!((status, &report["grade"]), (0, &json!("correctly-rounded")), "{dtype} {file}");
            assert_eq!((&report["entries"], &report["expected"]), (&json!(301 * 64), &report["found"]));
            assert_eq!(report["statistics"]["correctly_rounded"], report["entries"]);
        }
        write(&[
            "rope",
            "--dim",
            "64",
            "--base",
            "500000",
            "--positions",
            "0..300",
            "--dtype",
            dtype,
            "--out",
            "r.safetensors",
            "--force",
        ]);
        let both = [
            "check",
            "rope",
            "--cos",
            "r.safetensors:cos",
            "--sin",
            "r.safetensors:sin",
            "--dim",
            "64",
            "--base",
            "500000",
        ];
        assert_eq!(judge(folder.path(), &both).1["grade"], "correctly-rounded", "{dtype}");
        let (status, report) =
            judge(folder.path(), &["check", "rope", "--sin", "r.safetensors:sin", "--dim", "64", "--base", "500000"]);
        assert_eq!((status, &report["entries"]), (0, &json!(300 * 32)), "half a cache");
    }
}

#[test]
fn a_wrong_base_is_named_with_the_convention_that_was_found() {
    let folder = Folder::new();
    let other = Convention { base: 500_000.into(), ..Convention::sinusoid(8) };
    let rows: Vec<u64> = (0..1000).collect();
    folder.write("pe.npy", &table(&Program::single(&other).run(4, &rows).joined(&other), 8));
    let (status, report) = judge(folder.path(), &SINUSOID);
    assert_eq!((status, &report["grade"], &report["conforms"]), (1, &json!("other-convention"), &json!(false)));
    assert_eq!((&report["expected"]["base"], &report["found"]["base"]), (&json!(10_000), &json!(500_000)));
    assert_eq!(report["findings"][0]["code"], "other-base");
    let worst = &report["worst"];
    assert!(worst["error"].as_f64().unwrap() > worst["bound"].as_f64().unwrap());
    let (lower, upper): (f64, f64) =
        (worst["lower"].as_str().unwrap().parse().unwrap(), worst["upper"].as_str().unwrap().parse().unwrap());
    let (t, k) = (worst["position"].as_f64().unwrap(), worst["pair"].as_f64().unwrap());
    let angle = t * 10_000f64.powf(-k / 4.0);
    let exact = if worst["component"] == "sin" { angle.sin() } else { angle.cos() };
    assert!(lower - 1e-12 <= exact && exact <= upper + 1e-12, "{worst}");
    let (status, out, _) = run(folder.path(), &SINUSOID);
    assert_eq!(status, 1);
    for part in
        ["sinusoid other-convention: does not conform", "other-base: the base is 500000, not 10000", "conforms under: "]
    {
        assert!(out.contains(part), "{out}");
    }
    // Figures come after it where they are asked for.
    let (status, verbose, _) = run(folder.path(), &[&SINUSOID[..], &["--verbose"]].concat());
    assert!(status == 1 && verbose.starts_with(&out) && verbose.contains("worst: position"), "{verbose}");
    assert!(!out.contains("worst: position"), "{out}");
    assert!(!out.contains('\u{1b}'), "no colour when not on a terminal");
}

#[test]
fn path_and_compute_decide_the_bound() {
    let folder = Folder::new();
    let convention = Convention::sinusoid(64);
    let rows: Vec<u64> = sparse(131_071);
    let positions: String = rows.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    // Repeated multiplication in binary32: 31 roundings in the slowest frequency.
    let step = 10_000f32.powf(-2.0 / 64.0);
    let omega: Vec<f32> = std::iter::successors(Some(1f32), |w| Some(w * step)).take(32).collect();
    let program = Program { frequency: Box::new(|k| f64::from(omega[k])), ..Program::single(&convention) };
    folder.write("pe.npy", &table(&program.run(32, &rows).joined(&convention), 64));
    let check = ["check", "sinusoid", "--table", "pe.npy", "--dim", "64", "--positions", &positions];
    let with = |more: &[&str]| judge(folder.path(), &[&check[..], more].concat());
    for more in [&[][..], &["--path", "any"], &["--path", "repeated"], &["--compute", "bf16"]] {
        let (status, report) = with(more);
        assert_eq!(
            (status, &report["grade"], &report["findings"]),
            (0, &json!("within-bound"), &json!([])),
            "{more:?}"
        );
    }
    for more in [&["--path", "rounded"][..], &["--path", "f64"], &["--compute", "f64"]] {
        let (status, report) = with(more);
        assert_eq!((status, &report["grade"]), (1, &json!("degraded")), "{more:?} {report:#}");
        assert!(report["findings"][0]["code"].as_str().unwrap().starts_with("low-precision-"), "{report:#}");
        assert_eq!(report["found"], report["expected"]);
    }
    assert!(refused(folder.path(), &[&check[..], &["--path", "guess"]].concat()).contains("guess"));
}

#[test]
fn a_narrower_dtype_than_stated_is_a_finding() {
    let folder = Folder::new();
    let status = run(
        folder.path(),
        &["table", "sinusoid", "--dim", "8", "--positions", "0..300", "--dtype", "f16", "--out", "pe.npy"],
    )
    .0;
    assert_eq!(status, 0);
    let (status, report) = judge(folder.path(), &[&SINUSOID[..], &["--dtype", "f32"]].concat());
    assert_eq!(
        (status, &report["grade"], &report["findings"][0]["code"]),
        (1, &json!("degraded"), &json!("low-precision-storage"))
    );
    assert_eq!(judge(folder.path(), &[&SINUSOID[..], &["--dtype", "f16"]].concat()).0, 0);
}

#[test]
fn values_that_are_not_finite_are_findings() {
    let folder = Folder::new();
    for value in [f64::NAN, f64::INFINITY] {
        let mut entries = paper(40);
        entries[8 * 17 + 3] = value;
        entries[8 * 30] = value;
        folder.write("pe.npy", &table(&entries, 8));
        let (status, report) = judge(folder.path(), &SINUSOID);
        assert_eq!((status, &report["grade"], &report["statistics"]["not_finite"]), (1, &json!("wrong"), &json!(2)));
        assert_eq!(report["findings"][0]["code"], "not-finite");
        assert_eq!(report["findings"][0]["detail"]["position"], 17);
    }
    folder.write("pe.npy", &table(&[f64::NAN; 80], 8));
    let (status, report) = judge(folder.path(), &SINUSOID);
    assert_eq!((status, &report["findings"][0]["code"]), (1, &json!("not-finite")));
    let (status, _) = judge(folder.path(), &["identify", "sinusoid", "--table", "pe.npy"]);
    assert_eq!(status, 1);
}

#[test]
fn input_that_cannot_be_judged_is_refused_by_name() {
    let folder = Folder::new();
    let good = table(&paper(40), 8);
    let write = |name: &str, bytes: &[u8]| drop(folder.write(name, bytes));
    let mut gigantic = b"\x93NUMPY\x02\x00".to_vec();
    gigantic.extend(u32::MAX.to_le_bytes());
    write("good.npy", &good);
    write("truncated.npy", &good[..good.len() - 5]);
    write("empty.npy", &[]);
    write("gigantic.npy", &gigantic);
    write("object.npy", &npy("'|O'", "False", "(5, 8)", &[0; 320]));
    write("integers.npy", &npy("'<i4'", "False", "(40, 8)", &[0; 1280]));
    write("mislabelled.npz", &good);
    write("mislabelled.safetensors", &good);
    write("mislabelled.npy", &safetensors("{}", &[]));
    write("text.csv", b"0,1");
    write("narrow.npy", &table(&paper(40), 16));
    write(
        "cache.safetensors",
        &safetensors(r#"{"cos":{"dtype":"F32","shape":[1,4],"data_offsets":[0,16]}}"#, &singles(0..4)),
    );
    let mut length = (1u64 << 40).to_le_bytes().to_vec();
    length.extend(b"{}");
    write("gigantic.safetensors", &length);
    let cases = [
        ("truncated.npy", "1275 bytes"),
        ("empty.npy", "header"),
        ("gigantic.npy", "4294967295 bytes"),
        ("object.npy", "'|O'"),
        ("integers.npy", "integers"),
        ("mislabelled.npz", "ZIP"),
        ("mislabelled.safetensors", "bytes"),
        ("mislabelled.npy", "NUMPY"),
        ("text.csv", "'.csv'"),
        ("narrow.npy", "16"),
        ("cache.safetensors:tan", "'tan'"),
        ("gigantic.safetensors", "1099511627776"),
        ("missing.npy", "missing.npy"),
        (".", "."),
    ];
    for (file, found) in cases {
        for verb in ["check", "identify"] {
            if verb == "identify" && file == "narrow.npy" {
                continue;
            }
            let check = [verb, "sinusoid", "--table", file];
            let arguments = if verb == "check" { [&check[..], &["--dim", "8"]].concat() } else { check.to_vec() };
            let message = refused(folder.path(), &arguments);
            let name = file.split(':').next().unwrap_or(file);
            for part in [name, found, "expected", "found"] {
                assert!(message.contains(part), "{file}: '{part}' is not in: {message}");
            }
        }
    }
    let rotation = ["check", "rotation", "--x", "good.npy", "--y", "narrow.npy", "--dim", "8"];
    assert!(refused(folder.path(), &rotation).contains("narrow.npy"));
    let rope = ["check", "rope", "--dim", "8"];
    assert!(refused(folder.path(), &rope).contains("--cos"));
    assert!(refused(folder.path(), &["check", "sinusoid", "--table", "good.npy"]).contains("--dim"));
}

#[test]
fn positions_must_be_one_for_each_row() {
    let folder = Folder::new();
    folder.write("pe.npy", &table(&paper(4), 8));
    let check = |positions: &str| refused(folder.path(), &[&SINUSOID[..], &["--positions", positions]].concat());
    assert!(check("0..3").contains("4"));
    assert!(check("0..9007199254740993").contains("2^53"));
    assert!(check("0,-1").contains("expected 2 rows, one for each position; found 4"));
    let files: [(&str, Vec<u8>, &str); 3] = [
        ("few.npy", integers(&[0, 1]), "found 4"),
        // Two sequences at the same positions, where the table has four rows.
        ("wide.npy", npy("'<i8'", "False", "(2, 2)", &[0; 32]), "expected 2 rows, one for each position; found 4"),
        ("cube.npy", npy("'<i8'", "False", "(2, 2, 2)", &[0; 64]), "[rows] or [sequences, rows]"),
    ];
    for (name, bytes, found) in files {
        folder.write(name, &bytes);
        let message = check(name);
        assert!(message.contains(found) && message.contains("expected"), "{message}");
    }
    // Rows in another order are judged as they are stated: this table has them in the order 0, 1, 2, 3.
    folder.write("negative.npy", &integers(&[0, 1, -2, 3]));
    folder.write("twice.npy", &integers(&[0, 1, 1, 2]));
    for positions in ["0,2,1,3", "0,1,1,2", "negative.npy", "twice.npy"] {
        let (status, report) = judge(folder.path(), &[&SINUSOID[..], &["--positions", positions]].concat());
        assert_eq!((status, &report["grade"]), (1, &"wrong".into()), "{positions}: {report:#}");
    }
    folder.write("right.npy", &integers(&[0, 1, 2, 3]));
    // The positions of one sequence, as `position_ids` have them.
    folder.write("row.npy", &table(&[0.0, 1.0, 2.0, 3.0], 4));
    for positions in ["right.npy", "row.npy"] {
        assert_eq!(judge(folder.path(), &[&SINUSOID[..], &["--positions", positions]].concat()).0, 0, "{positions}");
    }
}

#[test]
fn identify_says_what_it_found() {
    let folder = Folder::new();
    let convention = Convention { base: 123.into(), ..Convention::sinusoid(8) };
    let rows: Vec<u64> = (0..5000).collect();
    folder.write("pe.npy", &table(&Program::single(&convention).run(4, &rows).joined(&convention), 8));
    let (status, found) = judge(folder.path(), &["identify", "sinusoid", "--table", "pe.npy"]);
    assert_eq!((status, &found["confidence"], &found["convention"]["base"]), (0, &json!("established"), &json!(123)));
    let (status, out, _) = run(folder.path(), &["identify", "sinusoid", "--table", "pe.npy"]);
    assert!(status == 0 && out.contains("established") && out.contains("as arguments: --dim 8 --base 123"), "{out}");
}

#[test]
fn identify_takes_either_part_of_a_cache() {
    let folder = Folder::new();
    let table =
        ["table", "rope", "--dim", "64", "--base", "500000", "--positions", "0..5000", "--out", "r.safetensors"];
    assert_eq!(run(folder.path(), &table).0, 0);
    let (cos, sin) = (["--cos", "r.safetensors:cos"], ["--sin", "r.safetensors:sin"]);
    let identify = |parts: &[&str]| judge(folder.path(), &[&["identify", "rope"], parts].concat());
    let (status, both) = identify(&[cos, sin].concat());
    assert_eq!((status, &both["confidence"], &both["undetermined"]), (0, &json!("established"), &json!(["layout"])));
    let (status, found) = identify(&sin);
    assert_eq!((status, &found["confidence"]), (0, &json!("established")));
    assert_eq!(
        (&found["convention"], &found["undetermined"]),
        (&both["convention"], &json!(["amplitude-sign", "layout"]))
    );
    let (status, found) = identify(&cos);
    assert_eq!((status, &found["confidence"], &found["separating_position"]), (0, &json!("ambiguous"), &Value::Null));
    assert_eq!((&found["convention"], &found["undetermined"]), (&both["convention"], &json!(["direction", "layout"])));
    let directions: Vec<&Value> =
        found["remaining"].as_array().unwrap().iter().map(|convention| &convention["direction"]).collect();
    assert_eq!(directions, ["counter-clockwise", "clockwise"]);
    let text = |part: &[&str]| run(folder.path(), &[&["identify", "rope"], part].concat()).1;
    let out = text(&cos);
    assert!(out.contains("ambiguous: 2 conventions remain") && out.contains("do not tell the direction"), "{out}");
    assert!(out.contains("as arguments: --dim 64 --base 500000 --direction clockwise"), "{out}");
    assert!(text(&sin).contains("a clockwise rotation from a negative amplitude"));
    // Neither.
    let message = refused(folder.path(), &["identify", "rope"]);
    assert!(message.contains("--cos") && message.contains("--sin"), "{message}");
    assert!(refused(folder.path(), &["identify", "rope", "--cos", "r.safetensors:tan"]).contains("'tan'"));
}
