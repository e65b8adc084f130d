//! `posproof bound --graph`: programs that are read and not stated.

use super::{json, refused, run};
use posproof_schema::validate;
use serde_json::Value;
use std::fs;
use std::path::Path;

const GRAPHS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/bound/tests/graphs");

fn graph(name: &str) -> String {
    format!("{GRAPHS}/{name}.json")
}

#[test]
fn a_graph_answers_as_the_options_that_state_its_program() {
    let llama = graph("llama");
    let read = json(&["bound", "--graph", &llama, "--positions", "0..300", "--ulp", "2", "--json"]);
    validate(&read);
    assert_eq!(read["graph"]["tracer"], "PyTorch 2.15.0");
    let stated = [
        "bound",
        "rope",
        "--dim",
        "128",
        "--path",
        "pow",
        "--dtype",
        "bf16",
        "--positions",
        "0..300",
        "--ulp",
        "2",
        "--json",
    ];
    assert_eq!(read["cases"], json(&stated)["cases"]);
    let (status, out, _) = run(&["bound", "score", "--graph", &llama, "--positions", "0..300"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("programs.py:llama, traced by PyTorch 2.15.0: 16 operations"), "{out}");
    // A table has positions of its own.
    let table = json(&["bound", "--graph", &graph("tutorial"), "--pairs", "1", "--worst", "--json"]);
    validate(&table);
    assert_eq!(table["cases"][0]["positions"], serde_json::json!([0, 300]));
    assert!(table["cases"][0]["ratio"].as_f64().is_some_and(|ratio| ratio >= 1.0), "{table}");
}

#[test]
fn graphs_follow_their_schema() {
    for file in fs::read_dir(GRAPHS).expect("graphs") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("a graph");
        validate(&serde_json::from_str::<Value>(&text).expect("JSON"));
    }
}

#[test]
fn what_is_no_program_of_a_theorem_is_refused_by_name() {
    let here = Path::new(".");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("graph.json");
    let written = |text: &str| {
        fs::write(&path, text).expect("written");
        refused(here, &["bound", "--graph", path.to_str().expect("a name")])
    };
    let text = fs::read_to_string(graph("llama")).expect("a graph");
    let error = written(&text.replace("aten.cos.default", "aten.tan.default"));
    assert!(error.contains("programs.py:llama: operation 'cos' (aten.tan.default)"), "{error}");
    assert!(error.contains("state the program by options"), "{error}");
    let error = written(&text.replace("aten.cos.default", "aten.sin.default"));
    assert!(error.contains("the first output: found entries that are no cosines"), "{error}");
    for (text, named) in [("", "expected a graph of the schema"), ("{}", "missing field"), (&text[..900], "EOF")] {
        let error = written(text);
        assert!(error.contains(named), "{error}");
    }
    let error = written(&text.replace("posproof.graph/1", "posproof.graph/9"));
    assert!(error.contains("expected posproof.graph/1"), "{error}");
    let error = refused(here, &["bound", "--graph", "no-such-file.json"]);
    assert!(error.contains("no-such-file.json: cannot be read"), "{error}");
    let llama = graph("llama");
    for stated in
        [["--dim", "128"], ["--path", "pow"], ["--dtype", "bf16"], ["--scaling", "linear"], ["--config", "c.json"]]
    {
        let error = refused(here, &["bound", "--graph", &llama, stated[0], stated[1]]);
        assert!(error.contains(stated[0]), "{error}");
    }
    let error = refused(here, &["bound", "--graph", &graph("gptj"), "--positions", "0..4096"]);
    assert!(error.contains("0..2048, which the graph has"), "{error}");
    let (status, _, error) = run(&["bound", "--module", "rope.py:rotary"]);
    assert_eq!(status, 4);
    assert!(error.contains("python -m posproof bound --module rope.py:rotary"), "{error}");
}
