//! GGUF files: the header, the rows of every tensor, and what they declare beside a configuration.
#![no_main]

use posproof_check::lint::Lint;
use posproof_check::read::gguf::Gguf;
use posproof_encoding::convention::Convention;
use posproof_encoding::model::{LayerKind, Model, Rotation, SoftmaxScale};
use std::fs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("posproof-fuzz-{}.gguf", std::process::id()));
    fs::write(&path, bytes).expect("written");
    let Ok(gguf) = Gguf::open(&path) else { return };
    let names: Vec<String> = gguf.tensors().map(|(name, _)| name.to_owned()).collect();
    for name in names {
        if let Ok(Some(rows)) = gguf.rows(&name) {
            let mut out = Vec::new();
            let _ = rows.read(rows.rows() - 1, 64, &mut out);
        }
    }
    let rotation = Rotation { convention: Convention::rope(64), values: Vec::new(), sections: Vec::new() };
    let name = "all".to_owned();
    let kind = LayerKind { name, layers: Vec::new(), rotation: Some(rotation), softmax: SoftmaxScale::Usual };
    let model = Model { model_type: None, part: None, measured_on: None, kinds: vec![kind], notes: Vec::new() };
    let mut lint = Lint::new("config.json", model, 1e-2);
    let _ = lint.compare_gguf(&gguf);
    let _ = lint.to_string();
});
