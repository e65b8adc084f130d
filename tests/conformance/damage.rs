//! Damaged files: a short deterministic run of what `fuzz/` does at length. Whatever the bytes, an
//! array is read or refused; nothing panics, and nothing grows beyond the file.

use crate::files::*;
use posproof::conformance::read::{SequenceAxis, open};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::io::Write;

/// Whole files of each kind, by extension and the name of an array.
pub fn seeds() -> Vec<((&'static str, &'static str), Vec<u8>)> {
    let header = r#"{"__metadata__":{"k":"v"},"t":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"p":{"dtype":"I64","shape":[2],"data_offsets":[16,32]}}"#;
    let tensors = [singles(0..4), 5i64.to_le_bytes().to_vec(), 9i64.to_le_bytes().to_vec()].concat();
    let complex = r#"{"t":{"dtype":"C64","shape":[2,2],"data_offsets":[0,32]}}"#;
    let archive = |method| {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        for name in ["a.npy", "b.npy"] {
            archive.start_file(name, options).unwrap();
            archive.write_all(&npy("'<f4'", "False", "(2, 2)", &singles(0..4))).unwrap();
        }
        archive.finish().unwrap().into_inner()
    };
    vec![
        (("npy", ""), npy("'<f4'", "True", "(2, 2)", &singles(0..4))),
        (("npy", ""), npy("'>f8'", "False", "(1, 2, 1)", &[0; 16])),
        (("npy", ""), integers(&[0, 1, 5])),
        (("safetensors", ":t"), safetensors(header, &tensors)),
        (("safetensors", ":p"), safetensors(header, &tensors)),
        (("npz", ":a"), archive(zip::CompressionMethod::Stored)),
        (("npz", ":b"), archive(zip::CompressionMethod::Deflated)),
        (("npy", ""), npy("'<c8'", "False", "(1, 2, 1, 2)", &singles(0..8))),
        (("safetensors", ":t"), safetensors(complex, &singles(0..8))),
    ]
}

/// Damage to a file.
#[derive(Clone, Debug)]
enum Damage {
    Set(prop::sample::Index, u8),
    Number(prop::sample::Index, u64),
    Cut(prop::sample::Index),
    Grow(usize, u8),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        6 => (index(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        2 => (index(), prop_oneof![Just(u64::MAX), Just(1 << 63), Just(1 << 31), any::<u64>()]).prop_map(|(at, number)| Damage::Number(at, number)),
        2 => index().prop_map(Damage::Cut),
        1 => (1..64usize, any::<u8>()).prop_map(|(count, byte)| Damage::Grow(count, byte)),
        1 => (index(), 1..16usize).prop_map(|(at, count)| Damage::Remove(at, count)),
        1 => (index(), 1..16usize).prop_map(|(at, count)| Damage::Repeat(at, count)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    if bytes.is_empty() {
        return;
    }
    let length = bytes.len();
    match damage {
        Damage::Set(at, byte) => bytes[at.index(length)] = *byte,
        Damage::Number(at, number) => {
            let at = at.index(length);
            bytes[at..].iter_mut().zip(number.to_le_bytes()).for_each(|(to, from)| *to = from);
        }
        Damage::Cut(at) => bytes.truncate(at.index(length)),
        Damage::Grow(count, byte) => bytes.extend(std::iter::repeat_n(*byte, *count)),
        Damage::Remove(at, count) => {
            let at = at.index(length);
            bytes.drain(at..(at + count).min(length));
        }
        Damage::Repeat(at, count) => {
            let at = at.index(length);
            let part = bytes[at..(at + count).min(length)].to_vec();
            bytes.splice(at..at, part);
        }
    }
}

#[test]
fn any_damage_is_survived() {
    let folder = Folder::new();
    let config = Config { cases: 3000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let input = (prop::sample::select(seeds()), prop::collection::vec(damage(), 1..3));
    let (opened, refused) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    runner
        .run(&input, |(((extension, name), mut bytes), all)| {
            all.iter().for_each(|damage| apply(&mut bytes, damage));
            let path = folder.write(&format!("damaged.{extension}"), &bytes);
            match open(&format!("{}{name}", path.display())) {
                Ok(array) => {
                    opened.set(opened.get() + 1);
                    let mut out = Vec::new();
                    let rows = array.rows().min(64);
                    // A file that shrinks while it is read is refused too; this one does not.
                    array.read(array.slabs() - 1, array.rows() - rows..array.rows(), &mut out).unwrap();
                    prop_assert_eq!(out.len(), rows * array.width());
                    drop(array.positions());
                    let axis = SequenceAxis { stated: Some(0), positions: None };
                    drop(axis.arrange(open(&format!("{}{name}", path.display())).unwrap()));
                    for part in array.into_parts().into_iter().flatten() {
                        part.read(0, 0..part.rows().min(64), &mut out).unwrap();
                    }
                }
                Err(error) => {
                    refused.set(refused.get() + 1);
                    prop_assert!(!error.expected.is_empty() && !error.found.is_empty(), "{:?}", error);
                }
            }
            Ok(())
        })
        .unwrap();
    // Both ways were tried.
    assert!(opened.get() > 300 && refused.get() > 300, "{} opened, {} refused", opened.get(), refused.get());
}

/// An archive has a checksum of each array: whatever bit of it is flipped, the numbers are those that were written, or none.
#[test]
fn no_flipped_bit_of_an_archive_is_taken_for_a_number() {
    let folder = Folder::new();
    let entries = |bytes: &[u8], name: &str| {
        let path = folder.write("flipped.npz", bytes);
        let array = open(&format!("{}{name}", path.display())).map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        array.read(0, 0..array.rows(), &mut out).map_err(|error| error.to_string())?;
        Ok::<_, String>((array.width(), out))
    };
    let mut told = 0;
    for ((_, name), right) in seeds().into_iter().filter(|((extension, _), _)| *extension == "npz") {
        let written = entries(&right, name).expect("a right archive");
        for bit in 0..8 * right.len() {
            let mut bytes = right.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            match entries(&bytes, name) {
                Ok(read) => assert_eq!(read, written, "bit {bit} of {name}"),
                Err(error) => told += usize::from(error.contains("CRC-32")),
            }
        }
    }
    assert!(told > 200, "{told} damaged arrays were told by their checksum");
}
