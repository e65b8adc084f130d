//! `posproof bound attention --accumulator` and `posproof compare`, run as the command line runs them.

use clap::{CommandFactory, Parser};
use posproof_command::{Failure, Outcome, Verb};
use std::path::{Path, PathBuf};

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

fn run(arguments: &[&str]) -> Result<Outcome, Failure> {
    let all = std::iter::once("posproof").chain(arguments.iter().copied());
    let parsed = Cli::try_parse_from(all).map_err(|error| Failure::Usage(error.to_string()))?;
    parsed.verb.run(Cli::command)
}

fn refused(arguments: &[&str], words: &str) {
    match run(arguments) {
        Err(Failure::Usage(message)) => assert!(message.contains(words), "{arguments:?}: {message}"),
        other => panic!("{arguments:?}: {other:?}"),
    }
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).expect("a folder");
    place
}

const ATTENTION: [&str; 6] = ["bound", "attention", "--dim", "64", "--dtype", "e4m3"];

#[test]
fn options_are_unique() {
    Cli::command().debug_assert();
}

#[test]
fn kernels_are_bounded_in_all_their_ways() {
    for more in [
        &["--accumulator", "hopper-fp8"][..],
        &["--accumulator", "round", "--order", "plain", "--logits", "bf16", "--output", "f32", "--json"],
        &["--accumulator", "ada-fp8", "--flush", "64", "--order", "online", "--tile", "64", "--mask", "causal"],
        &["--accumulator", "blackwell-fp8", "--rotated", "bf16", "--positions", "0..1000", "--rotation", "fused"],
    ] {
        assert_eq!(run(&[&ATTENTION[..], more].concat()).expect("bounds"), Outcome::Good, "{more:?}");
        let logits = ["bound", "logits", "--dim", "64", "--dtype", "e4m3"];
        assert_eq!(run(&[&logits[..], more].concat()).expect("bounds"), Outcome::Good, "{more:?}");
    }
}

#[test]
fn attention_of_scaled_blocks_is_bounded() {
    let fp4 = ["--dim", "64", "--dtype", "e2m1", "--keys", "256", "--accumulator", "blackwell-fp4"];
    let path = folder("scaled").join("w.safetensors").display().to_string();
    for more in [
        &["--mask", "causal", "--splits", "2"][..],
        &["--scales", "e8m0", "--order", "plain", "--logits", "bf16", "--flush", "64"],
        &["--scales", "e4m3", "--json", "--witness", &path],
    ] {
        for subject in ["attention", "logits"] {
            let more = if subject == "logits" { &more[..more.len() - 2] } else { more };
            let arguments = [&["bound", subject][..], &fp4, more].concat();
            assert_eq!(run(&arguments).expect("bounds"), Outcome::Good, "{more:?}");
        }
    }
    let bytes = std::fs::read(&path).expect("the witness");
    let header = String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned();
    for name in ["\"sum.weights.scales\"", "\"sum.values.scales\""] {
        assert!(header.contains(name), "{name}: {header}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let place = folder("refused");
    let file = |name: &str, text: &str| {
        std::fs::write(place.join(name), text).expect("written");
        place.join(name).display().to_string()
    };
    let none = file("none.json", r#"{"name": "x", "source": "y", "terms": 0, "fraction": 13, "result": 13}"#);
    let odd = file("odd.json", r#"{"name": "x", "source": "y", "terms": 4, "fraction": 13, "result": 13, "bits": 2}"#);
    let good = file("good.json", r#"{"name": "mine", "source": "measured", "terms": 8, "fraction": 20, "result": 20}"#);
    let with = |more: &[&str], words: &str| refused(&[&ATTENTION[..], more].concat(), words);
    with(&["--accumulator", "pascal"], "hopper-fp8");
    with(&["--accumulator", "missing.json"], "missing.json");
    with(&["--accumulator", &none], "terms of an instruction");
    with(&["--accumulator", &odd], "bits");
    with(&["--accumulator", "hopper-fp8", "--flush", "100"], "--flush 100: expected a multiple of 32");
    with(&["--accumulator", "hopper-fp8", "--order", "sin-cos"], "plain or online");
    with(&["--accumulator", "hopper-fp8", "--order", "plain", "--tile", "64"], "--order online only");
    with(&["--accumulator", "hopper-fp8", "--tile", "0"], "tile");
    with(&["--accumulator", "hopper-fp8", "--spread", "2"], "--spread with --accumulator");
    with(&["--accumulator", "hopper-fp8", "--softmax", "bf16"], "f32 or f64");
    with(&["--accumulator", "hopper-fp8", "--value", "1000"], "--value");
    with(&["--accumulator", "round", "--flush", "128"], "--flush");
    with(&["--accumulator", "blackwell-fp4"], "scales of e4m3 or e8m0");
    with(&["--accumulator", "hopper-fp8", "--scales", "e8m0"], "blackwell-fp4");
    let fp4 = ["bound", "attention", "--dim", "64", "--dtype", "e2m1", "--keys", "256"];
    let blocks =
        |more: &[&str], words: &str| refused(&[&fp4[..], &["--accumulator", "blackwell-fp4"], more].concat(), words);
    blocks(&["--scales", "e5m2"], "e4m3, e8m0");
    blocks(&["--weights", "e4m3"], "e2m1");
    blocks(&["--tile", "32"], "a multiple of 64");
    blocks(&["--rotated", "bf16"], "without scales of blocks");
    refused(&[&fp4[..], &["--scales", "e8m0"]].concat(), "--accumulator");
    with(&["--accumulator", "hopper", "--weights", "f64"], "f16, bf16");
    refused(&["bound", "attention", "--dim", "64", "--dtype", "f64", "--accumulator", "hopper"], "f16, bf16");
    with(&["--flush", "128"], "--accumulator");
    with(&[], "--dtype e4m3: expected f16, bf16, f32 or f64, or --accumulator");
    refused(&["bound", "rope", "--dim", "64", "--accumulator", "hopper"], "logits or attention only");
    refused(&["bound", "attention", "--dim", "64", "--order", "plain"], "--accumulator");
    refused(&["bound", "attention", "--dim", "64", "--weights", "e4m3"], "--accumulator");
    assert_eq!(run(&[&ATTENTION[..], &["--accumulator", &good]].concat()).expect("bounds"), Outcome::Good);
}

#[test]
fn witnesses_are_written_once() {
    let place = folder("witness");
    let path = place.join("w.safetensors").display().to_string();
    let arguments = [&ATTENTION[..], &["--accumulator", "hopper-fp8", "--keys", "256", "--witness", &path]].concat();
    assert_eq!(run(&arguments).expect("a witness"), Outcome::Good);
    let bytes = std::fs::read(&path).expect("the witness");
    let header = String::from_utf8_lossy(&bytes[..bytes.len().min(4000)]).into_owned();
    for name in
        ["\"q\"", "\"k\"", "\"v\"", "\"exact\"", "\"emulated\"", "\"sum.weights\"", "\"sum.values\"", "posproof"]
    {
        assert!(header.contains(name), "{name}: {header}");
    }
    refused(&arguments, "w.safetensors");
    assert_eq!(run(&[&arguments[..], &["--replace"]].concat()).expect("a witness"), Outcome::Good);
}

/// Inputs for `scripts/gpu-sums.py`, in the folder that POSPROOF_WITNESSES names.
#[test]
#[ignore = "writes files for a GPU into the folder that POSPROOF_WITNESSES names"]
fn witnesses_for_a_gpu() {
    let place = PathBuf::from(std::env::var("POSPROOF_WITNESSES").expect("POSPROOF_WITNESSES"));
    for (dtype, accumulator, keys, flush) in [
        ("e4m3", "hopper-fp8", "4096", None),
        ("e4m3", "hopper-fp8", "4096", Some("128")),
        ("e4m3", "hopper-fp8", "32768", None),
        ("e5m2", "hopper-fp8", "4096", None),
        ("f16", "hopper", "4096", None),
        ("bf16", "hopper", "4096", None),
    ] {
        let name = format!("{dtype}-{keys}-{}.safetensors", flush.unwrap_or("never"));
        let path = place.join(name).display().to_string();
        let mut arguments = vec!["bound", "attention", "--dim", "64", "--dtype", dtype, "--keys", keys];
        arguments.extend(["--accumulator", accumulator, "--witness", &path, "--replace"]);
        arguments.extend(flush.iter().flat_map(|flush| ["--flush", flush]));
        assert_eq!(run(&arguments).expect("a witness"), Outcome::Good);
    }
}

/// One number of binary64 of a safetensors file.
fn single(path: &Path, name: &str) -> f64 {
    let bytes = std::fs::read(path).expect("a file");
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).expect("a header");
    let start = 8 + length + header[name]["data_offsets"][0].as_u64().expect("an offset") as usize;
    f64::from_le_bytes(bytes[start..start + 8].try_into().expect("eight bytes"))
}

/// A NumPy array [1, 1] of binary64.
fn npy(x: f64) -> Vec<u8> {
    let text = format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(x.to_le_bytes());
    bytes
}

#[test]
fn two_kernels_are_compared_and_their_outputs_judged() {
    let place = folder("compared");
    let name = |file: &str| place.join(file).display().to_string();
    let bf16 = posproof_numerics::Element::Wide(posproof_numerics::format::Format::Bf16);
    let hopper = posproof_bound::Accumulator::named("hopper").expect("a row");
    let kernel = posproof_bound::Kernel::usual(bf16, posproof_bound::Adder::Truncated(hopper), 64, 4096);
    let plain = posproof_bound::Kernel { order: posproof_bound::Order::Plain, ..kernel.clone() };
    for (file, kernel) in [("a.json", &kernel), ("b.json", &plain)] {
        std::fs::write(name(file), serde_json::to_string(kernel).expect("JSON")).expect("written");
    }
    let [a, b, inputs] = ["a.json", "b.json", "d.safetensors"].map(&name);
    assert_eq!(run(&["compare", &a, &b, "--witness", &inputs]).expect("compared"), Outcome::Good);
    let outputs = ["emulated.a", "emulated.b"].map(|tensor| single(Path::new(&inputs), tensor));
    assert!(outputs[0] != outputs[1] && (outputs[0] - single(Path::new(&inputs), "exact")).abs() < 0.01);
    for (file, x) in
        [("x.npy", outputs[0]), ("y.npy", outputs[1]), ("wrong.npy", outputs[1] + 0.1), ("nan.npy", f64::NAN)]
    {
        std::fs::write(name(file), npy(x)).expect("written");
    }
    let judged = |other: &str| {
        let [x, y] = ["x.npy", other].map(&name);
        run(&["compare", &a, &b, "--inputs", &inputs, "--outputs", &x, &y, "--json"]).expect("judged")
    };
    assert_eq!(judged("y.npy"), Outcome::Good);
    assert_eq!(judged("wrong.npy"), Outcome::FallsShort);
    assert_eq!(judged("nan.npy"), Outcome::FallsShort);
    refused(&["compare", &a, &inputs], "expected what posproof bound attention");
    refused(&["compare", &a, &b, "--inputs", &inputs], "--outputs");
}
