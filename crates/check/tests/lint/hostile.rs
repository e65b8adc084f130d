//! GGUF files that are right, damaged or made to do harm.

use super::file::{GgufFile, Stored, text, weights};
use posproof_check::InvalidInput;
use posproof_check::read::gguf::{Gguf, MetadataValue};
use posproof_numerics::format::Format;
use std::fs;

fn open(bytes: &[u8]) -> Result<Gguf, InvalidInput> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gguf");
    fs::write(&path, bytes).unwrap();
    Gguf::open(&path)
}

fn refused(bytes: &[u8]) -> InvalidInput {
    open(bytes).expect_err("a refusal")
}

fn model() -> GgufFile {
    let rows = weights(8, 64, 1);
    GgufFile::new("gpt-oss")
        .u32("gpt-oss.context_length", 4096)
        .f32("gpt-oss.rope.freq_base", 150_000.0)
        .i32s("gpt-oss.rope.dimension_sections", &[16, 24, 24, 0])
        .value("general.some_flag", 7, &[1])
        .text("general.name", "a model")
        .matrix("blk.0.attn_q.weight", &rows, Stored::F32)
        .matrix("blk.0.attn_k.weight", &rows, Stored::Q8_0)
}

#[test]
fn metadata_and_tensors_are_read() {
    for version in [2, 3] {
        let gguf = open(&model().version(version).bytes()).unwrap();
        assert_eq!(gguf.get("gpt-oss.rope.freq_base"), Some(&MetadataValue::Float(150_000.0, Format::F32)));
        assert_eq!(gguf.get("gpt-oss.context_length"), Some(&MetadataValue::Integer(4096)));
        assert_eq!(gguf.get("general.some_flag"), Some(&MetadataValue::Bool(true)));
        let sections = [16, 24, 24, 0].map(MetadataValue::Integer).to_vec();
        assert_eq!(gguf.get("gpt-oss.rope.dimension_sections"), Some(&MetadataValue::List(sections)));
        assert_eq!(gguf.tensors().count(), 2);
        assert!(gguf.rows("blk.1.attn_q.weight").unwrap().is_none());
    }
}

/// Every entry of a stored matrix is within the allowance of its original, and no allowance is vacuous.
#[test]
fn rows_are_those_that_were_written() {
    let originals = weights(5, 96, 7);
    for stored in [Stored::F32, Stored::F16, Stored::Bf16, Stored::Q8_0] {
        let file = GgufFile::new("llama").matrix("blk.0.attn_q.weight", &originals, stored);
        let gguf = open(&file.bytes()).unwrap();
        let matrix = gguf.rows("blk.0.attn_q.weight").unwrap().unwrap();
        assert_eq!((matrix.rows(), matrix.width()), (5, 96));
        let mut row = Vec::new();
        for (number, original) in originals.iter().enumerate() {
            matrix.read(number, 96, &mut row).unwrap();
            let original: Vec<f64> = original.iter().map(|x| f64::from(*x)).collect();
            let allowed = matrix.allowance(&original);
            for ((x, y), d) in row.iter().zip(&original).zip(&allowed) {
                assert!((x - y).abs() <= *d && *d < 1e-3, "{stored:?}: {x} for {y}, allowed {d}");
            }
        }
        assert!(matrix.read(5, 96, &mut row).is_err());
    }
}

/// The derivation of the allowance of Q8_0 at its worst: steps at all magnitudes, subnormal scales included.
#[test]
fn the_allowance_of_q8_0_holds_at_every_magnitude() {
    for exponent in -30..12 {
        let scale = 2f32.powi(exponent);
        let rows: Vec<Vec<f32>> =
            weights(4, 64, 3).into_iter().map(|row| row.into_iter().map(|x| x * 20.0 * scale).collect()).collect();
        let file = GgufFile::new("llama").matrix("t", &rows, Stored::Q8_0);
        let gguf = open(&file.bytes()).unwrap();
        let matrix = gguf.rows("t").unwrap().unwrap();
        let mut row = Vec::new();
        for (number, original) in rows.iter().enumerate() {
            matrix.read(number, 64, &mut row).unwrap();
            let original: Vec<f64> = original.iter().map(|x| f64::from(*x)).collect();
            let allowed = matrix.allowance(&original);
            assert!(row.iter().zip(&original).zip(&allowed).all(|((x, y), d)| (x - y).abs() <= *d), "2^{exponent}");
        }
    }
}

/// Every cut of a file is refused or, where only padding is lost, read; none panics.
#[test]
fn truncated_files_are_refused_with_the_place() {
    let bytes = model().bytes();
    let header = bytes.len() - 8 * 64 * 4 - 8 * 68;
    for length in 0..header - 32 {
        let error = refused(&bytes[..length]);
        assert!(error.place.contains("byte"), "{error}");
        assert!(!error.expected.is_empty() && !error.found.is_empty() && !error.advice.is_empty());
    }
    let cut = bytes.windows(9).position(|w| w == b"freq_base").unwrap() + 14;
    let error = refused(&bytes[..cut]);
    assert!(error.place.contains("'gpt-oss.rope.freq_base'"), "{error}");
    let error = refused(&bytes[..bytes.len() - 1]);
    assert!(error.place.contains("tensor 'blk.0.attn_k.weight'"), "{error}");
}

/// A file that is damaged in any byte is read or refused.
#[test]
fn damaged_files_never_panic() {
    let bytes = model().bytes();
    for at in 0..bytes.len().min(600) {
        for flip in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            if let Ok(gguf) = open(&damaged) {
                let names: Vec<String> = gguf.tensors().map(|(name, _)| name.to_owned()).collect();
                for name in names {
                    let mut row = Vec::new();
                    let _ = gguf.rows(&name).map(|rows| rows.map(|rows| rows.read(0, 64, &mut row)));
                }
            }
        }
    }
}

/// The numbers of tensors and entries, in place of those that a header has.
fn declaring(tensors: u64, entries: u64) -> Vec<u8> {
    let mut bytes = model().bytes();
    bytes[8..16].copy_from_slice(&tensors.to_le_bytes());
    bytes[16..24].copy_from_slice(&entries.to_le_bytes());
    bytes
}

#[test]
fn no_count_is_believed() {
    for count in [1 << 60, u64::MAX, 1 << 17] {
        for bytes in [declaring(count, 6), declaring(2, count)] {
            let error = refused(&bytes);
            assert!(error.place.contains("the header") && error.found.contains(&count.to_string()), "{error}");
        }
    }
    // More entries than there are, but not absurdly many.
    assert!(refused(&declaring(2, 60_000)).place.contains("metadata entry"));
    assert!(refused(&declaring(60_000, 6)).place.contains("tensor"));
}

#[test]
fn long_texts_and_lists_are_passed_over_or_refused() {
    let list = |kind: u32, count: u64| [kind.to_le_bytes().as_slice(), &count.to_le_bytes()].concat();
    for (kind, bytes) in [
        (8, (1u64 << 60).to_le_bytes().to_vec()),
        (8, u64::MAX.to_le_bytes().to_vec()),
        (9, list(4, 1 << 60)),
        (9, list(8, 1 << 60)),
        (9, list(9, u64::MAX)),
        (9, list(6, u64::MAX / 2)),
    ] {
        let error = refused(&GgufFile::new("llama").value("llama.rope.x", kind, &bytes).bytes());
        assert!(error.place.contains("'llama.rope.x'") && error.found.contains("to the end of the file"), "{error}");
    }
    // A vocabulary is skipped: what follows it is read, and nothing of it is kept.
    let words: Vec<u8> = (0..100_000).flat_map(|i| text(&format!("word{i}"))).collect();
    let vocabulary = [list(8, 100_000), words].concat();
    let file = GgufFile::new("llama")
        .value("tokenizer.ggml.tokens", 9, &vocabulary)
        .text("tokenizer.chat_template", &"x".repeat(100_000))
        .u32("llama.context_length", 7);
    let gguf = open(&file.bytes()).unwrap();
    assert_eq!(gguf.get("tokenizer.ggml.tokens"), Some(&MetadataValue::Long(100_000)));
    assert_eq!(gguf.get("tokenizer.chat_template"), Some(&MetadataValue::Long(100_000)));
    assert_eq!(gguf.get("llama.context_length"), Some(&MetadataValue::Integer(7)));
}

#[test]
fn lists_within_lists_have_a_limit() {
    let nested = |depth: usize| {
        let mut bytes = Vec::new();
        for _ in 0..depth {
            bytes.extend(9u32.to_le_bytes());
            bytes.extend(1u64.to_le_bytes());
        }
        bytes.extend(0u32.to_le_bytes());
        bytes.extend(1u64.to_le_bytes());
        bytes.push(5);
        GgufFile::new("llama").value("llama.x", 9, &bytes).bytes()
    };
    assert!(open(&nested(2)).is_ok());
    for depth in [5, 100, 100_000] {
        assert!(refused(&nested(depth)).expected.contains("lists within each other"));
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let repeated = GgufFile::new("llama").u32("llama.x", 1).u32("llama.x", 2);
    assert!(refused(&repeated.bytes()).found.contains("'llama.x' twice"));
    assert!(refused(&GgufFile::new("llama").value("llama.x", 13, &[0; 8]).bytes()).expected.contains("type"));
    assert!(refused(&GgufFile::new("llama").value("llama.x", 7, &[2]).bytes()).expected.contains("truth"));
    assert!(
        refused(
            &GgufFile::new("llama")
                .value("llama.x", 8, &[[2, 0, 0, 0, 0, 0, 0, 0].as_slice(), &[0xff, 0xfe]].concat())
                .bytes()
        )
        .expected
        .contains("UTF-8")
    );
    assert!(refused(&GgufFile::new("llama").u32("general.alignment", 0).bytes()).place.contains("alignment"));
    assert!(refused(&model().version(1).bytes()).found.contains("version 1"));
    assert!(refused(&model().version(3u32.swap_bytes()).bytes()).advice.contains("little-endian"));
    assert!(refused(b"GGML").expected.contains("GGUF"));
    let twice = model().vector("t", &[1.0]).vector("t", &[1.0]);
    assert!(refused(&twice.bytes()).found.contains("'t' twice"));
    let folder = tempfile::tempdir().unwrap();
    assert!(Gguf::open(folder.path()).is_err());
}

/// Dimensions whose product, or whose end, no file has: refused with the header. What no matrix has: where it is read.
#[test]
fn no_tensor_reaches_beyond_the_file() {
    let file = |dimensions: &[u64], kind| GgufFile::new("llama").tensor("t", dimensions, kind, vec![0; 64]).bytes();
    for (dimensions, kind) in
        [(&[1u64 << 40, 1 << 40][..], 0), (&[u64::MAX, 2], 0), (&[64, 1 << 50], 8), (&[4, 4, 4], 0)]
    {
        let error = refused(&file(dimensions, kind));
        assert!(error.place == "tensor 't'", "{error}");
    }
    for (dimensions, kind) in [(&[0u64, 4][..], 0), (&[33, 1], 8), (&[2, 2, 2], 0), (&[32, 2], 12), (&[32, 2], 99)] {
        let error = open(&file(dimensions, kind)).unwrap().rows("t").expect_err("a refusal");
        assert!(error.file.ends_with(":t"), "{error}");
    }
}

/// Seed of the fuzz target.
#[test]
fn the_seed_is_what_is_committed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/gguf/model.gguf");
    let bytes = model().bytes();
    if std::env::var_os("POSPROOF_WRITE_SEEDS").is_some() {
        fs::create_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
        fs::write(path, &bytes).unwrap();
    }
    assert!(fs::read(path).unwrap_or_default() == bytes, "set POSPROOF_WRITE_SEEDS and repeat the test");
}
