//! Small GGUF and safetensors files, written entry by entry.

use half::{bf16, f16};
use std::fs;
use std::path::{Path, PathBuf};

/// A GGUF file in the making.
#[derive(Clone)]
pub struct GgufFile {
    version: u32,
    entries: Vec<Vec<u8>>,
    tensors: Vec<(String, Vec<u64>, u32, Vec<u8>)>,
}

/// A text: its length, and its bytes.
pub fn text(text: &str) -> Vec<u8> {
    [(text.len() as u64).to_le_bytes().as_slice(), text.as_bytes()].concat()
}

impl GgufFile {
    /// A file with an architecture.
    pub fn new(architecture: &str) -> Self {
        let file = Self { version: 3, entries: Vec::new(), tensors: Vec::new() };
        file.value("general.architecture", 8, &text(architecture))
    }

    /// The same of another version.
    pub fn version(self, version: u32) -> Self {
        Self { version, ..self }
    }

    /// Adds an entry of a type, with the bytes of its value.
    pub fn value(mut self, key: &str, kind: u32, bytes: &[u8]) -> Self {
        self.entries.push([text(key).as_slice(), &kind.to_le_bytes(), bytes].concat());
        self
    }

    /// Removes the entries whose key ends so.
    pub fn without(mut self, suffix: &str) -> Self {
        let key = |entry: &Vec<u8>| {
            let length = u64::from_le_bytes(entry[..8].try_into().unwrap()) as usize;
            String::from_utf8(entry[8..8 + length].to_vec()).unwrap()
        };
        let before = self.entries.len();
        self.entries.retain(|entry| !key(entry).ends_with(suffix));
        assert!(self.entries.len() < before, "there is no {suffix}");
        self
    }

    pub fn u32(self, key: &str, x: u32) -> Self {
        self.value(key, 4, &x.to_le_bytes())
    }

    pub fn f32(self, key: &str, x: f32) -> Self {
        self.value(key, 6, &x.to_le_bytes())
    }

    pub fn text(self, key: &str, value: &str) -> Self {
        self.value(key, 8, &text(value))
    }

    pub fn i32s(self, key: &str, list: &[i32]) -> Self {
        let bytes: Vec<u8> = list.iter().flat_map(|x| x.to_le_bytes()).collect();
        let header = [5u32.to_le_bytes().as_slice(), &(list.len() as u64).to_le_bytes()].concat();
        self.value(key, 9, &[header, bytes].concat())
    }

    /// Adds a tensor of a type, with its bytes.
    pub fn tensor(mut self, name: &str, dimensions: &[u64], kind: u32, bytes: Vec<u8>) -> Self {
        self.tensors.push((name.to_owned(), dimensions.to_vec(), kind, bytes));
        self
    }

    /// Removes the tensors.
    pub fn without_tensors(mut self) -> Self {
        self.tensors.clear();
        self
    }

    /// Adds a matrix of rows in a format.
    pub fn matrix(self, name: &str, rows: &[Vec<f32>], stored: Stored) -> Self {
        let bytes = rows.iter().flat_map(|row| stored.bytes(row)).collect();
        self.tensor(name, &[rows[0].len() as u64, rows.len() as u64], stored.kind(), bytes)
    }

    /// Adds a vector in f32.
    pub fn vector(self, name: &str, values: &[f32]) -> Self {
        let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensor(name, &[values.len() as u64], 0, bytes)
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"GGUF".to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend((self.entries.len() as u64).to_le_bytes());
        self.entries.iter().for_each(|entry| bytes.extend(entry));
        let mut offset = 0u64;
        for (name, dimensions, kind, data) in &self.tensors {
            bytes.extend(text(name));
            bytes.extend((dimensions.len() as u32).to_le_bytes());
            dimensions.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
            bytes.extend(kind.to_le_bytes());
            bytes.extend(offset.to_le_bytes());
            offset += (data.len() as u64).next_multiple_of(32);
        }
        for (.., data) in &self.tensors {
            bytes.resize(bytes.len().next_multiple_of(32), 0);
            bytes.extend(data);
        }
        bytes
    }

    /// Writes it into a folder.
    pub fn write(&self, folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, self.bytes()).unwrap();
        path
    }
}

/// Storage of a tensor.
#[derive(Clone, Copy, Debug)]
pub enum Stored {
    F32,
    F16,
    Bf16,
    Q8_0,
}

impl Stored {
    fn kind(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::F16 => 1,
            Self::Q8_0 => 8,
            Self::Bf16 => 30,
        }
    }

    fn bytes(self, row: &[f32]) -> Vec<u8> {
        match self {
            Self::F32 => row.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Self::F16 => row.iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()).collect(),
            Self::Bf16 => row.iter().flat_map(|x| bf16::from_f32(*x).to_le_bytes()).collect(),
            // ggml's reference: the largest magnitude of 32 entries is 127 steps.
            Self::Q8_0 => row
                .chunks(32)
                .flat_map(|block| {
                    let step = block.iter().fold(0f32, |most, x| most.max(x.abs())) / 127.0;
                    let inverse = if step == 0.0 { 0.0 } else { 1.0 / step };
                    let quanta = block.iter().map(move |x| (x * inverse).round() as i8 as u8);
                    f16::from_f32(step).to_le_bytes().into_iter().chain(quanta).collect::<Vec<u8>>()
                })
                .collect(),
        }
    }
}

/// A safetensors file of bf16 or f32 tensors.
pub fn safetensors(folder: &Path, name: &str, tensors: &[(&str, Vec<usize>, Vec<f32>, Stored)]) -> PathBuf {
    let mut header = serde_json::Map::new();
    let mut data = Vec::new();
    for (name, shape, values, stored) in tensors {
        let begin = data.len();
        data.extend(stored.bytes(values));
        let dtype = match stored {
            Stored::F32 => "F32",
            Stored::F16 => "F16",
            Stored::Bf16 => "BF16",
            Stored::Q8_0 => panic!("safetensors has no Q8_0"),
        };
        let entry = serde_json::json!({"dtype": dtype, "shape": shape, "data_offsets": [begin, data.len()]});
        header.insert((*name).to_owned(), entry);
    }
    let header = serde_json::Value::Object(header).to_string();
    let bytes = [(header.len() as u64).to_le_bytes().as_slice(), header.as_bytes(), &data].concat();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// Numbers as weights are: spread about 0, of several magnitudes, the same at every run.
pub fn weights(rows: usize, width: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bf16::from_f32(((state >> 40) as f32 / (1 << 24) as f32 - 0.5) * 0.1).to_f32()
    };
    (0..rows).map(|_| (0..width).map(|_| next()).collect()).collect()
}

/// Rows in the order that llama.cpp's pairing of neighbours needs, head by head.
pub fn to_neighbours(rows: &[Vec<f32>], head: usize) -> Vec<Vec<f32>> {
    let source = |row: usize| row / head * head + (row % head) / 2 + row % 2 * (head / 2);
    (0..rows.len()).map(|row| rows[source(row)].clone()).collect()
}
