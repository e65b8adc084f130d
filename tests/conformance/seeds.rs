//! The seeds of the fuzz targets in `fuzz/seeds`: well-formed inputs, so that a short run starts behind the first checks.

use crate::corpus::*;
use crate::damage;
use posproof::encoding::convention::Convention;
use posproof::encoding::model::{Model, Stated};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const CONFIGURATIONS: [(&str, &str); 4] = [
    (
        "llama3",
        r#"{"model_type":"llama","hidden_size":64,"num_attention_heads":2,"rope_theta":500000.0,"max_position_embeddings":16384,"rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":8192}}"#,
    ),
    (
        "yarn",
        r#"{"model_type":"stablelm","hidden_size":64,"num_attention_heads":2,"rope_parameters":{"rope_type":"yarn","rope_theta":1e4,"factor":4,"original_max_position_embeddings":4096,"truncate":false},"partial_rotary_factor":0.5}"#,
    ),
    (
        "longrope",
        r#"{"model_type":"llama","head_dim":4,"max_position_embeddings":8192,"original_max_position_embeddings":4096,"rope_scaling":{"type":"longrope","short_factor":[1,2.5],"long_factor":[3,4]}}"#,
    ),
    ("convention", r#"{"encoding":"sinusoid","dim":8,"base":123.5,"amplitude":"sqrt(2/64)","position_offset":-2}"#),
];

/// Questions of the target `values` to a pair of arrays: whether they conform, and what they are.
const QUESTIONS: [(&str, u8); 2] = [("cache", 1), ("identify", 22)];

/// The question, cosines, then sines, 8 wide.
fn numbers(question: u8) -> Vec<u8> {
    let (cos, sin) = Program::exact(&Convention::rope(16)).run(8, &(0..24).collect::<Vec<_>>()).apart();
    let numbers = cos.iter().chain(&sin).flat_map(|x| (*x as f32).to_le_bytes());
    std::iter::once(question).chain(numbers).collect()
}

/// Target, name and bytes of each seed.
fn seeds() -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for (i, ((extension, _), bytes)) in damage::seeds().into_iter().enumerate() {
        all.insert(Path::new(extension).join(format!("{i}.{extension}")), bytes);
    }
    for (name, text) in CONFIGURATIONS {
        all.insert(Path::new("configuration").join(format!("{name}.json")), text.as_bytes().to_vec());
    }
    for (name, question) in QUESTIONS {
        all.insert(Path::new("values").join(name), numbers(question));
    }
    all
}

#[test]
fn the_seeds_are_what_is_committed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    for (path, bytes) in seeds() {
        let path = folder.join(path);
        if std::env::var_os("POSPROOF_WRITE_SEEDS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        let found = std::fs::read(&path).unwrap_or_default();
        assert!(found == bytes, "{} is not its seed: set POSPROOF_WRITE_SEEDS and repeat the test", path.display());
    }
}

#[test]
fn configurations_that_are_seeds_are_well_formed() {
    for (name, text) in CONFIGURATIONS {
        let good = if name == "convention" {
            serde_json::from_str::<Convention>(text).is_ok_and(|convention| convention.validate().is_ok())
        } else {
            Model::read(text, &Stated::default()).is_ok()
        };
        assert!(good, "{name}");
    }
}
