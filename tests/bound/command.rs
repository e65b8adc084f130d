//! `posproof bound`: words, table, JSON, the inverse question, refusals.

use assert_cmd::Command;
use serde_json::Value;

/// Exit status, standard output, standard error.
fn run(arguments: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("posproof").expect("the binary");
    let output = command.arg("bound").args(arguments.split_whitespace()).output().expect("the command runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit status"), text(output.stdout), text(output.stderr))
}

#[test]
fn json_follows_its_schema() {
    let (status, out, err) =
        run("sinusoid --dim 512 --positions 0..512 --pairs 1 --component sin --ulp 0.5 --worst --json");
    assert_eq!((status, err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!(document["schema"], "posproof.bound/1");
    let case = &document["cases"][0];
    assert_eq!((&case["format"], &case["path"]), (&Value::from("f32"), &Value::from("rounded")));
    assert_eq!((&case["pair"], &case["component"]), (&Value::from(1), &Value::from("sin")));
    assert_eq!(case["positions"], serde_json::json!([0, 512]));
    assert_eq!(case["origin"]["a_priori"], "theorem rounding_path_rounded");
    assert_eq!((&case["worst"]["error"], &case["worst"]["position"]), (&Value::from("2.5047e-05"), &Value::from(495)));
    assert!(case["worst"]["exact"]["lower"].is_string() && case["worst"]["got"].is_string());
    let ratio = case["ratio"].as_f64().expect("a ratio");
    assert!((1.0..1.3).contains(&ratio));
    let bound: f64 = case["instance"].as_str().and_then(|bound| bound.parse().ok()).expect("a decimal");
    assert!(bound >= 2.5047e-5);
}

#[test]
fn a_pair_that_is_named_twice_is_refused() {
    for question in
        ["rope --dim 8 --pairs 0,0", "rotation --dim 8 --pairs 2,1,2", "rope --dim 8 --axis h:0..4 --pairs 1,1"]
    {
        let (status, out, err) = run(&format!("{question} --positions 0..9"));
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("--pairs") && err.contains("twice: expected each pair once"), "{err}");
    }
}

/// The document of `bound`, and its instance bound over all positions.
fn answered(arguments: &str) -> (Value, f64) {
    let (status, out, err) = run(&format!("{arguments} --json"));
    assert_eq!((status, err.as_str()), (0, ""), "{arguments}");
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    posproof_schema::validate(&document);
    let whole = document["cases"].as_array().and_then(|cases| cases.last()).expect("a case");
    let bound = whole["instance"].as_str().and_then(|bound| bound.parse().ok()).expect("a decimal");
    (document, bound)
}

/// Fused products are those of dot products; a rotation is fused where that is said of it, and both stand in the answer.
#[test]
fn products_and_rotations_are_fused_apart() {
    let logits = "logits --dim 128 --dtype bf16 --positions 0..4096";
    let fused = |document: &Value| document["attention"]["rotation"]["fused"] == true;
    let (plain, of_plain) = answered(logits);
    let (products, of_products) = answered(&format!("{logits} --products fused"));
    let (rotation, of_rotation) = answered(&format!("{logits} --rotation fused"));
    let (_, of_both) = answered(&format!("{logits} --rotation fused --products fused"));
    assert_eq!([&plain, &products, &rotation].map(fused), [false, false, true]);
    assert_eq!(products["attention"]["scores"]["products"], "fused");
    assert!(of_rotation < 0.9 * of_plain && (of_products / of_plain - 1.0).abs() < 0.01, "{of_products} {of_plain}");
    assert!((of_both / of_rotation - 1.0).abs() < 0.01, "{of_both} {of_rotation}");
    for subject in ["rotation --pairs 1", "score"] {
        let question = format!("{subject} --dim 128 --dtype bf16 --positions 0..4096");
        let ((document, plain), (_, fused)) = (answered(&question), answered(&format!("{question} --rotation fused")));
        assert_eq!(document["rotation"]["fused"], false, "{document}");
        assert!(fused < plain, "{question}: {fused} {plain}");
        let (_, words, _) = run(&format!("{question} --rotation fused"));
        assert!(words.contains("rotated in bf16 with fused multiply-adds"), "{words}");
    }
}

/// A score is summed in a format that can be stated, and is said.
#[test]
fn the_format_of_a_score_s_sums_is_stated_and_said() {
    let score = "score --dim 128 --dtype bf16 --positions 0..4096";
    let ((narrow, large), (wide, small)) = (answered(score), answered(&format!("{score} --accumulate f32")));
    assert_eq!((&narrow["sums"], &wide["sums"]), (&"bf16".into(), &"f32".into()));
    assert!(0.5 < large && large < 0.6 && small < 0.03, "{large} {small}");
    let (_, words, _) = run(score);
    assert!(words.contains("products and sums in bf16, in any order"), "{words}");
    let (status, _, err) = run("rotation --dim 128 --accumulate f32");
    assert!(status == 2 && err.contains("--accumulate: expected with score, logits or attention only"), "{err}");
    let (status, _, err) = run("rope --dim 128 --rotation fused");
    assert!(
        status == 2 && err.contains("--rotation: expected with rotation, score, logits or attention only"),
        "{err}"
    );
}

/// Products of bf16 factors underflow in f32 where vectors are short: 7.927e-45 occurs, and half a smallest number for each term is counted.
#[test]
fn what_underflow_takes_of_exact_products_is_counted() {
    let short =
        "--dim 128 --dtype bf16 --positions 0..1 --query-length 2.9948e-22 --key-length 2.9948e-22 --keys 2 --json";
    let (status, out, err) = run(&format!("logits {short}"));
    assert_eq!((status, err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    let bound: f64 = document["cases"][0]["instance"].as_str().and_then(|bound| bound.parse().ok()).expect("a decimal");
    assert!((7.927e-45..1.5e-44).contains(&bound), "{bound:e}");
}

/// The bound that holds but for few cases is never above the one that holds in all of them.
#[test]
fn what_is_probable_is_no_worse_than_what_is_certain() {
    let mut certain = 0;
    for dim in [2, 4, 8, 128] {
        for subject in ["logits", "attention"] {
            let question = format!("{subject} --dim {dim} --positions 0..300 --dtype bf16 --keys 16");
            let (status, out, err) = run(&format!("{question} --json"));
            assert_eq!((status, err.as_str()), (0, ""));
            let document: Value = serde_json::from_str(&out).expect("one JSON document");
            let figure = |value: &Value| value.as_str().and_then(|text| text.parse::<f64>().ok()).expect("a decimal");
            let whole = document["cases"].as_array().and_then(|cases| cases.last()).expect("a case");
            let (probable, instance) = (&document["probabilistic"], figure(&whole["instance"]));
            assert!(figure(&probable["bound"]) <= instance, "{question}: {probable} {instance}");
            if figure(&probable["bound"]) == instance {
                certain += 1;
                assert_eq!(probable["origin"], whole["origin"]["instance"]);
                let (_, words, _) = run(&question);
                assert!(words.contains("nothing: the bound that holds in every case is no larger"), "{words}");
            }
        }
    }
    assert!(certain > 0 && certain < 8, "{certain}");
}

#[test]
fn a_certificate_has_a_name_that_coq_can_compile() {
    let folder = tempfile::tempdir().expect("a directory");
    for name in ["a-b.v", "1a.v", "bound.txt", ".v", "a.b.v", "a b.v", "V"] {
        let path = folder.path().join(name);
        let mut command = Command::cargo_bin("posproof").expect("the binary");
        let bound = ["bound", "rope", "--dim", "4", "--ulp", "0.5", "--positions", "0..9", "--certificate"];
        let output = command.args(bound).arg(&path).output().expect("the command runs");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {err}");
        assert!(err.contains(&format!("found the name '{name}'; expected letters")), "{err}");
        assert!(!path.exists());
    }
}

#[test]
fn words_and_table() {
    // From 2 ulp on a library may leave [−1, 1], of which the theorem of the path does not speak.
    for (ulp, origin) in [("1", "rounding_path_exp_log"), ("2", "theorem rounding_table_beyond_one, applied to")] {
        let (status, out, err) = run(&format!("rope --dim 128 --base 500000 --path exp --ulp {ulp}"));
        assert_eq!((status, err.as_str()), (0, ""));
        for part in ["At positions 0..131072", origin, "100000..131072", "a priori", "pair"] {
            assert!(out.contains(part), "{part}: {out}");
        }
    }
}

#[test]
fn the_inverse_question() {
    let (status, out, err) = run("rope --dim 128 --base 500000 --error 1e-3 --pairs 0,1,63 --json");
    assert_eq!((status, err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    let largest = |case: usize, kind: &str| document["cases"][case]["largest_position"][kind].as_u64();
    // Pair 0 has exact angles; pair 1 loses its third digit after some thousand positions.
    assert_eq!(largest(0, "instance"), Some((1 << 24) - 1));
    assert!(largest(2, "instance").expect("a position") < 131071);
    assert!(largest(2, "a_priori") <= largest(2, "instance"));
    // Pair 63 keeps it as long as binary32 has every position.
    assert_eq!(largest(4, "instance"), Some((1 << 24) - 1));
    let (_, out, _) = run("rope --dim 128 --error 1e-30");
    assert!(out.contains("at no position"), "{out}");
    let (_, out, _) = run("rope --dim 128 --error 0.5 --positions 0..4096");
    assert!(out.contains("at all of 0..4096") && !out.contains("first to leave"), "{out}");
    // Counted from the first position that was asked about, not from 0.
    let (_, out, _) = run("rope --dim 128 --error 1e-3 --positions 16000..131072 --pairs 3 --component sin --json");
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    let reach = document["cases"][0]["largest_position"]["instance"].as_u64().expect("a position");
    let (_, out, _) = run("rope --dim 128 --error 1e-3 --pairs 3 --component sin --json");
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!(document["cases"][0]["largest_position"]["instance"].as_u64(), Some(reach));
    assert!((16000..131071).contains(&reach));
}

#[test]
fn the_words_are_about_every_pair() {
    // The largest error is that of pair 2, which is not among nine evenly spread ones.
    let (_, out, _) = run("rope --dim 128 --base 500000 --worst --positions 0..4096");
    let (_, all, _) = run("rope --dim 128 --base 500000 --positions 0..4096 --json");
    let document: Value = serde_json::from_str(&all).expect("one JSON document");
    let cases = document["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 128);
    let bound = |case: &Value| case["instance"].as_str().and_then(|text| text.parse::<f64>().ok()).expect("a decimal");
    let largest = cases.iter().max_by(|a, b| bound(a).total_cmp(&bound(b))).expect("a case");
    assert!(out.contains("no entry of the table is wrong by more than"), "{out}");
    assert!(out.contains(largest["instance"].as_str().expect("a decimal")), "{out}");
    assert!(out.contains("--pairs shows others") && out.contains("correctly rounded sine and cosine"), "{out}");
    let (_, out, _) = run("rope --dim 128 --scaling proportional --partial-rotary-factor 0.25");
    assert!(out.contains("these 16 pairs"), "{out}");
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    for (arguments, expected) in [
        ("rope --dim 128 --ulp -1", "0.5 (correct rounding)"),
        ("rope --dim 127", "even dimension"),
        ("rope --dim 128 --base 1", "a finite real number > 1"),
        (
            "rope --dim 128 --dtype f16 --angle f16 --positions 0..70000",
            "positions: 0..70000; expected positions within 0..65505, which f16 holds",
        ),
        ("rope --dim 128 --position-offset -5", "expected positions within 5.."),
        ("rope --dim 128 --base -3", "a finite real number > 1"),
        ("score --dim 128 --positions=-1,127", "expected with one axis and whole positions"),
        (
            "rope --dim 128 --scaling dynamic --factor 4 --original-max-position-embeddings 4096 --error 1e-3",
            "expected --positions or --sequence-length",
        ),
        ("rope --dim 1000000", "500000 pairs: expected --pairs where there are more than 65536"),
        ("score --dim 128 --pairs 1", "a score takes all pairs"),
        ("rotation --dim 128 --component sin", "expected with sinusoid or rope only"),
        ("rope --dim 128 --pairs 64", "0 to 63"),
        ("rope --dim 128 --angle f32 --frequency-format f64", "--frequency-format f64: expected a format"),
        ("rope --dim 128 --error 0", "a number > 0"),
        ("rope --dim 128 --path exp --angle-scale 2", "the path 'rounded' has no such limit"),
        ("rope", "no dimension"),
        ("rope --dim 128 --path exq", "did you mean exp?"),
    ] {
        let (status, out, err) = run(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments}: {err}");
        assert!(err.contains(expected), "{arguments}: {err}");
    }
}

#[test]
fn rotations_and_scores() {
    let (status, out, err) = run("rotation --dim 128 --pairs 1,40 --positions 0..4096 --json");
    assert_eq!((status, err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!((&document["schema"], &document["subject"]), (&"posproof.bound/1".into(), &"rotation".into()));
    assert_eq!(document["cases"].as_array().map(Vec::len), Some(10), "four decades and the whole, twice");
    let (status, out, _) = run("score --dim 128 --positions 0..4096");
    assert!(status == 0 && out.contains("rounding_unit_score") && out.contains("1000..4096"), "{out}");
    let (status, _, err) = run("score --dim 128 --worst");
    assert!(status == 2 && err.contains("sinusoid or rope"), "{err}");
}
