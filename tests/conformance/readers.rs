//! Files, whole and broken: what is right is read, what is wrong is refused with a clear message.

use crate::files::*;
use posproof::conformance::read::{Array, open};
use posproof::number::format::Format;
use posproof::table::Dtype;
use std::io::Write;

fn rows(array: &Array, slab: usize, rows: std::ops::Range<usize>) -> Vec<f64> {
    let mut out = Vec::new();
    array.read(slab, rows, &mut out).unwrap();
    out
}

#[test]
fn npy_in_either_order_and_either_endianness() {
    let folder = Folder::new();
    let c = folder.open("c.npy", &npy("'<f4'", "False", "(2, 3, 2)", &singles(0..12)), "").unwrap();
    assert_eq!((c.slabs(), c.rows(), c.width()), (2, 3, 2));
    assert_eq!(rows(&c, 1, 1..3), [8.0, 9.0, 10.0, 11.0]);
    // The entry (slab, row, column) is slab + 2·(row + 3·column) in Fortran order.
    let f = folder.open("f.npy", &npy("'<f4'", "True", "(2, 3, 2)", &singles(0..12)), "").unwrap();
    assert_eq!(rows(&f, 1, 1..3), [3.0, 9.0, 5.0, 11.0]);
    assert_eq!(rows(&f, 0, 0..1), [0.0, 6.0]);
    let big: Vec<u8> = [1.5f64, -2.0].iter().flat_map(|x| x.to_be_bytes()).collect();
    let array = folder.open("big.npy", &npy("'>f8'", "False", "(1, 2)", &big), "").unwrap();
    assert_eq!((array.dtype(), rows(&array, 0, 0..1)), (Dtype::Float(Format::F64), vec![1.5, -2.0]));
    let half = [0x00, 0x3c, 0x00, 0xc0];
    let array = folder.open("half.npy", &npy("'<f2'", "False", "(2, 1)", &half), "").unwrap();
    assert_eq!(rows(&array, 0, 0..2), [1.0, -2.0]);
    let positions: Vec<u8> = [0i64, 5, 131_071].iter().flat_map(|x| x.to_le_bytes()).collect();
    let array = folder.open("p.npy", &npy("'<i8'", "False", "(3,)", &positions), "").unwrap();
    assert_eq!(array.positions().unwrap(), [0, 5, 131_071]);
}

#[test]
fn safetensors_and_npz_by_name() {
    let folder = Folder::new();
    let header = r#"{"__metadata__":{"a":"b"},"cos":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]},"sin":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]}}"#;
    let mut data = vec![0x80, 0x3f, 0x00, 0xc0];
    data.extend(2.5f32.to_le_bytes());
    let bytes = safetensors(header, &data);
    let cos = folder.open("c.safetensors", &bytes, ":cos").unwrap();
    assert_eq!((cos.dtype(), rows(&cos, 0, 0..1)), (Dtype::Float(Format::Bf16), vec![1.0, -2.0]));
    assert_eq!(rows(&folder.open("c.safetensors", &bytes, ":sin").unwrap(), 0, 0..1), [2.5]);
    let error = folder.open("c.safetensors", &bytes, "").unwrap_err();
    assert!(error.to_string().contains("cos, sin"), "{error}");

    for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        archive.start_file("pe.npy", options).unwrap();
        archive.write_all(&npy("'<f4'", "False", "(2, 2)", &singles(0..4))).unwrap();
        let bytes = archive.finish().unwrap().into_inner();
        assert_eq!(rows(&folder.open("t.npz", &bytes, ":pe").unwrap(), 0, 1..2), [2.0, 3.0]);
        assert_eq!(rows(&folder.open("t.npz", &bytes, "").unwrap(), 0, 0..1), [0.0, 1.0]);
        assert!(folder.open("t.npz", &bytes, ":no").unwrap_err().to_string().contains("'no'"));
        assert!(folder.open("t.npz", &bytes[..bytes.len() / 2], ":pe").is_err());
    }
}

#[test]
fn broken_files_are_refused_with_file_place_expectation_and_finding() {
    let folder = Folder::new();
    let good = npy("'<f4'", "False", "(2, 2)", &singles(0..4));
    let mut gigantic = b"\x93NUMPY\x02\x00".to_vec();
    gigantic.extend(u32::MAX.to_le_bytes());
    let tensor = |shape: &str, end: u64| {
        safetensors(&format!(r#"{{"t":{{"dtype":"F32","shape":{shape},"data_offsets":[0,{end}]}}}}"#), &singles(0..4))
    };
    let mut long = u64::MAX.to_le_bytes().to_vec();
    long.extend(b"{}");
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("empty.npy", vec![]),
        ("magic.npy", b"not an array at all".to_vec()),
        ("version.npy", b"\x93NUMPY\x09\x00\x10\x00".to_vec()),
        ("gigantic.npy", gigantic),
        ("truncated.npy", good[..good.len() - 1].to_vec()),
        ("cut.npy", good[..20].to_vec()),
        ("object.npy", npy("'|O'", "False", "(2, 2)", &singles(0..4))),
        ("complex.npy", npy("'<c32'", "False", "(1, 1)", &singles(0..8))),
        ("half.npy", npy("'<c8'", "False", "(2, 2)", &singles(0..7))),
        (
            "half.safetensors",
            safetensors(r#"{"t":{"dtype":"C64","shape":[2,2],"data_offsets":[0,16]}}"#, &singles(0..4)),
        ),
        ("structured.npy", npy("[('a', '<f4')]", "False", "(2,)", &singles(0..2))),
        ("overflow.npy", npy("'<f4'", "False", "(9223372036854775807, 9223372036854775807)", &singles(0..4))),
        ("negative.npy", npy("'<f4'", "False", "(-2, 2)", &singles(0..4))),
        ("zero.npy", npy("'<f4'", "False", "(0, 2)", &[])),
        ("truth.npy", npy("'<f4'", "0", "(2, 2)", &singles(0..4))),
        ("empty.safetensors", vec![]),
        ("long.safetensors", long),
        ("json.safetensors", safetensors("{\"t\":", &[])),
        ("none.safetensors", safetensors("{}", &[])),
        ("offsets.safetensors", tensor("[2,2]", 1 << 40)),
        ("shape.safetensors", tensor("[3,2]", 16)),
        ("overflow.safetensors", tensor("[4294967296,4294967296,4294967296]", 16)),
        ("bool.safetensors", safetensors(r#"{"t":{"dtype":"BOOL","shape":[4],"data_offsets":[0,4]}}"#, &[0; 4])),
        ("empty.npz", vec![]),
        ("broken.npz", b"PK\x03\x04 and then nothing".to_vec()),
        ("kind.txt", b"1 2 3".to_vec()),
    ];
    for (name, bytes) in cases {
        let error = folder.open(name, &bytes, "").err().unwrap_or_else(|| panic!("{name} was accepted"));
        let text = error.to_string();
        assert!(text.contains(name) && text.contains("expected") && text.contains("found"), "{text}");
        assert!(!error.place.is_empty() && !error.advice.is_empty(), "{error:?}");
    }
    assert!(open("/nonexistent/x.npy").is_err());
    let folder_path = folder.path().join("folder.npy");
    std::fs::create_dir(&folder_path).unwrap();
    assert!(open(&folder_path.display().to_string()).is_err());
    let positions =
        folder.open("p.npy", &npy("'<f4'", "False", "(2,)", &[-1f32, 2.5].map(f32::to_le_bytes).concat()), "");
    assert!(positions.unwrap().positions().is_err());
}
