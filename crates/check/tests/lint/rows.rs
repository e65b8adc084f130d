//! The order of rows, decided from a converted matrix and its original.

use super::file::{GgufFile, Stored, safetensors, to_neighbours, weights};
use posproof_check::lint::{Arrangement, Decision, Heads, decide};
use posproof_check::read;
use posproof_check::read::gguf::Gguf;

const HEAD: usize = 16;

/// Decisions on these rows, beside the original.
fn decided(converted: &[Vec<f32>], original: &[Vec<f32>], stored: Stored) -> Decision {
    let folder = tempfile::tempdir().unwrap();
    let path = GgufFile::new("llama").matrix("q", converted, stored).write(folder.path(), "m.gguf");
    let shape = vec![original.len(), original[0].len()];
    let file = safetensors(folder.path(), "m.safetensors", &[("q", shape, original.concat(), Stored::Bf16)]);
    let gguf = Gguf::open(&path).unwrap();
    let matrix = gguf.rows("q").unwrap().unwrap();
    let array = read::open(&format!("{}:q", file.display())).unwrap();
    let heads = Heads { rows: HEAD, rotary: HEAD, mistaken: [Some(2 * HEAD), Some(HEAD)] };
    decide(&matrix, &array, heads).unwrap().unwrap()
}

#[test]
fn each_order_is_told_from_the_others_in_every_format() {
    let original = weights(8 * HEAD, 96, 11);
    let neighbours = to_neighbours(&original, HEAD);
    let mut halves = original.clone();
    for (row, source) in
        to_neighbours(&(0..original.len()).map(|i| vec![i as f32]).collect::<Vec<_>>(), HEAD).iter().enumerate()
    {
        halves[source[0] as usize] = original[row].clone();
    }
    for stored in [Stored::F32, Stored::F16, Stored::Bf16, Stored::Q8_0] {
        let fits = |converted: &[Vec<f32>]| decided(converted, &original, stored).fits;
        assert_eq!(fits(&original), [Arrangement::AsOriginal], "{stored:?}");
        assert_eq!(fits(&neighbours), [Arrangement::Neighbours], "{stored:?}");
        assert_eq!(fits(&halves), [Arrangement::Halves], "{stored:?}");
        assert_eq!(fits(&to_neighbours(&neighbours, HEAD)), [Arrangement::Twice], "{stored:?}");
        assert_eq!(fits(&to_neighbours(&original, 2 * HEAD)), [Arrangement::OtherHeads(2 * HEAD)], "{stored:?}");
        // Other weights, and the right ones with one row out of place.
        assert_eq!(fits(&weights(8 * HEAD, 96, 12)), [], "{stored:?}");
        let mut swapped = neighbours.clone();
        swapped.swap(3, 4);
        assert_eq!(fits(&swapped), [], "{stored:?}");
    }
}

/// Zero rows are in every order.
#[test]
fn what_the_rows_do_not_tell_is_not_decided() {
    let zero = vec![vec![0.0; 64]; 2 * HEAD];
    assert!(decided(&zero, &zero, Stored::Q8_0).fits.len() > 1);
}

/// Long matrices are compared by whole heads, the last included.
#[test]
fn the_last_head_is_compared() {
    let original = weights(2048, 32, 5);
    let mut converted = to_neighbours(&original, HEAD);
    let decision = decided(&converted, &original, Stored::Bf16);
    assert_eq!(decision.fits, [Arrangement::Neighbours]);
    assert!(decision.rows < 2048 && decision.rows >= 1024);
    converted.swap(2046, 2047);
    assert_eq!(decided(&converted, &original, Stored::Bf16).fits, []);
}
