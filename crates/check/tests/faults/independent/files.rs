//! Arrays in memory and in files of each kind, written here by hand.

use posproof_check::read::SequenceAxis;
use posproof_check::{Grid, InvalidInput};
use posproof_numerics::format::Format;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// Where an array lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Container {
    Memory,
    Npy,
    Npz,
    Safetensors,
}

impl Container {
    pub const ALL: [Self; 4] = [Self::Memory, Self::Npy, Self::Npz, Self::Safetensors];

    /// True if the format of 8 bits has to be stated beside it.
    pub fn is_nameless(self) -> bool {
        matches!(self, Self::Npy | Self::Npz)
    }

    /// An array [heads, rows, width] of numbers of a format, kept so in a folder.
    pub fn keep<'a>(
        self,
        folder: &Path,
        name: &'static str,
        entries: &'a [f64],
        format: Format,
        shape: [usize; 3],
    ) -> Box<dyn Grid + 'a> {
        if self == Self::Memory {
            return Box::new(Array(name, entries, format, shape));
        }
        let data: Vec<u8> = entries.iter().flat_map(|x| bytes(format, *x)).collect();
        let path = |extension: &str| folder.join(format!("{name}.{extension}"));
        let path = match self {
            Self::Npz => path("npz"),
            Self::Safetensors => path("safetensors"),
            _ => path("npy"),
        };
        let (content, of) = match self {
            Self::Safetensors => (safetensors(format, shape, &data), ":array".to_owned()),
            Self::Npz => (npz(name, &npy(format, shape, &data)), format!(":{name}")),
            _ => (npy(format, shape, &data), String::new()),
        };
        std::fs::write(&path, content).expect("a file");
        let stated = format.narrow().map(|_| format);
        let opened = SequenceAxis::default().open_on(&format!("{}{of}", path.display()), None, stated);
        Box::new(opened.expect("an array"))
    }
}

fn bytes(format: Format, x: f64) -> Vec<u8> {
    match format {
        Format::F64 => x.to_le_bytes().to_vec(),
        Format::F32 => (x as f32).to_le_bytes().to_vec(),
        Format::F16 => half::f16::from_f64(x).to_le_bytes().to_vec(),
        Format::Bf16 => half::bf16::from_f64(x).to_le_bytes().to_vec(),
        Format::E4m3 | Format::E5m2 => {
            vec![format.narrow().and_then(|narrow| narrow.encode(x)).expect("a number of the format")]
        }
    }
}

fn npy(format: Format, shape: [usize; 3], data: &[u8]) -> Vec<u8> {
    let descr = match format {
        Format::F64 => "<f8",
        Format::F32 => "<f4",
        Format::F16 => "<f2",
        Format::Bf16 => "<V2",
        Format::E4m3 | Format::E5m2 => "|V1",
    };
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape:?}, }}")
        .replace('[', "(")
        .replace(']', ")");
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.bytes());
    out.extend(data);
    out
}

fn npz(name: &str, npy: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file(format!("{name}.npy"), options).expect("a member");
    archive.write_all(npy).expect("its bytes");
    archive.finish().expect("an archive").into_inner()
}

fn safetensors(format: Format, shape: [usize; 3], data: &[u8]) -> Vec<u8> {
    let dtype = match format {
        Format::F64 => "F64",
        Format::F32 => "F32",
        Format::F16 => "F16",
        Format::Bf16 => "BF16",
        Format::E4m3 => "F8_E4M3",
        Format::E5m2 => "F8_E5M2",
    };
    let end = data.len();
    let header =
        serde_json::json!({ "array": { "dtype": dtype, "shape": shape, "data_offsets": [0, end] } }).to_string();
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.extend(header.bytes());
    out.extend(data);
    out
}

/// An array [heads, rows, width].
struct Array<'a>(&'static str, &'a [f64], Format, [usize; 3]);

impl Grid for Array<'_> {
    fn name(&self) -> &str {
        self.0
    }
    fn format(&self) -> Format {
        self.2
    }
    fn slabs(&self) -> usize {
        self.3[0]
    }
    fn rows(&self) -> usize {
        self.3[1]
    }
    fn width(&self) -> usize {
        self.3[2]
    }
    fn read(&self, slab: usize, rows: Range<usize>, out: &mut Vec<f64>) -> Result<(), InvalidInput> {
        let (start, width) = (slab * self.3[1], self.3[2]);
        out.clear();
        out.extend_from_slice(&self.1[(start + rows.start) * width..(start + rows.end) * width]);
        Ok(())
    }
}
