//! Files as other people write them.

use posproof::conformance::InvalidInput;
use posproof::conformance::read::{Array, open};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A .npy file of version 1.
pub fn npy(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

pub fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

/// A folder that goes when the test ends.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn open(&self, name: &str, bytes: &[u8], suffix: &str) -> Result<Array, InvalidInput> {
        let path = self.write(name, bytes);
        open(&format!("{}{suffix}", path.display()))
    }
}

pub fn singles(range: std::ops::Range<u8>) -> Vec<u8> {
    range.flat_map(|x| f32::from(x).to_le_bytes()).collect()
}

/// A .npy file of binary32 numbers [rows, width].
pub fn table(values: &[f64], width: usize) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
    npy("'<f4'", "False", &format!("({}, {width})", values.len() / width), &data)
}

/// A .npy file of 64-bit integers.
pub fn integers(values: &[i64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    npy("'<i8'", "False", &format!("({},)", values.len()), &data)
}
